"""The command ``sgf-lark tree``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

from sgf_lark.cli.grammars import (
    GrammarOptions,
    extend_time_limit,
    grammar_of,
    open_grammar,
    read_text,
    start_rule,
    write,
)
from sgf_lark.cli.interface import argument, command, flag, option
from sgf_lark.cli.options import OutputOptions, ReadingOptions
from sgf_lark.cli.output import WRONG, fail
from sgf_lark.core import plural
from sgf_lark.report.terminal import say, say_lines

if TYPE_CHECKING:
    from lark import Token, Tree

    from sgf_lark.core import File, Finding


class TreeOptions(OutputOptions, section="Output"):
    """The tree, and its file."""

    form: Literal["text", "json", "sexp", "dot", "svg"] = option(
        "The form of the tree.", "--format", default="text"
    )
    all_trees: bool = flag(
        "Parse by Earley's algorithm, and show all trees: a node _ambig has the"
        " alternatives. Conflicts of the grammar are no errors then.",
        "--ambiguity",
    )


class TextOptions(ReadingOptions, section="Reading"):
    """The text, and the grammar that it is read by."""

    is_text: bool = flag("The argument is a text, even if it names a file.", "--text")


@command(argument("source", "SOURCE", "A file, - for standard input, or the text itself."))
def tree(source: str, result: TreeOptions, part: GrammarOptions, reading: TextOptions) -> None:
    """Parse a text by a grammar, and show the parse tree.

    Nothing is repaired. If the grammar rejects the text, the tree ends there, the error is
    reported, and the exit code is 1.

    Examples:
        sgf-lark tree game.sgf
        sgf-lark tree '(;FF[4];B[aa])' --format json
    """
    from sgf_lark.core import GrammarSource, Report, excerpt
    from sgf_lark.workbench.lint import count_conflicts
    from sgf_lark.workbench.parse_state import WRITERS, parse

    grammar, read_as, start = reading.grammar, reading.read_as, part.start
    if grammar is not None and read_as is not None:
        fail("--grammar names the grammar: remove it, or --as")
    text, name = read_text(source, is_text=reading.is_text, encoding=reading.encoding)
    help_ = "" if grammar or read_as else "; --as reads the text as another format"
    grammar = grammar or grammar_of(text, read_as)
    file = open_grammar(grammar, [start] if start else [], ambiguous=result.all_trees)
    extend_time_limit(len(text))
    first = start_rule(file, start, help_=help_)
    if result.all_trees:
        shown, mismatched = _all_trees(text, file, first)
    else:
        if number := isinstance(file, GrammarSource) and count_conflicts(file, first):
            see = f"see 'sgf-lark grammar lint {grammar}'"
            say(f"{grammar} has {plural(number, 'conflict')}, {see}", err=True)
        state = parse(text, file, first)
        shown, mismatched = state.partial, state.finding
    if shown is not None:
        write(WRITERS[result.form](shown, text), result.output, source, grammar)
    if mismatched is not None:
        sys.stdout.flush()
        report = Report.of(name, text, [mismatched])
        say_lines(excerpt(report, report[0]), err=True)
        sys.exit(WRONG)


def _all_trees(text: str, file: File, start: str) -> tuple[Tree[Token] | None, Finding | None]:
    """Return all trees of a text, and the mismatch; exit if there are too many."""
    from sgf_lark.workbench.parse_state import MAX_CHARACTERS, MAX_TREES, parse_all

    if len(text) > MAX_CHARACTERS:
        fail(f"--ambiguity is for texts of at most {MAX_CHARACTERS} characters, not {len(text)}")
    result = parse_all(text, file, start)
    if result.number > MAX_TREES:
        fail(f"this text has {result.number} trees, of which at most {MAX_TREES} are shown", WRONG)
    return result.tree, result.finding
