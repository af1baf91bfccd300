"""Files of other kinds: they are named, and no games are found in them."""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib

import pytest

import sgf_lark


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("(;).sgf", "(;FF[4]GM[1]SZ[19];B[pd])" * 9)
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a(;)().txt"))
    return file.getvalue()


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0(;)\0()B[\xff];(;\0)" + zlib.compress(b"(;)" * 99)
GIF = b"GIF89a\x10\0\x10\0(;)\xff"

OTHER: dict[str, str | bytes] = {
    "KIF": "#KIF version=2.0 encoding=UTF-8\n先手：(;)\n1 7六歩(77)\n",  # noqa: RUF001
    "KIF in Shift_JIS": "手合割：平手\r\n1 ７六歩(77)".encode("shift_jis"),  # noqa: RUF001
    "CSA": "V2.2\nN+a\nN-b\nPI\n+\n+7776FU\n",
    "PGN": '[Event "x"]\n[Site "(;)"]\n\n1. e4 e5 (1... c5) 2. Nf3 1-0\n',
    "JSON": '{"game_id": 1, "moves": [[3,3,1200]], "name": "(;)"}',
    "JSON: a list": '[{"id": 1}, {"id": 2}]',
    "HTML": "<!DOCTYPE html>\n<html><body><script>for(;;){}</script>404</body></html>",
    "HTML in capitals": "\n<HTML><HEAD><TITLE>()</TITLE></HEAD></HTML>",
    "XML": '<?xml version="1.0"?><Go><GoGame/></Go>',
    "RTF": r"{\rtf1\ansi {\fonttbl (;)} x}",
    "PDF": b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n(;) Tj",
    "PNG": PNG,
    "JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01(;)()",
    "GIF": GIF,
    "WEBP": b"RIFF\x10\0\0\0WEBPVP8 ();",
    "ZIP": zipped(),
    "GZIP": b"\x1f\x8b\x08\0\0\0\0\0\0\x03(;)",
    "BZIP2": b"BZh91AY&SY()(;)",
    "XZ": b"\xfd7zXZ\0\0\x04()",
    "RAR": b"Rar!\x1a\x07\0()",
    "SEVEN_ZIP": b"7z\xbc\xaf'\x1c\0\x04();",
    "TAR": tarred(),
    "SQLITE": b"SQLite format 3\0\x10\0()",
    "OFFICE": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1()",
    "CODE": "#include <stdio.h>\nint main(void) { for(;;) { B[i] = f(A[i]); } }\n",
    "CODE: a remark": "/* C[i] */\nvoid f() { for (;;) ; }\n",
}


def data_of(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


@pytest.mark.parametrize("kind", OTHER)
def test_another_kind_of_file_is_named_and_has_no_games(kind: str) -> None:
    from sgf_lark.core.check.outside_games import OTHER_FILES

    read = sgf_lark.loads(data_of(OTHER[kind]), strict=False)

    (said,) = (one for one in read.diagnostics if one.code[0] != "E")
    words, help_ = OTHER_FILES[kind.partition(" ")[0].rstrip(":")]
    assert (said.name, said.help) == ("no-game-record", help_)
    assert said.message == f"this is {words}, not SGF or GGF"
    assert [*read] == []


@pytest.mark.parametrize("kind", OTHER)
def test_strict_loading_raises_for_another_kind_of_file(kind: str) -> None:
    with pytest.raises(sgf_lark.SgfSyntaxError):
        sgf_lark.loads(data_of(OTHER[kind]))


@pytest.mark.parametrize("kind", OTHER)
def test_games_that_come_one_by_one_say_the_same_of_another_kind_of_file(kind: str) -> None:
    data = data_of(OTHER[kind])
    read = sgf_lark.iter_games(io.BytesIO(data), strict=False)

    assert [*read] == []
    assert [one.code for one in sgf_lark.check(data) if one.code[0] == "S"] == ["S101"]


@pytest.mark.parametrize("kind", OTHER)
def test_a_game_inside_another_kind_of_file_is_read(kind: str) -> None:
    game = b"\n(;FF[4]GM[1]SZ[9];B[aa])\n"

    (read,) = sgf_lark.loads(data_of(OTHER[kind]) + game, strict=False, encoding="latin-1")[-1:]

    assert read.root["SZ"] == sgf_lark.loads(game)[0].root["SZ"]


@pytest.mark.parametrize(
    "text",
    [
        "int main() { for(;;) { f(x); } }",
        "while (()) {}",
        "a letter (with a smile ;) and some more (;",
        "if (;) then ( ) else",
        "see () or (;;)",
        "x(;)",
        "\0\1\2(;\0)\3()",
        "f(); g(a[i]);",
        "Lisp: ((a) (b) (;c))",
        "1. (2); [3]",
    ],
)
def test_brackets_without_a_property_behind_other_text_are_no_games(text: str) -> None:
    read = sgf_lark.loads(text, strict=False)

    assert [*read] == []
    assert [one.code for one in read.diagnostics if one.severity == "error"] == ["S101"]


@pytest.mark.parametrize(
    "text",
    [
        "(;)",
        " \n(;;)",
        "(;)x",
        "()(;)",
        "(; hello)",
        "x (;FF[4])",
        "x (FF[4])",
        "x (;GaMe[1])",
        "x ((;FF[4]))",
        "x (;) (;B[aa])",
        "x ( ) hm ( ; B[aa]",
        "3\n(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[a2];)",
        "<html>\n(;GM[1];B[aa])</html>",
        '{"sgf": "(;GM[1];B[aa])"}',
    ],
)
def test_what_begins_as_a_game_or_has_a_property_is_one(text: str) -> None:
    assert sgf_lark.loads(text, strict=False)
