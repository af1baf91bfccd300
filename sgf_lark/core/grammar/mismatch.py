"""Mismatches of a text and a grammar, in words that need no knowledge of the grammar."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from sgf_lark.core.findings.diagnostic import cut
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.findings.rules import register
from sgf_lark.core.places import Span

#: Names of the shipped grammars' terminals for people who know the game.
WORDS = {
    "$END": "the end of the text",
    "PROP_IDENT": "a property",
    "PROP_VALUE": "a value in '[...]'",
    "COUNT": "the number of games",
}

#: Limit in characters of a rejected text, so that the message fits on a line.
_SHOWN = 40


GRAMMAR_MISMATCH = register("S199 grammar-mismatch error: text that a custom grammar rejects")


def mismatch(
    error: UnexpectedInput,
    parser: Lark,
    text: str,
    end: int | None = None,
    wanted: Iterable[str] = (),
) -> Finding:
    """Return Lark's exception about a text as a finding.

    Args:
        end: Where the part that was parsed ends; None for the end of the text.
        wanted: The expected terminals, if the caller knows them better than Lark.
    """
    last = len(text) if end is None else end
    span = Span(last, last)
    if isinstance(error, UnexpectedToken):
        wanted = wanted or error.accepts or error.expected
        if error.token.type != "$END" and error.token.start_pos is not None:
            span = Span(error.token.start_pos, error.token.end_pos or error.token.start_pos)
    elif isinstance(error, UnexpectedCharacters):
        wanted = wanted or error.allowed or ()
        at: int = error.pos_in_stream  # type: ignore[assignment]  # lark types it None
        span = Span(at, at + 1)
    actual = "the end of the text" if span.start == last else repr(text[span.start : span.end])
    expected = " or ".join(sorted({terminal_name(parser, name) for name in wanted}))
    message = f"expected {expected or 'nothing more'}, found {cut(actual, _SHOWN)}"
    return unexpected(message, span)


def unexpected(message: str, place: Span, help_: str = "") -> Finding:
    """Return the finding about a text that a grammar rejects."""
    return GRAMMAR_MISMATCH.found(message, place, help_)


def terminal_name(parser: Lark, name: str) -> str:
    """Return the name of a terminal for people: its text, its name in words, or its pattern."""
    pattern = {terminal.name: terminal.pattern for terminal in parser.terminals}.get(name)
    if name == "PROP_VALUE" and pattern is not None and not pattern.value.startswith("\\["):
        return "a value"
    if name in WORDS:
        return WORDS[name]
    if pattern is not None and pattern.type == "str":
        return f"'{pattern.value}'"
    if pattern is not None and name.startswith(("__ANON_", "__IGNORE_")):
        return f"/{pattern.value}/"
    return name.rpartition("__")[2].strip("_").lower().replace("_", " ")
