"""Output on a terminal, in columns, in which no content of a file controls the terminal.

Messages are printed by :func:`say`.  The result of a command, such as a record, is printed by
:func:`show`: unchanged into a pipe or a file, with control characters escaped on a terminal.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from sgf_lark.core import visible


def has_unicode(encoding: str | None) -> bool:
    """Return whether an encoding of an output has every character."""
    return (encoding or "").lower().replace("-", "") == "utf8"


def never_fail() -> None:
    """Write characters that the encoding of the terminal lacks as ``\\u56f2``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str, *, err: bool = False) -> None:
    sys.stdout.flush()  # what was shown before comes before
    stream = sys.stderr if err else sys.stdout
    stream.write(visible(text, keep="\t") + "\n")
    stream.flush()


def say_lines(text: str, *, err: bool = False) -> None:
    for line in text.split("\n"):
        say(line, err=err)


def show(result: str | bytes) -> None:
    """Print the result of a command: unchanged, but escaped on a terminal."""
    if sys.stdout.isatty():
        text = result if isinstance(result, str) else result.decode("utf-8", "backslashreplace")
        sys.stdout.write(visible(text.replace("\r\n", "\n"), keep="\n\t"))
    elif isinstance(result, str):
        sys.stdout.write(result)
    else:
        sys.stdout.flush()  # what was written before as text comes first
        sys.stdout.buffer.write(result)
        sys.stdout.buffer.flush()


def discard_output() -> None:
    """Send the output that Python still buffers to the null device, or its flush at exit fails."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    try:
        sys.stderr.flush()
    except OSError:  # its reader has gone, too
        os.dup2(nowhere, sys.stderr.fileno())


_UNSEEN = re.compile(r"[^\x00-\x7e]")


def visible_json(text: str) -> str:
    r"""Return the same JSON with unprintable characters escaped as ``\u009b``."""
    return text if text.isprintable() else _UNSEEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    import unicodedata

    char = match[0]
    if char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


# ---- columns of text ----

#: A piece of a line, or the piece and its style.
StyledText: TypeAlias = str | tuple[str, str]

#: Blanks between two columns.
GAP = "  "


class Row(NamedTuple):
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
