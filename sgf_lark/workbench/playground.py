"""The playground: a page to edit a grammar and a text, with all results updated.

Served to this machine alone, below a path that nobody can guess.  The page loads nothing from
elsewhere, and its headers forbid it.
"""

from __future__ import annotations

import json
import secrets
import signal
import socket
import threading
from importlib.resources import files
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, cast

import uvicorn
from railroad import DEFAULT_STYLE
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from sgf_lark.api.pipeline import read_games
from sgf_lark.diagnostics.diagnostic import Diagnostic
from sgf_lark.diagnostics.errors import SgfGrammarError
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.lint import for_records, grammar_report
from sgf_lark.grammar.loader import Source
from sgf_lark.grammar.source_text import grammar_text
from sgf_lark.grammar.time_limit import CHARACTERS_PER_SECOND, too_long
from sgf_lark.places import LineIndex
from sgf_lark.schema.properties import PropertyTable
from sgf_lark.values.dialect import Dialect

from . import trees
from .diagrams import diagram_of
from .parse_state import State, parse

#: This machine, and nobody else.
HOST = "127.0.0.1"

#: Limit of a question in bytes.
_MAX_QUESTION = 1 << 21

#: Limits of the shown findings, and of the shown tree in characters.
_MAX_FINDINGS, _MAX_TREE = 50, 200_000

#: Seconds for an answer about a short text; a longer one has more.
SECONDS = 10.0

#: Limit of cached grammars in questions: each keystroke asks one.
_MAX_CACHED_QUESTIONS = 100


# ---- the answer about a grammar and a text ----


def answer(grammar: str, text: str, start: str = "", cursor: int = 0) -> dict[str, Any]:
    """Return everything that the page shows.

    Args:
        grammar: Of a file in Lark's notation.
        text: To parse by it.
        start: The rule to begin with; "" for the first one.
        cursor: The place of the cursor in the grammar: the definition there is drawn.
    """
    try:
        return _answer(grammar, text, start, cursor)
    except RecursionError:
        return _no_answer("the grammar cannot be tried: its rules nest too deep inside each other")


def _no_answer(status: str) -> dict[str, Any]:
    return {"status": status, "kind": "error", "findings": []}


def _answer(grammar: str, text: str, start: str, cursor: int) -> dict[str, Any]:
    file = Source(Path("playground.lark"), grammar)
    report = grammar_report(file)
    findings = [_finding("grammar", diagnostic) for diagnostic in report]
    if report.errors:
        return {
            "status": "the grammar cannot be used",
            "kind": "error",
            "findings": findings[:_MAX_FINDINGS],
        }
    rules = [rule for rule in grammars.rules(file) if not rule.startswith("_")]
    start = start if start in rules else rules[0]
    if start != rules[0]:
        report = grammar_report(file, frozenset([start]))
        findings = [_finding("grammar", diagnostic) for diagnostic in report]
    common = {"rules": rules, "start": start, **_draw(file, cursor)}
    if report.errors:
        status = f"{start} cannot be begun with"
        return common | {"status": status, "kind": "error", "findings": findings[:_MAX_FINDINGS]}
    state = parse(text, file, start)
    findings += [_finding("text", diagnostic) for diagnostic in _list_faults(text, file, state)]
    partial = state.partial
    tree = "" if partial is None else _shortened("".join(trees.as_text(partial, text)))
    rejected = state.finding is not None
    return common | {
        "status": "the grammar rejects the text" if rejected else "the grammar accepts the text",
        "kind": "error" if rejected else "good",
        "findings": findings[:_MAX_FINDINGS],
        "tree": tree,
    }


def _list_faults(text: str, file: Source, state: State) -> list[Diagnostic]:
    """Return the mismatch of a text; for a record also its other findings."""
    lines = LineIndex(text)
    if state.finding is not None:
        return [state.finding.located(lines)]
    table = PropertyTable.standard()
    try:
        for_records(file, table.kinds)
    except SgfGrammarError:
        return []
    findings = [
        finding
        for _, more in read_games(text, None, table, dialect=Dialect(file))
        for finding in more
    ]
    located = [
        finding.located(lines) for finding in sorted(findings, key=lambda finding: finding.span)
    ]
    return [diagnostic for diagnostic in located if diagnostic.severity is not Severity.INFO]


def _finding(where: str, diagnostic: Diagnostic) -> dict[str, Any]:
    fields = diagnostic.model_dump(include={"line", "column", "offset", "end_offset", "help"})
    return fields | {
        "where": where,
        "severity": diagnostic.severity.value,
        "message": f"{diagnostic.message} [{diagnostic.code}]",
    }


def _draw(file: Source, cursor: int) -> dict[str, Any]:
    """Return the diagram of the definition at the cursor."""
    source = grammar_text(file)
    own = list(source.by_name.values())
    before = [definition for definition in own if definition.span.start <= cursor]
    definition = (before or own)[-1 if before else 0]
    try:
        return {"drawn": definition.name, "diagram": diagram_of(source, definition)}
    except RecursionError:
        return {"drawn": definition.name, "diagram": "nested too deep to be drawn"}


def _shortened(tree: str) -> str:
    return tree if len(tree) <= _MAX_TREE else tree[:_MAX_TREE] + "\n\N{HORIZONTAL ELLIPSIS}"


# ---- examples ----


def examples() -> list[dict[str, str]]:
    """Return the examples to begin with."""
    shipped = {
        name: grammars.text_of(grammars.path(name))
        for name in ("ff4", "games/go", "games/hex", "games/backgammon")
    }
    root = "(;FF[4]GM[1]SZ[19]PB[Aoki]PW[Berg]KM[6,5]"
    record = f"{root}\n;B[pd];W[dp]\n(;B[pq]C[calm])\n(;B[dd];W[pp]))\n"
    braces = (
        'collection: game_tree+\ngame_tree: "(" sequence game_tree* ")"\nsequence: node+\n'
        'node: ";" property*\nproperty: PROP_IDENT PROP_VALUE+\nPROP_IDENT: /[A-Z]+/\n'
        "PROP_VALUE: /\\{[^}]*\\}/\n%ignore /\\s+/\n"
    )
    rows = [
        ("A game of SGF FF[4]", shipped["ff4"], record, "collection"),
        ("Moves of Go", shipped["games/go"], "pd", "move"),
        ("Moves of Hex", shipped["games/hex"], "swap-pieces", "move"),
        ("A roll of backgammon", shipped["games/backgammon"], "31hefe", "move"),
        ("Records with braces", braces, "(;FF{4}KM{0.5};B{pd};W{dp})", ""),
        ("A grammar with a mistake", braces.replace("sequence g", "sequense g"), "(;)", ""),
    ]
    return [
        {"name": name, "grammar": grammar, "text": text, "start": start}
        for name, grammar, text, start in rows
    ]


def read_file(path: Path) -> dict[str, str]:
    """Return the contents of a file of the playground, or of a grammar.

    Raises:
        OSError: It cannot be read.
        ValueError: It is neither.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix.lower() == ".lark":
        return {"grammar": text, "text": "", "start": ""}
    try:
        state = json.loads(text)
    except RecursionError:
        raise ValueError("it nests too deep") from None
    if not isinstance(state, dict) or not {"grammar", "text"} <= state.keys():
        raise ValueError("it is no file of the playground")
    return {name: str(state.get(name, "")) for name in ("grammar", "text", "start")}


# ---- the process that answers ----


class Answerer:
    """A worker process for :func:`answer`, ended if it takes too long."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def __call__(self, grammar: str, text: str, start: str, cursor: int) -> dict[str, Any]:
        """Return the answer, or the status of a timeout."""
        if self._process is None or self._connection is None or not self._process.is_alive():
            self._begin()
        connection = cast("Connection", self._connection)
        seconds = SECONDS + len(text) / CHARACTERS_PER_SECOND
        status = "the program failed on this grammar"
        try:
            connection.send((grammar, text, start, cursor))
            if connection.poll(seconds):
                return cast("dict[str, Any]", connection.recv())
            status = too_long(seconds)
        except (EOFError, OSError):  # it is dead, perhaps for want of memory
            pass
        self.end()
        return _no_answer(status)

    def _begin(self) -> None:
        self.end()
        context = get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=answer_questions, args=(other,), daemon=True)
        self._process.start()
        other.close()
        self._connection.recv()  # it has begun: that takes no time of an answer

    def end(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def answer_questions(connection: Connection) -> None:
    """Worker loop: receive a question, send its answer, return when the parent has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    asked = 0
    try:
        connection.send(None)
        while True:
            question = connection.recv()
            asked += 1
            if asked % _MAX_CACHED_QUESTIONS == 0:
                grammars.forget()  # nobody comes back to old versions
            try:
                result = answer(*question)
            except Exception as error:  # noqa: BLE001  # whatever it is, the next question comes
                result = _no_answer(f"the program failed: {type(error).__name__}: {error}")
            connection.send(result)
    except (EOFError, OSError):
        pass


# ---- the page and its server ----


def app(token: str, opened: dict[str, str] | None = None) -> Starlette:
    """Return the application that serves the page and its questions, below a path.

    Args:
        token: The path, which nobody can guess.
        opened: The first contents of the page; an example if None.
    """
    lock = threading.Lock()
    answerer = Answerer()

    def page(_request: Request) -> Response:
        nonce = secrets.token_urlsafe(16)
        data = json.dumps({"examples": examples(), "opened": opened}).replace("<", "\\u003c")
        html = (files(__package__) / "playground.html").read_text(encoding="utf-8")
        for mark, value in (
            ("@nonce@", nonce), ("@railroad@", DEFAULT_STYLE), ("@data@", data)
        ):  # fmt: skip
            html = html.replace(mark, value)
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}';"
            " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
            " frame-ancestors 'none'"
        )
        return HTMLResponse(html, headers=_HEADERS | {"Content-Security-Policy": policy})

    async def question(request: Request) -> Response:
        if int(request.headers.get("content-length", _MAX_QUESTION + 1)) > _MAX_QUESTION:
            return PlainTextResponse("too long\n", 413, _HEADERS)
        body = await request.body()
        return await run_in_threadpool(reply, body)

    def reply(body: bytes) -> Response:
        try:
            state = json.loads(body)
            grammar, text = str(state["grammar"]), str(state["text"])
            start, cursor = str(state.get("start", "")), int(state.get("cursor", 0))
            for part in (grammar, text, start):
                part.encode()  # halves of characters are no text
        except (ValueError, TypeError, LookupError, OverflowError, RecursionError):
            return PlainTextResponse("this is no question\n", 400, _HEADERS)
        with lock:  # one at a time: only the last answer is looked at
            return JSONResponse(answerer(grammar, text, start, cursor), headers=_HEADERS)

    return Starlette(
        routes=[
            Route(f"/{token}/", page),
            Route(f"/{token}/try", question, methods=["POST"]),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])],
    )


_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Playground:
    """A server for one page.

    Args:
        port: The port; 0 for any free one.
        opened: The first contents of the page.
    """

    def __init__(self, port: int = 0, opened: dict[str, str] | None = None) -> None:
        token = secrets.token_urlsafe(16)
        self.socket = socket.create_server((HOST, port))
        self.url = f"http://{HOST}:{self.socket.getsockname()[1]}/{token}/"
        config = uvicorn.Config(app(token, opened), log_level="warning", access_log=False)
        self.server = uvicorn.Server(config)

    def run(self) -> None:
        """Serve until interrupted."""
        self.server.run(sockets=[self.socket])
