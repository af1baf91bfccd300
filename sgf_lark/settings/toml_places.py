"""Places in a TOML file, which ``tomllib`` does not report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from sgf_lark.places import Span


class Statement(NamedTuple):
    """A header of a table, or a key with its value: its content from the top, and its place."""

    content: dict[str, Any]
    span: Span


def statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a valid TOML file, one after the other.

    ``tomllib`` reports no places, but each statement can be read alone.
    """
    import tomllib

    header: list[str] = []
    start = end = 0
    for line in text.splitlines(keepends=True):
        end += len(line)
        try:
            content = tomllib.loads(text[start:end])
        except tomllib.TOMLDecodeError:
            continue  # an array or a string goes on
        span, start = Span(start, end), end
        if text[span.start : end].lstrip().startswith("["):
            header = list(_first_path(content))
        for key in reversed(header if content and not line.lstrip().startswith("[") else []):
            content = {key: content}
        if content:
            yield Statement(content, span)


def _first_path(content: Any) -> Iterator[str]:
    """Yield the keys of the path to the table of a header."""
    while content:
        if isinstance(content, list):
            (content,) = content
        else:
            ((key, content),) = content.items()
            yield key


def place(text: str, known: list[Statement], path: tuple[int | str, ...], kind: str) -> Span:
    """Return the place of a setting: its key if that is wrong, else its value or a part of it."""
    best, deepest = Span(0, 0), 0
    for statement in known:
        depth = _depth(statement.content, path)
        if depth > deepest:
            best, deepest = statement.span, depth
    names = [part for part in path[:deepest] if isinstance(part, str)]
    snippet = text[best.start : best.end]
    name = names[-1] if names else ""
    key = re.search(rf"(?<![\w-])[\"']?{re.escape(name)}[\"']?(?=\s*[]=.])", snippet)
    if key is None:
        return Span(best.start, best.start + len(snippet.rstrip()))
    if kind == "extra_forbidden" or path[-1] == "[key]":  # as pydantic calls the key
        return Span(best.start + key.start(), best.start + key.end())
    value = re.compile(r"\s*=\s*(.*\S)?", re.DOTALL).match(snippet, key.end())
    if value is None:
        return Span(best.start + key.start(), best.start + key.end())
    number = path[deepest - 1]
    if isinstance(number, int):
        items = _ITEM.finditer(snippet, value.start(1) + 1)
        for index, item in enumerate(item for item in items if not item[0].startswith("#")):
            if index == number:
                return Span(best.start + item.start(), best.start + item.end())
    whole = _ITEM.match(snippet, value.start(1))
    end = whole.end() if whole else value.end()
    return Span(best.start + value.start(1), best.start + end)


#: A string, a comment or a bare value of TOML.
_ITEM = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#[^\n]*|[^\s,\[\]{}\"'#=]+")


def _depth(content: Any, path: tuple[int | str, ...]) -> int:
    """Count the steps of a path that exist in some content."""
    for depth, step in enumerate(path):
        try:
            content = content[step]
        except (KeyError, IndexError, TypeError):
            return depth
    return len(path)
