"""Pages of games as PDF, by typst (the extra ``pdf``)."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sgf_lark.pictures.diagram import GameFigure

from .page import (
    MAX_FIGURES,
    MAX_LEFT_OUT,
    GamePage,
    bare_svg,
    heading,
    lost_parts,
    remarks_of,
    share_of,
    widest_picture,
)


def draw_pdf(page: GamePage, fonts: Sequence[str | os.PathLike[str]] = ()) -> bytes:
    """Return a game as PDF: title, figures, comments, page numbers.

    The texts are data of the document, so that nothing in them is markup.  Equal pages give
    equal bytes where the fonts are equal: typst brings those for Latin, Greek and Cyrillic, the
    others come from the system, or from ``fonts``.

    Raises:
        ModuleNotFoundError: It needs the extra ``sgf_lark[pdf]``.
    """
    return _compile(page, "pdf", font_paths=[str(folder) for folder in fonts])[0]


def draw_sheets(page: GamePage, dots_per_inch: int = 100) -> list[bytes]:
    return _compile(page, "png", ppi=float(dots_per_inch))


def _compile(page: GamePage, format: Any, **options: Any) -> list[bytes]:
    try:
        import typst
    except ModuleNotFoundError as error:
        if error.name != "typst":
            raise
        words = "PDF needs typst (extra pdf):  pip install 'sgf_lark[pdf]'"
        raise ModuleNotFoundError(words, name="typst") from None
    template = Path(__file__).with_name("page.typ").read_bytes()
    inputs = {"page": json.dumps(_data(page))}
    made = typst.compile(template, format=format, sys_inputs=inputs, timestamp=0, **options)
    return made if isinstance(made, list) else [made]


def _data(page: GamePage, most: int = 0) -> dict[str, Any]:
    most = most or widest_picture(page)
    return {
        "title": _text(page.title),
        "facts": [{"name": fact.name, "text": _text(fact.text)} for fact in page.facts],
        "comment": _text(page.comment),
        "lost": [_text(line) for line in lost_parts(page)],
        "figures": [_figure(figure, most, page) for figure in page.figures[:MAX_FIGURES]],
        "games": [_data(game, most) for game in page.games],
    }


def _figure(figure: GameFigure, most: int, page: GamePage) -> dict[str, Any]:
    is_inner = figure.parent is not None
    width = share_of(figure.diagram, most) if most else INNER if is_inner else 1
    return {
        "heading": _text(heading(figure, is_alone=len(page.figures) == 1)),
        "inner": is_inner,
        "below": bool(page.games),  # a position to be solved has its name below
        "width": width * 100,
        "svg": bare_svg(figure.diagram, "print"),
        "notes": _text(" ".join(figure.diagram.captions)),
        "lost": [_text(line) for line in figure.diagram.left_out[:MAX_LEFT_OUT]],
        "comments": [
            {"head": _text(head), "name": _text(name), "text": _text(comment)}
            for head, name, comment in remarks_of(figure)
        ],
    }


#: The width of the picture of a variation, as a part of a column.
INNER = 0.72

#: Characters without a picture, but line feeds; and halves of surrogate pairs.
_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

#: A word that no line has room for: typst breaks it only at a space, were it of no width.
_LONG = re.compile(r"[!-\u02ff]{24}(?=[!-\u02ff])")


def _text(text: str) -> dict[str, Any]:
    """Return a text and its direction: that of its first character that has one."""
    seen = _LONG.sub("\\g<0>\N{ZERO WIDTH SPACE}", _UNSEEN.sub(" ", text))
    strong = (unicodedata.bidirectional(char) for char in seen)
    first = next((kind for kind in strong if kind in {"L", "R", "AL"}), "L")
    return {"text": seen, "rtl": first != "L"}
