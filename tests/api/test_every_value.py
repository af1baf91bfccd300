"""No value of any property makes an entry that reads raise anything but SgfError.

Values are drawn for every row of the property table, also those of other types: numbers that
are 0, negative or huge, nothing, brackets, and characters beyond ASCII.
"""

from __future__ import annotations

import io
import os
import random
from contextlib import suppress
from itertools import chain, count, islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from support.lanes import amount, one_in

import sgf_lark
from sgf_lark import Collection, Format, PropertyTable, SgfError
from sgf_lark.api.format import ChangedError
from sgf_lark.archive.batches import read_partition
from sgf_lark.archive.partitions import partitions
from sgf_lark.archive.sources import find_sources
from sgf_lark.cli.main import app
from sgf_lark.schema.properties import Category
from sgf_lark.write.encode import UnencodableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sgf_lark import PropertyRule

SEED = int(os.environ.get("SGF_LARK_SEED", "1"))

#: Values of every type, each of which is wrong for most properties.
VALUES = (
    *("", " ", "0", "00", "-0", "-1", "+1", "1", "2", "4", "41", "99", "-3.5", "6.5", "0.0", "1e9"),
    *("9" * 20, "-" + "9" * 20, "9" * 5000, "0." + "3" * 400, "10000000000", "1:0", "0:1", "-1:-1"),
    *("52", "53", "19:0", "0:19", "9:13", "52:52", "1000:1000", "100000:100000", "1000000:1"),
    *(
        "aa",
        "tt",
        "zz",
        "ZZ",
        "aa:zz",
        "zz:aa",
        "aa:aa",
        ":",
        "::",
        "aa:",
        ":aa",
        "aa:1",
        "a",
        "a1",
    ),
    *("a1:zzzz9999999999999999", "e2e4", "31ab", "double", "swap-pieces", "1n2", "b1-b4", "d3//1"),
    *("B", "W", "b", "black", "x", "B+R", "W+0", "B+-1", "B+" + "9" * 400, "Draw", "?", "0-0"),
    *("1996-02-30", "0000-00-00", "9999-99-99", "1996-05,06-07,2000", "-1-1-1", "3/4/1999"),
    *("5:00/0:30", "99:99:99:99", "5x30 byo-yomi", "-5 min", "9" * 30 + "h", "1d", "30k", "0k"),
    *("UTF-8", "utf-16", "rot13", "klingon", "x:1", "Go", "Othello", "go", "Japanese", "AGA"),
    *("8 -*O *", "8 " + "-" * 64 + " *", "0 ", "99 *", "8r18", "s0", "length:0", "game:-1"),
    *("é", "白", "٣", "\uff11", "\U0001f600", "\ufeff", "\x00", "\x7f", "\u2028", "\U0010ff41"),
    *(
        "\\]",
        "\\\\",
        "\\:",
        "a\\]b",
        "[",
        "[[",
        "a]",
        "]]",
        "\\",
        "(",
        ";",
        ")",
        "(;",
        "\n",
        "\r\n\t",
    ),
)

ABOUT_GAMES = {Category.ROOT, Category.GAME_INFO}


def drawn(dice: random.Random) -> Iterator[bytes]:
    """Yield records without end; each has a value of every row of the table of one format."""
    for number in count():
        format_ = tuple(Format)[number % len(Format)]
        rows = [row for row in PropertyTable.standard() if row.format is format_]
        wanted = dice.choice([row.game for row in rows])
        rows = [row for row in rows if row.game in {None, wanted}]
        dice.shuffle(rows)
        head = {row.ident: _values(dice) for row in rows if row.category is Category.ROOT}
        usual = {"FF": f"[{format_.shown[3:-1]}]", "GM": f"[{wanted or 1}]", "SZ": "[19]"}
        if format_ is Format.GGF:
            usual = {"GM": "[Othello]", "PC": "[x]"}
        kept = {ident: head[ident] for ident in head if dice.random() < 0.3}
        head = kept | {ident: usual[ident] for ident in usual if dice.random() < 0.9}
        yield _record(head, rows, dice)


def _record(head: dict[str, str], rows: list[PropertyRule], dice: random.Random) -> bytes:
    text = "(;" + "".join(ident + values for ident, values in head.items())
    for row in rows:
        if row.category is Category.GAME_INFO or row.ident not in head:
            text += dice.choice(("", "", "", ";")) + row.ident + _values(dice)
    return (text + ")").encode()


def roots(dice: random.Random) -> Iterator[bytes]:
    """Yield small records without end: a property of the root or the game info with a value."""
    rows = [row for row in PropertyTable.standard() if row.category in ABOUT_GAMES]
    while True:
        row, value = dice.choice(rows), dice.choice(VALUES)
        head = "GM[Othello]" if row.format is Format.GGF else f"FF[{row.format.shown[3:-1]}]"
        head = "" if row.ident == "FF" else head
        game = f"GM[{row.game}]" if row.game and row.ident != "GM" else ""
        yield f"(;{head}{game}{row.ident}[{value}];B[aa]C[x])".encode()


def _values(dice: random.Random) -> str:
    values = dice.choices(VALUES, k=dice.choice((1, 1, 1, 2, 3)))
    return "".join(f"[{value}]" for value in values)


# ---- the entries ----


def read(data: bytes) -> Collection:
    return sgf_lark.loads(data, strict=False)


def each_format(data: bytes) -> None:
    for format_ in Format:
        collection = sgf_lark.loads(data, strict=False, format=format_)
        _ = collection.diagnostics


def strict(data: bytes) -> None:
    sgf_lark.load(io.BytesIO(data))


def unjudged(data: bytes) -> None:
    for game in sgf_lark.loads(data, strict=False, validate=False):
        for node in game:
            _ = [prop.values for prop in node.properties]


def info_only(data: bytes) -> None:
    for game in sgf_lark.loads(data, strict=False, info_only=True):
        _ = game.info, game.info.model_dump()


def one_by_one(data: bytes) -> None:
    for game in sgf_lark.iter_games(io.BytesIO(data), strict=False):
        _ = game.diagnostics, game.moves, repr(game), game.info


def check(data: bytes) -> None:
    _ = str(sgf_lark.check(io.BytesIO(data)))


def fix(data: bytes) -> None:
    sgf_lark.fix_record(data)


def fix_unsafe(data: bytes) -> None:
    sgf_lark.fix_record(data, unsafe=True)


def fmt(data: bytes) -> None:
    with suppress(ChangedError):  # the canonical order changes a guess; the answer is a refusal
        sgf_lark.format_record(data)


def convert(data: bytes) -> None:
    collection = read(data)
    for format_ in Format:
        with suppress(SgfError, UnencodableError):
            sgf_lark.dump(sgf_lark.convert(collection, format_), io.BytesIO())


def as_json(data: bytes) -> None:
    assert Collection.model_validate_json(read(data).model_dump_json())


def positions(data: bytes) -> None:
    for game in read(data):
        node = list(game.main_line())[-1]
        try:
            _ = str(game.board(node)), node.diagram().svg(), str(node.diagram())
        except ValueError as error:
            assert str(error).startswith(("no board of ", "this game of "))  # noqa: PT017  # as documented


def tables(data: bytes) -> None:
    member = io.BytesIO()
    with ZipFile(member, "w") as archive:
        archive.writestr("x.sgf", data)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.zip"
        path.write_bytes(member.getvalue())
        for part in partitions(find_sources([path])):
            rows = read_partition(part, ("games", "moves", "findings", "positions"))
            assert all(one.rows["games"] for one in rows.slices)


ENTRIES: tuple[Callable[[bytes], object], ...] = (
    *(read, each_format, strict, unjudged, info_only, one_by_one, check, fix, fix_unsafe, fmt),
    *(convert, as_json, positions, tables),
)


@pytest.mark.both_lanes
@pytest.mark.parametrize("entry", one_in(3, ENTRIES), ids=lambda entry: entry.__name__)
def test_no_value_of_a_property_makes_a_reading_entry_raise_another_error(
    entry: Callable[[bytes], object],
) -> None:
    dice = random.Random(f"{SEED} {entry.__name__}")  # noqa: S311  # the same values every time
    for data in chain(islice(roots(dice), amount(2, 100)), islice(drawn(dice), amount(1, 15))):
        try:
            entry(data)
        except SgfError:
            continue
        except Exception as error:
            error.add_note(f"{entry.__name__}: {data!r}")
            raise


NUMBERS = ("0", "-1", "00", "-" + "9" * 20, "9" * 20, "0]GM[1")


def test_a_game_of_any_number_is_read_by_every_entry() -> None:
    for number, head in product(NUMBERS, ("FF[4]", "")):
        data = f"(;{head}GM[{number}]SZ[19];B[pd])".encode()
        game = read(data)[0]

        assert len(game) == 2, data
        assert "T203" in [finding.code for finding in game.diagnostics], data
        for entry in ENTRIES:
            with suppress(SgfError):
                entry(data)


@pytest.mark.parametrize("value", ["[]", "[ ]", "["])
def test_gm_without_a_value_is_read_as_if_it_were_missing(value: str) -> None:
    (game,) = sgf_lark.loads(f"(;FF[4]GM{value}", strict=False)
    assert game.game_name == "Go"


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
    for command, code in codes.items():
        result = CliRunner().invoke(app, command.split())
        assert "failed" not in result.output
        assert (result.exit_code, command) == (code, command), result.output
