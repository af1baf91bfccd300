"""Types of value: the grammar and the transformer of each, and the function that makes its values.

A type is parsed by the game's own grammar if that defines it (``point``, ``move``, ``stone``
and special forms), else by the format's.  In the game's grammar a name with a suffix comes
first: ``move_before_ff4`` in FF[1] and FF[3], ``move_over_19`` on a board with a longer
side, ``move_ggf`` in GGF.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sgf_lark.core import late
from sgf_lark.core.engine.parser import Parser
from sgf_lark.core.engine.regex import most_texts
from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import File, GrammarSource, knows_points
from sgf_lark.core.schema.formats import Engine, Format
from sgf_lark.core.schema.games import Game
from sgf_lark.core.schema.value_types import EXPECTED

from .dialect import Dialect
from .game_transformers import transformer_of
from .methods import GgfMethods, Methods, SgfMethods

if TYPE_CHECKING:
    from lark import Lark


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
    """A text has the form of a type without a meaning, which the message says: February 30."""


class MethodError(RuntimeError):
    """A method of a custom transformer failed; the message says on which text, and where."""


#: Limit of a custom rule in messages, in characters.
MAX_SHOWN_RULE = 60

_SGF, _GGF = SgfMethods(), GgfMethods()


class ValueKind(NamedTuple):
    """A type of value in one format and game.

    Attributes:
        found: Its grammar, its rule there, and the transformer; None if no grammar defines it.
        is_untaught: A custom grammar changes the rule, and no transformer comes with it.
        custom: The custom grammar and rule that no words describe; None for other types.
    """

    name: str
    expected: str
    owner: str
    found: tuple[File, str, Methods] | None
    is_untaught: bool
    custom: tuple[File, str] | None

    @property
    def place(self) -> tuple[File, str, Methods]:
        """Its grammar, its rule there, and the transformer; LookupError if there is none."""
        if self.found is None:
            raise LookupError(f"no grammar of {self.owner} defines {self.name!r}")
        return self.found

    @property
    def is_settled(self) -> bool:
        """The transformer is a shipped one, or rejects nothing."""
        return self.is_untaught or _is_ours(self.place[2])

    @property
    def generated(self) -> Parser | None:
        file, rule, _ = self.place
        return grammars.generated(file, rule, of_value=True)

    def maker(self, engine: Engine) -> Callable[[str], Any]:
        """Return the function from a text to its value; it raises what the parser raises."""
        file, rule, transformer = self.place
        generated = None if engine is Engine.LARK else self.generated
        parser = cast("Lark | Parser", generated or grammars.value(file, rule))
        make = _maker_of(parser, transformer)
        if not self.is_untaught:
            return make
        from lark.visitors import Transformer_NonRecursive

        # Without methods: one that fails must not decide before the grammar does.
        check = _maker_of(parser, Transformer_NonRecursive())

        def make_untaught(text: str) -> Any:
            check(text)
            try:
                value = make(text)
            except Exception:  # noqa: BLE001  # a method that knows another rule
                return text
            # Of a point or move without a meaning the text, with all its characters.
            return text if self.name in DOUBTFUL and isinstance(value, str) else value

        return make_untaught

    def method_error(self, text: str, error: Exception) -> MethodError:
        from traceback import extract_tb

        kind = type(self.place[2])
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        lines = [one.lineno for one in extract_tb(error.__traceback__) if one.filename == file]
        where = f" in line {lines[-1]} of {Path(file).name}" if file and lines else ""
        what = f"{type(error).__name__}: {error}"
        return MethodError(f"{kind.__name__} failed on '{shorten(text)}'{where}: {what}")

    @property
    def has_vocabulary(self) -> bool:
        """It has so few texts that the value of each is kept: points of a board, 1 or 2, B or W."""
        return most_texts(self.expression or "a*") <= MAX_VOCABULARY

    @property
    def expression(self) -> str | None:
        parser = self.generated
        return None if parser is None else parser.plan.expression(parser.plan.start)

    @property
    def mismatch(self) -> str:
        """The custom rule that a value does not match, as messages say it; "" for other types."""
        if self.custom is None:
            return ""
        file, rule = self.custom
        source = late.grammar_text(file)
        shown = f"does not match rule `{rule}` of {grammars.path_of(file).name}"
        if rule not in source.by_name:  # imported
            return shown
        _, _, body = source.written(source[rule]).partition(":")
        return f"{shown}: {shorten(body.strip(), MAX_SHOWN_RULE)}"


def find_kind(
    name: str, format: Format, game: Game, *, over_19: bool, dialect: Dialect | None
) -> ValueKind:
    values: Methods = _GGF if format is Format.GGF else _SGF
    grammar: File | None = game.grammar if isinstance(game.grammar, GrammarSource) else None
    names = _names_of(name, format, over_19=over_19)
    own, extends = None, False
    places: list[tuple[File, str, Methods]] = []
    if grammar is not None:
        if name == "stone":  # on points, if the grammar has no rule of them
            names.append("point")
        own = next((one for one in names if one in grammars.rules(grammar)), None)
        is_plain = name in DOUBTFUL and knows_points(game)
        by = game.values or (transformer_of("") if is_plain else values)
        places += [(grammar, one, by) for one in names]
    elif game.grammar is not None:
        by = game.values or transformer_of(game.notation)
        if dialect is not None and isinstance(dialect.values, type(by)):
            by = dialect.values  # of a class that extends the game's
            extends = True
        places += [(grammars.path(f"games/{game.notation}"), one, by) for one in names]
    is_untaught = own is not None and game.values is None
    has_words = not game.expected.keys().isdisjoint(names)
    custom = None if grammar is None or own is None or has_words else (grammar, own)
    if dialect is not None and dialect.file is not None and dialect.differs(format, name):
        places.insert(0, (dialect.file, name, dialect.values or values))
        is_untaught = is_untaught or dialect.values is None
        custom = dialect.file, name
    elif dialect is not None and _is_of_family(dialect.values, values):
        shipped = grammars.path(format.grammar)
        is_of_game = any(one in grammars.rules(file) for file, one, _ in places)
        is_known = is_of_game and extends
        only_itself = is_of_game or not isinstance(dialect.values, type(values))
        if not is_known and dialect.teaches(shipped, name, only_itself=only_itself):
            places.insert(0, (shipped, name, dialect.values or values))
    places.append((grammars.path(format.grammar), name, values))
    if name == "played":
        move = find_kind("move", format, game, over_19=over_19, dialect=dialect)
        words = f"{move.expected}, and after '/' its evaluation and time"
    elif custom is not None:
        words = f"a match of rule `{custom[1]}` of {grammars.path_of(custom[0]).name}"
    else:
        of_game = next((game.expected[one] for one in names if one in game.expected), None)
        words = of_game or EXPECTED[format.grammar].get(name, name)
    place = next((place for place in places if place[1] in grammars.rules(place[0])), None)
    owner = f"{format} or {game.name}"
    return ValueKind(name, words, owner, place, is_untaught and name != "compose", custom)


def _is_of_family(own: Methods | None, values: Methods) -> bool:
    """Return whether methods are for SGF, or GGF, as others are: rules of one name differ."""
    return isinstance(own, type(values)) or not isinstance(own, SgfMethods | GgfMethods)


def _names_of(name: str, format: Format, *, over_19: bool) -> list[str]:
    """Return the rules of the grammar of a game that may define a type, the first one first."""
    if format is Format.FF4:
        return [f"{name}_over_19", name] if over_19 else [name]
    return [f"{name}_ggf" if format is Format.GGF else f"{name}_before_ff4", name]


# ---- from a text to its value ----


def _maker_of(parser: Lark | Parser, transformer: Methods) -> Callable[[str], Any]:
    if not isinstance(parser, Parser):
        from .transformers import parse_value

        return partial(parse_value, parser, transformer)
    make = parser.maker(transformer, as_text=_is_ours(transformer))
    return make or (lambda text: parser.parse(text, transformer))


def _is_ours(transformer: Methods) -> bool:
    return type(transformer).__module__.startswith("sgf_lark.")


#: Limit of the texts of a type whose values are kept: 52 columns and rows of Go, and its pass.  No
#: text has to recur in a file for it: a move takes 1.3 microseconds by its expression and 0.12 by
#: the table, all 65,906 values of 345 real files, each read for the first time in a new process, 99
#: and 50 milliseconds of CPU time.
MAX_VOCABULARY = 1 << 12
