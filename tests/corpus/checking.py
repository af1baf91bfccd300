"""What the rules of games say of real game records."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from lark import Lark
from support.corpus import alike, long, record, true_of_records

import sgf_lark
from sgf_lark import CheckOptions, Format, Game, Severity
from sgf_lark.core.text.encoding import decode

if TYPE_CHECKING:
    from sgf_lark import Collection
    from sgf_lark.core.schema.values import BoardSize

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


@true_of_records(but=alike, night=long)
def a_record_with_values_of_their_types_is_accepted_by_its_typed_grammar(
    which: str, collection: Collection
) -> None:
    kinds = {(game.format, game.nodes.rules.game, game.size) for game in collection}
    report = sgf_lark.check(record(which))
    if len(kinds) == 1 and not {one.code[0] for one in report if one.name not in HARMLESS}:
        ((format_, game, size),) = kinds
        text = decode(record(which).read_bytes(), None)[0]

        assert typed_parser(format_, game, size).parse(text) is not None


#: Findings about games that the typed grammar accepts.
HARMLESS = {
    *("missing-format", "missing-root-property", "assumed-encoding", "several-games"),
    *("different-formats", "move-in-root", "not-judged", "illegal-move", "repeated-position"),
}


@cache
def typed_parser(format: Format, game: Game, size: BoardSize | None) -> Lark:
    start = "file" if format is Format.GGF else "collection"
    return Lark(sgf_lark.typed_grammar(format, game, size), parser="lalr", start=start)
