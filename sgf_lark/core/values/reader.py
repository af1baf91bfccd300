"""Readers: from the raw texts of a property to its typed values, by its rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple, TypeVar

from sgf_lark.core.engine.parser import Rejected
from sgf_lark.core.engine.plan import Plan
from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import Finding, Severity, register
from sgf_lark.core.grammar.grammars import File, path
from sgf_lark.core.memo import Memo
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Engine, Format
from sgf_lark.core.schema.frozen import made, maker
from sgf_lark.core.schema.games import Game
from sgf_lark.core.schema.properties import Category, Count, Group, PropertyRule, PropertyTable
from sgf_lark.core.schema.value_types import EXPECTED
from sgf_lark.core.schema.values import (
    PASS,
    Application,
    Composed,
    Invalid,
    Played,
    Point,
    PointList,
    Rectangle,
    Value,
)

from .dialect import Dialect, Shape
from .kinds import (
    DOUBTFUL,
    MANDATORY_FORMS,
    PLAIN_TEXTS,
    RAW_FORMS,
    Impossible,
    NotOfType,
    ValueKind,
    find_kind,
)


class ReadValues(NamedTuple):
    """The values of a property, one for each pair of brackets, and the findings about them."""

    values: tuple[Value, ...]
    problems: tuple[Finding, ...]


_Made = TypeVar("_Made")

#: The value of a text that is none.
invalid = maker(Invalid, "raw", "expected")

#: Limit of a list of dates in which the wrong one is searched: the search is quadratic.
MAX_SEARCHED_DATES = 100

#: Limit of rows with something of their own: the standards' table has 277.  `check` of 120 real
#: files that are read once takes 3.1 times as many instructions without their readers.
MAX_ROWS = 1 << 10


def by_row(make: Callable[[PropertyRule], _Made]) -> Callable[[PropertyRule], _Made]:
    """Return a function that makes something of a row of the table once."""
    kept: dict[int, tuple[PropertyRule, _Made]] = {}

    def find(rule: PropertyRule) -> _Made:
        known = kept.get(id(rule))
        if known is None:
            if len(kept) > MAX_ROWS:
                kept.clear()
            known = kept[id(rule)] = rule, make(rule)
        return known[1]

    return find


TOO_MANY_VALUES = register("T208 too-many-values error: several values where one is allowed")
WRONG_VALUE = register("V301 wrong-value error: a value that is not of its type")
WHITE_SPACE_IN_VALUE = register(
    "V302 white-space-in-value error: white space in a value that is not text"
)
EMPTY_VALUE = register("V303 empty-value error: an empty value where one is needed")
WRONG_FORM = register("V304 wrong-form error: a text not in the form that is prescribed")
UNUSUAL_FORM = register("V305 unusual-form info: a text not in the form that is recommended")
MIXED_EMPTY_VALUE = register("V306 mixed-empty-value error: an empty value beside others")
NEWER_FORM = register("V307 newer-form error: a value in a form that came with FF[4]")
NO_SUCH_DATE = register("V317 no-such-date error: a date that does not exist")
APPLICATION_WITHOUT_VERSION = register(
    "D502 application-without-version info: AP without a version"
)
EMPTY_TEXT = register("D503 empty-text info: a text property without text")
GO_STYLE_POINT = register("D504 go-style-point info: a point in Go notation in another game")


class Reader:
    """The reader of the values of one format and game.

    Attributes:
        over_19: A side of the board is longer than 19, so that ``tt`` is a point of Go.
        value_reader: For a row of the property table, the function that reads one value, or
            raises :class:`~sgf_lark.core.values.kinds.NotOfType`.
        words: For a row, a description of its values that fits after "expected".
    """

    def __init__(
        self,
        format: Format,
        game: Game,
        *,
        over_19: bool = False,
        engine: Engine = Engine.AUTO,
        dialect: Dialect | None = None,
    ) -> None:
        self.format = format
        self.game = game
        self.over_19 = over_19
        self.is_custom = dialect is not None
        self.file: File = (dialect and dialect.file) or path(format.grammar)
        self._engine = engine
        self._dialect = dialect
        self._given: dict[str, Any] = {"over_19": over_19, "engine": engine, "dialect": dialect}
        find = partial(find_kind, format=format, game=game, over_19=over_19, dialect=dialect)
        #: By types and pairs of them: as many as the grammars have rules.
        self._kinds = Memo[str, ValueKind](find)
        self._readers = Memo(self._of_kind)
        self.value_reader = by_row(self._value_reader)
        self.words = by_row(self._words)
        self._newer_reader = by_row(self._of_ff4)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(reader, self.format, self.game, **self._given), ()

    @property
    def shape(self) -> Shape:
        of_format = Shape.GGF if self.format is Format.GGF else Shape.SGF
        return (self._dialect and self._dialect.shape) or of_format

    @cached_property
    def plain(self) -> Reader:
        """The same without a custom transformer: for what the characters of a text stand for."""
        if self._dialect is None or self._dialect.values is None:
            return self
        file = self._dialect.file
        given = self._given | {"dialect": None if file is None else Dialect(file)}
        return reader(self.format, self.game, **given)

    # ---- one text of a type ----

    def kind(self, name: str) -> ValueKind:
        return self._kinds[name]

    def plan(self, kind: str) -> Plan | None:
        """Return what the engine knows of a type; None if Lark reads it."""
        parser = None if self._engine is Engine.LARK else self.kind(kind).generated
        return None if parser is None else parser.plan

    def of_kind(self, name: str) -> Callable[[str], Any]:
        """Return the function that reads a text by a type; errors are those of :meth:`read`."""
        return self._readers[name]

    def _of_kind(self, name: str) -> Callable[[str], Any]:
        if name == "undefined":
            return str
        kind = self.kind(name)
        make, expected = kind.maker(self._engine), kind.expected

        def read_text(text: str) -> Any:
            try:
                return make(text)
            except Rejected:
                raise NotOfType(expected) from None
            except ValueError as error:
                raise Impossible(str(error)) from None
            except Exception as error:
                if kind.is_settled:
                    raise
                raise kind.method_error(text, error) from error

        read = Memo(read_text).__getitem__ if kind.has_vocabulary else read_text
        is_played = name == "played" or not (kind.is_settled or name == "move")
        if self.format is not Format.GGF or not is_played:
            return read
        move = self.of_kind("move")

        def read_played(raw: str) -> Any:
            value = read(raw)
            if not isinstance(value, Played):
                return value
            parts = {**value.__dict__, "move": move(str(value.move))}
            return made(value.__class__, parts, value.model_fields_set)

        return read_played

    def read(self, kind: str, text: str) -> Any:
        """Read one text by a type; NotOfType, or Impossible for a day that no calendar has."""
        return self.of_kind(kind)(text)

    # ---- one value of a property ----

    def fits(self, rule: PropertyRule, raw: str) -> bool:
        try:
            self.value_reader(rule)(raw)
        except NotOfType:
            return False
        return True

    def _value_reader(self, rule: PropertyRule) -> Callable[[str], Any]:
        if rule.form and (not rule.is_text or rule.form in RAW_FORMS):
            return self.of_kind(rule.form)
        of_types = self._by_types(rule, rule.types)
        if rule.form:
            of_form = self.of_kind(rule.form)
            return lambda raw: of_form(str(of_types(raw)))
        if not self._is_old_move(rule):
            return of_types
        try:
            of_types("")
        except NotOfType:
            return of_types
        return lambda raw: of_types(raw) if raw else PASS

    def _by_types(
        self, rule: PropertyRule, types: tuple[tuple[str, ...], ...]
    ) -> Callable[[str], Any]:
        read_first = self._by_alternative(rule, types[0])
        if len(types) == 1:
            return read_first

        def read(raw: str) -> Any:
            try:
                return read_first(raw)
            except Impossible:
                raise
            except NotOfType:
                return self._by_types(rule, types[1:])(raw)

        return read

    def _by_alternative(self, rule: PropertyRule, kinds: tuple[str, ...]) -> Callable[[str], Any]:
        if len(kinds) == 1:
            return self.of_kind(kinds[0])
        key = f"{kinds[0]}:{kinds[1]}" + (" of points" if rule.is_points else "")
        if key not in self._readers:
            pair = _rectangle if rule.is_points else _composed
            compose, first, second = map(self.of_kind, ("compose", *kinds))

            def read(raw: str) -> Value:
                one, other = compose(raw)
                return pair(first(one), second(other))

            self._readers[key] = read
        return self._readers[key]

    def _words(self, rule: PropertyRule) -> str:
        if rule.form:
            return self.kind(rule.form).expected
        if self._dialect is not None and rule.domain and len(rule.types) == 1:
            (kind, *_) = rule.types[0]
            if kind not in EXPECTED[self.format.grammar] and self._dialect.differs(
                self.format, kind
            ):
                return rule.domain
        return " or ".join(
            self._in_words(kinds) for kinds in rule.types if not (rule.is_points and kinds[1:])
        )

    def _in_words(self, kinds: tuple[str, ...]) -> str:
        first, *rest = [self.kind(name).expected for name in kinds]
        if rest == [first]:
            return f"{first}, then ':' and another one"
        return ", then ':' and ".join([first, *rest])

    # ---- all values of a property ----

    def read_property(self, rule: PropertyRule, raws: tuple[str, ...]) -> ReadValues:
        return ReadValues(*self.property_reader(rule)(raws))

    def property_reader(
        self, rule: PropertyRule
    ) -> Callable[[tuple[str, ...]], tuple[tuple[Value, ...], tuple[Finding, ...]]]:
        reads = [self.value_reader(rule)]
        if rule.is_points and not rule.form:  # most lists have no rectangles
            reads.insert(0, self.of_kind(rule.types[0][0]))
        is_one = rule.count is Count.ONE
        is_doubtful = any("application" in kinds for kinds in (*rule.types, (rule.form,)))

        def read_all(raws: tuple[str, ...]) -> tuple[tuple[Value, ...], tuple[Finding, ...]]:
            for read in reads if "" not in raws and (len(raws) == 1 or not is_one) else ():
                try:
                    values = tuple(map(read, raws))
                except NotOfType:
                    continue
                if is_doubtful and any(map(_doubt, values)):
                    break
                return values, ()
            return self._look_closely(rule, raws)

        return read_all

    def _look_closely(
        self, rule: PropertyRule, raws: tuple[str, ...]
    ) -> tuple[tuple[Value, ...], tuple[Finding, ...]]:
        if rule.count is Count.ELIST and raws == ("",):
            return (), ()
        values: list[Value] = []
        problems: list[Finding] = []
        if rule.count is Count.ONE and len(raws) > 1:
            message = f"{rule.ident} has {len(raws)} values: expected one"
            help_ = "a ']' may be missing before, or the values belong to separate properties"
            found = TOO_MANY_VALUES.found(message, help=help_, severity=self._severity)
            problems.append(found._replace(value_index=1))
        read = self.value_reader(rule)
        for index, raw in enumerate(raws):
            result = None if raw else self._empty(rule, alone=len(raws) == 1)
            if result is None:
                try:
                    value = read(raw)
                    result = value, _doubt(value)
                except NotOfType as error:
                    result = self._misfit(rule, raw, error)
            value, problem = result
            values.append(value)
            if problem is not None:
                problems.append(problem._replace(value_index=index))
        return tuple(values), tuple(problems)

    # ---- values that do not fit ----

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
        current = reader(Format.FF4, self.game, over_19=True, engine=self._engine)
        known = PropertyTable.standard().find(Format.FF4, self.game.number, rule.ident)
        return current.value_reader(known or rule.as_of(Format.FF4))

    @property
    def _severity(self) -> Severity | None:
        return None if self.format is Format.FF4 else Severity.WARNING

    def _misfit(
        self, rule: PropertyRule, raw: str, error: NotOfType
    ) -> tuple[Value, Finding | None]:
        is_impossible = isinstance(error, Impossible)
        if is_impossible and rule.form == "dates":
            return self._no_such_date(rule, raw)
        ident, expected = rule.ident, self.words(rule)
        if rule.form and rule.types in PLAIN_TEXTS:
            return self._other_form(rule, raw, expected)
        for attempt in (self._without_space, self._go_style, self._newer_form):
            result = attempt(rule, raw)
            if result is not None:
                return result
        shown = shorten(raw)
        why = str(error) if is_impossible and rule.type == "board" else ""
        has_words = expected != rule.domain
        mismatch = self.kind(rule.form or rule.type).mismatch if has_words else ""
        problem = why or mismatch or f"expected {expected}"
        message = f"invalid value {shown!r} for {ident}: {problem}"
        help_ = f"write {expected}" if why else self._in_brackets(rule, raw)
        # The end of the file cuts off the escape of a text.
        value = raw if rule.types in PLAIN_TEXTS else invalid(raw, expected)
        return value, WRONG_VALUE.found(message, help=help_, facts={"value": shown})

    def _in_brackets(self, rule: PropertyRule, raw: str) -> str:
        parts = raw.replace(",", " ").replace(";", " ").split()
        if (
            rule.count is Count.ONE
            or len(parts) == 1
            or not all(self.fits(rule, part) for part in parts)
        ):
            return ""
        listed = rule.ident + "".join(f"[{part}]" for part in parts)
        return f"give each its own brackets: {shorten(listed)}"

    def _without_space(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding] | None:
        squeezed = "".join(raw.split())
        if squeezed == raw or rule.is_text or not self.fits(rule, squeezed):
            return None
        found = WHITE_SPACE_IN_VALUE.found(
            f"white space in a value of {rule.ident}, which is not text",
            help=f"write {rule.ident}[{shorten(squeezed)}]",
            severity=self._severity,
            replacement=squeezed,
        )
        return self.value_reader(rule)(squeezed), found

    def _go_style(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding] | None:
        """Read a point in Go coordinates, which some programs write in other games."""
        kind = rule.types[0][0]
        go_style = f"{kind}_go_style"
        if self.game.grammar is None or kind not in DOUBTFUL or not self.kind(go_style).found:
            return None
        try:
            value = self.read(go_style, raw)
        except NotOfType:
            return None
        message = f"'{shorten(raw)}' is a point of {self.game.name} in Go coordinates"
        return value, GO_STYLE_POINT.found(message)

    def _newer_form(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding] | None:
        value = self.in_ff4(rule, raw)
        if value is None:
            return None
        form = "compressed point list " if rule.is_points and ":" in raw else ""
        shown = f"{form}{rule.ident}[{shorten(raw)}]"
        message = f"{shown} needs FF[4]; this game is {self.format.shown}"
        return value, NEWER_FORM.found(message, help="declare FF[4], or write it the old way")

    def _is_old_move(self, rule: PropertyRule) -> bool:
        old = self.format in {Format.FF1, Format.FF3}
        return old and rule.category is Category.MOVE and rule.type == "move"

    def _empty(self, rule: PropertyRule, *, alone: bool) -> tuple[Value, Finding | None] | None:
        """Return the value of ``[]`` and its finding; None where it is an ordinary value."""
        ident, is_old = rule.ident, self.format in {Format.FF1, Format.FF3}
        if rule.types in PLAIN_TEXTS and Group.EMPTY not in rule.groups:
            return None if self.format is Format.GGF else ("", _empty_text(ident))
        if self._is_old_move(rule):
            message = f"pass {ident}[] needs FF[4]; this game is {self.format.shown}"
            help_ = "write 'tt', or declare FF[4]"
            return PASS, NEWER_FORM.found(message, help=help_, severity=Severity.WARNING)
        if self.fits(rule, ""):
            return None
        expected = self.words(rule)
        # The grammars of FF[1] and FF[3] allow [] everywhere, without a meaning.
        severity = Severity.WARNING if is_old else None
        kind = MIXED_EMPTY_VALUE if rule.count is Count.ELIST else EMPTY_VALUE
        help_ = f"remove {ident}[]" if alone else "remove the '[]'"
        if rule.type in {"move", "played"}:
            help_ = "write the move"
        message = f"empty value for {ident}: expected {expected}"
        return invalid("", expected), kind.found(message, help=help_, severity=severity)

    def _other_form(
        self, rule: PropertyRule, raw: str, expected: str
    ) -> tuple[Value, Finding | None]:
        shown = shorten(raw)
        facts = {"value": shown}
        message = f"invalid value {shown!r} for {rule.ident}: expected {expected}"
        if raw != shown and self.fits(rule, shown):
            message = f"white space in {rule.ident}[{shown}]: expected {expected}"
        if self.format is Format.FF4 and rule.form in MANDATORY_FORMS:
            return invalid(raw, expected), WRONG_FORM.found(message, facts=facts)
        try:
            text = self._by_types(rule, rule.types)(raw)
        except NotOfType:  # the end of the file cuts off an escape
            return invalid(raw, expected), WRONG_VALUE.found(message, facts=facts)
        newer = self.in_ff4(rule, raw)
        return newer or text, None if newer else unusual_form(message)._replace(facts=facts)

    def _no_such_date(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding]:
        within = self._first_wrong(rule, raw)
        day = raw[slice(*within)]
        if within.start and within.end - within.start < len("MM-DD"):
            day = raw
        problem = NO_SUCH_DATE.found(
            f"{shorten(day)!r} is not a real date{_why_no_date(day)}",
            help="dates are written year, month, day: 1996-05-27",
            severity=self._severity,
            within=within,
        )
        if self.format is not Format.FF4:
            try:
                return self._by_types(rule, rule.types)(raw), problem
            except NotOfType:  # the end of the file cuts off an escape
                pass
        return invalid(raw, self.words(rule)), problem

    def _first_wrong(self, rule: PropertyRule, raw: str) -> Span:
        end = -1 if raw.count(",") < MAX_SEARCHED_DATES else len(raw)
        while (end := raw.find(",", end + 1)) >= 0:
            if not self.fits(rule, raw[:end]):
                break
        end = len(raw) if end < 0 else end
        return Span(raw.rfind(",", 0, end) + 1, end)


def _why_no_date(text: str) -> str:
    match = re.fullmatch(r"(\d{4})-(\d\d)(?:-(\d\d))?", text)
    if match is None or match[1] == "0000":
        return ""
    year, month = int(match[1]), int(match[2])
    if not 1 <= month <= len(_MONTHS):
        return f": there is no month {month}"
    if match[3] == "00":
        return ": there is no day 0"
    from calendar import monthrange

    return f": {_MONTHS[month - 1]} {year} has {monthrange(year, month)[1]} days"


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


def unusual_form(message: str, help_: str = "") -> Finding:
    return UNUSUAL_FORM.found(message, help=help_)


def _empty_text(ident: str) -> Finding:
    return EMPTY_TEXT.found(f"{ident}[] is empty", help=f"remove {ident}")


def _doubt(value: Value) -> Finding | None:
    if not isinstance(value, Application) or value.version is not None:
        return None
    if not value.name:
        return _empty_text("AP")
    name = shorten(value.name)
    message = f"AP has no version: {name!r}"
    return APPLICATION_WITHOUT_VERSION.found(message, help=f"write AP[{name}:version]")


def value_of(rule: PropertyRule, values: tuple[Value, ...]) -> Any:
    """Return ``node[ident]`` for typed values: a PointList, a tuple, or the one."""
    if rule.is_points:
        if _ENTRIES.issuperset(map(type, values)):
            return PointList(values)  # type: ignore[arg-type]
        if all(isinstance(value, Point | Rectangle | Invalid) for value in values):
            return PointList(tuple(value for value in values if not isinstance(value, Invalid)))  # type: ignore[misc]
    return values[0] if rule.count is Count.ONE and values else values


#: The entries of a list of points.
_ENTRIES = {Point, Rectangle}

#: The corners of a rectangle.
_CORNERS = {Point, str}

_composed = maker(Composed, "first", "second")
_between = maker(Rectangle, "first", "second")


def _rectangle(first: Any, second: Any) -> Rectangle:
    if _CORNERS.issuperset((first.__class__, second.__class__)):
        return _between(first, second)
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
