"""The command ``sgf-lark tree``."""

from __future__ import annotations

import sys
from math import inf
from typing import TYPE_CHECKING, Literal

from sgf_lark.cli.grammars import (
    GrammarOptions,
    extend_time_limit,
    grammar_of,
    hints_on,
    open_grammar,
    read_text,
    start_rule,
    write_result,
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
    engine: Literal["lalr", "earley"] = option(
        "The parser: LALR, which looks one token ahead; or Earley's, which reads what the"
        " grammar means and shows all trees: a node _ambig has the alternatives. Conflicts of"
        " the grammar are no errors then.",
        default="lalr",
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
    from sgf_lark.workbench.parse_state import HINT_SECONDS, WRITERS, parse, parse_all

    grammar, read_as, start = reading.grammar, reading.read_as, part.start
    if grammar is not None and read_as is not None:
        fail("--grammar names the grammar: remove it, or --as")
    text, name = read_text(source, is_text=reading.is_text, encoding=reading.encoding)
    help_ = "" if grammar or read_as else "; --as reads the text as another format"
    grammar = grammar or grammar_of(text, read_as)
    is_earley = result.engine == "earley"
    hint = f"LALR cannot read by {grammar}: --engine earley shows what it means"
    file = open_grammar(grammar, [start] if start else [], ambiguous=is_earley, hint=hint)
    extend_time_limit(len(text))
    first, lost, hint = start_rule(file, start, help_=help_), None, ""
    if is_earley:
        shown, mismatched = _all_trees(text, file, first)
    else:
        is_custom = isinstance(file, GrammarSource)
        if number := is_custom and count_conflicts(file, first):
            see = f"see 'sgf-lark grammar lint {grammar}'; --engine earley shows all trees"
            say(f"{grammar} has {plural(number, 'conflict')}, {see}", err=True)
        state = parse(text, file, first)
        shown, mismatched, lost = state.partial, state.finding, state.lost
        if mismatched is not None and is_custom:
            every = parse_all(text, file, first, HINT_SECONDS)
            if every is not None and every.number:
                hint = "the grammar means this text, LALR cannot see it"
                hint = f"{hint}: --engine earley shows the tree"
    if shown is not None:
        write_result(WRITERS[result.form](shown, text), result.output, source, grammar)
    sys.stdout.flush()
    for finding in filter(None, [mismatched or lost]):
        report = Report.of(name, text, [finding])
        say_lines(excerpt(report, report[0]), err=True)
        rejected = text[slice(*finding.span)] if finding is mismatched else None
        for help_ in filter(None, [finding.help, hint, *hints_on(file, start, rejected)]):
            say(f"help: {help_}", err=True)
    if mismatched is not None:
        sys.exit(WRONG)


def _all_trees(text: str, file: File, start: str) -> tuple[Tree[Token] | None, Finding | None]:
    """Return all trees of a text, and the mismatch; exit if there are too many."""
    from sgf_lark.workbench.parse_state import MAX_CHARACTERS, MAX_SECONDS, MAX_TREES, parse_all

    if len(text) > MAX_CHARACTERS:
        fail(f"--engine earley reads texts of at most {MAX_CHARACTERS} characters, not {len(text)}")
    result = parse_all(text, file, start)
    if result is None:
        help_ = "help: try a shorter text, or fewer conflicts: sgf-lark grammar lint"
        fail(
            f"--engine earley needs more than {MAX_SECONDS:g} seconds for this text",
            WRONG,
            more=[help_],
        )
    if result.number > MAX_TREES:
        number = "endless" if result.number == inf else result.number
        fail(f"this text has {number} trees, of which at most {MAX_TREES} are shown", WRONG)
    return result.tree, result.finding
