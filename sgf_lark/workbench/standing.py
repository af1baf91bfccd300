"""The parser's state at a place of a text, in the words of the standard.

Productions are shown as the grammar quotes them, names as they are spelled there.
"""

from __future__ import annotations

from typing import NamedTuple

from sgf_lark.findings.finding import Finding
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.lint_text import find_definition
from sgf_lark.grammar.loader import File, GrammarSource
from sgf_lark.grammar.tokens import tokenize
from sgf_lark.model.ruleset import RuleSet, RuleSets
from sgf_lark.places import Span
from sgf_lark.read.detect_format import detect_format
from sgf_lark.read.split import find_root_values
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import PropertyTable, capitals
from sgf_lark.values.dialect import Dialect

from .parse_state import Open, ParserState, parse
from .productions import format_of_grammar, productions


class OpenRule(NamedTuple):
    """A production that is not complete at the place.

    Attributes:
        rule: The name of its rule.
        production: The standard's, or the rule itself if it quotes none.
        start: The start of its text.
    """

    rule: str
    production: str
    start: int


class Standing(NamedTuple):
    """The open rules and the next terminals at a place.

    Attributes:
        open: From the outermost to the innermost.
        about: The property of the value around the place; "".
        inside: The token around the place; "".
        follows: The terminals that may come next.
        fault: The mismatch before the place; None if there is none.
    """

    open: tuple[OpenRule, ...]
    about: str
    inside: str
    follows: tuple[str, ...]
    fault: Finding | None


def explain(
    text: str,
    offset: int,
    file: File | None = None,
    start: str | None = None,
    format: Format | None = None,
    table: PropertyTable | None = None,
) -> Standing:
    """Return the parser's state before one character.

    Args:
        text: The text.
        offset: The index of the character, from 0; the length of the text for its end.
        file: The grammar; that of the format of the first game if None.
        start: The rule to begin with; the first one if None.
        format: The format of the values; that of a shipped grammar, or of the text, if None.
        table: The known properties and games; None for those of the standards.
    """
    if format is None and file is not None:
        format = format_of_grammar(file)
    format = format or detect_format(text)
    file = file or grammars.path(format.grammar)
    state = parse(text, file, grammars.rule(file, start), upto=offset)
    opened = _shown(file, state.open)
    known = _Known(format, table or PropertyTable.standard())
    value = _value_at(text, file, state, offset, known)
    if value is None:
        inside = _inside(file, state)
        return Standing(tuple(opened), "", inside, tuple(_words(file, state)), state.finding)
    within = parse(value.text, value.file, value.rule, upto=offset - value.start)
    moved = [open_rule._replace(start=open_rule.start + value.start) for open_rule in within.open]
    opened += _shown(value.file, moved or [Open(value.rule, value.start, [])])
    follows = _words(value.file, within)
    if "$END" in within.follows:
        follows = [*(word for word in follows if word != _END), '"]"']
    fault = within.finding
    if fault is not None:
        span = Span(fault.span.start + value.start, fault.span.end + value.start)
        fault = fault._replace(span=span)
    inside = _inside(value.file, within)
    return Standing(tuple(opened), value.about, inside, tuple(follows), fault)


_END = "the end of the text"


class _Known(NamedTuple):
    """The format of the values around a place, and the known properties and games."""

    format: Format
    table: PropertyTable


class _Value(NamedTuple):
    """The value around a place, and the rule of its type."""

    about: str
    text: str
    start: int
    file: File
    rule: str


def _value_at(
    text: str, file: File, state: ParserState, offset: int, known: _Known
) -> _Value | None:
    """Return the value around a place."""
    if state.inside is not None and state.inside.type == "PROP_VALUE":
        begin = (state.inside.start_pos or 0) + 1
        value = str(state.inside)[1:-1]
    else:
        begin = text.find("[", state.end, offset) + 1
        value = text[begin:offset]
    if not begin or "PROP_VALUE" not in state.follows or not state.open:
        return None
    rules = _rules_at(text, file, state, known)
    ident = capitals(str(next(iter(state.open[-1].children), "")))
    rule = rules.rule(ident)
    about = f"{ident}, a private property"
    if rule is not None:
        about = f"{ident}, {rule.name or ident}: {rule.type}"
    kind = "text" if rule is None else rule.form or rule.types[0][0]
    try:
        value_file, start, _ = rules.reader.kind(kind).place
    except LookupError:
        value_file, start, _ = rules.reader.kind("text").place
    return _Value(about, value, begin, value_file, start)


#: The rules of a single game, of which the outermost open one is that of the place.
_GAME_RULES = ("game_tree", "game")


def _rules_at(text: str, file: File, state: ParserState, known: _Known) -> RuleSet:
    """Return the rule set of the game around a place, with the types of a custom grammar."""
    start = next((outer.start for outer in state.open if outer.rule in _GAME_RULES), 0)
    dialect = Dialect(file) if isinstance(file, GrammarSource) else None
    tokens = tokenize(text, start, len(text), ggf=known.format is Format.GGF)
    values = find_root_values(text, tokens)
    return RuleSets(known.table, dialect=dialect).declared(known.format, values)


def _inside(file: File, state: ParserState) -> str:
    """Return the name of the token around the place."""
    if state.inside is None or state.inside.type == "PROP_VALUE":
        return ""
    return f"{_word(file, state.inside.type)} {str(state.inside)!r}"


def _shown(file: File, rules: tuple[Open, ...] | list[Open]) -> list[OpenRule]:
    result = []
    for open_rule in rules:
        known = find_definition(file, open_rule.rule)
        if known is None:
            continue
        source, definition = known
        production = definition.quoted[0] if definition.quoted else source.written(definition)
        result.append(OpenRule(open_rule.rule, " ".join(production.split()), open_rule.start))
    return result


def _words(file: File, state: ParserState) -> list[str]:
    """Return the next terminals by the standard's names."""
    return sorted({_word(file, name) for name in state.follows})


def _word(file: File, name: str) -> str:
    """Return the standard's name of a terminal, or its text."""
    if name == "$END":
        return _END
    for known in (name, name.lower()):
        place = find_definition(file, known)
        if place is not None and place[1].quoted:
            return place[1].quoted[0].partition("=")[0].strip()
    pattern = productions(file).patterns.get(name)
    if pattern is not None and pattern.type == "str":
        return f'"{pattern.value}"'
    if pattern is not None and name.startswith("__ANON_"):
        return f"/{pattern.value}/"
    return {"PROP_VALUE": "PropValue"}.get(name, name.strip("_"))
