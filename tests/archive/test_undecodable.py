"""Texts in tables whose bytes are no text, and characters that only their writers know."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.built_archives import built, rows

CUT = {
    "utf-8, cut": ("UTF-8", "张三丰".encode()[:-1], "张三��"),
    "utf-8, cut more": ("UTF-8", "张三丰".encode()[:-2], "张三�"),
    "utf-8, of Korean": ("UTF-8", "이창호".encode()[:-1], "이창��"),
    "utf-8, of Arabic": ("UTF-8", "علي".encode()[:-1], "عل�"),
    "utf-8, of Russian": ("UTF-8", "Чигорин".encode()[:-1], "Чигори�"),
    "utf-8, of Japanese": ("UTF-8", "依田紀基".encode()[:-2], "依田紀�"),
    "euc-kr": ("EUC-KR", "이창호".encode("euc-kr") + b"\xff", "이창호�"),
}
PRIVATE = {
    "shift_jis": ("Shift_JIS", "武\ue000".encode("cp932"), "武\ue000"),
    "gb18030": ("GB18030", "\ue000张".encode("gb18030"), "\ue000张"),
    "utf-8": ("UTF-8", "\ue001abc\uf8ff".encode(), "\ue001abc\uf8ff"),
}


def write(charset: str, name: bytes) -> None:
    head = b"(;FF[4]GM[1]SZ[19]CA[%s]" % charset.encode()
    info = b"PB[%s]PW[Lee]EV[%s]" % (name, name)
    Path("games").mkdir()
    Path("games", "a.sgf").write_bytes(head + info + b";B[pd]C[%s];W[dp])" % name)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("charset", "name", "shown"), CUT.values(), ids=CUT)
def test_a_byte_that_is_no_text_is_u_fffd_in_every_table(
    charset: str, name: bytes, shown: str
) -> None:
    write(charset, name)

    built()

    (game,) = rows("out", "games")
    assert (game["black"], game["event"], game["white"]) == (shown, shown, "Lee")
    assert [row["comment"] for row in rows("out", "moves")] == [shown, None]
    assert {row["code"] for row in rows("out", "findings")} >= {"E404"}


@pytest.mark.parametrize(("charset", "name", "shown"), PRIVATE.values(), ids=PRIVATE)
def test_private_characters_are_text(charset: str, name: bytes, shown: str) -> None:
    write(charset, name)

    built()

    (game,) = rows("out", "games")
    assert (game["black"], game["event"]) == (shown, shown)
    assert "E404" not in {row["code"] for row in rows("out", "findings")}
