"""A lexer of SGF that shares nothing with the package: an oracle for the text of records.

It knows brackets, escapes and the names of the standards' text properties, no more.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Properties whose values are free text, in FF[1], FF[3] or FF[4].
TEXTS = frozenset(re.findall("..?", "ANAPBRBTCPEVGCGNIDLBONOTPBPCPWRORUSOUSWRWT")) | {"C", "N"}

_TOKEN = re.compile(
    r"(?P<value>\[[^\]\\]*+(?:\\.[^\]\\]*+)*+(?:\]|\\?\Z))|(?P<mark>[();])|(?P<white>\s+)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]*(?=\s*\[))"
    r"|(?P<stray>[^\W_]+?(?=[A-Za-z][A-Za-z0-9]*\s*\[|[\W_]|\Z)|.)",
    re.DOTALL,
)


class Token(NamedTuple):
    """A piece of a record: a bracket or ``;``, a name, a value, or text of no property.

    Attributes:
        kind: ``mark``, ``name``, ``value`` or ``stray``.
        text: The piece itself; of a value without its brackets.
        start, end: Its place, brackets included.
        name: The capitals of the name of a value.
    """

    kind: str
    text: str
    start: int
    end: int
    name: str = ""


def tokens(text: str) -> list[Token]:
    """Cut a record into its pieces, white space left out.

    A text whose own ``[`` is open where its value ends goes on up to the ``]`` for it, in the
    same node: that is stray.
    """
    result: list[Token] = []
    opened: list[int] = []  # for each open '[' of a text, the index in the result after its value
    name = ""
    for match in _TOKEN.finditer(text):
        kind, piece = match.lastgroup or "", match[0]
        if kind == "value" and name:
            if result[-1].kind == "value":
                opened.clear()
            piece = piece[1:].removesuffix("]")
            result.append(Token(kind, piece, *match.span(), name))
            opened += [len(result)] * (_count_open(piece) if name in TEXTS else 0)
        elif kind != "white":
            result.append(Token("stray" if kind == "value" else kind, piece, *match.span()))
            name = _in_capitals(piece) if kind == "name" else ""
        if kind == "mark":
            opened.clear()
        elif piece == "]" and opened and (first := opened.pop()) not in opened:
            rest = [(one.start, one.end) for one in result[first:]]
            result[first:] = [Token("stray", text[at:end], at, end) for at, end in rest]
    return result


def _in_capitals(name: str) -> str:
    return "".join(char for char in name if not char.islower()) or name.upper()


def _count_open(raw: str) -> int:
    count = 0
    for bracket in re.findall(r"\[|\]", raw):
        count = count + 1 if bracket == "[" else max(0, count - 1)
    return count


def texts(text: str) -> Iterator[str]:
    """Yield the values of text properties as written, and each text that belongs to no property."""
    for kind, piece, _, _, name in tokens(text):
        if kind == "stray" or (kind == "value" and (name in TEXTS)):
            yield piece


def characters(text: str) -> Counter[str]:
    """Count the letters and digits of the texts of a record; see :func:`texts`."""
    return Counter(char for piece in texts(text) for char in piece if char.isalnum())


def words(text: str) -> Counter[str]:
    """Count the words of the texts of a record; see :func:`texts`."""
    return Counter(word for piece in texts(text) for word in re.findall(r"[^\W_]+", piece))


def masked(text: str) -> str:
    """Return a record with blanks for all that is neither a text nor of no property.

    What is before the first game is of no property, and its brackets open no value.
    """
    first = re.search(r"\(\s*(?:;|[A-Za-z][A-Za-z0-9]*\s*\[)", text)
    start = first.start() if first else 0
    chars = [*text[:start], *" " * (len(text) - start)]
    for one in tokens(" " * start + text[start:]):
        if one.kind == "stray" or (one.kind == "value" and one.name in TEXTS):
            chars[one.start : one.end] = text[one.start : one.end]
    return "".join(chars)
