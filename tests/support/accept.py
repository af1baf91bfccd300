"""Everything that is generated and kept in the repository, written anew.

``python -m tests.support.accept`` writes it and shows the differences, which are to be judged;
``--check`` only shows them, and exits with 1 if there are any.  ``accept sgf_lark/archive tests``
writes what is in these files and folders alone; all of it takes a minute or two.
"""

from __future__ import annotations

import argparse
import difflib
import doctest
import os
import re
import shlex
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from sgf_lark import GAMES
from sgf_lark.cli.main import app
from sgf_lark.core.findings.catalogue import table
from sgf_lark.core.schema.other_libraries import rows
from sgf_lark.pictures.parts import TextStyle
from sgf_lark.pictures.svg import draw_svg
from sgf_lark.pictures.text import draw_text
from sgf_lark.report.tables import SCHEMA_VERSION, tables

from . import golden_small, lookup, messages, readmes
from .diagrams import DIAGRAMS
from .places import ROOT

#: Gives the new text of a file for the text that it has.
Writer = Callable[[str], str]

#: The command, for whoever finds something out of date.
ACCEPT = "python -m tests.support.accept  writes what is generated"


def list_rules(page: str) -> str:
    """Write the table of the catalogue."""
    return page.partition("| code |")[0] + table() + "\n"


def list_columns(page: str) -> str:
    """Write the tables of archives, and their version."""
    lines: list[str] = []
    for name, columns in tables().items():
        lines += [f"## {name}", "", "| column | type | meaning |", "|---|---|---|"]
        lines += [
            f"| `{column.name}` | {column.type}{' or null' * column.nullable} | {column.meaning} |"
            for column in columns
        ]
        lines.append("")
    page = re.sub(r"version [0-9]+ of the tables", f"version {SCHEMA_VERSION} of the tables", page)
    return page.partition("## games\n")[0] + "\n".join(lines)


def list_games(page: str) -> str:
    """Write the games with a grammar, and those without."""
    rows = [
        f"| {number} | {game.name} | `grammars/games/{game.grammar}.lark` |\n"
        for number, game in GAMES.items()
        if game.grammar
    ]
    others = ", ".join(f"{game.name} ({n})" for n, game in GAMES.items() if not game.grammar)
    text = f"The standard defines no moves for the others. Their values stay text: {others}."
    text = textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)
    page = _between(r"(?<=^\|---:\|---\|---\|\n)", "".join(rows), r"^$", page)
    return _between(r"^The standard defines no moves", text + "\n", r"^$", page)


def list_libraries(page: str) -> str:
    """Write the tables for those who come from other libraries."""
    for name, some in groupby(rows(), key=lambda row: row.package):
        lines = [f"| task | {name} | sgf_lark | gives |", "|---|---|---|---|"]
        for row in some:
            gives = f"`{row.gives}`" if row.gives else ""
            lines.append(
                f"| {row.task} | `{row.theirs}` | `{row.ours}` | {gives} |".replace("|  |", "| |")
            )
        page = _between(rf"(?<=^## From {name}\n\n)", "\n".join(lines) + "\n", r"^$", page)
    return page


def _between(start: str, new: str, end: str, page: str) -> str:
    return re.sub(
        rf"{start}.*?(?={end})", lambda _: new, page, count=1, flags=re.MULTILINE | re.DOTALL
    )


def draw_board(name: str, _: str) -> str:
    """Draw a kind of board; look at it in a browser before you keep it."""
    return draw_svg(DIAGRAMS[name]) + "\n"


def draw_texts(_: str) -> str:
    """Draw all kinds of boards as text."""
    styles: tuple[TextStyle, ...] = ("unicode", "ascii")
    return "\n".join(
        f"## {name}, {style}\n{draw_text(diagram, style)}\n"
        for name, diagram in DIAGRAMS.items()
        for style in styles
    )


def draw_first_picture(_: str) -> str:
    """Draw the picture of the first screen by the command that is below it."""
    (line,) = re.findall(r"^The picture: `(.*?)`", readmes.README.text, re.MULTILINE)
    with _records() as folder:
        CliRunner().invoke(app, shlex.split(line)[1:], catch_exceptions=False)
        return (folder / "nine.svg").read_text(encoding="utf-8")


@contextmanager
def _records() -> Iterator[Path]:
    """Make a folder with the sample records, and be there."""
    with tempfile.TemporaryDirectory() as name, chdir(name):
        readmes.copy_records(Path(name))
        yield Path(name)


def show_consoles(name: str, page: str) -> str:
    """Write what the commands of a page print; what ``...`` stands for is left out again."""
    shown = iter(readmes.PAGES[name].blocks)

    def write(found: re.Match[str]) -> str:
        block = next(shown)
        if block.language != "console":
            return found[0]
        with _records() as records:
            here, package = records, ROOT
            if (name, block.section) in readmes.CHANGES:
                here = package = readmes.changed_copy(name, block.section, records / "copy")
            else:
                readmes.write_files(name, here)
            parts = []
            for command, before in readmes.commands_of(block):
                done = readmes.run(command, here, package)
                assert b"Traceback" not in done.stderr, done.stderr.decode()
                output = done.stdout.decode()
                parts.append(f"$ {command}\n{_shortened(output, before)}")
        return f"```console\n{''.join(parts)}```"

    return re.sub(r"^```.*?^```$", write, page, flags=re.MULTILINE | re.DOTALL)


def _shortened(output: str, before: str) -> str:
    head, found, tail = before.partition("\n...\n")
    lines = output.splitlines(keepends=True)
    if not found:
        return output
    last = tail.count("\n")
    return "".join([*lines[: head.count("\n") + 1], "...\n", *lines[len(lines) - last :]])


class _Shown(doctest.DocTestRunner):
    """Runs examples, and keeps those that give something else than is shown."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.others: list[tuple[doctest.Example, str]] = []

    def report_failure(self, *parts: Any) -> None:
        """Keep an example and what it printed."""
        _, _, example, got = parts
        blanks = re.sub(r"^$", "<BLANKLINE>", got.removesuffix("\n"), flags=re.MULTILINE)
        self.others.append((example, blanks + "\n"))


def show_examples(name: str, page: str) -> str:
    """Write what the Python examples of a page give; of an error the first and the last line."""
    for file, section in readmes.EXAMPLES:
        if file == name:
            start = page.index(f"# {section}\n") if section else 0
            end = f"{page}\n\n#".index("\n\n#", start) if section else len(page)
            text = readmes.example(name, section)
            page = page[:start] + _show_example(name, text, page[start:end]) + page[end:]
    return page


def _show_example(name: str, text: str, page: str) -> str:
    runner = _Shown()
    with _records() as folder:
        readmes.write_files(name, folder)
        runner.run(doctest.DocTestParser().get_doctest(text, {}, name, name, 0), out=lambda _: None)
    for example, printed in runner.others:
        shown = printed.splitlines() or [""]
        got = f"{shown[0]}\n    ...\n{shown[-1]}\n" if "Traceback" in shown[0] else printed
        lines = textwrap.indent(example.source, "... ").replace("... ", ">>> ", 1)
        page = page.replace(lines + example.want, lines + got)
    return page


#: What a test by day compares, since it is written at once: files, and what writes them.
QUICK: list[tuple[str, Writer]] = [
    ("sgf_lark/core/findings/catalogue/README.md", list_rules),
    (f"{readmes.GUIDES}/tables.md", list_columns),
    (f"{readmes.GUIDES}/formats.md", list_games),
    (f"{readmes.GUIDES}/migrate.md", list_libraries),
    ("sgf_lark/core/model/lookup.pyi", lambda _: lookup.stub()),
    ("tests/pictures/nine.svg", draw_first_picture),
    ("tests/pictures/boards/text.txt", draw_texts),
    *(
        (f"tests/pictures/boards/{name.replace(' ', '-')}.svg", partial(draw_board, name))
        for name in DIAGRAMS
    ),
]

#: What tests of its own compare.
SLOW: list[tuple[str, Writer]] = [
    *((name, partial(show_consoles, name)) for name in readmes.PAGES),
    *((name, partial(show_examples, name)) for name in readmes.PAGES),
    ("tests/findings/messages.txt", messages.list_messages),
    ("tests/support/golden_small.txt", lambda _: golden_small.recorded()),
]


def differences(files: Sequence[str]) -> Iterator[tuple[Path, str, str]]:
    """Yield each file that is out of date, among some files and folders: its text, and the new."""
    found: dict[str, str] = {}
    for name, write in [*QUICK, *SLOW]:
        if any(Path(name).is_relative_to(one) for one in files):
            found[name] = write(found.get(name) or (ROOT / name).read_text(encoding="utf-8"))
    for name, new in found.items():
        before = (ROOT / name).read_text(encoding="utf-8")
        if new != before:
            yield ROOT / name, before, new


def main() -> int:
    """Write or check what is generated."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.accept",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", default=["."], help="files and folders of the project")
    parser.add_argument("--check", action="store_true", help="write nothing")
    asked = parser.parse_args()
    stale = [*differences([*map(os.path.normpath, asked.files)])]
    for file, before, new in stale:
        name = file.relative_to(ROOT).as_posix()
        old, lines = before.splitlines(keepends=True), new.splitlines(keepends=True)
        sys.stdout.writelines(difflib.unified_diff(old, lines, f"a/{name}", f"b/{name}"))
        if not asked.check:
            file.write_text(new, encoding="utf-8")
    verb = "out of date" if asked.check else "written"
    names = [file.relative_to(ROOT).as_posix() for file, *_ in stale]
    print(f"{verb}: {', '.join(names) or 'nothing'}")  # noqa: T201
    return int(asked.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
