"""Games that Lark parses: by custom grammars, and where the engine is Lark.

A game that the grammar rejects is mended (:mod:`.mended`).  A grammar of the formats
always accepts the result, so that only a custom grammar parses it again.  The only module that
sees Lark's exceptions about a text.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from lark import Lark, TextSlice, Token, Tree
from lark.exceptions import UnexpectedInput

from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import File
from sgf_lark.core.grammar.mismatch import mismatch
from sgf_lark.core.grammar.tokens import GameSpan, RawToken
from sgf_lark.core.model.tape import NAME, NODE, OPEN, VALUE, Tape
from sgf_lark.core.schema.formats import Format

from .mended import PlacedMark, mend_tokens, mended_tape, tape_of_tokens

# ---- parsing one game ----


def parse_game(
    text: str,
    tokens: list[RawToken],
    game: GameSpan,
    format: Format,
    file: File | None,
    most: int | None,
    build: Build | None,
) -> tuple[list[Tape], list[Finding]]:
    """Parse one game by a grammar, mending it; a custom grammar may reject that, too."""
    ggf = format is Format.GGF
    custom, start = file is not None, "game" if ggf else "game_tree"
    file = file or grammars.path(format.grammar)
    try:
        tree = grammars.structure(file, start).parse(TextSlice(text, game.start, game.end))
    except UnexpectedInput:
        games, findings = mend_tokens(text, tokens, format, file, most)
    else:
        return ([tape_of_tree(text, tree, ggf=ggf)] if build is None else build(tree)), []
    if custom:
        parser = grammars.structure(file, start)
        accepted: list[list[RawToken]] = []
        for mended in games:
            try:
                _parse_tokens(parser, text, mended)
            except UnexpectedInput as error:
                findings = [*findings, mismatch(error, parser, text, game.end)]
            else:
                accepted.append(mended)
        games = accepted
        if not findings:
            try:
                parser.parse(TextSlice(text, game.start, game.end))
            except UnexpectedInput as error:
                findings = [mismatch(error, parser, text, game.end)]
    if build is not None:
        parser = grammars.structure(file, start)
        trees = [_parse_tokens(parser, text, one) for one in games]
        return [tape for tree in trees for tape in build(tree)], findings
    return [mended_tape(text, one, ggf=ggf) for one in games], findings


#: Makes games of the tree of a game, or of a text.
Build: TypeAlias = Callable[[Tree[Token]], list[Tape]]


def _parse_tokens(parser: Lark, text: str, tokens: Iterable[RawToken]) -> Tree[Token]:
    machine = parser.parse_interactive()
    for kind, start, end in tokens:
        value = text[start:end]
        if kind == "UNCLOSED":
            kind, value = "PROP_VALUE", value + "]"  # noqa: PLW2901  # the bracket it lacks
        machine.feed_token(Token(kind, value, start, end_pos=end))
    tree: Tree[Token] = machine.feed_eof()  # type: ignore[no-untyped-call]
    return tree


# ---- the tapes of trees ----


def tape_of_tree(text: str, tree: Tree[Token], *, ggf: bool) -> Tape:
    """Return the tape of a game that Lark has parsed, with places."""
    parents = array("q")
    tokens = list(_tokens_of_tree(text, tree, parents))
    if ggf:
        tokens.insert(0, (OPEN, tree.meta.start_pos, tree.meta.start_pos + len("(;")))
        return tape_of_tokens(text, tokens, ggf=True)
    return tape_of_tokens(text, tokens, parents)


def _tokens_of_tree(text: str, tree: Tree[Token], parents: array[int]) -> Iterator[PlacedMark]:
    """Yield the tokens of nodes and properties of a tree; add the parents of its nodes."""
    above = -1
    waiting: list[Tree[Token] | Token | int] = [tree]  # an int is the parent of what follows
    while waiting:
        item = waiting.pop()
        if isinstance(item, int):
            above = item
        elif isinstance(item, Token):
            continue
        elif item.data == "property":
            name, *values = [token for token in item.children if isinstance(token, Token)]
            yield NAME, name.start_pos or 0, name.end_pos or 0
            for value in values:
                yield VALUE, value.start_pos or 0, value.end_pos or 0
        else:
            if item.data == "game_tree":
                waiting.append(above)
            elif item.data == "node":
                start = item.meta.start_pos
                yield NODE, start, start + text.startswith(";", start)
                parents.append(above)
                above = len(parents) - 1
            waiting.extend(reversed(item.children))


# ---- parsing a whole text ----


def parse_whole(text: str, file: File, build: Build | None) -> tuple[list[Tape], list[Finding]]:
    """Parse a text that only a custom grammar can split: its games, or the finding."""
    parser = grammars.structure(file, grammars.first_rule(file))
    try:
        tree = parser.parse(text)
    except UnexpectedInput as error:
        return [], [mismatch(error, parser, text)]
    if build is not None:
        return build(tree), []
    games = [game for game in tree.children if isinstance(game, Tree)]
    return [tape_of_tree(text, game, ggf=False) for game in games], []
