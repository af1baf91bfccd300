"""Words of messages: names and numbers as people read them."""

from __future__ import annotations

#: Characters of a name in a message.
MAX_NAME = 30


def visible(text: str, keep: str = "") -> str:
    r"""Return a text as one line, with control characters escaped as ``\n``, ``\x1b``.

    Args:
        keep: Characters that are not escaped.
    """
    if text.isprintable():
        return text
    import unicodedata

    return "".join(
        char
        if char.isprintable() or char in keep or unicodedata.category(char) == "Zs"
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def name_in_words(name: str) -> str:
    r"""Return a name of a file as messages show it without quotes: short, escaped as ``\x1b``."""
    return visible(
        name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "\N{HORIZONTAL ELLIPSIS}"
    )


def plural(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 file``, ``2 files``."""
    return f"{count} {noun}{'s'[: count != 1]}"


def reason(error: OSError | ValueError) -> str:
    """Return the reason of an error as a part of a sentence: ``permission denied``."""
    words = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return words[:1].lower() + words[1:]
