"""Bundles of options that several commands share: files, reading, settings, work."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from sgf_lark.core import plural
from sgf_lark.files.paths import MAX_SHOWN, STDIN, SUFFIXES
from sgf_lark.report.terminal import Row, say

from . import completion
from .interface import Bundle, NumberFrom, PathType, argument, flag, option, switch
from .output import console, exit_with_report, reported_failure

if TYPE_CHECKING:
    from sgf_lark.core import CheckOptions, PropertyTable, ValuesFile
    from sgf_lark.settings.settings import FileChoice, FileOptions, Settings

    from .files import Files, Run

PATHS = argument(
    "paths",
    "[PATHS]...",
    "Files; archives such as games.zip; folders, for the archives in them and the files"
    f" that end in {', '.join(SUFFIXES)}; patterns such as 'games/*.sgf'; or - for standard input."
    "  [default: .]",
)


def encoding_option(help: str) -> Any:
    """Return an option whose value is a character encoding, which is tested."""
    return option(
        help,
        metavar="NAME",
        shell_complete=completion.some(*completion.ENCODINGS),
        callback=_test_encoding,
    )


def _test_encoding(_: click.Context, param: click.Parameter, name: str | None) -> str | None:
    if name is None:
        return None
    from sgf_lark.core import decode

    try:
        decode(b"", name)
    except LookupError as error:
        raise click.BadParameter(str(error.args[0]), param_hint=param.opts[0]) from None
    return name


class DecodingOptions(Bundle, section="Reading"):
    """The character encoding of records."""

    encoding: str | None = encoding_option(
        "The character encoding, such as utf-8, gb18030 or shift_jis.  [default: detected]"
    )


class FormatOptions(DecodingOptions, section="Reading"):
    """The format that records are read as, and their encoding."""

    read_as: Literal["ff1", "ff3", "ff4", "ggf"] | None = option(
        "Read the records as this format, whatever they declare.", "--as"
    )

    def loading(self) -> dict[str, Any]:
        """Return options of :func:`sgf_lark.loads`."""
        return {"format": self.read_as, "encoding": self.encoding}


class ReadingOptions(FormatOptions, section="Reading", is_common=True):
    """The format or the grammar that records are read by, and their encoding."""

    grammar: str | None = option(
        "Read the records by this grammar: a file, or the name of a shipped grammar."
        "  [default: the grammar of their format]",
        metavar="GRAMMAR",
        shell_complete=completion.grammars,
    )

    def loading(self) -> dict[str, Any]:
        """Return options of :func:`sgf_lark.loads`."""
        return {**super().loading(), "grammar": self.grammar}


def _test_values(_: click.Context, param: click.Parameter, name: str | None) -> str | None:
    if name is None:
        return None
    from sgf_lark.core import ValuesFile

    try:
        ValuesFile.named(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=param.opts[0]) from None
    return name


class RecordOptions(ReadingOptions, section="Reading", is_common=True):
    """The format, grammar and values that records are read by, and their encoding."""

    values: str | None = option(
        "Read values, or the structure, by this class of a Python file, such as mine.py:Values; the"
        " file is run."
        "  [default: the meaning of the standard]",
        metavar="FILE:CLASS",
        callback=_test_values,
    )

    @property
    def values_file(self) -> ValuesFile | None:
        """The class, if one is named."""
        from sgf_lark.core import ValuesFile

        return None if self.values is None else ValuesFile.named(self.values)

    @property
    def over_settings(self) -> dict[str, Any]:
        """The options of :func:`sgf_lark.loads` that come before those of settings files."""
        own = {"grammar": self.grammar, "values": self.values_file}
        return {name: value for name, value in own.items() if value is not None}

    @property
    def files(self) -> tuple[str | None, ...]:
        return self.grammar, self.values_file and self.values_file.path

    def loading(self) -> dict[str, Any]:
        """Return options of :func:`sgf_lark.loads`."""
        return {**super().loading(), "values": self.values_file}


class SettingsOptions(Bundle, section="Settings", is_common=True):
    """The settings files that are read."""

    config: str | None = option(
        "Read the settings for all records from this file.  [default: for each record the"
        " nearest sgf-lark.toml, or pyproject.toml with [tool.sgf-lark], in its folder or above]",
        type=PathType(),
    )
    isolated: bool = flag("Ignore all settings files.")

    def find(
        self,
        given: CheckOptions | None = None,
        choice: FileChoice | None = None,
        reading: Mapping[str, Any] | None = None,
    ) -> FileOptions:
        """Return the options of each file, from the command line and the settings files."""
        from sgf_lark.core import CheckOptions
        from sgf_lark.settings.settings import FileChoice, FileOptions

        if self.config and self.isolated:
            raise click.UsageError("--isolated ignores all settings files: remove it, or --config")
        given = given or CheckOptions.model_construct()  # which waits for no model
        choice = choice or FileChoice()
        with reported_failure(f"--config: {self.config}"):
            return FileOptions(
                given, self.config, isolated=self.isolated, choice=choice, reading=reading or {}
            )

    def table(self, name: str = "", grammar: str | None = None) -> PropertyTable:
        """Return the properties and games of the settings; exit if these are invalid."""
        from sgf_lark.core import PropertyTable, without_own_types

        with reported_settings():
            options = self.find(reading={"grammar": grammar} if grammar else {})
            table = options.settings_of(name).table or PropertyTable.standard()
            verify_settings(options, values=False)
            if grammar is None:
                table = without_own_types(table)
        return table


def patterns_option(help: str) -> Any:
    return option(help, metavar="PATTERNS")


class FolderOptions(Bundle, section="Files", is_common=True):
    """The files of folders that are records."""

    exclude: tuple[str, ...] = patterns_option(
        "Skip these files and folders of folders, by patterns as in .gitignore, separated by"
        " commas.  [default: folders of tools, such as .git, .venv and node_modules]"
    )
    extend_exclude: tuple[str, ...] = patterns_option("Skip these, too.")
    include: tuple[str, ...] = patterns_option(
        "The records of folders are the files that match.  [default: those by suffix]"
    )
    respect_gitignore: bool | None = switch(
        "Skip what git ignores in a repository.  [default: skip it]"
    )
    force_exclude: bool = flag("Skip excluded files even if they are named.")
    stdin_filename: str | None = option(
        "Read standard input as if it were this file: for its settings, and in reports.",
        type=PathType(),
    )

    def choice(self) -> FileChoice:
        """Return the choice of the files of folders (click.UsageError: an option is no pattern)."""
        from sgf_lark.settings.settings import FileChoice

        return FileChoice(
            _patterns("--exclude", self.exclude),
            _patterns("--extend-exclude", self.extend_exclude) or (),
            _patterns("--include", self.include),
            self.respect_gitignore,
            self.force_exclude,
        )

    def inputs(self, paths: tuple[str, ...]) -> list[str]:
        """Return the paths of a command line: the current folder if it names none."""
        if "" in paths:
            raise click.UsageError("PATHS: a path is empty")
        if self.stdin_filename is None:
            return [*paths] or ["."]
        if paths and STDIN not in paths:
            message = f"--stdin-filename: it names standard input: add {STDIN} to the paths"
            raise click.UsageError(message)
        return [*paths] or [STDIN]


def _patterns(name: str, texts: tuple[str, ...]) -> tuple[str, ...] | None:
    from sgf_lark.settings.files import of_settings

    if not texts:
        return None
    patterns = tuple(",".join(texts).split(","))
    for pattern in patterns:
        try:
            of_settings((pattern,))
        except ValueError:
            message = f"{name}: invalid pattern '{pattern}': expected one as in .gitignore"
            raise click.UsageError(message) from None
    return patterns


class WorkOptions(Bundle, section="Work", is_common=True):
    """The processes that work, and what they print besides results."""

    quiet: bool = flag("Print only errors and findings: no bar, no counts.", "-q", "--quiet")
    jobs: int | None = option(
        "Work on N files at the same time.  [default: one on each core, if there is much to do]",
        type=NumberFrom(1),
    )

    def over(
        self, files: Files, doing: str, folders: FolderOptions, unread: Iterable[str] = ()
    ) -> Run:
        """Return a run over files; say which others begin as records."""
        from .files import Run

        waiting = () if self.quiet else dict.fromkeys(unread)
        if others := [file for file in waiting if file not in files]:
            names = ", ".join(others[:MAX_SHOWN]) + ", ..." * (len(others) > MAX_SHOWN)
            verb = "begins as a record and is" if len(others) == 1 else "begin as records and are"
            count = plural(len(others), "text file")
            help = f"--include '*{SUFFIXES[0]},*.txt' reads such files, too"
            say(f"{count} {verb} not read: {names}; {help}", err=True)
        return Run(files, doing, self.jobs, self.quiet, folders.stdin_filename or "<stdin>")


class OutputOptions(Bundle, section="Output"):
    """The file for the result."""

    output: Path | None = option(
        "Write the result to this file.  [default: standard output]",
        "-o",
        "--output",
        callback=lambda _, __, output: None if output == Path(STDIN) else output,
    )


@contextmanager
def reported_settings() -> Iterator[None]:
    """Show the errors of settings, grammars and cases, and exit before any record is read."""
    from sgf_lark.core import SettingsError, SgfGrammarError, SgfSyntaxError

    try:
        yield
    except (SettingsError, SgfGrammarError, SgfSyntaxError) as invalid:
        exit_with_report(invalid.report)


def verify_settings(options: FileOptions, *, values: bool = True) -> None:
    """Test the grammars of records and games in settings, the types of properties, and values.

    Raises:
        SgfGrammarError: A grammar has errors, or no records can be read by it; the class of values
            cannot be used.
        SettingsError: No grammar has a type; there is no such grammar; the settings were found, and
            would run Python code.
    """
    how = [(settings, options.reading_by(settings)) for settings in options.used]
    if not any(reading for _, reading in how):
        return
    from sgf_lark.core import PropertyTable, UnknownTypeError, check_table, grammars, similar

    for settings, reading in how:
        table = reading.get("table") or PropertyTable.standard()
        grammar = reading.get("grammar")
        if grammar is not None and grammar == settings.reading.get("grammar"):
            _verify_grammar(grammar, settings, options)
        own = None if grammar is None else grammars.source(grammar)
        try:
            check_table(table, own)
        except UnknownTypeError as error:
            message = str(error) + similar(error.kind, error.known)
            raise options.wrong(settings, ("properties", error.ident), message) from None
        if values and "values" in reading:
            reading["values"].load(own)


def _verify_grammar(grammar: str, settings: Settings, options: FileOptions) -> None:
    from sgf_lark.core import PropertyTable, grammars
    from sgf_lark.files.time_limit import TimeLimitError, limited
    from sgf_lark.workbench.lint import for_records

    try:
        with limited(grammar, 0):
            for_records(grammars.source(grammar), PropertyTable.standard().kinds)
    except FileNotFoundError:
        message = f"there is no grammar {settings.grammar}"
    except TimeLimitError as error:
        message = str(error)
    else:
        return
    raise options.wrong(settings, ("grammar",), message)


# ---- --show-settings ----

#: Limit of the width of the settings, before their origins.
SETTING_WIDTH = 40

#: Settings that options of the command line replace; the others change rule by rule.
REPLACED = {
    *("format", "level", "baseline", "cache", "strict", "select"),
    *("exclude", "include", "respect-gitignore"),
}

#: Settings that ``--select`` replaces, too.
SELECTING = {"extend-select", "ignore"}


def print_settings(
    paths: Iterable[str], options: SettingsOptions, given: Mapping[str, Any]
) -> None:
    """Print the settings that hold for paths."""

    by_file = options.find()
    for number, path in enumerate(paths):
        file = "" if path == STDIN else os.path.join(path, "") if os.path.isdir(path) else path  # noqa: PTH112, PTH118
        settings = by_file.settings_of(file)
        origin = by_file.file_of(settings)
        if number:
            say("")
        say(f"# {path}")
        rows = []
        for name, value, place in _rows(settings, given, origin):
            text = f"# {name} is not set" if value is None else f"{name} = {to_toml(value)}"
            rows.append(Row([text], [f"# {place}"]))
        console(sys.stdout).write_table(rows, most=SETTING_WIDTH)


def _rows(
    settings: Settings, given: Mapping[str, Any], origin: str
) -> Iterator[tuple[str, Any, str]]:
    of_file = settings.model_dump(
        mode="json", by_alias=True, exclude_unset=True, exclude={"folder"}
    )
    of_default = type(settings)().model_dump(mode="json", by_alias=True, exclude={"folder"})
    replaced, origins = REPLACED, {name: f"--{name}" for name in given}
    if "select" in given:
        given = {**dict.fromkeys(SELECTING, ()), **given}
        replaced = REPLACED | SELECTING
    for name, usual in of_default.items():
        if name in given:
            value = given[name]
            if isinstance(value, tuple):
                value = [part for text in value for part in text.split(",")]
            yield name, value, origins.get(name, "--select")
            if name in replaced or name not in of_file:
                continue
        if not isinstance(usual, dict):
            yield name, of_file.get(name, usual), origin if name in of_file else "default"
            continue
        for key, value in {**usual, **of_file.get(name, {})}.items():
            is_set = key in of_file.get(name, {})
            yield f"{name}.{_key(key)}", value, origin if is_set else "default"


def _key(name: str) -> str:
    if re.fullmatch(r"[\w-]+", name, re.ASCII):
        return name
    import json

    return json.dumps(name)


def to_toml(value: Any) -> str:
    if isinstance(value, dict):
        items = (
            f"{_key(key)} = {to_toml(item)}" for key, item in value.items() if item is not None
        )
        return f"{{ {', '.join(items)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(to_toml, value))}]"
    import json

    return json.dumps(value, ensure_ascii=False)
