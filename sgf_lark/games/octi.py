"""Octi: pods with prongs, which step and jump in the directions of their prongs.

Source: FF[4], Octi, for points, pods and moves; for what stops a pod, the rules of the game
("The 2 Player Game"): a step ends on no pod of the other side, a jump on no pod at all, and goes
over one.  The standard has no start, no bases and no number of pods: a board that nobody set up
is not known, and a move is illegal only by what is known.  A new pod is legal anywhere, prongs
never run out, and a pod that moves several times is judged step by step.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple, Self

from sgf_lark.core import (
    SETUP,
    BoardSize,
    Color,
    GameNumber,
    OctiMove,
    OctiStep,
    Pod,
    Point,
    ProngMove,
    Value,
)
from sgf_lark.pictures.parts import BoardKind, Stone
from sgf_lark.positions.coordinates import Coordinates
from sgf_lark.positions.grid import ROW, Grid
from sgf_lark.positions.state import LEGAL, NO_MOVE, Feature, GameEnd, State, Verdict
from sgf_lark.positions.symmetry import Symmetries, Symmetry, Transformation

#: The directions of prongs: A is north, where the rows go, and on clockwise.
PRONGS = dict(
    zip(
        ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)),
        "ABCDEFGH",
        strict=True,
    )
)


class HeldPod(NamedTuple):
    """A pod on a point.

    Attributes:
        prongs: Its prongs, from A to H; None if they are not known.
    """

    color: Color
    prongs: str | None

    def is_named(self, prongs: str) -> bool:
        """It may be the pod of which a move names these prongs: no prongs name any pod."""
        return not prongs or self.prongs is None or set(self.prongs) == set(prongs)


class OctiCoordinates(Coordinates):
    """Names of two digits: column and row."""

    __slots__ = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(map(str, range(1, self.size.columns + 1)))

    def name_on_board(self, point: Point) -> str:
        return f"{point.column + 1}{point.row + 1}"

    def read(self, name: str) -> Point | None:
        """Return a point, perhaps off the board; None if the name has another form."""
        is_point = name.isdecimal() and len(name) == 2  # noqa: PLR2004  # column and row
        return Point(int(name[0]) - 1, int(name[1]) - 1) if is_point else None


class OctiState(Grid, State):
    """A board of pods; several may stand on a point."""

    number_of_game = GameNumber.OCTI
    kind = BoardKind.CELLS
    piece = "pod"
    names = OctiCoordinates
    # Black begins in the south, White in the north.
    symmetries = Symmetries(
        frozenset({Symmetry.IDENTITY, Symmetry.FLIP_COLUMNS}),
        frozenset({Symmetry.ROTATE_180, Symmetry.FLIP_ROWS}),
        Symmetry.ROTATE_180,
    )

    def __init__(self, size: BoardSize, *, rules: str = "") -> None:
        Grid.__init__(self, *size)
        State.__init__(self, size, rules=rules)
        # for each point with pods, how many of each kind
        self.pods: dict[Point, dict[HeldPod, int]] = {}
        #: For each change the point, the pod, and how many there were.
        self._log: list[tuple[Point, HeldPod, int]] = []

    # ---- what is on it ----

    def at(self, point: Point) -> tuple[HeldPod, ...] | None:
        pods = self.pods.get(point, {})
        return tuple(pod for pod in sorted(pods, key=_order) for _ in range(pods[pod])) or None

    def pieces(self) -> Iterator[Stone]:
        """Yield the pods, equal ones on a point as one, in the order of rows and columns."""
        for point in sorted(self.pods, key=lambda point: (point.row, point.column)):
            pods = self.pods[point]
            for pod in sorted(pods, key=_order):
                yield Stone(point, pod.color, self.piece, pods[pod], pod.prongs or "")

    def position(self) -> Hashable:
        pods = frozenset(
            (point, pod, amount)
            for point, held in self.pods.items()
            for pod, amount in held.items()
        )
        return self.size, self.to_play, self.is_known, pods

    def features(self) -> Iterator[Feature]:
        """Yield the parts of the position: pods, the side to move; pods may be unknown."""
        if self.to_play is not None:
            yield Feature(color=self.to_play, what="to-play")
        if not self.is_known:
            yield Feature(what="unknown")
        for point, pods in self.pods.items():
            for (color, prongs), amount in pods.items():
                what = f"{amount}" if prongs is not None else f"{amount}-unknown"
                yield Feature((point,), color, what, prongs or "")

    def put_feature(self, feature: Feature) -> None:
        """Add pods, or that pods may be unknown."""
        points, color, what, prongs = feature
        amount, _, unknown = what.partition("-")
        if what == "unknown":
            self.is_known = False
        elif color is None or len(points) != 1 or not amount.isdecimal():
            super().put_feature(feature)
        else:
            self._add(points[0], HeldPod(color, None if unknown else prongs), int(amount))

    def put_sign(self, point: Point, color: Color | None, what: str, rest: str) -> None:
        """Put down the pods of a picture: after the sign come their number and their prongs."""
        if color is not None:
            number = rest.rstrip("ABCDEFGH")
            self.put_feature(Feature((point,), color, number or "1", rest[len(number) :]))
        else:
            super().put_sign(point, color, what, rest)

    def transformed(self, to: Transformation) -> Self:
        other = type(self)(to.new_size)
        for point, pods in self.pods.items():
            other.pods[to.point(point)] = {
                HeldPod(to.color(color), prongs and to.prongs(prongs)): amount
                for (color, prongs), amount in pods.items()
            }
        self.finish_transformed(other, to)
        return other

    def _own(self, point: Point, color: Color, prongs: str = "") -> list[HeldPod]:
        """Return the kinds of pods of a side on a point that a move names by these prongs."""
        kinds = sorted(self.pods.get(point, ()), key=_order)
        return [pod for pod in kinds if pod.color is color and pod.is_named(prongs)]

    # ---- changes ----

    def _add(self, point: Point, pod: HeldPod, amount: int = 1) -> None:
        old = self.pods.get(point, {}).get(pod, 0)
        self._log.append((point, pod, old))
        self._set(point, pod, old + amount)

    def _set(self, point: Point, pod: HeldPod, amount: int) -> None:
        if amount > 0:
            self.pods.setdefault(point, {})[pod] = amount
        elif point in self.pods:
            self.pods[point].pop(pod, None)
            if not self.pods[point]:
                del self.pods[point]

    def put_points(self, low: Point, high: Point, ident: str) -> bool:
        columns, rows = high.column - low.column + 1, high.row - low.row + 1
        self.work += rows * (1 + columns // ROW) if low != high else 0
        for row in range(low.row, high.row + 1):
            for column in range(low.column, high.column + 1):
                self._put(Point(column, row), ident, "")
        return True

    def put_setting(self, ident: str, value: object) -> None:
        """Carry out setup of pods (AB, AW, AE, RP), or PL."""
        if not isinstance(value, Pod):
            super().put_setting(ident, value)
        elif self.has(value.point):
            self._put(value.point, ident, value.prongs)
            self.last = None

    def _put(self, point: Point, ident: str, prongs: str) -> None:
        """Set up or remove a pod; it may have any prongs if none are named."""
        color = SETUP.get(ident)
        if color is not None:
            self._add(point, HeldPod(color, _sorted(prongs) or None))
        elif ident == "RP":
            kinds = [pod for side in Color for pod in self._own(point, side, prongs)]
            for pod in kinds[:1]:
                self._add(point, pod, -1)
        else:
            for pod, amount in list(self.pods.get(point, {}).items()):
                self._add(point, pod, -amount)

    def put_start(self) -> None:
        """Leave the board as it is: the standard has no start, and the pods are not known."""
        self.is_known = False

    # ---- the way back ----

    @property
    def mark(self) -> tuple[int, tuple[Any, ...]]:
        return len(self._log), self.status

    def rewind(self, mark: tuple[int, tuple[Any, ...]]) -> None:
        """Go back to an earlier position; each change is taken back once."""
        length, self.status = mark
        self._rewind(length)

    def _rewind(self, length: int) -> None:
        while len(self._log) > length:
            self._set(*self._log.pop())

    def copy(self) -> Self:
        """Return a state of its own with the same position, without the way back."""
        other = type(self)(self.size)
        other.pods = {point: dict(pods) for point, pods in self.pods.items()}
        other.is_known = self.is_known
        other.status = self.status
        return other

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:
        """Tell if a move is legal, as far as the pods are known."""
        match move:
            case Point():
                return LEGAL
            case ProngMove():
                reason = _prong_reason(move) or self._prong_reason(move, color)
                return Verdict("illegal-move", reason, "correct the prongs") if reason else LEGAL
            case OctiMove():
                verdict = _judge_way(move)
                return self._judge_travels(move, color) if verdict else verdict
        return NO_MOVE

    def _prong_reason(self, move: ProngMove, color: Color) -> str:
        """Return why the pod that is known has no such prong to add or turn; "" if it may."""
        pods = self._own(move.pod.point, color, move.pod.prongs)
        if not pods:
            return f"changes no {_named(move.pod, color)}" if self.is_known else ""
        reasons = ["" if pod.prongs is None else _held_reason(move, pod.prongs) for pod in pods]
        return "" if "" in reasons else reasons[0]

    def _judge_travels(self, move: OctiMove, color: Color) -> Verdict:
        """Tell if pods that are known stop a move; those that move do not stop each other."""
        length = len(self._log)
        reason = ""
        pods = [self._lift(pod, steps[0], color) for pod, steps in move.moves]
        for pod, (named, steps) in zip(pods, move.moves, strict=True):
            if pod is None and self.is_known:
                reason = f"moves no {_named(named, color)}"
            at = named.point
            for step in steps:
                reason = reason or self._step_reason(at, step, pod, color)
                at = step.target
            if reason:
                break
        self._rewind(length)
        help_ = "correct the squares, or the prongs that it names"
        return Verdict("illegal-move", reason, help_) if reason else LEGAL

    def _step_reason(self, start: Point, step: OctiStep, pod: HeldPod | None, color: Color) -> str:
        """Return why a pod does not step or jump this way; "" if it does."""
        if pod and pod.prongs is not None and _direction(start, step.target) not in pod.prongs:
            return "moves in a direction in which the pod has no prong"
        there = self.pods.get(step.target, {})
        between = _between(start, step.target)
        if between is None:
            return "ends on a pod of the other side" if _has(there, color.opponent) else ""
        if there:
            return "jumps to a square that is not empty"
        over = self.pods.get(between, {})
        if self.is_known and not over:
            return "jumps over no pod"
        for prongs in step.captured:
            if self.is_known and not any(pod.is_named(prongs) for pod in over):
                return f"takes a pod with the prongs {prongs}, which is not there"
        return ""

    def _lift(self, named: Pod, first: OctiStep, color: Color) -> HeldPod | None:
        """Take the pod that a move names off its point; None if it is not known.

        Of several kinds it is one that goes in the direction of the first step, if there is one.
        """
        pods = self._own(named.point, color, named.prongs)
        if not pods:
            return None
        direction = _direction(named.point, first.target)
        pod = next((pod for pod in pods if pod.prongs and direction in pod.prongs), pods[0])
        self._add(named.point, pod, -1)
        return pod

    def play(self, move: Value, color: Color) -> Verdict:
        """Carry out a move; a pod that is not known comes from nowhere."""
        verdict = self.judge(move, color)
        match move:
            case Point():
                self._add(move, HeldPod(color, ""))
            case ProngMove():
                self._change_prongs(move, color)
            case OctiMove():
                self._travel(move, color)
        self.number += 1
        self.last = move
        self.to_play = color.opponent
        return verdict

    def _change_prongs(self, move: ProngMove, color: Color) -> None:
        point, named = move.pod.point, move.pod.prongs
        pods = self._own(point, color, named)
        can = [pod for pod in pods if pod.prongs is None or not _held_reason(move, pod.prongs)]
        prongs: str | None = named or None
        for pod in (can or pods)[:1]:
            self._add(point, pod, -1)
            prongs = prongs if pod.prongs is None else pod.prongs
        if prongs is not None:
            turned = prongs.replace(move.prong, "") if move.to else prongs
            prongs = _sorted(turned + (move.to or move.prong))
        self._add(point, HeldPod(color, prongs))

    def _travel(self, move: OctiMove, color: Color) -> None:
        pods = [self._lift(pod, steps[0], color) for pod, steps in move.moves]
        for pod, (named, steps) in zip(pods, move.moves, strict=True):
            at = named.point
            for step in steps:
                between = _between(at, step.target)
                for prongs in step.captured:
                    if between is not None:
                        self._take(between, prongs, color)
                at = step.target
            known = _sorted(named.prongs) or None
            if pod is not None and pod.prongs is not None:
                known = pod.prongs
            self._add(at, HeldPod(color, known))

    def _take(self, point: Point, prongs: str, color: Color) -> None:
        """Take a pod with these prongs, of the other side if it has one; without any: all."""
        for side in (color.opponent, color):
            for pod in self._own(point, side, prongs):
                amount = 1 if prongs else self.pods[point][pod]
                self._add(point, pod, -amount)
                if side is Color.BLACK:
                    self.black_captured += amount
                else:
                    self.white_captured += amount
                if prongs:
                    return

    def moves(self, color: Color) -> Iterator[Value]:
        """Yield legal moves of a side, by the points where they begin.

        These are new pods, and for each pod that is known its new and turned prongs, its steps,
        and its jumps that take all or nothing.  Moves of several steps or pods are made of these.
        """
        columns, rows = self.size
        for row in range(rows):
            for column in range(columns):
                point = Point(column, row)
                yield point
                if point in self.pods:
                    yield from self._moves_of(point, color)

    def _moves_of(self, point: Point, color: Color) -> Iterator[Value]:
        pods = self._own(point, color)
        names = [""] if len(pods) == 1 else [pod.prongs or "" for pod in pods]
        for prongs in dict.fromkeys(names if pods else []):
            pod = Pod(point=point, prongs=prongs)
            for move in self._imagined(pod):
                if self.judge(move, color):
                    yield move

    def _imagined(self, pod: Pod) -> Iterator[Value]:
        letters = PRONGS.values()
        for prong in letters:
            yield ProngMove(pod=pod, prong=prong)
            yield ProngMove(pod=pod, prong=prong, superprong=True)
        for prong in letters:
            for to in letters:
                yield ProngMove(pod=pod, prong=prong, to=to)
        for columns, rows in PRONGS:
            for far, captured in ((1, ()), (2, ()), (2, ("",))):
                column, row = pod.point.column + far * columns, pod.point.row + far * rows
                if self.has(Point(column, row)):
                    step = OctiStep(target=Point(column, row), captured=captured)
                    yield OctiMove(moves=((pod, (step,)),))

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end: all pods of a side were taken.  The bases of a board are not known."""
        taken = {Color.BLACK: self.black_captured, Color.WHITE: self.white_captured}
        left = {pod.color for pods in self.pods.values() for pod in pods}
        for color in Color if self.is_known else ():
            if taken[color] and color not in left:
                return GameEnd(color.opponent, "all pods of the other side were taken")
        return None

    # ---- names ----

    def read_move(self, text: str) -> Value:
        """Return the move of a text such as ``73``, ``33+B``, ``33+A-B`` or ``84-86-68x``."""
        text = "".join(text.split())
        prong = _PRONG_MOVE.fullmatch(text)
        if prong is not None:
            point, prongs, added, superprong, to = prong.groups()
            pod = Pod(point=self.coordinates.point(point), prongs=prongs)
            return ProngMove(pod=pod, prong=added, superprong=bool(superprong), to=to)
        travels = [_TRAVEL.fullmatch(part) for part in text.split(",")]
        if not all(travels):
            if len(text) > len("99"):
                raise ValueError(f"no move {text!r}: expected '73', '33+B' or '84-86-68x'")
            return self.coordinates.point(text)
        return OctiMove(
            moves=tuple(self._read_travel(*match.groups()) for match in travels if match)
        )

    def _read_travel(self, point: str, prongs: str, steps: str) -> tuple[Pod, tuple[OctiStep, ...]]:
        return Pod(point=self.coordinates.point(point), prongs=prongs), tuple(
            OctiStep(target=self.coordinates.point(step[:2]), captured=tuple(step.split("x")[1:]))
            for step in steps[1:].split("-")
        )

    def read_piece(self, text: str) -> Value:
        """Return the pod of a text such as ``46CD``, or the point of ``46``."""
        point, prongs = text[:2], text[2:].upper()
        if not prongs or set(prongs) - set(PRONGS.values()):
            return super().read_piece(text)
        return Pod(point=self.coordinates.point(point), prongs=prongs)

    def name_move(self, move: Value) -> str:
        """Return a move as its page writes it: the opposite of :meth:`read_move`."""
        match move:
            case ProngMove():
                to = f"-{move.to}" if move.to else "!" if move.superprong else ""
                return f"{self._name(move.pod)}+{move.prong}{to}"
            case OctiMove():
                return ",".join(
                    "-".join((self._name(pod), *map(self._name_step, steps)))
                    for pod, steps in move.moves
                )
        return super().name_move(move)

    def _name(self, pod: Pod) -> str:
        return self.coordinates.name(pod.point) + pod.prongs

    def _name_step(self, step: OctiStep) -> str:
        return "x".join((self.coordinates.name(step.target), *step.captured))


#: Moves as their page writes them.
_PRONG_MOVE = re.compile(r"([1-9]{2})([A-H]*)\+([A-H])(?:(!)|-([A-H]))?")
_TRAVEL = re.compile(r"([1-9]{2})([A-H]*)((?:-[1-9]{2}(?:x[A-H]*)*)+)")


def _order(pod: HeldPod) -> tuple[str, bool, str]:
    """Return the place of a kind of pod among those on a point; unknown prongs come last."""
    return pod.color, pod.prongs is None, pod.prongs or ""


def _has(pods: dict[HeldPod, int], color: Color) -> bool:
    return any(pod.color is color for pod in pods)


def _sorted(prongs: str) -> str:
    return "".join(sorted(set(prongs)))


def _named(pod: Pod, color: Color) -> str:
    prongs = f" with the prongs {pod.prongs}" if pod.prongs else ""
    return f"{color.name.lower()} pod{prongs}"


def _direction(start: Point, end: Point) -> str:
    columns, rows = end.column - start.column, end.row - start.row
    return PRONGS.get(((columns > 0) - (columns < 0), (rows > 0) - (rows < 0)), "")


def _between(start: Point, end: Point) -> Point | None:
    columns, rows = end.column - start.column, end.row - start.row
    if {abs(columns), abs(rows)} - {0, 2} or (columns, rows) == (0, 0):
        return None
    return Point(start.column + columns // 2, start.row + rows // 2)


def _judge_way(move: OctiMove) -> Verdict:
    """Tell if pods step to next squares or jump over them, in directions that they name."""
    for pod, steps in move.moves:
        at = pod.point
        for step in steps:
            columns, rows = abs(step.target.column - at.column), abs(step.target.row - at.row)
            far = max(columns, rows)
            if far not in {1, 2} or {columns, rows} - {0, far}:
                reason = "neither steps to the next square nor jumps over it"
                return Verdict("illegal-move", reason, "correct the squares")
            if step.captured and far == 1:
                reason = "takes a pod without a jump over it"
                help_ = "'x' is after the square on which a jump ends"
                return Verdict("illegal-move", reason, help_)
            if pod.prongs and _direction(at, step.target) not in pod.prongs:
                reason = "moves in a direction in which the pod has no prong"
                help_ = "correct the squares, or the prongs that it names"
                return Verdict("illegal-move", reason, help_)
            at = step.target
    return LEGAL


def _prong_reason(move: ProngMove) -> str:
    """Return what is wrong with a new or turned prong by the move alone; "" if nothing is."""
    if move.to == move.prong:
        return "turns a prong to where it is"
    return _held_reason(move, move.pod.prongs) if move.pod.prongs else ""


def _held_reason(move: ProngMove, prongs: str) -> str:
    """Return why a pod with these prongs does not add or turn one; "" if it may."""
    if move.to is None:
        has = move.prong in prongs and not move.superprong
        return f"adds a prong {move.prong}, which the pod has" if has else ""
    if move.prong not in prongs:
        return f"turns a prong {move.prong}, which the pod does not have"
    return f"turns a prong to {move.to}, where the pod has one" if move.to in prongs else ""
