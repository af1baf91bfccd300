"""Two lanes: what is tested at every change, and what more of it is tested by night.

``pytest`` runs the day lane, ``pytest -m night`` the other one.  Tests marked ``night`` belong
to that one alone; those marked ``both_lanes`` or written for hypothesis to both: few texts made
by chance by day and many by night, work that is counted by day and timed by night.

``pytest -m night --lot 300`` runs the modules of the night lane in an order drawn by lot until
300 CPU seconds are spent.  The seed of the order and of hypothesis is printed; ``--seed`` repeats
it, for the lot, the night lane or one of its tests.
"""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

settings.register_profile("day", max_examples=12, deadline=None, derandomize=True)
settings.register_profile("night", max_examples=200, deadline=None)

#: By night a test may take so long; by day pyproject.toml says how long.
NIGHT_SECONDS = 600

#: Marks of tests that the night lane alone has.
_NIGHT_MARKS = ("night", "must", "timing")

_lane = "day"
_is_without_night = False


def choose(config: pytest.Config) -> None:
    """Take the lane that the command line asks for."""
    global _lane, _is_without_night  # noqa: PLW0603  # one a process, known before collecting
    _lane = "night" if config.getoption("markexpr").startswith(_NIGHT_MARKS) else "day"
    _is_without_night = config.getoption("markexpr") == "not night"
    settings.load_profile(_lane)


def draw_seed(config: pytest.Config) -> None:
    """Draw the seed of a night, unless the command line names one; hypothesis takes it, too."""
    if config.option.seed is None and config.getoption("markexpr").startswith(_NIGHT_MARKS):
        config.option.seed = secrets.randbelow(1 << 32)
    if config.option.seed is not None:
        config.option.hypothesis_seed = config.option.seed


class Lot:
    """Modules in an order drawn by a seed, of which tests run until the CPU seconds are spent."""

    def __init__(self, config: pytest.Config) -> None:
        self._seed = config.option.seed
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        self._seconds = config.option.lot / workers

    def shuffle(self, items: list[pytest.Item]) -> None:
        """Put the modules into the order of the seed; the tests of each keep theirs."""
        modules = sorted({item.path for item in items})
        random.Random(self._seed).shuffle(modules)  # noqa: S311
        order = {path: number for number, path in enumerate(modules)}
        items.sort(key=lambda item: order[item.path])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """Leave a test out when nothing is left to spend: for pytest it has run, without a word."""
        return True if sum(os.times()[:4]) > self._seconds else None


def is_night() -> bool:
    return _lane == "night"


def is_without_night() -> bool:
    return _is_without_night


def amount(day: int, night: int, variable: str = "SGF_LARK_EXAMPLES") -> int:
    """So many texts made by chance; the environment may ask for another number."""
    return int(os.environ.get(variable, night if is_night() else day))


def every_other(cases: Iterable[object]) -> list[object]:
    """Return cases of which the day lane takes every other one, and the night lane the others.

    If the test is marked ``both_lanes``, the night lane takes all.
    """
    return one_in(2, cases)


def one_in(step: int, cases: Iterable[object]) -> list[object]:
    """As :func:`every_other`: the day lane takes the first one of so many, and so on."""
    return [case if number % step == 0 else by_night(case) for number, case in enumerate(cases)]


def by_night(case: object) -> ParameterSet:
    """Return a case that the day lane leaves to the night lane."""
    return _marked(case, pytest.mark.night)


def _marked(case: object, mark: pytest.MarkDecorator) -> ParameterSet:
    if isinstance(case, ParameterSet):
        return pytest.param(*case.values, id=case.id, marks=mark)
    return (
        pytest.param(*case, marks=mark)
        if type(case) is tuple  # not one of ours with names, which is one value
        else pytest.param(case, marks=mark)
    )
