"""Ranks as numbers, on one scale."""

import pytest
from support.corpus import names, record

import sgf_lark
from sgf_lark.core.schema.ranks import Rank, RankKind

#: The ranks of real records that are no rank: titles, ratings and descriptions.  Texts with other
#: characters than ASCII, which are in the wrong encoding there, are left out.
NO_RANKS = {
    *("Honinbo", "NR", "Expectant Official"),
    *("2026", "2091", "Grandmaster, 2022", "Master, 1823"),
}

#: Read ranks in real records.
READ = 480


@pytest.mark.parametrize(
    ("text", "shown", "strength"),
    [
        ("5k", "5k", -4.0),
        ("5 kyu", "5k", -4.0),
        ("30K", "30k", -29.0),
        ("1k", "1k", 0.0),
        ("1d", "1d", 1.0),
        ("3d?", "3d?", 3.0),
        ("2d*", "2d*", 2.0),
        ("9 Dan", "9d", 9.0),
        ("１０段", "10d", 10.0),
        ("7段", "7d", 7.0),
        ("初段", "1d", 1.0),
        ("九段", "9d", 9.0),
        ("9단", "9d", 9.0),
        ("4级", "4k", -3.0),
        ("2級", "2k", -1.0),
        ("1p", "1p", 7.3),
        ("9p", "9p", 9.7),
        ("9p, Kisei", "9p", 9.7),
        ("Kisei 9p", "9p", 9.7),
        ("P9段", "9p", 9.7),
        ("职业4段", "4p", 8.2),
        ("プロ九段", "9p", 9.7),
        ("9 Dan Professional", "9p", 9.7),
        ("9 dan (pro)", "9p", 9.7),
    ],
)
def test_a_rank_is_a_number_on_one_scale(text: str, shown: str, strength: float) -> None:
    rank = Rank.read(text)

    assert rank is not None
    assert str(rank) == shown
    assert rank.strength == pytest.approx(strength)
    assert Rank.read(str(rank)) == rank


@pytest.mark.parametrize(
    "text", ["", "Gosei", "Judan", "十段", "2091", "NR", "0k", "99k", "2.5k", "10p", "3days", "dan"]
)
def test_a_text_without_a_rank_has_none(text: str) -> None:
    assert Rank.read(text) is None


def test_ranks_are_ordered_by_strength() -> None:
    texts = ["30k", "2k", "1k", "1d", "5d?", "5d", "5d*", "7d", "1p", "9p"]
    ranks = [rank for text in texts if (rank := Rank.read(text)) is not None]

    ranks.reverse()

    assert list(map(str, sorted(ranks))) == texts
    assert max(ranks) == Rank(RankKind.PROFESSIONAL, 9)
    assert Rank(RankKind.DAN, 5) >= Rank(RankKind.DAN, 5)


def test_a_long_text_takes_no_longer() -> None:
    assert Rank.read("9" * 1_000_000 + "d") is None


def test_a_player_has_the_text_and_the_number() -> None:
    (game,) = sgf_lark.loads("(;FF[4]GM[1]SZ[19]BR[7段]WR[Gosei])")

    black, white = game.info.black, game.info.white
    assert (black.rank, black.rank_value) == ("7段", Rank(RankKind.DAN, 7))
    assert (white.rank, white.rank_value) == ("Gosei", None)
    assert sgf_lark.loads("(;FF[4]GM[1])")[0].info.black.rank_value is None


@pytest.mark.night
def test_ranks_of_real_records_are_read_except_titles_and_ratings() -> None:
    texts: list[str] = []
    for which in names():
        if which.endswith(".sgf"):
            games = sgf_lark.load(record(which), strict=False, validate=False, info_only=True)
            players = [player for game in games for player in (game.info.black, game.info.white)]
            texts += [player.rank for player in players if player.rank is not None]
    record("")  # without a corpus the test is skipped
    unread = {text for text in texts if Rank.read(text) is None}

    assert len(texts) - sum(text in unread for text in texts) >= READ
    assert {text for text in unread if text.isascii()} <= NO_RANKS
