"""The sides of ``grammar diff``, and its reports on what changes on real records."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import (
    GrammarSource,
    PropertyTable,
    SgfGrammarError,
    cut,
    grammars,
    plural,
    visible,
)
from sgf_lark.files.paths import STDIN
from sgf_lark.report.terminal import Row
from sgf_lark.workbench.compare_records import (
    BOTH,
    FIRST,
    NEITHER,
    OTHERWISE,
    SECOND,
    Answer,
    Comparison,
    CompleteText,
    How,
    ReadingChange,
)

from .grammars import open_grammar
from .options import SettingsOptions, reported_settings, verify_settings
from .output import fail, reported_failure

if TYPE_CHECKING:
    from sgf_lark.core import File, Game
    from sgf_lark.report.base import ReportConsole
    from sgf_lark.settings.settings import FileChoice, FileOptions
    from sgf_lark.workbench.compare import RowChange

#: Limit of the places that are shown of what differs in the same way; JSON has all.
MAX_PLACES = 5

#: Limit of the text of a value, in characters.
MAX_RAW = 40


class Side(NamedTuple):
    name: str
    file: File | None = None  # its grammar; None for that of each format
    table: PropertyTable | None = None  # its table of properties; None for that of the settings
    own: FileOptions | None = None

    @classmethod
    def of(cls, name: str) -> Side:
        """Return the side that an argument names; exit if it is wrong."""
        suffix = Path(name).suffix.lower()
        if suffix == ".toml":
            return cls._of_settings(name)
        if suffix == ".tsv":
            with reported_failure(f"cannot read {name}"):
                text = Path(name).read_text(encoding="utf-8", errors="replace")
            try:
                rows = PropertyTable.of_lines(text.splitlines())
            except ValueError as error:
                fail(f"{name}: {error}")
            same = {row: row for row in PropertyTable.standard()}  # processes have these
            return cls(name, table=PropertyTable(same.get(row, row) for row in rows))
        file = open_grammar(name, PropertyTable.standard().kinds)
        return cls("<stdin>" if name == STDIN else name, file)

    @classmethod
    def _of_settings(cls, name: str) -> Side:
        from sgf_lark.core import CheckOptions
        from sgf_lark.settings.settings import FileOptions

        with reported_settings(), reported_failure(f"cannot read {name}"):
            own = FileOptions(CheckOptions.model_construct(), name)
            verify_settings(own)
        reading = own.reading("")
        file = grammars.source(reading["grammar"]) if "grammar" in reading else None
        return cls(name, file, reading.get("table"), own)


def changes_of_rows(sides: tuple[Side, Side]) -> list[RowChange]:
    """Return what differs in the tables of two sides, and that only one has a grammar."""
    from sgf_lark.workbench.compare import RowChange, row_changes

    rows = [*row_changes(*(side.table or PropertyTable.standard() for side in sides))]
    files = [side.file for side in sides]
    if files.count(None) == 1:
        names = ("of each format" if one is None else str(grammars.path_of(one)) for one in files)
        rows.insert(0, RowChange("grammar", *names))
    return rows


class BothSides(NamedTuple):
    """The ways in which two sides read files."""

    base: FileOptions
    first: Callable[[str], How]
    second: Callable[[str], How]
    tested: list[FileOptions]


def readings(sides: tuple[Side, Side], settings: SettingsOptions, choice: FileChoice) -> BothSides:
    from sgf_lark.workbench.lint import for_records, is_of_game

    base = settings.find(choice=choice)
    files = [side.file for side in sides if side.file is not None and side.own is None]
    of_games = [*map(is_of_game, files)]
    if len(files) == len(sides) and all(of_games):
        first, second = _of_games(sides, base)
        return BothSides(base, first, second, [base])
    if any(of_games):
        fail("the grammar of a game is compared with another one of it, not with that of records")
    faults: list[SgfGrammarError] = []
    for file in files:
        try:
            for_records(file, PropertyTable.standard().kinds)
        except SgfGrammarError as error:
            faults.append(error)
    if len(faults) == len(sides):
        first, second = (_whole(CompleteText(file, grammars.first_rule(file))) for file in files)
        return BothSides(base, first, second, [])
    if faults:
        raise faults[0]
    options = [_options(side, settings, base) for side in sides]
    first, second = map(_reading, sides, options)
    return BothSides(base, first, second, options)


def _whole(text: CompleteText) -> Callable[[str], How]:
    return lambda _: text


def _options(side: Side, settings: SettingsOptions, base: FileOptions) -> FileOptions:
    if side.own is not None or side.file is None:
        return side.own or base
    file = side.file if isinstance(side.file, GrammarSource) else str(side.file)
    return settings.find(choice=base.choice, reading={"grammar": file})


def _reading(side: Side, options: FileOptions) -> Callable[[str], How]:
    if side.table is None or side.own is not None:
        return options.reading
    return lambda path: options.reading(path) | {"table": side.table}


def _of_games(sides: tuple[Side, Side], base: FileOptions) -> list[Callable[[str], How]]:
    """Return how grammars of points and moves read: as those of their games."""
    known = base.settings.table or PropertyTable.standard()
    files = [side.file for side in sides if side.file is not None]
    paths = {grammars.path_of(file).resolve() for file in files}
    games = [
        game
        for game in dict.fromkeys((*known.numbered.values(), *known.games))
        if (file := _grammar_of(game)) is not None and grammars.path_of(file).resolve() in paths
    ]
    if not games:
        names = " or ".join(side.name for side in sides)
        fail(f"no game has the grammar {names}: name one in the settings, [games.NAME] grammar")
    return [_with_games(games, file, base) for file in files]


def _grammar_of(game: Game) -> File | None:
    if isinstance(game.grammar, GrammarSource):
        return game.grammar
    return grammars.path(f"games/{game.notation}") if game.notation else None


def _with_games(games: list[Game], file: File, base: FileOptions) -> Callable[[str], How]:
    """Return how games are read by another grammar; values of both sides are made alike."""
    grammar = GrammarSource(grammars.path_of(file), grammars.text_of(file))
    own = [replace(game, grammar=grammar, expected={}) for game in games]
    extended = cache(lambda table: table.extend(*own))

    def reading(path: str) -> dict[str, Any]:
        options = base.reading(path)
        return options | {"table": extended(options.get("table") or PropertyTable.standard())}

    return reading


# ---- reports ----


class RecordsReport:
    """The base of the reports on records."""

    def __init__(
        self, console: ReportConsole, first: str, second: str, *, is_quiet: bool = False
    ) -> None:
        self.console, self.first, self.second, self.is_quiet = console, first, second, is_quiet
        self.differs = False
        # names of files that were not read, with the reasons
        self.unread: list[tuple[str, str]] = []
        self._counts = {what: Counter[str]() for what in ("files", "games", "values")}

    def add(self, name: str, comparison: Comparison) -> None:
        for what, counts in self._counts.items():
            counts.update(getattr(comparison, what))
        for change in comparison.changes:
            self.differs = True
            self._add_change(name, change, "game" if comparison.games else "text")

    def _add_change(self, name: str, change: ReadingChange, noun: str) -> None:
        raise NotImplementedError

    def end(self) -> None:
        raise NotImplementedError


class _Group:
    """Changes of the same kind: their number and files, and the first places, one a file."""

    def __init__(self) -> None:
        self.count, self.files = 0, set[str]()
        self.first: list[tuple[str, ReadingChange]] = []


class TextReport(RecordsReport):
    """A report for people: what differs in groups, and the numbers in a table."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._groups = defaultdict[tuple[str, str, str, str], _Group](_Group)

    def _add_change(self, name: str, change: ReadingChange, noun: str) -> None:
        group = self._groups[change.property, change.type, change.kind, noun]
        group.count += 1
        if name not in group.files and len(group.files) < MAX_PLACES:
            group.first.append((name, change))
        group.files.add(name)

    def end(self) -> None:
        one, other = self.first, self.second
        for (ident, type_, kind, noun), group in sorted(self._groups.items()):
            of = ", ".join(filter(None, (ident, type_)))
            what = plural(group.count, "value" if ident else "tree" if kind == OTHERWISE else noun)
            what += f" in {plural(len(group.files), 'file')}" * (ident != "" or noun == "game")
            if kind == OTHERWISE:
                verb = "is" if group.count == 1 else "are"
                line = f"{what} {verb} read otherwise: {one} -> {other}"
            else:
                line = f"only {one if kind == FIRST else other} reads {what}"
            self.console.write(visible(f"{of}: {line}" if of else line) + "\n")
            self.console.write_table(map(_row, group.first), start="  ")
            if more := group.count - len(group.first):
                self.console.write(f"  and {more} more; --format json has all\n")
        if not self.is_quiet:
            kinds = {BOTH: "both", OTHERWISE: "otherwise", FIRST: f"only {one}"}
            kinds |= {SECOND: f"only {other}", NEITHER: "neither"}
            rows = [Row(["", *kinds.values()])]
            for what, counts in self._counts.items():
                if counts:
                    rows.append(Row([what, *(str(counts[kind]) for kind in kinds)]))
            self.console.write_table(rows, right=range(1, len(kinds) + 1))


def _row(found: tuple[str, ReadingChange]) -> Row:
    name, change = found
    refused = next((one for one in (change.first, change.second) if not one.is_read), None)
    if refused is None:
        what = f"{change.first.shown or 'nothing'} -> {change.second.shown or 'nothing'}"
    else:
        what = refused.message + f" [{refused.code}]" * bool(refused.code)
    raw = [cut(repr(change.raw), MAX_RAW)] if change.property else []
    return Row([f"{name}:{change.line}:{change.column}", *raw], [what])


class JsonReport(RecordsReport):
    """A report for programs: one object, whose changes are written as they are found."""

    _before = ""

    def _add_change(self, name: str, change: ReadingChange, noun: str) -> None:
        del noun
        about = {"property": change.property, "type": change.type, "raw": change.raw}
        item = {
            "file": name,
            "line": change.line,
            "column": change.column,
            "kind": change.kind,
            **{key: (value if change.property else None) for key, value in about.items()},
            "first": _data_of(change.first),
            "second": _data_of(change.second),
        }
        self._begin()
        self.console.write(f"{self._before}\n{as_json(item)}")
        self._before = ","

    def _begin(self) -> None:
        if not self._before:
            first, second = map(as_json, (self.first, self.second))
            self.console.write(f'{{"first": {first}, "second": {second}, "changes": [')
            self._before = " "

    def end(self) -> None:
        self._begin()
        unread = [{"file": name, "message": message} for name, message in self.unread]
        kinds = BOTH, OTHERWISE, FIRST, SECOND, NEITHER
        counts = {
            what: {kind: counts[kind] for kind in kinds} for what, counts in self._counts.items()
        }
        self.console.write(f'\n], "unread": {as_json(unread)}, "counts": {as_json(counts)}}}\n')


def _data_of(answer: Answer) -> dict[str, Any]:
    if answer.is_read:
        return {"read": True, "value": answer.value, "shown": answer.shown}
    return {"read": False, "code": answer.code or None, "message": answer.message}


def as_json(item: object) -> str:
    return json.dumps(item)
