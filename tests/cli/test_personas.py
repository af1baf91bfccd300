"""Two people at work: one keeps an archive, the other a repository that is checked in CI."""

from __future__ import annotations

import csv
import json
import re
import shlex
import tarfile
import zipfile
from collections.abc import Iterator
from io import BytesIO, StringIO
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import commands
from support.hooks import (
    HOOKS,
    install,
    lines_of_github,
    repository,
    run_hooks,
    run_lines,
    use_hooks,
)
from support.lanes import amount
from support.said import unsaid

import sgf_lark

#: Kinds of records of an archive, as they come: clean; with a fix; FF[1] and FF[3]; broken; in
#: another encoding; of another game; in GGF.
KINDS: tuple[tuple[str, bytes], ...] = (
    ("sgf", b"(;FF[4]GM[1]SZ[19]PB[Aoki]PW[Berg]DT[1996-05-27]KM[6.5]RE[B+R]\n;B[pd];W[dp])\n"),
    ("sgf", b"(;FF[4]GM[1]SZ[19]PB[Aoki]PW[Cho]DT[1997-01-02]KM[6,5]RE[W+3.5]\n;B[pd];W[dp])\n"),
    ("mgt", b"(;FF[1]GM[1]SZ[19]PlayerBlack[Aoki]PlayerWhite[Dahl];B[pd];W[dp])\n"),
    ("sgf", b"(;FF[3]GM[1]SZ[9]PB[Eva]PW[Berg]RE[0];B[cc];W[gg];B[tt])\n"),
    ("sgf", b"(;FF[4]GM[1]SZ[19]PB[Fei]PW[Berg]KM[6.5];B[pd](;W[dp];B[pp]\n"),
    ("sgf", "(;FF[4]GM[1]SZ[19]CA[GB18030]PB[李昌镐]PW[Go];B[pd];W[dp])".encode("gb18030")),
    ("sgf", b"(;FF[4]GM[11]SZ[11]PB[Hex]PW[Ida];B[a3];W[f6])\n"),
    ("ggf", b"(;GM[Othello]PB[a]PW[b]TY[8]BO[8 " + b"-" * 27 + b"O*------*O" + b"-" * 27
     + b" *]B[d3]W[c3];)\n"),
)  # fmt: skip

#: A record that is no record at all.
NOISE = bytes(range(200))

#: What is no record, and what cannot be read.
ODD = {"1990/noise.sgf", "1990/gone.sgf"}

#: Of so many records each part of the archive holds these shares.
IN_ZIP, IN_TAR, EXCLUDED = 0.1, 0.05, 0.1


class Archive(NamedTuple):
    """A folder of records.

    Attributes:
        folder: The folder.
        found: The paths of records that commands find in it, in archives too.
        excluded: The files that the settings exclude.
    """

    folder: Path
    found: set[str]
    excluded: set[str]


def texts(number: int) -> Iterator[tuple[str, bytes]]:
    """Return the names and bytes of records, of each kind in turn."""
    for index, (suffix, data) in enumerate(islice(cycle(KINDS), number)):
        yield f"{index:04}.{suffix}", data


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    folder = tmp_path / "archive"
    inside = [*texts(amount(20, 200))]
    zipped, tarred = int(len(inside) * IN_ZIP), int(len(inside) * IN_TAR)
    excluded = int(len(inside) * EXCLUDED)
    found: set[str] = set()
    folder.mkdir()
    with zipfile.ZipFile(folder / "club.zip", "w", zipfile.ZIP_DEFLATED) as box:
        for name, data in inside[:zipped]:
            box.writestr(f"1998/{name}", data)
            found.add(f"club.zip/1998/{name}")
    with tarfile.open(folder / "server.tar.gz", "w:gz") as box_:
        for name, data in inside[zipped : zipped + tarred]:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            box_.addfile(member, BytesIO(data))
            found.add(f"server.tar.gz/{name}")
    skipped: set[str] = set()
    for number, (name, data) in enumerate(inside[zipped + tarred :]):
        place = f"drafts/{name}" if number < excluded else f"{1990 + number % 9}/{name}"
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_bytes(data)
        (skipped if number < excluded else found).add(place)
    (folder / "1990" / "noise.sgf").write_bytes(NOISE)
    (folder / "1990" / "gone.sgf").symlink_to("nowhere.sgf")
    (folder / "1990" / "notes.txt").write_text("no record", encoding="utf-8")
    (folder / "sgf-lark.toml").write_text('extend-exclude = ["drafts"]\n', encoding="utf-8")
    return Archive(folder, found | ODD, skipped)


def run(folder: Path, *arguments: str) -> commands.Done:
    return commands.run(*arguments, folder=folder)


def findings(folder: Path, *arguments: str) -> list[dict[str, object]]:
    """Return the findings of check, as JSON."""
    done = run(folder, "check", "--format", "json", *arguments)
    assert done.returncode in {0, 1, 2}, done.stderr.decode()
    return [one | {"file": str(one["file"]).removeprefix("./")} for one in json.loads(done.stdout)]


def files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files of a folder by their names in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


# ---- the keeper of an archive ----


def row(collection: sgf_lark.Collection) -> list[list[object]]:
    """Return a line of a list for each game."""
    return [
        [game.game_name, game.info.black.name, game.info.white.name, game.info.result or ""]
        for game in collection
    ]


def list_games(folder: Path) -> list[list[str]]:
    """Return the games of a folder as a table in CSV has them."""
    out = StringIO()
    writer = csv.writer(out)
    for outcome in sgf_lark.load_many(
        sorted(folder.rglob("*.sgf")), jobs=1, then=row, strict=False, info_only=True
    ):
        assert outcome.result is not None, outcome.error
        writer.writerows([Path(outcome.path).name, *line] for line in outcome.result)
    out.seek(0)
    return [*csv.reader(out)]


@pytest.mark.both_lanes
def test_an_archive_is_cleaned_converted_and_listed(archive: Archive) -> None:
    folder, clean = archive.folder, archive.folder.parent / "clean"
    before = files(folder)

    # What is there, and what is wrong with it?
    seen = findings(folder, "--level", "info", "--select", "ALL")
    unreadable = {one["file"] for one in seen if str(one["code"]).startswith("F")}
    assert {str(one["file"]) for one in seen} <= archive.found
    assert unreadable == {"1990/gone.sgf"}
    assert any(one["file"] == "1990/noise.sgf" for one in seen)

    # Make the safe fixes, of files and not in archives, and nothing that is excluded.
    errors = [one for one in seen if one["severity"] == "error"]
    fixed = run(folder, "check", "--fix", "--quiet", "--level", "error")
    assert fixed.returncode == 2  # of the file that cannot be read
    left = findings(folder, "--level", "error")
    assert 0 < len(left) < len(errors)
    after = files(folder)
    changed = {name for name in before if before[name] != after[name]}
    assert changed
    assert changed.isdisjoint(archive.excluded | {"club.zip", "server.tar.gz", "1990/noise.sgf"})
    assert not any(
        one["file"] in changed and one["message"] == one_["message"]
        for one in left
        for one_ in errors
        if one["file"] == one_["file"] and one_["fix"]
    )

    # Convert all of it to FF[4] in UTF-8, in a folder of its own.
    converted = run(folder, "convert", ".", "--to", "ff4", "-o", str(clean), "--quiet")
    assert converted.returncode == 2, converted.stderr.decode()
    assert files(folder) == after
    names = {str(Path(name).with_suffix("")) for name in archive.found - ODD}
    names = {name.replace("club.zip", "club").replace("server.tar.gz", "server") for name in names}
    written = {name.removesuffix(".sgf") for name in files(clean)}
    assert names == written - {"1990/noise"}

    # Records of archives can be fixed now that they are files; then one layout for all.
    assert run(clean, "check", "--fix", "--quiet", "--level", "error").returncode in {0, 1}
    assert run(clean, "fmt", "--quiet").returncode == 0
    assert run(clean, "fmt", "--check", "--quiet").returncode == 0
    assert not [one for one in findings(clean, "--level", "error") if str(one["code"])[0] == "S"]

    # And a list of the games.
    table = list_games(clean)
    assert len(table) >= len(names)
    assert ["Go", "Aoki", "Berg", "B+R"] in [line[1:] for line in table]
    assert "李昌镐" in {line[2] for line in table}
    assert {line[1] for line in table} >= {"Go", "Hex", "Othello"}


# ---- the keeper of a repository ----

#: A private property, a game with a grammar of its own, an old archive, and what others maintain.
SETTINGS = """
extend-exclude = ["vendor"]
baseline = "known.json"

[properties]
WI = "real"

[games.Kings]
number = 50
grammar = "kings.lark"

[fmt]
nodes = 5
"""
KINGS = 'move: SQUARE "-" SQUARE\npoint: SQUARE\nSQUARE: /[a-h][1-8]/\n'
OLD = "(;FF[4]GM[1];B[Q4x]RE[whoever])\n"
NEW = "(;FF[4]GM[50]pb[Aoki];B[d2_d4];W[d7-d5]WI[high])\n"
MENDED = "(;FF[4]GM[50]PB[Aoki];B[d2-d4];W[d7-d5]WI[0.53])\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    for name, text in {
        "sgf-lark.toml": SETTINGS,
        "kings.lark": KINGS,
        "old/1.sgf": OLD,
        "old/2.sgf": OLD,
        "vendor/theirs.sgf": OLD,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    listed = run(folder, "check", "--write-baseline", "known.json")
    assert listed.returncode == 0, listed.stderr.decode()
    repository(folder)
    return folder


def in_ci(project: Path) -> tuple[int, set[tuple[str, str]]]:
    """Do what the recipe for GitHub does: the exit code, and what it says of which files."""
    annotated, written = run_lines(lines_of_github(), project)
    (log,) = json.loads((project / "records.sarif").read_text("utf-8"))["runs"]
    (project / "records.sarif").unlink()
    assert written.returncode == 0
    shown = r"^::error title=sgf-lark \((\w+)\),file=(.*?),"
    lines = re.findall(shown, annotated.stdout.decode(), re.MULTILINE)
    places = {
        (one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], one["ruleId"])
        for one in log["results"]
        if one["level"] == "error"
    }
    assert {(file, code) for code, file in lines} == places
    return annotated.returncode, places


def test_ci_shows_what_is_new_and_knows_the_games_and_properties(project: Path) -> None:
    assert in_ci(project) == (0, set())
    (project / "vendor" / "more.sgf").write_text(OLD, encoding="utf-8")
    (project / "new.sgf").write_text(NEW, encoding="utf-8")
    code, places = in_ci(project)

    assert (code, places) == (1, {("new.sgf", "S112"), ("new.sgf", "V301")})
    seen = [one["message"] for one in findings(project, "--level", "info")]
    assert any(
        'does not match rule `move` of kings.lark: SQUARE "-" SQUARE' in str(one) for one in seen
    )
    assert any(not unsaid(one, "'high'", "WI", "a number such as 6.5") for one in seen)
    (project / "new.sgf").write_text(MENDED, encoding="utf-8")
    assert in_ci(project) == (0, set())
    assert not [one for one in findings(project, "--level", "info") if one["file"] == "new.sgf"]


def test_a_new_error_in_an_old_file_is_shown_alone(project: Path) -> None:
    (project / "old" / "1.sgf").write_text(OLD.replace("RE[", ";W[Z99]RE["), encoding="utf-8")

    (only,) = findings(project, "--level", "error")
    assert (only["file"], only["property"]) == ("old/1.sgf", "W")


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_hooks_leave_alone_what_is_excluded_though_git_names_it(
    hook: dict[str, Any], project: Path
) -> None:
    before = files(project)
    done = run(project, *shlex.split(hook["entry"])[1:], "vendor/theirs.sgf")

    assert done.returncode == 0, done.stderr.decode()
    assert files(project) == before


@pytest.mark.night
def test_hooks_keep_new_errors_out_of_a_repository(project: Path, tmp_path: Path) -> None:
    tool = install(tmp_path)
    use_hooks(project, tool)
    (project / "new.sgf").write_text(NEW, encoding="utf-8")
    (project / "vendor" / "more.sgf").write_text(OLD, encoding="utf-8")
    first, second = run_hooks(project, tool), run_hooks(project, tool)
    (project / "new.sgf").write_text(MENDED, encoding="utf-8")
    third, last = run_hooks(project, tool), run_hooks(project, tool)

    assert [one.returncode for one in (first, second, third, last)] == [1, 1, 1, 0], third.stdout
    assert "files were modified by this hook" in first.stdout  # pb is PB now
    assert unsaid(second.stdout, "V301", "'d2_d4'") == []
    assert "files were modified" in third.stdout  # by fmt
    assert "vendor" not in first.stdout + second.stdout
    assert (project / "vendor" / "more.sgf").read_text("utf-8") == OLD
    assert (project / "new.sgf").read_text("utf-8").startswith("(;FF[4]GM[50]\nPB[Aoki]")
