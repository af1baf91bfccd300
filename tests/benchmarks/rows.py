"""The rows of the table: what is measured, against what, and what the ratio should be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from . import editor
from .jobs import Job, into_archive, limit, over_archive, python, read, sgf_lark
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
        budget: ``≥ 3``: at least three times as cheap; ``≤ 2``: at most twice as dear; the
            sign alone if there is no budget.
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
    def names(self) -> tuple[str, ...]:
        """The first cells of its line: what, against, on, budget."""
        return self.what, self.against, self.on, self.budget if self.has_budget else ""

    @property
    def has_budget(self) -> bool:
        """True if the ratio is to be judged."""
        return len(self.budget) > 1


# ---- sides ----


def on(task: str, texts: str) -> Side:
    """Do ``module.function`` with the texts of an attribute of :class:`Texts`."""
    if task == "sabaki":
        return lambda made: sabaki(getattr(made, texts))
    return lambda made: read(task, getattr(made, texts))


def check(texts: str, jobs: int = 1) -> Side:
    """Check files from the command line."""
    options = ("--format", "concise", "--exit-zero", "--jobs", str(jobs))
    return lambda made: sgf_lark("check", *options, *getattr(made, texts).files)


def over(*arguments: str) -> Side:
    """Run a command over a copy of the archive in two processes, without settings."""
    options = (*arguments, "--isolated", "--quiet", "--jobs", "2")
    return lambda made: over_archive(made.archive.files[0], *options)


def build(texts: str, jobs: int = 1, *options: str) -> Side:
    """Build tables of games and moves of files."""

    def side(made: Texts) -> Job:
        records = getattr(made, texts)
        return into_archive(str(made.folder), *records.files, "--jobs", str(jobs), *options)

    return side


def query(texts: str, command: str, *options: str) -> Side:
    """Ask an archive of tables."""
    return lambda made: sgf_lark("archive", command, *getattr(made, texts).files, *options)


def edited(what: str, texts: str = "largest") -> Side:
    """Do what an editor asks a server for."""
    return lambda made: editor.job(what, getattr(made, texts))


def seconds(number: float) -> Side:
    """Return the cost that the budget names."""
    return lambda _: limit(number)


def grow(texts: Texts) -> Job:
    """Load the text that grows most, and half of it."""
    arguments = ("--worst", "--way", "loads", "--characters", str(2 * texts.size.adversarial))
    return Job(python("-m", f"{__package__}.growth", *arguments), measures=True)


def pydantic(_: Texts) -> Job:
    """Import what every model needs."""
    return Job(python("-c", "import pydantic"))


# ---- rows ----

#: The usual first moves on a board of 19, and when they are played.
QUERY = (
    "select m.point, count(*) as games, avg(m.number) as number from moves m"
    " join games g using (game_id) where m.main and m.number <= 10 and g.columns = 19"
    " group by m.point order by games desc limit 10"
)

#: A pattern of seven by seven points in a corner.
CORNER = str(Path(__file__).with_name("corner.txt"))

# fmt: off
LOAD, READ = "`loads(strict=False)`", "sgfmill: parse, read"
#: Key, what we do, by which function; who else does it, by which; with which texts; budget.
TASKS = (
    ("load", LOAD, "ours.load", READ, "peers.sgfmill_read", "every", "≥ 4"),
    ("judge", "the same, `diagnostics`", "ours.load_and_judge",
     READ, "peers.sgfmill_read", "every", "≥ 1.5"),
    ("judge", "strict load of files without errors", "ours.load_strictly",
     READ, "peers.sgfmill_read", "sound", "≥ 1.5"),
    ("read", "the same, `node[ident]` of every property", "ours.load_and_ask",
     READ, "peers.sgfmill_read", "every", "≥ 2"),
    ("read", "the same, `values` of every property", "ours.load_and_read",
     READ, "peers.sgfmill_read", "every", "≥ 1.5"),
    ("moves", "the same, `game.moves`", "ours.load_and_move",
     "sgfmill: parse, moves", "peers.sgfmill_move", "every", "≥ 3"),
    ("write", "the same, `dumps`", "ours.load_and_write",
     "sgfmill: parse, write", "peers.sgfmill_write", "every", "≥ 3"),
    ("structure", "`validate=False`", "ours.structure",
     "sgfmill: parse", "peers.sgfmill_parse", "every", "≥ 1.8"),
    ("structure", "`validate=False`", "ours.structure",
     "bare `re.finditer`", "ours.find_nodes", "every", "≤ 3"),
    ("structure", "`validate=False`", "ours.structure", "@sabaki/sgf", "sabaki", "real", "≥ 2"),
    ("structure", "`validate=False`", "ours.structure",
     "tree-sitter-sgf", "peers.tree_sitter_parse", "real", "≥ 1"),
    ("load", LOAD, "ours.load", READ, "peers.sgfmill_read", "tiny", "≥ 1"),
    ("load", LOAD, "ours.load", READ, "peers.sgfmill_read", "tree", "≥ 3.2"),
)

#: The words for the texts.
TEXTS = {
    "every": "all SGF files of the folder",
    "sound": "those without errors",
    "real": "real files of Go in FF[4] without a fault of syntax",
    "tiny": "files below 1 kB",
    "tree": "50,000 nodes, half of them variations",
}

#: Key, what, against, with which texts; budget; the two sides; what counts.
OTHERS: tuple[tuple[Any, ...], ...] = (
    ("fault", "`diagnostics`, with message, place and fix", "the same files without it",
     "games of 300 moves, a fault in each",
     "≤ 2", on("ours.judge_and_look", "faulty"), on("ours.judge_and_look", "faultless")),
    ("fault", "`diagnostics`, with message, place and fix", "the same files without it",
     "files below 1 kB, a fault in each",
     "≤ 4", on("ours.judge_and_look", "small_faulty"),
     on("ours.judge_and_look", "small_faultless")),
    ("sente", LOAD, "sente", "all SGF files of the folder that both read",
     "≥ 1", on("ours.load", "of_sente"), lambda texts: sente(texts.of_sente, "load")),
    ("sente", "the same, `game.moves`", "sente", "all SGF files of the folder that both read",
     "≥ 0.4", on("ours.load_and_move", "of_sente"), lambda texts: sente(texts.of_sente, "moves")),
    ("memory", "peak memory of load", "sgfmill: parse", "real files as one",
     "≤ 0.3", on("ours.load", "joined"), on("peers.sgfmill_parse", "joined"), "memory"),
    ("memory", "peak memory of load", "sgfmill: parse", "one generated file",
     "≤ 0.3", on("ours.load", "generated"), on("peers.sgfmill_parse", "generated"), "memory"),
    ("ggf", "load GGF", "the same games in FF[4]", "real games",
     "≤ 1.5", on("ours.load", "ggf"), on("ours.load", "ggf_as_sgf")),
    ("boards", "moves of Go played", "sgfmill: `boards.Board`", "real games of 100 moves or more",
     "≥ 3", on("ours.play", "moves"), on("peers.sgfmill_play", "moves")),
    ("boards", "moves of Go played, all legal ones listed after each", "moves of Go played",
     "real games of 100 moves or more",
     "≤ 20", on("ours.play_and_list", "moves"), on("ours.play", "moves")),
    ("arrays", "`game.planes()`, 17 planes before each move", "sgfmill and numpy by hand",
     "real files of Go in FF[4] without a fault of syntax",
     "≥ 2", on("ours.planes", "real"), on("peers.sgfmill_planes", "real")),
    ("arrays", "`archive.examples(jobs=2)`, on the clock", "one process",
     "tables of 1,000,000 moves",
     "≤ 0.6", on("ours.stream_in_two", "tables_of_moves"), on("ours.stream", "tables_of_moves"),
     "elapsed"),
    ("arrays", "`archive.examples`, each of two processes with its `split`, CPU time",
     "one process", "tables of 1,000,000 moves",
     "≤ 0.6", on("ours.stream_half", "tables_of_moves"), on("ours.stream", "tables_of_moves")),
    ("memory", "peak memory of `archive.examples`", "a quarter of the games",
     "tables of 1,000,000 moves",
     "≤ 1.2", on("ours.stream", "tables_of_moves"), on("ours.stream", "tables_of_quarter"),
     "memory"),
    ("boards", "positions of the main line", "its moves played", "one game of 300 moves",
     "≤ 2", on("ours.go_through", "line"), on("ours.play_only", "line")),
    ("pictures", "a board of 19 by 19 as SVG", "5 ms of processor time",
     "real games of 100 moves or more",
     "≤ 1", on("ours.draw", "moves"), on("ours.wait", "moves")),
    ("growth", "load twice the text", "load", "the worst adversarial texts",
     "≤ 2.2", grow, grow, "twice", "once"),
    ("jobs", "check, two processes, on the clock", "one process", "1,500 files",
     "≤ 0.6", check("files", 2), check("files"), "elapsed"),
    ("jobs", "check, two processes, on the clock", "one process", "one huge file",
     "≤ 0.6", check("huge", 2), check("huge"), "elapsed"),
    ("archive", "fmt, two processes, CPU time", "check", "15,000 files",
     "≤ 1.5", over("fmt"), over("check"), "process"),
    ("archive", "fmt, two processes, on the clock", "check", "15,000 files",
     "≤ 1.5", over("fmt"), over("check"), "elapsed"),
    ("archive", "convert to FF[4], two processes, CPU time", "check", "15,000 files",
     "≤ 1.5", over("convert", "--to", "ff4", "-o", "out"), over("check"), "process"),
    ("archive", "convert to FF[4], two processes, on the clock", "check", "15,000 files",
     "≤ 1.5", over("convert", "--to", "ff4", "-o", "out"), over("check"), "elapsed"),
    *(
        ("tables", f"archive build: games and moves, {jobs}, {clock}", "check", texts,
         "≤ 1.5", build(name, number), check(name, number), measure)
        for texts, name in (("the folder of real files", "folder_of_all"),
                            ("a zip of real files", "zipped"))
        for jobs, number in (("one process", 1), ("two processes", 2))
        for clock, measure in (("CPU time", "process"), ("on the clock", "elapsed"))
    ),
    ("tables", "archive build, two processes, on the clock", "one process",
     "1,500 files and a huge one of GGF",
     "≤ 0.6", build("uneven", 2), build("uneven"), "elapsed"),
    ("tables", "archive build, Dask with two workers on loopback, on the clock", "two processes",
     "1,500 files and a huge one of GGF",
     "≤ 1.25", build("uneven", 2, "--engine", "dask"), build("uneven", 2), "elapsed"),
    ("tables", "archive dupes, symmetries and colors, CPU time", "5 seconds",
     "tables of 100,000 games",
     "≤ 1", query("tables_of_many", "dupes", "--limit", "1"), seconds(5), "process"),
    ("tables", "archive openings to depth 20, on the clock", "3 seconds",
     "tables of 100,000 games",
     "≤ 1", query("tables_of_many", "openings", "--moves", "20", "--min-games", "2"), seconds(3),
     "elapsed"),
    ("tables", "archive find, a corner of 7 by 7, CPU time", "2 seconds",
     "tables of 100,000 games",
     "≤ 1", query("tables_of_many", "find", CORNER, "--limit", "1"), seconds(2), "process"),
    ("tables", "archive sql, the complete process, on the clock", "a second",
     "tables of 1,000,000 moves",
     "≤ 1", query("tables_of_moves", "sql", QUERY), seconds(1), "elapsed"),
    ("sgfc", "check, one process", "SGFC", "one huge file of clean games",
     "≤ 1.5", check("clean"), lambda texts: sgfc(texts.clean.files), "process"),
    ("sgfc", "check, one process", "SGFC", "1,500 files",
     "≤ 0.7", check("files"), lambda texts: sgfc(texts.files), "process"),
    *(
        ("server", f"server: {what}", f"{1000 * limit:.0f} ms of processor time", text,
         "≤ 1", edited(method), seconds(limit), "cold", "process")
        for what, method, limit, text in (
            ("hover, with the board", "hover", 0.05, "the largest real file"),
            ("completion of a move", "completion", 0.05, "the largest real file"),
            ("hints of 60 lines", "inlayHint", 0.05, "the largest real file"),
            ("an edit, without the check", "edit", 0.02, "the largest real file, on one line"))
    ),
    ("server", "server: start to first diagnostics", "import of pygls, and check",
     "the largest real file", "≤ 1.3", edited("start"), edited("imports"), "process"),
    ("server", "server: start to first diagnostics", "import of pygls, and check", "a file",
     "≤ 1.3", edited("start", "one"), edited("imports", "one"), "process"),
    ("start", "`sgf-lark check`", "`import pydantic`", "",
     "≤ 3", check("one"), pydantic, "process"),
    ("start", "`sgf-lark --help`", "`import pydantic`", "",
     "≤ 1.5", lambda _: sgf_lark("--help"), pydantic, "process"),
    ("start", "`sgf-lark --version`", "`import pydantic`", "",
     "≤ 0.5", lambda _: sgf_lark("--version"), pydantic, "process"),
)
# fmt: on


def rows() -> Iterator[Row]:
    """Every row of the table."""
    for key, what, ours, against, theirs, texts, budget in TASKS:
        yield Row(key, what, against, TEXTS[texts], budget, on(ours, texts), on(theirs, texts))
    for other in OTHERS:
        yield Row(*other)
