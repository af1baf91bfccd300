"""sgf-lark grammar test --cases: texts with their trees or errors, for any grammar."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.grammar_files import some_by_day
from support.lanes import amount

import sgf_lark
from sgf_lark.cli.main import app
from sgf_lark.core.grammar import grammars
from sgf_lark.workbench.cases import read_cases
from sgf_lark.workbench.samples import sentences

#: No game records: sums, of which a product or a number alone is not one.
SUM = r"""
?sum: sum "+" product -> add
    | product
?product: NUMBER
    | product "*" NUMBER -> times
NUMBER: /[0-9]+/
%ignore /\s/
"""

RIGHT = """\
==================
Sums go left
==================

1+2 + 3

---

(add
  (add "1" "2")
  (NUMBER))

==================
A number alone is a token
==================

7

---

"7"

==================
A sum does not end with a sign
:error 1:3
==================

1+

---

==================
Brackets are for later
:skip
==================

(1+2)*3

---

==================
Any error will do
:error
==================

+

---
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sum.lark").write_text(SUM, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["grammar", *arguments], catch_exceptions=False)


def try_cases(content: str, *options: str, grammar: str = "sum.lark") -> Result:
    Path("cases.txt").write_bytes(content.encode())
    return run("test", grammar, "--cases", "cases.txt", *options)


def case(text: str, tree: str, *marks: str) -> str:
    return "\n".join(["===", "A name", *marks, "===", text, "---", tree, ""])


# ---- what passes ----


def test_cases_of_a_grammar_that_is_no_game_pass() -> None:
    result = try_cases(RIGHT)

    assert (result.exit_code, result.output) == (0, "5 cases: 4 passed, 0 failed, 1 skipped\n")


def test_another_rule_may_begin() -> None:
    content = case("2*3", '(times "2" "3")') + case("1+2", "", ":error 1:2")

    assert try_cases(content, "--start", "product").exit_code == 0


@pytest.mark.parametrize(
    "text", ["a\n---\nb", "Title\n===\n\nwords\n===", "\n\na", "a\n", "", "a\n\n\n", "---\n---"]
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_text_has_rulers_and_empty_lines_of_its_own(text: str, line_break: str) -> None:
    content = f"=====\nA name\n=====\n\n{text}\n\n---\n\n(a)\n\n===\nB\n===\n\nb\n\n---\n"
    first, second = read_cases(content.replace("\n", line_break))

    assert (first.name, first.text) == ("A name", text.replace("\n", line_break))
    assert (second.name, second.text) == ("B", "b")


#: A case of tree-sitter: its name, its text and its tree.
THEIRS = re.compile(r"(=+\n.*\n)(=+\n[\s\S]*?\n---\n)([\s\S]*?)(?=\n=+\n.*\n=+\n|\Z)")


def of_tree_sitter(corpus: str) -> str:
    """Cases of tree-sitter-sgf with the names of our grammar.

    Fields are dropped, its nodes of a name and a value are terminals here, and a tree that it
    mends is an error.
    """
    mapped = re.sub(r"\w+: |\s*\(value_content\)", "", corpus)
    for theirs, ours in (("property_identifier", "PROP_IDENT"), ("property_value", "PROP_VALUE")):
        mapped = mapped.replace(theirs, ours)
    return THEIRS.sub(
        lambda case: (
            f"{case[1]}:error\n{case[2]}\n"
            if "(ERROR" in case[3] or "(MISSING" in case[3]
            else case[0]
        ),
        mapped,
    )


def test_a_corpus_of_tree_sitter_passes_when_its_names_are_mapped() -> None:
    corpus = """
==================
Two nodes and a variation
==================

(;FF[4]AB[aa][bb]
 (;B[pd]C[a \\] b])
 (;))

---

(collection
  (game_tree
    (sequence
      (node
        (property
          name: (property_identifier)
          value: (property_value
            (value_content)))
        (property
          name: (property_identifier)
          value: (property_value
            (value_content))
          value: (property_value
            (value_content)))))
    (game_tree
      (sequence
        (node
          (property
            name: (property_identifier)
            value: (property_value
              (value_content)))
          (property
            name: (property_identifier)
            value: (property_value
              (value_content))))))
    (game_tree
      (sequence
        (node)))))

==================
An empty value
==================

(;C[])

---

(collection
  (game_tree
    (sequence
      (node
        (property
          name: (property_identifier)
          value: (property_value))))))

==================
No node
==================

()

---

(collection
  (game_tree
    (sequence
      (node
        (MISSING ";")))))

==================
No value
==================

(;C)

---

(ERROR
  (property_identifier))
"""
    mapped = of_tree_sitter(corpus)

    assert try_cases(mapped, grammar="ff4").output == "4 cases: 4 passed, 0 failed\n"
    other = mapped.replace("      (node)", "      (node (property (PROP_IDENT)))")
    assert "expected '(property', found ')'" in try_cases(other, grammar="ff4").output


def test_the_corpus_of_tree_sitter_sgf_passes(folder: Path) -> None:
    """Its names may have small letters."""
    theirs = os.environ.get("SGF_LARK_TREE_SITTER_SGF")
    if theirs is None:
        pytest.skip("SGF_LARK_TREE_SITTER_SGF names no folder test/corpus of tree-sitter-sgf")
    text = grammars.text_of(grammars.path("ff4"))
    lenient = text.replace("\nPROP_IDENT: UC_LETTER+\n", "\nPROP_IDENT: /[A-Za-z]+/\n")
    assert lenient != text
    (folder / "lenient.lark").write_text(lenient, encoding="utf-8")
    for file in Path(theirs).glob("*.txt"):
        result = try_cases(of_tree_sitter(file.read_text("utf-8")), grammar="lenient.lark")
        assert result.output.endswith(" passed, 0 failed\n"), result.output
        assert not result.output.startswith("0 cases")


# ---- what fails ----


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (case("1+2", '(add "1" "3")'), "6:10: L712 A name: expected '\"3\"', found '\"2\"'"),
        (case("1+2", '(add (WORD) "2")'), "6:6: L712 A name: expected '(WORD)', found '\"1\"'"),
        (case("1+2", '(sum "1" "2")'), "6:1: L712 A name: expected '(sum', found '(add'"),
        (case("1+2", '(add "1")'), "6:9: L712 A name: expected ')', found '\"2\"'"),
        (
            case("1+2", '(add "1" "2"'),
            "6:10: L712 A name: expected the end of the tree, found ')'",
        ),
        (
            case("1+2", '(add "1" "2"))'),
            "6:14: L712 A name: expected ')', found the end of the tree",
        ),
        (case("1+2", ""), "2:1: L712 A name: expected no tree, found '(add'"),
        (case("1+\n+", '"1"'), "5:1: L712 A name: expected number, found '+'"),
        (
            case("1+\n+", "", ":error 1:1"),
            "6:1: L712 A name: the error is at 2:1, not at 1:1: expected number, found '+'",
        ),
        (case("1", "", ":error"), "2:1: L712 A name: expected an error, found none"),
    ],
)
def test_a_case_that_fails_is_told_with_its_first_difference(content: str, line: str) -> None:
    result = try_cases(content, "--format", "concise")

    assert result.exit_code == 1
    assert result.output == f"cases.txt:{line}\n1 case: 0 passed, 1 failed\n"


def test_a_report_shows_the_line_and_the_way_out() -> None:
    result = try_cases(case("1 + 2", '(add "1"\n  "3")'))

    assert result.output == (
        "cases.txt:7:3: error: A name: expected '\"3\"', found '\"2\"' [L712 failed-case]\n"
        '    7 |   "3")\n'
        "      |   ^^^\n"
        "        help: correct the grammar; or, if this is right, let --update write it\n\n"
        "1 case: 0 passed, 1 failed\n"
    )


def test_reports_for_programs_hold_nothing_else_on_standard_output() -> None:
    content = case("1+2", "") + case("1", '"1"')
    [found] = json.loads(try_cases(content, "--format", "json").stdout)
    suite = ET.fromstring(try_cases(content, "--format", "junit").stdout)[0]  # noqa: S314  # ours
    result = try_cases(content, "--format", "sarif", "-o", "report.sarif")

    assert (found["file"], found["line"], found["code"]) == ("cases.txt", 2, "L712")
    assert found["fix"]["edits"][1]["replacement"] == '\n\n(add "1" "2")'
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("cases.txt", "1", "1")
    assert (result.stdout, result.stderr) == ("", "2 cases: 1 passed, 1 failed\n")
    assert len(json.loads(Path("report.sarif").read_text())["runs"][0]["results"]) == 1


# ---- what is written ----


def test_update_writes_what_is_true_and_leaves_the_rest_as_it_is() -> None:
    wrong = RIGHT.replace('(add\n  (add "1" "2")\n  (NUMBER))\n', '(add "5")\n').replace(
        "1:3", "9:9"
    )
    right = RIGHT.replace('(add\n  (add "1" "2")\n  (NUMBER))', '(add\n  (add "1" "2") "3")')

    assert try_cases(wrong, "--update").stdout == "cases.txt: 2 of 4 cases updated\n"
    assert Path("cases.txt").read_text() == right
    assert try_cases(right, "--update").stdout == "cases.txt: 0 of 4 cases updated\n"
    assert Path("cases.txt").read_text() == right


def test_update_turns_a_tree_into_an_error_only_where_the_case_says_so_and_back() -> None:
    wrong = RIGHT.replace("1+2 + 3", "1+2 +").replace("\n1+\n", "\n1+2\n")
    result = try_cases(wrong, "--update")
    updated = Path("cases.txt").read_text()

    assert result.exit_code == 1
    assert "or, if this is right, write :error below the name, and remove the tree" in " ".join(
        result.stdout.split()
    )
    assert "left\n:error" not in updated
    told = re.sub(
        r"left\n(=(?:.|\n)*?---\n)\n\(add\n.*\n.*\n", r"left\n:error 9:9\n\1", updated, count=1
    )
    assert try_cases(told, "--update").exit_code == 0
    updated = Path("cases.txt").read_text()
    assert "left\n:error 1:6\n=====" in updated
    assert 'sign\n==================\n\n1+2\n\n---\n\n(add "1" "2")\n\n=====' in updated
    assert try_cases(updated).exit_code == 0


@pytest.mark.parametrize("format_", ["ff1", "ff3", "ff4", "ggf"])
def test_update_gives_our_own_files_back_when_trees_and_places_are_cut_out(format_: str) -> None:
    file = Path(__file__).parents[1] / "grammar" / "trees" / f"{format_}.txt"
    content = file.read_text(encoding="utf-8")
    bare = re.sub(r"(?m)^---\n\n\(\w(?:.|\n)*?\)$(?=\n*(?:={3,}\n|\Z))", "---", content)
    bare = re.sub(r"(?m)^:error .*$", ":error 99:9", bare)
    assert len(bare) < len(content) * 0.9

    try_cases(bare, "--update", grammar=format_)

    assert Path("cases.txt").read_text(encoding="utf-8") == content


#: All grammars but that of files of cases, whose sentences are no texts in one.
OTHERS = [name for name in grammars.names() if name != "notations/cases"]


@pytest.mark.both_lanes
@pytest.mark.parametrize("name", some_by_day(OTHERS))
def test_what_update_writes_of_any_sentence_of_any_grammar_passes(name: str) -> None:
    file = grammars.path(name)
    for start in [rule for rule in grammars.rules(file) if rule[0] != "_"][: amount(2, 30)]:
        made = islice(sentences(file, start, seed=3, size=20), amount(3, 8))
        texts = [text for text in made if text[-1:] != "\r"]  # else its line break is two
        content = "".join(
            f"===\ntext {at}\n===\n\n{text}\n\n---\n" for at, text in enumerate(texts)
        )
        result = try_cases(content, "--start", start, "--update", grammar=name)
        if result.exit_code == 2:
            continue  # an ambiguous rule, which is a quotation only
        updated = Path("cases.txt").read_bytes().decode()

        assert [one.text for one in read_cases(updated)] == texts
        assert (
            f"{len(texts)} passed, 0 failed"
            in try_cases(updated, "--start", start, grammar=name).output
        )


# ---- what cannot be tested ----


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ("words\n", "1:1", "expected name or the end of the text, found 'w'"),
        ("===\nA name\n===\n1+2\n(add)\n", "3:1", "expected ':skip' or error or text, found '==="),
        (case("1", '"1" word'), "6:5", "found 'w'"),
        (case("1", '"1"', ":eror 1:1"), "3:1", "expected ':skip' or error or text, found ':'"),
        (
            case("1", '"1"', ":error 1:1"),
            "7:1",
            "expected name or the end of the text, found '\"1\"'",
        ),
    ],
)
def test_a_broken_file_is_told_with_its_place_and_the_way_out(
    content: str, place: str, message: str
) -> None:
    result = try_cases(content, "--update")

    assert result.exit_code == 2
    assert result.stderr.startswith(f"cases.txt:{place}: error: ")
    assert message in result.stderr
    assert "help: a case is a name between two lines ===" in result.stderr
    assert Path("cases.txt").read_text() == content


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--update", "--update needs --cases"),
        ("--format json", "--format needs --cases"),
        ("--cases cases.txt games", "--cases tests the texts of its file: remove it"),
        ("--cases cases.txt --samples 3", "--cases tests the texts of its file: remove it"),
        ("--cases nowhere.txt", "no such file: nowhere.txt"),
        ("--cases latin.txt", "latin.txt: this is not UTF-8"),
        ("--cases cases.txt --start rule", "no rule 'rule' in sum.lark"),
        ("--cases cases.txt -o cases.txt", "this file is an input of the command"),
    ],
)
def test_a_wrong_command_line_is_told(arguments: str, message: str) -> None:
    Path("cases.txt").write_text(RIGHT)
    Path("latin.txt").write_bytes(case("1", '"\xe9"').encode("latin-1"))
    result = run("test", "sum.lark", *arguments.split(" "))

    assert result.exit_code == 2
    assert message in result.stderr
    assert Path("cases.txt").read_text() == RIGHT


# ---- games of the settings ----

KONO = """\
move: SQUARE "-" SQUARE
point: SQUARE
SQUARE: /[a-e][1-5]/
"""


@pytest.fixture
def settings(folder: Path) -> None:
    (folder / "kono.lark").write_text(KONO)
    (folder / "sgf-lark.toml").write_text(
        '[properties]\nWI = { type = "real", games = ["Kono"] }\n'
        '[games.Kono]\nnumber = 50\nsize = 5\ngrammar = "kono.lark"\n'
    )


@pytest.mark.usefixtures("settings")
def test_the_name_of_a_game_of_the_settings_is_that_of_its_grammar() -> None:
    content = case("a1-a2", "(move (SQUARE) (SQUARE))")

    assert try_cases(content, grammar="Kono").exit_code == 0
    assert try_cases(content, "--start", "point", grammar="kono").exit_code == 1
    assert "no grammar 'Kono'" in try_cases(content, "--isolated", grammar="Kono").stderr


@pytest.mark.usefixtures("settings")
def test_the_typed_grammar_of_a_game_of_the_settings_is_shown() -> None:
    table = sgf_lark.find_settings(".").table
    shown = run("show", "ff4", "--typed", "--game", "Kono", "--size", "5")

    assert shown.stdout == sgf_lark.typed_grammar("ff4", "Kono", 5, table)
    assert "no game 'Kono'" in run("show", "ff4", "--typed", "--game", "Kono", "--isolated").stderr
    assert run("show", "ff4", "--isolated").stderr == "error: --isolated needs --typed\n"
