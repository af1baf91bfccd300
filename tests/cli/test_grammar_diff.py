"""``sgf-lark grammar diff`` with records: what two grammars or tables make of them, and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sgf_lark.cli.files import Change
from sgf_lark.cli.main import app
from sgf_lark.core.grammar import grammars
from sgf_lark.files.time_limit import FIX_GRAMMAR, TimeLimitError
from sgf_lark.workbench import compare_records

FF4 = grammars.path("ff4").read_text(encoding="utf-8")

#: Copies of ff4 with one change, by what it is.
CHANGED = {
    "a name may have a digit": ("PROP_IDENT: UC_LETTER+", "PROP_IDENT: /[A-Z][A-Z0-9]*/"),
    "no empty node": ("node: _SEMICOLON property*", "node: _SEMICOLON property+"),
    "a tab is no gap": ("%ignore WS", "%ignore / +/"),
    "komi without a fraction": ("komi: REAL", "komi: NUMBER"),
}

#: Records, each with something that one of the changes concerns.
RECORDS = {
    "komi.sgf": "(;FF[4]\nKM[6.5];B[pd])\n(;FF[4]KM[7])",
    "empty.sgf": "(;FF[4]\n;)(;FF[4];B[aa])",
    "tab.sgf": "(;FF[4]\t;B[pd])",
    "broken.sgf": "(;FF[4]KM[6.5];B[pd",
    "none.sgf": "no record",
}

#: A game with points and moves of its own.
PIG = '[games.Pig]\nnumber = 77\ngrammar = "pig.lark"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    for name, text in RECORDS.items():
        (tmp_path / "games" / name).write_text(text, encoding="utf-8")
    write("copy.lark", FF4)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")


def changed(what: str) -> None:
    """Write the copy with a change as mine.lark."""
    old, new = CHANGED[what]
    assert old in FF4
    write("mine.lark", FF4.replace(old, new))


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, ["grammar", "diff", *arguments], text, catch_exceptions=False)


def found(*arguments: str, text: str | None = None) -> dict[str, Any]:
    """What the JSON of a comparison says."""
    done = run(*arguments, "--format", "json", text=text)
    data: dict[str, Any] = json.loads(done.stdout)
    assert done.exit_code == (2 if data["unread"] else 1 if data["changes"] else 0)
    return data


def places(data: dict[str, Any]) -> list[tuple[str, int, int, str, str | None]]:
    keys = ("file", "line", "column", "kind", "property")
    return [tuple(one[key] for key in keys) for one in data["changes"]]


def test_a_copy_of_a_grammar_changes_nothing() -> None:
    data = found("ff4", "copy.lark", "games")

    assert data["changes"] == []
    for counts in data["counts"].values():
        assert counts["both"]
        assert not any(counts[kind] for kind in ("first", "second", "otherwise"))
    assert data["counts"]["files"]["neither"] == 2  # broken.sgf, none.sgf


def test_a_game_that_one_grammar_rejects_is_named_with_its_first_error() -> None:
    changed("no empty node")
    data = found("ff4", "mine.lark", "games")

    assert places(data) == [("games/empty.sgf", 2, 2, "first", None)]
    assert data["changes"][0]["first"]["read"]
    assert data["changes"][0]["second"]["code"] == "S199"
    assert data["counts"]["files"]["first"] == 1
    games = data["counts"]["games"]
    assert (games["first"], games["second"]) == (1, 0)
    back = found("mine.lark", "ff4", "games")
    assert places(back) == [("games/empty.sgf", 2, 2, "second", None)]


def test_each_game_that_one_grammar_rejects_has_its_own_place() -> None:
    changed("no empty node")
    write("two.sgf", "(;FF[4]\n;)\n(;FF[4];B[aa])\n(;FF[4];)")

    assert [place[:4] for place in places(found("ff4", "mine.lark", "two.sgf"))] == [
        ("two.sgf", 2, 2, "first"),
        ("two.sgf", 4, 9, "first"),
    ]


def test_what_a_grammar_ignores_is_seen() -> None:
    changed("a tab is no gap")
    named = {one["file"] for one in found("ff4", "mine.lark", "games")["changes"]}

    assert "games/tab.sgf" in named


def test_a_name_that_one_grammar_allows_is_seen() -> None:
    write("digit.sgf", "(;FF[4]A1[x])")
    changed("a name may have a digit")

    assert places(found("ff4", "mine.lark", "digit.sgf"))[0][3] == "second"


def test_a_value_that_one_grammar_reads_is_named_with_both_readings() -> None:
    changed("komi without a fraction")
    data = found("ff4", "mine.lark", "games")

    place = ("games/komi.sgf", 2, 4, "first", "KM")
    assert place in places(data)
    change = data["changes"][places(data).index(place)]
    assert (change["raw"], change["type"]) == ("6.5", "komi")
    assert change["first"] == {"read": True, "value": "6.5", "shown": "6.5"}
    assert change["second"]["code"] == "V301"
    assert data["counts"]["files"]["otherwise"] == 1
    assert data["counts"]["games"]["first"] == 0


def test_values_of_a_game_that_both_repair_are_compared() -> None:
    changed("komi without a fraction")

    assert ("games/broken.sgf", 1, 11, "first", "KM") in places(found("ff4", "mine.lark", "games"))


def test_a_priority_that_changes_values_is_seen() -> None:
    write("dates.sgf", "(;FF[4]DT[2024-06-01,2024-07-02])")
    write("mine.lark", FF4.replace("NEXT_DATE.3:", "NEXT_DATE:"))

    assert places(found("copy.lark", "mine.lark", "dates.sgf"))[0][3:] == ("first", "DT")


def test_properties_that_one_side_does_not_see_are_named() -> None:
    write("a.sgf", "(;FF{4}KM{0.5};B{pd})")
    braces = (
        'collection: game_tree+\ngame_tree: "(" sequence game_tree* ")"\nsequence: node+\n'
        'node: ";" property*\nproperty: PROP_IDENT PROP_VALUE+\nPROP_IDENT: /[A-Z]+/\n'
        "PROP_VALUE: /\\{[^}]*\\}/\n%ignore /\\s+/\n"
    )
    write("braces.lark", braces)
    write("fewer.lark", braces.replace("%ignore /\\s+/", "%ignore /\\s+|KM\\{[^}]*\\}/"))
    data = found("braces.lark", "fewer.lark", "a.sgf")

    assert places(data) == [("a.sgf", 1, 8, "first", "KM")]


def test_the_report_for_people_has_groups_places_and_a_table() -> None:
    changed("komi without a fraction")
    shown = run("ff4", "mine.lark", "games").stdout
    title, first, *rest = shown.splitlines()

    assert title == "KM, komi: only ff4 reads 2 values in 2 files"
    assert first.split()[0] == "games/broken.sgf:1:11"
    *_, heads, files, games, values = rest
    assert heads.split("  ")[-1] == "neither"
    assert [line.split()[0] for line in (files, games, values)] == ["files", "games", "values"]
    assert "neither" not in run("ff4", "mine.lark", "games", "--quiet").stdout


def test_the_report_names_a_place_in_each_of_the_first_files() -> None:
    changed("komi without a fraction")
    write("many.sgf", "(;FF[4]KM[0.5])" * 9)
    shown = run("ff4", "mine.lark", "many.sgf", "games/komi.sgf").stdout.splitlines()

    assert [line.split()[0] for line in shown[1:3]] == ["many.sgf:1:11", "games/komi.sgf:2:4"]
    assert shown[3] == "  and 8 more; --format json has all"


def test_processes_find_the_same() -> None:
    changed("komi without a fraction")
    alone, several = (found("ff4", "mine.lark", "games", "--jobs", jobs) for jobs in "12")

    assert alone == several


def test_a_grammar_may_come_from_standard_input() -> None:
    changed("komi without a fraction")
    data = found("-", "mine.lark", "games", text=FF4)

    assert (data["first"], data["second"]) == ("<stdin>", "mine.lark")
    assert places(data) == places(found("ff4", "mine.lark", "games"))
    assert run("-", "-", "games", text=FF4).exit_code == 2
    assert run("-", "mine.lark", "-", text=FF4).exit_code == 2


def test_a_file_that_cannot_be_read_does_not_stop_the_others() -> None:
    changed("komi without a fraction")
    write("bad.zip", "no archive")
    data = found("ff4", "mine.lark", "bad.zip", "missing.sgf", "games")

    assert [one["file"] for one in data["unread"]] == ["bad.zip", "missing.sgf"]
    assert places(data)


def test_a_text_that_takes_too_long_is_no_fault_of_the_program() -> None:
    failed = Change.of_error("a.sgf", TimeLimitError("the grammar takes long"), "compared")

    assert failed.missed.startswith("this file could not be compared, because the grammar takes")
    assert failed.missed.endswith(FIX_GRAMMAR)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (FF4.replace("sequence: node+", "sequense: node+"), "mine.lark:19:18"),
        (FF4.replace("game_tree", "tree"), "mine.lark:19:1"),
        ("start: %", "mine.lark:1:8"),
    ],
)
def test_a_broken_grammar_is_told_with_its_place(text: str, place: str) -> None:
    write("mine.lark", text)
    done = run("ff4", "mine.lark", "games")

    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{place}: error: " in done.stderr


def test_rules_are_not_compared_by_records() -> None:
    done = run("ff4:komi", "ff3:komi", "games")

    assert (done.exit_code, "not by a rule" in done.stderr) == (2, True)


# ---- tables ----


def test_two_settings_files_are_compared_by_what_they_read() -> None:
    write("wi.sgf", "(;FF[4]WI[2.5])(;FF[4]WI[x])")
    write("old.toml", '[properties]\nWI = "real"\n')
    write("new.toml", '[properties]\nWI = "text"\n')
    data = found("old.toml", "new.toml", "wi.sgf")

    assert places(data) == [
        ("wi.sgf", 1, 11, "otherwise", "WI"),
        ("wi.sgf", 1, 26, "second", "WI"),
    ]
    assert [data["changes"][0][side]["shown"] for side in ("first", "second")] == ["2.5", "'2.5'"]
    rows = run("old.toml", "new.toml").stdout.splitlines()
    assert "FF[4], WI: type 'real' -> type 'text'" in rows


def test_a_grammar_in_a_settings_file_is_compared() -> None:
    changed("komi without a fraction")
    write("old.toml", 'grammar = "copy.lark"\n')
    write("new.toml", 'grammar = "mine.lark"\n')

    assert places(found("old.toml", "new.toml", "games")) == places(
        found("copy.lark", "mine.lark", "games")
    )
    write("old.toml", "")
    done = run("old.toml", "new.toml")
    assert (done.exit_code, done.stdout.partition(" -> ")[0]) == (1, "grammar: of each format")


def test_two_tables_are_compared() -> None:
    table = Path(compare_records.__file__).parents[1] / "core" / "schema" / "properties.tsv"
    text = table.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("FF4\tGo\tKM\t"))
    write("old.tsv", text)
    simple = row.replace("\treal\t", "\tsimpletext\t").replace("\tone\tkomi\t", "\tone\t-\t")
    write("new.tsv", text.replace(row, simple))
    data = found("old.tsv", "new.tsv", "games/komi.sgf")

    assert [place[3:] for place in places(data)] == [("otherwise", "KM")] * 2
    assert run("old.tsv", "new.tsv").stdout.startswith("FF[4], Go, KM: type 'real', ")
    write("new.tsv", text + "FF4\n")
    done = run("old.tsv", "new.tsv", "games")
    assert (done.exit_code, done.stderr.startswith("error: new.tsv: ")) == (2, True)


def test_the_types_of_settings_are_those_of_either_grammar() -> None:
    own = "%import .ff4 (collection, game_tree, sequence, node, property, PROP_IDENT, PROP_VALUE)\n"
    own += "%import .ff4 (_OPEN, _CLOSE, _SEMICOLON, NUMBER, WS)\n%ignore WS\n"
    write("small.lark", own + 'byoyomi: NUMBER "x" NUMBER\n')
    write("large.lark", own + 'byoyomi: NUMBER ("x" | "X") NUMBER\n')
    write("sgf-lark.toml", '[properties]\nBY = "byoyomi"\n')
    write("a.sgf", "(;FF[4]BY[5X30])")

    assert places(found("small.lark", "large.lark", "a.sgf")) == [("a.sgf", 1, 11, "second", "BY")]
    done = run("small.lark", "ff4", "a.sgf")
    assert (done.exit_code, "sgf-lark.toml:2:6" in done.stderr) == (2, True)


# ---- grammars of games, and of anything ----


def test_grammars_of_a_game_are_compared_by_the_records_of_the_game() -> None:
    go = grammars.path("games/go").read_text(encoding="utf-8")
    write("go.lark", go)
    write("mine.lark", go.replace('COORDINATE: "a".."z" | "A".."Z"', 'COORDINATE: "a".."o"'))

    assert found("games/go", "go.lark", "games")["changes"] == []
    data = found("games/go", "mine.lark", "games/komi.sgf")
    assert places(data) == [("games/komi.sgf", 2, 11, "first", "B")]


def test_the_game_of_a_grammar_is_found_in_the_settings() -> None:
    write("pig.lark", 'move: DIGIT+ | "pass"\nDIGIT: "0".."9"\n')
    write("new.lark", 'move: DIGIT\nDIGIT: "0".."9"\n')
    write("pig.sgf", "(;FF[4]GM[77];B[12];W[pass])")
    unknown = run("pig.lark", "new.lark", "pig.sgf")
    write("sgf-lark.toml", PIG)

    assert (unknown.exit_code, "[games.NAME] grammar" in unknown.stderr) == (2, True)
    assert [place[3:] for place in places(found("pig.lark", "new.lark", "pig.sgf"))] == [
        ("first", "B"),
        ("first", "W"),
    ]
    assert run("pig.lark", "ff4", "pig.sgf").exit_code == 2


def test_other_texts_are_parsed_whole_and_their_trees_compared() -> None:
    write("old.lark", 'rolls: roll ("," roll)*\nroll: die die | "pass"\ndie: "1".."6"\n')
    new = 'rolls: roll ("," roll)*\nroll: die die | PASS\nPASS: /[Pp]ass/\ndie: "1".."5"\n'
    write("new.lark", new)
    for name, text in {"a": "31,pass", "b": "36,22", "c": "Pass", "d": "12", "e": "zz"}.items():
        write(f"{name}.txt", text)
    data = found("old.lark", "new.lark", "*.txt")

    assert places(data) == [
        ("a.txt", 1, 4, "otherwise", None),
        ("b.txt", 1, 2, "first", None),
        ("c.txt", 1, 1, "second", None),
    ]
    assert set(data["counts"]["files"].values()) == {1}
    assert "only old.lark reads 1 text\n" in run("old.lark", "new.lark", "*.txt").stdout


def test_a_grammar_of_records_is_not_compared_with_one_of_other_texts() -> None:
    write("old.lark", 'rolls: "x"\n')
    done = run("old.lark", "ff4", "games")

    assert (done.exit_code, "L711" in done.stderr) == (2, True)
