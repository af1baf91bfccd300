"""Seconds of CPU a megabyte of every family of texts."""

from __future__ import annotations

import pytest
from benchmarks.bounds import FAMILIES, LOOP_SECONDS, MAX_SECONDS, check, loop, spent
from benchmarks.growth import of_length

#: Characters of a text.
SIZE = 30_000

#: A measurement may be so much above that of the table.
SLACK = 1.5

#: Families near or above the goal: their seconds a megabyte, as measured; a figure may only fall.
ABOVE = {
    "games of two properties never closed": 103,
    "variations in one another never closed": 21,
    "a suicide in each game": 16,
    "stray text in each game": 50,
    "games that declare no format": 34,
    "moves off the alphabet": 13,
    "wrong values of all types": 40,
    "stray text after each node": 14,
    "stray brackets after each node": 12,
    "a NUL in each value": 14,
    "a value never closed in each game": 12,
    "GGF games of one property never closed": 34,
    "a wrong move in each GGF game": 31,
    "stray text in each GGF game": 26,
    "wrong moves of GGF": 29,
    "empty games": 112,
    "games of old files": 9,
    "games without FF": 15,
    "games with long names": 24,
    "games without FF that are FF[4]": 19,
    "games with FF here and there": 12,
    "games of several kinds": 17,
    "games without FF, each with a fault": 31,
    "games without FF, every tenth with a fault": 17,
    "games that FF[4] alone refuses": 104,
    "brackets": 15,
    "empty trees": 82,
    "nodes never closed": 29,
    "games never closed": 130,
    "games with a value that never ends": 23,
    "games inside games": 10,
    "variations never closed": 20,
    "brackets too many": 11,
    "closing brackets between": 41,
    "text between games": 28,
    "nodes behind variations": 22,
    "variations without semicolons": 16,
    "junk between": 11,
    "names without values": 11,
    "values without names": 26,
    "NUL in values": 13,
    "lines and columns": 14,
    "one property many times": 10,
    "properties of newer formats": 27,
    "wrong values": 22,
    "wrong values without FF": 65,
    "values of one property": 16,
    "empty values": 27,
    "rectangles": 16,
    "wrong siblings": 19,
    "wrong second children": 24,
    "a long wrong line": 18,
    "turns and steps": 31,
    "game-info in every node": 18,
    "moves and setup": 20,
    "a node of many moves": 20,
    "a point set up by many properties": 11,
    "a rectangle set up many times": 16,
    "a filled board that changes hands": 14,
    "GGF games never closed": 35,
    "GGF games": 15,
}


@pytest.mark.night
@pytest.mark.parametrize("name", FAMILIES)
def test_no_text_costs_more_than_its_bound(name: str) -> None:
    text = of_length(FAMILIES[name], SIZE)
    check(text[:1_000])  # so that grammars are built
    bound = max(MAX_SECONDS, ABOVE.get(name, 0) * SLACK)
    megabytes = len(text.encode("utf-8", "surrogatepass")) / 1e6

    def calibrated() -> float:
        return spent(check, text) / megabytes * LOOP_SECONDS / loop()

    assert calibrated() <= bound or calibrated() <= bound  # another process may have disturbed one


def test_every_family_above_the_goal_is_measured() -> None:
    assert ABOVE.keys() <= FAMILIES.keys()
