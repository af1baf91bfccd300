"""Every command and its examples, in an environment that may lack packages.

``python tests/support/every_command.py`` runs them with the packages of that Python, which needs no
more than the extra ``cli``.  A command works, or names the extra that it lacks.  One that serves a
page works if it serves it, until Ctrl-C.
"""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.command_list import COMMANDS

#: Examples of commands whose help has none.
MORE = [
    "sgf-lark grammar from-ebnf rules.ebnf",
    "sgf-lark convert --schema",
    "sgf-lark show game.sgf -o game.png",
    "sgf-lark show game.sgf -o game.pdf",
]

#: Examples that run elsewhere: in tests/workbench/test_page.py, with Python for the browser, and
#: in tests/site, since the site takes longer than all other commands.
ELSEWHERE = {
    "sgf-lark play --export site --pyodide wheels",
    "sgf-lark site -o site",
    "sgf-lark site -o site --playground play/",
}

#: A command that stops before its work, with the reason.
LACKS = re.compile(r"error: .*\(extra (\w+)\):  pip install 'sgf_lark\[\1\]'\n")


def examples() -> list[str]:
    """Return the examples of all commands."""
    lines = (line for command in COMMANDS.values() for line in getattr(command, "examples", ()))
    return [line for line in lines if line.startswith("sgf-lark ")]


def write_files(folder: Path) -> None:
    """Write the files that the examples name."""
    (folder / "games").mkdir()
    for name in ("game.sgf", "old.sgf", "games/a.sgf"):
        (folder / name).write_text("(;FF[4]GM[1]SZ[9];B[ee];W[cc];B[gg])\n", encoding="utf-8")
    rows = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------"
    game = f"(;GM[Othello]PC[GGS/os]PB[a]PW[b]TY[8]BO[8 {rows} *];B[d3])"
    (folder / "game.ggf").write_text(game, encoding="utf-8")
    (folder / "mine.lark").write_text('start: "a"\n', encoding="utf-8")
    (folder / "rules.ebnf").write_text('start = "a" .\n', encoding="utf-8")
    cases = "===\nOne\n===\n\na\n\n---\n\n(start)\n"
    (folder / "cases.txt").write_text(cases, encoding="utf-8")
    (folder / "corner.txt").write_text("--+\n. .|\nO .|\n", encoding="utf-8")
    (folder / "errors.txt").touch()
    with ZipFile(folder / "games.zip", "w") as archive:
        archive.write(folder / "game.sgf", "game.sgf")


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder; look at the page of one that serves it, and end that."""
    command = [sys.executable, "-m", "sgf_lark", *words]
    if words[0] != "play" or {"--help", "--export"} & {*words}:
        return subprocess.run(  # noqa: S603  # this Python
            command,
            cwd=folder,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
            timeout=300,
        )
    command.append("--no-browser")
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True) as process:  # noqa: S603  # as above
        assert process.stdout is not None
        if address := process.stdout.readline().partition(" ")[0]:
            with urlopen(address, timeout=60) as answer:  # noqa: S310  # our own
                assert b"<title>" in answer.read()
            process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)
    code = 0 if process.returncode == 128 + signal.SIGINT else process.returncode
    return subprocess.CompletedProcess(command, code, *said)


def main() -> None:
    """Run them all; exit with 1 if one fails."""
    lines = [f"sgf-lark {' '.join(words)} --help" for words in COMMANDS]
    lacking, failed = set[str](), 0
    store = Path(tempfile.mkdtemp())
    write_files(store)
    run(["archive", "build", "games", "-o", "go.archive", "--patterns"], store)  # for the examples
    for line in [*lines, *examples(), *MORE]:
        if line in ELSEWHERE:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            shutil.copytree(store, folder, dirs_exist_ok=True)
            words = shlex.split(re.sub(r" > [\w.]+$", "", line))[1:]
            done = run(words, folder)
        lacks = done.returncode == 2 and LACKS.fullmatch(done.stderr)
        if lacks:
            lacking.add(f"{' '.join(words[:2])} (extra {lacks[1]})")
        elif done.returncode not in {0, 1} or "Traceback" in done.stderr:
            failed += 1
            print(f"{line}\n{done.stderr}")  # noqa: T201
    shutil.rmtree(store)
    print(f"failed: {failed}; lack an extra: {', '.join(sorted(lacking))}")  # noqa: T201
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
