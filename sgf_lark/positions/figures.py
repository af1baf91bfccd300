"""The figures of a game, as books print them: from one FG to the next.

Source: FF[4], FG, PM, MN, VW, DD; FF[1] and FF[3], FG.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import NamedTuple, TypeAlias

from sgf_lark.core import (
    COLORS,
    NONE,
    SETUP,
    Figure,
    FigureFlag,
    GameNumber,
    Invalid,
    Nodes,
    Point,
    column_name,
    plural,
)
from sgf_lark.pictures.diagram import Diagram, GameFigure, Remark, Unshown
from sgf_lark.pictures.parts import Number, Stone
from sgf_lark.pictures.words import word

from .diagram import (
    NO_BOARD_MARKUP,
    lines,
    remark_on,
    taken_points,
    text_of,
    unshown,
    without_number,
)
from .markup import MARKS, OTHERS, TERRITORY, Markup, values_of
from .numbering import MOVES_OF_FIGURE, Counted, Placed, Setup, target_of

#: How a game is divided: ``FG``, ``comments``, or after a number of moves; None as its record
#: needs it.
Split: TypeAlias = str | int | None

#: Markup that makes a picture worth while before the first move.
MARKUP = frozenset({*MARKS, *TERRITORY, *OTHERS})

#: Moves whose markup is not drawn that a figure names.
MAX_NAMED = 10

#: The flags of a figure whose FG has none: "this is the way diagrams are printed in books".
BOOK = FigureFlag.KEEP_CAPTURED_STONES

#: The stones of all figures of a game, and more of them for each of its nodes: real games stay
#: far below.
MAX_STONES, MAX_STONES_PER_NODE = 1_000_000, 400

#: What setup of Go puts down.
ADDED = {ident: color for ident, color in SETUP.items() if color is not None}

#: Flags of more digits are none.
MAX_DIGITS = 6


@dataclass(eq=False)
class FigureNodes:
    """The nodes of one figure, each the parent of the next one."""

    first: int
    last: int
    settings: int | None = None  # the node whose FG it has; None without one
    # the node before the variation that it is a part of; None in the main line
    before: int | None = None
    number: str = ""  # of the figure: 1, 1a for a variation
    # the run in which that variation begins; None in the main line
    origin: FigureNodes | None = None
    variations: list[FigureNodes] = field(default_factory=list)

    @property
    def nodes(self) -> range:
        return range(self.first, self.last + 1)


class Division:
    """The runs of nodes into which a game is divided (ValueError: there is no such division)."""

    def __init__(self, nodes: Nodes, split: Split) -> None:
        self._nodes = nodes
        self._numbering = nodes.numbering
        self.marked = marked_nodes(nodes)
        self.problem = nodes.numbering.problem if split is None else None
        #: Nodes after which a figure begins in any case.
        self._ends: set[int] = set()
        if split is None:
            self._ends = {node for node in self.marked if self._says(node)}
            if self.problem is not None:
                self._ends.add(self.problem.last)
            later = nodes.tree.main_line()[1:]
            has_figures = any(self._numbering.has("FG", node) for node in later)
            split = "FG" if has_figures else MOVES_OF_FIGURE
        ways: dict[Split, Callable[[int], bool]] = {
            "FG": lambda node: self._numbering.has("FG", node),
            "comments": self._comes_after_comment,
        }
        if split not in ways and (not isinstance(split, int) or split < 1):
            raise ValueError(f"no division {split!r}: expected FG, comments or a number of moves")
        self._begins = ways.get(split, self._comes_after_last)
        self.split = split
        #: Of the present run: its moves, and if there is anything to be seen.
        self._moves, self._has_stones = 0, False

    def runs(self, *, variations: bool) -> Iterator[FigureNodes]:
        """Yield the runs in the order of their figures, each before the variations within it.

        The variations of a problem come after the first figure of its solution.
        """
        runs = self._in_order_of_file(variations=variations)
        parents, firsts = self._nodes.parents, [run.first for run in runs]
        lines: list[list[FigureNodes]] = []
        for run in runs:
            if run.first == 0 or self._nodes.tree.is_head(run.first):
                lines.append([])
            lines[-1].append(run)
        branches: dict[int, list[list[FigureNodes]]] = {}
        for line in sorted(lines[1:], key=lambda line: (parents[line[0].first], line[0].first)):
            at = bisect_right(firsts, parents[line[0].first]) - 1
            if at == 0 and self.problem is not None and lines[0][1:]:
                at = 1
            origin = runs[at]
            origin.variations += line
            branches.setdefault(origin.first, []).append(line)
            for run in line:
                run.origin, run.before = origin, parents[line[0].first]
        waiting, number, letters = lines[0][::-1], 0, 0
        while waiting:
            run = waiting.pop()
            if run.origin is None:
                number, letters = number + 1, 0
                run.number = str(number)
            else:
                run.number = f"{number}{column_name(letters, ascii_lowercase)}"
                letters += 1
            for line in reversed(branches.get(run.first, ())):
                waiting += reversed(line)
            yield run

    def _in_order_of_file(self, *, variations: bool) -> list[FigureNodes]:
        runs: list[FigureNodes] = []
        for node in range(len(self._nodes)):
            is_head = self._nodes.tree.is_head(node)
            if is_head and not variations:
                break
            if is_head or node == 0 or node - 1 in self._ends or self._begins(node):
                runs.append(FigureNodes(node, node, self._settings(node)))
                self._moves, self._has_stones = 0, False
            runs[-1].last = node
            self._moves += bool(self._numbering.moves(node))
            self._has_stones |= self._moves > 0 or self._numbering.sets_up(node)
        has_bare = self.split == "FG" and self.problem is None and runs[1:]
        if has_bare and self._is_bare(runs[0], runs[1]):
            runs[1].first = 0
            del runs[0]
        return runs

    def _settings(self, node: int) -> int | None:
        is_set = self.split == "FG" and self._numbering.has("FG", node)
        return node if is_set else None

    def _comes_after_comment(self, node: int) -> bool:
        return self._has_stones and self._says(node - 1)

    def _says(self, node: int) -> bool:
        return bool(text_of(self._nodes.contents[node], "C").strip())

    def _comes_after_last(self, node: int) -> bool:
        changes = self._numbering.sets_up(node) or self._numbering.moves(node)
        return self._moves == self.split and bool(changes)

    def _is_bare(self, run: FigureNodes, following: FigureNodes) -> bool:
        """Tell if the nodes before the first FG only prepare its figure.

        They have no moves and no markup, and no position with a comment.
        """
        if run.settings is not None or following.first != run.last + 1:
            return False
        if self._nodes.tree.is_head(following.first) or any(map(self._numbering.moves, run.nodes)):
            return False
        idents = {prop.ident for node in run.nodes for prop in self._nodes.contents[node]}
        return not (idents & MARKUP or ("C" in idents and idents & SETUP.keys()))


class Drawn(NamedTuple):
    """The board of a figure, and the moves that it cannot show."""

    stones: tuple[Stone, ...]
    numbers: tuple[Number, ...]
    unshown: tuple[Unshown, ...]


class Figures:
    def __init__(
        self,
        nodes: Nodes,
        split: Split,
        *,
        restart: bool = False,
        crop: str | None = None,
        labels: bool = True,
        flags: int = BOOK,
    ) -> None:
        self._nodes = nodes
        self._diagrams = nodes.diagrams
        self._numbering = nodes.numbering
        self._crop, self._labels = crop, labels
        self._division = Division(nodes, split)
        self._has_settings = self._division.split == "FG"
        self._restart = restart
        self._flags = flags
        self._is_go = nodes.rules.game.number == GameNumber.GO
        #: The moves of the runs in which variations begin, by their first nodes.
        self._counted: dict[int, list[Counted]] = {}

    def make(self, *, variations: bool) -> tuple[GameFigure, ...]:
        runs = list(self._division.runs(variations=variations))
        allowed = MAX_STONES + MAX_STONES_PER_NODE * len(self._nodes)
        figures: list[GameFigure] = []
        for run in runs:
            above = self._nodes.parents[run.first]
            before = self._diagrams.board(above).stones if self._is_go and above >= 0 else ()
            crop = self._crop
            if self._division.problem is not None and self._numbering.nearest("VW", run.last) < 0:
                crop = crop or "auto"
            end = self._diagrams.at(run.last, style=NO_BOARD_MARKUP, crop=crop, labels=self._labels)
            allowed -= len(end.stones) + len(end.marks) + len(end.territory)
            figures.append(self._figure(run, before, end))
            if allowed < 0:
                return cut_figures(figures, len(runs))
        return tuple(figures)

    def _figure(self, run: FigureNodes, before: Iterable[Stone], end: Diagram) -> GameFigure:
        tree = self._nodes.tree
        tally = self._numbering.tally(run.first, restart=self._restart)
        counted = [move for node in run.nodes for move in tally.count(node)]
        if run.variations:
            self._counted[run.first] = counted
        flags, name = self._settings(run)
        name = name or self._name_in_problem(run, counted)
        if self._is_go and flags & FigureFlag.KEEP_CAPTURED_STONES:
            drawn = self._keep(run, before, end, counted)
        else:
            drawn = self._remove(run, end, tally.placed, counted)
        if flags & FigureFlag.NO_LIST_OF_UNSHOWN_MOVES:
            drawn = drawn._replace(unshown=())
        printed = [move.printed for move in counted if move.printed is not None]
        damage = Markup(self._nodes, end.size)
        for node in run.nodes:
            damage.judge(self._nodes.contents[node])
        changes = {
            "title": name,
            "stones": drawn.stones,
            "numbers": drawn.numbers,
            "last": (),
            "coordinates": not flags & FigureFlag.NO_COORDINATES,
            "hoshi": () if flags & FigureFlag.NO_HOSHI else end.hoshi,
            "notes": (*self._lost_markup(run), *lines(map(str, drawn.unshown))),
            "left_out": tuple(dict.fromkeys((*damage.left_out, *end.left_out))),
        }
        return GameFigure(
            number=run.number,
            name=name,
            start=tree.path(run.first),
            path=tree.path(run.last),
            first=printed[0] if printed else 0,
            last=printed[-1] if printed else 0,
            diagram=end.model_copy(update=changes),
            unshown=drawn.unshown,
            comments=tuple(self._comments(run, counted)),
            variations=tuple(other.number for other in run.variations),
            parent=self._number_before(run),
            origin=None if run.origin is None else run.origin.number,
        )

    def _name_in_problem(self, run: FigureNodes, counted: Iterable[Counted]) -> str:
        problem = self._division.problem
        if problem is None:
            return ""
        if run.first == 0:
            who = problem.to_play
            return word("Position" if who is None else f"{who.name.capitalize()} to play")
        own = (move.node for move in counted if move.color is problem.to_play)
        fails = any(prop.ident == "BM" for node in own for prop in self._nodes.contents[node])
        if fails:
            return word("Failure {}", run.number)
        return word("Solution") if run.origin is None else ""

    def _lost_markup(self, run: FigureNodes) -> Iterator[str]:
        lost = [node for node in run.nodes if node in self._division.marked and node != run.last]
        if lost:
            numbers = dict.fromkeys(str(self._numbering.number(node)) for node in lost)
            named = ", ".join([*numbers][:MAX_NAMED])
            more = len(numbers) - MAX_NAMED
            named = word("{} and {} more", named, more) if more > 0 else named
            yield word("Markup at {} is not drawn.", named)

    # ---- FG, comments ----

    def _settings(self, run: FigureNodes) -> tuple[int, str]:
        """Return the flags and the name of a figure.

        A variation without FG has the flags of the figure in which it begins.
        """
        at = self._numbering.nearest("FG", run.last) if self._has_settings else NONE
        flags, name = (None, "") if at < 0 else self._read(at)
        if flags is None or flags & FigureFlag.IGNORE_FLAGS:
            flags = self._flags
        is_named = at == run.settings and not flags & FigureFlag.NO_NAME
        return flags, name if is_named else ""

    def _read(self, node: int) -> tuple[int | None, str]:
        """Return flags and name in the FG of a node; of an invalid one what it has of them."""
        for prop in self._nodes.contents[node]:
            for value in values_of(prop, self._nodes) if prop.ident == "FG" else ():
                if isinstance(value, Figure):
                    return value.flags, value.name
                if isinstance(value, Invalid):
                    is_number = value.raw.isdecimal() and len(value.raw) <= MAX_DIGITS
                    return (int(value.raw), "") if is_number else (None, value.raw)
        return None, ""

    def _comments(self, run: FigureNodes, counted: Iterable[Counted]) -> Iterator[Remark]:
        numbers = {move.node: move.printed or 0 for move in counted}
        for node in run.nodes:
            remark = remark_on(self._nodes.contents[node], numbers.get(node, 0))
            if any(remark[1:]):
                yield remark

    def _number_before(self, run: FigureNodes) -> int | None:
        if run.origin is None or run.before is None:
            return None
        counted = self._counted[run.origin.first]
        at = bisect_right(counted, run.before, key=lambda move: move.node)
        printed = counted[at - 1].printed if at else None
        return self._numbering.number(run.before) if printed is None else printed

    # ---- stones and numbers ----

    def _keep(
        self, run: FigureNodes, before: Iterable[Stone], end: Diagram, counted: Iterable[Counted]
    ) -> Drawn:
        """Return a board on which captured stones stay, and nothing is played on a stone."""
        stones = {stone.point: stone for stone in before}
        columns, rows = end.size
        placed: dict[Point, Counted] = {}
        hidden: list[Counted] = []
        moves: defaultdict[int, list[Counted]] = defaultdict(list)
        for move in counted:
            moves[move.node].append(move)
        setup = Setup(self._numbering)
        for node in run.nodes:
            for ident, point in setup.points(node, end.size):
                placed.pop(point, None)
                stones.pop(point, None)
                if ident in ADDED:
                    stones[point] = Stone(point, ADDED[ident])
            for move in moves[node]:
                target = target_of(move.value)
                if target is None or target in stones:
                    hidden.append(move)
                elif target.column < columns and target.row < rows:
                    stones[target] = Stone(target, move.color)
                    placed[target] = move
        hidden += [placed.pop(point) for point in taken_points(end) if point in placed]
        hidden.sort(key=lambda move: move.node)
        numbers = [
            Number(point, move.printed)
            for point, move in placed.items()
            if move.printed is not None
        ]
        return Drawn(
            tuple(sorted(stones.values(), key=lambda stone: stone.point[::-1])),
            tuple(numbers),
            tuple(unshown(self._nodes, run.last, hidden, end, numbers)),
        )

    def _remove(
        self, run: FigureNodes, end: Diagram, placed: Placed, counted: Sequence[Counted]
    ) -> Drawn:
        """Return the board after the last node, with the numbers of the stones that are there."""
        stones = {stone.point for stone in end.stones} - taken_points(end)
        numbers = [
            Number(point, number)
            for point, number in placed.items()
            if number is not None and point in stones
        ]
        hidden = without_number(counted, numbers)
        return Drawn(
            end.stones, tuple(numbers), tuple(unshown(self._nodes, run.last, hidden, end, numbers))
        )


def cut_figures(figures: list[GameFigure], wanted: int) -> tuple[GameFigure, ...]:
    """Return figures of which more were wanted: the last one says so."""
    if len(figures) < wanted:
        left = plural(wanted - len(figures), "figure")
        reason = f"{left} after this one: all would have too many stones"
        last = figures[-1].diagram
        diagram = last.model_copy(update={"left_out": (*last.left_out, reason)})
        figures[-1] = figures[-1].model_copy(update={"diagram": diagram})
    kept = {figure.number for figure in figures}
    return tuple(
        figure.model_copy(
            update={"variations": tuple(number for number in figure.variations if number in kept)}
        )
        for figure in figures
    )


def marked_nodes(nodes: Nodes) -> set[int]:
    """Return the nodes with markup, save a mark on their own move: its number says as much."""
    marked = set[int]()
    for node in nodes.having(MARKUP):
        content = nodes.contents[node]
        moves = {prop.raw for prop in content if prop.ident in COLORS}
        if any(
            prop.ident in MARKUP and prop.raw not in {("",), *moves} and values_of(prop, nodes)
            for prop in content
        ):
            marked.add(node)
    return marked
