"""What a person does on the page of the playground."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.browser import Browser
from support.said import unsaid


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


def save(page: Browser, what: str) -> None:
    """Save everything, the grammar or the text."""
    page.value(f"document.getElementById('what').value = '{what}'")
    page.value("document.getElementById('save').click()")


def enter(page: Browser, field: str) -> None:
    """Put the keyboard into an editor, where its cursor is."""
    inside(page, field, ".focus()")
    page.settle()


def inside(page: Browser, field: str, rest: str) -> Any:
    """The value of an expression about the content of an editor."""
    return page.value(
        f"document.getElementById('{field}').shadowRoot.querySelector('.cm-content'){rest}"
    )


def click_on(page: Browser, element: str) -> None:
    """Click in the middle of an element that an expression gives, where it can be seen."""
    page.value(f"{element}.scrollIntoView({{ block: 'center' }})")
    page.settle()
    box = page.value(f"{element}.getBoundingClientRect().toJSON()")
    page.click(box["left"] + box["width"] / 2, box["top"] + box["height"] / 2)


def visit(page: Browser, folder: Path) -> None:
    """Do what the page is for, as somebody does who only has a mouse and a keyboard.

    Args:
        page: The page.
        folder: For what it saves.
    """
    line = "document.getElementById('text').shadowRoot.querySelectorAll('.cm-line')[1]"
    shown = "document.getElementById('shown')"

    choose(page, "A game of SGF FF[4]")
    assert inside(page, "text", ".querySelector('.cm-lintRange-error').textContent") == "6,5"
    click_on(page, "document.getElementById('tab-findings')")
    page.wait_for(f"{shown}.querySelector('.fix') !== null")
    click_on(page, f"{shown}.querySelector('.fix')")
    page.wait_for("document.getElementById('checked').textContent === 'nothing wrong'")

    click_on(page, line)
    page.press("End", "", 35)
    for letter in "C[x]":
        page.type(letter)
    page.wait_for(f"{line}.textContent === ';B[pd];W[dp]C[x]'")
    click_on(page, "document.getElementById('tab-tree')")
    rows = f"[...{shown}.querySelectorAll('[role=treeitem]')].filter(one => !one.hidden)"
    every = page.wait_for(f"{rows}.some(one => one.innerText.includes('[x]')) && {rows}.length")
    click_on(page, f"{rows}[1].querySelector('i')")
    assert page.value(f"{rows}.length") == 2 < every
    click_on(page, f"{rows}[1].querySelector('i')")
    click_on(page, f"{rows}.find(one => one.innerText.includes('Aoki'))")
    page.settle()
    selected = ".parentElement.querySelector('.cm-selectionBackground') !== null"
    assert inside(page, "text", selected)

    _look_at_steps(page, shown)
    _test_cases(page, shown, folder)
    hosts = {url.split("/")[2].split(":")[0] for url in page.requests if url.startswith("http")}
    assert hosts == {"127.0.0.1"}
    assert page.complaints == []


def _look_at_steps(page: Browser, shown: str) -> None:
    click_on(page, "document.getElementById('tab-steps')")
    page.wait_for(f"{shown}.querySelectorAll('[role=option]').length > 90")
    click_on(page, f"{shown}.querySelectorAll('[role=option]')[2]")
    for key, code in (("ArrowDown", 40), ("ArrowRight", 39)):
        page.press(key, "", code)
    chosen = page.value(f"{shown}.querySelector('[aria-selected=true]').innerText")
    assert 'shift PROP_VALUE "[4]"' in " ".join(chosen.split())
    step = page.value("document.getElementById('step').innerText")
    assert unsaid(step, "it is read", "collection", "property after PROP_IDENT", "GM[1]") == []
    click_on(page, "document.getElementById('step-back')")
    page.wait_for("document.getElementById('step-title').innerText.endsWith('PROP_IDENT \"FF\"')")


def _test_cases(page: Browser, shown: str, folder: Path) -> None:
    """Test cases, add one, save everything, and come back."""
    cases = "document.getElementById('cases').shadowRoot"
    choose(page, "A roll of backgammon")
    click_on(page, "document.getElementById('tab-cases')")
    page.wait_for(f"{shown}.innerText.match(/passed: /g)?.length === 3")
    click_on(page, "document.getElementById('add-case')")
    page.wait_for(f"{shown}.innerText.includes('failed: Case 4')")
    click_on(page, "document.getElementById('update')")
    page.wait_for(f"{shown}.innerText.includes('passed: Case 4')")

    page.download_to(folder)
    click_on(page, "document.getElementById('save')")
    saved = folder / "playground.json"
    page.reload()
    page.wait_for("document.body.dataset.answered")
    assert page.wait_for(f"{cases}.querySelector('.cm-content').textContent").endswith('"e"))')
    page.wait_for(f"{shown}.innerText.includes('passed: Case 4')")
    click_on(page, "document.getElementById('link')")
    page.wait_for("location.hash.length > 100")
    assert json.loads(saved.read_text(encoding="utf-8"))["cases"].count("hefe") == 2
