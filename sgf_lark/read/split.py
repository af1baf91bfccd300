"""Splitting texts into games."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lark.exceptions import UnexpectedInput

from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.tokens import GameSpan, lexer, tokenize
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import SHARED_WITH_GGF
from sgf_lark.schema.properties import Group, capitals


def is_ggf(text: str, *, more: bool = False) -> bool | None:
    """The first game of a text is written in GGF.

    It is if it names its game in words, has no FF, and ends before any second ``;``; a game
    that is damaged, if it has a BO, or begins with ``(;GM[Othello]`` or ``(;GM[Amazons]`` and
    has nothing that only the first node of SGF has.

    Args:
        text: Anything.
        more: The text may go on; None is the answer if that could change it.
    """
    first = lexer("opening").search(text)
    if first is not None and first[0] != "(;" and first[0][-1] in ";[":
        return False
    opening = lexer("ggf_opening").search(text)
    if opening is None:
        return None if more else False
    names: dict[str, str] = {}
    name = ""
    for kind, start, end in tokenize(text, opening.end(), len(text), ggf=True):
        if more and end == len(text) and kind != "GGF_CLOSE":
            return None
        if kind == "IDENT":
            name = text[start:end]
        elif kind == "GGF_VALUE" and name == "FF":
            return False
        elif kind == "GGF_VALUE":
            names.setdefault(name, text[start + 1 : end - 1])
        else:
            return _says_ggf(names) and (kind == "GGF_CLOSE" or _is_damaged_ggf(names))
    return None if more else _says_ggf(names) and _is_damaged_ggf(names)


def _is_damaged_ggf(names: dict[str, str]) -> bool:
    """The first node is hardly one of SGF, whose game is named in words by mistake."""
    shared = {name.lower() for name in SHARED_WITH_GGF.values()}  # of these there are archives
    begins = next(iter(names), "") == "GM" and names["GM"].strip().lower() in shared
    return "BO" in names or (begins and not names.keys() & OF_SGF)


#: Properties of the first node that GGF does not have.
OF_SGF = frozenset({"SZ", "AP", "CA", "ST", "VW"})


def _says_ggf(names: dict[str, str]) -> bool:
    """The first node names its game in words."""
    return not _parses(Format.FF4, "number", names.get("GM", "1"))


def _parses(format: Format, start: str, text: str) -> bool:
    parser = grammars.value(grammars.path(format.grammar), start)
    try:
        return parser is not None and parser.parse(text) is not None
    except UnexpectedInput:
        return False


def stretches(
    text: str,
    *,
    ggf: bool = False,
    more: bool = False,
    end_of: Callable[[int], int | None] = lambda _start: None,
) -> Iterator[GameSpan]:
    """The games of a text and what stands between them, in order, nothing left out.

    Args:
        text: Anything.
        ggf: Games of GGF are meant.
        more: The text may go on; what that could change is left out.
        end_of: Where the game that begins at a place ends, if that is known without
            looking for its last bracket.
    """
    opening = lexer("ggf_opening" if ggf else "opening")
    split = _ggf_games if ggf else _sgf_games
    done = 0
    while True:
        found = opening.search(text, done)
        if found is None and more:
            return
        start = len(text) if found is None else found.start()
        if start > done:
            yield GameSpan(done, start, is_game=False)
        if found is None:
            return
        done = start
        known = end_of(start)
        for end in split(text, start, more) if known is None else (known,):
            yield GameSpan(done, end, is_game=True)
            done = end
        if done == start:
            return


def _sgf_games(text: str, start: int, more: bool) -> list[int]:  # noqa: FBT001  # as stretches has it
    """Where the game that begins at ``start`` ends; nothing if ``more`` text has to tell.

    If the text ends before the game is closed, what looks like the beginning of another
    game (a tree with FF or GM in its first node) closes it; then there are several ends.
    So does, behind a '((' inside the game, a tree with FF and GM: a '(' without a node is left
    out, and its ')' may be there or not.
    """
    depth, before = 0, ""
    for found in lexer("outline").finditer(text, start):
        kind = found.lastgroup
        if kind == "OPEN":
            if before == "OPEN" and depth > 1:
                return _ends_behind(text, start, found.start(), depth, more)
            depth += 1
        elif kind == "CLOSE":
            depth -= 1
            if depth == 0:
                return [found.end()]
        elif found[0].isspace():
            continue
        before = kind or ""
    return [] if more else [*_restarts(text, start), len(text)]


def _ends_behind(text: str, start: int, at: int, depth: int, more: bool) -> list[int]:  # noqa: FBT001  # as above
    """The same, from a '(' on that stands so deep in the game, and behind another one."""
    opened, names, nodes = at, set[str](), 0
    for kind, begin, end in tokenize(text, at, len(text)):
        if kind == "OPEN":
            depth += 1
            opened, nodes = begin, 0
            names.clear()
        elif kind == "CLOSE":
            depth -= 1
            nodes = -1
            if depth == 0:
                return [end]
        elif kind == "SEMICOLON":
            nodes += nodes >= 0
        elif kind == "IDENT" and nodes == 1 and opened > at:
            names.add(text[begin:end])
            if names >= Group.KIND.idents:
                return [opened]
    return [] if more else [*_restarts(text, start), len(text)]


def _restarts(text: str, start: int) -> Iterator[int]:
    """Trees below the one that begins at ``start`` whose first node has FF or GM."""
    depth = nodes = 0
    opened = start
    for kind, at, end in tokenize(text, start, len(text)):
        if kind == "OPEN":
            depth += 1
            opened, nodes = at, 0
        elif kind == "CLOSE":
            depth -= 1
            nodes = -1
        elif kind == "SEMICOLON":
            nodes += nodes >= 0
        elif kind == "IDENT" and nodes == 1 and depth > 1 and text[at:end] in Group.KIND.idents:
            yield opened
            nodes = -1


def _ggf_games(text: str, start: int, more: bool) -> list[int]:  # noqa: FBT001  # as stretches has it
    """Where the GGF game that begins at ``start`` ends: at its ``;)``, or at the next game."""
    opened = False
    for kind, at, end in tokenize(text, start, len(text), ggf=True):
        if kind == "GGF_CLOSE" and opened:
            return [end]
        if kind == "GGF_OPEN":
            if opened:
                return [at]
            opened = True
    return [] if more else [len(text)]


def root_values(text: str, game: GameSpan, *, ggf: bool = False) -> dict[str, str]:
    """First value of each property in the first node that has any, as the file has them.

    Names are stripped of lower case, so that FF is found before it is known whether its
    own name may be spelled ``FileFormat``.
    """
    found: dict[str, str] = {}
    name, nodes, depth = "", 0, 0
    for kind, start, end in tokenize(text, game.start, game.end, ggf=ggf):
        depth += (kind == "OPEN") - (kind == "CLOSE")
        if kind == "SEMICOLON":
            nodes += 1
        elif kind == "IDENT":
            name = capitals(text[start:end])
        elif kind in {"PROP_VALUE", "GGF_VALUE"} and name:
            found.setdefault(name, text[start + 1 : end - 1])
        if (nodes > 1 and found and kind == "SEMICOLON") or (
            (found or nodes) and kind in {"OPEN", "CLOSE"}
        ):
            break
        if kind == "CLOSE" and depth <= 0:
            break
    return found
