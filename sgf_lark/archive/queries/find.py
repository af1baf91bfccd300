"""Search by pattern: the games in which stones lie so, when, and how they go on.

The table ``lives`` has the times of each stone.  A pattern lies somewhere on the board while all
its stones live there, and no others do on its points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from sgf_lark.archive.rows.line import ways
from sgf_lark.archive.rows.table_rows import Array, LineBoard
from sgf_lark.core import GO, BoardSize, Color, Game, Point, plural, require_archive
from sgf_lark.files.members import ArchiveError
from sgf_lark.positions.arrays import BLACK, WHITE, np
from sgf_lark.positions.board import Board, find_game
from sgf_lark.positions.notation import EMPTY_SIGNS, SIGNS
from sgf_lark.positions.symmetry import Symmetry
from sgf_lark.report.tables import load_pyarrow

from .openings import choose_board, labels_of, names_of_moves

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.archive.archive import Archive, ArchiveTable
    from sgf_lark.pictures.diagram import Diagram


#: Where a pattern lies.
Where = Literal["corner", "side", "anywhere", "whole"]

#: In a pattern: an empty point, and one with anything on it.
EMPTY, ANYTHING = 0, -1

#: The signs of a picture; those of stones and empty points are those of pictures of boards.
_CELLS = {sign: BLACK if color is Color.BLACK else WHITE for sign, color in SIGNS.items()}
_CELLS |= dict.fromkeys(EMPTY_SIGNS, EMPTY) | {"x": BLACK, "#": BLACK, "*": ANYTHING}
_EDGE = re.compile(r"[\s|+-]*-[\s|+-]*")


class Pattern(NamedTuple):
    """Points of a board, in a rectangle."""

    cells: Array  # the contents of its points: BLACK, WHITE, EMPTY or ANYTHING
    edges: tuple[bool, ...]  # if it lies at the edges of the board: above, below, left, right

    @classmethod
    def read(cls, text: str) -> Pattern:
        """Return the pattern of a picture."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        rows = [line for line in lines if not _EDGE.fullmatch(line)]
        edges = [bool(_EDGE.fullmatch(lines[at])) for at in (0, -1) if lines]
        edges += [any(row[at] == "|" for row in rows) for at in (0, -1)]
        signs = ["".join(row.strip("|").split()) for row in rows]
        unknown = sorted({*"".join(signs)} - _CELLS.keys())
        if unknown or len({*map(len, signs)}) != 1:
            wrong = f"no sign of one: {unknown[0]!r}" if unknown else "its rows have one length"
            words = "X and O are stones, . is empty, * anything, | and - are edges"
            raise ValueError(f"this is no picture of a pattern: {wrong} ({words})")
        cells = [[_CELLS[sign] for sign in row] for row in signs]
        return cls(np.array(cells), tuple(edges))

    @classmethod
    def of(cls, board: Board, where: Where) -> Pattern:
        """Return a part of a board: the smallest one with all its stones that lies there."""
        cells = board.array()
        stones = np.argwhere(cells > EMPTY)
        if not len(stones):
            raise ValueError("a pattern has at least one stone")
        least = np.stack([stones.min(axis=0), stones.max(axis=0) + 1], axis=1).ravel()
        ends = (0, cells.shape[0], 0, cells.shape[1])
        found = []
        for edges in product((False, True), repeat=4):
            top, bottom, left, right = np.where(edges, ends, least)
            found.append(cls(cells[top:bottom, left:right], edges))
        return min((one for one in found if one.where == where), key=lambda one: one.cells.size)

    @property
    def where(self) -> Where:
        """The place where it lies, as its edges say."""
        if all(self.edges):
            return "whole"
        at_row, at_column = any(self.edges[:2]), any(self.edges[2:])
        return "corner" if at_row and at_column else "side" if any(self.edges) else "anywhere"

    def at(self, where: Where) -> Pattern:
        """Return it at another place (ValueError: its edges do not say where it lies there)."""
        if where in {"corner", "side"} and where != self.where:
            raise ValueError(f"a picture of a {where} needs its edges: | beside it, - above, below")
        return self if where in {"corner", "side"} else self._replace(edges=(where == "whole",) * 4)

    def places(
        self, board: LineBoard, *, symmetric: bool, colors: bool
    ) -> Iterator[tuple[Array, bool]]:
        """Yield the points that it can lie on, in its order, and if colors are exchanged.

        The first place is as it is drawn, as far right and up as can be.
        """
        rows, columns = self.cells.shape
        frame = np.zeros((3, 3), bool)
        frame[[0, 2, 1, 1], [1, 1, 0, 2]] = self.edges
        for way in ways(find_game(board.gm or 0), BoardSize(columns, rows)):
            is_turned = way.symmetry is not Symmetry.IDENTITY
            if (is_turned and not symmetric) or (way.exchanges_sides and not colors):
                continue
            order = _turn(np.arange(rows * columns).reshape(rows, columns), way.symmetry)
            down, across = map(np.arange, order.shape)
            edges = _turn(frame, way.symmetry)
            tops = _firsts(board.rows - len(down), *edges[::2, 1])
            lefts = _firsts(board.columns - len(across), *edges[1, ::2])
            for top, left in product(tops, reversed(lefts)):
                points = np.empty(order.size, np.int64)
                points[order] = (top + down)[:, None] * board.columns + left + across
                yield points, way.exchanges_sides


def _turn(cells: Array, symmetry: Symmetry) -> Array:
    corner = symmetry.point(Point(0, 0), BoardSize(2, 2))
    turned = cells.T if symmetry.exchanges_axes else cells
    return turned[:: -1 if corner.row else 1, :: -1 if corner.column else 1]


def _firsts(room: int, at_start: bool, at_end: bool) -> range:  # noqa: FBT001  # two of an array
    return range(room if at_end else 0, 1 if at_start else room + 1)


#: Only a picture of a complete board, or its line, has numbers.
_ON_A_BOARD = re.compile(r"[0-9]")

#: In place of the number of a move.
_NEVER = 1 << 30

#: Stones that are searched at once; of more, arrays leave the caches of a processor.
STONES_AT_ONCE = 1 << 18

_TABLE = """
SELECT source, member, game, number, last, $names[point + 2] AS move, color, black, white,
    raw_date, raw_result, exchanged, game_id,
    CASE WHEN exchanged THEN translate(winner, 'BW', 'WB') ELSE winner END AS won
FROM (SELECT * EXCLUDE (hit), min(hit) AS hit FROM hits GROUP BY ALL) JOIN games USING (game_id)
WHERE gm = {gm} AND columns = {columns} AND rows = {rows} ORDER BY hit
"""

_CONTINUATIONS = """
SELECT move, color, count(DISTINCT game_id) AS games,
    games / (SELECT count(DISTINCT game_id) FROM found) AS share,
    count(DISTINCT game_id) FILTER (won = 'B') AS black_wins,
    count(DISTINCT game_id) FILTER (won = 'W') AS white_wins,
    count(DISTINCT game_id) FILTER (won = 'draw') AS draws,
    (black_wins + draws / 2) / nullif(black_wins + white_wins + draws, 0) AS black_score
FROM found GROUP BY move, color ORDER BY games DESC, move, color
"""


class FoundPattern(NamedTuple):
    """The games with a pattern.

    Attributes:
        table: A row for each time that it appears: the game; ``number`` and ``last``, the numbers
            of moves before its first and its last position; ``move`` and ``color``, the next move
            in it, as it is drawn; ``exchanged`` if Black and White are; ``won``, the winner by the
            colors that are drawn; players, date, result.
        continuations: A row for each next move, the frequent ones first, with its games and their
            results; without a move, of games that go on elsewhere.
        diagram: The pattern, with a letter on each next move; other points that may have
            anything are dim.
    """

    table: pa.Table
    continuations: pa.Table
    diagram: Diagram


def find(
    archive: Archive,
    pattern: str | Board,
    where: Where | None = None,
    *,
    game: Game | int | str | None = None,
    size: int | tuple[int, int] | None = None,
    symmetric: bool = True,
    colors: bool = True,
) -> FoundPattern:
    """Find the games in whose main lines a pattern of stones appears.

    The archive is one with the table ``lives``: ``build(..., patterns=True)``.

    Args:
        pattern: A picture: ``X`` and ``O`` for stones, ``.`` for an empty point, ``*`` for anything
            on it; ``|`` beside it and ``-`` above or below are edges of the board.  Or a board, or
            its text.
        where: Where the pattern lies: in a ``corner``, at a ``side``, ``anywhere``, or ``whole`` if
            it is the complete board, which is the default for a board; of a picture its edges say
            it.  The part of a board is the smallest one there that has all its stones.
        game: The kind of game; None for that of the board, else the most frequent one.
        size: The side of the board, or columns and rows; None for that of the board, else the most
            frequent one.
        symmetric: Find it turned and mirrored, too.
        colors: Find it with Black and White exchanged, too.

    Raises:
        ArchiveError: The archive has no table of lives.
        ImportError: pyarrow, numpy or duckdb is not installed.
        ValueError: The pattern cannot be read, has no stones or has no room on the board, or there
            is no such place, or there are no such games.
    """
    require_archive(archive)
    pa = load_pyarrow()
    if "lives" not in archive.manifest.tables:
        words = "this archive has no stones to search: build it with --patterns (patterns=True)"
        raise ArchiveError(words, str(archive.directory))
    if where not in {None, *get_args(Where)}:
        raise ValueError(f"no place {where!r}: expected {', '.join(get_args(Where))}")
    if isinstance(pattern, str) and _ON_A_BOARD.search(pattern):
        pattern = Board.from_text(pattern, find_game(game or GO))
    if isinstance(pattern, Board):
        game, size = game or pattern.game, size or pattern.size
        wanted = Pattern.of(pattern, where or "whole")
    else:
        wanted = Pattern.read(pattern)
        wanted = wanted.at(where or wanted.where)
    board, cells = choose_board(archive, game, size), wanted.cells.ravel()
    places = [*wanted.places(board, symmetric=symmetric, colors=colors)]
    if not places or not (cells > EMPTY).any():
        raise ValueError("a pattern has at least one stone, and room on the board")
    hits = pa.concat_tables(
        _PatternSearch(cells, places, board.columns * board.rows).find(archive.lives)
    )
    hits = hits.append_column("hit", pa.array(range(len(hits))))
    with closing(archive.database()) as database:
        database.connection.register("hits", hits)
        names = {"names": names_of_moves(board)}
        table = database.ask(_TABLE.format(**board._asdict()), names)
        database.connection.register("found", table)
        continuations = database.ask(_CONTINUATIONS)
    points = [Point(at % board.columns, at // board.columns) for at in places[0][0].tolist()]
    black, white, anything = (
        tuple(point for point, cell in zip(points, cells, strict=True) if cell == held)
        for held in (BLACK, WHITE, ANYTHING)
    )
    drawn = Board(find_game(board.gm or 0), board.size, empty=True)
    drawn = drawn.set_up(black=black, white=white)
    moves = [drawn.point(name) for name in continuations["move"].to_pylist() if name]
    ends = [*zip(*points, strict=True)]
    crop = Point(*map(min, ends)), Point(*map(max, ends))
    dim = tuple(point for point in anything if point not in moves)
    count = plural(pa.compute.count_distinct(table["game_id"]).as_py(), "game")
    elsewhere = "; a row without a move is of those that go on elsewhere"
    notes = (count + elsewhere * bool(continuations["move"].null_count),)
    update = {"crop": crop, "labels": labels_of(moves), "dim": dim, "notes": notes, "to_play": None}
    return FoundPattern(table, continuations, drawn.diagram().model_copy(update=update))


class _PatternSearch:
    """A pattern at all its places.

    Stones of the board have a number, as the places in the rows of arrays: that of their point, and
    for White the number of points more.
    """

    def __init__(self, cells: Array, places: list[tuple[Array, bool]], area: int) -> None:
        # 1 for a stone that is wanted, -1 for one that must not be there; else 0
        weights = np.zeros((len(places), 2 * area), np.int8)
        # on points of the pattern: twice the number of the point in it, one more for its White
        codes = np.full((len(places), 2 * area), -1, np.int16)
        for at, (points, exchanged) in enumerate(places):
            for color in (0, 1):
                own = color ^ exchanged
                here = np.where(cells == own + BLACK, 1, -1) * (cells != ANYTHING)
                weights[at, color * area + points] = here
                codes[at, color * area + points] = 2 * np.arange(len(cells)) + own
        alike = np.concatenate([weights, codes >= 0], axis=1)
        _, first, group = np.unique(alike, axis=0, return_index=True, return_inverse=True)
        self._weights, self._codes = weights[first], codes[first]
        np.minimum.at(self._codes, group.ravel(), codes)  # of symmetric next moves the first
        self._exchanged = np.array([exchanged for _, exchanged in places])[first]
        self._is_inside = (self._codes >= 0).any(axis=0).reshape(2, area).any(axis=0)
        self._area, self._first, self._goal = area, places[0][0], (cells > EMPTY).sum()

    def find(self, lives: ArchiveTable) -> Iterator[pa.Table]:
        import pyarrow.parquet as pq

        waiting = lives.schema.empty_table()
        for path in getattr(lives.dataset, "files", ()):  # as batches of a dataset in half the time
            file = pq.ParquetFile(path, read_dictionary=["color"])
            for batch in file.iter_batches(use_threads=False):
                table = load_pyarrow().Table.from_batches([batch])
                waiting = load_pyarrow().concat_tables([waiting, table]) if len(waiting) else table
                if len(waiting) >= STONES_AT_ONCE:
                    ids = waiting["game_id"].to_numpy()
                    begun = int((ids == ids[-1]).argmax())  # its last rows may be in the next batch
                    yield self._find(waiting.slice(0, begun))
                    waiting = waiting.slice(begun)
        yield self._find(waiting)

    def _find(self, rows: pa.Table) -> pa.Table:
        """Return the times at which the pattern appears in games, all of whose stones are given."""
        pa = load_pyarrow()
        colors = rows["color"].dictionary_encode().chunks
        white = [pa.compute.equal(part.dictionary, "W").take(part.indices) for part in colors]
        point, is_white = rows["point"].to_numpy(), pa.chunked_array(white, pa.bool_())
        inside = np.flatnonzero(np.append(self._is_inside, False)[np.minimum(point, self._area)])
        ids, born, died = (rows[name].to_numpy()[inside] for name in ("game_id", "born", "died"))
        stone = point[inside] + self._area * is_white.to_numpy()[inside]
        starts = np.flatnonzero(np.diff(ids, prepend=-1))
        lengths = np.diff(starts, append=len(ids))
        # The row of each stone in each game: -1 if there is none, the last one for several.
        every, of_game = np.arange(len(ids)), np.repeat(np.arange(len(starts)), lengths)
        rows_of = np.full((2 * self._area, len(starts)), -1, np.int32)
        rows_of[stone, of_game] = every
        several = rows_of[stone, of_game] != every
        rows_of[stone[several], of_game[several]] = len(ids)
        births, deaths = np.append(born, [0, _NEVER]), np.append(died, [_NEVER, 0])
        candidates = []
        for place, weights in enumerate(self._weights):
            games = np.arange(len(starts))
            for wanted in np.flatnonzero(weights > 0):
                games = games[rows_of[wanted, games] >= 0]
            its, others = (rows_of[np.flatnonzero(weights == it)][:, games] for it in (1, -1))
            begin, end = births[its].max(axis=0), deaths[its].min(axis=0)
            until = deaths[others]
            is_there = (births[others] <= begin) & (until >= end) & (until < _NEVER)
            games = games[(begin < end) & ~is_there.any(axis=0)]
            candidates.append(np.stack([np.full(len(games), place), games]))
        place, game = np.concatenate(candidates, axis=1)
        found = []
        blocks = int(lengths[game].sum() // STONES_AT_ONCE) + 1
        for block in np.array_split(np.arange(len(game)), blocks):
            many = lengths[game[block]]
            candidate = np.repeat(block, many)
            shift = starts[game[block]] - np.cumsum(many) + many
            row = np.arange(len(candidate)) + np.repeat(shift, many)
            facts = place[candidate], candidate, stone[row], born[row], died[row]
            found.append(self._times(*facts))
        hit, number, until, code = np.concatenate(found, axis=1)
        order = np.lexsort((number, game[hit]))
        hit, code = hit[order], code[order]
        sides = np.array([*map(str, Color)], object)[code % 2]
        return pa.table(
            {
                "game_id": ids[starts[game[hit]]],
                "number": pa.array(number[order], pa.int32()),
                "last": pa.array(until[order] - 1, pa.int32()),
                "point": pa.array(self._first[code // 2], pa.int32(), mask=code < 0),
                "color": pa.array(sides, pa.string(), mask=code < 0),
                "exchanged": self._exchanged[place[hit]],
            }
        )

    def _times(
        self, place: Array, candidate: Array, stone: Array, born: Array, died: Array
    ) -> Array:
        """Return the times at which the pattern is there, and the codes of its next moves.

        Returns:
            Candidates, their first positions with the pattern, those after its end, and codes.
        """
        span = int(died.max(initial=0)) + 1
        weights, codes = self._weights[place, stone], self._codes[place, stone]
        moments = candidate[:, None] * span + np.stack([born, died], axis=1)
        change = np.stack([weights, -weights], axis=1)[weights != 0].ravel()
        moment = moments[weights != 0].ravel()
        order = np.argsort(moment, kind="stable")
        is_last = np.diff(moment[order], append=-1) != 0
        here = np.cumsum(change[order], dtype=np.int64)[is_last] == self._goal
        moment, steps = moment[order][is_last], np.diff(here, prepend=False) & True
        begin, end = moment[here & steps], moment[~here & steps]
        hit, number = np.divmod(begin, span)
        inside = np.flatnonzero((codes >= 0) & np.isin(candidate, hit))
        point = stone[inside] % self._area  # a stone that turns over is none that is placed
        came, left = (moments[inside, at] * self._area + point for at in (0, 1))
        placed = inside[~np.isin(came, left)]
        placed = placed[np.argsort(moments[placed, 0], kind="stable")]
        coming = np.append(moments[placed, 0], np.iinfo(np.int64).max)
        following = np.searchsorted(coming, begin, "right")
        code = np.append(codes[placed], -1)[following]
        code = np.where(coming[following] <= end, code, -1)
        times: Array = np.stack([hit, number, end % span, code])
        return times
