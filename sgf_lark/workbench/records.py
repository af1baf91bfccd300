"""Random game records without errors: each value is of its type in the table.

Values are sentences of the grammars of their types (:mod:`sgf_lark.workbench.samples`).
Those that the checks report, such as a point off the board, are left out again.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from sgf_lark.core import (
    COLORS,
    Category,
    Count,
    File,
    Format,
    FormatName,
    Game,
    Group,
    PropertyRule,
    PropertyTable,
    by_grammar,
    check,
    reader,
)

from .patterns import Readable
from .samples import Sampler

#: Limit of a value in tokens.
_SHORT = 8

#: Limit of the passes that leave out reported values.
_TRIES = 20

#: Properties by which a record declares itself, or that change its reading.
_DECLARING = Group.DECLARES.idents | Group.BOARD.idents | {"AP", *COLORS}


class _Piece(NamedTuple):
    """A property of a record being made."""

    node: int
    text: str


def records(
    format: Format | FormatName = Format.FF4,
    game: Game | None = None,
    *,
    seed: int | str = 0,
    size: int = 40,
    table: PropertyTable | None = None,
    readable: bool = False,
) -> Iterator[str]:
    """Yield endless records without errors; the same ones for the same seed.

    Args:
        size: The approximate limit of a record in properties.
        readable: Values are of words and numbers, without escapes and rare characters.
    """
    maker = RecordSampler(Format(format.upper()), game, size=size, table=table)
    dice = (Readable if readable else Random)(seed)  # the same ones every time
    while True:
        yield maker.record(dice)


class RecordSampler:
    """A maker of records of one format and game; arguments as for :func:`records`."""

    def __init__(
        self,
        format: Format = Format.FF4,
        game: Game | None = None,
        *,
        size: int = 40,
        table: PropertyTable | None = None,
    ) -> None:
        from sgf_lark.core import GAMES, GameNumber

        self.format = format
        self.game = game or GAMES[GameNumber.OTHELLO if format is Format.GGF else GameNumber.GO]
        self.size = size
        self.table = table or PropertyTable.standard()
        self._reader = reader(format, self.game)
        number = self.game.number
        known = {
            rule.ident: self.table.find(format, number, rule.ident) or rule
            for rule in self.table
            if rule.format is format and rule.game in {None, number}
        }
        self._rules = {ident: rule for ident, rule in known.items() if "undefined" not in rule.type}

    def record(self, dice: Random) -> str:
        pieces = list(self._pieces(dice))
        for _ in range(_TRIES):
            text, starts = self._text(pieces)
            report = check(io.StringIO(text), format=self.format, table=self.table)
            wrong = {
                number
                for number, start in enumerate(starts)
                for error in report.errors
                if start <= error.offset < start + len(pieces[number].text)
            }
            if not report.errors:
                return text
            pieces = [piece for number, piece in enumerate(pieces) if number not in wrong]
        return self._text([])[0]

    def _text(self, pieces: list[_Piece]) -> tuple[str, list[int]]:
        ggf = self.format is Format.GGF
        head = f"GM[{self.game.name}]" if ggf else f"FF[{self.format.digit}]GM[{self.game.number}]"
        parts, starts = [f"(;{head}"], []
        at, node = len(parts[0]), 0
        for piece in pieces:
            if piece.node != node and not ggf:
                parts.append("\n;" if piece.node % 5 == 0 else ";")
                at += len(parts[-1])
            node = piece.node
            starts.append(at)
            parts.append(piece.text)
            at += len(piece.text)
        parts.append(";)" if ggf else ")")
        return "".join(parts), starts

    def _pieces(self, dice: Random) -> Iterator[_Piece]:
        left = dice.randint(1, self.size)
        node, color = 0, 0
        while left > 0:
            kinds = {Category.ROOT, Category.GAME_INFO, Category.NONE}
            idents: list[str] = []
            if node:
                moves = self.format is Format.GGF or dice.random() < 3 / 4
                kinds = {Category.MOVE, Category.NONE} if moves else {Category.SETUP, Category.NONE}
                if moves:
                    idents.append("BW"[color])
                    color = 1 - color
            likely = [rule.ident for rule in self._rules.values() if rule.category in kinds]
            likely = [ident for ident in likely if ident not in _DECLARING]
            few = dice.choice((0, 0, 1, 1, 2, 4)) if node else dice.choice((0, 2, 4, 8))
            idents += dice.sample(likely, min(few, len(likely)))
            for ident in dict.fromkeys(idents):
                text = self._property(self._rules[ident], dice)
                if text is not None:
                    yield _Piece(node, text)
            left -= max(1, len(idents))
            node += 1

    def _property(self, rule: PropertyRule, dice: Random) -> str | None:
        """Return a property with values of its type; None if no grammar has the type."""
        if rule.count is Count.ELIST and dice.random() < 1 / 4:
            return f"{rule.ident}[]"
        count = 1 if rule.count is Count.ONE else dice.choice((1, 1, 2, 3))
        values = [self._value(rule, dice) for _ in range(count)]
        if None in values:
            return None
        return rule.ident + "".join(f"[{value}]" for value in dict.fromkeys(values))

    def _value(self, rule: PropertyRule, dice: Random) -> str | None:
        kinds = (rule.form,) if rule.form else dice.choice(rule.types)
        parts = [self._sampled(kind, dice) for kind in kinds]
        return None if None in parts else ":".join(map(str, parts))

    def _sampled(self, kind: str, dice: Random) -> str | None:
        try:
            file, name, _ = self._reader.kind(kind).place
        except LookupError:
            return None
        return _sampler(file, name).sentence(dice)


@by_grammar
def _sampler(file: File, name: str) -> Sampler:
    return Sampler(file, name, size=_SHORT, fair=False)
