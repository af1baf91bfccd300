"""Encoding of games as bytes, and the CA that declares the encoding."""

from __future__ import annotations

from sgf_lark.model.collection import Collection, GameTree
from sgf_lark.schema.formats import Format
from sgf_lark.text.charset_names import codec_of, label
from sgf_lark.text.encoding import decode, encode
from sgf_lark.text.source import Copy, joined

from .parts import Part, is_unchanged, render_parts, text_of
from .styles import Style

#: The first character that ISO-8859-1 does not have.
FIRST_BEYOND = 256


#: Encodings whose characters depend on the bytes before them.
_SHIFTING = ("hz", "utf-7", "utf_7", "iso2022")


def encode_collection(collection: Collection, style: Style | None, encoding: str | None) -> bytes:
    """Return games as the bytes of a file."""
    source = collection.source
    if encoding is not None:
        codec = codec_of(encoding)
        if codec is None:
            raise LookupError(f"no text encoding is called {encoding!r}")
        games = tuple(_declare_encoding(game, encoding) for game in collection.games)
        collection = collection.model_copy(update={"games": games})
        try:
            text = text_of(collection, style)
            data = encode(text, codec)
            if (
                any(map(_lacks_encoding, games))
                and not data.isascii()
                and decode(data).text != text
            ):
                games = tuple(_declare_encoding(game, encoding, also_old=True) for game in games)
                collection = collection.model_copy(update={"games": games})
                data = encode(text_of(collection, style), codec)
        except UnicodeEncodeError as error:
            raise UnencodableError(_describe_missing("the file", codec, error)) from None
        return data
    if (
        style is None
        and source is not None
        and source.data is not None
        and is_unchanged(collection)
    ):
        return source.data
    if source is None and (collection.encoding or "").startswith(("utf-16", "utf-32", "utf-8-sig")):
        return encode(text_of(collection, style), collection.encoding or "utf-8")
    chunks = [b"" if source is None else source.mark]
    for number, part in enumerate(render_parts(collection, style)):
        chunks.append(_encode_part(part, number, collection))
    return b"".join(chunks)


def _lacks_encoding(game: GameTree) -> bool:
    """Return whether a game is of a format without CA, and has none as a private property."""
    return game.format in {Format.FF1, Format.FF3} and "CA" not in game.root


def _encode_part(part: Part, number: int, collection: Collection) -> bytes:
    """Return a game with the text before it, as bytes."""
    codec = part.codec or _codec(part.game, collection)
    text = part.pieces.text
    if text.isascii() and not codec.startswith((*_SHIFTING, "utf-16", "utf-32")):
        return text.encode("ascii")
    if codec == "ascii":
        # No encoding was declared for characters beyond ASCII, because there were none.
        codec = "utf-8"
        if part.game is not None and part.game.format is not Format.GGF and part.redo is not None:
            old = _lacks_encoding(part.game)
            if old and _is_latin(text):
                return text.encode("iso8859-1")
            part = part.redo(_declare_encoding(part.game, "UTF-8", also_old=old))
            text = part.pieces.text
    chunks: list[bytes] = []
    try:
        if codec.startswith(_SHIFTING):
            return encode(text, codec)
        for piece in part.pieces.pieces:
            if isinstance(piece, Copy) and piece.source.codec(piece.start) == codec:
                chunks.append(piece.source.copied(piece.start, piece.end))
            else:
                chunks.append(encode(joined([piece]), codec))
    except UnicodeEncodeError as error:
        raise UnencodableError(_describe_missing(f"game {number}", codec, error)) from None
    return b"".join(chunks)


class UnencodableError(ValueError):
    """A text has a character that the encoding of its game or file lacks."""


def _describe_missing(what: str, codec: str, error: UnicodeEncodeError) -> str:
    """Return a message with the character that an encoding lacks, and what to do."""
    char = error.object[error.start]
    if "\ud800" <= char <= "\udfff":
        return f"{what} has half of a character, {char!r}, which no encoding can hold"
    help_ = "write the file with encoding='utf-8'"
    return f"{what} is written in {label(codec)}, which lacks {char!r}; {help_}"


def _codec(game: GameTree | None, collection: Collection) -> str:
    """Return the encoding of a game that was not read from bytes; ``ascii`` if none is known."""
    declared = None
    if game is not None and "CA" in game.root:
        declared = codec_of(game.root.raw["CA"][0])
    is_new = game is not None and not game.provenance.games
    return declared or collection.encoding or ("ascii" if is_new else "utf-8")


def _is_latin(text: str) -> bool:
    """Return whether a text is in ISO-8859-1, and its bytes are recognized as such.

    Source: FF[4], compatibility: FF[3] is ISO-8859-1.
    """
    if any(ord(char) >= FIRST_BEYOND for char in text):
        return False
    return decode(text.encode("iso8859-1")).text == text


def _declare_encoding(game: GameTree, encoding: str, *, also_old: bool = False) -> GameTree:
    """Return a game whose CA names an encoding, if it is of FF[4] or has a CA.

    Args:
        game: The game.
        encoding: The name of the encoding.
        also_old: Add CA to a game of FF[1] or FF[3], too: it is a private property there.
    """
    declared = game.root.raw.get("CA")
    if game.format is Format.GGF or (_lacks_encoding(game) and not also_old):
        return game
    if declared is not None and codec_of(declared[0]) == codec_of(encoding):
        return game
    draft = game.edit()
    draft.set(draft.root, "CA", encoding.upper())
    return draft.done()
