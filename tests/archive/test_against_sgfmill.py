"""Numbers of an archive of real games of Go, counted again by sgfmill."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple, TypeAlias

import pytest
from sgfmill import sgf, sgf_grammar
from support import corpus, lanes
from support.of_sgfmill import REFUSED_BY_SGFMILL

from sgf_lark import archive
from sgf_lark.archive import Archive

#: A game: the record, and its number there.
Place: TypeAlias = tuple[str, int]


class Facts(NamedTuple):
    """Facts of a game that both programs give; None for what is not known."""

    size: tuple[int, int] | None
    moves: int | None
    winner: str | None
    komi: float | None
    handicap: int | None
    year: int | None


#: Folders of records of other games.
NOT_GO = ("ff4-backgammon/", "ff4-othello/", "ff4-other-games/", "ggf/")


# ---- why a number of sgfmill is another one ----

#: Records of several games, of which sgfmill finds more or fewer: it looks for "(;".
OTHER_GAMES = {
    "broken/littlego__encoding-detection-fails.sgf",
    "broken/sgftool__test_missing_semi_colon.sgf",
}

#: Records that sgfmill rejects as bytes, and not as text.
REFUSED_AS_BYTES = {"encodings/SabakiHQ-sgf__utf16le.sgf"}  # it knows no encoding of two bytes

#: Records of games that sgfmill cannot open: their board is a rectangle or is written as one,
#: or their encoding has no name of Python's.
UNOPENED = {
    "broken/analyze-sgf__t-encoding-cp949.sgf",
    "encodings/mipli-sgf-parser__ShusakuvsInseki-iso.sgf",
    "ff4-go/maxiGos__large.sgf",
    "ff4-go/maxiGos__pass-en.sgf",
    "ff4-go/sgf-navigator__test_ff4_1.sgf",
}

#: Game info in a node after the first one, which sgfmill does not look for.
LATER_INFO = {
    "broken/littlego__setup-before-handicap-setup.sgf": {"handicap"},
    "ff4-go/gogui__ff4_ex.2.sgf": {"winner"},
    "ff4-go/gogui__ff4_ex.sgf": {"winner"},
    "ff4-go/littlego__gameinfo.sgf": {"winner", "komi", "handicap", "year"},
    "ff4-go/sgfgrove__ff4_ex-with-indent.sgf": {"winner"},
}

#: Moves in words, or off the board: sgfmill counts no moves of such a game.
UNREAD_MOVES = {
    "broken/gogui__invalidmove.sgf": {"moves"},
    "encodings/maxiGos__mori-p13x13-fr.sgf": {"moves"},
    "ff4-go/gogui__human-readable.sgf": {"moves"},
}

DIFFERENT = LATER_INFO | UNREAD_MOVES


# ---- the two programs ----


def of_sgfmill(tree: Any) -> Facts | None:
    """Return the facts of a game; None if sgfmill cannot open it."""
    try:
        game = sgf.Sgf_game.from_coarse_game_tree(tree)
        size = game.get_size()
        root = game.get_root()
        return Facts(
            size=(size, size),
            moves=_moves(game),
            winner=_winner(game),
            komi=_komi(game) if root.has_property("KM") else None,
            handicap=int(root.get_raw("HA")) if root.has_property("HA") else None,
            year=_year(root.get_raw("DT").decode("latin-1")) if root.has_property("DT") else None,
        )
    except ValueError:
        return None


def _moves(game: Any) -> int | None:
    try:
        colors = [node.get_move()[0] for node in game.get_main_sequence()]
    except ValueError:
        return None
    return sum(color is not None for color in colors)


def _komi(game: Any) -> float | None:
    """Return the komi in points; Fox writes hundredths of them, or by Chinese rules of stones."""
    try:
        komi = float(game.get_komi())
    except ValueError:
        return None
    root = game.get_root()
    if abs(komi) < 100 or not (root.has_property("AP") and b"foxwq" in root.get_raw_list("AP")):
        return komi
    return komi / (50 if root.get("RU") == "Chinese" else 100)


def _winner(game: Any) -> str | None:
    """Return the winner of a result as the standards write it; else sgfmill reads one letter."""
    root = game.get_root()
    text = root.get("RE") if root.has_property("RE") else ""
    if text in {"0", "Draw"}:
        return "draw"
    winner = game.get_winner() if re.match(r"[BWbw]\+", text) else None
    return winner and winner.upper()


def _year(text: str) -> int | None:
    """Return the first year of a date that says a day, month or year and nothing else."""
    match = re.search(r"(?<!\d)\d{4}(?!\d)", text)
    is_year = match and not re.search(r"onwards|approx|\.0\.", text)
    return int(match[0]) if match and is_year else None


def of_archive(row: dict[str, Any]) -> Facts:
    """Return the facts of a row of games."""
    first = row["date_first"]
    return Facts(
        size=(row["columns"], row["rows"]),
        moves=row["moves"],
        winner=row["winner"],
        komi=row["komi"],
        handicap=row["handicap"],
        year=first and first.year,
    )


# ---- what they say of the same games ----


class Both(NamedTuple):
    """Games of Go that both programs read.

    Attributes:
        archive: The archive of them.
        ours, theirs: Their facts, by the archive and by sgfmill.
        refused, unopened: Records of which sgfmill reads nothing, or not each game.
    """

    archive: Archive
    ours: dict[Place, Facts]
    theirs: dict[Place, Facts]
    refused: set[str]
    unopened: set[str]


#: Records of more bytes wait for the night.
LONG = 20_000


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    root = corpus.required()
    theirs: dict[Place, Facts] = {}
    refused, unopened = set[str](), set[str]()
    for name in corpus.names():
        if name.startswith(NOT_GO) or name in OTHER_GAMES:
            continue
        is_long = (root / name).stat().st_size > LONG
        if (is_long or corpus.waits(name)) and not lanes.is_night():
            continue
        try:
            trees = sgf_grammar.parse_sgf_collection((root / name).read_bytes())
        except ValueError:
            refused.add(name)
            continue
        facts = [of_sgfmill(tree) for tree in trees if is_go(tree)]
        if None in facts:
            unopened.add(name)
        elif len(facts) == len(trees):
            theirs.update(((name, at), one) for at, one in enumerate(facts) if one is not None)
    folder = tmp_path_factory.mktemp("archive")
    archive.build([root / name for name, game in theirs if game == 0], folder, jobs=1)
    with archive.read(folder) as made:
        ours = {
            (Path(row["source"]).relative_to(root).as_posix(), row["game"]): of_archive(row)
            for row in made.games.to_table().to_pylist()
        }
        yield Both(made, ours, theirs, refused, unopened)


def is_go(tree: Any) -> bool:
    return b"".join(tree.sequence[0].get("GM", [b"1"])).strip() == b"1"


@pytest.mark.night
@pytest.mark.both_lanes
def test_sgfmill_rejects_only_records_that_break_the_standard(both: Both) -> None:
    assert both.refused <= {*REFUSED_BY_SGFMILL} | REFUSED_AS_BYTES
    assert both.unopened <= UNOPENED
    assert not lanes.is_night() or both.unopened == UNOPENED
    for name in OTHER_GAMES:
        trees = sgf_grammar.parse_sgf_collection(corpus.record(name).read_bytes())
        assert len(trees) != len(corpus.loaded(name))


@pytest.mark.both_lanes
def test_each_fact_of_a_game_is_that_of_sgfmill_or_differs_for_a_known_reason(both: Both) -> None:
    assert both.ours
    assert both.ours.keys() == both.theirs.keys()
    different: dict[str, set[str]] = {}
    for place, facts in both.theirs.items():
        pairs = zip(Facts._fields, facts, both.ours[place], strict=True)
        names = {name for name, theirs, ours in pairs if theirs != ours}
        if names:
            different.setdefault(place[0], set()).update(names)
    read = {name for name, _ in both.theirs}

    assert different == {name: facts for name, facts in DIFFERENT.items() if name in read}


@pytest.mark.both_lanes
def test_the_numbers_of_stats_are_those_that_sgfmill_counts(both: Both) -> None:
    games = [counted(both, place) for place in both.theirs]
    lengths = sorted(game.moves or 0 for game in games)
    found = archive.stats(both.archive)
    (length,) = found["lengths"].to_pylist()
    results = Counter[str | None]()
    for row in found["results"].to_pylist():
        results[row["winner"]] += row["games"]

    assert {row["fact"]: row["number"] for row in found["totals"].to_pylist()}["games"] == len(
        games
    )
    assert (length["kind"], length["games"]) == ("Go", len(games))
    assert (length["least"], length["most"]) == (lengths[0], lengths[-1])
    assert (length["median"], length["mean"]) == (median(lengths), pytest.approx(mean(lengths)))
    winners = {"B": "Black", "W": "White"}
    assert results == Counter(winners.get(game.winner or "", game.winner) for game in games)
    assert sizes(found["sizes"].to_pylist()) == Counter(game.size for game in games)
    assert column(found["komi"], "komi") == Counter(game.komi for game in games)
    assert column(found["handicaps"], "handicap") == Counter(game.handicap or 0 for game in games)
    assert column(found["years"], "year") == Counter(game.year for game in games)
    for row in found["komi"].to_pylist():
        won = Counter(game.winner for game in games if game.komi == row["komi"])
        assert (row["black_won"], row["white_won"]) == (won["B"], won["W"])


def counted(both: Both, place: Place) -> Facts:
    """The facts of a game by sgfmill, but for those of which it is known why they differ."""
    ours = both.ours[place]._asdict()
    different = DIFFERENT.get(place[0], set())
    return both.theirs[place]._replace(**{name: ours[name] for name in different})


def column(table: Any, name: str) -> Counter[Any]:
    return Counter({row[name]: row["games"] for row in table.to_pylist()})


def sizes(rows: list[dict[str, Any]]) -> Counter[Any]:
    return Counter({(row["columns"], row["rows"]): row["games"] for row in rows})
