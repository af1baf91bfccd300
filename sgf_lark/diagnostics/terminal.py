"""What is printed: nothing that a file holds, or is called, commands the terminal.

Messages go through :func:`say` in every case.  What a command makes, such as a record, goes
through :func:`show`: exact into a pipe or a file, and visible on a terminal.
"""

from __future__ import annotations

import io
import re
import sys
import unicodedata


def visible(text: str, keep: str = "") -> str:
    r"""A text for one line of a terminal: control characters are written as ``\n``, ``\x1b``.

    Args:
        text: The text.
        keep: Characters that stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(
        char
        if char.isprintable() or char in keep or unicodedata.category(char) == "Zs"
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def plural(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 file``, ``2 files``."""
    return f"{count} {noun}{'s'[: count != 1]}"


def never_fail() -> None:
    """Write letters that the terminal's encoding lacks as ``\\u56f2``."""
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
    """Print lines, of which the text has made sure that each is one."""
    for line in text.split("\n"):
        say(line, err=err)


def show(result: str | bytes) -> None:
    """Print what a command has made, exactly as it is; on a terminal, so that it does no harm."""
    if sys.stdout.isatty():
        text = result if isinstance(result, str) else result.decode("utf-8", "backslashreplace")
        sys.stdout.write(visible(text.replace("\r\n", "\n"), keep="\n\t"))
    elif isinstance(result, str):
        sys.stdout.write(result)
    else:
        sys.stdout.flush()  # what was written before as text comes first
        sys.stdout.buffer.write(result)
        sys.stdout.buffer.flush()


_UNSEEN = re.compile(r"[^\x00-\x7e]")


def visible_json(text: str) -> str:
    r"""JSON that says the same, with ``\u009b`` for characters that nobody sees."""
    return text if text.isprintable() else _UNSEEN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
