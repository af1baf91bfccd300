"""Valid games: read as tapes, in the format that they declare or that suits them best."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias

from sgf_lark.core.grammar.tokens import split_values
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.ruleset import (
    ChosenRules,
    RuleSet,
    RuleSets,
    find_board_size,
    find_first_values,
)
from sgf_lark.core.model.tape import Tape, Values
from sgf_lark.core.schema.formats import Engine, Format
from sgf_lark.core.schema.properties import SKIP_LOWER_CASE, Category, ident_of
from sgf_lark.core.schema.values import BoardSize

from .detect_format import choose_format, guess_format
from .split import find_ends
from .tape_reader import TapeReader, allows, is_usual


class SuspectSearch(Protocol):
    """Tells which properties of a game may have findings."""

    def unclean(self, names: list[str], values: Sequence[Values]) -> set[tuple[str, Values]]:
        """Return the different properties that may have findings."""


#: Returns the finder for games that are read by a rule set, on a board of a size.
FindSuspects: TypeAlias = Callable[[RuleSet, BoardSize | None], SuspectSearch]


class ReadGame(NamedTuple):
    """A game that was read; ``has_more``: only the nodes up to the game info were."""

    nodes: Nodes
    is_whole: bool = False
    has_more: bool = False


class RulesChooser:
    """Chooses the format and the rule set of valid games."""

    def __init__(self, format: Format | None, book: RuleSets, finder: FindSuspects) -> None:
        self._format = format
        self._book = book
        self._finder = finder

    def choose(self, tape: Tape) -> ChosenRules:
        values = _root_values(tape, self._format)
        format_, is_given, reason = self._format, True, ""
        if format_ is None and "FF" in values:
            format_ = choose_format(values["FF"])
        if format_ is None:
            doubtful = partial(self._doubtful_properties, tape, values)
            format_, is_given, reason = guess_format(values, tape.names(), self._book, doubtful)
        if format_ in SKIP_LOWER_CASE and not "".join(dict(tape.said(0))).isupper():
            values = _root_values(tape, format_)
        rules, size = self._book.sized_once(format_, values)
        if format_ is Format.GGF:
            board = [rules.property(*pair) for pair in tape.pairs(0)]
            size = find_board_size(board, rules.game)
        return ChosenRules(rules, is_given, reason, size)

    def declared(self, tape: Tape) -> RuleSet | None:
        if not any(raws for _, raws in tape.pairs(0)):
            return None
        values, format_ = _root_values(tape, self._format), self._format
        if format_ is None and "FF" in values:
            format_ = choose_format(values["FF"])
        return None if format_ is None else self._book.declared(format_, values)

    def _doubtful_properties(
        self, tape: Tape, values: dict[str, str], format: Format
    ) -> Collection[tuple[str, str]]:
        rules, size = self._book.sized(format, values)
        names, texts = tape.columns.names, tape.columns.values
        said: Iterable[tuple[str, Values]] = dict.fromkeys(zip(names, texts))  # noqa: B905
        if allows(rules.file, {*names}):
            unclean = self._finder(rules, size).unclean(names, texts)
            said = filter(unclean.__contains__, said) if unclean else ()
        return {
            (name, raw): None
            for name, text in said
            for raw in (split_values(text) if isinstance(text, str) else text)
        }


class _Family(NamedTuple):
    """The way in which the valid games of a family, SGF or GGF, are read."""

    format: Format | None
    chooser: RulesChooser
    reader: TapeReader
    can_read: bool


class WholeGames:
    """Reader of the valid games of a text; all others are left to the repair."""

    def __init__(
        self, text: str, format: Format | None, book: RuleSets, finder: FindSuspects
    ) -> None:
        self._text = text
        self._format = format
        self._book = book
        self._finder = finder
        self._families: dict[bool, _Family] = {}
        self.game: ReadGame | None = None

    def _family(self, ggf: bool) -> _Family:  # noqa: FBT001  # as of a span
        family = self._families.get(ggf)
        if family is None:
            book, format_ = self._book, self._format
            format_ = Format.GGF if ggf and format_ is None else format_
            can_read = (
                book.engine is not Engine.LARK
                and (format_ is Format.GGF) is ggf
                and (book.custom is None or is_usual(book.custom))
            )
            chooser = RulesChooser(format_, book, self._finder)
            family = _Family(format_, chooser, TapeReader(self._text, ggf=ggf), can_read)
            self._families[ggf] = family
        return family

    def end_of(self, start: int, ggf: bool) -> int | None:  # noqa: FBT001  # as of a span
        """Read the game at ``start``, GGF or not; return its end, None if it is not valid."""
        self.game = None
        family = self._family(ggf)
        tape = family.reader.read(start) if family.can_read else None
        if tape is None:
            return None
        self.game = ReadGame(Nodes(tape, family.chooser.choose), is_whole=True)
        return tape.stop

    def end_past_info(self, start: int, ggf: bool, *, more: bool) -> int | None:  # noqa: FBT001  # as above
        """Read the game at ``start`` up to its game info; return its end, None if uncertain.

        Of the rest only brackets outside values are looked at.  A game is read to its end if it
        has no FF, because all of it decides its format, and if its first nodes have no game
        info or are broken.
        """
        first = None if ggf else self._first_nodes_at(start)
        if first is None:
            return self.end_of(start, ggf)
        tape, rules = first
        text = tape.text
        ends = find_ends(text, start, more)
        self.game = None
        if len(ends) != 1:
            return None
        rest = text[tape.stop : ends[0]].lstrip()
        has_more = not rest.startswith(")") or bool(rest.replace(")", " ").strip())
        self.game = ReadGame(Nodes(tape, rules), has_more=has_more)
        return ends[0]

    def _first_nodes_at(self, start: int) -> tuple[Tape, RuleSet] | None:
        _, chooser, reader, can_read = self._family(ggf=False)
        tape = reader.first_nodes(start) if can_read else None
        if tape is None:
            return None
        rules = chooser.declared(tape)
        if rules is None:
            return None
        for node in range(len(tape)):
            found = [rules.rule(rules.ident(name)) for name, _ in tape.pairs(node)]
            if any(rule is not None and rule.category is Category.GAME_INFO for rule in found):
                first = tape.first_nodes(node + 1)
                if reader.is_wrong(tape, node) or not allows(rules.file, first.names()):
                    return None
                return first, rules
        return None


def _root_values(tape: Tape, format: Format | None) -> dict[str, str]:
    """Return the first raw values that decide the rule set: of the first node, in GGF of any."""
    values: dict[str, str] = {}
    wanted = DECIDING & tape.names().keys() if format is Format.GGF else frozenset[str]()
    for node in range(len(tape)):
        for name, raws in tape.said(node):
            ident = name if name.isupper() else ident_of(name, format)
            if ident in DECIDING and ident not in values and raws:
                values[ident] = split_values(raws)[0] if isinstance(raws, str) else raws[0]
        if wanted <= values.keys():
            break
    if values or format is Format.GGF:
        return values
    nodes = ([(ident_of(name, format), raws) for name, raws in one if raws] for one in tape.each())
    return find_first_values(tape.parents, nodes)


#: Properties of the first node that decide the rule set; EV may name the game.
DECIDING = frozenset({"FF", "GM", "SZ", "EV"})
