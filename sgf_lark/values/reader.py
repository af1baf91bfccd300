"""Readers: from the raw text of a value to its typed value, by grammar and transformer.

A type is parsed by the game's own grammar if that defines it (``point``, ``move``, ``stone``
and special forms), else by the format's.  In the game's grammar a name with a suffix comes
first: ``move_before_ff4`` in FF[1] and FF[3], ``move_over_19`` on a board with a longer
side, ``move_ggf`` in GGF.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

from lark import Lark, Transformer
from lark.exceptions import UnexpectedInput, VisitError

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.engine.actions import Rejected
from sgf_lark.engine.parser import Parser
from sgf_lark.engine.plan import Plan
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.games import Game, game_of
from sgf_lark.schema.properties import Count, PropertyRule, PropertyTable
from sgf_lark.schema.values import (
    Composed,
    Played,
    Point,
    PointList,
    Rectangle,
    Value,
)

from .diagnose import Diagnosis, doubt
from .dialect import Dialect, Shape
from .game_transformers import TRANSFORMERS
from .transformers import GgfValues, SgfValues
from .types import EXPECTED, LONG, PLAIN_TEXTS, RAW_FORMS, Impossible, NotOfType


class Reading(NamedTuple):
    """The values of a property, one for each pair of brackets, and the findings about them.

    An empty list (``VW[]``) has no values.
    """

    values: tuple[Value, ...]
    problems: tuple[Finding, ...]


#: The fields of a pair.
_BOTH = {"first", "second"}


class Reader:
    """The reader of the values of one format and game.

    Args:
        format: The format version.
        game: The game of the points and moves.
        over_19: A side of the board is longer than 19, so that ``tt`` is a point of Go.
        engine: The parser; the values are the same.
        dialect: A custom grammar, whose types of value come before the format's.
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
        self._dialect = dialect
        self.game = game
        self._over_19 = over_19
        self._engine = engine
        self._file = grammars.path(format.grammar)
        self._values: Transformer[Any, Any] = GgfValues() if format is Format.GGF else SgfValues()
        if format is Format.GGF:
            self._suffix = "_ggf"
        elif format is not Format.FF4:
            self._suffix = "_before_ff4"
        else:
            self._suffix = "_over_19" if over_19 else ""
        self._parsers: dict[str, tuple[Lark | Parser, Transformer[Any, Any]]] = {}
        self._untaught: set[str] = set()
        self._readers: dict[str, Callable[[str], Any]] = {}
        self._kinds: dict[str, Callable[[str], Any]] = {}
        self._diagnosis = Diagnosis(self)
        self.read = lru_cache(maxsize=1 << 14)(self._read)

    @property
    def is_custom(self) -> bool:
        """True if a custom grammar may give its own meaning to values."""
        return self._dialect is not None

    @property
    def file(self) -> File:
        """The grammar of the structure."""
        return self._file if self._dialect is None else self._dialect.file

    @property
    def shape(self) -> Shape:
        """The way in which the grammar cuts records."""
        if self._dialect is not None:
            return self._dialect.shape
        return Shape.GGF if self.format is Format.GGF else Shape.SGF

    def __reduce__(self) -> tuple[Any, ...]:
        return _reader_of, (
            self.format,
            self.game.number,
            self.game.name,
            self._over_19,
            self._engine,
            self._dialect,
        )

    def expected(self, kind: str) -> str:
        """Describe a type in words that fit after "expected"."""
        if kind == "played":
            return f"{self.expected('move')}, and after '/' its evaluation and time"
        if self._dialect is not None and self._dialect.differs(self.format, kind):
            return f"what {kind} is in {self._dialect.name}"
        words = self.game.expected
        for table in (words, EXPECTED):
            for name in (kind + self._suffix, kind):
                if name in table:
                    return table[name]
        return kind

    def grammar_of(self, kind: str) -> tuple[File, str]:
        """Return the grammar that has a type of value, and the name of its rule there.

        Raises:
            LookupError: No grammar has it.
        """
        for file, name, _ in self._places(kind):
            if name in grammars.rules(file):
                return file, name
        raise LookupError(f"no grammar of {self.format} or {self.game.name} defines {kind!r}")

    def _places(self, kind: str) -> list[tuple[File, str, Transformer[Any, Any]]]:
        """Return the grammars and rules that may define a type, with their transformers."""
        places: list[tuple[File, str, Transformer[Any, Any]]] = [(self._file, kind, self._values)]
        if self.game.grammar is not None:
            game = grammars.path(f"games/{self.game.grammar}")
            values = self.game.values or TRANSFORMERS[self.game.grammar]
            names = dict.fromkeys((kind + self._suffix, kind))
            places[:0] = [(game, name, values) for name in names]
        if self._dialect is not None and self._dialect.differs(self.format, kind):
            own = self._dialect.values
            places.insert(0, (self._dialect.file, kind, own or self._values))
            if own is None and kind != "compose":
                self._untaught.add(kind)
        return places

    def _find_parser(self, kind: str) -> tuple[Lark | Parser, Transformer[Any, Any]]:
        """Return the parser of a type, generated or Lark's, from the first grammar that has it."""
        for file, name, transformer in self._places(kind):
            generated = None
            if self._engine is not Engine.LARK:
                generated = grammars.generated(file, name, of_value=True)
            parser = generated or grammars.value(file, name)
            if parser is not None:
                return parser, transformer
        raise LookupError(f"no grammar of {self.format} or {self.game.name} defines {kind!r}")

    def expression(self, kind: str) -> str | None:
        """Return the regular expression of a type; None if its grammar is more than that."""
        plan = self.plan(kind)
        return None if plan is None else plan.expression(plan.start)

    def plan(self, kind: str) -> Plan | None:
        """Return what the engine knows of a type; None if Lark reads it."""
        parser, _ = self._parser(kind)
        return parser.plan if isinstance(parser, Parser) else None

    def is_settled(self, kind: str) -> bool:
        """Return whether the transformer of a type is a shipped one, or rejects nothing."""
        _, transformer = self._parser(kind)
        return kind in self._untaught or _is_ours(transformer)

    def _parser(self, kind: str) -> tuple[Lark | Parser, Transformer[Any, Any]]:
        if kind not in self._parsers:
            self._parsers[kind] = self._find_parser(kind)
        return self._parsers[kind]

    @staticmethod
    def _reader_of(
        parser: Lark | Parser, transformer: Transformer[Any, Any]
    ) -> Callable[[str], Any]:
        if isinstance(parser, Lark):
            return lambda text: transformer.transform(parser.parse(text))
        read = parser.maker(transformer, as_text=_is_ours(transformer))
        return read or (lambda text: parser.parse(text, transformer))

    def _read(self, kind: str, text: str) -> Any:
        """Read one text by one start symbol.

        Raises:
            NotOfType: The grammar rejects the text; Impossible: no calendar has the day.
            LookupError: Neither grammar has such a symbol.
        """
        if kind not in self._readers:
            self._readers[kind] = self._reader_of(*self._parser(kind))
        if kind in self._untaught:
            return self._read_untaught(*self._parser(kind), kind, text)
        try:
            return self._readers[kind](text)
        except (Rejected, UnexpectedInput):
            raise NotOfType(self.expected(kind)) from None
        except ValueError as error:
            raise self._impossible(kind, error) from None
        except VisitError as error:
            if not isinstance(error.orig_exc, ValueError):
                raise error.orig_exc from None
            raise self._impossible(kind, error.orig_exc) from None

    def _impossible(self, kind: str, error: ValueError) -> Impossible:
        return Impossible(str(error) if kind == "board" else self.expected(kind))

    def _read_untaught(
        self, parser: Lark | Parser, transformer: Transformer[Any, Any], kind: str, text: str
    ) -> Any:
        """Read by a changed rule without its own transformer; return the text if that fails."""
        try:
            if isinstance(parser, Parser):
                return parser.parse(text, transformer)
            tree = parser.parse(text)
        except (Rejected, UnexpectedInput):
            raise NotOfType(self.expected(kind)) from None
        except Exception:  # noqa: BLE001  # a method that knows another rule
            return text
        try:
            return transformer.transform(tree)
        except VisitError:
            return text

    # ---- one value of a property ----

    def of_types(self, rule: PropertyRule, raw: str) -> Value:
        """Read by the first alternative of the rule's type that fits."""
        for kinds in rule.types:
            try:
                if len(kinds) == 1:
                    value: Value = self.read_simple(kinds[0], raw)
                    return value
                first, second = self.read("compose", raw)
                parts = self.read_simple(kinds[0], first), self.read_simple(kinds[1], second)
            except Impossible:
                raise
            except NotOfType:
                continue
            if rule.is_points:
                if not all(isinstance(part, Point | str) for part in parts):
                    continue  # a pod of Octi has no corners
                return Rectangle(first=parts[0], second=parts[1])
            return Composed.model_construct(_BOTH, first=parts[0], second=parts[1])
        raise NotOfType(self.words(rule))

    def read_simple(self, kind: str, raw: str) -> Any:
        """Read one value of a type that is no pair; errors are those of ``read``."""
        return self.of_kind(kind)(raw)

    def of_kind(self, kind: str) -> Callable[[str], Any]:
        """Return a function that reads one value of a type that is no pair."""
        try:
            return self._kinds[kind]
        except KeyError:
            return self._kinds.setdefault(kind, self._of_kind(kind))

    def _of_kind(self, kind: str) -> Callable[[str], Any]:
        if kind == "undefined":
            return str
        if kind in LONG:
            return partial(self._read, kind)
        if self.format is not Format.GGF:
            return partial(self.read, kind)
        return partial(self._read_of_ggf, kind)

    def _read_of_ggf(self, kind: str, raw: str) -> Any:
        """Read a value that may be a move with its evaluation and time."""
        value = self.read(kind, raw)
        if isinstance(value, Played):
            return value.model_copy(update={"move": self.read("move", str(value.move))})
        return value

    def of_rule(self, rule: PropertyRule, raw: str) -> Value:
        """Read by the rule's type, and by its form if it has one."""
        if not rule.form:
            return self.of_types(rule, raw)
        if not rule.is_text or rule.form in RAW_FORMS:
            return self._form(rule.form, raw)
        return self._form(rule.form, str(self.of_types(rule, raw)))

    def _form(self, form: str, text: str) -> Value:
        value: Value = self.read(form, text)
        return value

    def words(self, rule: PropertyRule) -> str:
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

    def _in_words(self, kinds: tuple[str, ...]) -> str:
        """Describe the values of a type, or of a pair of types."""
        first, *rest = map(self.expected, kinds)
        if rest == [first]:
            return f"{first}, then ':' and another one"
        return ", then ':' and ".join([first, *rest])

    # ---- all values of a property ----

    def problems(self, rule: PropertyRule, raws: tuple[str, ...]) -> tuple[Finding, ...]:
        """Return the findings about the values of a property.

        A text is not read for that: any text is valid.
        """
        if rule.types in PLAIN_TEXTS and not rule.form and len(raws) == 1 and raws[0]:
            return ()
        return self.read_property(rule, raws).problems

    def read_property(self, rule: PropertyRule, raws: tuple[str, ...]) -> Reading:
        """Read all values of a property by its rule; what does not fit becomes ``Invalid``."""
        if rule.count is Count.ELIST and raws == ("",):
            return Reading((), ())
        if (
            not rule.form
            and len(rule.types[0]) == 1
            and all(raws)
            and (len(raws) == 1 or rule.count is not Count.ONE)
        ):
            try:
                return Reading(tuple(map(self.of_kind(rule.types[0][0]), raws)), ())
            except NotOfType:
                pass
        values: list[Value] = []
        problems: list[Finding] = []
        if rule.count is Count.ONE and len(raws) > 1:
            problems.append(
                Finding(
                    "too-many-values",
                    f"{rule.ident} has {len(raws)} values: expected one",
                    help="a ']' may be missing before, or the values belong to separate properties",
                    severity=None if self.format is Format.FF4 else Severity.WARNING,
                    value_index=1,
                )
            )
        for index, raw in enumerate(raws):
            value, problem = self._read_value(rule, raw, alone=len(raws) == 1)
            values.append(value)
            if problem is not None:
                problems.append(problem._replace(value_index=index))
        return Reading(tuple(values), tuple(problems))

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
        current = reader(Format.FF4, self.game, over_19=True, engine=self._engine)
        known = PropertyTable.standard().find(Format.FF4, self.game.number, rule.ident)
        rule = known or rule.as_of(Format.FF4)
        try:
            return current.of_rule(rule, raw)
        except (NotOfType, LookupError):
            return None


def _is_ours(transformer: Transformer[Any, Any]) -> bool:
    return type(transformer).__module__.startswith("sgf_lark.")


def point_list(values: tuple[Value, ...]) -> PointList:
    """Return the points of a list without its invalid values."""
    return PointList(tuple(value for value in values if isinstance(value, Point | Rectangle)))


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
    format_, number, name, over_19, engine, dialect = state
    game = game_of(format_, number, name)
    return reader(format_, game, over_19=over_19, engine=engine, dialect=dialect)
