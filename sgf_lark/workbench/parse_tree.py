"""Parse trees of any text by any grammar."""

from __future__ import annotations

from pathlib import Path

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from sgf_lark.core import Report, SgfSyntaxError, grammars, mismatch
from sgf_lark.workbench.source_text import experiment

from .lint import check_grammar


def parse_tree(
    text: str, grammar: str | Path = "ff4", *, start: str | None = None, name: str = "<string>"
) -> Tree[Token]:
    """Parse a text by a grammar without any repair.

    White space is free if the rule belongs to what the first rule of the grammar is made of,
    and counts if the rule is a type of value.

    Args:
        text: A game record, or whatever the grammar is for.
        grammar: A shipped grammar (``"ff1"``, ``"ff3"``, ``"ff4"``, ``"ggf"``,
            ``"games/go"`` ...) or the path of a custom one.
        start: The rule to begin with; the first one of the file if None.
        name: The name of the text in an error.

    Returns:
        Lark's tree.  Tokens know their place: ``token.start_pos``, ``token.end_pos``.

    Raises:
        SgfSyntaxError: The grammar rejects the text.
        SgfGrammarError: The grammar is not well made.
        FileNotFoundError: There is no such grammar.
        LookupError: The grammar has no such rule.
    """
    file = check_grammar(grammars.source(grammar), [start] if start else [])
    parser = experiment(file, grammars.rule(file, start))
    try:
        return parser.parse(text)
    except UnexpectedInput as error:
        finding = mismatch(error, parser, text)
    raise SgfSyntaxError(Report.of(name, text, [finding]))
