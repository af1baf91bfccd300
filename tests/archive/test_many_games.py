"""Duplicates and openings of many games, compared with those that were planted and counted."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from string import ascii_lowercase

import pytest

from sgf_lark import archive

pytest.importorskip("pyarrow")

#: Games that are made; one in so many of them is a duplicate of an earlier one.
GAMES, DUPLICATE = 1_000, 10

KINDS = ("bytes", "text", "header", "turned", "recolored", "cut")

Line = list[tuple[int, int]]


def turn(line: Line, number: int, size: int) -> Line:
    """Return a line under one of the eight symmetries of a board."""
    if number & 1:
        line = [(size - 1 - column, row) for column, row in line]
    if number & 2:
        line = [(column, size - 1 - row) for column, row in line]
    return [(row, column) for column, row in line] if number & 4 else line


def play(dice: random.Random, size: int) -> Line:
    """Return moves that are legal in any order: each point has a free one beside it forever."""
    points = [(column, row) for column in range(1, size - 1) for row in range(1, size - 1)]
    free = [(column, row) for column, row in points if (column + 2 * row) % 5]
    usual = [(size - 4, 3), (3, size - 4), (3, 3)][: dice.randrange(4)]
    dice.shuffle(free)
    return sorted(free, key=lambda point: point not in usual)


def write(line: Line, size: int, name: str, layout: str = "", colors: str = "BW") -> str:
    """Return the text of a game."""
    letters = ascii_lowercase
    moves = (
        f";{colors[number % 2]}[{letters[column]}{letters[row]}]{layout}"
        for number, (column, row) in enumerate(line)
    )
    return f"(;FF[4]GM[1]SZ[{size}]PB[{name}]{''.join(moves)})\n"


def make_games(dice: random.Random) -> Iterator[tuple[str, Line, int, int | None]]:
    """Yield texts, lines, sizes, and the numbers of the games of which some are duplicates."""
    lines: dict[int, tuple[Line, int]] = {}
    for number in range(GAMES):
        if not lines or dice.randrange(DUPLICATE):
            size = dice.choice((9, 13, 19, 19))
            line = play(dice, size)
            lines[number] = line, size
            yield write(line, size, str(number)), line, size, None
            continue
        of = dice.choice(list(lines))
        line, size = lines.pop(of)  # of each game one, so that a pair is what was planted
        kind = dice.choice(KINDS)
        line = turn(line, dice.randrange(1, 8) if kind == "turned" else 0, size)
        line = line[: -len(line) // 3] if kind == "cut" else line
        name = "?" if kind == "header" else str(of)
        layout = "\n" if kind == "text" else ""
        yield write(line, size, name, layout, "WB" if kind == "recolored" else "BW"), line, size, of


@pytest.mark.night
def test_duplicates_are_those_planted_and_openings_those_counted(tmp_path: Path) -> None:
    made = [*make_games(random.Random(3))]  # noqa: S311  # a fixed seed
    (tmp_path / "games.sgf").write_text("".join(text for text, *_ in made))
    archive.build([tmp_path / "games.sgf"], tmp_path / "archive", jobs=1)
    planted = {(of, number) for number, (*_, of) in enumerate(made) if of is not None}
    lines = [
        line for text, line, size, _ in made if size == 19 and text.index(";B[") < text.index(";W[")
    ]

    with archive.read(tmp_path / "archive") as tables:
        rows = archive.dupes(tables).table.to_pylist()
        trees = [archive.openings(tables, 3, size=19, symmetric=is_one) for is_one in (False, True)]

    for tree, symmetries in zip(trees, (1, 8), strict=True):
        counted = Counter(
            min(tuple(turn(line[:depth], number, 19)) for number in range(symmetries))
            for line in lines
            for depth in range(4)
        )
        assert sorted(tree.table["games"].to_pylist()) == sorted(counted.values())
    groups = defaultdict(list)
    for row in rows:
        groups[row["group"]].append(row["game"])
    assert planted
    assert {pair for group in groups.values() for pair in pairwise(sorted(group))} == planted
