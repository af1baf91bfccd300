"""The commands that write records: ``sgf-lark fmt PATHS...``, ``check --fix PATHS...``."""

from __future__ import annotations

import difflib
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NoReturn, TypeAlias

import typer

from sgf_lark.diagnostics.terminal import say, show, visible

from . import options as arguments
from .paths import STDIN, SUFFIXES, Unreadable, find_files, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sgf_lark.api.format import Layout
    from sgf_lark.diagnostics.rules import Severity
    from sgf_lark.diagnostics.settings import Chooser
    from sgf_lark.report.base import Fixes


def fmt(
    *,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATHS",
            help=f"Files; folders, in which all files that end in {', '.join(SUFFIXES)} are"
            " written anew; patterns such as 'games/*.sgf'; or - to read what is piped in, and"
            " to print the result.",
            show_default=False,
        ),
    ],
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit with 1 if something would be written."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what would be written.")
    ] = False,
    nodes: Annotated[
        int, typer.Option(min=1, metavar="N", help="Put so many nodes on a line.")
    ] = 1,
    indent: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Put so many spaces before a variation, for each level."
        ),
    ] = 0,
    width: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Break longer lines where a break means nothing.",
            show_default=False,
        ),
    ] = None,
    compress: Annotated[
        bool,
        typer.Option("--compress", help="Write points of a list as rectangles, as FF[4] can."),
    ] = False,
    encoding: arguments.Encoding = None,
) -> None:
    """Write game records in one layout, a node on each line.

    A file is replaced only if its new layout was read again and says the same. Files that
    break the grammar are left as they are: check says what is wrong with them.

    Exits with 0 if all went well, with 1 if something would be written (--check, --diff) or a
    file is broken, and with 2 if a file could not be read or written.
    """
    from sgf_lark.api.format import ChangedError, formatted
    from sgf_lark.diagnostics.errors import SgfSyntaxError

    arguments.test_encoding(encoding)
    layout: Layout = {"nodes": nodes, "indent": indent, "width": width, "compress": compress}
    scribe = Scribe(writes=not (check or diff), diff=diff)
    for path, data in scribe.files(find_files(paths)):
        with scribe.guarding("formatted", path, data):
            try:
                after = formatted(data, name=path, encoding=encoding, **layout)
            except (SgfSyntaxError, ChangedError) as error:
                first = error.first if isinstance(error, SgfSyntaxError) else error
                scribe.refuse(path, f"left as it is, because it is broken: {first}", data)
            else:
                if scribe.put(path, data, after) and (path != STDIN or not scribe.writes):
                    say(f"{path}: {scribe.word}", err=True)
    scribe.end()


Fix: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--fix",
        help="Fix what is shown, where nothing is lost by it, and write the files; then check"
        " them.",
    ),
]
UnsafeFixes: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--unsafe-fixes",
        help="Count, and with --fix or --diff make, also those fixes that a person should look"
        " at: something is guessed, moved or removed. Alone it writes nothing.",
    ),
]
Diff: TypeAlias = Annotated[
    bool, typer.Option("--diff", help="Write nothing; show what the fixes would change.")
]


class Fixing(NamedTuple):
    """What came of fixing files.

    Attributes:
        fixes: How many were made.
        remaining: The worst that remains, of what was to be fixed; None if nothing does.
        failures: Files on which the program failed, and how.
        is_complete: All files were read and written.
    """

    fixes: Fixes
    remaining: Severity | None
    failures: dict[str, Exception]
    is_complete: bool


def fix(
    files: list[str | Unreadable],
    *,
    unsafe: bool,
    diff: bool,
    level: Severity,
    options: dict[str, Any],
    chooser: Chooser,
) -> Fixing:
    """Fix what is found in files and grave enough, tell each fix, and write the files.

    What is piped in is printed.  With ``diff`` only the difference is.
    """
    from sgf_lark.api.fix import fixed
    from sgf_lark.diagnostics.rules import SEVERITIES
    from sgf_lark.grammar.time_limit import limited
    from sgf_lark.report.base import Fixes

    wanted = {name: options[name] for name in ("format", "encoding", "grammar")}
    scribe = Scribe(writes=not diff, diff=diff)
    fixes = Fixes(unsafe=unsafe)
    chosen = {file: chooser.of(file) for file in files if isinstance(file, str)}
    remaining = set()
    for path, data in scribe.files(files):
        with scribe.guarding("fixed", path, data):
            with limited(len(data)) if wanted["grammar"] else nullcontext():
                found = fixed(
                    data, unsafe=unsafe, options=chosen[path], level=level, name=path, **wanted
                )
            remaining |= {one.severity for one in found.remaining}
            if not scribe.put(path, data, found.data):
                continue
            fixes.made += len(found.made)
            fixes.files += 1
            for one in found.made:
                if one.fix is not None:
                    place = f"{path}:{one.line}:{one.column}"
                    say(f"{place}: {one.code} {one.fix.message}", err=True)
    fixes.unwritten = scribe.unwritten
    worst = min(remaining, key=SEVERITIES.index, default=None)
    return Fixing(fixes, worst, scribe.failures, not (scribe.unread or scribe.unwritten))


class Scribe:
    """Reads files, and writes what has become of them, or only tells about it.

    Args:
        writes: Files are replaced.
        diff: What changes is shown.

    Attributes:
        changed, same, refused: How many files were, or would be, written, stay, and are left
            as they are because they are broken.
        unread, unwritten: How many could not be read and written.
        failures: Files on which the program failed, and how.
    """

    def __init__(self, *, writes: bool, diff: bool) -> None:
        self.writes = writes
        self.diff = diff
        self.word = "written" if writes else "to be written"
        self.changed = self.same = self.refused = self.unread = self.unwritten = 0
        self.failures: dict[str, Exception] = {}

    def files(self, files: Iterable[str | Unreadable]) -> Iterator[tuple[str, bytes]]:
        """Files that were found, with what they hold."""
        for found in list(files):
            if isinstance(found, Unreadable):
                self._fail(found.path, found.reason)
                continue
            try:
                data = sys.stdin.buffer.read() if found == STDIN else Path(found).read_bytes()
            except (OSError, ValueError) as error:
                self._fail(found, reason(error))
                continue
            yield found, data

    def _fail(self, path: str, why: str) -> None:
        self.unread += 1
        say(f"{path}: {why}", err=True)

    @contextmanager
    def guarding(self, done: str, path: str, data: bytes) -> Iterator[None]:
        """Go on with the next file, if the program fails on one; that one stays as it is."""
        try:
            yield
        except OSError:  # nobody reads what is printed
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, the next file comes
            from sgf_lark.api.many import REPORT_IT, failure

            self.failures[path] = error
            say(f"{path}: {failure(done, error)}; {REPORT_IT}", err=True)
            self._leave(path, data)

    def refuse(self, path: str, why: str, data: bytes) -> None:
        """Leave a file as it is."""
        self.refused += 1
        say(f"{path}: {why}", err=True)
        self._leave(path, data)

    def _leave(self, path: str, data: bytes) -> None:
        if path == STDIN and self.writes:
            show(data)

    def put(self, path: str, before: bytes, after: bytes) -> bool:
        """Write a file, if anything in it has changed; return whether it is, or would be, new."""
        if self.diff and before != after:
            show(difference(path, before, after).encode("utf-8", "backslashreplace"))
        if path == STDIN and self.writes:
            show(after)
        elif before != after and self.writes:
            from sgf_lark.text.files import write_file

            try:
                write_file(path, after)
            except OSError as error:
                self.unwritten += 1
                say(f"{path}: cannot be written: {reason(error)}", err=True)
                return False
        is_new = before != after
        self.changed += is_new
        self.same += not is_new
        return is_new

    def end(self) -> NoReturn:
        """Say what was done, and exit."""
        parts = [
            (self.changed, self.word),
            (self.same, "as they should be"),
            (self.refused, "refused"),
            (self.unwritten, "not written"),
            (len(self.failures), "failed"),
        ]
        shown = ", ".join(f"{count} {what}" for count, what in parts if count)
        say(shown or "no files", err=True)
        if self.unread or self.unwritten or self.failures:
            raise typer.Exit(2)
        raise typer.Exit(int(bool(self.refused or (self.changed and not self.writes))))


def difference(path: str, before: bytes, after: bytes) -> str:
    """What changes in a file, line by line, as ``diff -u`` shows it."""
    from sgf_lark.text.encoding import decode

    old, new = (_lines(decode(data).text) for data in (before, after))
    name = visible(path)
    lines = difflib.unified_diff(old, new, f"{name} (old)", f"{name} (new)")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str) -> list[str]:
    """Return lines as ``diff`` counts them: other line ends are letters."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]
