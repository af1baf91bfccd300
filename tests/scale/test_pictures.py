"""Diagrams and figures of long and deep records: twice the record takes about twice the time."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from support.lanes import one_in
from support.timing import LIMIT, growth

import sgf_lark

if TYPE_CHECKING:
    from collections.abc import Callable

    from sgf_lark import GameTree

#: What measures lines would be measured with them.
pytestmark = [pytest.mark.no_cover, pytest.mark.timing]

MOVES = [f"{'BW'[number % 2]}[{'aceg'[number % 4]}{'aceg'[number // 4]}]" for number in range(16)]


def line(count: int) -> str:
    """One long line, with a view and dim points at its beginning."""
    moves = "".join(f";{MOVES[number % 16]}" for number in range(count))
    return f"(;FF[4]GM[1]SZ[9]VW[aa:hh]DD[aa]PM[2];MN[7]{moves})"


def settings(count: int) -> str:
    """A line in which every node sets up, dims, hides, and begins a figure."""
    node = ";MN[1]PM[2]VW[aa:cc]DD[bb]FG[]AB[aa:bb]TR[aa:cc]"
    return f"(;FF[4]GM[1]SZ[9]{node * count})"


def nested(count: int) -> str:
    """Each node in a variation of its own, all in one another."""
    nodes = "".join(f"(;C[{number}])(;{MOVES[number % 16]}" for number in range(count // 2))
    return f"(;FF[4]GM[1]SZ[9]VW[aa]{nodes}{')' * (count // 2)})"


def siblings(count: int) -> str:
    """All nodes variations of the root."""
    return f"(;FF[4]GM[1]SZ[9]{''.join(f'(;{MOVES[number % 16]})' for number in range(count))})"


def passes(count: int) -> str:
    """Moves that no figure can show."""
    return f"(;FF[4]GM[1]SZ[9]{';B[];W[]' * (count // 2)})"


#: The records, and the nodes of the smaller one; in variations within variations the boards of a
#: few hundred nodes are all found from the root.
RECORDS = [(line, 500), (settings, 1000), (passes, 500), (nested, 1600)]

DRAW: dict[str, Callable[[GameTree], object]] = {
    "diagrams": lambda game: [node.diagram() for node in game.nodes],
    "diagrams with all numbers": lambda game: [node.diagram(numbers="all") for node in game.nodes],
    "diagrams with the last number": lambda game: [
        node.diagram(numbers="last") for node in game.nodes
    ],
    "diagrams with numbers of figures": lambda game: [
        node.diagram(numbers="figure", restart=True) for node in game.nodes
    ],
    "figures": lambda game: game.figures(),
    "figures of 20 moves": lambda game: game.figures(20, restart=True),
    "figures up to comments": lambda game: game.figures("comments"),
}


#: Half of the pairs: each record with three ways to draw, and each way with two records.
CASES = [(*record, name) for record, name in product(RECORDS, DRAW)][::2]


@pytest.mark.night
@pytest.mark.parametrize(("record", "size", "drawn"), one_in(14, CASES))
def test_pictures_take_time_for_the_nodes(
    record: Callable[[int], str], size: int, drawn: str
) -> None:
    def work(count: int) -> Callable[[], object]:
        game = sgf_lark.loads(record(count), strict=False)[0]
        return lambda: DRAW[drawn](game)

    assert growth(work, size) < LIMIT


@pytest.mark.night
def test_diagrams_of_a_root_with_many_variations_take_time_for_them() -> None:
    def work(count: int) -> Callable[[], object]:
        game = sgf_lark.loads(siblings(count), strict=False)[0]
        return lambda: (game.root.diagram(), game.figures())

    assert growth(work, 500) < LIMIT
