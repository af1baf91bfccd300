"""Columns of text: how all tables of reports and of the command are aligned."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from sgf_lark.core import visible

#: A piece of a line, or the piece and its style.
StyledText: TypeAlias = str | tuple[str, str]

#: Blanks between two columns.
GAP = "  "


class Row(NamedTuple):
    """A row of a table."""

    cells: Sequence[StyledText]
    rest: Sequence[StyledText] = ()  # the pieces of the last column, which is as wide as they are


def align(
    rows: Iterable[Row],
    *,
    start: str = "",
    right: Collection[int] = (),
    most: int | None = None,
    widths: Sequence[int] | None = None,
    ends: Collection[int] = (),
) -> Iterator[tuple[int, list[StyledText]]]:
    """Yield the pieces of each line of a table, and the place where its last column begins.

    Args:
        rows: The rows; control characters in them are escaped.
        widths: The widths of the columns: longer cells are cut, and further cells left out.  By
            default they are those of the texts.
    """
    shown = [Row([*map(_escaped, row.cells)], [*map(_escaped, row.rest)]) for row in rows]
    is_cut = widths is not None
    if widths is None:
        columns = zip(*(row.cells for row in shown), strict=True)
        widths = [max(cells(_split(cell)[0]) for cell in column) for column in columns]
    if most is not None:
        widths = [min(width, most) for width in widths]
    place = len(start) + sum(width + len(GAP) for width in widths)
    for row in shown:
        line: list[StyledText] = [start]
        for at, (cell, width) in enumerate(zip(row.cells, widths, strict=not is_cut)):
            text, style = _split(cell)
            if is_cut:
                text = crop(text, width, keeps_end=at in ends)
            blanks = " " * (width - cells(text))
            line += [(blanks + text if at in right else text + blanks, style), GAP]
        yield place, [*line, *row.rest] if row.rest else line[:-1]


def cells(text: str) -> int:
    """Return the width of a text on a terminal, on which a Chinese character takes two cells."""
    if text.isascii():  # rich is imported for others only
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def crop(text: str, width: int, *, keeps_end: bool = False) -> str:
    """Return the beginning or the end of a text that fits, with an ellipsis if it is cut."""
    if cells(text) <= width:
        return text
    from rich.cells import set_cell_size

    if width <= 0:
        return ""
    if keeps_end:
        return _ELLIPSIS + set_cell_size(text[::-1], width - 1)[::-1].lstrip()
    return set_cell_size(text, width - 1) + _ELLIPSIS


_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def _split(piece: StyledText) -> tuple[str, str]:
    return (piece, "") if isinstance(piece, str) else piece


def _escaped(piece: StyledText) -> StyledText:
    text, style = _split(piece)
    return visible(text), style
