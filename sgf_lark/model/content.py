"""Contents of nodes, read when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, overload

from sgf_lark.schema.properties import COLORS, capitals

from .property import Properties, Unread


class Cutter(Protocol):
    """A kind of games, by which the text of a node is cut into properties.

    Attributes:
        typed: The typed values of short nodes by their texts.
    """

    typed: dict[str, dict[str, Any]]

    @property
    def columns(self) -> re.Pattern[str] | None:
        """Finds names and values of properties; None if an expression cannot."""


class Contents(dict[str, Properties]):
    """The properties of nodes by the nodes' texts, read when they are asked for.

    Attributes:
        read: From the text of a node to its properties; set by who knows the grammar.
    """

    read: Callable[[str], Properties] | None = None

    def __missing__(self, text: str) -> Properties:
        if self.read is None:
            raise LookupError("nobody has said how nodes are read")
        return self.setdefault(text, self.read(text))


class Written(Sequence[Properties]):
    """The properties of nodes by the nodes' texts: read when looked at, once for equal texts."""

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
    """The typed values of nodes by the nodes' texts; see :attr:`Properties.typed`."""

    def __init__(self, kind: Cutter, contents: Contents) -> None:
        super().__init__()
        self._kind = kind
        self._contents = contents

    def __missing__(self, text: str) -> dict[str, Any]:
        if len(text) > SHORT:
            return self.setdefault(text, self._of(text))
        known = self._kind.typed
        found = known.get(text)
        if found is None:
            if len(known) > MOST:
                known.clear()
            found = known[text] = self._of(text)
        return self.setdefault(text, found)

    def _of(self, text: str) -> dict[str, Any]:
        columns = self._kind.columns
        found = [] if columns is None else columns.findall(text)
        made: dict[str, Any] = {
            name if name.isupper() else capitals(name): Unread(values) for name, values in found
        }
        if columns is None or len(made) < len(found):
            made = self._contents[text].typed
        return made


class Playing(dict[str, bool]):
    """Whether a node of a text plays a move."""

    def __init__(self, kind: Cutter, contents: Contents) -> None:
        super().__init__()
        self._kind = kind
        self._contents = contents

    def __missing__(self, text: str) -> bool:
        columns = self._kind.columns
        if columns is None:
            idents = [one.ident for one in self._contents[text]]
        else:
            idents = [capitals(name) for name, _ in columns.findall(text)]
        plays = self[text] = any(ident in COLORS for ident in idents)
        return plays


#: A value, or the text of a node, of so many characters may recur in other files.
SHORT = 12


#: So many properties, or nodes, of a kind of game are remembered.
MOST = 1 << 12
