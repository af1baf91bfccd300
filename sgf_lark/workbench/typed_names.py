"""Parts of the typed grammar that need no reader: names, and expressions of sets of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from sgf_lark.core import File, grammars, ident_of

#: Limit of an identifier in characters whose long names are tried.
MAX_LONG_NAME = 3


def text_expression(file: File) -> str | None:
    """Return the expression of any text between the brackets of a value.

    None if the grammar writes values in its own way.
    """
    inside = re.fullmatch(
        r"(\(\?s:|)\\\[(.*)\\\](\)?)", grammars.terminal(file, "PROP_VALUE") or ""
    )
    return None if inside is None else f"(?s:{inside[2]})"


def name_expression(file: File, ident: str) -> str | None:
    """Return the expression of the spellings of a property name.

    None if the grammar accepts no such name.  Lower case characters do not count where the
    grammar allows them anywhere in it: ``AddBlack`` is AB.
    """
    pattern = grammars.terminal(file, "PROP_IDENT")
    if pattern is None:
        return None
    accepts = re.compile(pattern).fullmatch
    if accepts(ident) is None:
        return None
    gaps = product(("", "a", "abcxyz" * 20), repeat=min(len(ident), MAX_LONG_NAME) + 1)
    long = ("".join(map("".join, zip(gap, (*ident, ""), strict=True))) for gap in gaps)
    if len(ident) <= MAX_LONG_NAME and all(
        accepts(name) and ident_of(name) == ident for name in long
    ):
        return "[a-z]*+" + "".join(f"{char}[a-z]*+" for char in ident)
    return ident


def words_expression(words: Iterable[str]) -> str:
    """Return an expression of some words that tries a longer one first.

    Words that go on alike share their expression: 1 to 19 become ``(?>1[0-9]?+|[2-9])``.
    """
    rests: dict[str, set[str]] = {}
    for word in words:
        rests.setdefault(word[:1], set()).add(word[1:])
    may_end = rests.pop("", None) is not None
    alike: dict[str, str] = {}
    for char, after in rests.items():
        expression = "" if after == {""} else words_expression(after)
        alike[expression] = alike.get(expression, "") + char
    options = [_class(chars) + expression for expression, chars in alike.items()]
    if not may_end and len(options) == 1:
        return options[0]
    return f"(?>{'|'.join(options)})" + ("?+" if may_end else "")


def _class(chars: str) -> str:
    """Return an expression of one of some characters."""
    codes = sorted(map(ord, chars))
    if len(codes) == 1:
        return re.escape(chars)
    spans: list[list[int]] = []
    for code in codes:
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return "[" + "".join(_span(first, last) for first, last in spans) + "]"


def _span(first: int, last: int) -> str:
    low, high = re.escape(chr(first)), re.escape(chr(last))
    return low if first == last else f"{low}{'-' if last > first + 1 else ''}{high}"
