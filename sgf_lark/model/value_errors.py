"""Errors that the changes of a draft bring into a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from sgf_lark.findings.diagnostic import shorten
from sgf_lark.findings.finding import Finding, Severity
from sgf_lark.schema.properties import Category, Group

from .constraints import off_board
from .finders import FINDERS, On
from .nodes import Nodes
from .property import Content, category
from .ruleset import size_of_board


def require_no_new_errors(before: Nodes, after: Nodes, changed: Sequence[int]) -> None:
    """Require that changes bring no error of a kind that the game did not have before.

    Only changed nodes are read; all of them if the board or the game is another one, if a
    changed node has game info, and to find the kinds of errors before where there are new ones.

    Args:
        before, after: The nodes before and after the changes.
        changed: The numbers of the nodes after the changes that are new, or have other
            properties.

    Raises:
        ValueError: They do; the message names the node and the code.
    """
    if _declared(before) != _declared(after):
        changed = range(len(after))
    errors = [*_find_errors(after, changed)] if changed else []
    known = {error.name for error in _find_errors(before, range(len(before)))} if errors else set()
    for error in errors:
        if error.name not in known:
            where = f"node {after.tree.path(error.node)}" if error.node else "the first node"
            raise ValueError(f"{where}: {error.message} [{error.rule.code} {error.name}]")


def _declared(nodes: Nodes) -> list[tuple[str, ...]]:
    """Return the raw values that declare the board and the game."""
    return [prop.raw for prop in nodes.contents[0] if prop.ident in Group.DECLARES.idents]


def _find_errors(nodes: Nodes, numbers: Sequence[int]) -> Iterator[Finding]:
    """Yield the errors in some nodes that strict reading raises for, each with its node."""
    contents, rules = nodes.contents, nodes.rules
    of_nodes = FINDERS.on(On.NODE, rules.format, lints=False)
    for node in numbers:
        content = contents[node]
        looks = (finder.look(content, rules) for finder in of_nodes)
        for finding in chain(_find_in_values(content, nodes), *looks):
            if finding.severity is Severity.ERROR:
                yield finding._replace(node=node)
    if any(category(prop) is Category.GAME_INFO for node in numbers for prop in contents[node]):
        numbers = range(len(nodes))
    for finder in FINDERS.on(On.TREE, rules.format, lints=False):
        yield from (
            finding for finding in finder.look(nodes, numbers) if finding.severity is Severity.ERROR
        )


def _find_in_values(content: Content, nodes: Nodes) -> Iterator[Finding]:
    """Yield what is wrong with the values of a node, and with their places on the board."""
    from sgf_lark.boards.state import points_of

    rules = nodes.rules
    size = size_of_board(nodes.contents[0], rules)
    for prop in content:
        yield from prop.problems
        for look in FINDERS.looks[False](prop.rule) if prop.rule else ():
            yield from look(prop, rules)
        if size is None or prop.rule is None or not prop.rule.has_points:
            continue
        for raw, value in zip(prop.raw, prop.values, strict=False):
            if any(at.column >= size.columns or at.row >= size.rows for at in points_of(value)):
                board = f"the board of {size.columns} by {size.rows}"
                message = f"{prop.ident}[{shorten(raw)}] lies outside {board}"
                yield off_board(message)
