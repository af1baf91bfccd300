"""Broken games: their tokens are mended, and become tapes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import File
from sgf_lark.core.grammar.tokens import RawToken, name_pattern
from sgf_lark.core.model.tape import (
    CLOSE,
    NAME,
    NODE,
    OPEN,
    VALUE,
    GameColumns,
    Places,
    Tape,
    begins_node,
    find_parents,
)
from sgf_lark.core.schema.formats import Format

from .repair import mend_ggf, mend_sgf


def mend_game(
    text: str, tokens: list[RawToken], format: Format, most: int | None = None
) -> tuple[list[Tape], list[Finding]]:
    """Mend a game so that the grammar of its format accepts it: none if nothing is left of it,
    several if one pair of brackets held them together, and the findings.
    """
    file = grammars.path(format.grammar)
    games, findings = mend_tokens(text, tokens, format, file, most)
    return [mended_tape(text, one, ggf=format is Format.GGF) for one in games], findings


def mend_tokens(
    text: str, tokens: list[RawToken], format: Format, file: File, most: int | None
) -> tuple[list[list[RawToken]], list[Finding]]:
    """Do the same for a grammar of that format, and return the tokens of each game."""
    mend = mend_ggf if format is Format.GGF else mend_sgf
    return mend(text, tokens, name_pattern(file), format, most)


#: The mark of a token and its place.
PlacedMark: TypeAlias = tuple[str, int, int]


def tape_of_tokens(
    text: str,
    tokens: Sequence[PlacedMark],
    parents: array[int] | None = None,
    *,
    ggf: bool = False,
    is_clean: bool = True,
) -> Tape:
    """Return the tape of tokens in their order; ``is_clean``: nothing is between them."""
    nodes, bounds = list[int](), list[int]()
    names, name_places = list[str](), list[int]()
    opens, closes, firsts = list[int](), list[int](), list[int]()
    marks = list[str]()
    for mark, start, end in tokens:
        if mark == NAME:
            name = text[start:end]
            if ggf and begins_node(name):
                marks.append(NODE)
                nodes.append(start)
                bounds.append(len(names))
            names.append(name)
            name_places.append(start)
            firsts.append(len(opens))
        elif mark in VALUE + CUT:
            opens.append(start + 1)
            closes.append(end - (mark == VALUE))
        else:
            marks.append(mark)
            if mark == NODE or (ggf and mark == OPEN):
                marks.append(NODE * ggf)
                nodes.append(end - 1 if ggf else start)
                bounds.append(len(names))
    bounds.append(len(names))
    firsts.append(len(opens))
    is_cut = any(mark == CUT for mark, *_ in tokens)
    raws = [*map(text.__getitem__, map(slice, opens, closes))]
    values = [tuple(raws[first:last]) for first, last in pairwise(firsts)]
    if parents is None:
        parents = find_parents("".join(marks))
    start, end = (tokens[0][1], tokens[-1][2]) if tokens else (0, 0)
    return Tape.given(
        parents,
        GameColumns(names, values, bounds),
        Places(nodes, name_places, opens, closes, firsts, start, end, is_cut),
        is_clean=is_clean and not is_cut and all(start < end for _, start, end in tokens),
    )


#: The marks of mended tokens; :data:`CUT` is a value that the end of the text cuts off.
CUT = "u"
_MENDED = {
    "_OPEN": OPEN,
    "_CLOSE": CLOSE,
    "_SEMICOLON": NODE,
    "_START": OPEN,
    "_END": CLOSE,
    "PROP_IDENT": NAME,
    "PROP_VALUE": VALUE,
    "UNCLOSED": CUT,
}


def mended_tape(text: str, tokens: Iterable[RawToken], *, ggf: bool) -> Tape:
    """Return the tape of mended tokens of a text; an inserted one is empty."""
    placed = [(_MENDED[kind], start, end) for kind, start, end in tokens]
    gaps = (text[end:start] for (_, _, end), (_, start, _) in pairwise(placed))
    is_clean = all(not gap or gap.isspace() for gap in gaps)
    return tape_of_tokens(text, placed, ggf=ggf, is_clean=is_clean)
