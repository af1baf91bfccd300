"""The walk over a folder: what patterns and ``.gitignore`` exclude, as git and ruff mean it."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
from collections.abc import Container
from pathlib import Path

import pytest
from support.lanes import amount

from sgf_lark.settings import files as files_patterns
from sgf_lark.settings.files import Patterns, RecordChoice, is_excluded, of_settings, walk_folder

#: Git without the settings of whoever runs the tests.
ENVIRONMENT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

NAMES = (
    *("a", "b", "ab", "foo", "x.sgf", "y.sgf", "a.sgf", "ab.sgf", "!b.sgf", "é.sgf", ".h.sgf"),
    "[x].sgf",
)
FOLDERS = ("a", "b", "ab", "foo", "build", "d.sgf", ".h")
PARTS = (
    *("a", "b", "ab", "foo", "*", "?", "**", "*.sgf", "a*", "[ab]", "[!a]", "x.sgf", "build"),
    *("y.s*", "\\!b.sgf", "a?.sgf", "d.sgf", ".*", "[a-b]*", "é.sgf", "[[]x].sgf"),
)


class Everywhere:
    """The same selection in all folders."""

    def __init__(self, selection: RecordChoice | None = None) -> None:
        self.selection = selection or RecordChoice()

    def at(self, _folder: str, names: Container[str] | None = None) -> RecordChoice | None:
        return self.selection if names is None else None


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def is_record(name: str) -> bool:
    return name.lower().endswith((".sgf", ".ggf"))


def found(folder: Path, selection: RecordChoice | None = None) -> list[str]:
    records = walk_folder(os.fspath(folder), Everywhere(selection), is_record)
    return [os.path.relpath(record.path, folder) for record in records]


def excluding(folder: Path, *patterns: str) -> RecordChoice:
    return RecordChoice(((of_settings(patterns), os.fspath(folder)),))


def test_records_come_sorted_files_before_subfolders(tmp_path: Path) -> None:
    write(tmp_path, **{"b.SGF": "", "a/z.sgf": "", "a/b/x.ggf": "", "c.txt": "", "A.sgf": ""})

    assert found(tmp_path) == ["A.sgf", "b.SGF", "a/z.sgf", "a/b/x.ggf"]


def test_an_excluded_folder_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, **{"x/a.sgf": "", "node_modules/b/c.sgf": "", "a.sgf": ""})
    read: list[str] = []
    scandir = os.scandir

    def note(path: str) -> object:
        read.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", note)

    assert found(tmp_path, excluding(tmp_path, "node_modules")) == ["a.sgf", "x/a.sgf"]
    assert [Path(path).name for path in read] == [tmp_path.name, "x"]


def test_patterns_count_from_their_folder_and_the_last_one_decides(tmp_path: Path) -> None:
    names = ["old/a.sgf", "old/keep.sgf", "x/old/a.sgf", "x/b.sgf", "b.sgf"]
    write(tmp_path, **dict.fromkeys(names, ""))

    assert found(tmp_path, excluding(tmp_path, "/old/*", "!keep.sgf", "./x/b.sgf")) == [
        *("b.sgf", "old/keep.sgf", "x/old/a.sgf"),
    ]
    assert found(tmp_path, excluding(tmp_path / "elsewhere", "/old", "b.sgf")) == [
        *("old/a.sgf", "old/keep.sgf", "x/old/a.sgf"),
    ]


def test_include_names_the_records(tmp_path: Path) -> None:
    write(tmp_path, **{"a.sgf": "", "b.txt": "", "x/c.TXT": "", "x/d.game": ""})
    included = RecordChoice(included=(of_settings(("*.txt", "x/*")), os.fspath(tmp_path)))

    assert found(tmp_path, included) == ["b.txt", "x/c.TXT", "x/d.game"]


def test_a_file_is_excluded_with_a_folder_above_it_but_not_above_the_patterns(
    tmp_path: Path,
) -> None:
    selection = excluding(tmp_path / "build", "build", "x.sgf")

    assert is_excluded(os.fspath(tmp_path / "build" / "build" / "a" / "b.sgf"), selection)
    assert is_excluded(os.fspath(tmp_path / "x.sgf"), selection)
    assert not is_excluded(os.fspath(tmp_path / "build" / "a" / "b.sgf"), selection)


def test_gitignore_counts_only_in_a_repository(tmp_path: Path) -> None:
    write(tmp_path, **{".gitignore": "a.sgf\n", "a.sgf": "", "b.sgf": ""})
    assert found(tmp_path) == ["a.sgf", "b.sgf"]

    (tmp_path / ".git").mkdir()
    assert found(tmp_path) == ["b.sgf"]
    assert found(tmp_path, RecordChoice(respects_git=False)) == ["a.sgf", "b.sgf"]


def test_files_above_the_folder_count_up_to_the_root_of_the_repository(tmp_path: Path) -> None:
    write(tmp_path, **{".gitignore": "*.sgf\n", "r/.gitignore": "/x/a.sgf\n", "r/x/a.sgf": ""})
    write(tmp_path, **{"r/.git/info/exclude": "b.sgf\n", "r/x/b.sgf": "", "r/x/c.sgf": ""})

    assert found(tmp_path / "r" / "x") == ["c.sgf"]


def test_a_repository_in_a_folder_has_its_own_rules(tmp_path: Path) -> None:
    write(tmp_path, **{".git/HEAD": "", ".gitignore": "*.sgf\n", "sub/a.sgf": "", "b.sgf": ""})
    write(tmp_path, **{"sub/.git": "gitdir: ../.git/modules/sub\n"})
    write(tmp_path, **{".git/modules/sub/info/exclude": "c.sgf\n", "sub/c.sgf": ""})

    assert found(tmp_path) == ["sub/a.sgf"]


def test_links_stay_in_the_folder(tmp_path: Path) -> None:
    write(tmp_path, **{"x/a.sgf": "", "out.sgf": "", "y/b.sgf": ""})
    (tmp_path / "x" / "in.sgf").symlink_to("a.sgf")
    (tmp_path / "x" / "out.sgf").symlink_to("../out.sgf")
    (tmp_path / "x" / "y").symlink_to("../y")
    records = list(walk_folder(os.fspath(tmp_path / "x"), Everywhere(), is_record))

    assert [Path(record.path).name for record in records] == ["a.sgf", "in.sgf"]
    assert {record.real for record in records} == {os.path.realpath(tmp_path / "x" / "a.sgf")}


def test_pipes_and_sockets_are_no_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket has at most some 100 characters
    write(tmp_path, **{"a.sgf": ""})
    (tmp_path / "dangling.sgf").symlink_to("nothing.sgf")
    os.mkfifo(tmp_path / "pipe.sgf")
    (tmp_path / "to_pipe.sgf").symlink_to("pipe.sgf")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.sgf")

        assert found(tmp_path) == ["a.sgf", "dangling.sgf"]


def test_a_folder_that_cannot_be_read_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, **{"x/a.sgf": "", "y/b.sgf": ""})
    scandir = os.scandir

    def fail(path: str) -> object:
        if path.endswith("x"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", fail)
    records = list(walk_folder(os.fspath(tmp_path), Everywhere(), is_record))

    assert [Path(record.path).name for record in records] == ["x", "b.sgf"]
    assert isinstance(records[0].error, PermissionError)


def test_names_without_wildcards_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    patterns = Patterns(["a", "!b", "c/"])
    monkeypatch.setattr(files_patterns, "_matches", None)

    assert [patterns.verdict(name, name, is_folder=False) for name in "abcd"] == [
        *(True, False, None, None),
    ]
    assert patterns.verdict("x/c", "c", is_folder=True)


def pattern(chance: random.Random) -> str:
    parts = [chance.choice(PARTS) for _ in range(chance.choice((1, 1, 1, 2, 2, 3)))]
    sign, start = chance.choice(("", "", "", "!")), chance.choice(("", "", "/"))
    return sign + start + "/".join(parts) + chance.choice(("", "", "/"))


def make_repository(root: Path, chance: random.Random) -> None:
    """Write folders, files and patterns made by chance."""
    folders = [root]
    for _ in range(chance.randint(3, 9)):
        folder = chance.choice(folders) / chance.choice(FOLDERS)
        if not folder.exists():
            folder.mkdir()
            folders.append(folder)
    for _ in range(chance.randint(8, 25)):
        file = chance.choice(folders) / chance.choice(NAMES)
        if not file.exists():
            file.touch()
    for folder in folders:
        if folder == root or chance.random() < 0.4:
            ends = ("", "", "", "#c\n", "\n", "[z\n", "x\\\n"), ("\n", "\r\n", "  \n")
            lines = [
                chance.choice(ends[0]) + pattern(chance) + chance.choice(ends[1])
                for _ in range(chance.randint(1, 5))
            ]
            (folder / ".gitignore").write_text("".join(lines), encoding="utf-8", newline="")
    excluded = "\n".join(pattern(chance) for _ in range(chance.randint(0, 2)))
    write(root, **{".git/info/exclude": excluded})


@pytest.mark.both_lanes
def test_what_git_ignores_is_skipped_and_nothing_else(tmp_path: Path) -> None:
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    for seed in range(amount(8, 100)):
        root = tmp_path / str(seed)
        root.mkdir()
        subprocess.run([git, "init", "-q"], cwd=root, env=ENVIRONMENT, check=True, timeout=100)  # noqa: S603
        make_repository(root, random.Random(seed))  # noqa: S311  # tests
        listed = subprocess.run(  # noqa: S603
            [git, "-c", "core.excludesFile=", "ls-files", "-o", "--exclude-standard", "-z"],
            cwd=root,
            env=ENVIRONMENT,
            capture_output=True,
            check=True,
            timeout=100,
        )
        names = {name for name in listed.stdout.decode().split("\0") if name.endswith(".sgf")}

        assert set(found(root)) == names, seed
