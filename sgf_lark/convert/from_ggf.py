"""From GGF to FF[4]: a small function for each property."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import Property
from sgf_lark.model.ruleset import board_size
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GAMES, SHARED_WITH_GGF, GameNumber
from sgf_lark.schema.properties import COLORS
from sgf_lark.schema.values import (
    AmazonsMove,
    Board,
    BoardSize,
    Clock,
    Ending,
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

from .ggf_vocabulary import (
    AMAZONS_SIZE,
    AMAZONS_START,
    KEPT,
    OCTAGON,
    TIME_USED,
    ggf_values,
    mirrored,
    rules_of,
)
from .making import Item, Making, Note, Options
from .steps import shown
from .unsayable import Unsayable


class Place(NamedTuple):
    """Where in the source a value stands: node and property."""

    node: int
    place: int | None


# ---- from GGF ----


@dataclass
class Job:
    """A game of GGF on its way to FF[4].

    Attributes:
        made: The new game.
        side: Of the board; None if it is not known.
        found: The properties of the game as a whole, by identifier, with their places.
        comments: What will stand in GC.
    """

    made: Making
    side: int | None
    found: dict[str, tuple[Property, Place]]
    comments: list[str] = field(default_factory=list)

    def typed(self, ident: str) -> object:
        """The typed value of a property; None if there is none."""
        one = self.found.get(ident)
        return None if one is None else one[0].value

    def raw(self, ident: str) -> str | None:
        one = self.found.get(ident)
        return None if one is None else one[0].raw[0]

    def place(self, ident: str) -> int | None:
        """Which property of the first node it is; None if it stands in another."""
        node, place = self.found[ident][1]
        return place if node == 0 else None

    def say(self, name: str, message: str, ident: str, severity: Severity | None = None) -> None:
        node, place = self.found[ident][1]
        self.made.note(Note(name, message, place, severity=severity), node, 0)


def from_ggf(game: GameTree, format: Format, options: Options) -> Making:
    """A game of GGF as FF[4]; one that has no place there is refused."""
    made = Making.of(game, format, options)
    found: dict[str, tuple[Property, Place]] = {}
    for node, content in enumerate(game.nodes.contents):
        for place, one in enumerate(content):
            first = one, Place(node, place)
            again = one.ident not in COLORS and found.setdefault(one.ident, first) is not first
            lost = one.raw if again else one.raw[1:]
            if lost:
                told = f"{shown(Item(one.ident, lost))} is left out: one {one.ident} came before it"
                made.note(Note("second-dropped", told, place), node, 0)
    board = found["BO"][0].value if "BO" in found else None
    side = board.size if isinstance(board, Board) else None
    job = Job(made, side, found)
    if game.game not in SHARED_WITH_GGF:
        _refuse(made, _no_game(game), found.get("GM"))
        return made
    if side == OCTAGON:
        message = "SGF has no Othello board without corners (88)"
        made.note(Note("board-refused", message, found["BO"][1].place), found["BO"][1].node, 0)
        return made
    items = [item for step in ROOT_STEPS for item in step(job)]
    _place_private(job, items)
    made.add(-1, items, 0)
    _moves_from_ggf(job, game.nodes)
    return made


def _refuse(made: Making, message: str, one: tuple[Property, Place] | None) -> None:
    place = one[1] if one else Place(0, None)
    made.note(Note("game-refused", message, place.place), place.node, 0)


def _no_game(game: GameTree) -> str:
    name = game.game_name or "the game"
    if game.game is None:
        return f"SGF has no number for {name}"
    return f"it is not known how GGF writes the moves of {name}"


# What each property of GGF becomes.  A step yields properties of the first node.


def _declared(job: Job) -> Iterator[Item]:
    """FF, GM and CA.

    Source: FF[4]; GGF, GM.
    """
    yield Item("FF", ("4",))
    yield Item("GM", (str(job.made.number),))
    yield Item("CA", ("UTF-8",))
    place = job.place("GM") if "GM" in job.found else None
    message = f"GGF is now FF[4]; the first node says GM[{job.made.number}]"
    job.made.note(Note("declared", message, place), 0, 0)


def _texts(job: Job) -> Iterator[Item]:
    """Place, players and ratings are the same texts; an empty one says nothing.

    Source: GGF, PC, PB, PW, RB, RW; that a rating is a rank is a choice.
    """
    for ident, new in (("PC", "PC"), ("PB", "PB"), ("PW", "PW"), ("RB", "BR"), ("RW", "WR")):
        text = job.raw(ident)
        if text is None:
            continue
        plain = " ".join(text.split("\n"))
        if not plain.strip():
            job.say("empty-dropped", f"{ident}[] says nothing, and is left out", ident)
            continue
        yield Item(new, (escape_text(plain, Format.FF4),), job.place(ident))
        if new != ident:
            job.say("renamed", f"{ident}[{text}] is now {new}[{text}]", ident)


def _day(job: Job) -> Iterator[Item]:
    """DT: the day; what is no date stands in GC.

    Source: GGF, DT; its example has seconds since 1970, whose day is taken in UTC (a choice).
    """
    text = job.raw("DT")
    if text is None:
        return
    value = job.typed("DT")
    if isinstance(value, Stamp):
        new = f"{value.moment:%Y-%m-%d}"
        guess = Severity.WARNING if text.isascii() and text.strip().isdecimal() else None
        job.say("date-form", f"DT[{text}] is now DT[{new}]", "DT", guess)
    elif text.isascii() and len(text.strip()) == 4 and text.strip().isdecimal():  # noqa: PLR2004  # a year
        new = text.strip()
    else:
        _comment(job, "DT", f"date {text}")
        return
    yield Item("DT", (new,), job.place("DT"))


def _clocks(job: Job) -> Iterator[Item]:
    """TI, or TB and TW: the initial time is TM, and the clock, if it has more, is OT.

    Source: GGS, clocks; that OT has the text of the clock is a choice.
    """
    clocks = {
        ident: value for ident in ("TI", "TB", "TW") if (value := job.typed(ident)) is not None
    }
    if not clocks:
        return
    texts = {ident: (job.raw(ident) or "").strip() for ident in clocks}
    seconds = {one.initial.seconds if isinstance(one, Clock) else None for one in clocks.values()}
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
    new: list[Item] = []
    if len(seconds) == 1 and None not in seconds and (both or len(clocks) > 1):
        new.append(Item("TM", (str(seconds.pop()),)))
    if rest:
        new.append(Item("OT", (escape_text(overtime, Format.FF4),)))
    for ident in clocks:
        job.say("renamed", f"{ident}[{texts[ident]}] is now {''.join(map(str, new))}", ident)
    yield from new


def _is_plain(clock: object) -> bool:
    """A clock that is nothing but a time for the whole game."""
    return isinstance(clock, Clock) and clock == Clock(
        initial=Period(seconds=clock.initial.seconds),
        increment=Period(seconds=0),
        extension=Period(seconds=0),
    )


def _rules(job: Job) -> Iterator[Item]:
    """TY is RU where it says more than the size.

    A choice; in a record without a board TY gives the size.
    """
    text = (job.raw("TY") or "").strip()
    if not text:
        return
    kind = job.typed("TY")
    size = kind.size if isinstance(kind, OthelloType) else None
    if text != str(size or job.side):
        yield Item("RU", (escape_text(text, Format.FF4),))
        job.say("renamed", f"TY[{text}] is now RU[{text}]", "TY")


def _result(job: Job) -> Iterator[Item]:
    """RE: the score for the first color is a winner and a margin.

    Source: GGF, RE.  A score that is no margin stands in GC (a choice).
    """
    text = job.raw("RE")
    if text is None:
        return
    value = job.typed("RE")
    place = job.place("RE")
    if not isinstance(value, Result):
        _comment(job, "RE", f"result {text}")
        return
    new, number, severity = _sgf_result(value, text)
    if number:
        job.comments.append(f"score {text.partition(':')[0].strip()}")
        job.say("into-comment", f"the number of RE[{text}] stands in GC", "RE")
    job.say("result-view", f"RE[{text}] is now RE[{new}]", "RE", severity)
    yield Item("RE", (new,), place)


def _sgf_result(value: Result, text: str) -> tuple[str, bool, Severity | None]:
    """The result of SGF, whether the number of GGF is lost, and how bad that is."""
    reasons = {Ending.RESIGNATION: "R", Ending.TIME: "T"}
    if value.margin is None:
        asked = text.strip() == "?"
        found = "?" if asked else "Void", False, None if asked else Severity.WARNING
    elif value.ending is Ending.LEFT or (value.winner is None and value.ending in reasons):
        found = "Void", bool(value.margin), Severity.WARNING
    elif value.ending in reasons:
        found = f"{value.winner}+{reasons[value.ending]}", True, None
    elif value.winner is None:
        found = "0", False, None
    else:
        found = f"{value.winner}+{format_real(value.margin)}", False, None
    return found


def _komi(job: Job) -> Iterator[Item]:
    """The komi of Othello and Amazons stands in GC: KM of SGF is of Go only.

    Source: GGF, KM, KB, KW; the form is a choice.
    """
    proposals = [
        f"{ident} {' '.join(filter(None, (job.raw(ident) or '').split('/')[:2]))}"
        for ident in ("KB", "KW")
        if ident in job.found
    ]
    if "KM" in job.found or proposals:
        text = f"komi {(job.raw('KM') or '?').strip()}"
        job.comments.append(text + (f" ({', '.join(proposals)})" if proposals else ""))
        for ident in ("KM", "KB", "KW"):
            if ident in job.found:
                job.say("into-comment", f"{ident}[{job.raw(ident)}] stands in GC", ident)
    return
    yield


def _game_comment(job: Job) -> Iterator[Item]:
    """GC: what has no property of its own."""
    if job.comments:
        yield Item("GC", (escape_text("\n".join(job.comments), Format.FF4),))


def _comment_of_root(job: Job) -> Iterator[Item]:
    """CO is C.

    A choice.
    """
    text = job.raw("CO")
    if text:
        yield Item("C", (escape_text(text, Format.FF4),))
        job.say("renamed", "CO is now C", "CO")


def _position(job: Job) -> Iterator[Item]:
    """BO: the size, the stones, and who moves first.

    Source: GGF, BO; FF[4], Amazons, whose start position needs no stones.
    """
    board = job.typed("BO")
    if not isinstance(board, Board):
        kind = job.typed("TY")
        if isinstance(kind, OthelloType) and kind.size != OCTAGON:
            yield Item("SZ", (str(kind.size),))
        if "BO" in job.found:
            job.say(
                "value-kept",
                "BO cannot be read: the start position is not known",
                "BO",
                Severity.WARNING,
            )
        return
    amazons = job.made.number == GameNumber.AMAZONS
    stones: dict[str, list[Point]] = {"AB": [], "AW": []}
    for row, cells in enumerate(board.rows):
        for column, cell in enumerate(cells):
            if cell != "-":
                point = Point(column, row)
                stones["AB" if cell == "*" else "AW"].append(
                    mirrored(point, board.size) if amazons else point
                )
    made = [Item("SZ", (str(board.size),))]
    usual = {ident: frozenset(points) for ident, points in stones.items()} == AMAZONS_START
    if not (amazons and usual and BoardSize(board.size, board.size) == AMAZONS_SIZE):
        made += [
            Item(ident, tuple(_point(job, one) for one in points))
            for ident, points in stones.items()
            if points
        ]
    made.append(Item("PL", (board.to_move.value,)))
    if not amazons and board.size > USUAL_SIDE:
        message = "SGF names squares of Othello up to h8; those beyond are written in the same way"
        job.say("value-kept", message, "BO")
    job.say("start-position", f"BO is now {''.join(map(shown, made))}", "BO")
    yield from made


#: The side of the Othello board whose squares SGF names.
USUAL_SIDE = 8


def _point(job: Job, point: Point) -> str:
    return write_value(None, point, reader(Format.FF4, GAMES[job.made.number or 0]))


def _comment(job: Job, ident: str, text: str) -> None:
    job.comments.append(text)
    job.say("into-comment", f"{ident}[{job.raw(ident)}] stands in GC", ident, Severity.WARNING)


ROOT_STEPS: tuple[Callable[[Job], Iterable[Item]], ...] = (
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


def _place_private(job: Job, items: list[Item]) -> None:
    """GF: the values of GGF that the properties of SGF do not give back.

    A choice: nothing is lost.  Those who want nothing private are told what is.
    """
    back = ggf_values(
        rules_of(job.made.table, Format.FF4, job.made.number or 0),
        {one.ident: one.raw for one in items},
    )
    rules = rules_of(job.made.table, Format.GGF, job.made.number or 0)
    kept = []
    for ident, (one, _) in job.found.items():
        again = back.get(ident)
        if again == one.raw[0]:
            continue
        if ident == "BO" and job.side is not None:
            continue
        if again is not None and rules.property(ident, (again,)).values == one.values:
            continue
        kept.append(ident)
    if job.made.options.unsayable is not Unsayable.KEEP:
        for ident in kept:
            job.say("unsayable", f"{ident}[{job.raw(ident)}] cannot be had back from SGF", ident)
        return
    if kept:
        raw = tuple(
            f"{ident}:{escape_text(job.raw(ident) or '', Format.FF4, composed=True)}"
            for ident in kept
        )
        items.append(Item(KEPT, raw))
        for ident in kept:
            job.say("private-copy", f"{ident}[{job.raw(ident)}] stands in {KEPT} as it was", ident)


def _moves_from_ggf(job: Job, nodes: Nodes) -> None:
    """B and W: a node each.

    Source: GGF, moves.
    """
    parent, told = 0, set[str]()
    left = {color: _Left(job, ident) for ident, color in COLORS.items()}
    for node, content in enumerate(nodes.contents):
        if not content or content[0].ident not in COLORS:
            continue
        notes: list[Note] = []
        items = list(_move(job, content[0], left[COLORS[content[0].ident]], notes))
        parent = job.made.add(parent, items, node)
        for note in notes:
            if note.name not in told or note.name == "value-kept":
                told.add(note.name)
                job.made.note(note, node, parent)


def _move(job: Job, one: Property, left: _Left, notes: list[Note]) -> Iterator[Item]:
    """A move, its evaluation in V and its time in TU.

    What is the same for all moves is noted by the first that shows it.  Source: GGF, moves:
    the evaluation is the mover's; FF[4]: V is Black's.  A pass of Othello is ``PA``, as Edax
    writes it (a choice).
    """
    number = job.made.number or 0
    value = one.values[0]
    if not isinstance(value, Played):
        notes.append(Note("value-kept", f"{one} is no move; it is kept as it is", 0))
        yield Item(one.ident, (escape_text(one.raw[0], Format.FF4),), 0)
        return
    move = write_value(None, _sgf_move(job, value.move), reader(Format.FF4, GAMES[number]))
    if move != one.raw[0].partition("/")[0]:
        message = f"{one} is now {one.ident}[{move}], and so on"
        notes.append(Note("other-coordinates", message, 0))
    yield Item(one.ident, (move,), 0)
    if value.evaluation is not None:
        score = value.evaluation if one.ident == "B" else -value.evaluation
        yield Item("V", (format_real(score),), 0)
        message = f"the evaluation of {one} is now V[{format_real(score)}], and so on"
        notes.append(Note("renamed", message, 0))
    time = left.after(value.seconds)
    if time is not None:
        yield Item(f"{one.ident}L", (format_real(time),), 0)
    if value.seconds is None:
        return
    if job.made.options.unsayable is Unsayable.KEEP:
        yield Item(TIME_USED, (format_real(value.seconds),), 0)
        message = f"the time of {one} stands in {TIME_USED}, and so on"
        notes.append(Note("private-copy", message, 0))
    else:
        notes.append(Note("unsayable", "the times of the moves are left out", 0))


def _sgf_move(job: Job, move: object) -> object:
    if isinstance(move, AmazonsMove) and job.side is not None:
        points = (move.origin, move.target, move.arrow)
        origin, target, arrow = (mirrored(one, job.side) for one in points)
        return AmazonsMove(origin=origin, target=target, arrow=arrow)
    return move


class _Left:
    """The time that a player has left, if it can be worked out.

    A choice, and only for those who ask: a clock without extension, and no move without its
    time.
    """

    def __init__(self, job: Job, color: str) -> None:
        clock = job.typed(f"T{color}") or job.typed("TI")
        self._left: Decimal | None = None
        self._more = 0
        if job.made.options.time_left and isinstance(clock, Clock):
            periods = (clock.initial, clock.increment, clock.extension)
            if clock.extension.seconds == 0 and not any(one.moves for one in periods):
                self._left, self._more = Decimal(clock.initial.seconds), clock.increment.seconds

    def after(self, seconds: Decimal | None) -> Decimal | None:
        """After a move that took so many seconds."""
        if seconds is None:
            self._left = None
        if self._left is not None and seconds is not None:
            self._left += self._more - seconds
        return self._left


def sgf_root(made: Making, values: Mapping[str, str]) -> list[Item]:
    """What values of GGF say in SGF, without the board."""
    rules = rules_of(made.table, Format.GGF, made.number or 0)
    found = {
        ident: (rules.property(ident, (text,)), Place(0, None)) for ident, text in values.items()
    }
    scratch = Making.of(made.source, Format.FF4, made.options)
    size = board_size(made.source.nodes.contents[0], GAMES[made.number or 0])
    job = Job(scratch, size.columns if size else None, found)
    return [item for step in ROOT_STEPS if step is not _position for item in step(job)]
