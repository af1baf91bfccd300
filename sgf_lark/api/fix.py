"""Putting a file right by the fixes of its diagnostics, again and again until none is left.

Fixes that meet in one place are made one after the other: in each round those that keep
clear of each other, then the file is read and checked anew.
"""

from __future__ import annotations

import io
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from operator import gt
from typing import NamedTuple

from sgf_lark.diagnostics.diagnostic import Diagnostic, Edit, Fix
from sgf_lark.diagnostics.report import Report
from sgf_lark.diagnostics.rules import Severity, at_least
from sgf_lark.diagnostics.selection import CheckOptions
from sgf_lark.fix.safeguard import keeps_meaning, losses
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.properties import PropertyTable
from sgf_lark.text.encoding import decode
from sgf_lark.text.source import Source
from sgf_lark.write.dump import dump

from .load import dialect_of, examine, loads

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
    return Fixing(name, format, grammar, options, at_least(Severity(level))).run(
        data, encoding, unsafe=unsafe
    )


class Version(NamedTuple):
    """A file while it is being fixed, and what is wrong with it.

    Attributes:
        data: Its bytes.
        encoding: As the caller named it; None once the file declares it.
        report: What is wrong with it.
        games: The games in it.
    """

    data: bytes
    encoding: str | None
    report: Report
    games: list[GameTree]


class Fixing:
    """Rounds of fixes, each of which the safeguard has to let pass."""

    def __init__(
        self,
        name: str,
        format: Format | str | None,
        grammar: str | os.PathLike[str] | None,
        options: CheckOptions | None,
        levels: tuple[Severity, ...],
    ) -> None:
        self._name = name
        self._format = None if format is None else Format.named(format)
        self._dialect = dialect_of(grammar, None, None)
        self._options = options
        self._levels = levels
        self._refused: set[tuple[object, ...]] = set()
        self._trials = MAX_TRIALS

    def run(self, data: bytes, encoding: str | None, *, unsafe: bool) -> Fixed:
        now = self._version(data, encoding)
        made: list[Diagnostic] = []
        seen = {data}
        settled: bytes | None = None
        for _ in range(ROUNDS):
            chosen = self._choose(now, unsafe=unsafe)
            if not chosen:
                if not self._refused or now.data == settled:
                    break
                settled = now.data  # what did harm before may do none now
                self._refused.clear()
                self._trials = MAX_TRIALS
                continue
            new, chosen = self.make(now, chosen, seen)
            if new is None:
                continue
            seen.add(new.data)
            made += chosen
            now = new
        left = tuple(one for one in now.report if one.severity in self._levels)
        return Fixed(now.data, tuple(made), left)

    def _version(self, data: bytes, encoding: str | None) -> Version:
        games: list[GameTree] = []
        report = examine(
            data,
            self._name,
            self._format,
            encoding,
            PropertyTable.standard(),
            Engine.AUTO,
            self._options,
            self._dialect,
            games=games,
        )
        return Version(data, encoding, report, games)

    def _choose(self, now: Version, *, unsafe: bool) -> list[Diagnostic]:
        """Return diagnostics whose fixes can be made together, and are of one kind.

        Those about the encoding come first; then the safe ones, then those that guess, then
        those that remove something.
        """
        kinds: dict[int, list[Diagnostic]] = {}
        damaged = _is_damaged(now.data, now.encoding)
        for one in now.report:
            fix = one.fix
            if (
                fix is None
                or one.severity not in self._levels
                or not one.is_fixable(unsafe=unsafe)
                or _key(one) in self._refused
                or (fix.encoding and damaged)
            ):
                continue
            kind = 0 if fix.encoding else 1 if fix.safe else 3 if fix.removes else 2
            kinds.setdefault(kind, []).append(one)
        if not kinds:
            return []
        first = kinds[min(kinds)]
        return first if min(kinds) == 0 else apart(first)

    def make(
        self, now: Version, chosen: list[Diagnostic], seen: set[bytes]
    ) -> tuple[Version | None, list[Diagnostic]]:
        """Make fixes, without those that do harm; these are not tried again."""
        groups, good = [chosen], list[Diagnostic]()
        best: Version | None = None
        while groups:
            group = groups.pop()
            is_last = not self._trials and group is not chosen
            tried = None if is_last else self._tried(now, good + group, seen)
            if tried is not None:
                good += group
                best = tried
                continue
            self._trials = max(0, self._trials - 1)
            if len(group) > 1 and self._trials and not _is_of_encoding(group[0]):
                half = len(group) // 2
                groups += [group[half:], group[:half]]
            else:
                self._refused.update(map(_key, group))
        return best, good

    def _tried(self, now: Version, chosen: list[Diagnostic], seen: set[bytes]) -> Version | None:
        """Return the file with some fixes; None if they change nothing or do harm."""
        fixes = [one.fix for one in chosen if one.fix is not None]
        of_encoding = any(fix.encoding for fix in fixes)
        encoding = now.encoding
        if of_encoding:
            data = _as_utf8(now.data, encoding)
            encoding = None
        else:
            data = edited(now.data, encoding, chosen)
        if data in seen:
            return None
        new = self._version(data, encoding)
        if any(map(gt, self._counts(new), self._counts(now))):
            return None
        if of_encoding or all(fix.safe for fix in fixes):
            but = frozenset({"CA"}) if of_encoding and not _swallows(now) else frozenset[str]()
            harmless = keeps_meaning(now.games, new.games, but=but)
        else:
            cut = [edit for fix in fixes if fix.removes for edit in fix.edits]
            harmless = not losses(now.games, new.games, cut)
        return new if harmless else None

    def _counts(self, version: Version) -> list[int]:
        """Count the findings at each level that is fixed, and those above it."""
        by_level = Counter(one.severity for one in version.report)
        return list(accumulate(by_level[level] for level in self._levels))


def _is_of_encoding(one: Diagnostic) -> bool:
    return one.fix is not None and one.fix.encoding is not None


def _swallows(version: Version) -> bool:
    """Return whether a CA runs on into what follows it."""
    roots = (game.nodes.contents[0] for game in version.games)
    return any(
        one.ident == "CA" and "[" in raw for root in roots for one in root for raw in one.raw
    )


#: At most this many trials to find the fixes that do harm; those under suspicion then remain.
MAX_TRIALS = 60


def _key(one: Diagnostic) -> tuple[object, ...]:
    """What a fix is known by, although other fixes move it in the text."""
    message = "" if one.fix is None else one.fix.message
    return one.code, one.game, one.node_path, one.property, one.value_index, message


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


def edited(data: bytes, encoding: str | None, chosen: Iterable[Diagnostic]) -> bytes:
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
