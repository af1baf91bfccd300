"""Commands of grammars: ``sgf-lark grammar ...``.

Slow imports are in the functions that need them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sgf_lark.cli import options as arguments
from sgf_lark.cli.grammars import (
    OutputOption,
    SeedOption,
    StartOption,
    extend_time_limit,
    open_grammar,
    read_grammar,
    read_text,
    read_texts,
    renamed,
    start_rule,
    start_time_limit,
    write,
)
from sgf_lark.cli.interface import candidates
from sgf_lark.cli.interface.help import Section
from sgf_lark.cli.output import WRONG, fail, show_report
from sgf_lark.diagnostics.terminal import plural, reason, say, visible_json

from .place import explain as explain_place
from .typed import (
    TypedGameOption,
    TypedOption,
    TypedSizeOption,
    format_named,
    need_typed,
    of_typed,
    show_translations,
    show_typed,
)

grammars_app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Show, copy, test, compare and draw grammars.",
)

GrammarArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAMMAR",
        help="A shipped grammar (see 'sgf-lark grammar list'), or the file of a custom one.",
        autocompletion=candidates.grammars,
    ),
]
# ---- list, show, path, new ----


@grammars_app.command("list")
def list_() -> None:
    """List the shipped grammars."""
    from sgf_lark.grammar import loader as grammars

    for name in grammars.names():
        say(f"{name:<24}{_title(grammars.text_of(grammars.path(name)))}")


def _title(text: str) -> str:
    """Return the first sentence of the comment at the head of a grammar."""
    head = " ".join(
        line.removeprefix("//").strip()
        for line in text.partition("\n//\n")[0].splitlines()
        if line.startswith("//")
    )
    return head.partition(".  ")[0].rstrip(".")


class View(StrEnum):
    """The views of a grammar."""

    FILE = "file"
    EBNF = "ebnf"
    BARE = "bare"


@grammars_app.command()
def show(
    *,
    name: GrammarArgument,
    view: Annotated[
        View,
        typer.Option(
            "--format",
            help="The form: the complete file, only the productions that it quotes from the"
            " standard (ebnf), or only the rules for Lark (bare).",
            rich_help_panel=Section.OUTPUT,
        ),
    ] = View.FILE,
    old_view: Annotated[View | None, typer.Option("--as", hidden=True)] = None,
    typed: TypedOption = False,
    game: TypedGameOption = None,
    size: TypedSizeOption = None,
    output: OutputOption = None,
) -> None:
    """Show a grammar: the standard's productions, the rules for Lark, or both.

    Other commands read a typed grammar from a file, such as that of
    'sgf-lark grammar show ff4 --typed --game go --size 19 -o go.lark'.
    """
    from sgf_lark.grammar import loader as grammars, source_text as grammar_source
    from sgf_lark.values.typed_grammar import typed_grammar

    if old_view is not None:
        renamed("--as", "--format")
        view = old_view
    if typed:
        text = of_typed(typed_grammar, name, game, size)
    else:
        need_typed(game, size)
        text = grammars.text_of(read_grammar(name))
    if view is View.EBNF:
        text = "".join(f"{line}\n" for line in grammar_source.quotations(text))
        if not text:
            fail(f"{name} quotes no production", WRONG)
    elif view is View.BARE:
        text = grammar_source.bare(text)
    write([text], output, name)


@grammars_app.command()
def path(name: GrammarArgument) -> None:
    """Print the path of the file of a grammar."""
    from sgf_lark.grammar import loader as grammars

    try:
        say(str(grammars.path(name)))
    except FileNotFoundError as error:
        fail(str(error))


@grammars_app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    origin: Annotated[
        str, typer.Option("--from", metavar="GRAMMAR", help="The grammar to copy.")
    ] = "ff4",
) -> None:
    """Copy a grammar to a new file; an existing file is never replaced."""
    from sgf_lark.grammar import loader as grammars

    text = grammars.text_of(read_grammar(origin))
    try:
        with file.open("x", encoding="utf-8", newline="\n") as copy:
            copy.write(text)
    except FileExistsError:
        fail(f"{file} already exists")
    except OSError as error:
        fail(f"cannot write {file}: {reason(error)}")
    say(f"{file} is a copy of {origin}; to use it: sgf-lark check --grammar {file} ...")


# ---- test, compile, sample, diff, explain ----

#: Length of a text that takes as long to read as a random sentence of each rule.
CHARACTERS_PER_SAMPLE = 10_000


@grammars_app.command("test")
def measure(
    *,
    name: GrammarArgument,
    corpus: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CORPUS]...", help="Records: files, folders, patterns, or -."),
    ] = None,
    samples: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Add N random sentences of each rule.",
            rich_help_panel=Section.TEXTS,
        ),
    ] = 0,
    seed: SeedOption = "0",
    only_unused: Annotated[
        bool,
        typer.Option(
            "--unused", help="List only unused alternatives.", rich_help_panel=Section.OUTPUT
        ),
    ] = False,
    encoding: arguments.Encoding = None,
    config: arguments.Config = None,
    isolated: arguments.Isolated = False,
) -> None:
    """Test a grammar on records: accepted, rejected and where, alternatives used and unused.

    Exit code: 1 if the grammar rejects a record.

    Examples:
        sgf-lark grammar test ff4 games --unused
    """
    from sgf_lark.schema.properties import PropertyTable
    from sgf_lark.workbench.coverage import Coverage

    file = open_grammar(name, PropertyTable.standard().kinds)
    coverage = Coverage(file)
    for path_, text, table in read_texts(corpus or [], encoding, config, isolated=isolated):
        coverage.add(text, path_, table)
    if samples:
        extend_time_limit(samples * CHARACTERS_PER_SAMPLE)
        coverage.add_samples(samples, seed)
    if coverage.has_structure and corpus:
        total = coverage.parsed + len(coverage.rejected)
        rejected = f", {len(coverage.rejected)} rejected" if coverage.rejected else ""
        say(f"{plural(total, 'file')}: {coverage.parsed} accepted{rejected}")
    for text_name, at in coverage.rejected:
        say(f"  {text_name}:{at.line}:{at.column}: {at.message}")
    if corpus and coverage.has_values:
        rejected = f", {coverage.wrong} rejected" if coverage.wrong else ""
        say(f"{plural(coverage.values, 'value')} accepted{rejected}")
    uses = list(coverage.uses())
    unused = [use for use in uses if not use.records and not use.samples]
    say(f"{len(uses) - len(unused)} of {plural(len(uses), 'alternative')} used")
    head = f"{'records':>9}" + (f"{'samples':>9}" if samples else "")
    if uses and (unused or not only_unused):
        say(head)
    for use in unused if only_unused else uses:
        counts = f"{use.records or '-':>9}" + (f"{use.samples or '-':>9}" if samples else "")
        say(f"{counts}  {use.production}")
    raise typer.Exit(WRONG if coverage.rejected else 0)


@grammars_app.command("compile")
def compile_(
    *,
    name: GrammarArgument,
    start: StartOption = None,
    expressions: Annotated[
        bool, typer.Option("--expressions", help="Show the regular expressions, too.")
    ] = False,
    typed: TypedOption = False,
    game: TypedGameOption = None,
    size: TypedSizeOption = None,
) -> None:
    """Show how each rule is read, and why: as a tape, by a regular expression, or by Lark.

    Warnings about the grammar are reported here only: conflicts between rules, left recursion,
    ambiguous terminals.

    With --typed: the properties instead of the rules, and what the typed grammar does not
    express.
    """
    from sgf_lark.schema.properties import PropertyTable
    from sgf_lark.workbench.translation import translate_grammar, translate_typed

    if typed:
        if start is not None:
            fail("--typed is about properties: remove --start, or --typed")
        show_typed(of_typed(translate_typed, name, game, size), expressions=expressions)
        return
    need_typed(game, size)
    values = [*PropertyTable.standard().kinds, *([start] if start else [])]
    file = open_grammar(name, values, warn=True)
    if start is not None:
        start_rule(file, start)
    rules = list(translate_grammar(file, start))
    show_translations(rules, expressions=expressions)
    done = sum(rule.translated for rule in rules)
    say(f"{done} of {plural(len(rules), 'rule')} read by the generated engine")


class SampleForm(StrEnum):
    """The forms of random sentences."""

    TEXT = "text"
    JSONL = "jsonl"


@grammars_app.command()
def sample(
    *,
    name: GrammarArgument,
    start: StartOption = None,
    count: Annotated[
        int,
        typer.Option(
            "-n",
            "--count",
            min=1,
            metavar="N",
            help="Number of sentences.",
            rich_help_panel=Section.TEXTS,
        ),
    ] = 1,
    length: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="About the most rules and terminals in a sentence.",
            rich_help_panel=Section.TEXTS,
        ),
    ] = 40,
    old_length: Annotated[int | None, typer.Option("--size", min=1, hidden=True)] = None,
    seed: SeedOption = "0",
    typed: Annotated[
        bool,
        typer.Option(
            "--typed",
            help="Make complete records whose values have their types.",
            rich_help_panel=Section.TYPED,
        ),
    ] = False,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="With --typed: the game, by its name or number.",
            show_default=False,
            rich_help_panel=Section.TYPED,
        ),
    ] = None,
    form: Annotated[
        SampleForm,
        typer.Option(
            "--format",
            help="The form: the sentences, or one JSON string a line.",
            rich_help_panel=Section.OUTPUT,
        ),
    ] = SampleForm.TEXT,
    old_form: Annotated[bool, typer.Option("--json", hidden=True)] = False,
    output: OutputOption = None,
    config: arguments.Config = None,
    isolated: arguments.Isolated = False,
) -> None:
    """Make random sentences of a grammar, or of one of its rules.

    With --typed the games and properties of the settings are known, too.

    Exit code: 1 if fewer sentences were found.

    Examples:
        sgf-lark grammar sample ff4 --typed --count 3
    """
    from sgf_lark.values.typed_grammar import find_game
    from sgf_lark.workbench.records import records
    from sgf_lark.workbench.samples import sentences

    if old_form:
        renamed("--json", "--format jsonl")
        form = SampleForm.JSONL
    if old_length is not None:
        renamed("--size", "--length")
        length = old_length
    if typed and start is not None:
        fail("--typed makes complete records: remove --start, or --typed")
    if game is not None and not typed:
        fail("--game needs --typed")
    file = open_grammar(name, [start] if start else [])
    with arguments.reported_settings():
        options = arguments.file_options(config=config, isolated=isolated)
        arguments.verify_settings(options)
    if typed:
        format_ = format_named(name)
        table = options.settings.table
        try:
            chosen = find_game(format_, game, table)
            texts = records(format_, chosen, seed=seed, size=length, table=table)
        except ValueError as error:
            fail(str(error))
    else:
        texts = sentences(file, start_rule(file, start), seed=seed, size=length)
    extend_time_limit(count * CHARACTERS_PER_SAMPLE)
    numbers: list[int] = []
    write(_lines(zip(texts, range(count), strict=False), form, numbers), output, name)
    if len(numbers) < count:
        fail(f"only {len(numbers)} of {count} sentences of {start or name} were found", WRONG)


def _lines(
    sentences: Iterable[tuple[str, int]], form: SampleForm, numbers: list[int]
) -> Iterator[str]:
    """Yield sentences as lines, and note their numbers."""
    import json

    for text, number in sentences:
        line = text
        if form is SampleForm.JSONL:
            line = visible_json(json.dumps(text, ensure_ascii=False))
        yield f"{line}\n"
        numbers.append(number)


@grammars_app.command()
def diff(
    *,
    first: Annotated[
        str,
        typer.Argument(metavar="A", help="A grammar, or one rule of it: games/go:move_before_ff4."),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    corpus: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CORPUS]...", help="Records whose texts are compared, too."),
    ] = None,
    seed: SeedOption = "0",
    encoding: arguments.Encoding = None,
    config: arguments.Config = None,
    isolated: arguments.Isolated = False,
) -> None:
    """Compare two grammars: rules that differ, and texts that show the difference.

    Exit code: 1 if a rule differs.

    Examples:
        sgf-lark grammar diff games/go games/gomoku
    """
    from sgf_lark.workbench.compare import compare, differences
    from sgf_lark.workbench.coverage import texts_by_rule

    (grammar, rule), (other, other_rule) = _rule_of(first), _rule_of(second)
    here, there = open_grammar(grammar), open_grammar(other)
    if bool(rule) != bool(other_rule):
        fail("name a rule of both grammars, or of neither")
    if rule and other_rule:
        from_, to = start_rule(here, rule, first), start_rule(there, other_rule, second)
        changes = [compare(here, from_, there, to, seed)]
    else:
        texts = read_texts(corpus or [], encoding, config, isolated=isolated)
        real = texts_by_rule(text for _, text, _ in texts)
        changes = list(differences(here, there, real, seed=seed))
    for change in changes:
        if change.before and change.after:
            say(change.name)
            for line in change.lines(first, second):
                say(f"  {line}")
    for label, names in (
        (first, [change.full_name for change in changes if not change.after]),
        (second, [change.full_name for change in changes if not change.before]),
    ):
        if names:
            say(f"only in {label}: {', '.join(names)}")
    raise typer.Exit(WRONG if changes else 0)


def _rule_of(name: str) -> tuple[str, str]:
    """Split the name of a grammar and of a rule at the colon; a drive of Windows has one, too."""
    grammar, colon, rule = name.rpartition(":")
    return (grammar, rule) if colon and rule.isidentifier() and len(grammar) > 1 else (name, "")


grammars_app.command("explain")(explain_place)


# ---- draw, from-ebnf ----


@grammars_app.command()
def draw(
    name: GrammarArgument,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="A file in .html or .svg.")
    ],
) -> None:
    """Draw railroad diagrams of every rule and terminal, below its production.

    Examples:
        sgf-lark grammar draw ff4 -o ff4.html
    """
    try:
        from sgf_lark.workbench import diagrams
    except ModuleNotFoundError as error:
        if error.name != "railroad":
            raise
        fail("diagrams need railroad-diagrams:  pip install railroad-diagrams")
    file = open_grammar(name)
    kind = output.suffix.lower()
    try:
        if kind in {".html", ".htm"}:
            text = diagrams.as_html(file, f"Grammar {name}")
        elif kind == ".svg":
            text = diagrams.as_svg(file)
        else:
            fail(f"invalid file name {output}: expected one that ends in .html or .svg")
    except RecursionError:
        fail(f"cannot draw {name}: its brackets nest too deep", WRONG)
    write([text], output, name)
    from sgf_lark.grammar.source_text import grammar_text

    say(f"{output}: {plural(len(grammar_text(file).by_name), 'diagram')}")


class Notations(StrEnum):
    """Notations in which standards write their productions."""

    WIRTH = "wirth"
    ISO = "iso"


@grammars_app.command("from-ebnf")
def from_ebnf(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="Productions; - for standard input.")
    ],
    notation: Annotated[
        Notations,
        typer.Option(help="Wirth's notation, as in the standards of SGF, or that of ISO 14977."),
    ] = Notations.WIRTH,
    output: OutputOption = None,
) -> None:
    """Translate the productions of a standard to a Lark grammar that quotes them."""
    from sgf_lark.diagnostics.errors import SgfSyntaxError
    from sgf_lark.grammar.lint import grammar_report
    from sgf_lark.grammar.loader import Source
    from sgf_lark.workbench.ebnf import from_ebnf as translated

    text, name = read_text(source, is_text=False)
    if name == "<text>":
        fail(f"no such file: {source}")
    try:
        grammar = translated(text, notation.value, name)
    except SgfSyntaxError as error:
        show_report(error.report, "info")
        raise typer.Exit(WRONG) from None
    write([grammar], output, source)
    start_time_limit(name)
    report = grammar_report(Source(output or Path(name), grammar))
    if report.errors:
        show_report(report, "info")
        raise typer.Exit(WRONG)
