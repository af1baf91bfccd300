"""Rules: what each finds beyond the catalogue's examples, and what it lets be."""

import io

import pytest

from sgf_lark import CheckOptions, SgfError, check, fix_record, load, loads

HEAD = "(;FF[4]GM[1]SZ[19]"


def found(text: str) -> list[tuple[str, str]]:
    """Code and place of everything that is found in a record."""
    return [(one.code, text[one.offset : one.end_offset]) for one in check(io.StringIO(text))]


# ---- a fault is found at its cause ----


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        # a value that goes on into the next node, property or value
        (";C[text ;B[aa];W[bb])", [("S118", ";B[aa")]),
        (";C[text\n;B[aa]C[good];W[bb](;B[cc])(;B[dd]))", [("S118", ";B[aa")]),
        (";B[aa;W[bb];B[cc])", [("S118", ";W[bb")]),
        ("PB[Aoki PW[Berg]KM[6.5])", [("S118", "PW[Berg")]),
        ("PB[AokiPW[Berg]KM[6.5])", [("S118", "PW[Berg")]),
        (";B[aa]C[C:\\];W[bb]C[x];B[cc])", [("S118", ";W[bb")]),
        (";AB[aa[bb][cc];W[dd])", [("S118", "[bb")]),
        (";B[aa]C[one;(;W[dp])(;W[dd]))", [("S118", "(;W[dp")]),
        ("CA[UTF-8]PB[青木PW[박]KM[6.5])", [("S118", "PW[박")]),
        ("RE[B+RKM[6.5])", [("S118", "KM[6.5")]),
        ("RE[W+RB[x])", [("V304", "W+RB[x")]),
        (";B[aa]LB[aa:1[bb:2][cc:3];W[bb])", [("S118", "[bb:2")]),
        (";B[aa]N[a name C[a text];W[bb])", [("S118", "C[a text")]),
        (";B[aa]LB[aa:x[1];W[bb])", []),
        (";B[aa];W[bb]C[text)\n(;FF[4]GM[1]SZ[19]PB[Aoki];B[cc])",
         [("S118", ")\n(;FF[4")]),
        # what only looks like it
        (";C[In SGF a move is ;B[aa\\] and so on])", []),
        (";C[a[1])", []),
        (";C[x A[aa])", []),
        (";C[no property ;QQ[x])", []),
        # a ']' inside a text
        (";B[aa]C[a [1] b [2] c];W[bb])", [("S119", "] b [2] c]")]),
        (";B[aa]C[:] nice];W[bb])", [("S119", "] nice]")]),
        (";B[aa]C[Lee [9p]: Good [1] Bad [2]];W[bb])", [("S119", "]: Good [1] Bad [2]]")]),
        (";B[aa]C[see [12] White[14] wins];W[bb])", [("S119", "] White[14] wins]")]),
        (";B[aa]C[Lee [9p] (Black [3k]; yes)] N[x];W[bb])", [("S119", "] (Black [3k]; yes)]")]),
        (";B[aa]C[a [3d] (;W[bb]C[b] c]))", [("S119", "] c]")]),
        (";B[aa]]C[b];W[bb])", [("S102", "]")]),
        (";B aa];W[bb])", [("S102", "B aa]")]),
        (";B[aa]C good];W[bb])", [("S102", "C good]")]),
        (";B[aa]C[one]two];W[bb])", [("S119", "]two]")]),
        (";black[aa])", [("S112", "black")]),
        (";B(aa);W[bb])", [("S108", "B(aa)")]),
        # the tree that was left open
        ("(;B[aa];W[bb](;B[cc])(;B[dd])", [("S105", "(")]),
        # a list with a bracket too few or too many
        (";AB[aa]bb][cc][dd];W[ee])", [("S102", "bb]")]),
        (";AB[aa][bb]][cc][dd];W[ee])", [("S102", "]")]),
        # a sentence with brackets of its own
        (";B[aa]C[one]: I see two [three\\]: four];W[bb])",
         [("S119", "]: I see two [three\\]: four]")]),
        # brackets of trees too few or too many
        ("((;B[aa];W[bb])(;B[cc]))", [("S110", "(")]),
        ("(;B[aa];W[bb]))(;B[cc])(;B[dd]))", [("S106", ")")]),
        # what follows from a fault
        ("HA[2AB[dd][pp];W[cc])", [("S118", "AB[dd")]),
        (";B[aa]DM[1]C[a]W[bb]DM[1]C[b])", [("T210", "W[bb]")]),
        # what stands outside
        (";B[aa]);W[bb])", [("S116", ";W[bb])")]),
        (";B[aa]))", [("S106", ")")]),
        (";B[aa]) as FF[4] has it", [("S103", "as FF[4] has it")]),
    ],
)  # fmt: skip
def test_a_fault_is_found_at_its_cause_and_once(rest: str, said: list[tuple[str, str]]) -> None:
    assert found(HEAD + rest) == said


@pytest.mark.parametrize(
    ("rest", "help_"),
    [
        (";B[aa]C[:]];W[bb])", "write '\\]' for the first of both"),
        (";B[aa]C[C:\\];W[bb])", "write '\\\\]' where the value ends"),
        (";B[aa]C[C:\\])", "close the value with ']' at the end"),
        (";Baa;W[bb])", "replace Baa with B[aa]"),
        (";DD[][aa])", "remove DD[]"),
        (";DD[aa]CR[])", "remove CR[]"),
        ("KM[])", "remove KM[]"),
        ("AP[])", "remove AP[]"),
        ("AB[aa bb,cc])", "give each its own brackets: AB[aa][bb][cc]"),
        (";B[aa bb])", ""),
    ],
)
def test_the_way_out_is_the_one_for_this_fault(rest: str, help_: str) -> None:
    (one,) = check(io.StringIO(HEAD + rest))

    assert one.help == help_


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        (";B[aa];W[bb)", ";B[aa];W[bb])"),
        (";B[aa](;W[bb])(;W[cc]C[good\n))\n", ";B[aa](;W[bb])(;W[cc]C[good]\n))\n"),
        (";B[aa]C[C:\\];W[bb]C[x])", ";B[aa]C[C:\\\\];W[bb]C[x])"),
    ],
)
def test_a_value_that_was_not_closed_is_closed_where_it_ends(rest: str, text: str) -> None:
    assert fix_record((HEAD + rest).encode(), unsafe=True).data.decode() == HEAD + text


def test_an_empty_value_is_said_to_be_empty_and_a_move_is_not_left_out() -> None:
    for text in ("(;FF[4]GM[11]SZ[11];B[])", "(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[];)"):
        (one,) = check(io.StringIO(text))

        assert (one.code, one.help, one.fix) == ("V303", "write the move", None)
        assert one.message.startswith("empty value for B: expected ")


def test_a_game_without_ff_is_told_what_it_was_read_as() -> None:
    for text, name in (
        ("(;GM[1]SZ[19];B[pd])", "FF[1]"),
        ("(;GM[1]SZ[19];B[pd]LB[aa:x])", "FF[3]"),
    ):
        (one,) = check(io.StringIO(text))

        assert (one.code, one.help) == ("T201", f"add {name} to the first node")


def test_the_variation_that_was_left_open_is_named() -> None:
    text = HEAD + "(;B[pd];W[dp];B[pp](;B[dd])(;B[dc]))"
    (one,) = check(io.StringIO(text))

    assert (one.code, one.offset) == ("S105", len(HEAD))


def test_another_game_inside_a_game_is_said_once() -> None:
    assert found(f"{HEAD};B[aa](;W[bb])(;W[cc]);FF[4]GM[1]SZ[19];B[aa])") == [("T220", ";")]


def test_an_empty_node_before_the_root_properties_is_seen() -> None:
    text = "(;;FF[4]GM[11]SZ[11];B[e4])"

    assert [code for code, _ in found(text)] == ["T204"]


def test_a_bracket_that_closes_a_game_too_early_is_found_where_it_stands() -> None:
    text = HEAD + "(;B[aa];W[bb]))(;B[cc];W[])(;B[dd]))"
    (one,) = check(io.StringIO(text))

    assert (one.code, one.offset) == ("S106", text.index("))") + 1)


def test_properties_without_a_bracket_before_them_are_not_no_record() -> None:
    (one,) = check(io.StringIO(";FF[4]GM[1];B[aa])"))

    assert one.message == "no '(' begins a game, though there are properties"


@pytest.mark.parametrize("root", ["GM[1FF[4]SZ[19]", "FF[4GM[1]SZ[19]", "FF[4]GM[1SZ[19]"])
def test_what_a_value_of_the_root_swallowed_is_not_missed(root: str) -> None:
    assert [code for code, _ in found(f"(;{root};B[aa];W[bb])")] == ["S118"]


def test_a_pass_in_empty_brackets_is_a_sign_of_ff4() -> None:
    text = "(;GM[1]SZ[19];B[pd];W[];B[];W[])"

    assert [code for code, _ in found(text)] == ["T201"]
    assert loads(text)[0].format == "FF4"


# ---- points ----


@pytest.mark.parametrize(
    "node",
    [
        "AB[aa][bb]AW[cc]",
        "TR[aa]LB[aa:x]",
        "TR[aa]DD[aa]",
        "TB[]TW[aa]",
        "VW[]",
        "AR[aa:bb][bb:aa]",
        "AB[aa:bc]",
        "LB[aa:a\\:b]",
    ],
)
def test_what_the_standard_allows_is_no_finding(node: str) -> None:
    assert found(f"{HEAD};{node})") == []


@pytest.mark.parametrize(
    ("node", "code"),
    [
        ("AB[aa:cc][cc:dd]", "V308"),
        ("AB[aa:cc]AW[bb]", "T217"),
        ("SQ[aa:cc]SL[cc:dd]", "T218"),
        ("AB[aa:cc][aa:cc]", "V308"),
        ("AB[aa:cc][bb][dd]", "V308"),
        ("AB[ca:ac]", "V310"),
        ("LN[aa:bb][aa:bb]", "V315"),
    ],
)
def test_rectangles_are_the_points_in_them(node: str, code: str) -> None:
    assert [one for one, _ in found(f"{HEAD};{node})")] == [code]


def test_several_pieces_may_stand_on_a_point_of_backgammon() -> None:
    for setup in ("AB[f][f][f]AE[a:y]", "AE[a:y]AB[y]AW[y][x]"):
        assert found(f"(;FF[4]GM[6];{setup})") == []


def test_a_point_of_backgammon_holds_checkers_of_one_side() -> None:
    assert found("(;FF[4]GM[6];AE[a:y]AB[f][f]AW[x][f])") == [("T217", "f")]


def test_rows_of_lines_of_action_are_counted_from_the_bottom() -> None:
    assert found("(;FF[4]GM[9]SZ[8];AB[a4:c2])") == []
    assert found("(;FF[4]GM[9]SZ[8];AB[a2:c4])") == []


def test_rectangles_of_any_size_cost_little() -> None:
    text = f"(;FF[4]GM[11]SZ[11];AB{'[a1:zzzz999999]' * 1000})"

    assert "V308" in [code for code, _ in found(text)]


def test_old_games_have_fewer_rules() -> None:
    assert found("(;FF[3]GM[1]SZ[19];AB[aa]B[bb])") == []
    assert [one.severity for one in check(io.StringIO("(;FF[3]GM[1]SZ[19];AB[aa]AW[aa])"))] == [
        "warning"
    ]
    assert found("(;FF[1]GM[1]SZ[19];B[aa]TE[1]BM[1])") == []


# ---- who reads, and who checks ----


def test_rules_of_taste_are_for_those_who_check() -> None:
    text = "(;FF[4]RU[japanese]PL[W];B[aa])"

    assert [code for code, _ in found(text)] == ["T211", "V305", "T221"]
    assert loads(text).diagnostics == ()
    assert load(io.StringIO(text)).diagnostics == ()


def test_a_handicap_of_no_stones_or_without_komi_is_usual() -> None:
    severities = [
        check(io.StringIO(f"{HEAD}HA[{stones}])")).diagnostics[0].severity for stones in (0, 1, -1)
    ]

    assert severities == ["info", "info", "warning"]
    (old,) = check(io.StringIO("(;FF[3]GM[1]SZ[9]HA[0])"))
    assert (old.severity, old.help) == (
        "info",
        "remove HA[0] for an even game",
    )


def test_white_space_and_rectangles_can_be_put_right_safely() -> None:
    for text, right in (("B[p d]", "pd"), ("AB[dd:dd]", "dd"), ("LB[dd:3:1]", "dd:3\\:1")):
        (one,) = check(io.StringIO(f"{HEAD};{text})"))
        assert one.fix is not None
        assert one.fix.safe
        assert [edit.replacement for edit in one.fix.edits] == [right]


@pytest.mark.parametrize(
    ("node", "said", "way_out"),
    [
        ("B[aa]B[bb]", "B occurs twice in this node", "write ';' before the second move"),
        ("AB[aa]AB[bb]", "AB occurs twice in this node", "merge them into one AB"),
        ("C[a]C[b]", "C occurs twice in this node", "join the texts into one C"),
        ("MN[1]MN[2]", "MN occurs twice in this node", "remove MN[2]"),
        ("LB[aa:A][aa:B]", "LB names aa (A19) twice", "name each point once"),
    ],
)
def test_the_help_of_a_finding_fixes_it(node: str, said: str, way_out: str) -> None:
    (one,) = (one for one in check(io.StringIO(f"{HEAD};{node})")) if one.code in {"T207", "V308"})

    assert one.message == said
    assert one.help.startswith(way_out)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("GM[1]SZ[19];TR[dd][pp][dd]", "TR names dd (D16) twice"),
        ("GM[1]SZ[9]AB[aa:bb][ab][bb]", "AB names ab (A8) twice (and 1 more)"),
        ("GM[1]SZ[19]AB[aa]AW[aa]", "aa (A19) is in AB and in AW"),
        ("GM[1]SZ[19];TR[pp]MA[aa:pp]", "aa:pp (A19:Q4) is in TR and in MA"),
        ("GM[1]SZ[19];TB[cc]TW[cc]", "cc (C17) is in TB and in TW"),
        ("GM[11]SZ[11]AB[c3][c3]", "AB names c3 twice"),
        ("GM[1]SZ[9];TR[zz][zz]", "TR names zz twice"),
    ],
)
def test_a_point_in_two_lists_has_its_name_beside_it(text: str, said: str) -> None:
    messages = [one.message for one in check(io.StringIO(f"(;FF[4]{text})"))]

    assert said in messages


# ---- what is allowed and means nothing ----


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD};LN[aa:bb][bb:aa])", [("V315", "bb:aa")]),
        (f"{HEAD};AR[aa:bb][bb:aa])", []),
        (f"{HEAD};AR{'[aa:bb]' * 2000})", [("V315", "aa:bb")]),
        (f"{HEAD};AR[aa:aa][bb:bb])", [("V314", "aa:aa")]),
        (f"{HEAD}KM[375])", [("V322", "375")]),
        (f"{HEAD}KM[-99.5])", []),
        (f"{HEAD}AP[foxwq:1]KM[375])", [("D510", "375")]),
        ("(;FF[1]GM[1]SZ[19]TM[3600])", [("V313", "3600")]),
        ("(;FF[1]GM[1]SZ[19]TM[90])", []),
        ("(;FF[1]GM[4]SZ[15])", [("T203", "4")]),
        ("(;FF[3]GM[4]SZ[15])", []),
        ("(;FF[3]GM[6])", [("T203", "6")]),
        ("(;FF[3]GM[1]SZ[19]OV[3.5])", []),
        ("(;FF[4]GM[4];B[hh])", [("T211", ";")]),
        (f"{HEAD}DT[1996-05-31,06-31,07-01])", [("V317", "06-31")]),
        (f"{HEAD}DT[1996-02-28,30])", [("V317", "30")]),
        ("(;FF[4]GM[18]SZ[10]AB[dj]AA[dj])", [("T217", "dj")]),
        ("(;FF[4]GM[19]SZ[9];B[46CD-56,46D-55])", []),
        ("(;FF[4]GM[19]SZ[9];B[46CD-57])", [("G620", "46CD-57")]),
        ("(;FF[4]GM[19]SZ[9];B[33AB+B])", [("G620", "33AB+B")]),
        ("(;FF[4]GM[19]SZ[9];B[33A+B-C])", [("G620", "33A+B-C")]),
        ("(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B];W[d3])", [("T221", "PL[B]")]),
    ],
)
def test_one_doubt_is_one_finding(text: str, said: list[tuple[str, str]]) -> None:
    assert found(text) == said


def test_a_number_of_a_million_digits_is_doubted_like_any_other() -> None:
    for head in ("AP[foxwq:1]", ""):
        codes = {code for code, _ in found(f"{HEAD}{head}KM[{'9' * (10**6 + 5)}])")}

        assert codes == {"V322"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(;FF[4]GM[1]SZ[19];W[pd])", "G612"),
        ("(;FF[4]GM[1]SZ[19](;W[pd])(;B[pd]))", "G612"),
        ("(;FF[4]GM[1]SZ[19]AB[pd];W[pp])", ""),
        ("(;FF[4]GM[1]SZ[19]PL[W];W[pp])", ""),
        ("(;FF[4]GM[21]SZ[24];W[d11])", ""),
        ("(;FF[4]GM[6];W[31])", ""),
        ("(;FF[4]GM[1]SZ[19]PB[Aoki]PW[Aoki])", "T222"),
        ("(;FF[4]GM[1]SZ[19]PB[]PW[])", ""),
    ],
)
def test_who_plays_and_who_begins_is_doubted_if_somebody_asks(text: str, code: str) -> None:
    options = CheckOptions(select=["T222", "G612"])

    assert [one.code for one in check(io.StringIO(text), options=options)] == [code][: len(code)]
    assert "T222" not in {one.code for one in check(io.StringIO(text))}


@pytest.mark.parametrize(
    ("text", "help_"),
    [
        ("(;FF[4]GM[2]SZ[19]AB[pp][dp]TR[qq];W[qo];B[po](;W[rq])(;W[]))", "write GM[1] for Go"),
        ("(;FF[4]GM[1]SZ[8];B[f5];W[f6];B[e6];W[f4];B[e3];W[PA])", "write GM[2] for Othello"),
        (
            "(;FF[4]GM[1]SZ[19];B[Q16];W[D4];B[Q4];W[D16])",
            "replace B[Q16] with B[pd], and all other points likewise",
        ),
        ("(;FF[4]GM[18]SZ[8];B[e1-e3];W[c2:c5];B[f1-h3])", "write GM[9] for Lines of Action"),
        ("(;FF[4]GM[11];B[31hefe];W[42mk];B[65])", "write GM[6] for Backgammon"),
        ("(;FF[4]GM[11];B[one];W[two];B[three four])", "correct GM"),
    ],
)
def test_moves_of_another_game_are_told_once(text: str, help_: str) -> None:
    (said,) = [one for one in check(io.StringIO(text)) if one.severity == "error"]

    assert said.name == "other-game"
    assert said.help.endswith(help_) or help_ in said.help
    assert (said.line, said.column) == (1, text.index("GM") + 1)


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[1]SZ[19];B[Q16];W[dp];B[Q4];W[D16])",  # one is a move of Go
        "(;FF[4]GM[1]SZ[19];B[Q16];W[D4])",  # two may be slips
        "(;FF[4]GM[1]SZ[19];B[pd]TR[Q1][Q2][Q3][Q4])",  # marks
    ],
)
def test_moves_among_those_of_the_game_are_told_one_by_one(text: str) -> None:
    names = {one.name for one in check(io.StringIO(text)) if one.severity == "error"}

    assert names == {"wrong-value"}


# ---- what only FF[4] forbids ----


@pytest.mark.parametrize("rest", [";AB[aa]B[bb]", ";C[a]C[b]", ";B[aa]W[bb]"])
def test_what_ff1_allows_is_no_error_where_ff4_is_a_guess(rest: str) -> None:
    guessed = check(io.StringIO(f"(;AP[x:1]GM[1]SZ[19]{rest})"))
    declared = check(io.StringIO(f"(;FF[4]AP[x:1]GM[1]SZ[19]{rest})"))
    asked = check(io.StringIO(f"(;AP[x:1]GM[1]SZ[19]{rest})"), format="ff4")

    assert not guessed.errors
    assert [one.code for one in guessed if one.severity == "warning"] == [
        one.code for one in declared.errors
    ]
    assert [one.code for one in asked.errors] == [one.code for one in declared.errors]
    assert loads(f"(;AP[x:1]GM[1]SZ[19]{rest})")


def test_a_second_ca_is_said_to_count_for_nothing() -> None:
    data = "(;FF[4]GM[1]SZ[19]CA[UTF-8]CA[Shift_JIS]PB[青木])".encode()
    (finding,) = check(io.BytesIO(data)).errors

    assert finding.code == "T207"
    assert "only the first one counts" in finding.message
    assert loads(data, strict=False)[0].root["PB"] == "青木"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;FF[1]GM[1]SZ[20])", [("V312", "error")]),
        ("(;FF[3]GM[1]SZ[20])", [("V312", "error")]),
        ("(;FF[3]GM[1]SZ[1])", [("V312", "error")]),
        ("(;FF[1]GM[1]SZ[2])", []),
        ("(;FF[3]GM[1]SZ[19])", []),
        ("(;FF[4]GM[1]SZ[19];B1[aa])", [("S113", "error")]),
        ("(;FF[3]GM[1]SZ[19];ABC[aa])", [("S113", "warning")]),
        ("(;FF[3]GM[1]SZ[19]abc;B[aa])", [("S102", "warning")]),
        ("(;FF[3]GM[1]SZ[19]5 ?;B[aa])", [("S102", "warning")]),
        ("(;FF[3]GM[1]SZ[19]] a;B[aa])", [("S102", "error")]),
        ("(;FF[4]GM[1]SZ[19]5 ?;B[aa])", [("S102", "error")]),
        ("text (;FF[4]GM[1]SZ[19])", [("S103", "warning")]),
        ("(;FF[4]GM[1]SZ[19];LB[aa:b:c])", [("V318", "warning")]),
        ("(;FF[4]GM[1]SZ[19];AB[cc:aa])", [("V310", "warning")]),
        ("(;FF[4]GM[1]SZ[19]AP[x])", [("D502", "info")]),
        (
            "(;GM[Othello]TY[4kr]BO[4 ---- -O*- -*O- ---- *]KB[b1/1]KW[c4/1]KM[1];)",
            [("G642", "info")],
        ),
    ],
)
def test_how_grave_a_finding_is_follows_the_standard(
    text: str, expected: list[tuple[str, str]]
) -> None:
    found = check(io.StringIO(text))

    assert [(one.code, one.severity) for one in found] == expected
    if found.errors:
        with pytest.raises(SgfError):
            loads(text)
    else:
        loads(text)


def test_pl_is_compared_with_the_first_variation_only() -> None:
    head = "(;FF[4]GM[1]SZ[19]AB[dd]AW[pp]PL[B]"

    assert not check(io.StringIO(f"{head}(;B[aa])(;W[aa]))"))
    assert not check(io.StringIO(f"{head};C[x](;B[aa])(;C[y];W[aa]))"))
    for moves in ("(;W[aa])(;B[aa])", ";W[aa]", ";C[x](;W[aa])(;B[aa])"):
        assert [one.code for one in check(io.StringIO(f"{head}{moves})"))] == ["T221"]
