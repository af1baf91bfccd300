"""Brackets come before CA: no encoding, declared or not, takes the end of most values."""

from __future__ import annotations

import pytest

import sgf_lark

NAMES = {
    "cp1250": ("Żółć", "Łukasz Śnieg", "Dvořák Jiří", "Kiss Győző", "Čapek"),
    "cp1251": ("Иванов", "Щербаков Юрий", "Жёлтый", "Петро Їжак"),
    "koi8-r": ("Иванов", "Щербаков Юрий", "Эйдельман"),
    "cp1253": ("Αλέξης", "Γιώργος Ψαράς"),
    "cp1254": ("Şükrü Gözde", "İğne"),
    "cp1255": ("משה כהן", "דוד"),
    "cp1256": ("محمد علي", "خالد"),
    "cp874": ("สมชาย ใจดี", "ประยุทธ"),
    "cp949": ("이세돌", "박정환", "신진서 9단"),
    "gb18030": ("古力", "柯洁", "连笑 九段", "聂卫平"),
    "big5": ("周俊勳", "許家元", "張栩", "林海峰 九段"),
    "cp932": ("井山裕太", "ソース", "表示", "一力 遼", "ゾラ"),
    "euc_jp": ("井山裕太", "武宮正樹"),
    "cp1252": ("Müller", "Núñez", "Sørensen Åge", "Garçon"),
}
CUT = {
    "GB2312": ("李昌镐", "常昊", "马晓春"),
    "GBK": ("張栩", "李昌镐"),
    "GB18030": ("古力九段", "李昌镐"),
    "Big5": ("張栩", "王銘琬", "周俊勳"),
    "Shift_JIS": ("武宮正樹", "小林光一", "依田紀基"),
    "EUC-KR": ("조훈현", "이창호"),
    "EUC-JP": ("武宮正樹", "小林光一"),
    "UTF-8": ("常昊", "조훈현"),
}
CODECS = {"Shift_JIS": "cp932", "GB2312": "gb18030", "Big5": "cp950"}


def nodes(name: bytes, charset: str) -> tuple[list[list[str]], bool]:
    """Return the names of the properties of each node, and whether something was reported."""
    head = f"(;FF[4]GM[1]{charset and f'CA[{charset}]'}SZ[19]".encode()
    data = head + b"PB[%s]PW[Lee];B[pd]N[%s];W[dd])" % (name, name)
    collection = sgf_lark.loads(data, strict=False)
    (game,) = collection
    assert game.info.white.name == "Lee"
    return [list(node) for node in game], bool(collection.diagnostics)


@pytest.mark.parametrize(
    "charset",
    [*("", "UTF-8", "GBK", "GB2312", "Big5", "Shift_JIS", "EUC-KR", "ISO-8859-1"), "KOI8-R"],
)
@pytest.mark.parametrize("codec", NAMES)
def test_a_name_has_its_end_whatever_ca_says(codec: str, charset: str) -> None:
    for name in NAMES[codec]:
        found, _ = nodes(name.encode(codec), charset)

        assert found[0][-3:] == ["SZ", "PB", "PW"]
        assert found[1:] == [["B", "N"], ["W"]]


@pytest.mark.parametrize("charset", CUT)
def test_a_name_that_was_cut_inside_a_character_has_its_end_and_a_finding(charset: str) -> None:
    for name in CUT[charset]:
        cut = name.encode(CODECS.get(charset, charset))[:-1]
        found, is_reported = nodes(cut, charset)

        assert found[0][-2:] == ["PB", "PW"]
        assert found[1:] == [["B", "N"], ["W"]]
        assert is_reported


@pytest.mark.parametrize("charset", ["GB2312", "GBK", "Big5", "Shift_JIS"])
def test_one_cut_name_does_not_make_a_ca_false_that_many_values_confirm(charset: str) -> None:
    codec = CODECS.get(charset, charset)
    name, text = "周俊".encode(codec), "白先手中國日本大石死活".encode(codec)
    head = f"(;FF[4]GM[1]CA[{charset}]SZ[19]".encode()
    comments = b"".join(b";B[pd]C[%s];W[dd]C[%s]" % (text, text) for _ in range(5))

    collection = sgf_lark.loads(head + b"PB[%s]" % name[:-1] + comments + b")", strict=False)

    assert "白先手中國日本大石死活" in {node.get("C") for node in collection[0]}
