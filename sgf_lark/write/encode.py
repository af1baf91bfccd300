"""The bytes of a text, and the CA that names their encoding."""

from __future__ import annotations

from sgf_lark.model.collection import Collection, GameTree
from sgf_lark.schema.formats import Format
from sgf_lark.text.charset_names import codec_of, label
from sgf_lark.text.encoding import decode, encode
from sgf_lark.text.source import Copy, joined

from .parts import Part, is_whole, text_of, written
from .styles import Style

#: The first character that ISO-8859-1 does not have.
FIRST_BEYOND = 256


#: Encodings whose letters depend on what stands before them.
_SHIFTING = ("hz", "utf-7", "utf_7", "iso2022")


def encode_collection(collection: Collection, style: Style | None, encoding: str | None) -> bytes:
    """Games as the bytes of a file."""
    source = collection.source
    if encoding is not None:
        codec = codec_of(encoding)
        if codec is None:
            raise LookupError(f"no text encoding is called {encoding!r}")
        games = tuple(_declaring(game, encoding) for game in collection.games)
        collection = collection.model_copy(update={"games": games})
        try:
            text = text_of(collection, style)
            data = encode(text, codec)
            if any(map(_is_silent, games)) and not data.isascii() and decode(data).text != text:
                games = tuple(_declaring(game, encoding, also_old=True) for game in games)
                collection = collection.model_copy(update={"games": games})
                data = encode(text_of(collection, style), codec)
        except UnicodeEncodeError as error:
            raise UnencodableError(_lacking("the file", codec, error)) from None
        return data
    if style is None and source is not None and source.data is not None and is_whole(collection):
        return source.data
    if source is None and (collection.encoding or "").startswith(("utf-16", "utf-32", "utf-8-sig")):
        return encode(text_of(collection, style), collection.encoding or "utf-8")
    found = [b"" if source is None else source.mark]
    for number, one in enumerate(written(collection, style)):
        found.append(_encoded(one, number, collection))
    return b"".join(found)


def _is_silent(game: GameTree) -> bool:
    """A game of a format without CA, and without one as a private property."""
    return game.format in {Format.FF1, Format.FF3} and "CA" not in game.root


def _encoded(part: Part, number: int, collection: Collection) -> bytes:
    """A game with what stands before it, as bytes."""
    codec = part.codec or _codec(part.game, collection)
    text = part.pieces.text
    if text.isascii() and not codec.startswith((*_SHIFTING, "utf-16", "utf-32")):
        return text.encode("ascii")
    if codec == "ascii":
        # Nothing said how letters beyond ASCII are written, because there were none.
        codec = "utf-8"
        if part.game is not None and part.game.format is not Format.GGF and part.redo is not None:
            old = _is_silent(part.game)
            if old and _is_latin(text):
                return text.encode("iso8859-1")
            part = part.redo(_declaring(part.game, "UTF-8", also_old=old))
            text = part.pieces.text
    found: list[bytes] = []
    try:
        if codec.startswith(_SHIFTING):
            return encode(text, codec)
        for piece in part.pieces.pieces:
            if isinstance(piece, Copy) and piece.source.codec(piece.start) == codec:
                found.append(piece.source.copied(piece.start, piece.end))
            else:
                found.append(encode(joined([piece]), codec))
    except UnicodeEncodeError as error:
        raise UnencodableError(_lacking(f"game {number}", codec, error)) from None
    return b"".join(found)


class UnencodableError(ValueError):
    """A text has a character that the encoding of its game or file lacks."""


def _lacking(what: str, codec: str, error: UnicodeEncodeError) -> str:
    """Which letter an encoding lacks, and the way out."""
    char = error.object[error.start]
    if "\ud800" <= char <= "\udfff":
        return f"{what} has half of a character, {char!r}, which no encoding can hold"
    way = "write the file with encoding='utf-8'"
    return f"{what} is written in {label(codec)}, which lacks {char!r}; {way}"


def _codec(game: GameTree | None, collection: Collection) -> str:
    """The encoding of a game that was not read from bytes; ``ascii`` if nothing says it."""
    said = None
    if game is not None and "CA" in game.root:
        said = codec_of(game.root.raw["CA"][0])
    is_new = game is not None and not game.origins.homes
    return said or collection.encoding or ("ascii" if is_new else "utf-8")


def _is_latin(text: str) -> bool:
    """Letters that ISO-8859-1 has, and of which one sees that they are of it.

    Source: FF[4], compatibility: FF[3] is ISO-8859-1.
    """
    if any(ord(char) >= FIRST_BEYOND for char in text):
        return False
    return decode(text.encode("iso8859-1")).text == text


def _declaring(game: GameTree, encoding: str, *, also_old: bool = False) -> GameTree:
    """A game whose CA names an encoding, if it is of FF[4] or has a CA.

    Args:
        game: Any one.
        encoding: How it is written.
        also_old: A game of FF[1] or FF[3] gets a CA, too: it is a private property there.
    """
    said = game.root.raw.get("CA")
    if game.format is Format.GGF or (_is_silent(game) and not also_old):
        return game
    if said is not None and codec_of(said[0]) == codec_of(encoding):
        return game
    draft = game.edit()
    draft.set(draft.root, "CA", encoding.upper())
    return draft.done()
