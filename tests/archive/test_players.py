"""Players and pairs of an archive are those of the names, results and dates of its games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import corpus, lanes
from support.archives import archive_of, write_archive

from sgf_lark import archive
from sgf_lark.archive import Archive, ArchiveError, QueryError
from sgf_lark.archive.rows.game_rows import DateSpan, find_days
from sgf_lark.core.schema.ranks import fold_name
from sgf_lark.core.schema.results import Result
from sgf_lark.core.values.corrections import possible_days

pytestmark = pytest.mark.usefixtures("one_database")


@pytest.mark.parametrize(
    ("name", "player"),
    [
        ("Lee Sedol 9p", "lee sedol"),
        ("LEE  SEDOL (9 dan)", "lee sedol"),
        ("Ｌｅｅ　Ｓｅｄｏｌ", "lee sedol"),  # noqa: RUF001  # full width
        ("Cho Chikun, 9P", "cho chikun"),
        ("bob [3k?]", "bob"),
        ("李昌镐九段", "李昌镐"),
        ("山下敬吾 九段", "山下敬吾"),
        ("ai9d", "ai9d"),
        ("9p", "9p"),
        ("gnugo 3.8", "gnugo 3.8"),
        (" ", None),
        (None, None),
    ],
)
def test_a_name_is_folded_without_case_width_spaces_and_rank(
    name: str | None, player: str | None
) -> None:
    assert fold_name(name) == player


# ---- real games ----


class Side(NamedTuple):
    """A name in a game, and the game."""

    number: int
    name: str
    color: str
    rank: str | None
    winner: str | None
    days: DateSpan


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Side], Archive]]:
    """All names of records, and the archive of them."""
    root = corpus.required()
    waits = corpus.large if lanes.is_night() else corpus.waits
    names = [name for name in corpus.names() if not waits(name)]
    made = archive_of(tmp_path_factory.mktemp("players") / "archive", *(root / n for n in names))
    found, number = list[Side](), 0
    for name in names:
        for game in corpus.loaded(name):
            number, info = number + 1, game.info
            days = find_days(info.dates or possible_days("][".join(info.raw.get("DT", ()))))
            winner = info.result.winner if info.result else None
            won = str(winner) if winner else _draw(info.result)
            for color, player in (("B", info.black), ("W", info.white)):
                if player.name and fold_name(player.name):
                    found.append(Side(number, player.name, color, player.rank, won, days))
    with archive.read(made) as tables:
        yield found, tables


def _draw(result: Result | None) -> str | None:
    return "draw" if result is not None and result.code == "draw" else None


@pytest.mark.night
@pytest.mark.both_lanes
def test_players_are_those_that_a_loop_over_the_games_counts(
    sides: tuple[list[Side], Archive],
) -> None:
    found, tables = sides
    by_name = defaultdict[str, list[Side]](list)
    for side in found:
        by_name[side.name].append(side)
    rows = {row["name"]: row for row in tables.sql("from players").to_pylist()}

    assert rows.keys() == by_name.keys()
    assert rows
    for name, of_name in by_name.items():
        row, colors = rows[name], [side.color for side in of_name]
        won = [side.color for side in of_name if side.winner == side.color]
        ranks = {side.rank for side in of_name if side.rank is not None}
        assert row["player"] == fold_name(name)
        assert row["games"] == len({side.number for side in of_name})
        assert (row["black"], row["white"]) == (colors.count("B"), colors.count("W"))
        assert (row["black_won"], row["white_won"]) == (won.count("B"), won.count("W"))
        assert sorted(filter(None, (row["ranks"] or "").split(", "))) == sorted(
            part for rank in ranks for part in rank.split(", ") if part
        )
        assert DateSpan(row["date_first"], row["date_last"]) == _span(of_name)


@pytest.mark.both_lanes
def test_pairs_are_those_that_a_loop_over_the_games_counts(
    sides: tuple[list[Side], Archive],
) -> None:
    found, tables = sides
    games = defaultdict[int, list[Side]](list)
    for side in found:
        games[side.number].append(side)
    pairs = defaultdict[tuple[str, ...], list[tuple[str | None, Side]]](list)
    for of_game in games.values():
        players = sorted({fold_name(side.name) or "" for side in of_game})
        if len(players) > 1:
            won = [side for side in of_game if side.winner == side.color]
            winner = of_game[0].winner
            result = fold_name(won[0].name) if won else winner
            pairs[tuple(players)].append((result, of_game[0]))
    rows = {(row["player"], row["opponent"]): row for row in tables.sql("from pairs").to_pylist()}

    assert rows.keys() == pairs.keys()
    for (player, opponent), of_pair in pairs.items():
        row, results = rows[player, opponent], [result for result, _ in of_pair]
        counts = (len(results), *map(results.count, (player, opponent, "draw")))
        assert (row["games"], row["won"], row["lost"], row["drawn"]) == counts
        assert DateSpan(row["date_first"], row["date_last"]) == _span([side for _, side in of_pair])


def _span(sides: list[Side]) -> DateSpan:
    firsts = [side.days.first for side in sides if side.days.first is not None]
    lasts = [side.days.last for side in sides if side.days.last is not None]
    return DateSpan(min(firsts, default=None), max(lasts, default=None))


# ---- aliases ----


def play(black: str, white: str, winner: str) -> dict[str, Any]:
    names = {"black_player": fold_name(black), "white_player": fold_name(white)}
    return {"black": black, "white": white, "winner": winner, **names}


GAMES = [
    play("Lee Sedol 9p", "Gu Li", "B"),
    play("Gu Li 9p", "Yi Se-tol", "B"),
    play("李世乭", "Gu Li", "W"),
    play("Yi Se-tol", "Lee Sedol", "W"),
]
ALIASES = {"Lee Sedol": ["yi se-tol", "李世乭"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "go.archive", games=[GAMES])


def test_aliases_join_players_and_keep_their_names_as_written(folder: Path) -> None:
    with archive.read(folder, aliases=ALIASES) as tables:
        players = tables.sql("select name, games from players where player = 'lee sedol'")
        pairs = tables.sql("select player, opponent, games, won, lost from pairs").to_pylist()
    with archive.read(folder) as tables:
        assert len(tables.sql("select distinct player from players")) == 4

    assert {row["name"]: row["games"] for row in players.to_pylist()} == {
        "Lee Sedol": 1,
        "Lee Sedol 9p": 1,
        "Yi Se-tol": 2,
        "李世乭": 1,
    }
    assert pairs == [{"player": "gu li", "opponent": "lee sedol", "games": 3, "won": 2, "lost": 1}]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"Lee Sedol" = "Yi Se-tol"', 'aliases of "Lee Sedol": expected other spellings'),
        ('A = ["B"]\nC = ["b 3d"]', "'b 3d' is a spelling of 'a' and of 'C'"),
        ("A = ]", "invalid value (at line 1, column 5)"),
    ],
)
def test_aliases_that_cannot_be_meant_are_told(folder: Path, text: str, words: str) -> None:
    file = folder.with_name("aliases.toml")
    file.write_text(text, encoding="utf-8")

    with pytest.raises(ArchiveError) as caught:
        archive.read(folder, aliases=file)
    assert caught.value.filename == str(file)
    assert words.casefold() in str(caught.value).casefold()


def test_names_of_counted_tables_are_known_to_errors(folder: Path) -> None:
    with (
        archive.read(folder) as tables,
        pytest.raises(QueryError, match="no table 'player'; did you mean 'players'"),
    ):
        tables.sql("from player")
