"""Real records: every node has its diagram, and every game its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from support.corpus import long, true_of_records

from sgf_lark import Format, PointList

if TYPE_CHECKING:
    from sgf_lark import Collection, Diagram, GameTree, Point


def few(which: str) -> bool:
    """All but some short records wait for the night."""
    return long(which) or crc32(which.encode()) % 40 > 0


@true_of_records(night=few)
def every_node_has_a_diagram_and_every_game_its_figures(_: str, collection: Collection) -> None:
    for game in collection:
        try:
            assert game.root.board is not None
        except ValueError:
            with pytest.raises(ValueError, match="no "):
                game.root.diagram()
            continue
        for node in game.nodes:
            assert_is_drawn(node.diagram(numbers="figure", crop="auto"))
        for split in "FG", "comments", 50:
            figures = game.figures(split)
            assert [figure.number for figure in figures] == [*range(1, len(figures) + 1)]
            for figure in figures:
                assert_is_drawn(figure.diagram)


def assert_is_drawn(diagram: Diagram) -> None:
    """Numbers are on stones, each once; everything is on the board."""
    stones = {stone.point for stone in diagram.stones}
    numbered = [number.point for number in diagram.numbers]
    assert set(numbered) <= stones
    assert len(set(numbered)) == len(numbered)
    points = {*stones, *diagram.dim, *(diagram.view or ()), *(diagram.crop or ())}
    points |= {label.point for label in (*diagram.labels, *diagram.variations)}
    points |= {mark.point for mark in diagram.marks}
    columns, rows = diagram.size
    assert all(0 <= column < columns and 0 <= row < rows for column, row in points)


@true_of_records(night=few)
def dim_points_and_view_are_those_of_the_nearest_node_that_names_them(
    _: str, collection: Collection
) -> None:
    for game in collection:
        if game.format is not Format.FF4 or game.size is None:
            continue
        for node in game.nodes if {"DD", "VW"} & idents(game) else ():
            diagram = node.diagram()
            assert diagram.dim == tuple(dict.fromkeys(named(game, node.index, "DD")))
            assert (diagram.view or ()) == tuple(dict.fromkeys(named(game, node.index, "VW")))


def idents(game: GameTree) -> set[str]:
    return {ident for node in game.nodes for ident in node}


def named(game: GameTree, node: int, ident: str) -> tuple[Point, ...]:
    for above in game.nodes.tree.up(node):
        points = game.nodes[above].get(ident)
        if isinstance(points, PointList):
            assert game.size is not None
            return tuple(points.on_board(game.size))
    return ()
