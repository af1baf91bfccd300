"""Pictures in a real browser: colors by variables, themes side by side, animations that move."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.browser import CHROMIUM, Browser, opened
from support.diagrams import GO, OTHELLO, on_lines, stones

from sgf_lark.pictures.animation import animate

#: Two themes beside each other, another color for one of them, and an animation.
PAGE = """<!doctype html>
<style>#night {{ --sgf-board: rgb(1, 2, 3) }}</style>
<div id="day">{light}</div><div id="night">{light}</div><div id="dark">{dark}</div>
<div id="other">{othello}</div><div id="moving">{moving}</div>"""

FILL = "getComputedStyle(document.querySelector('#{} .sgf-board')).fill"
SEEN = "getComputedStyle(document.querySelector('#moving [data-point={}]')).visibility"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


def seen(browser: Browser, point: str) -> bool:
    return bool(browser.value(SEEN.format(point)) == "visible")


@pytest.mark.night
def test_a_page_changes_colors_and_shows_motion_to_those_who_want_it(tmp_path: Path) -> None:
    steps = [on_lines(stones=stones(black)) for black in ("aa", "bb")]
    page = PAGE.format(
        light=GO.svg(),
        dark=GO.svg(theme="dark"),
        othello=OTHELLO.svg(),
        moving=animate(steps, seconds=0.5),
    )
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")

    with opened(tmp_path / "profile", file.as_uri()) as browser:
        browser.wait_for("document.readyState === 'complete'")
        fills = [browser.value(FILL.format(part)) for part in ("day", "night", "dark", "other")]
        browser.wait_for(SEEN.format("aa") + " === 'visible'")
        browser.wait_for(SEEN.format("bb") + " === 'visible'")
        browser.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-reduced-motion", "value": "reduce"}],
        )
        still = {seen(browser, "aa") for _ in range(60)}, {seen(browser, "bb") for _ in range(60)}
        complaints = browser.complaints

    assert fills == [
        "rgb(233, 191, 114)",
        "rgb(1, 2, 3)",
        "rgb(71, 83, 99)",
        "rgb(42, 125, 83)",
    ]
    assert still == ({False}, {True})
    assert complaints == []
