"""A written file is read back as the same games, or writing refuses; fixing it ends.

Records in many encodings, declared or not, are damaged by chance, also between the two bytes of a
character; and files have games in different encodings.
"""

from __future__ import annotations

import io
import os
import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from support.damage import changed
from support.lanes import amount

import sgf_lark
from sgf_lark import Collection, Format, SgfConversionError
from sgf_lark.core.write.read_back import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = int(os.environ.get("SGF_LARK_SEED", "1"))

#: Names by the codecs that hold them, and how CA calls these.
NAMES = {
    "utf-16": ("UTF-16", ("古力", "Jürgen", "村上健")),
    "utf-16-le": ("UTF-16LE", ("Anna", "이창호")),
    "utf-8": ("UTF-8", ("古力", "Žižek", "Müller")),
    "utf-8-sig": ("UTF-8", ("古力", "Jürgen")),
    "gb18030": ("GB18030", ("古力", "李", "陶喆")),
    "big5": ("Big5", ("張栩", "許功", "林")),
    "cp932": ("Shift_JIS", ("表ソ", "井山裕太", "ﾛ")),
    "cp949": ("EUC-KR", ("이창호", "김")),
    "latin-1": ("ISO-8859-1", ("Müßig", "£5", "pcº[od", "Ã©", "é")),
    "cp1251": ("windows-1251", ("Дмитрий", "Ян")),
    "hz": ("HZ-GB-2312", ("古力", "~~")),
}
HEADS = ("FF[4]GM[1]", "FF[3]GM[1]", "FF[1]GM[1]", "GM[1]", "FF[4]GM[1]SZ[9]KM[6.5]")


def files(dice: random.Random) -> Iterator[bytes]:
    """Yield files without end: of one game or some, in one encoding or several, most damaged."""
    while True:
        codec = dice.choice(list(NAMES))
        games = [_game(dice, codec)]
        while dice.random() < 0.3:
            codec = dice.choice((codec, dice.choice(list(NAMES))))
            games.append(_game(dice, codec))
        data = b"".join(games)
        for _ in range(dice.choice((0, 1, 1, 2))):
            data = changed(data, dice) if dice.random() < 0.5 else _damaged(data, dice)
        yield data


def _game(dice: random.Random, codec: str) -> bytes:
    charset, names = NAMES[codec]
    declared = dice.choice((f"CA[{charset}]", f"CA[{charset}]", "", "CA[UTF-8]"))
    name, other = dice.choice(names), dice.choice(names)
    if dice.random() < 0.1:
        return f"(;GM[Othello]PC[GGS]PB[{name}]PW[{other}]TY[8]B[D3//1.5];)".encode(codec)
    head = dice.choice(HEADS) + declared
    return f"(;{head}PB[{name}]C[{other} x];B[aa];W[bb]C[{name}])".encode(codec)


def _damaged(data: bytes, dice: random.Random) -> bytes:
    """Cut the end, or lose, double or replace one byte."""
    at = dice.randrange(len(data) + 1)
    return dice.choice(
        (
            data[:at],
            data[:at] + data[at + 1 :],
            data[:at] + data[max(0, at - 1) :],
            data[:at] + dice.choice((b"\xff", b"\x80", b"\xe9", b"\xa3", b"\xd8")) + data[at + 1 :],
        )
    )


def content(collection: Collection) -> str:
    """Return the games in one layout, without CA, which writing declares, and white space."""
    text = sgf_lark.dumps(collection, style="canonical")
    return re.sub(r"CA(\[[^\]]*+\])++|\s", "", text)


def require_read_back(collection: Collection, data: bytes, **options: Any) -> None:
    file = io.BytesIO()
    try:
        sgf_lark.dump(collection, file, **options)
    except UnwritableError:
        return
    back = sgf_lark.loads(file.getvalue(), strict=False, validate=False)
    assert content(back) == content(collection), (data, file.getvalue(), options)


@pytest.mark.both_lanes
def test_a_written_file_is_read_back_as_the_same_games_or_refused() -> None:
    dice = random.Random(SEED)  # noqa: S311  # the same files every time
    made = files(dice)
    for _ in range(amount(6, 500)):
        data = next(made)
        collection = sgf_lark.loads(data, strict=False)
        for to in Format:
            try:
                converted = sgf_lark.convert(collection, to)
            except SgfConversionError:
                continue
            if converted is not collection:
                require_read_back(converted, data)
        encoding = dice.choice(("utf-8", "utf-16", "gb18030", "latin-1"))
        if not any(game.format is Format.GGF for game in collection):
            require_read_back(collection, data, encoding=encoding)
        require_read_back(collection, data, style="canonical")


@pytest.mark.both_lanes
def test_fixing_a_file_in_a_damaged_encoding_ends() -> None:
    dice = random.Random(SEED)  # noqa: S311  # the same files every time
    made = files(dice)
    for _ in range(amount(4, 200)):
        data = next(made)
        for unsafe in (False, True):
            once = sgf_lark.fix_record(data, unsafe=unsafe)
            assert len(once.data) <= 3 * len(data) + 60, data
            again = sgf_lark.fix_record(once.data, unsafe=unsafe)
            assert (again.data, again.made) == (once.data, ()), data
