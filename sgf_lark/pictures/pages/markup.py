"""HTML that is escaped by construction: texts of records become text, never markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

#: Characters that no HTML may have, and halves of surrogate pairs.
_IMPOSSIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


class Html(str):
    """A piece of HTML; any other text is escaped when it is put into one."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<Html: {len(self)} characters>"


def html(text: str) -> Html:
    if isinstance(text, Html):
        return text
    return Html(escape(_IMPOSSIBLE.sub("\N{REPLACEMENT CHARACTER}", text)))


def join(parts: Iterable[str]) -> Html:
    return Html("".join(map(html, parts)))


def tag(name: str, /, *content: str, **attributes: str | int | bool | None) -> Html:
    """Return an element.

    Args:
        attributes: Its attributes; ``class_`` is ``class``, ``_`` is ``-``.  True is one without
            a value; None and False leave it out.
    """
    shown = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        shown.append(" " + key.rstrip("_").replace("_", "-"))
        if value is not True:
            shown.append(f'="{html(str(value))}"')
    inside = join(content)
    end = "" if name in _EMPTY else f"</{name}>"
    return Html(f"<{name}{''.join(shown)}>{inside}{end}")


def said(name: str, text: str, /, **attributes: str | int | bool | None) -> Html:
    """Return an element with a text of a record, in a language and a direction of its own."""
    return tag(name, text, dir="auto", **attributes)


#: Elements that have no content and no end.
_EMPTY = {"br", "img", "link", "meta"}
