"""The cases: texts, and how the standards have them read.

A chapter is a file of ``cases``, a case a line of JSON::

    {"id": "...", "title": "a sentence", "clause": "document, section", "covers": ["tag", ...],
     "format": "FF[4]", "game": "Go", "bytes": "(;FF[4])", "readings": [reading, ...]}

``base64`` stands for ``bytes`` where they are no text in UTF-8; ``needs`` has parts of the
protocol that a program must claim.  A case that the standard leaves open says so in ``open``, and
has the readings that are allowed; any other case has one reading::

    {"valid": true, "trees": [tree, ...], "values": {"0.1.B": [16, 4]}, "effective": {"0.1.PM": 1},
     "boards": {"0.1": ["..X", ...]}, "faults": [{"kind": "value", "from": [1, 9], "to": [1, 13]}]}
"""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "cases"

#: Version of the cases: the first number grows when a reading changes, the second when cases come.
VERSION = "1.0"

#: Chapters in their order.
CHAPTERS = tuple((FOLDER / "chapters.txt").read_text(encoding="utf-8").split())

#: Kinds of faults.
KINDS = ("syntax", "identifier", "structure", "property", "value", "list", "encoding")

#: Most characters of a text that is shown.
MAX_LINE = 100


class Case(NamedTuple):
    """A text and its readings.

    Attributes:
        format: The format that the text is in: FF[1], FF[3], FF[4] or GGF.
        game: The game, by its name in the standard.
        is_open: The reason why the standard allows several readings; "" if it does not.
        needs: Parts that a program must claim, or the case says nothing about it.
    """

    id: str
    title: str
    clause: str
    covers: tuple[str, ...]
    format: str
    game: str
    data: bytes
    readings: tuple[dict[str, Any], ...]
    is_open: str = ""
    needs: tuple[str, ...] = ()

    @property
    def chapter(self) -> str:
        return self.id.rpartition("-")[0]

    @property
    def line(self) -> str:
        """Its text on a line, with escapes as those of JSON, cut to :data:`MAX_LINE`."""
        text = json.dumps(self.data.decode(errors="replace"), ensure_ascii=False)[1:-1]
        text = "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)
        return text if len(text) <= MAX_LINE else f"{text[: MAX_LINE - 3]}..."

    @property
    def suffix(self) -> str:
        """The end of the name of its file."""
        return ".ggf" if self.format == "GGF" else ".sgf"


def read_case(line: str) -> Case:
    """Read a case from its line.

    Raises:
        KeyError: It lacks a part.
        TypeError: It has one that cases do not have.
    """
    made = json.loads(line)
    data = made.pop("bytes").encode() if "bytes" in made else b64decode(made.pop("base64"))
    made["is_open"] = made.pop("open", "")
    parts: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in made.items()
    }
    return Case(data=data, **parts)


@cache
def read_chapter(chapter: str) -> tuple[Case, ...]:
    """Return the cases of a chapter."""
    text = (FOLDER / f"{chapter}.jsonl").read_text(encoding="utf-8")
    return tuple(map(read_case, text.splitlines()))


def all_cases() -> tuple[Case, ...]:
    """Return the cases of all chapters."""
    return tuple(case for chapter in CHAPTERS for case in read_chapter(chapter))
