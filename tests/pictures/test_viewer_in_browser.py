"""Chromium steps through games by keys, clicks, wheel and touch, without a request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import corpus
from support.browser import CHROMIUM, Browser, opened
from support.diagrams import PROBLEM, drawn, expected, one_game
from support.playing import PLAYED, played

from sgf_lark import Collection, GameTree, loads
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.pictures.parts import PageTheme

pytestmark = [
    pytest.mark.night,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]

#: Real commentaries, two of them with variations in variations.
COMMENTARIES = (
    "ff4-go/gobandroid__Fan-Hui-vs-AlphaGo-20151009-Commentary-An-Younggil.sgf",
    "ff4-go/Games-Go-SGF2misc__jmp-kavi.sgf",
    "ff4-go/yinyango__lesson_corner.sgf",
)

#: Widths of a phone, a tablet and a desk.
WIDTHS = (390, 820, 1440)

#: Codes of keys.
LEFT, UP, RIGHT, DOWN, HOME, END = 37, 38, 39, 40, 36, 35

#: Both sides twice, and a variation of the second move and of the fourth.
FORKED = "(;FF[4]GM[1]SZ[9];B[cc](;W[gg];B[cg](;W[gc])(;W[ee]C[Here]))(;W[cg]N[Low];B[gc]))"


class Page:
    """A page with viewers in a browser.

    Args:
        browser: The browser.
        folder: For the page.
        shown: What it shows.
        theme: Its theme.
    """

    def __init__(
        self,
        browser: Browser,
        folder: Path,
        shown: GameTree | Collection,
        theme: PageTheme = "auto",
    ) -> None:
        self.browser, self.file = browser, folder / "game.html"
        self.file.write_text(shown.viewer(theme).html, encoding="utf-8")
        browser.requests.clear()
        self.open("")

    def open(self, fragment: str) -> None:
        """Open the page anew at an address."""
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.call("Page.navigate", url=self.file.as_uri() + fragment)
        self.browser.wait_for("document.querySelector('.viewer.ready') !== null")

    def text(self, name: str) -> Any:
        return self.browser.value(f"{self._part(name)}.textContent")

    def _part(self, name: str) -> str:
        return f"document.querySelector('.viewer:not([hidden]) {name}')"

    def path(self) -> str:
        return str(self.browser.value(f"{self._part('.link')}.hash")).partition("@")[2]

    def wait_for(self, path: str) -> None:
        """Wait until a node is shown: clicks are answered before the page has seen them."""
        self.browser.wait_for(f"{self._part('.link')}.hash.endsWith('@{path}')")

    def board(self) -> set[tuple[str, ...]]:
        return drawn(self.browser.value(f"{self._part('.board svg')}.outerHTML"))

    def key(self, key: str, code: int = 0) -> None:
        self.browser.press(key, code=code)

    def click(self, name: str) -> None:
        """Click on the middle of an element."""
        self.browser.value(f"{self._part(name)}.scrollIntoView({{block: 'center'}})")
        self.browser.settle()
        where = f"(one => [one.left + one.width / 2, one.top + one.height / 2])({self._part(name)}"
        self.browser.click(*self.browser.value(f"{where}.getBoundingClientRect())"))

    def play(self, x: float, y: float) -> None:
        """Click on a point of the board, in cells."""
        svg = self._part(".board svg")
        self.browser.value(f"{svg}.scrollIntoView({{block: 'center'}})")
        self.browser.settle()
        place = f"new DOMPoint({x}, {y}).matrixTransform({svg}.getScreenCTM())"
        self.browser.click(*self.browser.value(f"(one => [one.x, one.y])({place})"))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with opened(tmp_path_factory.mktemp("profile"), "about:blank") as browser:
        yield browser


def step_through(page: Page, game: GameTree) -> None:
    """Compare all nodes: those of the main line by keys, the others by clicks."""
    if page.browser.value("document.querySelector('.solving') !== null"):
        page.click(".solve")
    page.key("Home", HOME)
    for node in game.main_line():
        assert (page.path(), page.board()) == (node.path, expected(node))
        page.key("ArrowRight", RIGHT)
    page.key("End", END)
    assert page.path() == game.main_line()[-1].path
    for node in game.nodes:
        if node.parent is None or node.parent.children[0] == node:
            continue
        page.click(f".tree circle:nth-of-type({node.parent.index + 1})")
        page.wait_for(node.parent.path)
        page.click(f".choices li:nth-child({node.parent.children.index(node) + 1}) button")
        line = node
        while True:
            page.wait_for(line.path)
            assert page.board() == expected(line)
            if not line.children:
                break
            line = line.children[0]
            page.click("[data-go=next]")


@pytest.mark.parametrize("number", PLAYED, ids=str)
def test_each_board_of_a_game_is_that_of_its_diagram(
    number: GameNumber, browser: Browser, tmp_path: Path
) -> None:
    game = played(number, 3, 20)
    moves, draft = game.moves, game.edit()
    for move in (moves[2], moves[5]):  # the same once more, as a variation
        draft.play(move.value, color=move.color, after=game.nodes[move.node - 1], force=True)
    game = draft.done()
    page = Page(browser, tmp_path, game)

    step_through(page, game)

    assert set(browser.requests) <= {"about:blank", page.file.as_uri()}
    assert browser.complaints == []


@pytest.mark.parametrize("which", COMMENTARIES)
def test_each_board_of_a_commentary_is_that_of_its_diagram(
    which: str, browser: Browser, tmp_path: Path
) -> None:
    game = corpus.loaded(which)[0]

    step_through(Page(browser, tmp_path, game), game)

    assert browser.complaints == []


def test_clicks_keys_and_letters_choose_variations(browser: Browser, tmp_path: Path) -> None:
    page = Page(browser, tmp_path, one_game(FORKED))

    page.play(2, 2)
    assert (page.path(), page.text(".words")) == ("1", "Move 1 of 4: Black C7.")
    assert page.text(".choices") == "AWhite G3BWhite C3"
    page.play(2, 6)
    assert (page.path(), page.text(".name")) == ("1.1", "Low")
    assert page.text(".choices") == ""
    page.key("ArrowUp", UP)
    assert page.path() == "2"
    page.key("ArrowRight", RIGHT)
    page.key("b")
    assert (page.path(), page.text(".comment")) == ("3.1", "Here")
    page.key("ArrowLeft", LEFT)
    page.key("ArrowRight", RIGHT)
    assert page.path() == "3.1"  # the way that was seen last
    page.play(6, 8)
    assert page.path() == "3.1"


def test_letters_are_of_siblings_where_the_record_says_so(browser: Browser, tmp_path: Path) -> None:
    page = Page(browser, tmp_path, one_game(FORKED.replace("SZ[9]", "SZ[9]ST[1]")))

    page.open("#1@2")
    assert page.text(".choices") == "BWhite C3Black C3"
    page.key("b")
    assert page.path() == "1.1"
    page.play(6, 6)
    assert page.path() == "2"


def test_wheel_slider_and_tree_lead_to_nodes(browser: Browser, tmp_path: Path) -> None:
    page = Page(browser, tmp_path, one_game(FORKED))
    x, y = browser.value(
        "(one => [one.left + 50, one.top + 50])"
        "(document.querySelector('.board').getBoundingClientRect())"
    )

    def turn(pixels: int) -> None:
        browser.call(
            "Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=pixels
        )

    turn(100)
    assert page.path() == "1"
    turn(-100)
    assert page.path() == "0"
    page.browser.value("document.querySelector('.slider').focus()")
    for _ in range(3):
        page.key("ArrowRight", RIGHT)
    assert page.path() == "3"
    page.click(".tree circle:nth-of-type(7)")
    assert page.path() == "1.1"


def test_a_swipe_steps(browser: Browser, tmp_path: Path) -> None:
    browser.resize(390, 800)
    page = Page(browser, tmp_path, one_game(FORKED))
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)

    def swipe(start: int, end: int) -> None:
        for kind, x in (("touchStart", start), ("touchMove", end), ("touchEnd", None)):
            points = [] if x is None else [{"x": x, "y": 300}]
            browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    swipe(300, 100)
    assert page.path() == "1"
    swipe(100, 300)
    assert page.path() == "0"
    browser.call("Emulation.setTouchEmulationEnabled", enabled=False)


def test_a_problem_hides_its_solution_and_the_record_answers(
    browser: Browser, tmp_path: Path
) -> None:
    page = Page(browser, tmp_path, one_game(PROBLEM))

    assert page.text(".words") == "Black to play."
    for name in (".sgf-variation", ".sgf-soft", ".choices", ".tree"):
        shown = f"[...document.querySelectorAll('{name}')].every(one => !one.checkVisibility())"
        assert browser.value(shown)
    page.key("ArrowRight", RIGHT)
    assert page.path() == "0"
    page.play(6, 8)
    assert page.text(".words") == "The record does not have this move: try another one."
    page.play(3, 4)
    assert (page.path(), page.text(".notes")) == ("1", "!! great tesuji")
    browser.wait_for("location.hash === '#1@2'")  # the address follows the position
    assert page.text(".words") == "Move 2: White E5. Black to play."
    browser.value("document.querySelector('.answer input').focus()")
    browser.type("e4")
    browser.press("Enter", "\r", 13)
    assert (page.path(), page.text(".words")) == ("2.1", "Move 3: Black E4. The line ends here.")
    page.click(".solve")
    assert browser.value("document.querySelector('.tree').checkVisibility()")
    assert page.text(".words") == "Move 3 of 3: Black E4."


def test_an_address_leads_to_a_node_of_a_game(browser: Browser, tmp_path: Path) -> None:
    page = Page(browser, tmp_path, loads(f"{FORKED}(;FF[4]GM[2]PB[Aoki];B[d3];W[c3])"))

    page.open("#2@1")
    assert (page.path(), page.text("h2")) == ("1", "Aoki vs. ?")
    assert page.text(".words") == "Move 1 of 2: Black d3."
    page.click("h2")
    browser.value("document.querySelector('.index a').click()")
    browser.wait_for("location.hash.startsWith('#1@')")
    assert page.text("h2") == "Go"
    page.open("#9@nowhere")
    assert page.text("h2") == "Go"


def test_each_game_has_gradients_of_a_picture_that_is_shown(
    browser: Browser, tmp_path: Path
) -> None:
    Page(browser, tmp_path, loads(FORKED * 2), "wood")

    for number in (2, 1, 2):
        browser.value(f"location.hash = '#{number}'")
        browser.wait_for(f"!document.querySelector('#game-{number}').hidden")
        plank = browser.value("document.querySelector('#sgf-plank').closest('.viewer').id")
        assert plank == f"game-{number}"


def test_a_deep_tree_is_drawn(browser: Browser, tmp_path: Path) -> None:
    game = one_game("(;FF[4]GM[1]SZ[9]" + "(;B[aa];W[bb];AE[aa][bb])" + "(;B[];W[]" * 2_400)
    page = Page(browser, tmp_path, game)

    page.key("End", END)
    page.browser.value("location.hash = '#1@0.1/4799'")
    browser.wait_for("document.querySelector('.link').hash === '#1@0.1/4799'")
    assert browser.complaints == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(width: int, browser: Browser, tmp_path: Path) -> None:
    text = FORKED.replace("C[Here]", f"C[{'long' * 200}]N[{'name' * 99}]").replace(
        "FF[4]", f"FF[4]PB[{'A' * 200}]GC[{'x ' * 400}]"
    )
    browser.resize(width, 900)
    page = Page(browser, tmp_path, loads(text + "(;FF[4]GM[6];B[31hefe])"))
    page.open("#1@3.1")

    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value(
        "document.querySelector('.board svg').getBoundingClientRect().bottom"
    ) <= browser.value("Math.max(innerHeight, innerWidth * 4)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(scheme: str, browser: Browser, tmp_path: Path) -> None:
    page = Page(browser, tmp_path, loads(FORKED + PROBLEM))
    found = []
    for fragment in ("#1@1", "#2"):
        page.open(fragment)
        found += browser.violations(scheme)

    assert found == []
