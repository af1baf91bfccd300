"""Conversions between the versions of SGF; what each rule does is in the catalogue."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st
from support.conversions import facts
from support.lanes import amount, one_in
from support.timing import LIMIT, growth

import sgf_lark
from sgf_lark import Collection, SgfConversionError, convert
from sgf_lark.convert.lossy import LossyName
from sgf_lark.core.write.dump import dumps

if TYPE_CHECKING:
    from collections.abc import Callable


def converted(text: str, to: str, **options: object) -> str:
    """A text in another format, on one line."""
    return compact(convert(sgf_lark.loads(text, strict=False), to, **options))  # type: ignore[arg-type]  # options by name


def compact(collection: Collection) -> str:
    return dumps(collection, style="compact").strip()


def said(text: str, to: str, **options: object) -> list[tuple[str, str]]:
    """Codes and messages of a conversion."""
    made = convert(sgf_lark.loads(text, strict=False), to, **options)  # type: ignore[arg-type]  # options by name
    return [(one.code, one.message) for one in made.diagnostics]


# ---- what comes out ----


def test_a_record_in_the_format_already_stays_the_very_same() -> None:
    collection = sgf_lark.loads("(;FF[4]GM[1]SZ[19];B[pd])")

    assert convert(collection, "FF4") is collection
    assert convert(collection, "sgf") is collection
    assert convert(collection[0], "ff4") is collection[0]


def test_a_game_becomes_a_game_and_a_collection_a_collection() -> None:
    collection = sgf_lark.loads("(;FF[3]GM[1];B[tt])(;FF[4]GM[1];B[])")

    game, made = convert(collection[0], "ff4"), convert(collection, "ff4")

    assert isinstance(game, sgf_lark.GameTree)
    assert game.diagnostics
    assert [one.format for one in made] == ["FF4", "FF4"]
    assert made[0] == game
    assert made[1] is collection[1]


def test_ff2_is_converted_as_ff1() -> None:
    assert converted("(;FF[2]GM[1]SZ[19];B[tt])", "ff4") == "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[])"


def test_a_format_that_does_not_exist_is_a_value_error() -> None:
    collection = sgf_lark.loads("(;FF[4])")

    with pytest.raises(ValueError, match="no format 'ff5': there are FF1, FF3, FF4, GGF"):
        convert(collection, "ff5")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'perhaps' is not a valid Lossy"):
        convert(collection, "ff4", lossy="perhaps")  # type: ignore[arg-type]


def test_a_diagnostic_names_the_place_in_the_source_and_the_node_of_the_result() -> None:
    collection = sgf_lark.loads("(;FF[3]GM[1]SZ[19]\n;AB[dd]B[pd]\n;W[tt])")

    passed = convert(collection, "ff4").diagnostics[-1]

    assert (passed.line, passed.column, passed.node_path, passed.property) == (3, 2, "2", "W")
    assert passed.message == "W[tt] is now W[], a pass (node 3 of the result)"


def test_a_diagnostic_about_a_game_without_a_text_knows_its_node() -> None:
    source = sgf_lark.loads("(;FF[3]GM[1]SZ[19];B[tt])")
    data = Collection.model_validate(source.model_dump())

    for collection in (Collection(games=source.games), data):
        passed = convert(collection, "ff4").diagnostics[-1]
        assert (passed.line, passed.node_path, passed.property) == (1, "1", "B")


def test_what_is_said_over_two_steps_is_about_the_source() -> None:
    ggf = (
        "(;GM[Othello]PB[a]TY[8]"
        "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[D3];)"
    )

    made = convert(sgf_lark.loads(ggf), "ff3")

    assert compact(made) == ("(;FF[3]GM[2]CA[UTF-8]PB[a]SZ[8]AB[e4][d5]AW[d4][e5]PL[B];B[d3])")
    assert {one.property for one in made.diagnostics} == {"GM", "BO", "B", None}
    assert all(0 <= one.offset < len(ggf) for one in made.diagnostics)


# ---- what cannot be said ----

RICH = "(;FF[4]GM[1]AP[x:1]SZ[19]ST[2];B[pd]SQ[dd]XX[own];W[dp]LN[aa:bb])"


def test_what_an_old_format_cannot_say_is_kept_as_private_with_a_warning() -> None:
    assert converted(RICH, "ff3") == RICH.replace("FF[4]", "FF[3]")
    warned = [one for one in said(RICH, "ff3") if one[0] == "C727"]
    assert [message.split(";")[0] for _, message in warned] == [
        "FF[3] has no AP",
        "FF[3] has no ST",
        "FF[3] has no SQ",
        "FF[3] has no LN",
    ]


def test_what_an_old_format_cannot_say_is_dropped_with_a_warning_on_request() -> None:
    assert converted(RICH, "ff3", lossy="drop") == ("(;FF[3]GM[1]SZ[19];B[pd]XX[own];W[dp])")
    assert [one[0] for one in said(RICH, "ff3", lossy="drop")].count("C730") == 4


def test_what_an_old_format_cannot_say_is_refused_on_request() -> None:
    with pytest.raises(SgfConversionError, match="FF\\[3\\] has no AP") as caught:
        convert(sgf_lark.loads(RICH), "ff3", lossy="refuse")

    assert [one.property for one in caught.value.report.errors] == ["AP", "ST", "SQ", "LN"]
    assert converted("(;FF[4]GM[1]SZ[19];B[])", "ff3", lossy="refuse")


def test_the_properties_of_ff4_are_dropped_for_ff3() -> None:
    for ident, value in {
        "AP": "x:1", "CA": "UTF-8", "ST": "1", "AR": "aa:bb", "LN": "aa:bb", "SQ": "aa",
        "DD": "aa", "VW": "aa:bb", "PM": "1", "OT": "x",
    }.items():  # fmt: skip
        text = f"(;FF[4]GM[1]SZ[19]{ident}[{value}];B[pd])"
        assert converted(text, "ff3", lossy="drop") == "(;FF[3]GM[1]SZ[19];B[pd])"


@pytest.mark.parametrize(
    ("name", "lossy", "encoding"),
    [
        ("René", "drop", "iso-8859-1"),
        ("René", "keep", "utf-8"),
        ("青木", "drop", "utf-8"),
    ],
)
def test_without_ca_an_old_format_is_written_in_its_own_letters_if_it_has_them(
    name: str, lossy: LossyName, encoding: str
) -> None:
    source = sgf_lark.loads(f"(;FF[4]GM[1]CA[UTF-8]PB[{name}])".encode())

    target = io.BytesIO()
    sgf_lark.dump(convert(source, "ff3", lossy=lossy), target)

    assert f"PB[{name}]".encode(encoding) in target.getvalue()
    assert sgf_lark.loads(target.getvalue())[0].root["PB"] == name


@pytest.mark.parametrize("size", ["20", "13:9", "52"])
def test_a_board_that_old_formats_lack_is_refused(size: str) -> None:
    for format_ in ("ff3", "ff1"):
        with pytest.raises(SgfConversionError, match="square boards up to 19x19"):
            convert(sgf_lark.loads(f"(;FF[4]GM[1]SZ[{size}];B[dd])"), format_)


def test_one_refused_game_refuses_the_collection_and_says_which() -> None:
    collection = sgf_lark.loads("(;FF[4]GM[1]SZ[19];B[dd])(;FF[4]GM[1]SZ[20];B[dd])")

    with pytest.raises(SgfConversionError) as caught:
        convert(collection, "ff3")

    assert [one.game for one in caught.value.report.errors] == [1]


# ---- rules with more than one face ----


def test_marks_look_at_the_board_behind_the_moves_and_captures_of_their_node() -> None:
    text = (
        "(;FF[1]GM[1]SZ[9]AB[ba][ab]AW[aa];AW[ca][ac][bb]W[da]M[aa][ba];B[aa]M[aa](;W[ai]M[ai][ii])"
    )
    text += "(;B[ai];W[bi];W[ah]M[ai]))"

    made = convert(sgf_lark.loads(text, strict=False), "ff4")

    shown = {
        node.path: {ident: node.raw[ident] for ident in ("MA", "TR") if ident in node}
        for node in made[0].walk()
    }
    assert {path: marks for path, marks in shown.items() if marks} == {
        "2": {"TR": ("aa", "ba")},
        "3": {"MA": ("aa",)},  # suicide
        "4": {"MA": ("ii",), "TR": ("ai",)},
        "3.1/2": {"MA": ("ai",)},
    }


def test_letters_go_on_behind_z_and_skip_points_with_labels() -> None:
    points = [a + b for a in "abc" for b in "abcdefghij"]
    text = f"(;FF[1]GM[1]SZ[19];L[{']['.join(points)}])"

    made = convert(sgf_lark.loads(text), "ff4")[0]

    labels = [raw.partition(":")[2] for raw in made.nodes[1].raw["LB"]]
    assert labels == [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "AA", "AB", "AC", "AD"]
    assert converted("(;FF[3]GM[1]SZ[19];LB[bb:x]L[aa][bb][cc])", "ff4").endswith(
        "LB[bb:x][aa:A][cc:B])"
    )


def test_children_of_a_split_node_follow_its_last_part() -> None:
    text = "(;FF[3]GM[1]SZ[19];N[x]AB[dd]B[pd]W[dp]C[y](;B[pp])(;B[dd]))"

    assert converted(text, "ff4") == (
        "(;FF[4]GM[1]CA[UTF-8]SZ[19];N[x]AB[dd];B[pd]C[y];W[dp](;B[pp])(;B[dd]))"
    )


def test_pl_stays_before_a_move_of_the_other_color_and_goes_before_its_own() -> None:
    assert converted("(;FF[3]GM[1];PL[W]B[pd])", "ff4").endswith(";PL[W];B[pd])")
    assert converted("(;FF[3]GM[1];PL[B]B[pd])", "ff4").endswith("];B[pd])")


def test_tt_is_a_point_on_a_board_beyond_19() -> None:
    assert "B[tt]" in converted("(;FF[3]GM[1]SZ[21];B[tt])", "ff4")
    assert "B[tt]" in converted("(;FF[3]GM[11]SZ[11];B[tt])", "ff4")


def test_minutes_are_turned_into_seconds_and_back_on_request() -> None:
    text = "(;FF[1]GM[1]SZ[19]TM[1.5])"

    assert "TM[1.5]" in converted(text, "ff4")
    assert "TM[90]" in converted(text, "ff4", minutes=True)
    assert "TM[1.5]" in converted("(;FF[4]GM[1]SZ[19]TM[90])", "ff1", minutes=True)
    assert "TM[30]" in converted("(;FF[3]GM[1]SZ[19]TM[30])", "ff4", minutes=True)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("DT[1996-05-27]", "DT[1996-05-27]"),
        ("DT[1996.5.7]", "DT[1996-05-07]"),
        ("DT[1996/05/07]", "DT[1996-05-07]"),
        ("DT[19960507]", "DT[1996-05-07]"),
        ("DT[May 7, 1996]", "DT[1996-05-07]"),
        ("DT[7th May 1996]", "DT[1996-05-07]"),
        ("DT[May 27-28, 1996]", "DT[1996-05-27,28]"),
        ("DT[May 1996]", "DT[1996-05]"),
        ("DT[1996-05-27, 28]", "DT[1996-05-27,28]"),
        ("DT[5/7/1996]", "DT[5/7/1996]"),
        ("DT[1996-13-07]", "DT[1996-13-07]"),
        ("RE[0]", "RE[0]"),
        ("RE[b+r]", "RE[B+R]"),
        ("RE[White + 3,5]", "RE[W+3.5]"),
        ("RE[B+2 1/2]", "RE[B+2.5]"),
        ("RE[Black wins by resignation]", "RE[B+R]"),
        ("RE[white by 3 points]", "RE[W+3]"),
        ("RE[Jigo]", "RE[0]"),
        ("RE[no result]", "RE[Void]"),
        ("RE[who knows]", "RE[who knows]"),
        ("TM[2 hours]", "TM[7200]"),
        ("TM[1h 30m]", "TM[5400]"),
        ("TM[90 min each]", "TM[5400]"),
        ("TM[1:00:00]", "TM[3600]"),
        ("TM[long]", "TM[long]"),
        ("KM[5,5]", "KM[5.5]"),
        ("KM[.5]", "KM[0.5]"),
        ("SZ[19x19]", "SZ[19]"),
        ("FG[Figure 1]", "FG[0:Figure 1]"),
    ],
)
def test_values_are_put_right_where_it_is_clear_what_is_meant(was: str, now: str) -> None:
    assert now in converted(f"(;FF[3]GM[1]{was};B[pd])", "ff4")


@pytest.mark.parametrize(
    ("values", "kept", "finding"),
    [
        ("[a][b]", "a", ("C720", "PW accepts one value: [b] is left out")),
        ("[a][a]", "a", ("C705", "PW accepts one value: the repeated ones are left out")),
        ("[][a][]", "a", None),
    ],
)
def test_of_several_values_of_a_name_the_first_stays_and_the_others_are_told(
    values: str, kept: str, finding: tuple[str, str] | None
) -> None:
    text = f"(;FF[3]GM[1]PW{values})"

    assert f"PW[{kept}])" in converted(text, "ff4")
    assert [one for one in said(text, "ff4") if one[0] != "C701"] == [finding] * bool(finding)


def test_text_of_old_formats_says_the_same_in_ff4_and_back() -> None:
    text = "(;FF[3]GM[1]SZ[19]PB[a\\]b\\\\c:d];B[pd]C[x\\y\\\nz\n]LB[dd:p:q][ee:r])"

    there = convert(sgf_lark.loads(text, strict=False), "ff4")[0]

    assert there.root["PB"] == "a]b\\c:d"
    assert there.nodes[1]["C"] == "xyz\n"
    assert [getattr(one, "second", None) for one in there.nodes[1]["LB"]] == ["p:q", "r"]
    back = convert(there, "ff3")
    assert back.root["PB"] == "a]b\\c:d"
    assert back.nodes[1].raw["LB"] == ("dd:p:q", "ee:r")


def test_a_handicap_below_two_stays_with_a_warning() -> None:
    text = "(;FF[3]GM[1]SZ[19]HA[1])"

    assert "HA[1]" in converted(text, "ff4")
    assert said(text, "ff4")[-1] == (
        "C719",
        "HA[1] is kept; FF[4] expects at least 2",
    )


def test_ff1_becomes_ff3_with_its_marks_and_letters_alone() -> None:
    text = "(;FF[1]GM[1]SZ[19]VW[aa][cc]TM[30];B[tt]M[dd]L[ee]EL[3])"

    assert converted(text, "ff3") == (
        "(;FF[3]GM[1]SZ[19]VW[aa][cc]TM[30];B[tt]MA[dd]LB[ee:A]EL[3])"
    )


def test_ff3_becomes_ff1() -> None:
    text = "(;FF[3]GM[1]SZ[19]RU[Ing];B[tt]LB[dd:A][ee:B]CR[cc];W[pp]IT[])"

    assert converted(text, "ff1", lossy="drop") == (
        "(;FF[1]GM[1]SZ[19];B[tt]L[dd][ee];W[pp]TE[1]BM[1])"
    )


# ---- there and back ----

points = st.builds(lambda a, b: a + b, st.sampled_from("abcdefghi"), st.sampled_from("abcdefghi"))
words = st.text(
    st.characters(
        codec="utf-8",
        exclude_characters="\0\t\v\f\r\n",
        exclude_categories=("Cs", "Zs", "Zl", "Zp", "Cc"),
    ),
    min_size=1,
    max_size=8,
)


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


@st.composite
def ff3_nodes(draw: st.DrawFn) -> str:
    """A node that FF[4] says in the same way, but for passes and escapes."""
    color = draw(st.sampled_from("BW"))
    found = f";{color}[{draw(points | st.just('tt'))}]"
    if draw(st.booleans()):
        found += f"C[{escaped(draw(words))}]"
    if draw(st.booleans()):
        found += f"LB[{draw(points)}:{escaped(draw(words))[:3].rstrip(chr(92))}]"
    if draw(st.booleans()):
        marked = draw(st.lists(points, min_size=1, max_size=4, unique=True))
        found += draw(st.sampled_from(["TR", "MA", "CR", "SL"])) + "".join(
            f"[{one}]" for one in marked
        )
    return found + draw(
        st.sampled_from(["", "TE[1]", "DO[]", "IT[]", "V[1.5]", "HO[2]", "KO[]", "XY[z]"])
    )


ff3_games = st.builds(
    lambda player, main, one, other: (
        f"(;FF[3]GM[1]SZ[9]PB[{escaped(player)}]RE[B+R]{''.join(main)}({one})({other}))"
    ),
    words,
    st.lists(ff3_nodes(), max_size=4),
    ff3_nodes(),
    ff3_nodes(),
)


@settings(max_examples=amount(4, 50))
@given(ff3_games)
def test_ff3_comes_back_from_ff4_as_it_was(text: str) -> None:
    source = sgf_lark.loads(text, strict=False)[0]

    there = convert(source, "ff4")
    back = convert(there, "ff3", lossy="drop")

    assert facts(back) == facts(source)
    assert facts(convert(back, "ff4")) == facts(there)


@settings(max_examples=amount(6, 50))
@given(ff3_games)
def test_what_is_written_of_a_converted_game_is_read_as_the_same_game(text: str) -> None:
    source = sgf_lark.loads(text, strict=False)

    for format_ in ("ff4", "ff3", "ff1"):
        made = convert(source, format_)
        again = sgf_lark.loads(dumps(made), strict=False)
        assert facts(again[0], frozenset()) == facts(made[0], frozenset())
        assert not {one.code for one in again.diagnostics if one.severity == "error"}


# ---- depth and length ----


@pytest.mark.parametrize("depth", [1_000, pytest.param(100_000, marks=pytest.mark.night)])
def test_so_many_nested_variations_are_converted_there_and_back(depth: int) -> None:
    text = "(;FF[3]GM[1]SZ[9]" + "(;B[tt]M[aa]" * depth + ")" * depth + ")"

    there = convert(sgf_lark.loads(text, strict=False), "ff4")
    back = convert(there, "ff1", lossy="drop")

    assert len(there[0]) == len(back[0]) == depth + 1
    assert back[0].nodes[depth].raw == {"B": ("tt",), "M": ("aa",)}


@pytest.mark.night
@pytest.mark.timing
@pytest.mark.both_lanes
@pytest.mark.parametrize(
    ("head", "part"),
    one_in(
        5,
        [
            ("(;FF[1]GM[1]SZ[19]", ";AB[dd]B[{a}{b}]M[dd][ee]"),
            ("(;FF[3]GM[1]SZ[19]", ";B[{a}{b}]W[tt]C[x:y]LB[{a}{b}:x:y]"),
            ("(;FF[1]GM[1]SZ[19];B[aa]", "C[x]"),
            ("(;FF[1]GM[1]SZ[19];B[aa]", "AB[{a}{b}]"),
            ("(;FF[1]GM[1]SZ[19];L", "[{a}{b}]"),
        ],
    ),
)
def test_twice_as_much_takes_twice_as_long(head: str, part: str) -> None:
    def work(count: int) -> Callable[[], object]:
        text = head + "".join(
            part.format(a="abcdefghijklmnopqrs"[n % 19], b="abcdefghijklmnopqrs"[n // 19 % 19])
            for n in range(count)
        )
        source = sgf_lark.loads(text + ")", strict=False)
        return lambda: convert(source, "ff4")

    assert growth(work, 1_500) <= LIMIT


def test_text_that_is_no_part_of_a_game_is_told_to_be_left_out() -> None:
    text = "Hello (;FF[3]GM[1]SZ[9] why?;B[aa])\nand (;FF[4]GM[1] this) bye"
    source = sgf_lark.loads(text, strict=False)
    made = sgf_lark.convert(source, "ff4")

    assert [one.message for one in made.diagnostics if one.name == "text-left-out"] == [
        "'Hello' is in no game, and is left out",
        "'why?' belongs to no property, and is left out",
        "'and' is in no game, and is left out",
        "'bye' is in no game, and is left out",
    ]
    assert "this" in sgf_lark.dumps(made)
    with pytest.raises(SgfConversionError, match="'Hello' is in no game"):
        sgf_lark.convert(source, "ff4", lossy="refuse")


def test_what_was_found_in_a_game_stays_when_it_is_converted_or_written() -> None:
    game = sgf_lark.loads("(;FF[3]KM[x])", strict=False)[0]
    before = game.diagnostics
    sgf_lark.convert(game, "ff4")
    sgf_lark.dumps(game)

    assert [one.code for one in game.diagnostics] == [one.code for one in before] != []


def test_a_value_of_several_words_is_put_right_before_its_spaces_go() -> None:
    made = sgf_lark.convert(sgf_lark.loads("(;FF[3]KM[5 1/2]HA[x  y]AB[a a])", strict=False), "ff4")

    assert made[0].root.raw["KM"] == ("5.5",)
    assert made[0].root.raw["HA"] == ("x y",)
    assert made[0].root.raw["AB"] == ("aa",)


def test_a_label_that_ff1_does_not_know_keeps_its_point_and_takes_no_letter() -> None:
    source = sgf_lark.loads("(;FF[1]GM[1]SZ[9]LB[bb:x]L[aa][bb][cc]TR[dd]M[dd][ee])", strict=False)
    root = sgf_lark.convert(source, "ff4")[0].root

    assert root.raw["LB"] == ("bb:x", "aa:A", "cc:B")
    assert (root.raw["TR"], root.raw["MA"]) == (("dd",), ("ee",))


def test_no_handicap_is_no_loss() -> None:
    for number, severity in (("0", "info"), ("1", "warning")):
        result = convert(sgf_lark.loads(f"(;FF[3]GM[1]SZ[9]HA[{number}])"), "ff4")
        assert [one.severity for one in result.diagnostics if one.code == "C719"] == [severity]
