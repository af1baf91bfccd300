"""A new layout has no findings that the old one has not."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from support.damage import mutated_record
from support.places import RECORDS

import sgf_lark
from sgf_lark import SgfSyntaxError
from sgf_lark.core.api.format import ChangedError


def new_findings(data: bytes, **layout: int) -> Counter[str]:
    """Return how many more findings of each code a file has after a new layout."""
    new = sgf_lark.format_record(data, **layout)  # type: ignore[arg-type]  # options of one type
    before, after = (sgf_lark.check(io.BytesIO(one)) for one in (data, new))
    return Counter(one.code for one in after) - Counter(one.code for one in before)


@pytest.mark.parametrize("layout", [{}, {"compress": True}, {"width": 20}], ids=str)
@pytest.mark.parametrize(
    "text",
    [
        r"(;FF[4]GM[1]SZ[9]PB[ab]BR[9x\nWR\[9x]C[a])",
        "(;FF[4]GM[1]SZ[9]PB[ab]BR[9x\nWR\\[9x]C[a])",
        "(;FF[4]GM[1]SZ[9]PB[ab]BR[9x W\\\nR[9x]C[a])",
        "(;FF[4]GM[1]SZ[9]LB[ba:\\[bb:B])",
        "(;FF[4]GM[1]SZ[9];LB[ca:][da:[ca:][da:]N[a])",
        "(;FF[3]GM[1]SZ[9]ABC[]B[bb]AB[bb])",
        "(;FF[3]GM[1]SZ[9];B[bb];ABC[]W[bb])",
        "(;FF[1]GM[1]SZ[9]ABC[]HA[2])",
        "(;FF[3]GM[1]SZ[9];B[aa]c[hello]c[b]C[x])",
        "(;FF[4]GM[1]SZ[9]C[\\\n][])",
        "(;FF[4]GM[1]SZ[9];B[aa]GN[x]W[bb]GN[y])",
        "(;FF[4]GM[1]SZ[9];B[aa]AB[bb]W[bb]AB[cc])",
    ],
)
def test_a_new_layout_makes_no_findings(text: str, layout: dict[str, int]) -> None:
    assert new_findings(text.encode(), **layout) == Counter()


@pytest.mark.parametrize("text", ["hello", ":", "\N{LATIN SMALL LETTER E WITH ACUTE}"])
def test_text_that_ff3_ignores_is_not_left_out(text: str) -> None:
    with pytest.raises(ChangedError, match="leave out text that belongs to no property"):
        sgf_lark.format_record(f"(;FF[3]GM[1]SZ[9];B[aa] {text} )".encode())


@pytest.mark.parametrize(
    ("first", "count"), [(0, 20), pytest.param(20, 500, marks=pytest.mark.night)]
)
def test_a_new_layout_of_damaged_records_makes_no_findings(first: int, count: int) -> None:
    done = 0
    for number in range(first, first + count):
        data = mutated_record(RECORDS, 5, number)
        try:
            assert new_findings(data) == Counter(), data
        except (SgfSyntaxError, ChangedError):
            continue
        done += 1
    assert done > count // 10
