"""Our side: what is done with a file.  Each function takes its path and returns the result."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from time import process_time
from typing import Any

import sgf_lark
from sgf_lark import Board, Collection, GameTree, archive
from sgf_lark.boards.games.go import GoState
from sgf_lark.boards.grid import BLACK
from sgf_lark.pictures.svg import draw_svg
from sgf_lark.schema.values import BoardSize

#: A node as one text, or a bracket.
NODE = re.compile(r";[^][;()]*+(?:\[(?:[^]\\]|\\.)*+\][^][;()]*+)*+|[()]", re.DOTALL)

#: The options of reading without judging.
UNJUDGED: dict[str, Any] = (
    {"validate": False} if "validate" in inspect.signature(sgf_lark.load).parameters else {}
)


def load(path: str) -> Collection:
    """All games, the number of their nodes, and the parent of each game's last one."""
    collection = sgf_lark.load(path, strict=False)
    for game in collection:
        assert len(game) > 0
        _ = game.nodes[-1].parent
    return collection


def load_and_judge(path: str) -> Collection:
    """All findings, too."""
    collection = load(path)
    assert collection.diagnostics is not None
    return collection


def load_strictly(path: str) -> Collection:
    """The games of a file without errors."""
    return sgf_lark.load(path)


def judge_and_look(path: str) -> list[Any]:
    """All findings of a check, each with its message, place and fix."""
    found = sgf_lark.load(path, strict=False, check=True).diagnostics
    return [(one.message, one.line, one.column, one.fix) for one in found]


def load_and_ask(path: str) -> None:
    """Ask every node for the value of each of its properties."""
    for game in load(path):
        for node in game:
            for name in node:
                node[name]


def load_and_read(path: str) -> None:
    """Every value of every property."""
    for game in load(path):
        for node in game:
            for prop in node.properties:
                _ = prop.values


def moves(game: GameTree) -> list[Any]:
    """Return colour and point of each move of the main line."""
    if hasattr(game, "moves"):
        return [(move.color, move.point) for move in game.moves]
    return [(node.move.color, node.move.point) for node in game.main_line() if node.move]


def load_and_move(path: str) -> list[Any]:
    """The moves of the main line of each game."""
    return [moves(game) for game in load(path)]


def load_and_write(path: str) -> str:
    """To text again."""
    return sgf_lark.dumps(load(path))


def structure(path: str) -> list[int]:
    """Games and their nodes, nothing judged."""
    return [len(game.nodes) for game in sgf_lark.load(path, strict=False, **UNJUDGED)]


def find_nodes(path: str) -> int:
    """Nothing but one regular expression over the whole text."""
    return sum(1 for _ in NODE.finditer(Path(path).read_text("utf-8-sig", errors="replace")))


def _cells(path: str) -> list[int]:
    """The cells of a file of :attr:`.texts.Texts.moves`, on a board of 19 by 19."""
    known = [(row + 1) * 20 + column + 1 for row in range(19) for column in range(19)]
    return [known[int(place)] for place in Path(path).read_bytes().split()]


def play(path: str) -> int:
    """Play the moves of a file of :attr:`.texts.Texts.moves`."""
    board, color = GoState(BoardSize(19, 19)), BLACK
    for cell in _cells(path):
        board.play_cell(cell, color)
        color = 3 - color
    return board.number


def play_and_list(path: str) -> int:
    """Play them, and list all legal moves after each."""
    state, color, moves = GoState(BoardSize(19, 19)), BLACK, 0
    board = Board.of(state)
    for cell in _cells(path):
        state.play_cell(cell, color)
        moves += len(board.legal_moves())
        color = 3 - color
    return moves


def planes(path: str) -> list[Any]:
    """Planes, players and moves of the main line of each game."""
    return [game.planes() for game in sgf_lark.load(path, strict=False)]


def stream(path: str, **options: Any) -> int:
    """The examples of an archive of tables, or of a file, a batch after the other."""
    if Path(path).is_dir():
        with archive.read(path) as tables:
            return sum(len(part.moves) for part in archive.examples(tables, **options))
    return sum(len(part.moves) for part in archive.examples(sgf_lark.load(path), **options))


def stream_in_two(path: str) -> int:
    """The same in two processes, besides the one that takes the batches."""
    return stream(path, jobs=2)


def stream_half(path: str) -> int:
    """What each of two processes does that take a half of the games."""
    return stream(path, split=(0, 0.5))


#: So often a game is gone through, after it was read once.
TIMES = 40


def go_through(path: str) -> int:
    """The positions of the main line of each game, many times."""
    numbers = 0
    for game in sgf_lark.load(path, strict=False):
        for _ in range(TIMES):
            for position in game.positions():
                numbers += position.number
    return numbers


def play_only(path: str) -> int:
    """Play the moves of the main line of each game as often, without its nodes."""
    numbers = 0
    for game in sgf_lark.load(path, strict=False):
        assert game.size is not None
        moves = [(move.value, move.color) for move in game.moves]
        for _ in range(TIMES):
            state = GoState(game.size)
            for move, color in moves:
                state.play(move, color)
                numbers += state.number
    return numbers


def draw(path: str) -> int:
    """Draw the board after the moves of a file of :attr:`.texts.Texts.moves` as SVG."""
    state, color = GoState(BoardSize(19, 19)), BLACK
    for cell in _cells(path):
        state.play_cell(cell, color)
        color = 3 - color
    return len(draw_svg(state.diagram()))


def wait(_: str) -> None:
    """Spend five milliseconds of processor time."""
    end = process_time() + 0.005
    while process_time() < end:
        pass
