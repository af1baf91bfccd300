"""Readers: from the raw texts of a property to its typed values, by its rule.

Types of value are read by :mod:`sgf_lark.values.type_reader`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from sgf_lark.diagnostics.diagnostic import Severity
from sgf_lark.diagnostics.finding import Finding
from sgf_lark.diagnostics.rules import RULES
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.frozen import made
from sgf_lark.schema.games import Game
from sgf_lark.schema.properties import Count, PropertyRule, PropertyTable
from sgf_lark.schema.values import (
    Composed,
    Invalid,
    Point,
    PointList,
    Rectangle,
    Value,
)

from .diagnose import Diagnosis, doubt
from .dialect import Dialect
from .type_reader import TypeReader
from .types import EXPECTED, PLAIN_TEXTS, RAW_FORMS, Impossible, NotOfType


class Reading(NamedTuple):
    """The values of a property, one for each pair of brackets, and the findings about them.

    An empty list (``VW[]``) has no values.
    """

    values: tuple[Value, ...]
    problems: tuple[Finding, ...]


_Made = TypeVar("_Made")

#: Limit of rows with something of their own: the standards' table has 277.  `check` of 120 real
#: files that are read once takes 3.1 times as many instructions without their readers.
MAX_ROWS = 1 << 10


def by_row(make: Callable[[PropertyRule], _Made]) -> Callable[[PropertyRule], _Made]:
    """Return a function that makes something of a row of the table once.

    Rows are told apart by identity: the hash of one takes longer than reading a value.
    """
    kept: dict[int, tuple[PropertyRule, _Made]] = {}

    def find(rule: PropertyRule) -> _Made:
        known = kept.get(id(rule))
        if known is None:
            if len(kept) > MAX_ROWS:
                kept.clear()
            known = kept[id(rule)] = rule, make(rule)
        return known[1]

    return find


class Reader(TypeReader):
    """The reader of the values of one format and game."""

    def __init__(
        self,
        format: Format,
        game: Game,
        *,
        over_19: bool = False,
        engine: Engine = Engine.AUTO,
        dialect: Dialect | None = None,
    ) -> None:
        super().__init__(format, game, over_19=over_19, engine=engine, dialect=dialect)
        self._diagnosis = Diagnosis(self)
        self._read_by = by_row(self.value_reader)
        self.words = by_row(self._words)
        self.mismatch = by_row(self._mismatch)
        self._newer_reader = by_row(self._of_ff4)

    def __reduce__(self) -> tuple[Any, ...]:
        return _reader_of, (
            self.format,
            self.game,
            self.over_19,
            self._engine,
            self._dialect,
        )

    # ---- one value of a property ----

    def of_types(self, rule: PropertyRule, raw: str) -> Value:
        """Read by the first alternative of the rule's type that fits."""
        return self._of_types(rule, raw, rule.types)

    def _of_types(self, rule: PropertyRule, raw: str, types: tuple[tuple[str, ...], ...]) -> Value:
        for kinds in types:
            try:
                value: Value = self._of_alternative(rule, kinds)(raw)
            except Impossible:
                raise
            except NotOfType:
                continue
            return value
        raise NotOfType(self.words(rule))

    def _of_alternative(self, rule: PropertyRule, kinds: tuple[str, ...]) -> Callable[[str], Any]:
        """Return the function that reads one value by one alternative of a rule's type."""
        if len(kinds) == 1:
            return self.of_kind(kinds[0])
        key = f"{kinds[0]}:{kinds[1]}" + (" of points" if rule.is_points else "")
        read = self._kinds.get(key)
        if read is None:
            pair = _rectangle if rule.is_points else _composed
            read = self._kinds[key] = self._of_pair(kinds, pair)
        return read

    def _of_pair(
        self, kinds: tuple[str, ...], pair: Callable[[Any, Any], Value]
    ) -> Callable[[str], Value]:
        compose, (read_first, read_second) = self._reader("compose"), map(self.of_kind, kinds)

        def read(raw: str) -> Value:
            first, second = compose(raw)
            return pair(read_first(first), read_second(second))

        return read

    def of_rule(self, rule: PropertyRule, raw: str) -> Value:
        """Read by the rule's type, and by its form if it has one."""
        value: Value = self._read_by(rule)(raw)
        return value

    def value_reader(self, rule: PropertyRule) -> Callable[[str], Any]:
        """Return the function that reads one value of a property, as :meth:`of_rule` does.

        It is made once a rule, and used for many values; a value that does not fit raises
        :class:`~sgf_lark.values.types.NotOfType`.
        """
        if not rule.form:
            return self._reader_by_types(rule)
        of_form = self._reader(rule.form)
        if not rule.is_text or rule.form in RAW_FORMS:
            return of_form
        of_types = self._reader_by_types(rule)
        return lambda raw: of_form(str(of_types(raw)))

    def _reader_by_types(self, rule: PropertyRule) -> Callable[[str], Any]:
        kinds, *others = rule.types
        first, rest = self._of_alternative(rule, kinds), tuple(others)
        if not rest:
            return first

        def read(raw: str) -> Any:
            try:
                return first(raw)
            except Impossible:
                raise
            except NotOfType:
                return self._of_types(rule, raw, rest)

        return read

    def _words(self, rule: PropertyRule) -> str:
        """Describe the values of a property in words that fit after "expected"."""
        if rule.form:
            return self.expected(rule.form)
        if self._dialect is not None and rule.domain and len(rule.types) == 1:
            (kind, *_) = rule.types[0]
            if kind not in EXPECTED and self._dialect.differs(self.format, kind):
                return rule.domain
        return " or ".join(
            self._in_words(kinds) for kinds in rule.types if not (rule.is_points and kinds[1:])
        )

    def _mismatch(self, rule: PropertyRule) -> str:
        """Describe the custom rule that a value does not match; "" if other words do."""
        if self.words(rule) == rule.domain:
            return ""
        custom = self.custom_rule(rule.form or rule.type)
        return f"does not match {custom}" if custom else ""

    def _in_words(self, kinds: tuple[str, ...]) -> str:
        """Describe the values of a type, or of a pair of types."""
        first, *rest = map(self.expected, kinds)
        if rest == [first]:
            return f"{first}, then ':' and another one"
        return ", then ':' and ".join([first, *rest])

    # ---- all values of a property ----

    def accepts(self, rule: PropertyRule, raws: tuple[str, ...]) -> bool:
        """Return whether the only value of a property has no findings.

        A text is not read for that: any text is valid.
        """
        if len(raws) != 1 or not raws[0]:
            return False
        if not rule.form and rule.types in PLAIN_TEXTS:
            return True
        try:
            return doubt(self._read_by(rule)(raws[0])) is None
        except NotOfType:
            return False

    def read_values(self, rule: PropertyRule, raws: tuple[str, ...]) -> tuple[Value, ...]:
        """Return the values of a property, as :meth:`read_property` does."""
        if all(raws) and (len(raws) == 1 or rule.count is not Count.ONE):
            try:
                return tuple(map(self._read_by(rule), raws))
            except NotOfType:
                pass
        return self.read_property(rule, raws).values

    def read_property(self, rule: PropertyRule, raws: tuple[str, ...]) -> Reading:
        """Read all values of a property by its rule; what does not fit becomes ``Invalid``."""
        if rule.count is Count.ELIST and raws == ("",):
            return Reading((), ())
        if all(raws) and (len(raws) == 1 or rule.count is not Count.ONE):
            try:
                read = tuple(map(self._read_by(rule), raws))
            except NotOfType as error:
                if len(raws) == 1:
                    value, problem = self._diagnosis.misfit(rule, raws[0], error)
                    return Reading((value,), _at(0, problem))
            else:
                if not any(map(doubt, read)):
                    return Reading(read, ())
        values: list[Value] = []
        problems: list[Finding] = []
        if rule.count is Count.ONE and len(raws) > 1:
            problems.append(
                RULES["too-many-values"].found(
                    f"{rule.ident} has {len(raws)} values: expected one",
                    help="a ']' may be missing before, or the values belong to separate properties",
                    severity=None if self.format is Format.FF4 else Severity.WARNING,
                    value_index=1,
                )
            )
        for index, raw in enumerate(raws):
            value, problem = self._read_value(rule, raw, alone=len(raws) == 1)
            values.append(value)
            problems += _at(index, problem)
        return Reading(tuple(values), tuple(problems))

    def list_reader(self, rule: PropertyRule) -> Callable[[tuple[str, ...]], Any]:
        """Return the function from the raw values of a property to ``node[ident]``.

        It is made once a rule, and used for many properties; see :func:`value_of`.
        """
        if rule.is_points:
            return self._reader_of_points(rule)
        read, is_one, is_elist = (
            self.value_reader(rule),
            rule.count is Count.ONE,
            rule.count is Count.ELIST,
        )
        any_text = not self._diagnosis.judges_empty(rule)

        def one(raws: tuple[str, ...]) -> Any:
            try:
                (raw,) = raws
                if raw or any_text:
                    return read(raw)
            except ValueError:  # several values, or one that is not of its type
                pass
            return value_of(rule, self.read_property(rule, raws).values)

        def several(raws: tuple[str, ...]) -> Any:
            if all(raws) or (any_text and not is_elist):
                try:
                    return tuple(map(read, raws))
                except NotOfType:
                    pass
            return value_of(rule, self.read_property(rule, raws).values)

        return one if is_one else several

    def _reader_of_points(self, rule: PropertyRule) -> Callable[[tuple[str, ...]], Any]:
        point, read = self.of_kind(rule.types[0][0]), self.value_reader(rule)

        def points(raws: tuple[str, ...]) -> Any:
            if all(raws):
                try:
                    entries = tuple(map(point, raws))
                except NotOfType:
                    try:
                        entries = tuple(map(read, raws))
                    except NotOfType:
                        entries = (None,)
                if _ENTRIES.issuperset(map(type, entries)):
                    return PointList(entries)
            return value_of(rule, self.read_property(rule, raws).values)

        return points

    def _read_value(
        self, rule: PropertyRule, raw: str, *, alone: bool
    ) -> tuple[Value, Finding | None]:
        """Read one value; return it with its finding."""
        if raw == "" and (empty := self._diagnosis.empty(rule, alone=alone)) is not None:
            return empty
        try:
            value = self.of_rule(rule, raw)
        except NotOfType as error:
            return self._diagnosis.misfit(rule, raw, error)
        return value, doubt(value)

    def fits(self, rule: PropertyRule, raw: str) -> bool:
        """Return True if a text is a value of a property."""
        try:
            self.of_rule(rule, raw)
        except NotOfType:
            return False
        return True

    def in_ff4(self, rule: PropertyRule, raw: str) -> Value | None:
        """Return the value as FF[4] reads it, where this format is older."""
        if self.format in {Format.FF4, Format.GGF}:
            return None
        try:
            value: Value = self._newer_reader(rule)(raw)
        except (NotOfType, LookupError):
            return None
        return value

    def _of_ff4(self, rule: PropertyRule) -> Callable[[str], Any]:
        """Return the function that reads one value of a property as FF[4] does."""
        current = reader(Format.FF4, self.game, over_19=True, engine=self._engine)
        known = PropertyTable.standard().find(Format.FF4, self.game.number, rule.ident)
        return current.value_reader(known or rule.as_of(Format.FF4))


def _at(index: int, problem: Finding | None) -> tuple[Finding, ...]:
    """Return the finding about a value, if there is one."""
    return () if problem is None else (problem._replace(value_index=index),)


def point_list(values: tuple[Value, ...]) -> PointList:
    """Return the points of a list without its invalid values."""
    return PointList(tuple(value for value in values if isinstance(value, Point | Rectangle)))


def value_of(rule: PropertyRule, values: tuple[Value, ...]) -> Any:
    """Return what ``node[ident]`` is for the typed values of a property.

    A list of points is a :class:`~sgf_lark.PointList`, without invalid ones; another list is a
    tuple.
    """
    if rule.is_points and all(isinstance(value, Point | Rectangle | Invalid) for value in values):
        return point_list(values)
    return values[0] if rule.count is Count.ONE and values else values


#: The entries of a list of points.
_ENTRIES = {Point, Rectangle}

#: The corners of a rectangle.
_CORNERS = {Point, str}

#: The fields of a pair.
_BOTH = {"first", "second"}


def _composed(first: Any, second: Any) -> Composed:
    return made(Composed, {"kind": "composed", "first": first, "second": second}, _BOTH)


def _rectangle(first: Any, second: Any) -> Rectangle:
    if _CORNERS.issuperset((first.__class__, second.__class__)):
        return made(Rectangle, {"kind": "rectangle", "first": first, "second": second}, _BOTH)
    if isinstance(first, Point | str) and isinstance(second, Point | str):
        return Rectangle(first=first, second=second)
    raise NotOfType("a pod of Octi has no corners")


# No memory of texts: a reader is made once for all files of a format and game.  The 14 usual
# properties of a small file take 13 microseconds, with a reader made anew 1,070.
@lru_cache(maxsize=1 << 8)
def reader(
    format: Format,
    game: Game,
    *,
    over_19: bool = False,
    engine: Engine = Engine.AUTO,
    dialect: Dialect | None = None,
) -> Reader:
    """Return the reader for one format and game; the same one each time."""
    return Reader(format, game, over_19=over_19, engine=engine, dialect=dialect)


def _reader_of(*state: Any) -> Reader:
    format_, game, over_19, engine, dialect = state
    return reader(format_, game, over_19=over_19, engine=engine, dialect=dialect)
