"""Search by pattern: what is found is what playing all games again finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from support import corpus
from support.archives import write_archive
from support.lanes import amount
from support.playing import choices, playout

from sgf_lark import Board, GameTree, loads
from sgf_lark.archive import Archive, ArchiveError, FoundPattern, find, read
from sgf_lark.archive.queries.find import Pattern, Where
from sgf_lark.archive.rows.game_rows import GameRows, RowPlace
from sgf_lark.core.schema.games import GameNumber

pytestmark = pytest.mark.usefixtures("one_database")

#: The signs of what an array of a board has, and of anything.
SIGNS = {0: ".", 1: "X", 2: "O", -1: "*"}

#: Black and White exchanged, by what an array has.
OTHER = np.array([0, 2, 1, -1])


class Drawn(NamedTuple):
    """A pattern: its points, and the edges that it is at: top, right, bottom, left."""

    cells: Any
    edges: tuple[bool, ...]

    @property
    def text(self) -> str:
        top, right, bottom, left = self.edges
        rows = ["|" * left + " ".join(SIGNS[it] for it in row) + "|" * right for row in self.cells]
        rule = "+-----+"
        return "\n".join([*[rule] * top, *rows, *[rule] * bottom])

    def ways(self) -> Iterator[Drawn]:
        """It and its turns and reflections, with both colors."""
        for cells, edges in (self, (self.cells[:, ::-1], tuple(self.edges[at] for at in MIRRORED))):
            for turn in range(4):
                turned = np.rot90(cells, -turn)
                new = tuple(edges[(at - turn) % 4] for at in range(4))
                yield Drawn(turned, new)
                yield Drawn(OTHER[turned], new)


#: The edges after left and right are exchanged.
MIRRORED = (0, 3, 2, 1)


def lies_on(drawn: Drawn, boards: Any) -> Any:
    """Look at all places of a pattern on boards, one place after another."""
    height, width = drawn.cells.shape
    rows, columns = boards.shape[1] - height, boards.shape[2] - width
    top, right, bottom, left = drawn.edges
    found = np.zeros(len(boards), bool)
    for row in range(rows + 1):
        for column in range(columns + 1):
            if (top and row) or (bottom and row < rows):
                continue
            if (left and column) or (right and column < columns):
                continue
            part = boards[:, row : row + height, column : column + width]
            found |= ((part == drawn.cells) | (drawn.cells == -1)).all(axis=(1, 2))
    return found


def played(seed: int) -> GameTree:
    """A game by chance on a small board, in which stones are taken and points used again."""
    draft = GameTree.new("Go", 5).edit()
    for before, after in pairwise(playout(GameNumber.GO, choices(seed, seed * 7 % 60 + 1))):
        assert after.last is not None
        draft.play(after.last, color=before.to_play)
    return draft.done()


def archive_of_games(folder: Path, games: list[GameTree]) -> Archive:
    tables = GameRows(["games", "lives", "positions"])
    for number, game in enumerate(games):
        tables.add(game, RowPlace("a.sgf", game=number, offset=number))
    rows: dict[str, Any] = {name: [batch] for name, batch in tables.batches().items()}
    return read(write_archive(folder / "archive", "", **rows))


def boards_of(games: list[GameTree]) -> tuple[list[tuple[int, int]], Any]:
    """The game and the number of each position before a move, and of the last one; the boards."""
    found: dict[tuple[int, int], Any] = {}
    for number, game in enumerate(games):
        found |= {(number, at.number): at.board.array() for at in game.positions()}
    return [*found], np.stack([*found.values()])


def times_of(found: FoundPattern) -> set[tuple[int, int]]:
    """The games with a pattern, and the positions."""
    return {
        (row["game"], number)
        for row in found.table.to_pylist()
        for number in range(row["number"], row["last"] + 1)
    }


def stones_of(board: Board) -> set[bytes]:
    """The stones of a board, after each symmetry."""
    turns = [np.rot90(board.array(), turn) for turn in range(4)]
    return {part.tobytes() for turned in turns for part in (turned, turned[::-1])}


def random_pattern(chance: Random, boards: Any) -> Drawn:
    """A part of a position, somewhere, at an edge or in a corner, with points left open."""
    while True:
        board, side = chance.choice(boards), boards.shape[1]
        height, width = (chance.randint(1, side) for _ in range(2))
        row, column = chance.randint(0, side - height), chance.randint(0, side - width)
        at = (row == 0, column + width == side, row + height == side, column == 0)
        cells = board[row : row + height, column : column + width].copy()
        cells[np.reshape([chance.random() < 0.3 for _ in range(cells.size)], cells.shape)] = -1
        if (cells > 0).any():
            return Drawn(cells, tuple(edge and chance.random() < 0.8 for edge in at))


@pytest.mark.both_lanes
def test_patterns_are_found_where_all_games_played_again_have_them(tmp_path: Path) -> None:
    games, chance = [*map(played, range(amount(2, 60)))], Random(7)  # noqa: S311  # a test
    places, boards = boards_of(games)
    with archive_of_games(tmp_path, games) as archive:
        for _ in range(amount(2, 50)):
            drawn = random_pattern(chance, boards)
            everywhere = np.logical_or.reduce([lies_on(way, boards) for way in drawn.ways()])
            as_drawn = lies_on(drawn, boards)

            for both, here in ((True, everywhere), (False, as_drawn)):
                wanted = {places[at] for at in np.flatnonzero(here)}
                assert times_of(find(archive, drawn.text, symmetric=both, colors=both)) == wanted, (
                    drawn.text
                )


@pytest.mark.night
@pytest.mark.both_lanes
def test_whole_positions_of_real_games_are_found_by_their_keys_and_no_others_have_their_stones(
    tmp_path: Path,
) -> None:
    corpus.required()
    names = [name for name in corpus.names() if name.startswith("ff4-go")]
    games = list[GameTree]()
    for name in names[: amount(8, 200)]:
        games += [game for game in corpus.loaded(name) if game.size == (19, 19)]
    games, chance = games[: amount(2, 60)], Random(3)  # noqa: S311  # a test
    with archive_of_games(tmp_path, games) as archive:
        query = "SELECT game, number, key_symmetric FROM positions JOIN games USING (game_id)"
        keys = {
            (row["game"], row["number"]): row["key_symmetric"]
            for row in archive.sql(query).to_pylist()
        }
        for _ in range(amount(2, 80)):
            game = chance.randrange(len(games))
            boards = [
                at.board.copy() for at in games[game].positions() if (game, at.number) in keys
            ]
            board = chance.choice(boards)
            if not board.stones():
                continue
            found = times_of(find(archive, board, colors=False))
            wanted = {place for place, key in keys.items() if key == board.key_symmetric}

            assert {place for place in found if keys[place] == board.key_symmetric} == wanted
            # others differ in the side to move, or by a ko
            for number, place in found - wanted:
                other = next(at.board for at in games[number].positions() if at.number == place)
                assert stones_of(other) == stones_of(board)


def test_an_archive_without_lives_says_how_to_build_them(tmp_path: Path) -> None:
    with (
        read(write_archive(tmp_path / "archive", games=[{"gm": 1}])) as archive,
        pytest.raises(ArchiveError, match="build it with --patterns"),
    ):
        find(archive, "X")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """An archive of one game on a board of 5."""
    with archive_of_games(tmp_path_factory.mktemp("find"), [played(3)]) as opened:
        yield opened


@pytest.mark.parametrize(
    ("picture", "where", "words"),
    [
        ("X Q", None, "no sign of one: 'Q'"),
        ("X .\n.", None, "its rows have one length"),
        ("", None, "its rows have one length"),
        (". .", None, "at least one stone"),
        ("X . . . . .", None, "room on the board"),
        ("X .", "corner", "needs its edges"),
        ("X .", "whole", "room on the board"),
        ("X .", "middle", "no place 'middle': expected corner, side, anywhere, whole"),
    ],
)
def test_a_picture_that_is_no_pattern_is_told_why(
    archive: Archive, picture: str, where: Where | None, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        find(archive, picture, where)


def test_next_moves_and_results_are_those_of_the_picture_with_its_colors(tmp_path: Path) -> None:
    text = "(;FF[4]GM[1]SZ[9]RE[B+R];B[cc];W[dd];B[dc])(;FF[4]GM[1]SZ[9]RE[B+1];W[gg];B[ff];W[gf])"
    with archive_of_games(tmp_path, [*loads(text)]) as archive:
        found = find(archive, "-----\n****|\n****|\n*X**|\nO***|")

    names = ["game", "number", "last", "move", "color", "exchanged"]
    assert found.table.select(names).to_pylist() == [
        dict(zip(names, row, strict=True))
        for row in ((0, 2, 3, "F7", "B", False), (1, 2, 3, "F7", "B", True))
    ]
    (row,) = found.continuations.to_pylist()
    assert (row["games"], row["black_wins"], row["white_wins"]) == (2, 1, 1)


def test_a_corner_of_a_board_is_the_smallest_with_its_stones() -> None:
    pattern = Pattern.of(Board("Go", 9).play("G8").play("H7"), "corner")

    assert pattern.where == "corner"
    assert pattern.cells.tolist() == [[0, 0, 0], [1, 0, 0], [0, 2, 0]]
