"""Rows of games and moves: every column by hand, and as the games themselves say."""

import datetime as dt
from hashlib import sha256

import pytest

import sgf_lark
from sgf_lark.archive.rows.game_rows import GameRows, RowPlace
from sgf_lark.archive.rows.scan import bytes_hash
from sgf_lark.core.schema.formats import EngineName
from sgf_lark.report.tables import tables

EMPTY = "-------- -------- --------"
GO = (
    "(;FF[4]GM[1]CA[UTF-8]AP[GNU Go:3.8]SZ[9]KM[6.5]HA[2]PB[Aoki]PW[Boggs]BR[3d]WR[5k]BT[x]WT[y]"
    "EV[Cup]PC[Oslo]RO[2]GN[final]RU[Japanese]TM[600]OT[byo]RE[B+3.5]DT[2024-05-06,08]AB[gc][cg]"
    "AN[an]SO[so]US[us]CP[cp]ON[on]GC[gc]"
    "C[root];W[cc]WL[9.5]OW[3]C[a \\] b]TE[1]GB[2];B[gg](;W[cf])(;W[tt];B[zz]))"
)
GGF = (
    "(;GM[Othello]PC[GGS]PB[a]RB[1500.5]PW[b]RW[1600]TI[15:00//02:00]DT[2004.09.18_05:54:38.MDT]"
    f"TY[8]RE[+4.000:r]BO[8 {EMPTY} ---O*--- ---*O--- {EMPTY} *]B[d3/1/2];W[pa];)"
)


def rows_of(
    text: str, place: RowPlace | None = None, engine: EngineName = "auto"
) -> dict[str, list[dict[str, object]]]:
    rows = GameRows()
    for number, game in enumerate(sgf_lark.loads(text, strict=False, engine=engine)):
        rows.add(game, place or RowPlace("a.sgf", game=number))
    return {table: batch.to_pylist() for table, batch in rows.batches().items()}


def game_of(text: str) -> dict[str, object]:
    (row,) = rows_of(text)["games"]
    return row


def test_a_game_of_go_has_these_values() -> None:
    place = RowPlace("a/b.zip", "c.sgf", 1, 7, len(GO), bytes_hash(GO.encode()), "UTF-8", 1, 2, 3)
    (row,) = rows_of(GO, place)["games"]
    key = int.from_bytes(sha256(b"a/b.zip\0c.sgf\x007").digest()[:8], "big") & ~(1 << 63)

    assert {name: row[name] for name in GO_ROW} == GO_ROW
    assert (row["game_id"], row["bytes_hash"]) == (key, sha256(GO.encode()).digest()[:16])


#: The columns of that game, but for its hashes and keys.
GO_ROW: dict[str, object] = {
    "source": "a/b.zip",
    "member": "c.sgf",
    "game": 1,
    "offset": 7,
    "length": len(GO),
    "format": "FF4",
    "gm": 1,
    "kind": "Go",
    "columns": 9,
    "rows": 9,
    "encoding": "UTF-8",
    "application": "GNU Go",
    "version": "3.8",
    "black": "Aoki",
    "white": "Boggs",
    "black_rank": "3d",
    "white_rank": "5k",
    "black_strength": 3.0,
    "white_strength": -4.0,
    "black_rating": None,
    "white_rating": None,
    "black_team": "x",
    "white_team": "y",
    "event": "Cup",
    "place": "Oslo",
    "round": "2",
    "name": "final",
    "rules": "Japanese",
    "komi": 6.5,
    "handicap": 2,
    "time_limit": 600.0,
    "overtime": "byo",
    "date_first": dt.date(2024, 5, 6),
    "date_last": dt.date(2024, 5, 8),
    "winner": "B",
    "margin": 3.5,
    "ending": "score",
    "raw_date": "2024-05-06,08",
    "raw_result": "B+3.5",
    "raw_komi": "6.5",
    "raw_handicap": "2",
    "raw_size": "9",
    "raw_rules": "Japanese",
    "raw_time": "600",
    "nodes": 6,
    "moves": 3,
    "variations": 2,
    "depth": 5,
    "comments": 2,
    "setup_black": 2,
    "setup_white": 0,
    "errors": 1,
    "warnings": 2,
    "infos": 3,
    "dyer": None,
    "dyer_symmetric": None,
    "line": [20, 60, 47],
    "canon": [24, 56, 51],
    "first_color": "W",
}


#: Games by their overtime: system, periods, seconds and stones of a period, increment.
CLOCKS = {
    "(;FF[4]GM[1]TM[60]OT[5x30 byo-yomi];B[aa]BL[50])": ("japanese", 5, 30, None, None),
    "(;FF[4]GM[1]TM[60]OT[25/600 Canadian])": ("canadian", None, 600, 25, None),
    "(;FF[4]GM[1]TM[60]OT[9.5 fischer];B[aa]BL[60])": ("fischer", None, None, None, 9.5),
    "(;FF[4]GM[1]TM[60]OT[20 simple])": ("simple", None, 20, None, None),
    "(;FF[4]GM[1]TM[60]TC[3]TT[30])": ("japanese", 3, 30, None, None),
    "(;FF[4]GM[1]TM[60]OT[99999999999x9 byo-yomi])": ("japanese", None, 9, None, None),
    "(;FF[4]GM[1]TM[60]OT[byo])": (None, None, None, None, None),
    "(;FF[4]GM[1]TM[60];B[aa]BL[50])": (None, None, None, None, None),
    GGF: ("extension", None, 120, None, None),
}


@pytest.mark.parametrize(("text", "clock"), CLOCKS.items())
def test_a_clock_is_in_columns(text: str, clock: tuple[object, ...]) -> None:
    row = game_of(text)

    assert (row["clock"], row["periods"], row["period"]) == clock[:3]
    assert (row["stones"], row["increment"]) == clock[3:]


def test_moves_have_the_time_they_took() -> None:
    times = [[row["time_used"] for row in rows_of(text)["moves"]] for text in CLOCKS]

    assert times == [[None], [], [9.5], [], [], [], [], [None], [2, None]]


def test_every_column_has_a_value_in_some_game() -> None:
    moves = "".join(f";B[{a}{b}]" for a in "abc" for b in "abcdefghi")
    found = [rows_of(text) for text in (GO, GGF, f"(;FF[4]GM[1]SZ[9]{moves})", *CLOCKS)]
    for table in ("games", "moves"):
        rows = [row for tables in found for row in tables[table]]
        assert rows[0].keys() == {column.name for column in tables()[table]}
        for name in rows[0]:
            assert any(row[name] is not None for row in rows), name


def test_the_moves_of_a_game_of_go_have_these_values() -> None:
    first, second, third, passed, off_board = rows_of(GO)["moves"]

    assert first == {
        "game_id": game_of(GO)["game_id"],
        "node": 1,
        "parent": 0,
        "path": "1",
        "main": True,
        "number": 1,
        "color": "W",
        "point": 20,
        "raw": "cc",
        "time_left": 9.5,
        "time_used": None,
        "periods": 3,
        "comment": "a ] b",
        "annotations": 8 + 16,
    }
    assert (second["color"], second["point"], second["comment"]) == ("B", 60, None)
    assert (third["path"], third["main"], third["number"]) == ("3", True, 3)
    assert (passed["path"], passed["main"], passed["point"]) == ("2.1", False, -1)
    assert (off_board["path"], off_board["point"], off_board["raw"]) == ("2.1/1", None, "zz")


def test_a_game_of_ggf_has_these_values() -> None:
    row = game_of(GGF)

    assert {name: row[name] for name in GGF_ROW} == GGF_ROW
    assert [(row["point"], row["raw"]) for row in rows_of(GGF)["moves"]] == [
        (19, "d3/1/2"),
        (-1, "pa"),
    ]


GGF_ROW: dict[str, object] = {
    "format": "GGF",
    "gm": 2,
    "kind": "Othello",
    "columns": 8,
    "rows": 8,
    "black": "a",
    "black_rank": None,
    "black_rating": 1500.5,
    "white_rating": 1600.0,
    "place": "GGS",
    "time_limit": 900.0,
    "raw_time": "15:00//02:00",
    "date_first": dt.date(2004, 9, 18),
    "raw_date": "2004.09.18_05:54:38.MDT",
    "winner": "B",
    "margin": 4.0,
    "ending": "resignation",
    "setup_black": 2,
    "setup_white": 2,
    "line": [19, -1],
}


@pytest.mark.parametrize(
    ("text", "points", "size"),
    [
        ("(;FF[4]GM[1];B[aa];W[])", [0, -1], (19, 19)),
        ("(;FF[4]GM[1]SZ[5:3];B[ec];W[ed])", [14, -2], (5, 3)),
        ("(;FF[4]GM[2];B[f5])", [37], (8, 8)),
        ("(;FF[4]GM[4];B[hh])", [112], (15, 15)),
        ("(;FF[4]GM[11];B[a2];W[swap-pieces])", [11, -2], (11, 11)),
        ("(;FF[4]GM[21];R[aa];B[ab])", [0, 24], (24, 24)),
        ("(;FF[4]GM[18];B[a4-d4/d8])", None, (10, 10)),
        ("(;FF[4]GM[6];B[31hcgh])", None, (None, None)),
        ("(;FF[4]GM[9];B[b1-b3])", None, (8, 8)),
        ("(;FF[4]GM[3];B[e2e4])", None, (8, 8)),
        ("(;FF[4]GM[1])", None, (19, 19)),
        ("(;FF[3]GM[1]SZ[19];B[tt])", [-1], (19, 19)),
        ("(;GM[1];B[aa]", [0], (19, 19)),
    ],
    ids=str,
)
def test_a_line_has_the_points_of_the_moves_of_games_that_play_points(
    text: str, points: list[int] | None, size: tuple[int | None, int | None]
) -> None:
    row = game_of(text)

    assert (row["line"], (row["columns"], row["rows"])) == (points, size)


@pytest.mark.parametrize(
    ("date", "first", "last"),
    [
        ("1996-05-27", dt.date(1996, 5, 27), dt.date(1996, 5, 27)),
        ("1996-02", dt.date(1996, 2, 1), dt.date(1996, 2, 29)),
        ("1582", dt.date(1582, 1, 1), dt.date(1582, 12, 31)),
        ("1996-12-27,28,1997-01-03,04", dt.date(1996, 12, 27), dt.date(1997, 1, 4)),
        ("a day in May", None, None),
        ("2024-02-31", None, None),
    ],
)
def test_a_date_has_a_first_and_a_last_day_and_keeps_its_text(
    date: str, first: dt.date | None, last: dt.date | None
) -> None:
    row = game_of(f"(;FF[4]GM[1]DT[{date}])")

    assert (row["date_first"], row["date_last"], row["raw_date"]) == (first, last, date)


@pytest.mark.parametrize(
    ("result", "winner", "margin", "ending"),
    [
        ("W+0.5", "W", 0.5, "score"),
        ("B+R", "B", None, "resignation"),
        ("W+T", "W", None, "time"),
        ("B+F", "B", None, "forfeit"),
        ("B+", "B", None, "unknown"),
        ("0", "draw", 0.0, "draw"),
        ("Void", None, None, "void"),
        ("?", None, None, "unknown"),
        ("Jigo", None, None, None),
    ],
)
def test_a_result_has_a_winner_a_margin_and_an_ending(
    result: str, winner: str | None, margin: float | None, ending: str | None
) -> None:
    row = game_of(f"(;FF[4]GM[1]RE[{result}])")

    assert (row["winner"], row["margin"], row["ending"]) == (winner, margin, ending)
    assert row["raw_result"] == result


def test_numbers_that_no_column_holds_are_null_beside_their_texts() -> None:
    row = game_of(f"(;FF[4]GM[1]KM[{'9' * 400}]HA[{'9' * 20}]TM[1.5];B[aa]OB[{'9' * 20}])")

    assert (row["komi"], row["handicap"], row["time_limit"]) == (None, None, 1.5)
    assert (row["raw_komi"], row["raw_handicap"]) == ("9" * 400, "9" * 20)


def test_a_text_that_is_no_game_info_of_its_game_is_no_column() -> None:
    row = game_of("(;FF[4]GM[2]SZ[8]KM[6.5])")

    assert (row["raw_komi"], row["raw_size"]) == (None, "8")


def test_setup_of_more_stones_than_a_column_holds_is_null() -> None:
    row = game_of("(;FF[4]GM[11]SZ[11]AB[a1:zzzz99999]AW[b2][c3];B[a1])")

    assert (row["setup_black"], row["setup_white"], row["line_hash"]) == (None, 2, None)


def test_a_row_without_a_value_that_it_must_have_is_an_error() -> None:
    rows = GameRows(("games",))
    place = RowPlace(warnings=None)  # type: ignore[arg-type]  # wrong
    rows.add(sgf_lark.loads("(;FF[4]GM[1])")[0], place)

    with pytest.raises(ValueError, match=r"^a row of games has no warnings$"):
        rows.batches()


def test_a_time_limit_before_ff4_has_no_unit_and_keeps_its_text() -> None:
    row = game_of("(;FF[3]GM[1]TM[30])")

    assert (row["time_limit"], row["raw_time"]) == (None, "30")


def test_both_engines_give_the_same_rows() -> None:
    for text in (GO, GGF, "(;FF[4]GM[18];B[a4-d4/d8])(;FF[3]GaMe[1];Black[aa]C[b\nc]"):
        assert rows_of(text, engine="lark") == rows_of(text, engine="generated")


def test_batches_have_the_columns_of_the_tables_and_leave_nothing() -> None:
    rows = GameRows(["moves"])
    (game,) = sgf_lark.loads(GO, strict=False)

    rows.add(game, RowPlace())
    (batch,) = rows.batches().values()

    assert batch.schema.names == [column.name for column in tables()["moves"]]
    assert batch.num_rows == 5
    assert rows.batches()["moves"].num_rows == 0


def test_a_table_that_games_have_no_rows_of_is_an_error() -> None:
    with pytest.raises(ValueError, match="no table 'sources' of a game"):
        GameRows(["sources"])


def test_a_game_without_all_its_nodes_has_no_rows() -> None:
    (game,) = sgf_lark.loads(GO, strict=False, info_only=True)

    with pytest.raises(ValueError, match="info_only"):
        GameRows().add(game, RowPlace())


def test_a_game_gives_its_moves_as_a_table() -> None:
    (game,) = sgf_lark.loads(GO, strict=False)

    table = game.to_arrow()

    assert table.select(["node", "point"]).to_pydict() == {
        "node": [1, 2, 3, 4, 5],
        "point": [20, 60, 47, -1, None],
    }
    assert table.schema.names == [column.name for column in tables()["moves"]]


def test_paths_in_deep_nesting_are_those_of_the_nodes() -> None:
    text = "(;FF[4]GM[1]" + "(;B[aa];W[bb])(;W[cc]" * 70 + ";B[dd]" + ")" * 71
    (game,) = sgf_lark.loads(text, strict=False)

    assert game.to_arrow()["path"].to_pylist() == [node.path for node in game if node.move]
    assert game.to_arrow()["path"].to_pylist()[-1].startswith("#")


def test_a_board_of_any_size_has_rows() -> None:
    for size in ("53", "702", "50000000", "99999999999999999999"):
        text = f"(;FF[4]GM[1]SZ[{size}];B[dd];W[ZZ])"
        rows = GameRows(("games", "moves", "positions"))
        rows.add(sgf_lark.loads(text, strict=False)[0], RowPlace())
        made = rows.batches()

        assert made["moves"].num_rows == 2
        assert made["positions"].num_rows == 0
    assert game_of("(;FF[4]GM[99999999999])")["gm"] is None


@pytest.mark.parametrize("game", [2, 9, 11, 19, 21])
def test_a_point_whose_number_has_more_than_32_bits_is_null(game: int) -> None:
    text = f"(;FF[4]GM[{game}]SZ[{10**10}];B[{'14' if game == 19 else 'd3'}];W[b9])"
    found = rows_of(text)

    assert {row["point"] for row in found["moves"]} == {None}
    assert found["games"][0]["columns"] is None
