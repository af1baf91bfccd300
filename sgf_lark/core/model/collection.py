"""The games of a file, as the standard names them: Collection and GameTree.

All models are frozen and flat; nodes and values are read when somebody asks for them.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypeVar, overload

from pydantic import BaseModel, PrivateAttr, ValidationInfo, field_validator, model_validator
from typing_extensions import deprecated

from sgf_lark.core import late
from sgf_lark.core.findings.diagnostic import Diagnostic, shorten
from sgf_lark.core.findings.words import plural
from sgf_lark.core.schema.formats import Format, FormatName
from sgf_lark.core.schema.frozen import EDIT_GAME, Late, made
from sgf_lark.core.schema.games import OF_TWIXT, Game, GameNumber, game_and_size
from sgf_lark.core.schema.properties import OVERTIME, Category, PropertyTable
from sgf_lark.core.schema.values import BoardSize, FigureFlag
from sgf_lark.core.text.charset_names import codec_of
from sgf_lark.core.text.source import Saved, TextSource

from .content import MoveArrays, PlayedMove
from .nodes import Node, Nodes
from .property import UnreadNodes
from .provenance import Provenance, SourceGame
from .readings import Reading
from .ruleset import RuleSets, find_board_size, find_first_values
from .tape import Foreign, Tape
from .tree import MissingError

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.core.late import (
        Board,
        Examples,
        GameFigure,
        GamePage,
        PageTheme,
        Position,
        Symmetry,
    )

    from .draft import Draft
    from .info import Info

_Model = TypeVar("_Model", bound=BaseModel)


def _construct(
    cls: type[_Model], fields: dict[str, Any], private: dict[str, Any], waiting: tuple[str, ...]
) -> _Model:
    """Return a model of valid fields, some ``waiting``, faster than ``model_construct``."""
    if cls.__pydantic_fields__.keys() != {*fields, *waiting} or (
        cls.__private_attributes__.keys() != private.keys()
    ):
        model = cls.model_construct(**fields, **private)  # of a subclass with more of them
        for name in waiting:
            vars(model).pop(name, None)
        return model
    return made(cls, fields, {*fields, *waiting}, private)


class Judgement:
    """The findings in a text, in its order: made when somebody asks for them, and kept.

    Two threads that ask at once may judge twice, with equal results.  ``is_of_game``: it is about
    one game alone, and what is before it.
    """

    def __init__(
        self, judge: Callable[[], tuple[Diagnostic, ...]], *, is_of_game: bool = False
    ) -> None:
        self._judge: Callable[[], tuple[Diagnostic, ...]] | None = judge
        self._found: tuple[Diagnostic, ...] = ()
        self._by_game: dict[int | None, tuple[Diagnostic, ...]] | None = None
        self._is_of_game = is_of_game

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        judge = self._judge
        if judge is not None:  # no cached property, whose lock is one for all files (Python 3.11)
            self._found = judge()
            self._judge = None  # it holds all that was read
        return self._found

    def of_game(self, number: int) -> tuple[Diagnostic, ...]:
        if self._is_of_game:
            return self.diagnostics
        if self._by_game is None:
            self._by_game = _by_game(self.diagnostics)
        return self._by_game.get(number, ())

    def __deepcopy__(self, memo: dict[int, Any]) -> Judgement:
        return self


def _by_game(diagnostics: Iterable[Diagnostic]) -> dict[int | None, tuple[Diagnostic, ...]]:
    groups: dict[int | None, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        groups.setdefault(diagnostic.game, []).append(diagnostic)
    return {game: tuple(about) for game, about in groups.items()}


class GameTree(Late):
    """One game: a tree of nodes, its format and its game.

    A game is its nodes: ``for node in game`` goes through them in the order of the file,
    ``len(game)`` counts them, and ``node in game`` is true of each.  Its fields are in
    ``game.model_dump()``.

    Attributes:
        format: The format version in which it is read.
        game: The number of the game in GM, or of a game of GGF there; None if it has none.
        game_name: Name of the game.
        nodes: The nodes, in the order of the file.
    """

    _how_to_change: ClassVar[str] = f"{EDIT_GAME}; convert() changes the format"

    format: Format
    game: int | None
    game_name: str
    nodes: Nodes
    _diagnostics: tuple[Diagnostic, ...] = PrivateAttr(())
    _judgement: Judgement | None = PrivateAttr(None)
    _source_game: SourceGame | None = PrivateAttr(None)
    _provenance: Provenance | None = PrivateAttr(None)
    _saved: Saved | None = PrivateAttr(None)

    @classmethod
    def new(
        cls,
        first: Game | int | str | tuple[int, int] | None = None,
        /,
        size: int | tuple[int, int] | None = None,
        *,
        game: Game | int | str | None = None,
        format: Format | FormatName = Format.FF4,
        table: PropertyTable | None = None,
        **properties: Any,
    ) -> Self:
        """Make a game of one node, on whose board :meth:`Draft.play` plays at once.

        The node declares the format, the game, the program, the size of the board and, in
        FF[4], the encoding; in GGF it has the first board (BO) of Othello and Amazons.

        >>> GameTree.new(9), GameTree.new("Hex")
        (<GameTree FF[4] Go: 1 node>, <GameTree FF[4] Hex: 1 node>)

        Args:
            first: The game by its name, or one of :data:`~sgf_lark.GAMES`; a number alone is the
                size of a Go board.
            size: The side of the board, or columns and rows; the usual board if None.
            game: The game again, where ``first`` is the size: its name, or its number in GM.
            format: The format version.
            table: The known properties; the standards' if None.
            properties: Other properties of the first node, with values as :meth:`Draft.set`
                accepts them: ``PB="Aoki", KM=6.5``.

        Raises:
            ValueError: There is no such game or format; a value does not fit its property; or
                the format is GGF, and no first board of that size is known, or BO is given, too.
            TypeError: There are two games or sizes.
        """
        format_ = Format.named(format)
        table = table or PropertyTable.standard()
        wanted, size = game_and_size(first, size, game)
        game_ = _game(wanted, format_, table)
        rules = RuleSets(table).rules(format_, game_)
        tree = cls.of(Nodes(Tape.written(array("q", [-1]), [()]), rules))
        draft = tree.edit()
        for ident, value in late.first_properties(rules, size, properties).items():
            draft.set(0, ident, value)
        return draft.done()

    @classmethod
    def of(
        cls,
        nodes: Nodes,
        source_game: SourceGame | None = None,
        provenance: Provenance | None = None,
        diagnostics: tuple[Diagnostic, ...] = (),
        judgement: Judgement | None = None,
    ) -> Self:
        """Return the game of nodes that were read by a rule set; they are not validated again."""
        tree = _construct(
            cls,
            {"nodes": nodes},
            {
                "_diagnostics": diagnostics,
                "_judgement": judgement,
                "_source_game": source_game,
                "_provenance": provenance,
                "_saved": None,
            },
            ("format", "game", "game_name"),
        )
        tree.complete_by(partial(_declare, nodes))
        return tree

    def edit(self) -> Draft[Self]:
        """Return a draft of the game: change it, then take the new game from :meth:`Draft.done`.

        >>> draft = game.edit()
        >>> draft.set(game.root, "KM", 6.5)
        >>> changed = draft.done()
        """
        redone = partial(self._redone, self.saved.begin())
        return late.Draft(self.nodes, self.provenance, redone)

    @property
    def source_game(self) -> SourceGame | None:
        """The game as it is in the text that it was read from; None for a game from data."""
        return self._source_game

    @property
    def provenance(self) -> Provenance:
        """The nodes of texts that its nodes come from."""
        if self._provenance is not None:
            return self._provenance
        return Provenance.of(self._source_game, len(self.nodes))

    def _redone(self, saved: Saved, nodes: Nodes, provenance: Provenance) -> Self:
        tree = type(self).of(nodes, self._source_game, provenance)
        tree._saved = saved  # noqa: SLF001  # the same class
        return tree

    @property
    def saved(self) -> Saved:
        """The known content of the file that it was read from."""
        if self._saved is None:
            self._saved = Saved()
        return self._saved

    def variation(self, node: Node | int | str) -> Self:
        """Return a game of the path to a node, and all nodes below it.

        Args:
            node: A node of this game, its number, or its path.

        Raises:
            KeyError: The path leads nowhere.
        """
        draft = self.edit()
        draft.keep_only(self._number(node))
        return draft.done(strict=False)

    def _number(self, node: Node | int | str) -> int:
        if isinstance(node, str):
            return self.nodes.tree.at(node)
        return node.index if isinstance(node, Node) else node

    def __getstate__(self) -> dict[Any, Any]:
        """Pickle the game without the text of its file, which only a collection keeps."""
        bare = self.model_copy()
        bare._diagnostics, bare._judgement = self.diagnostics, None  # noqa: SLF001  # the same class
        bare._source_game = bare._provenance = None  # noqa: SLF001  # the same class
        return super(GameTree, bare).__getstate__()

    @field_validator("nodes")
    @classmethod
    def _read_nodes(cls, nodes: Nodes | UnreadNodes, info: ValidationInfo) -> Nodes | UnreadNodes:
        """Read nodes from data by the table of ``context={"table": ...}``, or the standard one."""
        if isinstance(nodes, Nodes) or not {"format", "game", "game_name"} <= info.data.keys():
            return nodes
        table = (info.context or {}).get("table") or PropertyTable.standard()
        nodes.check(info.data["format"], info.data["game"])
        values = find_first_values(nodes.parents, nodes.pairs(), info.data["format"])
        game, name = info.data["game"], info.data["game_name"]
        book = RuleSets(table, name=OF_TWIXT if game == GameNumber.TWIXT else "")
        rules = book.declared(info.data["format"], values)
        if (rules.game.number, rules.game.name) != (game, name):
            raise ValueError(
                f"the game is {name!r} ({game}), and its first node declares"
                f" {rules.game.name!r} ({rules.game.number})"
            )
        return Nodes(nodes.tape(), rules)

    @property
    def root(self) -> Node:
        """The first node."""
        return self.nodes[0]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings in this game."""
        if self._judgement is None or self._source_game is None:
            return self._diagnostics
        return self._judgement.of_game(self._source_game.number)

    def walk(self) -> Iterator[Node]:
        """Yield all nodes in the order of the file: parents first, main line before variations."""
        return iter(self.nodes)

    def main_line(self) -> tuple[Node, ...]:
        """Return the nodes from the root along first children."""
        return tuple(map(self.nodes.__getitem__, self.nodes.tree.main_line()))

    def mainline_from(self, node: Node | int | str) -> tuple[Node, ...]:
        """Return a node, its first child, the first child of that, and so on.

        Args:
            node: A node of this game, its number, or its path.

        Raises:
            KeyError: The path leads nowhere.
            IndexError: There is no node of that number.
        """
        first = self.nodes[self._number(node)].index
        return tuple(map(self.nodes.__getitem__, self.nodes.tree.main_line(first)))

    def leaves(self) -> tuple[Node, ...]:
        """Return the nodes at which lines end, in the order of the file."""
        self.nodes.require_all()
        return tuple(map(self.nodes.__getitem__, self.nodes.tree.leaves()))

    @cached_property
    def moves(self) -> tuple[PlayedMove, ...]:
        """The moves of the main line: color, point, number of the node, and value of each.

        They are what :attr:`Node.move` gives node by node, in a small part of the time.
        """
        self.nodes.require_all()
        return self.nodes.moves()

    def moves_to(self, node: Node | int | str) -> tuple[PlayedMove, ...]:
        """Return the moves from the root up to and including a node.

        Args:
            node: A node of this game, its number, or its path.

        Raises:
            KeyError: The path leads nowhere.
            IndexError: There is no node of that number.
        """
        self.nodes.require_all()
        return self.nodes.moves(self.nodes[self._number(node)].index)

    def move_arrays(self) -> MoveArrays:
        """Return the moves of all nodes as flat arrays, for tables and boards.

        >>> arrays = game.move_arrays()
        >>> arrays.column[1], arrays.row[1]
        (15, 3)
        """
        self.nodes.require_all()
        return self.nodes.move_arrays()

    def planes(self, names: str | Iterable[str] = "agz17", *, history: int = 8) -> Examples:
        """Return the moves of the main line and the positions before them as arrays of numpy.

        Moves go up to the first one that could not be carried out.

        Args:
            names: As :meth:`.Board.planes` takes them; ``own`` are the pieces of the side that
                moves, whoever's turn it is, and the boards before are those before earlier moves.
            history: Of ``agz17``: positions, this one included.

        Returns:
            :class:`~sgf_lark.positions.arrays.Examples`: ``planes`` (moves, planes, rows, columns),
            ``players``, ``moves`` as indices and ``results``, an entry for each move.

        Raises:
            ImportError: numpy is not installed: it is the extra ``sgf_lark[numpy]``.
            ValueError: There is no such plane, or the moves of the game are no points; or as
                :meth:`positions` says.
        """
        self.nodes.require_all()
        return late.make_examples(self, names, history)

    def at(self, path: str) -> Node:
        """Return the node at the end of a path, as :attr:`Node.path` writes it.

        Raises:
            KeyError: The path leads nowhere.
        """
        return self.nodes[self.nodes.tree.at(path)]

    @cached_property
    def size(self) -> BoardSize | None:
        """Columns and rows: the size in SZ (in GGF: BO), else the usual board of the game.

        None if neither the file nor the standard gives one.
        """
        return find_board_size(self.nodes.contents[0], self.nodes.rules.game)

    @cached_property
    def info(self) -> Info:
        """Players, result, date, komi and so on, of the game of the main line."""
        props: dict[str, Reading] = {}
        raw: dict[str, tuple[str, ...]] = {}
        done = False
        for content in self.nodes.main_line():
            for prop in content:
                is_info = prop.rule is not None and prop.rule.category is Category.GAME_INFO
                if is_info or prop.ident in ROOT_INFO:
                    props.setdefault(prop.ident, prop)
                    raw.setdefault(prop.ident, prop.raw)
                done = done or is_info
            if done:
                break

        def value(ident: str) -> Any:
            prop = props.get(ident)
            typed = None if prop is None else prop.value
            if prop is not None and isinstance(typed, Decimal) and typed.adjusted() > 1:
                points = late.points_of_fox(self.nodes.contents[0], prop) if ident == "KM" else None
                return typed if points is None else points
            return typed

        return late.read_info(value, raw, self.format)

    @cached_property
    def times_used(self) -> Mapping[int, float]:
        """The seconds that moves took, by the number of their nodes, as far as they are sure.

        GGF has them in its moves.  In SGF they are the differences of BL and WL where
        ``info.clock`` is known, without those over which a period of byo-yomi began anew.
        """
        return late.times_used(self.nodes, self.info.clock)

    # ---- boards, pictures, tables ----

    def positions(
        self, line: Node | int | str = "main", *, live: bool = False
    ) -> Iterator[Position]:
        """Yield the nodes of a line, each with the board after it.

        >>> for position in game.positions():
        ...     print(position.number, position.board.captured)

        Setup never captures, and ends a ko; illegal moves are carried out as FF[4] demands, and
        have their verdict; what the board cannot carry out is left out
        (:attr:`Position.is_known`).

        Args:
            line: ``main``; ``all`` for all nodes in the order of the file; or a node of this
                game, its number, or its path: the line from the root to it.
            live: All positions have one board, which each node changes, so that nothing is
                copied; ``position.board.copy()`` keeps it.

        Raises:
            KeyError: The path leads nowhere, or the node is of another game.
            IndexError: There is no node of that number.
            ValueError: No rules of the game are known, it is not played on such a board, or
                its first board is not known.
        """
        self.nodes.require_all()
        named = isinstance(line, str) and line in {"main", "all"}
        last = None if named else self._find(line).index
        return late.walk(self.nodes, last, is_all=line == "all", live=live)

    def board(self, node: Node | int | str | None = None, *, move: int | None = None) -> Board:
        """Return the board after a node, which never changes, as :attr:`Node.board` does.

        Args:
            node: A node of this game, its number, or its path; the end of the main line if None.
            move: The number of a move of the main line instead, from 1; 0 for the first node.

        Raises:
            KeyError: The path leads nowhere, or the node is of another game.
            IndexError: There is no node or move of that number.
            ValueError: See :meth:`positions`.
            TypeError: Both a node and a move are given.
        """
        self.nodes.require_all()
        if move is not None:
            if node is not None:
                raise TypeError("board() takes a node or a move, not both")
            moves = self.moves
            if not 0 <= move <= len(moves):
                raise IndexError(f"no move {move}: the main line has {plural(len(moves), 'move')}")
            node = moves[move - 1].node if move else 0
        return (self.main_line()[-1] if node is None else self._find(node)).board

    def _find(self, node: Node | int | str) -> Node:
        if isinstance(node, str):
            return self.at(node)
        if isinstance(node, int):
            return self.nodes[node]
        if not node.is_of(self.nodes):
            raise MissingError("this node is of another game")
        return node

    def transformed(self, symmetry: Symmetry | str) -> Self:
        """Return the game on a board that is turned or mirrored.

        Every point goes along: moves, setup, markup, labels, views, territory, the first board.
        Where the start of the game is another one after it, it is set up in the first node.  In
        Hex, Twixt, Octi and backgammon a symmetry may exchange the sides; then all that
        :meth:`recolored` exchanges goes along.  Texts, private properties, invalid values and
        points off the board stay as they are, and so do their bytes.

        Args:
            symmetry: Such as ``Symmetry.ROTATE_90`` or ``"rotate-90"``.

        Raises:
            ValueError: There is no such symmetry; it does not keep the rules of the game; or a
                move cannot be written after it (a link of Twixt before 2021).
        """
        way = late.transformation_of(self.nodes, symmetry)
        return late.transform(self.edit(), self.nodes, way)

    def recolored(self) -> Self:
        """Return the game with the sides exchanged.

        Black's moves, stones, territory, names, ranks, teams, clocks and annotations become
        White's and the other way round; so do PL, RE, the cube of backgammon and the first
        board of GGF.  Komi (KM) and the value of a node (V) get the other sign.  HA is left out,
        since it counts black stones; the setup stays.  PL says who begins where it is not the
        side that always does.  In Hex, Twixt, Octi and backgammon the board turns as well, so
        that each side plays as the other one did.  Texts stay as they are.

        Raises:
            ValueError: As :meth:`transformed`.
        """
        return late.transform(self.edit(), self.nodes, late.recoloring_of(self.nodes))

    def figures(
        self,
        split: str | int | None = None,
        *,
        variations: bool = True,
        restart: bool = False,
        crop: str | None = None,
        labels: bool = True,
        flags: FigureFlag | int = FigureFlag.KEEP_CAPTURED_STONES,
    ) -> tuple[GameFigure, ...]:
        """Return the figures of the game, as books print them.

        Each shows the position after its last node, with the numbers of its moves as MN counts
        and PM prints them, and with the markup, DD and VW of that node.  Moves on points that
        have a stone already or a label, and passes, are listed: ``57 at 32``; of games whose
        pieces move, and of backgammon, all moves whose pieces have gone on.

        Args:
            split: ``FG``: at each node with FG; ``comments``: after each node with a comment;
                or the number of moves of a figure, from 1.  None is ``FG`` if the main line has
                any after the root, else 50 moves, and besides after each node with a comment
                and markup, of which it may speak; of a problem (setup, few moves, no players)
                also after its position.
            variations: Each variation has figures of its own, after the one in which it begins.
            restart: The moves of a variation are numbered from 1.
            crop: The part of the board to show, as for :meth:`Node.diagram`.
            labels: Show labels; without them their points have the numbers of moves.
            flags: The flags of figures whose FG has none, or tells to ignore them: by default
                captured stones stay, "the way diagrams are printed in books" (FF[4], FG).

        Raises:
            ValueError: The game has no board, or there is no such division or crop.
        """
        figures = late.Figures(
            self.nodes, split, restart=restart, crop=crop, labels=labels, flags=flags
        )
        return late.FigureTuple(figures.make(variations=variations))

    def page(
        self,
        figures: Iterable[GameFigure] | None = None,
        *,
        split: str | int | None = None,
        crop: str | None = None,
        labels: bool = True,
    ) -> GamePage:
        """Return the game as it is printed: ``game.page().html()``, ``game.page().pdf()``.

        Args:
            figures: What it shows; None for all figures of the game.
            split: Their division, as for :meth:`.GameTree.figures`.
            crop, labels: What they show of the board, as for :meth:`.GameTree.figures`.

        Raises:
            ValueError: The board of the game is not known, it has no such part, or there is no
                such division.
        """
        return late.make_page(self, figures, split=split, crop=crop, labels=labels)

    def viewer(self, theme: PageTheme = "auto") -> late.Viewer:
        """Return a board to step through the game, which a notebook shows in a frame.

        ``game.viewer().html`` is a page in one file: see :meth:`sgf_lark.GamePage.html`.
        """
        return late.Viewer(late.view_games((self,), theme))

    def _repr_svg_(self) -> str | None:
        return self.main_line()[-1]._repr_svg_()

    def _repr_html_(self) -> str:
        return late.draw_for_notebook(self)

    def to_arrow(self) -> pa.Table:
        """Return the moves of all nodes as a table: the rows that the game has in an archive.

        >>> game.to_arrow().select(["number", "color", "point"]).to_pydict()
        {'number': [1, 2], 'color': ['B', 'W'], 'point': [72, 288]}

        Its columns are those of the table ``moves``: ``node``, ``parent``, ``path``, ``main``,
        ``number`` (from 1), ``color`` (B or W), ``point`` (row x columns + column, -1 a pass),
        ``raw``, ``time_left`` (seconds), ``periods``, ``comment`` and ``annotations``.  Its
        ``game_id`` is that of a game without a file.

        Raises:
            ImportError: pyarrow is not installed; the error says how to install it.
            ValueError: Nodes of the game were left out (``info_only``).
        """
        return late.tabulate(self)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Node]:  # type: ignore[override]  # a game is its nodes
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        if not isinstance(node, Node) or node.index >= len(self.nodes):
            return False
        return node.is_of(self.nodes) or self.nodes[node.index] == node

    @deprecated("a game is a sequence of its nodes", category=None)
    def keys(self) -> NoReturn:
        """Reject ``dict(game)``, which gave the fields before games were iterated by node."""
        raise TypeError("a game is a sequence of its nodes: game.model_dump() has its fields")

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


def _declare(nodes: Nodes) -> dict[str, Any]:
    rules = nodes.rules
    game = rules.game
    return {"format": rules.format, "game": game.number, "game_name": game.name}


#: Properties that are game info nevertheless: RU, which FF[3] has in the root, and overtime.
ROOT_INFO = frozenset({"RU"}).union(*OVERTIME)


def _game(wanted: Game | int | str, format: Format, table: PropertyTable) -> Game:
    if isinstance(wanted, Game):
        return wanted
    if format is Format.GGF and isinstance(wanted, str):
        return table.game(format, None, wanted)
    game = table.find_game(wanted)
    if game is None:
        raise ValueError(f"no game {wanted!r}: GAMES lists the standard's, such as 1 or 'Go'")
    return game


class Collection(Late):
    """The games of one file: a sequence of :class:`GameTree`.

    ``len(collection)`` counts the games, ``collection[0]`` is the first one, and iteration and
    ``in`` are about games.

    Attributes:
        games: The games, in order.
        encoding: The encoding of the bytes; None if the source was text.
        diagnostics: All findings, in the order of the text.
    """

    _how_to_change: ClassVar[str] = "to change a copy: collection.replace(number, game)"

    games: tuple[GameTree, ...]
    encoding: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    _source: TextSource | None = PrivateAttr(None)
    _source_games: tuple[SourceGame, ...] = PrivateAttr(())
    _saved: Saved = PrivateAttr(default_factory=Saved)

    @classmethod
    def of(
        cls, source: TextSource, games: Iterable[Nodes], encoding: str | None, judgement: Judgement
    ) -> Self:
        """Return the games of a text, which are valid: each knows its place in the text."""
        source_games = tuple(
            SourceGame(source, number, nodes) for number, nodes in enumerate(games)
        )
        trees = tuple(GameTree.of(game.nodes, game, judgement=judgement) for game in source_games)
        collection = _construct(
            cls,
            {"games": trees, "encoding": encoding},
            {"_source": source, "_source_games": source_games, "_saved": Saved()},
            ("diagnostics",),
        )
        collection.complete_by(lambda: {"diagnostics": judgement.diagnostics})
        return collection

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, encoding: str | None) -> str | None:
        if encoding is not None and codec_of(encoding) is None:
            raise ValueError(f"unknown character encoding {shorten(encoding)!r}")
        return encoding

    @property
    def source(self) -> TextSource | None:
        """The text that was read, with its bytes; None for a collection that comes from data."""
        return self._source

    @property
    def source_games(self) -> tuple[SourceGame, ...]:
        """All games of the text that was read, as they are there."""
        return self._source_games

    @property
    def text(self) -> str:
        """The text that was read; empty for a collection that comes from data."""
        if self._source is None:
            return "" if self.foreign is None else self.foreign.text
        return self._source.text

    @property
    def foreign(self) -> Foreign | None:
        """The record in another format that its games were; None for SGF and GGF."""
        if self._source is not None:
            return None
        return next((one for game in self.games if (one := game.nodes.tape.foreign)), None)

    def edit(self, number: int) -> Draft[Self]:
        """Return a draft of one of the games, which makes the collection with that game changed.

        >>> draft = collection.edit(0)
        >>> draft.set(draft.root, "KM", 6.5)
        >>> dump(draft.done(), "games.sgf")

        Args:
            number: The number of the game, from 0; negative ones count from the end.

        Raises:
            IndexError: There is no game of that number.
        """
        game, saved = self[number], self._saved.begin()
        redone = partial(self._redone, saved, number)
        return late.Draft(game.nodes, game.provenance, redone)

    def _redone(self, saved: Saved, number: int, nodes: Nodes, provenance: Provenance) -> Self:
        made = self.replace(number, self[number]._redone(saved, nodes, provenance))  # noqa: SLF001  # its own
        made._saved = saved  # noqa: SLF001  # the same class
        return made

    @property
    def saved(self) -> Saved:
        """The known content of the file that it was read from."""
        return self._saved

    def replace(self, number: int, *games: GameTree) -> Self:
        """Return the collection with another game, others, or none, in the place of one.

        The findings in the old text are left out, as it is not the text of the new games.

        Args:
            number: The number of the game, from 0; negative ones count from the end.
            games: The games in its place.

        Raises:
            IndexError: There is no game of that number.
        """
        kept = list(self.games)
        if not -len(kept) <= number < len(kept):
            raise IndexError(f"there is no game {number}")
        number %= len(kept)
        kept[number : number + 1] = games
        made = self.model_copy(update={"games": tuple(kept), "diagnostics": ()})
        made._saved = self._saved.begin()  # noqa: SLF001  # the same class
        return made

    def split(self) -> tuple[Collection, ...]:
        """Return a collection for each game, with the bytes of the game and of the text after it.

        Text before the first game goes with it.
        """
        return tuple(
            self.model_copy(update={"games": (game,), "diagnostics": ()})
            if game.source_game is not None and game.source_game.source is self._source
            else type(self)(games=(game,), encoding=self.encoding)
            for game in self.games
        )

    def with_text_around(self) -> Self:
        """Return the collection with the text of its only game's file before and after the game."""
        (game,) = self.games
        origin = game.source_game
        if origin is None or origin.source.data is None:  # one of those that are read one by one
            return self
        around = self.model_copy()
        around._source, around._source_games = origin.source, (origin,)  # noqa: SLF001  # the same class
        return around

    def __getstate__(self) -> dict[Any, Any]:
        """Pickle the collection with the places of its games, which they do not keep."""
        places = [(game._source_game, game._provenance) for game in self.games]  # noqa: SLF001  # its own file
        return super().__getstate__() | {"places": places}

    def __setstate__(self, state: dict[Any, Any]) -> None:
        super().__setstate__(state)
        for game, (source_game, provenance) in zip(self.games, state["places"], strict=True):
            game._source_game, game._provenance = source_game, provenance  # noqa: SLF001  # its own file

    @model_validator(mode="after")
    def _share_out(self) -> Self:
        """Give each game the diagnostics about it; without any it keeps its own."""
        about = _by_game(self.diagnostics)
        for number, game in enumerate(self.games):
            if number in about:
                game._diagnostics = about[number]  # noqa: SLF001  # its own file
        return self

    def _repr_svg_(self) -> str | None:
        return next((game._repr_svg_() for game in self.games), None)

    def viewer(self, theme: PageTheme = "auto") -> late.Viewer:
        """Return a board to step through each game, with an index: see :meth:`GameTree.viewer`."""
        return late.Viewer(late.view_games(self.games, theme))

    def _repr_html_(self) -> str:
        return late.draw_games(self.games)

    def __len__(self) -> int:
        return len(self.games)

    @deprecated("a collection is a sequence of its games", category=None)
    def keys(self) -> NoReturn:
        """Reject ``dict(collection)``."""
        raise TypeError(
            "a collection is a sequence of its games: collection.model_dump() has its fields"
        )

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


def as_collection(games: Collection | GameTree) -> Collection:
    """Return a collection, of one game if a game is given; TypeError for others."""
    if isinstance(games, GameTree):
        return Collection(games=(games,))
    if not isinstance(games, Collection):
        meant = "load() and loads() read one, Collection(games=[...]) has several games"
        if isinstance(games, late.Draft):
            meant = "draft.done() makes one"
        elif isinstance(games, str | bytes | os.PathLike):
            meant = "load() and loads() read one; games come before the file: dump(games, path)"
        raise TypeError(f"expected a Collection or a GameTree, not {type(games).__name__}: {meant}")
    return games
