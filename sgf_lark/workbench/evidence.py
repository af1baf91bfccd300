"""Evidence about unknown properties: the types that their values in records allow.

Types are those of the property tables, and a value is judged by the readers of its format and
game.  One type is tighter than another if that one accepts all its samples, and not the other way
round: the samples are sentences of the grammars.  What is kept of a property are counts by type,
whatever the number of its values.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice, product
from typing import Any

from sgf_lark.archive.rows.game_rows import find_program
from sgf_lark.core import (
    TEXT_TYPES,
    Category,
    Count,
    Format,
    LineIndex,
    NotOfType,
    PropertyRule,
    PropertyTable,
    Reader,
    category,
    loads,
    shorten,
)
from sgf_lark.settings.settings import Settings

from .samples import sentences

#: A type has at most one exception in this number of values; one without any comes first.
VALUES_PER_EXCEPTION = 100

#: The number of places that are kept of each kind.
MOST_PLACES = 3

#: The number of sentences of a type by which it is compared with others.
SAMPLES = 12

#: A type that accepts this, too, is of any word, and no better than a text.
ANY_TEXT = "Hello"

#: The categories that nodes tell, the tightest first.
CATEGORIES = (Category.ROOT, Category.GAME_INFO, Category.MOVE, Category.SETUP)

#: By the types and forms of the tables: the number of their rows.
_ROWS = Counter(type for rule in PropertyTable.standard() for type in (rule.type, rule.form))
_ROWS.update(["none | number", "none | real"])

#: The types, the usual ones first, and those of any text last.
TYPES = sorted(
    _ROWS.keys() - {"", "undefined"}, key=lambda type: (type in TEXT_TYPES, -_ROWS[type])
)


@cache  # for each format and type: readers know a row by its identity; 9 times as long without
def _rule(format: Format, type: str) -> PropertyRule:
    return PropertyRule(format=format, ident="X", type=type, count=Count.LIST)


def _accepts(reader: Reader, type: str, raw: str) -> bool:
    try:
        value = reader.value_reader(_rule(reader.format, type))(raw)
        whole = type.replace("simpletext", "text")
        return whole == type or value == reader.value_reader(_rule(reader.format, whole))(raw)
    except (NotOfType, LookupError):
        return False


def _misfits(reader: Reader, raw: str) -> list[str]:
    return [type for type in TYPES if not _accepts(reader, type, raw)]


@cache  # for each type of a reader: 11 properties take 8 seconds instead of 0.5 without it
def _samples(reader: Reader, type: str) -> list[str]:
    """Return samples of a type; of a pair those of its parts in all combinations."""
    texts: list[str] = []
    for alternative in type.split(" | "):
        places = [reader.kind(kind).place for kind in alternative.split(":")]
        parts = [islice(sentences(file, start), SAMPLES) for file, start, _ in places]
        texts += map(":".join, product(*parts))
    return [text for text in texts if _accepts(reader, type, text)]


class PropertyEvidence:
    """Counts of the values of a property in records."""

    def __init__(self) -> None:
        # by words (files, games, nodes, values; lists and empty ones); by program the nodes; by
        # category the nodes that are roots or have such a property, too; by type, and whether it is
        # all of its node and empty, the values that are not of it
        self.counts = Counter[Any]()
        self.places = defaultdict[Any, list[dict[str, Any]]](list)
        self.readers = set[Reader]()

    def add(self, raws: tuple[str, ...], reader: Reader, places: Iterable[dict[str, Any]]) -> None:
        self.readers.add(reader)
        is_empty = raws == ("",)
        self.counts.update(lists=len(raws) > 1, empty=is_empty)
        for raw, place in zip(raws, places, strict=True):
            for key in ("values", *((type, is_empty) for type in _misfits(reader, raw))):
                self.counts[key] += 1
                if self.counts[key] <= MOST_PLACES:
                    self.places[key].append(place)

    def exceptions(self, type: str, *, as_list: bool) -> int:
        """Return the number of values that are not of a type; a list may be empty."""
        return self.counts[type, False] + (0 if as_list else self.counts[type, True])

    def tightest(self) -> tuple[list[str], bool]:
        """Return the tightest types that all values have; or all but a few, if not only texts.

        And whether its values are lists: if several are in a node, or only lists may be empty.
        """
        few, is_list = self.counts["values"] // VALUES_PER_EXCEPTION, self.counts["lists"] > 0
        for limit, as_list in product((0, few), (is_list, True)):
            types = self._tightest(limit, as_list=as_list)
            if not TEXT_TYPES.issuperset(types):
                return types, as_list
        return self._tightest(few, as_list=is_list) or ["text"], is_list

    def _tightest(self, limit: int, *, as_list: bool) -> list[str]:
        types = [
            type
            for type in TYPES
            if self.exceptions(type, as_list=as_list) <= limit and self._tells(type)
        ]
        within = {one: {type for type in types if self._is_within(one, type)} for one in types}
        return [one for one in types if all(x in within[one] for x in types if one in within[x])]

    def _tells(self, type: str) -> bool:
        try:
            for reader in self.readers:
                _samples(reader, type)
        except LookupError:
            return False
        return type in TEXT_TYPES or not all(_accepts(by, type, ANY_TEXT) for by in self.readers)

    def _is_within(self, type: str, other: str) -> bool:
        return all(_accepts(by, other, text) for by in self.readers for text in _samples(by, type))


def add_record(
    found: dict[str, PropertyEvidence], name: str, text: str, reading: Mapping[str, Any]
) -> None:
    """Add what a record tells of the properties that a table does not know."""
    lines, seen = LineIndex(text), set[tuple[str, int]]()
    for number, game in enumerate(loads(text, strict=False, **reading)):
        nodes = game.nodes
        program, _ = find_program(nodes.contents[0])
        for node, content in enumerate(nodes.contents):
            around = {category(prop) for prop in content} - {Category.ROOT}
            around |= set() if node else {Category.ROOT}
            for at, prop in enumerate(content):
                if prop.rule is not None or not prop.ident.isupper():  # which is no property
                    continue
                places = []
                for index, raw in enumerate(prop.raw):
                    start = lines.locate(nodes.places.value(node, at, index).start)
                    places.append({"value": shorten(raw), "file": name, **start._asdict()})
                found[prop.ident].add(prop.raw, nodes.rules.reader, places)
                found[prop.ident].counts.update(["nodes", *around, ("program", program or "")])
                seen.add((prop.ident, number))
    for ident, _ in seen:
        found[ident].counts["games"] += 1
    for ident in {ident for ident, _ in seen}:
        found[ident].counts["files"] += 1


def infer(ident: str, evidence: PropertyEvidence) -> dict[str, Any]:
    """Return the tightest rule that the values of a property allow, as data.

    Its settings hold for the games and formats that have it, but for formats with faults.
    """
    counts = evidence.counts
    (type, *others), as_list = evidence.tightest()
    categories = [one for one in CATEGORIES if counts[one] == counts["nodes"]] or [Category.NONE]
    has_areas = type in {"point", "stone"} and counts["point:point", False] < counts["values"]
    count = Count.LIST if counts["lists"] or has_areas else Count.ONE
    if as_list and counts["empty"]:
        count = Count.ELIST
    games = {reader.game.number or reader.game.name for reader in evidence.readers}
    row = {"type": type, "category": categories[0], "count": count, "games": sorted(games, key=str)}
    faults: dict[str, list[str]] = {}
    for format_ in sorted({reader.format.grammar for reader in evidence.readers}):
        settings = Settings.model_validate({"properties": {ident: {**row, "formats": [format_]}}})
        faults[format_] = [message for _, message in settings.additions.faults]
    return {
        "ident": ident,
        "settings": {**row, "formats": [one for one in faults if not faults[one]]},
        "faults": [message for messages in faults.values() for message in messages],
        "other_types": others,
        "categories": categories,
        **{what: counts[what] for what in ("files", "games", "nodes", "values")},
        "programs": {key[1]: counts[key] for key in counts if key[0] == "program"},
        "example": evidence.places["values"][0],
        "exceptions": evidence.exceptions(type, as_list=as_list),
        "first_exceptions": evidence.places[type, False]
        + ([] if as_list else evidence.places[type, True]),
    }
