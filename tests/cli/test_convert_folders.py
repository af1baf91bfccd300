"""``sgf-lark convert`` over folders, archives and patterns: a tree of results, or in place."""

from __future__ import annotations

import json
import re
import resource
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from sgf_lark.cli.main import app

pytestmark = pytest.mark.elsewhere

OLD = b"(;FF[3]GM[1]SZ[9];B[tt])"
NEW = b"(;FF[4]CA[UTF-8]GM[1]SZ[9]\n;B[]\n)\n"
BROKEN = b"a letter"
GGF = (
    b"(;GM[Othello]PB[a]PW[b]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O---"
    b" -------- -------- -------- *]B[d3];)"
)


def run(*arguments: object, data: bytes | None = None) -> tuple[int, bytes, str]:
    """Exit code, standard output, and standard error."""
    result = CliRunner().invoke(app, ["convert", *map(str, arguments)], input=data)
    if not isinstance(result.exception, SystemExit | None):
        raise result.exception
    return result.exit_code, result.stdout_bytes, result.stderr


def tree(folder: Path) -> dict[str, bytes]:
    """The files below a folder, by their names there."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with records in ``in`` and below."""
    monkeypatch.chdir(tmp_path)
    records = {"a.sgf": OLD, "2001/b.MGT": OLD, "2001/new.sgf": NEW, "2001/deep/c.ggf": GGF}
    for name, data in records.items():
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path


def test_a_folder_of_results_has_the_tree_and_the_suffixes_of_the_format(folder: Path) -> None:
    before = tree(folder / "in")

    code, out, err = run("in", "--to", "ff4", "-o", "out")

    made = tree(folder / "out")
    assert (code, out) == (0, b"")
    assert list(made) == ["2001/b.sgf", "2001/deep/c.sgf", "2001/new.sgf", "a.sgf"]
    assert made["2001/b.sgf"] == made["2001/new.sgf"] == made["a.sgf"] == NEW
    assert made["2001/deep/c.sgf"].startswith(b"(;FF[4]CA[UTF-8]GM[2]SZ[8]")
    assert err.splitlines()[-1] == "4 files: 3 converted, 1 unchanged; 4 of 4 are FF[4]"
    assert tree(folder / "in") == before


def test_two_records_of_one_name_keep_their_suffixes_in_the_tree(folder: Path) -> None:
    for name in ("a.ggf", "a.mgt"):
        (folder / "in" / name).write_bytes(OLD)

    assert run("in", "--to", "ff4", "-o", "out")[0] == 0
    names = [name for name in tree(folder / "out") if name.startswith("a")]
    assert names == ["a.ggf.sgf", "a.mgt.sgf", "a.sgf"]


def test_processes_change_nothing_of_the_results_and_reports(folder: Path) -> None:
    (folder / "in" / "bad.sgf").write_bytes(BROKEN)
    alone = run("in", "--to", "ff4", "-o", "one", "--level", "info", "--jobs", "1")
    shared = run("in", "--to", "ff4", "-o", "two", "--level", "info", "--jobs", "2")

    assert alone == shared
    assert alone[0] == 1
    assert "2  info   in 2 files  C711" in alone[2]
    assert alone[2].endswith(
        "5 files: 3 converted, 1 unchanged, 1 not converted; 4 of 5 are FF[4];"
        " not: in/bad.sgf (not converted)\n"
    )
    assert tree(folder / "one") == tree(folder / "two")


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["in/a.sgf"], ["a.json"]),
        (["in/2001/*"], ["b.json", "deep/c.json", "new.json"]),
        (["in/**/*.sgf"], ["2001/new.json", "a.json"]),
        (["in/2001", "in/a.sgf", "in/2001/b.MGT"], ["a.json", "b.json", "deep/c.json", "new.json"]),
        ([], ["in/2001/b.json", "in/2001/deep/c.json", "in/2001/new.json", "in/a.json"]),
    ],
)
def test_the_tree_begins_at_the_folder_or_the_first_pattern(
    paths: list[str], names: list[str], folder: Path
) -> None:
    assert run(*paths, "--to", "json", "-o", "out/")[0] == 0
    assert list(tree(folder / "out")) == names


def test_results_of_an_earlier_run_are_no_inputs(folder: Path) -> None:
    first = run(".", "--to", "ff4", "-o", "out")
    made = tree(folder / "out")

    assert run(".", "--to", "ff4", "-o", "out") == first
    assert tree(folder / "out") == made


def test_in_place_the_names_stay_and_other_suffixes_are_skipped(folder: Path) -> None:
    code, out, err = run("in", "--to", "ff4", "--in-place")

    made = tree(folder / "in")
    assert (code, out) == (1, b"")
    assert list(made) == ["2001/b.MGT", "2001/deep/c.ggf", "2001/new.sgf", "a.sgf"]
    assert made.pop("2001/deep/c.ggf") == GGF
    assert set(made.values()) == {NEW}
    assert "in/2001/deep/c.ggf: skipped (suffix): this suffix is not for ff4" in err
    assert err.endswith(
        "4 files: 2 converted, 1 unchanged, 1 skipped (suffix); 3 of 4 are FF[4];"
        " not: in/2001/deep/c.ggf (skipped (suffix))\n"
    )
    again = run("in/a.sgf", "--to", "ff4", "--in-place")
    assert again[::2] == (0, "1 file: 1 unchanged; 1 of 1 is FF[4]\n")


def test_records_of_archives_get_a_folder_of_their_own_and_are_not_replaced(folder: Path) -> None:
    with zipfile.ZipFile(folder / "in" / "old.zip", "w") as archive:
        archive.writestr("x.sgf", OLD)
        archive.writestr("deep/y.mgt", OLD)
    before = (folder / "in" / "old.zip").read_bytes()

    assert run("in/old.zip", "--to", "ff4", "-o", "out")[0] == 0
    assert tree(folder / "out") == {"old/deep/y.sgf": NEW, "old/x.sgf": NEW}
    code, _, err = run("in/old.zip", "--to", "ff4", "--in-place")
    assert code == 1
    assert err.splitlines()[-1].startswith("2 files: 2 skipped (packed); 0 of 2 are FF[4]; not: ")
    assert (folder / "in" / "old.zip").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["in"], "in: more than one file needs a place: a folder with -o, or --in-place"),
        ([], ".: more than one file needs a place"),
        (["in", "-o", "in/a.sgf"], "in/a.sgf: more than one file needs a folder, not a file"),
        (["in", "-o", "new.json"], "new.json: more than one file needs a folder, not a file"),
        (["in", "-o", "in"], "in: this folder is an input"),
        (["in/*", "-o", "in"], "in: this folder is an input"),
        (["in/a.sgf", "-o", "in/"], "in/a.sgf: this file is an input"),
        (["in", "-o", "link"], "link/a.sgf: this file is an input"),
        (["in/a.sgf", "twin", "-o", "out"], "both in/a.sgf and twin/a.sgf would be written to it"),
        (["in", "--in-place", "-o", "out"], "--in-place and -o exclude each other"),
        (["-", "--in-place"], "standard input cannot be replaced"),
    ],
)
def test_a_wrong_place_is_reported_before_anything_is_written(
    arguments: list[str], said: str, folder: Path
) -> None:
    (folder / "twin").mkdir()
    (folder / "twin" / "a.sgf").write_bytes(OLD)
    (folder / "link").mkdir()
    (folder / "link" / "a.sgf").symlink_to(folder / "in" / "a.sgf")
    before = tree(folder)

    code, out, err = run(*arguments, "--to", "ff4", data=OLD)

    assert (code, out) == (2, b"")
    assert said in err
    assert tree(folder) == before


def test_json_replaces_no_records(folder: Path) -> None:
    code, _, err = run("in", "--to", "json", "--in-place")

    assert code == 2
    assert "JSON would replace the records" in err
    assert (folder / "in" / "a.sgf").read_bytes() == OLD


def test_a_difference_is_shown_and_nothing_is_written(folder: Path) -> None:
    before = tree(folder)

    code, out, err = run("in/a.sgf", "in/2001/new.sgf", "--to", "ff4", "--diff", "-o", "out")

    assert code == 0
    assert out.startswith(b"--- a/in/a.sgf\t(old)\n+++ b/in/a.sgf\t(new)\n")
    assert err.endswith("2 files: 1 would be converted, 1 unchanged; 2 of 2 would be FF[4]\n")
    assert b"+;B[]\n" in run("in/a.sgf", "--to", "ff4", "--diff")[1]
    assert run("in/a.sgf", "in/2001/new.sgf", "--to", "ff4", "--diff")[:2] == (0, out)
    assert tree(folder) == before


def test_an_empty_file_is_reported(folder: Path) -> None:
    (folder / "empty.sgf").touch()
    code, _, err = run("empty.sgf", "in/a.sgf", "--to", "ff4", "-o", "out")

    assert code == 1
    assert err.startswith("empty.sgf:1:1: S101 this is not a game record\n")
    assert "S101" in run("empty.sgf", "--to", "ff4")[2]


def test_standard_input_has_a_name_in_a_folder(folder: Path) -> None:
    assert run("-", "--to", "ff4", "-o", "out/", data=OLD)[0] == 0
    named = run("--to", "ff4", "-o", "out/", "--stdin-filename", "x/game.mgt", data=OLD)
    assert named[0] == 0
    assert tree(folder / "out") == {"game.sgf": NEW, "stdin.sgf": NEW}


def test_losses_of_several_files_are_counted_by_code(folder: Path) -> None:
    for name in "xy":
        (folder / "in" / f"{name}.sgf").write_text("(;FF[3]GM[1]SZ[9]HA[1];B[aa] text)")
    (folder / "in" / "z.sgf").write_text("no record")

    code, out, err = run("in", "--to", "ff4", "-o", "out")

    assert (code, out) == (1, b"")
    assert "in/z.sgf:1:1: S101 this is not a game record\n" in err
    assert "2  warning  in 2 files  C752  text outside games is removed [text-left-out]\n" in err
    assert "in/x.sgf:1" not in err


def test_the_report_has_the_forms_of_check_and_goes_where_no_results_go(folder: Path) -> None:
    (folder / "in" / "x.sgf").write_text("(;FF[3]GM[1]SZ[9];B[aa] text)")

    code, out, err = run("in/x.sgf", "in/a.sgf", "--to", "ff4", "-o", "out", "--format", "jsonl")
    assert code == 0
    assert {json.loads(line)["code"] for line in out.splitlines()} >= {"C701", "C752"}
    assert err == "2 files: 2 converted; 2 of 2 are FF[4]\n"

    code, out, err = run("in/x.sgf", "--to", "ff4", "--format", "concise")
    assert (code, out) == (0, (folder / "out" / "x.sgf").read_bytes())
    assert "in/x.sgf:1:25: C752 'text' belongs to no property, and is left out\n" in err


def test_a_file_that_is_no_json_is_the_failure_of_this_file_only(folder: Path) -> None:
    for name, text in (("a", '{"games": 3}'), ("b", "{"), ("c", "[[1"), ("d", "{(;FF[4]GM[1])")):
        (folder / "in" / f"{name}.json").write_text(text)

    code, _, err = run(*(f"in/{name}.json" for name in "abcd"), "--to", "ff4", "-o", "out")

    assert code == 1
    assert [err.count(f"in/{name}.json:1:1: S101 invalid JSON of a record") for name in "abcd"] == [
        *(1, 1, 1, 0)
    ]
    assert "4 files: 1 unchanged, 3 not converted" in err
    assert tree(folder / "out") == {"d.sgf": b"{(;FF[4]GM[1])"}


def test_each_file_that_fails_is_reported_and_the_others_are_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "2001").write_text("no folder")
    (folder / "in" / "bad.json").write_text('{"games": 3}')

    code, _, err = run("in", "in/bad.json", "missing", "--to", "ff4", "-o", "out", "-q")

    assert code == 2
    assert "out/2001/b.sgf: cannot be written: " in err
    assert "in/bad.json:1:1: S101 invalid JSON of a record: games" in err
    assert "missing: no such file or directory" in err
    assert "files:" not in err
    assert tree(folder / "out") == {"2001": b"no folder", "a.sgf": NEW}

    def fails(*_: object, **__: object) -> None:
        raise IndexError("array index out of range")

    monkeypatch.setattr(import_module("sgf_lark.convert.convert"), "convert", fails)
    code, _, err = run("in", "--to", "ff4", "--in-place")
    assert code == 2
    assert "in/a.sgf: this file could not be converted, because the program failed" in err
    assert "4 files: 1 skipped (suffix), 3 failed; 0 of 4 are FF[4]; not: " in err


def test_a_record_is_read_by_a_grammar_and_as_a_format(folder: Path) -> None:
    grammar = folder / "mine.lark"
    grammar.write_text('%import .ff4 (start)\n%override real: "x"\n')
    (folder / "in" / "a.sgf").write_bytes(b"(;FF[4]GM[1]SZ[9]C[a\\:b])")

    assert run("in/a.sgf", "--to", "ff4", "--as", "FF1")[1].startswith(b"(;FF[4]CA[UTF-8]GM[1]")
    assert run("in/a.sgf", "--to", "json", "--grammar", "no.lark")[0] == 2


@pytest.mark.parametrize("command", [["convert", "--to", "ff4", "--in-place"], ["fmt"]])
def test_on_a_full_disk_each_file_stays_as_it_was(command: list[str], tmp_path: Path) -> None:
    old = OLD + b" " * 5000 + b"(;FF[3]GM[1]C[" + b"x" * 5000 + b"])"
    for name in ("a.sgf", "b.sgf"):
        (tmp_path / name).write_bytes(old)

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        result = CliRunner().invoke(app, [*command, str(tmp_path)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert result.exit_code == 2
    assert result.stderr.count("cannot be written: file too large") == 2
    assert tree(tmp_path) == {"a.sgf": old, "b.sgf": old}


WRONG = b"(;FF[3]GM[1]SZ[9]KM[6,5];B[cc];W[aa];B[aa])"


def test_a_folder_is_fixed_and_converted_with_one_page_of_report(folder: Path) -> None:
    (folder / "in" / "wrong.sgf").write_bytes(WRONG)

    code, out, err = run(
        *("in", "--to", "ff4", "--to-encoding", "utf-8", "--fix", "-o", "out", "--format", "html")
    )

    page = out.decode()
    assert code == 0
    assert err == (
        "5 files: 4 converted, 1 unchanged; 1 finding fixed in 1 file; 5 of 5 are FF[4] in UTF-8\n"
    )
    assert b"KM[6.5]" in (folder / "out" / "wrong.sgf").read_bytes()
    assert (folder / "in" / "wrong.sgf").read_bytes() == WRONG
    assert re.search(r"fixed: (?=[^<]*\bKM\b)[^<]*&#x27;6,5&#x27;", page)
    assert "; 1 finding fixed in 1 file" in page
    assert "B[aa] (A9) is played on a white stone" in page
    assert page.count("<h2><bdi>in/wrong.sgf</bdi>") == 1
    assert "wrong.sgf</bdi></a>: 1 finding fixed, 1 warning left" in page
    assert "<h2>Left: " in page


def test_what_is_fixed_first_is_in_no_report_for_programs(folder: Path) -> None:
    (folder / "in" / "wrong.sgf").write_bytes(WRONG)

    _, out, _ = run("in/wrong.sgf", "--to", "ff4", "--fix", "-o", "out/", "--format", "jsonl")

    codes = [json.loads(line).get("code") for line in out.splitlines()]
    assert "G601" in codes
    assert "V301" not in codes


def test_without_fix_nothing_is_fixed_and_no_rules_of_play_are_checked(folder: Path) -> None:
    (folder / "in" / "wrong.sgf").write_bytes(WRONG)

    _, out, err = run("in", "--to", "ff4", "-o", "out", "--format", "html")

    assert err == "5 files: 4 converted, 1 unchanged; 5 of 5 are FF[4]\n"
    assert "fixed: " not in out.decode()
    assert "is played on" not in out.decode()


# ---- what was asked for ----

#: A name that a server cut in the middle of its third character.
CUT = "(;FF[4]CA[UTF-8]GM[1]PB[青木]PW[青".encode() + b"\xe9\x9d" + b"])"
NO_FORMAT = "(;GM[1]AP[x:1]SZ[9];B[dd])"


@pytest.mark.parametrize(
    ("record", "written"),
    [
        (NO_FORMAT, "(;FF[4]GM[1]AP[x:1]SZ[9];B[dd])"),
        ("(;FF[5]GM[1]\nSZ[9];B[dd])", "(;FF[4]GM[1]\nSZ[9];B[dd])"),
        ("(;FF[]AP[x:1];B[dd])", "(;FF[4]AP[x:1];B[dd])"),
        ("(;;GM[1]AP[x:1];B[dd])", "(;;FF[4]GM[1]AP[x:1];B[dd])"),
        ("(;FF[4]GM[1];B[dd])", "(;FF[4]GM[1];B[dd])"),
    ],
)
def test_a_record_that_is_read_as_ff4_says_so_afterwards(
    record: str, written: str, folder: Path
) -> None:
    (folder / "x.sgf").write_text(record)

    code, out, err = run("x.sgf", "--to", "ff4", "--level", "info")

    assert (code, out.decode()) == (0, written)
    assert ("FF[4] is written [C701 declared]" in err) is (record != written)


def test_a_record_with_text_of_no_property_says_so_only_when_it_is_fixed(folder: Path) -> None:
    (folder / "x.sgf").write_text("(;AP[x:1] junk SZ[9];B[dd])")

    code, out, err = run("x.sgf", "--to", "ff4")

    assert (code, out) == (2, b"")
    assert "error: cannot write x.sgf: this game has text that belongs to no property" in err


def test_a_record_without_ff_stays_as_it_is_where_only_sgf_is_asked_for(folder: Path) -> None:
    (folder / "x.sgf").write_text(NO_FORMAT)

    assert run("x.sgf", "--to", "sgf")[1].decode() == NO_FORMAT


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "utf-8-sig"])
def test_bytes_that_are_no_text_are_refused_where_utf_8_is_asked_for(
    encoding: str, folder: Path
) -> None:
    (folder / "in" / "cut.sgf").write_bytes(CUT)

    code, _, err = run("in", "--to", "ff4", "--to-encoding", encoding, "-o", "out")

    assert code == 1
    assert "in/cut.sgf:1:32: F009 the bytes E9 9D are no text: they cannot be written in" in err
    assert "4 of 5 are FF[4] in" in err.splitlines()[-1]
    assert err.splitlines()[-1].endswith("; not: in/cut.sgf (not converted)")
    assert not (folder / "out" / "cut.sgf").exists()


def test_bytes_that_are_no_text_are_replaced_on_request(folder: Path) -> None:
    (folder / "in" / "cut.sgf").write_bytes(CUT)
    options = ("--to", "ff4", "--to-encoding", "utf-8", "--undecodable", "replace", "-o", "out")

    code, _, err = run("in", *options)

    assert (code, err.splitlines()[-1].partition("; ")[2]) == (0, "5 of 5 are FF[4] in UTF-8")
    written = (folder / "out" / "cut.sgf").read_bytes()
    assert written.decode() == "(;FF[4]CA[UTF-8]GM[1]PB[青木]PW[青\ufffd\ufffd])"


@pytest.mark.parametrize(
    ("after", "exit_code"),
    [(b")[x]PB[y\xe4]", 1), (b") \xe4", 0), (b")PB[\xe4](;FF[4]GM[1]PB[z])", 1)],
    ids=["value", "text", "property"],
)
def test_bytes_after_the_last_game_that_are_no_text_are_replaced_or_refused(
    after: bytes, exit_code: int, folder: Path
) -> None:
    good = "(;FF[4]CA[UTF-8]GM[1]PB[青木青木青木]".encode()
    (folder / "cut.sgf").write_bytes(good + after)
    options = ("cut.sgf", "--to", "ff4", "--to-encoding", "utf-8")

    assert run(*options, "--undecodable", "replace")[:2] == (
        exit_code,  # values and properties outside games remain errors
        good
        + after.replace(b"\xe4", b"\xef\xbf\xbd").replace(b"GM[1]PB[z]", b"GM[1]CA[UTF-8]PB[z]"),
    )
    assert run(*options)[:2] == (1, b"")
    assert run(*options, "--undecodable", "keep")[0] == 1


def test_bytes_that_are_no_text_are_kept_on_request_and_told(folder: Path) -> None:
    (folder / "in" / "cut.sgf").write_bytes(CUT)
    options = ("--to", "ff4", "--to-encoding", "utf-8", "--undecodable", "keep")

    code, _, err = run("in", *options, "-o", "out")

    assert code == 1
    kept = "; 4 of 5 are FF[4] in UTF-8; not: in/cut.sgf (its bytes that are no text are kept)"
    assert err.splitlines()[-1].endswith(kept)
    assert (folder / "out" / "cut.sgf").read_bytes() == CUT
    one = run("in/cut.sgf", *options)
    assert one[:2] == (1, CUT)
    assert one[2].endswith("in/cut.sgf: its bytes that are no text are kept\n")


def test_a_record_that_changes_neither_format_nor_encoding_keeps_its_bytes(folder: Path) -> None:
    (folder / "cut.sgf").write_bytes(CUT)

    assert run("cut.sgf", "--to", "ff4")[:2] == (0, CUT)


def test_the_report_for_programs_names_each_file_that_is_not_what_was_asked_for(
    folder: Path,
) -> None:
    (folder / "in" / "cut.sgf").write_bytes(CUT)
    (folder / "in" / "bad.sgf").write_bytes(BROKEN)
    options = ("--to", "ff4", "--to-encoding", "utf-8", "--in-place", "--format", "json")

    code, out, err = run("in", "missing.sgf", *options)

    told = {(one["file"], one["code"]) for one in json.loads(out) if one["severity"] != "info"}
    assert code == 2
    assert {
        ("in/2001/deep/c.ggf", "F008"),
        ("in/bad.sgf", "S101"),
        ("in/cut.sgf", "F009"),
        ("missing.sgf", "F001"),
    } <= told
    assert "; 3 of 7 are FF[4] in UTF-8; not: " in err.splitlines()[-1]


@pytest.mark.parametrize("output", ["out", "out/2001/x.sgf"])
@pytest.mark.parametrize("form", ["json", "jsonl", "sarif"])
def test_the_report_for_programs_names_a_result_that_could_not_be_written(
    form: str, output: str, folder: Path
) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "2001").write_text("no folder")
    source = "in" if output == "out" else "in/a.sgf"

    code, out, err = run(source, "--to", "ff4", "-o", output, "--format", form)

    assert code == 2
    assert "F010" in out.decode()
    assert b"cannot be written: " in out
    assert "out/2001/" in err


@pytest.mark.usefixtures("folder")
def test_the_report_for_programs_names_no_result_that_was_written() -> None:
    assert "F010" not in run("in", "--to", "ff4", "-o", "out", "--format", "json")[1].decode()


def test_the_page_begins_with_what_was_converted_and_what_was_not_and_why(folder: Path) -> None:
    (folder / "in" / "cut.sgf").write_bytes(CUT)
    (folder / "in" / "bad.sgf").write_bytes(BROKEN)
    (folder / "in" / "x.sgf").write_text("(;FF[3]GM[1]SZ[9];B[aa] text)")
    options = ("--to", "ff4", "--to-encoding", "utf-8", "-o", "out", "--format", "html")

    code, out, err = run("in", "missing.sgf", *options)

    summary = out.decode().partition('<section id="summary">')[2].partition("</section>")[0]
    assert code == 2
    assert err.splitlines()[-1] in summary
    order = [
        "5 of 8 are FF[4] in UTF-8",
        "<h3>Not what was asked for</h3>",
        "<bdi>in/bad.sgf</bdi>: not converted: this is not a game record",
        "<bdi>in/cut.sgf</bdi>: not converted: the bytes E9 9D are no text in UTF-8",
        "<bdi>missing.sgf</bdi>: not read: no such file or directory",
        "<h3>Left out, guessed and changed by the conversion</h3>",
        "C752 text-left-out</a>: 1, text outside games is removed",
        "<h3>Findings</h3>",
        "S101 no-game-record</a>: 1, the text holds no game record",
    ]
    places = [summary.find(part) for part in order]
    assert min(places) >= 0, order[places.index(-1)]
    assert places == sorted(places)


def test_the_page_orders_rules_by_their_number_of_findings(folder: Path) -> None:
    (folder / "in" / "x.sgf").write_text("(;FF[3]GM[1]SZ[9];B[aa] a ;W[bb] b ;B[cc]HA[2])")

    _, out, _ = run("in", "--to", "ff4", "-o", "out", "--format", "html", "--level", "info")

    counts = [int(count) for count in re.findall(r">C7\d\d [a-z-]+</a>: (\d+), ", out.decode())]
    assert len(counts) > 2
    assert counts == sorted(counts, reverse=True)


def test_a_hyphen_is_standard_output(folder: Path) -> None:
    assert run("in/a.sgf", "--to", "ff4", "-o", "-")[:2] == (0, NEW)
    assert run("-", "--to", "ff4", "-o", "-", data=OLD)[:2] == (0, NEW)
    assert run("in", "--to", "ff4", "-o", "-")[0] == 2
    assert not (folder / "-").exists()


def test_the_last_line_names_a_few_files_and_counts_the_others(folder: Path) -> None:
    for number in range(8):
        (folder / "in" / f"bad{number}.sgf").write_bytes(BROKEN)

    line = run("in", "--to", "ff4", "-o", "out")[2].splitlines()[-1]

    assert "; 4 of 12 are FF[4]; not: in/bad0.sgf (not converted), in/bad1.sgf" in line
    assert line.endswith("in/bad4.sgf (not converted), 3 more")


def test_a_record_that_stays_unclosed_is_not_called_ff4(folder: Path) -> None:
    (folder / "open.sgf").write_text("(;FF[4]GM[1]SZ[9];B[aa];W[bb")
    (folder / "tree.sgf").write_text("(;FF[4]GM[1]SZ[9];B[aa]")

    code, _, err = run("open.sgf", "tree.sgf", "--to", "ff4", "--diff")
    assert code == 1
    assert "S107 unclosed-value remains" in err.splitlines()[-1]
    assert "S105 unclosed-tree remains" in err.splitlines()[-1]

    code, _, err = run("open.sgf", "--to", "ff3", "-o", "new.sgf")
    assert code == 0, "written anew, the value is closed"
