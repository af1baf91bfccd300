"""Read the games of a text: detect the format, parse, build and check each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sgf_lark.check.across_games import (
    Match,
    SeenKinds,
    check_match_length,
    check_with_earlier,
    note_differences,
    read_match_header,
)
from sgf_lark.check.between_games import check_between_games, report_no_game
from sgf_lark.check.check_game import Suspects, check_game
from sgf_lark.check.consequences import Context, Fragments, cuts_off, settle_findings
from sgf_lark.check.typed_reader import typed_reader
from sgf_lark.diagnostics.finding import Finding, Severity
from sgf_lark.diagnostics.limits import MAX_ALIKE, FindingLimit
from sgf_lark.grammar.loader import File
from sgf_lark.grammar.tokens import GameSpan, RawToken, tokenize
from sgf_lark.model.collection import GameTree
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.ruleset import RuleSets, find_board_size
from sgf_lark.model.tape import VALUE, Tape
from sgf_lark.places import LineIndex, Span
from sgf_lark.read.build import keep_info
from sgf_lark.read.detect_format import Choice, choose_format, guess_by_tokens
from sgf_lark.read.parse import parse_game, parse_whole
from sgf_lark.read.repair import check_names
from sgf_lark.read.split import find_root_values, is_ggf, split_games
from sgf_lark.read.whole_games import Chosen, ReadGame, WholeGames
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.properties import SKIP_LOWER_CASE, PropertyTable, capitals
from sgf_lark.values.dialect import Dialect, Shape

if TYPE_CHECKING:
    from sgf_lark.fix.place import SharedState


class ReadState:
    """The state of reading a file that can be read in parts.

    Args:
        table: The known properties.
        engine: The engine that reads the values.
        dialect: The dialect of a custom grammar.
        most: Limit of findings of one kind in a game; None for none.
        by_game: Each game has its own limit; if not, they share one.
        validate: Judge the games; if not, only the repair of a broken one has findings.
        info_only: Leave out the nodes after the game info.

    Attributes:
        is_later: A game is judged when somebody asks for its findings, if that changes nothing.
        more: The file may go on after the end of this part.
        is_part: The part ends where a game does, and findings of the part are not yielded before
            all of it is read.
        begun, done: Start and end of the last game that was read in this part, in characters; a
            broken text may become several games.
        ggf: The games are GGF; None until this is known.
        number: Number of games read.
    """

    def __init__(
        self,
        table: PropertyTable,
        engine: Engine,
        dialect: Dialect | None = None,
        most: int | None = MAX_ALIKE,
        *,
        by_game: bool = True,
        validate: bool = True,
        info_only: bool = False,
    ) -> None:
        self.validate = validate
        self.info_only = info_only
        self.is_later = False
        self.book = RuleSets(table, engine, dialect)
        by_itself = dialect is not None and dialect.shape is Shape.OWN
        #: The custom grammar, if only that can split a text.
        self.own = self.book.own if by_itself else None
        self.more = False
        self.is_part = False
        self.begun = self.done = 0
        self.ggf: bool | None = None
        self.number = 0
        self.match: Match | None = None
        self.reported = False  # something about a text without any game
        self.fragments = Fragments()
        self.kinds = SeenKinds(set(), set())
        self.limit = FindingLimit(most, by_game=by_game)

    @property
    def cannot_wait(self) -> bool:
        """Findings about a game are yielded with it, whatever follows."""
        return self.more and not self.is_part

    def knows_kind(self, text: str, format: Format | None) -> bool:
        """Return whether it is known if the games are GGF; more text may be needed for it."""
        if self.ggf is None:
            self.ggf = reads_as_ggf(text, format, self.book.dialect, more=self.more)
        return self.ggf is not None

    def count(self, game: GameTree | None = None) -> None:
        """Count one game; keep the first of a pair for the checks of the second."""
        self.number += 1
        match = self.match
        if match is not None:
            first = game if match.is_pair and match.seen == 0 else match.first
            self.match = match._replace(seen=match.seen + 1, first=first)

    def go_on(self, lines: LineIndex) -> None:
        """Go on to the next part, which begins at the end of the last game."""
        match, done = self.match, self.done
        if match is not None and done:
            start, end = match.span
            at = match.at or lines.places(Span(start + lines.start, end + lines.start))
            self.match = match._replace(span=Span(start - done, end - done), at=at)
        self.limit.go_on(done, lines)
        self.done = 0


def read_games(
    text: str,
    format: Format | None,
    table: PropertyTable,
    engine: Engine = Engine.AUTO,
    strict_rules: frozenset[str] | None = None,
    dialect: Dialect | None = None,
    state: ReadState | None = None,
) -> Iterator[tuple[GameTree | None, list[Finding]]]:
    """Read the games of a text in order, each with the findings before and in it.

    Args:
        text: Any text.
        format: The format to read; None to detect it, game by game.
        table: The known properties.
        engine: The engine that parses.
        strict_rules: Names of the strict rules to check; None for no check of the game's rules.
        dialect: The dialect of a custom grammar.
        state: The state of reading, if the text is a part of a file.

    Yields:
        A game and its findings; None for findings outside games, the last of them for the text
        after the last game.
    """
    state = state or ReadState(table, engine, dialect)
    parts = read_parts(text, format, state)
    for game, judge in judge_parts(text, parts, state, strict_rules):
        yield game, judge()


class ReadPart(NamedTuple):
    """A part of a text that was read: what is in no game, and the games in brackets after it.

    Attributes:
        before: The text in no game.
        span: The brackets; None after the last game.
        games: The games; none if nothing is left of a broken one.
        mended: The findings of the repair.
        format: The format of what was repaired, even if no game is left of it.
    """

    before: GameSpan
    span: GameSpan | None
    games: list[ReadGame]
    mended: list[Finding]
    format: Format | None = None


def read_parts(text: str, format: Format | None, state: ReadState) -> Iterator[ReadPart]:
    """Read the games of a text, and judge nothing."""
    if state.own is not None:
        yield _read_whole(text, format, state, state.own)
        return
    if not state.knows_kind(text, format):
        return
    before, ggf = GameSpan(0, 0, is_game=False), bool(state.ggf)
    whole = WholeGames(text, format, state.book, partial(typed_reader, lints=False), ggf=ggf)
    end_of = partial(whole.end_of_head, more=state.more) if state.info_only else whole.end_of
    for span in split_games(text, ggf=ggf, more=state.more, end_of=end_of):
        if not span.is_game:
            before = span
        elif whole.game is not None:
            yield ReadPart(before, span, [whole.game], [])
        else:
            yield ReadPart(before, span, *_mended(text, span, format, state, ggf=ggf))
        if span.is_game:
            before = GameSpan(span.end, span.end, is_game=False)
    if not state.more:
        yield ReadPart(before, None, [], [])


#: Returns findings; each time the same.
Judge: TypeAlias = Callable[[], list[Finding]]


def judge_parts(
    text: str, parts: Iterable[ReadPart], state: ReadState, strict_rules: frozenset[str] | None
) -> Iterator[tuple[GameTree | None, Judge]]:
    """Judge what was read of a text, part by part; yield functions that return the findings.

    If the state allows it, a game is judged when its function is called.
    """
    if state.own is not None:
        yield from _judge_whole(text, parts, state, strict_rules)
        return
    fragments = state.fragments
    fragments.read(text)
    for before, span, reads, repairs, format_of_repair in parts:
        if span is None:
            kept = fragments.remaining(_check_after(text, before, state))
            fixable = _fixed_later(text, None, state.limit.kept(kept))
            yield None, _judged(fixable + state.limit.rest(outside=True))
            return
        format_ = reads[0].nodes.rules.format if reads else format_of_repair
        mended = repairs
        if reads and reads[0].is_whole and reads[0].has_wrong_names():
            mended = check_names(reads[0].nodes, state.limit.most)
        findings = _check_before(text, before, state, format_)
        state.begun, state.done = span.start, span.end
        if not reads:
            state.reported = state.reported or bool(mended)
            kept = fragments.remaining([*findings, *mended], more=state.cannot_wait)
            yield None, _judged(_fixed_later(text, None, state.limit.kept(kept)))
        findings += [finding._replace(game=state.number) for finding in mended]
        for read in reads:
            game = GameTree.of(read.nodes)
            judge = _judge(text, span, read, game, findings, mended, state, strict_rules)
            findings = []
            yield GameTree.of(head_of(read)) if state.info_only else game, judge
            state.count(game)


def head_of(read: ReadGame) -> Nodes:
    """Return the nodes of a game up to its game info."""
    nodes = keep_info(read.nodes)
    nodes.is_complete = nodes.is_complete and not read.is_head
    return nodes


def _judged(findings: list[Finding]) -> Judge:
    return lambda: findings


def _judge(
    text: str,
    span: GameSpan,
    read: ReadGame,
    game: GameTree,
    before: list[Finding],
    mended: list[Finding],
    state: ReadState,
    strict_rules: frozenset[str] | None,
) -> Judge:
    """Judge a game, if that is asked for; return a function that returns its findings.

    Args:
        text: The text.
        span: The brackets in which it is.
        read: The game as it was read.
        game: The game.
        before: Findings about what is before it, and those of its repair.
        mended: The findings of the repair of all games in its brackets.
        state: The state of reading.
        strict_rules: As for :func:`read_games`.
    """
    number, match, more = state.number, state.match, state.cannot_wait
    differences: list[Finding] = []
    if state.validate:
        differences += note_differences(game, number, state.kinds, read.chosen.choice)

    def judge(fragments: Fragments | None, limit: FindingLimit) -> list[Finding]:
        findings, is_whole = [*before], not state.validate
        if state.validate:
            suspects = _find_suspects(read, mended, state.book, lints=strict_rules is not None)
            most = None if cuts_off(mended) else limit.most
            findings += check_game(game, number, read.chosen.choice, strict_rules, suspects, most)
            findings += check_with_earlier(game, number, match, strict_rules)
            findings += differences
            is_whole = suspects is not None and not suspects.nodes
        if is_whole and not findings and strict_rules is None:
            waited = fragments.pass_whole(span.end, more=more) if fragments is not None else []
            return [*_fixed_later(text, None, waited), *limit.rest()]
        guessed = not read.chosen.choice.given
        context = Context(
            game, number, guessed, strict_rules, mended, span.end, fragments, limit, more
        )
        fixable = _fixed_later(text, game, settle_findings(findings, context), number)
        return [*fixable, *limit.rest()]

    if before or not (state.is_later and _is_independent(text, span, read, game, state.fragments)):
        return _judged(judge(state.fragments, state.limit))
    state.fragments.pass_whole(span.end, more=more)
    return lambda: judge(None, FindingLimit(state.limit.most))


def _is_independent(
    text: str, span: GameSpan, read: ReadGame, game: GameTree, fragments: Fragments
) -> bool:
    """Return whether a game has the same findings beside others, and changes none of theirs.

    Only one with a '[' in a value may hide a '(' of its text from the games after it.
    """
    return (
        read.is_whole
        and text.count("[", span.start, span.end) == read.nodes.tape.kinds.count(VALUE)
        and not fragments.concern(game)
    )


def _find_suspects(
    read: ReadGame, mended: list[Finding], book: RuleSets, *, lints: bool
) -> Suspects | None:
    """Return the nodes of a game that may have findings; None for all nodes.

    Lark has read those that are neither valid as they are nor mended.
    """
    if not read.is_whole and (not mended or book.engine is Engine.LARK or book.own is not None):
        return None
    rules, size = read.nodes.rules, read.chosen.size
    if not read.is_whole:
        size = find_board_size(read.nodes.contents[0], rules.game)
    typed = typed_reader(rules, size, lints=lints)
    if read.suspects is None:
        read.suspects = typed.suspects(read.nodes.tape)
    return Suspects(read.suspects, typed)


def may_have_errors(text: str, parts: Iterable[ReadPart], state: ReadState) -> bool:
    """Return False if the games of a text, and the text between them, surely have no errors."""
    if state.own is not None or not state.validate:
        return True
    number = 0
    for before, _, reads, mended, _ in parts:
        if mended or (not text[before.start : before.end].isspace() and before.end > before.start):
            return True
        for read in reads:
            if not read.is_whole or read.has_wrong_names():
                return True
            suspects, choice = _find_suspects(read, [], state.book, lints=False), read.chosen.choice
            game = GameTree.of(read.nodes)
            found = check_game(game, number, choice, None, suspects, errors_only=True)
            if any(finding.severity is Severity.ERROR for finding in found):
                return True
            number += 1
    return not number


def _fixed_later(
    text: str, game: GameTree | None, findings: list[Finding], number: int = 0
) -> list[Finding]:
    """Return findings that get their fixes when somebody looks: no fixer is imported before."""
    mine = [finding for finding in findings if finding.game in {None, number}]
    if len(mine) < len(findings) and game is not None:  # the others had to wait
        earlier = [finding for finding in findings if finding.game not in {None, number}]
        return _fixed_later(text, None, earlier) + _fixed_later(text, game, mine, number)

    @cache
    def shared() -> SharedState:
        from sgf_lark.fix.place import SharedState

        return SharedState(text, game, findings)

    def add(finding: Finding) -> Finding:
        from sgf_lark.fix.registry import add_fix

        return add_fix(finding, shared())

    return [finding._replace(later=(*finding.later, add)) for finding in findings]


def _check_before(
    text: str, part: GameSpan, state: ReadState, format: Format | None
) -> list[Finding]:
    """Check the text before a game of a format; it may be the header of a match of GGF."""
    if part.end == part.start or not state.validate:
        return []
    count = read_match_header(text, part) if state.ggf else None
    if count is None:
        table, first = state.book.table, state.number == 0
        return check_between_games(text, part, table, first=first, before=format)
    findings = check_match_length(state.match)
    state.match = count
    return findings


def _check_after(text: str, part: GameSpan, state: ReadState) -> list[Finding]:
    """Check the text after the last game, and the number of games."""
    table, first = state.book.table, state.number == 0
    if first and not state.reported:
        return [report_no_game(text, table), *check_match_length(state.match)]
    if not state.validate:
        return []
    findings = check_between_games(text, part, table, first=first, before=None)
    return findings + check_match_length(state.match)


def _mended(
    text: str,
    span: GameSpan,
    format: Format | None,
    state: ReadState,
    *,
    ggf: bool,
) -> tuple[list[ReadGame], list[Finding], Format]:
    """Parse a game that may have syntax errors; return it with the findings of the repair.

    There may be none, of some format.  Of several games in one pair of brackets, each has its own
    format and game.
    """
    book, tokens = state.book, list(tokenize(text, span.start, span.end, ggf=ggf))
    if ggf:
        format = format or Format.GGF
    chosen = _choose_rules(text, tokens, format, book)
    rules = chosen.rules
    most = state.limit.most
    parsed, mended = parse_game(text, tokens, span, rules.format, book.engine, book.own, most)
    if len(parsed) < 2 or book.own is not None:  # noqa: PLR2004  # a grammar of its own reads all
        return [_as_chosen(tape, chosen) for tape in parsed], mended, rules.format
    games: list[ReadGame] = []
    end = len(tokens)
    for tape in reversed(parsed):
        start = bisect_left(tokens, tape.start, key=_START)
        games.append(_as_chosen(tape, _choose_rules(text, tokens[start:end], format, book)))
        end = start
    return games[::-1], mended, games[-1].nodes.rules.format


def _as_chosen(tape: Tape, chosen: Chosen) -> ReadGame:
    return ReadGame(tape, lambda _: chosen)


_START = attrgetter("start")


def _choose_rules(
    text: str,
    tokens: list[RawToken],
    format: Format | None,
    book: RuleSets,
) -> Chosen:
    """Return the rule set that the tokens of a game declare, or the best one for them."""
    values = find_root_values(text, tokens)
    if format is not None:
        format_, choice = format, Choice(given=True)
    else:
        format_, choice = guess_by_tokens(text, tokens, values, book.usual)
    if format_ in SKIP_LOWER_CASE:
        values = find_root_values(text, tokens, format_)
    return Chosen(book.declared(format_, values), choice)


def reads_as_ggf(
    text: str, format: Format | None, dialect: Dialect | None, *, more: bool
) -> bool | None:
    """Return whether a text is split as GGF; None if only ``more`` text decides it."""
    if dialect is not None:
        return dialect.shape is Shape.GGF
    return format is Format.GGF or (format is None and is_ggf(text, more=more))


# ---- texts that only a custom grammar can split ----


def _read_whole(text: str, format: Format | None, state: ReadState, file: File) -> ReadPart:
    """Read the games of such a text; no finding if the grammar accepts it."""
    tapes, mismatch = parse_whole(text, file)
    games: list[ReadGame] = []
    for tape in tapes:
        values = {capitals(name): raws[0] for name, raws in reversed(tape.pairs(0)) if raws}
        format_ = format or choose_format(values.get("FF", "4"))
        rules = state.book.declared(format_, values)
        games.append(_as_chosen(tape, Chosen(rules, Choice(given=True))))
    nowhere = GameSpan(0, 0, is_game=False)
    return ReadPart(nowhere, GameSpan(0, len(text), is_game=True), games, mismatch)


def _judge_whole(
    text: str, parts: Iterable[ReadPart], state: ReadState, strict_rules: frozenset[str] | None
) -> Iterator[tuple[GameTree | None, Judge]]:
    """Judge the games of such a text, each by itself."""
    (part,), state.done = parts, len(text)
    for number, read in enumerate(part.games):
        game = GameTree.of(read.nodes)
        context = Context(game, number, asked=strict_rules, limit=state.limit)
        checked = (
            check_game(game, number, read.chosen.choice, strict_rules) if state.validate else []
        )
        findings = [*settle_findings(checked, context), *state.limit.rest()]
        yield GameTree.of(head_of(read)) if state.info_only else game, _judged(findings)
    yield None, _judged([*part.mended, *state.limit.rest(outside=True)])
