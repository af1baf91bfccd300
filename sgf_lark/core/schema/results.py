"""Results of games.

Sources: FF[4], RE; GGF, RE, where the text gives the score of the first color.
"""

from decimal import Decimal
from enum import StrEnum
from typing import Literal, TypeAlias

from .frozen import Model
from .points import Color


class Ending(StrEnum):
    """The end of a game that was not counted."""

    RESIGNATION = "resignation"
    TIME = "time"
    FORFEIT = "forfeit"
    DRAW = "draw"
    VOID = "void"
    UNKNOWN = "unknown"
    MUTUAL = "mutual"
    LEFT = "left"


#: The kinds of :attr:`Result.code`.
ResultCode: TypeAlias = Literal["win", "draw", "void", "unknown"]


class Result(Model):
    """The winner of a game, with the margin or the reason.

    ``str()`` is the result as people write it: ``B+R``, ``W+3.5``, ``Draw``, ``Void``, ``?``.

    Attributes:
        winner: None after a draw, or if there was no result.
        margin: Points, in the units of the game; None if nobody counted.
        ending: None after a counted win.
    """

    kind: Literal["result"] = "result"
    winner: Color | None
    margin: Decimal | None = None
    ending: Ending | None = None

    def __str__(self) -> str:
        if self.winner is None:
            words = {Ending.VOID: "Void", Ending.UNKNOWN: "?", None: "?"}
            return "Draw" if self.code == "draw" else words.get(self.ending, "Draw")
        margin = "" if self.margin is None else format(self.margin, "f")
        reasons = {Ending.RESIGNATION: "R", Ending.TIME: "T", Ending.FORFEIT: "F"}
        return f"{self.winner}+{margin}{reasons.get(self.ending or Ending.DRAW, '')}"

    @property
    def code(self) -> ResultCode:
        """The kind of result: ``win``, ``draw``, ``void`` (no result) or ``unknown``."""
        if self.winner is not None:
            return "win"
        if self.ending is Ending.DRAW or self.margin == 0:
            return "draw"
        return "void" if self.ending is Ending.VOID else "unknown"

    @property
    def outcome(self) -> Literal[1, 0, -1] | None:
        """1 if Black won, -1 if White won, 0 after a draw; None without a result."""
        if self.winner is not None:
            return 1 if self.winner is Color.BLACK else -1
        return 0 if self.code == "draw" else None

    @property
    def score(self) -> Decimal | None:
        """The margin in Black's view: 3.5 for ``B+3.5``, -3.5 for ``W+3.5``, 0 after a draw.

        In points, in the units of the game; in all formats, also in GGF, where the text gives the
        score of the first color.  None if nobody counted, or without a result.
        """
        outcome = self.outcome
        if outcome == 0:
            return Decimal(0)
        return None if outcome is None or self.margin is None else outcome * self.margin
