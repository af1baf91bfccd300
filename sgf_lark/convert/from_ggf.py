"""Conversion from GGF to FF[4]: a small function for each property."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal

from sgf_lark.core import (
    COLORS,
    GAMES,
    SHARED_WITH_GGF,
    AmazonsMove,
    Clock,
    Content,
    Ending,
    Format,
    GameNumber,
    GameTree,
    InitialBoard,
    OthelloType,
    Played,
    Point,
    Reading,
    Result,
    Severity,
    Stamp,
    escape_text,
    format_real,
    name_in_words,
    reader,
    write_overtime,
    write_value,
)

from .builder import ConvertOptions, NewProperty, ResultBuilder, declaration
from .ggf_vocabulary import (
    CELLS,
    CLOCKS,
    ENDINGS,
    KEPT,
    OCTAGON,
    TEXTS,
    TIME_USED,
    USUAL_SIDE,
    TimeLeft,
    ggf_values,
    has_meaning,
    mirrored,
    mirrored_move,
    rules_of,
    score_for,
    start_stones,
)
from .lossy import Lossy
from .steps import quote


@dataclass
class GgfTask:
    """The conversion of one game from GGF, or to it."""

    builder: ResultBuilder
    properties: dict[str, Reading]
    # the numbers of their nodes, and of the properties in them, from 0
    places: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    side: int | None = None  # the side of the board; None if it is unknown
    comments: list[str] = field(default_factory=list)
    reported: set[str] = field(default_factory=set)

    def written(self, move: object) -> str:
        if isinstance(move, AmazonsMove) and self.side is not None:
            move = mirrored_move(move, self.side)
        return write_value(None, move, reader(Format.FF4, GAMES[self.builder.number]))

    def typed(self, ident: str) -> object:
        """Return the typed value of a property; None if there is none."""
        return self.properties[ident].value if ident in self.properties else None

    def raw(self, ident: str) -> str:
        """Return the text of a property; empty if there is none."""
        return self.properties[ident].raw[0] if ident in self.properties else ""

    def place(self, ident: str) -> int | None:
        """Return the number of a property in the first node; None if it is not in that."""
        node, place = self.places.get(ident, (0, None))
        return None if node else place

    def new(self, ident: str, text: str, source: str = "") -> NewProperty:
        """Return a property of the first node, in the place of one of GGF."""
        return NewProperty(ident, (escape_text(text, self.builder.format),), self.place(source))

    def report(self, name: str, message: str, ident: str, severity: Severity | None = None) -> None:
        node, place = self.places.get(ident, (0, None))
        self.builder.report(name, message, place, node=node, severity=severity)

    def report_move(self, name: str, message: Callable[[], str], node: int) -> None:
        """Note a change that all moves share, if it is the first, or on the value itself."""
        if name not in self.reported or name == "value-kept":
            self.reported.add(name)
            self.builder.report(name, message(), 0, node=node, result=len(self.builder.props))


def convert_from_ggf(game: GameTree, options: ConvertOptions) -> ResultBuilder:
    """Convert a game of GGF to FF[4]; reject one that FF[4] cannot express."""
    builder = ResultBuilder(game, Format.FF4, options)
    task = GgfTask(builder, {})
    contents = list(game.nodes.contents)
    for node, content in enumerate(contents):
        for place, prop in enumerate(content):
            again = prop.ident in task.properties
            if not again and prop.ident not in COLORS:
                task.properties[prop.ident], task.places[prop.ident] = prop, (node, place)
            lost = prop.raw if again else prop.raw[1:]
            if lost:
                left_out = quote(NewProperty(prop.ident, lost))
                message = f"{left_out} is left out: GGF allows one {prop.ident}"
                builder.report("second-dropped", message, place, node=node)
    board = task.typed("BO")
    task.side = board.size if isinstance(board, InitialBoard) else None
    if game.game not in SHARED_WITH_GGF:
        task.report("game-refused", _no_game(game), "GM")
    elif task.side == OCTAGON:
        task.report("board-refused", "SGF has no Othello board without corners (88)", "BO")
    else:
        props = [prop for step in ROOT_STEPS for prop in step(task)]
        builder.add(-1, [*props, *_private(task, props)], 0)
        _moves_from_ggf(task, contents)
    return builder


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
    game = task.new("GM", str(task.builder.number))
    yield from (task.new("FF", "4"), game, task.new("CA", "UTF-8"))
    message = declaration(Format.GGF, Format.FF4, str(game))
    task.builder.report("declared", message, task.place("GM"))


def _texts(task: GgfTask) -> Iterator[NewProperty]:
    """Copy place, players and ratings; leave out empty ones.

    Source: GGF, PC, PB, PW, RB, RW; that a rating is a rank is a choice.
    """
    for ident, new in TEXTS.items():
        if ident not in task.properties:
            continue
        text = task.raw(ident)
        plain = " ".join(text.split("\n"))
        if not plain.strip():
            task.report("empty-dropped", f"empty {ident}[] is left out", ident)
            continue
        yield task.new(new, plain, ident)
        if new != ident:
            task.report("renamed", f"{ident}[{text}] is now {new}[{text}]", ident)


def _day(task: GgfTask) -> Iterator[NewProperty]:
    """Convert DT to a day; move a text that is no date to GC.

    Source: GGF, DT; its example has seconds since 1970, whose day is taken in UTC (a choice).
    """
    if "DT" not in task.properties:
        return
    text = task.raw("DT")
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
    yield task.new("DT", new, "DT")


def _clocks(task: GgfTask) -> Iterator[NewProperty]:
    """Convert TI, or TB and TW: the initial time to TM, and a clock that has more to OT.

    Source: GGS, clocks; KGS and OGS, OT.  Of a clock that no server of Go has, OT has the text,
    which is a choice.
    """
    texts = {ident: task.raw(ident).strip() for ident in ("TI", *CLOCKS.values())}
    clocks = {ident: clock for ident in texts if (clock := task.typed(ident)) is not None}
    if not clocks:
        return
    seconds = {
        clock.initial.seconds if isinstance(clock, Clock) and clock.initial else None
        for clock in clocks.values()
    }
    both = clocks.keys() == {"TI"}
    overtime = ", ".join(
        f"{color} {texts[ident]}" for color, ident in CLOCKS.items() if ident in clocks
    )
    new: list[NewProperty] = []
    if len(seconds) == 1 and None not in seconds and (both or len(clocks) > 1):
        new.append(task.new("TM", format_real(Decimal(seconds.pop() or 0))))
    if not (both and _is_plain(clocks["TI"])):
        known = write_overtime(clocks["TI"]) if both and isinstance(clocks["TI"], Clock) else None
        new.append(task.new("OT", known or (texts["TI"] if both else overtime)))
    for ident in clocks:
        task.report("renamed", f"{ident}[{texts[ident]}] is now {''.join(map(str, new))}", ident)
    yield from new


def _is_plain(clock: object) -> bool:
    return isinstance(clock, Clock) and clock.system in {"absolute", "none"}


def _rules(task: GgfTask) -> Iterator[NewProperty]:
    """Convert TY to RU where it has more than the size.

    A choice; in a record without a board TY gives the size.
    """
    text = task.raw("TY").strip()
    if not text:
        return
    kind = task.typed("TY")
    size = kind.size if isinstance(kind, OthelloType) else None
    if text != str(size or task.side):
        yield task.new("RU", text)
        task.report("renamed", f"TY[{text}] is now RU[{text}]", "TY")


def _result(task: GgfTask) -> Iterator[NewProperty]:
    """Convert RE, the score for the first color, to a winner and a margin.

    Source: GGF, RE.  A score that is no margin is moved to GC (a choice).
    """
    if "RE" not in task.properties:
        return
    text = task.raw("RE")
    value = task.typed("RE")
    if not isinstance(value, Result):
        _comment(task, "RE", f"result {text}")
        return
    new, number, severity = _sgf_result(value, text)
    if number:
        task.comments.append(f"score {text.partition(':')[0].strip()}")
        task.report("into-comment", f"the score of RE[{text}] is moved to GC", "RE")
    task.report("result-view", f"RE[{text}] is now RE[{new}]", "RE", severity)
    yield task.new("RE", new, "RE")


def _sgf_result(value: Result, text: str) -> tuple[str, bool, Severity | None]:
    """Return the result of SGF, whether the score of GGF is lost, and the severity of that."""
    if value.margin is None:
        asked = text.strip() == "?"
        result = "?" if asked else "Void", False, None if asked else Severity.WARNING
    elif value.ending is Ending.LEFT or (value.winner is None and value.ending in ENDINGS):
        result = "Void", bool(value.margin), Severity.WARNING
    elif value.ending in ENDINGS:
        result = f"{value.winner}+{ENDINGS[value.ending].upper()}", True, None
    elif value.winner is None:
        result = "0", False, None
    else:
        result = f"{value.winner}+{format_real(value.margin)}", False, None
    return result


def _game_comment(task: GgfTask) -> Iterator[NewProperty]:
    """Write GC from the values that have no property in SGF, and the komi.

    Source: GGF, KM, KB, KW, of Othello and Amazons: KM of SGF is for Go only; the form is a
    choice.
    """
    proposals = [
        f"{ident} {' '.join(filter(None, task.raw(ident).split('/')[:2]))}"
        for ident in ("KB", "KW")
        if ident in task.properties
    ]
    if "KM" in task.properties or proposals:
        text = f"komi {(task.raw('KM') or '?').strip()}"
        task.comments.append(text + (f" ({', '.join(proposals)})" if proposals else ""))
    for ident in ("KM", "KB", "KW"):
        if ident in task.properties:
            task.report("into-comment", f"{ident}[{task.raw(ident)}] is moved to GC", ident)
    if task.comments:
        yield task.new("GC", "\n".join(task.comments))


def _comment_of_root(task: GgfTask) -> Iterator[NewProperty]:
    """Convert CO to C (a choice)."""
    text = task.raw("CO")
    if text:
        yield task.new("C", text)
        task.report("renamed", "CO is now C", "CO")


def _position(task: GgfTask) -> Iterator[NewProperty]:
    """Convert BO to the size, the stones and the player who moves first.

    Source: GGF, BO; FF[4], Amazons, whose start position needs no stones.
    """
    board = task.typed("BO")
    if not isinstance(board, InitialBoard):
        kind = task.typed("TY")
        if isinstance(kind, OthelloType) and kind.size != OCTAGON:
            yield task.new("SZ", str(kind.size))
        if "BO" in task.properties:
            message = "invalid BO: the start position is unknown"
            task.report("value-kept", message, "BO", Severity.WARNING)
        return
    number = task.builder.number
    is_amazons = number == GameNumber.AMAZONS
    stones: dict[str, list[Point]] = {ident: [] for ident in CELLS}
    for row, cells in enumerate(board.rows):
        for column, cell in enumerate(cells):
            if cell != "-":
                point = Point(column, row)
                ident = "AB" if cell == CELLS["AB"] else "AW"
                stones[ident].append(mirrored(point, board.size) if is_amazons else point)
    start = start_stones(number, board.size)
    props = [task.new("SZ", str(board.size))]
    if not (is_amazons and all(start[ident] == {*stones[ident]} for ident in stones)):
        props += [
            NewProperty(ident, tuple(map(task.written, points)))
            for ident, points in stones.items()
            if points
        ]
    props.append(task.new("PL", board.to_move.value))
    if not is_amazons and board.size > USUAL_SIDE:
        message = "SGF defines squares of Othello up to h8; the others are written alike"
        task.report("value-kept", message, "BO")
    task.report("start-position", f"BO is now {''.join(map(quote, props))}", "BO")
    yield from props


def _comment(task: GgfTask, ident: str, text: str) -> None:
    task.comments.append(text)
    message = f"{ident}[{task.raw(ident)}] is moved to GC"
    task.report("into-comment", message, ident, Severity.WARNING)


ROOT_STEPS: tuple[Callable[[GgfTask], Iterable[NewProperty]], ...] = (
    _declared,
    _texts,
    _day,
    _clocks,
    _rules,
    _result,
    _game_comment,
    _comment_of_root,
    _position,
)


def _private(task: GgfTask, props: list[NewProperty]) -> Iterator[NewProperty]:
    """Keep values of GGF that do not follow from the properties of SGF in GF.

    A choice: nothing is lost.  Without private properties, report the losses.
    """
    table, number = task.builder.table, task.builder.number
    back = ggf_values(rules_of(table, Format.FF4, number), {prop.ident: prop.raw for prop in props})
    rules = rules_of(table, Format.GGF, number)
    values = []
    for ident, prop in task.properties.items():
        text = prop.raw[0]
        again = (back[ident],) if ident in back else None
        is_board = ident == "BO" and task.side is not None
        if is_board or again == (text,) or has_meaning(rules, ident, prop.values, again):
            continue
        if task.builder.options.lossy is Lossy.KEEP:
            values.append(f"{ident}:{escape_text(text, Format.FF4, composed=True)}")
            message = f"original {ident}[{text}] is kept in private property {KEPT}"
            task.report("private-copy", message, ident)
        else:
            message = f"{ident}[{text}] is lost: SGF cannot express it"
            task.report("fact-dropped", message, ident)
    if values:
        yield NewProperty(KEPT, tuple(values))


def _moves_from_ggf(task: GgfTask, contents: Sequence[Content]) -> None:
    """Give each move of B and W its own node (GGF, moves)."""
    parent, asked = 0, task.builder.options.time_left
    clocks = {move: task.typed(ident) or task.typed("TI") for move, ident in CLOCKS.items()}
    left = {move: TimeLeft(clock if asked else None) for move, clock in clocks.items()}
    for node, content in enumerate(contents):
        if content and content[0].ident in COLORS:
            props = list(_move(task, content[0], left[content[0].ident], node))
            parent = task.builder.add(parent, props, node)


def _move(task: GgfTask, prop: Reading, left: TimeLeft, node: int) -> Iterator[NewProperty]:
    """Convert a move, its evaluation to V and its time to TU.

    Source: GGF, moves.  A pass of Othello is ``PA``, as Edax writes it (a choice).
    """
    value, move = prop.values[0], None
    if isinstance(value, Played):
        with suppress(ValueError):  # the format has no such point
            move = task.written(value.move)
    if not isinstance(value, Played) or move is None:
        task.report_move("value-kept", lambda: f"{prop} is not a move; it is kept unchanged", node)
        yield NewProperty(prop.ident, (escape_text(prop.raw[0], Format.FF4),), 0)
        return
    if move != prop.raw[0].partition("/")[0]:
        task.report_move(
            "other-coordinates",
            lambda: f"{prop} is now {prop.ident}[{move}]; later moves alike",
            node,
        )
    yield NewProperty(prop.ident, (move,), 0)
    if value.evaluation is not None:
        score = format_real(score_for(prop.ident, value.evaluation))
        yield NewProperty("V", (score,), 0)
        task.report_move(
            "renamed",
            lambda: f"the evaluation of {prop} is now V[{score}]; later moves alike",
            node,
        )
    time = left.after(value.seconds)
    if time is not None:
        yield NewProperty(f"{prop.ident}L", (format_real(time),), 0)
    if value.seconds is None:
        return
    if task.builder.options.lossy is Lossy.KEEP:
        yield NewProperty(TIME_USED, (format_real(value.seconds),), 0)
        what = f"is kept in private property {TIME_USED}; later moves alike"
        task.report_move("private-copy", lambda: f"the time of {prop} {what}", node)
    else:
        task.report_move("fact-dropped", lambda: "the times of the moves are left out", node)


def sgf_properties(task: GgfTask, values: Mapping[str, str]) -> list[NewProperty]:
    """Return the properties of SGF for values of GGF, without the board."""
    source, options = task.builder.source, task.builder.options
    rules = rules_of(task.builder.table, Format.GGF, task.builder.number)
    properties = {ident: rules.property(ident, (text,)) for ident, text in values.items()}
    scratch = ResultBuilder(source, Format.FF4, options)
    again = GgfTask(scratch, properties, side=task.side)
    return [prop for step in ROOT_STEPS if step is not _position for prop in step(again)]
