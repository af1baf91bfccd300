"""Both engines asked the same."""

from __future__ import annotations

from typing import Any

from lark import Lark, Transformer
from lark.exceptions import UnexpectedInput

from sgf_lark.core.engine.generator import generate
from sgf_lark.core.engine.parser import Parser, Rejected
from sgf_lark.core.engine.plan import Plan, UntranslatableError

REFUSED = "refused"


class Lists(Transformer[Any, Any]):
    """Every rule as a list with its name in front: shows names, order, tokens, nothing else."""

    def __default__(self, data: str, children: list[Any], meta: object) -> list[Any]:
        return [str(data), *children]

    def __default_token__(self, token: Any) -> str:
        return f"{token.type}={token}"


def parser_of(lark: Lark, start: str) -> Parser:
    """Return the parser of a rule; one that refers to itself has none."""
    data = generate(lark, start)
    if start not in data.regular:
        raise UntranslatableError(start, "it refers to itself")
    return Parser(Plan(data))


def by_lark(lark: Lark, text: str, methods: Transformer[Any, Any]) -> object:
    try:
        return methods.transform(lark.parse(text))
    except UnexpectedInput:
        return REFUSED


def by_parser(parser: Parser, text: str, methods: Transformer[Any, Any]) -> object:
    try:
        return parser.parse(text, methods)
    except Rejected:
        return REFUSED
