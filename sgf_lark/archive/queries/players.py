"""Players and pairs of players: tables that are counted from games when somebody asks for them.

A player is a folded name, as ``black_player`` of games, or the name that aliases give it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from sgf_lark.core import fold_name, reason
from sgf_lark.files.members import ArchiveError
from sgf_lark.report.tables import load_pyarrow

if TYPE_CHECKING:
    import pyarrow as pa

#: Other spellings of names, or the path of a file of TOML that has them.
Aliases: TypeAlias = Mapping[str, list[str]] | str | os.PathLike[str]


def tabulate_aliases(aliases: Aliases) -> pa.Table:
    """Return the table of folded names and of the players that have them.

    Args:
        aliases: For each name its other spellings; or the path of a file with lines such as
            ``"Lee Sedol" = ["Yi Se-tol", "李世乭"]``.

    Raises:
        ArchiveError: The file cannot be read, a name has no list of names, or two names have one
            spelling.
    """
    file = "aliases" if isinstance(aliases, Mapping) else os.fspath(aliases)
    try:
        players = _join_spellings(
            aliases
            if isinstance(aliases, Mapping)
            else tomllib.loads(Path(file).read_text(encoding="utf-8"))
        )
    except (OSError, ValueError) as error:
        raise ArchiveError(reason(error), file) from None
    pa = load_pyarrow()
    names = [pa.array(texts, pa.string()) for texts in (players.keys(), players.values())]
    return pa.table(names, ["folded", "player"])


def _join_spellings(names: Mapping[str, Any]) -> dict[str | None, str | None]:
    """Return the player of each folded name."""
    players = dict[str | None, str | None]()
    for name, others in names.items():
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            raise ValueError(f'aliases of "{name}": expected other spellings, as ["Yi Se-tol"]')
        for other in (name, *others):
            player = players.setdefault(fold_name(other), fold_name(name))
            if player != fold_name(name):
                raise ValueError(f"'{other}' is a spelling of '{player}' and of '{name}'")
    return players


_PLAYERS = """
WITH sides AS (
    SELECT black AS name, black_player AS folded, black_rank AS rank, black_strength AS strength,
        'B' AS color, winner, date_first, date_last, true AS is_first
    FROM games
    UNION ALL SELECT white, white_player, white_rank, white_strength,
        'W', winner, date_first, date_last, black IS DISTINCT FROM white
    FROM games
), named AS (
    SELECT sides.*, coalesce(aliases.player, folded) AS player
    FROM sides LEFT JOIN aliases USING (folded)
)
SELECT name, player,
    nullif(array_to_string([one.rank FOR one IN list_sort(list_distinct(
        list({'strength': strength, 'rank': rank}) FILTER (rank IS NOT NULL)
    ))], ', '), '') AS ranks,
    count(*) FILTER (is_first) AS games,
    count(*) FILTER (color = 'B') AS black, count(*) FILTER (color = 'B' AND winner = 'B')
        AS black_won,
    count(*) FILTER (color = 'W') AS white, count(*) FILTER (color = 'W' AND winner = 'W')
        AS white_won,
    min(date_first) AS date_first, max(date_last) AS date_last
FROM named WHERE player IS NOT NULL GROUP BY name, player
ORDER BY sum(count(*)) OVER (PARTITION BY player) DESC, player, games DESC, name
"""

_PAIRS = """
WITH named AS (
    SELECT coalesce(one.player, black_player) AS black, winner, date_first, date_last,
        coalesce(other.player, white_player) AS white
    FROM games LEFT JOIN aliases AS one ON one.folded = black_player
        LEFT JOIN aliases AS other ON other.folded = white_player
)
SELECT least(black, white) AS player, greatest(black, white) AS opponent, count(*) AS games,
    count(*) FILTER (winner = CASE WHEN black < white THEN 'B' ELSE 'W' END) AS won,
    count(*) FILTER (winner = CASE WHEN black < white THEN 'W' ELSE 'B' END) AS lost,
    count(*) FILTER (winner = 'draw') AS drawn,
    min(date_first) AS date_first, max(date_last) AS date_last
FROM named WHERE black <> white GROUP BY ALL ORDER BY games DESC, 1, 2
"""

#: The tables that are counted from others, by their names.
VIEWS = {"players": _PLAYERS, "pairs": _PAIRS}
