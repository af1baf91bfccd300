"""Notations of parse trees: text with places, JSON, s-expression, DOT, SVG.

Trees of any depth are written with a stack, piece by piece.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from html import escape
from typing import NamedTuple

from lark import Token, Tree

from sgf_lark.core import LineIndex, Span, cut

from .parse_state import place_of

Syntax = Tree[Token]


class TreeLine(NamedTuple):
    """A rule or token of a tree.

    Attributes:
        depth: The number of rules around it.
        name: The name of the rule or terminal; "" for a terminal without one.
        text: The text of a token; None for a rule.
        span: The place; None for a rule without text.
        size: The number of children that follow, one level deeper.
    """

    depth: int
    name: str
    text: str | None
    span: Span | None
    size: int


def lines(tree: Syntax) -> Iterator[TreeLine]:
    """Yield the rules and tokens of a tree, in the order of the text; gaps left out."""
    waiting: list[tuple[Syntax | Token, int]] = [(tree, 0)]
    while waiting:
        part, depth = waiting.pop()
        if isinstance(part, Token):
            name = "" if part.type.startswith("__ANON_") else part.type
            yield TreeLine(depth, name, str(part), place_of(part), 0)
            continue
        children = [child for child in part.children if child is not None]  # type: ignore[redundant-expr]  # lark leaves gaps
        yield TreeLine(depth, str(part.data), None, place_of(part), len(children))
        waiting.extend((child, depth + 1) for child in reversed(children))


def as_text(tree: Syntax, text: str) -> Iterator[str]:
    """Yield one indented line each, with lines and columns of start and end."""
    index = LineIndex(text)
    for line in lines(tree):
        level = f"({line.depth}) " if line.depth > _DEEP else ""
        label = "  " * min(line.depth, _DEEP) + level + line.name
        if line.text is not None:
            label += f" {line.text!r}" if line.name else repr(line.text)
        ends = ("{}:{}".format(*index.locate(offset)) for offset in line.span or ())
        yield f"{label}  {'-'.join(ends)}".rstrip() + "\n"


#: Limit of indented levels; deeper rules have the number of their level.
_DEEP = 40


def as_json(tree: Syntax, text: str) -> Iterator[str]:
    """Yield objects with ``rule`` and ``children``, or ``terminal`` and ``text``; and the place.

    ``start`` and ``end`` are offsets in characters from 0, half-open.
    """
    del text

    def write(line: TreeLine) -> str:
        span = f', "start": {line.span.start}, "end": {line.span.end}' if line.span else ""
        if line.text is not None:
            return f'{{"terminal": "{line.name}", "text": {json.dumps(line.text)}{span}}}'
        return f'{{"rule": "{line.name}"{span}, "children": ['

    return _nested(tree, write, "]}", ", ")


def _nested(
    tree: Syntax, write: Callable[[TreeLine], str], close: str, between: str
) -> Iterator[str]:
    """Yield what is written of each rule and token, the end of each rule, and what is between."""
    open_: list[int] = []  # the number of missing children of each rule around
    for line in lines(tree):
        yield write(line)
        if line.size:
            open_.append(line.size)
            continue
        if line.text is None:
            yield close
        while open_ and open_[-1] == 1:
            open_.pop()
            yield close
        if open_:
            open_[-1] -= 1
            yield between
    yield "\n"


def as_sexp(tree: Syntax, text: str) -> Iterator[str]:
    """Yield rules in parentheses, tokens in quotes: ``(property "B" "[pd]")``."""
    del text

    def write(line: TreeLine) -> str:
        if line.text is not None:
            return " " + json.dumps(line.text, ensure_ascii=False)
        indent = "\n" + "  " * min(line.depth, _DEEP) if line.depth else ""
        return f"{indent}({line.name}"

    return _nested(tree, write, ")", "")


def as_dot(tree: Syntax, text: str) -> Iterator[str]:
    """Yield a directed graph for Graphviz."""
    del text
    yield 'digraph tree {\n  node [fontname="sans-serif", shape=plain];\n'
    parents: list[int] = []
    for number, line in enumerate(lines(tree)):
        label = line.name if line.text is None else f"{line.name}\n{line.text}".lstrip("\n")
        shape = "" if line.text is None else ", shape=box, style=rounded"
        escaped = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        yield f'  n{number} [label="{escaped}"{shape}];\n'
        del parents[line.depth :]
        if parents:
            yield f"  n{parents[-1]} -> n{number};\n"
        parents.append(number)
    yield "}\n"


#: Height of a line, width of a level and of a character, in pixels.
_LINE, _LEVEL, _CHARACTER = 22, 18, 7.4

#: Limit of a token in the picture, in characters.
_MAX_SHOWN = 60


def as_svg(tree: Syntax, text: str) -> Iterator[str]:
    """Yield a picture: each rule and token on its own line, joined to the rule around it."""
    del text
    tree_lines = list(lines(tree))
    labels = [_label(line) for line in tree_lines]
    width = max(
        line.depth * _LEVEL + len(name) * _CHARACTER + len(token) * _CHARACTER + 40
        for line, (name, token) in zip(tree_lines, labels, strict=True)
    )
    height = len(tree_lines) * _LINE + 10
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}"'
        f' width="{width:.0f}" height="{height}" role="img">\n<title>parse tree</title>\n<style>'
        "svg{background:#fff}text{font:13px ui-monospace,monospace}.r{fill:#1b4b8a}"
        ".t{fill:#7a3e00}path{stroke:#9aa5b1;fill:none}</style>\n"
    )
    above: list[int] = []
    for number, (line, (name, token)) in enumerate(zip(tree_lines, labels, strict=True)):
        x, y = line.depth * _LEVEL + 10, number * _LINE + 20
        del above[line.depth :]
        if above:
            yield f'<path d="M{x - _LEVEL + 4} {above[-1] + 5}V{y - 5}H{x - 3}"/>\n'
        above.append(y)
        kind = "r" if line.text is None else "t"
        yield f'<text x="{x}" y="{y}"><tspan class="{kind}">{escape(name)}</tspan>'
        yield f" {escape(token)}</text>\n" if token else "</text>\n"
    yield "</svg>\n"


def _label(line: TreeLine) -> tuple[str, str]:
    if line.text is None:
        return line.name, ""
    short = cut(json.dumps(line.text, ensure_ascii=False), _MAX_SHOWN)
    shown = (char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)
    return line.name, "".join(shown)


#: Every notation by its name.
WRITERS = {"text": as_text, "json": as_json, "sexp": as_sexp, "dot": as_dot, "svg": as_svg}
