"""What the cases cover: productions, rows of the table of properties, types, clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from .cases import FOLDER, Case

_ROOT = Path(__file__).parents[2]

#: Formats that have cases, by the names of their grammars.
FORMATS = {"ff1": "FF[1]", "ff3": "FF[3]", "ff4": "FF[4]", "ggf": "GGF"}


def targets() -> Iterator[str]:
    """Yield the tags that cases have to have."""
    for name in FORMATS:
        text = (_ROOT / f"grammars/{name}.lark").read_text(encoding="utf-8")
        for symbol in re.findall(r"^//= *'?([A-Za-z ]+?)'? *(?:=|:\s)", text, re.MULTILINE):
            yield f"production:{name}:{symbol.replace(' ', '-')}"
    for format_, game, ident, type_ in _rows():
        yield f"row:{format_}:{game}:{ident}"
        yield f"type:{format_}:{type_}"
    for line in (FOLDER / "clauses.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        yield f"clause:{line.split(maxsplit=1)[0]}"


def _rows() -> Iterator[tuple[str, str, str, str]]:
    """Yield format, game, identifier and type of each row of the table of properties."""
    text = (_ROOT / "sgf_lark/core/schema/properties.tsv").read_text(encoding="utf-8")
    for line in text.splitlines()[1:]:
        format_, game, ident, _, _, type_, *_ = line.split("\t")
        if format_.lower() in FORMATS:
            yield format_, game.replace(" ", "-"), ident, type_


def missing(cases: Iterable[Case]) -> list[str]:
    """Return the tags that no case has."""
    types = {
        f"row:{format_}:{game}:{ident}": f"type:{format_}:{type_}"
        for format_, game, ident, type_ in _rows()
    }
    covered = {tag for case in cases for tag in case.covers}
    covered |= {types[tag] for tag in covered if tag in types}
    return [tag for tag in dict.fromkeys(targets()) if tag not in covered]
