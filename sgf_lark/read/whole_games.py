"""The fast path: games that are read whole."""

from __future__ import annotations

from typing import NamedTuple

from sgf_lark.grammar.tokens import GameSpan
from sgf_lark.model.ruleset import RuleBook, Rules
from sgf_lark.schema.formats import Engine, Format

from .build import SgfTransformer
from .detect_format import Choice, ValidValues, declared_format, guess_format
from .parse import Cuts, ParsedGame
from .split import root_values


class Game(NamedTuple):
    """What a game is read by, and what comes out: several games, or none, if it is broken."""

    rules: Rules
    choice: Choice
    parsed: list[ParsedGame]


def unknown(_start: int) -> None:
    """Where a game ends has to be found out."""


class WholeGames:
    """Reads games of SGF that are as their grammar wants them, and leaves all others alone.

    Attributes:
        game: The one that was asked for last; None if it has to be read otherwise.
    """

    def __init__(
        self,
        text: str,
        format: Format | None,
        book: RuleBook,
        valid_values: ValidValues | None = None,
    ) -> None:
        self._text = text
        self._format = format
        self._book = book
        self._valid_values = valid_values
        self._cuts: dict[Format, Cuts] = {}
        self._last: tuple[Rules, Cuts] | None = None
        self.game: Game | None = None

    @property
    def cuts(self) -> Cuts | None:
        """What has read the game."""
        return self._last[1] if self._last is not None and self.game is not None else None

    def end_of(self, start: int) -> int | None:
        """Read the game that begins at ``start``; where it ends, if it could be read."""
        self.game = None
        if self._book.engine is Engine.LARK:
            return None
        values, choice = self._root_values(start), Choice(given=True)
        one = self._format
        if one is None and "FF" in values:
            one = declared_format(values["FF"])
        elif one is None:
            end = self._read(start, Format.FF1, values)
            if end is None:
                return None
            stretch = GameSpan(start, end, is_game=True)
            one, choice = guess_format(self._text, stretch, values, self._book, self._valid_values)
        if self.game is None or self.game.rules.format is not one:
            end = self._read(start, one, values)
        if end is not None and self.game is not None:
            self.game = self.game._replace(choice=choice)
        return end

    def _root_values(self, start: int) -> dict[str, str]:
        """What the first node says about format, game and size.

        It is read by the rules of the game before, or those of FF[4], if it says the same about
        the format.
        """
        rules, cuts = self._last or self._means(self._format or Format.FF4, {})
        root = cuts.first_node(start)
        if root:
            content = rules.contents[root]
            values = {one.ident: one.raw[0] for one in reversed(content) if one.ident in KIND}
            if "FF" in values and declared_format(values["FF"]) is rules.format:
                return values
        return root_values(self._text, GameSpan(start, len(self._text), is_game=True))

    def _means(self, format: Format, values: dict[str, str]) -> tuple[Rules, Cuts]:
        """What reads a game with such root values."""
        rules = self._book.declared(format, values)
        cuts = self._cuts.get(format)
        if cuts is None:
            cuts = self._cuts[format] = Cuts(self._text, rules.file)
        if rules.contents.read is None:
            has_columns = rules.kind.columns is not None
            rules.contents.read = rules.node if has_columns else cuts.reader(SgfTransformer(rules))
        return rules, cuts

    def _read(self, start: int, format: Format, values: dict[str, str]) -> int | None:
        self.game = None
        self._last = rules, cuts = self._means(format, values)
        found = cuts.game(start, SgfTransformer(rules))
        if found is None:
            return None
        result, end = found
        self.game = Game(rules, Choice(given=True), [ParsedGame(result)])
        return end


#: Properties of the first node that say how the others are read; EV may name the game.
KIND = frozenset({"FF", "GM", "SZ", "EV"})
