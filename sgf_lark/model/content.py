"""The properties of nodes by the nodes' texts, read when somebody asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, overload

from sgf_lark.schema.properties import COLORS, capitals

from .property import Properties, Unread


class Cutter(Protocol):
    """A kind of games, which splits the text of a node into properties.

    Attributes:
        typed: The typed values of short nodes by their texts.
    """

    typed: dict[str, dict[str, Any]]

    @property
    def columns(self) -> re.Pattern[str] | None:
        """The expression of names and values of properties; None if there is none."""


class Contents(dict[str, Properties]):
    """A mapping from the texts of nodes to their properties, which are read when asked for.

    Attributes:
        read: Returns the properties of the text of a node; set by a module that knows the grammar.
    """

    read: Callable[[str], Properties] | None = None

    def __missing__(self, text: str) -> Properties:
        if self.read is None:
            raise LookupError("no reader of nodes is set")
        return self.setdefault(text, self.read(text))


class Written(Sequence[Properties]):
    """A sequence of the properties of nodes, by their texts; equal texts are read once."""

    def __init__(self, texts: list[str], contents: Contents) -> None:
        self.texts = texts
        self._contents = contents

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> Properties: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Properties]: ...
    def __getitem__(self, index: int | slice) -> Properties | Sequence[Properties]:
        if isinstance(index, slice):
            return list(map(self._contents.__getitem__, self.texts[index]))
        return self._contents[self.texts[index]]

    def __iter__(self) -> Iterator[Properties]:
        return map(self._contents.__getitem__, self.texts)


class Typed(dict[str, dict[str, Any]]):
    """A mapping from the texts of nodes to typed values; see :attr:`Properties.typed`."""

    def __init__(self, kind: Cutter, contents: Contents) -> None:
        super().__init__()
        self._kind = kind
        self._contents = contents

    def __missing__(self, text: str) -> dict[str, Any]:
        if len(text) > MAX_CACHED_LENGTH:
            return self.setdefault(text, self._read(text))
        known = self._kind.typed
        values = known.get(text)
        if values is None:
            if len(known) > MAX_CACHED:
                known.clear()
            values = known[text] = self._read(text)
        return self.setdefault(text, values)

    def _read(self, text: str) -> dict[str, Any]:
        columns = self._kind.columns
        pairs = [] if columns is None else columns.findall(text)
        values: dict[str, Any] = {
            name if name.isupper() else capitals(name): Unread(raws) for name, raws in pairs
        }
        if columns is None or len(values) < len(pairs):  # twice the same property
            values = self._contents[text].typed
        return values


class Playing(dict[str, bool]):
    """A mapping from the texts of nodes to bools: the node has a move."""

    def __init__(self, kind: Cutter, contents: Contents) -> None:
        super().__init__()
        self._kind = kind
        self._contents = contents

    def __missing__(self, text: str) -> bool:
        columns = self._kind.columns
        if columns is None:
            idents = [prop.ident for prop in self._contents[text]]
        else:
            idents = [capitals(name) for name, _ in columns.findall(text)]
        plays = self[text] = any(ident in COLORS for ident in idents)
        return plays


#: Longest value, or text of a node, in characters, that is cached across files: it may recur.
MAX_CACHED_LENGTH = 12


#: Cache limit: properties, or nodes, of a kind of games.
MAX_CACHED = 1 << 12
