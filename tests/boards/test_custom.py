"""Boards of custom games: plain ones, whose points are by their grammar a column and a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import sgf_lark
from sgf_lark import Board, BoardSize, Color, Game, GameTree, Invalid, Point, PropertyTable
from sgf_lark.core.schema.formats import Engine
from sgf_lark.core.schema.values import Step

if TYPE_CHECKING:
    from pathlib import Path

#: Grammars whose points are a column and a row, with two points of each.
PLAIN = {
    'point: letter digit\nmove: point "-" point\nletter: "a".."e"\ndigit: "1".."5"': ("a2", "c3"),
    'point: COLUMN ROW\nmove: point ":" point -> step\nCOLUMN: "A".."E"\nROW: "1".."5"': (
        "A2",
        "C3",
    ),
    'point: X X\nmove: point point\nX: "a".."e"': ("ab", "cc"),
    'point: X X\nmove: point "-" point\nX: "1".."5"': ("12", "33"),
}


def game_of(path: Path, grammar: str) -> Game:
    file = path / "kono.lark"
    file.write_text(f"{grammar}\n", encoding="utf-8")
    return Game(50, "Kono", file, size=BoardSize(5, 5))


def read(game: Game, text: str, engine: Engine = Engine.AUTO, *, strict: bool = True) -> GameTree:
    table = PropertyTable.standard().extend(game)
    return sgf_lark.loads(text, table=table, engine=engine, strict=strict)[0]


@pytest.mark.parametrize("engine", [Engine.GENERATED, Engine.LARK])
@pytest.mark.parametrize(("grammar", "points"), PLAIN.items())
def test_points_of_column_and_row_have_a_plain_board(
    tmp_path: Path, grammar: str, points: tuple[str, str], engine: Engine
) -> None:
    game = game_of(tmp_path, grammar)
    origin, target = points
    sign = next((sign for sign in "-:" if f'"{sign}"' in grammar), "")
    record = read(game, f"(;FF[4]GM[50]AB[{origin}];B[{origin}{sign}{target}])", engine)

    step: object = record.nodes[1]["B"]
    assert step == Step(origin=Point(0, 1), target=Point(2, 2))
    assert record.board("0").stones() == (Point(0, 1),)
    assert record.board("1").stones(Color.BLACK) == (Point(2, 2),)
    assert "<svg" in str(record.board("1").svg())
    assert "<svg" in record.viewer().html


@pytest.mark.parametrize(("grammar", "points"), PLAIN.items())
def test_its_moves_are_written_as_its_grammar_reads_them(
    tmp_path: Path, grammar: str, points: tuple[str, str]
) -> None:
    game = game_of(tmp_path, grammar)
    draft = GameTree.new(game, table=PropertyTable.standard().extend(game)).edit()
    draft.set(0, "AB", [Point(0, 1)])
    node = draft.add(0)
    draft.set(node, "B", Step(origin=Point(0, 1), target=Point(2, 2)))
    sign = next((sign for sign in "-:" if f'"{sign}"' in grammar), "")

    done = draft.done()
    assert done.root.raw["AB"] == points[:1]
    assert done.nodes[1].raw["B"] == (sign.join(points),)


def test_moves_that_are_no_points_stay_texts(tmp_path: Path) -> None:
    grammar = 'point: X Y\nmove: point | NULL -> nothing\nX: "a".."e"\nY: "1".."5"\nNULL: "null"'
    record = read(game_of(tmp_path, grammar), "(;FF[4]GM[50];B[c3];W[null])")

    moves: list[object] = [node["B" if "B" in node else "W"] for node in record.main_line()[1:]]
    assert moves == [Point(2, 2), "null"]
    assert not [*record.positions()][-1].is_known


def test_other_points_have_no_board_and_the_reason_is_told(tmp_path: Path) -> None:
    game = game_of(tmp_path, 'point: SQUARE\nmove: SQUARE\nSQUARE: "a".."e" "1".."5"')
    with pytest.raises(ValueError, match="no board of Kono: it has no rules, and its points are"):
        Board(game)
    record = read(game, "(;FF[4]GM[50];B[c3])")
    move: object = record.nodes[1]["B"]
    assert move == "c3"
    with pytest.raises(ValueError, match="no board of Kono: it has no rules"):
        record.board("1")


def test_a_game_without_a_board_says_so() -> None:
    cards = Game(51, "Cards", has_board=False)
    with pytest.raises(ValueError, match="no board of Cards: it is played without one"):
        Board(cards)
    record = read(cards, "(;FF[4]GM[51]SZ[5];B[queen])")
    with pytest.raises(ValueError, match="no board of Cards: it is played without one"):
        record.board("1")


def test_a_game_that_replaces_go_is_that_of_records_that_name_none(tmp_path: Path) -> None:
    file = tmp_path / "go.lark"
    file.write_text('point: X X\nmove: point\nX: "a".."c"\n', encoding="utf-8")
    game = Game(1, "Go", file)

    for text in ("(;FF[4];B[dd])", "(;FF[4]GM[1];B[dd])"):
        assert isinstance(read(game, text, strict=False).nodes[1]["B"], Invalid)
