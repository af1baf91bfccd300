"""From parse trees to games: the transformers.

A transformer has a method for each rule of its grammar.  Subclass one and override a
method to read a dialect.
"""

from __future__ import annotations

from array import array
from typing import Any, TypeAlias

from lark import Token

from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.readings import Content, Reading
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.schema.properties import COLORS
from sgf_lark.core.values.methods import Children
from sgf_lark.core.values.transformers import Postfix

NestedNodes: TypeAlias = list[Any]
"""A game tree as it is nested in the text: a list of the nodes of its sequence, each as its
properties or as its text, and after them the game trees that are its variations."""


class _Transformer(Postfix):
    """The base of both: how a property is read.

    Args:
        rules: The rule set that reads the properties.
    """

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(visit_tokens=False)
        self.rules = rules

    def property(self, children: list[Token] | list[str]) -> Reading:
        """Return the property of a name, and of values with their brackets."""
        name, *values = children
        return self.rules.property(str(name), tuple([str(value[1:-1]) for value in values]))


class SgfTransformer(_Transformer):
    """From a tree of ff1.lark, ff3.lark or ff4.lark to games.

    Source: the EBNF of the three formats; each method is one production.
    """

    def node(self, children: list[Reading]) -> Content:
        return tuple(children)

    def sequence(self, children: list[Content]) -> list[Content]:
        return children

    def game_tree(self, children: Children) -> NestedNodes:
        if children and type(children[0]) is tuple:  # a custom grammar without sequence
            nodes = [child for child in children if type(child) is tuple]
            return [nodes, *children[len(nodes) :]]
        return children

    def collection(self, children: list[NestedNodes]) -> list[GameTree]:
        return [build_game(branch, self.rules) for branch in children]


class GgfTransformer(_Transformer):
    """From a tree of ggf.lark to games.

    GGF is flat.  The properties before the first move are the root; each B and W is a node.
    """

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
        first = len(contents)
        contents += branch[0]
        parents.append(above)
        parents.extend(range(first, len(contents) - 1))
        above = len(contents) - 1
        waiting += [(variation, above) for variation in branch[:0:-1]]
    return parents, contents


def build_game(branch: NestedNodes, rules: RuleSet) -> GameTree:
    """Return the game of a nested tree, which is in no text."""
    return GameTree.of(Nodes.of(*flatten(branch), rules))
