"""The command ``sgf-lark archive dupes``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sgf_lark.archive.queries.reasons import MIN_MOVES, Reason
from sgf_lark.cli.interface import Bundle, NumberFrom, command, flag, option
from sgf_lark.cli.output import fail, reported_failure
from sgf_lark.core import plural
from sgf_lark.report.terminal import say

from .arguments import ARCHIVE, TableOptions, reported_errors
from .tables import PLACE, ResultTable, protect_archive

if TYPE_CHECKING:
    from sgf_lark.archive import Archive
    from sgf_lark.archive.queries.keeping import Duplicates


#: The columns that people see; the other forms have all.
SHOWN = (
    *("group", "keep", "reason", *PLACE, "moves", "black", "white", "raw_date", "raw_result"),
    "differs",
)


class DuplicateOptions(Bundle, section="Games"):
    """The games that are duplicates."""

    by: tuple[Reason, ...] = option(
        "Find only duplicates with this in common: bytes; text (but for its layout); the"
        " moves of the main line (line), also turned, mirrored or with exchanged colors"
        " (symmetric); nearly all moves (dyer); all moves of one that breaks off (prefix); the"
        " last position (final). May be given several times.  [default: all of them]",
        metavar="REASON",
    )
    min_moves: int = option(
        "Compare games with fewer moves only by bytes and text.",
        type=NumberFrom(0),
        default=MIN_MOVES,
    )


class CleanupOptions(TableOptions, section="Output"):
    """The files to write."""

    delete_list: Path | None = option(
        "Write the names of the files that are not needed, since all of their games are"
        " kept in others; nothing is deleted."
    )
    merge: Path | None = option(
        "Write each group as one record into this folder, a new or an empty one: the kept"
        " game with what the headers, comments and variations of the others add.",
        metavar="DIR",
    )
    contradicting: bool = flag(
        "With --delete-list and --merge: also games whose players, date or result"
        " contradict those of the kept game."
    )
    null: bool = flag(
        "With --delete-list: end each name by NUL, for xargs -0, which reads names with"
        " spaces and quotes as they are."
    )


@command(ARCHIVE)
def dupes(folder: Path, games: DuplicateOptions, written: CleanupOptions) -> None:
    """Find games that an archive has more than once.

    Of each group the longest game is kept, of equally long ones that with the richest header.
    The columns: group, keep, the strongest reason, and what differs in the header from the kept
    game. With --delete-list or --merge they are printed only if --format, --limit or -o asks for
    them.

    Examples:
        sgf-lark archive dupes go.archive
        sgf-lark archive dupes go.archive --delete-list a.txt
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries.dupes import dupes as find

    delete_list, merge, contradicting = written.delete_list, written.merge, written.contradicting
    form, limit, output = written.form, written.limit, written.output
    if written.null and delete_list is None:
        fail("--null needs --delete-list")
    if contradicting and delete_list is None and merge is None:
        fail("--contradicting needs --delete-list or --merge")
    for file in (delete_list, merge):
        protect_archive(file, folder)
    with reported_errors(), read(folder) as archive:
        found = find(archive, games.by or Reason, min_moves=games.min_moves)
        is_asked = form != "text" or limit is not None or output is not None
        if is_asked or (delete_list is None and merge is None):
            table = ResultTable.of(found.table)
            if form not in {"json", "csv"}:
                table = ResultTable.of(found.table.select(SHOWN)).placed()
            written.show([table], folder, f"Duplicates of {folder}", limit=limit)
        counts = plural(found.table.num_rows, "game"), plural(found.groups, "group")
        words = ", ".join(f"{number:,} {kind}" for kind, number in found.counts().items())
        say(f"{' in '.join(counts)}; duplicates: {words}", err=True)
        if delete_list is not None:
            _write_list(found, delete_list, contradicting=contradicting, null=written.null)
        if merge is not None:
            _merge(archive, found, merge, contradicting=contradicting)


def _write_list(found: Duplicates, file: Path, *, contradicting: bool, null: bool) -> None:
    """Write the files that are not needed, and say how many they are."""
    from sgf_lark.archive.queries.keeping import format_delete_list
    from sgf_lark.files.writing import replacing

    paths = found.delete_list(contradicting=contradicting)
    if changed := found.changed():
        words = "gone or changed since the archive was built: build it again"
        more = f" and {len(changed) - 1:,} more" if len(changed) > 1 else ""
        say(f"{changed[0]}{more}: {words}", err=True)
    try:
        data = format_delete_list(paths, null=null)
    except ValueError as error:
        fail(f"{error}: --null")
    with reported_failure(f"cannot write {file}"), replacing(file) as stream:
        stream.write(data)
    say(f"{file}: {plural(len(paths), 'file')}", err=True)


def _merge(archive: Archive, found: Duplicates, folder: Path, *, contradicting: bool) -> None:
    """Write the merged records, say how many they are, and which games are not in them."""
    from sgf_lark.archive.records.merging import merge_duplicates

    merged = merge_duplicates(archive, found, folder, contradicting=contradicting)
    for game in merged.left_out:
        number = f"#{game.game + 1}" * bool(game.game)
        say(f"{game.record}{number}: not merged: {game.reason}", err=True)
    say(f"{folder}: {plural(len(merged.files), 'file')}", err=True)
