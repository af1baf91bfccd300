"""Records of other formats are used as those of SGF, and a format is added from outside."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from foreign.test_ngf import ngf

import sgf_lark
from sgf_lark import foreign
from sgf_lark.foreign import find_format, known_formats

TEXT = ngf()


def test_a_game_is_written_as_sgf() -> None:
    collection = sgf_lark.loads(TEXT)

    assert sgf_lark.loads(sgf_lark.dumps(collection))[0].moves == collection[0].moves
    assert sgf_lark.dumps(collection).startswith("(;FF[4]")


def test_a_collection_knows_what_it_was() -> None:
    collection = sgf_lark.loads(TEXT)

    assert collection.foreign is not None
    assert (collection.foreign.format, collection.text) == ("NGF", TEXT)
    for again in (pickle.loads(pickle.dumps(collection)), copy.deepcopy(collection)):
        assert again == collection
        assert again.foreign == collection.foreign
    assert sgf_lark.loads("(;FF[4])").foreign is None


def test_a_changed_game_is_sgf() -> None:
    draft = sgf_lark.loads(TEXT).edit(0)
    draft.set(draft.root, "KM", 7.5)
    changed = draft.done()

    assert changed.foreign is None
    assert "KM[7.5]" in sgf_lark.dumps(changed)


def test_games_are_read_one_by_one_and_with_their_info_only(tmp_path: Path) -> None:
    path = tmp_path / "a.ngf"
    path.write_text(TEXT, encoding="utf-8")

    assert [len(game.moves) for game in sgf_lark.iter_games(path)] == [2]
    assert sgf_lark.load(path, info_only=True)[0].info.black.name == "Baba"
    assert sgf_lark.load(path, engine="lark") == sgf_lark.load(path)


def test_a_conversion_tells_what_is_left_out() -> None:
    converted = sgf_lark.convert(sgf_lark.loads(TEXT), "ff4")

    assert [(one.code, one.line) for one in converted.diagnostics] == [("C753", 9)]
    with pytest.raises(sgf_lark.SgfConversionError):
        sgf_lark.convert(sgf_lark.loads(TEXT), "ff4", lossy="refuse")


def test_a_record_of_another_format_is_not_written_in_a_layout() -> None:
    with pytest.raises(ValueError, match="only read"):
        sgf_lark.format_record(TEXT.encode())


def test_sgf_is_no_other_format() -> None:
    assert find_format("(;FF[4]GM[1]SZ[19]C[PMABBREER\nPMABBREER])") is None


#: A format in one file, as a user has it.
MODULE = r"""
from sgf_lark import foreign
from pathlib import Path

class Dots(foreign.RecordTransformer):
    name, grammar, suffixes = "Dots", str(Path(__file__).with_suffix(".lark")), (".dots",)
    rows = [("b", "PB", "text"), ("w", "PW", "text"), ("n", "SZ", "side")]

    def header(self, children):
        self.say(str(children[0]), children[1])

    def move(self, children):
        self.play(str(children[0]), str(children[1]), children[1])

    def other(self, children):
        self.unread(children[0], "a header or a move")

    def side(self, children):
        return str(children[0])

    def record(self, children):
        pass
"""
GRAMMAR = r"""
record: "dots" _EOL (header | move | other)*
header: KEY "=" REST _EOL
move: COLOR "." POINT _EOL
other: REST _EOL
KEY: /[a-z](?==)/
REST.-1: /[^\r\n]+/
COLOR: /[BW](?=\.)/
POINT: /[a-s]{2}/
_EOL: /\r\n?|\n/
sign: SIGN
SIGN: /dots[\r\n]/
side: /[0-9]+/
"""
DOTS = "dots\nb=Ada\nw=Bob\nn=13\nB.cd\nW.dd\nnothing\nB.cd\n"


@pytest.fixture
def dots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "dots_format.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "dots_format.lark").write_text(GRAMMAR, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    foreign.register_format(import_module("dots_format").Dots)
    yield
    del known_formats()["Dots"]


@pytest.mark.usefixtures("dots")
def test_a_format_from_outside_is_read_checked_and_converted() -> None:
    collection = sgf_lark.loads(DOTS, strict=False, check=True)
    game = collection[0]

    assert (game.info.black.name, game.root["SZ"], len(game.moves)) == ("Ada", 13, 3)
    found = {(one.code, one.line) for one in collection.diagnostics}
    assert found == {("S120", 7), ("G601", 8)}
    assert sgf_lark.dumps(sgf_lark.convert(collection, "ff3")).startswith("(;FF[3]")
    assert sgf_lark.check(DOTS.encode()).errors
