"""Games to look through: what the viewer shows of each node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sgf_lark.model.collection import GameTree
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import Content
from sgf_lark.pictures.pages.viewer import ViewedGame, ViewedNode, draw_viewer
from sgf_lark.pictures.parts import PageTheme
from sgf_lark.schema.properties import Group
from sgf_lark.schema.values import Double

from .diagram import text_of
from .numbering import target_of
from .page import MOVES_OF_FIGURE, make_page

#: Of a game with more nodes only the main line is shown; most nodes of a page.
MAX_NODES, MAX_NODES_OF_PAGE = 5000, 50_000

#: Opinions of a move and of a position; HO is one of a node.
OPINIONS = Group.MOVE_ANNOTATION.idents | Group.POSITION_ANNOTATION.idents | {"HO"}

#: The facts that only a game has, and no problem.
OF_GAMES = {"Black", "White", "Result", "Handicap"}


def view_games(games: Iterable[GameTree], theme: PageTheme = "auto") -> str:
    """Return the page to look through games, as :meth:`sgf_lark.GameTree.viewer` describes it."""
    viewed: list[ViewedGame] = []
    room, left = MAX_NODES_OF_PAGE, 0
    for game in games:
        if room > 0:
            viewed.append(_view(game))
        else:
            left += 1
        room -= min(len(game.nodes), MAX_NODES)
    return draw_viewer(viewed, theme, left) if viewed else ""


def _view(game: GameTree) -> ViewedGame:
    page, nodes = make_page(game, ()), game.nodes
    try:
        game.root.diagram()
    except ValueError as error:  # no board is known
        return ViewedGame(page.model_copy(update={"lost": (str(error),)}))
    line: Sequence[int] = range(len(nodes))
    if len(nodes) > MAX_NODES:
        line = nodes.tree.main_line()[:MAX_NODES]
        words = f"The record has {len(nodes):,} nodes: only its main line is shown."
        page = page.model_copy(update={"lost": (words,)})
    is_game = any(fact.name in OF_GAMES for fact in page.facts)
    problem = None if is_game else _find_problem(nodes)
    return ViewedGame(page, _view_nodes(nodes, line), problem)


def _find_problem(nodes: Nodes) -> int | None:
    """Return the node with the position of a problem, the last one before the first move."""
    main_line, numbering = nodes.tree.main_line(), nodes.numbering
    moves = [node for node in main_line if numbering.moves(node)]
    if not 0 < len(moves) <= MOVES_OF_FIGURE or not any(map(numbering.sets_up, range(moves[0]))):
        return None
    return moves[0] - 1


def _view_nodes(nodes: Nodes, line: Sequence[int]) -> Iterator[ViewedNode]:
    numbers = {node: at for at, node in enumerate(line)}
    for node in line:
        content, moves = nodes.contents[node], nodes.numbering.moves(node)
        told: dict[str, Any] = {
            "path": nodes.tree.path(node),
            "number": nodes.numbering.number(node),
            "name": text_of(content, "N"),
            "comment": text_of(content, "C"),
            "notes": list(_annotations(content)),
        }
        target = None
        for color, value in moves:
            target = target_of(value)
            told |= {"by": color, "move": nodes.name_move(value) or str(value)}
        told = {name: value for name, value in told.items() if value or name == "path"}
        parent = numbers.get(nodes.parents[node], -1)
        yield ViewedNode(parent, nodes.diagrams.at(node), target, told)


def _annotations(content: Content) -> Iterator[str]:
    """Yield what the author thinks of a node, in words."""
    for prop in content:
        if prop.ident in OPINIONS and prop.rule is not None:
            is_strong = prop.values[:1] == (Double.EMPHASIZED,)
            yield prop.rule.name + (" (very)" if is_strong else "")
