"""The translation of a grammar for the generated engine, with reasons for rules left to Lark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lark import Lark
from lark.exceptions import GrammarError

from sgf_lark.engine.generator import generate_plan
from sgf_lark.engine.ir import UntranslatableError
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File
from sgf_lark.grammar.mismatch import terminal_name
from sgf_lark.grammar.source_text import grammar_text


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


def _below(file: File, start: str, *, of_value: bool) -> Iterator[Translation]:
    try:
        parser = grammars.value(file, start) if of_value else grammars.structure(file, start)
    except GrammarError:
        how = "ambiguous: no engine parses it; used as a quotation only"
        yield Translation(start, how, "", translated=False)
        return
    if parser is None:
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
            how = "nests: read with a stack"
            if plan.table is not None:
                how = "nests: read by a table of what opens and closes"
            yield Translation(name, how, "", translated=True)
        else:
            expression = plan.expression(name) or ""
            yield Translation(name, "one regular expression", expression, translated=True)


def _readable(parser: Lark, name: str) -> str:
    """Return the rule of a helper of Lark's: ``node`` for ``__node_star_2``; a terminal's name."""
    if name.startswith("__") and name.islower():
        return name.strip("_").rpartition("_")[0].rpartition("_")[0]
    return terminal_name(parser, name) if name.isupper() else name
