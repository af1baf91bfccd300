"""Games are changed in drafts, and never in place."""

from __future__ import annotations

import io
import random
import re
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.lanes import one_in
from support.said import unsaid
from support.timing import LIMIT, growth

import sgf_lark
from sgf_lark import (
    GAMES,
    PASS,
    BoardSize,
    Color,
    Format,
    GameTree,
    Invalid,
    Point,
    PropertyRule,
    PropertyTable,
)
from sgf_lark.core.model.draft import Branch
from sgf_lark.core.schema.games import GO, OLD_SIDE, SHARED_WITH_GGF
from sgf_lark.games.registry import games_with_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from sgf_lark import Draft

#: The games with rules.
PLAYED = [GAMES[number].name for number in games_with_rules()]

RECORD = "(;FF[4]GM[1]SZ[19]KM[6.5];B[pd](;W[dp];B[pp])(;W[dd](;B[cc])(;B[dc]C[x])))"
GAME = sgf_lark.loads(RECORD)[0]


def text(game: GameTree) -> str:
    """A game on one line, as it is."""
    return sgf_lark.dumps(game, style="compact")


# ---- the tree ----


def test_a_game_does_not_change_when_its_draft_does() -> None:
    draft = GAME.edit()
    draft.set(0, "KM", 0)
    draft.remove(1)

    assert text(draft.done()) == "(;FF[4]GM[1]SZ[19]KM[0])"
    assert text(GAME) == RECORD


def test_nodes_are_added_at_the_end_or_at_a_place() -> None:
    draft = GAME.edit()
    last = draft.add(GAME.at("1"), {"W": "aa"})
    first = draft.add(GAME.at("1"), {"W": Point(1, 1)}, at=0)
    draft.add(last, {"B": "cc", "C": "a]"})

    assert draft.children(1) == (first, 2, 4, last)
    assert text(draft.done()).startswith("(;FF[4]GM[1]SZ[19]KM[6.5];B[pd](;W[bb])(;W[dp];B[pp])")
    assert text(draft.done()).endswith("(;W[aa];B[cc]C[a\\]]))")


def test_a_node_is_inserted_before_all_children() -> None:
    draft = GAME.edit()
    draft.insert(1, {"C": "pause"})

    assert text(draft.done()) == RECORD.replace("(;W[dp]", ";C[pause](;W[dp]", 1)


def test_a_node_is_removed_with_or_without_what_is_below() -> None:
    draft = GAME.edit()
    draft.remove(GAME.at("1.1"), keep_below=True)
    assert text(draft.done()) == (
        "(;FF[4]GM[1]SZ[19]KM[6.5];B[pd](;W[dp];B[pp])(;B[cc])(;B[dc]C[x]))"
    )
    draft.remove(GAME.at("1.0"))
    assert text(draft.done()) == "(;FF[4]GM[1]SZ[19]KM[6.5];B[pd](;B[cc])(;B[dc]C[x]))"


def test_a_subtree_is_cut_and_pasted() -> None:
    draft = GAME.edit()
    branch = draft.cut(GAME.at("1.1"))
    assert len(branch) == 3
    with pytest.raises(KeyError, match="no node 5"):
        draft.set(5, "C", "gone")
    draft.paste(3, branch)
    assert text(draft.done()) == (
        "(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dp];B[pp];W[dd](;B[cc])(;B[dc]C[x]))"
    )


def test_a_subtree_is_pasted_into_a_game_of_another_format() -> None:
    other = sgf_lark.loads("(;FF[3];B[tt])")[0]
    draft = other.edit()
    draft.paste(1, GAME.edit().copy(GAME.at("1.0")))
    changed = draft.done()

    assert text(changed) == "(;FF[3];B[tt];W[dp];B[pp])"
    assert changed.nodes[2].properties[0].rule is not None
    assert changed.nodes[2].properties[0].rule.format is Format.FF3


def test_variations_change_places() -> None:
    draft = GAME.edit()
    draft.promote(GAME.at("1.1"))
    assert draft.children(1) == (4, 2)
    draft.promote(4)
    assert draft.children(1) == (4, 2)
    draft.demote(4)
    assert draft.children(1) == (2, 4)
    draft.make_main_line(GAME.at("1.1/0.1"))
    assert [str(node) for node in draft.done().main_line()][1:] == [
        ";B[pd]",
        ";W[dd]",
        ";B[dc]C[x]",
    ]


def test_a_variation_becomes_a_game() -> None:
    assert (
        text(GAME.variation("1.1")) == "(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dd](;B[cc])(;B[dc]C[x]))"
    )
    assert text(GAME.variation(GAME.at("1.1/0.1"))) == (
        "(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dd];B[dc]C[x])"
    )


def test_the_root_stays() -> None:
    for change in (lambda: GAME.edit().remove(0), lambda: GAME.edit().cut(GAME.root)):
        with pytest.raises(ValueError, match="the first node cannot be removed"):
            change()


def test_a_node_of_another_game_is_refused() -> None:
    with pytest.raises(KeyError, match="another game"):
        GAME.edit().remove(sgf_lark.loads("(;;)")[0].nodes[1])


@pytest.mark.parametrize("node", [None, 99, -1, 1.5])
def test_a_node_that_is_not_there_is_named(node: Any) -> None:
    for change in (
        lambda: GAME.edit().set(node, "C", "a"),
        lambda: GAME.edit().promote(node),
        lambda: GAME.edit().add(node),
    ):
        with pytest.raises(KeyError, match=rf"no node {node!r} in this draft"):
            change()


@pytest.mark.parametrize(
    "properties", [{"C": 3}, {"C": "a", "B": "Z99"}, {"C": "a", 3: "b"}, "C", [("C", "a")]]
)
def test_a_node_is_added_with_all_its_properties_or_not_at_all(properties: Any) -> None:
    draft = GAME.edit()
    with pytest.raises((ValueError, TypeError, AttributeError)):
        draft.add(0, properties)
    assert draft.done() == GAME


# ---- properties ----


def test_values_are_typed_plain_or_the_text_itself() -> None:
    draft = GAME.edit()
    values = {"KM": Decimal("0.5"), "HA": 2, "RE": "W+R", "AB": ["aa", Point(1, 1)]}
    texts = {"PL": Color.WHITE, "PB": "Aoki [9d]", "XX": ["a", "b]"]}
    for ident, value in (values | texts).items():
        draft.set(0, ident, value)
    root = draft.done().root

    assert str(root) == (
        ";FF[4]GM[1]SZ[19]KM[0.5]HA[2]RE[W+R]AB[aa][bb]PL[W]PB[Aoki [9d\\]]XX[a][b\\]]"
    )
    assert root["KM"] == Decimal("0.5")


DAY, NEXT_DAY = date(2020, 1, 2), date(2020, 1, 3)


@pytest.mark.parametrize(
    ("ident", "value", "raw"),
    [
        ("DT", DAY, "[2020-01-02]"),
        ("DT", datetime(2020, 1, 2, 3, 4), "[2020-01-02]"),  # noqa: DTZ001  # its day counts
        ("DT", [DAY, NEXT_DAY], "[2020-01-02,03]"),
        ("DT", (DAY, NEXT_DAY), "[2020-01-02,03]"),
        ("DT", iter([DAY, NEXT_DAY]), "[2020-01-02,03]"),
        ("DT", ["2020-01-02", "2020-02", "2021"], "[2020-01-02,2020-02,2021]"),
        ("SZ", [9, 13], "[9:13]"),
        ("AP", ["CGoban", "3"], "[CGoban:3]"),
        ("AB", "Q16", "[pd]"),
        ("AB", (3, 4), "[de]"),
        ("AB", ["Q16", (3, 4), "aa", Point(1, 1)], "[pd][de][aa][bb]"),
        ("AB", [(np.int64(3), np.int8(4))], "[de]"),
        ("AB", (point for point in ["Q16", (3, 4)]), "[pd][de]"),
        ("AB", "A1:C1", "[as:cs]"),
        ("VW", iter([(3, 4)]), "[de]"),
        ("VW", [], "[]"),
        ("LB", {"Q16": "A", (3, 4): "1"}, "[pd:A][de:1]"),
        ("LB", [("Q16", "A"), ((3, 4), 1)], "[pd:A][de:1]"),
        ("LB", ("Q16", "A"), "[pd:A]"),
        ("LB", ((3, 4), "A"), "[de:A]"),
        ("LB", ("Q16:A", "D4:B"), "[pd:A][dp:B]"),
        ("AR", ("Q16", "D4"), "[pd:dp]"),
        ("AR", ((3, 4), (5, 6)), "[de:fg]"),
        ("AR", [((3, 4), "D4"), ("Q16", (5, 6))], "[de:dp][pd:fg]"),
        ("AR", (("Q16", "D4"), ("C3", "C4")), "[pd:dp][cq:cp]"),
        ("KM", 6.5, "[6.5]"),
        ("HA", 2, "[2]"),
        ("PL", Color.WHITE, "[W]"),
        ("XX", ["a", 1], "[a][1]"),
    ],
)  # fmt: skip
def test_a_value_is_given_as_people_have_it(ident: str, value: object, raw: str) -> None:
    draft = GameTree.new("Go", 19).edit()
    draft.set(0, ident, value)

    assert [str(prop) for prop in draft.properties(0) if prop.ident == ident] == [f"{ident}{raw}"]


#: Values of every kind of Python.
ANY_VALUES = (
    lambda: [DAY, NEXT_DAY], lambda: {DAY}, lambda: DAY, lambda: [2020], lambda: (3, 4),
    lambda: [3, 4], lambda: [(3, 4)], lambda: {(3, 4): "A"}, lambda: {"a": {"b": 1}},
    lambda: iter(["Q16"]), lambda: ("Q16", "A"), lambda: [("Q16", "D4")], lambda: "Q16",
    lambda: 7, lambda: -1, lambda: 6.5, lambda: float("nan"), lambda: float("inf"), lambda: 1j,
    lambda: Decimal("6.5"), lambda: True, lambda: False, lambda: None, list, lambda: (),
    dict, lambda: "", lambda: b"x", object, lambda: Color.BLACK, lambda: [None],
    lambda: Point(3, 4), lambda: Point(-3, 400), lambda: range(3), lambda: BoardSize(9, 9),
    lambda: PASS, lambda: ((((1,),),),), lambda: [[["a"]]], lambda: "]", lambda: "\\",
)  # fmt: skip


@pytest.mark.parametrize(
    "name",
    one_in(8, ["FF4 Go", "FF1 Go", "FF3 Go", "GGF Othello", *(f"FF4 {n}" for n in PLAYED[1:])]),
)
def test_any_value_of_any_property_is_kept_or_rejected_in_words(name: str) -> None:
    format_, _, game_name = name.partition(" ")
    game = GameTree.new(game_name, format=Format(format_))
    rows = [row for row in PropertyTable.standard() if row.format is game.format]
    for ident in sorted({row.ident for row in rows if row.game in {None, game.game}}):
        if ident in {"FF", "GM"}:
            continue
        for make in ANY_VALUES:
            draft = game.edit()
            node = draft.add(0) if ident in {"B", "W", "KO", "MN"} else 0
            try:
                draft.set(node, ident, make())
            except ValueError:
                continue
            (prop,) = (prop for prop in draft.properties(node) if prop.ident == ident)
            assert not any(isinstance(value, Invalid) for value in prop.values), prop


def test_a_name_keeps_its_spelling_and_a_move_comes_first() -> None:
    draft = sgf_lark.loads("(;GaMe[1]KoMi[5]CoMment[x])")[0].edit()
    draft.set(0, "KM", 6)
    draft.set(0, "B", "aa")

    assert str(draft.done().root) == ";B[aa]GaMe[1]KoMi[6]CoMment[x]"


def test_a_property_that_stands_twice_becomes_one() -> None:
    draft = sgf_lark.loads("(;FF[4]AB[aa]C[x]AB[bb])", strict=False)[0].edit()
    draft.set(0, "AB", ["cc"])

    assert str(draft.done().root) == ";FF[4]AB[cc]C[x]"


@pytest.mark.parametrize(
    ("node", "ident", "value", "parts"),
    [
        (0, "KM", "six", ("'six'", "KM", "a komi such as 6.5")),
        (1, "SZ", 9, ("SZ belongs in the first node of a game",)),
        (1, "AB", ["aa"], ("AB cannot stand beside B: a node is a move or a setup",)),
        (1, "W", "aa", ("W cannot stand beside B: a node has one move",)),
        (1, "PB", "Aoki", ("game-info property PB again: an earlier node already has KM",)),
        (0, "FF", 3, ("this game is FF[4]; convert makes it another",)),
        (0, "Km", 3, ("'Km' is no name that FF[4] allows",)),
        (0, "XX", [], ("a private property needs a value",)),
        (0, "XX", object(), ("<object", "a private property", "a text")),
        (0, "SZ", 0, ("'0'", "SZ", "a number from 1 to 52")),
        (0, "AB", ["aa", "bb", "aa"], ("AB names aa twice",)),
        (1, "B", ("aa", "bb"), ("('aa', 'bb')", "B", "a point")),
    ],
)
def test_what_the_standard_forbids_is_refused_with_the_reason(
    node: int, ident: str, value: Any, parts: tuple[str, ...]
) -> None:
    draft = GAME.edit()
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is looked at
        draft.set(node, ident, value)
    assert unsaid(caught.value, *parts) == []
    assert text(draft.done()) == RECORD


def test_a_property_that_is_not_there_cannot_be_taken_away() -> None:
    draft = GAME.edit()
    with pytest.raises(KeyError) as caught:
        draft.unset(0, "PB")
    assert str(caught.value) == "node 0 has no PB; missing_ok=True accepts that"

    draft.unset(0, "PB", missing_ok=True)
    assert text(draft.done()) == RECORD


def test_what_says_how_a_game_is_read_cannot_be_taken_away() -> None:
    draft = sgf_lark.loads("(;FF[4]GM[2])")[0].edit()
    with pytest.raises(ValueError, match=re.escape("not be read as FF[4] any more")):
        draft.unset(0, "FF")
    with pytest.raises(ValueError, match="not be read as Othello any more"):
        draft.unset(0, "GM")
    with pytest.raises(ValueError, match="C needs a value"):
        draft.set_raw(0, "C")

    draft = sgf_lark.loads("(;FF[1]GM[1])")[0].edit()
    draft.unset(0, "FF")
    draft.unset(0, "GM")
    assert text(draft.done()) == "(;)"


def test_another_size_or_game_reads_all_values_anew() -> None:
    draft = sgf_lark.loads("(;FF[4]SZ[19];B[tt])")[0].edit()
    draft.set(0, "SZ", 21)
    game = draft.done()
    assert game.nodes[1]["B"] == Point(19, 19)

    draft = game.edit()
    draft.set(0, "GM", 5)
    game = draft.done()
    assert (game.game, game.game_name, game.nodes[1]["B"]) == (5, "Nine Men's Morris", "tt")


def test_the_table_of_the_game_decides() -> None:
    rule = PropertyRule(format=Format.FF4, ident="TT", type="real")
    table = PropertyTable.standard().extend(rule)
    draft = sgf_lark.loads("(;FF[4])", table=table)[0].edit()
    draft.set(0, "TT", 1.5)
    with pytest.raises(ValueError, match="'x'") as caught:
        draft.set(0, "TT", "x")
    assert unsaid(caught.value, "TT", "a number") == []


# ---- new games ----


def test_a_game_begins_with_nothing() -> None:
    game = GameTree.new(game=GO, size=13, PB="Aoki", KM=6.5)
    draft = game.edit()
    node = draft.root
    for ident, point in [("B", "dk"), ("W", Point(3, 3))]:
        node = draft.add(node, {ident: point})

    ours = f"CA[UTF-8]AP[sgf_lark:{sgf_lark.__version__}]"
    assert text(draft.done()) == f"(;FF[4]GM[1]{ours}SZ[13]PB[Aoki]KM[6.5];B[dk];W[dd])"
    assert sgf_lark.loads(sgf_lark.dumps(game))[0].root.raw == game.root.raw
    assert game.size == BoardSize(13, 13)


def test_a_game_begins_by_number_or_name_in_any_format() -> None:
    ours = f"CA[UTF-8]AP[sgf_lark:{sgf_lark.__version__}]"
    assert text(GameTree.new(game=6)) == f"(;FF[4]GM[6]{ours})"
    assert text(GameTree.new("hex", BoardSize(11, 13))) == f"(;FF[4]GM[11]{ours}SZ[11:13])"
    assert text(GameTree.new("hex", (11, 13), AP="mine")) == (
        "(;FF[4]GM[11]CA[UTF-8]AP[mine]SZ[11:13])"
    )
    assert text(GameTree.new(GAMES[2], format="FF3")) == "(;FF[3]GM[2]SZ[8])"
    assert text(GameTree.new("Othello", 4, format="GGF", PB="ant")) == (
        "(;GM[Othello]PB[ant]BO[4 ---- -O*- -*O- ---- *];)"
    )
    with pytest.raises(ValueError, match="no game 'tennis'"):
        GameTree.new("tennis")
    with pytest.raises(ValueError, match="no format 'FF9': there are FF1, FF3, FF4, GGF"):
        GameTree.new("Go", format="FF9")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="give the first board, as BO"):
        GameTree.new("Hex", 11, format="GGF")
    with pytest.raises(ValueError, match="give the first board, as BO"):
        GameTree.new("Amazons", 8, format="GGF")
    with pytest.raises(ValueError, match="'x'") as caught:
        GameTree.new(SZ="x")
    assert unsaid(caught.value, "SZ") == []


@pytest.mark.parametrize(
    ("name", "format_"),
    one_in(
        3,
        [
            (name, format_)
            for name in PLAYED
            for format_ in Format
            if format_ is not Format.GGF or name in SHARED_WITH_GGF.values()
        ],
    ),
)
def test_a_new_game_is_complete_and_played_at_once(name: str, format_: Format) -> None:
    game = GameTree.new(name, format=format_)
    draft = game.edit()
    if name == "Backgammon":
        draft.play("31: 8/5 6/5", color="W")
    else:
        draft.play(game.board(0).legal_moves()[0])
    again = sgf_lark.loads(text(draft.done()))[0]

    assert (again.format, again.game_name) == (format_, name)
    assert len(again) == 2
    report = sgf_lark.check(io.StringIO(text(game)), format=format_)
    of_old_formats = {"unknown-game"}
    if max(again.size or [0]) > OLD_SIDE:  # which the old formats cannot declare
        of_old_formats.add("missing-root-property")
    allowed = set() if format_ in {Format.FF4, Format.GGF} else of_old_formats
    assert {finding.name for finding in report} <= allowed


def test_ggf_is_one_line_of_moves() -> None:
    game = sgf_lark.loads("(;GM[Othello]PB[a]B[d3//1]W[c5];)")[0]
    draft = game.edit()
    node = draft.add(2, {"B": "PA"})
    draft.set(0, "PW", "b")
    assert sgf_lark.dumps(draft.done()) == "(;GM[Othello]PB[a]PW[b]B[d3//1]W[c5]B[PA];)"

    draft.unset(node, "B")
    with pytest.raises(ValueError, match="each other node has one"):
        draft.done()
    draft = game.edit()
    draft.add(0, {"B": "e6"})
    with pytest.raises(ValueError, match="GGF has no variations"):
        draft.done()


# ---- any changes at all ----


class Model:
    """A tree as simple as can be: lists in lists, and all operations by the book."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.children: list[Model] = []
        self.above: Model | None = None

    def put(self, child: Model, at: int | None) -> None:
        child.above = self
        self.children.insert(len(self.children) if at is None else at, child)

    def all(self) -> list[Model]:
        return [self, *(below for child in self.children for below in child.all())]

    def text(self) -> str:
        inner = [child.text() for child in self.children]
        if len(inner) > 1:
            inner = [f"({one})" for one in inner]
        name = self.name.replace("]", "\\]")
        return f";N[{name}]" + "".join(inner)


class Both:
    """A draft and a model to which the same is done, by chance."""

    def __init__(self, game: GameTree, root: Model, chance: random.Random) -> None:
        self.draft = game.edit()
        self.root = root
        self.chance = chance
        self.places = dict(zip(root.all(), self.draft.walk(), strict=True))
        self.branches: list[tuple[Branch, Model]] = []
        self.count = 0

    def step(self) -> None:
        model = self.chance.choice(self.root.all())
        below = [self.cut, self.up, self.drop] if model.above is not None else []
        kinds = [self.add, self.add, self.insert, self.paste, self.main, self.name, *below]
        self.chance.choice(kinds)(model, self.places[model])

    def new(self) -> Model:
        self.count += 1
        return Model(f"{len(self.places)}.{self.count}")

    def add(self, model: Model, node: int) -> None:
        new, at = self.new(), self.chance.choice([None, 0, 1])
        self.places[new] = self.draft.add(node, {"N": new.name}, at=at)
        model.put(new, at)

    def insert(self, model: Model, node: int) -> None:
        new = self.new()
        self.places[new] = self.draft.insert(node, {"N": new.name})
        children, model.children = model.children, []
        for child in children:
            new.put(child, None)
        model.put(new, None)

    def cut(self, model: Model, node: int) -> None:
        self.branches.append((self.draft.cut(node), model))
        parent(model).children.remove(model)

    def paste(self, model: Model, node: int) -> None:
        if self.branches:
            branch, top = self.branches.pop()
            first = self.draft.paste(node, branch)
            model.put(top, None)
            self.places |= dict(zip(top.all(), self.draft.walk(first), strict=True))

    def up(self, model: Model, node: int) -> None:
        self.draft.promote(node)
        siblings = parent(model).children
        place = siblings.index(model)
        siblings.insert(max(place - 1, 0), siblings.pop(place))

    def main(self, model: Model, node: int) -> None:
        self.draft.make_main_line(node)
        while model.above is not None:
            model.above.children.remove(model)
            model.above.children.insert(0, model)
            model = model.above

    def name(self, model: Model, node: int) -> None:
        model.name += "x]"
        self.draft.set(node, "N", model.name)

    def drop(self, model: Model, node: int) -> None:
        self.draft.remove(node, keep_below=True)
        above = parent(model)
        place = above.children.index(model)
        above.children[place : place + 1] = model.children
        for child in model.children:
            child.above = above


def parent(model: Model) -> Model:
    assert model.above is not None
    return model.above


@pytest.mark.parametrize("seed", one_in(6, range(30)))
def test_any_changes_give_the_tree_that_a_simple_model_gives(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # chance, not secrets
    root = Model("0")
    game = sgf_lark.loads(f"(;{chance.choice(['', ' ', chr(10)])}N[0])")[0]
    for _ in range(6):
        both = Both(game, root, chance)
        for _ in range(12):
            both.step()
        game = both.draft.done()
        assert text(game) == f"({root.text()})"
        for style in ("preserve", "canonical"):
            again = sgf_lark.loads(sgf_lark.dumps(game, style=style))[0]
            assert text(again) == f"({root.text()})"
            game = chance.choice([game, again])


@pytest.mark.night
@pytest.mark.timing
@pytest.mark.both_lanes
def test_time_grows_with_the_size_of_the_game_only() -> None:
    def work(count: int) -> Callable[[], object]:
        game = sgf_lark.loads("(;FF[4]" + "(;B[aa]" * count + ")" * (count + 1))[0]

        def edited() -> str:
            draft = game.edit()
            for node in range(1, count, 7):
                draft.add(node, {"W": "bb"}, at=0)
                draft.promote(node + 1)
            branch = draft.cut(count // 2)
            draft.paste(1, branch)
            draft.make_main_line(count // 3)
            return sgf_lark.dumps(draft.done())

        return edited

    assert growth(work, 5_000) <= LIMIT


# ---- the whole game ----


@pytest.mark.parametrize(
    ("ident", "value", "why"),
    [
        ("SZ", 9, r"^node 1: B\[pd\] lies outside the board of 9 by 9 \[G603 point-off-board\]$"),
        ("GM", 2, r"^node 1: (?=.*'pd')(?=.*\bB\b).* \[V301 wrong-value\]$"),
    ],
)
def test_a_draft_ends_with_no_error_of_a_new_kind(ident: str, value: int, why: str) -> None:
    game = sgf_lark.loads("(;FF[4]GM[1]SZ[19];B[pd];W[dp])")[0]
    draft = game.edit()
    draft.set(0, ident, value)

    with pytest.raises(ValueError, match=why):
        draft.done()
    for number, move in (1, "aa"), (2, "bb"):
        draft.set_raw(number, "BW"[number - 1], move if ident == "SZ" else "d3")
    sgf_lark.loads(sgf_lark.dumps(draft.done()))


SOUND = "(;FF[4]GM[1]SZ[19]PB[a];B[pd];W[dp](;B[pp])(;B[dd]C[x]))"

#: Steps after which the game has an error that it did not have before, and its place and code.
NEW_ERRORS: list[tuple[Callable[[Draft[GameTree]], object], str]] = [
    (lambda draft: draft.set_raw(2, "W", "zz"), r"^node 2: W\[zz\] lies outside .* \[G603 "),
    (lambda draft: draft.set_raw(2, "W", "?"), r"^node 2: (?=.*'\?').*\bW\b.* \[V301 "),
    (lambda draft: draft.set_raw(4, "C", "a", "b"), r"^node 2.1: .* \[T208 too-many-values\]$"),
    (lambda draft: draft.set_raw(2, "B", "dd"), r"^node 2: moves of both colors .* \[T\d+ "),
    (lambda draft: draft.set_raw(2, "AB", "dd"), r"^node 2: setup \(AB\) and move \(W\) "),
    (lambda draft: draft.set_raw(2, "SZ", "19"), r"^node 2: SZ belongs in the first node "),
    (lambda draft: draft.set_raw(2, "CR", "dd", "dd"), r"CR names dd twice"),
    (lambda draft: draft.put(2, draft.properties(2) * 2), r"^node 2: W occurs twice in this node"),
    (lambda draft: draft.paste(2, draft.copy(0)), r"^node 2.2: .* \[T"),
    (lambda draft: draft.add(2, {"DM": 1, "GB": 1}), r"contradict each other in one node \["),
    (lambda draft: draft.set_raw(4, "PW", "b"), r"^node 2.1: game-info property PW again: the fir"),
]


@pytest.mark.parametrize(("step", "why"), NEW_ERRORS)
def test_a_draft_ends_only_if_strict_reading_would_accept_its_changes(
    step: Callable[[Draft[GameTree]], object], why: str
) -> None:
    draft = sgf_lark.loads(SOUND)[0].edit()
    step(draft)
    wrong = sgf_lark.dumps(draft.done(strict=False))

    with pytest.raises(sgf_lark.SgfError):
        sgf_lark.loads(wrong)
    with pytest.raises(ValueError, match=why):
        draft.done()


def test_only_changed_nodes_are_judged_and_for_errors_of_new_kinds() -> None:
    game = sgf_lark.loads("(;FF[4]GM[1]SZ[19];B[pd];W[?];AB[dd]B[pp])", strict=False)[0]
    draft = game.edit()
    draft.set(1, "C", "changed")
    draft.set_raw(2, "W", "!")
    changed = draft.done()

    assert text(changed) == "(;FF[4]GM[1]SZ[19];B[pd]C[changed];W[!];AB[dd]B[pp])"


def test_a_draft_may_keep_the_kinds_of_errors_of_its_source() -> None:
    game = sgf_lark.loads("(;FF[4]GM[1]SZ[9];B[pd];W[dd])", strict=False)[0]
    draft = game.edit()
    draft.set(0, "SZ", 5)

    assert sgf_lark.dumps(draft.done()) == "(;FF[4]GM[1]SZ[5];B[pd];W[dd])"
