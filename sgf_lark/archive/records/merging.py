"""Duplicates in one record: the header and the variations of all of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.archive.partitions import pack
from sgf_lark.archive.queries.keeping import Duplicates
from sgf_lark.archive.rows.line import ways
from sgf_lark.convert.convert import convert
from sgf_lark.convert.merge import merge
from sgf_lark.core import (
    COLORS,
    Category,
    Color,
    Draft,
    Format,
    GameTree,
    Group,
    PlayedMove,
    Reading,
    category,
    close_value,
    dumps,
    shorten,
)
from sgf_lark.files.members import ArchiveError
from sgf_lark.files.writing import sync_folder, write_file
from sgf_lark.positions.symmetry import Transformation
from sgf_lark.positions.transform import transform

from .reading import GamePlace, find_game_places, place_name, read_bytes, read_placed_game

if TYPE_CHECKING:
    from sgf_lark.archive.archive import Archive

#: Bytes of the games that are merged before others are read.
BLOCK_BYTES = 1 << 26

#: Characters of the name of a source that the name of its merged record has, at most.
MAX_STEM = 60

#: Part of the moves that two games must share to be merged.
AGREEMENT = 1 / 2

#: Reasons of duplicates that have nothing to add.
_EQUAL = frozenset({"bytes", "text"})

#: Properties that the kept game settles in any case.
_INFO = frozenset({Category.GAME_INFO})

_UNSAFE = re.compile(r"[^\w.-]+")


class LeftOut(NamedTuple):
    """A duplicate that was not merged."""

    record: str
    game: int
    reason: str


class Merged(NamedTuple):
    """Records that were written.

    Attributes:
        files: Their paths, one for each group.
        left_out: The duplicates that are not in them.
        values: The values of duplicates that are not in them: those of the kept game count.
    """

    files: list[Path]
    left_out: list[LeftOut]
    values: list[LeftOut]


class _Entry(NamedTuple):
    """A game of a group: its key, its bytes, and what the table says about it."""

    game_id: int
    length: int
    keep: bool
    reason: str
    differs: str


def merge_duplicates(
    archive: Archive,
    duplicates: Duplicates,
    folder: str | os.PathLike[str],
    *,
    contradicting: bool = False,
) -> Merged:
    """Write each group of duplicates as one record in FF[4] and UTF-8, and leave the sources.

    A record has the kept game, the game info that it lacks and another one has, and the comments
    and variations of the others, turned to its corner and its colors.  Where a property of the
    main line differs, that of the kept game counts.

    Args:
        folder: A new folder, or an empty one.
        contradicting: Merge games whose headers contradict the kept one, too.

    Returns:
        The files, and the games that could not be merged, with the reasons.

    Raises:
        OSError: A record cannot be written; the folder is not empty.
        ImportError: pyarrow is not installed.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    if next(target.iterdir(), None) is not None:
        raise ArchiveError("merged records need an empty folder", os.fspath(target))
    result = Merged([], [], [])
    groups = _groups(duplicates)
    for block in pack(groups, lambda group: sum(one.length for one in group[1]), BLOCK_BYTES):
        keys = [entry.game_id for _, group in block for entry in group]
        placed = read_bytes(find_game_places(archive, keys), archive.manifest.folder)
        found = {place.game_id: (place, data) for place, data in placed}
        for number, group in block:
            merged = _merge_group(group, found, result, contradicting=contradicting)
            name = _file_name(number, found[group[0].game_id][0])
            if merged is not None:
                draft = merged.edit()
                draft.set(draft.root, "CA", "UTF-8")
                text = dumps(draft.done(strict=False), style="canonical")
                path = target / name
                write_file(path, text.encode(errors="replace"), syncs_folder=False)
                result.files.append(path)
    sync_folder(target)
    return result


def _merge_group(
    group: list[_Entry],
    found: Mapping[int, tuple[GamePlace, bytes | OSError]],
    result: Merged,
    *,
    contradicting: bool,
) -> GameTree | None:
    """Return the games of a group as one, and note what is not in it; None for none."""
    merged: GameTree | None = None
    for entry in group:
        place, data = found[entry.game_id]
        reason = ""
        if entry.differs and not contradicting:
            reason = f"its header contradicts the kept game: {entry.differs}"
        elif merged is None or entry.reason not in _EQUAL:
            try:
                game = _read(place, data)
                merged = _split_root(game) if merged is None else merge_game(merged, game)
            except (OSError, ValueError) as error:
                reason = str(error)
            else:
                if lost := find_lost(merged, game):
                    values = LeftOut(place_name(place), place.game, ", ".join(lost))
                    result.values.append(values)
        if reason:
            result.left_out.append(LeftOut(place_name(place), place.game, reason))
    return merged


def _groups(duplicates: Duplicates) -> Iterator[tuple[int, list[_Entry]]]:
    """Yield the groups with their numbers; the kept game is the first one of each."""
    columns = (duplicates.table[name].to_pylist() for name in ("group", *_Entry._fields))
    for number, rows in groupby(zip(*columns, strict=True), itemgetter(0)):
        yield number, [_Entry(*row) for _, *row in rows]


def _read(place: GamePlace, data: bytes | OSError) -> GameTree:
    """Return a game in FF[4] (OSError: it cannot be read; ValueError: it cannot be converted)."""
    if isinstance(data, OSError):
        raise data
    game = read_placed_game(place, data)
    return game if game.format is Format.FF4 else convert(game, Format.FF4)


def _file_name(number: int, place: GamePlace) -> str:
    stem = _UNSAFE.sub("_", PurePath(place.member or place.source).stem)[:MAX_STEM]
    return f"{number:06}-{stem or 'game'}.sgf"


# ---- two games ----


def merge_game(kept: GameTree, other: GameTree) -> GameTree:
    """Return a game with what another record of it has in addition."""
    kept, other = _split_root(kept), _split_root(other)
    turned = _turn(kept, other)
    more = _add_info(kept, turned)
    return merge(more, _conform(more, turned))


def find_lost(merged: GameTree, other: GameTree) -> list[str]:
    """Return the values of a game, but for points, that a merged one does not have, as it is read.

    What tells how the file is read does not count.
    """
    said = {
        (prop.ident, raw)
        for content in merged.nodes.contents
        for prop in content
        for raw in prop.raw
    }
    texts = [" ".join(raw.split()) for ident, raw in said if ident == "C"]
    lost: dict[str, None] = {}
    for prop in chain.from_iterable(other.nodes.contents):
        if prop.ident in Group.FILE.idents or (prop.rule is not None and prop.rule.has_points):
            continue
        for raw in filter(str.strip, prop.raw):
            words = " ".join(raw.split())
            is_in_text = prop.ident == "C" and any(words in text for text in texts)
            if (prop.ident, raw) not in said and not is_in_text:
                lost[f"{prop.ident}[{shorten(raw)}]"] = None
    return [*lost]


def _split_root(game: GameTree) -> GameTree:
    """Return a game whose first node has no move: it gets a node."""
    if not game.moves or game.moves[0].node:
        return game
    draft: Draft[GameTree] = game.edit()
    node = draft.insert(draft.root)
    for prop in draft.properties(draft.root):
        if category(prop) is Category.MOVE:
            draft.unset(draft.root, prop.ident)
            draft.set_raw(node, prop.name, *map(close_value, prop.raw))
    return draft.done(strict=False)


def _add_info(kept: GameTree, turned: GameTree) -> GameTree:
    draft: Draft[GameTree] = kept.edit()
    here = {prop.ident for prop in draft.properties(draft.root)}
    for prop in turned.edit().properties(0):
        is_info = category(prop) is Category.GAME_INFO
        if is_info and prop.ident not in here and any(raw.strip() for raw in prop.raw):
            draft.set_raw(draft.root, prop.name, *map(close_value, prop.raw))
    return draft.done(strict=False)


def _turn(kept: GameTree, other: GameTree) -> GameTree:
    wanted, moves = kept.moves, other.moves
    length = min(len(wanted), len(moves))
    if not length or kept.size is None or (kept.game, kept.size) != (other.game, other.size):
        return other
    best, most = None, length * AGREEMENT
    for way in ways(kept.nodes.rules.game, kept.size):
        count = _count_equal(wanted, moves, way)
        if count >= most and (best is None or count > most):
            best, most = way, count
        if count == length:
            break
    if best is None:
        raise ValueError("it is no copy of the kept game: less than half of the moves are equal")
    if best == ways(kept.nodes.rules.game, kept.size)[0]:
        return other
    return transform(other.edit(), other.nodes, best)


def _count_equal(
    wanted: Sequence[PlayedMove], moves: Sequence[PlayedMove], way: Transformation
) -> int:
    try:
        return sum(
            way.color(move.color) is other.color and way.value(move.value) == other.value
            for move, other in zip(moves, wanted, strict=False)
        )
    except ValueError:  # a move that cannot be written after this symmetry
        return 0


def _conform(kept: GameTree, other: GameTree) -> GameTree:
    """Return a game without what contradicts another one on the main line they share."""
    mine, its = kept.edit(), other.edit()
    equal = {Category.GAME_INFO, Category.SETUP} if _begin_alike(kept, other) else _INFO
    for prop in its.properties(0):
        if category(prop) in equal:
            its.unset(0, prop.ident, missing_ok=True)
    for prop in mine.properties(0):
        if category(prop) in equal:
            its.set_raw(0, prop.name, *map(close_value, prop.raw))
    pairs = [(0, 0)]
    for move, another in zip(kept.moves, other.moves, strict=False):
        if (move.color, move.value) != (another.color, another.value):
            break
        pairs.append((move.node, another.node))
    for node, number in pairs:
        here = {prop.ident: prop for prop in mine.properties(node)}
        for prop in its.properties(number):
            if prop.ident in here and here[prop.ident].raw != prop.raw:
                _settle(its, number, here[prop.ident], prop)
    return its.done(strict=False)


def _begin_alike(kept: GameTree, other: GameTree) -> bool:
    """Tell if the boards after the first nodes have the same pieces: setup may be left to SZ."""
    try:
        board, another = kept.board(0), other.board(0)
    except ValueError:
        return False
    return all(board.stones(color) == another.stones(color) for color in Color)


def _settle(draft: Draft[GameTree], node: int, kept: Reading, prop: Reading) -> None:
    if prop.ident in Group.FILE.idents:
        return
    is_setup = category(prop) is Category.SETUP
    if prop.ident in COLORS or (is_setup and set(prop.raw) == set(kept.raw)):
        draft.set_raw(node, prop.name, *map(close_value, kept.raw))
    elif prop.ident == "C":
        if "".join(prop.raw).split() == "".join(kept.raw).split():
            draft.set_raw(node, prop.name, *map(close_value, kept.raw))
    elif not is_setup:
        draft.unset(node, prop.ident)
