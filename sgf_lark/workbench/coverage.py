"""Coverage of a grammar by real records: the files that parse, the alternatives that occur.

Few sentences that cover all of it are among the random ones.

Files are parsed without repair, values by the types of the table.  The parser counts its
reductions, so that every alternative counts, also those that no tree has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from lark.exceptions import UnexpectedInput
from lark.grammar import Rule, Symbol

from sgf_lark.core import (
    Diagnostic,
    Dialect,
    File,
    Finding,
    Format,
    LineIndex,
    Nodes,
    Options,
    PropertyTable,
    Reader,
    SgfGrammarError,
    by_grammar,
    grammars,
    mismatch,
    shorten,
)
from sgf_lark.workbench.source_text import experiment, grammar_text

from .lint import for_records
from .samples import Sampler, sentences


class Productions:
    """All rules of a grammar."""

    def __init__(self, file: File) -> None:
        terminals, rules, _ = grammars.grammar(file).compile(grammars.rules(file), ())
        self.patterns = {terminal.name: terminal.pattern for terminal in terminals}
        source = grammar_text(file)
        self._named = {*source.by_name, *source.imported}
        self._rules: dict[str, list[Rule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.origin.name, []).append(rule)

    def of(self, name: str) -> list[str]:
        return list(dict.fromkeys(self.shown(rule) for rule in self._rules.get(name, [])))

    def below(self, start: str) -> list[str]:
        """Return the names of the rules that a rule is made of, its own first."""
        names = [start]
        for name in names:
            inside = [inner for rule in self._rules[name] for inner in self._inside(rule)]
            names.extend(inner for inner in dict.fromkeys(inside) if inner not in names)
        return names

    def _inside(self, rule: Rule) -> list[str]:
        names = (one.name for one in self._parts(rule) if not one.is_term and not is_helper(one))
        return list(dict.fromkeys(names))

    def terminals(self, name: str) -> dict[str, None]:
        """Return the names of the terminals in the alternatives of a rule."""
        parts = (part for rule in self._rules.get(name, []) for part in self._parts(rule))
        return dict.fromkeys(part.name for part in parts if part.is_term)

    def _parts(self, rule: Rule) -> list[Symbol]:
        symbols = [*rule.expansion]
        for symbol in symbols:
            if is_helper(symbol):
                parts = (part for one in self._rules[symbol.name] for part in one.expansion)
                symbols.extend(part for part in parts if part not in symbols)
        return symbols

    def shown(self, rule: Rule) -> str:
        """Return an alternative as ``game_tree: _OPEN sequence game_tree+ _CLOSE``."""
        alias = f" -> {rule.alias}" if rule.alias else ""
        return f"{rule.origin.name}: {self.sequence(rule)}{alias}"

    def sequence(self, rule: Rule) -> str:
        return " ".join(map(self.symbol, rule.expansion)) or "(nothing)"

    def symbol(self, symbol: Symbol) -> str:
        """Return a symbol of a rule: its name, its text if it has no name, the body of a helper."""
        if not symbol.is_term:
            return self._helper(symbol.name) if is_helper(symbol) else symbol.name
        if symbol.name in self._named or symbol.name not in self.patterns:
            return symbol.name
        pattern = self.patterns[symbol.name]
        return f'"{pattern.value}"' if pattern.type == "str" else f"/{pattern.value}/"

    def _helper(self, name: str) -> str:
        once = [
            " ".join(map(self.symbol, rule.expansion))
            for rule in self._rules.get(name, [])
            if name not in {part.name for part in rule.expansion}
        ]
        many = "+" if len(once) < len(self._rules.get(name, [])) else ""
        inside = " | ".join(dict.fromkeys(once))
        return f"{inside}{many}" if len(once) == 1 and " " not in inside else f"({inside}){many}"


def format_of_grammar(file: File) -> Format | None:
    """Return the format whose shipped grammar a file is; None for any other file."""
    formats = {grammars.path(one.grammar): one for one in Format}
    return formats.get(file) if isinstance(file, Path) else None


def is_helper(symbol: Symbol) -> bool:
    """Return whether Lark made a rule of a repetition or a choice; it belongs to another one."""
    return not symbol.is_term and symbol.name.startswith(("__", "$"))


@by_grammar
def productions(file: File) -> Productions:
    return Productions(file)


#: Limit of the different values of a type that are parsed; more hardly use more.
_MAX_VALUES = 20_000

#: The numbers of sentences without anything new that end the search, and that lengthen the next.
_IDLE, _LONGER = 300, 100


class Rejection(NamedTuple):
    """A text that the grammar rejects, or a value in it, and the place of the mismatch."""

    name: str
    place: Diagnostic


class AlternativeUse(NamedTuple):
    """An alternative with its counts of uses by records and samples."""

    production: str
    records: int
    samples: int


class Coverage:
    """Counts of the alternatives of a grammar that texts use.

    Args:
        start: The rule of complete texts; None for the first one, or for values if it is of one.

    Attributes:
        values, wrong: The numbers of values of its types, and of those that it rejects.
    """

    def __init__(self, file: File, start: str | None = None) -> None:
        self.file = file
        self._start = start or grammars.first_rule(file)
        self.table = PropertyTable.standard()
        self.parsed = 0
        self.rejected: list[Rejection] = []
        self.rejected_values: list[Rejection] = []
        self.values = self.wrong = 0
        self._uses: Counter[str] = Counter()
        self._samples: Counter[str] = Counter()
        self._of_values: dict[tuple[str, str], Counter[str] | Finding] = {}
        try:
            self._dialect: Dialect | None = Dialect(for_records(file))
        except SgfGrammarError:
            self._dialect = None
        of_game = isinstance(file, Path) and file.parent.name == "games"
        of_values = start is None and (of_game or self._start in self.table.kinds)
        # it describes complete texts, not only values of records
        self.has_structure = not of_values
        self.has_values = of_values or (start is None and self._dialect is not None)

    def add(self, text: str, name: str, table: PropertyTable | None = None) -> None:
        """Count the uses of a text, and of the values in it that the grammar describes."""
        if self.has_structure:
            uses = parse_uses(text, self.file, self._start)
            if isinstance(uses, Counter):
                self.parsed += 1
                self._uses += uses
            else:
                self.rejected.append(Rejection(name, Diagnostic.of(uses, LineIndex(text))))
        if not self.has_values:
            return
        how = Options(None, None, table or self.table, dialect=self._dialect)
        lines = LineIndex(text)
        for part in how.reader("").read(text):
            for read in part.games:
                wrong = sorted(self._add_values(read.nodes), key=lambda one: one.span)
                self.rejected_values += (
                    Rejection(name, Diagnostic.of(one, lines)) for one in wrong
                )

    def _add_values(self, nodes: Nodes) -> Iterator[Finding]:
        """Count the uses of the values of a game; yield what is wrong in them."""
        seen: dict[tuple[str, str, str], list[tuple[int, int, int]]] = {}
        for node, content in enumerate(nodes.contents):
            for place, prop in enumerate(content):
                kind = "" if prop.rule is None else prop.rule.form or prop.rule.type
                for index, raw in enumerate(prop.raw if kind else ()):
                    at = node, place, index
                    seen.setdefault((prop.ident, kind, raw), []).append(at)
                    if kind == "played":  # of GGF: a move, and the player's evaluation of it
                        move = prop.ident, "move", raw.partition("/")[0]
                        seen.setdefault(move, []).append(at)
        starts = {kind: [*self._starts(kind, nodes.rules.reader)] for _, kind, _ in seen}
        for (ident, kind, raw), places in seen.items():
            for name, start in starts[kind]:
                found = self._add_value(start, raw, len(places))
                if found is None or kind != name:
                    continue
                self.wrong += len(places)
                found = found._replace(message=f"{ident}[{shorten(raw)}]: {found.message}")
                yield from (found.moved(nodes.tape.value(*at).start) for at in places)

    def _starts(self, kind: str, reader: Reader) -> Iterator[tuple[str, str]]:
        own = grammars.path_of(self.file).resolve()
        for name in dict.fromkeys(_parts_of(kind)):
            try:
                file, start, _ = reader.kind(name).place
            except LookupError:
                continue
            # Settings and the command line may spell the path differently.
            is_own = grammars.path_of(file).resolve() == own
            # What a grammar of records does not change is read by that of the format.
            is_same = file == grammars.path(reader.format.grammar) and self._dialect is not None
            if is_own or (is_same and start in grammars.rules(self.file)):
                yield name, start

    def _add_value(self, start: str, raw: str, count: int) -> Finding | None:
        """Count the uses of a value; return why it is wrong, if it is."""
        key = (start, raw)
        if key not in self._of_values:
            if len(self._of_values) > _MAX_VALUES:
                return None
            self._of_values[key] = parse_uses(raw, self.file, start)
        uses = self._of_values[key]
        if isinstance(uses, Finding):
            return uses
        self.values += count
        for production, times in uses.items():
            self._uses[production] += times * count
        return None

    def add_samples(self, count: int, seed: int | str = 0) -> None:
        for start in grammars.rules(self.file):
            if not start.startswith("_"):
                sampler = Sampler(self.file, start, size=20)
                list(islice(sentences(self.file, start, seed=seed, sampler=sampler), count))
                for rule, times in sampler.taken.items():
                    self._samples[productions(self.file).shown(rule)] += times

    def uses(self) -> Iterator[AlternativeUse]:
        """Yield every alternative of every rule in the order of the grammar."""
        for name in grammars.rules(self.file):
            for one in productions(self.file).of(name):
                yield AlternativeUse(one, self._uses[one], self._samples[one])


class Cover(NamedTuple):
    sentences: list[str]
    # the alternatives that no sentence was found for: what no text can use, and what only very long
    # ones do
    unused: list[str]


def cover(file: File, start: str | None = None, *, seed: int | str = 0, size: int = 40) -> Cover:
    """Return sentences of a rule that use every alternative below it; the same for the same seed.

    Raises:
        LookupError: The grammar has no such rule.
        lark.exceptions.GrammarError: It is ambiguous.
    """
    sampler = Sampler(file, start, size=size)
    of_file = productions(file)
    wanted = [one for name in of_file.below(sampler.start) for one in of_file.of(name)]
    missing, used, idle = {*wanted}, dict[str, set[str]](), 0
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


def parse_uses(text: str, file: File, start: str) -> Counter[str] | Finding:
    """Return the alternatives that a text uses, or the mismatch; a GrammarError if ambiguous."""
    parser = experiment(file, start)
    machine: Any = parser.parse_interactive(text)
    counting = _Counting(file)
    machine.parser_state.parse_conf.callbacks = counting
    try:
        machine.exhaust_lexer()
        machine.feed_eof()
    except UnexpectedInput as error:
        wanted = frozenset(machine.accepts())
        return mismatch(error, parser, text, wanted=wanted)
    return counting.counts


class _Counting(dict[Any, Any]):
    """The callbacks of a parser for its rules: each counts."""

    def __init__(self, file: File) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self._shown = productions(file).shown

    def __bool__(self) -> bool:
        return True  # also while it is empty: Lark asks

    def __missing__(self, rule: Rule) -> Any:
        production = self._shown(rule)

        def count(_children: list[Any]) -> None:
            self.counts[production] += 1

        self[rule] = tuple if is_helper(rule.origin) else count
        return self[rule]


def _parts_of(type: str) -> list[str]:
    return type.replace(" | ", ":").split(":")
