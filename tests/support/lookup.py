"""The types of ``node["KM"]``, derived from the property table for type checkers.

The types of a property are those of its rows: the grammars have its alternatives, and the
transformers' methods what each alternative becomes.  ``python -m tests.support.accept`` writes the
stub.
"""

from __future__ import annotations

import re
from functools import cache
from types import UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from lark import Token
from lark.grammar import NonTerminal, Symbol

from sgf_lark import GameTree
from sgf_lark.core.grammar import grammars
from sgf_lark.core.schema import values
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GAMES, Game, game_of
from sgf_lark.core.schema.properties import Count, PropertyRule, PropertyTable
from sgf_lark.core.schema.values import (
    Composed,
    Invalid,
    MoveValue,
    NodeValue,
    Pass,
    Played,
    Point,
    PointList,
    Rectangle,
    Value,
)
from sgf_lark.core.values.kinds import PLAIN_TEXTS
from sgf_lark.core.values.reader import Reader, reader

#: A type of values: a class, or ``tuple[X, ...]`` of several.
Kind: TypeAlias = Any
Kinds: TypeAlias = frozenset[Kind]

TABLE = PropertyTable.standard()
SGF = (Format.FF1, Format.FF3, Format.FF4)

#: What a property is that the format or the game does not define: its texts.
PRIVATE: Kinds = frozenset({str, tuple[str, ...]})


def games(format_: Format) -> list[Game]:
    """The games of a format that have grammars or rows of their own, and one that has none."""
    own = {rule.game for rule in TABLE}
    numbers = [game for game in GAMES.values() if game.grammar or game.number in own]
    if format_ is Format.GGF:
        return [game_of(format_, None, name) for name in (*(one.name for one in numbers), "Mill")]
    return [*numbers, game_of(format_, 50, "")]


def alternatives(kind: Any) -> Kinds:
    """The members of a union; of another type itself."""
    if get_origin(kind) in {Union, UnionType}:
        return frozenset(get_args(kind))
    return frozenset({kind})


@cache
def rules_of(file: grammars.File) -> dict[Symbol, list[Any]]:
    """The rules of a grammar by their names, as Lark compiles them."""
    _, rules, _ = grammars.grammar(file).compile(sorted(grammars.rules(file)), ())
    by_origin: dict[Symbol, list[Any]] = {}
    for rule in rules:
        by_origin.setdefault(rule.origin, []).append(rule)
    return by_origin


@cache
def kinds_of_rule(file: grammars.File, name: str, transformer: object) -> Kinds:
    """What a transformer makes of the texts of a rule, by what its methods say."""
    by_origin, names = rules_of(file), {"Token": Token}
    found: set[Kind] = set()
    waiting, seen = [NonTerminal(name)], {NonTerminal(name)}
    while waiting:
        for rule in by_origin[waiting.pop()]:
            callback = rule.alias or rule.origin.name
            children = [child for child in rule.expansion if not getattr(child, "filter_out", 0)]
            if rule.options.expand1 and rule.alias is None and len(children) == 1:
                (child,) = children
                if not child.is_term:
                    waiting += {child} - seen
                    seen.add(child)
                    continue
                callback = child.name
            method = getattr(type(transformer), str(callback), None)
            hints = {"return": str} if method is None else get_type_hints(method, localns=names)
            found |= alternatives(hints["return"])
    return frozenset(found)


def kinds_of_type(by: Reader, kind: str) -> Kinds:
    """The types of a value of a type or form."""
    if kind == "undefined":
        return frozenset({str})
    try:
        file, name, transformer = by.kind(kind).place
    except LookupError:  # a type of FF[1] that FF[4] does not have
        return frozenset()
    return kinds_of_rule(file, name, transformer)


def kinds_of_row(by: Reader, rule: PropertyRule) -> Kinds:
    """The types of a single value of a property, if it is of its type."""
    if rule.form:
        kinds = kinds_of_type(by, rule.form)
        return kinds | {str} if rule.types in PLAIN_TEXTS else kinds
    found: set[Kind] = set()
    for pair in rule.types:
        if len(pair) == 1:
            found |= kinds_of_type(by, pair[0]) | kinds_of_type(by, f"{pair[0]}_go_style")
        elif not rule.is_points:
            found.add(Composed)
        elif kinds_of_type(by, pair[0]) & {Point, str}:
            found.add(Rectangle)
    return frozenset(found)


def values_of_row(format_: Format, game: Game, rule: PropertyRule) -> Kinds:
    """The types of ``node[ident]`` in a format and a game."""
    kinds: set[Kind] = set()
    for over_19 in (False, True):
        kinds |= kinds_of_row(reader(format_, game, over_19=over_19), rule)
    if format_ in {Format.FF1, Format.FF3}:  # values of FF[4] are understood there as well
        current = reader(Format.FF4, game, over_19=True)
        known = TABLE.find(Format.FF4, game.number, rule.ident) or rule.as_of(Format.FF4)
        kinds |= kinds_of_row(current, known)
        kinds |= {Pass} if rule.type == "move" else set()
    if rule.form or rule.types not in PLAIN_TEXTS:
        kinds.add(Invalid)
    if rule.is_points:
        if kinds <= {Point, Rectangle, Invalid}:
            return frozenset({PointList})
        return frozenset({PointList, tuple_of(kinds)})
    return frozenset(kinds if rule.count is Count.ONE else {tuple_of(kinds)})


def is_tuple(kind: Kind) -> bool:
    """A type is a tuple of values."""
    origin: object = get_origin(kind)
    return origin is tuple


def tuple_of(kinds: set[Kind]) -> Kind:
    """The tuple of such values."""
    first, *others = ordered(kinds)
    for other in others:
        first = first | other
    return tuple[first, ...]  # type: ignore[valid-type]  # made of the table


def ordered(kinds: Kinds | set[Kind]) -> list[Kind]:
    """Some types in the order of :data:`Value`, Invalid last."""
    order = [kind for kind in get_args(Value) if kind is not Invalid]
    return sorted(
        kinds,
        key=lambda kind: (
            kind is Invalid,
            order.index(kind) if kind in order else len(order),
            str(kind),
        ),
    )


@cache
def types() -> dict[str, Kinds]:
    """The types of ``node[ident]`` by identifier, in any format and game."""
    found: dict[str, set[Kind]] = {}
    for rule in TABLE:
        kinds = found.setdefault(rule.ident, set())
        for game in games(rule.format):
            if TABLE.find(rule.format, game.number, rule.ident) == rule:
                kinds |= values_of_row(rule.format, game, rule)
    for ident in found:
        if any(
            TABLE.find(format_, game.number, ident) is None
            for format_ in SGF
            for game in games(format_)
        ):
            found[ident] |= PRIVATE
    return {ident: merged(kinds) for ident, kinds in sorted(found.items())}


def merged(kinds: Kinds | set[Kind]) -> Kinds:
    """The same types with all tuples put together, so that people can read them."""
    tuples = {kind for kind in kinds if is_tuple(kind)}
    members = {one for kind in tuples for one in alternatives(get_args(kind)[0])}
    return frozenset(kinds - tuples) | ({tuple_of(members)} if tuples else set())


def moves() -> Kinds:
    """The types of :attr:`sgf_lark.Move.value`: those of B and W, without GGF's notes."""
    return types()["B"] - {Played}


# ---- what is read ----


def is_of(value: object, kind: Any) -> bool:
    """A value is of a type."""
    if get_origin(kind) in {Union, UnionType}:
        return any(is_of(value, one) for one in get_args(kind))
    if get_origin(kind) is not tuple:
        return type(value) is kind
    return type(value) is tuple and all(is_of(one, get_args(kind)[0]) for one in value)


def strangers(game: GameTree) -> list[str]:
    """The properties whose values are not of their types."""
    known, found = types(), []
    for node in game:
        for prop in node.properties:
            if game.format is Format.GGF and prop.rule is None:
                continue  # texts of what GGF lacks; see PropertyMapping
            kinds = known.get(prop.ident, {NodeValue})
            values = (prop.value, node[prop.ident])
            if not all(any(is_of(value, kind) for kind in kinds) for value in values):
                found.append(f"{prop}: {values}")
        if node.move is not None and not is_of(node.move.value, MoveValue):
            found.append(f"{node}: {node.move!r}")
    return found


# ---- the stub ----

HEAD = """# The types of node["KM"] and node.get("KM"): see PropertyMapping.
# Made from the property table by python -m tests.support.accept.
# fmt: off
# ruff: noqa: E501

from datetime import date
from decimal import Decimal
from typing import Any, Literal, TypeVar, overload

from _typeshed import SupportsKeysAndGetItem

from sgf_lark.core.schema.values import (
{names}
)

_D = TypeVar("_D")

class Lookup(SupportsKeysAndGetItem[str, NodeValue]):
"""


def shown(kind: Kind) -> str:
    """A type as it is written."""
    if is_tuple(kind):
        members = " | ".join(map(shown, ordered(alternatives(get_args(kind)[0]))))
        return f"tuple[{members}, ...]"
    return str(kind.__name__)


def union(kinds: Kinds) -> str:
    """A union as it is written; moves have a name."""
    rest = kinds
    names = []
    if moves() <= kinds:
        rest, names = kinds - moves(), ["MoveValue"]
    return " | ".join([*names, *map(shown, ordered(rest))])


def stub() -> str:
    """The text of the stub."""
    groups: dict[str, list[str]] = {}
    for ident, kinds in types().items():
        groups.setdefault(union(kinds), []).append(ident)
    signatures = {
        "__getitem__(self, ident: Literal[{}]) -> {}": "__getitem__(self, ident: str) -> Any",
        "get(self, ident: Literal[{}], default: None = None) -> {} | None": "",
        "get(self, ident: Literal[{}], default: _D) -> {} | _D": (
            "get(self, ident: str, default: Any = None) -> Any"
        ),
    }
    lines = []
    for signature, other in signatures.items():
        for written, idents in groups.items():
            listed = ", ".join(f'"{ident}"' for ident in idents)
            lines += ["    @overload", f"    def {signature.format(listed, written)}: ..."]
        if other:
            lines += ["    @overload", f"    def {other}: ..."]
    body = "\n".join(lines) + "\n"
    found = {*re.findall(r"[A-Z][A-Za-z]+", HEAD + body)}
    names = found & {*vars(values)} - {"Any", "Decimal", "Literal"}
    listed = "\n".join(f"    {name}," for name in sorted(names))
    return HEAD.format(names=listed) + body
