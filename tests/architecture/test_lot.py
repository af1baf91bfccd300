"""A lot of the night: drawn by a seed that repeats it, and no longer than asked for."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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


def test_a_night_has_a_seed_that_hypothesis_takes_too() -> None:
    for marks, seed in (("night", None), ("night and not timing", 7), ("not night", 7)):
        options = argparse.Namespace(seed=seed, markexpr=marks, hypothesis_seed=None)
        config: Any = SimpleNamespace(option=options, getoption=lambda _, marks=marks: marks)
        lanes.draw_seed(config)
        assert options.hypothesis_seed == options.seed is not None
        assert seed in {None, options.seed}
