"""How time grows: twice the size against the size, on a machine that does other things too."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: Twice as much may take at most so many times as long: 2, and what a busy machine adds.
LIMIT = 2.6

#: So often, and so many seconds, the two are timed, if they are not good before.
ROUNDS = 10
PATIENCE = 20


def growth(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """Time for twice the size, measured against the time for the size.

    The two are timed in turns and the best time of each counts, so that what else the machine
    does slows both or neither.

    Args:
        work: Gives what is timed, for a size; called anew for each time.
        size: The smaller one.
    """
    work(max(1, size // 100))()  # so that grammars are built
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
        if times[1] <= LIMIT * times[0]:
            break
    return times[1] / times[0]
