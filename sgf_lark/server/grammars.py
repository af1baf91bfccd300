"""Grammars in Lark's notation: findings, hover, completion, definitions, references, symbols."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from lark.exceptions import UnexpectedInput
from lsprotocol import types as lsp

from sgf_lark.core import File, GrammarSource, Report, grammars, shorten
from sgf_lark.workbench.lint import grammar_report
from sgf_lark.workbench.lint_text import find_definition, open_import
from sgf_lark.workbench.parse_state import parse
from sgf_lark.workbench.source_text import (
    TOKENS,
    GrammarText,
    bare,
    experiment,
    grammar_text,
)

from .records import LEGEND, TYPES, Document, DocumentContent


class OpenGrammar(DocumentContent):
    @cached_property
    def file(self) -> GrammarSource:
        return GrammarSource(Path(self.document.path), self.text)

    @cached_property
    def source(self) -> GrammarText | None:
        """The places in the grammar; None if it is not in Lark's notation."""
        with suppress(UnexpectedInput):
            return grammar_text(self.file)
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
    """Return the place of a rule or terminal, from the comment above it on."""
    found = find_definition(file, name)
    if found is None:
        return None
    source, definition = found
    codec = content.document.position_codec
    document = Document(source.path.resolve().as_uri(), source.text, position_codec=codec)
    return lsp.Location(document.uri, document.range(source.commented(definition)))


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_HOVER)
def hover(grammar: OpenGrammar, params: lsp.HoverParams) -> lsp.Hover | None:
    """Return the definition of a name, the comment above it, and the file it is imported from."""
    name, _ = grammar.uses_at(params.position)
    found = find_definition(grammar.file, name) if name else None
    if found is None:
        return None
    source, definition = found
    parts = [f"```lark\n{source.text[slice(*source.commented(definition))]}\n```"]
    if source.path != grammar.file.path:
        line = source.text.count("\n", 0, definition.span.start) + 1
        uri = f"{source.path.resolve().as_uri()}#L{line}"
        parts.append(f"* **imported from** [{source.path.name}, line {line}]({uri})")
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n".join(parts))
    return lsp.Hover(content, prepare_rename(grammar, params))


#: Where statements begin; the part of a name before the cursor; an import up to its names.
_STATEMENT = re.compile(r"^(?=[%!?\w])", re.MULTILINE)
_WORD = re.compile(r"%?\w*\Z")
_IMPORT = re.compile(r"%import\s+\.?([\w.]+?)(?:\s*\(.*|\.)", re.DOTALL)


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_COMPLETION)
def complete(grammar: OpenGrammar, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """Return the directives, or the names with their productions, that may be at a place."""
    offset, text = grammar.document.offset(params.position), grammar.text
    starts = [found.start() for found in _STATEMENT.finditer(text)]
    at = bisect_right(starts, offset)
    begun, end = [0, *starts][at], [*starts, len(text)][at]
    before = _WORD.sub("", text[begun:offset])
    notation = grammars.path("notations/lark")
    state = parse(before, notation, "grammar", upto=len(before))
    if state.finding or not bare(f"{before}%").endswith("%\n"):  # in a text or a comment
        return []
    terminals = experiment(notation, "grammar").terminals
    texts = [str(one.pattern.value) for one in terminals if one.name in state.follows]
    items = [(text, "", lsp.CompletionItemKind.Keyword) for text in texts if text[0] == "%"]
    if not items:  # a name that begins a statement is a new one
        file: File | None = grammar.file if grammar.source else _without(grammar, begun, end)
        if before.startswith("%import"):
            module = _IMPORT.fullmatch(before)
            file = open_import(module[1], grammar.file) if module else None
        kinds = {"TERMINAL"} if before[:2].strip("_").isupper() else state.follows
        items += _names(file, kinds & state.follows) if file else ()
    place = grammar.document.range((begun + len(before), offset))
    return [
        lsp.CompletionItem(name, kind=kind, detail=detail, text_edit=lsp.TextEdit(place, name))
        for name, detail, kind in items
    ]


def _without(grammar: OpenGrammar, begun: int, end: int) -> GrammarSource:
    """Return a grammar that cannot be read, with no more of a statement than its name."""
    head, colon, _ = grammar.text[begun:end].partition(":")
    kept = f"{head}:\n" if colon else ""
    return grammar.file._replace(text=f"{grammar.text[:begun]}{kept}{grammar.text[end:]}")


def _names(file: File, kinds: Container[str]) -> Iterator[tuple[str, str, lsp.CompletionItemKind]]:
    """Yield rules, or terminals, or both, each with its productions or its definition."""
    rule, terminal = lsp.CompletionItemKind.Function, lsp.CompletionItemKind.Constant
    with suppress(UnexpectedInput):
        source = grammar_text(file)
        for name in dict.fromkeys([*source.by_name, *source.imported]):
            found = find_definition(file, name)
            if found and ("TERMINAL" if name.isupper() else "RULE") in kinds:
                written = "; ".join(found[1].quoted) or found[0].written(found[1])
                yield name, shorten(written, 100), terminal if name.isupper() else rule


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_DEFINITION)
def define(grammar: OpenGrammar, params: lsp.DefinitionParams) -> lsp.Location | None:
    name, _ = grammar.uses_at(params.position)
    return locate_definition(grammar, grammar.file, name) if name else None


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_REFERENCES)
def refer(grammar: OpenGrammar, params: lsp.ReferenceParams) -> list[lsp.Location]:
    return grammar.uses_at(params.position)[1]


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(grammar: OpenGrammar, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    at, places = params.position, grammar.uses_at(params.position)[1]
    return next((one.range for one in places if one.range.start <= at <= one.range.end), None)


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
def rename(grammar: OpenGrammar, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    places = grammar.uses_at(params.position)[1]
    edits = [lsp.TextEdit(place.range, params.new_name) for place in places]
    return lsp.WorkspaceEdit({grammar.document.uri: edits})


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_CODE_ACTION)
def list_actions(grammar: OpenGrammar, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    return grammar.quick_fixes(params.range)


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def list_symbols(grammar: OpenGrammar, _: Any) -> list[lsp.DocumentSymbol]:
    kinds, range = (lsp.SymbolKind.Function, lsp.SymbolKind.Constant), grammar.document.range
    return [
        lsp.DocumentSymbol(one.name, kinds[one.is_terminal], range(one.extent), range(one.span))
        for one in (grammar.source.definitions if grammar.source else ())
    ]


#: Comments, texts, expressions, directives, numbers and names, also in a broken grammar.
_COLORED = re.compile(rf"{TOKENS.pattern}|(?P<name>%?\w+)", TOKENS.flags)


@OpenGrammar.answering(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
@OpenGrammar.answering(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)
def color(grammar: OpenGrammar, params: Any) -> lsp.SemanticTokens:
    """Return the tokens in a range, from the beginning of its first line on."""
    start, end = grammar.to_color(params)
    found = _COLORED.finditer(grammar.text, grammar.text.rfind("\n", 0, start) + 1, end)
    return grammar.colored(
        (one.end() - len(one[0].lstrip()), one.end(), TYPES.index(_kind_of(one)))
        for one in found
        if "\n" not in one[0].strip()
    )


def _kind_of(token: re.Match[str]) -> str:
    text = token[0]
    if token["comment"]:
        return "comment"
    name = "enumMember" if text.isupper() else "number" if text.isdigit() else "function"
    return {"%": "keyword", '"': "string", "/": "regexp"}.get(text[0], name)
