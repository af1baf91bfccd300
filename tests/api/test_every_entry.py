"""Whatever the input and the public entry: SgfError, the error that is documented, or a result.

Texts are made by chance: pieces of records, a value of any kind in each property of the tables,
and records with damage.  SGF_LARK_EXAMPLES asks for more of them, and SGF_LARK_SEED for others.
"""

from __future__ import annotations

import io
import os
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings, strategies as st
from support.corpus import names, record
from support.damage import PIECES, changed
from support.invariants import check_everything
from support.lanes import amount, one_in
from support.places import RECORDS

import sgf_lark
from sgf_lark import Format, PropertyRule, PropertyTable, SgfError
from sgf_lark.archive.batches import read_partition
from sgf_lark.archive.partitions import partitions
from sgf_lark.archive.sources import find_sources
from sgf_lark.cli.main import app
from sgf_lark.core.api.format import ChangedError
from sgf_lark.core.schema.properties import Category
from sgf_lark.core.write.encode import UnencodableError
from sgf_lark.core.write.read_back import UnwritableError

EXAMPLES = amount(4, 60)
SEED = int(os.environ.get("SGF_LARK_SEED", "1"))

#: Records of the project itself, where there is no corpus; and the longest part of one, in bytes.
SAMPLES = tuple(sorted(RECORDS.iterdir()))
LONGEST = 1_200

FORMATS = tuple(Format)
IDENTS = tuple(sorted({row.ident for row in PropertyTable.standard()}))
ABOUT_GAMES = {Category.ROOT, Category.GAME_INFO}

#: Values of every type, each of which is wrong for most properties.
VALUES = (
    *r"""
    0 00 -0 -1 +1 1 2 4 41 99 -3.5 6.5 6,5 375 0.0 1e9 10000000000 1:0 0:1 -1:-1 52 53 19:0 0:19
    9:13 19:13 52:52 1000:1000 100000:100000 1000000:1 aa tt zz ZZ aa:zz zz:aa aa:aa dd:pp ss:tt
    aA:zZ : :: aa: :aa aa:1 a a1 A1 a1:z9 a1:zzzz9999999999999999 Q16 e2e4 31ab 23 1234 double
    swap-pieces 1n2 b1-b4 c3-d4/e5 65w13o 46CD-56,57 d3//1 d3 B W b black x x:1 2:1 B+R b+5.5 W+0
    B+-1 Draw ? 0-0 0:0 1996-02-30 0000-00-00 9999-99-99 1996-05,06-07,2000 -1-1-1 3/4/1999
    5:00/0:30 5:00/0:30/1 99:99:99:99 1d 30k 0k 8r18 s0 length:0 game:-1 UTF-8 utf-16 GB18030 rot13
    klingon KGS foxwq Go Othello Japanese AGA é 白 白胜43.5目 ٣ 😀 \] \\ \: a\]b a\\ [ [[ a] ]]
    Matsuyama[3d\] \ ( ; ) (;
    """.split(),  # noqa: SIM905  # a value a line would be a page
    *("", " ", "\n", "\r\n\t", "\\\n", "\ufeff", "\x00", "\x1b[31m", "\x7f", "\u2028"),
    *("9" * 20, "-" + "9" * 20, "9" * 5000, "0." + "3" * 400, "B+" + "9" * 400, "9" * 30 + "h"),
    *("5x30 byo-yomi", "-5 min", "8 -*O *", "8 " + "-" * 9, "8 " + "-" * 64 + " *", "0 ", "99 *"),
    *("\uff11", "\U0010ff41"),
)  # fmt: skip


def texts(dice: random.Random) -> Iterator[bytes]:
    """Inputs without end, of four kinds in turns."""
    known = (*SAMPLES, *map(record, names()))
    while True:
        yield "".join(dice.choices(PIECES, k=dice.randint(1, 25))).encode()
        yield of_every_row(dice).encode()
        yield of_one_row(dice).encode()
        data = dice.choice(known).read_bytes()
        if len(data) > LONGEST:
            start = dice.choice((0, 0, dice.randrange(len(data))))
            data = data[start : start + LONGEST]
        for _ in range(dice.randint(0, 4)):
            data = changed(data, dice)
        yield data


def of_every_row(dice: random.Random) -> str:
    """A record that has a value of every row of the table of one format and game."""
    format_ = dice.choice(FORMATS)
    rows = [row for row in PropertyTable.standard() if row.format is format_]
    wanted = dice.choice([row.game for row in rows])
    rows = [row for row in rows if row.game in {None, wanted}]
    dice.shuffle(rows)
    head = {row.ident: _values(dice) for row in rows if row.category is Category.ROOT}
    usual = {"FF": f"[{format_.digit}]", "GM": f"[{wanted or 1}]", "SZ": "[19]"}
    if format_ is Format.GGF:
        usual = {"GM": "[Othello]", "PC": "[x]"}
    kept = {ident: head[ident] for ident in head if dice.random() < 0.3}
    head = kept | {ident: usual[ident] for ident in usual if dice.random() < 0.9}
    text = "(;" + "".join(ident + values for ident, values in head.items())
    for row in rows:
        if row.category is Category.GAME_INFO or row.ident not in head:
            text += dice.choice(("", "", "", ";", "(;", ")")) + row.ident + _values(dice)
    return text + ")"


def of_one_row(dice: random.Random) -> str:
    """A small record with one property of the root or the game info."""
    row: PropertyRule = dice.choice(
        [row for row in PropertyTable.standard() if row.category in ABOUT_GAMES]
    )
    head = "GM[Othello]" if row.format is Format.GGF else f"FF[{row.format.digit}]"
    head = "" if row.ident == "FF" else head
    game = f"GM[{row.game}]" if row.game and row.ident != "GM" else ""
    return f"(;{head}{game}{row.ident}[{dice.choice(VALUES)}];B[aa]C[x])"


def _values(dice: random.Random) -> str:
    values = dice.choices(VALUES, k=dice.choice((1, 1, 1, 2, 3)))
    return "".join(f"[{value}]" for value in values)


# ---- the entries ----


def read(data: bytes, dice: random.Random) -> None:
    """Read with a format or the other engine."""
    format_ = dice.choice((None, *FORMATS))
    sgf_lark.loads(data, strict=False, format=format_).model_dump()
    sgf_lark.loads(data, format=format_, engine=dice.choice(("generated", "lark")))


def look(data: bytes, dice: random.Random) -> None:
    """All ways of reading agree, and what is read stands where it says."""
    check_everything(data, dice.choice((None, None, None, *FORMATS)))


def check(data: bytes, dice: random.Random) -> None:
    report = sgf_lark.check(io.BytesIO(data), format=dice.choice((None, *FORMATS)))
    assert str(report) or not [*report]


def one_by_one(data: bytes, _: random.Random) -> None:
    for game in sgf_lark.iter_games(io.BytesIO(data), strict=False):
        assert [node.path for node in game.walk()]
        assert all((repr(game), game.diagnostics is not None, game.moves is not None, game.info))


def write(data: bytes, dice: random.Random) -> None:
    """Untouched, bytes are the same; in any layout, the text can be read."""
    collection = sgf_lark.loads(data, strict=False)
    file = io.BytesIO()
    sgf_lark.dump(collection, file)
    assert file.getvalue() == data
    sgf_lark.dumps(collection, style=dice.choice(("canonical", "compact")))


def convert(data: bytes, dice: random.Random) -> None:
    there = sgf_lark.convert(sgf_lark.loads(data, strict=False), dice.choice(FORMATS))
    with suppress(UnencodableError, UnwritableError):
        sgf_lark.dump(there, io.BytesIO())
    sgf_lark.convert(there, dice.choice(FORMATS))


def fix(data: bytes, dice: random.Random) -> None:
    unsafe = dice.random() < 0.5
    once = sgf_lark.fix_record(data, unsafe=unsafe)
    assert sgf_lark.fix_record(once.data, unsafe=unsafe).data == once.data


def fmt(data: bytes, dice: random.Random) -> None:
    with suppress(ChangedError):  # the canonical order changes a guess; the answer is a refusal
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
        with suppress(UnwritableError):  # it has text that belongs to no property
            sgf_lark.dumps(changed_game)


def tree(data: bytes, dice: random.Random) -> None:
    text = data.decode("utf-8", "replace")
    grammar = dice.choice(("ff1", "ff3", "ff4", "ggf", "games/go", "games/othello"))
    with suppress(SgfError):  # the grammar does not accept most of them
        sgf_lark.parse_tree(text, grammar)
    start = {"games/go": "point", "games/othello": "move"}.get(grammar, "number")
    sgf_lark.parse_tree(text[:9], grammar, start=start)


def positions(data: bytes, _: random.Random) -> None:
    for game in sgf_lark.loads(data, strict=False):
        node = list(game.main_line())[-1]
        try:
            assert all((str(game.board(node)), node.diagram().svg(), str(node.diagram())))
        except ValueError as error:
            assert str(error).startswith(("no board of ", "this game of "))  # noqa: PT017  # as documented


def tables(data: bytes, _: random.Random, path: Path = Path("x.zip")) -> None:
    with ZipFile(path, "w") as archive:
        archive.writestr("x.sgf", data)
    count = len(sgf_lark.loads(data, strict=False))
    rows = [read_partition(part, TABLES) for part in partitions(find_sources([path]))]
    assert sum(one.rows["games"] for each in rows for one in each.slices) == count


TABLES = ("games", "moves", "findings", "positions")

ENTRIES = (
    *(read, look, check, one_by_one, write, convert, fix, fmt, edit, tree, positions, tables),
)


@pytest.mark.both_lanes
@pytest.mark.parametrize("entry", one_in(3, ENTRIES), ids=lambda one: one.__name__)
def test_nothing_but_an_sgf_error_leaves_a_public_function(
    entry: Callable[[bytes, random.Random], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
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


NUMBERS = ("0", "-1", "00", "-" + "9" * 20, "9" * 20, "0]GM[1")


def test_a_game_of_any_number_is_read_by_every_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    step = amount(3, 1)
    for at, number in enumerate(NUMBERS):
        head = ("FF[4]", "")[at % 2]
        data = f"(;{head}GM[{number}]SZ[19];B[pd])".encode()
        game = sgf_lark.loads(data, strict=False)[0]

        assert len(game) == 2, data
        assert "T203" in [finding.code for finding in game.diagnostics], data
        for entry in ENTRIES[at % step :: step]:
            with suppress(SgfError):
                entry(data, random.Random(SEED))  # noqa: S311  # no secret


@pytest.mark.parametrize("value", ["[]", "[ ]", "["])
def test_gm_without_a_value_is_read_as_if_it_were_missing(value: str) -> None:
    (game,) = sgf_lark.loads(f"(;FF[4]GM{value}", strict=False)
    assert game.game_name == "Go"


# ---- characters and bytes ----

#: What matters to a reader, and what should not.
ALPHABET = "();[]\\:ABCFGMabz0123 \r\n\t\x00é中"


@settings(max_examples=amount(6, 120), deadline=10_000)
@given(text=st.text(alphabet=ALPHABET, max_size=60), format_=st.sampled_from([None, *Format]))
@example("", None)
@example("(;FF[4]KM[1]KM[2", None)  # a complaint about a property that the end cuts off
@example("(;FF[4]C[\\", None)
@example("(;GM[Othello]PC[x]KM[1]KM[2", Format.GGF)
@example("(;;)", Format.GGF)  # no property before the first move, which has its own node
@example("(;B[d3];)", Format.GGF)
@example("(;B[d3]GM[Othello];)", None)
@example("(;GM[Othello]PC[x]b[d3]Ww[c5];)", None)  # a move by another name
@example("(;GM[Othello]BO[" + "9" * 30 + " - *];)", None)  # more rows than memory has
@example("(;GM[Othello]BO[" + "9" * 9 + " - *];)", None)
@example("(;FF[4]HA[" + "9" * 5000 + "]KM[" + "9" * 5000 + "])", None)  # int() refuses these
@example("9" * 5000 + " (;GM[Othello]PC[x];)", None)
@example("(;GM[Othello]TI[" + "9" * 99 + "]TY[8r" + "9" * 99 + "];)", None)
@example("(;GM[Othello]DT[0000.00.00_00:00:00.MDT];)", None)
@example("(;FF[4]DT[0000-00-00,9999-12-31]SZ[0:0]FG[-1:]AP[:]AR[:])", None)  # no board
def test_any_characters_are_read_or_refused(text: str, format_: Format | None) -> None:
    check_everything(text, format_)
    check_everything(f"(;FF[4]GM[1]B{text}C[{text}])", format_)


@settings(max_examples=amount(6, 120), deadline=10_000)
@given(
    data=st.binary(max_size=60),
    before=st.sampled_from([b"", b"(;C[", b"\xff\xfe(\0;\0"]),
    charset=st.sampled_from(["UTF-8", "GB18030", "Shift_JIS", "Big5", "UTF-16", "rot13", "é"]),
)
def test_any_bytes_are_read_or_refused(data: bytes, before: bytes, charset: str) -> None:
    check_everything(before + data)
    check_everything(b"(;FF[4]CA[" + charset.encode() + b"]C[" + data + b"]PB[" + data + b"])")


# ---- the commands ----

COMMANDS = (
    *("check @", "check @ --strict --level info", "check @ --fix", "check @ --fix --unsafe-fixes"),
    *("check @ --unsafe-fixes --diff", "check @ --as ff1", "check @ --as ggf", "check @ --jobs 1"),
    *(f"check @ --format {one}" for one in ("concise", "grouped", "statistics", "json", "jsonl")),
    *(f"check @ --format {one}" for one in ("github", "gitlab", "junit", "sarif")),
    *(f"convert @ --to {one}" for one in ("ff1", "ff3", "ff4", "ggf", "json", "sgf")),
    *("convert @ --to ff3 --lossy drop", "convert @ --to ff4 --as ggf", "show @"),
    *("fmt @", "fmt @ --check", "fmt @ --diff --compress", "fmt @ --nodes 5 --width 60"),
    *("tree @", "tree @ --format json", "tree @ --grammar ggf --format sexp"),
    *("tree @ --format dot", "grammar explain @:1:5", "grammar explain @:2:1 --grammar ff3"),
    *("grammar test ff4 @", "grammar diff ff3 ff4 @", "grammar test ggf @"),
)


def run(arguments: list[str], note: str) -> int:
    """Return the exit code of a command that ends by itself."""
    result = CliRunner().invoke(app, arguments)
    note += f"\n{result.output[-2000:]}"
    assert result.exception is None or isinstance(result.exception, SystemExit), note
    assert result.exit_code in {0, 1, 2}, note
    assert "Traceback" not in result.output, note
    assert "the program failed" not in result.output, note
    return result.exit_code


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
        run(command.replace("@", name).split(), f"{command}: {data!r}")


def test_the_commands_read_a_game_of_any_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.sgf").write_text("(;FF[4]GM[0]SZ[19];B[pd])", encoding="ascii")
    codes = {
        "check x.sgf": 1,
        "fmt --check x.sgf": 1,
        "convert x.sgf --to ff3": 0,
        "convert x.sgf --to json": 0,
        "show x.sgf": 2,
        "archive build x.sgf -o out --jobs 1": 0,
    }
    assert {command: run(command.split(), command) for command in codes} == codes


# ---- grammars of chance ----

RULES = (
    *('start: "a"', "start: A", "A: /a+/", "start: start A | A", "start: a b", 'a: "x"?', "b: a*"),
    *('start: "(" start ")" |', "%ignore /\\s/", "%import lexical.RAW", "%import .ff4.number"),
    *("A: /(/", "A: /[/", 'x{p}: p "," p', "start: x{A}", "A.2: /b/", "%declare B", "start: B"),
    *("?start: A -> one | A", "start: /(?=a)/", 'start: "\\', "start: [A] [A]", "_A: /a|b/"),
    "é: A",
)
TEXTS = ("", "a", "aa", "(a)", "()", "x,x", "ab\n", "é", "(;FF[4])", "\x00")
GRAMMAR_COMMANDS = (
    *("tree @t --text --grammar @g", "grammar test @g @f", "grammar lint @g"),
    *("grammar sample @g -n 3", "grammar diff @g ff4", "grammar diff @g @g", "grammar show @g"),
    *("grammar show @g --format ebnf", "grammar explain @f:1:1 --grammar @g"),
    *("check @f --grammar @g", "grammar draw @g -o g.html", "grammar from-ebnf @g"),
    "grammar from-ebnf @g --notation w3c",
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
        run(arguments, f"{command}: {grammar!r} {text!r}")
