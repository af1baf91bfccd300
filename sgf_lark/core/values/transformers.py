"""Transformers from the parse tree of a value to a Python value.

Lark's ``v_args`` and ``Discard`` do what they do in Lark.  A token knows its type, but not
its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Discard, Lark, Token, Transformer, Tree
from lark.exceptions import UnexpectedInput, VisitError
from lark.visitors import Transformer_NonRecursive

from sgf_lark.core.engine.parser import Rejected

from .methods import GgfMethods, Methods, SgfMethods, ValueMethods


class Postfix(Transformer_NonRecursive[Token, Any]):
    """Lark's transformer without recursion; :data:`lark.Discard` works, and rules need methods."""

    __default__ = ValueMethods.__default__

    def transform(self, tree: Tree[Token]) -> Any:
        return call_methods(self, tree)


class ValueTransformer(ValueMethods, Postfix):
    """Base of the transformers of values: a token without a method is its text."""


class SgfValues(SgfMethods, ValueTransformer):
    """Values of ff1.lark, ff3.lark and ff4.lark."""


class GgfValues(GgfMethods, ValueTransformer):
    """Values of ggf.lark."""


def call_methods(
    values: Methods,
    tree: Tree[Token],
    after: Callable[[Tree[Token], Any], Any] = lambda _, result: result,
) -> Any:
    """Call methods for a tree, from its leaves up.

    Args:
        after: Called with each part of the tree and the result of its method; returns the result.
    """
    call: Any = Transformer._call_userfunc  # noqa: SLF001  # as Lark calls methods
    call_token: Any = Transformer._call_userfunc_token  # noqa: SLF001
    order: list[Tree[Token] | Token | None] = []
    waiting: list[Tree[Token] | Token | None] = [tree]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if isinstance(node, Tree):
            waiting += node.children
    results: list[Any] = []
    for node in reversed(order):
        if isinstance(node, Tree):
            first = len(results) - len(node.children)
            children = [child for child in results[first:] if child is not Discard]
            del results[first:]
            results.append(after(node, call(values, node, children)))
        elif values.__visit_tokens__ and isinstance(node, Token):
            results.append(call_token(values, node))
        else:
            results.append(node)
    return None if results[0] is Discard else results[0]


def parse_value(parser: Lark, values: Methods, text: str) -> Any:
    """Read a text by Lark; Rejected if the grammar does not accept it."""
    try:
        tree = parser.parse(text)
        if isinstance(values, Transformer):
            return values.transform(tree)
        return call_methods(values, tree)
    except UnexpectedInput:
        raise Rejected from None
    except VisitError as error:
        raise error.orig_exc from None
