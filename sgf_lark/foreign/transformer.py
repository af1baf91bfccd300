"""The base of the transformers: from the tree of a record to the properties of a game of FF[4]."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, NoReturn

from lark import Token
from lark.exceptions import UnexpectedInput

from sgf_lark.core import (
    Evidence,
    File,
    Finding,
    Foreign,
    Format,
    GameColumns,
    Places,
    Postfix,
    Rejected,
    Rule,
    Span,
    Tape,
    escape_text,
    format_real,
    grammars,
    guess,
    mismatch,
    parse_value,
    rows_of,
    shorten,
)

from .rules import CUT_RECORD, UNREAD_HEADER, UNREAD_LINE


class Placed(NamedTuple):
    """A property of a game, and the place in the record that says it.

    Attributes:
        raws: Its values, as FF[4] has them between brackets.
    """

    ident: str
    raws: tuple[str, ...]
    span: Span


class RecordTransformer(Postfix):
    """From the tree of a record to the properties of a game of FF[4].

    A format is a subclass: a grammar, a method for each rule of it, and rows.  The first rule is a
    record; the rules that rows name as types are those of values, and their methods return the text
    of a property, or None if there is nothing to say.  Methods are called in the order of the text.

    Attributes:
        name: The name of the format: ``"NGF"``.
        grammar: Its grammar: the path of a file, or the name of a shipped one.
        suffixes: The ends of the names of its files.
        rows: Which header becomes which property: the name of the header, the identifier, the
            rule that reads the value.  Of several rows of a property the first that has something
            to say counts.  Those of a shipped format are in ``properties.tsv``.
        game_number: That of the game in GM.
        text: The record.
        nodes, parents: The nodes after the root, and for each one the number of its parent.
        reading: The value of a header, with its place, while its rule reads it.
    """

    name: ClassVar[str]
    grammar: ClassVar[str | Path]
    suffixes: ClassVar[tuple[str, ...]] = ()
    rows: ClassVar[Sequence[tuple[str, str, str]] | None] = None
    game_number: ClassVar[str] = "1"

    def __init__(self, text: str) -> None:
        super().__init__(visit_tokens=False)
        self.text = text
        self.nodes: list[list[Placed]] = []
        self.parents: list[int] = []
        self.findings: list[Finding] = []
        self.reading: Token | None = None
        self._headers: dict[str, Token] = {}
        self._root: dict[str, Placed] = {}
        self._lost: list[tuple[str, Span]] = []
        self._refusals: list[Finding] = []
        self._games: list[Tape] = []

    # ---- reading ----

    @classmethod
    def read(cls, text: str) -> tuple[list[Tape], list[Finding]]:
        """Return the game of a record, or none, and the findings about it."""
        file = grammars.source(cls.grammar)
        start = grammars.first_rule(file)
        parser, one = grammars.structure(file, start), cls(text)
        try:
            tree = parser.parse(text)
        except UnexpectedInput as error:
            try:
                tree = parser.parse(f"{text}\n")  # its last line may have no end
            except UnexpectedInput:
                return [], [mismatch(error, parser, text)]
        one.transform(tree)
        if one._refusals:
            return [], one._refusals
        one.end_game(file)
        return one._games, one.findings  # of the same class

    @classmethod
    def choose_codec(cls, data: bytes) -> str:
        """Return the codec of a record that is not ASCII: UTF-8, or that of its header."""
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            if error.reason != "unexpected end of data":
                return guess(Evidence(cls.header_of(data)))[0]
        return "utf-8"

    @classmethod
    def header_of(cls, data: bytes) -> bytes:
        """Return the part of a file in which its letters are."""
        return data

    # ---- what methods call ----

    def say(self, header: str, value: Token | None) -> None:
        """Keep the value of a header, the first of its name."""
        if value is not None:
            self._headers.setdefault(header, value)

    def headed(self, header: str) -> str:
        """Return the text of a header; "" without it."""
        return str(self._headers.get(header, ""))

    def counted(self, header: str) -> int | None:
        """Return the number that a header is; None for any other text."""
        text = self.headed(header).strip()
        return int(text) if text.isdecimal() and len(text) <= LONGEST_NUMBER else None

    def header_token(self, header: str) -> Token | None:
        """Return the text of a header with its place; None without it."""
        return self._headers.get(header)

    def reject(self, text: str) -> NoReturn:
        """Say that a value cannot be read; it is reported, and kept in GC."""
        raise Rejected(text)

    def put(self, ident: str, value: str | Iterable[str], place: Token | Span | None) -> None:
        """Put a property into the root, if it has none of that name."""
        raws = (value,) if isinstance(value, str) else tuple(value)
        self._root.setdefault(ident, Placed(ident, raws, self._span(place)))

    def play(self, color: str, point: str, place: Token | Span, parent: int | None = None) -> None:
        """Add a node with a move, below the last one, or below another (the root is 0)."""
        self.parents.append(len(self.nodes) if parent is None else parent)
        self.nodes.append([Placed(color, (point,), self._span(place))])

    def add(
        self, node: int, ident: str, value: str | Iterable[str], place: Token | Span | None
    ) -> None:
        """Add a property to a node after the root."""
        raws = (value,) if isinstance(value, str) else tuple(value)
        if node:
            self.nodes[node - 1].append(Placed(ident, raws, self._span(place)))
        else:
            self.put(ident, raws, place)

    def remark(self, text: str, place: Token | Span | None, node: int = 0) -> None:
        """Add a text to the comment of a node; the root is 0."""
        self._join(node, "C", text, place)

    def report(self, rule: Rule, message: str, place: Token | Span | None, help_: str = "") -> None:
        """Report what is wrong with the record."""
        found = rule.found(message, self._span(place), help_, game=len(self._games))
        self.findings.append(found)

    def lose(self, what: str, place: Token | Span | None) -> None:
        """Note that the game has nothing of what stands there, the first time for each kind."""
        if all(what != other for other, _ in self._lost):
            self._lost.append((what, self._span(place)))

    def refuse(self, message: str, place: Token | Span | None, help_: str = "") -> None:
        """Report why the record cannot be read; there is no game then."""
        self._refusals.append(UNREAD_LINE.found(message, self._span(place), help_))

    def real(self, text: str) -> str:
        """Return a number without the zeros at its end; reject any other text."""
        try:
            number = Decimal(text)
        except InvalidOperation:
            self.reject(text)
        return format_real(number) if number.is_finite() else self.reject(text)

    def unread(self, line: Token | None, expected: str) -> None:
        """Report a line that is no part of the format; it is left out."""
        if line is not None and line.strip():
            message = f"{shorten(line.strip())!r} is left out: expected {expected}"
            self.report(UNREAD_LINE, message, line)

    def set_handicap(self, stones: int, header: str, side: int = 19) -> None:
        """Put the stones of a handicap on their points, in the order of the servers."""
        place = self.header_token(header)
        near = 3 if side >= SIDE_OF_FOURTH_LINE else 2
        low, middle, high = (chr(ord("a") + at) for at in (near, side // 2, side - 1 - near))
        points = {"l": low, "m": middle, "h": high}
        order = HANDICAPS.get(stones)
        if order is not None:
            self.put("HA", str(stones), place)
            self.put("AB", [points[one[0]] + points[one[1]] for one in order.split()], place)

    def _span(self, place: Token | Span | None) -> Span:
        span = span_of(place)
        return Span(min(span.start, len(self.text)), min(span.end, len(self.text)))

    def escaped(self, text: str) -> str:
        """Return a text as SGF has it between brackets."""
        return escape_text(text, Format.FF4)

    # ---- the end ----

    def end_game(self, file: File) -> None:
        """End a game; what follows is another one, with the same headers."""
        self.finish(file)
        self._games.append(self._tape())
        self.nodes, self.parents, self._root, self._lost = [], [], {}, []

    def finish(self, file: File) -> None:
        """Read the headers by the rows."""
        self.put("FF", "4", None)
        self.put("GM", self.game_number, None)
        self.put("CA", "UTF-8", None)
        rows = rows_of(self.name) if self.rows is None else self.rows
        failed: dict[str, Token] = {}
        for header, ident, kind in rows:
            token = self._headers.get(header)
            if token is None or ident in self._root or not token.strip():
                continue
            self.reading = token
            try:
                value = self.value(file, kind, str(token))
            except (Rejected, ValueError):  # a number of thousands of digits
                failed.setdefault(ident, token)
                continue
            if value:
                self.put(ident, escape_text(value, Format.FF4), token)
        for ident, token in failed.items():
            text = token.strip()
            message = f"{shorten(text)!r} cannot be read as a value of {ident}"
            if ident in self._root:
                help_ = f"{ident} is taken from another header"
            else:
                help_ = "GC of the game has it"
                self._join(0, "GC", text, token)
            self.report(UNREAD_HEADER, message, token, help_)

    def value(self, file: File, kind: str, text: str) -> Any:
        """Return the text of a property, read by a rule of the grammar; "text" is any text.

        Raises:
            Rejected: The rule does not accept it.
        """
        parser = grammars.value(file, kind)
        return text.strip() if parser is None else parse_value(parser, self, text)

    def _join(self, node: int, ident: str, text: str, place: Token | Span | None) -> None:
        raw = escape_text(text, Format.FF4)
        if not node:
            old = self._root.get(ident)
            joined = raw if old is None else f"{old.raws[0]}\n{raw}"
            self._root[ident] = Placed(
                ident, (joined,), self._span(place) if old is None else old.span
            )
            return
        content = self.nodes[node - 1]
        for at, prop in enumerate(content):
            if prop.ident == ident:
                content[at] = prop._replace(raws=(f"{prop.raws[0]}\n{raw}",))
                return
        content.append(Placed(ident, (raw,), self._span(place)))

    def _tape(self) -> Tape:
        order = [*SHOWN_FIRST, *(ident for ident in self._root if ident not in SHOWN_FIRST)]
        root = [self._root[ident] for ident in order if ident in self._root]
        parents, contents = in_order([-1, *self.parents], [root, *self.nodes])
        props = [prop for content in contents for prop in content]
        columns = GameColumns.of_nodes([(one.ident, one.raws) for one in each] for each in contents)
        starts = [prop.span.start for prop in props for _ in prop.raws]
        places = Places(
            [0, *(content[0].span.start for content in contents[1:])],
            [prop.span.start for prop in props],
            starts,
            [prop.span.end for prop in props for _ in prop.raws],
            [*accumulate((len(prop.raws) for prop in props), initial=0)],
            0,
            len(self.text),
            is_cut=True,
        )
        foreign = Foreign(self.name, self.text, tuple(self._lost))
        return Tape.given(array("q", parents), columns, places, foreign=foreign)


#: The digits of the longest number of a header.
LONGEST_NUMBER = 9

#: The order of the first properties of a root.
SHOWN_FIRST = ("FF", "GM", "CA", "SZ")

#: From this side on the stones of a handicap are on the fourth line, else on the third.
SIDE_OF_FOURTH_LINE = 13

#: The points of the stones: column and row, low, middle or high, from the left and the top.
#: Source: records of Tygem and Cyber Oro; the third stone is top left.
HANDICAPS = {
    2: "hl lh",
    3: "hl lh ll",
    4: "hl lh ll hh",
    5: "hl lh ll hh mm",
    6: "hl lh ll hh lm hm",
    7: "hl lh ll hh lm hm mm",
    8: "hl lh ll hh lm hm ml mh",
    9: "hl lh ll hh lm hm ml mh mm",
}


def span_of(place: Token | Span | None) -> Span:
    """Return the place of a token; the beginning of the record without one."""
    if place is None:
        return Span(0, 0)
    if isinstance(place, Span):
        return place
    return Span(place.start_pos or 0, place.end_pos or 0)


def check_moves(one: RecordTransformer, header: str, count: int) -> None:
    """Report a record that has fewer moves than a header says."""
    said = one.counted(header) or 0
    if count < said:
        message = f"the record says {said} moves, and has {count}"
        one.report(CUT_RECORD, message, one.header_token(header), "load the record again")


def rank_of(text: str) -> str:
    """Return a rank as SGF has it: ``"7D*"`` is ``"7d*"``, ``"9DP"`` is ``"9p"``."""
    match = _RANK.search(text)
    if match is None:
        return text.strip()
    number = str(_NUMBERS.find(match[1])) if match[1] in _NUMBERS else match[1]
    letter = "p" if match[3] or match[2] in "Pp" else "k" if match[2] in "Kk급级級" else "d"
    return f"{int(number)}{letter}{match[4]}"


_RANK = re.compile(r"([0-9]+|[初一二三四五六七八九]) *([KkDdPp급단级級段])([Pp]?) *([*?]?)")
_NUMBERS = "零初二三四五六七八九"


def in_order(
    parents: Sequence[int], contents: Sequence[list[Placed]]
) -> tuple[list[int], list[list[Placed]]]:
    """Return nodes in the order of a text of SGF: each line up to its end, then its variations."""
    children: list[list[int]] = [[] for _ in parents]
    for node, above in enumerate(parents[1:], 1):
        children[above].append(node)
    order, waiting, place = list[int](), [0], dict[int, int]()
    while waiting:
        node = waiting.pop()
        place[node] = len(order)
        order.append(node)
        waiting += reversed(children[node])
    return [place.get(parents[node], -1) for node in order], [contents[node] for node in order]
