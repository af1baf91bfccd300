"""Games that an archive has more than once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from sgf_lark.archive.rows.table_rows import Array, LineBoard, turn_lines
from sgf_lark.core import require_archive
from sgf_lark.positions.arrays import np
from sgf_lark.positions.symmetry import Transformation
from sgf_lark.report.tables import load_pyarrow

from .keeping import Duplicates, choose_kept
from .reasons import MIN_MOVES, Reason
from .sql import Database

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.archive.archive import Archive
    from sgf_lark.archive.rows.table_rows import Array

#: The code of a game that has no key.
NO_KEY = -1

#: Limit of the games of a group with which another one is compared.
MAX_COMPARED = 8


class DisjointSets:
    def __init__(self, games: int) -> None:
        # for each game another one of its group; a root names itself
        self.parents = list(range(games))

    def find(self, game: int) -> int:
        parents = self.parents
        while parents[game] != game:
            parents[game] = parents[parents[game]]
            game = parents[game]
        return game

    def join(self, game: int, other: int) -> None:
        """Make one group of two; its root is the first game of both."""
        low, high = sorted((self.find(game), self.find(other)))
        self.parents[high] = low

    def roots(self) -> Array:
        roots: Array = np.array(self.parents, np.int64)
        while True:
            above = roots[roots]
            if np.array_equal(above, roots):
                break
            roots = above
        self.parents = roots.tolist()
        return roots

    def join_similar(self, codes: Array, agree: Callable[[int, int], bool]) -> None:
        """Join games with equal codes that agree.

        Args:
            codes: A number for each game; :data:`NO_KEY` if it has no key.
        """
        for members in similar_games(codes, self.roots()):
            compared: list[int] = []
            for game in members:
                equal = next((other for other in compared if agree(other, game)), None)
                if equal is not None:
                    self.join(equal, game)
                elif len(compared) < MAX_COMPARED:
                    compared.append(game)


def similar_games(codes: Array, roots: Array) -> Iterator[list[int]]:
    """Yield games with equal codes that are not in one group yet: one of each group."""
    # One game of each group and code is enough.
    pairs = np.stack([codes, roots], axis=1)
    _, first = np.unique(pairs, axis=0, return_index=True)
    first = np.sort(first)
    first = first[codes[first] != NO_KEY]
    order = first[np.argsort(codes[first], kind="stable")]
    edges = np.flatnonzero(np.diff(codes[order])) + 1
    for low, high in pairwise([0, *edges.tolist(), len(order)]):
        if high - low > 1:
            yield order[low:high].tolist()


#: Part of the moves of the longer one that two games with one signature share if they are one
#: game: real games of Othello with an equal signature and number of moves share two thirds, and
#: are two.
SIGNED_AGREEMENT = 9 / 10

#: The same of games with one last position, in which the order of the moves may differ.
FINAL_AGREEMENT = 2 / 3

#: Number of moves by which candidates for a common beginning are found.
BEGINNING = 20

#: Rows of lines that are read at once.
BATCH_ROWS = 1 << 13

#: Columns of the table games that are read of all games.
_COLUMNS = (
    *("bytes_hash", "text_hash", "line_hash", "line_hash_symmetric", "dyer_symmetric", "canon"),
    *("key_final_symmetric", "gm", "columns", "rows", "moves", "setup_black", "setup_white"),
)

_BOARD = ("gm", "columns", "rows")

#: Keys by which games are found for a reason: the condition of those that have it, its columns.
_HAS_LINE = "moves > 0 AND moves + setup_black + setup_white >= {min_moves}"
_IS_LONG = "canon IS NOT NULL AND moves >= greatest({min_moves}, 1)"
_PLACE = (
    *_BOARD,
    "nullif(least(setup_black, setup_white), -1)",
    "greatest(setup_black, setup_white)",
)
_KEYS: dict[str, tuple[str, tuple[str, ...]]] = {
    Reason.BYTES: ("true", ("bytes_hash",)),
    Reason.TEXT: ("true", ("text_hash",)),
    Reason.LINE: (_HAS_LINE, ("coalesce(gm, 0)", "line_hash")),
    Reason.SYMMETRIC: (_HAS_LINE, ("coalesce(gm, 0)", "line_hash_symmetric")),
    Reason.DYER: (_IS_LONG, (*_BOARD, "dyer_symmetric")),
    "dyer final": (_IS_LONG, (*_BOARD, "dyer_symmetric", "key_final_symmetric")),
    Reason.PREFIX: (_IS_LONG, (*_PLACE, "canon[:{beginning}]")),
    "prefix place": (_IS_LONG, _PLACE),
    Reason.FINAL: (_IS_LONG, (*_BOARD, "moves", "key_final_symmetric")),
}

#: The code of a key is the number of the first game that has it.
_CODE = """
CASE WHEN {where} AND {known} THEN min(number) OVER (PARTITION BY {where}, {keys}) ELSE -1 END
AS "{name}"
"""

#: Without the passes at the end of a game, of which there are at most three.
_PLAYED = """moves - CASE WHEN canon[-1] = -1 THEN CASE WHEN canon[-2] = -1 THEN
    CASE WHEN canon[-3] = -1 THEN 3 ELSE 2 END ELSE 1 END ELSE 0 END AS played"""

_QUERY = """
WITH games AS (
    SELECT * REPLACE (
        coalesce(setup_black, -1) AS setup_black, coalesce(setup_white, -1) AS setup_white
    ) FROM numbered
)
SELECT gm, columns, rows, {played}, {codes} FROM games ORDER BY number
"""


def dupes(
    archive: Archive, by: Iterable[Reason | str] = tuple(Reason), *, min_moves: int = MIN_MOVES
) -> Duplicates:
    """Find games that an archive has more than once.

    Games are duplicates if they have in common, by the reasons of ``by``:

    * bytes: the bytes of the game;
    * text: its canonical text, whatever its layout and encoding;
    * line: the setup and the moves of its main line;
    * symmetric: the same, turned, mirrored or with the sides exchanged;
    * dyer: the Dyer signature under the symmetries of the board, and nine tenths of the moves, or
      two thirds of them and the last position: one of them has a few other moves.  (The signature
      alone, six moves, joins unlike games, above all on small boards.  What only ends earlier is
      found by its prefix.)
    * prefix: all moves of the shorter one, which is broken off, under symmetries.  A game that
      begins several unlike ones belongs to none of them.
    * final: the last position under symmetries, the number of moves, and two thirds of the moves
      in their order: some moves changed places.

    What is a duplicate of a duplicate is in the same group.  Headers do not make unlike games
    equal or equal games unlike; those that contradict the kept game are named in ``differs``.

    Args:
        by: Names of reasons, in any order.
        min_moves: Shorter games are duplicates only by bytes and text.  For the reasons line and
            symmetric the stones that are set up count as moves, so that problems are found.

    Returns:
        The groups.  Of each one game is kept: see :class:`Duplicates`.

    Raises:
        ImportError: pyarrow or numpy is not installed.
        ValueError: There is no such reason, or none at all; ``min_moves`` is negative.
    """
    require_archive(archive)
    chosen = {Reason(name) for name in by}
    if not chosen:
        raise ValueError(f"no reason for duplicates: expected one of {', '.join(Reason)}")
    if min_moves < 0:
        raise ValueError(f"invalid number of moves: {min_moves}")
    load_pyarrow()
    return _Search(archive, [reason for reason in Reason if reason in chosen], min_moves).run()


class _Search:
    def __init__(self, archive: Archive, reasons: list[Reason], min_moves: int) -> None:
        self.archive, self.reasons = archive, reasons
        codes = ", ".join(
            _CODE.format(
                where=f"({where})",
                known=" AND ".join(f"{key} IS NOT NULL" for key in keys),
                keys=", ".join(keys),
                name=name,
            )
            for name, (where, keys) in _KEYS.items()
            if name.partition(" ")[0] in reasons
        )
        codes = codes.format(min_moves=min_moves, beginning=min(max(min_moves, 1), BEGINNING))
        with closing(Database({"numbered": _numbered(archive)})) as database:
            # for each game its board, number of moves without passes at the end, and a code of each
            # key: equal if the keys are equal, NO_KEY if it has none
            self.codes = database.ask(_QUERY.format(played=_PLAYED, codes=codes))
        self.groups = DisjointSets(len(self.codes))

    def run(self) -> Duplicates:
        levels = []
        for reason in self.reasons:
            self._join(reason)
            levels.append((reason.value, self.groups.roots()))
        return choose_kept(self.archive, levels, self._code("played"))

    def _code(self, name: str) -> Array:
        codes: Array = self.codes[name].to_numpy()
        return codes

    def _join(self, reason: Reason) -> None:
        match reason:
            case Reason.DYER:
                self._join_similar(self._code(reason), SIGNED_AGREEMENT)
                self._join_similar(self._code("dyer final"), FINAL_AGREEMENT)
            case Reason.PREFIX:
                self._join_beginnings()
            case Reason.FINAL:
                self._join_similar(self._code(reason), FINAL_AGREEMENT)
            case _:
                codes = self._code(reason)  # equal ones are those of games that have them
                others = (codes != NO_KEY) & (codes != np.arange(len(codes)))
                for game in np.flatnonzero(others).tolist():
                    self.groups.join(game, int(codes[game]))

    def _join_similar(self, codes: Array, agreement: float) -> None:
        members = [game for games in similar_games(codes, self.groups.roots()) for game in games]
        lines = dict(self._fetch(np.array(sorted(members), np.int64)))
        self.groups.join_similar(codes, partial(_agree, lines, agreement))

    def _fetch(self, games: Array) -> Iterator[tuple[int, tuple[LineBoard, Array]]]:
        if not len(games):
            return
        rows = self.archive.games.dataset.take(
            load_pyarrow().array(games), columns=[*_BOARD, "canon"], batch_size=BATCH_ROWS
        )
        number = 0
        for batch in map(_turn_sides, rows.to_batches()):
            boards = zip(*(batch.column(name).to_pylist() for name in _BOARD), strict=True)
            for board, line in zip(boards, batch.column("canon"), strict=True):
                points = line.values.to_numpy()
                yield int(games[number]), (LineBoard(*board), points)
                number += 1

    # ---- beginnings ----

    def _join_beginnings(self) -> None:
        codes, places = self._code(Reason.PREFIX), self._code("prefix place")
        counts = np.bincount(codes[codes != NO_KEY], minlength=1)
        games = np.flatnonzero((codes != NO_KEY) & (counts[codes] > 1))
        texts = [
            (int(places[game]), line.tobytes(), game) for game, (_, line) in self._fetch(games)
        ]
        texts.sort()
        _join_prefixes(self.groups, texts)


def _agree(
    lines: dict[int, tuple[LineBoard, Array]], agreement: float, game: int, other: int
) -> bool:
    """Tell if the lines of two games are nearly equal under a symmetry of their board."""
    (board, line), (_, another) = lines[game], lines[other]
    first, *_ = ways = board.ways()
    length, longest = sorted((len(line), len(another)))
    ranks = board.rank(line[:length], first)
    equal = max(int((board.rank(another[:length], way) == ranks).sum()) for way in ways)
    is_beginning = equal == length < longest  # another reason
    return equal >= agreement * longest and not is_beginning


def _numbered(archive: Archive) -> pa.RecordBatchReader:
    arrow = load_pyarrow()
    fields = [archive.games.schema.field(name) for name in _COLUMNS]
    schema = arrow.schema([*fields, ("number", arrow.int64())])
    return arrow.RecordBatchReader.from_batches(schema, _number(archive, schema))


def _number(archive: Archive, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    arrow, number = load_pyarrow(), 0
    for batch in archive.games.dataset.to_batches(
        columns=[*_COLUMNS], batch_size=BATCH_ROWS, batch_readahead=2, fragment_readahead=1
    ):
        numbers = arrow.array(range(number, number + batch.num_rows), arrow.int64())
        columns = [*_turn_sides(batch).columns, numbers]
        yield arrow.RecordBatch.from_arrays(columns, schema=schema)
        number += batch.num_rows


def _turn_sides(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows with lines that are canonical under symmetries that exchange the sides, too."""
    arrow = load_pyarrow()
    column = batch.column("canon")
    starts = column.offsets.to_numpy().astype(np.int64)
    points = column.values.to_numpy()[starts[0] : starts[-1]]
    starts -= starts[0]
    boards = zip(*(batch.column(name).to_pylist() for name in _BOARD), strict=True)
    turned = turn_lines(boards, points, starts, _ways_of_sides)
    offsets = arrow.array(starts, arrow.int32())
    lines = arrow.ListArray.from_arrays(offsets, turned, mask=column.is_null())
    return batch.set_column(batch.schema.get_field_index("canon"), "canon", lines)


def _ways_of_sides(board: LineBoard) -> tuple[Transformation, ...]:
    """Return the symmetries of a board if there are more than those of the column canon."""
    ways = board.ways()
    return ways if len(ways) > len(board.opening_ways()) else ()


def _join_prefixes(groups: DisjointSets, texts: list[tuple[int, bytes, int]]) -> None:
    """Join games whose text begins that of another one."""
    open_: list[tuple[int, bytes, int]] = []
    # The games that an open one begins, if they are of one group: its root, else _UNLIKE.
    longer: list[int | None] = []

    def close() -> None:
        game, begun = open_.pop()[2], longer.pop()
        if begun is None:
            begun = groups.find(game)
        elif begun != _UNLIKE:
            groups.join(game, begun)
            begun = groups.find(game)
        if longer:
            known = longer[-1]
            is_one = known is None or (known != _UNLIKE and _same(groups, known, begun))
            longer[-1] = begun if is_one else _UNLIKE

    for place, text, game in texts:
        while open_ and not (open_[-1][0] == place and text.startswith(open_[-1][1])):
            close()
        open_.append((place, text, game))
        longer.append(None)
    while open_:
        close()


#: In place of a root: games of several groups.
_UNLIKE = -1


def _same(groups: DisjointSets, game: int, other: int) -> bool:
    return other != _UNLIKE and groups.find(game) == groups.find(other)
