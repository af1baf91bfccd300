"""Examples for programs that learn: batches of numpy from the games of an archive, or any games."""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from sgf_lark.core import GAMES, BoardSize, GameTree
from sgf_lark.files.workers import Task, run
from sgf_lark.games.registry import games_with_rules
from sgf_lark.positions.arrays import (
    Examples,
    PackedMoves,
    np,
    pack_moves,
    planes_apart,
    unpack_moves,
)
from sgf_lark.positions.symmetry import symmetries

from .archive import Archive
from .records.reading import GamePlace, PlacedBytes, find_game_places, read_bytes, read_placed_game
from .rows.game_rows import GameRows, RowPlace
from .rows.positions import tables_of
from .rows.table_rows import Array

#: Batches that are mixed at a time if the order is to be random, and games that a process gets.
MIXED, GAMES_A_TASK = 16, 32

#: The hash that is as large as 1 of a split, and what spreads hashes over it.
WHOLE, SPREAD = 1 << 64, 0x9E3779B97F4A7C15


def examples(
    games: Archive | Iterable[GameTree],
    *,
    where: str = "true",
    planes: str | Iterable[str] = "agz17",
    history: int = 8,
    batch: int = 256,
    seed: int | None = None,
    split: tuple[float, float] = (0.0, 1.0),
    symmetries: bool = False,
    jobs: int = 1,
) -> Iterator[Examples]:
    """Yield the moves of main lines and the positions before them in batches of arrays.

    A file is read once.  All examples of a batch are of boards of one size; the last batches may
    be smaller.  Games whose moves are no points are left out of an archive.

    Args:
        games: An archive, whose records are read again; or games, such as those of
            :func:`sgf_lark.iter_games`.
        where: Of an archive: a condition in SQL about the table ``games``.
        planes, history: As :meth:`.GameTree.planes` takes them.
        seed: For a random order, the same one each time: of files, and of examples among those
            of some batches.  None for the order of the games.
        split: The part of the games, from 0 to 1, by the hash of their main lines: (0, 0.9) to
            train and (0.9, 1) to test share no game, and none that is symmetric.
        symmetries: Turn or mirror each example at random, as the rules of its game allow.
        jobs: Of an archive: processes that read records.

    Raises:
        ImportError: numpy is not installed, or for an archive pyarrow or duckdb.
        ValueError: There is no such plane, a number is out of its range, or moves of a game are
            no points.
        QueryError: The condition cannot be asked.
        OSError: A record cannot be read, or was changed since the archive was built.
    """
    names = planes if isinstance(planes, str) else tuple(planes)
    apart = planes_apart(names, history)
    if batch < 1:
        raise ValueError(f"a batch has {batch} examples: expected at least 1")
    _require_split(split)
    if isinstance(games, str | os.PathLike):
        read = f"sgf_lark.archive.read({os.fspath(games)!r})"
        raise TypeError(f"expected an Archive or games: {read} opens an archive")
    chance = random.Random(seed)  # noqa: S311  # no secret
    if isinstance(games, Archive):
        places = _places_of(games, where, split)
        if seed is not None:
            files = [[*found] for _, found in groupby(places, attrgetter("source"))]
            chance.shuffle(files)
            places = [place for found in files for place in found]
        packed = _packed(read_bytes(places, games.manifest.folder), apart, jobs)
    else:
        chosen = games if split == (0, 1) else (game for game in games if _has_place(game, split))
        packed = (pack_moves(game, apart) for game in chosen)
    pool = _Pool(batch, chance, is_mixed=seed is not None, symmetries=symmetries)
    for game in packed:
        if game.moves:
            yield from pool.add((game.game, game.size), unpack_moves(game, names, history))
    yield from pool.rest()


def _require_split(split: object) -> None:
    """Accept a part of all games, such as (0, 0.9) (ValueError: it is none)."""
    is_pair = isinstance(split, tuple | list) and len(split) == 2  # noqa: PLR2004
    if not is_pair or not 0 <= split[0] < split[1] <= 1:  # type: ignore[index]
        raise ValueError(
            f"no part {split!r} of the games: expected its ends from 0 to 1, such as (0, 0.9) to"
            " train and (0.9, 1) to test"
        )


# ---- games ----


def _places_of(archive: Archive, where: str, split: tuple[float, float]) -> list[GamePlace]:
    played = games_with_rules().items()
    kinds = ", ".join(str(number) for number, state in played if state.moves_are_points)
    asked = f"({where}) and line_hash_symmetric is not null and coalesce(gm, 1) in ({kinds})"
    query = f"select game_id, line_hash_symmetric from games where {asked}"  # noqa: S608
    rows = archive.sql(query)
    pairs = zip(*rows.to_pydict().values(), strict=True)
    return find_game_places(archive, [game for game, number in pairs if _is_within(number, split)])


def _has_place(game: GameTree, split: tuple[float, float]) -> bool:
    rows = GameRows(["games"])
    rows.add(game, RowPlace())
    (number,) = rows.batches()["games"]["line_hash_symmetric"].to_pylist()
    return number is not None and _is_within(number, split)


def _is_within(number: int, split: tuple[float, float]) -> bool:
    """Tell if a hash belongs to a part; the smallest of several hashes are spread again."""
    low, high = split
    return low * WHOLE <= number * SPREAD % WHOLE < high * WHOLE


def _packed(
    games: Iterator[PlacedBytes], apart: tuple[str, ...], jobs: int
) -> Iterator[PackedMoves]:
    parts = iter(lambda: [*islice(games, GAMES_A_TASK)], [])
    tasks = (Task(part[0][0].source, part) for part in parts)
    for done in run(partial(_pack, apart=apart), tasks, jobs):
        if done.error is not None:
            raise done.error
        yield from done.result or ()


def _pack(games: list[PlacedBytes], apart: tuple[str, ...]) -> list[PackedMoves]:
    found = []
    for place, data in games:
        if isinstance(data, OSError):
            raise data
        found.append(pack_moves(read_placed_game(place, data), apart))
    return found


# ---- batches ----


class _Pool:
    """Examples that wait to be enough for a batch, by game and size of the board."""

    def __init__(
        self, batch: int, chance: random.Random, *, is_mixed: bool, symmetries: bool
    ) -> None:
        self._batch, self._is_mixed, self._symmetries = batch, is_mixed, symmetries
        self._numbers = np.random.default_rng(chance.getrandbits(64))
        self._waiting: defaultdict[Any, list[Examples]] = defaultdict(list)

    def add(self, key: tuple[int, BoardSize], found: Examples) -> Iterator[Examples]:
        waiting = self._waiting[key]
        waiting.append(found)
        most = self._batch * (MIXED if self._is_mixed else 1)
        if sum(len(one.moves) for one in waiting) >= most:
            ready = self._join(waiting)
            kept = len(ready.moves) // 2 if self._is_mixed else 0
            count = (len(ready.moves) - kept) // self._batch * self._batch
            waiting[:] = [_part(ready, slice(count, None))]
            yield from self._cut(key, _part(ready, slice(count)))

    def rest(self) -> Iterator[Examples]:
        for key, waiting in self._waiting.items():
            yield from self._cut(key, self._join(waiting))

    def _join(self, waiting: list[Examples]) -> Examples:
        joined = Examples(*map(np.concatenate, zip(*waiting, strict=True)))
        if not self._is_mixed:
            return joined
        return _part(joined, self._numbers.permutation(len(joined.moves)))

    def _cut(self, key: tuple[int, BoardSize], ready: Examples) -> Iterator[Examples]:
        for at in range(0, len(ready.moves), self._batch):
            batch = _part(ready, slice(at, at + self._batch))
            yield self._turn(batch, *key) if self._symmetries else batch

    def _turn(self, batch: Examples, game: int, size: BoardSize) -> Examples:
        planes, moves, ways = batch.planes, batch.moves.copy(), [*_ways(game, size)]
        flat = planes.reshape(*planes.shape[:2], -1)
        turned = np.empty_like(flat)
        chosen = self._numbers.integers(len(ways), size=len(moves))
        for number, (origins, targets) in enumerate(ways):
            at = chosen == number
            turned[at] = flat[at][..., origins]
            moves[at] = targets[moves[at]]
        return batch._replace(planes=turned.reshape(planes.shape), moves=moves)


def _part(found: Examples, at: Any) -> Examples:
    return Examples(*(array[at] for array in found))


def _ways(game: int, size: BoardSize) -> Iterator[tuple[Array, Array]]:
    """Yield the symmetries of a board that leave the sides and the size as they are.

    Yields:
        For each the number of the point that comes to each point, and the number that each move
        becomes; a pass, and the -1 of other words, stay.
    """
    maps = tables_of(GAMES[game], size).maps
    for way, targets in zip(symmetries(game, size), maps, strict=True):
        if not way.exchanges_sides:
            yield np.argsort(targets), np.array([*targets, len(targets), -1])
