"""Openings: the first moves of many games, as a tree with counts and results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.api.misuse import require_archive
from sgf_lark.boards.arrays import load_numpy
from sgf_lark.boards.board import Board, find_game
from sgf_lark.boards.coordinates import IN_LETTERS, Coordinates
from sgf_lark.boards.symmetry import Transformation
from sgf_lark.schema.games import Game
from sgf_lark.schema.tables import load_pyarrow
from sgf_lark.schema.values import PASS as PASS_MOVE, BoardSize, Color, Point

from .lines import PASS, Array, LineBoard, read_lines
from .opening_tree import OpeningTree

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc

    from sgf_lark.archive.archive import Archive

#: Limit of the moves of an opening, those of ``at`` included.
MAX_MOVES = 200

#: Limit of the kinds of games that an error names.
MAX_NAMED = 5

#: Moves that are written without spaces between them: Q16D4, pddp, passes.
_MOVE = re.compile(r"pass|[a-z]{1,2}[0-9]{1,3}|[0-9]{2}", re.IGNORECASE)
_LETTERS = re.compile(r"(?:[a-zA-Z]{2})+")

#: Columns of the table games that are read besides the lines.
_COLUMNS = (
    *("game_id", "gm", "columns", "rows", "setup_black", "setup_white", "handicap"),
    *("winner", "date_first", "black_strength", "white_strength"),
)


class Openings(NamedTuple):
    """The first moves of the games of one kind and size.

    Attributes:
        game: The kind of game.
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
        archive: The archive.
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
    games = archive.games.dataset.to_table(columns=_columns())
    board = _choose_board(games, game, size)
    before = parse_moves(at or "", board.gm, board.size)
    if len(before) + moves > MAX_MOVES:
        raise ValueError(f"an opening has at most {MAX_MOVES} moves")
    alike = _on_board(games, board)
    counted = alike & _with_handicap(games, board, handicap)
    first, begun = _first_side(archive, games, counted)
    counted &= begun
    ways = _ways(board) if symmetric and not handicap else board.ways()[:1]
    chosen, ranks = [], []
    for lines in read_lines(archive):
        here = counted[lines.first : lines.first + len(lines.known)] & lines.known
        numbers = load_numpy().flatnonzero(here) + lines.first
        starts = lines.beginnings(numbers, len(before) + moves)
        matching, turned = _turn(starts, board, ways, before, in_any_order=transpositions)
        chosen.append(numbers[matching])
        ranks.append(turned)
    tree = OpeningTree(board, first, before, min_games)
    table = tree.count(games, load_numpy().concatenate(chosen), load_numpy().concatenate(ranks))
    left_out = int(alike.sum() - counted.sum())
    return Openings(find_game(board.gm), board.size, first, before, left_out, table)


def parse_moves(text: str, gm: int, size: BoardSize) -> tuple[int, ...]:
    """Return the points of moves: row x columns + column, -1 a pass.

    Args:
        text: Names of points, as players or as SGF write them, with or without white space and
            commas between them.
        gm: Number of the kind of game.
        size: Columns and rows.

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


def _columns() -> dict[str, pc.Expression]:
    """Return what is read of the games: some columns, and whether their moves are points."""
    from pyarrow import compute

    is_line = {"is_line": compute.field("line").is_valid()}
    return {name: compute.field(name) for name in _COLUMNS} | is_line


def _choose_board(
    games: pa.Table, game: Game | int | str | None, size: int | tuple[int, int] | None
) -> LineBoard:
    """Return the kind of game and the size that are asked for, else the most frequent ones."""
    gm = None if game is None else find_game(game).number
    sides = (size, size) if isinstance(size, int) else size
    names = [*LineBoard._fields]
    lines = games.select(names).filter(games["is_line"]).drop_null()
    counts = {
        LineBoard(*(row[name] for name in names)): row["count_all"]
        for row in lines.group_by(names).aggregate([([], "count_all")]).to_pylist()
    }
    ranked = sorted(counts, key=lambda board: (-counts[board], board))
    for board in ranked:
        if gm in {None, board.gm} and sides in {None, board.size}:
            return board
    of = "" if game is None else f" of {find_game(game).name}"
    on = "" if sides is None else f" on {sides[0]}x{sides[1]}"
    has = ", ".join(f"{_name(board)} ({counts[board]:,})" for board in ranked[:MAX_NAMED])
    others = f"; it has {has}" if has else ""
    raise ValueError(f"the archive has no games{of}{on} whose moves are points{others}")


def _name(board: LineBoard) -> str:
    return f"{find_game(board.gm).name} {board.columns}x{board.rows}"


def _on_board(games: pa.Table, board: LineBoard) -> Array:
    np = load_numpy()
    alike: Array = np.ones(len(games), bool)
    for name, value in board._asdict().items():
        alike &= games[name].fill_null(-1).to_numpy() == value
    alike &= games["is_line"].to_numpy()
    return alike


def _with_handicap(games: pa.Table, board: LineBoard, handicap: int) -> Array:
    """Tell which games begin with these handicap stones and nothing else."""
    setup = (games[name].fill_null(-1).to_numpy() for name in ("setup_black", "setup_white"))
    black, white = setup
    if handicap:
        found: Array = (black == handicap) & (white == 0)
        return found
    start = _start(board)
    usual = [len(start.stones(color)) if start else 0 for color in Color]
    plain = (black == 0) & (white == 0) | (black == usual[0]) & (white == usual[1])
    even: Array = plain & (games["handicap"].fill_null(0).to_numpy() == 0)
    return even


def _start(board: LineBoard) -> Board | None:
    """Return the board at the start of a game; None if no rules of it are known."""
    try:
        return Board(board.gm, board.size)
    except ValueError:
        return None


def _ways(board: LineBoard) -> tuple[Transformation, ...]:
    """Return the symmetries after which the start of a game is as it was."""
    start = _start(board)
    ways = board.ways()
    if start is None:
        return ways[:1]
    return tuple(
        way for way in ways if not way.exchanges_sides and start.transformed(way.symmetry) == start
    )


def _first_side(archive: Archive, games: pa.Table, counted: Array) -> tuple[Color, Array]:
    """Return the side that begins most games, and the games that it begins."""
    from pyarrow import compute

    np, pa = load_numpy(), load_pyarrow()
    first = (compute.field("number") == 1) & compute.field("main")
    moves = archive.moves.to_table(columns=["game_id", "color"], filter=first)
    by_white = moves["game_id"].filter(compute.equal(moves["color"], "W"))
    whites = compute.is_in(games["game_id"], value_set=by_white.cast(pa.int64()))
    white: Array = whites.to_numpy()
    if np.count_nonzero(white & counted) * 2 > np.count_nonzero(counted):
        return Color.WHITE, white
    return Color.BLACK, ~white


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

    Args:
        lines: Points, a line in each row.
        board: The board.
        ways: The symmetries.
        before: The points of the moves.
        in_any_order: The moves of each side may be in another order.
    """
    np = load_numpy()
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
    """Return ranks of moves with those of each side sorted."""
    np = load_numpy()
    ranks = ranks.copy()
    for side in (0, 1):
        ranks[:, side::2] = np.sort(ranks[:, side::2], axis=1)
    return ranks


# ---- text ----


def _draw_tree(found: Openings, *, ascii_only: bool) -> Iterator[str]:
    """Yield the lines of a tree."""
    fork, corner, bar = ("|- ", "`- ", "|  ") if ascii_only else ("├─ ", "└─ ", "│  ")
    names = ("depth", "move", "games", "share", "black_score")
    rows = list(zip(*(found.table[name].to_pylist() for name in names), strict=True))
    is_last = _last_children([row[0] for row in rows])
    open_: list[str] = []
    shown = []
    for (depth, move, games, share, score), last in zip(rows, is_last, strict=True):
        del open_[max(depth - 1, 0) :]
        head = "".join(open_) + (corner if last else fork) + move if depth else _title(found)
        shown.append((head, games, share, score))
        if depth:
            open_.append("   " if last else bar)
    width = max(len(head) for head, *_ in shown)
    digits = max(len(f"{games:,}") for _, games, *_ in shown)
    for head, games, share, score in shown:
        black = "" if score is None else f"  Black {score:4.0%}"
        yield f"{head:{width}}  {games:>{digits},}  {share:6.1%}{black}"


def _title(found: Openings) -> str:
    columns, rows = found.size
    before = found.table["moves"][0].as_py()
    return f"{found.game.name} {columns}x{rows}{' after ' + before if before else ''}"


def _last_children(depths: list[int]) -> list[bool]:
    """Tell of each row if no other one with the same parent follows."""
    following: set[int] = set()
    found = []
    for depth in reversed(depths):
        found.append(depth not in following)
        following = {other for other in following if other < depth} | {depth}
    return found[::-1]
