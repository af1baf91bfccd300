"""Problems: records of a position and what can be played there, not of a game.

Source: FF[4], setup properties, PL; game-info properties.
"""

from __future__ import annotations

from typing import NamedTuple

from sgf_lark.core import Color, Nodes

#: The most moves of a figure of a game without FG; a problem has no more in its main line.
MOVES_OF_FIGURE = 50

#: What says that a game was played, and what of it editors write into every record.
OF_GAMES = {
    "PB": {"", "black"},
    "PW": {"", "white"},
    "RE": {"", "?"},
    "HA": {"", "0"},
}


class Problem(NamedTuple):
    """A position to be solved."""

    last: int  # the node that shows it, the last one before the first move
    to_play: Color | None  # the side to play; None if the record does not say it


def find_problem(nodes: Nodes) -> Problem | None:
    """Return the problem that a record is; None for a game.

    A problem sets up a position before its first move, its main line is short, and it names no
    players, result or handicap.
    """
    for prop in nodes.contents[0]:
        if prop.ident in OF_GAMES and prop.raw[0].strip().lower() not in OF_GAMES[prop.ident]:
            return None
    main_line, numbering = nodes.tree.main_line(), nodes.numbering
    moves = [node for node in main_line if numbering.moves(node)]
    before = range(moves[0]) if moves else main_line
    if len(moves) > MOVES_OF_FIGURE or not any(map(numbering.sets_up, before)):
        return None
    last, to_play = before[-1], None
    if moves:
        to_play = numbering.moves(moves[0])[0][0]
    elif nodes.having({"PL"}):
        to_play = nodes.boards.at(last).state.to_play
    return Problem(last, to_play)
