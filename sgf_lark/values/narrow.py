"""Narrowings: what a grammar accepts and its transformer rejects, such as the 30th of February.

The typed grammar excludes these texts by an expression before that of the type; it may
exclude more.
"""

from __future__ import annotations

#: The end of a value, or of a date in a list.
_END = r"(?=\]|\Z)"
_END_OF_DATE = r"(?=[,\]]|\Z)"

#: Limit of the values that have numbers: Python rejects numbers of thousands of digits.
NOT_LONG = r"(?![^\]]{513})"

_YEAR = "(?!0000)[0-9]{4}"
_MONTH = "(?:0[1-9]|1[0-2])"
#: A day of each month, and a month and a day but the 29th of February.
_DAY = "(?:0[1-9]|1[0-9]|2[0-8])"
_MONTH_DAY = f"(?>{_MONTH}-{_DAY}|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"

_DAYS = rf"(?:,(?>{_MONTH_DAY}{_END_OF_DATE}|{_DAY}{_END_OF_DATE}))*+"
_MONTHS = rf"(?:,{_MONTH}{_END_OF_DATE})*+(?>,{_MONTH_DAY}{_END_OF_DATE}{_DAYS})?+"
_DATE = (
    rf"{_YEAR}(?>-{_MONTH_DAY}{_END_OF_DATE}{_DAYS}|-{_MONTH}{_END_OF_DATE}{_MONTHS}"
    rf"|{_END_OF_DATE})"
)

#: Dates that the calendar has, as FF[4] lists them; but no 29th of February, which needs
#: arithmetic, and no day after the 28th without its month.
_DATES = rf"{_DATE}(?:,{_DATE})*+{_END}"

#: Dates of FF[1] and FF[3].
_ONE_DATE = rf"(?={_YEAR}-{_MONTH_DAY}{_END})"

_HOUR, _SIXTY = "(?:[01][0-9]|2[0-3])", "[0-5][0-9]"
_SHORT_MONTH_DAY = (
    r"(?>(?:1[0-2]|0?[1-9])-(?:0?[1-9]|1[0-9]|2[0-8])(?![0-9])"
    r"|(?:1[0-2]|0?[13-9])-(?:29|30)|(?:1[02]|0?[13578])-31)"
)
#: Moments that the calendar has, in the forms of the archives of GGS.
_STAMP = (
    rf"(?=[0-9]{{5,11}}{_END}|{_YEAR}(?:"
    rf"\.(?:{_MONTH}\.{_DAY}|(?:0[13-9]|1[0-2])\.(?:29|30)|(?:0[13578]|1[02])\.31)"
    rf"_{_HOUR}:{_SIXTY}:{_SIXTY}\."
    rf"|-{_SHORT_MONTH_DAY}[ ](?:[01]?[0-9]|2[0-3]):{_SIXTY}(?::{_SIXTY})?[ ]))"
)

_SPACE = r"[ \t\r\n\x0b\x0c]*+"


def _cells(size: int, count: int) -> str:
    return rf"{size}{_SPACE}(?:[-*O]{_SPACE}){{{count}}}[*O]{_SPACE}{_END}"


#: Boards with as many cells as their size asks for, and the color to move; 88 is the octagon.
_SIZES = ((88, 88), *((size, size * size) for size in range(3, 20)))
_BOARD = rf"(?={_SPACE}(?:{'|'.join(_cells(*size) for size in _SIZES)}))"

#: Game types of Othello in which each option occurs once.
_ONCE = "".join(
    rf"(?!(?:[^\]{chars}]*+[{chars}]){{2}})" for chars in ("sS", "kK", "aA", "rR", "bBwW")
)

#: At most as many characters as a column may have; see ``MAX_COLUMN_LETTERS``.
_SHORT_COLUMN = "(?![A-Za-z]{17})"

#: Expressions before those of a rule, by the name of the grammar and of the rule.
NARROWED = {
    ("ff1", "dates"): _ONE_DATE,
    ("ff3", "dates"): _ONE_DATE,
    ("ggf", "date"): _STAMP,
    ("ggf", "board"): _BOARD,
    ("othello", "game_type_ggf"): _ONCE,
    ("hex", "point"): _SHORT_COLUMN,
    ("hex", "stone"): _SHORT_COLUMN,
    ("hex", "move"): _SHORT_COLUMN,
}

#: Expressions of rules that the generated engine leaves to Lark.
COMPLETE = {("ff4", "dates"): _DATES}
