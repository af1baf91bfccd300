"""What a message says, without its words: those are kept in ``tests/findings/messages.txt``."""

from __future__ import annotations

import sgf_lark


def message_of(code: str, text: str) -> str:
    """Return the message of the only finding of a rule in a text, as the library gives it."""
    (found,) = (one for one in sgf_lark.check(text.encode()) if one.code == code)
    return found.message


def unsaid(message: object, *parts: str) -> list[str]:
    """Return the parts that a message lacks: a value, a property, the form that is expected."""
    return [part for part in parts if part not in str(message)]
