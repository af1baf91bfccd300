"""What a fix does to a record: a safe one keeps its meaning, no other drops anything unsaid."""

from __future__ import annotations

import io
import os
import random
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from support.corpus import names, record
from support.examples import right_examples, wrong_examples
from support.fixing import check_fixed, grows, unnamed
from support.lanes import amount
from support.tables import table
from support.together import together

import sgf_lark
from sgf_lark.core.api.fix import apart, apply_fixes, fix_record
from sgf_lark.core.findings.catalogue import catalogue
from sgf_lark.core.findings.diagnostic import Edit
from sgf_lark.core.fix.place import FIXERS, Place
from sgf_lark.core.fix.safeguard import keeps_meaning, losses, removed
from sgf_lark.core.schema.formats import Format, FormatName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgf_lark import Diagnostic

#: So many mutated texts.
MUTANTS = amount(15, 100, "SGF_LARK_MUTANTS")

#: Where chance begins.
SEED = int(os.environ.get("SGF_LARK_SEED", "1"))


def harm(data: bytes, one: Diagnostic) -> str:
    """Make one fix, whatever the safeguard says, and return the harm it does."""
    assert one.fix is not None
    assert one.help.startswith(one.fix.message), "help is the title of the fix; a note may follow"
    if one.fix.encoding is not None:
        return ""
    source = sgf_lark.loads(data, strict=False)
    before = source.games
    new = apply_fixes(data, None, [one])
    after = sgf_lark.loads(new, strict=False).games
    if one.fix.safe and not keeps_meaning(before, after):
        return f"safe, and it changes the meaning: {new!r}"
    cut = one.fix.edits if one.fix.removes else ()
    if not one.fix.safe and (lost := losses(before, after, cut)):
        return f"it loses {lost} and does not say so: {new!r}"
    return unnamed(source.text, before, one.fix)


def convicted(data: bytes, format_: Format | FormatName | None = None) -> list[str]:
    """Return the fixes of a text that do harm, and what they do."""
    report = sgf_lark.check(io.BytesIO(data), format=format_)
    return [
        f"{one.code} {one.fix.message}: {said}  in {data!r}"
        for one in report
        if one.fix is not None and (said := harm(data, one))
    ]


def test_no_fix_of_an_example_does_harm() -> None:
    with together() as each:
        for code, entry in catalogue().items():
            if entry.rule.group in {"conversion", "laboratory"}:
                continue
            for example in (*wrong_examples(entry), *right_examples(entry)):
                with each(f"{code} {example!r}"):
                    data = example.encode() if isinstance(example, str) else example
                    format_ = Format.named(entry.format) if entry.format else None
                    assert convicted(data, format_) == []


@pytest.mark.night
def test_no_fix_that_is_tested_does_harm() -> None:
    with together() as each:
        for text, *_ in chain(*table("fix/fixes.jsonl").values()):
            with each(text):
                assert convicted(text.encode()) == []


@pytest.mark.parametrize("digits", [36, 60])
@pytest.mark.parametrize("text", ["(;FF[4][{}])", "(;FF[4]HA[{}])", "(;FF[4]HA[{}1]AB[dd];W[pp])"])
def test_a_fix_quotes_forty_characters_of_each_value_that_it_removes(
    text: str, digits: int
) -> None:
    assert convicted(text.format("0" * digits).encode()) == []


# ---- mutated texts ----

PIECES = (
    "(", ")", ";", "]", "[", "\\", ":", "\n", " ", "(;", ";B[aa]", ";W[bb]", "W[ bb ]", "B[tt]",
    "AB[aa][aa]", "AB[bb", "AW[bb:aa]", "AE[cc]", "AB[aa][bb][cc]", "AW[dd]AB[pp]AW[qq]",
    "B[pb][oc]", "C[x]", "C[]", "C[one ] two]", "KM[6,5]", "KM[375]", "b[cc]", "AP[X]", "SZ[19:19]",
    "SZ[9]", "FF[4]", "FF[3]", "GM[1]", "GM[2]", "PB[a\nb]", "PB[x]", "PW[y]", "VW[]", "TE[1]",
    "BM[1]", "DT[1.5.96]", "DT[27 May 1996]", "LB", "LB[aa:b:c]", "LB[aa]", "RE[b+1]", "B[]",
    "CA[UTF-8]", "CA[x]", "CA[ISO-8859-5]", "PL[W]", "PL[white]", "HA[0]", "HA[2]", "CoMment[é]",
    "TR[aa]MA[aa]", "TB[aa][aa]", "AR[aa:aa]", "DO[]", "N[a\r\nb]", "B[Q16]", "W[d4]", "Baa",
    "FG[257]", "TM[1h]", "KO[]", "MN[1]MN[2]", "()", ";;", "BR\\[9\\]",
)  # fmt: skip
RECORDS = (
    "(;FF[4]GM[1]SZ[19]PB[Aoki]PW[Sato]KM[6.5];B[pd];W[dp]C[good](;B[pp];W[dd])(;B[cc]))",
    "(;FF[4]CA[UTF-8]GM[1]SZ[9]AB[cc][gg]AW[gc]PL[W];W[cg]LB[aa:a][bb:b];B[ee]N[x])",
    "(;GM[1]SZ[19]EV[x];B[aa];W[bb])(;FF[3]GM[1];B[aa]M[bb];W[tt])",
    "(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5];B[f5];W[d6]C[a\\]b])",
)


def mutants(number: int) -> Iterator[bytes]:
    """Texts in which something is put in, left out or doubled, always the same ones."""
    dice = random.Random(SEED)  # noqa: S311  # chance, not secrets
    of_corpus = [one for one in names() if record(one).stat().st_size < 1500]
    for _ in range(number):
        text = dice.choice(RECORDS)
        if of_corpus and dice.random() < 0.4:
            text = record(dice.choice(of_corpus)).read_bytes().decode("latin-1")
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(text) + 1)
            gone = dice.choice([0, 0, 0, 1, 1, 2, 8])
            text = text[:at] + dice.choice([*PIECES, ""]) + text[at + gone :]
        yield text.encode(dice.choice(["utf-8", "latin-1"]))


@pytest.mark.both_lanes
def test_no_mutated_text_is_harmed_by_its_fixes() -> None:
    for data in mutants(MUTANTS):
        check_fixed(data)


@pytest.mark.both_lanes
def test_no_fix_of_a_mutated_text_does_harm_when_it_is_made_alone() -> None:
    for data in mutants(MUTANTS):
        assert convicted(data) == []


# ---- the safeguard itself ----


def games(text: str) -> tuple[sgf_lark.GameTree, ...]:
    return sgf_lark.loads(text, strict=False).games


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(;FF[4]C[a b])", "(;FF[4]C[a])"),
        ("(;FF[4]KM[5])", "(;FF[4]KM[6])"),
        ("(;FF[4];B[aa];W[bb])", "(;FF[4];W[bb];B[aa])"),
        ("(;FF[4];B[aa];W[bb])", "(;FF[4];B[aa])"),
        ("(;FF[4];B[aa](;W[bb])(;W[cc]))", "(;FF[4];B[aa];W[bb](;W[cc]))"),
        ("(;FF[4]AB[aa][bb])", "(;FF[4]AB[aa])"),
        ("(;FF[4];AB[aa])", "(;FF[4];B[aa])"),
        ("(;FF[4]PB[x];B[aa]PB[y])", "(;FF[4]PB[x];B[aa])"),
        ("(;FF[4])(;FF[4])", "(;FF[4])"),
        ("(;FF[4]XX[a][b])", "(;FF[4]XX[a])"),
        ("(;FF[4];B[aa]C[x])", "(;FF[4];B[aa];C[x])"),
        ("(;FF[4]CA[UTF-8];B[aa])", "(;FF[4];B[aa])"),
    ],
)
def test_the_safeguard_sees_what_changes_the_meaning(before: str, after: str) -> None:
    assert not keeps_meaning(games(before), games(after))


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ("(;FF[4];B[aa];W[bb])", "(;FF[4];B[aa])", 1),
        ("(;FF[4];B[pb][oc]AW[ob])", "(;FF[4];B[pb]AW[ob])", 1),
        ("(;FF[4];B[pb][oc]AW[ob])", "(;FF[4];AB[pb][oc]AW[ob])", 0),
        ("(;FF[4]C[one two])", "(;FF[4]C[one])", 1),
        ("(;FF[4]C[one]N[one])", "(;FF[4]C[one])", 0),
        ("(;FF[4];B[Q16];W[dd])", "(;FF[4];B[pd];W[dd])", 0),
        ("(;FF[4];B[Q16];W[dd])", "(;FF[4];W[dd])", 1),
        ("(;FF[4]KM[6])", "(;FF[4])", 1),
    ],
)
def test_the_safeguard_sees_what_is_lost(before: str, after: str, lost: int) -> None:
    assert len(losses(games(before), games(after))) == lost


def test_what_a_fix_cuts_besides_what_it_names_is_a_loss() -> None:
    before, after = games("(;FF[4];B[aa]C[x];W[bb])"), games("(;FF[4];W[bb])")
    text = "(;FF[4];B[aa]C[x];W[bb])"
    of_move = Edit(offset=8, end_offset=13, replacement="")
    of_both = Edit(offset=7, end_offset=17, replacement="")
    assert (text[8:13], text[7:17]) == ("B[aa]", ";B[aa]C[x]")

    assert losses(before, after, [of_move]) == ["x"]
    assert losses(before, after, [of_both]) == []
    assert [str(one) for _, one in removed(before, [of_both])] == ["B[aa]", "C[x]"]


def test_a_fix_that_does_harm_is_not_made_and_remains(monkeypatch: pytest.MonkeyPatch) -> None:

    def harms(place: Place) -> sgf_lark.Fix:
        span = place.span(place.at[1])
        edit = Edit(offset=span.start, end_offset=span.end, replacement="")
        return sgf_lark.Fix(message="tidy up", safe=True, edits=(edit,))

    monkeypatch.setitem(FIXERS, "swapped-corners", harms)
    result = fix_record(b"(;FF[4]GM[1]SZ[19]KM[6,5];AB[bb:aa];AW[dd:cc])")

    assert result.data == b"(;FF[4]GM[1]SZ[19]KM[6.5];AB[bb:aa];AW[dd:cc])"
    assert [one.name for one in result.made] == ["wrong-value"]
    assert [one.name for one in result.remaining] == ["swapped-corners"] * 2
    assert apart(result.remaining)


def test_a_fix_that_gives_way_to_other_findings_is_not_made() -> None:
    """A line break that becomes a blank makes what follows look like swallowed properties."""
    text = b"(;FF[4]GM[1]SZ[19]PW[x\nBR\\[9\\]WR\\[a\\]];B[aa])"
    before = sgf_lark.check(io.BytesIO(text))

    assert not grows(before, sgf_lark.check(io.BytesIO(fix_record(text).data)))


@pytest.mark.parametrize("many", [25, pytest.param(300, marks=pytest.mark.night)])
def test_many_fixes_that_do_harm_are_left_out_in_time(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:

    def harms(place: Place) -> sgf_lark.Fix:
        span = place.span(place.at[1])
        edit = Edit(offset=span.start, end_offset=span.end, replacement="")
        return sgf_lark.Fix(message="tidy up", safe=True, edits=(edit,))

    monkeypatch.setitem(FIXERS, "swapped-corners", harms)
    text = b"(;FF[4]GM[1]SZ[19]" + b";AE[bb:aa]" * many + b")"

    assert fix_record(text).data == text


def test_the_same_nodes_of_another_format_mean_something_else() -> None:
    newer, older = (
        sgf_lark.loads("(;C[a])", strict=False, format=Format(name)).games
        for name in ("FF4", "FF3")
    )

    assert keeps_meaning(newer, newer)
    assert not keeps_meaning(newer, older)
