"""Types of value: the grammar and the transformer of each, and the function that reads its texts.

A type is parsed by the game's own grammar if that defines it (``point``, ``move``, ``stone``
and special forms), else by the format's.  In the game's grammar a name with a suffix comes
first: ``move_before_ff4`` in FF[1] and FF[3], ``move_over_19`` on a board with a longer
side, ``move_ggf`` in GGF.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias, cast

from lark import Lark, Transformer
from lark.exceptions import UnexpectedInput, VisitError

from sgf_lark.engine.actions import Rejected
from sgf_lark.engine.parser import Parser
from sgf_lark.engine.regex import most_texts
from sgf_lark.findings.diagnostic import shorten
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File, GrammarSource
from sgf_lark.grammar.source_text import grammar_text
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.games import Game

from .dialect import Dialect
from .game_transformers import TRANSFORMERS
from .transformers import GgfValues, SgfValues
from .types import DOUBTFUL, EXPECTED, Impossible, NotOfType

#: Limit of a custom rule in messages, in characters.
MAX_SHOWN_RULE = 60

_Values: TypeAlias = Transformer[Any, Any]

_SGF, _GGF = SgfValues(), GgfValues()


class ValueKind(NamedTuple):
    """A type of value in one format and game.

    Attributes:
        name: As rows of the property table name it.
        expected: In words that fit after "expected".
        owner: The format and the game, for errors.
        found: Its grammar, its rule there, and the transformer; None if no grammar defines it.
        is_untaught: A custom grammar changes the rule, and no transformer comes with it.
        custom: The custom grammar and rule that no words describe; None for other types.
    """

    name: str
    expected: str
    owner: str
    found: tuple[File, str, _Values] | None
    is_untaught: bool
    custom: tuple[File, str] | None

    @property
    def place(self) -> tuple[File, str, _Values]:
        """Its grammar, its rule there, and the transformer.

        Raises:
            LookupError: No grammar defines it.
        """
        if self.found is None:
            raise LookupError(f"no grammar of {self.owner} defines {self.name!r}")
        return self.found

    @property
    def is_settled(self) -> bool:
        """The transformer is a shipped one, or rejects nothing."""
        return self.is_untaught or _is_ours(self.place[2])

    @property
    def generated(self) -> Parser | None:
        """The parser generated from its rule; None if Lark has to read it."""
        file, rule, _ = self.place
        return grammars.generated(file, rule, of_value=True)

    @property
    def expression(self) -> str | None:
        """Its regular expression; None if its grammar is more than that."""
        parser = self.generated
        return None if parser is None else parser.plan.expression(parser.plan.start)

    @property
    def mismatch(self) -> str:
        """The custom rule that a value does not match, as messages say it; "" for other types."""
        if self.custom is None:
            return ""
        file, rule = self.custom
        source = grammar_text(file)
        shown = f"does not match rule `{rule}` of {_file_name(file)}"
        if rule not in source.by_name:  # imported
            return shown
        _, _, body = source.written(source[rule]).partition(":")
        return f"{shown}: {shorten(body.strip(), MAX_SHOWN_RULE)}"


def find_kind(
    name: str, format: Format, game: Game, *, over_19: bool, dialect: Dialect | None
) -> ValueKind:
    """Return a type of value by its name; arguments as for a ``Reader``."""
    values: _Values = _GGF if format is Format.GGF else _SGF
    grammar: File | None = game.grammar if isinstance(game.grammar, GrammarSource) else None
    names = _names_of(name, format, over_19=over_19)
    own = None
    places: list[tuple[File, str, _Values]] = []
    if grammar is not None:
        if name == "stone":  # on points, if the grammar has no rule of them
            names.append("point")
        own = next((one for one in names if one in grammars.rules(grammar)), None)
        places += [(grammar, one, game.values or values) for one in names]
    elif game.grammar is not None:
        by = game.values or TRANSFORMERS[game.notation]
        places += [(grammars.path(f"games/{game.notation}"), one, by) for one in names]
    is_untaught = own is not None and game.values is None
    has_words = not game.expected.keys().isdisjoint(names)
    custom = None if grammar is None or own is None or has_words else (grammar, own)
    if dialect is not None and dialect.differs(format, name):
        places.insert(0, (dialect.file, name, dialect.values or values))
        is_untaught = is_untaught or dialect.values is None
        custom = dialect.file, name
    places.append((grammars.path(format.grammar), name, values))
    if name == "played":
        move = find_kind("move", format, game, over_19=over_19, dialect=dialect)
        words = f"{move.expected}, and after '/' its evaluation and time"
    elif custom is not None:
        words = f"a match of rule `{custom[1]}` of {_file_name(custom[0])}"
    else:
        known = [table[one] for table in (game.expected, EXPECTED) for one in names if one in table]
        words = known[0] if known else name
    place = next((place for place in places if place[1] in grammars.rules(place[0])), None)
    owner = f"{format} or {game.name}"
    return ValueKind(name, words, owner, place, is_untaught and name != "compose", custom)


def _names_of(name: str, format: Format, *, over_19: bool) -> list[str]:
    """Return the rules of the grammar of a game that may define a type, the first one first."""
    if format is Format.FF4:
        return [f"{name}_over_19", name] if over_19 else [name]
    return [f"{name}_ggf" if format is Format.GGF else f"{name}_before_ff4", name]


def _file_name(file: File) -> str:
    return (file.path if isinstance(file, GrammarSource) else file).name


# ---- from a text to its value ----


def make_reader(kind: ValueKind, engine: Engine) -> Callable[[str], Any]:
    """Return the function that reads a text of a type.

    It raises NotOfType for a text that the grammar rejects; Impossible for a day that no calendar
    has.

    Raises:
        LookupError: No grammar defines the type.
    """
    file, rule, transformer = kind.place
    expected, is_board = kind.expected, kind.name == "board"
    generated = None if engine is Engine.LARK else kind.generated
    parser = cast("Lark | Parser", generated or grammars.value(file, rule))
    if kind.is_untaught:
        return partial(_read_untaught, parser, transformer, kind)
    make = _maker_of(parser, transformer)

    def read(text: str) -> Any:
        try:
            return make(text)
        except (Rejected, UnexpectedInput):
            raise NotOfType(expected) from None
        except ValueError as error:
            raise Impossible(str(error) if is_board else expected) from None
        except VisitError as error:
            reason = error.orig_exc
            if not isinstance(reason, ValueError):
                raise reason from None
            raise Impossible(str(reason) if is_board else expected) from None

    if most_texts(kind.expression or "a*") > MAX_VOCABULARY:
        return read
    return Vocabulary(read).__getitem__


def _maker_of(parser: Lark | Parser, transformer: _Values) -> Callable[[str], Any]:
    if isinstance(parser, Lark):
        return lambda text: transformer.transform(parser.parse(text))
    make = parser.maker(transformer, as_text=_is_ours(transformer))
    return make or (lambda text: parser.parse(text, transformer))


def _is_ours(transformer: _Values) -> bool:
    return type(transformer).__module__.startswith("sgf_lark.")


def _read_untaught(parser: Lark | Parser, transformer: _Values, kind: ValueKind, text: str) -> Any:
    """Read by a changed rule without its own transformer; return the text if that fails."""
    try:
        if isinstance(parser, Parser):
            # Without methods: one that fails must not decide before the grammar does.
            parser.parse(text, Transformer())
        else:
            tree = parser.parse(text)
    except (Rejected, UnexpectedInput):
        raise NotOfType(kind.expected) from None
    try:
        if isinstance(parser, Parser):
            value = parser.parse(text, transformer)
        else:
            value = transformer.transform(tree)
    except Exception:  # noqa: BLE001  # a method that knows another rule
        return text
    # Of a point or move without a meaning the text, with all its characters.
    return text if kind.name in DOUBTFUL and isinstance(value, str) else value


#: Limit of a vocabulary: 52 columns and rows of Go, and its pass.
MAX_VOCABULARY = 1 << 12


class Vocabulary(dict[str, Any]):
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
