"""Productions of the standards, and how they turn into Lark grammars of their own.

The translation is that of :mod:`sgf_lark.workbench.ebnf`, which knows nothing of
``grammars/*.lark`` and can be compared with them.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

from sgf_lark.workbench.ebnf import from_ebnf, rule_name
from support.places import ROOT

__all__ = ["Notation", "Production", "defined_by", "productions", "rule_name", "translate"]

#: A full stop ends each production (Wirth: FF[1] and FF[3]), or the line does (FF[4], GGF).
Notation: TypeAlias = Literal["stopped", "plain"]

STANDARDS = ROOT / "tests" / "grammar" / "standards"


class Production(NamedTuple):
    """One line of the print.

    Attributes:
        name: What it defines, in the words of the print: ``GameTree``, ``elist of``.
        line: The whole line.
    """

    name: str
    line: str


def productions(standard: str) -> list[Production]:
    """The productions of ``standards/<standard>.ebnf``, in the order of the file."""
    text = (STANDARDS / f"{standard}.ebnf").read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    return [Production(defined_by(line), line) for line in lines]


def defined_by(line: str) -> str:
    """What a production defines: the words before its ``=`` or ``:``, without quotes."""
    return re.split(r" *[=:]", line, maxsplit=1)[0].strip("'")


def translate(line: str, notation: Notation) -> str:
    """One production as a rule of Lark.

    Raises:
        ValueError: The line is not written in the notation.
    """
    if (notation == "stopped") != line.endswith("."):
        raise ValueError(f"a full stop is missing, or too much: {line}")
    _, rule = from_ebnf(line).splitlines()
    return rule
