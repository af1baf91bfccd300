"""Changing a game: a draft that takes all changes, and makes a new game at the end.

A draft knows a node by a number: nodes of the game keep theirs, new ones get new ones, and
removed ones are gone.  Each node keeps the node of a text that it comes from, so that
unchanged nodes keep their bytes.  Nothing recurses; a change takes time for what
it changes, and making the draft and the new game take time for the game once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, TypeAlias

from typing_extensions import TypeVar  # with a default, which Python 3.11 lacks

from sgf_lark.core import late
from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import Finding, Severity
from sgf_lark.core.grammar.tokens import name_pattern, why_unwritable
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.other_libraries import no_attribute
from sgf_lark.core.schema.points import color_of
from sgf_lark.core.schema.properties import COLORS, Category, Group, PropertyRule
from sgf_lark.core.schema.values import Color, Value, points_of
from sgf_lark.core.values.writer import write_values

from .constraints import off_board
from .finders import FINDERS, On
from .nodes import Node, Nodes
from .property import category, listed
from .provenance import Provenance, SourceGame
from .readings import Content, Reading
from .ruleset import RuleSet, RuleSets, find_first_values, name_of_file, size_of_board
from .tree import NONE, LinkList, MissingError

#: The types of a property whose value is a side.
COLORED = (("color",),)

#: The game that a draft makes.
G = TypeVar("G", default=Any)


class Branch(NamedTuple):
    """A node and all below it, cut from a game or copied: see :meth:`Draft.cut`.

    Attributes:
        parents: For each node the number of its parent in the branch; -1 for the first.
        origins: The nodes of texts that they come from.
    """

    parents: array[int]
    contents: list[Content]
    origins: Provenance
    format: Format

    def __len__(self) -> int:
        return len(self.parents)


AnyNode: TypeAlias = Node | int | str
"""A node of a draft: by its number, by its path in the tree as it is now, as :attr:`.Node.path` has
it, or as a node of the game from which the draft was made."""


class Draft(Generic[G]):
    """A game that is being changed; :meth:`~sgf_lark.GameTree.edit` makes one.

    >>> draft = game.edit()
    >>> node = draft.add(game.root, {"B": "pd", "C": "The corner."})
    >>> game = draft.done()
    """

    def __init__(
        self, nodes: Nodes, provenance: Provenance, make: Callable[[Nodes, Provenance], G]
    ) -> None:
        nodes.require_all()
        self._base = nodes
        self._make = make
        self._rules = nodes.rules
        self._root = 0
        self._before: list[Content] = list(nodes.contents)
        self._contents = self._before[:]
        self._source_games = list(provenance.games)
        self._which, self._numbers = provenance.which[:], provenance.numbers[:]
        self._links = LinkList(nodes.parents)
        self._playing: late.Playing | None = None

    if not TYPE_CHECKING:  # it would hide wrong names from type checkers

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute(self, name)

    # ---- looking ----

    @property
    def root(self) -> int:
        """The first node."""
        return self._root

    def parent(self, node: AnyNode) -> int | None:
        """Return the node before a node; None for the root."""
        above = self._links.parents[self._number(node)]
        return None if above < 0 else above

    def children(self, node: AnyNode) -> tuple[int, ...]:
        """Return the nodes after a node: first the main line, then the variations."""
        return tuple(self._links.children(self._number(node)))

    def properties(self, node: AnyNode) -> Content:
        """Return the properties of a node."""
        return self._contents[self._number(node)]

    def walk(self, node: AnyNode | None = None) -> Iterator[int]:
        """Yield a node and all below it, parents first, main line before variations.

        Args:
            node: The node; the root if None.
        """
        return self._links.walk(self._root if node is None else self._number(node))

    def _number(self, node: AnyNode) -> int:
        if isinstance(node, Node):
            if not node.is_of(self._base):
                raise MissingError("this node is of another game")
            node = node.index
        if isinstance(node, str):
            return self._links.at(node)
        if not hasattr(node, "__index__") or not self._links.has(node):
            raise MissingError(f"there is no node {node!r} in this draft")
        return node

    # ---- the tree ----

    def add(
        self, parent: AnyNode, properties: Mapping[str, Any] | None = None, *, at: int | None = None
    ) -> int:
        """Add a node after another.

        Args:
            parent: The node before it.
            properties: As :meth:`set` takes them.
            at: Its place among the children, 0 for the main line; the last one if None.

        Returns:
            The number of the new node.

        Raises:
            ValueError: A property cannot be so; see :meth:`set`.  The node is not added.
            KeyError: There is no such parent.
        """
        above = self._number(parent)
        node = self._new((), NONE, NONE)
        self._links.link(node, above, at)
        try:
            for ident, value in (properties or {}).items():
                self.set(node, ident, value)
        except Exception:
            self._links.remove(node)
            raise
        return node

    def play(
        self,
        move: Value | tuple[int, int],
        *,
        color: Color | str | None = None,
        after: AnyNode | None = None,
        force: bool = False,
    ) -> int:
        """Add a node with a move.

        >>> draft = GameTree.new("Go", 9).edit()
        >>> first, second = draft.play("E5"), draft.play("C3")

        Moves one after another cost one move each; a node elsewhere costs the way to it.

        Args:
            move: As people write it, such as ``Q16``, ``d3`` or ``pass``, or as ``str(node.move)``
                does, ``W Q16``; else as the record does; or a value as ``node.move.value`` has
                it, or column and row from 0.
            color: Who plays, such as ``"B"`` or ``"white"``; who is to play on the board if None.
            after: The node before it, whose last child it becomes; the end of the main line
                if None.
            force: Add an illegal move as well, with KO where the format has it (FF[4], KO).
                A point off the board is rejected nevertheless.

        Returns:
            The number of the new node.

        Raises:
            IllegalMoveError: The move is illegal.
            ValueError: It is no move of this game; the side to move is not known; or the game
                has no board: see :meth:`GameTree.positions`.
            KeyError: There is no such node.
        """
        if self._playing is None:
            self._playing = late.Playing(self._contents, self._links, self._rules)
        playing = self._playing
        above = playing.end_of_main_line() if after is None else self._number(after)
        turn = playing.judge(above, move, color, force=force)
        node = self.add(above, turn.properties)
        playing.go_on(node, turn)
        return node

    def insert(self, parent: AnyNode, properties: Mapping[str, Any] | None = None) -> int:
        """Insert a node between another and all its children; otherwise like :meth:`add`."""
        above = self._number(parent)
        below = self.children(above)
        node = self.add(above, properties, at=0)
        for child in below:
            self._links.move(child, node)
        return node

    def remove(self, node: AnyNode, *, keep_below: bool = False) -> None:
        """Remove a node.

        Args:
            node: The node.
            keep_below: Its children take its place; otherwise all below it is removed.

        Raises:
            ValueError: The root cannot be removed.
            KeyError: There is no such node.
        """
        number = self._not_root(node)
        if keep_below:
            self._links.lift_children(number)
        self._links.remove(number)

    def copy(self, node: AnyNode) -> Branch:
        """Return a node and all below it, for :meth:`paste`."""
        numbers = list(self.walk(node))
        parents = self._links.parents_in(numbers)
        contents = [self._contents[number] for number in numbers]
        which = array("q", (self._which[number] for number in numbers))
        there = array("q", (self._numbers[number] for number in numbers))
        origins = Provenance(tuple(self._source_games), which, there)
        return Branch(parents, contents, origins, self._rules.format)

    def cut(self, node: AnyNode) -> Branch:
        """Remove a node and all below it; return them for :meth:`paste`.

        Raises:
            ValueError: The root cannot be cut off.
            KeyError: There is no such node.
        """
        branch = self.copy(self._not_root(node))
        self.remove(node)
        return branch

    def paste(self, parent: AnyNode, branch: Branch, *, at: int | None = None) -> int:
        """Add a branch that was cut or copied, here or in another draft, after a node.

        Its values are read again, by the format and game of this draft.

        Args:
            parent: The node before it.
            branch: From :meth:`cut` or :meth:`copy`.
            at: Its place among the children, 0 for the main line; the last one if None.

        Returns:
            The number of its first node.

        Raises:
            KeyError: There is no such parent.
            ValueError: A value cannot be written in the format of this draft.  Nothing is put in.
        """
        above = self._number(parent)
        if branch.format is not self._rules.format:
            for content in branch.contents:
                for prop in content:
                    self._check_text(prop.name, prop.raw)
        games = [self._number_of_game(game) for game in branch.origins.games]
        pasted: list[int] = []
        for place, content in enumerate(branch.contents):
            which = branch.origins.which[place]
            node = self._new(
                self._read(content), games[which] if which >= 0 else NONE,
                branch.origins.numbers[place],
            )  # fmt: skip
            pasted.append(node)
            if place:
                self._links.link(node, pasted[branch.parents[place]])
        self._links.link(pasted[0], above, at)
        return pasted[0]

    def promote(self, node: AnyNode) -> None:
        """Exchange a variation with the one before it; the first one stays in its place."""
        self._links.promote(self._number(node))

    def demote(self, node: AnyNode) -> None:
        """Exchange a variation with the one after it; the last one stays in its place."""
        self._links.demote(self._number(node))

    def make_main_line(self, node: AnyNode) -> None:
        """Make every node on the path to a node the first child of its parent."""
        self._links.make_main_line(self._number(node))

    def keep_only(self, node: AnyNode) -> None:
        """Remove all nodes but the path to a node and the nodes below it."""
        self._links.keep_only(self._number(node))

    def _new(self, content: Content, which: int, number: int) -> int:
        self._contents.append(content)
        self._which.append(which)
        self._numbers.append(number)
        return self._links.add()

    def _number_of_game(self, game: SourceGame) -> int:
        for number, known in enumerate(self._source_games):
            if known is game:
                return number
        self._source_games.append(game)
        return len(self._source_games) - 1

    def _not_root(self, node: AnyNode) -> int:
        number = self._number(node)
        if number == self._root:
            raise ValueError("the first node cannot be removed: a game has at least one node")
        return number

    # ---- properties ----

    def set(self, node: AnyNode, ident: str, value: Any) -> None:
        """Give a node a property, or another value to one it has.

        Args:
            node: The node.
            ident: The identifier, in capitals.
            value: A value as ``node[ident]`` returns it; a number or text will do where the
                type is certain: ``6.5`` for KM, ``"pd"`` for B, a list for AB, a date or a list
                of dates for DT, pairs or a dict for LB.  A point may be the name that people
                give it, ``"Q16"``, or column and row from 0, ``(3, 4)``: what the format can
                hold as it is comes first.

        Raises:
            ValueError: It is no value of that property, or the node cannot have the property;
                the message says what is expected.
            KeyError: There is no such node.
        """
        number, format_ = self._number(node), self._rules.format
        rule = self._rules.rule(ident)
        if name_pattern(self._rules.file).fullmatch(ident) is None:
            raise ValueError(f"{ident!r} is no name that {format_.shown} allows")
        own = {"1", "2"} if format_ is Format.FF1 else {format_.digit}
        if ident == "FF" and str(value) not in own:
            raise ValueError(f"this game is {format_.shown}; convert makes it another")
        if rule is not None:
            self._allow(number, rule)
        raws = self._write(rule, value)
        self._check_text(ident, raws)
        prop = self._rules.property(ident, raws)
        for look in FINDERS.looks[False](prop.rule) if prop.rule else ():
            for problem in look(prop, self._rules):
                if problem.severity is Severity.ERROR:
                    raise ValueError(problem.message)
        self._put(number, ident, raws)

    def _write(self, rule: PropertyRule | None, value: Any) -> tuple[str, ...]:
        """Return the raw texts of a value; of points by their names, if it is nothing else."""
        reader = self._rules.reader
        if rule is not None and rule.types == COLORED and isinstance(value, str):
            value = color_of(value)
        value = listed(rule, value)
        try:
            return write_values(rule, value, reader)
        except ValueError:
            if rule is None or not rule.has_points:
                raise
            try:
                named = late.read_names(rule, value, self._contents[self._root], self._rules)
                return write_values(rule, named, reader)
            except ValueError:
                pass
            raise

    def add_comment(self, node: AnyNode, text: str) -> None:
        """Add a text to the comment of a node, after a blank line; without one it is the comment.

        Raises:
            ValueError: No record holds the text.
            KeyError: There is no such node.
        """
        values = (prop.value for prop in self.properties(node) if prop.ident == "C")
        self.set(node, "C", "\n\n".join(filter(None, (str(next(values, "")), text))))

    def set_raw(self, node: AnyNode, ident: str, *raw: str) -> None:
        """Give a node a property by its raw text, valid or not.

        Args:
            node: The node.
            ident: The identifier as the file spells it.
            raw: The texts between the brackets, escaped where they have to be.

        Raises:
            ValueError: There are no texts, or no file can hold the name or a text.
        """
        self._check_text(ident, raw)
        self._put(self._number(node), ident, raw)

    def put(self, node: AnyNode, properties: Content) -> None:
        """Give a node other properties, valid or not."""
        self._contents[self._number(node)] = self._read(properties)
        self._playing = None

    def unset(self, node: AnyNode, ident: str, *, missing_ok: bool = False) -> None:
        """Remove a property from a node.

        Args:
            node: The node.
            ident: The identifier, in capitals.
            missing_ok: A node without the property stays as it is.

        Raises:
            KeyError: It has none of that name, or there is no such node.
            ValueError: Without it the game would be read as another one, or in another format.
        """
        number = self._number(node)
        kept = tuple(prop for prop in self._contents[number] if prop.ident != ident)
        if len(kept) == len(self._contents[number]):
            if missing_ok:
                return
            raise MissingError(f"node {number} has no {ident}; missing_ok=True accepts that")
        usual = {
            "FF": self._rules.format is Format.FF1,
            "GM": self._rules.game.number == GameNumber.GO,
        }
        if number == self._root and not usual.get(ident, True):
            what = self._rules.format.shown if ident == "FF" else self._rules.game.name
            raise ValueError(f"without {ident} this game would not be read as {what} any more")
        self._contents[number] = kept
        if self._playing is not None:
            self._playing.forget(ident)

    def _check_text(self, name: str, raws: tuple[str, ...]) -> None:
        why = why_unwritable(name, raws, ggf=self._rules.format is Format.GGF)
        if why is not None:
            raise ValueError(why)

    def _put(self, node: int, name: str, raw: tuple[str, ...]) -> None:
        """Put a property in the place of those of its name, or in that of a new one."""
        new = self._rules.property(name, raw)
        content: list[Reading] = []
        for prop in self._contents[node]:
            if prop.ident != new.ident:
                content.append(prop)
            elif new not in content:
                new = self._rules.property(prop.name, raw)
                content.append(new)
        if new not in content:
            content.insert(_find_place(new, content), new)
        self._contents[node] = tuple(content)
        if self._playing is not None:
            self._playing.forget(new.ident)

    def _allow(self, node: int, rule: PropertyRule) -> None:
        """Raise ValueError for a property that a node must not have (FF[4], property types)."""
        format_ = self._rules.format
        if rule.category is Category.ROOT and node != self._root:
            raise ValueError(f"{rule.ident} belongs in the first node of a game")
        if format_ is not Format.FF4:
            return
        others = [
            prop.rule for prop in self._contents[node] if prop.rule and prop.ident != rule.ident
        ]
        opposite = {Category.SETUP: Category.MOVE, Category.MOVE: Category.SETUP}
        wrong = opposite.get(rule.category)
        for other in others:
            if other.category is wrong or {rule.ident, other.ident} == set(COLORS):
                raise ValueError(
                    f"{rule.ident} cannot stand beside {other.ident}: a node is a move or a setup"
                    if other.category is wrong
                    else f"{rule.ident} cannot stand beside {other.ident}: a node has one move"
                )
        if rule.category is Category.GAME_INFO:
            above = self._links.parents[node]
            while above >= 0:
                for prop in self._contents[above]:
                    if category(prop) is Category.GAME_INFO:
                        raise ValueError(
                            f"game-info property {rule.ident} again:"
                            f" an earlier node already has {prop.ident}"
                        )
                above = self._links.parents[above]

    def _read(self, content: Content) -> Content:
        return tuple([self._rules.property(prop.name, prop.raw) for prop in content])

    # ---- the new game ----

    def done(self, *, strict: bool = True) -> G:
        """Return the changed game.

        Nodes that are new or have other properties are judged here as strict reading judges
        them; if SZ or GM is another one, all are.

        Args:
            strict: Raise for errors of a new kind; if not, nothing is judged.

        Raises:
            ValueError: GGF, and the game has variations, or a node without a move; or, if
                ``strict``, the changes bring an error for which strict reading raises, of a
                kind that the game did not have before.
        """
        order = list(self.walk())
        parents = self._links.parents_in(order)
        contents = [self._contents[node] for node in order]
        if self._rules.format is Format.GGF:
            contents = list(_sort_ggf(parents, contents))
        rules = self._new_rules(parents, contents)
        provenance = Provenance(
            tuple(self._source_games),
            array("q", (self._which[node] for node in order)),
            array("q", (self._numbers[node] for node in order)),
        )
        nodes = Nodes.of(parents, contents, rules)
        if strict:
            before = dict(enumerate(self._before))  # new nodes are not in it
            changed = [
                at for at, node in enumerate(order) if self._contents[node] is not before.get(node)
            ]
            require_no_new_errors(self._base, nodes, changed)
        return self._make(nodes, provenance)

    def _new_rules(self, parents: array[int], contents: list[Content]) -> RuleSet:
        old = self._rules
        pairs = ([(prop.ident, prop.raw) for prop in content] for content in contents)
        name = name_of_file(old, self._base.contents[0])
        book = RuleSets(old.table, dialect=old.dialect, name=name)
        new = book.declared(old.format, find_first_values(parents, pairs, old.format))
        return old if (new.game, new.over_19) == (old.game, old.over_19) else new


def _find_place(new: Reading, content: list[Reading]) -> int:
    """Return the place of a new property: a move first, CA after FF and GM, others last."""
    if new.ident == "CA":
        names = [prop.ident for prop in content]
        return next((at for at, name in enumerate(names) if name not in _FIRST), len(names))
    return 0 if new.ident in COLORS else len(content)


#: The properties before CA.
_FIRST = Group.KIND.idents


def _sort_ggf(parents: array[int], contents: list[Content]) -> Iterator[Content]:
    """Yield nodes as GGF has them, the move first; ValueError if it cannot have them."""
    for node, content in enumerate(contents):
        if node and parents[node] != node - 1:
            raise ValueError("GGF has no variations")
        if (node > 0) != sum(prop.ident in COLORS for prop in content):
            raise ValueError("in GGF the first node has no move, and each other node has one")
        yield tuple(sorted(content, key=lambda prop: prop.ident not in COLORS))


def require_no_new_errors(before: Nodes, after: Nodes, changed: Sequence[int]) -> None:
    """Require that changes bring no error of a kind that the game did not have before.

    Only changed nodes are read; all of them if the board or the game is another one, if a
    changed node has game info, and to find the kinds of errors before where there are new ones.

    Raises:
        ValueError: They do; the message names the node and the code.
    """
    if _declared(before) != _declared(after):
        changed = range(len(after))
    errors = [*_find_errors(after, changed)] if changed else []
    known = {error.name for error in _find_errors(before, range(len(before)))} if errors else set()
    for error in errors:
        if error.name not in known:
            where = f"node {after.tree.path(error.node)}" if error.node else "the first node"
            raise ValueError(f"{where}: {error.message} [{error.rule.code} {error.name}]")


def _declared(nodes: Nodes) -> list[tuple[str, ...]]:
    return [prop.raw for prop in nodes.contents[0] if prop.ident in Group.DECLARES.idents]


def _find_errors(nodes: Nodes, numbers: Sequence[int]) -> Iterator[Finding]:
    contents, rules = nodes.contents, nodes.rules
    of_nodes = FINDERS.on(On.NODE, rules.format, lints=False)
    for node in numbers:
        content = contents[node]
        looks = (finder.look(content, rules) for finder in of_nodes)
        for finding in chain(_find_in_values(content, nodes), *looks):
            if finding.severity is Severity.ERROR:
                yield finding._replace(node=node)
    if any(category(prop) is Category.GAME_INFO for node in numbers for prop in contents[node]):
        numbers = range(len(nodes))
    for finder in FINDERS.on(On.TREE, rules.format, lints=False):
        yield from (
            finding for finding in finder.look(nodes, numbers) if finding.severity is Severity.ERROR
        )


def _find_in_values(content: Content, nodes: Nodes) -> Iterator[Finding]:
    rules = nodes.rules
    size = size_of_board(nodes.contents[0], rules)
    for prop in content:
        yield from prop.problems
        for look in FINDERS.looks[False](prop.rule) if prop.rule else ():
            yield from look(prop, rules)
        if size is None or prop.rule is None or not prop.rule.has_points:
            continue
        for raw, value in zip(prop.raw, prop.values, strict=False):
            if any(at.column >= size.columns or at.row >= size.rows for at in points_of(value)):
                board = f"the board of {size.columns} by {size.rows}"
                message = f"{prop.ident}[{shorten(raw)}] lies outside {board}"
                yield off_board(message)
