"""The first things that one types do what one means, or say what to type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

import sgf_lark
from sgf_lark import CheckOptions, Collection, Node

if TYPE_CHECKING:
    from pathlib import Path

RECORD = "(;FF[4]GM[1]SZ[9];B[ee](;W[ef];B[de])(;W[gg]))"


def test_the_board_of_a_game_is_that_at_the_end_of_its_main_line() -> None:
    (game,) = sgf_lark.loads(RECORD)

    assert game.board() == game.board("3") == game.main_line()[-1].board


def test_lines_are_sequences() -> None:
    (game,) = sgf_lark.loads(RECORD)

    assert len(game.main_line()) == 4
    assert game.main_line()[1:3] == game.mainline_from(1)[:2]
    assert [leaf.path for leaf in game.leaves()][-1] == game.leaves()[1].path


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"selekt": ["V"]}, "there is no such field; did you mean 'select'\\?"),
        ({"zzz": 1}, "there is no such field "),
        ({"select": ["V999"]}, "  no rule is called 'V999'"),
        ({"select": "V"}, "expected a list of texts, not a single one"),
    ],
)
def test_wrong_options_are_named_in_plain_words(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        CheckOptions(**options)


def test_models_say_how_they_are_made() -> None:
    (game,) = sgf_lark.loads(RECORD)

    with pytest.raises(TypeError, match="Collection takes its fields by name: games, "):
        Collection([game])  # type: ignore[call-arg]
    with pytest.raises(ValidationError, match="  a node comes with its game"):
        Node()  # type: ignore[call-arg]
    with pytest.raises(ValidationError, match="the field is missing"):
        sgf_lark.Result()  # type: ignore[call-arg]


def test_an_outcome_gives_its_result_or_raises_its_error(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(RECORD)
    good, bad = sgf_lark.load_many([path, tmp_path / "missing.sgf"], jobs=1)

    assert len(good.get()) == 1
    with pytest.raises(FileNotFoundError, match=r"missing\.sgf"):
        bad.get()


def test_records_are_the_files_as_the_command_finds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b.sgf", "a.ggf", "notes.txt", "old/c.sgf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(RECORD)
    (tmp_path / "sgf-lark.toml").write_text('exclude = ["old"]')
    monkeypatch.chdir(tmp_path)

    (tmp_path / "empty").mkdir()
    assert [*sgf_lark.records()] == ["./a.ggf", "./b.sgf"]
    assert [*sgf_lark.records("b.sgf", "b.sgf")] == ["b.sgf"]
    assert [*sgf_lark.records(tmp_path / "*.sgf")] == [str(tmp_path / "b.sgf")]
    with pytest.raises(OSError, match="this folder has no files that end in"):
        [*sgf_lark.records("empty")]
    with pytest.raises(OSError, match="no file matches this pattern"):
        [*sgf_lark.records("*.mgt")]
