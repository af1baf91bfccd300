"""Productions of standards become grammars of Lark's that take the same texts."""

from __future__ import annotations

import random
import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput
from support.lanes import one_in
from support.readings import as_read

from sgf_lark import SgfSyntaxError
from sgf_lark.core.grammar import grammars
from sgf_lark.workbench.compare import differences
from sgf_lark.workbench.ebnf import Notation, from_ebnf, rule_name
from sgf_lark.workbench.samples import Sampler, acceptance

SMALL = """\
List = "(" [ Item { "," Item } ] ")".
Item = List | Letter { Letter }.
Letter = "a".."c" | "\\".
"""

ABNF = """\
LIST = "(" [ item *( "," item ) ] ")"  ; a list
item = list / 1*letter
letter = %x61-62 / %x63
letter =/ %d92
"""

W3C = """\
[1] list ::= "(" (item ("," item)*)? ")" /* a list */
[2] item ::= list | LETTER+
<?TOKENS?>
LETTER ::= [a-b] | [c#x5C]
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


#: RFC 5234, section 4.
RFC_5234 = """\
rulelist       =  1*( rule / (*c-wsp c-nl) )
rule           =  rulename defined-as elements c-nl
                       ; continues if next line starts
                       ;  with white space
rulename       =  ALPHA *(ALPHA / DIGIT / "-")
defined-as     =  *c-wsp ("=" / "=/") *c-wsp
                       ; basic rules definition and
                       ;  incremental alternatives
elements       =  alternation *c-wsp
c-wsp          =  WSP / (c-nl WSP)
c-nl           =  comment / CRLF
                       ; comment or newline
comment        =  ";" *(WSP / VCHAR) CRLF
alternation    =  concatenation
                  *(*c-wsp "/" *c-wsp concatenation)
concatenation  =  repetition *(1*c-wsp repetition)
repetition     =  [repeat] element
repeat         =  1*DIGIT / (*DIGIT "*" *DIGIT)
element        =  rulename / group / option /
                  char-val / num-val / prose-val
group          =  "(" *c-wsp alternation *c-wsp ")"
option         =  "[" *c-wsp alternation *c-wsp "]"
char-val       =  DQUOTE *(%x20-21 / %x23-7E) DQUOTE
                       ; quoted string of SP and VCHAR
                       ;  without DQUOTE
num-val        =  "%" (bin-val / dec-val / hex-val)
bin-val        =  "b" 1*BIT
                  [ 1*("." 1*BIT) / ("-" 1*BIT) ]
                       ; series of concatenated bit values
                       ;  or single ONEOF range
dec-val        =  "d" 1*DIGIT
                  [ 1*("." 1*DIGIT) / ("-" 1*DIGIT) ]
hex-val        =  "x" 1*HEXDIG
                  [ 1*("." 1*HEXDIG) / ("-" 1*HEXDIG) ]
prose-val      =  "<" *(%x20-3D / %x3F-7E) ">"
                       ; bracketed string of SP and VCHAR
                       ;  without angles
                       ; prose description, to be used as
                       ;  last resort
"""

OF_ABNF = Lark(from_ebnf(RFC_5234, "abnf"), start="rule", parser="earley")


def takes(parser: Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except UnexpectedInput:
        return False
    return True


@pytest.mark.both_lanes
@pytest.mark.parametrize(
    ("text", "notation"),
    [(SMALL, "wirth"), (ABNF, "abnf"), (W3C, "w3c")],
)
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


def test_names_may_have_low_lines() -> None:
    assert from_ebnf("a_b = c_d. c_d = 'x'.").endswith('c_d: "x"\n')


def test_the_full_stop_may_be_missing() -> None:
    assert from_ebnf(SMALL.replace(".\n", "\n")).replace("//", "") == from_ebnf(SMALL).replace(
        ".\n", "\n"
    ).replace("//", "")


@pytest.mark.parametrize(
    ("text", "notation", "message"),
    [
        ('A = "a"\nB = (C', "wirth", "2:7: expected"),
        ("a = <any character>", "abnf", "1:5: this is prose"),
        ("a = ? any character ? ;", "wirth", "1:5: this is prose"),
        ('a = { b - "c" } ;', "wirth", "1:7: an exception with '-' has no translation"),
        ("a ::= b - c", "w3c", "1:7: an exception with '-' has no translation"),
        ("a ::= b\n[2] c ::= (d", "w3c", "2:13: expected"),
    ],
)
def test_what_is_not_in_the_notation_is_told_at_its_place(
    text: str, notation: str, message: str
) -> None:
    with pytest.raises(SgfSyntaxError) as caught:
        from_ebnf(text, notation)

    assert message in str(caught.value)


def test_abnf_counts_and_knows_texts_in_any_case_and_core_rules() -> None:
    text = 'a = 2*b *3b 4b 2*3("x" / 1*B) [c]\nb = CRLF "."\nc = </[^]]/>\n'
    assert [line for line in from_ebnf(text, "abnf").splitlines() if line[:1] not in {"", "/"}] == [
        '!a: b~2 b* b~0..3 b~4 ("x"i | b+)~2..3 (c)?',
        'b: crlf "."',
        "c: /[^]]/",
        "crlf: cr lf",
        'cr: "\\r"',
        'lf: "\\n"',
    ]


def test_w3c_has_numbers_constraints_and_classes() -> None:
    text = "[1] Doc ::= S* [WFC: one]\n  [2a] S ::= #x20 | [^&\\0-9#x2D]\n [3] R ::= [12]\n"
    assert [line for line in from_ebnf(text, "w3c").splitlines() if line[:1] not in {"", "/"}] == [
        "doc: s*",
        '!s: " " | /[^\\&\\\\0-9\\-]/',
        "r: /[12]/",
    ]


@pytest.mark.parametrize("rule", one_in(4, re.split(r"\n(?=[a-z])", RFC_5234)))
def test_the_abnf_of_abnf_reads_each_of_its_rules(rule: str) -> None:
    text = rule.rstrip("\n").replace("\n", "\r\n") + "\r\n"

    assert OF_ABNF.parse(text).data == "rule"


@pytest.mark.night
def test_the_abnf_of_abnf_reads_itself() -> None:
    text = RFC_5234.replace("\n", "\r\n")
    lists = Lark(from_ebnf(RFC_5234, "abnf"), start="rulelist", parser="earley")

    assert len(list(lists.parse(text).find_data("rule"))) >= 21


def test_the_core_rules_of_abnf_are_those_of_their_productions() -> None:
    file = grammars.path("notations/abnf")
    found = re.findall(r"^// ([A-Z]+) (= .*)$", grammars.text_of(file), re.MULTILINE)
    text = from_ebnf("\n".join(map(" ".join, found)), "abnf")
    ends = ["a", "Z", "7", "1", "F", "f", " ", "\t", "\r", "\n", "\r\n", '"', "\x7f", "\xff", "~"]

    assert len(found) == 16
    for name, _ in found:
        theirs = Lark(text, start=name.lower(), parser="earley")
        for sentence in ["", *ends]:
            assert takes(theirs, sentence) == acceptance(file, name.lower())(sentence), name


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
            made = [Sampler(ours, rule).sentence(dice) or "" for _ in range(5)]
            for text in [*made, "", "1.", "+", "B1", "b"]:
                assert acceptance(theirs, rule)(text) == acceptance(ours, rule)(text), (rule, text)


def test_a_grammar_and_its_translation_differ_in_nothing_that_they_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sgf_lark.workbench.compare._MAX_SHORT_TEXTS", 500)
    file = tmp_path / "mine.lark"
    file.write_text(from_ebnf('Move = Digit Digit | "pass".\nDigit = "1".."6".'), encoding="utf-8")
    other = tmp_path / "other.lark"
    other.write_text(
        'move: (DIGIT DIGIT) | "pass"\nDIGIT: "1".."6"\ndigit: DIGIT', encoding="utf-8"
    )
    found = list(islice(differences(grammars.source(file), grammars.source(other)), 5))

    assert not any(change.only_before or change.only_after for change in found)


#: The same as SMALL, in the notation of ISO 14977.
ISO = """\
List = "(", [ Item, { ",", Item } ], ")" ; (* a list *)
Item = List | Letter, { Letter } ;
Letter = "a" | 'b' | ?/c/? | "\\" ;
"""


def test_commas_and_semicolons_are_those_of_iso_14977() -> None:
    made = Lark(from_ebnf(ISO), start="list", parser="earley")

    assert Notation.of(ISO) is Notation.WIRTH
    assert Notation.of('List = "(", Item ;\nItem = "a" ;\n') is Notation.WIRTH
    assert Notation.of("list = item / letter ;\nitem = 1*letter ;\n") is Notation.ABNF
    for text in ("((a),bc,\\a)", "()", "(a", "(a,)"):
        assert takes(made, text) == takes(OURS, text), text


def test_trees_keep_the_texts_that_a_choice_depends_on() -> None:
    text = 'Sum = Sign [ "0" ] Sign { "," Sign }.\nSign = "+" | "-".\nName = "x" Sign.'
    tree = Lark(from_ebnf(text), start="sum").parse("+0-")

    assert [line.partition(":")[0] for line in from_ebnf(text).splitlines() if ":" in line] == [
        "!sum",
        "!sign",
        "name",
    ]
    assert [*tree.scan_values(bool)] == ["+", "0", "-"]


#: A part of the standard of PGN, in whose notation each line is an alternative.
OF_PGN = """
<movetext-section> ::= <element-sequence> <game-termination>

<element-sequence> ::= <element> <element-sequence>
                       <empty>

<element> ::= e4
              ( <element-sequence> )

<game-termination> ::= 1-0
                       *
<empty> ::=
"""

#: A notation as in books, with bars.
OF_BOOKS = """
; sums
<sum-of-terms> ::= <term>
  | <sum-of-terms> '+' <term>
<term> ::= 1|2 | ( <sum-of-terms> )
"""


def test_bnf_has_alternatives_in_lines_where_it_has_no_bars() -> None:
    text = from_ebnf(OF_PGN)
    parser = Lark(text, start="movetext_section")

    assert "//= <element> ::= e4\n//= ( <element-sequence> )\n" in text
    assert [line for line in text.splitlines() if "element" in line[:8]] == [
        "element_sequence: element element_sequence | empty",
        '!element: "e4" | "(" element_sequence ")"',
    ]
    assert takes(parser, "e4(e4)1-0")
    assert not takes(parser, "e4(e4*")


def test_bnf_with_bars_has_productions_of_many_lines() -> None:
    text = from_ebnf(OF_BOOKS)

    assert text.splitlines()[:2] == [
        "//= <sum-of-terms> ::= <term> | <sum-of-terms> '+' <term>",
        'sum_of_terms: term | sum_of_terms "+" term',
    ]
    assert takes(Lark(text, start="sum_of_terms"), "1+(2+1)")


@pytest.mark.parametrize(
    ("text", "notation"),
    [(SMALL, "wirth"), (ABNF, "abnf"), (W3C, "w3c"), (OF_PGN, "bnf"), (OF_BOOKS, "bnf")],
)
def test_the_notation_of_productions_is_seen_by_their_text(text: str, notation: str) -> None:
    assert from_ebnf(text) == from_ebnf(text, notation)


@pytest.mark.parametrize("name", ["ff1", "ff3", "ff4", "ggf"])
def test_the_notation_of_the_standards_is_seen_by_their_text(name: str) -> None:
    text = (Path(__file__).parents[1] / "grammar/standards" / f"{name}.ebnf").read_text("utf-8")

    assert Notation.of(text) is Notation.WIRTH


def test_an_error_says_by_which_notation_a_text_is_read() -> None:
    with pytest.raises(SgfSyntaxError) as caught:
        from_ebnf("a ::= (b")

    assert caught.value.first.help == "this is read as W3C; --notation names another one"
