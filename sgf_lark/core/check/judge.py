"""Judge the games of a file: each by itself, then beside those before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TypeAlias

from sgf_lark.core import late
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.findings.limits import FindingLimit
from sgf_lark.core.grammar.tokens import GameSpan
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.ruleset import RuleSets, find_board_size
from sgf_lark.core.model.tape import VALUE
from sgf_lark.core.places import LineIndex
from sgf_lark.core.read.games import GamesReader, ReadPart
from sgf_lark.core.read.tape_reader import allows
from sgf_lark.core.read.whole_games import ReadGame
from sgf_lark.core.schema.formats import Engine

from .across_games import FileFold, Match, Summary, check_match_length, read_match_header
from .check_game import Suspects, check_game
from .consequences import Context, cuts_off, settle_findings
from .outside_games import check_outside_games, report_no_game
from .suspects import suspect_finder

#: Returns findings; each time the same.
Find: TypeAlias = Callable[[], list[Finding]]


class FileJudge:
    """Judge of the games of a file, in their order.

    Args:
        limit: Of findings; that of the reader for each game, if None.
        asked: Names of the strict rules to check; None for no check of the game's rules.
        validate: Judge the games; if not, only the repair of a broken one has findings.
        is_part: The games are a piece of a file, which ends where one of them does.
        is_later: A game whose findings neither depend on those of others nor change them is
            judged when somebody asks for them.
    """

    def __init__(
        self,
        reader: GamesReader,
        limit: FindingLimit | None = None,
        *,
        asked: frozenset[str] | None = None,
        validate: bool = True,
        is_part: bool = False,
        is_later: bool = False,
    ) -> None:
        self.fold = FileFold(limit or FindingLimit(reader.most), asked, is_part=is_part)
        self.begun = self.done = 0
        self._reader, self._asked, self._validate = reader, asked, validate
        self._is_later = is_later
        self._has_reported = False  # something about a text without any game

    def judge(self, text: str, parts: Iterable[ReadPart]) -> Iterator[tuple[GameTree | None, Find]]:
        """Yield games, each with what returns its findings; None for findings outside games."""
        self.fold.fragments.text = text
        for part in parts:
            if self._reader.own is not None:
                yield from self._judge_own(text, part)
            elif part.span is None:
                found = self._check_after(text, part.before)
                found = _with_fixes(text, None, self.fold.limited(found))
                yield None, _known([*found, *self.fold.limit.rest(outside=True)])
            else:
                yield from self._judge_part(text, part, part.span)

    def judge_now(
        self, text: str, parts: Iterable[ReadPart]
    ) -> Iterator[tuple[GameTree | None, list[Finding]]]:
        for game, find in self.judge(text, parts):
            yield game, find()

    def go_on(self, lines: LineIndex) -> None:
        """Go on to the next text of the file, which begins at the end of the last game."""
        self.fold.go_on(self.done, lines)
        self.done = 0

    def _judge_part(
        self, text: str, part: ReadPart, span: GameSpan
    ) -> Iterator[tuple[GameTree | None, Find]]:
        header, between = self._check_before(text, part, span)
        self.begun, self.done = span.start, span.end
        if not part.games:
            self._has_reported = self._has_reported or bool(part.mended)
            found = [*self.fold.add(Summary(header=header)), *between, *part.mended]
            found = self.fold.limited(found, more=self._reader.more)
            yield None, _known(_with_fixes(text, None, found))
        for number, read in enumerate(part.games):
            game = GameTree.of(read.nodes)
            findings = [] if number else between
            find = self._judge_game(text, part, read, game, header, findings)
            yield (GameTree.of(self._reader.shown(read)) if self._reader.info_only else game), find
            header = None

    def _judge_game(
        self,
        text: str,
        part: ReadPart,
        read: ReadGame,
        game: GameTree,
        header: Match | None,
        between: list[Finding],
    ) -> Find:
        """Judge a game, now or when the function is called that this returns."""
        number, more, end = self.fold.number, self._reader.more, self.done
        beside = self.fold.add_game(game, header) if self._validate else self.fold.add(Summary(1))

        def find(fold: FileFold) -> list[Finding]:
            alone = self.judge_alone(text, part, read, game, number)
            place = Context(game, number).place
            findings = [*between, *alone, *beside]
            kept = fold.limited(findings, game, end, more=more, place=place)
            fixed = kept if self._reader.is_data else _with_fixes(text, game, kept, number)
            return [*fixed, *fold.limit.rest()]

        is_later = self._is_later and not between and not part.mended
        if not (is_later and self._is_independent(text, part, read, game)):
            return _known(find(self.fold))
        self.fold.fragments.pass_whole(end, more=more)
        return lambda: find(FileFold(FindingLimit(self._reader.most), self._asked))

    def judge_alone(
        self, text: str, part: ReadPart, read: ReadGame, game: GameTree, number: int
    ) -> list[Finding]:
        """Judge a game by itself: the result depends on no other of its file, or their order."""
        nodes, most = read.nodes, self._reader.most
        mended = part.mended
        has_wrong_names = read.is_whole and not allows(
            nodes.rules.file, {*nodes.tape.columns.names}
        )
        if has_wrong_names or mended:
            from sgf_lark.core.read.repair import check_names, in_game

            mended = check_names(text, nodes, most) if has_wrong_names else mended
            mended = [in_game(text, finding, part.games[0].nodes) for finding in mended]
        findings: list[Finding] = []
        if read is part.games[0]:
            findings += (finding._replace(game=number) for finding in mended)
        if self._validate:
            suspects = find_suspects(
                read, self._reader.book, is_mended=bool(mended), lints=self._asked is not None
            )
            limit = None if cuts_off(mended) else most
            findings += check_game(game, number, self._asked, suspects, limit)
        is_guessed = not nodes.chosen.is_given
        return settle_findings(findings, Context(game, number, is_guessed, self._asked, mended))

    def _is_independent(self, text: str, part: ReadPart, read: ReadGame, game: GameTree) -> bool:
        """Return whether a game has the same findings beside others, and changes none of theirs.

        Only one with a '[' in a value may hide a '(' of its text from the games after it.
        """
        return (
            read.is_whole
            and part.span is not None
            and text.count("[", *part.span[:2]) == read.nodes.tape.marks.count(VALUE)
            and not self.fold.fragments.concern(game)
        )

    def _check_before(
        self, text: str, part: ReadPart, span: GameSpan
    ) -> tuple[Match | None, list[Finding]]:
        before = part.before
        if before.end == before.start or not self._validate:
            return None, []
        header = read_match_header(text, before) if span.ggf else None
        if header is not None:
            return header, []
        format_ = part.games[0].nodes.rules.format if part.games else part.format
        table, first = self._reader.book.table, self.fold.number == 0
        return None, check_outside_games(text, before, table, first=first, before=format_)

    def _check_after(self, text: str, after: GameSpan) -> list[Finding]:
        fold, table = self.fold, self._reader.book.table
        first = fold.number == 0
        found: list[Finding] = []
        if first and not self._has_reported:
            found.append(report_no_game(text, table))
        elif self._validate and after.start < after.end:
            found += check_outside_games(text, after, table, first=first, before=None)
        if fold.match is not None and not fold.is_part:
            found += check_match_length(fold.match)
        return found

    def _judge_own(self, text: str, part: ReadPart) -> Iterator[tuple[GameTree | None, Find]]:
        """Judge the games of a text that only a custom grammar can split, each by itself."""
        self.done, limit = len(text), self.fold.limit
        for number, read in enumerate(part.games):
            game = GameTree.of(read.nodes)
            place = Context(game, number).place
            found = self.judge_alone(text, part._replace(mended=[]), read, game, number)
            kept = [*map(place, limit.kept(found, place)), *limit.rest()]
            yield GameTree.of(self._reader.shown(read)), _known(kept)
        yield None, _known([*part.mended, *limit.rest(outside=True)])


def _known(findings: list[Finding]) -> Find:
    return lambda: findings


def _with_fixes(
    text: str, game: GameTree | None, findings: list[Finding], number: int = 0
) -> list[Finding]:
    """Return findings that get their fixes when somebody looks: no fixer is imported before."""
    mine = [finding for finding in findings if finding.game in {None, number}]
    if len(mine) < len(findings) and game is not None:  # the others had to wait
        earlier = [finding for finding in findings if finding.game not in {None, number}]
        return _with_fixes(text, None, earlier) + _with_fixes(text, game, mine, number)

    @cache
    def shared() -> late.SharedState:
        return late.SharedState(text, game, findings)

    def add(finding: Finding) -> Finding:
        return late.add_fix(finding, shared())

    return [finding._replace(later=(*finding.later, add)) for finding in findings]


def find_suspects(
    read: ReadGame, book: RuleSets, *, is_mended: bool, lints: bool
) -> Suspects | None:
    """Return the nodes that may have findings; None for all, if Lark has read the game."""
    nodes = read.nodes
    size = nodes.chosen.size
    if not read.is_whole:
        if not is_mended or book.engine is Engine.LARK or book.custom is not None:
            return None
        size = find_board_size(nodes.contents[0], nodes.rules.game)
    finder = suspect_finder(nodes.rules, size, lints=lints)
    return Suspects(finder.suspects(nodes.tape), finder.accepts)
