"""The budgets: what is measured, against what, and what the ratio should be."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from lark import Transformer

import sgf_lark
from sgf_lark.engine.actions import Actions
from sgf_lark.engine.parser import Parser
from sgf_lark.grammar import loader as grammars

from . import peers, texts
from .costs import Cost, peak, process_elapsed, process_seconds, python, seconds
from .families import DENSE, FLAT
from .texts import Records


class Size(NamedTuple):
    """How much is measured.

    Attributes:
        games: Generated games in one file.
        variations: Of one large game.
        files: Real files, and files that are checked one by one.
        adversarial: Characters of a text of malice, the shorter one.
        archive: Characters of a file that is to be read in little memory.
    """

    games: int
    variations: int
    files: int
    adversarial: int
    archive: int


SIZES = {
    "small": Size(games=2, variations=50, files=3, adversarial=100, archive=20_000),
    "full": Size(games=200, variations=20_000, files=500, adversarial=50_000, archive=10_000_000),
    "huge": Size(games=400, variations=200_000, files=1_500, adversarial=4_000_000, archive=10**8),
}


class Budget(NamedTuple):
    """A ratio that is to be kept.

    Attributes:
        key: By what it is chosen (``--only``).
        what: What we do.
        against: Who else does it, or what else is done.
        on: With which texts.
        limit: The ratio; None if there is no budget, only curiosity.
        at_least: Whether we are to be so many times as cheap; if not, at most so many times
            as dear.
        costs: Gives what we cost, and what the other side does.
    """

    key: str
    what: str
    against: str
    on: str
    limit: float | None
    at_least: bool
    costs: Callable[[], tuple[Cost, Cost]]

    def ratio(self, ours: float, theirs: float) -> float:
        above, below = (theirs, ours) if self.at_least else (ours, theirs)
        return above / max(below, 1e-9)

    def is_met(self, ratio: float) -> bool:
        if self.limit is None:
            return True
        return ratio >= self.limit if self.at_least else ratio <= self.limit


# ---- our side ----

#: What somebody does with texts.
Side: TypeAlias = Callable[[Records], Callable[[], object]]


class Plain(Transformer[Any, Any]):
    """Games as nested lists of nodes, nodes as lists of names and raw values."""

    def property(self, children: list[Any]) -> tuple[str, list[str]]:
        name, *values = children
        return str(name), [value[1:-1] for value in values]

    def node(self, children: list[Any]) -> list[Any]:
        return children

    sequence = game_tree = collection = node


def parser(start: str) -> Parser:
    """The generated engine for a rule of FF[4]."""
    found = grammars.generated(grammars.path("ff4"), start)
    assert found is not None
    return found


def parse(records: Records) -> Callable[[], object]:
    """To games, nodes, and names and raw values."""
    collection, plain = parser("collection"), Plain()
    return lambda: [collection.parse(text, plain) for text in records.texts]


def parse_nesting(records: Records) -> Callable[[], object]:
    """To games and nodes; a node is its text, of which the values are cut when they are wanted."""
    collection = parser("collection")
    table = collection.plan.table
    if table is None:
        return parse(records)

    def work() -> None:
        for text in records.texts:
            run = Actions(collection.plan, Plain(), deferred="node")
            assert table.read(table.cut(text, 0, len(text)), 0, run)

    return work


def load(records: Records) -> Callable[[], object]:
    """Typed, validated, all findings known."""

    def work() -> None:
        for text in records.texts:
            assert sgf_lark.loads(text, strict=False).diagnostics is not None

    return work


def load_and_read(records: Records) -> Callable[[], object]:
    """Every value of every node."""

    def work() -> None:
        for text in records.texts:
            for game in sgf_lark.loads(text, strict=False):
                for node in game.walk():
                    for name in node:
                        node[name]

    return work


def load_and_write(records: Records) -> Callable[[], object]:
    """To text again."""
    return lambda: [sgf_lark.dumps(sgf_lark.loads(text, strict=False)) for text in records.texts]


def find_nodes(records: Records) -> Callable[[], object]:
    """Nothing but the regular expression of a node, over the whole text."""
    node = parser("node").plan.regular["node"]
    return lambda: [re.findall(node, text) for text in records.texts]


# ---- what needs more than two functions ----


def with_faults(records: Records) -> Records:
    """The same with one fault in the middle: a letter where none may be."""
    (text,) = records.texts
    place = text.index(";", len(text) // 2)
    return Records("one fault", [f"{text[:place]};x{text[place:]}"])


def clean_and_faulty(records: Records) -> tuple[Cost, Cost]:
    return seconds(load(with_faults(records))), seconds(load(records))


def checked(text: str) -> Callable[[], object]:
    """All that is found in a text, and all that stands in it."""
    return lambda: sgf_lark.loads(text, strict=False).diagnostics


def slowest_growth(characters: int) -> tuple[Cost, Cost]:
    """The text of malice that grows most: its time, twice as long, and its time."""
    growths: dict[str, tuple[float, Cost, Cost]] = {}
    for name, family in {**FLAT, **DENSE}.items():
        pieces = max(1, characters // max(1, len(family(1_000)) // 1_000))
        once, twice = (seconds(checked(family(count))) for count in (pieces, 2 * pieces))
        growths[name] = min(twice() for _ in range(2)) / min(once() for _ in range(2)), twice, once
    name = max(growths, key=lambda one: growths[one][0])
    sys.stderr.write(f"most growth: {name}\n")
    return growths[name][1:]


#: What a fresh process does with the file that it is told.
READ = "data = open(sys.argv[1], 'rb').read()"
OURS = (
    f"{READ}\nimport sgf_lark; sgf_lark.loads(b'(;FF[4];B[aa])')",
    "kept = sgf_lark.loads(data)",
)
THEIRS = (
    f"{READ}\nfrom sgfmill import sgf_grammar",
    "kept = sgf_grammar.parse_sgf_collection(data)",
)
ONE_BY_ONE = "for game in sgf_lark.iter_games(open(sys.argv[1], 'rb')): pass"


def written(folder: Path, name: str, text: str) -> str:
    """The path of a file with a text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def memory(folder: Path, count: int) -> tuple[Cost, Cost]:
    file = written(folder, "games.sgf", texts.generated(count).texts[0])
    peers.module("sgfmill")
    return peak(*OURS, file), peak(*THEIRS, file)


def memory_of_an_archive(folder: Path, size: Size) -> tuple[Cost, Cost]:
    """Game by game; the other side loads a tenth of it, and counts ten times."""
    text = texts.generated(size.games).texts[0]
    times = math.ceil(size.archive / len(text))
    file = written(folder, "archive.sgf", text * times)
    part = written(folder, "part.sgf", text * max(1, times // 10))
    peers.module("sgfmill")
    theirs = peak(*THEIRS, part)
    ours = peak("import sgf_lark; sgf_lark.loads(b'(;FF[4];B[aa])')", ONE_BY_ONE, file)
    return ours, lambda: theirs() * 10


def small_files(folder: Path, count: int) -> list[str]:
    games = folder / "games"
    games.mkdir(exist_ok=True)
    return [written(games, f"{number}.sgf", texts.game(number)) for number in range(count)]


def check(*arguments: str) -> list[str]:
    return python("-m", "sgf_lark", "check", "--format", "concise", "--exit-zero", *arguments)


def check_and_sgfc(folder: Path, count: int) -> tuple[Cost, Cost]:
    program = peers.sgfc()
    files = small_files(folder, count)
    each = [process_seconds([program, file], any_code=True) for file in files]
    ours = process_seconds(check("--jobs", "1", str(folder / "games")))
    return ours, lambda: sum(one() for one in each)


def one_job_and_two(folder: Path, count: int) -> tuple[Cost, Cost]:
    small_files(folder, count)
    place = str(folder / "games")
    return process_elapsed(check("--jobs", "2", place)), process_elapsed(
        check("--jobs", "1", place)
    )


def parse_and_sabaki(folder: Path, records: Records) -> tuple[Cost, Cost]:
    file = written(folder, "texts.json", json.dumps(records.texts))
    return seconds(parse_nesting(records)), peers.sabaki_parse(file)


def start(*arguments: str) -> tuple[Cost, Cost]:
    """A command, against the import of pydantic."""
    return (
        process_seconds(python("-m", "sgf_lark", *arguments)),
        process_seconds(python("-c", "import pydantic")),
    )


# ---- all of them ----

STRUCTURE = "structure: games and nodes as texts"
VALUES = "structure, nodes cut into values"
LOAD = "load: typed, validated"
START = "`import pydantic`"


def on_texts(records: Records, folder: Path) -> Iterator[Budget]:
    """What is done with the same texts by us and by others."""

    def against(
        key: str, what: str, whom: str, limit: float | None, ours: Side, theirs: Side
    ) -> Budget:
        def costs() -> tuple[Cost, Cost]:
            return seconds(ours(records)), seconds(theirs(records))

        return Budget(key, what, whom, records.name, limit, theirs is not find_nodes, costs)

    yield against("structure", STRUCTURE, "sgfmill: parse", 4.0, parse_nesting, peers.sgfmill_parse)
    yield Budget(
        *("structure", STRUCTURE, "@sabaki/sgf", records.name, 2.0, True),
        lambda: parse_and_sabaki(folder, records),
    )
    yield against(
        "structure", STRUCTURE, "tree-sitter-sgf", 1.0, parse_nesting, peers.tree_sitter_parse
    )
    yield against("values", VALUES, "sgf", None, parse, peers.sgf_parse)
    yield against("values", VALUES, "sgfmill: parse", None, parse, peers.sgfmill_parse)
    yield against(
        "findall", STRUCTURE, "bare `re.findall` of nodes", 1.5, parse_nesting, find_nodes
    )
    yield against("load", LOAD, "sgfmill: parse, read", 3.0, load, peers.sgfmill_read)
    yield against(
        "read",
        "load, read every value",
        "sgfmill: parse, read",
        2.0,
        load_and_read,
        peers.sgfmill_read,
    )
    yield against(
        "write", "load, write", "sgfmill: parse, write", 4.0, load_and_write, peers.sgfmill_write
    )


def budgets(size: Size, folder: Path) -> Iterator[Budget]:
    """Every budget; what it needs is made when its costs are asked for.

    Args:
        size: How much to measure.
        folder: For files.
    """
    games = texts.generated(size.games)
    single = Records("games one by one", [texts.game(number) for number in range(size.games)])
    yield from on_texts(games, folder)
    real = texts.real(size.files)
    if real is not None:
        yield from on_texts(real, folder)
    yield from on_texts(texts.large(size.variations), folder)
    yield Budget(
        *("values", VALUES, "pysgf", single.name, None, True),
        lambda: (seconds(parse(single)), seconds(peers.pysgf_parse(single))),
    )
    yield Budget(
        *("fault", LOAD + ", one fault", "without the fault", games.name, 2.0, False),
        lambda: clean_and_faulty(games),
    )
    yield Budget(
        *("adversarial", LOAD + ", worst text", "half of it", "adversarial texts", 2.2, False),
        lambda: slowest_growth(size.adversarial),
    )
    yield Budget(
        *("memory", "peak memory of load", "sgfmill: parse", games.name, 0.5, False),
        lambda: memory(folder, size.games),
    )
    yield Budget(
        *("memory", "peak memory of iter_games", "sgfmill: parse", "an archive", 0.5, False),
        lambda: memory_of_an_archive(folder, size),
    )
    files = f"{size.files} files"
    yield Budget(
        *("many", "check, one process", "SGFC", files, 4.0, False),
        lambda: check_and_sgfc(folder, size.files),
    )
    yield Budget(
        *("many", "check, two processes, on the clock", "one process", files, 0.7, False),
        lambda: one_job_and_two(folder, size.files),
    )
    yield Budget(
        *("start", "`sgf-lark --version`", START, "", 1.5, False), lambda: start("--version")
    )
    yield Budget(*("start", "`sgf-lark --help`", START, "", 1.5, False), lambda: start("--help"))
    one = written(folder, "one.sgf", texts.game(0))
    yield Budget(
        *("start", "`sgf-lark check`", START, "one file", 2.5, False),
        lambda: start("check", "--exit-zero", one),
    )
