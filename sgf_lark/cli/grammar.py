"""The command line of grammars: ``sgf-lark grammar ...``.

Everything that is slow to import is imported where it is used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sgf_lark.diagnostics.terminal import plural, say, show as print_result, visible_json

from .paths import STDIN, reason
from .workbench import (
    WRONG,
    GrammarOption,
    OutputOption,
    StartOption,
    fail,
    format_named_in,
    limit_time,
    more_time,
    opened,
    read_grammar,
    started,
    tell,
    text_of,
    write,
)

if TYPE_CHECKING:
    from sgf_lark.schema.formats import Format
    from sgf_lark.schema.games import Game
    from sgf_lark.workbench.compare import Change

grammars_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look at grammars, change, test and compare them.",
)

GrammarArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAMMAR",
        help="A shipped grammar, as 'sgf-lark grammar list' names it, or the file of one's own.",
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
    """The first sentence of the comment at the head of a grammar."""
    head = " ".join(
        line.removeprefix("//").strip()
        for line in text.partition("\n//\n")[0].splitlines()
        if line.startswith("//")
    )
    return head.partition(".  ")[0].rstrip(".")


class Part(StrEnum):
    """What to show of a grammar."""

    FILE = "file"
    EBNF = "ebnf"
    BARE = "bare"


@grammars_app.command()
def show(
    name: GrammarArgument,
    part: Annotated[
        Part,
        typer.Option(
            "--as",
            help="The whole file, only the productions of the standard that it quotes (ebnf), or"
            " only what Lark reads (bare).",
        ),
    ] = Part.FILE,
) -> None:
    """Show a grammar: with the standard's productions above its rules, or one of both."""
    from sgf_lark.grammar import loader as grammars, source_text as grammar_source

    text = grammars.text_of(read_grammar(name))
    if part is Part.EBNF:
        text = "".join(f"{line}\n" for line in grammar_source.quotations(text))
        if not text:
            fail(f"{name} quotes no production", WRONG)
    elif part is Part.BARE:
        text = grammar_source.bare(text)
    write([text], None)


@grammars_app.command()
def path(name: GrammarArgument) -> None:
    """Say where the file of a grammar is."""
    from sgf_lark.grammar import loader as grammars

    try:
        say(str(grammars.path(name)))
    except FileNotFoundError as error:
        fail(str(error))


@grammars_app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    origin: Annotated[
        str, typer.Option("--from", metavar="GRAMMAR", help="What to begin with.")
    ] = "ff4",
) -> None:
    """Write a copy of a grammar to start from; an existing file is left alone."""
    from sgf_lark.grammar import loader as grammars

    text = grammars.text_of(read_grammar(origin))
    try:
        with file.open("x", encoding="utf-8", newline="\n") as made:
            made.write(text)
    except FileExistsError:
        fail(f"{file} is there already")
    except OSError as error:
        fail(f"cannot write {file}: {reason(error)}")
    say(f"{file} is a copy of {origin}; to use it: sgf-lark check --grammar {file} ...")


# ---- test, compile, sample, diff, explain ----

#: Characters of text that cost as much time as a random sentence of each rule.
CHARACTERS_PER_SAMPLE = 10_000

SeedOption = Annotated[
    str, typer.Option("--seed", metavar="SEED", help="The same seed gives the same texts.")
]


def texts_of(paths: list[str]) -> Iterator[tuple[str, str]]:
    """The names and texts of files, folders and patterns; what cannot be read is told."""
    from sgf_lark.text.encoding import decode

    from .paths import Unreadable, find_files

    for path in find_files(paths):
        if isinstance(path, Unreadable):
            fail(f"cannot read {path.path}: {path.reason}")
        try:
            data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
        except OSError as error:
            fail(f"cannot read {path}: {reason(error)}")
        text = decode(data, None)[0]
        more_time(len(text))
        yield path, text


@grammars_app.command("test")
def measure(
    *,
    name: GrammarArgument,
    corpus: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CORPUS]...", help="Records: files, folders, patterns, or -."),
    ] = None,
    samples: Annotated[
        int, typer.Option(min=0, metavar="N", help="Add N random sentences of each rule.")
    ] = 0,
    seed: SeedOption = "0",
    only_unused: Annotated[
        bool, typer.Option("--unused", help="List only what nothing uses.")
    ] = False,
) -> None:
    """Say how many records a grammar takes, where it stops at the others, and what of it is used.

    Exits with 1 if the grammar refuses a record.
    """
    from sgf_lark.schema.properties import PropertyTable
    from sgf_lark.workbench.coverage import Coverage

    file = opened(name, PropertyTable.standard().kinds)
    coverage = Coverage(file)
    for path_, text in texts_of(corpus or []):
        coverage.add(text, path_)
    if samples:
        more_time(samples * CHARACTERS_PER_SAMPLE)
        coverage.add_samples(samples, seed)
    if coverage.has_structure and corpus:
        total = coverage.parsed + len(coverage.refused)
        refused = f", {len(coverage.refused)} refused" if coverage.refused else ""
        say(f"{plural(total, 'file')}: {coverage.parsed} taken{refused}")
    for text_name, at in coverage.refused:
        say(f"  {text_name}:{at.line}:{at.column}: {at.message}")
    if corpus and coverage.has_values:
        refused = f", {coverage.wrong} refused" if coverage.wrong else ""
        say(f"{plural(coverage.values, 'value')} taken{refused}")
    uses = list(coverage.uses())
    unused = [one for one in uses if not one.records and not one.samples]
    say(f"{len(uses) - len(unused)} of {plural(len(uses), 'alternative')} used")
    head = f"{'records':>9}" + (f"{'samples':>9}" if samples else "")
    if uses and (unused or not only_unused):
        say(head)
    for one in unused if only_unused else uses:
        counts = f"{one.records or '-':>9}" + (f"{one.samples or '-':>9}" if samples else "")
        say(f"{counts}  {one.production}")
    raise typer.Exit(WRONG if coverage.refused else 0)


@grammars_app.command("compile")
def compile_(
    *,
    name: GrammarArgument,
    start: StartOption = None,
    expressions: Annotated[
        bool, typer.Option("--expressions", help="Show the regular expressions, too.")
    ] = False,
) -> None:
    """Show what the generated engine made of each rule, and what it left to Lark, and why."""
    from sgf_lark.workbench.translation import compiled

    file = opened(name)
    if start is not None:
        started(file, start)
    found = list(compiled(file, start))
    width = max((len(one.rule) for one in found), default=0)
    for one in found:
        say(f"{one.rule:<{width}}  {one.how}")
        if expressions and one.expression:
            shown = one.expression.encode("unicode_escape").decode("ascii").replace("\\\\", "\\")
            say(f"{'':<{width}}  {shown}")
    done = sum(one.translated for one in found)
    say(f"{done} of {plural(len(found), 'rule')} read by the generated engine")


@grammars_app.command()
def sample(
    *,
    name: GrammarArgument,
    start: StartOption = None,
    count: Annotated[int, typer.Option("-n", min=1, metavar="N", help="How many.")] = 1,
    size: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="At most about so many rules and terminals each."),
    ] = 40,
    seed: SeedOption = "0",
    typed: Annotated[
        bool,
        typer.Option("--typed", help="Whole records, in which every value is of its type."),
    ] = False,
    game: Annotated[
        int | None,
        typer.Option(
            metavar="GM", help="With --typed: the number of the game.", show_default=False
        ),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON string a line: texts may have lines.")
    ] = False,
) -> None:
    """Make random sentences of a grammar, or of one of its rules."""
    import json
    from itertools import islice

    from sgf_lark.workbench.records import records
    from sgf_lark.workbench.samples import sentences

    if typed and start is not None:
        fail("--typed makes whole records; leave out --start")
    if game is not None and not typed:
        fail("--game goes with --typed")
    file = opened(name, [start] if start else [])
    if typed:
        texts = records(_format_named(name), _game_numbered(game), seed=seed, size=size)
    else:
        texts = sentences(file, started(file, start), seed=seed, size=size)
    missing = count
    more_time(count * CHARACTERS_PER_SAMPLE)
    for text in islice(texts, count):
        print_result(
            (visible_json(json.dumps(text, ensure_ascii=False)) if json_lines else text) + "\n"
        )
        missing -= 1
    if missing:
        fail(f"no more was found that {start or name} takes; what it is made of hardly fits", WRONG)


def _format_named(name: str) -> Format:
    from sgf_lark.schema.formats import Format

    try:
        return Format(name.upper())
    except ValueError:
        known = ", ".join(one.grammar for one in Format)
        fail(f"--typed: the tables know {known}, not {name}")


def _game_numbered(number: int | None) -> Game | None:
    from sgf_lark.schema.games import GAMES

    if number is not None and number not in GAMES:
        fail(f"--game: there are the numbers 1 to {max(GAMES)}")
    return None if number is None else GAMES[number]


@grammars_app.command()
def diff(
    first: Annotated[
        str,
        typer.Argument(metavar="A", help="A grammar, or one rule of it: games/go:move_before_ff4."),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    corpus: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CORPUS]...", help="Records whose texts are tried, too."),
    ] = None,
    seed: SeedOption = "0",
) -> None:
    """Say what differs between two grammars: how rules are written, and what texts show it.

    Exits with 1 if something differs.
    """
    from sgf_lark.workbench.compare import compare, differences
    from sgf_lark.workbench.coverage import texts_by_rule

    (one, rule), (other, other_rule) = _rule_of(first), _rule_of(second)
    here, there = opened(one), opened(other)
    if bool(rule) != bool(other_rule):
        fail("give a rule on both sides, or on neither")
    if rule and other_rule:
        from_, to = started(here, rule, first), started(there, other_rule, second)
        changes = [compare(here, from_, there, to, seed)]
    else:
        real = texts_by_rule(text for _, text in texts_of(corpus or []))
        changes = list(differences(here, there, real, seed=seed))
    for change in changes:
        if change.before and change.after:
            _show_change(change, first, second)
    for label, names in (
        (first, [_named(one) for one in changes if not one.after]),
        (second, [_named(one) for one in changes if not one.before]),
    ):
        if names:
            say(f"only in {label}: {', '.join(names)}")
    raise typer.Exit(WRONG if changes else 0)


def _rule_of(name: str) -> tuple[str, str]:
    """A grammar, and behind a colon one of its rules; a drive of Windows is no grammar."""
    grammar, colon, rule = name.rpartition(":")
    return (grammar, rule) if colon and rule.isidentifier() and len(grammar) > 1 else (name, "")


def _named(change: Change) -> str:
    return change.name + (f" (there {change.same})" if change.same else "")


def _show_change(change: Change, first: str, second: str) -> None:
    say(change.name)
    for sign, quoted, written, parts in (
        ("-", change.quoted_before, change.before, change.parts_before),
        ("+", change.quoted_after, change.after, change.parts_after),
    ):
        for line in quoted:
            say(f"  {sign} //= {' '.join(line.split())}")
        for line in (written, *parts):
            say(f"  {sign} {line}")
    for label, found in (
        (f"only {first} takes", change.only_before),
        (f"only {second} takes", change.only_after),
        ("both take and read in different ways", change.otherwise),
    ):
        if found:
            say(f"  {label}: {', '.join(map(repr, found))}")
    if not change.shows:
        say("  no text was found that shows it")


@grammars_app.command()
def explain(
    place: Annotated[
        str, typer.Argument(metavar="FILE:LINE:COLUMN", help="A place in a file, both from 1.")
    ],
    grammar: GrammarOption = None,
    start: StartOption = None,
) -> None:
    """Say where the parser stands at a place: what is open there, and what may come next."""
    from sgf_lark.positions import LineIndex
    from sgf_lark.schema.properties import PropertyTable
    from sgf_lark.workbench.standing import explain as explained

    name, _, rest = place.rpartition(":")
    name, _, line = name.rpartition(":")
    if not (name and line.isdecimal() and rest.isdecimal()):
        fail(f"{place} is no place; write it as game.sgf:12:5")
    text, found_name = text_of(name, is_text=False)
    if found_name == "<text>" and not set("([") & set(name):
        fail(f"there is no file {name}")
    index = LineIndex(text)
    try:
        offset = index.offset(int(line), int(rest))
    except ValueError as error:
        fail(f"{place}: {error}")
    values = [*PropertyTable.standard().kinds, *([start] if start else [])]
    file = opened(grammar or format_named_in(text), values)
    more_time(len(text))
    found = explained(text, offset, file, None if start is None else started(file, start))
    for one in found.open:
        where = index.locate(one.start)
        say(f"{where.line}:{where.column}  in  {one.production}")
    if found.about:
        say(f"this is a value of {found.about}")
    if found.inside:
        say(f"in the middle of {found.inside}")
    elif found.fault is not None:
        where = index.locate(found.fault.span.start)
        say(f"the grammar stops at {where.line}:{where.column}: {found.fault.message}")
    else:
        say(f"here may come  {' or '.join(found.follows)}")


# ---- draw, from-ebnf ----


@grammars_app.command()
def draw(
    name: GrammarArgument,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="A file in .html or .svg.")
    ],
) -> None:
    """Draw railroad diagrams of every rule and terminal, below its production."""
    try:
        from sgf_lark.workbench import diagrams
    except ModuleNotFoundError as error:
        if error.name != "railroad":
            raise
        fail("drawing needs railroad-diagrams:  pip install 'sgf_lark[workbench]'")
    file = opened(name)
    kind = output.suffix.lower()
    try:
        if kind in {".html", ".htm"}:
            made = diagrams.as_html(file, f"Grammar {name}")
        elif kind == ".svg":
            made = diagrams.as_svg(file)
        else:
            fail(f"{output} ends neither in .html nor in .svg")
    except RecursionError:
        fail(f"{name} nests its brackets too deep to be drawn", WRONG)
    write([made], output, name)
    from sgf_lark.grammar.source_text import grammar_text

    say(f"{output}: {plural(len(grammar_text(file).by_name), 'diagram')}")


class Notations(StrEnum):
    """How a standard writes its productions."""

    WIRTH = "wirth"
    ISO = "iso"


@grammars_app.command("from-ebnf")
def from_ebnf(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="Productions; - for what is piped in.")
    ],
    notation: Annotated[
        Notations,
        typer.Option(
            help="Wirth's notation, as the standards of SGF use it, or that of ISO 14977."
        ),
    ] = Notations.WIRTH,
    output: OutputOption = None,
) -> None:
    """Turn the productions of a standard into a grammar of Lark's, each quoted above its rule."""
    from sgf_lark.diagnostics.errors import SgfSyntaxError
    from sgf_lark.grammar.lint import grammar_report
    from sgf_lark.grammar.loader import Source
    from sgf_lark.workbench.ebnf import from_ebnf as translated

    text, name = text_of(source, is_text=False)
    if name == "<text>":
        fail(f"there is no file {source}")
    try:
        made = translated(text, notation.value, name)
    except SgfSyntaxError as error:
        tell(error.report)
        raise typer.Exit(WRONG) from None
    write([made], output, source)
    limit_time(name)
    report = grammar_report(Source(output or Path(name), made))
    if report.errors:
        tell(report)
        raise typer.Exit(WRONG)
