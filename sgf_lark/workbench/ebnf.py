"""Translation of the notations of standards to Lark: Wirth's EBNF and that of ISO/IEC 14977.

The translation is mechanical, production by production and character by character, and
knows nothing of the shipped grammars, so that it can be compared with them.  The notations
are Lark grammars themselves (``grammars/notations``).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedInput
from lark.visitors import Transformer_NonRecursive

from sgf_lark.findings.errors import SgfSyntaxError
from sgf_lark.findings.finding import Finding
from sgf_lark.findings.report import Report
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.mismatch import mismatch, unexpected
from sgf_lark.grammar.source_text import span_of, walk


class Notation(StrEnum):
    """The notation of a standard's productions."""

    WIRTH = "wirth"
    ISO = "iso"


def from_ebnf(text: str, notation: Notation | str = Notation.WIRTH, name: str = "<string>") -> str:
    """Return a Lark grammar that accepts the same texts as a standard's productions.

    Each production is quoted above the rule that it becomes.

    Args:
        text: The productions.
        notation: Their notation.
        name: The name of the text in an error.

    Raises:
        SgfSyntaxError: They are not in that notation, or contain prose.
    """
    tree = _parsed(text, Notation(notation), name)
    parts = []
    for production in tree.children:
        if isinstance(production, Tree):
            span = span_of(production)
            quoted = " ".join(text[span.start : span.end].split())
            parts.append(f"//= {quoted}\n{_Translation().transform(production)}\n")
    return "\n".join(parts)


def rules(
    text: str, notation: Notation | str = Notation.WIRTH, name: str = "<string>"
) -> list[str]:
    """Return the same as bare rules, one for each production."""
    tree = _parsed(text, Notation(notation), name)
    return [
        str(_Translation().transform(production))
        for production in tree.children
        if isinstance(production, Tree)
    ]


def rule_name(name: str) -> str:
    """Return the name of a rule for Lark: ``prop_ident`` for ``PropIdent``."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name.strip())
    return re.sub(r"[ -]+", "_", parted).lower()


def _parsed(text: str, notation: Notation, name: str) -> Tree[Token]:
    parser = grammars.experiment(grammars.path(f"notations/{notation}"), "syntax")
    try:
        tree = parser.parse(text)
    except UnexpectedInput as error:
        raise _syntax_error(mismatch(error, parser, text), text, name) from None
    for part in walk(tree):
        if isinstance(part, Tree) and part.data in {"expression", "exception"}:
            prose = text[slice(*span_of(part))].strip("? ")
            if part.data == "exception" or not re.fullmatch(r"/.*/", prose):
                message = "this is prose, which has no translation"
                if part.data == "exception":
                    message = "an exception with '-' has no translation"
                help_ = "write a regular expression instead, such as  ?/[^]]/?"
                finding = unexpected(message, span_of(part), help_)
                raise _syntax_error(finding, text, name)
    return tree


def _syntax_error(finding: Finding, text: str, name: str) -> SgfSyntaxError:
    return SgfSyntaxError(Report.of(name, text, [finding]))


class _Translation(Transformer_NonRecursive[Token, Any]):
    """The transformer of productions; each method is one construct of the notations."""

    def production(self, children: list[str]) -> str:
        defined, body = children
        return f"{rule_name(defined.rstrip('= '))}: {body}"

    def alternatives(self, children: list[str]) -> str:
        return " | ".join(children)

    def sequence(self, children: list[str]) -> str:
        return " ".join(children)

    def name(self, children: list[str]) -> str:
        return rule_name(children[0])

    def text(self, children: list[str]) -> str:
        inside = children[0][1:-1]
        return f'"{_escaped(inside)}"' if inside else ""

    def range(self, children: list[str]) -> str:
        return "..".join(f'"{_escaped(literal[1:-1])}"' for literal in children)

    def expression(self, children: list[str]) -> str:
        return children[0].strip("? ")

    def repeated(self, children: list[str]) -> str:
        count, body = children
        return f"{body}~{count}"

    def option(self, children: list[str]) -> str:
        return f"({children[0]})?"

    def repetition(self, children: list[str]) -> str:
        return f"({children[0]})*"

    def group(self, children: list[str]) -> str:
        return f"({children[0]})"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
