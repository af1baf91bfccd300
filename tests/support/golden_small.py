"""The small record, which lies in the repository: hashes of the samples and of the catalogue.

``python -m tests.support.accept`` writes it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import sgf_lark

from .golden_kinds import KINDS, TABLES, Said, say, say_rows
from .golden_texts import Text, examples, samples
from .places import ROOT

FILE = ROOT / "tests" / "support" / "golden_small.txt"

#: Hexadecimal digits of a hash: one of 65,536 changes is not seen.
DIGITS = 4

#: All kinds are compared of every twentieth text by day, of the others the findings.
EVERY = 20

#: The characters that are shown of what a text says now.
MAX_SHOWN = 2000

_HEAD = ("bytes", *KINDS, *(f"rows of {table}" for table in TABLES))


def small_texts() -> Iterator[Text]:
    """Yield the texts of the small record."""
    yield from samples(ROOT)
    yield from examples()


def say_all(texts: Sequence[Text]) -> Iterator[tuple[Text, list[Said]]]:
    """Yield each text, and what is recorded of it in all kinds."""
    rows = say_rows(texts)
    for one in texts:
        yield one, [*say(one), *rows[one.name]]


def recorded() -> str:
    """Return the small record of this checkout."""
    assert Path(sgf_lark.__file__).is_relative_to(ROOT), "that is an installed package"
    lines = [("name", *_HEAD)]
    for one, said in say_all([*small_texts()]):
        found = {each.kind: short(each.output) for each in said}
        lines.append((one.name, short(one.data), *(found.get(kind, "-") for kind in _HEAD[1:])))
    return "".join("\t".join(line) + "\n" for line in lines)


def read_small() -> dict[str, Mapping[str, str]]:
    """Return the hashes of each text, by its name and the kind; its own is that of ``bytes``."""
    head, *lines = (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return {name: dict(zip(head[1:], found, strict=True)) for name, *found in lines}


def differences(known: Mapping[str, Mapping[str, str]], texts: Iterable[Text]) -> Iterator[str]:
    """Yield a line or more for each text that is not as it is known."""
    every = [*texts]
    some = every[::EVERY]
    said = {one.name: many for one, many in say_all(some)}
    for one in every:
        before = known.get(one.name)
        if before is None or before["bytes"] != short(one.data):
            yield f"{one.name}: {'is new' if before is None else 'is another text'}"
            continue
        now = said.get(one.name) or say(one, ["findings"])
        other = [each for each in now if before[each.kind] != short(each.output)]
        if other:
            kinds = ", ".join(each.kind for each in other)
            yield f"{one.name}: other {kinds}\n{one.data!r}\n{other[0].output[:MAX_SHOWN]}"


def short(data: bytes | str) -> str:
    """Return a hash as the small record has it."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:DIGITS]
