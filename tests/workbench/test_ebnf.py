"""Productions of standards become grammars of Lark's that take the same texts."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput
from support.lanes import one_in
from support.readings import as_read

from sgf_lark import SgfSyntaxError
from sgf_lark.grammar import loader as grammars
from sgf_lark.workbench.compare import differences
from sgf_lark.workbench.ebnf import from_ebnf, rule_name
from sgf_lark.workbench.samples import Sampler, acceptance

SMALL = """\
List = "(" [ Item { "," Item } ] ")".
Item = List | Letter { Letter }.
Letter = "a".."c" | "\\".
"""

ISO = """\
(* lists *)
list = "(", [ item, { ",", item } ], ")" ;
item = list | letter, { letter } ;
letter = 'a' | 'b' | "c" | "\\" ;
"""

OURS = Lark(
    """
    list: "(" [item ("," item)*] ")"
    item: list | LETTER+
    LETTER: "a".."c" | "\\\\"
    """,
    start="list",
    parser="earley",
)


def takes(parser: Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except UnexpectedInput:
        return False
    return True


@pytest.mark.both_lanes
@pytest.mark.parametrize(("text", "notation"), [(SMALL, "wirth"), (ISO, "iso")])
def test_a_translation_takes_what_its_productions_say(text: str, notation: str) -> None:
    made = Lark(from_ebnf(text, notation), start="list", parser="earley")

    @given(st.text(alphabet="()ab,\\", max_size=8))
    def same(sentence: str) -> None:
        assert takes(made, sentence) == takes(OURS, sentence)

    same()
    assert takes(made, "((a),bc,\\a)")


def test_each_production_is_quoted_above_its_rule() -> None:
    assert from_ebnf(SMALL).splitlines()[:5] == [
        '//= List = "(" [ Item { "," Item } ] ")".',
        'list: "(" (item ("," item)*)? ")"',
        "",
        "//= Item = List | Letter { Letter }.",
        "item: list | letter (letter)*",
    ]


def test_names_may_have_low_lines_and_comments_comments() -> None:
    assert from_ebnf("a_b = c_d. c_d = 'x'.").endswith('c_d: "x"\n')
    assert from_ebnf("(* one (* two *) *) a = 'x' (* *** ( *);", "iso").endswith('a: "x"\n')


def test_the_full_stop_may_be_missing() -> None:
    assert from_ebnf(SMALL.replace(".\n", "\n")).replace("//", "") == from_ebnf(SMALL).replace(
        ".\n", "\n"
    ).replace("//", "")


def test_iso_repeats_and_names_of_several_words() -> None:
    assert from_ebnf('two words = 3 * letter, { "x" } ; letter = "a" ;', "iso").splitlines()[1] == (
        'two_words: letter~3 ("x")*'
    )


@pytest.mark.parametrize(
    ("text", "notation", "message"),
    [
        ('A = "a"\nB = (C', "wirth", "2:7: expected"),
        ("a = ? any character ? ;", "iso", "1:5: this is prose"),
        ("a = b - c ;", "iso", "1:5: an exception with '-' has no translation"),
        ("a = b", "iso", "1:6: expected"),
    ],
)
def test_what_is_not_in_the_notation_is_told_at_its_place(
    text: str, notation: str, message: str
) -> None:
    with pytest.raises(SgfSyntaxError) as caught:
        from_ebnf(text, notation)

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("PropIdent", "prop_ident"),
        ("CValueType", "c_value_type"),
        ("List of point", "list_of_point"),
        ("SGFFile", "sgf_file"),
        ("meta-identifier", "meta_identifier"),
    ],
)
def test_names_become_names_of_rules(name: str, rule: str) -> None:
    assert rule_name(name) == rule


@pytest.mark.parametrize("standard", one_in(3, ["ff1", "ff3", "ff4"]))
def test_the_productions_of_a_standard_are_the_verbatim_test_of_its_grammar(
    standard: str, tmp_path: Path
) -> None:
    file = tmp_path / "standard.lark"
    file.write_text(from_ebnf("\n".join(as_read(standard))), encoding="utf-8")
    theirs, ours = grammars.source(file), grammars.path(standard)
    dice = random.Random(standard)  # noqa: S311  # the same ones every time

    for rule in ("number", "real", "color", "none"):
        if rule in grammars.rules(theirs) and rule in grammars.rules(ours):
            made = [Sampler(ours, rule).sentence(dice) or "" for _ in range(20)]
            for text in [*made, "", "1.", "+", "B1", "b"]:
                assert acceptance(theirs, rule)(text) == acceptance(ours, rule)(text), (rule, text)


def test_a_grammar_and_its_translation_differ_in_nothing_that_they_take(tmp_path: Path) -> None:
    file = tmp_path / "mine.lark"
    file.write_text(from_ebnf('Move = Digit Digit | "pass".\nDigit = "1".."6".'), encoding="utf-8")
    other = tmp_path / "other.lark"
    other.write_text(
        'move: (DIGIT DIGIT) | "pass"\nDIGIT: "1".."6"\ndigit: DIGIT', encoding="utf-8"
    )
    found = list(islice(differences(grammars.source(file), grammars.source(other)), 5))

    assert not any(change.only_before or change.only_after for change in found)
