"""The registry of rules: code, name, severity and summary of every kind of finding.

A rule is registered in the module that finds it, above its function::

    REPEATED_POINT = register("V308 repeated-point error: a point twice in a list")

Source: the pages of the catalogue name that of each rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from sgf_lark.core import late

from .finding import GROUPS, Rule, Severity

_registered: dict[str, Rule] = {}


def register(line: str, *, strict: bool = False) -> Rule:
    """Register a rule and return it.

    Args:
        line: Code, name, default severity, and the finding in a few words.  The code is the letter
            of the group and three digits: F for files, S syntax, T structure of the tree, V values,
            E encoding, G rules of the games, C conversions, D nonstandard output of programs, usual
            in real files, L custom grammars.  Codes and names are never reused.
        strict: It is checked only on request.

    Raises:
        ValueError: Another rule has the code or the name.
    """
    head, _, summary = line.partition(": ")
    code, name, severity = head.split()
    known = [*_registered.values()]  # at once: another thread may register, too
    if name in _registered or code in {rule.code for rule in known}:
        raise ValueError(f"another rule is registered as {code} or {name}")
    rule = _registered[name] = Rule(code, name, Severity(severity), summary, strict)
    return rule


class Rules(Mapping[str, Rule]):
    """All rules by name, in the order of groups and codes."""

    def __getitem__(self, name: str) -> Rule:
        return _registered.get(name) or self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @cached_property
    def _all(self) -> dict[str, Rule]:
        late.rule_modules()
        groups = [*GROUPS]
        rules = sorted(_registered.values(), key=lambda one: (groups.index(one.code[0]), one.code))
        return {rule.name: rule for rule in rules}


#: All rules by name.
RULES = Rules()
