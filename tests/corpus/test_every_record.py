"""Real game records: each is loaded once, and everything that is said of records is said of it."""

from __future__ import annotations

import pytest
from corpus import checking, converting, fixing, reading, sgfmill, streaming, writing
from support.corpus import SENTENCES, Sentence, every_record, loaded, names, record

#: Where the sentences stand: importing them notes them.
MODULES = (checking, converting, fixing, reading, sgfmill, streaming, writing)


def said_of(which: str, *, night: bool) -> list[Sentence]:
    """The sentences for one record that one lane tests."""
    return [one for one in SENTENCES if not one.but(which) and one.night(which) is night]


def say(which: str, *, night: bool) -> None:
    """Load a record, and say everything of it; what is not true is told together."""
    collection = loaded(which)
    wrong: list[BaseException] = []
    for one in said_of(which, night=night):
        try:
            one.says(which, collection)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # is raised below
            error.add_note(f"{which}: {one.says.__name__}")
            wrong.append(error)
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        raise BaseExceptionGroup(f"{which}: {len(wrong)} sentences are not true", wrong)


def test_every_module_says_something() -> None:
    assert {one.says.__module__ for one in SENTENCES} == {one.__name__ for one in MODULES}


@pytest.mark.no_cover
@every_record(lambda which: not said_of(which, night=False))
def test_what_is_said_of_records_is_true(which: str) -> None:
    say(which, night=False)


@pytest.mark.night
@pytest.mark.no_cover
@every_record(lambda which: not said_of(which, night=True))
def test_what_only_the_night_says_of_records_is_true(which: str) -> None:
    say(which, night=True)


def test_tables_of_records_name_only_files_that_there_are() -> None:
    record("")
    known = {*names()}

    assert {*reading.REFUSED} <= known
    assert {*sgfmill.OTHER_TREES, *sgfmill.REFUSED_BY_SGFMILL} <= known
    assert {one for one, *_ in sgfmill.OTHER_VALUES} <= known
    assert known >= checking.WRONG_SIGN
