"""The rows of the table: what is measured, against what, and what the ratio should be."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from .jobs import Job, python, read, sgf_lark
from .peers import sabaki, sente, sgfc
from .texts import Texts

#: Makes a job when its row is to be measured.
Side: TypeAlias = Callable[[Texts], Job]


class Row(NamedTuple):
    """A ratio of two costs.

    Attributes:
        key: By what it is chosen (``--only``).
        what: What we do.
        against: Who else does it, or what else is done.
        on: With which texts; rows are measured together if this is equal up to a comma.
        budget: ``≥ 3``: at least three times as cheap; ``≤ 2``: at most twice as dear.
        ours, theirs: The two sides.
        measure: The cost that counts: a name in the result of a job.
        base: That of the other side, if it is another one.
    """

    key: str
    what: str
    against: str
    on: str
    budget: str
    ours: Side
    theirs: Side
    measure: str = "cold"
    base: str | None = None

    def ratio(self, ours: dict[str, float], theirs: dict[str, float]) -> float:
        """Return their cost for one of ours, or for ``≤`` our cost for one of theirs."""
        costs = theirs[self.base or self.measure], ours[self.measure]
        above, below = costs[::-1] if self.budget.startswith("≤") else costs
        return above / max(below, 1e-9)

    def is_met(self, ratio: float) -> bool:
        """Return True if a ratio keeps the budget."""
        limit = float(self.budget[2:])
        return ratio >= limit if self.budget.startswith("≥") else ratio <= limit

    @property
    def names(self) -> tuple[str, str, str, str]:
        """The first cells of its line: what, against, on, budget."""
        return self.what, self.against, self.on, self.budget


# ---- sides ----


def each(steps: str, texts: str) -> Side:
    """Take steps with each file of an attribute of :class:`Texts`."""
    return lambda made: read("each", steps, getattr(made, texts))


def all_first(steps: str, texts: str) -> Side:
    """Take each step with all files before the next step."""
    return lambda made: read("all", steps, getattr(made, texts))


def check(texts: str, jobs: int = 1) -> Side:
    """Check files from the command line."""
    options = ("--format", "concise", "--exit-zero", "--jobs", str(jobs))
    return lambda made: sgf_lark("check", *options, *getattr(made, texts).files)


def build(texts: str, jobs: int = 1) -> Side:
    """Build tables of games and moves of files."""
    options = ("-o", "out", "--jobs", str(jobs))
    return lambda made: sgf_lark("archive", "build", *getattr(made, texts).files, *options)


def grow(texts: Texts) -> Job:
    """Check the texts that nobody would write, and half of each."""
    arguments = ("--characters", str(texts.size.adversarial))
    return Job(python("-m", "tests.benchmarks.growth", *arguments), measures=True)


def ten_seconds(_: Texts) -> Job:
    """Return the cost that a budget names."""
    return Job(python("-c", "print('{\"dearest\": 10}')"), measures=True)


def pydantic(_: Texts) -> Job:
    """Import what every model needs."""
    return Job(python("-c", "import pydantic"))


def first_load(_: Texts) -> Job:
    """Load a game in a new process."""
    return Job(python("-c", "import sgf_lark; sgf_lark.loads('(;FF[4]GM[1]SZ[9];B[aa])')"))


# ---- rows ----

LOAD, STRUCTURE, PARSE = "`loads(strict=False)`", "`validate=False`", "peers.sgfmill_parse"
GAMES, READ = "peers.sgfmill_games", "peers.sgfmill_games peers.sgfmill_read"
MOVE, WRITE = "peers.sgfmill_games peers.sgfmill_move", "peers.sgfmill_games peers.sgfmill_write"
FAULT, LOOK = "`diagnostics`, with message, place and fix", "ours.judge_and_look"
TWO, CLOCK = "two processes, on the clock", "elapsed"

#: What the texts of an attribute of :class:`Texts` are.
ON = {
    "every": "all SGF files of the folder",
    "sound": "those without errors",
    "real": "real files of Go in FF[4] without a fault of syntax",
    "tiny": "files below 1 kB",
    "tree": "50,000 nodes, half of them variations",
    "of_sente": "all SGF files of the folder that both read",
    "moves": "real games of 100 moves or more",
    "examples": "tables of 1,000,000 moves",
    "folder_of_all": "the folder of real files",
}


def reading(
    key: str,
    what: str,
    ours: str,
    against: str,
    theirs: str,
    texts: str,
    budget: str,
    side: Callable[[str, str], Side] = each,
) -> Row:
    """Return a row of steps with files."""
    return Row(key, what, against, ON[texts], budget, side(ours, texts), side(theirs, texts))


# fmt: off
ROWS = (
    reading("load", LOAD, "ours.load", "sgfmill: parse, read", READ, "every", "≥ 5"),
    reading("judge", "the same, `diagnostics`", "ours.load ours.judge",
            "sgfmill: parse, read", READ, "every", "≥ 1.1"),
    reading("judge", "strict load of files without errors", "ours.load_strictly",
            "sgfmill: parse, read", READ, "sound", "≥ 1.5"),
    reading("read", "the same, `node[ident]` of every property", "ours.load ours.ask",
            "sgfmill: parse, read", READ, "every", "≥ 1.4"),
    reading("read", "the same, `values` of every property", "ours.load ours.read",
            "sgfmill: parse, read", READ, "every", "≥ 1.1"),
    reading("moves", "the same, `game.moves`", "ours.load ours.move",
            "sgfmill: parse, moves", MOVE, "every", "≥ 1.8"),
    reading("write", "the same, `dumps`", "ours.load ours.write",
            "sgfmill: parse, write", WRITE, "every", "≥ 3.2"),
    reading("first", "all loaded first, then `game.moves`", "ours.load ours.move",
            "sgfmill: parse, moves", MOVE, "every", "≥ 1.4", all_first),
    reading("first", "all loaded first, then `node[ident]`", "ours.load ours.ask",
            "sgfmill: parse, read", READ, "every", "≥ 1.25", all_first),
    reading("first", "all loaded first, then `diagnostics`", "ours.load ours.judge",
            "sgfmill: parse, read", READ, "every", "≥ 0.95", all_first),
    reading("structure", STRUCTURE, "ours.structure", "sgfmill: parse", PARSE, "every", "≥ 1.5"),
    reading("structure", STRUCTURE, "ours.structure",
            "bare `re.finditer`", "ours.find_nodes", "every", "≤ 3"),
    Row("structure", STRUCTURE, "@sabaki/sgf", ON["real"], "≥ 2",
        each("ours.structure", "real"), lambda texts: sabaki(texts.real)),
    reading("structure", STRUCTURE, "ours.structure",
            "tree-sitter-sgf", "peers.tree_sitter_parse", "real", "≥ 1"),
    reading("load", LOAD, "ours.load", "sgfmill: parse, read", READ, "tiny", "≥ 1"),
    reading("load", LOAD, "ours.load", "sgfmill: parse, read", READ, "tree", "≥ 3"),
    Row("fault", FAULT, "the same files without it", "games of 300 moves, a fault in each",
        "≤ 2", each(LOOK, "faulty"), each(LOOK, "faultless")),
    Row("fault", FAULT, "the same files without it", "files below 1 kB, a fault in each",
        "≤ 4", each(LOOK, "small_faulty"), each(LOOK, "small_faultless")),
    Row("sente", LOAD, "sente", ON["of_sente"], "≥ 0.75",
        each("ours.load", "of_sente"), lambda texts: sente(texts.of_sente, "load")),
    Row("sente", "the same, `game.moves`", "sente", ON["of_sente"], "≥ 0.45",
        each("ours.load ours.move", "of_sente"), lambda texts: sente(texts.of_sente, "moves")),
    Row("memory", "peak memory of load", "sgfmill: parse", "real files as one", "≤ 0.3",
        each("ours.load", "joined"), each(PARSE, "joined"), "memory"),
    Row("memory", "peak memory of load", "sgfmill: parse", "one generated file", "≤ 0.3",
        each("ours.load", "generated"), each(PARSE, "generated"), "memory"),
    reading("boards", "moves of Go played", "ours.play",
            "sgfmill: `boards.Board`", "peers.sgfmill_play", "moves", "≥ 4"),
    reading("arrays", "`game.planes()`, 17 planes before each move", "ours.planes",
            "sgfmill and numpy by hand", f"{GAMES} peers.sgfmill_planes", "real", "≥ 2"),
    Row("arrays", f"`archive.examples`, {TWO}", "one process", ON["examples"], "≤ 0.6",
        each("ours.stream_in_two", "examples"), each("ours.stream", "examples"), CLOCK),
    Row("growth", "check twice the text", "check", "the worst adversarial text", "≤ 2.2",
        grow, grow, "twice", "once"),
    Row("growth", "check a megabyte", "10 seconds of processor time",
        "the worst adversarial text", "≤ 1", grow, ten_seconds, "dearest"),
    Row("jobs", f"check, {TWO}", "one process", "1,500 files", "≤ 0.6",
        check("files", 2), check("files"), CLOCK),
    Row("jobs", f"check, {TWO}", "one process", "one huge file", "≤ 0.6",
        check("huge", 2), check("huge"), CLOCK),
    Row("tables", "archive build: games and moves, CPU time", "check", ON["folder_of_all"],
        "≤ 1.5", build("folder_of_all"), check("folder_of_all"), "process"),
    Row("tables", f"archive build: games and moves, {TWO}", "one process",
        "1,500 files and a huge one", "≤ 0.6", build("uneven", 2), build("uneven"), CLOCK),
    Row("sgfc", "check, one process", "SGFC", "one huge file of clean games", "≤ 1.8",
        check("clean"), lambda texts: sgfc(texts.clean), "process"),
    Row("sgfc", "check, one process", "SGFC", "1,500 files", "≤ 1.5",
        check("files"), lambda texts: sgfc(texts.files), "process"),
    Row("start", "`sgf-lark check`", "`import pydantic`", "a new process", "≤ 3.2",
        check("one"), pydantic, "process"),
    Row("start", "first `loads`", "`import pydantic`", "a new process", "≤ 2.1",
        first_load, pydantic, "process"),
    Row("start", "`sgf-lark --help`", "`import pydantic`", "a new process", "≤ 1.2",
        lambda _: sgf_lark("--help"), pydantic, "process"),
    Row("start", "`sgf-lark --version`", "`import pydantic`", "a new process", "≤ 0.4",
        lambda _: sgf_lark("--version"), pydantic, "process"),
)
# fmt: on

#: The head of the table.
HEAD = "| what | against | on | budget | ratio | met |\n|---|---|---|---|---|---|\n"
