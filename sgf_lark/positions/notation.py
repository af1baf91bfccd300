"""Positions as text, and back: the line of :meth:`.Board.notation`, and pictures of boards."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby, pairwise, product
from operator import itemgetter

from sgf_lark.core import BAR, TRAY, BoardSize, Color, Game, GameNumber, Point
from sgf_lark.games.twixt import CROSSING, STEPS
from sgf_lark.pictures.parts import BoardKind
from sgf_lark.pictures.text import ASCII, HOLE_LINES, HOLE_WIDTH, MAX_SHOWN, UNICODE, link_signs

from .coordinates import Coordinates
from .state import Feature, State

#: Makes an empty state of a game.
StateMaker = Callable[[Game, BoardSize], State]

# ---- one line ----

#: The head of a line after the game: columns and rows, the side to move.
_HEAD = re.compile(r"(\S.*?) (\d{1,5})x(\d{1,5}) ([BW-])(?: (.*))?")

#: A part of a line: the side, what it is, its prongs, its points.
_PART = re.compile(r"([BW]?)([a-z0-9-]*)(?:\+([A-H]+))?(?::(\S+))?")


def line_of(state: State) -> str:
    """Return a position in one line; see :meth:`.Board.notation`."""
    names = Coordinates.of(state.number_of_game, state.size)

    found = []
    for points, color, what, prongs in state.features():
        if what != "to-play":
            kind = f"{color or ''}{what}{'+' * bool(prongs)}{prongs}"
            found.append((kind, [(row, column) for column, row in points], points))
    parts = []
    for kind, alike in groupby(sorted(found), itemgetter(0)):
        shown = ["-".join(map(names.name, points)) for *_, points in alike if points]
        parts.append(f"{kind}:{','.join(shown)}" if shown else kind)
    columns, rows = state.size
    return " ".join((state.game.name, f"{columns}x{rows}", state.to_play or "-", *parts))


def read_line(text: str, game: Callable[[str], Game], make: StateMaker) -> State | None:
    """Return the position of such a line; None if the text is none.

    Raises:
        ValueError: There is no such game, board, point or part.
    """
    found = _HEAD.fullmatch(text)
    if found is None:
        return None
    name, columns, rows, side, rest = found.groups()
    state = make(game(name), BoardSize(int(columns), int(rows)))
    names = Coordinates.of(state.number_of_game, state.size)
    features = []
    for word in (rest or "").split():
        part = _PART.fullmatch(word)
        if part is None:
            raise ValueError(f"no part of a position: {word!r}")
        color, what, prongs, points = part.groups()
        for piece in points.split(",") if points else ("",):
            where = tuple(map(names.point, piece.split("-"))) if piece else ()
            features.append(Feature(where, Color(color) if color else None, what, prongs or ""))
    features.sort(key=lambda feature: feature.color is None or len(feature.points) != 1)
    for feature in features:  # pieces first: setup ends a ko, and a double
        state.put_feature(feature)
    state.to_play = Color(side) if side != "-" else None
    return state


# ---- pictures ----

#: The signs of pieces of each side in all styles but for ``#``, which is one of sgfmill's Black.
SIGNS = {
    sign: color
    for signs in (UNICODE, ASCII)
    for piece in ("stone", "amazon")
    for sign, color in zip(signs.pieces[piece], Color, strict=False)
} | {"o": Color.WHITE}


def read_picture(text: str, game: Game, make: StateMaker) -> State:
    """Return the position of a picture, as :meth:`.Board.text` draws it.

    Raises:
        ValueError: It is none of this game.
    """
    lines = text.rstrip().splitlines()
    to_play = next((Color(side[0]) for side in _TO_PLAY.findall(text)), None)
    if game.number == GameNumber.BACKGAMMON:
        state = make(game, BoardSize(26, 1))
        _read_backgammon(lines, state)
    else:
        state = _read_rows(lines, game, make)
    state.last, state.to_play = None, to_play
    return state


_TO_PLAY = re.compile(r"^\S (Black|White) to play$", re.MULTILINE)


def _read_rows(lines: list[str], game: Game, make: StateMaker) -> State:
    """Read a board with a line for each row, between or under the names of columns."""
    for heading in lines:
        tokens = [*re.finditer(r"\S+", heading)]
        names = Coordinates.of(game.number, BoardSize(max(len(tokens), 1), 1)).columns
        if tuple(token[0] for token in tokens) == names:
            break
    else:
        raise ValueError(f"no picture of a board of {game.name}: the names of columns are missing")
    found = {match[1]: line for line in lines if line != heading and (match := _ROW.match(line))}
    state = make(game, BoardSize(len(names), len(found)))
    starts = [token.start() for token in tokens]
    step = min((after - at for at, after in pairwise(starts)), default=2)
    for shift, (name, line) in enumerate(found.items()):
        moved = shift * step // 2 if state.kind is BoardKind.RHOMBUS else 0
        for column, start in zip(names, starts, strict=True):
            cell = line[start + moved : start + moved + step]
            _put_cell(state, state.coordinates.point(column + name), cell.strip("()|\u2500 "))
    if game.number == GameNumber.TWIXT and step == HOLE_WIDTH:
        _read_links(lines, starts, [*map(lines.index, found.values())], state)
    return state


_ROW = re.compile(r" *(\d+)(?!\d)")


def _put_cell(state: State, point: Point, cell: str) -> None:
    """Put down what a picture has on a point."""
    sign, rest = cell[:1], cell[1:]
    is_pod = state.number_of_game == GameNumber.OCTI
    color, what, prongs = SIGNS.get(sign), "", ""
    if sign == "#" and state.kind is BoardKind.LINES:
        color = Color.BLACK
    if color is None and sign not in _OTHERS:
        if sign not in EMPTY_SIGNS:
            raise ValueError(f"no sign of a board: {sign!r}")
        return
    if color is None:
        what = _OTHERS[sign]
    if is_pod and color is not None:
        what = rest.rstrip("ABCDEFGH")
        prongs, what = rest[len(what) :], what or "1"
    if what != "missing" or state.number_of_game == GameNumber.OTHELLO:
        state.put_feature(Feature((point,), color, what, prongs))


#: What is no piece of a side.
_OTHERS = {"": "missing", "#": "arrow", UNICODE.pieces["arrow"][0]: "arrow"}

#: Empty points.
EMPTY_SIGNS = {*UNICODE.cross[0], *UNICODE.cross[1], *UNICODE.cross[2]}
EMPTY_SIGNS |= {UNICODE.hoshi, UNICODE.empty, ASCII.hoshi, ASCII.empty}


def _read_links(lines: list[str], starts: list[int], rows: list[int], state: State) -> None:
    """Read the links of a picture of Twixt; those that hide others are read first."""
    text = [line.ljust(starts[-1] + HOLE_WIDTH) for line in lines]
    covered: set[tuple[int, int]] = set()
    pegs = {point: color for point, color, *_ in state.pieces()}
    seen: list[tuple[int, Point, int]] = []
    for left, way in [*product(pegs, range(len(STEPS)))][::-1]:
        (across, down), x, y = STEPS[way], starts[left.column], rows[left.row]
        if pegs.get(Point(left.column + across, left.row + down)) is not pegs[left]:
            continue
        for signs in (UNICODE, ASCII):
            drawn = link_signs(signs, HOLE_WIDTH * across, HOLE_LINES * down)
            cells = {(y + to_row, x + to_column): sign for to_column, to_row, sign in drawn}
            shown = {at for at, sign in cells.items() if text[at[0]][at[1]] in f"{sign}()"}
            if cells.keys() <= shown | covered:
                seen.append((len(shown - covered), left, way))
                covered |= cells.keys()
                break
    links: set[tuple[Point, int]] = set()
    for _, left, way in sorted(seen, reverse=True):  # of two that cross, that which shows more
        column, row = left
        if links.isdisjoint((Point(column + c, row + r), other) for c, r, other in CROSSING[way]):
            links.add((left, way))
            right = Point(column + STEPS[way][0], row + STEPS[way][1])
            state.put_feature(Feature((left, right), pegs[left], "link"))


def _read_backgammon(lines: list[str], state: State) -> None:
    """Read a board of backgammon.  The dice may be those of the last move, and are left out."""
    first = next((at for at, line in enumerate(lines) if line.startswith("+13-")), None)
    if first is None or len(lines) < first + 2 * MAX_SHOWN + 3:
        raise ValueError("no picture of a board of backgammon")
    middle = lines[first + 1 + MAX_SHOWN]
    places = [*range(2, 20, 3), *range(25, 43, 3)]  # characters
    for half, columns, color in (
        (-1, range(12, 24), Color.BLACK),
        (1, range(11, -1, -1), Color.WHITE),
    ):
        stack = [
            lines[first + 1 + MAX_SHOWN + half * height].ljust(60)
            for height in range(MAX_SHOWN, 0, -1)
        ]
        for column, x in (*zip(columns, places, strict=True), (BAR, 21)):
            cells = [line[x : x + 2].strip() for line in stack]
            side = SIGNS.get(cells[0])
            if side is not None:
                amount = int(cells[-1]) if cells[-1].isdecimal() else sum(map(bool, cells))
                state.put_feature(Feature((Point(column, 0),), side, str(amount)))
        off = re.search(r"off: (\d+)", stack[0])
        if off:
            state.put_feature(Feature((Point(TRAY, 0),), color, off[1]))
    cube = re.search(r"cube: (\d+)(?: \((Black|White)\))?", middle)
    if cube:
        state.put_feature(Feature(what=f"cube-{cube[1]}"))
        if cube[2]:
            state.put_feature(Feature(color=Color(cube[2][0]), what="cube-owner"))
