"""Writing a record: of this checkout in two processes, or of another commit."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import sgf_lark

from .golden_kinds import Said, say, say_rows
from .golden_texts import DRAWN, Text, draw, examples, records, samples
from .places import ROOT

#: The processes that a record is made in.
PROCESSES = 2

#: The texts of one portion of work, at most, and their bytes.
PORTION = 100
PORTION_BYTES = 50_000

#: What takes more seconds of processor time is named.
SLOW = 2.0

#: Hexadecimal digits of a hash.
DIGITS = 12

#: The modules of this folder that a commit gets which has no program of its own.
_PROGRAM = ("__init__", "places", "corpus", "commands", "readmes", "golden*")


class Line(NamedTuple):
    """A text in ``hashes.jsonl``.

    Attributes:
        name: Of the text.
        text: The hash of its bytes.
        file: The file of ``outputs`` that has it in full.
        kinds: The hash of each kind.
    """

    name: str
    text: str
    file: str
    kinds: dict[str, str]


class Full(NamedTuple):
    """A text in full: a line of a file of ``outputs``.

    Attributes:
        name: Of the text.
        text: The text, as a person can read it.
        kinds: What is recorded in each kind.
    """

    name: str
    text: str
    kinds: dict[str, str]


class Done(NamedTuple):
    """A portion that is written: its lines, and what crashed or was slow."""

    lines: list[Line]
    crashes: list[str]
    slow: list[str]


def digest(data: bytes) -> str:
    """Return the hash of a text, or of what is recorded of it."""
    return hashlib.sha256(data).hexdigest()[:DIGITS]


class Wanted(NamedTuple):
    """The texts of a record.

    Attributes:
        drawn: The number of those that are drawn.
        only: Beginnings of names of texts; without any, all are wanted.
    """

    drawn: int = DRAWN
    only: Sequence[str] = ()

    def any_of(self, group: str) -> bool:
        """Return whether texts are wanted whose names begin so."""
        return not self.only or any(one[: len(group)] == group[: len(one)] for one in self.only)

    def has(self, text: Text) -> bool:
        """Return whether a text is wanted."""
        return not self.only or text.name.startswith(tuple(self.only))


def write(folder: Path, wanted: Wanted) -> None:
    """Write the record of this checkout."""
    require_own_package()
    outputs = folder / "outputs"
    if folder.exists() and {*folder.iterdir()} - {
        outputs,
        folder / "hashes.jsonl",
        folder / "about.json",
    }:
        raise SystemExit(f"{folder} has other files than those of a record")
    shutil.rmtree(outputs, ignore_errors=True)
    outputs.mkdir(parents=True)
    finish(folder, [*_in_processes(wanted, outputs)], wanted)


def finish(folder: Path, done: Sequence[Done], wanted: Wanted) -> None:
    """Write the hashes of portions that are written, and tell what crashed or was slow."""
    lines = sorted(line for one in done for line in one.lines)
    text = "".join(json.dumps(line._asdict()) + "\n" for line in lines)
    (folder / "hashes.jsonl").write_text(text, encoding="utf-8")
    about = {"commit": commit(), "python": sys.version.split()[0], **wanted._asdict()}
    (folder / "about.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
    for what in ("crashes", "slow"):
        found = sorted(one for each in done for one in getattr(each, what))
        _tell(f"{what}: {len(found)}", *found)
    _tell(f"{len(lines)} texts, {sum(map(_size, folder.rglob('*'))) / 1e6:.1f} MB: {folder}")


def _tell(head: str, *more: str) -> None:
    sys.stdout.write("\n  ".join([head, *more]) + "\n")


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def require_own_package() -> None:
    """Make sure that the package is that of this checkout, not an installed one."""
    assert Path(sgf_lark.__file__).is_relative_to(ROOT), sgf_lark.__file__


def commit() -> str:
    """Return the commit that is checked out; with ``+`` if files were changed."""
    changed = _git("status", "--porcelain", "--untracked-files=no")
    return _git("rev-parse", "HEAD") + ("+" if changed else "")


def _git(*arguments: str) -> str:
    done = subprocess.run(  # noqa: S603  # git of this machine
        ["git", "-C", str(ROOT), *arguments],  # noqa: S607
        capture_output=True, check=False, text=True, timeout=100,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    return done.stdout.strip()


# ---- portions of work ----


def all_texts(wanted: Wanted) -> Iterator[Text]:
    """Yield the texts of a record, but for the commands of the READMEs."""
    if wanted.any_of("corpus/") or wanted.any_of("drawn/"):
        files = records()
        for name, data in sorted(files.items(), key=lambda one: (-len(one[1]), one[0])):
            yield Text(f"corpus/{name}", data)  # the longest first, so that none is waited for
        yield from draw(files, wanted.drawn)
    yield from samples(ROOT)
    yield from examples()


def _portions(texts: Iterable[Text]) -> Iterator[list[Text]]:
    portion: list[Text] = []
    for one in texts:
        portion.append(one)
        if len(portion) == PORTION or sum(len(each.data) for each in portion) > PORTION_BYTES:
            yield portion
            portion = []
    if portion:
        yield portion


def _in_processes(wanted: Wanted, outputs: Path) -> Iterator[Done]:
    """Write portions, each to a file of its own, and the commands of the READMEs."""
    texts = filter(wanted.has, all_texts(wanted))
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        waiting = []
        if wanted.any_of("console/"):
            waiting.append(pool.submit(write_consoles, outputs / "consoles.jsonl.gz"))
        for number, portion in enumerate(_portions(texts)):
            file = outputs / f"{number:04}.jsonl.gz"
            waiting.append(pool.submit(write_portion, portion, file))
        for number, one in enumerate(as_completed(waiting), 1):
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{number} of {len(waiting)} " + "\n" * (number == len(waiting)))
            yield one.result()


def write_portion(portion: Sequence[Text], file: Path) -> Done:
    """Write what is recorded of some texts."""
    return _write(say_all(portion), file)


def say_all(texts: Sequence[Text]) -> Iterator[tuple[Text, list[Said]]]:
    """Yield each text, and what is recorded of it in all kinds."""
    rows = say_rows(texts)
    for one in texts:
        yield one, [*say(one), *rows[one.name]]


def write_consoles(file: Path) -> Done:
    """Write what the commands of the READMEs print."""
    from .golden_consoles import say_consoles  # reads the READMEs

    return _write(say_consoles(), file)


def _write(said: Iterable[tuple[Text, Sequence[Said]]], file: Path) -> Done:
    done = Done([], [], [])
    with gzip.open(file, "wt", encoding="utf-8", compresslevel=5) as target:
        for one, many in said:
            done.lines.append(hashed(one, many, file.name))
            shown = one.data.decode("utf-8", "backslashreplace")
            full = Full(one.name, shown, {each.kind: each.output for each in many})
            target.write(json.dumps(full._asdict()) + "\n")
            for each in many:
                if each.crash:
                    done.crashes.append(f"{one.name} {each.kind}: {each.crash}")
                if each.seconds > SLOW:
                    done.slow.append(f"{one.name} {each.kind}: {each.seconds:.1f} s")
    return done


def hashed(one: Text, said: Iterable[Said], file: str = "") -> Line:
    """Return the hashes of what is recorded of a text."""
    kinds = {each.kind: digest(each.output.encode("utf-8", "surrogatepass")) for each in said}
    return Line(one.name, digest(one.data), file, kinds)


# ---- another commit ----


def write_at(which: str, folder: Path, wanted: Wanted) -> None:
    """Write the record of another commit, by its own program if it has one."""
    with checked_out(which) as root:
        support = root / "tests" / "support"
        if not (support / "golden.py").exists():
            support.mkdir(parents=True, exist_ok=True)
            for name in _PROGRAM:
                for file in (ROOT / "tests" / "support").glob(f"{name}.py"):
                    shutil.copyfile(file, support / file.name)
        subprocess.run(  # noqa: S603  # this program
            [sys.executable, "-m", "tests.support.golden", "write", str(folder.resolve()),
             "--texts", str(wanted.drawn), *(f"--only={one}" for one in wanted.only)],
            check=True, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, timeout=3600,
        )  # fmt: skip


@contextmanager
def checked_out(which: str) -> Iterator[Path]:
    """Check out a commit into a folder of its own, for a while."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "worktree"
        _git("worktree", "add", "--detach", str(root), which)
        try:
            yield root
        finally:
            _git("worktree", "remove", "--force", str(root))
