"""An editor that speaks to the language server: what it types, and the answers it gets."""

from __future__ import annotations

import re
import sys
from typing import Any

from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

#: The presets of clients: push and UTF-16; pull and UTF-8.
PRESETS = ["visual_studio_code@1.65", "emacs@29", "neovim@0.7", "neovim@0.11"]


def make_client() -> LanguageClient:
    """Return a client that keeps the edits of commands as ``applied``."""
    client: Any = make_test_lsp_client()
    client.applied = []

    @client.feature(lsp.WORKSPACE_APPLY_EDIT)  # type: ignore[untyped-decorator]
    def apply(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        client.applied.append(params.edit)
        return lsp.ApplyWorkspaceEditResult(applied=True)

    @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(_: lsp.RegistrationParams) -> None:
        return None

    return client  # type: ignore[no-any-return]


def configured(*command: str) -> ClientServerConfig:
    """Return what starts a server: the command, or a program for Python."""
    words = [sys.executable, *(command or ("-m", "sgf_lark", "server"))]
    return ClientServerConfig(server_command=words, client_factory=make_client)


async def begin(client: LanguageClient, preset: str, folder: str | None = None) -> None:
    """Begin a session as an editor does, with a folder or without."""
    folders = None if folder is None else [lsp.WorkspaceFolder(folder, "records")]
    capabilities = client_capabilities(preset)
    params = lsp.InitializeParams(capabilities, workspace_folders=folders)
    result = await client.initialize_session(params)
    client.encoding = result.capabilities.position_encoding  # type: ignore[attr-defined]


class Editor:
    """An open document of a client.

    Attributes:
        text: The text that the editor shows.
    """

    def __init__(self, client: LanguageClient, uri: str, text: str) -> None:
        self.client, self.uri, self.text, self.version = client, uri, text, 1
        item = lsp.TextDocumentItem(uri, uri.rpartition(".")[2], 1, text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    @property
    def name(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    def at(self, words: str, offset: int = 0) -> lsp.Position:
        """Return the position of some words in the text, in the units of the session."""
        before = self.text[: self.text.index(words) + offset]
        line, encoding = before.rpartition("\n")[2], self.client.encoding  # type: ignore[attr-defined]
        units = len(line.encode() if encoding == "utf-8" else line.encode("utf-16-le")[::2])
        return lsp.Position(before.count("\n"), units)

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position of the session."""
        start = [0, *(found.end() for found in re.finditer(r"\r\n|\n|\r", self.text))][
            position.line
        ]
        width, codec = (1, "utf-8") if self.client.encoding == "utf-8" else (2, "utf-16-le")  # type: ignore[attr-defined]
        data = self.text[start:].encode(codec)[: position.character * width]
        return start + len(data.decode(codec))

    def type(self, words: str, new: str) -> None:
        """Replace some words of the text."""
        place = lsp.Range(self.at(words), self.at(words, len(words)))
        self.text = self.text.replace(words, new, 1)
        self.version += 1
        change = lsp.TextDocumentContentChangePartial(place, new)
        name = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(name, [change]))

    async def findings(self) -> list[lsp.Diagnostic]:
        """Return the diagnostics of the newest version."""
        if self.client.capabilities.text_document.diagnostic is not None:  # type: ignore[union-attr]
            params = lsp.DocumentDiagnosticParams(self.name)
            report: Any = await self.client.text_document_diagnostic_async(params)
            return list(report.items)
        await self.client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return list(self.client.diagnostics[self.uri])

    async def ask(self, method: str, words: str = "", offset: int = 0, **params: Any) -> Any:
        """Return the answer to a request at some words."""
        if words:
            params["position"] = self.at(words, offset)
        params |= {"text_document": self.name}
        kind: Any = lsp.METHOD_TO_TYPES[method][2]
        protocol: Any = self.client.protocol
        return await protocol.send_request_async(method, kind(**params))

    async def run(self, command: str, words: str = "") -> Any:
        """Run a command at some words, and return the edit that it makes."""
        arguments = [self.uri, {"line": 0, "character": 0}]
        if words:
            at = self.at(words)
            arguments[1] = {"line": at.line, "character": at.character}
        params = lsp.ExecuteCommandParams(f"sgf-lark.{command}", arguments)
        await self.client.workspace_execute_command_async(params)
        return self.client.applied.pop() if self.client.applied else None  # type: ignore[attr-defined]


def whole(text: str) -> lsp.Range:
    """Return the range of a text."""
    return lsp.Range(lsp.Position(0, 0), lsp.Position(text.count("\n") + 1, 0))
