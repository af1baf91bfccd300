"""Words of messages: names and numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable

#: Characters of a name in a message.
MAX_NAME = 30


def visible(text: str, keep: str = "") -> str:
    r"""Return a text as one line, control characters but ``keep`` escaped as ``\n``, ``\x1b``."""
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


def nearest(word: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Return the names that somebody may have meant, the likeliest first.

    Those that begin with the word come first, then those with which it begins, then those that are
    two letters away at most, or one if they are short.  Case and dashes in front do not count.
    """
    plain = word.lower().lstrip("-")
    ranks: dict[str, tuple[int, int]] = {}
    for name in known:
        other = name.lower().lstrip("-")
        if other.startswith(plain) and len(plain) > 1:
            ranks[name] = 0, len(other)
        elif plain.startswith(other) and len(other) >= _SHORT:
            ranks[name] = 1, -len(other)
        else:
            distance = _distance(plain, other)
            if distance <= (1 if min(len(plain), len(other)) < _SHORT + 1 else 2):
                ranks[name] = 2 + distance, len(other)
    return sorted(ranks, key=ranks.__getitem__)[:most]


#: Letters of a word that a longer one may mean, and of one in which two mistakes are too many.
_SHORT = 4


def _distance(one: str, other: str) -> int:
    """Return how many letters are wrong, missing, needless or exchanged; 3 for more than 2."""
    if abs(len(one) - len(other)) > 2:  # noqa: PLR2004
        return 3
    before: list[int] = []
    last = [*range(len(other) + 1)]
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, there in enumerate(other, 1):
            cost = min(line[-1] + 1, last[column] + 1, last[column - 1] + (letter != there))
            is_turned = row > 1 < column and one[row - 2] == there and letter == other[column - 2]
            line.append(min(cost, before[column - 2] + 1) if is_turned else cost)
        before, last = last, line
    distance: int = min(last[-1], 3)
    return distance


def plural(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 file``, ``2 files``."""
    return f"{count} {noun}{'s'[: count != 1]}"


def reason(error: OSError | ValueError) -> str:
    """Return the reason of an error as a part of a sentence: ``permission denied``."""
    words = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return words[:1].lower() + words[1:]
