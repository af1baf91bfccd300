"""A lot of the night: drawn by a seed that repeats it, and no longer than asked for."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support import lanes

NAMES = [f"tests/{folder}/test_{number}.py" for folder in "abc" for number in range(5)]


def drawn(seed: int, seconds: float = 9e9) -> tuple[lanes.Lot, list[str]]:
    """A lot, and the modules in its order; each has two tests."""
    config: Any = SimpleNamespace(option=argparse.Namespace(lot=seconds, seed=seed))
    items: list[Any] = [SimpleNamespace(path=Path(name), at=at) for name in NAMES for at in (0, 1)]
    lot = lanes.Lot(config)
    lot.shuffle(items)
    assert [item.at for item in items] == [0, 1] * len(NAMES)
    return lot, [str(item.path) for item in items[::2]]


def test_a_seed_repeats_the_order_of_the_modules_and_another_one_has_another() -> None:
    assert drawn(1)[1] == drawn(1)[1]
    assert drawn(1)[1] != drawn(2)[1]
    assert sorted(drawn(1)[1]) == NAMES


def test_tests_run_until_the_seconds_are_spent() -> None:
    assert drawn(1, seconds=9e9)[0].pytest_runtest_protocol() is None
    assert drawn(1, seconds=0)[0].pytest_runtest_protocol() is True


def test_workers_share_the_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "times", lambda: (30.0, 20.0, 9.0, 1.0, 0.0))
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "2")

    assert drawn(1, seconds=119)[0].pytest_runtest_protocol() is True
    assert drawn(1, seconds=121)[0].pytest_runtest_protocol() is None


@pytest.mark.parametrize(
    ("marks", "seed", "known"),
    [("night", None, False), ("night and not timing", 7, True), ("not night", 7, True)],
)
def test_a_night_has_a_seed_that_hypothesis_takes_too(
    marks: str,
    seed: int | None,
    known: bool,  # noqa: FBT001
) -> None:
    options = argparse.Namespace(seed=seed, markexpr=marks, hypothesis_seed=None)
    config: Any = SimpleNamespace(option=options, getoption=lambda name: getattr(options, name))
    lanes.draw_seed(config)

    assert options.hypothesis_seed == options.seed is not None
    assert (options.seed == seed) is known


def test_a_day_draws_no_seed() -> None:
    options = argparse.Namespace(seed=None, markexpr="not night", hypothesis_seed=None)
    config: Any = SimpleNamespace(option=options, getoption=lambda name: getattr(options, name))
    lanes.draw_seed(config)

    assert options.seed is options.hypothesis_seed is None
