"""Finders that tests make up, and what is found with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain, count

import pytest

import sgf_lark
from sgf_lark.core.check import judge
from sgf_lark.core.model.finders import FINDERS, Finder, FinderTable
from sgf_lark.core.schema.formats import EngineName
from sgf_lark.core.schema.properties import PropertyRule, PropertyTable


def put_among(patch: pytest.MonkeyPatch, finders: Iterable[Finder]) -> None:
    """Put made-up finders after those that there are."""
    for name, value in vars(FinderTable([*FINDERS.all, *finders])).items():
        patch.setattr(FINDERS, name, value)


def findings(text: str, table: PropertyTable, engine: EngineName = "auto") -> list[str]:
    """Return all findings of who loads and of who checks."""
    loaded = sgf_lark.loads(text, strict=False, table=table, engine=engine).diagnostics
    checked = sgf_lark.check(StringIO(text), table=table, engine=engine, max_diagnostics=0)
    return [repr(one) for one in chain(loaded, ["checked:"], checked)]


def pass_over_nothing(patch: pytest.MonkeyPatch) -> None:
    """Let every finder look at all nodes: none is passed over."""
    patch.setattr(judge, "find_suspects", lambda *_, **__: None)
    patch.setattr(FINDERS, "needed", lambda *_, **__: None)


def findings_of_all(text: str, table: PropertyTable) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        pass_over_nothing(patch)
        return findings(text, table)


def new_table(numbers: Iterator[int] = count()) -> PropertyTable:  # noqa: B008  # one for all
    """Return a table that no case before had: rule sets are kept by their tables."""
    name = "Z" + "".join(chr(ord("A") + int(digit)) for digit in str(next(numbers)))
    row = PropertyRule(format="FF4", ident=name, name="made up", type="text")
    return PropertyTable.standard().extend(row)
