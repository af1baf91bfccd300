"""``infer``: the rows of unknown properties for the settings."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.said import unsaid

from sgf_lark.cli.main import app


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments], catch_exceptions=False)


def write(nodes: str, name: str = "a.sgf", head: str = "FF[4]GM[1]SZ[19]") -> None:
    Path(name).write_text(f"(;{head}{nodes})", encoding="utf-8")


def inferred(*arguments: str) -> dict[str, Any]:
    """Return the properties of ``infer`` by their identifiers; as text they have the same rows."""
    done = run("infer", "--format", "json", *arguments)
    assert done.exit_code == 0, done.output
    known = {each["ident"]: each for each in json.loads(done.stdout)}
    rows = tomllib.loads(run("infer", *arguments).stdout).get("properties", {})
    assert rows == {
        one: each["settings"] for one, each in known.items() if each["settings"]["formats"]
    }
    return known


def row(ident: str, *values: str, head: str = "FF[4]GM[1]SZ[19]") -> dict[str, Any]:
    """Return the row of a property with some values, each in a node of its own."""
    write("".join(f";{ident}{value}" for value in values), head=head)
    settings: dict[str, Any] = inferred()[ident]["settings"]
    return settings


@pytest.mark.night
def test_the_tightest_type_and_count_come_back() -> None:
    cases: list[tuple[tuple[str, ...], str, str]] = [
        (("[0.5]", "[-1]"), "real", "one"),
        (("[10]", "[7]"), "number", "one"),
        (("[1]", "[2]"), "double", "one"),
        (("[B]", "[W]"), "color", "one"),
        (("[aa]", "[dd]"), "point", "one"),
        (("[aa][bb]", "[dd]"), "point", "list"),
        (("[aa:cc]", "[dd]"), "point", "list"),
        (("[aa:cc]", "[dd:ee]"), "point:point", "one"),
        (("[aa:A 1]", "[dd:x]"), "point:simpletext", "one"),
        (("[30]", "[]"), "none | number", "one"),
        (("[aa][bb]", "[]"), "point", "elist"),
        (("[]", "[]"), "none", "one"),
        (("[1999-10-11]", "[2000-01]"), "dates", "one"),
        (("[one]", "[two words]"), "simpletext", "one"),
        (("[one]", "[two\nlines]"), "text", "one"),
    ]
    idents = [f"X{letter}" for letter, _ in zip(ascii_uppercase, cases, strict=False)]
    nodes = zip(idents, cases, strict=True)
    write("".join(f";{ident}{value}" for ident, (values, *_) in nodes for value in values))
    found = inferred()

    for ident, (values, type_, count) in zip(idents, cases, strict=True):
        settings = found[ident]["settings"]
        assert (settings["type"], settings["count"]) == (type_, count), values


@pytest.mark.night
def test_a_type_is_one_of_the_format_and_the_game() -> None:
    assert row("XX", "[1]", "[2]", head="FF[3]GM[1]")["type"] == "triple"
    assert row("XX", "[d3]", "[e6]", head="FF[4]GM[2]")["type"] == "point"
    assert row("XX", "[d3]", "[e6]")["type"] == "simpletext"


def test_types_that_are_as_tight_are_listed() -> None:
    write(";XX[0.5]")

    assert inferred()["XX"]["other_types"] == ["komi", "time_limit"]
    assert "#   type: real or komi or time_limit\n" in run("infer").stdout


@pytest.mark.parametrize(
    ("nodes", "categories"),
    [
        ("XX[a]PB[b];B[aa]", ["root", "game-info"]),
        ("XX[a];B[aa]", ["root"]),
        (";B[aa]XX[a];W[bb]XX[b]", ["move"]),
        (";AB[aa]XX[a]", ["setup"]),
        (";B[aa]XX[a];AB[bb]XX[a]", ["none"]),
        ("XX[a];B[aa]XX[a]", ["none"]),
        (";XX[a]", ["none"]),
        (";ST[1]XX[a]", ["none"]),
    ],
)
def test_the_category_is_that_of_all_nodes(nodes: str, categories: list[str]) -> None:
    write(nodes)
    found = inferred()["XX"]

    assert (found["categories"], found["settings"]["category"]) == (categories, categories[0])


def test_records_without_unknown_properties_are_told() -> None:
    write(";B[pd]")

    assert run("infer").stdout == "# no unknown properties in 1 file\n"


def test_a_few_exceptions_are_counted_and_shown() -> None:
    write(";XX[7]" * 299 + "\n;XX[seven]")
    found = inferred("a.sgf")["XX"]

    assert (found["settings"]["type"], found["exceptions"]) == ("number", 1)
    assert found["first_exceptions"] == [
        {"value": "seven", "file": "a.sgf", "line": 2, "column": 5}
    ]
    assert "#   exceptions: 1, 'seven' (a.sgf:2:5)\n" in run("infer", "a.sgf").stdout

    write(";XX[7]" * 98 + ";XX[seven]")
    assert inferred()["XX"]["settings"]["type"] == "simpletext"


def test_files_games_nodes_and_programs_are_counted() -> None:
    write(";XX[1][2])(;GM[1]FF[4]AP[Other:1];XX[3];XX[4]", head="FF[4]GM[1]AP[Some:2]")
    write(";XX[5]", "b.sgf")
    found = inferred("a.sgf", "b.sgf")["XX"]

    assert [found[what] for what in ("files", "games", "nodes", "values")] == [2, 3, 4, 5]
    assert found["programs"] == {"Some": 1, "Other": 2, "": 1}
    assert found["example"] == {"value": "1", "file": "a.sgf", "line": 1, "column": 27}


def test_check_accepts_the_values_with_the_rows() -> None:
    nodes = "XA[5]XB[a:b]PB[x];B[aa]XC[1.5]XD[aa:cc][dd];W[bb]XC[2]XD[];XE[]XF[1];B[cc]XE[4]KO[]"
    write(nodes)
    assert run("check", "--strict", "--ignore", "S").exit_code == 1

    assert run("infer", "-o", "sgf-lark.toml").exit_code == 0
    assert run("check", "--strict", "--ignore", "S").stdout == "1 file: nothing wrong\n"
    assert inferred() == {}

    write(nodes.replace("1.5", "x"))
    first, *_ = run("check").stdout.splitlines()
    assert unsaid(first, "V301", "'x'", "XC", "a number") == []


def test_properties_of_settings_are_known_unless_they_are_ignored() -> None:
    write(";XX[1]XY[2]")
    Path("sgf-lark.toml").write_text("[properties]\nXX = 'number'\n")

    assert inferred().keys() == {"XY"}
    assert inferred("--isolated").keys() == {"XX", "XY"}


def test_a_property_that_settings_cannot_have_is_a_comment() -> None:
    write(";P1[1]")
    found = inferred()["P1"]

    assert found["faults"] == ["FF[4] allows no property P1: names have only capitals"]
    assert "# P1 = {" in run("infer").stdout


def test_formats_that_allow_no_such_name_are_left_out() -> None:
    write(";XXX[1]")
    write(";XXX[2]", "b.sgf", head="FF[3]GM[1]")
    found = inferred()["XXX"]

    assert found["settings"]["formats"] == ["ff4"]
    assert found["faults"] == ["FF[3] allows no property XXX: names have one or two characters"]


def test_records_of_archives_are_read(tmp_path: Path) -> None:
    from zipfile import ZipFile

    with ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("b.sgf", "(;FF[4];XX[1])")

    assert inferred("a.zip")["XX"]["example"]["file"] == "a.zip/b.sgf"


def test_errors_of_use_exit_with_2() -> None:
    write(";XX[1]")

    assert run("infer", "none.sgf").exit_code == 2
    assert run("infer", "-o", "a.sgf").exit_code == 2
    assert run("infer", "--format", "xml").exit_code == 2
