"""What a grammar has against a text, in words that need no knowledge of the grammar."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.positions import Span

#: Terminals of the shipped grammars, as a person who knows the game would call them.
WORDS = {
    "$END": "the end of the text",
    "PROP_IDENT": "a property",
    "PROP_VALUE": "a value in '[...]'",
    "COUNT": "the number of games",
}

#: Characters of a refused text that fit on a line beside the rest.
_SHOWN = 40


def refusal(
    error: UnexpectedInput,
    parser: Lark,
    text: str,
    end: int | None = None,
    wanted: Iterable[str] = (),
) -> Finding:
    """What Lark has against a text, in words.

    Args:
        error: Its exception.
        parser: Whose it is.
        text: The text.
        end: Where the part that was parsed ends; None for the end of the text.
        wanted: The terminals that would have done, if they are known better than Lark says.
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
    found = "the end of the text" if span.start == last else repr(text[span.start : span.end])
    if len(found) > _SHOWN:
        found = found[: _SHOWN - 1] + "\N{HORIZONTAL ELLIPSIS}"
    expected = " or ".join(words_of(parser, wanted)) or "nothing more"
    return Finding("grammar-mismatch", f"expected {expected}, found {found}", span)


def words_of(parser: Lark, names: Iterable[str]) -> list[str]:
    """What a person calls some terminals, in the order of the alphabet."""
    return sorted({word(parser, name) for name in names})


def word(parser: Lark, name: str) -> str:
    """What a person calls a terminal: its text, its name in words, or how it is written."""
    pattern = next((one.pattern for one in parser.terminals if one.name == name), None)
    if name == "PROP_VALUE" and pattern is not None and not pattern.value.startswith("\\["):
        return "a value"
    if name in WORDS:
        return WORDS[name]
    if pattern is not None and pattern.type == "str":
        return f"'{pattern.value}'"
    if pattern is not None and name.startswith(("__ANON_", "__IGNORE_")):
        return f"/{pattern.value}/"
    return name.rpartition("__")[2].strip("_").lower().replace("_", " ")
