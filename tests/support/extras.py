"""Each extra of the package does its thing: alone, at the lowest versions, and at the newest ones.

``python -m support.extras alone WHEEL`` in the folder of tests makes an environment for each extra,
with a wheel of the package; ``lowest`` makes one with the lowest versions that pyproject.toml
names, runs each command there, too, and looks whether the packages of tests have lowest versions
that agree; ``newest`` makes one with pre-releases, and only reports.  Further words are options of
pip, such as ``--no-index --find-links FOLDER``.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from .places import ROOT

TABLE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = TABLE["project"]["optional-dependencies"]

#: Extras for who changes the project.
OF_TESTS = {"test", "test-all"}

#: Packages of which pre-releases are tried.
TRIED = ("click", "duckdb", "pydantic", "lark")

BEGIN = """
import subprocess, sys
from pathlib import Path
from urllib.request import urlopen
import sgf_lark
assert Path(sgf_lark.__file__).is_relative_to(sys.prefix), sgf_lark.__file__
game = sgf_lark.load("game.sgf")[0]
words = [sys.executable, "-m", "sgf_lark"]
def run(*more):
    return subprocess.run([*words, *more], check=True, stdout=subprocess.PIPE, text=True).stdout
"""

#: A use of each extra, in a folder with a record.
USES = {
    "cli": 'run("check", "game.sgf")',
    "workbench": """
run("grammar", "draw", "ff4", "-o", "ff4.html")
process = subprocess.Popen([*words, "play", "--no-browser"], stdout=subprocess.PIPE, text=True)
assert b"<title>" in urlopen(process.stdout.readline().split()[0]).read()
process.terminate()
""",
    "numpy": "assert game.board().array().shape == (9, 9)",
    "archive": """
run("archive", "build", "game.sgf", "-o", "go.archive")
answer = run("archive", "sql", "go.archive", "select moves from games")
assert answer == "moves\\n3\\n", answer
""",
    "frames": """
sgf_lark.archive.build(["game.sgf"], "framed.archive", jobs=1)
with sgf_lark.archive.read("framed.archive") as tables:
    assert [*tables.games.to_pandas()["moves"]] == [*tables.games.to_polars()["moves"]] == [3]
""",
    "dask": 'run("archive", "build", "game.sgf", "-o", "dask.archive", "--engine", "dask")',
    "remote": """
import fsspec
fsspec.filesystem("memory").pipe("/far/game.sgf", Path("game.sgf").read_bytes())
sources = sgf_lark.archive.find_sources(["memory://far"])
assert len([*sgf_lark.archive.partitions(sources)]) == 1
""",
    "png": 'assert sgf_lark.draw_png(game.board().svg(), 100).startswith(b"\\x89PNG")',
    "pdf": 'assert game.page().pdf().startswith(b"%PDF")',
    "server": """
body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
process = subprocess.Popen([*words, "server"], stdin=-1, stdout=-1, text=True)
said, _ = process.communicate(f"Content-Length: {len(body)}\\r\\n\\r\\n{body}", timeout=60)
assert '"capabilities"' in said
""",
    "site": 'run("site", "-o", "site"); assert Path("site/index.html").is_file()',
    "strategies": """
from hypothesis import given, settings
from sgf_lark import strategies
@settings(max_examples=5, deadline=None)
@given(strategies.records())
def no_error(text):
    sgf_lark.loads(text)
no_error()
""",
}


def lowest() -> Iterator[tuple[str, str]]:
    """Yield the packages that pyproject.toml names, and their lowest versions."""
    named = (TABLE["build-system"]["requires"], TABLE["project"]["dependencies"], *EXTRAS.values())
    for line in chain.from_iterable(named):
        if not line.startswith("sgf_lark["):
            found = re.match(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)", line)
            assert found, f"{line} has no lowest version"
            yield found[1], found[2]


class Environment:
    """An environment with the wheel.

    Args:
        folder: Its place.
        packages: The wheel, extras, and options of pip.
    """

    def __init__(self, folder: Path, *packages: str) -> None:
        venv.create(folder, symlinks=True)
        self.python = str(folder / "bin" / "python")
        self.install(*packages)

    def install(self, *packages: str) -> None:
        """Install packages, with options of pip."""
        pip = (sys.executable, "-m", "pip", "-q", "--python", self.python)
        subprocess.run([*pip, "install", "--no-compile", *packages], check=True, timeout=900)  # noqa: S603  # pip

    def use(self, extra: str) -> bool:
        """Do the thing of an extra; return whether it works, and say so."""
        with TemporaryDirectory() as folder:
            record = "(;FF[4]GM[1]SZ[9]CA[UTF-8];B[ee];W[cc];B[gg])\n"
            Path(folder, "game.sgf").write_text(record, encoding="utf-8")
            command = [self.python, "-c", BEGIN + USES[extra]]
            done = subprocess.run(command, cwd=folder, check=False, timeout=900)  # noqa: S603  # of the environment
        print(f"{extra}: {'works' if done.returncode == 0 else 'FAILS'}", flush=True)  # noqa: T201
        return done.returncode == 0


def main(job: str, wheel: str, *options: str) -> bool:
    """Do a job; return whether all extras work."""
    assert {*USES} == {*EXTRAS} - OF_TESTS
    everything = f"{wheel}[{','.join(USES)}]"
    with TemporaryDirectory() as place:
        folder = Path(place)
        if job == "alone":
            alone = ((one, Environment(folder / one, f"{wheel}[{one}]", *options)) for one in USES)
            return [one for one, environment in alone if not environment.use(one)] == []
        if job == "newest":
            environment = Environment(folder / job, everything, *options)
            environment.install("--pre", "--upgrade", *TRIED, *options)
            print(sum(map(environment.use, USES)), "of", len(USES), "work")  # noqa: T201
            return True
        assert job == "lowest", job
        limits = folder / "lowest.txt"
        limits.write_text("".join(f"{name}=={version}\n" for name, version in lowest()), "utf-8")
        limit = ("--constraint", str(limits), *options)
        environment = Environment(folder / job, everything, *limit)
        failed = [one for one in USES if not environment.use(one)]
        commands = [environment.python, str(ROOT / "tests" / "support" / "every_command.py")]
        done = subprocess.run(commands, check=False, timeout=1800)  # noqa: S603  # ours
        environment.install("--dry-run", f"{wheel}[test-all]", *limit)
        return not failed and done.returncode == 0


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
