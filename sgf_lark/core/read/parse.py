"""Games that Lark parses: by custom grammars, and where the engine is Lark.

A game that the grammar rejects is mended (:mod:`.mended`).  A grammar of the formats
always accepts the result, so that only a custom grammar parses it again.  The only module that
sees Lark's exceptions about a text.
"""

from __future__ import annotations

from collections.abc import Iterable

from lark import Lark, TextSlice, Token, Tree
from lark.exceptions import UnexpectedInput

from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import File
from sgf_lark.core.grammar.mismatch import mismatch
from sgf_lark.core.grammar.tokens import GameSpan, RawToken
from sgf_lark.core.model.tape import Tape
from sgf_lark.core.schema.formats import Format

from .build import tape_of_tree
from .mended import mend_tokens, mended_tape

# ---- parsing one game ----


def parse_game(
    text: str,
    tokens: list[RawToken],
    game: GameSpan,
    format: Format,
    file: File | None = None,
    most: int | None = None,
) -> tuple[list[Tape], list[Finding]]:
    """Parse one game by a grammar, mending it if it has to be.

    Args:
        file: A custom grammar; it may reject a mended game, too, and then there is none.
        most: List at most this many findings of a rule and severity; None for all.

    Returns:
        The game, and the findings of the repair.  There is no game if nothing of it is left,
        and there are several if one pair of brackets held them together.
    """
    ggf = format is Format.GGF
    custom, start = file is not None, "game" if ggf else "game_tree"
    file = file or grammars.path(format.grammar)
    try:
        tree = grammars.structure(file, start).parse(TextSlice(text, game.start, game.end))
    except UnexpectedInput:
        games, findings = mend_tokens(text, tokens, format, file, most)
    else:
        return [tape_of_tree(text, tree, ggf=ggf)], []
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
    return [mended_tape(text, one, ggf=ggf) for one in games], findings


def _parse_tokens(parser: Lark, text: str, tokens: Iterable[RawToken]) -> Tree[Token]:
    """Parse mended tokens by a custom grammar."""
    machine = parser.parse_interactive()
    for kind, start, end in tokens:
        value = text[start:end]
        if kind == "UNCLOSED":
            kind, value = "PROP_VALUE", value + "]"  # noqa: PLW2901  # the bracket it lacks
        machine.feed_token(Token(kind, value, start, end_pos=end))
    tree: Tree[Token] = machine.feed_eof()  # type: ignore[no-untyped-call]
    return tree


# ---- parsing a whole text ----


def parse_whole(text: str, file: File) -> tuple[list[Tape], list[Finding]]:
    """Parse a text that only a custom grammar can split into games.

    Returns:
        The games, or none and the finding about the mismatch.
    """
    parser = grammars.structure(file, grammars.first_rule(file))
    try:
        tree = parser.parse(text)
    except UnexpectedInput as error:
        return [], [mismatch(error, parser, text)]
    games = [game for game in tree.children if isinstance(game, Tree)]
    return [tape_of_tree(text, game, ggf=False) for game in games], []
