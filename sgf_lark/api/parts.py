"""Check a huge file in parts, so that several processes share it.

A file is cut where one game seems to end and the next to begin.  Each part is read as if all
parts before it were valid; its result tells if it ends where its last game does, and if nothing
in it waits for a later game.  If this holds of all parts, their findings together are those of
the file.  Else there is no result, and one process has to read the whole file.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

from sgf_lark.check.across_games import (
    DIFFERENT,
    FirstOfKind,
    check_match_length,
    report_differences,
)
from sgf_lark.check.consequences import is_fragment
from sgf_lark.diagnostics.finding import Finding
from sgf_lark.diagnostics.limits import COUNT, MAX_ALIKE, FindingLimit
from sgf_lark.diagnostics.report import Report
from sgf_lark.fix.place import OF_TEXT
from sgf_lark.fix.syntax import MAX_TOKENS
from sgf_lark.grammar.tokens import tokenize
from sgf_lark.model.collection import GameTree
from sgf_lark.places import Span
from sgf_lark.schema.formats import Engine, EngineName, Format, FormatName
from sgf_lark.schema.properties import Category, PropertyTable, capitals
from sgf_lark.text.detection import kept
from sgf_lark.text.encoding import Decoded, Section, decode_sections

from .load import make_report
from .pipeline import ReadState, read_games, reads_as_ggf

FilePath: TypeAlias = str | os.PathLike[str]

#: Bytes of a part: enough to be worth a message, few beside the memory of a process.
MIN_PART, MAX_PART = 1 << 17, 1 << 22

#: Parts for each process, so that all processes end at about the same time.
PARTS_PER_PROCESS = 4

#: Number of the first game of a part, if it is not the first one: some findings are about the
#: first two games of a file.
FIRST_NUMBER = 2

#: The end of a game, and the first name of the next one; a number (GGF) or a few words may be
#: between them.
_BORDER = re.compile(rb"\)(?=[^()\[\];]{0,200}+\(\s*+;\s*+([A-Za-z]++)\s*+\[)")

#: Properties that begin a game, but hardly a variation.
_OF_ROOT = frozenset(
    rule.ident
    for rule in PropertyTable.standard()
    if rule.category in {Category.ROOT, Category.GAME_INFO}
)


class Part(NamedTuple):
    """A part of a file.

    Attributes:
        sections: Its bytes, by codec.
        checksum: The CRC of the bytes.
        ggf: The games of the file are GGF.
        is_first, is_last: It begins or ends where the file does.
    """

    sections: tuple[Section, ...]
    checksum: int
    ggf: bool
    is_first: bool
    is_last: bool


class Beside(Enum):
    """The text on which the findings in a part depend: that before it, or that after it."""

    BEFORE = "before"
    AFTER = "after"


class PartResult(NamedTuple):
    """The findings in a part; its offsets and numbers of games are those of the part.

    Attributes:
        findings: All findings but those about games of several kinds.
        games: Number of games.
        kinds: The first game of each format and kind.
        matches: True if each game belongs to a match of GGF whose number of games is given,
            False if none does; None for some of them.
        depends: None, or the text on which they depend; then they are not complete.
    """

    findings: list[Finding]
    games: int
    kinds: list[FirstOfKind]
    matches: bool | None
    depends: Beside | None


class Cut(NamedTuple):
    """A file that is cut into parts.

    Attributes:
        decoded: The text of the file, and the findings about its encoding.
        parts: The parts.
        starts: The offset of each part in the text.
    """

    decoded: Decoded
    parts: list[Part]
    starts: list[int]


# ---- cutting a file ----


def cut_file(
    path: FilePath,
    jobs: int,
    *,
    format: Format | FormatName | None = None,
    encoding: str | None = None,
) -> Cut | None:
    """Cut a file into parts; None if there is no certain place for a cut.

    Args:
        path: The path of the file.
        jobs: Number of processes that share it.
        format, encoding: As for :func:`sgf_lark.check`.

    Raises:
        OSError: The file cannot be read.
    """
    data = Path(path).read_bytes()
    size = min(MAX_PART, max(MIN_PART, len(data) // (jobs * PARTS_PER_PROCESS)))
    return cut_data(data, size, format=format, encoding=encoding)


def cut_data(
    data: bytes,
    size: int,
    *,
    format: Format | FormatName | None = None,
    encoding: str | None = None,
) -> Cut | None:
    """Cut the bytes of a file into parts; None if there is no certain place for a cut.

    Args:
        data: The bytes.
        size: The bytes of a part; it has more, up to the end of a game.
        format, encoding: As for :func:`sgf_lark.check`.
    """
    cuts = list(_find_cuts(data, size))
    if not cuts:
        return None
    decoded, sections_of_all = decode_sections(data, encoding)
    text = decoded.text
    ggf = bool(
        reads_as_ggf(text, None if format is None else Format.named(format), None, more=False)
    )
    pieces = list(_divide(sections_of_all, cuts))
    all_parts: list[Part] = []
    starts: list[int] = []
    end = 0
    for number, sections in enumerate(pieces):
        part_text = "".join(kept(data[start:stop], codec) for start, stop, codec in sections)
        if not text.startswith(part_text, end):
            return None
        starts.append(end)
        end += len(part_text)
        checksum = 0
        for start, stop, _ in sections:
            checksum = crc32(data[start:stop], checksum)
        is_first, is_last = number == 0, number == len(pieces) - 1
        all_parts.append(Part(sections, checksum, ggf, is_first, is_last))
    return Cut(decoded, all_parts, starts) if end == len(text) else None


def _find_cuts(data: bytes, size: int) -> Iterator[int]:
    """Yield ends of games, at least ``size`` bytes apart; that of the first game is left out."""
    end = end_of_game(data, 0)
    while end is not None and len(data) - end > size:
        end = end_of_game(data, end + size)
        if end is not None:
            yield end


def end_of_game(data: bytes, start: int) -> int | None:
    """Return the first place where a game seems to end and another to begin; None if none does."""
    for match in _BORDER.finditer(data, start):
        if capitals(match[1].decode("ascii")) in _OF_ROOT:
            return match.end()
    return None


def _divide(sections: Iterable[Section], cuts: Sequence[int]) -> Iterator[tuple[Section, ...]]:
    """Yield the sections between two cuts; a section in which a cut is becomes two."""
    piece: list[Section] = []
    for start, end, codec in sections:
        begin = start
        for cut in cuts[bisect_right(cuts, start) : bisect_right(cuts, end)]:
            yield (*piece, Section(begin, cut, codec))
            piece, begin = [], cut
        if begin < end:
            piece.append(Section(begin, end, codec))
    if piece:
        yield tuple(piece)


# ---- reading a part ----


def read_part(  # the options of check
    path: FilePath,
    part: Part,
    *,
    format: Format | FormatName | None = None,
    table: PropertyTable | None = None,
    engine: Engine | EngineName = Engine.AUTO,
    options: Any = None,
    max_diagnostics: int | None = None,
    **_: Any,
) -> PartResult | None:
    """Check a part of a file; None if its findings depend on the parts beside it.

    Raises:
        OSError: The file cannot be read.
    """
    text = _read_text(path, part)
    if text is None:
        return None
    options_ = {"format": format, "table": table, "engine": engine, "options": options}
    result = read_text(text, part, max_diagnostics=max_diagnostics, **options_)
    return result if result.depends is None else None


def read_text(  # the options of check
    text: str,
    part: Part,
    *,
    format: Format | FormatName | None = None,
    table: PropertyTable | None = None,
    engine: Engine | EngineName = Engine.AUTO,
    options: Any = None,
    max_diagnostics: int | None = None,
    each: Callable[[GameTree, ReadState], object] | None = None,
    alone: bool = False,
    **_: Any,
) -> PartResult:
    """Check the text of a part.

    Args:
        text: The text.
        part: The part.
        format, table, engine, options, max_diagnostics: As for :func:`sgf_lark.check`.
        each: A function to call with each game and the state of reading.
        alone: The result does not depend on the parts beside it: they are taken for other files.
    """
    format_ = None if format is None else Format.named(format)
    if table is None and options is not None:
        table = options.table
    table_, engine_ = table or PropertyTable.standard(), Engine(engine)
    strict_rules = frozenset[str]() if options is None else options.asked
    state = ReadState(table_, engine_, None, None if max_diagnostics == 0 else MAX_ALIKE)
    is_last = part.is_last or alone
    state.ggf, state.more, state.is_part = part.ggf, not is_last, True
    state.number = first = 0 if part.is_first else FIRST_NUMBER
    # whoever joins the parts counts those outside games
    state.limit = FindingLimit(None if max_diagnostics == 0 else MAX_ALIKE, outside=False)
    findings: list[Finding] = []
    kinds: list[FirstOfKind] = []
    seen = (0, 0)
    in_match = set[bool]()
    looking = 0  # the end of the last game with a fix that depends on the text after it

    def result(depends: Beside | None) -> PartResult:
        matches = in_match.pop() if len(in_match) == 1 else None
        return PartResult(findings, state.number - first, kinds, matches, depends)

    for game, more in read_games(text, format_, table_, engine_, strict_rules, state=state):
        findings += (one.completed() for one in more if one.rule not in DIFFERENT)
        names = {finding.name for finding in more}
        if not is_last and names & LOOKING_AHEAD:
            if names & LOOKING_FAR:
                return result(Beside.AFTER)
            looking = state.done
        if game is None:
            continue
        if state.number == first and not (part.is_first or alone) and is_fragment(game):
            return result(Beside.BEFORE)
        in_match.add(state.match is not None)
        now = (len(state.kinds.formats), len(state.kinds.games))
        if now != seen:
            rules, place = game.nodes.rules, game.nodes.places.node(0, 0)
            named = rules.format if now[0] > seen[0] else None
            kinds.append(
                FirstOfKind(named, (rules.game.number, rules.game.name), state.number, place)
            )
            seen = now
        if each is not None:
            each(game, state)
    is_settled = is_last or (
        state.done == len(text)
        and (not looking or _has_room(text, looking))
        and state.fragments.is_settled
        and not check_match_length(state.match)
    )
    return result(None if is_settled else Beside.AFTER)


#: Findings whose fixes depend on all the text after them, and those that depend on some of it.
LOOKING_FAR = frozenset({"property-outside-games", "no-game-record", "unclosed-value"})
LOOKING_AHEAD = LOOKING_FAR | {"unclosed-tree", *OF_TEXT}


def _has_room(text: str, start: int) -> bool:
    """Return whether a place is so far from the end that no fix there depends on the next part."""
    end = text.find("]", start)
    if end < 0:
        return False
    following = islice(tokenize(text, end, len(text)), MAX_TOKENS, None)
    return next(following, None) is not None


def _read_text(path: FilePath, part: Part) -> str | None:
    """Return the text of a part; None if the file has changed since it was cut."""
    texts: list[str] = []
    checksum = 0
    with Path(path).open("rb") as file:
        for start, end, codec in part.sections:
            file.seek(start)
            data = file.read(end - start)
            checksum = crc32(data, checksum)
            texts.append(kept(data, codec))
    return "".join(texts) if checksum == part.checksum else None


# ---- the report ----


def join_results(
    path: str, cut: Cut, results: Sequence[PartResult | None], options: dict[str, Any]
) -> Report | None:
    """Return the report on a file; None if not all its parts are independent.

    Args:
        path: The path of the file.
        cut: The file.
        results: The results of its parts.
        options: The options of :func:`sgf_lark.check`.
    """
    known = [result for result in results if result is not None]
    is_complete = len(known) == len(cut.parts) and known[0].games >= FIRST_NUMBER
    if not is_complete or len({result.matches for result in known}) > 1 or known[0].matches is None:
        return None
    findings, kinds = list(cut.decoded.findings), list[FirstOfKind]()
    count = 0
    for result, start in zip(known, cut.starts, strict=True):
        by = count - (FIRST_NUMBER if count else 0)
        findings += (_moved(finding, start, by) for finding in result.findings)
        kinds += (_kind_moved(first, start, by) for first in result.kinds)
        count += result.games
    most = options.get("max_diagnostics")
    findings += report_differences(kinds)
    if most != 0:
        if any(COUNT in finding.facts for finding in findings):
            return None  # a game has more than the limit of the file
        limit = FindingLimit(by_game=False)
        findings = [*limit.kept(findings), *limit.rest(outside=True)]
    report = make_report(path, cut.decoded.text, findings, options.get("options"))
    return report.capped(most)


def _moved(finding: Finding, start: int, by: int) -> Finding:
    """Return a finding in a part with its place and its game in the file."""
    game = None if finding.game is None else finding.game + by
    return finding.moved(start)._replace(game=game)


def _kind_moved(first: FirstOfKind, start: int, by: int) -> FirstOfKind:
    place = Span(first.place.start + start, first.place.end + start)
    return first._replace(number=first.number + by, place=place)
