"""The command ``sgf-lark convert``."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections import Counter
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, get_args

import click

from sgf_lark.cli.destinations import (
    find_destinations,
    fits_suffix,
    is_folder,
    is_one_file,
    require_output,
)
from sgf_lark.cli.files import REJECTED, UNREAD, Change, Files, FileWriter, show_difference
from sgf_lark.cli.grammars import check_for_records
from sgf_lark.cli.interface import Bundle, PathType, command, flag, option
from sgf_lark.cli.options import (
    PATHS,
    FolderOptions,
    RecordOptions,
    SettingsOptions,
    WorkOptions,
    encoding_option,
    reported_settings,
    verify_settings,
)
from sgf_lark.cli.output import WRONG, console, fail
from sgf_lark.convert.lossy import UNDECODABLE, Lossy, Undecodable, report_undecodable
from sgf_lark.core import Severity, codec_of, label, reason
from sgf_lark.files.paths import STDIN, Unreadable, find_files, find_unread
from sgf_lark.report.terminal import say, show
from sgf_lark.settings.forms import Output, TargetFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pydantic import ValidationError

    from sgf_lark.core import CheckOptions, Collection, Diagnostic, Report
    from sgf_lark.settings.settings import FileOptions


class ConversionOptions(Bundle, section="Conversion"):
    """The format to convert to, and the ways where there are several."""

    to: TargetFormat | None = option(
        "The format to convert to; sgf converts a GGF game to FF[4], and leaves an SGF"
        " game, or the JSON of one, in its format. Needed, unless settings have it."
    )
    lossy: Lossy | None = option(
        "If the new format has no property for a fact: keep it as a private property, drop"
        " it, or refuse to convert the record. GGF has no private properties.  [default: keep]"
    )
    to_encoding: str | None = encoding_option(
        "Write SGF and GGF in this character encoding, and CA with its name in every game"
        " of FF[4].  [default: that of the record]"
    )
    undecodable: Undecodable | None = option(
        "Of bytes that are no text in the encoding of a record: keep them, replace each by U+FFFD,"
        " or refuse to write the record.  [default: refuse with --to-encoding utf-8, else keep]"
    )
    fix: bool = flag("First make the safe fixes of errors and warnings, as check --fix does.")


class ResultOptions(Bundle, section="Output"):
    """The places of the results."""

    output: str | None = option(
        "Write the result of one file to this file; those of folders, or of several"
        " files, below this folder, in the same tree; - is standard output.  [default: standard"
        " output]",
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
        metavar="FORM",
    )
    level: Severity | None = option(
        "Report only why a record cannot be converted (error), losses and guesses, too"
        " (warning), or every change (info).  [default: warning; info for statistics, json, jsonl"
        " and sarif]"
    )


@command(PATHS, is_brief=True)
def convert(
    paths: tuple[str, ...],
    conversion: ConversionOptions,
    result: ResultOptions,
    losses: LossOptions,
    folders: FolderOptions,
    reading: RecordOptions,
    settings: SettingsOptions,
    work: WorkOptions,
) -> None:
    """Convert game records to another format.

    One record goes to standard output or to a file, several below a folder or each to its own
    place. They can be JSON of records, too. The report on losses, guesses and changes goes to
    standard error.

    The last line of it says how many results are what was asked for, and names the others.

    Exit code: 0 if all results are what was asked for, 1 if one is not: the new format cannot
    express a record (it is not written), one was skipped, an error of syntax is in its result, too,
    or bytes of it are no text in the new encoding; 2 if a file could not be read or written, or the
    command line is wrong.

    Examples:
        sgf-lark convert old.sgf --to ff4 -o new.sgf
        sgf-lark convert games --to ff4 -o converted
        sgf-lark convert game.ggf --to sgf
        sgf-lark convert games --to ff4 --to-encoding utf-8 --fix -o new --format html > new.html
    """
    from sgf_lark.report.base import reporter_of

    if result.schema:
        print_schema()
        return
    output, in_place, diff = result.output, result.in_place, result.diff
    output = None if output == STDIN else output
    inputs = folders.inputs(paths)
    is_one = is_one_file(inputs) and not in_place and not (output and is_folder(output))
    with reported_settings():
        by_file = settings.find(choice=folders.choice(), reading=reading.over_settings)
        to = conversion.to or _target(inputs, by_file, folders.stdin_filename)
        if not (is_one or (diff and output is None and not in_place)):
            require_output(inputs, output, to, in_place=in_place)
        check_for_records(reading)
        files: Files
        outputs: dict[str, str] = {}
        if is_one or in_place or output is None:
            files = list(find_files(inputs, by_file))
        else:
            files, outputs = find_destinations(inputs, output, to, folders.stdin_filename, by_file)
        verify_settings(by_file)
    if to == "json" and conversion.to_encoding is not None:
        raise click.UsageError("--to-encoding: JSON is always UTF-8: leave out --to-encoding")
    given = {} if conversion.lossy is None else {"lossy": conversion.lossy}
    loading = reading.loading()

    def own(name: str) -> dict[str, Any]:
        options = by_file.settings_of(name).convert.given() | given
        options.pop("to", None)
        checks = by_file.of(name) if conversion.fix else None
        return {"options": options, "reading": loading | by_file.reading(name), "checks": checks}

    run = work.over(files, "converting", folders, find_unread(inputs, by_file))
    shows_results = diff or (is_one and output is None)
    is_counted = losses.form is None and not is_one and not work.quiet
    form = losses.form or (
        Output.STATISTICS if is_counted else Output.FULL if is_one else Output.CONCISE
    )
    stream = console(sys.stderr if shows_results or losses.form is None else sys.stdout)
    reporter = reporter_of(form)(stream, losses.level or (losses.form or Output.FULL).level)
    reporter.site = by_file.settings.site
    reporter.is_quiet = work.quiet or losses.form is None  # the command counts the files
    reporter.begin()
    writer = FileWriter(
        run,
        writes=not diff,
        done="converted",
        outputs=outputs,
        has_fixes=conversion.fix,
        asked=_in_words(to, conversion.to_encoding),
        reporter=reporter,
        of_failed=reporter_of(Output.CONCISE)(stream, Severity.ERROR) if is_counted else None,
    )
    act = partial(
        convert_file,
        to=to,
        to_encoding=conversion.to_encoding,
        undecodable=conversion.undecodable or _usual_choice(conversion.to_encoding),
        diff=diff,
        is_elsewhere=diff or not in_place,
    )
    with run.counted():
        if is_one:
            convert_one(writer, act, own, output)
            return
        if in_place:
            run.files = [file for file in files if may_replace(file, to, writer)]
        writer.run(act, own, partial(Change.of_error, done="converted"))
    if not work.quiet:
        say(writer.results.line if files else "no files", err=True)
    sys.exit(writer.exit_code())


def _in_words(to: TargetFormat, encoding: str | None) -> str:
    name = to.upper() if to in {"ggf", "sgf", "json"} else f"FF[{to[2:]}]"
    return name if encoding is None else f"{name} in {label(codec_of(encoding) or encoding)}"


def _usual_choice(encoding: str | None) -> Undecodable:
    is_utf = encoding is not None and (codec_of(encoding) or "").startswith("utf")
    return Undecodable.REFUSE if is_utf else Undecodable.KEEP


def print_schema() -> None:
    from sgf_lark.core import Collection

    of_collection = Collection.model_json_schema(mode="serialization")
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", **of_collection}
    show(json.dumps(named, indent=2, ensure_ascii=False) + "\n")


def _target(inputs: list[str], by_file: FileOptions, stdin_name: str | None) -> TargetFormat:
    """Return the format that the settings of the first path have."""
    first = (stdin_name or "") if inputs[0] == STDIN else inputs[0]
    is_folder_ = os.path.isdir(first)  # noqa: PTH112  # any path
    settings = by_file.settings_of(os.path.join(first, "") if is_folder_ else first)  # noqa: PTH118
    if settings.convert.to is None:
        formats = ", ".join(get_args(TargetFormat))
        message = f"--to: no format to convert to: add --to with one of {formats}"
        raise click.UsageError(message)
    return settings.convert.to


def convert_one(
    writer: FileWriter,
    act: Callable[..., Change],
    options_of: Callable[[str], dict[str, Any]],
    output: str | None,
) -> None:
    """Convert one file, and write the result to a file or to standard output."""
    from sgf_lark.files.many import failure

    ((path, outcome),) = writer.files.outcomes(act, options_of)
    name, error, change = writer.files.name(path), outcome.error, outcome.result
    if isinstance(error, OSError):
        fail(f"cannot read {name}: {reason(error)}")
    if change is None:
        fail(f"{name}: {'; '.join(failure('converted', error))}")
    if output is not None:
        change = writer.write(path, output, change)
    writer.report(name, change)
    writer.count(name, change)
    writer.end()
    if change.message:
        fail(change.message)
    if change.data is None:
        sys.exit(WRONG)
    if change.diff is not None:
        show_difference(change.diff)
    elif output is None and writer.writes:
        show(change.data)
    if change.missed:
        say(f"{name}: {change.missed}", err=True)
    sys.exit(writer.exit_code())


def may_replace(file: str | Unreadable, to: TargetFormat, writer: FileWriter) -> bool:
    """Return whether a file may have a format, by its suffix; report one that may not."""
    if isinstance(file, Unreadable) or fits_suffix(file, to):
        return True
    writer.skip(file, "suffix", f"this suffix is not for {to}: write below a folder with -o")
    return False


# ---- one record, in any process ----


def convert_file(
    path: str,
    data: bytes,
    *,
    to: TargetFormat,
    to_encoding: str | None,
    undecodable: Undecodable,
    reading: dict[str, Any],
    options: dict[str, Any],
    checks: CheckOptions | None,
    diff: bool,
    is_elsewhere: bool,
) -> Change:
    from sgf_lark.core import SgfConversionError
    from sgf_lark.files.time_limit import limited

    try:
        with limited(reading["grammar"], len(data)):
            is_fixed = checks is not None and not _is_json(data)
            old, fixed, left = _fix(path, data, checks, reading) if is_fixed else (data, None, ())
            written = partial(_convert, to=to, encoding=to_encoding, undecodable=undecodable)
            new, report = written(path, old, reading=reading, options=options, left=left)
    except SgfConversionError as error:
        return Change(what=REJECTED, report=error.report)
    except ConversionError as error:
        return Change(what=UNREAD, message=str(error), report=error.report, missed=str(error))
    is_kept = undecodable is Undecodable.KEEP and _has_undecodable(report)
    missed = "its bytes that are no text are kept" * is_kept
    missed = missed or _syntax_left(path, new, report, to, reading)
    more = {"report": report or None, "fixed": fixed, "missed": missed}
    return Change.of(path, data, new, diff=diff, is_elsewhere=is_elsewhere, **more)


def _fix(
    path: str, data: bytes, checks: CheckOptions | None, reading: dict[str, Any]
) -> tuple[bytes, Report | None, tuple[Diagnostic, ...]]:
    """Return a fixed file, the findings that were fixed, and those that remain in it."""
    from sgf_lark.core import check_contents, fix_record

    fixed = fix_record(data, name=path, level=Severity.WARNING, options=checks, **reading)
    if not fixed.made:
        return data, None, fixed.remaining
    before = check_contents(data, path, max_diagnostics=0, options=checks, **reading)
    # Fixes are made in rounds, in which offsets change: findings are known by rule and property.
    made = Counter(map(_PLACE, fixed.made))
    done = []
    for finding in before:
        if finding.fix is not None and made[_PLACE(finding)]:
            made[_PLACE(finding)] -= 1
            message = f"fixed: {finding.message}"
            update = {"severity": Severity.INFO, "message": message, "fix": None}
            done.append(finding.model_copy(update=update))
    return fixed.data, before.model_copy(update={"diagnostics": tuple(done)}), fixed.remaining


#: What a finding is about, in every round of fixes.
_PLACE = attrgetter("name", "game", "node_path", "property")


class ConversionError(ValueError):
    """The conversion of a file cannot be written as text."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


def _convert(
    path: str,
    data: bytes,
    *,
    to: TargetFormat,
    encoding: str | None,
    undecodable: Undecodable,
    reading: dict[str, Any],
    options: dict[str, Any],
    left: tuple[Diagnostic, ...],
) -> tuple[bytes, Report]:
    """Return the bytes of a record in another format, and the findings, with those of a check."""
    from sgf_lark.convert.convert import OUTSIDE, convert as converted
    from sgf_lark.core import (
        Diagnostic,
        Format,
        LineIndex,
        Report,
        SgfConversionError,
        loads,
        replace_undecodable,
        with_boards,
    )

    collection = _load(path, data, reading)
    # Diagnostics in the JSON of a record are about a text that is not in the JSON.
    result, read = collection, () if _is_json(data) else collection.diagnostics
    # Those of a check are the same ones, and more.
    known = {(one.name, one.offset, one.end_offset) for one in left}
    findings = [*left]
    findings += [one for one in read if (one.name, one.offset, one.end_offset) not in known]
    text = collection.text
    if undecodable is Undecodable.REPLACE and (new := replace_undecodable(text)) != text:
        named = {key: value for key, value in reading.items() if key != "encoding"}
        result = loads(new, strict=False, **named)
    source = result
    if to != "json":
        try:
            result = converted(source, "sgf" if to == "sgf" else Format.named(to), **options)
        except SgfConversionError as error:
            errors = error.report.errors
            report = Report(name=path, text=text, diagnostics=errors)
            raise SgfConversionError(report) from None
    if result is not source:  # the conversion has its own findings on text between games
        findings = [finding for finding in findings if finding.name not in OUTSIDE]
        findings += result.diagnostics
    if to != "json" and (encoding is not None or result is not collection):
        kept = report_undecodable(text, undecodable, label(codec_of(encoding or "utf-8") or ""))
        findings += [] if kept is None else [Diagnostic.of(kept, LineIndex(text))]
    ordered = sorted(findings, key=lambda finding: (finding.offset, finding.end_offset))
    report = Report(name=path, text=text, diagnostics=tuple(ordered))
    report = with_boards(report, reading)
    is_refused = undecodable is Undecodable.REFUSE and _has_undecodable(report)
    if not len(result) or is_refused:
        raise SgfConversionError(report)
    return _bytes_of(path, result, to, encoding, report), report


def _has_undecodable(report: Report) -> bool:
    return any(finding.name == UNDECODABLE.name for finding in report)


#: Options of a reader that are about the record, not its result.
_OF_SOURCE = ("encoding", "format", "grammar", "values")


def _syntax_left(
    path: str, new: bytes, report: Report, to: TargetFormat, reading: dict[str, Any]
) -> str:
    """Return which error of syntax of a record is in its result, too; "" if none is."""
    from sgf_lark.core import load
    from sgf_lark.files.archives import RecordBytes

    def broken(findings: Iterable[Diagnostic]) -> dict[str, Diagnostic]:
        errors = (finding for finding in findings if finding.severity is Severity.ERROR)
        return {finding.code: finding for finding in errors if finding.code[0] == "S"}

    before = {} if to == "json" else broken(report)
    if not before:
        return ""
    named = {key: value for key, value in reading.items() if key not in _OF_SOURCE}
    after = broken(load(RecordBytes(new, path), strict=False, **named).diagnostics)
    left = [finding for code, finding in before.items() if code in after]
    return f"{left[0].code} {left[0].name} remains" if left else ""


def _load(path: str, data: bytes, reading: dict[str, Any]) -> Collection:
    """Return the games of a record, or of the JSON of one."""
    from pydantic import ValidationError

    from sgf_lark.core import Collection, Report, SgfConversionError, load, no_game
    from sgf_lark.files.archives import RecordBytes

    if _is_json(data):
        try:
            return Collection.model_validate_json(data)
        except ValidationError as error:
            message = f"invalid JSON of a record: {describe_json_fault(error, data)}"
            raise SgfConversionError(Report.of(path, "", [no_game(message)])) from None
    return load(RecordBytes(data, path), strict=False, **reading)


def _is_json(data: bytes) -> bool:
    """Return whether bytes are JSON; a record may have brackets before its first game, too."""
    return _JSON.match(data) is not None


_JSON = re.compile(rb"\s*[{\[]\s*(?:[\"{}\[\]]|\Z)")


#: The kind of value that the JSON of a record has in a place, by pydantic's names of errors.
_EXPECTED = {
    **dict.fromkeys(("list_type", "tuple_type"), "a list"),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "an object"),
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
}


def describe_json_fault(error: ValidationError, data: bytes) -> str:
    """Return the first thing that is wrong with the JSON of a record, and its place."""
    fault = error.errors()[0]
    kind, context = fault["type"], fault.get("ctx", {})
    if kind == "json_invalid":
        try:
            json.loads(data)
        except json.JSONDecodeError as wrong:
            return f"no JSON from line {wrong.lineno}, column {wrong.colno}"
        except (ValueError, RecursionError):
            return "no JSON that can be read"
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault["loc"])
    place = "".join(steps).removeprefix(".")
    if kind == "missing":
        words = "it is missing"
    elif kind == "value_error":
        words = str(context["error"])
    else:
        wanted = context.get("expected") or _EXPECTED.get(kind, "a value as in the schema")
        found = json.dumps(fault["input"], ensure_ascii=False, default=str)
        words = f"expected {wanted}, found {found[:40]}"
    return f"{place}: {words}; 'sgf-lark convert --schema' prints the schema"


def _bytes_of(
    path: str, result: Collection, to: TargetFormat, to_encoding: str | None, report: Report
) -> bytes:
    from sgf_lark.core import UnwritableError, dump

    if to == "json":
        try:
            return (result.model_dump_json() + "\n").encode()
        except UnwritableError as error:
            message = f"cannot write {path} as JSON: {error.problem}"
            raise ConversionError(message, report) from None
    buffer = io.BytesIO()
    try:
        dump(result, buffer, encoding=to_encoding)
    except UnwritableError as error:
        help_ = "; add --to-encoding utf-8" if error.in_utf8 else ""
        raise ConversionError(f"cannot write {path}: {error.problem}{help_}", report) from None
    return buffer.getvalue()
