"""Moves that the rules of a game do not allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sgf_lark.core import (
    COLORS,
    Finding,
    GameTree,
    Result,
    Severity,
    name_beside,
    register,
    shorten,
    size_of_board,
)
from sgf_lark.positions.replay import OFF_BOARD, UNREADABLE, Replay
from sgf_lark.positions.start import start
from sgf_lark.positions.state import LEGAL, GameEnd, Verdict

if TYPE_CHECKING:
    from array import array

    from sgf_lark.core import Nodes, Reading

#: Rules of the verdicts about moves, and of what else several games check, by their names.
_OF_MOVES = {
    rule.name: rule
    for rule in (
        register("G601 occupied-point warning: a stone played on an occupied point"),
        register("G604 suicide warning: a Go move that takes only its own stones"),
        register("G605 ko-capture warning: a Go move that takes a ko back at once"),
        register("G620 illegal-move warning: a move that the rules of its game forbid"),
        register("G621 needless-pass warning: a pass of a side that has to move"),
        register("G623 out-of-turn warning: a move out of turn"),
        register("G624 score-mismatch warning: a result that the moves do not give"),
        register("G625 forbidden-hole warning: a Twixt hole that is not for this side"),
        register("G626 edge-center warning: a Gess piece with its center on the edge"),
        register("G630 dice-moves warning: checkers moved as the dice do not allow"),
        register("G631 cube-order warning: double, take and drop in a wrong order"),
        register("G632 crawford-double warning: a double in the Crawford game"),
        register("G636 unplayed-dice warning: dice left over though a checker could move"),
    )
}


NOT_JUDGED = register("G615 not-judged info: moves not checked by the rules of the game")


def not_judged(node: int, why: str) -> Finding:
    """Return the finding that the moves from a node on are not checked."""
    message = f"the moves from here on are not checked by the rules of the game: {why}"
    help_ = "points and values are still checked"
    return NOT_JUDGED.found(message, help=help_, node=node)


#: The reason for a game that reaches the limit of :data:`sgf_lark.positions.grid.MAX_WORK`.
TOO_MUCH_WORK = "the game reaches the work limit"


def too_large(game: GameTree, cells: int) -> Iterator[Finding]:
    """Report a game with moves on a board of more cells: they are not checked."""
    nodes = game.nodes
    size = size_of_board(nodes.contents[0], nodes.rules)
    if size is None or size.columns * size.rows <= cells:
        return
    if any(prop.ident in COLORS for content in nodes.contents for prop in content):
        why = f"the board of {size.columns} by {size.rows} has more than {cells:,} points"
        yield not_judged(0, why)


def about_move(
    rule: str,
    message: str,
    help: str,
    place: tuple[int, int],
    value: int | None = 0,
    severity: Severity | None = None,
) -> Finding:
    """Return the finding about a property of a node."""
    node, index = place
    return _OF_MOVES[rule].found(
        message, help=help, severity=severity, node=node, property_index=index, value_index=value
    )


def quote_value(nodes: Nodes, prop: Reading, index: int = 0) -> str:
    """Return a move or a point as messages quote it, with its name: ``B[jg] (K13)``."""
    return f"{prop.ident}[{shorten(prop.raw[index])}]{name_beside(nodes, prop, index)}"


def illegal_moves(
    nodes: Nodes, node: int, judged: Iterable[tuple[int, Verdict]]
) -> Iterator[Finding]:
    content = nodes.contents[node]
    if any(prop.ident == "KO" for prop in content):
        return
    for place, verdict in judged:
        if verdict.ok or verdict.name in OF_VALUES:
            continue
        message = verdict.sentence(quote_value(nodes, content[place]))
        severity = Severity.INFO if verdict.is_disputed else None
        yield about_move(verdict.name, message, verdict.help, (node, place), severity=severity)


#: Verdicts that the checks of values and points report.
OF_VALUES = frozenset({OFF_BOARD.name, UNREADABLE.name})


def main_end(parents: array[int]) -> int:
    """Return the last node of the main line, which the file has at its beginning."""
    for node in range(1, len(parents)):
        if parents[node] != node - 1:
            return node - 1
    return len(parents) - 1


#: The largest board on which games are played.
LARGEST = 256 * 256


def check_moves(game: GameTree) -> Iterator[Finding]:
    nodes = game.nodes
    size = size_of_board(nodes.contents[0], nodes.rules)
    if size is None or size.columns * size.rows > LARGEST:
        yield from too_large(game, LARGEST)
        return
    try:
        state = start(nodes.contents, nodes.rules)
    except ValueError:  # GGF without a first board
        return
    replay, parents = Replay(nodes.contents, nodes.rules, state), nodes.parents
    last = main_end(parents)
    for node, _, verdict, is_known in replay.of_nodes(nodes.tape, range(len(parents)), parents):
        if replay.is_over:
            yield not_judged(node, TOO_MUCH_WORK)
            return
        if verdict is not None and verdict is not LEGAL:
            yield from illegal_moves(nodes, node, replay.judged(node, verdict))
        if node == last and is_known:
            yield from _winner(nodes, state.end())


WRONG_WINNER = register(
    "G627 wrong-winner warning: a result that is not that of the board", strict=True
)


def find_result(nodes: Nodes) -> tuple[int, Result] | None:
    """Return the result of a game, and the place of RE in its first node."""
    root = nodes.contents[0]
    for place, prop in enumerate(root):
        if prop.ident == "RE":
            value = prop.value
            return (place, value) if isinstance(value, Result) else None
    return None


def _winner(nodes: Nodes, end: GameEnd | None) -> Iterator[Finding]:
    """The winner of RE is who has won on the board, where the main line ends."""
    found = find_result(nodes)
    if end is None or end.winner is None or found is None:
        return
    place, result = found
    if result.winner is end.winner or result.code not in {"win", "draw"}:
        return
    message = f"RE[{shorten(nodes.contents[0][place].raw[0])}], but {end}"
    help_ = "correct the result, or see whether moves are missing"
    yield WRONG_WINNER.in_root(message, help_, place)
