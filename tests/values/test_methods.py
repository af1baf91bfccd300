"""Methods of the transformers of values: each that a class overrides is called, by both engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import pytest
from lark import Transformer
from support.lanes import one_in

from sgf_lark import GAMES, Format, Game, PropertyTable, SgfValues, loads
from sgf_lark.core import GgfValues
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import File
from sgf_lark.core.values.dialect import Dialect
from sgf_lark.core.values.game_transformers import TRANSFORMERS
from sgf_lark.core.values.reader import reader
from sgf_lark.workbench import samples
from sgf_lark.workbench.coverage import cover

TABLE = PropertyTable.standard()
SGF = (Format.FF4, Format.FF3, Format.FF1)

#: The public classes, each with a game whose values it reads, and the formats.
CLASSES: dict[type[Any], tuple[Game, tuple[Format, ...]]] = {
    SgfValues: (GAMES[1], SGF),
    GgfValues: (TABLE.game(Format.GGF, None, "Ataxx"), (Format.GGF,)),
} | {
    type(TRANSFORMERS[game.notation]): (
        game,
        (*SGF, Format.GGF) if TABLE.game(Format.GGF, None, game.name) is game else SGF,
    )
    for game in GAMES.values()
    if game.notation in TRANSFORMERS
}


class Example(NamedTuple):
    """A property of some types, the names of the methods below them, and the rules of the types."""

    format: Format
    ident: str
    names: frozenset[str]
    rules: tuple[tuple[File, str], ...]

    @property
    def texts(self) -> list[str]:
        """Texts of its values, which use all of the rules."""
        parts = (sentences(*rule) for rule in self.rules)
        return [":".join(one) for one in zip(*parts, strict=False)]


@cache
def sentences(file: File, rule: str) -> tuple[str, ...]:
    more = islice(samples.sentences(file, rule, seed=1), 30)
    return (*cover(file, rule, seed=1).sentences, *more)


@cache
def names_below(file: File, rule: str) -> frozenset[str]:
    """The names of the rules, alternatives and terminals below a rule."""
    lark = grammars.value(file, rule)
    assert lark is not None
    names = {str(one.alias or one.origin.name) for one in lark.rules}
    return frozenset(names | {terminal.name for terminal in lark.terminals})


@cache
def examples(kind: Any) -> list[Example]:
    """A property of each type that a class has methods for, in each format."""
    (game, formats), values = CLASSES[kind], type("Own", (kind,), {})()
    found: dict[tuple[Format, tuple[str, ...]], Example] = {}
    for rule in TABLE:
        kinds = (rule.form,) if rule.form else rule.types[0]
        is_other = rule.format not in formats or rule.game not in {None, game.number}
        if is_other or (rule.format, kinds) in found or "undefined" in kinds:
            continue
        by = reader(rule.format, game, dialect=Dialect(None, values))
        places = [by.kind(one).place for one in (*kinds, *["compose"] * (len(kinds) > 1))]
        names = [
            names_below(file, start) for file, start, own in places if isinstance(values, type(own))
        ]
        rules = tuple(place[:2] for place in places[: len(kinds)])
        example = Example(rule.format, rule.ident, frozenset[str]().union(*names), rules)
        found[rule.format, kinds] = example
    return [*found.values()]


def methods(kind: type[Any]) -> list[str]:
    return sorted({name for name in dir(kind) if not name.startswith("_")} - {*dir(Transformer)})


def record(example: Example, game: Game, text: str) -> str:
    if example.format is Format.GGF:
        return f"(;GM[{game.name}]PB[a]{example.ident}[{text}];)"
    return f"(;FF[{example.format.digit}]GM[{game.number}];{example.ident}[{text}])"


@pytest.mark.parametrize(
    ("kind", "name"), one_in(4, ((kind, name) for kind in CLASSES for name in methods(kind)))
)
def test_an_overridden_method_is_called_by_both_engines_for_each_type_that_has_it(
    kind: Any, name: str
) -> None:
    calls = Counter[str]()
    usual: Callable[..., Any] = getattr(kind(), name)

    def method(_: object, part: Any) -> Any:
        calls.update([name])
        return usual(part)

    own, (game, _) = type("Own", (kind,), {name: method}), CLASSES[kind]

    for example in examples(kind):
        for engine in ("generated", "lark") if name in example.names else ():
            values = own()  # whose readers have read nothing
            calls.clear()
            for text in example.texts:
                for node in loads(
                    record(example, game, text), strict=False, values=values, engine=engine
                )[0]:
                    _ = [prop.values for prop in node.properties]
                if calls:
                    break
            assert calls, (example, engine)


#: Methods for what no property has by itself: recommended forms, numbers of GGF, points in Go
#: notation, points of games without a grammar; and parts of points that classes share.
OTHERS = {
    *("rank", "round", "number", "point_go_style", "point", "move", "stone"),
    *("COLUMN", "ROW", "COORDINATE", "COORDINATE_TO_S"),
}


@pytest.mark.parametrize("kind", CLASSES)
def test_a_property_needs_each_method_of_a_class(kind: Any) -> None:
    needed = frozenset[str]().union(*(example.names for example in examples(kind)))
    inherited = {*dir(kind.__mro__[1])} if kind in {*CLASSES} - {SgfValues, GgfValues} else set()

    assert {*methods(kind)} - needed - inherited <= OTHERS
