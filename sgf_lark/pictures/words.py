"""Words of pages in several languages: ``words.tsv`` has a column for each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

LANGUAGES, *_ROWS = (
    line.split("\t")
    for line in Path(__file__).with_name("words.tsv").read_text(encoding="utf-8").splitlines()
)

#: The words of a pattern in each language, by the English pattern.
WORDS = {row[0]: dict(zip(LANGUAGES, row, strict=True)) for row in _ROWS}

#: The language in which pages are written now.
LANGUAGE = ContextVar("LANGUAGE", default="en")


def word(pattern: str, *values: object) -> str:
    """Return words of a page in its language, with values in the places of ``{}``."""
    return WORDS[pattern][LANGUAGE.get()].format(*values)


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Write pages in a language (ValueError: there are no words in it)."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}: expected {', '.join(LANGUAGES)}")
    token = LANGUAGE.set(language)
    try:
        yield
    finally:
        LANGUAGE.reset(token)
