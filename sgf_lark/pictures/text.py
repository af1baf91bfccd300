"""Diagrams as text: for a terminal, in ASCII, and in the layouts of sgfmill and GNU Go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sgf_lark.schema.values import Color, Point

from .characters.boards import draw_backgammon, draw_links
from .characters.contents import MAX_LABEL_WIDTH, Contents
from .characters.signs import ASCII, UNICODE, Signs, clean, text_width
from .diagram import Diagram
from .parts import BoardKind

#: The styles of :func:`draw_text`.
STYLES = ("unicode", "ascii", "sgfmill", "gnugo")


def draw_text(diagram: Diagram, style: str = "unicode") -> str:
    """Return a diagram as lines of text.

    Args:
        diagram: The picture.
        style: ``unicode`` for a terminal; ``ascii``, which needs no other characters;
            ``sgfmill`` or ``gnugo``: the board alone, as those programs print one of Go.

    Returns:
        The lines, without a line break at the end.  What does not fit on the board, such as
        long labels, arrows and notes, is listed under it.

    Raises:
        ValueError: There is no such style, or it cannot show this kind of board.
    """
    if style not in STYLES:
        raise ValueError(f"no style {style!r} of text: expected {', '.join(STYLES)}")
    if style in {"sgfmill", "gnugo"}:
        return "\n".join(_draw_as_program(diagram, style))
    if style == "unicode":
        return draw_in_signs(diagram, UNICODE)
    return draw_in_signs(diagram, ASCII).encode("ascii", "backslashreplace").decode()


def draw_in_signs(diagram: Diagram, signs: Signs) -> str:
    """Return a diagram in the characters of a style; texts keep their own."""
    lines = [clean(diagram.title)] if diagram.title else []
    if diagram.kind is BoardKind.POINTS:
        lines += draw_backgammon(diagram, signs)
    elif diagram.links:
        lines += draw_links(diagram, signs)
    else:
        lines += _draw_rows(diagram, signs)
    return "\n".join([*map(str.rstrip, lines), *_list_rest(diagram, signs)])


# ---- rows of points ----


def _draw_rows(diagram: Diagram, signs: Signs) -> Iterator[str]:
    """Yield a board with a line for each row."""
    columns, rows = diagram.extent
    contents = Contents(diagram, signs)
    bodies = [[contents.at(Point(column, row)) for column in columns] for row in rows]
    names = [clean(name) for name in diagram.column_names] if diagram.coordinates else []
    names = names[columns.start : columns.stop]
    widths = (text_width(body) for line in bodies for body in line)
    width = max(max(widths, default=1), max(map(len, names), default=1))
    step = width + 1
    if diagram.kind is BoardKind.RHOMBUS:
        step += step % 2  # rows are shifted by half a step
    sides = [clean(name) for name in diagram.row_names] if diagram.coordinates else []
    gutter = max((len(name) for name in sides), default=0)
    last = set(diagram.last)
    heading = " " * gutter + " " + "".join(f"{name:<{step}}" for name in names)
    shift = 0
    if names and not diagram.rows_from_bottom:
        yield heading
    for row, line in zip(rows, bodies, strict=True):
        gaps = _gaps(diagram, signs, [Point(column, row) for column in columns], line, step)
        for at, column in enumerate(columns):
            if Point(column, row) in last:
                gaps[at] = gaps[at][:-1] + ("(" if gaps[at][-1] != ")" else "|")
                gaps[at + 1] = ")" + gaps[at + 1][1:]
        side = sides[row] if row < len(sides) else ""
        content = "".join(gap + body for gap, body in zip(gaps, line, strict=False))
        yield " " * shift + f"{side:>{gutter}}{content}{gaps[-1]}"
        shift += step // 2 if diagram.kind is BoardKind.RHOMBUS else 0
    if names and diagram.rows_from_bottom:
        yield heading


def _gaps(
    diagram: Diagram, signs: Signs, points: Sequence[Point], bodies: Sequence[str], step: int
) -> list[str]:
    """Return the text between the points of a row, before the first and after the last one."""
    is_grid = diagram.kind is BoardKind.LINES and bool(signs.line)
    gaps = [" "]
    for point, body, after in zip(points, bodies, (*bodies[1:], " "), strict=False):
        at_edge = point.column == diagram.size.columns - 1
        joined = is_grid and not at_edge and body != " " != after
        cropped = is_grid and point is points[-1] and not at_edge and body != " "
        gap = (signs.line if joined else " ") * (step - text_width(body))
        gaps.append(signs.line if cropped else gap)
    return gaps


# ---- under the board ----


def _list_rest(diagram: Diagram, signs: Signs) -> Iterator[str]:
    """Yield what the board has no room for: labels, lines, arrows, the side to move, notes."""
    for label in (*diagram.labels, *diagram.variations):
        text = clean(label.text)
        if text_width(text) > MAX_LABEL_WIDTH:
            yield f"{_name(diagram, label.point)}: {text}"
    for sign, lines in (("-", diagram.lines), ("->", diagram.arrows)):
        if lines:
            yield ", ".join(
                f"{_name(diagram, line.first)} {sign} {_name(diagram, line.second)}"
                for line in lines
            )
    if key := Contents(diagram, signs).key():
        yield key
    if diagram.to_play is not None:
        sign = signs.pieces["stone"][diagram.to_play is Color.WHITE]
        yield f"{sign} {diagram.to_play.name.capitalize()} to play"
    yield from map(clean, diagram.notes)


def _name(diagram: Diagram, point: Point) -> str:
    """Return the coordinates of a point."""
    columns, rows = diagram.column_names, diagram.row_names
    column = columns[point.column] if point.column < len(columns) else str(point.column + 1)
    return clean(column + (rows[point.row] if point.row < len(rows) else ""))


# ---- other programs ----


def _draw_as_program(diagram: Diagram, style: str) -> Iterator[str]:
    """Yield the board as sgfmill or GNU Go prints it.

    Source: sgfmill 1.1, ``ascii_boards.render_board``; GNU Go 3.8, ``showboard`` of GTP.
    """
    if diagram.kind is not BoardKind.LINES:
        raise ValueError(f"style {style!r} is for boards with lines, not for {diagram.kind.value}")
    columns, rows = diagram.size
    names = [_letter(column) for column in range(columns)]
    held = {stone.point: stone.color for stone in diagram.stones}
    hoshi = {*map(Point._make, _HOSHI_OF_GNUGO.get(diagram.size, diagram.hoshi))}
    signs = {Color.BLACK: "#", Color.WHITE: "o", None: "."}
    if style == "gnugo":
        signs = {Color.BLACK: "X", Color.WHITE: "O", None: "."}
        yield "   " + " ".join(names)
    width = 2 if rows >= 10 or style == "gnugo" else 1  # noqa: PLR2004  # two digits
    for row in range(rows):
        number = rows - row
        points = [Point(column, row) for column in range(columns)]
        shown = [signs[held.get(point)] for point in points]
        if style == "gnugo":
            shown = [
                "+" if sign == "." and point in hoshi else sign
                for sign, point in zip(shown, points, strict=True)
            ]
            yield f"{number:>2} {' '.join(shown)} {number}"
        else:
            yield f"{number:>{width}} {' '.join(' ' + sign for sign in shown)}"
    if style == "gnugo":
        yield "   " + " ".join(names)
    else:
        yield " " * (width + 2) + "  ".join(names)


#: Dots of GNU Go on boards where other programs have other ones or none.
_HOSHI_OF_GNUGO = {(3, 3): ((1, 1),), (6, 6): ((2, 2), (3, 2), (2, 3), (3, 3))}


def _letter(column: int) -> str:
    """Return the letter of a column of Go, which leaves out I; two beyond Z."""
    letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
    first, second = divmod(column, len(letters))
    return (_letter(first - 1) if first else "") + letters[second]
