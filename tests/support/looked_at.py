"""Pictures of nodes as the sets of their elements, to compare what viewers show."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from sgf_lark import GameTree, Node, loads
from sgf_lark.pictures.pages.page import bare_svg

PROBLEM = (
    "(;FF[4]GM[1]SZ[9]AB[cc][cd]AW[dd]C[Black to play]"
    "(;B[de]TE[2]C[Right];W[ee](;B[ed])(;B[ef]))(;B[dc]BM[1];W[ec]))"
)


def one_game(text: str) -> GameTree:
    return loads(text, strict=False)[0]


def drawn(svg: str) -> set[tuple[str, ...]]:
    """The elements of a picture, each with the groups around it; its description is none."""
    root = ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""))  # noqa: S314  # ours
    found: set[tuple[str, ...]] = set()
    waiting: list[tuple[tuple[str, ...], ET.Element]] = [
        ((), element) for element in root if element.tag not in {"title", "desc", "style"}
    ]
    while waiting:
        around, element = waiting.pop()
        here = (*around, *(f"{name}={value}" for name, value in sorted(element.attrib.items())))
        if element.tag == "g":
            waiting += [(here, inner) for inner in element]
        else:
            found.add((element.tag, *here, element.text or ""))
    return found


def expected(node: Node) -> set[tuple[str, ...]]:
    """The elements of a node's diagram."""
    return drawn(bare_svg(node.diagram()))
