"""What all conversions work with: a game in the making, and what is to be said about it.

A conversion reads a game and writes texts between brackets; the new game is read again from
them, so that it is no other than the one a file would hold.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass, field

from sgf_lark.boards.board import EMPTY, SETUP_CELLS, STONES
from sgf_lark.boards.go import GoBoard
from sgf_lark.check.games.replay import replay
from sgf_lark.diagnostics.diagnostic import shorten
from sgf_lark.diagnostics.rules import RULES, Severity
from sgf_lark.grammar.tokens import name_pattern
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import Content
from sgf_lark.model.ruleset import RuleBook, Rules, board_size
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import LARGEST_WITH_TT, LETTERED_SIDE, GameNumber, game_of
from sgf_lark.schema.properties import COLORS, Category, Count, PropertyRule, PropertyTable
from sgf_lark.schema.values import Point, PointList, Rectangle
from sgf_lark.values.writer import POINTS, close_value

from .making import Item, Making, Note, Options
from .unsayable import Unsayable


class Setting:
    """What is the same for all nodes of a game: how it is read, and how it will be."""

    def __init__(self, game: GameTree, format: Format, options: Options) -> None:
        self.options = options
        self.game = game.nodes.rules.game
        self.old: Rules = game.nodes.rules
        self.format = format
        named = game_of(format, game.game, game.game_name)
        root = [(one.ident, one.raw) for one in game.nodes.contents[0]]
        self.new: Rules = RuleBook(self.old.table).rules(format, named, root)
        #: What the names of properties are in the new format.
        self.names = name_pattern(self.new.file)
        size = board_size(game.nodes.contents[0], self.game)
        self.size = size
        self.is_go = self.game.number == GameNumber.GO
        self.tt_passes = self.is_go and size is not None and max(size) <= LARGEST_WITH_TT
        self._points_left = MAX_POINTS_WRITTEN
        #: Rectangles were refused, which is said once.
        self.has_refused = False

    def rule(self, ident: str) -> PropertyRule | None:
        """What a property is in the new format; None if it knows none of that name."""
        return self.new.rule(ident)

    def points_of(self, rectangle: Rectangle) -> PointList | None:
        """Return the points of a rectangle, to be written one by one; None if they are too many.

        Count them for :data:`MAX_POINTS_WRITTEN`.
        """
        points = PointList((rectangle,))
        self._points_left -= points.total
        return points if self._points_left >= 0 else None

    def point(self, point: Point) -> str | None:
        """A point in the notation of the game; None if nobody described it."""
        try:
            return POINTS[self.game.grammar or "", False](point)
        except LookupError:
            return None


@dataclass
class Task:
    """One node on its way.

    Attributes:
        setting: See there.
        is_root: It is the first node of its game.
        info_above: A node above it describes the game already.
        stones: The board after the node; None if nobody knows it.
        items: Its properties.
        notes: What is to be said.
        nodes: The nodes that it became, each as its properties.
    """

    setting: Setting
    is_root: bool
    info_above: bool
    stones: GoBoard | None
    items: list[Item]
    notes: list[Note] = field(default_factory=list)
    nodes: list[list[Item]] = field(default_factory=list)

    def find(self, *idents: str) -> Item | None:
        """The first property that is called one of these."""
        return next((one for one in self.items if one.ident in idents), None)

    def values(self, item: Item) -> tuple[object, ...]:
        """The typed values, as the old format means them; as the new one, if the old has none."""
        known = self.setting.old.rule(item.ident) is not None
        rules = self.setting.old if known else self.setting.new
        return rules.property(item.ident, item.raw).values

    def category(self, item: Item) -> Category | None:
        rule = self.setting.rule(item.ident)
        return None if rule is None else rule.category

    def say(
        self,
        name: str,
        message: str,
        item: Item | None = None,
        *,
        severity: Severity | None = None,
        help: str = "",
    ) -> None:
        place = None if item is None else item.place
        self.notes.append(Note(name, message, place, severity=severity, help=help))

    def wrong(self, item: Item) -> Item:
        """The values of it that the new format calls errors."""
        problems = self.setting.new.property(item.ident, item.raw).problems
        places = {
            one.value_index
            for one in problems
            if (one.severity or RULES[one.name].severity) is Severity.ERROR
        }
        raw = (one for place, one in enumerate(item.raw) if {place, None} & places)
        return Item(item.ident, tuple(raw), item.place)

    def is_wrong(self, item: Item) -> bool:
        """The new format calls a value of it an error."""
        return bool(self.wrong(item).raw)

    def refuse_list(self, item: Item) -> None:
        """Say that the rectangles of a property are not written out."""
        if self.setting.has_refused:
            return
        self.setting.has_refused = True
        message = f"{shown(item)} names more points than a conversion writes out"
        help_ = f"name at most {MAX_POINTS_WRITTEN} points by all rectangles of a game"
        self.say("list-refused", message, item, help=help_)

    def has_stone(self, value: object) -> bool:
        """A stone stands on the point."""
        board = self.stones
        if board is None or not isinstance(value, Point) or not board.has(value):
            return False
        return board.held(board.cell(value)) != EMPTY


def made_of(
    game: GameTree,
    format: Format,
    options: Options,
    steps: Sequence[Callable[[Task], None]],
    marks: AbstractSet[str],
) -> Making:
    """Convert a game node by node.

    Args:
        game: What is converted.
        format: What it becomes.
        options: What the user wants.
        steps: What is done to each node, in this order.
        marks: Properties whose nodes need to know the board.
    """
    made = Making.of(game, format, options)
    setting = Setting(game, format, options)
    nodes = game.nodes
    boards = _boards(game, setting, marks)
    ends: list[int] = []  # of each old node the last of the nodes that it became
    described: list[bool] = []  # of each old node: it, or one above, has game-info
    known: dict[tuple[Content, bool], Task] = {}
    told: set[str | None] = set()
    for node, content in enumerate(nodes.contents):
        above = nodes.parents[node]
        info = above >= 0 and described[above]
        stones = next(boards)
        task = None if stones or node == 0 else known.get((content, info))
        if task is None:
            items = [
                Item(one.name, tuple(map(close_value, one.raw)), place)
                for place, one in enumerate(content)
            ]
            task = Task(setting, node == 0, info, stones, items)
            for step in steps:
                step(task)
            task.nodes = task.nodes or [task.items]
            if node and not stones:
                known[content, info] = task
        parent = ends[above] if above >= 0 else -1
        first = len(made.items)
        for items in task.nodes:
            parent = made.add(parent, items, node)
        ends.append(parent)
        described.append(info or _describes(task))
        for note in task.notes:
            if note.name == "kept-as-private":
                ident = content[note.place or 0].ident
                if ident in told:
                    continue
                told.add(ident)
            made.note(note, node, first)
    return made


def _describes(task: Task) -> bool:
    return any(task.category(item) is Category.GAME_INFO for items in task.nodes for item in items)


# ---- the board, for marks whose form depends on stones ----


def _boards(game: GameTree, setting: Setting, marks: AbstractSet[str]) -> Iterator[GoBoard | None]:
    """For each node the board after it, if the node has marks that depend on it.

    Source: FF[4], Go, on playing a move; setup comes before moves, as FF[4] splits them.
    """
    nodes = game.nodes
    size = setting.size
    if (
        not setting.is_go
        or size is None
        or max(size) > LETTERED_SIDE
        or not any(one.ident in marks for content in nodes.contents for one in content)
    ):
        for _ in range(len(nodes)):
            yield None
        return
    board = GoBoard(*size)
    for _, content in replay(nodes, board, array("q")):
        for one in content:
            if one.ident in SETUP_CELLS:
                for value in one.values:
                    _set_up(board, value, SETUP_CELLS[one.ident])
        for one in content:
            if one.ident in COLORS and one.values:
                point = one.values[0]
                if isinstance(point, Point) and board.has(point):
                    board.play(board.cell(point), STONES[COLORS[one.ident]])
        yield board if any(one.ident in marks for one in content) else None


#: Points that a conversion writes out for the rectangles of one game: a value of a few
#: characters can name more than any memory holds.
MAX_POINTS_WRITTEN = 1 << 19


def _set_up(board: GoBoard, value: object, held: int) -> None:
    """Set one value of a setup property, as far as it is on the board."""
    if isinstance(value, Point) and board.has(value):
        board.put(board.cell(value), held)
    elif isinstance(value, Rectangle) and value.corners is not None:
        low, high = value.corners
        if board.has(low):
            last = Point(*map(min, high, (board.size.columns - 1, board.size.rows - 1)))
            board.put_rectangle(low, last, held)


# ---- words ----


def letter_of(number: int) -> str:
    """A, B ... Z, AA, AB ... for 0, 1 ... 25, 26, 27 ..."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def shown(item: Item) -> str:
    """A property as a message shows it, cut to what one can read."""
    more = "\N{HORIZONTAL ELLIPSIS}" if len(item.raw) > MOST_SHOWN else ""
    return item.ident + "".join(f"[{shorten(raw)}]" for raw in item.raw[:MOST_SHOWN]) + more


#: So many values of a property are shown.
MOST_SHOWN = 12


#: Texts that may have several lines (FF[4], Text): C and GC.
LONG_TEXTS = frozenset(
    rule.ident
    for rule in PropertyTable.standard()
    if rule.format is Format.FF4 and rule.type == "text"
)


def names(task: Task) -> None:
    """Lower case letters of a name do not count; what is left is a name of the new format.

    Source: FF[4], converting, for names without a capital; for other names that the format
    forbids, a choice.
    """
    kept = []
    for item in task.items:
        name = item.ident
        item.ident = "".join(char for char in name if not char.islower())
        if not item.ident:
            task.say(
                "nameless-property",
                f"{name} has no capital letter, and so names no property; it is left out",
                item,
            )
            continue
        if task.setting.names.fullmatch(item.ident) is None:
            if item.ident.isalpha() and task.setting.options.unsayable is Unsayable.KEEP:
                message = (
                    f"{task.setting.format.shown} has no name as long as {item.ident}; it is kept"
                )
                task.say("kept-as-private", message, item, severity=Severity.WARNING)
                kept.append(item)
                continue
            lost = shown(Item(name, item.raw))
            message = f"{task.setting.format.shown} forbids the name {name}: {lost} is left out"
            task.say("nameless-property", message, item)
            continue
        if item.ident != name:
            task.say("long-name", f"{name} is now {item.ident}", item)
        kept.append(item)
    task.items = kept


def duplicates(task: Task) -> None:
    """Of a property that stands twice, lists and long texts are put together.

    Of others the first counts.  Source: SGFC; private properties, of which nobody knows what
    they are, count as lists (a choice: nothing of them is lost).
    """
    groups: dict[str, list[Item]] = {}
    for item in task.items:
        groups.setdefault(item.ident, []).append(item)
    for first, *others in groups.values():
        rule = task.setting.rule(first.ident) or task.setting.old.rule(first.ident)
        is_long = first.ident in LONG_TEXTS
        is_list = is_long or rule is None or rule.count is not Count.ONE
        raws = list(first.raw)
        for item in others:
            if item.raw == first.raw:
                task.say("merged-property", f"{shown(item)} stands twice; once is enough", item)
            elif is_list:
                raws += item.raw
                task.say("merged-property", f"both {item.ident} of this node are one now", item)
            else:
                message = f"{first.ident} stands twice; {shown(item)} is left out"
                task.say("second-dropped", message, item)
        if is_long and raws != list(first.raw):
            first.raw = ("\n\n".join(filter(None, raws)),)
        elif others and is_list:
            first.raw = tuple(dict.fromkeys(raws))
    task.items = [first for first, *_ in groups.values()]
