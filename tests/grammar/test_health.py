"""Every grammar file builds without a conflict, and holds nothing that nobody uses."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest
from support.ebnf import productions, rule_name
from support.grammar_files import STRUCTURE, ambiguous, rules_of, structure, values
from support.lanes import one_in
from support.places import GRAMMARS

from sgf_lark.core.schema.properties import rows_of
from sgf_lark.core.schema.value_types import VALUE_TYPES

FORMATS = sorted(STRUCTURE)
FILES = sorted(
    file.relative_to(GRAMMARS).with_suffix("").as_posix() for file in GRAMMARS.rglob("*.lark")
)
assert {*FORMATS, "lexical", "games/go"} <= {*FILES}

#: Start symbols of the formats that carry out no production: one for each type of value.
FROM_PROSE = {
    name: {
        rule for one in VALUE_TYPES if name in one.grammars.split() for rule in one.rules.split()
    }
    for name in FORMATS
}

#: Strings, regular expressions and comments of a Lark grammar, and the names of trees.
NOT_NAMES = re.compile(
    r"""(?x) "(?:\\.|[^"\\])*"  |  /(?!/)(?:\\.|[^/\\])+/[imslux]*  |  //.*  |  (?<!WS\ )->\s*\w+"""
)


@pytest.mark.parametrize("name", FORMATS)
def test_the_structure_of_a_format_builds_without_conflicts(name: str) -> None:
    structure(name, strict=True)


#: Takes six seconds, which only the night has.
SLOW = "words/go"


@pytest.mark.parametrize(
    "name",
    [
        *one_in(3, [name for name in FILES if name != SLOW]),
        pytest.param(SLOW, marks=pytest.mark.night),
    ],
)
def test_every_type_of_value_builds_without_conflicts(name: str) -> None:
    values(name, strict=True)


@pytest.mark.parametrize("name", ["ff1", "ff3", "ff4"])
def test_the_ambiguous_rules_build_and_read_values(name: str) -> None:
    parser = ambiguous(name)

    assert parser.options.start
    for start in parser.options.start:
        bare = start in {"value_type", "c_value_type"}
        parser.parse("12" if bare else "[12]", start=start)


@pytest.mark.parametrize("name", FILES)
def test_nothing_in_a_grammar_is_left_unused(name: str) -> None:
    text = (GRAMMARS / f"{name}.lark").read_text(encoding="utf-8")
    code = NOT_NAMES.sub(" ", text)
    defined = set(re.findall(r"^[?!]*(\w+)[\d.-]*(?:\{\w+\})?\s*:", code, re.MULTILINE))
    for imported in re.findall(r"^%import [\w.]+ *\((.*)\)", code, re.MULTILINE):
        defined |= {*re.findall(r"\w+", imported)}
    used = re.findall(r"\w+", code)

    assert defined >= {*rules_of(name)}
    unused = {symbol for symbol in defined if used.count(symbol) == 1}
    dead = {symbol for symbol in unused if not is_start(name, symbol, text)}
    assert not dead, "start symbols belong in value_types.py, or into the header of the file"


@pytest.mark.parametrize("name", FORMATS)
def test_every_documented_start_symbol_is_there(name: str) -> None:
    assert FROM_PROSE[name] <= {*rules_of(name)}


def test_a_rule_that_nobody_needs_is_noticed() -> None:
    assert not is_start("ff4", "moves", "// Start  collection\n")
    assert is_start("games/x", "move_ggf", "// Start  point; *_ggf for GGF\n")


def is_start(name: str, symbol: str, text: str) -> bool:
    """Whether something outside the file may begin with a symbol."""
    if name in FORMATS:
        quoted = {rule_name(production.name) for production in productions(name)}
        return symbol in quoted | FROM_PROSE[name] | {*STRUCTURE[name]}
    if symbol == "sign" or symbol in {kind for *_, kind in rows_of(name.upper())}:
        return True  # of a format of another program
    header = re.match(r"(?://.*\n)*", text)
    documented = re.search(
        r"^// Start +(.*\n(?://  +.*\n)*)", header[0] if header else "", re.MULTILINE
    )
    words = re.findall(r"[\w*]+", documented[1] if documented else "")
    return any(fnmatchcase(symbol, word) for word in words)
