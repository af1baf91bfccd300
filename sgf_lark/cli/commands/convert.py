"""The command ``sgf-lark convert``."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sgf_lark.cli.destinations import (
    TargetFormat,
    find_places,
    fits_suffix,
    is_folder,
    is_one_file,
    require_output,
)
from sgf_lark.cli.files import (
    PACKED,
    PACKED_MESSAGE,
    Difference,
    FileWriter,
    Run,
    show_difference,
)
from sgf_lark.cli.grammars import check_for_records
from sgf_lark.cli.interface import Bundle, OneOf, PathType, command, flag, option
from sgf_lark.cli.options import (
    PATHS,
    FolderOptions,
    ReadingOptions,
    SettingsOptions,
    WorkOptions,
    encoding_option,
    reported_settings,
    verify_settings,
)
from sgf_lark.cli.output import MISUSED, WRONG, Reports, fail
from sgf_lark.cli.paths import STDIN, Unreadable, find_files
from sgf_lark.convert.lossy import Lossy
from sgf_lark.findings.finding import Severity
from sgf_lark.findings.terminal import plural, reason, say, show
from sgf_lark.settings.forms import Output
from sgf_lark.text.archives import is_packed

if TYPE_CHECKING:
    from collections.abc import Callable

    from sgf_lark.cli.files import Files
    from sgf_lark.findings.diagnostic import Diagnostic
    from sgf_lark.findings.report import Report
    from sgf_lark.model.collection import Collection
    from sgf_lark.settings.settings import FileOptions


class ConversionOptions(Bundle, section="Conversion"):
    """The format to convert to, and the ways where there are several."""

    to: TargetFormat | None = option(
        "The format to convert to; sgf converts a GGF game to FF[4], and leaves an SGF"
        " game, or the JSON of one, in its format. Needed, unless settings have it.",
        type=OneOf(TargetFormat),
    )
    lossy: Lossy | None = option(
        "If the new format has no property for a fact: keep it as a private property, drop"
        " it, or refuse to convert the record. GGF has no private properties.  [default: keep]",
        type=OneOf(Lossy),
    )
    to_encoding: str | None = encoding_option(
        "Write SGF and GGF in this character encoding, and CA with its name in every game"
        " of FF[4].  [default: that of the record]"
    )


class ResultOptions(Bundle, section="Output"):
    """The places of the results."""

    output: str | None = option(
        "Write the result of one file to this file; those of folders, or of several"
        " files, below this folder, in the same tree.  [default: standard output]",
        "-o",
        "--output",
        type=PathType(),
        metavar="OUT",
    )
    in_place: bool = flag(
        "Replace each file by its result. Files with the suffix of another format are skipped."
    )
    diff: bool = flag("Write nothing; show what would change.")
    schema: bool = flag("Print the JSON Schema of the results of --to json; convert nothing.")


class LossOptions(Bundle, section="Report"):
    """The report on losses, guesses and changes."""

    form: Output | None = option(
        "The form of the report, as of check; standard output gets it, unless results go"
        " there.  [default: full; of several files the errors of those that cannot be converted,"
        " and counts of all]",
        "--format",
        type=OneOf(Output),
        metavar="FORM",
    )
    level: Severity | None = option(
        "Report only why a record cannot be converted (error), losses and guesses, too"
        " (warning), or every change (info).  [default: warning; info for statistics, json, jsonl"
        " and sarif]",
        type=OneOf(Severity),
    )


@command(
    PATHS,
    is_brief=True,
)
def convert(
    paths: tuple[str, ...],
    conversion: ConversionOptions,
    result: ResultOptions,
    losses: LossOptions,
    folders: FolderOptions,
    reading: ReadingOptions,
    settings: SettingsOptions,
    work: WorkOptions,
) -> None:
    """Convert game records to another format.

    One record goes to standard output or to a file, several below a folder or each to its own
    place. They can be JSON of records, too. The report on losses, guesses and changes goes to
    standard error.

    Exit code: 0 if all records were converted, 1 if the new format cannot express one (it is
    not written) or one was skipped, 2 if a file could not be read or written, or the command
    line is wrong.

    Examples:
        sgf-lark convert old.sgf --to ff4 -o new.sgf
        sgf-lark convert games --to ff4 -o converted
        sgf-lark convert game.ggf --to sgf
    """
    if result.schema:
        print_schema()
        return
    output, in_place, diff = result.output, result.in_place, result.diff
    inputs = folders.inputs(paths)
    is_one = is_one_file(inputs) and not in_place and not (output and is_folder(output))
    with reported_settings():
        by_file = settings.find(choice=folders.choice())
        to = conversion.to or _target(inputs, by_file, folders.stdin_filename)
        if not (is_one or (diff and output is None and not in_place)):
            require_output(inputs, output, to, in_place=in_place)
        check_for_records(reading.grammar)
        files: Files
        outputs: dict[str, str] = {}
        if is_one or in_place or output is None:
            files = list(find_files(inputs, by_file))
        else:
            files, outputs = find_places(inputs, output, to, folders.stdin_filename, by_file)
        verify_settings(by_file, reading.grammar)
    if to is TargetFormat.JSON and conversion.to_encoding is not None:
        raise click.UsageError("--to-encoding: JSON is always UTF-8: leave out --to-encoding")
    given = {} if conversion.lossy is None else {"lossy": conversion.lossy}
    loading = reading.loading()

    def own(name: str) -> dict[str, Any]:
        options = by_file.settings_of(name).convert.given() | given
        options.pop("to", None)
        return {"options": options, "reading": loading | by_file.reading(name)}

    run = work.over(files, "converting", folders)
    function = partial(convert_file, to=to, to_encoding=conversion.to_encoding, diff=diff)
    shows_results = diff or (is_one and output is None)
    reports = Reports(
        losses.form,
        losses.level,
        several=not is_one,
        to_output=not shows_results,
        is_quiet=work.quiet,
    )
    converter = Conversion(run, function, own, reports, is_quiet=work.quiet, is_preview=diff)
    with run.counted():
        if is_one:
            converter.convert_one(output)
            return
        code = converter.convert_all(outputs, to, in_place=in_place)
    sys.exit(code)


def print_schema() -> None:
    """Print the JSON Schema of records."""
    from sgf_lark.model.collection import Collection

    of_collection = Collection.model_json_schema(mode="serialization")
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", **of_collection}
    show(json.dumps(named, indent=2, ensure_ascii=False) + "\n")


def _target(inputs: list[str], by_file: FileOptions, stdin_name: str | None) -> TargetFormat:
    """Return the format that the settings of the first path have.

    Raises:
        click.UsageError: They have none.
    """
    first = (stdin_name or "") if inputs[0] == STDIN else inputs[0]
    is_folder_ = os.path.isdir(first)  # noqa: PTH112  # any path
    settings = by_file.settings_of(os.path.join(first, "") if is_folder_ else first)  # noqa: PTH118
    if settings.convert.to is None:
        formats = ", ".join(TargetFormat)
        message = f"--to: no format to convert to: add --to with one of {formats}"
        raise click.UsageError(message)
    return TargetFormat(settings.convert.to)


class Converted(NamedTuple):
    """The conversion of a file.

    Attributes:
        data: The new bytes; None if the record cannot be converted.
        report: The findings about the record; None without any.
        is_changed: The bytes are not those of the file.
        diff: The difference; None if it was not asked for.
        why: The reason why the file cannot be read, or its new bytes cannot be made.
    """

    data: bytes | None = None
    report: Report | None = None
    is_changed: bool = True
    diff: Difference | None = None
    why: str = ""


class Conversion:
    """A conversion of files.

    Args:
        files: The run over the files.
        function: Converts a file.
        options_of: Options of the function for one file.
        reports: Shows the findings.
        is_quiet: Print no counts.
        is_preview: Write nothing; the differences are shown.
    """

    def __init__(
        self,
        files: Run,
        function: Callable[..., Converted],
        options_of: Callable[[str], dict[str, Any]],
        reports: Reports,
        *,
        is_quiet: bool,
        is_preview: bool,
    ) -> None:
        self.files = files
        self.function = function
        self.options_of = options_of
        self.reports = reports
        self.is_quiet = is_quiet
        self.writer = FileWriter(writes=not is_preview, is_quiet=is_quiet, done="converted")

    def convert_one(self, output: str | None) -> None:
        """Convert one file, and write the result to a file or to standard output."""
        from sgf_lark.api.many import REPORT_IT, failure
        from sgf_lark.text.files import write_file

        ((path, outcome),) = self.files.outcomes(self.function, self.options_of)
        name, error, result = self.files.name(path), outcome.error, outcome.result
        if isinstance(error, OSError):
            fail(f"cannot read {name}: {reason(error)}")
        if result is None:
            fail(f"{name}: {failure('converted', error)}; {REPORT_IT}")
        self.reports.add(name, result.report, has_result=result.data is not None)
        self.reports.end()
        if result.why:
            fail(result.why)
        if result.data is None:
            sys.exit(WRONG)
        if result.diff is not None:
            show_difference(result.diff)
        elif output is None:
            show(result.data)
        else:
            try:
                write_file(output, result.data)
            except OSError as unwritten:
                fail(f"cannot write {output}: {reason(unwritten)}")

    def convert_all(self, outputs: dict[str, str], to: TargetFormat, *, in_place: bool) -> int:
        """Convert the files, print their numbers, and return the exit code.

        Args:
            outputs: The places of the results, if they do not replace the files.
            to: The new format.
            in_place: The results replace the files.
        """
        writer, rejected = self.writer, 0
        total = len(self.files.files)
        if in_place:
            self.files.files = [file for file in self.files.files if self._may_replace(file, to)]
        for path, outcome in self.files.outcomes(self.function, self.options_of):
            result = outcome.result
            if result is None:
                writer.note_error(self.files.name(path), "converted", outcome.error)
                continue
            self.reports.add(path, result.report, has_result=result.data is not None)
            if result.why:
                writer.unread += 1
                say(result.why, err=True)
            elif result.data is None:
                rejected += 1
            else:
                self._take(path, result, outputs.get(path))
        writer.end()
        self.reports.end()
        if not self.is_quiet:
            counts = [*writer.counts, (rejected, "not converted")]
            shown = ", ".join(f"{count} {what}" for count, what in counts if count)
            say(f"{plural(total, 'file')}: {shown}" if total else "no files", err=True)
        if not writer.is_complete:
            return MISUSED
        return WRONG if rejected or writer.has_skipped else 0

    def _may_replace(self, file: str | Unreadable, to: TargetFormat) -> bool:
        """Return whether a file may have a format, by its suffix; report one that may not."""
        if isinstance(file, Unreadable) or fits_suffix(file, to):
            return True
        message = f"this suffix is not for {to.value}: write below a folder with -o"
        self.writer.skip(file, "suffix", message)
        return False

    def _take(self, path: str, result: Converted, output: str | None) -> None:
        """Write a result, and count it.

        Args:
            path: The file.
            result: The result, which has data.
            output: The place of the result; None if it replaces the file.
        """
        writer = self.writer
        if result.diff is not None:
            show_difference(result.diff)
        elif output is None and result.is_changed and is_packed(path):
            writer.skip(path, PACKED, PACKED_MESSAGE)
            return
        elif result.data is not None and (output is not None or result.is_changed):  # noqa: SIM102
            if not writer.write(output or path, result.data):
                return
        writer.count(is_changed=result.is_changed)


# ---- one record, in any process ----


def convert_file(
    path: str,
    data: bytes,
    *,
    to: TargetFormat,
    to_encoding: str | None,
    reading: dict[str, Any],
    options: dict[str, Any],
    diff: bool,
) -> Converted:
    """Convert a file.

    Args:
        path, data: The name and the bytes of the file.
        to: The new format.
        to_encoding: The encoding of the new file; None for that of the record.
        reading: Options of :func:`sgf_lark.loads`.
        options: Options of :func:`sgf_lark.convert`.
        diff: Make the difference.
    """
    from sgf_lark.findings.errors import SgfConversionError
    from sgf_lark.grammar.time_limit import limited

    try:
        with limited(reading["grammar"], len(data)):
            new, report = _convert(path, data, to, to_encoding, reading, options)
    except SgfConversionError as error:
        return Converted(report=error.report)
    except ConversionError as error:
        return Converted(report=error.report, why=str(error))
    if new is None:
        return Converted(report=report)
    shown = Difference.of(path, data, new) if diff else None
    return Converted(new, report or None, new != data, shown)


class ConversionError(ValueError):
    """A file cannot be read, or its conversion cannot be written as text.

    Attributes:
        report: The findings about the record, if it could be read.
    """

    def __init__(self, message: str, report: Report | None = None) -> None:
        super().__init__(message)
        self.report = report


def _convert(
    path: str,
    data: bytes,
    to: TargetFormat,
    to_encoding: str | None,
    reading: dict[str, Any],
    options: dict[str, Any],
) -> tuple[bytes | None, Report]:
    """Return the bytes of a record in another format, None if it has none, and the findings.

    Raises:
        SgfConversionError: The record is invalid JSON.
        ConversionError: No encoding holds the result.
    """
    from sgf_lark.convert.convert import OUTSIDE, convert as converted
    from sgf_lark.findings.errors import SgfConversionError
    from sgf_lark.findings.report import Report
    from sgf_lark.schema.formats import Format

    collection = _load(path, data, reading)
    # Diagnostics in the JSON of a record are about a text that is not in the JSON.
    result, findings = collection, [] if _is_json(data) else list(collection.diagnostics)
    if to is not TargetFormat.JSON:
        try:
            result = converted(
                collection, "sgf" if to is TargetFormat.SGF else Format.named(to), **options
            )
        except SgfConversionError as error:
            errors = error.report.errors
            return None, Report(name=path, text=collection.text, diagnostics=errors)
    if result is not collection:  # the conversion has its own findings on text between games
        findings = [finding for finding in findings if finding.name not in OUTSIDE]
        findings += result.diagnostics
    report = _report(path, collection.text, findings)
    if not len(result):
        return None, report
    return _bytes_of(path, result, to, to_encoding, report), report


def _load(path: str, data: bytes, reading: dict[str, Any]) -> Collection:
    """Return the games of a record, or of the JSON of one.

    Raises:
        SgfConversionError: The JSON is invalid.
    """
    from pydantic import ValidationError

    from sgf_lark.api.load import loads
    from sgf_lark.check.between_games import no_game
    from sgf_lark.cli.json_faults import describe_json_fault
    from sgf_lark.findings.diagnostic import Diagnostic
    from sgf_lark.findings.errors import SgfConversionError
    from sgf_lark.findings.report import Report
    from sgf_lark.model.collection import Collection
    from sgf_lark.places import LineIndex

    if _is_json(data):
        try:
            return Collection.model_validate_json(data)
        except ValidationError as error:
            message = f"invalid JSON of a record: {describe_json_fault(error, data)}"
            finding = Diagnostic.of(no_game(message), LineIndex(""))
            raise SgfConversionError(Report(name=path, diagnostics=(finding,))) from None
    return loads(data, strict=False, **reading)


def _is_json(data: bytes) -> bool:
    """Return whether bytes are JSON; a record may have brackets before its first game, too."""
    return _JSON.match(data) is not None


_JSON = re.compile(rb"\s*[{\[]\s*(?:[\"{}\[\]]|\Z)")


def _bytes_of(
    path: str, result: Collection, to: TargetFormat, to_encoding: str | None, report: Report
) -> bytes:
    from pydantic_core import PydanticSerializationError

    from sgf_lark.write.dump import dump
    from sgf_lark.write.read_back import UnwritableError

    if to is TargetFormat.JSON:
        try:
            return (result.model_dump_json() + "\n").encode()
        except PydanticSerializationError:
            message = f"cannot write {path} as JSON: a value has half of a surrogate pair"
            raise ConversionError(message, report) from None
    buffer = io.BytesIO()
    try:
        dump(result, buffer, encoding=to_encoding)
    except UnwritableError as error:
        help_ = "; add --to-encoding utf-8" if error.in_utf8 else ""
        raise ConversionError(f"cannot write {path}: {error.problem}{help_}", report) from None
    return buffer.getvalue()


def _report(name: str, text: str, findings: list[Diagnostic]) -> Report:
    from sgf_lark.findings.report import Report

    ordered = sorted(findings, key=lambda finding: (finding.offset, finding.end_offset))
    return Report(name=name, text=text, diagnostics=tuple(ordered))
