"""Functions made once from a row of the table read what the row says, and remember no texts."""

import gc
import pickle
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from pydantic import BaseModel
from support.lanes import every_other, is_night

from sgf_lark.core.engine.parser import LoopPieces
from sgf_lark.core.engine.regex import most_texts
from sgf_lark.core.model.property import make_property
from sgf_lark.core.schema.formats import Engine, Format
from sgf_lark.core.schema.games import GAMES
from sgf_lark.core.schema.properties import PropertyRule, PropertyTable
from sgf_lark.core.schema.values import PASS, Composed, Played, Point, PointList, Rectangle
from sgf_lark.core.values.kinds import NotOfType
from sgf_lark.core.values.reader import Reader

#: Texts of which each type of value accepts some.
TEXTS = (
    *("", "1", "2", "-3", "6.5", "19:13", "B", "W", "aa", "tt", "zz", "aa:cc", "cc:aa", "A1", "e4"),
    *("aa:label", "aa:", ":", "B+R", "W+3.5", "0", "1996-05-27", "1996-02-30", "1996,97", "3:x"),
    *("a text", "two\nlines", "x\\]\\:y", "soft\\\nbreak", "half\\", "tab\there", "d3/1.5/2.0"),
    *("31b8m", "a1-b2", "55b-66", "CGoban:3", "5d", "03 (final)", "15:00//02:00", "\u68cb"),
)

ENGINES = (Engine.GENERATED, Engine.LARK)


def readers(engine: Engine) -> list[tuple[Reader, PropertyRule]]:
    """Every row with a reader of its format and game, of Go if it is of all games."""
    made: dict[tuple[Format, int], Reader] = {}
    pairs = []
    for rule in PropertyTable.standard():
        key = rule.format, rule.game or 1
        if key not in made:
            made[key] = Reader(key[0], GAMES[key[1]], engine=engine)
        pairs.append((made[key], rule))
    return pairs


def outcome(read: Callable[..., Any], *given: Any) -> Any:
    """What a function returns; NotOfType if it raises that."""
    try:
        return repr(read(*given))
    except NotOfType:
        return NotOfType


@pytest.mark.parametrize("engine", every_other(ENGINES))
def test_the_reader_of_a_row_reads_each_value_as_the_row_says(engine: Engine) -> None:
    accepted = 0
    for reader, rule in readers(engine):
        read = reader.value_reader(rule)
        for raw in TEXTS:
            once = outcome(read, raw)
            accepted += once is not NotOfType

            assert once == outcome(read, raw), (rule, raw)
    assert accepted > len(PropertyTable.standard())


@pytest.mark.night
@pytest.mark.parametrize("engine", ENGINES)
def test_the_reader_of_a_list_reads_what_the_property_has(engine: Engine) -> None:
    for reader, rule in readers(engine):
        for raws in (*((raw,) for raw in TEXTS), TEXTS, ("aa", "bb"), ("aa", "bb:dd", "5")):
            prop = make_property(rule.ident, rule.ident, raws, rule, reader)

            assert prop.values == reader.read_property(rule, raws).values, (rule, raws)


@pytest.mark.parametrize(
    ("format", "ident", "raws", "value"),
    [
        (Format.FF4, "B", ("",), PASS),
        (Format.FF3, "B", ("",), PASS),
        (Format.FF4, "KM", ("6.5", "7"), Decimal("6.5")),
        (Format.FF4, "AB", ("aa", "bb:cb", "x"), (Point(0, 0), Point(1, 1), Point(2, 1))),
        (Format.FF4, "VW", ("",), ()),
        (Format.FF4, "LB", ("aa:1",), (Composed(first=Point(0, 0), second="1"),)),
    ],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_node_has_the_values_of_its_property(
    engine: Engine, format: Format, ident: str, raws: tuple[str, ...], value: object
) -> None:
    reader = Reader(format, GAMES[1], engine=engine)
    rule = PropertyTable.standard().find(format, 1, ident)
    assert rule is not None
    item, values = (
        make_property(ident, ident, raws, rule, reader).value,
        reader.property_reader(rule)(raws)[0],
    )

    assert values == reader.read_property(rule, raws).values
    assert values == make_property(ident, ident, raws, rule, reader).values
    assert (tuple(item) if isinstance(item, PointList) else item) == value


def test_a_pass_of_an_old_game_is_one_where_any_text_is_a_move() -> None:
    reader = Reader(Format.FF3, GAMES[40])
    rule = PropertyTable.standard().find(Format.FF3, 40, "B")
    assert rule is not None

    assert reader.value_reader(rule)("a1") == "a1"
    assert reader.read_property(rule, ("",)).values == (PASS,)


def test_only_types_of_few_texts_keep_their_values() -> None:
    reader = Reader(Format.FF4, GAMES[1])
    kept: dict[str, int] = {}
    for kind in ("point", "move", "double", "number", "real", "text", "simpletext"):
        read = reader.of_kind(kind)
        for raw in (*TEXTS, *map(str, range(10_000)), *(a + b for a in "aAzZ" for b in "sStT")):
            outcome(read, raw)
        kept[kind] = len(getattr(read, "__self__", None) or ())

    assert 0 < kept["point"] < most_texts(str(reader.kind("point").expression)) == 52 * 52
    assert kept["double"] == 2
    assert kept["number"] == kept["real"] == kept["text"] == kept["simpletext"] == 0


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        ("a", 1),
        ("[a-z][A-Z]?", 26 * 27),
        ("(?>tt)|(?!tt)[a-s]{2}|", 1 + 19 * 19 + 1),
        ("[ab]{0,3}", 1 + 2 + 4 + 8),
        ("a+", float("inf")),
        ("(?i:pa)", 4 * 4),
        (r"\d", float("inf")),
        ("[^a]", float("inf")),
    ],
)
def test_an_expression_matches_no_more_texts_than_are_counted(pattern: str, most: float) -> None:
    assert most_texts(pattern) == most


@pytest.mark.parametrize(
    ("format", "game", "ident", "raw", "constructed"),
    [
        (Format.FF4, 1, "LB", "aa:1", Composed(first=Point(0, 0), second="1")),
        (Format.FF4, 1, "TR", "aa:cb", Rectangle(first=Point(0, 0), second=Point(2, 1))),
        (Format.FF4, 40, "TR", "aa:cb", Rectangle(first="aa", second="cb")),
        (Format.GGF, 2, "B", "d3", Played(move=Point(3, 2), evaluation=None, seconds=None)),
    ],
)
def test_a_value_that_is_made_at_once_equals_a_constructed_one(
    format: Format, game: int, ident: str, raw: str, constructed: BaseModel
) -> None:
    reader = Reader(format, GAMES[game])
    rule = PropertyTable.standard().find(format, game, ident)
    assert rule is not None

    value = reader.value_reader(rule)(raw)

    assert type(value) is type(constructed)
    assert value == constructed == pickle.loads(pickle.dumps(value))
    assert hash(value) == hash(constructed)
    assert repr(value) == repr(constructed)
    assert value.model_dump_json() == constructed.model_dump_json()
    assert value.model_fields_set == constructed.model_fields_set
    assert value.model_copy() == constructed


def test_a_text_of_any_pieces_is_read_alike_by_both_engines() -> None:
    dice = Random(12)  # noqa: S311  # a repeatable one
    pieces = (
        *(
            "a",
            "word ",
            "\n",
            "\r\n",
            "\n\r",
            "\r",
            "\t",
            "\v",
            "\\",
            "\\\\",
            "\\]",
            "\\:",
            ":",
            "]",
        ),
        *("\\\n", "\\\r\n", "\\\t", "\u68cb", "\\\u68cb", "\x85", "\u2028", ""),
    )
    generated, lark = (Reader(Format.FF4, GAMES[1], engine=engine) for engine in ENGINES)
    refused = 0
    for _ in range(300):
        text = "".join(dice.choices(pieces, k=dice.randrange(8)))
        for kind in ("text", "simpletext", "name", "application", "figure", "compose"):
            value = outcome(generated.read, kind, text)
            refused += value is NotOfType

            assert value == outcome(lark.read, kind, text), (kind, text)
    assert 0 < refused < 6_000


@pytest.mark.parametrize(
    ("kind", "raw", "is_same"),
    [
        ("text", "", True),
        ("text", "a line\nand [another: \u68cb", True),
        ("text", "a\r\nb", False),
        ("text", "a\tb", False),
        ("simpletext", "a name", True),
        ("simpletext", "a\nb", False),
        ("name", "a name", True),
    ],
)
def test_a_text_without_escapes_is_taken_as_it_is(kind: str, raw: str, *, is_same: bool) -> None:
    value = Reader(Format.FF4, GAMES[1]).read(kind, raw)

    assert (value is raw) == is_same
    assert value == Reader(Format.FF4, GAMES[1], engine=Engine.LARK).read(kind, raw)


@pytest.mark.parametrize("raw", ["\\\n\nx", "\\:\na\n", "\n\ra\\]\n", "a\\a\nb\r\n\n\r"])
def test_a_line_break_stays_in_a_text_with_escapes(raw: str) -> None:
    generated, lark = (Reader(Format.FF4, GAMES[1], engine=engine) for engine in ENGINES)

    assert generated.read("text", raw) == lark.read("text", raw)


@pytest.mark.night
@pytest.mark.both_lanes
def test_only_short_pieces_of_a_text_are_kept() -> None:
    gc.collect()
    before = {id(one) for one in gc.get_objects() if isinstance(one, LoopPieces)}
    read = Reader(Format.FF4, GAMES[1]).of_kind("text")
    for code in range(0x20, 0x3000 if is_night() else 0x200):
        outcome(read, f"a\\{chr(code)}\r\nb\\\nc")
    kept = [
        one for one in gc.get_objects() if isinstance(one, LoopPieces) and id(one) not in before
    ]

    assert 90 < max(map(len, kept)) <= 133
