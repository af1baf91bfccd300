"""Other programs, if they are there.  Nothing is installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from .costs import Cost, run
from .texts import Records


class AbsentError(Exception):
    """A program is not there; the text says which."""


@cache
def module(name: str) -> Any:
    """A package of Python.

    Raises:
        AbsentError: It is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise AbsentError(f"{name.partition('.')[0]} is not installed") from error


# ---- sgfmill ----


def sgfmill_parse(records: Records) -> Callable[[], object]:
    """To games and nodes with raw values."""
    parse = module("sgfmill.sgf_grammar").parse_sgf_collection
    data = [text.encode() for text in records.texts]
    return lambda: [parse(one) for one in data]


def _sgfmill_games(data: list[bytes]) -> list[Any]:
    parse = module("sgfmill.sgf_grammar").parse_sgf_collection
    made = module("sgfmill.sgf").Sgf_game.from_coarse_game_tree
    return [made(tree) for one in data for tree in parse(one)]


def sgfmill_read(records: Records) -> Callable[[], object]:
    """To typed values of every property."""
    data = [text.encode() for text in records.texts]
    module("sgfmill.sgf")

    def work() -> None:
        for game in _sgfmill_games(data):
            waiting = [game.get_root()]
            while waiting:
                node = waiting.pop()
                for name in node.properties():
                    try:
                        node.get(name)
                    except (ValueError, TypeError):  # how it says that a value is not right
                        continue
                waiting.extend(node)

    return work


def sgfmill_write(records: Records) -> Callable[[], object]:
    """To games, and to text again."""
    data = [text.encode() for text in records.texts]
    module("sgfmill.sgf")
    return lambda: [game.serialise() for game in _sgfmill_games(data)]


# ---- other packages of Python ----


def sgf_parse(records: Records) -> Callable[[], object]:
    """To games and nodes with raw values."""
    parse = module("sgf").parse
    return lambda: [parse(text) for text in records.texts]


def pysgf_parse(records: Records) -> Callable[[], object]:
    """To a tree of nodes; it reads the first game of a text only."""
    parse = module("pysgf").GoGame.parse_sgf
    return lambda: [parse(text) for text in records.texts]


def tree_sitter_parse(records: Records) -> Callable[[], object]:
    """To its tree, none of whose nodes is looked at."""
    core, grammar = module("tree_sitter"), module("tree_sitter_sgf")
    parser = core.Parser(core.Language(grammar.language()))
    data = [text.encode() for text in records.texts]
    return lambda: [parser.parse(one) for one in data]


# ---- other languages ----

#: Reads all files several times, so that what is compiled on the way is; says the last seconds.
SABAKI = """
const sgf = require('@sabaki/sgf'), fs = require('fs')
const texts = JSON.parse(fs.readFileSync(process.argv[1], 'utf-8'))
let used = 0
for (let round = 0; round < 3; round++) {
  const start = process.cpuUsage()
  for (const text of texts) sgf.parse(text)
  const spent = process.cpuUsage(start)
  used = (spent.user + spent.system) / 1e6
}
console.log(used)
"""


def sabaki_parse(file: str) -> Cost:
    """To nodes with raw values; ``file`` is a JSON list of texts."""
    node = shutil.which("node")
    if node is None:
        raise AbsentError("node is not installed")
    try:
        run([node, "-e", "require('@sabaki/sgf')"])
    except RuntimeError as error:
        raise AbsentError("@sabaki/sgf is not where node looks (NODE_PATH)") from error
    return lambda: float(run([node, "-e", SABAKI, file]).output)


def sgfc() -> str:
    """The program SGFC."""
    named = os.environ.get("SGFC", "")
    found = shutil.which(named) if named else None
    if found is None:
        raise AbsentError("SGFC names no program")
    return found
