"""The way in which each rule is read, and why: as a tape, by an expression or by Lark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lark import Lark
from lark.exceptions import GrammarError

from sgf_lark.core import (
    Count,
    File,
    Format,
    FormatName,
    GrammarSource,
    PropertyTable,
    UntranslatableError,
    UsualGame,
    generate_plan,
    grammars,
    terminal_name,
    usual_game,
)
from sgf_lark.workbench.source_text import grammar_text

from .typed_grammar import grammar_limits, typed_rows


class Translation(NamedTuple):
    """The translation of a rule.

    Attributes:
        rule: Its name.
        how: The translation in words.
        expression: The regular expression that it became, if any.
        translated: The generated engine parses it.
    """

    rule: str
    how: str
    expression: str
    translated: bool


def translate_grammar(file: File, start: str | None = None) -> Iterator[Translation]:
    """Yield the translation of each rule of a grammar, or of those below one rule."""
    structure = grammars.in_structure(file)
    starts = [start] if start else [grammars.first_rule(file)]
    if start is None:
        own = grammar_text(file).by_name
        starts += [rule for rule in grammars.rules(file) if rule not in structure and rule in own]
    yielded: set[str] = set()
    for rule in starts:
        if rule not in yielded and (start or not rule.startswith("_")):
            for translation in _below(file, rule, of_value=rule not in structure):
                if translation.rule not in yielded:
                    yielded.add(translation.rule)
                    yield translation


class TypedTranslation(NamedTuple):
    """The properties of a typed grammar, and what it does not express."""

    properties: list[Translation]
    limits: tuple[str, ...]


def translate_typed(
    format: Format | FormatName,
    game: str | None = None,
    size: tuple[int, int] | None = None,
    table: PropertyTable | None = None,
    grammar: GrammarSource | None = None,
) -> TypedTranslation:
    """Return each property of a typed grammar as an expression of its values.

    Arguments are those of :func:`sgf_lark.workbench.typed_grammar.typed_grammar`.
    """
    properties = []
    for row in typed_rows(format, game, size, table, grammar).values():
        kind, count = row.rule.form or row.rule.type, row.rule.count
        how = kind if count is Count.ONE else f"{count} of {kind}"
        if row.value is None:
            how = f"any value: {row.why}"
        is_translated = row.value is not None
        translation = Translation(row.rule.ident, how, row.value or "", translated=is_translated)
        properties.append(translation)
    return TypedTranslation(properties, grammar_limits(format, game, size, table, grammar))


def _below(file: File, start: str, *, of_value: bool) -> Iterator[Translation]:
    try:
        parser = grammars.value(file, start) if of_value else grammars.structure(file, start)
        usual = None if of_value else usual_game(file)
    except GrammarError:
        how = "ambiguous: no engine parses it; used as a quotation only"
        yield Translation(start, how, "", translated=False)
        return
    if parser is None:
        return
    if usual is not None:
        yield from _structure(parser, usual)
        return
    try:
        plan = generate_plan(parser, start)
    except UntranslatableError as error:
        where = "" if error.rule == start else f" {_readable(parser, error.rule)}:"
        yield Translation(start, f"left to Lark:{where} {error.reason}", "", translated=False)
        return
    except RecursionError:
        how = "left to Lark: its rules are nested too deep"
        yield Translation(start, how, "", translated=False)
        return
    for name in plan.shapes:
        if name.startswith("__"):
            continue
        if plan.nests(name):
            yield Translation(name, "left to Lark: it refers to itself", "", translated=False)
        else:
            expression = plan.expression(name) or ""
            yield Translation(name, "one regular expression", expression, translated=True)


def _structure(parser: Lark, usual: UsualGame) -> Iterator[Translation]:
    """Yield the rules that collections, games and nodes are made of, and properties."""
    is_tape = usual.differing is None
    how = f"read as a tape: its games are those of {usual.format.shown}"
    if usual.differing is not None:
        differing = _readable(parser, usual.differing)
        how = f"left to Lark: {differing} is not that of {usual.format.shown}"
    for name in dict.fromkeys(str(rule.origin.name) for rule in parser.rules):
        if not name.startswith("__"):
            yield Translation(name, how, "", translated=is_tape)


def _readable(parser: Lark, name: str) -> str:
    """Return the rule of a helper of Lark's: ``node`` for ``__node_star_2``; a terminal's name."""
    if name.startswith("__") and name.islower():
        return name.strip("_").rpartition("_")[0].rpartition("_")[0]
    return terminal_name(parser, name) if name.isupper() else name
