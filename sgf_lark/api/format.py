"""Files in the canonical layout, tested before anybody gets them."""

from __future__ import annotations

import io
from typing import TypedDict, Unpack

from sgf_lark.diagnostics.errors import SgfSyntaxError
from sgf_lark.diagnostics.report import Report
from sgf_lark.model.collection import Collection, GameTree
from sgf_lark.model.property import Content
from sgf_lark.write.dump import dump
from sgf_lark.write.styles import meaning

from .load import loads


class Layout(TypedDict, total=False):
    """The options of a canonical layout; see :func:`sgf_lark.dumps`."""

    nodes: int
    indent: int
    compress: bool
    width: int | None


class ChangedError(ValueError):
    """A new layout that would say something else than the old one: a mistake of ours."""


def formatted(
    data: bytes, *, name: str = "<string>", encoding: str | None = None, **layout: Unpack[Layout]
) -> bytes:
    """The bytes of a file in the canonical layout.

    They are read again, and say the same: the same games, nodes, and values.

    Args:
        data: The file.
        name: What to call it in an error.
        encoding: Of the bytes; None to see from them and from CA.
        layout: See :func:`sgf_lark.dumps`.

    Raises:
        SgfSyntaxError: The file breaks the grammar, so that a new layout would lose something.
        ChangedError: The new layout says something else.
    """
    collection = loads(data, strict=False, encoding=encoding)
    broken = tuple(one for one in collection.diagnostics if one.code[0] == "S")
    report = Report(name=name, text=collection.text, diagnostics=broken)
    if report.errors:
        raise SgfSyntaxError(report)
    file = io.BytesIO()
    dump(collection, file, style="canonical", **layout)
    again = loads(file.getvalue(), strict=False, encoding=encoding)
    if not say_the_same(collection, again):
        raise ChangedError("a new layout would change what this file says; it stays as it is")
    return file.getvalue()


def say_the_same(one: Collection, other: Collection) -> bool:
    """Whether two collections differ in nothing but their layout."""
    return len(one) == len(other) and all(map(_same_game, one.games, other.games))


def _same_game(one: GameTree, other: GameTree) -> bool:
    if (one.format, one.game, one.nodes.parents) != (other.format, other.game, other.nodes.parents):
        return False
    known: dict[int, list[str]] = {}

    def said(content: Content) -> list[str]:
        found = known.get(id(content))
        if found is None:
            found = known[id(content)] = sorted(repr(meaning(prop)) for prop in content)
        return found

    # Contents are kept as long as their numbers are compared.
    ours, theirs = list(one.nodes.contents), list(other.nodes.contents)
    return all(said(mine) == said(its) for mine, its in zip(ours, theirs, strict=True))
