"""Bytes to text: which encoding is chosen, and what is said about it."""

from __future__ import annotations

import codecs
import random
from itertools import product
from typing import TYPE_CHECKING

import pytest
from support.corpus import required
from support.damage import changed
from support.lanes import one_in
from support.timing import LIMIT, growth

import sgf_lark
from sgf_lark import fix_record, format_record
from sgf_lark.core.text import choice
from sgf_lark.core.text.byte_scan import declared_in
from sgf_lark.core.text.charset_names import fits
from sgf_lark.core.text.detection import kept
from sgf_lark.core.text.encoding import Decoded, Decoder, decode, decode_sections, encode

if TYPE_CHECKING:
    from collections.abc import Callable


#: How the files of the corpus that need more than ASCII and UTF-8 must be read, found out by
#: reading them: a part of the text that only the right encoding gives.
READ_BY_EYE = [
    ("broken/SabakiHQ-sgf__nihon-kiin.sgf", "cp932", "PC[韓国棋院]"),
    ("broken/analyze-sgf__t-encoding-cp949.sgf", "cp949", "PC[온라인]"),
    ("encodings/SabakiHQ-sgf__chinese.sgf", "gb18030", "PB[古力]"),
    ("encodings/SabakiHQ-sgf__japanese.sgf", "cp932", "PB[井山 裕太]"),
    ("encodings/SabakiHQ-sgf__korean.sgf", "cp949", "PB[이세돌]"),
    ("encodings/SabakiHQ-sgf__no-ca.sgf", "gb18030", "怎样攻击碰在黑壁上的白三子呢"),
    ("encodings/SabakiHQ-sgf__utf16le.sgf", "utf-16", "PW[Go Seigen]"),
    ("encodings/SabakiHQ-sgf__utf8bom.sgf", "utf-8-sig", "CA[UTF-8]"),
    ("encodings/fuego__1177582.sgf", "iso8859-1", "PW[Jan Hrabánek]"),
    ("encodings/gcao-sgf_parser__chinese_gb.sgf", "gb18030", "PW[骊山老媪]PB[刘仲甫]"),
    ("encodings/icehong-go__sample.sgf", "gb18030", "常昊执黑VS李昌镐"),
    ("encodings/icehong-go__test.sgf", "gb18030", "韩国第40届国手战"),
    ("encodings/maxiGos__Big5.sgf", "big5hkscs", "石田"),
    ("encodings/maxiGos__GB18030.sgf", "gb18030", "héhé 石田"),
    ("encodings/maxiGos__ISO-8859-1.sgf", "iso8859-1", "héhé"),
    ("encodings/maxiGos__Mingren-001-1F-1-ja-Shift_JIS.sgf", "cp932", "PW[劉小光]"),
    ("encodings/maxiGos__Mingren-001-1F-1-zh-hans-GB18030.sgf", "gb18030", "PW[刘小光]"),
    ("encodings/maxiGos__Mingren-001-1F-1-zh-hant-Big5.sgf", "big5hkscs", "PW[劉小光]"),
    ("encodings/maxiGos__NO-CHARSET.sgf", "iso8859-1", "héhé"),
    ("encodings/maxiGos__Shift_JIS.sgf", "cp932", "石田"),
    ("encodings/maxiGos__TV9x9-fr.sgf", "iso8859-1", "partie commentée"),
    ("encodings/maxiGos__longuest.sgf", "iso8859-1", "coups jouée"),
    ("encodings/maxiGos__mori-p13x13-fr.sgf", "iso8859-1", "seul à jouer"),
    ("encodings/maxiGos__mori-pc13x13-fr.sgf", "iso8859-1", "Début de partie"),
    ("encodings/maxiGos__p3-en.sgf", "iso8859-1", "N° 1"),
    ("encodings/maxiGos__p3-fr.sgf", "iso8859-1", "À Noir de jouer"),
    ("ff4-go/SabakiHQ-sgf__japanese_bad.sgf", "utf-8", "CA[MS_KANJI]"),
    ("large/SabakiHQ-sgf__fox_go_server_japanese.sgf", "utf-8", "PB["),
]


def rules(decoded: Decoded) -> list[str]:
    return [finding.name for finding in decoded.findings]


def marked(decoded: Decoded) -> list[str]:
    return [decoded.text[slice(*finding.span)] for finding in decoded.findings]


@pytest.mark.parametrize(
    ("record", "encoding"),
    [
        ("(;FF[4]GM[1];B[aa])", "ascii"),
        ("(;FF[4]CA[UTF-8];B[aa])", "utf-8"),
        ("(;FF[4]CA[gb2312];B[aa])", "gb18030"),
        ("(;FF[4]CA[foo];B[aa])", "ascii"),
        ("(;FF[4]CA[UTF-16];B[aa])", "ascii"),
        ("(;FF[4];B[aa]CA[UTF-8])", "ascii"),
        ("(;FF[4]CA[];B[aa])", "ascii"),
        ("(;FF[4]C[CA[UTF-8\\]];B[aa])", "ascii"),
        ("CA[Big5] (;FF[4])", "ascii"),
        ("(CA[UTF-8])(;FF[4]CA[ISO-8859-3])", "utf-8"),
        ("(;GM[Othello]PC[GGS]BO[8 ---];B[d3];)", "ascii"),
        ("", "ascii"),
    ],
)
def test_pure_ascii_needs_no_finding(record: str, encoding: str) -> None:
    assert decode(record.encode("ascii")) == (record, encoding, ())


@pytest.mark.parametrize(
    ("name", "codec", "encoding", "player"),
    [
        ("UTF-8", "utf-8", "utf-8", "이세돌"),
        ("utf8", "utf-8", "utf-8", "Jiří"),
        ("GB2312", "gb2312", "gb18030", "古力"),
        ("gb_2312-80", "gb2312", "gb18030", "常昊"),
        ("GBK", "gbk", "gb18030", "陶喆"),
        ("Big5", "big5", "big5hkscs", "張栩"),
        ("Shift_JIS", "cp932", "cp932", "髙尾紳路"),
        ("MS_Kanji", "cp932", "cp932", "依田紀基"),
        ("x-sjis", "cp932", "cp932", "趙治勲"),
        ("EUC-JP", "euc_jp", "euc_jp", "井山裕太"),
        ("EUC-KR", "euc_kr", "cp949", "박정환"),
        ("ks_c_5601-1987", "cp949", "cp949", "똠방각하"),
        ("ISO_8859-1:1987", "latin-1", "iso8859-1", "Gößwein"),
        ("windows-1252", "cp1252", "cp1252", "“Gó”"),
        ("ISO-8859-2", "iso8859-2", "iso8859-2", "Łukasz Żak"),
        ("windows-1251", "cp1251", "cp1251", "Шикшин"),
        ("ISO-2022-JP", "iso2022_jp", "iso2022_jp", "坂田栄男"),
    ],
)
def test_ca_names_the_encoding(name: str, codec: str, encoding: str, player: str) -> None:
    record = f"(;FF[4]CA[{name}]PB[{player}];B[aa])"
    assert decode(record.encode(codec)) == (record, encoding, ())


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-32-be"])
def test_a_second_byte_order_mark_is_text(codec: str) -> None:
    data = "\ufeff\ufeff(;FF[4]PB[\u674e])".encode(codec)

    assert decode(data).text == "\ufeff(;FF[4]PB[\u674e])"
    assert format_record(data).startswith("\ufeff\ufeff".encode(codec))


def test_what_the_caller_says_wins_over_ca_and_everything_else() -> None:
    record = "(;FF[4]CA[UTF-8]PB[古力])"
    assert decode(record.encode("gb2312"), "GB2312") == (record, "gb18030", ())
    assert decode(record.encode("utf-16-le"), "utf-16-le").text == record
    assert decode(codecs.BOM_UTF8 + record.encode(), "utf-8").text == record


@pytest.mark.parametrize("name", ["klingon", "base64", "", "a\0b", "GB 2312 or so"])
def test_a_name_of_no_encoding_is_the_callers_mistake(name: str) -> None:
    with pytest.raises(LookupError, match="give a name such as 'utf-8'"):
        decode(b"(;)", name)


def test_wrong_bytes_for_the_encoding_of_the_caller_are_findings() -> None:
    data = b"(;PB[Jos\xe9]PW[\xff\xfe])"
    decoded = decode(data, "utf-8")
    assert rules(decoded) == ["undecodable-bytes", "undecodable-bytes"]
    assert marked(decoded) == ["\U0010ffe9", "\U0010ffff\U0010fffe"]
    assert decoded.findings[1].message == "the bytes FF FE are no text in UTF-8"
    assert encode(decoded.text, "utf-8") == data


@pytest.mark.parametrize(
    ("mark", "codec", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
        (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
    ],
)
def test_a_byte_order_mark_decides_and_is_no_text(mark: bytes, codec: str, encoding: str) -> None:
    record = "(;FF[4]PB[古力])"
    assert decode(mark + record.encode(codec)) == (record, encoding, ())


def test_a_ca_that_contradicts_the_byte_order_mark_is_false() -> None:
    record = "(;FF[4]PB[古力]CA[Big5])"
    decoded = decode(codecs.BOM_UTF16_BE + record.encode("utf-16-be"))
    assert decoded[:2] == (record, "utf-16")
    assert (rules(decoded), marked(decoded)) == (["false-encoding"], ["Big5"])


def test_a_ca_that_agrees_with_the_byte_order_mark_is_true() -> None:
    record = "(;FF[4]CA[UTF16LE]PB[古力])"
    assert decode(codecs.BOM_UTF16_LE + record.encode("utf-16-le")).findings == ()
    record = "(;FF[4]CA[UTF-8]PB[古力])"
    assert decode(codecs.BOM_UTF8 + record.encode()).findings == ()


def test_utf16_without_a_mark_is_known_by_its_first_bracket() -> None:
    record = "(;FF[4]PB[古力])"
    decoded = decode(record.encode("utf-16-le"))
    assert decoded[:2] == (record, "utf-16-le")
    assert rules(decoded) == ["assumed-encoding"]


def test_half_a_utf16_character_at_the_end_is_kept_and_reported() -> None:
    decoded = decode(codecs.BOM_UTF16_LE + "(;)".encode("utf-16-le") + b")")
    assert decoded.text == "(;)\U0010ff29"
    assert rules(decoded) == ["undecodable-bytes"]


def test_utf8_without_ca_is_assumed_because_the_default_is_another() -> None:
    decoded = decode("(;FF[4]PB[古力]PW[李])".encode())
    assert decoded.encoding == "utf-8"
    (finding,) = decoded.findings
    assert finding.name == "assumed-encoding"
    assert finding.message == "no CA names the encoding; read as UTF-8"
    fix = finding.completed().fix
    assert fix is not None
    assert fix.safe
    assert fix.message == finding.help == "declare CA[UTF-8]"
    assert marked(decoded) == ["古"]


def test_latin1_without_ca_is_the_default_of_the_standard() -> None:
    record = "(;FF[4]C[Noir joue là où c'est déjà très serré])"
    assert decode(record.encode("latin-1")) == (record, "iso8859-1", ())


def test_bytes_that_latin1_has_no_letters_for_are_reported() -> None:
    decoded = decode("(;FF[4]C[l\u2019œuvre du maître])".encode("cp1252"))
    assert decoded.encoding == "cp1252"
    assert rules(decoded) == ["assumed-encoding"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "PB[李世石]PW[古力]"),
        ("gb18030", "C[这一手棋下得很好、白棋已经没有办法了]"),
        ("big5hkscs", "PB[張栩]PW[王立誠]C[黑先]"),
        ("big5hkscs", "C[這一手棋下得很好、白棋已經沒有辦法了]"),
        ("cp932", "PB[小林光一]PW[武宮正樹]"),
        ("cp932", "C[ここから黒が苦しくなりました]"),
        ("cp949", "PB[이창호]PW[조훈현]"),
        ("cp949", "C[백이 둔 수는 매우 좋은 수였다]"),
        ("euc_jp", "C[ここから黒が苦しくなりました]"),
        ("cp1251", "PB[Дмитрий Суров]"),
        ("koi8-r", "C[Чёрные начинают и выигрывают]"),
        ("iso8859-1", "PB[Jürgen Müßig]"),
        ("iso8859-1", "PB[François]"),
    ],
)
def test_short_texts_without_ca_are_read_right(encoding: str, text: str) -> None:
    record = f"(;FF[4]GM[1]SZ[19]{text};B[pd];W[dd];B[pq])"
    decoded = decode(record.encode(encoding))
    assert decoded[:2] == (record, encoding)


#: A sentence of each of ten languages with one, two and three letters beyond ASCII, and what each
#: is read as without CA: one letter alone leaves the standard's default to no other encoding.
DEFAULT = "iso8859-1"
SENTENCES = [
    ("latin-1", DEFAULT, DEFAULT, "Weiß ist stark", "Weiß für Anna", "Weiß für Übung"),
    ("latin-1", DEFAULT, DEFAULT, "partie annulée", "très serré", "là où il a joué"),
    ("latin-1", DEFAULT, DEFAULT, "el niño", "el niño pasó", "¿el niño pasó?"),
    ("latin-1", DEFAULT, DEFAULT, "João joga", "a 1ª lição", "a 1ª lição é"),
    ("latin-1", DEFAULT, DEFAULT, "price £5", "price £5 or ½", "5 µs cost £5 or ½"),
    ("latin-1", DEFAULT, DEFAULT, "svart förlorar", "spår på", "spår på åsen"),
    ("gb18030", DEFAULT, "gb18030", "play 黑 here", "play 黑棋 here", "play 黑棋子 here"),
    ("big5", DEFAULT, "big5hkscs", "play 白 here", "play 白先 here", "play 白先勝 here"),
    ("cp949", DEFAULT, "cp949", "play 흑 here", "play 흑이 here", "play 흑이다 here"),
    ("cp1251", DEFAULT, "cp1251", "play я here", "play да here", "play она here"),
]


#: First nodes of each format, and one that declares what is not true.
HEADS = ("FF[4]", "FF[3]", "FF[1]", "FF[4]CA[UTF-8]")


@pytest.mark.parametrize(("codec", "one", "several", "first", "second", "third"), SENTENCES)
def test_two_letters_speak_for_another_encoding_than_the_default_and_one_does_not(
    codec: str, one: str, several: str, first: str, second: str, third: str
) -> None:
    for head in HEADS:
        for text, encoding in ((first, one), (second, several), (third, several)):
            record = f"(;{head}GM[1]SZ[19]C[{text}];B[pd])"
            assert decode(record.encode(codec)).encoding == encoding, record


@pytest.mark.parametrize(
    ("codec", "encoding", "name"),
    [
        *(("gb18030", "gb18030", name) for name in ("李", "王", "张")),
        *(("big5", "big5hkscs", name) for name in ("林", "陳", "吳")),
        *(("cp949", "cp949", name) for name in ("김", "이")),
        *(("cp932", "cp932", name) for name in ("林", "森")),
    ],
)
def test_two_bytes_that_are_all_of_a_value_are_a_name(codec: str, encoding: str, name: str) -> None:
    record = f"(;FF[4]GM[1]PB[{name}]PW[x];B[pd])"
    assert decode(record.encode(codec))[:2] == (record, encoding)


@pytest.mark.parametrize(
    "text",
    [
        *("C[price £5]", "C[£5 or £6]", "C[£££]", "C[3 µs]", "C[5 µs or 6 µm]", "C[µs, £5]"),
        *("AB[le][pcº[od]", "C[1º e 2ª]", "C[x² ± 2]", "N[°°]", "C[© ®]", "C[§ 3]", "C[10 ¥]"),
        *("PB[Süßebier]", "PB[Núñez]PW[Yáñez]", "PB[João da Conceição]", "C[Être ou créée]"),
    ],
)
def test_signs_and_letters_of_latin1_are_read_as_such(text: str) -> None:
    for head in HEADS:
        record = f"(;{head}GM[1]{text};B[pd])"
        assert decode(record.encode("latin-1"))[:2] == (record, "iso8859-1")


def test_a_ggf_record_has_no_ca_and_is_guessed() -> None:
    record = "(;GM[Othello]PC[オセロ連盟]PB[村上健]PW[為則英司]TY[8]B[d3];)"
    assert decode(record.encode("cp932"))[:2] == (record, "cp932")


@pytest.mark.parametrize(
    ("codec", "encoding", "letters"),
    [
        ("cp932", "cp932", "表ソー十能構―"),
        ("big5", "big5hkscs", "功許蓋育擺"),
        ("gbk", "gb18030", "乗臷揬誠"),
    ],
)
@pytest.mark.parametrize("ca_first", [True, False])
def test_bytes_that_look_like_brackets_do_not_end_a_value(
    codec: str, encoding: str, letters: str, *, ca_first: bool
) -> None:
    assert {0x5B, 0x5C, 0x5D} & set(letters.encode(codec)), "the letters prove nothing"
    said, value = f"CA[{codec}]", f"PB[{letters}]"
    record = f"(;FF[4]{said + value if ca_first else value + said};B[aa])"
    assert decode(record.encode(codec)) == (record, encoding, ())


def test_a_ca_in_a_comment_says_nothing() -> None:
    record = "(;FF[4]C[Give CA[EUC-KR\\] there]CA[GB2312]PB[古力])"
    assert decode(record.encode("gb2312")) == (record, "gb18030", ())


def test_lower_case_in_an_identifier_does_not_count() -> None:
    record = "(;CharAs[GB2312]PB[古力])"
    assert decode(record.encode("gb2312")).findings == ()


def test_a_false_ca_is_marked_at_its_value() -> None:
    decoded = decode("(;PB[이세돌]CA[UTF-8]PW[박정환])".encode("cp949"))
    assert decoded.encoding == "cp949"
    (finding,) = decoded.findings
    assert finding.name == "false-encoding"
    assert finding.property == "CA"
    assert finding.message == "CA says UTF-8, but the bytes are not UTF-8; read as EUC-KR (Korean)"
    assert marked(decoded) == ["UTF-8"]


@pytest.mark.parametrize("name", ["ISO-8859-1", "GB2312", "Shift_JIS", "UTF-16"])
def test_utf8_under_a_false_ca_is_recognised(name: str) -> None:
    record = f"(;FF[4]CA[{name}]C[黑棋的这一手非常好]PB[Jiří])"
    decoded = decode(record.encode())
    assert decoded[:2] == (record, "utf-8")
    assert rules(decoded) == ["false-encoding"]


def test_two_letters_that_happen_to_be_utf8_do_not_make_a_ca_false() -> None:
    record = "(;FF[4]CA[GB2312]PB[模学])"
    data = record.encode("gb2312")
    assert data.decode("utf-8") != record, "the letters prove nothing"
    assert decode(data) == (record, "gb18030", ())


@pytest.mark.parametrize(
    "name", ["foo", "x" * 30, "hex", "rot13", "unicode_escape", "cp037", "idna", "../os", "鿿"]
)
def test_a_ca_that_names_no_usable_encoding_is_reported(name: str) -> None:
    record = f"(;FF[4]CA[{name}]C[ここから黒が苦しくなりました])"
    decoded = decode(record.encode("utf-8"))
    assert decoded[:2] == (record, "utf-8")
    assert (rules(decoded), marked(decoded)) == (["unknown-encoding"], [name])


@pytest.mark.parametrize(("name", "codec"), [("UTF-8", "utf-8"), ("GB2312", "gb18030")])
def test_a_few_damaged_letters_do_not_make_a_ca_false(name: str, codec: str) -> None:
    record = f"(;FF[4]CA[{name}]C[这一手棋下得很好、白棋已经没有办法了、黑棋中盘胜]"
    data = record.encode(codec) + b"N[\xff])"
    decoded = decode(data)
    assert decoded.text == record + "N[\U0010ffff])"
    assert (rules(decoded), marked(decoded)) == (["undecodable-bytes"], ["\U0010ffff"])
    assert encode(decoded.text, decoded.encoding) == data


@pytest.mark.parametrize(
    ("name", "codec", "player"),
    [
        ("UTF-8", "utf-8", "Müller"),
        ("UTF-8", "utf-8", "你若有"),
        ("UTF-8", "utf-8", "青木"),
        ("UTF-8", "utf-8", "Łukasz Żółć"),
        ("GB18030", "gb18030", "李昌镐"),
        ("Big5", "big5hkscs", "張栩"),
        ("EUC-KR", "cp949", "조훈현"),
        ("EUC-JP", "euc_jp", "依田 紀基"),
    ],
)
@pytest.mark.parametrize("damage", [b"\xff", b"\x80"])
def test_one_damaged_letter_beside_a_name_does_not_make_a_ca_false(
    name: str, codec: str, player: str, damage: bytes
) -> None:
    record = f"(;FF[4]CA[{name}]PB[{player}".encode(codec) + damage + b"]PW[x]BR[9p])"
    decoded = decode(record)

    assert f"PB[{player}" in decoded.text
    assert decoded.text.endswith("]PW[x]BR[9p])")
    assert not {"false-encoding", "swallowed-properties"} & {*rules(decoded)}


def test_a_letter_of_utf8_that_is_cut_in_half_swallows_no_bracket() -> None:
    record = "(;FF[4]CA[UTF-8]PB[你若有".encode()[:-1] + b"]BR[9p]PW[x])"
    decoded = decode(record)

    assert decoded.encoding == "utf-8"
    assert rules(decoded) == ["undecodable-bytes"]
    assert decoded.text.endswith("]BR[9p]PW[x])")


def test_a_charset_of_two_bytes_that_only_values_could_have_is_told_as_such() -> None:
    # FF[4], CA: the charset of texts; a file is read as a whole, and its brackets are ASCII.
    decoded = decode(b"(;FF[4]CA[UTF-16LE]PB[" + "Jos\u00e9".encode("utf-16-le") + b"])")

    assert rules(decoded) == ["false-encoding"]
    assert "the brackets are single bytes" in decoded.findings[0].message


def test_a_few_damaged_letters_do_not_hide_that_a_text_is_utf8() -> None:
    decoded = decode("(;FF[4]C[Le maître a joué là-bas, à côté]".encode() + b"N[\xff])")
    assert decoded.encoding == "utf-8"
    assert rules(decoded) == ["assumed-encoding", "undecodable-bytes"]


def test_what_can_be_read_is_not_utf16() -> None:
    record = "(;FF[4]CA[UTF-16]PB[José]C[très bien])"
    assert len(record) % 2 == 0, "an odd number of bytes proves nothing"
    decoded = decode(record.encode("latin-1"))
    assert decoded[:2] == (record, "iso8859-1")
    assert (rules(decoded), marked(decoded)) == (["false-encoding"], ["UTF-16"])


def test_a_letter_cut_in_half_does_not_spoil_the_guess() -> None:
    record = "(;FF[4]C[这一手棋下得很好、白棋已经没有办法了、黑棋中盘胜"
    decoded = decode(record.encode("gb18030") + b"\xba\n])")
    assert decoded.text.startswith(record)
    assert rules(decoded) == ["assumed-encoding", "undecodable-bytes"]


def test_of_many_damaged_places_the_rest_is_summed_up() -> None:
    decoded = decode(b"(;C[" + b"\xff." * 50 + b"])", "utf-8")
    assert len(decoded.findings) == 21
    assert decoded.findings[-1].message.endswith("in 30 more places, the last one here")


def test_games_of_one_file_are_read_by_their_own_ca() -> None:
    games = [
        ("(;FF[4]CA[GB2312]PB[古力])\n", "gb2312"),
        ("(;FF[4]CA[Shift_JIS]PB[表ソ]C[能(])\n", "cp932"),
        ("(;FF[4]PB[許功]CA[Big5])\n", "big5"),
        ("(;FF[4]CA[ISO-8859-1]PB[José](;B[aa])(;B[bb]))\n", "latin-1"),
        ("(;FF[4]CA[EUC-KR]PB[이세돌])", "euc_kr"),
    ]
    decoded = decode(b"".join(game.encode(codec) for game, codec in games))
    assert decoded.text == "".join(game for game, _ in games)
    assert decoded.encoding == "gb18030"
    assert rules(decoded) == ["several-encodings"]
    assert "Big5" in decoded.findings[0].message


@pytest.mark.parametrize("text", ["C[表]PB[ﾛ]", "C[\\表]"])
def test_a_game_does_not_end_in_the_middle_of_a_letter(text: str) -> None:
    games = [(f"(;CA[Shift_JIS]{text})\n", "cp932"), ("(;CA[UTF-8]PB[古力])", "utf-8")]
    decoded = decode(b"".join(game.encode(codec) for game, codec in games))
    assert decoded.text == "".join(game for game, _ in games)
    assert rules(decoded) == ["several-encodings"]


def test_games_in_ascii_are_in_the_encoding_of_the_others() -> None:
    record = "(;FF[4]CA[foo])(;FF[4]CA[GB2312]PB[古力])"
    assert decode(record.encode("gb2312")) == (record, "gb18030", ())


def test_a_ca_without_a_name_says_nothing() -> None:
    assert rules(decode("(;FF[4]CA[ ]PB[古力])".encode())) == ["assumed-encoding"]


def test_a_false_ca_in_a_later_game_is_marked_there() -> None:
    data = "(;CA[UTF-8]PB[古力])".encode() + "(;CA[EUC-JP]PB[Jürgen Müßig])".encode("latin-1")
    decoded = decode(data)
    assert decoded.text.endswith("PB[Jürgen Müßig])")
    assert sorted(rules(decoded)) == ["false-encoding", "several-encodings"]
    assert "EUC-JP" in marked(decoded)


@pytest.mark.timing
@pytest.mark.both_lanes
@pytest.mark.parametrize(
    "make",
    one_in(
        7,
        [
            lambda n: b"\xe9" + b"CA[" * n,
            lambda n: b"\xe9" + b"(;CA[" * n,
            lambda n: (
                "(;CA[GB2312]PB[古力])".encode("gb2312") * n + "(;CA[UTF-8]PB[古])".encode() * n
            ),
            lambda n: b"(;CA[Big5]PB[\xa5\x5c\xe9])(;CA[UTF-8]PW[\xe9\x81])" * n,
            lambda n: b"(;CA[Big5])(;CA[UTF-8])" + b"(;PW[\xe9\x81])" * n,
            lambda n: b"(;CA[Big5])(;CA[UTF-8]C[\xe9" + b"\\" * n,
            lambda n: b"(;CA[Big5])(;CA[UTF-8]\xe9" + b" A" * n,
            lambda n: b"(;CA[UTF-8]C[" + b"\xff" * n,
            lambda n: b"(;" + b"A" * n + b"CA",
            lambda n: b"(;" + b"A[" * n + b"CA",
            lambda n: b"(;" + b" Ca A[]" * n + b"CA[UTF-8]\xe9",
            lambda n: b"(" * n + b"CA",
            lambda n: b"Caaa" * n + b"A",
        ],
    ),
    ids=[
        *("CA[", "(;CA[", "turns", "lead-before-]", "no-CA", "backslashes", "letters", "bad"),
        *("name", "A[", "long names", "brackets", "half names"),
    ],
)
def test_time_grows_with_the_length_only(make: Callable[[int], bytes]) -> None:
    def work(count: int) -> Callable[[], object]:
        data = make(count)
        return lambda: decode(data)

    assert growth(work, 16_000) <= LIMIT


@pytest.mark.parametrize(("name", "encoding", "part"), READ_BY_EYE, ids=[r[0] for r in READ_BY_EYE])
def test_real_files_are_read_as_a_person_reads_them(name: str, encoding: str, part: str) -> None:
    decoded = decode((required() / name).read_bytes())
    assert decoded.encoding == encoding
    assert part in decoded.text


def test_every_byte_of_every_real_file_can_be_restored() -> None:
    files = [path for path in required().rglob("*") if path.suffix in {".sgf", ".ggf", ".mgt"}]
    assert files, "SGF_LARK_CORPUS holds no game records"
    for path in files:
        data = path.read_bytes()
        decoded = decode(data)
        assert encode(decoded.text, decoded.encoding) == data, path.name
        for finding in decoded.findings:
            assert 0 <= finding.span.start < finding.span.end <= len(decoded.text), path.name


def test_the_sections_of_a_file_give_its_text() -> None:
    data = b"(;FF[4]CA[HZ]PB[~{<:Ky~}])(;FF[4]CA[UTF-7]PB[+VvI-])(;FF[4]CA[ASCII]C[~~])"
    decoded, sections = decode_sections(data)

    assert decoded == decode(data)
    assert (decoded.encoding, decoded.text.count("~~")) == ("hz", 1)
    texts = [kept(data[start:end], codec) for start, end, codec in sections]
    assert "".join(texts) == decoded.text


def byte_by_byte(data: bytes) -> tuple[str, list[str]]:
    """Read a file of which each byte comes alone: its text, and names of findings."""
    decoder = Decoder()
    blocks = [(data[at : at + 1], False) for at in range(len(data))]
    text = "".join(decoder.texts(iter([*blocks, (b"", True)])))
    return text, [finding.name for finding in decoder.findings + decoder.end()]


def test_a_file_at_once_is_read_as_the_same_file_byte_by_byte() -> None:
    for text, codec in [
        ("(;FF[4]CA[GB18030]PB[聂卫平])(;FF[4]CA[GB18030]C[黑先 \\]])", "gb18030"),
        ("(;FF[4]CA[hz]PB[聂卫平])", "hz"),
        ("\ufeff(;FF[4]CA[GB18030]PB[聂卫平])", "gb18030"),
        ("\ufeff\ufeff(;FF[4]CA[GB18030]PB[聂卫平])", "utf-8"),
    ]:
        data = text.encode(codec)

        assert byte_by_byte(data)[0] == decode(data).text


#: Names in CA: of UTF-8, ASCII, charsets of one and two bytes, such that shift, and of none.
NAMES = (
    *("UTF-8", " utf8\n", "utf-8-sig", "ASCII", "ISO-8859-1", "GB2312", "Shift_JIS", "Big5"),
    *("HZ", "UTF-7", "ISO-2022-JP", "UTF-16", "utf-32", "cp037", "base64", "foo", "", " ", "x\\]"),
)

#: Root nodes around a CA, in which it is in its place or not.
ROOTS = (
    *("(;FF[4]{}SZ[9])", "( ; FF [4] [x\\]]\n{})", "(CA[UTF-8];{})", "(;SZ[19];{})", "({}"),
    *("(;C[{}])", "(;CA:{})", "(;xCA[Big5]{})", "(;CoA[UTF-8]{})", "(;N[\\]{}](;B[aa]))"),
    *("(;CA[]{})", "(;CA;[UTF-8]{})", "(;CA {})", "x(;{})(;CA[UTF-8]C[~])", "(;{})(;CA[GB2312])"),
    *("(;AB(){})", ")({})"),
)

#: Texts whose bytes are ASCII, UTF-8 or neither.
CONTENTS = (
    *(b"", b"plain ~{<:Ky~} +VvI- \x1b$B8k@P\x1b(B", "古力 é".encode(), "古力".encode("gb2312")),
    *(b"\xe9", "\ufeff".encode(), "\U0010ff41".encode(), "\U0010f000".encode(), b"\xf4\x8f"),
)


def leaves_no_choice(data: bytes) -> bool:
    """Return whether a file is ASCII or UTF-8, and all that it declares."""
    codecs = declared_in(data)
    if codecs & {"hz", "utf-7", "iso2022_jp"} or b"\x1b$" in data:
        return False
    return data.isascii() or (codecs == {"utf-8"} and fits(data, "utf-8") and not decode(data)[2])


def test_what_leaves_no_choice_is_decoded_so_at_once_and_byte_by_byte() -> None:
    certain = 0
    for root, name, content in product(ROOTS, NAMES, CONTENTS):
        for data in (root.format(f"CA[{name}]").encode() + content, root.encode() + content):
            if leaves_no_choice(data):
                text = data.decode("utf-8")
                assert (decode(data)[::2], byte_by_byte(data)) == ((text, ()), (text, [])), data
                certain += 1
    assert certain > len(ROOTS) * len(NAMES)


def test_ascii_and_declared_utf8_leave_no_choice() -> None:
    assert decode(b"(;FF[4];B[aa])") == ("(;FF[4];B[aa])", "ascii", ())
    for name in ("UTF-8", "utf8"):
        record = f"(;FF[4]GM[1]CA[{name}]PB[古力])"
        assert decode(record.encode()) == (record, "utf-8", ())


@pytest.mark.parametrize(
    ("name", "codec"), [("GB2312", "gb18030"), ("Shift_JIS", "cp932"), ("EUC-KR", "cp949")]
)
def test_nothing_is_guessed_where_ca_is_true(
    name: str, codec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def guess(*_: object) -> None:
        pytest.fail("the encoding was guessed")

    monkeypatch.setattr(choice, "guess", guess)
    player = "이창호" if codec == "cp949" else "一二三"
    assert decode(f"(;CA[{name}]PB[{player}])".encode(codec)).encoding == codec


@pytest.mark.parametrize(
    "name",
    ["常昊", "조훈현", "이창호", "Çelik", "Чигорин", "张三丰", "依田紀基", "Łęża", "علي"],
)
@pytest.mark.parametrize("more", ["", "EV[{}]", "EV[{}]PC[{}]C[{}]"])
def test_a_name_cut_inside_its_last_letter_is_still_the_utf8_of_ca(name: str, more: str) -> None:
    full = name if len(name[-1].encode()) > 1 else name + "é"
    cut = full.encode()[:-1].decode("latin-1")
    text = f"(;FF[4]GM[1]CA[UTF-8]PB[{cut}]PW[Lee]{more.format(cut, cut, cut)};B[pd])"

    collection = sgf_lark.loads(text.encode("latin-1"), strict=False)

    assert collection.encoding == "utf-8"
    assert str(collection[0].info.black.name).startswith(full[:-1])
    assert collection[0].info.white.name == "Lee"
    assert {one.code for one in collection.diagnostics if one.code[0] == "E"} == {"E404"}


def test_bytes_that_are_nearly_utf8_are_never_more_damaged_by_characters() -> None:
    dice = random.Random(12)  # noqa: S311  # no secret
    text = "黑é\U0010ff41\U00010000 a" * 3
    samples = [changed(text.encode(), dice) for _ in range(300)]
    samples += [text[:7].encode("gb18030") + dice.randbytes(6) for _ in range(300)]
    for sample in samples:
        for times in (1, 3):
            if choice._mostly_fits(sample, "utf-8", times):  # noqa: SLF001  # two ways
                assert choice._mostly_utf8(sample, times)  # noqa: SLF001


def test_a_stray_sign_of_latin1_under_utf8_is_saved_as_that_sign() -> None:
    fixed = fix_record(b"(;FF[4]CA[UTF-8]GM[1]C[price \xa35])", unsafe=True)

    assert [finding.code for finding in fixed.made] == ["E402"]
    assert fixed.data == "(;FF[4]CA[UTF-8]GM[1]C[price £5])".encode()
