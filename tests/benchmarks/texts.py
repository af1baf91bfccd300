"""Game records to measure with: generated ones, the same each time, and real ones."""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path
from typing import NamedTuple

import sgf_lark

#: The folder of real records, as for the tests.
VARIABLE = "SGF_LARK_CORPUS"

LETTERS = "abcdefghijklmnopqrs"
WORDS = (
    *("white", "black", "tenuki", "joseki", "hane", "atari", "sente", "gote", "ko"),
    *("(maybe)", "good:", "\\]", "\\\\", "ladder", "定石"),
)


class Records(NamedTuple):
    """Texts of whole files of Go, FF[4], that every program compared accepts.

    Attributes:
        name: What they are.
        texts: The files.
    """

    name: str
    texts: list[str]


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
    """One game of so many short variations, in one another and side by side."""
    dice = random.Random(count)  # noqa: S311
    parts, depth = ["(;FF[4]GM[1]SZ[19]\n"], 0
    for _ in range(count):
        parts.append(f"(;{'BW'[depth % 2]}[{_point(dice)}]")
        if dice.random() < 0.1:
            parts.append(_comment(dice))
        depth += 1
        while depth and dice.random() < 0.5:
            parts.append(")\n")
            depth -= 1
    return "".join(parts) + ")" * (depth + 1)


@cache
def generated(count: int) -> Records:
    """So many games in one file."""
    return Records("generated games", ["".join(map(game, range(count)))])


@cache
def large(count: int) -> Records:
    """One game of so many variations."""
    return Records("one large tree", [tree(count)])


def is_go(text: str) -> bool:
    """Nothing but games of Go in FF[4], without an error, on a square board."""
    collection = sgf_lark.loads(text, strict=False)
    return (
        all(one.severity != "error" for one in collection.diagnostics)
        and bool(collection.games)
        and all(one.format == "FF4" and one.game == 1 for one in collection)
        and all(
            one.size is not None and one.size.columns == one.size.rows <= 26 for one in collection
        )
    )


@cache
def real(count: int) -> Records | None:
    """The records of Go in the corpus, so many of them; None without a corpus."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        return None
    files = sorted(one for one in Path(folder).glob("*/**/*.sgf") if one.is_file())
    texts: list[str] = []
    for file in files:
        try:
            text = file.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        if is_go(text):
            texts.append(text)
        if len(texts) == count:
            break
    return Records(f"{len(texts)} real files", texts)
