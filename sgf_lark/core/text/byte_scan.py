"""Games and CA in undecoded bytes.

A scanner knows the lead bytes of its charsets, so that a ``\\`` or ``]`` after one does not
count.  In UTF-8, EUC and Latin text there are no such halves.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from sgf_lark.core.places import Span

from .charset_names import declared


class CharsetPiece(NamedTuple):
    """Bytes that are decoded by one CA: a game with what follows it, or the whole file."""

    start: int
    end: int
    charset: Span | None = None
    name: bytes | None = None

    @classmethod
    def of(cls, data: bytes, start: int, end: int, charset: Span | None) -> CharsetPiece:
        return cls(start, end, charset, data[slice(*charset)].strip() if charset else None)


class Scanner:
    """Tokens of a tree: values, names, ``( ) ;``, characters of two bytes outside of values."""

    def __init__(self, lead: bytes, trail: bytes = rb"\x40-\xfe") -> None:
        pair = rb"[" + lead + rb"][" + trail + rb"]?+" if lead else rb"[^\s\S]"
        self._pair = pair
        self._value = rb"\[(?:[^\\\]" + lead + rb"]++|" + pair + rb"|\\(?:" + pair + rb"|.))*+\]?+"

    @cached_property
    def tokens(self) -> re.Pattern[bytes]:
        return re.compile(self._value + rb"|[A-Za-z]++|[();]|" + self._pair, re.DOTALL)

    @cached_property
    def brackets(self) -> re.Pattern[bytes]:
        return re.compile(self._value + rb"|[()]", re.DOTALL)


_PLAIN = Scanner(b"")
_SCANNERS = {
    _PLAIN: (),
    Scanner(rb"\x81-\xfe"): ("gb18030", "big5"),
    Scanner(rb"\x81-\x9f\xe0-\xfc"): ("cp932", "shift_jis"),
    Scanner(rb"\x81-\xfe", rb"A-Za-z\x81-\xfe"): ("cp949",),
}


class RecordShape(NamedTuple):
    """The shape of a record that bytes make by a scanner, the smaller the better: stray bytes
    between properties, and the number of those, negative.
    """

    strays: int
    properties: int


def shape_of(data: bytes, scanner: Scanner) -> RecordShape:
    strays = properties = 0
    name, end, has_begun = b"", 0, False  # an identifier; the end of the last token
    for token in scanner.tokens.finditer(data):
        kind = data[token.start()]
        strays += len(data[end : token.start()].strip())
        end = token.end()
        if kind == ord("["):
            properties += bool(name)
            strays += not (name or has_begun) or not token[0].endswith(b"]")
            name, has_begun = b"", True
        else:
            strays += len(name)
            name, has_begun = token[0], False
            if not name.isalpha():
                strays += len(name) * (kind not in b"();")
                name = b""
    return RecordShape(strays + len(name) + len(data[end:].strip()), -properties)


_TREE_START = re.compile(rb"\(\s*+(?:;|[A-Z][A-Za-z]*+\s*+\[)")


class _Charset(NamedTuple):
    span: Span | None
    scanner: Scanner


def scanner_of(codec: str | None) -> Scanner:
    for scanner, codecs_ in _SCANNERS.items():
        if codecs_ and (codec or "").startswith(codecs_):
            return scanner
    return _PLAIN


def charset_at(data: bytes, start: int, end: int) -> _Charset:
    """Return the CA in the root node of a tree, for a reader who knows its charset."""
    if not _LIKE_CHARSET.search(data, start, end):
        return _Charset(None, _PLAIN)
    spans: list[Span] = []
    for scanner in _SCANNERS:
        span = _root_charset(data, start, end, scanner)
        if span and scanner_of(declared(data[slice(*span)].strip())) is scanner:
            return _Charset(span, scanner)
        spans += [span] if span else []
    return _Charset(spans[0] if spans else None, _PLAIN)


#: An identifier with the capitals CA, alone or as a part of another.
_LIKE_CHARSET = re.compile(rb"C[a-z]*+A")

#: The usual root node up to the end of CA: a semicolon, and properties without lower case.
_USUAL_CHARSET = re.compile(
    rb"\(\s*+;(?:\s*+(?!CA\s*+\[)[A-Z]++(?:\s*+\[(?:[^\\\]]++|\\.)*+\])++)*+"
    rb"\s*+CA\s*+\[([^\\\]]*+)\]",
    re.DOTALL,
)


def _root_charset(data: bytes, start: int, end: int, scanner: Scanner) -> Span | None:
    usual = _USUAL_CHARSET.match(data, start, end) if scanner is _PLAIN else None
    if usual is not None:
        return Span(*usual.span(1)) if usual[1].strip() else None
    identifier, semicolons = b"", 0
    for token in scanner.tokens.finditer(data, start, end):
        kind = data[token.start()]
        if kind == ord("["):
            # FF[1] to FF[3] allow lower case in identifiers, where it does not count.
            if re.sub(rb"[a-z]", b"", identifier) == b"CA":
                span = Span(token.start() + 1, token.end() - token[0].endswith(b"]"))
                return span if data[slice(*span)].strip() else None
        elif kind == ord(";"):
            semicolons += 1
        elif kind in b"()":
            if token.start() > start:
                return None
        else:
            identifier = token[0]
        if semicolons > 1:
            return None
    return None


def tree_start(data: bytes, start: int) -> int:
    """The start of the next game from a place on; the end of the data if there is none."""
    match = _TREE_START.search(data, start)
    return match.start() if match else len(data)


def _tree_end(data: bytes, start: int, scanner: Scanner) -> int:
    depth = 0
    for token in scanner.brackets.finditer(data, start):
        kind = data[token.start()]
        if kind == ord("["):
            continue
        depth += 1 if kind == ord("(") else -1
        if depth <= 0:
            return token.end()
    return len(data)


def all_of(data: bytes) -> CharsetPiece:
    span = charset_at(data, tree_start(data, 0), len(data)).span
    return CharsetPiece.of(data, 0, len(data), span)


def pieces_of(data: bytes) -> list[CharsetPiece]:
    """The games of a file in which they declare different charsets, else one piece for all."""
    if len(declared_in(data)) < 2:  # noqa: PLR2004
        return [all_of(data)]
    return games_of(data)


#: Anything like CA, wherever it is.
ANY_CHARSET = re.compile(rb"CA\s*+\[([^\[\]]{0,40})\]")


def declared_in(data: bytes) -> set[str | None]:
    return {declared(name.strip()) for name in ANY_CHARSET.findall(data)}


def games_of(data: bytes) -> list[CharsetPiece]:
    start = tree_start(data, 0)
    pieces = []
    begin = 0
    while begin < len(data):
        plain_end = _tree_end(data, start, _PLAIN)
        charset = charset_at(data, start, plain_end)
        end = plain_end
        if charset.scanner is not _PLAIN:
            end = _tree_end(data, start, charset.scanner)
        start = tree_start(data, end)
        pieces.append(CharsetPiece.of(data, begin, start, charset.span))
        begin = start
    return pieces
