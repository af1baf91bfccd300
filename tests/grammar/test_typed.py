"""The typed grammar in Lark's notation accepts what the reader accepts."""

from __future__ import annotations

import io
import re
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from support.lanes import amount, one_in
from support.typed import BY_LARK, TEXTS

import sgf_lark
from sgf_lark import GAMES, Format, Game, PropertyRule, PropertyTable, grammar_limits, typed_grammar
from sgf_lark.core.grammar import grammars
from sgf_lark.core.schema.games import GO, TYPES_OF_GAMES, ggf_game
from sgf_lark.core.schema.properties import Category, Count
from sgf_lark.core.schema.value_types import VALUE_TYPES
from sgf_lark.core.values.reader import reader
from sgf_lark.workbench.samples import random_records
from sgf_lark.workbench.typed import TypedProperties
from sgf_lark.workbench.typed_grammar import regular_expression

TABLE = PropertyTable.standard()

#: Games with a usual board.
SIZES = {1: 19, 2: 8, 9: 8, 11: 11, 18: 10, 19: 9, 20: 20, 21: 24}


@cache
def parser(text: str, format: Format = Format.FF4) -> Lark:
    return Lark(text, parser="lalr", start="file" if format is Format.GGF else "collection")


@cache
def any_size(format: Format, game: Game) -> Lark:
    return parser(typed_grammar(format, game), format)


def accepts(lark: Lark, text: str) -> bool:
    try:
        lark.parse(text)
    except UnexpectedInput:
        return False
    return True


def in_root(format: Format, text: str) -> str:
    return f"(;{text};)" if format is Format.GGF else f"(;{text})"


#: A value of each type, so that those of a new game are among the texts.
EXAMPLES = [text for kind in (*VALUE_TYPES, *TYPES_OF_GAMES) for text in kind.examples]


@BY_LARK
def test_every_row_takes_a_value_and_refuses_one_as_the_reader_does(
    format: Format, game: Game
) -> None:
    lark = any_size(format, game)
    one = reader(format, game)
    wrong = []
    for ident, row in TypedProperties(one, TABLE).items():
        rule = row.rule
        texts = [text for text in (*TEXTS, *EXAMPLES) if len(text) < 400 and "\\" not in text]
        verdicts = {
            text: one.fits(rule, text) and not one.read_property(rule, (text,)).problems
            for text in texts
            if text or rule.count is not Count.ELIST
        }
        for verdict in (True, False):
            text = next((text for text, is_value in verdicts.items() if is_value is verdict), None)
            if text is not None and accepts(lark, in_root(format, f"{ident}[{text}]")) != verdict:
                wrong.append((ident, text, verdict))
        assert True in verdicts.values(), ident

    assert wrong == []


@BY_LARK
def test_records_without_errors_have_the_tree_of_the_format(format: Format, game: Game) -> None:
    lark = any_size(format, game)
    file = grammars.path(format.grammar)
    usual = grammars.structure(file, grammars.first_rule(file))
    compared = 0
    for text in islice(random_records(format, game, seed=str(game.name), size=6), amount(25, 60)):
        report = sgf_lark.check(io.StringIO(text), format=format)
        if not any(finding.code[0] in "VD" for finding in report):
            assert plain(lark.parse(text)) == plain(usual.parse(text)), text
            compared += 1

    assert compared > 1


def plain(tree: Tree[Token]) -> list[object]:
    """A tree without the names of its tokens."""
    return [
        tree.data,
        *(plain(part) if isinstance(part, Tree) else str(part) for part in tree.children),
    ]


@pytest.mark.parametrize("number", one_in(8, SIZES))
def test_a_size_limits_the_points(number: int) -> None:
    game, size = GAMES[number], SIZES[number]
    lark = parser(typed_grammar("ff4", game, size))
    inside = {1: "ss", 2: "h8", 9: "h8-a1", 11: "k11", 18: "jjaajj", 19: "99", 20: "tt:aa"}
    outside = {1: "st", 2: "h9", 9: "h9-a1", 11: "k12", 18: "jjaajk", 19: "90", 20: "ut:aa"}

    assert accepts(lark, f"(;B[{inside.get(number, 'x24')}])")
    assert not accepts(lark, f"(;B[{outside.get(number, 'x25')}])")


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[1]SZ[9]KM[6.5];B[aa]C[a\\]b];W[](;B[bb])(;AB[aa:cc][dd]\n VW[ ] [aa])",
        "(;FF[4];B[aa]FF[4])",
        "(;B[aa]AB[bb])",
        "(;AB[aa]B[bb])",
        "(;C[a][b])",
        "(;AB[])",
        "(;B[aa]XX[private])",
        "(;KM[six])",
        "(;AddBlack[aa])",
        "(;B[aa]BX[bb])",
        "(;)",
        "()",
        "",
    ],
)
def test_a_node_has_what_may_be_together(text: str) -> None:
    lark = parser(typed_grammar("ff4", "go", 9))

    assert accepts(lark, text) is (text == "(;)")


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[1]SZ[9]KM[6.5];B[aa]C[a\\]b];W[](;B[bb]BM[1])(;AB[aa:cc]\n[dd]VW[]DD[aa] [bb]))",
        "(;B[aa]GM[1];W[bb]PB[game-info in a later node]) (;AB[aa]SZ[9])",
        "(\n;C[a]\n;)",
    ],
)
def test_a_right_record_is_accepted(text: str) -> None:
    assert accepts(parser(typed_grammar("ff4", "go", 9)), text)


def test_the_old_formats_have_long_names_and_mix_setup_with_moves() -> None:
    for format in ("ff1", "ff3"):
        lark = parser(typed_grammar(format, "go"))

        assert accepts(lark, "(;SiZe[9];Black[aa]AddWhite [bb][cc]aBb[dd]x)") is False
        assert accepts(lark, "(;SiZe[9];Black[aa]AddWhite [bb]\n[cc]Comment[x])")
        assert accepts(lark, "(;PlayerBlack[x]PW[y];MA[aa])") is (format == "ff3")
        assert not accepts(lark, "(;ABC[aa])")


def test_a_record_of_ggf_is_a_flat_list() -> None:
    lark = parser(typed_grammar("ggf", "othello"), Format.GGF)
    text = "(;GM[Othello]PB[a]TY[8]BO[4 ---- -O*- -*O- ---- *]B[d3//1.2]W[PASS];)"

    assert accepts(lark, f"{text}2{text}{text}")
    assert not accepts(lark, text.replace("d3", "z3"))
    assert not accepts(lark, text.replace("[8]", "[7]"))


def test_custom_rows_and_types_are_in_it(tmp_path: Path) -> None:
    table = TABLE.extend(
        PropertyRule(format="FF4", ident="TT", type="real", category=Category.MOVE),
        PropertyRule(format="FF4", ident="XX", type="strange"),
        PropertyRule(format="FF4", ident="A1", type="real"),
    )
    own = tmp_path / "own.lark"
    text = grammars.text_of(grammars.path("ff4"))
    own.write_text(text.replace('("." DIGIT+)?', '(("." | ",") DIGIT+)?', 1), encoding="utf-8")
    lark = parser(typed_grammar("ff4", "go", table=table, grammar=own))

    assert accepts(lark, "(;B[aa]TT[6,5])")
    assert accepts(lark, "(;XX[anything])")
    assert not accepts(lark, "(;B[aa]TT[six])")
    assert not accepts(lark, "(;B[aa];A1[1])")
    limits = grammar_limits("ff4", "go", table=table, grammar=own)
    assert limits[:2] == (
        "XX: any value, because no grammar of FF4 or Go defines 'strange'",
        "A1: the format has no such name",
    )


def test_a_custom_grammar_that_writes_values_in_its_own_way_keeps_any_value(
    tmp_path: Path,
) -> None:
    own = tmp_path / "braces.lark"
    own.write_text(
        'collection: game_tree+\ngame_tree: "(" sequence game_tree* ")"\nsequence: node+\n'
        'node: ";" property*\nproperty: PROP_IDENT PROP_VALUE+\nPROP_IDENT: /[A-Za-z]+/\n'
        "PROP_VALUE: /\\{[^}]*\\}/\n%ignore /\\s+/\n",
        encoding="utf-8",
    )
    lark = parser(typed_grammar("ff4", "go", grammar=own))

    assert accepts(lark, "(;FF{4}KM{six} ; B{pd}Comment{aa})")
    assert not accepts(lark, "(;FF{4};KM{1}SZ{19})")
    assert not accepts(lark, "(;XX{4})")


@pytest.mark.night
def test_a_grammar_whose_first_node_is_like_the_others_says_so(tmp_path: Path) -> None:
    own = tmp_path / "own.lark"
    text = grammars.text_of(grammars.path("ff4"))
    own.write_text(text.replace("sequence: node+", "sequence: node | node sequence"), "utf-8")
    limits = grammar_limits("ff4", "go", grammar=own)
    lark = parser(typed_grammar("ff4", "go", grammar=own))

    assert accepts(lark, "(;FF[4];KM[1])")
    assert not accepts(lark, "(;FF[4];FF[4])") or "root-outside-root" in "".join(limits)


def test_what_no_grammar_expresses_is_listed_and_written_at_its_head() -> None:
    limits = grammar_limits("ff4", "go")

    assert [limit for limit in limits if limit.startswith("duplicate-property")]
    text = typed_grammar("ff4", "go")
    assert all(f"//   {limit}\n" in text for limit in limits)
    names = {name for limit in limits for name in limit.partition(":")[0].split(", ")}
    assert {name for name in names if "-" in name and " " not in name} <= {
        rule.name for rule in sgf_lark.RULES.values()
    }


@pytest.mark.parametrize(
    "pattern",
    [
        "a/b",
        "a\\/b",
        "[\n\t\r\x0b\x0c]+",
        "\\\n",
        "\\\\n",
        "a\\\\/",
        '"',
        "(?s:.)\\]",
        "é\\d\\.",
        "'",
    ],
)
def test_an_expression_means_the_same_between_slashes(pattern: str) -> None:
    lark = Lark(f"start: X\nX: {regular_expression('x' + pattern)}", parser="lalr")
    (terminal,) = lark.terminals
    for text in ("xa/b", "x\n\t", "x\\n", "xa\\/", 'x"', "x\n]", "xé1.", "x'", "x/"):
        same = re.fullmatch("x" + pattern, text)
        assert (re.fullmatch(terminal.pattern.to_regexp(), text) is None) is (same is None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"format": "ff9"}, "no format 'ff9'"),
        ({"game": "chss"}, "no game 'chss'"),
        ({"size": 0}, "invalid size 0:0"),
        ({"table": PropertyTable([])}, "no properties"),
    ],
)
def test_a_wrong_argument_is_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        typed_grammar(**arguments)  # type: ignore[arg-type]


def test_a_game_has_its_number_or_its_name() -> None:
    assert typed_grammar() == typed_grammar("ff4", GO) == typed_grammar(Format.FF4, 1)
    assert typed_grammar("ff4", "hex") == typed_grammar("FF4", "11") == typed_grammar(game="Hex")
    assert typed_grammar("ff2", "go") == typed_grammar("ff1")
    assert typed_grammar("ggf") == typed_grammar("ggf", ggf_game("Othello"))
    assert typed_grammar("ggf", "checkers", 8) != typed_grammar("ggf")
    assert typed_grammar("ff4", "go", 9) == typed_grammar("ff4", "go", (9, 9))
