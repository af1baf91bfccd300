"""Openings: the first moves of many games, as a tree with counts and results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.archive.rows.table_rows import END, PASS, Array, LineBoard
from sgf_lark.core import (
    IN_LETTERS,
    PASS as PASS_MOVE,
    BoardSize,
    Color,
    Game,
    Point,
    plural,
    require_archive,
)
from sgf_lark.pictures.pages.markup import join
from sgf_lark.pictures.pages.page import MAX_NOTEBOOK_FIGURES, draw_board_list
from sgf_lark.pictures.parts import Label
from sgf_lark.positions.arrays import np
from sgf_lark.positions.board import Board, find_game
from sgf_lark.positions.coordinates import Coordinates
from sgf_lark.positions.symmetry import Transformation
from sgf_lark.report.tables import draw_table, load_pyarrow
from sgf_lark.report.terminal import Row, align

from .sql import Database

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.archive.archive import Archive
    from sgf_lark.pictures.diagram import Diagram

#: Limit of the moves of an opening, those of ``at`` included.
MAX_MOVES = 200

#: Limit of the boards of a page.
MAX_BOARDS = 24

#: Limit of the kinds of games that an error names.
MAX_NAMED = 5

#: Moves that are written without spaces between them: Q16D4, pddp, passes.
_MOVE = re.compile(r"pass|[a-z]{1,2}[0-9]{1,3}|[0-9]{2}", re.IGNORECASE)
_LETTERS = re.compile(r"(?:[a-zA-Z]{2})+")

_BOARDS = """
SELECT gm, columns, rows, count(*) AS games FROM games
WHERE canon_hash IS NOT NULL AND gm IS NOT NULL AND columns IS NOT NULL AND rows IS NOT NULL
GROUP BY ALL ORDER BY games DESC, gm, columns, rows
"""

_SIDES = """
SELECT count(*) AS games, count(*) FILTER ({begun}) AS begun,
    count(*) FILTER ({begun} AND first_color = 'W') AS by_white
FROM games WHERE {board}
"""

_LINES = """
SELECT {line}[:{length}] AS line, winner, year(date_first)::INTEGER AS year,
    (black_strength + white_strength) / 2 AS strength
FROM games WHERE {board} AND {begun} AND coalesce(first_color, 'B') = '{first}'
"""

#: The games, results, years and strengths of each beginning of lines, sorted.
_TREE = """
WITH beginnings AS (
    SELECT line[:depth] AS beginning, * FROM lines, unnest(range(1, len(line) + 1)) AS t(depth)
), tree AS (
    SELECT []::INTEGER[] AS beginning, {counts} FROM lines
    UNION ALL SELECT beginning, {counts} FROM beginnings GROUP BY beginning
    HAVING count(*) >= {min_games}
)
SELECT len(beginning)::INTEGER AS depth, beginning[-1] AS rank, * EXCLUDE (beginning, known),
    games - known AS unknown, (black_wins + draws / 2) / nullif(known, 0) AS black_score
FROM tree ORDER BY beginning
"""

_COUNTS = """
count(*) AS games, count(*) FILTER (winner = 'B') AS black_wins,
count(*) FILTER (winner = 'W') AS white_wins, count(*) FILTER (winner = 'draw') AS draws,
count(*) FILTER (winner IN ('B', 'W', 'draw')) AS known, min(year) AS year_first,
max(year) AS year_last, avg(strength) AS strength
"""


class Openings(NamedTuple):
    """The first moves of the games of one kind and size.

    Attributes:
        size: Columns and rows.
        first: The side that begins.
        at: The points before the first move of the tree, as in the column ``line``.
        left_out: Number of games of this kind and size that are not counted: with another
            handicap, with other setup, or begun by the other side.
        table: A row for each position: the start, then each move before its continuations, the
            frequent ones first.  Columns:

            * moves: the moves that lead to it, as players write them, with spaces between them;
            * depth: number of moves after ``at``; 0 of the start;
            * move, color: the last of them, and its side; null of the start;
            * point: the point of that move; -1 a pass;
            * games: number of games;
            * share: part of the games at the move before, from 0 to 1;
            * black_wins, white_wins, draws, unknown: results;
            * black_score: part of the points Black made in games with a result, a draw half;
            * year_first, year_last: years of the first and the last game;
            * strength: mean of the strengths of the players, as ``Rank.strength``.
    """

    game: Game
    size: BoardSize
    first: Color
    at: tuple[int, ...]
    left_out: int
    table: pa.Table

    @property
    def title(self) -> str:
        """The game, the size and the moves before the tree: ``Go 19x19 after Q16``."""
        columns, rows = self.size
        before = self.table["moves"][0].as_py()
        return f"{self.game.name} {columns}x{rows}{' after ' + before if before else ''}"

    def board(self, moves: str = "") -> Board:
        """Return the board after moves from the start, such as those of the column ``moves``.

        Raises:
            ValueError: A move has no point on this board.
        """
        board, color = Board(self.game, self.size), self.first
        for point in parse_moves(moves, self.game.number or 0, self.size):
            row, column = divmod(point, self.size.columns)
            move = PASS_MOVE if point == PASS else Point(column, row)
            board = board.play(move, color, force=True)
            color = color.opponent
        return board

    def diagrams(self) -> list[Diagram]:
        """Return pictures of the most frequent positions, with a letter on each next move."""
        following: dict[str, list[dict[str, Any]]] = {}
        games: dict[str, int] = {}
        for row in self.table.to_pylist():
            games[row["moves"]] = row["games"]
            following.setdefault(row["moves"].rpartition(" ")[0], []).append(row)
        found = []
        for moves in sorted(filter(following.get, games), key=games.__getitem__, reverse=True):
            board, after = self.board(moves), [row for row in following[moves] if row["depth"]]
            points = [board.point(row["move"]) for row in after if row["point"] != PASS]
            shares = ", ".join(f"{row['move']} {row['share']:.0%}" for row in after)
            notes = f"{moves or 'Start'}: {plural(games[moves], 'game')};", shares
            update = {"labels": labels_of(points), "notes": notes}
            found.append(board.diagram().model_copy(update=update))
        return found[:MAX_BOARDS]

    def __repr__(self) -> str:
        return f"<Openings of {self.title}: {plural(self.table['games'][0].as_py(), 'game')}>"

    def _repr_html_(self) -> str:
        boards = draw_board_list(
            ("", diagram) for diagram in self.diagrams()[:MAX_NOTEBOOK_FIGURES]
        )
        return join((boards, draw_table(self.table)))

    def text(self, *, ascii_only: bool = False) -> str:
        """Return the tree as lines of text.

        Args:
            ascii_only: Without characters that draw boxes.
        """
        return "\n".join(_draw_tree(self, ascii_only=ascii_only)) + "\n"


def openings(
    archive: Archive,
    moves: int = 4,
    at: str | None = None,
    *,
    game: Game | int | str | None = None,
    size: int | tuple[int, int] | None = None,
    min_games: int = 1,
    handicap: int = 0,
    symmetric: bool = True,
    transpositions: bool = False,
) -> Openings:
    """Count the first moves of the main lines of games.

    Games without setup are counted, or with that with which every game of their kind begins; and
    only those in which the side begins that most of them begin with.  An opening in another
    corner is the same opening: each is shown in the upper right, or as ``at`` has it.

    Args:
        moves: Number of moves, from 1.
        at: Moves from the start, after which the tree begins: names of points as players write
            them (``"q16 d4"``, ``"f5d6"``, ``"pass"``), or as SGF does (``"pddp"``).
        game: The kind of game; None for the most frequent one.
        size: The side of the board, or columns and rows; None for the most frequent one.
        min_games: Leave out moves of fewer games.
        handicap: Count games with this number of black handicap stones.  Their corners differ,
            so that symmetries do not count.
        symmetric: Count openings that are symmetric to each other as one.
        transpositions: Count games that reach the position after ``at`` by another order of
            moves, too.

    Raises:
        ImportError: pyarrow or numpy is not installed.
        ValueError: There are no such games; a move has no point on the board; there are too many
            moves, or none.
    """
    require_archive(archive)
    load_pyarrow()
    if moves < 1 or min_games < 1 or handicap < 0:
        raise ValueError("an opening has at least one move and one game, and no negative handicap")
    board = choose_board(archive, game, size)
    before = parse_moves(at or "", board.gm or 0, board.size)
    if len(before) + moves > MAX_MOVES:
        raise ValueError(f"an opening has at most {MAX_MOVES} moves")
    is_turned = symmetric and not handicap
    ways = board.opening_ways() if is_turned else board.ways()[:1]
    facts = {
        "board": f"gm = {board.gm} AND columns = {board.columns} AND rows = {board.rows}"
        " AND canon_hash IS NOT NULL",
        "begun": _begun(board, handicap),
        "line": "canon" if is_turned else "line",
        "length": str(len(before) + moves),
    }
    (sides,) = archive.sql(_SIDES.format(**facts), time_limit=0).to_pylist()
    first = Color.WHITE if sides["by_white"] * 2 > sides["begun"] else Color.BLACK
    counted = sides["by_white"] if first is Color.WHITE else sides["begun"] - sides["by_white"]
    games = archive.sql(_LINES.format(first=first, **facts), time_limit=0)
    lines = _matrix(games["line"].combine_chunks(), len(before) + moves)
    if before:
        matching, ranks = _turn(lines, board, ways, before, in_any_order=transpositions)
        games = games.filter(load_pyarrow().array(matching))
    else:
        ranks = board.rank(lines, ways[0])
    lists = _lists(ranks[:, len(before) :], board.columns * board.rows)
    lines_table = games.set_column(0, "line", lists)
    with closing(Database({"lines": lines_table})) as database:
        tree = database.ask(_TREE.format(counts=_COUNTS, min_games=min_games))
    table = _arrange(tree, board, first, before)
    left_out = sides["games"] - counted
    return Openings(find_game(board.gm or 0), board.size, first, before, left_out, table)


def labels_of(points: Iterable[Point]) -> tuple[Label, ...]:
    """Return a letter from A to Z for each point, as far as they go."""
    return tuple(map(Label, dict.fromkeys(points), ascii_uppercase))


def parse_moves(text: str, gm: int, size: BoardSize) -> tuple[int, ...]:
    """Return the points of moves: row x columns + column, -1 a pass.

    Args:
        text: Names of points, as players or as SGF write them, with or without white space and
            commas between them.

    Raises:
        ValueError: One has no point on the board.
    """
    names = Coordinates.of(gm, size)
    points = []
    for word in text.replace(",", " ").split():
        for name in _split_word(word, in_letters=gm in IN_LETTERS):
            if name.lower() == "pass":
                points.append(PASS)
            else:
                point = names.point(name)
                points.append(point.row * size.columns + point.column)
    return tuple(points)


def _split_word(word: str, *, in_letters: bool) -> list[str]:
    if in_letters and word.lower() != "pass" and _LETTERS.fullmatch(word):
        return [word[at : at + 2] for at in range(0, len(word), 2)]
    found = _MOVE.findall(word)
    return found if "".join(found) == word else [word]


# ---- games ----


def choose_board(
    archive: Archive, game: Game | int | str | None, size: int | tuple[int, int] | None
) -> LineBoard:
    """Return the kind of game and the size that are asked for, else the most frequent ones."""
    gm = None if game is None else find_game(game).number
    sides = (size, size) if isinstance(size, int) else size
    rows = archive.sql(_BOARDS, time_limit=0).to_pylist()
    counts = {LineBoard(row["gm"], row["columns"], row["rows"]): row["games"] for row in rows}
    for board in counts:
        if gm in {None, board.gm} and sides in {None, board.size}:
            return board
    of = "" if game is None else f" of {find_game(game).name}"
    on = "" if sides is None else f" on {sides[0]}x{sides[1]}"
    has = ", ".join(
        f"{find_game(board.gm or 0).name} {board.columns}x{board.rows} ({count:,})"
        for board, count in [*counts.items()][:MAX_NAMED]
    )
    others = f"; it has {has}" if has else ""
    raise ValueError(f"the archive has no games{of}{on} whose moves are points{others}")


def _begun(board: LineBoard, handicap: int) -> str:
    """Return the condition of games that begin with these handicap stones and nothing else."""
    if handicap:
        return f"(setup_black = {handicap} AND setup_white = 0)"
    start = board.start()
    black, white = (len(start.stones(color)) if start else 0 for color in Color)
    return (
        f"((setup_black, setup_white) IN ((0, 0), ({black}, {white}))"
        " AND coalesce(handicap, 0) = 0)"
    )


# ---- positions ----


def _turn(
    lines: Array,
    board: LineBoard,
    ways: Sequence[Transformation],
    before: Sequence[int],
    *,
    in_any_order: bool,
) -> tuple[Array, Array]:
    """Return the lines that begin with some moves under a symmetry, and their ranks after it.

    If several symmetries do it, that with the smallest ranks counts.
    """
    wanted = board.rank(np.array([before], np.int64), ways[0])
    length = len(before)
    best = np.full(lines.shape, board.columns * board.rows + 2)
    matching = np.zeros(len(lines), bool)
    every = np.arange(len(lines))
    for way in ways:
        ranks = board.rank(lines, way)
        beginning, target = ranks[:, :length], wanted
        if in_any_order:
            beginning, target = _sort_sides(beginning), _sort_sides(wanted)
        fits = (beginning == target).all(axis=1)
        ranks[:, :length] = wanted
        at = (best != ranks).argmax(axis=1)
        smaller = fits & (ranks[every, at] < best[every, at])
        best[smaller] = ranks[smaller]
        matching |= fits
    return matching, best[matching]


def _sort_sides(ranks: Array) -> Array:
    ranks = ranks.copy()
    for side in (0, 1):
        ranks[:, side::2] = np.sort(ranks[:, side::2], axis=1)
    return ranks


def _matrix(lines: pa.ListArray, length: int) -> Array:
    """Return lines as rows of some points; :data:`END` after the last move."""
    starts = lines.offsets.to_numpy().astype(np.int64)
    places = starts[:-1, None] + np.arange(length)
    rows: Array = np.full(places.shape, END, np.int64)
    inside = places < starts[1:, None]
    rows[inside] = lines.values.to_numpy()[places[inside]]
    return rows


def _lists(ranks: Array, last: int) -> pa.ListArray:
    """Return rows of ranks as lists that end before one that is larger than the last one."""
    arrow = load_pyarrow()
    inside = np.logical_and.accumulate(ranks <= last, axis=1)
    offsets = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
    return arrow.ListArray.from_arrays(
        arrow.array(offsets, arrow.int32()), arrow.array(ranks[inside], arrow.int32())
    )


def _arrange(tree: pa.Table, board: LineBoard, first: Color, before: Sequence[int]) -> pa.Table:
    arrow = load_pyarrow()
    depths, games = tree["depth"].to_numpy(), tree["games"].to_numpy()
    levels = [np.flatnonzero(depths == depth) for depth in range(depths.max() + 1)]
    parents, places = np.zeros((2, len(depths)), np.int64)
    sizes = np.ones(len(depths), np.int64)
    for above, here in pairwise(levels):
        parents[here] = above[np.searchsorted(above, here) - 1]
    for here in levels[:0:-1]:
        np.add.at(sizes, parents[here], sizes[here])
    points = board.point(tree["rank"].fill_null(0).to_numpy())
    names = names_of_moves(board)
    moves = arrow.array([" ".join(names[point + 1] for point in before)])
    found = [moves]
    for above, here in pairwise(levels):
        inside = arrow.array(np.searchsorted(above, parents[here]))
        words = arrow.array(names).take(arrow.array(points[here] + 1))
        moves = arrow.compute.binary_join_element_wise(moves.take(inside), words, " ")
        moves = arrow.compute.utf8_ltrim_whitespace(moves)
        found.append(moves)
        # frequent ones first, each before its continuations
        ordered = here[np.lexsort((here, -games[here], parents[here]))]
        of = parents[ordered]
        starts = np.cumsum(sizes[ordered]) - sizes[ordered]
        places[ordered] = places[of] + 1 + starts - starts[np.searchsorted(of, of)]
    order = arrow.array(np.argsort(places))
    by_level = arrow.array(np.argsort(np.concatenate(levels)))
    is_start = arrow.array(depths == 0)
    sides = [first.value, first.opponent.value]
    colors = arrow.array(sides).take(arrow.array((len(before) + depths - 1) % 2))
    none = arrow.compute.if_else
    return arrow.table(
        {
            "moves": arrow.concat_arrays(found).take(by_level),
            "depth": tree["depth"],
            "move": none(is_start, None, arrow.array(names).take(arrow.array(points + 1))),
            "color": none(is_start, None, colors),
            "point": none(is_start, None, arrow.array(points, arrow.int32())),
            "games": tree["games"],
            "share": games / np.maximum(games[parents], 1),
            **{name: tree[name] for name in ("black_wins", "white_wins", "draws", "unknown")},
            **{name: tree[name] for name in ("black_score", "year_first", "year_last", "strength")},
        }
    ).take(order)


def names_of_moves(board: LineBoard) -> list[str]:
    """Return the name of a pass, and those of all points."""
    names = Coordinates.of(board.gm, board.size)
    points = [Point(column, row) for row in range(board.rows) for column in range(board.columns)]
    return ["pass", *map(names.name, points)]


# ---- text ----


def _draw_tree(found: Openings, *, ascii_only: bool) -> Iterator[str]:
    fork, corner, bar = ("|- ", "`- ", "|  ") if ascii_only else ("├─ ", "└─ ", "│  ")
    names = ("depth", "move", "games", "share", "black_score")
    rows = list(zip(*(found.table[name].to_pylist() for name in names), strict=True))
    is_last = _last_children([row[0] for row in rows])
    open_: list[str] = []
    shown = []
    for (depth, move, games, share, score), last in zip(rows, is_last, strict=True):
        del open_[max(depth - 1, 0) :]
        head = "".join(open_) + (corner if last else fork) + move if depth else found.title
        black = () if score is None else [f"Black {score:4.0%}"]
        shown.append(Row((head, f"{games:,}", f"{share:6.1%}"), black))
        if depth:
            open_.append("   " if last else bar)
    for _, line in align(shown, right={1, 2}):
        yield "".join(piece if isinstance(piece, str) else piece[0] for piece in line)


def _last_children(depths: list[int]) -> list[bool]:
    following: set[int] = set()
    found = []
    for depth in reversed(depths):
        found.append(depth not in following)
        following = {other for other in following if other < depth} | {depth}
    return found[::-1]
