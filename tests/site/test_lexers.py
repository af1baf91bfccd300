"""Lexers of the site: no character is lost, and tokens are the terminals of the grammars."""

from __future__ import annotations

import sys
from itertools import accumulate
from pathlib import Path

import pytest
from click.testing import CliRunner
from pygments import token
from support.places import ROOT

from sgf_lark.cli.main import app
from sgf_lark.core.findings.catalogue import catalogue
from sgf_lark.site.build import write_guides
from sgf_lark.site.lexers import GrammarLexer


def kinds(language: str, text: str) -> dict[str, object]:
    """Return the kind of each token, but for plain text."""
    tokens = GrammarLexer(language).get_tokens_unprocessed(text)
    return {part: kind for _, kind, part in tokens if kind is not token.Text}


def test_a_record_has_brackets_identifiers_and_values() -> None:
    found = kinds("sgf", r"(;Black[a\]b]W[])")

    assert found[r"[a\]b]"] is token.String
    assert found["Black"] is found["W"] is token.Name.Function
    assert found["("] is found[";"] is found[")"] is token.Keyword


def test_a_grammar_has_names_patterns_and_comments() -> None:
    found = kinds("lark", 'move: POINT "-" // two\nPOINT: /[a-z]/+\n')

    assert found["move"] is token.Name.Function
    assert found["POINT"] is token.Name.Constant
    assert found['"-"'] is found["/[a-z]/"] is token.String
    assert found[" // two"] is token.Comment


def test_a_production_has_a_name_that_it_defines() -> None:
    assert kinds("ebnf", 'Roll = Die | "pass".')["Roll ="] is token.Name.Function


def test_no_character_of_any_text_is_lost() -> None:
    records = [text for entry in catalogue().values() for text in (*entry.wrong, *entry.right)]
    texts = {
        "sgf": records,
        "lark": [one.read_text("utf-8") for one in ROOT.glob("grammars/*.lark")],
    }
    for language, these in texts.items():
        lexer = GrammarLexer(language)
        for text in these:
            tokens = [*lexer.get_tokens_unprocessed(text)]
            assert "".join(part for *_, part in tokens) == text
            ends = accumulate(len(part) for *_, part in tokens)
            assert [at for at, *_ in tokens] == [0, *ends][:-1]


def test_links_between_guides_lead_to_their_pages() -> None:
    pages = {name: str(content) for name, content in write_guides()}

    assert "MIT" in pages["files/LICENSE"]
    assert "](guides/questions.md)" in pages["index.md"]
    assert "](../index.md)" in pages["rooms/index.md"]
    assert "](../guides/check.md#select-rules)" in pages["rules/index.md"]
    assert "<a id='V301'></a>[V301](V301.md)" in pages["rules/index.md"]


@pytest.mark.parametrize("missing", ["sphinx", "furo", "myst_parser", "railroad"])
def test_the_command_says_what_it_needs(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    done = CliRunner().invoke(app, ["site", "-o", str(tmp_path / "site")])

    assert done.exit_code == 2
    assert done.stderr == (
        "error: the site needs more packages (extra site):  pip install 'sgf_lark[site]'\n"
    )
    assert not (tmp_path / "site").exists()
