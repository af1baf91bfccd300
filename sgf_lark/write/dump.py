"""From games back to a text: as it was, or in a new layout.

``preserve`` copies what was not changed, byte for byte: everything, if nothing was changed.
A changed value is put into the place of the old one; new nodes and brackets are put between
what stays.  The other two layouts are those of :mod:`sgf_lark.write.styles`.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import IO, NamedTuple, TypeAlias

from sgf_lark.grammar.tokens import Scrap, Stretch, scraps
from sgf_lark.model.collection import Collection, GameTree
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import Content, Property
from sgf_lark.model.provenance import Home, Origins
from sgf_lark.positions import Span
from sgf_lark.read.parse import stretches
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import Category
from sgf_lark.schema.values import OthelloType
from sgf_lark.text.charset_names import codec_of, label
from sgf_lark.text.encoding import decode, encode
from sgf_lark.text.files import write_file
from sgf_lark.text.source import Copy, Pieces, joined

from .styles import COMPACT, DEEPEST, Style, Token, closed, filled, in_order, node_tokens, values

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
    return _text(_collection(collection), style_)


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
    data = _bytes(_collection(collection), style_, encoding)
    if isinstance(target, str | os.PathLike):
        write_file(target, data)
    else:
        target.write(data)  # type: ignore[arg-type]  # a binary file


def _collection(games: Collection | GameTree) -> Collection:
    return games if isinstance(games, Collection) else Collection(games=(games,))


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

#: The first character that ISO-8859-1 does not have.
FIRST_BEYOND = 256

#: Encodings whose letters depend on what stands before them.
_SHIFTING = ("hz", "utf-7", "utf_7", "iso2022")


def _bytes(collection: Collection, style: Style | None, encoding: str | None) -> bytes:
    """Games as the bytes of a file."""
    source = collection._source  # noqa: SLF001  # models keep it for this module
    if encoding is not None:
        codec = codec_of(encoding)
        if codec is None:
            raise LookupError(f"no text encoding is called {encoding!r}")
        games = tuple(_declaring(game, encoding) for game in collection.games)
        collection = collection.model_copy(update={"games": games})
        try:
            text = _text(collection, style)
            data = encode(text, codec)
            if any(map(_is_silent, games)) and not data.isascii() and decode(data).text != text:
                games = tuple(_declaring(game, encoding, also_old=True) for game in games)
                collection = collection.model_copy(update={"games": games})
                data = encode(_text(collection, style), codec)
        except UnicodeEncodeError as error:
            raise UnencodableError(_lacking("the file", codec, error)) from None
        return data
    if style is None and source is not None and source.data is not None and _is_whole(collection):
        return source.data
    if source is None and (collection.encoding or "").startswith(("utf-16", "utf-32", "utf-8-sig")):
        return encode(_text(collection, style), collection.encoding or "utf-8")
    found = [b"" if source is None else source.mark]
    for number, one in enumerate(_written(collection, style)):
        found.append(_encoded(one, number, collection))
    return b"".join(found)


def _text(collection: Collection, style: Style | None) -> str:
    return "".join(one.pieces.text for one in _written(collection, style))


def _is_silent(game: GameTree) -> bool:
    """A game of a format without CA, and without one as a private property."""
    return game.format in {Format.FF1, Format.FF3} and "CA" not in game.root


def _encoded(part: _Part, number: int, collection: Collection) -> bytes:
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


# ---- a collection ----


class _Part(NamedTuple):
    """A game as it is written, with what stands before it; at last, what stands behind all.

    Attributes:
        pieces: The text.
        game: Which game; None for the text behind all games.
        codec: What its home is encoded in; None if it has none.
    """

    pieces: Pieces
    game: GameTree | None
    codec: str | None
    redo: Redo | None = None


class Redo(NamedTuple):
    """Writes a part again, with another game."""

    style: Style | None
    lead: Pieces
    codec: str | None

    def __call__(self, game: GameTree) -> _Part:
        pieces = Pieces()
        pieces.pieces += self.lead.pieces
        _write_game(pieces, game, self.style)
        return _Part(pieces, game, self.codec)


def _is_whole(collection: Collection) -> bool:
    """All games of a text, in order, none of them changed."""
    source = collection._source  # noqa: SLF001  # models keep it for this module
    if source is None or len(collection) != len(collection._loaded):  # noqa: SLF001
        return False
    return all(
        game._origins is None  # noqa: SLF001
        and game._home is not None  # noqa: SLF001
        and game._home.source is source  # noqa: SLF001
        and game._home.number == number  # noqa: SLF001
        for number, game in enumerate(collection.games)
    )


def _written(collection: Collection, style: Style | None) -> Iterator[_Part]:
    """The games one by one, and what stands outside them."""
    source = collection._source  # noqa: SLF001  # models keep it for this module
    if style is None and source is not None and _is_whole(collection):
        whole = Pieces()
        whole.copy(source, 0, len(source.text))
        yield _Part(whole, collection.games[0] if collection.games else None, source.codec(0))
        return
    bounds = _Bounds(collection, style)
    counts = {} if source is not None else match_counts(collection.games)
    first = True
    for number, game in enumerate(collection.games):
        home = game._home  # noqa: SLF001  # models keep it for this module
        lead = Pieces()
        bounds.lead(lead, home, style, first=first)
        if number in counts:
            lead.write(f"{counts[number]} ")
        codec = None if home is None else home.source.codec(bounds.of(home).start)
        pieces = Pieces()
        pieces.pieces += lead.pieces
        alone = style is None and not _is_in_place(collection, number)
        _write_game(pieces, game, style, alone=alone)
        yield _Part(pieces, game, codec, Redo(style, lead, codec))
        first = False
    tail = Pieces()
    bounds.tail(tail, style)
    yield _Part(tail, None, None if source is None else source.codec(len(source.text)))


def _is_in_place(collection: Collection, number: int) -> bool:
    """What follows a game is what followed it in its text."""
    source = collection._source  # noqa: SLF001  # models keep it for this module
    homes = [one._home for one in collection.games[number : number + 2]]  # noqa: SLF001
    if source is None or any(home is None or home.source is not source for home in homes):
        return False
    numbers = [home.number for home in homes if home is not None]
    last = len(collection._loaded) - 1  # noqa: SLF001
    return numbers == [last] or numbers[1:] == [numbers[0] + 1]


def match_counts(games: Sequence[GameTree]) -> dict[int, int]:
    """By the number of a game with which a match of GGF begins, how many games it has.

    Two synchro games belong together if their players have swapped colors.  Where there is
    no such match, no game has a number before it.

    Source: GGF, the archives of its server; TY of Othello.
    """
    counts: dict[int, int] = {}
    number = 0
    while number < len(games):
        pair = games[number : number + 2]
        counts[number] = 2 if len(pair) == 2 and _are_a_match(*pair) else 1  # noqa: PLR2004  # a pair
        number += counts[number]
    return counts if 2 in counts.values() else {}  # noqa: PLR2004  # a pair


def _are_a_match(one: GameTree, other: GameTree) -> bool:
    """Two synchro games of GGF, one behind the other, of players who swapped colors."""
    players = (one.root.get("PB"), one.root.get("PW"))
    swapped = players == (other.root.get("PW"), other.root.get("PB"))
    kinds = (one.root.get("TY"), other.root.get("TY"))
    synchro = all(isinstance(kind, OthelloType) and kind.synchro for kind in kinds)
    return one.format is other.format is Format.GGF and swapped and synchro


class _Bounds:
    """Where the games of a collection's own text stand, and what stands between them."""

    def __init__(self, collection: Collection, style: Style | None) -> None:
        self.style = style
        self.source = collection._source  # noqa: SLF001  # models keep it for this module
        self.homes = collection._loaded  # noqa: SLF001
        self.known: dict[int, Span] = {}
        self.used: set[int] = set()

    @cached_property
    def _stretches(self) -> list[Stretch]:
        """The games of the text, if each stretch of it is one: for a new layout nobody has to
        look where exactly they end.
        """
        if self.style is None or self.source is None or not self.homes:
            return []
        ggf = self.homes[0].nodes.rules.format is Format.GGF
        found = [one for one in stretches(self.source.text, ggf=ggf) if one.is_game]
        return found if len(found) == len(self.homes) else []

    def of(self, home: Home) -> Span:
        """A game's stretch of its text, from its first bracket to its last."""
        if home.source is self.source and self._stretches:
            start, end, _ = self._stretches[home.number]
            return Span(start, end)
        if id(home) not in self.known:
            self.known[id(home)] = bounds(home)
        return self.known[id(home)]

    def lead(self, out: Pieces, home: Home | None, style: Style | None, *, first: bool) -> None:
        """Write what stands before a game."""
        source = self.source
        own = home is not None and home.source is source and home.number not in self.used
        if not own or home is None or source is None or home.number >= len(self.homes):
            out.write("" if first or (style is not None and style.breaks) else "\n")
            return
        self.used.add(home.number)
        before = home.number - 1
        start = 0 if before < 0 else self.of(self.homes[before]).end
        end = max(start, self.of(home).start)
        if style is None:
            text = source.text[start:end]
            if not first and before < 0 and not text:
                out.write("\n")
            out.copy(source, start, end)
        elif style.breaks:
            _write_outside(out, source.text[start:end])

    def tail(self, out: Pieces, style: Style | None) -> None:
        """Write what stands behind the last game."""
        if self.source is None:
            return
        start = self.of(self.homes[-1]).end if self.homes else 0
        if style is None:
            out.copy(self.source, start, len(self.source.text))
        elif style.breaks:
            _write_outside(out, self.source.text[start:])


def _write_outside(out: Pieces, text: str) -> None:
    """Text outside the games, on lines of its own; a number before games of GGF beside them."""
    text = text.lstrip(") \t\r\n\x0b\x0c").rstrip()
    if text:
        out.write(text + (" " if text.isdecimal() else "\n"))


_BEFORE = re.compile(r"\(\s*\Z")
_AFTER = re.compile(r"(?:\s*\))*")
_AFTER_GGF = re.compile(r"(?:\s*;\))?")


def bounds(home: Home) -> Span:
    """A game's stretch of its text: from the bracket that opens it to the one that closes it."""
    text, nodes = home.source.text, home.nodes
    start, end = _span(home, 0).start, _span(home, len(nodes) - 1).end
    ggf = nodes.rules.format is Format.GGF
    behind = (_AFTER_GGF if ggf else _AFTER).match(text, end)
    opening = start
    while opening > 0 and text[opening - 1].isspace():
        opening -= 1
    if opening > 0 and text[opening - 1] == "(":
        start = opening - 1
    end = end if behind is None else behind.end()
    return Span(start, end if ggf else _closed(text, start, end))


def _closed(text: str, start: int, end: int) -> int:
    """Where a game ends of which some brackets are still open at a place: other text may stand
    before those that close them.
    """
    if _LATER_CLOSE.match(text, end) is None:
        return end
    signs = [one.kind for one in scraps(text, start, end)]
    missing = signs.count("OPEN") - signs.count("CLOSE")
    for one in scraps(text, end, len(text)):
        if missing <= 0 or one.kind in {"OPEN", "SEMICOLON"}:
            break
        if one.kind == "CLOSE":
            missing -= 1
            end = one.end
    return end


_LATER_CLOSE = re.compile(r"[^()]*\)")


def _span(home: Home, node: int) -> Span:
    """Where a node stands in its text."""
    return home.nodes.places.node(node, len(home.nodes.contents[node]))


# ---- a game ----


def _write_game(out: Pieces, game: GameTree, style: Style | None, *, alone: bool = False) -> None:
    """Write a game; ``alone``: with all brackets, so that what follows does not get into it."""
    origins = game.origins
    if style is not None or not origins.homes:
        _Layouter(out, game, style or Style()).write()
    elif _is_shaped_as_before(game.nodes, origins) and not (alone and _is_open(origins.homes[0])):
        _Splicer(out, game.nodes, origins).splice()
    else:
        rebuild(out, game.nodes, origins)


def _is_shaped_as_before(nodes: Nodes, origins: Origins) -> bool:
    """Nothing but properties may have been changed."""
    old = origins.homes[0].nodes
    return (
        len(nodes) == len(old)
        and not any(origins.which)
        and list(origins.numbers) == list(range(len(old)))
        and nodes.parents == old.parents
    )


def _is_open(home: Home) -> bool:
    """A game lacks brackets at its end."""
    text, last = home.source.text, len(home.nodes) - 1
    start, end = bounds(home)
    if home.nodes.rules.format is Format.GGF:
        return not text.startswith(";)", end - 2)
    if text.count("(", start, end) == text.count(")", start, end):
        return False
    content = home.nodes.contents[last]
    if content and _is_cut_off(home, last, len(content) - 1):
        return True
    signs = [one.kind for one in scraps(text, start, end)]
    return signs.count("OPEN") > signs.count("CLOSE")


def rebuild(out: Pieces, nodes: Nodes, origins: Origins) -> None:
    """Write nodes with every bracket where it has to be; what stands between them stays."""
    _Splicer(out, nodes, origins).rebuild()


class _Splicer:
    """Writes a changed game: copies what stayed, and puts the rest between."""

    def __init__(self, out: Pieces, nodes: Nodes, origins: Origins) -> None:
        self.out = out
        self.nodes = nodes
        self.origins = origins
        self.ggf = nodes.rules.format is Format.GGF
        text = origins.homes[0].source.text
        stretch = bounds(origins.homes[0])
        crlf = text.find("\r\n", *stretch) >= 0
        many = text.find("\n", *stretch) >= 0
        self.line_break = "\r\n" if crlf else "\n" if many else ""

    def splice(self) -> None:
        """Only properties were changed: the text is the old one but for these."""
        home = self.origins.homes[0]
        start, end = bounds(home)
        done = start
        for node, content in enumerate(self.nodes.contents):
            old = home.nodes.contents[node]
            if content is old or content == old:
                continue
            span = _span(home, node)
            self.out.copy(home.source, done, span.start)
            self._node(node)
            done = span.end
        self.out.copy(home.source, done, end)

    def rebuild(self) -> None:
        """Nodes were added, removed or moved: brackets are set where they are needed."""
        parents = self.nodes.parents
        siblings = [0] * len(parents)
        for above in parents[1:]:
            siblings[above] += 1
        open_ = [0]
        self._begin()
        for node, above in enumerate(parents):
            if node:
                closing = 0
                while open_[-1] > above:
                    open_.pop()
                    closing += 1
                if self._between(node, closing, must_open=siblings[above] > 1):
                    open_.append(node)
            self._node(node, whole=True)
        self._end(len(open_))

    def _begin(self) -> None:
        """Write the bracket that opens the game."""
        home, number = self._origin(0)
        opening = Span(0, 0)
        if home is not None and number == 0:
            opening = Span(bounds(home).start, _span(home, 0).start)
        if home is not None and home.source.text.startswith("(", *opening):
            self.out.copy(home.source, *opening)
        else:
            self.out.write("(")

    def _end(self, closing: int) -> None:
        """Write the brackets that close so many trees."""
        home, number = self._origin(len(self.nodes) - 1)
        if self.ggf:
            self._strays(home, number)
            self.out.write(";)")
            return
        if home is not None and number == len(home.nodes) - 1:
            start, end = _span(home, number).end, bounds(home).end
            if _brackets(home, start, end) == ")" * closing:
                self.out.copy(home.source, start, end)
                return
            if "\n" in home.source.text[start:end]:
                self.out.write(self.line_break)
        self._strays(home, number)
        self.out.write(")" * closing)

    def _origin(self, node: int) -> tuple[Home | None, int]:
        which = self.origins.which[node]
        home = self.origins.homes[which] if which >= 0 else None
        return home, self.origins.numbers[node]

    def _between(self, node: int, closing: int, *, must_open: bool) -> bool:
        """Write what stands between a node and the one before it; whether it opens a tree."""
        home, number = self._origin(node)
        before, number_before = self._origin(node - 1)
        lead = self.line_break
        if home is not None and number > 0:
            start, end = _span(home, number - 1).end, _span(home, number).start
            gap = home.source.text[start:end]
            is_plain = _GAP.fullmatch(gap) is not None
            brackets = _brackets(home, start, end) if not is_plain else "".join(gap.split())
            wanted = ")" * closing
            if (
                before is home
                and number_before == number - 1
                and (brackets == wanted + "(" or (brackets == wanted and not must_open))
            ):
                self.out.copy(home.source, start, end)
                return brackets.endswith("(")
            if is_plain:
                lead = gap[: len(gap) - len(gap.lstrip())] or gap[gap.rfind(")") + 1 :]
                lead = lead.partition("(")[0]
        self._strays(before, number_before)
        self.out.write(")" * closing + ("" if self.ggf else lead) + "(" * must_open)
        return must_open

    def _strays(self, home: Home | None, number: int) -> None:
        """Write what follows a node in its text up to the next one and is no part of the tree."""
        if home is None:
            return
        is_last = number + 1 == len(home.nodes)
        start = _span(home, number).end
        end = bounds(home).end if is_last else _span(home, number + 1).start
        if _GAP.fullmatch(home.source.text[start:end]):
            return
        done = start
        for one in _scraps(home, start, end):
            if one.kind.endswith(_STRUCTURE):
                done = -1
                continue
            if done < 0:
                self.out.write(" -" if one.kind.endswith("VALUE") else " ")
                done = one.start
            self.out.copy(home.source, done, one.end)
            done = one.end

    def _node(self, node: int, *, whole: bool = False) -> None:
        """Write a node; ``whole``: as the standard has it, even if the old one was not."""
        content = self.nodes.contents[node]
        home, number = self._origin(node)
        if home is None:
            self.out.write(_shown(content, bare=self.ggf and node > 0))
            return
        old = home.nodes.contents[number]
        span = _span(home, number)
        text, source = home.source.text, home.source
        begins = text[span.start : span.start + 1] == ";"
        if whole and not begins and not (self.ggf and node):
            self.out.write(";")
        if content is old or content == old:
            self.out.copy(source, *span)
            if whole and old:
                self._close(home, number, len(old) - 1)
            return
        self.out.copy(source, span.start, span.start + begins)
        self._properties(content, home, number, span.start + begins)

    def _properties(self, content: Content, home: Home, node: int, done: int) -> None:
        """Write the changed properties of a node: each in the place of the old one.

        What stands between them and is no white space belongs to none of them, and stays; a
        value without a name gets a hyphen, lest the property before takes it.
        """
        old, layout, text = home.nodes.contents[node], home.nodes.places, home.source.text
        spans = [layout.property(node, place) for place in range(len(old))]
        ends = [done, *(one.end for one in spans)]
        leads = [Span(end, span.start) for end, span in zip(ends, spans, strict=False)]
        strays = [lead for lead in reversed(leads) if text[slice(*lead)].strip()]
        usual = text[slice(*leads[-1])] if len(leads) > 1 else ""
        following = 0
        for one in content:
            place = next(
                (at for at in range(following, len(old)) if old[at].ident == one.ident), None
            )
            self._stray(home, strays, ends[following if place is None else place])
            if place is None:
                self.out.write((usual if usual.isspace() else "") + _property(one.name, one.raw))
                continue
            following = place + 1
            if text[slice(*leads[place])].isspace():
                self.out.copy(home.source, *leads[place])
            if old[place].raw == one.raw:
                self.out.copy(home.source, *spans[place])
                self._close(home, node, place)
            else:
                self._values(home, (node, place), one.raw)
        self._stray(home, strays, ends[-1])
        if content and not old and _NAMELESS.match(text, done):
            self.out.write(" -")

    def _close(self, home: Home, node: int, place: int) -> None:
        """Close a value that was copied, if the end of the text had cut it off."""
        raw = home.nodes.contents[node][place].raw[-1]
        if _is_cut_off(home, node, place):
            self.out.write(closed(raw)[len(raw) :] + "]")

    def _stray(self, home: Home, strays: list[Span], end: int) -> None:
        """Write what belongs to no property, the last first, up to a place of the text, so that
        it does not become part of one.
        """
        while strays and strays[-1].start <= end:
            span = strays.pop()
            self.out.copy(home.source, *span)
            if home.source.text[span.end - 1].isalnum():
                self.out.write(" ")

    def _values(self, home: Home, at: tuple[int, int], raws: tuple[str, ...]) -> None:
        """Write the changed values of a property in the place of the old ones."""
        layout, source = home.nodes.places, home.source
        old = home.nodes.contents[at[0]][at[1]].raw
        start, end = layout.property(*at)
        if len(raws) == len(old):
            for index, raw in enumerate(raws):
                value = layout.value(*at, index)
                if raw != old[index]:
                    self.out.copy(source, start, value.start)
                    self.out.write(raw)
                    start = value.end
            self.out.copy(source, start, end)
            if start < end:
                self._close(home, *at)
            elif _is_cut_off(home, *at):
                self.out.write("]")
            return
        most = min(len(old), len(raws))
        same = next((n for n in range(most) if old[n] != raws[n]), most)
        most -= same
        behind = next((n for n in range(most) if old[~n] != raws[~n]), most)
        first = layout.value(*at, same - 1).end + 1 if same else layout.value(*at, 0).start - 1
        self.out.copy(source, start, first)
        self.out.write(_property("", raws[same : len(raws) - behind]))
        if behind:
            kept = same and same + behind == len(old)
            following = first if kept else layout.value(*at, len(old) - behind).start - 1
            self.out.copy(source, following, end)
            self._close(home, *at)


def _is_cut_off(home: Home, node: int, place: int) -> bool:
    """The last value of a property has no bracket at its end."""
    layout, count = home.nodes.places, len(home.nodes.contents[node][place].raw)
    return layout.value(node, place, count - 1).end == layout.property(node, place).end


def _scraps(home: Home, start: int, end: int) -> Iterator[Scrap]:
    ggf = home.nodes.rules.format is Format.GGF
    return scraps(home.source.text, start, end, ggf=ggf)


def _brackets(home: Home, start: int, end: int) -> str:
    """The brackets of trees in a part of a text."""
    signs = {"OPEN": "(", "CLOSE": ")"}
    return "".join([signs.get(one.kind, "") for one in _scraps(home, start, end)])


#: How the names of brackets of trees, and of the ``;`` of nodes, end.
_STRUCTURE = ("OPEN", "CLOSE", "SEMICOLON")

#: A value without a name, which the property before would take.
_NAMELESS = re.compile(r"\s*\[")

_GAP = re.compile(r"\s*(?:\)\s*)*(?:\(\s*)?")


def _property(name: str, raws: Iterable[str]) -> str:
    return name + "".join([f"[{raw}]" for raw in raws])


def _shown(content: Content, *, bare: bool) -> str:
    return ("" if bare else ";") + "".join([_property(one.name, one.raw) for one in content])


# ---- a game in a new layout ----


class _Layouter:
    """Writes a game in a new layout."""

    def __init__(self, out: Pieces, game: GameTree, style: Style) -> None:
        self.out = out
        self.nodes = game.nodes
        self.style = style
        self.ggf = game.format is Format.GGF
        #: Names stay as they are spelled: without FF they are what the format is seen from.
        self.spelled = not self.ggf and "FF" not in game.root
        #: For names of properties in a node, their order.
        self.orders: dict[tuple[str, ...], tuple[int, ...]] = {}
        #: The properties by the identity of the objects, which are held as long.
        self.properties: dict[int, tuple[Property, str]] = {}

    def write(self) -> None:
        parts = list(self._parts())
        if self.style.breaks:
            parts.append("\n")
        self.out.write("".join(parts))

    def _parts(self) -> Iterator[str]:
        """The text in pieces.  A tree is open for each node in ``open_``."""
        style, parents = self.style, self.nodes.parents
        siblings = [0] * len(parents)
        for above in parents[1:]:
            siblings[above] += 1
        open_ = [0]
        break_ = "\n" if style.breaks else ""
        on_line = style.nodes
        yield "(" + self._root(self.nodes.contents[0])
        for node in range(1, len(parents)):
            above = parents[node]
            if open_[-1] > above:
                yield from self._closing(open_, above)
            if siblings[above] > 1:
                open_.append(node)
                yield break_ + self._margin(len(open_)) + "("
                on_line = 1
            elif on_line >= style.nodes:
                yield break_ + self._margin(len(open_))
                on_line = 1
            else:
                on_line += 1
            yield self._node(self.nodes.contents[node])
        yield from self._closing(open_, -1)

    def _closing(self, open_: list[int], above: int) -> Iterator[str]:
        """Close all trees that do not hold a node."""
        style = self.style
        if self.ggf:
            open_.clear()
            yield ("\n" if style.breaks else "") + ";)"
            return
        if style.breaks and not style.indent:
            yield "\n"
        while open_ and open_[-1] > above:
            if style.breaks and style.indent:
                yield "\n" + self._margin(len(open_))
            open_.pop()
            yield ")"

    def _margin(self, depth: int) -> str:
        return " " * (self.style.indent * min(depth - 1, DEEPEST))

    def _root(self, content: Content) -> str:
        """The first node: what is not of the root has a line of its own."""
        style = self.style
        if not style.breaks:
            return self._node(content, first=True)
        kept: list[Content] = [()]
        for one in in_order(content) if style.sort else content:
            if len(kept) == 1 and one.rule is not None and one.rule.category is Category.ROOT:
                kept[0] += (one,)
            else:
                kept.append((one,))
        lines = [filled(self._tokens(one), style.width) for one in kept]
        return ";" + "\n".join(line for line in lines if line)

    def _node(self, content: Content, *, first: bool = False) -> str:
        """A node; its ``;`` is not parted from its first property."""
        semicolon = "" if self.ggf and not first else ";"
        if self.style.width is not None:
            tokens = self._tokens(content)
            head = next(tokens, Token(""))
            head = head._replace(text=semicolon + head.text)
            return filled([head, *tokens], self.style.width)
        if len(content) == 1:
            return semicolon + self._property(content[0])
        if self.style.sort:
            content = self._in_order(content)
        return semicolon + "".join([self._property(one) for one in content])

    def _tokens(self, content: Content) -> Iterator[Token]:
        return node_tokens(content, self.style, spelled=self.spelled)

    def _in_order(self, content: Content) -> Content:
        """As :func:`in_order`, once for nodes with the same names."""
        names = tuple([one.ident for one in content])
        order = self.orders.get(names)
        if order is None:
            sorted_ = in_order(content)
            places = {id(one): place for place, one in enumerate(content)}
            order = tuple([places[id(one)] for one in sorted_])
            if len(places) == len(content):
                self.orders[names] = order
            else:
                return sorted_
        return tuple([content[place] for place in order])

    def _property(self, one: Property) -> str:
        """A property; those that are written alike are laid out once."""
        found = self.properties.get(id(one))
        if found is None:
            name = one.name if self.spelled else one.ident
            text = name + "".join([f"[{raw}]" for raw in values(one, self.style)])
            found = self.properties[id(one)] = one, text
        return found[1]
