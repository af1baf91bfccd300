"""Narrowings: what a grammar accepts and its transformer rejects, such as the 30th of February.

The typed grammar excludes these texts, by an expression before that of the type or instead of
it.  It may exclude more.
"""

from __future__ import annotations

#: The end of a value, or of a date in a list.
_END = r"(?=\]|\Z)"
_END_OF_DATE = r"(?=[,\]]|\Z)"

#: Limit of the values that have numbers: Python rejects numbers of thousands of digits.
NOT_LONG = r"(?![^\]]{513})"

_YEAR = "(?!0000)[0-9]{4}"
_LEAP_YEAR = "(?!0000)(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_MONTH = "(?:0[1-9]|1[0-2])"


def _months(february: str) -> tuple[tuple[str, str], ...]:
    upto_28 = "0[1-9]|1[0-9]|2[0-8]"
    return (
        ("(?:0[13578]|1[02])", f"(?:{upto_28}|29|30|31)"),
        ("(?:0[469]|11)", f"(?:{upto_28}|29|30)"),
        ("02", f"(?:{upto_28}{february})"),
    )


def _days(february: str, separator: str) -> str:
    days = (f"{month}{separator}{day}" for month, day in _months(february))
    return f"(?:{'|'.join(days)})"


def _year_of_dates(year: str, february: str) -> str:
    days = "|".join(
        f"{month}-{day}{_END_OF_DATE}(?:,{day}{_END_OF_DATE})*+" for month, day in _months(february)
    )
    later = f"(?:,(?>{days}))*+"
    months = f"{_MONTH}{_END_OF_DATE}(?:,{_MONTH}{_END_OF_DATE})*+"
    return f"{year}-(?>(?>{days}){later}|{months}{later})"


_DATE = (
    f"(?>{_year_of_dates(_LEAP_YEAR, '|29')}|{_year_of_dates(_YEAR, '')}|[0-9]{{4}}{_END_OF_DATE})"
)

#: The dates of FF[4].
_DATES = rf"{_DATE}(?:,{_DATE})*+{_END}"

#: A date of FF[1] and FF[3].
_ONE_DATE = rf"(?={_LEAP_YEAR}-{_days('|29', '-')}{_END}|{_YEAR}-{_days('', '-')}{_END})"

_HOUR, _SIXTY = "(?:[01][0-9]|2[0-3])", "[0-5][0-9]"
_CLOCK = rf"(?:[01]?[0-9]|2[0-3]):{_SIXTY}(?::{_SIXTY})?"
#: Months and days whose zeros may be left out.
_SHORT_DAYS = _days("", "-").replace("0[", "0?[").replace("(?:02", "(?:0?2").replace("|02", "|0?2")

#: Moments in the forms of the archives of GGS; the 29th of February only in the first form.
_STAMP = (
    rf"(?=[0-9]{{5,11}}{_END}"
    rf"|(?:{_LEAP_YEAR}[.]{_days('|29', '[.]')}|{_YEAR}[.]{_days('', '[.]')})"
    rf"_{_HOUR}:{_SIXTY}:{_SIXTY}[.]"
    rf"|{_YEAR}-{_SHORT_DAYS}[ ]{_CLOCK}[ ])"
)

_SPACE = r"[ \t\r\n\x0b\x0c]*+"


def _cells(size: int, count: int) -> str:
    return rf"{size}{_SPACE}(?:[-*O]{_SPACE}){{{count}}}[*O]{_SPACE}{_END}"


#: Boards with as many cells as their size asks for, and the color to move; 88 is the octagon.
_SIZES = ((88, 88), *((size, size * size) for size in range(1, 20)))
_BOARD = f"{_SPACE}(?>{'|'.join(_cells(*size) for size in _SIZES)})"

#: Game types of Othello in which each option occurs once.
_ONCE = "".join(
    rf"(?!(?:[^\]{chars}]*+[{chars}]){{2}})" for chars in ("sS", "kK", "aA", "rR", "bBwW")
)

#: At most as many characters as a column may have; see ``MAX_COLUMN_LETTERS``.
_SHORT_COLUMN = "(?![A-Za-z]{17})"

#: A program with a version: without one there is a finding.
_WITH_COLON = r"(?=(?s:[^:\\\]]|\\.)*+:)"

#: Expressions before those of a rule, by the name of the grammar and of the rule.
NARROWED = {
    ("ff1", "dates"): _ONE_DATE,
    ("ff3", "dates"): _ONE_DATE,
    ("ff4", "application"): _WITH_COLON,
    ("ggf", "date"): _STAMP,
    ("othello", "game_type_ggf"): _ONCE,
    ("hex", "point"): _SHORT_COLUMN,
    ("hex", "stone"): _SHORT_COLUMN,
    ("hex", "move"): _SHORT_COLUMN,
}

#: Expressions instead of those of a rule: what the calendar or the board has says it all.
COMPLETE = {("ff4", "dates"): _DATES, ("ggf", "board"): _BOARD}
