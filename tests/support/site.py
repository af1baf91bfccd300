"""The site as a folder: how it is built and opened."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from .browser import Browser

PLAYGROUND = "https://example.org/play/"


class Built(NamedTuple):
    """The folder of the site, and the CPU seconds that it took."""

    folder: Path
    seconds: float


def build(folder: Path, place: Path) -> None:
    """Write the site by the package of a folder, without a warning."""
    command = [sys.executable, "-m", "sgf_lark", "site", "-o", str(folder)]
    done = subprocess.run(  # noqa: S603  # ours
        [*command, "--playground", PLAYGROUND],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{folder / 'index.html'}\n"


def go(browser: Browser, url: str) -> None:
    """Open a page, and wait until it is there."""
    browser.value("window.isOld = true")
    browser.call("Page.navigate", url=url)
    browser.wait_for("!window.isOld && document.readyState === 'complete'")
