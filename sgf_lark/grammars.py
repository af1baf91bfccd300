"""The grammar files, loaded once and only when they are needed.

The only module that builds parsers.  A grammar file serves twice: its structure, where
white space between tokens is ignored, and its types of value, where white space belongs
to the value and nothing is ignored.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path

from lark import Lark
from lark.load_grammar import Grammar, load_grammar

from .engine import Scanner
from .parts import UntranslatableError


class Format(StrEnum):
    """A format version this package reads; FF[2] is read as FF[1]."""

    FF1 = "FF1"
    FF3 = "FF3"
    FF4 = "FF4"
    GGF = "GGF"

    @property
    def shown(self) -> str:
        """As people write it: ``FF[4]``."""
        return self.value if self is Format.GGF else f"FF[{self.value[2:]}]"

    @property
    def grammar(self) -> str:
        """Name of its grammar file, without the suffix."""
        return self.value.lower()


class Engine(StrEnum):
    """What reads texts.

    ``generated``: the scanner made from the grammar.  ``lark``: Lark itself, the reference.
    ``auto``: the first, if the grammar can be translated, else the second.  The result is
    the same.
    """

    AUTO = "auto"
    GENERATED = "generated"
    LARK = "lark"


@cache
def folder() -> Path:
    """Where the grammar files are: in the installed package, or in the checkout."""
    inside = Path(str(files(__package__))) / "grammars"
    return inside if inside.is_dir() else Path(__file__).parents[1] / "grammars"


@cache
def path(name: str | Path) -> Path:
    """The file of a shipped grammar (``"ff4"``, ``"games/go"``), or of one's own.

    Raises:
        FileNotFoundError: There is no such file.
    """
    for candidate in (folder() / f"{name}.lark", Path(name)):
        if candidate.is_file():
            return candidate
    known = ", ".join(sorted(file.stem for file in folder().glob("*.lark")))
    raise FileNotFoundError(f"no grammar {str(name)!r}: neither a file nor one of {known}")


@cache
def grammar(file: Path) -> Grammar:
    """A grammar file as Lark loads it, imports included, before any parser is built."""
    loaded: Grammar
    text = file.read_text(encoding="utf-8")
    loaded, _ = load_grammar(text, str(file), [], global_keep_all_tokens=False)  # type: ignore[no-untyped-call]
    return loaded


@cache
def structure(file: Path, start: str) -> Lark:
    """The parser for a whole text or a part of it, between whose tokens white space is free.

    Raises:
        lark.exceptions.GrammarError: The grammar has no such start symbol, or is ambiguous.
    """
    return Lark(grammar(file), parser="lalr", start=start)


@cache
def value(file: Path, start: str) -> Lark | None:
    """The parser for one type of value; None if the grammar file does not define it."""
    loaded = grammar(file)
    if all(str(rule[0]) != start for rule in loaded.rule_defs):
        return None
    bare = Grammar(loaded.rule_defs, loaded.term_defs, [])
    return Lark(bare, parser="lalr", start=start)


@cache
def scanner(file: Path, start: str, *, of_value: bool = False) -> Scanner | None:
    """The scanner made from a rule; None if there is none, or it cannot be translated."""
    parser = value(file, start) if of_value else structure(file, start)
    if parser is None:
        return None
    try:
        return Scanner(parser, start)
    except UntranslatableError:
        return None
