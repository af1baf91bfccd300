"""Records by a grammar of one's own: both engines, values, places, repairs, refusals."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest
from support.lanes import every_other
from support.places import RECORDS
from support.said import unsaid

import sgf_lark
from sgf_lark import Collection, Point, PropertyRule, PropertyTable, SgfSyntaxError, SgfValues
from sgf_lark.core import GgfValues, GoValues, ValueMethods
from sgf_lark.core.grammar import grammars
from sgf_lark.core.schema.formats import EngineName
from sgf_lark.core.values.dialect import Dialect, Shape

FF4 = grammars.text_of(grammars.path("ff4"))

BRACES = """\
collection: game_tree+
game_tree: "(" sequence game_tree* ")"
sequence: node+
node: ";" property*
property: PROP_IDENT PROP_VALUE+
PROP_IDENT: /[A-Za-z]+/
PROP_VALUE: /\\{[^}]*\\}/
%ignore /\\s+/
"""

ENGINES = pytest.mark.parametrize("engine", every_other(["generated", "lark"]))


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    return tmp_path / "mine.lark"


def written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file


def found(collection: Collection) -> list[str]:
    return [f"{one.line}:{one.column} {one.code} {one.message}" for one in collection.diagnostics]


def wrong_values(collection: Collection) -> list[tuple[str, str | None]]:
    """The place and the property of each finding; those of other rules say their code instead."""
    return [
        (f"{one.line}:{one.column}", one.property if one.code == "V301" else one.code)
        for one in collection.diagnostics
    ]


@ENGINES
def test_a_grammar_may_cut_records_in_its_own_way(grammar: Path, engine: EngineName) -> None:
    text = "(;FF{4}KM{0.5}; B{pd} C{The\ncorner.};W{zz9}KO{x})\n(;GM{2}SZ{8};B{d3})"
    games = sgf_lark.loads(text, grammar=written(grammar, BRACES), strict=False, engine=engine)

    assert [game.game_name for game in games] == ["Go", "Othello"]
    assert games[0].root["KM"] == Decimal("0.5")
    assert games[0].nodes[1]["C"] == "The\ncorner."
    assert wrong_values(games) == [("2:12", "W"), ("2:19", "KO")]
    point, nothing = found(games)
    assert unsaid(point, "'zz9'", "a point such as 'pd', or nothing for a pass") == []
    assert unsaid(nothing, "'x'", "nothing between the brackets") == []
    spans = [one.span for game in games for node in game.nodes for one in node.properties]
    assert [text[span.start : span.end] for span in spans if span][-3:] == [
        "GM{2}",
        "SZ{8}",
        "B{d3}",
    ]
    assert [text[node.span.start :][:2] for node in games[1].nodes if node.span] == [";G", ";B"]


@ENGINES
def test_a_text_that_such_a_grammar_refuses_is_told_at_its_place(
    grammar: Path, engine: EngineName
) -> None:
    file = written(grammar, BRACES)
    with pytest.raises(SgfSyntaxError) as caught:
        sgf_lark.loads("(;FF{4}\nKM[0.5])", grammar=file, engine=engine)

    assert (caught.value.lineno, caught.value.colno) == (2, 3)
    assert caught.value.first.code == "S199"
    assert caught.value.msg == "expected a value, found '['"
    assert sgf_lark.loads("KM", grammar=file, strict=False).games == ()


CHANGED = (
    FF4.replace("\ndouble: DOUBLE\n", '\ndouble: DOUBLE | TRIPLE\nTRIPLE: "3"\n')
    .replace("\nkomi: REAL\n", '\nkomi: NUMBER "/" NUMBER\n')
    .replace("\nstone: OPAQUE_POINT\n", '\nstone: NUMBER "x" NUMBER\n')
)  # fmt: skip


@ENGINES
def test_a_changed_type_of_value_is_read_as_it_was_changed(
    grammar: Path, engine: EngineName
) -> None:
    text = "(;FF[4]KM[13/2]AB[3x4];B[pd]TE[3];W[dp]TE[2];B[dd]TE[4])(;KM[6.5]AB[dd])"
    games = sgf_lark.loads(
        text, grammar=written(grammar, CHANGED), strict=False, engine=engine, format="ff4"
    )

    assert wrong_values(games) == [("1:54", "TE"), ("1:62", "KM"), ("1:69", "AB")]
    double, komi, stone = found(games)
    assert unsaid(double, "'4'", "rule `double` of mine.lark: DOUBLE | TRIPLE") == []
    assert unsaid(komi, "'6.5'", 'rule `komi` of mine.lark: NUMBER "/" NUMBER') == []
    assert unsaid(stone, "'dd'", 'rule `stone` of mine.lark: NUMBER "x" NUMBER') == []
    assert games[0].nodes[1].move is not None
    assert pickle.loads(pickle.dumps(games)) == games


@ENGINES
def test_a_rule_with_a_name_that_no_method_has_still_rejects_values(
    grammar: Path, engine: EngineName
) -> None:
    custom = FF4.replace("\nmove: OPAQUE?\n", '\nmove: NUMBER "-" NUMBER | -> passing\n')
    text = "(;FF[4]GM[50];B[2-3];W[2_3];B[])"
    games = sgf_lark.loads(text, grammar=written(grammar, custom), strict=False, engine=engine)

    assert wrong_values(games)[1:] == [("1:24", "W")]
    rule = 'rule `move` of mine.lark: NUMBER "-" NUMBER | -> passing'
    assert unsaid(found(games)[1], "'2_3'", rule) == []


@ENGINES
def test_a_grammar_like_a_shipped_one_gets_the_same_repairs(
    grammar: Path, engine: EngineName
) -> None:
    text = "junk (;FF[4]KM[1/2];b[aa](;W[bb]\n"
    games = sgf_lark.loads(text, grammar=written(grammar, CHANGED), strict=False, engine=engine)

    assert [one.code for one in games.diagnostics] == ["S103", "S105", "S112"]
    assert len(games[0].nodes) == 3


@ENGINES
def test_what_is_mended_must_still_follow_the_grammar(grammar: Path, engine: EngineName) -> None:
    short = FF4.replace("\nsequence: node+\n", "\nsequence: node~1..2\n")
    games = sgf_lark.loads(
        "(;FF[4];B[aa])(;FF[4];B[aa];W[bb];B[cc])",
        grammar=written(grammar, short),
        strict=False,
        engine=engine,
    )

    assert [len(game.nodes) for game in games] == [2]
    assert found(games) == ["1:28 S199 expected '(' or ')', found ';'"]


@pytest.mark.parametrize("format_", every_other(["ff4", "ff1", "ggf", "ff3"]))
def test_a_copy_of_a_shipped_grammar_changes_nothing(format_: str, grammar: Path) -> None:
    name = {"ff1": "ff1.mgt", "ff3": "ff3.sgf", "ff4": "go.sgf", "ggf": "othello.ggf"}[format_]
    written(grammar, grammars.text_of(grammars.path(format_)))

    copied = sgf_lark.load(RECORDS / name, grammar=grammar, strict=False)

    assert copied == sgf_lark.load(RECORDS / name, strict=False)
    assert sgf_lark.check(RECORDS / name, grammar=grammar).diagnostics == copied.diagnostics
    assert list(sgf_lark.iter_games(RECORDS / name, grammar=grammar, strict=False)) == [*copied]
    assert Dialect(grammars.source(grammar)).shape is (Shape.GGF if format_ == "ggf" else Shape.SGF)


class Periods(SgfValues):
    """What the new type of the test below means."""

    def byoyomi(self, children: list[Any]) -> tuple[int, int]:
        count, seconds = map(int, children)
        if not seconds:
            raise ValueError
        return count, seconds


OT = PropertyRule(format="FF4", ident="OT", type="byoyomi", domain="periods such as '5x30'")


@ENGINES
def test_a_new_type_of_value_has_its_own_syntax_meaning_and_words(
    grammar: Path, engine: EngineName
) -> None:
    file = written(grammar, f'{FF4}\nbyoyomi: NUMBER "x" NUMBER\n')
    games = sgf_lark.loads(
        "(;FF[4]OT[5x30])(;FF[4]OT[5 30])(;FF[4]OT[5x0])",
        grammar=file,
        values=Periods(),
        table=PropertyTable.standard().extend(OT),
        strict=False,
        engine=engine,
    )

    overtime: object = games[0].root["OT"]
    assert overtime == (5, 30)
    assert wrong_values(games) == [("1:27", "OT"), ("1:43", "OT")]
    for message, value in zip(found(games), ("'5 30'", "'5x0'"), strict=True):
        assert unsaid(message, value, "periods such as '5x30'") == []


def test_white_space_counts_in_values_and_not_between_the_tokens_of_a_record() -> None:
    assert sgf_lark.parse_tree(" ( ; ) ", "ff4").data == "collection"
    assert sgf_lark.parse_tree(" B [x]", "ff4", start="property").data == "property"
    with pytest.raises(SgfSyntaxError):
        sgf_lark.parse_tree(" 12", "ff4", start="number")


def test_a_rule_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(
        LookupError, match=re.escape("no rule 'pont' in go.lark: there are point, stone")
    ):
        sgf_lark.parse_tree("pd", "games/go", start="pont")


# ---- methods of a subclass ----

#: A record whose values call most methods of the shipped transformer.
FULL = (
    "(;FF[4]GM[1]SZ[9]KM[6.5]PB[a]PW[b c]RE[B+2.5]DT[2020-01-02]TM[30]AP[x:1]FG[0:a]DM[1]"
    "LB[aa:x]C[a\\]b\nc]RU[Japanese]PL[B]HA[2]VW[aa]AB[aa]KO[];B[aa]GB[2]BL[3];W[bb])"
)


class Counting(SgfValues):
    """Counts the calls of each method, and does what it does."""

    def __init__(self) -> None:
        super().__init__()
        self.called: Counter[str] = Counter()


def _counting(name: str) -> Callable[..., Any]:
    def method(self: Counting, *parts: Any) -> Any:
        self.called[name] += 1
        return getattr(super(Counting, self), name)(*parts)

    return method


#: Points and moves are texts in this class: those of a game have a transformer of their own.
for method_name in {*dir(SgfValues)} - {"transform", "point", "move", "stone"}:
    if not method_name.startswith("_"):
        setattr(Counting, method_name, _counting(method_name))


@pytest.mark.parametrize("format_", ["FF4", "FF3", "FF1"])
def test_methods_that_a_class_overrides_are_called_by_both_engines(format_: str) -> None:
    text = FULL.replace("FF[4]", f"FF[{format_[2]}]")
    found = []
    for engine in get_args(EngineName):
        counting = Counting()
        (game,) = sgf_lark.loads(text, strict=False, values=counting, engine=engine)
        values = [list(node.items()) for node in game]
        found.append(({*counting.called}, values))

    assert found[0] == found[1] == found[2]
    assert found[0][1] == [list(node.items()) for node in sgf_lark.loads(text, strict=False)[0]]
    assert {"text", "real", "number"} <= found[0][0]
    if format_ == "FF4":
        assert {"simpletext", "color", "double", "compose", "dates", "result"} <= found[0][0]


class Loud(SgfValues):
    """One-line texts in capitals, and points as texts of their own."""

    def simpletext(self, children: list[str]) -> str:
        return "".join(children).upper()

    def point(self, children: list[str]) -> str:
        return f"<{''.join(children)}>"


def test_an_overridden_method_counts_for_every_property_of_its_type() -> None:
    text = "(;FF[4]GM[1]SZ[9]PB[ann]EV[cup]C[a];B[aa]TR[bb][cc])"
    (game,) = sgf_lark.loads(text, values=Loud())

    assert (game.root["PB"], game.root["EV"], game.root["C"]) == ("ANN", "CUP", "a")
    assert tuple(game.nodes[1]["TR"]) == ("<bb>", "<cc>")
    assert game.nodes[1]["B"] == Point(0, 0)  # a move is another rule
    assert sgf_lark.dumps(game) == text
    assert sgf_lark.check(text.encode(), values=Loud()).ok
    assert sgf_lark.loads("(;FF[4]GM[1]PB[x])")[0].root["PB"] == "x"


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_a_class_that_extends_the_transformer_of_a_game_reads_its_points(
    engine: EngineName,
) -> None:
    class Named(GoValues):
        def point(self, children: list[str]) -> Any:
            return "-".join(map(str, children))

        def passing(self, _: list[str]) -> Any:
            return "none"

    text = "(;FF[4]GM[1]SZ[9]TR[bb]PB[x];B[])"
    (game,) = sgf_lark.loads(text, values=Named(), engine=engine)
    move: object = game.nodes[1]["B"]
    assert (tuple(game.root["TR"]), move, game.root["PB"]) == (("1-1",), "none", "x")
    (other,) = sgf_lark.loads("(;FF[4]GM[2]SZ[8];B[d3])", values=Named(), engine=engine)
    assert other.nodes[1]["B"] == Point(3, 2)  # of a game with other rules


@pytest.mark.parametrize("name", ["ff1.mgt", "ff3.sgf", "go.sgf", "othello.ggf"])
@pytest.mark.parametrize("values", [SgfValues(), GgfValues(), GoValues()], ids=type)
def test_a_class_that_overrides_nothing_changes_nothing_in_any_format(
    name: str, values: ValueMethods
) -> None:
    usual = sgf_lark.load(RECORDS / name, strict=False)
    read = sgf_lark.load(RECORDS / name, strict=False, values=values)

    assert read == usual
    assert read.diagnostics == usual.diagnostics


def test_a_class_for_sgf_reads_no_values_of_ggf_whose_rules_have_the_same_names() -> None:
    class Results(SgfValues):
        def result(self, _: list[Any]) -> Any:
            return "a result"

    assert sgf_lark.loads("(;FF[4]RE[B+1])", values=Results())[0].root["RE"] == "a result"
    ggf = sgf_lark.load(RECORDS / "othello.ggf", strict=False, values=Results())[0]
    assert ggf.root["RE"] == sgf_lark.load(RECORDS / "othello.ggf", strict=False)[0].root["RE"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("reel", ": did you mean real?"),
        ("REEL", ": did you mean REAL?"),
        ("aid", "; a helper's"),
    ],
)
def test_a_method_that_belongs_to_no_rule_is_an_error(name: str, hint: str) -> None:
    wrong = type("Wrong", (SgfValues,), {name: lambda *_: None})

    with pytest.raises(
        ValueError, match=rf"Wrong\.{name} is called for no rule .*{re.escape(hint)}"
    ):
        sgf_lark.loads("(;)", strict=False, values=wrong())
    fine = type("Fine", (SgfValues,), {f"_{name}": lambda *_: None})
    assert sgf_lark.loads("(;)", strict=False, values=fine())
