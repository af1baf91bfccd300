"""The boards at findings, for reports: the games are read again when somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sgf_lark.core import Diagnostic, GameTree, Node, Point, points_of
from sgf_lark.pictures.diagram import Diagram


def draw_boards(games: Iterable[GameTree], findings: Sequence[Diagnostic]) -> list[Diagram | None]:
    """Return the board at each finding, with its points marked; None where there is none.

    Args:
        games: The games of the file; those after the last finding are not read.
    """
    wanted: dict[int, list[int]] = {}
    for number, finding in enumerate(findings):
        wanted.setdefault(finding.game or 0, []).append(number)
    boards: list[Diagram | None] = [None] * len(findings)
    for number, game in enumerate(games if wanted else ()):
        for at in wanted.pop(number, ()):
            boards[at] = _draw(game.at(findings[at].node_path or ""), findings[at])
        if not wanted:
            break
    return boards


def _draw(node: Node, finding: Diagnostic) -> Diagram | None:
    try:
        diagram = node.diagram(findings=dict.fromkeys(_points(node, finding)))
    except ValueError:  # no board is known
        return None
    return diagram.model_copy(update={"left_out": ()})  # those are findings, too


def _points(node: Node, finding: Diagnostic) -> Iterator[Point]:
    """Yield the points that a finding is about: those of its value, else those of the move."""
    for prop in node.properties:
        if prop.ident == finding.property:
            at = finding.value_index
            for value in prop.values[:MAX_VALUES] if at is None else prop.values[at : at + 1]:
                yield from points_of(value)
            return
    if node.move is not None:
        yield from points_of(node.move.value)


#: Most values of a list whose points are marked.
MAX_VALUES = 100
