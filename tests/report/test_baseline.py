"""Baselines: what is known is not shown, and what is new is, wherever it moves."""

import io
import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings, strategies as st
from support.lanes import amount
from support.places import write

from sgf_lark import Report, SettingsError, check as check_source
from sgf_lark.cli.main import app
from sgf_lark.report.base import marks, without_known
from sgf_lark.report.baseline import Baseline
from sgf_lark.settings.forms import Output

BROKEN = "(;FF[4]GM[1]SZ[19]\n;B[pd];W[zz9];KM[6,5])"
#: The finding of W[zz9] of BROKEN on its own.
NEW = "(;FF[4]GM[1]SZ[19]\n;B[pd];W[zz8];W[zz9];KM[6,5])"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def check(*arguments: str, text: str | None = None) -> Result:
    command = ["check", "--format", "concise", *arguments]
    return CliRunner().invoke(app, command, catch_exceptions=False, input=text)


def known(*arguments: str) -> None:
    """Write a baseline of some arguments."""
    done = check(*arguments, "--write-baseline", "known.json")
    assert (done.stdout, done.exit_code) == ("", 0)


def summary(*arguments: str, text: str | None = None) -> list[str]:
    """The lines of a check with the baseline, without the place of the code."""
    return check(*arguments, "--baseline", "known.json", text=text).stdout.splitlines()


# ---- what is known ----


def test_known_findings_are_counted_and_not_shown() -> None:
    write("a.sgf", BROKEN)
    done = check("a.sgf", "--write-baseline", "known.json")
    again = check("a.sgf", "--baseline", "known.json")

    assert (done.stdout, done.exit_code) == ("", 0)
    assert done.stderr == "known.json: 2 findings in 1 file known\n"
    assert again.stdout == "1 file: nothing wrong; 2 known findings not shown (baseline)\n"
    assert again.exit_code == 0


def test_a_new_finding_is_shown_alone_and_decides_the_exit_code() -> None:
    known(write("a.sgf", BROKEN))
    write("a.sgf", NEW)
    done = check("a.sgf", "--baseline", "known.json")

    first, *_ = done.stdout.splitlines()
    assert first.startswith("a.sgf:2:10: V301 ")
    assert "'zz8'" in first
    assert "1 file: 1 error; 2 known findings not shown (baseline)\n" in done.stdout
    assert done.exit_code == 1


@pytest.mark.parametrize(
    "text",
    [
        BROKEN.replace("\n", "\n\n\n"),
        BROKEN.replace(";", "\n  ;"),
        BROKEN.replace("W[zz9]", "C[new]W[zz9]"),
        BROKEN.replace(";B[pd]", ""),
        f"(;FF[4]GM[1]SZ[19];B[dd]){BROKEN}",
    ],
)
def test_findings_stay_known_wherever_they_move(text: str) -> None:
    known(write("a.sgf", BROKEN))
    write("a.sgf", text)

    assert summary("a.sgf") == ["1 file: nothing wrong; 2 known findings not shown (baseline)"]


def test_of_equal_findings_those_beyond_the_known_number_are_new() -> None:
    known(write("a.sgf", "(;FF[4]GM[1]SZ[19];B[zz9];W[dd];B[zz9])"))
    write("a.sgf", "(;FF[4]GM[1]SZ[19];B[zz9];W[dd];B[zz9];W[ee];B[zz9])")
    lines = summary("a.sgf")

    assert lines[0].startswith("a.sgf:1:48: V301 ")
    assert lines[1] == "1 file: 1 error; 2 known findings not shown (baseline)"


def test_findings_that_no_longer_occur_are_counted() -> None:
    known(write("a.sgf", BROKEN), write("b.sgf", BROKEN), write("c/c.sgf", BROKEN))
    write("a.sgf", BROKEN.replace("W[zz9]", "W[dd]"))
    Path("c/c.sgf").unlink()

    assert summary("a.sgf")[-1] == (
        "3 findings of the baseline no longer found: write it anew with --write-baseline"
    )
    assert len(summary("b.sgf")) == 2, "what was not checked may still be there: a.sgf"


def test_findings_of_rules_that_are_off_may_still_be_there() -> None:
    known(write("a.sgf", BROKEN))

    assert summary("a.sgf", "--select", "T") == ["1 file: nothing wrong"]


def test_a_file_that_cannot_be_read_is_never_known() -> None:
    write("a.sgf", BROKEN)
    done = check("a.sgf", "no.sgf", "--write-baseline", "known.json")
    again = check("a.sgf", "no.sgf", "--baseline", "known.json")

    assert done.exit_code == again.exit_code == 2
    assert again.stdout.startswith("no.sgf:1:1: F002 ")


def test_the_level_decides_what_becomes_known() -> None:
    write("a.sgf", "(;FF[4]GM[1]SZ[19]X[1];W[zz9])")
    known("a.sgf")
    assert summary("a.sgf", "--level", "info")[0].startswith("a.sgf:1:19: D501 ")
    known("a.sgf", "--level", "info")
    assert summary("a.sgf", "--level", "info") == [
        "1 file: nothing wrong; 2 known findings not shown (baseline)"
    ]


def test_findings_beyond_the_limit_of_a_file_are_known_as_well() -> None:
    write("a.sgf", "(;FF[4]GM[1]SZ[19]" + "".join(f";BL[z{n}]" for n in range(30)) + ")")
    known("a.sgf", "--max-diagnostics", "5")

    assert summary("a.sgf", "--max-diagnostics", "5") == [
        "1 file: nothing wrong; 30 known findings not shown (baseline)"
    ]
    write("a.sgf", "(;FF[4]GM[1]SZ[19]" + "".join(f";WL[z{n}]" for n in range(30)) + ")")
    assert (
        "more findings than shown: 25 errors left out"
        in summary("a.sgf", "--max-diagnostics", "5")[5]
    )


# ---- the file ----


@pytest.mark.night
def test_a_baseline_is_the_same_for_any_order_and_number_of_processes() -> None:
    names = [write(f"{name}/棋 {name}.sgf", BROKEN * 2) for name in "cab"]
    known(*names)
    first = Path("known.json").read_bytes()
    known(*reversed(names), "--jobs", "2")

    assert Path("known.json").read_bytes() == first
    data = json.loads(first)
    assert data["version"] == 1
    assert [*data["files"]] == [f"{name}/棋 {name}.sgf" for name in "abc"]
    assert all([*marks] == sorted(marks) for marks in data["files"].values())


def test_paths_count_from_the_baseline_whatever_the_current_folder_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("base/games/a.sgf", BROKEN)
    done = check("base/games", "--write-baseline", "base/known.json")
    assert done.exit_code == 0
    assert '"games/a.sgf"' in Path("base/known.json").read_text()
    monkeypatch.chdir(folder / "base" / "games")
    assert check(".", "--baseline", "../known.json").exit_code == 0
    assert check(str(folder / "base"), "--baseline", "../known.json").exit_code == 0
    shutil.move(folder / "base", folder / "moved")
    monkeypatch.chdir(folder)
    assert check("moved", "--baseline", "moved/known.json").exit_code == 0


def test_standard_input_has_known_findings() -> None:
    done = check("-", "--write-baseline", "known.json", text=BROKEN)

    assert done.exit_code == 0
    assert summary("-", text=BROKEN)[0].startswith("1 file: nothing wrong; 2 known")
    assert summary("-", text=NEW)[0].startswith("<stdin>:2:10: V301 ")


def test_records_in_archives_have_known_findings() -> None:
    def pack(text: str) -> None:
        with zipfile.ZipFile("games.zip", "w") as archive:
            archive.writestr("x/a.sgf", text)

    pack(BROKEN)
    known(".")
    assert '"games.zip/x/a.sgf"' in Path("known.json").read_text()
    assert summary(".") == ["1 file: nothing wrong; 2 known findings not shown (baseline)"]
    pack(NEW)
    assert summary("games.zip")[0].startswith("games.zip/x/a.sgf:2:10: V301 ")


def test_a_setting_names_the_baseline_from_its_own_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(write("a.sgf", BROKEN))
    write("sgf-lark.toml", 'baseline = "known.json"\n')
    Path("sub").mkdir()
    monkeypatch.chdir(folder / "sub")

    assert check("../a.sgf").exit_code == 0
    assert check("../a.sgf", "--isolated").exit_code == 1


def test_names_that_are_no_unicode_are_known(folder: Path) -> None:
    try:
        (folder / "caf\udce9.sgf").write_text(BROKEN)
    except OSError:
        pytest.skip("such names cannot be made here")
    known(".")

    assert summary(".") == ["1 file: nothing wrong; 2 known findings not shown (baseline)"]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (" ", "1:2", "invalid JSON: expecting value"),
        ('{"version": 1,\n<<<<<<<\n', "2:1", "invalid JSON: expecting property name"),
        ("[]", "1:1", "no baseline"),
        ('{"files": {},\n "version": 2}', "2:2", "a baseline of another version: expected 1"),
        ('{"version": 1, "files": {\n"a.sgf": []}}', "2:1", "expected the known findings of"),
        (
            '{"version": 1, "files": {"a.sgf": {\n "V301 00": true}}}',
            "2:2",
            "expected the number of findings 'V301 00', from 1",
        ),
        ('{"version": 1, "files": {"a.sgf": {\n "V301 00": 0}}}', "2:2", "expected the number"),
        ("[" * 100_000, "1:1", "invalid JSON: "),
        ("9" * 5000, "1:1", "invalid JSON: a number is too long"),
        ("\udcff", "1:1", "invalid JSON"),
    ],
)
def test_a_mistake_in_a_baseline_is_reported_with_its_place(
    text: str, place: str, message: str
) -> None:
    Path("known.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    done = check(write("a.sgf", BROKEN), "--baseline", "known.json")

    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"known.json:{place}: error: {message}")
    with pytest.raises(SettingsError):
        Baseline.read("known.json")


def test_a_baseline_of_settings_that_is_not_there_yet_has_its_place_and_its_command() -> None:
    write("a.sgf", BROKEN)
    write("sgf-lark.toml", "strict = false\nbaseline = 'known.json'")

    done = check("a.sgf")
    assert done.exit_code == 2
    assert done.stderr.startswith("sgf-lark.toml:2:12: error: no such file: create it with")
    assert "--write-baseline known.json [F004 wrong-setting]" in done.stderr
    check("a.sgf", "--write-baseline", "known.json")
    assert check("a.sgf").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--baseline", "no.json"], "--baseline: no.json: no such file"),
        (["--write-baseline", "no/known.json"], "--write-baseline: no/known.json: no such file"),
        (["--write-baseline", "a.sgf"], "--write-baseline: a.sgf: this file is an input"),
        (["--write-baseline", "x", "--baseline", "y"], "--baseline and this option exclude"),
        (["--write-baseline", "x", "--fix"], "--fix and --diff and this option exclude"),
        (["--write-baseline", "-"], "--write-baseline: expected a file"),
        (["--baseline", "known.json", "-o", "known.json"], "this file is an input"),
    ],
)
def test_bad_use_of_baselines_exits_with_2(arguments: list[str], message: str) -> None:
    known(write("a.sgf", BROKEN))
    before = Path("known.json").read_bytes()
    done = check("a.sgf", *arguments)

    assert done.exit_code == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert Path("known.json").read_bytes() == before
    assert Path("a.sgf").read_text() == BROKEN


# ---- together with other options ----


@pytest.mark.parametrize("output", Output)
def test_every_form_shows_new_findings_only(output: str) -> None:
    known(write("a.sgf", BROKEN))
    write("b.sgf", "(;FF[4]GM[1]AB[old])")
    done = check("a.sgf", "b.sgf", "--baseline", "known.json", "--format", output)

    assert "zz9" not in done.stdout
    assert "V301" in done.stdout
    assert done.exit_code == 1


def test_sarif_calls_findings_new_and_counts_the_known_ones() -> None:
    known(write("a.sgf", BROKEN))
    write("a.sgf", NEW.replace(";KM[6,5]", ""))
    arguments = ("--baseline", "known.json", "--format", "sarif", "--level", "error")
    (run,) = json.loads(check("a.sgf", *arguments).stdout)["runs"]

    assert [result["baselineState"] for result in run["results"]] == ["new"]
    counts = run["invocations"][0]["properties"]
    assert (counts["remaining"], counts["known"], counts["knownNoLongerFound"]) == (1, 1, 1)


def test_fix_leaves_known_findings_alone() -> None:
    known(write("a.sgf", BROKEN))
    write("a.sgf", BROKEN.replace("KM[6,5]", "KM[6,5]TM[6,5]"))
    done = check("a.sgf", "--baseline", "known.json", "--fix")

    assert Path("a.sgf").read_text() == BROKEN.replace("KM[6,5]", "KM[6,5]TM[6.5]")
    assert done.stdout.splitlines() == [
        "1 finding fixed in 1 file, 0 remaining",
        "1 file: nothing wrong; 2 known findings not shown (baseline)",
    ]
    assert check("a.sgf", "--baseline", "known.json", "--diff").stdout == ""
    assert "KM[6.5]" in check("a.sgf", "--diff").stdout


# ---- what a mark is ----

PIECES = ["B[zz9]", "W[zz9]", ";", "KM[6,5]", "C[x]", "\n", "(;B[dd])", "AB[cc]AW[cc]", "X[\ud800]"]


def report(text: str) -> Report:
    return check_source(io.StringIO(text), max_diagnostics=0)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=amount(8, 100))
def test_a_report_has_nothing_new_against_its_own_marks(text: str) -> None:
    made = report(f"(;FF[4]GM[1];{text})")
    names = [name for _, name in marks(made, made)]
    counts = {name: names.count(name) for name in names}

    new, seen = without_known(made, counts)
    assert (len(new), dict(seen)) == (0, counts)
    for name, count in counts.items():
        fewer = counts | {name: count - 1}
        (left,) = without_known(made, fewer)[0]
        assert [mark for one, mark in marks(made, made) if one is left] == [name]


@pytest.mark.skipif(os.name == "nt", reason="there paths have drives")
def test_a_record_in_an_archive_may_be_there_if_the_archive_is(folder: Path) -> None:
    write("a.zip", "not looked into")
    files = {name: {"V301 00": 1} for name in ("a.zip/x.sgf", "b.zip/x.sgf", "c/x.sgf")}
    baseline = Baseline(str(folder / "known.json"), files)
    baseline.end()

    assert baseline.counts.gone == 2
