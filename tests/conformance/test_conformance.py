"""The conformance suite: our readers agree with every case, and every case is well-formed."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support.lanes import every_other
from support.places import ROOT
from support.readmes import blocks
from support.together import together

from conformance import __main__ as program, coverage, scoreboard
from conformance.adapters import ours
from conformance.cases import CHAPTERS, FOLDER, KINDS, VERSION, Case, all_cases, read_case
from conformance.compare import FAIL, NOT_CLAIMED, PASS, judge
from conformance.programs import AbsentError, answers, run

CASES = all_cases()
PAGE = "tests/conformance/README.md"

CLAUSES = {
    key: f"{document}, {section}"
    for line in (FOLDER / "clauses.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for key, document, section, _ in [line.split("\t")]
}


def named(name: str) -> Case:
    """A case whose title this is."""
    return next(case for case in CASES if case.title == name)


# ---- our readers ----


@pytest.mark.parametrize("engine", every_other(["auto", "lark"]))
def test_our_reader_agrees_with_every_case(engine: str) -> None:
    with together() as each:
        for case in CASES:
            with each(f"{case.id}: {case.title}"):
                found = {"claims": ours.CLAIMS, **ours.answer(case.data, engine)}
                assert judge(case, found)[1:] == (PASS, ())


# ---- the cases ----


def test_identifiers_name_the_chapter_and_count() -> None:
    for chapter in CHAPTERS:
        some = [case.id for case in CASES if case.chapter == chapter]
        assert some == [f"{chapter}-{number:03}" for number in range(1, len(some) + 1)]


def test_a_case_has_a_sentence_and_a_clause() -> None:
    for case in CASES:
        assert re.fullmatch(r"[A-Z0-9].*\.", case.title), case.id
        first = next(tag for tag in case.covers if tag.startswith("clause:"))
        assert case.clause == CLAUSES[first.removeprefix("clause:")], case.id


def test_no_two_cases_of_a_format_have_the_same_text() -> None:
    texts = Counter((case.format, case.data) for case in CASES)
    titles = Counter((case.chapter, case.title) for case in CASES)

    assert [text for text, number in texts.items() if number > 1] == []
    assert [title for title, number in titles.items() if number > 1] == []


def test_a_case_is_open_if_it_has_several_readings() -> None:
    assert [case.id for case in CASES if bool(case.is_open) != (len(case.readings) > 1)] == []


def test_a_reading_is_valid_or_has_faults_in_the_text() -> None:
    for case in CASES:
        lines = len(re.split(rb"\r\n|\n\r|\r|\n", case.data))
        for reading in case.readings:
            faults = reading.get("faults", [])
            assert reading["valid"] == (not faults), case.id
            for fault in faults:
                assert fault["kind"] in KINDS, case.id
                assert [1, 1] <= fault["from"] <= fault["to"], case.id
                assert fault["from"][0] <= lines, case.id


def test_values_are_of_properties_that_the_trees_have() -> None:
    for case in CASES:
        for reading in case.readings:
            for key in (*reading.get("values", {}), *reading.get("effective", {})):
                tree, node, name = key.split(".")
                if reading["valid"]:
                    found = reading["trees"][int(tree)]["nodes"][int(node)]
                    assert key in reading.get("effective", {}) or name in found, case.id


# ---- what they cover ----


def test_every_production_row_type_and_clause_has_a_case() -> None:
    assert coverage.missing(CASES) == []


def test_what_loses_its_only_case_is_missing() -> None:
    without = [case for case in CASES if "clause:go-suicide" not in case.covers]

    assert coverage.missing(without) == ["clause:go-suicide"]


def test_a_case_covers_only_what_there_is() -> None:
    known = {*coverage.targets()}

    assert {tag for case in CASES for tag in case.covers} - known == set()


def test_a_case_of_a_row_has_its_property() -> None:
    for case in CASES:
        for tag in case.covers:
            if tag.startswith("row:"):
                name = tag.rpartition(":")[2]
                data = re.sub(rb"(?<=[A-Z])[a-z]+|[a-z]+(?=[A-Z])", b"", case.data)
                pair = rb"\b" if name in {"B", "W"} else b""  # one of a pair may stand for both
                assert pair or re.search(rf"{name}\s*\[".encode(), data), case.id


# ---- the comparison ----

TREE = {"parents": [-1, 0], "nodes": [{"FF": ["4"]}, {"B": ["dd"], "C": ["a\\]b"]}]}
READING: dict[str, Any] = {"valid": True, "trees": [TREE], "values": {"0.1.B": [4, 4]}}
WRONG: dict[str, Any] = {
    "valid": False,
    "faults": [{"kind": "value", "from": [1, 3], "to": [1, 9]}],
}
CLAIMS = {
    "formats": ["FF[4]"], "games": ["Go"], "parts": ["trees", "raw", "places"], "values": ["*"],
    "faults": ["value"],
}  # fmt: skip


def a_case(*readings: dict[str, Any], game: str = "Go", needs: tuple[str, ...] = ()) -> Case:
    return Case("x-001", "A.", "FF[4]", (), "FF[4]", game, b"", readings, needs=needs)


def verdict(case: Case, claims: dict[str, Any] | None = None, **answer: Any) -> str:
    made = {"trees": [TREE], "values": {"0.1.B": [4, 4]}, **answer}
    return judge(case, {"claims": CLAIMS if claims is None else claims, **made}).verdict


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({}, PASS),
        ({"trees": [TREE, TREE]}, FAIL),
        ({"trees": [{**TREE, "parents": [-1, -1]}]}, FAIL),
        ({"trees": [{**TREE, "nodes": [{"FF": ["4"]}, {"B": ["dd"]}]}]}, FAIL),
        ({"trees": [{**TREE, "nodes": [{"FF": ["4"]}, {"B": ["dd"], "C": ["a]b"]}]}]}, FAIL),
        ({"values": {"0.1.B": [4, 5]}}, FAIL),
        ({"values": {}}, FAIL),
        ({"trees": None}, FAIL),
        ({"faults": [{"kind": "value", "line": 1, "column": 2}]}, FAIL),
        ({"faults": [{"kind": "list", "line": 1, "column": 2}]}, PASS),
        ({"crash": "exit 1"}, FAIL),
    ],
)
def test_a_valid_text_is_read_as_its_reading_has_it(answer: dict[str, Any], expected: str) -> None:
    assert verdict(a_case(READING), **answer) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({}, FAIL),
        ({"faults": [{"kind": "value", "line": 1, "column": 3}]}, PASS),
        ({"faults": [{"line": 1, "column": 9}]}, PASS),
        ({"faults": [{"kind": "value", "line": 1, "column": 10}]}, FAIL),
        ({"faults": [{"kind": "syntax", "line": 1, "column": 3}]}, FAIL),
        ({"trees": None}, FAIL),
        ({"trees": None, "claims": {**CLAIMS, "parts": []}}, PASS),
        ({"claims": {**CLAIMS, "faults": ["syntax"]}}, NOT_CLAIMED),
    ],
)
def test_an_invalid_text_has_its_fault_at_its_place(answer: dict[str, Any], expected: str) -> None:
    assert verdict(a_case(WRONG), **answer) == expected


def test_a_difference_names_the_place_of_the_fault() -> None:
    (one,) = judge(a_case(WRONG), {"claims": CLAIMS, "trees": [TREE]}).differences

    assert (one.expected, one.found) == ("value at 1:3 to 1:9", "accepted")


def test_one_of_several_readings_is_enough() -> None:
    assert verdict(a_case(WRONG, READING)) == PASS
    assert verdict(a_case(WRONG, {**READING, "values": {"0.1.B": [1, 1]}})) == FAIL


def test_what_is_not_claimed_is_not_compared() -> None:
    assert verdict(a_case(READING), {}) == NOT_CLAIMED
    assert verdict(a_case(READING, game="Hex")) == NOT_CLAIMED
    assert verdict(a_case(READING, needs=("encodings",))) == NOT_CLAIMED
    assert verdict(a_case(READING), {**CLAIMS, "values": ["W"]}, values={}) == PASS


def test_escapes_are_compared_only_if_values_are_as_they_are_typed() -> None:
    trees = [{**TREE, "nodes": [{"FF": ["4"]}, {"B": ["dd"], "C": ["a]b"]}]}]

    assert verdict(a_case(READING), {**CLAIMS, "parts": ["trees"]}, trees=trees) == PASS


def test_points_of_a_list_have_no_order_and_other_values_have() -> None:
    for expected, found, verdict_ in (
        ([[1, 1], [2, 2]], [[2, 2], [1, 1]], PASS),
        ([1, 2], [2, 1], FAIL),
        ({"a": 1}, {"a": 1.0, "b": 2}, PASS),
        ({"a": 1, "b": 2}, {"a": 1}, FAIL),
    ):
        case = a_case({**READING, "values": {"0.1.B": expected}})
        assert verdict(case, values={"0.1.B": found}) == verdict_


# ---- programs ----

READER = """
import json, sys
for name in sys.argv[1:]:
    text = open(name, "rb").read()
    if b"crash" in text:
        sys.exit("it crashed")
    print(json.dumps({"claims": {"formats": ["FF[4]"], "games": ["Go"], "parts": []}, "trees": []}))
"""


@pytest.mark.parametrize("batch", [False, True])
def test_a_program_answers_for_each_file_and_a_crash_is_one_of_its_own(*, batch: bool) -> None:
    cases = [a_case(READING)._replace(id=f"x-{n}", data=text) for n, text in enumerate(TEXTS)]

    outcomes = run(cases, [sys.executable, "-c", READER], batch=batch)

    assert [one.verdict for one in outcomes] == [PASS, FAIL, PASS]


TEXTS = (b"(;FF[4])", b"crash", b"(;)")


@pytest.mark.parametrize(
    ("code", "why", "seconds"),
    [
        ("print('no')", "no JSON", 60),
        ("while True: pass", "no answer", 0.2),
        ("1/0", "ZeroDivisionError", 60),
    ],
)
def test_a_program_that_gives_no_answer_fails(code: str, why: str, seconds: float) -> None:
    (answer,) = answers([a_case(READING)], [sys.executable, "-c", code], seconds=seconds)

    assert why in answer["crash"]


def test_a_program_that_is_not_installed_is_named() -> None:
    code = "import sys; sys.stderr.write('it is not installed'); sys.exit(3)"

    with pytest.raises(AbsentError, match="it is not installed"):
        [*answers([a_case(READING)], [sys.executable, "-c", code])]


def test_the_adapter_of_the_page_is_complete(tmp_path: Path) -> None:
    (block,) = blocks("py", PAGE)
    (tmp_path / "adapter.py").write_text(block.content, encoding="utf-8")
    (tmp_path / "my_reader.py").write_text(MY_READER, encoding="utf-8")
    cases = [case for case in CASES if case.chapter == "tree"]

    outcomes = [*run(cases, [sys.executable, str(tmp_path / "adapter.py")], batch=True)]

    assert [one for one in outcomes if one.verdict == FAIL] == []
    assert PASS in {one.verdict for one in outcomes}


MY_READER = """
import re
class Node:
    def __init__(self): self.properties, self.children = {}, []
def read(data):
    roots, opened, node = [], [], None
    for token in re.findall(r"[();]|[A-Z]+|\\[(?:[^]\\\\]|\\\\.)*\\]", data.decode(), re.S):
        if token == "(": opened.append(node)
        elif token == ")":
            if not opened: raise ValueError("a bracket too many")
            node = opened.pop()
        elif token == ";":
            (node.children if node else roots).append(node := Node())
        elif token[0] == "[": values.append(token[1:-1])
        else: values = node.properties.setdefault(token, [])
    if opened: raise ValueError("a bracket is missing")
    return roots
"""


# ---- reports ----

OUTCOMES = [
    judge(a_case(READING), {"claims": CLAIMS, "trees": [TREE], "values": {"0.1.B": [1, 1]}}),
    judge(a_case(READING), {}),
]


def test_a_report_has_each_difference_with_its_clause() -> None:
    text = program.text(OUTCOMES)

    assert "x-001: A. [FF[4]]\n    \n    0.1.B: expected [4, 4]; found [1, 1]" in text
    assert re.search(r"^all +2 +0 +1 +1$", text, re.MULTILINE)


def test_reports_for_programs_can_be_read() -> None:
    found = json.loads(program.as_json(OUTCOMES))
    suites = ET.fromstring(program.junit(OUTCOMES))  # noqa: S314  # ours

    assert found["version"] == VERSION
    assert found["cases"]["x-001"]["verdict"] == NOT_CLAIMED
    assert [len(suites.findall(f".//{name}")) for name in ("failure", "skipped")] == [1, 1]


def test_cases_are_chosen_by_chapter_and_by_identifier() -> None:
    chosen = program.choose(CASES, ["gess"], ["tree-003"])

    assert {case.chapter for case in chosen} == {"gess", "tree"}
    assert [case.id for case in chosen if case.chapter == "tree"] == ["tree-003"]
    assert program.choose(CASES, [], []) == [*CASES]


def test_a_scoreboard_has_the_cells_and_the_disagreements_of_each_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = READER.replace("print(json", "print('no JSON') if b';W[dp' in text else print(json")
    codes = {
        "reader": reader.replace('{"claims"', '{"program": "reader 1", "claims"'),
        "absent": "import sys; sys.stderr.write('it is not installed'); sys.exit(3)",
    }
    monkeypatch.setattr(scoreboard, "PROGRAMS", dict.fromkeys(codes, "a program"))
    monkeypatch.setattr(scoreboard, "command", lambda name, _: [sys.executable, "-c", codes[name]])
    some = [case for case in CASES if case.chapter == "annotations"]
    monkeypatch.setattr(scoreboard, "all_cases", lambda: some)

    page = scoreboard.page({})

    assert "| absent | a program | not tried: it is not installed |" in page
    assert re.search(r"\| annotations \| \d+ \| \d+/\d+ \|", page)
    assert re.search(r"\*\*annotations-\d+\*\*.*;W\[dp.*\n\n\* reader 1: end: .*no JSON", page)


def test_every_adapter_that_the_scoreboard_names_is_there() -> None:
    for name in scoreboard.PROGRAMS:
        command = scoreboard.command(name, {})
        module = command[-1].replace(".", "/") + ".py"
        assert Path(command[-1]).is_file() or (ROOT / module).is_file(), name


def test_a_line_that_is_no_case_is_an_error() -> None:
    line = '{"id": "x-001", "title": "A.", "bytes": "", "more": 1}'

    with pytest.raises(TypeError, match="more"):
        read_case(line)
