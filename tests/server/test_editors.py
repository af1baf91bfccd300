"""Real editors show what the check finds, fix it, format, and lead to boards and grammars.

The drivers beside this file run in the editors: Neovim from its wheel and from Debian, Emacs with
eglot, and VS Code's client in Node with a stub of the editor.  One that is not installed is
skipped by name.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from support.editors import emacs_with_eglot, neovim_of_debian, neovim_of_wheel, settings_in
from support.places import RECORDS, ROOT

import sgf_lark
from sgf_lark.server.editor_files import write_editor

pytestmark = pytest.mark.night

HERE = Path(__file__).parent

NAMES = sorted(file.name for file in RECORDS.iterdir())
assert "go.sgf" in NAMES

#: Packages of Node that make an extension of VS Code.
PACKAGES = ("@vscode/vsce", "esbuild", "vscode-languageclient")

FIX = "replace KM[6,5] with KM[6.5]"


def found_by_check(file: Path) -> list[tuple[str, str, int, int]]:
    """Return code, message and place of the findings that are not about bytes."""
    found = sgf_lark.check(file).diagnostics
    return [
        (one.code, one.message, one.offset, one.end_offset) for one in found if one.code[0] != "E"
    ]


#: Start, end, code and message of a finding; places are line and column, both from 0.
Found = tuple[list[int], list[int], str, str]


def expect_findings(found: Iterable[Found], file: Path, encoding: str) -> None:
    """Compare the findings that an editor shows with those of the check.

    Columns count the units of an encoding.  A message goes on with the help and the move.
    """
    text = file.read_bytes().decode("utf-8")
    width = len("x".encode(encoding))

    def place(offset: int) -> list[int]:
        *lines, last = re.split(r"\r\n|\r|\n", text[:offset])
        return [len(lines), len(last.encode(encoding)) // width]

    wanted = sorted((place(a), place(b), code, told) for code, told, a, b in found_by_check(file))
    shown = sorted(found)
    assert [one[:3] for one in shown] == [one[:3] for one in wanted], file
    for (*_, long), (*_, short) in zip(shown, wanted, strict=True):
        assert long.startswith(short)


def drive(command: list[str], records: Path, settings: Path) -> dict[str, Any]:
    """Run a driver in an editor, and return what it saw."""

    def asked(name: str) -> dict[str, Any]:
        return {"path": str(records / name), "count": len(found_by_check(records / name))}

    def at(name: str, place: str, further: int = 0) -> dict[str, Any]:
        return {"file": asked(name), "place": [place, further]}

    questions = {
        "milliseconds": 20_000,
        "settings": str(settings),
        "files": [asked(name) for name in NAMES],
        "fix": {**at("go.sgf", "6,5"), "title": FIX},
        "format": asked("nine.sgf"),
        "hover": at("nine.sgf", "B[ee]", 2),
        "definition": at("nine.sgf", "KM[7]", 3),
    }
    folder = records.parent
    (folder / "asked.json").write_text(json.dumps(questions), encoding="utf-8")
    environment = {
        **os.environ,
        "SGF_LARK_ASKED": str(folder / "asked.json"),
        "SGF_LARK_SEEN": str(folder / "seen.json"),
    }
    ended = subprocess.run(  # noqa: S603  # an editor with our driver
        command,
        cwd=records,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )
    assert (folder / "seen.json").exists(), ended.stdout + ended.stderr
    seen: dict[str, Any] = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    assert "problem" not in seen, seen["problem"] + ended.stderr
    return seen


def expect(seen: dict[str, Any], records: Path) -> None:
    """Compare what an editor saw but its findings, whose form is the editor's."""
    file = records / "go.sgf"
    fixed = file.read_text(encoding="utf-8").replace("KM[6,5]", "KM[6.5]")
    formatted = sgf_lark.format_record((records / "nine.sgf").read_bytes()).decode()

    assert FIX in seen["actions"]
    assert seen["fixed"].rstrip("\n") == fixed.rstrip("\n")
    assert seen["formatted"].rstrip("\n") == formatted.rstrip("\n")
    assert "E5" in seen["hover"]
    name, line = seen["definition"]
    assert name.endswith(".lark")
    assert line.strip()


@pytest.mark.parametrize("editor", [neovim_of_wheel, neovim_of_debian])
def test_neovim_shows_what_the_check_finds_and_does_what_the_server_offers(
    editor: Callable[[], str], records: Path, tmp_path: Path
) -> None:
    settings = settings_in(tmp_path, "neovim") / "sgf_lark.lua"
    options = ["--clean", "--headless", "-n", "-i", "NONE", "-u", str(settings)]
    seen = drive([editor(), *options, "-c", f"luafile {HERE / 'neovim.lua'}"], records, settings)

    for name in NAMES:
        shown = seen["findings"][str(records / name)]
        found = [(place[:2], place[2:], code, told) for code, *place, told in shown]
        expect_findings(found, records / name, "utf-8")
    expect(seen, records)


def test_emacs_shows_what_the_check_finds_and_does_what_the_server_offers(
    records: Path, tmp_path: Path
) -> None:
    options = [*emacs_with_eglot(), "--batch", "-l", str(HERE / "emacs.el")]
    seen = drive(options, records, settings_in(tmp_path, "emacs"))

    for name in NAMES:
        found = list[Found]()
        for shown, *place in seen["findings"][str(records / name)]:
            source, _, told = shown.partition(": ")
            found.append((place[:2], place[2:], source.partition(" ")[2].strip("[]"), told))
        expect_findings(found, records / name, "utf-32-le")
    expect(seen, records)


# ---- VS Code ----


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the extension, made and packaged as its README says."""
    folders = [Path(one) for one in os.environ.get("NODE_PATH", "").split(os.pathsep) if one]
    modules = next((one for one in folders if all((one / p).exists() for p in PACKAGES)), None)
    if modules is None or shutil.which("npm") is None:
        pytest.skip(f"not installed: npm install {' '.join(PACKAGES)}, and name it in NODE_PATH")
    folder = tmp_path_factory.mktemp("vscode") / "extension"
    write_editor("vscode", folder)
    (folder / "node_modules").symlink_to(modules)
    ended = subprocess.run(
        ["npm", "run", "package"],  # noqa: S607  # found above
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder


def test_the_extension_is_packaged_with_all_that_it_names(packaged: Path) -> None:
    version = sgf_lark.__version__
    inside = packaged.parent / "inside"
    shutil.unpack_archive(packaged / f"sgf-lark-{version}.vsix", inside, "zip")
    extension = inside / "extension"
    about = json.loads((extension / "package.json").read_text(encoding="utf-8"))
    parts = about["contributes"]
    named = [
        about["main"],
        *(one["configuration"] for one in parts["languages"]),
        *(one["path"] for one in parts["grammars"]),
    ]

    license = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert about["version"] == version
    for one in parts["grammars"]:
        colors = json.loads((extension / one["path"]).read_text(encoding="utf-8"))
        assert colors["scopeName"] == one["scopeName"]
    assert (extension / "LICENSE.txt").read_text(encoding="utf-8") == license
    assert [name for name in named if not (extension / name).is_file()] == []
    for name in (*named[1:], "LICENSE.txt", "readme.md"):
        assert (extension / name).read_text(encoding="utf-8").strip(), name


def test_the_client_of_vs_code_shows_what_the_check_finds_and_the_board(
    packaged: Path, records: Path
) -> None:
    file = records / "go.sgf"
    command = ["node", str(HERE / "vscode.js"), str(packaged / "main.js"), str(file)]
    ended = subprocess.run(  # noqa: S603  # our own script
        [*command, "sgf-lark", "server"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 0, ended.stderr
    seen = json.loads(ended.stdout)

    def place(found: dict[str, Any]) -> list[int]:
        return [found["line"], found["character"]]

    found = [
        (*map(place, one["range"].values()), str(one["code"]["value"]), one["message"])
        for one in seen["findings"]
    ]
    expect_findings(found, file, "utf-16-le")
    assert {"sgf-lark.board", "sgf-lark.restart", "sgf-lark.fixAll"} <= {*seen["commands"]}
    assert "<svg" in seen["board"]
    assert "script" not in seen["board"]
    assert seen["problems"] == []
