"""The process of the server: it ends as the editor says, and nothing but messages is printed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from support.places import ROOT

pytestmark = pytest.mark.elsewhere


def message(method: str, params: Any = None, **more: Any) -> bytes:
    """A message of an editor; a request if it has an ``id``."""
    body = {"jsonrpc": "2.0", "method": method, "params": params, **more}
    data = json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


def talk(*messages: bytes) -> tuple[int, list[dict[str, Any]], str]:
    """Return exit code, answers and standard error of a process that gets some messages."""
    started = message("initialize", {"capabilities": {}}, id=0), message("initialized", {})
    done = subprocess.run(
        [sys.executable, "-m", "sgf_lark", "server"],
        cwd=ROOT,
        input=b"".join([*started, *messages]),
        capture_output=True,
        check=False,
        timeout=60,
    )
    parts = done.stdout.split(b"Content-Length: ")[1:]
    answers = [json.loads(part.partition(b"\r\n\r\n")[2]) for part in parts]
    return done.returncode, answers, done.stderr.decode()


@pytest.mark.night
def test_the_process_ends_as_the_editor_says() -> None:
    code, answers, errors = talk(message("shutdown", id=1), message("exit"))

    assert (code, errors) == (0, "")
    assert [one["id"] for one in answers] == [0, 1]


@pytest.mark.night
def test_the_process_closes_a_document_that_was_not_opened_and_ends_with_the_editor() -> None:
    closed = message("textDocument/didClose", {"textDocument": {"uri": "file:///a.sgf"}})
    code, answers, errors = talk(closed)

    assert (code, errors) == (0, "")
    assert [one.get("method", one.get("id")) for one in answers] == [
        0,
        "textDocument/publishDiagnostics",
    ]
