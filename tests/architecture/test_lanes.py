"""No test hangs, wherever the tests run."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support import lanes
from support.places import ROOT

#: What starts a process and waits for its end, and methods that wait for one, or for a thread.
STARTS = {f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output")}
WAITS = {"communicate", "wait", "join"}


def endless(tree: ast.AST) -> list[int]:
    """The lines of the calls that wait and have no time limit."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (
            ast.unparse(node.func) in STARTS
            or ast.unparse(node.func) == "request.urlopen"
            or (node.func.attr in WAITS and not node.args)
        )
        and "timeout" not in {word.arg for word in node.keywords}
    ]


def test_every_test_has_a_time_limit(request: pytest.FixtureRequest) -> None:
    limit = request.node.get_closest_marker("timeout")

    assert request.config.pluginmanager.has_plugin("timeout")
    assert request.config.getini("timeout") == "120"
    assert (limit is not None) == lanes.is_night()


def test_whoever_waits_for_a_process_or_a_thread_says_how_long() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    found = {file: endless(ast.parse(file.read_bytes())) for file in files}

    assert [f"{file.relative_to(ROOT)}:{line}" for file in files for line in found[file]] == []


@pytest.mark.parametrize(
    ("call", "is_endless"),
    [
        ("subprocess.run(['x'], check=True)", True),
        ("subprocess.check_output(['x'], timeout=9)", False),
        ("process.communicate()", True),
        ("thread.join(timeout=9)", False),
        ("process.wait(9)", False),
        ("', '.join(names)", False),
    ],
)
def test_a_call_without_a_limit_is_seen(call: str, is_endless: bool) -> None:  # noqa: FBT001
    assert bool(endless(ast.parse(call))) is is_endless


@pytest.mark.night
@pytest.mark.parametrize(
    ("waits", "workers", "said"),
    [
        ("subprocess.run(['sleep', '99'])", 1, "crashed while running"),
        ("threading.Event().wait()", 0, "Timeout"),
        ("server.accept()", 0, "Timeout"),
    ],
)
def test_a_test_that_hangs_is_ended(tmp_path: Path, waits: str, workers: int, said: str) -> None:
    (tmp_path / "test_it.py").write_text(
        "import socket, subprocess, threading\nserver = socket.create_server(('127.0.0.1', 0))\n"
        f"def test_it() -> None:\n    {waits}\n",
        encoding="utf-8",
    )
    options = [
        *("-p", "no:cacheprovider"),
        f"-n{workers}",
        "-otimeout=1",
        "-otimeout_method=thread",
    ]
    ended = subprocess.run(  # noqa: S603  # our own Python
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert ended.returncode == 1
    assert said in ended.stdout + ended.stderr


def test_ctrl_c_interrupts_tests_that_run_in_the_background() -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
