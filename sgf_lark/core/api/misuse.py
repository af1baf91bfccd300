"""Errors that say what a caller meant: a record in the place of a path, and the other way round."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable
from typing import Any

from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.errors import SgfSyntaxError

#: A text that begins as games do.
_RECORD = re.compile(r"\s*\(\s*;")

#: A text that looks like the path of a file.
_PATH = re.compile(r"[^\n(;\[]{0,1000}\.\w{1,5}")


def require_source(source: object) -> None:
    """Raise TypeError for what is neither a path nor a file that can be read."""
    if isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        return
    meant = "loads() reads bytes" if isinstance(source, bytes | bytearray) else ""
    raise TypeError(
        f"expected a path or a file that is open for reading, not {_kind(source)}"
        f"{meant and '; '}{meant}"
    )


def require_text(source: object) -> None:
    """Raise TypeError for what is neither text nor bytes."""
    if isinstance(source, str | bytes | bytearray):
        return
    is_source = isinstance(source, os.PathLike) or hasattr(source, "read")
    meant = "; load() reads paths and files" if is_source else ""
    raise TypeError(f"expected the text or the bytes of a record, not {_kind(source)}{meant}")


def require_archive(archive: object) -> None:
    """Raise TypeError for the path of an archive: it has to be open."""
    if isinstance(archive, str | os.PathLike):
        path = os.fspath(archive)
        raise TypeError(f"expected an Archive: sgf_lark.archive.read({path!r}) opens it")


def require_bytes(data: object) -> None:
    """Raise TypeError for what is no bytes."""
    if not isinstance(data, bytes | bytearray):
        raise TypeError(
            f"expected the bytes of a file, not {_kind(data)}: path.read_bytes(), text.encode()"
        )


def require_paths(paths: object) -> None:
    """Raise TypeError for what cannot be iterated, and for one path: it would be characters."""
    if isinstance(paths, str | bytes | os.PathLike) or not isinstance(paths, Iterable):
        raise TypeError(
            f"expected paths such as Path('games').rglob('*.sgf'), not one {_kind(paths)}"
        )


def _kind(thing: object) -> str:
    return "None" if thing is None else type(thing).__name__


def name_path_fault(source: Any, error: OSError | ValueError) -> Exception:
    """Return the error about a path that cannot be opened, in place of Python's."""
    text = os.fspath(source)
    if isinstance(text, str) and _RECORD.match(text):
        message = "No such file; this is the text of a record: loads() reads it, check() its bytes"
        return FileNotFoundError(errno.ENOENT, message, shorten(text))
    if isinstance(error, IsADirectoryError):
        message = "This is a folder; load_many() reads the files that Path.rglob() finds in it"
        return IsADirectoryError(errno.EISDIR, message, text)
    return error


def name_text_fault(error: SgfSyntaxError) -> SgfSyntaxError:
    """Return the error about a text, which may be the path of a file."""
    report = error.report
    if error.first.name != "no-game-record" or not _PATH.fullmatch(report.text.strip()):
        return error
    finding = error.first.model_copy(
        update={
            "message": "this is not a game record but looks like a path, which load() reads",
            "help": "use load() for a file",
        }
    )
    others = tuple(one for one in report.diagnostics if one is not error.first)
    return SgfSyntaxError(report.model_copy(update={"diagnostics": (finding, *others)}))
