"""The board with which a record begins: its size, its rules, its first pieces.

Source: FF[4], SZ, RU, HA and the pages of the games; GGF, BO.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sgf_lark.boards.board import LARGEST_SIDE, state_of
from sgf_lark.boards.cell_state import CellState
from sgf_lark.boards.other_state import OtherState
from sgf_lark.boards.state import State
from sgf_lark.model.content import move_of
from sgf_lark.model.property import Content
from sgf_lark.model.ruleset import RuleSet, name_of_rules, size_of_board
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import Game, GameNumber
from sgf_lark.schema.properties import COLORS, Group
from sgf_lark.schema.values import BoardSize, Color, InitialBoard, Value

#: Backgammon has 24 points, the bar and the tray.
BACKGAMMON_SIZE = BoardSize(26, 1)

#: The board of a game for which neither the file nor a custom gives one: Gomoku.
USUAL_SIZE = BoardSize(15, 15)

#: The first board of Lines of Action that its page describes.
STANDARD_SETUPS = frozenset({"", "standard", "loa"})


def is_set_up(root: Content) -> bool:
    """Return True if the first node sets up the board."""
    return any(prop.ident in Group.SETUP_POINTS.idents for prop in root)


def value_of(content: Content, ident: str) -> Any:
    """Return the value of a property of a node; None if it has none."""
    return next((prop.value for prop in content if prop.ident == ident), None)


def gives_handicap(root: Content, rules: RuleSet) -> bool:
    """Return True if White moves first: after handicap stones, unless the root says who does."""
    if rules.game.number != GameNumber.GO or value_of(root, "PL") is not None:
        return False
    handicap = value_of(root, "HA")
    return isinstance(handicap, int) and handicap >= LEAST_HANDICAP


#: Handicap from which White moves first (FF[4], Go, HA).
LEAST_HANDICAP = 2


def start(contents: Sequence[Content], rules: RuleSet) -> State:
    """Return the state with which a record begins, before the setup of its first node.

    Args:
        contents: The properties of its nodes.
        rules: Reads them.

    Raises:
        ValueError: No rules of the game are known, it has no such board, or its first
            board is not known.
    """
    game, root = rules.game, contents[0]
    size = size_of_board(root, rules) if game.has_board else BACKGAMMON_SIZE
    setup = value_of(root, "BO")
    if rules.format is Format.GGF:
        return _start_of_ggf(game, size, setup)
    state = state_of(game, size or USUAL_SIZE, name_of_rules(root))
    if not is_set_up(root):
        _put_usual(state, contents, rules)
    return state


def _start_of_ggf(game: Game, size: BoardSize | None, setup: object) -> State:
    """Return the first board of GGF, of any game: that of BO."""
    if size is None or not isinstance(setup, InitialBoard):
        raise ValueError(f"this game of {game.name} gives no first board: BO is missing")
    if max(size) > LARGEST_SIDE:
        raise ValueError(f"no board of {size[0]} by {size[1]}: 1 to {LARGEST_SIDE}")
    state = state_of(game, size) if game.has_points else OtherState(size, game=game)
    if isinstance(state, CellState):
        state.put_board(setup)
    return state


def _put_usual(state: State, contents: Sequence[Content], rules: RuleSet) -> None:
    """Set up the usual start of a game, if the record does not name another one."""
    if rules.game.number == GameNumber.LINES_OF_ACTION:
        setup = next((prop.raw[0] for prop in contents[0] if prop.ident == "SU" and prop.raw), "")
        state.is_known = setup.lower() in STANDARD_SETUPS
    first = first_move(contents) if rules.game.number == GameNumber.GESS else None
    if first is not None:
        state.put_start_before(*first)
    elif state.is_known:
        state.put_start()


def first_move(contents: Iterable[Content]) -> tuple[Color, Value] | None:
    """Return the first move in the order of the file; None for a record without moves."""
    return next(_moves(contents), None)


def _moves(contents: Iterable[Content]) -> Iterator[tuple[Color, Value]]:
    for content in contents:
        for prop in content:
            if prop.ident in COLORS and prop.raw:
                yield COLORS[prop.ident], move_of(prop.values[0])
