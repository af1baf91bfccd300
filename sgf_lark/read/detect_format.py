"""The format of a game, as it says or shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from sgf_lark.diagnostics.diagnostic import shorten
from sgf_lark.diagnostics.rules import RULES, Severity
from sgf_lark.grammar.tokens import GameSpan, name_pattern, tokenize
from sgf_lark.model.constraints import rules_for
from sgf_lark.model.ruleset import RuleBook, Rules, declared_game, declared_number
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import Category, PropertyTable

from .split import is_ggf, root_values, stretches

#: For a rule set, what tells of a property's name and raw values whether they are surely valid.
ValidValues: TypeAlias = Callable[[Rules], Callable[[str, Sequence[str]], bool]]

#: The formats by what FF says.
FORMATS = {1: Format.FF1, 2: Format.FF1, 3: Format.FF3, 4: Format.FF4}


def format_of(text: str) -> Format:
    """What the first game of a text is read as."""
    ggf = bool(is_ggf(text))
    for stretch in stretches(text, ggf=ggf):
        if stretch.is_game and not ggf:
            values = root_values(text, stretch)
            return guess_format(text, stretch, values, RuleBook(PropertyTable.standard()))[0]
    return Format.GGF if ggf else Format.FF4


def guess_format(
    text: str,
    stretch: GameSpan,
    values: dict[str, str],
    book: RuleBook,
    valid_values: ValidValues | None = None,
) -> tuple[Format, Choice]:
    """Return the format that FF names; without FF, the one with the fewest misfits.

    Of equals the oldest counts.  Properties of the root that only FF[4] has weigh more than
    values that a format writes in another form.

    Args:
        text: The text.
        stretch: The game in it.
        values: The raw values of its root.
        book: The rule sets of its file.
        valid_values: A quick test for valid values; it may reject some.

    Source: a game without FF is FF[1] (FF[4], property FF); most such files are not.
    """
    if "FF" in values:
        return declared_format(values["FF"]), Choice(given=True)
    misfits: dict[Format, list[str]] = {}
    properties = _different(text, stretch)
    for one in (Format.FF1, Format.FF3, Format.FF4):
        misfits[one] = _misfits(properties, one, values, book, valid_values)
        if not misfits[one]:
            break
    best = min(misfits, key=lambda one: (len(NEWEST & {*misfits[one]}), len(misfits[one])))
    better = [misfit for misfit in misfits[Format.FF1] if misfit not in misfits[best]]
    better.sort(key=lambda misfit: misfit not in NEWEST)  # what decided comes first
    return best, Choice(given=False, reason=better[0] if better else "")


#: Root properties that only FF[4] has.
NEWEST = frozenset(
    rule.ident
    for rule in PropertyTable.standard()
    if (rule.format, rule.game, rule.category) == (Format.FF4, None, Category.ROOT)
    and PropertyTable.standard().find(Format.FF3, None, rule.ident) is None
)


def declared_format(value: str) -> Format:
    """The format that FF names; FF[4] for one that no standard defines."""
    return FORMATS.get(declared_number(value) or 0, Format.FF4)


def _different(text: str, stretch: GameSpan) -> dict[tuple[str, str], None]:
    """The different properties of a part of the text: name and raw value, for each value."""
    name, found = "", dict[tuple[str, str], None]()
    for kind, start, end in tokenize(text, stretch.start, stretch.end):
        if kind == "IDENT":
            name = text[start:end]
        elif kind == "PROP_VALUE" and name:
            found[name, text[start + 1 : end - 1]] = None
    return found


def _misfits(
    properties: Iterable[tuple[str, str]],
    format: Format,
    values: dict[str, str],
    book: RuleBook,
    valid_values: ValidValues | None,
) -> list[str]:
    """Those that a format does not have, or not with such a value.

    What no format has says nothing about the format.
    """
    rules = book.rules(format, declared_game(format, values))
    names = name_pattern(rules.file)
    is_valid = valid_values(rules) if valid_values is not None else None
    found = []
    for name, raw in properties:
        if is_valid is not None and is_valid(name, (raw,)) and names.fullmatch(name):
            continue
        one = rules.property(name, (raw,))
        if one.rule is None:
            elsewhere = book.table.elsewhere(format, one.ident)
            if any(rule.format is not Format.GGF for rule in elsewhere):
                found.append(name)
        elif names.fullmatch(name) is None or any(
            problem.name == "newer-form"
            or (problem.severity or RULES[problem.name].severity) is Severity.ERROR
            for problem in chain(one.problems, *(rule(one, rules) for rule in rules_for(one)))
        ):
            found.append(f"{name}[{shorten(raw)}]")
    return found


class Choice(NamedTuple):
    """Which format a game is read as, and why.

    Attributes:
        given: The caller or the file's own FF said so.
        reason: If neither did: the property that FF[1] does not have so; "" if it has all.
    """

    given: bool
    reason: str = ""
