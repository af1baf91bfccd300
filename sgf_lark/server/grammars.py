"""Grammars in Lark's notation: findings, definitions, references and symbols."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from lark.exceptions import UnexpectedInput
from lsprotocol import types as lsp

from sgf_lark.core import File, GrammarSource, Report, grammars
from sgf_lark.workbench.lint import grammar_report
from sgf_lark.workbench.lint_text import find_definition
from sgf_lark.workbench.source_text import GrammarText

from .records import Document, DocumentContent


class OpenGrammar(DocumentContent):
    """One version of a grammar."""

    @cached_property
    def file(self) -> GrammarSource:
        return GrammarSource(Path(self.document.path), self.text)

    @cached_property
    def source(self) -> GrammarText | None:
        """The places in the grammar; None if it is not in Lark's notation."""
        with suppress(UnexpectedInput):
            return GrammarText(self.file)
        return None

    def check(self, _: Callable[[], bool]) -> Report:
        grammars.forget()  # the versions before
        self.report = grammar_report(self.file)
        return self.report

    def uses_at(self, position: lsp.Position) -> tuple[str, list[lsp.Location]]:
        """Return the name at a position, and all its places; "" if there is none."""
        if self.source is None:
            return "", []
        offset, names = self.document.offset(position), [*self.source.imported.items()]
        names += [(one.name, one.span) for one in self.source.definitions]
        names += [(one.name, one.span) for one in self.source.uses]
        found = next((name for name, at in names if at[0] <= offset <= at[1]), "")
        places = (self.document.range(at) for name, at in names if name == found)
        return found, [lsp.Location(self.document.uri, place) for place in places]


def locate_definition(content: DocumentContent, file: File, name: str) -> lsp.Location | None:
    """Return the place of a rule or terminal, from the quotation above it on."""
    found = find_definition(file, name)
    if found is None:
        return None
    source, definition = found
    start = definition.span.start
    if definition.quoted:
        quotation = source.text.rfind(definition.quoted[0], 0, start)
        start = source.text.rfind("\n", 0, quotation) + 1
    codec = content.document.position_codec
    document = Document(source.path.resolve().as_uri(), source.text, position_codec=codec)
    return lsp.Location(document.uri, document.range((start, definition.extent.end)))


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_DEFINITION)
def define(grammar: OpenGrammar, params: lsp.DefinitionParams) -> lsp.Location | None:
    """Return the definition of a name."""
    name, _ = grammar.uses_at(params.position)
    return locate_definition(grammar, grammar.file, name) if name else None


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_REFERENCES)
def refer(grammar: OpenGrammar, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """Return all places of a name."""
    return grammar.uses_at(params.position)[1]


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(grammar: OpenGrammar, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    """Return the place of the name at a position."""
    at, places = params.position, grammar.uses_at(params.position)[1]
    return next((one.range for one in places if one.range.start <= at <= one.range.end), None)


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
def rename(grammar: OpenGrammar, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    """Return the edits that rename a rule or a terminal."""
    places = grammar.uses_at(params.position)[1]
    edits = [lsp.TextEdit(place.range, params.new_name) for place in places]
    return lsp.WorkspaceEdit({grammar.document.uri: edits})


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_CODE_ACTION)
def list_actions(grammar: OpenGrammar, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the fixes of the findings in a range."""
    return grammar.quick_fixes(params.range)


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def list_symbols(grammar: OpenGrammar, _: Any) -> list[lsp.DocumentSymbol]:
    """Return the rules and terminals."""
    kinds, range = (lsp.SymbolKind.Function, lsp.SymbolKind.Constant), grammar.document.range
    return [
        lsp.DocumentSymbol(one.name, kinds[one.is_terminal], range(one.extent), range(one.span))
        for one in (grammar.source.definitions if grammar.source else ())
    ]
