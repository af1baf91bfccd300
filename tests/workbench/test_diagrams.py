"""Railroad diagrams: one for each definition, under its production, and well-formed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from support.grammar_files import some_by_day

from sgf_lark.core.grammar import grammars
from sgf_lark.workbench.diagrams import grammar_as_html, grammar_as_svg
from sgf_lark.workbench.source_text import grammar_text


@pytest.mark.parametrize("name", some_by_day(grammars.names()))
def test_every_definition_of_every_grammar_is_drawn(name: str) -> None:
    file = grammars.path(name)
    root = ET.fromstring(grammar_as_svg(file))  # noqa: S314  # our own
    page = grammar_as_html(file, name)
    names = [*grammar_text(file).by_name]

    drawn = [one.get("aria-label") for one in root.iter() if one.get("role") == "img"]
    assert drawn == [f"diagram of {one}" for one in names]
    assert re.findall(r"<section id=\"(\w+)\">", page) == names
    assert re.findall(r"<li><a href=\"#(\w+)\">", page) == names
    assert {*re.findall(r"xlink:href=\"#(\w+)\"", page)} <= {*names}
    assert "http" not in page.replace("http://www.w3.org/", "").replace("http-equiv", "")


def test_the_production_stands_above_its_diagram() -> None:
    page = grammar_as_html(grammars.path("ff4"), "ff4")
    section = page[page.index('id="prop_value"') :].partition("</section>")[0]

    assert "PropValue  = &quot;[&quot; CValueType &quot;]&quot;" in section
    assert section.index("CValueType") < section.index("<svg")


def test_the_page_has_the_colors_of_its_reader() -> None:
    page = grammar_as_html(grammars.path("ff4"), "ff4")
    own = page.partition("svg.railroad-diagram { background: none")[2].partition("</style>")[0]

    assert "data-theme" not in page.partition("<head>")[0]
    assert "svg.railroad-diagram text { fill: var(--text); }" in own
    assert "#fff" not in own


def test_a_text_with_a_name_is_drawn_as_the_text() -> None:
    page = grammar_as_html(grammars.path("ff4"), "ff4")
    section = page[page.index('id="game_tree"') :].partition("</section>")[0]

    assert ">(</text>" in section
    assert ">_OPEN</text>" not in section


CONSTRUCTS = """\
start: a? b* c+ d~2 d~1..3 [a | b] (c | d)
?a: "x"i -> ex
  | /[a-z]<&/
b: sep{c, ","}
!c: "a".."z"
d: A
A: "<"
sep{x, y}: x (y x)*
"""


def test_every_construct_of_the_notation_can_be_drawn(tmp_path: Path) -> None:
    file = tmp_path / "mine.lark"
    file.write_text(CONSTRUCTS, encoding="utf-8")
    root = ET.fromstring(grammar_as_svg(grammars.source(file)))  # noqa: S314  # our own

    shown = {"".join(one.itertext()) for one in root.iter() if one.tag.endswith("text")}
    assert {"as ex", "2 times", "1 to 3 times", "a to z", "of"} <= shown
