"""From parse trees to games: the transformers.

A transformer has a method for each rule of its grammar.  Subclass one and override a
method to read a dialect.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import Any, TypeAlias

from lark import Token, Tree
from lark.exceptions import VisitError

from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.readings import Content, Reading
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.model.tape import Foreign, GameColumns, Places, Tape
from sgf_lark.core.places import Span
from sgf_lark.core.schema.properties import COLORS
from sgf_lark.core.values.methods import Children
from sgf_lark.core.values.transformers import Postfix, call_methods

NestedNodes: TypeAlias = list[Any]
"""A game tree as it is nested in the text: a list of the nodes of its sequence, each as its
properties or as its text, and after them the game trees that are its variations."""


class PlacedReading(Reading):
    """A property and the part of a tree that it was made of."""

    __slots__ = ("tree",)

    def __init__(self, reading: Reading, tree: Tree[Token]) -> None:
        super().__init__(reading.siblings, reading.raw)
        self.tree = tree

    def value_spans(self) -> list[Span]:
        """Return the place of each value; that of the property if it has other values."""
        values = [token for token in self.tree.children if isinstance(token, Token)][1:]
        if len(values) != len(self.raw):
            return [_span(self.tree)] * len(self.raw)
        spans: list[Span] = []
        for token, raw in zip(values, self.raw, strict=True):
            start, at = token.start_pos or 0, token.find(raw, 1)
            is_there = at > 0 and at + len(raw) < len(token)
            end = token.end_pos or start
            spans.append(Span(start + at, start + at + len(raw)) if is_there else Span(start, end))
        return spans


class PlacedContent(tuple[Reading, ...]):  # noqa: SLOT001  # a tuple has no room for slots
    """The properties of a node, and its place."""

    start: int


def _span(tree: Tree[Token]) -> Span:
    return Span(tree.meta.start_pos, tree.meta.end_pos)


def _with_place(tree: Tree[Token], result: Any) -> Any:
    """Return what a method has made of a part of a tree, with the place of that."""
    if getattr(tree.meta, "start_pos", None) is None:  # its tokens are of no text
        return result
    if isinstance(result, Reading) and not isinstance(result, PlacedReading):
        return PlacedReading(result, tree)
    if type(result) is tuple:
        result = PlacedContent(result)
        result.start = tree.meta.start_pos
    return result


class StructureTransformer(Postfix):
    """The base of both: how a property is read."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(visit_tokens=False)
        self.rules = rules

    def transform(self, tree: Tree[Token]) -> Any:
        """Call the methods for a tree, from its leaves up; the games know their places in it."""
        return call_methods(self, tree, _with_place)

    def property(self, children: list[Token] | list[str]) -> Reading:
        """Return the property of a name, and of values with their brackets."""
        name, *values = children
        return self.rules.property(str(name), tuple([str(value[1:-1]) for value in values]))


def structure_of(kind: object) -> type[StructureTransformer] | None:
    """Return a class that makes games of trees; None for anything else."""
    if isinstance(kind, type) and issubclass(kind, StructureTransformer):
        return kind
    return None


class SgfTransformer(StructureTransformer):
    """From a tree of ff1.lark, ff3.lark or ff4.lark to games.

    Source: the EBNF of the three formats; each method is one production.
    """

    def node(self, children: list[Reading]) -> Content:
        return tuple(children)

    def sequence(self, children: list[Content]) -> list[Content]:
        return children

    def game_tree(self, children: Children) -> NestedNodes:
        if children and isinstance(children[0], tuple):  # a custom grammar without sequence
            nodes = [child for child in children if isinstance(child, tuple)]
            return [nodes, *children[len(nodes) :]]
        return children

    def collection(self, children: list[NestedNodes]) -> list[GameTree]:
        return [build_game(branch, self.rules) for branch in children]


class GgfTransformer(StructureTransformer):
    """From a tree of ggf.lark to games."""

    def game(self, children: list[Reading]) -> NestedNodes:
        nodes: list[list[Reading]] = [[]]
        for prop in children:
            if prop.ident in COLORS:
                nodes.append([])
            nodes[-1].append(prop)
        return [[tuple(node) for node in nodes]]

    def match(self, children: Children) -> tuple[NestedNodes, ...]:
        return tuple([child for child in children if isinstance(child, list)])

    def file(self, children: Children) -> list[GameTree]:
        branches = [
            branch
            for child in children
            for branch in (child if isinstance(child, tuple) else (child,))
        ]
        return [build_game(branch, self.rules) for branch in branches]


def flatten(branch: NestedNodes) -> tuple[array[int], list[Any]]:
    """Return the parents of a game's nodes, by number, and the nodes, in the order of the text."""
    parents: array[int] = array("q")
    contents: list[Any] = []
    waiting: list[tuple[NestedNodes, int]] = [(branch, -1)]
    while waiting:
        branch, above = waiting.pop()
        if not branch or not branch[0]:
            raise ValueError("a game tree begins with a node: lark.Discard leaves one out")
        first = len(contents)
        contents += branch[0]
        parents.append(above)
        parents.extend(range(first, len(contents) - 1))
        above = len(contents) - 1
        waiting += [(variation, above) for variation in branch[:0:-1]]
    return parents, contents


def build_game(branch: NestedNodes, rules: RuleSet) -> GameTree:
    parents, contents = flatten(branch)
    columns = GameColumns.of_nodes([(one.name, one.raw) for one in node] for node in contents)
    return GameTree.of(Nodes(Tape.given(parents, columns, _places_of(contents)), rules))


def _places_of(contents: list[Content]) -> Places | None:
    """Return the places of a game whose parts know theirs; None if none does.

    What has no place is where the part before it is.  Nodes that a transformer has put into
    another order than that of the text begin with the one before them.
    """
    nodes, names, values = list[int](), list[int](), list[Span]()
    last, end = -1, 0
    for content in contents:
        trees = [prop.tree for prop in content if isinstance(prop, PlacedReading)]
        starts = [tree.meta.start_pos for tree in trees]
        start = content.start if isinstance(content, PlacedContent) else min(starts, default=last)
        nodes.append(max([start, *nodes[-1:]]))
        last = max(start, last)
        for prop in content:
            here, spans = last, [Span(max(last, 0), max(last, 0))] * len(prop.raw)
            if isinstance(prop, PlacedReading):
                here, spans = prop.tree.meta.start_pos, prop.value_spans()
                last, end = here, max(end, prop.tree.meta.end_pos)
            names.append(max(here, 0))
            values += spans
    if last < 0:
        return None
    counts = (len(prop.raw) for content in contents for prop in content)
    return Places(
        [max(start, 0) for start in nodes],
        names,
        [span.start for span in values],
        [span.end for span in values],
        [*accumulate(counts, initial=0)],
        max(nodes[0], 0),
        max(end, nodes[-1] + 1),
    )


def transformed(
    text: str, tree: Tree[Token], kind: type[StructureTransformer], rules: RuleSet
) -> list[Tape]:
    """Return the games that a custom class makes of a tree, with their places in the text.

    Args:
        tree: That of a game, or of the complete text.

    Raises:
        TypeError: Its last method has not returned games.
        ValueError: A game tree has no node.
        Exception: What a method raises, with the name of its rule as a note.
    """
    one = kind(rules)
    try:
        games = one.transform(tree)
        last = {"game_tree": "collection", "game": "file"}.get(tree.data)
        if last is not None and games is not None:
            games = getattr(one, last)([games])
    except VisitError as error:
        error.orig_exc.add_note(f"raised by {kind.__name__}.{error.rule}")
        raise error.orig_exc from None
    games = [] if games is None else games
    if not isinstance(games, list) or not all(isinstance(game, GameTree) for game in games):
        message = f"{kind.__name__}: the method of the first rule returns a list of games"
        raise TypeError(f"{message}, as SgfTransformer.collection does; found {games!r:.80}")
    tapes = [game.nodes.tape for game in games]
    for tape in tapes:
        tape.foreign = Foreign(kind.__name__, text)
    return tapes
