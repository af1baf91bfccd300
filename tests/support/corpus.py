"""Real game records: a folder outside the project, named by SGF_LARK_CORPUS.

Records lie in folders of it; what lies in the folder itself is about them.  Without the
variable each test that wants a record is skipped, and says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from zlib import crc32

import pytest

import sgf_lark
from sgf_lark.core import FOREIGN
from sgf_lark.files.paths import SUFFIXES

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

VARIABLE = "SGF_LARK_CORPUS"

#: Why a test is skipped.
ABSENT = f"{VARIABLE} names no folder of real game records"

#: Some of the records, by their names.
Records: TypeAlias = Callable[[str], bool]

#: What is said of a record: its name, and what ``load(..., strict=False)`` makes of it.
Saying: TypeAlias = Callable[[str, sgf_lark.Collection], None]


class Sentence(NamedTuple):
    """What is true of records.

    Attributes:
        says: Asserts it of a record.
        but: Records of which it is not said.
        night: Records of which only the night lane says it.
    """

    says: Saying
    but: Records
    night: Records


#: Everything that is said of records.  Each record is loaded once for all of it.
SENTENCES: list[Sentence] = []


def true_of_records(
    *, but: Records = lambda _: False, night: Records = lambda _: False
) -> Callable[[Saying], Saying]:
    """Say something of every record, save those that ``but`` is true of."""

    def note(says: Saying) -> Saying:
        SENTENCES.append(Sentence(says, but, lambda which: waits(which) or night(which)))
        return says

    return note


@cache
def waits(which: str) -> bool:
    """Return whether all that is said of a record waits for the night.

    Some records are too long for the day; 15 of 16 damaged ones and 39 of 40 others are like
    those that the day takes.
    """
    if record(which).stat().st_size > 100_000:
        return True
    return crc32(which.encode()) % (40 if plain(which) else 16) > 0


def long(which: str) -> bool:
    """Return whether what takes long waits for the night: a few records are half of the corpus."""
    return record(which).stat().st_size > 50_000


def plain(which: str) -> bool:
    """Return whether a record is neither broken nor of several encodings."""
    return not which.startswith(("broken/", "encodings/"))


def alike(which: str) -> bool:
    """Return whether others show what takes long: two of three plain records are like the third."""
    return plain(which) and crc32(which[::-1].encode()) % 3 > 0


def large_or_alike(which: str) -> bool:
    """Return whether a record is large, or others show what takes long."""
    return large(which) or alike(which)


def long_or_like_others(which: str) -> bool:
    """Return whether what takes some time waits for the night: most plain records, too."""
    return long(which) or waits(which)


def large(which: str) -> bool:
    """Return whether a record is one of the folder of large ones."""
    return which.startswith("large/")


def folder() -> Path | None:
    """Where the records are; None if nobody says."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


@cache
def names() -> tuple[str, ...]:
    """Every record of SGF and GGF, as ``folder/file``, in order; none without a corpus."""
    others = {suffix for suffixes in FOREIGN.values() for suffix in suffixes}
    root = folder()
    if root is None:
        return ()
    found = tuple(
        sorted(
            one.relative_to(root).as_posix()
            for one in root.glob("*/**/*")
            if one.suffix.lower() in {*SUFFIXES} - others and one.is_file()
        )
    )
    assert found, f"{VARIABLE} names a folder without game records: {root}"
    return found


def required() -> Path:
    """Where the records are; the test is skipped if nobody says."""
    return folder() or pytest.skip(ABSENT)


def record(which: str) -> Path:
    """The path of a record by its name; the test is skipped without a corpus."""
    return required() / which


def loaded(which: str) -> sgf_lark.Collection:
    """A record as ``load(..., strict=False)`` reads it."""
    return sgf_lark.load(record(which), strict=False)


def every_record(but: Records = lambda _: False) -> pytest.MarkDecorator:
    """Run a test for each record, save those that ``but`` is true of, as argument ``which``."""
    wanted: list[str | ParameterSet] = [one for one in names() if not but(one)]
    if not wanted:
        wanted = [pytest.param("", id="no corpus", marks=pytest.mark.skip(reason=ABSENT))]
    return pytest.mark.parametrize("which", wanted)
