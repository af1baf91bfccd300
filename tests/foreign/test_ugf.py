"""UGF: each line becomes its property; texts are made from descriptions, since files are few."""

from __future__ import annotations

import random

import pytest
from support import corpus

import sgf_lark

HEADER = {
    "Ver": "UGF3,200", "Lang": "UTF8", "Crypt": "0,PLAIN_UGF_FILE,READ_WRITE",
    "Title": "26th,Gosei,Title matches 5th game", "Place": "Tokyo",
    "Date": "2019/03/08,22:09:00,2019/03/09,07:16:59", "Rule": "JPN", "Size": "19",
    "Hdcp": "0,6.50", "Ptime": "N;60;0;0,N;60;0;0,0,0", "Winner": "B,7.50",
    "CoordinateType": "IGS", "PlayerB": "Aoki,7d,,aoki@example.org", "PlayerW": "Baba,九段,,",
}  # fmt: skip
DATA = "QP,B1,1,0\nDP,W1,2,0\nYA,B1,3,0\n"


def ugf(data: str = DATA, more: str = "", **changed: str) -> str:
    """Return a record with some headers changed; "-" leaves one out."""
    pairs = {**HEADER, **changed}
    lines = [f"{key}={value}" for key, value in pairs.items() if value != "-"]
    return "\n".join(["[Header]", *lines, "[Data]", data + more])


def root(text: str) -> dict[str, str]:
    (game,) = sgf_lark.loads(text, strict=False)
    return {prop.ident: " ".join(prop.raw) for prop in game.root.properties}


def test_each_header_becomes_its_property() -> None:
    said = root(ugf(Commentator="Chiba", Copyright="A paper", Comment="A title game"))

    assert {ident: raw for ident, raw in said.items() if ident not in {"FF", "GM", "CA"}} == {
        "SZ": "19", "PB": "Aoki", "BR": "7d", "PW": "Baba", "WR": "9d", "EV": "26th Gosei",
        "RO": "Title matches 5th game", "PC": "Tokyo", "DT": "2019-03-08,09", "RU": "Japanese",
        "KM": "6.5", "TM": "3600", "RE": "B+7.5", "AN": "Chiba", "CP": "A paper",
        "GC": "A title game",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "ident", "raw"),
    [
        ("Winner", "W,C", "RE", "W+R"),
        ("Winner", "B,T", "RE", "B+T"),
        ("Winner", "W,F2", "RE", "W+F"),
        ("Winner", "D,", "RE", "0"),
        ("Winner", "N1,", "RE", "Void"),
        ("Winner", "P,", "RE", None),
        ("Hdcp", "0,-5.50", "KM", "-5.5"),
        ("Hdcp", "0,0,50", "KM", "0.5"),
        ("Hdcp", "3,0.00", "HA", "3"),
        ("Title", "2019,PANDA-NET,", "EV", "2019 PANDA-NET"),
        ("Title", "(NoName)", "EV", None),
        ("Title", ",,", "EV", None),
        ("Rule", "CHN", "RU", "Chinese"),
        ("Date", "2001/08/20,,//,", "DT", "2001-08-20"),
        ("Ptime", "J;240;0;0,J;240;0;0,0,0", "TM", "14400"),
        ("Size", "13", "SZ", "13"),
    ],
)
def test_a_header_is_read_as_it_is_meant(name: str, value: str, ident: str, raw: str) -> None:
    assert root(ugf(**{name: value})).get(ident) == raw


def test_no_address_is_carried_over() -> None:
    collection = sgf_lark.loads(ugf())

    assert "@" not in sgf_lark.dumps(collection)
    assert "C753" in {one.code for one in sgf_lark.convert(collection, "ff4").diagnostics}


@pytest.mark.parametrize(("counting", "points"), [("IGS", "qd"), ("JPN", "qp"), ("-", "qp")])
def test_rows_count_as_the_header_says(counting: str, points: str) -> None:
    (game,) = sgf_lark.loads(ugf(CoordinateType=counting), strict=False)

    assert game.nodes[1].raw["B"] == (points,)


def test_a_place_that_begins_with_y_or_z_is_a_pass() -> None:
    (game,) = sgf_lark.loads(ugf(), strict=False)

    assert [str(move) for move in game.moves] == ["B R16", "W D16", "B pass"]


def test_entries_without_a_number_are_the_stones_of_the_handicap() -> None:
    said = root(ugf("PP,B1,0,0\nDD,B1,0,0\nQD,W1,1,0\n", Hdcp="2,0.00"))

    assert (said["HA"], said["AB"]) == ("2", "pd dp")


REVIEW = """[ReviewNode]
NODE,1,0,0,0
NODE,2,1,17,16
  VARIATION,
  NODE,7,2,4,4
  NODE,8,1,16,4
  VARIATIONEND,
NODE,3,2,4,16
[ReviewComment]
.Comment,1
Hello
.Comment,7
a better move
for White
"""


def test_a_review_adds_variations_and_comments() -> None:
    (game,) = sgf_lark.loads(ugf("QP,B1,1,0\nDP,W1,2,0\n", REVIEW), strict=False)

    assert [str(one) for one in game.moves_to("1.1/1")] == ["B R16", "W D4", "B Q4"]
    assert (game.root["C"], game.at("1.1")["C"]) == ("Hello", "a better move\nfor White")


FIGURE = "[Figure]\n.Text,1\n.#,17,16,A\na corner\n.EndText\n.Fig,1,1,1,19,19,0,0,0\n.EndFig\n"


def test_a_text_of_a_figure_is_the_comment_of_its_move() -> None:
    (game,) = sgf_lark.loads(ugf(more=FIGURE), strict=False)

    assert (game.nodes[1]["C"], game.nodes[1].raw["LB"]) == ("a corner", ("qd:A",))


def test_a_pair_plays_for_each_color() -> None:
    said = root(ugf("QP,B1,1,0\nDP,W2,2,0\n", PlayerB2="Chiba,1d,,", PlayerW2="Doi,2d,,"))

    assert (said["PB"], said["BR"]) == ("Aoki & Chiba", "7d & 1d")
    assert (said["PW"], said["WR"]) == ("Baba & Doi", "9d & 2d")


def test_a_ciphered_record_is_refused() -> None:
    collection = sgf_lark.loads(ugf(Crypt="1,SHUFFLED,READ_ONLY"), strict=False)

    assert (len(collection), [one.code for one in collection.diagnostics]) == (0, ["S120"])


@pytest.mark.parametrize(
    ("language", "codec"), [("SJIS", "cp932"), ("UTF8", "utf-8"), ("-", "cp932")]
)
def test_the_header_names_the_encoding(language: str, codec: str) -> None:
    text = ugf(Lang=language, PlayerB="青木,七段,,")
    collection = sgf_lark.loads(text.encode(codec), strict=False)

    assert (collection.encoding, collection[0].info.black.name) == (codec, "青木")
    assert sgf_lark.loads(sgf_lark.dumps(collection))[0].info.black.name == "青木"


def test_a_line_that_is_no_entry_is_left_out_and_told() -> None:
    collection = sgf_lark.loads(ugf("QP,B1,1,0\nnonsense\n"), strict=False)

    assert [one.code for one in collection.diagnostics] == ["S120"]


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_record_gives_findings_and_no_exception(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311  # the same every time
    lines = ugf(more=REVIEW + FIGURE).splitlines(keepends=True)
    for _ in range(250):
        text = [*"".join(line for line in lines if dice.random() > 0.1)]
        for _ in range(dice.randint(0, 5)):
            at = dice.randrange(len(text))
            text[at : at + dice.randint(0, 4)] = dice.choice(["", "\x00", "[", "\n", ",", "9", "="])
        assert all(one.code and one.line for one in sgf_lark.check("".join(text).encode()))


def test_a_real_game_has_its_moves() -> None:
    (game,) = sgf_lark.load(corpus.record("ugf/SabakiHQ-Sabaki__amateur.ugf"), check=True)
    said = {prop.ident: prop.raw[0] for prop in game.root.properties}

    assert [said[ident] for ident in ("PB", "PW", "BR", "WR", "DT", "RE", "KM")] == [
        *("kaziwami", "YINNI", "7d", "8d", "2019-03-08,09", "B+7.5", "-5.5"),
    ]
    assert (len(game.moves), str(game.moves[0]), game.moves[-1].value) == (
        *(254, "B R16", sgf_lark.Point(13, 8)),
    )


def test_a_real_review_has_its_variations() -> None:
    (game,) = sgf_lark.load(corpus.record("ugf/SabakiHQ-Sabaki__review.ugi"), check=True)

    assert [node.path for node in game if len(node.children) > 1] == ["53", "55"]
    assert [len(game.mainline_from(path)) for path in ("53.1", "55.1")] == [27, 7]
    assert len(game.moves) == 222
    assert sum("C" in node for node in game) == 5
