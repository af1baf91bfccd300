"""From a text to its games: which format each is read as, parsed, built and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sgf_lark.check.across_games import (
    Match,
    SeenKinds,
    check_match_length,
    check_with_earlier,
    note_differences,
    read_match_header,
)
from sgf_lark.check.between_games import nothing, outside
from sgf_lark.check.check_game import check_game
from sgf_lark.check.consequences import Context, Fragments, settled
from sgf_lark.check.prefilter import valid_values
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.diagnostics.limits import MAX_ALIKE, FindingLimit
from sgf_lark.fix.registry import with_fixes
from sgf_lark.grammar.loader import File
from sgf_lark.grammar.tokens import GameSpan
from sgf_lark.model.collection import GameTree
from sgf_lark.model.ruleset import RuleBook
from sgf_lark.positions import LineIndex, Span
from sgf_lark.read.build import (
    GgfTransformer,
    RawTransformer,
    SgfTransformer,
    game_tree,
    layout_of_game,
    layout_of_tree,
    read_properties,
)
from sgf_lark.read.detect_format import Choice, declared_format, guess_format
from sgf_lark.read.parse import parse_game, parse_whole
from sgf_lark.read.split import is_ggf, root_values, stretches
from sgf_lark.read.whole_games import Game, WholeGames, unknown
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.properties import PropertyTable, capitals
from sgf_lark.values.dialect import Dialect, Shape

#: Of so many characters the properties are remembered, where a file is read part by part.
REMEMBERED = 1 << 20


class Course:
    """How far the reading of a file has come, for one that is read part by part.

    Args:
        table: The properties to know.
        engine: What reads the values.
        dialect: A grammar of one's own.
        most: Findings of one kind that are listed of a game; None for all.

    Attributes:
        more: The text that is read may go on behind its end.
        done: Where the last game of that text ends that was read.
        ggf: The games are GGF; None as long as that is not known.
        number: How many games were read.
    """

    def __init__(
        self,
        table: PropertyTable,
        engine: Engine,
        dialect: Dialect | None = None,
        most: int | None = MAX_ALIKE,
    ) -> None:
        self._read = 0  # characters since the book is new
        self.book = RuleBook(table, engine, dialect)
        self.more = False
        self.done = 0
        self.ggf: bool | None = None
        self.number = 0
        self.match: Match | None = None
        self.said = False  # something about a text without any game
        self.fragments = Fragments()
        self.kinds = SeenKinds(set(), set())
        self.limit = FindingLimit(most)

    def stretches(
        self, text: str, format: Format | None, end_of: Callable[[int], int | None]
    ) -> Iterator[GameSpan]:
        """The games of the text; none as long as it is not known what they are.

        ``end_of`` may know where a game of SGF ends.
        """
        if self.ggf is None:
            self.ggf = _is_ggf(text, format, self.book.dialect, more=self.more)
        if self.ggf is not None:
            known = unknown if self.ggf else end_of
            yield from stretches(text, ggf=self.ggf, more=self.more, end_of=known)

    def count(self, game: GameTree | None = None) -> None:
        """Count one more game; the first of a pair is kept for the checks of the second."""
        self.number += 1
        match = self.match
        if match is not None:
            first = game if match.is_pair and match.seen == 0 else match.first
            self.match = match._replace(seen=match.seen + 1, first=first)

    def go_on(self, lines: LineIndex) -> None:
        """The next part begins where the last game has ended."""
        match, done = self.match, self.done
        if match is not None and done:
            start, end = match.span
            at = match.at or lines.places(Span(start + lines.start, end + lines.start))
            self.match = match._replace(span=Span(start - done, end - done), at=at)
        self.limit.go_on(done, lines)
        self._read += done
        if self._read > REMEMBERED:
            self._read = 0
            self.book.forget()
        self.done = 0


def read_games(
    text: str,
    format: Format | None,
    table: PropertyTable,
    engine: Engine = Engine.AUTO,
    asked: frozenset[str] | None = None,
    dialect: Dialect | None = None,
    course: Course | None = None,
) -> Iterator[tuple[GameTree | None, list[Finding]]]:
    """The games of a text in order, each with the findings before and in it.

    Args:
        text: Anything.
        format: What to read it as; None to see from the text, game by game.
        table: The properties to know.
        engine: What parses.
        asked: Names of the strict rules that somebody asks for.
        dialect: A grammar of one's own.
        course: If the text is a part of a file, how far that has been read.

    Yields:
        A game and its findings; None for findings without a game, the last of them for
        what stands behind the last game.
    """
    course = course or Course(table, engine, dialect)
    if dialect is not None and dialect.shape is Shape.OWN:
        return _read_whole(text, format, course, dialect.file, asked)
    return _read_apart(text, format, course, asked)


def _read_apart(
    text: str, format: Format | None, course: Course, asked: frozenset[str] | None
) -> Iterator[tuple[GameTree | None, list[Finding]]]:
    """The games of a text that are found one by one."""
    book, waiting = course.book, GameSpan(0, 0, is_game=False)
    whole = WholeGames(text, format, book, valid_values)
    fragments, kinds = course.fragments, course.kinds
    fragments.read(text)
    for stretch in course.stretches(text, format, whole.end_of):
        if not stretch.is_game:
            waiting = stretch
            continue
        ggf, mended = bool(course.ggf), list[Finding]()
        if whole.game is not None:
            rules, choice, parsed = whole.game
        else:
            (rules, choice, parsed), mended = _mended(text, stretch, format, book, ggf=ggf)
        count = read_match_header(text, waiting) if ggf else None
        if count is None:
            around = outside(
                text, waiting, book.table, first=course.number == 0, before=rules.format
            )
        else:
            around = check_match_length(course.match)
            course.match = count
        waiting = GameSpan(stretch.end, stretch.end, is_game=False)
        course.done = stretch.end
        if not parsed:
            course.said = course.said or bool(mended)
            kept = fragments.remaining([*around, *mended], more=course.more)
            yield None, with_fixes(text, None, course.limit.kept(kept))
            continue
        findings = [*around, *(finding._replace(game=course.number) for finding in mended)]
        for number, part in enumerate(parsed, course.number):
            layout = partial(layout_of_game, text, stretch, part.tokens, ggf, whole.cuts)
            game = game_tree(part.result, rules, layout)
            findings += check_game(game, number, choice, asked)
            findings += check_with_earlier(game, number, course.match, asked)
            findings += note_differences(game, number, kinds, choice)
            context = Context(
                game,
                number,
                not choice.given,
                asked,
                mended,
                stretch.end,
                fragments,
                course.limit,
                course.more,
            )
            fixable = with_fixes(text, game, settled(findings, context))
            yield game, fixable + course.limit.rest()
            findings = []
            course.count(game)
    if not course.more:
        rest = outside(text, waiting, book.table, first=course.number == 0, before=None)
        if course.number == 0 and not course.said:
            rest = [nothing(text, book.table)]
        kept = fragments.remaining(rest + check_match_length(course.match))
        fixable = with_fixes(text, None, course.limit.kept(kept))
        yield None, fixable + course.limit.rest(outside=True)


def _mended(
    text: str, stretch: GameSpan, format: Format | None, book: RuleBook, *, ggf: bool
) -> tuple[Game, list[Finding]]:
    """A game that may have faults in its syntax, and what had to be mended."""
    values = root_values(text, stretch, ggf=ggf)
    if ggf or format is not None:
        one, choice = format or Format.GGF, Choice(given=True)
    else:
        one, choice = guess_format(text, stretch, values, book.usual, valid_values)
    rules = book.declared(one, values)
    transformer = GgfTransformer(rules) if ggf else SgfTransformer(rules)
    parsed, mended = parse_game(text, stretch, one, transformer, book.engine, book.own)
    return Game(rules, choice, parsed), mended


def _is_ggf(
    text: str, format: Format | None, dialect: Dialect | None, *, more: bool
) -> bool | None:
    """The games of a text are cut as those of GGF are; None if ``more`` text has to tell."""
    if dialect is not None:
        return dialect.shape is Shape.GGF
    return format is Format.GGF or (format is None and is_ggf(text, more=more))


def _read_whole(
    text: str,
    format: Format | None,
    course: Course,
    file: File,
    asked: frozenset[str] | None,
) -> Iterator[tuple[GameTree | None, list[Finding]]]:
    """The games of a text that only a grammar of one's own can cut."""
    book, course.done = course.book, len(text)
    branches, findings = parse_whole(text, file, RawTransformer(), book.engine)
    for number, branch in enumerate(branches or ()):
        root = dict(reversed([(capitals(name), raw) for name, raw in branch[0][0]]))
        values = {name: raw[0] for name, raw in root.items() if raw}
        one = format or declared_format(values.get("FF", "4"))
        rules = book.declared(one, values)
        read_properties(branch, rules)
        game = game_tree(branch, rules, partial(layout_of_tree, text, file, number))
        context = Context(game, number, asked=asked, limit=course.limit)
        kept = settled(check_game(game, number, Choice(given=True), asked), context)
        yield game, [*kept, *course.limit.rest()]
    yield None, findings


# ---- the games of a file together ----


# ---- which format, which game ----
