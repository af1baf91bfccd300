"""Parts of the output: each game with the text before it, and the text after the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sgf_lark.model.collection import Collection, GameTree
from sgf_lark.schema.formats import Format
from sgf_lark.schema.values import OthelloType
from sgf_lark.text.source import Pieces

from .bounds import Bounds, has_strays, is_changed
from .layout import Layouter
from .read_back import UnwritableError, find_misread
from .splice import Splicer, is_open, is_shaped_as_before
from .styles import Style


def text_of(collection: Collection, style: Style | None) -> str:
    """Return the text of a collection."""
    return "".join(part.pieces.text for part in render_parts(collection, style))


class Redo(NamedTuple):
    """Writer of a part with another game in its place.

    Attributes:
        style: The layout.
        lead: The text before the game.
        codec: The encoding of the game in its file.
        bounds: The spans of the games in their text.
        alone: Write all brackets of the game, so that the text after it stays outside.
    """

    style: Style | None
    lead: Pieces
    codec: str | None
    bounds: Bounds
    alone: bool

    def __call__(self, game: GameTree) -> GamePart:
        game.nodes.require_all()
        pieces = Pieces()
        pieces.pieces += self.lead.pieces
        if self.style is not None or not game.provenance.games:
            Layouter(pieces, game, self.style or Style()).write()
        else:
            _write_changed(pieces, game, self.bounds, alone=self.alone)
        return GamePart(pieces, game, self.codec, self)


class GamePart(NamedTuple):
    """A game with the text before it; or the text after the last game.

    Attributes:
        pieces: The text.
        game: The game; None for the text after the last one.
        codec: The encoding of the game in its file; None if it was not read from one.
        redo: Writes the part again; None if it has no game.
    """

    pieces: Pieces
    game: GameTree | None
    codec: str | None
    redo: Redo | None = None


def is_unchanged(collection: Collection) -> bool:
    """Return whether a collection has all games of its text, in order and unchanged."""
    games, origins = collection.games, collection.source_games
    if collection.source is None or len(games) != len(origins):
        return False
    return all(
        game.source_game is origin and not is_changed(game)
        for game, origin in zip(games, origins, strict=True)
    )


def render_parts(collection: Collection, style: Style | None) -> Iterator[GamePart]:
    """Yield the games one by one with the text before them, then the text after the last."""
    source = collection.source
    if style is None and source is not None and is_unchanged(collection):
        whole = Pieces()
        whole.copy(source, 0, len(source.text))
        yield GamePart(whole, collection.games[0] if collection.games else None, source.codec(0))
        return
    bounds = Bounds(collection, style, with_strays=style is None)
    counts = {} if source is not None else match_counts(collection.games)
    torn = bounds.find_torn(collection.games) if style is None else set[int]()
    first = True
    for number, game in enumerate(collection.games):
        origin = game.source_game
        lead = Pieces()
        bounds.lead(lead, game, style, first=first)
        if number in counts:
            lead.write(f"{counts[number]} ")
        codec = None if origin is None else origin.source.codec(bounds.of(origin).start)
        is_torn = bounds.own(game) in torn
        alone = style is None and (is_torn or not _is_in_place(collection, number))
        yield Redo(style, lead, codec, bounds, alone)(game)
        first = False
    tail = Pieces()
    at = bounds.tail(tail, style)
    yield GamePart(tail, None, None if source is None else source.codec(at))


def _is_in_place(collection: Collection, number: int) -> bool:
    """Return whether the same game or end follows a game as in its text, unchanged."""
    source = collection.source
    origins = [game.source_game for game in collection.games[number : number + 2]]
    if source is None or any(origin is None or origin.source is not source for origin in origins):
        return False
    if any(map(is_changed, collection.games[number + 1 : number + 2])):
        return False
    numbers = [origin.number for origin in origins if origin is not None]
    last = len(collection.source_games) - 1
    return numbers == [last] or numbers[1:] == [numbers[0] + 1]


def match_counts(games: Sequence[GameTree]) -> dict[int, int]:
    """Return the numbers of games of GGF matches, by the number of their first game.

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


def _are_a_match(game: GameTree, other: GameTree) -> bool:
    """Return whether two games of GGF are synchro games of players who swapped colors."""
    players = (game.root.get("PB"), game.root.get("PW"))
    swapped = players == (other.root.get("PW"), other.root.get("PB"))
    kinds = (game.root.get("TY"), other.root.get("TY"))
    synchro = all(isinstance(kind, OthelloType) and kind.synchro for kind in kinds)
    return game.format is other.format is Format.GGF and swapped and synchro


def _write_changed(out: Pieces, game: GameTree, bounds: Bounds, *, alone: bool) -> None:
    """Write a game after the text before it, most of it as it was.

    Args:
        out: The text, and before it what is in no game.
        game: The game.
        bounds: The spans of games in their text.
        alone: Write all brackets of the game.

    Raises:
        UnwritableError: Text of the game that belongs to no property would be read otherwise.
    """
    nodes, provenance = game.nodes, game.provenance
    origin = provenance.games[0]
    damaged = any(map(has_strays, provenance.games))
    is_left_open = (alone or damaged) and is_open(origin, bounds.of(origin))
    in_place = is_shaped_as_before(nodes, provenance) and not (alone and is_left_open)
    is_same = in_place and not alone and nodes.contents == origin.nodes.contents
    before = out.pieces[:]
    for apart in (False, True):
        out.pieces = before[:]
        splicer = Splicer(out, nodes, provenance, bounds.of, apart=apart)
        if in_place and not apart:
            splicer.splice()
        else:
            splicer.rebuild()
        if is_same or not damaged:
            return
        misread = find_misread(out.text, game, closed=alone or not is_left_open)
        if misread is None:
            return
    raise UnwritableError(splicer.why_misread(misread or 0))
