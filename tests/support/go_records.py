"""Real games of Go, for programs that play them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.core.schema.games import OLD_SIDE, GameNumber
from sgf_lark.core.schema.properties import COLORS, SETUP
from sgf_lark.core.schema.values import Color, Point

from . import corpus
from .lanes import is_night

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgf_lark import GameTree, Move, Node


class Turn(NamedTuple):
    """A node of a main line.

    Attributes:
        node: The node itself.
        setup: The points that it sets, and to what.
        move: Its move; None if it has none.
    """

    node: Node
    setup: dict[Point, Color | None]
    move: Move | None


def go_games(every: int) -> Iterator[tuple[str, GameTree]]:
    """Games on square boards of up to 19 lines; by day those of each so-manieth record."""
    names = [name for name in corpus.names() if not corpus.large(name)]
    for name in names if is_night() else names[::every]:
        for number, game in enumerate(corpus.loaded(name)):
            size = game.size
            if game.game == GameNumber.GO and size and size.is_square and max(size) <= OLD_SIDE:
                yield f"{name}#{number}", game


def turns(game: GameTree) -> Iterator[Turn]:
    """The main line up to what no program plays.

    That is an error in a value, a point off the board, or a node of two moves.
    """
    assert game.size is not None
    for node in game.main_line():
        setup: dict[Point, Color | None] = {}
        for ident, color in SETUP.items():
            for point in node.get(ident, ()):
                if not isinstance(point, Point) or max(point) >= max(game.size):
                    return
                setup[point] = color
        move = node.move
        if move and not (move.is_pass or (move.point and max(move.point) < max(game.size))):
            return
        if move and sum(ident in node for ident in COLORS) > 1:
            return
        yield Turn(node, setup, move)
