"""The small record, which lies in the repository: hashes of the samples and of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .golden_kinds import KINDS, TABLES, say, say_rows
from .golden_record import digest, require_own_package
from .golden_texts import Text, examples, samples
from .places import ROOT

FILE = ROOT / "tests" / "support" / "golden_small.txt"

#: Hexadecimal digits of a hash: one of 65,536 changes is not seen here, but in a full record.
DIGITS = 4

_HEAD = ("text", *KINDS, *(f"rows of {table}" for table in TABLES))


def small_texts() -> Iterator[Text]:
    """Yield the texts of the small record."""
    yield from samples(ROOT)
    yield from examples()


def write_small() -> None:
    """Write the small record of this checkout."""
    require_own_package()
    texts = [*small_texts()]
    rows = say_rows(texts)
    lines = ["\t".join(("name", *_HEAD))]
    for one in texts:
        said = {each.kind: each.output for each in (*say(one), *rows[one.name])}
        lines.append("\t".join((one.name, *hashes(one, said))))
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_small() -> dict[str, Mapping[str, str]]:
    """Return the hashes of each text, by its name and the kind; its own as that of ``text``."""
    head, *lines = (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return {name: dict(zip(head[1:], found, strict=True)) for name, *found in lines}


def hashes(one: Text, said: Mapping[str, str]) -> list[str]:
    """Return the short hashes of a text and of what is recorded of it, in the order of a line."""
    outputs = (said.get(kind, "") for kind in _HEAD[1:])
    return [
        short(one.data),
        *(short(output.encode("utf-8", "surrogatepass")) for output in outputs),
    ]


def short(data: bytes) -> str:
    """Return a hash as the small record has it."""
    return digest(data)[:DIGITS]
