"""Text between properties: lines and marks go by a safe fix, other text goes into a comment."""

from __future__ import annotations

import pytest

import sgf_lark

HEAD = "(;FF[4]GM[1]CA[UTF-8]SZ[9]"


def fixed(text: str, *, unsafe: bool = False) -> str:
    return sgf_lark.fix_record(text.encode(), unsafe=unsafe).data.decode()


MARKS = [
    *("---", "===", "* * *", "____", "~~~", ",", ".", "...", "|", "//", "\\", ":", "'", '"', "`"),
    *("\N{EM DASH}", "\N{HORIZONTAL ELLIPSIS}", "\N{IDEOGRAPHIC FULL STOP}", "\N{FULLWIDTH COMMA}"),
    *("\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 9, "\N{NO-BREAK SPACE}", "\N{IDEOGRAPHIC SPACE}"),
    *("\N{ZERO WIDTH SPACE}", "\N{ZERO WIDTH NO-BREAK SPACE}", "\0", "\x1a", "\N{BULLET}"),
]

TEXTS = [
    *("?!", "!!", "hello", "1.", "2:", "good move", "a = b", "\N{BLACK STAR}", "好手", "+"),
    *("50%", "\N{THUMBS UP SIGN}", "@", "#12", "\N{FULLWIDTH QUESTION MARK}", "x\\y"),
]


@pytest.mark.parametrize("mark", MARKS)
def test_a_safe_fix_removes_marks_that_say_nothing(mark: str) -> None:
    assert fixed(f"{HEAD};B[ee]\n{mark}\n;W[cc];B[gg])") == f"{HEAD};B[ee]\n;W[cc];B[gg])"


@pytest.mark.parametrize("mark", ["---", ",", "\0", "| |"])
@pytest.mark.parametrize(
    "text",
    [
        "{head}{mark};B[ee])",
        "{head};B[ee]{mark}C[x])",
        "{head};B[ee]{mark})",
        "{head};{mark}B[ee])",
        "{head}(;B[ee]){mark}(;B[cc]))",
        "{head}(;B[ee])(;B[cc]){mark})",
        "(;FF[3]GM[1]SZ[9];B[ee]{mark};W[cc])",
        "(;GM[1]SZ[9];B[ee]{mark};W[cc])",
        "(;FF[4]GM[11]SZ[9];B[a1]{mark};W[b2])",
    ],
)
def test_marks_go_wherever_they_stand(text: str, mark: str) -> None:
    assert fixed(text.format(head=HEAD, mark=mark)) == text.format(head=HEAD, mark="")


@pytest.mark.parametrize("text", TEXTS)
def test_no_safe_fix_touches_other_text(text: str) -> None:
    record = f"{HEAD};B[ee] {text} ;W[cc])"

    assert fixed(record) == record


@pytest.mark.parametrize("text", TEXTS)
def test_an_unsafe_fix_moves_other_text_into_the_comment(text: str) -> None:
    new = fixed(f"{HEAD};B[ee] {text} ;W[cc])", unsafe=True)
    (game,) = sgf_lark.loads(new)

    assert game.nodes[1]["C"] == text
    assert [node.path for node in game.walk() if "C" in node] == [game.nodes[1].path]


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (";B[ee]C[x] hm ;W[cc]", ";B[ee]C[x\nhm] ;W[cc]"),
        (";B[ee] hm C[x];W[cc]", ";B[ee] C[x\nhm];W[cc]"),
        (";B[ee] one TR[ee] two ;W[cc]", ";B[ee] TR[ee]C[one\ntwo] ;W[cc]"),
        ("; hm B[ee];W[cc]", "; B[ee]C[hm];W[cc]"),
        ("(;B[ee]) hm (;B[cc])", "(;B[ee]C[hm]) (;B[cc])"),
        (";B[ee] -- hm -- ;W[cc]", ";B[ee]C[-- hm --] ;W[cc]"),
        (";B[ee] -- ;W[cc] hm ;B[gg]", ";B[ee] ;W[cc]C[hm] ;B[gg]"),
    ],
)
def test_the_comment_is_that_of_the_node_before(text: str, new: str) -> None:
    assert fixed(f"{HEAD}{text})", unsafe=True) == f"{HEAD}{new})"


def test_a_record_of_ggf_gets_its_own_kind_of_comment() -> None:
    board = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
    text = f"(;GM[Othello]{board}B[d3]{{}}W[c3];)"

    assert fixed(text.format(" -- ")) == text.format(" ")
    assert fixed(text.format(" hm "), unsafe=True) == text.format("CO[hm] ")


@pytest.mark.parametrize(
    "text",
    ["AB[aa],[bb]", "AB--[aa]", "B[ee] [x] y", "PB---[x]", "C[a]---[b]", "B[ee]-x[1]", "SZ[1]-9]"],
)
def test_text_beside_values_is_left_to_a_person(text: str) -> None:
    record = f"{HEAD};{text};W[cc])"

    assert "-" not in text or "-" in fixed(record, unsafe=True)
    assert "," not in text or "," in fixed(record, unsafe=True)


def test_formatting_and_converting_go_on_after_the_fix() -> None:
    data = f"{HEAD};B[ee]\n---\n;W[cc])".encode()
    with pytest.raises(sgf_lark.SgfSyntaxError):
        sgf_lark.format_record(data)

    fixed_data = sgf_lark.fix_record(data).data
    assert b"---" not in sgf_lark.format_record(fixed_data)
    assert sgf_lark.convert(sgf_lark.loads(fixed_data), "ff3")[0].nodes[2]["W"]


def test_many_texts_of_one_node_take_one_fix() -> None:
    words = "".join(f" TR[{one}{one}] word " for one in "abcdefgh")
    made = sgf_lark.fix_record(f"{HEAD};B[ee]{words};W[cc])".encode(), unsafe=True).made

    assert len({one.fix.message for one in made if one.fix and one.code == "S102"}) == 1
