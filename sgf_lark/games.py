"""The games of the standards: number, name, grammar, usual board, and what their values mean.

Source: the FF[4] property page for GM; the numbers' names are spelled as there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lark import Token

from .transformers import Children, ValueTransformer
from .values import PASS, BoardSize, Pass, Point


def letters(text: str) -> int:
    """A column or row in letters, from 0: a..z are 0..25, A..Z are 26..51."""
    return ord(text) - (ord("a") if text.islower() else ord("A") - 26)


class GoValues(ValueTransformer):
    """Values of games/go.lark."""

    def COORDINATE(self, token: Token) -> int:
        return letters(token)

    COORDINATE_TO_S = COORDINATE

    def point(self, children: Children) -> Point:
        column, row = children
        return Point(column, row)

    def passing(self, _: Children) -> Pass:
        return PASS


@dataclass(frozen=True, eq=False)
class Game:
    """A game of the standards.

    Attributes:
        number: GM in SGF; None for a game of GGF that has no number there.
        name: As the standard spells it.
        grammar: File in ``games/`` without its suffix; None: nobody described the values.
        values: The transformer for that grammar.
        size: Board where SZ is missing; None where the standard gives none.
        expected: For each start symbol of the grammar, what it is, in words, for a
            message such as "expected a point such as 'pd'".
    """

    number: int | None
    name: str
    grammar: str | None = None
    values: ValueTransformer | None = None
    size: BoardSize | None = None
    expected: Mapping[str, str] = field(default_factory=dict)


_GO = {"point": "a point such as 'pd'", "stone": "a point such as 'pd'", "move": "a point such as 'pd', or nothing for a pass"}
_GO_BEFORE_FF4 = "a point such as 'pd', or 'tt' for a pass"

#: By GM number, as the FF[4] pages list them.
GAMES: dict[int, Game] = {
    game.number: game
    for game in (
        Game(1, "Go", "go", GoValues(), BoardSize(19, 19), _GO),
        Game(2, "Othello"),
    )
    if game.number is not None
}
