"""Commands of grammars: ``sgf-lark grammar ...``.

Slow imports are in the functions that need them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sgf_lark.cli import completion
from sgf_lark.cli.grammars import (
    GrammarOptions,
    TypedOptions,
    end_time_limit,
    extend_time_limit,
    format_named,
    format_of,
    game_grammar,
    grammar_of,
    hints_on,
    open_grammar,
    read_grammar,
    read_text,
    read_texts,
    start_rule,
    start_time_limit,
    write_result,
)
from sgf_lark.cli.interface import (
    Bundle,
    CommandGroup,
    NumberFrom,
    PathType,
    argument,
    command,
    flag,
    option,
)
from sgf_lark.cli.options import (
    DecodingOptions,
    FolderOptions,
    OutputOptions,
    ReadingOptions,
    SettingsOptions,
    WorkOptions,
    reported_settings,
    verify_settings,
)
from sgf_lark.cli.output import (
    MISUSED,
    WRONG,
    console,
    exit_with_report,
    fail,
    open_report,
    protect_inputs,
)
from sgf_lark.core import Severity, plural
from sgf_lark.files.paths import STDIN, find_files
from sgf_lark.report.terminal import Row, say, visible_json
from sgf_lark.settings.forms import Output

if TYPE_CHECKING:
    from sgf_lark.cli.comparing import Side
    from sgf_lark.workbench.coverage import Rejection

#: Returns the argument for a grammar that a command is about.
grammar_argument = partial(argument, kind=str, shell_complete=completion.grammars)

GRAMMAR = grammar_argument(
    "name",
    "GRAMMAR",
    "A shipped grammar (see 'sgf-lark grammar show'), or the file of a custom one.",
)


#: Returns the argument for records that a grammar is tried on, by its help.
corpus_argument = partial(argument, "corpus", "[CORPUS]...")


class SeedOptions(Bundle, section="Texts"):
    """The seed of random texts."""

    seed: str = option("The same seed gives the same texts.", default="0", metavar="SEED")


# ---- show ----


class ViewOptions(OutputOptions, section="Output"):
    """The view of a grammar, and its file."""

    view: Literal["file", "ebnf", "bare"] = option(
        "The form: the complete file, only the productions that it quotes from the"
        " standard (ebnf), or only the rules for Lark (bare).",
        "--format",
        default="file",
    )
    path: bool = flag("Print the path of the file instead.")


@command(
    grammar_argument(
        "name",
        "[GRAMMAR]",
        "A shipped grammar, or the file of a custom one.  [default: list the shipped ones]",
    )
)
def show(
    name: str | None, shown: ViewOptions, typed: TypedOptions, settings: SettingsOptions
) -> None:
    """Show a grammar, or list the shipped ones.

    The standard's productions, the rules for Lark, or both. Other commands
    read a typed grammar from a file, such as that of
    'sgf-lark grammar show ff4 --typed --game go --size 19 -o go.lark'.

    Examples:
        sgf-lark grammar show games/go --format bare
        sgf-lark grammar show ff4 -o mine.lark
    """
    from sgf_lark.core import grammars
    from sgf_lark.workbench.source_text import QUOTATION, bare, title_of_grammar
    from sgf_lark.workbench.typed_grammar import typed_grammar

    if name is None:
        if shown.given() or typed.given():
            fail("GRAMMAR is missing")
        texts = {one: grammars.text_of(grammars.path(one)) for one in grammars.names()}
        titles = {one: title_of_grammar(text) for one, text in texts.items()}
        console(sys.stdout).write_table(Row([one], [title]) for one, title in titles.items())
        return
    if shown.path:
        file = read_grammar(name)
        say(str(file if isinstance(file, Path) else file.path))
        return
    text = typed.make(typed_grammar, name, settings)
    if text is None:
        text = grammars.text_of(read_grammar(name))
    if shown.view == "ebnf":
        text = "".join(f"{line}\n" for line in QUOTATION.findall(text))
        if not text:
            fail(f"{name} quotes no production", WRONG)
    elif shown.view == "bare":
        text = bare(text)
    write_result([text], shown.output, name)


# ---- test, lint, sample, diff, explain ----

#: Length of a text that takes as long to read as a random sentence of each rule.
CHARACTERS_PER_SAMPLE = 10_000

#: The number of random sentences that take as long as a cover of a grammar.
COVER_SAMPLES = 100


class SamplingOptions(SeedOptions, section="Texts"):
    """Random sentences besides the records."""

    samples: int = option("Add N random sentences of each rule.", type=NumberFrom(0), default=0)


class UsesOptions(Bundle, section="Output"):
    """The alternatives that are listed."""

    only_unused: bool = flag("List only unused alternatives.", "--unused")


class CaseOptions(GrammarOptions, OutputOptions, section="Cases"):
    """The cases of a grammar, and the report on them."""

    cases: str | None = option(
        "Test the texts of this file: a name between two lines ===, a text, a line ---, and its"
        " tree as of 'tree --format sexp'. Below a name: :error LINE:COLUMN for a tree, :skip.",
        type=PathType(),
    )
    update: bool = flag(
        "Write the trees of cases that fail into the file as they are, and the places of errors"
        " where a case says :error."
    )
    form: Output = option(
        f"The report: {', '.join(Output)}.", "--format", default="full", metavar="FORM"
    )


@command(GRAMMAR, corpus_argument("Records: files, folders, patterns, or -."))
def test(
    name: str,
    corpus: tuple[str, ...],
    sampling: SamplingOptions,
    listing: UsesOptions,
    cases: CaseOptions,
    reading: DecodingOptions,
    settings: SettingsOptions,
) -> None:
    """Test a grammar on records: accepted, rejected and where, alternatives used and unused.

    With --start, files are read as texts of that rule. With --cases: test any grammar, also of no
    game records, on texts with their trees or errors. GRAMMAR may be the name of a game of the
    settings.

    Exit code: 1 if the grammar rejects a record, or a case fails.

    Examples:
        sgf-lark grammar test ff4 games --unused
        sgf-lark grammar test mine.lark --cases cases.txt --update
    """
    from sgf_lark.core import PropertyTable
    from sgf_lark.workbench.coverage import Coverage
    from sgf_lark.workbench.lint import is_of_game

    start = cases.start
    if cases.given().keys() - {"start"}:
        sys.exit(_test_cases(name, cases, settings, [*corpus, *sampling.given(), *listing.given()]))
    file = open_grammar(game_grammar(name, settings), PropertyTable.standard().kinds)
    coverage = Coverage(file, start=start and start_rule(file, start))
    for path_, text, how in read_texts(corpus, reading.encoding, settings):
        coverage.add(text, path_, how.get("table"))
    samples = sampling.samples
    if samples:
        extend_time_limit(samples * CHARACTERS_PER_SAMPLE)
        coverage.add_samples(samples, sampling.seed)
    if coverage.has_structure and corpus:
        total = coverage.parsed + len(coverage.rejected)
        rejected = f", {len(coverage.rejected)} rejected" if coverage.rejected else ""
        say(f"{plural(total, 'file')}: {coverage.parsed} accepted{rejected}")
    _say_rejected(coverage.rejected)
    for help_ in hints_on(file, start, "" if coverage.rejected else None):
        say(f"help: {help_}", err=True)
    if corpus and coverage.has_values:
        rejected = f", {coverage.wrong} rejected" if coverage.wrong else ""
        say(f"{plural(coverage.values, 'value')} accepted{rejected}")
        if is_of_game(file) and not coverage.values + coverage.wrong:
            say(
                "no game of the records has this grammar: name it in the settings of one, "
                "[games.NAME] grammar",
                err=True,
            )
    _say_rejected(coverage.rejected_values)
    columns = 2 if samples else 1
    uses = list(coverage.uses())
    unused = [use for use in uses if not use.records and not use.samples]
    say(f"{len(uses) - len(unused)} of {plural(len(uses), 'alternative')} used")
    rows = [Row(("records", "samples")[:columns])]
    for use in unused if listing.only_unused else uses:
        counts = (str(use.records or "-"), str(use.samples or "-"))
        rows.append(Row(counts[:columns], [use.production]))
    if rows[1:]:
        console(sys.stdout).write_table(rows, start="  ", right={0, 1})
    sys.exit(WRONG if coverage.rejected else 0)


def _say_rejected(rejected: Iterable[Rejection]) -> None:
    for name, at in rejected:
        say(f"  {name}:{at.line}:{at.column}: {at.message}")


def _test_cases(name: str, options: CaseOptions, settings: SettingsOptions, others: Any) -> int:
    from sgf_lark.core import KEPT, Report, edited
    from sgf_lark.report.base import reporter_of
    from sgf_lark.workbench.cases import read_cases

    path = options.cases
    if path is None:
        fail(f"--{next(one for one in options.given() if one != 'start')} needs --cases")
    if others:
        fail("--cases tests the texts of its file: remove it, or the records and their options")
    text, source = read_text(path, is_text=False, encoding="utf-8")
    if source == "<text>":
        fail(f"no such file: {path}")
    if KEPT.search(text):
        fail(f"{path}: this is not UTF-8")
    protect_inputs(options.output, [path], [], name)
    with reported_settings():
        cases = read_cases(text, path)
    file = open_grammar(game_grammar(name, settings), [options.start] if options.start else [])
    start = start_rule(file, options.start)
    extend_time_limit(len(text))
    tested = [case.test(file, start) for case in cases if not case.is_skipped]
    failed = [finding for finding in tested if finding is not None]
    if options.update:
        fixes = [finding.fix for finding in failed if finding.fix]
        text = edited(text, [edit for fix in fixes for edit in fix.edits])
        write_result([text], None if path == STDIN else Path(path))
        say(f"{path}: {len(fixes)} of {plural(len(tested), 'case')} updated", err=path == STDIN)
        if len(fixes) == len(failed):
            return 0
        if path == STDIN:
            for finding in (one for one in failed if one.fix is None):
                say(f"not updated: {finding.message}", err=True)
            return WRONG
        tested = [case.test(file, start) for case in read_cases(text, path) if not case.is_skipped]
        failed = [finding for finding in tested if finding is not None]
    with open_report(options.output) as stream:
        reporter = reporter_of(options.form)(console(stream), options.form.level)
        reporter.is_quiet = True
        reporter.begin()
        reporter.add(Report.of(path, text, failed))
        reporter.end()
    counts = f"{len(tested) - len(failed)} passed, {len(failed)} failed"
    skipped = f", {len(cases) - len(tested)} skipped" if len(cases) > len(tested) else ""
    say(f"{plural(len(cases), 'case')}: {counts}{skipped}", err=options.form.module != "text")
    rejected = "" if any(one.fix is None for one in failed) else None
    for help_ in hints_on(file, options.start, rejected):
        say(f"help: {help_}", err=True)
    return reporter.exit_code


@command(GRAMMAR)
def lint(name: str, part: GrammarOptions) -> None:
    """Warn of conflicts between rules, left recursion and ambiguous terminals.

    Other commands report only errors of a grammar.

    Examples:
        sgf-lark grammar lint mine.lark
    """
    from sgf_lark.core import PropertyTable
    from sgf_lark.report.text import FullReporter
    from sgf_lark.workbench.lint import find_ambiguous, grammar_report

    values = frozenset([*PropertyTable.standard().kinds, *([part.start] if part.start else [])])
    file = open_grammar(name, values)
    start_rule(file, part.start)
    reporter = FullReporter(console(sys.stdout), Severity.INFO)
    reports = grammar_report(file, values, warn=True), find_ambiguous(file, values)
    for report in reports:
        reporter.add(report)
    if not any(reports):
        say(f"{name}: nothing wrong")


#: The forms of random sentences.
SampleForm: TypeAlias = Literal["text", "jsonl"]


class SentenceOptions(GrammarOptions, SeedOptions, section="Texts"):
    """The sentences that are made."""

    count: int = option("Number of sentences.", "-n", "--count", type=NumberFrom(1), default=1)
    length: int = option(
        "About the most rules and terminals in a sentence.", type=NumberFrom(1), default=40
    )
    cover: bool = flag("As few sentences as use every alternative.")
    broken: bool = flag("Texts with one fault, each after the LINE:COLUMN of it.")
    readable: bool = flag("Texts of words and numbers, without escapes and rare characters.")

    def verify(self, *, typed: bool) -> None:
        """Test that the options belong together; exit if they do not."""
        if typed and self.start is not None:
            fail("--typed makes complete records: remove --start, or --typed")
        if typed + self.broken + self.cover > 1:
            fail("only one of --typed, --cover and --broken can be given")
        if self.readable and (self.broken or self.cover):
            fail("--readable is for sentences and records: remove it, or --cover and --broken")
        if self.cover and "count" in self.given():
            fail("--cover makes as many sentences as it needs: remove --count")


class TypedRecordOptions(Bundle, section="Typed grammar"):
    """Complete records instead of sentences."""

    typed: bool = flag("Make complete records whose values have their types.")
    game: str | None = option("With --typed: the game, by its name or number.", metavar="GAME")


class SampleOptions(OutputOptions, section="Output"):
    """The form of the sentences, and their file."""

    form: SampleForm = option(
        "The form: the sentences, or one JSON string a line, with --broken a JSON object.",
        "--format",
        default="text",
    )


@command(GRAMMAR)
def sample(
    name: str,
    texts: SentenceOptions,
    records: TypedRecordOptions,
    result: SampleOptions,
    settings: SettingsOptions,
) -> None:
    """Make random sentences of a grammar, or of one of its rules.

    With --typed the games and properties of the settings are known, too. With --cover, standard
    error names what no sentence was found for.

    Exit code: 1 if fewer sentences were found.

    Examples:
        sgf-lark grammar sample ff4 --typed --count 3
        sgf-lark grammar sample ff4 --cover
    """
    from sgf_lark.workbench.coverage import cover as make_cover
    from sgf_lark.workbench.samples import (
        broken as make_broken,
        random_records as make_records,
        sentences as make_sentences,
    )
    from sgf_lark.workbench.typed_grammar import choose_game

    count, start = texts.count, texts.start
    texts.verify(typed=records.typed)
    if records.game is not None and not records.typed:
        fail("--game needs --typed")
    is_random = not texts.cover and not texts.broken  # which need a parser
    file = open_grammar(name, [start] if start else [], ambiguous=is_random)
    table = settings.table()
    seed, size = texts.seed, texts.length
    extend_time_limit((COVER_SAMPLES if texts.cover else count) * CHARACTERS_PER_SAMPLE)
    made: Iterable[Any]
    if records.typed:
        format_ = format_named(name)
        try:
            chosen = choose_game(format_, records.game, table)
            readable = texts.readable
            made = make_records(
                format_, chosen, seed=seed, size=size, table=table, readable=readable
            )
        except ValueError as error:
            fail(str(error))
    elif texts.cover:
        made, unused = make_cover(file, start_rule(file, start), seed=seed, size=size)
        count = len(made)
        for production in unused:
            say(f"no sentence found for: {production}", err=True)
    elif texts.broken:
        made = make_broken(file, start_rule(file, start), seed=seed, size=size)
    else:
        first, readable = start_rule(file, start), texts.readable
        made = make_sentences(file, first, seed=seed, size=size, readable=readable)
    numbers: list[int] = []
    write_result(
        _lines(zip(made, range(count), strict=False), result.form, numbers), result.output, name
    )
    if len(numbers) < count:
        fail(f"only {len(numbers)} of {count} sentences of {start or name} were found", WRONG)


def _lines(made: Iterable[tuple[Any, int]], form: SampleForm, numbers: list[int]) -> Iterator[str]:
    import json

    for one, number in made:
        if form == "jsonl":
            value = one if isinstance(one, str) else one._asdict()
            yield visible_json(json.dumps(value, ensure_ascii=False)) + "\n"
        else:
            yield f"{one}\n" if isinstance(one, str) else f"{one.line}:{one.column}: {one.text}\n"
        numbers.append(number)


class DifferenceOptions(Bundle, section="Output"):
    """The form of what differs."""

    form: Literal["text", "json"] = option(
        "The form: for people, or one JSON object with all places.", "--format", default="text"
    )


@command(
    argument(
        "first",
        "A",
        "A grammar, or one rule of it (games/go:move_before_ff4); - for one from standard input;"
        " a settings file in .toml; or a table of properties in .tsv.",
        kind=str,
        shell_complete=completion.grammars,
    ),
    grammar_argument("second", "B", "Another one."),
    corpus_argument("Compare what is read of these records: files, folders, archives, patterns."),
)
def diff(
    first: str,
    second: str,
    corpus: tuple[str, ...],
    texts: SeedOptions,
    shown: DifferenceOptions,
    folders: FolderOptions,
    reading: DecodingOptions,
    settings: SettingsOptions,
    work: WorkOptions,
) -> None:
    """Compare two grammars, or what they read of records.

    Without records: the rules that differ, and texts that show the difference; the rows of
    tables that do. With records: the files and games that both read, one of them, or none, and the
    values that they read otherwise.

    Exit code: 0 if nothing differs, 1 if something does, 2 if a file could not be read or a
    grammar is wrong.

    Examples:
        sgf-lark grammar diff games/go games/gomoku
        sgf-lark grammar diff ff3 ff4 games
        git show HEAD:mine.lark | sgf-lark grammar diff - mine.lark games
    """
    from sgf_lark.cli.comparing import Side

    (grammar, rule), (other, other_rule) = _rule_of(first), _rule_of(second)
    if bool(rule) != bool(other_rule):
        fail("name a rule of both grammars, or of neither")
    if rule and corpus:
        fail("records are read by a grammar, not by a rule: leave out the rules, or the records")
    if [grammar, other, *corpus].count(STDIN) > 1:
        fail("only one grammar, or one record, can come from standard input")
    sides = Side.of(grammar), Side.of(other)
    if corpus:
        sys.exit(_diff_records(sides, corpus, shown, folders, reading, settings, work))
    with reported_settings():
        settings.find(choice=folders.choice())  # they may be wrong
    names = (rule, other_rule) if rule else None
    sys.exit(_diff_grammars(sides, (first, second), names, shown, texts.seed))


def _diff_grammars(
    sides: tuple[Side, Side],
    labels: tuple[str, str],
    names: tuple[str, str] | None,
    shown: DifferenceOptions,
    seed: str,
) -> int:
    """Compare two grammars, or a rule of each, and their tables; return the exit code."""
    from sgf_lark.cli.comparing import as_json, changes_of_rows
    from sgf_lark.workbench.compare import GrammarChange, compare, differences

    here, there = sides[0].file, sides[1].file
    changes: list[GrammarChange] = []
    if here is not None and there is not None and names is None:
        changes = [*differences(here, there, seed=seed)]
    elif here is not None and there is not None and names is not None:
        from_, to = start_rule(here, names[0], labels[0]), start_rule(there, names[1], labels[1])
        changes = [compare(here, from_, there, to, seed)]
    rows = changes_of_rows(sides)
    code = WRONG if changes or rows else 0
    if shown.form == "json":
        rules, properties = ([one._asdict() for one in every] for every in (changes, rows))
        data = {"first": labels[0], "second": labels[1], "rules": rules, "properties": properties}
        say(as_json(data))
        return code
    for change in changes:
        if change.before and change.after:
            say(change.name)
            for line in change.lines(*labels):
                say(f"  {line}")
    for row in rows:
        if row.before and row.after:
            say(f"{row.name}: {row.before} -> {row.after}")
    known = [(one.full_name, one.before, one.after) for one in changes]
    known += [(one.name, one.before, one.after) for one in rows]
    _say_only(labels[0], [name for name, _, after in known if not after])
    _say_only(labels[1], [name for name, before, _ in known if not before])
    return code


def _say_only(label: str, names: list[str]) -> None:
    if names:
        say(f"only in {label}: {', '.join(names)}")


def _diff_records(
    sides: tuple[Side, Side],
    paths: tuple[str, ...],
    shown: DifferenceOptions,
    folders: FolderOptions,
    reading: DecodingOptions,
    settings: SettingsOptions,
    work: WorkOptions,
) -> int:
    """Compare what two sides read of records; return the exit code."""
    from sgf_lark.cli.comparing import JsonReport, TextReport, readings
    from sgf_lark.cli.files import Change
    from sgf_lark.workbench.compare_records import compare_file

    with reported_settings():
        by = readings(sides, settings, folders.choice())
        files = list(find_files(folders.inputs(paths), by.base))
        for options in by.tested:
            for file in files:
                options.settings_of(file if isinstance(file, str) else file.path)
            verify_settings(options)
    end_time_limit()  # each file has its own
    run = work.over(files, "comparing", folders)
    make = JsonReport if shown.form == "json" else TextReport
    report = make(console(sys.stdout), sides[0].name, sides[1].name, is_quiet=work.quiet)
    act = partial(compare_file, encoding=reading.encoding)
    with run.counted():
        for path, done in run.outcomes(
            act, lambda name: {"first": by.first(name), "second": by.second(name)}
        ):
            name = run.name(path)
            if done.result is not None:
                report.add(name, done.result)
                continue
            change = Change.of_error(name, done.error, "compared")
            say(change.message, err=True)
            report.unread.append((name, change.missed))
    report.end()
    return MISUSED if report.unread else WRONG if report.differs else 0


def _rule_of(name: str) -> tuple[str, str]:
    """Split the name of a grammar and of a rule at the colon; a drive of Windows has one, too."""
    grammar, colon, rule = name.rpartition(":")
    return (grammar, rule) if colon and rule.isidentifier() and len(grammar) > 1 else (name, "")


@command(argument("place", "FILE:LINE:COLUMN", "A place in a file, counted from 1."))
def explain(
    place: str, part: GrammarOptions, reading: ReadingOptions, settings: SettingsOptions
) -> None:
    """Show the state of the parser at a place: the open rules, and what it expects next.

    Values are read by the custom grammar, and by the games and properties of the settings.

    Examples:
        sgf-lark grammar explain game.sgf:1:8
    """
    from sgf_lark.core import LineIndex
    from sgf_lark.workbench.lint import for_records, is_of_game
    from sgf_lark.workbench.standing import find_standing as explain_text

    grammar, start = reading.grammar, part.start
    if grammar is not None:
        read_grammar(grammar)  # or it exits
    name, _, rest = place.rpartition(":")
    name, _, line = name.rpartition(":")
    if not (name and line.isdecimal() and rest.isdecimal()):
        fail(f"invalid place '{place}': expected a place such as game.sgf:12:5")
    text, name_of_text = read_text(name, is_text=False, encoding=reading.encoding)
    if name_of_text == "<text>" and not set("([") & set(name):
        fail(f"no such file: {name}")
    index = LineIndex(text)
    try:
        offset = index.offset(int(line), int(rest))
    except ValueError as error:
        fail(f"{place}: {error}")
    with reported_settings():
        grammar = grammar or settings.find().reading(name).get("grammar")
    table = settings.table(name, grammar)
    values = [*table.kinds, *([start] if start else [])]
    format_ = format_of(text, reading.read_as)
    file = open_grammar(grammar or grammar_of(text, reading.read_as), values)
    extend_time_limit(len(text))
    first = None if start is None else start_rule(file, start)
    state = explain_text(text, offset, file, first, format_, table)
    if state.fault is not None and first is None and is_of_game(file):
        with reported_settings():
            for_records(file)
    for rule in state.open:
        where = index.locate(rule.start)
        say(f"{where.line}:{where.column}  in  {rule.production}")
    if state.about:
        say(f"this is a value of {state.about}")
    if state.inside:
        say(f"inside {state.inside}")
    elif state.fault is not None:
        where = index.locate(state.fault.span.start)
        say(f"syntax error at {where.line}:{where.column}: {state.fault.message}")
    else:
        say(f"expected here: {' or '.join(state.follows)}")


# ---- draw, from-ebnf ----


class DrawingOptions(Bundle, section="Output"):
    """The file of the diagrams."""

    output: Path = option("A file in .html or .svg.", "-o", "--output", required=True)


@command(GRAMMAR)
def draw(name: str, drawing: DrawingOptions) -> None:
    """Draw railroad diagrams of every rule and terminal, below its production.

    Examples:
        sgf-lark grammar draw ff4 -o ff4.html
    """
    try:
        from sgf_lark.workbench import diagrams
    except ModuleNotFoundError as error:
        if error.name != "railroad":
            raise
        fail(
            "diagrams need railroad-diagrams (extra workbench):  pip install 'sgf_lark[workbench]'"
        )
    file, output = open_grammar(name, ambiguous=True), drawing.output
    kind = output.suffix.lower()
    try:
        if kind in {".html", ".htm"}:
            text = diagrams.grammar_as_html(file, f"Grammar {name}")
        elif kind == ".svg":
            text = diagrams.grammar_as_svg(file)
        else:
            fail(f"invalid file name {output}: expected one that ends in .html or .svg")
    except RecursionError:
        fail(f"cannot draw {name}: its brackets nest too deep", WRONG)
    write_result([text], output, name)
    from sgf_lark.workbench.source_text import grammar_text

    say(f"{output}: {plural(len(grammar_text(file).by_name), 'diagram')}")


class NotationOptions(OutputOptions, section="Options"):
    """The notation of the productions, and the file for the grammar."""

    notation: Literal["wirth", "abnf", "w3c", "bnf"] | None = option(
        "Wirth's notation, as in the standards of SGF, also with the commas and semicolons of ISO"
        " 14977; ABNF as in RFCs; that of W3C; or BNF as in the standard of PGN."
        "  [default: the one that the text looks like]"
    )


@command(argument("source", "SOURCE", "Productions; - for standard input."))
def from_ebnf(source: str, options: NotationOptions) -> None:
    """Translate the productions of a standard to a Lark grammar that quotes them."""
    from sgf_lark.core import GrammarSource, SgfSyntaxError
    from sgf_lark.workbench.ebnf import from_ebnf as translate
    from sgf_lark.workbench.lint import grammar_report

    text, name = read_text(source, is_text=False)
    if name == "<text>":
        fail(f"no such file: {source}")
    try:
        text_of_grammar = translate(text, options.notation, name)
    except SgfSyntaxError as error:
        exit_with_report(error.report, Severity.INFO, WRONG)
    write_result([text_of_grammar], options.output, source)
    start_time_limit(name)
    file = GrammarSource(options.output or Path("<stdout>"), text_of_grammar)
    report = grammar_report(file)
    if {error.name for error in report.errors} == {"two-readings"}:
        say(
            f"LALR cannot read by {file.path}: 'tree --engine earley' shows what it means", err=True
        )
    if report.errors:
        exit_with_report(report, Severity.INFO, WRONG)


class TargetOptions(GrammarOptions, OutputOptions, section="Output"):
    """The tool that reads the export, and its file."""

    target: Literal["llguidance", "gbnf", "textmate", "w3c"] = option(
        "The tool or notation.", "--to", required=True
    )


@command(GRAMMAR)
def export(
    name: str, options: TargetOptions, typed: TypedOptions, settings: SettingsOptions
) -> None:
    """Export a grammar to another tool; the head of the export says what it does not express.

    With --typed: the game and size are fixed where they are given, GM[1] and SZ[9].

    Examples:
        sgf-lark grammar export ff4 --to llguidance --typed --game go --size 9
    """
    from sgf_lark.core import UntranslatableError, grammars
    from sgf_lark.workbench.export import export as export_to
    from sgf_lark.workbench.lint import untranslatable
    from sgf_lark.workbench.source_text import title_of_grammar
    from sgf_lark.workbench.typed_grammar import typed_grammar

    text = typed.make(partial(typed_grammar, fixed=True), name, settings)
    if text is None:
        file = open_grammar(name, ambiguous=True)
        head = [f"{title_of_grammar(grammars.text_of(file)) or name}."]
    else:
        file = grammars.GrammarSource(Path(name), text)
        head = [line[3:] for line in text.partition("\n\n")[0].splitlines()]
    start = options.start and start_rule(file, options.start)
    try:
        exported = export_to(file, options.target, start, head)
    except UntranslatableError as error:
        if text is None:
            exit_with_report(untranslatable(file, options.target, error), Severity.INFO)
        fail(f"cannot export {name} to {options.target}: {error.rule}: {error.reason}")
    write_result([exported], options.output, name)


grammar = CommandGroup(
    "grammar",
    "Show, test, compare and draw grammars.",
    {
        "Look": (show, explain),
        "Write": (draw, export, from_ebnf),
        "Test": (test, lint, sample, diff),
    },
)
