"""The board with which a record begins: its size, its rules, its first pieces.

Source: FF[4], SZ, RU, HA and the pages of the games; GGF, BO.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sgf_lark._version import __version__
from sgf_lark.core import (
    COLORS,
    LONGEST_SIDE,
    OLD_SIDE,
    SHARED_WITH_GGF,
    Application,
    BoardSize,
    Color,
    Content,
    Format,
    Game,
    GameNumber,
    Group,
    InitialBoard,
    Point,
    Reading,
    RuleSet,
    Value,
    knows_points,
    move_of,
    name_in_words,
    size_of_board,
)

from .board import state_of
from .cell_state import CellState, OtherState
from .coordinates import size_of
from .state import State

#: Backgammon has 24 points, the bar and the tray.
BACKGAMMON_SIZE = BoardSize(26, 1)

#: The board of a game for which neither the file nor a custom gives one: Gomoku.
USUAL_SIZE = BoardSize(15, 15)


def is_set_up(root: Content) -> bool:
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
    """Return the state with which a record begins, before the setup of its first node."""
    game, root = rules.game, contents[0]
    size = BACKGAMMON_SIZE if game.has_bar else size_of_board(root, rules)
    setup = value_of(root, "BO")
    if rules.format is Format.GGF:
        return _start_of_ggf(game, size, setup)
    state = state_of(game, size or USUAL_SIZE, name_of_rules(root))
    if not is_set_up(root):
        state.put_start_of(root, lambda: next(_moves(contents), None))
    return state


def _start_of_ggf(game: Game, size: BoardSize | None, setup: object) -> State:
    if size is None or not isinstance(setup, InitialBoard):
        raise ValueError(
            f"this game of {name_in_words(game.name)} gives no first board: BO is missing"
        )
    if max(size) > LONGEST_SIDE:
        raise ValueError(f"no board of {size[0]} by {size[1]}: 1 to {LONGEST_SIDE}")
    state = state_of(game, size) if knows_points(game) else OtherState(size, game=game)
    if isinstance(state, CellState):
        state.put_board(setup)
    return state


def first_properties(
    rules: RuleSet, size: int | tuple[int, int] | None, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the properties of the first node of a new game.

    Args:
        size: The side of the board, or columns and rows; the usual board if None.

    Raises:
        ValueError: The format is GGF, and no first board of that size is known.
    """
    format_, game = rules.format, rules.game
    if format_ is Format.GGF:
        first: dict[str, Any] = {"GM": game.name, **given}
        board = None if "BO" in given else _first_board(game, size)
        if board is None and size is not None:
            raise ValueError("GGF has no size by itself: give the first board, as BO")
        return first if board is None else {**first, "BO": board}
    first = {"FF": int(format_.digit), "GM": game.number}
    if format_ is Format.FF4:
        first |= {"CA": "UTF-8", "AP": Application(name="sgf_lark", version=__version__)}
    if size is not None:
        first["SZ"] = size_of(size)
    elif game.has_size and (game.size or knows_points(game)):
        usual = game.size or game.usual_size or USUAL_SIZE
        if format_ is Format.FF4 or max(usual) <= OLD_SIDE:
            first["SZ"] = usual
    return {**first, **given}


def _first_board(game: Game, size: int | tuple[int, int] | None) -> InitialBoard | None:
    if game.number not in SHARED_WITH_GGF:
        return None
    columns, rows = both = size_of(size or game.size or game.usual_size or USUAL_SIZE)
    state = state_of(game, both)
    state.put_start()
    if columns != rows or not isinstance(state, CellState) or not state.is_known:
        return None
    names = {None: "-", Color.BLACK: "*", Color.WHITE: "O"}
    lines = [
        "".join(names[state.at(Point(column, row))] for column in range(columns))
        for row in range(rows)
    ]
    if game.number == GameNumber.AMAZONS:  # there BO begins with the lowest row
        lines.reverse()
    return InitialBoard(size=columns, rows=tuple(lines), to_move=game.first_color)


def _moves(contents: Iterable[Content]) -> Iterator[tuple[Color, Value]]:
    for content in contents:
        for prop in content:
            if prop.ident in COLORS and prop.raw:
                yield COLORS[prop.ident], move_of(prop.values[0])


def name_of_rules(root: Iterable[Reading]) -> str:
    """Return the rules that a root node names, as :attr:`.Info.rules` has them; "" for none."""
    for prop in root:
        if prop.ident == "RU" and prop.raw:
            value: object = prop.value
            return value if isinstance(value, str) else prop.raw[0]
    return ""
