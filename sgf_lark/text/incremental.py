"""Bytes to text as they come, all at once or a few at a time.

The encoding is chosen by the first :data:`WINDOW` bytes in which there is anything to decide,
or by all if they come at once.  Up to there everything is ASCII, and text at once.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable, Iterator
from typing import Protocol

from sgf_lark.findings.finding import Finding
from sgf_lark.findings.rules import register
from sgf_lark.places import LineIndex, Span

from .byte_scan import (
    ANY_CHARSET,
    CharsetPiece,
    all_of,
    charset_at,
    declared_in,
    games_of,
    name_of,
    pieces_of,
)
from .charset_names import WIDE, asked, declared, label
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
from .detection import KEPT, KEPT_FROM, Evidence, kept

#: The bytes by which an encoding is judged, and those kept of the beginning of the file.
WINDOW = HEAD = 1 << 18

#: A CA that the next bytes may go on.
_CUT_CHARSET = re.compile(rb"C(?:A\s*+(?:\[[^\[\]]{0,40}+)?)?\Z")

#: Bytes that are no half of a character in any charset but the wide ones.
_SAFE = b"\n\r ();"

#: By wide codec: the marks that tell the order of its bytes.
_MARKS = {
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
}

#: A root node begins at most so far before its CA, if that is to be noticed.
_ROOT = 1 << 10

#: Codecs that leave out a byte order mark; a second one is text.
_LEAVE_OUT_MARK = frozenset({"utf-8-sig", *WIDE})


class _Incremental(Protocol):
    def decode(self, data: bytes, final: bool = ..., /) -> str: ...  # noqa: FBT001  # as codecs has it


class Decoder:
    """Turns the bytes of a file into text.

    Args:
        encoding: As for :func:`sgf_lark.text.encoding.decode`.

    Attributes:
        findings: What was assumed or false, with places in the whole text; whoever reads
            it empties it.
        choices: By the names in CA, where something had to be decided: the choices.

    Raises:
        LookupError: As there.
    """

    def __init__(self, encoding: str | None = None) -> None:
        self.findings: list[Finding] = []
        self._held = bytearray()
        self._head = b""
        self._given = 0  # characters
        self._needed = 4  # bytes, before the next step
        self._used: list[str] = []
        self._names: set[str | None] = set()
        self.choices: dict[bytes | None, CodecChoice] = {}
        self._declared: str | None = None  # by the first game
        self._told: set[bytes | None] = set()
        self._pieces: list[CharsetPiece] = []  # all of what is held, if that is known
        self._skip = 0  # characters of what is held that are given already
        self._incremental: _Incremental | None = None
        self._watches = encoding is None
        self._step: Callable[[bool], str] = self._begin
        if encoding is not None:
            self._use(asked(encoding))

    @property
    def pending(self) -> int:
        """The number of bytes that wait for others."""
        return len(self._held)

    @property
    def encoding(self) -> str:
        """Python's name of the codec; if games differ, of the first beyond ASCII."""
        return self._used[0] if self._used else ascii_name(self._declared)

    @property
    def label(self) -> str:
        """The encoding as people call it."""
        labels = {label(codec) for codec in self._used}
        return labels.pop() if len(labels) == 1 else "the encoding of their game"

    def decode(self, data: bytes, *, final: bool) -> str:
        """The text of some more bytes, as far as it is certain; of all if they are the last."""
        self._held += data
        texts: list[str] = []
        while final or len(self._held) >= self._needed:
            step = self._step
            text = step(final)
            self._given += len(text)
            if text:  # a text alone is not copied
                texts.append(text)
            if self._step == step:
                break
        return "".join(texts)

    def end(self) -> list[Finding]:
        """The findings about the whole text, when everything has been read."""
        used = sorted({label(codec) for codec in self._used})
        return [several(used)] if len(used) > 1 else []

    # ---- steps: each gives text, or sets another step ----

    def _begin(self, _final: bool) -> str:  # noqa: FBT001  # a step
        self._needed = 1
        self._step = self._ascii
        for mark, codec in BOMS:
            if self._held.startswith(mark):
                self._used.append(codec)
                self._step, self._needed = self._mark, WINDOW
                break
        return ""

    def _mark(self, final: bool) -> str:  # noqa: FBT001  # a step
        """A byte order mark decides; CA may contradict."""
        data = bytes(self._held)
        codec = self._used.pop()
        text = kept(data if final else data[: len(data) - len(data) % 4], codec)
        finding = about_mark(text.removeprefix("\ufeff"), codec)
        if finding is not None:
            self.findings.append(finding)
        self._watches = False
        self._use(codec)
        return ""

    def _ascii(self, final: bool) -> str:  # noqa: FBT001  # a step
        """Nothing is to be decided as long as everything is ASCII."""
        data = bytes(self._held)
        cut = None if final else _CUT_CHARSET.search(data)
        given = data if cut is None else data[: cut.start()]
        if not data.isascii() or self._shifts(given):
            self._step, self._needed = self._decide, WINDOW
            return ""
        if len(self._head) < HEAD:
            self._head += given[: HEAD - len(self._head)]
        self._held = self._held[len(given) :]
        return given.decode("ascii")

    def _shifts(self, data: bytes) -> bool:
        """Return whether the first game is in an encoding whose characters look like ASCII."""
        if self._given and not any((name or "").startswith(SHIFTING) for name in declared_in(data)):
            return False
        head = self._head + data
        self._declared = declared(name_of(head, all_of(head)) or b"")
        return (self._declared or "").startswith(SHIFTING)

    def _decide(self, final: bool) -> str:  # noqa: FBT001  # a step
        """Here is what is not ASCII: judge it, by what the first game says or each game."""
        window = bytes(self._held)
        if not final:
            safe = window[: max(window.rfind(byte) for byte in _SAFE) + 1]
            window = window if safe.isascii() else safe
        known = len(self._head) == self._given  # all that was given
        data = self._head + window if known else window
        pieces = pieces_of(data)
        if known and len(pieces) > 1:
            self._skip, self._given = self._given, 0
            self._held[:0] = self._head
            self._pieces = pieces if final else []
            self._step, self._needed = self._games, 1
            return ""
        first = pieces[0] if known else all_of(self._head)
        name = name_of(data if known else self._head, first)
        self._names = declared_in(data) | ({declared(name)} if name else set())
        choice = self.choices[name] = choose(Evidence(data), name)
        text = kept(data, choice.codec)
        piece = first if known or first.charset is None else CharsetPiece(0, len(data), None)
        finding = about(choice, data, piece, text, 0 if known else self._given)
        if finding is not None:
            if not known and first.charset is not None:
                finding = finding._replace(span=first.charset, property="CA")
                finding = in_utf8(finding, is_utf8=choice.codec in UTF8)
            head = self._head.decode("ascii")
            if finding.span.end <= len(head):
                finding = finding._replace(at=LineIndex(head).places(finding.span))
            self.findings.append(finding)
            self._told.add(name)
        self._use(choice.codec)
        if final and not self._given:
            self._held.clear()
            return text
        return ""

    def _use(self, codec: str) -> None:
        """Read what comes by a codec."""
        self._used.append(codec)
        self._step, self._needed = self._open, 4

    def _open(self, _final: bool) -> str:  # noqa: FBT001  # a step
        codec = self._used[-1]
        if codec in WIDE and not self._held.startswith(_MARKS[codec]):
            codec += "-le" if sys.byteorder == "little" else "-be"  # as bytes.decode does
        self._incremental = codecs.getincrementaldecoder(codec)("sgf_lark.keep")
        self._step, self._needed = self._one, 1
        return ""

    def _one(self, final: bool) -> str:  # noqa: FBT001  # a step
        """One codec for all, until a game names another one."""
        if self._incremental is None:
            return ""
        data = bytes(self._held)
        end = len(data)
        if self._watches:
            other = self._other_charset(data)
            if other is not None:
                self._held = self._held[other:]
                self._step, self._needed = self._games, WINDOW
                return self._incremental.decode(data[:other], True)  # noqa: FBT003  # as codecs has it
            if not final:
                begun = data.rfind(b"(", max(0, end - _ROOT))
                end = begun if begun >= 0 and b")" not in data[begun:] else end
        self._held = self._held[end:]
        text = self._incremental.decode(data[:end], final)
        is_begun = self._given or self._watches or self._used[-1] in _LEAVE_OUT_MARK
        return text if is_begun else text.removeprefix("\ufeff")

    def _other_charset(self, data: bytes) -> int | None:
        """The start of the first game that names another encoding; None if there is none."""
        for match in ANY_CHARSET.finditer(data):
            name = declared(match[1].strip())
            if name in self._names:
                continue
            start = data.rfind(b"(", 0, match.start())
            if start >= 0 and charset_at(data, start, len(data)).span == match.span(1):
                self._names.add(name)
                if len(self._names) > 1:
                    return start
        return None

    def _games(self, final: bool) -> str:  # noqa: FBT001  # a step
        """Each game by its own CA."""
        data = bytes(self._held)
        pieces, self._pieces = self._pieces or games_of(data), []
        if not final:
            pieces.pop()  # it may go on
            self._needed = WINDOW if pieces else 2 * len(data)
        texts = list(self._game_texts(data, pieces))
        if pieces:
            self._held = self._held[pieces[-1].end :]
        text = "".join(texts)
        skipped = min(self._skip, len(text))
        self._skip -= skipped
        self._given += skipped
        return text[skipped:]

    def _game_texts(self, data: bytes, pieces: list[CharsetPiece]) -> Iterator[str]:
        groups: dict[bytes | None, list[bytes]] = {}
        for piece in pieces:
            name = name_of(data, piece)
            if self.choices.get(name, CodecChoice("ascii")).codec == "ascii":
                groups.setdefault(name, []).append(data[piece.start : piece.end])
        for name, group in groups.items():
            self.choices[name] = choose(Evidence(b"".join(group)), name)
        offset = self._given
        for piece in pieces:
            name = name_of(data, piece)
            choice = self.choices[name]
            if choice.codec not in {*self._used, "ascii"}:
                self._used.append(choice.codec)
            text = kept(data[piece.start : piece.end], choice.codec)
            if name not in self._told:
                finding = about(choice, data, piece, text, offset)
                if finding is not None:
                    self._told.add(name)
                    self.findings.append(finding)
            offset += len(text)
            yield text


#: At most this many runs are reported one by one.
MAX_RUNS = 20

_HELP = "Give the right one with --encoding, or save the file as UTF-8 with CA[UTF-8]"


UNDECODABLE_BYTES = register("E404 undecodable-bytes error: bytes that are no character")


class Damage:
    """Bytes that are no character, in a text that may come in several parts.

    Each of the first :data:`MAX_RUNS` runs gives a finding, all others together give one.
    """

    def __init__(self) -> None:
        self._count = 0
        self.last = Span(0, 0)

    def find(self, text: str, offset: int, charset: str) -> list[Finding]:
        """The first findings in a part that begins at an offset; its end cuts no run."""
        if text.isascii():
            return []
        findings: list[Finding] = []
        for run in KEPT.finditer(text):
            span = self.last = Span(offset + run.start(), offset + run.end())
            self._count += 1
            if self._count > MAX_RUNS:
                continue
            octets = " ".join(f"{ord(char) - KEPT_FROM:02X}" for char in run[0][:8])
            more = " ..." if len(run[0]) > 8 else ""  # noqa: PLR2004
            message = f"the bytes {octets}{more} are no character in {charset}"
            findings.append(UNDECODABLE_BYTES.found(message, span, _HELP))
        return findings

    def end(self) -> list[Finding]:
        """The finding for all further runs, if there are any."""
        rest = self._count - MAX_RUNS
        if rest <= 0:
            return []
        message = f"bytes that are no character are in {rest} more places, the last one here"
        return [UNDECODABLE_BYTES.found(message, self.last, _HELP)]
