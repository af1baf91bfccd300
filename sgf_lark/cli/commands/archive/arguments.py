"""Arguments and options that the commands of archives share, and their errors."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import click

from sgf_lark.cli.interface import NumberFrom, PathType, option
from sgf_lark.cli.options import OutputOptions
from sgf_lark.cli.output import WRONG, fail
from sgf_lark.findings.terminal import reason
from sgf_lark.schema.tables import load_pyarrow

if TYPE_CHECKING:
    from collections.abc import Iterator


#: The forms of tables.
TableForm: TypeAlias = Literal["text", "json", "csv", "html"]


#: The folder of an archive.
ARCHIVE = click.Argument(
    ["folder"],
    type=PathType(Path),
    metavar="ARCHIVE",
    help="The folder of an archive that 'sgf-lark archive build' made.",
)


class FormOptions(OutputOptions, section="Output"):
    """The form of tables, and their file."""

    form: TableForm = option(
        "The form of the tables: as text, for other programs, or as a page.",
        "--format",
        default="text",
    )


class TableOptions(FormOptions, section="Output"):
    """The form of tables, their length and their file."""

    limit: int | None = option(
        "Show at most N rows of a table; 0 for all. The default is all, on a terminal 100, of"
        " statistics 15.",
        type=NumberFrom(0),
    )


class _NoPandas:
    """Finds no pandas."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def _start_pyarrow() -> None:
    """Let pyarrow look for pandas in vain: it would import it, which takes 0.4 seconds."""
    sys.meta_path.insert(0, _NoPandas)
    try:
        load_pyarrow().scalar(True)  # the first value looks for it  # noqa: FBT003
    finally:
        sys.meta_path.remove(_NoPandas)


@contextmanager
def reported_errors() -> Iterator[None]:
    """Exit with a message if a package is missing, a folder no archive, a query wrong or slow."""
    from sgf_lark.archive import ArchiveError, QueryError, QueryTimeoutError

    try:
        _start_pyarrow()
        yield
    except ImportError as error:
        fail(str(error))
    except ArchiveError as error:
        first, *more = reason(error).split("\n")
        fail(f"{error.filename}: {first}", more=more)
    except QueryTimeoutError as error:
        fail(error.message, WRONG)
    except QueryError as error:
        fail(error.message, more=error.excerpt)
