"""Collection, GameTree, Node and Property, as a program uses them."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

import pytest
from pydantic import BaseModel, Field, PrivateAttr, ValidationError
from support.said import unsaid

import sgf_lark
from sgf_lark import (
    PASS,
    BoardSize,
    Collection,
    Color,
    Diagnostic,
    Format,
    GameTree,
    Invalid,
    Move,
    Node,
    Point,
    PointList,
    Property,
    PropertyRule,
    PropertyTable,
)
from sgf_lark.core.model.collection import Judgement
from sgf_lark.core.places import Span
from sgf_lark.core.schema.values import AmazonsMove, Ending, InitialBoard, Period, Played
from sgf_lark.core.text.source import TextSource

pytestmark = pytest.mark.usefixtures("both_engines")

RECORD = (
    "(;FF[4]GM[1]SZ[19]PB[Honinbo Shusaku]BR[4d]PW[Gennan Inseki]WR[8d]KM[0]RE[B+2]"
    "DT[1846-09-11,14]EV[Ear-reddening game]RU[Japanese]HA[2]AB[pd][dp]XX[a][b]"
    ";B[qd](;W[dc]C[main];B[pq])(;W[dd](;B[aa])(;B[bb];W[cc])))"
)
COLLECTION = sgf_lark.loads(RECORD)
GAME = COLLECTION[0]


def path_texts(game: GameTree) -> dict[str, str]:
    return {node.path: str(node) for node in game.nodes}


# ---- collection ----


def test_a_collection_is_a_sequence_of_all_its_games() -> None:
    collection = sgf_lark.loads("(;FF[4]N[a])(;FF[3]N[b]) (;FF[4]GM[6]N[c])")

    assert len(collection) == 3
    assert [game.root["N"] for game in collection] == ["a", "b", "c"]
    assert [game.format for game in collection] == [Format.FF4, Format.FF3, Format.FF4]
    assert [game.game for game in collection] == [1, 1, 6]
    assert collection[-1] is collection.games[2]
    assert collection[:2] == collection.games[:2]


def test_models_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError, match="frozen"):
        GAME.format = Format.FF1  # type: ignore[misc]  # that is the test
    with pytest.raises(FrozenInstanceError, match="frozen"):
        GAME.root.properties[0].ident = "GM"  # type: ignore[misc]  # that is the test


# ---- game ----


def test_a_game_knows_what_it_is() -> None:
    assert GAME.format is Format.FF4
    assert GAME.game == 1
    assert GAME.game_name == "Go"
    assert GAME.size == BoardSize(19, 19)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("(;FF[4]SZ[9])", BoardSize(9, 9)),
        ("(;FF[4]SZ[9:13])", BoardSize(9, 13)),
        ("(;FF[4])", BoardSize(19, 19)),
        ("(;FF[4]GM[9])", BoardSize(8, 8)),
        ("(;FF[4]GM[2])", None),
        ("(;FF[4]GM[40]SZ[39:32])", BoardSize(39, 32)),
    ],
)
def test_a_game_without_a_size_has_that_of_its_kind(text: str, size: BoardSize | None) -> None:
    assert sgf_lark.loads(text)[0].size == size


def test_the_description_of_a_game_is_typed_and_keeps_its_texts() -> None:
    info = GAME.info

    assert info.black.name == "Honinbo Shusaku"
    assert info.white.rank == "8d"
    assert info.player(Color.WHITE) is info.white
    assert info.result is not None
    assert (info.result.winner, info.result.margin) == (Color.BLACK, Decimal(2))
    assert info.dates == (date(1846, 9, 11), date(1846, 9, 14))
    assert info.date == date(1846, 9, 11)
    assert info.komi == 0
    assert info.handicap == 2
    assert info.event == "Ear-reddening game"
    assert info.rules == "Japanese"
    assert info.round is None
    assert info.raw["DT"] == ("1846-09-11,14",)


def test_a_description_that_begins_later_is_found_on_the_main_line() -> None:
    game = sgf_lark.loads("(;FF[4];B[aa](;W[bb]PB[one])(;W[cc]PB[other]))")[0]

    assert game.info.black.name == "one"


def test_a_wrong_value_is_missing_from_the_description_but_not_from_its_texts() -> None:
    info = sgf_lark.loads("(;FF[4]KM[six]RE[B wins])", strict=False)[0].info

    assert info.komi is None
    assert info.result is None
    assert info.raw == {"KM": ("six",), "RE": ("B wins",)}


def test_old_games_have_typed_descriptions_too() -> None:
    info = sgf_lark.loads("(;FF[3]RE[B+Resign]DT[1995-03]TM[60 min]RU[Chinese]PB[A])")[0].info

    assert info.result is not None
    assert info.result.ending is Ending.RESIGNATION
    assert str(info.date) == "1995-03"
    assert info.time_limit is None
    assert info.rules == "Chinese"


# ---- tree ----


def test_nodes_stand_in_the_order_of_the_file() -> None:
    assert [node.index for node in GAME.walk()] == list(range(8))
    assert [node.get("B", node.get("W")) for node in list(GAME.nodes)[1:4]] == [
        Point(16, 3),
        Point(3, 2),
        Point(15, 16),
    ]


def test_parents_and_children_are_each_others() -> None:
    for node in GAME.walk():
        assert all(child.parent == node for child in node.children)
        assert node.is_root == (node.parent is None)
    assert [len(node.children) for node in GAME.nodes] == [1, 2, 1, 0, 2, 0, 1, 0]


def test_the_main_line_follows_first_children() -> None:
    assert [node.index for node in GAME.main_line()] == [0, 1, 2, 3]


def test_a_path_says_how_far_and_where_to_turn() -> None:
    assert path_texts(GAME) == {
        "0": str(GAME.root),
        "1": ";B[qd]",
        "2": ";W[dc]C[main]",
        "3": ";B[pq]",
        "1.1": ";W[dd]",
        "1.1/1": ";B[aa]",
        "1.1/0.1": ";B[bb]",
        "1.1/0.1/1": ";W[cc]",
    }
    assert all(GAME.at(node.path) == node for node in GAME.nodes)


@pytest.mark.parametrize(
    "path", ["9", "1.2", "1.1/5", "x", "", "-1", "1.", "#99", "1.1/0.2", "9" * 5_000]
)
def test_a_path_that_leads_nowhere_is_a_key_error(path: str) -> None:
    with pytest.raises(KeyError) as caught:
        GAME.at(path)
    assert str(caught.value).startswith(("no node at ", "no path "))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("9.9", "no node at '9.9': the node at '3' is the end of a line"),
        ("1.2", "no node at '1.2': the node at '1' has no child 2 (0 is the first)"),
        ("#99", "no path '#99': expected one such as '12' or '12.1/3'"),
    ],
)
def test_a_path_that_leads_nowhere_is_described_in_words(path: str, message: str) -> None:
    with pytest.raises(KeyError) as caught:
        GAME.at(path)
    assert str(caught.value) == message


def test_a_number_is_no_path() -> None:
    number: Any = 3
    with pytest.raises(TypeError, match=r"no path 3: .*; game\.nodes\[n\] is node n"):
        GAME.at(number)


def test_a_path_with_very_many_turns_is_a_number() -> None:
    game = sgf_lark.loads("(;FF[4]" + "(;)(;" * 100 + ")" * 101)[0]

    assert game.nodes[-1].path == "#200"
    assert all(game.at(node.path) == node for node in game.nodes)


def test_the_tree_of_the_ff3_page() -> None:
    """FF[3], Basics: (root(ab(c)(de))(f(ghi)(j)))."""
    letters = "(;N[root](;N[a];N[b](;N[c])(;N[d];N[e]))(;N[f](;N[g];N[h];N[i])(;N[j])))"
    game = sgf_lark.loads(letters, format="ff3")[0]

    names = {node.path: node["N"] for node in game.nodes}

    assert "".join(list(names.values())[1:]) == "abcdefghij"
    assert names["2"] == "b"
    assert names["3"] == "c"
    assert names["2.1/1"] == "e"
    assert names["0.1/3"] == "i"
    assert names["0.1/0.1"] == "j"


def test_moves_are_counted_along_the_path() -> None:
    assert [node.move_number for node in GAME.nodes] == [0, 1, 2, 3, 2, 3, 3, 4]


# ---- node ----


def test_a_node_is_a_mapping_of_typed_values() -> None:
    root = GAME.root

    assert root["KM"] == Decimal(0)
    assert isinstance(root["AB"], PointList)
    assert list(root["AB"]) == [Point(15, 3), Point(3, 15)]
    assert "KM" in root
    assert "ZZ" not in root
    assert root.get("ZZ", 1) == 1
    assert root["XX"] == ("a", "b")
    assert list(root)[:3] == ["FF", "GM", "SZ"]
    with pytest.raises(KeyError):
        root["ZZ"]


def test_a_node_gives_the_exact_texts_between_its_brackets() -> None:
    node = sgf_lark.loads("(;FF[4]C[ a\\]\r\nb\\\\ ]AB[aa][bb:cc])")[0].root

    assert node.raw == {"FF": ("4",), "C": (" a\\]\r\nb\\\\ ",), "AB": ("aa", "bb:cc")}


def test_a_property_that_stands_twice_keeps_both() -> None:
    node = sgf_lark.loads("(;FF[4]AB[aa]C[x]AB[bb]C[y])", strict=False)[0].root

    assert [str(one) for one in node.properties[1:]] == ["AB[aa]", "C[x]", "AB[bb]", "C[y]"]
    assert node.raw["AB"] == ("aa", "bb")
    assert node.raw["C"] == ("x", "y")
    assert list(node["AB"]) == [Point(0, 0), Point(1, 1)]
    assert node["C"] == "x"


def test_a_move_has_a_color_and_a_point_or_is_a_pass() -> None:
    nodes = sgf_lark.loads("(;FF[4];B[dd];W[];C[no move])")[0].nodes

    assert nodes[0].move is None
    assert nodes[1].move == Move(color=Color.BLACK, value=Point(3, 3), raw="dd")
    assert nodes[1].move.point == Point(3, 3)
    assert nodes[2].move is not None
    assert nodes[2].move.is_pass
    assert nodes[2].move.value == PASS
    assert nodes[2].move.point is None
    assert nodes[3].move is None


def test_an_invalid_move_is_a_move_all_the_same() -> None:
    move = sgf_lark.loads("(;FF[4];B[nonsense])", strict=False)[0].nodes[1].move

    assert move is not None
    assert isinstance(move.value, Invalid)
    assert move.raw == "nonsense"


# ---- property ----


def test_a_property_knows_its_name_in_the_file_and_in_the_table() -> None:
    game = sgf_lark.loads("(;FileFormat[3]GaMe[1]LaBel[aa:x]LdfgdfgByukyfg[bb:y])", strict=False)[0]
    names = [(one.ident, one.name) for one in game.root.properties]

    assert names == [
        ("FF", "FileFormat"),
        ("GM", "GaMe"),
        ("LB", "LaBel"),
        ("LB", "LdfgdfgByukyfg"),
    ]


def test_a_property_knows_where_it_stands() -> None:
    text = "(;FF[4]\n;B [dd]\n[ee] C[x])"
    node = sgf_lark.loads(text, strict=False)[0].nodes[1]

    assert [text[one.span.start : one.span.end] for one in node.properties if one.span] == [
        "B [dd]\n[ee]",
        "C[x]",
    ]
    assert node.span == Span(8, len(text) - 1)
    assert node.properties[0].raw == ("dd", "ee")


def test_properties_that_are_written_alike_are_equal() -> None:
    one, other = sgf_lark.loads("(;FF[4]C[a];C[a])")[0].nodes

    assert one.properties[1] == other.properties[0]
    assert one.properties[1].span != other.properties[0].span
    assert hash(one.properties[1]) == hash(other.properties[0])
    assert Property(ident="C", name="C", raw=("a",)) == other.properties[0]


def test_a_wrong_point_is_missing_from_the_points_and_not_from_the_values() -> None:
    node = sgf_lark.loads("(;FF[4]AB[aa][nowhere][bb])", strict=False)[0].root

    assert list(node["AB"]) == [Point(0, 0), Point(1, 1)]
    assert isinstance(node.properties[1].values[1], Invalid)
    assert node.raw["AB"] == ("aa", "nowhere", "bb")


def test_a_private_property_is_kept_and_can_be_taught() -> None:
    assert GAME.root["XX"] == ("a", "b")
    table = PropertyTable.standard().extend(
        PropertyRule(format=Format.FF4, ident="XX", type="real", name="Seconds")
    )

    taught = sgf_lark.loads("(;FF[4];XX[1.5])", table=table)[0]

    assert taught.nodes[1]["XX"] == Decimal("1.5")
    with pytest.raises(sgf_lark.SgfValidationError) as caught:
        sgf_lark.loads("(;FF[4];XX[soon])", table=table)
    wrong = caught.value.first
    assert (wrong.code, wrong.property, wrong.column) == ("V301", "XX", 12)
    assert unsaid(wrong.message, "'soon'", "a number") == []


# ---- as data ----


def test_json_has_values_and_texts_and_comes_back() -> None:
    text = COLLECTION.model_dump_json()
    back = Collection.model_validate_json(text)

    assert back == COLLECTION
    assert back[0].root["KM"] == Decimal(0)
    assert back[0].info == GAME.info
    assert [one.span for one in back[0].root.properties] == [
        one.span for one in GAME.root.properties
    ]
    assert back.model_dump_json() == text
    assert Collection.model_validate(COLLECTION.model_dump()) == COLLECTION


def test_json_is_flat() -> None:
    games = COLLECTION.model_dump(mode="json")["games"]
    start = RECORD.index("B[qd]")

    assert [node["parent"] for node in games[0]["nodes"]] == [None, 0, 1, 2, 1, 4, 4, 6]
    assert games[0]["nodes"][1]["properties"] == [
        {"ident": "B", "raw": ["qd"], "values": [[16, 3]], "span": [start, start + 5]}
    ]


@pytest.mark.parametrize(
    "parents", [[], [0], [None, None], [None, 1], [None, 5], [None, -1], [1, None]]
)
def test_json_with_an_impossible_tree_is_refused(parents: list[int | None]) -> None:
    nodes: list[dict[str, object]] = [{"parent": parent, "properties": []} for parent in parents]

    with pytest.raises(ValidationError):
        GameTree.model_validate({"format": "FF4", "game": 1, "game_name": "Go", "nodes": nodes})


def test_there_is_a_json_schema_that_names_the_values() -> None:
    schema = Collection.model_json_schema()

    assert {"GameTree", "NodeRecord", "PropertyRecord", "Diagnostic"} <= set(schema["$defs"])
    assert "values" in schema["$defs"]["PropertyRecord"]["properties"]


def test_copies_and_pickles_are_equal_and_alive() -> None:
    for again in (
        copy.copy(COLLECTION),
        copy.deepcopy(COLLECTION),
        pickle.loads(pickle.dumps(COLLECTION)),
        COLLECTION.model_copy(),
    ):
        assert again == COLLECTION
        assert again[0].root["KM"] == Decimal(0)
        assert again[0].nodes[3].path == "3"
    node: Node = pickle.loads(pickle.dumps(GAME.nodes[2]))
    assert node == GAME.nodes[2]
    assert node.children[0].path == "3"
    one: Property = pickle.loads(pickle.dumps(GAME.root.properties[7]))
    assert one.values == (Decimal(0),)


@pytest.mark.parametrize(
    "model",
    [COLLECTION, GAME, GAME.root, GAME.root.properties[7]],
    ids=lambda one: type(one).__name__,
)
def test_models_are_models_of_pydantic_with_nothing_hidden_in_them(model: BaseModel) -> None:
    kind = type(model)
    cached = {name for name, one in vars(kind).items() if isinstance(one, cached_property)}

    for one in (model, model.model_copy(), copy.copy(model), copy.deepcopy(model)):
        public = {name for name in vars(one) if not name.startswith("_")}
        assert public <= set(kind.model_fields) | cached
        assert one.model_fields_set == set(kind.model_fields)
        assert one.model_extra is None
        assert one == model


def test_a_copy_of_a_property_knows_its_rule_its_values_and_its_place() -> None:
    one = GAME.root.properties[7]

    for again in (copy.copy(one), copy.deepcopy(one), one.model_copy()):
        assert again is not one
        assert (again.rule, again.reader, again.values) == (one.rule, one.reader, one.values)
        assert again.span == one.span
    loose = Property(ident="KM", name="KM", raw=("x",))
    assert (loose.rule, loose.reader, loose.values, loose.span) == (None, None, ("x",), None)


def test_a_copy_of_a_node_is_a_view_of_the_same_game() -> None:
    node = GAME.nodes[2]

    for again in (copy.copy(node), copy.deepcopy(node), node.model_copy()):
        assert again is not node
        assert again == node
        assert again.is_of(GAME.nodes)
    assert node.model_copy(update={"index": 3}, deep=True) == GAME.nodes[3]
    assert node.index == 2


def test_a_copy_with_other_fields_has_their_values() -> None:
    (game,) = sgf_lark.loads("(;FF[4]GM[1]KM[6.5];B[aa])")
    root, komi = game.root, game.root.properties[2]
    assert (root["KM"], komi.values) == (Decimal("6.5"), (Decimal("6.5"),))

    assert list(root.model_copy(update={"index": 1})) == ["B"]
    assert komi.model_copy(update={"raw": ("7.5",)}).values == (Decimal("7.5"),)


@pytest.mark.parametrize("key", ["BL", "km", "", 3, None, b"KM", 1.5])
def test_a_node_has_nothing_for_what_is_none_of_its_properties(key: Any) -> None:
    (game,) = sgf_lark.loads("(;FF[4]GM[1]KM[6.5])")
    readers = {*game.nodes.rules.readings}

    with pytest.raises(KeyError):
        game.root[key]
    assert game.root.get(key, "none") == "none"
    assert key not in game.root
    assert {*game.nodes.rules.readings} == readers


def test_a_game_of_a_class_of_its_own_has_its_fields() -> None:
    class Noted(GameTree):
        note: str = "none"
        tags: list[str] = Field(default_factory=list)
        _seen: int = PrivateAttr(0)
        _own: list[str] = PrivateAttr(default_factory=list)

    game = Noted.new(PB="Aoki")

    assert isinstance(game, Noted)
    assert isinstance(game.variation(0), Noted)
    assert game.note == "none"
    assert game._seen == 0  # noqa: SLF001  # its own class
    assert game._own == []  # noqa: SLF001  # its own class
    assert game.tags == []
    assert [*game.model_dump()][:3] == ["format", "game", "game_name"]


def test_a_collection_of_a_class_of_its_own_has_its_fields() -> None:
    class Noted(Collection):
        note: str = "none"

    again = Noted.of(
        TextSource("(;C[])"),
        [COLLECTION[0].nodes],
        None,
        Judgement(lambda: COLLECTION.diagnostics),
    )

    assert again.note == "none"
    assert again.diagnostics == COLLECTION.diagnostics


def test_an_error_of_a_judgement_is_not_taken_for_a_missing_dict() -> None:
    def fail() -> tuple[Diagnostic, ...]:
        raise AttributeError("no such thing")

    broken = Collection.of(TextSource(""), [], None, Judgement(fail))
    with pytest.raises(RuntimeError, match="no such thing"):
        vars(broken)


def test_printing_shows_what_it_is_and_not_everything() -> None:
    assert repr(COLLECTION) == "<Collection: 1 game>"
    assert repr(GAME) == "<GameTree FF[4] Go: 8 nodes>"
    assert str(GAME.nodes[2]) == ";W[dc]C[main]"
    assert repr(GAME.nodes[2]) == "<Node 2: ;W[dc]C[main]>"
    assert str(GAME.root.properties[0]) == "FF[4]"


# ---- GGF ----

AMAZONS = """(;GM[Amazons]PC[GGS/ams]DT[945277754] PB[amsbot5]PW[Raphael] RB[1897.01]RW[1874.15]
TI[30:00/00:05/02:00] TY[10]RE[-3.00] BO[10 ---*--*--- ---------- ---------- *--------*
---------- ---------- O--------O ---------- ---------- ---O--O--- *]
B[D1-D7-G7/11.50/5.04]W[J7-G4-B4//21.42] B[G1-E3-E10/8.30/5.01]W[G10-I8-I5//14.01]
B[A4-A6-G6/9.00/5.01]W[A7-D4-A7//8.03] B[A6-C8-H8/10.60/5.01]W[G4-I4-J5//7.42]
B[D7-F9-D9/12.20/5.01]W[D10-F8-E8//10.12] B[J4-H2-H4/10.80/5.02]W[I4-G2-G3//6.24]
B[C8-C6-D5/10.00/5.01]W[F8-F5-F8//15.82] B[F9-H9-E6/9.60/5.02]W[D4-C5-B5//12.27]
B[C6-C7-B7/13.60/5.01]W[C5-C6-D6//8.54] B[E3-E2-C4/8.10/5.02]W[F5-D3-D2//4.29]
B[H2-I2-H1/8.30/5.01]W[G2-H3-G2//6.33] B[E2-E3-I7/6.80/5.02]W[H3-F5-H3//10.15]
B[I2-J3-I3/8.00/5.03]W[F5-H5-I4//4.56] B[E3-E5-G5/6.30/5.02]W[D3-E4-D4//10.25]
B[E5-F4-G4/10.60/5.01]W[E4-E3-F3//2.99] B[F4-E4-C2/2.30/5.57]W[E3-D3-E3//3.94]
B[J3-I2-I1/2.10/5.01]W[D3-A3-D3//19.68] B[C7-D7-C7/2.00/5.01]W[H5-H7-F9//35.67]
B[H9-I9-H10/0.50/5.01]W[H7-G8-H9//13.11] B[I9-J8-I9/2.00/5.01]W[G8-F7-F5//34.53]
B[D7-D8-D7/-1.50/5.09]W[I8-J7-I8//40.46] B[D8-F10-D8/1.00/5.01]W[F7-G8-G9//7.21]
B[E4-E5-E4/-3.00/5.01]W[G8-F7-F6//73.36] B[I2-H2-G1/-3.00/5.01] ;)"""


def test_the_complete_game_of_the_ggf_page() -> None:
    collection = sgf_lark.loads(AMAZONS)
    game = collection[0]
    moves = [node.move for node in game.walk() if node.move is not None]

    assert collection.diagnostics == ()
    assert (game.format, game.game, game.game_name) == (Format.GGF, 18, "Amazons")
    assert game.size == BoardSize(10, 10)
    assert len(moves) == 47
    assert [move.color for move in moves[:3]] == [Color.BLACK, Color.WHITE, Color.BLACK]
    first = game.nodes[1]["B"]
    assert isinstance(first, Played)
    assert (first.evaluation, first.seconds) == (Decimal("11.50"), Decimal("5.04"))
    assert first.move == moves[0].value
    assert isinstance(first.move, AmazonsMove)
    assert (first.move.origin, first.move.target, first.move.arrow) == (
        Point(3, 0),
        Point(3, 6),
        Point(6, 6),
    )
    second = game.nodes[2]["W"]
    assert isinstance(second, Played)
    assert (second.evaluation, second.seconds) == (None, Decimal("21.42"))
    assert game.nodes[47].path == "47"
    assert game.info.result is not None
    assert (game.info.result.winner, game.info.result.margin) == (Color.WHITE, Decimal(3))
    assert game.info.black.rating == Decimal("1897.01")
    assert game.info.clock is not None
    assert game.info.clock.initial == Period(seconds=1800)
    assert game.info.date == date(1999, 12, 15)
    board = game.root["BO"]
    assert isinstance(board, InitialBoard)
    assert board.to_move is Color.BLACK
    assert board.rows[0] == "---*--*---"
    assert Collection.model_validate_json(collection.model_dump_json()) == collection


def test_a_ggf_archive_has_several_games_a_line() -> None:
    game = "(;GM[Othello]PB[a]PW[b]BO[4 ---- -O*- -*O- ---- *]B[A2//7.50]W[A1];)"
    collection = sgf_lark.loads(f"1 {game}\n2 {game}{game}\n")

    assert len(collection) == 3
    assert collection.diagnostics == ()
    assert [node.move is not None for node in collection[2].nodes] == [False, True, True]


def test_a_ggf_count_that_does_not_match_is_reported() -> None:
    game = "(;GM[Othello]BO[4 ---- -O*- -*O- ---- *];)"
    collection = sgf_lark.loads(f"2 {game}\n1 {game}{game}")

    assert [(one.name, one.line, one.column) for one in collection.diagnostics] == [
        ("wrong-count", 1, 1),
        ("wrong-count", 2, 1),
    ]
