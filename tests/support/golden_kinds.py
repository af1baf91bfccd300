"""What is recorded of a text: one function a kind, of public names of the package alone.

Each function gives lines; what it raises is recorded as the type and the message of its exception.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import chdir
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import sgf_lark
from sgf_lark import CheckOptions, Collection, Diagnostic, Format

from .golden_texts import Text

#: The names of tables of an archive, and columns that differ from run to run.
TABLES = ("games", "moves", "findings", "positions", "sources")
TIMES = {"modified"}

#: All rules, those that are off by themselves too.
ALL_RULES = CheckOptions(strict=True)

Lines: TypeAlias = Iterable[str]


class Said(NamedTuple):
    """What is recorded of a text in one kind.

    Attributes:
        kind: The kind.
        output: The lines.
    """

    kind: str
    output: str


# ---- a text by itself ----


class Reading:
    """A text, and what it is read as; it is read once, by the first kind that wants it."""

    def __init__(self, text: Text) -> None:
        self.data = text.data
        self.options: dict[str, Any] = {} if text.format is None else {"format": text.format}
        self._collection: Collection | BaseException | None = None

    @property
    def collection(self) -> Collection:
        """The games."""
        if self._collection is None:
            try:
                self._collection = sgf_lark.loads(self.data, strict=False, **self.options)
            except Exception as error:
                self._collection = error
                raise
        if isinstance(self._collection, BaseException):
            raise self._collection
        return self._collection


def findings(of: Reading) -> Lines:
    """Findings by default."""
    return _lines_of(sgf_lark.check(io.BytesIO(of.data), **of.options))


def all_findings(of: Reading) -> Lines:
    """Findings of all rules, of those that are off by themselves too."""
    return _lines_of(sgf_lark.check(io.BytesIO(of.data), options=ALL_RULES, **of.options))


def strict_load(of: Reading) -> Lines:
    """Loading that accepts no errors."""
    yield f"{len(sgf_lark.loads(of.data, **of.options))} games"


def dump(of: Reading) -> Lines:
    """The games written unchanged."""
    yield _text(_dumped(of.collection), of)


def fixes(of: Reading, *, unsafe: bool) -> Lines:
    """The file after fixes, the fixes, and what remains."""
    fixed = sgf_lark.fix_record(of.data, unsafe=unsafe, **of.options)
    yield _text(fixed.data, of)
    yield from _lines_of(fixed.made)
    yield " ".join(["remaining:", *(one.code for one in fixed.remaining)])


def fmt(of: Reading) -> Lines:
    """The file in the canonical layout."""
    yield _text(sgf_lark.format_record(of.data, **of.options), of)


def conversion(of: Reading, *, to: sgf_lark.Format) -> Lines:
    """The games in another format, and what is said of it."""
    converted = sgf_lark.convert(of.collection, to)
    yield _text(_dumped(converted), of)
    if converted is not of.collection:
        yield from _lines_of(converted.diagnostics)


def as_json(of: Reading) -> Lines:
    """The games as JSON, a game a line."""
    yield of.collection.model_dump_json(exclude={"games", "diagnostics"})
    for game in of.collection:
        yield game.model_dump_json()


def moves(of: Reading) -> Lines:
    """The moves of the main lines."""
    for game in of.collection:
        yield f"{game.game_name}: {game.format} {game.size}"
        yield "; ".join(f"{move.node} {move}" for move in game.moves)


def keys(of: Reading) -> Lines:
    """Of each position of the main lines its key, and the verdict on its move."""
    for game in of.collection:
        try:
            for one in game.positions():
                known = "" if one.is_known else " unknown"
                yield f"{one.number} {one.board.key:016x} {one.verdict or ''}{known}"
        except ValueError as error:
            yield _said(error)


def svg(of: Reading) -> Lines:
    """Pictures of the last nodes of the main lines."""
    for game in of.collection:
        *_, last = game.main_line()
        try:
            yield last.diagram().svg()
        except ValueError as error:
            yield _said(error)


def text(of: Reading) -> Lines:
    """Boards of the last nodes of the main lines, in characters."""
    for game in of.collection:
        *_, last = game.main_line()
        try:
            yield last.diagram().text()
        except ValueError as error:
            yield _said(error)


#: The kinds of a text by itself.
KINDS: dict[str, Callable[[Reading], Lines]] = {
    "findings": findings,
    "all findings": all_findings,
    "strict load": strict_load,
    "dump": dump,
    "safe fixes": partial(fixes, unsafe=False),
    "unsafe fixes": partial(fixes, unsafe=True),
    "fmt": fmt,
    **{f"to {to}": partial(conversion, to=to) for to in sgf_lark.Format},
    "json": as_json,
    "moves": moves,
    "keys": keys,
    "svg": svg,
    "text": text,
}


def say(one: Text, kinds: Iterable[str] = KINDS) -> Iterator[Said]:
    """Yield what is recorded of a text, kind by kind."""
    of = Reading(one)
    for kind in kinds:
        said: list[str] = []
        try:
            said += KINDS[kind](of)
        except (sgf_lark.SgfError, ValueError) as error:
            said.append(_said(error))
        yield Said(kind, "\n".join(said))


def _lines_of(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """Yield findings, each as a line of JSON."""
    for one in diagnostics:
        yield one.model_dump_json()


def _dumped(games: Collection) -> bytes:
    target = io.BytesIO()
    sgf_lark.dump(games, target)
    return target.getvalue()


def _text(data: bytes, of: Reading) -> str:
    """Return bytes that a person can read, with nothing lost."""
    if data == of.data:
        return "(the same bytes)"
    return data.decode("utf-8", "backslashreplace")


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


# ---- rows of tables ----


def say_rows(texts: Sequence[Text]) -> dict[str, list[Said]]:
    """Return the rows that texts have in the tables of an archive, by the names of the texts.

    One archive of many files costs a tenth of an archive for each.
    """
    rows: dict[str, dict[str, list[str]]] = {one.name: defaultdict(list) for one in texts}
    for name, table, line in _rows(texts):
        rows[name][table].append(line)
    return {
        name: [Said(f"rows of {table}", "\n".join(tables[table])) for table in TABLES]
        for name, tables in rows.items()
    }


def _rows(texts: Sequence[Text]) -> Iterator[tuple[str, str, str]]:
    """Yield the name of the text, the name of the table, and the row as JSON."""
    from sgf_lark import archive

    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for format_ in dict.fromkeys(one.format for one in texts):
            mine = {_file(one.name): one for one in texts if one.format == format_}
            for name, one in mine.items():
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_bytes(one.data)
            output = f"archive of {format_}"
            archive.build(
                [*mine],
                output,
                format=None if format_ is None else Format.named(format_),
                positions=True,
                jobs=1,
            )
            with archive.read(output) as tables:
                names: dict[int, str] = {}
                for table in TABLES:
                    for row in tables.table(table).to_table().to_pylist():
                        source = row.get("source") or names[row["game_id"]]
                        if table == "games":
                            names[row["game_id"]] = source
                        kept = {key: row[key] for key in row if key not in TIMES}
                        yield mine[source].name, table, json.dumps(kept, default=_plain)


def _file(name: str) -> str:
    """Return a path for a text: one that is opened as a record, and not as an archive of some."""
    return name if name.startswith("records/") else f"{name}.sgf"


def _plain(value: object) -> str:
    """Return what JSON has no form for."""
    return (
        value.hex()
        if isinstance(value, bytes)
        else value.isoformat()
        if isinstance(value, date)
        else str(value)
    )
