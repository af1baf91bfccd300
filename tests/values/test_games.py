"""The games: what their grammars take and refuse, and what the values mean."""

from __future__ import annotations

import os
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput, VisitError
from lark.load_grammar import Grammar

from sgf_lark.grammar import loader as grammars
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GAMES, Game, ggf_game
from sgf_lark.schema.values import (
    PASS,
    Action,
    AmazonsMove,
    BackgammonMove,
    BackgammonRules,
    BoardSize,
    Color,
    Composed,
    CubeOwner,
    Dice,
    Ending,
    LinkCenter,
    OctiMove,
    OctiStep,
    OthelloType,
    Played,
    Pod,
    Point,
    ProngMove,
    Result,
    Step,
)
from sgf_lark.values.game_transformers import TRANSFORMERS, PointValues
from sgf_lark.values.reader import reader
from sgf_lark.values.transformers import ValueTransformer
from sgf_lark.values.types import NotOfType

if TYPE_CHECKING:
    from collections.abc import Iterator

GO, OTHELLO, CHESS, GOMOKU, BACKGAMMON = (GAMES[number] for number in (1, 2, 3, 4, 6))
LOA, HEX, AMAZONS, OCTI, GESS, TWIXT = (GAMES[number] for number in (9, 11, 18, 19, 20, 21))
DESCRIBED = [game for game in GAMES.values() if game.grammar is not None]


def name_of(game: Game) -> str:
    return game.name


def read(game: Game, symbol: str, text: str) -> Any:  # what a transformer returns
    """Read a text by one start symbol of a game's own grammar.

    Raises:
        NotOfType: The grammar or the transformer refuses the text.
    """
    assert game.notation
    lark = grammars.value(grammars.path(f"games/{game.notation}"), symbol)
    assert lark is not None, f"{game.notation}.lark does not define {symbol}"
    try:
        return TRANSFORMERS[game.notation].transform(lark.parse(text))
    except UnexpectedInput:
        raise NotOfType from None
    except VisitError as error:
        if isinstance(error.orig_exc, ValueError):
            raise NotOfType from None
        raise


# ---- what is taken, and as what ----


def bg(text: str) -> Point:
    return Point(ord(text) - ord("a"), 0)


def pairs(text: str) -> tuple[tuple[Point, Point], ...]:
    return tuple((bg(pair[0]), bg(pair[1])) for pair in text.split())


TAKEN: list[tuple[Game, str, str, Any]] = [
    (GO, "point", "pd", Point(15, 3)),
    (GO, "point", "aA", Point(0, 26)),
    (GO, "stone", "ZZ", Point(51, 51)),
    (GO, "move", "tt", PASS),
    (GO, "move", "", PASS),
    (GO, "move_over_19", "tt", Point(19, 19)),
    (GO, "move_over_19", "", PASS),
    (GO, "point_before_ff4", "ss", Point(18, 18)),
    (GO, "move_before_ff4", "tt", PASS),
    (OTHELLO, "point", "d3", Point(3, 2)),
    (OTHELLO, "stone", "H8", Point(7, 7)),
    (OTHELLO, "move", "f5", Point(5, 4)),
    (OTHELLO, "move", "N14", Point(13, 13)),
    (OTHELLO, "move", "PA", PASS),
    (OTHELLO, "move", "Pass", PASS),
    (OTHELLO, "move", "", PASS),
    (OTHELLO, "point_go_style", "dc", Point(3, 2)),
    (OTHELLO, "stone_go_style", "hh", Point(7, 7)),
    (OTHELLO, "move_go_style", "aa", Point(0, 0)),
    (OTHELLO, "move_ggf", "D3", Point(3, 2)),
    (OTHELLO, "move_ggf", "n14", Point(13, 13)),
    (OTHELLO, "move_ggf", "j10", Point(9, 9)),
    (OTHELLO, "move_ggf", "a1", Point(0, 0)),
    *((OTHELLO, "move_ggf", text, PASS) for text in ("PA", "PASS", "pass", "pa", "--")),
    (OTHELLO, "game_type_ggf", "8", OthelloType(size=8)),
    (OTHELLO, "game_type_ggf", "8k", OthelloType(size=8, komi=True)),
    (OTHELLO, "game_type_ggf", "8a", OthelloType(size=8, anti=True)),
    (OTHELLO, "game_type_ggf", "8r", OthelloType(size=8, random=0)),
    (OTHELLO, "game_type_ggf", "8kr", OthelloType(size=8, komi=True, random=0)),
    (OTHELLO, "game_type_ggf", "8kr20", OthelloType(size=8, komi=True, random=20)),
    (OTHELLO, "game_type_ggf", "s8", OthelloType(size=8, synchro=True)),
    (OTHELLO, "game_type_ggf", "s8r18", OthelloType(size=8, synchro=True, random=18)),
    (OTHELLO, "game_type_ggf", "S10R5", OthelloType(size=10, synchro=True, random=5)),
    (OTHELLO, "game_type_ggf", "88b", OthelloType(size=88, preference=Color.BLACK)),
    (OTHELLO, "game_type_ggf", "w14", OthelloType(size=14, preference=Color.WHITE)),
    (CHESS, "result_ggf", "+1", Result(winner=Color.WHITE, margin=Decimal(1))),
    (
        CHESS,
        "result_ggf",
        "-1.00:r",
        Result(winner=Color.BLACK, margin=Decimal("1.00"), ending=Ending.RESIGNATION),
    ),
    (CHESS, "result_ggf", "0", Result(winner=None, margin=Decimal(0), ending=Ending.DRAW)),
    (CHESS, "result_ggf", "?", Result(winner=None, ending=Ending.UNKNOWN)),
    (GOMOKU, "move", "hh", Point(7, 7)),
    (GOMOKU, "move", "tt", Point(19, 19)),
    (GOMOKU, "point", "ig", Point(8, 6)),
    (GOMOKU, "stone", "Aa", Point(26, 0)),
    # The page's own examples.
    (BACKGAMMON, "move", "31hefe", BackgammonMove(dice=(3, 1), pairs=pairs("he fe"))),
    (BACKGAMMON, "move", "61yg", BackgammonMove(dice=(6, 1), pairs=pairs("yg"))),
    (BACKGAMMON, "move", "66", BackgammonMove(dice=(6, 6), pairs=())),
    (BACKGAMMON, "move", "66fzezdzcz", BackgammonMove(dice=(6, 6), pairs=pairs("fz ez dz cz"))),
    (BACKGAMMON, "move", "66fzfzfzfz", BackgammonMove(dice=(6, 6), pairs=pairs("fz fz fz fz"))),
    (BACKGAMMON, "move", "double", Action(word="double")),
    (BACKGAMMON, "move", "take", Action(word="take")),
    (BACKGAMMON, "move", "drop", Action(word="drop")),
    (BACKGAMMON, "point", "a", Point(0, 0)),
    (BACKGAMMON, "point", "z", Point(25, 0)),
    (BACKGAMMON, "stone", "y", Point(24, 0)),
    (BACKGAMMON, "dice", "31", Dice(dice=(3, 1))),
    (BACKGAMMON, "cube_owner", "b", CubeOwner.BLACK),
    (BACKGAMMON, "cube_owner", "w", CubeOwner.WHITE),
    (BACKGAMMON, "cube_owner", "c", CubeOwner.CENTERED),
    (BACKGAMMON, "cube_owner", "n", CubeOwner.NONE),
    (BACKGAMMON, "match_information", "length:7", Composed(first="length", second=7)),
    (BACKGAMMON, "match_information", "game:3", Composed(first="game", second=3)),
    (BACKGAMMON, "match_information", "ws:2", Composed(first="ws", second=2)),
    (BACKGAMMON, "match_information", "bs:1", Composed(first="bs", second=1)),
    *(
        (BACKGAMMON, "match_information", f"{tag}:0", Composed(first=tag.lower(), second=0))
        for tag in ("Length", "GAME", "Ws", "bS")
    ),
    (BACKGAMMON, "match_information", "lengthy:x", Composed(first="lengthy", second="x")),
    (BACKGAMMON, "match_information", r"a\:b:c\]d", Composed(first="a:b", second="c]d")),
    (BACKGAMMON, "match_information", "venue:", Composed(first="venue", second="")),
    (
        BACKGAMMON,
        "result",
        "B+6R",
        Result(winner=Color.BLACK, margin=Decimal(6), ending=Ending.RESIGNATION),
    ),
    (
        BACKGAMMON,
        "result",
        "W+2Resign",
        Result(winner=Color.WHITE, margin=Decimal(2), ending=Ending.RESIGNATION),
    ),
    (BACKGAMMON, "result", "W+4", Result(winner=Color.WHITE, margin=Decimal(4))),
    (BACKGAMMON, "result", "W+3.5", Result(winner=Color.WHITE, margin=Decimal("3.5"))),
    (BACKGAMMON, "result", "B+", Result(winner=Color.BLACK)),
    (BACKGAMMON, "result", "B+R", Result(winner=Color.BLACK, ending=Ending.RESIGNATION)),
    (BACKGAMMON, "result", "W+Time", Result(winner=Color.WHITE, ending=Ending.TIME)),
    (BACKGAMMON, "result", "W+F", Result(winner=Color.WHITE, ending=Ending.FORFEIT)),
    (BACKGAMMON, "result", "0", Result(winner=None, ending=Ending.DRAW)),
    (BACKGAMMON, "result", "Void", Result(winner=None, ending=Ending.VOID)),
    (BACKGAMMON, "result", "?", Result(winner=None, ending=Ending.UNKNOWN)),
    (BACKGAMMON, "rules", "Crawford", BackgammonRules(rule="Crawford")),
    (
        BACKGAMMON,
        "rules",
        "Crawford:CrawfordGame",
        BackgammonRules(rule="Crawford", crawford_game=True),
    ),
    (BACKGAMMON, "rules", "Jacoby", BackgammonRules(rule="Jacoby")),
    (LOA, "point", "a5", Point(0, 4)),
    (LOA, "point", "C8", Point(2, 7)),
    (LOA, "stone", "d12", Point(3, 11)),
    (LOA, "move", "e1-e3", Step(origin=Point(4, 0), target=Point(4, 2), capture=False)),
    (LOA, "move", "C2:C5++", Step(origin=Point(2, 1), target=Point(2, 4), capture=True)),
    (LOA, "move", "c5c6!", Step(origin=Point(2, 4), target=Point(2, 5))),
    (LOA, "move", "D1-B3    ", Step(origin=Point(3, 0), target=Point(1, 2), capture=False)),
    (LOA, "move", "a1-a2! good", Step(origin=Point(0, 0), target=Point(0, 1), capture=False)),
    (LOA, "move", "Pass", PASS),
    *((LOA, "move", word, Action(word=word.lower())) for word in ("Resign", "forfeit", "ESCAPE")),
    *((LOA, "adds_stones", word, word.lower()) for word in ("Black", "White", "None")),
    (LOA, "initial_position", "End", "end"),
    (LOA, "invert_y_axis", "true", True),
    (LOA, "invert_y_axis", "False", False),
    (LOA, "setup_type", "Standard", "standard"),
    (LOA, "setup_type", "Scrambled-eggs", "scrambled-eggs"),
    *((LOA, "setup_type", word, word) for word in ("parachute", "gemma", "custom")),
    (HEX, "point", "a1", Point(0, 0)),
    (HEX, "point", "aA27", Point(26, 26)),
    (HEX, "point", "AB6", Point(27, 5)),
    (HEX, "point", "zz1", Point(701, 0)),
    (HEX, "point", "aaa1", Point(702, 0)),
    (HEX, "stone", "D11", Point(3, 10)),
    (HEX, "move", "F9", Point(5, 8)),
    (HEX, "move", "pass5", Point(282404, 4)),
    *(
        (HEX, "move", word, Action(word=word.lower()))
        for word in ("swap-sides", "Swap-Pieces", "resign", "FORFEIT")
    ),
    (HEX, "move", "pass", PASS),
    (HEX, "viewer_setting", "tried:on", Composed(first="tried", second="on")),
    (HEX, "viewer_setting", "Lock:OFF", Composed(first="lock", second="off")),
    (HEX, "viewer_setting", "marked:off", Composed(first="marked", second="off")),
    (HEX, "viewer_setting", "lastmove:on", Composed(first="lastmove", second="on")),
    (HEX, "viewer_setting", "headings:on", Composed(first="headings", second="on")),
    (AMAZONS, "point", "dj", Point(3, 9)),
    (AMAZONS, "stone", "aA", Point(0, 26)),
    (
        AMAZONS,
        "move",
        "djddgd",
        AmazonsMove(origin=Point(3, 9), target=Point(3, 3), arrow=Point(6, 3)),
    ),
    (
        AMAZONS,
        "move_ggf",
        "D1-D7-G7",
        AmazonsMove(origin=Point(3, 0), target=Point(3, 6), arrow=Point(6, 6)),
    ),
    (
        AMAZONS,
        "move_ggf",
        "h9-i9-H10",
        AmazonsMove(origin=Point(7, 8), target=Point(8, 8), arrow=Point(7, 9)),
    ),
    (OCTI, "point", "11", Point(0, 0)),
    (OCTI, "point", "99", Point(8, 8)),
    (OCTI, "stone", "46CD", Pod(point=Point(3, 5), prongs="CD")),
    (OCTI, "stone", "46", Pod(point=Point(3, 5))),
    (OCTI, "move", "73", Point(6, 2)),
    (OCTI, "move", "33+B", ProngMove(pod=Pod(point=Point(2, 2)), prong="B")),
    (OCTI, "move", "33+B!", ProngMove(pod=Pod(point=Point(2, 2)), prong="B", superprong=True)),
    (OCTI, "move", "33+A-B", ProngMove(pod=Pod(point=Point(2, 2)), prong="A", to="B")),
    (OCTI, "move", "33CD+E", ProngMove(pod=Pod(point=Point(2, 2), prongs="CD"), prong="E")),
    *(
        (
            OCTI,
            "move",
            text,
            OctiMove(
                moves=(
                    (
                        Pod(point=Point(7, 3)),
                        (
                            OctiStep(target=Point(7, 5), captured=first),
                            OctiStep(target=Point(5, 7), captured=second),
                        ),
                    ),
                )
            ),
        )
        for text, first, second in (
            ("84-86-68", (), ()),
            ("84-86-68x", (), ("",)),
            ("84-86x-68", ("",), ()),
            ("84-86-68xDxAB", (), ("D", "AB")),
        )
    ),
    (
        OCTI,
        "move",
        "46CD-56,46D-55",
        OctiMove(
            moves=(
                (Pod(point=Point(3, 5), prongs="CD"), (OctiStep(target=Point(4, 5)),)),
                (Pod(point=Point(3, 5), prongs="D"), (OctiStep(target=Point(4, 4)),)),
            )
        ),
    ),
    (GESS, "point", "cc", Point(2, 2)),
    (GESS, "stone", "tt", Point(19, 19)),
    (GESS, "move", "cc:cf", Step(origin=Point(2, 2), target=Point(2, 5))),
    (GESS, "move", "tt:ts", Step(origin=Point(19, 19), target=Point(19, 18))),
    (TWIXT, "point", "a3", Point(0, 2)),
    (TWIXT, "point", "G5", Point(6, 4)),
    (TWIXT, "stone", "D11", Point(3, 10)),
    (TWIXT, "move", "j10", Point(9, 9)),
    (TWIXT, "move", "AA702", Point(26, 701)),
    (TWIXT, "move", "C2*", LinkCenter(point=Point(2, 1))),
    (TWIXT, "link_center", "c2*", LinkCenter(point=Point(2, 1))),
]


def label(case: object) -> str | None:
    if isinstance(case, Game):
        return case.notation or case.name
    return case if isinstance(case, str) else ""


@pytest.mark.parametrize(("game", "symbol", "text", "value"), TAKEN, ids=label)
def test_a_text_has_this_value(game: Game, symbol: str, text: str, value: object) -> None:
    found = read(game, symbol, text)

    assert found == value
    assert type(found) is type(value)


# ---- what is refused ----

REFUSED: list[tuple[Game, str, str]] = [
    (game, symbol, text)
    for game, symbol, texts in (
        (GO, "point", ["", "a", "aaa", "a1", "a a"]),
        (GO, "move_before_ff4", ["", "ta", "AA"]),
        (GO, "point_before_ff4", ["tt", "aA"]),
        (OTHELLO, "point", ["", "o1", "a15", "a0", "aa", "3d", "d33", "PA", " d3"]),
        (OTHELLO, "move", ["dc", "passe", "p", "--", "d3/1"]),
        (OTHELLO, "move_go_style", ["d3", "oo", "", "pass", "d"]),
        (OTHELLO, "move_ggf", ["", "o1", "a15", "a0", "d3/1.2", "-", "d"]),
        (OTHELLO, "game_type_ggf", ["", "k", "9", "0", "8kk", "88r4r5", "8bw", "8 k", "8x", "r8"]),
        (CHESS, "result_ggf", ["", "W+1", "1:x", "1:R", "+"]),
        (GOMOKU, "move", ["", "h8", "h", "hhh"]),
        (BACKGAMMON, "point", ["", "A", "aa", "1", "{"]),
        (
            BACKGAMMON,
            "move",
            ["", "3", "31h", "31hefeh", "66fzezdzczbz", "07", "31HE", "Double", "pass", "31 he"],
        ),
        (BACKGAMMON, "dice", ["3", "311", "07", "double"]),
        (BACKGAMMON, "cube_owner", ["", "B", "x", "bw"]),
        (BACKGAMMON, "match_information", ["", "length", "length:", "game:x", "bs:1:2", "a:b:c"]),
        (BACKGAMMON, "result", ["", "B", "B+6.5R", "B+6T", "b+6", "B+R6", "Draw!", "B+ 6"]),
        (
            BACKGAMMON,
            "rules",
            ["", "crawford", "CrawfordGame", "Jacoby:CrawfordGame", "Crawford:Jacoby"],
        ),
        (LOA, "point", ["", "a", "5", "a0", "aa1", "a1b2"]),
        (LOA, "move", ["", "a1", "a1-", "a1--a2", "a1-a2-a3", "a1a2a3", "a1-a2x", "passes"]),
        (LOA, "adds_stones", ["", "both"]),
        (LOA, "invert_y_axis", ["", "yes", "1"]),
        (LOA, "setup_type", ["", "LOA", "scrambled eggs"]),
        (HEX, "point", ["", "a", "1", "a0", "a1b", "resign", "pass"]),
        (HEX, "move", ["", "swap", "swap pieces", "resigns", "aa"]),
        (HEX, "viewer_setting", ["", "tried", "tried:", "tried:yes", "tried:on:off", "tries:on"]),
        (AMAZONS, "point", ["", "d", "d1"]),
        (AMAZONS, "move", ["", "djdd", "djddgdd", "djddg1", "dj-dd-gd", "pass"]),
        (AMAZONS, "move_ggf", ["", "D1-D7", "D1D7G7", "D1-D7-G100", "djddgd", "D0-D1-D2"]),
        (OCTI, "point", ["", "1", "10", "01", "111", "aa"]),
        (OCTI, "stone", ["46I", "46cd", "CD", ""]),
        (
            OCTI,
            "move",
            ["", "46CD", "33+", "33+AB", "33+A!-B", "33+A-", "33-", "33x", "84-86X", "73,74"],
        ),
        (GESS, "point", ["", "A1", "AA", "a", "aaa"]),
        (GESS, "move", ["", "cc", "cc:", "cccf", "cc-cf", "cc:cf:cg"]),
        (TWIXT, "point", ["", "aaa1", "a0", "a", "1", "a1*", "dd"]),
        (TWIXT, "move", ["", "resign", "swap", "qi|draw", "a1**"]),
        (TWIXT, "link_center", ["c2", "c*", "*"]),
    )
    for text in texts
]


@pytest.mark.parametrize(("game", "symbol", "text"), REFUSED, ids=label)
def test_a_text_is_refused(game: Game, symbol: str, text: str) -> None:
    with pytest.raises(NotOfType):
        read(game, symbol, text)


@pytest.mark.parametrize("game", DESCRIBED, ids=name_of)
def test_no_value_holds_a_bare_bracket_or_a_lone_backslash(game: Game) -> None:
    for symbol in symbols(game):
        for text in ("]", "a]", "a1-a2 ]", "a1-a2\\", "a:]", "a:\\", "\\"):
            with pytest.raises(NotOfType):
                read(game, symbol, text)


# ---- points ----


def two_letters(point: Point) -> str:
    return "".join(chr(n + 97) if n < 26 else chr(n + 39) for n in point)


def letters_and_number(point: Point) -> str:
    column, text = point.column + 1, ""
    while column:
        column, last = divmod(column - 1, 26)
        text = chr(last + 97) + text
    return f"{text}{point.row + 1}"


def column_letter(point: Point) -> str:
    return chr(point.column + 97)


def two_digits(point: Point) -> str:
    return f"{point.column + 1}{point.row + 1}"


SPELLINGS = [
    (GO, "[a-zA-Z][a-zA-Z]", two_letters),
    (GOMOKU, "[a-zA-Z][a-zA-Z]", two_letters),
    (AMAZONS, "[a-zA-Z][a-zA-Z]", two_letters),
    (GESS, "[a-z][a-z]", two_letters),
    (OTHELLO, "[a-nA-N]([1-9]|1[0-4])", letters_and_number),
    (LOA, "[a-zA-Z][1-9][0-9]{0,3}", letters_and_number),
    (HEX, "[a-zA-Z]{1,6}[1-9][0-9]{0,5}", letters_and_number),
    (TWIXT, "[a-zA-Z]{1,2}[1-9][0-9]{0,5}", letters_and_number),
    (OCTI, "[1-9][1-9]", two_digits),
    (BACKGAMMON, "[a-z]", column_letter),
]


@pytest.mark.parametrize(("game", "pattern", "spell"), SPELLINGS, ids=label)
@given(data=st.data())
def test_a_point_spells_its_text_again(
    game: Game,
    pattern: str,
    spell: Any,  # a function of SPELLINGS
    data: st.DataObject,
) -> None:
    text = data.draw(st.from_regex(re.compile(pattern, re.ASCII), fullmatch=True))

    point = read(game, "point", text)

    assert isinstance(point, Point)
    assert spell(point) == (text.lower() if spell is letters_and_number else text)
    stone = read(game, "stone", text)
    assert (stone.point if isinstance(stone, Pod) else stone) == point


# ---- grammars, transformers and registry fit together ----


def loaded(game: Game) -> Grammar:
    return grammars.grammar(grammars.path(f"games/{game.grammar}"))


def symbols(game: Game) -> list[str]:
    """The start symbols that the header of a grammar file names."""
    text = grammars.path(f"games/{game.grammar}").read_text(encoding="utf-8")
    (found,) = re.findall(r"^// Start +(.+)$", text, re.MULTILINE)
    return re.split(r"[,;] *", found)


@pytest.mark.parametrize("game", DESCRIBED, ids=name_of)
def test_every_start_symbol_builds_without_a_conflict(game: Game) -> None:
    pytest.importorskip("interegular", reason="lark's strict mode needs interegular")
    bare = Grammar(loaded(game).rule_defs, loaded(game).term_defs, [])

    for symbol in symbols(game):
        Lark(bare, parser="lalr", start=symbol, strict=True)


@pytest.mark.parametrize("game", DESCRIBED, ids=name_of)
def test_every_start_symbol_has_its_words(game: Game) -> None:
    assert set(game.expected) == set(symbols(game))


def parser(game: Game) -> Lark:
    """A parser for everything in a game's grammar."""
    bare = Grammar(loaded(game).rule_defs, loaded(game).term_defs, [])
    return Lark(bare, parser="lalr", start=symbols(game))


@pytest.mark.parametrize("game", DESCRIBED, ids=name_of)
def test_a_transformer_has_a_method_for_each_rule_and_no_other(game: Game) -> None:
    lark = parser(game)
    names = {str(rule.alias or rule.origin.name) for rule in lark.rules}
    rules = {name for name in names if not name.startswith("_")}
    terminals = {terminal.name for terminal in lark.terminals}
    own_class = type(TRANSFORMERS[str(game.grammar)])
    bases = [base for base in own_class.__mro__ if issubclass(base, ValueTransformer)]
    methods = {name for base in bases for name in vars(base) if not name.startswith("_")}
    # A base may serve terminals, and the formats' own classes even rules, of other grammars.
    of_games = [base for base in bases if base.__module__ == PointValues.__module__]
    of_this = {
        name for base in of_games for name in vars(base) if name.islower() and name[0] != "_"
    }
    own = {name for name in vars(own_class) if not name.startswith("_")}

    assert rules <= methods
    assert of_this <= rules
    assert own <= rules | terminals


def test_no_rule_refers_to_itself() -> None:
    for game in DESCRIBED:
        lark = parser(game)
        uses: dict[str, set[str]] = {}
        for rule in lark.rules:
            uses.setdefault(str(rule.origin.name), set()).update(
                str(s.name) for s in rule.expansion
            )
        for rule_name in uses:
            if rule_name.startswith("__"):  # lark's own helpers for repetition
                continue
            reached, todo = set[str](), {rule_name}
            while todo:
                below = uses.get(todo.pop(), set()) - reached
                reached |= below
                todo |= below
            assert rule_name not in reached, (game.name, rule_name)


@pytest.mark.parametrize("game", DESCRIBED, ids=name_of)
def test_a_helper_rule_never_stands_in_for_a_type_of_a_format(game: Game) -> None:
    """A reader looks for a type in the game's grammar first: a helper named text would do."""
    types = {
        str(rule[0])
        for version in Format
        for rule in grammars.grammar(grammars.path(version.grammar)).rule_defs
    }
    rules = {str(rule[0]) for rule in loaded(game).rule_defs}
    helper_of_result = {"win"}

    assert rules & types - helper_of_result <= set(symbols(game))


def test_every_grammar_file_belongs_to_a_game() -> None:
    files = {file.stem for file in (grammars.folder() / "games").glob("*.lark")}

    assert files == {game.grammar for game in DESCRIBED}


def test_games_are_numbered_and_spelled_as_in_the_standard() -> None:
    assert list(GAMES) == list(range(1, 41))
    assert [game.number for game in GAMES.values()] == list(GAMES)
    assert [game.name for game in GAMES.values()] == [
        *("Go", "Othello", "chess", "Gomoku+Renju", "Nine Men's Morris", "Backgammon"),
        *("Chinese chess", "Shogi", "Lines of Action", "Ataxx", "Hex", "Jungle", "Neutron"),
        *("Philosopher's Football", "Quadrature", "Trax", "Tantrix", "Amazons", "Octi", "Gess"),
        *("Twixt", "Zertz", "Plateau", "Yinsh", "Punct", "Gobblet", "hive", "Exxit", "Hnefatal"),
        *("Kuba", "Tripples", "Chase", "Tumbling Down", "Sahara", "Byte", "Focus", "Dvonn"),
        *("Tamsk", "Gipf", "Kropki"),
    ]


def test_usual_boards_are_those_the_standard_gives() -> None:
    sizes = {game.name: game.size for game in GAMES.values() if game.size is not None}

    assert sizes == {
        "Go": BoardSize(19, 19),
        "chess": BoardSize(8, 8),
        "Lines of Action": BoardSize(8, 8),
        "Hex": BoardSize(11, 11),
        "Amazons": BoardSize(10, 10),
        "Gess": BoardSize(20, 20),
        "Twixt": BoardSize(24, 24),
    }


def test_black_moves_first_except_in_chess_and_twixt() -> None:
    first = {game.name for game in GAMES.values() if game.first_color is Color.WHITE}

    assert first == {"chess", "Twixt"}


def test_a_game_of_ggf_is_found_in_any_letter_case() -> None:
    assert ggf_game("Othello") is ggf_game("othello") is ggf_game(" OTHELLO ") is OTHELLO
    assert ggf_game("Amazons") is AMAZONS
    assert ggf_game("chess") is CHESS


def test_a_game_that_only_ggf_has_keeps_its_name() -> None:
    checkers = ggf_game("Checkers")

    assert (checkers.number, checkers.name, checkers.grammar) == (None, "Checkers", None)
    assert ggf_game("Checkers") is checkers
    assert ggf_game("Domineering") is not checkers


# ---- through the reader of a format ----


def test_ggf_reads_its_own_notation_of_a_game() -> None:
    ggf = reader(Format.GGF, OTHELLO)

    assert ggf.read("played", "d3//0.01") == Played(move=Point(3, 2), seconds=Decimal("0.01"))
    assert ggf.read("move", "J10") == Point(9, 9)
    assert ggf.read("game_type", "8kr20").random == 20
    assert reader(Format.GGF, AMAZONS).read("move", "J4-I4-J5").arrow == Point(9, 4)


def test_ggf_results_are_in_view_of_the_first_color() -> None:
    assert reader(Format.GGF, OTHELLO).read("result", "-3.00").winner is Color.WHITE
    assert reader(Format.GGF, CHESS).read("result", "-3.00").winner is Color.BLACK


def test_moves_that_nobody_described_are_kept_as_text() -> None:
    assert reader(Format.FF4, GAMES[22]).read("move", "R- H 4") == "R- H 4"
    assert reader(Format.FF4, CHESS).read("move", "e2e4") == "e2e4"
    assert reader(Format.GGF, CHESS).read("move", "e2-e4") == "e2-e4"
    assert reader(Format.GGF, ggf_game("Go")).read("move", "Q16") == "Q16"


def test_texts_of_a_backgammon_game_are_texts_as_everywhere() -> None:
    backgammon = reader(Format.FF4, BACKGAMMON)

    assert backgammon.read("text", "score 2:1\nnext") == "score 2:1\nnext"
    assert backgammon.read("match_information", "the\nplace:a\\\nb") == Composed(
        first="the place", second="ab"
    )


def test_a_refusal_says_what_was_expected() -> None:
    with pytest.raises(NotOfType, match="a roll and its moves such as '31hefe', or 'double'"):
        reader(Format.FF4, BACKGAMMON).read("move", "31h")
    with pytest.raises(NotOfType, match="'D1-D7-G7': from, to, arrow"):
        reader(Format.GGF, AMAZONS).read("move", "D1-D7")


# ---- real files ----

FOLDERS = ("ff4-othello", "ff4-backgammon", "ff4-other-games", "ggf", "large")

#: By which start symbol the values of a property are read; "stone" and "point" also read
#: both corners of a rectangle.
SGF_SYMBOLS = {
    **dict.fromkeys(("B", "W"), "move"),
    **dict.fromkeys(("AB", "AW"), "stone"),
    "AE": "point",
}
BACKGAMMON_SYMBOLS = {
    "RE": "result",
    "RU": "rules",
    "MI": "match_information",
    "DI": "dice",
    "CO": "cube_owner",
}
GGF_SYMBOLS = {**dict.fromkeys(("B", "W", "KB", "KW"), "move_ggf"), "TY": "game_type_ggf"}

#: What real files hold that is not of the form, and why it is right to refuse it.
KNOWN = {
    ("Othello", "game_type_ggf", "0"): "a program without game types writes 0",
}

PROPERTY = re.compile(r"([A-Z]+)\s*((?:\[[^\]\\]*(?:\\.[^\]\\]*)*\]\s*)+)", re.DOTALL)
VALUE = re.compile(r"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)


def corpus() -> Path:
    named = os.environ.get("SGF_LARK_CORPUS")
    if not named:
        pytest.skip("SGF_LARK_CORPUS does not name the folder of real game records")
    return Path(named)


def values(text: str) -> Iterator[tuple[Game, str, str]]:
    """Game, start symbol and text of each value of a record that a game's grammar reads."""
    properties = [(ident, VALUE.findall(found)) for ident, found in PROPERTY.findall(text)]
    (name,) = next((found for ident, found in properties if ident == "GM"), ["1"])
    ggf = not name.isdigit()
    game = ggf_game(name) if ggf else GAMES[int(name)]
    if game is GO or game.grammar is None:
        return
    table = GGF_SYMBOLS if ggf else SGF_SYMBOLS
    if game is BACKGAMMON:
        table = table | BACKGAMMON_SYMBOLS
    for ident, found in properties:
        if ident in table:
            for value in found:
                if table is GGF_SYMBOLS:
                    yield game, table[ident], value.partition("/")[0]
                elif table[ident] in {"point", "stone"}:
                    yield from ((game, table[ident], part) for part in value.split(":"))
                else:
                    yield game, table[ident], value


@pytest.mark.night
def test_values_of_real_files_are_of_their_type() -> None:
    found = Counter(
        value
        for folder in FOLDERS
        for file in sorted((corpus() / folder).iterdir())
        for value in values(file.read_bytes().decode("latin-1"))
    )
    refused = set()
    for game, symbol, text in found:
        try:
            read(game, symbol, text)
        except NotOfType:
            refused.add((game.name, symbol, text))

    assert refused == set(KNOWN)
    counts = Counter[str]()
    for (game, _, _), count in found.items():
        counts[game.name] += count
    assert counts.keys() == {"Othello", "Backgammon", "Lines of Action", "Hex"}
    assert counts["Othello"] > 100_000
    assert counts["Backgammon"] > 500
    assert counts["Hex"] > 180
    assert counts["Lines of Action"] > 70
