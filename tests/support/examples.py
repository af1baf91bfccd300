"""The examples of the catalogue of findings."""

from __future__ import annotations

from sgf_lark.core.findings.catalogue import Entry


def wrong_examples(entry: Entry) -> tuple[str | bytes, ...]:
    """Complete records, each with the finding of the entry and no other."""
    return (*entry.wrong, *map(bytes.fromhex, entry.wrong_hex))


def right_examples(entry: Entry) -> tuple[str | bytes, ...]:
    """Complete records without findings."""
    return (*entry.right, *map(bytes.fromhex, entry.right_hex))
