"""Productions of the standards, and how they turn into Lark grammars of their own.

The translation is mechanical, rule by rule, one character at a time, so that it knows
nothing of ``grammars/*.lark`` and can be compared with them.

Notation: ``"..."`` stands for itself, without escapes; ``[...]`` option, ``{...}``
repetition, ``(...)`` group, ``|`` or, ``"A".."Z"`` a range of characters, and, only in
readings, ``?/.../?`` a regular expression for one character.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from lark import Lark, Token, Transformer, v_args

#: A full stop ends each production (Wirth: FF[1] and FF[3]), or the line does (FF[4], GGF).
Notation: TypeAlias = Literal["stopped", "plain"]

STANDARDS = Path(__file__).parent / "standards"

EBNF = Lark(
    r"""
    stopped: NAME "=" alternatives "."   -> production
    plain: NAME "=" alternatives         -> production
    alternatives: sequence ("|" sequence)*
    sequence: _part+
    _part: name | text | range | one_of | option | repetition | group
    name: NAME
    text: STRING
    range: STRING ".." STRING
    one_of: REGEXP
    option: "[" alternatives "]"
    repetition: "{" alternatives "}"
    group: "(" alternatives ")"
    NAME: /[A-Za-z]+/
    STRING: /"[^"]*"/
    REGEXP: /\?\/.*?\/\?/
    %ignore " "
    """,
    parser="lalr",
    start=["stopped", "plain"],
)


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


def rule_name(name: str) -> str:
    """``PropIdent`` as Lark wants it, ``prop_ident``; ``List of point``, ``list_of_point``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).replace(" ", "_").lower()


def translate(line: str, notation: Notation) -> str:
    """One production as a rule of Lark.

    Raises:
        lark.exceptions.UnexpectedInput: The line is not written in the notation.
    """
    return str(_Translation().transform(EBNF.parse(line, start=notation)))


@v_args(inline=True)
class _Translation(Transformer[Token, str]):
    def production(self, name: str, body: str) -> str:
        return f"{rule_name(name)}: {body}"

    def alternatives(self, *sequences: str) -> str:
        return " | ".join(sequences)

    def sequence(self, *parts: str) -> str:
        return " ".join(parts)

    def name(self, name: str) -> str:
        return rule_name(name)

    def text(self, string: str) -> str:
        return "" if string == '""' else string.replace("\\", "\\\\")

    def range(self, first: str, last: str) -> str:
        return f"{first}..{last}"

    def one_of(self, regexp: str) -> str:
        return regexp.strip("?")

    def option(self, body: str) -> str:
        return f"({body})?"

    def repetition(self, body: str) -> str:
        return f"({body})*"

    def group(self, body: str) -> str:
        return f"({body})"
