"""Fix a file in rounds: each makes fixes that do not touch each other, then it is checked again."""

from __future__ import annotations

import io
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from operator import attrgetter, gt
from typing import NamedTuple

from sgf_lark.core import late
from sgf_lark.core.check.selection import CheckOptions
from sgf_lark.core.findings.diagnostic import Diagnostic, Edit, Fix, new_fix
from sgf_lark.core.findings.finding import Severity, SeverityName, at_least
from sgf_lark.core.findings.report import Report
from sgf_lark.core.fix.safeguard import cuts_stray_text, keeps_meaning, losses
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.schema.formats import Format, FormatName
from sgf_lark.core.schema.properties import PropertyTable
from sgf_lark.core.text.encoding import decode
from sgf_lark.core.text.source import TextSource
from sgf_lark.core.values.methods import ValueMethods
from sgf_lark.core.values.values_file import ValuesFile
from sgf_lark.core.write.dump import dump
from sgf_lark.core.write.encode import declare_encoding
from sgf_lark.core.write.read_back import UnwritableError

from .load import examine, loads
from .misuse import require_bytes
from .options import Options, ReadOptions

#: Limit of rounds: more than any record needs; fixes that undo each other end here.
MAX_ROUNDS = 200


class Fixed(NamedTuple):
    """The result of fixing a file.

    Attributes:
        data: The bytes of the fixed file.
        made: The diagnostics whose fixes were made, in this order; their places are those in
            the file at that time.
        remaining: The diagnostics of the chosen level that remain.
    """

    data: bytes
    made: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...] = ()


def fix_record(
    data: bytes,
    *,
    unsafe: bool = False,
    format: Format | FormatName | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueMethods | ValuesFile | None = None,
    options: CheckOptions | None = None,
    level: Severity | SeverityName = Severity.INFO,
    name: str = "",
    known: Mapping[str, int] | None = None,
) -> Fixed:
    """Make the fixes of the diagnostics of a file.

    Fixing the result again changes nothing.

    Args:
        data: The bytes of the file.
        unsafe: Make unsafe fixes, too: those that guess, move or remove something.
        format, encoding, table, grammar, values, options: As for :func:`sgf_lark.check`; findings
            that the options turn off are not fixed.
        level: The lowest severity to fix; the options decide the severity of a finding.
        name: The name of the file, for options that hold for some files.
        known: Findings that a baseline knows: they are neither fixed nor counted.

    Returns:
        The fixed file, the fixes made and the findings that remain.

    Raises:
        TypeError: The data is no bytes.
        LookupError: There is no such encoding.
        ValueError: There is no such level.
    """
    require_bytes(data)
    levels = at_least(Severity(level))
    reading: ReadOptions = {"format": format, "table": table, "grammar": grammar, "values": values}
    fixing = Fixing(name, Options.of_check(options, reading), options, levels, known or {})
    return fixing.run(data, encoding, unsafe=unsafe)


class Version(NamedTuple):
    """A file between two rounds; ``encoding`` is the caller's until the file declares its own."""

    data: bytes
    encoding: str | None
    report: Report
    games: list[GameTree]


#: Limit of trials to find the fixes that do harm; groups that were not tried are rejected.
MAX_TRIALS = 60


@dataclass(eq=False)
class Fixing:
    name: str
    how: Options
    options: CheckOptions | None
    levels: tuple[Severity, ...]
    known: Mapping[str, int]
    _rejected: set[tuple[object, ...]] = field(default_factory=set)
    _trials: int = MAX_TRIALS

    def run(self, data: bytes, encoding: str | None, *, unsafe: bool) -> Fixed:
        now = self._version(data, encoding)
        made: list[Diagnostic] = []
        seen = {data}
        settled: bytes | None = None
        for _ in range(MAX_ROUNDS):
            chosen = self._choose(now, unsafe=unsafe)
            if not chosen:
                if not self._rejected or now.data == settled:
                    break
                settled = now.data  # rejected fixes may do no harm in the new text
                self._rejected.clear()
                self._trials = MAX_TRIALS
                continue
            new, chosen = self.make(now, chosen, seen)
            if new is None:
                continue
            seen.add(new.data)
            made += chosen
            now = new
        left = tuple(finding for finding in now.report if finding.severity in self.levels)
        return Fixed(now.data, tuple(made), left)

    def _version(self, data: bytes, encoding: str | None) -> Version:
        games: list[GameTree] = []
        how = self.how._replace(encoding=encoding)
        report = examine(data, self.name, how, self.options, add=games.append)
        return Version(data, encoding, late.without_known(report, self.known)[0], games)

    def _choose(self, now: Version, *, unsafe: bool) -> list[Diagnostic]:
        """Choose fixes of one kind: the encoding first, then safe ones, guesses, removals."""
        kinds: dict[int, list[Diagnostic]] = {}
        # even if the options do not report it
        decoded = decode(now.data, now.encoding)
        damaged = any(finding.name == "undecodable-bytes" for finding in decoded.findings)
        for finding in now.report:
            fix = finding.fix
            if (
                fix is None
                or finding.severity not in self.levels
                or not finding.is_fixable(unsafe=unsafe)
                or _key(finding) in self._rejected
                or (fix.encoding and damaged)
            ):
                continue
            kind = 0 if fix.encoding else 1 if fix.safe else 3 if fix.removes else 2
            kinds.setdefault(kind, []).append(finding)
        if not kinds:
            return []
        first = kinds[min(kinds)]
        return first if min(kinds) == 0 else apart(first)

    def make(
        self, now: Version, chosen: list[Diagnostic], seen: set[bytes]
    ) -> tuple[Version | None, list[Diagnostic]]:
        """Make fixes, except those that do harm, and remember these as rejected."""
        groups, good = [chosen], list[Diagnostic]()
        best: Version | None = None
        while groups:
            group = groups.pop()
            is_last = not self._trials and group is not chosen
            tried = None if is_last else self._try(now, good + group, seen)
            if tried is not None:
                good += group
                best = tried
                continue
            self._trials = max(0, self._trials - 1)
            first = group[0].fix
            if len(group) > 1 and self._trials and not (first and first.encoding is not None):
                half = len(group) // 2
                groups += [group[half:], group[:half]]
            else:
                self._rejected.update(map(_key, group))
        return best, good

    def _try(self, now: Version, chosen: list[Diagnostic], seen: set[bytes]) -> Version | None:
        fixes = [finding.fix for finding in chosen if finding.fix is not None]
        of_encoding = any(fix.encoding for fix in fixes)
        encoding = now.encoding
        if of_encoding:
            data = _as_utf8(now.data, encoding)
            encoding = None
        else:
            data = apply_fixes(now.data, encoding, chosen)
        if data in seen or _cuts_stray_text(now, fixes):
            return None
        new = self._version(data, encoding)
        if any(map(gt, self._counts(new), self._counts(now))):
            return None
        if of_encoding or all(fix.safe for fix in fixes):
            but = {"CA", "FF"} if of_encoding and not _swallows(now) else set[str]()
            harmless = keeps_meaning(now.games, new.games, but=frozenset(but))
        else:
            cut = [edit for fix in fixes if fix.removes for edit in fix.edits]
            harmless = not losses(now.games, new.games, cut)
        return new if harmless else None

    def _counts(self, version: Version) -> list[int]:
        by_level = Counter(finding.severity for finding in version.report)
        return list(accumulate(by_level[level] for level in self.levels))


def _cuts_stray_text(now: Version, fixes: list[Fix]) -> bool:
    cutting = [fix for fix in fixes if any(edit.offset < edit.end_offset for edit in fix.edits)]
    text = decode(now.data, now.encoding).text if cutting else ""
    return any(cuts_stray_text(text, now.games, fix.edits, named=fix.removes) for fix in cutting)


def _swallows(version: Version) -> bool:
    """Return whether a CA value has an unescaped bracket: it swallowed the text after it."""
    roots = (game.nodes.contents[0] for game in version.games)
    return any(
        prop.ident == "CA" and "[" in raw for root in roots for prop in root for raw in prop.raw
    )


#: The key of a finding with a fix, which stays the same when other fixes move it in the text.
_key = attrgetter("code", "game", "node_path", "property", "value_index", "fix.message")


def apart(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics whose edits do not touch each other, or that share a fix."""
    chosen: list[Diagnostic] = []
    taken: list[tuple[int, int]] = []
    shared: set[tuple[Edit, ...]] = set()
    for finding in diagnostics:
        edits = (finding.fix or _NOTHING).edits
        spans = [(edit.offset, edit.end_offset) for edit in edits]
        if edits in shared:
            chosen.append(finding)
        elif spans and not any(_touches(taken, span) for span in spans):
            chosen.append(finding)
            shared.add(edits)
            for span in spans:
                taken.insert(bisect_left(taken, span), span)
    return chosen


_NOTHING = new_fix("", (), safe=True)


def _touches(taken: list[tuple[int, int]], span: tuple[int, int]) -> bool:
    """Return whether a span overlaps or touches one of ``taken``, which are in order and apart."""
    place = bisect_left(taken, span)
    before = taken[place - 1 : place]
    after = taken[place : place + 1]
    return any(other[1] >= span[0] for other in before) or any(
        other[0] <= span[1] for other in after
    )


def apply_fixes(data: bytes, encoding: str | None, chosen: Iterable[Diagnostic]) -> bytes:
    """Return a file with fixes; unchanged if that cannot be encoded or would be read otherwise."""
    fixes = dict.fromkeys(finding.fix.edits for finding in chosen if finding.fix is not None)
    edits = [edit for fix in fixes for edit in fix]
    text = decode(data, encoding).text
    try:
        new = TextSource(text, data, encoding).edited(edits)
    except UnicodeEncodeError:
        return data
    return new if decode(new, encoding).text == edited(text, edits) else data


def edited(text: str, edits: Iterable[Edit]) -> str:
    pieces: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit.offset, edit.end_offset)):
        pieces += text[done : edit.offset], edit.replacement
        done = edit.end_offset
    return "".join([*pieces, text[done:]])


def _declare_format(game: GameTree) -> GameTree:
    """Return a game that declares its format, if it has no FF: CA would be taken for FF[4]."""
    if game.format is Format.GGF or "FF" in game.root or "CA" in game.root:
        return game
    draft = game.edit()
    draft.set(draft.root, "FF", int(game.format.digit))
    return draft.done(strict=False)


def _as_utf8(data: bytes, encoding: str | None) -> bytes:
    collection = loads(data, strict=False, encoding=encoding)
    games = [
        declare_encoding(_declare_format(game), "UTF-8", also_old=True) for game in collection.games
    ]
    file = io.BytesIO()
    try:
        dump(collection.model_copy(update={"games": tuple(games)}), file, encoding="utf-8")
    except UnwritableError:
        return data
    return file.getvalue()
