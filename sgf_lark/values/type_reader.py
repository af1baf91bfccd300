"""Readers of types: from a text to its value, by grammar and transformer.

A type is parsed by the game's own grammar if that defines it (``point``, ``move``, ``stone``
and special forms), else by the format's.  In the game's grammar a name with a suffix comes
first: ``move_before_ff4`` in FF[1] and FF[3], ``move_over_19`` on a board with a longer
side, ``move_ggf`` in GGF.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lark import Lark, Transformer
from lark.exceptions import UnexpectedInput, VisitError

from sgf_lark.diagnostics.diagnostic import shorten
from sgf_lark.engine.actions import Rejected
from sgf_lark.engine.parser import Parser
from sgf_lark.engine.plan import Plan
from sgf_lark.engine.regex import most_texts
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File, Source
from sgf_lark.grammar.source_text import grammar_text
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.frozen import made
from sgf_lark.schema.games import Game
from sgf_lark.schema.values import Played

from .dialect import Dialect, Shape
from .game_transformers import TRANSFORMERS
from .transformers import GgfValues, SgfValues
from .types import DOUBTFUL, EXPECTED, Impossible, NotOfType

#: Limit of a custom rule in messages, in characters.
MAX_SHOWN_RULE = 60


class TypeReader:
    """The reader of the types of value of one format and game.

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
        self.over_19 = over_19
        self._engine = engine
        self._file = grammars.path(format.grammar)
        self._values: Transformer[Any, Any] = GgfValues() if format is Format.GGF else SgfValues()
        if format is Format.GGF:
            self._suffix = "_ggf"
        elif format is not Format.FF4:
            self._suffix = "_before_ff4"
        else:
            self._suffix = "_over_19" if over_19 else ""
        #: Parsers by type; None for a type that no grammar has.
        self._parsers: dict[str, tuple[Lark | Parser, Transformer[Any, Any]] | None] = {}
        self._untaught: set[str] = set()
        #: Functions by type: as many as the grammars have rules.
        self._readers: dict[str, Callable[[str], Any]] = {}
        self._kinds: dict[str, Callable[[str], Any]] = {}

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

    def expected(self, kind: str) -> str:
        """Describe a type in words that fit after "expected"."""
        if kind == "played":
            return f"{self.expected('move')}, and after '/' its evaluation and time"
        if self._dialect is not None and self._dialect.differs(self.format, kind):
            return f"a match of rule `{kind}` of {self._dialect.name}"
        names, words, rule = self._names(kind), self.game.expected, self._own_rule(kind)
        if rule is not None and words.keys().isdisjoint(names):
            return f"a match of rule `{rule}` of {self.game.grammar.path.name}"  # type: ignore[union-attr]
        for table in (words, EXPECTED):
            for name in names:
                if name in table:
                    return table[name]
        return kind

    def _names(self, kind: str) -> tuple[str, ...]:
        """Return the rules of the grammar of a game that may define a type, the first one first.

        In the grammar of a custom game, the stones are on points if it has no rule of them.
        """
        also = ("point",) if kind == "stone" and isinstance(self.game.grammar, Source) else ()
        return (*dict.fromkeys((kind + self._suffix, kind)), *also)

    def _own_rule(self, kind: str) -> str | None:
        """Return the rule of the custom grammar of a game that defines a type."""
        file = self.game.grammar
        if not isinstance(file, Source):
            return None
        return next((name for name in self._names(kind) if name in grammars.rules(file)), None)

    def custom_rule(self, kind: str) -> str:
        """Describe the rule of a type that a custom grammar defines anew; "" for other types."""
        own = self._own_rule(kind)
        has_words = not self.game.expected.keys().isdisjoint(self._names(kind))
        if self._dialect is not None and self._dialect.differs(self.format, kind):
            file = self._dialect.file
        elif own is not None and not has_words and isinstance(self.game.grammar, Source):
            file, kind = self.game.grammar, own
        else:
            return ""
        source = grammar_text(file)
        rule = f"rule `{kind}` of {(file.path if isinstance(file, Source) else file).name}"
        if kind not in source.by_name:  # imported
            return rule
        _, _, body = source.written(source[kind]).partition(":")
        return f"{rule}: {shorten(body.strip(), MAX_SHOWN_RULE)}"

    def grammar_of(self, kind: str) -> tuple[File, str]:
        """Return the grammar that has a type of value, and the name of its rule there.

        Raises:
            LookupError: No grammar has it.
        """
        file, name, _ = self._place(kind)
        return file, name

    def _place(self, kind: str) -> tuple[File, str, Transformer[Any, Any]]:
        """Return the grammar and rule of a type, with its transformer."""
        for place in self._places(kind):
            if place[1] in grammars.rules(place[0]):
                return place
        raise LookupError(f"no grammar of {self.format} or {self.game.name} defines {kind!r}")

    def _places(self, kind: str) -> list[tuple[File, str, Transformer[Any, Any]]]:
        """Return the grammars and rules that may define a type, with their transformers."""
        places: list[tuple[File, str, Transformer[Any, Any]]] = [(self._file, kind, self._values)]
        grammar = self.game.grammar
        if grammar is not None:
            names = self._names(kind)
            game: File
            if isinstance(grammar, Source):
                game, values = grammar, self.game.values or self._values
                if self.game.values is None and self._own_rule(kind) and kind != "compose":
                    self._untaught.add(kind)
            else:
                game = grammars.path(f"games/{self.game.notation}")
                values = self.game.values or TRANSFORMERS[self.game.notation]
            places[:0] = [(game, name, values) for name in names]
        if self._dialect is not None and self._dialect.differs(self.format, kind):
            own = self._dialect.values
            places.insert(0, (self._dialect.file, kind, own or self._values))
            if own is None and kind != "compose":
                self._untaught.add(kind)
        return places

    def _find_parser(self, kind: str) -> tuple[Lark | Parser, Transformer[Any, Any]] | None:
        """Return the parser of a type, generated or Lark's, from the first grammar that has it."""
        for file, name, transformer in self._places(kind):
            generated = None
            if self._engine is not Engine.LARK:
                generated = grammars.generated(file, name, of_value=True)
            parser = generated or grammars.value(file, name)
            if parser is not None:
                return parser, transformer
        return None

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
        _, _, transformer = self._place(kind)
        return kind in self._untaught or _is_ours(transformer)

    def _parser(self, kind: str) -> tuple[Lark | Parser, Transformer[Any, Any]]:
        if kind not in self._parsers:
            self._parsers[kind] = self._find_parser(kind)
        found = self._parsers[kind]
        if found is None:
            raise LookupError(f"no grammar of {self.format} or {self.game.name} defines {kind!r}")
        return found

    @staticmethod
    def _maker_of(
        parser: Lark | Parser, transformer: Transformer[Any, Any]
    ) -> Callable[[str], Any]:
        if isinstance(parser, Lark):
            return lambda text: transformer.transform(parser.parse(text))
        make = parser.maker(transformer, as_text=_is_ours(transformer))
        return make or (lambda text: parser.parse(text, transformer))

    def read(self, kind: str, text: str) -> Any:
        """Read one text by one start symbol.

        Raises:
            NotOfType: The grammar rejects the text; Impossible: no calendar has the day.
            LookupError: Neither grammar has such a symbol.
        """
        return self._reader(kind)(text)

    def _reader(self, kind: str) -> Callable[[str], Any]:
        """Return the function that reads a text by a start symbol; errors are those of ``read``."""
        read = self._readers.get(kind)
        if read is None:
            read = self._readers[kind] = self._make_reader(kind)
        return read

    def _make_reader(self, kind: str) -> Callable[[str], Any]:
        parser, transformer = self._parser(kind)
        if kind in self._untaught:
            return partial(self._read_untaught, parser, transformer, kind)
        make, expected = self._maker_of(parser, transformer), self.expected(kind)

        def read(text: str) -> Any:
            try:
                return make(text)
            except (Rejected, UnexpectedInput):
                raise NotOfType(expected) from None
            except ValueError as error:
                raise Impossible(str(error) if kind == "board" else expected) from None
            except VisitError as error:
                reason = error.orig_exc
                if not isinstance(reason, ValueError):
                    raise reason from None
                raise Impossible(str(reason) if kind == "board" else expected) from None

        return _Vocabulary(read).__getitem__ if self._has_vocabulary(kind) else read

    def _has_vocabulary(self, kind: str) -> bool:
        """Return True if the grammar of a type accepts few texts, in either engine."""
        parser = grammars.generated(*self.grammar_of(kind), of_value=True)
        expression = None if parser is None else parser.plan.expression(parser.plan.start)
        return expression is not None and most_texts(expression) <= MAX_VOCABULARY

    def _read_untaught(
        self, parser: Lark | Parser, transformer: Transformer[Any, Any], kind: str, text: str
    ) -> Any:
        """Read by a changed rule without its own transformer; return the text if that fails."""
        try:
            if isinstance(parser, Parser):
                # Without methods: one that fails must not decide before the grammar does.
                parser.parse(text, Transformer())
            else:
                tree = parser.parse(text)
        except (Rejected, UnexpectedInput):
            raise NotOfType(self.expected(kind)) from None
        try:
            if isinstance(parser, Parser):
                return _or_text(kind, parser.parse(text, transformer), text)
            return _or_text(kind, transformer.transform(tree), text)
        except Exception:  # noqa: BLE001  # a method that knows another rule
            return text

    def of_kind(self, kind: str) -> Callable[[str], Any]:
        """Return a function that reads one value of a type that is no pair.

        Its errors are those of :meth:`read`.
        """
        read = self._kinds.get(kind)
        if read is None:
            read = self._kinds[kind] = self._of_kind(kind)
        return read

    def _of_kind(self, kind: str) -> Callable[[str], Any]:
        if kind == "undefined":
            return str
        if self.format is not Format.GGF:
            return self._reader(kind)
        return partial(self._read_of_ggf, self._reader(kind))

    def _read_of_ggf(self, read: Callable[[str], Any], raw: str) -> Any:
        """Read a value that may be a move with its evaluation and time."""
        value = read(raw)
        if not isinstance(value, Played):
            return value
        move = self.read("move", str(value.move))
        if value.__class__ is not Played:
            return value.model_copy(update={"move": move})
        return made(Played, {**value.__dict__, "move": move}, value.model_fields_set)


def _or_text(kind: str, value: Any, text: str) -> Any:
    """Return a value; of a point or move without a meaning the text, with all its characters."""
    return text if kind in DOUBTFUL and isinstance(value, str) else value


def _is_ours(transformer: Transformer[Any, Any]) -> bool:
    return type(transformer).__module__.startswith("sgf_lark.")


#: Limit of a vocabulary: 52 columns and rows of Go, and its pass.
MAX_VOCABULARY = 1 << 12


class _Vocabulary(dict[str, Any]):
    """The values of all texts of a type that has few: the points of a board, 1 or 2, B or W.

    It is data of the game, made text by text, and grows no larger than the grammar allows: 361
    points and two passes of a 19 x 19 board.  No text has to recur in a file for it: a move takes
    1.3 microseconds by its expression and 0.12 by the table, all 65,906 values of 345 real files,
    each read for the first time in a new process, 99 and 50 milliseconds of CPU time.
    """

    def __init__(self, read: Callable[[str], Any]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: str) -> Any:
        value = self[text] = self._read(text)
        return value
