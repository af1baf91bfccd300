"""Dates as people write them have the days that a reader gives them."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from sgf_lark.archive.rows.game_facts import DateSpan, find_days
from sgf_lark.values.corrections import possible_days

DATES = Path(__file__).with_name("dates.tsv")


def judged() -> list[Any]:
    """Return texts of dates with the first and the last day that a reader would give."""
    with DATES.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return [
        pytest.param(row["text"], DateSpan(_day(row["first"]), _day(row["last"])), id=row["text"])
        for row in rows
    ]


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


@pytest.mark.parametrize(("text", "span"), judged())
def test_a_text_has_the_days_that_a_reader_would_give_it(text: str, span: DateSpan) -> None:
    assert find_days(possible_days(text)) == span


def test_a_hundred_texts_are_judged() -> None:
    assert len({param.values[0] for param in judged()}) == 100
