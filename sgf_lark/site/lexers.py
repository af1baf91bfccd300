"""Lexers of Pygments for records, grammars and productions, from the terminals of the grammars."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pygments import token
from pygments.lexer import Lexer

from sgf_lark.core import grammars
from sgf_lark.workbench.coverage import productions

#: The grammars by the names of the languages; the names of FF[1] are the longest ones.
GRAMMARS = {"sgf": "ff1", "lark": "notations/lark", "ebnf": "notations/wirth"}

#: The kinds of tokens, by terminals.
KINDS = {
    **dict.fromkeys(("PROP_VALUE", "STRING", "REGEXP"), token.String),
    **dict.fromkeys(("PROP_IDENT", "RULE", "NEW_PRODUCTION"), token.Name.Function),
    **dict.fromkeys(("TERMINAL", "NAME"), token.Name.Constant),
    **dict.fromkeys(("_OPEN", "_CLOSE", "_SEMICOLON", "OPERATOR", "_BAR"), token.Keyword),
    "COMMENT": token.Comment,
}


class GrammarLexer(Lexer):  # type: ignore[misc]  # no types are published
    """A lexer that knows the terminals of a grammar; other text has no kind."""

    def __init__(self, language: str) -> None:
        super().__init__()
        patterns = productions(grammars.path(GRAMMARS[language])).patterns
        known = [name for name in KINDS if name in patterns]
        self._kinds = [KINDS[name] for name in known]
        self._tokens = re.compile("|".join(f"({patterns[name].to_regexp()})" for name in known))

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, object, str]]:
        """Yield offset, token and characters, for all characters of a text."""
        end = 0
        for match in self._tokens.finditer(text):
            yield end, token.Text, text[end : match.start()]
            yield match.start(), self._kinds[(match.lastindex or 0) - 1], match[0]
            end = match.end()
        yield end, token.Text, text[end:]
