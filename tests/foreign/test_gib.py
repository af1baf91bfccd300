"""GIB: each header becomes its property, each message a move; a damaged record gives findings."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from types import MappingProxyType

import pytest
from support import corpus

import sgf_lark

HEADERS = {
    "GIBOKIND": "Global",
    "GAMENAME": "Rank",
    "GAMEDATE": "2024- 5- 1- 9- 7- 3",
    "GAMEPLACE": "a hall",
    "GAMEWHITENAME": "Aoki Ken (5D)",
    "GAMEWHITENICK": "aoki",
    "GAMEBLACKNAME": "Baba (1K)",
    "GAMEBLACKNICK": "baba",
}
MAIN = "GTIME:600-30-3,GRLT:4,ZIPSU:0,DUM:0,GONGJE:65,TCNT:3"
MOVES = ("STO 0 2 1 15 3", "STO 0 3 2 3 3", "STO 0 4 1 15 15")


def gib(
    moves: tuple[str, ...] = MOVES,
    *,
    main: str = MAIN,
    stones: int = 0,
    after: str = "",
    without: tuple[str, ...] = (),
    more: Mapping[str, str] = MappingProxyType({}),
    **changed: str,
) -> str:
    """Return a record with some headers changed."""
    headers = {**HEADERS, "GAMEINFOMAIN": main, **changed, **more}
    lines = [f"\\[{name}={value}\\]" for name, value in headers.items() if name not in without]
    game = ["2 1 0", f"{len(moves) + 1} 0 &4", f"INI 0 1 {stones} &4 ", *moves]
    return "\n".join(["\\HS", *lines, "\\HE", "\\GS", *game, "\\GE", after])


def read(text: str | bytes) -> sgf_lark.Collection:
    collection = sgf_lark.loads(text, strict=False)
    assert len(collection) == 1
    return collection


def root(text: str | bytes) -> dict[str, str]:
    """Return the values of the first node, joined by a blank."""
    props = read(text)[0].root.properties
    return {one.ident: " ".join(one.raw) for one in props if one.ident not in {"FF", "GM", "CA"}}


def written(text: str) -> str:
    """Return all after the first node."""
    return re.split(r"(?=;)", sgf_lark.dumps(read(text), style="compact"), maxsplit=2)[2]


def found(text: str | bytes) -> list[tuple[str, int | None]]:
    return [(one.code, one.line) for one in read(text).diagnostics]


def test_each_header_becomes_its_property() -> None:
    assert root(gib()) == {
        "SZ": "19", "GN": "Rank", "PC": "a hall", "DT": "2024-05-01", "PB": "Baba", "BR": "1k",
        "PW": "Aoki Ken", "WR": "5d", "KM": "6.5", "TM": "600", "OT": "3x30 byo-yomi", "RE": "W+R",
    }  # fmt: skip
    assert found(gib()) == []


def test_a_stone_is_counted_from_the_top_left() -> None:
    text = gib()
    (game,) = sgf_lark.loads(text)

    assert [str(move) for move in game.moves] == ["B Q16", "W D16", "B Q4"]
    span = game.nodes[2].properties[0].span
    assert span is not None
    assert text[span.start :].startswith(MOVES[1])


SHORT = "GTIME:600-30-3,GRLT:1,ZIPSU:245,DUM:0,GONGJE:65"
ALL = tuple(HEADERS)
LATER = {
    "GAMEINFOSUB": "GNAME:Cup, final,GDATE:2025-01-18-16-38-32,GPLC:www.example.com,GCMT:a, b",
    "WUSERINFO": "WID:Aoki ,WLV:26,WNICK:*oki",
    "BUSERINFO": "BID:,BLV:17,BNICK:baba",
}


def test_a_short_header_says_the_same_in_lists_whose_texts_may_hold_commas() -> None:
    assert root(gib(main=SHORT, without=ALL, more=LATER)) == {
        "SZ": "19", "GN": "Cup, final", "PC": "www.example.com", "DT": "2025-01-18", "PB": "baba",
        "BR": "1k", "PW": "Aoki", "WR": "9d", "KM": "6.5", "TM": "600", "OT": "3x30 byo-yomi",
        "RE": "W+24.5", "GC": "a, b",
    }  # fmt: skip


def test_tags_are_the_last_choice() -> None:
    tags = "S0,R2,D0,G0,W3,Z0,T30-3-600,\t\tC2020:08:21:22:55,\t\tI:Aoki,L:18,M:Baba, Jo,N:0,J:0"
    text = gib(main="AUSZ:0", without=ALL, GAMETAG=tags).replace("INI", "xxx")

    assert root(text) == {
        "SZ": "19", "DT": "2020-08-21", "PB": "Baba, Jo", "BR": "18k", "PW": "Aoki", "WR": "1d",
        "KM": "0", "TM": "600", "OT": "3x30 byo-yomi", "RE": "B+R", "HA": "2", "AB": "pd dp",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        *(("Baba (4D)", "4d"), ("Baba(7단)", "7d"), ("Baba (1급)", "1k"), ("Baba(初段)", "1d")),
        *(("Baba (9P)", "9p"), ("Baba (9DP)", "9p"), ("Baba(3级)", "3k")),
    ],
)
def test_a_rank_is_in_brackets_after_the_name(name: str, rank: str) -> None:
    said = root(gib(GAMEBLACKNAME=name, GAMEBLACKLEVEL="3"))

    assert (said["PB"], said["BR"]) == ("Baba", rank)


@pytest.mark.parametrize(
    ("level", "rank"),
    [
        *(("0", "18k"), ("17", "1k"), ("18", "1d"), ("26", "9d"), ("27", "1p"), ("35", "9p")),
        *(("5段", "5d"), ("baba", None), ("", None)),
    ],
)
def test_a_rank_is_a_code_or_words(level: str, rank: str | None) -> None:
    assert root(gib(GAMEBLACKNAME="Baba", GAMEBLACKLEVEL=level)).get("BR") == rank


def test_brackets_without_a_rank_belong_to_the_name() -> None:
    said = root(gib(GAMEBLACKNAME="Baba (Jo)"))

    assert (said["PB"], said.get("BR")) == ("Baba (Jo)", None)


@pytest.mark.parametrize(
    ("code", "margin", "result"),
    [
        *((0, 40, "B+4"), (1, 245, "W+24.5"), (2, 0, "0"), (3, 0, "B+R"), (4, 0, "W+R")),
        *((5, 0, "B+F"), (6, 0, "W+F"), (7, 0, "B+T"), (8, 0, "W+T"), (255, 0, None)),
    ],
)
def test_a_result_is_a_code_and_a_margin(code: int, margin: int, result: str | None) -> None:
    text = gib(main=f"GRLT:{code},ZIPSU:{margin}", GAMERESULT="white wins by time")

    assert root(text).get("RE") == result
    assert found(text) == []


def test_a_win_by_points_without_a_margin_is_reported() -> None:
    text = gib(main="GRLT:0,ZIPSU:0")

    assert root(text)["RE"] == "B+"
    assert found(text) == [("S123", 10)]


@pytest.mark.parametrize(
    ("words", "result"),
    [
        *(("white 24.5 win", "W+24.5"), ("black 4 points win", "B+4"), ("흑 시간승", "B+T")),
        *(("white wins by disconnection", "W+F"), ("黑1目半胜", "B+1.5"), ("백 불계승", "W+R")),
    ],
)
def test_a_result_in_words_counts_without_a_code(words: str, result: str) -> None:
    assert root(gib(main="AUSZ:0", GAMERESULT=words))["RE"] == result


@pytest.mark.parametrize(
    ("main", "komi"),
    [
        ("DUM:0,GONGJE:65", "6.5"),
        ("DUM:5,GONGJE:0", "-5"),
        ("DUM:0,GONGJE:0", "0"),
        ("GONGJE:75", "7.5"),
    ],
)
def test_komi_is_in_tenths_and_what_white_gives_is_less_than_nothing(main: str, komi: str) -> None:
    assert root(gib(main=main))["KM"] == komi


@pytest.mark.parametrize(
    ("time", "main", "periods"),
    [
        ("GTIME:1200-30-3", "1200", "3x30 byo-yomi"),
        ("GTIME:60000-0-0", "60000", None),
        ("GTIME:每方限时: 无", None, None),
        ("AUSZ:0", "4200", "1x20 byo-yomi"),
    ],
)
def test_time_is_in_seconds_or_in_words(time: str, main: str | None, periods: str | None) -> None:
    words = "" if "无" in time else "1시간 10분 : 20초 초읽기 1회"
    said = root(gib(main=time, GAMETIME=words, GAMETAG="T20-1-0"))

    assert (said.get("TM"), said.get("OT")) == (main, periods)


@pytest.mark.parametrize(
    ("date", "day"),
    [
        *(("2020- 8- 4-11- 7-47", "2020-08-04"), ("2025-01-18-16-38-32", "2025-01-18")),
        *(("2014年7月2日 下午 7:15", "2014-07-02"), ("2014-7-2", "2014-07-02")),
    ],
)
def test_a_date_has_its_day_and_the_time_of_day_is_lost(date: str, day: str) -> None:
    collection = read(gib(GAMEDATE=date))
    assert collection.foreign is not None

    assert collection[0].root["DT"] == sgf_lark.loads(f"(;FF[4]DT[{day}])")[0].root["DT"]
    assert ("the time of day" in dict(collection.foreign.lost)) == (len(date) > len("2014-7-2"))


@pytest.mark.parametrize(
    ("stones", "points"),
    [(0, None), (1, None), (2, "pd dp"), (3, "pd dp dd"), (5, "pd dp dd pp jj")],
)
def test_the_stones_of_a_handicap_are_on_their_points(stones: int, points: str | None) -> None:
    said = root(gib(("STO 0 2 2 15 15",), stones=stones))

    assert (said.get("HA"), said.get("AB")) == (None if points is None else str(stones), points)


def test_a_size_is_read_and_a_stone_off_the_board_is_left_out() -> None:
    text = gib(("STO 0 2 1 8 8", "STO 0 3 2 9 9"), main=f"{MAIN},LINE:9")

    assert (root(text)["SZ"], written(text)) == ("9", ";B[ii])")
    assert ("S120", 17) in found(text)


@pytest.mark.parametrize(
    ("stones", "moves", "sgf"),
    [
        (0, ("SKI 0 2 ", "STO 0 3 2 3 3"), ";B[];W[dd])"),
        (2, ("SKI 0 2", "SKI 0 3"), ";W[];B[])"),
        (0, (*MOVES[:2], "SKI 0 4", "SKI 0 5"), ";B[pd];W[dd];B[];W[])"),
    ],
)
def test_a_pass_is_of_the_player_who_did_not_move_last(
    stones: int, moves: tuple[str, ...], sgf: str
) -> None:
    assert written(gib(moves, stones=stones)) == sgf


def test_messages_that_are_no_moves_are_lost_once() -> None:
    text = gib((*MOVES, "REM 0 5 -1 -1 0 1", "REM 0 5 3 3 1 0", "SUR 0 6 1", "IDX 0 7"))
    collection = read(text.replace("&4 ", "&4hello"))
    assert collection.foreign is not None

    assert [what for what, _ in collection.foreign.lost] == [
        "the text after INI",
        "the count at the end",
        "the message that a player resigned",
        "what nobody has described, such as AUSZ",
        "the time of day",
    ]
    assert not collection.diagnostics


def test_a_move_that_was_perhaps_taken_back_is_kept_and_reported() -> None:
    text = gib((*MOVES, "WIT 0 5 1"))

    assert len(read(text)[0].moves) == 3
    assert found(text) == [("S123", 19)]


def test_a_game_ends_at_its_end() -> None:
    text = gib(after="STO 0 5 2 9 9\nSTO 0 6 1 9 9\n")

    assert written(text) == ";B[pd];W[dd];B[pp])"
    assert found(text) == [("S120", 20)]


REMARKS = r"""\RS
\[REFSUSUN=1\]
\[REFEXPLAIN=a remark[
of two lines\]
\[REFEXPLAIN=another\]
\[REFGIBO=
STO 0 2 1 15 3
STO 0 3 2 15 15
SKI 0 4
\]
\RE
\RS
\[REFSUSUN=0\]
\[REFEXPLAIN=at the beginning\]
\[REFGIBO=
STO 0 2 1 3 3
\]
\RE
\RS
\[REFSUSUN=99\]
\[REFEXPLAIN=at the end\]
\RE
"""


def test_remarks_are_comments_and_variations() -> None:
    text = gib(after=REMARKS)

    assert root(text)["C"] == "at the beginning"
    assert written(text) == (
        ";B[pd]C[a remark[\nof two lines\nanother](;W[dd];B[pp]C[at the end])(;W[pp];B[]))(;B[dd]))"
    )
    assert found(text) == []


def test_a_variation_leaves_the_game_after_its_move_at_the_latest() -> None:
    same = "\n".join(MOVES)
    text = gib(after=f"\\RS\n\\[REFSUSUN=2\\]\n\\[REFGIBO=\n{same}\n\\]\n\\RE\n")

    assert written(text) == ";B[pd];W[dd](;B[pp])(;B[pp]))"


def test_the_game_reads_its_moves_alone_where_a_remark_is_damaged() -> None:
    for damaged in ("STO 0 2 1 9 9", "\\[REFSUSUN=x\\]", "\\[REFEXPLAIN=x", "\\[REFGIBO=\nx\n\\RE"):
        text = gib(after=f"\\RS\n{damaged}\n")
        assert written(text).count(";") == len(MOVES)
        assert [code for code, _ in found(text)] == ["S120"] * ("EXPLAIN" in damaged or 1)


@pytest.mark.parametrize(
    ("kind", "codec"),
    [
        *(("Korea", "cp949"), ("China", "gb18030"), ("Taiwan", "big5"), ("Japan", "cp932")),
        *((kind, "utf-8") for kind in ("Korea", "China", "Taiwan", "Global")),
    ],
)
def test_the_encoding_is_utf_8_or_that_of_the_branch(kind: str, codec: str) -> None:
    names = {"Korea": "타이젬 바둑", "China": "弈城围棋", "Taiwan": "圍棋", "Japan": "囲碁"}
    name = names.get(kind, "弈城围棋")
    collection = read(gib(GIBOKIND=kind, GAMEPLACE=name).encode(codec))

    assert (collection.encoding, collection[0].info.place) == (codec, name)
    assert not collection.diagnostics


def test_a_short_header_names_the_branch_by_a_number() -> None:
    text = gib(main="GBKIND:0,GTYPE:0", without=ALL, GAMEINFOSUB="GPLC:타이젬 바둑")

    assert root(text.encode("cp949"))["PC"] == "타이젬 바둑"


def test_a_byte_order_mark_and_text_before_the_record_are_no_part_of_it() -> None:
    text = gib()

    assert root(b"\xef\xbb\xbf" + text.encode()) == root("\ufeff" + text) == root(text)
    assert root("\n\n" + text + "\0\0") == root(text)
    assert found("some words\n" + text) == [("S120", 1)]
    for ends in ("\r\n", "\r"):
        assert root(text.replace("\n", ends)) == root(text)


def test_a_nick_that_was_read_as_utf_16_is_mended_and_a_name_is_better() -> None:
    spoilt = b"baba".decode("utf-16-le") + "1"
    user = f"BID:{spoilt},BLV:17,BNICK:x"

    assert found(gib(BUSERINFO=user)) == []
    text = gib(without=("GAMEBLACKNAME", "GAMEBLACKNICK"), BUSERINFO=user)
    assert root(text)["PB"] == "baba1"
    assert found(text) == [("S123", 9)]
    chinese = gib(without=("GAMEBLACKNAME", "GAMEBLACKNICK"), BUSERINFO=user, GIBOKIND="China")
    assert root(chinese)["PB"] == spoilt


def test_a_nick_of_korean_letters_read_as_latin_is_not_used() -> None:
    without = ("GAMEBLACKNAME", "GAMEBLACKNICK")
    text = gib(without=without, BUSERINFO="BID:\xc0\xb1\xb9\xcc,BNICK:baba")

    assert root(text)["PB"] == "baba"
    assert found(text) == [("S121", 9)]


def test_a_text_that_an_earlier_copy_has_spoilt_is_left_out_and_reported_once() -> None:
    text = gib(GAMENAME="\ufffd\ufffdx", GAMEINFOSUB="GNAME:\ufffd\ufffdx")

    assert "GN" not in root(text)
    assert found(text) == [("S121", 3)]
    broken = gib(GAMEPLACE="xyz").encode().replace(b"xyz", b"\xb4\xeb")
    assert "PC" not in root(broken)
    assert ("S121", 5) in found(broken)


def test_a_lost_line_moves_the_nick_into_the_level_and_the_name_has_the_rank() -> None:
    changed = {"GAMEWHITELEVEL": "aoki", "GAMEWIMAG": "", "WUSERINFO": "WID:aoki,WLV:13,WIMSG:"}
    text = gib(without=("GAMEWHITENICK",), more=changed)

    assert (root(text)["PW"], root(text)["WR"]) == ("Aoki Ken", "5d")
    assert found(text) == []


def test_a_value_goes_over_lines_and_one_without_its_end_ends_before_the_next_part() -> None:
    assert root(gib(GAMECOMMENT="one,\ntwo"))["GC"] == "one,\ntwo"
    for header in ("GAMECOMMENT=a remark", "GAMEINFOSUB=GCMT:a remark"):
        text = gib().replace("\\[GAMEPLACE=a hall\\]", f"\\[{header}")
        assert root(text)["GC"] == "a remark"
        assert found(text) == [("S120", 5)]


def test_a_header_that_cannot_be_read_is_in_the_game_comment() -> None:
    text = gib(GAMEDATE="yesterday")

    assert root(text)["GC"] == "yesterday"
    assert found(text) == [("S121", 4)]


def test_a_cut_record_is_reported() -> None:
    text = gib(main="TCNT:211")
    assert found(text) == [("S122", 10)]

    cut = text[: text.index("STO 0 4") + 8].replace("TCNT:211", "TCNT:2")
    assert len(read(cut)[0].moves) == 2
    assert [code for code, _ in found(cut)] == ["S120", "S122"]


def test_a_record_of_gib_is_not_read_as_another_format_that_is_asked_for() -> None:
    (said,) = sgf_lark.loads(gib(), strict=False, format="ff4").diagnostics

    assert (said.code, said.help) == ("S101", "read it without a format")


def test_numbers_of_any_length_and_long_texts_are_read_or_reported() -> None:
    digits, blanks = "9" * 5_000, " " * 20_000
    for main in ("DUM", "GONGJE", "GRLT", "GTIME", "TCNT", "LINE", "GRLT:0,ZIPSU"):
        assert len(read(gib(main=f"{main}:{digits}"))[0].moves) == len(MOVES)
    assert root(gib(GAMEDATE=f"{digits}-1-1"))["GC"] == f"{digits}-1-1"
    assert root(gib(GAMEWHITENAME=f"a{blanks}b (4D)"))["WR"] == "4d"
    assert [code for code, _ in found(gib((f"STO 0 2 1 {digits} 3",), main="TCNT:0"))] == ["S120"]


#: What is put into a damaged record.
DAMAGE = ("", "\x00", "\\]", "\\[", "\n", "STO", "\\GE", "\\RS\n", "흑", ",", "9")


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_record_gives_findings_and_no_exception(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311  # the same every time
    tags = {"GAMETAG": "S0,R3,T30-3-600,\t\tC2020:08:21,I:a,L:5"}
    lines = gib(after=REMARKS, stones=3, more={**LATER, **tags}).splitlines(keepends=True)
    for _ in range(250):
        damaged = [line for line in lines if dice.random() > 0.1]
        if dice.random() > 0.5:
            damaged.insert(dice.randrange(len(damaged)), dice.choice(damaged))
        text = list("".join(damaged))
        for _ in range(dice.randint(0, 4)):
            at = dice.randrange(len(text))
            text[at : at + dice.randint(0, 3)] = dice.choice(DAMAGE)
        collection = sgf_lark.loads("".join(text), strict=False)
        assert len(collection) == 1
        assert all(one.code not in {"S101", "S199"} and one.line for one in collection.diagnostics)


#: What the samples say, as the notes on the formats have it: the properties of the first node that
#: are named, the number of moves, the first ones and the last one.
SAMPLES: Mapping[str, tuple[str, str, str, str, int, str]] = {
    "SabakiHQ-Sabaki__euc-kr": (
        "PB PW BR WR DT RE KM TM OT PC",
        "dustkd1015 dongjik 1k 1k 2015-08-29 B+T 6.5 1200 3x30_byo-yomi 타이젬_바둑",
        ";B[qc];W[dp];B[qo]", ";B[be]", 49, "HA",
    ),
    "SabakiHQ-Sabaki__gb2312": (
        "PB PW BR WR DT RE KM HA AB",
        "石下之臣 harpmaster 2d 3d 2012-11-22 W+11 0 5 pd_dp_dd_pp_jj",
        ";W[qn];B[nq];W[qf]", ";B[di]", 268, "TM OT",
    ),
    "SabakiHQ-Sabaki__utf8": (
        "PB PW BR WR DT KM HA AB", "jy512 leejw977 15k 10k 2016-03-26 -5 3 pd_dp_dd",
        ";W[pp];B[nq];W[qn]", ";B[ki]", 118, "RE",
    ),
    "Ekenstein-gib2sgf__Menskit-1D_zxcv2358-1D_202006291602": (
        "PB PW BR WR DT RE KM", "zxcv2358 Menskit 1d 1d 2020-06-29 W+24.5 6.5",
        ";B[dp];W[pd];B[dd]", ";B[];W[]", 262, "HA",
    ),
    "Ekenstein-gib2sgf__Menskit-4D_W_003ej9-4D_202009051109": (
        "PB PW BR WR DT RE KM TM OT",
        "W_003ej9 Menskit 4d 4d 2020-09-05 W+F 6.5 300 1x30_byo-yomi",
        ";B[pd];W[dp];B[op]", ";B[if]", 59, "HA",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_a_real_record_says_what_was_read_by_hand(name: str) -> None:
    idents, values, first, last, count, absent = SAMPLES[name]
    (game,) = sgf_lark.load(corpus.record(f"gib/{name}.gib"), strict=False, check=True)
    said = {one.ident: " ".join(one.raw).replace(" ", "_") for one in game.root.properties}
    _, _, *moves = re.split(r"(?=;)", sgf_lark.dumps(game, style="compact"))

    assert [said[ident] for ident in idents.split()] == values.split()
    assert not said.keys() & {*absent.split()}
    assert "".join(moves).startswith(first)
    assert "".join(moves).endswith(f"{last})")
    assert len(game.moves) == count


REAL = corpus.every_record(but=lambda which: not which.startswith("gib/"))


@REAL
def test_a_real_record_has_legal_moves_and_is_complete(which: str) -> None:
    (game,) = sgf_lark.load(corpus.record(which), strict=False, check=True)
    codes = {one.code for one in game.diagnostics}

    assert codes <= {"S121"}  # spoilt by an earlier copy
    assert len(game.moves) > 1


def test_a_header_that_cannot_be_read_is_told_where_another_one_says_the_same() -> None:
    text = gib(main=MAIN.replace("GRLT:4", "GRLT:993"), more={"GAMETAG": "S0,R0,D0,G65,W4,Z0"})
    (found,) = (one for one in read(text).diagnostics if one.code == "S121")

    assert root(text)["RE"] == "W+R"
    assert text[found.offset : found.end_offset] == "993"
    assert "GC" not in root(text)
