"""Many games of Go, all different but for planted duplicates: as a tar, or as one file.

``python -m tests.benchmarks.many_games --games 100000 --tar games.tar.bz2 --planted planted.jsonl``
writes the same each time, in some 40 seconds; ``--file games.sgf --bytes 1000000000`` one file.

A game is played on points of which each has a free one beside it that nobody plays on: then all
moves are legal in any order, and numpy draws them.  Some games have captures instead: their moves
are tried one by one.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import tarfile
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np

from sgf_lark.boards.games.go import GoState
from sgf_lark.schema.values import BoardSize, Color, Point

#: Sizes of boards, and of 20 games how many are on each; the moves of a game, at least and most.
SIZES = {19: 16, 13: 3, 9: 1}
MIN_MOVES, MAX_MOVES = 50, 300

#: One game of how many has captures, is a duplicate, has a fault, comments, variations, times.
CAPTURES, DUPLICATE, FAULT, COMMENTS, VARIATIONS, TIMES = 40, 20, 50, 5, 10, 8

#: Games drawn at once; earlier games of which a duplicate can be.
BLOCK, REMEMBERED = 500, 400

#: Moves that a broken-off copy has at least.
MIN_CUT = 30

PROGRAMS = ("CGoban:3", "Sabaki:0.52.2", "GNU Go:3.8", "MultiGo:4.4.4", "foxwq", "Drago:4.11", "")
RULES = ("Japanese", "Chinese", "AGA", "Japanese", "NZ", "")
EVENTS = ("", "", "Honinbo", "Meijin", "Kisei", "Club championship", "LG Cup", "Ladder")
PLACES = ("", "Tokyo", "Seoul", "Beijing", "Amsterdam", "KGS", "OGS", "IGS")
REMARKS = (
    *("White should extend here (see below).", "A good move.", "Joseki.", "定石です。"),
    *("Black is thick\nin the centre", "ko threat \\] or not?", "time trouble", "Überraschend!"),
)
SURNAMES = ("Aoki", "Berg", "Chen", "Doi", "Eto", "Fan", "Gu", "Honda", "Ito", "Jansen", "Kim")


class Game(NamedTuple):
    """A game before it is written.

    Attributes:
        size: Lines of the board.
        points: Its moves: row x size + column.
        first: The side of the first move: 0 for Black.
        handicap: Stones of Black that are set up first.
        head: Properties of the game, by identifier.
        remarks: Comments, by the number of the move.
        branch: Variations: the move that they replace, and their moves.
        clock: The move from which on times are written, or none.
        folded: Lines of ten moves.
    """

    size: int
    points: np.ndarray[Any, Any]
    first: int
    handicap: np.ndarray[Any, Any]
    head: dict[str, str]
    remarks: dict[int, str]
    branch: tuple[int, tuple[np.ndarray[Any, Any], ...]] | None
    clock: int | None
    folded: bool


class Made(NamedTuple):
    """The text of a game.

    Attributes:
        text: Its bytes.
        kind: The kind of duplicate or of fault; empty for others.
        of: The number of the game of which it is a duplicate, from 0.
    """

    text: bytes
    kind: str = ""
    of: int | None = None


# ---- points and moves ----


@cache
def _free(size: int, pattern: int) -> np.ndarray[Any, Any]:
    """Return points of which each has one beside it that is not among them."""
    slope, rest = divmod(pattern, 5)
    empty = {
        (row, column)
        for row in range(size)
        for column in range(size)
        if ((row + 2 * column) if slope else (2 * row + column)) % 5 == rest
    }
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    cells = [(row, column) for row in range(size) for column in range(size)]
    free = [
        row * size + column
        for row, column in cells
        if (row, column) not in empty
        and any((row + down, column + right) in empty for down, right in steps)
    ]
    return np.array(free)


@cache
def _nodes(size: int) -> np.ndarray[Any, Any]:
    """Return the text of each move, by side and point."""
    names = ascii_lowercase[:size]
    return np.array(
        [[f";{side}[{x}{y}]".encode() for y in names for x in names] for side in "BW"], dtype="S6"
    )


@cache
def _openings(size: int) -> list[tuple[int, ...]]:
    """Return the usual first moves in the corners: those in front are the most usual."""
    near, far = 3 if size > 9 else 2, size - (4 if size > 9 else 3)
    dice = random.Random(size)  # noqa: S311  # the same each time
    found = []
    for _ in range(60):
        corners = [(near, near), (far, far), (near, far), (far, near)]
        dice.shuffle(corners)
        moves = []
        for row, column in corners[: dice.choice((2, 3, 4, 4))]:
            aside = dice.choice((0, 0, 0, 1, -1))
            moves.append((row + aside * (1 if row == near else -1)) * size + column)
        found.append(tuple(moves))
    return found


def _drawn(chance: np.random.Generator, size: int, count: int) -> np.ndarray[Any, Any]:
    """Return the moves of games, one a row, legal in any order; the first are usual."""
    free = _free(size, int(chance.integers(10)))
    known = {int(point): place for place, point in enumerate(free)}
    keys = chance.random((count, len(free)), dtype=np.float32)
    openings = _openings(size)
    for number, rank in enumerate(chance.zipf(1.5, count)):
        if rank <= len(openings):
            for order, point in enumerate(openings[rank - 1]):
                if point in known:
                    keys[number, known[point]] = order - 9
    return free[np.argsort(keys, axis=1)]


def _played(dice: random.Random, size: int, count: int) -> np.ndarray[Any, Any]:
    """Return moves of which some capture; fewer if no legal one is found."""
    state, points = GoState(BoardSize(size, size)), list[int]()
    for number in range(count):
        for _ in range(20):
            point = Point(dice.randrange(size), dice.randrange(size))
            color = (Color.BLACK, Color.WHITE)[number % 2]
            if state.judge(point, color).ok:
                state.play(point, color)
                points.append(point.row * size + point.column)
                break
        else:
            break
    return np.array(points)


# ---- games ----


def _head(dice: random.Random, number: int, size: int) -> dict[str, str]:
    black, white = (f"{dice.choice(SURNAMES)} {int(300 * dice.random() ** 3)}" for _ in range(2))
    year, month = dice.randint(1950, 2025), dice.randint(1, 12)
    margin = dice.choice(("R", "R", "T", f"{dice.randint(0, 40)}.5", f"{dice.randint(1, 40)}"))
    head = {
        "FF": dice.choice("4443"),
        "GM": "1",
        "SZ": str(size),
        "AP": dice.choice(PROGRAMS),
        "PB": black,
        "PW": white,
        "BR": f"{dice.randint(1, 9)}{dice.choice('dk')}",
        "WR": f"{dice.randint(1, 9)}{dice.choice('dk')}",
        "DT": f"{year}-{month:02}-{dice.randint(1, 28):02}",
        "KM": dice.choice(("6.5", "6.5", "5.5", "7.5", "0", "0.5")),
        "RE": f"{dice.choice('BW')}+{margin}",
        "RU": dice.choice(RULES),
        "EV": dice.choice(EVENTS),
        "PC": dice.choice(PLACES),
        "GN": f"Game {number}" if dice.random() < 0.3 else "",
    }
    if head["FF"] == "4":
        head["CA"] = "UTF-8"
    else:
        del head["AP"], head["RU"]
    return {ident: value for ident, value in head.items() if value}


def _game(dice: random.Random, number: int, size: int, points: np.ndarray[Any, Any]) -> Game:
    """Make a game of drawn moves: some of them are its handicap, and those of variations."""
    most = min(MAX_MOVES, len(points) - 6)
    count = dice.randint(min(MIN_MOVES, most), most)
    head, handicap, rest = _head(dice, number, size), points[:0], points[count:]
    if dice.random() < 0.04:
        stones = dice.randint(2, 6)
        handicap, points = points[:stones], points[stones : count + stones]
        rest = rest[stones:]
        head["HA"] = str(stones)
    line = points[:count]
    remarks, branch = {}, None
    if not dice.randrange(COMMENTS):
        remarks = {dice.randrange(count): dice.choice(REMARKS) for _ in range(dice.randint(1, 6))}
    if not dice.randrange(VARIATIONS) and len(rest):
        parts = np.array_split(rest[:40], dice.randint(1, min(4, len(rest[:40]))))
        branch = (dice.randrange(count // 2, count), tuple(parts))
    clock = dice.randrange(count) if not dice.randrange(TIMES) else None
    folded = dice.random() < 0.3
    return Game(size, line, int(len(handicap) > 0), handicap, head, remarks, branch, clock, folded)


def _line(game: Game, points: np.ndarray[Any, Any], before: int) -> bytes:
    """Return the moves from a number on."""
    sides = (np.arange(before, before + len(points)) + game.first) % 2
    text: bytes = _nodes(game.size)[sides, points].tobytes()
    pieces = {number - before: f"C[{words}]" for number, words in game.remarks.items()}
    if game.clock is not None:
        for number in range(max(0, game.clock - before), len(points)):
            side = "BW"[(before + number + game.first) % 2]
            left = max(0.0, 1800 - 7.31 * (before + number))
            pieces[number] = f"{side}L[{left:.2f}]{pieces.get(number, '')}"
    if game.folded:
        for number in range(9, len(points), 10):
            pieces[number] = pieces.get(number, "") + "\n"
    if not pieces:
        return text
    parts, done = [], 0
    for number in sorted(pieces):
        if 0 <= number < len(points):
            parts += [text[done : 6 * number + 6], pieces[number].encode()]
            done = 6 * number + 6
    return b"".join([*parts, text[done:]])


def write(game: Game) -> bytes:
    """Return the text of a game."""
    head = "".join([f"{ident}[{value}]" for ident, value in game.head.items()])
    parts = [b"(;", head.encode()]
    if len(game.handicap):
        stones = _nodes(game.size)[0, game.handicap]
        parts += [b"AB", *(stone[2:] for stone in stones.tolist())]
    parts.append(b"\n")
    if game.branch is None:
        parts.append(_line(game, game.points, 0))
    else:
        at, branches = game.branch
        parts += [_line(game, game.points[:at], 0), b"(", _line(game, game.points[at:], at), b")"]
        bare = game._replace(remarks={}, clock=None)
        parts += [part for moves in branches for part in (b"(", _line(bare, moves, at), b")")]
    parts.append(b")\n")
    return b"".join(parts)


# ---- duplicates and faults ----


def _turn(points: np.ndarray[Any, Any], size: int, symmetry: int) -> np.ndarray[Any, Any]:
    row, column = np.divmod(points, size)
    if symmetry & 1:
        row = size - 1 - row
    if symmetry & 2:
        column = size - 1 - column
    if symmetry & 4:
        row, column = column, row
    turned: np.ndarray[Any, Any] = row * size + column
    return turned


def _turned(game: Game, symmetry: int) -> Game:
    branch = game.branch
    if branch is not None:
        branch = branch[0], tuple(_turn(moves, game.size, symmetry) for moves in branch[1])
    return game._replace(
        points=_turn(game.points, game.size, symmetry),
        handicap=_turn(game.handicap, game.size, symmetry),
        branch=branch,
    )


def _recolored(game: Game) -> Game:
    return game._replace(first=1 - game.first)


def _cut(dice: random.Random, game: Game) -> Game:
    count = dice.randint(MIN_CUT, len(game.points) - 5)
    return game._replace(points=game.points[:count], branch=None)


def duplicate(dice: random.Random, game: Game) -> Made:
    """Write a game as another one that is the same: its kind is in the result.

    A game with setup keeps its colors.
    """
    kinds = ["bytes", "text", "header", "turned", "cut"]
    if not len(game.handicap):
        kinds += ["recolored", "turned and recolored"]
    kind = dice.choice(kinds)
    if kind == "text":
        return Made(write(game._replace(folded=not game.folded)), kind)
    if kind == "header":
        head = {ident: game.head[ident] for ident in ("FF", "GM", "SZ", "HA") if ident in game.head}
        return Made(write(game._replace(head=head | {"PB": "?"})), kind)
    if kind == "cut":
        return Made(write(_cut(dice, game)), kind)
    if "turned" in kind:
        game = _turned(game, dice.randint(1, 7))
    if "recolored" in kind:
        game = _recolored(game)
    return Made(write(game), kind)


def fault(dice: random.Random, text: bytes) -> Made:
    """Put a fault into the text of a game; those that change where it ends are alone in a file."""
    middle = text.index(b";", len(text) // 2)
    faults = {
        "not closed": text[:middle],
        "stray": text[:middle] + b"x" + text[middle:],
        "off the board": text[:middle] + b";B[zz]" + text[middle:],
        "occupied": text[:middle] + text[middle : middle + 6] + text[middle:],
        "date": text.replace(b"DT[", b"DT[31.2.", 1),
        "twice": text.replace(b"(;", b"(;PB[Nobody]", 1),
        "bytes": text.replace(b"(;", b"(;GC[caf\xe9]", 1),
        "unknown": text[:middle] + b";QQ[1]" + text[middle:],
    }
    kind = dice.choice(list(faults))
    return Made(faults[kind], f"fault: {kind}")


def games(count: int, *, seed: int = 15, duplicates: bool = True) -> Iterator[Made]:
    """Yield games, the same each time.

    Args:
        count: Their number.
        seed: Another one makes other games.
        duplicates: Some are duplicates, as they say.
    """
    dice = random.Random(seed)  # noqa: S311  # the same each time
    chance = np.random.default_rng(seed)
    sizes = [size for size, share in SIZES.items() for _ in range(share)]
    remembered: list[tuple[int, Game]] = []
    drawn: Iterator[np.ndarray[Any, Any]] = iter(())
    size = 0
    for number in range(count):
        if duplicates and remembered and not dice.randrange(DUPLICATE):
            # of each game one, so that a pair is what was planted
            of, game = remembered.pop(dice.randrange(len(remembered)))
            yield duplicate(dice, game)._replace(of=of)
            continue
        if dice.randrange(CAPTURES):
            points = next(drawn, None)
            if points is None:
                size = dice.choice(sizes)
                drawn = iter(_drawn(chance, size, min(BLOCK, count)))
                points = next(drawn)
            game = _game(dice, number, size, points)
        else:
            game = _game(dice, number, 19, _played(dice, 19, dice.randint(120, MAX_MOVES)))
        if not dice.randrange(FAULT):
            yield fault(dice, write(game))
            continue
        yield Made(write(game))
        if len(remembered) == REMEMBERED:
            remembered.pop(dice.randrange(REMEMBERED))
        remembered.append((number, game))


# ---- files ----


def write_tar(path: Path, count: int, planted: Path | None = None) -> None:
    """Write games into a compressed tar in folders of 1,000: each in a file, some in files of ten.

    Args:
        path: The tar; its suffix says how it is compressed.
        count: The number of games.
        planted: For what is planted, one JSON object a line: the member and number of a game,
            its kind, and the member and number of the game that it is a duplicate of.
    """
    places: list[tuple[str, int]] = []
    lines = []
    mode: Any = f"w:{path.suffix[1:]}"
    source = enumerate(games(count))
    with tarfile.open(path, mode) as tar:
        while block := list(islice(source, 10)):
            is_joined = block[0][0] // 10 % 5 == 0 and not any(
                made.kind.startswith("fault") for _, made in block
            )
            for files in [block] if is_joined else [[one] for one in block]:
                first = files[0][0]
                name = f"games/{first // 1000:03}/{first}{'-10' * is_joined}.sgf"
                content = b"".join([made.text for _, made in files])
                info = tarfile.TarInfo(name)
                info.size, info.mtime = len(content), 1_600_000_000
                tar.addfile(info, io.BytesIO(content))
                for place, (_, made) in enumerate(files):
                    places.append((name, place))
                    if made.kind:
                        of = None if made.of is None else places[made.of]
                        found = {"member": name, "game": place, "kind": made.kind, "of": of}
                        lines.append(json.dumps(found))
    if planted is not None:
        planted.write_text("".join([f"{line}\n" for line in lines]), encoding="utf-8")


def write_file(path: Path, size: int, *, seed: int = 16) -> None:
    """Write games without duplicates and without faults into one file of at least a size."""
    with path.open("wb") as file:
        for made in games(size, seed=seed, duplicates=False):
            if not made.kind:
                file.write(made.text)
                if file.tell() >= size:
                    return


def main() -> None:
    """Write what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.many_games")
    parser.add_argument("--games", type=int, default=100_000, help="of the tar")
    parser.add_argument("--tar", type=Path, help="a tar of games, such as games.tar.bz2")
    parser.add_argument("--planted", type=Path, help="for a list of its duplicates and faults")
    parser.add_argument("--bytes", type=int, default=10**9, help="of the file")
    parser.add_argument("--file", type=Path, help="a file of games")
    chosen = parser.parse_args()
    if chosen.tar:
        write_tar(chosen.tar, chosen.games, chosen.planted)
    if chosen.file:
        write_file(chosen.file, chosen.bytes)


if __name__ == "__main__":
    main()
