"""After any edits of records the server has the editor's text, and finds what the check finds."""

from __future__ import annotations

import io
import random
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec
from pytest_lsp import LanguageClient
from support.editing import Editor, begin, configured
from support.edits import FIRST, edits, position
from support.lanes import amount

import sgf_lark
from sgf_lark.server.records import Document, Record
from sgf_lark.settings.settings import Settings

ENCODINGS = ("utf-8", "utf-16", "utf-32")

#: Start and end, code and message of a finding.
Found = tuple[lsp.Position, lsp.Position, str, str]


def found_by_check(text: str, encoding: str) -> list[Found]:
    """Return the findings that are not about bytes."""
    return [
        (
            position(text, one.offset, encoding),
            position(text, one.end_offset, encoding),
            one.code,
            one.message,
        )
        for one in sgf_lark.check(io.StringIO(text, newline=""))
        if one.code[0] != "E"
    ]


def compare(shown: Iterable[lsp.Diagnostic], wanted: Iterable[Found]) -> None:
    """Compare findings; a message that is shown goes on with the help and the move."""
    found = [(one.range.start, one.range.end, str(one.code), one.message) for one in shown]
    for (*place, message), (*wanted_place, start) in zip(
        sorted(found), sorted(wanted), strict=True
    ):
        assert place == wanted_place
        assert message.startswith(start)


@pytest.mark.both_lanes
def test_text_and_findings_after_any_edits_are_those_of_editor_and_check() -> None:
    for seed in range(amount(12, 300)):
        dice = random.Random(seed)  # noqa: S311  # the same edits each time
        encoding, text = dice.choice(ENCODINGS), dice.choice(FIRST)
        document = Document("file:///a.sgf", text, position_codec=PositionCodec(encoding))
        for edit in edits(text, dice, encoding):
            for change in edit.changes:
                document.apply_change(change)
            assert document.text == edit.text, seed
        record = Record(document, Settings())
        compare(
            record.diagnostics(record.check(lambda: True)), found_by_check(document.text, encoding)
        )


@pytest_lsp.fixture(params=["visual_studio_code@1.65", "neovim@0.11"], config=configured())  # type: ignore[untyped-decorator]
async def editor(request: pytest.FixtureRequest, lsp_client: LanguageClient) -> AsyncIterator[None]:
    await begin(lsp_client, request.param)
    yield
    await lsp_client.shutdown_session()


@pytest.mark.night
@pytest.mark.asyncio
async def test_the_process_finds_after_any_edits_what_the_check_finds(
    editor: LanguageClient,
) -> None:
    able: Any = editor.capabilities
    does_pull = able.text_document.diagnostic is not None
    encoding = "utf-8" if does_pull else "utf-16"
    for seed in range(40):
        dice = random.Random(seed)  # noqa: S311  # the same edits each time
        document = Editor(editor, f"file:///{seed}.sgf", dice.choice(FIRST))
        for edit in edits(document.text, dice, encoding):
            document.text, document.version = edit.text, document.version + 1
            name = lsp.VersionedTextDocumentIdentifier(document.version, document.uri)
            change = lsp.DidChangeTextDocumentParams(name, edit.changes)
            editor.text_document_did_change(change)
        params = lsp.DocumentDiagnosticParams(document.name)
        pulled: Any = await editor.text_document_diagnostic_async(params)
        # What is pushed was pushed before this answer.
        found = pulled.items if does_pull else editor.diagnostics[document.uri]
        compare(found, found_by_check(document.text, encoding))
