"""Real records: every node has its diagram, and every game its figures."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from support.corpus import alike, long, record, true_of_records

from sgf_lark import Composed, Format, Point, PointList

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgf_lark import Collection, Diagram, GameTree


def few(which: str) -> bool:
    """All but some short records wait for the night."""
    return long(which) or crc32(which.encode()) % 40 > 0


def without_labels(which: str) -> bool:
    """All but short records with labels wait for the night."""
    return long(which) or b"LB[" not in record(which).read_bytes()


@true_of_records(but=alike, night=few)
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
        for split in None, "FG", "comments", 50:
            figures = game.figures(split)
            names = [place_of(figure.number) for figure in figures]
            assert names == sorted(set(names))
            for figure in figures:
                assert_is_drawn(figure.diagram)


def place_of(number: str) -> tuple[int, int, str]:
    """The place of a figure on a page: 1, 1a, 1b ... 1aa, 2."""
    figure = number.rstrip(ascii_lowercase)
    letters = number.removeprefix(figure)
    return int(figure), len(letters), letters


@true_of_records(but=alike, night=without_labels)
def its_labels_are_drawn_where_comments_speak_of_them_and_no_text_is_over_another(
    _: str, collection: Collection
) -> None:
    for game in collection:
        try:
            figures = game.figures()
        except ValueError:  # it has no board
            continue
        shown = {game.at(figure.path).index: figure.diagram for figure in figures}
        for figure in figures:
            texts = [point for point, _ in (*figure.diagram.numbers, *figure.diagram.labels)]
            assert len(texts) == len(set(texts))
        for node in game.nodes:
            if "LB" in node and str(node.get("C", "")).strip():
                drawn = {label.point for label in shown[node.index].labels}
                assert drawn >= {*labelled(node["LB"], game)}


def labelled(labels: object, game: GameTree) -> Iterator[Point]:
    """The points of LB that are on the board."""
    columns, rows = game.size or (0, 0)
    for label in labels if isinstance(labels, tuple) else ():
        point = label.first if isinstance(label, Composed) else None
        if isinstance(point, Point) and point.column < columns and point.row < rows:
            yield point


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
