"""Many things in one test: each is looked at, and those that fail are told together."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager


@contextmanager
def together() -> Iterator[Callable[[object], AbstractContextManager[None]]]:
    """Give what looks at one thing, by its name; raise what was raised at the end."""
    wrong: list[BaseException] = []

    @contextmanager
    def each(name: object) -> Iterator[None]:
        try:
            yield
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # is raised below
            error.add_note(f"Of: {name}")
            wrong.append(error)

    yield each
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        raise BaseExceptionGroup(f"{len(wrong)} fail", wrong)
