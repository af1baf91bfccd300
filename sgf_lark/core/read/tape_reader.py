"""Reading of tapes: a valid game is a part of a text that one split cuts into heads and values.

The terminals are those of ``lexical.lark``; what may follow what, and which names there are, the
grammar of the format says.  What it does not accept is left to the repair.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import File, by_grammar
from sgf_lark.core.grammar.tokens import name_pattern
from sgf_lark.core.model.tape import (
    CLOSE,
    CLOSING,
    NODE,
    OPEN,
    VALUE,
    WRONG,
    Tape,
    find_node_mark,
    splitter,
)
from sgf_lark.core.schema.formats import Format

#: Characters that are split at a time: first, and at most, but of long games as many as were
#: split before.  Heads and values of one piece are in memory, some 10 bytes a character.
FIRST_PIECE, LARGEST_PIECE = 1 << 14, 1 << 16

#: Most nodes that are read for the game info before the game is read to its end.
MAX_FIRST_NODES = 8

_BRACKET = re.compile(r"[()]")


class TapeReader:
    """The reader of the valid games of a text."""

    def __init__(self, text: str, *, ggf: bool) -> None:
        self.text = text
        self._by = splitter("ggf_tokens" if ggf else "tokens")
        self._open = "(;" if ggf else "("
        self._begin_at(0)

    def _begin_at(self, start: int) -> None:
        self._piece = FIRST_PIECE
        # heads and values of a piece of the text, the end of that, the marks of its last head
        self._parts, self._end, self._tail = [""], start, 0
        # the marks of the game and of the piece, and where the piece begins
        self._marks, self._before = "", 0
        # where the next game may begin: its offset, its mark, its head, and the offset of that
        self._at, self._mark, self._part, self._head = start, 0, 0, start

    # ---- games ----

    def read(self, start: int) -> Tape | None:
        """Return the tape of the game at an offset; None if it is not valid, names aside."""
        if not self.text.startswith(self._open, start):
            return None
        if not self._is_at_hand(start):
            self._begin_at(start)
            self._split_more()
        found = self._find_end()
        if not found:
            self._begin_at(start)
            return None
        marks, parts = self._marks[self._mark : found], self._parts
        is_here = self._mark >= self._before  # all of it is in this piece
        first = max(self._mark, self._before)
        part = self._part + 2 * self._marks.count(VALUE, first, found)
        head = self._head + sum(map(len, parts[self._part : part]))
        last = max(self._marks.rfind(VALUE, first, found) + 1, first)
        closing = self._marks.count(CLOSE, last, found)
        begin = start if is_here and part == self._part else head
        stop = self._end_of(begin, head + len(parts[part]), closing)
        own = None
        if is_here:
            own = [self.text[begin:stop]]
            if part > self._part:
                first_end = self._head + len(parts[self._part])
                own = [self.text[start:first_end], *parts[self._part + 1 : part], *own]
        self._at, self._mark, self._part, self._head = stop, found, part, head
        return None if WRONG in marks else Tape(self.text, start, stop, marks, self._by, parts=own)

    def _is_at_hand(self, start: int) -> bool:
        """Return whether a game begins in the head that was read last; go there."""
        if not self._at <= start < self._head + len(self._parts[self._part]):
            return False
        mark = self._mark - 1
        for _ in range(self.text.count(self._open, self._at, start) + 1):
            mark = self._marks.find(OPEN, mark + 1)
            if mark < 0:
                return False
        self._at, self._mark = start, mark
        return True

    def _end_of(self, start: int, end: int, closing: int) -> int:
        for token in self._by.tokens(self.text, start, end):
            closing -= token.lastgroup in CLOSING
            if not closing:
                return token.end()
        return end

    def _split_more(self) -> bool:
        if self._end >= len(self.text):
            return False
        if self._part == len(self._parts) - 1:
            start, marks = self._at, ""
        else:
            start = self._end - len(self._parts[-1])
            marks = self._marks[self._mark : len(self._marks) - self._tail]
        self._end = min(start + max(2 * (self._end - start), self._piece), len(self.text))
        self._piece = min(self._piece * 4, LARGEST_PIECE)
        self._parts = self._by.split(self.text[start : self._end])
        of_heads = [self._by.heads[head].marks for head in self._parts[::2]]
        self._marks, self._before = marks + VALUE.join(of_heads), len(marks)
        self._tail, self._mark, self._part, self._head = len(of_heads[-1]), 0, 0, start
        return True

    def _find_end(self) -> int:
        """Return the number of marks up to the bracket that closes the game; 0 without it."""
        depth, at = 0, self._mark
        while True:
            marks = self._marks
            is_all = self._end >= len(self.text)
            end = len(marks) - (0 if is_all else self._tail)  # more text may be of the last head
            for found in _BRACKET.finditer(marks, at, end):
                depth += 1 if found[0] == OPEN else -1
                if depth <= 0:
                    return found.end()
            at = max(at, end) - self._mark
            if not self._split_more():
                return 0

    # ---- first nodes ----

    def first_nodes(self, start: int) -> Tape | None:
        """Return the nodes before the first closing bracket, valid or not; None for none."""
        piece, text = FIRST_PIECE, self.text
        while True:
            parts = self._by.split(text[start : start + piece])
            is_all = start + piece >= len(text)
            if not is_all:
                parts[-1] = ""  # more text may be of it
            marks = self._by.marks(parts)
            end = marks.find(CLOSE)
            if end >= 0 or marks.count(NODE) > MAX_FIRST_NODES:
                break
            if is_all:
                return None
            piece *= 4
        if end >= 0:
            marks = marks[:end]
            number = 2 * marks.count(VALUE)
            parts[number:] = [parts[number].partition(CLOSE)[0]]
        if NODE not in marks:
            return None
        stop = start + sum(map(len, parts))
        return Tape(text, start, stop, marks, self._by, parts=parts).first_nodes(MAX_FIRST_NODES)

    def is_wrong(self, tape: Tape, node: int) -> bool:
        """Return whether first nodes of a game, up to and including one, break the grammar."""
        marks, last = tape.marks, node + 1
        return WRONG in (marks if last >= len(tape) else marks[: find_node_mark(marks, last + 1)])


#: The rule of a game, and the format whose grammar has the usual one.
_USUAL_GAMES = {"game_tree": Format.FF4, "game": Format.GGF}


@by_grammar
def is_usual(file: File) -> bool:
    """Return whether games and nodes of a grammar are those of the standards, save for names."""
    rules = grammars.rules(file)
    for start, format_ in _USUAL_GAMES.items():
        if start in rules:
            return _form(file, start) == _form(grammars.path(format_.grammar), start)
    return False


def _form(file: File, start: str) -> dict[str, list[str]]:
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
    return all(map(name_pattern(file).fullmatch, names))
