"""Records and data that nobody means well with: every answer is bounded, every refusal clear."""

from __future__ import annotations

import io
import sys
import time
from itertools import product
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from support.lanes import by_night, one_in

import sgf_lark
from sgf_lark import GAMES, Format, GameTree, Point, PointList, Rectangle, SgfConversionError
from sgf_lark.cli.main import app
from sgf_lark.convert.convert import SgfName
from sgf_lark.convert.steps import MAX_POINTS_WRITTEN
from sgf_lark.core.schema.formats import FormatName
from sgf_lark.core.schema.values import BoardSize
from sgf_lark.core.values.reader import Reader
from sgf_lark.workbench.typed import MAX_NAMES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.elsewhere

#: Corners that span more points than any memory holds.
HUGE = "a1:zzzz99999"

#: Seconds of the processor in which a short text has its answer.
SOON = 10

#: Texts that are read as values for one record: names of columns and rows in both cases.
MOST_READS = 16 * MAX_NAMES


def convert(text: str, to: Format | FormatName | SgfName) -> sgf_lark.Collection:
    return sgf_lark.convert(sgf_lark.loads(text, strict=False), to)


# ---- conversions ----


@pytest.mark.parametrize("to", ["ff3", "ff1"])
def test_a_rectangle_that_no_memory_holds_is_no_list_of_points(
    to: Format | FormatName | SgfName,
) -> None:
    for ident, corners in product(("AB", "AE", "TR", "MA", "SL"), (HUGE, f"a1:z{'9' * 4000}")):
        start = time.process_time()

        with pytest.raises(SgfConversionError) as caught:
            convert(f"(;FF[4]GM[11]SZ[11]{ident}[{corners}])", to)

        assert caught.value.first.name == "list-refused"
        assert caught.value.first.property == ident
        assert time.process_time() - start < SOON


def test_a_huge_rectangle_of_what_the_old_format_lacks_is_kept_as_it_is() -> None:
    made = convert(f"(;FF[4]GM[11]SZ[11]CR[{HUGE}]DD[{HUGE}])", "ff1")

    assert made[0].root.raw["DD"] == (HUGE,)


@pytest.mark.night
def test_rectangles_are_written_out_up_to_a_number_of_points_a_game() -> None:
    few = MAX_POINTS_WRITTEN // 361
    nodes = [f";AE[aa:ss]N[{number}]" for number in range(few + 1)]

    convert(f"(;FF[4]GM[1]SZ[19]{''.join(nodes[:few])})", "ff3")
    with pytest.raises(SgfConversionError, match="too many points") as caught:
        convert(f"(;FF[4]GM[1]SZ[19]{''.join(nodes)};AE[aa:cc]N[x])", "ff3")

    assert [one.code for one in caught.value.report.errors] == ["C736"]


def test_marks_that_look_otherwise_are_reported_by_their_values() -> None:
    made = convert("(;FF[4]GM[1]SZ[19]AB[dd:ff];TR[aa:ss]MA[dd])", "ff1")

    told = [one.message for one in made.diagnostics if one.severity == "warning"]

    assert told == ["TR[aa:ss] looks different as M[aa:ss]", "MA[dd] looks different as M[dd]"]


def test_a_board_that_no_memory_holds_is_no_board_of_ggf() -> None:
    for game, size in product((2, 18), ("53", "99999", "9" * 20, "9" * 4000)):
        with pytest.raises(SgfConversionError) as caught:
            convert(f"(;FF[4]GM[{game}]SZ[{size}])", "ggf")

        assert caught.value.first.name == "board-refused"
        assert caught.value.first.property == "SZ"


@pytest.mark.parametrize("game", [2, 18])
def test_a_rectangle_beyond_the_board_of_ggf_is_cut_to_it(game: int) -> None:
    corners = {2: "a1:h8", 18: "aa:ZZ"}[game]

    made = convert(f"(;FF[4]GM[{game}]SZ[4]AB[{corners}]AW[{corners[:2]}])", "ggf")

    black, corner = "*" * 4, "O***"
    rows = [black] * 4
    rows[0 if game == 2 else 3] = corner
    assert made[0].root.raw["BO"] == (" ".join(["4", *rows, "*"]),)


def test_the_command_line_says_what_is_too_much_and_writes_nothing(tmp_path: Path) -> None:
    for text, to in (("(;FF[4]GM[2]SZ[99999])", "ggf"), (f"(;FF[4]GM[11]AB[{HUGE}])", "ff1")):
        path, out = tmp_path / "one.sgf", tmp_path / "out.sgf"
        path.write_text(text)

        result = CliRunner().invoke(app, ["convert", str(path), "--to", to, "-o", str(out)])

        assert result.exit_code == 1
        assert "refused" in result.stderr
        assert not out.exists()


def test_handicap_of_twixt_has_no_type_and_stays_as_it_is() -> None:
    assert convert("(;FF[3]GM[21]HA[2\\:x])", "ff4")[0].root.raw["HA"] == ("2\\:x",)
    assert convert("(;FF[4]GM[21]SZ[12]HA[2\\:x])", "ff3")[0].root.raw["HA"] == ("2\\:x",)


# ---- what else walks through rectangles ----


@pytest.mark.parametrize("format_", one_in(3, [4, 3, 1]))
def test_checks_of_a_huge_rectangle_are_bounded(format_: int) -> None:
    for game in (1, 2, 3, 4, 5, 6, 9, 11, 18, 19, 20, 21):
        text = f"(;FF[{format_}]GM[{game}]SZ[8]AB[{HUGE}]TR[{HUGE}][aa:ZZ];W[a1];AW[{HUGE}])"
        start = time.process_time()

        sgf_lark.check(io.StringIO(text))

        assert time.process_time() - start < SOON, text


@pytest.mark.night
@pytest.mark.parametrize(
    "size", one_in(5, ["1000000", "1000", f"{10**10}", f"{10**10}:1", f"1:{10**10}"])
)
def test_a_board_of_any_size_is_checked_without_a_look_at_each_column(
    size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    read = Reader.read

    def counted(self: Reader, kind: str, text: str) -> object:
        reads.append(text)
        assert len(reads) < MOST_READS, text
        return read(self, kind, text)

    monkeypatch.setattr(Reader, "read", counted)
    for game in GAMES:
        text = f"(;FF[4]GM[{game}]SZ[{size}]AB[b2];B[d3];W[aa])"
        told = {}
        for engine in ("generated", "lark"):
            reads.clear()
            told[engine] = sgf_lark.check(io.StringIO(text), engine=engine).diagnostics
        assert told["generated"] == told["lark"], game
        assert len(sgf_lark.loads(text, strict=False)[0]) == 3


def test_a_layout_keeps_a_rectangle_that_no_memory_holds() -> None:
    for corners in (HUGE, f"a1:zzz{'9' * 40}"):
        text = f"(;FF[4]GM[11]AB[{corners}])".encode()

        assert corners.encode() in sgf_lark.format_record(text, compress=True)


def test_a_draft_takes_a_rectangle_that_no_memory_holds() -> None:
    draft = GameTree.new("Hex").edit()
    draft.set(0, "AB", [f"a1:zzz{'9' * 40}"])
    points = draft.done(strict=False).root["AB"]

    assert isinstance(points, PointList)
    assert points.total > sys.maxsize
    with pytest.raises(OverflowError, match=f"^{points.total} points are more than len"):
        len(points)
    assert points[0] == Point(0, 0)
    assert points[-1] == Point(26**3 + 26**2 + 25, 10**40 - 2)
    assert points


def test_points_are_found_by_their_numbers() -> None:
    corners = Rectangle(first=Point(4, 2), second=Point(2, 3))
    points = PointList((Point(0, 0), corners, Point(9, 9), corners))
    every = list(points)

    assert [points[n] for n in range(len(points))] == every
    assert [points[n] for n in range(-len(points), 0)] == every
    assert points[2:9:3] == tuple(every[2:9:3])
    assert points[::-1] == tuple(every[::-1])
    for number in (len(points), -len(points) - 1):
        with pytest.raises(IndexError):
            points[number]
    assert PointList(())[:] == ()


def test_points_on_a_board_are_those_that_it_has() -> None:
    first = Rectangle(first=Point(4, 2), second=Point(2, 3))
    points = PointList((Point(0, 0), first, Point(9, 9), Rectangle(first="x", second="y")))

    for columns, rows in ((1, 1), (3, 3), (3, 4), (5, 5), (19, 19)):
        inside = [one for one in points if one.column < columns and one.row < rows]
        assert list(points.on_board(BoardSize(columns, rows))) == inside


# ---- names and values that are something else in the other format ----


def told(text: str, to: Format | FormatName | SgfName) -> tuple[str, list[str]]:
    """The text of a conversion on one line, and the codes of what it says besides C701."""
    made = convert(text, to)
    codes = [one.code for one in made.diagnostics if one.code != "C701"]
    return sgf_lark.dumps(made, style="compact").strip(), codes


def test_a_name_that_the_new_format_forbids_is_left_out() -> None:
    assert told("(;FF[3]GM[1];a8[x])", "ff4") == ("(;FF[4]GM[1]CA[UTF-8];)", ["C703"])
    assert told("(;FF[3]GM[1];B1[aa])", "ff4") == ("(;FF[4]GM[1]CA[UTF-8];)", ["C703"])
    assert told("(;FF[4]GM[1];aBC[x])", "ff3") == ("(;FF[3]GM[1];BC[x])", ["C702"])
    with pytest.raises(SgfConversionError, match="FF\\[4\\] forbids the name a8: a8\\[x\\]"):
        sgf_lark.convert(sgf_lark.loads("(;FF[3]GM[1];a8[x])", strict=False), "ff4", lossy="refuse")


def test_a_name_of_letters_that_is_too_long_is_kept_on_request_only() -> None:
    text = "(;FF[4]GM[1]KGSDE[aa])"

    kept = sgf_lark.convert(sgf_lark.loads(text), "ff3")
    dropped = sgf_lark.convert(sgf_lark.loads(text), "ff3", lossy="drop")

    assert "KGSDE" in kept[0].root
    assert [one.code for one in kept.diagnostics if one.severity == "warning"] == ["C727"]
    assert "KGSDE" not in dropped[0].root
    assert "C703" in {one.code for one in dropped.diagnostics}


def test_no_name_begins_with_a_digit_when_its_small_letters_are_gone() -> None:
    game = sgf_lark.loads("(;FF[3]GM[1];a8[x]a8B[y])", strict=False)[0]

    assert [one.ident for one in game.nodes[1].properties] == ["a8", "A8B"]
    assert len(sgf_lark.loads(sgf_lark.dumps(game, style="canonical"), strict=False)[0]) == 2


def test_colors_in_other_words_become_those_of_ff1() -> None:
    assert told("(;FF[3]GM[1]PL[2])", "ff1") == ("(;FF[1]GM[1]PL[W])", ["C718"])
    assert told("(;FF[3]GM[1]PL[black])", "ff1") == ("(;FF[1]GM[1]PL[B])", ["C718"])
    assert told("(;FF[3]GM[1]PL[green])", "ff1") == ("(;FF[1]GM[1]PL[green])", ["C719"])


def test_a_private_property_that_would_be_another_one_is_left_out() -> None:
    assert told("(;FF[4]GM[1]LT[30]SI[x])", "ff3") == ("(;FF[3]GM[1])", ["C726", "C726"])
    assert told("(;FF[4]GM[1]LT[]SI[1])", "ff3") == ("(;FF[3]GM[1]LT[]SI[1])", [])


# ---- layouts ----


@pytest.mark.parametrize(
    "text",
    [
        b"(;GM[40]FF[4]AB[\r(cja])",
        b"(;FF[4]GM[40];B[a\r\nb];W[a\n\rb]AB[x\r:y])",
        b"(;B[ZZ]Black[aa];)",
        b"(;Black[aa]WhiteX[bb]junk[x])",
        b"(;GaMe[1]SiZe[9]CoPyright[x];Black[tt])",
    ],
)
@pytest.mark.parametrize("width", [None, 20])
def test_a_layout_keeps_opaque_values_and_the_format_that_is_seen(
    text: bytes, width: int | None
) -> None:
    before = sgf_lark.loads(text, strict=False)

    done = sgf_lark.format_record(text, width=width)

    after = sgf_lark.loads(done, strict=False)
    assert after[0].format is before[0].format
    assert sgf_lark.format_record(done, width=width) == done
    compact = sgf_lark.dumps(before, style="compact")
    assert sgf_lark.loads(compact, strict=False)[0].format is before[0].format


# ---- what chance has found ----


def test_a_converted_game_is_the_one_that_its_text_declares() -> None:
    made = convert("(;GM[][2]FF[3]SZ[8];B[d3])", "ff4")

    assert made[0].game == sgf_lark.loads(sgf_lark.dumps(made), strict=False)[0].game == 2
    assert made[0].game_name == "Othello"


def test_a_game_that_its_event_names_keeps_its_number() -> None:
    assert told("(;FF[3]EV[hex.ch.1.1.1];W[a1])", "ff4")[0].startswith("(;FF[4]GM[11]CA")
    assert told("(;FF[3]EV[havannah.ch.1.1.1];W[a1])", "ff4")[0].startswith("(;FF[4]CA[UTF-8]EV")


def test_a_game_that_is_named_and_not_numbered_is_read_by_its_grammar() -> None:
    assert sgf_lark.loads("(;FF[4]GM[Go];B[aa])", strict=False)[0].nodes[1]["B"] == Point(0, 0)


def test_a_mark_on_no_point_stays_a_mark() -> None:
    assert told("(;FF[4]GM[40];MA[x:y][z])", "ff1")[0] == "(;FF[1]GM[40];M[x:y][z])"


def test_a_draft_of_ggf_holds_one_value_a_property_and_one_move_a_node() -> None:
    game = sgf_lark.loads("(;GM[Checkers]PC[x]W[d3];)")[0]
    draft = game.edit()

    with pytest.raises(ValueError, match="expected one, as GGF has it"):
        draft.set(0, "ZZ", ["a", "b"])
    draft.set_raw(1, "B", "d4")
    with pytest.raises(ValueError, match="each other node has one"):
        draft.done()


def test_what_is_pasted_can_be_written_in_the_format_of_the_draft() -> None:
    ggf = sgf_lark.loads("(;GM[Othello]PC[x\\]BO[8 " + "-" * 64 + " *];)", strict=False)[0].edit()
    sgf = sgf_lark.loads("(;FF[4]GM[2]C[a\\]b])")[0].edit()

    with pytest.raises(ValueError, match="invalid value"):
        sgf.paste(0, ggf.copy(0))
    with pytest.raises(ValueError, match="invalid value"):
        ggf.paste(0, sgf.copy(0))
    assert len(sgf.done()) == len(ggf.done()) == 1


def test_the_game_of_a_draft_is_the_one_that_its_text_declares() -> None:
    draft = sgf_lark.loads("(;FF[3]GM[x])", strict=False)[0].edit()
    draft.set_raw(0, "GaMe", "none")
    game = draft.done()

    assert sgf_lark.loads(sgf_lark.dumps(game), strict=False)[0].game_name == game.game_name


def test_no_bracket_gets_into_a_value_of_ggf() -> None:
    with pytest.raises(SgfConversionError, match="cannot contain the '\\]'") as caught:
        convert("(;FF[4]GM[18];B[a\\]b])", "ggf")

    assert {one.code for one in caught.value.report.errors} == {"C742"}


@pytest.mark.parametrize("game", [1, by_night(2)])
@pytest.mark.parametrize("to", ["ff1", "ff3", "ff4", "ggf"])
def test_a_value_that_ends_in_half_of_an_escape_is_converted(
    game: int, to: Format | FormatName | SgfName
) -> None:
    for format_, ident in product((1, 3, 4), ("PB", "C", "LB", "ZZ", "B", "DT")):
        try:
            made = convert(f"(;FF[{format_}]GM[{game}]SZ[8]{ident}[aa:\\", to)
        except SgfConversionError:
            continue
        again = sgf_lark.loads(sgf_lark.dumps(made, style="canonical"), strict=False)
        assert [len(one) for one in again] == [len(one) for one in made]
        assert again.games[0].root.raw.keys() == made.games[0].root.raw.keys()


def test_games_of_which_one_is_cut_off_are_merged() -> None:
    one = sgf_lark.loads("(;FF[4]GM[1]SZ[9]C[x];B[aa])")[0]
    other = sgf_lark.loads("(;FF[4]GM[1]SZ[9]C[y\\", strict=False)[0]

    merged = sgf_lark.merge(one, other)

    assert sgf_lark.loads(sgf_lark.dumps(merged))[0] == merged
