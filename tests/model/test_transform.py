"""Records on a board that is turned or mirrored, and with the sides exchanged."""

from __future__ import annotations

import pytest

from sgf_lark import Board, Color, GameTree, Symmetry, dumps, loads

RECORD = (
    r"(;FF[4]GM[1]SZ[19]KM[6.5]AB[pd][aa:bc]PB[x]PW[y]RE[B+3.5]LB[aa:a\:b][cc:x\]]AR[aa:bb]"
    r"LN[cd:dc]VW[aa:sj]DD[ss]TB[aa:ac]C[B at pd\]];W[dp]WL[33]XX[pd]V[1.50]GB[2]MN[5]VW[]"
    r";B[zz](;W[]OB[3];B[tt])(;W[p]TR[dd][qz]))"
)


def text(game: GameTree) -> str:
    """A game as it is, with the bytes of what did not change."""
    return dumps(game, style="preserve").strip()


def test_every_point_goes_along_and_texts_stay() -> None:
    game = loads(RECORD, strict=False)[0].transformed("rotate-90")

    assert text(game) == (
        r"(;FF[4]GM[1]SZ[19]KM[6.5]AB[pp][qa:sb]PB[x]PW[y]RE[B+3.5]LB[sa:a\:b][qc:x\]]AR[sa:rb]"
        r"LN[pc:qd]VW[ja:ss]DD[as]TB[qa:sa]C[B at pd\]];W[dd]WL[33]XX[pd]V[1.50]GB[2]MN[5]VW[]"
        r";B[zz](;W[]OB[3];B[tt])(;W[p]TR[pd][qz]))"
    )


def test_the_sides_are_exchanged_in_all_that_is_theirs() -> None:
    game = loads(RECORD, strict=False)[0].recolored()

    assert text(game) == (
        r"(;FF[4]GM[1]SZ[19]KM[-6.5]AW[pd][aa:bc]PW[x]PB[y]RE[W+3.5]LB[aa:a\:b][cc:x\]]AR[aa:bb]"
        r"LN[cd:dc]VW[aa:sj]DD[ss]TW[aa:ac]C[B at pd\]]PL[W];B[dp]BL[33]XX[pd]V[-1.50]GW[2]MN[5]"
        r"VW[];W[zz](;B[]OW[3];W[tt])(;B[p]TR[dd][qz]))"
    )


@pytest.mark.parametrize("symmetry", Symmetry)
def test_a_transformation_and_its_inverse_give_the_same_record(symmetry: Symmetry) -> None:
    game = loads(RECORD.replace("LN[cd:dc]", ""), strict=False)[0]

    assert text(game.transformed(symmetry).transformed(symmetry.inverse)) == text(game)


@pytest.mark.parametrize(
    ("record", "symmetry", "expected"),
    [
        ("(;FF[4]GM[1]SZ[19:13];B[sa])", "rotate-90", "(;FF[4]GM[1]SZ[13:19];B[ms])"),
        ("(;FF[4]GM[1]SZ[19:13];B[sa])", "rotate-180", "(;FF[4]GM[1]SZ[19:13];B[am])"),
        ("(;FF[3]GM[1]VW[ac][ed]L[aa][bb])", "rotate-90", "(;FF[3]GM[1]VW[pa][qe]L[sa][rb])"),
        ("(;FF[4]GM[11]SZ[11];B[a3])", "transpose", "(;FF[4]GM[11]SZ[11]PL[W];W[c1])"),
        ("(;FF[4]GM[4]SZ[15];B[aa]TR[hh])", "flip-rows", "(;FF[4]GM[4]SZ[15];B[ao]TR[hh])"),
        ("(;FF[4]GM[21]SZ[24];W[b1])", "flip-columns", "(;FF[4]GM[21]SZ[24];W[w1])"),
        ("(;FF[4]GM[20]AB[cc];B[cc:cf])", "flip-columns", "(;FF[4]GM[20]AB[rc];B[rc:rf])"),
        (
            "(;FF[4]GM[2]SZ[8]AB[d5][e4]AW[d4][e5];B[d3])",
            "flip-columns",
            "(;FF[4]GM[2]SZ[8]AB[e5][d4]AW[e4][d5];B[e3])",
        ),
        (
            "(;FF[4]GM[18]AB[aa]AA[jj:ji]AW[bb];B[aaabac])",
            "flip-rows",
            "(;FF[4]GM[18]AB[aj]AA[ja:jb]AW[bi];B[ajaiah])",
        ),
        (
            "(;FF[4]GM[9]AB[b1]AW[a2];B[b1-b2+!])",
            "rotate-180",
            "(;FF[4]GM[9]AB[g8]AW[h7];B[g8-g7])",
        ),
        (
            "(;FF[4]GM[6]CO[b]MI[length:7][BS:3][ws:1];W[31hefe])",
            "rotate-180",
            "(;FF[4]GM[6]CO[w]MI[length:7][ws:3][bs:1];B[31qtst])",
        ),
        (
            "(;GM[Othello]RE[+4.000]KM[-1.5]BO[4 ---- -O*- -*O- ---- *]B[b1//1.2]W[a1/0.5/2];)",
            "flip-columns",
            "(;GM[Othello]RE[+4.000]KM[-1.5]BO[4 ---- -*O- -O*- ---- *]B[c1//1.2]W[d1/0.5/2];)",
        ),
    ],
)
def test_each_game_is_transformed_in_its_notation(
    record: str, symmetry: str, expected: str
) -> None:
    game = loads(record, strict=False)[0]

    assert text(game.transformed(symmetry)) == expected


def test_a_recolored_game_of_ggf_has_the_other_sign() -> None:
    record = "(;GM[Othello]PB[a]PW[b]RE[+4.000:t]KM[-1.5]BO[4 ---- -O*- -*O- ---- *]B[b1//1.2];)"

    assert text(loads(record, strict=False)[0].recolored()) == (
        "(;GM[Othello]PW[a]PB[b]RE[-4.000:t]KM[1.5]BO[4 ---- -*O- -O*- ---- O]W[b1//1.2];)"
    )


def test_the_start_of_a_game_is_set_up_where_it_is_another_one() -> None:
    game = loads("(;FF[4]GM[2]SZ[8];B[d3])")[0]

    assert text(game.transformed("rotate-180")) == "(;FF[4]GM[2]SZ[8];B[e6])"
    turned = game.transformed("rotate-90")
    assert text(turned) == "(;FF[4]GM[2]SZ[8]AB[d4][e5]AW[d5][e4];B[f4])"


def test_a_handicap_is_left_out_and_the_sides_take_turns_as_before() -> None:
    game = loads("(;FF[4]GM[1]SZ[9]HA[2]AB[gc][cg];W[ee])")[0].recolored()

    assert text(game) == "(;FF[4]GM[1]SZ[9]AW[gc][cg];B[ee])"
    assert game.root.board.to_play is Color.BLACK


@pytest.mark.parametrize(
    ("record", "symmetry", "message"),
    [
        ("(;FF[4]GM[11];B[a3])", "rotate-90", "does not keep the rules"),
        ("(;FF[4]GM[3];B[a3])", "rotate-90", "does not keep the rules"),
        ("(;FF[4]GM[1];B[aa])", "sideways", "sideways"),
    ],
)
def test_a_transformation_that_is_none_is_rejected(
    record: str, symmetry: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        loads(record, strict=False)[0].transformed(symmetry)


def test_a_game_without_rules_is_not_recolored() -> None:
    with pytest.raises(ValueError, match="the sides of chess cannot be exchanged"):
        loads("(;FF[4]GM[3];B[a3])")[0].recolored()


GAMES = {
    "Go": "(;FF[4]GM[1]SZ[9]AB[aa:cc][ff]AE[bb]AW[ab]HA[2];W[dd];B[bb];W[ad]PL[W](;B[zz])(;W[ee]))",
    "handicap": "(;FF[4]GM[1]SZ[9]HA[2]AB[gc][cg];W[ee])",
    "Othello": "(;FF[4]GM[2]SZ[8];B[d3];W[c3];B[b3])",
    "Gomoku": "(;FF[4]GM[4]SZ[15];B[hh];W[hh];B[aa])",
    "Lines of Action": "(;FF[4]GM[9];B[b1-b3];W[a2:c2])",
    "Hex": "(;FF[4]GM[11];B[a3];W[swap-pieces];B[d4])",
    "Amazons": "(;FF[4]GM[18];W[dagaja];B[djddgd])",
    "Gess": "(;FF[4]GM[20];B[cr:cp])",
    "Twixt": "(;FF[4]GM[21];W[d4];B[e4];W[e6];B[e5])",
    "Octi": "(;FF[4]GM[19]SZ[9]AB[46CD]AW[55];B[46CD-57];W[55+A])",
    "Backgammon": "(;FF[4]GM[6];W[31hefe];B[42])",
}


@pytest.mark.parametrize("name", GAMES)
def test_positions_go_along_with_the_board(name: str) -> None:
    game = loads(GAMES[name], strict=False)[0]
    others: list[tuple[GameTree, list[Board]]] = []
    boards = [position.board.copy() for position in game.positions("all")]
    for symmetry in Symmetry:
        try:
            turned = [board.transformed(symmetry) for board in boards]
        except ValueError:
            continue
        others.append((game.transformed(symmetry), turned))
    others.append((game.recolored(), [board.recolored() for board in boards]))

    assert len(others) > 2
    for other, expected in others:
        assert [position.board.copy() for position in other.positions("all")] == expected
