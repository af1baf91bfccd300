"""Broken records of the corpus: the whole report of each, as somebody read and judged it.

``broken.txt`` has a line for each finding: file, line, column and code, none of the records'
own text.  Files without a line are those in which nothing is found.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.corpus import names, record

from sgf_lark import check

FOLDER = "broken"


def expected() -> dict[str, list[str]]:
    """The reports by file: ``line:column CODE``."""
    found: dict[str, list[str]] = {}
    text = (Path(__file__).parent / "broken.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        name, _, finding = line.partition(" ")
        found.setdefault(name, []).extend([finding] if finding else [])
    return found


EXPECTED = expected()


@pytest.mark.parametrize("name", EXPECTED)
def test_a_broken_record_has_the_report_that_was_judged_right(name: str) -> None:
    report = check(record(f"{FOLDER}/{name}"))

    assert [f"{one.line}:{one.column} {one.code}" for one in report] == EXPECTED[name]


def test_every_broken_record_was_judged() -> None:
    broken = {name.removeprefix(f"{FOLDER}/") for name in names() if name.startswith(FOLDER + "/")}

    assert broken <= {*EXPECTED}


def test_no_finding_stands_twice() -> None:
    for name, findings in EXPECTED.items():
        assert len(set(findings)) == len(findings), name
