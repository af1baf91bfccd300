"""Games that are read one by one: the same games, with no more of the file in memory."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from support.lanes import one_in
from support.places import ROOT
from support.streams import GAME, Bits, Endless, key, opened, told

import sgf_lark
from sgf_lark import SgfError, iter_games, loads
from sgf_lark.core.text import stream

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.elsewhere


def equal(data: bytes, size: int, **options: Any) -> None:
    """What comes in bits is what comes at once."""
    whole = loads(data, strict=False, **options)
    games, diagnostics = told(iter_games(opened(Bits(data, size)), strict=False, **options))

    assert games == list(whole)
    assert diagnostics == sorted(whole.diagnostics, key=key)
    for one, other in zip(games, whole, strict=True):
        assert [node.span for node in one.walk()] == [node.span for node in other.walk()]


FILES = {
    "several games": "junk (;FF[4]N[a])\n\nhm ) (;FF[4]N[b]KM[x])\r\n\r(;GM[1]SZ[9]N[c])rest",
    "never closed": "(;FF[4]N[a])(;FF[4]N[b](;B[aa]\n(;FF[4]N[c];W[bb])",
    "value never closed": "(;FF[4]N[a])\n(;FF[4]N[b];B[aa]C[x)\n(;FF[4]N[c])",
    "no game": "\n no game at all\n",
    "nothing": "",
    "empty trees": "()(;FF[4])(())x",
    "white space": "( ;FF[4]N[a] ) \n ( ;FF[4]N[b]\n;B[zz9])",
    "ggf": "3\n(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[a2];)\n(;GM[Othello]B[d3];) hm\n(;GM[x",
    "no encoding named": "(;FF[4]N[a])\n(;FF[4]PB[青木]PW[박]C[ワワ])",
    "encoding named": "(;FF[4]CA[UTF-8]N[a])\n(;FF[4]PB[青木]KM[x])",
}


@pytest.mark.parametrize("size", one_in(3, [7, 1, 1 << 16]))
@pytest.mark.parametrize("which", FILES)
def test_what_comes_in_bits_is_what_comes_at_once(
    which: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BLOCK", size)

    equal(FILES[which].encode(), size)
    equal(FILES[which].encode("utf-8-sig"), size)
    equal(FILES[which].encode("utf-16"), size)
    equal(FILES[which].encode("gb18030"), size)
    equal(FILES[which].encode("utf-8"), size, encoding="euc-jp")


@pytest.mark.parametrize("size", one_in(4, [7, 1, 20, 1 << 16]))
@pytest.mark.parametrize("which", FILES)
def test_a_file_that_lets_nobody_wait_is_read_as_at_once(
    which: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BLOCK", size)
    text = FILES[which]

    for data in (text.encode(), text.encode("utf-16"), text.encode("gb18030")):
        whole = loads(data, strict=False)
        games, diagnostics = told(iter_games(io.BytesIO(data), strict=False))
        assert games == list(whole)
        assert diagnostics == sorted(whole.diagnostics, key=key)
    games, _ = told(iter_games(io.StringIO(text), strict=False))
    assert games == list(loads(text, strict=False))


def test_an_error_after_the_last_game_shows_its_line_as_load_does() -> None:
    record = "(;FF[4]CA[GB2312]PB[古力]PW[柯洁])".encode("gb2312") + b"\x89"
    with pytest.raises(SgfError) as of_load:
        loads(record)
    with pytest.raises(SgfError) as of_games:
        list(iter_games(io.BytesIO(record)))

    assert str(of_games.value) == str(of_load.value).replace("<string>", "<stream>")


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_wide_encoding_that_is_asked_for_needs_no_mark(encoding: str, size: int) -> None:
    for codec in (encoding, f"{encoding}-le" if sys.byteorder == "little" else f"{encoding}-be"):
        equal(FILES["encoding named"].encode(codec), size, encoding=encoding)


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_each_game_is_read_by_its_own_encoding(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BLOCK", size)
    games = [
        b"(;FF[4]N[first])",
        "(;FF[4]CA[GB18030]PB[聂卫平]C[黑先 \\]])".encode("gb18030"),
        "(;FF[4]CA[Shift_JIS]PB[表示]C[ソ])".encode("shift_jis"),
        b"(;FF[4]CA[UTF-8]PB[\xff\xfe])",
        b"(;FF[4]N[last])",
    ]

    equal(b"\n".join(games), size)


def test_an_encoding_that_changes_far_behind_is_noticed() -> None:
    first = f"(;FF[4]CA[UTF-8]PB[青木]C[{'譜' * 9_000}])\n" * 20
    second = "(;FF[4]CA[Big5]PB[圍棋])\n" * 10
    games = iter_games(io.BytesIO(first.encode() + second.encode("big5")), strict=False)
    names = [game.root["PB"] for game in games]

    assert names == ["青木"] * 20 + ["圍棋"] * 10
    assert [(one.code, one.line) for one in games.diagnostics] == [("E405", 1)]


def test_damage_is_told_game_by_game_and_no_more_than_is_useful() -> None:
    data = ("(;FF[4]CA[UTF-8]PB[青木青木青木".encode() + b"\xff])\n") * 30
    games = iter_games(io.BytesIO(data), strict=False)
    codes = [[said.code for said in game.diagnostics] for game in games]

    assert codes == [["E404"]] * 20 + [[]] * 10
    assert [(one.code, one.line) for one in games.diagnostics] == [("E404", 30)]


# ---- when games come ----


def test_a_game_comes_before_the_next_one_is_written() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as source, open(writing, "wb", buffering=0) as target:  # noqa: PTH123  # descriptors
        games = iter_games(source)
        for number in range(3):
            target.write(GAME.format(number).encode())
            assert next(games).root["PB"] == str(number)
        target.close()
        assert list(games) == []


def test_the_file_is_read_as_games_are_asked_for() -> None:
    file = Endless(GAME.format(number).encode() for number in range(1_000_000))
    games = iter_games(opened(file))

    assert [game.root["PB"] for game in islice(games, 100)] == [str(one) for one in range(100)]
    assert file.given <= 1 << 17
    games.close()
    with pytest.raises(StopIteration):
        next(games)


def test_what_stands_behind_the_last_game_is_told_by_the_iterator() -> None:
    games = iter_games(io.StringIO("(;FF[4])\nhm(;FF[4])\nthe end"), strict=False)

    assert next(games).diagnostics == ()
    assert [one.message for one in next(games).diagnostics] == ["text between the games is skipped"]
    assert not games.diagnostics
    assert list(games) == []
    assert [(said.line, said.message) for said in games.diagnostics] == [
        (3, "text after the last game is skipped")
    ]
    nothing = iter_games(io.StringIO("no game"), strict=False)
    assert list(nothing) == []
    assert [said.code for said in nothing.diagnostics] == ["S101"]


def test_an_error_far_behind_shows_its_line() -> None:
    text = GAME.format("x" * 200) * 500 + "\n\t(;FF[4]\nKM[big])"
    games = iter_games(io.BytesIO(text.encode()))
    with pytest.raises(SgfError) as caught:
        list(games)

    with pytest.raises(SgfError) as expected:
        loads(text)
    assert str(caught.value).replace("<stream>", "<string>") == str(expected.value)
    assert isinstance(caught.value, sgf_lark.SgfValidationError)


def test_a_syntax_error_far_behind_knows_its_place_in_its_text() -> None:
    text = GAME.format("x" * 200) * 500 + "(;FF[4]\n;B[aa]oops;W[bb])"
    with pytest.raises(sgf_lark.SgfSyntaxError) as caught:
        list(iter_games(io.StringIO(text)))

    error = caught.value
    assert error.doc[error.pos :].startswith("oops")
    assert (error.lineno, error.colno) == (1_002, 7)
    assert text[error.first.offset :].startswith("oops")


# ---- what it costs ----

MEASURE = """
import resource, sys, io
sys.path[:0] = sys.argv[2:]
import sgf_lark
from support.streams import GAME, Endless, opened

def pieces(size):
    made = 0
    while made < size:
        piece = GAME.format(f"{made:050000}").encode()
        yield piece
        made += len(piece)

list(sgf_lark.iter_games(opened(Endless(pieces(1 << 20)))))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for _ in sgf_lark.iter_games(opened(Endless(pieces(int(sys.argv[1]))))))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.night
def test_memory_does_not_grow_with_the_file() -> None:
    """As it was tried with 1 GB by hand."""
    pytest.importorskip("resource")
    arguments = [str(24 << 20), str(ROOT / "tests")]
    result = subprocess.run(  # noqa: S603  # our own code
        [sys.executable, "-c", MEASURE, *arguments], capture_output=True, check=True, timeout=100
    )
    count, kilobytes = map(int, result.stdout.split())

    assert count > 400
    assert kilobytes < 10 << 10


@pytest.mark.night
def test_threads_may_feed_it() -> None:
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb") as target:  # noqa: PTH123  # a descriptor
            target.writelines(GAME.format(number).encode() for number in range(1500))

    thread = threading.Thread(target=write)
    thread.start()
    with open(reading, "rb") as source:  # noqa: PTH123  # a descriptor
        assert sum(1 for _ in iter_games(source)) == 1500
    thread.join(timeout=100)


def test_a_game_far_behind_is_written_as_it_was() -> None:
    text = "".join(GAME.format(f"{number:0500}") for number in range(200))
    games = list(iter_games(io.StringIO(text)))
    last = games[-1]

    assert sgf_lark.dumps(last).strip() == GAME.format(f"{199:0500}").strip()
    assert text[slice(*(last.nodes[2].span or (0, 0)))] == ";W[dp]"


# ---- a game a line ----


@pytest.mark.parametrize(
    ("broken", "lost"),
    [
        pytest.param("(;FF[4]GM[1]N[broken];B[aa]", set(), id="no last bracket"),
        pytest.param("(;FF[4]GM[1]N[broken];B[aa]))", set(), id="a bracket too many"),
        pytest.param(";FF[4]GM[1]N[broken];B[aa])", {"broken"}, id="no first bracket"),
        pytest.param("no game", {"broken"}, id="words"),
        pytest.param("(;FF[4]GM[1]N[broken];B[aa]C[x", {"2"}, id="a value without its end"),
    ],
)
def test_a_broken_line_of_sgfs_loses_at_most_the_game_after_it(
    tmp_path: Path, broken: str, lost: set[str]
) -> None:
    lines = [f"(;FF[4]GM[1]N[{number}];B[aa])" for number in range(6)]
    path = tmp_path / "games.sgfs"
    path.write_text("\n".join([*lines[:2], broken, *lines[2:]]), encoding="utf-8")
    names = [str(game.root["N"]) for game in sgf_lark.load(path, strict=False)]

    assert names == [name for name in ["0", "1", "broken", *"2345"] if name not in lost]
    assert [str(game.root["N"]) for game in iter_games(path, strict=False)] == names
