"""The generated engine gives what Lark gives, and knows what it cannot do."""

import random
import re
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from lark import Lark, Transformer
from lark.exceptions import GrammarError
from support.engines import REFUSED, Lists, by_lark, by_parser, parser_of
from support.grammar_files import some_by_day
from support.lanes import amount, one_in
from support.sentences import mutated, sentences

import sgf_lark
from sgf_lark.core.engine.plan import UntranslatableError
from sgf_lark.core.engine.regex import beginning, first_of, left_out, longest
from sgf_lark.core.grammar import grammars
from sgf_lark.workbench.parse_state import parse_tree

GRAMMARS = {
    "json without recursion in values": r"""
        start: object
        object: "{" [pair ("," pair)*] "}"
        pair: STRING ":" (STRING | NUMBER | TRUE)
        STRING: /"[^"]*"/
        NUMBER: /-?[0-9]+/
        TRUE: "true"
        %ignore " "
    """,
    "ini": r"""
        start: section*
        section: "[" NAME "]" _NL (entry _NL)*
        entry: NAME "=" VALUE?
        NAME: /[a-z]+/
        VALUE: /:[^\n]*/
        _NL: /\n+/
    """,
    "names and places": r"""
        start: [A] B -> one
             | C [A] [B] -> two
             | "(" (pair{A, D} ",")* ")" -> three
             | pair{A, D} -> four
        pair{x, y}: "<" x [y] ">"
        A: /a/i
        B: "b"
        C.2: "cc"
        D: "d"
    """,
    "priorities, flags and counts": r"""
        start: (line _NL)~2..4
        line: word~1..3 | "-" NUMBER~2
        ?word: KEY | NAME | (GROUPED)
        KEY.2: /if|else/
        NAME: /[a-z]+/i
        GROUPED: /\.(x|(y)z)+/
        NUMBER: /[0-9]/
        _NL: "\n"
        %ignore " "
    """,
    "classes of characters": r"""
        start: object | array | value
        ?value: STRING | NUMBER | WORD
        object: "{" [pair ("," pair)*] "}"
        pair: STRING ":" value
        array: "[" [value ("," value)*] "]"
        STRING: /"(?:[^"\\]|\\.)*"/
        NUMBER: /-?\d+/
        WORD: /[^\W\d]\w*/
        %ignore /\s+/
    """,
}
ALPHABETS = {
    "json without recursion in values": '{},:"a1true- ',
    "ini": "[]a=:\n ",
    "names and places": "aAbc(),<>d",
    "priorities, flags and counts": "iflseX.xyz-12\n ",
    "classes of characters": '{}[],:"a1-_é٣\u2003\xa0\\\n',
}
VALID = {
    "json without recursion in values": ["{}", '{"a":1}', '{ "a" : true , "b" : "c"}'],
    "ini": ["", "[a]\n", "[a]\nb=:c\nd=\n\n[e]\n"],
    "names and places": ["b", "Ab", "cc", "cca", "ccab", "(<a>,<Ad>,)", "<a>", "<Ad>", "()"],
    "priorities, flags and counts": ["if x\nelse\n", ".xyz.x\n- 1 2\nA B C\n", "- 1 2\nifs\n"],
    "classes of characters": ["[]", '{"a": é1,\u2003"\\"": -٣}', "[1,\t-٣, x]", "-1 "],
}


def test_all_grammars_that_are_tested_are_made() -> None:
    assert set(GRAMMARS) == set(ALPHABETS) == set(VALID)


@pytest.mark.parametrize("name", GRAMMARS)
def test_a_parser_is_made_from_any_grammar_that_does_not_nest(name: str) -> None:
    lark = Lark(GRAMMARS[name], parser="lalr")
    parser = parser_of(lark, "start")

    for text in VALID[name]:
        assert by_parser(parser, text, Lists()) == by_lark(lark, text, Lists()) != REFUSED


@pytest.mark.both_lanes
@pytest.mark.parametrize("places", [True, False])
@pytest.mark.parametrize("name", GRAMMARS)
def test_both_engines_accept_and_refuse_the_same_texts(name: str, *, places: bool) -> None:
    lark = Lark(GRAMMARS[name], parser="lalr", maybe_placeholders=places)
    parser = parser_of(lark, "start")
    pieces = [*ALPHABETS[name], *VALID[name], *(text[1:] for text in VALID[name])]

    @given(st.lists(st.sampled_from(pieces), max_size=14).map("".join))
    def same(text: str) -> None:
        assert by_parser(parser, text, Lists()) == by_lark(lark, text, Lists())

    same()


#: So many texts for each shipped grammar.
EXAMPLES = amount(60, 8_000)

#: What tokens of shipped grammars are made of, and such as need more than three pieces.
PIECES = (*"019aBkz;:/[]()\\ \n,.-+é\0", "GM", "1996")
WORDS = (
    *(
        "1996-05",
        "1996-05-06",
        ",1997",
        ",1997-08",
        ",1997-08-09",
        ",10-11",
        "123456",
        "\t",
        "\\\t",
        "r18",
    ),
    *("T", "R", "F", "Resign", "Time", "Forfeit", "Draw", "Void", "double", "take", "drop", "w"),
    *("c", "n", "swap-pieces", "resign", "tried", "lock", "escape", "black", "NONE", "standard"),
    *("*", "O", "n5", "end", "pass", "off", "bar", "[a]", "S", "?", "UTF-8", "English", "x", "P"),
    *("黑", "흑방", "黒番", "白棋", "백", "中押し", "불계", "超时", "시간", "胜", "승"),
    *("负", "패", "投了", "认输", "기권", "3子", "1/4", "先", "受先"),
    *("(;A[", "( ;FF[", "（；", "(；", "［pd］", "（", "Ｂ"),  # noqa: RUF001  # in full width, too
    *(
        "和棋",
        "无胜负",
        "43.5目",
        "3目半",
        "반집",
        "182수",
        "共9手完",
        "年",
        " 月 ",
        "日",
        "X",
        "对子",
        "让",
    ),
    *("三", "子", "1996", "5", "27", " "),
    *("t", "l", "length:", "game:", "bs:", "e4", "e2-e4", "6", "b", "d"),
)


@pytest.mark.both_lanes
@pytest.mark.no_cover
@pytest.mark.parametrize(
    "name", some_by_day(one for one in grammars.names() if "notations" not in one)
)
def test_every_rule_of_a_shipped_grammar_is_read_alike_by_both_engines(name: str) -> None:
    file = grammars.path(name)
    starts = [one for one in grammars.rules(file) if not one.startswith("_")]
    starts = [one for one in starts if one != "other_files"]  # tests/check has a text of each
    for start in starts:
        of_value = start not in grammars.in_structure(file)
        try:
            lark = (grammars.value if of_value else grammars.structure)(file, start)
        except GrammarError:  # one of several types of value: which one, the table says
            continue
        parser = grammars.generated(file, start, of_value=of_value)
        if lark is None or parser is None:
            continue
        dice = random.Random(f"{name} {start}")  # noqa: S311  # the same texts each time
        gaps = ("",) if of_value else ("", "", " ", "\n")
        made = sentences(lark, start, dice, PIECES, gaps, WORDS)
        for text in islice(made, EXAMPLES // (2 * len(starts)) + 1):
            for one in (text, mutated(text, dice, PIECES)):
                told = f"{start}: {one!r}"
                assert by_parser(parser, one, Lists()) == by_lark(lark, one, Lists()), told


@pytest.mark.parametrize(
    "rules",
    [
        "start: days more*\nmore: C days\ndays: A (B | A)*",
        "start: [A] [B] C*\nA.3: /,1/",
        "start: (A B)* C?\nC.1: /,12/",
        "start: A+ B* [C]\nC.2: /,1/",
        "start: (A B?)* C*\nB.1: /,1-/",
        "start: (A B*)+ C*\n%ignore /[ ]/",
    ],
)
def test_the_order_of_terminals_may_tell_where_a_part_ends(rules: str) -> None:
    terminals = {"A": "/,1/", "B": "/,12?/", "C": "/,1-?/"}
    missing = (
        f"{name}: {pattern}" for name, pattern in terminals.items() if f"\n{name}." not in rules
    )
    lark = Lark("\n".join([rules, *missing]), parser="lalr")
    parser = parser_of(lark, "start")

    for length in range(1, 5):
        for pieces in product([",1", "2", "-", " ", ","], repeat=length):
            text = "".join(pieces)
            assert by_parser(parser, text, Lists()) == by_lark(lark, text, Lists()), text


def test_dates_are_one_expression_that_accepts_what_lark_accepts() -> None:
    file = grammars.path("ff4")
    parser, lark = grammars.generated(file, "dates", of_value=True), grammars.value(file, "dates")
    assert parser is not None
    assert lark is not None

    for count in range(1, 5):
        for pieces in product(["2000", "1999-12", "1999-12-31", "01", "02-03", "4"], repeat=count):
            text = ",".join(pieces)
            assert by_parser(parser, text, Lists()) == by_lark(lark, text, Lists()), text


@pytest.mark.parametrize(
    ("grammar", "reason"),
    [
        ('start: start "a" | "a"', "it is left-recursive"),
        ('start: "(" start* ")"', "it refers to itself"),
        ('start: tree+\ntree: "(" tree* ")"', "it refers to itself"),
        (
            'start: "a" "b" | /a+/ "c"',
            "FIRST/FIRST conflict: two alternatives begin alike",
        ),
        ('start: /a+/* "a"', "FIRST/FIRST conflict: two alternatives begin alike"),
        ('start: /a(?=b)/ "b"', "it has a lookaround or a back-reference"),
        ('start: "a"+ " " "b"\n%ignore " "', "it may begin like what the grammar ignores"),
        ('start: one one /./ "b"\none: /[a-c]/', "its followers depend on the place of its use"),
        ('start: ([A] "b")*\nA: "a"', "it puts None in place of an absent part"),
        ("start: /(a)\\1/", "it has a lookaround or a back-reference"),
    ],
)
def test_what_cannot_be_translated_is_named_with_its_reason(grammar: str, reason: str) -> None:
    lark = Lark(grammar, parser="lalr")

    with pytest.raises(UntranslatableError) as caught:
        parser_of(lark, "start")

    assert caught.value.reason == reason
    assert str(caught.value).endswith(reason)


@pytest.mark.parametrize(
    ("pattern", "characters"),
    [
        (",[01]{2}-", [",", "01", "01", "-"]),
        ("(?:(?:ab|cd)e)", []),
        ("(?:a(?>bc))+d", ["a", "b", "c"]),
        ("ab{2,3}c", ["a", "b", "b"]),
        ("ab?c", ["a"]),
        ("(?:ab+){2}c", ["a", "b"]),
        ("a{20}b", ["a"] * 8),
        ("(?:0[1-3]){2}x", ["0", "123", "0", "123", "x"]),
    ],
)
def test_the_first_characters_of_a_pattern_are_known_as_far_as_all_matches_have_them(
    pattern: str, characters: list[str]
) -> None:
    assert [{*map(chr, chars.low)} for chars in beginning(pattern)] == [*map(set, characters)]


def test_methods_get_what_lark_gives_them() -> None:
    class Shout(Transformer[Any, Any]):
        def WORD(self, token: Any) -> str:
            return str(token).upper()

        def list(self, children: list[Any]) -> tuple[Any, ...]:
            return tuple(children)

    rules = 'start: list*\nlist: "(" WORD* ")"\nWORD: /[a-z]+/\n%ignore /[ \\n]+/'
    lark = Lark(rules, parser="lalr")
    parser = parser_of(lark, "start")

    text = "(a) (b c) ()"

    assert parser.parse(text, Shout()) == Shout().transform(lark.parse(text))


@pytest.mark.parametrize(
    ("pattern", "characters", "empty"),
    [
        ("abc", "a", False),
        ("[a-c]x", "abc", False),
        ("a?b", "ab", False),
        ("(?:a|b)*", "ab", True),
        ("(?i:a)", "aA", False),
        ("(?>a)b", "a", False),
        ("a++b", "a", False),
    ],
)
def test_the_first_characters_of_a_pattern_are_known(
    pattern: str,
    characters: str,
    empty: bool,  # noqa: FBT001
) -> None:
    first, may_be_empty = first_of(pattern)

    assert first.low == frozenset(map(ord, characters))
    assert may_be_empty is empty


@pytest.mark.parametrize(
    ("pattern", "characters"),
    [
        (r"[^\\\]]+", "\\]"),
        ("[^a-c]+", "abc"),
        ("[^a]", ""),
        ("[^a]*", ""),
        ("[abc]+", ""),
        (r"[^\s]+", ""),
        ("[^\u68cb]+", ""),
        ("[^\x00-\uffff]+", ""),
        ("(?i:[^a])+", ""),
    ],
)
def test_the_characters_that_a_run_leaves_out_are_known(pattern: str, characters: str) -> None:
    assert left_out(pattern) == characters


@pytest.mark.parametrize(("pattern", "most"), [("a|bcd", 3), (r"\\(?:\r\n|\n)", 3), ("a{2,5}", 5)])
def test_the_length_of_the_longest_match_is_known(pattern: str, most: int) -> None:
    assert longest(pattern) == most


@pytest.mark.parametrize(
    "pattern",
    [r"\s", r"\S", r"\d", r"\W", r"[^\W\d]", r"[^\sé]", "[^x]", ".", r"(?s:.)", r"(?a:\d)"],
)
def test_classes_begin_with_their_characters_and_with_no_others(pattern: str) -> None:
    first, _ = first_of(pattern)

    for char in (*map(chr, range(256)), "\u2003", "\u0663", "\u0431", "\u2192"):
        alone, _ = first_of(re.escape(char))
        if ord(char) < 256 or re.fullmatch(pattern, char):  # others are of a kind
            assert first.meets(alone) is bool(re.fullmatch(pattern, char)), char
    assert first_of(r"\s")[0].meets(first_of(r"\w")[0]) is False


RECORDS = [
    "(;FF[4]GM[1]C[a\\]b\\\\] ;B[aa]\n(;W[bb];B [cc][dd])(;W[]))(;FF[3]N[x]) junk (;)",
    "(;GM[Othello]PB[a]BO[4 ---- -O*- -*O- ---- *]B[A2//7.50]W[A1];) 1 (;GM[Othello];)",
    "(;FF[4](B[aa];W)(;C[x)",
    "((;FF[4]);;",
    "(;FileFormat[1]GaMe[1];Black[aa];White[bb])",
    "(" * 2_000 + ";FF[4]" + ")" * 2_000,
    "(;FF[4]" + "(;B[aa]" * 2_000 + ")" * 2_001,
]


@pytest.mark.parametrize("text", one_in(3, RECORDS), ids=lambda text: text[:20])
def test_records_are_read_alike_by_both_engines(text: str) -> None:
    generated = sgf_lark.loads(text, strict=False, engine="generated")
    reference = sgf_lark.loads(text, strict=False, engine="lark")

    assert generated == reference
    assert [one.span for game in generated for one in game.nodes] == [
        one.span for game in reference for one in game.nodes
    ]


@pytest.mark.parametrize("grammar", ["ff1", "ff3", "ff4", "ggf"])
def test_the_structure_of_every_format_is_translated(grammar: str) -> None:
    parser = Lark.open(str(Path(grammars.path(grammar))), parser="lalr", start="property")

    assert parser_of(parser, "property").parse("B[aa]", Lists()) == [
        "property",
        "PROP_IDENT=B",
        "PROP_VALUE=[aa]",
    ]
    assert parse_tree("(;C[x];)" if grammar == "ggf" else "(;C[x])", grammar).children
