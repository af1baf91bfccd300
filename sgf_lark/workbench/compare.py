"""Differences of two grammars: production by production, and by the texts they accept.

Texts are tried from the shortest on: all short ones over the characters that the two rules
tell apart, then sentences of both, and sentences with small changes.  A rule is compared by its
texts only where its own definition or one of its terminals differs: consequences of another rule
are not repeated.  What changes on real records is in :mod:`.compare_records`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice, product
from random import Random
from typing import NamedTuple, TypeAlias

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from sgf_lark.core import (
    CharSet,
    File,
    PropertyRule,
    PropertyTable,
    character_sets,
    grammars,
)
from sgf_lark.workbench.source_text import GrammarText, grammar_text

from .coverage import productions
from .patterns import NotSimpleError, simplify
from .samples import Sampler, acceptance, forgiving, generated_parser

#: Limits of the short texts tried of each rule, and of the sentences of each grammar.
_MAX_SHORT_TEXTS, _MAX_SENTENCES = 12_000, 150

#: The factor by which ambiguous rules take longer.
_SLOWER = 15

#: Limit of the texts accepted by both whose trees are compared.
_MAX_COMPARED_TREES = 200

#: Limit of the shown texts of each kind.
_MAX_SHOWN = 3


#: A grammar, and the name of a rule of it.
RuleOf: TypeAlias = tuple[File, str]

#: The names of terminals, and what their priorities and expressions have in common.
Patterns: TypeAlias = tuple[tuple[str, str], ...]

#: The name of what a grammar ignores.
IGNORE = "%ignore"


class GrammarChange(NamedTuple):
    """A rule that differs, or what is ignored."""

    name: str  # of the rule in the first grammar, or in the second if the first has none; IGNORE
    # the definitions; "" where it is missing
    before: str
    after: str
    parts_before: tuple[str, ...] = ()
    parts_after: tuple[str, ...] = ()
    same: str = ""  # the name of a rule of the other grammar that accepts the same texts
    quoted_before: tuple[str, ...] = ()
    quoted_after: tuple[str, ...] = ()
    # texts that one of both accepts, the shortest first
    only_before: tuple[str, ...] = ()
    only_after: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()

    @property
    def shows(self) -> bool:
        """True if some text shows it."""
        return bool(self.only_before or self.only_after or self.otherwise)

    @property
    def full_name(self) -> str:
        """The name, with that of the same rule in the other grammar."""
        return self.name + (f" (there {self.same})" if self.same else "")

    def lines(self, first: str, second: str) -> Iterator[str]:
        """Yield the definitions and the texts of a rule that both grammars have, for people."""
        for sign, quoted, written, parts in (
            ("-", self.quoted_before, self.before, self.parts_before),
            ("+", self.quoted_after, self.after, self.parts_after),
        ):
            yield from (f"{sign} //= {' '.join(line.split())}" for line in quoted)
            yield from (f"{sign} {line}" for line in (written, *parts))
        for label, texts in (
            (f"only {first} accepts", self.only_before),
            (f"only {second} accepts", self.only_after),
            ("both accept, with different trees", self.otherwise),
        ):
            if texts:
                yield f"{label}: {', '.join(map(repr, texts))}"
        if not self.shows:
            yield "no text found that shows the difference"


def differences(first: File, second: File, *, seed: int | str = 0) -> Iterator[GrammarChange]:
    """Yield the rules that differ, in the order of the first grammar, then the second.

    What they ignore comes before the rules.
    """
    before, after = grammar_text(first), grammar_text(second)
    patterns = {file: _patterns(file) for file in (first, second)}
    ignored, skipped = (_ignored(file) for file in (first, second))
    if ignored.keys() != skipped.keys():
        change = GrammarChange(IGNORE, "; ".join(ignored.values()), "; ".join(skipped.values()))
        starts = [(file, grammars.first_rule(file)) for file in (first, second)]
        yield _tried(change, starts[0], starts[1], seed)
    for name in dict.fromkeys([*_own_rules(first, before), *_own_rules(second, after)]):
        change = _written(name, before, after)
        is_compiled = name in {*before.imported, *after.imported}
        if is_compiled:  # its text is elsewhere
            change = GrammarChange(name, _compiled(first, name), _compiled(second, name))
        if not change.before or not change.after:
            yield change._replace(same=_namesake(name, first, second))
            continue
        here, there = (
            _made_of(file, name, patterns[file], is_compiled=is_compiled)
            for file in (first, second)
        )
        if here != there:
            change = _with_parts(change, (before, here[1]), (after, there[1]))
            yield _tried(change, (first, name), (second, name), seed)


def _compiled(file: File, name: str) -> str:
    alternatives = [one.removeprefix(f"{name}: ") for one in productions(file).of(name)]
    return f"{name}: {' | '.join(alternatives)}" if alternatives else ""


def _ignored(file: File) -> dict[str, str]:
    """Return what a grammar ignores: each pattern with its statement."""
    terminals, _, names = grammars.grammar(file).compile([], "*")
    known = {terminal.name: terminal.pattern.to_regexp() for terminal in terminals}
    source = grammar_text(file)
    named = {*source.by_name, *source.imported}
    shown = {name: known[name].replace("\t", "\\t") for name in names}
    return {
        _normal(known[name]): f"{IGNORE} {f'{name}: ' * (name in named)}/{shown[name]}/"
        for name in names
    }


def _own_rules(file: File, source: GrammarText) -> list[str]:
    known = {*grammars.rules(file)}
    names = [*source.by_name, *source.imported]
    return [name for name in names if name in known and not name.startswith("_")]


def _namesake(name: str, first: File, second: File) -> str:
    here, there = (first, second) if name in grammars.rules(first) else (second, first)
    pattern = _expression(here, name)
    names = [rule for rule in grammars.rules(there) if rule not in grammars.rules(here)]
    return next((rule for rule in names if pattern and _expression(there, rule) == pattern), "")


def _expression(file: File, name: str) -> str | None:
    parser = generated_parser(file, name)
    return None if parser is None else parser.plan.expression(name)


def _with_parts(change: GrammarChange, *sides: tuple[GrammarText, Patterns]) -> GrammarChange:
    (_, before), (_, after) = sides
    other = {name for name, _ in {*before} ^ {*after}}
    parts = [
        tuple(source.written(source[name]) for name, _ in used if name in other & {*source.by_name})
        for source, used in sides
    ]
    return change._replace(parts_before=parts[0], parts_after=parts[1])


def compare(first: File, rule: str, second: File, other: str, seed: int | str = 0) -> GrammarChange:
    before, after = grammar_text(first), grammar_text(second)
    change = _written(before[rule].name, before, after, after[other].name)
    return _tried(change, (first, rule), (second, other), seed)


def _written(name: str, first: GrammarText, second: GrammarText, other: str = "") -> GrammarChange:
    before, after = first.by_name.get(name), second.by_name.get(other or name)
    return GrammarChange(
        name,
        first.written(before) if before else "",
        second.written(after) if after else "",
        quoted_before=before.quoted if before else (),
        quoted_after=after.quoted if after else (),
    )


def _made_of(
    file: File, name: str, patterns: dict[str, str], *, is_compiled: bool
) -> tuple[str, Patterns]:
    source = grammar_text(file)
    if is_compiled:  # names of its terminals say where it comes from
        terminals = productions(file).terminals(name)
        return _compiled(file, name), tuple(sorted(("", patterns[one]) for one in terminals))
    written = source.written(source[name])
    used = dict.fromkeys(use.name for use in source.uses if use.within == name)
    parts = [*used]
    for part in parts:  # grows: rules without a name of their own in the tree are part of this one
        if part.startswith("_") and part in grammars.rules(file) and part in source.by_name:
            inside = dict.fromkeys(use.name for use in source.uses if use.within == part)
            parts += inside.keys() - used
            used |= inside
            written += "\n" + source.written(source[part])
    return written, tuple(sorted((one, patterns[one]) for one in used if one in patterns))


def _patterns(file: File) -> dict[str, str]:
    terminals, _, _ = grammars.grammar(file).compile([], "*")
    return {
        terminal.name: f"{terminal.priority} {_normal(terminal.pattern.to_regexp())}"
        for terminal in terminals
    }


def _normal(pattern: str) -> str:
    try:
        same = simplify(pattern)
    except NotSimpleError:
        return pattern
    is_same = same.is_exact and not same.conditions and not same.is_ascii
    return repr(same.items) if is_same else pattern


class RowChange(NamedTuple):
    """A property whose rows in two tables differ."""

    name: str  # of the format, of the game if it has its own, and of the property
    # what differs in the rows; "" where there is none
    before: str
    after: str


def row_changes(first: PropertyTable, second: PropertyTable) -> Iterator[RowChange]:
    """Yield the properties whose rows differ, in the order of the first table, then the second."""
    tables = [{(row.format, row.game, row.ident): row for row in one} for one in (first, second)]
    for key in dict.fromkeys([*tables[0], *tables[1]]):
        rows = [table.get(key) for table in tables]
        if rows[0] == rows[1]:
            continue
        format_, game, ident = key
        known = [{} if row is None else row.model_dump(mode="json") for row in rows]
        other = [
            name
            for name in PropertyRule.model_fields
            if len({str(one.get(name)) for one in known}) > 1
        ]
        shown = [
            ", ".join(f"{name} {one[name]!r}" for name in other if name in one) for one in known
        ]
        of_game = "" if game is None else f", {first.game(format_, game, '').name}"
        yield RowChange(f"{format_.shown}{of_game}, {ident}", *shown)


# ---- texts that show a change ----


def _tried(change: GrammarChange, first: RuleOf, second: RuleOf, seed: int | str) -> GrammarChange:
    accepts, takes = acceptance(*first), acceptance(*second)
    named = first[1] == second[1]
    texts: dict[tuple[bool, bool], set[str]] = defaultdict(set)
    for text in _texts(first, second, seed):
        texts[accepts(text), takes(text)].add(text)
    otherwise = [
        text
        for text in sorted(texts[True, True], key=_length)[:_MAX_COMPARED_TREES]
        if _shape(first, text, named=named) != _shape(second, text, named=named)
    ]
    return change._replace(
        only_before=_shortest(texts[True, False], lambda text: accepts(text) and not takes(text)),
        only_after=_shortest(texts[False, True], lambda text: takes(text) and not accepts(text)),
        otherwise=_shortest(otherwise),
    )


def _texts(first: RuleOf, second: RuleOf, seed: int | str) -> Iterator[str]:
    alphabet = _alphabet(first, second)
    slow = any(forgiving(*pair).options.parser == "earley" for pair in (first, second))
    yield from islice(_short(alphabet), _MAX_SHORT_TEXTS // _SLOWER if slow else _MAX_SHORT_TEXTS)
    dice = Random(f"{seed} {first[1]} {second[1]}")  # noqa: S311  # the same ones every time
    for file, start in (first, second):
        sampler = Sampler(file, start, size=12)
        for _ in range(_MAX_SENTENCES // _SLOWER if slow else _MAX_SENTENCES):
            if (text := sampler.sentence(dice)) is None:
                break
            yield from (text, _mutate(text, alphabet, dice))


def _short(alphabet: list[str]) -> Iterator[str]:
    for length in count():
        yield from map("".join, product(alphabet, repeat=length))


def _mutate(text: str, alphabet: list[str], dice: Random) -> str:
    start = dice.randint(0, len(text))
    end = start + dice.choice((0, 1))
    return text[:start] + dice.choice([*alphabet, ""]) + text[end:]


def _alphabet(first: RuleOf, second: RuleOf) -> list[str]:
    terminals = [*forgiving(*first).terminals, *forgiving(*second).terminals]
    sets = [one for each in terminals for one in character_sets(each.pattern.to_regexp())]
    kinds: dict[tuple[bool, ...], str] = {}
    for char in _CHARACTERS:
        kind = tuple(_has(char_set, char) for char_set in sets)
        if any(kind):
            kinds.setdefault(kind, char)
    return list(kinds.values())


#: In this order, so that readable characters represent their kind.
_CHARACTERS = [
    *"a1B:.+-[]();/ W0",
    *map(chr, range(33, 127)),
    *"\n\t\r\x0b\x0c\\",
    *map(chr, range(128, 256)),
    "囲",
]


def _has(char_set: CharSet, char: str) -> bool:
    return ord(char) in char_set.low if ord(char) < 256 else char_set.high  # noqa: PLR2004


def _length(text: str) -> tuple[int, str]:
    return len(text), text


def _shortest(
    texts: Iterable[str], holds: Callable[[str], bool] = lambda _text: False
) -> tuple[str, ...]:
    shortest = sorted(texts, key=_length)[:_MAX_SHOWN]
    return tuple(sorted({_shrink(text, holds) for text in shortest}, key=_length))


def _shrink(text: str, holds: Callable[[str], bool]) -> str:
    size = len(text) // 2
    while size:
        start = 0
        while start < len(text):
            shorter = text[:start] + text[start + size :]
            if holds(shorter):
                text = shorter
            else:
                start += 1
        size //= 2
    return text


def _shape(pair: RuleOf, text: str, *, named: bool) -> object:
    """Return the tree of a text without names of rules: tokens in groups."""
    try:
        tree = forgiving(*pair).parse(text)
    except UnexpectedInput:
        return None
    shape: list[object] = []
    waiting: list[Tree[Token] | Token | None] = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Tree):
            shape.append(len(part.children))
            waiting.extend(reversed(part.children))
        else:
            shape.append(None if part is None else (part.type if named else "", str(part)))
    return shape
