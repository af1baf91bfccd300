"""The playground: what it answers, who may ask, and how it behaves in a real browser."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import pytest
from support import firefox
from support.browser import CHROMIUM, Browser, opened
from support.lanes import one_in
from support.play_page import answered, choose, enter, inside, open_tab, save, status, visit
from support.said import unsaid

import sgf_lark
from sgf_lark.core.api.fix import edited
from sgf_lark.core.findings.diagnostic import Edit
from sgf_lark.core.grammar import grammars
from sgf_lark.workbench.answers import answer, list_examples, no_answer, reply
from sgf_lark.workbench.page import read_file
from sgf_lark.workbench.playground import HOST, Answerer, Playground, answer_questions
from sgf_lark.workbench.source_text import grammar_text
from sgf_lark.workbench.steps import MAX_OPEN, MAX_STEPS

GO = grammars.text_of(grammars.path("games/go"))
FF4 = grammars.text_of(grammars.path("ff4"))
DICE = 'rolls: roll ("," roll)*\nroll: DIE DIE\nDIE: /[1-6]/\n'
BROKEN = 'start: "a" nothing\n'


def question(grammar: str, text: str, **rest: str) -> bytes:
    """A question as the page asks it."""
    return json.dumps({"grammar": grammar, "text": text, **rest}).encode()


# ---- answers ----


def test_an_answer_has_tree_rules_and_diagram() -> None:
    found = answer(GO, "pd", "move", cursor=GO.index("\nmove:") + 3)

    assert (found["status"], found["kind"]) == ("the grammar accepts the text", "good")
    assert found["rules"][:3] == ["point", "stone", "move"]
    assert (found["start"], found["drawn"]) == ("move", "move")
    assert found["tree"][:2] == [(0, "point", None, 0, 2), (1, "COORDINATE", "p", 0, 1)]
    assert found["diagram"].startswith("<svg")


@pytest.mark.night
def test_answers_need_no_server() -> None:
    program = """
import sys
sys.modules |= dict.fromkeys(("starlette", "uvicorn"))  # importing them fails
from sgf_lark.workbench.answers import answer
print(answer('start: "a"', "a")["status"])
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=100)  # noqa: S603  # ours

    assert done.stdout == "the grammar accepts the text\n"


def test_a_grammar_with_a_mistake_is_told_in_its_place() -> None:
    found = answer(BROKEN, "a")

    assert found["kind"] == "error"
    (only,) = found["findings"]
    assert (only["where"], only["line"], only["column"]) == ("grammar", 1, 12)
    assert (only["code"], only["message"]) == ("L702", "no rule nothing is defined")


@pytest.mark.parametrize(
    ("grammar", "text", "code"),
    [
        ('game: MOVE* end\nend: "1-0"\nMOVE: /[0-9]+[.]*/\n%ignore " "\n', "1. 1-0", "S199"),
        ('all: (a ";" | b ":")+\na: A X\nb: c X\nc: A\nA: "a"\nX: "x"\n', "ax;ax:", ""),
        ('all: (t "x" ";" | n "x" ":")+\nt: A\nn: A\nA: "a"\n', "ax;ax:", "L705"),
    ],
)
def test_a_text_that_lalr_cannot_read_has_the_tree_of_earley(
    grammar: str, text: str, code: str
) -> None:
    found = answer(grammar, text)

    if code:
        expected = "the grammar means this text, LALR cannot see it: the tree is Earley's"
        assert (found["status"], found["kind"]) == (expected, "warning")
        assert code in {finding["code"] for finding in found["findings"]}
        assert answer(grammar, f"{text}?")["kind"] == "error"
    assert found["start"] == found["rules"][0]
    assert max(end for *_, end in found["tree"] if end is not None) == len(text)


def test_a_grammar_of_inlined_rules_alone_begins_with_the_first_one() -> None:
    found = answer('_s: "a" _t\n_t: "b"\n', "ab")

    assert (found["kind"], found["start"], found["rules"]) == ("good", "_s", ["_s", "_t"])


def test_a_text_of_endless_trees_has_none_of_earley() -> None:
    found = answer('a: b*\nb: "x"*\n', "xx")

    assert found["status"].endswith("it has too many trees")
    assert "tree" not in found


def test_a_refused_text_gives_its_place_and_the_tree_so_far() -> None:
    found = answer(DICE, "31, 5,6")

    assert found["kind"] == "error"
    assert [(one["where"], one["line"], one["column"]) for one in found["findings"]] == [
        ("text", 1, 4)
    ]
    assert [row[2] for row in found["tree"] if row[2] is not None] == ["3", "1"]


@pytest.mark.parametrize("text", ["(;FF[4]KM[6,5])", "(;B[aa]\n;W)", "(;B[dd];W[dd])", "", "x"])
def test_a_record_has_the_findings_of_a_check(text: str) -> None:
    found = answer(FF4, text)
    checked = sgf_lark.check(text.encode())

    assert [(one["line"], one["code"], one["severity"]) for one in found["findings"]] == [
        (one.line, one.code, one.severity.value) for one in checked.diagnostics
    ]
    assert (found["checked"], found["worst"]) == (
        checked.summary,
        found["findings"][-1]["severity"],
    )


def test_a_finding_has_its_fix() -> None:
    (found,) = (one for one in answer(FF4, "(;FF[4]KM[6,5])")["findings"] if one["fix"])

    assert found["fix"]["edits"] == [{"offset": 10, "end_offset": 13, "replacement": "6.5"}]


def test_a_part_of_a_record_is_not_checked() -> None:
    assert "checked" not in answer(FF4, "KM[6,5]", "property")
    assert "checked" not in answer(GO, "pd", "move")


RECORD = "(;FF[4]GM[1]SZ[9];B[ee](;W[cc])(;W[gg]))"


@pytest.mark.parametrize(
    ("place", "desc"),
    [
        (0, "black to play"),
        (17, "black E5; last E5; white to play"),
        (24, "white C7; black E5; last C7; black to play"),
        (99, "black E5; white G3; last G3; black to play"),
    ],
)
def test_the_board_is_that_of_the_node_at_the_cursor(place: int, desc: str) -> None:
    assert f"<desc>{desc}<" in answer(FF4, RECORD, place=place, view="board")["board"]


def test_a_game_without_a_board_says_so() -> None:
    shown = answer(FF4, "(;GM[15])", view="board")["shown"]

    assert shown == "no board of Quadrature: its points are not defined"


CASES = """\
===
Two dice
===

31

---

(roll "1" "3")

===
Nothing rolled
:error 1:1
===
---

===
For later
:skip
===
---
"""


def test_each_case_has_its_place_and_what_failed_its_difference_and_fix() -> None:
    grammar = "roll: DIE DIE\nDIE: /[1-6]/\n"
    found = answer(grammar, "", view="cases", cases=CASES)

    assert [(name, CASES[start:end], skipped) for name, start, end, skipped in found["cases"]] == [
        ("Two dice", "Two dice", False),
        ("Nothing rolled", "Nothing rolled", False),
        ("For later", "For later", True),
    ]
    (failed,) = found["failed"]
    assert failed["message"] == "Two dice: expected '\"1\"', found '\"3\"'"
    assert (failed["where"], failed["line"], failed["column"]) == ("cases", 9, 7)
    fixed = edited(CASES, [Edit(**edit) for edit in failed["fix"]["edits"]])
    assert '(roll "3" "1")\n' in fixed
    assert answer(grammar, "", view="cases", cases=fixed)["failed"] == []


def test_cases_out_of_form_are_told_in_their_place() -> None:
    found = answer(DICE, "", view="cases", cases="===\n")

    assert (found["cases"], found["failed"][0]["line"]) == ([], 1)
    assert "a case is a name between two lines ===" in found["failed"][0]["help"]


def steps_of(grammar: str, text: str) -> list[dict[str, Any]]:
    """What the page knows of each step."""
    steps: list[dict[str, Any]] = answer(grammar, text, view="steps")["steps"]
    return steps


def test_steps_are_the_shifts_and_reductions_as_the_grammar_spells_them() -> None:
    found = [(one["symbol"], one["size"], one["span"]) for one in steps_of(DICE, "31,56")]

    assert found == [
        ("DIE", None, (0, 1)),
        ("DIE", None, (1, 2)),
        ("roll", 2, (0, 2)),
        ('","', None, (2, 3)),
        ("DIE", None, (3, 4)),
        ("DIE", None, (4, 5)),
        ("roll", 2, (3, 5)),
        ('("," roll)+', 2, (2, 5)),
        ("rolls", 2, (0, 5)),
    ]


def test_a_step_has_what_is_open_what_may_follow_and_what_decided() -> None:
    steps = steps_of(DICE, "31,56")

    assert [one["open"] for one in steps[:4]] == [
        [("rolls", ""), ("roll", "DIE")],
        [("rolls", ""), ("roll", "DIE DIE")],
        [("rolls", "roll")],
        [("rolls", 'roll ","')],
    ]
    assert [one["follows"] for one in steps[:2]] == [["DIE"], ['","', "the end of the text"]]
    assert (steps[2]["ahead"], steps[-1]["ahead"]) == ('","', "the end of the text")
    assert steps[-1]["open"] == []


def rebuilt(steps: list[dict[str, Any]], text: str) -> list[Any]:
    """The tree that the page lets grow, of names with what is below; tokens are texts."""
    stack: list[Any] = []
    for one in steps:
        if one["size"] is None:
            stack.append(text[slice(*one["span"])])
            continue
        at = len(stack) - one["size"]
        kept = [part for place, part in enumerate(stack[at:]) if place not in one["hidden"]]
        below = [
            inner
            for part in kept
            for inner in (part[1] if isinstance(part, list) and part[0] is None else [part])
        ]
        stack[at:] = [[one["name"], below]]
    return stack


INLINED = """\
start: _list ["."]
_list: item ("," item)*
?item: A -> one | "(" _list ")"
A: "a"
"""


@pytest.mark.parametrize(
    ("grammar", "text"),
    [
        (DICE, "31,56"),
        (INLINED, "a,(a,a)"),
        ('!start: "a" b? -> named\nb: "b"\n', "ab"),
        (FF4, "(;FF[4]KM[6.5](;B[aa];W[bb])(;B[cc]))"),
    ],
)  # fmt: skip
def test_the_tree_that_grows_ends_as_the_tree(grammar: str, text: str) -> None:
    found = answer(grammar, text, view="steps")
    ((name, below),) = rebuilt(found["steps"], text)
    waiting: list[tuple[int, Any]] = [(0, [name, below])]
    rows = []
    while waiting:
        depth, part = waiting.pop()
        rows.append((depth, part if isinstance(part, str) else part[0]))
        if not isinstance(part, str):
            waiting += [(depth + 1, inner) for inner in reversed(part[1])]

    assert rows == [
        (depth, name if token is None else token) for depth, name, token, *_ in found["tree"]
    ]


ELSE = """\
stmt: "if" COND "then" stmt ["else" stmt] | STEP
COND: /[a-z]+/
STEP: /[0-9]+/
%ignore " "
"""


def reasons(grammar: str, text: str) -> list[tuple[str, str]]:
    """The symbols of the steps that decide a conflict, with what is told of it."""
    steps = steps_of(grammar, text)
    return [(one["symbol"], reason) for one in steps for reason in one["reasons"]]


def test_a_shift_that_could_be_a_reduction_says_why() -> None:
    ((symbol, reason),) = reasons(ELSE, "if a then if b then 1 else 2")

    assert symbol == '"else"'
    assert reason == (
        'Shift/reduce conflict before "else": the parser could also reduce'
        ' stmt \N{LEFTWARDS ARROW} "if" COND "then" stmt. It shifts: Lark\'s LALR parser always'
        " does, whatever the priorities of rules."
    )


def test_a_reduction_that_a_priority_decides_says_so() -> None:
    ((symbol, reason),) = reasons('start: low | high\nlow: "x"\nhigh.2: "x"\n', "x")

    assert symbol == "high"
    assert unsaid(reason, 'high \N{LEFTWARDS ARROW} "x" or low', "priority is 2, not 0") == []


@pytest.mark.parametrize(
    ("terminal", "text", "reason"),
    [
        ("WORD: /[a-z]+/", "pass", 'takes "pass", because a text goes before an expression.'),
        ("WORD: /[a-z]+/", "passes", "takes WORD, which may be longer."),
        ("WORD.2: /[a-z]+/", "pass", "takes WORD, whose priority is 2, not 0."),
        ("WORD: /[pq]ass/", "qass", None),
    ],
)
def test_a_token_of_two_terminals_says_which_the_lexer_takes_and_why(
    terminal: str, text: str, reason: str | None
) -> None:
    found = reasons(f'start: "pass" | WORD\n{terminal}\n', text)

    assert [told.partition("The lexer ")[2] for _, told in found] == ([reason] if reason else [])


@pytest.mark.parametrize("text", ["", "3", "3x", "31,", "31,56,", "7"])
def test_steps_end_where_the_text_is_rejected(text: str) -> None:
    found = answer(DICE, text, view="steps")

    assert found["kind"] == "error"
    shifted = [text[slice(*one["span"])] for one in found["steps"] if one["size"] is None]
    assert text.startswith("".join(shifted))


@pytest.mark.parametrize("rule", ['a: "y"?', '?a: [B]\nB: "y"'])
def test_an_empty_rule_is_a_step_without_a_place(rule: str) -> None:
    found = steps_of(f'start: a "x"\n{rule}\n', "x")[0]

    assert (found["symbol"], found["size"], found["span"]) == ("a", 0, None)


@pytest.mark.parametrize("text", ["(;" * 2_000, "(;" + "B[aa]" * 2_000 + ")"])
def test_steps_of_a_long_or_deep_text_are_bounded(text: str) -> None:
    steps = steps_of(FF4, text)

    assert len(steps) == MAX_STEPS
    assert max(len(one["open"]) for one in steps) <= MAX_OPEN
    assert len(json.dumps(steps)) < 1_000_000


@pytest.mark.parametrize("example", list_examples()[:5], ids=lambda one: one["name"])
def test_a_sample_is_a_text_that_the_grammar_accepts(example: dict[str, str]) -> None:
    grammar, start = example["grammar"], example["start"]
    samples = [answer(grammar, "", start, view="sample", place=seed)["text"] for seed in range(5)]

    assert len({*samples}) > 1
    for sample in samples:
        assert sample.isascii()
        assert answer(grammar, sample, start)["kind"] == "good"
    assert samples[0] == answer(grammar, "", start, view="sample", place=0)["text"]


def test_words_of_a_sample_are_apart_where_spaces_are_ignored() -> None:
    samples = [answer(ELSE, "", view="sample", place=seed)["text"] for seed in range(9)]

    assert any(sample.startswith("if ") for sample in samples)


def test_a_grammar_without_a_text_has_no_sample() -> None:
    assert answer("start:\n", "", view="sample") == {"text": None}
    assert answer("start:: x", "", view="sample")["status"] == "the grammar cannot be used"


@pytest.mark.parametrize(
    ("encoding", "named", "player"),
    [
        ("gb18030", "GB18030 (simplified Chinese)", "本因坊"),
        ("shift_jis", "Shift_JIS (Japanese)", "本因坊"),
        ("latin-1", "ISO-8859-1 (Western European)", "Müller"),
        ("utf-8-sig", "UTF-8", "Müller"),
    ],
)
def test_a_record_is_decoded_and_encoded_as_the_library_does(
    encoding: str, named: str, player: str
) -> None:
    text = f"(;FF[4]CA[{encoding.removesuffix('-sig')}]PB[{player}])\r\n"
    data = b64encode(text.encode(encoding)).decode()

    found = answer("", data, view="open")
    assert (found["text"], found["label"]) == (text, named)
    saved = answer("", text, view="save", encoding=found["encoding"])
    assert saved == {"data": data, "label": named}


def test_bytes_that_are_no_character_come_back() -> None:
    data = b64encode(b"(;CA[UTF-8]C[\xc3\xa4\xff])").decode()
    found = answer("", data, view="open")

    assert answer("", found["text"], view="save", encoding=found["encoding"])["data"] == data


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (question("", "\u2603", view="save", encoding="latin-1"), "latin-1 has no '\u2603'"),
        (b"[" * 100_000, "this is no question"),
        (b'{"grammar": "", "text": "", "view": "other"}', "this is no question"),
        (b'{"grammar": "", "text": "", "other": ""}', "this is no question"),
    ],
    ids=["encoding", "deep", "view", "field"],
)
def test_every_question_has_a_reply(asked: bytes, status: str) -> None:
    assert json.loads(reply(asked)) == no_answer(status)


@pytest.mark.parametrize("text", ["", "(" * 3_000, "\0\ud800", "(;)" * 500, "]]]"])
@pytest.mark.parametrize(
    "grammar", one_in(3, [GO, "", "start:", "start: start\n", "%import", "a: /(a+)+b/"])
)
def test_whatever_is_typed_gets_an_answer(grammar: str, text: str) -> None:
    assert answer(grammar, text)["status"]


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """A connection to what answers, in this process."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # only the main thread may
    here, there = Pipe()
    thread = threading.Thread(target=answer_questions, args=(there,), daemon=True)
    thread.start()
    here.recv()
    yield here
    here.close()
    thread.join(10)


@pytest.mark.night
def test_what_was_typed_is_forgotten(questions: Connection) -> None:
    for number in range(110):
        questions.send(question(f'start: "a"\n// {number}\n', "a"))
        assert json.loads(questions.recv())["kind"] == "good"

    assert grammar_text.cache_info().currsize < 50


def test_a_grammar_that_needs_endless_time_is_named_and_reads_nothing() -> None:
    found = answer("start: /a*a*a*a*a*b/ | /a+/\n", "a" * 5_000)

    assert [one["code"] for one in found["findings"]] == ["L709"]
    assert (found["kind"], "tree" in found) == ("error", False)


#: Takes endless time, in an expression that is too large for lint to search.
SLOW = f"start: /(?:{'x' * 1_000})*(?:a+)*b/ | /a+/\n"


@pytest.mark.night
def test_an_answer_that_takes_endless_time_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sgf_lark.workbench.playground.SECONDS", 1.0)
    answerer = Answerer()

    found = json.loads(answerer(question(SLOW, "a" * 5_000)))

    assert (found["kind"], found["findings"]) == ("error", [])
    assert found["status"].startswith("the grammar takes more than ")
    monkeypatch.undo()
    assert json.loads(answerer(question(GO, "pd")))["kind"] == "good"
    answerer.end()


@pytest.mark.parametrize("example", one_in(3, list_examples()), ids=lambda one: one["name"])
def test_every_example_shows_what_it_is_called(example: dict[str, str]) -> None:
    found = answer(example["grammar"], example["text"], example["start"])

    assert (found["kind"] == "good") is (example["name"] != "A grammar with a mistake")


def test_what_was_saved_can_be_opened(tmp_path: Path) -> None:
    state = {"grammar": GO, "text": "pd", "start": "move"}
    saved, grammar, other = tmp_path / "a.json", tmp_path / "go.lark", tmp_path / "b.json"
    saved.write_text(json.dumps({"sgf-lark play": 1, **state}), encoding="utf-8")
    grammar.write_text(GO, encoding="utf-8")
    other.write_text("[]", encoding="utf-8")

    assert read_file(saved).items() >= state.items()
    assert read_file(grammar)["grammar"] == GO
    with pytest.raises(ValueError, match="no file of the playground"):
        read_file(other)


@pytest.mark.parametrize(
    ("name", "text", "grammar"),
    [("a.sgf", "(;FF[4]PB[M\xfcller]CA[latin-1])", "ff4"), ("b.GGF", "(;GM[Othello];)", "ggf")],
)
def test_a_record_is_opened_with_the_grammar_of_its_format(
    name: str, text: str, grammar: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_bytes(text.encode("latin-1"))

    assert read_file(file) == {
        "grammar": grammars.text_of(grammars.path(grammar)),
        "grammar_name": f"{grammar}.lark",
        "text": text,
        "encoding": "iso8859-1" if b"CA" in file.read_bytes() else "ascii",
        "name": name,
    }


# ---- who may ask ----


@pytest.fixture(scope="module")
def playground() -> Iterator[Playground]:
    """One that runs."""
    made = Playground()
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    yield made
    made.server.should_exit = True
    thread.join(10)


class Answer(NamedTuple):
    """Of a server."""

    status: int
    headers: dict[str, str]
    text: str


def asked(playground: Playground, path: str, body: bytes | None = None, **headers: str) -> Answer:
    """What it answers; the path begins with "/", or is below the token."""
    _, _, address, token, _ = playground.url.split("/")
    connection = HTTPConnection(address, timeout=30)
    way = path if path.startswith("/") else f"/{token}/{path}"
    connection.request("GET" if body is None else "POST", way, body, headers)
    answer = connection.getresponse()
    found = {name.lower(): value for name, value in answer.getheaders()}
    text = answer.read().decode()
    connection.close()
    return Answer(answer.status, found, text)


QUESTION = question(GO, "pd")


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"grammar": "", "text": "", "cursor": 1e999}',
        b'{"grammar": "", "text": "", "cursor": NaN}',
        b'{"grammar": "", "text": ' + b"[" * 100_000,
        b'{"grammar": "", "text": "\\ud800"}',
        b'{"grammar": "\xff", "text": ""}',
        b'{"grammar": "", "text": "", "cursor": {}}',
    ],
    ids=lambda body: ascii(body[:50]),
)
def test_what_is_no_question_is_refused_without_a_word_on_the_server(
    playground: Playground, body: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    found = asked(playground, "try", body)

    assert json.loads(found.text) == no_answer("this is no question")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "grammar",
    [
        pytest.param(
            "start: R1\n"
            + "".join(f"R{one}: R{one + 1}\n" for one in range(1, 1500))
            + 'R1500: "a"\n',
            marks=pytest.mark.night,  # Lark takes seconds for it
        ),
        "start: " + "(" * 3000 + '"a"' + ")" * 3000,
        "start: " + "(" * 3000 + '"a"' + ")?" * 3000,
        "start: /" + "(" * 3000 + "a" + ")" * 3000 + "/",
    ],
    ids=["chain", "brackets", "options", "pattern"],
)
def test_a_grammar_that_nests_too_deep_is_told(
    playground: Playground, grammar: str, capfd: pytest.CaptureFixture[str]
) -> None:
    found = asked(playground, "try", json.dumps({"grammar": grammar, "text": "a"}).encode())

    assert (found.status, json.loads(found.text)["kind"]) == (200, "error")
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RecursionError(), "the grammar cannot be tried: its rules nest too deep"),
        (IndexError("array index out of range"), "the program failed: IndexError: array index"),
    ],
)
def test_a_failure_is_an_answer(
    questions: Connection,
    error: Exception,
    status: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("sgf_lark.workbench.answers.parse", fails)
    for _ in range(2):
        questions.send(question(GO, "pd"))
        assert json.loads(questions.recv())["status"].startswith(status)
    assert capfd.readouterr() == ("", "")


def test_nobody_gets_in_without_the_token(playground: Playground) -> None:
    assert asked(playground, "/").status == asked(playground, "/wrong/").status == 404
    assert asked(playground, "/wrong/try", QUESTION).status == 404
    assert json.loads(asked(playground, "try", QUESTION).text)["kind"] == "good"


def test_a_page_of_another_name_for_this_machine_is_refused(playground: Playground) -> None:
    assert asked(playground, "", Host="evil.example").status == 400


def test_the_page_may_load_nothing_from_elsewhere(playground: Playground) -> None:
    page = asked(playground, "")
    policy = page.headers["content-security-policy"]

    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "unsafe" not in policy
    assert "connect-src 'self'" in policy
    assert page.headers["referrer-policy"] == "no-referrer"
    assert not re.findall(r"(?:src|href)=[\"']?(?:https?:)?//", page.text)


@pytest.mark.parametrize("name", ["playground.css", "playground.js", "editor/codemirror.js"])
def test_the_files_of_the_page_are_served(playground: Playground, name: str) -> None:
    found = asked(playground, name)

    assert found.status == 200
    assert found.headers["content-type"].startswith(
        "text/css" if name.endswith("css") else "text/javascript"
    )


@pytest.mark.parametrize(
    "name", ["playground.py", "editor/package.json", "../playground.css", "%2e%2e/page.py"]
)
def test_no_other_file_is_served(playground: Playground, name: str) -> None:
    assert asked(playground, name).status == 404


def test_nonsense_and_too_much_are_refused(playground: Playground) -> None:
    assert "this is no question" in asked(playground, "try", b'{"grammar": 1}').text
    assert asked(playground, "try", b" " * ((2 << 20) + 1)).status == 413


def test_the_server_listens_to_this_machine_alone() -> None:
    one, other = Playground(), Playground()
    try:
        assert one.socket.getsockname()[0] == "127.0.0.1"
        assert one.url.split("/")[-2] != other.url.split("/")[-2]
        assert len(one.url.split("/")[-2]) >= 20
    finally:
        one.socket.close()
        other.socket.close()


def test_the_command_says_where_the_page_is_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    file = tmp_path / "go.lark"
    file.write_text(GO, encoding="utf-8")
    command = [sys.executable, "-m", "sgf_lark", "play", "--no-browser", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  # ours
        assert process.stdout is not None
        url, _, rest = process.stdout.readline().partition("  ")
        with urlopen(url) as page:  # noqa: S310  # our own
            text = page.read().decode()
        process.send_signal(signal.SIGINT)
        process.wait(30)

    assert rest == "(Ctrl-C ends it)\n"
    assert json.dumps(GO.splitlines()[0])[1:-1] in text
    assert process.returncode == 130


# ---- in a browser ----


@pytest.fixture(scope="module")
def page(playground: Playground, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    with opened(tmp_path_factory.mktemp("profile"), playground.url) as browser:
        browser.wait_for("document.body && document.body.dataset.answered")
        yield browser


@pytest.mark.night
def test_the_page_shows_findings_tree_diagram_and_board(page: Browser) -> None:
    choose(page, "A game of SGF FF[4]")

    assert status(page) == "the grammar accepts the text"
    assert page.value("document.getElementById('checked').textContent") == "1 error"
    assert unsaid(open_tab(page, "findings"), "error V301: ", "'6,5'", "KM") == []
    assert open_tab(page, "diagram").startswith("collection\nCollection = GameTree")
    assert page.value("document.querySelectorAll('#panel svg rect').length") >= 1
    assert open_tab(page, "board") == "Go 19x19 after move 4"
    assert page.wait_for("document.querySelector('#panel img').naturalWidth") > 100
    assert open_tab(page, "tree").splitlines()[0].endswith("collection")


@pytest.mark.night
def test_a_squiggle_is_at_its_place_behind_emoji_and_its_fix_works(page: Browser) -> None:
    choose(page, "A game of SGF FF[4]")
    enter(page, "text")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="a", modifiers=2)  # Control
    before = page.value("document.body.dataset.answered")
    page.type("(;FF[4]GM[1]SZ[9]GC[\U0001f600\U0001f600]KM[6,5])")
    page.wait_for(f"document.body.dataset.answered !== {json.dumps(before)}")

    assert inside(page, "text", ".querySelector('.cm-lintRange-error').textContent") == "6,5"
    open_tab(page, "findings")
    answered(page, "document.querySelector('#panel .fix').click()")
    assert inside(page, "text", ".textContent").endswith("KM[6.5])")
    assert page.value("document.getElementById('checked').textContent") == "nothing wrong"


@pytest.mark.night
def test_what_is_typed_is_answered_and_a_finding_leads_to_its_place(page: Browser) -> None:
    choose(page, "Moves of Go")
    open_tab(page, "findings")
    enter(page, "text")
    page.type("q")
    page.wait_for("document.getElementById('status').textContent.includes('rejects')")
    page.value("document.querySelector('#panel button.place').focus()")
    page.press("Enter", "\r", 13)

    assert page.value("document.activeElement.id") == "text"
    page.type("d")  # in the place of what was selected
    assert inside(page, "text", ".textContent") == "pdd"


@pytest.mark.night
def test_a_mistake_in_the_grammar_is_shown_while_it_is_typed(page: Browser) -> None:
    choose(page, "A grammar with a mistake")

    assert status(page) == "the grammar cannot be used"
    assert "no rule sequense is defined" in open_tab(page, "findings")
    assert inside(page, "grammar", ".querySelector('.cm-lintRange-error').textContent") == (
        "sequense"
    )


@pytest.mark.night
def test_tree_and_text_lead_to_each_other_and_the_tree_folds(page: Browser) -> None:
    choose(page, "A roll of backgammon")
    open_tab(page, "tree")
    chosen = "document.querySelector('[role=treeitem][aria-selected=true]').innerText.trim()"
    shown = "[...document.querySelectorAll('[role=treeitem]')].filter(one => !one.hidden).length"

    every = page.value(shown)
    page.value("document.querySelector('[role=treeitem]').focus()")
    page.press("ArrowLeft", "", 37)
    assert page.value(shown) == 1
    page.press("ArrowRight", "", 39)
    assert page.value(shown) == every
    page.press("ArrowDown", "", 40)
    page.press("Enter", "\r", 13)
    assert page.value(chosen) == 'DIE "3"'
    enter(page, "text")
    page.type("6")
    assert inside(page, "text", ".textContent") == "61hefe"


@pytest.mark.night
def test_a_reload_and_a_link_bring_the_work_back(page: Browser) -> None:
    choose(page, "Moves of Go")
    enter(page, "text")
    page.type("\U0001f600")
    page.wait_for("document.getElementById('status').textContent.includes('rejects')")
    page.call("Page.reload")
    page.wait_for("document.body && document.body.dataset.answered")
    assert inside(page, "text", ".textContent") == "pd\U0001f600"

    page.value("document.getElementById('link').click()")
    link = page.wait_for("location.hash.length > 1 && location.hash")
    choose(page, "Moves of Hex")
    assert page.value("location.hash") == ""
    answered(page, f"location.hash = {json.dumps(link)}")
    assert inside(page, "text", ".textContent") == "pd\U0001f600"
    assert page.value("document.getElementById('start').value") == "move"


def linked(**state: object) -> str:
    """The part of a link after "#"."""
    packed = zlib.compress(json.dumps(state).encode(), wbits=-zlib.MAX_WBITS)
    return urlsafe_b64encode(packed).decode().rstrip("=")


@contextmanager
def fresh(program: str, folder: Path, url: str) -> Iterator[Browser]:
    """A page in a browser that has never seen it."""
    if (CHROMIUM if program == "chromium" else firefox.FIREFOX) is None:
        pytest.skip(f"there is no {program}: apt-get install {program}")
    begin = opened if program == "chromium" else firefox.opened
    with begin(folder, url) as page:
        page.wait_for("document.body && document.body.dataset.answered")
        yield page


@pytest.mark.night
@pytest.mark.parametrize("program", ["chromium", "firefox-esr"])
def test_a_copied_link_opens_in_another_browser_as_it_was(
    page: Browser, program: str, tmp_path: Path
) -> None:
    choose(page, "An else of two ifs")
    open_tab(page, "steps")
    while "Shift/reduce" not in page.value("document.getElementById('step').innerText"):
        assert page.value("document.getElementById('step-forward').ariaDisabled") == "false"
        page.value("document.getElementById('step-forward').click()")
    page.value("document.getElementById('link').click()")
    page.wait_for("location.hash.length > 1")
    assert page.wait_for("document.getElementById('note').textContent").startswith("the link is ")

    shown = {
        "status": "document.getElementById('status').textContent",
        "start": "document.getElementById('start').value",
        "tab": "document.querySelector('[role=tab][aria-selected=true]').id",
        "step": "document.getElementById('step-title').textContent",
    }
    here = {name: page.value(expression) for name, expression in shown.items()}
    here |= {name: inside(page, name, ".innerText") for name in ("grammar", "text")}
    with fresh(program, tmp_path, page.value("location.href")) as other:
        there = {name: other.value(expression) for name, expression in shown.items()}
        there |= {name: inside(other, name, ".innerText") for name in ("grammar", "text")}
        assert other.complaints == []

    assert there == here
    assert here["tab"] == "tab-steps"
    assert here["step"].endswith('shift "else"')


@pytest.mark.night
@pytest.mark.parametrize(
    ("link", "note"),
    [
        (linked(grammar=GO, text="pd")[:-20], "the link is broken or was cut: it is left out"),
        ("nonsense", "the link is broken or was cut: it is left out"),
        ("%00%ff", "the link is broken or was cut: it is left out"),
        (linked(text="pd"), "the link is broken or was cut: it is left out"),
        (linked(grammar=GO, text="a" * 3_000_000), "the link holds too much: it is left out"),
        (linked(grammar=DICE, text="31", cases=7, start={}, view="constructor", step="x"), ""),
    ],
    ids=["cut", "nonsense", "escapes", "no grammar", "too much", "other types"],
)
def test_a_link_that_holds_no_state_leaves_a_page_that_says_so(
    playground: Playground, link: str, note: str, tmp_path: Path
) -> None:
    with fresh("chromium", tmp_path, f"{playground.url}#{link}") as page:
        assert page.value("document.getElementById('note').textContent") == note
        assert status(page) == "the grammar accepts the text"
        assert page.value("document.querySelector('[aria-selected=true]').id") == "tab-findings"
        assert page.complaints == []


EVIL = "<img src=x onerror=document.title='evil'><script>document.title='evil'</script>"


@pytest.mark.night
def test_what_a_link_holds_is_data(page: Browser) -> None:
    grammar = f'//= A = "{EVIL}".\na: "{EVIL}" B -> b\nB: /{EVIL.replace("/", chr(92) + "/")}/\n'
    state = {
        "grammar": grammar,
        "text": EVIL * 2,
        "cases": f"===\n{EVIL}\n===\n\n{EVIL}\n\n---\n",
        "start": EVIL,
        "name": EVIL,
        "grammar_name": f"{EVIL}.lark",
        "encoding": EVIL,
    }
    answered(page, f"location.hash = {json.dumps(linked(**state))}")

    for tab in ("findings", "tree", "diagram", "board", "cases", "steps"):
        assert open_tab(page, tab)
        elements = "[...document.querySelectorAll('body script, body img, body iframe, body a')]"
        assert page.value(f"{elements}.map(one => one.id)") == ["data", ""]  # those of the page
    assert page.value("document.title") == "sgf-lark play"
    for name in ("text-name", "grammar-name"):
        assert page.value(f"document.getElementById('{name}').textContent") == ""


@pytest.mark.night
def test_a_sample_text_is_made_for_any_grammar(page: Browser) -> None:
    choose(page, "A roll of backgammon")
    answered(page, "document.getElementById('sample').click()")

    assert status(page) == "the grammar accepts the text"
    assert inside(page, "text", ".textContent") != "31hefe"
    choose(page, "A grammar with a mistake")
    page.value("document.getElementById('sample').click()")
    page.wait_for("document.getElementById('note').textContent.startsWith('no sample: ')")


@pytest.mark.night
def test_steps_go_forward_and_back_by_the_keyboard(page: Browser) -> None:
    choose(page, "A roll of backgammon")
    open_tab(page, "steps")
    title = "document.getElementById('step-title').textContent"
    page.value("document.querySelector('#shown [role=option]').focus()")
    seen = []
    keys = {
        "ArrowRight": 39,
        "ArrowDown": 40,
        "ArrowLeft": 37,
        "End": 35,
        "ArrowUp": 38,
        "Home": 36,
    }
    for key, code in keys.items():
        page.press(key, "", code)
        seen.append(int(page.value(title).split()[1]))

    end = page.value("document.querySelectorAll('#shown [role=option]').length") - 1
    assert seen == [1, 2, 1, end, end - 1, 0]
    assert page.value("document.activeElement.getAttribute('role')") == "option"
    page.value("document.getElementById('step-forward').focus()")
    page.press("ArrowRight", "", 39)
    page.press("Enter", "\r", 13)
    assert page.value(title).startswith("Step 2 of ")
    assert page.value("document.activeElement.id") == "step-forward"


def open_file(page: Browser, file: Path) -> None:
    """Choose a file, as the dialog behind Open does."""
    document = page.call("DOM.getDocument")["root"]["nodeId"]
    field = page.call("DOM.querySelector", nodeId=document, selector="#file")["nodeId"]
    page.call("DOM.setFileInputFiles", nodeId=field, files=[str(file)])


@pytest.mark.night
def test_grammars_records_and_states_are_opened_and_saved(page: Browser, tmp_path: Path) -> None:
    files = {
        "dice.lark": DICE,
        "roll.txt": "31,56",
        "all.json": json.dumps({"grammar": GO, "text": "pd", "start": "move"}),
        "bad.json": "[]",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "latin.lark").write_bytes("// Müller\n".encode("latin-1"))
    records = {
        "gb.sgf": "(;CA[GB18030]PB[本因坊秀策])\r\n".encode("gb18030"),
        "jis.sgf": "(;CA[Shift_JIS]PB[本因坊秀策])".encode("shift_jis"),
    }
    for name, data in records.items():
        (tmp_path / name).write_bytes(data)
    page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path / "to"))
    note = "document.getElementById('note').textContent"

    open_file(page, tmp_path / "dice.lark")
    open_file(page, tmp_path / "roll.txt")
    page.wait_for("document.getElementById('start').value === 'rolls'")
    page.wait_for("document.getElementById('status').className === 'good'")
    for what in ("all", "grammar", "text"):
        save(page, what)
        time.sleep(0.5)  # a browser asks before it saves several files at once
    open_file(page, tmp_path / "all.json")
    page.wait_for("document.getElementById('start').value === 'move'")
    open_file(page, tmp_path / "bad.json")
    page.wait_for(f"{note} === 'bad.json is no file of the playground'")
    open_file(page, tmp_path / "latin.lark")
    page.wait_for(f"{note} === 'latin.lark is not in UTF-8'")
    assert inside(page, "text", ".textContent") == "pd"
    for name, label in (("gb.sgf", "GB18030"), ("jis.sgf", "Shift_JIS")):
        open_file(page, tmp_path / name)
        page.wait_for(f"{note}.startsWith('{name} is in {label} (')")
        page.wait_for("document.body.dataset.answered")
        assert "本因坊秀策" in inside(page, "text", ".textContent")
        if name == "gb.sgf":
            page.reload()
            page.wait_for("document.body.dataset.answered")
            assert "本因坊秀策" in inside(page, "text", ".textContent")
        save(page, "text")
        page.wait_for(f"{note}.startsWith('{name} is saved in {label} (')")
        time.sleep(0.5)
        assert (tmp_path / "to" / name).read_bytes() == records[name]
    enter(page, "text")
    page.type("\U0001f600")
    save(page, "text")
    page.wait_for(f"{note} === \"cp932 has no '\U0001f600': jis.sgf is saved in UTF-8\"")
    assert (tmp_path / "to" / "dice.lark").read_text(encoding="utf-8") == DICE
    assert (tmp_path / "to" / "roll.txt").read_text(encoding="utf-8") == "31,56"
    assert read_file(tmp_path / "to" / "playground.json")["text"] == "31,56"


@pytest.mark.night
def test_text_and_grammar_are_coloured(page: Browser) -> None:
    choose(page, "A game of SGF FF[4]")
    words = (
        "[...document.getElementById('{}').shadowRoot.querySelectorAll('.{}')]"
        ".map(one => one.textContent)"
    )

    idents = page.value(words.format("text", "token-0"))
    assert idents[:6] == ["FF", "GM", "SZ", "PB", "PW", "KM"]
    assert "collection" in page.value(words.format("grammar", "name"))
    assert "PROP_IDENT" in page.value(words.format("grammar", "terminal"))


@pytest.mark.night
def test_the_keyboard_reaches_everything_in_order(page: Browser) -> None:
    choose(page, "Moves of Hex")
    open_tab(page, "findings")
    page.value("document.getElementById('example').focus()")
    reached = []
    for _ in range(10):
        page.press("Tab", "", 9)
        reached.append(page.value("document.activeElement.id"))

    assert reached == [
        *("start", "open", "link", "what", "save", "grammar", "sample", "text"),
        *("tab-findings", "panel"),
    ]
    open_tab(page, "cases")
    reached = []
    for _ in range(3):
        page.press("Tab", "", 9)
        reached.append(page.value("document.activeElement.id"))
    assert reached == ["add-case", "update", "cases"]
    open_tab(page, "findings")
    page.value("document.getElementById('tab-findings').focus()")
    page.press("ArrowLeft", "", 37)
    assert page.value("document.activeElement.id") == "tab-steps"


@pytest.mark.night
def test_everything_has_a_name_for_those_who_do_not_see_it(page: Browser) -> None:
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    wanted = {"textbox", "combobox", "button"}
    named = [
        one.get("name", {}).get("value", "")
        for one in tree
        if one.get("role", {}).get("value") in wanted and not one.get("ignored")
    ]

    assert len(named) >= 6
    assert all(named)


@pytest.mark.night
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Browser, scheme: str) -> None:
    choose(page, "A game of SGF FF[4]")
    found = []
    for tab in ("findings", "tree", "diagram", "board", "steps"):
        open_tab(page, tab)
        found += page.violations(scheme)
    choose(page, "A roll of backgammon")
    open_tab(page, "cases")
    answered(page, "document.getElementById('add-case').click()")
    found += page.violations(scheme)

    assert found == []


@pytest.mark.night
@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (768, 1024), (1440, 900)])
def test_nothing_is_wider_than_the_window(page: Browser, width: int, height: int) -> None:
    page.resize(width, height)
    choose(page, "A game of SGF FF[4]")

    assert page.value("document.documentElement.scrollWidth") <= width
    assert page.value("parseFloat(getComputedStyle(document.body).fontSize)") >= 16


@pytest.mark.night
def test_the_page_asks_nobody_else_and_nothing_in_it_fails(page: Browser) -> None:
    choose(page, "Records with braces")
    hosts = {url.split("/")[2].split(":")[0] for url in page.requests if url.startswith("http")}

    assert hosts == {HOST}
    assert page.complaints == []


@pytest.mark.night
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_a_visit_works_in_chromium(
    playground: Playground, tmp_path: Path, width: int, height: int
) -> None:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    with opened(tmp_path, playground.url) as page:
        page.resize(width, height)
        page.wait_for("document.body && document.body.dataset.answered")
        visit(page, tmp_path)


@pytest.mark.night
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_a_visit_works_in_firefox(
    playground: Playground, tmp_path: Path, width: int, height: int
) -> None:
    if firefox.FIREFOX is None:
        pytest.skip("there is no Firefox: apt-get install firefox-esr")
    with firefox.opened(tmp_path, playground.url, dark=width < 600) as page:
        page.resize(width, height)
        page.wait_for("document.body && document.body.dataset.answered")
        visit(page, tmp_path)


def test_a_file_that_nests_too_deep_is_no_file_of_the_playground(tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000)

    with pytest.raises(ValueError, match="nests too deep"):
        read_file(file)
