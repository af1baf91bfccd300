"""The parser's state at a place of a text, in the words of the standard.

Productions are shown as the grammar quotes them, names as they are spelled there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sgf_lark.core import (
    Dialect,
    File,
    Finding,
    Format,
    GrammarSource,
    PropertyTable,
    RuleSet,
    RuleSets,
    capitals,
    detect_format,
    find_root_values,
    grammars,
    tokenize,
)

from .coverage import format_of_grammar, productions
from .lint_text import find_definition
from .parse_state import Open, ParserState, parse


class OpenRule(NamedTuple):
    rule: str
    production: str  # the standard's, or the rule itself if it quotes none
    start: int


class Standing(NamedTuple):
    """The open rules and the next terminals at a place."""

    open: tuple[OpenRule, ...]
    about: str  # the property of the value around the place; ""
    inside: str  # the token around the place; ""
    follows: tuple[str, ...]
    fault: Finding | None  # the mismatch before the place; None if there is none


def find_standing(
    text: str,
    offset: int,
    file: File | None = None,
    start: str | None = None,
    format: Format | None = None,
    table: PropertyTable | None = None,
) -> Standing:
    """Return the parser's state before the character at an offset, from 0 to the text's length.

    Without a grammar it is that of the first game's format, without a rule the first one.
    """
    if format is None and file is not None:
        format = format_of_grammar(file)
    format = format or detect_format(text)
    file = file or grammars.path(format.grammar)
    state = parse(text, file, grammars.rule(file, start), upto=offset)
    opened = _shown(file, state.open, 0)
    value = _value_at(text, file, state, offset, format, table or PropertyTable.standard())
    if value is None:
        inside, follows = _inside(file, state), _words(file, state)
        return Standing(tuple(opened), "", inside, tuple(follows), state.finding)
    within = parse(value.text, value.file, value.rule, upto=offset - value.start)
    opened += _shown(value.file, within.open or [Open(value.rule, 0, [])], value.start)
    follows = _words(value.file, within)
    if "$END" in within.follows:
        follows = [*(word for word in follows if word != _END), '"]"']
    fault = within.finding and within.finding.moved(value.start)
    inside = _inside(value.file, within)
    return Standing(tuple(opened), value.about, inside, tuple(follows), fault)


_END = "the end of the text"


class _Value(NamedTuple):
    """The value around a place, and the rule of its type."""

    about: str
    text: str
    start: int
    file: File
    rule: str


def _value_at(
    text: str, file: File, state: ParserState, offset: int, format: Format, table: PropertyTable
) -> _Value | None:
    if state.inside is not None and state.inside.type == "PROP_VALUE":
        begin = (state.inside.start_pos or 0) + 1
        value = str(state.inside)[1:-1]
    else:
        begin = text.find("[", state.end, offset) + 1
        value = text[begin:offset]
    if not begin or "PROP_VALUE" not in state.follows or not state.open:
        return None
    rules = _rules_at(text, file, state, format, table)
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


def _rules_at(
    text: str, file: File, state: ParserState, format: Format, table: PropertyTable
) -> RuleSet:
    """Return the rule set of the game around a place, with the types of a custom grammar."""
    start = next((outer.start for outer in state.open if outer.rule in _GAME_RULES), 0)
    dialect = Dialect(file) if isinstance(file, GrammarSource) else None
    tokens = tokenize(text, start, len(text), ggf=format is Format.GGF)
    return RuleSets(table, dialect=dialect).declared(format, find_root_values(text, tokens))


def _inside(file: File, state: ParserState) -> str:
    if state.inside is None or state.inside.type == "PROP_VALUE":
        return ""
    return f"{_word(file, state.inside.type)} {str(state.inside)!r}"


def _shown(file: File, rules: Iterable[Open], start: int) -> list[OpenRule]:
    result = []
    for name, at, *_ in rules:
        if known := find_definition(file, name):
            source, definition = known
            production = next(iter(definition.quoted), None) or source.written(definition)
            result.append(OpenRule(name, " ".join(production.split()), start + at))
    return result


def _words(file: File, state: ParserState) -> list[str]:
    return sorted({_word(file, name) for name in state.follows})


def _word(file: File, name: str) -> str:
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
