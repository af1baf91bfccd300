"""What is true of every real game record that is fixed."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from support.corpus import large, large_or_alike, long_or_like_others, record, true_of_records
from support.fixing import check_fixed

import sgf_lark
from sgf_lark.core.api.fix import fix_record

if TYPE_CHECKING:
    from sgf_lark import Collection


def words(data: bytes) -> Counter[str]:
    """The words of all values of a file."""
    found: Counter[str] = Counter()
    for game in sgf_lark.loads(data, strict=False):
        for node in game.walk():
            for one in node.properties:
                found.update(re.findall(r"[^\W\d]{3,}", " ".join(one.raw).lower()))
    return found


@true_of_records(but=lambda which: large(which) or len(which) % 4 > 0)
def safe_fixes_lose_no_word(which: str, _: Collection) -> None:
    data = record(which).read_bytes()
    result = fix_record(data)
    respelled = sum(one.code in {"V301", "V304", "V305"} for one in result.made)

    assert fix_record(result.data).data == result.data
    assert sum((words(data) - words(result.data)).values()) <= 3 * respelled


@true_of_records(but=large_or_alike, night=long_or_like_others)
def no_fix_harms_it(which: str, _: Collection) -> None:
    check_fixed(record(which).read_bytes())
