"""Grammars in the notations of other tools say what these cannot say, and nothing else is lost."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sgf_lark import typed_grammar
from sgf_lark.core.engine.plan import UntranslatableError
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import GrammarSource
from sgf_lark.workbench.compare import GrammarChange, differences
from sgf_lark.workbench.ebnf import from_ebnf
from sgf_lark.workbench.export import export
from sgf_lark.workbench.parse_state import parse
from sgf_lark.workbench.patterns import ESCAPED_STRING, simplify


def read_back(grammar: str) -> list[GrammarChange]:
    """The differences of a grammar from its export to W3C's notation, read again.

    Priorities of terminals are left out: the head of the export says that it has none.
    """
    file = grammars.path(grammar)
    text = from_ebnf(export(file, "w3c"), "w3c")
    own = re.sub(r"^(\w+)\.\d+:", r"\1:", grammars.text_of(file), flags=re.MULTILINE)
    return list(differences(GrammarSource(file, own), GrammarSource(Path("back.lark"), text)))


def made(text: str, target: str, start: str | None = None) -> str:
    return export(GrammarSource(Path("made.lark"), text), target, start)


def test_a_grammar_without_gaps_in_its_trees_is_equal_when_it_is_read_back() -> None:
    assert read_back("ff1") == []


@pytest.mark.parametrize(
    "grammar", ["ff3", *(pytest.param(name, marks=pytest.mark.night) for name in ("ff4", "ggf"))]
)
def test_a_grammar_that_is_read_back_takes_the_same_texts(grammar: str) -> None:
    for change in read_back(grammar):
        assert change.otherwise, change  # a gap in the tree, as the head says
        assert (change.only_before, change.only_after) == ((), ()), change


def test_an_export_says_what_its_notation_does_not() -> None:
    text = 'a: [B] "c" -> d\n!b: "x"~2\nB.1: /x(?>y|[yz]z)/\n%ignore / +/'
    head = made(text, "w3c").partition("\n\n")[0]
    assert [line.strip("/* ") for line in head.splitlines()] == [
        "Not expressed for w3c:",
        "B: lookarounds, atomic groups, lazy repetitions",
        "priorities of terminals",
        "->: names of alternatives in the tree",
        "[x]: a part that is missing leaves no gap in the tree",
        "marks and priorities of rules",
    ]


def test_what_is_ignored_is_marked_in_w3c_and_read_back() -> None:
    text = made('a: B+ "c"~2..3\nB: "b"i\n%ignore / +/', "w3c")
    assert text.splitlines()[1:] == [
        'a ::= B+ "c" "c" "c"?',
        "<?TOKENS?>",
        "B ::= [bB]",
        'IGNORE_0 ::= " "+ /* ws: definition */',
    ]
    back = GrammarSource(Path("back.lark"), from_ebnf(text))
    assert parse(" B b  c c", back, "a").finding is None


@pytest.mark.parametrize(
    ("text", "target", "reason"),
    [
        (r"a: /\bx/", "w3c", r"/\bx/: a boundary"),
        (r"a: /\bx/", "textmate", r"/\bx/: a boundary"),
        (r"a: B\nB: /(?<!x)y/", "llguidance", "B: a lookbehind"),
        (r"a: B\nB: /(?P<q>['x])y(?P=q)/", "gbnf", "B: a back-reference"),
        (r"a: B\nB: /(x)?(?(1)y|z)/", "w3c", "B: a choice by an earlier group"),
        ("a: pair{B}\npair{x}: x x\nB: /b/", "llguidance", "a template"),
        ("a: B\nB: /b{20}/", "w3c", "a part is repeated 20 to 20 times"),
        ("%declare B\na: B", "w3c", "B: declared only"),
        ("a: start\nstart: /x/", "llguidance", "start: not the rule"),
        ('a: _b b\n_b: "x"\nb: "y"', "gbnf", "b: the same name as _b"),
        ('a: ignored\nignored: "x"\n%ignore " "', "gbnf", "ignored: the same name as"),
        (r'a: B C\nB: /"[^"]*"/\nC: /"x[^"]*"/', "textmate", "it begins as C does"),
    ],
)
def test_an_export_that_would_lie_is_refused(text: str, target: str, reason: str) -> None:
    with pytest.raises(UntranslatableError) as caught:
        made(text.replace(r"\n", "\n"), target)

    assert reason in f"{caught.value.rule}: {caught.value.reason}"


def test_lookaheads_near_the_beginning_become_intersections_for_llguidance() -> None:
    text = made(r"a: B" + "\n" + r"B: /\[(?=[^\]])(?!x)[a-z\\]*+\]/", "llguidance")
    assert text.splitlines()[2:] == [
        "start: a",
        "a: B",
        r'B: "[" /[\x5ca-z]/* "]" & ("[" /[^\x5d]/ /(?s:.*)/) & ~("[x" /(?s:.*)/)',
    ]


def test_a_repetition_is_of_all_that_is_between_its_brackets() -> None:
    text = 'a: ("b\\n")+ (C+)? "de"*\nC: "c"'
    assert made(text, "w3c").splitlines()[1] == 'a ::= ("b" #xA)+ C* ("de")*'


def test_llguidance_has_no_names_with_two_lines_before_them_and_no_codes_above_ascii() -> None:
    text = made('start: "\u9ed2"\n%ignore / /', "llguidance")
    assert text.splitlines()[2:] == ['start: "\u9ed2"', '_IGNORE_0: " "', "%ignore _IGNORE_0"]


def test_in_gbnf_what_is_ignored_stands_behind_each_token() -> None:
    text = made('start: "(" start ")" | none B\nnone:\nB: "b" | /[^c]d/\n%ignore / +/', "gbnf")
    assert text.splitlines() == [
        "# Not expressed for gbnf:",
        "#   tokens: one may end before the longest text that it matches",
        "",
        "root ::= ignored start-rule",
        'start-rule ::= "(" ignored start-rule ")" ignored | none b-token',
        'none ::= ""',
        'b-token ::= ([^c] "d" | "b") ignored',
        'ignore-0-token ::= " "+',
        "ignored ::= (ignore-0-token)*",
    ]


def textmate(text: str) -> dict[str, Any]:
    """The patterns of a grammar by their names."""
    found: dict[str, Any] = json.loads(made(text, "textmate"))["repository"]
    return found


def test_the_scope_of_a_token_tells_its_kind() -> None:
    found = textmate(
        'a: "if" "%do" NAME NUMBER _PLUS SIGN REST\nNAME: /!?[a-z]+/\nNUMBER: /-?[0-9]+/\n'
        '_PLUS: "+"\nSIGN: /[#%]/\nREST: /~[^~]*~/\n%ignore " "\n%ignore /--[^\\n]*/'
    )
    assert {name: pattern["name"] for name, pattern in found.items()} == {
        "IF": "keyword.other.if",
        "__ANON_0": "keyword.other.anon-0",
        "NAME": "variable.other.name",
        "NUMBER": "constant.numeric.number",
        "_PLUS": "punctuation.plus",
        "SIGN": "punctuation.sign",
        "REST": "string.quoted.rest",
        "__IGNORE_0": "meta.ignore-0",
        "__IGNORE_1": "comment.block.ignore-1",
    }


def test_a_token_that_may_have_several_lines_is_between_its_ends_or_named() -> None:
    found = textmate("a: B\nB: /(?!%%)%(?:[^%\\\\]|\\\\(?s:.))*%/")
    assert (found["B"]["begin"], found["B"]["end"]) == ("(?![%][%])[%]", "[%]")
    assert found["B"]["patterns"] == [{"match": r"\\[\s\S]", "name": "constant.character.escape"}]
    text = made("a: C\nC: /%(?s:.)+/", "textmate")
    assert "  C: it is read within one line" in json.loads(text)["information_for_contributors"]


@pytest.mark.parametrize(
    ("grammar", "game", "above"),
    [("ff1", "game_tree", []), ("ff4", "game_tree", []), ("ggf", "game", ["COUNT"])],
)
def test_what_is_between_games_is_a_comment(grammar: str, game: str, above: list[str]) -> None:
    found = json.loads(export(grammars.path(grammar), "textmate"))
    *names, other = found["patterns"]
    assert found["scopeName"] == f"source.{grammar}"
    assert [one["include"] for one in names] == [f"#{name}" for name in (game, *above)]
    assert other["name"] == "comment.block.between"
    inside = found["repository"][game]["patterns"]
    assert inside[0] == {"include": f"#{game}"}
    assert inside[-1] == {"match": r"\S", "name": "invalid.illegal"}


@pytest.mark.parametrize(
    ("pattern", "is_exact"),
    [
        (r"\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\]", True),
        (r"a*+b", True),
        (r"a*+a", False),
        (r"(?>a|[ab]c)c", False),
        (r"a*?b", False),
        (r"(?>y|yz)c", False),
        (r"(?>yz|y)c", True),
        (r"(?>a*|b)c", False),
        (r"(?s:.*?)b", False),
        (r"(?:ab?)*+b", False),
        (r"a(?!b)c", True),
        (r"a(?:(?!b)c|d)", False),
        (r"[^a]\Z", False),
    ],
)
def test_a_simple_pattern_matches_the_same_texts_where_the_next_character_decides(
    pattern: str,
    is_exact: bool,  # noqa: FBT001  # the second of each pair
) -> None:
    assert simplify(pattern).is_exact == is_exact


def test_the_game_and_size_that_are_given_are_fixed() -> None:
    text = typed_grammar("ff4", "go", 9, fixed=True)
    assert 'GM_NAME "[1]"' in text
    assert 'SZ_NAME "[9]"' in text
    assert 'SZ_NAME "[9:13]"' in typed_grammar("ff4", "go", (9, 13), fixed=True)
    assert 'GM_NAME "[Othello]"' in typed_grammar("ggf", "othello", 8, fixed=True)
    assert "GM_NAME NUMBER_VALUE" in typed_grammar("ff4", size=9, fixed=True)
    assert typed_grammar("ff4", fixed=True) == typed_grammar("ff4")


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        (r"\d+", "[0-9]+"),
        (r"[\w.]", "[.0-9A-Z_a-z]"),
        (r"\s", "[ #x9-#xD]"),
        (r"[^\s]", "[^ #x9-#xD]"),
        (r"(?a:\d)", "[0-9]"),
    ],
)
def test_classes_are_written_as_their_ascii_characters_and_the_head_says_so(
    pattern: str, written: str
) -> None:
    text = made(f"a: B\nB: /{pattern}/", "w3c")

    assert text.splitlines()[-1] == f"B ::= {written}"
    assert ("ASCII characters alone" in text) == ("(?a" not in pattern)


@pytest.mark.parametrize("target", ["llguidance", "gbnf", "textmate", "w3c"])
def test_the_escaped_strings_of_lark_are_exported_as_the_same_strings(target: str) -> None:
    text = made("a: ESCAPED_STRING\n%import common.ESCAPED_STRING", target)

    assert "lookaround" not in text


def test_escaped_strings_end_where_lark_ends_them() -> None:
    theirs, ours = map(re.compile, ESCAPED_STRING)
    for text in map("".join, product('"\\a\n', repeat=6)):
        ends = [
            found and found.end() for found in (theirs.match(f'"{text}'), ours.match(f'"{text}'))
        ]

        assert ends[0] == ends[1]


def test_the_lines_of_a_head_are_wrapped() -> None:
    text = export(grammars.path("ff4"), "w3c", head=["word " * 50, "  entry: " + "word " * 30])
    head = text.partition("\n\n")[0].splitlines()

    assert max(map(len, head)) <= 88
    assert any(line.startswith("/*     word") for line in head)
