"""Games that an archive has more than once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from sgf_lark.api.misuse import require_archive
from sgf_lark.boards.arrays import load_numpy
from sgf_lark.schema.tables import load_pyarrow

from .groups import NO_KEY, Groups, encode, similar
from .keeping import Duplicates, choose_kept
from .lines import PASS, Array, LineBoard, Lines, fetch_lines, read_lines
from .reasons import MIN_MOVES, Reason

if TYPE_CHECKING:
    from sgf_lark.archive.archive import Archive

#: Part of the moves of the longer one that two games with one signature share if they are one
#: game: real games of Othello with an equal signature and number of moves share two thirds, and
#: are two.
SIGNED_AGREEMENT = 9 / 10

#: The same of games with one last position, in which the order of the moves may differ.
FINAL_AGREEMENT = 2 / 3

#: Number of moves by which candidates for a common beginning are found.
BEGINNING = 20

#: Moves at the end of a line that may be passes.
MAX_PASSES = 3

#: A prime number near the golden ratio of 2 ** 64: hashes of beginnings are powers of it.
_FACTOR = 0x9E3779B97F4A7C55

#: Columns of the table games that are read of all games.
_COLUMNS = (
    *("bytes_hash", "text_hash", "line_hash", "line_hash_symmetric", "dyer_symmetric"),
    *("key_final_symmetric", "gm", "columns", "rows", "moves", "setup_black", "setup_white"),
)


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
        archive: The archive.
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
    search = _Search(archive, min_moves)
    return search.run([reason for reason in Reason if reason in chosen])


class _Search:
    """The search for duplicates.

    Attributes:
        archive: The archive.
        min_moves: Number of moves of the shortest games.
        games: Columns of the table games.
        groups: The groups so far.
        played: Number of moves of each game without the passes at its end.
    """

    def __init__(self, archive: Archive, min_moves: int) -> None:
        np = load_numpy()
        self.archive = archive
        self.min_moves = min_moves
        self.games = archive.games.to_table(columns=list(_COLUMNS))
        self.groups = Groups(len(self.games))
        self.moves = self._numbers("moves")
        setup = self._numbers("setup_black"), self._numbers("setup_white")
        self.stones = np.minimum(*setup), np.maximum(*setup)
        self.board = encode([self.games[name] for name in ("gm", "columns", "rows")])
        self.played = self.moves.copy()
        self._beginnings = np.full(len(self.moves), NO_KEY, np.int64)
        self._boards = self._named_boards()
        for lines in self._lines():
            self._look(lines)

    def _numbers(self, name: str) -> Array:
        np = load_numpy()
        numbers: Array = self.games[name].fill_null(-1).to_numpy().astype(np.int64)
        return numbers

    def _lines(self) -> Iterable[Lines]:
        return read_lines(self.archive)

    def _named_boards(self) -> dict[int, LineBoard]:
        """Return the boards by their codes."""
        np = load_numpy()
        codes, first = np.unique(self.board, return_index=True)
        rows = self.games.select(["gm", "columns", "rows"]).take(first).to_pylist()
        return {
            code: LineBoard(**row)
            for code, row in zip(codes.tolist(), rows, strict=True)
            if code != NO_KEY
        }

    def run(self, reasons: list[Reason]) -> Duplicates:
        """Return the groups by these reasons."""
        levels = []
        for reason in reasons:
            self._join(reason)
            levels.append((reason.value, self.groups.roots()))
        return choose_kept(self.archive, levels, self.played)

    def _join(self, reason: Reason) -> None:
        match reason:
            case Reason.BYTES:
                self.groups.join_equal(encode([self.games["bytes_hash"]]))
            case Reason.TEXT:
                self.groups.join_equal(encode([self.games["text_hash"]]))
            case Reason.LINE:
                self._join_lines("line_hash")
            case Reason.SYMMETRIC:
                self._join_lines("line_hash_symmetric")
            case Reason.DYER:
                self._join_similar(self._key("dyer_symmetric"), SIGNED_AGREEMENT)
                self._join_similar(self._final("dyer_symmetric"), FINAL_AGREEMENT)
            case Reason.PREFIX:
                self._join_beginnings()
            case Reason.FINAL:
                self._join_similar(self._final("moves"), FINAL_AGREEMENT)

    # ---- keys ----

    def _join_lines(self, name: str) -> None:
        codes = encode([self.games["gm"].fill_null(0), self.games[name]])
        short = self.moves + sum(self.stones) < self.min_moves
        codes[short | (self.moves == 0)] = NO_KEY
        self.groups.join_equal(codes)

    def _final(self, other: str) -> Array:
        return self._key(other, "key_final_symmetric")

    def _key(self, *names: str) -> Array:
        """Return codes of long games on one board by columns; of those that have a line."""
        codes = encode([self.board, *(self.games[name] for name in names)])
        codes[(self.moves < max(self.min_moves, 1)) | (self._beginnings == NO_KEY)] = NO_KEY
        return codes

    def _join_similar(self, codes: Array, agreement: float) -> None:
        """Join games with an equal key and nearly equal lines."""
        np = load_numpy()
        roots = self.groups.roots()
        members = [game for games in similar(codes, roots) for game in games]
        lines = self._fetch(np.array(sorted(members), np.int64))
        self.groups.join_similar(codes, partial(self._agree, lines, agreement))

    def _fetch(self, games: Array) -> dict[int, Array]:
        if not len(games):
            return {}
        return fetch_lines(self.archive, games)

    def _agree(self, lines: dict[int, Array], agreement: float, game: int, other: int) -> bool:
        """Tell if the lines of two games are nearly equal under a symmetry of their board."""
        board = self._boards[int(self.board[game])]
        line = lines.get(game)
        another = lines.get(other)
        if line is None or another is None:
            return False
        first, *_ = ways = board.ways()
        length, longest = sorted((len(line), len(another)))
        ranks = board.rank(line[:length], first)
        equal = max(int((board.rank(another[:length], way) == ranks).sum()) for way in ways)
        is_beginning = equal == length < longest  # another reason
        return equal >= agreement * longest and not is_beginning

    # ---- beginnings ----

    def _look(self, lines: Lines) -> None:
        """Count the moves before the passes at the end, and hash the beginnings of lines."""
        np = load_numpy()
        end = lines.first + len(lines.known)
        ended = lines.known.copy()
        for back in range(1, MAX_PASSES + 1):
            ended &= lines.lengths >= back
            places = np.where(ended, lines.starts[1:] - back, 0)
            if len(lines.points):
                ended &= lines.points[places] == PASS
            self.played[lines.first : end] -= ended
        least = min(max(self.min_moves, 1), BEGINNING)
        long = lines.known & (lines.lengths >= max(self.min_moves, 1))
        games = np.flatnonzero(long) + lines.first
        codes = self.board[games]
        for code in np.unique(codes[codes != NO_KEY]).tolist():
            board, here = self._boards[code], games[codes == code]
            ranks = board.canonical(lines.beginnings(here, least), board.ways())
            hashes = np.zeros(len(here), np.uint64)
            for column in ranks.T:
                hashes = hashes * np.uint64(_FACTOR) + column.astype(np.uint64) + np.uint64(1)
            self._beginnings[here] = (hashes >> np.uint64(1)).astype(np.int64)

    def _join_beginnings(self) -> None:
        """Join each game that is broken off with the only one that it begins."""
        np = load_numpy()
        place = encode([self.board, *self.stones])
        known = np.flatnonzero((self._beginnings != NO_KEY) & (place != NO_KEY))
        hashes = self._beginnings[known]
        _, which, count = np.unique(hashes, return_inverse=True, return_counts=True)
        lines = self._fetch(known[count[which] > 1])
        ways = {code: board.ways() for code, board in self._boards.items()}
        texts = []
        for game, line in lines.items():
            code = int(self.board[game])
            text = self._boards[code].canonical_text(line, ways[code])
            texts.append((int(place[game]), text, game))
        lines.clear()
        texts.sort()
        _join_prefixes(self.groups, texts)


def _join_prefixes(groups: Groups, texts: list[tuple[int, bytes, int]]) -> None:
    """Join games whose text begins that of another one.

    Args:
        groups: The groups of the games.
        texts: Place, text and number of games, sorted: what a text begins follows it.
    """
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


def _same(groups: Groups, game: int, other: int) -> bool:
    return other != _UNLIKE and groups.find(game) == groups.find(other)
