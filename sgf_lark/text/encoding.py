"""Bytes to text, and text to bytes.

A charset may hold ``\\`` and ``]`` as halves of a character, so that text is decoded before
any bracket is read; only CA, and where the next game begins, are looked for in bytes.
:mod:`.choice` decides on the encoding.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from sgf_lark.findings.finding import Finding

from .byte_scan import name_of, pieces_of
from .charset_names import WIDE
from .choice import decode_certain
from .detection import KEPT, KEPT_FROM, kept
from .incremental import Damage, Decoder


class Decoded(NamedTuple):
    """A file as text.

    Attributes:
        text: All of it, without byte order mark.  A byte ``b`` that is no character stands
            there as the private character ``chr(0x10FF00 + b)``, and :func:`encode` gives
            the bytes back, unless games differ, UTF-16 is in the other order of bytes, or
            the charset writes one rare character in two ways (Shift_JIS, Big5).
        encoding: Python's name of the codec; if games differ, of the first beyond ASCII.
        findings: What was assumed, false or damaged, by their places in ``text``.
    """

    text: str
    encoding: str
    findings: tuple[Finding, ...]


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
    """
    certain = decode_certain(data) if encoding is None else None
    if certain is not None:
        return Decoded(*certain, ())
    return _decode(data, encoding)[0]


def _decode(data: bytes, encoding: str | None) -> tuple[Decoded, Decoder]:
    decoder, damage = Decoder(encoding), Damage()
    text = decoder.decode(data, final=True)
    findings = [*decoder.findings, *decoder.end()]
    findings += [*damage.find(text, 0, decoder.label), *damage.end()]
    in_order = tuple(sorted(findings, key=lambda finding: finding.span))
    return Decoded(text, decoder.encoding, in_order), decoder


class Section(NamedTuple):
    """Bytes of a file that one codec turns into text: ``data[start:end]``."""

    start: int
    end: int
    codec: str


def decode_sections(
    data: bytes, encoding: str | None = None
) -> tuple[Decoded, tuple[Section, ...]]:
    """Return what :func:`decode` returns, and the sections, without a byte order mark.

    The texts of the sections, one after the other, are the text.
    """
    certain = decode_certain(data) if encoding is None else None
    if certain is not None:
        whole = Section(0, len(data), certain[1].removesuffix("-sig"))
        return Decoded(*certain, ()), (whole,)
    decoded, decoder = _decode(data, encoding)
    if decoder.choices:
        return decoded, tuple(
            Section(piece.start, piece.end, decoder.choices[name_of(data, piece)].codec)
            for piece in pieces_of(data)
        )
    plain = decoder.encoding.removesuffix("-sig")
    names = (f"{plain}-le", f"{plain}-be") if plain in WIDE else (plain,)
    for name in names:
        mark = "\ufeff".encode(name, "ignore")
        start = len(mark) if data.startswith(mark) else 0
        if kept(data[start:], name) == decoded.text:
            return decoded, (Section(start, len(data), name),)
    return decoded, (Section(0, len(data), plain),)


def encode(text: str, encoding: str) -> bytes:
    """The bytes of a text, those that were no character included."""
    encoder = codecs.getincrementalencoder(encoding)()  # one, for one byte order mark
    runs = re.split(f"({KEPT.pattern})", text)
    return b"".join(
        bytes(ord(char) - KEPT_FROM for char in run) if index % 2 else encoder.encode(run)
        for index, run in enumerate(runs)
    )
