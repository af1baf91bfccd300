"""From text to parse trees: where the games are, and what to do about a broken one.

The grammar decides what is right.  A game that it refuses is cut into scraps
(``lexical.lark``), the scraps are mended (:mod:`sgf_lark.repair`), and what comes out is
parsed by the same grammar.  The only module that sees Lark's exceptions about a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark, TextSlice, Token, Transformer, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from . import grammars
from .diagnostics import Finding, Report, SgfSyntaxError
from .engine import Refusal, Run
from .grammars import Engine, Format
from .outline import Events
from .positions import LineIndex, Span
from .properties import capitals
from .repair import Scrap, mend_ggf, mend_sgf


class Stretch(NamedTuple):
    """A part of a text: ``text[start:end]`` is a game record, or what stands between two."""

    start: int
    end: int
    is_game: bool


@cache
def _scanner(start: str) -> re.Pattern[str]:
    """The terminals below one rule of lexical.lark as one regular expression."""
    lark = grammars.structure(grammars.path("lexical"), start)
    terminals = sorted(
        lark.terminals,
        key=lambda one: (-one.priority, -one.pattern.max_width, -len(one.pattern.value), one.name),
    )
    return re.compile("|".join(f"(?P<{one.name}>{one.pattern.to_regexp()})" for one in terminals))


def scraps(text: str, start: int, end: int, *, ggf: bool = False) -> Iterator[Scrap]:
    """Cut a part of a text into tokens, white space left out; never fails."""
    for found in _scanner("ggf_scraps" if ggf else "scraps").finditer(text, start, end):
        if found.lastgroup is not None and found.lastgroup != "WS":
            yield Scrap(found.lastgroup, found.start(), found.end())


# ---- where the games are ----


def is_ggf(text: str) -> bool:
    """The first game of a text is written in GGF.

    It is if it ends before any second ``;``, names its game in words, and has no FF.
    """
    opening = _scanner("ggf_opening").search(text)
    if opening is None:
        return False
    names: dict[str, str] = {}
    name = ""
    for kind, start, end in scraps(text, opening.end(), len(text), ggf=True):
        if kind == "GGF_CLOSE":
            number = _parses(Format.FF4, "number", names.get("GM", "1"))
            return "FF" not in names and not number
        if kind == "IDENT":
            name = text[start:end]
        elif kind == "GGF_VALUE":
            names.setdefault(name, text[start + 1 : end - 1])
        else:
            break
    return False


def _parses(format: Format, start: str, text: str) -> bool:
    parser = grammars.value(grammars.path(format.grammar), start)
    try:
        return parser is not None and parser.parse(text) is not None
    except UnexpectedInput:
        return False


def stretches(
    text: str, *, ggf: bool = False, end_of: Callable[[int], int | None] = lambda _start: None
) -> Iterator[Stretch]:
    """The games of a text and what stands between them, in order, nothing left out.

    Args:
        text: Anything.
        ggf: Games of GGF are meant.
        end_of: Where the game that begins at a place ends, if that is known without
            looking for its last bracket.
    """
    opening = _scanner("ggf_opening" if ggf else "opening")
    split = _ggf_games if ggf else _sgf_games
    done = 0
    while True:
        found = opening.search(text, done)
        start = len(text) if found is None else found.start()
        if start > done:
            yield Stretch(done, start, is_game=False)
        if found is None:
            return
        done = start
        known = end_of(start)
        for end in split(text, start) if known is None else (known,):
            yield Stretch(done, end, is_game=True)
            done = end


def _sgf_games(text: str, start: int) -> list[int]:
    """Where the game that begins at ``start`` ends.

    If the text ends before the game is closed, what looks like the beginning of another
    game (a tree with FF or GM in its first node) closes it; then there are several ends.
    """
    depth = 0
    for found in _scanner("outline").finditer(text, start):
        if found.lastgroup == "OPEN":
            depth += 1
        elif found.lastgroup == "CLOSE":
            depth -= 1
            if depth == 0:
                return [found.end()]
    return [*_restarts(text, start), len(text)]


def _restarts(text: str, start: int) -> Iterator[int]:
    """Trees below the one that begins at ``start`` whose first node has FF or GM."""
    depth = nodes = 0
    opened = start
    for kind, at, end in scraps(text, start, len(text)):
        if kind == "OPEN":
            depth += 1
            opened, nodes = at, 0
        elif kind == "CLOSE":
            depth -= 1
            nodes = -1
        elif kind == "SEMICOLON":
            nodes += nodes >= 0
        elif kind == "IDENT" and nodes == 1 and depth > 1 and text[at:end] in {"FF", "GM"}:
            yield opened
            nodes = -1


def _ggf_games(text: str, start: int) -> list[int]:
    """Where the GGF game that begins at ``start`` ends: at its ``;)``, or at the next game."""
    opened = False
    for kind, at, end in scraps(text, start, len(text), ggf=True):
        if kind == "GGF_CLOSE" and opened:
            return [end]
        if kind == "GGF_OPEN":
            if opened:
                return [at]
            opened = True
    return [len(text)]


def root_values(text: str, game: Stretch, *, ggf: bool = False) -> dict[str, str]:
    """First value of each property in the first node of a game, as the file has them.

    Names are stripped of lower case, so that FF is found before it is known whether its
    own name may be spelled ``FileFormat``.
    """
    found: dict[str, str] = {}
    name, nodes = "", 0
    for kind, start, end in scraps(text, game.start, game.end, ggf=ggf):
        if kind == "SEMICOLON":
            nodes += 1
        elif kind == "IDENT":
            name = capitals(text[start:end])
        elif kind in {"PROP_VALUE", "GGF_VALUE"} and name:
            found.setdefault(name, text[start + 1 : end - 1])
        if nodes > 1 or ((found or nodes) and kind in {"OPEN", "CLOSE"}):
            break
    return found


# ---- reading games one behind the other ----


class Cuts:
    """The games of a text by the table of their grammar's nesting, without any repair.

    The text is cut into nodes and brackets as far as it has nothing else; nodes are not
    read, their texts stand for them.

    Args:
        text: Games in it have to be asked for in their order.
        format: Its grammar is used.
    """

    def __init__(self, text: str, format: Format) -> None:
        scanner = grammars.scanner(grammars.path(format.grammar), "game_tree")
        self._text = text
        self._scanner = scanner
        self._outline = None if scanner is None else scanner.outline
        self._events = Events([""], b"\0")
        self._at = 0  # the next event,
        self._place = 0  # and where it begins
        self._end = 0  # where the events end

    def game(self, start: int, transformer: Transformer[Token, Any]) -> tuple[Any, int] | None:
        """What the transformer makes of the game that begins at ``start``, and where it ends.

        None if its grammar refuses it.
        """
        scanner, outline = self._scanner, self._outline
        if scanner is None or outline is None:
            return None
        if not self._goes_to(start):
            self._events = outline.cut(self._text, start, len(self._text))
            self._at, self._place = 0, start
        run = Run(scanner, transformer, deferred=NODE)
        behind = outline.read(self._events, self._at, run)
        if behind is None:
            return None
        texts = self._events.texts
        self._place += sum(map(len, texts[self._at : behind]))
        self._at = behind
        return run.results[0], self._place

    def _goes_to(self, start: int) -> bool:
        """Go on to the event that begins at ``start``, but for what is ignored before it."""
        texts = self._events.texts
        at, place = self._at, self._place
        while place < start:
            text = texts[at]
            if not text:
                return False
            if place + len(text) > start:
                break
            place += len(text)
            at += 1
        self._at, self._place = at, place
        text = texts[at]
        return bool(text) and place + len(text) - len(text.lstrip()) == start

    def reader(self, transformer: Transformer[Token, Any]) -> Callable[[str], Any]:
        """From the text of a node to what the transformer makes of it."""
        if self._scanner is None:
            raise LookupError("these games are not read by a table")
        return partial(Run(self._scanner, transformer, as_text=True).built, NODE)


#: The rule of the formats' grammars whose texts are read when they are looked at.
NODE = "node"


# ---- parsing one game ----


class ParsedGame(NamedTuple):
    """What the transformer made of a game; and its tokens, if they are not the text's."""

    result: Any
    tokens: list[Scrap] | None = None


def parse_game(
    text: str,
    game: Stretch,
    format: Format,
    transformer: Transformer[Token, Any],
    engine: Engine = Engine.AUTO,
) -> tuple[list[ParsedGame], list[Finding]]:
    """Parse one game by the grammar of its format, mending it if it has to be.

    Returns:
        The game and what had to be mended.  There is no game if nothing of it is left,
        and several come out of a pair of brackets that held them together.
    """
    ggf = format is Format.GGF
    file, start = grammars.path(format.grammar), "game" if ggf else "game_tree"
    scanner = grammars.scanner(file, start) if engine is not Engine.LARK else None
    try:
        if scanner is not None:
            result = scanner.parse(text, transformer, game.start, game.end)
        else:
            part = TextSlice(text, game.start, game.end)
            result = transformer.transform(grammars.structure(file, start).parse(part))
    except (Refusal, UnexpectedInput):
        pass
    else:
        return [ParsedGame(result)], []
    mend = mend_ggf if ggf else mend_sgf
    tokens = scraps(text, game.start, game.end, ggf=ggf)
    games, findings = mend(text, tokens, name_pattern(format), format)
    parser = grammars.structure(file, start)
    trees = [_parse_tokens(parser, text, one) for one in games]
    results = map(transformer.transform, trees)
    return list(map(ParsedGame, results, games)), findings


@cache
def name_pattern(format: Format) -> re.Pattern[str]:
    """What the name of a property is in a format."""
    parser = grammars.structure(grammars.path(format.grammar), "property")
    (pattern,) = (one.pattern for one in parser.terminals if one.name == "PROP_IDENT")
    return re.compile(pattern.to_regexp())


def _parse_tokens(parser: Lark, text: str, tokens: Iterable[Scrap]) -> Tree[Token]:
    """Parse mended tokens; they are what the grammar wants, or ``repair`` has a fault."""
    machine = parser.parse_interactive()
    for kind, start, end in tokens:
        shown = text[start:end]
        if kind == "UNCLOSED":
            kind, shown = "PROP_VALUE", shown + "]"  # noqa: PLW2901  # the bracket it lacks
        machine.feed_token(Token(kind, shown, start, end_pos=end))
    tree: Tree[Token] = machine.feed_eof()  # type: ignore[no-untyped-call]
    return tree


# ---- parsing anything by any grammar ----


def parse_tree(
    text: str, grammar: str | Path = "ff4", *, start: str | None = None, name: str = "<string>"
) -> Tree[Token]:
    """Parse a whole text by a grammar, as it stands: nothing is skipped, nothing mended.

    Args:
        text: A game record, or whatever the grammar is for.
        grammar: A shipped grammar (``"ff1"``, ``"ff3"``, ``"ff4"``, ``"ggf"``,
            ``"games/go"`` ...) or the path of one's own.
        start: The rule to begin with; the first one of the file if None.
        name: What to call the text in an error.

    Returns:
        Lark's tree.  Tokens know their place: ``token.start_pos``, ``token.end_pos``.

    Raises:
        SgfSyntaxError: The grammar refuses the text.
        FileNotFoundError: There is no such grammar.
        lark.exceptions.GrammarError: The grammar is not well made.
    """
    file = grammars.path(grammar.lower() if grammar in set(Format) else grammar)
    first = start or str(grammars.grammar(file).rule_defs[0][0])
    parser = grammars.structure(file, first)
    try:
        return parser.parse(text)
    except UnexpectedInput as error:
        finding = _refusal(error, parser, text)
    lines = LineIndex(text)
    raise SgfSyntaxError(Report(name=name, text=text, diagnostics=(finding.located(lines),)))


def _refusal(error: UnexpectedInput, parser: Lark, text: str) -> Finding:
    """What Lark has against a text, in words."""
    wanted: set[str] = set()
    span = Span(len(text), len(text))
    if isinstance(error, UnexpectedToken):
        wanted = set(error.accepts or error.expected)
        if error.token.type != "$END" and error.token.start_pos is not None:
            span = Span(error.token.start_pos, error.token.end_pos or error.token.start_pos)
    elif isinstance(error, UnexpectedCharacters):
        wanted = set(error.allowed or ())
        at: int = error.pos_in_stream  # type: ignore[assignment]  # lark types it None
        span = Span(at, at + 1)
    words = sorted(_word(parser, one) for one in wanted)
    found = "the end of the text" if span.start == len(text) else repr(text[span.start : span.end])
    if len(found) > 40:  # noqa: PLR2004  # characters that fit on a line beside the rest
        found = found[:39] + "\N{HORIZONTAL ELLIPSIS}"
    return Finding("grammar-mismatch", f"expected {' or '.join(words)}, found {found}", span)


#: Terminals of the shipped grammars, as a person who knows the game would call them.
WORDS = {
    "$END": "the end of the text",
    "PROP_IDENT": "a property",
    "PROP_VALUE": "a value in '[...]'",
    "COUNT": "the number of games",
}


def _word(parser: Lark, name: str) -> str:
    """What a person calls a terminal: its text, or its name in words."""
    if name in WORDS:
        return WORDS[name]
    pattern = next((one.pattern for one in parser.terminals if one.name == name), None)
    if pattern is not None and pattern.type == "str":
        return f"'{pattern.value}'"
    return name.strip("_").lower().replace("_", " ")
