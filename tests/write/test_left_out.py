"""Nothing of a record is lost without a word: by conversions, by splitting, in JSON."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.corpus import names, record
from support.damage import changed
from support.lanes import amount, is_night
from support.lexer import masked

from sgf_lark import Collection, Format, SgfConversionError, convert, dumps, loads
from sgf_lark.core.write.read_back import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: A ')' too early, which leaves a node outside of the games.
CUT = "(;FF[4]GM[1](;B[pd];B[qc]))\n;W[qi]C[hello])\n(;B[od];W[qd]))"

#: Findings that say of a text that no game has it.
LEFT_OUT = frozenset({"S101", "S102", "S103", "S108", "S109", "S116", "S119"})


def letters(texts: Iterable[str]) -> str:
    return "".join(char for text in texts for char in text if char.isalnum())


def damaged() -> Iterator[Collection]:
    """Yield records that are damaged a little; by night real ones, too."""
    dice = random.Random(4)  # noqa: S311  # the same texts every time
    records = [path.read_bytes() for path in sorted(Path("tests/records").iterdir())]
    if is_night():
        real = [record(name) for name in names()]
        records += [path.read_bytes() for path in real if path.stat().st_size < 10_000]
    for _ in range(amount(20, 600)):
        data = dice.choice(records)
        for _ in range(dice.randint(1, 4)):
            data = changed(data, dice)
        yield loads(data, strict=False)


def test_a_conversion_reports_the_node_after_a_bracket_too_early() -> None:
    found = {one.code: one for one in convert(loads(CUT, strict=False), "ff3").diagnostics}

    assert found["C752"].message == "'W[qi]C[hello]' is in no game, and is left out"
    assert CUT[found["C752"].offset : found["C752"].end_offset] == "W[qi]C[hello]"


@pytest.mark.parametrize("to", ["ff3", "ff4", "ggf"])
def test_a_conversion_reports_the_further_values_of_what_it_declares(to: Format) -> None:
    text = "(;FF[1][bc][bb]GM[2]AW[d3];B[d3])"

    found = convert(loads(text, strict=False), to).diagnostics

    assert "FF accepts one value: [bc][bb] is left out" in {one.message for one in found}


def test_a_conversion_to_ggf_reports_what_stands_beside_what_it_writes() -> None:
    text = (
        "(;FF[4][5]CA[utf-8][b]GM[2][3]SZ[8]AB[d4][zz][e5]AW[]PL[B][x]PB[a]PB[b]V[1]"
        ";B[d3][c4]V[1][2];W[c3]V[1]V[2])"
    )

    found = convert(loads(text, strict=False), "ggf").diagnostics

    assert {one.message.partition(" (")[0] for one in found if one.code in {"C706", "C720"}} == {
        "FF accepts one value: [5] is left out",
        "CA accepts one value: [b] is left out",
        "GM accepts one value: [3] is left out",
        "PL accepts one value: [x] is left out",
        "PB occurs twice; PB[b] is left out",
        "B accepts one value: [c4] is left out",
        "V accepts one value: [2] is left out",
        "V occurs twice; V[2] is left out",
    }
    assert "GGF cannot express AB[d4][zz][e5]" in {one.message for one in found}


@pytest.mark.parametrize("validate", [True, False])
def test_a_conversion_finds_what_it_leaves_out_in_the_text(*, validate: bool) -> None:
    text = "a(;FF[3]GM[1]b;B[aa]c LB[aa:1] d LB[bb:2](;W[bb]e))f(;FF[3]GM[1]SZ)g"
    read = loads(text, strict=False, validate=validate)
    draft = read[0].edit()
    draft.set(1, "N", "new")

    for source in (read, read.replace(0, draft.done())):
        found = [one for one in convert(source, "ff4").diagnostics if one.code == "C752"]
        assert [text[one.offset : one.end_offset] for one in found] == [
            *("a", "b", "c", "d", "e", "f", "SZ", "g")
        ]
        assert [one.game for one in found] == [None, 0, 0, 0, 0, None, 1, None]


def test_the_parts_of_a_split_are_all_of_the_text() -> None:
    head = "head " + CUT + " tail\n"

    for text in (CUT, head):
        parts = [dumps(part) for part in loads(text, strict=False).split()]
        assert len(parts) == 2
        assert "".join(parts) == text
        assert "hello" in parts[0]


def test_the_number_of_games_of_a_match_is_of_no_part() -> None:
    text = "1 (;GM[Othello]PB[a];) 2 (;GM[Othello]PB[b];)(;GM[Othello]PB[c];)\n"

    assert [dumps(part).strip() for part in loads(text, strict=False).split()] == [
        *("(;GM[Othello]PB[a];)", "(;GM[Othello]PB[b];)", "(;GM[Othello]PB[c];)")
    ]


def test_a_conversion_of_a_part_reports_its_own_text_only() -> None:
    first, second = loads("a(;FF[3]GM[1])b(;FF[3]GM[1])c", strict=False).split()

    assert [
        [one.message[:3] for one in convert(part, "ff4").diagnostics if one.code == "C752"]
        for part in (first, second)
    ] == [["'a'", "'b'"], ["'c'"]]


#: What is before it may be a name.
BRACKET = re.compile(r"\s*\[")


@pytest.mark.both_lanes
def test_every_text_is_in_the_conversion_or_reported() -> None:
    converted = 0
    for source in damaged():
        if not source.games or source[0].format is Format.GGF:
            continue
        found = re.finditer(r"[^\W_]+", masked(source.text))
        words = [word[0] for word in found if not BRACKET.match(source.text, word.end())]
        for to in ("ff1", "ff3", "ff4", "ggf"):
            try:
                result = convert(source, to)
                text = dumps(result)
            except (SgfConversionError, UnwritableError):
                continue
            converted += 1
            said = [one for one in result.diagnostics if one.code != "C701"]
            kept = [text, *(source.text[one.offset : one.end_offset] for one in said)]
            assert [word for word in words if not any(word in one for one in kept)] == []
    assert converted > 5


@pytest.mark.both_lanes
def test_every_letter_is_in_a_part_of_the_split() -> None:
    for source in damaged():
        if source.games and source[0].format is not Format.GGF:
            # A part whose text would be read otherwise alone has its stray text before its node's.
            assert sorted(letters(map(dumps, source.split()))) == sorted(letters([source.text]))


#: A name before a value, and a value, of SGF.
TOKEN = re.compile(r"(?s)(?:[A-Za-z][A-Za-z0-9]*(?=\s*\[))|(?P<value>\[(?:[^\]\\]|\\.)*+\]?)")


@pytest.mark.both_lanes
def test_every_letter_of_a_value_is_in_the_json_or_reported() -> None:
    for source in damaged():
        if not source.games or source[0].format is Format.GGF:
            continue
        text, done, rest = source.text, 0, ""
        said = [one for one in source.diagnostics if one.code in LEFT_OUT]
        ends = [(one.offset, one.end_offset) for one in said]
        for start, end in sorted([*ends, (len(text), len(text))]):
            rest += TOKEN.sub(lambda match: match["value"] or " ", text[done : max(start, done)])
            done = max(done, end)
        try:
            games = json.loads(source.model_dump_json())["games"]
        except UnwritableError:
            continue  # it says why
        nodes = [node for game in games for node in game["nodes"]]
        raws = [raw for node in nodes for prop in node["properties"] for raw in prop["raw"]]
        assert letters(raws) == letters([rest])
