"""How work grows: that for twice the size against that for the size.

By day calls are counted, which are the same on a busy machine; by night seconds are taken, in
which shows what a call costs, too.
"""

from __future__ import annotations

import cProfile
import gc
import time
from typing import TYPE_CHECKING

from support.lanes import is_night

if TYPE_CHECKING:
    from collections.abc import Callable

#: Twice as much may take at most so many times as much: 2, and what a busy machine adds to
#: seconds, or what rounding adds to counts.
LIMIT = 2.6 if is_night() else 2.2

#: So often the two are timed at least, if that does not take so many seconds; and so often, and
#: so many seconds, if they are not good before.
FEW, QUICK = 5, 1
ROUNDS, PATIENCE = 10, 30

#: Counts are exact, so that a part of the size will do; but not less than so much.
PART, LEAST = 10, 120


def growth(
    work: Callable[[int], Callable[[], object]], size: int, *, by_time: bool | None = None
) -> float:
    """Work for twice the size, measured against the work for the size.

    Args:
        work: Gives what is measured, for a size; called anew for each time.
        size: The smaller one.
        by_time: Take seconds, or count calls, whatever the lane does.
    """
    work(max(1, size // 100))()  # so that grammars are built
    if is_night() if by_time is None else by_time:
        return growth_of_time(work, size)
    return growth_of_calls(work, least(size))


def least(size: int) -> int:
    """The size at which calls are counted, instead of one at which time is taken."""
    return max(size // PART, min(size, LEAST))


def growth_of_calls(work: Callable[[int], Callable[[], object]], size: int) -> float:
    work(2 * size)()  # so that what only long texts need is imported
    once, twice = calls(work(size)), calls(work(2 * size))
    return twice / once


def calls(one: Callable[[], object]) -> int:
    """Calls of functions, of Python's own too, until it is done."""
    profile = cProfile.Profile()
    profile.runcall(one)
    return sum(entry.callcount for entry in profile.getstats())


def growth_of_time(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """The two are timed in turns and the best time of each counts.

    So what else the machine does slows both or neither.
    """
    times = [float("inf"), float("inf")]
    rounds, since = 0, time.process_time()
    while rounds < ROUNDS or time.process_time() < since + PATIENCE:
        rounds += 1
        for which, count in enumerate((size, 2 * size)):
            one = work(count)
            gc.collect()
            gc.disable()  # as timeit does: it comes in leaps
            start = time.process_time()
            one()
            times[which] = min(times[which], time.process_time() - start)
            gc.enable()
        enough = rounds >= FEW or time.process_time() >= since + QUICK
        if enough and times[1] <= LIMIT * times[0]:
            break
    return times[1] / times[0]
