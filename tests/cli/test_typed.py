"""Commands of the typed grammar: what they print, and what they say of wrong options."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import sgf_lark
from sgf_lark.cli.main import app


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def grammar(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["grammar", *arguments], catch_exceptions=False)


def test_the_typed_grammar_is_shown_as_python_gives_it() -> None:
    shown = grammar("show", "ff4", "--typed", "--game", "hex", "--size", "11:14")

    assert shown.exit_code == 0
    assert shown.stdout == sgf_lark.typed_grammar("ff4", "hex", (11, 14))
    assert grammar("show", "GGF", "--typed").stdout == sgf_lark.typed_grammar("ggf")


@pytest.mark.night
def test_other_commands_read_it_from_a_file(folder: Path) -> None:
    assert grammar("show", "ff4", "--typed", "--size", "9", "-o", "go.lark").exit_code == 0
    (folder / "right.sgf").write_text("(;FF[4]KM[6.5];B[aa])", encoding="utf-8")
    (folder / "wrong.sgf").write_text("(;FF[4]KM[six];B[ss])", encoding="utf-8")

    assert "1 file: 1 accepted" in grammar("test", "go.lark", "right.sgf").stdout
    assert "0 accepted, 1 rejected" in grammar("test", "go.lark", "wrong.sgf").stdout
    assert grammar("sample", "go.lark", "-n", "3").exit_code == 0
    assert "collection" in grammar("diff", "go.lark", "ff4").stdout
    assert grammar("lint", "go.lark").exit_code == 0
    game = sgf_lark.loads("(;FF[4]KM[6.5];B[aa])", grammar="go.lark")[0]
    assert str(game.root["KM"]) == "6.5"


def test_a_game_has_its_name_or_its_number_in_samples_too() -> None:
    by_name, by_number = (
        grammar("sample", "ff4", "--typed", "--game", game).stdout for game in ("Hex", "11")
    )

    assert by_name == by_number
    assert "GM[11]" in by_name
    assert grammar("sample", "ggf", "--typed", "--game", "2").stdout.startswith("(;GM[Othello]")


@pytest.mark.night
def test_a_custom_grammar_has_one_too(folder: Path) -> None:
    grammar("show", "ff4", "-o", "own.lark")

    shown = grammar("show", "own.lark", "--typed", "--game", "1")

    assert shown.stdout == sgf_lark.typed_grammar("ff4", "go", grammar=folder / "own.lark")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("show ff4 --game go", "--game needs --typed"),
        ("show ff4 --size 9", "--size needs --typed"),
        ("sample ff4 --typed --start komi", "remove --start, or --typed"),
        ("show games/go --typed", "--typed needs the grammar of a format"),
        ("show ff4 --typed --game chss", "no game 'chss'"),
        ("sample ff4 --typed --game chss", "no game 'chss'"),
        ("show ff4 --typed --game 99", "no game '99'"),
        ("show ff4 --typed --size 9x9", "invalid size '9x9': expected one such as 19 or 19:13"),
        ("show ff4 --typed --size 0", "invalid size 0:0"),
        ("show nowhere.lark --typed", "no grammar 'nowhere.lark'"),
    ],
)
def test_a_wrong_option_is_named(arguments: str, message: str) -> None:
    shown = grammar(*arguments.split(" "))

    assert shown.exit_code == 2
    assert message in shown.stderr


def test_an_export_is_written_with_its_limits_at_its_head(folder: Path) -> None:
    options = ("--typed", "--game", "go", "--size", "9")
    assert grammar("export", "ff4", "--to", "llguidance", *options, "-o", "go.lark").exit_code == 0

    head, _, rules = (folder / "go.lark").read_text(encoding="utf-8").partition("\n\n")
    assert head.startswith("// Typed grammar: FF[4], Go, board of 9 by 9.\n//\n// Derived")
    assert "//   two-moves: a node has a move of one color\n" in head
    assert "// Not expressed for llguidance:\n//   APPLICATION_VALUE: lookarounds" in head
    assert "\nstart: collection\ncollection: root_game_tree+\n" in rules


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("ff1 --to w3c --typed --game go --size 9:13", "error: FF[1] has no SZ[9:13]"),
        ("ff4 --to w3c --start date", "error: --start: no rule 'date' in ff4.lark"),
        ("ff4 --to yacc", "error: invalid value 'yacc' for --to"),
        ("word.lark --to w3c", "word.lark:2:1: error: w3c cannot express WORD: a lookbehind"),
    ],
)
def test_an_export_that_cannot_be_made_ends_with_the_reason(
    folder: Path, arguments: str, message: str
) -> None:
    (folder / "word.lark").write_text("a: WORD\nWORD: /(?<!x)y/\n", encoding="utf-8")
    ended = grammar("export", *arguments.split())

    assert ended.exit_code == 2
    assert message in ended.stderr
