"""From the text of one value to what it means: the right grammar, then its transformer.

Which grammar reads a type: the game's own if it defines it (``point``, ``move``, ``stone``
and special forms), else the format's.  In the game's grammar a name with a suffix comes
first: ``move_before_ff4`` in FF[1] and FF[3], ``move_over_19`` on a board with a longer
side, ``move_ggf`` in GGF.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput, VisitError

from . import grammars
from .games import Game
from .grammars import Format
from .transformers import GgfValues, SgfValues, ValueTransformer

#: What a type is, for a message: "expected ...".  A game's own words come first.
EXPECTED = {
    "none": "nothing between the brackets",
    "number": "a whole number such as 12",
    "real": "a number such as 6.5",
    "double": "1, or 2 for emphasis",
    "triple": "1, or 2 for emphasis",
    "color": "B or W",
    "point": "a point",
    "stone": "a stone",
    "move": "a move",
    "rectangle": "a rectangle such as 'aa:cc'",
    "compose": "two parts with ':' between",
    "result": "a result such as 'B+3.5', 'W+R' or '0'",
    "dates": "a date such as '1996-05-27'",
    "date": "a date such as '2004.09.18_05:54:38.MDT'",
    "time_limit": "a number of minutes",
    "clock": "a clock such as '15:00//02:00'",
    "board": "the size, the rows and the color to move",
    "played": "a move, and after '/' its evaluation and time",
}


class NotOfType(ValueError):  # noqa: N818  # an answer, not an error
    """A text is not a value of a type; the message is what was expected."""


class Reader:
    """Reads the values of one format and game.

    Args:
        format: The format version.
        game: Whose points and moves are meant.
        over_19: A side of the board is longer than 19, so that ``tt`` is a point of Go.
    """

    def __init__(self, format: Format, game: Game, *, over_19: bool = False) -> None:  # noqa: A002  # the standards' word
        self.format = format
        self.game = game
        self._file = grammars.path(format.grammar)
        self._values: ValueTransformer = GgfValues() if format is Format.GGF else SgfValues()
        if format is Format.GGF:
            self._suffix = "_ggf"
        elif format is not Format.FF4:
            self._suffix = "_before_ff4"
        else:
            self._suffix = "_over_19" if over_19 else ""
        self.read = lru_cache(maxsize=1 << 14)(self._read)

    def expected(self, kind: str) -> str:
        """What a type is, in words that fit behind "expected"."""
        words = self.game.expected
        return words.get(kind + self._suffix) or words.get(kind) or EXPECTED.get(kind, kind)

    @cache  # noqa: B019  # readers live as long as the program
    def _parser(self, kind: str) -> tuple[Lark, ValueTransformer]:
        if self.game.grammar is not None and self.game.values is not None:
            file = grammars.path(f"games/{self.game.grammar}")
            for name in dict.fromkeys((kind + self._suffix, kind)):
                parser = grammars.value(file, name)
                if parser is not None:
                    return parser, self.game.values
        parser = grammars.value(self._file, kind)
        if parser is None:
            raise LookupError(f"no grammar of {self.format} or {self.game.name} defines {kind!r}")
        return parser, self._values

    def _read(self, kind: str, text: str) -> Any:  # noqa: ANN401  # what a transformer returns
        """Read one text by one start symbol.

        Raises:
            NotOfType: The grammar refuses the text.
            LookupError: Neither grammar has such a symbol.
        """
        parser, transformer = self._parser(kind)
        try:
            return transformer.transform(parser.parse(text))
        except UnexpectedInput:
            raise NotOfType(self.expected(kind)) from None
        except VisitError as error:
            if not isinstance(error.orig_exc, ValueError):
                raise
            raise NotOfType(self.expected(kind)) from None


@cache
def reader(format: Format, game: Game, *, over_19: bool = False) -> Reader:  # noqa: A002
    """The reader for one format and game; the same one each time."""
    return Reader(format, game, over_19=over_19)
