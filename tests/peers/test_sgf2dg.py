"""Figures of games as Sgf2Dg divides and numbers them, "as in books": its ASCII diagrams.

Differences, which are those of Sgf2Dg from the standard: it reads FG as a comment, so that only
the number of moves divides a game; it ignores PM, and MN counts from the next move; setup ends a
figure; a pass has no part in dividing; it plays no stone on another.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

import pytest
from support import corpus
from support.go_records import go_games, turns
from support.programs import program

import sgf_lark
from sgf_lark import Color, GameFigure, GameTree, Point

#: The boards whose hoshi Sgf2Dg knows; of others it draws nothing.
SIZES = [(side, side) for side in range(5, 20, 2)]

OPTIONS = ["-converter", "ASCII", "-ic", "-il", "-im", "-ip"]

#: The columns of a point in a line.
WIDTH = 4

#: Stones without a number, marked or not.
STONES = {"X": "B", "#": "B", "O": "W", "@": "W"}


class Figure(NamedTuple):
    """A figure as both sides have it.

    Attributes:
        first, last: Numbers of its moves.
        numbers: Numbers by points.
        stones: Colors of the stones without numbers.
        repeated: Numbers of moves that are listed, with the number there (0 for none).
    """

    first: int
    last: int
    numbers: dict[Point, int]
    stones: dict[Point, str]
    repeated: dict[int, int]


def drawn(text: str, folder: Path, *options: str) -> dict[str, Figure]:
    """The diagrams of a record by their names; perhaps a last one that has no moves."""
    (folder / "game.sgf").write_text(text)
    result = subprocess.run(  # noqa: S603  # a program on this machine
        [program("sgf2dg"), *OPTIONS, *options, "game.sgf"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    lines = (folder / "game.ascii").read_text().split("\n")
    titles = [at for at, line in enumerate(lines) if re.match(r"(Diagram|Variation) \d", line)]
    return {
        re.split(r":| at | \(", lines[at])[0]: read(lines[at:end])
        for at, end in zip(titles, [*titles[1:], len(lines)], strict=True)
    }


def read(lines: list[str]) -> Figure:
    """Read a diagram: its title, a line for each row and one between, then what is repeated."""
    title = re.search(r": (\d+)(?:-(\d+))?$", lines[0])
    first, last = (int(title[1]), int(title[2] or title[1])) if title else (0, 0)
    numbers: dict[Point, int] = {}
    stones: dict[Point, str] = {}
    repeated: dict[int, int] = {}
    end = lines.index("")
    for row, line in enumerate(lines[1:end:2]):
        for column, start in enumerate(range(0, len(line), WIDTH)):
            cell = line[start : start + WIDTH].strip("- |+*")
            if cell.isdecimal():
                numbers[Point(column, row)] = int(cell)
            elif cell in STONES:
                stones[Point(column, row)] = STONES[cell]
    for line in lines[end:]:
        found = re.fullmatch(r"([\d, ]+) at (\d+|[#@]),?", line)
        if found is not None:
            there = int(found[2]) if found[2].isdecimal() else 0
            repeated |= dict.fromkeys(map(int, found[1].split(", ")), there)
    return Figure(first, last, numbers, stones, repeated)


def ours(figure: GameFigure) -> Figure:
    numbers = {one.point: one.number for one in figure.diagram.numbers}
    stones = {
        stone.point: str(stone.color)
        for stone in figure.diagram.stones
        if stone.point not in numbers
    }
    return Figure(figure.first, figure.last, numbers, stones, dict(figure.repeated))


def moves_of(game: GameTree) -> str | None:
    """The main line as a record of stones that are set up first, and of moves; None for nothing.

    It ends before a pass, other setup, and a stone on a stone.
    """
    assert game.size is not None
    root, nodes = "", []
    for number, (turn, position) in enumerate(zip(turns(game), game.positions(), strict=False)):
        if number == 0:
            for ident, color in (("AB", Color.BLACK), ("AW", Color.WHITE)):
                points = [raw(point) for point, held in turn.setup.items() if held is color]
                root += f"{ident}[{']['.join(points)}]" if points else ""
        elif turn.setup:
            break
        if turn.move is not None:
            played_on_stone = position.verdict is not None and position.verdict.code == "G601"
            if turn.move.point is None or played_on_stone:
                break
            nodes.append(f";{turn.move.color}[{raw(turn.move.point)}]")
    return f"(;FF[4]GM[1]SZ[{game.size.columns}]{root}{''.join(nodes)})" if nodes else None


def raw(point: Point) -> str:
    return "".join(ascii_lowercase[place] for place in point)


@pytest.mark.night
@pytest.mark.both_lanes
def test_real_games_have_the_same_figures_of_50_moves_with_the_same_numbers(
    tmp_path: Path,
) -> None:
    count = repeated = 0
    for name, game in go_games(every=40):
        text = moves_of(game)
        if text is None or game.size not in SIZES:
            continue
        theirs = drawn(text, tmp_path, "-movesPerDiagram", "50")
        mine = sgf_lark.loads(text)[0].figures(50)
        assert [ours(one) for one in mine] == [one for one in theirs.values() if one.first], name
        count += len(mine)
        repeated += sum(len(figure.unshown) for figure in mine)
    assert count > 10 or not corpus.names()
    assert repeated > 0 or not corpus.names()


#: Captures and kos on a small board, with variations of variations.
TREE = (
    "(;FF[4]GM[1]SZ[9]AB[ba][ab][cb]AW[da];W[aa];B[bb];W[eb];B[ff](;W[db];B[ea];W[dc];B[fb]"
    "(;W[ca];B[ee];W[ia])(;W[ed];B[fd](;W[gd];B[ge])(;W[hh];B[hg];W[gg])))(;W[gg];B[hg])"
    "(;W[cc];B[dd]))"
)


@pytest.mark.parametrize("every", ["2", "3", "5", "50"])
@pytest.mark.parametrize("option", ["-relativeVarNums", "-absoluteVarNums"])
def test_variations_have_the_same_figures_and_numbers(
    every: str, option: str, tmp_path: Path
) -> None:
    theirs = drawn(TREE, tmp_path, option, "-movesPerDiagram", every)
    mine = sgf_lark.loads(TREE)[0].figures(int(every), restart=option == "-relativeVarNums")

    def in_order(figures: list[Figure]) -> list[Figure]:
        return sorted(figures, key=lambda one: (one.first, one.last, sorted(one.numbers)))

    of_main_line = [one for name, one in theirs.items() if name.startswith("Diagram")]
    assert [ours(one) for one in mine if one.parent is None] == [
        one for one in of_main_line if one.first
    ]
    assert in_order([*map(ours, mine)]) == in_order([one for one in theirs.values() if one.first])


#: Moves that do not touch, more than 100.
LONG = "".join(
    f";{'WB'[number % 2]}[{ascii_lowercase[number % 9 * 2]}{ascii_lowercase[number // 9]}]"
    for number in range(1, 121)
)

NAMED = {
    "FG": "(;FF[4]GM[1]SZ[9];B[aa];FG[]W[cc];B[ee])",
    "MN": "(;FF[4]GM[1]SZ[9];MN[41]B[aa];W[cc])",
    "PM": f"(;FF[4]GM[1]SZ[19]PM[2]{LONG})",
    "setup": "(;FF[4]GM[1]SZ[9];B[aa];AB[gg];W[cc])",
    "on a stone": "(;FF[4]GM[1]SZ[9];B[aa];W[aa])",
    "pass": "(;FF[4]GM[1]SZ[9];B[aa];W[];B[cc])",
}


def ranges(figures: list[Figure]) -> list[tuple[int, int]]:
    return [(figure.first, figure.last) for figure in figures if figure.first]


@pytest.mark.parametrize(
    ("name", "split", "theirs", "mine"),
    [
        ("FG", "FG", [(1, 3)], [(1, 1), (2, 3)]),
        ("MN", "FG", [(1, 41)], [(41, 42)]),
        ("PM", 50, [(1, 50), (51, 100), (101, 120)], [(1, 50), (51, 100), (1, 20)]),
        ("setup", 50, [(1, 1), (2, 2)], [(1, 2)]),
        ("on a stone", 50, [(1, 1)], [(1, 2)]),
        ("pass", 2, [(1, 3)], [(1, 2), (3, 3)]),
    ],
)
def test_the_differences_are_those_that_are_named(
    name: str,
    split: str | int,
    theirs: list[tuple[int, int]],
    mine: list[tuple[int, int]],
    tmp_path: Path,
) -> None:
    text = NAMED[name]
    every = str(split) if isinstance(split, int) else "50"

    assert ranges([*drawn(text, tmp_path, "-movesPerDiagram", every).values()]) == theirs
    assert ranges([ours(one) for one in sgf_lark.loads(text)[0].figures(split)]) == mine
