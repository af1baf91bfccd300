"""Rules of games in which all that is checked are moves, one by one, on the board of the game.

Source: the pages of FF[4]; the rules are those of :mod:`sgf_lark.boards.games`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.boards.grid import may_work
from sgf_lark.boards.state import State, points_of
from sgf_lark.diagnostics.diagnostic import Finding, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.content import move_of
from sgf_lark.model.positions.start import start
from sgf_lark.model.property import Content
from sgf_lark.schema.properties import COLORS, Group
from sgf_lark.schema.values import Invalid, Point, PointList, Rectangle

from .off_board import TOO_MUCH_WORK, find_board_size, not_judged, too_large
from .replay import replay

#: The properties that set up a board; AA puts the arrows of Amazons, RP removes pods of Octi.
SETUP = Group.SETUP_POINTS.idents | {"RP"}

#: The largest board on which games are played.
LARGEST = 256 * 256


def check_moves(game: GameTree) -> Iterator[Finding]:
    """Play a game on its board and report its illegal moves."""
    nodes, size = game.nodes, find_board_size(game)
    if size is None or size.columns * size.rows > LARGEST:
        yield from too_large(game, LARGEST)
        return
    try:
        state = start(nodes.contents, nodes.rules)
    except ValueError:  # GGF without a first board
        return
    lost = bytearray()
    for node, content in replay(nodes, state):
        above = nodes.parents[node]
        unknown = bool(above >= 0 and lost[above])
        set_up(state, content, node)
        if not may_work(state, node):
            yield not_judged(node, TOO_MUCH_WORK)
            return
        for place, prop in enumerate(content):
            if prop.ident not in COLORS or not prop.raw:
                continue
            move = move_of(prop.values[0])
            if isinstance(move, Invalid):
                continue
            if unknown or not all(map(state.has, points_of(move))):
                unknown = True
                continue
            verdict = state.play(move, COLORS[prop.ident])
            unknown = verdict.is_lost
            if verdict or any(other.ident == "KO" for other in content):
                continue
            yield Finding(
                verdict.name,
                verdict.sentence(f"{prop.ident}[{shorten(prop.raw[0])}]"),
                help=verdict.help,
                severity=Severity.INFO if verdict.is_disputed else None,
                node=node,
                property_index=place,
                value_index=0,
            )
        lost.append(unknown)


def set_up(state: State, content: Content, node: int) -> None:
    """Carry out setup, as far as it is on the board and within the limit of its work."""
    for prop in content:
        if prop.ident not in SETUP:
            continue
        value = prop.value
        for entry in value.entries if isinstance(value, PointList) else prop.values:
            if isinstance(entry, Rectangle):
                corners = entry.on_board(state.size)
                if corners is not None and may_work(state, node):
                    state.put_points(*corners, prop.ident)
            elif not all(map(state.has, points_of(entry))):
                continue
            elif isinstance(entry, Point):
                state.put_points(entry, entry, prop.ident)
            else:
                state.put_setting(prop.ident, entry)
