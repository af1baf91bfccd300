"""Game records to measure with: generated ones, the same each time, and real ones."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import sgf_lark
from sgf_lark import Board, Collection
from sgf_lark.core.schema.values import BoardSize, Point
from sgf_lark.games.go import GoState

from . import jobs, peers
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
        games: Generated games.
        variations: Of the large tree; it has two nodes for each.
        files: Files that are checked one by one.
        real: Real files; None for all.
        huge: Characters of a huge file.
        examples: Games of an archive of tables, of about 160 moves each.
        adversarial: Characters of a text nobody would write.
    """

    games: int
    variations: int
    files: int
    real: int | None
    huge: int
    examples: int
    adversarial: int


SIZES = {
    "small": Size(3, 50, 5, 3, 20_000, 20, 200),
    "full": Size(200, 25_000, 1_500, None, 4_000_000, 5_000, 50_000),
}

#: Bytes of a small file, exclusive; files of a row about faults.
SMALL, LINES = 1000, 40


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
    is_one = all(game.format == "FF4" and game.game == 1 for game in collection)
    return bool(collection.games) and is_one and not _has_error(collection, "S")


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
    for move in sgf_lark.loads(text, strict=False)[0].moves:
        point = move.point
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
    """

    def __init__(self, folder: Path, size: Size, real: str | None) -> None:
        self.folder, self.size, self._real = folder, size, real and Path(real).absolute()

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

    @cached_property
    def folder_of_all(self) -> Records:
        """The folder of real files itself."""
        if not self._real:
            raise AbsentError(f"{VARIABLE} names no folder")
        return Records((str(self._real),), self.generated.tiny)

    @cached_property
    def every(self) -> Records:
        """All SGF files of the folder: small, damaged, with findings."""
        (folder,) = self.folder_of_all.files
        paths = sorted(str(path) for path in Path(folder).rglob("*.sgf") if path.is_file())
        return Records(tuple(paths[: self.size.real]), self.generated.tiny)

    def _those(self, is_one: Callable[[str], bool]) -> Records:
        return self.every._replace(files=tuple(filter(is_one, self.every.files)))

    @cached_property
    def real(self) -> Records:
        """Those of them that are Go in FF[4], UTF-8, and have no fault of syntax."""
        return self._those(_is_real)

    @cached_property
    def sound(self) -> Records:
        """Those of them that have no error."""
        return self._those(lambda path: not _has_error(sgf_lark.load(path, strict=False)))

    @cached_property
    def tiny(self) -> Records:
        """Those of them that are shorter than 1,000 bytes."""
        return self._those(lambda path: Path(path).stat().st_size < SMALL)

    @cached_property
    def of_sente(self) -> Records:
        """Those of them that sente reads, too."""
        job = peers.sente(self.every, "names")
        read = {int(number) for number in str(job.run()["read"]).split()}
        files = (path for at, path in enumerate(self.every.files) if at in read)
        return self.every._replace(files=tuple(files))

    @property
    def _real_texts(self) -> list[str]:
        return [Path(path).read_bytes().decode("utf-8-sig") for path in self.real.files]

    @cached_property
    def joined(self) -> Records:
        """The real files as one."""
        return self._write("joined", ["\n".join(self._real_texts)])

    @cached_property
    def moves(self) -> Records:
        """Moves of their games, of 100 or more, for :func:`.ours.play`."""
        lines = map(main_line, self._real_texts)
        long = (line for line in lines if self.size.real or line.count(" ") >= 100)
        return self._write("moves", long, "3 4", "txt")

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
    def uneven(self) -> Records:
        """A folder of small files, and a huge one."""
        return self.files._replace(files=(str(Path(self.files.tiny).parent), *self.huge.files))

    @cached_property
    def examples(self) -> Records:
        """An archive of tables of generated games, from whose files examples are read again."""
        games = self._write("examples", map(game, range(self.size.examples)))
        folder, tables = str(Path(games.tiny).parent), str(self.folder / "tables")
        jobs.sgf_lark("archive", "build", folder, "-o", tables, "--quiet").run()
        return games._replace(files=(tables,))


def _is_real(path: str) -> bool:
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return is_go(text)


def _has_error(collection: Collection, kind: str = "") -> bool:
    """Return whether games have an error whose code begins with a text."""
    found = collection.diagnostics
    return any(one.severity == "error" and one.code.startswith(kind) for one in found)


def default_folder() -> str | None:
    """Return the folder of real files that the environment names."""
    return os.environ.get(VARIABLE)
