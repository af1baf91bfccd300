"""Settings files: ``sgf-lark.toml``, or ``[tool.sgf-lark]`` in ``pyproject.toml``.

They have the fields of :class:`~sgf_lark.CheckOptions`, with hyphens, and the form of the
report.  The settings of a record are those of the nearest folder, from its own upwards.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ConfigDict, Field, ValidationError

from sgf_lark.places import LineIndex, Span

from .diagnostic import Finding
from .errors import SettingsError
from .forms import Output
from .report import Report
from .rules import Severity
from .selection import CheckOptions, similar

#: The settings files of a folder, of which the first is read, with the path of their table.
FILES = {"sgf-lark.toml": (), "pyproject.toml": ("tool", "sgf-lark")}


class Settings(CheckOptions):
    """The content of a settings file.

    Attributes:
        format: The form of the report; None if not set.
        level: The lowest severity that is shown; None if not set.
    """

    model_config = ConfigDict(alias_generator=lambda name: name.replace("_", "-"))

    folder: str = Field(default="", alias="")  # no setting: the folder of the file
    format: Output | None = None
    level: Severity | None = None


def find_settings(path: str | Path) -> Settings:
    """Return the settings for a file or folder: of the nearest settings file, from there upwards.

    Raises:
        SettingsError: That settings file is invalid.
    """
    return _Finder().find(path) or Settings()


class _Finder:
    """Finds the settings of many files; reads each folder once."""

    def __init__(self) -> None:
        self._known: dict[Path, Settings | None] = {}

    def find(self, path: str | Path) -> Settings | None:
        """Return the settings of :func:`find_settings`; None if there is no settings file."""
        place = _absolute(path)
        passed: list[Path] = []
        settings = None
        for folder in ([place] if os.path.isdir(place) else []) + [*place.parents]:  # noqa: PTH112
            if folder in self._known:
                settings = self._known[folder]
                break
            passed.append(folder)
            settings = _in_folder(folder)
            if settings is not None:
                break
        self._known.update(dict.fromkeys(passed, settings))
        return settings


def _absolute(path: str | Path) -> Path:
    """Return the absolute path without '..'; links are not followed."""
    return Path(os.path.abspath(path))  # noqa: PTH100  # resolve would follow links


def _in_folder(folder: Path) -> Settings | None:
    for name in FILES:
        file = folder / name
        if os.path.isfile(file):  # noqa: PTH113  # silent about folders that nobody may enter
            try:
                settings = _read(file)
            except OSError as error:
                fault = Fault(Span(0, 0), f"cannot read this file: {error.strerror}".lower())
                raise SettingsError(_report(file, "", [fault])) from None
            if settings is not None:
                return settings
    return None


class FileOptions:
    """The options of each file of a run.

    Args:
        given: Options of the command line, which override those of settings files.
        config: The settings file for every file; None to find one for each.
        isolated: Read no settings files.

    Raises:
        SettingsError: A settings file is invalid.
        OSError: ``config`` cannot be read.
    """

    def __init__(
        self, given: CheckOptions, config: str | None = None, *, isolated: bool = False
    ) -> None:
        self._given = given
        self._finder = None if config or isolated else _Finder()
        usual = read_settings(config) if config else None
        if self._finder is not None:
            usual = self._finder.find(Path.cwd())
        #: The settings of the run, and of files without a settings file above them.
        self.settings = usual or Settings.model_construct()  # which waits for no model
        self._merged: list[tuple[Settings, CheckOptions]] = []

    def of(self, file: str) -> CheckOptions:
        """Return the options for one file."""
        own = self._finder.find(file) if self._finder else None
        settings = own or self.settings
        for known, merged in self._merged:
            if known is settings:
                return merged
        self._merged.append((settings, self._given.over(settings)))
        return self._merged[-1][1]


def read_settings(path: str | Path) -> Settings:
    """Read the settings of one file of any name; in a ``pyproject.toml`` those of its table.

    Raises:
        SettingsError: The file is invalid.
        OSError: The file cannot be read.
    """
    return _read(Path(path)) or Settings()


def _read(file: Path) -> Settings | None:
    """Read the settings of a file; None if it has no table for this program.

    Raises:
        SettingsError: The file is invalid.
        OSError: The file cannot be read.
    """
    above = FILES.get(file.name, ())
    data = file.read_bytes()
    text = data.decode("utf-8-sig", errors="replace")
    if above and above[-1] not in text:
        return None  # errors of other programs' tables are not reported
    table, fault = _table(text, above)
    if fault is None and "\N{REPLACEMENT CHARACTER}" in text and b"\xef\xbf\xbd" not in data:
        at = text.index("\N{REPLACEMENT CHARACTER}")
        fault = Fault(Span(at, at + 1), "invalid character: expected a file in UTF-8")
    if fault is not None:
        raise SettingsError(_report(file, text, [fault]))
    if table is None:
        return None
    try:
        folder = str(_absolute(file).parent)
        return Settings.model_validate({**table, "": folder})
    except ValidationError as error:
        places = list(_statements(text))
        faults = [
            Fault(_place(text, places, (*above, *detail["loc"]), detail["type"]), _message(detail))
            for detail in error.errors()
        ]
        raise SettingsError(_report(file, text, sorted(faults))) from None


class Fault(NamedTuple):
    """An error in a settings file."""

    span: Span
    message: str


def _report(file: Path, text: str, faults: list[Fault]) -> Report:
    lines = LineIndex(text)
    findings = (
        Finding("wrong-setting", fault.message, fault.span).located(lines) for fault in faults
    )
    return Report(name=_shown(file), text=text, diagnostics=tuple(findings))


def _shown(file: Path) -> str:
    """Return the path of a file, relative to the current folder if the file is in it."""
    here = Path.cwd()
    path = file.absolute()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _table(text: str, above: tuple[str, ...]) -> tuple[dict[str, Any] | None, Fault | None]:
    """Return the table with the settings, or the reason why there is none."""
    import tomllib

    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, _syntax_fault(text, str(error))
    for depth, key in enumerate(above, 1):
        if key not in table:
            return None, None
        table = table[key]
        if not isinstance(table, dict):
            path = above[:depth]
            place = _place(text, list(_statements(text)), path, "")
            return None, Fault(place, f"expected settings such as [{'.'.join(above)}]")
    return table, None


def _syntax_fault(text: str, message: str) -> Fault:
    """Return the error of ``tomllib``, at the place that its message names."""
    words, separator, place = message.partition(" (at ")
    numbers = [int(digits) for digits in re.findall(r"\d+", place)] if separator else []
    offset = len(text.rstrip())
    if len(numbers) == 2:  # noqa: PLR2004  # line and column
        line, column = numbers
        before = text.replace("\r\n", " \n").split("\n")[: line - 1]
        offset = min(sum(len(row) + 1 for row in before) + column - 1, len(text))
    reason = words[:1].lower() + words[1:]
    return Fault(Span(offset, min(offset + 1, len(text))), f"invalid TOML: {reason}")


# ---- messages ----


def _message(error: Any) -> str:
    """Return the message about an invalid setting."""
    *_, last = error["loc"]
    kind, given = error["type"], error["input"]
    if kind == "extra_forbidden":
        known = [field.alias for field in Settings.model_fields.values() if field.alias]
        return f"unknown setting '{last}'{similar(str(last), known)}"
    if kind == "value_error":
        return str(error["ctx"]["error"])
    if kind == "enum":
        choice = error["ctx"]["expected"]
        return f"expected {choice}, found {_toml(given)}"
    wanted = {
        "bool_type": "true or false",
        "dict_type": "a table of patterns and rules, such as {'old/*' = ['D']}",
        "tuple_type": "a list of rules, such as ['V301', 'dialect']",
    }.get(kind, "a text in quotes")
    return f"expected {wanted}, found {_toml(given)}"


def _toml(value: object) -> str:
    """Return a value in the notation of TOML; a table or a list only by its type."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return str(value).lower() if isinstance(value, bool) else repr(value)


# ---- places in the file ----


class Statement(NamedTuple):
    """A header of a table, or a key with its value: its content from the top, and its place."""

    content: dict[str, Any]
    span: Span


def _statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a valid TOML file, one after the other.

    ``tomllib`` reports no places, but each statement can be read alone.
    """
    import tomllib

    header: list[str] = []
    start = end = 0
    for line in text.splitlines(keepends=True):
        end += len(line)
        try:
            content = tomllib.loads(text[start:end])
        except tomllib.TOMLDecodeError:
            continue  # an array or a string goes on
        span, start = Span(start, end), end
        if text[span.start : end].lstrip().startswith("["):
            header = list(_first_path(content))
        for key in reversed(header if content and not line.lstrip().startswith("[") else []):
            content = {key: content}
        if content:
            yield Statement(content, span)


def _first_path(content: Any) -> Iterator[str]:
    """Yield the keys of the path to the table of a header."""
    while content:
        if isinstance(content, list):
            (content,) = content
        else:
            ((key, content),) = content.items()
            yield key


def _place(text: str, statements: list[Statement], path: tuple[int | str, ...], kind: str) -> Span:
    """Return the place of a setting: its key if that is wrong, else its value or a part of it."""
    best, deepest = Span(0, 0), 0
    for statement in statements:
        depth = _depth(statement.content, path)
        if depth > deepest:
            best, deepest = statement.span, depth
    names = [part for part in path[:deepest] if isinstance(part, str)]
    snippet = text[best.start : best.end]
    name = names[-1] if names else ""
    key = re.search(rf"(?<![\w-])[\"']?{re.escape(name)}[\"']?(?=\s*[]=.])", snippet)
    if key is None:
        return Span(best.start, best.start + len(snippet.rstrip()))
    if kind == "extra_forbidden" or path[-1] == "[key]":  # as pydantic calls the key
        return Span(best.start + key.start(), best.start + key.end())
    value = re.compile(r"\s*=\s*(.*\S)?", re.DOTALL).match(snippet, key.end())
    if value is None:
        return Span(best.start + key.start(), best.start + key.end())
    number = path[deepest - 1]
    if isinstance(number, int):
        items = _ITEM.finditer(snippet, value.start(1) + 1)
        for index, item in enumerate(item for item in items if not item[0].startswith("#")):
            if index == number:
                return Span(best.start + item.start(), best.start + item.end())
    whole = _ITEM.match(snippet, value.start(1))
    end = whole.end() if whole else value.end()
    return Span(best.start + value.start(1), best.start + end)


#: A string, a comment or a bare value of TOML.
_ITEM = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#[^\n]*|[^\s,\[\]{}\"'#=]+")


def _depth(content: Any, path: tuple[int | str, ...]) -> int:
    """Count the steps of a path that exist in some content."""
    for depth, step in enumerate(path):
        try:
            content = content[step]
        except (KeyError, IndexError, TypeError):
            return depth
    return len(path)
