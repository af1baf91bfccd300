"""Batches of examples from archives and from games."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import pytest

import sgf_lark
from sgf_lark import archive
from sgf_lark.archive.archive import Archive
from sgf_lark.positions.symmetry import Symmetry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

np = pytest.importorskip("numpy")
pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

RECORDS = 12


def record(seed: int) -> str:
    """A game of ten moves on a board of 9, with a result."""
    chance = np.random.default_rng(seed)
    points = chance.permutation(81)[:10]
    moves = "".join(
        f";{'BW'[at % 2]}[{chr(97 + point % 9)}{chr(97 + point // 9)}]"
        for at, point in enumerate(points.tolist())
    )
    return f"(;FF[4]GM[1]SZ[9]RE[{'BW'[seed % 2]}+1]PB[{seed}]{moves})"


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """An archive of games of Go, a game on a larger board, a turned one, and one of backgammon."""
    folder = tmp_path_factory.mktemp("examples")
    for seed in range(RECORDS):
        (folder / f"{seed:02}.sgf").write_text(record(seed))
    (game,) = sgf_lark.loads(record(0))
    (folder / "turned.sgf").write_text(sgf_lark.dumps(game.transformed("rotate-90")))
    (folder / "large.sgf").write_text("(;FF[4]GM[1]SZ[19];B[pd];W[dp])")
    (folder / "dice.sgf").write_text("(;FF[4]GM[6];W[31])")
    archive.build([folder], folder / "go.archive", jobs=1)
    with archive.read(folder / "go.archive") as opened:
        yield opened


def joined(batches: Any) -> list[tuple[bytes, int, int, float]]:
    """All examples, each as data that compare."""
    return [
        (planes.tobytes(), *one)
        for batch in batches
        for planes, *one in zip(batch.planes, *(array.tolist() for array in batch[1:]), strict=True)
    ]


def test_examples_are_those_of_the_games(tables: Archive) -> None:
    batches = [*archive.examples(tables, where="columns = 9", batch=32)]

    games = [sgf_lark.loads(record(seed))[0] for seed in range(RECORDS)]
    games.append(games[0].transformed("rotate-90"))
    assert joined(batches) == joined([game.planes() for game in games])
    assert [len(batch.moves) for batch in batches] == [32, 32, 32, 32, 2]
    assert joined(archive.examples(games, batch=7)) == joined(batches)


def test_a_batch_has_boards_of_one_size(tables: Archive) -> None:
    sizes = [batch.planes.shape[2:] for batch in archive.examples(tables, batch=1000)]

    assert sorted(sizes) == [(9, 9), (19, 19)]


def test_the_parts_of_a_split_share_no_game_and_no_turned_one(tables: Archive) -> None:
    def players(part: tuple[float, float]) -> set[bytes]:
        return {
            batch.planes.tobytes()
            for batch in archive.examples(tables, where="columns = 9", batch=10, split=part)
        }

    train, test = players((0, 0.6)), players((0.6, 1))
    assert train
    assert test
    assert len(train) + len(test) == RECORDS + 1
    assert not train & test
    whole = [sgf_lark.loads(record(0))[0], sgf_lark.loads(record(0))[0].transformed("rotate-90")]
    for part in ((0.0, 0.6), (0.6, 1.0)):
        assert len([*archive.examples(whole, batch=10, split=part)]) in {0, 2}


def test_a_seed_gives_another_order_and_always_the_same(tables: Archive) -> None:
    plain, first, again, other = (
        joined(archive.examples(tables, where="columns = 9", batch=16, seed=seed))
        for seed in (None, 1, 1, 2)
    )

    assert first == again
    assert first not in (plain, other)
    assert sorted(first) == sorted(plain) == sorted(other)


def test_turned_examples_are_examples_of_turned_games() -> None:
    games = [sgf_lark.loads(record(0))[0]] * 30
    turned = set(joined(archive.examples(games, batch=10, seed=3, symmetries=True)))

    possible = {
        example
        for symmetry in Symmetry
        for example in joined([games[0].transformed(symmetry).planes()])
    }
    assert turned <= possible
    assert len(turned) > len(possible) / 2


def test_a_pass_and_a_board_that_is_not_square_are_turned() -> None:
    (game,) = sgf_lark.loads("(;FF[4]GM[1]SZ[5:3];B[aa];W[];B[eb])")
    moves = {
        tuple(batch.moves.tolist())
        for seed in range(20)
        for batch in archive.examples([game], seed=seed, symmetries=True, batch=3)
    }

    assert {number for line in moves for number in line} == {0, 4, 10, 14, 15, 5, 9}


def test_two_processes_give_the_same(tables: Archive) -> None:
    alone, both = (
        joined(archive.examples(tables, where="columns = 9", batch=16, jobs=jobs))
        for jobs in (1, 2)
    )

    assert alone == both


def test_no_file_is_opened_twice(tables: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    before = archive.Source.open

    def open_noted(source: archive.Source) -> IO[bytes]:
        opened.append(source.path)
        return before(source)

    monkeypatch.setattr(archive.Source, "open", open_noted)
    joined(archive.examples(tables, seed=1))

    assert len(opened) == len(set(opened)) == RECORDS + 2


def test_a_record_that_was_changed_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text(record(3))
    archive.build([file], tmp_path / "go.archive", jobs=1)
    file.write_text(record(40))

    with (
        archive.read(tmp_path / "go.archive") as changed,
        pytest.raises(archive.ArchiveError, match="it was changed since the archive was built"),
    ):
        joined(archive.examples(changed))


def test_what_cannot_be_is_refused(tables: Archive) -> None:
    with pytest.raises(ValueError, match="a batch has 0 examples"):
        next(archive.examples(tables, batch=0))
    with pytest.raises(ValueError, match="no plane 'green'"):
        next(archive.examples(tables, planes=["green"]))
    with pytest.raises(archive.QueryError):
        next(archive.examples(tables, where="collumns = 9"))


@pytest.mark.parametrize("split", [0.9, (0.9, 0.1), (0, 90), (0.5, 0.5), (-0.1, 1), (0, 0.5, 1)])
def test_a_split_is_a_part_from_0_to_1(split: Any) -> None:
    with pytest.raises(ValueError, match=r"no part .* of the games: expected its ends from 0 to 1"):
        next(archive.examples([], split=split))


def test_the_path_of_an_archive_is_no_archive() -> None:
    with pytest.raises(TypeError, match=r"sgf_lark\.archive\.read\('go\.archive'\) opens"):
        next(archive.examples("go.archive"))  # type: ignore[arg-type]
