"""Groups of duplicates: the game of each that is kept, and the files that are not needed."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

from sgf_lark.archive.records.reading import find_path
from sgf_lark.archive.sources import is_address, known_time
from sgf_lark.core import Color
from sgf_lark.positions.arrays import np
from sgf_lark.report.tables import load_pyarrow

from .reasons import Reason

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.archive.archive import Archive
    from sgf_lark.archive.rows.table_rows import Array


#: Columns of the table games that say where a game is.
PLACE = ("source", "member", "game", "offset", "length")

#: Those of the game info: a richer header has more of them.
HEADER = (
    *("black", "white", "black_rank", "white_rank", "black_team", "white_team", "event", "place"),
    *("round", "name", "rules", "overtime", "raw_date", "raw_result", "raw_komi", "raw_handicap"),
    "raw_time",
)

#: Columns that are read of the games of groups.
_COLUMNS = (
    *("game_id", *PLACE, "format", "encoding", "moves", "variations", "comments", "errors"),
    *("winner", "date_first", "date_last", *HEADER),
)

#: What may stand between the words of a name, or in it, without a difference.
_NO_WORD = re.compile(r"[\W_]+")

#: Winners after an exchange of the sides.
_EXCHANGED = {color.value: color.opponent.value for color in Color}


class Duplicates(NamedTuple):
    """Games that an archive has more than once.

    Attributes:
        table: A row for each game of a group; the groups in the order of their first games, in
            each the kept game, then the others in the order of the archive.  Columns:

            * group: number of the group, from 1;
            * keep: the game is kept;
            * reason: the strongest reason that joins the game with the kept one; of the kept
              one, the strongest of all;
            * differs: what contradicts the header of the kept game: players, date, result, with
              commas between them; "" if nothing does;
            * game_id, source, member, game, offset, length, format, encoding, moves, black,
              white, raw_date, raw_result: as in the table games;
            * header: number of values of its game info.

            Of a group the game with most moves is kept (passes at the end are not counted), of
            these the one with the richest header, then with most comments and variations, with
            the fewest errors, and the first one.
        files: Number of games in each file that has a duplicate.
        folder: The folder to which relative sources belong.
        states: Size and time (nanoseconds since 1970) of each source of a group, as it was read.
    """

    table: pa.Table
    files: dict[str, int]
    folder: str = ""
    states: Mapping[str, tuple[int, int | None]] = MappingProxyType({})

    @property
    def groups(self) -> int:
        """Number of groups."""
        return int(load_pyarrow().compute.max(self.table["group"]).as_py() or 0)

    def counts(self) -> dict[str, int]:
        """Count the games that are not kept by what speaks for it.

        Returns:
            ``certain``: all moves are those of the kept game, perhaps turned or mirrored;
            ``likely``: most of them; ``contradicting``: the header contradicts the kept game.
        """
        counts = dict.fromkeys(("certain", "likely", "contradicting"), 0)
        names = (self.table[name].to_pylist() for name in ("keep", "reason", "differs"))
        for keep, reason, differs in zip(*names, strict=True):
            if not keep:
                is_certain = Reason(reason).is_certain
                kind = "contradicting" if differs else "certain" if is_certain else "likely"
                counts[kind] += 1
        return counts

    def delete_list(self, *, contradicting: bool = False) -> list[str]:
        """Return the files that are not needed: each of their games is kept elsewhere.

        A file with a kept game, or with a game that has no duplicate, is not among them, nor is
        an archive or an address.  Comments and variations that the kept game lacks are lost with
        a file; ``merge`` keeps them.

        A file that is gone or has changed since it was read is not among them, nor is one whose
        games are kept in such a file, or in the same file by another path.

        Args:
            contradicting: Also files whose headers contradict those of the kept games.

        Returns:
            Their paths, sorted: as the archive has them, or absolute if it was built in another
            folder than the current one.  None begins with ``-``, which is an option for ``rm``.
        """
        names = ("group", "source", "keep", "differs")
        rows = list(zip(*(self.table[name].to_pylist() for name in names), strict=True))
        holders = {group: source for group, source, keep, _ in rows if keep}
        found = self._find_files()
        needless = Counter(
            source
            for group, source, keep, differs in rows
            if not keep and (contradicting or not differs)
            if None not in (files := {found[source], found[holders[group]]}) and len(files) > 1
        )
        is_here = self.folder in {"", os.getcwd()}  # noqa: PTH109  # the text of a manifest
        paths = (
            find_path(path if is_here else os.path.join(self.folder, path))  # noqa: PTH118
            for path, games in needless.items()
            if self.files.get(path) == games
        )
        return sorted(f"./{path}" if path.startswith("-") else path for path in paths)

    def changed(self) -> list[str]:
        """Return the sources of groups that are gone or have changed since they were read."""
        return [source for source, file in self._find_files().items() if file is None]

    def _find_files(self) -> dict[str, object]:
        """Return what tells the file of each source from others; None if it has changed."""
        return {
            source: source if is_address(source) else _find_file(self.folder, source, state)
            for source, state in self.states.items()
        }


def _find_file(folder: str, source: str, state: tuple[int, int | None]) -> object:
    """Return device and number of a file; None if it is gone or has not this size and time."""
    try:
        found = os.stat(find_path(os.path.join(folder, source)))  # noqa: PTH116, PTH118  # any path
    except (OSError, ValueError):
        return None
    is_same = (found.st_size, known_time(found.st_mtime_ns)) == state
    return (found.st_dev, found.st_ino) if is_same else None


def format_delete_list(paths: Iterable[str], *, null: bool = False) -> bytes:
    r"""Return paths for other programs, each with an end.

    Args:
        null: The end is a NUL, for ``xargs -0``; if not, a line break, for ``xargs -d '\n'``.

    Raises:
        ValueError: A path has a line break, and ``null`` is not asked for.
    """
    paths = list(paths)
    if not null:
        broken = next((path for path in paths if "\n" in path), None)
        if broken is not None:
            raise ValueError(f"{broken!r} has a line break: separate the paths by NUL")
    end = "\0" if null else "\n"
    return "".join(path + end for path in paths).encode(errors="surrogateescape")


def choose_kept(archive: Archive, levels: Sequence[tuple[str, Array]], played: Array) -> Duplicates:
    """Return the groups of duplicates, with the kept game of each."""
    pa = load_pyarrow()
    roots = levels[-1][1]
    sizes = np.bincount(roots, minlength=len(roots))
    members = np.flatnonzero(sizes[roots] > 1)
    members = members[np.argsort(roots[members], kind="stable")]
    rows = archive.games.dataset.take(pa.array(members), columns=list(_COLUMNS))
    header = sum(
        (rows[name].is_valid().to_numpy().astype(np.int64) for name in HEADER),
        start=np.zeros(len(members), np.int64),
    )
    group = np.cumsum(np.diff(roots[members], prepend=-1) != 0) - 1
    order = np.lexsort(
        (
            members,
            rows["errors"].to_numpy(),
            -rows["variations"].to_numpy(),
            -rows["comments"].to_numpy(),
            -header,
            -played[members],
            group,
        )
    )
    is_first = np.diff(group[order], prepend=-1) != 0
    kept = order[is_first][group]  # for each row that of the kept game
    keep = np.zeros(len(members), bool)
    keep[order[is_first]] = True
    order = np.lexsort((members, ~keep, group))
    # the strongest reason that joins each game with the kept one of its group
    numbers = np.full(len(members), len(levels) - 1)
    for number, (_, roots) in reversed(list(enumerate(levels))):
        here = roots[members]
        numbers[here == here[kept]] = number
    numbers[keep] = len(levels)
    strongest = np.full(int(group.max(initial=-1)) + 1, len(levels))
    np.minimum.at(strongest, group, numbers)
    numbers[keep] = strongest[group[keep]]
    columns = {
        "group": pa.array(group + 1, pa.int32()),
        "keep": pa.array(keep),
        "reason": pa.array([levels[number][0] for number in numbers.tolist()], pa.string()),
        "differs": pa.array(_contradictions(rows, kept), pa.string()),
        "game_id": rows["game_id"],
        **{name: rows[name] for name in PLACE},
        **{name: rows[name] for name in ("format", "encoding", "moves")},
        **{name: rows[name] for name in ("black", "white", "raw_date", "raw_result")},
        "header": pa.array(header, pa.int32()),
    }
    files, states = _count_games(archive, rows)
    folder = archive.manifest.folder
    return Duplicates(pa.table(columns).take(order), files, folder, states)


def _count_games(
    archive: Archive, rows: pa.Table
) -> tuple[dict[str, int], dict[str, tuple[int, int | None]]]:
    """Return the number of games of each file, and the states of sources, with duplicates.

    The sources are in the order of the rows.
    """
    sources = rows["source"].unique().to_pylist()
    rows_by_source = {
        row["source"]: row
        for row in archive.sql(_SOURCES, {"sources": sources}, time_limit=0).to_pylist()
    }
    found = [rows_by_source[source] for source in sources if source in rows_by_source]
    files = {row["source"]: row["games"] for row in found if row["is_complete"]}
    return files, {row["source"]: (row["size"], row["modified"]) for row in found}


#: A file of which the archive has not all games is needed.
_SOURCES = """
SELECT sources.source, size, modified, sources.games,
    sources.kind = 'file' AND sources.games = count(*) AS is_complete
FROM sources JOIN games USING (source)
WHERE source IN (SELECT unnest($sources::VARCHAR[]))
GROUP BY sources.source, sources.kind, size, modified, sources.games
"""


# ---- contradictions ----


class _Header(NamedTuple):
    """The values by which the headers of two games are compared."""

    black: str
    white: str
    first: Any
    last: Any
    winner: str | None


def _contradictions(rows: pa.Table, kept: Array) -> list[str]:
    names = ("black", "white", "date_first", "date_last", "winner")
    black, white, first, last, winner = (rows[name].to_pylist() for name in names)
    plain = {name: _plain_name(name) for name in {*black, *white}}  # players recur
    headers = [
        _Header(plain[values[0]], plain[values[1]], *values[2:])
        for values in zip(black, white, first, last, winner, strict=True)
    ]
    return [
        "" if number == other else ",".join(_differences(headers[number], headers[other]))
        for number, other in zip(count(), kept.tolist(), strict=False)
    ]


def _plain_name(name: str | None) -> str:
    return _NO_WORD.sub("", normalize("NFKC", name).casefold()) if name else ""


def _differences(game: _Header, kept: _Header) -> list[str]:
    def equal(name: str, other: str) -> bool:
        return not name or not other or name == other

    straight = equal(game.black, kept.black) and equal(game.white, kept.white)
    exchanged = equal(game.black, kept.white) and equal(game.white, kept.black)
    different = []
    if not straight and not exchanged:
        different.append("players")
    if game.first and kept.first and (game.first > kept.last or kept.first > game.last):
        different.append("date")
    if game.winner and kept.winner:
        same = straight and game.winner == kept.winner
        other = exchanged and _EXCHANGED.get(game.winner, game.winner) == kept.winner
        if not same and not other and (straight or exchanged):
            different.append("result")
    return different
