"""Changes of records: fixes, layout, variations, formats; each gives a new text."""

from __future__ import annotations

import asyncio
from itertools import takewhile
from operator import eq
from os.path import splitext
from typing import Any

from lsprotocol import types as lsp

from sgf_lark.convert.convert import convert
from sgf_lark.core import Format, dumps, fix_record, format_record

from .records import CursorPlace, Record, extent_of

#: The encoding in which texts are changed, whatever CA declares: the editor knows the file's.
_UTF8: Any = "utf-8", "surrogatepass"

#: Most files that a split makes.
MAX_FILES = 200

#: The kind of the action that makes all safe fixes, for settings of editors.
FIX_ALL = "source.fixAll.sgf-lark"

#: The kinds and titles of the commands, whose names begin with ``sgf-lark.``.
COMMANDS = {
    "fixAll": (FIX_ALL, "Make all safe fixes"),
    "fixAllUnsafe": ("source", "Make all fixes, also those that guess or remove something"),
    "fixAndFormat": ("source", "Make all safe fixes, then format"),
    "promote": ("refactor.rewrite", "Make this variation the main line"),
    "cut": ("refactor.rewrite", "Cut this node and those after it"),
    "split": ("refactor.extract", "Write each game to a file of its own"),
    "convert": ("refactor.rewrite", "Convert to FF[4]"),
}


def format_text(record: Record, text: str) -> str:
    """Return a text of a record in the layout of the settings.

    Raises:
        SgfSyntaxError: It has syntax errors.
        ChangedError: The layout would change the content.
    """
    options = record.reading | record.settings.fmt.given()
    return format_record(text.encode(*_UTF8), encoding=_UTF8[0], **options).decode(*_UTF8)


def change_text(record: Record, name: str, place: CursorPlace | None) -> str | list[str]:
    """Return the text that a command makes; of ``split`` the texts."""
    match name:
        case "fixAll" | "fixAllUnsafe":
            ignore = {"ignore": (*record.settings.ignore, "E")}
            given: dict[str, Any] = {"options": record.settings.model_copy(update=ignore)}
            given |= {"unsafe": name == "fixAllUnsafe", "name": record.document.path}
            given |= {"encoding": _UTF8[0], **record.reading}
            return fix_record(record.text.encode(*_UTF8), **given).data.decode(*_UTF8)
        case "fixAndFormat":
            return format_text(record, str(change_text(record, "fixAll", place)))
        case "split" if len(record.collection) > MAX_FILES:
            raise ValueError(f"at most {MAX_FILES} games are split")
        case "split":
            return [*map(dumps, record.collection.split())]
        case "convert":
            return dumps(convert(record.collection, Format.FF4))
    if place is None or place.game.source_game is None:
        raise ValueError("there is no game here")
    draft = place.game.edit()
    (draft.make_main_line if name == "promote" else draft.remove)(place.node)
    number = place.game.source_game.number
    return dumps(record.collection.replace(number, draft.done(strict=False)))


async def make_change(record: Record, name: str, place: CursorPlace | None) -> lsp.WorkspaceEdit:
    """Return the edit of a command; errors are those of :func:`change_text`."""
    new = await asyncio.to_thread(change_text, record, name, place)
    uri = record.document.uri
    if isinstance(new, str):
        return lsp.WorkspaceEdit({uri: _replace(record, new)})
    (base, suffix), changes = splitext(uri), list[Any]()  # noqa: PTH122  # of an address
    for number, text in enumerate(new, 1):
        file = lsp.OptionalVersionedTextDocumentIdentifier(f"{base}-{number}{suffix}")
        edit = lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)), text)
        changes += lsp.CreateFile(file.uri), lsp.TextDocumentEdit(file, [edit])
    return lsp.WorkspaceEdit(document_changes=changes)


def _replace(record: Record, new: str) -> list[lsp.TextEdit]:
    """Return the edit that makes a new text; lines that stay at both ends are not in it."""
    old, lines = record.text.splitlines(keepends=True), new.splitlines(keepends=True)
    first = _count_alike(old, lines)
    last = _count_alike(old[: first - 1 : -1], lines[: first - 1 : -1])
    start, kept = sum(map(len, old[:first])), sum(map(len, old[len(old) - last :]))
    place = record.document.range((start, len(record.text) - kept))
    return [lsp.TextEdit(place, new[start : len(new) - kept])]


def _count_alike(some: list[str], others: list[str]) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, some, others)))


@Record.answering(lsp.TEXT_DOCUMENT_FORMATTING)
async def format_document(record: Record, _: Any) -> list[lsp.TextEdit]:
    return _replace(record, await asyncio.to_thread(format_text, record, record.text))


@Record.answering(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
async def format_range(record: Record, params: Any) -> list[lsp.TextEdit]:
    edits = []
    for place in map(extent_of, record.games_in(record.document.span(params.range))):
        new = await asyncio.to_thread(format_text, record, record.text[slice(*place)])
        edits.append(lsp.TextEdit(record.document.range(place), new.rstrip("\n")))
    return edits


#: The kinds of all actions.
KINDS = lsp.CodeActionOptions(sorted({"quickfix", *(kind for kind, _ in COMMANDS.values())}))


@Record.answering(lsp.TEXT_DOCUMENT_CODE_ACTION, KINDS)
async def list_actions(record: Record, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the fixes of the findings in a range, and the commands that may be used there."""
    kinds = [f"{getattr(kind, 'value', kind)}." for kind in params.context.only or ()]
    actions, place = record.quick_fixes(params.range), record.place(params.range.start)
    fixes = [(finding, finding.fix) for finding in record.fixable if finding.fix]
    is_offered = {
        "fixAll": any(fix.safe for _, fix in fixes),
        "fixAllUnsafe": not all(fix.safe for _, fix in fixes),
        "fixAndFormat": any(finding.code[0] == "S" for finding, _ in fixes),
        "promote": place is not None and "." in place.node.path,
        "cut": place is not None and not place.node.is_root,
        "split": 1 < len(record.collection) <= MAX_FILES,
        "convert": any(game.format is not Format.FF4 for game in record.collection),
    }
    for name, (kind, title) in COMMANDS.items():
        if is_offered[name]:
            arguments = [record.document.uri, params.range.start]
            command = lsp.Command(title, f"sgf-lark.{name}", arguments=arguments)
            actions.append(lsp.CodeAction(title, kind, command=command))
    if kinds:
        actions = [one for one in actions if f"{one.kind}.".startswith(tuple(kinds))]
        for action in actions:
            if action.kind == FIX_ALL:  # on save editors want an edit
                action.edit, action.command = await make_change(record, "fixAll", place), None
    return actions
