"""Output on a terminal, in which no name or content of a file controls the terminal.

Messages are printed by :func:`say`.  The result of a command, such as a record, is printed by
:func:`show`: unchanged into a pipe or a file, with control characters escaped on a terminal.
"""

from __future__ import annotations

import io
import os
import re
import sys

from sgf_lark.core import visible


def has_unicode(encoding: str | None) -> bool:
    """Return whether an encoding of an output has every character."""
    return (encoding or "").lower().replace("-", "") == "utf8"


def never_fail() -> None:
    """Write characters that the encoding of the terminal lacks as ``\\u56f2``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str, *, err: bool = False) -> None:
    sys.stdout.flush()  # what was shown before comes before
    stream = sys.stderr if err else sys.stdout
    stream.write(visible(text, keep="\t") + "\n")
    stream.flush()


def say_lines(text: str, *, err: bool = False) -> None:
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
