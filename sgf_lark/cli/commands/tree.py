"""The command ``sgf-lark tree``."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from sgf_lark.cli import options as arguments
from sgf_lark.cli.grammars import (
    GrammarOption,
    OutputOption,
    StartOption,
    extend_time_limit,
    format_of,
    open_grammar,
    read_text,
    start_rule,
    write,
)
from sgf_lark.cli.interface.help import Section
from sgf_lark.cli.output import WRONG, fail
from sgf_lark.diagnostics.terminal import say_lines


class TreeForm(StrEnum):
    """The forms of a tree."""

    TEXT = "text"
    JSON = "json"
    SEXP = "sexp"
    DOT = "dot"
    SVG = "svg"


def tree(
    *,
    source: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A file, - for standard input, or the text itself."),
    ],
    grammar: GrammarOption = None,
    start: StartOption = None,
    form: Annotated[
        TreeForm,
        typer.Option("--format", help="The form of the tree.", rich_help_panel=Section.OUTPUT),
    ] = TreeForm.TEXT,
    output: OutputOption = None,
    read_as: arguments.As = None,
    encoding: arguments.Encoding = None,
    is_text: Annotated[
        bool,
        typer.Option(
            "--text",
            help="The argument is a text, even if it names a file.",
            rich_help_panel=Section.READING,
        ),
    ] = False,
) -> None:
    """Parse a text by a grammar, and show the parse tree.

    Nothing is repaired. If the grammar rejects the text, the tree ends there, the error is
    reported, and the exit code is 1.
    """
    from sgf_lark.diagnostics.report import Report, excerpt
    from sgf_lark.places import LineIndex
    from sgf_lark.workbench import trees
    from sgf_lark.workbench.parse_state import parse

    if grammar is not None and read_as is not None:
        fail("--grammar names the grammar: remove it, or --as")
    text, name = read_text(source, is_text=is_text, encoding=encoding)
    grammar = grammar or format_of(text, read_as).grammar
    file = open_grammar(grammar, [start] if start else [])
    extend_time_limit(len(text))
    state = parse(text, file, start_rule(file, start))
    if state.partial is not None:
        write(trees.WRITERS[form](state.partial, text), output, source, grammar)
    if state.finding is not None:
        finding = state.finding.located(LineIndex(text))
        sys.stdout.flush()
        report = Report(name=name, text=text, diagnostics=(finding,))
        say_lines(excerpt(report, finding), err=True)
        raise typer.Exit(WRONG)
