"""The tables of archives as their page shows them; ``python -m tests.support.columns`` writes them.

The page has what ``tables.tsv`` says: after a change of a column it is written again.
"""

from __future__ import annotations

import re

from sgf_lark.schema.tables import SCHEMA_VERSION, tables

from .places import ROOT

FILE = ROOT / "sgf_lark" / "archive" / "README.md"

#: The tables of the page, and the number of their version.
_TABLES = re.compile(r"^### games\n.*?^(?=## )", re.MULTILINE | re.DOTALL)
_VERSION = re.compile(r"version [0-9]+ of the tables")


def described() -> str:
    """The tables with their columns."""
    lines: list[str] = []
    for table, columns in tables().items():
        lines += [f"### {table}", "", "| column | type | meaning |", "|---|---|---|"]
        lines += [
            f"| `{column.name}` | {column.type}{' or null' * column.nullable} | {column.meaning} |"
            for column in columns
        ]
        lines.append("")
    return "\n".join([*lines, ""])


def written(page: str) -> str:
    """A page with the tables and their version."""
    page = _VERSION.sub(f"version {SCHEMA_VERSION} of the tables", page)
    return _TABLES.sub(lambda _: described(), page)


if __name__ == "__main__":
    FILE.write_text(written(FILE.read_text(encoding="utf-8")), encoding="utf-8")
