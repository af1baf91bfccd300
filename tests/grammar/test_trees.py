"""Every case in trees/*.txt: this text gives exactly this tree, or an error at this place.

To change a grammar, change the expected tree first and watch the case fail, here or in
``sgf-lark grammar test ff4 --cases tests/grammar/trees/ff4.txt``.
`sgf_lark/site/guides/grammar-test.md` describes the files.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.grammar_files import STRUCTURE, accepts, rules_of, structure, terminals_of, values
from support.together import together

from sgf_lark.core.grammar import grammars
from sgf_lark.workbench.cases import read_cases
from sgf_lark.workbench.parse_state import parse

TREES = Path(__file__).parent / "trees"
CASES = {file.stem: read_cases(file.read_text(encoding="utf-8")) for file in TREES.glob("*.txt")}
assert {*CASES} == {*STRUCTURE}


@pytest.mark.parametrize("format_", STRUCTURE)
def test_a_text_gives_this_tree_or_this_error(format_: str) -> None:
    with together() as each:
        for case in CASES[format_]:
            with each(case.name):
                assert not case.is_skipped
                assert case.error != ""
                assert case.test(grammars.path(format_), STRUCTURE[format_][0]) is None


@pytest.mark.parametrize("format_", STRUCTURE)
def test_a_parser_built_by_lark_alone_gives_the_same(format_: str) -> None:
    start = STRUCTURE[format_][0]
    with together() as each:
        for case in CASES[format_]:
            with each(case.name):
                assert accepts(structure(format_), start, case.text) == (case.error is None)
                if case.error is None:
                    tree = parse(case.text, grammars.path(format_), start).tree
                    assert structure(format_).parse(case.text, start=start) == tree


@pytest.mark.parametrize("format_", STRUCTURE)
def test_both_kinds_of_case_are_there_and_no_name_stands_twice(format_: str) -> None:
    cases = CASES[format_]

    assert len([case for case in cases if case.error is None]) >= 8
    assert len([case for case in cases if case.error is not None]) >= 8
    assert len({case.name for case in cases}) == len(cases)


# ---- what differs between the versions, both ways ----


@pytest.mark.parametrize("format_", STRUCTURE)
def test_every_kind_of_white_space_may_stand_between_tokens(format_: str) -> None:
    tokens = ["(;", "B", "[x]", ";)"] if format_ == "ggf" else ["(", ";", "B", "[x]", ")"]
    parser, start = structure(format_), STRUCTURE[format_][0]
    bare = parser.parse("".join(tokens), start=start)

    for space in (" ", "\t", "\n", "\r", "\r\n", "\n\r", "\v", "\f"):
        assert parser.parse(space + space.join(tokens) + space, start=start) == bare, repr(space)


@pytest.mark.parametrize("format_", STRUCTURE)
def test_nothing_else_counts_as_white_space(format_: str) -> None:
    for other in ("\N{NO-BREAK SPACE}", "\N{LINE SEPARATOR}", "\x1c", "\x85", "\0"):
        text = f"(;{other};)" if format_ == "ggf" else f"(;{other})"
        assert not accepts(structure(format_), STRUCTURE[format_][0], text), repr(other)


SGF = "ff1 ff3 ff4"
OLD = "ff1 ff3"

#: Symbol, text, and the formats that accept it; a format without the symbol refuses it.
DIFFERENCES = [
    ("PROP_IDENT", "B", f"{SGF} ggf"),
    ("PROP_IDENT", "AB", f"{SGF} ggf"),
    ("PROP_IDENT", "ABC", "ff4"),
    ("PROP_IDENT", "A1", OLD),
    ("PROP_IDENT", "A12", ""),
    ("PROP_IDENT", "1", ""),
    ("PROP_IDENT", "Black", OLD),
    ("PROP_IDENT", "blackB", OLD),
    ("PROP_IDENT", "FileFormat", OLD),
    ("PROP_IDENT", "black", ""),
    ("PROP_VALUE", "[]", f"{SGF} ggf"),
    ("PROP_VALUE", "[a\\]b]", SGF),
    ("PROP_VALUE", "[a\\]", "ggf"),
    ("number", "12", f"{SGF} ggf"),
    ("number", "+12", f"{SGF} ggf"),
    ("number", "-0", f"{SGF} ggf"),
    ("number", "1.0", ""),
    ("number", "", ""),
    ("number", "--1", ""),
    ("number", "\N{ARABIC-INDIC DIGIT ONE}", ""),
    ("real", "6.5", f"{SGF} ggf"),
    ("real", "-6.50", f"{SGF} ggf"),
    ("real", "3.", f"{OLD} ggf"),
    ("real", "-3.", f"{OLD} ggf"),
    ("real", ".5", ""),
    ("real", "1e3", ""),
    ("real", "1,5", ""),
    ("real", " 1", ""),
    ("triple", "1", OLD),
    ("triple", "2", OLD),
    ("triple", "0", ""),
    ("double", "2", "ff4"),
    ("double", "3", ""),
    ("color", "B", SGF),
    ("color", "W", SGF),
    ("color", "b", ""),
    ("color", "Black", ""),
    ("color", "1", ""),
    ("none", "", SGF),
    ("none", " ", ""),
    ("text", "two\nlines", SGF + " ggf"),
    ("text", "", SGF + " ggf"),
    ("text", "\\]\\\\\\:\\\n", SGF),
    ("text", "a]", ""),
    ("text", "a\\", "ggf"),
    ("simpletext", "two\nlines", "ff4 ggf"),
    ("simpletext", "a\\", "ggf"),
    ("compose", "aa:bb", "ff3 ff4"),
    ("compose", ":", "ff3 ff4"),
    ("compose", "a\\:b:c", "ff3 ff4"),
    ("compose", "a:b:c", "ff3 ff4"),
    ("compose", "a\\:b", ""),
    ("compose", "a", ""),
    ("result", "0", f"{SGF} ggf"),
    ("result", "B+2.5", SGF),
    ("result", "W+64", SGF),
    ("result", "W+R", "ff3 ff4"),
    ("result", "W+T", "ff3 ff4"),
    ("result", "W+F", "ff3 ff4"),
    ("result", "W+Resign", "ff4"),
    ("result", "W+", "ff4"),
    ("result", "Draw", "ff4 ggf"),
    ("result", "Void", "ff4 ggf"),
    ("result", "?", "ff4 ggf"),
    ("result", "+64.00:r", "ggf"),
    ("result", "b+2.5", ""),
    ("result", "B+.5", ""),
    ("result", "B+-1", ""),
    ("dates", "1996-05-27", SGF),
    ("dates", "1996-05-27,28", "ff4"),
    ("dates", "1996", "ff4"),
    ("dates", "1996-05,06", "ff4"),
    ("dates", "1996-12-27,28,1997-01-03,04", "ff4"),
    ("dates", "1996,05", ""),
    ("dates", "1996-5-27", ""),
    ("dates", "1996-05-27, 28", ""),
    ("time_limit", "45", "ff1 ff4"),
]


def test_exactly_these_formats_accept_a_text() -> None:
    with together() as each:
        for symbol, text, formats in DIFFERENCES:
            with each(f"{symbol} {text!r}"):
                found = [format_ for format_ in STRUCTURE if is_one(format_, symbol, text)]
                assert found == formats.split()


def is_one(format_: str, symbol: str, text: str) -> bool:
    if symbol.isupper():
        return re.fullmatch(terminals_of(format_)[symbol], text) is not None
    return symbol in rules_of(format_) and accepts(values(format_), symbol, text)
