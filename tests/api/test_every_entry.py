"""Whatever the input and the public entry: SgfError, the error that is documented, or a result.

Texts are made by chance: pieces of records, properties of the tables with values of every
kind, and records with damage.  SGF_LARK_EXAMPLES asks for more of them, and SGF_LARK_SEED
for others.
"""

from __future__ import annotations

import io
import os
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.corpus import names, record
from support.damage import PIECES, changed
from support.invariants import check_json
from support.lanes import amount, one_in
from support.places import RECORDS

import sgf_lark
from sgf_lark import Format, PropertyTable, SgfError
from sgf_lark.cli.main import app

EXAMPLES = amount(4, 40)
SEED = int(os.environ.get("SGF_LARK_SEED", "1"))

#: Records of the project itself, where there is no corpus; and the longest part of one, in bytes.
SAMPLES = tuple(sorted(RECORDS.iterdir()))
LONGEST = 1_200

FORMATS = tuple(Format)
IDENTS = tuple(sorted({row.ident for row in PropertyTable.standard()}))
NAMES = (*IDENTS, "ZZ", "b", "aB", "Wh", "B1", "QZ", "X" * 9, "Ünï")
VALUES = (
    *("", "aa", "tt", "dd:pp", "pp:dd", "aa:aa", "ss:tt", "zz", "ZZ", "aA:zZ", "Q16", "d3", "a1"),
    *("a1:z9", "A1", "1", "2", "0", "-3", "6.5", "6,5", "375", "9" * 40, "19:13", "9:9", "1e5"),
    *("B", "W", "b", "black", "2:1", "B+R", "b+5.5", "Draw", "0:0", "1996-02-30", "1996-05,06"),
    *("3/4/1999", "x", "x:1", ":", "\\:", "a\\]b", "a\\\\", "\\\n", "\r\n", "Matsuyama[3d\\]"),
    *("KGS", "foxwq", "gokgs", "UTF-8", "GB18030", "utf-16", "rot13", "白胜43.5目", "٣", "\uff12"),
    *("23", "1234", "double", "65w13o", "b4-b1", "c3-d4/e5", "46CD-56,57", "swap-pieces", "d3//1"),
    *("8 -*O *", "5:00/0:30/1", "8r18", "8 " + "-" * 9, "é中\ufeff", "\x00", "\x1b[31m"),
)


def records() -> tuple[Path, ...]:
    """Real records if there are any, those of the project always."""
    return (*SAMPLES, *map(record, names()))


def texts(dice: random.Random) -> Iterator[bytes]:
    """Inputs without end, of three kinds in turns."""
    known = records()
    while True:
        yield "".join(dice.choices(PIECES, k=dice.randint(1, 25))).encode()
        yield typed(dice).encode("utf-8", "surrogatepass")
        data = dice.choice(known).read_bytes()
        if len(data) > LONGEST:
            start = dice.choice((0, 0, dice.randrange(len(data))))
            data = data[start : start + LONGEST]
        for _ in range(dice.randint(0, 4)):
            data = changed(data, dice)
        yield data


def typed(dice: random.Random) -> str:
    """A record of properties of the tables, with values that may fit."""
    head = dice.choice(("FF[4]", "FF[3]", "FF[1]", "", "GM[Othello]PC[x]"))
    head += dice.choice(
        ("GM[1]SZ[19]", "GM[1]", "SZ[9:13]", "SZ[52]", f"GM[{dice.randint(1, 41)}]")
    )
    out = [f"(;{head}"]
    depth = 1
    for _ in range(dice.randint(1, 14)):
        name = dice.choice(("B", "W", "AB", "AW", "AE", dice.choice(NAMES), dice.choice(NAMES)))
        values = dice.choices(VALUES, k=dice.choice((1, 1, 1, 2, 3)))
        out.append(name + "".join(f"[{value}]" for value in values))
        out.append(dice.choice(("", ";", ";", "(;", ")", "\n")))
        depth += {"(;": 1, ")": -1}.get(out[-1], 0)
    return "".join(out) + ")" * max(0, depth - dice.choice((0, 0, 0, 1)))


# ---- the entries ----


def read(data: bytes, dice: random.Random) -> None:
    """Read strictly, with a format or the other engine."""
    format_ = dice.choice((None, *FORMATS))
    sgf_lark.loads(data, strict=False, format=format_).model_dump()
    sgf_lark.loads(data, format=format_, engine=dice.choice(("generated", "lark")))


def check(data: bytes, dice: random.Random) -> None:
    report = sgf_lark.check(io.BytesIO(data), format=dice.choice((None, *FORMATS)))
    for one in report:
        assert 0 <= one.offset <= one.end_offset <= len(report.text)


def one_by_one(data: bytes, _: random.Random) -> None:
    for game in sgf_lark.iter_games(io.BytesIO(data), strict=False):
        assert [node.path for node in game.walk()]


def write(data: bytes, dice: random.Random) -> None:
    """Untouched, bytes are the same; in any layout, the text can be read."""
    collection = sgf_lark.loads(data, strict=False)
    file = io.BytesIO()
    sgf_lark.dump(collection, file)
    assert file.getvalue() == data
    sgf_lark.dumps(collection, style=dice.choice(("canonical", "compact")))


def convert(data: bytes, dice: random.Random) -> None:
    collection = sgf_lark.loads(data, strict=False)
    there = sgf_lark.convert(collection, dice.choice(FORMATS))
    sgf_lark.convert(there, dice.choice(FORMATS))


def fix(data: bytes, dice: random.Random) -> None:
    unsafe = dice.random() < 0.5
    once = sgf_lark.fix_record(data, unsafe=unsafe)
    assert sgf_lark.fix_record(once.data, unsafe=unsafe).data == once.data


def fmt(data: bytes, dice: random.Random) -> None:
    sgf_lark.format_record(data, compress=dice.random() < 0.5, width=dice.choice((None, 40)))


def edit(data: bytes, dice: random.Random) -> None:
    """Change a game: SgfError and ValueErrors that name the property are the answers."""
    collection = sgf_lark.loads(data, strict=False)
    if not collection.games:
        return
    game = dice.choice(collection.games)
    draft = game.edit()
    nodes = list(draft.walk())
    for _ in range(4):
        node = dice.choice(nodes)
        change = dice.choice(
            (
                lambda node: draft.set(node, dice.choice(IDENTS), dice.choice(VALUES)),
                lambda node: draft.set_raw(node, dice.choice(IDENTS), dice.choice(VALUES)),
                lambda node: draft.add(node, {dice.choice("BW"): dice.choice(VALUES)}),
                lambda node: draft.remove(node, keep_below=dice.random() < 0.5),
                draft.make_main_line,
                lambda node: draft.unset(node, dice.choice(IDENTS)),
            )
        )
        with suppress(ValueError, KeyError):  # the value does not fit, or the node is gone
            change(node)
    try:
        changed_game = draft.done()
    except ValueError as error:  # GGF has no variations, and its moves stand alone
        if game.format is not Format.GGF and not re.search(r"\[[A-Z]\d{3} ", str(error)):
            raise
    else:
        sgf_lark.dumps(changed_game)


def json(data: bytes, _: random.Random) -> None:
    collection = sgf_lark.loads(data, strict=False)
    check_json(collection)


def tree(data: bytes, dice: random.Random) -> None:
    text = data.decode("utf-8", "replace")
    grammar = dice.choice(("ff1", "ff3", "ff4", "ggf", "games/go", "games/othello"))
    with suppress(SgfError):  # the grammar does not accept most of them
        sgf_lark.parse_tree(text, grammar)
    start = {"games/go": "point", "games/othello": "move"}.get(grammar, "number")
    sgf_lark.parse_tree(text[:9], grammar, start=start)


ENTRIES = (read, check, one_by_one, write, convert, fix, fmt, edit, json, tree)


@pytest.mark.both_lanes
@pytest.mark.parametrize("entry", one_in(3, ENTRIES), ids=lambda one: one.__name__)
def test_nothing_but_an_sgf_error_leaves_a_public_function(
    entry: Callable[[bytes, random.Random], None],
) -> None:
    dice = random.Random(SEED)  # noqa: S311  # the same texts every time
    made = texts(dice)
    for _ in range(EXAMPLES):
        data = next(made)
        try:
            entry(data, dice)
        except SgfError:
            continue
        except BaseException as error:
            error.add_note(f"{entry.__name__}: {data!r}")
            raise


# ---- the commands ----

COMMANDS = (
    *("check @", "check @ --strict --level info", "check @ --fix", "check @ --fix --unsafe-fixes"),
    *("check @ --unsafe-fixes --diff", "check @ --as ff1", "check @ --as ggf", "check @ --jobs 1"),
    *(f"check @ --format {one}" for one in ("concise", "grouped", "statistics", "json", "jsonl")),
    *(f"check @ --format {one}" for one in ("github", "gitlab", "junit", "sarif")),
    *(f"convert @ --to {one}" for one in ("ff1", "ff3", "ff4", "ggf", "json", "sgf")),
    *("convert @ --to ff3 --lossy drop", "convert @ --to ff4 --as ggf"),
    *("fmt @", "fmt @ --check", "fmt @ --diff --compress", "fmt @ --nodes 5 --width 60"),
    *(
        "tree @",
        "tree @ --format json",
        "tree @ --grammar ggf --format sexp",
        "tree @ --format dot",
    ),
    *("grammar explain @:1:5", "grammar explain @:2:1 --grammar ff3", "grammar test ff4 @"),
    *("grammar diff ff3 ff4 @", "grammar test ggf @"),
)


@pytest.mark.night
@pytest.mark.both_lanes
def test_every_command_ends_by_itself_with_an_exit_code_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dice = random.Random(SEED)  # noqa: S311  # the same texts every time
    made = texts(dice)
    for _ in range(EXAMPLES):
        data, command = next(made), dice.choice(COMMANDS)
        name = dice.choice(("a.sgf", "a.ggf", "a.json"))
        Path(name).write_bytes(data)
        result = CliRunner().invoke(app, command.replace("@", name).split())
        note = f"{command}: {data!r}\n{result.output[-2000:]}"
        assert result.exception is None or isinstance(result.exception, SystemExit), note
        assert result.exit_code in {0, 1, 2}, note
        assert "Traceback" not in result.output, note


# ---- grammars of chance ----

RULES = (
    *('start: "a"', "start: A", "A: /a+/", "start: start A | A", "start: a b", 'a: "x"?', "b: a*"),
    *('start: "(" start ")" |', "%ignore /\\s/", "%import lexical.RAW", "%import .ff4.number"),
    *("A: /(/", "A: /[/", 'x{p}: p "," p', "start: x{A}", "A.2: /b/", "%declare B", "start: B"),
    *(
        "?start: A -> one | A",
        "start: /(?=a)/",
        'start: "\\',
        "start: [A] [A]",
        "_A: /a|b/",
        "é: A",
    ),
)
TEXTS = ("", "a", "aa", "(a)", "()", "x,x", "ab\n", "é", "(;FF[4])", "\x00")
GRAMMAR_COMMANDS = (
    *("tree @t --text --grammar @g", "grammar test @g @f", "grammar compile @g --expressions"),
    *("grammar sample @g -n 3", "grammar diff @g ff4", "grammar diff @g @g", "grammar show @g"),
    *(
        "grammar show @g --format ebnf",
        "grammar explain @f:1:1 --grammar @g",
        "check @f --grammar @g",
    ),
    *("grammar draw @g -o g.html", "grammar from-ebnf @g", "grammar from-ebnf @g --notation iso"),
)


@pytest.mark.both_lanes
def test_every_grammar_command_ends_by_itself_whatever_the_grammar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dice = random.Random(SEED)  # noqa: S311  # the same grammars every time
    for _ in range(EXAMPLES):
        grammar = "\n".join(dice.choices(RULES, k=dice.randint(1, 6))) + "\n"
        if dice.random() < 0.3:
            at = dice.randrange(len(grammar))
            grammar = grammar[:at] + dice.choice(PIECES) + grammar[at + dice.randint(0, 3) :]
        Path("g.lark").write_text(grammar, encoding="utf-8")
        text = dice.choice(TEXTS)
        Path("f.sgf").write_text(text, encoding="utf-8")
        command = dice.choice(GRAMMAR_COMMANDS)
        words = {"@t": text, "@g": "g.lark", "@f": "f.sgf"}
        arguments = [words.get(one, one.replace("@f", "f.sgf")) for one in command.split()]
        result = CliRunner().invoke(app, arguments)
        note = f"{command}: {grammar!r} {text!r}\n{result.output[-2000:]}"
        assert result.exception is None or isinstance(result.exception, SystemExit), note
        assert result.exit_code in {0, 1, 2}, note
        assert "Traceback" not in result.output, note
