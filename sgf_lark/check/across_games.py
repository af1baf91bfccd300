"""Checks of a game beside those before it in its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sgf_lark.diagnostics.diagnostic import Edit, Fix
from sgf_lark.diagnostics.finding import Finding, Rule
from sgf_lark.diagnostics.rules import register
from sgf_lark.diagnostics.terminal import plural
from sgf_lark.grammar.tokens import GameSpan
from sgf_lark.model.collection import GameTree
from sgf_lark.places import LineColumn, Span
from sgf_lark.read.detect_format import Choice
from sgf_lark.schema.formats import Format

from .findings import place_finding

DIFFERENT_FORMATS = register("T212 different-formats info: games of one file in several formats")
DIFFERENT_GAMES = register("T213 different-games info: records of several games in one file")

#: Rules about a game whose format or kind differs from those before it.
DIFFERENT = {DIFFERENT_FORMATS, DIFFERENT_GAMES}


class SeenKinds(NamedTuple):
    """The formats and the games (number, name) that a file has had so far."""

    formats: set[Format]
    games: set[tuple[int | None, str]]

    def note(
        self, format: Format | None, number: int | None, name: str
    ) -> Iterator[tuple[Rule, str]]:
        """Note a game; yield the rule and the message if it is the first that differs.

        Args:
            format: Its format; None if nothing names it.
            number, name: What is played.
        """
        if format is not None and format not in self.formats:
            self.formats.add(format)
            if len(self.formats) == 2:  # noqa: PLR2004  # the first that differs
                yield DIFFERENT_FORMATS, f"this game is {format.shown}; those before it are not"
        if (number, name) not in self.games:
            self.games.add((number, name))
            if len(self.games) == 2 and name:  # noqa: PLR2004  # the first that differs
                yield DIFFERENT_GAMES, f"this is a record of {name}; those before it are not"


def note_differences(
    game: GameTree, number: int, kinds: SeenKinds, choice: Choice
) -> Iterator[Finding]:
    """Report the first game of another format or kind; FF[4] allows it."""
    rules = game.nodes.rules
    format_ = rules.format if choice.given else None
    for rule, message in kinds.note(format_, rules.game.number, rules.game.name):
        yield _about(game.nodes.places.node(0, 0), number, rule, message)


class FirstOfKind(NamedTuple):
    """The first game of a format or kind in a part of a file.

    Attributes:
        format: Its format; None if it is not the first of a format that it names.
        game: What is played: number and name.
        number: Its number in the file.
        place: Its first node.
        at: Where that begins and ends, if the text may be gone.
    """

    format: Format | None
    game: tuple[int | None, str]
    number: int
    place: Span
    at: tuple[LineColumn, LineColumn] | None = None


def report_differences(firsts: Iterable[FirstOfKind], kinds: SeenKinds) -> Iterator[Finding]:
    """Report what :func:`note_differences` does, for the first games of each kind.

    Args:
        firsts: These games.
        kinds: The kinds of the games before them.
    """
    for first in firsts:
        for rule, message in kinds.note(first.format, *first.game):
            yield _about(first.place, first.number, rule, message)._replace(at=first.at)


SEVERAL_GAMES = register("G600 several-games warning: more than one game in a file", strict=True)


def check_with_earlier(
    game: GameTree, number: int, match: Match | None, asked: frozenset[str] | None
) -> Iterator[Finding]:
    """Check a game against those before it: not the only one, or the second of a synchro match."""
    if asked is None:
        return
    if number == 1 and game.nodes.rules.format is not Format.GGF and SEVERAL_GAMES.name in asked:
        place = game.nodes.places.node(0, 0)
        yield _about(place, number, SEVERAL_GAMES, "the file has several games")
    if match is not None and match.is_pair and match.seen == 1 and match.first is not None:
        from sgf_lark.check.games.ggf import pair_rules

        for finding in pair_rules(match.first, game):
            placed = place_finding(finding, game.nodes, number).completed()
            yield placed._replace(move_number=0, node=None)


def _about(place: Span, number: int, rule: Rule, message: str) -> Finding:
    help_ = "many programs take all games of a file for what the first one is"
    return rule.found(message, place, help_, game=number)


class Match(NamedTuple):
    """The number before the games of a GGF archive: announced and seen games."""

    announced: int
    span: Span
    seen: int = 0
    at: tuple[LineColumn, LineColumn] | None = None
    first: GameTree | None = None

    @property
    def is_pair(self) -> bool:
        """The two games of a synchro match."""
        return self.announced == 2  # noqa: PLR2004  # a pair


def read_match_header(text: str, part: GameSpan) -> Match | None:
    """Return the number that this text is; None if it is something else."""
    header = text[part.start : part.end].strip()
    if not (header.isascii() and header.isdecimal()):
        return None
    start = text.index(header, part.start)
    return Match(int(header[:9]), Span(start, start + len(header)))


WRONG_COUNT = register("S115 wrong-count warning: a GGF count that does not match the games")


def check_match_length(match: Match | None) -> list[Finding]:
    if match is None or match.announced == match.seen:
        return []
    message = f"match header announces {plural(match.announced, 'game')}, but {match.seen} follow"
    edit = Edit(offset=match.span.start, end_offset=match.span.end, replacement=str(match.seen))
    help_ = f"write {match.seen} for {match.announced}"
    fix = Fix(message=help_, safe=False, edits=(edit,))  # games may be lost
    return [WRONG_COUNT.found(message, match.span, "correct the number", fix=fix, at=match.at)]
