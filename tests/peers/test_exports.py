"""Exports of grammars are read as we mean them by the programs that they are for.

bison is a program of Debian, llguidance a Python package; one that is not installed is skipped.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import GrammarError, UnexpectedInput
from support import corpus
from support.programs import program

from sgf_lark import typed_grammar
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import GrammarSource
from sgf_lark.workbench.export import export

pytestmark = pytest.mark.night


def has_conflict(file: Path, rule: str) -> bool:
    part = grammars.part(grammars.loaded_for(file, rule), rule)
    try:
        Lark(part, parser="lalr", start=rule)
    except GrammarError:
        return True
    return False


@pytest.mark.parametrize("name", ["ff1", "ff3", "ff4", "ggf", "games/backgammon", "games/octi"])
def test_bison_finds_conflicts_where_lark_does(name: str, tmp_path: Path) -> None:
    file = grammars.path(name)
    for rule in grammars.rules(file):
        if not rule.startswith("_"):
            (tmp_path / "rule.y").write_text(export(file, "bison", rule), encoding="utf-8")
            command = [program("bison"), "-Wcounterexamples", "-o", "rule.c", "rule.y"]
            ended = subprocess.run(  # noqa: S603  # our own file
                command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
            )

            assert ("conflict" in ended.stderr) == has_conflict(file, rule), (rule, ended.stderr)


@pytest.fixture(scope="module")
def matcher() -> Callable[[], Any]:
    """Return what makes a matcher of bytes by the typed grammar of Go on 9 by 9."""
    llguidance = pytest.importorskip("llguidance", reason="llguidance is not installed")

    class Bytes:
        eos_token_id, bos_token_id = 256, None
        special_token_ids = (256,)
        tokens = (*(bytes([code]) for code in range(256)), b"<end>")

        def __call__(self, text: str) -> list[int]:
            return list(text.encode())

    tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Bytes()))
    file = GrammarSource(Path("go.lark"), typed_grammar("ff4", "go", 9, fixed=True))
    text = llguidance.LLMatcher.grammar_from_lark(export(file, "llguidance"))
    assert llguidance.LLMatcher.validate_grammar(text, tokenizer) == ""
    return lambda: llguidance.LLMatcher(tokenizer, text)


#: What stops at the first character of the second half.
FAULTS = [(";B[", "zz]"), (";B[a", "j]"), (";W[a", "]"), ("C[x](", ")"), (";KM[6", ",5]")]


def records() -> list[str]:
    texts = []
    for name in corpus.names():
        data = corpus.record(name).read_bytes()
        if b"SZ[9]" in data and len(data) < 100_000:
            try:
                texts.append(data.decode("utf-8"))
            except UnicodeDecodeError:
                continue
    return texts


def test_llguidance_allows_each_byte_of_real_games_that_we_read(matcher: Callable[[], Any]) -> None:
    ours = Lark(typed_grammar("ff4", "go", 9, fixed=True), parser="lalr", start="collection")
    right = 0
    for text in records():
        data = text.encode()
        one = matcher()
        allowed = one.try_consume_tokens(list(data)) == len(data) and one.is_accepting()
        try:
            ours.parse(text)
        except UnexpectedInput:
            assert not allowed, text
        else:
            right += 1
            assert allowed, text
    assert right >= 50


def test_planted_faults_stop_llguidance_at_their_byte(matcher: Callable[[], Any]) -> None:
    dice = Random("faults")  # noqa: S311  # the same ones every time
    moves = [
        f";{'BW'[n % 2]}[{dice.choice('abcdefghi')}{dice.choice('abcdefghi')}]" for n in range(40)
    ]
    for number in range(200):
        before = "(;GM[1]SZ[9]" + "".join(moves[: number % 40])
        begin, wrong = dice.choice(
            [(";B[", "zz]"), (";B[a", "j]"), (";W[a", "]"), ("C[x](", ")"), (";KM[6", ",5]")]
        )
        one = matcher()
        data = (before + begin + wrong).encode()

        assert one.try_consume_tokens(list(data)) == len((before + begin).encode()), data
