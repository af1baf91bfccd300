"""Lint of grammars: each fault with its place in the file and a help.

Lark's own errors have no places.  Here each kind of fault is searched by itself: in the
text of the file (names), in the rules that Lark made of it (left recursion), in the parsers
that it builds (conflicts), in the patterns of the terminals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from lark import Lark
from lark.exceptions import GrammarError, LarkError, LexError
from lark.grammar import NonTerminal, Rule
from lark.lexer import TerminalDef

from sgf_lark.findings.diagnostic import Diagnostic
from sgf_lark.findings.errors import SgfGrammarError
from sgf_lark.findings.finding import Finding, Severity
from sgf_lark.findings.report import Report
from sgf_lark.findings.rules import register
from sgf_lark.places import LineIndex, Span

from . import loader as grammars
from .lint_regex import is_exponential
from .lint_text import empty_terminal, lint_text
from .loader import File, GrammarSource, by_grammar, unusable
from .source_text import Definition, GrammarText, grammar_text

_START = Span(0, 0)

_Graph: TypeAlias = dict[str, set[str]]


def check_grammar(file: File, values: Iterable[str] = ()) -> File:
    """Return a grammar that has no error.

    Args:
        file: A custom grammar, or a shipped one, which is not checked again.
        values: Types of value to read by it, where it has such rules.

        Raises:
            SgfGrammarError: It has errors; the report lists them.
    """
    if isinstance(file, GrammarSource):
        report = grammar_report(file, frozenset(values))
        if report.errors:
            raise SgfGrammarError(report)
    return file


#: The rules of which records are made, of SGF and of GGF.
RECORDS = (
    ("collection", "game_tree", "sequence", "node", "property"),
    ("file", "match", "game", "property"),
)

#: The rules of a grammar of a game's points and moves.
OF_GAME = ("point", "move", "stone")


@by_grammar
@cache
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
        name = str(file.path if isinstance(file, GrammarSource) else file)
        raise SgfGrammarError(Report.of(name, source.text, findings))
    return file


def is_of_game(file: File) -> bool:
    """Return whether a grammar describes points and moves of a game, and no records."""
    names = {*grammars.rules(file)}
    return bool(names.intersection(OF_GAME)) and names.isdisjoint([*RECORDS[0], *RECORDS[1]])


@by_grammar
@cache
def grammar_report(file: File, values: frozenset[str] = frozenset()) -> Report:
    """Return all findings about a grammar, in the order of its file.

    Args:
        file: The grammar.
        values: Types of value to read by it, where it has such rules.
    """
    text = grammars.text_of(file)
    try:
        findings = sorted(_findings(file, values), key=lambda finding: (finding.span, finding.name))
    except RecursionError:
        message = "its brackets, or its rules inside each other, nest too deep to be read"
        help_ = "write long chains as repetitions, such as  item+"
        findings = [unusable(message, _START, help_)]
    return _report(file, text, findings)


def _report(file: File, text: str, findings: Iterable[Finding]) -> Report:
    lines = LineIndex(text)
    name = str(file.path if isinstance(file, GrammarSource) else file)
    diagnostics = tuple(dict.fromkeys(Diagnostic.of(finding, lines) for finding in findings))
    return Report(name=name, text=text, diagnostics=diagnostics)


def find_ambiguous(file: File, values: Iterable[str] = ()) -> Report:
    """Return the terminals that match the same text: a choice of Lark's, and no error.

    It needs interegular, and is empty without it.

    Args:
        file: A grammar without errors.
        values: Types of value to read by it, where it has such rules.
    """
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
            findings += _ambiguous(source, str(error))
    return _report(file, source.text, findings)


def _findings(file: File, values: frozenset[str]) -> Iterator[Finding]:
    """Yield findings stage by stage: a fault of names makes all later ones meaningless."""
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
    yield from _with_parsers(source, file, starts, of_values=False)
    if inside:
        yield from _with_parsers(source, file, inside, of_values=True)


# ---- terminals ----


EXPONENTIAL_PATTERN = register(
    "L709 exponential-pattern error: a pattern that takes exponential time"
)


def _wrong_terminals(source: GrammarText, terminals: list[TerminalDef]) -> Iterator[Finding]:
    """Yield terminals that may be empty, or need exponential time."""
    for terminal in terminals:
        place, name = _terminal_place(source, terminal.name, terminal.pattern.to_regexp())
        if terminal.pattern.min_width == 0:
            message = f"{name} matches the empty text"
            help_ = "let it match a character at least ('+' for '*'), and make it optional in rules"
            yield empty_terminal(message, place, help_)
        elif is_exponential(terminal.pattern.to_regexp()):
            message = f"{name} needs exponential time for some texts"
            help_ = (
                "its repetitions match the same text in several ways;"
                " let each begin with another character, as in  [^x]*(?:x[^x]*)*"
            )
            yield EXPONENTIAL_PATTERN.found(message, place, help_)


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
    source: GrammarText, file: File, starts: list[str], *, of_values: bool
) -> Iterator[Finding]:
    """Yield the faults that show when parsers with these start rules are built."""
    loaded = grammars.bare(file) if of_values else grammars.grammar(file)
    try:
        terminals, rules, _ = loaded.compile(starts, ())
    except (LarkError, re.error) as error:
        yield _unusable(source, str(error))
        return
    wrong = [*_left_recursion(source, rules), *_wrong_terminals(source, terminals)]
    yield from wrong
    if any(finding.severity is not Severity.WARNING for finding in wrong):
        return
    try:
        Lark(loaded, parser="lalr", start=starts)
    except GrammarError as error:
        yield from _collisions(source, str(error), terminals)
        return
    except (LarkError, re.error) as error:
        yield _unusable(source, str(error))
        return
    try:
        Lark(loaded, parser="lalr", start=starts, strict=True)
    except GrammarError as error:
        yield from _greedy(source, str(error), terminals)
    except LexError:  # terminals for one text, which only find_ambiguous() is about
        pass


_RULE_NAMES = re.compile(r"<(\w+) :")


def _own(source: GrammarText, name: str) -> Definition | None:
    """Return the definition of a rule of Lark's: that of ``node`` for ``__node_star_2``."""
    helper = re.fullmatch(r"__(\w+?)_(?:star|plus|opt|maybe)?_?\d+", name)
    return source.by_name.get(helper[1] if helper else name)


_TERMINAL = re.compile(r"(?:Terminal\('|conflict for terminal )(\$?\w+)")


def _next_token(error: str, terminals: list[TerminalDef]) -> str:
    """Return the next token of a conflict as the grammar spells it: its text, or its name."""
    match = _TERMINAL.search(error)
    name = match[1] if match else "$END"
    if name == "$END":
        return "the end of the text"
    patterns = {terminal.name: terminal.pattern for terminal in terminals}
    if name in patterns and patterns[name].type == "str":
        return f'"{patterns[name].value}"'
    if name in patterns and name.startswith("__ANON_"):
        return f"/{patterns[name].value}/"
    return name


TWO_READINGS = register("L705 two-readings error: a conflict between rules of a grammar")


def _collisions(source: GrammarText, error: str, terminals: list[TerminalDef]) -> Iterator[Finding]:
    """Yield the reduce/reduce conflicts: two rules for the same text."""
    for block in error.split("\n\n"):
        own = [_own(source, name) for name in _RULE_NAMES.findall(block)]
        by_name = {definition.name: definition for definition in own if definition is not None}
        # Lark has a set of them.
        definitions = sorted(by_name.values(), key=lambda definition: definition.span)
        imported = sorted({name for name in _RULE_NAMES.findall(block) if "__" in name.lstrip("_")})
        names = [definition.name for definition in definitions]
        place = definitions[0].span if definitions else _START
        if not definitions and imported:
            names = [name.rpartition("__")[2] for name in imported]
            place = _imported_place(source, imported[0])
        if not names:
            yield _unusable(source, block)
            continue
        at = f"on {_next_token(block, terminals)}"
        if len(names) == 1:
            message = f"reduce/reduce conflict in `{names[0]}` {at}: two alternatives end here"
            help_ = "remove one of them"
        else:
            rules = " and ".join(f"`{name}`" for name in names)
            message = f"reduce/reduce conflict between {rules} {at}: the same text may be either"
            help_ = "let them begin or end differently, or join them"
        yield TWO_READINGS.found(message, place, help_)


def _greedy(source: GrammarText, error: str, terminals: list[TerminalDef]) -> Iterator[Finding]:
    """Yield the shift/reduce conflict of a rule that could end or go on: it goes on."""
    names = _RULE_NAMES.findall(error)
    own = _own(source, names[0]) if names else None
    name = f"`{own.name}`" if own else "a rule"
    message = (
        f"shift/reduce conflict in {name} on {_next_token(error, terminals)}:"
        f" both continuing {name} and ending it are possible; the parser shifts"
    )
    help_ = f"let what follows {name} begin with another token"
    span = own.span if own else _START
    yield TWO_READINGS.found(message, span, help_, Severity.WARNING)


AMBIGUOUS_TERMINALS = register(
    "L707 ambiguous-terminals warning: terminals of a grammar that match the same text"
)


def _ambiguous(source: GrammarText, error: str) -> Iterator[Finding]:
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
    message = f"the same text{such_as} may be {first} or {second}"
    place = _terminal_place(source, second, "")[0]
    help_ = f"give one a priority: {second}.1: ...; or let them differ"
    yield AMBIGUOUS_TERMINALS.found(message, place, help_)


class _Shape(NamedTuple):
    """The rules that may be empty, and those that have any text at all."""

    nullable: frozenset[str]
    finite: frozenset[str]


def _shape(rules: list[Rule]) -> _Shape:
    """Return the rules that may be empty, and those that have any text at all."""
    known: list[set[str]] = []
    for takes_terminals in (False, True):
        done: set[str] = set()
        grown = True
        while grown:
            grown = False
            for rule in rules:
                name = rule.origin.name
                if name not in done and all(
                    takes_terminals if symbol.is_term else symbol.name in done
                    for symbol in rule.expansion
                ):
                    done.add(name)
                    grown = True
        known.append(done)
    return _Shape(frozenset(known[0]), frozenset(known[1]))


LEFT_RECURSION = register("L706 left-recursion error: a left-recursive rule of a grammar")


def _left_recursion(source: GrammarText, rules: list[Rule]) -> Iterator[Finding]:
    """Yield left-recursive rules."""
    shape = _shape(rules)
    endless = {rule.origin.name for rule in rules} - shape.finite
    begins, equals = _beginnings(rules, shape.nullable)
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
            help_ = "to have it parsed faster, write a repetition such as  item+  instead"
            severity = Severity.WARNING
        else:
            continue
        yield LEFT_RECURSION.found(message, definition.span, help_, severity)


def _beginnings(rules: list[Rule], nullable: frozenset[str]) -> tuple[_Graph, _Graph]:
    """Return the rules that each rule may begin with, and those it may equal."""
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
    """Return True if a path leads from a name back to it."""
    seen: set[str] = set()
    waiting = [*graph.get(name, ())]
    while waiting:
        current = waiting.pop()
        if current == name:
            return True
        if current not in seen:
            seen.add(current)
            waiting.extend(graph.get(current, ()))
    return False


# ---- everything else ----


def _unusable(source: GrammarText, error: str) -> Finding:
    """Return Lark's error as a finding, at the first name of the file in it."""
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
