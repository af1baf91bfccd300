"""The tables of known programs, as they should be: each mistake in one has its place."""

from __future__ import annotations

import re
import tomllib
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, TypeAdapter, model_validator

from sgf_lark import RULES
from sgf_lark.core.check.producers import PRIVATE
from sgf_lark.core.findings.finding import Severity
from sgf_lark.core.schema.frozen import Frozen
from sgf_lark.core.schema.properties import PropertyTable


def _known_rule(name: str) -> str:
    if name not in RULES:
        raise ValueError(f"no rule has the name {name!r}")
    return name


RuleName = Annotated[str, AfterValidator(_known_rule)]


def _names_property(text: str) -> str:
    try:
        text.format(property="", format="")
    except (LookupError, ValueError) as error:
        raise ValueError("{property} and {format} are all that it may name") from error
    return text


class HabitTable(Frozen):
    properties: tuple[str, ...]
    text: Annotated[str, AfterValidator(_names_property)]
    rules: tuple[RuleName, ...] = PRIVATE
    facts: dict[Literal["value", "setup", "sign", "beside"], re.Pattern[str]] = {}  # noqa: RUF012
    alone: bool = False
    once: bool = False
    severity: Severity | None = None
    pardons: bool = False
    kind: str = ""


class ProducerTable(Frozen):
    rule: RuleName | None = None
    entry: dict[str, Any] | None = None
    signs: dict[str, tuple[str, ...]] = {}  # noqa: RUF012  # pydantic copies it
    comments: dict[str, re.Pattern[str]] = {}  # noqa: RUF012
    habits: tuple[HabitTable, ...] = ()

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        known = {rule.ident for rule in PropertyTable.standard()}
        known.update(*(habit.properties for habit in self.habits if habit.rules == PRIVATE))
        for ident in (*self.signs, *(ident for habit in self.habits for ident in habit.properties)):
            if ident not in known:
                raise ValueError(f"no table and no habit about private properties has {ident}")
        if (self.rule is None) != (self.entry is None):
            raise ValueError("a rule and its entry go together")
        return self


def check_tables(text: str) -> dict[str, ProducerTable]:
    """Return the tables of a text in TOML.

    Raises:
        ValueError: A table is not as it should be; the message names the place.
    """
    return TypeAdapter(dict[str, ProducerTable]).validate_python(tomllib.loads(text))
