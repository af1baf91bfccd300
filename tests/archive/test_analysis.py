"""The table of what engines say of positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from sgf_lark import archive

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

RECORD = """(;FF[4]GM[1]SZ[9]C[no engine];B[ee]SBKV[48.1]C[Black's win rate: %50 visits: 3]
(;W[cc]LZ[Engine 40.0 12
move E3 visits 9 winrate 6000 scoreMean 1.5 pv E3 info ])(;W[gg]LZ[0.7 45.0 2
move pass visits 2 winrate 5500 pv pass info ];B[aa]LZ[x]))"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("analyzed.sgf").write_text(RECORD, encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_the_table_has_a_row_for_each_analysis_also_of_variations() -> None:
    archive.build(["analyzed.sgf"], "engines", analysis=True, jobs=1)
    with archive.read("engines") as tables:
        rows = tables.sql("select * exclude game_id from analysis").to_pylist()
        counted = tables.sources.to_table(["analysis"]).to_pylist()

    assert [tuple(row.values()) for row in rows] == [
        (1, True, 1, "Sabaki", None, 0.481, None, None, None),
        (1, True, 1, "OGS", None, 0.5, None, 3, None),
        (2, True, 2, "Lizzie", "Engine", 0.6, 1.5, 12, 6 * 9 + 4),
        (3, False, 2, "Lizzie", "0.7", 0.55, None, 2, -1),
    ]
    assert counted == [{"analysis": 4}]


@pytest.mark.usefixtures("folder")
def test_an_archive_has_the_table_only_if_somebody_asks_and_then_keeps_it() -> None:
    counts = []
    for analysis in (None, True, None, False):
        archive.build(["analyzed.sgf"], "engines", analysis=analysis, jobs=1)
        with archive.read("engines") as tables:
            counts.append(tables.analysis.num_rows)

    assert counts == [0, 4, 4, 0]


@pytest.mark.usefixtures("folder")
def test_what_is_damaged_is_a_row_of_findings() -> None:
    archive.build(["analyzed.sgf"], "engines", jobs=1)
    with archive.read("engines") as tables:
        found = tables.sql("select node_path from findings where code = 'D531'").to_pylist()

    assert found == [{"node_path": "1.1/1"}]
