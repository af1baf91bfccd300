"""Rows of the tables games, moves, positions, lives and analysis, collected for many games.

>>> rows = GameRows()
>>> for number, game in enumerate(collection):
...     rows.add(game, RowPlace("games.sgf", game=number))
>>> batches = rows.batches()  # {"games": pyarrow.RecordBatch, "moves": pyarrow.RecordBatch}
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import (
    LETTERED_SIDE,
    TIMES,
    Application,
    Clock,
    Content,
    Format,
    GameTree,
    Nodes,
    PartialDate,
    Result,
    RuleSet,
    fold_name,
    possible_days,
)
from sgf_lark.positions.keys import symmetric_keys
from sgf_lark.positions.replay import Replay
from sgf_lark.positions.start import BACKGAMMON_SIZE, start
from sgf_lark.report.tables import HASH_BYTES, load_pyarrow

from .line import (
    LONG,
    NONE,
    MainLine,
    Points,
    PointsOfKinds,
    Setups,
    board_size,
    dyer,
    find_setups,
    points_of_kinds,
)
from .positions import find_evaluations, find_lives, find_positions
from .scan import ANNOTATIONS, Scan, canonical_value, game_id
from .table_rows import TableRows, real, whole

if TYPE_CHECKING:
    import pyarrow as pa


#: In place of the size of a board that is not known.
NO_BOARD = BACKGAMMON_SIZE


class RowPlace(NamedTuple):
    """The place of a game: the columns of ``games`` that it does not know of itself.

    Attributes:
        source: The path or address of the file.
        member: The name of the record in an archive; "" for other files.
        game: The number of the game in its record, from 0.
        offset, length: The bytes of the game in its record.
        bytes_hash: Of these bytes: :func:`.bytes_hash`.
        errors, warnings, infos: The numbers of findings in the game.
    """

    source: str = ""
    member: str = ""
    game: int = 0
    offset: int = 0
    length: int = 0
    bytes_hash: bytes = bytes(HASH_BYTES)
    encoding: str = "UTF-8"
    errors: int = 0
    warnings: int = 0
    infos: int = 0


class GameFacts:
    """The facts about a game; ``tables.tsv`` says which column has which."""

    def __init__(
        self,
        game_id: int,
        game: GameTree,
        place: RowPlace,
        scan: Scan,
        points: Points,
        moves: Sequence[int],
    ) -> None:
        self.game_id, self.game, self.place, self.scan = game_id, game, place, scan
        self.line = _find_line(game.nodes, scan, points, moves)
        self.info, size = game.info, points.size
        self.columns, self.rows = size and size.columns, size and size.rows
        self.nodes, self.variations = len(game.nodes), len(game.nodes.tree.starts)
        root = game.nodes.contents[0]
        self.raw = RawTexts(root, self.info.raw)
        self.application, self.version = find_program(root)
        self.days = find_days(self.info.dates or possible_days(self.raw.DT or ""))
        self.outcome = find_outcome(self.info.result)
        self.clock = find_clock(self.info.clock)
        sides = (self.info.black, self.info.white)
        self.black_player, self.white_player = (fold_name(side.name) for side in sides)
        ranks = (side.rank_value for side in sides)
        self.black_strength, self.white_strength = (rank and rank.strength for rank in ranks)

    @property
    def depth(self) -> int:
        return max(self.game.nodes.tree.depths) + 1

    @property
    def time_limit(self) -> float | Decimal | None:
        """The seconds of each player, where the format gives their unit."""
        info, format = self.info, self.game.format
        if format is Format.GGF:
            clocks = (info.clock, info.black.clock, info.white.clock)
            seconds = [clock.initial.seconds for clock in clocks if clock and clock.initial]
            return seconds[0] if len(set(seconds)) == 1 else None
        return info.time_limit if format is Format.FF4 else None


class RawTexts:
    """The texts of the size and the game info by their identifiers.

    Several values have the brackets between them.
    """

    def __init__(self, root: Content, info: Mapping[str, tuple[str, ...]]) -> None:
        sizes = {prop.ident: prop.raw for prop in reversed(root) if prop.ident == "SZ"}
        self._values = sizes | {**info}

    def __getattr__(self, ident: str) -> str | None:
        values = self._values.get(ident)
        return None if values is None else "][".join(values)

    @property
    def time(self) -> str | None:
        """The time of the players: in GGF it has another identifier."""
        return self.TI if self.TM is None else self.TM


def find_program(root: Content) -> tuple[str | None, str | None]:
    """Return the name and the version of the program of a game (AP)."""
    value = next((prop.value for prop in root if prop.ident == "AP"), None)
    if isinstance(value, Application):
        return value.name, value.version
    return value if isinstance(value, str) else None, None


class GameOutcome(NamedTuple):
    """Winner, margin and ending of a result; see the table ``games``."""

    winner: str | None = None
    margin: Decimal | None = None
    ending: str | None = None


def find_outcome(result: Result | None) -> GameOutcome:
    if result is None:
        return GameOutcome()
    ending = "score" if result.margin is not None else "unknown"
    return GameOutcome(
        "draw" if result.code == "draw" else result.winner and str(result.winner),
        None if result.score is None else abs(result.score),
        ending if result.ending is None else str(result.ending),
    )


class ClockParts(NamedTuple):
    """The parts of a clock; see the table ``games``."""

    system: str | None = None
    periods: int | None = None
    period: float | None = None
    stones: int | None = None
    increment: float | None = None


def find_clock(clock: Clock | None) -> ClockParts:
    if clock is None:
        return ClockParts()
    extension = clock.extension
    return ClockParts(
        clock.system,
        clock.periods,
        extension.seconds or None,
        extension.moves if clock.system == "canadian" else None,
        clock.increment.seconds or None,
    )


class DateSpan(NamedTuple):
    """The first and the last day that some dates name; None without a date."""

    first: dt.date | None = None
    last: dt.date | None = None


def find_days(dates: Iterable[dt.date | PartialDate]) -> DateSpan:
    """Return the days of dates: a month or a year without a day has all its days.

    Years are 1 to 9999.
    """
    spans = [span for span in map(_span, dates) if span is not None]
    firsts, lasts = ([span[at] for span in spans] for at in (0, 1))
    return DateSpan(min(firsts, default=None), max(lasts, default=None))


def _span(date: dt.date | PartialDate) -> tuple[dt.date, dt.date] | None:
    if not isinstance(date, PartialDate):
        return date, date
    if not dt.MINYEAR <= date.year <= dt.MAXYEAR:
        return None
    first, last = dt.date(date.year, date.month or 1, 1), date.month or 12
    return first, dt.date(date.year, last, monthrange(date.year, last)[1])


# ---- the main line ----


class LineFacts(NamedTuple):
    moves: int
    first_color: str | None
    setup: Setups
    # of setup and moves, and the smallest one under symmetries and colors
    hash: int | None
    hash_symmetric: int | None
    points: Sequence[int] | None  # its points; None if a move is more than a point
    # its signature, and the smallest one under symmetries
    dyer: str | None
    dyer_symmetric: str | None
    key: int | None
    key_symmetric: int | None


def _find_line(nodes: Nodes, scan: Scan, points: Points, moves: Sequence[int]) -> LineFacts:
    count = bisect_right(scan.nodes, scan.end)
    line, idents, raws = moves[:count], scan.idents[:count], scan.raws[:count]
    setups, size, game = find_setups(nodes, scan, points.size), points.size, nodes.rules.game
    is_long = LONG in line
    hashes: tuple[int | None, int | None] = None, None
    if line and setups.parts is not None:
        made = MainLine(game, size or NO_BOARD, idents, setups.parts)
        if is_long or size is None:
            hashes = made.of_values([*map(points.value, idents, raws)])
        else:
            words = [raw for raw, point in zip(raws, line, strict=True) if point == NONE]
            hashes = made.of_points(line, [*map(canonical_value, words)])
    is_of_points = not is_long and size is not None and max(line, default=NONE) > NONE
    return LineFacts(
        count,
        idents[0] if idents else None,
        setups,
        *hashes,
        line if is_of_points else None,
        *(dyer(game, size, line) if is_of_points and size is not None else (None, None)),
        *_final_keys(nodes),
    )


def _final_keys(nodes: Nodes) -> tuple[int | None, int | None]:
    """Return the key of the last position of the main line, and its symmetric key.

    None if the board is not known: no rules are known, the first board is missing, or a move
    could not be carried out.
    """
    state = nodes.end  # the check of the game has played it
    if state is None:
        try:
            state = start(nodes.contents, nodes.rules)
        except ValueError:
            return None, None
        replay = Replay(nodes.contents, nodes.rules, state)
        for _ in replay.of_nodes(nodes.tape, nodes.tree.main_line(), None):
            pass
        if not replay.is_known:
            return None, None
    keys = [*symmetric_keys(state).values()]
    return keys[0], min(keys)


#: The tables of which a game has rows.
TABLES = ("games", "moves", "positions", "lives", "analysis")


class GameRows:
    """Collects rows of games.  Games are kept no longer than :meth:`add` takes."""

    def __init__(
        self, tables: Iterable[str] = ("games", "moves"), points: PointsOfKinds | None = None
    ) -> None:
        self.rows = {table: TableRows(table) for table in tables}
        unknown = self.rows.keys() - {*TABLES}
        if unknown:
            raise ValueError(f"no table {min(unknown)!r} of a game: there are {', '.join(TABLES)}")
        self._points = points_of_kinds() if points is None else points

    def add(self, game: GameTree, place: RowPlace) -> int:
        """Add the rows of a game (ValueError: nodes of the game were left out (``info_only``))."""
        nodes = game.nodes
        nodes.require_all()
        number = game_id(place.source, place.member, place.offset)
        scanned, size = Scan(nodes), board_size(nodes)
        points = self._points[nodes.rules, size]
        moves = points.of(scanned.idents, scanned.raws)
        rows = self.rows
        if "games" in rows:
            rows["games"].add(GameFacts(number, game, place, scanned, points, moves))
        if "moves" in rows:
            rows["moves"].extend(MoveFacts(number, game, scanned, moves))
        is_lettered = size is None or max(size) <= LETTERED_SIDE
        if "positions" in rows and is_lettered:
            rows["positions"].add_rows(find_positions(number, nodes, scanned, moves))
        if "lives" in rows and is_lettered:
            rows["lives"].add_rows(find_lives(number, nodes, scanned))
        if "analysis" in rows:
            rows["analysis"].add_rows(find_evaluations(number, nodes, scanned))
        return number

    def batches(self) -> dict[str, pa.RecordBatch]:
        """Return the rows that were added since the last call, a batch for each table."""
        return {table: rows.batches()[0] for table, rows in self.rows.items()}


class MoveFacts:
    """The facts about the moves of a game, of each a list with an entry for each move."""

    def __init__(self, game_id: int, game: GameTree, scanned: Scan, moves: list[int]) -> None:
        nodes = game.nodes
        played, tree = scanned.nodes, nodes.tree
        count = len(played)
        plays = bytearray(len(nodes))
        for node in played:
            plays[node] = True
        on_main = bisect_right(played, scanned.end)
        self.game_id = repeat(game_id, count)
        self.node = played
        self.parent = map(nodes.parents.__getitem__, played)
        self.path = tree.paths(played)
        self.main = [True] * on_main + [False] * (count - on_main)
        self.number = map(tree.counts(plays).__getitem__, played)
        self.color, self.raw = scanned.idents, scanned.raws
        self.point = [point if point > NONE else None for point in moves]
        none: list[Any] = [None] * count
        self.time_left, self.periods, self.comment = none, none[:], none[:]
        self.time_used = map(game.times_used.get, played)
        self.annotations = [0] * count
        self._look_beside(scanned, nodes.rules)

    def _look_beside(self, scanned: Scan, rules: RuleSet) -> None:
        readings = rules.readings
        for at, beside in scanned.beside.items():
            time, period = TIMES[scanned.idents[at]]
            for ident, raws in beside.items():
                if ident == "C":
                    value = readings[ident][raws].value
                    self.comment[at] = value if isinstance(value, str) else None
                elif ident == time:
                    self.time_left[at] = real(readings[ident][raws].value)
                elif ident == period:
                    self.periods[at] = whole(readings[ident][raws].value)
                else:
                    self.annotations[at] |= ANNOTATIONS.get(ident, 0)


def tabulate(game: GameTree) -> pa.Table:
    """Return the moves of a game as a table, as :meth:`sgf_lark.GameTree.to_arrow` has it."""
    arrow, rows = load_pyarrow(), GameRows(["moves"])
    rows.add(game, RowPlace())
    return arrow.Table.from_batches([*rows.batches().values()])
