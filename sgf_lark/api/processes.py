"""Processes: their start and their end, and the messages that they send.

What is slow to import is imported where it is used: one small file needs no process.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess


def start_tracker() -> None:
    """Start the resource tracker before Ctrl-C is blocked: it would unblock it."""
    with suppress(ImportError):
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Block Ctrl-C while a process starts, which would print a traceback, and collect no garbage.

    The process itself collects again as soon as it runs: workers._work says what it leaves alone.
    """
    blocks = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if blocks else ()
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def describe_end(code: int | None) -> str:
    """Describe the exit code of a process."""
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"the process that read it was killed by {signal.Signals(-code).name}"
    return f"the process that read it exited with {code}"


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, even if it was killed."""
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> NoReturn:
    parent.join()
    os._exit(1)


def is_daemon() -> bool:
    """Return True in a process that must not have children."""
    from multiprocessing import current_process

    return current_process().daemon


def pickled(message: object) -> bytes:
    """Return the bytes of a task, or of a result and its error, as a message has them."""
    import pickle

    return pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
