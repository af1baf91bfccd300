"""Real records: boards of nodes, of turned games and of recolored ones."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from support.corpus import alike, long, true_of_records

from sgf_lark import PointList, Symmetry
from sgf_lark.core.schema.games import GO
from sgf_lark.positions.symmetry import is_symmetry

if TYPE_CHECKING:
    from sgf_lark import Collection

#: Games of a record that are looked at.
GAMES = 5

#: A game of so many nodes is turned in two ways only.
MANY = 10_000


def few(which: str) -> bool:
    """All but some short records wait for the night."""
    return long(which) or crc32(which.encode()) % 20 > 0


@true_of_records(but=alike, night=few)
def a_turned_game_leads_to_the_turned_board(_: str, collection: Collection) -> None:
    for game in list(collection)[:GAMES]:
        last = list(game.main_line())[-1].path
        try:
            board = game.board(last)
        except ValueError:  # of a game without a board
            continue
        for symmetry in list(Symmetry)[1::5] if len(game) > MANY else Symmetry:
            if is_symmetry(board.game.number, symmetry):
                assert game.transformed(symmetry).board(last) == board.transformed(symmetry)
        assert game.recolored().board(last) == board.recolored()


@true_of_records(but=alike, night=few)
def a_turn_and_its_inverse_leave_each_game_as_it_was(_: str, collection: Collection) -> None:
    for game in collection:
        try:
            back = game.transformed("rotate-90").transformed("rotate-270")
        except ValueError:  # it has no board
            continue
        for old, new in zip(game.nodes, back.nodes, strict=True):
            assert [shown(new.get(ident)) for ident in old] == [shown(old[ident]) for ident in old]
            if game.game == GO.number:
                assert list(new) == list(old)


def shown(value: object) -> object:
    """A value without the way in which a list of points is written."""
    return set(value) if isinstance(value, PointList) else value


@true_of_records(but=alike, night=few)
def the_boards_of_its_nodes_are_those_of_its_positions(_: str, collection: Collection) -> None:
    for game in collection:
        try:
            positions = game.positions("all")
        except ValueError:  # it has no board
            continue
        for position in positions:
            assert position.board == position.node.board
