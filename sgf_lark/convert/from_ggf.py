"""Conversion from GGF to FF[4]: a small function for each property."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from sgf_lark.findings.finding import Severity
from sgf_lark.findings.terminal import name_in_words
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import Content, Property
from sgf_lark.model.ruleset import find_board_size
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GAMES, SHARED_WITH_GGF, GameNumber
from sgf_lark.schema.properties import COLORS
from sgf_lark.schema.values import (
    AmazonsMove,
    BoardSize,
    Clock,
    Ending,
    InitialBoard,
    OthelloType,
    Period,
    Played,
    Point,
    Result,
    Stamp,
)
from sgf_lark.values.corrections import format_real
from sgf_lark.values.reader import reader
from sgf_lark.values.writer import escape_text, write_value

from .builder import NewProperty, Options, ResultBuilder
from .ggf_vocabulary import (
    AMAZONS_SIZE,
    AMAZONS_START,
    KEPT,
    OCTAGON,
    TIME_USED,
    TimeLeft,
    ggf_values,
    mirrored,
    mirrored_move,
    rules_of,
)
from .lossy import Lossy
from .notes import Note
from .steps import show


class PropertyPlace(NamedTuple):
    """Place of a property in the source: the numbers of its node and in the node, from 0."""

    node: int
    place: int | None


@dataclass
class GgfTask:
    """The conversion of one game of GGF.

    Attributes:
        builder: The builder of the new game.
        side: The side of the board; None if it is unknown.
        properties: The properties about the game, by identifier, with their places.
        comments: The lines of GC.
    """

    builder: ResultBuilder
    side: int | None
    properties: dict[str, tuple[Property, PropertyPlace]]
    comments: list[str] = field(default_factory=list)

    def written(self, move: object) -> str:
        """Return a move in the notation of SGF."""
        number = self.builder.number or 0
        if isinstance(move, Point):
            return _written_point(move, number)
        if isinstance(move, AmazonsMove) and self.side is not None:
            move = mirrored_move(move, self.side)
        return write_value(None, move, reader(Format.FF4, GAMES[number]))

    def typed(self, ident: str) -> object:
        """Return the typed value of a property; None if there is none."""
        entry = self.properties.get(ident)
        return None if entry is None else entry[0].value

    def raw(self, ident: str) -> str | None:
        entry = self.properties.get(ident)
        return None if entry is None else entry[0].raw[0]

    def place(self, ident: str) -> int | None:
        """Return the number of a property in the first node; None if it is in another node."""
        node, place = self.properties[ident][1]
        return place if node == 0 else None

    def report(self, name: str, message: str, ident: str, severity: Severity | None = None) -> None:
        node, place = self.properties[ident][1]
        self.builder.note(Note(name, message, place, severity=severity), node, 0)


def convert_from_ggf(game: GameTree, format: Format, options: Options) -> ResultBuilder:
    """Convert a game of GGF to FF[4]; reject one that FF[4] cannot express."""
    builder = ResultBuilder.of(game, format, options)
    properties: dict[str, tuple[Property, PropertyPlace]] = {}
    contents = list(game.nodes.contents)
    for node, content in enumerate(contents):
        for place, prop in enumerate(content):
            first = prop, PropertyPlace(node, place)
            again = (
                prop.ident not in COLORS and properties.setdefault(prop.ident, first) is not first
            )
            lost = prop.raw if again else prop.raw[1:]
            if lost:
                left_out = show(NewProperty(prop.ident, lost))
                message = f"{left_out} is left out: GGF allows one {prop.ident}"
                builder.note(Note("second-dropped", message, place), node, 0)
    board = properties["BO"][0].value if "BO" in properties else None
    side = board.size if isinstance(board, InitialBoard) else None
    task = GgfTask(builder, side, properties)
    if game.game not in SHARED_WITH_GGF:
        _reject(builder, _no_game(game), properties.get("GM"))
        return builder
    if side == OCTAGON:
        message = "SGF has no Othello board without corners (88)"
        builder.note(
            Note("board-refused", message, properties["BO"][1].place), properties["BO"][1].node, 0
        )
        return builder
    props = [prop for step in ROOT_STEPS for prop in step(task)]
    _place_private(task, props)
    builder.add(-1, props, 0)
    _moves_from_ggf(task, contents)
    return builder


def _reject(
    builder: ResultBuilder, message: str, entry: tuple[Property, PropertyPlace] | None
) -> None:
    place = entry[1] if entry else PropertyPlace(0, None)
    builder.note(Note("game-refused", message, place.place), place.node, 0)


def _no_game(game: GameTree) -> str:
    name = name_in_words(game.game_name) or "the game"
    if game.game is None:
        return f"SGF has no number for {name}"
    return f"the notation of {name} in GGF is unknown"


# Steps for the properties of GGF; each yields properties of the first node.


def _declared(task: GgfTask) -> Iterator[NewProperty]:
    """Declare FF, GM and CA.

    Source: FF[4]; GGF, GM.
    """
    yield NewProperty("FF", ("4",))
    yield NewProperty("GM", (str(task.builder.number),))
    yield NewProperty("CA", ("UTF-8",))
    place = task.place("GM") if "GM" in task.properties else None
    message = f"GGF is now FF[4]; the first node declares GM[{task.builder.number}]"
    task.builder.note(Note("declared", message, place), 0, 0)


def _texts(task: GgfTask) -> Iterator[NewProperty]:
    """Copy place, players and ratings; leave out empty ones.

    Source: GGF, PC, PB, PW, RB, RW; that a rating is a rank is a choice.
    """
    for ident, new in (("PC", "PC"), ("PB", "PB"), ("PW", "PW"), ("RB", "BR"), ("RW", "WR")):
        text = task.raw(ident)
        if text is None:
            continue
        plain = " ".join(text.split("\n"))
        if not plain.strip():
            task.report("empty-dropped", f"empty {ident}[] is left out", ident)
            continue
        yield NewProperty(new, (escape_text(plain, Format.FF4),), task.place(ident))
        if new != ident:
            task.report("renamed", f"{ident}[{text}] is now {new}[{text}]", ident)


def _day(task: GgfTask) -> Iterator[NewProperty]:
    """Convert DT to a day; move a text that is no date to GC.

    Source: GGF, DT; its example has seconds since 1970, whose day is taken in UTC (a choice).
    """
    text = task.raw("DT")
    if text is None:
        return
    value = task.typed("DT")
    if isinstance(value, Stamp):
        new = f"{value.moment:%Y-%m-%d}"
        guess = Severity.WARNING if text.isascii() and text.strip().isdecimal() else None
        task.report("date-form", f"DT[{text}] is now DT[{new}]", "DT", guess)
    elif text.isascii() and len(text.strip()) == 4 and text.strip().isdecimal():  # noqa: PLR2004  # a year
        new = text.strip()
    else:
        _comment(task, "DT", f"date {text}")
        return
    yield NewProperty("DT", (new,), task.place("DT"))


def _clocks(task: GgfTask) -> Iterator[NewProperty]:
    """Convert TI, or TB and TW: the initial time to TM, and a clock that has more to OT.

    Source: GGS, clocks; that OT has the text of the clock is a choice.
    """
    clocks = {
        ident: value for ident in ("TI", "TB", "TW") if (value := task.typed(ident)) is not None
    }
    if not clocks:
        return
    texts = {ident: (task.raw(ident) or "").strip() for ident in clocks}
    seconds = {
        clock.initial.seconds if isinstance(clock, Clock) else None for clock in clocks.values()
    }
    both = len(clocks) == 1 and "TI" in clocks
    if both:
        rest = not _is_plain(clocks["TI"])
        overtime = texts["TI"]
    else:
        overtime = ", ".join(
            f"{color} {texts[ident]}"
            for color, ident in (("B", "TB"), ("W", "TW"))
            if ident in texts
        )
        rest = True
    new: list[NewProperty] = []
    if len(seconds) == 1 and None not in seconds and (both or len(clocks) > 1):
        new.append(NewProperty("TM", (str(seconds.pop()),)))
    if rest:
        new.append(NewProperty("OT", (escape_text(overtime, Format.FF4),)))
    for ident in clocks:
        task.report("renamed", f"{ident}[{texts[ident]}] is now {''.join(map(str, new))}", ident)
    yield from new


def _is_plain(clock: object) -> bool:
    """Return whether a clock is only a time for all moves."""
    return isinstance(clock, Clock) and clock == Clock(
        initial=Period(seconds=clock.initial.seconds),
        increment=Period(seconds=0),
        extension=Period(seconds=0),
    )


def _rules(task: GgfTask) -> Iterator[NewProperty]:
    """Convert TY to RU where it has more than the size.

    A choice; in a record without a board TY gives the size.
    """
    text = (task.raw("TY") or "").strip()
    if not text:
        return
    kind = task.typed("TY")
    size = kind.size if isinstance(kind, OthelloType) else None
    if text != str(size or task.side):
        yield NewProperty("RU", (escape_text(text, Format.FF4),))
        task.report("renamed", f"TY[{text}] is now RU[{text}]", "TY")


def _result(task: GgfTask) -> Iterator[NewProperty]:
    """Convert RE, the score for the first color, to a winner and a margin.

    Source: GGF, RE.  A score that is no margin is moved to GC (a choice).
    """
    text = task.raw("RE")
    if text is None:
        return
    value = task.typed("RE")
    place = task.place("RE")
    if not isinstance(value, Result):
        _comment(task, "RE", f"result {text}")
        return
    new, number, severity = _sgf_result(value, text)
    if number:
        task.comments.append(f"score {text.partition(':')[0].strip()}")
        task.report("into-comment", f"the score of RE[{text}] is moved to GC", "RE")
    task.report("result-view", f"RE[{text}] is now RE[{new}]", "RE", severity)
    yield NewProperty("RE", (new,), place)


def _sgf_result(value: Result, text: str) -> tuple[str, bool, Severity | None]:
    """Return the result of SGF, whether the score of GGF is lost, and the severity of that."""
    reasons = {Ending.RESIGNATION: "R", Ending.TIME: "T"}
    if value.margin is None:
        asked = text.strip() == "?"
        result = "?" if asked else "Void", False, None if asked else Severity.WARNING
    elif value.ending is Ending.LEFT or (value.winner is None and value.ending in reasons):
        result = "Void", bool(value.margin), Severity.WARNING
    elif value.ending in reasons:
        result = f"{value.winner}+{reasons[value.ending]}", True, None
    elif value.winner is None:
        result = "0", False, None
    else:
        result = f"{value.winner}+{format_real(value.margin)}", False, None
    return result


def _komi(task: GgfTask) -> Iterator[NewProperty]:
    """Move the komi of Othello and Amazons to GC: KM of SGF is for Go only.

    Source: GGF, KM, KB, KW; the form is a choice.
    """
    proposals = [
        f"{ident} {' '.join(filter(None, (task.raw(ident) or '').split('/')[:2]))}"
        for ident in ("KB", "KW")
        if ident in task.properties
    ]
    if "KM" in task.properties or proposals:
        text = f"komi {(task.raw('KM') or '?').strip()}"
        task.comments.append(text + (f" ({', '.join(proposals)})" if proposals else ""))
        for ident in ("KM", "KB", "KW"):
            if ident in task.properties:
                task.report("into-comment", f"{ident}[{task.raw(ident)}] is moved to GC", ident)
    return
    yield


def _game_comment(task: GgfTask) -> Iterator[NewProperty]:
    """Write GC from the values that have no property in SGF."""
    if task.comments:
        yield NewProperty("GC", (escape_text("\n".join(task.comments), Format.FF4),))


def _comment_of_root(task: GgfTask) -> Iterator[NewProperty]:
    """Convert CO to C.

    A choice.
    """
    text = task.raw("CO")
    if text:
        yield NewProperty("C", (escape_text(text, Format.FF4),))
        task.report("renamed", "CO is now C", "CO")


def _position(task: GgfTask) -> Iterator[NewProperty]:
    """Convert BO to the size, the stones and the player who moves first.

    Source: GGF, BO; FF[4], Amazons, whose start position needs no stones.
    """
    board = task.typed("BO")
    if not isinstance(board, InitialBoard):
        kind = task.typed("TY")
        if isinstance(kind, OthelloType) and kind.size != OCTAGON:
            yield NewProperty("SZ", (str(kind.size),))
        if "BO" in task.properties:
            task.report(
                "value-kept",
                "invalid BO: the start position is unknown",
                "BO",
                Severity.WARNING,
            )
        return
    amazons = task.builder.number == GameNumber.AMAZONS
    stones: dict[str, list[Point]] = {"AB": [], "AW": []}
    for row, cells in enumerate(board.rows):
        for column, cell in enumerate(cells):
            if cell != "-":
                point = Point(column, row)
                stones["AB" if cell == "*" else "AW"].append(
                    mirrored(point, board.size) if amazons else point
                )
    props = [NewProperty("SZ", (str(board.size),))]
    usual = {ident: frozenset(points) for ident, points in stones.items()} == AMAZONS_START
    if not (amazons and usual and BoardSize(board.size, board.size) == AMAZONS_SIZE):
        props += [
            NewProperty(ident, tuple(_point(task, point) for point in points))
            for ident, points in stones.items()
            if points
        ]
    props.append(NewProperty("PL", (board.to_move.value,)))
    if not amazons and board.size > USUAL_SIDE:
        message = "SGF defines squares of Othello up to h8; the others are written alike"
        task.report("value-kept", message, "BO")
    task.report("start-position", f"BO is now {''.join(map(show, props))}", "BO")
    yield from props


#: The side of the Othello board whose squares SGF defines.
USUAL_SIDE = 8


def _point(task: GgfTask, point: Point) -> str:
    return write_value(None, point, reader(Format.FF4, GAMES[task.builder.number or 0]))


def _comment(task: GgfTask, ident: str, text: str) -> None:
    task.comments.append(text)
    task.report(
        "into-comment", f"{ident}[{task.raw(ident)}] is moved to GC", ident, Severity.WARNING
    )


ROOT_STEPS: tuple[Callable[[GgfTask], Iterable[NewProperty]], ...] = (
    _declared,
    _texts,
    _day,
    _clocks,
    _rules,
    _result,
    _komi,
    _game_comment,
    _comment_of_root,
    _position,
)


def _place_private(task: GgfTask, props: list[NewProperty]) -> None:
    """Keep values of GGF that do not follow from the properties of SGF in GF.

    A choice: nothing is lost.  Without private properties, report the losses.
    """
    back = ggf_values(
        rules_of(task.builder.table, Format.FF4, task.builder.number or 0),
        {prop.ident: prop.raw for prop in props},
    )
    rules = rules_of(task.builder.table, Format.GGF, task.builder.number or 0)
    kept = []
    for ident, (prop, _) in task.properties.items():
        again = back.get(ident)
        if again == prop.raw[0]:
            continue
        if ident == "BO" and task.side is not None:
            continue
        if again is not None and rules.property(ident, (again,)).values == prop.values:
            continue
        kept.append(ident)
    if task.builder.options.lossy is not Lossy.KEEP:
        for ident in kept:
            task.report(
                "fact-dropped", f"{ident}[{task.raw(ident)}] is lost: SGF cannot express it", ident
            )
        return
    if kept:
        raw = tuple(
            f"{ident}:{escape_text(task.raw(ident) or '', Format.FF4, composed=True)}"
            for ident in kept
        )
        props.append(NewProperty(KEPT, raw))
        for ident in kept:
            task.report(
                "private-copy",
                f"original {ident}[{task.raw(ident)}] is kept in private property {KEPT}",
                ident,
            )


def _moves_from_ggf(task: GgfTask, contents: Sequence[Content]) -> None:
    """Give each move of B and W its own node.

    Source: GGF, moves.
    """
    parent, notes = 0, _MoveNotes(task)
    left = {color: _time_left(task, ident) for ident, color in COLORS.items()}
    for node, content in enumerate(contents):
        if not content or content[0].ident not in COLORS:
            continue
        notes.node, notes.result = node, parent + 1
        props = _move(task, content[0], left[COLORS[content[0].ident]], notes)
        parent = task.builder.add(parent, props, node)


@dataclass
class _MoveNotes:
    """The notes on moves: a change that all moves share is noted once, at the first of them.

    Attributes:
        task: The conversion.
        node, result: The number of the node of a move, and of that of the result.
        reported: The names of the notes so far.
    """

    task: GgfTask
    node: int = 0
    result: int = 0
    reported: set[str] = field(default_factory=set)

    def add(self, name: str, message: Callable[[], str]) -> None:
        """Add a note on a move, if it is the first of its name, or on the value itself."""
        if name not in self.reported or name == "value-kept":
            self.reported.add(name)
            self.task.builder.note(Note(name, message(), 0), self.node, self.result)


def _move(task: GgfTask, prop: Property, left: TimeLeft, notes: _MoveNotes) -> list[NewProperty]:
    """Convert a move, its evaluation to V and its time to TU.

    Source: GGF, moves: the evaluation is the mover's; FF[4]: V is Black's.  A pass of Othello is
    ``PA``, as Edax writes it (a choice).
    """
    value = prop.values[0]
    if not isinstance(value, Played):
        notes.add("value-kept", lambda: f"{prop} is not a move; it is kept unchanged")
        return [NewProperty(prop.ident, (escape_text(prop.raw[0], Format.FF4),), 0)]
    move = task.written(value.move)
    if move != prop.raw[0].partition("/")[0]:
        notes.add(
            "other-coordinates", lambda: f"{prop} is now {prop.ident}[{move}]; later moves alike"
        )
    props = [NewProperty(prop.ident, (move,), 0)]
    if value.evaluation is not None:
        score = format_real(value.evaluation if prop.ident == "B" else -value.evaluation)
        props.append(NewProperty("V", (score,), 0))
        notes.add(
            "renamed", lambda: f"the evaluation of {prop} is now V[{score}]; later moves alike"
        )
    time = left.after(value.seconds)
    if time is not None:
        props.append(NewProperty(f"{prop.ident}L", (format_real(time),), 0))
    if value.seconds is None:
        return props
    if task.builder.options.lossy is Lossy.KEEP:
        props.append(NewProperty(TIME_USED, (format_real(value.seconds),), 0))
        notes.add(
            "private-copy",
            lambda: (
                f"the time of {prop} is kept in private property {TIME_USED}; later moves alike"
            ),
        )
    else:
        notes.add("fact-dropped", lambda: "the times of the moves are left out")
    return props


def _time_left(task: GgfTask, color: str) -> TimeLeft:
    """Return the clock of a player, if the user asks for the time left."""
    clock = task.typed(f"T{color}") or task.typed("TI")
    return TimeLeft(clock if task.builder.options.time_left else None)


#: The points of a large board, or of the boards of several games; 1,815 real nodes of GGF are
#: converted in 0.088 seconds of CPU time, in 0.094 without it.
@lru_cache(maxsize=1 << 10)
def _written_point(point: Point, number: int) -> str:
    """Return a move that is one point in the notation of SGF, by the number of the game."""
    return write_value(None, point, reader(Format.FF4, GAMES[number]))


def sgf_properties(builder: ResultBuilder, values: Mapping[str, str]) -> list[NewProperty]:
    """Return the properties of SGF for values of GGF, without the board."""
    rules = rules_of(builder.table, Format.GGF, builder.number or 0)
    properties = {
        ident: (rules.property(ident, (text,)), PropertyPlace(0, None))
        for ident, text in values.items()
    }
    scratch = ResultBuilder.of(builder.source, Format.FF4, builder.options)
    size = find_board_size(builder.source.nodes.contents[0], GAMES[builder.number or 0])
    task = GgfTask(scratch, size.columns if size else None, properties)
    return [prop for step in ROOT_STEPS if step is not _position for prop in step(task)]
