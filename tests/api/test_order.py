"""A record is read alike whatever is read before it or beside it, and nothing global changes."""

from __future__ import annotations

import decimal
import gc
import json
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from support import corpus
from support.damage import changed
from support.lanes import amount
from support.places import RECORDS, ROOT

import sgf_lark

if TYPE_CHECKING:
    from pathlib import Path

#: At most this many bytes has a record that is read several times.
MAX_BYTES = 20_000

#: Reads records in a process that has read nothing yet, and prints what it finds in each.
READER = """
import io, json, sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
import sgf_lark

def read(path):
    games = sgf_lark.load(path, strict=False)
    digest = sha256(games.model_dump_json().encode("utf-8", "backslashreplace")).hexdigest()
    report = sgf_lark.check(path).model_dump(mode="json", exclude={"text"})
    return str(path), [games.encoding, len(games), digest, report]

how, paths = sys.argv[2], sorted(Path(sys.argv[1]).iterdir())
if how == "backwards":
    paths.reverse()
if how == "threads":
    sys.setswitchinterval(1e-5)
    with ThreadPoolExecutor(4) as threads:
        readings = dict(threads.map(read, paths))
else:
    readings = dict(map(read, paths))
print(json.dumps(readings, sort_keys=True))
"""


def records() -> list[bytes]:
    """Return records: those of the tests, damaged ones, and some of the real ones."""
    ours = [path.read_bytes() for path in sorted(RECORDS.iterdir())]
    dice = random.Random(12)  # noqa: S311  # no secret
    damaged = [changed(dice.choice(ours), dice) for _ in range(amount(5, 60))]
    real = [corpus.record(name).read_bytes() for name in corpus.names()[:: amount(150, 10)]]
    return ours + damaged + [data for data in real if len(data) <= MAX_BYTES]


def readings(folder: Path, how: str) -> dict[str, Any]:
    """Return what a new process reads in all files of a folder."""
    command = [sys.executable, "-c", READER, str(folder), how]
    done = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, timeout=100)  # noqa: S603  # ours
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("records")
    for number, data in enumerate(records()):
        (made / f"{number:04}.sgf").write_bytes(data)
    return made


@pytest.fixture(scope="module")
def forwards(folder: Path) -> dict[str, Any]:
    return readings(folder, "forwards")


@pytest.mark.night
@pytest.mark.parametrize("how", ["backwards", "threads"])
def test_what_is_read_before_or_beside_a_record_changes_nothing(
    how: str, folder: Path, forwards: dict[str, Any]
) -> None:
    others = readings(folder, how)

    assert len(forwards) == len(list(folder.iterdir()))
    assert {path for path in forwards if others[path] != forwards[path]} == set()


def test_nothing_global_changes_while_a_record_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(*_: object) -> None:
        pytest.fail("reading changed what others see")

    for name in ("disable", "enable", "freeze", "set_threshold", "collect"):
        monkeypatch.setattr(gc, name, change)
    for name in ("setrecursionlimit", "setswitchinterval"):
        monkeypatch.setattr(sys, name, change)
    context = decimal.getcontext().copy()

    for data in records()[:20]:
        sgf_lark.loads(data, strict=False)

    after = decimal.getcontext()
    assert (after.prec, after.rounding, after.traps) == (
        context.prec,
        context.rounding,
        context.traps,
    )
