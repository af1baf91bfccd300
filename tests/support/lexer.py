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
    r"|(?P<name>[A-Za-z][A-Za-z0-9]*(?=\s*\[))|(?P<stray>[A-Za-z0-9]+|.)",
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

    What is between a text and a later ``]`` that closes nothing, in one node, is stray.
    """
    result: list[Token] = []
    name, text_end = "", -1  # text_end: the index in the result after the first text of a node
    for match in _TOKEN.finditer(text):
        kind, piece = match.lastgroup or "", match[0]
        if kind == "white":
            continue
        if kind == "mark":
            name, text_end = "", -1
        elif kind == "name":
            name = "".join(char for char in piece if not char.islower()) or piece.upper()
        elif kind == "stray":
            name = ""
            if piece == "]" and text_end >= 0:
                gone = result[text_end:]
                result[text_end:] = [
                    Token("stray", text[one.start : one.end], one.start, one.end) for one in gone
                ]
        elif not name:
            kind = "stray"
        else:
            piece = piece[1:].removesuffix("]")
        result.append(Token(kind, piece, *match.span(), name if kind == "value" else ""))
        if kind == "value" and name in TEXTS and text_end < 0:
            text_end = len(result)
    return result


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
    """Return a record with blanks for all that is neither a text nor of no property."""
    chars = [" "] * len(text)
    for one in tokens(text):
        if one.kind == "stray" or (one.kind == "value" and one.name in TEXTS):
            chars[one.start : one.end] = text[one.start : one.end]
    return "".join(chars)
