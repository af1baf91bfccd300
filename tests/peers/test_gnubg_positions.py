"""GNU Backgammon sees the position that we see after each move of real games and our own."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from support import corpus
from support.programs import GAMES_PATH, program

import sgf_lark
from sgf_lark.core.schema.values import Action

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sgf_lark import Board, GameTree, Node

OWN = (
    "(;FF[4]GM[6]MI[length:0][game:0][ws:0][bs:0]RU[Jacoby];W[31hefe];B[62asag];W[double];B[take]"
    ";W[66mgmgxrxr];B[double];W[drop])"
)

#: What their reader has to know of a record.
READ = {"FF", "GM", "MI", "RU", "AB", "AW", "AE", "PL", "CV", "CO", "CP", "DI", "B", "W"}

#: Their answer to it ends that to the commands before.
MARKER = "show beavers"
ANSWER = re.compile(r".*beaver.*\n")


def games() -> Iterator[tuple[str, GameTree]]:
    for game in sgf_lark.loads(OWN):
        yield "own", game
    for which in corpus.names():
        if which.startswith("ff4-backgammon/"):
            for game in corpus.loaded(which):
                yield which, game


def up_to(game: GameTree, last: Node) -> str:
    """The record as far as a node, without what an analysis left in it."""
    text = ""
    for node in game.main_line():
        kept = [prop for prop in node.properties if prop.ident in READ]
        text += ";" + "".join(
            prop.ident + "".join(f"[{value}]" for value in prop.raw) for prop in kept
        )
        if node == last:
            break
    return f"({text})"


def position_id(board: Board) -> str:
    """In view of the side on roll: who doubled counts as that; both views after a drop."""
    side = board.to_play
    if side is None:
        return board.position_id("W") + board.position_id("B")
    doubled = board.last == Action(word="double")
    return board.position_id(side.opponent if doubled else side)


@pytest.mark.night
def test_gnubg_has_the_same_position_after_each_move(tmp_path: Path) -> None:
    gnubg = program("gnubg")
    wanted = [
        (name, game, node) for name, game in games() for node in game.main_line() if node.move
    ]
    commands = ["set automatic game off", "set automatic roll off", "set automatic move off"]
    commands += ["set confirm new off", "set player 0 human", "set player 1 human", MARKER]
    for number, (_, game, node) in enumerate(wanted):
        (tmp_path / f"{number}.sgf").write_text(up_to(game, node), encoding="utf-8")
        commands += [f"load match {number}.sgf", "next", MARKER, "show board", MARKER]
    (tmp_path / "commands").write_text("\n".join(commands) + "\n", encoding="ascii")

    result = subprocess.run(  # noqa: S603  # a program on this machine
        [gnubg, "-t", "-q", "-r", "-c", "commands"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": GAMES_PATH},
        timeout=300,
    )

    answers = ANSWER.split(result.stdout)[2::2]
    for (name, _, node), answer in zip(wanted, answers, strict=False):
        found = re.search(r"Position ID: (\S{14})", answer)
        assert found is not None, (name, node.path)
        assert node.board is not None
        assert found[1] in position_id(node.board), (name, node.path)
    assert len(answers) >= len(wanted) >= 7
