"""Results as numbers, in Black's view, whatever format a game has."""

from decimal import Decimal

import pytest

import sgf_lark
from sgf_lark import Result
from sgf_lark.core.schema.values import Ending

SGF = "(;FF[4]GM[1]RE[{}])"
GGF = "(;GM[{}]PC[GGS]PB[a]PW[b]TY[8]RE[{}]BO[8 " + "-------- " * 3 + "---O*--- ---*O--- "
GGF += "-------- " * 3 + "*];)"


def result_of(text: str) -> Result:
    result = sgf_lark.loads(text, strict=False)[0].info.result
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("template", "text", "code", "outcome", "score"),
    [
        (SGF, "B+3.5", "win", 1, Decimal("3.5")),
        (SGF, "W+3.5", "win", -1, Decimal("-3.5")),
        (SGF, "B+R", "win", 1, None),
        (SGF, "W+Time", "win", -1, None),
        (SGF, "B+", "win", 1, None),
        (SGF, "0", "draw", 0, Decimal(0)),
        (SGF, "Draw", "draw", 0, Decimal(0)),
        (SGF, "Void", "void", None, None),
        (SGF, "?", "unknown", None, None),
        (SGF.replace("[4]", "[3]"), "W+R", "win", -1, None),
        (SGF.replace("[4]", "[3]"), "0", "draw", 0, Decimal(0)),
        (SGF.replace("FF[4]", ""), "B+12", "win", 1, Decimal(12)),
        (SGF.replace("[1]", "[6]"), "W+2R", "win", -1, Decimal(-2)),
        (GGF.replace("{}", "Othello", 1), "+4.000", "win", 1, Decimal(4)),
        (GGF.replace("{}", "Othello", 1), "-6:t", "win", -1, Decimal(-6)),
        (GGF.replace("{}", "Othello", 1), "0.000", "draw", 0, Decimal(0)),
        (GGF.replace("{}", "Othello", 1), "0:s", "draw", 0, Decimal(0)),
        (GGF.replace("{}", "Othello", 1), "?", "unknown", None, None),
        (GGF.replace("{}", "Chess", 1), "+1", "win", -1, Decimal(-1)),  # White is the first color
    ],
)
def test_a_result_has_a_code_an_outcome_and_a_score(
    template: str, text: str, code: str, outcome: int | None, score: Decimal | None
) -> None:
    result = result_of(template.format(text))

    assert (result.code, result.outcome, result.score) == (code, outcome, score)


@pytest.mark.parametrize("ending", Ending)
def test_a_game_without_a_winner_is_a_draw_void_or_unknown(ending: Ending) -> None:
    result = Result(winner=None, ending=ending)

    assert result.code == {Ending.DRAW: "draw", Ending.VOID: "void"}.get(ending, "unknown")
    assert (result.outcome is None) is (ending is not Ending.DRAW)
