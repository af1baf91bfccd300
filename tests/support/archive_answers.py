"""What `dupes` and `openings` answer about real and made-up games, as digests.

``python -m support.archive_answers``, in the folder ``tests``, prints the answers of the package
that is installed.  Those of the record are of commit 1ff4ce9, whose `dupes` and `openings` had
algorithms of their own.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import many_games

from sgf_lark import archive

from .corpus import folder, names

#: The answers of commit 1ff4ce9.
RECORD = Path(__file__).with_suffix(".tsv")

#: The real games, and others: one in twenty of these is a copy that is turned, cut, recolored ...
CORPUS, MADE_UP, MADE = "corpus", "made up", 2_000

#: Options of `dupes` and of `openings`.
DUPES: tuple[dict[str, Any], ...] = (
    {},
    {"min_moves": 1},
    {"min_moves": 60},
    *({"by": [reason]} for reason in ("bytes", "text", "line", "symmetric", "dyer")),
    *({"by": [reason], "min_moves": least} for reason in ("prefix", "final") for least in (5, 20)),
)
OPENINGS: tuple[dict[str, Any], ...] = (
    {"moves": 1},
    {"moves": 4, "symmetric": False},
    {"moves": 6, "transpositions": True},
    {"moves": 20},
    {"moves": 20, "min_games": 2},
    {"game": "Go", "moves": 20},
    {"game": "Go", "moves": 40, "symmetric": False},
    {"game": "Go", "moves": 4, "handicap": 2},
    {"game": "Go", "moves": 3, "size": 19, "at": "Q16 D4"},
    {"game": "Go", "moves": 3, "size": 19, "at": "Q16 D4", "transpositions": True},
)
#: On boards that are in the corpus alone.
OF_CORPUS: tuple[dict[str, Any], ...] = tuple(
    {"game": "Go", "moves": 10, "size": size} for size in (9, 13, 7)
)


class Answer(NamedTuple):
    """A line of the record.

    Attributes:
        question: The games, and what is asked: nothing for their texts, `dupes`, or `openings`.
        options: The options, as JSON.
        rows: The number of rows.
        digest: Their SHA-256.
    """

    question: str
    options: str
    rows: int
    digest: str

    @classmethod
    def of(cls, question: str, options: dict[str, Any], rows: Iterable[Any]) -> Answer:
        """An answer of rows that JSON can hold."""
        texts = [json.dumps(row, default=str) for row in rows]
        digest = sha256("\n".join(texts).encode()).hexdigest()
        return cls(question, json.dumps(options), len(texts), digest)


def recorded(games: str) -> list[Answer]:
    """The lines of the record about some games."""
    lines = [line.split("\t") for line in RECORD.read_text(encoding="utf-8").splitlines()]
    return [
        Answer(question, options, int(rows), digest)
        for question, options, rows, digest in lines
        if question.startswith(games)
    ]


def answers(games: str, work: Path) -> Iterator[Answer]:
    """Yield what is answered about games, and before it what they are; changes the folder."""
    if games == CORPUS:
        files = [*names()]
        os.chdir(folder() or "")  # answers have the paths of sources
    else:
        files = ["games.sgf"]
        os.chdir(work)
        made = many_games.games(MADE)
        Path(*files).write_bytes(b"".join([one.text for one in made if "fault" not in one.kind]))
    yield Answer.of(games, {}, [(one, sha256(Path(one).read_bytes()).hexdigest()) for one in files])
    archive.build(files, work / "archive", jobs=2)
    with archive.read(work / "archive") as tables:
        for options in DUPES:
            rows = archive.dupes(tables, **options).table.to_pylist()
            yield Answer.of(f"{games}: dupes", options, rows)
        for options in (*OPENINGS, *(OF_CORPUS if games == CORPUS else ())):
            found = archive.openings(tables, **options)
            about = (found.game.name, found.size, found.first, found.at)
            rows = [about, *map(_rounded, found.table.to_pylist())]
            yield Answer.of(f"{games}: openings", options, rows)


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    """The last digits of a mean depend on the order of its numbers."""
    return {name: round(one, 9) if isinstance(one, float) else one for name, one in row.items()}


def main() -> None:
    """Print the answers."""
    for games in (CORPUS, MADE_UP):
        with tempfile.TemporaryDirectory() as work:
            for one in answers(games, Path(work)):
                sys.stdout.write("\t".join(map(str, one)) + "\n")
                sys.stdout.flush()
            os.chdir("/")


if __name__ == "__main__":
    main()
