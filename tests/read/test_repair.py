"""Broken records: what is kept, what is said, and where."""

import pytest

import sgf_lark
from sgf_lark import Format, SgfError, SgfSyntaxError, SgfValidationError

pytestmark = pytest.mark.usefixtures("both_engines")

GO = "(;FF[4]"


def nodes(text: str) -> list[str]:
    """The nodes of all games, each behind its path."""
    return [
        f"{node.path}{node}" for game in sgf_lark.loads(text, strict=False) for node in game.walk()
    ]


def found(text: str) -> list[tuple[str, str]]:
    """Each diagnostic that is no info: its name, and the text it points at."""
    return [
        (one.name, text[one.offset : one.end_offset])
        for one in sgf_lark.loads(text, strict=False).diagnostics
        if one.severity != "info"
    ]


@pytest.mark.parametrize(
    ("text", "kept", "said"),
    [
        # junk
        ("Dear all, (see [1])\n(;FF[4]N[x])", ["0;FF[4]N[x]"],
         [("text-outside-games", "Dear all, (see [1])")]),
        ("(;FF[4])\n-- \nme (;FF[4])", ["0;FF[4]", "0;FF[4]"],
         [("text-outside-games", "-- \nme")]),
        ("(;FF[4])\nbye", ["0;FF[4]"], [("text-outside-games", "bye")]),
        ("(;FF[4]C[x] oops! ;B[aa])", ["0;FF[4]C[x]", "1;B[aa]"], [("stray-text", "oops!")]),
        ("(;FF[4]C[a] b] ;B[aa])", ["0;FF[4]C[a]", "1;B[aa]"], [("unescaped-bracket", "] b]")]),
        ("(;FF[4]C[z];[a [b] x][c])", ["0;FF[4]C[z]", "1;"],
         [("missing-identifier", "[a [b]"), ("unescaped-bracket", "] x]"),
          ("missing-identifier", "[c]")]),
        ("(;FF[4]\0;B[aa])", ["0;FF[4]", "1;B[aa]"], [("stray-text", "\0")]),
        # semicolons
        ("(FF[4];B[aa])", ["0;FF[4]", "1;B[aa]"], [("missing-semicolon", "F")]),
        ("(;FF[4](B[aa])(W[bb]))", ["0;FF[4]", "1;B[aa]", "0.1;W[bb]"],
         [("missing-semicolon", "B"), ("missing-semicolon", "W")]),
        # brackets of trees
        ("(;FF[4](;B[aa])(;B[bb])", ["0;FF[4]", "1;B[aa]", "0.1;B[bb]"], [("unclosed-tree", "(")]),
        ("(;FF[4](;B[aa](;B[bb]", ["0;FF[4]", "1;B[aa]", "2;B[bb]"], [("unclosed-tree", "(")]),
        ("(;FF[4]))", ["0;FF[4]"], [("extra-close", ")")]),
        ("(;FF[4]))) x", ["0;FF[4]"], [("extra-close", "))"), ("text-outside-games", "x")]),
        ("((;FF[4];B[aa]))", ["0;FF[4]", "1;B[aa]"], [("empty-tree", "(")]),
        ("((;FF[4])(;FF[4]N[x]))", ["0;FF[4]", "0;FF[4]N[x]"], [("empty-tree", "(")]),
        ("(;FF[4]((;B[aa])(;B[bb])))", ["0;FF[4]", "1;B[aa]", "0.1;B[bb]"], [("empty-tree", "(")]),
        ("(;FF[4]()(;B[aa]))", ["0;FF[4]", "1;B[aa]"], [("empty-tree", "()")]),
        ("(;FF[4]( (;B[aa]) ( ) ))", ["0;FF[4]", "1;B[aa]"],
         [("empty-tree", "("), ("empty-tree", "( )")]),
        ("(;FF[4](;B[aa]);W[bb];B[cc])", ["0;FF[4]", "1;B[aa]", "0.1;W[bb]", "0.1/1;B[cc]"],
         [("node-after-variation", ";")]),
        ("(;FF[4](;B[aa])W[bb])", ["0;FF[4]", "1;B[aa]", "0.1;W[bb]"],
         [("missing-semicolon", "W")]),
        ("(;FF[4];B[aa]\n(;FF[4];B[bb])\n(;FF[4];B[cc])",
         ["0;FF[4]", "1;B[aa]", "0;FF[4]", "1;B[bb]", "0;FF[4]", "1;B[cc]"],
         [("unclosed-tree", "(")]),
        # values
        ("(;FF[4];B[aa];C[abc", ["0;FF[4]", "1;B[aa]", "2;C[abc]"], [("unclosed-value", "[")]),
        ("(;FF[4];B[aa][", ["0;FF[4]", "1;B[aa][]"], [("unclosed-value", "[")]),
        ("(;FF[4];B[p d", ["0;FF[4]", "1;B[p d]"], [("unclosed-value", "[")]),
        ("(;FF[4];B;W[bb])", ["0;FF[4]", "1;", "2;W[bb]"], [("missing-value", "B")]),
        ("(;FF[4];LB B[aa])", ["0;FF[4]", "1;B[aa]"], [("missing-value", "LB")]),
        ("(;FF[4];[aa][bb]W[cc])", ["0;FF[4]", "1;W[cc]"], [("missing-identifier", "[aa][bb]")]),
        ("(;FF[4]C[a\0b])", ["0;FF[4]C[a\0b]"], [("nul-character", "a\0b")]),
        # names
        ("(;FF[4]GaMe[1];Black[aa];Black[bb])",
         ["0;FF[4]GaMe[1]", "1;Black[aa]", "2;Black[bb]"],
         [("lowercase-identifier", "GaMe"), ("lowercase-identifier", "Black")]),
        ("(;FF[4];b[aa])", ["0;FF[4]", "1;b[aa]"], [("lowercase-identifier", "b")]),
        ("(;FF[4]P0[x])", ["0;FF[4]P0[x]"], [("identifier-form", "P0")]),
        ("(;FF[3]MULTI[x])", ["0;FF[3]MULTI[x]"], [("identifier-form", "MULTI")]),
        # nodes
        ("(;FF[4]C[a]C[b])", ["0;FF[4]C[a]C[b]"], [("duplicate-property", "C[b]")]),
        ("(;FF[4];B[aa]W[bb])", ["0;FF[4]", "1;B[aa]W[bb]"], [("two-moves", "W[bb]")]),
        ("(;FF[4];B[aa]AB[bb])", ["0;FF[4]", "1;B[aa]AB[bb]"], [("setup-with-move", "AB[bb]")]),
        ("(;FF[4];SZ[9])", ["0;FF[4]", "1;SZ[9]"], [("root-outside-root", "SZ[9]")]),
        ("(;FF[4]PB[a];PW[b]EV[c])", ["0;FF[4]PB[a]", "1;PW[b]EV[c]"],
         [("second-game-info", "PW[b]")]),
        ("(;FF[4];KM[5][6])", ["0;FF[4]", "1;KM[5][6]"], [("too-many-values", "6")]),
        ("(;FF[4]KM[x]SZ[a])", ["0;FF[4]KM[x]SZ[a]"], [("wrong-value", "x"), ("wrong-value", "a")]),
        ("(;FF[7])", ["0;FF[7]"], [("unknown-format", "7")]),
        ("(;FF[4]GM[99])", ["0;FF[4]GM[99]"], [("unknown-game", "99")]),
        # nothing
        ("", [], [("no-game-record", "")]),
        ("  \n", [], [("no-game-record", "")]),
        ("hello (world)", [], [("no-game-record", "h")]),
        ("()", [], [("empty-tree", "()")]),
    ],
)  # fmt: skip
def test_a_broken_record_is_read_and_its_faults_are_named(
    text: str, kept: list[str], said: list[tuple[str, str]]
) -> None:
    assert nodes(text) == kept
    assert found(text) == said


@pytest.mark.parametrize(
    ("text", "kept", "said"),
    [
        ("(;GM[Othello]B[d3];) x", ["0;GM[Othello]", "1;B[d3]"], [("text-outside-games", "x")]),
        ("(;GM[Othello]B[d3]", ["0;GM[Othello]", "1;B[d3]"], [("unclosed-tree", "(;")]),
        ("(;GM[Othello]B[d3](;GM[Othello]W[c3];)",
         ["0;GM[Othello]", "1;B[d3]", "0;GM[Othello]", "1;W[c3]"], [("unclosed-tree", "(;")]),
        ("(;GM[Othello]B;)", ["0;GM[Othello]"], [("missing-value", "B")]),
        ("(;GM[Othello]C[x\\]B[d3];)", ["0;GM[Othello]C[x\\]", "1;B[d3]"], []),
        ("(;GM[Othello]B[d3", ["0;GM[Othello]", "1;B[d3]"], [("unclosed-value", "[")]),
    ],
)  # fmt: skip
def test_a_broken_ggf_record_is_read_and_its_faults_are_named(
    text: str, kept: list[str], said: list[tuple[str, str]]
) -> None:
    collection = sgf_lark.loads(text, strict=False, format="ggf")

    assert [f"{node.path}{node}" for game in collection for node in game.walk()] == kept
    assert [
        (one.name, text[one.offset : one.end_offset])
        for one in collection.diagnostics
        if one.severity != "info"
    ] == said


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[Othello]PC[x];B[d3]W[c5];)",
        "(;GM[Othello]PC[GGS/os]DT[2003",
        "(;GM[othello] x B[d3]W[c5])",
        "(;GM[Amazons];",
    ],
)
def test_a_game_of_othello_or_amazons_by_its_name_is_ggf_however_damaged(
    text: str,
) -> None:
    games = sgf_lark.loads(text, strict=False)

    assert [game.format for game in games] == [Format.GGF]
    assert games.diagnostics


def test_a_game_in_words_beside_properties_of_sgf_is_no_ggf() -> None:
    (game,) = sgf_lark.loads("(;GM[Othello]SZ[8];B[d3];W[c5])", strict=False)

    assert game.format is not Format.GGF


def test_digits_of_other_scripts_are_no_count_of_games() -> None:
    games = sgf_lark.loads("\N{FULLWIDTH DIGIT TWO} (;GM[Othello]PC[x]B[d3];)", strict=False)

    assert [one.code for one in games.diagnostics] == ["S103"]


def test_repairs_are_found_in_the_text_as_it_stands() -> None:
    text = "(;FF[4](B[aa]\n;C[x"
    game = sgf_lark.loads(text, strict=False)[0]
    spans = [one.span for node in game.walk() for one in node.properties]

    assert [text[slice(*span)] for span in spans if span] == ["FF[4]", "B[aa]", "C[x"]


def test_strict_reading_raises_the_first_error_with_its_place() -> None:
    with pytest.raises(SgfSyntaxError) as caught:
        sgf_lark.loads("(;FF[4]\r;KM;B[aa])")

    error = caught.value
    assert str(error) == (
        "<string>:2:2: KM has no value [S108 missing-value]\n    ;KM;B[aa])\n     ^^"
    )
    assert (error.msg, error.pos, error.lineno, error.colno) == ("KM has no value", 9, 2, 2)
    assert error.doc == "(;FF[4]\r;KM;B[aa])"


def test_strict_reading_raises_a_validation_error_with_the_whole_report() -> None:
    with pytest.raises(SgfValidationError) as caught:
        sgf_lark.loads("(;FF[4]KM[x]ZZ[1]SZ[y])")

    assert [one.name for one in caught.value.report] == [
        "wrong-value",
        "unknown-property",
        "wrong-value",
    ]
    assert str(caught.value).endswith("(and 1 more)")
    assert isinstance(caught.value, SgfError)
    assert isinstance(caught.value, ValueError)


def test_strict_reading_lets_warnings_and_infos_pass() -> None:
    collection = sgf_lark.loads("hello (;GM[1]AP[x])")

    assert [one.severity for one in collection.diagnostics] == ["warning", "info", "info"]


@pytest.mark.parametrize(
    ("text", "format_", "reason"),
    [
        ("(;GM[1]SZ[19];B[aa];W[tt])", Format.FF1, None),
        ("(;GaMe[1];Black[aa])", Format.FF1, None),
        ("(;GM[1]CP[x]LaBel[aa:x])", Format.FF3, "CP"),
        ("(;GM[1]CA[UTF-8];B[])", Format.FF4, "CA"),
        ("(;GM[1]AB[aa:bb])", Format.FF4, "AB[aa:bb]"),
        ("(;GM[1]SZ[25])", Format.FF4, "SZ[25]"),
        ("(;AP[MultiGo:1]RU[x]DT[2004/09/23]MULTIGOGM[1])", Format.FF4, "AP"),
    ],
)
def test_a_game_without_ff_is_read_as_what_it_looks_like(
    text: str, format_: Format, reason: str | None
) -> None:
    collection = sgf_lark.loads(text, strict=False)
    (said,) = [one for one in collection.diagnostics if one.name == "missing-format"]

    assert collection[0].format is format_
    assert said.severity == "info"
    if reason is None:
        assert said.message == "missing FF: read as FF[1], as the standard defines"
    else:
        assert said.message.endswith(f"read as {format_.shown}, because of {reason}")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("((;FF[4]GM[2])(;FF[3]LB[aa:x])(;GM[6]C[x]))", ["FF4 2", "FF3 1", "FF1 6"]),
        ("((;C[x])(;CA[UTF-8]))", ["FF1 1", "FF4 1"]),
        ("(;(;FF[4])C[", ["FF1 1", "FF4 1", "FF1 1"]),
    ],
)
def test_each_of_several_games_in_one_pair_of_brackets_has_its_own_format(
    text: str, kinds: list[str]
) -> None:
    games = sgf_lark.loads(text, strict=False)

    assert [f"{game.format} {game.game}" for game in games] == kinds
    assert {game.format for game in sgf_lark.loads(text, strict=False, format="ff3")} == {"FF3"}


@pytest.mark.parametrize("text", ["(;FF[3", "(;GM[2", "(;SZ[9:13", "(;B[aa];LB[aa:x", "(;VW[aa:cc"])
def test_a_value_that_the_end_of_the_text_cuts_off_counts_for_the_format(text: str) -> None:
    cut, closed = (sgf_lark.loads(one, strict=False)[0] for one in (text, f"{text}])"))

    assert (cut.format, cut.game, cut.nodes.rules) == (
        closed.format,
        closed.game,
        closed.nodes.rules,
    )


def test_a_root_without_its_semicolon_ends_at_the_next_one() -> None:
    (game,) = sgf_lark.loads("(GM[1];FF[4]C[x])", strict=False)

    assert (game.format, len(game)) == (Format.FF1, 2)


def test_ff2_is_read_as_ff1() -> None:
    assert sgf_lark.loads("(;FF[2]BS[-1])")[0].format is Format.FF1
    assert sgf_lark.loads("(;KM[5.])", format="ff2")[0].format is Format.FF1


def test_a_property_that_others_have_is_told_from_one_that_nobody_has() -> None:
    messages = [
        one.message for one in sgf_lark.loads("(;FF[4]GM[2]KM[5]TC[3]QQ[x];QQ[y])").diagnostics
    ]

    assert messages == [
        "KM is a property of Go, not of Othello",
        "TC is a property of FF[3], not of FF[4]",
        "QQ is not a property of FF[4]; it is kept unchanged (2 times in this game)",
    ]


def test_a_diagnostic_knows_game_node_move_and_value() -> None:
    text = "(;FF[4])(;FF[4];B[aa](;W[bb])(;W[cc];AB[dd][zzz]))"
    (one,) = sgf_lark.loads(text, strict=False).diagnostics

    assert (one.game, one.node_path, one.move_number) == (1, "1.1/1", 2)
    assert (one.property, one.value_index) == ("AB", 1)
    assert text[one.offset : one.end_offset] == "zzz"
