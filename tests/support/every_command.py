"""Every command and its examples, in an environment that may lack packages.

``python tests/support/every_command.py`` runs them with the packages of that Python, which needs no
more than the extra ``cli``.  A command works, or names the extra that it lacks.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.command_list import COMMANDS

#: Examples of commands whose help has none.
MORE = [
    "sgf-lark grammar from-ebnf rules.ebnf",
    "sgf-lark grammar compile ff4",
    "sgf-lark convert --schema",
    "sgf-lark show game.sgf -o game.png",
    "sgf-lark show game.sgf -o game.pdf",
]

#: A command that stops before its work, with the reason.
LACKS = re.compile(r"error: .*\(extra (\w+)\):  pip install [\w -]+\n")


def examples() -> list[str]:
    """Return the examples of all commands."""
    return [line for command in COMMANDS.values() for line in getattr(command, "examples", ())]


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


def main() -> None:
    """Run them all; exit with 1 if one fails."""
    lines = [f"sgf-lark {' '.join(words)} --help" for words in COMMANDS]
    lacking, failed = set[str](), 0
    for line in [*lines, *examples(), *MORE]:
        with tempfile.TemporaryDirectory() as folder:
            write_files(Path(folder))
            words = shlex.split(re.sub(r" > [\w.]+$", "", line))[1:]
            done = subprocess.run(  # noqa: S603  # this Python
                [sys.executable, "-m", "sgf_lark", *words],
                cwd=folder,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                text=True,
                check=False,
                timeout=100,
            )
        lacks = done.returncode == 2 and LACKS.fullmatch(done.stderr)
        if lacks:
            lacking.add(f"{' '.join(words[:2])} (extra {lacks[1]})")
        elif done.returncode not in {0, 1} or "Traceback" in done.stderr:
            failed += 1
            print(f"{line}\n{done.stderr}")  # noqa: T201
    print(f"failed: {failed}; lack an extra: {', '.join(sorted(lacking))}")  # noqa: T201
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
