"""Rules of Othello: every move turns a disc, who can move does, and the discs are the score.

Source: the rules of the game; GGF, BO, KM and RE: a score is the discs of Black less those
of White, less komi, and what is left empty is the winner's.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import cast

from sgf_lark.core import (
    COLORS,
    NO_FACTS,
    SETUP,
    TOO_MUCH_WORK,
    Color,
    Ending,
    Finding,
    Format,
    GameTree,
    Nodes,
    OthelloType,
    PointList,
    Severity,
    board_size_of,
    not_judged,
    register,
    shorten,
    too_large,
)
from sgf_lark.positions.grid import BLACK, EMPTY, WHITE
from sgf_lark.positions.replay import NOT_JUDGED, Replay
from sgf_lark.positions.start import start, value_of
from sgf_lark.positions.state import LEGAL, Verdict

from .moves import OF_VALUES, about_move, main_end, result_of
from .othello import OthelloState

#: After these nobody knows whose turn it is.
TURNS = SETUP.keys() | {"PL"}

#: The largest board of which a program has heard (GGF, TY).
LARGEST = 14


def othello_rules(game: GameTree) -> Iterator[Finding]:
    """Check moves, passes and result of a game by the rules of Othello."""
    nodes = game.nodes
    if game.format is not Format.GGF:
        size = board_size_of(game)
        if size is None or max(size) > LARGEST:
            yield from too_large(game, LARGEST * LARGEST)
            return
    try:
        board = cast("OthelloState", start(nodes.contents, nodes.rules))
    except ValueError:  # GGF without a first board
        return
    turns, parents = _Turns(nodes, board), nodes.parents
    # no circle of the two, which would keep the game until garbage is searched for
    replay = Replay(nodes.contents, nodes.rules, board, before=turns.before)
    last = main_end(parents)
    for node, _, verdict, is_known in replay.of_nodes(nodes.tape, range(len(parents)), parents):
        if replay.is_over:
            yield not_judged(node, TOO_MUCH_WORK)
            return
        turns.finish(node, replay.closely)
        if verdict is not None and (verdict is not LEGAL or turns.is_broken):
            yield from _moves(game, node, replay.judged(node, verdict), turns)
        if node == last and is_known:
            nodes.end = board.copy()
            yield from _score(game, board)


class _Turns:
    """The side to move after each node, if it is known.

    Attributes:
        had_moves: For each move of the last node: None if its side may be to move, else whether the
            other side had a move.
    """

    def __init__(self, nodes: Nodes, board: OthelloState) -> None:
        self.had_moves: list[bool | None] = []
        self._nodes = nodes
        self._board = board
        self._first = board.to_play
        self._after: list[Color | None] = []

    @property
    def is_broken(self) -> bool:
        """A move of the last node was of the wrong side."""
        return any(had_move is not None for had_move in self.had_moves)

    def before(self, node: int, color: Color, closely: int) -> None:
        """Note whose turn a move is; see :class:`.Replay`."""
        if node == len(self._after):
            self._begin(node, closely)
        other = color.opponent
        self.had_moves.append(self._board.can_move(other) if self._after[node] is other else None)
        self._after[node] = other

    def _begin(self, node: int, closely: int) -> None:
        """Begin a node with the turn that its parent left; after setup and PL none is known."""
        above, self.had_moves = self._nodes.parents[node], []
        turn = self._after[above] if above >= 0 else self._first
        if node == closely:
            content = self._nodes.contents[node]
            if any(
                prop.ident in TURNS and isinstance(prop.value, PointList | Color)
                for prop in content
            ):
                turn = None
        self._after.append(turn)

    def finish(self, node: int, closely: int) -> None:
        """Finish a node, which may have had no move."""
        if node == len(self._after):
            self._begin(node, closely)


def _moves(
    game: GameTree, node: int, judged: list[tuple[int, Verdict]], turns: _Turns
) -> Iterator[Finding]:
    """Report the moves of a node that are of the wrong side, and those that are illegal."""
    content = game.nodes.contents[node]
    for (place, verdict), had_move in zip(judged, turns.had_moves, strict=True):
        if verdict is NOT_JUDGED or verdict.name in OF_VALUES:
            continue
        prop = content[place]
        color = COLORS[prop.ident]
        if had_move is not None:
            yield _out_of_turn(game, node, place, had_move=had_move)
        if verdict is LEGAL or (verdict.is_lost and had_move):  # that is enough to say
            continue
        shown = f"{prop.ident}[{shorten(prop.raw[0].partition('/')[0])}] {verdict.reason}"
        if verdict.name == "needless-pass":
            shown = f"{color.name.capitalize()} passes, and has a move that turns discs"
        yield about_move(verdict.name, shown, verdict.help, (node, place))


MISSING_PASS = register("G622 missing-pass warning: a missing pass")


def _out_of_turn(game: GameTree, node: int, place: int, *, had_move: bool) -> Finding:
    """A side moves, and the other was expected."""
    color = COLORS[game.nodes.contents[node][place].ident]
    other = color.opponent.name.capitalize()
    if had_move:
        message = f"{color.name.capitalize()} moves, but it is {other}'s turn"
        help_ = "a move may be missing, or the colors are exchanged"
        return about_move("out-of-turn", message, help_, (node, place), None)
    message = f"{other} has no move, and its pass is not written down"
    help_ = f"write {color.opponent}[PA] before it"
    severity = None if game.format is Format.GGF else Severity.INFO
    return MISSING_PASS.found(
        message, help=help_, severity=severity, node=node, property_index=place
    )


def _score(game: GameTree, board: OthelloState) -> Iterator[Finding]:
    """The result of a game that was played to its end is that of the discs."""
    root, found = game.nodes.contents[0], result_of(game.nodes)
    if found is None or board.end() is None or found[1].ending not in {None, Ending.DRAW}:
        return
    place, result = found
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
    help_ = "correct the result, or see whether moves are wrong"
    wrong = about_move("score-mismatch", f"{message}{komi_shown}{sign_shown}", help_, (0, place))
    yield wrong._replace(facts={"sign": "other"} if mirrored else NO_FACTS)


#: Scores are printed with two or three decimals.
ROUNDING = Decimal("0.01")
