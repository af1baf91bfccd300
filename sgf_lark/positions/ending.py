"""The end of a game on its board: who has won and why, and what is counted.

A record may go on after it: the end makes no move illegal.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from sgf_lark.core import Action, Color, Value


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

    def __str__(self) -> str:
        who = f"{self.winner.name.capitalize()} wins" if self.winner else "Draw"
        return f"{who if self.winner or self.is_draw else 'Over'}: {self.reason}"


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
