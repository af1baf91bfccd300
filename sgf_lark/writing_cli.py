"""The commands that write records: ``sgf-lark fmt PATHS...``, ``check --fix PATHS...``."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from . import arguments
from .paths import STDIN, SUFFIXES, Unreadable, find_files, reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .config import Chooser
    from .formatter import Layout


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
    from .diagnostics import SgfSyntaxError
    from .formatter import ChangedError, formatted

    layout: Layout = {"nodes": nodes, "indent": indent, "width": width, "compress": compress}
    scribe = Scribe(writes=not (check or diff), diff=diff, done="written", todo="to be written")
    for path, data in scribe.files(paths):
        try:
            after = formatted(data, name=path, encoding=encoding, **layout)
        except LookupError as error:
            raise typer.BadParameter(str(error.args[0]), param_hint="--encoding") from None
        except (SgfSyntaxError, ChangedError) as error:
            first = error.first if isinstance(error, SgfSyntaxError) else error
            scribe.refuse(path, f"left as it is, because it is broken: {first}", data)
        else:
            scribe.put(path, data, after)
    scribe.end()


Fix: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--fix",
        help="Put right what can be put right without losing anything, and write the files;"
        " then check them.",
    ),
]
UnsafeFixes: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--unsafe-fixes",
        help="As --fix, and also what a person should look at: something is guessed, moved or"
        " removed.",
    ),
]
Diff: TypeAlias = Annotated[
    bool, typer.Option("--diff", help="Write nothing; show what the fixes would change.")
]


def fix(
    paths: list[str],
    *,
    unsafe: bool,
    diff: bool,
    options: dict[str, Any],
    chooser: Chooser,
) -> None:
    """Put files right by the fixes of what is found in them, and tell each fix.

    What is piped in is printed; then, and with ``diff``, nothing more is to be done.

    Raises:
        typer.Exit: All is done.
    """
    from .fixing import fixed

    wanted = {name: options[name] for name in ("format", "encoding", "grammar")}
    done, todo, kept = "put right", "to be put right", "without a fix"
    scribe = Scribe(writes=not diff, diff=diff, done=done, todo=todo, kept=kept)
    for path, data in scribe.files(paths):
        found = fixed(data, unsafe=unsafe, options=chooser.of(path), **wanted)
        for one in found.made:
            if one.fix is not None:
                scribe.say(f"{path}:{one.line}:{one.column}: {one.code} {one.fix.message}")
        scribe.put(path, data, found.data)
    if diff or STDIN in paths:
        scribe.end()


class Scribe:
    """Reads files, and writes what has become of them, or only tells about it.

    Args:
        writes: Files are replaced.
        diff: What changes is shown.
        done, todo: What to say of a file.
        kept: And of one that stays as it is.
    """

    def __init__(
        self, *, writes: bool, diff: bool, done: str, todo: str, kept: str = "as they should be"
    ) -> None:
        self.writes = writes
        self.diff = diff
        self.done, self.todo, self.kept = done, todo, kept
        self.changed = self.same = self.refused = 0
        self.unread = False

    def say(self, text: str) -> None:
        typer.echo(text, err=True)

    def files(self, paths: list[str]) -> Iterator[tuple[str, bytes]]:
        """The files that paths name, with what they hold."""
        for found in list(find_files(paths)):
            if isinstance(found, Unreadable):
                self.fail(found.path, found.reason)
                continue
            try:
                data = sys.stdin.buffer.read() if found == STDIN else Path(found).read_bytes()
            except OSError as error:
                self.fail(found, reason(error))
                continue
            yield found, data

    def fail(self, path: str, why: str) -> None:
        self.unread = True
        self.say(f"{path}: {why}")

    def refuse(self, path: str, why: str, data: bytes) -> None:
        """Leave a file as it is."""
        self.refused += 1
        self.say(f"{path}: {why}")
        if path == STDIN and self.writes:
            _print(data)

    def put(self, path: str, before: bytes, after: bytes) -> None:
        """Write a file, if anything in it has changed, or tell about it."""
        if self.diff and before != after:
            _print(difference(path, before, after).encode("utf-8", "backslashreplace"))
        if path == STDIN and self.writes:
            _print(after)
        elif before != after and self.writes:
            from .files import write_file

            try:
                write_file(path, after)
            except OSError as error:
                self.fail(path, reason(error))
                return
        if before == after:
            self.same += 1
            return
        self.changed += 1
        if path != STDIN or not self.writes:
            self.say(f"{path}: {self.done if self.writes else self.todo}")

    def end(self) -> None:
        """Say what was done, and exit."""
        word = self.done if self.writes else self.todo
        parts = [(self.changed, word), (self.same, self.kept), (self.refused, "refused")]
        shown = ", ".join(f"{count} {what}" for count, what in parts if count)
        self.say(shown or "no files")
        if self.unread:
            raise typer.Exit(2)
        raise typer.Exit(int(bool(self.refused or (self.changed and not self.writes))))


def _print(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def difference(path: str, before: bytes, after: bytes) -> str:
    """What changes in a file, line by line, as ``diff -u`` shows it."""
    from .encoding import decode

    old, new = (decode(data).text.splitlines(keepends=True) for data in (before, after))
    lines = difflib.unified_diff(old, new, f"{path} (old)", f"{path} (new)")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
