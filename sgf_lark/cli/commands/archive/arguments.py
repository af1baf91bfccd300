"""Arguments and options that the commands of archives share, and their errors."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sgf_lark.cli.grammars import write
from sgf_lark.cli.interface import NumberFrom, PathType, argument, option
from sgf_lark.cli.options import OutputOptions
from sgf_lark.cli.output import WRONG, console, fail
from sgf_lark.core import reason
from sgf_lark.report.tables import load_pyarrow

from .tables import MAX_ROWS, WRITERS, ResultTable, Screen, TableForm, protect_archive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


#: The folder of an archive.
ARCHIVE = argument(
    "folder",
    "ARCHIVE",
    "The folder of an archive that 'sgf-lark archive build' made.",
    PathType(Path),
)


class FormOptions(OutputOptions, section="Output"):
    """The form of tables, and their file."""

    form: TableForm = option(
        "The form of the tables: as text, for other programs, or as a page.",
        "--format",
        default="text",
    )

    def show(
        self,
        tables: Sequence[ResultTable],
        archive: Path,
        title: str,
        *,
        limit: int | None = None,
        most: int = MAX_ROWS,
    ) -> None:
        """Write tables in the form to the file or to standard output.

        Args:
            tables: The tables.
            archive: The folder of the archive, in which no file is replaced.
            title: The title of a page.
            limit: Limit of the rows of a table; 0 for none, None for the default.
            most: The default limit on a terminal; elsewhere there is none.
        """
        protect_archive(self.output, archive)
        if self.form == "text" and self.output is None and sys.stdout.isatty():
            screen = Screen(console(sys.stdout))
            for table in tables:
                screen.show(table, most if limit is None else limit)
        else:
            write(WRITERS[self.form](tables, limit or None, title), self.output)

    def show_page(self, page: str, archive: Path) -> None:
        """Write a text about an archive, such as a page."""
        protect_archive(self.output, archive)
        write([page], self.output)


class TableOptions(FormOptions, section="Output"):
    """The form of tables, their length and their file."""

    limit: int | None = option(
        "Show at most N rows of a table; 0 for all. The default is all, on a terminal 100, of"
        " statistics 15.",
        type=NumberFrom(0),
    )


class PlayerOptions(TableOptions, section="Output"):
    """The spellings of players, and the form of tables."""

    aliases: Path | None = option(
        'Count other spellings as one player: a file of TOML with lines such as "Lee Sedol" ='
        ' ["Yi Se-tol"].',
        metavar="FILE",
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
