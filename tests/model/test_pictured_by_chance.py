"""Diagrams and figures of records made by chance: what is inherited, counted and placed."""

from __future__ import annotations

from itertools import chain
from string import ascii_lowercase
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount, one_in

import sgf_lark
from sgf_lark import Diagram, GameTree, Node, Point, PointList, strategies
from sgf_lark.games.registry import games_with_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

SIDE = 5

points = st.tuples(*[st.sampled_from(ascii_lowercase[:SIDE])] * 2).map("".join)
lists = st.lists(points, max_size=3).map(lambda names: "".join(f"[{name}]" for name in names))
properties = st.one_of(
    st.tuples(st.sampled_from(["DD", "VW"]), lists.map(lambda values: values or "[]")),
    st.tuples(st.just("PM"), st.sampled_from(["[0]", "[1]", "[2]", "[]", "[9]"])),
    st.tuples(st.just("MN"), st.sampled_from(["[1]", "[99]", "[150]", "[x]"])),
    st.tuples(st.just("FG"), st.sampled_from(["[]", "[0:A]", "[256:B]", "[260:]"])),
    st.tuples(st.sampled_from(["AB", "AW", "AE"]), points.map(lambda name: f"[{name}]")),
    st.tuples(st.sampled_from(["TR", "CR", "L", "M"]), points.map(lambda name: f"[{name}]")),
    st.tuples(st.just("LB"), points.map(lambda name: f"[{name}:A]")),
    st.tuples(st.just("C"), st.just("[text]")),
)
moves = st.one_of(
    st.just(""),
    st.tuples(st.sampled_from("BW"), st.one_of(points, st.sampled_from(["", "zz"]))).map(
        lambda move: f"{move[0]}[{move[1]}]"
    ),
)
nodes = st.tuples(moves, st.lists(properties, max_size=3))


@st.composite
def records(draw: st.DrawFn) -> str:
    """A tree: each node is written after a parent, the first child of which goes on its line."""
    count = draw(st.integers(1, 14))
    children: list[list[int]] = [[] for _ in range(count)]
    texts = []
    for number in range(count):
        move, props = draw(nodes)
        texts.append(f";{move}" + "".join(ident + values for ident, values in dict(props).items()))
        if number:
            children[draw(st.integers(max(0, number - 3), number - 1))].append(number)

    def written(number: int) -> str:
        below = [written(child) for child in children[number]]
        return texts[number] + (
            "".join(f"({one})" for one in below) if below[1:] else "".join(below)
        )

    return f"(;FF[4]GM[1]SZ[{SIDE}]{written(0)})"


def line(node: Node) -> list[Node]:
    """The nodes from the root to a node."""
    way = [node]
    while (above := way[-1].parent) is not None:
        way.append(above)
    return way[::-1]


def expected(node: Node, *, figure: bool) -> dict[Point, int | None]:
    """The numbers up to a node, from the root on: of the figure as PM says, or all."""
    number, hundreds = 0, None
    mode = 1
    placed: dict[Point, int | None] = {}
    for one in line(node):
        if figure and ("FG" in one or begins_variation(one)):
            placed, hundreds = {}, None
        raw = one.raw
        if "PM" in raw and raw["PM"][0] != "9":
            mode = int(raw["PM"][0] or 1)
        if "MN" in raw and raw["MN"][0] != "x":
            number, hundreds = int(raw["MN"][0]), None
        elif one.move is not None:
            number += 1
        for point in chain(one.get("AB", ()), one.get("AW", ()), one.get("AE", ())):
            placed.pop(cast("Point", point), None)
        if one.move is None:
            continue
        if hundreds is None:
            hundreds = number - number % 100
        if one.move.point is not None:
            shown = {0: None, 1: number, 2: number - hundreds}[mode] if figure else number
            placed[one.move.point] = shown
    return placed


def begins_variation(node: Node) -> bool:
    return node.parent is not None and node != node.parent.children[0]


def numbers(diagram: Diagram) -> dict[Point, int | None]:
    return {one.point: one.number for one in diagram.numbers}


def seen(placed: dict[Point, int | None], diagram: Diagram) -> dict[Point, int | None]:
    stones = {stone.point for stone in diagram.stones}
    texts = {label.point for label in (*diagram.labels, *diagram.variations)}
    marks = {mark.point for mark in diagram.marks}.difference(diagram.last)
    free = stones - texts - marks
    return {
        point: number for point, number in placed.items() if point in free and number is not None
    }


def game(text: str) -> GameTree:
    return sgf_lark.loads(text, strict=False)[0]


@given(records(), st.randoms(use_true_random=False))
def test_numbers_are_those_of_a_walk_from_the_root_in_any_order(text: str, chance: object) -> None:
    nodes = [*game(text).nodes] * 2
    chance.shuffle(nodes)  # type: ignore[attr-defined]
    for node in nodes:
        of_all = node.diagram(numbers="all")
        assert numbers(of_all) == seen(expected(node, figure=False), of_all)
        of_figure = node.diagram(numbers="figure")
        assert numbers(of_figure) == seen(expected(node, figure=True), of_figure)
        part = node.diagram(numbers=(2, 99))
        assert numbers(part) == {
            point: number
            for point, number in numbers(of_all).items()
            if number is not None and 2 <= number <= 99
        }


@given(records())
def test_dim_points_and_view_come_from_the_nearest_node_that_has_them(text: str) -> None:
    for node in game(text).nodes:
        diagram = node.diagram()
        for ident, shown in (("DD", diagram.dim), ("VW", diagram.view or ())):
            nearest: tuple[Point, ...] = ()
            for one in line(node):
                if ident in one:
                    assert isinstance(one[ident], PointList)
                    nearest = tuple(dict.fromkeys(one[ident]))
            assert shown == nearest


@given(records())
def test_a_figure_that_removes_captured_stones_is_the_diagram_of_its_last_node(text: str) -> None:
    record = game(text)
    for figure in record.figures("FG", flags=0):
        node = record.at(figure.path)
        diagram = node.diagram(numbers="figure", style=2)
        keeps = any("256" in raw or "260" in raw for raw in of_figure(record, figure.start))
        if not keeps and figure.start != "0":
            assert numbers(figure.diagram) == numbers(diagram)
            assert figure.diagram.stones == diagram.stones
        assert (figure.diagram.view, figure.diagram.dim) == (diagram.view, diagram.dim)
        assert figure.diagram.marks == diagram.marks


def of_figure(record: GameTree, start: str) -> Iterator[str]:
    """The nearest FG."""
    for node in reversed(line(record.at(start))):
        if "FG" in node:
            yield from node.raw["FG"]
            return


@given(records())
def test_each_numbered_move_of_a_figure_is_on_its_board_or_listed(text: str) -> None:
    record = game(text)
    everything = [node.index for node in record.nodes]
    for split in "FG", 3, "comments":
        shown: list[int] = []
        for figure in record.figures(split):
            first, last = record.at(figure.start).index, record.at(figure.path).index
            shown += range(first, last + 1)
            printed = [one.number for one in figure.diagram.numbers]
            listed = [one.number for one in figure.unshown]
            on_stones = {stone.point for stone in figure.diagram.stones}
            assert {one.point for one in figure.diagram.numbers} <= on_stones
            assert len(printed) + len(listed) <= last - first + 1
            if not figure.unshown:
                assert all(note.startswith("Markup at") for note in figure.diagram.notes)
        assert sorted(shown) == everything


@given(records())
def test_diagrams_and_figures_are_the_same_of_a_game_from_data(text: str) -> None:
    record = game(text)
    copy = GameTree.model_validate_json(record.model_dump_json())

    assert copy.figures() == record.figures()
    for one, other in zip(record.nodes, copy.nodes, strict=True):
        assert one.diagram(numbers="figure") == other.diagram(numbers="figure")


@pytest.mark.parametrize("number", one_in(4, [int(number) for number in games_with_rules()]))
@settings(max_examples=amount(4, 50))
@given(data=st.data())
def test_valid_records_of_every_game_are_drawn(number: int, data: st.DataObject) -> None:
    text = data.draw(strategies.records(game=number, size=15))
    for record in sgf_lark.loads(text):
        for node in record.nodes:
            diagram = node.diagram(numbers="figure", crop="auto")
            assert Diagram.model_validate_json(diagram.model_dump_json()) == diagram
        assert len(record.figures()) >= 1
