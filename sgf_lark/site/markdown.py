"""Pieces of Markdown that pages are made of."""

from __future__ import annotations

from collections.abc import Iterable


def literal(text: str) -> str:
    """Return a text in a table as code."""
    return f"`{text}`".replace("|", r"\|")


def fenced(text: str, language: str) -> str:
    """Return a block of code, or a directive such as ``{eval-rst}``."""
    return f"`````{language}\n{text.rstrip()}\n`````"


def table_of(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of cells in Markdown."""
    head = [*head]
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def subpage(parent: str, *parts: str) -> str:
    """Return a page that is below a link to the one that lists it, and not in the navigation.

    There are hundreds of them, and each page has the navigation.
    """
    return "\n\n".join(("---\norphan: true\n---", parent, *parts))
