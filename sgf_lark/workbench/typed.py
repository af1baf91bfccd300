"""The typed grammar as expressions: for each property its name, and one of its values.

The standards' grammars say which texts are numbers, points or dates, the property table says
which of them a property takes.  What is derived here may be too strict, never too lenient: a
text that the expression of a value matches completely is read by the reader without a
finding.  Everything else is said with its reason, and left to the reader.

Texts that a grammar accepts and its transformer rejects, such as the 30th of February, are
excluded by a narrowing: an expression before that of the type, or instead of it, which may exclude
more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from sgf_lark.core import (
    ESCAPED_TEXTS,
    PLAIN_TEXTS,
    RAW_FORMS,
    BoardSize,
    Category,
    File,
    Format,
    GrammarSource,
    Group,
    NotOfType,
    Plan,
    Point,
    PropertyRule,
    PropertyTable,
    Reader,
    Shape,
    character_sets,
    grammars,
    ident_of,
    point_notation,
)

from .patterns import is_bounded, stays_before

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


#: The end of a value.
END = r"(?=\]|\Z)"

#: A value that is not empty.
_NOT_EMPTY = r"(?=[^\]])"

#: A value whose text equals its raw text: without escapes, line breaks and tabs.
_LITERAL = rf"(?=[^\\\]\t\r\n\x0b\x0c]*+{END})"

#: The types whose values are on a board.
_ON_BOARD = frozenset({"point", "stone", "move", "played"})

#: Most columns, and most rows, whose names are listed: a letter and a number have no last one.
MAX_NAMES = 1 << 10


class TypedProperty(NamedTuple):
    """A row of the property table as expressions without groups, which never backtrack."""

    rule: PropertyRule
    name: str | None  # the expression of its name, as the grammar spells it; None if it cannot
    value: str | None  # the expression of one value without its brackets; None if there is none
    why: str = ""  # the reason for that; "" if there is one


class _InexpressibleError(LookupError):
    """A value has no expression; the message is the reason."""


class TypedProperties(Mapping[str, TypedProperty]):
    """The rows of a property table for a format and game by identifier, each as expressions.

    A row is derived when it is asked for.  Without a size points may be anywhere.
    """

    def __init__(self, reader: Reader, table: PropertyTable, size: BoardSize | None = None) -> None:
        self.reader = reader
        self._table = table
        # the board; None if points may be anywhere, or if the game has no board
        self.size = size if reader.game.has_size else None
        self._rows: dict[str, TypedProperty] = {}
        self._points: dict[str, str] = {}

    def __getitem__(self, ident: str) -> TypedProperty:
        row = self._rows.get(ident)
        if row is None:
            rule = self._table.find(self.reader.format, self.reader.game.number, ident)
            if rule is None:
                raise KeyError(ident)
            row = self._rows[ident] = self._row(rule)
        return row

    def __iter__(self) -> Iterator[str]:
        format_, game = self.reader.format, self.reader.game.number
        yield from dict.fromkeys(
            rule.ident
            for rule in self._table
            if rule.format is format_ and rule.game in {None, game}
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _row(self, rule: PropertyRule) -> TypedProperty:
        name = name_expression(self.reader.file, rule.ident)
        try:
            return TypedProperty(rule, name, self._value(rule))
        except _InexpressibleError as error:
            return TypedProperty(rule, name, None, str(error))

    # ---- one value ----

    def _value(self, rule: PropertyRule) -> str:
        if text_expression(self.reader.file) is None or self.reader.shape is Shape.OWN:
            raise _InexpressibleError("the grammar has no values in brackets")
        expression = self._form(rule) if rule.form else self._types(rule)
        return (_NOT_EMPTY if self._is_empty_reported(rule) else "") + expression

    def _is_empty_reported(self, rule: PropertyRule) -> bool:
        if rule.types in PLAIN_TEXTS and Group.EMPTY not in rule.groups:
            return self.reader.format is not Format.GGF
        is_old = self.reader.format in {Format.FF1, Format.FF3}
        return is_old and rule.category is Category.MOVE and rule.type == "move"

    def _form(self, rule: PropertyRule) -> str:
        if rule.form == "undefined":
            raise _InexpressibleError("undefined is no form")
        expression = self._kind(rule.form)
        if not rule.is_text or rule.form in RAW_FORMS or rule.types == (("undefined",),):
            return expression
        ((kind, *_), *_) = rule.types
        if rule.types not in ESCAPED_TEXTS or self._is_custom(kind):
            raise _InexpressibleError(f"its form is read from a value of type {rule.type}")
        if self.reader.format is Format.GGF or self._is_literal(expression):
            return expression
        return _LITERAL + expression

    @staticmethod
    def _is_literal(expression: str) -> bool:
        changed = frozenset(map(ord, "\\]\t\r\n\x0b\x0c"))
        return not any(chars.low & changed for chars in character_sets(expression))

    def _types(self, rule: PropertyRule) -> str:
        if rule.types in PLAIN_TEXTS and not self._is_custom(rule.types[0][0]):
            return self._text()
        if rule.is_points:
            return self._points_of(rule)
        *earlier, _ = rule.types
        if any(self._is_narrowed(kind) for kinds in earlier for kind in kinds):
            raise _InexpressibleError("another of its types may reject what its grammar accepts")
        options = [self._pair(*kinds) if kinds[1:] else self._kind(*kinds) for kinds in rule.types]
        if len(options) == 1:
            return options[0]
        guard = NOT_LONG if any(NOT_LONG in option for option in options[:-1]) else ""
        return f"{guard}(?>{'|'.join(option + END for option in options)})"

    def _text(self) -> str:
        return text_expression(self.reader.file) or ""

    def _points_of(self, rule: PropertyRule) -> str:
        """Return the expression of points and of rectangles, whose corners have to be points."""
        (kind,) = rule.types[0]
        point = self._kind(kind)
        others = [kinds for kinds in rule.types[1:] if kinds != (kind, kind)]
        if others:
            raise _InexpressibleError(f"its type is {rule.type}")
        if (kind, kind) not in rule.types or not self._has_corners(kind):
            return point
        self._check_pair(point)
        return f"{point}(?>:{point})?+"

    def _has_corners(self, kind: str) -> bool:
        if self._is_custom(kind):
            return False
        notation = point_notation(self.reader.game)
        text = "aa" if notation is None else notation(Point(0, 0))
        try:
            return isinstance(self.reader.of_kind(kind)(text), Point | str)
        except NotOfType:
            return False

    def _pair(self, first: str, second: str) -> str:
        expression = self._kind(first)
        self._check_pair(expression)
        return f"{expression}:{self._kind(second)}"

    def _check_pair(self, first: str) -> None:
        """Verify that a pair is cut after its first half."""
        if self.reader.format not in {Format.FF3, Format.FF4} or self._is_custom("compose"):
            raise _InexpressibleError("no shipped grammar says how a pair is cut")
        if not stays_before(first, ":]", "\\"):
            raise _InexpressibleError("the first half of a pair may have a colon")

    # ---- one type ----

    def _is_custom(self, kind: str) -> bool:
        if kind == "undefined":
            return False
        try:
            file = self.reader.kind(kind).place[0]
        except LookupError as error:
            raise _InexpressibleError(str(error)) from None
        return isinstance(file, GrammarSource) or not self.reader.kind(kind).is_settled

    def _is_narrowed(self, kind: str) -> bool:
        """Return whether the expression of a type leaves out texts that its grammar accepts."""
        if kind == "undefined" or self._is_custom(kind):
            return False
        file, name, _ = self.reader.kind(kind).place
        is_in_table = (file.stem, name) in COMPLETE or self._narrowed(file, name) != ""  # type: ignore[union-attr]
        is_on_board = self.size is not None and kind in _ON_BOARD
        return is_in_table or is_on_board

    @staticmethod
    def _narrowed(file: File, name: str) -> str:
        return "" if isinstance(file, GrammarSource) else NARROWED.get((file.stem, name), "")

    def _kind(self, kind: str) -> str:
        """Return the expression of a type or form (_InexpressibleError: it has none)."""
        if kind == "undefined":
            return self._text()
        is_custom = self._is_custom(kind)
        if is_custom and (
            not self.reader.kind(kind).is_settled or kind in {"application", "board", "played"}
        ):
            raise _InexpressibleError(
                f"a custom reader of {kind} may reject what its grammar accepts"
            )
        if not is_custom and kind in {"text", "simpletext"}:
            return self._text()
        file, name, _ = self.reader.kind(kind).place
        narrowed = self._narrowed(file, name)
        if not is_custom and (file.stem, name) in COMPLETE:  # type: ignore[union-attr]
            return COMPLETE[file.stem, name]  # type: ignore[union-attr]
        plan = self.reader.plan(kind)
        if plan is None:
            raise _InexpressibleError(f"the generated engine leaves {kind} to Lark")
        expression = plan.expression(plan.start)
        if kind == "played":
            return self._played(expression or "")
        if self.size is not None and kind in _ON_BOARD:
            if is_custom:
                raise _InexpressibleError("the texts of points of a custom grammar are not known")
            expression = self._on_board(kind, plan)
        if expression is None:
            raise _InexpressibleError(f"{kind} nests")
        return narrowed + self._closed(kind, expression)

    def _closed(self, kind: str, expression: str) -> str:
        guard = "" if is_bounded(expression) or kind in {"text", "simpletext"} else NOT_LONG
        escape = "" if self.reader.format is Format.GGF else "\\"
        if stays_before(expression, "]", escape):
            return guard + expression
        if not stays_before(expression, "]"):
            raise _InexpressibleError(f"the grammar of {kind} accepts a ']'")
        return rf"{guard}(?=[^\\\]]*+{END}){expression}"

    def _played(self, expression: str) -> str:
        file = self.reader.kind("move").place[0]
        if file == self.reader.file:
            return NOT_LONG + expression
        move = self._kind("move")
        if not stays_before(move, "/]"):
            raise _InexpressibleError("a move may have a '/'")
        return rf"{NOT_LONG}(?={move}(?=[/\]]|\Z)){expression}"

    # ---- points of a board ----

    def _on_board(self, kind: str, plan: Plan) -> str | None:
        """Return the expression of a type with points of the board only; None if it has none."""
        is_ggf = self.reader.format is Format.GGF
        notation = point_notation(self.reader.game, is_ggf=is_ggf)
        expression = plan.expression(plan.start)
        if notation is None or expression is None:
            return expression
        rules = {self.reader.kind("point").expression: "point"}
        for name, shape in plan.shapes.items():
            if shape.callback == "point" and name not in plan.alternatives:
                rules[plan.expression(name)] = name
        for point, rule in rules.items():
            if point is not None and point in expression:
                return expression.replace(point, self._board(rule, notation))
        raise _InexpressibleError(f"{kind} has no points as the game writes them")

    def _board(self, rule: str, notation: Callable[[Point], str]) -> str:
        if rule not in self._points:
            self._points[rule] = self._texts(rule, notation)
        return self._points[rule]

    def _texts(self, rule: str, notation: Callable[[Point], str]) -> str:
        """Return the expression of the points that a notation writes and a rule reads.

        A column is what differs along a row, a row is what differs along a column.
        """
        size = self.size or BoardSize(0, 0)
        origin = notation(Point(0, 0))
        head, tail = origin[:-1], origin[-1:]  # the first row is one character in all games
        columns = self._names(
            lambda number: (notation(Point(number, 0)).removesuffix(tail), Point(number, 0)),
            lambda column: self._read(rule, column + tail),
            size.columns,
        )
        rows = self._names(
            lambda number: (notation(Point(0, number)).removeprefix(head), Point(0, number)),
            lambda row: self._read(rule, head + row),
            size.rows,
        )
        if not columns or not rows:
            raise _InexpressibleError("its board has no points that the grammar can write")
        last = "(?![0-9])" if any(len(row) > 1 for row in rows) else ""
        return words_expression(columns) + words_expression(rows) + last

    @staticmethod
    def _names(
        write: Callable[[int], tuple[str, Point]], read: Callable[[str], object], count: int
    ) -> list[str]:
        """Return the texts of columns or rows, in either case if both are read alike."""
        if count > MAX_NAMES:
            try:
                write(MAX_NAMES)
            except LookupError:
                count = MAX_NAMES
            else:
                raise _InexpressibleError(f"its board has a side of more than {MAX_NAMES:,}")
        names: dict[str, None] = {}
        for number in range(count):
            try:
                text, point = write(number)
            except LookupError:  # beyond the notation
                break
            for name in (text, text.lower(), text.upper()):
                if name not in names and read(name) == point:
                    names[name] = None
        return [*names]

    def _read(self, rule: str, text: str) -> object:
        try:
            return self.reader.read(rule, text)
        except (NotOfType, LookupError):
            return None


# ---- names, and expressions of sets of texts ----

#: Limit of an identifier in characters whose long names are tried.
MAX_LONG_NAME = 3


def text_expression(file: File) -> str | None:
    """Return the expression of any text between brackets; None for values in another way."""
    inside = re.fullmatch(
        r"(\(\?s:|)\\\[(.*)\\\](\)?)", grammars.terminal(file, "PROP_VALUE") or ""
    )
    return None if inside is None else f"(?s:{inside[2]})"


def name_expression(file: File, ident: str) -> str | None:
    """Return the expression of the spellings of a property name.

    None if the grammar accepts no such name.  Lower case characters do not count where the
    grammar allows them anywhere in it: ``AddBlack`` is AB.
    """
    pattern = grammars.terminal(file, "PROP_IDENT")
    if pattern is None:
        return None
    accepts = re.compile(pattern).fullmatch
    if accepts(ident) is None:
        return None
    gaps = product(("", "a", "abcxyz" * 20), repeat=min(len(ident), MAX_LONG_NAME) + 1)
    long = ("".join(map("".join, zip(gap, (*ident, ""), strict=True))) for gap in gaps)
    if len(ident) <= MAX_LONG_NAME and all(
        accepts(name) and ident_of(name) == ident for name in long
    ):
        return "[a-z]*+" + "".join(f"{char}[a-z]*+" for char in ident)
    return ident


def words_expression(words: Iterable[str]) -> str:
    """Return an expression of some words that tries a longer one first.

    Words that go on alike share their expression: 1 to 19 become ``(?>1[0-9]?+|[2-9])``.
    """
    rests: dict[str, set[str]] = {}
    for word in words:
        rests.setdefault(word[:1], set()).add(word[1:])
    may_end = rests.pop("", None) is not None
    alike: dict[str, str] = {}
    for char, after in rests.items():
        expression = "" if after == {""} else words_expression(after)
        alike[expression] = alike.get(expression, "") + char
    options = [_class(chars) + expression for expression, chars in alike.items()]
    if not may_end and len(options) == 1:
        return options[0]
    return f"(?>{'|'.join(options)})" + ("?+" if may_end else "")


def _class(chars: str) -> str:
    codes = sorted(map(ord, chars))
    if len(codes) == 1:
        return re.escape(chars)
    spans: list[list[int]] = []
    for code in codes:
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return "[" + "".join(_span(first, last) for first, last in spans) + "]"


def _span(first: int, last: int) -> str:
    low, high = re.escape(chr(first)), re.escape(chr(last))
    return low if first == last else f"{low}{'-' if last > first + 1 else ''}{high}"
