"""HTML as a browser would take it: its elements, their attributes, and what may not be there."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

#: Elements that a page of ours has, those of its pictures among them.
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section"),
    *("article", "h1", "h2", "h3", "h4", "p", "div", "span", "b", "i", "bdi", "a", "ul", "li"),
    *("dl", "dt", "dd", "figure", "figcaption", "img", "table", "thead", "tbody", "tr", "th", "td"),
    *("pre", "code", "mark", "svg", "desc", "g", "path", "rect", "circle", "line", "use", "defs"),
    *("text", "polygon", "symbol", "clippath", "ellipse", "polyline", "pattern", "lineargradient"),
    *("stop", "radialgradient", "tspan"),
}

#: Elements that have no end.
EMPTY = {"meta", "img"}


class Element(NamedTuple):
    """An element where it begins."""

    name: str
    attributes: dict[str, str | None]


class Page(HTMLParser):
    """A page that was read.

    Attributes:
        elements: All elements, in their order.
        text: What a reader sees, without style sheets.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS, tag
        element = Element(tag, dict(attrs))
        assert len(element.attributes) == len(attrs), attrs
        self.elements.append(element)
        if tag not in EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] != "style":
            self.text += data

    def named(self, name: str) -> list[Element]:
        """The elements of a name."""
        return [one for one in self.elements if one.name == name]

    def with_class(self, name: str) -> list[Element]:
        """The elements of a class."""
        return [one for one in self.elements if name in (one.attributes.get("class") or "").split()]


def harmless(html: str) -> Page:
    """Read HTML that has no script, and asks for nothing; only links within the page."""
    page = Page(html)
    ids = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    for name, attributes in page.elements:
        for key, value in attributes.items():
            assert not key.startswith("on"), (name, key)
            if key in {"href", "xlink:href"}:
                assert (value or "").startswith("#"), value
                assert (value or "")[1:] in ids, value
            if key == "src":
                assert (value or "").startswith("data:image/svg+xml;base64,")
            if key in {"style", "fill"}:
                assert "url(" not in (value or "").replace("url(#", "")
    return page
