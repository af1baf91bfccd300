"""The formats, the engines that read them, and the texts of custom grammars."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Literal, NamedTuple, Never, Self, TypeAlias

#: The names of formats that type checkers know; :meth:`Format.named` accepts them in any case.
FormatName: TypeAlias = Literal[
    "ff1", "ff2", "ff3", "ff4", "ggf",
    "FF1", "FF2", "FF3", "FF4", "GGF",
    "FF[1]", "FF[2]", "FF[3]", "FF[4]",
]  # fmt: skip


class Format(StrEnum):
    """A format version this package reads; FF[2] is read as FF[1]."""

    FF1 = "FF1"
    FF3 = "FF3"
    FF4 = "FF4"
    GGF = "GGF"

    @classmethod
    def named(cls, name: str) -> Format:
        """Return a format by its name in any case; ``FF2`` is FF[1].

        Raises:
            ValueError: There is no such format.
        """
        plain = name.upper().replace("[", "").replace("]", "")
        if plain not in {*cls, "FF2"}:
            raise ValueError(f"no format {name!r}: there are {', '.join(cls)}")
        return cls("FF1" if plain == "FF2" else plain)

    @property
    def shown(self) -> str:
        """The name for people: ``FF[4]``."""
        return self.value if self is Format.GGF else f"FF[{self.digit}]"

    @property
    def digit(self) -> str:
        """The value of FF; nothing to use of GGF, which has no FF."""
        return self.value[2:]

    @property
    def grammar(self) -> str:
        """The name of its grammar file, without the suffix."""
        return self.value.lower()


#: The formats of other programs whose records are read as games of FF[4], and the ends of the names
#: of their files.
FOREIGN = {"NGF": (".ngf",), "UGF": (".ugf", ".ugi"), "GIB": (".gib",), "MAT": (".mat",)}

#: The names of those that users have added, whose records may begin as games do.
ADDED: set[str] = set()


class Engine(StrEnum):
    """The parser of texts.

    ``lark`` is Lark itself, the reference.  ``generated`` and ``auto`` are the same: the generated
    parser, and Lark where the grammar cannot be translated.  The result is the same.
    """

    AUTO = "auto"
    GENERATED = "generated"
    LARK = "lark"

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise ValueError(f"no engine {value!r}: there are {', '.join(cls)}")


#: The values of :class:`Engine`, as texts.
EngineName: TypeAlias = Literal["auto", "generated", "lark"]


class GrammarSource(NamedTuple):
    """A custom grammar: its file, and the text of the file now."""

    path: Path
    text: str

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> Self:
        """Read the file of a grammar."""
        file = Path(path)
        return cls(file, file.read_text(encoding="utf-8-sig"))
