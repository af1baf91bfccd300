"""Mismatches of a text and a grammar, in words that need no knowledge of the grammar."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from lark import Lark, TextSlice, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import TerminalDef

from sgf_lark.core.findings.diagnostic import cut
from sgf_lark.core.findings.finding import Finding, register
from sgf_lark.core.findings.words import visible
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

#: The tokens before an error among which its cause is searched.
_LOOKED_BACK = 8


GRAMMAR_MISMATCH = register("S199 grammar-mismatch error: text that a custom grammar rejects")


def mismatch(
    error: UnexpectedInput,
    parser: Lark,
    text: str,
    end: int | None = None,
    wanted: Iterable[str] = (),
) -> Finding:
    """Return Lark's exception as a finding; ``wanted`` are terminals that the caller knows."""
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
    return unexpected(message, span, _cause(error, parser, span.start))


def _cause(error: UnexpectedInput, parser: Lark, at: int) -> str:
    """Return why a terminal that fits was not read, by parsing the text again; "" for none."""
    state: Any = getattr(error, "state", None)  # lark publishes no types of it
    thread = getattr(state, "lexer", None)
    if thread is None or thread.state is None:
        return ""  # of Earley's parser, or of tokens without a text
    text = thread.state.text
    machine: Any = parser.parse_interactive(text, start=state.parse_conf.start)
    steps: deque[tuple[Any, int]] = deque(maxlen=_LOOKED_BACK)
    done = text.start
    try:
        for lexer, token in lexed(machine):
            steps += dict.fromkeys([(lexer, done), (lexer, token.start_pos)])
            machine.feed_token(token)
            done = token.end_pos
    except UnexpectedInput:
        steps.append((machine.lexer_thread.lexer.lexers[machine.parser_state.position], done))
    sentences = (overtaken(lexer, text, start, at) for lexer, start in reversed(steps))
    return next(filter(None, sentences), "")


def lexed(machine: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the tokens of Lark's interactive parser, which the caller feeds, and their lexers."""
    lexers, tokens = (
        machine.lexer_thread.lexer.lexers,
        machine.lexer_thread.lex(machine.parser_state),
    )
    while True:
        lexer = lexers[machine.parser_state.position]
        if (token := next(tokens, None)) is None:
            return
        yield lexer, token


def overtaken(lexer: Any, text: TextSlice[str], start: int, at: int) -> str:
    """Return the sentence on a terminal that fits, but is tried too late; "" for none."""
    matched = first_match(lexer, text, start) if start < text.end else None
    if matched is None:
        return ""
    taken, name = matched
    first, lost = lexer.terminals_by_name[name], name in lexer.ignore_types
    for other in lexer.terminals:
        found = re.compile(other.pattern.to_regexp()).match(text.text, start, text.end)
        is_decided = lost and first.priority > other.priority
        if found and other is not first and other.name not in lexer.ignore_types and not is_decided:
            end = start + len(taken)
            if end >= at if lost else found.end() > max(end, at):
                return overtaking(first, other, taken, found[0], lost=lost)
    return ""


def first_match(lexer: Any, text: TextSlice[str], start: int) -> tuple[str, str] | None:
    """Return the text that a lexer takes at a place, and its terminal; None if it takes none."""
    matched: tuple[str, str] | None = lexer.match(text, start)
    if matched is None or matched[1] not in lexer.callback:
        return matched
    return matched[0], lexer.callback[matched[1]](Token(matched[1], matched[0])).type


def overtaking(first: TerminalDef, other: TerminalDef, taken: str, text: str, *, lost: bool) -> str:
    """Return the sentence on a terminal that takes another's text, or is ignored (``lost``)."""
    early, late = spelled(first), spelled(other)
    part, whole = cut(repr(taken), _SHOWN), cut(repr(text), _SHOWN)
    if lost:
        return f"{early} is ignored before {late} is tried, so that {part} is lost"
    return f"{early} is tried before {late}, and takes only {part} of {whole}"


def spelled(terminal: TerminalDef) -> str:
    """Return a terminal as its grammar spells it: its text, its expression or its name."""
    pattern = terminal.pattern
    if pattern.type == "str":
        return f'"{visible(pattern.value)}"'
    is_named = not terminal.name.startswith(("__ANON_", "__IGNORE_"))
    return terminal.name.rpartition("__")[2] if is_named else f"/{pattern.value}/"


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
        return f"'{visible(pattern.value)}'"
    if pattern is not None and name.startswith(("__ANON_", "__IGNORE_")):
        return f"/{pattern.value}/"
    return name.rpartition("__")[2].strip("_").lower().replace("_", " ")
