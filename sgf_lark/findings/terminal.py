"""Output on a terminal, in which no name or content of a file controls the terminal.

Messages are printed by :func:`say`.  The result of a command, such as a record, is printed by
:func:`show`: unchanged into a pipe or a file, with control characters escaped on a terminal.
"""

from __future__ import annotations

import io
import os
import re
import sys

#: Characters of a name in a message.
MAX_NAME = 30


def visible(text: str, keep: str = "") -> str:
    r"""Return a text as one line, with control characters escaped as ``\n``, ``\x1b``.

    Args:
        text: The text.
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


def has_unicode(encoding: str | None) -> bool:
    """Return whether an encoding of an output has every character."""
    return (encoding or "").lower().replace("-", "") == "utf8"


def never_fail() -> None:
    """Write characters that the encoding of the terminal lacks as ``\\u56f2``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str, *, err: bool = False) -> None:
    """Print a line."""
    sys.stdout.flush()  # what was shown before comes before
    stream = sys.stderr if err else sys.stdout
    stream.write(visible(text, keep="\t") + "\n")
    stream.flush()


def say_lines(text: str, *, err: bool = False) -> None:
    """Print each line of a text."""
    for line in text.split("\n"):
        say(line, err=err)


def show(result: str | bytes) -> None:
    """Print the result of a command: unchanged, but escaped on a terminal."""
    if sys.stdout.isatty():
        text = result if isinstance(result, str) else result.decode("utf-8", "backslashreplace")
        sys.stdout.write(visible(text.replace("\r\n", "\n"), keep="\n\t"))
    elif isinstance(result, str):
        sys.stdout.write(result)
    else:
        sys.stdout.flush()  # what was written before as text comes first
        sys.stdout.buffer.write(result)
        sys.stdout.buffer.flush()


def discard_output() -> None:
    """Send the output that Python still buffers to the null device, or its flush at exit fails."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_UNSEEN = re.compile(r"[^\x00-\x7e]")


def visible_json(text: str) -> str:
    r"""Return the same JSON with unprintable characters escaped as ``\u009b``."""
    return text if text.isprintable() else _UNSEEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    import unicodedata

    char = match[0]
    if char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
