"""The end of a game on its board: who has won and why, and what is counted.

A record may go on after it: the end makes no move illegal.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from sgf_lark.core import Action, Color, Ending, Result, Value


class GameEnd(NamedTuple):
    """The end of a game, as its board shows it; see :attr:`.Board.outcome`.

    Attributes:
        winner: None after a draw, and where the board does not tell: after two passes of Go the
            points are counted, and which stones are dead is a question for the players.
        reason: The words after the winner, such as "five in a line".
        points: What the winner gets; None where a win is a win.
        is_draw: Nobody has won.
    """

    winner: Color | None
    reason: str
    points: int | None = None
    is_draw: bool = False

    @property
    def words(self) -> tuple[str, str]:
        """Who has won, and the reason."""
        if self.winner is None:
            return "Draw" if self.is_draw else "Over", self.reason
        return f"{self.winner.name.capitalize()} wins", self.reason

    def __str__(self) -> str:
        return ": ".join(self.words)


class Score(NamedTuple):
    """The points of both sides; see :meth:`.Board.score`.

    >>> print(Score(Decimal(44), Decimal("43.5")))
    B+0.5
    """

    black: Decimal
    white: Decimal

    @property
    def margin(self) -> Decimal:
        """Black's points without White's: negative where White has more."""
        return self.black - self.white

    @property
    def winner(self) -> Color | None:
        """The side with more points; None for a draw."""
        return (Color.BLACK if self.margin > 0 else Color.WHITE) if self.margin else None

    def __str__(self) -> str:
        return f"{self.winner}+{abs(self.margin):f}" if self.winner else "Draw"


def given_up(last: Value | None, to_play: Color | None) -> GameEnd | None:
    """Return the end by a last move that is a word, as Hex and Lines of Action have them."""
    if isinstance(last, Action) and last.word in {"resign", "forfeit"}:
        return GameEnd(to_play, f"the other side {last.word}s")
    return None


#: The ways in which a game ends: after the winner, or alone.
ENDINGS = {
    Ending.RESIGNATION: "by resignation",
    Ending.TIME: "on time",
    Ending.FORFEIT: "by forfeit",
    Ending.LEFT: "because the opponent left",
    Ending.DRAW: "Draw",
    Ending.VOID: "No result",
    Ending.UNKNOWN: "Unknown",
    Ending.MUTUAL: "by agreement",
}


def words_of(result: Result) -> tuple[str, ...]:
    """Return the words for a result of a record, as a board shows them at the end.

    None where nobody knows it.
    """
    if result.winner is None:
        return () if result.ending in {None, Ending.UNKNOWN} else (ENDINGS[result.ending],)
    won = f"{result.winner.name.capitalize()} wins"
    if result.ending is not None:
        return won, ENDINGS[result.ending]
    return (won,) if result.margin is None else (won, str(result))
