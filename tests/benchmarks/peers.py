"""Other programs, if they are there; nothing is installed.  Steps as those of :mod:`.ours`."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from .jobs import Job, Records, program

# ---- sgfmill ----


def sgfmill_parse(path: str) -> list[Any]:
    """To games and nodes with raw values; to none if that raises."""
    from sgfmill import sgf_grammar

    try:
        trees: list[Any] = sgf_grammar.parse_sgf_collection(Path(path).read_bytes())
    except ValueError:
        return []
    return trees


def sgfmill_games(path: str) -> list[Any]:
    """To games of nodes whose properties can be asked for."""
    from sgfmill import sgf

    games = []
    for tree in sgfmill_parse(path):
        try:
            games.append(sgf.Sgf_game.from_coarse_game_tree(tree))
        except (ValueError, LookupError):
            continue
    return games


def sgfmill_read(games: list[Any]) -> None:
    """To typed values of every property."""
    for game in games:
        waiting = [game.get_root()]
        while waiting:
            node = waiting.pop()
            for name in node.properties():
                try:
                    node.get(name)
                except (ValueError, TypeError, LookupError):  # how it says that a value is wrong
                    continue
            waiting.extend(node)


def sgfmill_move(games: list[Any]) -> list[Any]:
    """The moves of the main line of each game."""
    moves = []
    for game in games:
        for node in game.get_main_sequence():
            try:
                moves.append(node.get_move())
            except (ValueError, LookupError):
                continue
    return moves


def sgfmill_write(games: list[Any]) -> list[bytes]:
    """To text again."""
    written = []
    for game in games:
        try:
            written.append(game.serialise())
        except (ValueError, LookupError):
            continue
    return written


def sgfmill_play(path: str) -> int:
    """Play the moves of a file of :attr:`.texts.Texts.moves`."""
    from sgfmill.boards import Board

    board, stones = Board(19), 0
    color, other = "b", "w"
    for cell in Path(path).read_bytes().split():
        board.play(*divmod(int(cell), 19), color)
        color, other = other, color
        stones += 1
    return stones


def sgfmill_planes(games: list[Any]) -> list[Any]:
    """Planes, players and moves of the main line of each game, as one writes it by hand."""
    found = []
    for game in games:
        with suppress(ValueError, LookupError):
            found.append(np_examples(game))
    return found


def np_examples(game: Any) -> tuple[Any, Any, Any]:
    """The planes of AlphaGo Zero before each move of a game."""
    import numpy as np
    from sgfmill import sgf_moves

    board, moves = sgf_moves.get_setup_and_moves(game)
    side = board.side
    history = [np.zeros((2, side, side), np.int8)] * 7 + [stones_of(board)]
    planes, players, points = [], [], []
    for color, point in moves:
        own = int(color == "w")
        example = np.empty((17, side, side), np.int8)
        for back in range(8):
            example[2 * back] = history[-1 - back][own]
            example[2 * back + 1] = history[-1 - back][1 - own]
        example[16] = color == "b"
        planes.append(example)
        players.append(1 - 2 * own)
        points.append(side * side if point is None else (side - 1 - point[0]) * side + point[1])
        if point is not None:
            board.play(*point, color)
        history.append(stones_of(board))
    return np.array(planes), np.array(players), np.array(points)


def stones_of(board: Any) -> Any:
    """The stones of Black and White, rows from the top."""
    import numpy as np

    array = np.zeros((2, board.side, board.side), np.int8)
    for color, (row, column) in board.list_occupied_points():
        array[int(color == "w"), board.side - 1 - row, column] = 1
    return array


# ---- sente ----

#: Does what ``worker`` does with sente, whose wheels need Python 3.10 or older.
SENTE = """
import json, sys, time
try:
    import sente
    from sente import sgf
except ImportError:
    print(json.dumps({"absent": "not at hand: sente"}))
    sys.exit()
def read(path, moves):
    try:
        game = sgf.load(path)
        if moves:
            game.get_default_sequence()
    except Exception:
        return False
    return True
tiny, *files = sys.stdin.read().splitlines()
read(tiny, True)
start = time.process_time()
done = [read(file, sys.argv[1] != "load") for file in files]
spent = time.process_time() - start
print(json.dumps({"cold": spent, "read": " ".join(str(at) for at, one in enumerate(done) if one)}))
"""


def sente(records: Records, what: str) -> Job:
    """To a game, and to the moves of its main line."""
    return Job(
        (program("python3.10", "SENTE_PYTHON"), "-c", SENTE, what), records.paths, measures=True
    )


# ---- tree-sitter ----


@cache
def _tree_sitter() -> Any:
    core, grammar = import_module("tree_sitter"), import_module("tree_sitter_sgf")
    return core.Parser(core.Language(grammar.language()))


def tree_sitter_parse(path: str) -> Any:
    """To its tree, none of whose nodes is looked at."""
    return _tree_sitter().parse(Path(path).read_bytes())


# ---- other languages ----

#: Does what ``worker`` does, with ``parse`` of @sabaki/sgf.
SABAKI = """
const fs = require('fs')
let sgf
try { sgf = require('@sabaki/sgf') } catch {
  console.log('{"absent": "@sabaki/sgf is not where node looks (NODE_PATH)"}')
  process.exit()
}
const [tiny, ...files] = fs.readFileSync(0, 'utf-8').split('\\n')
const parse = file => sgf.parse(fs.readFileSync(file, 'utf-8'))
parse(tiny)
const start = process.cpuUsage()
files.forEach(parse)
const spent = process.cpuUsage(start)
console.log(JSON.stringify({cold: (spent.user + spent.system) / 1e6}))
"""


def sabaki(records: Records) -> Job:
    """To nodes with raw values."""
    return Job((program("node"), "-e", SABAKI), records.paths, measures=True)


def sgfc(records: Records) -> Job:
    """Check each file; SGFC takes one at a time."""
    each = 'while read -r file; do "$0" "$file" > /dev/null || true; done'
    return Job(("sh", "-c", each, program("SGFC", "SGFC")), "\n".join([*records.files, ""]))
