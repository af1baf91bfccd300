"""Diagrams made up for tests, one for each kind of board, and the elements of pictures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

from sgf_lark import GameTree, Node, loads
from sgf_lark.core.schema.values import BoardSize, Color, Point
from sgf_lark.pictures.diagram import Diagram, GameFigure, Remark
from sgf_lark.pictures.pages.page import bare_svg
from sgf_lark.pictures.parts import (
    BoardKind,
    Label,
    Line,
    Link,
    Mark,
    MarkKind,
    Number,
    Stone,
    TerritoryPoint,
)

B, W = Color.BLACK, Color.WHITE


def of_letters(pairs: str) -> tuple[Point, ...]:
    """The points of pairs of letters, such as ``aa pd``."""
    return tuple(Point(ord(pair[0]) - 97, ord(pair[1]) - 97) for pair in pairs.split())


def stones(black: str = "", white: str = "", piece: str = "stone") -> tuple[Stone, ...]:
    """Pieces of both sides, on points in letters."""
    return tuple(
        Stone(point, color, piece)
        for color, pairs in ((B, black), (W, white))
        for point in of_letters(pairs)
    )


def links(pairs: str, color: Color) -> tuple[Link, ...]:
    """Links from each point to the next one."""
    return tuple(Link(*pair, color) for pair in pairwise(of_letters(pairs)))


def on_lines(side: int = 9, **parts: Any) -> Diagram:
    """A board of Go."""
    parts.setdefault("piece", "stone")
    parts.setdefault("column_names", tuple("ABCDEFGHJKLMNOPQRST"[:side]))
    return Diagram(
        kind=BoardKind.LINES,
        size=BoardSize(side, side),
        row_names=tuple(map(str, range(side, 0, -1))),
        **parts,
    )


def in_cells(side: int = 8, kind: BoardKind = BoardKind.CELLS, **parts: Any) -> Diagram:
    """A board of squares, or of Hex or Twixt."""
    if parts.get("stones"):
        parts.setdefault("piece", parts["stones"][0].piece)
    return Diagram(
        kind=kind,
        size=BoardSize(side, side),
        column_names=tuple("abcdefghijklmnopqrst"[:side]),
        row_names=tuple(map(str, range(1, side + 1))),
        **parts,
    )


def backgammon(white: dict[int, int], black: dict[int, int], **parts: Any) -> Diagram:
    """A backgammon board: the number of checkers of each column."""
    return Diagram(
        kind=BoardKind.POINTS,
        size=BoardSize(26, 1),
        stones=tuple(
            Stone(Point(column, 0), color, "checker", amount)
            for color, held in ((W, white), (B, black))
            for column, amount in held.items()
        ),
        column_names=(*map(str, range(1, 25)), "bar", "off"),
        **parts,
    )


GO = on_lines(
    stones=stones("cc gg", "gc aa ii"),
    last=of_letters("gg"),
    hoshi=of_letters("cc gc ee cg gg"),
    to_play=W,
)

MARKED = on_lines(
    stones=stones("cc gg", "gc"),
    last=of_letters("gg"),
    hoshi=of_letters("ee cg"),
    marks=tuple(map(Mark, of_letters("cc dd ed fd gd gc"), MarkKind)),
    labels=(
        Label(Point(1, 1), "A"),
        Label(Point(7, 1), "黑"),
        Label(Point(7, 7), "a & <b>\x1b"),
    ),
    numbers=(Number(Point(6, 6), 57),),
    territory=(TerritoryPoint(Point(0, 0), B), TerritoryPoint(Point(8, 0), W)),
    dim=of_letters("ai bi ci"),
    arrows=(Line(Point(0, 0), Point(3, 3)),),
    title="Dia. 1",
    notes=("57 at 32",),
)

OTHELLO = in_cells(stones=stones("de ed", "dd ee", "disc"), last=of_letters("de"))

AMAZONS = in_cells(
    10,
    stones=(
        *stones("da ga ad jd", "ag dj gj jg", "amazon"),
        Stone(Point(5, 5), None, "arrow"),
    ),
    last=of_letters("da ff"),
)

LINES_OF_ACTION = in_cells(
    rows_from_bottom=True,
    stones=stones("ba ca da bh", "ab ac hb", "piece"),
    last=of_letters("bh"),
)

OCTI = in_cells(
    6,
    rows_from_bottom=True,
    stones=(Stone(Point(1, 1), B, "pod", 1, "ACE"), Stone(Point(2, 4), W, "pod", 2, "E")),
)

HEX = in_cells(7, BoardKind.RHOMBUS, stones=stones("bb ec", "dd"), last=of_letters("ec"))

TWIXT = in_cells(
    12,
    BoardKind.HOLES,
    stones=stones("ii gh ei dk", "dc ee gf hd", "peg"),
    links=(
        *links("dc ee gf hd", W),
        *links("ii gh ei dk", B),
    ),
    last=of_letters("dk"),
    missing=of_letters("aa la al ll"),
)

BACKGAMMON = backgammon(
    {5: 7, 7: 3, 23: 1, 24: 1, 25: 3},
    {0: 2, 11: 6, 18: 3, 24: 2, 25: 2},
    dice=(6, 5),
    cube=4,
    cube_owner=B,
    to_play=W,
)

#: A diagram of each kind of board and of each game, by name.
DIAGRAMS = {
    "go": GO,
    "marked": MARKED,
    "othello": OTHELLO,
    "amazons": AMAZONS,
    "lines of action": LINES_OF_ACTION,
    "octi": OCTI,
    "hex": HEX,
    "twixt": TWIXT,
    "backgammon": BACKGAMMON,
}


def figure(number: int | str, **parts: Any) -> GameFigure:
    """A figure of a page: of the diagram of Go if no other is given."""
    shown = parts.pop("diagram", GO)
    said = tuple(Remark(*one) for one in parts.pop("comments", ()))
    return GameFigure(number=str(number), path="0", diagram=shown, comments=said, **parts)


def one_game(text: str) -> GameTree:
    return loads(text, strict=False)[0]


#: A record with a correct variation and a wrong one.
PROBLEM = (
    "(;FF[4]GM[1]SZ[9]AB[cc][cd]AW[dd]C[Black to play]"
    "(;B[de]TE[2]C[Right];W[ee](;B[ed])(;B[ef]))(;B[dc]BM[1];W[ec]))"
)


def drawn(svg: str) -> set[tuple[str, ...]]:
    """The elements of a picture, each with the groups around it; its description is none."""

    def elements(parent: ET.Element, around: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
        for element in parent:
            own = (f"{name}={value}" for name, value in sorted(element.attrib.items()))
            here = (*around, *own)
            if element.tag == "g":
                yield from elements(element, here)
            elif element.tag not in {"title", "desc", "style"}:
                yield (element.tag, *here, element.text or "")

    return {*elements(ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', "")))}  # noqa: S314  # ours


def expected(node: Node) -> set[tuple[str, ...]]:
    """The elements of a node's diagram."""
    return drawn(bare_svg(node.diagram()))
