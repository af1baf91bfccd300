"""Nothing global changes while records are read."""

from __future__ import annotations

import decimal
import gc
import random
import sys

import pytest
from support import corpus
from support.damage import changed
from support.lanes import amount
from support.places import RECORDS

import sgf_lark

#: At most this many bytes has a record that is read several times.
MAX_BYTES = 20_000


def records() -> list[bytes]:
    """Return records: those of the tests, damaged ones, and some of the real ones."""
    ours = [path.read_bytes() for path in sorted(RECORDS.iterdir())]
    dice = random.Random(12)  # noqa: S311  # no secret
    damaged = [changed(dice.choice(ours), dice) for _ in range(amount(5, 60))]
    real = [corpus.record(name).read_bytes() for name in corpus.names()[:: amount(150, 10)]]
    return ours + damaged + [data for data in real if len(data) <= MAX_BYTES]


def test_nothing_global_changes_while_a_record_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(*_: object) -> None:
        pytest.fail("reading changed what others see")

    for data in records()[:20]:  # importing a module stops the search for garbage
        sgf_lark.loads(data, strict=False)
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
