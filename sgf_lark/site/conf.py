"""The settings of Sphinx for the pages that :mod:`sgf_lark.site.build` writes."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from pydoc import locate
from typing import Any

from docutils.nodes import Element
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import GoogleDocstring
from sphinx.util.nodes import make_refnode

import sgf_lark
from sgf_lark.site.lexers import GRAMMARS, GrammarLexer

project, version = "sgf_lark", sgf_lark.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme, html_title = "furo", f"sgf_lark {version}"
html_static_path, html_css_files, html_js_files = ["static"], ["site.css"], ["site.js"]
templates_path, html_favicon = ["templates"], "static/icon.svg"
html_copy_source = html_show_copyright = False
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_show_search_summary = False  # browsers fetch no page from file://
smartquotes = False  # options begin with two hyphens
myst_heading_anchors = 6
python_use_unqualified_type_names = True
autodoc_member_order = "bysource"

#: Sections of docstrings are lists, and their names no types.
_SECTIONS = Config(napoleon_use_param=False, napoleon_custom_sections=[("Attributes", "Args")])


def setup(app: Sphinx) -> None:
    """Register lexers, and what finds names and shows docstrings."""
    for language in GRAMMARS:
        app.add_lexer(language, partial(GrammarLexer, language))  # type: ignore[arg-type]  # a class
    app.add_lexer("mermaid", TextLexer)
    app.connect("missing-reference", find_name)
    app.connect("autodoc-process-docstring", show_sections)


def find_name(app: Sphinx, _: object, node: Element, shown: Element) -> Any:
    """Resolve a name by its page; one that has none stays a text.

    Annotations name classes by their modules, or know them only to type checkers; what a docstring
    names, Python has to find.
    """
    if node["refdomain"] != "py":
        return None
    is_annotation = "refwarn" not in node
    names = node["reftarget"].split(".")
    for name in names[-1:] if is_annotation else names:
        if name in sgf_lark.__all__:
            return make_refnode(app.builder, node["refdoc"], f"api/{name}", "", shown)
    return shown if is_annotation or locate(node["reftarget"]) is not None else None


def show_sections(*event: Any) -> None:
    """Write the sections of a docstring as lists; the first words of an attribute are no type."""
    lines: list[str] = event[-1]
    lines[:] = GoogleDocstring(lines, _SECTIONS).lines()  # type: ignore[arg-type]  # napoleon's own
