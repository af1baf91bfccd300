"""Rules of operators: what a rule that names itself on both sides becomes, level by level."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count

from lark.grammar import NonTerminal, Rule, Symbol

#: Operators by how they bind, the loosest first, with a name for the rule of each level.
_LEVELS = (
    ("either", {'"or"', '"||"', '"|"'}),
    ("both", {'"and"', '"&&"', '"&"'}),
    ("comparison", {'"=="', '"!="', '"="', '"<>"', '"<"', '">"', '"<="', '">="'}),
    ("sum", {'"+"', '"-"'}),
    ("product", {'"*"', '"/"', '"%"'}),
    ("power", {'"^"', '"**"'}),
)


def is_operator(rule: Rule, rules: Iterable[Rule]) -> bool:
    """Return whether a rule ends with itself, and an alternative of it begins so."""
    own = (one.expansion for one in rules if one.origin == rule.origin)
    ends_alike = rule.expansion[1:] and rule.expansion[-1] == rule.origin
    return bool(ends_alike) and any(one[1:] and one[0] == rule.origin for one in own)


def write_levels(
    origin: NonTerminal,
    mark: str,
    rules: Iterable[Rule],
    word: Callable[[Symbol], str],
    taken: set[str],
) -> Iterator[str]:
    """Yield the rules that an ambiguous rule of operators becomes, the loosest first.

    Operators that everybody knows are on the levels that everybody knows, others in their order.
    The last level is that of all other alternatives.
    """
    levels: dict[tuple[int, int], list[Rule]] = {}
    rest: list[Rule] = []
    for number, rule in enumerate(one for one in rules if one.origin == origin):
        parts = rule.expansion
        begins, ends = parts[:1] == [origin], parts[-1:] == [origin]
        if not parts[1:] or not (begins or ends):
            rest.append(rule)
            continue
        known = [at for at, (_, words) in enumerate(_LEVELS) if word(parts[1]) in words]
        if begins and ends and len(parts) > 3:  # noqa: PLR2004  # such as  x ? x : x
            place = (-1, number)
        elif begins and ends and len(parts) == 3 and known:  # noqa: PLR2004
            place = (known[0], 0)
        else:
            place = (len(_LEVELS) + (not (begins and ends)), number if begins and ends else begins)
        levels.setdefault(place, []).append(rule)
    names = [str(origin.name)]
    usual = [_LEVELS[at][0] if at < len(_LEVELS) else "" for at, _ in sorted(levels)[1:]]
    for wanted in [*usual, "atom"]:
        numbered = (f"{origin.name}_{number}" for number in count(2))
        free = (one for one in chain([wanted], numbered) if one not in {"", *taken, *names})
        names.append(next(free))
    inner = "?" + mark.replace("?", "")
    alone = [word(part) for rule in rest for part in rule.expansion]
    if len(rest) == len(alone) == 1 and not rest[0].alias:
        names[-1] = alone[0]
    for level, (_, own) in enumerate(sorted(levels.items())):
        name, tighter = names[level : level + 2]
        alternatives = [_write(rule, word, name, tighter) for rule in own]
        yield f"{inner if level else mark}{name}: {' | '.join([*alternatives, tighter])}"
    if names[-1] not in alone:
        alternatives = [_write(rule, word, str(origin.name), "") for rule in rest]
        yield f"{inner}{names[-1]}: {' | '.join(alternatives)}"


def _write(rule: Rule, word: Callable[[Symbol], str], level: str, tighter: str) -> str:
    """Return an alternative on its level: operators bind to the left, but powers and choices."""
    parts = [word(part) for part in rule.expansion]
    if tighter and rule.expansion[0] == rule.expansion[-1] == rule.origin:
        to_right = len(parts) > 3 or parts[1] in _LEVELS[-1][1]  # noqa: PLR2004
        parts[0], parts[-1] = (tighter, level) if to_right else (level, tighter)
    elif tighter:
        parts = [level if part == rule.origin.name else part for part in parts]
    return " ".join(parts) + (f" -> {rule.alias}" if rule.alias else "")
