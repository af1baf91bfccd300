"""The format of a game: declared by FF, or guessed by its properties."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import chain
from typing import NamedTuple, TypeAlias

from sgf_lark.core import late
from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import Severity
from sgf_lark.core.grammar.grammars import path_of
from sgf_lark.core.grammar.tokens import UNCLOSED, VALUES, RawToken, name_pattern, tokenize
from sgf_lark.core.model.finders import FINDERS
from sgf_lark.core.model.ruleset import RuleSets, parse_number
from sgf_lark.core.schema.formats import ADDED, Format
from sgf_lark.core.schema.properties import Category, PropertyTable, capitals
from sgf_lark.core.schema.values import BoardSize, Point

from .split import find_root_values, split_games

#: For a format, the distinct properties of a game that may not fit it: names and raw values.
Doubtful: TypeAlias = Callable[[Format], Collection[tuple[str, str]]]

#: The formats by the number in FF.
FORMATS = {1: Format.FF1, 2: Format.FF1, 3: Format.FF3, 4: Format.FF4}


class FormatGuess(NamedTuple):
    """The format in which a game is read; if guessed, with a property that is not of FF[1]."""

    format: Format
    is_given: bool = False
    reason: str = ""


def detect_format(text: str) -> Format:
    """Return the format in which the first game of a text is read."""
    for span in split_games(text):
        if span.ggf:
            return Format.GGF
        if span.is_game:
            tokens = list(tokenize(text, span.start, span.end))
            book = RuleSets(PropertyTable.standard())
            return guess_by_tokens(text, tokens, find_root_values(text, tokens), book).format
    return Format.FF4


def detect_grammar(text: str) -> str:
    """Return the name of the grammar by which a text is read: of a format, or of another one."""
    if (ADDED or not text.startswith("(")) and (found := late.find_format(text)) is not None:
        return path_of(found.grammar).stem
    return detect_format(text).grammar


def guess_by_tokens(
    text: str, tokens: Iterable[RawToken], values: dict[str, str], book: RuleSets
) -> FormatGuess:
    properties = {} if "FF" in values else distinct_properties(text, tokens)
    return guess_format(values, [name for name, _ in properties], book, lambda _: properties)


def guess_format(
    values: dict[str, str], names: Iterable[str], book: RuleSets, doubtful: Doubtful
) -> FormatGuess:
    """Return the format that FF names; without FF, the one with the fewest misfits.

    Of equal ones the oldest wins.  Root properties that only FF[4] has weigh more than values
    that a format writes in another form.

    Source: a game without FF is FF[1] (FF[4], property FF); most such files are not.
    """
    if "FF" in values:
        return FormatGuess(choose_format(values["FF"]), is_given=True)
    if book.table is PropertyTable.standard():
        newest = next((name for name in names if name in NEWEST), None)
        if newest is not None:  # FF[4] alone is without a misfit of that weight
            return FormatGuess(Format.FF4, reason=newest)
    misfits: dict[Format, list[str]] = {}
    for format_ in (Format.FF1, Format.FF3, Format.FF4):
        misfits[format_] = _find_misfits(doubtful(format_), format_, values, book)
        if not misfits[format_]:
            break
    best = min(
        misfits, key=lambda format_: (len(NEWEST & {*misfits[format_]}), len(misfits[format_]))
    )
    better = [misfit for misfit in misfits[Format.FF1] if misfit not in misfits[best]]
    better.sort(key=lambda misfit: misfit not in NEWEST)  # what decided comes first
    return FormatGuess(best, reason=better[0] if better else "")


#: Root properties that only FF[4] has.
NEWEST = frozenset(
    rule.ident
    for rule in PropertyTable.standard()
    if (rule.format, rule.game, rule.category) == (Format.FF4, None, Category.ROOT)
    and PropertyTable.standard().find(Format.FF3, None, rule.ident) is None
)


def choose_format(value: str) -> Format:
    """Return the format that FF names; FF[4] for one that no standard defines."""
    usual = _USUAL_FORMATS.get(value)
    return usual or FORMATS.get(parse_number(value) or 0, Format.FF4)


_USUAL_FORMATS = {str(number): format_ for number, format_ in FORMATS.items()}


def distinct_properties(text: str, tokens: Iterable[RawToken]) -> dict[tuple[str, str], None]:
    name, properties = "", dict[tuple[str, str], None]()
    for kind, start, end in tokens:
        if kind == "IDENT":
            name = text[start:end]
        elif kind in VALUES and name:
            properties[name, text[start + 1 : end - (kind not in UNCLOSED)]] = None
    return properties


def _find_misfits(
    properties: Collection[tuple[str, str]], format: Format, values: dict[str, str], book: RuleSets
) -> list[str]:
    """Return the properties that a format lacks; a point off the board does not count."""
    if not properties:
        return []
    rules, size = book.sized(format, values)
    names = name_pattern(rules.file)
    misfits = []
    for name, raw in properties:
        prop = rules.property(name, (raw,))
        if prop.rule is None:
            elsewhere = book.table.elsewhere(format, capitals(name))
            if any(rule.format is not Format.GGF for rule in elsewhere):
                misfits.append(name)
        elif names.fullmatch(name) is None or (
            not (size is not None and any(_is_off(value, size) for value in prop.values))
            and any(
                problem.name == "newer-form" or problem.severity is Severity.ERROR
                for problem in chain(
                    prop.problems, *(look(prop, rules) for look in FINDERS.looks[False](prop.rule))
                )
            )
        ):
            misfits.append(f"{name}[{shorten(raw)}]")
    return misfits


def _is_off(value: object, size: BoardSize) -> bool:
    points = value, getattr(value, "first", None), getattr(value, "second", None)
    return any(
        isinstance(point, Point) and (point.column >= size.columns or point.row >= size.rows)
        for point in points
    )
