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
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from sgf_lark.core import grammars
from sgf_lark.files.time_limit import CHARACTERS_PER_SECOND, too_long

from .answers import no_answer, reply
from .page import FILES, POLICY, write_page

#: This machine, and nobody else.
HOST = "127.0.0.1"

#: Limit of a question in bytes.
_MAX_QUESTION = 1 << 21

#: Seconds for an answer about a short text; a longer one has more.
SECONDS = 10.0

#: Limit of cached grammars in questions: each keystroke asks one.
_MAX_CACHED_QUESTIONS = 100


# ---- the process that answers ----


class Answerer:
    """A worker process for :func:`reply`, ended if it takes too long."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._lock = threading.Lock()

    def __call__(self, question: bytes) -> str:
        """Return the answer, or the status of a timeout; question and answer are JSON."""
        with self._lock:  # one at a time: only the last answer is looked at
            if self._process is None or self._connection is None or not self._process.is_alive():
                self._begin()
            connection = cast("Connection", self._connection)
            seconds = SECONDS + len(question) / CHARACTERS_PER_SECOND
            status = "the program failed on this grammar"
            try:
                connection.send(question)
                if connection.poll(seconds):
                    return cast("str", connection.recv())
                status = too_long(seconds)
            except (EOFError, OSError):  # it is dead, perhaps for want of memory
                pass
            self.end()
            return json.dumps(no_answer(status))

    def _begin(self) -> None:
        self.end()
        context = get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=answer_questions, args=(other,), daemon=True)
        self._process.start()
        other.close()
        self._connection.recv()  # it has begun: that takes no time of an answer

    def end(self) -> None:
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
            connection.send(reply(question))
    except (EOFError, OSError):
        pass


# ---- the page and its server ----


def app(token: str, opened: dict[str, str] | None = None) -> Starlette:
    """Return the application that serves the page and its questions, below a path."""
    answerer = Answerer()

    def page(_request: Request) -> Response:
        policy = f"{POLICY}; frame-ancestors 'none'"
        return HTMLResponse(
            write_page(opened), headers=_HEADERS | {"Content-Security-Policy": policy}
        )

    def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in FILES:
            return PlainTextResponse("there is no such file\n", 404, _HEADERS)
        content = (Path(__file__).parent / name).read_bytes()
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        return Response(content, headers=_HEADERS, media_type=kind)

    async def question(request: Request) -> Response:
        if int(request.headers.get("content-length", _MAX_QUESTION + 1)) > _MAX_QUESTION:
            return PlainTextResponse("too long\n", 413, _HEADERS)
        body = await request.body()
        return Response(await run_in_threadpool(answerer, body), 200, _HEADERS, "application/json")

    return Starlette(
        routes=[
            Route(f"/{token}/", page),
            Route(f"/{token}/try", question, methods=["POST"]),
            Route(f"/{token}/{{name:path}}", file),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])],
    )


_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Playground:
    def __init__(self, port: int = 0, opened: dict[str, str] | None = None) -> None:
        token = secrets.token_urlsafe(16)
        self.socket = socket.create_server((HOST, port))
        self.url = f"http://{HOST}:{self.socket.getsockname()[1]}/{token}/"
        config = uvicorn.Config(app(token, opened), log_level="warning", access_log=False)
        self.server = uvicorn.Server(config)

    def run(self) -> None:
        self.server.run(sockets=[self.socket])
