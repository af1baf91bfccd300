"""Coverage of a grammar by real records: the files that parse, the alternatives that occur.

Few sentences that cover all of it are among the random ones.

Files are parsed without repair, values by the types of the table.  The parser counts its
reductions, so that every alternative counts, also those that no tree has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from lark.exceptions import UnexpectedInput
from lark.grammar import Rule

from sgf_lark.core import (
    Diagnostic,
    Dialect,
    File,
    LineIndex,
    Nodes,
    Options,
    PropertyTable,
    Reader,
    SgfGrammarError,
    grammars,
    mismatch,
)

from .lint import for_records
from .productions import format_of_grammar, is_helper, productions
from .samples import Sampler, sentences

#: Limit of the different values of a type that are parsed; more hardly use more.
_MAX_VALUES = 20_000

#: The numbers of sentences without anything new that end the search, and that lengthen the next.
_IDLE, _LONGER = 300, 100


class Rejection(NamedTuple):
    """A text that the grammar rejects, and the place of the mismatch."""

    name: str
    place: Diagnostic


#: An alternative, or one and another that is directly inside it.
Uses: TypeAlias = tuple[str, ...]


class AlternativeUse(NamedTuple):
    """An alternative, or one in another, with its counts of uses by records and samples."""

    production: str
    records: int
    samples: int


class Coverage:
    """Counts of the alternatives of a grammar that texts use.

    Args:
        file: The grammar.
        table: The types of the values of each property.

    Attributes:
        has_structure: It describes complete texts, not only values of records.
        has_values: It describes values of records.
        parsed: The number of accepted texts.
        rejected: The texts that it rejects.
        values, wrong: The numbers of values of its types, and of those that it rejects.
    """

    def __init__(self, file: File, table: PropertyTable | None = None) -> None:
        self.file = file
        self.table = table or PropertyTable.standard()
        self.parsed = 0
        self.rejected: list[Rejection] = []
        self.values = self.wrong = 0
        self._uses: Counter[Uses] = Counter()
        self._samples: Counter[Uses] = Counter()
        self._of_values: dict[tuple[str, str], Counter[Uses] | None] = {}
        try:
            self._dialect: Dialect | None = Dialect(for_records(file))
        except SgfGrammarError:
            self._dialect = None
        of_game = isinstance(file, Path) and file.parent.name == "games"
        of_values = of_game or grammars.first_rule(file) in self.table.kinds
        self.has_structure = not of_values
        self.has_values = self._dialect is not None or of_values

    def add(self, text: str, name: str, table: PropertyTable | None = None) -> None:
        """Count the uses of a text, and of the values in it that the grammar describes.

        Args:
            text: The text.
            name: Its name.
            table: Its properties and games; those of the coverage if None.
        """
        if self.has_structure:
            uses = parse_uses(text, self.file, grammars.first_rule(self.file))
            if isinstance(uses, Counter):
                self.parsed += 1
                self._uses += uses
            else:
                self.rejected.append(Rejection(name, uses))
        if not self.has_values:
            return
        how = Options(
            format_of_grammar(self.file), None, table or self.table, dialect=self._dialect
        )
        for part in how.reader("").read(text):
            for read in part.games:
                self._add_values(read.nodes)

    def _add_values(self, nodes: Nodes) -> None:
        seen: Counter[tuple[str, str, str]] = Counter()
        for content in nodes.contents:
            for prop in content:
                if prop.rule is not None:
                    kind = prop.rule.form or prop.rule.type
                    seen.update((prop.ident, kind, raw) for raw in prop.raw)
        for (ident, kind, raw), count in list(seen.items()):
            if kind == "played":  # of GGF: a move, and the player's evaluation of it
                seen[ident, "move", raw.partition("/")[0]] += count
        starts = {kind: [*self._starts(kind, nodes.rules.reader)] for _, kind, _ in seen}
        for (ident, kind, raw), count in seen.items():
            for name, start in starts[kind]:
                self._add_value(start, raw, count, sure=kind == name and ident != "")

    def _starts(self, kind: str, reader: Reader) -> Iterator[tuple[str, str]]:
        """Yield the types in a type that the grammar describes, with their rules."""
        own = grammars.path_of(self.file).resolve()
        for name in dict.fromkeys(_parts_of(kind)):
            try:
                file, start, _ = reader.kind(name).place
            except LookupError:
                continue
            # Settings and the command line may spell the path differently.
            if grammars.path_of(file).resolve() == own:
                yield name, start

    def _add_value(self, start: str, raw: str, count: int, *, sure: bool) -> None:
        key = (start, raw)
        if key not in self._of_values:
            if len(self._of_values) > _MAX_VALUES:
                return
            uses = parse_uses(raw, self.file, start)
            self._of_values[key] = uses if isinstance(uses, Counter) else None
        counts = self._of_values[key]
        if counts is None:
            self.wrong += count if sure else 0
            return
        self.values += count
        for production, times in counts.items():
            self._uses[production] += times * count

    def add_samples(self, count: int, seed: int | str = 0) -> None:
        """Count the uses of some random sentences of each rule."""
        for start in grammars.rules(self.file):
            if not start.startswith("_"):
                sampler = Sampler(self.file, start, size=20)
                list(islice(sentences(self.file, start, seed=seed, sampler=sampler), count))
                for rules, times in sampler.taken.items():
                    self._samples[*map(productions(self.file).shown, rules)] += times

    def uses(self, length: int = 1) -> Iterator[AlternativeUse]:
        """Yield every alternative of every rule, or every pair, in the order of the grammar."""
        for name in grammars.rules(self.file):
            for of_rule in possible(self.file, name, length):
                name_of_both = "  in  ".join(reversed(of_rule))
                yield AlternativeUse(name_of_both, self._uses[of_rule], self._samples[of_rule])


class Cover(NamedTuple):
    """Few sentences that cover a grammar.

    Attributes:
        sentences: They use all but the unused.
        unused: The alternatives and pairs that no sentence was found for: what no text can use,
            and what only very long ones do.
    """

    sentences: list[str]
    unused: list[Uses]


def cover(
    file: File, start: str | None = None, length: int = 1, *, seed: int | str = 0, size: int = 40
) -> Cover:
    """Return sentences of a rule that use every alternative below it; the same for the same seed.

    Args:
        file: The grammar.
        start: The rule; the first one if None.
        length: 1 for alternatives, 2 also for pairs of one directly inside another.
        seed: Of the dice.
        size: The approximate limit of a sentence in rules and terminals at the beginning.

    Raises:
        LookupError: The grammar has no such rule.
        lark.exceptions.GrammarError: It is ambiguous.
    """
    sampler = Sampler(file, start, size=size)
    sampler.by_pairs = True
    names = productions(file).below(sampler.start)
    lengths = range(1, length + 1)
    wanted = [one for upto in lengths for name in names for one in possible(file, name, upto)]
    missing, used, idle = {*wanted}, dict[str, set[Uses]](), 0
    made = sentences(file, sampler.start, seed=seed, sampler=sampler)
    while missing and idle < _IDLE and (text := next(made, None)) is not None:
        uses = parse_uses(text, file, sampler.start)
        idle += 1
        if isinstance(uses, Counter) and not missing.isdisjoint(uses):
            idle, used[text] = 0, uses.keys() & wanted
            missing.difference_update(uses)
        elif idle % _LONGER == 0:
            sampler.size *= 2
    counts = Counter(one for uses in used.values() for one in uses)
    for text in sorted(used, key=len, reverse=True):
        if all(counts[one] > 1 for one in used[text]):
            counts.subtract(used.pop(text))
    return Cover([*used], [one for one in wanted if one in missing])


def possible(file: File, name: str, length: int) -> list[Uses]:
    """Return the alternatives of a rule, or the pairs whose outer one they are."""
    of_file = productions(file)
    return [(one,) for one in of_file.of(name)] if length == 1 else [*of_file.pairs(name)]


def parse_uses(text: str, file: File, start: str) -> Counter[Uses] | Diagnostic:
    """Return the alternatives and pairs that a text uses, or the mismatch.

    Raises:
        lark.exceptions.GrammarError: The grammar is ambiguous.
    """
    parser = grammars.experiment(file, start)
    machine: Any = parser.parse_interactive(text)
    counting = _Counting(file)
    machine.parser_state.parse_conf.callbacks = counting
    try:
        machine.exhaust_lexer()
        machine.feed_eof()
    except UnexpectedInput as error:
        wanted = frozenset(machine.accepts())
        finding = mismatch(error, parser, text, wanted=wanted)
        return Diagnostic.of(finding, LineIndex(text))
    return counting.counts


class _Counting(dict[Any, Any]):
    """The callbacks of a parser for its rules: each counts, also what is directly inside.

    A helper's value is the list of its children, any other rule's is its production in a tuple.
    """

    def __init__(self, file: File) -> None:
        super().__init__()
        self.counts: Counter[Uses] = Counter()
        self._shown = productions(file).shown

    def __bool__(self) -> bool:
        return True  # also while it is empty: Lark asks

    def __missing__(self, rule: Rule) -> Any:
        production = (self._shown(rule),)

        def count(children: list[Any]) -> Uses:
            self.counts[production] += 1
            for part in children:  # the list grows by the children of helpers
                if isinstance(part, list):
                    children.extend(part)
                elif isinstance(part, tuple):
                    self.counts[production + part] += 1
            return production

        self[rule] = list if is_helper(rule.origin) else count
        return self[rule]


def texts_by_rule(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield rules with texts of them in real records: properties, and values of each type."""
    reader = Options(None, None, PropertyTable.standard()).reader("")
    for text in texts:
        games = (read for part in reader.read(text) for read in part.games)
        for contents in (read.nodes.contents for read in games):
            for prop in dict.fromkeys(prop for content in contents for prop in content):
                yield "property", str(prop)
                if prop.rule is not None:
                    kinds = _parts_of(prop.rule.form or prop.rule.type)
                    yield from product(kinds, prop.raw)


def _parts_of(type: str) -> list[str]:
    """Return the types that a type of a table is made of."""
    return type.replace(" | ", ":").split(":")
