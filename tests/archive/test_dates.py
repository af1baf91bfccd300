"""Dates as people write them have the days that a reader gives them."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

from sgf_lark.archive.rows.game_rows import DateSpan, find_days
from sgf_lark.core.values.corrections import possible_days

DATES = Path(__file__).with_name("dates.tsv")


def judged() -> dict[str, DateSpan]:
    """Return texts of dates with the first and the last day that a reader would give."""
    with DATES.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return {row["text"]: DateSpan(_day(row["first"]), _day(row["last"])) for row in rows}


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


def test_texts_have_the_days_that_a_reader_would_give_them() -> None:
    expected = judged()

    assert expected
    assert {text: find_days(possible_days(text)) for text in expected} == expected
