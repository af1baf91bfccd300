"""A step of a conversion changes what it is for, and leaves the rest as it was, without a note."""

from __future__ import annotations

import pytest
from support.tables import table
from support.together import together

import sgf_lark
from sgf_lark import Diagnostic, SgfConversionError, convert, dumps
from sgf_lark.core.schema.formats import FormatName

#: A record, the format, the codes of the notes but that on FF, GM and CA, and what is written.
CASES = table("convert/guards.jsonl")

#: Written there as BO8.
BOARD = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"


def codes(notes: tuple[Diagnostic, ...]) -> str:
    return " ".join(note.code for note in notes if note.code != "C701")


@pytest.mark.parametrize("kind", ["silent", "noted"])
def test_what_is_changed_has_a_note_and_nothing_else_has(kind: str) -> None:
    with together() as each:
        for text, to, noted, after in CASES[kind]:
            with each(f"{text} to {to}"):
                made = convert(sgf_lark.loads(text.replace("BO8", BOARD), strict=False), to)

                assert codes(made.diagnostics) == noted
                assert dumps(made, style="compact").strip() == after.replace("BO8", BOARD)


def test_what_the_format_cannot_express_is_dropped_for_who_asks() -> None:
    with together() as each:
        for text, to, noted, after in CASES["dropped"]:
            with each(f"{text} to {to}"):
                record = sgf_lark.loads(text.replace("BO8", BOARD), strict=False)
                made = convert(record, to, lossy="drop")

                assert codes(made.diagnostics) == noted
                assert dumps(made, style="compact").strip() == after


def test_what_the_format_cannot_hold_is_refused() -> None:
    with together() as each:
        for text, to, noted, _ in CASES["refused"]:
            with each(f"{text} to {to}"):
                with pytest.raises(SgfConversionError) as refused:
                    convert(sgf_lark.loads(text, strict=False), to)
                assert codes(refused.value.report.errors) == noted


def test_a_record_that_is_not_changed_is_the_same_object() -> None:
    for text in (
        *("(;FF[4]GM[1]SZ[9]AB[aa:bb])", "(;FF[4])(;FF[4]GM[1])"),
        *("(;FF[4]GM[1];R[aa])", "(;FF[4]GM[21]SZ[24];W[ab])"),
    ):
        collection = sgf_lark.loads(text, strict=False)

        assert convert(collection, "ff4") is collection
        assert convert(collection[0], "ff4") is collection[0]


@pytest.mark.parametrize(
    ("text", "to", "said", "advice"),
    [
        # what is declared, and by which property of the record it was before
        ("(;FF[3]GM[1]CA[UTF-8])", "ff4", "FF info: FF[3] is now FF[4]; ... FF[4]", ""),
        ("(;GM[1]SZ[9];B[aa])", "ff4", "GM info: FF[1] is now FF[4]; ... FF[4]CA[UTF-8]", ""),
        ("(;SZ[9];B[aa])", "ff4", "None info: FF[1] is now FF[4]; ... FF[4]GM[1]CA[UTF-8]", ""),
        ("(;FF[3]CA[x])", "ff4", "FF info: FF[3] is now FF[4]; ... FF[4]GM[1]CA[UTF-8]", ""),
        # what becomes empty has said something; of several values the wrong ones are shown, or all
        ("(;FF[3]GM[1];B[aa]KO[1])", "ff4", "KO warning: KO[1] is now KO[]", ""),
        ("(;FF[3]GM[1]KM[6,5])", "ff4", "KM info: KM[6,5] is now KM[6.5]", ""),
        ("(;FF[3]AB[aa][x])", "ff4", "AB warning: invalid AB[x] is kept", "correct it by hand"),
        ("(;FF[4]AB[aa][x])", "ff3", "AB warning: invalid AB[aa][x] is kept", ""),
        # an emphasis that is lost, no handicap, and stones that are not known
        ("(;FF[3];B[aa]TE[1]BM[1])", "ff4", "BM info: TE[1] before BM[1] is now IT[]", ""),
        (
            *("(;FF[3];B[aa]TE[1]BM[2])", "ff4"),
            *("BM warning: TE[1] before BM[2] is now IT[]; the emphasis is lost", ""),
        ),
        ("(;FF[3]GM[1]HA[0])", "ff4", "HA info: HA[0] is kept", ""),
        ("(;FF[3]GM[1]HA[1])", "ff4", "HA warning: HA[1] is kept", ""),
        ("(;FF[1]GM[1]SZ[9]M[aa])", "ff4", "M info: M[aa] is now MA[aa]", ""),
        (
            *("(;FF[1]GM[1]SZ[60]M[aa])", "ff4"),
            *("M warning: M[aa] is now MA[aa]; the stones on the board are unknown", ""),
        ),
        (
            *("(;FF[1]GM[4]SZ[9]M[aa])", "ff3"),
            *("M warning: M[aa] is now MA[aa], as if all points were empty", ""),
        ),
        ("(;FF[1]L[aa])", "ff4", "L info: L[aa] is now LB[aa:A]", ""),
    ],
)
def test_a_note_says_what_becomes_of_which_property(
    text: str, to: FormatName, said: str, advice: str
) -> None:
    notes = convert(sgf_lark.loads(text, strict=False), to).diagnostics
    note = next((one for one in notes if one.code != "C701"), notes[0])
    message = (
        note.message.replace("the first node declares", "...")
        .partition("; FF[4] expects a")[0]
        .partition("; FF[3] expects a")[0]
    )

    assert f"{note.property} {note.severity}: {message}" == said
    assert note.help == advice


def test_a_first_node_is_not_taken_for_a_move_that_was_converted_before() -> None:
    made = [convert(sgf_lark.loads(text), "ff3") for text in ("(;B[aa];B[bb])", "(;B[bb])")]

    assert [dumps(one, style="compact").strip() for one in made] == [
        "(;FF[3]GM[1]B[aa];B[bb])",
        "(;FF[3]GM[1]B[bb])",
    ]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("(;FF[4]PB[Müller])", "iso-8859-1"),
        ("(;FF[4]PB[Lee]C[x]ZZ[Müller])", "iso-8859-1"),
        ("(;FF[4]PB[古力])", "utf-8"),
        ("(;FF[4]CA[UTF-8]PB[Lee])", "utf-8"),
    ],
)
def test_an_old_format_without_ca_is_latin_1_if_that_has_the_characters(
    text: str, encoding: str
) -> None:
    made = convert(sgf_lark.loads(text.encode()), "ff3")

    assert (made.encoding or "").lower() == encoding
