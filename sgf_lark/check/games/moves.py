"""Moves that the rules of a game do not allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sgf_lark.boards.state import Verdict
from sgf_lark.diagnostics.diagnostic import shorten
from sgf_lark.diagnostics.finding import Finding, Severity
from sgf_lark.diagnostics.rules import RULES
from sgf_lark.model.positions.replay import OFF_BOARD, UNREADABLE

if TYPE_CHECKING:
    from array import array

    from sgf_lark.model.nodes import Nodes


def illegal_moves(
    nodes: Nodes, node: int, judged: Iterable[tuple[int, Verdict]]
) -> Iterator[Finding]:
    """Report the illegal moves of a node, unless KO is in it.

    Args:
        nodes: Of the game.
        node: The node.
        judged: The place and the verdict of each of its moves.
    """
    content = nodes.contents[node]
    if any(prop.ident == "KO" for prop in content):
        return
    for place, verdict in judged:
        if verdict.ok or verdict.name in OF_VALUES:
            continue
        prop = content[place]
        yield RULES[verdict.name].found(
            verdict.sentence(f"{prop.ident}[{shorten(prop.raw[0])}]"),
            help=verdict.help,
            severity=Severity.INFO if verdict.is_disputed else None,
            node=node,
            property_index=place,
            value_index=0,
        )


#: Verdicts that the checks of values and points report.
OF_VALUES = frozenset({OFF_BOARD.name, UNREADABLE.name})


def main_end(parents: array[int]) -> int:
    """Return the last node of the main line, which the file has at its beginning."""
    for node in range(1, len(parents)):
        if parents[node] != node - 1:
            return node - 1
    return len(parents) - 1
