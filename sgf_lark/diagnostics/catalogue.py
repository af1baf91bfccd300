"""The catalogue of diagnostics: what each means, why, and how it is put right.

Code, name, severity and summary of a rule stand in :data:`~sgf_lark.diagnostics.RULES`.
What people read about it stands in the files ``catalogue/*.toml`` beside this module, one
table a code, and is read when somebody asks::

    [V301]
    meaning = "What the finding says, in a sentence or two."
    why = "What the standard says, and what a program does that meets such a record."
    wrong = "(;FF[4]GM[1]SZ[19];B[zz9])"
    right = "(;FF[4]GM[1]SZ[19];B[pd])"
    fix = "How a person puts it right."
    sources = ["FF[4], Go, Move"]

``wrong`` and ``right`` are whole records, one text or a list of texts; those that are no
text are bytes in ``wrong_hex`` and ``right_hex``.  ``format`` is what the examples are read
as, where they do not say so themselves.  The examples are tests: each wrong one gives its
diagnostic and nothing else, each right one gives nothing.

In ``producers.toml`` the entries stand beside the habits of the programs that they are about.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints

from .rules import RULES, Rule

Sentence = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]


def _listed(value: object) -> object:
    """One text counts as a list of one."""
    return [value] if isinstance(value, str) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class Entry(BaseModel):
    """What the catalogue says of one rule.

    Attributes:
        code: Of its rule, which :attr:`rule` gives.
        meaning: What a finding says.
        why: What the standard says, or what comes of it.
        fix: How to put it right.
        sources: Documents and their sections.
        wrong, right: Records that break and keep the rule.
        wrong_hex, right_hex: The same for records that are bytes, in hexadecimal digits.
        format: What the examples are read as; "" for what they say themselves.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str
    meaning: Sentence
    why: Sentence
    fix: Sentence
    sources: Annotated[tuple[Sentence, ...], BeforeValidator(_listed)]
    wrong: Texts = ()
    right: Texts = ()
    wrong_hex: Texts = ()
    right_hex: Texts = ()
    format: str = ""

    @property
    def rule(self) -> Rule:
        """Its code, name, severity and summary."""
        return next(rule for rule in RULES.values() if rule.code == self.code)

    @property
    def wrong_examples(self) -> tuple[str | bytes, ...]:
        """Whole records, each of which has this one thing wrong with it."""
        return (*self.wrong, *map(bytes.fromhex, self.wrong_hex))

    @property
    def right_examples(self) -> tuple[str | bytes, ...]:
        """Whole records in which nothing is wrong."""
        return (*self.right, *map(bytes.fromhex, self.right_hex))


@cache
def catalogue() -> dict[str, Entry]:
    """Every entry by its code, in the order of :data:`~sgf_lark.diagnostics.RULES`.

    Raises:
        ValueError: A file of the catalogue is not as it should be.
    """
    found: dict[str, Entry] = {}
    for file in sorted((files(__package__) / "catalogue").iterdir(), key=lambda one: one.name):
        if not file.name.endswith(".toml"):
            continue
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        own = file.name == "producers.toml"
        for code, table in _of_producers(tables) if own else tables.items():
            if code in found:
                raise ValueError(f"{file.name}: {code} has two entries")
            found[code] = Entry(code=code, **table)
    order = [rule.code for rule in RULES.values()]
    return {code: found[code] for code in sorted(found, key=[*order, *found].index)}


def _of_producers(programs: dict[str, dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Codes and entries of programs that have a rule; their habits may be the meaning."""
    for program in programs.values():
        if "rule" in program:
            texts = [
                one["text"].format(property=", ".join(one["properties"]))
                for one in program["habits"]
            ]
            meaning = " ".join(f"{text[0].upper()}{text[1:]}." for text in texts)
            yield RULES[program["rule"]].code, {"meaning": meaning, **program["entry"]}


def table(rules: Iterable[Rule] = tuple(RULES.values())) -> str:
    """Rules as a table of Markdown, one a line."""
    head = ["| code | name | severity | what it is |", "|---|---|---|---|"]
    rows = [
        f"| {rule.code} | `{rule.name}` | {rule.severity}{', strict' * rule.strict}"
        f" | {rule.summary} |"
        for rule in rules
    ]
    return "\n".join([*head, *rows])
