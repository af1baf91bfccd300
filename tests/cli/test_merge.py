"""``sgf-lark merge``: records become one tree, and what is not in it is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import sgf_lark
from sgf_lark.cli.main import app

pytestmark = pytest.mark.elsewhere

ONE = "(;FF[4]GM[1]SZ[9]PB[a] ;B[aa]BL[9];W[bb])"
OTHER = "(;FF[4]GM[1]SZ[9]PB[b] ;B[aa]BL[8];W[cc])"
TREE = "(;FF[4]CA[UTF-8]GM[1]SZ[9]\n;B[aa]BL[9]\n(;PB[a]W[bb]\n)\n(;PB[b]W[cc]\n))\n"


def run(*arguments: object, text: bytes | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["merge", *map(str, arguments)], input=text)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.sgf").write_text(ONE)
    (folder / "b.sgf").write_text(OTHER)
    return folder


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_folder_becomes_one_tree_and_losses_are_counted(games: Path, jobs: str) -> None:
    output = games.parent / "tree.sgf"

    code, shown, said = run(games, "-o", output, "--jobs", jobs)

    assert (code, shown, output.read_text()) == (0, "", TREE)
    assert "1  warning  in 1 file  C706" in said
    assert said.endswith("2 files: 2 games in 1 tree\n")


def test_the_result_is_no_record_of_its_own_folder(games: Path) -> None:
    for _ in range(2):
        assert run(games, "-o", games / "tree.sgf", "-q")[0] == 0
        assert (games / "tree.sgf").read_text() == TREE

    code, _, said = run(games / "a.sgf", games / "b.sgf", "-o", games / "a.sgf")
    assert code == 2
    assert "a.sgf is one of the records: choose another file" in said
    assert (games / "a.sgf").read_text() == ONE


def test_without_an_output_the_tree_is_printed(games: Path) -> None:
    assert run("-", games / "b.sgf", "-q", text=ONE.encode())[:2] == (0, TREE)


def test_a_report_for_programs_has_the_place_of_each_loss(games: Path) -> None:
    output = games.parent / "tree.sgf"

    _, shown, _ = run(games, "-o", output, "--format", "json")

    (finding,) = json.loads(shown)
    assert Path(finding["file"]).name == "b.sgf"
    assert finding["code"] == "C706"
    assert OTHER[finding["offset"] : finding["end_offset"]] == "BL[8]"


def test_records_of_other_formats_encodings_and_sizes_are_merged_too(games: Path) -> None:
    (games / "c.sgf").write_bytes("(;FF[4]GM[1]CA[GBK]SZ[9]C[\u738b];W[dd])".encode("gbk"))
    (games / "d.mgt").write_text("(;GaMe[1]SiZe[9];Black[aa];White[ee])")
    (games / "e.ggf").write_text("(;GM[Othello]TY[8]PB[x]B[d3];)")
    (games / "f.sgf").write_text("(;FF[4]GM[1]SZ[19])")

    code, shown, said = run(games)

    assert code == 0
    trees = sgf_lark.loads(shown, strict=False)
    assert [(tree.format.value, tree.game, len(tree.leaves())) for tree in trees] == [
        ("FF4", 1, 4),
        ("FF4", 2, 1),
        ("FF4", 1, 1),
    ]
    assert trees[0].root["C"] == "\u738b"
    assert said.endswith("6 files: 6 games in 3 trees: Go 9x9, Othello 8x8, Go 19x19\n")


def test_records_that_cannot_be_merged_are_named(games: Path) -> None:
    (games / "c.sgf").write_text("no record")
    (games / "d.sgf").write_bytes(b"(;FF[4]CA[UTF-8]GM[1]SZ[9]C[\xe7\x8e\x8b\xff])")

    code, shown, said = run(games)
    assert (code, shown) == (1, TREE)
    assert "c.sgf:1:1: S101" in said
    assert "d.sgf:1:30: F009" in said

    code, shown, said = run(games, games / "none.sgf")
    assert (code, shown) == (2, TREE)
    assert "none.sgf: no such file or directory" in said

    code, shown, said = run(games / "c.sgf", "-o", games.parent / "tree.sgf")
    assert code == 1
    assert said.endswith("error: there are no games to merge\n")
    assert not (games.parent / "tree.sgf").exists()


def test_text_that_the_tree_lacks_is_reported(games: Path) -> None:
    (games / "a.sgf").write_text(f"a letter {ONE.replace(';W', 'x;W')}")

    said = run(games / "a.sgf", games / "b.sgf", "--format", "concise")[2]

    assert "a.sgf:1:1: C752 'a letter'" in said
    assert "C752 'x' belongs to no property" in said
