"""Mutated records through all that changes records; and the judges of that see what is wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from support import storm
from support.corpus import record
from support.damage import changed_record
from support.fixing import Round, check_fixed
from support.storm import CHECKS, RECORDS, Result, run_check, run_text, smaller, text_of
from support.writing import written

import sgf_lark

#: Texts of one test by night.
BATCH = 12

RECORD = (
    b"(;FF[4]GM[1]SZ[9]CA[UTF-8]PB[Aoki]KM[6,5]C[Two words];B[aa]C[a note](;W[bb])(;W[cc]C[here]))"
)


def say(results: list[Result]) -> None:
    failures = [f"{one.check} {one.number}: {one.failure} {one.data!r}" for one in results]
    wrong = [text for one, text in zip(results, failures, strict=True) if one.failure]
    assert not wrong, "\n".join(wrong)


@pytest.mark.no_cover
def test_all_holds_for_some_mutated_records() -> None:
    """By day of the records of the tests, so that no corpus is needed."""
    say([one for number in range(5) for one in run_text(1, RECORDS, tuple(CHECKS), number)])


@pytest.mark.night
@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(4))
def test_all_holds_for_mutated_records_of_the_corpus(batch: int) -> None:
    where = record("")
    numbers = range(batch * BATCH, (batch + 1) * BATCH)
    say([one for number in numbers for one in run_text(23, where, tuple(CHECKS), number)])


# ---- the storm itself ----


def test_the_same_seed_gives_the_same_texts() -> None:
    assert [text_of(number, 7, RECORDS) for number in range(20)] == [
        text_of(number, 7, RECORDS) for number in range(20)
    ]
    assert len({text_of(number, 7, RECORDS) for number in range(20)}) == 20


def test_a_record_changes_by_each_mutation_but_few() -> None:
    dice = random.Random(1)  # noqa: S311  # a fixed seed

    assert sum(changed_record(RECORD, dice) == RECORD for _ in range(300)) < 60


@pytest.mark.parametrize("check", CHECKS)
def test_an_ordinary_record_holds(check: str) -> None:
    assert run_check(check, RECORD, 1).failure == ""


@pytest.mark.parametrize(
    ("check", "number", "data"),
    [
        ("fix", 1, b"(;PB[a\x000]"),  # the words are one without the NUL
        ("fix", 1, b"(;FF[4]N[LibraryAW[ac][bc])"),  # a bracket parts a word from a name
        ("fix", 1, b"(;FF[4]C[a [1] b 4LB[aa:x]. c])"),  # and what is no name is one word
        ("fix", 1, b"(C[\xe2\xf2\xcfj\xdd\xb0\xf0"),
        ("fix", 1, b"(;FF[4]CA[UTF-8]AP)SZ[9]\nPL[W])"),
        ("fix", 1, b"(;S\x81"),
        ("fix", 1, b"(;FF[4]AP[xST[2]\nRU[a])"),
        ("fmt", 6533, b"(;F[]CA[GS[000000.000000 0.000000 032 0 0 0 0 -inf -inf -inf -inf])"),
        ("fmt", 8769, b"\xef\xbb\xbf\xef\xbb\xbf(;F[\xef\xbf\xab])"),
        ("convert", 1475, b"(;CA[UTF]B[\xe2\x80\x99\xe2\x80\x99\xaf"),  # it gets a CA again
        ("convert", 1, b"(;(;FF[])C["),
        ("convert", 1, b"(;CA[](;FF["),
        ("convert", 1, b"(E[];FF[](;GM"),
        ("convert", 2990, b"(;FF[4]GM[2](;B[d3])(;C[x];C[R](;C[u])(;C[v])))"),  # all of it
        ("convert", 3856, b"(;;W[]TE[]][i]BM["),
        ("draft", 4846, b"(;;;W[\\"),  # the end cuts off half of an escape
        ("draft", 5574, b"(;F[(C[][]))"),  # the value has the other bracket
    ],
)
def test_what_is_kept_is_no_failure(check: str, number: int, data: bytes) -> None:
    assert run_check(check, data, number).failure == ""


def test_a_game_that_stays_as_it_is_declares_the_encoding_of_those_converted() -> None:
    data = "(;FF[4]GM[1]C[的断黑不怕])(;FF[3]GM[1]C[位顶后])".encode("gb18030")

    made = sgf_lark.convert(sgf_lark.loads(data), "ff4")

    assert written(made).count(b"CA[UTF-8]") == 2
    assert run_check("convert", data, 1).failure == ""


def lossy(function: Callable[..., Any], old: str, new: str) -> Callable[..., Any]:
    """A function of a record whose result has another text."""

    def changed(source: Any, *args: Any, **options: Any) -> Any:
        made = function(source, *args, **options)
        if isinstance(made, bytes):
            return made.replace(old.encode(), new.encode())
        text = sgf_lark.dumps(made).replace(old, new)
        return sgf_lark.loads(text, strict=False).model_copy(update={"diagnostics": ()})

    return changed


@pytest.mark.parametrize(
    ("check", "name", "old", "new", "failure"),
    [
        ("fmt", "format_record", "[Two", "[2", "fmt changes letters of texts"),
        ("fmt", "format_record", "[bb]", "[bc]", "sgfmill reads other values after fmt"),
        ("fmt", "format_record", "W[cc]", "W[yy]", "fmt makes findings G603"),
        ("convert", "convert", "note", "", "ff1 loses letters without a finding"),
        ("convert", "convert", "FF[1]", "FF[3]", "the format after ff1 is another"),
    ],
)
def test_what_is_lost_is_seen(
    monkeypatch: pytest.MonkeyPatch, check: str, name: str, old: str, new: str, failure: str
) -> None:
    monkeypatch.setattr(sgf_lark, name, lossy(getattr(sgf_lark, name), old, new))

    assert run_check(check, RECORD, 1).failure == failure


def test_words_that_a_fix_loses_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def fix(data: bytes) -> dict[bool, list[Round]]:
        (made,) = check_fixed(data)[False]
        after = made.after._replace(data=made.after.data.replace(b"note", b""))
        return {False: [made._replace(after=after)]}

    monkeypatch.setattr(storm, "check_fixed", fix)

    assert run_check("fix", RECORD, 1).failure == "safe fixes lose words without a word"


def test_what_is_raised_is_a_failure_unless_it_is_documented(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise ValueError

    def fall(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr(sgf_lark, "merge", refuse)
    assert run_check("merge", RECORD, 1).failure == ""
    monkeypatch.setattr(sgf_lark, "merge", fall)
    assert run_check("merge", RECORD, 1).failure.startswith("KeyError at ")


def test_what_never_ends_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(storm, "MAX_SECONDS", 0.05)
    monkeypatch.setitem(CHECKS, "merge", hang)

    assert run_check("merge", RECORD, 1).failure == "more than 0.05 s"


def test_a_failure_is_shown_by_a_small_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def mind(data: bytes, *_: object) -> None:
        storm.hold(b"C[a note" not in data, "has a note")

    monkeypatch.setitem(CHECKS, "read", mind)

    assert smaller(run_check("read", RECORD, 1)) == b"C[a note"
