"""Types of value, one row each: grammar rule, words for messages, examples.

The rule names the rest: a text is read by the transformer's method of the same name, or of the
name after ``->``, and what that returns is written by its class
(:class:`~sgf_lark.core.values.writer.Writer`).  Tests compare the rows with all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class ValueType(NamedTuple):
    """A type of value.

    Attributes:
        grammars: The grammars that define it, such as ``ff3 ff4``, or a game's.
        rules: Its rules there; several if they differ in nothing else.
        words: For messages, after "expected".
        examples: Texts of it: one for each class of its values, if not more.
    """

    grammars: str
    rules: str
    words: str
    examples: tuple[str, ...]


_SGF = "ff1 ff3 ff4"

#: The types of the formats; those of a game are in its row (``schema/games.py``).
VALUE_TYPES = (
    ValueType(_SGF, "none", "nothing between the brackets", ("",)),
    ValueType(f"{_SGF} ggf", "number", "a whole number such as 12", ("12",)),
    ValueType(f"{_SGF} ggf", "real", "a number such as 6.5", ("6.5",)),
    ValueType("ff4", "double", "1, or 2 for emphasis", ("1",)),
    ValueType("ff1 ff3", "triple", "1, or 2 for emphasis", ("1",)),
    ValueType(_SGF, "color", "B or W", ("B",)),
    ValueType("ff3", "player", "B or W", ("B",)),
    ValueType(f"{_SGF} ggf", "text", "a text", ("Hello",)),
    ValueType("ff4 ggf", "simpletext", "a text", ("Hello",)),
    ValueType(_SGF, "point", "a point", ("aa",)),
    ValueType("ff4", "stone", "a stone", ("aa",)),
    ValueType(f"{_SGF} ggf", "move", "a move", ("aa",)),
    ValueType("ff3 ff4", "compose", "two parts with ':' between", ("aa:bb",)),
    ValueType(
        "ff4", "figure", "nothing, or flags and a name such as '257:Figure 1'", ("257:Figure 1", "")
    ),
    ValueType(
        "ff4", "size", "a size such as '19', or columns and rows such as '19:13'", ("19", "19:13")
    ),
    ValueType("ff4", "application", "a program and its version such as 'CGoban:3'", ("CGoban:3",)),
    ValueType(_SGF, "result", "a result such as 'B+3.5', 'W+R' or '0'", ("B+3.5", "0")),
    ValueType(_SGF, "dates", "a date such as '1996-05-27'", ("1996-05-27",)),
    ValueType("ff4", "time_limit", "a number of seconds such as 1800", ("1800",)),
    ValueType("ff1", "time_limit", "a number of minutes such as 30", ("30",)),
    ValueType(f"{_SGF} ggf", "komi", "a komi such as 6.5", ("6.5",)),
    ValueType("ff4", "rank", "a rank such as '5d', '12 kyu' or '3k?'", ("12 kyu",)),
    ValueType("ff4", "round", "a round and its type such as '03 (final)'", ("03 (final)",)),
    ValueType(
        "ggf",
        "result",
        "a score for the first color such as '+12', '-3.00' or '+64:r'",
        ("+12", "-3.00", "+64:r"),
    ),
    ValueType(
        "ggf", "date", "a date such as '2004.09.18_05:54:38.MDT'", ("2004.09.18_05:54:38.MDT",)
    ),
    ValueType("ggf", "clock", "a clock such as '15:00//02:00'", ("15:00//02:00",)),
    ValueType(
        "ggf",
        "board",
        "the size, the rows ('*' black, 'O' white, '-' empty) and the color to move",
        ("2 *O -- *",),
    ),
    ValueType("ggf", "game_type", "a text", ("8",)),
    ValueType("ggf", "played", "a move, and after '/' its evaluation and time", ("aa/1.50/2",)),
)


def words_of(rows: Iterable[ValueType]) -> dict[str, dict[str, str]]:
    """Return the words for messages of types, by grammar and rule."""
    words: dict[str, dict[str, str]] = {}
    for row in rows:
        for grammar in row.grammars.split():
            words.setdefault(grammar, {}).update(dict.fromkeys(row.rules.split(), row.words))
    return words


#: Words for messages, after "expected", by grammar and rule.
EXPECTED = words_of(VALUE_TYPES)
