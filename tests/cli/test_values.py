"""Classes of values in a Python file: which commands use them, and when the file is run."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.places import write
from support.said import unsaid

import sgf_lark
from sgf_lark import SettingsError, SgfGrammarError, find_settings
from sgf_lark.cli.main import app
from sgf_lark.core import MethodError, Options, ValuesFile, grammars
from sgf_lark.settings.settings import read_settings

#: A class that capitalises texts, rejects one, and leaves a file behind when it is run.
MINE = """\
from pathlib import Path
from sgf_lark import SgfValues

Path({ran!r}).write_text("")

class Mine(SgfValues):
    def simpletext(self, children):
        text = "".join(children)
        if text == "nobody":
            raise ValueError("nobody plays")
        return text.upper()
"""

RECORD = "(;FF[4]GM[1]SZ[9]PB[ann]PW[nobody];B[aa])"

#: Commands that read values, of a record and of a folder by two processes.
COMMANDS = (
    "check x/a.sgf",
    "check x --jobs 2",
    "check --fix --diff x/a.sgf",
    "fmt --check x",
    "convert --to ff3 x/a.sgf",
    "convert --to json x -o out --jobs 2",
    "show x/a.sgf",
    "infer x",
    "archive build x -o games -q --jobs 2",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of records with settings, and a class of values outside of it."""
    monkeypatch.chdir(tmp_path)
    write("mine.py", MINE.format(ran=str(tmp_path / "ran")))
    for name in ("a", "b"):
        write(f"x/{name}.sgf", RECORD)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, catch_exceptions=False)


def foreign() -> None:
    write("x/sgf-lark.toml", 'values = "../mine.py:Mine"\n')


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs_a_file_that_an_option_or_named_settings_name(command: str) -> None:
    write("own.toml", 'values = "mine.py:Mine"\n')
    foreign()
    for how in (["--values", "mine.py:Mine"], ["--config", "own.toml"]):
        Path("ran").unlink(missing_ok=True)
        ValuesFile.load.__globals__["_run"].cache_clear()
        result = run(*command.split(), *how)

        assert Path("ran").exists(), result.output
        assert "L715" not in result.output
        assert "F004" not in result.output
        assert "program failed" not in result.output


STRUCTURE = """\
from sgf_lark import SgfTransformer

class Mine(SgfTransformer):
    def property(self, children):
        name, *values = children
        return super().property(["PB" if name == "PW" else "PW" if name == "PB" else name, *values])
"""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("check x --jobs 2", "2 files"),
        ("show x/a.sgf", "nobody vs. ann"),
        ("convert --to ff3 x/a.sgf -o -", "PB[nobody]"),
        ("convert --to json x -o out --jobs 2", ""),
        ("archive build x -o games -q --jobs 2", ""),
        ("check --fix --diff x/a.sgf", ""),
    ],
)
def test_a_class_of_the_structure_is_used_likewise(command: str, said: str) -> None:
    write("structure.py", STRUCTURE)
    result = run(*command.split(), "--values", "structure.py:Mine")

    assert said in result.output
    assert "program failed" not in result.output
    assert Path("x/a.sgf").read_text(encoding="utf-8") == RECORD
    if "json" in command:
        assert '"PB"' in Path("out/a.json").read_text(encoding="utf-8")
    if "archive" in command:
        assert "nobody" in run("archive", "sql", "games", "SELECT black FROM games").output


def test_fmt_refuses_what_a_class_of_the_structure_has_made() -> None:
    write("structure.py", STRUCTURE)
    result = run("fmt", "x/a.sgf", "--values", "structure.py:Mine")

    assert "Mine is only read: sgf-lark convert makes SGF of it" in result.output
    assert Path("x/a.sgf").read_text(encoding="utf-8") == RECORD


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_a_file_that_settings_beside_records_name(command: str) -> None:
    foreign()
    result = run(*command.split())

    assert not Path("ran").exists()
    if not command.startswith("archive"):  # which reads no settings beside records
        assert result.exit_code == 2
        (line, *_) = result.stderr.splitlines()
        assert line.startswith("x/sgf-lark.toml:1:10: error: values runs Python")
        assert unsaid(line, "--values mine.py:Mine", "--config") == []


@pytest.mark.parametrize(
    "command", ["explain KM", "grammar explain a.sgf:1:8", "grammar test ff4 ."]
)
def test_commands_that_read_no_values_go_on_beside_such_settings_and_run_nothing(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign()
    monkeypatch.chdir("x")
    for more in ([], ["--config", "sgf-lark.toml"]):
        result = run(*command.split(), *more)

        assert (result.exit_code, result.stderr) == (0, "")
    assert not Path("../ran").exists()


def test_python_and_editors_run_no_file_that_found_settings_name() -> None:
    foreign()
    found = find_settings("x/a.sgf")

    for act in (
        lambda: sgf_lark.check("x/a.sgf", options=found),
        lambda: sgf_lark.load("x/a.sgf", **found.reading),
        lambda: Options.of_check(found, {}),  # as the server does
    ):
        with pytest.raises(SettingsError):
            act()
    assert not Path("ran").exists()
    named = read_settings("x/sgf-lark.toml")
    assert not sgf_lark.check("x/a.sgf", options=named).ok
    assert Path("ran").exists()


def test_a_class_of_a_file_decides_in_all_processes_what_values_are() -> None:
    values = ("--values", "mine.py:Mine")
    reports = [run("check", "x", "--jobs", jobs, *values).stdout for jobs in "12"]

    assert reports[0] == reports[1]
    assert reports[0].count("invalid value 'nobody' for PW") == 2
    assert '"values":["ANN"]' in run("convert", "--to", "json", "x/a.sgf", *values).stdout
    assert run("show", "x/a.sgf", *values).stdout.startswith("ANN")
    run("archive", "build", "x", "-o", "games", "-q", "--jobs", "2", *values)
    players = run("archive", "sql", "games", "select distinct black, errors from games").stdout
    assert players.split() == ["black", "errors", "ANN", "1"]


def test_layouts_and_conversions_keep_the_texts_that_a_class_reads_otherwise() -> None:
    values = ("--values", "mine.py:Mine")

    assert "PB[ann]\nPW[nobody]" in run("convert", "--to", "ff3", "x/a.sgf", *values).stdout
    assert run("fmt", "x", *values).exit_code == 0
    assert Path("x/a.sgf").read_text() == "(;FF[4]GM[1]SZ[9]\nPB[ann]\nPW[nobody]\n;B[aa]\n)\n"
    assert run("check", "--fix", "x", *values).exit_code == 1
    assert Path("x/b.sgf").read_text() == Path("x/a.sgf").read_text()


def test_games_keep_the_class_of_a_file_when_they_are_pickled() -> None:
    (game,) = sgf_lark.load("x/a.sgf", values=ValuesFile("mine.py", "Mine"), strict=False)

    assert game.root["PB"] == "ANN"
    assert pickle.loads(pickle.dumps(game)).root["PB"] == "ANN"
    assert [one.code for one in game.diagnostics] == ["V301"]


@pytest.mark.parametrize(
    ("text", "name", "place", "said"),
    [
        ("class Other: pass", "Mine", "1:1", "no class Mine"),
        ("class Mines: pass", "Mine", "1:1", "did you mean Mines"),
        ("class Mine: pass", "Mine", "1:7", "extend"),
        ("x = 1\nimport nowhere_at_all", "Mine", "2:1", "ModuleNotFoundError"),
        ("x = 1\nraise SystemExit", "Mine", "2:1", "SystemExit"),
        ("x = 1\n(\n", "Mine", "2:1", "invalid Python"),
        (
            "from sgf_lark import SgfValues\nclass Mine(SgfValues):\n    def reel(self, _): ...\n",
            *("Mine", "3:9", "real"),
        ),
    ],
)
def test_a_class_that_cannot_be_used_is_reported_at_its_place(
    text: str, name: str, place: str, said: str
) -> None:
    write("bad.py", text)
    result = run("check", "x", "--values", f"bad.py:{name}")

    assert result.exit_code == 2
    assert result.stderr.startswith(f"bad.py:{place}: error: ")
    assert "[L715 unusable-values]" in " ".join(result.stderr.split())
    assert said in result.stderr
    assert result.stdout == ""


def test_a_file_that_is_not_there_and_a_name_without_a_class_are_reported() -> None:
    assert "none.py: error: cannot read this file" in run("check", "--values", "none.py:A").stderr
    assert "such as 'mine.py:Values'" in " ".join(run("check", "--values", "x.py").stderr.split())
    write("sgf-lark.toml", "values = 'x.py'\n")
    assert "sgf-lark.toml:1:10: error: expected a file and a class" in run("check").stderr


def test_a_method_that_fails_is_named_with_its_line_and_ends_no_run() -> None:
    text = MINE.format(ran="ran").replace("text.upper()", "children.upper()")
    write("bad.py", text)
    result = run("check", "x", "--values", "bad.py:Mine", "--jobs", "2")

    assert result.exit_code == 2
    shown = " ".join(result.stdout.split())
    assert unsaid(shown, "'ann'", "line 11 of bad.py", "AttributeError") == []
    assert shown.count("F005") == 2
    with pytest.raises(MethodError, match="line 11"):
        _ = sgf_lark.load("x/a.sgf", values=ValuesFile("bad.py", "Mine"), validate=False)[0].root[
            "PB"
        ]


def test_an_archive_is_built_by_named_settings_and_again_when_their_files_change() -> None:
    write("mine.lark", grammars.text_of(grammars.path("ff4")) + 'share: NUMBER "%"\n')
    write("own.toml", 'grammar = "mine.lark"\nvalues = "mine.py:Mine"\nproperties = {XS = "share"}')
    write("x/a.sgf", "(;FF[4]GM[1]SZ[9]PB[ann]XS[7%];B[aa]XS[much])")
    build = ("archive", "build", "x", "-o", "games", "--config", "own.toml")
    first, again = run(*build), run(*build)
    write("mine.lark", grammars.text_of(grammars.path("ff4")) + 'share: NUMBER "%"?\n')
    with_grammar = run(*build)
    write("mine.py", MINE.format(ran="ran").replace("upper()", "lower()"))

    assert (first.exit_code, "2 findings" in first.stdout) == (0, True)
    assert "2 unchanged" in again.stdout
    assert "2 changed" in with_grammar.stdout
    assert "2 changed" in run(*build).stdout
    assert "ann" in run("archive", "sql", "games", "select black from games").stdout


def test_a_changed_file_is_run_again() -> None:
    values = ValuesFile("mine.py", "Mine")
    assert sgf_lark.loads("(;FF[4]PB[ann])", strict=False, values=values)[0].root["PB"] == "ANN"
    write("mine.py", MINE.format(ran="ran").replace("upper()", "capitalize()"))

    assert sgf_lark.loads("(;FF[4]PB[ann])", strict=False, values=values)[0].root["PB"] == "Ann"


def test_a_class_in_place_of_an_object_is_an_error() -> None:
    with pytest.raises(TypeError, match="an object of a class"):
        sgf_lark.loads("(;)", values=sgf_lark.SgfValues)  # type: ignore[arg-type]
    with pytest.raises(SgfGrammarError):
        sgf_lark.loads("(;)", values=ValuesFile("none.py", "A"))
