"""Splitting texts into games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.tokens import (
    UNCLOSED,
    VALUES,
    GameSpan,
    RawToken,
    is_value,
    lexer,
    tokenize,
)
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import SHARED_WITH_GGF
from sgf_lark.core.schema.properties import Group, PropertyTable, ident_of


def _is_ggf(text: str, start: int, *, more: bool) -> bool | None:
    """Tell if the game that begins with the ``(;`` at ``start`` is written in GGF.

    It is if it names its game in words and then, before any FF, has a BO or ends before any second
    ``;``; a damaged game, if it begins with ``(;GM[Othello]`` or ``(;GM[Amazons]`` and has nothing
    that only the first node of SGF has; one without GM, if it ends so and has what only GGF has.
    None if ``more`` text could change that.
    """
    if lexer("usual_ggf").match(text, start):
        return True  # as below, in a fifth of the time
    names: dict[str, str] = {}
    name, kind, before, is_tree = "", "", "", False
    for kind, begin, end in tokenize(text, start + len("(;"), len(text), ggf=True):
        if more and end == len(text) and kind != "GGF_CLOSE":
            return None
        if before == "GGF_OPEN":
            is_tree = text[begin:end] != "GM"  # else it is the next game
            break
        if kind == "IDENT":
            name = text[begin:end]
        elif kind == "GGF_VALUE":
            names.setdefault(name, text[begin + 1 : end - 1])
            if _is_settled(names, name):
                break
        elif kind != "GGF_OPEN":
            break
        before = kind
    else:
        if more:
            return None
    return not is_tree and _names_ggf(names, is_closed=kind == "GGF_CLOSE")


def _names_ggf(names: dict[str, str], *, is_closed: bool) -> bool:
    """Tell if the first node, up to a place that decides, is that of a game of GGF."""
    if "FF" in names or not _is_in_words(names.get("GM", "")):
        return False
    if is_closed:
        return "GM" in names or not _OF_GGF.isdisjoint(names)
    return _is_damaged_ggf(names)


def _is_settled(names: dict[str, str], last: str) -> bool:
    if last == "GM":
        return not _is_in_words(names["GM"]) or "BO" in names
    return last == "FF" or (last == "BO" and "GM" in names)


def _is_damaged_ggf(names: dict[str, str]) -> bool:
    """Tell if the first node is of GGF, and not of an SGF record that names its game in words."""
    shared = {name.lower() for name in SHARED_WITH_GGF.values()}  # of these there are archives
    begins = next(iter(names), "") == "GM" and names["GM"].strip().lower() in shared
    return "GM" in names and ("BO" in names or (begins and not names.keys() & OF_SGF))


#: Properties of the first node that GGF does not have.
OF_SGF = frozenset({"SZ", "AP", "CA", "ST", "VW"})

#: Properties that SGF does not have.
_OF_GGF = frozenset(
    rule.ident
    for rule in PropertyTable.standard()
    if rule.format is Format.GGF and rule.ident not in PropertyTable.standard().sgf_idents
)


def _is_in_words(value: str) -> bool:
    return not is_value(_NUMBERS, "number", value)


#: The grammar that says what a number is.
_NUMBERS = grammars.path(Format.FF4.grammar)


def split_games(
    text: str,
    *,
    ggf: bool | None = None,
    more: bool = False,
    end_of: Callable[[int, bool], int | None] = lambda _start, _ggf: None,
) -> Iterator[GameSpan]:
    """Yield the games of a text and the texts between them, in order, nothing left out.

    Args:
        ggf: The games are GGF, or SGF; None to see it game by game.
        more: The text may go on; parts that this could change are left out.
        end_of: Returns the end of the game at an offset, GGF or not, if it is known without a
            search for its last bracket.
    """
    family, seen = ggf, -1  # of the game that begins there
    done = 0
    while True:
        if ggf is None and seen < done:
            family, seen = _see_family(text, done, more=more)
        if family is None:
            return
        match = lexer("ggf_opening" if family else "opening").search(text, done)
        if match is None and more:
            return
        start = len(text) if match is None else match.start()
        if start > done:
            yield GameSpan(done, start, is_game=False)
        if match is None:
            return
        done = start
        known = end_of(start, family)
        split = _find_ggf_ends if family else find_ends
        ends = split(text, start, more) if known is None else [known]
        for end in ends:
            yield GameSpan(done, end, is_game=True, ggf=family)
            done = end
            is_cut = ggf is None and end != ends[-1] and text.startswith("(;", end)
            if is_cut and _is_ggf(text, end, more=False):
                break
        if done == start:
            return


def _see_family(text: str, start: int, *, more: bool) -> tuple[bool | None, int]:
    """Return whether the next game with a node is GGF, and its offset; None: ``more`` decides."""
    opening = lexer("opening")
    match = opening.search(text, start)
    while match is not None and match[0][-1] in "()":
        match = opening.search(text, match.start() + 1)
    if match is None:
        return None if more else False, len(text)
    ggf = match[0] == "(;" and _is_ggf(text, match.start(), more=more)
    return ggf, match.start()


def find_ends(text: str, start: int, more: bool) -> list[int]:  # noqa: FBT001  # like split_games
    """Return the end of the game at ``start``; nothing if ``more`` text decides it.

    If the text ends before the game is closed, the beginning of another game (a tree with FF
    or GM in its first node) closes it; then there are several ends.
    After a '((' inside the game, a tree with FF and GM closes it, too: the '(' without a node
    is left out, with or without its ')'.
    """
    depth, before = 0, ""
    for match in lexer("outline").finditer(text, start):
        kind = match.lastgroup
        if kind == "OPEN":
            if before == "OPEN" and depth > 1:
                return _find_inner_ends(text, start, match.start(), depth, more)
            depth += 1
        elif kind == "CLOSE":
            depth -= 1
            if depth == 0:
                return [match.end()]
        elif match[0].isspace():
            continue
        before = kind or ""
    return [] if more else [*_find_restarts(text, start), len(text)]


def _find_inner_ends(text: str, start: int, at: int, depth: int, more: bool) -> list[int]:  # noqa: FBT001  # as above
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
    return [] if more else [*_find_restarts(text, start), len(text)]


def _find_restarts(text: str, start: int) -> Iterator[int]:
    """Yield the trees below the one at ``start`` whose first node has FF or GM."""
    below = text.find("(", start + 1)
    if below < 0 or all(text.find(ident, below) < 0 for ident in Group.KIND.idents):
        return
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


def _find_ggf_ends(text: str, start: int, more: bool) -> list[int]:  # noqa: FBT001  # like split_games
    opened = False
    for kind, at, end in tokenize(text, start, len(text), ggf=True):
        if kind == "GGF_CLOSE" and opened:
            return [end]
        if kind == "GGF_OPEN":
            if opened:
                return [at]
            opened = True
    return [] if more else [len(text)]


def find_root_values(
    text: str, tokens: Iterable[RawToken], format: Format | None = None
) -> dict[str, str]:
    """Return the first raw value of each property of the first node of a game that has any.

    Names are stripped of lower case: only FF decides whether ``FileFormat`` is a name.
    """
    values: dict[str, str] = {}
    name, nodes, depth = "", 0, 0
    for kind, start, end in tokens:
        depth += (kind == "OPEN") - (kind == "CLOSE")
        if kind == "SEMICOLON":
            nodes += 1
        elif kind == "IDENT":
            name = ident_of(text[start:end], format)
        elif kind in VALUES and name:
            values.setdefault(name, text[start + 1 : end - (kind not in UNCLOSED)])
        if (values and kind == "SEMICOLON") or ((values or nodes) and kind in {"OPEN", "CLOSE"}):
            break
        if kind == "CLOSE" and depth <= 0:
            break
    return values


# ---- whether there are games ----


def holds_game(text: str, table: PropertyTable, *, more: bool) -> bool | None:
    """Return whether brackets are games: with a property, or first in the text; None if ``more``
    text could tell.
    """
    first = lexer("opening").search(text)
    if first is not None and not text[: first.start()].strip():
        return True
    if lexer("game_inside").search(text) is not None:
        return True
    if more:
        return None
    return other_file(text) is None and has_property(text, Span(0, len(text)), table)


def other_file(text: str) -> str | None:
    """Return the terminal of a kind of other files that a text begins like; None without one."""
    match = lexer("other_files").match(text)
    return None if match is None else match.lastgroup


def has_property(text: str, span: Span, table: PropertyTable) -> bool:
    """Return whether the text has a property of SGF: a name and a value, not after other words."""
    name, behind, before = "", -1, ""
    for kind, start, end in tokenize(text, span.start, span.end):
        if kind == "PROP_VALUE" and start == behind and name in table.sgf_idents:
            return True
        name = text[start:end] if kind == "IDENT" and before not in {"IDENT", "STRAY"} else ""
        behind, before = end, kind
    return False
