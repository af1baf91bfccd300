"""Pieces of a large record, cut between games."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sgf_lark.api.parts import Part, cut_data
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.places import LineColumn, LineIndex


class Piece(NamedTuple):
    """A piece of a record.

    Attributes:
        part: Its bytes by codec, their places in the record, and more.
        encoding: The encoding of the record; None if games differ.
        first: Number of the characters before it.
        place: Line and column of its first character.
        findings: The findings about the encoding in it, by their places in the record.
        is_alone: It is read as if it were not cut: too much would have to be read with it.
    """

    part: Part
    encoding: str | None
    first: int
    place: LineColumn
    findings: tuple[Finding, ...]
    is_alone: bool = False

    @property
    def start(self) -> int:
        """Its first byte in the record."""
        return self.part.sections[0].start

    @property
    def end(self) -> int:
        """The byte after its last one."""
        return self.part.sections[-1].end


def cut_record(data: bytes, size: int, options: Mapping[str, Any]) -> list[Piece] | None:
    """Cut a record into pieces; None if there is no certain place for a cut.

    Args:
        data: The bytes of the record.
        size: Bytes of a piece; it has more, up to the end of a game.
        options: The options by which it will be read.
    """
    reading = {name: options.get(name) for name in ("format", "encoding")}
    cut = cut_data(data, size, **reading)
    if cut is None:
        return None
    lines = LineIndex(cut.decoded.text)
    findings = cut.decoded.findings
    offsets = [finding.span.start for finding in findings]
    ends = [bisect_left(offsets, start) for start in cut.starts]
    ends[0] = 0
    codecs = {section.codec for part in cut.parts for section in part.sections}
    encoding = cut.decoded.encoding if len(codecs) == 1 else None
    return [
        Piece(part, encoding, start, lines.locate(start), findings[first:end])
        for part, start, first, end in zip(
            cut.parts, cut.starts, ends, [*ends[1:], len(findings)], strict=True
        )
    ]


def join_pieces(pieces: Sequence[Piece]) -> Piece:
    """Return one piece for some that follow one another."""
    first, last = pieces[0], pieces[-1]
    sections = tuple(section for piece in pieces for section in piece.part.sections)
    part = first.part._replace(sections=sections, checksum=0, is_last=last.part.is_last)
    findings = tuple(finding for piece in pieces for finding in piece.findings)
    return first._replace(part=part, findings=findings)
