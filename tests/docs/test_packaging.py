"""What is built: wheel and sdist hold everything that the program reads when it runs."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from support.places import ROOT

from sgf_lark import __version__

GRAMMARS = sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("grammars/**/*.lark"))
CATALOGUE = sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("sgf_lark/**/*.toml"))
assert "sgf_lark/findings/catalogue/file.toml" in CATALOGUE
MODULES = sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("sgf_lark/**/*.py"))
MODULES += [file.relative_to(ROOT).as_posix() for file in ROOT.glob("sgf_lark/**/*.pyi")]
PAGE = sorted(
    file.relative_to(ROOT).as_posix()
    for file in ROOT.glob("sgf_lark/workbench/**/*.*")
    if file.suffix in {".html", ".css", ".js", ".json", ".txt"}
)
assert {"sgf_lark/workbench/playground.html", "sgf_lark/workbench/editor/codemirror.js"} <= {*PAGE}
READMES = [
    "README.md",
    *sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("[gst]*/**/README.md")),
]
assert {"grammars/README.md", "sgf_lark/cli/README.md", "tests/benchmarks/README.md"} <= {*READMES}
assert {"grammars/ff4.lark", "grammars/games/go.lark"} <= {*GRAMMARS}

#: Both packages are built, which takes seconds.
pytestmark = pytest.mark.night


class Built(NamedTuple):
    """The files in each package, and the folder where the wheel is unpacked."""

    wheel: set[str]
    sdist: set[str]
    unpacked: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both packages, built once; the wheel from the sdist, as installers do."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)  # noqa: S603
    assert result.returncode == 0, result.stdout + result.stderr
    name = f"sgf_lark-{__version__}"
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl") as wheel:
        inside = {*wheel.namelist()}
        wheel.extractall(folder / "unpacked")  # noqa: S202  # of this project
    with tarfile.open(folder / f"{name}.tar.gz") as sdist:
        files = {one.name.removeprefix(f"{name}/") for one in sdist}
        return Built(inside, files, folder / "unpacked")


def test_both_packages_hold_every_grammar(built: Built) -> None:
    inside = {f"sgf_lark/grammar/files/{one.removeprefix('grammars/')}" for one in GRAMMARS}

    assert inside - built.wheel == set()
    assert {*GRAMMARS} - built.sdist == set()


def test_both_packages_hold_every_module_and_table(built: Built) -> None:
    files = {
        *MODULES,
        *CATALOGUE,
        "sgf_lark/schema/properties.tsv",
        "sgf_lark/findings/catalogue/README.md",
        "sgf_lark/report/private.tsv",
        "sgf_lark/py.typed",
        "sgf_lark/__init__.pyi",
        *PAGE,
    }

    assert files - built.wheel == set()
    assert files - built.sdist == set()


#: Reads, judges and checks games where nothing can be derived; of usual games, nothing compiled.
READ = """
import re, sys, lark
from types import SimpleNamespace
from sgf_lark.engine import generator
from sgf_lark.grammar import codes
from sgf_lark.values.typed import TypedProperties
def fail(*arguments, **options):
    raise AssertionError(arguments)
lark.Lark.__init__ = generator.generate = TypedProperties._derived = fail
import sgf_lark
from sgf_lark.api.load import check_contents
assert sgf_lark.__file__.startswith(sys.argv[1]), sgf_lark.__file__
compiled = []
codes.re = SimpleNamespace(compile=lambda pattern: compiled.append(pattern) or re.compile(pattern))
for text in sys.argv[2:]:
    games = sgf_lark.loads(text, strict=False)
    values = [prop.values for game in games for node in game for prop in node.properties]
    print(games[0].game_name, len(values), *(one.code for one in games.diagnostics))
    check_contents(text, "a.sgf")
    assert compiled == [] or games[0].game_name not in {"Go", "Othello"}, compiled
    compiled.clear()
"""

#: Games of all formats on usual boards, and what is printed of them.
GAMES = {
    "(;FF[4]GM[1]SZ[19]DT[2020-01-02]RE[B+3.5]KM[6.5];B[pd]BL[9.5];W[dp];AB[aa:bb])": "Go 10",
    "(;FF[4]GM[1]SZ[9]PB[A]PW[B];B[ee];W[aa]C[hello]LB[aa:x];AW[bb])": "Go 10",
    "(;FF[3]GM[1]SZ[13]PB[A]PW[B];B[ee];W[tt])": "Go 7",
    "(;FF[4]GM[11]PB[A]PW[B];B[a1])": "Hex 5",
    "(;FF[4]GM[6]PB[A]PW[B];B[52lqac])": "Backgammon 5",
    f"(;GM[Othello]TY[8]BO[8 {'-' * 27}O*------*O{'-' * 27} *]B[D3//1.5]W[C5];)": "Othello 5",
}


def test_a_process_of_the_wheel_derives_nothing(built: Built) -> None:
    folder = str(built.unpacked)
    assert "sgf_lark/grammar/derived.data" in built.wheel
    done = subprocess.run(  # noqa: S603  # this Python
        [sys.executable, "-c", READ, folder, *GAMES],
        env={**os.environ, "PYTHONPATH": folder},
        cwd=built.unpacked,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )

    assert done.stderr == ""
    assert done.stdout.splitlines() == [*GAMES.values()]


def test_the_wheel_holds_nothing_else(built: Built) -> None:
    tops = {name.partition("/")[0] for name in built.wheel}

    assert tops == {"sgf_lark", f"sgf_lark-{__version__}.dist-info"}


def test_the_sdist_holds_the_tests_and_what_they_read(built: Built) -> None:
    tests = {"tests/records/go.sgf", "tests/docs/test_readme.py"}

    assert {*tests, *READMES, "CHANGELOG.md", "LICENSE"} - built.sdist == set()


def test_a_message_on_a_missing_package_names_one_that_pip_finds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [line for name in extras if name != "test" for line in extras[name]]
    known = {re.split(r"[>=\[]", line)[0] for line in needed}
    lines = [
        words
        for module in MODULES
        for words in re.findall(r"pip install ([\w -]+)", (ROOT / module).read_text("utf-8"))
    ]

    assert len(lines) >= 6
    assert {name for words in lines for name in words.split()} <= known
