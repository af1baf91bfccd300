"""Texts with a fault at a known place."""

from __future__ import annotations

import io
import json
from itertools import islice, product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from support.grammar_files import STRUCTURE, structure, value_starts, values
from support.lanes import amount, one_in

import sgf_lark
from sgf_lark.cli.main import app
from sgf_lark.core.grammar import grammars
from sgf_lark.core.places import LineIndex
from sgf_lark.core.schema.formats import EngineName, Format
from sgf_lark.workbench.samples import acceptance, broken

ENGINES: tuple[EngineName, ...] = ("generated", "lark")

#: By day the newest format.
each_format = pytest.mark.parametrize("format_", one_in(4, ["ff4", "ff1", "ggf", "ff3"]))

#: Findings about what the grammar takes: characters, long names, numbers of games in a match.
TAKEN = {"S114", "S115", "S117"}

#: What ends a record behind any prefix of one, with brackets that close it.
TAILS = ("", ";", "(;", "[]", ";)", "[];)", "(;;)")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["grammar", *arguments], catch_exceptions=False)


def stop(parser: Lark, text: str, start: str) -> int | None:
    """Where Lark stops; None if it takes the text."""
    try:
        parser.parse(text, start=start)
    except UnexpectedCharacters as error:
        return error.pos_in_stream
    except UnexpectedToken as error:
        return len(text) if error.token.type == "$END" else error.token.start_pos
    except UnexpectedInput:
        return len(text)
    return None


def syntax(text: str, format_: str, engine: EngineName) -> list[sgf_lark.Diagnostic]:
    """What an engine finds wrong with the syntax of a record."""
    report = sgf_lark.check(io.StringIO(text), format=Format(format_.upper()), engine=engine)
    return [one for one in report.diagnostics if one.code.startswith("S")]


def can_go_on(prefix: str, format_: str, engine: EngineName) -> bool:
    """Whether an engine takes a record that begins so."""
    closed = (prefix + tail + ")" * count for count, tail in product(range(12), TAILS))
    return any({one.code for one in syntax(text, format_, engine)} <= TAKEN for text in closed)


@pytest.mark.both_lanes
@each_format
def test_both_engines_stop_at_the_fault_of_a_broken_record(format_: str) -> None:
    parser, start = structure(format_), STRUCTURE[format_][0]
    for line, column, text in islice(broken(grammars.path(format_), seed=4), amount(4, 50)):
        place = LineIndex(text).offset(line, column)

        assert stop(parser, text, start) == place
        assert syntax(text, format_, "generated") == syntax(text, format_, "lark") != []
        assert all(can_go_on(text[:place], format_, engine) for engine in ENGINES), text


@pytest.mark.both_lanes
@each_format
def test_both_engines_refuse_a_broken_value_and_lark_stops_at_its_fault(format_: str) -> None:
    file, parser = grammars.path(format_), values(format_)
    for start in value_starts(format_)[:: amount(15, 1)]:
        accepts = acceptance(file, start)
        for line, column, text in islice(broken(file, start, seed=3, size=9), amount(2, 15)):
            assert stop(parser, text, start) == LineIndex(text).offset(line, column), text
            assert not accepts(text)


def test_broken_texts_of_a_custom_grammar_say_where_lark_stops(tmp_path: Path) -> None:
    file = tmp_path / "sum.lark"
    file.write_text('start: e\ne: e "+" t | t\nt: /[0-9]+/ | "(" e ")"\n', encoding="utf-8")
    result = run("sample", str(file), "--broken", "-n", "30", "--format", "jsonl")
    parser = grammars.structure(grammars.source(file), "start")
    made = [json.loads(line) for line in result.stdout.splitlines()]

    assert len(made) == 30
    for one in made:
        assert stop(parser, one["text"], "start") == one["column"] - 1
    assert made == [
        json.loads(line)
        for line in run(
            "sample", str(file), "--broken", "-n", "30", "--format", "jsonl"
        ).stdout.splitlines()
    ]
