"""The language server: requests of an editor, each answered for the content of a document."""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from sgf_lark._version import __version__
from sgf_lark.core import CheckOptions, Options, Report
from sgf_lark.files.paths import find_files
from sgf_lark.settings.settings import FILES, FileOptions, Settings, find_settings

from . import actions, grammars, views
from .records import OPTIONS, Document, DocumentContent, Documents, OutdatedError, Record

#: Longer texts, in characters, are checked when nothing was typed for some seconds.
MAX_CHECKED_AT_ONCE, PAUSE = 100_000, 0.3

#: Most games that a search finds.
MAX_FOUND = 200


class Server(LanguageServer):
    def __init__(self) -> None:
        super().__init__("sgf-lark", __version__, protocol_cls=LanguageServerProtocol)
        self.settings: dict[Path, Settings] = {}
        # the checks of open documents, by their addresses
        self.checks: dict[str, asyncio.Task[Report | None]] = {}

    def content(self, uri: str) -> DocumentContent:
        document = self.workspace.get_text_document(uri)
        assert isinstance(document, Document)  # noqa: S101  # Documents has no others
        content: DocumentContent | None = document.content
        if content is None:
            kind = grammars.OpenGrammar if document.path.endswith(".lark") else Record
            folder = Path(document.path).parent
            if folder not in self.settings:
                self.settings[folder] = Settings()
                with self.telling():
                    found = find_settings(folder)
                    Options.of_check(found, {})  # fails if no record can be read by them
                    self.settings[folder] = found
            content = document.content = kind(document, self.settings[folder])
        return content

    @contextmanager
    def telling(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, OSError) as error:
            reason = str(error).partition("\n")[0].removeprefix("<string>:")
            params = lsp.ShowMessageParams(lsp.MessageType.Warning, f"not possible: {reason}")
            self.window_show_message(params)

    def start_check(self, uri: str) -> None:
        """Begin to check a document; the check of an older version ends."""
        if uri in self.checks:
            self.checks[uri].cancel()
        self.checks[uri] = asyncio.ensure_future(self._check(self.content(uri)))

    async def _check(self, content: DocumentContent) -> Report | None:
        document = content.document
        if len(content.text) > MAX_CHECKED_AT_ONCE:
            await asyncio.sleep(PAUSE)
        try:
            report = await asyncio.to_thread(content.check, lambda: document.content is content)
        except OutdatedError:
            return None
        if document.content is content:
            self.show(document.uri, content.diagnostics(report), document.version)
        return report

    def show(self, uri: str, found: list[lsp.Diagnostic], version: int | None = None) -> None:
        """Show diagnostics, unless the editor asks for them."""
        if getattr(self.client_capabilities.text_document, "diagnostic", None) is None:
            params = lsp.PublishDiagnosticsParams(uri, found, version)
            self.text_document_publish_diagnostics(params)


server = Server()


@server.feature(lsp.INITIALIZE)
def use_documents(ls: Server, _: lsp.InitializeParams) -> None:
    """Use documents of our own, for which pygls has no other place."""
    ls.workspace.__class__ = Documents


@server.feature(lsp.INITIALIZED)
def watch_settings(ls: Server, _: lsp.InitializedParams) -> None:
    able = getattr(ls.client_capabilities.workspace, "did_change_watched_files", None)
    if able is not None and able.dynamic_registration:
        watchers = [lsp.FileSystemWatcher(f"**/{name}") for name in FILES]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        watch = lsp.Registration("settings", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        ls.client_register_capability(lsp.RegistrationParams([watch]))


@server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def read_settings(ls: Server, _: lsp.DidChangeWatchedFilesParams) -> None:
    """Read the settings again, and check all documents by them."""
    ls.settings.clear()
    for document in ls.workspace.text_documents.values():  # whose keys are not the addresses
        document.content = None
        ls.start_check(document.uri)
    able = getattr(ls.client_capabilities.workspace, "diagnostics", None)
    if able is not None and able.refresh_support:
        ls.workspace_diagnostic_refresh(None)


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def check(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """Check a document that was opened, changed or saved."""
    ls.start_check(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """End the check of a document; it has no diagnostics any longer."""
    if task := ls.checks.pop(params.text_document.uri, None):
        task.cancel()
    ls.show(params.text_document.uri, [])


#: A document has diagnostics whatever other files hold.
PULL = lsp.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=False)


@server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, PULL)
async def pull(ls: Server, params: lsp.DocumentDiagnosticParams) -> Any:
    """Return the diagnostics of the newest version of a document, when its check is done."""
    uri, task, report = params.text_document.uri, None, None
    while task is not (task := ls.checks.get(uri)) and task is not None:
        await asyncio.wait([task])
        report = None if task.cancelled() else task.result()
    return lsp.RelatedFullDocumentDiagnosticReport(ls.content(uri).diagnostics(report or ()))


@server.feature(lsp.WORKSPACE_SYMBOL)
async def find_games(ls: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
    """Return the games in the folders whose players or event have a text."""
    folders = filter(None, map(to_fs_path, ls.workspace.folders))
    options, found = FileOptions(CheckOptions()), list[lsp.SymbolInformation]()
    paths = (Path(file) for file in find_files(folders, options) if isinstance(file, str))
    for path in await asyncio.to_thread(lambda: [*filter(Path.is_file, paths)]):
        with suppress(OSError):  # it is gone
            key = path, path.stat().st_mtime_ns, ls.workspace.position_codec
            games = await asyncio.to_thread(views.games_of, *key)
            found += [game for game in games if params.query.lower() in game.name.lower()]
    return found[:MAX_FOUND]


def serve_request(method: str) -> None:
    """Answer a request by the function of the document's content."""

    @server.feature(method, OPTIONS.get(method))
    async def answer(ls: Server, params: Any) -> Any:
        content = ls.content((getattr(params, "text_document", None) or params.textDocument).uri)
        function = content.answers.get(method)
        with ls.telling():
            result = function and function(content, params)
            result = await result if inspect.isawaitable(result) else result
            return result if content.is_current else None


def serve_command(name: str) -> None:

    @server.command(f"sgf-lark.{name}")
    async def change(ls: Server, uri: str, position: lsp.Position) -> None:
        record = ls.content(uri)
        with ls.telling():
            if isinstance(record, Record):
                edit = await actions.make_change(record, name, record.place(position))
                if record.is_current:
                    ls.workspace_apply_edit(lsp.ApplyWorkspaceEditParams(edit))


for _method in Record.answers | grammars.OpenGrammar.answers:
    serve_request(_method)
for _name in actions.COMMANDS:
    serve_command(_name)


def run(log_file: Path | None = None) -> None:
    if log_file is not None:
        logging.basicConfig(filename=log_file, level=logging.INFO)
    with open(sys.stdout.fileno(), "wb", closefd=False) as output:  # pygls closes it
        server.start_io(stdout=output)
