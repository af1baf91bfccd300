"""Canonical lines: the smallest one under the symmetries of a board."""

from __future__ import annotations

import random
from itertools import starmap
from pathlib import Path
from typing import Any

import pytest
from support.lanes import one_in

from sgf_lark.archive import build, dupes, openings, read
from sgf_lark.archive.rows.table_rows import LineBoard, canonical_columns

pytestmark = pytest.mark.usefixtures("one_database")

np = pytest.importorskip("numpy")

#: Kinds of games and sizes; the start of Othello allows half of the symmetries of its board.
BOARDS = [(1, 19, 19), (1, 7, 9), (2, 8, 8), (9, 8, 8), (11, 11, 11), (4, 300, 300), (99, 5, 5)]


def smallest(board: LineBoard, line: list[int], ways: Any) -> list[int]:
    """The smallest of the lines that are symmetric to one, a line at a time."""
    ranks = min(board.rank(np.array(line), way).tolist() for way in ways)
    found: list[int] = board.point(np.array(ranks)).tolist()
    return found


def test_lines_of_many_games_are_canonical_as_each_one_is() -> None:
    dice = random.Random(1)  # noqa: S311  # no secret
    boards = [dice.choice(BOARDS) for _ in range(300)]
    lines = [
        None
        if dice.random() < 0.1
        else [dice.randrange(-2, min(columns * rows, 30)) for _ in range(dice.randrange(1, 12))]
        for _, columns, rows in boards
    ]
    gm, columns, rows = zip(*boards, strict=True)

    found = canonical_columns({"line": lines, "gm": gm, "columns": columns, "rows": rows})

    expected = [
        None if line is None else smallest(board, line, board.opening_ways())
        for board, line in zip(starmap(LineBoard, boards), lines, strict=True)
    ]
    assert found["canon"].to_pylist() == expected
    hashes: dict[Any, Any] = {}
    for line, hash_ in zip(expected, found["canon_hash"], strict=True):
        assert hashes.setdefault(hash_, line) == line
    assert len(hashes) == len({*map(str, expected)})


def written(moves: str, gm: int = 1, size: int = 19, first: str = "B") -> str:
    """A record of moves in SGF's notation."""
    sides = "BW" if first == "B" else "WB"
    nodes = [f";{sides[at // 2 % 2]}[{moves[at : at + 2]}]" for at in range(0, len(moves), 2)]
    return f"(;FF[4]GM[{gm}]SZ[{size}]{''.join(nodes)})"


def test_the_first_color_is_that_of_the_first_move(tmp_path: Path) -> None:
    for name, text in {
        "a": written("pddp"),
        "b": written("pddp", first="W"),
        "c": "(;FF[4]GM[1]SZ[19]AB[aa])",
    }.items():
        (tmp_path / f"{name}.sgf").write_text(text)
    build([tmp_path], tmp_path / "out", jobs=1)

    with read(tmp_path / "out") as archive:
        rows = archive.games.to_table(["first_color", "canon"]).to_pylist()
    assert [row["first_color"] for row in rows] == ["B", "W", None]
    assert [row["canon"] is None for row in rows] == [False, False, True]


LETTERS = "abcdefghijklmnopqrs"


def turned(moves: str, turns: int, *, mirrored: bool) -> str:
    """Moves of Go after quarter turns, and then perhaps mirrored."""
    points = [moves[at : at + 2] for at in range(0, len(moves), 2)]
    for _ in range(turns):
        points = [LETTERS[18 - LETTERS.index(one[1])] + one[0] for one in points]
    return "".join(point[::-1] if mirrored else point for point in points)


@pytest.mark.parametrize(
    ("turns", "mirrored"),
    one_in(8, [(turns, mirrored) for turns in (1, 2, 3, 0) for mirrored in (True, False)]),
)
def test_duplicates_and_openings_are_found_under_different_symmetries(
    tmp_path: Path, turns: int, *, mirrored: bool
) -> None:
    dice = random.Random(2)  # noqa: S311  # no secret
    points = [a + b for a in LETTERS for b in LETTERS]
    line = "".join(dice.sample(points, 40))
    # symmetric to itself up to its last moves: several symmetries make its beginning smallest
    ambiguous = "jjpddpddpp" + "".join(dice.sample(points, 30))
    for name, moves in {"line": line, "symmetric": ambiguous}.items():
        copy = turned(moves[:-10], turns, mirrored=mirrored)
        (tmp_path / f"{name}.sgf").write_text(written(moves))
        (tmp_path / f"{name} turned.sgf").write_text(written(copy))
    # a beginning of two unlike games
    short = turned(line[:50], turns, mirrored=mirrored)
    (tmp_path / "unlike.sgf").write_text(written(line[:50] + ambiguous[-20:]))
    (tmp_path / "unlike short.sgf").write_text(written(short))
    build([tmp_path], tmp_path / "out", jobs=1)

    with read(tmp_path / "out") as archive:
        groups = dupes(archive, ["prefix"]).table
        tree = openings(archive, 3).table
    found: dict[int, set[str]] = {}
    for row in groups.to_pylist():
        found.setdefault(row["group"], set()).add(Path(row["source"]).stem)
    assert sorted(map(sorted, found.values())) == [
        ["line", "line turned"],
        ["symmetric", "symmetric turned"],
    ]
    counts = dict(zip(tree["moves"].to_pylist(), tree["games"].to_pylist(), strict=True))
    assert counts["K10"] == counts["K10 Q16"] == counts["K10 Q16 D4"] == 2
    assert counts[""] == 6
