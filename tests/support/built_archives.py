"""Archives that are built from small records, and what is in their folders."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from sgf_lark.archive.archive import Archive
from sgf_lark.archive.build import BuildReport, build

#: The tables that are always filled.
TABLES = ("games", "moves", "findings", "sources")


def record(seed: int) -> str:
    """A game of some moves with comments; every third one has a finding."""
    chance = random.Random(seed)  # noqa: S311  # a test
    moves = "".join(
        f";{'BW'[number % 2]}[{chr(97 + number % 19)}{chr(97 + number // 19)}]C[{chance.random()}]"
        for number in range(chance.randrange(5, 25))
    )
    komi = "6,5" if seed % 3 == 0 else "6.5"
    return f"(;GM[1]FF[4]SZ[19]KM[{komi}]PB[Player {seed}]{moves})"


def built(sources: Any = "games", output: str = "out", **options: Any) -> BuildReport:
    """Build an archive, by this process if no other number of jobs is given."""
    sources = [sources] if isinstance(sources, str) else sources
    return build(sources, output, **{"jobs": 1, **options})


def rows(folder: str, table: str) -> list[dict[str, Any]]:
    """The rows of a table, in the order of the manifest."""
    found: list[dict[str, Any]] = Archive(Path(folder)).table(table).to_table().to_pylist()
    return found


def everything(folder: str) -> dict[str, Any]:
    """The rows of all tables."""
    return {table: rows(folder, table) for table in TABLES}
