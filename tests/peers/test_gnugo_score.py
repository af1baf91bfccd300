"""GNU Go counts the games that it has played to the end; so does our board."""

from __future__ import annotations

import subprocess
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

import pytest
from support.programs import program

from sgf_lark import Board, Color

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

WAYS: dict[str, Literal["area", "territory"]] = {
    "--chinese-rules": "area",
    "--japanese-rules": "territory",
}


class Engine:
    """A dialogue with GNU Go."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603  # a program on this machine
            [program("gnugo"), "--mode", "gtp", "--level", "1", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, command: str) -> list[str]:
        """The words of an answer."""
        stdin, stdout = streams(self.process)
        stdin.write(f"{command}\n")
        stdin.flush()
        lines = iter(stdout.readline, "\n")
        return " ".join(lines).removeprefix("=").split()


def streams(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    found = Engine(request.param)
    yield found
    found.process.communicate("quit\n", timeout=60)


@pytest.mark.night
@pytest.mark.parametrize("engine", WAYS, indirect=True)
def test_a_finished_game_has_the_score_of_gnugo(
    engine: Engine, request: pytest.FixtureRequest
) -> None:
    way = WAYS[request.node.callspec.params["engine"]]
    margins = set()
    for seed in range(6):
        for command in ("boardsize 9", "clear_board", "komi 5.5", f"set_random_seed {seed}"):
            engine.ask(command)
        board, color = Board("Go", 9), Color.BLACK
        while not board.is_over:
            (move,) = engine.ask(f"genmove {color.name.lower()}")
            assert move in board.legal_moves()
            board, color = board.play(move), color.opponent
        score = board.score(way, komi=5.5, dead=engine.ask("final_status_list dead"))
        (theirs,) = engine.ask("final_score")
        assert f"{score.winner}+{abs(score.margin):.1f}" == theirs
        margins.add(score.margin)
    assert len(margins) > 1
    assert Decimal(0) not in margins
