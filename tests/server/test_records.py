"""Contents of documents: checks that end, and answers about any text."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec
from support.lanes import one_in

from sgf_lark.core.grammar import grammars
from sgf_lark.server.actions import COMMANDS, change_text
from sgf_lark.server.records import Document, OutdatedError, Record
from sgf_lark.server.views import MAX_DEPTH  # with which all answers are registered
from sgf_lark.settings.settings import Settings, find_settings

#: Texts without games, broken, in other formats and games, and nested deep.
TEXTS = [
    *("", "(", "(;", "(;B", "(;B[", "(;B[pd", ")", "hello", "\n\n", "(;)(;", "(;B[]W[])"),
    *("(;GM[99];B[xx])", "(;FF[4];)B[aa]", "(;FF[3]L[pd][dd]DG[x])", "(;SZ[0])", "(;SZ[99];B[aa])"),
    *(
        "(;FF[4]LB[aa:x][bb])",
        "(;FF[4]GM[6];B[31hefe])",
        "(;GM[11];B[swap-pieces])",
        "(;KM[];B[aa]",
    ),
    "(;GM[Othello]PC[x]BO[8 -------- --------]B[D3])",
    "(;FF[4]C[a\\\n\\]b\u2028😀];B[青])",
    "(" * 300 + ";B[aa]" + ")" * 300,
    "(;B[aa]" + "(;W[bb]" * 300 + ")" * 301,
]


def open_record(text: str) -> Record:
    document = Document("file:///x.sgf", text, position_codec=PositionCodec("utf-16"))
    document.content = Record(document, Settings())
    return document.content  # type: ignore[no-any-return]


def test_a_record_is_read_by_the_grammar_of_its_settings(tmp_path: Path) -> None:
    shipped = grammars.path("ff4").read_text(encoding="utf-8")
    (tmp_path / "warm.lark").write_text(f'{shipped}\ntemperature: DEGREES "C"\nDEGREES: /[0-9]+/\n')
    settings = tmp_path / "sgf-lark.toml"
    settings.write_text('grammar = "warm.lark"\n[properties]\nXT = "temperature"\n')
    text = "(;FF[4]GM[1]SZ[9]XT[21C];B[aa]XT[warm])"
    document = Document("file:///x.sgf", text, position_codec=PositionCodec("utf-16"))
    document.content = record = Record(document, find_settings(tmp_path))

    assert [finding.code for finding in record.check(lambda: True).errors] == ["V301"]
    assert "temperature" in str(ask(record, lsp.TEXT_DOCUMENT_HOVER, text.index("21C")))


def ask(record: Record, method: str, offset: int, **params: Any) -> Any:
    """Return the answer to a request at an offset."""
    at = record.document.position(offset)
    context = lsp.CodeActionContext([], only=["source.fixAll", "quickfix"])
    given = {"position": at, "positions": [at], "range": lsp.Range(at, at), "context": context}
    answer = record.answers[method](record, SimpleNamespace(new_name="a]:", **given | params))

    async def wait() -> Any:
        return await answer

    return asyncio.run(wait()) if inspect.isawaitable(answer) else answer


@pytest.mark.parametrize("text", one_in(12, TEXTS))
def test_no_text_makes_a_request_fail(text: str) -> None:
    assert MAX_DEPTH < 300
    for offset in {0, 1, len(text) // 2, len(text)} & {*range(len(text) + 1)}:
        record = open_record(text)
        for is_checked in (False, True):
            if is_checked:
                record.diagnostics(record.check(lambda: True))
            for method in record.answers:
                try:
                    ask(record, method, offset)
                except ValueError as error:
                    assert str(error)  # noqa: PT017  # what cannot be done is told
        for name in COMMANDS:
            try:
                change_text(record, name, record.place(record.document.position(offset)))
            except ValueError as error:
                assert str(error)  # noqa: PT017  # what cannot be done is told


def test_a_check_that_is_no_longer_wanted_ends() -> None:
    wanted = iter([True, True])

    with pytest.raises(OutdatedError):
        open_record("(;B[aa])" * 1_000).check(lambda: next(wanted, False))


def test_the_games_of_a_check_are_not_read_again() -> None:
    record = open_record("(;FF[4]GM[1]SZ[9];B[ee])")
    record.check(lambda: True)

    assert "collection" in vars(record)
    assert len(record.collection[0]) == 2


def test_other_places_that_a_fix_changes_are_related_to_the_finding() -> None:
    record = open_record("(;FF[4]GM[1]SZ[9];B[aa]\n;W[bb]")
    (finding,) = record.diagnostics(record.check(lambda: True))
    (related,) = finding.related_information or ()

    assert finding.code == "S105"
    assert related.location.range.start == record.document.position(len(record.text))


def test_hover_and_completion_look_at_the_node_only() -> None:
    text = "(;FF[4]GM[1]SZ[19]" + ";B[pd];W[dp]" * 5_000 + ";B[qq])"
    record = open_record(text)
    hover = ask(record, lsp.TEXT_DOCUMENT_HOVER, len(text) - 4)
    points = ask(record, lsp.TEXT_DOCUMENT_COMPLETION, len(text) - 4)

    assert "Move 10001" in hover.contents.value
    assert "qq" in {item.label for item in points}
