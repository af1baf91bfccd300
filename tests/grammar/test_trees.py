"""Every case in trees/*.txt: this text gives exactly this tree, or is refused.

To change a grammar, change the expected tree first and watch the case fail.  A case is a
title between two rulers, the text, a line ``---`` and the tree; a line ``:refused`` below
the title, and no tree, says that the grammar refuses the text.  The line breaks that set
the text apart do not belong to it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from lark import Token, Tree
from support.grammar_files import STRUCTURE, accepts, rules_of, structure, terminals_of, values

TREES = Path(__file__).parent / "trees"
CASE = re.compile(
    r"^={3,}\n(?P<title>[^\n]+)\n(?P<refused>:refused\n)?={3,}\n\n"
    r"(?P<text>.*?)\n\n---\n"
    r"(?:\n(?P<tree>\(.*?\)))?\n*(?=^={3,}\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


class TreeCase(NamedTuple):
    """One case of a file; the tree is None if the text is refused."""

    format: str
    title: str
    text: str
    tree: str | None

    def __str__(self) -> str:
        return f"{self.format}: {self.title}"


def cases_of(file: Path) -> list[TreeCase]:
    """All cases of a file, which must hold nothing else."""
    text = file.read_text(encoding="utf-8")
    found = [*CASE.finditer(text)]
    assert "".join(case[0] for case in found) == text, f"{file.name} holds a broken case"
    for case in found:
        assert bool(case["refused"]) == (case["tree"] is None), case["title"]
    return [TreeCase(file.stem, case["title"], case["text"], case["tree"]) for case in found]


CASES = [case for file in sorted(TREES.glob("*.txt")) for case in cases_of(file)]
assert {case.format for case in CASES} == {*STRUCTURE}


@pytest.mark.parametrize("case", [case for case in CASES if case.tree is not None], ids=str)
def test_a_text_gives_this_tree(case: TreeCase) -> None:
    start = STRUCTURE[case.format][0]

    assert drawn(structure(case.format).parse(case.text, start=start)) == case.tree


@pytest.mark.parametrize("case", [case for case in CASES if case.tree is None], ids=str)
def test_a_text_is_refused(case: TreeCase) -> None:
    assert not accepts(structure(case.format), STRUCTURE[case.format][0], case.text)


@pytest.mark.parametrize("format_", STRUCTURE)
def test_both_kinds_of_case_are_there_and_no_title_stands_twice(format_: str) -> None:
    cases = [case for case in CASES if case.format == format_]

    assert len([case for case in cases if case.tree is not None]) >= 8
    assert len([case for case in cases if case.tree is None]) >= 8
    assert len({case.title for case in cases}) == len(cases)


def drawn(tree: Tree[Token], indent: str = "") -> str:
    """The tree as the case files write it: rules nested, token texts quoted."""
    children = (
        f' "{child}"' if isinstance(child, Token) else "\n" + drawn(child, indent + "  ")
        for child in tree.children
    )
    return f"{indent}({tree.data}{''.join(children)})"


# ---- what differs between the versions, both ways ----


@pytest.mark.parametrize("space", [" ", "\t", "\n", "\r", "\r\n", "\n\r", "\v", "\f"])
@pytest.mark.parametrize("format_", STRUCTURE)
def test_every_kind_of_white_space_may_stand_between_tokens(format_: str, space: str) -> None:
    tokens = ["(;", "B", "[x]", ";)"] if format_ == "ggf" else ["(", ";", "B", "[x]", ")"]
    text = space + space.join(tokens) + space
    bare = "".join(tokens)
    start = STRUCTURE[format_][0]

    assert structure(format_).parse(text, start=start) == structure(format_).parse(
        bare, start=start
    )


@pytest.mark.parametrize(
    "other", ["\N{NO-BREAK SPACE}", "\N{LINE SEPARATOR}", "\x1c", "\x85", "\0"]
)
@pytest.mark.parametrize("format_", STRUCTURE)
def test_nothing_else_counts_as_white_space(format_: str, other: str) -> None:
    text = f"(;{other};)" if format_ == "ggf" else f"(;{other})"

    assert not accepts(structure(format_), STRUCTURE[format_][0], text)


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


@pytest.mark.parametrize(("symbol", "text", "formats"), DIFFERENCES)
def test_exactly_these_formats_accept_a_text(symbol: str, text: str, formats: str) -> None:
    found = [format_ for format_ in STRUCTURE if is_one(format_, symbol, text)]

    assert found == formats.split()


def is_one(format_: str, symbol: str, text: str) -> bool:
    if symbol.isupper():
        return re.fullmatch(terminals_of(format_)[symbol], text) is not None
    return symbol in rules_of(format_) and accepts(values(format_), symbol, text)
