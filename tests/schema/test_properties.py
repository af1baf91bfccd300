"""The property tables: complete, consistent, and readable by the grammars they name."""

import io
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from support.said import unsaid
from support.together import together

import sgf_lark
from sgf_lark import GAMES, BoardSize, Format, Game, PropertyRule, PropertyTable
from sgf_lark.core import FOREIGN
from sgf_lark.core.grammar import grammars
from sgf_lark.core.schema import properties
from sgf_lark.core.schema.formats import Engine
from sgf_lark.core.schema.games import game_of, ggf_game
from sgf_lark.core.schema.properties import COLORS, SETUP, Category, Count, Group
from sgf_lark.core.schema.values import Color
from sgf_lark.core.values.reader import reader

TABLE = PropertyTable.standard()


IDENTS = {one: {rule.ident for rule in TABLE if rule.format is one} for one in (*Format,)}


@pytest.mark.parametrize(
    ("old", "new", "dropped"),
    [
        (Format.FF1, Format.FF3, "EL EX KI OE OS PE"),
        (Format.FF3, Format.FF4, "BS CH CI DG ID L LT M OM OP OV RG SC SI TC WS"),
    ],
)
def test_a_format_has_the_properties_of_the_one_before_but_those_that_it_dropped(
    old: Format, new: Format, dropped: str
) -> None:
    assert IDENTS[old] - IDENTS[new] == {*dropped.split()}


def test_ff4_has_the_properties_that_its_pages_call_new() -> None:
    of_all = {"AP", "AR", "CA", "DD", "LN", "OT", "PM", "SQ", "ST"}
    of_games = {"AA", "AS", "BO", "CO", "CS", "CV", "DI", "IP", "IY", "MI", "MS", "SU"}

    assert of_all | of_games <= IDENTS[Format.FF4] - IDENTS[Format.FF3]


@pytest.mark.parametrize(
    ("format_", "game", "ident", "type_", "count", "category"),
    [
        ("FF4", 1, "KM", "real", "one", "game-info"),
        ("FF4", 1, "AB", "stone", "list", "setup"),
        ("FF4", 1, "TB", "point", "elist", "none"),
        ("FF4", 6, "CO", "simpletext", "one", "setup"),
        ("FF4", 9, "AS", "simpletext", "one", "none"),
        ("FF4", 19, "AS", "stone:point", "list", "none"),
        ("FF3", 1, "SE", "point", "list", "none"),
        ("FF4", 9, "SE", "point", "one", "none"),
        ("FF1", 1, "V", "number", "one", "none"),
        ("FF3", 1, "V", "real", "one", "none"),
        ("FF1", 1, "VW", "point", "elist", "root"),
        ("FF4", 1, "VW", "point", "elist", "none"),
        ("FF3", 1, "RU", "text", "one", "root"),
        ("FF4", 1, "RU", "simpletext", "one", "game-info"),
        ("GGF", 2, "TB", "clock", "one", "game-info"),
    ],
)
def test_a_property_is_what_its_format_and_game_say(
    format_: str, game: int, ident: str, type_: str, count: str, category: str
) -> None:
    rule = TABLE.find(Format(format_), game, ident)

    assert rule is not None
    assert (rule.type, rule.count.value, rule.category.value) == (type_, count, category)


def test_a_property_of_one_game_is_unknown_in_another() -> None:
    assert TABLE.find(Format.FF4, 1, "KM") is not None
    assert TABLE.find(Format.FF4, 2, "KM") is None


def test_only_three_properties_are_inherited() -> None:
    inherited = {rule.ident for rule in TABLE if rule.inherit and rule.format is Format.FF4}

    assert inherited == {"DD", "PM", "VW"}


def test_groups_hold_what_the_standard_puts_together() -> None:
    groups = {group: " ".join(sorted(TABLE.group(group))) for group in Group}

    assert groups[Group.SETUP_POINTS] == "AA AB AE AW"
    assert groups[Group.MARKS] == "CR MA SL SQ TR"
    assert groups[Group.MOVE_ANNOTATION] == "BM DO IT TE"
    assert groups[Group.NEEDS_MOVE] == "BM DO IT KO TE"
    assert groups[Group.POSITION_ANNOTATION] == "DM GB GW UC"
    assert groups[Group.DECLARES] == "CA FF GM SZ"
    assert COLORS == {"B": Color.BLACK, "W": Color.WHITE}
    assert SETUP == {"AB": Color.BLACK, "AW": Color.WHITE, "AE": None}


def test_a_property_belongs_to_the_same_groups_wherever_it_has_the_same_name() -> None:
    groups: dict[tuple[str, str], set[tuple[Group, ...]]] = {}
    for rule in TABLE:
        groups.setdefault((rule.ident, rule.name.lower()), set()).add(rule.groups)

    assert [key for key, found in groups.items() if len(found) > 1] == []


def test_what_is_about_one_side_has_its_like_on_the_other() -> None:
    sides = [
        {
            (rule.format, rule.game, rule.category, rule.type)
            for rule in TABLE
            if side in rule.groups
        }
        for side in (Group.BLACK, Group.WHITE)
    ]

    assert sides[0] == sides[1]


def test_a_property_of_ones_own_joins_the_groups_that_it_names() -> None:
    own = PropertyRule(format=Format.FF4, ident="XX", type="point", groups=(Group.MARKS,))

    assert TABLE.extend(own).group(Group.MARKS) == TABLE.group(Group.MARKS) | {"XX"}
    assert "XX" not in TABLE.group(Group.MARKS)


def test_every_type_and_form_has_a_grammar() -> None:
    with together() as each:
        for rule in TABLE:
            with each(f"{rule.format} {rule.game} {rule.ident}"):
                by = reader(rule.format, GAMES[rule.game or 1])

                reading = by.read_property(rule, ("\x01",))  # no type takes this, but most texts do

                assert len(reading.values) == 1
                assert by.words(rule)


def test_a_table_grows_without_changing_the_old_one() -> None:
    own = PropertyRule(format=Format.FF4, ident="TT", name="Time used", type="real")

    grown = TABLE.extend(own)

    assert grown.find(Format.FF4, 1, "TT") == own
    assert TABLE.find(Format.FF4, 1, "TT") is None
    assert len(grown) == len(TABLE) + 1


def test_a_table_takes_a_rule_that_replaces_one() -> None:
    own = PropertyRule(
        format=Format.FF4, ident="C", type="number", category=Category.MOVE, count=Count.LIST
    )

    assert TABLE.extend(own).find(Format.FF4, 1, "C") == own
    assert len(TABLE.extend(own)) == len(TABLE)


def test_a_rule_with_a_type_that_is_no_type_is_refused() -> None:
    with pytest.raises(ValueError, match="expected names such as 'real'"):
        PropertyRule(format=Format.FF4, ident="TT", type="list of what?")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"type": "float"}, "no type is called 'float'; did you mean 'real'? the types are clock,"),
        ({"type": "number | rael"}, "no type is called 'rael'; did you mean 'real'?"),
        ({"type": "string:int"}, "no type is called 'string'; did you mean 'simpletext'?"),
        ({"category": "Move!"}, "invalid category 'Move!': expected 'move', 'setup', 'root',"),
        ({"ident": "wi"}, "'wi' is not an identifier: expected capitals such as 'WI'; did you"),
        ({"typ": "real"}, "a property has no field 'typ'; did you mean 'type'?"),
        ({"format": "FF9"}, "invalid format 'FF9': expected 'FF1', 'FF3', 'FF4' or 'GGF'"),
        ({"inherit": "maybe"}, "invalid inherit 'maybe': expected boolean"),
    ],
)
def test_a_wrong_rule_is_refused_when_it_is_made(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        PropertyRule(**{"format": "FF4", "ident": "TT"} | fields)

    assert "pydantic" not in str(caught.value)


def test_a_type_of_a_custom_grammar_is_known_when_both_meet(tmp_path: Path) -> None:
    table = TABLE.extend(PropertyRule(format=Format.FF4, ident="BY", type="byoyomi"))
    with pytest.raises(ValueError, match=r"BY has the type 'byoyomi', which no grammar of FF\[4\]"):
        sgf_lark.loads("(;FF[4])", table=table)
    with pytest.raises(ValueError, match="BY has the type"):
        list(sgf_lark.check_many([], table=table))

    own = tmp_path / "own.lark"
    own.write_text(grammars.text_of(grammars.path("ff4")) + "byoyomi: NUMBER /x/ NUMBER\n")
    report = sgf_lark.check(io.StringIO("(;FF[4]BY[3x5];BY[3])"), table=table, grammar=own)
    assert [(one.code, one.column) for one in report if one.property == "BY"] == [("V301", 19)]


# ---- custom games ----

KONO = """\
point: SQUARE
move: SQUARE "-" SQUARE | PASS -> passing
PASS: "pass"
SQUARE: "a".."e" "1".."5"
"""


@pytest.fixture
def kono(tmp_path: Path) -> Game:
    file = tmp_path / "kono.lark"
    file.write_text(KONO, encoding="utf-8")
    return Game(50, "Kono", file, size=BoardSize(5, 5), expected={"point": "a point such as 'c3'"})


@pytest.mark.parametrize("engine", [Engine.GENERATED, Engine.LARK])
def test_a_custom_game_reads_its_moves_by_its_grammar(kono: Game, engine: Engine) -> None:
    table = TABLE.extend(kono, PropertyRule(format="FF4", ident="WI", type="real", game=50))
    text = "(;FF[4]GM[50]AB[a1][q1];B[d2-d4]WI[0.5];W[dd]WI[x];B[pass])"
    games = sgf_lark.loads(text, table=table, strict=False, engine=engine)

    wrong = [
        (one.severity, one.code, one.property, text[one.offset : one.end_offset])
        for one in games.diagnostics
    ]
    assert wrong == [
        ("error", "V301", "AB", "q1"),
        ("error", "V301", "W", "dd"),
        ("error", "V301", "WI", "x"),
    ]
    point, move, number = (one.message for one in games.diagnostics)
    assert unsaid(point, "'q1'", "AB", "a point such as 'c3'") == []
    rule = 'rule `move` of kono.lark: SQUARE "-" SQUARE | PASS -> passing'
    assert unsaid(move, "'dd'", "W", rule) == []
    assert unsaid(number, "'x'", "WI", "a number such as 6.5") == []
    assert (games[0].game_name, games[0].size) == ("Kono", BoardSize(5, 5))
    assert [node["B"] for node in games[0].nodes if "B" in node] == ["d2-d4", "pass"]
    assert "T203" not in {one.code for one in sgf_lark.check(io.StringIO(text), table=table)}
    assert "T203" in {one.code for one in sgf_lark.check(io.StringIO(text))}


def test_a_transformer_gives_a_custom_game_its_values(kono: Game) -> None:
    class Squares(sgf_lark.SgfValues):
        def move(self, children: list[Any]) -> Any:
            return children[0], children[1]

    own = Game(50, "Kono", kono.grammar, Squares())
    games = sgf_lark.loads("(;FF[4]GM[50];B[d2-d4])", table=TABLE.extend(own))

    move: object = games[0].nodes[1]["B"]
    assert move == ("d2", "d4")


def test_a_custom_game_has_a_name_wherever_a_game_is_asked_for(kono: Game) -> None:
    table = TABLE.extend(kono)

    assert sgf_lark.GameTree.new(game="kono", table=table).game == 50
    assert "Kono" in sgf_lark.typed_grammar(game="KONO", table=table)
    assert sgf_lark.loads("(;GM[Kono]FF[4])", table=table, strict=False)[0].game_name == "Kono"
    assert sgf_lark.loads("(;GM[kono]PB[a];)", format="ggf", table=table, strict=False)
    assert table.find_game("KONO") is table.find_game(50) is kono
    assert TABLE.find_game("kono") is None
    with pytest.raises(ValueError, match="invalid number 0 of a game"):
        table.extend(Game(0, "Nothing"))


def test_a_custom_game_is_the_same_one_after_pickling(kono: Game) -> None:
    table = TABLE.extend(kono, PropertyRule(format="FF4", ident="WI", type="real"))
    games = sgf_lark.loads("(;FF[4]GM[50];B[d2-d4]WI[1])", table=table)
    copy = pickle.loads(pickle.dumps(games))

    assert pickle.loads(pickle.dumps(kono)) is kono
    assert pickle.loads(pickle.dumps(table)) == table
    assert copy == games
    assert (copy[0].game_name, copy[0].nodes[1]["WI"]) == ("Kono", 1)
    assert len(pickle.dumps(table)) < 2000, "without the rows of the standard"
    for game in (*sgf_lark.GAMES.values(), game_of(Format.FF4, 77, ""), ggf_game("Checkers")):
        assert pickle.loads(pickle.dumps(game)) is game


def test_processes_know_custom_games(kono: Game, tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text("(;FF[4]GM[50]SZ[5];B[d2-d4]WI[x])")
    table = TABLE.extend(kono, PropertyRule(format="FF4", ident="WI", type="real"))

    reports = list(sgf_lark.check_many([file, file], jobs=2, table=table))
    assert [[one.code for one in report] for report in reports] == [["V301"], ["V301"]]


def test_errors_of_a_games_grammar_are_reported_at_their_place(tmp_path: Path) -> None:
    file = tmp_path / "wrong.lark"
    file.write_text("move: SQUAR\nSQUARE: /[a-e]/\n")
    with pytest.raises(sgf_lark.SgfGrammarError, match=r"wrong.lark:1:7"):
        sgf_lark.loads("(;FF[4])", table=TABLE.extend(Game(50, "Wrong", file)))


def test_a_pickle_of_the_standard_table_is_the_table_itself() -> None:
    own = PropertyTable.standard().extend(
        PropertyRule(format=Format.FF4, ident="TT", name="Time used", type="real")
    )

    assert pickle.loads(pickle.dumps(PropertyTable.standard())) is PropertyTable.standard()
    assert pickle.loads(pickle.dumps(own)) == own != PropertyTable.standard()


def test_a_mark_of_ones_own_is_a_rival_of_the_marks_of_the_standard() -> None:
    own = PropertyRule(
        format=Format.FF4, ident="XX", type="point", count=Count.LIST, groups=(Group.MARKS,)
    )
    text = "(;FF[4]GM[1]SZ[19];B[pd]TR[dd]XX[dd])"

    findings = sgf_lark.check(io.StringIO(text), table=TABLE.extend(own)).diagnostics

    assert [(one.name, one.property) for one in findings] == [("markup-conflict", "XX")]


def test_the_rows_of_the_standards_are_those_that_a_model_accepts() -> None:
    file = Path(properties.__file__).with_name("properties.tsv")
    lines = file.read_text(encoding="utf-8").splitlines()
    others = tuple(f"{name}\t" for name in FOREIGN)
    checked = PropertyTable.of_lines([line for line in lines if not line.startswith(others)])

    assert list(checked) == list(TABLE)
    assert [rule.model_dump() for rule in checked] == [rule.model_dump() for rule in TABLE]
    assert [rule.model_fields_set for rule in checked] == [rule.model_fields_set for rule in TABLE]


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("FF4\t1\tXT\tTime\tmove\treal\tone\t-\t-\t-\t-\tproperties", "'1'"),
        (
            "FF9\t-\tXT\tTime\tmove\treal\tone\t-\t-\t-\t-\tproperties",
            "'FF9' is not a valid",
        ),
        ("FF4\t-\tXT\tTime\tmove\treal\tone\t-\t-\tproperties", "not enough values"),
    ],
)
def test_a_row_that_is_not_understood_is_named_by_its_line(row: str, wrong: str) -> None:
    lines = ["format\tgame\tident", row]

    with pytest.raises(ValueError, match=rf"properties\.tsv, line 2: .*{re.escape(wrong)}"):
        PropertyTable.of_lines(lines)
