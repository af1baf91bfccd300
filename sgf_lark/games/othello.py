"""Othello: every move turns discs, and only who has no move passes.

Source: the rules of the game; GGF, TY and BO, for boards of 4 by 4 to 14 by 14 and the octagon,
which is 10 by 10 without three squares in each corner; GGF, BO, KM and RE: a score is the discs of
Black less those of White, less komi, and what is left empty is the winner's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, cast

from sgf_lark.core import (
    COLORS,
    NO_FACTS,
    PASS,
    SETUP,
    BoardSize,
    Color,
    Ending,
    Finding,
    Format,
    GameNumber,
    GameTree,
    Nodes,
    OthelloType,
    Pass,
    Point,
    PointList,
    Severity,
    Value,
    register,
    shorten,
    size_of_board,
)
from sgf_lark.games.moves import TOO_MUCH_WORK, not_judged, too_large
from sgf_lark.pictures.parts import BoardKind
from sgf_lark.positions.cell_state import CellState
from sgf_lark.positions.grid import BLACK, BORDER, EMPTY, STONES, WHITE
from sgf_lark.positions.replay import NOT_JUDGED, Replay
from sgf_lark.positions.start import start, value_of
from sgf_lark.positions.state import LEGAL, NO_MOVE, Feature, GameEnd, Verdict
from sgf_lark.positions.symmetry import ALL_SYMMETRIES

from .moves import OF_VALUES, about_move, find_result, main_end

if TYPE_CHECKING:
    from sgf_lark.pictures.diagram import Diagram


class OthelloState(CellState):
    """A board of any size, or the octagon, whose missing squares hold BORDER."""

    number_of_game = GameNumber.OTHELLO
    kind = BoardKind.CELLS
    piece = "disc"
    neutral = "missing"
    symmetries = ALL_SYMMETRIES
    takes_turns = False  # a side without a move lets the other one move again
    moves_are_points = True

    def __init__(self, size: BoardSize, *, rules: str = "") -> None:
        super().__init__(size, rules=rules)
        step = self.step
        self._directions = (1, -1, step, -step, step + 1, step - 1, 1 - step, -1 - step)
        #: The work of a move, and that of finding out if a side has one; none on usual boards.
        self._far = max(size) // LARGE * LARGE
        self._search = self._far * len(self.cells) >> 13

    def put_start(self) -> None:
        """Set up the four discs of the usual start: white on d4 and e5, if 8 by 8.

        A board of one row or column has no place for them.
        """
        columns, rows = self.size
        if min(columns, rows) == 1:
            return
        left, top = (columns - 1) // 2, (rows - 1) // 2
        for column, row, held in ((0, 0, WHITE), (1, 0, BLACK), (0, 1, BLACK), (1, 1, WHITE)):
            self.put(self.cell(Point(left + column, top + row)), held)

    def diagram(self) -> Diagram:
        """Return the picture of the board, with the squares that the octagon lacks."""
        return super().diagram().model_copy(update={"missing": tuple(self.missing())})

    def missing(self) -> Iterator[Point]:
        columns, rows = self.size
        if self.cells.count(BORDER) == len(self.cells) - columns * rows:
            return iter(())  # nearly always
        points = (Point(column, row) for row in range(rows) for column in range(columns))
        return (point for point in points if self.cells[self.cell(point)] == BORDER)

    def put_sign(self, point: Point, color: Color | None, what: str, rest: str) -> None:  # noqa: ARG002
        """Put down what a picture shows on a square, or that the octagon lacks it."""
        self.put_feature(Feature((point,), color, what))

    @classmethod
    def check(cls, game: GameTree, asked: frozenset[str]) -> Iterator[Finding]:  # noqa: ARG003
        """Check moves, passes and result of a record."""
        return check_othello(game)

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:
        """Tell if a move turns a disc; a pass is legal for a side that cannot."""
        if isinstance(move, Point):
            cell = self.cell(move)
            return LEGAL if self.turns(cell, STONES[color]) else self._why_not(cell)
        if not isinstance(move, Pass):
            return NO_MOVE
        if not self.can_move(color):
            return LEGAL
        reason = f"is needless: {color.name.capitalize()} has a move that turns discs"
        help_ = "a pass is for who has no move; a move may be missing"
        return Verdict("needless-pass", reason, help_)

    def play(self, move: Value, color: Color) -> Verdict:
        """Put down a disc and turn others.

        After a move that turns none, whatever follows would be illegal, too: the verdict is
        that the board is lost, though the disc is put down.
        """
        if isinstance(move, Point):
            self.work += self._far
            cell, held = self.cell(move), STONES[color]
            turned = self.turns(cell, held)
            verdict = LEGAL if turned else self._why_not(cell)
            if self.cells[cell] != BORDER:
                self.put(cell, held)
            cells, log, other = self.cells, self._log, 3 - held
            for disc in turned:  # as put() does, without a call for each
                log.append((disc, other))
                cells[disc] = held
        else:
            self.work += self._search
            verdict = self.judge(move, color)
        self.finish_move(move, color)
        return verdict

    def moves(self, color: Color) -> Iterator[Value]:
        """Yield the squares on which a disc turns others; else a pass, if the other side has one.

        At the end of a game nobody has a move, and nothing is yielded.
        """
        reached = self._targets(color)
        if not reached:
            if self.can_move(color.opponent):
                yield PASS
            return
        last = len(self.cells) - 1
        for cell in sorted(last - bit for bit in _bits(reached)):
            yield self.point_of(cell)

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end: nobody can move, and who has more discs has won."""
        if self.can_move(Color.BLACK) or self.can_move(Color.WHITE):
            return None
        more = self.count(BLACK) - self.count(WHITE)
        winner = (Color.BLACK if more > 0 else Color.WHITE) if more else None
        return GameEnd(winner, "nobody can move", abs(more), is_draw=not more)

    def score(self, way: str, dead: Iterable[Point]) -> tuple[Decimal, Decimal]:  # noqa: ARG002
        return Decimal(self.count(BLACK)), Decimal(self.count(WHITE))

    def faults(self) -> Iterator[str]:
        first = self.empty(self.size)
        first.put_start()
        if any(held and not self.cells[cell] for cell, held in enumerate(first.cells)):
            yield "a square in the middle is empty"

    def can_move(self, color: Color) -> bool:
        return self._targets(color) != 0

    def turns(self, cell: int, color: int) -> list[int]:
        """Return the discs that a move turns; none if it is illegal."""
        cells = self.cells
        if cells[cell] != EMPTY:
            return []
        other, turned = 3 - color, []
        for direction in self._directions:
            at = cell + direction
            if cells[at] != other:
                continue
            run = []
            while cells[at] == other:
                run.append(at)
                at += direction
            if cells[at] == color:
                turned += run
        return turned

    def _why_not(self, cell: int) -> Verdict:
        held = self.cells[cell]
        return NOTHING_TURNED if held == EMPTY else NO_SQUARE if held == BORDER else TAKEN

    def _targets(self, color: Color) -> int:
        """Return the legal squares as a set: a bit each, the last cell first."""
        held = (STONES[color], STONES[color.opponent], EMPTY)
        own, other, empty = map(self.cells_with, held)
        found = 0
        for direction in self._directions:
            reached = _moved(own, direction) & other
            while reached:
                reached = _moved(reached, direction)
                found |= reached & empty
                reached &= other
        return found


#: The side of a board from which lines are so long that they count as work.
LARGE = 64

NOTHING_TURNED = Verdict("illegal-move", "turns no disc", is_lost=True)
TAKEN = Verdict("illegal-move", "is on a square that is taken", is_lost=True)
NO_SQUARE = Verdict("illegal-move", "is a corner that this board does not have", is_lost=True)


def _moved(cells: int, by: int) -> int:
    return cells << by if by > 0 else cells >> -by


def _bits(cells: int) -> Iterator[int]:
    while cells:
        bit = cells & -cells
        yield bit.bit_length() - 1
        cells ^= bit


# ---- the checks of records ----

#: After these nobody knows whose turn it is.
TURNS = SETUP.keys() | {"PL"}

#: The largest board of which a program has heard (GGF, TY).
LARGEST = 14


def check_othello(game: GameTree) -> Iterator[Finding]:
    """Check moves, passes and result of a game by the rules of Othello."""
    nodes = game.nodes
    if game.format is not Format.GGF:
        size = size_of_board(nodes.contents[0], nodes.rules)
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
    """The side to move after each node, if it is known."""

    def __init__(self, nodes: Nodes, board: OthelloState) -> None:
        # for each move of the last node: None if its side may be to move, else whether the other
        # side had a move
        self.had_moves: list[bool | None] = []
        self._nodes = nodes
        self._board = board
        self._first = board.to_play
        self._after: list[Color | None] = []

    @property
    def is_broken(self) -> bool:
        return any(had_move is not None for had_move in self.had_moves)

    def before(self, node: int, color: Color, closely: int) -> None:
        if node == len(self._after):
            self._begin(node, closely)
        other = color.opponent
        self.had_moves.append(self._board.can_move(other) if self._after[node] is other else None)
        self._after[node] = other

    def _begin(self, node: int, closely: int) -> None:
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
    root, found = game.nodes.contents[0], find_result(game.nodes)
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
