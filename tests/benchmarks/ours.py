"""Our side: steps of :mod:`.worker`.  The first one takes a path, others what was loaded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import sgf_lark
from sgf_lark import Collection, archive
from sgf_lark.core.schema.values import BoardSize
from sgf_lark.games.go import GoState
from sgf_lark.positions.grid import BLACK

#: A node as one text, or a bracket.
NODE = re.compile(r";[^][;()]*+(?:\[(?:[^]\\]|\\.)*+\][^][;()]*+)*+|[()]", re.DOTALL)


def load(path: str) -> Collection:
    """Load all games; ask for the number of their nodes, and the parent of each game's last one."""
    collection = sgf_lark.load(path, strict=False)
    for game in collection:
        assert len(game) > 0
        _ = game.nodes[-1].parent
    return collection


def judge(collection: Collection) -> Collection:
    """Ask for all findings."""
    assert collection.diagnostics is not None
    return collection


def load_strictly(path: str) -> Collection:
    """Load the games of a file without errors."""
    return sgf_lark.load(path)


def judge_and_look(path: str) -> list[Any]:
    """Ask for all findings of a check, each with its message, place and fix."""
    found = sgf_lark.load(path, strict=False, check=True).diagnostics
    return [(one.message, one.line, one.column, one.fix) for one in found]


def ask(collection: Collection) -> None:
    """Ask every node for the value of each of its properties."""
    for game in collection:
        for node in game:
            for name in node:
                node[name]


def read(collection: Collection) -> None:
    """Ask for every value of every property."""
    for game in collection:
        for node in game:
            for prop in node.properties:
                _ = prop.values


def move(collection: Collection) -> list[Any]:
    """Return color and point of each move of the main line of each game."""
    return [(move.color, move.point) for game in collection for move in game.moves]


def write(collection: Collection) -> str:
    """Return the text again."""
    return sgf_lark.dumps(collection)


def structure(path: str) -> list[int]:
    """Read games and their nodes, nothing judged."""
    return [len(game.nodes) for game in sgf_lark.load(path, strict=False, validate=False)]


def find_nodes(path: str) -> int:
    """Find nothing but one regular expression in the complete text."""
    return sum(1 for _ in NODE.finditer(Path(path).read_text("utf-8-sig", errors="replace")))


def play(path: str) -> int:
    """Play the moves of a file of :attr:`.texts.Texts.moves`."""
    board, color = GoState(BoardSize(19, 19)), BLACK
    known = [(row + 1) * 20 + column + 1 for row in range(19) for column in range(19)]
    for place in Path(path).read_bytes().split():
        board.play_cell(known[int(place)], color)
        color = 3 - color
    return board.number


def planes(path: str) -> list[Any]:
    """Return planes, players and moves of the main line of each game."""
    return [game.planes() for game in sgf_lark.load(path, strict=False)]


def stream(path: str, jobs: int = 1) -> int:
    """Take the examples of an archive of tables, or of a file, a batch after the other."""
    if Path(path).is_dir():
        with archive.read(path) as tables:
            return sum(len(part.moves) for part in archive.examples(tables, jobs=jobs))
    return sum(len(part.moves) for part in archive.examples(sgf_lark.load(path), jobs=jobs))


def stream_in_two(path: str) -> int:
    """Do the same in two processes, besides the one that takes the batches."""
    return stream(path, jobs=2)
