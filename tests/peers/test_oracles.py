"""What we write is read by other programs as we mean it; one that is not installed is skipped.

sgfmill is a Python package; @sabaki/sgf is a package of Node, found through NODE_PATH;
gnugo and gnubg are programs of Debian.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest
from support import corpus
from support.lanes import is_night
from support.of_sgfmill import of_ours, of_sgfmill
from support.programs import GAMES_PATH, program

import sgf_lark
from sgf_lark import Point, convert
from sgf_lark.core.schema.properties import COLORS
from sgf_lark.core.schema.values import PointList
from sgf_lark.core.write.dump import StyleName, dumps
from sgf_lark.games.go import GoState
from sgf_lark.positions.grid import BLACK, SETUP_CELLS, WHITE

#: Own texts with everything that is hard to write.
TEXTS = {
    "escapes": r"(;FF[4]GM[1]SZ[9]PB[a\]b\\c:d]C[e\\\]f"
    "\n"
    r"g];B[aa]LB[bb:\:\]][cc:x y];W[]C[\\])",
    "tree": "(;FF[4]GM[1]SZ[9]AB[aa:bb]AW[ee];B[cc](;W[dd];B[de](;W[ed])(;W[ef]))"
    "(;W[ff](;B[gg])(;B[hh])))",
    "captures": "(;FF[4]GM[1]SZ[5];B[ab];W[aa];B[ba];W[ee];B[];W[ed];B[de];W[];B[dd];W[db];B[ec])",
    "old": "(;FF[1]GM[1]SZ[9];Black[ee]M[ee][ff]L[aa][bb](;W[tt]AB[gg])(;W[ef]B[fe]))",
    "old captures": "(;FF[3]GM[1]SZ[5]AB[ab][ba]AW[ee];AB[cc]W[tt];B[ec]W[ed];B[tt]TE[1]BM[1])",
}


@cache
def go_games() -> dict[str, sgf_lark.GameTree]:
    """Go in FF[4]: our own texts, and the records of old that were converted."""
    found = {name: sgf_lark.loads(text, strict=False) for name, text in TEXTS.items()}
    for which in corpus.names():
        if which.startswith(("ff1/", "ff3/")) and (is_night() or crc32(which.encode()) % 4 == 0):
            found[which] = corpus.loaded(which)
    return {name: convert(collection, "ff4")[0] for name, collection in found.items()}


def unescaped(raw: str) -> str:
    return re.sub(r"\\(?:\n|(.))", r"\1", raw, flags=re.DOTALL)


def shape(game: sgf_lark.GameTree) -> list[tuple[int, dict[str, list[str]]]]:
    """Each node with its parent's number and its values without escapes."""
    return [
        (above, {one.ident: [unescaped(raw) for raw in one.raw] for one in content})
        for above, content in zip(game.nodes.parents, game.nodes.contents, strict=True)
    ]


# ---- readers of SGF ----


@pytest.mark.both_lanes
@pytest.mark.parametrize("style", ["canonical", "compact"])
def test_sgfmill_reads_what_we_write_as_we_do(style: StyleName) -> None:
    for name, game in go_games().items():
        text = dumps(game, style=style)
        assert of_sgfmill(text) == of_ours(sgf_lark.loads(text, strict=False)), name


SABAKI = """
const sgf = require('@sabaki/sgf')
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'))
console.log(JSON.stringify(texts.map(text => {
    const found = [], waiting = [[sgf.parse(text)[0], -1]]
    while (waiting.length) {
        const [node, above] = waiting.pop()
        found.push([above, node.data])
        const here = found.length - 1
        for (const child of [...node.children].reverse()) waiting.push([child, here])
    }
    return found
})))
"""


@cache
def node_with_sabaki() -> str:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    tried = subprocess.run(  # noqa: S603
        [node, "-e", "require('@sabaki/sgf')"], capture_output=True, check=False, timeout=100
    )
    if tried.returncode:
        pytest.skip("node has no @sabaki/sgf (npm install @sabaki/sgf, NODE_PATH)")
    return node


@pytest.mark.both_lanes
@pytest.mark.parametrize("style", ["canonical", "compact"])
def test_sabaki_reads_what_we_write_as_we_do(style: StyleName) -> None:
    node = node_with_sabaki()
    texts = [dumps(game, style=style) for game in go_games().values()]

    result = subprocess.run(  # noqa: S603  # a program on this machine
        [node, "-e", SABAKI],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )

    for name, text, found in zip(go_games(), texts, json.loads(result.stdout), strict=True):
        ours = [[above, raws] for above, raws in shape(sgf_lark.loads(text, strict=False)[0])]
        assert found == ours, name


# ---- programs that play ----


def last_position(game: sgf_lark.GameTree) -> tuple[set[Point], set[Point]]:
    """Black's and White's stones at the end of the main line."""
    assert game.size is not None
    board = GoState(game.size)
    line = game.variation(list(game.main_line())[-1])
    for content in line.nodes.contents:
        for one in content:
            if one.ident in SETUP_CELLS:
                assert isinstance(one.value, PointList)
                for point in one.value:
                    board.put(board.cell(point), SETUP_CELLS[one.ident])
            elif one.ident in COLORS and isinstance(one.value, Point):
                board.play(one.value, COLORS[one.ident])
    columns, rows = game.size
    points = [Point(column, row) for column in range(columns) for row in range(rows)]
    held = {point: board.held(board.cell(point)) for point in points}
    black, white = ({one for one in points if held[one] == color} for color in (BLACK, WHITE))
    return black, white


@pytest.mark.both_lanes
def test_gnugo_loads_the_go_games_we_write_and_sees_the_same_stones(tmp_path: Path) -> None:
    gnugo = program("gnugo")
    commands = []
    for number, game in enumerate(go_games().values()):
        (tmp_path / f"{number}.sgf").write_text(dumps(game), encoding="utf-8")
        commands += [f"loadsgf {number}.sgf", "list_stones black", "list_stones white"]

    result = subprocess.run(  # noqa: S603  # a program on this machine
        [gnugo, "--mode", "gtp"],
        input="\n".join([*commands, "quit\n"]),
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        timeout=120,
    )

    answers = [one.strip() for one in result.stdout.split("\n\n")]
    for number, (name, game) in enumerate(go_games().items()):
        loaded, *stones = answers[3 * number : 3 * number + 3]
        assert loaded.startswith("="), name
        assert game.size is not None
        found = tuple(
            {
                Point("ABCDEFGHJKLMNOPQRST".index(one[0]), game.size.rows - int(one[1:]))
                for one in answer.removeprefix("=").split()
            }
            for answer in stones
        )
        if not any("AE" in node for node in game.walk()):  # gnugo does not take stones away
            assert found == last_position(game), name


BACKGAMMON = {
    "own": "(;FF[4]GM[6]AP[x:1]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]"
    ";B[31hefe];W[62xrwu];B[double];W[take];B[66])",
}


def test_gnubg_imports_the_backgammon_games_we_write(tmp_path: Path) -> None:
    gnubg = program("gnubg")
    games = {name: sgf_lark.loads(text) for name, text in BACKGAMMON.items()}
    for which in corpus.names():
        if which.startswith("ff4-backgammon/"):
            games[which] = corpus.loaded(which)
    commands = ["set automatic game off", "set confirm new off", "set confirm save off"]
    for number, collection in enumerate(games.values()):
        text = dumps(collection, style="canonical")
        (tmp_path / f"{number}.sgf").write_text(text, encoding="utf-8")
        commands += [f"load match {number}.sgf", f"save match {number}.out"]
    (tmp_path / "commands").write_text("\n".join(commands) + "\n", encoding="ascii")

    subprocess.run(  # noqa: S603  # a program on this machine
        [gnubg, "-t", "-q", "-r", "-c", "commands"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": GAMES_PATH},
        timeout=300,
    )

    for number, (name, collection) in enumerate(games.items()):
        again = sgf_lark.load(tmp_path / f"{number}.out", strict=False)
        assert [moves(game) for game in again] == [moves(game) for game in collection], name


def moves(game: sgf_lark.GameTree) -> list[tuple[str, str]]:
    return [(node.move.color, node.move.raw) for node in game.main_line() if node.move]
