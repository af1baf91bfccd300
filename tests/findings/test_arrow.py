"""Findings as rows of Arrow: the values that the JSON of check has."""

from __future__ import annotations

import json
import sys
import zipfile
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from support import commands

import sgf_lark
from sgf_lark.files.members import archive_ends
from sgf_lark.report.tables import arrow_schema

#: Findings with a fix and without, of two games and outside games, in several lines.
TEXT = (
    "outside\n(;FF[4]GM[1]SZ[9]KM[6,5];B[cc]\n;W[cc]XX[y];B[zz](;W[dd])(;W[dd]))\n"
    "(;FF[4]GM[1]SZ[9]DT[2024-02-31];B[dd]C[x];B[ee])"
)


def rows(report: sgf_lark.Report) -> list[dict[str, object]]:
    found: list[dict[str, object]] = report.to_arrow().to_pylist()
    return found


def test_rows_are_the_objects_that_check_prints_as_json(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text(TEXT, encoding="utf-8")
    done = commands.run("check", "--format", "json", str(file), folder=tmp_path)
    printed = json.loads(done.stdout)
    made = rows(sgf_lark.check(file))

    assert len(made) == len(printed) > 5
    for row, item in zip(made, printed, strict=True):
        fix = item.pop("fix")
        assert row.pop("fix") == (fix and ("safe" if fix["safe"] else "unsafe"))
        assert (row.pop("source"), row.pop("member"), row.pop("game_id")) == (str(file), "", None)
        assert row == {name: item[name] for name in row}
        assert {*item} - {*row} == {"file"}
    assert {item["severity"] for item in printed} >= {"error", "info"}
    assert {item["game"] for item in printed} == {None, 0, 1}


def test_a_report_is_a_table_of_the_schema_even_if_it_is_empty() -> None:
    for report in (sgf_lark.Report(), sgf_lark.check(StringIO(TEXT))):
        table = report.to_arrow()

        assert table.schema.equals(arrow_schema("findings"), check_metadata=True)
        assert table.num_rows == len(report)
        table.validate(full=True)


def test_the_last_row_counts_findings_that_were_left_out() -> None:
    report = sgf_lark.check(StringIO(TEXT), max_diagnostics=2)

    assert [row["name"] for row in rows(report)][2:] == ["left-out"]


def test_the_name_of_a_record_in_an_archive_is_split(tmp_path: Path) -> None:
    archive, folder = tmp_path / "games.ZIP", tmp_path / "old.zip"
    folder.mkdir()
    (folder / "b.sgf").write_text(TEXT, encoding="utf-8")
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("2001/a.sgf", TEXT)
    names = [(str(archive), "2001/a.sgf"), (str(folder / "b.sgf"), "")]

    for report, name in zip(sgf_lark.check_many([archive, folder / "b.sgf"]), names, strict=True):
        assert {(row["source"], row["member"]) for row in rows(report)} == {name}


def test_an_archive_is_found_in_names_of_what_is_not_here() -> None:
    for name, ends in [
        ("s3://bucket/games.tar.gz/x.tar/a.sgf", ["s3://bucket/games.tar.gz", "/x.tar"]),
        ("c:\\games.zip\\a.sgf", ["c:\\games.zip"]),
        ("games.zip", []),
        ("a.sgf.gz", []),
    ]:
        cuts = [0, *archive_ends(name)]
        assert [name[a:b] for a, b in pairwise(cuts)] == ends


def test_a_name_that_is_no_unicode_is_escaped_as_in_json() -> None:
    report = sgf_lark.check(StringIO(TEXT)).model_copy(update={"name": "a\udcff.sgf"})

    assert {row["source"] for row in rows(report)} == {"a\\udcff.sgf"}


def test_without_pyarrow_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(ImportError, match=r"pip install .sgf_lark\[archive\]"):
        sgf_lark.Report().to_arrow()
