"""Writers: from typed values to the raw texts between the brackets.

A writer knows the notation of values, never their validity: the grammar reads each text
again, and a value that does not come back is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from string import ascii_letters
from typing import Any

from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import Severity
from sgf_lark.core.grammar.tokens import tokenize
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import Game, GameNumber
from sgf_lark.core.schema.points import LETTERS, column_name
from sgf_lark.core.schema.properties import Count, PropertyRule
from sgf_lark.core.schema.values import (
    PASS,
    Action,
    AmazonsMove,
    Application,
    BackgammonMove,
    BackgammonRules,
    BoardSize,
    Clock,
    Color,
    Composed,
    Dice,
    Figure,
    InitialBoard,
    Invalid,
    LinkCenter,
    OctiMove,
    OthelloType,
    PartialDate,
    Pass,
    Period,
    Played,
    Pod,
    Point,
    PointList,
    ProngMove,
    Rectangle,
    Result,
    Stamp,
    Step,
    Value,
)

from .kinds import RAW_FORMS
from .methods import FLAGS, day_of
from .reader import Reader

# ---- texts ----

LINE_BREAK = re.compile(r"\r\n|\n\r|\r")


def escape_text(text: str, format: Format, *, composed: bool = False) -> str:
    """Escape a text as its brackets need it; each line break becomes one line feed.

    FF[1] and FF[3] escape ``]`` and the backslash; so does FF[4], and in a composed value the
    colon, too.  GGF escapes nothing: ValueError for a ``]``.

    Source:
        FF[1] and FF[3], production Text; FF[4], Text and Compose; GGF knows no escape.
    """
    text = LINE_BREAK.sub("\n", text)
    if format is Format.GGF:
        if "]" in text:
            raise ValueError(f"a value of GGF cannot hold ']', which {shorten(text)!r} has")
        return text
    text = text.replace("\\", "\\\\").replace("]", "\\]")
    return text.replace(":", "\\:") if composed and format is Format.FF4 else text


# ---- properties ----


def write_value(rule: PropertyRule | None, value: Any, reader: Reader) -> str:
    """Return the raw text of one value of a property; ValueError if none is read as it.

    Args:
        rule: The property's row; None for a private property, whose values are texts.
        value: A typed value; an ``int`` or ``float`` for a number; a ``str`` for a text, else
            the very text that the file shall have (``"pd"``).
    """
    ident = "a private property" if rule is None else rule.ident
    try:
        raw = Writer(reader).write(rule, value)
    except TypeError:
        expected = "a text" if rule is None else reader.words(rule)
        raise ValueError(
            f"invalid value {shorten(repr(value))} for {ident}: expected {expected}"
        ) from None
    tokens = list(tokenize(f"[{raw}]", 0, len(raw) + 2, ggf=reader.format is Format.GGF))
    if [token[1:] for token in tokens] != [(0, len(raw) + 2)] or "UNCLOSED" in tokens[0].kind:
        raise ValueError(f"invalid value {shorten(raw)!r} for {ident}: escape its '\\' or ']'")
    if rule is None:
        return raw
    values, problems = reader.read_property(rule, (raw,))
    for problem in problems:
        if Severity.ERROR in {problem.rule.severity, problem.severity}:
            raise ValueError(problem.message)
    if not _comes_back(value, values):
        raise ValueError(
            f"invalid value {shorten(repr(value))} for {ident}: expected {reader.words(rule)}"
        )
    return raw


def _comes_back(value: Any, values: tuple[Any, ...]) -> bool:
    if isinstance(value, str):
        return True  # with normalized line breaks, or of any type
    back = values[0] if values else None
    if value is None or isinstance(value, bool):
        if value is False:
            return back is False
        return back is None or back is True or back == (value or PASS)
    if type(value) is tuple:
        return bool(value) and not isinstance(back, str)
    if isinstance(value, date | PartialDate):
        return back == (_day(value),)
    kind = next((kind for kind in _SHAPES if isinstance(value, kind)), None)
    return values in {(value,), ()} if kind is None else isinstance(back, _SHAPES[kind])


#: The types in which values of a type may come back: a float as a number, a pair as one value,
#: a text with normalized line breaks.
_SHAPES: dict[type, tuple[type, ...]] = {
    float: (int, Decimal),
    BoardSize: (BoardSize, int),
    Application: (Application,),
    Figure: (Figure,),
    Composed: (Composed,),
}


def write_values(rule: PropertyRule | None, value: Any, reader: Reader) -> tuple[str, ...]:
    """Return the raw texts of all values of a property; errors as of :func:`write_value`."""
    if rule is not None and rule.count is Count.ONE:
        return (write_value(rule, value, reader),)
    raws = tuple([write_value(rule, item, reader) for item in _each(value)])
    if raws:
        return raws
    if rule is not None and rule.count is Count.ELIST:
        return ("",)
    raise ValueError(f"{'a private property' if rule is None else rule.ident} needs a value")


def _each(value: Any) -> Iterable[Any]:
    if isinstance(value, PointList):
        return value.entries
    if isinstance(value, list | set | frozenset | Iterator):
        return value
    if isinstance(value, tuple) and not isinstance(value, Point | BoardSize):
        return value
    return (value,)


# ---- values ----


class Writer:
    """The notation of the values of one format and game."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.format = reader.format
        self.game = reader.game
        self.ggf = reader.format is Format.GGF

    def write(self, rule: PropertyRule | None, value: Any) -> str:
        """Return the raw text of one value; texts are escaped as the rule demands."""
        if rule is None:
            return escape_text(value, self.format) if isinstance(value, str) else self.shown(value)
        if rule.form == "invert_y_axis" and isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, Composed):
            value = value.first, value.second
        pair = next((kinds for kinds in rule.types if len(kinds) > 1), None)
        if pair is not None and type(value) is tuple and len(value) == len(pair):
            return ":".join(
                self._part(*part, composed=True) for part in zip(pair, value, strict=True)
            )
        return self.shown(value) if rule.form in RAW_FORMS else self._part(rule.types[0][0], value)

    def _part(self, kind: str, value: Any, *, composed: bool = False) -> str:
        if isinstance(value, str) and kind in {"text", "simpletext"}:
            return escape_text(value, self.format, composed=composed)
        return self.shown(value)

    def shown(self, value: Any) -> str:
        """Return the notation of a value in this format and game, or raise Type- or ValueError."""
        if value is None or value is True:
            return ""
        for kind in type(value).__mro__:
            if kind in NOTATIONS:
                text: str = NOTATIONS[kind](self, value)
                return text
        raise TypeError(f"no game record can hold {value!r}")

    # Values of all games.

    def pair(self, value: Composed | Rectangle) -> str:
        return f"{self.shown(value.first)}:{self.shown(value.second)}"

    def size(self, size: BoardSize) -> str:
        return f"{size.columns}" if size.is_square else f"{size.columns}:{size.rows}"

    def application(self, value: Application) -> str:
        name = escape_text(value.name, self.format, composed=True)
        if value.version is None:
            return name
        return f"{name}:{escape_text(value.version, self.format, composed=True)}"

    def figure(self, value: Figure) -> str:
        return f"{value.flags}:{escape_text(value.name, self.format, composed=True)}"

    def result(self, value: Result) -> str:
        if self.ggf:
            return self.score(value)
        text = str(value)
        return "0" if text == "Draw" else text

    def score(self, value: Result) -> str:
        """Return RE of GGF: in view of the first color."""
        if value.margin is None:
            return "?"
        sign = "" if value.winner is None else "+" if value.winner is self.game.first_color else "-"
        flag = next((f":{flag}" for flag, ending in FLAGS.items() if ending is value.ending), "")
        return f"{sign}{plain(value.margin)}{flag}"

    def dates(self, values: tuple[date | PartialDate, ...] | date | PartialDate) -> str:
        """Return DT of FF[4]: a date leaves out what it shares with the one before."""
        days = [_day(value) for value in (values if isinstance(values, tuple) else (values,))]
        texts: list[str] = []
        before: date | PartialDate | None = None
        for day in days:
            text = str(day)
            month = getattr(day, "month", None)
            if before is not None and before.year == day.year and month is not None:
                if isinstance(day, date) and getattr(before, "month", None) is not None:
                    same = isinstance(before, date) and before.month == month
                    text = f"{day.day:02}" if same else f"{month:02}-{day.day:02}"
                elif not isinstance(before, date) and before.month is not None:
                    text = f"{month:02}"
            texts.append(text)
            before = day
        return ",".join(texts)

    # Points and moves.

    def point(self, point: Point) -> str:
        notation = point_notation(self.game, is_ggf=self.ggf)
        if notation is None and min(point) >= 0:
            return self._custom(point, "point", _ways_of_point(point))
        try:
            if notation is not None and min(point) >= 0:
                return notation(point)
        except LookupError:
            pass
        raise ValueError(f"no point of {self.game.name} is {point}")

    def passing(self, _: Pass) -> str:
        if self.game.number == GameNumber.GO and self.format is not Format.FF4:
            return "tt"
        return self.game.passing

    def _custom(self, value: Value, kind: str, ways: Iterable[str]) -> str:
        """Return the first text that the grammar of a custom game reads as a value."""
        for text in ways:
            try:
                if self._reader.read(kind, text) == value:
                    return text
            except ValueError:
                continue
        raise ValueError(f"no {kind} of {self.game.name} is {value}")

    def step(self, value: Step) -> str:
        if not self.game.notation:
            ends = self.point(value.origin), self.point(value.target)
            return self._custom(value, "move", (sign.join(ends) for sign in ("-", ":", "", " ")))
        signs = {True: ":", False: "-", None: ""}
        sign = ":" if self.game.grammar == "gess" else signs[value.capture]
        return f"{self.point(value.origin)}{sign}{self.point(value.target)}"

    def amazons_move(self, value: AmazonsMove) -> str:
        points = map(self.point, (value.origin, value.target, value.arrow))
        return ("-" if self.ggf else "").join(points)

    def backgammon_move(self, value: BackgammonMove) -> str:
        points = [self.point(point) for pair in value.pairs for point in pair]
        return "".join([*map(str, value.dice), *points])

    def rules(self, value: BackgammonRules) -> str:
        return f"{value.rule}:CrawfordGame" if value.crawford_game else value.rule

    def pod(self, value: Pod) -> str:
        return self.point(value.point) + value.prongs

    def octi_move(self, value: OctiMove) -> str:
        return ",".join(
            self.pod(pod)
            + "".join(
                f"-{self.point(step.target)}" + "".join(f"x{prongs}" for prongs in step.captured)
                for step in steps
            )
            for pod, steps in value.moves
        )

    def prong_move(self, value: ProngMove) -> str:
        end = f"-{value.to}" if value.to else "!" if value.superprong else ""
        return f"{self.pod(value.pod)}+{value.prong}{end}"

    # GGF.

    def period(self, value: Period) -> str:
        minutes, seconds = divmod(int(value.seconds), 60)
        hours, minutes = divmod(minutes, 60)
        text = f"{hours:02}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"
        if value.moves is None:
            return text
        return f"{text},{'N' if value.not_added else ''}{value.moves}"

    def clock(self, value: Clock) -> str:
        periods = (value.initial or Period(seconds=0), value.increment, value.extension)
        parts = ["" if period == Period(seconds=0) else self.period(period) for period in periods]
        return "/".join([parts[0] or "00:00", *parts[1:]]).rstrip("/")

    def board(self, value: InitialBoard) -> str:
        turn = "*" if value.to_move is Color.BLACK else "O"
        return " ".join((str(value.size), *value.rows, turn))

    def game_type(self, value: OthelloType) -> str:
        random = "" if value.random is None else f"r{value.random or ''}"
        options = (
            (value.synchro, "s"),
            (True, str(value.size)),
            (value.komi, "k"),
            (value.anti, "a"),
        )
        letters = "".join(letter for wanted, letter in options if wanted)
        return letters + random + (value.preference or "").lower()

    def played(self, value: Played) -> str:
        evaluation = "" if value.evaluation is None else plain(value.evaluation)
        seconds = "" if value.seconds is None else plain(value.seconds)
        return "/".join((self.shown(value.move), evaluation, seconds)).rstrip("/")


#: The notation of the values of a class.
NOTATIONS: dict[type, Callable[[Writer, Any], str]] = {
    str: lambda _, value: str(value),
    int: lambda _, value: str(int(value)),
    float: lambda _, value: plain(Decimal(repr(value))),
    Decimal: lambda _, value: plain(value),
    date: Writer.dates,
    PartialDate: Writer.dates,
    tuple: Writer.dates,
    Invalid: lambda _, value: value.raw,
    Composed: Writer.pair,
    Rectangle: Writer.pair,
    BoardSize: Writer.size,
    Application: Writer.application,
    Figure: Writer.figure,
    Result: Writer.result,
    Point: Writer.point,
    Pass: Writer.passing,
    Action: lambda _, value: value.word,
    Step: Writer.step,
    AmazonsMove: Writer.amazons_move,
    BackgammonMove: Writer.backgammon_move,
    Dice: lambda _, value: "".join(map(str, value.dice)),
    BackgammonRules: Writer.rules,
    LinkCenter: lambda writer, value: f"{writer.point(value.point)}*",
    Pod: Writer.pod,
    OctiMove: Writer.octi_move,
    ProngMove: Writer.prong_move,
    Stamp: lambda _, value: f"{value.moment:%Y.%m.%d_%H:%M:%S}.{value.zone}",
    Clock: Writer.clock,
    InitialBoard: Writer.board,
    OthelloType: Writer.game_type,
    Played: Writer.played,
}


def _day(value: Any) -> date | PartialDate:
    """Return a day, which may be its text: ``1996-05-27``, ``1996-05``, ``1996``; or TypeError."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date | PartialDate):
        return value
    match = _DAY.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise TypeError(f"no date: {value!r}")
    return day_of(*map(int, filter(None, match.groups())))


_DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)


def plain(value: Decimal) -> str:
    """Format a number without exponent, ``NaN`` for none; 6.50 keeps its 0."""
    return format(value, "f")


# ---- points ----


def _in_letters(point: Point) -> str:
    return ascii_letters[point.column] + ascii_letters[point.row]


def _letters_and_number(point: Point) -> str:
    return f"{column_name(point.column, LETTERS)}{point.row + 1}"


def _ways_of_point(point: Point) -> Iterator[str]:
    if max(point) < len(ascii_letters):
        yield _in_letters(point)
    yield _letters_and_number(point)
    yield _letters_and_number(point).upper()
    yield f"{point.column + 1}{point.row + 1}"


#: The notation of points of games that have neither two letters nor letters and a number, by the
#: game's grammar, and whether it is GGF.
_NOTATIONS: dict[tuple[str, bool], Callable[[Point], str]] = {
    ("amazons", True): lambda point: _letters_and_number(point).upper(),
    ("octi", False): lambda point: f"{point.column + 1}{point.row + 1}",
    ("backgammon", False): lambda point: ascii_letters[point.column],
}


def point_notation(game: Game, *, is_ggf: bool = False) -> Callable[[Point], str] | None:
    """Return the function that writes the points of a game; None if it has no shipped grammar."""
    if not game.notation or not game.has_points:
        return None
    usual = _in_letters if game.in_letters else _letters_and_number
    return _NOTATIONS.get((game.notation, is_ggf), usual)


_LAST_BACKSLASHES = re.compile(r"\\+\Z")


def close_value(raw: str) -> str:
    """Return a raw value that its bracket closes: a lone last backslash is escaped."""
    if not raw.endswith("\\"):
        return raw
    match = _LAST_BACKSLASHES.search(raw)
    return raw + "\\" if match is not None and len(match[0]) % 2 else raw
