"""A limit of time for work with a custom grammar, which may ask for endless time.

An alarm of the system ends the work, regular expressions included: :mod:`re` looks for
signals as it goes.  Where there are no alarms (Windows), or outside the main thread, nothing
is limited.
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

#: Seconds between alarms, if the first one was not heard.
AGAIN = 1.0


#: What to do about it.
FIX_GRAMMAR = "repetitions of its terminals may share out the same text in many ways: change them"


class TimeLimitError(RuntimeError):
    """A text took too long to read by a custom grammar."""


class _Alarm(BaseException):
    """No handler of other errors holds it back."""


def seconds_for(characters: int) -> float:
    """The limit for a text."""
    return SECONDS + characters / CHARACTERS_PER_SECOND


def set_alarm(seconds: float, then: Callable[[], NoReturn]) -> bool:
    """Interrupt this thread after some time; False if that cannot be."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        return False
    signal.signal(signal.SIGALRM, lambda _number, _frame: then())
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    return True


def clear_alarm() -> None:
    """Let what follows take its time."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextmanager
def limited(characters: int) -> Iterator[None]:
    """Limit the time for a text of so many characters.

    Raises:
        TimeLimitError: It takes longer.
    """
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
    """What is wrong, in words."""
    return f"the grammar takes more than {seconds:.0f} seconds for this text"


def _stop() -> NoReturn:
    raise _Alarm
