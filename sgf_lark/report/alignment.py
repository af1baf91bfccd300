"""Columns of text: how all tables of reports and of the command are aligned."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from sgf_lark.findings.terminal import visible

#: A piece of a line, or the piece and its style.
StyledText: TypeAlias = str | tuple[str, str]

#: Blanks between two columns.
GAP = "  "


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        cells: The columns.
        rest: The pieces of the last column, which is as wide as they are.
    """

    cells: Sequence[StyledText]
    rest: Sequence[StyledText] = ()


def align(
    rows: Iterable[Row],
    *,
    start: str = "",
    right: Collection[int] = (),
    most: int | None = None,
) -> Iterator[tuple[int, list[StyledText]]]:
    """Yield the pieces of each line of a table, and the place where its last column begins.

    Args:
        rows: The rows; control characters in them are escaped.
        start: The beginning of each line.
        right: The columns whose texts are at the right, such as numbers.
        most: Limit of the width of a column: longer cells push the rest of their line.
    """
    shown = [Row([*map(_escaped, row.cells)], [*map(_escaped, row.rest)]) for row in rows]
    columns = zip(*(row.cells for row in shown), strict=True)
    widths = [max(len(_split(cell)[0]) for cell in column) for column in columns]
    if most is not None:
        widths = [min(width, most) for width in widths]
    place = len(start) + sum(width + len(GAP) for width in widths)
    for row in shown:
        line: list[StyledText] = [start]
        for at, (cell, width) in enumerate(zip(row.cells, widths, strict=True)):
            text, style = _split(cell)
            padded = text.rjust(width) if at in right else text.ljust(width)
            line += [(padded, style), GAP]
        yield place, [*line, *row.rest] if row.rest else line[:-1]


def _split(piece: StyledText) -> tuple[str, str]:
    return (piece, "") if isinstance(piece, str) else piece


def _escaped(piece: StyledText) -> StyledText:
    text, style = _split(piece)
    return visible(text), style
