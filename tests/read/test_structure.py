"""A transformer of one's own for the structure: what it makes of the text, with places."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import lark
import pytest

from sgf_lark import Collection, SgfTransformer, check, convert, dumps, iter_games, load, loads
from sgf_lark.core import GgfTransformer

GRAMMAR = """
collection: game_tree+
game_tree: "(" sequence game_tree* ")"
sequence: node+
node: ";" property* [NOTE]
property: PROP_IDENT PROP_VALUE+
PROP_IDENT: /[A-Za-z]+/
PROP_VALUE: /\\{[^}]*\\}/
NOTE: /"[^"]*"/
%ignore /\\s+/
"""


class Braces(SgfTransformer):
    """Comments may be called Note, or stand in quotes after the properties of a node."""

    def property(self, children: Any) -> Any:
        name, *values = children
        return super().property(["C" if name == "Note" else name, *values])

    def node(self, children: Any) -> Any:
        *properties, note = children
        if note is not None:
            properties.append(self.rules.property("C", (str(note)[1:-1],)))
        return super().node(properties)


class Plain(SgfTransformer):
    """Overrides each method, and changes nothing."""

    called: list[str]

    def property(self, children: Any) -> Any:
        self.called.append("property")
        return super().property(children)

    def node(self, children: Any) -> Any:
        self.called.append("node")
        return super().node(children)

    def sequence(self, children: Any) -> Any:
        self.called.append("sequence")
        return super().sequence(children)

    def game_tree(self, children: Any) -> Any:
        self.called.append("game_tree")
        return super().game_tree(children)

    def collection(self, children: Any) -> Any:
        self.called.append("collection")
        return super().collection(children)


class WithoutEmptyNodes(SgfTransformer):
    def node(self, children: Any) -> Any:
        return super().node(children) if children else lark.Discard


class ShortNames(GgfTransformer):
    def property(self, children: Any) -> Any:
        name, *values = children
        return super().property(["C" if name == "CO" else name, *values])


@pytest.fixture
def braces(tmp_path: Path) -> Path:
    file = tmp_path / "braces.lark"
    file.write_text(GRAMMAR)
    return file


TEXT = '(;FF{4}GM{1}KM{0,5};\nB{pd} Note{The corner.}(;W{aaa})(;W{dd} "good"))'


def both_ways(text: str, **how: Any) -> list[Collection]:
    """The games of a text at once, and one by one."""
    one_by_one = iter_games(io.StringIO(text), strict=False, **how)
    return [loads(text, strict=False, **how), Collection(games=tuple(one_by_one))]


def test_games_have_what_the_class_makes_of_another_grammar(braces: Path) -> None:
    for collection in both_ways(TEXT, grammar=braces, transformer=Braces):
        (game,) = collection
        assert [node.get("C") for node in game.walk()] == [None, "The corner.", None, "good"]
        assert [str(node.move) for node in game.walk() if node.move] == ["B Q16", "W[aaa]", "W D16"]


def test_findings_have_the_places_of_the_text(braces: Path) -> None:
    report = check(TEXT.encode(), grammar=braces, transformer=Braces)

    places = [(one.line, one.column, one.code) for one in report.errors]
    assert places == [(1, 16, "V301"), (2, 28, "V301")]
    for collection in both_ways(TEXT, grammar=braces, transformer=Braces):
        found = [one for game in collection for one in game.diagnostics]
        assert [(one.line, one.column) for one in found] == [place[:2] for place in places]
        assert all(one.fix is None for one in found)


def test_a_property_that_a_method_adds_stands_where_its_node_is(braces: Path) -> None:
    (game,) = loads(TEXT, grammar=braces, transformer=Braces, strict=False)

    last = game.nodes[3]
    assert last.span is not None
    assert TEXT[last.span.start :].startswith(';W{dd} "good"')


def test_the_text_stays_and_what_is_written_is_what_the_class_made(braces: Path) -> None:
    collection = loads(TEXT, grammar=braces, transformer=Braces, strict=False)

    assert collection.text == TEXT
    assert collection.foreign is not None
    assert collection.foreign.format == "Braces"
    again = loads(dumps(collection), strict=False)
    assert again.games == collection.games
    assert "C[The corner.]" in dumps(convert(collection, "ff3"))
    assert pickle.loads(pickle.dumps(collection)) == collection


@pytest.mark.parametrize("engine", ["auto", "lark"])
def test_each_method_is_called_for_each_part_of_a_record(engine: Any) -> None:
    Plain.called = []
    text = "(;FF[4]GM[1]SZ[9];B[aa](;W[bb])(;W[cc]))(;FF[4])"

    collection = loads(text, transformer=Plain, engine=engine)

    assert collection.games == loads(text).games
    counts = {name: Plain.called.count(name) for name in Plain.called}
    expected = {"property": 7, "node": 5, "sequence": 4, "game_tree": 4, "collection": 2}
    assert counts == expected


def test_a_broken_game_is_mended_before() -> None:
    text = "(;FF[4]GM[1];;B[pd\\]];;;W[dd"

    for collection in both_ways(text, transformer=WithoutEmptyNodes):
        (game,) = collection
        assert [str(node.raw) for node in game.walk() if not node] == []
        found = [(one.line, one.column, one.code) for one in game.diagnostics]
        assert (1, 26, "S107") in found


def test_a_transformer_of_ggf_reads_games_of_ggf_alone() -> None:
    ggf = "(;GM[Othello]PC[GGS]PB[a]PW[b]TY[8]CO[hello]B[d3]W[c3];)"

    (game,) = loads(ggf, transformer=ShortNames, strict=False)
    (other,) = loads("(;FF[4]CO[1])", transformer=ShortNames, strict=False)

    assert game.root.raw["C"] == ("hello",)
    assert len(game) == len(loads(ggf, strict=False)[0])
    assert "C" not in other.root


def test_nodes_in_another_order_keep_places_that_can_be_asked_for() -> None:
    class Mirrored(SgfTransformer):
        def game_tree(self, children: Any) -> Any:
            sequence, *variations = children
            return super().game_tree([sequence, *reversed(variations)])

    text = "(;FF[4]GM[1];B[aa](;W[zz])(;W[cc]))"
    (game,) = loads(text, transformer=Mirrored, strict=False)

    assert [node.raw.get("W") for node in game.walk()] == [None, None, ("cc",), ("zz",)]
    (found,) = [one for one in game.diagnostics if one.code == "G603"]
    assert text[found.offset : found.end_offset] == "zz"


def test_a_method_of_no_rule_and_what_is_no_transformer_are_refused() -> None:
    class Wrong(SgfTransformer):
        def nod(self, children: Any) -> Any:
            return children

    with pytest.raises(ValueError, match="did you mean node"):
        loads("(;)", transformer=Wrong)
    nothing: Any = object()
    with pytest.raises(TypeError, match="extends SgfTransformer"):
        loads("(;)", transformer=nothing)


def test_what_a_method_raises_names_the_method_and_what_is_no_game_is_refused() -> None:
    class Failing(SgfTransformer):
        def sequence(self, _: Any) -> Any:
            raise KeyError("mine")

    class Nothing(SgfTransformer):
        def collection(self, _: Any) -> Any:
            return "games"

    class Rootless(SgfTransformer):
        def node(self, _: Any) -> Any:
            return lark.Discard

    with pytest.raises(KeyError, match="mine") as caught:
        loads("(;FF[4])", transformer=Failing)
    assert caught.value.__notes__ == ["raised by Failing.sequence"]
    with pytest.raises(TypeError, match="returns a list of games"):
        loads("(;FF[4])", transformer=Nothing)
    with pytest.raises(ValueError, match="Discard leaves one out"):
        loads("(;FF[4])", transformer=Rootless)


def test_a_text_that_the_grammar_rejects_is_a_finding(braces: Path) -> None:
    report = check(b"(;FF{4)", grammar=braces, transformer=Braces)

    assert [(one.line, one.column) for one in report.errors] == [(1, 5)]


def test_a_file_of_a_path_is_read_so(braces: Path, tmp_path: Path) -> None:
    record = tmp_path / "a.sgf"
    record.write_text(TEXT)

    collection = load(record, grammar=braces, transformer=Braces, strict=False)

    assert collection[0].nodes[1]["C"] == "The corner."
