"""From games back to a text: as it was, or in a new layout.

``preserve`` copies what was not changed, byte for byte: everything, if nothing was changed.
A changed value is put into the place of the old one; new nodes and brackets are put between
what stays.  The other two layouts are those of :mod:`sgf_lark.write.styles`.
"""

from __future__ import annotations

import io
import os
from typing import IO, TypeAlias

from sgf_lark.model.collection import Collection, GameTree
from sgf_lark.text.files import write_file

from .encode import encode_collection
from .parts import as_collection, text_of
from .styles import COMPACT, Style

Target: TypeAlias = str | os.PathLike[str] | IO[str] | IO[bytes]


def dumps(
    collection: Collection | GameTree,
    *,
    style: str = "preserve",
    nodes: int = 1,
    indent: int = 0,
    compress: bool = False,
    width: int | None = None,
) -> str:
    """Games as a text.

    Args:
        collection: The games; or one game.
        style: ``"preserve"``: what was read and not changed stays as it stands, text outside
            the games included.  ``"canonical"``: one layout for all records that say the
            same; writing what was written so changes nothing.  ``"compact"``: as short as
            can be.  Games that come from data have nothing to preserve, and are canonical.
        nodes: Canonical: so many nodes on a line.
        indent: Canonical: so many spaces before a variation, for each level.
        compress: Canonical: points of a list become rectangles where FF[4] allows it.
        width: Canonical: lines longer than this are broken between properties and, in
            FF[4], in texts by soft line breaks.

    Returns:
        The text, without a byte order mark.

    Raises:
        ValueError: There is no such style.
    """
    style_ = _style(style, nodes, indent, compress, width)
    return text_of(as_collection(collection), style_)


def dump(
    collection: Collection | GameTree,
    target: Target,
    *,
    style: str = "preserve",
    encoding: str | None = None,
    nodes: int = 1,
    indent: int = 0,
    compress: bool = False,
    width: int | None = None,
) -> None:
    """Write games to a file; else as :func:`dumps`.

    Args:
        collection, style, nodes, indent, compress, width: As for :func:`dumps`.
        target: A path; or a file that is open for writing, binary (better) or text.  A path
            is replaced at once: nobody sees half a file.
        encoding: Of the bytes.  None: as the file was read, with its byte order mark and
            game by game; else what CA says; else UTF-8.  If it is given, CA of every game
            of FF[4] is made to say so.  FF[1] and FF[3] have no CA: new games of them are
            written in ISO-8859-1, as FF[3] means it, if that has all their letters; and they
            get a CA all the same, a private property, where the bytes alone would be misread.

    Raises:
        ValueError: There is no such style.
        UnencodableError: A ValueError, too: a game is in an encoding that lacks one of its
            letters.
        LookupError: There is no such encoding.
        OSError: The file cannot be written.
    """
    style_ = _style(style, nodes, indent, compress, width)
    if isinstance(target, io.TextIOBase):
        target.write(dumps(collection, style=style, nodes=nodes, indent=indent,
                           compress=compress, width=width))  # fmt: skip
        return
    data = encode_collection(as_collection(collection), style_, encoding)
    if isinstance(target, str | os.PathLike):
        write_file(target, data)
    else:
        target.write(data)  # type: ignore[arg-type]  # a binary file


def _style(
    style: str,
    nodes: int,
    indent: int,
    compress: bool,  # noqa: FBT001  # the options of dumps
    width: int | None,
) -> Style | None:
    """A layout by its name; None to preserve."""
    if style not in {"preserve", "canonical", "compact"}:
        raise ValueError(f"no style {style!r}: there are preserve, canonical, compact")
    if style == "preserve":
        return None
    if nodes < 1 or indent < 0 or (width is not None and width < 1):
        raise ValueError("nodes and width are at least 1, indent at least 0")
    return COMPACT if style == "compact" else Style(nodes, indent, compress, width)


# ---- bytes ----


# ---- a collection ----


# ---- a game ----


# ---- a game in a new layout ----
