"""Rules of Go, as records break them."""

from __future__ import annotations

import io

import pytest
from support import corpus
from support.corpus import record
from support.lanes import is_night

import sgf_lark
from sgf_lark import Board, CheckOptions
from sgf_lark.core.api.options import Options
from sgf_lark.core.schema.formats import EngineName
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.properties import PropertyTable
from sgf_lark.positions.state import State


def found(text: str, *asked: str) -> list[tuple[str, str]]:
    """Code and node of each finding of group G, and of others that are asked for."""
    options = CheckOptions(select=("G", *asked))
    return [
        (one.code, one.node_path or "")
        for one in sgf_lark.check(io.StringIO(text), options=options)
    ]


def end(text: str) -> State | None:
    """Return the board that the check of a game leaves after its main line."""
    how = Options(None, None, PropertyTable.standard(), asked=frozenset())
    reader = how.reader("")
    game, _ = next(how.judge(reader).judge_now(text, reader.read(text)))
    assert game is not None
    return game.nodes.end


GAME = "FF[4]GM[1]SZ[9]"
KO = f"(;{GAME}AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb]"


def test_a_variation_begins_with_the_board_of_its_parent() -> None:
    assert found(f"(;{GAME};B[aa](;W[bb];B[cc])(;W[bb];B[cc](;W[dd])(;W[dd];B[aa])))") == [
        ("G601", "1.1/1.1/1")
    ]


def test_a_stone_may_be_played_where_one_was_captured() -> None:
    assert found(f"(;{GAME}AW[aa]AB[ab];B[ba];W[aa]KO[];B[ii])") == []
    assert found(f"(;{GAME}AW[aa]AB[ab];B[ba];W[ii];B[aa])") == []


def test_a_ko_is_open_again_after_another_move() -> None:
    assert found(f"{KO};W[bb])") == [("G605", "2")]
    assert found(f"{KO};C[a comment];W[bb])") == [("G605", "3")]
    assert found(f"{KO};W[gg];B[hh];W[bb])") == []
    assert found(f"{KO};W[];B[];W[bb])") == []


def test_two_stones_may_be_taken_back() -> None:
    assert found(f"(;{GAME}AW[ab][bb][ca]AB[ba][cb][bc][ac];W[aa];B[ba])") == []


def test_what_nobody_can_read_makes_the_board_silent_behind_it() -> None:
    assert [code for code, _ in found(f"(;{GAME};B[aa];W[??];B[aa])", "V301")] == ["V301"]
    assert found(f"(;{GAME};B[zz];W[aa];B[aa])") == [("G603", "1")]


@pytest.mark.parametrize(
    "moves",
    [
        ";B[aa]",
        ";B[aa];W[bb](;B[cc];W[dd])(;B[ee])",
        "AB[ab][ba]AW[bb];W[aa]C[suicide];B[];C[over]",
        "AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb]C[a ko];W[bb]KO[]",
        "HA[2]AB[cc][gg];W[ee];W[ee]",
        "",
        ";B[aa];AW[bb];B[cc]",
        ";B[aa];PL[B]",
        ";B[aa];PLayer[B]",
    ],
)
def test_the_board_after_the_main_line_is_kept(moves: str) -> None:
    text = f"(;{GAME}{moves})"
    board = [*sgf_lark.loads(text, strict=False)[0].main_line()][-1].board
    state = end(text)

    assert state is not None
    assert Board.of(state).key == board.key


def test_the_side_to_move_after_a_root_with_setup_and_a_move_is_that_of_the_positions() -> None:
    text = "(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5];)"
    (*_, last) = sgf_lark.loads(text, strict=False)[0].positions()
    state = end(text)

    assert state is not None
    assert (state.to_play, Board.of(state).key) == (last.board.to_play, last.board.key)


def test_a_board_after_an_unreadable_move_is_not_kept() -> None:
    assert end(f"(;{GAME};B[??];W[aa])") is None


def test_rules_that_allow_suicide_are_heard() -> None:
    position = f"{GAME}AW[ab][ba]"

    assert found(f"(;{position}RU[Japanese];B[aa])") == [("G604", "1")]
    assert found(f"(;{position}RU[NZ];B[aa])") == []


def test_a_rectangle_changes_nothing_only_if_none_of_its_points_does() -> None:
    assert found(f"(;{GAME}AB[aa:cc];AB[aa:bb])") == [("G602", "1")]
    assert found(f"(;{GAME}AB[aa:cc];AB[aa:dd])") == []
    assert found(f"(;{GAME}AB[aa:cc];AE[bb];AE[bb:dd];AE[bb:dd])") == [("G602", "3")]


def test_points_beside_an_invalid_one_are_not_taken_for_it() -> None:
    text = f"(;{GAME}AB[aa][aabb][bb];AB[cc][ddee][aa])"
    (one,) = sgf_lark.check(io.StringIO(text), options=CheckOptions(select=("G602",)))

    assert one.message == "AB[aa] (A9) is black already"


def test_a_board_of_52_and_a_rectangular_one_are_played_on() -> None:
    assert found("(;FF[4]GM[1]SZ[52];B[ZZ];W[ZZ])") == [("G601", "2")]
    assert found("(;FF[4]GM[1]SZ[3:5];B[ce];W[ec])") == [("G603", "2")]


@pytest.mark.parametrize("engine", ["generated", "lark"])
def test_both_engines_give_the_same(engine: EngineName) -> None:
    text = f"{KO};W[bb](;B[cb]LB[zz:a])(;B[aa]C[\\]])TR[aa:zz])"
    codes = [
        (one.code, one.line, one.column)
        for one in sgf_lark.check(io.StringIO(text), engine=engine)
        if one.code.startswith("G")
    ]

    assert codes[:2] == [("G605", 1, codes[0][2]), ("G605", 1, codes[1][2])]
    assert codes == [
        (one.code, one.line, one.column)
        for one in sgf_lark.check(io.StringIO(text))
        if one.code.startswith("G")
    ]


def test_an_early_format_mixes_setup_and_move() -> None:
    assert found("(;FF[3]GM[1]SZ[9]B[aa]AW[aa])") == [("G601", "0")]


@pytest.mark.parametrize(
    ("which", "codes"),
    [
        ("broken/littlego__illegal-move.sgf", {"G601"}),
        ("broken/littlego__suicide.sgf", {"G604"}),
        ("broken/littlego__positional-superko.sgf", {"G606"}),
        ("broken/littlego__not-enough-handicap-stones.sgf", {"G607"}),
        ("broken/gogui__invalidmove.sgf", {"G603"}),
        ("ff4-go/gogui__ff4_ex.sgf", {"G604"}),
        ("large/littlego__maximum-number-of-moves.sgf", set()),
    ],
)
def test_records_made_to_be_wrong_are_found(which: str, codes: set[str]) -> None:
    options = CheckOptions(select=("G", "repeated-position", "handicap-stones"))
    given = {one.code for one in sgf_lark.check(record(which), options=options)}

    assert given == codes


@pytest.mark.parametrize(
    ("moves", "last", "when"),
    [
        # A ko that is taken back after two passes.
        (";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];B[];W[];B[cb]", "B[cb] (C8)", 7),
        (";B[aa];W[ba];B[ca];AE[aa][ba][ca];B[aa]", "B[aa] (A9)", 1),
    ],
)
def test_a_repetition_names_the_move_after_which_the_position_was(
    moves: str, last: str, when: int
) -> None:
    (one,) = sgf_lark.check(
        io.StringIO(f"(;FF[4]GM[1]SZ[9]{moves})"), options=CheckOptions(select=("G606",))
    )

    assert one.message == f"{last} repeats the position after move {when}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("GM[1]SZ[19];B[jg];W[jg]", "W[jg] (K13) is played on a black stone"),
        ("GM[1]SZ[9];B[aa];W[];B[tt];W[bb]", "W[bb] (B8) is played after both have passed"),
        (
            "GM[1]SZ[19]AB[aa:cb][dd];AB[cb:aa]",
            "AB[cb:aa] (A19:C18) is black already",
        ),
        (
            f"GM[1]SZ[9]AB[aa:ia];AB{''.join(f'[{column}a]' for column in 'abcdefghi')}",
            (
                "AB names 9 points that are black already: aa (A9), ba (B9), ca (C9), da (D9),"
                " ea (E9), fa (F9), ga (G9), ha (H9), ia (J9)"
            ),
        ),
        ("GM[4]SZ[15];B[jg];W[jg]", "W[jg] (j9) is played on a black stone"),
        ("GM[18]SZ[10];B[dadgdg]", "B[dadgdg] (d10-d4-d4) moves no black amazon"),
        ("GM[11]SZ[11];B[a1];W[a1]", "W[a1] is played on a black stone"),
    ],
)
def test_a_move_is_quoted_with_its_name_where_the_record_has_letters(
    text: str, message: str
) -> None:
    options = CheckOptions(select=("G60", "G620", "G611"))
    (one,) = sgf_lark.check(io.StringIO(f"(;FF[4]{text})"), options=options)

    assert one.message == message


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(;FF[3]GM[1]SZ[9];PlaYerLong[W];C[to play])", []),
        ("(;FF[3]GM[1]SZ[9];PLayer [W];C[to play];Black[aa])", ["PLayer [W]"]),
        ("(;FF[4]GM[1]SZ[9];C[PL[W\\];a PL [W\\]];B[aa])", []),
        ("(;FF[4]GM[1]SZ[9];PL[B];PL[W];C[x](;B[aa])(;B[bb]))", ["PL[W]"]),
    ],
    ids=["none that moves", "long name", "in a comment", "first variation"],
)
def test_the_side_to_play_is_followed_from_each_pl(text: str, shown: list[str]) -> None:
    report = sgf_lark.check(io.StringIO(text))

    assert [
        text[one.offset : one.end_offset] for one in report if one.name == "player-mismatch"
    ] == shown


def test_moves_are_played_whatever_is_beside_them_in_their_nodes() -> None:
    first = "(;FF[4]GM[1]SZ[9];C[;B[bb\\]]B [aa]N[x]"
    variations = "(;W[aa];KO[]B[aa])(;B[bb];W[aa]AB[bb])(;TE[1]W[aa])"
    report = sgf_lark.check(io.StringIO(f"{first}{variations})"))

    assert [one.node_path for one in report if one.name == "occupied-point"] == [
        "2",
        "1.1/1",
        "1.2",
    ]


@pytest.mark.both_lanes
def test_the_moves_that_positions_call_illegal_are_reported() -> None:
    options = CheckOptions(select=("G601", "G604", "G605"))
    names = [name for name in corpus.names() if corpus.plain(name) and not corpus.large(name)]
    for name in names if is_night() else names[::40]:
        games = [game for game in corpus.loaded(name) if game.game == GameNumber.GO]
        illegal = [
            (position.node.path, position.verdict.code)
            for game in games
            for position in game.positions("all")
            if position.verdict is not None and position.verdict.code in options.select
        ]
        reported = [
            (one.node_path, one.code)
            for one in sgf_lark.check(corpus.record(name), options=options)
            if games
        ]
        assert illegal == reported, name


@pytest.mark.parametrize(
    ("record", "severity"),
    [
        ("HA[2]AB[aa][ba][ca]", "warning"),
        ("HA[4];W[aa]", "warning"),
        ("HA[3]AB[aa];C[x];B[bb]", "warning"),
        ("HA[2];C[x];AB[aa][ba];W[cc]", "info"),  # the stones are in the next node
        ("HA[2]AB[aa][ba][ca]AW[cc]", "info"),  # a position
    ],
)
def test_handicap_without_its_stones_is_a_warning_of_every_check(
    record: str, severity: str
) -> None:
    (one,) = sgf_lark.check(f"(;{GAME}{record})".encode())

    assert (one.code, one.severity) == ("G607", severity)
    assert sgf_lark.check(f"(;{GAME}HA[2]AB[aa][ba];W[cc])".encode()).diagnostics == ()
