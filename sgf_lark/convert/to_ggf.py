"""Conversion from FF[4] to GGF, for Othello and Amazons: the main line and the game info.

Source: the reverse of the conversion from GGF; there is no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from decimal import Decimal

from sgf_lark.core import (
    COLORS,
    GAMES,
    LETTERED_SIDE,
    SETUP,
    SHARED_WITH_GGF,
    AmazonsMove,
    BoardSize,
    Color,
    Format,
    GameNumber,
    GameTree,
    Group,
    Nodes,
    NotOfType,
    Pass,
    Played,
    Point,
    PointList,
    Reading,
    Rectangle,
    Result,
    Severity,
    close_value,
    find_board_size,
    name_in_words,
    read_overtime,
    shorten,
    write_value,
)

from .builder import ConvertOptions, NewProperty, ResultBuilder, declaration
from .from_ggf import GgfTask, sgf_properties
from .ggf_vocabulary import (
    ABOUT_FILE,
    CELLS,
    GGF_ORDER,
    KEPT,
    TEXTS,
    TIME_USED,
    USUAL_SIDE,
    ggf_values,
    has_meaning,
    mirrored_move,
    rules_of,
    score_for,
    start_stones,
)
from .steps import quote


def convert_to_ggf(game: GameTree, options: ConvertOptions) -> ResultBuilder:
    """Convert the main line of a game of FF[4] to GGF; reject a game that GGF cannot express."""
    builder = ResultBuilder(game, Format.GGF, options)
    first = game.nodes.contents[0]
    places: dict[str, tuple[int, int | None]] = {
        prop.ident: (0, place) for place, prop in enumerate(first)
    }
    task = GgfTask(builder, {prop.ident: prop for prop in reversed(first)}, places)
    if game.game not in SHARED_WITH_GGF:
        names, name = " and ".join(SHARED_WITH_GGF.values()), name_in_words(game.game_name)
        message = f"conversion to GGF supports {names} only; this is {name}"
        task.report("game-refused", message, "GM")
        return builder
    size = find_board_size(first, GAMES[game.game])
    task.side = size.columns if size else None
    line = [node.index for node in game.main_line()]
    _reject_setup_and_texts(builder, line)
    if builder.is_rejected:
        return builder
    _reject_board(builder, size or BoardSize(USUAL_SIDE, USUAL_SIDE))
    if builder.is_rejected:
        return builder
    root = {ident: tuple(map(close_value, prop.raw)) for ident, prop in task.properties.items()}
    values = ggf_values(game.nodes.rules, root)
    board = _board(task)
    values = _with_kept(task, values, root) | {"BO": board}
    if any("]" in text for text in values.values()):
        task.report("text-refused", f"a value of GGF cannot contain the ']' of {KEPT}", KEPT)
        return builder
    _note_losses(task, values, root)
    _note_further(builder, line)
    further = [ident for ident in values if ident not in GGF_ORDER]
    new = [task.new(ident, values[ident], ident) for ident in GGF_ORDER if ident in values]
    new += [task.new(ident, values[ident]) for ident in further]
    builder.add(-1, new, 0)
    task.report(
        "declared", declaration(Format.FF4, Format.GGF, f"GM[{SHARED_WITH_GGF[game.game]}]"), "GM"
    )
    _moves_to_ggf(task, line)
    _reject_brackets(builder)
    _note_variations(builder, line)
    return builder


def _with_kept(
    task: GgfTask, values: dict[str, str], root: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """Return the values with those of GF in their places, unless the record was changed since."""
    if KEPT not in root:
        return values
    rules = task.builder.source.nodes.rules
    kept: dict[str, str] = {}
    lost: list[str] = []
    for raw in root[KEPT]:
        try:
            ident, text = rules.reader.plain.read("compose", raw)
            is_name = ident.isascii() and ident.isalpha() and ident.isupper()
            if is_name and ident not in COLORS:
                kept[ident] = rules.reader.plain.read("text", text)
                continue
        except NotOfType:
            pass
        lost.append(raw)
    if lost:
        message = f"GGF cannot express {quote(NewProperty(KEPT, tuple(lost)))}"
        task.report("fact-dropped", message, KEPT)
    both = {**values, **kept}
    others = {prop.ident: prop.raw for prop in sgf_properties(task, values)}
    if all(
        prop.raw in (root.get(prop.ident), others.get(prop.ident))
        for prop in sgf_properties(task, both)
        if prop.ident not in {*ABOUT_FILE, KEPT}
    ):
        return both
    message = f"{KEPT} contradicts the other properties of its node; it is left out"
    task.report("stale-copy", message, KEPT)
    return values


def _reject_setup_and_texts(builder: ResultBuilder, line: list[int]) -> None:
    """Reject setup after the first node, and texts with a bracket, which GGF cannot contain."""
    nodes = builder.source.nodes
    for node in line:
        for place, prop in enumerate(nodes.contents[node]):
            if prop.ident == "AA" or (node and prop.ident in {*SETUP, "PL"}):
                where = "here: its first node sets up the board"
                message = f"GGF has no place for {prop.ident} {where}"
                builder.report("setup-refused", message, place, node=node)
            elif node == 0 and prop.ident in TEXTS_OF_SGF and any("\\]" in raw for raw in prop.raw):
                message = f"a value of GGF cannot contain the ']' of {prop.ident}"
                builder.report("text-refused", message, place, node=node)


def _reject_brackets(builder: ResultBuilder) -> None:
    for number, props in enumerate(builder.props):
        for prop in props:
            if any("]" in raw for raw in prop.raw):
                message = f"a value of GGF cannot contain the ']' of {quote(prop)}"
                node = builder.origins[number]
                builder.report("text-refused", message, prop.place, node=node, result=number)


#: Properties whose texts go into GGF.
TEXTS_OF_SGF = frozenset({*TEXTS.values(), "OT", "RU", "C"})


def _reject_board(builder: ResultBuilder, size: BoardSize) -> None:
    if not size.is_square:
        builder.reject_board("GGF has square boards only")
    elif size.columns > LETTERED_SIDE:
        most, board = f"{LETTERED_SIDE}x{LETTERED_SIDE}", shorten(f"{size.columns}x{size.rows}")
        message = f"start positions are converted for boards up to {most}; this board is {board}"
        builder.reject_board(message)


def _board(task: GgfTask) -> str:
    nodes = task.builder.source.nodes
    has_stones = bool(Group.ADDS.idents & task.properties.keys())
    root, side, number = task.properties, task.side or USUAL_SIDE, task.builder.number
    start = {} if has_stones else start_stones(number, side)
    cells = [["-"] * side for _ in range(side)]
    for ident, cell in CELLS.items():
        values = root[ident].values if ident in root else start.get(ident, ())
        points = PointList(tuple(value for value in values if isinstance(value, Point | Rectangle)))
        for entry in points.on_board(BoardSize(side, side)).entries:
            low, high = (entry, entry) if isinstance(entry, Point) else entry.corners or _NOWHERE
            for row in range(low.row, high.row + 1):
                at = side - 1 - row if number == GameNumber.AMAZONS else row
                cells[at][low.column : high.column + 1] = cell * (high.column + 1 - low.column)
    moves = (prop.ident for node in nodes.contents for prop in node if prop.ident in COLORS)
    player = next(moves, "")
    turn = root["PL"].value if "PL" in root else None
    if not isinstance(turn, Color):
        turn = COLORS.get(player, Color.BLACK)
    board = " ".join((str(side), *map("".join, cells), "*" if turn is Color.BLACK else "O"))
    message = f"the start position is now BO[{side} ...]"
    is_othello = number == GameNumber.OTHELLO
    guesses = {
        "SZ": is_othello and "SZ" not in root,
        "AB and AW": is_othello and not has_stones,
        "PL": "PL" not in root and not player,
    }
    guessed = " and ".join(what for what, is_guess in guesses.items() if is_guess)
    if guessed:
        message += f"; without {guessed} it is a guess"
    severity = Severity.WARNING if guessed else None
    task.builder.report("start-position", message, severity=severity)
    return board


#: The corners of a rectangle without points.
_NOWHERE = Point(0, 0), Point(-1, -1)


def _moves_to_ggf(task: GgfTask, line: list[int]) -> None:
    builder, nodes = task.builder, task.builder.source.nodes
    ggf = rules_of(builder.table, Format.GGF, builder.number).reader
    parent = 0
    for node in line:
        content = nodes.contents[node]
        for place, prop in enumerate(content):
            if prop.ident not in COLORS or not prop.raw:
                continue
            move, raw = prop.values[0], None
            score, seconds = _number(nodes, content, "V"), _number(nodes, content, TIME_USED)
            if isinstance(move, AmazonsMove):
                move = mirrored_move(move, task.side or USUAL_SIDE)
            if isinstance(move, Point | Pass | AmazonsMove):
                evaluation = None if score is None else score_for(prop.ident, score)
                played = Played(move=move, evaluation=evaluation, seconds=seconds)
                with suppress(ValueError):  # the format has no such point
                    raw = write_value(None, played, ggf)
            if raw is None:
                raw = prop.raw[0]
                message = f"{prop} is not a move; it is kept unchanged"
                result = len(builder.props)
                builder.report("value-kept", message, place, node=node, result=result)
            parent = builder.add(parent, [NewProperty(prop.ident, (raw,), place)], node)
        for place, prop in enumerate(content):
            if node and prop.ident not in {*COLORS, "V", TIME_USED}:
                left_out = quote(NewProperty(prop.ident, prop.raw))
                message = f"GGF has no {prop.ident}: {left_out} is left out"
                builder.report("fact-dropped", message, place, node=node, result=parent)


def _number(nodes: Nodes, content: Iterable[Reading], ident: str) -> Decimal | None:
    """Return the number of a property of a node; None if there is none."""
    prop = next((prop for prop in content if prop.ident == ident), None)
    try:
        value = None if prop is None else nodes.rules.reader.plain.read("real", prop.raw[0])
    except NotOfType:
        return None
    return value if isinstance(value, Decimal) else None


#: Properties of which the first value is written.
_OF_ONE_VALUE = frozenset({*Group.DECLARES.idents, *COLORS, "PL", "V", TIME_USED})


def _note_further(builder: ResultBuilder, line: list[int]) -> None:
    """Note what stands beside what is written: further values, and repeated properties."""
    nodes, moves = builder.source.nodes, 0
    for node in line:
        seen: set[str] = set()
        for place, prop in enumerate(nodes.contents[node]):
            ident, is_single = prop.ident, prop.ident in _OF_ONE_VALUE
            moves += ident in COLORS
            further = tuple(raw for raw in prop.raw[1:] if raw not in {"", prop.raw[0]})
            if ident in seen and ident not in COLORS and (node == 0 or is_single):
                message = f"{ident} occurs twice; {quote(NewProperty(ident, prop.raw))} is left out"
                builder.report("second-dropped", message, place, node=node, result=moves)
            elif is_single and further:
                lost = quote(NewProperty("", further))
                message = f"{ident} accepts one value: {lost} is left out"
                builder.report("further-values", message, place, node=node, result=moves)
            elif any(prop.raw) and _is_unwritten(nodes, node, prop):
                message = f"GGF cannot express {quote(NewProperty(ident, prop.raw))}"
                builder.report("fact-dropped", message, place, node=node, result=moves)
            elif node == 0 and ident in SETUP:
                are_points = (isinstance(value, Point | Rectangle) for value in prop.values)
                if any(prop.raw) and not all(are_points):
                    message = f"GGF cannot express {quote(NewProperty(ident, prop.raw))}"
                    builder.report("fact-dropped", message, place)
            seen.add(ident)


def _is_unwritten(nodes: Nodes, node: int, prop: Reading) -> bool:
    """Return whether V or TU is no number or beside no move, or PL names no side."""
    if prop.ident == "PL":
        return not isinstance(prop.value, Color)
    content = nodes.contents[node]
    return prop.ident in {"V", TIME_USED} and (
        all(other.ident not in COLORS for other in content)
        or _number(nodes, content, prop.ident) is None
    )


def _note_losses(
    task: GgfTask, values: Mapping[str, str], root: Mapping[str, tuple[str, ...]]
) -> None:
    rules = task.builder.source.nodes.rules
    again = {prop.ident: prop.raw for prop in sgf_properties(task, values)}
    for ident, raw in root.items():
        if ident in {*Group.DECLARES.idents, *COLORS, *SETUP, "PL", KEPT, "V", TIME_USED}:
            continue
        new = again.get(ident)
        if ident == "OT" and _is_same_overtime(raw[0], "".join(new or ())):
            continue
        if raw != new and not has_meaning(rules, ident, rules.property(ident, raw).values, new):
            message = f"GGF cannot express {quote(NewProperty(ident, raw))}"
            if new is not None:
                message += f"; it becomes {quote(NewProperty(ident, new))}"
            severity = Severity.INFO if ident in WRITTEN_BY else None
            task.report("fact-dropped", message, ident, severity)
    if "DT" in values and KEPT not in root:
        message = f"DT[{root['DT'][0]}] is now DT[{values['DT']}]; the hour is unknown"
        task.report("date-form", message, "DT", Severity.WARNING)
    if "RE" in values and "RE" in root and values["RE"] != root["RE"][0]:
        _note_result(task, values["RE"], root)


def _is_same_overtime(text: str, new: str) -> bool:
    """Return whether a text of OT means what another one does; a missing one means none."""
    old, again = (read_overtime(one or "none") for one in (text, new))
    if old is None or again is None:
        return False
    main = {"initial": again.initial}  # which TM has
    return {old.system, again.system} <= {"none", "absolute"} or (
        old.model_copy(update=main) == again
    )


def _note_result(task: GgfTask, new: str, root: Mapping[str, tuple[str, ...]]) -> None:
    """Note RE in view of Black; a score that neither RE nor GF gives is a guess."""
    builder = task.builder
    value = builder.source.nodes.rules.property("RE", root["RE"]).value
    message, severity = f"RE[{root['RE'][0]}] is now RE[{new}]", None
    stale = any(note.name == "stale-copy" for note, _, _ in builder.notes)
    known = not stale and any(raw.startswith("RE:") for raw in root.get(KEPT, ()))
    counted = isinstance(value, Result) and (value.margin is not None or value.winner is None)
    if not (known or counted or new == "?"):
        what = "all squares" if builder.number == GameNumber.OTHELLO else "one point"
        message += f"; the score is unknown, and {what} is a guess"
        severity = Severity.WARNING
    task.report("result-view", message, "RE", severity)


#: Properties about the program that wrote a record, not about the game.
WRITTEN_BY = Group.FILE.idents - Group.DECLARES.idents


def _note_variations(builder: ResultBuilder, line: list[int]) -> None:
    on_line = set(line)
    nodes = builder.source.nodes
    for node, above in enumerate(nodes.parents):
        if node not in on_line and above in on_line:
            message = "GGF has no variations: this one is left out"
            builder.report("variations-left-out", message, node=node)
