"""``check --show-settings``: the settings that hold for a path, and where each comes from."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from sgf_lark.cli.main import app
from sgf_lark.settings.settings import Settings, find_settings

SETTINGS = """\
ignore = ["dialect"]
level = "info"
[fmt]
nodes = 10
[per-file-ignores]
"old/*.sgf" = ["V304", "E"]
[properties]
TU = { type = "number", category = "move", name = "Time used" }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("club").mkdir()
    Path("club/sgf-lark.toml").write_text(SETTINGS)


def shown(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["check", "--show-settings", *arguments])
    assert not done.exit_code, done.output
    return done.stdout


def origins(text: str, name: str) -> list[str]:
    """Return the origins of a setting, the one that decides first."""
    lines = [line.partition("  # ") for line in text.splitlines()]
    return [origin for setting, _, origin in lines if setting.startswith((name, f"# {name}"))]


def test_each_setting_has_its_origin() -> None:
    text = shown("club/a.sgf", "--level", "error", "--ignore", "T201,V3")

    assert text.startswith("# club/a.sgf\n")
    assert origins(text, "level") == ["--level"]
    assert origins(text, "ignore") == ["--ignore", "club/sgf-lark.toml"]
    assert origins(text, "fmt.nodes") == ["club/sgf-lark.toml"]
    assert origins(text, "fmt.indent") == origins(text, "format") == ["default"]
    assert 'ignore = ["T201", "V3"] ' in text


def test_select_replaces_what_the_file_selects_and_ignores() -> None:
    text = shown("club/a.sgf", "--select", "V301")

    assert origins(text, "select") == origins(text, "ignore") == ["--select"]
    assert "ignore = [] " in text


def test_what_is_shown_is_a_settings_file_with_the_same_settings() -> None:
    text = shown("club")
    again = Settings.model_validate(tomllib.loads(text) | {"": str(Path("club").absolute())})

    assert again.model_dump() == find_settings("club").model_dump()


def test_each_path_has_the_settings_of_its_folder() -> None:
    club, here = shown("club/a.sgf", "b.sgf").split("\n\n")

    assert origins(club, "level") == ["club/sgf-lark.toml"]
    assert here.startswith("# b.sgf\n")
    assert {*origins(here, "")} == {"default", ""}
    assert {*origins(shown("club", "--isolated"), "")} == {"default", ""}


def test_the_settings_of_a_file_that_is_named_hold_everywhere() -> None:
    text = shown("b.sgf", "--config", "club/sgf-lark.toml")

    assert origins(text, "level") == ["club/sgf-lark.toml"]


def test_invalid_settings_are_reported() -> None:
    Path("sgf-lark.toml").write_text("nodes = 1")
    done = CliRunner().invoke(app, ["check", "--show-settings"])

    assert done.exit_code == 2
    assert "unknown setting 'nodes'" in done.stderr
