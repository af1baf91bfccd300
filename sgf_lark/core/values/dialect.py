"""Dialects: a custom grammar, the custom transformer of values, or both."""

from __future__ import annotations

from collections.abc import Iterable, Set as AbstractSet
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import late
from sgf_lark.core.findings.words import nearest
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import File, GrammarSource, by_grammar
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GAMES
from sgf_lark.core.schema.properties import PropertyRule, PropertyTable

if TYPE_CHECKING:
    from lark import Lark

    from .methods import ValueMethods

#: The rules of a grammar of a game's points and moves.
OF_GAME = ("point", "move", "stone")


class Shape(StrEnum):
    """The way to cut the records of a grammar into games.

    ``sgf``, ``ggf``: as those of the shipped grammars, so that the same repairs are made.
    ``own``: only the grammar itself knows; it accepts or rejects a complete text.
    """

    SGF = "sgf"
    GGF = "ggf"
    OWN = "own"


class Dialect(NamedTuple):
    """A custom grammar, a transformer of types of value, or both; None for the shipped ones."""

    file: File | None
    values: ValueMethods | None = None

    @property
    def shape(self) -> Shape | None:
        """The way to cut the records of the grammar into games; None without one."""
        return None if self.file is None else _shape(self.file)

    def teaches(self, file: File, kind: str, *, only_itself: bool) -> bool:
        """Return True if its transformer has a method of its own for a type of some grammar."""
        if self.values is None:
            return False
        asked = {kind} if only_itself else _symbols(file, kind)
        return not own_methods(type(self.values)).isdisjoint(asked)

    def differs(self, format: Format, kind: str) -> bool:
        """Return True if a type of value is not defined in the format, or in another way."""
        return self.file is not None and _differs(self.file, format, kind)


#: The start file, start rule and terminals of the structure of each shape.
_TOKENS = {
    Shape.SGF: ("ff4", "game_tree", {"_OPEN", "_CLOSE", "_SEMICOLON", "PROP_IDENT", "PROP_VALUE"}),
    Shape.GGF: ("ggf", "game", {"_START", "_END", "PROP_IDENT", "PROP_VALUE"}),
}


def _shape(file: File) -> Shape:
    own = _patterns(file, grammars.first_rule(file))
    for shape, (shipped, rule, names) in _TOKENS.items():
        theirs = _patterns(grammars.path(shipped), rule)
        same = names - {"PROP_IDENT"}
        if (
            {rule, "property"} <= {*grammars.rules(file)}
            and names <= own.keys()
            and all(own[name] == theirs[name] for name in same)
        ):
            return shape
    return Shape.OWN


def _patterns(file: File, start: str) -> dict[str, str]:
    lark = grammars.structure(file, start)
    return {terminal.name: terminal.pattern.to_regexp() for terminal in lark.terminals}


def _differs(file: File, format: Format, kind: str) -> bool:
    own = grammars.value(file, kind)
    shipped = grammars.value(grammars.path(format.grammar), kind)
    if own is None or shipped is None:
        return own is not None
    return _made_of(own) != _made_of(shipped)


def _made_of(lark: Lark) -> tuple[list[str], list[tuple[str, str, int]]]:
    terminals = [
        (terminal.name, terminal.pattern.to_regexp(), terminal.priority)
        for terminal in lark.terminals
    ]
    return sorted(f"{rule} {rule.alias}" for rule in lark.rules), sorted(terminals)


# ---- methods ----


def _symbols(file: File, kind: str) -> frozenset[str]:
    lark = grammars.value(file, kind)
    if lark is None:
        return frozenset()
    names = {str(rule.alias or rule.origin.name) for rule in lark.rules}
    return frozenset(names | {terminal.name for terminal in lark.terminals})


def own_methods(kind: type[Any]) -> frozenset[str]:
    packages = {"sgf_lark", "lark"}
    ours = [one for one in kind.__mro__[:-1] if one.__module__.partition(".")[0] in packages]
    shipped = {
        name: found for one in (object, *reversed(ours)) for name, found in vars(one).items()
    }
    named = (name for name in dir(kind) if not name.startswith("_"))
    return frozenset(
        name
        for name in named
        if callable(found := getattr(kind, name)) and found is not shipped.get(name)
    )


class UnknownMethodError(ValueError):
    """A method of a transformer, its ``name``, belongs to no rule and no terminal."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


def check_methods(kind: type[Any], file: File | None) -> None:
    """Raise UnknownMethodError for a method of no rule or terminal of any grammar."""
    own, known = own_methods(kind), set[str]()
    of_games = (f"games/{game.notation}" for game in GAMES.values() if game.notation)
    shipped = map(grammars.path, dict.fromkeys([*(one.grammar for one in Format), *of_games]))
    for one in chain([] if file is None else [file], shipped):
        if own <= known:
            return
        known |= names_in(one)
    for name in sorted(own - known):
        alike = sorted(known, key=lambda one: (one.isupper() is not name.isupper(), one))
        meant = nearest(name, alike)
        hint = f": did you mean {meant[0]}?" if meant else "; a helper's name begins with '_'"
        raise UnknownMethodError(
            f"{kind.__name__}.{name} is called for no rule or terminal of a grammar{hint}",
            name,
        )


@by_grammar
def names_in(file: File) -> frozenset[str]:
    loaded = grammars.grammar(file)
    names = {str(name) for name, *_ in (*loaded.rule_defs, *loaded.term_defs)}
    for _, _, tree, _ in loaded.rule_defs:
        aliases: Iterable[Any] = (alias.children[1] for alias in tree.find_data("alias"))
        names |= {str(alias.name) for alias in aliases}
    return frozenset(names)


# ---- tables with custom rows and games ----


class UnknownTypeError(ValueError):
    """No grammar defines the type of a property, as :func:`check_table` finds."""

    def __init__(self, message: str, ident: str, kind: str, known: AbstractSet[str]) -> None:
        super().__init__(message)
        self.ident, self.kind, self.known = ident, kind, known


def check_table(table: PropertyTable, own: File | None = None) -> None:
    """Raise UnknownTypeError, or SgfGrammarError, for types and games that no grammar defines."""
    if table is not PropertyTable.standard():
        _check_table(table, own)


@partial(by_grammar, most=1 << 6)  # asked for each record: 10 microseconds an added row without it
def _check_table(table: PropertyTable, own: File | None) -> None:

    for game in table.games:
        if isinstance(game.grammar, GrammarSource):
            late.check_grammar(game.grammar, {*OF_GAME, *table.kinds})
    for rule in table.additions:
        known = _defined(rule, table, own)
        for kind in sorted(_kinds(rule) - known):
            where = rule.format.shown
            if rule.game is not None:
                where += f" or {table.game(rule.format, rule.game, '').name}"
            raise UnknownTypeError(
                f"{rule.ident} has the type '{kind}', which no grammar of {where} defines: choose"
                " another type, or give the custom grammar that has this one",
                *(rule.ident, kind, known),
            )


@partial(by_grammar, most=1 << 6)
def without_own_types(table: PropertyTable) -> PropertyTable:
    """Return a table without the rows whose types only a custom grammar of records defines."""
    if table is PropertyTable.standard():
        return table
    own = [rule for rule in table.additions if not _kinds(rule) <= _defined(rule, table, None)]
    if not own:
        return table
    return PropertyTable([rule for rule in table if rule not in own], table.games)


def _kinds(rule: PropertyRule) -> set[str]:
    return {*(kind for kinds in rule.types for kind in kinds), rule.form} - {"", "undefined"}


def _defined(rule: PropertyRule, table: PropertyTable, own: File | None) -> set[str]:
    files = [grammars.path(rule.format.grammar)] + ([] if own is None else [own])
    games = table.numbered if rule.game is None else {rule.game: table.numbered.get(rule.game)}
    for game in [*games.values(), *table.games]:
        grammar = None if game is None else game.grammar
        if isinstance(grammar, GrammarSource):
            files.append(grammar)
        elif grammar is not None:
            files.append(grammars.path(f"games/{grammar}"))
    return {name for file in files for name in grammars.rules(file)}
