"""sgf-lark tree: every form, whole and partial trees, any depth."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from lark.exceptions import UnexpectedInput
from support.lanes import amount, one_in

from sgf_lark.core.grammar import grammars
from sgf_lark.workbench.parse_state import WRITERS, as_sexp, parse, tree_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FF4 = grammars.path("ff4")
TEXT = '(;FF[4]\n;C["<&>\\]])(;)'


def drawn(text: str, form: str, start: str = "collection") -> str:
    state = parse(text, FF4, start)
    assert state.partial is not None
    return "".join(WRITERS[form](state.partial, text))


def test_a_tree_as_text_has_the_places_of_its_parts() -> None:
    assert drawn("(;FF[4]\n;)", "text") == (
        "collection  1:1-2:3\n"
        "  game_tree  1:1-2:3\n"
        "    sequence  1:2-2:2\n"
        "      node  1:2-1:8\n"
        "        property  1:3-1:8\n"
        "          PROP_IDENT 'FF'  1:3-1:5\n"
        "          PROP_VALUE '[4]'  1:5-1:8\n"
        "      node  2:1-2:2\n"
    )


def test_a_tree_as_json_holds_everything_once() -> None:
    tree = json.loads(drawn(TEXT, "json"))
    node = tree["children"][0]["children"][0]["children"][1]

    assert [one["rule"] for one in tree["children"]] == ["game_tree", "game_tree"]
    assert node["children"][0] == {
        "rule": "property",
        "start": 9,
        "end": 18,
        "children": [
            {"terminal": "PROP_IDENT", "text": "C", "start": 9, "end": 10},
            {"terminal": "PROP_VALUE", "text": '["<&>\\]]', "start": 10, "end": 18},
        ],
    }
    assert json.loads(drawn("", "json", "text")) == {"rule": "text", "children": []}


def test_a_tree_as_s_expression() -> None:
    assert drawn("(;B[pd])", "sexp") == (
        '(collection\n  (game_tree\n    (sequence\n      (node\n        (property "B" "[pd]")))))\n'
    )


def test_a_tree_as_a_picture_is_well_formed_whatever_it_holds() -> None:
    root = ET.fromstring(drawn(TEXT, "svg"))  # noqa: S314  # our own
    texts = ["".join(one.itertext()) for one in root if one.tag.endswith("text")]

    assert len(texts) == len(drawn(TEXT, "text").splitlines())
    assert 'PROP_VALUE "[\\"<&>\\\\]]"' in texts


def test_a_tree_as_a_graph_joins_each_part_to_the_one_around_it() -> None:
    lines = drawn("(;B[pd])", "dot").splitlines()

    assert lines[0] == "digraph tree {"
    assert '  n6 [label="PROP_VALUE\\n[pd]", shape=box, style=rounded];' in lines
    assert [line.split()[0::2] for line in lines if "->" in line] == [
        ["n0", "n1;"], ["n1", "n2;"], ["n2", "n3;"], ["n3", "n4;"], ["n4", "n5;"], ["n4", "n6;"]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "tree", "message"),
    [
        (
            "(;B[aa](;W",
            ('(collection (game_tree (sequence (node (property "B" "[aa]")))'
            ' (game_tree (sequence (node (property "W"))))))'),
            "expected a value in '[...]', found the end of the text",
        ),
        (
            "(;)x",
            "(collection (game_tree (sequence (node))))",
            "expected '(' or the end of the text, found 'x'",
        ),
        ("(;)(", "(collection (game_tree (sequence (node))) (game_tree))",
         "expected ';', found the end of the text"),
        ("((", "(collection (game_tree))", "expected ';', found '('"),
    ],
)  # fmt: skip
def test_a_refused_text_gives_the_tree_as_far_as_it_got(text: str, tree: str, message: str) -> None:
    state = parse(text, FF4, "collection")

    assert " ".join(drawn(text, "sexp").split()) == tree
    assert state.finding is not None
    assert state.finding.message == message


def test_a_partial_tree_holds_a_token_that_a_rule_gave_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "sum.lark").write_text('sum: number ("+" number)+\n?number: /[0-9]/\n')

    state = parse("1+2+", grammars.source(tmp_path / "sum.lark"), "sum")

    assert state.partial is not None
    assert "".join(as_sexp(state.partial, "1+2+")) == '(sum "1" "2")\n'


@given(st.lists(st.sampled_from(["(", ")", ";", "B", "[a]", " ", "x"]), max_size=12).map("".join))
def test_a_partial_tree_begins_as_the_whole_one_and_is_a_fault_if_lark_says_so(text: str) -> None:
    state = parse(text, FF4, "collection")
    try:
        whole = grammars.structure(FF4, "collection").parse(text)
    except UnexpectedInput:
        assert state.finding is not None
        assert state.tree is None
    else:
        assert state.tree == whole
        for end in range(1, len(text)):
            partial = parse(text[:end], FF4, "collection").partial
            if partial is not None and text[:end].strip():
                kinds = [line.name for line in tree_lines(partial)]
                assert kinds == [line.name for line in tree_lines(whole)][: len(kinds)] or (
                    ")" in text[:end]
                )


@pytest.mark.night
@pytest.mark.both_lanes
@pytest.mark.parametrize("form", one_in(6, WRITERS))
@pytest.mark.parametrize("close", [True, False], ids=["whole", "partial"])
def test_the_deepest_tree_is_written_in_time_that_grows_with_it(
    form: str,
    close: bool,  # noqa: FBT001
) -> None:
    def work(depth: int) -> Callable[[], int]:
        text = "(;B[aa]" * depth + ")" * depth * close
        state = parse(text, FF4, "collection")
        assert state.partial is not None
        tree = state.partial
        return lambda: sum(map(len, WRITERS[form](tree, text)))

    depth = amount(600, 1_200)  # twice as much is deeper than Python may recurse
    assert work(2 * depth)() < 2.3 * work(depth)()
