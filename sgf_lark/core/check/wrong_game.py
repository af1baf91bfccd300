"""Moves and stones that are not those of the game which the record names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import Finding, Severity, register
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.ruleset import RuleSet, find_board_size
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GAMES, Game, GameNumber
from sgf_lark.core.schema.properties import Group
from sgf_lark.core.schema.values import Action, BoardSize, Invalid, Pass
from sgf_lark.core.values.kinds import DOUBTFUL, NotOfType
from sgf_lark.core.values.reader import reader

OTHER_GAME = register("T223 other-game error: moves that are not of the game in GM")


def find_other_game(
    game: GameTree,
    findings: Iterable[Finding],
    counted: Counter[bool | None],
    is_valid: Callable[[str, tuple[str, ...]], bool],
) -> Finding | None:
    """Return a finding if moves and stones are not those of the game that the record names."""
    nodes = game.nodes
    rules = nodes.rules
    misfits = [one for one in findings if one.name == "wrong-value" and is_misfit(one, rules)]
    if len({finding.property for finding in misfits} & PLAYED) == 0 or len(misfits) < FEW:
        return None
    good, bad = counted[True], counted[False]
    for content in nodes.contents:
        if good * MANY > bad:
            return None
        for prop in content:
            if prop.ident in PLAYED and is_valid(prop.name, prop.raw):
                good += sum(1 for value in prop.values if is_of_game(value))
    if good * MANY > bad:
        return None
    declares = f"a record without GM is of {rules.game.name}"
    span = nodes.places.node(0, 0)
    for place, prop in enumerate(nodes.contents[0]):
        if prop.ident == "GM":
            declares = f"GM[{shorten(prop.raw[0])}] declares {rules.game.name}"
            span = nodes.places.property(0, place)
            break
    notation, help_ = _notation(collect_moves(nodes), rules)
    message = f"{declares}, but moves and stones are {notation}"
    return OTHER_GAME.found(message, span, help_, node=0, property="GM")


#: This many wrong moves and stones are no slips.
FEW = 3

#: Of this many wrong ones one may be valid by chance, as PA, a pass of Othello, is in Go.
MANY = 5

#: Values of moves that games may share, or that are none.
UNLIKE_MOVES = (Invalid, Action, Pass)


def find_gomoku(game: GameTree) -> Finding | None:
    """Find Othello or Hex that looks like Gomoku: 15 by 15, all in two letters, no Little Golem."""
    nodes, number = game.nodes, game.nodes.rules.game.number
    root = nodes.contents[0]
    if number not in LIKE_GOMOKU or find_board_size(root, nodes.rules.game) != SIZE_OF_GOMOKU:
        return None
    from .producers import known_producers

    raws = collect_moves(nodes)
    gomoku = GAMES[GameNumber.GOMOKU]
    if (
        len(raws) < FEW
        or not _fit(raws, nodes.rules.format, gomoku)
        or known_producers().by_name["little-golem"].wrote(root)
    ):
        return None
    place = next((at for at, prop in enumerate(root) if prop.ident == "GM"), None)
    if place is None:
        return None
    message = (
        f"GM[{shorten(root[place].raw[0])}] declares {nodes.rules.game.name}, but the board and all"
        f" points look like those of {gomoku.name}"
    )
    help_ = f"write GM[{GameNumber.GOMOKU}] for {gomoku.name}, if it is that"
    span = nodes.places.property(0, place)
    severity = Severity.WARNING
    return OTHER_GAME.found(message, span, help_, severity, node=0, property="GM")


#: Games of which programs write points as Go does, so that others are taken for them.
LIKE_GOMOKU = frozenset({GameNumber.OTHELLO, GameNumber.HEX})

#: The board of Gomoku and Renju.
SIZE_OF_GOMOKU = BoardSize(15, 15)


def is_of_game(value: object) -> bool | None:
    """Return whether a value is a move or stone of its game; None if many games have it."""
    if isinstance(value, UNLIKE_MOVES):
        return False if isinstance(value, Invalid) else None
    return True


#: What puts stones on the board.
PLAYED = Group.PLAYS.idents | Group.ADDS.idents

#: A point by the coordinates around a board of Go.
COORDINATES = "(?i)([A-HJ-T])(0?[1-9]|1[0-9])"


def is_misfit(finding: Finding, rules: RuleSet) -> bool:
    """Return whether a wrong value should say where something stands, in the way of its game."""
    if finding.name == "go-style-point":
        return rules.game.number in LIKE_GOMOKU
    if finding.name != "wrong-value":
        return False
    rule = None if finding.property is None else rules.rule(finding.property)
    return rule is not None and rule.types[0][0] in DOUBTFUL


def _notation(raws: set[str], rules: RuleSet) -> tuple[str, str]:
    if in_coordinates(raws, rules):
        help_ = (
            "write column and row, counted from the upper left corner: Q16 on 19 by 19 is pd;"
            " or correct GM"
        )
        return "coordinates such as Q16", help_
    for number, game in GAMES.items():
        if "move" in game.expected and game is not rules.game and _fit(raws, rules.format, game):
            return f"in the notation of {game.name}", f"write GM[{number}] for {game.name}"
    return "in another notation", "correct GM"


def collect_moves(nodes: Nodes) -> set[str]:
    """Return the texts of all moves and stones, passes without text left out."""
    return {
        raw
        for content in nodes.contents
        for prop in content
        if prop.ident in PLAYED
        for raw in prop.raw
        if raw
    }


def in_coordinates(raws: Iterable[str], rules: RuleSet) -> bool:
    return rules.game.number == GameNumber.GO and all(
        re.fullmatch(COORDINATES, raw.strip()) or raw.strip().lower() == "pass" for raw in raws
    )


def _fit(raws: Iterable[str], format: Format, game: Game) -> bool:
    read = reader(format, game).read
    try:
        for raw in raws:
            read("move", raw)
    except (NotOfType, LookupError):
        return False
    return True
