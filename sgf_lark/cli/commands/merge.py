"""The command ``sgf-lark merge``."""

from __future__ import annotations

import io
import os
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sgf_lark.cli.files import Change
from sgf_lark.cli.grammars import check_for_records
from sgf_lark.cli.interface import command
from sgf_lark.cli.options import (
    PATHS,
    FolderOptions,
    OutputOptions,
    RecordOptions,
    SettingsOptions,
    WorkOptions,
    reported_settings,
    verify_settings,
)
from sgf_lark.cli.output import MISUSED, WRONG, console, fail, reported_failure
from sgf_lark.core import Severity, plural
from sgf_lark.files.paths import find_files, find_unread
from sgf_lark.report.terminal import say, show
from sgf_lark.settings.forms import Output

from .convert import LossOptions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sgf_lark.convert.merge import MergedGames
    from sgf_lark.core import Collection, Diagnostic, GameTree, Report

#: Trees that the last line names, at most.
MAX_NAMED = 5


@command(PATHS, is_brief=True)
def merge(
    paths: tuple[str, ...],
    result: OutputOptions,
    losses: LossOptions,
    folders: FolderOptions,
    reading: RecordOptions,
    settings: SettingsOptions,
    work: WorkOptions,
) -> None:
    """Merge game records into one tree that has what they share once.

    Nodes with the same moves and setup become one, and their comments are joined. Where the game
    info of games differs, it moves to the nodes where they part. Games of another kind, size or
    first position get a tree of their own. The result is one file in FF[4] and UTF-8; of what
    contradicts a property that the tree has already, there is a report.

    Exit code: 0 if all games are in the result, 1 if a record has none, or cannot be converted to
    FF[4]; 2 if a file could not be read or written, or the command line is wrong.

    Examples:
        sgf-lark merge game.sgf old.sgf -o tree.sgf
        sgf-lark merge games -o tree.sgf --format concise
    """
    from sgf_lark.convert.merge import merge_all

    inputs, output = folders.inputs(paths), result.output
    with reported_settings():
        by_file = settings.find(choice=folders.choice(), reading=reading.over_settings)
        check_for_records(reading)
        files = [file for file in find_files(inputs, by_file) if not _is_at(file, output)]
        verify_settings(by_file)
    if output is not None and any(_is_at(path, output) for path in inputs):
        raise click.UsageError(f"--output: {output} is one of the records: choose another file")
    loading = reading.loading()

    def own(name: str) -> dict[str, Any]:
        options = by_file.settings_of(name).convert.given()
        options.pop("to", None)
        return {"options": options, "reading": loading | by_file.reading(name)}

    run = work.over(files, "merging", folders, find_unread(inputs, by_file))
    read: list[ReadGames] = []
    with run.counted():
        for path, outcome in run.outcomes(read_games, own):
            if outcome.result is None:
                name = run.name(path)
                say(Change.of_error(name, outcome.error, "merged").message, err=True)
            else:
                read.append(outcome.result)
        merged = merge_all(game for each in read for game in each.games)
    code = MISUSED if len(read) < len(files) else 0
    site = by_file.settings.site
    report_losses(read, merged, losses, site, to_stdout=output is not None, is_quiet=work.quiet)
    if not merged.left_out:
        fail("there are no games to merge", code or WRONG)
    data = bytes_of(merged.collection)
    if output is None:
        show(data)
    else:
        from sgf_lark.files.writing import write_file

        with reported_failure(f"cannot write {output}"):
            write_file(output, data)
    if not work.quiet:
        say(f"{plural(len(files), 'file')}: {describe_trees(merged)}", err=True)
    sys.exit(code or (0 if all(each.games for each in read) else WRONG))


def _is_at(path: object, output: os.PathLike[str] | None) -> bool:
    from sgf_lark.files.writing import are_same

    return output is not None and isinstance(path, str) and are_same(path, output)


class ReadGames(NamedTuple):
    """The games of a file in FF[4]."""

    collection: Collection | None  # none if they cannot be converted
    report: Report  # what the conversion has changed, and what was repaired or is left out

    @property
    def games(self) -> tuple[GameTree, ...]:
        return () if self.collection is None else self.collection.games


def read_games(
    path: str, data: bytes, *, reading: dict[str, Any], options: dict[str, Any]
) -> ReadGames:
    from sgf_lark.convert.convert import convert
    from sgf_lark.convert.lossy import Undecodable, report_undecodable
    from sgf_lark.convert.merge import report_outside, report_strays
    from sgf_lark.core import Diagnostic, LineIndex, Report, SgfConversionError, load
    from sgf_lark.files.archives import RecordBytes
    from sgf_lark.files.time_limit import limited

    with limited(reading["grammar"], len(data)):
        source = load(RecordBytes(data, path), strict=False, **reading)
        broken = [finding for finding in source.diagnostics if finding.code[0] == "S"]
        report = Report(name=path, text=source.text, diagnostics=tuple(broken))
        undecodable = report_undecodable(source.text, Undecodable.REFUSE, "UTF-8")
        if undecodable is not None:
            lines = LineIndex(source.text)
            return ReadGames(None, with_findings(report, [Diagnostic.of(undecodable, lines)]))
        try:
            result = convert(source, "ff4", **options)
        except SgfConversionError as error:
            return ReadGames(None, with_findings(report, error.report.errors))
        if result is not source:
            return ReadGames(result, with_findings(report, result.diagnostics))
        lost = [*report_outside(source)]
        for number, game in enumerate(source.games):
            lost += report_strays(game, number, source.source, range(len(game)))
        lines = LineIndex(source.text)
        found = [Diagnostic.of(finding, lines) for finding in lost]
        return ReadGames(source, with_findings(report, found))


def report_losses(
    read: list[ReadGames],
    merged: MergedGames,
    losses: LossOptions,
    site: str | None,
    *,
    to_stdout: bool,
    is_quiet: bool,
) -> None:
    """Report on files, and on what is left out of their games; on several files in numbers."""
    from sgf_lark.report.base import reporter_of

    is_counted = losses.form is None and len(read) > 1 and not is_quiet
    form = losses.form or (Output.STATISTICS if is_counted else Output.CONCISE)
    stream = console(sys.stdout if losses.form is not None and to_stdout else sys.stderr)
    reporter = reporter_of(form)(stream, losses.level or (losses.form or Output.FULL).level)
    reporter.site, reporter.is_quiet = site, is_quiet or losses.form is None
    of_failed = reporter_of(Output.CONCISE)(stream, Severity.ERROR)
    reporter.begin()
    left_out = iter(merged.left_out)
    for each in read:
        more = [finding for _ in each.games for finding in next(left_out)]
        reporter.add(with_findings(each.report, more))
        if is_counted and not each.games:
            of_failed.add(each.report)
    reporter.end()


def with_findings(report: Report, more: Iterable[Diagnostic]) -> Report:
    """Return a report with further findings, each once, in the order of the text."""
    findings = {
        (finding.offset, finding.end_offset, finding.code, finding.message): finding
        for finding in (*report.diagnostics, *more)
    }
    ordered = sorted(findings.values(), key=lambda finding: (finding.offset, finding.end_offset))
    return report.model_copy(update={"diagnostics": tuple(ordered)})


def bytes_of(collection: Collection) -> bytes:
    """Return trees in the canonical layout, in UTF-8."""
    from sgf_lark.core import UnwritableError, dump

    buffer = io.BytesIO()
    try:
        dump(collection, buffer, style="canonical", encoding="utf-8")
    except UnwritableError as error:
        fail(f"the tree cannot be written: {error.problem}")
    return buffer.getvalue()


def describe_trees(merged: MergedGames) -> str:
    """Return what was made in words: ``14 games in 2 trees: Go 19x19, Go 9x9``."""
    trees = merged.collection.games
    kinds = Counter(
        tree.nodes.rules.game.name
        + (f" {tree.size.columns}x{tree.size.rows}" if tree.size is not None else "")
        for tree in trees
    )
    named = [
        name + f" ({count} trees)" * (count > 1) for name, count in kinds.most_common(MAX_NAMED)
    ]
    named += ["..."] * (len(kinds) > MAX_NAMED)
    line = f"{plural(len(merged.left_out), 'game')} in {plural(len(trees), 'tree')}"
    return line + f": {', '.join(named)}" * (len(trees) > 1)
