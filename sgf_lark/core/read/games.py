"""Read the games of a text: split it, read each game in its format, mend the broken ones."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.core import late
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.findings.limits import MAX_ALIKE
from sgf_lark.core.grammar.grammars import File
from sgf_lark.core.grammar.tokens import GameSpan, RawToken, tokenize
from sgf_lark.core.model.collection import ROOT_INFO
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.property import category
from sgf_lark.core.model.ruleset import ChosenRules, RuleSet, RuleSets, find_first_values
from sgf_lark.core.model.tape import Tape
from sgf_lark.core.schema.formats import ADDED, Engine, Format
from sgf_lark.core.schema.properties import SKIP_LOWER_CASE, Category, capitals
from sgf_lark.core.values.dialect import Dialect, Shape

from .detect_format import choose_format, guess_by_tokens
from .split import find_root_values, holds_game, split_games
from .whole_games import FindSuspects, ReadGame, WholeGames

if TYPE_CHECKING:
    from .build import StructureTransformer
    from .parse import Build


class ReadPart(NamedTuple):
    """A part of a text that was read: what is in no game, and the games in brackets after it.

    Attributes:
        span: The brackets; None after the last game.
        games: The games; none if nothing is left of a broken one.
        format: The format of what was repaired, even if no game is left of it.
    """

    before: GameSpan
    span: GameSpan | None
    games: list[ReadGame]
    mended: list[Finding]
    format: Format | None = None


class GamesReader:
    """Reader of the games of a file, whose text may come in parts; it judges nothing.

    Args:
        suspects: Returns the finder of suspects, by which the format of a game without FF is
            guessed.
        info_only: Of a valid game, only what is up to its game info is read.
        structure: The class that makes games of trees, if it is not the shipped one.

    Attributes:
        own: The custom grammar, if only that can split a text, or that of a record in another
            format.
        more: The file may go on after the end of this text.
    """

    def __init__(
        self,
        book: RuleSets,
        format: Format | None,
        suspects: FindSuspects,
        most: int | None = MAX_ALIKE,
        *,
        info_only: bool = False,
        structure: type[StructureTransformer] | None = None,
    ) -> None:
        self.book = book
        self.info_only = info_only
        self.structure = structure
        self.most = most
        self.own = book.custom if book.dialect and book.dialect.shape is Shape.OWN else None
        self.is_foreign = False
        self.more = False
        self._format = format
        self._suspects = suspects
        self._holds_game: bool | None = None  # None until this is known

    def read(self, text: str) -> Iterator[ReadPart]:
        if self._is_in_other_format(text) or self.own is not None:
            yield from self._read_whole(text)
            return
        if self._format is None and self._holds_game is None:
            self._holds_game = holds_game(text, self.book.table, more=self.more)
            if self._holds_game is None:
                return  # more text is needed
        before = GameSpan(0, 0, is_game=False)
        if self._holds_game is False:
            yield ReadPart(before._replace(end=len(text)), None, [], [])
            return
        whole = WholeGames(text, self._format, self.book, self._suspects)
        ggf = reads_as_ggf(self._format, self.book.dialect)
        for span in split_games(text, ggf=ggf, more=self.more, end_of=self._end_finder(whole)):
            if not span.is_game:
                before = span
                continue
            if whole.game is not None:  # `end_of` has left it there
                yield ReadPart(before, span, [whole.game], [])
            else:
                yield ReadPart(before, span, *self._mended(text, span))
            before = GameSpan(span.end, span.end, is_game=False)
        if not self.more:
            yield ReadPart(before, None, [], [])

    def _end_finder(self, whole: WholeGames) -> Callable[[int, bool], int | None]:
        if self.structure is not None:
            return lambda _start, _ggf: None  # Lark reads all of them
        if self.info_only:
            return partial(whole.end_past_info, more=self.more)
        return whole.end_of

    def shown(self, read: ReadGame) -> Nodes:
        """Return the nodes of a game that whoever reads it gets: all, or those up to its info."""
        if not self.info_only or self.is_data:
            return read.nodes
        last = 0
        for node, content in enumerate(read.nodes.main_line()):
            has_info = any(category(prop) is Category.GAME_INFO for prop in content)
            if has_info or any(prop.ident in ROOT_INFO for prop in content):
                last = node
            if has_info:
                break
        nodes = read.nodes.first_nodes(last + 1)
        nodes.is_complete = nodes.is_complete and not read.has_more
        return nodes

    # ---- broken games ----

    def _mended(self, text: str, span: GameSpan) -> tuple[list[ReadGame], list[Finding], Format]:
        """Parse a game with syntax errors: what is left, each in its own format, and findings."""
        tokens = list(tokenize(text, span.start, span.end, ggf=span.ggf))
        format_ = self._format or (Format.GGF if span.ggf else None)
        custom = self.book.custom
        chosen = self._choose(text, tokens, format_)
        parsed, mended = self._parse(text, tokens, span, chosen.rules)
        if len(parsed) < 2 or custom is not None:  # noqa: PLR2004  # a grammar of its own reads all
            declared = _declared_values(parsed[0], chosen.rules).get("FF") if parsed else None
            if format_ is None and declared and choose_format(declared) is not chosen.rules.format:
                chosen = self._choose(text, tokens, choose_format(declared))
                format_ = chosen.rules.format
                parsed, mended = self._parse(text, tokens, span, chosen.rules)
            return [self._declared(one, chosen) for one in parsed], mended, chosen.rules.format
        games: list[ReadGame] = []
        end = len(tokens)
        for tape in reversed(parsed):
            start = bisect_left(tokens, tape.span.start, key=_START)
            games.append(self._declared(tape, self._choose(text, tokens[start:end], format_)))
            end = start
        return games[::-1], mended, games[-1].nodes.rules.format

    def _parse(
        self, text: str, tokens: list[RawToken], span: GameSpan, rules: RuleSet
    ) -> tuple[list[Tape], list[Finding]]:
        custom = self.book.custom
        if custom is not None or self.book.engine is Engine.LARK or self.structure is not None:
            from .parse import parse_game

            build = self._builder(text, rules)
            return parse_game(text, tokens, span, rules.format, custom, self.most, build)
        from .mended import mend_game

        return mend_game(text, tokens, rules.format, self.most)

    def _builder(self, text: str, rules: RuleSet) -> Build | None:
        """Return what makes games of a tree of the format by another class than the shipped one."""
        if self.structure is None:
            return None
        from .build import GgfTransformer, transformed

        ggf = issubclass(self.structure, GgfTransformer)
        if self.own is None and ggf is not (rules.format is Format.GGF):
            return None
        return partial(transformed, text, kind=self.structure, rules=rules)

    def _choose(self, text: str, tokens: list[RawToken], format: Format | None) -> ChosenRules:
        values, is_given, reason = find_root_values(text, tokens), True, ""
        if format is None:
            format, is_given, reason = guess_by_tokens(text, tokens, values, self.book.usual)
        if format in SKIP_LOWER_CASE:
            values = find_root_values(text, tokens, format)
        return ChosenRules(self.book.declared(format, values), is_given, reason)

    def _declared(self, tape: Tape, chosen: ChosenRules) -> ReadGame:
        rules = self.book.declared(chosen.rules.format, _declared_values(tape, chosen.rules))
        return ReadGame(Nodes(tape, chosen._replace(rules=rules)))

    # ---- texts that are not split into games ----

    def _read_whole(self, text: str) -> Iterator[ReadPart]:
        if not self.is_foreign and self.own is not None:
            yield self._read_own(text, self.own)
        elif not self.more:
            yield self._read_foreign(text)

    def _is_in_other_format(self, text: str) -> bool:
        if self.own is None and self._format is None and self._holds_game is None:
            may_be = bool(ADDED) or not text.startswith("(")
            found = late.find_format(text) if may_be else None
            if found is not None:
                self.own, self.is_foreign = found.grammar, True
        return self.is_foreign

    @property
    def is_data(self) -> bool:
        """The games are as from data: their text is no SGF as they have it."""
        return self.is_foreign or self.structure is not None

    def _read_foreign(self, text: str) -> ReadPart:
        tapes, findings = late.read_foreign(text)
        games: list[ReadGame] = []
        for tape in tapes:
            values = {name: raws[0] for name, raws in reversed(tape.pairs(0)) if raws}
            games.append(ReadGame(Nodes(tape, self.book.declared(Format.FF4, values))))
        nowhere = GameSpan(0, 0, is_game=False)
        return ReadPart(nowhere, GameSpan(0, len(text), is_game=True), games, findings)

    def _read_own(self, text: str, file: File) -> ReadPart:
        """Read the games of such a text; no finding if the grammar accepts it."""
        from .parse import parse_whole

        build = self._builder(text, self.book.declared(self._format or Format.FF4, {}))
        tapes, mismatch = parse_whole(text, file, build)
        games: list[ReadGame] = []
        for tape in tapes:
            values = {capitals(name): raws[0] for name, raws in reversed(tape.pairs(0)) if raws}
            format_ = self._format or choose_format(values.get("FF", "4"))
            games.append(ReadGame(Nodes(tape, self.book.declared(format_, values))))
        nowhere = GameSpan(0, 0, is_game=False)
        return ReadPart(nowhere, GameSpan(0, len(text), is_game=True), games, mismatch)


_START = attrgetter("start")


def _declared_values(tape: Tape, rules: RuleSet) -> dict[str, str]:
    nodes = ([(rules.ident(name), raws) for name, raws in one if raws] for one in tape.each())
    return find_first_values(tape.parents, nodes, rules.format)


def reads_as_ggf(format: Format | None, dialect: Dialect | None) -> bool | None:
    """Return whether games are split as GGF; None if each says so by itself."""
    if dialect is not None and dialect.shape is not None:
        return dialect.shape is Shape.GGF
    return None if format is None else format is Format.GGF
