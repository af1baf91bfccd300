"""What tests of several files share."""

from collections.abc import Iterator

import pytest

from sgf_lark.api import load as api
from sgf_lark.fix import registry as fixes
from sgf_lark.schema.formats import Engine


@pytest.fixture(scope="module", params=["generated", "lark"])
def both_engines(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test of the module runs twice: all texts are read by one engine, and by the other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api, "Engine", lambda _: Engine(request.param))
        yield


@pytest.fixture(autouse=True, scope="session")
def _fixers_that_fail_are_seen() -> None:
    """A fixer that fails offers no fix; tests want to know of it."""
    fixes.GUARDED = False
