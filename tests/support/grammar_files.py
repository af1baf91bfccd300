"""The files in grammars/ as the tests build them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.load_grammar import Grammar, load_grammar

from support.lanes import by_night
from support.places import GRAMMARS

#: Start symbols between whose tokens white space does not count, by format.
STRUCTURE = {
    "ff1": ("collection", "game_tree", "sequence", "node", "property"),
    "ff3": ("collection", "game_tree", "sequence", "node", "property"),
    "ff4": ("collection", "game_tree", "sequence", "node", "property"),
    "ggf": ("file", "match", "game", "property"),
}

#: Rules that quote productions which say one thing in several ways: only Earley reads them.
AMBIGUOUS = {"prop_value", "c_value_type", "value_type", "list_of", "elist_of", "list_of_point"}


def some_by_day(names: Iterable[str]) -> list[object]:
    """Return names of grammars: by day GGF and Go are tested, by night the others."""
    return [name if name in {"ggf", "games/go"} else by_night(name) for name in names]


@cache
def loaded(name: str) -> Grammar:
    """A grammar file (``"ff4"``, ``"games/go"``), imports included."""
    path = GRAMMARS / f"{name}.lark"
    grammar: Grammar
    grammar, _ = load_grammar(path.read_text(encoding="utf-8"), str(path), [], None)  # type: ignore[no-untyped-call]
    return grammar


@cache
def rules_of(name: str) -> list[str]:
    return [str(rule[0]) for rule in loaded(name).rule_defs]


@cache
def terminals_of(name: str) -> dict[str, str]:
    """The regular expression of each terminal."""
    terminals, _, _ = loaded(name).compile([], "*")
    return {terminal.name: terminal.pattern.to_regexp() for terminal in terminals}


def without_ignore(name: str) -> Grammar:
    return Grammar(loaded(name).rule_defs, loaded(name).term_defs, [])


@cache
def structure(name: str, *, strict: bool = False) -> Lark:
    """The parser for whole files and their parts."""
    return Lark(loaded(name), parser="lalr", start=list(STRUCTURE[name]), strict=strict)


def value_starts(name: str) -> list[str]:
    """Every type of value that a file defines, those included that serve others."""
    others = {*STRUCTURE.get(name, ()), *AMBIGUOUS}
    return [rule for rule in rules_of(name) if rule not in others and not rule.startswith("_")]


@cache
def values(name: str, *, strict: bool = False) -> Lark:
    """The parser for the types of value, where white space counts."""
    return Lark(without_ignore(name), parser="lalr", start=value_starts(name), strict=strict)


@cache
def ambiguous(name: str) -> Lark:
    """The parser for the rules that quote ambiguous productions; white space counts."""
    starts = [rule for rule in rules_of(name) if rule in AMBIGUOUS]
    return Lark(without_ignore(name), parser="earley", ambiguity="forest", start=starts)


def accepts(parser: Lark, start: str, text: str) -> bool:
    try:
        parser.parse(text, start=start)
    except UnexpectedInput:
        return False
    return True
