"""Results in words: who has won by a phrase, or that it leaves open who has."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.core.values.corrections import correct_result

#: Phrases, and what they say: a verb decides who has won.
DECIDED = {
    # English
    "White resigns": "B+R",
    "White resigned.": "B+R",
    "B resigns": "W+R",
    "W RESIGN": "B+R",
    "black resigns the game": "W+R",
    "Black gives up": "W+R",
    "White gave up.": "B+R",
    "White loses by resignation": "B+R",
    "Black loses": "W+",
    "W lost by 3.5": "B+3.5",
    "Black lost by 2 1/2 points": "W+2.5",
    "White lost on time": "B+T",
    "B ran out of time": "W+T",
    "White timed out.": "B+T",
    "Black forfeits": "W+F",
    "W forfeited on time": "B+T",
    "White forfeited the game": "B+F",
    "Black wins": "B+",
    "Black won by resignation": "B+R",
    "white wins by 1/2 point": "W+0.5",
    "W won by 3.5 pts.": "W+3.5",
    "W wins on time": "W+T",
    "B wins by forfeit": "B+F",
    "Black by 0.5": "B+0.5",
    "White by resignation": "W+R",
    "w+resign": "W+R",
    "White + Resigns": "W+R",
    "black+5,5": "B+5.5",
    "B+½": "B+0.5",
    "B + 3 1/2": "B+3.5",
    "W + time.": "W+T",
    "No result": "Void",
    "Jigo.": "0",
    # German
    "Schwarz gibt auf": "W+R",
    "Weiß gab auf": "B+R",
    "Weiss gewinnt durch Aufgabe": "W+R",
    "Schwarz gewinnt mit 3,5 Punkten": "B+3.5",
    "Schwarz verliert durch Zeit": "W+T",
    "Remis": "0",
    # French and Spanish
    "Noir abandonne": "W+R",
    "Blanc gagne par abandon": "W+R",
    "Noir perd au temps": "W+T",
    "Blanco abandona": "B+R",
    "Negras ganan por 3.5 puntos": "B+3.5",
    # Chinese
    "白胜43.5目": "W+43.5",
    "黑中盘胜": "B+R",
    "白中盘负": "B+R",
    "黑认输": "W+R",
    "白投子认输": "B+R",
    "黑超时": "W+T",
    "黑超时胜": "B+T",
    "白负": "B+",
    # of Tygem
    "white 24.5 win": "W+24.5",
    "black 4 points win": "B+4",
    "white wins by disconnection": "W+F",
    # Japanese
    "黒中押し勝ち": "B+R",
    "白の中押し勝ち": "W+R",
    "白番中押し負け": "B+R",
    "黒投了": "W+R",
    "白の投了": "B+R",
    "黒時間切れ負け": "W+T",
    "黒時間切れ": "W+T",
    "ジゴ": "0",
    # Korean
    "백 불계승": "W+R",
    "백 불계패": "B+R",
    "흑 반집승": "B+0.5",
    "흑 시간패": "W+T",
    "흑 시간승": "B+T",
    "백 기권": "B+R",
}

#: Phrases that leave open who has won: a color and a noun, and half a sentence.
OPEN = (
    *("Black forfeit", "B forfeit", "W time", "White resignation", "B res", "W R", "B+R?", "White"),
    *(
        "resigns",
        "White resigns?",
        "Black or White",
        "W+B",
        "白時間",
        "黒",
        "時間切れ",
        "Schwarz Aufgabe",
    ),
    *("Noir temps", "Black resigns or loses", "White did not resign", "Black should resign"),
)

HEAD = "(;FF[{}]GM[1]SZ[19]CA[UTF-8]AP[x:1]RE[{}];B[pd];W[dp])"


@pytest.mark.parametrize("phrase", DECIDED)
def test_a_phrase_says_who_has_won(phrase: str) -> None:
    assert correct_result(phrase) == DECIDED[phrase]


@pytest.mark.parametrize("phrase", OPEN)
def test_no_winner_is_made_up(phrase: str) -> None:
    assert correct_result(phrase) is None
    for format_ in ("4", "3"):
        record = HEAD.format(format_, phrase)
        fixed = sgf_lark.fix_record(record.encode())
        converted = sgf_lark.dumps(sgf_lark.convert(sgf_lark.loads(record, strict=False), "ff4"))

        assert f"RE[{phrase}]".encode() in fixed.data
        assert f"RE[{phrase}]" in converted


@pytest.mark.parametrize(
    "phrase", ["White resigns", "黒投了", "Schwarz gibt auf", "White timed out."]
)
def test_fixes_and_conversions_say_who_has_won(phrase: str) -> None:
    old, new = HEAD.format("3", phrase), HEAD.format("4", phrase)
    converted = sgf_lark.convert(sgf_lark.loads(old, strict=False), "ff4")

    assert f"RE[{DECIDED[phrase]}]" in sgf_lark.dumps(converted)
    for record in (old, new):
        assert f"RE[{DECIDED[phrase]}]".encode() in sgf_lark.fix_record(record.encode()).data


def test_a_color_and_a_score_are_a_guess_that_says_what_it_assumes() -> None:
    (diagnostic,) = [
        one
        for one in sgf_lark.loads(HEAD.format("4", "B 3.5"), strict=False).diagnostics
        if one.property == "RE"
    ]

    assert diagnostic.fix is not None
    assert not diagnostic.fix.safe
    assert diagnostic.fix.message == "replace RE[B 3.5] with RE[B+3.5], if B has won"
