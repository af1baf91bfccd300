"""Each type of value is complete: one row, a grammar rule, a transformer, a writer, examples."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from itertools import product
from typing import Any

import pytest
from support.together import together

from sgf_lark import Format
from sgf_lark.core.grammar import grammars
from sgf_lark.core.schema.games import GAMES, TYPES_OF_GAMES, Game
from sgf_lark.core.schema.properties import PropertyTable
from sgf_lark.core.schema.value_types import VALUE_TYPES
from sgf_lark.core.schema.values import Invalid, PartialDate, Rectangle
from sgf_lark.core.values.game_transformers import transformer_of
from sgf_lark.core.values.methods import GgfMethods, Methods, SgfMethods
from sgf_lark.core.values.reader import Reader, reader
from sgf_lark.core.values.writer import NOTATIONS, Writer

FORMATS = {format_.grammar: format_ for format_ in Format}

#: The rules of the formats' grammars that are no types: they describe records.
STRUCTURE = {
    *("collection", "game_tree", "sequence", "node", "property", "prop_value", "c_value_type"),
    *("value_type", "list_of", "elist_of", "list_of_point", "file", "match", "game"),
}

ROWS = (*VALUE_TYPES, *TYPES_OF_GAMES)

TYPES = [
    (grammar, rule, row)
    for row in ROWS
    for grammar in row.grammars.split()
    for rule in row.rules.split()
]


def grammar_path(grammar: str) -> Any:
    return grammars.path(grammar if grammar in FORMATS else f"games/{grammar}")


def transformer(grammar: str) -> Methods:
    if grammar in FORMATS:
        return GgfMethods() if grammar == "ggf" else SgfMethods()
    return transformer_of(grammar)


def game_of(grammar: str) -> Game:
    """A game of a grammar; for a format one without points."""
    name = "" if grammar in FORMATS else grammar
    return next(game for game in GAMES.values() if game.notation == name)


def reader_of(grammar: str, rule: str) -> Reader:
    format_ = FORMATS.get(grammar, Format.FF4)
    if rule.endswith("_ggf"):
        format_ = Format.GGF
    if rule.endswith("_before_ff4"):
        format_ = Format.FF3
    return reader(format_, game_of(grammar), over_19=rule.endswith("_over_19"))


def name_of(rule: str) -> str:
    """The type that a rule of a game defines in a format."""
    for suffix in ("_ggf", "_before_ff4", "_over_19"):
        rule = rule.removesuffix(suffix)
    return rule


@cache
def calls(grammar: str, rule: str) -> frozenset[str]:
    """The methods that a transformer needs for a rule: its name, or those after ``->``."""
    lark = grammars.value(grammar_path(grammar), rule)
    assert lark is not None, f"{grammar} has no rule {rule}"
    return frozenset(
        one.alias or str(one.origin.name)
        for one in lark.rules
        if not (one.alias or str(one.origin.name)).startswith("_")
    )


def test_a_type_has_a_rule_in_its_grammar() -> None:
    with together() as each:
        for grammar, rule, _ in TYPES:
            with each(f"{grammar} {rule}"):
                assert rule in grammars.rules(grammar_path(grammar))


def test_a_type_has_a_method_in_its_transformer() -> None:
    with together() as each:
        for grammar, rule, _ in TYPES:
            with each(f"{grammar} {rule}"):
                by = transformer(grammar)
                assert [name for name in calls(grammar, rule) if not hasattr(by, name)] == []


def test_a_type_has_words_for_messages() -> None:
    with together() as each:
        for grammar, rule, row in TYPES:
            with each(f"{grammar} {rule}"):
                assert row.words
                if rule != "played":  # with those of its game's move
                    assert reader_of(grammar, rule).kind(name_of(rule)).expected == row.words


def test_the_examples_of_a_type_are_read_and_written_back() -> None:
    with together() as each:
        for grammar, rule, row in TYPES:
            with each(f"{grammar} {rule}"):
                assert row.examples
                by = reader_of(grammar, rule)
                for text in row.examples:
                    value = by.read(name_of(rule), text)
                    raw = written_back(by, rule, value)
                    if rule.endswith("_go_style"):  # it is written as the game's own notation
                        assert by.read(rule.removesuffix("_go_style"), raw) == value
                    else:
                        assert raw == text


def written_back(by: Reader, rule: str, value: Any) -> str:
    """A value as the writer shows it; a truth as the property of that form has it."""
    if rule == "compose":
        return ":".join(value)
    truth = next((row for row in PropertyTable.standard() if row.form == rule), None)
    if truth is not None and isinstance(value, bool):
        return Writer(by).write(truth, value)
    return Writer(by).shown(value)


#: Methods whose values are written in the notation of another one of their type.
NEVER_WRITTEN = {"unix"}


def test_each_alternative_of_a_type_is_in_an_example() -> None:
    with together() as each:
        for grammar, rule, row in TYPES:
            with each(f"{grammar} {rule}"):
                lark = grammars.value(grammar_path(grammar), rule)
                assert lark is not None, "there is no such rule"
                alternatives = {one.alias or rule for one in lark.rules if one.origin.name == rule}
                seen = {str(lark.parse(text).data) for text in row.examples}
                assert seen == alternatives - NEVER_WRITTEN


def test_each_class_with_a_notation_is_in_an_example() -> None:
    seen = {
        type(reader_of(grammar, rule).read(name_of(rule), text))
        for row in ROWS
        for grammar, rule in product(row.grammars.split(), row.rules.split())
        for text in row.examples
    }
    others = {float, date, PartialDate, Rectangle, Invalid}  # given by a caller, or parts of lists
    assert {*NOTATIONS} - others <= seen


def rules_without_row(grammar: str) -> Iterator[str]:
    """The rules that neither a row names nor a rule of a row is made of."""
    rows = [row for row in ROWS if grammar in row.grammars.split()]
    known = {rule for row in rows for rule in row.rules.split()}
    parts = set[str]()
    for rule in known & {*grammars.rules(grammar_path(grammar))}:
        lark = grammars.value(grammar_path(grammar), rule)
        parts |= {str(one.origin.name) for one in lark.rules}  # type: ignore[union-attr]
    yield from {*grammars.rules(grammar_path(grammar))} - known - parts - STRUCTURE


@pytest.mark.parametrize("grammar", [*FORMATS, *{row.grammars: 0 for row in TYPES_OF_GAMES}])
def test_a_rule_of_a_grammar_has_a_row(grammar: str) -> None:
    assert not {*rules_without_row(grammar)}, f"rules of {grammar} without a row of its own"


def test_types_of_the_property_table_have_rows() -> None:
    known = {name_of(rule) for row in ROWS for rule in row.rules.split()}
    assert not PropertyTable.standard().kinds - known - {"undefined"}
