"""Types of real properties come back where the table does not have them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from support.corpus import large, names, plain, record
from support.lanes import amount

import sgf_lark
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import Count, PropertyRule, PropertyTable
from sgf_lark.workbench.evidence import VALUES_PER_EXCEPTION, PropertyEvidence, add_record, infer

STANDARD = PropertyTable.standard()

#: A type of fewer values is not judged.
ENOUGH = 20

#: As many records tell the type of a property as all of them.
MOST_RECORDS = 40

#: Properties by which records are read.
DECLARE = {"GM", "FF", "SZ", "CA"}

#: Types that any word is of, instead of which a text comes back.
ANY_WORD = {"application", "result of GGF"}

#: Tighter types that come back, and those of the table.
TIGHTER = {
    ("number", "real"): "times without fractions",
    ("number", "time_limit"): "limits without fractions",
    ("double", "number"): "ST of 1 and 2 only",
    ("point", "stone"): "the same points",
    ("point", "move"): "no passes, or only empty ones",
    ("point:point", "point"): "VW with areas only",
    ("real", "komi"): "the same numbers",
    ("result", "simpletext"): "players of Othello who are called ?",
    ("text", "simpletext"): "the same texts of GGF",
    ("simpletext:simpletext", "application"): "programs with versions",
    ("simpletext:simpletext", "match_information"): "the type without its form",
    ("number", "komi"): "komi without fractions",
}


class Hidden(NamedTuple):
    """A property of a format and game that was hidden, and what came back."""

    rule: PropertyRule
    type: str
    exceptions: int
    values: int


def texts() -> Iterator[tuple[str, str]]:
    """Yield some records of the corpus by day, all but broken and large ones by night."""
    wanted = [one for one in names() if plain(one) and not large(one)]
    for which in wanted[:: max(1, len(wanted) // amount(6, len(wanted) or 1))]:
        yield which, sgf_lark.load(record(which), strict=False).text


def hidden() -> Iterator[Hidden]:
    """Yield the properties that come back where they are hidden, with those of a type."""
    users: dict[tuple[Format, int | None, str], list[tuple[str, str]]] = defaultdict(list)
    for name, text in texts():
        games = sgf_lark.loads(text, strict=False)
        kinds = {(game.format, game.nodes.rules.game.number) for game in games}
        if len(kinds) == 1:
            ((format_, number),) = kinds
            for ident in {one for game in games for node in game.walk() for one in node}:
                users[format_, number, ident].append((name, text))
    for (format_, game, ident), records in users.items():
        rule = STANDARD.find(format_, game, ident)
        if rule is None or ident in DECLARE:
            continue
        found: dict[str, PropertyEvidence] = defaultdict(PropertyEvidence)
        table = PropertyTable(row for row in STANDARD if row.ident != ident)
        for name, text in records[:MOST_RECORDS]:
            add_record(found, name, text, {"table": table})
        evidence = found[ident]
        if evidence.counts["values"] >= ENOUGH:
            known = infer(ident, evidence)
            wrong = evidence.exceptions(rule.form or rule.type, as_list=rule.count is Count.ELIST)
            yield Hidden(rule, known["settings"]["type"], wrong, evidence.counts["values"])


@pytest.mark.night
@pytest.mark.both_lanes
def test_the_type_of_the_table_comes_back_or_a_tighter_one() -> None:
    if not names():
        pytest.skip("no corpus")
    other, judged = [], 0
    for rule, type_, wrong, values in hidden():
        wanted = rule.form or rule.type
        is_word = {wanted, f"{wanted} of {rule.format.grammar.upper()}"} & ANY_WORD
        if wrong > values // VALUES_PER_EXCEPTION or is_word:
            continue  # the records do not keep to the table, or nothing can be told
        judged += 1
        if type_ not in {wanted, rule.type} and (type_, wanted) not in TIGHTER:
            other.append((rule.ident, rule.format, rule.game, type_, wanted))

    assert other == []
    assert judged >= amount(5, 60)
