"""Lint of terminals that are tried one before the other.

Lark's lexer does not take the longest text: of the terminals that may come it tries one after the
other, by priority, and those without a longest text first.  So ``/[0-9]+/`` takes the ``1`` of
``"1-0"``, and ``%ignore /\\s+/`` the white space that a text begins with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from lark import Lark, TextSlice
from lark.lexer import TerminalDef

from sgf_lark.core import (
    Finding,
    Fix,
    Span,
    first_match,
    new_edit,
    new_fix,
    overtaking,
    register,
    spelled,
)
from sgf_lark.workbench.source_text import GrammarText

from .patterns import FIRST, text_of

CUT_TERMINAL = register(
    "L713 cut-terminal warning: a terminal of a grammar that another one cuts short"
)
IGNORED_TEXT = register("L714 ignored-text warning: text of a terminal that a grammar ignores")

#: The number of random texts of a terminal that are tried, and their longest.
_TEXTS, _MAX_LENGTH = 20, 200


def lint_order(
    source: GrammarText, parser: Lark, repetitions: dict[str, tuple[str, str]]
) -> Iterator[tuple[str, Finding]]:
    """Yield terminals whose texts are taken by others, each with a finding.

    The place is that of the definition or of the first use in a rule; (0, 0) if it has neither.

    Args:
        repetitions: For terminals that a rule repeats the rule, and the repetition as the grammar
            spells it.
    """
    texts = {terminal.name: _texts_of(terminal) for terminal in parser.terminals}
    lexers: Any = parser.parser.lexer.lexers  # of the contextual lexer
    seen: set[tuple[str, str]] = set()
    advice = _Advice(source, repetitions)
    for lexer in {id(one): one for one in lexers.values()}.values():
        spaces = [text for name in lexer.ignore_types for text in texts[name]]
        for other in lexer.terminals:
            if other.name in lexer.ignore_types:
                continue
            is_own = re.compile(other.pattern.to_regexp()).fullmatch
            for text in filter(is_own, [*texts[other.name], *spaces]):
                taken, name = first_match(lexer, TextSlice.cast_from(text), 0) or (text, other.name)
                lost, pair = name in lexer.ignore_types, (name, other.name)
                if pair in seen or name == other.name or not (lost or len(taken) < len(text)):
                    continue
                seen.add(pair)
                first = lexer.terminals_by_name[name]
                if first.priority > other.priority:
                    continue  # who gave it one has decided
                message = overtaking(first, other, taken, text, lost=lost)
                rule = IGNORED_TEXT if lost else CUT_TERMINAL
                place, help_, fix = advice.on(first, other, lost=lost)
                yield other.name, rule.found(message, place, help_, fix=fix)


def _texts_of(terminal: TerminalDef) -> list[str]:
    pattern, dice = terminal.pattern, Random(0)  # noqa: S311  # the same ones every time
    if pattern.type == "str":
        return [pattern.value]
    if pattern.min_width > _MAX_LENGTH:
        return []
    made = (text_of(pattern.to_regexp(), each) for each in [FIRST, *[dice] * _TEXTS])
    return [text for text in dict.fromkeys(made) if len(text) <= _MAX_LENGTH]


class _Advice:
    """Advice on terminals that should be tried first."""

    def __init__(self, source: GrammarText, repetitions: dict[str, tuple[str, str]]) -> None:
        self._source = source
        self._repetitions = repetitions
        self._names = {*source.by_name, *source.imported}

    def on(
        self, first: TerminalDef, other: TerminalDef, *, lost: bool
    ) -> tuple[Span, str, Fix | None]:
        """Return the place of a terminal that another one is tried before, a help and a fix."""
        priority, source = first.priority + 1, self._source
        own = source.by_name.get(other.name)
        if lost and other.name in self._repetitions and other.pattern.max_width == 1:
            rule, repetition = self._repetitions[other.name]
            name = self._new(rule.upper())
            help_ = f"nothing is ignored inside a terminal: write  {name}: {repetition}"
            place = own.span if own else Span(0, 0)
            return place, f"{help_}  and, in `{rule}`, {name} for that repetition", None
        if own is not None:
            old = re.compile(r"\.-?[0-9]+|").match(source.text, own.span.end)
            at = (own.span.end, old.end() if old else own.span.end)
            text = source.text[at[1] : own.extent.end].lstrip(": \t")
            help_ = f"let it be tried first, by a priority:  {own.name}.{priority}: {text}"
            fix = new_fix("give it a priority", [new_edit(*at, f".{priority}")], safe=False)
            return own.span, help_, fix
        uses = [place for token, place in source.literals if token == other.pattern.raw]
        rules = [rule for rule in source.definitions if not rule.is_terminal]
        inside = [
            (place, rule.name)
            for place in uses
            for rule in rules
            if rule.extent.start <= place.start < rule.extent.end
        ]
        if not inside:
            help_ = f"let it be tried first: give {spelled(other)} the priority {priority}"
            return Span(0, 0), help_, None
        name = self._new("_" * (other.pattern.type == "str") + inside[0][1].upper().lstrip("_"))
        line = f"{name}.{priority}: {other.pattern.raw}"
        edits = [
            *((*place, name) for place, _ in inside),
            *[(len(source.text),) * 2 + (f"\n{line}\n",)],
        ]
        fix = new_fix(
            "name it, and give it a priority", [new_edit(*one) for one in edits], safe=False
        )
        return inside[0][0], f"let it be tried first, by a name and a priority:  {line}", fix

    def _new(self, name: str) -> str:
        names = (name, *(f"{name}_{number}" for number in range(2, len(self._names) + 3)))
        free = next(one for one in names if one not in self._names)
        self._names.add(free)
        return free
