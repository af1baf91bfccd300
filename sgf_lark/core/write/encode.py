"""Encoding of games as bytes, and the CA that declares the encoding."""

from __future__ import annotations

from typing import NamedTuple

from sgf_lark.core.model.collection import Collection, GameTree
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.text.charset_names import codec_of, label
from sgf_lark.core.text.detection import KEPT, KEPT_FROM
from sgf_lark.core.text.encoding import decode, encode
from sgf_lark.core.text.source import Copy, joined

from .parts import GamePart, is_unchanged, render_parts, text_of
from .read_back import UnwritableError
from .styles import Style

#: The first character that ISO-8859-1 does not have.
FIRST_BEYOND = 256


#: Encodings whose characters depend on the bytes before them.
_SHIFTING = ("hz", "utf-7", "utf_7", "iso2022")


def encode_collection(collection: Collection, style: Style | None, encoding: str | None) -> bytes:
    """Return games as the bytes of a file, which are read back as the same text."""
    if encoding is not None:
        return _encode_as(collection, style, encoding)
    source = collection.source
    if (
        style is None
        and source is not None
        and source.data is not None
        and is_unchanged(collection)
    ):
        return source.data
    if source is None and (collection.encoding or "").startswith(("utf-16", "utf-32", "utf-8-sig")):
        text = text_of(collection, style)
        data = encode(text, collection.encoding or "utf-8")
        return data if _is_read_as(data, text) else _encode_as(collection, style, "utf-8")
    parts = [
        _encode_part(part, number, collection)
        for number, part in enumerate(render_parts(collection, style))
    ]
    data = b"".join([b"" if source is None else source.mark, *(part.data for part in parts)])
    used = {part.codec for part in parts if part.codec != "ascii"}
    is_mixed = source is None and len(used) > 1
    if is_mixed or not _is_read_as(data, "".join(part.text for part in parts)):
        return _encode_as(collection, style, "utf-8")
    return data


def _encode_as(collection: Collection, style: Style | None, encoding: str) -> bytes:
    """Return games as bytes in one encoding, which CA declares; before FF[4] where it is needed."""
    codec = codec_of(encoding)
    if codec is None:
        raise LookupError(f"no text encoding is called {encoding!r}")
    # GGF cannot declare an encoding: whoever reads the file has to name it.
    named = codec if any(game.format is Format.GGF for game in collection.games) else None
    for also_old in (False, True):
        games = tuple(
            declare_encoding(game, encoding, also_old=also_old) for game in collection.games
        )
        text = text_of(collection.model_copy(update={"games": games}), style)
        try:
            data = encode(text, codec)
        except UnicodeEncodeError as error:
            raise _lacking("the file", codec, error) from None
        if _is_read_as(data, text, named):
            return data
    kept = KEPT.search(text)
    if kept is not None:
        octets = " ".join(f"{ord(char) - KEPT_FROM:02X}" for char in kept[0][:8])
        message = f"the bytes {octets} are no character, and would be read otherwise in"
        raise UnencodableError(f"{message} {label(codec)}: correct the text that has them")
    raise UnencodableError(f"the file would be read otherwise in {label(codec)}", in_utf8=True)


def _is_read_as(data: bytes, text: str, encoding: str | None = None) -> bool:
    return decode(data, encoding).text == text


def _lacks_encoding(game: GameTree) -> bool:
    return game.format in {Format.FF1, Format.FF3} and "CA" not in game.root


class _Encoded(NamedTuple):
    """A part as it is written; its codec is ``ascii`` if it needs no other one."""

    text: str
    data: bytes
    codec: str


def _encode_part(part: GamePart, number: int, collection: Collection) -> _Encoded:
    codec = part.codec or _codec(part.game, collection)
    text = part.pieces.text
    if text.isascii() and not codec.startswith((*_SHIFTING, "utf-16", "utf-32")):
        return _Encoded(text, text.encode("ascii"), "ascii")
    if codec == "ascii":
        # No encoding was declared for characters beyond ASCII, because there were none.
        codec = "utf-8"
        if part.game is not None and part.game.format is not Format.GGF and part.redo is not None:
            old = _lacks_encoding(part.game)
            if old and _is_latin(text):
                return _Encoded(text, text.encode("iso8859-1"), "iso8859-1")
            part = part.redo(declare_encoding(part.game, "UTF-8", also_old=old))
            text = part.pieces.text
    chunks: list[bytes] = []
    try:
        if codec.startswith(_SHIFTING):
            return _Encoded(text, encode(text, codec), codec)
        for piece in part.pieces.pieces:
            if isinstance(piece, Copy) and piece.source.codec(piece.start) == codec:
                chunks.append(piece.source.copied(piece.start, piece.end))
            else:
                chunks.append(encode(joined([piece]), codec))
    except UnicodeEncodeError as error:
        raise _lacking(f"game {number}", codec, error) from None
    return _Encoded(text, b"".join(chunks), codec)


class UnencodableError(UnwritableError):
    """A text cannot be written in an encoding: a character is lacking, or it would be misread."""


def _lacking(what: str, codec: str, error: UnicodeEncodeError) -> UnencodableError:
    char = error.object[error.start]
    if "\ud800" <= char <= "\udfff":
        return UnencodableError(f"{what} has half of a character, {char!r}, which no encoding has")
    return UnencodableError(
        f"{what} is written in {label(codec)}, which lacks {char!r}", in_utf8=True
    )


def _codec(game: GameTree | None, collection: Collection) -> str:
    declared = None
    if game is not None and "CA" in game.root:
        declared = codec_of(game.root.raw["CA"][0])
    is_new = game is not None and not game.provenance.games
    return declared or collection.encoding or ("ascii" if is_new else "utf-8")


def _is_latin(text: str) -> bool:
    """Return whether a text is in ISO-8859-1, and its bytes are recognized as such."""
    if any(ord(char) >= FIRST_BEYOND for char in text):
        return False
    return decode(text.encode("iso8859-1")).text == text


def declare_encoding(game: GameTree, encoding: str, *, also_old: bool = False) -> GameTree:
    """Return a game whose CA names an encoding; ``also_old``: before FF[4], too."""
    declared = game.root.raw.get("CA")
    if game.format is Format.GGF or (_lacks_encoding(game) and not also_old):
        return game
    if declared is not None and codec_of(declared[0]) == codec_of(encoding):
        return game
    draft = game.edit()
    others = () if declared is None else declared[1:]  # values of a property without its name
    draft.set_raw(draft.root, "CA", encoding.upper(), *others)
    return draft.done(strict=False)
