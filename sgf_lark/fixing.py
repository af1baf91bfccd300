"""Putting a file right by the fixes of its diagnostics, again and again until none is left.

Fixes that meet in one place are made one after the other: in each round those that keep
clear of each other, then the file is read and checked anew.
"""

from __future__ import annotations

import io
import os
from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from .api import check, loads
from .diagnostics import Diagnostic, Edit, Fix, Report, Severity, at_least
from .encoding import decode
from .grammars import Format
from .options import CheckOptions
from .sources import Source
from .writer import dump

#: So many rounds are enough for any record; a fix that never comes to an end stops here.
ROUNDS = 200


class Fixed(NamedTuple):
    """A file that was put right.

    Attributes:
        data: Its bytes.
        made: The diagnostics whose fixes were made, in the order in which that was done;
            their places are those of the file as it was at that time.
        remaining: What is still wrong with it, of the findings that were to be fixed.
    """

    data: bytes
    made: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...] = ()


def fixed(
    data: bytes,
    *,
    unsafe: bool = False,
    format: Format | str | None = None,
    encoding: str | None = None,
    grammar: str | os.PathLike[str] | None = None,
    options: CheckOptions | None = None,
    level: Severity | str = Severity.INFO,
    name: str = "",
) -> Fixed:
    """Make the fixes that the diagnostics of a file carry.

    What is fixed once stays as it is: fixing the result again changes nothing.

    Args:
        data: The file.
        unsafe: Make those, too, that need a person's eye.
        format, encoding, grammar, options: As for :func:`sgf_lark.check`.  What the options
            leave out is not fixed.
        level: The least severity to fix, as grave as the options count it.
        name: Of the file, for options that hold for some files.

    Raises:
        LookupError: There is no such encoding.
        ValueError: There is no such level.
    """
    levels = at_least(Severity(level))
    made: list[Diagnostic] = []
    seen = {data}
    stays: bytes | None = None  # in UTF-8, the file is the same
    for _ in range(ROUNDS):
        report = _checked(data, name, format, encoding, grammar, options)
        wanted = [one for one in report if one.severity in levels and one.is_fixable(unsafe=unsafe)]
        about_encoding = [one for one in wanted if one.fix is not None and one.fix.encoding]
        if about_encoding and data != stays and not _is_damaged(data, encoding):
            new, chosen = _as_utf8(data, encoding), about_encoding
            encoding = None if new != data else encoding
        else:
            chosen = apart(one for one in wanted if one not in about_encoding)
            new = _edited(data, encoding, chosen)
        if new in seen:
            if chosen is about_encoding:
                stays = data
                continue
            break
        seen.add(new)
        data = new
        made += chosen
    else:
        report = _checked(data, name, format, encoding, grammar, options)
    return Fixed(data, tuple(made), tuple(one for one in report if one.severity in levels))


def _checked(
    data: bytes,
    name: str,
    format: Format | str | None,
    encoding: str | None,
    grammar: str | os.PathLike[str] | None,
    options: CheckOptions | None,
) -> Report:
    """The report on a file that is not on the disk yet."""
    file = io.BytesIO(data)
    if name:
        file.name = name  # as files that are opened have one
    return check(
        file,
        format=format,
        encoding=encoding,
        grammar=grammar,
        options=options,
        max_diagnostics=0,  # all of them are to be fixed
    )


def apart(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return those of the diagnostics whose edits do not meet, the first ones first.

    Several diagnostics may share a fix; it is made once, for all of them.
    """
    chosen: list[Diagnostic] = []
    taken: list[tuple[int, int]] = []
    shared: set[tuple[Edit, ...]] = set()
    for one in diagnostics:
        edits = (one.fix or _NOTHING).edits
        spans = [(edit.offset, edit.end_offset) for edit in edits]
        if edits in shared:
            chosen.append(one)
        elif spans and not any(_meets(taken, span) for span in spans):
            chosen.append(one)
            shared.add(edits)
            for span in spans:
                taken.insert(bisect_left(taken, span), span)
    return chosen


_NOTHING = Fix(message="", safe=True, edits=())


def _meets(taken: list[tuple[int, int]], span: tuple[int, int]) -> bool:
    """A stretch overlaps one of those that are taken, or touches it.

    They are in order, and do not overlap each other.
    """
    place = bisect_left(taken, span)
    before = taken[place - 1 : place]
    behind = taken[place : place + 1]
    return any(one[1] >= span[0] for one in before) or any(one[0] <= span[1] for one in behind)


def _edited(data: bytes, encoding: str | None, chosen: Iterable[Diagnostic]) -> bytes:
    fixes = dict.fromkeys(one.fix.edits for one in chosen if one.fix is not None)
    edits = [edit for one in fixes for edit in one]
    text = decode(data, encoding).text
    try:
        return Source(text, data, encoding).edited(edits)
    except UnicodeEncodeError:
        return data


def _is_damaged(data: bytes, encoding: str | None) -> bool:
    """Return whether some bytes are no character, whatever the options report."""
    return any(one.name == "undecodable-bytes" for one in decode(data, encoding).findings)


def _as_utf8(data: bytes, encoding: str | None) -> bytes:
    """The file in UTF-8, each of its games with a CA that says so."""
    file = io.BytesIO()
    dump(loads(data, strict=False, encoding=encoding), file, encoding="utf-8")
    return file.getvalue()
