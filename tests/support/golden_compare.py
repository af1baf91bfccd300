"""What differs between two records: by kind, by code of findings, and the first one in full."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from difflib import unified_diff
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from .golden_record import Full, Line

#: The lines of one difference that are shown, at most, and the characters of one line.
MAX_LINES = 60
MAX_COLUMNS = 1000

#: A line of more characters is shown in parts: fields of JSON, elements of SVG.
LONG = 120
_PARTS = re.compile(r'(?<=,)(?=\s?")|(?<=>)(?=<)')

#: The names of texts that are listed for a kind, at most.
MAX_NAMES = 5


class Record:
    """A record in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        lines = (folder / "hashes.jsonl").read_text(encoding="utf-8").splitlines()
        self.lines = {line.name: line for line in (Line(**json.loads(one)) for one in lines)}
        self.about: dict[str, Any] = json.loads((folder / "about.json").read_text())

    def full(self, name: str) -> Full:
        """Return a text in full."""
        return _read(self.folder / "outputs" / self.lines[name].file)[name]


@lru_cache(maxsize=4)
def _read(file: Path) -> Mapping[str, Full]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return {full.name: full for full in (Full(**json.loads(line)) for line in lines)}


class Difference(NamedTuple):
    """One kind of one text that differs.

    Attributes:
        kind: The kind.
        name: Of the text.
        text: The text.
        before, after: What the records have.
    """

    kind: str
    name: str
    text: str
    before: str
    after: str

    def diff(self) -> str:
        """Return what differs, as a unified diff of lines and of parts of long ones."""
        before, after = ([*_short_lines(side)] for side in (self.before, self.after))
        lines = [*unified_diff(before, after, "before", "after", lineterm="", n=2)]
        shown = [_start(line) for line in lines[:MAX_LINES]]
        more = [f"... {len(lines) - MAX_LINES} more lines"] if len(lines) > MAX_LINES else []
        return "\n".join([*shown, *more])

    def __str__(self) -> str:
        return f"---- {self.kind}: {self.name}\n{_start(self.text)}\n{self.diff()}\n"


def _short_lines(output: str) -> Iterator[str]:
    """Yield lines; long ones of JSON and SVG in parts, so that a difference shows its place."""
    for line in output.splitlines():
        yield from _PARTS.split(line) if len(line) > LONG else [line]


def _start(text: str) -> str:
    return text if len(text) <= MAX_COLUMNS else text[:MAX_COLUMNS] + " ..."


def differences(before: Record, after: Record, kinds: Iterable[str] = ()) -> Iterator[Difference]:
    """Yield what differs of the texts that both records have, in the order of their names."""
    for name, old in before.lines.items():
        new = after.lines.get(name)
        if new is None or new.text != old.text:
            continue
        wanted = [
            kind
            for kind in dict.fromkeys(chain(old.kinds, new.kinds))
            if old.kinds.get(kind) != new.kinds.get(kind) and (not kinds or kind in kinds)
        ]
        if wanted:
            one, other = before.full(name), after.full(name)
            for kind in wanted:
                yield Difference(
                    kind,
                    name,
                    one.text,
                    *(full.kinds.get(kind, "(not recorded)") for full in (one, other)),
                )


def compare(
    before: Record, after: Record, *, kinds: Iterable[str] = (), show: int = 1
) -> Iterator[str]:
    """Yield the lines of a report; the first one says whether all is the same."""
    found: dict[str, list[Difference]] = defaultdict(list)
    count: Counter[str] = Counter()
    names: dict[str, list[str]] = defaultdict(list)
    codes: dict[str, dict[str, Changes]] = defaultdict(dict)
    for one in differences(before, after, [*kinds]):
        count[one.kind] += 1
        if len(names[one.kind]) < MAX_NAMES:
            names[one.kind].append(one.name)
        if len(found[one.kind]) < show:
            found[one.kind].append(one)
        for code, changes in by_code(one).items():
            codes[one.kind].setdefault(code, Changes()).add(changes)
    yield from _about(before, after)
    yield f"{sum(count.values())} differences" if count else "no differences"
    for kind, number in count.most_common():
        more = ", ..." * (number > len(names[kind]))
        yield f"{kind}: {number} texts ({', '.join(names[kind])}{more})"
        yield from (f"  {code} {changes}" for code, changes in sorted(codes[kind].items()))
    for kind in count:
        yield from map(str, found[kind])


def _about(before: Record, after: Record) -> Iterator[str]:
    yield f"{before.about['commit'][:10]} with {after.about['commit'][:10]}"
    one, other = before.lines, after.lines
    both = one.keys() & other.keys()
    parts = {
        "texts in both": len(both),
        "only before": len(one.keys() - both),
        "only after": len(other.keys() - both),
        "of the same name and other texts": sum(
            one[name].text != other[name].text for name in both
        ),
    }
    yield ", ".join(f"{number} {what}" for what, number in parts.items() if number)


# ---- findings by their codes, and rows ----


class Changes:
    """What happened to findings of a code, or to rows: gone, new, or other in some fields."""

    def __init__(self) -> None:
        self.gone = self.new = self.changed = self.texts = 0
        self.fields: Counter[str] = Counter()

    def add(self, other: Changes) -> None:
        """Add those of a text."""
        self.gone += other.gone
        self.new += other.new
        self.changed += other.changed
        self.texts += 1
        self.fields += other.fields

    def __str__(self) -> str:
        fields = ", ".join(f"{name} {number}" for name, number in self.fields.most_common())
        parts = [
            f"{self.gone} gone" if self.gone else "",
            f"{self.new} new" if self.new else "",
            f"{self.changed} changed ({fields})" if self.changed else "",
        ]
        return f"{', '.join(filter(None, parts))}, in {self.texts} texts"


def by_code(one: Difference) -> dict[str, Changes]:
    """Return what happened to the findings of each code, or to rows, that differ in a text."""
    old, new = (Counter(side.splitlines()) for side in (one.before, one.after))
    gone, come = _objects(old - new), _objects(new - old)
    return {code: _changes(gone[code], come[code]) for code in {**gone, **come}}


def _objects(lines: Counter[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the lines that are objects of JSON, by their codes."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in lines.elements():
        if line.startswith('{"'):
            with suppress(ValueError):
                value = json.loads(line)
                found[value.get("code", "rows")].append(value)
    return found


def _changes(gone: list[dict[str, Any]], come: list[dict[str, Any]]) -> Changes:
    """Compare what is gone with what is new, one by one in their order."""
    changes = Changes()
    changes.changed = min(len(gone), len(come))
    changes.gone, changes.new = len(gone) - changes.changed, len(come) - changes.changed
    for one, other in zip(gone, come, strict=False):
        fields = one.keys() | other.keys()
        changes.fields.update(key for key in fields if one.get(key) != other.get(key))
    return changes
