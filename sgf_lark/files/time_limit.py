"""Time limits for work with a custom grammar, which may need endless time.

A signal ends the work, even inside of :mod:`re`, which polls for signals.  Without SIGALRM
(Windows), or outside the main thread, there is no limit.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

#: Seconds for a grammar and a short text, and characters that may take a second more: Lark
#: reads three times as many at least.
SECONDS, CHARACTERS_PER_SECOND = 60.0, 10_000

#: Seconds between alarms, should the first one be swallowed.
SECONDS_BETWEEN_ALARMS = 1.0


#: The help of a finding about the limit.
FIX_GRAMMAR = "change repetitions of its terminals that match the same text in several ways"


class TimeLimitError(RuntimeError):
    """A text took too long to read by a custom grammar."""


class _Alarm(BaseException):
    """No handler of other errors holds it back."""


def seconds_for(characters: int) -> float:
    return SECONDS + characters / CHARACTERS_PER_SECOND


def set_alarm(seconds: float, then: Callable[[], NoReturn]) -> bool:
    """Interrupt this thread after some time; False if that cannot be."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        return False
    signal.signal(signal.SIGALRM, lambda _number, _frame: then())
    signal.setitimer(signal.ITIMER_REAL, seconds, SECONDS_BETWEEN_ALARMS)
    return True


def clear_alarm() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextmanager
def limited(grammar: object, characters: int) -> Iterator[None]:
    """Limit the time for a text that is read by a custom grammar."""
    if grammar is None:
        yield
        return
    seconds = seconds_for(characters)
    is_set = set_alarm(seconds, _stop)
    try:
        yield
    except _Alarm:
        raise TimeLimitError(too_long(seconds)) from None
    finally:
        if is_set:
            clear_alarm()


def too_long(seconds: float) -> str:
    return f"the grammar takes more than {seconds:.0f} seconds for this text"


def _stop() -> NoReturn:
    raise _Alarm
