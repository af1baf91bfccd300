"""Conversion node by node, and the steps that all conversions between versions of SGF share.

A conversion writes the texts between brackets; the new game is read again from them, so that
it equals the one that a file would hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import Any, TypeAlias

from sgf_lark.core import (
    COLORS,
    LARGEST_WITH_TT,
    LETTERED_SIDE,
    Category,
    Content,
    Format,
    GameNumber,
    GameTree,
    Group,
    Point,
    PointList,
    PropertyRule,
    Reading,
    Rectangle,
    RuleSet,
    RuleSets,
    Severity,
    close_value,
    find_board_size,
    name_pattern,
    point_notation,
    shorten,
)
from sgf_lark.games.go import GoState
from sgf_lark.positions.grid import EMPTY
from sgf_lark.positions.replay import Replay

from .builder import ConvertOptions, NewProperty, Note, ResultBuilder


class ConversionContext:
    """The parts of a conversion that all nodes share: result, rules, board, options."""

    def __init__(self, builder: ResultBuilder) -> None:
        game, format = builder.source, builder.format
        self.builder = builder
        self.options = builder.options
        self.game = game.nodes.rules.game
        self.old: RuleSet = game.nodes.rules
        self.format = format
        named = self.old.table.game(format, game.game, game.game_name)
        #: Root properties that the first node lacks, from later ones: their raw values.
        self.moved = _misplaced(game, format)
        root = [(prop.ident, prop.raw) for prop in game.nodes.contents[0]] + [*self.moved.items()]
        self.new: RuleSet = RuleSets(builder.table).rules(format, named, root)
        #: The names of properties that the new format allows.
        self.names = name_pattern(self.new.file)
        size = find_board_size(game.nodes.contents[0], self.game)
        self.size = size
        self.is_go = self.game.number == GameNumber.GO
        self.tt_passes = self.is_go and size is not None and max(size) <= LARGEST_WITH_TT
        self.is_upgrade = format > self.old.format
        #: Points of rectangles that may still be written one by one.
        self.points_left = MAX_POINTS_WRITTEN
        #: Rectangles of too many points are reported once.
        self.has_reported = False

    def rule(self, ident: str) -> PropertyRule | None:
        """Return the rule of a property in the new format; None if it has none of that name."""
        return self.new.rule(ident)

    def point(self, point: Point) -> str | None:
        """Return a point in the notation of the game; None if the notation is unknown."""
        notation = point_notation(self.game)
        try:
            return None if notation is None else notation(point)
        except LookupError:
            return None


@dataclass
class NodeTask:
    context: ConversionContext
    is_root: bool
    info_above: bool
    stones: GoState | None  # the board after the node; None if it is unknown
    props: list[NewProperty]
    notes: list[Note] = field(default_factory=list)
    # the nodes that it became, each as its properties
    nodes: list[list[NewProperty]] = field(default_factory=list)
    # by the id of a property those in its place, until the step is done
    replaced: dict[int, Sequence[NewProperty]] = field(default_factory=dict)

    def find(self, *idents: str) -> NewProperty | None:
        return next((prop for prop in self.props if prop.ident in idents), None)

    def values(self, prop: NewProperty) -> tuple[object, ...]:
        """Return the typed values by the old format, or by the new one if only it has the rule."""
        known = self.context.old.rule(prop.ident) is not None
        rules = self.context.old if known else self.context.new
        return rules.property(prop.ident, prop.raw).values

    def category(self, prop: NewProperty) -> Category | None:
        rule = self.context.rule(prop.ident)
        return None if rule is None else rule.category

    def report(
        self,
        name: str,
        message: str,
        prop: NewProperty | None = None,
        *,
        result: int = 0,
        severity: Severity | None = None,
        help: str = "",
    ) -> None:
        """Note what happens to a property, or to the node; see :class:`Note`."""
        place = None if prop is None else prop.place
        self.notes.append(Note(name, message, place, result, severity, help))

    def replace(self, prop: NewProperty, *new: NewProperty) -> None:
        self.replaced[id(prop)] = new

    def drop(self, prop: NewProperty, name: str, message: str, **how: Any) -> None:
        self.report(name, message, prop, **how)
        self.replace(prop)

    def rewrite(
        self,
        prop: NewProperty,
        raw: tuple[str, ...],
        name: str = "value-corrected",
        message: str = "",
        **how: Any,
    ) -> None:
        """Set new values of a property, and report that the one is now the other, or a message."""
        new = NewProperty(prop.ident, raw)
        self.report(name, message or f"{quote(prop)} is now {quote(new)}", prop, **how)
        prop.raw = raw

    def run(self, steps: Iterable[NodeStep]) -> None:
        """Run the steps, and after each do the replacements that it asks for."""
        for step in steps:
            step(self)
            if self.replaced:
                self.props = [
                    new for prop in self.props for new in self.replaced.get(id(prop), (prop,))
                ]
                self.replaced.clear()
        self.nodes = self.nodes or [self.props]

    def invalid_part(self, prop: NewProperty) -> NewProperty:
        """Return a property with only the values that are errors in the new format."""
        problems = self.context.new.property(prop.ident, prop.raw).problems
        places = {problem.value_index for problem in problems if problem.severity is Severity.ERROR}
        raw = (value for place, value in enumerate(prop.raw) if {place, None} & places)
        return NewProperty(prop.ident, tuple(raw), prop.place)

    def is_wrong(self, prop: NewProperty) -> bool:
        return bool(self.invalid_part(prop).raw)

    def single_points(self, prop: NewProperty) -> list[tuple[str, object, Iterable[Point]]] | None:
        """Return each value as its text, its typed value and its points.

        None if the rectangles have too many points, which is reported once.
        """
        context = self.context
        values: list[tuple[str, object, Iterable[Point]]] = []
        for raw, value in zip(prop.raw, self.values(prop), strict=False):
            points: Iterable[Point] = (value,) if isinstance(value, Point) else ()
            if isinstance(value, Rectangle) and value.corners is not None:
                points = PointList((value,))
                context.points_left -= points.total
                if context.points_left < 0:
                    self._reject_list(prop)
                    return None
            values.append((raw, value, points))
        return values

    def _reject_list(self, prop: NewProperty) -> None:
        if not self.context.has_reported:
            self.context.has_reported = True
            what = f"the rectangles of {quote(prop)}"
            message = f"{what} have too many points to write them one by one"
            limit = f"use at most {MAX_POINTS_WRITTEN} points in all rectangles of a game"
            self.report("list-refused", message, prop, help=limit)

    def has_stone(self, value: object) -> bool:
        board = self.stones
        if board is None or not isinstance(value, Point) or not board.has(value):
            return False
        return board.held(board.cell(value)) != EMPTY


#: A step of a conversion, for one node.
NodeStep: TypeAlias = Callable[[NodeTask], None]


def property_step(*idents: str) -> Callable[[Callable[[NodeTask, NewProperty], None]], NodeStep]:
    """Return a decorator that makes a step of a function for one property."""

    def make_step(function: Callable[[NodeTask, NewProperty], None]) -> NodeStep:
        @wraps(function)
        def step(task: NodeTask) -> None:
            for prop in task.props:
                if not idents or prop.ident in idents:
                    function(task, prop)

        return step

    return make_step


def convert_nodes(
    context: ConversionContext, steps: Sequence[NodeStep], marks: AbstractSet[str]
) -> None:
    builder, game = context.builder, context.builder.source
    nodes = game.nodes
    boards = _boards(game, context, marks)
    ends: list[int] = []  # of each old node the last of the nodes that it became
    described: list[bool] = []  # of each old node: it, or one above, has game-info
    known: dict[tuple[Content, bool], NodeTask] = {}
    reported: set[str] = set()
    kept = _kept_moves(context.old, context.new, context.options, context.tt_passes)
    parents = nodes.parents
    for node, content in enumerate(nodes.contents):
        above = parents[node]
        info = above >= 0 and described[above]
        stones = next(boards)
        if len(content) == 1 and node and not stones and (content[0], info) in kept:
            prop = content[0]
            ends.append(builder.add(ends[above], [NewProperty(prop.name, prop.raw, 0)], node))
            described.append(info)
            continue
        task = None if stones or node == 0 else known.get((content, info))
        if task is None:
            props = [
                NewProperty(prop.name, tuple(map(close_value, prop.raw)), place)
                for place, prop in enumerate(content)
            ]
            if node == 0:
                props += [NewProperty(ident, raw) for ident, raw in context.moved.items()]
            task = NodeTask(context, node == 0, info, stones, props)
            task.run(steps)
            if node and not stones:
                if len(known) >= MAX_TASKS:
                    known.clear()
                known[content, info] = task
                if len(kept) < MAX_TASKS and _keeps_move(task, content):
                    kept.add((content[0], info))
        parent = ends[above] if above >= 0 else -1
        first = len(builder.props)
        for part in task.nodes:
            parent = builder.add(parent, part, node)
        ends.append(parent)
        described.append(info or _describes(task))
        for note in _unreported(task, content, reported):
            builder.note(note, node, first)


def _misplaced(game: GameTree, format: Format) -> dict[str, tuple[str, ...]]:
    """Return the root properties of later nodes that the first node lacks.

    Those that say how the game is read are not among them: it was read without them.  Nor are
    those that may describe a game from any node on in the new format.
    """
    nodes, number = game.nodes, game.nodes.rules.game.number
    find = nodes.rules.table.find
    here = {prop.ident for prop in nodes.contents[0]} | Group.KIND.idents | {"CA"}
    idents = {
        rule.ident
        for rule in nodes.rules.table
        if rule.category is Category.ROOT and rule.ident not in here
    }
    moved: dict[str, tuple[str, ...]] = {}
    for node in dict.fromkeys(nodes.having(idents)):
        for prop in nodes.contents[node]:
            new = find(format, number, prop.ident)
            if (
                prop.ident in idents
                and (prop.rule or new) is not None
                and all(rule is None or rule.category is Category.ROOT for rule in (prop.rule, new))
            ):
                moved.setdefault(prop.ident, tuple(map(close_value, prop.raw)))
    return moved


def _unreported(task: NodeTask, content: Content, reported: set[str]) -> Iterator[Note]:
    """Yield the notes on a node; of properties kept as private ones, one for each identifier."""
    for note in task.notes:
        if note.name == "kept-as-private" and note.place is not None:
            ident = content[note.place].ident
            if ident in reported:
                continue
            reported.add(ident)
        yield note


#: At most this many nodes have their conversion kept for nodes with the same properties: moves
#: recur in variations.  80 real files, each read for the first time in a new process, are
#: converted to FF[3] in 0.33 seconds of CPU time; in 0.46 without it.
MAX_TASKS = 1 << 10


@lru_cache(maxsize=1 << 4)
def _kept_moves(*_alike: RuleSet | ConvertOptions | bool) -> set[tuple[Reading, bool]]:
    """Return the moves that all such conversions keep, in nodes without anything else.

    Each is with True if an earlier node has game info.  The set is the same each time.
    """
    return set()


def _keeps_move(task: NodeTask, content: Content) -> bool:
    """Return whether a node is a move, and its conversion the same move without a note."""
    if len(content) != 1 or content[0].ident not in COLORS or task.notes:
        return False
    move = NewProperty(content[0].name, content[0].raw, 0)
    return task.nodes == [[move]] and not _describes(task)


def _describes(task: NodeTask) -> bool:
    return any(task.category(prop) is Category.GAME_INFO for props in task.nodes for prop in props)


# ---- the board, for marks whose form depends on stones ----


def _boards(
    game: GameTree, context: ConversionContext, marks: AbstractSet[str]
) -> Iterator[GoState | None]:
    """Yield for each node the board after it; None if no mark of the node depends on it.

    Source: FF[4], Go, on playing a move; setup comes before moves, as FF[4] splits them.
    """
    nodes = game.nodes
    size = context.size
    if (
        not context.is_go
        or size is None
        or max(size) > LETTERED_SIDE
        or not (marked := {*nodes.having(marks)})
    ):
        for _ in range(len(nodes)):
            yield None
        return
    board, parents = GoState(size), nodes.parents
    replay = Replay(nodes.contents, nodes.rules, board)
    for node, *_ in replay.of_nodes(nodes.tape, range(len(parents)), parents):
        yield board if node in marked else None


#: Points written for all rectangles of one game: a value of a few characters can name more
#: than any memory holds.
MAX_POINTS_WRITTEN = 1 << 19


# ---- messages ----


def quote(prop: NewProperty) -> str:
    """Return a property as a message shows it, with at most :data:`MAX_SHOWN` values."""
    more = "\N{HORIZONTAL ELLIPSIS}" if len(prop.raw) > MAX_SHOWN else ""
    return prop.ident + "".join(f"[{shorten(raw)}]" for raw in prop.raw[:MAX_SHOWN]) + more


#: Values of a property in a message.
MAX_SHOWN = 12
