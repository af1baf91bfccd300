"""The workbench: samples, coverage, differences, what was compiled, where the parser stands."""

from __future__ import annotations

import io
import os
import signal
from contextlib import nullcontext
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from lark import Lark
from support.corpus import folder
from support.grammar_files import some_by_day
from support.lanes import amount, by_night, every_other, one_in
from support.together import together

import sgf_lark
from sgf_lark import GAMES, SgfGrammarError, strategies
from sgf_lark.cli.main import app
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import GrammarSource
from sgf_lark.core.places import LineIndex
from sgf_lark.core.read.tape_reader import is_usual
from sgf_lark.core.schema.formats import FormatName
from sgf_lark.core.text.encoding import decode
from sgf_lark.files import time_limit
from sgf_lark.workbench.compare import GrammarChange, compare, differences
from sgf_lark.workbench.coverage import Coverage
from sgf_lark.workbench.lint import grammar_report
from sgf_lark.workbench.samples import acceptance, random_records, sentences
from sgf_lark.workbench.standing import find_standing

needs_alarms = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms here")
SHIPPED = [name for name in grammars.names() if not name.startswith("notations/")]


# ---- samples ----


@pytest.mark.parametrize("name", some_by_day(SHIPPED))
def test_every_rule_of_every_grammar_has_sentences_that_it_takes(name: str) -> None:
    file = grammars.path(name)
    for start in grammars.rules(file):
        if not start.startswith("_"):
            made = list(islice(sentences(file, start, seed=1, size=15), 3))

            assert len(made) == 3, start
            assert all(map(acceptance(file, start), made))


def test_lark_takes_what_is_sampled() -> None:
    parser = Lark(grammars.text_of(grammars.path("games/octi")), parser="lalr", start="move")

    for text in islice(sentences(grammars.path("games/octi"), "move"), 50):
        assert parser.parse(text).data


def test_the_same_seed_gives_the_same_texts_and_another_seed_others() -> None:
    def made(seed: str) -> list[str]:
        return list(islice(sentences(grammars.path("ff4"), seed=seed), 5))

    assert made("a") == made("a") != made("b")


def test_a_small_size_gives_short_sentences() -> None:
    def longest(size: int) -> int:
        return max(map(len, islice(sentences(grammars.path("ff4"), size=size), 30)))

    assert longest(5) < longest(200)


@pytest.mark.parametrize("start", ["text", "simpletext", "collection"])
def test_readable_sentences_are_of_usual_characters_without_escapes(start: str) -> None:
    made = [*islice(sentences(grammars.path("ff4"), start, readable=True, size=20), 20)]

    assert all(acceptance(grammars.path("ff4"), start)(text) for text in made)
    assert all(text.isascii() and text.isprintable() and "\\" not in text for text in made)


def test_words_of_readable_sentences_have_spaces_between_them() -> None:
    grammar = GrammarSource(
        Path("mine.lark"), 'start: "if" WORD "else" WORD\nWORD: /[a-z]/\n%ignore " "'
    )
    (text,) = islice(sentences(grammar, readable=True), 1)

    assert [len(word) for word in text.split(" ")] == [2, 1, 4, 1]


@pytest.mark.parametrize("format_", every_other(["ff4", "ff1", "ggf", "ff3"]))
def test_typed_samples_are_records_in_which_nothing_is_wrong(format_: FormatName) -> None:
    for text in islice(random_records(format_, seed=5, size=20), 3):
        assert not sgf_lark.check(io.StringIO(text)).errors, text


@pytest.mark.both_lanes
def test_typed_samples_are_of_any_game() -> None:
    for number in [*GAMES][:: amount(12, 1)]:
        text = next(random_records("ff4", GAMES[number], seed=number, size=30))

        assert sgf_lark.loads(text)[0].game == number


@settings(max_examples=amount(5, 50))
@given(strategies.records("FF4", size=10))
def test_a_strategy_gives_records(text: str) -> None:
    assert len(sgf_lark.loads(text)) == 1


@settings(max_examples=amount(8, 50))
@given(strategies.sentences("games/hex", start="move"))
def test_a_strategy_gives_sentences(text: str) -> None:
    sgf_lark.parse_tree(text, "games/hex", start="move")


def test_a_list_of_pods_has_no_rectangles() -> None:
    report = sgf_lark.check(io.StringIO("(;FF[4]GM[19]AB[77:66])"))

    assert [one.code for one in report.errors] == ["V301"]


# ---- coverage ----


def test_a_record_counts_for_the_alternatives_that_it_uses() -> None:
    coverage = Coverage(grammars.path("ff4"))
    coverage.add("(;FF[4]KM[6.5]DT[1996-05-06,07];B[pd](;W[dp])(;))", "a")
    coverage.add("(;FF[4](", "b")
    uses = {one.production: one.records for one in coverage.uses()}

    assert coverage.parsed == 1
    assert [(name, place.line, place.column) for name, place in coverage.rejected] == [("b", 1, 9)]
    assert uses["game_tree: _OPEN sequence game_tree+ _CLOSE"] == 1
    assert uses["game_tree: _OPEN sequence _CLOSE"] == 2
    assert uses["node: _SEMICOLON"] == 1
    assert uses["komi: REAL"] == 1
    assert uses["_days: (NEXT_MONTH_DAY | NEXT_DAY)+"] == 1
    assert uses["result: VOID"] == 0


TURNS = """\
game: turn+
turn: /\\d+\\./ move move?
move: SQUARE -> plain | "x" SQUARE -> taking
SQUARE: /[a-h][1-8]/
%ignore " "
"""


def test_a_grammar_of_no_records_reads_whole_texts(tmp_path: Path) -> None:
    file = tmp_path / "turns.lark"
    file.write_text(TURNS, encoding="utf-8")
    coverage = Coverage(grammars.source(file))
    coverage.add("1.e4 e5 2.xd4", "a")
    coverage.add("1.e4 e9", "b")
    used = {one.production: one.records for one in coverage.uses()}

    assert (coverage.parsed, coverage.has_values) == (1, False)
    assert [(one.name, one.place.message) for one in coverage.rejected] == [
        ("b", "expected 'x' or /\\d+\\./ or square or the end of the text, found 'e'")
    ]
    assert used["move: SQUARE -> plain"] == 2


@pytest.mark.night
def test_a_grammar_with_more_rules_than_games_are_made_of_is_measured_all_the_same(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.lark"
    text = grammars.text_of(grammars.path("ff4")).replace(
        "PROP_VALUE+", "value+\nvalue: PROP_VALUE"
    )
    file.write_text(text, encoding="utf-8")
    coverage = Coverage(grammars.source(file))
    coverage.add("(;B[aa])", "a")

    assert (coverage.parsed, coverage.values) == (1, 0)


def test_values_count_for_the_grammar_of_their_game() -> None:
    coverage = Coverage(grammars.path("games/go"))
    coverage.add("(;FF[4];B[pd];W[];B[pd];W[zz9])", "a")
    uses = {one.production: one.records for one in coverage.uses()}

    assert uses["move: COORDINATE COORDINATE -> point"] == 2
    assert uses["move: (nothing) -> passing"] == 1
    assert (coverage.values, coverage.wrong) == (3, 1)


def test_a_copy_of_a_grammar_counts_what_the_original_does() -> None:
    original = grammars.path("ff4")
    copy = GrammarSource(Path("copy.lark"), original.read_text(encoding="utf-8"))
    counted = []
    for file in (original, copy):
        coverage = Coverage(file)
        coverage.add("(;FF[4]KM[6,5]RE[B+R]PB[Aoki]SZ[9];B[pd]C[Hi]BL[0.5])", "a.sgf")
        coverage.add("(;FF[3]KM[5.5]GN[x];B[pd]DM[1])", "b.sgf")
        counted.append((coverage.values, coverage.rejected_values, [*coverage.uses()]))

    assert counted[0] == counted[1]
    assert counted[0][0] > 5


def test_each_rejected_value_is_named_at_each_of_its_places() -> None:
    coverage = Coverage(grammars.path("ff4"))
    coverage.add("(;FF[4]KM[6,5]\n;BL[x]C[x];WL[1];BL[x])", "a.sgf")
    found = [
        (at.line, at.column, at.message.partition(":")[0]) for _, at in coverage.rejected_values
    ]

    assert found == [(1, 12, "KM[6,5]"), (2, 5, "BL[x]"), (2, 21, "BL[x]")]
    assert coverage.wrong == len(found)
    assert {name for name, _ in coverage.rejected_values} == {"a.sgf"}


@pytest.mark.parametrize("name", some_by_day(SHIPPED))
def test_samples_use_every_alternative_of_every_shipped_grammar(name: str) -> None:
    coverage = Coverage(grammars.path(name))
    coverage.add_samples(200)  # a date of GIB has 36 alternatives

    assert [one.production for one in coverage.uses() if not one.samples] == []


#: What of the structure no real record of its format uses: only the samples do.
RARE = {
    "ff1": {
        "collection: (nothing)",
        "game_tree: _OPEN sequence game_tree+ _CLOSE",
        "node: _SEMICOLON",
    },
    "ff3": {"collection: (nothing)"},
    "ggf": {"file: game+ match+", "file: game+", "file: (nothing)", "game: _START _END"},
}


@pytest.mark.night
@pytest.mark.skipif("SGF_LARK_CORPUS" not in os.environ, reason="no real records: SGF_LARK_CORPUS")
@pytest.mark.parametrize("name", one_in(3, ["ff1", "ff3", "ggf"]))
def test_real_records_use_the_structure_of_each_format(name: str) -> None:
    coverage = Coverage(grammars.path(name))
    root = folder()
    assert root is not None
    for file in sorted((root / name).iterdir()):
        coverage.add(decode(file.read_bytes(), None)[0], file.name)
    structure = grammars.in_structure(grammars.path(name))
    unused = {one.production for one in coverage.uses() if not one.records}

    assert coverage.parsed > 0.9 * len(coverage.rejected)
    assert {one for one in unused if one.partition(":")[0] in structure} <= RARE[name]


# ---- differences ----


@cache
def changes(one: str, other: str) -> dict[str, GrammarChange]:
    found = differences(grammars.path(one), grammars.path(other))
    return {change.name: change for change in found}


#: What the documents say changed in the syntax, and where the difference shows.
LISTED = [
    # document of the newer format: what changed; grammars; rule; who alone takes a text
    ("FF[3], LB: a point and its label", "ff1", "ff3", "compose", None),
    ("FF[3], PL: the list has numbers for colors", "ff1", "ff3", "player", None),
    ("FF[3], RE: T, R and F", "ff1", "ff3", "win", ("", "B+R")),
    ("FF[1], TM: a number; FF[3] has any text", "ff1", "ff3", "time_limit", None),
    ("FF[4]: a collection has one game tree at least", "ff3", "ff4", "collection", ("", "")),
    ("FF[4]: names of any length", "ff3", "ff4", "property", ("AAA[]", "AAA[]")),
    ("FF[4]: no digits in names", "ff3", "ff4", "property", ("B1[]", "B1[]")),
    ("FF[4]: no small letters in names", "ff3", "ff4", "property", ("Ba[]", "Ba[]")),
    ("FF[4], Real: a digit behind the dot", "ff3", "ff4", "real", ("0.", "0.")),
    ("FF[4], Double: what was Triple", "ff3", "ff4", "triple", None),
    ("FF[4], Double: what was Triple", "ff3", "ff4", "double", None),
    ("FF[4]: Text is parted into Text and SimpleText", "ff3", "ff4", "simpletext", None),
    ("FF[4], Text: white space becomes a space", "ff3", "ff4", "text", None),
    ("FF[4]: Stone", "ff3", "ff4", "stone", None),
    ("FF[4]: Compose in the EBNF", "ff3", "ff4", "c_value_type", None),
    ("FF[4]: list and elist", "ff3", "ff4", "elist_of", None),
    ("FF[4]: compressed lists of points", "ff3", "ff4", "list_of_point", None),
    ("FF[4], SZ: boards that are no squares", "ff3", "ff4", "size", None),
    ("FF[4], RE: a form that is a duty", "ff3", "ff4", "result", None),
    ("FF[4], RE: long words, and nothing", "ff3", "ff4", "win", ("B+Time", "B+Time")),
    ("FF[4], DT: a form that is a duty, shortcuts", "ff3", "ff4", "dates", None),
    ("FF[4], FG: flags and a name", "ff3", "ff4", "figure", None),
    ("FF[4], AP: a program and its version", "ff3", "ff4", "application", None),
    ("FF[4], TM: seconds", "ff3", "ff4", "time_limit", None),
    ("FF[4]: property values in the EBNF", "ff3", "ff4", "prop_value", None),
]

#: What is found besides, and why it is there.
EXPLAINED = {
    ("ff3", "ff4"): {
        "player": "PL is a Color in FF[4], and its list of numbers is gone",
        "komi": "KM is a Real, whose dot needs a digit behind it in FF[4]",
        "value_type": "the alternatives of PropValue have a production of their own in FF[4]",
        "list_of": "as elist_of",
        "name": "the first half of AP, up to its colon",
        "rank": "the recommended form of BR and WR",
        "round": "the recommended form of RO",
    },
    ("ff1", "ff3"): {},
}


@pytest.mark.parametrize(("one", "other"), [("ff1", "ff3"), by_night(("ff3", "ff4"))])
def test_the_differences_found_are_those_listed_and_those_explained(one: str, other: str) -> None:
    found = changes(one, other)
    listed = [case for case in LISTED if case[1:3] == (one, other)]

    assert {*found} - {case[3] for case in listed} == {*EXPLAINED[one, other]}
    with together() as each:
        for what, _, _, rule, texts in listed:
            with each(what):
                change = found[rule]
                assert change.shows or not (change.before and change.after)
                for text in filter(None, texts or ()):
                    first = acceptance(grammars.path(one), rule)(text)
                    assert first != acceptance(grammars.path(other), rule)(text)


def test_the_shortest_texts_come_first() -> None:
    ff3, ff4 = grammars.path("ff3"), grammars.path("ff4")
    names = compare(ff3, "property", ff4, "property")

    assert set(map(len, names.only_before)) == {4}
    assert set(map(len, names.only_after)) == {5}
    assert compare(ff3, "text", ff4, "text").otherwise[0] == "\t"


@pytest.mark.night
def test_the_empty_text_comes_first_and_a_renamed_rule_is_recognized() -> None:
    found = changes("ff3", "ff4")

    assert found["collection"].only_before[0] == ""
    assert (found["triple"].same, found["double"].same) == ("double", "triple")


def test_two_rules_of_one_grammar_are_compared() -> None:
    go = grammars.path("games/go")
    change = compare(go, "move_before_ff4", go, "move")

    assert change.only_before == ()
    assert "" in change.only_after  # FF[4]: an empty move passes
    assert any(text.isupper() for text in change.only_after)  # FF[4]: boards up to 52
    tt = compare(go, "move", go, "move_over_19")
    assert "tt" in tt.only_before + tt.otherwise or tt.before != tt.after


def test_a_grammar_does_not_differ_from_itself() -> None:
    assert list(differences(grammars.path("ff4"), grammars.path("ff4"))) == []


def edited(old: str, new: str) -> GrammarSource:
    """A copy of ff4 with one change."""
    text = grammars.path("ff4").read_text(encoding="utf-8")
    assert old in text
    return GrammarSource(Path("edited.lark"), text.replace(old, new))


def test_what_is_ignored_is_compared() -> None:
    (change,) = differences(grammars.path("ff4"), edited("%ignore WS", "%ignore / /"))

    assert change.name == "%ignore"
    assert change.after == "%ignore / /"
    assert acceptance(grammars.path("ff4"), "collection")(change.only_before[0])


def test_a_priority_of_a_terminal_is_compared() -> None:
    (change,) = differences(grammars.path("ff4"), edited("NEXT_DATE.3:", "NEXT_DATE:"))

    assert (change.name, change.parts_after) == ("dates", ('NEXT_DATE: "," DATE',))
    assert change.parts_before == ('NEXT_DATE.3: "," DATE',)


def test_rules_that_are_imported_are_compared() -> None:
    old, new = (
        GrammarSource(Path(f"{name}.lark"), f"%import .{name} (komi, number)")
        for name in ("ff3", "ff4")
    )
    (change,) = differences(old, new)

    assert change.name == "komi"
    assert change.only_before[0].endswith(".")


# ---- what the generated engine reads ----


@pytest.mark.parametrize("name", ["ff1", "ff3", "ff4", "ggf"])
def test_the_games_of_every_shipped_grammar_are_usual(name: str) -> None:
    assert is_usual(grammars.path(name))


@pytest.mark.parametrize(
    ("name", "old", "new", "usual"),
    one_in(
        3,
        [
            ("ff4", "PROP_IDENT: UC_LETTER+", "PROP_IDENT: /[A-Z][A-Z0-9]*/", True),
            ("ff4", "property*\n", "property+\n", False),
            ("ff4", "property: PROP_IDENT PROP_VALUE+", "property: PROP_IDENT PROP_VALUE", False),
            ("ff4", '_SEMICOLON: ";"', '_SEMICOLON: "!"', False),
            ("ff4", "%ignore WS", "", False),
            ("ff4", "game_tree* _CLOSE", "game_tree*", False),
            ("ggf", "property: PROP_IDENT PROP_VALUE", "property: PROP_IDENT PROP_VALUE+", False),
        ],
    ),
)
def test_custom_games_are_usual_or_not(
    tmp_path: Path, name: str, old: str, new: str, *, usual: bool
) -> None:
    text = grammars.path(name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    file = tmp_path / "mine.lark"
    file.write_text(text.replace(old, new), encoding="utf-8")
    source = grammars.source(file)

    assert is_usual(source) == usual
    assert grammars.generated(source, "real", of_value=True) is not None


@pytest.mark.parametrize("name", one_in(3, [name for name in SHIPPED if name.startswith("games/")]))
def test_the_generated_engine_reads_every_value_of_every_game(name: str) -> None:
    file = grammars.path(name)

    for rule in grammars.rules(file):
        of_value = rule not in grammars.in_structure(file)
        assert grammars.generated(file, rule, of_value=of_value) is not None, rule


# ---- where the parser stands ----


@pytest.mark.parametrize(
    ("before", "rules", "inside", "follows"),
    [
        ("", [], "", ['"("']),
        ("(;", ["collection", "game_tree", "sequence", "node"], "",
         ['"("', '")"', '";"', "PropIdent"]),
        ("(;FF[4]K", ["game_tree", "sequence", "node", "property"], "PropIdent 'KM'", None),
        ("(;FF[4]KM[", ["node", "property", "komi"], "", ["Real"]),
        ("(;FF[4]KM[6.5", ["property", "komi"], "", ['"]"']),
        ("(;FF[4]KM[6.5]DT[1996-05-06", ["property", "dates"], "", None),
        ("(;FF[4]KM[6.5]DT[1996-0", ["property", "dates"], "DATE '1996-05-06'", None),
        ("(;FF[4]KM[6.5]DT[1996-05-06];B[", ["property", "move"], "", None),
    ],
)  # fmt: skip
def test_the_open_productions_and_what_may_come_next_are_told(
    before: str, rules: list[str], inside: str, follows: list[str] | None
) -> None:
    text = "(;FF[4]KM[6.5]DT[1996-05-06];B[pd])"
    assert text.startswith(before)
    found = find_standing(text, len(before))

    assert [one.rule for one in found.open][-len(rules) or 99 :] == rules
    assert found.inside == inside
    assert follows is None or list(found.follows) == follows
    assert found.fault is None


def test_a_place_behind_a_fault_is_told_so() -> None:
    found = find_standing("(;FF[4]KM[6,5];B[pd])", 13)

    assert found.about == "KM, Komi: real"
    assert found.fault is not None
    assert found.fault.span == (11, 12)


def test_a_line_and_column_are_an_offset() -> None:
    text = "ab\r\nc\n\nd"
    index = LineIndex(text)

    for offset in [0, 1, 2, 4, 5, 6, 7, 8]:
        assert index.offset(*index.locate(offset)) == offset
    for wrong in [(0, 1), (9, 1), (1, 0), (1, 4), (3, 2)]:
        with pytest.raises(ValueError, match=r"last line is 4|line \d has \d char|from 1"):
            index.offset(*wrong)


# ---- the command line ----


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["grammar", *arguments], catch_exceptions=False)


@pytest.mark.parametrize("command", ["show latin.lark", "test latin.lark"])
def test_a_grammar_that_is_no_text_is_told_so(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("latin.lark").write_bytes(b'start: "\xe9"')
    result = run(*command.split())

    assert result.exit_code == 2
    assert result.stderr.startswith("latin.lark: error: this is not UTF-8 [L711")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("from-ebnf nowhere.ebnf", "no such file: nowhere.ebnf"),
        ("explain nowhere.sgf:1:1", "no such file: nowhere.sgf"),
        (
            "sample ff4 --typed --start komi",
            "--typed makes complete records: remove --start, or --typed",
        ),
        ("sample ff4 --game 3", "--game needs --typed"),
        (
            "diff ff3:number ff4:numbre",
            "ff4:numbre: no rule 'numbre' in ff4.lark: there are collection, ",
        ),
        (
            "show go",
            "no grammar 'go': neither a file nor one of ff1, ff3, ff4, ggf, gib, lexical, mat, ",
        ),
    ],
)
def test_what_was_not_understood_is_told(command: str, said: str) -> None:
    result = run(*command.split())

    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {said}")


def test_shipped_grammars_are_known_in_any_case() -> None:
    shown = run("show", "--path", "Games/Go").stdout

    assert shown == run("show", "--path", "games/go").stdout
    assert shown.endswith("go.lark\n")


def test_terminals_without_a_name_are_shown_as_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.lark").write_text('start: /[a-z]+/ "!"\n', encoding="utf-8")
    Path("text.txt").write_text("ab?", encoding="utf-8")
    tree = CliRunner().invoke(app, ["tree", "--grammar", "mine.lark", "text.txt"])

    assert tree.stdout == "start  1:1-1:3\n  'ab'  1:1-1:3\n"
    assert run("explain", "text.txt:1:1", "--grammar", "mine.lark").stdout == (
        "expected here: /[a-z]+/\n"
    )


def test_a_rule_to_begin_with_that_is_ambiguous_is_told(tmp_path: Path) -> None:
    file, text = tmp_path / "mine.lark", tmp_path / "text.txt"
    file.write_text('first: "x"\nstart: a | b\na: "x"\nb: "x"\n', encoding="utf-8")
    text.write_text("x", encoding="utf-8")
    result = run("explain", f"{text}:1:1", "--grammar", str(file), "--start", "start")

    assert result.exit_code == 2
    assert "mine.lark:3:1: error: " in result.stderr


def test_that_no_sentence_was_found_is_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.lark"
    file.write_text('start: /a(?!b)/ "b"\n', encoding="utf-8")
    result = run("sample", str(file))

    assert result.exit_code == 1
    assert result.stderr.startswith("error: only ")


@pytest.mark.parametrize(("format_", "number"), [("FF9", None), ("FF4", 99)])
def test_strategies_know_formats_and_games(format_: str, number: int | None) -> None:
    with pytest.raises(ValueError, match=r"no (format 'FF9'|game 99): there are"):
        strategies.records(format_, game=number)  # type: ignore[arg-type]


# ---- grammars that take endless time ----

#: Take time that grows with the sixth power of a text, which lookaheads hide from lint.
SLOW = "start: /a*(?!x)a*(?!x)a*(?!x)a*(?!x)a*(?!x)a*b/ | /a+/\n"
SLOW_RECORDS = r"""collection: game_tree+
game_tree: "(" sequence game_tree* ")"
sequence: node+
node: ";" property*
property: PROP_IDENT PROP_VALUE+
PROP_IDENT: /[A-Z]+/
PROP_VALUE: /\[a*(?!x)a*(?!x)a*(?!x)a*(?!x)a*(?!x)a*b\]|\[[^\]]*\]/
%ignore /\s+/
"""


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with slow grammars and records, where time is short once grammars are read."""
    for name, text in {
        "slow.lark": SLOW,
        "records.lark": SLOW_RECORDS,
        "a.txt": "a" * 5_000,
        "a.sgf": f"(;FF[4]C[{'a' * 5_000}])",
        "b.sgf": "(;FF[4];B[zz])",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name in ("slow.lark", "records.lark"):
        words = ["check", "--grammar", str(tmp_path / name), str(tmp_path / "b.sgf")]
        CliRunner().invoke(app, words)
    monkeypatch.setattr(time_limit, "SECONDS", 0.5)
    return tmp_path


@needs_alarms
@pytest.mark.parametrize(
    "command",
    one_in(
        3,
        [
            "tree a.txt --grammar slow.lark",
            "grammar explain a.sgf:1:3000 --grammar records.lark",
            "grammar test records.lark a.sgf",
        ],
    ),
)
@pytest.mark.night
def test_a_command_whose_grammar_takes_endless_time_ends(slow: Path, command: str) -> None:
    words = [str(slow / one) if "." in one[:-1] else one for one in command.split()]

    result = CliRunner().invoke(app, words)

    assert result.exit_code == 2
    assert "the grammar takes more than " in result.output
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("pattern", ["a*a*a*a*a*a*a*a*b", "(a*)*b"])
@pytest.mark.parametrize("command", ["check", "fmt", "convert --to ff3", "show"])
def test_a_slow_grammar_of_foreign_settings_reads_no_record(
    command: str, pattern: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.lark").write_text(f"point: /{pattern}/\nmove: point\nstone: point\n")
    (tmp_path / "sgf-lark.toml").write_text(
        '[games.Kono]\nnumber = 50\ngrammar = "mine.lark"\nsize = 5\n'
    )
    file = tmp_path / "a.sgf"
    file.write_text(f"(;FF[4]GM[50];B[{'a' * 5_000}])")

    result = CliRunner().invoke(app, [*command.split(), str(file)])

    assert result.exit_code == 2
    assert "mine.lark:1:8: " in result.output
    assert "this terminal needs" in result.output


@pytest.mark.parametrize(
    ("pattern", "reads"), [("a*a*a*b", False), ("(a|aa)*b", False), ("a*a*b", True)]
)
def test_a_slow_grammar_is_rejected_before_it_reads_a_record(
    pattern: str,
    reads: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.lark"
    file.write_text(SLOW_RECORDS.replace(r"\[a*(?!x)a*(?!x)a*(?!x)a*(?!x)a*(?!x)a*b\]", pattern))

    with nullcontext() if reads else pytest.raises(SgfGrammarError, match=r"7:1: .* needs"):
        assert sgf_lark.loads("(;FF[4];B[aa])", grammar=file)[0].nodes[1]["B"]


@needs_alarms
@pytest.mark.both_lanes
@pytest.mark.parametrize(
    "more",
    one_in(3, (pytest.param(one, id=" ".join(one)) for one in [("--fix",), (), ("--jobs", "2")])),
)
def test_check_leaves_a_file_that_takes_endless_time_and_goes_on(
    slow: Path, more: tuple[str, ...]
) -> None:
    files = [str(slow / name) for name in ("a.sgf", "b.sgf")]
    words = ["check", "--grammar", str(slow / "records.lark"), "--format", "concise", *more]

    result = CliRunner().invoke(app, [*words, *files])

    assert result.exit_code == 2
    assert "F005 this file could not be checked, because the grammar takes more" in result.output
    assert f"{files[1]}:1:11: G603" in result.output


def test_templates_that_need_ever_longer_templates_are_found() -> None:
    def codes(text: str) -> list[str]:
        return [one.code for one in grammar_report(GrammarSource(Path("x.lark"), text))]

    assert codes('start: x{"a"}\nx{p}: x{x{p}}\n') == ["L711"]
    assert codes('start: a{"x"}\na{p}: b{p} "z"\nb{q}: "y" a{b{q}}?\n') == ["L711"]
    assert codes('start: s{"a", ","}\ns{item, comma}: item (comma item)*\n') == []
    assert codes('start: x{"a", "b"}\nx{p, q}: p x{q, p}?\n') == []


@pytest.mark.parametrize(
    "pattern", ["(?!(a+)+b)a+", "(?>(a+)+b)|a", "(?:(a+)+b)*+a", "(x)?(?(1)b|(a+)+c)"]
)
def test_exponential_patterns_inside_other_parts_are_found(pattern: str) -> None:
    report = grammar_report(GrammarSource(Path("x.lark"), f"start: /{pattern}/\n"))

    assert [one.code for one in report] == ["L709"]


@pytest.mark.parametrize("pattern", ["(?>a+)b", "(?=ab)a+", "(?:ab)*+c", "(x)?(?(1)b|c)"])
def test_patterns_inside_other_parts_are_harmless_if_they_read_a_text_in_one_way(
    pattern: str,
) -> None:
    assert not grammar_report(GrammarSource(Path("x.lark"), f"start: /{pattern}/\n"))
