"""Pages, worksheets and viewers as a browser prints them: what a reader has in the hand."""

from __future__ import annotations

import base64
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

import pytest
from support.browser import CHROMIUM, opened

from sgf_lark import GameTree, loads
from sgf_lark.positions.page import make_page, make_worksheet, view_games

if TYPE_CHECKING:
    from pathlib import Path

    import pypdfium2 as pdfium
else:
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")

pytestmark = [
    pytest.mark.night,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]

#: Width and height of paper in inches.
PAPERS = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}

WORDS = "The corner is large, and whoever plays first there has the better of it. " * 3


def commented_game() -> GameTree:
    """A game with a comment on each third move, and variations."""
    draft = GameTree.new(19, PB="Aoki", PW="Berg", RE="B+R", DT="2024-06-01").edit()
    for number in range(60):
        node = draft.play((number * 7 % 19, number * 5 % 19), force=True)
        if number % 3 == 0:
            draft.set(node, "C", WORDS * (1 + number % 4))
        if number % 10 == 4:
            other = draft.add(draft.parent(node) or 0, {"B": (18, number % 19)})
            draft.set(other, "C", "Another way: " + WORDS)
    return draft.done(strict=False)


def problems() -> list[GameTree]:
    """Problems on small and large parts of a board."""
    corner = "(;FF[4]GM[1]SZ[19]AB[{}]AW[bb][cb]C[Black to play](;B[ba];W[ca])(;B[aa];W[ba]C[No]))"
    return [
        loads(corner.format("][".join(f"{x}{y}" for x in "ace" for y in ys)))[0]
        for ys in ("de", "cdf", "defgh", "dq", "dm", "ek", "dfs")
    ]


def pages() -> dict[str, str]:
    """The pages that are printed."""
    return {
        "a game": commented_game().page().html(),
        "a worksheet": make_worksheet([make_page(game, crop="auto") for game in problems()]).html(),
        "a viewer": view_games(problems()),
        "a dark page": commented_game().page().html("dark"),
    }


class Line(NamedTuple):
    """A piece of text, and its rectangle from the lower left corner of a sheet."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


class Sheet(NamedTuple):
    """A printed sheet: what is written, and where the lowest mark is, as a part of its height."""

    lines: list[Line]
    depth: float
    is_gray: bool


def printed(html: str, paper: str, folder: Path) -> list[Sheet]:
    """Print a page by Chromium, and read what is on the sheets."""
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    width, height = PAPERS[paper]
    with opened(folder / "profile", file.as_uri()) as browser:
        browser.wait_for("document.readyState === 'complete'")
        done = browser.call("Page.printToPDF", paperWidth=width, paperHeight=height)
    document = pdfium.PdfDocument(base64.b64decode(done["data"]))
    return [read_sheet(page) for page in document]


def read_sheet(page: pdfium.PdfPage) -> Sheet:
    text, height = page.get_textpage(), page.get_height()
    lines: list[Line] = []
    for number in range(text.count_rects()):
        left, bottom, right, top = text.get_rect(number)
        said = text.get_text_bounded(left, bottom, right, top).strip()
        last = lines[-1] if lines else None
        size = top - bottom
        if last and abs(last.bottom - bottom) < size and -size < left - last.right < size:
            gap = " " if left - last.right > size / 4 else ""
            lines[-1] = Line(
                f"{last.text}{gap}{said}",
                min(last.left, left),
                min(last.bottom, bottom),
                max(last.right, right),
                max(last.top, top),
            )
        elif said:
            lines.append(Line(said, left, bottom, right, top))
    lowest = min((one.get_bounds()[1] for one in page.get_objects(max_depth=9)), default=height)
    picture = page.render(scale=0.5).to_pil().convert("RGB")
    colors = {max(color) - min(color) for _, color in picture.getcolors(1 << 24)}
    return Sheet(lines, 1 - lowest / height, max(colors) < 24)  # as ink dithers


def overlap(one: Line, other: Line) -> float:
    """The part of the smaller rectangle that lies in the other one."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.top, other.top) - max(one.bottom, other.bottom)
    least = min((a.right - a.left) * (a.top - a.bottom) for a in (one, other))
    return max(width, 0) * max(height, 0) / least if least > 0 else 0


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ["a game", "a worksheet", "a viewer", "a dark page"])
def test_what_is_printed_can_be_read_and_wastes_no_paper(
    name: str, paper: str, tmp_path: Path
) -> None:
    sheets = printed(pages()[name], paper, tmp_path)

    assert any("Aoki" in line.text or "problem" in line.text.lower() for line in sheets[0].lines)
    for number, sheet in enumerate(sheets, 1):
        where = f"{name} on {paper}, sheet {number}"
        assert sheet.is_gray, where
        for one, other in combinations(sheet.lines, 2):
            assert overlap(one, other) < 0.2, (where, one, other)  # accents touch
    for number, (sheet, following) in enumerate(pairwise(sheets), 1):
        begins_anew = any("solution" in line.text for line in following.lines[:1])
        assert sheet.depth > 0.5 or begins_anew, f"{name}: sheet {number} is half empty"


@pytest.mark.parametrize("paper", PAPERS)
def test_no_heading_stands_alone_at_the_foot_of_a_column(paper: str, tmp_path: Path) -> None:
    sheets = printed(commented_game().page().html(), paper, tmp_path)

    for sheet in sheets[:-1]:
        middle = max(line.right for line in sheet.lines) / 2
        for column in (
            [line for line in sheet.lines if line.left < middle],
            [line for line in sheet.lines if line.left >= middle],
        ):
            last = min(column, key=lambda line: line.bottom, default=None)
            heads = ("Figure", "Variation", "Move")
            assert last is None or not (last.text.startswith(heads) and len(last.text) < 40), last


def test_a_page_whose_texts_lie_over_each_other_is_noticed(tmp_path: Path) -> None:
    style = "position:absolute;top:1cm;left:1cm;color:red"
    html = f"<p style='{style}'>Move 62</p><p style='{style}'>Move 63</p>"
    (sheet,) = printed(html, "A4", tmp_path)

    assert max(overlap(*pair) for pair in combinations(sheet.lines, 2)) > 0.9
    assert not sheet.is_gray
