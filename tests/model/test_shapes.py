"""Node, GameTree and Collection are a mapping, a tree of nodes and a sequence; all are frozen."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from rich.pretty import pretty_repr

import sgf_lark
from sgf_lark import Collection, Color, GameTree, Node, Point, PointList, PropertyRule, Result

RECORD = "(;FF[4]GM[1]KM[6.5]RE[B+R](;B[pd]C[x](;W[dd])(;W[dc]))(;B[dp];;W[]))(;FF[4];B[aa]C[])"
COLLECTION = sgf_lark.loads(RECORD)
GAME = COLLECTION[0]
ROOT = GAME.root


# ---- a node is a mapping ----


def test_a_node_becomes_a_dict_of_its_values() -> None:
    assert dict(ROOT) == {"FF": 4, "GM": 1, "KM": Decimal("6.5"), "RE": ROOT["RE"]}
    assert {**GAME.at("1")} == {"B": Point(15, 3), "C": "x"}


def test_a_node_has_the_views_of_a_dict() -> None:
    as_dict = dict(ROOT)

    assert ROOT.keys() == as_dict.keys()
    assert list(ROOT.values()) == list(as_dict.values())
    assert list(ROOT.items()) == list(as_dict.items())
    assert ROOT.keys() & {"KM", "XX"} == {"KM"}
    assert list(ROOT) == ["FF", "GM", "KM", "RE"]
    assert len(ROOT) == len(ROOT.keys()) == 4
    assert "KM" in ROOT
    assert "FF[4]" not in ROOT
    assert isinstance(ROOT, Mapping)


def test_a_property_that_occurs_twice_is_one_item() -> None:
    node = sgf_lark.loads("(;FF[4]AB[aa]C[x]AB[bb])", strict=False)[0].root

    assert len(node) == 3
    assert dict(node)["AB"] == PointList((Point(0, 0), Point(1, 1)))


def test_a_node_matches_the_pattern_of_a_mapping() -> None:
    match GAME.at("1"):
        case {"B": (column, row), **others}:
            assert (column, row, others) == (15, 3, {"C": "x"})
        case _:
            pytest.fail("no match")


def test_an_empty_node_is_true_like_any_other() -> None:
    empty = GAME.at("0.1/1")

    assert dict(empty) == {}
    assert len(empty) == 0
    assert empty


# ---- a game is its nodes ----


def test_a_game_is_its_nodes() -> None:
    assert list(GAME) == list(GAME.nodes)
    assert len(GAME) == len(list(GAME)) == 7
    assert all(node in GAME for node in GAME)


def test_a_node_of_another_game_is_in_a_game_only_if_an_equal_one_is() -> None:
    again = sgf_lark.loads(RECORD)[0]

    for node in (*again, *COLLECTION[1]):
        assert (node in GAME) == (node in list(GAME))
    assert "1" not in GAME
    assert 1 not in GAME


@pytest.mark.parametrize("model", [GAME, COLLECTION], ids=["game", "collection"])
def test_a_dict_of_a_game_or_a_collection_is_an_error_that_names_the_way(model: Any) -> None:
    with pytest.raises(TypeError, match=r"model_dump\(\) has its fields"):
        dict(model)


def test_a_collection_is_its_games() -> None:
    assert list(COLLECTION) == list(COLLECTION.games)
    assert len(COLLECTION) == 2
    assert GAME in COLLECTION
    assert COLLECTION[1].variation(0) in COLLECTION
    assert GAME.variation("0.1") not in COLLECTION


@pytest.mark.parametrize("model", [COLLECTION, GAME, ROOT], ids=lambda one: type(one).__name__)
def test_all_that_pydantic_gives_is_as_it_was(model: BaseModel) -> None:
    kind = type(model)

    assert {**model.model_dump()}
    if kind is not Node:
        assert kind.model_validate(model.model_dump()) == model
        assert kind.model_validate_json(model.model_dump_json()) == model
        assert set(model.model_dump()) == set(kind.model_fields)
    for again in (
        model.model_copy(),
        copy.copy(model),
        copy.deepcopy(model),
        pickle.loads(pickle.dumps(model)),
    ):
        assert again == model
        assert type(again) is kind
    assert pretty_repr(model).startswith(f"{kind.__name__}(")


def test_other_models_become_dicts_of_their_fields() -> None:
    assert dict(GAME.info.black)["name"] is None
    assert dict(GAME.info)["komi"] == Decimal("6.5")


# ---- lines ----


def test_a_node_knows_what_comes_after_it() -> None:
    fork = GAME.at("1")

    assert fork.next == fork.children[0] == GAME.at("2")
    assert fork.variations == fork.children[1:] == (GAME.at("1.1"),)
    assert not fork.is_leaf
    end = GAME.at("2")
    assert (end.next, end.variations, end.is_leaf) == (None, (), True)


def test_a_line_goes_on_from_any_node() -> None:
    assert list(GAME.mainline_from(GAME.root)) == list(GAME.main_line())
    for node in ("0.1", 4, GAME.at("0.1")):
        assert [one.path for one in GAME.mainline_from(node)] == ["0.1", "0.1/1", "0.1/2"]
    with pytest.raises(KeyError):
        GAME.mainline_from("7")
    with pytest.raises(IndexError):
        GAME.mainline_from(7)


def test_leaves_are_the_ends_of_all_lines() -> None:
    assert [node.path for node in GAME.leaves()] == ["2", "1.1", "0.1/2"]
    assert list(GAME.leaves()) == [node for node in GAME if node.is_leaf]


@pytest.mark.night
def test_lines_of_20_000_nested_variations_take_little_time() -> None:
    many = 20_000
    game = sgf_lark.loads("(;FF[4]" + "(;C[a])(;C[b]" * many + ")" * many + ")")[0]

    assert sum(1 for _ in game.leaves()) == many + 1
    assert sum(node.is_leaf for node in game) == many + 1
    assert sum(1 for _ in game.mainline_from(game.root)) == 2


# ---- nothing can be set ----


@pytest.mark.parametrize(
    ("model", "name"),
    [(GAME.info, "komi"), (GAME, "format"), (ROOT, "x"), (ROOT, "index"), (GAME.info.black, "name"),
     (GAME.at("1").move, "raw"), (GAME.moves[0], "color"), (ROOT.properties[0], "raw")],
)  # fmt: skip
def test_an_attribute_that_is_set_names_the_way_to_edit(model: object, name: str) -> None:
    with pytest.raises(FrozenInstanceError) as caught:
        setattr(model, name, None)

    assert str(caught.value).startswith(f"cannot set {name}: {type(model).__name__} is frozen; ")
    assert "draft = game.edit()" in str(caught.value)
    assert "pydantic" not in str(caught.value)


def test_values_and_collections_name_the_way_to_a_changed_copy() -> None:
    result = Result(winner=Color.BLACK)
    with pytest.raises(FrozenInstanceError, match=r"model_copy\(update="):
        result.winner = None  # type: ignore[misc]  # that is the test
    with pytest.raises(FrozenInstanceError, match=r"cannot delete winner: .*model_copy\(update="):
        del result.winner
    with pytest.raises(FrozenInstanceError, match=r"collection\.replace\(number, game\)"):
        COLLECTION.games = ()  # type: ignore[misc]  # that is the test


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (Result, {"winner": "x"}, "Input should be 'B' or 'W'"),
        (Result, {"winner": None, "foo": 1}, "there is no such field"),
        (Collection, {"games": 3}, "Input should be a valid tuple"),
        (sgf_lark.CheckOptions, {"select": ["{NOPE}"]}, "no rule is called '{NOPE}'"),
    ],
)
def test_an_argument_that_does_not_fit_is_an_error_without_links(
    kind: Any, values: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValidationError, match=re.escape(message)) as caught:
        kind(**values)

    assert "https://" not in str(caught.value)
    assert caught.value.errors()[0]["loc"]


def test_an_item_of_a_node_that_is_set_names_the_way_to_edit() -> None:
    node: Any = ROOT

    with pytest.raises(TypeError, match=r"cannot set KM: a node is frozen.*game\.edit\(\)"):
        node["KM"] = 7.5
    with pytest.raises(TypeError, match=r"cannot delete KM: a node is frozen.*game\.edit\(\)"):
        del node["KM"]


# ---- completion ----

#: Names of pydantic 1, which pydantic 2 keeps and deprecates.
DEAD = {"copy", "dict", "json", "parse_obj", "parse_raw", "parse_file", "from_orm", "construct",
        "schema", "schema_json", "validate", "update_forward_refs"}  # fmt: skip


BROKEN = sgf_lark.check(StringIO("(;"))


THINGS = [
    ROOT, GAME, COLLECTION, GAME.at("1").move, GAME.info, GAME.info.result, GAME.info.black,
    ROOT.properties[0], BROKEN, BROKEN.diagnostics[0],
    PropertyRule(format="FF4", ident="TT"), sgf_lark.CheckOptions(),
]  # fmt: skip


@pytest.mark.parametrize("thing", THINGS, ids=lambda one: type(one).__name__)
def test_completion_lists_no_dead_name(thing: BaseModel) -> None:
    for listed in (dir(thing), dir(type(thing))):
        assert DEAD.isdisjoint(listed)
    assert {"model_dump", "model_copy", *type(thing).model_fields} <= {*dir(thing)}


@pytest.mark.parametrize("thing", THINGS, ids=lambda one: type(one).__name__)
def test_completion_of_ipython_lists_no_dead_name(thing: BaseModel) -> None:
    completion = pytest.importorskip("IPython.utils.dir2", reason="IPython is not installed")

    assert DEAD.isdisjoint(completion.dir2(thing))


def test_a_side_is_a_color_or_its_letter_or_word_and_nothing_else() -> None:
    game = sgf_lark.loads("(;FF[4]GM[1]SZ[9]PB[Aoki]PW[Berg]AB[aa]AW[bb][cc])")[0]
    board = game.board(0)

    for color, name, count in (
        (sgf_lark.Color.BLACK, "Aoki", 1),
        ("B", "Aoki", 1),
        ("W", "Berg", 2),
        ("white", "Berg", 2),
    ):
        assert game.info.player(color).name == name
        assert len(board.stones(color)) == count
    assert len(board.stones()) == 3
    for wrong in ("x", "blacks", ""):
        for ask in (game.info.player, board.stones):
            with pytest.raises(ValueError, match=f"no color '{wrong}': expected B or W"):
                ask(wrong)


def test_only_what_is_a_mapping_lists_keys() -> None:
    assert [hasattr(one, "keys") for one in (ROOT, GAME, COLLECTION)] == [True, True, True]
    assert ["keys" in dir(one) for one in (ROOT, GAME, COLLECTION)] == [True, False, False]


def test_a_class_of_ones_own_is_as_frozen_as_its_configuration_says() -> None:
    class Noted(GameTree, frozen=False):
        note: str = ""

    game = Noted.new()
    game.note = "seen"
    assert game.note == "seen"
    assert isinstance(Collection(games=(game,))[0], Noted)


@pytest.mark.parametrize(
    "model", [Collection, GameTree, sgf_lark.Report, sgf_lark.Diagram, sgf_lark.CheckOptions]
)
@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_the_schema_of_json_describes_models_and_fields_in_plain_words(
    model: Any, mode: Any, recwarn: pytest.WarningsRecorder
) -> None:
    schema = model.model_json_schema(mode=mode)

    parts = {model.__name__: schema, **schema.get("$defs", {})}
    typed = {name: part for name, part in parts.items() if not name.endswith("Record")}
    for name, part in typed.items():
        for field, about in part.get("properties", {}).items():
            assert about.get("description"), f"{name}.{field}"
    assert schema["description"]
    assert ":class:" not in json.dumps(schema)
    assert "``" not in json.dumps(schema)
    assert not recwarn.list
