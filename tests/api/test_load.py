"""The doors: what they take, what they give, what they raise."""

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.lanes import amount

import sgf_lark
from sgf_lark import (
    Format,
    SgfSyntaxError,
    SgfTransformer,
    SgfValidationError,
    check,
    iter_games,
    load,
    loads,
    parse_tree,
)
from sgf_lark.core.check import suspects
from sgf_lark.core.model import content, readings
from sgf_lark.core.model.readings import Content, Reading
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.schema.games import GAMES
from sgf_lark.core.schema.properties import PropertyTable

pytestmark = pytest.mark.usefixtures("both_engines")

RECORD = "(;FF[4]CA[UTF-8]PB[黒])"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "game.sgf"
    made.write_bytes(RECORD.encode())
    return made


def test_a_record_is_read_from_a_path_a_file_a_text_or_bytes(file: Path) -> None:
    with file.open("rb") as binary, file.open(encoding="utf-8") as text:
        collections = [
            load(file),
            load(str(file)),
            load(binary),
            load(text),
            load(io.BytesIO(RECORD.encode())),
            load(io.StringIO(RECORD)),
            loads(RECORD),
            loads(RECORD.encode()),
        ]

    assert {collection[0].root["PB"] for collection in collections} == {"黒"}
    assert [collection.encoding for collection in collections] == [
        "utf-8", "utf-8", "utf-8", None, "utf-8", None, None, "utf-8",
    ]  # fmt: skip


def test_an_encoding_of_ones_own_goes_before_all_others() -> None:
    data = "(;FF[4]CA[UTF-8]PB[黒])".encode("shift_jis")

    collection = loads(data, encoding="shift_jis")

    assert collection[0].root["PB"] == "黒"


def test_an_encoding_that_does_not_exist_is_the_callers_mistake() -> None:
    with pytest.raises(LookupError, match="klingon"):
        loads(b"(;FF[4]PB[\xff])", encoding="klingon")


def test_a_format_of_ones_own_goes_before_ff() -> None:
    assert loads("(;FF[4]KM[5.])", format="ff3")[0].format is Format.FF3
    assert loads("(;FF[4]KM[5.5])", format="FF[3]")[0].format is Format.FF3
    assert loads("(;GM[1]KM[5.5])", format=Format.FF4).diagnostics == ()
    with pytest.raises(ValueError, match="no format 'ff9'"):
        loads("(;)", format="ff9")  # type: ignore[arg-type]


def test_sgf_and_ggf_are_told_apart_by_what_they_hold() -> None:
    assert loads("(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[a2];)")[0].format is Format.GGF
    assert loads("(;GM[2]FF[4];)")[0].format is Format.FF4
    assert loads("(;GM[1]SZ[19];)")[0].format is Format.FF1
    assert loads("(;GM[slither]FF[4];P0[x];)", strict=False)[0].format is Format.FF4


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.sgf")


def test_an_error_says_which_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.sgf"
    file.write_text("(;FF[4]KM[x])")

    with pytest.raises(SgfValidationError, match=r"bad\.sgf:1:11: .*'x'") as caught:
        load(file)
    assert (caught.value.first.code, caught.value.first.property) == ("V301", "KM")


def test_check_reports_and_never_raises(tmp_path: Path) -> None:
    file = tmp_path / "bad.sgf"
    file.write_bytes(b"(;FF[4]KM[x]PB[\xe9]")

    report = check(file)

    assert report.name == str(file)
    assert [one.name for one in report.errors] == ["unclosed-tree", "wrong-value"]


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[1]SZ[19];B[zz])",
        "(;FF[4]GM[1]SZ[19]AB[tt])",
        "(;FF[4]GM[1]SZ[19];B[aa];W[bb]TR[cc][zz]LB[zz:a])",
        "(;FF[4]GM[1]SZ[9];B[bb];AW[aa:jj])",
        "(;FF[4]GM[1]SZ[9:13];B[ma])",
        "(;FF[4]GM[1];B[aa];W[aA])",
        "(;FF[3]GM[1]SZ[9];B[nn])",
        "(;FF[1]GM[1]SZ[13];B[nn])",
        "(;SZ[13];B[nn])",
        "(;FF[4]GM[2]SZ[8];B[a1];W[k1])",
        "(;FF[4]GM[4]SZ[15];B[zz])",
        "(;FF[4]GM[9]SZ[8];B[b1-b9])",
        "(;FF[4]GM[11]SZ[11];B[a12])",
        "(;FF[4]GM[18]SZ[10];B[djddgz])",
        "(;FF[4]GM[19]SZ[7];CS[11][99])",
        "(;FF[4]GM[20]SZ[20];B[er:ez])",
        "(;FF[4]GM[21]SZ[24];W[b2];B[z3])",
        "(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[b1]W[h8//1.00];)",
        "(;GM[Othello]PB[a]BO[4 ---- -O*- -*O- ---- *]PB[b]B[b1];)",
        "(;GM[Othello]PB[a]BO[4 ---- -O*- -*O- ---- *]B[b1]PB[b];)",
    ],
)
def test_strict_loading_raises_for_the_errors_of_check(text: str) -> None:
    expected = check(io.StringIO(text)).errors
    assert {one.name for one in expected} <= {"point-off-board", "duplicate-property"}
    assert expected

    for _ in range(2):  # what is kept from game to game changes nothing
        with pytest.raises(SgfValidationError) as caught:
            loads(text)
        assert caught.value.report.errors == expected
        with pytest.raises(SgfValidationError):
            list(iter_games(io.StringIO(text)))
        found = loads(text, strict=False).diagnostics
        assert tuple(one for one in found if one.severity == "error") == expected


def test_boards_of_other_sizes_know_nothing_of_each_other() -> None:
    small, large = "(;FF[4]GM[1]SZ[9];B[cc];W[nn])", "(;FF[4]GM[1]SZ[19];B[cc];W[nn])"

    assert loads(large)[0].nodes[2].move is not None
    with pytest.raises(SgfValidationError, match="9 by 9"):
        loads(large + small)
    assert [one.game for one in loads(small + large, strict=False).diagnostics] == [0]


@pytest.mark.parametrize("raw", [" ", "p d", "pd ", "\\npd"])
def test_a_point_that_was_read_with_white_space_stays_wrong(raw: str) -> None:
    for _ in range(2):
        assert check(io.StringIO(f"(;FF[4]GM[1]SZ[19];B[{raw}])")).errors
        with pytest.raises(SgfValidationError):
            loads(f"(;FF[4]GM[1]SZ[19];B[{raw}])")


def test_loading_replays_a_game_if_somebody_asks() -> None:
    text = "(;FF[4]GM[1]SZ[19];B[aa];W[aa])"

    assert loads(text).diagnostics == ()
    assert [one.name for one in loads(text, check=True).diagnostics] == ["occupied-point"]
    (game,) = iter_games(io.StringIO(text), check=True)
    assert [one.name for one in game.diagnostics] == ["occupied-point"]


def test_a_repeated_property_of_ggf_is_told_once_and_alike_everywhere() -> None:
    board = "BO[4 ---- -O*- -*O- ---- *]"
    for text in (f"PB[a]PB[b]{board}B[b1]PB[c]", f"PB[a]{board}B[b1]PB[b]W[a1]PB[c]CO[x]CO[y]"):
        found = loads(f"(;GM[Othello]{text};)", strict=False).diagnostics

        assert [(one.code, one.severity) for one in found] == [("T207", "error")]
        assert found[0].message == "PB occurs 3 times in this game"


def test_games_come_one_by_one() -> None:
    def text() -> str:
        return "".join(f"(;FF[4]N[{number}])" for number in range(5))

    games = iter_games(io.StringIO(text()))

    assert isinstance(games, Iterator)
    assert [game.root["N"] for game in games] == ["0", "1", "2", "3", "4"]


def test_an_error_comes_with_its_game_and_not_before() -> None:
    games = iter_games(io.StringIO("(;FF[4]N[a])(;FF[4]N[b]KM[x])(;FF[4])"))

    assert next(games).root["N"] == "a"
    with pytest.raises(SgfValidationError) as caught:
        next(games)
    assert [one.game for one in caught.value.report] == [1]


def test_each_game_has_its_own_diagnostics() -> None:
    text = "(;FF[4])hm(;FF[4]KM[x])(;FF[4]"

    found = [
        [one.name for one in game.diagnostics]
        for game in iter_games(io.StringIO(text), strict=False)
    ]

    assert found == [[], ["text-outside-games", "wrong-value"], ["unclosed-tree"]]
    assert [[one.name for one in game.diagnostics] for game in loads(text, strict=False)] == [
        [],
        ["wrong-value"],
        ["unclosed-tree"],
    ]


def test_a_text_without_a_game_is_an_error_only_where_it_is_asked_for() -> None:
    with pytest.raises(SgfSyntaxError, match="this is not a game record"):
        loads("no game")
    assert len(loads("no game", strict=False)) == 0
    with pytest.raises(SgfSyntaxError, match="this is not a game record"):
        list(iter_games(io.StringIO("no game")))


# ---- parse_tree and the transformers ----


def test_a_parse_tree_is_the_grammars_own() -> None:
    tree = parse_tree("(;FF[4](;B[aa]))")

    assert tree.data == "collection"
    assert [str(token) for token in tree.scan_values(lambda _: True)] == ["FF", "[4]", "B", "[aa]"]


@pytest.mark.parametrize("grammar", ["ff1", "ff3", "ff4", "FF4", Format.FF4])
def test_a_grammar_has_a_name(grammar: str) -> None:
    assert parse_tree("(;C[x])", grammar).data == "collection"


def test_a_value_is_parsed_by_its_own_rule() -> None:
    assert parse_tree("aa", "games/go", start="point").data == "point"
    assert parse_tree("(;GM[x];)", "ggf").data == "file"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;KM;B[aa])", "expected a value in '[...]', found ';'"),
        ("(;B[aa]", ("expected '(' or ')' or ';' or a property or a value in '[...]',"
                     " found the end of the text")),
        ("x", "expected '(', found 'x'"),
        ("(;B[aa", "expected a value in '[...]', found '['"),
        ("", "expected '(', found the end of the text"),
    ],
)  # fmt: skip
def test_a_refusal_is_in_words(text: str, message: str) -> None:
    with pytest.raises(SgfSyntaxError) as caught:
        parse_tree(text)

    assert caught.value.msg == message


def test_a_grammar_that_is_not_there_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="no grammar 'ff9'"):
        parse_tree("(;)", "ff9")


def test_a_transformer_makes_games_of_a_tree() -> None:
    rules = RuleSet(Format.FF4, GAMES[1], PropertyTable.standard())

    (game,) = SgfTransformer(rules).transform(parse_tree("(;FF[4];B[aa](;W[bb])(;W[cc]))"))

    assert game == loads("(;FF[4];B[aa](;W[bb])(;W[cc]))")[0]


@pytest.mark.parametrize("how", [{}, {"strict": False}, {"validate": False}, {"engine": "lark"}])
def test_a_grammar_of_ones_own_needs_no_sequence(tmp_path: Path, how: Any) -> None:
    grammar = tmp_path / "own.lark"
    grammar.write_text(
        'collection: game_tree+\ngame_tree: "(" node+ game_tree* ")"\nnode: ";" property*\n'
        "property: IDENT VALUE+\nIDENT: /[A-Z]+/\nVALUE: /\\[[^]]*\\]/\n"
    )
    text = "(;FF[4];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[cc]))(;FF[4])"
    assert loads(text, grammar=grammar, **how) == loads(text, **how)
    (game, _) = loads(text, grammar=grammar, info_only=True)
    assert len(game) == 1


def test_a_transformer_of_ones_own_reads_a_grammar_of_ones_own(tmp_path: Path) -> None:
    grammar = tmp_path / "dialect.lark"
    grammar.write_text(
        'collection: game_tree+\ngame_tree: "(" sequence game_tree* ")"\nsequence: node+\n'
        'node: ";" property* [NOTE]\nproperty: NAME VALUE+\n'
        'NAME: /[A-Z]+/\nVALUE: /\\[[^\\]]*\\]/\nNOTE: /"[^"]*"/\n%ignore " "\n'
    )

    class Dialect(SgfTransformer):
        def node(self, children: list[Reading]) -> Content:
            *properties, note = children
            if note is not None:
                properties.append(self.rules.property("C", (str(note).strip('"'),)))
            return tuple(properties)

    rules = RuleSet(Format.FF4, GAMES[1], PropertyTable.standard())
    tree = parse_tree('(;FF[4] "one";B[aa];W[bb] "two")', grammar)
    (game,) = Dialect(rules).transform(tree)

    assert [node.get("C") for node in game.walk()] == ["one", None, "two"]
    assert game.nodes[1].move is not None


def test_text_and_bytes_give_equal_games() -> None:
    assert sgf_lark.loads("(;FF[4];B[aa])") == sgf_lark.loads(b"(;FF[4];B[aa])").model_copy(
        update={"encoding": None}
    )


# ---- what files share ----


def seen(text: str) -> tuple[list[str], list[str]]:
    """All that is found in a text, and all that it says."""
    collection = sgf_lark.loads(text, strict=False)
    values = [repr(node.items()) for game in collection for node in game.walk()]
    return [str(one) for one in collection.diagnostics], values


def test_what_is_kept_from_file_to_file_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        f"(;FF[{format_}]GM[{game}]SZ[9]KM[{number}.5];B[aa]C[{number}]"
        f";B[{'abcdefghijk'[number]}a]OB[{number - 2}];W[zz]MN[x])"
        for number in range(9)
        for format_ in (3, 4)
        for game in (1, 2, 4)
    ]
    alone = [seen(text) for text in texts]

    monkeypatch.setattr(content, "MAX_READ_NODES", 2)
    monkeypatch.setattr(readings, "MAX_NAMES", 3)
    monkeypatch.setattr(readings, "MAX_KEPT", 3)
    monkeypatch.setattr(suspects, "MAX_ROOTS", 3)  # it is forgotten all the time
    monkeypatch.setattr(suspects, "MAX_BOARDS", 1)
    assert [seen(text) for text in texts] == alone


@pytest.mark.both_lanes
def test_threads_that_read_at_once_read_what_one_does() -> None:
    texts = [f"(;FF[4]GM[1]SZ[9];B[a{one}];W[b{one}]OW[{one}])" * 8 for one in "abcdefghijk"]
    alone, rounds = [seen(text) for text in texts], amount(1, 5)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(seen, texts * rounds)) == alone * rounds
