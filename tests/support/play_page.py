"""What a person does on the page of the playground."""

from __future__ import annotations

import json
from typing import Any

from support.browser import Browser


def status(page: Browser) -> Any:
    return page.value("document.getElementById('status').textContent")


def answered(page: Browser, action: str) -> None:
    """Do something, and wait for the answer after it."""
    before = page.value("document.body.dataset.answered")
    page.value(f"(() => {{ {action} }})()")
    page.wait_for(f"document.body.dataset.answered !== {json.dumps(before)}")


def choose(page: Browser, name: str) -> None:
    """Choose an example, and wait for its answer."""
    answered(
        page,
        "const one = document.getElementById('example');"
        f" one.selectedIndex = [...one.options].findIndex(o => o.text === {json.dumps(name)});"
        " one.dispatchEvent(new Event('change'));",
    )


def open_tab(page: Browser, name: str) -> Any:
    """Open a tab, and give its text."""
    answered(page, f"document.getElementById('tab-{name}').click()")
    return page.value("document.getElementById('panel').innerText")


def enter(page: Browser, field: str) -> None:
    """Put the keyboard into an editor, where its cursor is."""
    inside(page, field, ".focus()")
    page.settle()


def inside(page: Browser, field: str, rest: str) -> Any:
    """The value of an expression about the content of an editor."""
    return page.value(
        f"document.getElementById('{field}').shadowRoot.querySelector('.cm-content'){rest}"
    )
