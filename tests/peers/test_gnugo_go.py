"""Real games of Go as gnugo plays them: stones, captures and legal moves.

gnugo knows a simple ko and no suicide, whatever RU says, and carries out no illegal move.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from support import corpus
from support.go_records import go_games, turns
from support.programs import program

from sgf_lark import BoardSize, Color, Point
from sgf_lark.games.go import GoState
from sgf_lark.positions.grid import hoshi

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgf_lark import GameTree

#: Moves from one look at all of the board to the next.
SPACING = 25


def answers(commands: list[str]) -> list[str]:
    """Gnugo's answer to each command; the names of points in order."""
    result = subprocess.run(  # noqa: S603  # a program on this machine
        [program("gnugo"), "--mode", "gtp"],
        input="\n".join([*commands, "quit\n"]),
        capture_output=True,
        text=True,
        check=True,
        timeout=900,
    )
    found = [answer.strip() for answer in result.stdout.split("\n\n")]
    return [f"{one[:1]} {' '.join(sorted(one[1:].split()))}".strip() for one in found]


def look(state: GoState) -> Iterator[tuple[str, str]]:
    """Ask for all stones, captures and legal moves; each with the answer that is expected."""
    names = state.coordinates
    for color in Color:
        who = color.name.lower()
        stones = sorted(names.name(one.point) for one in state.pieces() if one.color is color)
        legal = sorted(names.name(one) for one in state.moves(color) if isinstance(one, Point))
        yield f"list_stones {who}", " ".join(("=", *stones))
        yield f"all_legal {who}", " ".join(("=", *legal))
    yield "captures black", f"= {state.white_captured}"
    yield "captures white", f"= {state.black_captured}"


def dialogue(game: GameTree) -> Iterator[tuple[str, str]]:
    """Play the main line, up to setup within the game or to an illegal move.

    Stones are set up by playing them, up to the first one that would be a capture or suicide.
    """
    assert game.size is not None
    state = GoState(game.size)
    yield f"boardsize {game.size.columns}", "="
    for number, turn in enumerate(turns(game)):
        for point, color in turn.setup.items():
            if number or color is None:
                return
            state.play(point, color)
            yield f"play {color.name} {state.coordinates.name(point)}", "="
            if state.black_captured or state.white_captured:
                return
        if turn.move is not None:
            name = state.name_move(turn.move.value)
            verdict = state.judge(turn.move.value, turn.move.color)
            yield f"is_legal {turn.move.color.name} {name}", f"= {verdict.ok:d}"
            if not verdict:
                break
            state.play(turn.move.value, turn.move.color)
            yield f"play {turn.move.color.name} {name}", "="
        if number % SPACING == 0:
            yield from look(state)
    yield from look(state)


@pytest.mark.night
@pytest.mark.both_lanes
def test_gnugo_sees_the_stones_captures_and_legal_moves_of_real_games() -> None:
    said = [(name, *step) for name, game in go_games(every=20) for step in dialogue(game)]
    assert said or not corpus.names()

    found = answers([command for _, command, _ in said])

    for (name, command, expected), answer in zip(said, found[: len(said)], strict=True):
        assert answer == expected, (name, command)


def test_boards_have_the_dots_of_gnugo() -> None:
    sides = (5, *range(7, 20))  # of six lines, too, gnugo marks the third ones
    found = answers([word for side in sides for word in (f"boardsize {side}", "showboard")])

    for side, picture in zip(sides, found[1::2], strict=False):
        assert picture.split().count("+") == len(hoshi(BoardSize(side, side)))
