"""Compare how two grammars, or two tables of properties, read the same records.

The one reader reads a file twice, each time by the options of a side, and the values are those of
``node[ident]``.  Games and properties are the same if they begin at the same place.  What is no
record is parsed from its beginning to its end, and the trees are compared.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core import (
    File,
    Finding,
    Invalid,
    LineIndex,
    Nodes,
    Options,
    Reading,
    Severity,
    Values,
    cut,
    decode,
    plural,
)
from sgf_lark.files.time_limit import limited

from .parse_state import TreeLine, parse, tree_lines

#: What the sides make of a file, a game, a value: both read it in the same way, or otherwise, or
#: one of them does, or neither.
BOTH, OTHERWISE, FIRST, SECOND, NEITHER = "both", "otherwise", "first", "second", "neither"

#: Limit of the properties of which is kept what the sides make of them.
MAX_KEPT = 1 << 14

#: Limit of a value as people see it, in characters.
MAX_VALUE = 60


class Answer(NamedTuple):
    """A game or a value as a side reads it, or the error."""

    value: Any = None
    shown: str = ""
    # the error for which it is not read; "" if it is
    code: str = ""
    message: str = ""

    @property
    def is_read(self) -> bool:
        return not self.message


class ReadingChange(NamedTuple):
    """A game, a tree or a value that the sides read otherwise, or that one of them reads."""

    kind: str
    # its place; of a game that one side rejects, that of the first error
    line: int
    column: int
    # of a value; "" of others
    property: str
    type: str
    raw: str
    first: Answer
    second: Answer


class Comparison(NamedTuple):
    # their numbers by kind; of a text that is no record, only that of the file
    files: Counter[str]
    games: Counter[str]
    values: Counter[str]
    changes: list[ReadingChange]


class CompleteText(NamedTuple):
    """A side that reads texts that are no records: the grammar, and its rule to begin with."""

    file: File
    start: str


#: How a side reads: by options of :func:`sgf_lark.load`, or as :class:`CompleteText`.
How: TypeAlias = "dict[str, Any] | CompleteText"


def compare_file(
    name: str, data: bytes, *, first: How, second: How, encoding: str | None = None
) -> Comparison:
    """Return what two sides make of a file.

    Args:
        first, second: How they read it; both as records or none.
        encoding: The character encoding; None to detect it.
    """
    with limited(first, len(data)):
        text = decode(data, encoding).text
        if isinstance(first, CompleteText) and isinstance(second, CompleteText):
            return _compare_trees(text, first, second)
        hows = [Options.of(**how) for how in (first, second) if not isinstance(how, CompleteText)]
        return _Records(text, name, *hows).compared()


def _kind(*, first: bool, second: bool) -> str:
    return (BOTH if second else FIRST) if first else SECOND if second else NEITHER


# ---- games ----


class _GamePart(NamedTuple):
    """A game as a side reads it, or a place where it reads none, with its first error."""

    start: int
    nodes: Nodes | None
    error: Finding | None


def _parts(text: str, name: str, how: Options) -> Iterator[_GamePart]:
    reader = how.reader(name)
    judge = how.judging(strict=False, check=False, validate=False, info_only=False).judge(reader)
    for game, found in judge.judge_now(text, reader.read(text)):
        errors = [one for one in found if one.severity is Severity.ERROR]
        error = min(errors, key=lambda one: one.span, default=None)
        if game is not None:
            yield _GamePart(game.nodes.tape.node(0, 0).start, game.nodes, error)
        elif error is not None:
            yield _GamePart(judge.begun, None, error)


class _Records:
    def __init__(self, text: str, name: str, first: Options, second: Options) -> None:
        self._hows = first, second
        self._parts = _parts(text, name, first), _parts(text, name, second)
        self._lines = LineIndex(text)
        self._games, self._values = Counter[str](), Counter[str]()
        self._changes: list[ReadingChange] = []

    def compared(self) -> Comparison:
        errors: list[Finding | None] = [None, None]  # the last ones
        for pair in self._pairs():
            errors = [
                last if part is None or part.error is None else part.error
                for part, last in zip(pair, errors, strict=True)
            ]
            one, other = (None if part is None else part.nodes for part in pair)
            if one is None and other is None:
                continue
            reads = [
                part is not None and part.nodes is not None and part.error is None for part in pair
            ]
            kind = _kind(first=reads[0], second=reads[1])
            self._games[kind] += 1
            if kind in {FIRST, SECOND}:
                start = min(part.start for part in pair if part is not None)
                self._add_game(kind, start, errors[kind == FIRST])
            elif one is not None and other is not None:
                self._compare_games(one, other)
        file = _kind(first=errors[0] is None, second=errors[1] is None)
        file = OTHERWISE if file == BOTH and self._changes else file
        return Comparison(Counter([file]), self._games, self._values, self._changes)

    def _pairs(self) -> Iterator[tuple[_GamePart | None, _GamePart | None]]:
        first, second = self._parts
        one, other = next(first, None), next(second, None)
        while one is not None or other is not None:
            start = min(part.start for part in (one, other) if part is not None)
            mine = one if one is not None and one.start == start else None
            theirs = other if other is not None and other.start == start else None
            yield mine, theirs
            one = one if mine is None else next(first, None)
            other = other if theirs is None else next(second, None)

    def _add_game(self, kind: str, start: int, error: Finding | None) -> None:
        why = Answer(message="no game begins here")
        if error is not None and error.span.end >= start:  # it is not that of a game before
            start, why = error.span.start, _refused(error)
        answers = (Answer(), why) if kind == FIRST else (why, Answer())
        self._add(kind, start, ("", "", ""), *answers)

    def _add(
        self, kind: str, offset: int, about: tuple[str, str, str], first: Answer, second: Answer
    ) -> None:
        place = self._lines.locate(offset)
        self._changes.append(ReadingChange(kind, *place, *about, first, second))

    # ---- values ----

    def _compare_games(self, first: Nodes, second: Nodes) -> None:
        if first.parents != second.parents:
            start = first.tape.node(0, 0).start
            self._add(OTHERWISE, start, ("", "", ""), _tree_of(first), _tree_of(second))
        one, other = first.tape.columns, second.tape.columns
        verdicts = _verdicts(_Way.of(first, self._hows[0]), _Way.of(second, self._hows[1]))
        if one.names == other.names and one.values == other.values:
            for number, said in enumerate(zip(one.names, one.values, strict=True)):
                verdict = verdicts.get(said)
                if verdict is None:
                    name, values = said
                    verdict = _verdict(first.readings[name][values], second.readings[name][values])
                    if len(verdicts) >= MAX_KEPT:
                        verdicts.clear()
                    verdicts[said] = verdict
                self._count(verdict, first, number)
            return
        sides = (first, _places(first)), (second, _places(second))
        for at in sorted({*sides[0][1], *sides[1][1]}):
            readings = [_reading(nodes, places.get(at)) for nodes, places in sides]
            nodes, places = sides[at not in sides[0][1]]
            self._count(_verdict(*readings), nodes, places[at])

    def _count(self, verdict: _Verdict, nodes: Nodes, number: int) -> None:
        self._values.update(verdict.counts)
        for kind, index, about, first, second in verdict.changes:
            node, place = _position(nodes, number)
            tape = nodes.tape
            span = tape.property(node, place) if index < 0 else tape.value(node, place, index)
            self._add(kind, span.start, about, first, second)


class _Way(NamedTuple):
    """The way in which a side reads the games of a kind."""

    format: Any
    game: Any
    over_19: bool
    table: Any
    dialect: Any

    @classmethod
    def of(cls, nodes: Nodes, how: Options) -> _Way:
        rules = nodes.rules
        return cls(rules.format, rules.game, rules.over_19, how.table, how.dialect)


def _places(nodes: Nodes) -> dict[int, int]:
    count = len(nodes.tape.columns.names)
    return {nodes.tape.property(*_position(nodes, number)).start: number for number in range(count)}


def _reading(nodes: Nodes, number: int | None) -> Reading | None:
    """Return the reading of a property by its number; None without one."""
    if number is None:
        return None
    columns = nodes.tape.columns
    return nodes.readings[columns.names[number]][columns.values[number]]


def _position(nodes: Nodes, number: int) -> tuple[int, int]:
    bounds = nodes.tape.columns.bounds
    node = bisect_right(bounds, number) - 1
    return node, number - bounds[node]


def _tree_of(nodes: Nodes) -> Answer:
    count, lines = len(nodes), len({*range(len(nodes))}.difference(nodes.parents))
    shown = f"{plural(count, 'node')} in {plural(lines, 'line')}"
    return Answer({"nodes": count, "lines": lines}, shown)


#: A change of a value: its kind, its number in the property (-1 for all), what it is about.
_ValueChange: TypeAlias = tuple[str, int, tuple[str, str, str], Answer, Answer]


class _Verdict(NamedTuple):
    """A property as two sides read it: the numbers of its values by kind, and what differs."""

    counts: Counter[str]
    changes: list[_ValueChange]


@lru_cache(maxsize=1 << 6)
def _verdicts(first: _Way, second: _Way) -> dict[tuple[str, Values], _Verdict]:
    """Return what is known of properties that two sides have read; it is the same one each time."""
    del first, second
    return {}


def _verdict(first: Reading | None, second: Reading | None) -> _Verdict:
    """Compare what two sides make of a property; None for one that has not read any."""
    reading = first or second
    if reading is None:
        raise ValueError("no side has read it")
    rule = reading.rule
    about = reading.ident, "" if rule is None else rule.form or rule.type
    if first is None or second is None:
        kind = FIRST if second is None else SECOND
        said, none = Answer([*reading.raw], str(reading)), Answer(message="no property begins here")
        answers = (said, none) if kind == FIRST else (none, said)
        return _Verdict(Counter({kind: len(reading.raw)}), [(kind, -1, (*about, ""), *answers)])
    wrong = [
        {one.value_index or 0: one for one in side.problems if one.severity is Severity.ERROR}
        for side in (first, second)
    ]
    counts, changes = Counter[str](), list[_ValueChange]()
    if first.ident == second.ident and len(first.values) == len(second.values):
        for index, pair in enumerate(zip(first.values, second.values, strict=True)):
            faults = [one.get(index) for one in wrong]
            is_read = [
                fault is None and not isinstance(value, Invalid)
                for value, fault in zip(pair, faults, strict=True)
            ]
            kind = _kind(first=is_read[0], second=is_read[1])
            kind = OTHERWISE if kind == BOTH and not _alike(*pair) else kind
            counts[kind] += 1
            if kind not in {BOTH, NEITHER}:
                changes.append((kind, index, (*about, reading.raw[index]), *_answers(pair, faults)))
        if changes or counts[NEITHER] or _alike(first.value, second.value):
            return _Verdict(counts, changes)
    counts = Counter({OTHERWISE: max(1, len(reading.raw))})
    answers = _answers((first.value, second.value), (None, None))
    return _Verdict(counts, [(OTHERWISE, -1, (*about, "][".join(reading.raw)), *answers)])


def _alike(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other)


def _answers(values: tuple[Any, Any], faults: Sequence[Finding | None]) -> tuple[Answer, Answer]:
    one, other = map(_answer, values, faults)
    if one.shown == other.shown and one.is_read and other.is_read:
        names = [type(value).__name__ for value in values]
        one, other = (
            answer._replace(shown=f"{name} {answer.shown}")
            for answer, name in zip((one, other), names, strict=True)
        )
    return one, other


def _answer(value: Any, fault: Finding | None) -> Answer:
    if fault is not None:
        return _refused(fault)
    if isinstance(value, Invalid):
        return Answer(message=f"expected {value.expected}")
    from pydantic_core import to_jsonable_python

    shown = repr(value) if isinstance(value, str) else str(value)
    return Answer(to_jsonable_python(value, fallback=repr), cut(shown, MAX_VALUE))


def _refused(fault: Finding) -> Answer:
    return Answer(code=fault.rule.code, message=fault.message)


# ---- texts that are no records ----


def _compare_trees(text: str, first: CompleteText, second: CompleteText) -> Comparison:
    states = [parse(text, *side) for side in (first, second)]
    faults = [state.finding for state in states]
    kind = _kind(first=faults[0] is None, second=faults[1] is None)
    answers, offset = [Answer() if one is None else _refused(one) for one in faults], 0
    if kind in {FIRST, SECOND}:
        offset = next(one.span.start for one in faults if one is not None)
    elif kind == BOTH:
        trees = [tree_lines(state.tree) for state in states if state.tree is not None]
        pairs = (
            (one, other) for one, other in zip_longest(*trees) if _in_words(one) != _in_words(other)
        )
        pair = next(pairs, None)
        if pair is not None:
            kind, answers = OTHERWISE, [Answer(_in_words(line), _in_words(line)) for line in pair]
            offset = next(line.span.start for line in pair if line is not None and line.span)
    if kind in {BOTH, NEITHER}:
        return Comparison(Counter([kind]), Counter(), Counter(), [])
    change = ReadingChange(kind, *LineIndex(text).locate(offset), "", "", "", *answers)
    return Comparison(Counter([kind]), Counter(), Counter(), [change])


def _in_words(line: TreeLine | None) -> str:
    if line is None:
        return ""
    return f"{line.name} {line.size}" if line.text is None else f"{line.name} {line.text!r}"
