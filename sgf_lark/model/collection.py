"""A file's games, in the words of the standard: Collection and GameTree.

All models are frozen and flat, and properties that are written alike are read once.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Self, overload

from pydantic import (
    BaseModel,
    ConfigDict,
    PrivateAttr,
    ValidationInfo,
    field_validator,
    model_validator,
)

from sgf_lark.diagnostics.diagnostic import Diagnostic, shorten
from sgf_lark.diagnostics.terminal import plural
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GAMES, Game, game_of
from sgf_lark.schema.properties import Category, PropertyTable
from sgf_lark.schema.values import BoardSize
from sgf_lark.text.charset_names import codec_of
from sgf_lark.text.source import Source

from .draft import Draft
from .info import Info, read_info
from .nodes import Node, Nodes, UnreadNodes
from .property import Property
from .provenance import Home, Origins
from .ruleset import RuleBook, board_size


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
    _home: Home | None = PrivateAttr(None)
    _origins: Origins | None = PrivateAttr(None)

    @classmethod
    def new(
        cls,
        game: Game | int | str = 1,
        size: int | BoardSize | None = None,
        *,
        format: Format | str = Format.FF4,
        table: PropertyTable | None = None,
        **properties: Any,
    ) -> Self:
        """A game of one node, written from nothing.

        Args:
            game: Of :data:`~sgf_lark.GAMES`, by itself, its number or its name.
            size: Side of the board, or columns and rows; the usual board if None.
            format: What it is written as.
            table: The properties to know; the standards' if None.
            properties: More of the first node, as :meth:`Draft.set` takes them:
                ``PB="Aoki", KM=6.5``.

        Raises:
            ValueError: There is no such game or format; a value is none of its property; or
                GGF with a size, which is a part of BO there.
        """
        format_ = Format.named(format)
        found = _game(game, format_)
        rules = RuleBook(table or PropertyTable.standard()).rules(format_, found)
        nodes = Nodes(array("q", [-1]), [()], rules)
        made = cls(format=format_, game=found.number, game_name=found.name, nodes=nodes)
        if format_ is Format.GGF:
            if size is not None:
                raise ValueError("GGF has no size by itself: give the first board, as BO")
            first: dict[str, Any] = {"GM": found.name}
        else:
            first = {"FF": int(format_[2:]), "GM": found.number}
            if format_ is Format.FF4:
                first["CA"] = "UTF-8"
            if size is not None:
                first["SZ"] = BoardSize(*size) if isinstance(size, tuple) else size
        draft = made.edit()
        for ident, value in (first | properties).items():
            draft.set(0, ident, value)
        return draft.done()

    @classmethod
    def of(
        cls,
        nodes: Nodes,
        home: Home | None = None,
        origins: Origins | None = None,
        diagnostics: tuple[Diagnostic, ...] = (),
    ) -> Self:
        """Return the game of nodes that know their rules: nothing is left to be validated.

        Args:
            nodes: The nodes.
            home: The game as it is in a text, if it was read from one.
            origins: For a changed game, the nodes of texts that its nodes come from.
            diagnostics: The findings in this game.
        """
        rules = nodes.rules
        return super().model_construct(  # of the class, mypy's plugin refuses private attributes
            format=rules.format,
            game=rules.game.number,
            game_name=rules.game.name,
            nodes=nodes,
            _diagnostics=diagnostics,
            _home=home,
            _origins=origins,
        )

    def edit(self) -> Draft[Self]:
        """A draft of the game: change it, then take the new game from :meth:`Draft.done`.

        >>> draft = game.edit()
        >>> draft.set(game.root, "KM", 6.5)
        >>> changed = draft.done()
        """
        return Draft(self.nodes, self.origins, self._redone)

    @property
    def home(self) -> Home | None:
        """The game as it is in the text that it was read from; None for a game from data."""
        return self._home

    @property
    def origins(self) -> Origins:
        """The nodes of texts that its nodes come from."""
        if self._origins is not None:
            return self._origins
        return Origins.of(self._home, len(self.nodes))

    def _redone(self, nodes: Nodes, origins: Origins) -> Self:
        """Return the game with other nodes."""
        return type(self).of(nodes, self._home, origins)

    def variation(self, node: Node | int | str) -> Self:
        """A game of its own: the way to a node, and everything below it.

        Args:
            node: A node of this game, its number, or its path.

        Raises:
            KeyError: The path leads nowhere.
        """
        number = self.nodes.tree.at(node) if isinstance(node, str) else getattr(node, "index", node)
        draft = self.edit()
        draft.keep_only(number)
        return draft.done()

    def __getstate__(self) -> dict[Any, Any]:
        """A game by itself leaves the text of its file behind; a collection takes it along."""
        bare = self.model_copy()
        bare._home = bare._origins = None  # noqa: SLF001  # the same class
        return super(GameTree, bare).__getstate__()

    @field_validator("nodes")
    @classmethod
    def _read_nodes(cls, nodes: Nodes | UnreadNodes, info: ValidationInfo) -> Nodes | UnreadNodes:
        """Nodes from data are read by ``context={"table": ...}``, or the standard table."""
        if isinstance(nodes, Nodes) or not {"format", "game", "game_name"} <= info.data.keys():
            return nodes
        table = (info.context or {}).get("table") or PropertyTable.standard()
        nodes.check(info.data["format"])
        rules = RuleBook(table).declared(info.data["format"], nodes.first_values)
        game, name = info.data["game"], info.data["game_name"]
        if (rules.game.number, rules.game.name) != (game, name):
            raise ValueError(
                f"the game is {name!r} ({game}), and its first node declares"
                f" {rules.game.name!r} ({rules.game.number})"
            )
        return nodes.read(rules)

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
            node = next(self.nodes.tree.children(node), None)

    def at(self, path: str) -> Node:
        """The node at the end of a path, as :attr:`Node.path` writes it.

        Raises:
            KeyError: The path leads nowhere.
        """
        return self.nodes[self.nodes.tree.at(path)]

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
        nodes = plural(len(self.nodes), "node")
        return f"<GameTree {self.format.shown} {self.game_name}: {nodes}>"

    __str__ = __repr__


#: Root properties that belong to the game's description all the same (FF[3]: RU).
ROOT_INFO = frozenset({"RU"})


def _game(wanted: Game | int | str, format: Format) -> Game:
    """A game by itself, its number or its name.

    Raises:
        ValueError: There is no such game.
    """
    if isinstance(wanted, Game):
        return wanted
    if format is Format.GGF and isinstance(wanted, str):
        return game_of(format, None, wanted)
    for game in GAMES.values():
        if wanted == game.number or str(wanted).lower() == game.name.lower():
            return game
    raise ValueError(f"no game {wanted!r}: GAMES lists the standard's, such as 1 or 'Go'")


def _by_game(diagnostics: Iterable[Diagnostic]) -> dict[int | None, tuple[Diagnostic, ...]]:
    """Return the diagnostics about each game by its number; those about none by None."""
    found: dict[int | None, list[Diagnostic]] = {}
    for one in diagnostics:
        found.setdefault(one.game, []).append(one)
    return {game: tuple(about) for game, about in found.items()}


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
    _source: Source | None = PrivateAttr(None)
    _homes: tuple[Home, ...] = PrivateAttr(())

    @classmethod
    def of(
        cls,
        source: Source,
        games: Iterable[Nodes],
        encoding: str | None,
        diagnostics: tuple[Diagnostic, ...],
    ) -> Self:
        """Return the games of a text, which are valid: each knows its place in the text.

        Args:
            source: The text and its bytes.
            games: The nodes of each game, in the order of the text.
            encoding: The encoding by which the bytes were read, if there were any.
            diagnostics: The findings in all games.
        """
        homes = tuple(Home(source, number, nodes) for number, nodes in enumerate(games))
        about = _by_game(diagnostics)
        return super().model_construct(  # of the class, mypy's plugin refuses private attributes
            games=tuple(
                GameTree.of(one.nodes, one, diagnostics=about.get(one.number, ())) for one in homes
            ),
            encoding=encoding,
            diagnostics=diagnostics,
            _source=source,
            _homes=homes,
        )

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, encoding: str | None) -> str | None:
        if encoding is not None and codec_of(encoding) is None:
            raise ValueError(f"unknown character encoding {shorten(encoding)!r}")
        return encoding

    @property
    def source(self) -> Source | None:
        """The text that was read, with its bytes; None for a collection that comes from data."""
        return self._source

    @property
    def homes(self) -> tuple[Home, ...]:
        """All games of the text that was read, as they are there."""
        return self._homes

    @property
    def text(self) -> str:
        """The text that was read; empty for a collection that comes from data."""
        return "" if self._source is None else self._source.text

    def replace(self, number: int, *games: GameTree) -> Collection:
        """The collection with another game, others, or none, in the place of one.

        What was found in the old text is left out: it says nothing about a new one.

        Args:
            number: Which game, from 0; negative ones count from the end.
            games: What stands there instead.

        Raises:
            IndexError: There is no game of that number.
        """
        kept = list(self.games)
        if not -len(kept) <= number < len(kept):
            raise IndexError(f"there is no game {number}")
        number %= len(kept)
        kept[number : number + 1] = games
        return self.model_copy(update={"games": tuple(kept), "diagnostics": ()})

    def split(self) -> tuple[Collection, ...]:
        """A collection for each game; each keeps the bytes of its game."""
        return tuple(type(self)(games=(one,), encoding=self.encoding) for one in self.games)

    def __getstate__(self) -> dict[Any, Any]:
        """A collection takes along what its games leave behind."""
        places = [(one._home, one._origins) for one in self.games]  # noqa: SLF001  # its own file
        return super().__getstate__() | {"places": places}

    def __setstate__(self, state: dict[Any, Any]) -> None:
        super().__setstate__(state)
        for game, (home, origins) in zip(self.games, state["places"], strict=True):
            game._home, game._origins = home, origins  # noqa: SLF001  # its own file

    @model_validator(mode="after")
    def _share_out(self) -> Self:
        """Give each game the diagnostics that are about it; those that it has stay otherwise."""
        about = _by_game(self.diagnostics)
        for number, game in enumerate(self.games):
            if number in about:
                game._diagnostics = about[number]  # noqa: SLF001  # its own file
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
        return f"<Collection: {plural(len(self.games), 'game')}>"

    __str__ = __repr__
