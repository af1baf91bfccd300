"""Bytes to text, and text to bytes.

A charset may hold ``\\`` and ``]`` as halves of a character, so that text is decoded before
any bracket is read; only CA, and where the next game begins, are looked for in bytes.
:class:`Decoder` takes a window of the bytes, :mod:`.choice` chooses the codec by it, and that
decodes what comes until a CA contradicts.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from sgf_lark.core import late
from sgf_lark.core.findings.finding import Finding, register
from sgf_lark.core.places import LineIndex, Span
from sgf_lark.core.schema.formats import ADDED

from .byte_scan import (
    ANY_CHARSET,
    CharsetPiece,
    all_of,
    charset_at,
    declared_in,
    games_of,
    pieces_of,
)
from .charset_names import WIDE, declared, label, require_codec
from .choice import (
    BOMS,
    SHIFTING,
    UTF8,
    CodecChoice,
    about,
    about_mark,
    ascii_name,
    choose,
    in_utf8,
    several,
)
from .detection import KEPT, KEPT_FROM, KEPT_UTF8, Evidence, kept

#: The bytes by which an encoding is judged, and those kept of the beginning of the file.
WINDOW = HEAD = 1 << 18

#: A CA that the next bytes may go on.
_CUT_CHARSET = re.compile(rb"C(?:A\s*+(?:\[[^\[\]]{0,40}+)?)?\Z")

#: Bytes that are no half of a character in any charset but the wide ones.
_SAFE = b"\n\r ();"

#: A root node begins at most so far before its CA, if that is to be noticed.
_ROOT = 1 << 10

_MARKS = tuple(mark for mark, _ in BOMS)


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
    return _decode(data, encoding)[0]


def _decode(data: bytes, encoding: str | None) -> tuple[Decoded, Decoder]:
    decoder, damage = Decoder(encoding), Damage()
    text = "".join(decoder.texts(iter([(data, True)])))
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
    """Return what :func:`decode` returns, and the sections, whose texts make the text."""
    decoded, decoder = _decode(data, encoding)
    if not decoder.choices:
        return decoded, (Section(len(decoder.mark), len(data), decoder.codec),)
    return decoded, tuple(
        Section(piece.start, piece.end, decoder.choices[piece.name].codec)
        for piece in pieces_of(data)
    )


class Decoder:
    """Turns the bytes of a file into text, all at once or as they come; ``encoding`` as of decode.

    Attributes:
        findings: What was assumed or false, with places in the text; whoever reads it empties it.
        choices: By the names in CA, where something had to be decided: the choices.
        mark: The byte order mark.
    """

    def __init__(self, encoding: str | None = None) -> None:
        self.findings: list[Finding] = []
        self.choices: dict[bytes | None, CodecChoice] = {}
        self.mark = b""
        self._asked = None if encoding is None else require_codec(encoding)
        self._codec: str | None = None  # of a file whose caller or mark tells it
        self._declared: str | None = None  # by the first game
        self._used: list[str] = []
        self._told: set[bytes | None] = set()  # names in CA of which there is a finding
        self._held = b""
        self._is_all = False  # nothing comes after what is held
        self._head = b""
        self._given = 0  # characters

    @property
    def encoding(self) -> str:
        """Python's name of the codec; if games differ, of the first beyond ASCII."""
        return self._used[0] if self._used else ascii_name(self._declared)

    @property
    def codec(self) -> str:
        """The codec of what comes after the byte order mark."""
        return self._codec or self.encoding

    @property
    def label(self) -> str:
        labels = {label(codec) for codec in self._used}
        return labels.pop() if len(labels) == 1 else "the encoding of their game"

    def end(self) -> list[Finding]:
        used = sorted({label(codec) for codec in self._used})
        return [several(used)] if len(used) > 1 else []

    def texts(self, blocks: Iterator[tuple[bytes, bool]]) -> Iterator[str]:
        """Yield the text, as much as is certain after each block; True comes with the last one."""
        self._blocks = blocks
        for text in self._parts():
            self._given += len(text)
            yield text

    def _parts(self) -> Iterator[str]:
        self._fill(4)
        codec = self._asked or self._marked() or self._of_foreign()
        if codec is not None:
            self._used.append(codec)
            self._codec = self._leave_mark(codec)
            yield from self._texts_by(self._codec)
            return
        yield from self._ascii_texts()
        if not self._held:
            return
        window = self._window()
        is_known = len(self._head) == self._given  # all that was given
        data = self._head + window if is_known else window
        names = declared_in(data)
        games = games_of(data) if is_known and len(names) > 1 else []
        first_offset = 0
        if len(games) > 1:
            self._held = self._head + self._held
        else:
            name, choice = self._choose(data, is_known=is_known)
            names |= {declared(name)} if name else set()
            self._used.append(choice.codec)
            yield from self._texts_by(choice.codec.removesuffix("-sig"), names)
            first_offset = self._given
            self._fill(WINDOW)
        if self._held:
            yield from self._texts_by_game(first_offset)

    def _fill(self, size: int) -> None:
        parts, missing = [self._held], size - len(self._held)
        while missing > 0 and not self._is_all:
            block, self._is_all = next(self._blocks)
            parts.append(block)
            missing -= len(block)
        self._held = b"".join(parts)

    def _marked(self) -> str | None:
        """Return the codec that the first bytes tell, with which CA may disagree; or None."""
        if not self._held.startswith(_MARKS):
            return None
        self._fill(WINDOW)
        codec = next(codec for mark, codec in BOMS if self._held.startswith(mark))
        end = len(self._held) if self._is_all else len(self._held) // 4 * 4
        finding = about_mark(kept(self._held[:end], codec).removeprefix("\ufeff"), codec)
        if finding is not None:
            self.findings.append(finding)
        return codec

    def _of_foreign(self) -> str | None:
        if self._held.lstrip().startswith(b"(") and not ADDED:
            return None
        self._fill(WINDOW)
        return None if self._held.isascii() else late.choose_codec(self._held)

    def _leave_mark(self, codec: str) -> str:
        codec = codec.removesuffix("-sig")
        if codec in WIDE:
            first, second = ("le", "be") if sys.byteorder == "little" else ("be", "le")
            is_other = self._held.startswith("\ufeff".encode(f"{codec}-{second}"))
            codec = f"{codec}-{second if is_other else first}"  # as bytes.decode does
        mark = "\ufeff".encode(codec, "ignore")
        if self._held.startswith(mark):
            self.mark, self._held = mark, self._held[len(mark) :]
        return codec

    def _ascii_texts(self) -> Iterator[str]:
        """Yield the text as long as everything is ASCII and nothing is to be decided."""
        while self._held.isascii():
            data = self._held
            cut = None if self._is_all else _CUT_CHARSET.search(data)
            certain = data if cut is None else data[: cut.start()]
            if self._shifts(certain):
                return
            if len(self._head) < HEAD:
                self._head += certain[: HEAD - len(self._head)]
            self._held = data[len(certain) :]
            yield certain.decode("ascii")
            if self._is_all:
                return
            self._fill(len(self._held) + 1)

    def _shifts(self, data: bytes) -> bool:
        """Return whether the first game is in an encoding whose characters look like ASCII."""
        if Evidence(data).escapes is not None:
            return True
        if self._given and not any((name or "").startswith(SHIFTING) for name in declared_in(data)):
            return False
        head = self._head + data
        name = all_of(head).name
        self._declared = declared(name) if name else None
        return (self._declared or "").startswith(SHIFTING)

    def _window(self) -> bytes:
        """Return the bytes by which the codec is chosen; they end with no half of a character."""
        self._fill(WINDOW)
        if self._is_all:
            return self._held
        safe = self._held[: max(self._held.rfind(byte) for byte in _SAFE) + 1]
        return self._held if safe.isascii() else safe

    def _choose(self, data: bytes, *, is_known: bool) -> tuple[bytes | None, CodecChoice]:
        """Choose one codec for all, by the CA of the first game; return the CA, too."""
        head = data if is_known else self._head
        first = all_of(head)
        choice = self.choices[first.name] = choose(Evidence(data), first.name)
        if choice.rule is None:
            return first.name, choice
        piece = first if is_known else CharsetPiece(0, len(data))
        text = kept(data, choice.codec)
        finding = about(choice, data, piece, text, 0 if is_known else self._given)
        if finding is not None:
            if not is_known and first.charset is not None:
                finding = finding._replace(span=first.charset, property="CA")
                finding = in_utf8(
                    finding, is_utf8=choice.codec in UTF8, is_certain=choice.is_certain
                )
            ascii_head = self._head.decode("ascii")
            if finding.span.end <= len(ascii_head):
                finding = finding._replace(at=LineIndex(ascii_head).places(finding.span))
            self.findings.append(finding)
            self._told.add(first.name)
        return first.name, choice

    def _texts_by(self, codec: str, names: set[str | None] | None = None) -> Iterator[str]:
        """Yield the text by one codec, until a game names another; None: no CA counts."""
        decoder = codecs.getincrementaldecoder(codec)("sgf_lark.keep")
        watched = None if self._is_all else names
        while True:
            data = self._held
            end = len(data)
            if watched is not None:
                other = _other_charset(data, watched)
                if other is not None:
                    self._held = data[other:]
                    yield decoder.decode(data[:other], True)  # noqa: FBT003  # as codecs has it
                    return
                if not self._is_all:
                    begun = data.rfind(b"(", max(0, end - _ROOT))
                    end = begun if begun >= 0 and b")" not in data[begun:] else end
            self._held = data[end:]
            yield decoder.decode(data[:end], self._is_all)
            if self._is_all:
                return
            self._fill(len(self._held) + 1)

    def _texts_by_game(self, offset: int) -> Iterator[str]:
        """Yield the text of each game from an offset by its own CA."""
        skipped = self._given - offset
        while True:
            data = self._held
            games = games_of(data)
            if not self._is_all:
                games.pop()  # it may go on
            text = "".join(self._game_texts(data, games, offset))
            offset += len(text)
            if games:
                self._held = data[games[-1].end :]
            yield text[skipped:]
            skipped = max(0, skipped - len(text))
            if self._is_all:
                return
            self._fill(max(WINDOW, len(self._held) + 1) if games else 2 * len(data))

    def _game_texts(self, data: bytes, games: list[CharsetPiece], offset: int) -> Iterator[str]:
        groups: dict[bytes | None, list[bytes]] = {}
        for game in games:
            name = game.name
            if self.choices.get(name, CodecChoice("ascii")).codec == "ascii":
                groups.setdefault(name, []).append(data[game.start : game.end])
        for name, group in groups.items():
            self.choices[name] = choose(Evidence(b"".join(group)), name)
        for game in games:
            name = game.name
            choice = self.choices[name]
            if choice.codec not in {*self._used, "ascii"}:
                self._used.append(choice.codec)
            text = kept(data[game.start : game.end], choice.codec)
            if name not in self._told:
                finding = about(choice, data, game, text, offset)
                if finding is not None:
                    self._told.add(name)
                    self.findings.append(finding)
            offset += len(text)
            yield text


def _other_charset(data: bytes, names: set[str | None]) -> int | None:
    for match in ANY_CHARSET.finditer(data):
        name = declared(match[1].strip())
        if name in names:
            continue
        start = data.rfind(b"(", 0, match.start())
        if start >= 0 and charset_at(data, start, len(data)).span == match.span(1):
            names.add(name)
            if len(names) > 1:
                return start
    return None


#: At most this many runs are reported one by one.
MAX_RUNS = 20

_HELP = "name the encoding of the file with --encoding, or type the text here anew"


UNDECODABLE_BYTES = register("E404 undecodable-bytes error: bytes that are no text")


class Damage:
    """Bytes that are no character, in a text that may come in several parts."""

    def __init__(self) -> None:
        self._count = 0
        self.last = Span(0, 0)

    def find(self, text: str, offset: int, charset: str) -> list[Finding]:
        """The first findings in a part that begins at an offset; its end cuts no run."""
        if text.isascii() or KEPT_UTF8 not in text.encode("utf-8", "surrogatepass"):
            return []
        findings: list[Finding] = []
        for run in KEPT.finditer(text):
            span = self.last = Span(offset + run.start(), offset + run.end())
            self._count += 1
            if self._count > MAX_RUNS:
                continue
            octets = " ".join(f"{ord(char) - KEPT_FROM:02X}" for char in run[0][:8])
            more = " ..." if len(run[0]) > 8 else ""  # noqa: PLR2004
            message = f"the bytes {octets}{more} are no text in {charset}"
            findings.append(UNDECODABLE_BYTES.found(message, span, _HELP))
        return findings

    def end(self) -> list[Finding]:
        rest = self._count - MAX_RUNS
        if rest <= 0:
            return []
        message = f"bytes that are no text are in {rest} more places, the last one here"
        return [UNDECODABLE_BYTES.found(message, self.last, _HELP)]


def encode(text: str, encoding: str) -> bytes:
    """The bytes of a text, those that were no character included."""
    encoder = codecs.getincrementalencoder(encoding)()  # one, for one byte order mark
    runs = re.split(f"({KEPT.pattern})", text)
    return b"".join(
        bytes(ord(char) - KEPT_FROM for char in run) if index % 2 else encoder.encode(run)
        for index, run in enumerate(runs)
    )
