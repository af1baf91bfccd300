"""Comparison of what a program answers with the readings of a case."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .cases import Case

PASS, FAIL, NOT_CLAIMED = "pass", "fail", "not claimed"

#: An answer, as JSON.
Answer = dict[str, Any]

#: Faults that do not depend on the game.
_OF_TEXT = {"syntax", "identifier", "encoding"}

#: A value that a program shows otherwise, unless it claims to give values as they are typed.
_CHANGED = re.compile(r"[\\\t\r\n\v\f]")


class Difference(NamedTuple):
    """A part of a reading that an answer does not have."""

    part: str
    expected: str
    found: str


class Outcome(NamedTuple):
    """The outcome of a case, with the differences from its nearest reading."""

    case: Case
    verdict: str
    differences: tuple[Difference, ...] = ()


def judge(case: Case, answer: Answer) -> Outcome:
    """Compare an answer with the readings of a case; one that agrees is enough."""
    if why := answer.get("crash"):
        return Outcome(case, FAIL, (Difference("end", "an answer", why),))
    claims = answer.get("claims", {})
    parts = set(claims.get("parts", ()))
    is_claimed = case.format in claims.get("formats", ()) and parts.issuperset(case.needs)
    if not is_claimed or not (_knows_game(case, claims) or "any-game" in parts):
        return Outcome(case, NOT_CLAIMED)
    compared = [[*_compare(case, reading, answer, parts)] for reading in case.readings]
    different = min(([one for one in found if one] for found in compared), key=len)
    if different:
        return Outcome(case, FAIL, tuple(different))
    return Outcome(case, PASS if any(compared) else NOT_CLAIMED)


def _knows_game(case: Case, claims: dict[str, Any]) -> bool:
    return not {case.game, "*"}.isdisjoint(claims.get("games", ()))


def _compare(
    case: Case, reading: dict[str, Any], answer: Answer, parts: set[str]
) -> Iterator[Difference | None]:
    """Yield for each part that is claimed a difference, or None."""
    claims = answer["claims"]
    knows_game = _knows_game(case, claims)
    kinds = {kind for kind in claims.get("faults", ()) if knows_game or kind in _OF_TEXT}
    trees = answer.get("trees")
    faults = answer.get("faults") or []
    if reading["valid"]:
        counted = [one for one in faults if one.get("kind", "syntax") in kinds]
        yield _unless(trees is not None and not counted, "validity", "valid", _shown(answer))
    else:
        for fault in reading["faults"]:
            if fault["kind"] in kinds:
                found = any(_is_same(fault, one, has_places="places" in parts) for one in faults)
                found = found or (trees is None and "places" not in parts)
                yield _unless(found, "fault", _named(fault), _shown(answer))
    if trees is None:
        return
    if "trees" in parts and "trees" in reading:
        yield _compare_trees(reading["trees"], trees, is_raw="raw" in parts)
    for part in ("values", "effective", "boards") if knows_game else ():
        named = {"*"} if part == "boards" and part in parts else {*claims.get(part, ())}
        for key, expected in reading.get(part, {}).items():
            if named & {"*", key.rpartition(".")[2]}:
                given = answer.get(part, {}).get(key, "nothing")
                yield _unless(_agrees(expected, given), key, _text(expected), _text(given))


def _unless(agrees: object, part: str, expected: str, found: str) -> Difference | None:
    return None if agrees else Difference(part, expected, found)


def _is_same(expected: dict[str, Any], found: dict[str, Any], *, has_places: bool) -> bool:
    """Return whether a fault is the expected one: of its kind, and within its place."""
    if found.get("kind", expected["kind"]) != expected["kind"]:
        return False
    place = [found.get("line", 0), found.get("column", 0)]
    return not has_places or expected["from"] <= place <= expected["to"]


def _compare_trees(expected: Any, found: Any, *, is_raw: bool) -> Difference | None:
    """Return the first difference of trees; None if there is none."""
    if len(expected) != len(found):
        return Difference("trees", f"{len(expected)} trees", f"{len(found)} trees")
    for number, (left, right) in enumerate(zip(expected, found, strict=True)):
        if left["parents"] != right["parents"]:
            parents = _text(left["parents"]), _text(right["parents"])
            return Difference(f"parents of {number}", *parents)
        for node, pair in enumerate(zip(left["nodes"], right["nodes"], strict=True)):
            if not _has_same(*pair, is_raw=is_raw):
                return Difference(f"node {number}.{node}", *map(_text, pair))
    return None


def _has_same(left: dict[str, list[str]], right: dict[str, list[str]], *, is_raw: bool) -> bool:
    """Return whether two nodes have the same properties."""
    if left.keys() != right.keys() or any(len(left[name]) != len(right[name]) for name in left):
        return False
    return all(
        one == other or (not is_raw and _CHANGED.search(one))
        for name in left
        for one, other in zip(left[name], right[name], strict=True)
    )


def _agrees(expected: Any, found: Any) -> bool:
    """Return whether a value is the expected one.

    Objects may have more members; lists of lists have no order.
    """
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            key in found and _agrees(one, found[key]) for key, one in expected.items()
        )
    if isinstance(expected, list) and isinstance(found, list):
        if expected and all(isinstance(one, list) for one in (*expected, *found)):
            expected, found = (sorted(some, key=json.dumps) for some in (expected, found))
        return len(expected) == len(found) and all(map(_agrees, expected, found))
    return bool(expected == found)


def _text(value: Any) -> str:
    """Return a value in at most 100 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:97]}..."


def _named(fault: dict[str, Any]) -> str:
    start, end = (f"{line}:{column}" for line, column in (fault["from"], fault["to"]))
    return f"{fault['kind']} at {start} to {end}"


def _shown(answer: Answer) -> str:
    """Return what a program says of the validity of a text."""
    faults = [
        f"{one.get('kind', 'fault')} at {one.get('line', '?')}:{one.get('column', '?')}"
        for one in answer.get("faults") or []
    ]
    if answer.get("trees") is None:
        faults.insert(0, f"not read: {answer.get('error', 'no reason')}"[:100])
    return ", ".join(faults[:3]) or "accepted"
