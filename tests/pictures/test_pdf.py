"""Games as PDF: the same data as the page, texts that are only text, equal bytes."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest
from support.diagrams import DIAGRAMS, GO, MARKED, figure

from sgf_lark.pictures.pages.page import GamePage, HeadRow
from sgf_lark.pictures.pages.pdf import draw_sheets

EVIL = '#panic("x") *bold* $x$ @label <label> \\ ] [ // `raw` #import "/etc/passwd"\x00\x1b\ud800'


PAGE = GamePage(
    title="青木 vs. שחקן",
    facts=(HeadRow("Black", "青木"), HeadRow("Result", "Black wins by resignation")),
    comment="A friendly game.",
    figures=(
        figure(1, first=1, last=50, variations=("1a",), comments=((12, "", "Sharp."),)),
        figure("1a", first=13, last=20, parent=12, comments=((13, "שלום", "Better is A."),)),
        figure(2, first=51, last=51, name="The end", diagram=MARKED),
    ),
)


def ink(page: GamePage) -> list[int]:
    """The bytes of each sheet as PNG: more of them where there is more to be seen."""
    return [len(sheet) for sheet in draw_sheets(page, 20)]


def test_a_pdf_is_made_of_a_page() -> None:
    pdf = PAGE.pdf()

    assert pdf.startswith(b"%PDF-1.")
    assert pdf.rstrip().endswith(b"%%EOF")


def test_a_page_without_a_title_is_as_large_as_its_picture() -> None:
    alone = GamePage(title="", figures=(figure(1),))
    (sheet,) = draw_sheets(alone, 72)
    width, height = struct.unpack(">II", sheet[16:24])

    assert width == pytest.approx(120 / 25.4 * 72, abs=2)
    assert width < height < 1.2 * width


def test_equal_pages_give_equal_bytes() -> None:
    assert PAGE.pdf() == PAGE.pdf()


def test_texts_of_a_record_are_no_markup() -> None:
    evil = figure(
        1,
        name=EVIL,
        first=1,
        last=2,
        comments=((1, EVIL, EVIL),),
        diagram=MARKED.model_copy(update={"title": EVIL, "notes": (EVIL,), "left_out": (EVIL,)}),
    )
    page = GamePage(
        title=EVIL, facts=(HeadRow("Black", EVIL),), comment=EVIL, figures=(evil,), lost=(EVIL,)
    )

    assert page.pdf().startswith(b"%PDF-1.")


def test_sheets_are_a4_and_as_many_as_the_figures_need() -> None:
    (sheet,) = draw_sheets(PAGE, 72)
    many = PAGE.model_copy(update={"figures": tuple(figure(at) for at in range(1, 10))})

    width, height = struct.unpack(">II", sheet[16:24])
    assert (width, height) == (595, 842)
    assert len(draw_sheets(many, 20)) == 3


def test_every_part_of_a_page_is_to_be_seen() -> None:
    bare = GamePage(title="x", figures=PAGE.figures[:1])
    (least,) = ink(bare.model_copy(update={"figures": ()}))
    (only_figure,) = ink(bare.model_copy(update={"figures": (figure(1),)}))
    (with_comment,) = ink(bare)
    (everything,) = ink(PAGE)

    assert least < only_figure < with_comment < everything


def test_what_a_picture_leaves_out_is_listed_below_it() -> None:
    lost = GO.model_copy(update={"left_out": ("TR[zz] lies outside the board",)})

    (complete,) = ink(GamePage(title="x", figures=(figure(1),)))
    (damaged,) = ink(GamePage(title="x", figures=(figure(1, diagram=lost),)))

    assert damaged > complete


@pytest.mark.parametrize("name", DIAGRAMS)
def test_every_kind_of_board_is_drawn(name: str) -> None:
    (blank,) = ink(GamePage(title=name))
    (drawn,) = ink(GamePage(title=name, figures=(figure(1, diagram=DIAGRAMS[name]),)))

    assert drawn > blank + 200


def test_words_longer_than_a_line_are_broken() -> None:
    long = GamePage(title="x", figures=(figure(1, comments=((1, "", "x" * 3000),)),))
    short = GamePage(title="x", figures=(figure(1, comments=((1, "", "x" * 30),)),))

    assert sum(ink(long)) > 2 * sum(ink(short)) - ink(GamePage(title="x"))[0]


def test_fonts_can_be_in_other_folders(tmp_path: Path) -> None:
    assert PAGE.pdf(fonts=[tmp_path]) == PAGE.pdf()


def test_a_missing_typst_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)

    with pytest.raises(ModuleNotFoundError, match=r"pip install .sgf_lark\[pdf\]"):
        PAGE.pdf()
