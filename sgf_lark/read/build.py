"""From parse trees to games: the transformers, and the step from nested to flat.

A transformer has a method for each rule of its grammar.  Subclass one and override a
method to read a dialect.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from lark import Token

from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File
from sgf_lark.grammar.tokens import GameSpan, RawToken, tokenize
from sgf_lark.model.collection import ROOT_INFO, GameTree
from sgf_lark.model.content import Written
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import Content, Property, category
from sgf_lark.model.ruleset import RuleSet
from sgf_lark.model.spans import LazySpans, Spans
from sgf_lark.schema.properties import COLORS, Category
from sgf_lark.values.transformers import Children, Postfix


class ParsedGame(NamedTuple):
    """The transformer's result of a game; its tokens, if they were mended."""

    result: Any
    tokens: list[RawToken] | None = None


Branch: TypeAlias = list[Any]
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

    def __default__(self, data: str, children: Children, meta: object) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no method for the rule {data}")

    def property(self, children: list[Token] | list[str]) -> Property:
        """Return the property of a name, and of values with their brackets."""
        name, *values = children
        return self.rules.property(str(name), tuple([str(value[1:-1]) for value in values]))


class SgfTransformer(_Transformer):
    """From a tree of ff1.lark, ff3.lark or ff4.lark to games.

    Source: the EBNF of the three formats; each method is one production.
    """

    def node(self, children: list[Property]) -> Content:
        return tuple(children)

    def sequence(self, children: list[Content]) -> list[Content]:
        return children

    def game_tree(self, children: Children) -> Branch:
        if children and type(children[0]) is tuple:  # a custom grammar without sequence
            nodes = [child for child in children if type(child) is tuple]
            return [nodes, *children[len(nodes) :]]
        return children

    def collection(self, children: list[Branch]) -> list[GameTree]:
        return [build_game(branch, self.rules) for branch in children]


class RawTransformer(SgfTransformer):
    """Like :class:`SgfTransformer`, for games whose rule set is known only after parsing."""

    def __init__(self) -> None:
        Postfix.__init__(self, visit_tokens=False)

    def property(self, children: list[Token] | list[str]) -> Any:
        name, *values = children
        return str(name), tuple([str(value[1:-1]) for value in values])

    def node(self, children: Any) -> Any:
        return tuple(children)

    def collection(self, children: list[Branch]) -> Any:
        return children


def read_properties(branch: Branch, rules: RuleSet) -> None:
    """Read the raw properties of a nested game in place."""
    waiting = [branch]
    while waiting:
        raw, *variations = waiting.pop()  # of tuples of names with what is between the brackets
        raw[:] = [tuple([rules.property(*pair) for pair in node]) for node in raw]
        waiting.extend(variations)


class GgfTransformer(_Transformer):
    """From a tree of ggf.lark to games.

    GGF is flat.  The properties before the first move are the root; each B and W is a node.
    """

    def game(self, children: list[Property]) -> Branch:
        nodes: list[list[Property]] = [[]]
        for prop in children:
            if prop.ident in COLORS:
                nodes.append([])
            nodes[-1].append(prop)
        return [[tuple(node) for node in nodes]]

    def match(self, children: Children) -> tuple[Branch, ...]:
        return tuple([child for child in children if isinstance(child, list)])

    def file(self, children: Children) -> list[GameTree]:
        branches = [
            branch
            for child in children
            for branch in (child if isinstance(child, tuple) else (child,))
        ]
        return [build_game(branch, self.rules) for branch in branches]


def read_mended(
    text: str, tokens: Iterable[RawToken], transformer: SgfTransformer | GgfTransformer
) -> Branch:
    """Return the transformer's result of a game's tokens, which are in the order of its grammar.

    It is that of the tree that Lark makes of them.
    """
    games: list[Branch] = []
    waiting: list[list[Any]] = [games]  # the children of each open tree
    content: list[Property] = []
    children: list[str] = []
    for kind, start, end in tokens:
        if kind == "PROP_VALUE":
            children.append(text[start:end])
            continue
        if kind == "UNCLOSED":
            children.append(text[start:end] + "]")  # the bracket it lacks
            continue
        if children:
            content.append(transformer.property(children))
            children = []
        if kind == "PROP_IDENT":
            children.append(text[start:end])
        elif kind == "_SEMICOLON":
            content = []
            waiting[-1][0].append(content)
        elif kind == "_OPEN":
            waiting[-1].append([[]])
            waiting.append(waiting[-1][-1])
        elif kind == "_CLOSE":
            nodes = waiting.pop()[0]
            nodes[:] = map(tuple, nodes)
    return transformer.game(content) if isinstance(transformer, GgfTransformer) else games[0]


def flatten(branch: Branch) -> tuple[array[int], list[Any]]:
    """Return the parents of a game's nodes, by number, and the nodes, in the order of the text."""
    parents: array[int] = array("q")
    contents: list[Any] = []
    waiting: list[tuple[Branch, int]] = [(branch, -1)]
    while waiting:
        branch, above = waiting.pop()
        first = len(contents)
        contents += branch[0]
        parents.append(above)
        parents.extend(range(first, len(contents) - 1))
        above = len(contents) - 1
        waiting += [(variation, above) for variation in branch[:0:-1]]
    return parents, contents


def build_game(
    result: Branch | Written, rules: RuleSet, spans: Callable[[], Spans | None] = lambda: None
) -> GameTree:
    """Return the game of a nested tree, or of nodes in a text.

    Args:
        result: The tree, or the nodes.
        rules: The rule set of the game.
        spans: Locates the nodes when it is asked for.
    """
    if isinstance(result, Written):
        return GameTree.of(Nodes(None, result, rules, spans))
    parents, contents = flatten(result)
    return GameTree.of(Nodes(parents, contents, rules, spans))


def locate_game(text: str, span: GameSpan, part: ParsedGame, ggf: bool) -> Spans:  # noqa: FBT001
    """Return the places of a game's nodes and properties.

    Args:
        text: The text.
        span: The game in it.
        part: The game as it was parsed.
        ggf: It is GGF.
    """
    moves = frozenset(COLORS) if ggf else frozenset()
    if isinstance(part.result, Written):
        find = partial(tokenize, text, ggf=ggf)
        return LazySpans(find, part.result.offsets, span.start, span.end, text, moves)
    tokens = part.tokens or tokenize(text, span.start, span.end, ggf=ggf)
    return Spans.of_tokens(tokens, text, moves)


def keep_info(game: GameTree, text: str, span: GameSpan, ggf: bool, is_head: bool) -> GameTree:  # noqa: FBT001
    """Return a game of its first nodes only, up to the game info of the main line.

    It is the root alone if the game has none.

    Args:
        game: The game.
        text, span, ggf: As for :func:`locate_game`.
        is_head: No other nodes were read.
    """
    if is_head:
        game.nodes.is_complete = False
        return game
    nodes, last = game.nodes, 0
    for node, content in enumerate(nodes.main_line()):
        has_info = any(category(prop) is Category.GAME_INFO for prop in content)
        if has_info or any(prop.ident in ROOT_INFO for prop in content):
            last = node
        if has_info:
            break
    first = nodes.head(last + 1)
    if first.is_complete:
        return game
    if isinstance(first.contents, Written):
        first.locate(partial(locate_game, text, span, ParsedGame(first.contents), ggf))
    return GameTree.of(first)


def locate_custom_game(text: str, file: File, number: int) -> Spans:
    """Return the same for a game that only a custom grammar can split, from its parse tree."""
    spans = Spans()
    parser = grammars.experiment(file, grammars.first_rule(file))
    games = parser.parse(text).children
    waiting = [games[number]]
    while waiting:
        tree = waiting.pop()
        if isinstance(tree, Token):
            continue
        if tree.data == "property":
            name, *values = [token for token in tree.children if isinstance(token, Token)]
            spans.add_property(name.start_pos or 0)
            for value in values:
                spans.add_value((value.start_pos or 0) + 1, (value.end_pos or 0) - 1)
            continue
        if tree.data == "node":
            spans.add_node(tree.meta.start_pos)
        waiting.extend(reversed(tree.children))
    return spans
