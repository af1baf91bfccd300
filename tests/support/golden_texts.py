"""The texts of the golden record: the sample records, and the examples of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Text(NamedTuple):
    """A text, and its name in the record.

    Attributes:
        name: Such as ``records/ff3.sgf``, ``catalogue/V301/wrong/1``.
        data: Its bytes.
        format: The format as which it is read; None for the one that it declares.
    """

    name: str
    data: bytes
    format: str | None = None


def samples(root: Path) -> Iterator[Text]:
    """Yield the sample records of the project."""
    for file in sorted((root / "tests" / "records").iterdir()):
        yield Text(f"records/{file.name}", file.read_bytes())


def examples() -> Iterator[Text]:
    """Yield the examples of the catalogue: the only texts that belong to the package."""
    from sgf_lark.core.findings.catalogue import catalogue  # no public name leads to the examples

    for code, entry in catalogue().items():
        # That of a conversion is the one to which its examples are converted.
        format_ = entry.format if entry.rule.group != "conversion" else ""
        for kind, texts, digits in (
            ("wrong", entry.wrong, entry.wrong_hex),
            ("right", entry.right, entry.right_hex),
        ):
            shown: tuple[str | bytes, ...] = (*texts, *map(bytes.fromhex, digits))
            for number, example in enumerate(shown, 1):
                data = example.encode() if isinstance(example, str) else example
                yield Text(f"catalogue/{code}/{kind}/{number}", data, format_ or None)
