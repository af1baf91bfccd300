"""Read the games of a text: detect the format, parse, build and check each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sgf_lark.check.across_games import (
    FileFold,
    Match,
    Summary,
    check_match_length,
    read_match_header,
)
from sgf_lark.check.between_games import check_between_games, holds_game, report_no_game
from sgf_lark.check.check_game import Suspects, check_game
from sgf_lark.check.consequences import Context, cuts_off, settle_findings
from sgf_lark.check.suspects import suspect_finder
from sgf_lark.findings.finding import Finding
from sgf_lark.findings.limits import MAX_ALIKE, FindingLimit
from sgf_lark.grammar.loader import File
from sgf_lark.grammar.tokens import GameSpan, RawToken, tokenize
from sgf_lark.model.collection import ROOT_INFO, GameTree
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import category
from sgf_lark.model.ruleset import RuleSet, RuleSets, find_board_size, find_first_values
from sgf_lark.model.tape import VALUE, Tape
from sgf_lark.places import LineIndex
from sgf_lark.read.detect_format import Choice, choose_format, guess_by_tokens
from sgf_lark.read.split import find_root_values, split_games
from sgf_lark.read.whole_games import Chosen, ReadGame, WholeGames
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.properties import SKIP_LOWER_CASE, Category, PropertyTable, capitals
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
        asked: Names of the strict rules to check; None for no check of the game's rules.
        validate: Judge the games; if not, only the repair of a broken one has findings.
        info_only: Leave out the nodes after the game info.
        is_part: The games are a piece of a file, which ends where one of them does; findings of
            the piece are not yielded before all of it is read.

    Attributes:
        is_later: A game is judged when somebody asks for its findings, if that changes nothing.
        more: The file may go on after the end of this part; then findings about a game are yielded
            with it, whatever follows.
        begun, done: Start and end of the last game that was read in this part, in characters; a
            broken text may become several games.
        holds_game: Brackets are games, and not those of another text; None until this is known.
        name: The name of the file; see :func:`.undeclared_game`.
        fold: What the games have to do with one another.
    """

    def __init__(
        self,
        table: PropertyTable,
        engine: Engine = Engine.AUTO,
        dialect: Dialect | None = None,
        most: int | None = MAX_ALIKE,
        *,
        by_game: bool = True,
        asked: frozenset[str] | None = None,
        validate: bool = True,
        info_only: bool = False,
        is_part: bool = False,
        name: str = "",
    ) -> None:
        self.asked = asked
        self.validate = validate
        self.info_only = info_only
        self.is_later = False
        self.book = RuleSets(table, engine, dialect, name)
        by_itself = dialect is not None and dialect.shape is Shape.OWN
        #: The custom grammar, if only that can split a text.
        self.own = self.book.own if by_itself else None
        self.more = False
        self.begun = self.done = 0
        self.holds_game: bool | None = None
        self.reported = False  # something about a text without any game
        self.fold = FileFold(FindingLimit(most, by_game=by_game), asked, is_part=is_part)

    @property
    def most(self) -> int | None:
        """Limit of findings of one kind in a game; None for none."""
        return self.fold.limit.most

    def knows_kind(self, text: str) -> bool:
        """Return whether it is known if there are games; more text may be needed for it."""
        if self.holds_game is None:
            self.holds_game = holds_game(text, self.book.table, more=self.more)
        return self.holds_game is not None

    def go_on(self, lines: LineIndex) -> None:
        """Go on to the next part, which begins at the end of the last game."""
        self.fold.go_on(self.done, lines)
        self.done = 0


def read_games(
    text: str, format: Format | None, state: ReadState
) -> Iterator[tuple[GameTree | None, list[Finding]]]:
    """Read the games of a text in order, each with the findings before and in it.

    Args:
        text: Any text.
        format: The format to read; None to detect it, game by game.
        state: The state of reading.

    Yields:
        A game and its findings; None for findings outside games, the last of them for the text
        after the last game.
    """
    for game, judge in judge_parts(text, read_parts(text, format, state), state):
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
    if format is None and not state.knows_kind(text):
        return
    if state.holds_game is False:
        yield ReadPart(GameSpan(0, len(text), is_game=False), None, [], [])
        return
    before, ggf = GameSpan(0, 0, is_game=False), reads_as_ggf(format, state.book.dialect)
    whole = WholeGames(text, format, state.book, partial(suspect_finder, lints=False))
    end_of = partial(whole.end_of_head, more=state.more) if state.info_only else whole.end_of
    for span in split_games(text, ggf=ggf, more=state.more, end_of=end_of):
        if not span.is_game:
            before = span
        elif whole.game is not None:
            yield ReadPart(before, span, [whole.game], [])
        else:
            yield ReadPart(before, span, *_mended(text, span, format, state))
        if span.is_game:
            before = GameSpan(span.end, span.end, is_game=False)
    if not state.more:
        yield ReadPart(before, None, [], [])


#: Returns findings; each time the same.
Judge: TypeAlias = Callable[[], list[Finding]]


def judge_parts(
    text: str, parts: Iterable[ReadPart], state: ReadState
) -> Iterator[tuple[GameTree | None, Judge]]:
    """Judge what was read of a text, part by part; yield functions that return the findings.

    Each game is judged by itself; then the fold says what it has to do with those before it.
    If the state allows it, a game is judged when its function is called.
    """
    if state.own is not None:
        yield from _judge_whole(text, parts, state)
        return
    fold = state.fold
    fold.fragments.text = text
    for part in parts:
        if part.span is None:
            yield None, _judged(end_games(text, _check_after(text, part.before, state), state))
            return
        mended = _all_mended(text, part, state)
        header, between = _check_before(text, part, state)
        state.begun, state.done = part.span.start, part.span.end
        if not part.games:
            state.reported = state.reported or bool(mended)
            found = [*fold.add(Summary(header=header)), *between, *mended]
            kept = fold.limited(found, more=state.more)
            yield None, _judged(_fixed_later(text, None, kept))
        repairs = [finding._replace(game=fold.number) for finding in mended]
        for read in part.games:
            game = GameTree.of(read.nodes)
            judge = _judge(text, part, read, game, header, between, repairs, mended, state)
            header, between, repairs = None, [], []
            yield GameTree.of(head_of(read)) if state.info_only else game, judge


def end_games(text: str, findings: list[Finding], state: ReadState) -> list[Finding]:
    """Return findings about the text after the last game, and all that waited for them."""
    fold = state.fold
    return [*_fixed_later(text, None, fold.limited(findings)), *fold.limit.rest(outside=True)]


def _all_mended(text: str, part: ReadPart, state: ReadState) -> list[Finding]:
    """Return the findings of the repair of a part, or those about the names of a valid game."""
    reads, found = part.games, part.mended
    if not reads:
        return found
    has_wrong_names = reads[0].is_whole and reads[0].has_wrong_names()
    if not has_wrong_names and not found:
        return []
    from sgf_lark.read.repair import check_names, in_game

    nodes = reads[0].nodes
    found = check_names(text, nodes, state.most) if has_wrong_names else found
    return [in_game(text, finding, nodes) for finding in found]


def head_of(read: ReadGame) -> Nodes:
    """Return the nodes of a game up to the game info of its main line: without any, the root."""
    last = 0
    for node, content in enumerate(read.nodes.main_line()):
        has_info = any(category(prop) is Category.GAME_INFO for prop in content)
        if has_info or any(prop.ident in ROOT_INFO for prop in content):
            last = node
        if has_info:
            break
    nodes = read.nodes.head(last + 1)
    nodes.is_complete = nodes.is_complete and not read.is_head
    return nodes


def _judged(findings: list[Finding]) -> Judge:
    return lambda: findings


def _judge(
    text: str,
    part: ReadPart,
    read: ReadGame,
    game: GameTree,
    header: Match | None,
    between: list[Finding],
    repairs: list[Finding],
    mended: list[Finding],
    state: ReadState,
) -> Judge:
    """Judge a game, if that is asked for; return a function that returns its findings.

    Args:
        text: The text.
        part: The part in which it is.
        read: The game as it was read.
        game: The game.
        header: The number before it, if it is a GGF game.
        between: Findings about the text before it.
        repairs: The findings of its repair.
        mended: The findings of the repair of all games in its brackets.
        state: The state of reading.
    """
    fold, number, more, end = state.fold, state.fold.number, state.more, state.done
    if state.validate:
        beside = fold.add_game(game, read.chosen.choice, header)
    else:
        beside = fold.add(Summary(1))

    def judge(fold: FileFold) -> list[Finding]:
        alone, is_clean = judge_game(read, game, number, repairs, mended, state)
        findings = [*between, *alone, *beside]
        if is_clean and not findings and state.asked is None:
            kept = fold.fragments.pass_whole(end, more=more)
            return [*_fixed_later(text, None, kept), *fold.limit.rest()]
        place = Context(game, number).place
        kept = fold.limited(findings, game, end, more=more, place=place)
        return [*_fixed_later(text, game, kept, number), *fold.limit.rest()]

    is_alone = state.is_later and not between and not repairs
    if not (is_alone and _is_independent(text, part, read, game, fold)):
        return _judged(judge(fold))
    fold.fragments.pass_whole(end, more=more)
    return lambda: judge(FileFold(FindingLimit(state.most), state.asked))


def judge_game(
    read: ReadGame,
    game: GameTree,
    number: int,
    repairs: list[Finding],
    mended: list[Finding],
    state: ReadState,
) -> tuple[list[Finding], bool]:
    """Judge a game by itself; return its findings, and whether no node may have any.

    The result depends on the game alone: not on others of its file, or their order.
    """
    findings, choice, is_clean = [*repairs], read.chosen.choice, True
    if state.validate:
        suspects = _find_suspects(read, mended, state.book, lints=state.asked is not None)
        most = None if cuts_off(mended) else state.most
        findings += check_game(game, number, choice, state.asked, suspects, most)
        is_clean = suspects is not None and not suspects.nodes
    context = Context(game, number, not choice.given, state.asked, mended)
    return settle_findings(findings, context), is_clean


def _is_independent(
    text: str, part: ReadPart, read: ReadGame, game: GameTree, fold: FileFold
) -> bool:
    """Return whether a game has the same findings beside others, and changes none of theirs.

    Only one with a '[' in a value may hide a '(' of its text from the games after it.
    """
    return (
        read.is_whole
        and part.span is not None
        and text.count("[", *part.span[:2]) == read.nodes.tape.marks.count(VALUE)
        and not fold.fragments.concern(game)
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
    finder = suspect_finder(rules, size, lints=lints)
    return Suspects(finder.suspects(read.nodes.tape), finder)


def _fixed_later(
    text: str, game: GameTree | None, findings: list[Finding], number: int = 0
) -> list[Finding]:
    """Return findings that get their fixes when somebody looks: no fixer is imported before."""
    if not findings:
        return findings
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
    text: str, part: ReadPart, state: ReadState
) -> tuple[Match | None, list[Finding]]:
    """Check the text before a game; it may be the number before the games of a match of GGF."""
    before = part.before
    if before.end == before.start or not state.validate:
        return None, []
    header = read_match_header(text, before) if part.span is not None and part.span.ggf else None
    if header is not None:
        return header, []
    format_ = part.games[0].nodes.rules.format if part.games else part.format
    table, first = state.book.table, state.fold.number == 0
    return None, check_between_games(text, before, table, first=first, before=format_)


def _check_after(text: str, part: GameSpan, state: ReadState) -> list[Finding]:
    """Check the text after the last game, and the number of games."""
    fold, table = state.fold, state.book.table
    first = fold.number == 0
    found: list[Finding] = []
    if first and not state.reported:
        found.append(report_no_game(text, table))
    elif state.validate and part.start < part.end:
        found += check_between_games(text, part, table, first=first, before=None)
    if fold.match is not None and not fold.is_part:
        found += check_match_length(fold.match)
    return found


def _mended(
    text: str,
    span: GameSpan,
    format: Format | None,
    state: ReadState,
) -> tuple[list[ReadGame], list[Finding], Format]:
    """Parse a game that may have syntax errors; return it with the findings of the repair.

    There may be none, of some format.  Of several games in one pair of brackets, each has its own
    format and game.  What is left of a game declares them, as it does when it is written.
    """
    from sgf_lark.read.parse import parse_game

    book, tokens = state.book, list(tokenize(text, span.start, span.end, ggf=span.ggf))
    if span.ggf:
        format = format or Format.GGF
    chosen = _choose_rules(text, tokens, format, book)

    def parse(format_: Format) -> tuple[list[Tape], list[Finding]]:
        return parse_game(text, tokens, span, format_, book.engine, book.own, state.most)

    parsed, mended = parse(chosen.rules.format)
    if len(parsed) < 2 or book.own is not None:  # noqa: PLR2004  # a grammar of its own reads all
        declared = _declared_values(parsed[0], chosen.rules).get("FF") if parsed else None
        if format is None and declared and choose_format(declared) is not chosen.rules.format:
            chosen = _choose_rules(text, tokens, choose_format(declared), book)
            parsed, mended = parse(chosen.rules.format)
        return [_as_declared(tape, chosen, book) for tape in parsed], mended, chosen.rules.format
    games: list[ReadGame] = []
    end = len(tokens)
    for tape in reversed(parsed):
        start = bisect_left(tokens, tape.span.start, key=_START)
        chosen = _choose_rules(text, tokens[start:end], format, book)
        games.append(_as_declared(tape, chosen, book))
        end = start
    return games[::-1], mended, games[-1].nodes.rules.format


def _declared_values(tape: Tape, rules: RuleSet) -> dict[str, str]:
    """Return the values by which a game declares how it is read."""
    nodes = ([(rules.ident(name), raws) for name, raws in one if raws] for one in tape.each())
    return find_first_values(tape.parents, nodes, rules.format)


def _as_declared(tape: Tape, chosen: Chosen, book: RuleSets) -> ReadGame:
    """Return a game in the chosen format; the game is the one that its nodes declare."""
    rules = book.declared(chosen.rules.format, _declared_values(tape, chosen.rules))
    return _as_chosen(tape, chosen._replace(rules=rules))


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


def reads_as_ggf(format: Format | None, dialect: Dialect | None) -> bool | None:
    """Return whether games are split as GGF; None if each says so by itself."""
    if dialect is not None:
        return dialect.shape is Shape.GGF
    return None if format is None else format is Format.GGF


# ---- texts that only a custom grammar can split ----


def _read_whole(text: str, format: Format | None, state: ReadState, file: File) -> ReadPart:
    """Read the games of such a text; no finding if the grammar accepts it."""
    from sgf_lark.read.parse import parse_whole

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
    text: str, parts: Iterable[ReadPart], state: ReadState
) -> Iterator[tuple[GameTree | None, Judge]]:
    """Judge the games of such a text, each by itself."""
    (part,), state.done = parts, len(text)
    limit = state.fold.limit
    for number, read in enumerate(part.games):
        game = GameTree.of(read.nodes)
        findings, _ = judge_game(read, game, number, [], [], state)
        place = Context(game, number).place
        kept = [*map(place, limit.kept(findings, place)), *limit.rest()]
        yield GameTree.of(head_of(read)) if state.info_only else game, _judged(kept)
    yield None, _judged([*part.mended, *limit.rest(outside=True)])
