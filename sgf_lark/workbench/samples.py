"""Random sentences of a grammar, and random records whose values are of the types of the table.

A sentence is made by replacing rules by one of their alternatives, from left to right, until
only terminals are left, and each terminal by a text that its pattern matches.  Alternatives
that were taken seldom are taken sooner, so that a few sentences show all of a grammar.  The
result is parsed, and thrown away if the grammar rejects it: two adjacent tokens may match
as one.  Of records, values that the checks report, such as a point off the board, are left out.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

from lark import Lark
from lark.exceptions import GrammarError, UnexpectedInput
from lark.grammar import NonTerminal, Rule, Symbol

from sgf_lark.core import (
    COLORS,
    Category,
    Count,
    File,
    Format,
    FormatName,
    Game,
    Group,
    LineIndex,
    Parser,
    PropertyRule,
    PropertyTable,
    by_grammar,
    check,
    grammars,
    reader,
)
from sgf_lark.workbench.source_text import experiment, loaded_for

from .parse_state import parse
from .patterns import FIRST, Chance, Readable, sample_text

#: The end of a text, and a character that is in hardly any terminal.
_END, _OTHER = "$END", "ANY_OTHER_CHARACTER"

#: The numbers of random texts of a terminal: those made, and the shortest, which are tried.
_MADE, _TRIED = 100, 8

#: Limit of the attempts at a sentence that the grammar accepts, or has a fault.
_TRIES = 200

#: The power of the uses of an alternative by which it is taken less: a sentence for each of 27 is
#: had of about 31 sentences, and of 54 with 1.
_FAIRNESS = 4

#: The height of a rule without a finite sentence.
_ENDLESS = 1 << 20


class Sampler:
    """A maker of sentences of a grammar (LookupError: the grammar has no such rule).

    Args:
        fair: Take sooner what was taken seldom; if not, a sentence depends on the dice alone.
    """

    def __init__(
        self,
        file: File,
        start: str | None = None,
        *,
        size: int = 40,
        fair: bool = True,
    ) -> None:
        self.fair = fair
        self.start = grammars.rule(file, start)
        self.size = size
        self._accepts = acceptance(file, self.start)
        loaded = grammars.grammar(file)
        self._free = self.start in grammars.in_structure(file)
        terminals, rules, ignored = loaded.compile([self.start], ())
        self._patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in terminals}
        self._ignored = [self._patterns[name] for name in ignored] if self._free else []
        plain = {name: sample_text(one, FIRST) for name, one in self._patterns.items()}
        #: The terminals that no readable text has: escapes and line breaks.
        self._rough = {
            name for name, text in plain.items() if "\\" in text or not text.isprintable()
        }
        self._ignores_spaces = any(re.fullmatch(pattern, " ") for pattern in self._ignored)
        self._rules: dict[Symbol, list[Rule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.origin, []).append(rule)
        self._heights = heights_of(self._rules)
        self.taken: Counter[Rule] = Counter()

    def sentence(self, dice: Chance) -> str | None:
        """Return a sentence; None if the grammar rejects all attempts."""
        for _ in range(_TRIES):
            taken: list[Rule] = []
            text = self._made(dice, taken)
            if self._accepts(text):
                if self.fair:
                    self.taken.update(taken)
                return text
        return None

    def _made(self, dice: Chance, taken: list[Rule]) -> str:
        pieces: list[str] = []
        todo: list[Symbol] = [NonTerminal(self.start)]
        steps = 0
        while todo:
            symbol = todo.pop()
            steps += 1
            if symbol.is_term:
                if self._ignored and not isinstance(dice, Readable) and dice.random() < 1 / 8:
                    pieces.append(sample_text(dice.choice(self._ignored), dice))
                text = sample_text(self._patterns[symbol.name], dice)
                if self._ignores_spaces and isinstance(dice, Readable):
                    pieces.append(
                        " " * ("".join(pieces[-2:])[-1:].isalnum() and text[:1].isalnum())
                    )
                pieces.append(text)
                continue
            rule = self._choose(self._rules[symbol], dice, is_late=steps > self.size)
            taken.append(rule)
            todo.extend(reversed(rule.expansion))
        return "".join(pieces)

    def _choose(self, rules: Sequence[Rule], dice: Chance, *, is_late: bool) -> Rule:
        if is_late:
            lowest = min(height(rule, self._heights) for rule in rules)
            rules = [rule for rule in rules if height(rule, self._heights) == lowest]
        if isinstance(dice, Readable):
            has_rough = (any(part.name in self._rough for part in rule.expansion) for rule in rules)
            plain = [rule for rule, is_rough in zip(rules, has_rough, strict=True) if not is_rough]
            rules = plain or rules
        weights = [(1 + self.taken[rule]) ** -_FAIRNESS for rule in rules]
        at = dice.random() * sum(weights)
        for rule, weight in zip(rules, weights, strict=True):
            at -= weight
            if at < 0:
                return rule
        return rules[-1]


def sentences(
    file: File,
    start: str | None = None,
    *,
    seed: int | str = 0,
    size: int = 40,
    sampler: Sampler | None = None,
    readable: bool = False,
) -> Iterator[str]:
    """Yield endless sentences; the same ones for the same seed."""
    sampler = sampler or Sampler(file, start, size=size)
    dice = (Readable if readable else Random)(seed)  # the same ones every time
    while (sentence := sampler.sentence(dice)) is not None:
        yield sentence


def acceptance(file: File, start: str) -> Callable[[str], bool]:
    """Return a test of texts for a rule: by its regular expression if it has one, else by Lark."""
    own = generated_parser(file, start)
    if own is not None and (expression := own.plan.expression(start)) is not None:
        behind = own.plan.space.pattern if start in grammars.in_structure(file) else ""
        matches = re.compile(f"(?:{expression}){behind}").fullmatch
        return lambda text: matches(text) is not None
    parser = forgiving(file, start)

    def accepts(text: str) -> bool:
        try:
            parser.parse(text)
        except UnexpectedInput:
            return False
        return True

    return accepts


def generated_parser(file: File, start: str) -> Parser | None:
    """Return the parser generated from a rule; None if there is none, or it is ambiguous."""
    try:
        return grammars.generated(file, start, of_value=start not in grammars.in_structure(file))
    except GrammarError:
        return None


@by_grammar
def forgiving(file: File, start: str) -> Lark:
    """Return a parser for a rule, an Earley parser if it is ambiguous."""
    loaded = loaded_for(file, start)
    try:
        return Lark(loaded, parser="lalr", start=start)
    except GrammarError:
        return Lark(loaded, parser="earley", start=start)


def heights_of(rules: dict[Symbol, list[Rule]]) -> dict[Symbol, int]:
    """Return the depth in rules of the flattest sentence of each symbol."""
    heights: dict[Symbol, int] = {}
    while flat := [
        symbol
        for symbol in rules.keys() - heights.keys()
        if min(height(rule, heights) for rule in rules[symbol]) < _ENDLESS
    ]:
        heights |= dict.fromkeys(flat, 1 + max(heights.values(), default=0))
    return heights


def height(rule: Rule, heights: dict[Symbol, int]) -> int:
    """Return the depth in rules of the flattest sentence of an alternative."""
    known = (heights.get(part, _ENDLESS) for part in rule.expansion if not part.is_term)
    return max(known, default=0)


# ---- texts with a fault ----


class Broken(NamedTuple):
    """A text with one fault, and its place, from 1."""

    line: int
    column: int
    text: str


def broken(
    file: File, start: str | None = None, *, seed: int | str = 0, size: int = 40
) -> Iterator[Broken]:
    """Yield endless texts with one fault: a sentence with a token too many, or cut."""
    sampler = Sampler(file, start, size=size)
    tokens = _Tokens(file, grammars.rule(file, start))
    dice = Random(seed)  # noqa: S311  # the same ones every time
    tries = 0
    while tries < _TRIES and (sentence := sampler.sentence(dice)) is not None:
        tries += 1
        _, read = tokens.read(sentence)
        at = dice.choice([0, *(token.end_pos for token in read)])
        name = dice.choice(tokens.names)
        refused = tokens.refused(sentence[:at], name, "" if name == _END else sentence[at:])
        if refused is not None:
            yield refused
            tries = 0


class _Tokens:
    """The tokens of a parser as texts, and what it does with them."""

    def __init__(self, file: File, start: str) -> None:
        self._file, self._start = file, start
        self.parser = experiment(file, self._start)
        dice = Random(0)  # noqa: S311  # the same ones every time
        self._texts = {_OTHER: ["\N{SECTION SIGN}"], _END: [""]}
        for terminal in self.parser.terminals:
            texts = {sample_text(terminal.pattern.to_regexp(), dice) for _ in range(_MADE)}
            self._texts[terminal.name] = sorted(texts, key=lambda text: (len(text), text))[:_TRIED]
        self._gaps = ["", *(self._texts[name][0] for name in self.parser.ignore_tokens)]
        states = self.read("")[0].parser_state.parse_conf.states.values()
        parts = set[str]().union(*states).intersection(self._texts) - {_END}
        self.names = [*sorted(parts), _OTHER, _END]

    def read(self, text: str) -> tuple[Any, list[Any]]:
        """Return the parser after a text, and the tokens of the text; none if it rejects one."""
        machine: Any = self.parser.parse_interactive(text)
        try:
            return machine, machine.exhaust_lexer()
        except UnexpectedInput:
            return machine, []

    def refused(self, prefix: str, name: str, behind: str = "") -> Broken | None:
        for gap, piece in product(self._gaps, self._texts[name]):
            place = len(prefix + gap)
            text = prefix + gap + piece + behind
            fault = parse(text, self._file, self._start).finding
            if fault is not None and fault.span.start == place:
                return Broken(*LineIndex(text).locate(place), text)
        return None


# ---- records ----

#: Limit of a value in tokens.
_SHORT = 8

#: Limit of the passes that leave out reported values.
_TRIES_OF_VALUE = 20

#: Properties by which a record declares itself, or that change its reading.
_DECLARING = Group.DECLARES.idents | Group.BOARD.idents | {"AP", *COLORS}


class _Piece(NamedTuple):
    """A property of a record being made."""

    node: int
    text: str


def random_records(
    format: Format | FormatName = Format.FF4,
    game: Game | None = None,
    *,
    seed: int | str = 0,
    size: int = 40,
    table: PropertyTable | None = None,
    readable: bool = False,
) -> Iterator[str]:
    """Yield endless records without errors; the same ones for the same seed.

    Args:
        size: The approximate limit of a record in properties.
        readable: Values are of words and numbers, without escapes and rare characters.
    """
    maker = RecordSampler(Format(format.upper()), game, size=size, table=table)
    dice = (Readable if readable else Random)(seed)  # the same ones every time
    while True:
        yield maker.record(dice)


class RecordSampler:
    """A maker of records of one format and game; arguments as for :func:`random_records`."""

    def __init__(
        self,
        format: Format = Format.FF4,
        game: Game | None = None,
        *,
        size: int = 40,
        table: PropertyTable | None = None,
    ) -> None:
        from sgf_lark.core import GAMES, GameNumber

        self.format = format
        self.game = game or GAMES[GameNumber.OTHELLO if format is Format.GGF else GameNumber.GO]
        self.size = size
        self.table = table or PropertyTable.standard()
        self._reader = reader(format, self.game)
        number = self.game.number
        known = {
            rule.ident: self.table.find(format, number, rule.ident) or rule
            for rule in self.table
            if rule.format is format and rule.game in {None, number}
        }
        self._rules = {ident: rule for ident, rule in known.items() if "undefined" not in rule.type}

    def record(self, dice: Random) -> str:
        pieces = list(self._pieces(dice))
        for _ in range(_TRIES_OF_VALUE):
            text, starts = self._text(pieces)
            report = check(io.StringIO(text), format=self.format, table=self.table)
            wrong = {
                number
                for number, start in enumerate(starts)
                for error in report.errors
                if start <= error.offset < start + len(pieces[number].text)
            }
            if not report.errors:
                return text
            pieces = [piece for number, piece in enumerate(pieces) if number not in wrong]
        return self._text([])[0]

    def _text(self, pieces: list[_Piece]) -> tuple[str, list[int]]:
        ggf = self.format is Format.GGF
        head = f"GM[{self.game.name}]" if ggf else f"FF[{self.format.digit}]GM[{self.game.number}]"
        parts, starts = [f"(;{head}"], []
        at, node = len(parts[0]), 0
        for piece in pieces:
            if piece.node != node and not ggf:
                parts.append("\n;" if piece.node % 5 == 0 else ";")
                at += len(parts[-1])
            node = piece.node
            starts.append(at)
            parts.append(piece.text)
            at += len(piece.text)
        parts.append(";)" if ggf else ")")
        return "".join(parts), starts

    def _pieces(self, dice: Random) -> Iterator[_Piece]:
        left = dice.randint(1, self.size)
        node, color = 0, 0
        while left > 0:
            kinds = {Category.ROOT, Category.GAME_INFO, Category.NONE}
            idents: list[str] = []
            if node:
                moves = self.format is Format.GGF or dice.random() < 3 / 4
                kinds = {Category.MOVE, Category.NONE} if moves else {Category.SETUP, Category.NONE}
                if moves:
                    idents.append("BW"[color])
                    color = 1 - color
            likely = [rule.ident for rule in self._rules.values() if rule.category in kinds]
            likely = [ident for ident in likely if ident not in _DECLARING]
            few = dice.choice((0, 0, 1, 1, 2, 4)) if node else dice.choice((0, 2, 4, 8))
            idents += dice.sample(likely, min(few, len(likely)))
            for ident in dict.fromkeys(idents):
                text = self._property(self._rules[ident], dice)
                if text is not None:
                    yield _Piece(node, text)
            left -= max(1, len(idents))
            node += 1

    def _property(self, rule: PropertyRule, dice: Random) -> str | None:
        """Return a property with values of its type; None if no grammar has the type."""
        if rule.count is Count.ELIST and dice.random() < 1 / 4:
            return f"{rule.ident}[]"
        count = 1 if rule.count is Count.ONE else dice.choice((1, 1, 2, 3))
        values = [self._value(rule, dice) for _ in range(count)]
        if None in values:
            return None
        return rule.ident + "".join(f"[{value}]" for value in dict.fromkeys(values))

    def _value(self, rule: PropertyRule, dice: Random) -> str | None:
        kinds = (rule.form,) if rule.form else dice.choice(rule.types)
        parts = [self._sampled(kind, dice) for kind in kinds]
        return None if None in parts else ":".join(map(str, parts))

    def _sampled(self, kind: str, dice: Random) -> str | None:
        try:
            file, name, _ = self._reader.kind(kind).place
        except LookupError:
            return None
        return _sampler(file, name).sentence(dice)


@by_grammar
def _sampler(file: File, name: str) -> Sampler:
    return Sampler(file, name, size=_SHORT, fair=False)
