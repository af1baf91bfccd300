"""Each kind of mistake in a grammar is found, where it stands, in words that say what to do."""

from __future__ import annotations

import re
from math import inf
from pathlib import Path

import pytest
from lark import Lark, Token, Tree, lexer
from support.lanes import by_night, one_in

import sgf_lark
from sgf_lark import PropertyTable, Severity, SgfGrammarError
from sgf_lark.core.api.fix import edited
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import GrammarSource
from sgf_lark.workbench.lint import find_ambiguous, grammar_report
from sgf_lark.workbench.lint_terminals import growth
from sgf_lark.workbench.parse_state import parse

RECORDS = """\
collection: game_tree+
game_tree: "(" sequence game_tree* ")"
sequence: node+
node: ";" property*
property: PROP_IDENT PROP_VALUE+
PROP_IDENT: /[A-Z]+/
%import .lexical (PROP_VALUE, WS)
%ignore WS
"""

#: A grammar with one mistake, its code, its place, what is said, and what to do about it.
MISTAKES = {
    "undefined rule": (
        RECORDS.replace("sequence g", "sequense g"),
        "L702 2:16 no rule sequense is defined",
        "did you mean sequence?",
    ),
    "undefined terminal": (
        "start: NAME\n",
        "L702 1:8 no terminal NAME is defined",
        "define NAME, or import it",
    ),
    "not the notation": (
        "start: NAME\nNAME /[a-z]+/\n",
        "L701 2:6 expected '.' or ':' or '{', found '/[a-z]+/'",
        'write one definition a line, such as  node: ";" property*',
    ),
    "defined twice": (
        'start: a\na: "x"\na: "y"\n',
        "L703 3:1 the rule a is defined twice",
        "join them with '|', or rename one",
    ),
    "rule in terminal": (
        'start: A\nA: b\nb: "x"\n',
        "L704 2:4 A is a terminal and uses the rule b",
        "write A in lower case, or b in capitals",
    ),
    "collision": (
        'start: a | b\na: X\nb: X\nX: "x"\n',
        (
            "L705 2:1 reduce/reduce conflict between `a` and `b` on the end of the text:"
            " ambiguous, `x` has two trees"
        ),
        (
            'join them, or end one with a token of its own:  b: "x" ";";'
            ' the trees differ in (start (b "x")) and (start (a "x"))'
        ),
    ),
    "rule without end": (
        'start: list\nlist: list "," X\nX: "x"\n',
        "L706 1:1 start matches no text: each alternative needs start again",
        "add an alternative without it",
    ),
    "rule that is only itself": (
        'start: list\nlist: list | X\nX: "x"\n',
        "L706 2:1 list is an alternative of itself",
        "remove that alternative",
    ),
    "zero-width terminal": (
        'start: A "b"\nA: /a*/\n',
        "L708 2:1 the terminal A matches the empty text",
        "let it match a character at least ('+' for '*'), and make it optional in rules",
    ),
    "exponential pattern": (
        "start: A\nA: /(a+)+b/\n",
        "L709 2:1 the terminal A needs exponential time for some texts",
        (
            "its repetitions match the same text in several ways; let each begin with another"
            " character, as in  [^x]*(?:x[^x]*)*"
        ),
    ),
    "exponential pattern without a name": (
        "start: /(a|b|ab)*c/\n",
        "L709 1:8 this terminal needs exponential time for some texts",
        (
            "its repetitions match the same text in several ways; let each begin with another"
            " character, as in  [^x]*(?:x[^x]*)*"
        ),
    ),
    "broken pattern": (
        "start: A\nA: /(a+/\n",
        "L710 2:5 invalid regular expression: missing ), unterminated subpattern",
        "a '\\' before it may be missing",
    ),
    "import of nothing": (
        "start: X\n%import .nowhere (X)\n",
        "L711 2:9 there is no nowhere.lark beside this grammar or among the shipped ones",
        "correct the name",
    ),
    "import of a name that is not there": (
        "start: pointx\n%import .games.go (pointx)\n",
        "L702 2:20 no rule pointx is defined in go.lark",
        "did you mean point?",
    ),
    "import of itself": (
        "start: other\n%import .mine (other)\n",
        "L711 2:9 mine.lark imports itself",
        "move what both need to a file of its own",
    ),
    "declared and nothing more": (
        "start: TAB\n%declare TAB\n",
        "L702 1:8 no terminal TAB is defined",
        "define TAB, or import it",
    ),
    "empty text": (
        'start: "" "a"\n',
        "L708 1:8 this text is empty",
        "remove it: an optional part has '?' after it, or is in [...]",
    ),
    "range backwards": (
        'start: "a" "z".."b"\n',
        'L711 1:12 this range ends with "b", before it begins',
        'write  "b".."z"',
    ),
    "range of words": (
        'start: "ab".."c"\n',
        "L711 1:8 a range goes from one character to another",
        'such as  "a".."z"',
    ),
    "count backwards": (
        'start: "a"~3..1\n',
        "L711 1:8 this range of counts is empty",
        "write the smaller number first",
    ),
    "group by its number": (
        "start: /(a|b)\\1/\n",
        "L710 1:8 \\1 refers to a group by number, which changes next to other terminals",
        "give the group a name: (?P<quote>['\"]) ... (?P=quote)",
    ),
    "brackets in thousands": (
        "start: " + "(" * 3000 + '"a"' + ")" * 3000 + "\n",
        "L711 1:1 its brackets, or its rules inside each other, nest too deep to be read",
        "write long chains as repetitions, such as  item+",
    ),
    "no rule": ("// nothing\n", "L711 1:1 the grammar has no rule", "write one"),
}


#: Lark takes a second for it.
SLOW = "brackets in thousands"


@pytest.mark.parametrize("name", [by_night(one) if one == SLOW else one for one in MISTAKES])
def test_each_kind_of_mistake_is_found_where_it_stands(name: str, tmp_path: Path) -> None:
    text, expected, help_ = MISTAKES[name]
    file = tmp_path / "mine.lark"
    file.write_text(text, encoding="utf-8")
    first, *_ = grammar_report(grammars.source(file)).errors

    assert f"{first.code} {first.line}:{first.column} {first.message}" == expected
    assert first.help == help_


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("start: nodes\nnode: /n/\n", "start: node\nnode: /n/\n", "write node"),
        ('a: B\nB: "x"\nB: "y"\n', 'a: B\nB: "x" | "y"\n\n', "join them with '|'"),
        ("a: /x(/\n", "a: /x\\(/\n", "write a '\\' before it"),
        ('a: "z".."b"\n', 'a: "b".."z"\n', 'write  "b".."z"'),
    ],
)
def test_a_fix_makes_the_grammar_right(wrong: str, right: str, message: str) -> None:
    (found,) = grammar_report(GrammarSource(Path("mine.lark"), wrong)).errors
    assert found.fix is not None
    assert (found.fix.message, found.fix.safe) == (message, False)
    assert edited(wrong, found.fix.edits) == right
    assert not grammar_report(GrammarSource(Path("mine.lark"), right)).errors


def test_a_mistake_in_an_imported_grammar_has_no_fix_here(tmp_path: Path) -> None:
    (tmp_path / "other.lark").write_text("start: nodes\nnode: /n/\n", encoding="utf-8")
    (tmp_path / "mine.lark").write_text("%import .other (start)\n", encoding="utf-8")
    (found,) = grammar_report(grammars.source(tmp_path / "mine.lark")).errors

    assert found.message == "other.lark:1:8: no rule nodes is defined"
    assert found.fix is None


@pytest.mark.parametrize("name", one_in(4, MISTAKES))
def test_every_door_refuses_a_grammar_with_a_mistake(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.lark"
    file.write_text(MISTAKES[name][0], encoding="utf-8")

    with pytest.raises(SgfGrammarError) as caught:
        sgf_lark.parse_tree("(;)", file)
    with pytest.raises(SgfGrammarError):
        sgf_lark.loads("(;)", grammar=file)
    assert caught.value.report.name == str(file)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("start: (\n", "L701 2:9 other.lark:1:9: expected "),
        ("start: bar\n", "L702 2:9 other.lark:1:8: no rule bar is defined"),
        ("start: /[a-/\n", "L710 2:9 other.lark:1:9: invalid regular expression: unterm"),
        ("%import .mine (foo)\nstart: foo\n", "L711 2:9 mine.lark imports itself, by way of other"),
        ("%import .nix (foo)\nstart: foo\n", "L711 2:9 other.lark:1:9: there is no nix.lark"),
        ('start: /a*/ "b"\n', "L708 1:1 the terminal /a*/ matches the empty text"),
        ('start: A\nA: /(a+)+b/ "b"\n', "L709 2:9 the terminal A needs exp"),
        ("start: a | b\na: X\nb: X\nX: /x/\n", "L705 2:9 reduce/reduce conflict between"),
        (b"start: '\xe9'", "L711 2:9 other.lark is not UTF-8"),
    ],
)
def test_mistakes_in_an_imported_file_are_told_where_it_is_imported(
    text: str | bytes, expected: str, tmp_path: Path
) -> None:
    other, mine = tmp_path / "other.lark", tmp_path / "mine.lark"
    other.write_bytes(text if isinstance(text, bytes) else text.encode())
    mine.write_text("foo: start\n%import .other (start)\n", encoding="utf-8")
    first, *_ = grammar_report(grammars.source(mine)).errors

    assert f"{first.code} {first.line}:{first.column} {first.message}".startswith(expected)


def test_a_byte_order_mark_is_no_part_of_a_grammar_and_templates_are_no_rules(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.lark"
    file.write_text('pair{x}: x x\nstart: pair{"a"}\n', encoding="utf-8-sig")

    assert not grammar_report(grammars.source(file))
    assert sgf_lark.parse_tree("aa", file).data == "start"


def test_a_grammar_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "latin.lark"
    file.write_bytes(b'start: "\xe9"')
    with pytest.raises(SgfGrammarError, match=r"latin.lark:1:1: this is not UTF-8 \[L711"):
        sgf_lark.loads("(;)", grammar=file)


def test_where_a_repetition_goes_on_is_told_with_what_it_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "mine.lark"
    file.write_text('start: item item?\nitem: X? X\nX: "x"\n', encoding="utf-8")
    (only,) = grammar_report(grammars.source(file))

    assert only.severity is Severity.WARNING
    assert only.message == (
        'shift/reduce conflict in `item` on "x": ambiguous, `xx` has two trees; the parser shifts'
    )


def test_left_recursion_that_only_lark_can_read_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "mine.lark"
    file.write_text('start: list\nlist: list "," X | X\nX: "x"\n', encoding="utf-8")
    (only,) = grammar_report(grammars.source(file))

    assert only.severity is Severity.WARNING
    assert (only.code, only.line, only.column) == ("L706", 2, 1)
    assert grammars.generated(grammars.source(file), "start") is None
    assert sgf_lark.parse_tree("x,x", file).children


def test_a_mended_grammar_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "mine.lark"
    file.write_text(RECORDS.replace("node+", "nod+"), encoding="utf-8")
    with pytest.raises(SgfGrammarError):
        sgf_lark.loads("(;)", grammar=file)
    file.write_text(RECORDS, encoding="utf-8")

    assert len(sgf_lark.loads("(;B[aa])", grammar=file)) == 1


@pytest.mark.parametrize("name", one_in(3, grammars.names()))
def test_nothing_is_wrong_with_the_shipped_grammars(name: str) -> None:
    report = grammar_report(grammars.source(name), PropertyTable.standard().kinds)

    assert not report, str(report)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("start", "the first rule is start; that of a grammar for records is collection"),
        (
            "leaf",
            (
                "records are made of collection, game_tree, sequence, node and property;"
                " leaf is none of them"
            ),
        ),
    ],
)
def test_games_are_made_of_the_rules_of_records_alone(
    rule: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.lark"
    old = "collection" if rule == "start" else "node"
    file.write_text(re.sub(rf"\b{old}\b", rule, RECORDS), encoding="utf-8")
    with pytest.raises(SgfGrammarError) as caught:
        sgf_lark.loads("(;)", grammar=file)

    assert caught.value.first.message == message


def test_a_rule_called_game_makes_no_ggf_of_a_grammar_of_sgf(tmp_path: Path) -> None:
    file = tmp_path / "mine.lark"
    text = RECORDS.replace("collection: game_tree+", "start: game+\ngame: game_tree")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SgfGrammarError) as caught:
        sgf_lark.loads("(;)", grammar=file)

    message = "the first rule is start; that of a grammar for records is collection"
    assert caught.value.first.message == message


# ---- exponential patterns ----


@pytest.mark.parametrize(
    ("pattern", "exponential"),
    [
        (r"(a+)+b", True),
        (r"(a*)*b", True),
        (r"(a|aa)+b", True),
        (r"(?:[^\]\\]+|\\.)*\]", True),
        (r"(\w+\s?)*$", True),
        (r"(x+x+)+y", True),
        (r"(a+){2,}b", True),
        (r"(?i:(?:A+)+)b", True),
        (r"(a|a)*b", True),
        (r"(?:b(?:a?)?)*c", True),
        (r"(?:\s|.)*!", True),
        (r"a+b", False),
        (r"(a+)+", False),  # it may end wherever it is, so that nothing is tried again
        (r"(?>(a+))+b", False),
        (r"(a++)+b", False),
        (r"(?:ab|c)+d", False),
        (r"[^\]\\]*(?:\\.[^\]\\]*)*\]", False),
        (r"(?:[a-z]+;)*!", False),
        (r"(?:\w+\s+)*!", False),
        (r"(?:.|\n)*!", False),
    ],
)
def test_endless_patterns_are_told_from_others(
    pattern: str,
    exponential: bool,  # noqa: FBT001
) -> None:
    assert (growth(pattern) == inf) is exponential


@pytest.mark.parametrize(
    "pattern",
    [
        "(a{1,20}){1,20}b",
        "(?:a?){40}a{40}",
        "(a(?=a*)a*)*b",
        "(a?a?a?){30}b",
        "(?:a{0,15}){12}b",
        r"(\w{1,20}\s?){1,20}!",
        "(?:(?:ab?){1,12}){1,12}c",
        "(?:[ab]{1,10}){10,}c",
        "(a(?=b?)a*)+c",
        "((?:ab|a)?){25}c",
    ],
)
def test_a_repetition_of_many_rounds_is_as_bad_as_an_endless_one(pattern: str) -> None:
    assert growth(pattern) == inf


@pytest.mark.parametrize(
    "pattern",
    [
        "[0-9]{1,20}(?:,[0-9]{1,20}){0,20}",
        "(?:(?!end).)*end",
        "[a-z]{1,30}",
        r"(?:[^\r\n]*[\r\n]){5,80}PM",
        "(?:a(?!b)|ab)*c",
        r"\d{4}-\d{2}(?:,\d{2}){0,30}",
        "(?:a{3}b){20}",
        "(?:ab?){12}c",
        "a{40}",
        "(?:x[ab]?){20}y",
        "(?:a?){3}b",
    ],
)
def test_many_rounds_that_differ_in_their_text_are_fine(pattern: str) -> None:
    assert growth(pattern) < inf


@pytest.mark.parametrize(
    ("pattern", "power"),
    [
        ("a*a*a*a*a*a*a*a*b", 8),
        ("a*a*a*b", 3),
        (r"[ \t]*[^\r\n]*[ \t]*\n", 3),
        (r"\d*\.?\d*\.?\d*x", 3),
        (".*x.*y.*z", 3),
        ("a{1,20}" * 8 + "b", 4),
        ("a{0,99}a{0,99}a{0,99}a{0,99}b", 3),
        ("(?i:[a-z]*A*[b-z]*a*!)", 3),
        ("[あ-ん]*[い-う]*[ぁ-ゟ]*!", 3),
        ("(?=a*a*a*b).", 3),
        ("a*a*b", 2),
        (r"\w*[A-Z]\w*;", 2),
        ("(?:ab)*(?:a|b)*c", 2),
        ("a*b*a*c", 2),
        (r'"[^"]* *"', 2),
        ("a*a*a*", 1),  # it may end wherever it is
        ("a*b*c", 1),
        ("a*+a*+a*+b", 1),
        (r"\s*\w+\s*;", 1),
        (r"\w+@\w+\.\w+!", 1),
        (r"[^\]]*[^\]\\]\]", 1),
        (r'".*?(?<!\\)(\\\\)*?"', 1),  # ESCAPED_STRING of Lark
        (r"\d{1,9}\d{1,9}\d{1,9}x", 1),
        (r"(?s:[^\n]{100}[0-7 ]{24}.{133}ustar)", 1),
        ("「[^」]*」[^」]*」[^」]*」!", 1),
        (r"(?i:\s*<\s*-\s*x)", 1),
        ("(?:" * 30 + "a" + "{3})" * 30 + "b", 1),
    ],
)
def test_repetitions_that_follow_each_other_take_a_power_of_the_length(
    pattern: str, power: int
) -> None:
    assert round(growth(pattern)) == power


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("a*a*b", ["warning L709 the terminal A needs time that grows with the square of the"]),
        ("a*a*a*b", ["error L709 the terminal A needs time that grows with the cube of the len"]),
        ("a*a*a*a*a*a*b", ["error L709 the terminal A needs time that grows with the 6th power"]),
        ("(a*)*b", ["error L709 the terminal A needs exponential time for some texts"]),
        ("a*b", []),
    ],
)
def test_a_pattern_is_an_error_from_the_cube_on(
    pattern: str, said: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.lark"
    file.write_text(f"start: A\nA: /{pattern}/\n", encoding="utf-8")

    report = grammar_report(grammars.source(file))

    assert [f"{one.severity} {one.code} {one.message}"[: len(say)]
            for one, say in zip(report, said, strict=True)] == said  # fmt: skip


def test_the_patterns_that_lark_makes_of_terminals_are_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "mine.lark"
    file.write_text('start: A\nA: B+ "!"\nB: ("a" | "b")+\n', encoding="utf-8")
    Lark(file.read_text(encoding="utf-8"), parser="lalr")  # lark has nothing against it

    assert [one.code for one in grammar_report(grammars.source(file))] == ["L709"]


# ---- terminals that match the same text ----

AMBIGUOUS = 'start: (NAME | WORD)+\nNAME: /[a-z]+/\nWORD: /[a-c]+/\n%ignore " "\n'


def test_terminals_for_the_same_text_are_no_error_whatever_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.lark"
    file.write_text(AMBIGUOUS, encoding="utf-8")
    (only,) = find_ambiguous(grammars.source(file))

    assert (only.severity, only.line) == (Severity.WARNING, 3)
    assert only.message == "the same text, such as a, may be NAME or WORD"
    assert only.help == "give one a priority: WORD.1: ...; or let them differ"
    assert not grammar_report(grammars.source(file))
    monkeypatch.setattr(lexer, "has_interegular", False)
    assert not find_ambiguous(grammars.source(file))


def test_the_terminal_of_the_file_itself_is_the_ambiguous_one(tmp_path: Path) -> None:
    text = grammars.text_of(grammars.source("ff4"))
    own = 'property: PROP_IDENT PROP_VALUE+ | "#" NOTE\nNOTE: /[^\\n;)]+/\n'
    file = tmp_path / "mine.lark"
    file.write_text(re.sub(r"property: .*\n", lambda _: own, text, count=1), encoding="utf-8")
    (only,) = find_ambiguous(grammars.source(file))

    assert file.read_text(encoding="utf-8").splitlines()[only.line - 1] == "NOTE: /[^\\n;)]+/"
    assert len(sgf_lark.loads("(;FF[4]GM[1]#hello\n;B[aa])", grammar=file, strict=False)[0]) == 2


# ---- terminals that are tried one before the other ----


def read(text: str, file: GrammarSource) -> Tree[Token]:
    """Return the tree of a text by a grammar."""
    tree = parse(text, file, grammars.first_rule(file)).tree
    assert tree is not None
    return tree


#: Grammars in which a terminal is tried too late, a text that trips on it, and what is said.
OVERTAKEN = {
    "a text in a rule": (
        (
            'game: (MOVE | SAN)* result\nresult: "1-0" | "*"\nMOVE: /[0-9]+[.]*/\n'
            "SAN: /[a-h][1-8]/\n%ignore /\\s+/\n"
        ),
        "1. e4 e5 1-0",
        ("L713", 2, 9, "MOVE is tried before \"1-0\", and takes only '1' of '1-0'"),
    ),
    "a terminal": (
        'log: (DATE | N)+\n%import common.NUMBER -> N\nDATE: /[0-9]{4}-[0-9]{2}/\n%ignore " "\n',
        "7 2024-01",
        ("L713", 3, 1, "N is tried before DATE, and takes only '0000' of '0000-00'"),
    ),
    "a terminal with a priority": (
        "log: (DATE | N)+\nN.2: /[0-9]+/\nDATE.2: /[0-9]{4}-[0-9]{2}/\n",
        "2024-01",
        ("L713", 3, 1, "N is tried before DATE, and takes only '0000' of '0000-00'"),
    ),
    "a pattern in a rule": (
        "log: (/[0-9]{4}-[0-9]{2}/ | N)+\nN: /[0-9]+[0-9]*[0-9a]*[0-9b]*/\n",
        "2024-01",
        ("L713", 1, 7, "N is tried before /[0-9]{4}-[0-9]{2}/, and takes only '0000' of '0000-00'"),
    ),
    "a character that is ignored as a text": (
        'start: "=" LETTER\nLETTER: /./\n%ignore " "\n',
        "= ",
        ("L714", 2, 1, "\" \" is ignored before LETTER is tried, so that ' ' is lost"),
    ),
    "white space at the beginning of a value": (
        'pair: NAME "=" VALUE\nNAME: /[a-z]+/\nVALUE: /[^;]+/\n%import common.WS\n%ignore WS\n',
        "a=  b c",
        ("L714", 3, 1, "WS is ignored before VALUE is tried, so that ' ' is lost"),
    ),
}


@pytest.mark.parametrize("name", OVERTAKEN)
def test_a_terminal_that_is_tried_too_late_is_a_warning_whose_fix_lets_it_be_read(
    name: str,
) -> None:
    grammar, text, expected = OVERTAKEN[name]
    first, *_ = found = [
        one
        for one in grammar_report(GrammarSource(Path("mine.lark"), grammar))
        if one.code >= "L713"
    ]

    assert (first.code, first.line, first.column, first.message) == expected
    assert {one.severity for one in found} == {Severity.WARNING}
    assert first.fix is not None
    assert first.help.rpartition(":  ")[2] in edited(grammar, first.fix.edits)
    fixed = GrammarSource(Path("mine.lark"), edited(grammar, first.fix.edits))
    assert first.message not in {one.message for one in grammar_report(fixed)}
    tree = read(text, fixed)
    tokens = [str(token) for token in tree.scan_values(lambda part: isinstance(part, Token))]
    assert tokens[-1] in text.split() or tokens[-1] == text.partition("=")[2]


@pytest.mark.parametrize("name", [name for name, row in OVERTAKEN.items() if row[2][0] == "L713"])
def test_the_error_of_a_text_says_which_terminal_was_tried_too_early(name: str) -> None:
    grammar, text, (*_, message) = OVERTAKEN[name]
    file = GrammarSource(Path("mine.lark"), grammar)
    found = parse(text, file, grammars.first_rule(file)).finding

    assert found is not None
    assert found.help.partition(", and takes")[0] == message.partition(", and takes")[0]
    assert found.help.endswith(f"of {text.split()[-1]!r}")


def test_the_error_of_a_record_says_which_terminal_was_tried_too_early(tmp_path: Path) -> None:
    grammar = RECORDS.replace('";" property*', '";" (property | "AB-C")*')
    file = tmp_path / "mine.lark"
    file.write_text(grammar, encoding="utf-8")
    (found,) = sgf_lark.loads("(;B[aa]AB-C)", grammar=file, strict=False).diagnostics

    assert found.help == "PROP_IDENT is tried before \"AB-C\", and takes only 'AB' of 'AB-C'"


CHARACTERS = (
    'file: pair*\npair: NAME "=" value ";"\nvalue: CHAR+\nCHAR: /[^;]/\nNAME.1: /[a-z]+(?==)/\n'
)


def test_white_space_that_is_lost_inside_a_value_is_a_warning_that_says_what_to_write() -> None:
    grammar = f"{CHARACTERS}%ignore /\\s+/\n"
    (found,) = grammar_report(GrammarSource(Path("mine.lark"), grammar))

    assert (found.code, found.line, found.severity) == ("L714", 4, Severity.WARNING)
    assert found.message == "/\\s+/ is ignored before CHAR is tried, so that ' ' is lost"
    assert found.help == (
        "nothing is ignored inside a terminal: write  VALUE: CHAR+  and, in `value`, VALUE for"
        " that repetition"
    )
    followed = grammar.replace("value: CHAR+\n", "value: VALUE\nVALUE: CHAR+\n")
    mended = GrammarSource(Path("mine.lark"), followed)
    values = read("a=two  words; b=x;", mended).find_data("value")
    assert [str(value.children[0]) for value in values] == ["two  words", "x"]


def test_a_terminal_whose_rival_has_a_higher_priority_was_decided_on() -> None:
    grammar = "log: (DATE | N)+\nN.1: /[0-9]+/\nDATE: /[0-9]{4}-[0-9]{2}/\n"

    assert not grammar_report(GrammarSource(Path("mine.lark"), grammar))


# ---- conflicts ----


def test_a_conflict_on_many_tokens_is_one_finding() -> None:
    digits = " | ".join(f'"{digit}"' for digit in range(10))
    file = GrammarSource(Path("mine.lark"), f"all: number+\nnumber: digit+\ndigit: {digits}\n")
    (found,) = grammar_report(file, warn=True)

    assert '`number` on "0", "1", "2", "3" and 6 more: ambiguous, `' in found.message


def test_texts_that_show_a_conflict_are_of_characters() -> None:
    grammar = 'all: a "x" "p" | b "x" "q"\na: "0".."9" "0".."7"\nb: "0".."9" "0".."7"\n'
    found = grammar_report(GrammarSource(Path("mine.lark"), grammar))

    assert "`01xp` and `01xq` begin alike" in str(found)


# ---- operators ----

#: Rules of operators, and texts whose trees say how they bind.
OPERATORS = {
    'expr: expr "+" expr | expr "*" expr | "(" expr ")" | NUMBER\n': (
        'expr: expr "+" product | product\n'
        '?product: product "*" atom | atom\n'
        '?atom: "(" expr ")" | NUMBER'
    ),
    '?expr: expr "^" expr -> pow | "-" expr -> neg | expr "-" expr -> sub | NUMBER\n': (
        '?expr: expr "-" power -> sub | power\n'
        '?power: expr_2 "^" power -> pow | expr_2\n'
        '?expr_2: "-" expr_2 -> neg | NUMBER'
    ),
    'expr: expr OP expr | NUMBER\nOP: "<" | ">"\n': "expr: expr OP NUMBER | NUMBER",
    'expr: expr expr | expr "|" expr | expr "*" | NUMBER | "(" expr ")"\n': (
        'expr: expr "|" expr_2 | expr_2\n'
        "?expr_2: expr_2 expr_3 | expr_3\n"
        '?expr_3: expr_3 "*" | atom\n'
        '?atom: NUMBER | "(" expr ")"'
    ),
    'expr: expr "?" expr ":" expr | expr "+" expr | NUMBER\nsum: "x"\n': (
        'expr: expr_2 "?" expr ":" expr | expr_2\n?expr_2: expr_2 "+" NUMBER | NUMBER'
    ),
}


@pytest.mark.parametrize("rules", OPERATORS)
def test_a_rule_of_operators_is_one_warning_whose_fix_writes_their_levels(rules: str) -> None:
    grammar = f'{rules}NUMBER: /[0-9]/\n%ignore " "\n'
    (found,) = [
        one
        for one in grammar_report(GrammarSource(Path("mine.lark"), grammar))
        if one.code == "L705"
    ]
    introduction, _, levels = found.help.partition("\n")

    assert introduction == "write a rule for each level, what binds tighter below:"
    assert levels == OPERATORS[rules]
    assert found.fix is not None
    fixed = edited(grammar, found.fix.edits)
    assert fixed == grammar.replace(grammar.partition("\n")[0], levels)
    report = grammar_report(GrammarSource(Path("mine.lark"), fixed))
    assert [one.message for one in report if one.code != "L706"] == []


def test_the_levels_of_operators_bind_as_everybody_knows() -> None:
    (found, *_) = [
        one
        for one in grammar_report(
            GrammarSource(Path("mine.lark"), 'e: e "*" e -> times | e "+" e -> plus | /[0-9]/\n')
        )
        if one.fix
    ]
    assert found.fix is not None
    fixed = GrammarSource(Path("mine.lark"), "\n".join(found.help.splitlines()[1:]))
    tree = read("1+2*3", fixed)

    assert tree.data == "plus"
    assert [getattr(part, "data", part) for part in tree.children][1] == "times"


@pytest.mark.parametrize(
    "grammar",
    [
        'statement: "if" statement | "if" statement "else" statement | "x"\n%ignore " "\n',
        'start: item item?\nitem: X? X\nX: "x"\n',
        'start: (a | b)+\na: X\nb: X\nX: "x"\n',
    ],
)
def test_a_rule_that_ends_as_the_help_says_has_no_conflict(grammar: str) -> None:
    (found, *_) = grammar_report(GrammarSource(Path("mine.lark"), grammar))
    match = re.search(r'  (\w+): (.*? ";")', found.help)
    assert match is not None
    rule, ended = match.groups()
    unended = ended.removesuffix(' ";"')
    names = {'"x"': "X"} if "\nX:" in grammar else {}
    line = next(one for one in grammar.splitlines() if one.startswith(f"{rule}:"))
    options = {"X? X": ["X", "X X"]}.get(
        line.partition(": ")[2], line.partition(": ")[2].split(" | ")
    )
    new = [f'{one} ";"' if one == names.get(unended, unended) else one for one in options]
    followed = grammar.replace(line, f"{rule}: {' | '.join(new)}")

    assert followed != grammar
    assert not grammar_report(GrammarSource(Path("mine.lark"), followed))
