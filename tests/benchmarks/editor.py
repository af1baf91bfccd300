"""What an editor waits for: ``python -m tests.benchmarks.editor WHAT FILE``.

Answers and edits are measured in this process, after a check of the file, in CPU time.  ``start``
is the process of a server from its start to the first diagnostics, ``imports`` is what that has
to do at least: import pygls, and check the file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sgf_lark

from .jobs import Job, Records, python

if TYPE_CHECKING:
    from sgf_lark.server.records import Record


def job(what: str, records: Records) -> Job:
    """Return the measuring of an answer, an edit or a start."""
    return Job(python("-m", "tests.benchmarks.editor", what, records.files[0]), measures=True)


def checked(text: str) -> Record:
    """Return a document as it is when its check is done."""
    from sgf_lark.server import server  # noqa: F401  # answers are registered by it
    from sgf_lark.server.document import Document
    from sgf_lark.server.records import Record
    from sgf_lark.settings.settings import Settings

    record = Record(Document("file:///a.sgf", text), Settings())
    record.document.content = record
    record.check(lambda: True)
    return record


def answer(method: str, text: str) -> float:
    """Return the time of an answer about the middle of a document, or a page there."""
    from lsprotocol import types

    record = checked(text)
    near = text.index("[", text.index(";B[", len(text) // 2)) + 1
    place = record.document.position(near)
    page = types.Range(types.Position(place.line, 0), types.Position(place.line + 60, 0))
    params: dict[str, Any] = {
        "hover": types.HoverParams(types.TextDocumentIdentifier(""), place),
        "completion": types.CompletionParams(types.TextDocumentIdentifier(""), place),
        "inlayHint": types.InlayHintParams(types.TextDocumentIdentifier(""), page),
    }
    function = record.answers[f"textDocument/{method}"]
    start = time.process_time()
    result = function(record, params[method])
    spent = time.process_time() - start
    assert result
    return spent


def edit(text: str) -> float:
    """Return the time of an edit of a document on one line, and of showing what the check finds."""
    from lsprotocol import types

    from sgf_lark.server.records import Record

    document = (old := checked(" ".join(text.split("\n")))).document
    place = document.position(len(text) // 2)
    change = types.TextDocumentContentChangePartial(range=types.Range(place, place), text=" ")
    start = time.process_time()
    document.apply_change(change)
    record = Record(document, old.settings)
    between = time.process_time()
    report = record.check(lambda: True)
    after = time.process_time()
    shown = record.diagnostics(report)
    spent = between - start + time.process_time() - after
    assert len(shown) == len(report.diagnostics)
    return spent


def message(method: str, params: Any, **more: Any) -> bytes:
    """Return a message of an editor."""
    data = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


def start(file: str) -> None:
    """Start a server, open a file, and end when there are diagnostics."""
    document = {"uri": Path(file).absolute().as_uri(), "languageId": "sgf", "version": 1}
    document["text"] = Path(file).read_text(encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "sgf_lark", "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(message("initialize", {"capabilities": {}}, id=1))
    process.stdin.write(message("initialized", {}))
    process.stdin.write(message("textDocument/didOpen", {"textDocument": document}))
    process.stdin.flush()
    said = b""
    while b"publishDiagnostics" not in said:
        length = 0
        while (line := process.stdout.readline().strip()) or not length:
            name, _, value = line.partition(b": ")
            length = int(value) if name == b"Content-Length" else length
            if process.poll() is not None:
                raise RuntimeError("the server ended")
        said = process.stdout.read(length)
    process.kill()
    process.wait(timeout=60)


def imports(file: str) -> None:
    """Import pygls, and check a file."""
    import pygls.lsp.server  # noqa: F401  # that is measured

    sgf_lark.check(file)


def main() -> None:
    """Do one thing, and print what it cost."""
    what, file = sys.argv[1:]
    cost: dict[str, float | str] = {}
    try:
        if what in {"start", "imports"}:
            {"start": start, "imports": imports}[what](file)
        else:
            text = Path(file).read_text(encoding="utf-8")
            cost["cold"] = edit(text) if what == "edit" else answer(what, text)
    except ModuleNotFoundError as error:
        cost["absent"] = f"not at hand: {error.name}"
    sys.stdout.write(json.dumps(cost) + "\n")


if __name__ == "__main__":
    main()
