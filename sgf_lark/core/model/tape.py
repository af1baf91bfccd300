"""The tape: the nodes of a game in columns, in the order of the text.

A valid game is a part of a text, and is cut into heads and values by one split: a value has its
brackets, a head is all that stands between two values, as ``;B`` or ``)(;W``.  Real files have
some hundred different heads, so that what each says is remembered.  The columns of names and
values are made of them when somebody asks, and so are the places.

Games from data, from Lark's trees, of mended tokens and of finished drafts are the same columns,
which are at hand; of their places they have what their source tells.
"""

from __future__ import annotations

import re
import weakref
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate, chain, pairwise
from operator import add, itemgetter
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.tokens import lexer, split_values
from sgf_lark.core.memo import Memo
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import COLORS, ident_of

#: The marks of a game: brackets of trees, the beginning of a node, a name, a value; and a place
#: where it breaks the grammar.
OPEN, CLOSE, NODE, NAME, VALUE, WRONG = "();n[x"
SPACE = " "

#: A property as it is in a text: its name, and the texts between its brackets.
Pair: TypeAlias = tuple[str, tuple[str, ...]]

#: The values of a property: with their brackets, as a text has them, or each without.
Values: TypeAlias = str | tuple[str, ...]

#: A property with its values as they are at hand.
Said: TypeAlias = tuple[str, Values]

#: Games whose columns are kept when others are looked at.
MAX_RECENT = 1 << 3

#: Limits of the heads that are remembered, and of their characters.
MAX_HEADS, LONGEST_HEAD = 1 << 12, 1 << 6

#: Characters of a text that are split at a time, and strings that are one if they are alike.
LONGEST_PIECE, MAX_ALIKE = 1 << 16, 1 << 12

_BRACKETS = re.compile(r"([()])")

#: The marks by the terminals of lexical.lark; white space has none.
_MARKS = {
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

#: The terminals that close a tree.
CLOSING = frozenset(name for name, mark in _MARKS.items() if mark == CLOSE)

#: Which marks may follow one another in the grammars.
_FOLLOWERS = {
    OPEN: NODE,
    CLOSE: OPEN + CLOSE,
    NODE: NODE + NAME + OPEN + CLOSE,
    NAME: VALUE,
    VALUE: VALUE + NAME + NODE + OPEN + CLOSE,
}
_FOLLOWERS_IN_GGF = {OPEN: NAME + CLOSE, CLOSE: "", NAME: VALUE, VALUE: NAME + OPEN + CLOSE}


class Head(NamedTuple):
    """A head: all that stands between two values.

    Attributes:
        marks: The marks of its tokens, with :data:`WRONG` where two may not follow one another.
        name: The name of the property whose first value comes next; "" if there is none.
        name_at: The offset of the name.
        nodes: The offsets of the nodes that begin in it.
        length: Characters of the head.
    """

    marks: str
    name: str
    name_at: int
    nodes: tuple[int, ...]
    length: int


class Splitter:
    """Cuts texts into heads and values by a rule of lexical.lark: of SGF or of GGF."""

    def __init__(self, start: str) -> None:
        terminals = grammars.terminals(grammars.path("lexical"), start)
        value = next(one for name, one in terminals.items() if _MARKS.get(name) == VALUE)
        unclosed = next(one for name, one in terminals.items() if "UNCLOSED" in name)
        self._start = start
        self._ggf = "GGF_OPEN" in terminals
        self._followers = _FOLLOWERS_IN_GGF if self._ggf else _FOLLOWERS
        self._split = re.compile(f"({value})").split
        self._split_with_unclosed = re.compile(f"({value}|{unclosed})").split
        self._is_value = re.compile(value).fullmatch
        self.tokens = lexer(start).finditer
        self.heads = _Heads(self._read, MAX_HEADS)

    def __reduce__(self) -> tuple[Any, ...]:
        return splitter, (self._start,)

    def _read(self, text: str) -> Head:
        marks, before, name, name_at, nodes = list[str](), VALUE, "", 0, list[int]()
        for token in self.tokens(text):
            mark, at = _MARKS.get(token.lastgroup or "", WRONG), token.start()
            if mark == SPACE:
                continue
            if mark not in self._followers.get(before, ""):
                marks.append(WRONG)
            name, name_at, before = token[0] if mark == NAME else "", at, mark
            is_node = mark == (OPEN if self._ggf else NODE)
            if not name and (self._ggf or not is_node):
                marks.append(mark)
            if is_node or (self._ggf and name and begins_node(name)):
                marks.append(NODE)
                nodes.append(token.end() - 1 if is_node else at)  # at the ";" of "(;"
        if name:
            marks.append(NAME)
        elif VALUE not in self._followers.get(before, ""):
            marks.append(WRONG)
        return Head("".join(marks), name, name_at, tuple(nodes), len(text))

    def split(self, text: str) -> list[str]:
        """Return heads and values by turns: the first and the last one are heads.

        Of brackets that nothing closes the first one is looked at, and no other.  Without a look at
        the end, whether there may be any, reading 561 real files takes 15 % longer.
        """
        last = text.rfind("]")
        if text.find("[", last + 1) < 0 and text[last - 1 : last] != "\\":
            return self._split(text)
        parts = self._split_with_unclosed(text)
        if not parts[-1] and len(parts) > 1 and not self._is_value(parts[-2]):
            parts[-3:] = [parts[-3] + parts[-2]]
        return parts

    def cut(self, text: str, start: int, stop: int) -> list[str]:
        """Return heads and values of a part, from and to outside of values; piece by piece."""
        parts: list[str] = []
        same: dict[str, str] = {}
        size = LONGEST_PIECE
        while stop - start > size:
            piece = self.split(text[start : start + size])
            piece.pop()  # more text may be of the last head
            size = LONGEST_PIECE if piece else 2 * size
            parts += map(same.setdefault, piece, piece)
            start += sum(map(len, piece))
            if len(same) > MAX_ALIKE:
                same.clear()
        return parts + self.split(text[start:stop])

    def marks(self, parts: list[str]) -> str:
        heads = self.heads
        return VALUE.join([heads[head][0] for head in parts[::2]])


class _Heads(Memo[str, Head]):
    """The heads of texts; long ones are not kept."""

    def __missing__(self, head: str) -> Head:
        return super().__missing__(head) if len(head) <= LONGEST_HEAD else self._make(head)


@cache
def splitter(start: str) -> Splitter:
    return Splitter(start)


def begins_node(name: str) -> bool:
    return ident_of(name, Format.GGF) in COLORS


class GameColumns:
    """The properties of a game, column by column.

    Attributes:
        values: Their values, each as :data:`Said` has them.
        bounds: For each node the number of its first property, and at the end that of all.
        firsts: For each property the number of its first value among all, and at the end that of
            all; None if each has one value.
        heads, singles: Those of a text: what each head says, and its values one by one.
    """

    __slots__ = ("bounds", "firsts", "heads", "names", "places", "singles", "values")

    def __init__(
        self,
        names: list[str],
        values: Sequence[Values],
        bounds: Sequence[int],
        firsts: Sequence[int] | None = None,
        heads: Sequence[Head] = (),
        singles: Sequence[str] = (),
    ) -> None:
        self.names, self.values, self.bounds, self.firsts = names, values, bounds, firsts
        self.heads, self.singles = heads, singles
        self.places: TextPlaces | None = None

    @classmethod
    def of_parts(cls, parts: list[str], by: Splitter) -> GameColumns:
        heads = [*map(by.heads.__getitem__, parts[::2])]
        names, values = [head[1] for head in heads], parts[1::2]
        names.pop()
        if "" not in names:
            nodes = array("q", [at for at, head in enumerate(heads) for _ in head[3]])
            nodes.append(len(names))
            return cls(names, values, nodes, None, heads, values)
        firsts = [at for at, name in enumerate(names) if name]
        before = [*accumulate(map(bool, names), initial=0)]
        bounds = [before[at] for at, head in enumerate(heads) for _ in head[3]]
        bounds.append(len(firsts))
        firsts.append(len(names))
        joined = [
            values[first] if end == first + 1 else "".join(values[first:end])
            for first, end in pairwise(firsts)
        ]
        return cls([*filter(None, names)], joined, array("q", bounds), firsts, heads, values)

    @classmethod
    def of_nodes(cls, nodes: Iterable[Iterable[Said]]) -> GameColumns:
        contents = [[*node] for node in nodes]
        said = [*chain.from_iterable(contents)]
        bounds = [*accumulate(map(len, contents), initial=0)]
        return cls([name for name, _ in said], [values for _, values in said], bounds)

    def first_nodes(self, count: int) -> GameColumns:
        last = self.bounds[count]
        return GameColumns(self.names[:last], self.values[:last], self.bounds[: count + 1])


class Places(NamedTuple):
    """The places of a game in a file, as offsets.

    Attributes:
        nodes: For each node that of its ``;``.
        opens, closes: For each value those of what is between its brackets: start and end.
        is_cut: The last value has no bracket at its end.
    """

    nodes: Sequence[int]
    names: Sequence[int]
    opens: Sequence[int]
    closes: Sequence[int]
    firsts: Sequence[int]
    start: int
    end: int
    is_cut: bool = False

    def moved(self, by: int) -> Places:
        nodes, names, opens, closes = ([at + by for at in column] for column in self[:4])
        return Places(
            nodes, names, opens, closes, self.firsts, self.start + by, self.end + by, self.is_cut
        )

    def first_nodes(self, columns: GameColumns, count: int) -> Places:
        last = columns.bounds[count]
        end = self.property_end(last - 1, columns) if last else self.nodes[0] + 1
        return self._replace(
            nodes=self.nodes[:count], names=self.names[:last], end=max(end, self.nodes[count - 1])
        )

    def value(self, number: int) -> Span:
        """Return the span between the brackets of a value."""
        return Span(self.opens[number], self.closes[number])

    def name(self, number: int) -> int:
        return self.names[number]

    def property_end(self, number: int, columns: GameColumns) -> int:
        first, last = self.firsts[number], self.firsts[number + 1]
        if first == last:
            return self.names[number] + len(columns.names[number])
        return self.closes[last - 1] + (not self.is_cut or last < len(self.closes))


class TextPlaces:
    """The places of a game in its text, as those of :class:`Places`: few are asked for."""

    def __init__(self, columns: GameColumns, span: Span) -> None:
        self._heads, singles = columns.heads, columns.singles
        lengths = map(add, map(_LENGTH, self._heads), chain(map(len, singles), (0,)))
        #: Where each head begins.
        self._starts: array[int] = array("q", accumulate(lengths, initial=span.start))
        count = len(singles)
        self.firsts = range(count + 1) if columns.firsts is None else columns.firsts

    @cached_property
    def nodes(self) -> Sequence[int]:
        heads = zip(self._starts, self._heads)  # noqa: B905  # the last one is the end
        return array("q", [at + one for at, head in heads for one in head.nodes])

    @cached_property
    def names(self) -> Sequence[int]:
        return array("q", map(self.name, range(len(self.firsts) - 1)))

    def value(self, number: int) -> Span:
        starts = self._starts
        return Span(starts[number] + self._heads[number].length + 1, starts[number + 1] - 1)

    def name(self, number: int) -> int:
        first = self.firsts[number]
        return self._starts[first] + self._heads[first].name_at

    def property_end(self, number: int, _: GameColumns) -> int:
        return self._starts[self.firsts[number + 1]]


_LENGTH = itemgetter(4)  # of a head


class Foreign(NamedTuple):
    """A record in another format, read as a game of FF[4], and what the game has ``lost`` of it."""

    format: str
    text: str
    lost: tuple[tuple[str, Span], ...] = ()


class Tape:
    """The nodes of a game, in the order of the text.

    Attributes:
        text: The text with the game, from ``start`` to ``stop``; "" without one.
        marks: What the game is made of, a character each; see :data:`OPEN`.  "" without a text.
        is_clean: Nothing was left out, inserted or cut off to read it.
        parents: For each node the number of its parent, -1 for the root.
        foreign: Of a record in another format: what it was.
    """

    __slots__ = (
        "__weakref__", "_columns", "_parents", "_parts", "_places", "_shift", "foreign", "is_clean",
        "marks", "split_by", "start", "stop", "text",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        start: int,
        stop: int,
        marks: str,
        split_by: Splitter | None,
        *,
        shift: int = 0,
        parts: list[str] | None = None,
        parents: array[int] | None = None,
        columns: GameColumns | None = None,
        places: Places | None = None,
        is_clean: bool = True,
        foreign: Foreign | None = None,
    ) -> None:
        self.foreign = foreign
        self.text, self.start, self.stop, self.marks = text, start, stop, marks
        self.split_by = split_by
        self.is_clean = is_clean
        self._shift = shift  # of the text in its file
        self._parts = parts
        self._parents, self._columns, self._places = parents, columns, places
        if parts is not None:
            self._keep()

    @classmethod
    def given(
        cls,
        parents: array[int],
        columns: GameColumns,
        places: Places | None = None,
        *,
        is_clean: bool = True,
        foreign: Foreign | None = None,
    ) -> Tape:
        """Return the tape of columns that no text has as they are, perhaps with places."""
        return cls(
            "", 0, 0, "", None,
            parents=parents, columns=columns, places=places, is_clean=is_clean, foreign=foreign,
        )  # fmt: skip

    @classmethod
    def written(
        cls,
        parents: array[int],
        nodes: Iterable[Iterable[Pair]],
        spans: Sequence[Sequence[tuple[int, int]]] = (),
    ) -> Tape:
        """Return the tape of nodes that are in no text, perhaps with ``spans`` in some text."""
        columns = GameColumns.of_nodes(nodes)
        return cls.given(parents, columns, _places_of(columns, spans) if spans else None)

    @property
    def columns(self) -> GameColumns:
        """The properties, column by column; those of the last games that were asked are kept."""
        columns = self._columns
        if columns is None and self.split_by is not None:
            columns = self._columns = GameColumns.of_parts(self.parts, self.split_by)
            if self._parts is None:
                self._keep()
            self._parts = None  # the columns have all of it
        return columns or _NOTHING

    @property
    def parts(self) -> list[str]:
        """Heads and values of its text, by turns; none without a text."""
        if self._parts is None and self.split_by is not None:
            return self.split_by.cut(self.text, self.start, self.stop)
        return self._parts or []

    def _keep(self) -> None:
        _RECENT.append(weakref.ref(self))
        if len(_RECENT) > MAX_RECENT:  # of each thread at most one more
            old = _RECENT.popleft()()
            if old is not None:
                old._parts = old._columns = None  # noqa: SLF001  # a tape, too

    def __len__(self) -> int:
        return self.marks.count(NODE) if self._parents is None else len(self._parents)

    @property
    def parents(self) -> array[int]:
        if self._parents is None:
            self._parents = find_parents(self.marks)
        return self._parents

    def first_nodes(self, count: int) -> Tape:
        """Return the tape of the first nodes; of all if there are no more."""
        if count >= len(self):
            return self
        parents = self.parents[:count]
        if self.split_by is None:
            columns, places = self.columns, self._places
            first = None if places is None else places.first_nodes(columns, count)
            first_columns = columns.first_nodes(count)
            return self._again(parents, first_columns, first)
        marks = self.marks[: find_node_mark(self.marks, count + 1)]
        marks = marks[: max(marks.rfind(VALUE), marks.rfind(NODE)) + 1]
        offsets, last = self._offsets(), marks.count(VALUE) - 1
        end = offsets.nodes[count - 1] if marks.endswith(NODE) else offsets.value(last).end
        stop = end + 1 - self._shift
        by, shift = self.split_by, self._shift
        return Tape(self.text, self.start, stop, marks, by, shift=shift, parents=parents)

    def _again(self, parents: array[int], columns: GameColumns, places: Places | None) -> Tape:
        return Tape.given(parents, columns, places, is_clean=self.is_clean, foreign=self.foreign)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the tape with its own part of the text."""
        if self.split_by is None:
            columns = self.columns
            own = (columns.names, columns.values, columns.bounds, columns.firsts)
            return _given, (self._parents, own, self._places, self.is_clean, self.foreign)
        text, shift = self.text[self.start : self.stop], self._shift + self.start
        return _again, (text, self.marks, self.split_by, shift, self._parents)

    # ---- nodes and properties ----

    def said(self, node: int) -> list[Said]:
        columns = self.columns
        at, end = columns.bounds[node], columns.bounds[node + 1]
        return [*zip(columns.names[at:end], columns.values[at:end])]  # noqa: B905  # as many

    def pairs(self, node: int) -> list[Pair]:
        """Return the properties of a node: names, and the texts between the brackets."""
        return [(name, raws_of(values)) for name, values in self.said(node)]

    def each(self) -> Iterator[list[Pair]]:
        columns = self.columns
        pairs = [*zip(columns.names, map(raws_of, columns.values))]  # noqa: B905  # as many
        for at, end in pairwise(columns.bounds):
            yield pairs[at:end]

    def names(self) -> dict[str, None]:
        return dict.fromkeys(self.columns.names)

    def having(self, names: Collection[str]) -> list[int]:
        """Return the node of each property that has one of some names, in the order of the text."""
        columns = self.columns
        places = [at for at, name in enumerate(columns.names) if name in names]
        return [bisect_right(columns.bounds, at) - 1 for at in places]

    # ---- places ----

    @property
    def has_places(self) -> bool:
        """The nodes are in the text of a file, or of data that tell their places."""
        return self.split_by is not None or self._places is not None

    @property
    def span(self) -> Span:
        if self.split_by is not None:
            return Span(self.start + self._shift, self.stop + self._shift)
        return Span(0, 0) if self._places is None else Span(self._places.start, self._places.end)

    def moved(self, by: int) -> Tape:
        """Return the same tape, whose text begins at another offset of its file."""
        if self.split_by is None:
            places = None if self._places is None else self._places.moved(by)
            return self._again(self.parents, self.columns, places)
        at = self.text, self.start, self.stop, self.marks, self.split_by
        return Tape(*at, shift=self._shift + by, parents=self._parents)

    def _offsets(self) -> Places | TextPlaces:
        columns = self.columns
        if self._places is not None:
            return self._places
        if columns.places is None:
            columns.places = TextPlaces(columns, self.span)
        return columns.places

    def value(self, node: int, place: int, index: int) -> Span:
        """Return the span between the brackets of a value: numbers of node, property and value."""
        places = self._offsets()
        return places.value(places.firsts[self.columns.bounds[node] + place] + index)

    def every_value(self) -> Iterator[Span]:
        places = self._offsets()
        return map(places.value, range(places.firsts[-1]))

    def property(self, node: int, place: int) -> Span:
        places, number = self._offsets(), self.columns.bounds[node] + place
        return Span(places.name(number), places.property_end(number, self.columns))

    def name(self, node: int, place: int, length: int) -> Span:
        """Return the span of a property's name, which has ``length`` characters."""
        start = self._offsets().name(self.columns.bounds[node] + place)
        return Span(start, start + length)

    def node(self, node: int, properties: int) -> Span:
        """Return the span of a node, from its ``;`` to its last bracket."""
        if not node and self.split_by is not None:
            start = self.span.start + self.columns.heads[0].nodes[0]
        else:
            start = self._offsets().nodes[node]
        return Span(start, self.property(node, properties - 1).end if properties else start + 1)

    def locate(self, offset: int) -> tuple[int, int]:
        """Return the node at an offset of the file, and its property there, -1 before the first."""
        places, bounds = self._offsets(), self.columns.bounds
        node = bisect_right(places.nodes, offset) - 1
        if node < 0:
            return 0, -1
        first, end = bounds[node : node + 2]
        return node, bisect_right(places.names, offset, first, end) - 1 - first


#: The tapes whose columns are kept, though their text would give them again.
_RECENT: deque[weakref.ref[Tape]] = deque()


_NOTHING = GameColumns([], [], [0])


def raws_of(values: Values) -> tuple[str, ...]:
    return split_values(values) if isinstance(values, str) else values


def _given(
    parents: array[int],
    columns: Any,
    places: Places | None,
    is_clean: bool,  # noqa: FBT001  # an argument of pickle
    foreign: Foreign | None,
) -> Tape:
    columns = GameColumns(*columns)
    return Tape.given(parents, columns, places, is_clean=is_clean, foreign=foreign)


def _again(text: str, marks: str, by: Splitter, shift: int, parents: array[int] | None) -> Tape:
    return Tape(text, 0, len(text), marks, by, shift=shift, parents=parents)


def find_node_mark(marks: str, count: int) -> int:
    """Return where the count-th node begins in marks."""
    at = -1
    for _ in range(count):
        at = marks.index(NODE, at + 1)
    return at


def _places_of(columns: GameColumns, spans: Sequence[Sequence[tuple[int, int]]]) -> Places:
    """Return the places of values by those of each node and its properties."""
    opens: list[int] = []
    closes: list[int] = []
    of_properties = [place for _, *places in spans for place in places]
    for (start, end), name, values in zip(
        of_properties, columns.names, columns.values, strict=True
    ):
        lengths = [len(raw) + len("[]") for raw in raws_of(values)]
        starts = [*accumulate(lengths, initial=start + len(name))]
        ends = starts[1:]
        if lengths:  # there may be white space between values
            starts[-2], ends[-1] = end - lengths[-1], end
        opens += [at + 1 for at in starts[:-1]]
        closes += [at - 1 for at in ends]
    counts = (len(raws_of(values)) for values in columns.values)
    return Places(
        [node[0][0] for node in spans],
        [start for start, _ in of_properties],
        opens,
        closes,
        [*accumulate(counts, initial=0)],
        spans[0][0][0],
        max(node[0][1] for node in spans),
    )


def find_parents(marks: str) -> array[int]:
    parents = array("i" if len(marks) < 1 << 31 else "q")
    above, number = -1, 0
    waiting: list[int] = []
    parts = iter(_BRACKETS.split(marks + CLOSE))  # first nodes have no bracket at their end
    for part, bracket in zip(parts, parts, strict=False):  # what follows the last one has no node
        length = part.count(NODE)
        if length:
            parents.append(above)
            if length > 1:
                parents.extend(range(number, number + length - 1))
            number += length
            above = number - 1
        if bracket == OPEN:
            waiting.append(above)
        elif waiting:
            above = waiting.pop()
    return parents
