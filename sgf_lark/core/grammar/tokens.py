"""Tokens of a text, without its structure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from sgf_lark.core.findings.diagnostic import shorten

from . import grammars
from .grammars import File, by_grammar


class GameSpan(NamedTuple):
    """A part of a text: ``text[start:end]`` is a game record, of GGF or not, or between two."""

    start: int
    end: int
    is_game: bool
    ggf: bool = False


@cache  # asked for each name and value
def lexer(start: str, only: str = "") -> re.Pattern[str]:
    """Return the terminals below one rule of lexical.lark, or one, as one regular expression."""
    terminals = grammars.terminals(grammars.path("lexical"), start)
    chosen = {only: terminals[only]} if only else terminals
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in chosen.items()))


def tokenize(text: str, start: int, end: int, *, ggf: bool = False) -> Iterator[RawToken]:
    """Cut a part of a text into tokens, white space left out; never fails."""
    make = partial(tuple.__new__, RawToken)  # as _make, in C
    for match in lexer("ggf_tokens" if ggf else "tokens").finditer(text, start, end):
        kind = match.lastgroup
        if kind is not None and kind != "WS":
            yield make((kind, *match.span()))


def why_unwritable(name: str, raws: Sequence[str], *, ggf: bool = False) -> str | None:
    """Return why no text, also one with a forbidden name, holds a property; None if one can."""
    pattern = lexer("ggf_tokens" if ggf else "tokens")
    match = pattern.fullmatch(name)
    if match is None or match.lastgroup != "IDENT":
        return f"invalid property name {shorten(name)!r}: expected letters and digits"
    if not raws:
        return f"{name} needs a value"
    if ggf and len(raws) > 1:
        return f"{name} has {len(raws)} values: expected one, as GGF has it"
    for raw in raws:
        if "]" in raw or (not ggf and raw.endswith("\\")):
            value = pattern.fullmatch(f"[{raw}]")
            if value is None or value.lastgroup not in {"PROP_VALUE", "GGF_VALUE"}:
                expected = "no ']'" if ggf else "'\\' before each ']', and before a last '\\'"
                return f"invalid value {shorten(raw)!r} of {name}: expected {expected}"
    return None


@by_grammar
def name_pattern(file: File) -> re.Pattern[str]:
    """Return the expression of a property's name in a grammar."""
    return re.compile(grammars.terminals(file, "property").get("PROP_IDENT", ".+"))


def split_values(values: str) -> tuple[str, ...]:
    """Return the raw values of a property, for all of them with their brackets."""
    if values.find("]", 1) == len(values) - 1:
        return (values[1:-1],)
    return tuple([value[1:-1] for value in lexer("tokens", "PROP_VALUE").findall(values)])


def is_value(file: File, start: str, text: str) -> bool:
    own = grammars.generated(file, start, of_value=True)
    expression = None if own is None else own.plan.expression(start)
    if expression is not None:
        return re.fullmatch(expression, text) is not None
    from lark.exceptions import UnexpectedInput

    parser = grammars.value(file, start)
    try:
        return parser is not None and parser.parse(text) is not None
    except UnexpectedInput:
        return False


class RawToken(NamedTuple):
    """A token: its kind and its place.  An inserted one is empty."""

    kind: str
    start: int
    end: int


#: Kinds of a value that the end of the text cuts off, and of all values.
UNCLOSED = frozenset({"UNCLOSED_VALUE", "GGF_UNCLOSED"})
VALUES = UNCLOSED | {"PROP_VALUE", "GGF_VALUE"}
