"""The typed grammar as expressions says of values what the reader says, or less."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random

import pytest
from support.lanes import one_in
from support.typed import BY_KIND, KINDS, TEXTS

from sgf_lark import GAMES, Format, Game, PropertyRule, PropertyTable, SgfValues
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.tokens import tokenize
from sgf_lark.core.schema.games import ggf_game
from sgf_lark.core.schema.properties import Category, Count, Group
from sgf_lark.core.schema.values import BoardSize, Point
from sgf_lark.core.values.dialect import Dialect
from sgf_lark.core.values.game_transformers import GoValues
from sgf_lark.core.values.reader import Reader, reader
from sgf_lark.core.values.transformers import ValueTransformer
from sgf_lark.workbench.patterns import stays_before
from sgf_lark.workbench.samples import Sampler
from sgf_lark.workbench.typed import TypedProperties, TypedProperty, words_expression

TABLE = PropertyTable.standard()

#: Texts that the typed grammar leaves to the reader, though they are values.
LEFT = frozenset({"9" * 600, "9" * 5000, "6\\.5"})


@cache
def expression(row: TypedProperty) -> re.Pattern[str]:
    assert row.value is not None, row
    return re.compile(row.value)


def findings(reader_: Reader, rule: PropertyRule, raw: str) -> tuple[Finding, ...]:
    return reader_.read_property(rule, (raw,)).problems


def both(format: Format, game: Game, *, over_19: bool = False) -> list[Reader]:
    return [
        reader(format, game, over_19=over_19),
        reader(format, game, over_19=over_19, engine="lark"),
    ]


@BY_KIND
def test_every_row_has_the_verdict_of_the_reader(format: Format, game: Game) -> None:
    one = reader(format, game)
    rows = TypedProperties(one, TABLE)
    wrong = []
    for row in rows.values():
        matches = expression(row).fullmatch
        verdicts = set()
        for text in TEXTS:
            if (row.rule.count == "elist" and not text) or (format is Format.GGF and "]" in text):
                continue
            is_value = one.fits(row.rule, text) and not findings(one, row.rule, text)
            accepts = matches(text) is not None
            verdicts.add(accepts)
            if accepts != is_value and not (is_value and text in LEFT):
                wrong.append((row.rule.ident, text[:30], accepts))
        if len(verdicts) == 1 and "text" not in row.rule.type:
            wrong.append((row.rule.ident, "always", True in verdicts))

    assert wrong == [], wrong


@BY_KIND
def test_no_row_is_left_out(format: Format, game: Game) -> None:
    rows = TypedProperties(reader(format, game), TABLE)

    assert {*rows} == {
        rule.ident for rule in TABLE if rule.format is format and rule.game in {None, game.number}
    }
    assert [row.why for row in rows.values() if row.value is None or row.name is None] == []
    assert [row.rule.ident for row in rows.values() if expression(row).groups] == []


@BY_KIND
@pytest.mark.parametrize("size", one_in(3, [BoardSize(9, 13), BoardSize(25, 25), None]), ids=str)
def test_a_made_up_value_that_is_accepted_has_no_finding(
    format: Format, game: Game, size: BoardSize | None
) -> None:
    dice = Random(f"{format} {game.name} {size}")  # noqa: S311  # the same ones every time
    readers = both(format, game, over_19=size == BoardSize(25, 25))
    rows = TypedProperties(readers[0], TABLE, size)
    for row in {(row.rule.types, row.rule.form, row.value): row for row in rows.values()}.values():
        assert_accepted_is_valid(readers, row, dice)


#: The types and forms of all rows, and rules of grammars that no row names.
NAMES = [*sorted(TABLE.kinds), "rank", "round", "compose", "name"]


@pytest.mark.parametrize("seed", one_in(4, range(4)))
def test_a_row_made_up_by_chance_accepts_nothing_that_has_a_finding(seed: int) -> None:
    dice = Random(seed)  # noqa: S311  # the same ones every time
    for _ in range(60):
        format, game = dice.choice(KINDS)
        size = dice.choice([None, BoardSize(9, 9), BoardSize(9, 13), BoardSize(25, 25)])
        types = [
            ":".join(dice.choice(NAMES) for _ in range(dice.choice((1, 1, 1, 2))))
            for _ in range(dice.choice((1, 1, 2, 3)))
        ]
        rule = PropertyRule(
            format=format,
            ident="QQ",
            category=dice.choice([*Category]),
            type=" | ".join(types),
            count=dice.choice([*Count]),
            form=dice.choice(["", "", *NAMES]) if dice.randint(0, 1) else "",
            groups=(Group.EMPTY,) if dice.randint(0, 9) == 0 else (),
        )
        readers = both(format, game, over_19=size == BoardSize(25, 25))
        row = TypedProperties(readers[0], TABLE.extend(rule), size)["QQ"]
        if row.value is not None:
            assert_accepted_is_valid(readers, row, dice)


def assert_accepted_is_valid(readers: list[Reader], row: TypedProperty, dice: Random) -> None:
    """A text that a row accepts has no finding, and ends where the value ends in a file."""
    matches, rule = expression(row).fullmatch, row.rule
    in_brackets = re.compile(rf"\[{row.value}\]")
    for text in ("", *made_up(readers[0], rule, dice)):
        if matches(text) and (text or rule.count is not Count.ELIST):
            for one in readers:
                assert one.fits(rule, text), (rule, text)
                assert findings(one, rule, text) == (), (rule, text)
        in_file = f"[{text}]C[aa:bb]"
        match = in_brackets.match(in_file)
        if match:
            first = next(tokenize(in_file, 0, len(in_file), ggf=rule.format is Format.GGF))
            assert match.end() == first.end, (rule, in_file)


#: Characters that are put into made-up values.
_PUT = "0129aAzZ:[]\\\n\t -+.,/stTBx*"


def made_up(reader_: Reader, rule: PropertyRule, dice: Random) -> list[str]:
    """Sentences of the row's grammars, some of them changed by a character."""
    texts = []
    for kinds in [(rule.form,)] if rule.form else rule.types:
        try:
            makers = [sampler(*reader_.kind(kind).place[:2]) for kind in kinds]
        except LookupError:  # undefined, or of another format
            continue
        for _ in range(6):
            text = ":".join(maker.sentence(dice) or "" for maker in makers)
            texts.append(text)
            for _ in range(5):
                at, cut = dice.randint(0, len(text)), dice.randint(0, 1)
                put = dice.choice((*_PUT, ""))
                texts.append(text[:at] + put + text[at + cut :])
    return texts


@cache
def sampler(file: Path, name: str) -> Sampler:
    return Sampler(file, name, size=8, fair=False)


# ---- points of a board ----


@pytest.mark.parametrize(
    ("game", "size", "ident", "inside", "outside"),
    [
        (1, (9, 9), "B", "aa ii tt ", "ij ja ss AA"),
        (1, (13, 13), "AB", "mm aa:mm", "mn aa:na tt"),
        (1, (19, 19), "W", "ss tt ", "st ta zz"),
        (1, (25, 25), "W", "tt yy ", "yz AA"),
        (1, (52, 52), "LB", "ZZ:a Aa:", "Z1:a"),
        (1, (9, 13), "AW", "im aa", "mi ja an"),
        (2, (8, 8), "B", "a1 H8 PA pass ", "h9 i8 a10"),
        (2, (10, 10), "AB", "a10 j1", "a11 k1"),
        (9, (8, 8), "B", "a1-h8 A1h8! pass resign", "a9-h8 a1-i8 a1h10"),
        (11, (11, 11), "B", "k11 K1 swap-pieces", "l11 a12 aa1"),
        (11, (30, 30), "B", "ad30 z30 AD1", "ae30 ad31"),
        (18, (10, 10), "B", "aajjaa", "aajjak aajj"),
        (19, (7, 7), "B", "77 11+A 11-22x,33A-44", "78 81 11-82 11-22,38-44"),
        (20, (20, 20), "B", "aa:tt", "aa:uu tt"),
        (21, (24, 24), "B", "x24 a1*", "y24 x25 y1*"),
        (21, (60, 60), "AB", "bh60 AB1:ab2", "bi60 a61"),
    ],
)
def test_points_are_those_of_the_board(
    game: int, size: tuple[int, int], ident: str, inside: str, outside: str
) -> None:
    anywhere = reader(Format.FF4, GAMES[game], over_19=max(size) > 19)
    row = TypedProperties(anywhere, TABLE, BoardSize(*size))[ident]

    for text in inside.split(" "):
        assert expression(row).fullmatch(text), text
        assert findings(anywhere, row.rule, text) == ()
    for text in outside.split(" "):
        assert not expression(row).fullmatch(text), text


@pytest.mark.parametrize(
    ("game", "inside", "outside"),
    [
        ("Othello", "a1//1 H8 PASS/1.5/2 --", "i8 a9//1"),
        ("Amazons", "A1-A8-H8//3 a1-a8-h8", "A1-A9-H8 A1-I1-A1//3"),
    ],
)
def test_moves_of_ggf_are_those_of_the_board(game: str, inside: str, outside: str) -> None:
    row = TypedProperties(reader(Format.GGF, ggf_game(game)), TABLE, BoardSize(8, 8))["B"]

    assert [text for text in inside.split() if not expression(row).fullmatch(text)] == []
    assert [text for text in outside.split() if expression(row).fullmatch(text)] == []


def test_the_old_formats_have_no_points_behind_their_letters() -> None:
    row = TypedProperties(reader(Format.FF3, GAMES[1]), TABLE, BoardSize(25, 25))["AB"]

    assert expression(row).fullmatch("ss")
    assert not expression(row).fullmatch("tt")


def test_a_board_costs_no_expression_for_each_point() -> None:
    row = TypedProperties(reader(Format.FF4, GAMES[21]), TABLE, BoardSize(702, 702))["B"]

    assert len(row.value or "") < 300


# ---- names ----


def test_names_are_spelled_as_the_format_does() -> None:
    def name(format: Format, ident: str) -> re.Pattern[str]:
        return re.compile(TypedProperties(reader(format, GAMES[1]), TABLE)[ident].name or "(?!)")

    assert name(Format.FF4, "AB").fullmatch("AB")
    assert not name(Format.FF4, "AB").fullmatch("AddBlack")
    for spelling in ("AB", "AddBlack", "xAxB"):
        assert name(Format.FF3, "AB").fullmatch(spelling)
    for spelling in ("A", "ABC", "A1", "ab", "aBA"):
        assert not name(Format.FF1, "AB").fullmatch(spelling)
    assert TypedProperties(reader(Format.GGF, ggf_game("Othello")), TABLE)["KB"].name == "KB"


def test_a_name_that_the_grammar_rejects_has_no_expression() -> None:
    table = TABLE.extend(
        PropertyRule(format="FF4", ident="A1"), PropertyRule(format="GGF", ident="ABC")
    )

    assert TypedProperties(reader(Format.FF4, GAMES[1]), table)["A1"].name is None
    assert TypedProperties(reader(Format.GGF, ggf_game("Go")), table)["ABC"].name is None


# ---- custom tables and grammars ----


def test_a_custom_row_has_its_expression() -> None:
    table = TABLE.extend(
        PropertyRule(format="FF4", ident="TT", type="real", count="list"),
        PropertyRule(format="FF4", ident="RX", type="simpletext", form="rank"),
        PropertyRule(format="FF4", ident="XX", type="simpletext:number"),
        PropertyRule(format="FF4", ident="YY", type="strange"),
        PropertyRule(format="FF4", ident="UU", type="strange | real"),
        PropertyRule(format="FF4", ident="NT", type="number | text"),
        PropertyRule(format="FF4", ident="DD", type="dates | text"),
        PropertyRule(format="FF1", ident="PP", type="point:text"),
    )
    rows = TypedProperties(reader(Format.FF4, GAMES[1]), table)
    assert expression(rows["TT"]).fullmatch("6.5")
    assert not expression(rows["TT"]).fullmatch("six")
    assert expression(rows["RX"]).fullmatch("3 dan")
    assert not expression(rows["RX"]).fullmatch("dan")
    assert expression(rows["NT"]).fullmatch("word")
    assert not expression(rows["NT"]).fullmatch("9" * 5000)
    old = TypedProperties(reader(Format.FF1, GAMES[1]), table)["PP"]

    left = [rows[ident] for ident in ("XX", "YY", "UU", "DD")]
    assert {row.rule.ident: row.why for row in (*left, old)} == {
        "XX": "the first half of a pair may have a colon",
        "YY": "no grammar of FF4 or Go defines 'strange'",
        "UU": "no grammar of FF4 or Go defines 'strange'",
        "DD": "another of its types may reject what its grammar accepts",
        "PP": "no shipped grammar says how a pair is cut",
    }


class Fussy(SgfValues):
    """Rejects what its grammar accepts."""

    def real(self, children: list[str]) -> Decimal:
        raise ValueError(children)


def test_a_custom_grammar_gives_its_types(tmp_path: Path) -> None:
    text = grammars.text_of(grammars.path("ff4"))
    text = text.replace('REAL: NUMBER ("." DIGIT+)?', 'REAL: NUMBER (("." | ",") DIGIT+)?')
    assert '","' in text
    source = grammars.GrammarSource(tmp_path / "own.lark", text)
    own = reader(Format.FF4, GAMES[1], dialect=Dialect(source))
    fussy = reader(Format.FF4, GAMES[1], dialect=Dialect(source, Fussy()))

    row = TypedProperties(own, TABLE)["BL"]
    assert expression(row).fullmatch("6,5")
    assert findings(own, row.rule, "6,5") == ()
    assert TypedProperties(fussy, TABLE)["BL"].value is None
    assert "may reject" in TypedProperties(fussy, TABLE)["BL"].why
    assert TypedProperties(fussy, TABLE)["MN"].value is not None


class NoCorner(GoValues, ValueTransformer):
    """Rejects a point that its grammar accepts."""

    def point(self, children: list[int]) -> Point:
        if children == [0, 0]:
            raise ValueError("no corner")
        return super().point(children)


def test_a_game_with_its_own_values_has_no_expression_of_them() -> None:
    own = reader(Format.FF4, replace(GAMES[1], values=NoCorner()))
    rows = TypedProperties(own, TABLE)

    assert not own.fits(rows["B"].rule, "aa")
    assert rows["B"].value is None
    assert rows["LB"].value is None
    assert expression(rows["KM"]).fullmatch("6.5")


def test_a_custom_grammar_with_its_own_brackets_has_none(tmp_path: Path) -> None:
    text = """\
collection: game_tree+
game_tree: "(" node+ ")"
node: ";" property*
property: PROP_IDENT PROP_VALUE+
PROP_IDENT: /[A-Z]+/
PROP_VALUE: /\\{[^}]*\\}/
"""
    source = grammars.GrammarSource(tmp_path / "braces.lark", text)
    rows = TypedProperties(reader(Format.FF4, GAMES[1], dialect=Dialect(source)), TABLE)

    assert rows["C"].why == "the grammar has no values in brackets"


# ---- expressions ----


def test_words_share_an_expression_and_a_longer_one_comes_first() -> None:
    numbers = [str(number) for number in range(1, 25)]
    assert words_expression(numbers) == "(?>1(?>[0-9])?+|2(?>[0-4])?+|[3-9])"
    assert words_expression("abcdA") == "[Aa-d]"
    words = ["a", "ab", "abc", "b-", "z.z", "]"]
    matches = re.compile(words_expression(words)).match

    for word in words:
        found = matches(word + "#")
        assert found is not None
        assert found[0] == word


@pytest.mark.parametrize(
    ("pattern", "stays"),
    [
        (r"(?s:[^\\\]]|\\.)*", True),
        (r"[^\]]*", False),
        (r"a\\", False),
        (r"\\(?:\r\n|\n)x", True),
        (r"(?>\\.|[a-z])++", True),
        (r"(?:\\)*.", False),
        (r"[a-z]|\]", False),
    ],
)
def test_a_pattern_surely_ends_before_the_bracket(pattern: str, stays: bool) -> None:  # noqa: FBT001
    assert stays_before(pattern, "]", "\\") is stays
