"""The command ``sgf-lark fmt``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sgf_lark.cli import options as arguments
from sgf_lark.cli.files import Change, FileWriter, Run
from sgf_lark.cli.grammars import GrammarOption, check_for_records
from sgf_lark.cli.interface.help import Section
from sgf_lark.cli.output import MISUSED, WRONG
from sgf_lark.cli.paths import STDIN, find_files
from sgf_lark.diagnostics.terminal import say

if TYPE_CHECKING:
    from sgf_lark.api.format import Layout


def fmt(
    *,
    paths: arguments.Paths = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Write nothing; exit with 1 if a file would change.",
            rich_help_panel=Section.OUTPUT,
        ),
    ] = False,
    diff: Annotated[
        bool,
        typer.Option(
            "--diff", help="Write nothing; show what would change.", rich_help_panel=Section.OUTPUT
        ),
    ] = False,
    nodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Nodes on a line.  [default: 1]",
            show_default=False,
            rich_help_panel=Section.LAYOUT,
        ),
    ] = None,
    indent: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Spaces before a variation, for each level.  [default: 0]",
            show_default=False,
            rich_help_panel=Section.LAYOUT,
        ),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Break lines longer than N characters, where this keeps the content.",
            show_default=False,
            rich_help_panel=Section.LAYOUT,
        ),
    ] = None,
    compress: Annotated[
        bool | None,
        typer.Option(
            "--compress/--no-compress",
            help="Write point lists as rectangles; FF[4] only.",
            show_default=False,
            rich_help_panel=Section.LAYOUT,
        ),
    ] = None,
    config: arguments.Config = None,
    isolated: arguments.Isolated = False,
    exclude: arguments.Exclude = None,
    extend_exclude: arguments.ExtendExclude = None,
    include: arguments.Include = None,
    respect_gitignore: arguments.RespectGitignore = None,
    force_exclude: arguments.ForceExclude = False,
    read_as: arguments.As = None,
    grammar: GrammarOption = None,
    encoding: arguments.Encoding = None,
    jobs: arguments.Jobs = None,
    quiet: arguments.Quiet = False,
    stdin_filename: arguments.StdinFilename = None,
) -> None:
    """Write game records in one layout, a node on each line.

    A file is replaced only if the new text reads as the same games. Files with syntax errors
    are skipped: check reports the errors. Standard input is formatted to standard output.

    Exit code: 0 if all files are formatted, 1 if a file would change (--check, --diff) or has
    syntax errors, 2 if a file could not be read or written.

    Examples:
        sgf-lark fmt games --check
        sgf-lark fmt game.sgf --nodes 10
    """
    arguments.test_encoding(encoding)
    layout = {"nodes": nodes, "indent": indent, "width": width, "compress": compress}
    given = {name: value for name, value in layout.items() if value is not None}
    writer = FileWriter(writes=not (check or diff), is_quiet=quiet)
    choice = arguments.file_choice(
        exclude, extend_exclude, include, respect_gitignore, force_exclude
    )
    with arguments.reported_settings():
        by_file = arguments.file_options(config=config, isolated=isolated, choice=choice)
        check_for_records(grammar)
        files = list(find_files(arguments.inputs(paths, stdin_filename), by_file))
        arguments.verify_settings(by_file, grammar)

    def own(name: str) -> dict[str, Any]:
        return {"layout": by_file.settings_of(name).fmt.given() | given} | by_file.reading(name)

    run = Run(files, "formatting", jobs=jobs, is_quiet=quiet, stdin_name=stdin_filename)
    reading = {"format": read_as, "encoding": encoding, "grammar": grammar}
    function = partial(format_file, reading=reading, diff=diff)
    with run.counted():
        for path, outcome in run.outcomes(function, own):
            name, stdin = run.name(path), run.stdin if path == STDIN else None
            if outcome.result is None:
                writer.note_error(name, "formatted", outcome.error, stdin)
                continue
            changed = writer.take(name, outcome.result, stdin)
            if changed and not quiet and not (stdin is not None and writer.writes):
                say(f"{name}: {writer.word}", err=True)
        writer.end()
    if not quiet:
        say(writer.summary or "no files", err=True)
    if not writer.is_complete:
        raise typer.Exit(MISUSED)
    raise typer.Exit(WRONG if writer.has_skipped or (writer.changed and not writer.writes) else 0)


def format_file(
    path: str,
    data: bytes,
    *,
    reading: dict[str, Any],
    diff: bool,
    layout: Layout,
    **own: Any,
) -> Change:
    """Return the change of a file to a layout.

    Args:
        path, data: The name and the bytes of the file.
        reading, own: Options of :func:`sgf_lark.load` for all files, and for this one.
        diff: Make the difference.
        layout: The layout.
    """
    from sgf_lark.api.format import ChangedError, format_record
    from sgf_lark.diagnostics.errors import SgfSyntaxError
    from sgf_lark.grammar.time_limit import limited

    options = reading | own
    try:
        with limited(options["grammar"], len(data)):
            after = format_record(data, name=path, **options, **layout)
    except SgfSyntaxError as error:
        return Change(cause="syntax errors", message=str(error.first))
    except ChangedError as error:
        return Change(cause="changed content", message=str(error))
    return Change.of(path, data, after, diff=diff)
