"""The diagram at a node: its board, with what the node and those above it say about a picture.

Source: FF[4], markup properties, ST, DD, VW, PM, MN, FG.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain, count
from string import ascii_uppercase
from typing import Any, TypeAlias

from sgf_lark.core import (
    NONE,
    BoardSize,
    Content,
    Diagnostic,
    GameTree,
    Invalid,
    Node,
    Nodes,
    Point,
    Result,
    column_name,
    points_of,
    shorten,
)
from sgf_lark.pictures.diagram import Diagram, Remark, Unshown
from sgf_lark.pictures.parts import BoardKind, Label, Mark, MarkKind, Number

from .coordinates import Coordinates
from .markup import Markup, annotations_of, values_of
from .numbering import Counted, Placed, Tally, target_of
from .position import find_way
from .state import words_of_result

#: The numbers that a diagram shows: see :meth:`sgf_lark.Node.diagram`.
Numbers: TypeAlias = str | range | tuple[int, int] | None

#: Two numbers, or one.
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)

#: Bits of ST (FF[4]).
SIBLINGS, NO_BOARD_MARKUP = 1, 2

#: The empty rows and columns around what an automatic crop shows; one more is not cut off.
MARGIN = 2


#: Generations from one count that is kept to the next one, and the most counts of a game.
SPACING, MAX_TALLIES = 64, 1000

#: Nodes that are looked at for moves without a number: real games have fewer.
MAX_NODES = 1000

#: Characters of a line of moves that are not shown.
MAX_LINE = 60

#: The words about a board after a move that could not be carried out.
UNKNOWN = "a move up to here could not be carried out: the board may be wrong"


class Diagrams:
    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._last: tuple[int, Diagram | None] = NONE, None
        #: Counts up to some nodes and to the last one that was asked for, all of one kind.
        self._tallies: dict[int, Tally] = {}
        self._kind: tuple[bool, bool] | None = None
        self._last_counted = 0
        self._numbering = nodes.numbering

    def board(self, node: int) -> Diagram:
        """Return the picture of the board after a node, and nothing else."""
        last, diagram = self._last
        if diagram is None or node != last:
            board = self._nodes.boards.board(node)
            diagram, end = board.diagram(), board.outcome
            is_open = end is None or not (end.winner or end.is_draw)
            if is_open and (words := self._result_at(node)):
                diagram = diagram.model_copy(update={"to_play": None, "ending": words})
            self._last = node, diagram
        return diagram

    def _result_at(self, node: int) -> tuple[str, ...]:
        """Return the words for the result that the record gives, at the end of its main line."""
        tree, contents = self._nodes.tree, self._nodes.contents
        if tree.heads[node] or next(tree.children(node), None) is not None:
            return ()
        results = (
            prop.value for at in tree.up(node) for prop in contents[at] if prop.ident == "RE"
        )
        found = next(results, None)
        return words_of_result(found) if isinstance(found, Result) else ()

    def at(
        self,
        node: int,
        *,
        numbers: Numbers = None,
        view: bool = True,
        markup: bool = True,
        labels: bool = True,
        findings: Iterable[Point] | None = None,
        crop: str | None = None,
        style: int | None = None,
        restart: bool = False,
    ) -> Diagram:
        """Return the diagram at a node, as :meth:`sgf_lark.Node.diagram` describes it."""
        content, numbering = self._nodes.contents[node], self._numbering
        board = self.board(node)
        stones = {stone.point for stone in board.stones}
        shown = Markup(self._nodes, board.size)
        shown.judge(content)
        fields: dict[str, Any] = {"title": text_of(content, "N")}
        if markup:
            shown.read(content, stones)
            fields |= shown.fields()
            fields["dim"] = shown.dim(numbering.inherited("DD", node))
            fields["variations"] = tuple(self._variations(node, shown, style))
        if not labels:
            fields |= {"labels": (), "variations": ()}
        fields["marks"] = (
            *fields.get("marks", ()),
            *(Mark(point, MarkKind.FINDING) for point in findings or () if shown.has(point)),
        )
        if view:
            fields["view"] = shown.view(numbering.inherited("VW", node))
        taken = taken_points(board.model_copy(update=fields))
        fields["numbers"] = self._numbers(node, board, stones - taken, numbers, restart=restart)
        is_known = self._nodes.boards.at(node).is_known
        fields["left_out"] = (*shown.left_out, *(() if is_known else (UNKNOWN,)))
        diagram = board.model_copy(update=fields)
        wanted = wanted_numbers(numbers)
        if isinstance(wanted, range):
            moves = self._moves_in(wanted, node, restart=restart)
            hidden = without_number(moves, diagram.numbers)
            words = map(str, unshown(self._nodes, node, hidden, diagram, diagram.numbers))
            diagram = diagram.model_copy(update={"notes": tuple(lines(words))})
        corners = find_crop(diagram, crop, self._names(board))
        return diagram if corners is None else diagram.model_copy(update={"crop": corners})

    def _names(self, board: Diagram) -> Coordinates:
        return Coordinates.of(self._nodes.rules.game.number, board.size)

    # ---- numbers ----

    def _numbers(
        self,
        node: int,
        board: Diagram,
        stones: Container[Point],
        numbers: Numbers,
        *,
        restart: bool,
    ) -> tuple[Number, ...]:
        wanted = wanted_numbers(numbers)
        if wanted is None:
            return ()
        if wanted == "last" and not board.last:
            return ()
        placed = self._placed(node, wanted, restart=restart)
        if wanted == "last":
            placed = {point: placed[point] for point in board.last if point in placed}
        kept = wanted if isinstance(wanted, range) else None
        return tuple(
            Number(point, number)
            for point, number in placed.items()
            if number is not None and point in stones and (kept is None or number in kept)
        )

    def _placed(self, node: int, wanted: range | str, *, restart: bool) -> Placed:
        if wanted == "last":
            last_move = self._numbering.last_move(node)
            tally = self._numbering.tally(last_move, restart=restart, by_print_mode=False)
            tally.count(last_move)
            return tally.placed
        by_print_mode = wanted == "figure"
        first = self._nodes.tree.heads[node] if restart or by_print_mode else 0
        if by_print_mode:
            first = max(first, self._numbering.nearest("FG", node))
        kind = restart, by_print_mode
        if kind != self._kind:
            self._kind = kind
            self._tallies.clear()
        return self._tally(first, node, restart=restart, by_print_mode=by_print_mode).placed

    def _tally(self, first: int, node: int, *, restart: bool, by_print_mode: bool) -> Tally:
        """Return the count of the moves from a node to one below it.

        Counts at some nodes are kept, so that the next one goes on from one that is near.
        """
        tree, kept = self._nodes.tree, self._tallies
        parents, depths = tree.parents, tree.depths
        at, way = find_way(parents, node, kept, first)
        if at >= first:
            tally = kept[at].copy()
        else:
            tally = self._numbering.tally(first, restart=restart, by_print_mode=by_print_mode)
        spacing = max(SPACING, len(parents) // MAX_TALLIES)
        for step in way:
            tally.count(step)
            if depths[step] % spacing == 0 and step != node:
                kept[step] = tally.copy()
        if depths[self._last_counted] % spacing:
            kept.pop(self._last_counted, None)
        self._last_counted = node
        kept[node] = tally
        return tally

    def _moves_in(self, wanted: range, node: int, *, restart: bool) -> list[Counted]:
        head = self._nodes.tree.heads[node] if restart else 0
        found: list[Counted] = []
        for _ in range(MAX_NODES):
            if node < head:
                break
            number = self._numbering.number_after(node, head)
            if number in wanted:
                moves = reversed(self._numbering.moves(node))
                found += (Counted(node, *move, number, number) for move in moves)
            node = self._nodes.parents[node]
        return found[::-1]

    # ---- variations ----

    def _variations(self, node: int, shown: Markup, style: int | None) -> Iterator[Label]:
        if style is None:
            style = self.style
        if style & NO_BOARD_MARKUP:
            return
        tree, here = self._nodes.tree, node
        if style & SIBLINGS:
            here = self._nodes.parents[node]
        children = [*tree.children(here)] if here >= 0 else []
        if len(children) <= 1:
            return
        used = set(shown.labels.values())
        taken = set(shown.labels) | {mark.point for mark in shown.marks}
        letters = (
            letter
            for number in count()
            if (letter := column_name(number, ascii_uppercase)) not in used
        )
        for child in children:
            moves = self._numbering.moves(child)
            point = next((target_of(value) for _, value in moves), None)
            if point is None or point in taken or not shown.has(point):
                continue
            taken.add(point)
            letter = next(letters)
            if child != node:
                yield Label(point, letter)

    @property
    def style(self) -> int:
        """The way to show variations (ST), 0 to 3."""
        for prop in self._nodes.contents[0]:
            values = values_of(prop, self._nodes) if prop.ident == "ST" else ()
            if (
                values
                and isinstance(values[0], int)
                and 0 <= values[0] <= SIBLINGS | NO_BOARD_MARKUP
            ):
                return values[0]
        return 0


def text_of(content: Content, ident: str) -> str:
    """Return the text of a property of a node, such as N; "" for none."""
    for prop in content:
        if prop.ident == ident and prop.values and isinstance(prop.values[0], str):
            return prop.values[0]
    return ""


def remark_on(content: Content, number: int = 0) -> Remark:
    """Return what the author says of a node: its name, comment and annotations."""
    name, comment = text_of(content, "N"), text_of(content, "C")
    return Remark(number, name, comment, tuple(annotations_of(content)))


def wanted_numbers(numbers: Numbers) -> range | str | None:
    """Return the numbers to show: ``last``, ``figure``, a range, or None."""
    if numbers is None or isinstance(numbers, range):
        return numbers
    if isinstance(numbers, tuple):
        first, last = numbers
        return range(first, last + 1)
    if numbers in {"last", "figure", "all"}:
        return numbers
    if numbers == "none":
        return None
    found = _RANGE.fullmatch(numbers)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if first > last:
        raise ValueError(f"no numbers {numbers!r}: expected none, last, figure, all or 51-100")
    return range(first, last + 1)


# ---- moves without a number ----


def taken_points(diagram: Diagram) -> set[Point]:
    """Return the points that show what the author wrote there, and not the number of a move.

    A mark on the last move is a ring around its number.
    """
    marks = {mark.point for mark in diagram.marks if mark.kind is not MarkKind.FINDING}
    return (
        marks.difference(diagram.last)
        .union(label.point for label in diagram.labels)
        .union(label.point for label in diagram.variations)
    )


def without_number(counted: Sequence[Counted], numbers: Iterable[Number]) -> list[Counted]:
    latest = {target_of(move.value): move for move in counted}
    seen = {latest.get(number.point) for number in numbers}
    return [move for move in counted if move not in seen]


def unshown(
    nodes: Nodes, node: int, hidden: Iterable[Counted], end: Diagram, numbers: Iterable[Number]
) -> Iterator[Unshown]:
    """Yield moves that have no number on the board, with what is seen at their points."""
    there = {number.point: number.number for number in numbers}
    labels, used = dict(end.labels), Counter(text for _, text in end.labels)
    state = nodes.boards.at(node).state
    for move in hidden:
        if move.printed is None or isinstance(move.value, Invalid):
            continue
        point = move.value
        if not isinstance(point, Point):
            words = shorten(state.name_move(point))
            yield Unshown(move.printed, move.color, 0, words, is_point=False)
        elif point.column < end.size.columns and point.row < end.size.rows:
            at, label = there.get(point, 0), labels.get(point, "")
            if point in there:
                place = str(at)
            elif label.isalpha() and used[label] == 1:
                place = label
            else:
                place = state.name_move(point)
            if label != str(move.printed):
                yield Unshown(move.printed, move.color, at, place)


def lines(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(f"{line}, {word},") > MAX_LINE:
            yield f"{line},"
            line = ""
        line = f"{line}, {word}" if line else word
    if line:
        yield line


# ---- crop ----


def find_crop(
    diagram: Diagram, wanted: str | None, names: Coordinates
) -> tuple[Point, Point] | None:
    """Return the smallest and the largest column and row to show; None for all of the board.

    Args:
        diagram: Without a crop; only what it has a view of is shown.
        wanted: ``auto`` for what there is on the board, with a margin; two corners such as
            ``cc-ff`` or ``C17-F14``; None for all.

    Raises:
        ValueError: The corners are no points of the board.
    """
    corners = None
    if wanted is not None and wanted != "auto":
        first, dash, second = wanted.partition("-")
        if not dash:
            raise ValueError(f"no range {wanted!r}: expected auto, or two corners such as cc-ff")
        corners = bounds((names.point(first), names.point(second)))
    if diagram.kind is BoardKind.POINTS:
        return None
    viewed = None if diagram.view is None else bounds(diagram.view)
    if wanted == "auto":
        points = shown_points(diagram)
        if diagram.view is not None:
            points = filter(set(diagram.view).__contains__, points)
        corners = widen(bounds(points), diagram.size)
    if corners is None or viewed is None:
        return corners or viewed
    low = Point(*map(max, corners[0], viewed[0]))
    high = Point(*map(min, corners[1], viewed[1]))
    return (low, high) if low.column <= high.column and low.row <= high.row else corners


def bounds(points: Iterable[Point]) -> tuple[Point, Point] | None:
    """Return the smallest and the largest column and row of points; None without points."""
    columns, rows = set[int](), set[int]()
    for column, row in points:
        columns.add(column)
        rows.add(row)
    if not columns:
        return None
    return Point(min(columns), min(rows)), Point(max(columns), max(rows))


def widen(corners: tuple[Point, Point] | None, size: BoardSize) -> tuple[Point, Point] | None:
    """Return a rectangle with a margin, up to the edge where one more line would be cut off."""
    if corners is None:
        return None
    low, high = (
        [place - MARGIN for place in corners[0]],
        [place + MARGIN for place in corners[1]],
    )
    ends = zip(high, size, strict=True)
    return (
        Point(*(0 if place <= 1 else place for place in low)),
        Point(*(side - 1 if place >= side - 2 else place for place, side in ends)),
    )


def shown_points(diagram: Diagram) -> Iterator[Point]:
    for stone in diagram.stones:
        yield stone.point
    for label in chain(diagram.labels, diagram.variations):
        yield label.point
    for number in diagram.numbers:
        yield number.point
    for mark in diagram.marks:
        yield mark.point
    for area in diagram.territory:
        yield area.point
    for line in chain(diagram.lines, diagram.arrows):
        yield from line
    for link in diagram.links:
        yield from (link.first, link.second)
    yield from diagram.last


# ---- the boards at findings ----


def draw_boards(games: Iterable[GameTree], findings: Sequence[Diagnostic]) -> list[Diagram | None]:
    """Return the board at each finding, with its points marked; None where there is none.

    Args:
        games: The games of the file; those after the last finding are not read.
    """
    wanted: dict[int, list[int]] = {}
    for number, finding in enumerate(findings):
        wanted.setdefault(finding.game or 0, []).append(number)
    boards: list[Diagram | None] = [None] * len(findings)
    for number, game in enumerate(games if wanted else ()):
        for at in wanted.pop(number, ()):
            boards[at] = _draw(game.at(findings[at].node_path or ""), findings[at])
        if not wanted:
            break
    return boards


def _draw(node: Node, finding: Diagnostic) -> Diagram | None:
    try:
        diagram = node.diagram(findings=dict.fromkeys(_points(node, finding)))
    except ValueError:  # no board is known
        return None
    return diagram.model_copy(update={"left_out": ()})  # those are findings, too


def _points(node: Node, finding: Diagnostic) -> Iterator[Point]:
    """Yield the points that a finding is about: those of its value, else those of the move."""
    for prop in node.properties:
        if prop.ident == finding.property:
            at = finding.value_index
            for value in prop.values[:MAX_VALUES] if at is None else prop.values[at : at + 1]:
                yield from points_of(value)
            return
    if node.move is not None:
        yield from points_of(node.move.value)


#: Most values of a list whose points are marked.
MAX_VALUES = 100
