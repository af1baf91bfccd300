"""Rules of Go: moves and setup on its board.

Source: FF[4], Go, "Playing a move"; property KO, whose node plays even what is illegal.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from decimal import Decimal

from sgf_lark.core import (
    COLORS,
    MAX_QUOTED,
    SETUP,
    BoardSize,
    Content,
    Finding,
    GameTree,
    Nodes,
    Pass,
    Point,
    PointList,
    Severity,
    find_repeated,
    name_beside,
    plural,
    register,
    shorten,
    size_of_board,
)
from sgf_lark.games.moves import TOO_MUCH_WORK, not_judged
from sgf_lark.positions.grid import EMPTY, NAMES, SETUP_CELLS
from sgf_lark.positions.replay import Replay
from sgf_lark.positions.start import name_of_rules
from sgf_lark.positions.state import LEGAL, Verdict

from .go import GoRules, GoState
from .moves import illegal_moves, main_end, quote_value


def check_go(game: GameTree, asked: frozenset[str]) -> Iterator[Finding]:
    """Check a game of Go on a board, and by the strict rules that are asked for."""
    yield from _board_rules(game, asked)
    yield from _handicap_stones(game.nodes)
    for name, rule in STRICT.items():
        if name in asked:
            yield from rule(game.nodes)


#: The board of a game without SZ (FF[4], SZ).
USUAL_SIZE = BoardSize(19, 19)


def _board_rules(game: GameTree, asked: frozenset[str]) -> Iterator[Finding]:
    """Moves are legal, setup changes something, and no position comes again."""
    nodes = game.nodes
    allowed = GoRules.of(name_of_rules(nodes.contents[0])).suicide
    board = GoState(  # superko: see _Seen
        size_of_board(nodes.contents[0], nodes.rules) or USUAL_SIZE, rules=GoRules(suicide=allowed)
    )
    replay, parents = Replay(nodes.contents, nodes.rules, board), nodes.parents
    seen = _Seen(board) if "repeated-position" in asked else None
    is_over, last = False, main_end(parents)
    for node, _, verdict, _ in replay.of_nodes(nodes.tape, range(len(parents)), parents):
        if node == replay.closely:
            for place, idle in replay.idle:
                yield from _useless_setup(nodes, node, place, idle)
        if verdict is not LEGAL and verdict is not None:
            yield from illegal_moves(nodes, node, replay.judged(node, verdict))
        if replay.is_over and not is_over:
            is_over = True
            yield not_judged(node, TOO_MUCH_WORK)
        if node == last and replay.is_known:
            nodes.end = board.bare()
        if seen is not None:
            seen.go_back(parents[node])
            if verdict is not None:
                yield from seen.repetition(nodes, node, replay.judged(node, verdict))
            seen.keep(node)


USELESS_SETUP = register("G602 useless-setup info: setup that changes nothing on the board")


def _useless_setup(nodes: Nodes, node: int, place: int, idle: list[int]) -> Iterator[Finding]:
    """Report points of a setup property that it does not change."""
    prop = nodes.contents[node][place]
    named = set(find_repeated(prop))
    idle = [index for index in idle if index not in named]
    if not idle:
        return
    held = SETUP_CELLS[prop.ident]
    what = "empty" if held == EMPTY else NAMES[held]
    message = f"{quote_value(nodes, prop, idle[0])} is {what} already"
    if idle[1:]:
        parts = (prop.raw[index] + name_beside(nodes, prop, index) for index in idle)
        shown = shorten(", ".join(parts), 2 * MAX_QUOTED)
        message = f"{prop.ident} names {len(idle)} points that are {what} already: {shown}"
    finding = USELESS_SETUP.found(
        message,
        help="leave it out",
        node=node,
        property_index=place,
        value_index=idle[0],
    )
    yield finding._replace(gone=idle)


REPEATED_POSITION = register("G606 repeated-position warning: a repeated Go position", strict=True)


class _Seen:
    """The positions on the path from the root."""

    def __init__(self, board: GoState) -> None:
        self._board = board
        self._marks: array[int] = array("q")
        self._path = [board.stones]
        self._nodes = {self._path[0]: -1}  # the node after which it was there first

    def go_back(self, above: int) -> None:
        mark = self._marks[above] if above >= 0 else 1
        while len(self._path) > mark:
            del self._nodes[self._path.pop()]

    def keep(self, node: int) -> None:
        now = self._board.stones
        if now not in self._nodes:
            self._path.append(now)
            self._nodes[now] = node
        self._marks.append(len(self._path))

    def repetition(
        self, nodes: Nodes, node: int, judged: list[tuple[int, Verdict]]
    ) -> Iterator[Finding]:
        """Report a node whose last move leads to a position that was there before."""
        earlier, last = self._nodes.get(self._board.stones), self._board.last
        place, verdict = judged[-1]
        if earlier is None or verdict is not LEGAL or not isinstance(last, Point):
            return
        if self._board.at(last) is None:  # suicide, which is allowed
            return
        prop = nodes.contents[node][place]
        number = nodes.move_number(earlier) if earlier >= 0 else 0
        when = f"after move {number}" if number else "before the first move"
        message = f"{quote_value(nodes, prop)} repeats the position {when}"
        help_ = "most rules of Go forbid that (superko)"
        yield REPEATED_POSITION.found(
            message, help=help_, node=node, property_index=place, value_index=0
        )


# ---- strict rules, which need no board ----


HANDICAP_STONES = register("G607 handicap-stones warning: HA that differs from AB")


def _handicap_stones(nodes: Nodes) -> Iterator[Finding]:
    """HA is the number of stones of AB in the first node (FF[4], Go, HA: recommended).

    An info, if stones of White make it a position, or the next nodes have the missing stones.
    """
    root = nodes.contents[0]
    at = next((place for place, prop in enumerate(root) if prop.ident == "HA"), None)
    value: object = None if at is None else root[at].value
    if not isinstance(value, int):
        return
    stones = _black_stones(root)
    if value == stones or max(value, stones) < MIN_HANDICAP:
        return
    total, node = stones, 1
    while node < len(nodes) and nodes.parents[node] == node - 1:
        content = nodes.contents[node]
        if any(prop.ident in COLORS for prop in content):
            break
        total += _black_stones(content)
        node += 1
    is_usual = value == total or any(prop.ident == "AW" for prop in root)
    black = plural(stones, "black stone") if stones else "no black stones"
    help_ = "set up the handicap stones with AB in the same node, or correct HA"
    severity = Severity.INFO if is_usual else None
    message = f"HA[{value}] with {black} set up"
    yield HANDICAP_STONES.in_root(message, help_, at, severity=severity)


#: Handicap begins with two stones; HA[1] is a game without komi.
MIN_HANDICAP = 2


def _black_stones(content: Content) -> int:
    lists = [prop.value for prop in content if prop.ident == "AB"]
    return sum(points.total for points in lists if isinstance(points, PointList))


SETUP_AFTER_ROOT = register(
    "G608 setup-after-root warning: stones set up during the game", strict=True
)


def _setup_after_root(nodes: Nodes) -> Iterator[Finding]:
    """In a game that was played stones are set up before the first move."""
    for node, content in enumerate(nodes.contents):
        if node and nodes.parents[node] != node - 1:
            return  # the end of the main line
        for place, prop in enumerate(content):
            if node and prop.ident in SETUP:
                message = f"{prop.ident} changes the board during the game"
                help_ = "set up in the first node, or play moves"
                yield SETUP_AFTER_ROOT.found(message, help=help_, node=node, property_index=place)
                break


def _move_of(content: Content) -> int | None:
    return next((place for place, prop in enumerate(content) if prop.ident in COLORS), None)


SAME_COLOR_TWICE = register(
    "G609 same-color-twice warning: consecutive moves of one side", strict=True
)


def same_color_twice(nodes: Nodes) -> Iterator[Finding]:
    """Sides take turns; setup and PL say anew who is to move."""
    last: list[str] = []
    for node, content in enumerate(nodes.contents):
        above = nodes.parents[node]
        before = last[above] if above >= 0 else ""
        place = _move_of(content)
        if any(prop.ident in SETUP or prop.ident == "PL" for prop in content):
            before = ""
        if place is None:
            last.append(before)
            continue
        ident = content[place].ident
        if ident == before and not _is_late(nodes, node, place):
            who = COLORS[ident].name.capitalize()
            message = f"{who} moves twice, one after the other"
            help_ = "a move or a pass of the other side may be missing"
            yield SAME_COLOR_TWICE.found(message, help=help_, node=node, property_index=place)
        last.append(ident)


FIRST_PLAYER = register("G612 first-player warning: the first move of the wrong side", strict=True)


def first_player(game: GameTree) -> Iterator[Finding]:
    """The side that begins by the rules of the game begins, unless something is set up."""
    nodes = game.nodes
    for node, content in enumerate(nodes.contents):
        if node and nodes.parents[node] != node - 1:
            return
        if any(prop.ident in SETUP or prop.ident in {"PL", "HA"} for prop in content):
            return
        place = _move_of(content)
        if place is None:
            continue
        first = nodes.rules.game.first_color
        if COLORS[content[place].ident] is not first:
            other, name = first.opponent.name.capitalize(), first.name.capitalize()
            message = f"{other} plays first; in {nodes.rules.game.name} {name} does"
            help_ = "a move may be missing, or the colors are exchanged; else say so with PL"
            yield FIRST_PLAYER.found(message, help=help_, node=node, property_index=place)
        return


def _is_late(nodes: Nodes, node: int, place: int) -> bool:
    """A variation begins with a move of the side that has just moved: it is after the
    move for which it is another choice.
    """
    above = nodes.parents[node]
    if above < 0 or above == node - 1:
        return False
    ident = nodes.contents[node][place].ident
    first = nodes.contents[above + 1]
    before, other = _move_of(nodes.contents[above]), _move_of(first)
    return (
        before is not None
        and other is not None
        and nodes.contents[above][before].ident == ident != first[other].ident
    )


VARIATION_LEVEL = register(
    "G610 variation-level warning: a variation one move too late", strict=True
)


def _variation_level(nodes: Nodes) -> Iterator[Finding]:
    """Another choice for a move is a variation of that move's parent."""
    for node, content in enumerate(nodes.contents):
        place = _move_of(content)
        if place is not None and _is_late(nodes, node, place):
            ident = content[place].ident
            who = COLORS[ident].name.capitalize()
            message = f"this variation begins with {who}, who has just moved"
            help_ = "if it is another choice for that move, it belongs one node earlier"
            yield VARIATION_LEVEL.found(message, help=help_, node=node, property_index=place)


PLAY_AFTER_PASSES = register(
    "G611 play-after-passes warning: a move after both have passed", strict=True
)


def _play_after_passes(nodes: Nodes) -> Iterator[Finding]:
    """Two consecutive passes end a game."""
    passes = bytearray()
    for node, content in enumerate(nodes.contents):
        above = nodes.parents[node]
        before = passes[above] if above >= 0 else 0
        place = _move_of(content)
        if place is None:
            passes.append(before)
            continue
        prop = content[place]
        passed = bool(prop.values) and isinstance(prop.values[0], Pass)
        if before == 2 and not passed:  # noqa: PLR2004  # both have passed
            message = f"{quote_value(nodes, prop)} is played after both have passed"
            help_ = "two consecutive passes end the game"
            yield PLAY_AFTER_PASSES.found(message, help=help_, node=node, property_index=place)
        passes.append(min(before + 1, 2) if passed else 0)


HANDICAP_KOMI = register("G614 handicap-komi info: a handicap with komi", strict=True)


def handicap_komi(nodes: Nodes) -> Iterator[Finding]:
    """With handicap stones White gets no more than half a point."""
    root = nodes.contents[0]
    values = {prop.ident: prop.value for prop in root if prop.ident in {"HA", "KM"}}
    stones, komi = values.get("HA"), values.get("KM")
    if isinstance(stones, int) and isinstance(komi, Decimal) and stones > 1 and komi > HALF:
        place = next(place for place, prop in enumerate(root) if prop.ident == "KM")
        raw = shorten(root[place].raw[0])
        message = f"KM[{raw}] with a handicap of {stones} stones, which is usually 0 or 0.5"
        yield HANDICAP_KOMI.in_root(message, "see which is meant", place)


HALF = Decimal("0.5")


#: Rules for who asks for them.
STRICT: dict[str, Callable[[Nodes], Iterator[Finding]]] = {
    "handicap-komi": handicap_komi,
    "setup-after-root": _setup_after_root,
    "same-color-twice": same_color_twice,
    "variation-level": _variation_level,
    "play-after-passes": _play_after_passes,
}
