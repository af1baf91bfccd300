"""Records of other formats are used as those of SGF, and a format is added from outside."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from foreign.test_ngf import ngf
from lark import Token

import sgf_lark
from sgf_lark import foreign
from sgf_lark.core import ADDED
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


def test_a_game_as_json_comes_back_without_its_places() -> None:
    collection = sgf_lark.loads(TEXT)
    data = collection.model_dump_json()
    again = sgf_lark.Collection.model_validate_json(data)

    assert '"span"' not in data
    assert again[0].moves == collection[0].moves
    assert again.foreign is None


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
    remove("Dots")


def remove(name: str) -> None:
    del known_formats()[name]
    ADDED.remove(name)


@pytest.mark.usefixtures("dots")
def test_a_format_from_outside_is_read_checked_and_converted() -> None:
    collection = sgf_lark.loads(DOTS, strict=False, check=True)
    game = collection[0]

    assert (game.info.black.name, game.root["SZ"], len(game.moves)) == ("Ada", 13, 3)
    found = {(one.code, one.line) for one in collection.diagnostics}
    assert found == {("S120", 7), ("G601", 8)}
    assert sgf_lark.dumps(sgf_lark.convert(collection, "ff3")).startswith("(;FF[3]")
    assert sgf_lark.check(DOTS.encode()).errors


#: SGF whose values have a colon, and no brackets: another structure than the standards have.
COLONS = r"""
game: "(" node* ")"
node: ";" property*
property: NAME ":" VALUE
NAME: /[A-Z]+(?=:)/
VALUE: /[a-z0-9]+/
%ignore /[ \n]+/
sign: SIGN
SIGN: /\(;[A-Z]+:/
"""


class Colons(foreign.RecordTransformer):
    """Properties of the first node are those of the root, and each other node is a move."""

    name, suffixes = "Colons", (".colons",)

    def property(self, children: list[Token]) -> tuple[Token, Token]:
        name, value = children
        return name, value

    def node(self, children: list[tuple[Token, Token]]) -> None:
        for name, value in children:
            if name in {"B", "W"}:
                self.play(str(name), str(value), value)
            else:
                self.put(str(name), str(value), value)

    def game(self, _: list[None]) -> None:
        """Do nothing: the nodes were read."""


def test_a_structure_that_begins_as_sgf_is_read_by_a_format_of_its_own(tmp_path: Path) -> None:
    grammar = tmp_path / "colons.lark"
    grammar.write_text(COLONS, encoding="utf-8")
    kind = type("Colons", (Colons,), {"grammar": str(grammar)})
    foreign.register_format(kind)
    try:
        (game,) = sgf_lark.loads("(;SZ:9 KM:6 ;B:cc ;W:cc)", strict=False, check=True)
        usual = sgf_lark.loads("(;FF[4]SZ[9];B[cc])")
    finally:
        remove("Colons")

    assert (game.root["SZ"], [str(move) for move in game.moves]) == (9, ["B C7", "W C7"])
    assert [(one.code, one.column) for one in game.diagnostics] == [("G601", 22)]
    assert usual.foreign is None


@pytest.mark.parametrize(
    ("grammar", "error", "said"),
    [
        ("record: A\nA: /x*/\nsign: A\n", sgf_lark.SgfGrammarError, "A"),
        ("record: B\nsign: A\nA: /x/\n", sgf_lark.SgfGrammarError, "B"),
        ("record: A\nA: /x/\n", LookupError, "no rule 'sign'"),
    ],
)
def test_a_grammar_that_cannot_be_used_is_told_when_it_is_added(
    grammar: str, error: type[Exception], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.lark"
    file.write_text(grammar, encoding="utf-8")
    kind = type("Bad", (foreign.RecordTransformer,), {"name": "Bad", "grammar": str(file)})

    with pytest.raises(error, match=said):
        foreign.register_format(kind)
    assert "Bad" not in known_formats()
