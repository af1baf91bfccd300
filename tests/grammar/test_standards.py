"""The grammars and the standards they quote: same words, same strings.

Every production is quoted above the rule that carries it out, and the rule accepts what
the production accepts, once the defects of the print are read as readings.py says.
"""

from __future__ import annotations

import random
import re
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from lark.exceptions import GrammarError
from support.ebnf import defined_by, productions, rule_name
from support.grammar_files import (
    AMBIGUOUS,
    STRUCTURE,
    accepts,
    ambiguous,
    rules_of,
    structure,
    terminals_of,
    values,
)
from support.lanes import amount, is_night, one_in
from support.places import GRAMMARS
from support.readings import STANDARDS, Missing, Reading, as_read, translation
from support.sentences import mutated, sentences, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lark import Lark

FORMATS = sorted(STANDARDS)

#: Productions whose rule or terminal has a name of our own.
RENAMED = {
    ("ff4", "SimpleText"): "simpletext",
    ("ggf", "Ident"): "PROP_IDENT",
    ("ggf", "Value"): "PROP_VALUE",
}

#: Productions whose rule accepts something else, and why.
DIFFERS = {
    ("ggf", "Match"): "without a Count, games stand alone; a File accepts the same texts",
    ("ggf", "Value"): "PROP_VALUE has the brackets that Property prints around it",
}


# ---- quotations ----


@pytest.mark.parametrize("standard", FORMATS)
def test_each_production_is_quoted_once_and_nothing_else_is(standard: str) -> None:
    printed = sorted(production.line for production in productions(standard))

    assert sorted(line for line, _ in quotations(standard)) == printed


@pytest.mark.parametrize("standard", FORMATS)
def test_a_quotation_stands_right_above_the_rule_that_carries_it_out(standard: str) -> None:
    for line, below in quotations(standard):
        name = defined_by(line)
        allowed = {rule_name(name), rule_name(name).upper(), RENAMED.get((standard, name))}

        assert below in allowed, line


def test_no_other_grammar_quotes_a_production() -> None:
    others = {file for file in GRAMMARS.rglob("*.lark") if file.stem not in FORMATS}

    assert others
    assert not [file.name for file in others if "//=" in file.read_text(encoding="utf-8")]


def quotations(standard: str) -> Iterator[tuple[str, str]]:
    """Each quoted production, and the rule or terminal below it, or "" if it has none."""
    text = (GRAMMARS / f"{standard}.lark").read_text(encoding="utf-8")
    for found in re.finditer(
        r"^//= (?P<line>.*)\n(?://(?!=).*\n)*(?:(?P<below>\w+)[.\d]*:)?", text, re.MULTILINE
    ):
        yield found["line"], found["below"] or ""


# ---- readings ----


READINGS = [
    (standard, entry)
    for standard in FORMATS
    for entry in (*STANDARDS[standard].readings, *STANDARDS[standard].missing)
]


@pytest.mark.parametrize("standard", FORMATS)
def test_every_reading_is_still_found_in_the_print(standard: str) -> None:
    as_read(standard)


@pytest.mark.parametrize(
    ("standard", "entry"),
    one_in(8, [pytest.param(s, e, id=f"{s}: {e[0]}: {e[1]}") for s, e in READINGS]),
)
def test_without_a_reading_the_print_says_nothing_or_something_else(
    standard: str, entry: Reading | Missing
) -> None:
    if isinstance(entry, Reading) and entry.witness is not None:
        symbol, text = entry.witness

        assert accepts(translation(standard, without=entry), rule_name(symbol), text) != accepts(
            translation(standard), rule_name(symbol), text
        )
    else:
        with pytest.raises((ValueError, GrammarError)):
            translation(standard, without=entry)


@pytest.mark.parametrize("standard", FORMATS)
def test_what_counts_as_missing_is_not_defined_in_the_print(standard: str) -> None:
    lines = [production.line for production in productions(standard)]
    defined = {production.name for production in productions(standard)}

    for entry in STANDARDS[standard].missing:
        assert entry.name not in defined
        assert any(re.search(rf"\b{entry.name}\b", line) for line in lines)


# ---- the same strings ----

#: What texts are made of, between brackets and around them; the first eight are the ones
#: of which every short text is tried.
VALUE_PIECES = ("+", ".", ":", "1", "B", "]", "\\", "\n", "3", "b", "\t")
TREE_PIECES = ("(", ")", ";", "B", "[]", " ", "a", "1", "[", "]", "[\\]]", "[\\\n]")
GGF_PIECES = ("(;", ";)", "1", "A", "[]", "]", "\n", "3", "b", ";", "[1]")


def carried_out(standard: str) -> Iterator[tuple[str, str]]:
    """Each symbol of a standard, and each rule or terminal that carries it out."""
    known = {*rules_of(standard), *terminals_of(standard)}
    missing = [entry.name for entry in STANDARDS[standard].missing]
    for name in (*(production.name for production in productions(standard)), *missing):
        lark_name = rule_name(name)
        for ours in (lark_name, lark_name.upper(), RENAMED.get((standard, name))):
            if ours in known and (standard, name) not in DIFFERS:
                yield name, ours
    if standard == "ggf":
        yield from (("Value", ours) for ours in ("simpletext", "game_type"))


CASES = [(standard, *case) for standard in FORMATS for case in carried_out(standard)]


@pytest.mark.both_lanes
@pytest.mark.parametrize(
    ("standard", "symbol", "ours"),
    one_in(8, CASES),
    ids=[f"{s}: {name}, {ours}" for s, name, ours in CASES],
)
def test_a_rule_accepts_what_its_production_accepts(standard: str, symbol: str, ours: str) -> None:
    dice = random.Random(f"{standard} {symbol} {ours}")  # noqa: S311  # the same texts every time
    slow = ours in {*STRUCTURE[standard], *AMBIGUOUS, "compose", "PROP_VALUE"}
    pieces = pieces_for(standard, ours)
    parser, start = translation(standard), rule_name(symbol)
    start += "_alone" if ours in STRUCTURE[standard] else ""
    by_rule = recognizer(standard, ours)
    count = amount(3, 15) if slow else amount(8, 40)

    made = {*islice(sentences(parser, start, dice, pieces, ("",)), count)}
    for text in sorted(made):
        assert by_rule(text), f"only the production accepts {text!r}"
    if ours in rules_of(standard):
        made |= {*islice(sentences_of_rule(standard, ours, dice), count)}
    noise = {mutated(text, dice, pieces) for text in sorted(made)}
    length = (2 if slow else 3) if is_night() else 1
    for text in (*texts(pieces[:8], length), *sorted(made | noise)):
        assert by_rule(text) == accepts(parser, start, text), text


@pytest.mark.parametrize("standard", FORMATS)
def test_every_production_is_compared(standard: str) -> None:
    printed = {production.name for production in productions(standard)}

    assert printed - {name for name, _ in carried_out(standard)} <= {
        name for where, name in DIFFERS if where == standard
    }


def test_the_print_of_ggf_can_read_games_without_a_count_in_two_ways_and_our_rule_in_one() -> None:
    printed = translation("ggf", ambiguity="explicit").parse("(;;)(;;)", start="file")
    ours = structure("ggf").parse("(;;)(;;)", start="file")

    assert [*printed.find_data("_ambig")]
    assert [str(getattr(child, "data", child)) for child in ours.children] == ["game", "game"]
    assert accepts(translation("ggf"), "match", "(;;)")
    assert not accepts(structure("ggf"), "match", "(;;)")


@pytest.mark.parametrize("standard", FORMATS)
@pytest.mark.parametrize("text", ["]", "1]", "]1", "B]", "a:b]", "a]:b"])
def test_no_type_of_value_reaches_over_a_closing_bracket(standard: str, text: str) -> None:
    parser = values(standard)

    assert [start for start in parser.options.start if accepts(parser, start, text)] == []


@pytest.mark.parametrize("standard", ["ff1", "ff3", "ff4"])
@pytest.mark.parametrize("text", ["\\", "1\\", "a:\\", "\\\\\\"])
def test_no_type_of_value_ends_in_a_lone_backslash(standard: str, text: str) -> None:
    parser = values(standard)

    assert [start for start in parser.options.start if accepts(parser, start, text)] == []


def pieces_for(standard: str, ours: str) -> tuple[str, ...]:
    if ours in STRUCTURE[standard] or ours in {"PROP_IDENT", "PROP_VALUE"}:
        return GGF_PIECES if standard == "ggf" else TREE_PIECES
    return VALUE_PIECES


def parser_of(standard: str, rule: str) -> Lark:
    if rule in STRUCTURE[standard]:
        return structure(standard)
    return ambiguous(standard) if rule in AMBIGUOUS else values(standard)


def recognizer(standard: str, ours: str) -> Callable[[str], bool]:
    """Whether a rule or terminal of ours accepts a text."""
    if ours in rules_of(standard):
        return lambda text: accepts(parser_of(standard, ours), ours, text)
    pattern = re.compile(terminals_of(standard)[ours])
    return lambda text: pattern.fullmatch(text) is not None


def sentences_of_rule(standard: str, rule: str, dice: random.Random) -> Iterator[str]:
    gaps = ("", "", " ", "\r\n") if rule in STRUCTURE[standard] else ("",)
    pieces = pieces_for(standard, rule)
    return sentences(parser_of(standard, rule), rule, dice, pieces, gaps)
