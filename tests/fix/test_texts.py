"""Texts of records: no fix loses a character of them without a word."""

from __future__ import annotations

import itertools
import os
import random
import re
from collections import Counter

import pytest
from support.lanes import amount
from support.lexer import texts, words

import sgf_lark
from sgf_lark.core.api.fix import fix_record
from sgf_lark.core.findings.diagnostic import Edit
from sgf_lark.core.fix.safeguard import cuts_stray_text

#: Records made by chance.
RECORDS = amount(15, 500, "SGF_LARK_MUTANTS")

#: Where chance begins.
SEED = int(os.environ.get("SGF_LARK_SEED", "1"))


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ("(;FF[4]C[a\\]b] x B[aa];N[n", ["a\\]b", "x", "n"]),
        ("(;C[Lee [9p]: Good [1]];B[aa])", ["Lee [9p", ":", "Good", "[1]", "]"]),
        ("no game(;KM[6.5]Comment[hi][2]) W", ["no", "game", "hi", "2", "W"]),
        ("(;C[cut off\\", ["cut off\\"]),
    ],
)
def test_the_oracle_knows_texts(record: str, wanted: list[str]) -> None:
    assert list(texts(record)) == wanted


# ---- fixes ----


def put_right(record: str, *, unsafe: bool = False) -> str:
    return fix_record(record.encode(), unsafe=unsafe, encoding="utf-8").data.decode()


@pytest.mark.parametrize(
    "record",
    [
        "(;FF[4]GM[1]SZ[19]C[x [3d]][keep me][other];B[pd])",
        "(;FF[4]GM[1]SZ[19]PB[A [3d]][di][ec];B[pd])",
        "(;FF[4]GM[1]SZ[19]C[one] keep me [two];B[pd])",
        "(;FF[4]GM[1]SZ[19];B[aa]C[a] Black [3d] ok;W[bb]C[x]])",
        "(;FF[4]GM[1]SZ[19];B[aa]C[a] hm Black[dd]C[b];W[bb])",
    ],
)
def test_stray_text_stays_where_it_is(record: str) -> None:
    assert put_right(record) == record
    assert words(record) - Counter(re.findall(r"\w+", put_right(record, unsafe=True))) == Counter()


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("C[Lee [9p]: Good [1] Bad [2]]", "C[Lee [9p\\]: Good [1\\] Bad [2\\]]"),
        ("C[Shusaku [4d]: then Black [3k]: yes]", "C[Shusaku [4d\\]: then Black [3k\\]: yes]"),
        ("C[see [12] White[14] wins]", "C[see [12\\] White[14\\] wins]"),
        ("C[so [1] B[4] (see [5]; or W[6])]N[x]", "C[so [1\\] B[4\\] (see [5\\]; or W[6\\])]N[x]"),
    ],
)
def test_names_within_a_comment_are_the_comments(wrong: str, right: str) -> None:
    record = f"(;FF[4]GM[1]SZ[19];B[aa]{wrong};W[bb])"

    assert put_right(record) == record
    assert put_right(record, unsafe=True) == record.replace(wrong, right)


def test_a_bracket_behind_a_text_is_escaped_and_one_elsewhere_removed() -> None:
    head = "(;FF[4]GM[1]SZ[19]"

    assert put_right(f"{head}C[a\\]]\n])", unsafe=True) == f"{head}C[a\\]\\]\n])"
    assert put_right(f"{head}AB[aa]][bb])", unsafe=True) == f"{head}AB[aa][bb])"


LONG = "0123456789" * 4


@pytest.mark.parametrize(
    ("record", "title"),
    [
        (f"(;FF[4]ON[x]ON[{LONG}])", f"remove ON[{LONG}]"),
        (f"(;FF[4]PB[x];B[aa]PB[{LONG}+-])", f"remove PB[{LONG}…]"),
        (f"(;FF[4]{'STRAY' * 8}S;B[aa])", f"remove {'STRAY' * 8}S"),
        (f"(;FF[4]{'STRAY' * 8}SS;B[aa])", f"remove {'STRAY' * 8}…"),
    ],
)
def test_who_removes_a_text_quotes_forty_characters_of_it(record: str, title: str) -> None:
    made = [one.fix for one in fix_record(record.encode(), unsafe=True).made if one.fix]

    assert [one.safe for one in made if one.message == title] == [False]


@pytest.mark.parametrize(
    ("properties", "kept", "title"),
    [
        ("C[a]C[a]", "C[a]", "remove the repeat of C[a], which stays once"),
        ("C[a]C[a]N[b]C[a]", "C[a]N[b]", "remove 2 repeats of C[a], which stays once"),
        ("PB[a][a]", "PB[a]", "remove the repeat of PB[a], which stays once"),
        ("C[a][ ][a]", "C[a]", "remove the repeat of C[a], which stays once, and empty values"),
        ("AP[a:1];B[aa]AP[a:1]", "AP[a:1];B[aa]", "remove AP[a:1], which stays in the first node"),
        (";LB[aa:x][aa:x]", ";LB[aa:x]", "remove the repeat of LB[aa:x], which stays once"),
        ("PB[a];B[aa]PB[a]", "PB[a];B[aa]", "remove PB[a], which stays in the first node"),
        (
            ";PB[a];B[aa]PB[a]",
            ";PB[a];B[aa]",
            "remove PB[a], which stays in the game info at move 0",
        ),
    ],
)
def test_a_safe_fix_removes_repeats_alone_and_says_where_they_stay(
    properties: str, kept: str, title: str
) -> None:
    fixed = fix_record(f"(;FF[4]GM[1]SZ[19]{properties})".encode())
    fixes = [one.fix.message for one in fixed.made if one.fix]

    assert fixed.data.decode() == f"(;FF[4]GM[1]SZ[19]{kept})"
    assert fixes == [title]


def test_texts_that_differ_a_little_are_no_repeats() -> None:
    for wrong in ("C[a]C[a ]", "C[a][A]", "PB[a];B[aa]PB[a\\\\]", "C[a][b]C[a]"):
        record = f"(;FF[4]GM[1]SZ[19]{wrong})"
        kept = put_right(record)
        assert words(record) - words(kept) == Counter(), kept


def test_the_safeguard_knows_stray_text() -> None:
    record = "(;FF[4]C[a] 12] [b]KM[6,5])"
    games = sgf_lark.loads(record, strict=False).games
    at = record.index("] 12")
    joined = Edit(offset=at, end_offset=record.index("[b") + 1, replacement=" ")
    moved = [
        joined,
        Edit(offset=len(record) - 1, end_offset=len(record) - 1, replacement="C[12]"),
    ]
    komi = Edit(offset=record.index("6,"), end_offset=record.index("])"), replacement="6.5")

    assert cuts_stray_text(record, games, [joined], named=False)
    assert cuts_stray_text(record, games, [joined], named=True)
    assert not cuts_stray_text(record, games, moved, named=False)
    assert not cuts_stray_text(record, games, [komi], named=False)


#: Pieces of texts, and of what is between properties; each '#' becomes a number of its own.
INNER = ("w# ", "w# [v#] ", "[v#]", ": ", "Good [#] ", "Black[#] ", "W [#] ", "White [3d]: ",
         "B[aa] ", "(w#) ", "; ", "\\] ", "] ", "\\\\", "\n", "[", "komi KM[6,5] ", "é# ",
         ", ")  # fmt: skip
BETWEEN = ("", "", "", "", "", " ", "\n", " s# ", " s# t#", "]", "] s# ", " [u#]", ":",
           " Good [1] ")  # fmt: skip
PROPERTIES = ("B[aa]", "W[bb]", "b[cc]", "Black[dd]", "KM[6,5]", "TE[1]BM[1]", "AB[ee][ee]",
              "MN[x]", "AW[ff][gg]", "HA[0]", "KO[]", "CA[]", "SZ[19]", "W[Q16]", "LB[aa:x#]",
              "ZZ[z#]")  # fmt: skip
NAMES = ("C", "C", "C", "C", "N", "PB", "PW", "GC", "Comment", "c", "EV", "GN")


def by_chance(dice: random.Random) -> str:
    """A record with texts that have brackets, and text that belongs to no property."""

    def text() -> str:
        return "".join(dice.choices(INNER, k=dice.choice((0, 1, 2, 3, 6))))

    def one() -> str:
        if dice.random() < 0.4:
            return dice.choice(PROPERTIES)
        values = [f"[{text()}]" for _ in range(dice.choice((1, 1, 1, 2, 3)))]
        return dice.choice(NAMES) + dice.choice(BETWEEN).join(values)

    nodes = [
        "".join(one() + dice.choice(BETWEEN) for _ in range(dice.choice((1, 2, 3))))
        for _ in range(dice.choice((1, 2, 4)))
    ]
    head = dice.choice(("FF[4]GM[1]SZ[19]", "FF[4]GM[1]", "FF[3]GM[1]SZ[19]", "GM[1]SZ[19]"))
    record = f"(;{head}{';'.join(nodes)})"
    number = itertools.count(100)
    return re.sub("#", lambda _: str(next(number)), record)


def test_no_fix_removes_a_text_without_a_word() -> None:
    dice = random.Random(SEED)  # noqa: S311
    for _ in range(RECORDS):
        record = by_chance(dice)
        for unsafe in (False, True):
            fixed = fix_record(record.encode(), unsafe=unsafe, encoding="utf-8")
            fixes = [one.fix for one in fixed.made if one.fix is not None]
            titles = " ".join(fix.message for fix in fixes if unsafe)
            if "…" in titles:  # it names a text too long to be shown
                continue
            kept = Counter(re.findall(r"[^\W_]+", f"{fixed.data.decode()} {titles}"))
            assert words(record) - kept == Counter(), (record, fixed.data, titles)
