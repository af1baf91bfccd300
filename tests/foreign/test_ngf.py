"""NGF: each kind of line becomes its property, and a damaged record gives findings."""

from __future__ import annotations

import random

import pytest
from support import corpus

import sgf_lark

LINES = (
    *("Rated game", "19", "Aoki Ken    9DP", "Baba        7D*", "www.cyberoro.com"),
    *("0", "0", "6", "20170316 [09:37]", "10", "Black wins by 0.5!", "2"),
)
MOVES = ("PMABBREER", "PMACWEEEE")


def ngf(moves: tuple[str, ...] = MOVES, **changed: str) -> str:
    """Return a record with some lines changed: ``_11="..."`` is the eleventh."""
    lines = [changed.get(f"_{number}", line) for number, line in enumerate(LINES, 1)]
    return "\n".join([*lines, *moves, ""])


def root(text: str) -> dict[str, tuple[str, ...]]:
    (game,) = sgf_lark.loads(text, strict=False)
    return {prop.ident: prop.raw for prop in game.root.properties}


def test_each_line_of_the_header_becomes_its_property() -> None:
    said = root(ngf())

    assert {ident: raws for ident, raws in said.items() if ident not in {"FF", "GM", "CA"}} == {
        "SZ": ("19",), "GN": ("Rated game",), "PW": ("Aoki Ken",), "WR": ("9p",), "PB": ("Baba",),
        "BR": ("7d*",), "PC": ("www.cyberoro.com",), "KM": ("6.5",), "DT": ("2017-03-16",),
        "TM": ("600",), "RE": ("B+0.5",),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("White wins by  resign!", "W+R"),
        ("White wins by resi", "W+R"),
        ("Black loses on time", "W+T"),
        ("흑 불계승", "B+R"),
        ("250수 흑7집승", "B+7"),
        ("백 7집반승", "W+7.5"),
        ("197手完、黒中押し勝ち", "B+R"),
        ("白 時間", "W+T"),
        ("White wins by 34!>>White(58):Black(92)", "W+34"),
        ("Progressing!", None),
    ],
)
def test_a_result_in_words_says_who_and_how(words: str, result: str | None) -> None:
    assert root(ngf(_11=words)).get("RE") == (None if result is None else (result,))


def test_a_result_that_names_nobody_stands_in_the_game_comment() -> None:
    collection = sgf_lark.loads(ngf(_11="a draw?"), strict=False)

    assert root(ngf(_11="a draw?"))["GC"] == ("a draw?",)
    assert [(one.code, one.line) for one in collection.diagnostics if one.code == "S121"] == [
        ("S121", 11)
    ]


def test_an_event_in_the_first_line_is_no_kind_of_game() -> None:
    said = root(ngf(_1="Oza, final"))

    assert (said["EV"], said.get("GN")) == (("Oza, final",), None)


@pytest.mark.parametrize(
    ("stones", "points"),
    [("2", "pd dp"), ("3", "pd dp dd"), ("5", "pd dp dd pp jj"), ("6", "pd dp dd pp dj pj")],
)
def test_the_stones_of_a_handicap_stand_on_their_points(stones: str, points: str) -> None:
    said = root(ngf(_6=stones, _8="0"))

    assert (said["HA"], " ".join(said["AB"]), said["KM"]) == ((stones,), points, ("0",))


def test_a_move_knows_its_place_in_the_file() -> None:
    text = ngf()
    (game,) = sgf_lark.loads(text)

    assert [str(move) for move in game.moves] == ["B R16", "W D16"]
    span = game.nodes[1].properties[0].span
    assert span is not None
    assert text[span.start : span.start + 9] == "PMABBREER"


@pytest.mark.parametrize("move", ["PMACWDDDE", "PMACWADDA", "no move"])
def test_a_line_that_is_no_move_is_left_out_and_told(move: str) -> None:
    collection = sgf_lark.loads(ngf(moves=(MOVES[0], move)), strict=False)

    assert [(one.code, one.line) for one in collection.diagnostics if one.code == "S120"] == [
        ("S120", 14)
    ]
    assert len(collection[0].moves) == 1
    with pytest.raises(sgf_lark.SgfSyntaxError):
        sgf_lark.loads(ngf(moves=(MOVES[0], move)))


def test_two_letters_a_on_both_places_are_a_pass() -> None:
    assert sgf_lark.loads(ngf(moves=("PMABBAAAA",)), strict=False)[0].moves[0].point is None


def test_a_record_with_fewer_moves_than_it_says_is_cut() -> None:
    codes = {one.code for one in sgf_lark.loads(ngf(_12="211"), strict=False).diagnostics}

    assert "S122" in codes


def test_the_old_chinese_form_has_its_header_behind_tags() -> None:
    tags = "韩国十段战 朴承华_初段 李载雄_五段 . . 2006-9-5 19 0 0 6 2".replace(".", "").split(" ")
    lines = [f"GI{tag.replace('_', ' ')}" for tag in tags]
    text = "\n".join([*lines, *MOVES, "GI1", "IDB[2] 黑中盘胜[EndTxt]", ""])
    collection = sgf_lark.loads(text.encode("gb18030"), strict=False)
    said = {prop.ident: prop.raw[0] for prop in collection[0].root.properties}

    assert collection.encoding == "gb18030"
    assert (said["EV"], said["PW"], said["WR"], said["PB"], said["BR"], said["RE"]) == (
        *("韩国十段战", "朴承华", "1d", "李载雄", "5d", "B+R"),
    )


#: What is put into a damaged record.
DAMAGE = ("", "\x00", "]", "\n", "PM", "흑", "A")


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_record_gives_findings_and_no_exception(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311  # the same every time
    lines = ngf().splitlines(keepends=True)
    for _ in range(250):
        damaged = [line for line in lines if dice.random() > 0.1]
        text = list("".join(damaged))
        for _ in range(dice.randint(0, 4)):
            at = dice.randrange(len(text))
            text[at : at + dice.randint(0, 3)] = dice.choice(DAMAGE)
        report = sgf_lark.check("".join(text).encode())
        assert all(one.code and one.line for one in report)


#: What the samples say, as the notes on the formats have it: players, result, handicap, moves.
SAMPLES = {
    "even": ("CYY", "LQC", "B+0.5", None, 333, "B R16"),
    "gb2312": ("李载雄", "朴承华", "B+R", None, 211, "B R16"),
    "handicap2": ("p81587", "ace550", "W+R", "2", 189, "W Q3"),
    "pro_game_1": ("Lin.H.C", "Kobayashi.", "W+R", None, 244, "B R16"),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_real_record_has_its_players_its_result_and_legal_moves(name: str) -> None:
    path = corpus.record(f"ngf/SabakiHQ-Sabaki__{name}.ngf")
    (game,) = sgf_lark.load(path, strict=False, check=True)
    said = {prop.ident: prop.raw[0] for prop in game.root.properties}

    assert (
        *map(said.get, ("PB", "PW", "RE", "HA")), len(game.moves), str(game.moves[0])
    ) == SAMPLES[name]  # fmt: skip
    assert not [one for one in game.diagnostics if one.severity.value == "error"]
