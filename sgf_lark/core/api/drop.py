"""Leave out of games what is not wanted: comments, markup, times, variations ..."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sgf_lark.core.check.producers import PRIVATE as PRIVATE_RULES, known_producers
from sgf_lark.core.check.selection import similar
from sgf_lark.core.findings.words import plural
from sgf_lark.core.model.collection import Collection, GameTree, as_collection
from sgf_lark.core.model.readings import Content, Reading
from sgf_lark.core.schema.properties import COLORS, Category, Group, PropertyRule, PropertyTable

#: What does not follow from the row of a property: it has none, or it is no property.
PRIVATE, VARIATIONS = "private", "variations"

#: Groups and categories of the property table of which a game needs nothing to be the same game.
OF_TABLE: tuple[Group | Category, ...] = (
    *(Group.COMMENTS, Group.MARKUP, Group.TERRITORY, Group.ANNOTATIONS),
    *(Group.TIMES, Group.ANALYSIS, Group.PLAYER, Category.GAME_INFO),
)

#: Groups of properties by which a game is another one, or is read otherwise.
NEEDED = Group.PLAYS, Group.SETUP_POINTS, Group.KIND, Group.DECLARES, Group.BOARD

#: The move of GGF: its parts, with ``/`` between them, and the kinds of those that may go.
_PLAYED = (("played",),)
_PARTS = ((1, Group.ANALYSIS.value), (2, Group.TIMES.value))


class Dropped(NamedTuple):
    """Games without what was dropped.

    Attributes:
        counts: The number of properties that are gone, by kind; of variations, of these.
    """

    collection: Collection
    counts: Counter[str]


def known_kinds() -> tuple[str, ...]:
    programs = known_producers().by_name.values()
    written = {kind for program in programs for kind in program.comments}
    written |= {habit.kind for program in programs for habit in program.habits if habit.kind}
    return tuple(sorted({PRIVATE, VARIATIONS, *(kind.value for kind in OF_TABLE), *written}))


def require_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return kinds and identifiers, each once; ValueError for what cannot be dropped."""
    wanted = tuple(dict.fromkeys(kinds))
    for kind in wanted:
        if re.fullmatch("[A-Z][A-Z0-9]*", kind) is not None:
            if any(kind in group.idents for group in NEEDED):
                raise ValueError(f"{kind} cannot be dropped: the game would be another one")
        elif kind not in (known := known_kinds()):
            raise ValueError(
                f"no kind is called '{kind}'{similar(kind, known)}; the kinds are "
                f"{', '.join(known)}, and identifiers such as LB"
            )
    return wanted


def drop(games: Collection | GameTree, *kinds: str) -> Dropped:
    """Return games without some kinds of properties, or without variations.

    What stays keeps its bytes when it is written.  A node without properties stays, so that nodes
    keep their paths.

    >>> collection, counts = sgf_lark.drop(collection, "comments", "variations")

    Args:
        games: The games.
        kinds: Groups of the property table (``comments``, ``markup``, ``territory``,
            ``annotations``, ``times``, ``analysis``, ``player``), its category ``game-info``;
            ``private`` for what no standard has; what known programs write as ``analysis`` or
            ``chat``, also inside of comments; ``variations``; or identifiers such as ``LB``.
            Of a property of several kinds the first one counts.

    Raises:
        ValueError: There is no such kind; or the property is a move, setup, or one by which the
            game is read.
    """
    wanted = require_kinds(kinds)
    counts = Counter(dict.fromkeys(wanted, 0))
    collection = as_collection(games)
    if not wanted:
        return Dropped(collection, counts)
    changed = [_Dropper(game, wanted, counts).drop() for game in collection.games]
    update = {"games": tuple(changed), "diagnostics": ()}
    return Dropped(
        collection.model_copy(update=update) if any(counts.values()) else collection, +counts
    )


def describe_dropped(counts: Counter[str]) -> str:
    """Return what was dropped in words: ``312 comments, 40 variations, 7 properties (times)``."""
    return ", ".join(
        plural(count, kind.removesuffix("s"))
        if kind in {Group.COMMENTS, Group.ANNOTATIONS, VARIATIONS}
        else f"{count} {'property' if count == 1 else 'properties'} ({kind})"
        for kind, count in counts.items()
    )


class _Dropper:
    def __init__(self, game: GameTree, wanted: tuple[str, ...], counts: Counter[str]) -> None:
        self.game, self.wanted, self.counts = game, wanted, counts
        self.rules = game.nodes.rules
        self.kinds: dict[str, str | None] = {}
        root = game.nodes.contents[0]
        programs = known_producers().by_name.values()
        wrote = [program for program in programs if program.wrote(root)]
        #: The private properties of the programs that wrote the game, with their kinds.
        self.private = {
            ident: habit.kind
            for program in programs
            for habit in program.habits
            if habit.rules == PRIVATE_RULES and (habit.alone or program in wrote)
            for ident in habit.properties
        }
        self.texts = [
            (kind, re.compile(pattern, re.MULTILINE))
            for program in programs
            if program in wrote or not program.signs
            for kind, pattern in program.comments.items()
            if kind in wanted
        ]

    def drop(self) -> GameTree:
        draft, before = self.game.edit(), self.counts.total()
        if VARIATIONS in self.wanted:
            for node in self.game.nodes.tree.main_line():
                for variation in draft.children(node)[1:]:
                    draft.remove(variation)
            if more := sum(1 for _ in self.game.nodes.tree.leaves()) - 1:
                self.counts[VARIATIONS] += more
        for node in draft.walk():
            content = draft.properties(node)
            kept = tuple(self._kept(content))
            if len(kept) < len(content) or kept != content:
                draft.put(node, kept)
        return draft.done(strict=False) if self.counts.total() > before else self.game

    def _kept(self, content: Content) -> Iterator[Reading]:
        for prop in content:
            if prop.ident not in self.kinds:
                self.kinds[prop.ident] = self._kind(prop)
            kind = self.kinds[prop.ident]
            if kind is None:
                kind, raws = self._without_parts(prop)
                if kind is not None and any(raws):
                    self.counts[kind] += 1
                    yield self.rules.property(prop.name, raws)
                    continue
            if kind is None:
                yield prop
            else:
                self.counts[kind] += 1

    def _kind(self, prop: Reading) -> str | None:
        """Return the first of the wanted kinds that a property is of; None if it stays."""
        rule, kinds = prop.rule, {prop.ident}
        if rule is None and prop.ident in self.private:
            kinds |= {PRIVATE, self.private[prop.ident]}
        elif (known := rule or self._row_elsewhere(prop.ident)) is None or _is_custom(known):
            kinds.add(PRIVATE)
        else:
            kinds |= {*known.groups, known.category}
        if rule is not None and (rule.category is Category.SETUP or prop.ident in COLORS):
            return None
        return next((kind for kind in self.wanted if kind in kinds), None)

    def _row_elsewhere(self, ident: str) -> PropertyRule | None:
        rows = self.rules.table.elsewhere(self.rules.format, ident)
        return next((row for row in rows if row.game in {None, self.rules.game.number}), None)

    def _without_parts(self, prop: Reading) -> tuple[str | None, tuple[str, ...]]:
        """Return what is left of a comment or a move of GGF, and the first kind that is gone."""
        gone: str | None = None
        raws = prop.raw
        if self.texts and prop.rule is not None and Group.COMMENTS in prop.rule.groups:
            for kind, pattern in self.texts:
                shorter = tuple([pattern.sub("", raw) for raw in raws])
                if shorter != raws:
                    gone, raws = gone or kind, shorter
            if not any(raw.strip() for raw in raws):
                raws = ()
        elif prop.rule is not None and prop.rule.types == _PLAYED:
            for place, kind in _PARTS:
                if kind in self.wanted:
                    shorter = tuple([_without(raw.split("/"), place) for raw in raws])
                    if shorter != raws:
                        gone, raws = gone or kind, shorter
        return gone, raws


def _without(parts: list[str], place: int) -> str:
    if len(parts) > place:
        parts[place] = ""
    return "/".join(parts).rstrip("/")


def _is_custom(rule: PropertyRule) -> bool:
    return PropertyTable.standard().find(rule.format, rule.game, rule.ident) is None
