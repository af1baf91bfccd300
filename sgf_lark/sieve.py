"""Sees at once that nothing is wrong with most nodes, from their texts alone.

A node passes if its properties may stand together wherever but in the first node, and each
value is matched by the expression of its type.  What does not pass is looked at closely, by
the rules themselves: the sieve may be too strict, never too lenient.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from . import grammars
from .grammars import Format
from .node_rules import may_clash
from .properties import Category, Count, PropertyRule, capitals
from .property import Rules
from .reading import PLAIN_TEXTS
from .value_rules import LINTS, OF_IDENT

#: Longer values are read: a number may have too many digits.
SHORT = r"(?s:.{1,512}+)\Z"

#: Some texts behind the colon of a pair; it has its own grammar, and others are read by it.
PLAIN_TEXT = r"[^:\\\]]++"

#: Types of which every text that their grammar accepts is a value without a doubt.
PLAIN = frozenset({"point", "move", "stone", "number", "real", "double", "triple", "color", "none"})

_ANY = re.compile("(?s:.+)")


class Verdicts(NamedTuple):
    """Texts of nodes.

    Attributes:
        fine: There is nothing to say about them, wherever but in the first node they stand.
        doubtful: They have to be looked at where they stand.
    """

    fine: set[str]
    doubtful: set[str]


class _Values(NamedTuple):
    """What lets the values of a property pass.

    Attributes:
        accepts: Gives something for a value that is right.
        single: There is one.
        different: What they begin with, up to a colon, is not the same.
    """

    accepts: Callable[[str], object]
    single: bool
    different: bool


class Sieve:
    """Lets pass the nodes of one kind of game about which there is nothing to say.

    Args:
        rules: What the game's properties are read by.
        lints: Rules of taste count, too.

    Attributes:
        verdicts: What is known so far.
    """

    def __init__(self, rules: Rules, *, lints: bool) -> None:
        self.rules = rules
        self.lints = lints
        self.verdicts = Verdicts(set(), set())
        self._standing: dict[tuple[str, ...], bool] = {}
        self._sieves: dict[str, _Values | None] = {}
        scanner = grammars.scanner(grammars.path(rules.format.grammar), "game_tree")
        if scanner is None:
            raise LookupError("the grammar of this format is not translated")
        self._properties = scanner.columns("property")
        self._values = re.compile(scanner.grammar.patterns["PROP_VALUE"])

    def passes(self, text: str) -> bool:
        """There is nothing to say about a node of this text; False if that is not sure."""
        if "\0" in text or (self.lints and "\\" in text):
            return False
        found = self._properties.findall(text)
        if not self.may_stand(tuple([name for name, _ in found])):
            return False
        known = self._sieves
        for name, values in found:
            if name not in known:
                known[name] = self._sieve_of(name)
            sieve = known[name]
            if sieve is None:
                return False
            raws = self._values.findall(values)
            if len(raws) > 1 and (
                sieve.single
                or (sieve.different and len({raw.partition(":")[0] for raw in raws}) < len(raws))
            ):
                return False
            for raw in raws:
                if sieve.accepts(raw[1:-1]) is None or raw.rfind("[") > 0:
                    return False
        return True

    def may_stand(self, names: tuple[str, ...]) -> bool:
        """Properties of these names may stand together in any node but the first."""
        known = self._standing.get(names)
        if known is None:
            known = self._standing[names] = self._may_stand(list(map(capitals, names)))
        return known

    def _may_stand(self, idents: list[str]) -> bool:
        found = [self.rules.rule(ident) for ident in idents]
        categories = {one.category for one in found if one is not None}
        return (
            None not in found
            and not categories & {Category.ROOT, Category.GAME_INFO}
            and not may_clash(idents, categories)
        )

    def _sieve_of(self, name: str) -> _Values | None:
        """What lets the values of a property pass; None if they have to be read."""
        rule = self.rules.rule(capitals(name))
        if rule is None or rule.form or not self._is_plain(rule):
            return None
        single = rule.count is Count.ONE
        if rule.types in PLAIN_TEXTS:
            return _Values(_ANY.fullmatch, single=single, different=False)
        patterns = [self._expression(kinds) for kinds in rule.types if kinds != kinds[:1] * 2]
        if None in patterns:
            return None
        accepts = re.compile("|".join(f"(?:{one})" for one in patterns)).fullmatch
        return _Values(accepts, single=single, different=not single)

    def _is_plain(self, rule: PropertyRule) -> bool:
        """No further rule looks at its values, but that points are different ones."""
        if self.lints and (rule.ident in LINTS or rule.types == (("simpletext",),)):
            return False
        return rule.ident not in OF_IDENT or (rule.ident == "LB" and rule.format is Format.FF4)

    def _expression(self, kinds: tuple[str, ...]) -> str | None:
        """What matches values of a type, if not all of them; None if that is not known."""
        first, *second = kinds
        pattern = self.rules.reader.expression(first) if first in PLAIN else None
        if pattern is None or not second:
            return pattern and f"(?={SHORT})(?:{pattern})"
        if second[0] not in {"text", "simpletext"}:
            return None
        return f"(?={SHORT})(?:{pattern}):{PLAIN_TEXT}"
