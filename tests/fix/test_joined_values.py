"""Several values where one is allowed: which become one safely, and which go back to MI."""

from __future__ import annotations

import pytest

import sgf_lark

FF4, FF3, FF1 = "(;FF[4]GM[1]", "(;FF[3]GM[1]", "(;FF[1]GM[1]"
MATCH = "(;FF[4]GM[6]MI[length:7]"


def fixed(text: str, *, unsafe: bool = False) -> str:
    return sgf_lark.fix_record(text.encode(), unsafe=unsafe).data.decode()


@pytest.mark.parametrize("head", [FF4, FF3, FF1])
@pytest.mark.parametrize("name", ["C", "GC"])
def test_texts_of_many_lines_become_one_safely(head: str, name: str) -> None:
    assert f"{name}[a\n\nb]" in fixed(f"{head}{name}[a][b])")
    assert f"{name}[a\n\nb]" in fixed(f"{head}{name}[a]{name}[b])")


@pytest.mark.parametrize("head", [FF4, FF3, FF1])
@pytest.mark.parametrize("name", ["PB", "PW", "BR", "EV", "RO", "PC", "SO", "US", "GN", "N"])
def test_names_become_one_only_by_an_unsafe_fix(head: str, name: str) -> None:
    text = f"{head}{name}[a][b])"

    assert f"{name}[a][b]" in fixed(text)
    assert f"{name}[a b]" in fixed(text, unsafe=True)
    assert f"{name}[a]{name}[b]" in fixed(f"{head}{name}[a]{name}[b])")
    assert f"{name}[a]" in fixed(f"{head}{name}[a][a])")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{MATCH}PB[x][game:1])", f"{MATCH}[game:1]PB[x])"),
        (f"{MATCH}PW[o]PB[x][game:1][ws:0][bs:0])", f"{MATCH}[game:1][ws:0][bs:0]PW[o]PB[x])"),
        (f"{MATCH}PW[a][game:1]PB[b][ws:0][bs:3])", f"{MATCH}[game:1][ws:0][bs:3]PW[a]PB[b])"),
        (f"{MATCH}DT[2001-01-01][GAME:1])", f"{MATCH}[GAME:1]DT[2001-01-01])"),
        (f"{MATCH}EV[x][bs:2])", f"{MATCH}[bs:2]EV[x])"),
        (f"{MATCH}RE[B+1][ws:6])", f"{MATCH}[ws:6]RE[B+1])"),
        (f"{MATCH}AP[x:1][game:2])", f"{MATCH}[game:2]AP[x:1])"),
        (f"{MATCH}TM[60][game:2])", f"{MATCH}[game:2]TM[60])"),
        # a name of two values stays one
        (f"{MATCH}PB[x][y][game:1])", f"{MATCH}[game:1]PB[x y])"),
        # MI itself is lost
        ("(;FF[4]GM[6]PB[x][length:7][game:1])", "(;FF[4]GM[6]MI[length:7][game:1]PB[x])"),
    ],
)
def test_parts_of_the_match_after_another_property_go_back_to_it(text: str, wanted: str) -> None:
    assert fixed(text) == text
    assert fixed(text, unsafe=True) == wanted


@pytest.mark.parametrize(
    "text",
    [
        f"{MATCH}PB[x][length:5])",  # MI says another one
        f"{MATCH}PB[x][game:1][game:2])",
        f"{MATCH}PB[x][games:1])",  # no such tag
        f"{MATCH}PB[x][game:one])",
        f"{MATCH}PB[game:1][x])",
        "(;FF[4]GM[1]PB[x][game:1])",  # Go has no MI
        "(;FF[4]GM[6];B[31];W[42]N[x][game:1])",  # no game info is here
    ],
)
def test_what_is_no_part_of_the_match_does_not(text: str) -> None:
    assert fixed(text) == text
    assert "MI" not in fixed(text, unsafe=True).replace("MI[length:7]P", "")


def test_a_comment_may_say_what_a_match_says() -> None:
    assert fixed(f"{MATCH}C[x][game:1])") == f"{MATCH}C[x\n\ngame:1])"
