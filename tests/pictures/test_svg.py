"""SVG: well-formed, small, without text that needs a font, safe for any text of a record."""

from __future__ import annotations

import re
from time import process_time
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support.diagrams import DIAGRAMS, GO, B, W, of_letters, on_lines, stones
from support.lanes import one_in
from support.pixels import parts_of
from support.places import ROOT
from support.readmes import GUIDES

import sgf_lark
from sgf_lark.core.schema.values import BoardSize, Point
from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import BoardKind, Label, Mark, MarkKind, Number, Stone, Theme
from sgf_lark.pictures.shapes.grounds import PLANK, RULES, SURFACES, THEMES
from sgf_lark.pictures.svg import draw_svg

#: The texts of a marked board: a label, the title, the long label, the notes.
MARKED_WORDS = ["黑", "Dia. 1", "H2: a & <b> ", "57 at 32"]

NAME = "{http://www.w3.org/2000/svg}"


def read(svg: str) -> ET.Element:
    """The elements of an SVG."""
    return ET.fromstring(svg)  # noqa: S314  # our own text


def pieces(root: ET.Element) -> set[tuple[str, str]]:
    """Color and point of each piece of a picture."""
    return {
        (name.split()[1], element.get("data-point", ""))
        for element in root.iter()
        if (name := element.get("class", "")).startswith("sgf-stone")
        and "data-point" in element.attrib
    }


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_picture_is_well_formed_and_the_same_every_time(name: str, theme: Theme) -> None:
    diagram = DIAGRAMS[name]
    svg = draw_svg(diagram, theme=theme)
    again = draw_svg(Diagram.model_validate_json(diagram.model_dump_json()), theme=theme)

    assert read(svg).tag == f"{NAME}svg"
    assert svg == again


@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_picture_without_other_scripts_has_no_text(name: str) -> None:
    words = [element.text for element in read(draw_svg(DIAGRAMS[name])).iter(f"{NAME}text")]

    assert words == (MARKED_WORDS if name == "marked" else [])


def test_each_stone_is_found_by_its_point() -> None:
    assert pieces(read(draw_svg(GO))) == {
        ("sgf-black", "cc"),
        ("sgf-black", "gg"),
        ("sgf-white", "gc"),
        ("sgf-white", "aa"),
        ("sgf-white", "ii"),
    }


@pytest.mark.parametrize("kind", [*MarkKind])
def test_a_mark_on_a_point_with_a_text_is_a_ring_around_it(kind: MarkKind) -> None:
    point = Point(2, 2)
    ring = '<path class="sgf-mark sgf-on-board sgf-mark-ground" data-point="cc"'
    for text in {"labels": (Label(point, "A"),)}, {"numbers": (Number(point, 7),)}:
        svg = on_lines(marks=(Mark(point, kind),), **text).svg()
        assert ("a.42.42" in svg and ring in svg) is (kind is not MarkKind.FINDING)
        assert "a.42.42" not in on_lines(marks=(Mark(Point(1, 1), kind),), **text).svg()


def test_a_picture_takes_arrows_marks_labels_and_colors_by_the_names_of_points() -> None:
    board = sgf_lark.Board("Go", 9).play("E5")
    svg = board.svg(
        arrows=["C3-E5"], marks={"e5": "triangle"}, labels={"C3": "a"}, fill={"D4": "#f80"}
    )
    classes = [element.get("class") for element in read(svg).iter()]

    assert {"sgf-arrow", "sgf-fill", "sgf-mark sgf-on-black"} <= {*classes}
    assert board.svg() == sgf_lark.Board("Go", 9).play("E5").svg()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"labels": {"Z3": "a"}}, "no point 'Z3'"),
        ({"arrows": ["C3"]}, "no point ''"),
        ({"marks": {"E5": "star"}}, "'star' is not a valid MarkKind"),
        ({"fill": {"E5": '"/>'}}, "invalid color"),
    ],
)
def test_markup_that_a_board_cannot_show_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sgf_lark.Board("Go", 9).svg(**wrong)


def test_a_long_label_is_below_the_picture_in_full() -> None:
    board = sgf_lark.Board("Go", 9)

    assert ">H2: joseki</text>" in board.svg(labels={"H2": "joseki", "C3": "abcd"})
    assert "<text" not in board.svg(labels={"H2": "joseki"}, captions=False)


def test_title_and_description_are_the_position_in_words() -> None:
    board = sgf_lark.Board("Go", 9).play("E5").play("C3")
    game = sgf_lark.loads("(;FF[4]GM[1]SZ[9];B[ee]N[囲碁]LB[cc:急所])")[0]
    (root, named) = (read(shown.svg()) for shown in (board, game.nodes[1].diagram()))

    assert root.findtext(f"{NAME}title") == "Go 9x9 after move 2"
    assert root.findtext(f"{NAME}desc") == "black E5; white C3; last C3; black to play"
    assert named.findtext(f"{NAME}title") == "囲碁: Go 9x9 after move 1"
    assert named.findtext(f"{NAME}desc") == "black E5; C7 急所; last E5; white to play"


@pytest.mark.parametrize(
    "wild", ["<b>&\"'</b>", "]]>", "\x00\x1b\ufffe\ud800", "a\r\n\tb", "&#1;", "囲碁"]
)
def test_any_text_of_a_record_is_safe(wild: str) -> None:
    diagram = GO.model_copy(
        update={
            "title": wild,
            "notes": (wild, ""),
            "labels": (Label(Point(1, 1), wild), Label(Point(2, 2), wild)),
            "variations": (Label(Point(4, 4), wild),),
            "column_names": (wild,) * 9,
        }
    )
    svg = draw_svg(diagram)

    assert not any(ord(char) < 32 and char != "\n" for char in svg)
    assert {element.tag.removeprefix(NAME) for element in read(svg).iter()} <= {
        *("svg", "title", "desc", "style", "rect", "path", "circle", "g", "text"),
    }


def test_a_full_board_is_small() -> None:
    half = tuple(
        Stone(Point(column, row), B if (column + row) % 3 else W)
        for row in range(19)
        for column in range(19)
        if (column * 7 + row * 3) % 18 < 5
    )

    assert len(half) == pytest.approx(100, abs=3)
    assert len(draw_svg(on_lines(19, stones=half))) < 20_000


def test_size_and_coordinates_are_options() -> None:
    root = read(draw_svg(GO, size=300))
    bare = read(draw_svg(GO, coordinates=False))

    assert root.get("width") == "300"
    assert root.get("viewBox") != bare.get("viewBox")
    assert "sgf-names" not in draw_svg(GO, coordinates=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"theme": "blue"}, "no theme 'blue': expected light, dark, print, wood"),
        ({"size": 0}, "invalid size 0: expected a positive number"),
        ({"size": float("nan")}, "invalid size nan"),
    ],
)
def test_options_that_do_not_exist_are_named(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        draw_svg(GO, **options)  # type: ignore[arg-type]


def test_hidden_points_and_those_outside_the_part_have_no_pieces() -> None:
    held = stones("aa cc", "hh ii")
    cropped = on_lines(stones=held, crop=(Point(0, 0), Point(3, 3)))
    hidden = on_lines(stones=held, view=of_letters("aa ab ba bb hh"))

    assert pieces(read(draw_svg(cropped))) == {("sgf-black", "aa"), ("sgf-black", "cc")}
    assert pieces(read(draw_svg(hidden))) == {("sgf-black", "aa"), ("sgf-white", "hh")}


def test_a_notebook_shows_a_picture() -> None:
    picture = GO.svg(theme="dark")

    assert picture._repr_svg_() == draw_svg(GO, theme="dark")
    assert GO._repr_svg_() == draw_svg(GO)


@pytest.mark.timing
@pytest.mark.parametrize("kind", one_in(4, list(BoardKind)[:4]))
def test_huge_boards_cost_no_more_than_their_points(kind: BoardKind) -> None:
    def cost(side: int) -> float:
        full = tuple(Stone(Point(at % side, at // side), B) for at in range(side**2))
        diagram = Diagram(kind=kind, size=BoardSize(side, side), stones=full)
        start = process_time()
        draw_svg(diagram)
        return (process_time() - start) / side**2

    assert min(cost(90) for _ in range(2)) < 3 * min(cost(30) for _ in range(3))


@pytest.mark.timing
@pytest.mark.parametrize(
    "word", one_in(4, ["a b " * 25_000, "x" * 100_000, "\u0301" * 100_000, "囲" * 100_000])
)
def test_huge_texts_cost_no_more_than_their_length(word: str) -> None:
    long = {"title": word, "notes": (word, word), "labels": (Label(Point(0, 0), word),)}
    start = process_time()
    svg = draw_svg(GO.model_copy(update=long))

    assert process_time() - start < 1
    assert len(svg) < 8 * len(word)


def luminance(color: str) -> float:
    """The relative luminance of a color (WCAG 2.2)."""
    parts = (part / 255 for part in parts_of(color))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


#: What is written on what, and what is seen on what by itself or by its edge.
TEXTS = (("on-black", "black"), ("on-white", "white"), ("ink", "board"))
SHAPES = (
    *(
        (f"{side} {side}-edge", ground)
        for side in ("black", "white")
        for ground in ("board", "square", "point", "well")
    ),
    *(
        (f"{mark} white", ground)
        for mark in ("finding", "select")
        for ground in ("board", "square", "point")
    ),
    *(("select white", side) for side in ("black", "white")),
    ("line", "board"),
    ("ink", "board"),
    ("point line", "board"),
    ("square line", "board"),
)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("surface", SURFACES)
def test_texts_lines_and_pieces_have_contrast(surface: str, theme: Theme) -> None:
    colors = THEMES[theme] | SURFACES[surface][theme]
    texts = [*TEXTS, ("names", "board" if surface == "grid" else "frame")]
    shapes = [*SHAPES]
    if surface == "grid":
        shapes.append(("hole", "board"))
    if surface == "squares":
        texts.append(("ink", "square"))
        shapes += [("line", "square"), *(("arrow-piece", ground) for ground in ("board", "square"))]
    weak = [
        (names, ground)
        for least, pairs in ((4.5, texts), (3, shapes))
        for names, ground in pairs
        if ground in colors and {*names.split()} <= colors.keys()
        if max(contrast(colors[name], colors[ground]) for name in names.split()) < least
    ]

    assert weak == []


def test_planks_and_round_stones_have_contrast() -> None:
    colors = THEMES["wood"] | SURFACES["grid"]["wood"]
    ends = re.findall(r'stop-color="(#[0-9a-f]+)"', PLANK)
    planks, balls = ends[:4], ends[4:]
    written = [colors["on-black"]] * 2 + [colors["on-white"]] * 2

    assert all(contrast(colors["names"], plank) >= 4.5 for plank in planks)
    assert all(contrast(colors["line"], plank) >= 3 for plank in planks)
    assert all(contrast(*pair) >= 4.5 for pair in zip(balls, written, strict=True))


def test_the_page_about_pictures_lists_all_variables() -> None:
    page = (ROOT / GUIDES / "show.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`--sgf-([a-z-]+)`", page))
    colors = {name for theme in THEMES.values() for name in theme} | {
        name for themes in SURFACES.values() for colors in themes.values() for name in colors
    }

    assert listed == colors
    assert listed == set(re.findall(r"@([a-z-]+)", " ".join(rule for _, rule in RULES)))
