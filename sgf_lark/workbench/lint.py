"""Lint of grammars: each fault with its place in the file and a help.

Lark's own errors have no places.  Here each kind of fault is searched by itself: in the
text of the file (names), in the rules that Lark made of it (left recursion), in the parsers
that it builds (conflicts), in the patterns of the terminals.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import inf
from typing import TypeAlias

from lark import Lark
from lark.exceptions import GrammarError, LarkError, LexError
from lark.grammar import NonTerminal, Rule, Symbol
from lark.lexer import Pattern, TerminalDef

from sgf_lark.core import (
    OF_GAME,
    Diagnostic,
    File,
    Finding,
    Fix,
    GrammarSource,
    LineIndex,
    Report,
    Severity,
    SgfGrammarError,
    Span,
    UntranslatableError,
    by_grammar,
    grammars,
    new_edit,
    new_fix,
    reach,
    register,
    spelled,
    unusable,
)
from sgf_lark.workbench.source_text import Definition, GrammarText, grammar_text

from .conflicts import (
    END,
    Automaton,
    Conflict,
    ConflictKind,
    Counterexample,
    Derivation,
    Derivations,
    differing,
    is_operator,
    walk_derivation,
    write_levels,
)
from .lint_terminals import growth, lint_order
from .lint_text import empty_terminal, lint_text
from .patterns import FIRST, sample_text

_START = Span(0, 0)

_Graph: TypeAlias = dict[str, set[str]]

#: What Lark makes of a grammar: terminals, rules, names of the terminals to ignore.
_Compiled: TypeAlias = tuple[list[TerminalDef], list[Rule], list[str]]


def check_grammar(file: File, values: Iterable[str] = ()) -> File:
    """Return a grammar that has no error (SgfGrammarError: its report lists them).

    Args:
        file: A custom grammar, or a shipped one, which is not checked again.
        values: Types of value to read by it, where it has such rules.
    """
    if isinstance(file, GrammarSource):
        report = grammar_report(file, frozenset(values), warn=False)
        if report.errors:
            raise SgfGrammarError(report)
    return file


#: The rules of which records are made, of SGF and of GGF.
RECORDS = (
    ("collection", "game_tree", "sequence", "node", "property"),
    ("file", "match", "game", "property"),
)


@by_grammar
def for_records(file: File, values: frozenset[str] = frozenset()) -> File:
    """Return a grammar that has no error and whose trees make games.

    Raises:
        SgfGrammarError: It has errors, or a rule that no game is made of.
    """
    check_grammar(file, values)
    first = grammars.first_rule(file)
    below = grammars.in_structure(file)
    known = max(RECORDS, key=lambda names: len(below.intersection(names)))
    source = grammar_text(file)
    _, rules, _ = grammars.grammar(file).compile([first], ())
    names = {str(rule.alias or rule.origin.name): rule.origin.name for rule in rules}
    strange = {
        label: name for label, name in names.items() if label[0] != "_" and label not in known
    }
    findings = [
        unusable(
            f"records are made of {', '.join(known[:-1])} and {known[-1]}; {label} is none of them",
            (own.span if (own := _own(source, name)) else _START),
            f"rename it to _{label}, so that its children belong to the rule around it",
        )
        for label, name in strange.items()
    ]
    if first != known[0]:
        message = f"the first rule is {first}; that of a grammar for records is {known[0]}"
        place = source[first].span if first in source.by_name else _START
        help_ = f"put the rule {known[0]} first"
        if is_of_game(file):
            path = file.path.name if isinstance(file, GrammarSource) else file.stem
            message = f"this grammar describes points and moves, not records: it has no {known[0]}"
            help_ = f'name it in the settings of the game: [games.NAME] grammar = "{path}"'
        findings = [unusable(message, place, help_)]
    if findings:
        name = str(grammars.path_of(file))
        raise SgfGrammarError(Report.of(name, source.text, findings))
    return file


def is_of_game(file: File) -> bool:
    """Return whether a grammar describes points and moves of a game, and no records."""
    names = {*grammars.rules(file)}
    return bool(names.intersection(OF_GAME)) and names.isdisjoint([*RECORDS[0], *RECORDS[1]])


def grammar_report(
    file: File, values: frozenset[str] = frozenset(), *, warn: bool = True
) -> Report:
    """Return all findings about a grammar, in the order of its file."""
    text = grammars.text_of(file)
    try:
        findings = sorted(
            _findings(file, values, warn=warn), key=lambda finding: (finding.span, finding.name)
        )
    except RecursionError:
        message = "its brackets, or its rules inside each other, nest too deep to be read"
        help_ = "write long chains as repetitions, such as  item+"
        findings = [unusable(message, _START, help_)]
    return _report(file, text, findings)


def _report(file: File, text: str, findings: Iterable[Finding]) -> Report:
    lines = LineIndex(text)
    name = str(grammars.path_of(file))
    diagnostics = tuple(dict.fromkeys(Diagnostic.of(finding, lines) for finding in findings))
    return Report(name=name, text=text, diagnostics=diagnostics)


def find_ambiguous(file: File, values: Iterable[str] = ()) -> Report:
    """Return terminals that match the same text, which is no error; none without interegular."""
    source = grammar_text(file)
    inside = [name for name in grammars.rules(file) if name in values]
    findings: list[Finding] = []
    for loaded, starts in (
        (grammars.grammar(file), [grammars.first_rule(file)]),
        (grammars.bare(file), inside),
    ):
        try:
            Lark(loaded, parser="lalr", start=starts, strict=True)
        except (GrammarError, LexError) as error:
            terminals = {one.name: one for one in loaded.compile(starts, ())[0]}
            findings += _ambiguous(source, str(error), terminals)
    return _report(file, source.text, findings)


def _findings(file: File, values: frozenset[str], *, warn: bool) -> Iterator[Finding]:
    findings = lint_text(file)
    yield from findings
    if findings:
        return
    source = grammar_text(file)
    try:
        starts = [grammars.first_rule(file)]
    except (LarkError, ValueError, OSError) as error:
        yield _unusable(source, str(error))
        return
    except IndexError:
        yield unusable("the grammar has no rule", _START, "write one")
        return
    inside = [name for name in grammars.rules(file) if name in values]
    yield from _with_parsers(source, file, starts, of_values=False, warn=warn)
    if inside:
        yield from _with_parsers(source, file, inside, of_values=True, warn=warn)


# ---- terminals ----


SLOW_PATTERN = register("L709 slow-pattern error: a pattern whose time grows faster than the text")

#: The power of the length of a text by which its time may grow: above it a pattern is an error,
#: from a little more than 1 on a warning.
_MAX_POWER, _MAX_LINEAR_POWER = 2.5, 1.8


def _wrong_terminals(source: GrammarText, terminals: list[TerminalDef]) -> Iterator[Finding]:
    for terminal in terminals:
        place, name = _terminal_place(source, terminal.name, terminal.pattern.to_regexp())
        if terminal.pattern.min_width == 0:
            message = f"{name} matches the empty text"
            help_ = "let it match a character at least ('+' for '*'), and make it optional in rules"
            yield empty_terminal(message, place, help_)
        elif (power := growth(terminal.pattern.to_regexp())) > _MAX_LINEAR_POWER:
            message = f"{name} needs {_time(power)} for some texts"
            help_ = (
                "its repetitions match the same text in several ways;"
                " let each begin with another character, as in  [^x]*(?:x[^x]*)*"
            )
            severity = Severity.ERROR if power > _MAX_POWER else Severity.WARNING
            yield SLOW_PATTERN.found(message, place, help_, severity)


def _time(power: float) -> str:
    if power == inf:
        return "exponential time"
    name = {2: "square", 3: "cube"}.get(round(power), f"{round(power)}th power")
    return f"time that grows with the {name} of the length"


def _terminal_place(source: GrammarText, name: str, pattern: str) -> tuple[Span, str]:
    """Return the place of a terminal, of its use if it has no name; and its description."""
    if name in source.by_name:
        return source[name].span, f"the terminal {name}"
    for token, span in source.literals:
        if token.type == "REGEXP" and token[1:].rpartition("/")[0].replace("\\/", "/") in pattern:
            return span, "this terminal"
    if "__ANON_" in name:
        return _imported_place(source, name), f"the terminal /{pattern}/"
    return _imported_place(source, name), f"the terminal {name.rpartition('__')[2]}"


def _imported_place(source: GrammarText, name: str) -> Span:
    """Return the place of the import of a rule or terminal, such as ``ff4__NUMBER``."""
    places = [
        imported.place
        for imported in source.imports
        if name.startswith(imported.module.replace(".", "__"))
    ]
    return source.imported.get(name, next(iter(places), _START))


# ---- rules ----


def _with_parsers(
    source: GrammarText, file: File, starts: list[str], *, of_values: bool, warn: bool
) -> Iterator[Finding]:
    loaded = grammars.bare(file) if of_values else grammars.grammar(file)
    try:
        terminals, rules, _ = compiled = loaded.compile(starts, ())
    except (LarkError, re.error) as error:
        yield _unusable(source, str(error))
        return
    derivations = Derivations(rules)
    wrong = [*_left_recursion(source, derivations), *_wrong_terminals(source, terminals)]
    yield from wrong
    if any(finding.severity is not Severity.WARNING for finding in wrong):
        return
    try:
        wording = Wording(source, compiled)
        conflicts = [*_of_conflicts(Automaton(derivations, starts), wording, warn=warn)]
        if all(finding.severity is Severity.WARNING for finding in conflicts):
            parser = Lark(loaded, parser="lalr", start=starts)
            if warn:
                for name, finding in lint_order(source, parser, wording.repetitions()):
                    at = finding.span
                    place = at if any(at) else _terminal_place(source, name, "")[0]
                    conflicts.append(finding._replace(span=place))
    except (LarkError, re.error) as error:
        yield _unusable(source, str(error))
        return
    yield from conflicts


def count_conflicts(file: File, start: str) -> int:
    """Return the number of conflicts of the parser for a rule, by state and token."""
    _, rules, _ = grammars.grammar(file).compile([start], ())
    return sum(1 for _ in Automaton(Derivations(rules), [start]).conflicts())


_HELPER = re.compile(r"__(\w+?)(?:\{.*\})?_(plus|star|opt|maybe)?_?\d+")


def _own(source: GrammarText, name: str) -> Definition | None:
    """Return the definition of a rule of Lark's: that of ``node`` for ``__node_star_2``."""
    helper = _HELPER.fullmatch(name)
    return source.by_name.get((helper[1] if helper else name).partition("{")[0])


#: The texts that a terminal may be shown by.
_CHARACTERS = string.digits + string.ascii_letters

#: Limit of the rules and tokens of a shown tree, and of the tokens of a shown text.
_MAX_SHOWN = 200

#: Limit of the tokens that a finding names.
_MAX_TOKENS = 5


class Wording:
    """The words for rules, tokens and trees of a grammar, as its file spells them."""

    def __init__(self, source: GrammarText, compiled: _Compiled) -> None:
        terminals, self._rules, ignored = compiled
        self._source = source
        self._patterns = {terminal.name: terminal.pattern for terminal in terminals}
        spaces = [re.fullmatch(self._patterns[name].to_regexp(), " ") for name in ignored]
        self._between = " " if any(spaces) else ""
        #: A text of each terminal; its name if no other text is its own.
        self._texts: dict[str, str] = {}
        for name, pattern in sorted(self._patterns.items(), key=lambda row: row[1].type != "str"):
            self._texts[name] = self._text_of(name, pattern)

    def _text_of(self, name: str, pattern: Pattern) -> str:
        """Return a text of a terminal that no other one has; else its name, if it has one."""
        text = str(pattern.value)
        if pattern.type != "str":
            text = sample_text(pattern.to_regexp(), FIRST)
        one: str
        for one in [text, *_CHARACTERS]:
            if re.fullmatch(pattern.to_regexp(), one) and one not in self._texts.values():
                return one
        return text if name.startswith("__ANON_") else name

    def token(self, symbol: Symbol) -> str:
        """Return a token as the grammar spells it: its text, its expression or its name."""
        if symbol == END:
            return "the end of the text"
        return spelled(TerminalDef(symbol.name, self._patterns[symbol.name]))

    def rule(self, name: str) -> str:
        """Return a rule as the grammar spells it: ``node+`` for ``__node_plus_2``."""
        if not _HELPER.fullmatch(name):
            return name if name in self._source.by_name else name.rpartition("__")[2]
        inner = " | ".join(
            " ".join(map(self.symbol, rule.expansion))
            for rule in self._rules
            if rule.origin.name == name and rule.origin not in rule.expansion
        )
        return f"({inner})+" if " " in inner or inner[-1] == "+" else f"{inner}+"

    def repetitions(self) -> dict[str, tuple[str, str]]:
        """Return for terminals that a rule repeats the rule, and the repetition of terminals."""
        expansions: dict[str, list[Sequence[Symbol]]] = {}
        for rule in self._rules:
            expansions.setdefault(rule.origin.name, []).append(rule.expansion)
        repeated: dict[str, tuple[str, str]] = {}
        for name, own in expansions.items():
            helper = _HELPER.fullmatch(name)
            items = [symbols[0] for symbols in own if len(symbols) == 1] if helper else []
            below = [[[item]] if item.is_term else expansions[item.name] for item in items]
            tokens = [symbols[0] for options in below for symbols in options if symbols]
            if not all(len(symbols) == 1 for options in below for symbols in options):
                continue
            if helper and all(token.is_term for token in tokens):
                joined = " | ".join(map(self.token, tokens))
                parts = f"({joined})+" if tokens[1:] else f"{joined}+"
                repeated |= {token.name: (helper[1], parts) for token in tokens}
        return repeated

    def symbol(self, symbol: Symbol) -> str:
        return self.token(symbol) if symbol.is_term else self.rule(symbol.name)

    def place(self, rule: Rule) -> Span:
        """Return the place of a rule, or of its import."""
        own = _own(self._source, rule.origin.name)
        return own.span if own else _imported_place(self._source, rule.origin.name)

    def is_operator(self, rule: Rule) -> bool:
        """Return whether a rule of the file ends with itself, and an alternative begins so."""
        return rule.origin.name in self._source.by_name and is_operator(rule, self._rules)

    def levels(self, rule: Rule) -> tuple[str, Fix]:
        """Return the help and the fix for a rule of operators: a rule for each of their levels."""
        own = self._source[rule.origin.name]
        mark = self._source.text[slice(*own.span)].removesuffix(own.name)
        taken = {*self._source.by_name, *self._source.imported}
        lines = [*write_levels(rule.origin, mark, self._rules, self.symbol, taken)]
        edit = new_edit(own.span.start, own.extent.end, "\n".join(lines))
        fix = new_fix("write a rule for each level of operators", [edit], safe=False)
        return "\n".join(["write a rule for each level, what binds tighter below:", *lines]), fix

    def ended(self, rule: Rule) -> str:
        """Return a rule with a token at its end that the grammar has nowhere else."""
        end = next(one for one in ('";"', '"."', '"end"', '"END"') if one not in self._source.text)
        parts = [*map(self.symbol, rule.expansion), end]
        name = self.rule(rule.origin.name)
        return f"{name}: {' '.join(parts)}" if name in self._source.by_name else f"{name} {end}"

    def text(self, tree: Derivation) -> str:
        tokens = (part.symbol for part in walk_derivation(tree) if part and not part.rule)
        texts = [self._texts[token.name] for token in islice(tokens, _MAX_SHOWN) if token != END]
        cut = "\N{HORIZONTAL ELLIPSIS}" if tree.length > _MAX_SHOWN else ""
        return f"`{self._between.join(texts)}{cut}`"

    def tree(self, tree: Derivation) -> str:
        """Return a tree as an s-expression, shortened; a repetition is one rule."""
        pieces: list[str] = []
        around: list[tuple[Symbol | None, str]] = [(None, "")]
        for part in islice(walk_derivation(tree), _MAX_SHOWN):
            if part is None:
                pieces.append(around.pop()[1])
            elif part.rule is None:
                pieces.append(f" {self.token(part.symbol)}")
            elif part.symbol == around[-1][0] and _HELPER.fullmatch(part.symbol.name):
                around.append((part.symbol, ""))
            else:
                pieces.append(f" ({self.rule(part.rule.alias or part.symbol.name)}")
                around.append((part.symbol, ")"))
        return "".join(pieces).strip() + (" \N{HORIZONTAL ELLIPSIS}" if around[1:] else "")


TWO_READINGS = register("L705 two-readings error: a conflict between rules of a grammar")


def _conflicts(
    automaton: Automaton, *, warn: bool, is_operator: Callable[[Rule], bool]
) -> Iterable[tuple[Counterexample, list[Conflict]]]:
    """Return the conflicts, those of the same rules and verdict together, with what shows them."""
    together: dict[tuple[object, ...], tuple[Counterexample, list[Conflict]]] = {}
    for conflict in automaton.conflicts():
        if not warn and len(conflict.rules) == 1:
            continue
        key: tuple[object, ...] = (frozenset(rule.origin for rule in conflict.rules),)
        if key not in together:
            shown = automaton.counterexample(conflict)
            if len(conflict.rules) > 1 or not is_operator(conflict.rules[0]):
                key = (*key, len(conflict.rules), shown[0])
            together.setdefault(key, (shown, []))
        together[key][1].append(conflict)
    return together.values()


def _of_conflicts(automaton: Automaton, wording: Wording, *, warn: bool) -> Iterator[Finding]:
    """Yield the conflicts, each with a text that shows it; only errors unless asked to warn."""
    found = _conflicts(automaton, warn=warn, is_operator=wording.is_operator)
    for (kind, trees), conflicts in found:
        conflict, *_ = conflicts
        rules = sorted(conflict.rules, key=wording.place)
        names = [*dict.fromkeys(f"`{wording.rule(rule.origin.name)}`" for rule in rules)]
        fix = None
        if len(rules) == 1:
            what, decided, severity = "shift/reduce conflict in", "; the parser shifts", "warning"
            help_ = f"if it should reduce, end with a token of its own:  {wording.ended(rules[0])}"
            if wording.is_operator(rules[0]):
                help_, fix = wording.levels(rules[0])
        else:
            what = f"reduce/reduce conflict {'between' if names[1:] else 'inside'}"
            decided, severity = "", "error"
            help_ = f"join them, or end one with a token of its own:  {wording.ended(rules[-1])}"
        texts = [wording.text(tree) for tree in trees]
        match kind:
            case ConflictKind.AMBIGUOUS:
                reason = f"ambiguous, {texts[0]} has two trees"
                if fix is None:
                    shown = " and ".join(map(wording.tree, differing(*trees)))
                    help_ += f"; the trees differ in {shown}"
            case ConflictKind.MERGED:
                reason = f"{kind}, no text shows it: the parser's table merges two states"
            case _:
                none = "no text with two trees found within the bound"
                reason = none if kind is ConflictKind.NOT_FOUND else str(kind)
                reason += f", {' and '.join(texts)} begin alike" if texts else ""
        tokens = [*dict.fromkeys(wording.token(one.token) for one in conflicts)]
        if len(tokens) > _MAX_TOKENS:
            more = len(tokens) - _MAX_TOKENS + 1
            tokens = [", ".join(sorted(tokens)[:-more]), f"{more} more"]
        message = f"{what} {' and '.join(names)} on {' and '.join(tokens)}: {reason}{decided}"
        place = wording.place(rules[0])
        yield TWO_READINGS.found(message, place, help_, Severity(severity), fix=fix)


AMBIGUOUS_TERMINALS = register(
    "L707 ambiguous-terminals warning: terminals of a grammar that match the same text"
)


def _ambiguous(
    source: GrammarText, error: str, terminals: dict[str, TerminalDef]
) -> Iterator[Finding]:
    """Yield two terminals for one text: Lark's order of terminals decides, which surprises.

    The place is that of the file's own terminal; of two, that of the second.
    """
    match = re.match(r"Collision between Terminals (\w+) and (\w+)", error)
    if match is None:
        return
    first, second = sorted(
        match.groups(),
        key=lambda name: (name in source.by_name, _terminal_place(source, name, "")[0]),
    )
    example = re.search(r"^Example Collision: (.*)$", error, re.MULTILINE)
    such_as = f", such as {example[1]}," if example else ""
    names = [spelled(terminals[name]) for name in (first, second)]
    message = f"the same text{such_as} may be {names[0]} or {names[1]}"
    place = _terminal_place(source, second, "")[0]
    help_ = f"give one a priority: {second}.1: ...; or let them differ"
    yield AMBIGUOUS_TERMINALS.found(message, place, help_)


LEFT_RECURSION = register("L706 left-recursion error: a left-recursive rule of a grammar")


def _left_recursion(source: GrammarText, derivations: Derivations) -> Iterator[Finding]:
    rules, shortest = derivations.rules, derivations.shortest
    endless = {rule.origin.name for rule in rules if rule.origin not in shortest}
    nullable = frozenset(symbol.name for symbol, text in shortest.items() if not text.length)
    begins, equals = _beginnings(rules, nullable)
    for definition in source.definitions:
        name, severity = definition.name, None
        if name in endless:
            message = f"{name} matches no text: each alternative needs {name} again"
            help_ = "add an alternative without it"
        elif _reaches(equals, name):
            message = f"{name} is an alternative of itself"
            help_ = "remove that alternative"
        elif _reaches(begins, name):
            message = f"`{name}` is left-recursive: parsed by Lark, not by the generated engine"
            help_ = "right for operators; a list is parsed faster as a repetition such as  item+"
            severity = Severity.WARNING
        else:
            continue
        yield LEFT_RECURSION.found(message, definition.span, help_, severity)


def _beginnings(rules: list[Rule], nullable: frozenset[str]) -> tuple[_Graph, _Graph]:
    begins: _Graph = {}
    equals: _Graph = {}
    for rule in rules:
        for place, symbol in enumerate(rule.expansion):
            if isinstance(symbol, NonTerminal):
                begins.setdefault(rule.origin.name, set()).add(symbol.name)
                others = [*rule.expansion[:place], *rule.expansion[place + 1 :]]
                if all(other.name in nullable for other in others):
                    equals.setdefault(rule.origin.name, set()).add(symbol.name)
            if symbol.name not in nullable:
                break
    return begins, equals


def _reaches(graph: _Graph, name: str) -> bool:
    return name in reach(graph.get(name, ()), lambda one: graph.get(one, ()))


# ---- everything else ----


def untranslatable(file: File, target: str, error: UntranslatableError) -> Report:
    """Return the report on a grammar that the notation of another tool cannot express."""
    source = grammar_text(file)
    places = (place for token, place in source.literals if token == error.rule)
    place = next(places, None) or _terminal_place(source, error.rule, "")[0]
    name = error.rule.rpartition("__")[2] or error.rule
    message = f"{target} cannot express {name}: {error.reason}"
    return _report(file, source.text, [unusable(message, place, error.help)])


def _unusable(source: GrammarText, error: str) -> Finding:
    first = error.strip().partition("\n")[0].rstrip(".")
    place = _START
    for name in re.findall(r"\w+", first):
        if name in source.by_name:
            place = source[name].span
            break
        if name in source.imported:
            place = source.imported[name]
            break
    message = f"Lark cannot use this grammar: {first}"
    return unusable(message, place, "see the manual of Lark, Grammar Reference")
