"""Custom grammars as text, before anything is made of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple, Self


class GrammarSource(NamedTuple):
    """A custom grammar: its file, and the text of the file now.

    The text may change between two uses, so that the path alone does not identify it.
    """

    path: Path
    text: str

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> Self:
        """Read the file of a grammar.

        Raises:
            OSError: It cannot be read.
            UnicodeDecodeError: It is not text in UTF-8.
        """
        file = Path(path)
        return cls(file, file.read_text(encoding="utf-8-sig"))
