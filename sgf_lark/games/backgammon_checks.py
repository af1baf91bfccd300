"""Rules of backgammon: checkers, dice, cube, and what MI says of the match.

Source: FF[4], Backgammon.  The board is :class:`.BackgammonState`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sgf_lark.core import (
    COLORS,
    SCORES,
    SETUP,
    TAGS,
    Action,
    BackgammonMove,
    Color,
    Composed,
    Content,
    Finding,
    GameTree,
    Group,
    Nodes,
    PointList,
    Reading,
    Severity,
    register,
    shorten,
)

from .backgammon import CHECKERS, PLACES, BackgammonState
from .moves import about_move, main_end, result_of

#: A point that is named more often changes nothing more.
MAX_NAMINGS = PLACES * PLACES

#: The faults of a move by a side whose turn it is not; those of the others come first.
AFTER_TURN = frozenset({"", "illegal-move", "unplayed-dice"})


def backgammon_rules(game: GameTree) -> Iterator[Finding]:
    """Check a game by the rules of backgammon."""
    nodes = game.nodes
    yield from _match_information(game)
    root = nodes.contents[0]
    rules = next((prop.raw[0] for prop in root if prop.ident == "RU" and prop.raw), "")
    state = BackgammonState(rules=rules)
    if not any(prop.ident in SETUP for prop in root):
        state.put_start()
    play = _Play(game, state)
    lost = bytearray()
    last = main_end(nodes.parents)
    for node, content in _replay(nodes, state):
        above = nodes.parents[node]
        play.is_lost = above >= 0 and bool(lost[above])
        yield from play.of_node(node, content)
        lost.append(play.is_lost)
        if node == last:
            yield from _result(game, state, is_lost=play.is_lost)


def _replay(nodes: Nodes, state: BackgammonState) -> Iterator[tuple[int, Content]]:
    """Yield the nodes of a game, each with the state as its parent leaves it.

    It is no :class:`.Replay`, which judges nothing after a move that leaves the board unknown:
    doubles, and whose turn it is, are known without the checkers.
    """
    parents = nodes.parents
    forks = {above for node, above in enumerate(parents) if above != node - 1}
    marks: dict[int, Any] = {}
    for node, content in enumerate(nodes.contents):
        if parents[node] != node - 1:
            state.rewind(marks[parents[node]])
        yield node, content
        if node in forks:
            marks[node] = state.mark


CHECKER_COUNT = register("G635 checker-count warning: more than fifteen checkers of a side")
CUBE_VALUE = register("G633 cube-value warning: a value that no doubling cube has")


class _Play:
    """Plays the nodes of a game.

    Attributes:
        is_lost: The checkers are not known any more.
        is_answered: The next node has a move of the other side, so that a roll without
            moves is no roll that is still to be played.
    """

    def __init__(self, game: GameTree, state: BackgammonState) -> None:
        self.is_lost = self.is_answered = False
        self._nodes = game.nodes
        self._state = state

    def of_node(self, node: int, content: Content) -> Iterator[Finding]:
        """Carry out a node; yield its findings."""
        for place, prop in enumerate(content):
            if prop.ident in SETUP:
                self._set_up(prop)
            elif prop.ident in {"CV", "CO", "CP", "PL"}:
                yield from self._set_cube(node, place, prop)
        if any(prop.ident in Group.ADDS.idents for prop in content):
            yield from self._count(node, content)
        for place, prop in enumerate(content):
            if prop.ident not in COLORS or not prop.raw:
                continue
            self.is_answered = self._answers(node, prop.ident)
            yield from self._move(node, place, prop, COLORS[prop.ident])

    def _answers(self, node: int, ident: str) -> bool:
        """Return whether the next node has a move of the other side."""
        parents, contents = self._nodes.parents, self._nodes.contents
        if node + 1 >= len(parents) or parents[node + 1] != node:
            return False
        return any(prop.ident in COLORS and prop.ident != ident for prop in contents[node + 1])

    def _set_up(self, prop: Reading) -> None:
        """Each naming of a point by AB or AW is a checker; AE empties points."""
        state = self._state
        state.to_play = state.doubled = None
        if isinstance(prop.value, PointList) and prop.value.total <= MAX_NAMINGS:
            for point in prop.value:
                if state.has(point):
                    state.put_points(point, point, prop.ident)

    def _count(self, node: int, content: Content) -> Iterator[Finding]:
        """Each side has fifteen checkers at most."""
        for ident, color in (("AB", Color.BLACK), ("AW", Color.WHITE)):
            place = next((place for place, prop in enumerate(content) if prop.ident == ident), None)
            count = self._state.on_board(color)
            if place is not None and count > CHECKERS:
                message = f"{color.name.capitalize()} has {count} checkers, more than 15"
                help_ = "empty the points with AE before, or name fewer"
                yield CHECKER_COUNT.found(message, help=help_, node=node, property_index=place)

    def _set_cube(self, node: int, place: int, prop: Reading) -> Iterator[Finding]:
        """Value and owner of the cube, and who is to roll."""
        value: object = prop.values[0] if prop.values else None
        if prop.ident == "CV" and isinstance(value, int) and (value < 1 or value & (value - 1)):
            message = f"invalid value '{value}' for CV: expected a power of two"
            help_ = "a doubling cube has 1, 2, 4, 8, 16 ..."
            yield CUBE_VALUE.found(
                message,
                help=help_,
                node=node,
                property_index=place,
                value_index=0,
            )
        elif prop.ident == "PL" and isinstance(value, Color):
            self._state.to_play = None  # another rule compares
        else:
            self._state.put_setting(prop.ident, value)

    # ---- moves ----

    def _move(self, node: int, place: int, prop: Reading, color: Color) -> Iterator[Finding]:
        """Carry out a move; yield its finding."""
        state, value = self._state, prop.values[0]
        if not isinstance(value, Action | BackgammonMove):
            state.to_play = state.doubled = None
            self.is_lost = True
            return
        turn = state.to_play if state.doubled is None else None
        verdict = state.play(value, color)
        shown = f"{prop.ident}[{shorten(prop.raw[0])}]"
        name, message, help_ = verdict.name, verdict.sentence(shown), verdict.help
        was_lost, self.is_lost = self.is_lost, self.is_lost or verdict.is_lost
        if isinstance(value, BackgammonMove):
            if was_lost and name in AFTER_TURN:
                return
            if name == "unplayed-dice" and not value.pairs and not self.is_answered:
                name = ""
        if turn is color.opponent and name in AFTER_TURN:
            name, message = "out-of-turn", f"{shown}, but it is {turn.name.capitalize()}'s turn"
            help_ = "see whether a move before is missing"
            if isinstance(value, BackgammonMove):
                help_ = "a roll may be missing; one without moves counts, too"
        if name:
            yield about_move(name, message, help_, (node, place))


# ---- the match, and the result ----


MATCH_INFORMATION = register("G634 match-information warning: an invalid part of MI")


def _match_information(game: GameTree) -> Iterator[Finding]:
    """MI: known tags, each once, with numbers that can be."""
    nodes = game.nodes
    for place, prop in enumerate(nodes.contents[0]):
        if prop.ident != "MI":
            continue
        numbers: dict[str, tuple[int, int]] = {}
        for index, value in enumerate(prop.values):
            if not isinstance(value, Composed):
                continue
            tag, number = str(value.first).lower(), value.second
            message = _tag(tag, number, twice=tag in numbers)
            if message:
                severity = None if tag in TAGS else Severity.INFO
                help_ = "FF[4] knows length, game, bs and ws"
                yield MATCH_INFORMATION.in_root(message, help_, place, index, severity)
            elif isinstance(number, int):
                numbers[tag] = index, number
        _, length = numbers.get("length", (0, 0))
        for tag, who in SCORES.items():
            index, score = numbers.get(tag, (0, 0))
            if 0 < length <= score:
                message = f"{who} has {score} points of {length}: the match was over before"
                help_ = "correct the score or the length of the match"
                yield MATCH_INFORMATION.in_root(message, help_, place, index)


def _tag(tag: str, number: object, *, twice: bool) -> str:
    """Return the fault of a part of MI; "" for none."""
    if tag not in TAGS:
        return f"unknown tag '{shorten(tag)}' in MI"
    if twice:
        return f"MI has the tag '{tag}' twice"
    if not isinstance(number, int):
        return f"invalid value for the tag '{tag}' of MI: expected a number"
    return f"the tag '{tag}' of MI is {number}: expected at least 0" if number < 0 else ""


def _result(game: GameTree, state: BackgammonState, *, is_lost: bool) -> Iterator[Finding]:
    """The winner of RE is who won by a drop, or took the last checker off."""
    found = result_of(game.nodes)
    if found is None or found[1].winner is None:
        return
    place, result = found
    winner = state.winner
    if winner is None and not is_lost:
        winner = state.winner_by_checkers
    if winner is not None and result.winner is not winner:
        shown = shorten(game.nodes.contents[0][place].raw[0])
        message = f"RE[{shown}], but {winner.name.capitalize()} has won"
        help_ = "correct the result, or see whether moves are missing"
        yield about_move("score-mismatch", message, help_, (0, place))
