"""Commands that ask an archive: ``sgf-lark archive stats``, ``dupes``, ``find`` and others."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from sgf_lark.archive.queries.reasons import MIN_MOVES, Reason
from sgf_lark.cli.commands.show import RecordPlace, find_games, find_place, last_after, read_input
from sgf_lark.cli.errors import did_you_mean
from sgf_lark.cli.interface import Bundle, NumberFrom, argument, command, flag, option, switch
from sgf_lark.cli.options import FormatOptions
from sgf_lark.cli.output import WRONG, fail, reported_failure
from sgf_lark.core import plural, reason
from sgf_lark.files.paths import STDIN
from sgf_lark.report.tables import tables
from sgf_lark.report.terminal import has_unicode, say

from .build import archive_of
from .tables import (
    ARCHIVE,
    PLACE,
    FormOptions,
    PlayerOptions,
    ResultTable,
    TableOptions,
    protect_archive,
    reported_errors,
)

if TYPE_CHECKING:
    from sgf_lark.archive import Archive
    from sgf_lark.archive.queries.keeping import Duplicates
    from sgf_lark.archive.queries.stats import StatsTable
    from sgf_lark.positions.board import Board


class OpeningOptions(Bundle, section="Games"):
    """The games and moves that are counted."""

    moves: int = option("Count the first N moves.", type=NumberFrom(1), default=4)
    at: str | None = option(
        "Only games that begin with these moves, such as 'q16 d4', and what follows.",
        metavar="MOVES",
    )
    game: str | None = option(
        "The game, by its name or number.  [default: the most frequent one]", metavar="GAME"
    )
    size: str | None = option(
        "The board size, such as 19 or 19:13.  [default: the most frequent one]", metavar="SIZE"
    )
    handicap: int = option("Count games with N handicap stones.", type=NumberFrom(0), default=0)
    min_games: int = option("Leave out moves of fewer games.", type=NumberFrom(1), default=1)
    symmetric: bool = switch(
        "Count openings that differ by a symmetry of the board as one.", default=True
    )
    transpositions: bool = flag("With --at: also games with these moves in another order.")


@command(ARCHIVE)
def openings(folder: Path, counted: OpeningOptions, result: FormOptions) -> None:
    """Count the first moves of games.

    A tree: each move with the number of games, the part of those at the move before, and the part
    of the points that Black made in them. Only games without other setup are counted, and that
    the usual side begins. A page (html) has boards with the next moves.

    Examples:
        sgf-lark openings games
        sgf-lark archive openings go.archive --moves 6
        sgf-lark archive openings go.archive --at e5 --size 9
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries.openings import openings as count

    if counted.transpositions and counted.at is None:
        fail("--transpositions needs --at")
    with reported_errors(), read(archive_of(folder)) as archive:
        try:
            options = vars(counted) | {"game": read_number(counted.game)}
            found = count(archive, **options | {"size": read_size(counted.size)})
        except (ValueError, LookupError) as error:
            fail(str(error.args[0]))
        if result.form == "text":
            is_ascii = result.output is None and not has_unicode(sys.stdout.encoding)
            result.show_page(found.text(ascii_only=is_ascii), archive.directory)
        else:
            table = ResultTable.of(found.table, title=found.title)
            boards = found.diagrams() if result.form == "html" else ()
            result.show(
                [table._replace(pictures=boards)], archive.directory, f"Openings of {folder}"
            )


def read_number(game: str | None) -> int | str | None:
    return int(game) if game is not None and game.isdecimal() else game


def read_size(text: str | None) -> tuple[int, int] | None:
    """Return columns and rows (click.UsageError: the text is no size)."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,3})(?:[:x]([0-9]{1,3}))?", text)
    if found is None:
        message = f"--size: invalid size '{text}': expected one such as 19 or 19:13"
        raise click.UsageError(message)
    return int(found[1]), int(found[2] or found[1])


class PatternOptions(Bundle, section="Pattern"):
    """The pattern, and where it lies."""

    at: str | None = option(
        "Instead of PATTERN: the position of a node of a record.", metavar="FILE[#GAME][@PATH]"
    )
    where: Literal["corner", "side", "anywhere", "whole"] | None = option(
        "Where the pattern lies; of a record, its smallest part there with all stones."
        "  [default: whole for a record, of a picture as its edges say]"
    )
    game: str | None = option(
        "The game, by its name or number.  [default: that of the record,"
        " else the most frequent one]",
        metavar="GAME",
    )
    size: str | None = option(
        "The board size, such as 19 or 19:13.  [default: that of the record,"
        " else the most frequent one]",
        metavar="SIZE",
    )
    symmetric: bool = switch("Find it turned and mirrored, too.", default=True)
    colors: bool = switch("Find it with Black and White exchanged, too.", default=True)


@command(
    ARCHIVE,
    argument(
        "pattern",
        "[PATTERN]",
        "A file, or - for standard input: a record, for the last position of its first game;"
        " or a picture, with X and O for stones, . for an empty point, * for anything, and for"
        " the edges of the board | beside it, - above or below.",
    ),
)
def find(
    folder: Path,
    pattern: str | None,
    wanted: PatternOptions,
    reading: FormatOptions,
    result: TableOptions,
) -> None:
    """Find games by a pattern of stones.

    It is searched in the main lines of an archive that was built with --patterns. Shown are the
    next moves in it, with their games and results, and the games with the moves before it
    appears. A page (html) has a board with the next moves.

    Examples:
        sgf-lark find games corner.txt
        sgf-lark archive find go.archive corner.txt
        sgf-lark archive find go.archive --at game.sgf@1 --where corner
    """
    from sgf_lark.archive import find as search, read

    place = wanted.at or pattern
    if place is None or (wanted.at and pattern):
        raise click.UsageError("expected a PATTERN, or --at with a place in a record")
    with reported_errors(), read(archive_of(folder, patterns=True)) as archive:
        try:
            drawn = _read_pattern(place, reading, result.output, is_place=wanted.at is not None)
            found = search(
                archive,
                drawn,
                wanted.where,
                game=read_number(wanted.game),
                size=read_size(wanted.size),
                symmetric=wanted.symmetric,
                colors=wanted.colors,
            )
        except ValueError as error:
            fail(str(error))
    moves = ResultTable.of(found.continuations, "continuations", "Next moves")
    games = ResultTable.of(found.table, "games", "Games").placed()
    moves = moves._replace(pictures=(found.diagram,) if result.form == "html" else ())
    if not found.table.num_rows and result.form == "text":
        say(f"{folder}: no game has the pattern", err=True)
        return
    title = f"Pattern in {folder}"
    result.show([moves, games], archive.directory, title, limit=result.limit)


#: The beginning of a record.
_RECORD = re.compile(rb"\(\s*;")


def _read_pattern(
    text: str, reading: FormatOptions, output: Path | None, *, is_place: bool
) -> str | Board:
    place = find_place(text) if is_place else RecordPlace(text)
    data = read_input(place.file, None if output is None else str(output))
    if not is_place and not _RECORD.search(data):
        return data.decode(errors="replace")
    game = find_games(data, place, reading.loading())[0]
    try:
        node = last_after(game.root) if place.path is None else game.at(place.path)
    except KeyError:
        fail(f"{text}: there is no node at the path {place.path!r}")
    return node.board


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
        " game with the header that it lacks, and the comments and variations of the others; what"
        " of them is left out is said.",
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
        sgf-lark dupes games
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
    with reported_errors(), read(archive_of(folder)) as archive:
        for file in (delete_list, merge):
            protect_archive(file, archive.directory)
        found = find(archive, games.by or Reason, min_moves=games.min_moves)
        is_asked = form != "text" or limit is not None or output is not None
        if is_asked or (delete_list is None and merge is None):
            table = ResultTable.of(found.table)
            if form not in {"json", "csv"}:
                table = ResultTable.of(found.table.select(SHOWN)).placed()
            written.show([table], archive.directory, f"Duplicates of {folder}", limit=limit)
        counts = plural(found.table.num_rows, "game"), plural(found.groups, "group")
        words = ", ".join(f"{number:,} {kind}" for kind, number in found.counts().items())
        say(f"{' in '.join(counts)}; duplicates: {words}", err=True)
        if delete_list is not None:
            _write_list(found, delete_list, contradicting=contradicting, null=written.null)
        if merge is not None:
            _merge(archive, found, merge, contradicting=contradicting)


def _write_list(found: Duplicates, file: Path, *, contradicting: bool, null: bool) -> None:
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
    for game in merged.values:
        number = f"#{game.game + 1}" * bool(game.game)
        say(f"{game.record}{number}: left out, as the kept game counts: {game.reason}", err=True)
    say(f"{folder}: {plural(len(merged.files), 'file')}", err=True)


class CopyOptions(Bundle, section="Output"):
    """The folder for the copies."""

    copies: Path = option(
        "The folder for the copies, in the folders of their files. No file is replaced.",
        "-o",
        "--output",
        required=True,
        metavar="DIR",
    )


@command(
    ARCHIVE,
    argument(
        "condition",
        "CONDITION",
        "A condition in SQL about the columns of games, such as"
        " \"komi = 6.5 AND black = 'Aoki' AND errors = 0\".",
        str,
    ),
)
def select(folder: Path, condition: str, place: CopyOptions) -> None:
    """Copy the games that meet a condition.

    The rows of the games, and other tables, are what 'sgf-lark archive sql' shows.

    Exit code: 1 if a game could not be copied, since its file is gone or has changed.

    Examples:
        sgf-lark archive select go.archive "moves > 100" -o copies
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries.select import select as choose

    with reported_errors(), read(archive_of(folder)) as archive:
        protect_archive(place.copies, archive.directory)
        copied = choose(archive, condition).copy_to(place.copies)
    for problem in copied.problems:
        say(f"{problem.record}: {problem.problem}", err=True)
    counts = plural(copied.files, "file"), plural(copied.games, "game")
    present = f", {copied.present:,} were there before" if copied.present else ""
    say(f"{place.copies}: {' of '.join(counts)}{present}", err=True)
    if copied.problems:
        sys.exit(WRONG)


class QueryOptions(PlayerOptions, section="Options"):
    """The limit of a query, and the form of its result."""

    time_limit: float | None = option(
        "Stop a query that takes longer; 0 for no limit.  [default: none on a terminal,"
        " otherwise 60]",
        metavar="SECONDS",
    )


@command(
    ARCHIVE,
    argument(
        "query",
        "[QUERY]",
        "A query in the SQL of DuckDB, a file that ends in .sql, or - for standard input."
        "  [default: standard input, if it is no terminal]",
    ),
)
def sql(folder: Path, query: str | None, options: QueryOptions) -> None:
    """Query the tables of an archive in SQL.

    The tables are games, moves, findings, sources and, if they were built, positions; players and
    pairs of them are counted from games. 'DESCRIBE games' lists the columns of one. A query can
    change nothing, and read no other file.

    Exit code: 1 if the query takes longer than the time limit, 2 if it is wrong.

    Examples:
        sgf-lark archive sql go.archive "FROM games LIMIT 5"
        sgf-lark archive sql go.archive "DESCRIBE games"
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries.sql import time_limit_or_default

    try:
        seconds = time_limit_or_default(options.time_limit)
    except ValueError as error:
        fail(f"--time-limit: {error}")
    with (
        reported_errors(),
        read(archive_of(folder), aliases=options.aliases) as archive,
        closing(archive.database()) as database,
    ):
        answer = database.stream(_read_query(query, archive), time_limit=seconds)
        table = ResultTable("rows", "", answer.schema, answer)
        options.show([table], archive.directory, str(folder), limit=options.limit)


def _read_query(query: str | None, archive: Archive) -> str:
    text = query or ""
    if query == STDIN or (query is None and not sys.stdin.isatty()):
        text = sys.stdin.read()
    elif query is not None and query.lower().endswith(".sql"):
        try:
            text = Path(query).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            fail(f"cannot read {query}: {reason(error)}")
    if not text.strip():
        counts = {name: archive.table(name).num_rows for name in tables()}
        known = (f"{name} ({plural(count, 'row')})" for name, count in counts.items())
        fail(f"QUERY is missing; the tables are {', '.join(known)}")
    return text


#: Default limit of the rows of each table on a terminal.
MAX_ROWS = 15


class StatsOptions(PlayerOptions, section="Output"):
    """The tables, their form and their file."""

    tables: tuple[str, ...] = option(
        "Show only this table, such as years; the names are those of json.",
        "--table",
        metavar="NAME",
    )


@command(ARCHIVE)
def stats(folder: Path, shown: StatsOptions) -> None:
    """Count the games of an archive, by many columns.

    By format, game, board size, rules, program and year; their lengths and results; findings by
    rule, and the programs whose games have the most; players and pairs of them. A page (html)
    has plots.

    Examples:
        sgf-lark archive stats go.archive
        sgf-lark archive stats go.archive --format html -o go.html
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries import stats as queries

    tables, limit = shown.tables, shown.limit
    with reported_errors(), read(archive_of(folder), aliases=shown.aliases) as archive:
        found = queries.stats(archive, queries.MAX_ROWS if limit is None else None)
        if shown.form == "html" and not tables:
            shown.show_page(found.html(f"Statistics of {folder}"), archive.directory)
            return
        known = {table.name: table for table in found.tables}
        for name in tables:
            if name not in known:
                hint = did_you_mean(name, known) or f": expected {', '.join(known)}"
                raise click.UsageError(f"--table: no table '{name}'{hint}")
        chosen = [known[name] for name in tables or known]
        results = [
            ResultTable.of(table.rows, table.name, table.title)._replace(
                bars=() if tables or limit is not None else _bars(table)
            )
            for table in chosen
            if table.rows.num_rows or tables
        ]
        shown.show(
            results, archive.directory, f"Statistics of {folder}", limit=limit, most=MAX_ROWS
        )


def _bars(table: StatsTable) -> tuple[tuple[str, int], ...]:
    """Return labels and numbers of a distribution; empty if the table is none."""
    from sgf_lark.archive.queries.stats import find_bars

    return tuple((bar.label, bar.number) for bar in find_bars(table))
