"""The formats of other programs, and which of them a file has.

A format is a subclass of :class:`.RecordTransformer`: a grammar, whose rule ``sign`` says how its
records begin, and rows, which say which header becomes which property.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.core import ADDED, FOREIGN, File, Finding, Tape, grammars, late

if TYPE_CHECKING:
    from .transformer import RecordTransformer


class ForeignFormat(NamedTuple):
    """A format of another program.

    Attributes:
        name: Its name: ``"NGF"``.
        grammar: Its grammar.
        suffixes: The ends of the names of its files, in lower case.
        module: The module of its transformer, whose class is imported when it is needed.
    """

    name: str
    grammar: File
    suffixes: tuple[str, ...]
    module: str
    transformer: type[RecordTransformer] | None = None

    def load(self) -> type[RecordTransformer]:
        """Return its transformer."""
        if self.transformer is not None:
            return self.transformer
        own: type[RecordTransformer] = getattr(import_module(self.module), self.name.title())
        return own


@cache
def known_formats() -> dict[str, ForeignFormat]:
    """Return the formats by their names."""
    shipped = [
        ForeignFormat(name, grammars.path(name.lower()), suffixes, f"{__package__}.{name.lower()}")
        for name, suffixes in FOREIGN.items()
    ]
    return {one.name: one for one in shipped}


def register_format(transformer: type[RecordTransformer]) -> None:
    """Read the records of one more format, in this process: by load, check, convert and all others.

    Args:
        transformer: A subclass of :class:`.RecordTransformer`.

    Raises:
        FileNotFoundError: There is no such grammar.
        SgfGrammarError: The grammar has errors.
        LookupError: It has no rule ``sign``.
    """
    kinds = [kind for _, _, kind in transformer.rows or ()]
    file = late.check_grammar(grammars.source(transformer.grammar), ["sign", *kinds])
    name = grammars.rule(file, "sign") and transformer.name
    known_formats()[name] = ForeignFormat(name, file, transformer.suffixes, "", transformer)
    _sign(file)
    ADDED.add(name)


def find_format(text: str) -> ForeignFormat | None:
    """Return the format of a record, by how it begins; None for SGF, GGF and all others."""
    head = text[:LONGEST_HEAD]
    is_game = head.lstrip().startswith("(")  # but for one that a user has added
    names = ADDED if is_game else known_formats()
    known = map(known_formats().__getitem__, names)
    return next((one for one in known if _sign(one.grammar).match(head)), None)


#: The characters at the beginning of a text by which its format is known.
LONGEST_HEAD = 1 << 12


@cache
def _sign(file: File) -> re.Pattern[str]:
    return re.compile("|".join(grammars.terminals(file, "sign", ignored=False).values()))


def choose_codec(data: bytes) -> str | None:
    """Return the codec of a record of another format; None for SGF, GGF and all others."""
    found = find_format(data[:LONGEST_HEAD].decode("latin-1"))
    return None if found is None else found.load().choose_codec(data)


def read_foreign(text: str) -> tuple[list[Tape], list[Finding]]:
    """Read a record of another format.

    Returns:
        Its games; and the findings about what no game has.
    """
    found = find_format(text)
    return ([], []) if found is None else found.load().read(text)
