"""Views of records are right at every place, also in broken texts and between nodes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from support.places import RECORDS

from sgf_lark.server import actions, records, views
from sgf_lark.server.records import Document, Record
from sgf_lark.settings.settings import Settings

TEXTS = {
    "a gap": "(;FF[4];B[ee] [aa] ;W[ee]) \n(;FF[4]KM [6,5] ;B [ee",
    "variations": "(;FF[4];B[ee]\n(;W[ee]) (;W[gg](;B[aa])(;B[bb])))",
    **{file.name: file.read_text(encoding="utf-8") for file in RECORDS.iterdir()},
}

NAME = lsp.TextDocumentIdentifier("")


def record_of(text: str) -> Record:
    return Record(Document("file:///a.sgf", text), Settings())


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_selected_next_is_around_what_was_selected(name: str) -> None:
    record = record_of(TEXTS[name])
    places = [record.document.position(offset) for offset in range(len(record.text) + 1)]
    for one in views.select(record, lsp.SelectionRangeParams(NAME, places)):
        while one.parent is not None:
            inner, outer = one.range, one.parent.range
            assert outer.start <= inner.start
            assert inner.end <= outer.end
            one = one.parent  # noqa: PLW2901  # outwards


def test_a_long_line_is_colored_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_COLORED", 100)
    record = record_of("(;FF[4]GM[1]SZ[9]" + ";B[aa];W[bb]" * 100 + ")")
    line = lsp.Range(lsp.Position(0, 0), lsp.Position(1, 0))
    colors = views.color(record, lsp.SemanticTokensRangeParams(NAME, line))

    assert 10 < len(colors.data) // 5 < 60


def test_more_games_than_files_are_not_split() -> None:
    record = record_of("(;FF[4];B[aa])" * (actions.MAX_FILES + 1))

    with pytest.raises(ValueError, match="at most 200 games"):
        actions.change_text(record, "split", None)


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.sgf")
    record = Record(Document((tmp_path / "a.sgf").as_uri(), "(;FF[4]KM[6,5])"), Settings())

    assert "V301" in {finding.code for finding in record.check(lambda: True)}
