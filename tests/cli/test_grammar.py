"""Commands of grammars: which grammar they use, and which warnings they print."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sgf_lark.cli.main import app
from sgf_lark.workbench import parse_state

#: A game of its own: points such as a1, moves such as d2-d4.
GAME = """
%import .ff4 (collection, game_tree, sequence, node, property, PROP_IDENT, PROP_VALUE)
%import .ff4 (_OPEN, _CLOSE, _SEMICOLON, WS)
move: SQUARE "-" SQUARE
point: SQUARE
SQUARE: /[a-h][1-8]/
%ignore WS
"""

#: Left recursion, as in books, and the shift/reduce conflict of "else".
SUM = 'start: e\ne: e "+" t | t\nt: /[0-9]+/\n'
ELSE = 'start: s\ns: "if" s | "if" s "else" s | "x"\n%ignore " "\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.lark").write_text(GAME, encoding="utf-8")
    (tmp_path / "sum.lark").write_text(SUM, encoding="utf-8")
    (tmp_path / "else.lark").write_text(ELSE, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments], catch_exceptions=False)


def explain(text: str, place: str, *options: str) -> list[str]:
    Path("k.sgf").write_text(text, encoding="utf-8")
    result = run("grammar", "explain", f"k.sgf:{place}", *options)

    assert result.exit_code == 0
    return result.stdout.splitlines()


# ---- explain ----


def test_explain_shows_the_rule_of_the_custom_grammar() -> None:
    *outer, rule, about, follows = explain(
        "(;FF[4]GM[50]\n;B[d2-d4])", "2:4", "--grammar", "k.lark"
    )

    assert rule == '2:4  in  move: SQUARE "-" SQUARE'
    assert (about, follows) == ("this is a value of B, Black: move", "expected here: SQUARE")
    assert outer[0] == "1:1  in  Collection = GameTree { GameTree }"  # imported


@pytest.mark.parametrize(
    ("game", "rule"),
    [
        ("GM[50]", "Move = game-specific"),
        ("GM[2]", "move: COLUMN ROW"),
        ("GM[1]", "move: COORDINATE"),
        ("", "move: COORDINATE"),
    ],
)
def test_explain_shows_the_move_of_the_game_of_the_file(game: str, rule: str) -> None:
    lines = explain(f"(;FF[4]{game}\n;B[d2])", "2:4")

    assert lines[-3].startswith(f"2:4  in  {rule}")


def test_explain_looks_at_the_game_around_the_place() -> None:
    lines = explain("(;FF[4]GM[1];B[pd])\n(;FF[4]GM[2];B[d3])", "2:16")

    assert lines[-3].startswith("2:16  in  move: COLUMN ROW")


def test_explain_knows_the_games_and_properties_of_the_settings(folder: Path) -> None:
    (folder / "sgf-lark.toml").write_text(
        '[games.Kings]\nnumber = 50\ngrammar = "k.lark"\n\n[properties]\nWI = "real"\n',
        encoding="utf-8",
    )
    (folder / "k.lark").write_text(
        'move: SQUARE "-" SQUARE\npoint: SQUARE\nSQUARE: /[a-h][1-8]/\n', encoding="utf-8"
    )
    text = "(;FF[4]GM[50]\n;B[d2-d4]WI[0.5])"

    assert '2:4  in  move: SQUARE "-" SQUARE' in explain(text, "2:4")
    assert "this is a value of WI, WI: real" in explain(text, "2:13")
    assert "this is a value of WI, a private property" in explain(text, "2:13", "--isolated")


def test_explain_takes_tt_for_a_pass_only_where_it_is_one() -> None:
    small, large = (explain(f"(;FF[4]GM[1]SZ[{size}]\n;B[tt])", "2:4")[-1] for size in ("19", "21"))

    assert '"tt"' in small
    assert '"tt"' not in large


def test_a_property_that_no_table_has_is_called_private() -> None:
    assert "this is a value of KT, a private property" in explain("(;FF[4]KT[ab])", "1:11")


# ---- warnings ----

WARNED = {
    "sum.lark": "`e` is left-recursive: parsed by Lark, not by the generated engine [L706",
    "else.lark": 'shift/reduce conflict in `s` on "else": ambiguous, `if if x else x` has two'
    " trees; the parser shifts [L705",
}


@pytest.mark.parametrize("grammar", WARNED)
def test_lint_warns_of_what_the_engines_make_of_a_grammar(grammar: str) -> None:
    result = run("grammar", "lint", grammar)

    assert result.exit_code == 0
    assert result.stdout.count(": warning: ") == 1
    assert WARNED[grammar] in result.stdout
    assert "nothing wrong" not in result.stdout


def test_lint_says_that_nothing_is_wrong() -> None:
    assert run("grammar", "lint", "games/go").stdout == "games/go: nothing wrong\n"


@pytest.mark.parametrize(
    "command",
    [
        "tree 1+2 --text --grammar sum.lark",
        "tree 1+2 --text --grammar sum.lark --format dot",
        "grammar test sum.lark text.txt",
        "grammar sample sum.lark",
        "grammar explain text.txt:1:1 --grammar sum.lark",
        "grammar diff sum.lark sum.lark",
        "grammar sample else.lark",
    ],
)
def test_other_commands_do_not_warn_of_it(command: str) -> None:
    Path("text.txt").write_text("1+2+3", encoding="utf-8")
    result = run(*command.split())

    assert (result.exit_code, result.stderr) == (0, "")


def test_tree_tells_of_conflicts_in_one_line() -> None:
    result = run("tree", "if x", "--text", "--grammar", "else.lark")

    assert result.exit_code == 0
    assert result.stderr == (
        "else.lark has 1 conflict, see 'sgf-lark grammar lint else.lark'; --engine earley shows all"
        " trees\n"
    )


def test_check_does_not_warn_of_it() -> None:
    Path("k.lark").write_text(
        GAME.replace('SQUARE "-" SQUARE', 'move "-" SQUARE | SQUARE'), encoding="utf-8"
    )
    Path("k.sgf").write_text("(;FF[4]GM[3];B[d2-d4-d6])", encoding="utf-8")
    result = run("check", "k.sgf", "--grammar", "k.lark")

    assert (result.exit_code, result.stderr) == (0, "")
    assert "L706" in run("grammar", "lint", "k.lark", "--start", "move").stdout


# ---- options ----


def test_a_rule_that_is_not_there_is_missed_in_a_named_grammar() -> None:
    by_content = run("tree", "(;)", "--start", "simpletext")
    chosen = run("tree", "(;)", "--start", "simpletext", "--as", "ff4")

    assert by_content.exit_code == 2
    assert "no rule 'simpletext' in ff1.lark: there are collection" in by_content.stderr
    assert by_content.stderr.endswith("; --as reads the text as another format\n")
    assert "no rule" not in chosen.stderr


@pytest.mark.parametrize("format_", ["ff1", "ff3", "ff4"])
def test_every_command_that_reads_records_reads_them_as_the_format_asked_for(format_: str) -> None:
    record = "(;FF[4]GM[1];W[tt])"
    Path("k.sgf").write_text(record, encoding="utf-8")
    Path("utf-8.sgf").write_text("(;FF[4];C[é])", encoding="utf-8")

    assert run("check", "k.sgf", "--as", format_).exit_code == 0
    assert run("tree", "k.sgf", "--as", format_).exit_code == 0
    assert run("show", "k.sgf", "--as", format_).exit_code == 0
    assert run("convert", "k.sgf", "--to", "ff4", "--as", format_).exit_code == 0
    assert run("grammar", "explain", "k.sgf:1:2", "--as", format_).exit_code == 0
    for command in (["tree", "utf-8.sgf"], ["check", "utf-8.sgf"], ["grammar", "test", "ff4"]):
        assert run(*command, "--encoding", "utf-9").exit_code == 2


def test_explain_reads_values_of_the_format_asked_for() -> None:
    text = "(;FF[3]GM[1];B[tt])"

    assert explain(text, "1:17", "--as", "ff4") != explain(text, "1:17")


def test_a_corpus_is_searched_as_the_settings_say(folder: Path) -> None:
    for name in ("games", "drafts"):
        (folder / name).mkdir()
        (folder / name / "a.sgf").write_text("(;FF[4])", encoding="utf-8")
    (folder / "sgf-lark.toml").write_text('extend-exclude = ["drafts"]', encoding="utf-8")

    assert "1 file: 1 accepted" in run("grammar", "test", "ff4", ".").stdout
    assert "2 files: 2 accepted" in run("grammar", "test", "ff4", ".", "--isolated").stdout
    (folder / "sgf-lark.toml").write_text("exclude = 3", encoding="utf-8")
    assert run("grammar", "test", "ff4", ".").exit_code == 2
    assert run("grammar", "explain", "games/a.sgf:1:2").exit_code == 2


def test_tree_decodes_as_told() -> None:
    Path("k.sgf").write_bytes("(;FF[4]C[\u00fc])".encode("latin-1"))

    assert "[\u00fc]" in run("tree", "k.sgf", "--encoding", "latin-1").stdout
    assert "[\u045c]" in run("tree", "k.sgf", "--encoding", "iso8859-5").stdout


def test_a_grammar_and_a_format_contradict_each_other() -> None:
    result = run("tree", "(;)", "--grammar", "ff3", "--as", "ff4")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "--grammar names the grammar: remove it, or --as" in result.stderr


def test_samples_are_written_to_a_file() -> None:
    result = run("grammar", "sample", "ff4", "-n", "3", "-o", "sentences.txt")

    assert (result.exit_code, result.stdout) == (0, "")
    assert Path("sentences.txt").read_bytes().decode() == (
        run("grammar", "sample", "ff4", "-n", "3").stdout
    )


# ---- ambiguity ----

ANY_ORDER = 'start: e\ne: e "+" e | /[0-9]/\n'


def test_tree_shows_all_trees_of_an_ambiguous_text() -> None:
    Path("any.lark").write_text(ANY_ORDER, encoding="utf-8")
    result = run("tree", "1+2+3", "--grammar", "any.lark", "--engine", "earley", "--format", "sexp")

    assert (result.exit_code, result.stderr) == (0, "")
    assert " ".join(result.stdout.split()) == (
        '(start (_ambig (e (e (e "1") (e "2")) (e "3")) (e (e "1") (e (e "2") (e "3")))))'
    )


def test_both_trees_of_the_dangling_else_are_shown_and_one_tree_where_there_is_one() -> None:
    both = run("tree", "if if x else x", "--grammar", "else.lark", "--engine", "earley").stdout
    only = run("tree", "if x else x", "--grammar", "else.lark", "--engine", "earley").stdout

    assert both.count("_ambig") == 1
    assert "_ambig" not in only
    assert only == run("tree", "if x else x", "--grammar", "else.lark").stdout


def test_two_rules_for_one_text_are_two_trees() -> None:
    Path("two.lark").write_text('start: a | b\na: X\nb: X\nX: "x"\n', encoding="utf-8")

    assert run("tree", "x", "--grammar", "two.lark").exit_code == 2
    shown = run("tree", "x", "--grammar", "two.lark", "--engine", "earley").stdout
    assert [line.split()[0] for line in shown.splitlines()] == [
        "_ambig",
        "start",
        "a",
        "X",
        "start",
        "b",
        "X",
    ]


def test_trees_too_many_to_be_shown_are_counted() -> None:
    Path("any.lark").write_text(ANY_ORDER, encoding="utf-8")
    result = run("tree", "+".join("1" * 40), "--grammar", "any.lark", "--engine", "earley")
    catalan = 1
    for number in range(39):
        catalan = catalan * 2 * (2 * number + 1) // (number + 2)

    assert (result.exit_code, result.stdout) == (1, "")
    assert f"this text has {catalan} trees" in result.stderr


def test_a_text_that_no_tree_fits_is_reported_at_its_place() -> None:
    for text, place in (("1+", "1:3"), ("1*2", "1:2")):
        Path("any.lark").write_text(ANY_ORDER, encoding="utf-8")
        result = run("tree", text, "--text", "--grammar", "any.lark", "--engine", "earley")

        assert (result.exit_code, result.stdout) == (1, "")
        assert f"<text>:{place}: expected" in result.stderr


def test_a_text_that_the_first_rule_rejects_names_the_rule_that_no_other_uses() -> None:
    Path("last.lark").write_text('digit: "0".."9"\nyear: digit~4\n', encoding="utf-8")
    Path("cases.txt").write_text("===\nA year\n===\n1985\n---\n", encoding="utf-8")
    help_ = "help: this was read by digit, the first rule; no rule uses year: --start year\n"

    for command in (["tree", "1985", "--grammar"], ["grammar", "test", "--cases", "cases.txt"]):
        assert run(*command, "last.lark").stderr.endswith(help_)
        assert help_ not in run(*command, "last.lark", "--start", "digit").stderr
    assert help_ not in run("tree", "1", "--grammar", "last.lark").stderr
    assert help_ not in run("tree", "x", "--grammar", "k.lark").stderr


def test_files_are_tested_as_texts_of_the_start_rule() -> None:
    Path("last.lark").write_text('digit: "0".."9"\nyear: digit~4\n', encoding="utf-8")
    Path("a.txt").write_text("1985", encoding="utf-8")
    named = run("grammar", "test", "last.lark", "*.txt", "--start", "year")
    first = run("grammar", "test", "last.lark", "*.txt")
    value = run("grammar", "test", "games/go", "*.txt", "--start", "point")

    assert (named.exit_code, named.stdout.splitlines()[0]) == (0, "1 file: 1 accepted")
    assert (first.exit_code, first.stderr.count("--start year")) == (1, 1)
    assert value.stdout.splitlines()[0] == "1 file: 0 accepted, 1 rejected"


def test_white_space_is_said_to_be_rejected_by_a_grammar_that_ignores_nothing() -> None:
    help_ = "help: the grammar ignores nothing; to let white space be anywhere:  %ignore /\\s+/\n"

    assert run("tree", "1 + 2", "--grammar", "sum.lark").stderr.endswith(help_)
    assert help_ not in run("tree", "1x", "--grammar", "sum.lark").stderr
    assert help_ not in run("tree", "x\tx", "--grammar", "else.lark").stderr


def test_a_grammar_with_conflicts_is_drawn_sampled_and_exported() -> None:
    Path("two.lark").write_text('start: a | b\na: X\nb: X\nX: "x"\n', encoding="utf-8")

    assert run("grammar", "draw", "two.lark", "-o", "two.html").exit_code == 0
    assert run("grammar", "sample", "two.lark").stdout == "x\n"
    assert "a ::= X" in run("grammar", "export", "two.lark", "--to", "w3c").stdout
    for option in ("--cover", "--broken"):  # by a parser
        assert "L705" in run("grammar", "sample", "two.lark", option).stderr


def test_the_head_of_an_export_quotes_no_productions() -> None:
    Path("sum.ebnf").write_text('Sum = Digit { "+" Digit }.\nDigit = "0".."9".', encoding="utf-8")
    run("grammar", "from-ebnf", "sum.ebnf", "-o", "new.lark")

    assert run("grammar", "export", "new.lark", "--to", "w3c").stdout.startswith("/* new.lark. */")


def test_errors_of_a_translation_on_standard_output_are_not_those_of_the_productions() -> None:
    Path("two.ebnf").write_text("S = A | B. A = C. B = C. C = 'x'.", encoding="utf-8")

    advice, _, errors = run("grammar", "from-ebnf", "two.ebnf").stderr.partition("\n")

    assert advice == "LALR cannot read by <stdout>: 'tree --engine earley' shows what it means"
    assert errors.startswith("<stdout>:5:1: error: reduce/reduce conflict")


LOOK_AHEAD = """\
file: (declaration | use)+
declaration: type NAME ";"
use: name NAME ":"
type: WORD
name: WORD
WORD: /[A-Z]/
NAME: /[a-z]/
"""


def test_earley_reads_what_lalr_cannot_and_lalr_says_so() -> None:
    Path("look.lark").write_text(LOOK_AHEAD, encoding="utf-8")
    by_lalr = run("tree", "Aa;Bb:", "--grammar", "look.lark")
    by_earley = run("tree", "Aa;Bb:", "--grammar", "look.lark", "--engine", "earley")

    assert by_lalr.exit_code == 2
    hint = "LALR cannot read by look.lark: --engine earley shows what it means"
    assert by_lalr.stderr.splitlines()[0] == hint
    assert [line.split()[0] for line in by_earley.stdout.splitlines()][:2] == [
        "file",
        "declaration",
    ]


CUT = 'game: MOVE* result\nresult: "1-0"\nMOVE: /[0-9]+[.]*/\n%ignore " "\n'


def test_a_text_that_lalr_rejects_has_the_cause_and_where_its_tree_is_shown() -> None:
    Path("cut.lark").write_text(CUT, encoding="utf-8")
    rejected = run("tree", "1. 1-0", "--grammar", "cut.lark")
    wrong = run("tree", "1. 1-1", "--grammar", "cut.lark")

    assert rejected.exit_code == 1
    assert rejected.stderr.splitlines()[3:] == [
        "help: MOVE is tried before \"1-0\", and takes only '1' of '1-0'",
        "help: the grammar means this text, LALR cannot see it: --engine earley shows the tree",
    ]
    assert run("tree", "1. 1-0", "--grammar", "cut.lark", "--engine", "earley").exit_code == 0
    assert "help:" not in wrong.stderr


def test_white_space_that_a_tree_has_lost_is_reported_beside_the_tree() -> None:
    Path("lost.lark").write_text("start: CHAR+\nCHAR: /[^;]/\n%ignore /\\s+/\n", encoding="utf-8")
    result = run("tree", "ab c", "--grammar", "lost.lark")

    assert result.exit_code == 0
    assert result.stderr.startswith(
        "<text>:1:3: /\\s+/ is ignored before CHAR is tried, so that ' ' is lost [L714"
    )
    assert run("tree", "abc", "--grammar", "lost.lark").stderr == ""


def test_endless_trees_are_called_so() -> None:
    Path("endless.lark").write_text('a: b*\nb: "x"*\n', encoding="utf-8")
    result = run("tree", "xx", "--grammar", "endless.lark", "--engine", "earley")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: this text has endless trees")


def test_the_time_and_the_length_of_a_text_for_earley_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("any.lark").write_text(ANY_ORDER, encoding="utf-8")
    text = "+".join("1" * 1_001)
    long = run("tree", text, "--text", "--grammar", "any.lark", "--engine", "earley")
    monkeypatch.setattr(parse_state, "parse_all", lambda *_: None)
    late = run("tree", "1+1", "--grammar", "any.lark", "--engine", "earley")

    assert (long.exit_code, late.exit_code) == (2, 1)
    assert (
        long.stderr == "error: --engine earley reads texts of at most 2000 characters, not 2001\n"
    )
    assert late.stderr.startswith(
        "error: --engine earley needs more than 20 seconds for this text\n"
    )


# ---- exports ----


def test_what_an_export_cannot_express_is_reported_at_its_place_with_what_to_write() -> None:
    Path("mine.lark").write_text("start: N /b\\b/\nN: /(?<!x)y/\n", encoding="utf-8")
    behind = run("grammar", "export", "mine.lark", "--to", "w3c")
    Path("mine.lark").write_text("start: N /b\\b/\nN: /y/\n", encoding="utf-8")
    boundary = run("grammar", "export", "mine.lark", "--to", "w3c")
    Path("mine.lark").write_text("start: N /b/\nN: /y/\n", encoding="utf-8")

    assert (behind.exit_code, boundary.exit_code) == (2, 2)
    assert behind.stderr.startswith(
        "mine.lark:2:1: error: w3c cannot express N: a lookbehind [L711"
    )
    assert "help: leave it out, and let a rule say what comes before the terminal" in behind.stderr
    assert boundary.stderr.startswith(
        "mine.lark:1:10: error: w3c cannot express /b\\b/: a boundary [L711"
    )
    assert run("grammar", "export", "mine.lark", "--to", "w3c").exit_code == 0


# ---- grammars of games ----

PIG = 'move: DIGIT+ | "pass"\nDIGIT: "0".."9"\n'


@pytest.fixture
def pig(folder: Path) -> Path:
    """Settings that name a game with a grammar of moves, and a record of it."""
    (folder / "pig").mkdir()
    (folder / "pig" / "moves.lark").write_text(PIG, encoding="utf-8")
    (folder / "pig" / "sgf-lark.toml").write_text(
        '[games.Pig]\nnumber = 77\ngrammar = "moves.lark"\n', encoding="utf-8"
    )
    text = "(;FF[4]GM[77];B[12];W[pass];B[x])"
    (folder / "pig" / "a.sgf").write_text(text, encoding="utf-8")
    return folder / "pig"


def test_a_grammar_of_moves_is_tested_on_records_of_the_game_of_the_settings(
    pig: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grammar, record = "pig/moves.lark", "pig/a.sgf"
    tested = run("grammar", "test", grammar, record).stdout

    accepted, rejected, used, *_ = tested.splitlines()
    assert (accepted, used) == ("2 values accepted, 1 rejected", "2 of 2 alternatives used")
    assert rejected.startswith("  pig/a.sgf:1:31: B[x]: expected ")
    assert run("grammar", "test", grammar, record, "--isolated").stdout.startswith("0 values ")
    monkeypatch.chdir(pig)
    inside = run("grammar", "test", "moves.lark", "a.sgf").stdout
    assert inside == tested.replace("pig/a.sgf", "a.sgf")


def test_sample_knows_the_games_of_the_settings(pig: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(pig)
    sampled = run("grammar", "sample", "ff4", "--typed", "--game", "Pig", "--count", "2")

    assert sampled.exit_code == 0
    assert sampled.stdout.count("(;FF[4]GM[77]") == 2
    isolated = run("grammar", "sample", "ff4", "--typed", "--game", "Pig", "--isolated")
    assert (isolated.exit_code, "no game 'Pig'" in isolated.stderr) == (2, True)


@pytest.mark.parametrize(
    "command",
    [["check", "--grammar", "pig/moves.lark", "pig/a.sgf"],
     ["grammar", "explain", "pig/a.sgf:1:16", "--grammar", "pig/moves.lark"]],
)  # fmt: skip
def test_a_grammar_of_moves_is_no_grammar_of_records(command: list[str], pig: Path) -> None:
    result = run(*command)

    assert pig.is_dir()
    assert result.exit_code == 2
    assert "this grammar describes points and moves, not records" in result.stderr
    assert 'help: name it in the settings of the game: [games.NAME] grammar = "moves.lark"' in (
        result.stderr
    )
