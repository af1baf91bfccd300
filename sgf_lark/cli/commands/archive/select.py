"""The command ``sgf-lark archive select``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from sgf_lark.cli import completion
from sgf_lark.cli.errors import did_you_mean
from sgf_lark.cli.interface import OneOf, PathType, command, option
from sgf_lark.cli.output import WRONG, fail
from sgf_lark.findings.terminal import plural, reason, say
from sgf_lark.schema.tables import tables

from .arguments import ARCHIVE, TableForm, TableOptions, reported_errors
from .results import PLACE, ResultTable

if TYPE_CHECKING:
    from sgf_lark.archive import Selection
    from sgf_lark.archive.queries.select import RowForm
    from sgf_lark.archive.records.copying import Copied


class CopyForm(StrEnum):
    """The forms in which games are copied."""

    SGF = "sgf"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


class CopyingOptions(TableOptions, section="Output"):
    """The columns or copies of the games, and their place."""

    to: CopyForm | None = option(
        "Write the games as one record (sgf), or all columns of their rows.", type=OneOf(CopyForm)
    )
    copy_to: Path | None = option(
        "Copy the games into this folder, in the folders of their files. No file is replaced.",
        type=PathType(Path),
        metavar="DIR",
    )
    columns: tuple[str, ...] = option(
        "Show or write only these columns of games, separated by commas.",
        multiple=True,
        default=(),
        metavar="NAMES",
        shell_complete=completion.columns,
    )


@command(
    ARCHIVE,
    click.Argument(
        ["condition"],
        metavar="CONDITION",
        help="A condition in SQL about the columns of games, such as"
        " \"komi = 6.5 AND black = 'Aoki' AND errors = 0\".",
    ),
)
def select(folder: Path, condition: str, copies: CopyingOptions) -> None:
    """List or copy the games that meet a condition.

    Exit code: 1 if a game could not be copied, since its file is gone or has changed.

    Examples:
        sgf-lark archive select go.archive "moves > 100"
        sgf-lark archive select go.archive "komi = 6.5" --to csv
        sgf-lark archive select go.archive true --copy-to copies
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries.select import select as choose

    from .tables import protect_archive, show_tables

    to, copy_to, output = copies.to, copies.copy_to, copies.output
    names = _names(copies.columns)
    if to is not None and copy_to is not None:
        fail("--to and --copy-to exclude each other")
    for name, value in (("--columns", names), ("--output", output)):
        if copy_to is not None and value is not None:
            fail(f"{name} and --copy-to exclude each other")
    if names is not None and to is CopyForm.SGF:
        fail("--columns and --to sgf exclude each other")
    if copies.limit is not None and (to is not None or copy_to is not None):
        fail(f"--limit and --{'to' if copy_to is None else 'copy-to'} exclude each other")
    for file in (output, copy_to):
        protect_archive(file, folder)
    with reported_errors(), read(folder) as archive:
        found = choose(archive, condition)
        if copy_to is not None:
            copied = found.copy_to(copy_to)
            counts = plural(copied.files, "file"), plural(copied.games, "game")
            _report(copied, f"{copy_to}: {' of '.join(counts)}")
        elif to is not None:
            _write(found, to, output, names)
        else:
            rows = found.rows(names or SHOWN)
            table = ResultTable("games", "", rows.schema, rows)
            if names is None and copies.form in {TableForm.TEXT, TableForm.HTML}:
                table = table.placed()
            show_tables(
                *([table], copies.form, output),
                title=f"Games of {folder}",
                archive=folder,
                limit=copies.limit,
            )


#: Columns that people see.
SHOWN = (*PLACE, "black", "white", "raw_result", "date_first", "moves", "errors")


def _names(columns: Sequence[str]) -> list[str] | None:
    """Return the names of columns; None if none are given.

    Raises:
        click.UsageError: There is no such column.
    """
    if not columns:
        return None
    known = [column.name for column in tables()["games"]]
    names = [name for text in columns for name in text.replace(",", " ").split()]
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise click.UsageError(f"--columns: no column '{name}'{hint}")
    return names


def _write(
    found: Selection, to: CopyForm, output: Path | None, columns: Sequence[str] | None
) -> None:
    """Write games or their rows; say how many they are, if it is to a file."""
    forms: dict[CopyForm, RowForm] = {
        CopyForm.CSV: "csv",
        CopyForm.JSONL: "jsonl",
        CopyForm.PARQUET: "parquet",
    }
    if to is CopyForm.PARQUET and output is None and sys.stdout.isatty():
        fail("--to parquet needs --output, or a pipe")
    with _open(output) as stream:
        if to is CopyForm.SGF:
            copied = found.write_sgf(stream)
        else:
            count = found.write(stream, forms[to], columns)
    if to is CopyForm.SGF:
        _report(copied, f"{output}: {plural(copied.games, 'game')}" if output else "")
    elif output is not None:
        say(f"{output}: {plural(count, 'game')}", err=True)


@contextmanager
def _open(output: Path | None) -> Iterator[IO[bytes]]:
    """Open the output for bytes; a file gets all of them, or keeps its old content."""
    from sgf_lark.text.files import replacing

    if output is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        with replacing(output) as file:
            yield file
    except OSError as error:
        fail(f"cannot write {output}: {reason(error)}")


def _report(copied: Copied, words: str) -> None:
    """Say what was copied and what was not; exit with 1 if something was not."""
    for problem in copied.problems:
        say(f"{problem.record}: {problem.problem}", err=True)
    if words:
        present = f", {copied.present:,} were there before" if copied.present else ""
        say(f"{words}{present}", err=True)
    if copied.problems:
        sys.exit(WRONG)
