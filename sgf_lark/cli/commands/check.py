"""The command ``sgf-lark check``, and its repetition whenever a file changes: ``--watch``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic, sleep, strftime
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, TypeAlias

import click

from sgf_lark.cli import completion, output
from sgf_lark.cli.files import UNWRITTEN, Change, FileWriter, InputError, Run, with_result
from sgf_lark.cli.grammars import check_for_records
from sgf_lark.cli.interface import Bundle, NumberFrom, PathType, command, flag, option, switch
from sgf_lark.cli.options import (
    PATHS,
    FolderOptions,
    OutputOptions,
    RecordOptions,
    SettingsOptions,
    WorkOptions,
    print_settings,
    reported_settings,
    verify_settings,
)
from sgf_lark.cli.output import show_report
from sgf_lark.core import Severity, plural, reason
from sgf_lark.files.paths import STDIN, Unreadable, find_files, find_unread, report_unreadable
from sgf_lark.report.terminal import say
from sgf_lark.settings.forms import Output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sgf_lark.core import CheckOptions, Diagnostic, Report
    from sgf_lark.report.base import Fixes
    from sgf_lark.report.baseline import Baseline
    from sgf_lark.settings.settings import FileOptions, Settings

#: Default limit of findings shown of a file: a file with more is no game record, or has one
#: fault throughout.
MAX_DIAGNOSTICS = 1000


def rules_option(help: str) -> Any:
    """Return an option whose values are selectors of rules."""
    return option(help, metavar="RULES", shell_complete=completion.rules)


class RuleOptions(Bundle, section="Rules"):
    """The rules that are checked, and their severities."""

    select: tuple[str, ...] = rules_option(
        "Check only these rules: codes (V301), names (wrong-value), beginnings of codes (V3) or"
        " groups (value), separated by commas; or ALL."
    )
    extend_select: tuple[str, ...] = rules_option("Check these rules, too.")
    ignore: tuple[str, ...] = rules_option("Do not report these rules.")
    strict: bool | None = switch(
        "Check the strict rules, too: they find what is allowed but doubtful. Report infos"
        " as warnings."
    )
    error: tuple[str, ...] = rules_option("Report these rules as errors.")
    warn: tuple[str, ...] = rules_option("Report these rules as warnings.")
    info: tuple[str, ...] = rules_option("Report these rules as infos.")

    def of_check(self) -> CheckOptions | None:
        """Return the options of a check that are given; None for none."""
        given = {
            name.replace("-", "_"): " ".join(value).replace(",", " ").split()
            if isinstance(value, tuple)
            else value
            for name, value in self.given().items()
        }
        if not given:
            return None
        from pydantic import ValidationError

        from sgf_lark.core import CheckOptions

        try:
            return CheckOptions.model_validate(given)
        except ValidationError as error:
            fault = error.errors()[0]
            name = str(fault["loc"][0]).replace("_", "-")
            raise click.UsageError(f"--{name}: {fault['ctx']['error']}") from None


class FixOptions(Bundle, section="Fixes"):
    """The fixes that are made."""

    fix: bool = flag("Make the safe fixes of the findings shown, write the files, then check them.")
    unsafe: bool = flag(
        "Count, and with --fix or --diff make, also fixes that guess, move or remove"
        " something. Alone it writes nothing.",
        "--unsafe-fixes",
    )
    diff: bool = flag("Write nothing; show what the fixes would change.")
    is_listed: bool = flag("List each fix that is made.", "--show-fixes")

    @property
    def is_on(self) -> bool:
        """Fixes are made, or shown."""
        return self.fix or self.diff


class ReportOptions(OutputOptions, section="Report"):
    """The form of the report."""

    form: Output | None = option(
        "The form of the report: each finding with its source line (full) or on one line"
        " (concise), grouped by file (grouped), counted by rule (statistics), or for other"
        f" programs ({', '.join(list(Output)[4:])}).  [default: full]",
        "--format",
        metavar="FORM",
    )
    level: Severity | None = option(
        "The lowest severity to show.  [default: warning; info for statistics, json, jsonl"
        " and sarif]"
    )
    max_diagnostics: int = option(
        "Show the worst N findings of a file, and count the others; 0 for all.",
        type=NumberFrom(0),
        default=MAX_DIAGNOSTICS,
    )
    viewer: Path | None = option(
        "With --format html: write a page to step through the games of each record with"
        " findings into this folder, and link to it.",
        type=PathType(Path),
        metavar="DIR",
    )
    show_settings: bool = flag(
        "Print the settings that hold for the paths, and the origin of each; check nothing."
    )
    exit_zero: bool = flag("Exit with 0 even if there are findings.")


class BaselineOptions(Bundle, section="Known findings"):
    """The files with known findings: one to read, and one to write."""

    baseline: str | None = option(
        "Show, count and fix only findings that this file does not list.", type=PathType()
    )
    written: str | None = option(
        "Write the findings into this file instead of showing them.",
        "--write-baseline",
        type=PathType(),
    )

    def test(self, *, makes_fixes: bool) -> None:
        """Test the options (click.UsageError: they exclude each other)."""
        if self.written is None:
            return
        other = "--baseline" if self.baseline else "--fix and --diff" if makes_fixes else ""
        if other or self.written == STDIN:
            message = f"{other} and this option exclude each other" if other else "expected a file"
            raise click.UsageError(f"--write-baseline: {message}")

    def file(self, settings: Settings) -> str | None:
        """Return the file to read, by these options or by the settings."""
        if self.written or self.baseline or settings.baseline is None:
            return self.baseline
        return os.path.join(settings.folder, settings.baseline)  # noqa: PTH118


def read_baseline(file: str | None, by_file: FileOptions | None) -> Baseline | None:
    """Read the known findings; exit if that cannot be done."""
    if file is None:
        return None
    from sgf_lark.report.baseline import Baseline

    if by_file is not None and not os.path.exists(file):  # noqa: PTH110  # any path
        message = "no such file: create it with --write-baseline " + os.path.relpath(file)
        raise by_file.wrong(by_file.settings, ("baseline",), message)
    with output.reported_failure(f"--baseline: {file}"):
        return Baseline.read(file)


class RepeatOptions(Bundle, section="Repeated checks"):
    """Checks of files that were checked before."""

    cache: bool | None = switch(
        "Keep the reports, and check only files that have changed.  [default: no-cache]"
    )
    watch: bool = flag("Check again whenever a file changes, until Ctrl-C.")


@command(PATHS)
def check(
    paths: tuple[str, ...],
    rules: RuleOptions,
    fixing: FixOptions,
    reporting: ReportOptions,
    known: BaselineOptions,
    repeat: RepeatOptions,
    folders: FolderOptions,
    reading: RecordOptions,
    settings: SettingsOptions,
    work: WorkOptions,
) -> None:
    """Find errors in game records, and fix them.

    Exit code: 0 if no error or warning was shown, 1 if one was, 2 if a file could not be read
    or the command line or a setting is wrong.

    Examples:
        sgf-lark check games
        sgf-lark check games --diff --unsafe-fixes
        sgf-lark check games.zip --format statistics
    """
    known.test(makes_fixes=fixing.is_on)
    if reporting.show_settings:
        given: dict[str, Any] = {}
        for bundle in (rules, reporting, known, repeat, folders):
            given |= bundle.given()
        with reported_settings():
            print_settings(folders.inputs(paths), settings, given)
        return

    def prepare() -> Checking:
        by_file = settings.find(rules.of_check(), folders.choice(), reading.over_settings)
        of_run = by_file.settings
        form = reporting.form or of_run.format or Output.FULL
        if reporting.viewer and form is not Output.HTML:
            raise click.UsageError("--viewer is for --format html")
        inputs = folders.inputs(paths)
        find = partial(find_files, inputs, by_file)
        check_for_records(reading)
        files = list(find())
        verify_settings(by_file)
        baseline = known.file(of_run)
        read = (*reading.files, settings.config)
        output.protect_inputs(reporting.output, inputs, files, *read, baseline)
        output.protect_inputs(known.written, inputs, files, *read, option="--write-baseline")
        return Checking(
            work.over(files, "checking", folders, find_unread(inputs, by_file)),
            find,
            by_file,
            reading.loading(),
            form,
            reporting.level or of_run.level,
            fixing,
            reporting,
            read_baseline(baseline, None if known.baseline else by_file),
            known.written,
            keeps=of_run.cache if repeat.cache is None else repeat.cache,
        )

    if repeat.watch:
        watch_files(prepare, [*reading.files, settings.config, known.baseline])
    with reported_settings():
        code = prepare().run()
    sys.exit(0 if reporting.exit_zero and code == output.WRONG else code)


class Checking(NamedTuple):
    files: Run
    find: Callable[[], Iterable[str | Unreadable]]
    by_file: FileOptions
    given: dict[str, Any]  # options of check for all files
    form: Output
    # the lowest severity to show and to fix; None to show those of the form, and to fix errors and
    # warnings
    level: Severity | None
    fixing: FixOptions
    reporting: ReportOptions  # the file for the report, and the limit of findings
    baseline: Baseline | None  # the known findings; None to show all
    written: str | None  # the file for the findings instead of a report; None for a report
    keeps: bool

    def find_grammars(self) -> Iterable[str]:
        return self.by_file.find_grammars()

    def run(self) -> int:
        """Check the files, or fix and check them; return the exit code."""
        with self.files.counted():
            if self.written is not None:
                return self._write_baseline(self.written)
            if self.fixing.diff or (self.fixing.is_on and STDIN in self.files.files):
                return self._fix_without_report()
            return self._report()

    def _report(self) -> int:
        from sgf_lark.report.base import reporter_of

        fixes = self._no_fixes()
        with output.open_report(self.reporting.output) as stream:
            level = self.level or self.form.level
            reporter = reporter_of(self.form)(output.console(stream), level, fixes)
            reporter.site = self.by_file.settings.site
            reporter.is_quiet = self.files.is_quiet
            if folder := self.reporting.viewer:
                place = (self.reporting.output or Path()).parent
                reporter.viewers = folder, os.path.relpath(folder, place)
            reporter.known = None if self.baseline is None else self.baseline.counts

            def show(report: Report) -> None:
                reporter.add(self._new(report, reporter.levels))
                stream.flush()

            reporter.begin()
            if self.fixing.is_on:
                self._fix_and_report(fixes, show)
            else:
                for report in self._checked():
                    show(report)
            if self.baseline is not None:
                self.baseline.end()
            reporter.end()
            stream.flush()
        return reporter.exit_code

    def _write_baseline(self, path: str) -> int:
        from sgf_lark.report.baseline import Baseline, BaselineReporter

        reporter = BaselineReporter(output.console(sys.stdout), self.level or self.form.level)
        reporter.baseline = Baseline(path)
        for report in self._checked():
            reporter.add(report)
        with output.reported_failure(f"--write-baseline: {path}"):
            reporter.baseline.write()
        if not self.files.is_quiet:
            count = plural(reporter.baseline.findings, "finding")
            say(f"{path}: {count} in {plural(reporter.baseline.files, 'file')} known", err=True)
        return reporter.exit_code

    @property
    def most(self) -> int:
        """Limit of findings of a file that are shown; 0 for none."""
        return 0 if self.form is Output.STATISTICS else self.reporting.max_diagnostics

    @property
    def options(self) -> dict[str, Any]:
        """Options of :func:`sgf_lark.check` for all files: all findings if some are known."""
        has_known = self.baseline is not None or self.written is not None
        return self.given | {"max_diagnostics": 0 if has_known else self.most}

    def _own(self, name: str) -> dict[str, Any]:
        return {"options": self.by_file.of(name), **self.by_file.reading(name)}

    def _new(self, report: Report, levels: Iterable[Severity]) -> Report:
        if self.baseline is None:
            return report
        return self.baseline.new(report, self.by_file.of(report.name), levels).capped(self.most)

    def _checked(self) -> Iterator[Report]:
        kept = None
        if self.keeps:
            from sgf_lark.files.result_cache import ResultCache

            kept = ResultCache.find()
        return self.files.reports(self.options, self._own, kept)

    def _no_fixes(self) -> Fixes:
        from sgf_lark.report.base import Fixes

        return Fixes(unsafe=self.fixing.unsafe, level=self.level or Severity.WARNING)

    def _fix_and_report(self, fixes: Fixes, show: Callable[[Report], None]) -> None:
        from sgf_lark.core import check, with_boards

        def show_rest(name: str, result: FixedFile) -> None:
            options, report = self.options | self._own(name), result.report
            if result.what == UNWRITTEN:
                try:
                    report = with_result(check(name, **options), result)
                except OSError as error:  # somebody removed it
                    report = report_unreadable(Unreadable(name, reason(error)))
            if report is not None:
                show(with_boards(report, options))

        self._fix(fixes, show_rest, is_reported=True)

    def _fix_without_report(self) -> int:
        diff, fixes, remaining = self.fixing.diff, self._no_fixes(), set[Severity]()

        def note_rest(_: str, result: FixedFile) -> None:
            remaining.update(finding.severity for finding in result.remaining)

        writer = self._fix(fixes, note_rest, is_reported=False)
        if not self.files.is_quiet:
            summary = fixes.summary("would be fixed" if diff else "fixed")
            say(summary if fixes.made else "nothing to fix", err=True)
        is_wrong = bool(fixes.made) if diff else not remaining <= {Severity.INFO}
        return writer.exit_code(is_wrong=is_wrong)

    def _fix(
        self, fixes: Fixes, then: Callable[[str, FixedFile], None], *, is_reported: bool
    ) -> FileWriter:
        writer = FileWriter(self.files, writes=not self.fixing.diff)
        act = partial(
            fix_file,
            unsafe=fixes.unsafe,
            diff=self.fixing.diff,
            is_reported=is_reported,
            level=fixes.level,
            all_options=self.options,
        )

        def own(name: str) -> dict[str, Any]:
            known = None if self.baseline is None else self.baseline.known(name)
            return {**self._own(name), "known": known}

        def count(name: str, result: FixedFile) -> None:
            if result.is_changed:
                fixes.made += len(result.made)
                fixes.files += 1
                for finding in result.made if self.fixing.is_listed else ():
                    if finding.fix is not None:
                        place = f"{name}:{finding.line}:{finding.column}"
                        say(f"{place}: {finding.code} {finding.fix.message}", err=True)
            then(name, result)

        of_error = unfixed if is_reported else partial(FixedFile.of_error, done="fixed")
        writer.run(act, own, of_error, count)
        return writer


@dataclass(eq=False, repr=False)
class FixedFile(Change):
    """The result of fixing a file; its report is on the new bytes."""

    made: tuple[Diagnostic, ...] = ()
    remaining: tuple[Diagnostic, ...] = ()


def fix_file(
    path: str,
    data: bytes,
    *,
    unsafe: bool,
    diff: bool,
    is_reported: bool,
    level: Severity,
    all_options: dict[str, Any],
    known: Mapping[str, int] | None,
    **own: Any,
) -> FixedFile:
    from sgf_lark.core import check_contents, fix_record
    from sgf_lark.files import many
    from sgf_lark.files.time_limit import limited

    options = all_options | own
    wanted = {name: options[name] for name in options if name != "max_diagnostics"}
    with limited(options["grammar"], len(data)):
        try:
            fixed = fix_record(data, unsafe=unsafe, level=level, name=path, known=known, **wanted)
        except Exception as error:  # noqa: BLE001  # a fault of the program
            if not is_reported:
                return FixedFile.of_error(path, error, "fixed")
            report = check_contents(data, path, **options)
            return FixedFile(report=many.with_failure(report, error))
        result = FixedFile.of(
            *(path, data, fixed.data), diff=diff, made=fixed.made, remaining=fixed.remaining
        )
        if not is_reported:
            return result
        if result.what:
            return replace(result, report=check_contents(data, path, **options))
        report = check_contents(fixed.data, path, **options)
        return replace(result, report=report.without_fixes(level, unsafe=unsafe))


def unfixed(path: str, error: Exception | None) -> FixedFile:
    """Return the result of a file that could not be read, or on which a process ended."""
    from sgf_lark.files.many import report_of
    from sgf_lark.files.workers import Outcome

    if isinstance(error, InputError):
        return FixedFile(report=report_unreadable(error.file))
    return FixedFile(report=report_of(Outcome(path, None, error)))


# ---- --watch ----

#: Seconds between two looks at the files; and how many times as long as a look takes.
MIN_WAIT, WAIT_PER_LOOK = 0.3, 10

#: Clears a terminal, with what has left its upper end.
CLEAR = "\x1b[H\x1b[2J\x1b[3J"

#: Time, size and number of a file.
FileState: TypeAlias = tuple[int, int, int]


class Snapshot(NamedTuple):
    """The state of the files on which a check depends."""

    states: dict[str, FileState]
    files: int


class Watched(Protocol):
    """A check, and the files that its paths name now."""

    def find(self) -> Iterable[str | Unreadable]:
        """Return the files, ``-``, and paths that cannot be read."""

    def find_grammars(self) -> Iterable[str]:
        """Return the files of the grammars that settings name."""

    def run(self) -> int:
        """Check the files; return the exit code."""


def watch_files(
    prepare: Callable[[], Watched],
    others: Sequence[str | None] = (),
    *,
    wait: Callable[[float], object] = sleep,
) -> NoReturn:
    """Run a check, and again whenever a file is changed, new or gone; until Ctrl-C."""
    from sgf_lark.core import SettingsError, SgfGrammarError

    watched: Watched | None = None
    while True:
        given = [other for other in others if other is not None]
        if sys.stdout.isatty():
            sys.stdout.write(CLEAR)
        begin = monotonic()
        try:
            watched = prepare()
            given += watched.find_grammars()
            before = take_snapshot(watched, given)
            watched.run()
        except (SettingsError, SgfGrammarError) as invalid:
            given.append(invalid.report.name)
            before = take_snapshot(watched, given)
            show_report(invalid.report, Severity.ERROR)
        seconds = monotonic() - begin
        count = plural(before.files, "file")
        say(f"{strftime('%H:%M:%S')}: {seconds:.1f} s; watching {count}, Ctrl-C ends", err=True)
        now, pause = before, MIN_WAIT
        while now == before:
            wait(pause)
            begin = monotonic()
            now = take_snapshot(watched, given)
            pause = max(MIN_WAIT, WAIT_PER_LOOK * (monotonic() - begin))


def take_snapshot(watched: Watched | None, others: Iterable[str] = ()) -> Snapshot:
    """Return the state of the files of a check, of others and of their settings files."""
    from sgf_lark.core import SettingsError
    from sgf_lark.files.archives import split_member
    from sgf_lark.settings.settings import FILES

    found: list[str] = []
    with suppress(SettingsError):  # the settings have changed: the check reports it
        found += [] if watched is None else map(_path, watched.find())
    if STDIN in found:
        raise click.UsageError("--watch: standard input does not change: name files")
    files = {inside[0] if (inside := split_member(file)) else file for file in found}
    folders = {os.path.dirname(os.path.abspath(file)) for file in files}  # noqa: PTH100, PTH120
    folders.add(os.getcwd())  # noqa: PTH109  # a text
    above = set(folders)
    for folder in folders:
        while (parent := os.path.dirname(folder)) not in above:  # noqa: PTH120
            above.add(parent)
            folder = parent  # noqa: PLW2901  # the way up
    settings = [os.path.join(folder, name) for folder in above for name in FILES]  # noqa: PTH118
    states: dict[str, FileState] = {}
    for file in [*files, *others, *settings]:
        with suppress(OSError, ValueError):  # it is not there
            status = os.stat(file)  # noqa: PTH116  # any name
            states[file] = status.st_mtime_ns, status.st_size, status.st_ino
    return Snapshot(states, len(found))


def _path(file: str | Unreadable) -> str:
    return file if isinstance(file, str) else file.path
