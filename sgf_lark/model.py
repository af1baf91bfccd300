"""A file's games, in the words of the standard: Collection and GameTree.

All models are frozen and flat, and properties that are written alike are read once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Self, overload

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationInfo, model_validator

from .diagnostics import Diagnostic
from .games import game_of
from .grammars import Format
from .info import Info, read_info
from .node import Node, Nodes, UnreadNodes
from .properties import Category, PropertyTable
from .property import Property, RuleBook, board_size
from .values import BoardSize


class GameTree(BaseModel):
    """One game: a tree of nodes, and what it is.

    Attributes:
        format: The format version that it is read as.
        game: GM, or the number that a game of GGF has there; None if it has none.
        game_name: Name of the game.
        nodes: In the order of the file.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Format
    game: int | None
    game_name: str
    nodes: Nodes
    _diagnostics: tuple[Diagnostic, ...] = PrivateAttr(())

    @model_validator(mode="after")
    def _read_nodes(self, info: ValidationInfo) -> Self:
        """Nodes from data are read by ``context={"table": ...}``, or the standard table."""
        unread = self.__dict__["nodes"]
        if isinstance(unread, UnreadNodes):
            table = (info.context or {}).get("table") or PropertyTable.standard()
            properties = unread.records[0]["properties"] if unread.records else []
            root = [(one.get("name", one["ident"]), tuple(one["raw"])) for one in properties]
            game = game_of(self.format, self.game, self.game_name)
            self.__dict__["nodes"] = unread.read(RuleBook(table).rules(self.format, game, root))
        return self

    @property
    def root(self) -> Node:
        """The first node."""
        return self.nodes[0]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was found in this game."""
        return self._diagnostics

    def walk(self) -> Iterator[Node]:
        """All nodes in the order of the file: parents first, main line before variations."""
        return iter(self.nodes)

    def main_line(self) -> Iterator[Node]:
        """The nodes from the root along first children."""
        node: int | None = 0
        while node is not None:
            yield self.nodes[node]
            node = next(self.nodes.children(node), None)

    def at(self, path: str) -> Node:
        """The node at the end of a path, as :attr:`Node.path` writes it.

        Raises:
            KeyError: The path leads nowhere.
        """
        return self.nodes[self.nodes.at(path)]

    @cached_property
    def size(self) -> BoardSize | None:
        """Columns and rows: what SZ (in GGF: BO) says, else the usual board of the game.

        None if the file says nothing, and the standard neither.
        """
        return board_size(self.nodes.contents[0], self.nodes.rules.game)

    @cached_property
    def info(self) -> Info:
        """Players, result, date, komi and so on, of the main line's game."""
        found: dict[str, Property] = {}
        raw: dict[str, tuple[str, ...]] = {}
        done = False
        for node in self.main_line():
            for one in self.nodes.contents[node.index]:
                is_info = one.rule is not None and one.rule.category is Category.GAME_INFO
                if is_info or one.ident in ROOT_INFO:
                    found.setdefault(one.ident, one)
                    raw.setdefault(one.ident, one.raw)
                done = done or is_info
            if done:
                break

        def value(ident: str) -> Any:
            one = found.get(ident)
            return None if one is None else one.value

        return read_info(value, raw)

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameTree):
            return NotImplemented
        return (self.format, self.game, self.game_name, self.nodes) == (
            other.format,
            other.game,
            other.game_name,
            other.nodes,
        )

    def __hash__(self) -> int:
        return hash((self.format, self.game, self.nodes))

    def __repr__(self) -> str:
        count = len(self.nodes)
        return f"<GameTree {self.format.shown} {self.game_name}: {count} node{'s'[: count != 1]}>"

    __str__ = __repr__


#: Root properties that belong to the game's description all the same (FF[3]: RU).
ROOT_INFO = frozenset({"RU"})


class Collection(BaseModel):
    """The games of one file: a sequence of :class:`GameTree`.

    Attributes:
        games: All of them, in order.
        encoding: How the bytes were read; None if the source was text.
        diagnostics: Everything found, in the order of the text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    games: tuple[GameTree, ...]
    encoding: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    _text: str = PrivateAttr("")

    @property
    def text(self) -> str:
        """The text that was read; empty for a collection that comes from data."""
        return self._text

    @model_validator(mode="after")
    def _share_out(self) -> Self:
        """Give each game the diagnostics that are about it."""
        by_game: dict[int | None, list[Diagnostic]] = {}
        for one in self.diagnostics:
            by_game.setdefault(one.game, []).append(one)
        for number, game in enumerate(self.games):
            game._diagnostics = tuple(by_game.get(number, ()))  # noqa: SLF001  # its own file
        return self

    def __len__(self) -> int:
        return len(self.games)

    def __iter__(self) -> Iterator[GameTree]:  # type: ignore[override]  # a collection is its games
        return iter(self.games)

    @overload
    def __getitem__(self, index: int) -> GameTree: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[GameTree, ...]: ...
    def __getitem__(self, index: int | slice) -> GameTree | tuple[GameTree, ...]:
        return self.games[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Collection):
            return NotImplemented
        return (self.games, self.encoding, self.diagnostics) == (
            other.games,
            other.encoding,
            other.diagnostics,
        )

    def __hash__(self) -> int:
        return hash((self.games, self.encoding))

    def __repr__(self) -> str:
        return f"<Collection: {len(self.games)} game{'s'[: len(self.games) != 1]}>"

    __str__ = __repr__
