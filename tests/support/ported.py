"""Five programs that others show of their libraries, with this one: see tests/docs/test_ported.py.

The first four do what examples and documents of sgfmill do, the last one what sente's README does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import sgf_lark


def show_sgf_file(path: Path, move_number: int | None = None) -> str:
    """The board before a move of a game (sgfmill, examples/show_sgf.py: 22 lines)."""
    game = sgf_lark.load(path)[0]
    played = [node for node in game.main_line() if node.move is not None]
    last = played[-1] if move_number is None else played[max(0, move_number - 1)].parent
    return game.board(last).text("sgfmill")


def split_sgf_collection(path: Path) -> list[Path]:
    """A file for each game of a file (sgfmill, examples/split_sgf_collection.py: 20 lines)."""
    folder = path.with_name(f"{path.stem}_files")
    folder.mkdir()
    for number, game in enumerate(sgf_lark.load(path)):
        draft = game.edit()
        comment = str(game.root.get("C", ""))
        note = f"Split from {path.name} (game {number})"
        draft.set(draft.root, "C", f"{comment}\n\n{note}".strip())
        sgf_lark.dump(draft.done(), folder / f"{path.stem}_{number}{path.suffix}")
    return sorted(folder.iterdir())


def facts_and_moves(path: Path) -> Iterator[object]:
    """Winner, size, players and moves (sgfmill, documentation of sgf: 10 lines)."""
    game = sgf_lark.load(path)[0]
    yield game.info.result and game.info.result.winner
    yield game.size and game.size.columns
    yield from (game.info.black.name, game.info.white.name)
    yield from (move.point for move in game.moves)


def write_game(moves: Iterable[tuple[str, str, str | None]], path: Path) -> None:
    """A new game of moves and comments (sgfmill, documentation of sgf: 9 lines)."""
    draft = sgf_lark.GameTree.new(13).edit()
    for color, move, comment in moves:
        node = draft.play(move, color=color)
        if comment is not None:
            draft.set(node, "C", comment)
    sgf_lark.dump(draft.done(), path)


def play_branch_and_save(path: Path) -> list[list[str]]:
    """A game with two lines, saved, loaded, and walked along each (sente, README: 17 lines)."""
    draft = sgf_lark.GameTree.new(19, PB="Lee", PW="AlphaGo").edit()
    first = draft.play("D16")
    for move in ("Q16", "Q4"):
        draft.play(move)
    draft.play("C3", after=first)
    sgf_lark.dump(draft.done(), path)
    game = sgf_lark.load(path)[0]
    return [[str(move) for move in game.moves_to(leaf)] for leaf in game.leaves()]
