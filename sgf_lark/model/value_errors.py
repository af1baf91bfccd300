"""Errors of values that another board or game brings into a changed game."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.diagnostics.diagnostic import severity_of, shorten
from sgf_lark.diagnostics.rules import RULES, Severity
from sgf_lark.schema.properties import Group

from .nodes import Nodes
from .ruleset import size_of_board


def require_no_new_errors(before: Nodes, after: Nodes) -> None:
    """Require that another SZ or GM brings no error of a kind that no value had before.

    Time is linear in the game if SZ or GM differs; otherwise nothing is read.

    Raises:
        ValueError: It does; the message names the node and the code.
    """
    if _declared(before) == _declared(after):
        return
    errors = [*_find_errors(after)]
    known = {name for _, name, _ in _find_errors(before)} if errors else set()
    for node, name, message in errors:
        if name not in known:
            where = f"node {after.tree.path(node)}" if node else "the first node"
            raise ValueError(f"{where}: {message} [{RULES[name].code} {name}]")


def _declared(nodes: Nodes) -> list[tuple[str, ...]]:
    """Return the raw values that declare the board and the game."""
    return [prop.raw for prop in nodes.contents[0] if prop.ident in Group.DECLARES.idents]


def _find_errors(nodes: Nodes) -> Iterator[tuple[int, str, str]]:
    """Yield the errors of values: the node, the name of the rule, and the message."""
    from sgf_lark.boards.state import points_of

    size = size_of_board(nodes.contents[0], nodes.rules)
    for node, content in enumerate(nodes.contents):
        for prop in content:
            for problem in prop.problems:
                if severity_of(problem) is Severity.ERROR:
                    yield node, problem.name, problem.message
            if size is None or prop.rule is None or not prop.rule.has_points:
                continue
            for raw, value in zip(prop.raw, prop.values, strict=False):
                if any(at.column >= size.columns or at.row >= size.rows for at in points_of(value)):
                    board = f"the board of {size.columns} by {size.rows}"
                    message = f"{prop.ident}[{shorten(raw)}] lies outside {board}"
                    yield node, "point-off-board", message
