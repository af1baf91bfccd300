"""The catalogue of diagnostics: meaning, reason and fix of each.

Code, name, severity and summary of a rule are in :data:`.RULES`.  Its explanation is in the files
``catalogue/*.toml`` beside this module, one table a code, which are read on demand::

    [V301]
    meaning = "The finding in a sentence or two."
    why = "The rule of the standard, and the effect on programs that read the record."
    wrong = "(;FF[4]GM[1]SZ[19];B[zz9])"
    right = "(;FF[4]GM[1]SZ[19];B[pd])"
    fix = "The change that fixes the record."
    safe = "Why nothing else can be meant, where a finding of the rule has a safe fix."
    by_hand = "The reason why a person makes that change, where no finding of the rule has a fix."
    sources = ["FF[4], Go, Move"]

``wrong`` and ``right`` are complete records, one text or a list of texts; ``wrong_hex`` and
``right_hex`` are records in bytes.  ``format`` is the format of the examples, if they do not
declare it.  The examples are tests: each wrong one has this diagnostic and no other, each right
one has none.

In ``producers.toml`` the entries stand beside the habits of the programs that they are about.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, StringConstraints

from sgf_lark.core.schema.frozen import Frozen

from .finding import RULES, Rule

Sentence = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class Entry(Frozen):
    """The entry of one rule in the catalogue.

    Attributes:
        why: The reason: the rule of the standard, or the effect.
        fix: The change that fixes the record.
        safe: Why nobody who knows the game could have meant something else than the safe fixes
            write; "" if no finding has one.
        by_hand: The reason why no finding has a fix; "" if one has, if nothing is to be changed,
            and for what is no fault of a record.
        sources: Documents and their sections.
        wrong, right: Records that break and keep the rule.
        wrong_hex, right_hex: Such records as bytes, in hexadecimal digits.
        format: The format of the examples; "" if they declare it.
    """

    code: str
    meaning: Sentence
    why: Sentence
    fix: Sentence
    sources: Annotated[tuple[Sentence, ...], BeforeValidator(_listed)]
    safe: str = ""
    by_hand: str = ""
    wrong: Texts = ()
    right: Texts = ()
    wrong_hex: Texts = ()
    right_hex: Texts = ()
    format: str = ""

    @property
    def rule(self) -> Rule:
        """The rule that the entry explains."""
        return next(rule for rule in RULES.values() if rule.code == self.code)


@cache
def catalogue() -> dict[str, Entry]:
    """Return every entry by its code, in the order of RULES; ValueError for an invalid file."""
    entries: dict[str, Entry] = {}
    for file in sorted(Path(__file__).with_name("catalogue").glob("*.toml")):
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        own = file.name == "producers.toml"
        for code, table in _of_producers(tables) if own else tables.items():
            if code in entries:
                raise ValueError(f"{file.name}: {code} has two entries")
            entries[code] = Entry(code=code, **table)
    order = [rule.code for rule in RULES.values()]
    return {code: entries[code] for code in sorted(entries, key=[*order, *entries].index)}


def _of_producers(programs: dict[str, dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Codes and entries of programs that have a rule; their habits may be the meaning."""
    for program in programs.values():
        if "rule" in program:
            texts = [
                habit["text"].format(
                    property=", ".join(habit["properties"]), format="older formats"
                )
                for habit in program["habits"]
            ]
            meaning = " ".join(f"{text[0].upper()}{text[1:]}." for text in texts)
            yield RULES[program["rule"]].code, {"meaning": meaning, **program["entry"]}


def table(rules: Iterable[Rule] | None = None) -> str:
    """Return some or all rules as a table in Markdown, one a line, with an anchor for each code."""
    head = ["| code | name | severity | finding |", "|---|---|---|---|"]
    rows = [
        f"| <a id='{rule.code}'></a>{rule.code} | `{rule.name}`"
        f" | {rule.severity}{', strict' * rule.strict} | {rule.summary} |"
        for rule in (RULES.values() if rules is None else rules)
    ]
    return "\n".join([*head, *rows])


def catalogue_page() -> str:
    """Return the URI of the installed page with :func:`table`; "" as in an archive."""
    page = Path(__file__).parent / "catalogue" / "README.md"
    return page.resolve().as_uri() if page.is_file() else ""


def rule_page(code: str, site: str | None = None) -> str:
    """Return the address of the page on a rule: of a ``site``, else of :func:`catalogue_page`."""
    if site:
        return f"{site.rstrip('/')}/rules/{code}.html"
    page = catalogue_page()
    return f"{page}#{code}" if page else ""
