"""JSON that somebody made: it is a record that a text can hold, or it is refused."""

from __future__ import annotations

import copy
import json
import os
import random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from pydantic import ValidationError
from support.lanes import amount, one_in

import sgf_lark
from sgf_lark import Collection, Format, GameTree
from sgf_lark.cli.main import app
from sgf_lark.core.api.format import have_same_content
from sgf_lark.core.model.nodes import Node
from sgf_lark.core.model.property import Property

if TYPE_CHECKING:
    from pathlib import Path

#: So many examples.
EXAMPLES = amount(30, 150)
SEED = int(os.environ.get("SGF_LARK_SEED", "1"))

RECORDS = (
    "(;FF[4]GM[1]CA[UTF-8]SZ[19]C[a\\]b](;B[pd]N[x](;W[dd])(;W[dp]C[\\\\]))(;B[dd]AB[aa:cc][dd]))",
    "(;FF[3]GM[1]SiZe[9]HA[2]junk[x];B[tt]LB[aa:1];W[aa])(;FF[1]Black[aa];White[bb])",
    "(;FF[4]GM[6]MI[length:7][game:1];B[31hefe];W[double])",
    "(;SZ[13];;B[aa](;W[bb])(;W[cc];B[dd]))",
    f"(;GM[Othello]PC[x]PB[a]PW[b]BO[8 {'-' * 27}O*{'-' * 6}*O{'-' * 27} *]B[d3//1.5]W[c3];)",
)  # fmt: skip


def record(*properties: dict[str, Any], **game: object) -> str:
    """The JSON of a game of one node."""
    nodes = [{"parent": None, "properties": list(properties)}]
    one = {"format": "FF4", "game": 1, "game_name": "Go", "nodes": nodes} | game
    return json.dumps({"games": [one]})


@pytest.mark.parametrize(
    "property_",
    one_in(
        3,
        [
            {"ident": "C", "raw": ["a]B[zz"]},
            {"ident": "C", "raw": ["a", "]"]},
            {"ident": "B]x[", "raw": ["aa"]},
            {"ident": "", "raw": ["aa"]},
            {"ident": "B ", "raw": ["aa"]},
            {"ident": "B\n", "raw": ["aa"]},
            {"ident": "\u00c9", "raw": ["aa"]},
            {"ident": "8", "raw": ["aa"]},
            {"ident": "GM", "raw": []},
            {"ident": "C", "raw": ["a\\"]},
            {"ident": "C", "raw": ["a\\\\\\"]},
            {"ident": "C", "name": "W", "raw": ["a"]},
            {"ident": "c", "raw": ["a"]},
            {"ident": "C", "name": "C[x]B", "raw": ["a"]},
            {"ident": "C", "raw": ["a"], "span": [0, 10**20]},
            {"ident": "C", "raw": ["a"], "span": [-1, 5]},
            {"ident": "C", "raw": ["a"], "span": [6, 5]},
            {"ident": "GM", "raw": ["2"]},
            {"ident": "EV", "raw": ["hex.ch.1.1.1"]},
        ],
    ),
)
def test_json_of_what_no_text_holds_is_refused(property_: dict[str, Any], tmp_path: Path) -> None:
    data = record(property_)
    file = tmp_path / "x.json"
    file.write_text(data)

    with pytest.raises(ValidationError):
        Collection.model_validate_json(data)
    with pytest.raises(ValidationError):
        Collection.model_validate(json.loads(data))
    with pytest.raises(ValidationError):
        GameTree.model_validate(json.loads(data)["games"][0])
    for to in ("sgf", "ff3", "ggf", "json"):
        result = CliRunner().invoke(app, ["convert", str(file), "--to", to])
        assert result.exit_code == 1
        assert "error: invalid JSON of a record" in result.stderr


@pytest.mark.parametrize(
    ("parents", "properties"),
    [
        ([None, 0, 0], [["GM"], ["B"], ["W"]]),
        ([None], [["GM", "B"]]),
        ([None, 0], [["GM"], ["PB"]]),
        ([None, 0], [["GM"], ["PB", "B"]]),
        ([None, 0], [["GM"], ["B", "W"]]),
        ([None, 0, 1], [["GM"], ["B"], []]),
    ],
)
def test_a_game_of_ggf_is_one_line_of_moves(
    parents: list[int | None], properties: list[list[str]]
) -> None:
    def nodes() -> list[dict[str, Any]]:
        raws = {"GM": "Othello", "B": "d3", "W": "c3", "PB": "x"}
        return [
            {"parent": above, "properties": [{"ident": one, "raw": [raws[one]]} for one in idents]}
            for above, idents in zip(parents, properties, strict=True)
        ]

    game = {"format": "GGF", "game": 2, "game_name": "Othello", "nodes": nodes()}

    with pytest.raises(ValidationError, match="GGF"):
        GameTree.model_validate(game)


@pytest.mark.parametrize("parents", [[None, 0, 0, 1], [None, 0, 1, 0, 2], [None, 0, 1, 1, 0, 3]])
def test_a_variation_that_is_left_is_not_gone_on_with(parents: list[int | None]) -> None:
    nodes: list[dict[str, Any]] = [{"parent": above, "properties": []} for above in parents]
    game = {"format": "FF4", "game": 1, "game_name": "Go", "nodes": nodes}

    with pytest.raises(ValidationError, match="comes after the variation"):
        GameTree.model_validate(game)


def test_a_property_or_a_node_that_no_text_holds_is_refused() -> None:
    for data in (
        {"ident": "B]x[", "name": "B]x[", "raw": ["a"]},
        {"ident": "C", "name": "C", "raw": []},
        {"ident": "C", "name": "C", "raw": ["a]\\"]},
        {"ident": "C", "name": "B", "raw": ["a"]},
    ):
        with pytest.raises(ValidationError):
            Property.model_validate(data)
    with pytest.raises(ValidationError, match="comes with its game"):
        Node.model_validate({"index": 0})
    node = sgf_lark.loads("(;FF[4])")[0].root
    assert Node.model_validate(node) is node


def test_an_encoding_that_nobody_knows_is_refused() -> None:
    data = sgf_lark.loads("(;FF[4]C[x])").model_dump() | {"encoding": "no such"}

    with pytest.raises(ValidationError, match="unknown character encoding"):
        Collection.model_validate(data)


def test_a_draft_takes_no_text_that_a_file_cannot_hold() -> None:
    draft = sgf_lark.loads("(;FF[4]GM[1])")[0].edit()

    for ident, raw in (("C", "a]B[zz"), ("C", "a\\"), ("B]x[", "a"), ("", "a"), ("B ", "a")):
        with pytest.raises(ValueError, match="invalid"):
            draft.set_raw(0, ident, raw)


# ---- data of chance ----


def everywhere(data: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all parts of some data."""
    found = [place] if place else []
    parts: Any = data.items() if isinstance(data, dict) else ()
    parts = enumerate(data) if isinstance(data, list) else parts
    for key, part in parts:
        found += everywhere(part, (*place, key))
    return found


#: What may stand in the place of something else.
JUNK: tuple[Any, ...] = (
    None, True, 0, 1, 2, 3, -1, 10**20, 1e308, "", "a", "]", "[", "\\", "a]B[zz", "a\\", "\\]", ";",
    ")", "\n", "\r", "\r\n", "\0", ":", "B", "W", "b", "FF", "GM", "SZ", "CA", "junk", "a8", "ABC",
    "B1", "8", "tt", "aa:cc", "FF1", "FF3", "FF4", "GGF", "Othello", "UTF-8", "utf-16", [], {},
    ["a", "b"], [0, 5], "\u4e2d", "\ufeff", "10", "52", "hex.ch.1.1.1", "4", "1",
)  # fmt: skip


def mutated(data: Any, dice: random.Random) -> Any:
    """Some data with a few changes: another value, one twice, one fewer, two exchanged."""
    data = copy.deepcopy(data)
    for _ in range(dice.randint(1, 4)):
        place = dice.choice(everywhere(data))
        holder = data
        for key in place[:-1]:
            holder = holder[key]
        key = place[-1]
        match dice.randrange(5):
            case 0 | 1:
                holder[key] = copy.deepcopy(dice.choice(JUNK))
            case 2 if isinstance(holder[key], str):
                at = dice.randint(0, len(holder[key]))
                junk = dice.choice([one for one in JUNK if isinstance(one, str)])
                holder[key] = holder[key][:at] + junk + holder[key][at:]
            case 3 if isinstance(holder, list):
                holder.insert(dice.randint(0, len(holder)), copy.deepcopy(holder[key]))
            case 4 if isinstance(holder, list):
                del holder[key]
            case _:
                keys = list(holder if isinstance(holder, dict) else range(len(holder)))
                other = dice.choice(keys)
                holder[key], holder[other] = holder[other], holder[key]
    return data


@pytest.mark.both_lanes
def test_data_of_chance_is_a_record_that_reads_back_or_is_refused() -> None:
    dice = random.Random(SEED)  # noqa: S311  # the same data every time
    sources = [sgf_lark.loads(one, strict=False).model_dump(mode="json") for one in RECORDS]
    for one in sources:
        one["diagnostics"] = []
    accepted = 0
    for _ in range(EXAMPLES):
        data = mutated(dice.choice(sources), dice)
        text = json.dumps(data)
        try:
            collection = Collection.model_validate_json(text)
        except ValidationError:
            continue
        accepted += 1
        try:
            check_written(collection)
            check_converted(collection)
        except BaseException as error:
            error.add_note(text)
            raise
    assert accepted > EXAMPLES // 20


def check_written(collection: Collection) -> None:
    """Each layout of each game reads back as the same record."""
    assert Collection.model_validate_json(collection.model_dump_json()) == collection
    for game in collection:
        for style in ("preserve", "canonical", "compact"):
            text = sgf_lark.dumps(game, style=style)
            again = sgf_lark.loads(text, strict=False, format=game.format)
            assert have_same_content(Collection(games=(game,)), again), text


def check_converted(collection: Collection) -> None:
    """Conversions are made or refused."""
    for to in (*Format, "sgf"):
        try:
            made = sgf_lark.convert(collection, to)
        except sgf_lark.SgfError:
            continue
        sgf_lark.dumps(made)
