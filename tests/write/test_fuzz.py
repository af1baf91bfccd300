"""Whatever a record says: what is written of it is bounded, reads back, or is refused.

Layouts, conversions, JSON and edits of records made by chance.  Only SgfError, and what a
function says it raises, escapes.
"""

from __future__ import annotations

import contextlib
import os
import random
import time
from typing import TYPE_CHECKING

import pytest
from support.lanes import amount

import sgf_lark
from sgf_lark import Collection, Format, GameTree, PropertyTable, SgfError
from sgf_lark.convert.convert import SgfName
from sgf_lark.convert.lossy import Lossy
from sgf_lark.core.api.format import have_same_content
from sgf_lark.core.write.dump import StyleName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sgf_lark import Draft

#: So many examples of each kind.
EXAMPLES = amount(10, 80)

#: Where chance begins; another number gives other records.
SEED = int(os.environ.get("SGF_LARK_SEED", "1"))

#: Seconds of the processor for all that is done with one record of a few hundred characters.
SOON = 20

#: Identifiers of all formats and games, and names that are none.
NAMES = (
    *sorted({rule.ident for rule in PropertyTable.standard()}),
    *("Black", "SiZe", "junk", "a8", "B1", "ABC", "ZZ", "KGSDE", "b", "GaMe", "a8B", "X9"),
)

#: Values that mean something somewhere, and values that mean nothing.
VALUES = (
    *("", "aa", "tt", "ss", "zz", "ZZ", "a1", "d3", "PA", "pass", "31hefe", "double", "46CD-56"),
    *("e1-e3", "D1-D7-G7", "djddgd", "33+A-B", "c2*", "cc:cf", "swap-pieces", "11", "99", "11:99"),
    *("aa:cc", "cc:aa", "aa:ZZ", "a1:c3", "a1:zzzz99999", f"a1:z{'9' * 30}", "aa:1", "aa:12345"),
    *("aa:x\\:y", "aa:x:y", "1", "2", "0", "-1", "3", "4", "19", "9:13", "52", "99999", "9" * 20),
    *("6.5", "6.", ".5", "1e5", "1800", "5 1/2", "2 hours", "B", "W", "black", "green", "b"),
    *("UTF-8", "ISO-8859-1", "GB18030", "utf-16", "x", "x:1", "a\\]b", "a\\\\", "a\\\nb", "a\nb"),
    *("a\r\nb", "\r(cja", " ", "\n", ":", "\\:", "\u00e9", "\u4e2d", "\ufeff", "B+R", "b+r", "?"),
    *("Void", "+12", "-3.00:r", "1996-05-27", "1996-02-30", "1996-05,06"),
    *("2004.09.18_05:54:38.MDT", "none"),
    *("257:Figure 1", "5d", "15:00//02:00", "s8r18", "8", "88", "1:c5//1.5", "d3//1.5", "d3/2.5/7"),
    *("8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *", "length:7", "Crawford", "RE:+12", "\x00"),
)  # fmt: skip

#: The games that have a grammar, some that have none, and what is no number of a game.
GAMES = (*("1",) * 4, "2", "2", "3", "4", "6", "9", "11", "18", "18", "19", "20", "21", "40", "99")

SIZES = ("9", "13", "19", "8", "10", "5:7")


def property_(dice: random.Random, *, ggf: bool = False) -> str:
    """A property with one value, or a few."""
    raws = [dice.choice(VALUES) for _ in range(1 if ggf else dice.choice((1, 1, 1, 2, 3)))]
    if ggf:
        raws = [raw.replace("]", "") for raw in raws]
    return dice.choice(NAMES) + "".join(f"[{raw}]" for raw in raws)


def record(dice: random.Random) -> str:
    """A record of SGF, sometimes of GGF, that follows its grammar but for some names."""
    if dice.random() < 0.15:
        moves = [
            f"{color}[{dice.choice(('d3', 'd3//1.5', 'PA', 'D1-D7-G7', 'x', 'c5/-2.5/7'))}]"
            for color in dice.choices("BW", k=dice.randint(0, 4))
        ]
        first = [property_(dice, ggf=True) for _ in range(dice.randint(0, 5))]
        game = dice.choice(("Othello", "Othello", "Amazons", "Chess", "Go", "Checkers"))
        return f"(;GM[{game}]PC[x]{''.join(first)}{''.join(moves)};)"
    root = [
        *([f"FF[{dice.choice('11334444')}]"] if dice.random() < 0.8 else []),
        *([f"GM[{dice.choice(GAMES)}]"] if dice.random() < 0.8 else []),
        *([f"SZ[{dice.choice(SIZES)}]"] if dice.random() < 0.5 else []),
    ]  # fmt: skip
    dice.shuffle(root)
    return f"({node(dice, root)}{''.join(tree(dice, 0))})"


def node(dice: random.Random, first: list[str] | None = None) -> str:
    more = [property_(dice) for _ in range(dice.choice((0, 1, 1, 2, 3)))]
    return ";" + "".join([*(first or []), *more])


def tree(dice: random.Random, depth: int) -> Iterator[str]:
    """Some nodes, and variations behind them."""
    for _ in range(dice.randint(0, 3)):
        yield node(dice)
    if depth < 3 and dice.random() < 0.4:
        for _ in range(dice.randint(1, 3)):
            yield f"({node(dice)}{''.join(tree(dice, depth + 1))})"


def with_each(look: Callable[[Collection, random.Random], None]) -> None:
    """Look at records of chance, each within its time; the record is told if it fails."""
    dice = random.Random(SEED)  # noqa: S311  # the same records every time
    for _ in range(EXAMPLES):
        text = "\n".join(record(dice) for _ in range(dice.choice((1, 1, 1, 2))))
        start = time.process_time()
        try:
            look(sgf_lark.loads(text, strict=False), dice)
        except BaseException as error:
            error.add_note(repr(text))
            raise
        assert time.process_time() - start < SOON, text


def broken(collection: Collection) -> bool:
    """The grammar refuses the text."""
    return any(one.code[0] == "S" and one.severity == "error" for one in collection.diagnostics)


def check_reads_back(game: GameTree, style: StyleName) -> None:
    """A layout of a game says the same."""
    text = sgf_lark.dumps(game, style=style)
    again = sgf_lark.loads(text, strict=False, format=game.format)
    assert have_same_content(Collection(games=(game,)), again), (style, text)


# ---- layouts ----


def layouts(collection: Collection, dice: random.Random) -> None:
    assert sgf_lark.dumps(collection) == collection.text
    layout = {
        "nodes": dice.choice((1, 1, 5)),
        "indent": dice.choice((0, 2)),
        "compress": dice.random() < 0.5,
        "width": dice.choice((None, None, 1, 10, 60)),
    }
    sgf_lark.dumps(collection, style="canonical", **layout)  # type: ignore[arg-type]  # by name
    sgf_lark.dumps(collection, style="compact")
    try:
        done = sgf_lark.format_record(collection.text.encode(), **layout)  # type: ignore[arg-type]
    except SgfError:
        assert broken(collection)
        return
    except ValueError as error:
        # The bytes are in an encoding that CA names, and cannot hold what escapes say.
        assert "is written in" in str(error)  # noqa: PT017
        return
    assert sgf_lark.format_record(done, **layout) == done  # type: ignore[arg-type]


@pytest.mark.both_lanes
def test_layouts_of_records_of_chance_say_the_same() -> None:
    with_each(layouts)


# ---- conversions ----


def conversions(collection: Collection, dice: random.Random) -> None:
    lossy = dice.choice((Lossy.KEEP, *Lossy))
    minutes, time_left = dice.random() < 0.3, dice.random() < 0.3
    targets: list[Format | SgfName] = [*Format, "sgf"]
    for to in targets:
        try:
            made = sgf_lark.convert(
                collection, to, lossy=lossy, minutes=minutes, time_left=time_left
            )
        except SgfError as error:
            assert error.first.code[0] == "C"  # noqa: PT017
            continue
        for old, game in zip(collection, made, strict=True):
            if game is not old:
                assert to in {"sgf", game.format}
                check_reads_back(game, "canonical")
                check_reads_back(game, "compact")


@pytest.mark.both_lanes
def test_conversions_of_records_of_chance_read_back_or_are_refused() -> None:
    with_each(conversions)


# ---- edits ----


def edits(collection: Collection, dice: random.Random) -> None:
    for game in collection:
        draft = game.edit()
        for _ in range(dice.randint(1, 8)):
            with contextlib.suppress(ValueError, KeyError):
                edit(draft, dice)
        try:
            made = draft.done(strict=False)
        except ValueError:
            assert game.format is Format.GGF
            continue
        if not broken(collection):
            for style in ("preserve", "canonical", "compact"):
                check_reads_back(made, style)


def edit(draft: Draft, dice: random.Random) -> None:  # noqa: C901, PLR0912  # one of many
    """One change."""
    nodes = list(draft.walk())
    one, other = dice.choice(nodes), dice.choice(nodes)
    name, value = dice.choice(NAMES), dice.choice((*VALUES, "a]b", "a\\"))
    match dice.randrange(12):
        case 0:
            draft.set(one, name, value)
        case 1:
            draft.set(one, name, [value, dice.choice(VALUES)])
        case 2:
            draft.set_raw(one, name, value)
        case 3:
            draft.unset(one, name)
        case 4:
            draft.add(one, {name: value}, at=dice.choice((None, 0, 1)))
        case 5:
            draft.insert(one, {name: value})
        case 6:
            draft.remove(one, keep_below=dice.random() < 0.5)
        case 7:
            draft.paste(other, draft.copy(one))
        case 8:
            draft.paste(draft.root, draft.cut(one), at=0)
        case 9:
            draft.promote(one)
        case 10:
            draft.make_main_line(one)
        case _:
            properties = draft.properties(one)
            if properties:
                draft.unset(one, dice.choice(properties).ident)


@pytest.mark.both_lanes
def test_edits_of_records_of_chance_read_back_or_are_refused() -> None:
    with_each(edits)


# ---- data ----


def data(collection: Collection, _: random.Random) -> None:
    text = collection.model_dump_json()
    if not broken(collection):
        assert Collection.model_validate_json(text) == collection


@pytest.mark.both_lanes
def test_json_of_records_of_chance_comes_back() -> None:
    with_each(data)
