"""The command ``sgf-lark grammar explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sgf_lark.cli.grammars import (
    GrammarOptions,
    extend_time_limit,
    format_of,
    open_grammar,
    read_text,
    start_rule,
)
from sgf_lark.cli.interface import PathType, command
from sgf_lark.cli.options import (
    ReadingOptions,
    SettingsOptions,
    reported_settings,
    verify_settings,
)
from sgf_lark.cli.output import fail
from sgf_lark.findings.terminal import say

if TYPE_CHECKING:
    from sgf_lark.schema.properties import PropertyTable


@command(
    click.Argument(
        ["place"],
        type=PathType(),
        metavar="FILE:LINE:COLUMN",
        help="A place in a file, counted from 1.",
    ),
)
def explain(
    place: str, part: GrammarOptions, reading: ReadingOptions, settings: SettingsOptions
) -> None:
    """Show the state of the parser at a place: the open rules, and what it expects next.

    Values are read by the custom grammar, and by the games and properties of the settings.

    Examples:
        sgf-lark grammar explain game.sgf:1:8
    """
    from sgf_lark.grammar.lint import for_records, is_of_game
    from sgf_lark.places import LineIndex
    from sgf_lark.workbench.standing import explain as explain_text

    grammar, start = reading.grammar, part.start
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
    table = _table_for(name, grammar, settings)
    values = [*table.kinds, *([start] if start else [])]
    format_ = format_of(text, reading.read_as)
    file = open_grammar(grammar or format_.grammar, values)
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


def _table_for(name: str, grammar: str | None, settings: SettingsOptions) -> PropertyTable:
    """Return the properties and games of the settings of a file; exit if these are invalid."""
    from sgf_lark.schema.properties import PropertyTable

    with reported_settings():
        options = settings.find()
        table = options.settings_of(name).table or PropertyTable.standard()
        verify_settings(options, grammar)
    return table
