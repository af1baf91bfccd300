"""Commands of conversions: ``sgf-lark convert`` and ``sgf-lark schema``."""

from __future__ import annotations

import io
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sgf_lark.cli import options as arguments
from sgf_lark.cli.interface.help import Section
from sgf_lark.cli.output import WRONG, fail, show_report
from sgf_lark.cli.paths import ENDLESS, STDIN, is_endless, reason
from sgf_lark.convert.unsayable import Unsayable
from sgf_lark.diagnostics.forms import Level
from sgf_lark.diagnostics.terminal import show

if TYPE_CHECKING:
    from sgf_lark.diagnostics.diagnostic import Diagnostic
    from sgf_lark.diagnostics.report import Report
    from sgf_lark.model.collection import Collection


class Target(StrEnum):
    """The formats that a record can be converted to."""

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
            metavar="FILE", help="A game record, or the JSON of one; or - for standard input."
        ),
    ],
    to: Annotated[
        Target,
        typer.Option(
            "--to",
            help="The format to convert to; sgf converts a GGF game to FF[4], and leaves an SGF"
            " game, or the JSON of one, in its format.",
            rich_help_panel=Section.CONVERSION,
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="Write the result to this file.  [default: standard output]",
            show_default=False,
            rich_help_panel=Section.OUTPUT,
        ),
    ] = None,
    unsayable: Annotated[
        Unsayable,
        typer.Option(
            help="If the new format has no property for a fact: keep it as a private property, drop"
            " it, or refuse to convert the record.  GGF has no private properties.",
            rich_help_panel=Section.CONVERSION,
        ),
    ] = Unsayable.KEEP,
    minutes: Annotated[
        bool,
        typer.Option(
            "--minutes",
            help="In FF[1], read a time limit without a unit as minutes.",
            rich_help_panel=Section.CONVERSION,
        ),
    ] = False,
    time_left: Annotated[
        bool,
        typer.Option(
            "--time-left",
            help="From GGF: calculate the time left of each side, where the clock and the times of"
            " the moves allow it.",
            rich_help_panel=Section.CONVERSION,
        ),
    ] = False,
    level: Annotated[
        Level,
        typer.Option(
            help="Report only why a record cannot be converted (error), losses and guesses, too"
            " (warning), or every change (info).",
            rich_help_panel=Section.REPORT,
        ),
    ] = Level.WARNING,
    read_as: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="FORMAT",
            help="Read the record as ff1, ff3, ff4 or ggf, whatever it declares.",
            show_default=False,
            rich_help_panel=Section.READING,
        ),
    ] = None,
    encoding: arguments.Encoding = None,
) -> None:
    """Convert a game record to another format.

    The report on losses, guesses and changes goes to standard error.

    Exit code: 0 if the record was converted, 1 if the new format cannot express it (nothing is
    written), 2 if the file could not be read or the command line is wrong.
    """
    arguments.test_encoding(encoding)
    if read_as is not None:
        _test_format(read_as)
    data = _read_input(file)
    options = {"unsayable": unsayable.value, "minutes": minutes, "time_left": time_left}
    try:
        _convert(file, data, to, output, level, {"format": read_as, "encoding": encoding}, options)
    except (typer.Exit, OSError):
        raise
    except Exception as error:  # noqa: BLE001  # a fault of the program
        from sgf_lark.api.many import REPORT_IT, failure

        fail(f"{file}: {failure('converted', error)}; {REPORT_IT}")


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
    from sgf_lark.schema.formats import Format
    from sgf_lark.write.dump import dump
    from sgf_lark.write.encode import UnencodableError

    collection = _loaded(file, data, reading)
    # Diagnostics in the JSON of a record are about a text that is not in the JSON.
    result, findings = collection, list(collection.diagnostics if collection.text else ())
    if to is not Target.JSON:
        try:
            result = converted(
                collection, "sgf" if to is Target.SGF else Format.named(to), **options
            )
        except SgfConversionError as error:
            report = Report(name=file, text=collection.text, diagnostics=error.report.errors)
            show_report(report, level)
            raise typer.Exit(WRONG) from None
    if result is not collection:  # the conversion has its own findings on text between games
        findings = [finding for finding in findings if finding.name not in OUTSIDE]
        findings += result.diagnostics
    show_report(_report(file, collection.text, findings), level)
    if not len(result):
        raise typer.Exit(WRONG)
    if to is Target.JSON:
        _write_json(output, result)
    else:
        buffer = io.BytesIO()
        try:
            dump(result, buffer)
        except UnencodableError as error:
            fail(f"cannot write {file}: {error}")
        _write(output, buffer.getvalue())


def schema() -> None:
    """Print the JSON Schema of the JSON that 'sgf-lark convert --to json' writes."""
    import json

    from sgf_lark.model.collection import Collection

    schema_ = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema_ |= Collection.model_json_schema(mode="serialization")
    typer.echo(json.dumps(schema_, indent=2, ensure_ascii=False))


def _read_input(file: str) -> bytes:
    if is_endless(file):
        fail(f"cannot read {file}: {ENDLESS}")
    try:
        return sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except OSError as error:
        fail(f"cannot read {file}: {reason(error)}")


def _test_format(name: str) -> None:
    from sgf_lark.schema.formats import Format

    try:
        Format.named(name)
    except ValueError as error:
        fail(str(error))


def _loaded(file: str, data: bytes, reading: dict[str, str | None]) -> Collection:
    """Return the games of a record, or of the JSON of one."""
    from pydantic import ValidationError

    from sgf_lark.api.load import loads
    from sgf_lark.model.collection import Collection

    if data.lstrip().startswith(b"{"):
        try:
            return Collection.model_validate_json(data)
        except ValidationError as error:
            fault = error.errors()[0]
            place = ".".join(map(str, fault["loc"]))
            fail(f"{file}: invalid JSON of a record: {place}: {fault['msg']}")
    return loads(data, strict=False, **reading)  # type: ignore[arg-type]  # by name


def _write_json(output: str | None, result: Collection) -> None:
    from pydantic_core import PydanticSerializationError

    try:
        text = (result.model_dump_json() + "\n").encode()
    except PydanticSerializationError:
        fail("cannot write this record as JSON: a value has half of a surrogate pair")
    _write(output, text)


def _write(output: str | None, data: bytes) -> None:
    from sgf_lark.text.files import write_file

    if output is None:
        show(data)
        return
    try:
        write_file(output, data)
    except OSError as error:
        fail(f"cannot write {output}: {reason(error)}")


def _report(name: str, text: str, findings: list[Diagnostic]) -> Report:
    from sgf_lark.diagnostics.report import Report

    ordered = sorted(findings, key=lambda finding: (finding.offset, finding.end_offset))
    return Report(name=name, text=text, diagnostics=tuple(ordered))
