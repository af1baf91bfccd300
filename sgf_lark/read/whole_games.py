"""The fast path: valid games of SGF, read by events."""

from __future__ import annotations

from typing import NamedTuple

from sgf_lark.grammar.tokens import GameSpan
from sgf_lark.model.ruleset import RuleSet, RuleSets
from sgf_lark.schema.formats import Engine, Format

from .build import SgfTransformer
from .detect_format import Choice, ValidValues, choose_format, guess_format
from .parse import EventReader, ParsedGame
from .split import find_root_values


class ReadGame(NamedTuple):
    """A game that was read: its rule set, its format's reason, and the result.

    A broken game may become several, or none.
    """

    rules: RuleSet
    choice: Choice
    parsed: list[ParsedGame]


def unknown_end(_start: int) -> None:
    """Return None: the end of a game is not known yet."""


class WholeGames:
    """Reader of the valid games of a text of SGF; all others are left to the repair.

    Args:
        text: The text.
        format: The format to read; None to detect it, game by game.
        book: The rule sets of the file.
        valid_values: A quick test for valid values, which may help to guess the format.

    Attributes:
        game: The game that was asked for last; None if it is not valid.
    """

    def __init__(
        self,
        text: str,
        format: Format | None,
        book: RuleSets,
        valid_values: ValidValues | None = None,
    ) -> None:
        self._text = text
        self._format = format
        self._book = book
        self._valid_values = valid_values
        self._readers: dict[Format, EventReader] = {}
        self._last: tuple[RuleSet, EventReader] | None = None
        self.game: ReadGame | None = None

    @property
    def events(self) -> EventReader | None:
        """The reader that has read the game."""
        return self._last[1] if self._last is not None and self.game is not None else None

    def end_of(self, start: int) -> int | None:
        """Read the game at ``start``; return its end, None if it is not valid."""
        self.game = None
        if self._book.engine is Engine.LARK:
            return None
        values, choice = self._root_values(start), Choice(given=True)
        format_ = self._format
        if format_ is None and "FF" in values:
            format_ = choose_format(values["FF"])
        elif format_ is None:
            end = self._read(start, Format.FF1, values)
            if end is None:
                return None
            span = GameSpan(start, end, is_game=True)
            format_, choice = guess_format(self._text, span, values, self._book, self._valid_values)
        if self.game is None or self.game.rules.format is not format_:
            end = self._read(start, format_, values)
        if end is not None and self.game is not None:
            self.game = self.game._replace(choice=choice)
        return end

    def _root_values(self, start: int) -> dict[str, str]:
        """Return the values of the first node that decide the rule set, by identifier.

        The rule set of the game before reads them, if the format is the same.
        """
        rules, events = self._last or self._rules_and_events(self._format or Format.FF4, {})
        root = events.first_node(start)
        if root:
            content = rules.contents[root]
            values = {prop.ident: prop.raw[0] for prop in reversed(content) if prop.ident in KIND}
            if "FF" in values and choose_format(values["FF"]) is rules.format:
                return values
        return find_root_values(self._text, GameSpan(start, len(self._text), is_game=True))

    def _rules_and_events(
        self, format: Format, values: dict[str, str]
    ) -> tuple[RuleSet, EventReader]:
        """Return the rule set and the reader of a game with these root values."""
        rules = self._book.declared(format, values)
        events = self._readers.get(format)
        if events is None:
            events = self._readers[format] = EventReader(self._text, rules.file)
        if rules.contents.read is None:
            has_columns = rules.kind.columns is not None
            rules.contents.read = (
                rules.node if has_columns else events.reader(SgfTransformer(rules))
            )
        return rules, events

    def _read(self, start: int, format: Format, values: dict[str, str]) -> int | None:
        self.game = None
        self._last = rules, events = self._rules_and_events(format, values)
        parsed = events.game(start, SgfTransformer(rules))
        if parsed is None:
            return None
        result, end = parsed
        self.game = ReadGame(rules, Choice(given=True), [ParsedGame(result)])
        return end


#: Properties of the first node that decide the rule set; EV may name the game.
KIND = frozenset({"FF", "GM", "SZ", "EV"})
