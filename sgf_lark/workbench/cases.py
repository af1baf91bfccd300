"""Cases of a grammar: texts with their trees, or with the places of their errors.

A file of cases is in the notation of ``grammars/notations/cases.lark``::

    ==================
    A sum of two numbers
    ==================

    1+2

    ---

    (sum
      (number "1")
      (number "2"))

``:error 1:3`` below a name says that the grammar rejects the text there, ``:error`` that it does
so anywhere; ``:skip``, that the case is not tested.  One line break before a text and two after it
do not belong to it.  In a tree ``(NAME)`` is a terminal with any text.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from lark import Token, Tree

from sgf_lark.core import (
    File,
    Finding,
    LineIndex,
    Report,
    SgfSyntaxError,
    Span,
    grammars,
    new_edit,
    new_fix,
    register,
    shorten,
)
from sgf_lark.workbench.source_text import span_of

from .parse_state import Syntax, as_sexp, parse, tree_lines

FAILED_CASE = register("L712 failed-case error: a text without the tree or error of its case")

#: A name below its ruler, and a text between its rulers.
_NAME = re.compile(r"=+\s+(.*\S)\s+")
_TEXT = re.compile(r"=+\r?\n(?:\r?\n)?(.*?)(?:\r?\n){0,2}-+", re.DOTALL)


class GrammarCase:
    """A text, and the tree or the error that is expected."""

    def __init__(self, case: Syntax) -> None:
        tokens = [token for token in case.children if isinstance(token, Token)]
        known = {token.type: token for token in tokens}
        self.name, self.name_span = _inside(_NAME, known["NAME"])
        self.text, self.text_span = _inside(_TEXT, known["TEXT"])
        # the line and column of the error, such as 1:3; "" for any; None for a tree
        self.error = known["ERROR"].removeprefix(":error").strip() if "ERROR" in known else None
        self.is_skipped = "SKIP" in known
        self.tree = tokens[tokens.index(known["TEXT"]) + 1 :]
        self._ends = span_of(known["NAME"]).end, span_of(known["TEXT"]).end
        self._rest = span_of(known["TEXT"]).start, span_of(tokens[-1]).end

    def test(self, file: File, start: str) -> Finding | None:
        """Parse the text by a grammar; return the difference to what is expected, if any.

        The fix of the finding expects in the file what the grammar does.  That it rejects the text
        is expected only of a case that says ``:error``.
        """
        state = parse(self.text, file, start)
        error, tree, place = "", "", self.name_span
        if state.finding is not None:
            error = "{}:{}".format(*LineIndex(self.text).locate(state.finding.span.start))
            if self.error in {"", error}:
                return None
            place = state.finding.moved(self.text_span.start).span
            elsewhere = f"the error is at {error}, not at {self.error}: " if self.error else ""
            wrong = f"{elsewhere}{state.finding.message}"
        else:
            tree = "".join(as_sexp(state.tree, self.text)).strip() if state.tree else ""
            wrong, place = self._difference(state.tree)
            if self.error is not None:
                wrong, place = "expected an error, found none", self.name_span
        if not wrong:
            return None
        new = (f":error {error}\n" if error else ""), (f"\n\n{tree}" if tree else "")
        places = zip(self._ends, self._rest, new, strict=True)
        edits = [new_edit(*place) for place in places]
        fix = new_fix("expect what the grammar does", edits, safe=False)
        help_ = "correct the grammar; or, if this is right, let --update write it"
        if error and self.error is None:
            told = "write :error below the name" + (", and remove the tree" if self.tree else "")
            help_ = f"correct the grammar or the text; or, if this is right, {told}"
            return FAILED_CASE.found(f"{self.name}: {wrong}", place, help_)
        return FAILED_CASE.found(f"{self.name}: {wrong}", place, help_, fix=fix)

    def _difference(self, tree: Syntax | None) -> tuple[str, Span]:
        """Return the first difference of a tree to the expected one, and its place; "" for none."""
        place, end = self.name_span, "the end of the tree" if self.tree else "no tree"
        parts = (part.strip() for part in (as_sexp(tree, self.text) if tree else ()))
        names = (line.name for line in (tree_lines(tree) if tree else ()) if line.text is not None)
        for expected, found in zip_longest(self.tree, filter(None, parts), fillvalue=""):
            place = span_of(expected) if isinstance(expected, Token) else place
            same = {found, f"({next(names)})"} if found.startswith('"') else {found}
            if expected not in same:
                words = [f"'{shorten(piece)}'" if piece else end for piece in (expected, found)]
                return "expected {}, found {}".format(*words), place
        return "", place


def _inside(pattern: re.Pattern[str], token: Token) -> tuple[str, Span]:
    match = pattern.fullmatch(token)
    start, end = (0, 0) if match is None else match.span(1)
    offset = span_of(token).start
    return token[start:end], Span(offset + start, offset + end)


def read_cases(text: str, name: str = "<string>") -> list[GrammarCase]:
    """Return the cases of a file (SgfSyntaxError: it is not in the notation)."""
    state = parse(text, grammars.path("notations/cases"), "cases")
    if state.finding is not None:
        help_ = "a case is a name between two lines ===, a text, a line --- and a tree; or :error"
        raise SgfSyntaxError(Report.of(name, text, [state.finding._replace(help=help_)]))
    parts = state.tree.children if state.tree else ()
    return [GrammarCase(case) for case in parts if isinstance(case, Tree)]
