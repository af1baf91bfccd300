"""Game records to measure with: generated ones, the same each time, and real ones."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import sgf_lark
from sgf_lark import Board
from sgf_lark.boards.games.go import GoState
from sgf_lark.schema.values import BoardSize, Point

from . import jobs, many_games, ours, peers
from .jobs import AbsentError, Records

#: The folder of real records, as for the tests.
VARIABLE = "SGF_LARK_CORPUS"

LETTERS = "abcdefghijklmnopqrs"
WORDS = (
    *("white", "black", "tenuki", "joseki", "hane", "atari", "sente", "gote", "ko"),
    *("(maybe)", "good:", "\\]", "\\\\", "ladder", "定石"),
)


class Size(NamedTuple):
    """How much is measured.

    Attributes:
        games: Generated games; games of GGF.
        variations: Of the large tree; it has two nodes for each.
        files: Files that are checked one by one.
        archive: Files of an archive: copies of all real files.
        real: Real files; None for all.
        huge: Characters of a huge file.
        many: Games of an archive of tables.
        moves: Games of another one, of about 160 moves each.
        adversarial: Characters of a text nobody would write on purpose, the shorter one.
    """

    games: int
    variations: int
    files: int
    archive: int
    real: int | None
    huge: int
    many: int
    moves: int
    adversarial: int


SIZES = {
    "small": Size(
        games=3,
        variations=50,
        files=5,
        archive=5,
        real=3,
        huge=20_000,
        many=40,
        moves=20,
        adversarial=100,
    ),
    "full": Size(
        games=200,
        variations=25_000,
        files=1_500,
        archive=15_000,
        real=None,
        huge=4_000_000,
        many=100_000,
        moves=6_500,
        adversarial=50_000,
    ),
}


#: Bytes of a small file, exclusive; files of a row about faults.
SMALL, LINES = 1000, 40

#: Bytes of a file of the archive, at most: an archive of games has files of some 5 kB.
MAX_ARCHIVED = 200_000


def _comment(dice: random.Random) -> str:
    return f"C[{' '.join(dice.choices(WORDS, k=dice.randint(3, 25)))}]"


def _point(dice: random.Random) -> str:
    return dice.choice(LETTERS) + dice.choice(LETTERS)


def _line(dice: random.Random, count: int, clock: list[float]) -> str:
    """So many moves in turn on free points, some with the time that is left, words, marks."""
    free = dice.sample([one + other for one in LETTERS for other in LETTERS], count)
    nodes = []
    for number in range(count):
        color = "BW"[number % 2]
        node = f";{color}[{free[number]}]"
        if clock and dice.random() < 0.3:
            clock[number % 2] = max(0.0, clock[number % 2] - dice.expovariate(0.05))
            node += f"{color}L[{clock[number % 2]:.3f}]"
        if dice.random() < 0.01:
            node += _comment(dice)
        if dice.random() < 0.01:
            one, other = dice.sample(LETTERS, 2)
            node += f"LB[{one}{other}:A][{other}{one}:B]TR[{_point(dice)}]"
        nodes.append(node + "\n" * (number % 10 == 0))
    return "".join(nodes)


def game(number: int) -> str:
    """A game as a server keeps it, and a few variations behind it."""
    dice = random.Random(number)  # noqa: S311  # the same game each time
    head = (
        f"(;FF[4]GM[1]CA[UTF-8]AP[bench:1.0]SZ[19]RU[Japanese]KM[6.5]TM[1800]"
        f"PB[player {dice.randint(1, 99)}]PW[player {dice.randint(1, 99)}]BR[{dice.randint(1, 9)}d]"
        f"WR[{dice.randint(1, 9)}d]DT[20{dice.randint(10, 25)}-0{dice.randint(1, 9)}-11]"
        f"RE[{'BW'[number % 2]}+{dice.randint(1, 30)}.5]GN[game {number}]\n"
    )
    clock = [1800.0, 1800.0] if number % 4 == 0 else []
    main = _line(dice, dice.randint(180, 260), clock)
    branches = "".join(
        f"(;C[variation {branch}]{_line(dice, dice.randint(2, 12), [])})" for branch in range(3)
    )
    return f"{head}{main}{branches})\n"


def tree(count: int) -> str:
    """One game of so many variations of two nodes, in one another and side by side."""
    dice = random.Random(count)  # noqa: S311
    parts, depth = ["(;FF[4]GM[1]SZ[19]\n"], 0
    for _ in range(count):
        parts.append(f"(;B[{_point(dice)}];W[{_point(dice)}]")
        if dice.random() < 0.1:
            parts.append(_comment(dice))
        depth += 1
        while depth and dice.random() < 0.5:
            parts.append(")\n")
            depth -= 1
    return "".join(parts) + ")" * (depth + 1)


def is_go(text: str) -> bool:
    """Games of Go in FF[4], whose syntax has no fault."""
    collection = sgf_lark.loads(text, strict=False)
    return (
        bool(collection.games)
        and all(game.format == "FF4" and game.game == 1 for game in collection)
        and not any(
            finding.severity == "error" and finding.code.startswith("S")
            for finding in collection.diagnostics
        )
    )


#: A fault, by what it puts in the place of a part of a game of :func:`line`.
FAULTS = (
    (")", ""),
    ("KM[6.5]", "KM[six]"),
    ("KM[6.5]", "KM[6.5]ZZ[1]"),
    (";W[", ";W[aa];B[aa];W["),
)


def with_fault(text: str, number: int) -> str:
    """Make a bracket missing, a value wrong, a property unknown, or a move illegal."""
    old, new = FAULTS[number % len(FAULTS)]
    before, part, after = text.rpartition(old)
    assert part
    return before + new + after


def main_line(text: str) -> str:
    """The moves of the first game on free points of a board of 19, as numbers."""
    board, color, cells = GoState(BoardSize(19, 19)), 1, []
    for _, point in ours.moves(sgf_lark.loads(text, strict=False)[0]):
        if point is None or not board.has(point) or board.held(board.cell(point)):
            continue
        board.play_cell(board.cell(point), color)
        color = 3 - color
        cells.append(str(point.row * 19 + point.column))
    return " ".join(cells)


def line(moves: int) -> str:
    """Return a game of legal moves."""
    chance = random.Random(0)  # noqa: S311  # the same each time
    board, text = Board("Go", 19), "(;FF[4]GM[1]SZ[19]KM[6.5]"
    for _ in range(moves):
        played = chance.choice(board.legal_moves()[:-1])
        assert isinstance(played, Point)
        text += f";{board.to_play}[{LETTERS[played.column]}{LETTERS[played.row]}]"
        board = board.play(played)
    return f"{text})"


class Texts:
    """The files of the rows, each kind made when it is first asked for.

    Args:
        folder: For those that are made.
        size: How much of them.
        real: The folder of real files.
        tables: For archives of tables, which stay; None for ``folder``.
    """

    def __init__(
        self, folder: Path, size: Size, real: str | None, tables: Path | None = None
    ) -> None:
        self.folder, self.size, self._real = folder, size, real
        self._tables = tables or folder

    def _write(
        self, name: str, texts: Iterable[str], tiny: str = "(;FF[4];B[aa])", suffix: str = "sgf"
    ) -> Records:
        paths = []
        (self.folder / name).mkdir()
        for number, text in enumerate([tiny, *texts]):
            path = self.folder / name / f"{number}.{suffix}"
            path.write_text(text, encoding="utf-8", newline="")
            paths.append(str(path))
        return Records(tuple(paths[1:]), paths[0])

    def _suffixed(self, suffix: str) -> list[Path]:
        if not self._real:
            raise AbsentError(f"{VARIABLE} names no folder")
        return sorted(path for path in Path(self._real).rglob(f"*.{suffix}") if path.is_file())

    @cached_property
    def real(self) -> Records:
        """Real files of Go in FF[4]: UTF-8, no fault of syntax, and sgfmill reads them."""
        chosen: list[str] = []
        for path in self._suffixed("sgf"):
            try:
                text = path.read_bytes().decode("utf-8-sig")
            except UnicodeDecodeError:
                continue
            if is_go(text) and peers.reads(str(path)):
                chosen.append(str(path))
            if len(chosen) == self.size.real:
                break
        return Records(tuple(chosen), self.generated.tiny)

    @property
    def _real_texts(self) -> list[str]:
        return [Path(path).read_bytes().decode("utf-8-sig") for path in self.real.files]

    @cached_property
    def every(self) -> Records:
        """All SGF files of the folder: small, damaged, with findings."""
        paths = tuple(map(str, self._suffixed("sgf")))
        return Records(paths[: self.size.real], self.generated.tiny)

    @cached_property
    def largest(self) -> Records:
        """The largest of those that are UTF-8: a dictionary of 1.3 MB, one game."""
        largest = max(self.real.files, key=lambda path: Path(path).stat().st_size)
        return self.real._replace(files=(largest,))

    @cached_property
    def sound(self) -> Records:
        """Those of them that have no error."""
        files = (path for path in self.every.files if not _errors(path))
        return self.every._replace(files=tuple(files))

    @cached_property
    def tiny(self) -> Records:
        """Those of them that are shorter than 1,000 bytes."""
        files = (path for path in self.every.files if Path(path).stat().st_size < SMALL)
        return self.every._replace(files=tuple(files))

    @cached_property
    def of_sente(self) -> Records:
        """Those of them that sente reads, too."""
        job = peers.sente(self.every, "names")
        read = {int(number) for number in str(job.run()["read"]).split()}
        files = (path for at, path in enumerate(self.every.files) if at in read)
        return self.every._replace(files=tuple(files))

    @cached_property
    def joined(self) -> Records:
        """The real files as one."""
        return self._write("joined", ["\n".join(self._real_texts)])

    def _lines(self, name: str, moves: int, *, faults: bool) -> Records:
        """Games of so many moves; with a fault in each, all kinds of them."""
        text = line(moves)
        games = (with_fault(text, number) if faults else text for number in range(LINES))
        return self._write(name, games)

    @cached_property
    def faultless(self) -> Records:
        """Games of 300 moves."""
        return self._lines("faultless", 300, faults=False)

    @cached_property
    def faulty(self) -> Records:
        """The same games, each with one fault."""
        return self._lines("faulty", 300, faults=True)

    @cached_property
    def small_faultless(self) -> Records:
        """Games of 20 moves."""
        return self._lines("small_faultless", 20, faults=False)

    @cached_property
    def small_faulty(self) -> Records:
        """The same games, each with one fault."""
        return self._lines("small_faulty", 20, faults=True)

    @cached_property
    def clean(self) -> Records:
        """One file of 10 MB in full size: a game of 300 legal moves, again and again."""
        text = line(300) + "\n"
        return self._write("clean", [text * max(1, 5 * self.size.huge // (2 * len(text)))])

    @cached_property
    def moves(self) -> Records:
        """Moves of their games, of 100 or more, for :func:`.ours.play`."""
        lines = map(main_line, self._real_texts)
        long = (line for line in lines if self.size.real or line.count(" ") >= 100)
        return self._write("moves", long, "3 4", "txt")

    @cached_property
    def line(self) -> Records:
        """A game of 300 moves and nothing else."""
        return self._write("line", [line(300)])

    @cached_property
    def generated(self) -> Records:
        """One file of games."""
        return self._write("generated", ["".join(map(game, range(self.size.games)))])

    @cached_property
    def one(self) -> Records:
        """A file of one game."""
        return self._write("one", [game(0)])

    @cached_property
    def tree(self) -> Records:
        """One game of many variations."""
        return self._write("tree", [tree(self.size.variations)])

    @cached_property
    def huge(self) -> Records:
        """One file of many games."""
        many = self.size.huge // len(game(0))
        return self._write("huge", ["".join(map(game, range(many)))])

    @cached_property
    def files(self) -> Records:
        """The real files, and generated ones of one game each."""
        real = self._real_texts[: self.size.files] if self._real else []
        return self._write("files", [*real, *map(game, range(self.size.files - len(real)))])

    @cached_property
    def archive(self) -> Records:
        """A folder of copies of the real files of all formats; of generated ones without them.

        Those of :data:`MAX_ARCHIVED` bytes or more are left out: four of them would be most of it.
        """
        found = [path for suffix in ("sgf", "ggf", "mgt") for path in self._found(suffix)]
        files = [path for path in found if path.stat().st_size < MAX_ARCHIVED]
        top = self.folder / "archive"
        for number in range(self.size.archive):
            path = files[number % len(files)]
            copy = top / str(number // len(files)) / path.parent.name / path.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        return Records((str(top),), self.generated.tiny)

    @cached_property
    def folder_of_all(self) -> Records:
        """The folder of real files itself."""
        if not self._real:
            raise AbsentError(f"{VARIABLE} names no folder")
        return Records((self._real,), self.generated.tiny)

    @cached_property
    def zipped(self) -> Records:
        """A zip of that folder."""
        (folder,) = self.folder_of_all.files
        path = shutil.make_archive(str(self.folder / "zipped"), "zip", folder)
        return Records((path,), self.generated.tiny)

    @cached_property
    def uneven(self) -> Records:
        """A folder of small files, and one huge file of the real games of GGF, again and again."""
        folder = self.folder / "uneven"
        shutil.copytree(Path(self.files.tiny).parent, folder)
        text = b"\n".join([path.read_bytes() for path in self._suffixed("ggf")]) + b"\n"
        (folder / "huge.ggf").write_bytes(text * max(1, self.size.huge // len(text)))
        return Records((str(folder),), self.files.tiny)

    @cached_property
    def tables_of_many(self) -> Records:
        """An archive of tables of many generated games, some of them duplicates."""
        return self._build("many", self.size.many)

    @cached_property
    def tables_of_moves(self) -> Records:
        """An archive of tables with about 1,000,000 moves."""
        return self._build("some", self.size.moves)

    @cached_property
    def tables_of_quarter(self) -> Records:
        """An archive of tables with a quarter of them."""
        return self._build("quarter", self.size.moves // 4)

    def _build(self, name: str, count: int) -> Records:
        tables = self._tables / f"{name}-{count}"
        if not (tables / "_manifest.json").exists():
            self._tables.mkdir(parents=True, exist_ok=True)
            games = self._tables / f"{name}-{count}.tar.gz"  # examples are read from it again
            many_games.write_tar(games, count)
            jobs.sgf_lark(
                "archive", "build", str(games), "-o", str(tables), "--quiet", "--patterns"
            ).run()
        return Records((str(tables),), self.generated.tiny)

    def _found(self, suffix: str) -> list[Path]:
        if self._real:
            return self._suffixed(suffix)
        return [Path(path) for path in self.files.files] if suffix == "sgf" else []

    @cached_property
    def _games_of_ggf(self) -> list[tuple[str, str]]:
        """Texts of different real games without an error, in GGF and in FF[4]."""
        pairs: dict[str, str] = {}
        for path in self._suffixed("ggf"):
            for single in sgf_lark.load(path, strict=False).split():
                if not any(finding.severity == "error" for finding in single.diagnostics):
                    pairs[sgf_lark.dumps(single)] = sgf_lark.dumps(sgf_lark.convert(single, "FF4"))
                if len(pairs) == 10 * self.size.games:
                    break
        return list(pairs.items())

    def _in_tens(self, name: str, games: Iterable[str], tiny: str, suffix: str) -> Records:
        rest = iter(games)
        return self._write(name, iter(lambda: "\n".join(islice(rest, 10)), ""), tiny, suffix)

    @cached_property
    def ggf(self) -> Records:
        """Real games of GGF, ten a file."""
        games = (ggf for ggf, _ in self._games_of_ggf)
        return self._in_tens("ggf", games, "(;GM[Othello]B[d3];)", "ggf")

    @cached_property
    def ggf_as_sgf(self) -> Records:
        """The same games in FF[4]."""
        games = (sgf for _, sgf in self._games_of_ggf)
        return self._in_tens("ggf_as_sgf", games, "(;FF[4]GM[2];B[d3])", "sgf")


def _errors(path: str) -> bool:
    """Return whether a file has an error."""
    found = sgf_lark.load(path, strict=False).diagnostics
    return any(one.severity == "error" for one in found)


def default_folder() -> str | None:
    """Return the folder of real files that the environment names."""
    return os.environ.get(VARIABLE)
