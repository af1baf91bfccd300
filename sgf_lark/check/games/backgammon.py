"""Rules of backgammon: checkers, dice, cube, and what MI says of the match.

Source: FF[4], Backgammon.  White goes from ``x`` to ``a``, Black from ``a`` to ``x``; both
come in from the bar ``y`` and leave for the tray ``z``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sgf_lark.boards.grid import CellGrid
from sgf_lark.diagnostics.diagnostic import Finding, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import Content, Property
from sgf_lark.schema.properties import COLORS, SETUP, Group
from sgf_lark.schema.values import (
    Action,
    BackgammonMove,
    BackgammonRules,
    Color,
    Composed,
    CubeOwner,
    PointList,
    Result,
)

from .replay import main_end, replay

POINTS, BAR, TRAY, PLACES = 24, 24, 25, 26

#: Checkers of each side.
CHECKERS = 15

#: Where the checkers of White stand at the beginning; those of Black stand opposite.
START = {5: 5, 7: 3, 12: 5, 23: 2}

#: Larger cubes count as this.
LARGEST_CUBE = 1 << 30

#: The tags of MI whose values are numbers from 0.
SCORES = {"bs": "Black", "ws": "White"}
TAGS = ("length", "game", *SCORES)


class _State(NamedTuple):
    """The position after a node.

    Attributes:
        turn: Who is to move; None if that is not known.
        lost: The position is not known.
        cube: Value of the cube.
        owner: Who may double; None for both.
        doubled: Who has doubled and waits for an answer.
        roller: Who rolls when the double is answered: who doubled first.
        winner: Who has won by a drop.
    """

    turn: Color | None = None
    lost: bool = False
    cube: int = 1
    owner: Color | None = None
    doubled: Color | None = None
    roller: Color | None = None
    winner: Color | None = None


class _Checkers(CellGrid):
    """Count the checkers of each side on each point."""

    def __init__(self) -> None:
        super().__init__(PLACES, 2)
        self._row = {Color.WHITE: self.step + 1, Color.BLACK: 2 * self.step + 1}

    def at(self, color: Color, place: int) -> int:
        return self.cells[self._row[color] + place]

    def set(self, color: Color, place: int, count: int) -> None:
        self.put(self._row[color] + place, min(count, 0xFF))

    def all_of(self, color: Color) -> int:
        start = self._row[color]
        return sum(self.cells[start : start + TRAY])

    def are_home(self, color: Color) -> bool:
        """All checkers stand where they may leave."""
        away = range(6, BAR + 1) if color is Color.WHITE else (*range(18), BAR)
        return not any(self.at(color, place) for place in away)

    def put_start(self) -> None:
        for place, count in START.items():
            self.set(Color.WHITE, place, count)
            self.set(Color.BLACK, POINTS - 1 - place, count)


def backgammon_rules(game: GameTree) -> Iterator[Finding]:
    """Check a game by the rules of backgammon."""
    nodes, board = game.nodes, _Checkers()
    yield from _match_information(game)
    root = nodes.contents[0]
    if not any(prop.ident in SETUP for prop in root):
        board.put_start()
    play = _Play(game, board)
    states: list[_State] = []
    last = main_end(nodes.parents)
    for node, content in replay(nodes, board):
        above = nodes.parents[node]
        play.state = states[above] if above >= 0 else _State()
        yield from play.of_node(node, content)
        states.append(play.state)
        if node == last:
            yield from _result(game, board, play.state)


class _Play:
    """Plays the nodes of a game.

    Attributes:
        state: As the node finds it, then as it leaves it.
        is_answered: The next node has a move of the other side, so that a roll without
            moves is no roll that is still to be played.
    """

    def __init__(self, game: GameTree, board: _Checkers) -> None:
        self.is_answered = False
        self._nodes = game.nodes
        self._board = board
        root = game.nodes.contents[0]
        rules = next((prop.value for prop in root if prop.ident == "RU"), None)
        self._crawford = isinstance(rules, BackgammonRules) and rules.crawford_game
        self.state = _State()

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
            finding = self._move(node, place, prop, COLORS[prop.ident])
            if finding is not None:
                yield finding

    def _answers(self, node: int, ident: str) -> bool:
        """Return whether the next node has a move of the other side."""
        parents, contents = self._nodes.parents, self._nodes.contents
        if node + 1 >= len(parents) or parents[node + 1] != node:
            return False
        return any(prop.ident in COLORS and prop.ident != ident for prop in contents[node + 1])

    def _set_up(self, prop: Property) -> None:
        """Each naming of a point by AB or AW is a checker; AE empties points."""
        color, board = SETUP[prop.ident], self._board
        self.state = self.state._replace(turn=None, doubled=None)
        if not isinstance(prop.value, PointList) or len(prop.value) > PLACES * PLACES:
            return
        for point in prop.value:
            if point.column >= PLACES:
                continue
            if color is None:
                board.set(Color.BLACK, point.column, 0)
                board.set(Color.WHITE, point.column, 0)
            else:
                board.set(color, point.column, board.at(color, point.column) + 1)

    def _count(self, node: int, content: Content) -> Iterator[Finding]:
        """Each side has fifteen checkers at most."""
        for ident, color in (("AB", Color.BLACK), ("AW", Color.WHITE)):
            place = next((place for place, prop in enumerate(content) if prop.ident == ident), None)
            count = self._board.all_of(color)
            if place is not None and count > CHECKERS:
                message = f"{color.name.capitalize()} has {count} checkers, more than 15"
                help_ = "empty the points with AE before, or name fewer"
                yield Finding("checker-count", message, help=help_, node=node, property_index=place)

    def _set_cube(self, node: int, place: int, prop: Property) -> Iterator[Finding]:
        """Value and owner of the cube, and who is to roll."""
        value: object = prop.values[0] if prop.values else None
        if prop.ident == "CV" and isinstance(value, int):
            if value < 1 or value & (value - 1):
                message = f"invalid value '{value}' for CV: expected a power of two"
                help_ = "a doubling cube has 1, 2, 4, 8, 16 ..."
                yield Finding(
                    "cube-value",
                    message,
                    help=help_,
                    node=node,
                    property_index=place,
                    value_index=0,
                )
            else:
                self.state = self.state._replace(cube=value)
        elif prop.ident in {"CO", "CP"} and prop.raw[0] in {"b", "w", "c", "n"}:
            owners = {CubeOwner.BLACK: Color.BLACK, CubeOwner.WHITE: Color.WHITE}
            owner = owners.get(CubeOwner(prop.raw[0]))
            self.state = self.state._replace(owner=owner, doubled=None)
        elif prop.ident == "PL" and isinstance(value, Color):
            self.state = self.state._replace(turn=None)  # another rule compares

    # ---- moves ----

    def _move(self, node: int, place: int, prop: Property, color: Color) -> Finding | None:
        """Carry out a move; return its finding, or None."""
        value: object = prop.values[0]
        shown = f"{prop.ident}[{shorten(prop.raw[0])}]"
        if isinstance(value, Action):
            name, message, help_ = self._cube(value.word, color, shown)
        elif isinstance(value, BackgammonMove):
            name, message, help_ = self._roll(value, color, shown)
        else:
            self.state = self.state._replace(turn=None, lost=True, doubled=None)
            return None
        if not message:
            return None
        return Finding(name, message, help=help_, node=node, property_index=place, value_index=0)

    def _cube(self, word: str, color: Color, shown: str) -> tuple[str, str, str]:
        """Check double, take or drop; return rule, message and help, or nothing."""
        state, other = self.state, color.opponent
        name, message, help_ = "cube-order", "", "see whether a move before is missing"
        if state.winner is not None:
            message = f"{shown} after a drop, which ended the game"
        elif word == "double":
            beaver = state.doubled is other
            if self._crawford:
                name, message = "crawford-double", f"{shown}: the Crawford game has no doubles"
                help_ = "correct RU, or the move"
            elif state.doubled is color:
                message = f"{shown} before the first double is answered"
            elif state.owner is other and not beaver:
                message = f"{shown}, and {other.name.capitalize()} owns the cube"
            elif state.turn is other and not beaver:
                name = "out-of-turn"
                message = f"{shown}, but it is {other.name.capitalize()}'s turn"
            self.state = state._replace(
                doubled=color,
                turn=color,
                cube=min(state.cube << beaver, LARGEST_CUBE),
                roller=state.roller if beaver else color,
            )
        elif state.doubled is not other:
            message = f"{shown} without a double before it"
        elif word == "take":
            self.state = state._replace(
                doubled=None,
                turn=state.roller,
                owner=color if state.roller is other else other,
                cube=min(state.cube * 2, LARGEST_CUBE),
            )
        else:
            self.state = state._replace(doubled=None, turn=None, winner=other)
        return name, message, help_

    def _roll(self, move: BackgammonMove, color: Color, shown: str) -> tuple[str, str, str]:
        """Check a roll with its moves; return rule, message and help, or nothing."""
        state, other = self.state, color.opponent
        self.state = state._replace(turn=other, doubled=None)
        if state.winner is not None:
            return "cube-order", f"{shown} after a drop, which ended the game", "remove it"
        if state.doubled is not None:
            help_ = "'take' or 'drop' is missing before it"
            return "cube-order", f"{shown} before the double is answered", help_
        problem = ("", "", "")
        if state.turn is other:
            message = f"{shown}, but it is {other.name.capitalize()}'s turn"
            problem = (
                "out-of-turn",
                message,
                "a roll may be missing; one without moves counts, too",
            )
        problem = _dice_fault(move, color, shown) or problem
        if state.lost:
            return problem if problem[0] == "dice-moves" else ("", "", "")
        if not problem[0]:
            problem = self._left_over(move, color, shown)
        for origin, target in move.pairs:
            wrong = self._step(origin.column, target.column, color)
            if wrong:
                self.state = self.state._replace(lost=True)
                if problem[0] in {"", "unplayed-dice"}:
                    help_ = "a move before it may be missing or wrong"
                    return "illegal-move", f"{shown}: {wrong}", help_
                break
        return problem

    def _left_over(self, move: BackgammonMove, color: Color, shown: str) -> tuple[str, str, str]:
        """Dice that are not played, though a checker could move: the same three."""
        all_ = 2 * len(move.dice) if len(set(move.dice)) == 1 else len(move.dice)
        played = dice_played(move, color)
        if played >= all_ or (not move.pairs and not self.is_answered):
            return "", "", ""
        board, other = self._board, color.opponent
        places = [_place(color, far) for far in range(1, BAR + 2)]
        own = (0, *(board.at(color, place) for place in places))
        held = frozenset(
            far for far, place in enumerate(places[:-1], 1) if board.at(other, place) > 1
        )
        most = most_dice(own, held, move.dice, played + 1)
        if most <= played:
            return "", "", ""
        message = (
            f"{shown} plays {played} of {all_} dice, and {color.name.capitalize()} could play more"
        )
        return "unplayed-dice", message, "see whether a checker's move is missing"

    def _step(self, origin: int, target: int, color: Color) -> str:
        """Carry out a checker's move; return its fault, or ""."""
        board, other = self._board, color.opponent
        letter = chr(ord("a") + origin)
        if not board.at(color, origin) or origin == TRAY:
            return f"no {color.name.lower()} checker is on '{letter}'"
        if origin != BAR and board.at(color, BAR):
            return f"a {color.name.lower()} checker is on the bar and has to come in first"
        if target == TRAY:
            if not board.are_home(color):
                return "a checker leaves the board before all are home"
        elif board.at(other, target) > 1:
            return f"'{chr(ord('a') + target)}' is held by {other.name.lower()} checkers"
        elif board.at(other, target):
            board.set(other, target, 0)
            board.set(other, BAR, board.at(other, BAR) + 1)
        board.set(color, origin, board.at(color, origin) - 1)
        board.set(color, target, board.at(color, target) + 1)
        return ""


def _dice_fault(move: BackgammonMove, color: Color, shown: str) -> tuple[str, str, str] | None:
    """Moves that go the wrong way, or otherwise than the dice allow: see :meth:`_Play._roll`."""
    if fits_dice(move, color):
        return None
    if any(_way(origin.column, target.column, color) is None for origin, target in move.pairs):
        way = "from 'x' to 'a'" if color is Color.WHITE else "from 'a' to 'x'"
        message = f"{shown} moves the wrong way: {color.name.capitalize()} goes {way}"
        return "dice-moves", message, "correct it, or the color"
    return "dice-moves", f"{shown} moves what these dice do not allow", "correct it"


def fits_dice(move: BackgammonMove, color: Color) -> bool:
    """The dice allow to move checkers that far; a pair may be the way of one or several dice."""
    ways = []
    for origin, target in move.pairs:
        far = _way(origin.column, target.column, color)
        if far is None:
            return False
        ways.append((far, target.column == TRAY))
    low, high = sorted(move.dice)
    if low == high:
        return sum(-(-far // low) for far, _ in ways) <= 4 and all(  # noqa: PLR2004  # moves
            leaves or far % low == 0 for far, leaves in ways
        )

    def by(die: int, far: int, leaves: bool) -> bool:  # noqa: FBT001  # a pair
        return far == die or (leaves and far < die)

    match ways:
        case []:
            return True
        case [way]:
            return any(by(die, *way) for die in (low, high, low + high))
        case [way, other]:
            return (by(low, *way) and by(high, *other)) or (by(high, *way) and by(low, *other))
    return False


def dice_played(move: BackgammonMove, color: Color) -> int:
    """Return the number of dice that the moves of a roll use, at most."""
    low, high = sorted(move.dice)
    ways = [_way(origin.column, target.column, color) or 0 for origin, target in move.pairs]
    if low == high:
        return sum(-(-far // low) for far in ways)
    if len(ways) != 1:
        return len(ways)
    by_both = ways[0] > (low if move.pairs[0][1].column == TRAY else high)
    return 2 if by_both else 1


#: More positions than these are not looked at; with four moves of a die there are fewer.
MOST_POSITIONS = 5_000

#: The farthest point of a side's own home, counted as the pips to leave it.
HOME = 6


def most_dice(
    own: tuple[int, ...], held: frozenset[int], dice: tuple[int, int], wanted: int
) -> int:
    """Return the number of dice that a side can play, up to a limit.

    Points are counted by the pips that are left to go: 25 is the bar, 0 the tray.

    Args:
        own: The checkers of the side on each of them.
        held: Those on which the other side has two checkers or more.
        dice: The roll.
        wanted: More are not looked for.
    """
    left: tuple[int, ...] = dice * 2 if dice[0] == dice[1] else dice
    most, count = 0, len(left)
    waiting = [(own, tuple(sorted(left)))]
    seen = set(waiting)
    while waiting and most < wanted and len(seen) < MOST_POSITIONS:
        state, left = waiting.pop()
        most = max(most, count - len(left))
        for die in {*left}:
            rest = [*left]
            rest.remove(die)
            for position in _steps(state, held, die):
                new = position, tuple(rest)
                if new not in seen:
                    seen.add(new)
                    waiting.append(new)
    return most


def _steps(own: tuple[int, ...], held: frozenset[int], die: int) -> Iterator[tuple[int, ...]]:
    """The positions after one checker has moved."""
    farthest = max((far for far, count in enumerate(own) if far and count), default=0)
    for far in range(1, farthest + 1) if not own[BAR + 1] else (BAR + 1,):
        to = far - die
        leaves = to <= 0 and farthest <= HOME and (to == 0 or far == farthest)
        if own[far] and (leaves or (to > 0 and to not in held)):
            new = [*own]
            new[far] -= 1
            new[max(to, 0)] += 1
            yield tuple(new)


def _place(color: Color, far: int) -> int:
    """The place from which it is so far to the tray."""
    if far > POINTS:
        return BAR
    return far - 1 if color is Color.WHITE else POINTS - far


def _way(origin: int, target: int, color: Color) -> int | None:
    """Return the pips from a point to another for a color; None for the wrong way."""
    if origin == TRAY or target == BAR:
        return None
    if color is Color.WHITE:
        far = origin - (-1 if target == TRAY else target)  # the bar comes after x
    else:
        far = (POINTS if target == TRAY else target) - (-1 if origin == BAR else origin)
    return far if far > 0 else None


# ---- the match, and the result ----


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
                yield Finding(
                    "match-information",
                    message,
                    help=help_,
                    severity=severity,
                    node=0,
                    property_index=place,
                    value_index=index,
                )
            elif isinstance(number, int):
                numbers[tag] = index, number
        _, length = numbers.get("length", (0, 0))
        for tag, who in SCORES.items():
            index, score = numbers.get(tag, (0, 0))
            if 0 < length <= score:
                message = f"{who} has {score} points of {length}: the match was over before"
                help_ = "correct the score or the length of the match"
                yield Finding(
                    "match-information",
                    message,
                    help=help_,
                    node=0,
                    property_index=place,
                    value_index=index,
                )


def _tag(tag: str, number: object, *, twice: bool) -> str:
    """Return the fault of a part of MI; "" for none."""
    if tag not in TAGS:
        return f"unknown tag '{shorten(tag)}' in MI"
    if twice:
        return f"MI has the tag '{tag}' twice"
    if not isinstance(number, int):
        return f"invalid value for the tag '{tag}' of MI: expected a number"
    return f"the tag '{tag}' of MI is {number}: expected at least 0" if number < 0 else ""


def _result(game: GameTree, board: _Checkers, state: _State) -> Iterator[Finding]:
    """The winner of RE is who won by a drop, or took the last checker off."""
    root = game.nodes.contents[0]
    place = next((place for place, prop in enumerate(root) if prop.ident == "RE"), None)
    result = root[place].value if place is not None else None
    if place is None or not isinstance(result, Result) or result.winner is None:
        return
    winner = state.winner
    if winner is None and not state.lost:
        done = [color for color in Color if not board.all_of(color) and board.at(color, TRAY)]
        winner = done[0] if done else None
    if winner is not None and result.winner is not winner:
        message = f"RE[{shorten(root[place].raw[0])}], but {winner.name.capitalize()} has won"
        help_ = "correct the result, or see whether moves are missing"
        yield Finding(
            "score-mismatch", message, help=help_, node=0, property_index=place, value_index=0
        )
