"""What the rules of games say of real game records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.corpus import record, true_of_records

import sgf_lark
from sgf_lark import CheckOptions, Severity

if TYPE_CHECKING:
    from sgf_lark import Collection

#: What programs wrote that is no score of the game: the sign is the other side's.
WRONG_SIGN = {"ggf/ntest__OsObjectsTest.cpp-2.ggf"}


@true_of_records(but=lambda which: "ff4-othello" not in which and "ggf/" not in which)
def games_of_othello_are_legal_and_their_scores_are_right(which: str, _: Collection) -> None:
    report = sgf_lark.check(record(which), options=CheckOptions(select=("G62",)))
    names = {one.name for one in report}

    assert names == ({"score-mismatch"} if which in WRONG_SIGN else set())


@true_of_records(but=lambda which: "backgammon" not in which)
def games_of_backgammon_are_clean(which: str, _: Collection) -> None:
    report = sgf_lark.check(record(which), options=CheckOptions(select=("G",)))

    assert [str(one) for one in report] == []


@true_of_records(but=lambda which: "backgammon" not in which and "ff4-othello" not in which)
def as_its_program_writes_it_a_record_has_no_errors_but_explained_ones(
    which: str, _: Collection
) -> None:
    report = sgf_lark.check(record(which))

    assert [str(one) for one in report.errors if who_wrote_it(one) is None] == []
    assert {one.severity for one in report} <= {Severity.ERROR, Severity.INFO}


def who_wrote_it(error: sgf_lark.Diagnostic) -> str | None:
    """Who has a habit that explains an error."""
    return next((who for who in ("GNU Backgammon", "Edax") if who in error.help), None)
