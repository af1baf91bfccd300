"""Edits of a text, and the fixes that they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sgf_lark.core.places import Span

from .diagnostic import Edit, Fix, new_edit, new_fix, shorten

if TYPE_CHECKING:
    from sgf_lark.core.model.readings import Reading


def make_fix(message: str, *edits: Edit, safe: bool = True, removes: bool = False) -> Fix:
    ordered = tuple(sorted(edits, key=lambda edit: edit.offset))
    return new_fix(message, ordered, safe=safe, removes=removes)


def insertion(at: int, text: str) -> Edit:
    return new_edit(at, at, text)


def deletion(span: Span) -> Edit:
    return new_edit(*span, "")


def substitution(span: Span, text: str) -> Edit:
    return new_edit(*span, text)


def show_values(prop: Reading, indices: Sequence[int]) -> str:
    """Return the property with some of its values, as titles of fixes quote them."""
    values = "".join(f"[{shorten(prop.raw[index], MAX_QUOTED)}]" for index in indices)
    return f"{prop.name}{values}"


#: Limit of a text in the title of the fix that removes it: 40 characters and an ellipsis.
MAX_QUOTED = 41
