"""Settings files: ``sgf-lark.toml``, or ``[tool.sgf-lark]`` in ``pyproject.toml``.

They have the fields of :class:`~sgf_lark.CheckOptions`, with hyphens, and the form of the
report.  The settings of a record are those of the nearest folder, from its own upwards.
"""

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache, cached_property
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, cast

from pydantic import AfterValidator, ConfigDict, Field, PrivateAttr, StrictBool, ValidationError

from sgf_lark.core import (
    CheckOptions,
    Memo,
    Pattern,
    PropertyTable,
    Report,
    SettingsError,
    Severity,
    Span,
    ValuesFile,
    grammars,
    read_docstring,
    reason,
    register,
    similar,
)

from . import tables
from .files import RecordChoice, is_excluded, of_settings
from .forms import Output

S = TypeVar("S")
T = TypeVar("T")

#: The settings files of a folder, of which the first is read, with the path of their table.
FILES = {"sgf-lark.toml": (), "pyproject.toml": ("tool", "sgf-lark")}


#: The folders that ``exclude`` names if it is not set: those of tools, not of people.
EXCLUDED = (
    *(".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox"),
    *(".pytest_cache", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode", "__pycache__"),
    *("__pypackages__", "node_modules", "site-packages", "venv"),
)


def _test_values(text: str) -> str:
    ValuesFile.named(text)
    return text


class Settings(CheckOptions):
    """The content of a settings file.

    The functions that take options (:func:`sgf_lark.check`, :func:`sgf_lark.fix_record`) take
    settings, too, with their :attr:`table`.

    Attributes:
        format: The form of the report; None if not set.
        level: The lowest severity that is shown; None if not set.
        baseline: The file with the known findings; None if not set.
        site: The address of a site that ``sgf-lark site`` made; None if not set.
        cache: Reports on unchanged files are kept for the next check.
        exclude: Patterns of the files and folders that are skipped in a folder.
        extend_exclude: More of them.
        include: Patterns of the files of a folder that are records; None for those by suffix.
        respect_gitignore: What git ignores is skipped, too.
        grammar: The grammar that records are read by: a file, from the folder of the settings, or
            the name of a shipped one; None for the grammar of their format.
        values: The class that reads the values of records, or their structure, as
            ``mine.py:Values``; the file is from the folder of the settings, and is run only if
            these were named, not found.
        fmt, convert: Options of these commands.
        properties, games: Private properties and custom games.
    """

    model_config = ConfigDict(alias_generator=lambda name: name.replace("_", "-"))

    folder: str = Field(default="", alias="")  # no setting: the folder of the file
    format: Output | None = None
    level: Severity | None = None
    baseline: str | None = None
    site: Annotated[str, Field(pattern=r"^(https?|file)://[!-~]+$")] | None = None
    cache: StrictBool = False
    exclude: tuple[Pattern, ...] = EXCLUDED
    extend_exclude: tuple[Pattern, ...] = ()
    include: tuple[Pattern, ...] | None = None
    respect_gitignore: StrictBool = True
    grammar: Annotated[str, Field(min_length=1)] | None = None
    values: Annotated[str, AfterValidator(_test_values)] | None = None
    fmt: tables.FmtSettings = tables.FmtSettings.model_construct()
    convert: tables.ConvertSettings = tables.ConvertSettings.model_construct()
    properties: tables.Properties = Field(default_factory=dict)
    games: tables.Games = Field(default_factory=dict)
    #: The settings file that was found in a folder of records, where anybody may have put it.
    _found: str = PrivateAttr("")

    @cached_property
    def additions(self) -> tables.Additions:
        """The table with the properties and games of the settings, and what is wrong with them."""
        return tables.extend_table(self.properties, self.games, self.folder)

    @property
    def table(self) -> PropertyTable | None:
        """The known properties and games; None for those of the standards."""
        return self.additions.table if self.properties or self.games else None

    @property
    def reading(self) -> dict[str, Any]:
        """The options of :func:`sgf_lark.load` that are set: ``table``, ``grammar``, ``values``."""
        found: dict[str, Any] = {} if self.table is None else {"table": self.table}
        if self.grammar is not None:
            is_shipped = self.grammar in grammars.names()
            found["grammar"] = self.grammar if is_shipped else str(Path(self.folder, self.grammar))
        if self._values_file is not None:
            found["values"] = self._values_file
        return found

    @cached_property
    def _values_file(self) -> ValuesFile | None:
        if self.values is None:
            return None
        named = ValuesFile.named(self.values, self.folder)
        if not self._found:
            return named
        file = _shown(Path(os.path.normpath(named.path)))
        message = (
            "values runs Python, and nobody named these settings: add"
            f" --values {file}:{named.name}, or name them with --config"
        )
        return named._replace(rejection=wrong_setting(self._found, ("values",), message))


def find_settings(path: str | Path) -> Settings:
    """Return the settings for a file or folder: of the nearest settings file, from there upwards.

    Raises:
        SettingsError: That settings file is invalid.
    """
    return _finder()(path) or Settings()


def _finder() -> Callable[[str | Path], Settings | None]:
    """Return the function that finds the settings of files, and reads each folder once."""
    in_folder = cache(_in_folder)

    def find(path: str | Path) -> Settings | None:
        place = _absolute(path)
        above = place.parents
        folders = [place, *above] if os.path.isdir(place) else above  # noqa: PTH112
        return next(filter(None, map(in_folder, folders)), None)

    return find


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100  # resolve would follow links


def _in_folder(folder: Path) -> Settings | None:
    for name in FILES:
        file = folder / name
        if os.path.isfile(file):  # noqa: PTH113  # silent about folders that nobody may enter
            try:
                settings = _read(file, is_found=True)
            except OSError as error:
                fault = Fault(Span(0, 0), f"cannot read this file: {reason(error)}")
                raise SettingsError(report_on_settings(_shown(file), "", [fault])) from None
            if settings is not None:
                return settings
    return None


class FileChoice(NamedTuple):
    """Options of the command line that choose the files of folders; patterns count from here."""

    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    include: tuple[str, ...] | None = None
    respect_gitignore: bool | None = None
    force_exclude: bool = False  # skip files that the command line names, too, if they are excluded

    def selection(self, settings: Settings) -> RecordChoice:
        here = str(Path.cwd())
        base = settings.folder or here
        given = (*(self.exclude or ()), *self.extend_exclude)
        own = (settings.exclude if self.exclude is None else ()) + settings.extend_exclude
        include, by = (settings.include, base) if self.include is None else (self.include, here)
        respects = self.respect_gitignore
        return RecordChoice(
            ((of_settings(given), here), (of_settings(own), base)),
            None if include is None else (of_settings(include), by),
            settings.respect_gitignore if respects is None else respects,
        )


class FileOptions:
    """The options of each file of a run (SettingsError: a settings file is invalid).

    Args:
        config: The settings file for every file; None to find one for each.
    """

    def __init__(
        self,
        given: CheckOptions,
        config: str | None = None,
        *,
        isolated: bool = False,
        choice: FileChoice = FileChoice(),  # noqa: B008  # nothing in it can change
        reading: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self._config, self.choice = config, choice
        self._given = dict(reading)
        self._find = None if config or isolated else _finder()
        usual = self._find(Path.cwd()) if self._find else read_settings(config) if config else None
        #: The settings of the run, and of files without a settings file above them.
        self.settings = usual or Settings.model_construct()  # which waits for no model
        self._of_folder = Memo(self._settings_in)
        self._options = ByIdentity(given.over)
        self._selection = ByIdentity(choice.selection)

    def of(self, file: str) -> CheckOptions:
        return self._options(self.settings_of(file))

    def settings_of(self, file: str) -> Settings:
        """Return the settings of one file: its tables, and what the command line overrides."""
        return self._of_folder[os.path.dirname(file)]  # noqa: PTH120  # for each of very many files

    def _settings_in(self, folder: str) -> Settings:
        if self._find is None:
            return self.settings
        while folder and not os.path.exists(folder):  # noqa: PTH110  # silent about long names
            folder = os.path.dirname(folder)  # noqa: PTH120  # in an archive, or missing
        return self._find(folder or ".") or self.settings

    def file_of(self, settings: Settings) -> str:
        """Return the path of the file from which settings come, as short as can be; "" for none."""
        files = (os.path.join(settings.folder, name) for name in FILES)  # noqa: PTH118
        return self._config or next(map(os.path.relpath, filter(os.path.isfile, files)), "")

    def wrong(self, settings: Settings, path: tuple[str, ...], message: str) -> SettingsError:
        """Return the error about one of the settings of a file, which only its use shows."""
        return wrong_setting(self.file_of(settings), path, message)

    def reading(self, file: str) -> dict[str, Any]:
        """Return the options of :func:`sgf_lark.load` by which one file is read."""
        return self.reading_by(self.settings_of(file))

    def find_grammars(self) -> Iterator[str]:
        """Yield the files of grammars and of values that the settings of the files name."""
        for settings in self.used:
            named = [settings.grammar, *(game.grammar for game in settings.games.values())]
            yield from (str(Path(settings.folder, name)) for name in named if name)
            if "values" in settings.reading:
                yield settings.reading["values"].path

    def reading_by(self, settings: Settings) -> dict[str, Any]:
        """Return the options of :func:`sgf_lark.load` by settings and the command line."""
        return settings.reading | self._given

    # ---- the files of a folder ----

    def at(self, folder: str, names: Container[str] | None = None) -> RecordChoice | None:
        """Return the selection that begins to apply at a folder; None for that of its parent.

        Args:
            names: The names in it; None for the folder where a walk begins, which has a selection.
        """
        if names is None:
            return self._selection((self._find and self._find(folder)) or self.settings)
        if self._find is None or not any(name in names for name in FILES):
            return None
        settings = self._find(folder)
        is_own = settings is not None and settings.folder == folder
        return self._selection(settings) if settings and is_own else None

    def skips(self, file: str) -> bool:
        """Return whether a file that the command line names is skipped."""
        settings = self.settings_of(file)
        return self.choice.force_exclude and is_excluded(file, self._selection(settings))

    def excludes(self, file: str) -> bool:
        """Return whether patterns exclude a file, or a record in an archive, by its path."""
        return is_excluded(file, self._selection(self.settings_of(file)))

    @property
    def used(self) -> list[Settings]:
        """The settings of the run and of all files that were asked about."""
        known = [self.settings, *self._of_folder.values(), *self._selection.known]
        return list({id(settings): settings for settings in known}.values())


class ByIdentity(Generic[S, T]):
    """A function that is called once for each object, which need not be hashable."""

    def __init__(self, make: Callable[[S], T]) -> None:
        self._make, self._results = make, dict[int, tuple[S, T]]()

    def __call__(self, key: S) -> T:
        if id(key) not in self._results:
            self._results[id(key)] = key, self._make(key)
        return self._results[id(key)][1]

    @property
    def known(self) -> list[S]:
        return [key for key, _ in self._results.values()]


def read_settings(path: str | Path) -> Settings:
    """Read the settings of one file of any name; in a ``pyproject.toml`` those of its table."""
    return _read(Path(path)) or Settings()


def _read(file: Path, *, is_found: bool = False) -> Settings | None:
    """Read the settings of a file; None if it has no table for this program."""

    above = FILES.get(file.name, ())
    data = file.read_bytes()
    text = data.decode("utf-8-sig", errors="replace")
    if above and above[-1] not in text:
        return None  # errors of other programs' tables are not reported
    try:
        table = _table(data, text, above)
        if table is None:
            return None
        settings = Settings.model_validate({**table, "": str(_absolute(file).parent)})
        if is_found:
            settings._found = str(file)  # noqa: SLF001  # no setting
        wrong = [(path, "", message) for path, message in settings.additions.faults]
    except ValidationError as error:
        wrong = [(detail["loc"], detail["type"], _message(detail)) for detail in error.errors()]
    except _TableError as error:
        raise SettingsError(report_on_settings(_shown(file), text, error.args)) from None
    if wrong:
        known = list(statements(text))
        faults = sorted(
            Fault(find_setting_place(text, known, (*above, *path), kind), message)
            for path, kind, message in wrong
        )
        raise SettingsError(report_on_settings(_shown(file), text, faults))
    return settings


class _TableError(Exception):
    """A file has no table that could be read; the argument is the fault."""


class Fault(NamedTuple):
    span: Span
    message: str


WRONG_SETTING = register("F004 wrong-setting error: an invalid setting")


def report_on_settings(file: str, text: str, faults: Iterable[Fault]) -> Report:
    """Return the report on a file of settings, or of known findings."""
    findings = [WRONG_SETTING.found(fault.message, fault.span) for fault in faults]
    return Report.of(file, text, findings)


def wrong_setting(name: str, path: tuple[str, ...], message: str) -> SettingsError:
    """Return the error about one of the settings of a file, which only its use shows."""
    file = Path(name)
    text = file.read_text(encoding="utf-8-sig")
    span = find_setting_place(text, list(statements(text)), (*FILES.get(file.name, ()), *path), "")
    return SettingsError(report_on_settings(_shown(file), text, [Fault(span, message)]))


def _shown(file: Path) -> str:
    """Return the path of a file, relative to the current folder if the file is in it."""
    here = Path.cwd()
    path = file.absolute()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _table(data: bytes, text: str, above: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the table with the settings in some bytes, whose text it is; None if there is none."""
    import tomllib

    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _TableError(_syntax_fault(text, str(error))) from None
    at = text.find("\N{REPLACEMENT CHARACTER}")
    if at >= 0 and b"\xef\xbf\xbd" not in data:
        fault = Fault(Span(at, at + 1), "invalid character: expected a file in UTF-8")
        raise _TableError(fault)
    for depth, key in enumerate(above, 1):
        if key not in table:
            return None
        table = table[key]
        if not isinstance(table, dict):
            span = find_setting_place(text, list(statements(text)), above[:depth], "")
            fault = Fault(span, f"expected settings such as [{'.'.join(above)}]")
            raise _TableError(fault)
    return cast("dict[str, Any]", table)


def _syntax_fault(text: str, message: str) -> Fault:
    words, _, place = message.partition(" (at ")
    numbers, offset = [int(digits) for digits in re.findall(r"\d+", place)], len(text.rstrip())
    if numbers:
        line, column = numbers
        before = text.replace("\r\n", " \n").split("\n")[: line - 1]
        offset = min(sum(len(row) + 1 for row in before) + column - 1, len(text))
    span = Span(offset, min(offset + 1, len(text)))
    return Fault(span, f"invalid TOML: {words[:1].lower()}{words[1:]}")


# ---- messages ----

#: The models of the tables in a settings file, with what their keys are.
_SECTIONS: dict[object, type[tables.SettingsTable]] = {
    "fmt": tables.FmtSettings,
    "convert": tables.ConvertSettings,
    "properties": tables.PropertySettings,
    "games": tables.GameSettings,
}

#: Names that people give to settings.
_OTHER_NAMES = {"gm": "number", "sz": "size", "board": "size", "starts": "first"}

#: Settings that are lists of patterns.
_PATTERNS = {"exclude", "extend-exclude", "include"}

#: What is expected instead of a value of another type, by pydantic's names of errors.
_EXPECTED = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "tuple_type": "a list",
    "string_type": "a text in quotes",
    "string_pattern_mismatch": "an address such as 'https://example.org/sgf/'",
}


def _message(error: Any) -> str:
    top, last = error["loc"][0], error["loc"][-1]
    kind, given, context = error["type"], error["input"], error.get("ctx", {})
    if kind == "extra_forbidden":
        model: Any = _SECTIONS[top] if len(error["loc"]) > 1 else Settings
        fields = model.model_fields.items()
        known = [field.alias or name for name, field in fields if name != "folder"]
        meant = _OTHER_NAMES.get(str(last).lower())
        hint = f"; did you mean '{meant}'?" if meant in known else similar(str(last), known)
        return f"unknown setting '{last}'{hint}"
    if kind == "value_error":
        return str(context["error"])
    wanted = _EXPECTED.get(kind, "a text in quotes")
    if kind in {"enum", "literal_error"}:
        wanted = context["expected"]
    elif kind in {"greater_than_equal", "less_than_equal"}:
        wanted = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
    elif kind in {"dict_type", "model_type"}:
        wanted = _TABLES.get(top, "a table")
    elif kind == "tuple_type":
        example = "patterns, such as ['old/*.sgf']" if last in _PATTERNS else _LISTS.get(last)
        wanted = f"a list of {example or _RULES}"
    return f"expected {wanted}, found {_toml(given)}"


def known_settings() -> dict[str, Any]:
    """Return the values that settings have by default, also as ``fmt.nodes``, by their names."""
    known = Settings().model_dump(mode="json", by_alias=True, exclude={"folder"})
    for table in ("fmt", "convert"):
        known |= {f"{table}.{name}": value for name, value in known[table].items()}
    return known


def described_entry(table: str, name: str) -> tuple[str, str, str] | None:
    """Return meaning, accepted values and default of an entry of each property or game.

    None if there is no such entry.
    """
    model = _SECTIONS.get(table) if table in {"properties", "games"} else None
    if model is None or name not in model.model_fields:
        return None
    meaning = read_docstring(model)[1].get(name, "").replace("`", "'")
    default = model.model_fields[name].default
    shown = "" if default in (None, "", ()) else _toml(getattr(default, "value", default))
    return meaning, accepted_values(table, "X", name), shown


def accepted_values(*path: str) -> str:
    """Return the values that a setting accepts, in the words of the messages about wrong ones."""
    wrong: object = object()
    for key in reversed(path):
        wrong = {key: wrong}
    try:
        Settings.model_validate(wrong)
    except ValidationError as error:
        return _message(error.errors()[0]).partition("expected ")[2].partition(", found ")[0]
    raise KeyError(path)


#: Examples of the tables and lists of a settings file.
_RULES = "rules, such as ['V301', 'dialect']"
_LISTS = {"formats": "formats, such as ['ff4']", "games": "games, such as ['Go', 50]"}
_TABLES = {
    "per-file-ignores": "a table of patterns and rules, such as {'old/*' = ['D']}",
    "properties": "a table of properties and types, such as {WI = 'real'}",
    "games": "a table of games and numbers, such as {Kono = 50}",
    "fmt": "a table, such as {nodes = 10}",
    "convert": "a table, such as {to = 'ff4'}",
}


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    return str(value).lower() if isinstance(value, bool) else repr(value)


# ---- places in a file ----


class Statement(NamedTuple):
    """A header of a table, or a key with its value: its content from the top, and its place."""

    content: dict[str, Any]
    span: Span


def statements(text: str) -> Iterator[Statement]:
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
    while content:
        if isinstance(content, list):
            (content,) = content
        else:
            ((key, content),) = content.items()
            yield key


def find_setting_place(
    text: str, known: list[Statement], path: tuple[int | str, ...], kind: str
) -> Span:
    """Return the place of a setting: its key if that is wrong, else its value or a part of it."""
    depths = [(_depth(one.content, path), one.span) for one in known]
    deepest, best = max(depths, key=itemgetter(0), default=(0, Span(0, 0)))
    best = best if deepest else Span(0, 0)
    snippet = text[best.start : best.end]
    name = next((part for part in reversed(path[:deepest]) if isinstance(part, str)), "")
    key = re.search(rf"(?<![\w-])[\"']?{re.escape(name)}[\"']?(?=\s*[]=.])", snippet)
    if key is None:
        return Span(best.start, best.start + len(snippet.rstrip()))
    start, end = key.span()
    value = re.compile(r"\s*=\s*(.*\S)?", re.DOTALL).match(snippet, end)
    is_key = kind == "extra_forbidden" or path[-1] == "[key]"  # as pydantic calls the key
    if value is not None and not is_key:
        start, end = value.start(1), value.end()
        items = [item for item in _ITEM.finditer(snippet, start + 1) if item[0][0] != "#"]
        number = path[deepest - 1]
        if isinstance(number, int) and number < len(items):
            start, end = items[number].span()
        elif whole := _ITEM.match(snippet, start):
            end = whole.end()
    return Span(best.start + start, best.start + end)


#: A string, a comment or a bare value of TOML.
_ITEM = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#[^\n]*|[^\s,\[\]{}\"'#=]+")


def _depth(content: Any, path: tuple[int | str, ...]) -> int:
    for depth, step in enumerate(path):
        try:
            content = content[step]
        except (KeyError, IndexError, TypeError):
            return depth
    return len(path)
