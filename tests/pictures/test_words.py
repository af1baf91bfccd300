"""The words of pages in other languages: all that pages say, in each of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.places import ROOT

import sgf_lark
from sgf_lark.pictures.words import LANGUAGES, WORDS, in_language, word
from sgf_lark.positions import page as facts
from sgf_lark.positions.page import make_worksheet
from sgf_lark.positions.state import ENDINGS

#: A game with a result, a variation and a comment; and a problem.
GAME = "(;FF[4]GM[1]SZ[9]PB[Aoki]PW[Park]RE[B+R];B[ee];W[cc]C[Quiet.](;B[gc];W[gg])(;B[cg]))"
PROBLEM = "(;FF[4]GM[1]SZ[9]AB[aa]AW[bb]PL[B](;B[ab];W[ba])(;B[cc]BM[1];W[cd]))"


def test_every_language_has_all_words_with_the_same_values() -> None:
    for pattern, words in WORDS.items():
        assert [*words] == LANGUAGES
        assert all(words.values()), pattern
        assert {text.count("{}") for text in words.values()} == {pattern.count("{}")}


def said_in_code() -> Iterator[str]:
    """The texts in calls of ``word`` that are written out."""
    for file in Path(sgf_lark.__file__).parent.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        for call in ast.walk(ast.parse(text)) if "pictures.words import" in text else ():
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "word":
                first = call.args[0]
                texts = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
                yield from (str(one.value) for one in texts if isinstance(one, ast.Constant))


def test_what_code_says_is_in_the_table() -> None:
    said = {*said_in_code()}

    assert len(said) > 10
    assert said <= {*WORDS}
    assert {*ENDINGS.values(), *map(str.capitalize, facts.LATER_TEXTS)} <= {*WORDS}


def test_the_end_of_each_game_is_in_the_table() -> None:
    said = {
        one.value
        for file in (ROOT / "sgf_lark" / "games").glob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "GameEnd"
        for one in call.args
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    }

    assert len(said) > 9
    assert said <= {*WORDS}
    assert {f"{who} wins" for who in ("Black", "White")} | {"Draw", "Over"} <= {*WORDS}


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("(;FF[4]GM[11]SZ[3];B[a1];W[resign])", "Black wins: the other side resigns"),
        ("(;FF[4]GM[1]SZ[5];B[aa];W[];B[])", "Over: both sides have passed"),
        ("(;FF[4]GM[1]SZ[5]RE[W+2.5];B[aa];W[];B[])", "White wins: W+2.5"),
        ("(;FF[4]GM[1]SZ[5]RE[B+T];B[aa])", "Black wins: on time"),
        ("(;FF[4]GM[1]SZ[5]RE[Draw];B[aa])", "Draw"),
        ("(;FF[4]GM[1]SZ[5]RE[?];B[aa])", "○ White to play"),
        ("(;FF[4]GM[1]SZ[5]RE[so so];B[aa])", "○ White to play"),
    ],
)
def test_the_last_board_of_a_game_says_how_it_ended(text: str, last: str) -> None:
    (game,) = sgf_lark.loads(text, strict=False)
    (*_, node) = game.main_line()

    assert node.diagram().text().splitlines()[-1] == last
    assert last.removeprefix("○ ").lower() in node.diagram().svg().lower()
    assert game.root.diagram().text().endswith("Black to play")


def test_the_end_is_said_in_the_language_of_the_page() -> None:
    (game,) = sgf_lark.loads("(;FF[4]GM[1]SZ[5]RE[B+R];B[aa])")
    with in_language("de"):
        assert game.nodes[1].diagram().text().endswith("Schwarz gewinnt: durch Aufgabe")


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_page_in_a_language_has_no_words_of_english(language: str) -> None:
    with in_language(language):
        pages = [sgf_lark.loads(text)[0].page() for text in (GAME, PROBLEM)]
        sheet = make_worksheet(pages)
    own = " ".join(re.findall(r">([^<>]+)<", re.sub(r"(?s)<svg.*?</svg>", "", sheet.html())))
    names = [fact.name for fact in pages[0].facts]

    assert f'lang="{language}"' in sheet.html()
    assert names == [WORDS[name][language] for name in ("Black", "White", "Result", "Game")]
    for english in ("Figure", "Variation", "after move", "Solution", "wins", "Made by", "solution"):
        assert not re.search(rf"\b{english}\b", own), english
    in_notebook = pages[0]._repr_html_()
    assert WORDS["Figure {}"][language].format(1) in in_notebook
    assert " \N{MIDDLE DOT} ".join(fact.text for fact in pages[0].facts[:3]) in in_notebook
    assert word("Black") == "Black"


def test_a_language_without_words_is_refused() -> None:
    with (
        pytest.raises(ValueError, match="no language 'xx': expected en, de, ja, zh"),
        in_language("xx"),
    ):
        pass
