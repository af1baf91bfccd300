"""Reading of tapes: a valid game is cut into tokens once, by one expression.

The expression is that of ``lexical.lark``; which token may follow which, and which names there are,
the grammar of the format says.  What it does not accept is left to the repair.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from sgf_lark.engine.regex import first_of
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File, by_grammar
from sgf_lark.grammar.tokens import name_pattern
from sgf_lark.model.tape import (
    CLOSE,
    CUT,
    NAME,
    NODE,
    OPEN,
    SPACE,
    STRAY,
    VALUE,
    Tape,
    find_nodes,
)
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import COLORS, ident_of

#: Characters that are cut into tokens at a time: first, and at most, but of long games as many as
#: were cut before.  The texts of the tokens of one piece are in memory, some 15 bytes a character.
FIRST_PIECE, LARGEST_PIECE = 1 << 12, 1 << 16

#: Texts below this length have offsets of four bytes, which are half of what a tape needs.
LARGEST_OF_4_BYTES = 1 << 31

#: The kinds of tokens by the terminals of lexical.lark.
KINDS = {
    "OPEN": OPEN,
    "CLOSE": CLOSE,
    "SEMICOLON": NODE,
    "IDENT": NAME,
    "PROP_VALUE": VALUE,
    "WS": SPACE,
    "GGF_OPEN": OPEN,
    "GGF_CLOSE": CLOSE,
    "GGF_VALUE": VALUE,
}


class _Kinds(dict[int, str]):
    """The kinds of tokens by the codes of their first characters."""

    def __missing__(self, code: int) -> str:
        return STRAY


class Cutter(NamedTuple):
    """The expression of a token, and the kinds of tokens by their first characters."""

    find: Callable[[str, int, int], list[str]]
    kinds: _Kinds


@cache
def cutter(start: str) -> Cutter:
    """Return the cutter for the terminals below a rule of lexical.lark."""
    terminals = grammars.terminals(grammars.path("lexical"), start)
    expression = re.compile("|".join(f"(?:{pattern})" for pattern in terminals.values()))
    kinds = _Kinds()
    for name, kind in KINDS.items():
        if name in terminals:
            kinds |= dict.fromkeys(first_of(terminals[name])[0].low, kind)
    return Cutter(expression.findall, kinds)


def _pairs_but(followers: dict[str, str]) -> tuple[str, ...]:
    """Return the pairs of kinds that no game has, beside white space, and the kinds."""
    known = "".join(followers)
    pairs = [(kind, other) for kind in followers for other in known if other not in followers[kind]]
    return (*map("".join, pairs), STRAY, CUT)


#: What no game has, by the kinds that may follow each in the grammars.
_WRONG = _pairs_but(
    {
        OPEN: NODE,
        CLOSE: OPEN + CLOSE,
        NODE: NODE + NAME + OPEN + CLOSE,
        NAME: VALUE,
        VALUE: VALUE + NAME + NODE + OPEN + CLOSE,
    }
)
_WRONG_IN_GGF = _pairs_but({OPEN: NAME + CLOSE, CLOSE: "", NAME: VALUE, VALUE: NAME + CLOSE})


def begins_node(name: str) -> bool:
    """Return whether a name begins a node of GGF."""
    return ident_of(name, Format.GGF) in COLORS


class TapeReader:
    """The reader of the valid games of a text.

    Args:
        text: The text.
        ggf: Its games are GGF.
    """

    def __init__(self, text: str, *, ggf: bool) -> None:
        self.text = text
        self.ggf = ggf
        self._cutter = cutter("ggf_tokens" if ggf else "tokens")
        self._wrong = _WRONG_IN_GGF if ggf else _WRONG
        # the tokens that were cut, up to the end of a piece
        self._start = 0
        self._ends = self._none = array("i" if len(text) < LARGEST_OF_4_BYTES else "q")
        self._kinds = ""
        self._piece = 0

    # ---- tokens ----

    def _go_to(self, offset: int) -> int:
        """Return the number of the token that begins at an offset; nothing before it is needed."""
        ends = self._ends
        if offset == self._start and ends:
            return 0
        at = bisect_left(ends, offset)
        if at < len(ends) and ends[at] == offset and at + 1 < len(ends):
            return at + 1
        self._start, self._ends, self._kinds, self._piece = offset, self._none[:], "", FIRST_PIECE
        self._cut()
        return 0

    def _start_of(self, token: int) -> int:
        return self._ends[token - 1] if token else self._start

    def _forget(self, count: int) -> None:
        """Forget the first tokens."""
        if count:
            self._start = self._ends[count - 1]
            self._ends, self._kinds = self._ends[count:], self._kinds[count:]

    def _cut(self) -> bool:
        """Cut one more piece into tokens; return False at the end of the text."""
        text, at = self.text, self._ends[-1] if self._ends else self._start
        if at >= len(text):
            return False
        piece = max(self._piece, (at - self._start) >> 3)
        while True:
            end = at + piece
            tokens = self._cutter.find(text, at, end)
            if end >= len(text) or len(tokens) > 1:
                break
            piece *= 2
        if end < len(text):
            tokens.pop()  # more text may be of it
        self._piece = min(piece * 4, LARGEST_PIECE)
        _, *ends = accumulate(map(len, tokens), initial=at)
        self._ends.fromlist(ends)
        self._kinds += "".join([token[0] for token in tokens]).translate(self._cutter.kinds)
        return True

    # ---- games ----

    def read(self, start: int) -> Tape | None:
        """Return the tape of the game that begins at an offset; None if it is not valid.

        Names are not looked at.
        """
        first = self._go_to(start)
        last = self._end_of_ggf(first) if self.ggf else self._end_of(first)
        if last is None:
            return None
        count, first = last
        kinds = self._kinds[first:count]
        if self._is_wrong(kinds):
            return None
        at = self._start_of(first)
        ends = self._ends[first:count]
        nodes = find_nodes(kinds, self.text, at, ends, begins_node) if self.ggf else ()
        return Tape(self.text, at, ends, kinds, *nodes)

    def head(self, start: int) -> Tape | None:
        """Return the first nodes of the game at an offset: those before its first closing bracket.

        None if it has no node.  They are as they are there, valid or not.
        """
        first = self._go_to(start)
        while self._kinds.count(NODE, first) <= MAX_HEAD_NODES and CLOSE not in self._kinds[first:]:
            self._forget(first)
            first = 0
            if not self._cut():
                return None
        end = self._kinds.index(CLOSE, first) if CLOSE in self._kinds[first:] else len(self._kinds)
        nodes = array("q", [at - first for at in range(first, end) if self._kinds[at] == NODE])
        del nodes[MAX_HEAD_NODES + 1 :]
        if len(nodes) <= MAX_HEAD_NODES:
            nodes.append(end - first)
        if len(nodes) < 2:  # noqa: PLR2004  # a node and its end
            return None
        last = first + nodes[-1]
        at, parents = self._start_of(first), array("q", range(-1, len(nodes) - 2))
        return Tape(self.text, at, self._ends[first:last], self._kinds[first:last], nodes, parents)

    def is_wrong(self, tape: Tape, node: int) -> bool:
        """Return whether the nodes of a head, up to and including one, break the grammar."""
        kinds = tape.kinds[: tape.nodes[node + 1]].rstrip(SPACE + OPEN)
        return self._is_wrong(kinds + CLOSE)

    def _is_wrong(self, kinds: str) -> bool:
        in_order = kinds.replace(SPACE, "")
        return any(map(in_order.__contains__, self._wrong))

    def _end_of(self, first: int) -> tuple[int, int] | None:
        """Return the token after the bracket that closes a tree, and the first one of the tree."""
        depth, at = 0, first
        while True:
            for found in _BRACKET.finditer(self._kinds, at):
                depth += 1 if found[0] == OPEN else -1
                if depth <= 0:
                    return found.end(), first
            at = len(self._kinds) - first
            self._forget(first)
            first = 0
            if not self._cut():
                return None

    def _end_of_ggf(self, first: int) -> tuple[int, int] | None:
        """Return the same of a game that does not nest."""
        at = first
        while True:
            close = self._kinds.find(CLOSE, at)
            if close >= 0:
                end = self._ends[close]
                is_game = (
                    self.text.startswith("(;", self._start_of(first))
                    and end - self._ends[close - 1] > 1
                )
                return (close + 1, first) if is_game else None
            at = len(self._kinds) - first
            self._forget(first)
            first = 0
            if not self._cut():
                return None


_BRACKET = re.compile(r"[()]")

#: Most nodes that are read for the game info before the game is read to its end.
MAX_HEAD_NODES = 8


#: The rule of a game, and the format whose grammar has the usual one.
_USUAL_GAMES = {"game_tree": Format.FF4, "game": Format.GGF}


def is_usual(file: File) -> bool:
    """Return whether games and nodes of a grammar are those of the standards, save for names."""
    usual = usual_game(file)
    return usual is not None and usual.differing is None


class UsualGame(NamedTuple):
    """The games of the standards that those of a grammar are compared with.

    Attributes:
        format: The format.
        differing: A rule, terminal or directive that differs from the format's; None if none does.
    """

    format: Format
    differing: str | None


@by_grammar
def usual_game(file: File) -> UsualGame | None:
    """Return the games that a grammar may have; None if it has no rule of games."""
    rules = grammars.rules(file)
    for start, format_ in _USUAL_GAMES.items():
        if start in rules:
            own, usual = _form(file, start), _form(grammars.path(format_.grammar), start)
            differing = [name for name in own | usual if own.get(name) != usual.get(name)]
            # Rules tell most, before terminals, directives, and rules that Lark makes for loops.
            differing.sort(key=lambda name: not name.islower() or name.startswith(("_", "%")))
            return UsualGame(format_, differing[0] if differing else None)
    return None


def _form(file: File, start: str) -> dict[str, list[str]]:
    """Return the rules of a structure, and its terminals without those of names."""
    lark = grammars.structure(file, start)
    form: dict[str, list[str]] = {"%ignore": sorted(lark.ignore_tokens)}
    for rule in lark.rules:
        expansion = " ".join(symbol.name for symbol in rule.expansion)
        form.setdefault(str(rule.origin.name), []).append(expansion)
    for terminal in lark.terminals:
        form[terminal.name] = [terminal.pattern.to_regexp()]
    form.pop("PROP_IDENT", None)
    return {name: sorted(parts) for name, parts in form.items()}


def allows(file: File, names: Iterable[str]) -> bool:
    """Return whether a grammar allows names of properties."""
    return all(map(name_pattern(file).fullmatch, names))
