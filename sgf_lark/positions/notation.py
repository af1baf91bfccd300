"""Positions as text, and back: the line of :meth:`.Board.notation`, and pictures of boards."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby, pairwise
from operator import itemgetter

from sgf_lark.core import BoardSize, Color, Game, Point, late
from sgf_lark.pictures.parts import BoardKind
from sgf_lark.pictures.text import ASCII, HOLE_WIDTH, UNICODE

from .coordinates import Coordinates
from .state import Feature, State, StateMaker

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
    """Return the position of such a line; None if the text is none."""
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
    """Return the position of a picture, as :meth:`.Board.text` draws it."""
    lines = text.rstrip().splitlines()
    to_play = next((Color(side[0]) for side in _TO_PLAY.findall(text)), None)
    kind = late.find_state(game.number) or State
    state = kind.read_picture(lines, game, make)
    state.last, state.to_play = None, to_play
    return state


_TO_PLAY = re.compile(r"^\S (Black|White) to play$", re.MULTILINE)


def read_rows(lines: list[str], game: Game, make: StateMaker) -> State:
    """Return a board with a line for each row, between or under the names of columns."""
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
    if step == HOLE_WIDTH:
        state.put_drawn(lines, starts, [*map(lines.index, found.values())])
    return state


_ROW = re.compile(r" *(\d+)(?!\d)")


def _put_cell(state: State, point: Point, cell: str) -> None:
    sign, rest = cell[:1], cell[1:]
    color, what = SIGNS.get(sign), ""
    if sign == "#" and state.kind is BoardKind.LINES:
        color = Color.BLACK
    if color is None and sign not in _OTHERS:
        if sign not in EMPTY_SIGNS:
            raise ValueError(f"no sign of a board: {sign!r}")
        return
    if color is None:
        what = _OTHERS[sign]
    state.put_sign(point, color, what, rest)


#: What is no piece of a side.
_OTHERS = {"": "missing", "#": "arrow", UNICODE.pieces["arrow"][0]: "arrow"}

#: Empty points.
EMPTY_SIGNS = {*UNICODE.cross[0], *UNICODE.cross[1], *UNICODE.cross[2]}
EMPTY_SIGNS |= {UNICODE.hoshi, UNICODE.empty, ASCII.hoshi, ASCII.empty}
