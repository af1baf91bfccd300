"""The command ``sgf-lark check``."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sgf_lark.cli import options as arguments
from sgf_lark.cli.files import Change, FileWriter, InputError, Run
from sgf_lark.cli.grammars import GrammarOption, check_for_records
from sgf_lark.cli.interface.help import Section
from sgf_lark.cli.output import (
    MISUSED,
    WRONG,
    console,
    exit_with_report,
    open_report,
    protect_inputs,
)
from sgf_lark.cli.paths import STDIN, Unreadable, find_files, report_unreadable
from sgf_lark.diagnostics.forms import SHOW_INFOS, Level, Output
from sgf_lark.diagnostics.terminal import plural, reason, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sgf_lark.diagnostics.diagnostic import Diagnostic
    from sgf_lark.diagnostics.finding import Severity
    from sgf_lark.diagnostics.report import Report
    from sgf_lark.diagnostics.settings import FileOptions, Settings
    from sgf_lark.report.base import Fixes
    from sgf_lark.report.baseline import Baseline

#: Default limit of findings shown of a file: a file with more is no game record, or has one
#: fault throughout.
MAX_DIAGNOSTICS = 1000


def check(
    *,
    paths: arguments.Paths = None,
    output: Annotated[
        Output | None,
        typer.Option(
            "--format",
            metavar="FORM",
            help="The form of the report: each finding with its source line (full) or on one line"
            " (concise), grouped by file (grouped), counted by rule (statistics), or for other"
            " programs.  [default: full]",
            show_default=False,
            rich_help_panel=Section.REPORT,
        ),
    ] = None,
    level: Annotated[
        Level | None,
        typer.Option(
            help="The lowest severity to show."
            "  [default: warning; info for statistics, json, jsonl and sarif]",
            show_default=False,
            rich_help_panel=Section.REPORT,
        ),
    ] = None,
    select: arguments.Select = None,
    extend_select: arguments.ExtendSelect = None,
    ignore: arguments.Ignore = None,
    strict: arguments.Strict = None,
    error: arguments.Error = None,
    warn: arguments.Warn = None,
    info: arguments.Info = None,
    config: arguments.Config = None,
    isolated: arguments.Isolated = False,
    exclude: arguments.Exclude = None,
    extend_exclude: arguments.ExtendExclude = None,
    include: arguments.Include = None,
    respect_gitignore: arguments.RespectGitignore = None,
    force_exclude: arguments.ForceExclude = False,
    output_file: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            "--output-file",
            metavar="FILE",
            help="Write the report to this file.",
            show_default=False,
            rich_help_panel=Section.REPORT,
        ),
    ] = None,
    read_as: arguments.As = None,
    grammar: GrammarOption = None,
    encoding: arguments.Encoding = None,
    max_diagnostics: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Show the worst N findings of a file, and count the others; 0 for all.",
            rich_help_panel=Section.REPORT,
        ),
    ] = MAX_DIAGNOSTICS,
    jobs: arguments.Jobs = None,
    fix: arguments.Fix = False,
    unsafe_fixes: arguments.UnsafeFixes = False,
    diff: arguments.Diff = False,
    show_fixes: arguments.ShowFixes = False,
    baseline: arguments.BaselineFile = None,
    write_baseline: arguments.WriteBaseline = None,
    cache: arguments.Cache = None,
    watch: arguments.Watch = False,
    quiet: arguments.Quiet = False,
    stdin_filename: arguments.StdinFilename = None,
    exit_zero: Annotated[
        bool,
        typer.Option(
            "--exit-zero",
            help="Exit with 0 even if there are findings.",
            rich_help_panel=Section.REPORT,
        ),
    ] = False,
) -> None:
    """Find errors in game records, and fix them.

    Exit code: 0 if no error or warning was shown, 1 if one was, 2 if a file could not be read
    or the command line or a setting is wrong.

    Examples:
        sgf-lark check games
        sgf-lark check games --diff --unsafe-fixes
        sgf-lark check games.zip --format statistics
    """
    lists = {"select": select, "extend_select": extend_select, "ignore": ignore}
    lists |= {"error": error, "warn": warn, "info": info}
    known = KnownFiles(baseline, write_baseline)
    known.test(makes_fixes=fix or diff)

    def prepare() -> Checking:
        """Read the settings, and find the files."""
        from sgf_lark.diagnostics.finding import Severity

        arguments.test_encoding(encoding)
        choice = arguments.file_choice(
            exclude, extend_exclude, include, respect_gitignore, force_exclude
        )
        by_file = arguments.file_options(
            lists, strict=strict, config=config, isolated=isolated, choice=choice
        )
        settings = by_file.settings
        form = output or settings.format or Output.FULL
        inputs = arguments.inputs(paths, stdin_filename)
        find = partial(find_files, inputs, by_file)
        files = list(find())
        arguments.verify_settings(by_file, grammar)
        known_files = known.over(settings)
        read = (grammar, config, known_files.baseline)
        protect_inputs(output_file, inputs, files, *read)
        protect_inputs(write_baseline, inputs, files, *read[:2], option="--write-baseline")
        usual = Level.INFO if form in SHOW_INFOS else Level.WARNING
        return Checking(
            Run(files, "checking", jobs=jobs, is_quiet=quiet, stdin_name=stdin_filename),
            by_file,
            {"format": read_as, "encoding": encoding, "grammar": check_for_records(grammar)},
            form,
            Severity(level or settings.level or usual),
            output_file,
            0 if form is Output.STATISTICS else max_diagnostics,
            FixChoice(
                Severity(level or settings.level or Level.WARNING),
                is_on=fix or diff,
                unsafe=unsafe_fixes,
                diff=diff,
                is_listed=show_fixes,
            ),
            keeps=settings.cache if cache is None else cache,
            baseline=known_files.read(),
            written=known_files.written,
            find=find,
        )

    from sgf_lark.diagnostics.errors import SettingsError, SgfGrammarError

    if watch:
        from sgf_lark.cli.watch import watch_files

        watch_files(prepare, [grammar, config, baseline])
    try:
        code = prepare().run()
    except (SettingsError, SgfGrammarError) as invalid:
        exit_with_report(invalid.report)
    raise typer.Exit(0 if exit_zero and code == WRONG else code)


class KnownFiles(NamedTuple):
    """The files with known findings: one to read, and one to write; None for none."""

    baseline: str | None
    written: str | None

    def test(self, *, makes_fixes: bool) -> None:
        """Test the options of the command line.

        Raises:
            typer.BadParameter: They exclude each other.
        """
        if self.written is None:
            return
        other = "--baseline" if self.baseline else "--fix and --diff" if makes_fixes else ""
        if other or self.written == STDIN:
            message = f"{other} and this option exclude each other" if other else "expected a file"
            raise typer.BadParameter(message, param_hint="--write-baseline")

    def over(self, settings: Settings) -> KnownFiles:
        """Return these files, or that of the settings."""
        if self.written or self.baseline or settings.baseline is None:
            return self
        return self._replace(baseline=os.path.join(settings.folder, settings.baseline))  # noqa: PTH118

    def read(self) -> Baseline | None:
        """Read the baseline.

        Raises:
            SettingsError: It is invalid.
            typer.BadParameter: It cannot be read.
        """
        if self.baseline is None:
            return None
        from sgf_lark.report.baseline import Baseline

        try:
            return Baseline.read(self.baseline)
        except OSError as error:
            message = f"{self.baseline}: {reason(error)}"
            raise typer.BadParameter(message, param_hint="--baseline") from None


class FixChoice(NamedTuple):
    """The fixes of a run.

    Attributes:
        level: The lowest severity to fix; without --level a warning, whatever the report shows.
        is_on: Fix the findings.
        unsafe: Make unsafe fixes, too; if no fixes are made, count them.
        diff: Write nothing; show what the fixes would change.
        is_listed: List each fix.
    """

    level: Severity
    is_on: bool
    unsafe: bool
    diff: bool
    is_listed: bool


class Checking(NamedTuple):
    """A check of files.

    Attributes:
        files: The run over the files.
        by_file: The options of each file.
        given: Options of :func:`sgf_lark.check` for all files.
        output, level, output_file: The form of the report, the lowest severity to show, and
            the file for the report.
        most: Limit of findings of a file that are shown; 0 for none.
        fixing: The fixes.
        keeps: Keep the reports on unchanged files.
        baseline: The known findings; None to show all.
        written: The file for the findings instead of a report; None for a report.
        find: Finds the files again.
    """

    files: Run
    by_file: FileOptions
    given: dict[str, Any]
    output: Output
    level: Severity
    output_file: str | None
    most: int
    fixing: FixChoice
    keeps: bool
    baseline: Baseline | None
    written: str | None
    find: Callable[[], Iterable[str | Unreadable]]

    def run(self) -> int:
        """Check the files, or fix and check them; return the exit code."""
        from sgf_lark.report.base import Fixes

        with self.files.counted():
            if self.written is not None:
                return self._write_baseline(self.written)
            fixes = Fixes(self.fixing.unsafe, self.fixing.level)
            if self.fixing.diff or (self.fixing.is_on and STDIN in self.files.files):
                return self._fix_without_report(fixes)
            return self._report(fixes)

    def _report(self, fixes: Fixes) -> int:
        from sgf_lark.report.reporters import reporter_of

        with open_report(self.output_file) as stream:
            reporter = reporter_of(self.output)(console(stream), self.level, fixes)
            reporter.is_quiet = self.files.is_quiet
            reporter.known = None if self.baseline is None else self.baseline.counts
            reporter.begin()
            for report in self._fixed(fixes) if self.fixing.is_on else self._checked():
                reporter.add(self._new(report, reporter.levels))
                stream.flush()
            if self.baseline is not None:
                self.baseline.end()
            reporter.end()
            stream.flush()
        return reporter.exit_code

    def _write_baseline(self, path: str) -> int:
        """Write the findings that would be shown into a file; return the exit code."""
        from sgf_lark.report.baseline import Baseline, BaselineReporter

        reporter = BaselineReporter(console(sys.stdout), self.level)
        reporter.baseline = Baseline(path)
        for report in self._checked():
            reporter.add(report)
        try:
            reporter.baseline.write()
        except OSError as error:
            raise typer.BadParameter(
                f"{path}: {reason(error)}", param_hint="--write-baseline"
            ) from None
        if not self.files.is_quiet:
            count = plural(reporter.baseline.findings, "finding")
            say(f"{path}: {count} in {plural(reporter.baseline.files, 'file')} known", err=True)
        return reporter.exit_code

    @property
    def options(self) -> dict[str, Any]:
        """Options of :func:`sgf_lark.check` for all files: all findings if some are known."""
        has_known = self.baseline is not None or self.written is not None
        return self.given | {"max_diagnostics": 0 if has_known else self.most}

    def _own(self, name: str) -> dict[str, Any]:
        return {"options": self.by_file.of(name), **self.by_file.reading(name)}

    def _own_to_fix(self, name: str) -> dict[str, Any]:
        known = None if self.baseline is None else self.baseline.known(name)
        return {**self._own(name), "known": known}

    def _new(self, report: Report, levels: Iterable[Severity]) -> Report:
        """Return the report with its new findings only."""
        if self.baseline is None:
            return report
        return self.baseline.new(report, self.by_file.of(report.name), levels).capped(self.most)

    def _checked(self) -> Iterator[Report]:
        kept = None
        if self.keeps:
            from sgf_lark.api.result_cache import ResultCache

            kept = ResultCache.find()
        return self.files.reports(self.options, self._own, kept)

    def _fixed(self, fixes: Fixes) -> Iterator[Report]:
        """Fix the files, and yield the reports on what is left."""
        from sgf_lark.api.load import check, with_boards

        writer = FileWriter(writes=True, is_quiet=self.files.is_quiet)
        for path, result in self._fix_all(writer, fixes):
            if result.report is None:
                continue
            report = result.report
            if writer.unwritten > fixes.unwritten:
                fixes.unwritten = writer.unwritten
                report = check(path, **self.options | self._own(path))
            yield with_boards(report, self.options | self._own(path))

    def _fix_without_report(self, fixes: Fixes) -> int:
        """Fix the files, print the number of fixes, and return the exit code."""
        from sgf_lark.diagnostics.finding import Severity

        diff = self.fixing.diff
        writer = FileWriter(writes=not diff, is_quiet=self.files.is_quiet)
        remaining = set[Severity]()
        for path, result in self._fix_all(writer, fixes):
            remaining |= {finding.severity for finding in result.remaining}
            if result.failure:
                say(f"{path}: {result.failure}", err=True)
                writer.failed += 1
        if not self.files.is_quiet:
            summary = fixes.summary("would be fixed" if diff else "fixed")
            say(summary if fixes.made else "nothing to fix", err=True)
        if not writer.is_complete:
            return MISUSED
        is_wrong = bool(fixes.made) if diff else not remaining <= {Severity.INFO}
        return WRONG if is_wrong else 0

    def _fix_all(self, writer: FileWriter, fixes: Fixes) -> Iterator[tuple[str, FixedFile]]:
        """Fix the files in processes, write and count the fixes."""
        unsafe, diff = self.fixing.unsafe, self.fixing.diff
        function = partial(
            fix_file, unsafe=unsafe, diff=diff, level=self.fixing.level, all_options=self.options
        )
        for path, outcome in self.files.outcomes(function, self._own_to_fix):
            name, stdin = self.files.name(path), self.files.stdin if path == STDIN else None
            result = outcome.result
            if result is None:
                result = unfixed(name, outcome.error)
                if diff or STDIN in self.files.files:
                    writer.note_error(name, "fixed", outcome.error, stdin)
            elif writer.take(name, result.change, stdin):
                fixes.made += len(result.made)
                fixes.files += 1
                for finding in result.made if self.fixing.is_listed else ():
                    if finding.fix is not None:
                        place = f"{name}:{finding.line}:{finding.column}"
                        say(f"{place}: {finding.code} {finding.fix.message}", err=True)
            yield name, result
        writer.end()


class FixedFile(NamedTuple):
    """The result of fixing a file.

    Attributes:
        change: The change of the file.
        made: The findings whose fixes were made.
        remaining: The findings of the chosen level that remain.
        report: The report on the new bytes; None if no report is wanted.
        failure: The message, if the program failed.
    """

    change: Change = Change()
    made: tuple[Diagnostic, ...] = ()
    remaining: tuple[Diagnostic, ...] = ()
    report: Report | None = None
    failure: str = ""


def fix_file(
    path: str,
    data: bytes,
    *,
    unsafe: bool,
    diff: bool,
    level: Severity,
    all_options: dict[str, Any],
    known: Mapping[str, int] | None,
    **own: Any,
) -> FixedFile:
    """Fix a file, and check the result.

    Args:
        path, data: The name and the bytes of the file.
        unsafe: Make unsafe fixes, too.
        diff: Make the difference, and no report.
        level: The lowest severity to fix.
        known: The known findings of the file, which are not fixed.
        all_options, own: Options of :func:`sgf_lark.check` for all files, and for this one.
    """
    from sgf_lark.api import fix as api, many
    from sgf_lark.api.load import check_contents
    from sgf_lark.grammar.time_limit import limited

    options = all_options | own
    wanted = {name: options[name] for name in options if name != "max_diagnostics"}
    with limited(options["grammar"], len(data)):
        try:
            fixed = api.fix_record(
                data, unsafe=unsafe, level=level, name=path, known=known, **wanted
            )
        except Exception as error:  # noqa: BLE001  # a fault of the program
            report = None if diff else check_contents(data, path, **options)
            report = report and many.with_failure(report, error)
            failure = f"{many.failure('fixed', error)}; {many.REPORT_IT}"
            return FixedFile(report=report, failure=failure)
        change = Change.of(path, data, fixed.data, diff=diff)
        now = data if change.cause else fixed.data
        report = None if diff else check_contents(now, path, **options)
        if report is not None and not change.cause:
            report = report.without_fixes(level, unsafe=unsafe)
    return FixedFile(change, fixed.made, fixed.remaining, report)


def unfixed(path: str, error: Exception | None) -> FixedFile:
    """Return the result of a file that could not be read, or on which a process ended."""
    from sgf_lark.api.many import report_of
    from sgf_lark.api.workers import Outcome

    if isinstance(error, InputError):
        return FixedFile(report=report_unreadable(error.file))
    return FixedFile(report=report_of(Outcome(path, None, error)))
