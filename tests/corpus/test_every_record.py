"""Real game records: each is loaded once, and everything that is said of records is said of it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from corpus import (
    checking,
    converting,
    dropping,
    fixing,
    merging,
    picturing,
    reading,
    sgfmill,
    showing,
    streaming,
    turning,
    writing,
)
from support.corpus import SENTENCES, Sentence, loaded, names, record
from support.of_sgfmill import REFUSED_BY_SGFMILL
from support.together import together

#: The records are tested in so many parts, so that several processes share them.
DAY_PARTS, NIGHT_PARTS = 8, 96

#: Where the sentences stand: importing them notes them.
MODULES = (
    *(checking, converting, dropping, fixing, merging, picturing, reading, sgfmill),
    *(showing, streaming, turning, writing),
)


def said_of(which: str, *, night: bool) -> list[Sentence]:
    """The sentences for one record that one lane tests."""
    return [one for one in SENTENCES if not one.but(which) and one.night(which) is night]


def say(records: Iterable[str], *, night: bool) -> None:
    """Load each record once, and say everything of it; what is not true is told together."""
    with together() as each:
        for which in records:
            if sentences := said_of(which, night=night):
                collection = loaded(which)
                for one in sentences:
                    with each(f"{which}: {one.says.__name__}"):
                        one.says(which, collection)


def test_every_module_says_something() -> None:
    assert {one.says.__module__ for one in SENTENCES} == {one.__name__ for one in MODULES}


def test_what_is_not_true_is_told_with_the_record_and_the_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record("")

    def it_is_never_true(_: str, collection: object) -> None:
        assert collection is None

    wrong = Sentence(it_is_never_true, lambda _: False, lambda _: False)
    monkeypatch.setitem(globals(), "SENTENCES", [wrong, wrong])
    with pytest.raises(BaseExceptionGroup, match="2 fail") as caught:
        say(names()[:1], night=False)

    assert [one.__notes__ for one in caught.value.exceptions] == [
        [f"Of: {names()[0]}: it_is_never_true"]
    ] * 2


@pytest.mark.no_cover
@pytest.mark.parametrize("part", range(DAY_PARTS))
def test_what_is_said_of_records_is_true(part: int) -> None:
    record("")  # skipped without a corpus
    say(names()[part::DAY_PARTS], night=False)


@pytest.mark.night
@pytest.mark.no_cover
@pytest.mark.parametrize("part", range(NIGHT_PARTS))
def test_what_only_the_night_says_of_records_is_true(part: int) -> None:
    record("")  # skipped without a corpus
    say(names()[part::NIGHT_PARTS], night=True)


def test_tables_of_records_name_only_files_that_there_are() -> None:
    record("")
    known = {*names()}

    assert {*reading.REFUSED} <= known
    assert {*sgfmill.OTHER_TREES, *REFUSED_BY_SGFMILL} <= known
    assert {one for one, *_ in sgfmill.OTHER_VALUES} <= known
    assert known >= checking.WRONG_SIGN
