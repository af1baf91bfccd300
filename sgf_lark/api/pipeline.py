"""From a text to its games: which format each is read as, parsed, built and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from lark import Token

from sgf_lark.check.between_games import Fragments, beside, nothing, outside
from sgf_lark.check.check_game import Choice, check_game
from sgf_lark.check.games.ggf import pair_rules
from sgf_lark.check.prefilter import sieve_of
from sgf_lark.check.producers import explained
from sgf_lark.diagnostics.diagnostic import Edit, Finding, Fix, shorten
from sgf_lark.diagnostics.limits import MAX_ALIKE, FindingLimit
from sgf_lark.diagnostics.rules import RULES, Severity
from sgf_lark.fix.registry import with_fixes
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File
from sgf_lark.grammar.tokens import Scrap, Stretch, name_pattern, scraps
from sgf_lark.model.collection import GameTree
from sgf_lark.model.constraints import rules_for
from sgf_lark.model.property import COLORS
from sgf_lark.model.ruleset import RuleBook, Rules, declared_game, declared_number
from sgf_lark.model.spans import Layout, Outlined
from sgf_lark.positions import LineIndex, Position, Span
from sgf_lark.read.build import (
    GgfTransformer,
    RawTransformer,
    SgfTransformer,
    game_tree,
    read_properties,
)
from sgf_lark.read.parse import (
    Cuts,
    ParsedGame,
    is_ggf,
    parse_game,
    parse_whole,
    root_values,
    stretches,
)
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.games import Game
from sgf_lark.schema.properties import PropertyTable, capitals
from sgf_lark.values.dialect import Dialect, Shape

#: The formats by what FF says.
FORMATS = {1: Format.FF1, 2: Format.FF1, 3: Format.FF3, 4: Format.FF4}


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
        self.match: _Match | None = None
        self.said = False  # something about a text without any game
        self.fragments = Fragments()
        self.kinds = _Kinds(set(), set())
        self.limit = FindingLimit(most)

    def stretches(
        self, text: str, format: Format | None, end_of: Callable[[int], int | None]
    ) -> Iterator[Stretch]:
        """The games of the text; none as long as it is not known what they are.

        ``end_of`` may know where a game of SGF ends.
        """
        if self.ggf is None:
            self.ggf = _is_ggf(text, format, self.book.dialect, more=self.more)
        if self.ggf is not None:
            known = _unknown if self.ggf else end_of
            yield from stretches(text, ggf=self.ggf, more=self.more, end_of=known)

    def count(self) -> None:
        """One more game was read."""
        self.number += 1
        if self.match is not None:
            self.match = self.match._replace(seen=self.match.seen + 1)

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
    book, waiting = course.book, Stretch(0, 0, is_game=False)
    whole = _WholeGames(text, format, book)
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
        count = _count(text, waiting) if ggf else None
        if count is None:
            around = outside(
                text, waiting, book.table, first=course.number == 0, before=rules.format
            )
        else:
            around = _end_of_match(course.match)
            course.match = count
        waiting = Stretch(stretch.end, stretch.end, is_game=False)
        course.done = stretch.end
        if not parsed:
            course.said = course.said or bool(mended)
            kept = fragments.remaining([*around, *mended], more=course.more)
            yield None, with_fixes(text, None, course.limit.kept(kept))
            continue
        findings = [*around, *(finding._replace(game=course.number) for finding in mended)]
        for number, part in enumerate(parsed, course.number):
            layout = partial(_layout, text, stretch, part.tokens, ggf, whole.cuts)
            game = game_tree(part.result, rules, layout)
            findings = [
                *explained(game, findings),
                *beside(mended, check_game(game, number, choice, asked), game),
                *_together(game, number, course, asked),
                *_differences(game, number, kinds, choice),
            ]
            kept = fragments.remaining(findings, game, stretch.end, more=course.more)
            fixable = with_fixes(text, game, course.limit.kept(kept))
            yield game, fixable + course.limit.rest()
            findings = []
            course.count()
    if not course.more:
        rest = outside(text, waiting, book.table, first=course.number == 0, before=None)
        if course.number == 0 and not course.said:
            rest = [nothing(text, book.table)]
        kept = fragments.remaining(rest + _end_of_match(course.match))
        fixable = with_fixes(text, None, course.limit.kept(kept))
        yield None, fixable + course.limit.rest(outside=True)


class _Game(NamedTuple):
    """What a game is read by, and what comes out: several games, or none, if it is broken."""

    rules: Rules
    choice: Choice
    parsed: list[ParsedGame]


def _mended(
    text: str, stretch: Stretch, format: Format | None, book: RuleBook, *, ggf: bool
) -> tuple[_Game, list[Finding]]:
    """A game that may have faults in its syntax, and what had to be mended."""
    values = root_values(text, stretch, ggf=ggf)
    if ggf or format is not None:
        one, choice = format or Format.GGF, Choice(given=True)
    else:
        one, choice = _format(text, stretch, values, book.usual)
    rules = book.declared(one, values)
    transformer = GgfTransformer(rules) if ggf else SgfTransformer(rules)
    parsed, mended = parse_game(text, stretch, one, transformer, book.engine, book.own)
    return _Game(rules, choice, parsed), mended


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
        one = format or _declared(values.get("FF", "4"))
        rules = book.declared(one, values)
        read_properties(branch, rules)
        game = game_tree(branch, rules, partial(_layout_of_tree, text, file, number))
        findings_of_game = course.limit.kept(check_game(game, number, Choice(given=True), asked))
        yield game, [*findings_of_game, *course.limit.rest()]
    yield None, findings


def _unknown(_start: int) -> None:
    """Where a game ends has to be found out."""


class _WholeGames:
    """Reads games of SGF that are as their grammar wants them, and leaves all others alone.

    Attributes:
        game: The one that was asked for last; None if it has to be read otherwise.
    """

    def __init__(self, text: str, format: Format | None, book: RuleBook) -> None:
        self._text = text
        self._format = format
        self._book = book
        self._cuts: dict[Format, Cuts] = {}
        self._last: tuple[Rules, Cuts] | None = None
        self.game: _Game | None = None

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
            one = _declared(values["FF"])
        elif one is None:
            end = self._read(start, Format.FF1, values)
            if end is None:
                return None
            stretch = Stretch(start, end, is_game=True)
            one, choice = _format(self._text, stretch, values, self._book)
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
            if "FF" in values and _declared(values["FF"]) is rules.format:
                return values
        return root_values(self._text, Stretch(start, len(self._text), is_game=True))

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
        self.game = _Game(rules, Choice(given=True), [ParsedGame(result)])
        return end


#: Properties of the first node that say how the others are read; EV may name the game.
KIND = frozenset({"FF", "GM", "SZ", "EV"})


# ---- the games of a file together ----


class _Kinds(NamedTuple):
    """The formats and the games that a file has had so far."""

    formats: set[Format]
    games: set[Game]


def _differences(game: GameTree, number: int, kinds: _Kinds, choice: Choice) -> Iterator[Finding]:
    """What sets a game apart from those before it; FF[4] allows it, and it is said once."""
    rules = game.nodes.rules
    if choice.given and rules.format not in kinds.formats:
        kinds.formats.add(rules.format)
        if len(kinds.formats) == 2:  # noqa: PLR2004  # the first that differs
            message = f"this game is {rules.format.shown}; those before it are not"
            yield _about(game, number, "different-formats", message)
    if rules.game not in kinds.games:
        kinds.games.add(rules.game)
        if len(kinds.games) == 2 and rules.game.name:  # noqa: PLR2004  # the first that differs
            message = f"this is a record of {rules.game.name}; those before it are not"
            yield _about(game, number, "different-games", message)


def _together(
    game: GameTree, number: int, course: Course, asked: frozenset[str] | None
) -> Iterator[Finding]:
    """What a game is to those before it: not the only one, or one of a synchro match."""
    if asked is None:
        return
    if number == 1 and not course.ggf and "several-games" in asked:
        yield _about(game, number, "several-games", "this is not the only game of its file")
    match = course.match
    if match is None or match.announced != 2:  # noqa: PLR2004  # a pair
        return
    if match.seen == 0:
        course.match = match._replace(first=game)
    elif match.seen == 1 and match.first is not None:
        for found in pair_rules(match.first, game):
            yield found._replace(game=number, move_number=0)


def _about(game: GameTree, number: int, name: str, message: str) -> Finding:
    start = game.nodes.places.node(0, 0)
    help_ = "many programs take all games of a file for what the first one is"
    return Finding(name, message, start, help_, game=number)


class _Match(NamedTuple):
    """A number before the games of a GGF archive: how many follow, and how many do."""

    announced: int
    span: Span
    seen: int = 0
    at: tuple[Position, Position] | None = None
    first: GameTree | None = None


def _count(text: str, stretch: Stretch) -> _Match | None:
    """The number that this text is; None if it is something else."""
    shown = text[stretch.start : stretch.end].strip()
    if not (shown.isascii() and shown.isdecimal()):
        return None
    start = text.index(shown, stretch.start)
    return _Match(int(shown[:9]), Span(start, start + len(shown)))


def _end_of_match(match: _Match | None) -> list[Finding]:
    if match is None or match.announced == match.seen:
        return []
    message = f"the number of games is {match.announced}, and {match.seen} follow"
    edit = Edit(offset=match.span.start, end_offset=match.span.end, replacement=str(match.seen))
    told = f"write {match.seen} for {match.announced}"
    fix = Fix(message=told, safe=False, edits=(edit,))  # games may be lost
    return [Finding("wrong-count", message, match.span, "correct the number", fix=fix, at=match.at)]


# ---- which format, which game ----


def format_of(text: str) -> Format:
    """What the first game of a text is read as."""
    ggf = bool(is_ggf(text))
    for stretch in stretches(text, ggf=ggf):
        if stretch.is_game and not ggf:
            values = root_values(text, stretch)
            return _format(text, stretch, values, RuleBook(PropertyTable.standard()))[0]
    return Format.GGF if ggf else Format.FF4


def _format(
    text: str, stretch: Stretch, values: dict[str, str], book: RuleBook
) -> tuple[Format, Choice]:
    """What FF says; without FF, the format in which least is wrong, the oldest of equals.

    What FF[4] alone has in the first node weighs more than values in another form than its own.

    Source: a game without FF is FF[1] (FF[4], property FF); most such files are not.
    """
    if "FF" in values:
        return _declared(values["FF"]), Choice(given=True)
    misfits: dict[Format, list[str]] = {}
    properties = _different(text, stretch)
    for one in (Format.FF1, Format.FF3, Format.FF4):
        misfits[one] = _misfits(properties, one, values, book)
        if not misfits[one]:
            break
    best = min(misfits, key=lambda one: (len(NEWEST & {*misfits[one]}), len(misfits[one])))
    better = [misfit for misfit in misfits[Format.FF1] if misfit not in misfits[best]]
    better.sort(key=lambda misfit: misfit not in NEWEST)  # what decided comes first
    return best, Choice(given=False, reason=better[0] if better else "")


#: Root properties that only FF[4] has.
NEWEST = frozenset({"AP", "CA", "ST"})


def _declared(value: str) -> Format:
    """The format that FF names; FF[4] for one that no standard defines."""
    return FORMATS.get(declared_number(value) or 0, Format.FF4)


def _different(text: str, stretch: Stretch) -> dict[tuple[str, str], None]:
    """The different properties of a part of the text: name and raw value, for each value."""
    name, found = "", dict[tuple[str, str], None]()
    for kind, start, end in scraps(text, stretch.start, stretch.end):
        if kind == "IDENT":
            name = text[start:end]
        elif kind == "PROP_VALUE" and name:
            found[name, text[start + 1 : end - 1]] = None
    return found


def _misfits(
    properties: Iterable[tuple[str, str]], format: Format, values: dict[str, str], book: RuleBook
) -> list[str]:
    """Those that a format does not have, or not with such a value.

    What no format has says nothing about the format.
    """
    rules = book.rules(format, declared_game(format, values))
    names = name_pattern(rules.file)
    sieve = sieve_of(rules.kind, lints=False)
    found = []
    for name, raw in properties:
        if sieve.passes_values(name, (raw,)) and names.fullmatch(name):
            continue
        one = rules.property(name, (raw,))
        if one.rule is None:
            elsewhere = book.table.elsewhere(format, one.ident)
            if any(rule.format is not Format.GGF for rule in elsewhere):
                found.append(name)
        elif names.fullmatch(name) is None or any(
            problem.name == "newer-form"
            or (problem.severity or RULES[problem.name].severity) is Severity.ERROR
            for problem in chain(one.problems, *(rule(one, rules) for rule in rules_for(one)))
        ):
            found.append(f"{name}[{shorten(raw)}]")
    return found


def _layout(
    text: str,
    stretch: Stretch,
    mended: list[Scrap] | None,
    ggf: bool,  # noqa: FBT001
    cuts: Cuts | None,
) -> Layout:
    """Where everything of a game stands; ``mended`` are its tokens, if it was broken."""
    if cuts is not None and not ggf:
        nodes = partial(cuts.nodes, stretch.start, stretch.end)
        return Outlined(partial(scraps, text), nodes, stretch.start, stretch.end)
    tokens = mended or scraps(text, stretch.start, stretch.end, ggf=ggf)
    return Layout.of_tokens(tokens, text, frozenset(COLORS) if ggf else frozenset())


def _layout_of_tree(text: str, file: File, number: int) -> Layout:
    """The same for a game that only a grammar of one's own can cut, from its parse tree."""
    layout = Layout()
    parser = grammars.experiment(file, grammars.first_rule(file))
    games = parser.parse(text).children
    waiting = [games[number]]
    while waiting:
        tree = waiting.pop()
        if isinstance(tree, Token):
            continue
        if tree.data == "property":
            name, *values = [token for token in tree.children if isinstance(token, Token)]
            layout.add_property(name.start_pos or 0)
            for value in values:
                layout.add_value((value.start_pos or 0) + 1, (value.end_pos or 0) - 1)
            continue
        if tree.data == "node":
            layout.add_node(tree.meta.start_pos)
        waiting.extend(reversed(tree.children))
    return layout
