"""Writing of games to text or files: as they were read, or in a new layout.

``preserve`` copies unchanged parts byte for byte.  A changed value replaces the old one; new
nodes and brackets are inserted between the copied parts.  The other two layouts are
those of :mod:`sgf_lark.core.write.styles`.
"""

from __future__ import annotations

import io
import os
from typing import IO, Literal, TypeAlias, get_args

from sgf_lark.core import late
from sgf_lark.core.model.collection import Collection, GameTree, as_collection
from sgf_lark.core.text.source import TextSource

from .encode import encode_collection
from .parts import text_of
from .styles import COMPACT, Style

Target: TypeAlias = str | os.PathLike[str] | IO[str] | IO[bytes]

#: The layouts.
StyleName: TypeAlias = Literal["preserve", "canonical", "compact"]


def dumps(
    collection: Collection | GameTree,
    *,
    style: StyleName = "preserve",
    nodes: int = 1,
    indent: int = 0,
    compress: bool = False,
    width: int | None = None,
) -> str:
    """Return games as text.

    Args:
        collection: The games; or one game.
        style: ``"preserve"``: unchanged parts stay as they are, with text outside the games.
            ``"canonical"``: one layout for all records of the same content; writing it again
            changes nothing.  ``"compact"``: as short as possible.  Games from data have
            nothing to preserve, and are canonical.
        nodes: Canonical: the nodes on a line, at least 1.
        indent: Canonical: the spaces before a variation, for each level.
        compress: Canonical: write points of a list as rectangles where FF[4] allows it.
        width: Canonical: the characters of a line, at least 1.  Longer lines are broken
            between properties and, in FF[4], in texts by soft line breaks.

    Returns:
        The text, without a byte order mark.

    Raises:
        ValueError: There is no such style; or a game is damaged, and text of it that belongs to no
            property would change what a draft has changed.
    """
    style_ = _style(style, nodes, indent, compress, width)
    return text_of(as_collection(collection), style_)


def dump(
    collection: Collection | GameTree,
    target: Target,
    *,
    style: StyleName = "preserve",
    encoding: str | None = None,
    nodes: int = 1,
    indent: int = 0,
    compress: bool = False,
    width: int | None = None,
    overwrite: bool = False,
) -> None:
    """Write games to a file, as :func:`dumps` does.

    A file from which the games were read is a case of its own: nothing in it is lost without a
    word.  A game of several does not replace all of them, and what somebody else wrote meanwhile
    stays, unless ``overwrite`` says so.

    >>> collection = load("games.sgf")
    >>> draft = collection.edit(0)
    >>> draft.set(draft.root, "KM", 6.5)
    >>> dump(draft.done(), "games.sgf")

    Args:
        collection, style, nodes, indent, compress, width: As for :func:`dumps`.
        target: A path; or a file that is open for writing, binary (better) or text.  A path
            is replaced at once: nobody reads a half-written file.
        encoding: The encoding of the bytes.  None: game by game as the file was read, with
            its byte order mark; else as CA declares; else UTF-8.  If it is given, CA of every
            game of FF[4] is set to it.  FF[1] and FF[3] have no CA: their new games are
            written in ISO-8859-1, the encoding of FF[3], if it has all their characters; they
            get CA as a private property where the bytes alone would be misread.
        overwrite: Replace the file from which the games were read, whatever it has by now.

    Raises:
        ValueError: As for :func:`dumps`; or the target is the file from which the only game was
            read, and has others: ``collection.edit(0)`` keeps them.
        UnencodableError: A ValueError, too: the encoding of a game lacks one of its
            characters.
        LookupError: There is no such encoding.
        OSError: The file cannot be written; or it was changed since it was read; or its name is
            that of an archive or a compressed file, which are only read.
    """
    style_ = _style(style, nodes, indent, compress, width)
    if isinstance(target, io.TextIOBase):
        target.write(dumps(collection, style=style, nodes=nodes, indent=indent,
                           compress=compress, width=width))  # fmt: skip
        return
    games = as_collection(collection)
    if not isinstance(target, str | os.PathLike):
        target.write(encode_collection(games, style_, encoding))  # type: ignore[arg-type]  # a binary file
        return
    source, read = _source_at(collection, target), None
    if source is not None and not overwrite and os.path.exists(target):  # noqa: PTH110  # any path
        if isinstance(collection, GameTree):
            _require_only_game(target)
            games = games.with_text_around()
        read = collection.saved.digest or (source.data and late.digest_of(source.data))
        _require_last_change(target, source, read)
    data = encode_collection(games, style_, encoding)
    late.write_file(target, data, read=read)
    if source is not None:
        source.digest = collection.saved.digest = late.digest_of(data)


def _source_at(games: Collection | GameTree, target: str | os.PathLike[str]) -> TextSource | None:
    if isinstance(games, Collection):
        source = games.source
    else:
        source = None if games.source_game is None else games.source_game.source
    is_there = source is not None and source.path == os.path.realpath(target)
    return source if is_there else None


def _require_last_change(
    target: str | os.PathLike[str], source: TextSource, read: bytes | None
) -> None:
    """Require that what goes into a file has all that this program has written to it."""
    if read is None or source.digest in {None, read}:
        return
    if late.digest_of(late.read_record(target)) == source.digest:
        raise ValueError(
            f"{os.fspath(target)} has a change that was saved since this was read: go on with what "
            "was saved, collection = draft.done(); overwrite=True drops that change"
        )


def _require_only_game(target: str | os.PathLike[str]) -> None:
    """Require that a file has no game but the one that replaces it."""
    from sgf_lark.core.read.split import split_games
    from sgf_lark.core.text.encoding import decode

    text, *_ = decode(late.read_record(target))
    count = sum(span.is_game for span in split_games(text))
    if count > 1:
        raise ValueError(
            f"{os.fspath(target)} has {count} games, and this is one of them: "
            "load(path).edit(number) changes one and keeps the others, overwrite=True drops them"
        )


def _style(
    style: StyleName,
    nodes: int,
    indent: int,
    compress: bool,  # noqa: FBT001  # the options of dumps
    width: int | None,
) -> Style | None:
    """Return the layout of a name; None for ``preserve``."""
    if style not in get_args(StyleName):
        raise ValueError(f"no style {style!r}: there are {', '.join(get_args(StyleName))}")
    if style == "preserve":
        return None
    if nodes < 1 or indent < 0 or (width is not None and width < 1):
        raise ValueError("nodes and width are at least 1, indent at least 0")
    return COMPACT if style == "compact" else Style(nodes, indent, compress, width)
