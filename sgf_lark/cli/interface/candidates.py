"""Values that completion offers.

A person waits for them: the functions import neither models nor grammars where they can do
without.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

#: Encodings that records usually have.
ENCODINGS = (
    *("utf-8", "utf-16", "latin-1", "cp1252", "gb18030", "big5", "shift_jis", "euc-jp"),
    *("iso2022_jp", "euc-kr", "cp949", "koi8-r", "cp1251"),
)


class Candidate(NamedTuple):
    """A value that a word can go on to, and its summary."""

    value: str
    help: str = ""


def rules(incomplete: str) -> list[Candidate]:
    """Return selectors of rules; those of ``V301,wr`` go on after the comma."""
    done, comma, last = incomplete.rpartition(",")
    fitting = (item for item in _rules(last) if item.value.startswith(last))
    return [Candidate(done + comma + item.value, item.help) for item in fitting]


def topics(incomplete: str) -> list[Candidate]:
    """Return what ``explain`` explains: rules, groups, properties."""
    properties = _properties() if incomplete else ()
    rules = (item for item in _rules(incomplete) if item.value != "ALL")
    return [item for item in (*rules, *properties) if item.value.startswith(incomplete)]


def grammars(incomplete: str) -> list[Candidate]:
    """Return the shipped grammars, and the files of grammars."""
    from sgf_lark.grammar import loader

    names = (name for name in loader.names() if name.startswith(incomplete))
    return [*(Candidate(name, "grammar") for name in names), *_files(incomplete, ".lark")]


def encodings(incomplete: str) -> list[str]:
    """Return the encodings that records usually have."""
    return [name for name in ENCODINGS if name.startswith(incomplete.lower())]


def columns(incomplete: str) -> list[Candidate]:
    """Return columns of the table of games; those of ``black,wh`` go on after the comma."""
    from sgf_lark.schema.tables import tables

    done, comma, last = incomplete.rpartition(",")
    rows = (row for row in tables()["games"] if row.name.startswith(last))
    return [Candidate(done + comma + row.name, row.meaning) for row in rows]


def one_of(*values: str) -> Callable[[str], list[str]]:
    """Return a function that offers some of the values of an option, which has others, too."""

    def offer(incomplete: str) -> list[str]:
        return [value for value in values if value.startswith(incomplete)]

    return offer


def _rules(incomplete: str) -> Iterator[Candidate]:
    """Yield groups; after the first character also codes and names, from the page of the rules."""
    from importlib.resources import files

    from sgf_lark.diagnostics.finding import GROUPS

    yield Candidate("ALL", "all rules")
    for letter, group in GROUPS.items():
        yield Candidate(group, f"rules {letter}...")
    page = (files("sgf_lark.diagnostics") / "catalogue" / "README.md").read_text(encoding="utf-8")
    for code, name, summary in _ROW.findall(page) if incomplete else ():
        yield Candidate(code, summary)
        yield Candidate(name, summary)


#: A rule of the table: code, name and summary.
_ROW = re.compile(r"</a>(\w+) \| `([\w-]+)` \|[^|]*\| (.*) \|\n")


def _properties() -> Iterator[Candidate]:
    """Yield identifiers and names of properties, from their table."""
    from importlib.resources import files

    table = (files("sgf_lark.schema") / "properties.tsv").read_text(encoding="utf-8")
    names = {tuple(row.split("\t")[2:4]) for row in table.splitlines()[1:]}
    for ident, name in sorted(names):
        yield Candidate(ident, name)
        if " " not in name:
            yield Candidate(name, f"property {ident}")


def _files(incomplete: str, suffix: str) -> Iterable[Candidate]:
    """Return the files of a suffix, and the folders, that a path can go on to."""
    folder = incomplete.rpartition("/")[0]
    try:
        entries = sorted(os.scandir(folder or "."), key=lambda entry: entry.name)
    except OSError:
        return []
    paths = [(f"{folder}/" if folder else "") + entry.name for entry in entries]
    found = zip(paths, entries, strict=True)
    return [
        Candidate(path + "/" * entry.is_dir())
        for path, entry in found
        if path.startswith(incomplete) and (entry.is_dir() or path.endswith(suffix))
    ]
