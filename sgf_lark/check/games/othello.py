"""Rules of Othello: every move turns a disc, who can move does, and the discs are the score.

Source: the rules of the game; GGF, BO, KM and RE: a score is the discs of Black less those
of White, less komi, and what is left empty is the winner's.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple, cast

from sgf_lark.boards.games.othello import OthelloState
from sgf_lark.boards.grid import BLACK, EMPTY, MAX_WORK, SETUP_CELLS, WHITE
from sgf_lark.boards.state import LEGAL
from sgf_lark.diagnostics.diagnostic import NO_FACTS, Finding, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.content import move_of
from sgf_lark.model.positions.start import start, value_of
from sgf_lark.model.property import Content
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import COLORS
from sgf_lark.schema.values import (
    Color,
    Ending,
    OthelloType,
    Pass,
    Point,
    PointList,
    Rectangle,
    Result,
)

from .moves import main_end, replay
from .off_board import find_board_size, too_large

#: The largest board of which a program has heard (GGF, TY).
LARGEST = 14


class Turn(NamedTuple):
    """The side to move after a node, if it is known; and whether the position is."""

    color: Color | None
    lost: bool = False


def othello_rules(game: GameTree) -> Iterator[Finding]:
    """Check moves, passes and result of a game by the rules of Othello."""
    nodes = game.nodes
    if game.format is not Format.GGF:
        size = find_board_size(game)
        if size is None or max(size) > LARGEST:
            yield from too_large(game, LARGEST * LARGEST)
            return
    try:
        board = cast("OthelloState", start(nodes.contents, nodes.rules))
    except ValueError:  # GGF without a first board
        return
    play = _Play(game, board)
    turn = Turn(board.to_play)
    if game.format is Format.GGF and not any(map(nodes.rules.rule, (*SETUP_CELLS, "PL"))):
        play.turn = turn
        for color, _, node, move in nodes.moves():  # each the first property of its node
            yield from play.of_move(node, 0, color, move)
        if not play.turn.lost:
            nodes.end = board.copy()
            yield from _score(game, board)
        return
    turns: list[Turn] = []
    last = main_end(nodes.parents)
    for node, content in replay(nodes, board):
        above = nodes.parents[node]
        play.turn = turns[above] if above >= 0 else turn
        yield from play.of_node(node, content)
        turns.append(play.turn)
        if node == last and not play.turn.lost:
            if play.is_simple and board.number and board.work <= MAX_WORK:
                nodes.end = board.copy()
            yield from _score(game, board)


class _Play:
    """Plays the nodes of a game.

    Attributes:
        turn: As the node finds it, then as it leaves it.
        is_simple: No node after the first one had setup or PL.
    """

    def __init__(self, game: GameTree, board: OthelloState) -> None:
        self._nodes = game.nodes
        self._board = board
        self._ggf = game.format is Format.GGF
        self.turn = Turn(None)
        self.is_simple = True

    def of_node(self, node: int, content: Content) -> Iterator[Finding]:
        """Carry out a node; yield its findings."""
        for prop in content:
            if prop.ident in SETUP_CELLS and isinstance(prop.value, PointList):
                for entry in prop.value.entries:
                    self._set_up(entry, prop.ident)
                self.turn = self.turn._replace(color=None)
                self.is_simple = self.is_simple and not node
        for prop in content:
            if prop.ident == "PL" and isinstance(prop.value, Color):
                self.turn = self.turn._replace(color=None)
                self.is_simple = self.is_simple and not node
        for place, prop in enumerate(content):
            if prop.ident in COLORS and prop.raw:
                yield from self.of_move(node, place, COLORS[prop.ident], move_of(prop.values[0]))

    def _set_up(self, entry: Point | Rectangle, ident: str) -> None:
        """Carry out one value of a setup property, as far as it is on the board."""
        board = self._board
        low, high = (entry, entry) if isinstance(entry, Point) else entry.corners or (None, None)
        if low is not None and high is not None and board.has(low):
            last = Point(*map(min, high, (board.size.columns - 1, board.size.rows - 1)))
            board.put_points(low, last, ident)

    def of_move(self, node: int, place: int, color: Color, move: object) -> Iterator[Finding]:
        """Carry out a move; yield its findings."""
        known = isinstance(move, Point) and self._board.has(move)
        other = color.opponent
        if self.turn.lost or not (known or isinstance(move, Pass)):
            self.turn = Turn(other, lost=True)
            return
        of_other = False
        if self.turn.color is other:
            of_other = self._board.can_move(other)
            yield self._out_of_turn(node, place, color)
        verdict = self._board.play(move, color)  # type: ignore[arg-type]  # it is known
        self.turn = Turn(other, verdict.is_lost)
        if verdict is LEGAL or (verdict.is_lost and of_other):  # that is enough to say
            return
        prop = self._nodes.contents[node][place]
        shown = f"{prop.ident}[{shorten(prop.raw[0].partition('/')[0])}] {verdict.reason}"
        if isinstance(move, Pass):
            shown = f"{color.name.capitalize()} passes, and has a move that turns discs"
        yield Finding(
            verdict.name,
            shown,
            help=verdict.help,
            node=node,
            property_index=place,
            value_index=0,
        )

    def _out_of_turn(self, node: int, place: int, color: Color) -> Finding:
        """A side moves, and the other was expected."""
        other = color.opponent.name.capitalize()
        if self._board.can_move(color.opponent):
            message = f"{color.name.capitalize()} moves, but it is {other}'s turn"
            help_ = "a move may be missing, or the colors are exchanged"
            return Finding("out-of-turn", message, help=help_, node=node, property_index=place)
        message = f"{other} has no move, and its pass is not written down"
        help_ = f"write {color.opponent}[PA] before it"
        severity = None if self._ggf else Severity.INFO
        return Finding(
            "missing-pass", message, help=help_, severity=severity, node=node, property_index=place
        )


def _score(game: GameTree, board: OthelloState) -> Iterator[Finding]:
    """The result of a game that was played to its end is that of the discs."""
    root = game.nodes.contents[0]
    place = next((place for place, prop in enumerate(root) if prop.ident == "RE"), None)
    if place is None or board.can_move(Color.BLACK) or board.can_move(Color.WHITE):
        return
    result = root[place].value
    if not isinstance(result, Result) or result.ending not in {None, Ending.DRAW}:
        return
    score = result.margin or Decimal(0)
    if result.winner is None:
        score = Decimal(0)
    elif result.margin is None:
        return
    elif result.winner is Color.WHITE:
        score = -score
    black, white, empty = board.count(BLACK), board.count(WHITE), board.count(EMPTY)
    discs = black - white
    with_empty = discs + (empty if discs > 0 else -empty if discs < 0 else 0)
    kind, komi = value_of(root, "TY"), value_of(root, "KM")
    less = komi if game.format is Format.GGF and isinstance(komi, Decimal) else Decimal(0)
    sign = -1 if isinstance(kind, OthelloType) and kind.anti else 1
    if any(abs(sign * count - less - score) < ROUNDING for count in (discs, with_empty)):
        return
    mirrored = any(abs(sign * count - less + score) < ROUNDING for count in (discs, with_empty))
    sign_shown = "; with the other sign it would be right" if mirrored else ""
    komi_shown = f" and a komi of {less}" if less else ""
    message = (
        f"RE[{shorten(root[place].raw[0])}] contradicts the final position:"
        f" {black} black and {white} white discs"
    )
    yield Finding(
        "score-mismatch",
        f"{message}{komi_shown}{sign_shown}",
        help="correct the result, or see whether moves are wrong",
        node=0,
        property_index=place,
        value_index=0,
        facts={"sign": "other"} if mirrored else NO_FACTS,
    )


#: Scores are printed with two or three decimals.
ROUNDING = Decimal("0.01")
