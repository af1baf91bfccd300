"""Types of value: their descriptions for messages, and groups of them."""

from __future__ import annotations

#: Descriptions of types for messages: "expected ...".  A game's own descriptions come first.
EXPECTED = {
    "none": "nothing between the brackets",
    "number": "a whole number such as 12",
    "real": "a number such as 6.5",
    "double": "1, or 2 for emphasis",
    "triple": "1, or 2 for emphasis",
    "color": "B or W",
    "player": "B or W",
    "text": "a text",
    "simpletext": "a text",
    "figure": "nothing, or flags and a name such as '257:Figure 1'",
    "size": "a size such as '19', or columns and rows such as '19:13'",
    "application": "a program and its version such as 'CGoban:3'",
    "point": "a point",
    "stone": "a stone",
    "move": "a move",
    "rectangle": "a rectangle such as 'aa:cc'",
    "compose": "two parts with ':' between",
    "result": "a result such as 'B+3.5', 'W+R' or '0'",
    "dates": "a date such as '1996-05-27'",
    "date": "a date such as '2004.09.18_05:54:38.MDT'",
    "time_limit": "a number of seconds such as 1800",
    "time_limit_before_ff4": "a number of minutes such as 30",
    "komi": "a komi such as 6.5",
    "result_ggf": "a score for the first color such as '+12', '-3.00' or '+64:r'",
    "clock": "a clock such as '15:00//02:00'",
    "rank": "a rank such as '5d', '12 kyu' or '3k?'",
    "round": "a round and its type such as '03 (final)'",
    "board": "the size, the rows ('*' black, 'O' white, '-' empty) and the color to move",
}

#: Types whose points a game may have in a second, doubtful notation.
DOUBTFUL = frozenset({"point", "stone", "move"})

#: Forms that the FF[4] pages prescribe, so that another text is an error.
MANDATORY_FORMS = frozenset({"result", "dates", "cube_owner", "dice"})

#: Forms that read the raw value, not the text it stands for: a colon in them may be escaped.
RAW_FORMS = frozenset({"application", "figure", "size", "match_information", "viewer_setting"})

#: Types that are one text with the escapes of the format, and nothing else.
ESCAPED_TEXTS = frozenset({(("text",),), (("simpletext",),)})

#: Types that are one text and nothing else.
PLAIN_TEXTS = ESCAPED_TEXTS | {(("undefined",),)}


class NotOfType(ValueError):  # noqa: N818  # an answer, not an error
    """A text is not a value of a type; the message is what was expected."""


class Impossible(NotOfType):
    """A text has the form of a type without a meaning: the 30th of February.

    The message is the reason for a board; for the others, what was expected.
    """
