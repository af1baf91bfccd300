"""Bytes to text: which encoding a game record is written in.

What decides, first to last: the caller, a byte order mark, pure ASCII, the CA of the root
node, strict UTF-8, and at last a guess from the characters that Go players write.  A charset
may hold ``\\`` and ``]`` as halves of a character, so that text is decoded before any bracket
is read; only CA, and where the next game begins, are looked for in bytes.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from sgf_lark.diagnostics.diagnostic import Edit, Finding, Fix
from sgf_lark.positions import Span

from .byte_scan import Piece, charset_at, name_of, pieces_of, tree_start
from .charset_names import WIDE, codec_of, declared, label
from .detection import KEPT, KEPT_FROM, fits, guess, kept, sample_of


class Decoded(NamedTuple):
    """A file as text.

    Attributes:
        text: All of it, without byte order mark.  A byte ``b`` that is no character stands
            there as the private character ``chr(0x10FF00 + b)``, and :func:`encode` gives
            the bytes back, unless games differ, UTF-16 is in the other order of bytes, or
            the charset writes one rare character in two ways (Shift_JIS, Big5).
        encoding: Python's name of the codec; if games differ, of the first beyond ASCII.
        findings: What was assumed, false or damaged, with places in ``text``.
    """

    text: str
    encoding: str
    findings: tuple[Finding, ...]


#: With what a text in a codec begins: a byte order mark, or the first bracket.
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    *(("(".encode(wide), wide) for wide in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")),
)
SHIFTING = ("hz", "utf-7", "iso2022")
_MULTIBYTE = ("gb18030", "gbk", "gb2312", "big5", "big5hkscs", "cp932", "cp949", "cp950", "euc")
_WAY_OUT = "Give the right one with --encoding, or save the file as UTF-8 with CA[UTF-8]"
_SHOWN_RUNS = 20
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Turn the bytes of a file into text.

    Args:
        data: The whole file, SGF or GGF.
        encoding: What the caller knows better than the file; any name that Python knows
            or that is usual in CA.

    Returns:
        The text with all that was assumed about it.  No content raises: bytes that are no
        character are kept and reported.

    Raises:
        LookupError: ``encoding`` is the name of no text encoding.

    Source:
        FF[4], property CA: names as in RFC 1345 and MIME, ISO-8859-1 if there is none.  A file
        is read by CA as a whole, or game by game if the games differ, never value by value.
    """
    if encoding is not None:
        codec = codec_of(encoding)
        if codec is None:
            raise LookupError(
                f"no text encoding is called {encoding!r}; "
                "give a name such as 'utf-8', 'gb18030', 'shift_jis', 'euc-kr' or 'latin-1', "
                "or none at all to have it found out"
            )
        text = kept(data, codec).removeprefix("\ufeff")
        return Decoded(text, codec, tuple(_undecodable(text, codec)))
    for mark, codec in BOMS:
        if data.startswith(mark):
            return _decode_marked(data, codec)
    if data.isascii():
        charset = charset_at(data, tree_start(data, 0), len(data))
        codec = declared(data[slice(*charset.span)]) if charset.span else None
        if not (codec or "").startswith(SHIFTING):
            return Decoded(data.decode("ascii"), _ascii_name(codec), ())
    return _decode_games(data)


def _decode_marked(data: bytes, codec: str) -> Decoded:
    """Text whose first bytes tell its encoding, whatever CA says."""
    text = kept(data, codec).removeprefix("\ufeff")
    findings = _undecodable(text, codec)
    ascii_only = text.encode("ascii", "replace")  # a byte for a character
    span = charset_at(ascii_only, tree_start(ascii_only, 0), len(ascii_only)).span
    said = declared(ascii_only[slice(*span)]) if span else codec
    if span and (said is None or said[:6] != codec.removesuffix("-sig")[:6]):
        name = text[slice(*span)]
        message = f"CA says {name}, but the file is marked as {label(codec)} and was read so"
        findings.append(_at_charset("false-encoding", message, span))
    elif not span and codec.endswith("e"):
        message = f"nothing names the encoding; read as {label(codec)}, which the text begins with"
        findings.append(in_utf8(Finding("assumed-encoding", message, Span(0, 1))))
    return Decoded(text, codec, tuple(findings))


def _decode_games(data: bytes) -> Decoded:
    """Text by the CA of each game."""
    chosen = _choices(data)
    texts: list[str] = []
    findings: list[Finding] = []
    told: set[bytes | None] = set()
    offset = 0
    for piece, choice in chosen:
        name = name_of(data, piece)
        text = kept(data[piece.start : piece.end], choice.codec)
        if name not in told and (finding := about(choice, data, piece, text, offset)):
            told.add(name)
            findings.append(finding)
        texts.append(text)
        offset += len(text)
    text = "".join(texts)
    codecs_ = [choice.codec for _, choice in chosen]
    used = sorted({label(codec) for codec in codecs_ if codec != "ascii"})
    if len(used) > 1:
        findings.append(several(used))
    first = next((codec for codec in codecs_ if codec != "ascii"), "ascii")
    findings += _undecodable(text, first if len(used) < 2 else "the encoding of their game")  # noqa: PLR2004
    return Decoded(text, first, tuple(sorted(findings, key=lambda one: one.span)))


def _choices(data: bytes) -> list[tuple[Piece, Choice]]:
    """The parts of a file and the codec of each.  Games of the same CA are judged together."""
    pieces = pieces_of(data)
    groups: dict[bytes | None, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(name_of(data, piece), []).append(piece)
    choices = {
        name: choose(b"".join(data[one.start : one.end] for one in group), name)
        for name, group in groups.items()
    }
    return [(piece, choices[name_of(data, piece)]) for piece in pieces]


def about(choice: Choice, data: bytes, piece: Piece, text: str, offset: int) -> Finding | None:
    """What to say of the choice for a piece, whose text begins at an offset.

    It is said of CA, if there is one, else of the first letter beyond ASCII.
    """
    beyond = _BEYOND_ASCII.search(text)
    if choice.rule is None or beyond is None:
        return None
    span = Span(offset + beyond.start(), offset + beyond.end())
    if piece.charset:
        before, value = data[piece.start : piece.charset.start], data[slice(*piece.charset)]
        start = offset + len(kept(before, choice.codec))
        span = Span(start, start + len(kept(value, choice.codec)))
    ident = "CA" if piece.charset else None
    finding = Finding(choice.rule, choice.message, span, property=ident)
    return in_utf8(finding, is_utf8=label(choice.codec) == "UTF-8")


def several(used: list[str]) -> Finding:
    """What to say of games in different encodings."""
    message = f"the games of this file are in different encodings: {', '.join(used[:5])}"
    return in_utf8(Finding("several-encodings", message, Span(0, 1)))


class Part(NamedTuple):
    """Bytes of a file that one codec turns into text: ``data[start:end]``."""

    start: int
    end: int
    codec: str


def parts(data: bytes, encoding: str | None = None) -> tuple[Part, ...]:
    """What :func:`decode` reads by which codec; a byte order mark belongs to none of it.

    The texts of the parts, one behind the other, are the text that it gives.
    """
    text, codec, _ = decode(data, encoding)
    marked = data.startswith(tuple(mark for mark, _ in BOMS))
    if encoding is None and not marked and codec != "ascii" and not data.isascii():
        return tuple(Part(one.start, one.end, choice.codec) for one, choice in _choices(data))
    plain = codec.removesuffix("-sig")
    names = (f"{plain}-le", f"{plain}-be") if plain in WIDE else (plain,)
    for name in names:
        mark = "\ufeff".encode(name, "ignore")
        start = len(mark) if data.startswith(mark) else 0
        if kept(data[start:], name) == text:
            return (Part(start, len(data), name),)
    return (Part(0, len(data), plain),)


class Choice(NamedTuple):
    """A codec, and what to say about it: the name of a rule and a message."""

    codec: str
    rule: str | None = None
    message: str = ""


def choose(data: bytes, name: bytes | None) -> Choice:
    """The codec for the games of one CA, and what to say about it."""
    said = declared(name) if name is not None else None
    if data.isascii() and not (said or "").startswith(SHIFTING):
        return Choice(_ascii_name(said))
    sample = sample_of(data)
    is_utf8 = fits(data, "utf-8") or _mostlyfits(sample, "utf-8", 3)
    codec, sure = ("utf-8", False) if is_utf8 else guess(data, sample)
    if said and not said.startswith(WIDE):  # in those, CA could not have been read
        if is_utf8:
            letters = _BEYOND_ASCII.findall(sample.decode("utf-8", "replace"))
            # By chance a letter of another charset is seldom UTF-8; six Chinese ones never.
            enough = 6 if said.startswith(_MULTIBYTE) else 1
            true = said == "utf-8" or (len(letters) < enough and fits(data, said))
        elif said == "utf-8":
            true = _mostlyfits(sample, said, 1)
        else:
            true = (
                said == codec
                or fits(data, said)
                or (not sure and (_mostlyfits(sample, said, 10) or _fits_but_once(sample, said)))
            )
        if true:
            return Choice(_plain_name(said, data))
    codec = _plain_name(codec, data)
    if name is None:
        if sure and codec == "iso8859-1":
            return Choice(codec)
        return Choice(
            codec, "assumed-encoding", f"no CA names the encoding; read as {label(codec)}"
        )
    shown = name.decode("latin-1")
    if said is None:
        message = f"CA says {shown}, which is no known encoding; read as {label(codec)}"
        return Choice(codec, "unknown-encoding", message)
    wrong = f"the bytes are not {shown}"
    if said.startswith(WIDE):  # a file is read as a whole; see :func:`decode`
        wrong = f"the brackets are single bytes, and no {shown}"
    message = f"CA says {shown}, but {wrong}; read as {label(codec)}"
    return Choice(codec, "false-encoding", message)


def _ascii_name(codec: str | None) -> str:
    """What pure ASCII is called: as CA has it, if it can be so."""
    return "ascii" if codec is None or codec.startswith(WIDE) else codec


def _plain_name(codec: str, data: bytes) -> str:
    """ISO-8859-1 where it says the same as its superset."""
    return "iso8859-1" if codec == "cp1252" and not re.search(rb"[\x80-\x9f]", data) else codec


def _mostlyfits(sample: bytes, codec: str, times: int) -> bool:
    """Whether a text is in an encoding: sound letters are so many times the damaged bytes."""
    text = kept(sample, codec)
    damaged = sum(len(run) for run in KEPT.findall(text))
    return damaged * (times + 1) <= len(_BEYOND_ASCII.findall(text))


def _fits_but_once(sample: bytes, codec: str) -> bool:
    """One place is damaged, and there are sound letters."""
    text = kept(sample, codec)
    damaged = KEPT.findall(text)
    return len(damaged) == 1 and len(_BEYOND_ASCII.findall(text)) >= len(damaged[0]) + _SOUND


#: So many letters are hardly sound by chance.
_SOUND = 2


def encode(text: str, encoding: str) -> bytes:
    """The bytes of a text, those that were no character included."""
    encoder = codecs.getincrementalencoder(encoding)()  # one, for one byte order mark
    parts = re.split(f"({KEPT.pattern})", text)
    return b"".join(
        bytes(ord(char) - KEPT_FROM for char in part) if index % 2 else encoder.encode(part)
        for index, part in enumerate(parts)
    )


def in_utf8(finding: Finding, *, is_utf8: bool = False) -> Finding:
    """A finding about an encoding with its fix: UTF-8, declared.

    It is safe if the file is UTF-8 already, or each game says rightly what it is in; else
    somebody has to see whether the encoding was guessed rightly.
    """
    message = "declare CA[UTF-8]" if is_utf8 else "save the file as UTF-8, with CA[UTF-8]"
    edits: tuple[Edit, ...] = ()
    if finding.property == "CA":
        start, end = finding.span
        edits = (Edit(offset=start, end_offset=end, replacement="UTF-8"),)
    safe = is_utf8 or finding.name == "several-encodings"
    fix = Fix(message=message, safe=safe, edits=edits, encoding="utf-8")
    return finding._replace(fix=fix, help=message)


def _at_charset(rule: str, message: str, span: Span) -> Finding:
    return in_utf8(Finding(rule, message, span, property="CA"))


def _undecodable(text: str, codec: str) -> list[Finding]:
    """A finding for each run of bytes that are no character; of many, one for the rest."""
    damage = Damage()
    return [*damage.find(text, 0, codec), *damage.end()]


class Damage:
    """Bytes that are no character, in a text that may come in several parts."""

    def __init__(self) -> None:
        self._count = 0
        self.last = Span(0, 0)

    def find(self, text: str, offset: int, codec: str) -> list[Finding]:
        """Those in a part that begins at an offset, up to a number; no run is cut by its end."""
        if text.isascii():
            return []
        charset = label(codec) if " " not in codec else codec
        found: list[Finding] = []
        for run in KEPT.finditer(text):
            span = self.last = Span(offset + run.start(), offset + run.end())
            self._count += 1
            if self._count > _SHOWN_RUNS:
                continue
            shown = " ".join(f"{ord(char) - KEPT_FROM:02X}" for char in run[0][:8])
            more = " ..." if len(run[0]) > 8 else ""  # noqa: PLR2004
            message = f"the bytes {shown}{more} are no character in {charset}"
            found.append(Finding("undecodable-bytes", message, span, _WAY_OUT))
        return found

    def end(self) -> list[Finding]:
        """One for all those beyond that number."""
        rest = self._count - _SHOWN_RUNS
        if rest <= 0:
            return []
        message = f"bytes that are no character stand in {rest} more places, the last one here"
        return [Finding("undecodable-bytes", message, self.last, _WAY_OUT)]
