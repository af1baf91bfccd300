"""One site and one browser for all tests of it."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest
from support.browser import CHROMIUM, Browser, opened
from support.places import ROOT
from support.site import Built, build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The site that the command writes from this checkout."""
    folder = tmp_path_factory.mktemp("site") / "pages"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    build(folder, ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Built(folder, seconds)


@pytest.fixture(scope="session")
def browser(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium at the first page of the folder, without a server."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    folder = tmp_path_factory.mktemp("profile")
    with opened(folder, (built.folder / "index.html").as_uri()) as page:
        yield page
