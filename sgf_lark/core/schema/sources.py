"""Custom grammars as text, before anything is made of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple, Self


class GrammarSource(NamedTuple):
    """A custom grammar: its file, and the text of the file now."""

    path: Path
    text: str

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> Self:
        """Read the file of a grammar."""
        file = Path(path)
        return cls(file, file.read_text(encoding="utf-8-sig"))
