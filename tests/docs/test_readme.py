"""The README: every example runs, and every table is what the program says."""

import doctest
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.places import ROOT

from sgf_lark import GAMES, Format
from sgf_lark.cli.paths import SUFFIXES
from sgf_lark.diagnostics.catalogue import table
from sgf_lark.diagnostics.settings import Settings

README = (ROOT / "README.md").read_text(encoding="utf-8")

#: The fenced blocks: language and content.
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    found = [content for name, content in BLOCKS if name == language]
    assert found
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sample records, and the files that the README shows."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    for content in (*blocks("lark"), *blocks("ebnf")):
        name = content.partition("\n")[0].strip("/(*) ")
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_python_examples_give_what_they_show() -> None:
    text = "\n".join(blocks("python"))
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)

    assert len(test.examples) > 20
    assert not said, "".join(said)


@pytest.mark.parametrize("block", blocks("console"))
def test_the_commands_print_what_is_shown(block: str, folder: Path) -> None:
    shown = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    for command, expected in zip(shown[::2], shown[1::2], strict=True):
        program, *arguments = shlex.split(command)
        assert program == "sgf-lark"
        result = subprocess.run(  # noqa: S603  # our own command
            [sys.executable, "-X", "utf8", "-m", "sgf_lark", *arguments],
            capture_output=True,
            encoding="utf-8",
            check=False,
            cwd=folder,
        )
        assert result.stdout == expected


def test_the_settings_that_are_shown_are_all_there_are() -> None:
    (block,) = blocks("toml")
    shown = tomllib.loads(block)
    known = {one.alias for one in Settings.model_fields.values()} - {""}

    assert {*shown} == known
    Settings.model_validate(shown)


def test_two_commands_set_up_and_run_a_fresh_clone() -> None:
    check, test = blocks("sh")

    for command in (check, test):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")
        assert command.count("\n") == 1
    assert check.endswith(" && .venv/bin/sgf-lark check tests/records\n")
    assert test.endswith(" && .venv/bin/python -m pytest\n")


def test_the_sample_records_are_of_every_format() -> None:
    assert {"ff1.mgt", "ff3.sgf", "go.sgf", "backgammon.sgf", "othello.ggf"} <= {
        file.name for file in (ROOT / "tests" / "records").iterdir()
    }


# ---- tables ----


def rows(title: str) -> list[str]:
    """The lines of the table in a section, without its head."""
    _, found, section = README.partition(f"\n## {title}\n")
    assert found
    lines = section.partition("\n## ")[0].splitlines()
    return [line for line in lines if line.startswith("| ")][1:]


def test_every_diagnostic_is_in_the_table() -> None:
    expected = table().splitlines()[2:]

    assert rows("Diagnostics") == expected, "the table should be:\n" + "\n".join(expected)


def test_every_game_is_in_the_table() -> None:
    described = [
        f"| {number} | {game.name} | `grammars/games/{game.grammar}.lark` |"
        for number, game in GAMES.items()
        if game.grammar
    ]
    others = ", ".join(f"{game.name} ({n})" for n, game in GAMES.items() if not game.grammar)

    assert rows("Games") == described, "the table should be:\n" + "\n".join(described)
    assert f"{others}." in " ".join(README.split()), f"the other games are: {others}."


def test_every_format_is_in_the_table() -> None:
    shown = [row.split(" | ")[:2] for row in rows("Formats")]

    assert shown == [[f"| {one.shown}", f"`grammars/{one.grammar}.lark`"] for one in Format]


def test_the_suffixes_are_listed() -> None:
    *most, last = (f"`{suffix}`" for suffix in SUFFIXES)

    assert f"{', '.join(most)} or {last}" in README
