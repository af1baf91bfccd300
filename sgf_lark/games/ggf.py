"""Rules of GGF: what its properties say of each other.

Source: the GGF page of the game server and its pages about clocks, matches and komi games;
the records of its archives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from sgf_lark.core import (
    COLORS,
    Clock,
    Color,
    Content,
    Finding,
    GameNumber,
    GameTree,
    InitialBoard,
    OthelloType,
    Played,
    Point,
    Severity,
    doubtful_number,
    register,
    shorten,
)
from sgf_lark.positions.start import start

from .moves import about_move

#: A komi is printed with three decimals, and evaluations with two.
ROUNDING = Decimal("0.01")

#: The squares of the octagon, which GGF calls size 88.
OCTAGON, OCTAGON_RANDOM = 88, 44

#: Proposals of komi in a synchronized game.
KOMI_MOVES = ("KB", "KW")


def ggf_rules(game: GameTree) -> Iterator[Finding]:
    """Check the properties of a GGF game against each other."""
    root = game.nodes.contents[0]
    places: dict[str, int] = {}
    for place, prop in enumerate(root):
        if prop.raw:
            places.setdefault(prop.ident, place)
    for rule in _CHECKS:
        yield from rule(game, root, places)


MISSING_BOARD = register("G640 missing-board warning: a GGF game without its first board")


def _missing_board(_game: GameTree, _root: Content, places: dict[str, int]) -> Iterator[Finding]:
    """A game has BO: without it no program reads the game."""
    if "BO" not in places:
        message = "missing BO: the start of the game is not known"
        yield MISSING_BOARD.found(message, help="write BO with the first board", node=0)


BOARD_MISMATCH = register("G641 board-mismatch warning: a GGF board that TY contradicts")


def _board_and_type(_: GameTree, root: Content, places: dict[str, int]) -> Iterator[Finding]:
    """TY and BO are of one size, and a random start has the number of discs in TY."""
    if "BO" not in places or "TY" not in places:
        return
    board, kind = root[places["BO"]].value, root[places["TY"]].value
    if not isinstance(board, InitialBoard) or not isinstance(kind, OthelloType):
        return
    message, shown = "", shorten(str(root[places["TY"]]))
    if kind.random is not None and kind.random not in _discs(kind):
        return  # another rule reports it
    if board.size != kind.size:
        message = f"{shown} has board size {kind.size}, but BO has {board.size}"
    elif kind.random:
        discs = sum(len(row) - row.count("-") for row in board.rows)
        if discs != kind.random:
            message = f"{shown} has {kind.random} discs at random, but BO has {discs}"
    if message:
        yield BOARD_MISMATCH.in_root(message, "correct TY or BO", places["TY"])


def _discs(kind: OthelloType) -> range:
    most = OCTAGON_RANDOM if kind.size == OCTAGON else kind.size**2 - 16
    return range(4, max(most, 4) + 1)


TYPE_CONFLICT = register("G642 type-conflict warning: a TY whose parts exclude each other")


def _type_parts(_: GameTree, root: Content, places: dict[str, int]) -> Iterator[Finding]:
    """The parts of TY do not contradict each other."""
    kind = root[places["TY"]].value if "TY" in places else None
    if not isinstance(kind, OthelloType):
        return
    severity = None
    discs = _discs(kind)
    help_ = f"write a number from 4 to {discs[-1]} after r"
    if kind.synchro and kind.komi:
        message = "a game is a synchro game (s) or a komi game (k), not both"
        help_ = "remove s or k"
    elif kind.random == 0:
        message = "r is a random start, but the number of its discs is missing"
        severity = Severity.INFO  # the page of the server has 8kr; NTest wants a number
    elif kind.random is not None and kind.random not in discs:
        message = f"a random start has from 4 to {discs[-1]} discs on this board, not {kind.random}"
    elif kind.random is not None and not kind.synchro and not kind.komi:
        message = "a random start (r) needs a synchro game (s) or a komi game (k)"
        help_ = "add s or k, or remove r and its number"
        severity = Severity.INFO
    elif kind.preference and (kind.synchro or kind.komi or kind.random is not None):
        message = "a wanted color (b, w) has no effect in a synchro, komi or random game (s, k, r)"
        help_ = "remove b or w"
        severity = Severity.INFO
    else:
        return
    message = f"{shorten(str(root[places['TY']]))}: {message}"
    yield TYPE_CONFLICT.in_root(message, help_, places["TY"], severity=severity)


CLOCK_CONFLICT = register("G643 clock-conflict warning: GGF clocks that contradict each other")


def _clocks(_: GameTree, root: Content, places: dict[str, int]) -> Iterator[Finding]:
    """TI is for both players, or TB and TW are for one each."""
    own = [ident for ident in ("TB", "TW") if ident in places]
    if own and "TI" in places:
        message = f"TI is for both players, and {own[0]} for one"
        help_ = "keep TI, or TB and TW"
        yield CLOCK_CONFLICT.in_root(message, help_, places[own[0]], None)
    elif len(own) == 1:
        message = f"{own[0]} without {'TW' if own[0] == 'TB' else 'TB'}"
        help_ = "write both, or TI for both players"
        yield CLOCK_CONFLICT.in_root(message, help_, places[own[0]], None)
    for ident in ("TI", *own):
        clock = root[places[ident]].value if ident in places else None
        if isinstance(clock, Clock) and clock.increment.moves == 0:
            message = "the increment of this clock is for 0 moves"
            help_ = "write the number of moves after ',', 1 or more, or nothing"
            yield CLOCK_CONFLICT.in_root(message, help_, places[ident])
        elif clock is not None and (over := _OVER_59.search(raw := root[places[ident]].raw[0])):
            message = (
                f"invalid value {shorten(raw)!r} for {ident}: {over[1]} after ':' is too large"
            )
            help_ = "minutes and seconds go to 59: write 15:60 as 16:00"
            place = places[ident]
            yield doubtful_number(message, help_)._replace(node=0, property_index=place)


#: Minutes or seconds that would be an hour or a minute.
_OVER_59 = re.compile(r":0*([6-9][0-9]|[1-9][0-9]{2,})(?![0-9])")


KOMI_PARTS = register("G646 komi-parts warning: a GGF komi game that lacks a part")
KOMI_EVALUATION = register("G644 komi-evaluation info: a GGF komi move without its evaluation")
KOMI_MISMATCH = register("G645 komi-mismatch warning: a GGF komi that is not the average")


def _komi(_: GameTree, root: Content, places: dict[str, int]) -> Iterator[Finding]:
    """A komi game has two proposals, each with its evaluation; their average is komi."""
    proposals = [ident for ident in KOMI_MOVES if ident in places]
    if len(proposals) == 1:
        other = "KW" if proposals == ["KB"] else "KB"
        message = f"{proposals[0]} without {other}: both players propose a move"
        help_ = f"write {other}, or leave {proposals[0]} out"
        yield KOMI_PARTS.in_root(message, help_, places[proposals[0]], None)
    kind = root[places["TY"]].value if "TY" in places else None
    parts = [ident for ident in (*proposals, "KM") if ident in places and root[places[ident]].value]
    valid = isinstance(kind, OthelloType) and not (kind.komi and kind.synchro) and kind.random != 0
    if isinstance(kind, OthelloType) and valid and kind.komi != bool(parts):
        shown = shorten(str(root[places["TY"]]))
        ident, message = "TY", f"{shown} is a komi game (k), but KB, KW and KM are missing"
        severity: Severity | None = Severity.INFO
        if parts:
            ident, severity = parts[0], None
            message = f"{ident} is for komi games, but {shown} has no k"
        help_ = "correct TY, or write KB, KW and KM" if ident == "TY" else "correct TY"
        yield KOMI_PARTS.in_root(message, help_, places[ident], None, severity)
    if not proposals:
        return
    evaluations: list[Decimal] = []
    for ident in proposals:
        played = root[places[ident]].value
        if not isinstance(played, Played):
            return
        if played.evaluation is None:
            message = f"{shorten(str(root[places[ident]]))} has no evaluation: it counts as 0"
            help_ = "write it after the move, as in d3/1.00"
            yield KOMI_EVALUATION.in_root(message, help_, places[ident])
        evaluations.append(played.evaluation or Decimal(0))
    komi = root[places["KM"]].value if "KM" in places else None
    if len(evaluations) == 2 and isinstance(komi, Decimal):  # noqa: PLR2004  # both
        average = sum(evaluations, Decimal(0)) / 2
        if abs(abs(average) - abs(komi)) > ROUNDING:
            message = f"KM[{komi}], but the average of KB and KW is {average}"
            help_ = "komi is half the sum of the evaluations of KB and KW"
            yield KOMI_MISMATCH.in_root(message, help_, places["KM"])


def _proposals(game: GameTree, root: Content, places: dict[str, int]) -> Iterator[Finding]:
    """KB and KW are moves of the side to move in BO (Othello)."""
    if game.game != GameNumber.OTHELLO or places.keys().isdisjoint(KOMI_MOVES):
        return
    setup = root[places["BO"]].value if "BO" in places else None
    if not isinstance(setup, InitialBoard):
        return
    board = start(game.nodes.contents, game.nodes.rules)
    for ident in KOMI_MOVES:
        played = root[places[ident]].value if ident in places else None
        move = played.move if isinstance(played, Played) else None
        if isinstance(move, Point) and not (board.has(move) and board.judge(move, setup.to_move)):
            who = setup.to_move.name.capitalize()
            message = f"{shorten(str(root[places[ident]]))} is not a legal move of {who}"
            help_ = "both proposals are for the side to move in BO"
            yield about_move("illegal-move", message, help_, (0, places[ident]))


def _turns(game: GameTree, root: Content, places: dict[str, int]) -> Iterator[Finding]:
    """Colors alternate, from the one of BO; in Othello its own rules look at that."""
    setup = root[places["BO"]].value if "BO" in places else None
    if game.game == GameNumber.OTHELLO:
        return
    turn: Color | None = setup.to_move if isinstance(setup, InitialBoard) else None
    for node, content in enumerate(game.nodes.contents):
        for place, prop in enumerate(content):
            if prop.ident in COLORS:
                color = COLORS[prop.ident]
                if turn is color.opponent:
                    other = turn.name.capitalize()
                    message = f"{color.name.capitalize()} moves, but it is {other}'s turn"
                    help_ = "a move may be missing, or the colors are exchanged"
                    yield about_move("out-of-turn", message, help_, (node, place), None)
                turn = color.opponent


#: All of them.
_CHECKS: tuple[Callable[[GameTree, Content, dict[str, int]], Iterator[Finding]], ...] = (
    _missing_board,
    _board_and_type,
    _type_parts,
    _clocks,
    _komi,
    _proposals,
    _turns,
)
