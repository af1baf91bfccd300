"""The command line of conversions: ``sgf-lark convert`` and ``sgf-lark schema``."""

from __future__ import annotations

import io
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from sgf_lark.convert.unsayable import Unsayable
from sgf_lark.diagnostics.forms import Level
from sgf_lark.diagnostics.terminal import say, show

from . import options as arguments
from .paths import ENDLESS, STDIN, is_endless, reason

if TYPE_CHECKING:
    from sgf_lark.diagnostics.diagnostic import Diagnostic
    from sgf_lark.diagnostics.report import Report
    from sgf_lark.model.collection import Collection

#: Exit codes: nothing was written because of what the record says; because of the command.
REFUSED, MISUSED = 1, 2


class Target(StrEnum):
    """What a record can become."""

    FF4 = "ff4"
    FF3 = "ff3"
    FF1 = "ff1"
    GGF = "ggf"
    SGF = "sgf"
    JSON = "json"


def convert(
    *,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A game record, or the JSON of one; or - for what is piped in."
        ),
    ],
    to: Annotated[
        Target,
        typer.Option(
            "--to",
            help="What it becomes.  sgf is FF[4] for a game of GGF, and the same record for a"
            " game of SGF or for JSON.",
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="Write there, not on the screen.",
            show_default=False,
        ),
    ] = None,
    unsayable: Annotated[
        Unsayable,
        typer.Option(
            help="What the new format has no words for: keep it as private properties, drop it,"
            " or refuse to convert such a record.  GGF has no private properties."
        ),
    ] = Unsayable.KEEP,
    minutes: Annotated[
        bool,
        typer.Option(
            "--minutes", help="A time limit of FF[1] that is a bare number counts minutes."
        ),
    ] = False,
    time_left: Annotated[
        bool,
        typer.Option(
            "--time-left",
            help="From GGF: work out the time that each side has left, where the clock and the"
            " times of the moves allow it.",
        ),
    ] = False,
    level: Annotated[
        Level,
        typer.Option(
            help="Show what was refused (error), lost or guessed, too (warning), or every change"
            " (info)."
        ),
    ] = Level.WARNING,
    read_as: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="FORMAT",
            help="Read the record as ff1, ff3, ff4 or ggf, whatever it says itself.",
            show_default=False,
        ),
    ] = None,
    encoding: arguments.Encoding = None,
) -> None:
    """Turn a game record into another format, and say what was lost, guessed and changed.

    What is said goes to standard error.  Exits with 0 if the record was converted, with 1 if
    the new format has no place for it, so that nothing is written, and with 2 if the file
    could not be read or the command was not understood.
    """
    arguments.test_encoding(encoding)
    if read_as is not None:
        _test_format(read_as)
    data = _contents(file)
    options = {"unsayable": unsayable.value, "minutes": minutes, "time_left": time_left}
    try:
        _convert(file, data, to, output, level, {"format": read_as, "encoding": encoding}, options)
    except (typer.Exit, OSError):
        raise
    except Exception as error:  # noqa: BLE001  # nothing was written
        from sgf_lark.api.many import REPORT_IT, failure

        _fail(f"{file}: {failure('converted', error)}; {REPORT_IT}")


def _convert(
    file: str,
    data: bytes,
    to: Target,
    output: str | None,
    level: Level,
    reading: dict[str, str | None],
    options: dict[str, Any],
) -> None:
    from sgf_lark.convert.convert import OUTSIDE, convert as converted
    from sgf_lark.diagnostics.errors import SgfConversionError
    from sgf_lark.diagnostics.report import Report
    from sgf_lark.write.dump import dump
    from sgf_lark.write.encode import UnencodableError

    collection = _loaded(file, data, reading)
    target = to if to is not Target.JSON else Target.SGF
    # What the JSON of a record says about its text is about a text that is not here.
    result, found = collection, list(collection.diagnostics if collection.text else ())
    if to is not Target.JSON:
        try:
            result = converted(collection, target, **options)
        except SgfConversionError as error:
            _tell(Report(name=file, text=collection.text, diagnostics=error.report.errors), level)
            raise typer.Exit(REFUSED) from None
    if result is not collection:  # which says itself what has become of such text
        found = [one for one in found if one.name not in OUTSIDE]
        found += result.diagnostics
    _tell(_report(file, collection.text, found), level)
    if not len(result):
        raise typer.Exit(REFUSED)
    if to is Target.JSON:
        _write_text(output, result)
    else:
        made = io.BytesIO()
        try:
            dump(result, made)
        except UnencodableError as error:
            _fail(f"cannot write {file}: {error}")
        _write(output, made.getvalue())


def schema() -> None:
    """Show the JSON Schema of what 'sgf-lark convert --to json' writes."""
    import json

    from sgf_lark.model.collection import Collection

    made = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    made |= Collection.model_json_schema(mode="serialization")
    typer.echo(json.dumps(made, indent=2, ensure_ascii=False))


def _contents(file: str) -> bytes:
    if is_endless(file):
        _fail(f"cannot read {file}: {ENDLESS}")
    try:
        return sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except OSError as error:
        _fail(f"cannot read {file}: {reason(error)}")


def _test_format(name: str) -> None:
    from sgf_lark.schema.formats import Format

    try:
        Format.named(name)
    except ValueError as error:
        _fail(str(error))


def _loaded(file: str, data: bytes, reading: dict[str, str | None]) -> Collection:
    """The games of a record, or of the JSON of one."""
    from pydantic import ValidationError

    from sgf_lark.api.load import loads
    from sgf_lark.model.collection import Collection

    if data.lstrip().startswith(b"{"):
        try:
            return Collection.model_validate_json(data)
        except ValidationError as error:
            fault = error.errors()[0]
            place = ".".join(map(str, fault["loc"]))
            _fail(f"{file} is no JSON of a record: {place}: {fault['msg']}")
    return loads(data, strict=False, **reading)  # type: ignore[arg-type]  # by name


def _write_text(output: str | None, result: Collection) -> None:
    from pydantic_core import PydanticSerializationError

    try:
        text = (result.model_dump_json() + "\n").encode()
    except PydanticSerializationError:
        _fail("JSON cannot hold this record: a text of it has half of a character")
    _write(output, text)


def _write(output: str | None, data: bytes) -> None:
    from sgf_lark.text.files import write_file

    if output is None:
        show(data)
        return
    try:
        write_file(output, data)
    except OSError as error:
        _fail(f"cannot write {output}: {reason(error)}")


def _report(name: str, text: str, found: list[Diagnostic]) -> Report:
    from sgf_lark.diagnostics.report import Report

    ordered = sorted(found, key=lambda one: (one.offset, one.end_offset))
    return Report(name=name, text=text, diagnostics=tuple(ordered))


def _tell(report: Report, level: Level) -> None:
    """Show findings on standard error."""
    from sgf_lark.diagnostics.rules import Severity
    from sgf_lark.report.base import ReportConsole
    from sgf_lark.report.text import FullReporter

    plain = bool(os.environ.get("NO_COLOR"))
    console = ReportConsole(sys.stderr, color_system=None if plain else "auto")
    FullReporter(console, Severity(level)).add(report)


def _fail(message: str) -> NoReturn:
    """End with a message on standard error."""
    say(f"sgf-lark: {message}", err=True)
    raise typer.Exit(MISUSED)
