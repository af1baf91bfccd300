"""Squares and crosses of KaTrain on one point: one info a file, and only of KaTrain."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from support.built_archives import built, rows

import sgf_lark
from sgf_lark.cli.main import app

HEAD = "(;GM[1]FF[4]CA[UTF-8]SZ[19]"
KATRAIN = f"{HEAD}AP[KaTrain:1.7.0]"


@pytest.mark.parametrize(
    "nodes",
    [
        ";B[pd]SQ[dd][dp]MA[dd]",
        ";B[pd]MA[dd]SQ[dd]",
        ";B[pd]SQ[dd][dp]MA[dd];W[dp]SQ[dd][pp]MA[pp]",
        ";B[pd]SQ[dd][dp][pp]MA[dd][dp]",
        ";B[pd](;W[dd]SQ[aa]MA[aa])(;W[dp]SQ[aa]MA[aa])",
        ";B[pd]SQ[dd:de]MA[de]",
        ";B[pd]" + ";W[dd]SQ[aa]MA[aa]" * 30,
    ],
)
def test_both_marks_of_katrain_are_one_info(nodes: str) -> None:
    text = f"{KATRAIN}{nodes})"
    said = [one for one in sgf_lark.check(text.encode()) if one.code != "G620"]

    assert [(one.code, one.severity) for one in said if "marks" in one.message] == [
        ("D522", "info")
    ]
    assert not [one for one in said if one.code == "T218"]
    assert sgf_lark.loads(text)
    assert sgf_lark.fix_record(text.encode(), unsafe=True).data == text.encode()


@pytest.mark.parametrize("program", ["", "AP[Sabaki:0.5]", "AP[Tenuki:1]"])
def test_both_marks_of_others_stay_errors(program: str) -> None:
    text = f"{HEAD}{program};B[pd]SQ[dd]MA[dd])"

    assert [one.code for one in sgf_lark.check(text.encode()).errors] == ["T218"]
    with pytest.raises(sgf_lark.SgfError):
        sgf_lark.loads(text)


@pytest.mark.parametrize("marks", ["TR[dd]MA[dd]", "CR[dd]SQ[dd]", "TR[dd]CR[dd]"])
def test_other_marks_on_one_point_are_errors_of_katrain_too(marks: str) -> None:
    text = f"{KATRAIN};B[pd]{marks})"

    assert [one.code for one in sgf_lark.check(text.encode()).errors] == ["T218"]


MARKED = f"{KATRAIN};B[pd]SQ[dd]MA[dd];W[dp]SQ[pp]MA[pp])"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{MARKED}\n{MARKED}\n{MARKED}", [1]),
        (f"{HEAD};B[pd])\n{MARKED}\n{MARKED}", [2]),
        (f"{MARKED}\n{HEAD};B[pd])\n{MARKED}", [1]),
        (f"{MARKED} junk\n{MARKED}", [1]),
        (f"{MARKED}\n(;FF[3]GM[1]AP[KaTrain:1];B[pd]MA[dd]SQ[dd])", [1]),
        (f"{MARKED}\n{MARKED[:-1]}", [1]),
    ],
)
@pytest.mark.parametrize("most", [None, 0])
def test_a_file_of_several_games_of_katrain_has_the_info_once(
    text: str, lines: list[int], most: int | None
) -> None:
    said = sgf_lark.check(text.encode(), max_diagnostics=most)

    assert [one.line for one in said if "marks" in one.message] == lines
    loaded = sgf_lark.loads(text, strict=False).diagnostics
    assert [one.line for one in loaded if "marks" in one.message] == lines


def test_other_games_of_the_file_keep_their_errors() -> None:
    said = sgf_lark.check(f"{MARKED}\n{HEAD};B[pd]SQ[dd]MA[dd])\n{MARKED}".encode())

    assert [(one.code, one.line) for one in said if one.code in {"D522", "T218"}] == [
        ("D522", 1),
        ("T218", 2),
    ]


@pytest.mark.parametrize("form", ["statistics", "json", "jsonl", "grouped", "concise"])
def test_every_form_of_a_report_has_the_info_once(form: str, tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(f"{MARKED}\n{MARKED}")
    (tmp_path / "b.sgf").write_text(MARKED)

    command = ["check", "--isolated", "--format", form, "--level", "info", str(tmp_path)]
    out = CliRunner().invoke(app, command).output

    if form == "statistics":
        assert "2  info  in 2 files  D522" in out
    else:
        assert out.count("KaTrain marks the moves") == 2


def test_the_findings_of_an_archive_have_the_info_once_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    for name in ("a.sgf", "b.sgf"):
        Path("games", name).write_text(f"{MARKED}\n{MARKED}")

    built()

    said = [(row["source"], row["code"]) for row in rows("out", "findings")]
    assert said == [("games/a.sgf", "D522"), ("games/b.sgf", "D522")]
