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
from support.lanes import one_in
from support.tables import table
from support.together import together

from sgf_lark.core.grammar import grammars
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GAMES, Game, ggf_game
from sgf_lark.core.schema.values import BoardSize, Color, Composed, Played, Pod, Point
from sgf_lark.core.values.game_transformers import TRANSFORMERS, PointValues, transformer_of
from sgf_lark.core.values.kinds import NotOfType
from sgf_lark.core.values.methods import ValueMethods
from sgf_lark.core.values.reader import reader
from sgf_lark.core.values.transformers import call_methods

if TYPE_CHECKING:
    from collections.abc import Iterator

GO, OTHELLO, CHESS, GOMOKU, BACKGAMMON = (GAMES[number] for number in (1, 2, 3, 4, 6))
LOA, HEX, AMAZONS, OCTI, GESS, TWIXT = (GAMES[number] for number in (9, 11, 18, 19, 20, 21))
DESCRIBED = [game for game in GAMES.values() if game.grammar is not None]


def name_of(game: Game) -> str:
    return game.name


def read(notation: str, symbol: str, text: str) -> Any:  # what a transformer returns
    """Read a text by one start symbol of a game's own grammar.

    Raises:
        NotOfType: The grammar or the transformer refuses the text.
    """
    lark = grammars.value(grammars.path(f"games/{notation}"), symbol)
    assert lark is not None, f"{notation}.lark does not define {symbol}"
    try:
        return call_methods(transformer_of(notation), lark.parse(text))
    except UnexpectedInput:
        raise NotOfType from None
    except VisitError as error:
        if isinstance(error.orig_exc, ValueError):
            raise NotOfType from None
        raise


# ---- what is taken, and as what; what is refused ----

#: Texts of a game by a start symbol of its grammar, and their values as Python shows them.
CASES = table("values/games.jsonl")


def test_a_text_has_this_value() -> None:
    with together() as each:
        for notation, symbol, text, value in CASES["value"]:
            with each(f"{notation} {symbol} {text!r}"):
                assert repr(read(notation, symbol, text)) == value


def test_a_text_is_refused() -> None:
    with together() as each:
        for notation, symbol, *texts in CASES["refused"]:
            for text in texts:
                with each(f"{notation} {symbol} {text!r}"), pytest.raises(NotOfType):
                    read(notation, symbol, text)


def label(case: object) -> str | None:
    if isinstance(case, Game):
        return case.notation or case.name
    return case if isinstance(case, str) else ""


@pytest.mark.parametrize("game", DESCRIBED, ids=name_of)
def test_no_value_holds_a_bare_bracket_or_a_lone_backslash(game: Game) -> None:
    for symbol in symbols(game):
        for text in ("]", "a]", "a1-a2 ]", "a1-a2\\", "a:]", "a:\\", "\\"):
            with pytest.raises(NotOfType):
                read(game.notation or "", symbol, text)


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


@pytest.mark.parametrize(("game", "pattern", "spell"), one_in(3, SPELLINGS), ids=label)
@given(data=st.data())
def test_a_point_spells_its_text_again(
    game: Game,
    pattern: str,
    spell: Any,  # a function of SPELLINGS
    data: st.DataObject,
) -> None:
    text = data.draw(st.from_regex(re.compile(pattern, re.ASCII), fullmatch=True))

    point = read(game.notation or "", "point", text)

    assert isinstance(point, Point)
    assert spell(point) == (text.lower() if spell is letters_and_number else text)
    stone = read(game.notation or "", "stone", text)
    assert (stone.point if isinstance(stone, Pod) else stone) == point


# ---- grammars, transformers and registry fit together ----


def loaded(game: Game) -> Grammar:
    return grammars.grammar(grammars.path(f"games/{game.grammar}"))


def symbols(game: Game) -> list[str]:
    """The start symbols that the header of a grammar file names."""
    text = grammars.path(f"games/{game.grammar}").read_text(encoding="utf-8")
    (found,) = re.findall(r"^// Start +(.+)$", text, re.MULTILINE)
    return re.split(r"[,;] *", found)


@pytest.mark.parametrize("game", one_in(3, DESCRIBED), ids=name_of)
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


@pytest.mark.parametrize(
    "game", [game for game in DESCRIBED if game.notation in TRANSFORMERS], ids=name_of
)
def test_a_transformer_has_a_method_for_each_rule_and_no_other(game: Game) -> None:
    lark = parser(game)
    names = {str(rule.alias or rule.origin.name) for rule in lark.rules}
    rules = {name for name in names if not name.startswith("_")}
    terminals = {terminal.name for terminal in lark.terminals}
    own_class = type(TRANSFORMERS[str(game.grammar)])
    bases = [base for base in own_class.__mro__ if issubclass(base, ValueMethods)]
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
    assert [game.number for game in GAMES.values()] == list(GAMES)
    assert [GAMES[number].name for number in range(1, 41)] == [
        *("Go", "Othello", "chess", "Gomoku+Renju", "Nine Men's Morris", "Backgammon"),
        *("Chinese chess", "Shogi", "Lines of Action", "Ataxx", "Hex", "Jungle", "Neutron"),
        *("Philosopher's Football", "Quadrature", "Trax", "Tantrix", "Amazons", "Octi", "Gess"),
        *("Twixt", "Zertz", "Plateau", "Yinsh", "Punct", "Gobblet", "hive", "Exxit", "Hnefatal"),
        *("Kuba", "Tripples", "Chase", "Tumbling Down", "Sahara", "Byte", "Focus", "Dvonn"),
        *("Tamsk", "Gipf", "Kropki"),
    ]


def test_usual_boards_are_those_the_standard_gives() -> None:
    sizes = {
        game.name: game.size
        for number, game in GAMES.items()
        if number <= 40 and game.size is not None
    }

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
            read(game.notation or "", symbol, text)
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
