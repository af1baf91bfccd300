"""The safeguard: compare the games of a file before and after a fix.

A safe fix keeps the meaning of every property.  Any other fix may guess, but keeps every
stone, move, text and fact about the game, unless it says that it removes something.
Time is linear in the text; nodes that are written alike are not looked into.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_letters
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core.check.value_lints import RULE_NAMES
from sgf_lark.core.findings.diagnostic import Edit
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.property import category
from sgf_lark.core.model.readings import Content, Reading
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.schema.properties import COLORS, SETUP, Category
from sgf_lark.core.schema.values import Application, BoardSize, Invalid, Point, PointList, Rectangle
from sgf_lark.core.values.corrections import correct_value
from sgf_lark.core.values.kinds import ESCAPED_TEXTS

GameSequence: TypeAlias = Sequence[GameTree]

#: The values of the properties of a node by identifier, without empty ones.
KeptFacts: TypeAlias = dict[str, tuple[Any, ...]]

#: The color that properties of stones set: B and AB both put a black stone on the board.
_STONES = {
    ident: "E" if color is None else color.value for ident, color in {**COLORS, **SETUP}.items()
}

_WORDS = re.compile(r"\w+")

#: Points of a rectangle that is compared, or written, point by point.
MAX_POINTS = 19 * 19


class Unread(str):
    """A value that could not be read, without backslashes, white space made equal."""

    __slots__ = ()


class Words(tuple[str, ...]):
    __slots__ = ()


# ---- safe fixes ----


def keeps_meaning(
    before: GameSequence, after: GameSequence, *, but: frozenset[str] = frozenset()
) -> bool:
    """Return whether games have the same nodes in the same order, with the same typed values.

    A node that mixes setup and move may have become two.  A root property may have moved into
    the root.  What is empty, or said elsewhere, may be gone.  A value that could not be read
    may have become one that can.
    """
    return len(before) == len(after) and all(
        (game.format, game.game) == (other.format, other.game) and _Same(game, other, but).holds()
        for game, other in zip(before, after, strict=True)
    )


class _Same:
    """Compare two games node by node; ``infos`` and ``moved`` are what nodes of the second lack."""

    def __init__(self, before: GameTree, after: GameTree, but: frozenset[str]) -> None:
        self._before, self._after = before.nodes, after.nodes
        self._but = but
        self.infos: dict[str, set[tuple[Any, ...]]] = {}
        self.moved: KeptFacts = {}

    def holds(self) -> bool:
        first = _facts(self._before.contents[0])
        root = {
            ident: _respelled(ident, values, self._after.rules)
            for ident, values in _facts(self._after.contents[0]).items()
        }
        return (
            self._same_nodes()
            and all(
                self.moved.get(ident) == root[ident] for ident in {*root} - {*first} - self._but
            )
            and all(root.get(ident) == values for ident, values in self.moved.items())
            and all(_is_said(self._after, ident, values) for ident, values in self.infos.items())
        )

    def _same_nodes(self) -> bool:
        before, after = self._before, self._after
        ends: list[int] = []  # for each node of the first game the last one of the second
        for node, content in enumerate(before.contents):
            start = ends[-1] + 1 if ends else 0
            above = ends[before.parents[node]] if node else -1
            if start >= len(after) or after.parents[start] != above:
                return False
            if content == after.contents[start]:
                ends.append(start)
                continue
            wanted, given = _facts(content), _facts(after.contents[start])
            end = start
            while (
                {Category.SETUP, Category.MOVE} <= set(map(category, content))
                and any(ident not in given for ident in wanted)
                and after.parents[end + 1 : end + 2].tolist() == [end]
            ):
                end += 1
                given = _joined(given, _facts(after.contents[end]))
            ends.append(end)
            if not self._same_facts(node, wanted, given):
                return False
        return ends[-1] + 1 == len(after)

    def _same_facts(self, node: int, wanted: KeptFacts, given: KeptFacts) -> bool:
        idents = {*wanted} if node == 0 else {*wanted, *given}
        for ident in idents - self._but:
            rule = self._before.rules.rule(ident)
            here, there = wanted.get(ident, ()), given.get(ident, ())
            if _matches(here, there, is_form=rule is not None and bool(rule.form)):
                continue
            here = _respelled(ident, here, self._before.rules)
            if there and _matches(here, there, is_form=False):
                continue  # in another spelling it was the same value again
            if there or rule is None:
                return False
            if rule.category is Category.ROOT and node:
                if self.moved.setdefault(ident, here) != here:
                    return False
            elif rule.category is Category.GAME_INFO:
                self.infos.setdefault(ident, set()).add(here)
            else:
                return False
        return True


def _is_said(nodes: Nodes, ident: str, values: set[tuple[Any, ...]]) -> bool:
    present = {
        _respelled(ident, _facts((prop,)).get(ident, ()), nodes.rules)
        for content in nodes.contents
        for prop in content
        if prop.ident == ident
    }
    return values <= present


def _respelled(ident: str, values: tuple[Any, ...], rules: RuleSet) -> tuple[Any, ...]:
    rule = rules.rule(ident)
    result: list[Any] = []
    for value in values:
        read: tuple[Any, ...] = ()
        if rule is not None and (
            isinstance(value, Unread) or (rule.form and value.__class__ is str)
        ):
            read = rules.reader.read_property(rule, (correct_value(rule, value),)).values
        result += read if read and not isinstance(read[0], Invalid) else (value,)
    return tuple(dict.fromkeys(result))


def _joined(facts: KeptFacts, other: KeptFacts) -> KeptFacts:
    return {
        ident: facts.get(ident, ()) + other.get(ident, ())
        for ident in dict.fromkeys([*facts, *other])
    }


def _matches(before: tuple[Any, ...], after: tuple[Any, ...], *, is_form: bool) -> bool:
    """Return whether values are the same, repeated ones gone, or an unread one can be read."""
    return any(
        _are_alike(_flat(old), _flat(new), is_form=is_form)
        for old, new in (
            (before, after),
            (tuple(dict.fromkeys(before)), tuple(dict.fromkeys(after))),
        )
    )


def _flat(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return values, and of texts the words: several texts may have become one."""
    return tuple(
        part for value in values for part in (value if isinstance(value, Words) else (value,))
    )


def _are_alike(before: tuple[Any, ...], after: tuple[Any, ...], *, is_form: bool) -> bool:
    return before == after or (
        len(before) == len(after)
        and all(
            old == new
            or (isinstance(old, Unread) and not isinstance(new, Unread))
            or (is_form and isinstance(old, str) and not isinstance(new, Unread))
            for old, new in zip(before, after, strict=True)
        )
    )


def _facts(content: Content) -> KeptFacts:
    facts: dict[str, list[Any]] = {}
    for prop in content:
        values = facts.setdefault(prop.ident, [])
        if prop.rule is not None and not prop.values and prop.raw == ("",):
            values.append(())  # an empty list
        if _is_text(prop):
            texts = [str(value) for value in prop.values]
            if prop.ident == "RU":
                texts = [RULE_NAMES.get(part.strip().lower(), part) for part in texts]
            values += [words for part in texts if (words := Words(part.split()))]
        else:
            values += _meanings(prop)
    return {ident: tuple(values) for ident, values in facts.items() if values}


def _is_text(prop: Reading) -> bool:
    rule = prop.rule
    return rule is None or (rule.types in ESCAPED_TEXTS and not rule.form)


def _meanings(prop: Reading) -> Iterator[Any]:
    is_date = prop.rule is not None and prop.rule.form == "dates"
    for value in prop.values:
        if isinstance(value, Invalid):
            if value.raw.strip(" \t\r\n0-/." if is_date else None) or prop.ident in COLORS:
                yield Unread(" ".join(value.raw.replace("\\", "").split()))
        elif isinstance(value, Application):
            yield value.name, value.version or ""
        elif isinstance(value, Rectangle):
            yield from _points(value)
        elif isinstance(value, BoardSize) and value.columns == value.rows:
            yield value.columns
        elif value != "":
            yield value


def _points(value: Rectangle) -> Iterator[Any]:
    """Yield the points of a rectangle, or its corners if they are many."""
    if value.corners is None:
        yield value.first if value.first == value.second else value
        return
    points = PointList((value,))
    if points.total > MAX_POINTS:
        yield value.corners
    else:
        yield from points


# ---- other fixes ----

#: Lost words to search for in the middle of other text.
MAX_WORDS = 100


def losses(before: GameSequence, after: GameSequence, edits: Iterable[Edit] = ()) -> list[str]:
    """Return what games had and have no longer: stones, moves, words of texts, game-info.

    A stone may have become a move, and a move a stone; what could not be read, anything.  What
    ``edits`` cut that say so is not counted.
    """
    old, new = _nodes(before), _nodes(after)
    gone, added = old - new, new - old
    added.update(_Node((prop,), game.game, game.size) for game, prop in removed(before, edits))
    stones, others = _stones(gone), _stones(added)
    away, come = stones - others, others - stones
    lost = [
        f"{color}[{value}]"
        for color, value in away
        if isinstance(value, Point) and not come[color, _letters(value)]  # off the board now
    ]
    unread = sum(count for (_, value), count in away.items() if not isinstance(value, Point))
    if unread > sum(come.values()):
        lost.append("moves")
    words = _words(gone) - Counter(_all_words(added))
    if words:
        texts = set(_texts(new))
        unsaid = Counter(
            {node: gone[node] for node in gone if any(text not in texts for text in _texts([node]))}
        )
        words = _words(unsaid) - Counter(_all_words(added))
        run = "".join(_all_words(added)) if len(words) < MAX_WORDS else ""
        lost += [word for word in words if word not in run]  # a bracket may have parted it
    facts = Counter(_infos(gone)) - Counter(_infos(added))
    present = Counter(_infos(new)) if facts else Counter[str]()
    return lost + [ident for ident in facts if not present[ident]]


def removed(games: GameSequence, edits: Iterable[Edit]) -> Iterator[tuple[GameTree, Reading]]:
    """Yield the properties that edits cut or change, each with only the values that they touch."""
    for edit in edits:
        for game, node, place in _touched(games, edit):
            prop = game.nodes.contents[node][place]
            spans = [game.nodes.places.value(node, place, index) for index in range(len(prop.raw))]
            raws = [
                raw
                for raw, span in zip(prop.raw, spans, strict=True)
                if span.start <= edit.end_offset and edit.offset <= span.end
            ]
            if raws:
                yield game, prop.siblings[tuple(raws)]


def _touched(games: GameSequence, edit: Edit) -> Iterator[tuple[GameTree, int, int]]:
    if edit.offset == edit.end_offset or not games:
        return
    starts = [game.nodes.places.node(0, 0).start for game in games]
    game = games[max(0, bisect_right(starts, edit.offset) - 1)]
    places, contents = game.nodes.places, game.nodes.contents
    node, first = places.locate(edit.offset)
    for place in range(max(0, first), len(contents[node])):
        span = places.property(node, place)
        if span.start >= edit.end_offset:
            break
        if span.end > edit.offset:
            yield game, node, place


def cuts_stray_text(text: str, games: GameSequence, edits: Iterable[Edit], *, named: bool) -> bool:
    """Return whether edits cut text of no property that they write nowhere, and no title names."""
    cut, owned, written = Counter[str](), Counter[str](), Counter[str]()
    for edit in edits:
        written.update(edit.replacement)
        if not _WORDS.search(text, edit.offset, edit.end_offset):
            continue
        touched = list(_touched(games, edit))
        if not touched and (named or edit.replacement):
            continue
        cut.update(text[edit.offset : edit.end_offset])
        for game, node, place in touched:
            places, prop = game.nodes.places, game.nodes.contents[node][place]
            spans = [places.value(node, place, index) for index in range(len(prop.raw))]
            for start, end in [places.name(node, place, len(prop.name)), *spans]:
                owned.update(text[max(start, edit.offset) : min(end, edit.end_offset)])
    stray = cut - owned - (written - owned)
    return any(map(str.isalnum, stray))


class _Node(NamedTuple):
    content: Content
    game: int | None
    size: BoardSize | None


_Nodes: TypeAlias = Counter[_Node]


def _nodes(games: GameSequence) -> _Nodes:
    return Counter(
        _Node(content, game.game, game.size) for game in games for content in game.nodes.contents
    )


def _stones(nodes: _Nodes) -> Counter[tuple[str, Any]]:
    stones: Counter[tuple[str, Any]] = Counter()
    for (content, _, size), count in nodes.items():
        for prop in content:
            if prop.ident in _STONES:
                for value in _meanings(prop):
                    stones[_STONES[prop.ident], _stone(value, size)] += count
    return stones


def _stone(value: Any, size: BoardSize | None) -> Any:
    if not isinstance(value, Point):
        return str(value)
    on_board = size is None or (value.column < size.columns and value.row < size.rows)
    return value if on_board else _letters(value)


def _letters(point: Point) -> str:
    return "".join(ascii_letters[number : number + 1] or str(number) for number in point)


def _texts(nodes: Iterable[_Node]) -> Iterator[str]:
    for content, *_ in nodes:
        for prop in content:
            rule = prop.rule
            if prop.ident not in _STONES and (rule is None or (rule.is_text and not rule.form)):
                yield from (" ".join(raw.split()) for raw in prop.raw)


def _words(nodes: _Nodes) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (content, *_), count in nodes.items():
        for text in _texts([_Node(content, None, None)]):
            for word in _WORDS.findall(text):
                counts[word] += count
    return counts


def _all_words(nodes: _Nodes) -> Iterator[str]:
    for (content, *_), count in nodes.items():
        for prop in content:
            for text in (prop.name, *prop.raw):
                for word in _WORDS.findall(text):
                    yield from [word] * count


def _infos(nodes: _Nodes) -> Iterator[str]:
    for (content, *_), count in nodes.items():
        for prop in content:
            if category(prop) is Category.GAME_INFO and any(raw.strip() for raw in prop.raw):
                yield from [prop.ident] * count
