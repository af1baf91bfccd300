"""From text to parse trees: valid games by events, broken ones by mended tokens.

The grammar decides what is valid.  A game that it rejects is cut into tokens
(``lexical.lark``), the tokens are mended (:mod:`sgf_lark.read.repair`), and the result is
parsed by the same grammar.  The only module that sees Lark's exceptions about a text.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any, NamedTuple

from lark import Lark, TextSlice, Token, Transformer, Tree
from lark.exceptions import UnexpectedInput

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.engine.actions import Actions, Rejected
from sgf_lark.engine.pushdown import Events
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File
from sgf_lark.grammar.mismatch import mismatch
from sgf_lark.grammar.tokens import GameSpan, RawToken, name_pattern, tokenize
from sgf_lark.schema.formats import Engine, Format

from .repair import mend_ggf, mend_sgf

# ---- reading valid games in their order ----


class EventReader:
    """Reader of the valid games of a text, by the events of their grammar's pushdown table.

    An event is a bracket, or the text of a node, which is read only when somebody asks.

    Args:
        text: The text; its games have to be read in their order.
        file: The grammar.
    """

    def __init__(self, text: str, file: File) -> None:
        parser = grammars.generated(file, "game_tree")
        self._text = text
        self._parser = parser
        self._table = None if parser is None else parser.plan.table
        self._node = 0 if self._table is None else self._table.kind(NODE)
        self._events = Events([""], b"\0")
        self._at = 0  # the next event,
        self._place = 0  # and where it begins
        self._end = 0  # where the events end

    def first_node(self, start: int) -> str:
        """Return the text of the first node of the game at ``start``; "" if there is none."""
        if self._table is None:
            return ""
        if not self._goes_to(start):
            self._events = self._table.cut(self._text, start, len(self._text))
            self._at, self._place = 0, start
        texts, kinds = self._events
        is_node = kinds[self._at] and kinds[self._at + 1] == self._node
        return texts[self._at + 1] if is_node else ""

    def game(self, start: int, transformer: Transformer[Token, Any]) -> tuple[Any, int] | None:
        """Read the game at ``start``; return the transformer's result, and the end of the game.

        None if the grammar rejects it.
        """
        parser, table = self._parser, self._table
        if parser is None or table is None or not self.first_node(start):
            return None
        actions = Actions(parser.plan, transformer, deferred=NODE)
        after = table.read(self._events, self._at, actions)
        if after is None:
            return None
        texts = self._events.texts
        self._place += sum(map(len, texts[self._at : after]))
        self._at = after
        return actions.results[0], self._place

    def _goes_to(self, start: int) -> bool:
        """Go on to the event at ``start``, text that the grammar ignores left out."""
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

    def nodes(self, start: int, end: int) -> array[int]:
        """Return the offsets of the nodes of a game that was read."""
        offsets: array[int] = array("q")
        if self._table is not None:
            texts, kinds = self._table.cut(self._text, start, end)
            places = accumulate(map(len, texts), initial=start)
            for text, kind, place in zip(texts, kinds, places, strict=False):
                if kind == self._node:
                    offsets.append(place + len(text) - len(text.lstrip()))
        return offsets

    def reader(self, transformer: Transformer[Token, Any]) -> Callable[[str], Any] | None:
        """Return a function from the text of a node to the transformer's result.

        None without a table.
        """
        if self._parser is None:
            return None
        return Actions(self._parser.plan, transformer, as_text=True).maker(NODE)


#: The rule of the formats' grammars whose texts are read when somebody asks.
NODE = "node"


# ---- parsing one game ----


class ParsedGame(NamedTuple):
    """The transformer's result of a game; its tokens, if they were mended."""

    result: Any
    tokens: list[RawToken] | None = None


def parse_game(
    text: str,
    game: GameSpan,
    format: Format,
    transformer: Transformer[Token, Any],
    engine: Engine = Engine.AUTO,
    file: File | None = None,
) -> tuple[list[ParsedGame], list[Finding]]:
    """Parse one game by the grammar of its format, mending it if it has to be.

    Args:
        text: The text.
        game: The place of the game.
        format: Its format.
        transformer: Makes the result of the parse tree.
        engine: The engine that parses.
        file: A custom grammar; it may reject a mended game, too, and then there is none.

    Returns:
        The game, and the findings of the repair.  There is no game if nothing of it is left,
        and there are several if one pair of brackets held them together.
    """
    ggf = format is Format.GGF
    custom, start = file is not None, "game" if ggf else "game_tree"
    file = file or grammars.path(format.grammar)
    generated = grammars.generated(file, start) if engine is not Engine.LARK else None
    try:
        if generated is not None:
            result = generated.parse(text, transformer, game.start, game.end)
        else:
            part = TextSlice(text, game.start, game.end)
            result = transformer.transform(grammars.structure(file, start).parse(part))
    except (Rejected, UnexpectedInput):
        pass
    else:
        return [ParsedGame(result)], []
    mend = mend_ggf if ggf else mend_sgf
    tokens = tokenize(text, game.start, game.end, ggf=ggf)
    games, findings = mend(text, tokens, name_pattern(file), format)
    parser = grammars.structure(file, start)
    if custom:
        return _parse_mended(parser, text, game, transformer, games, findings)
    trees = [_parse_tokens(parser, text, mended) for mended in games]
    results = map(transformer.transform, trees)
    return list(map(ParsedGame, results, games)), findings


def _parse_mended(
    parser: Lark,
    text: str,
    game: GameSpan,
    transformer: Transformer[Token, Any],
    games: list[list[RawToken]],
    findings: list[Finding],
) -> tuple[list[ParsedGame], list[Finding]]:
    """Parse mended tokens by a custom grammar, which may reject them."""
    parsed: list[ParsedGame] = []
    rejected = False
    for tokens in games:
        try:
            result = transformer.transform(_parse_tokens(parser, text, tokens))
        except UnexpectedInput as error:
            rejected = True
            findings = [*findings, mismatch(error, parser, text, game.end)]
        else:
            parsed.append(ParsedGame(result, tokens))
    if not findings and not rejected:
        try:
            parser.parse(TextSlice(text, game.start, game.end))
        except UnexpectedInput as error:
            findings = [mismatch(error, parser, text, game.end)]
    return parsed, findings


def _parse_tokens(parser: Lark, text: str, tokens: Iterable[RawToken]) -> Tree[Token]:
    """Parse mended tokens, which a grammar of the formats always accepts."""
    machine = parser.parse_interactive()
    for kind, start, end in tokens:
        value = text[start:end]
        if kind == "UNCLOSED":
            kind, value = "PROP_VALUE", value + "]"  # noqa: PLW2901  # the bracket it lacks
        machine.feed_token(Token(kind, value, start, end_pos=end))
    tree: Tree[Token] = machine.feed_eof()  # type: ignore[no-untyped-call]
    return tree


# ---- parsing a whole text ----


def parse_whole(
    text: str, file: File, transformer: Transformer[Token, Any], engine: Engine = Engine.AUTO
) -> tuple[Any, list[Finding]]:
    """Parse a text that only a custom grammar can split into games.

    Returns:
        The transformer's result, or None and the finding about the mismatch.
    """
    start = grammars.first_rule(file)
    generated = grammars.generated(file, start) if engine is not Engine.LARK else None
    if generated is not None:
        try:
            return generated.parse(text, transformer), []
        except Rejected:
            pass
    parser = grammars.structure(file, start)
    try:
        tree = parser.parse(text)
    except UnexpectedInput as error:
        return None, [mismatch(error, parser, text)]
    return transformer.transform(tree), []
