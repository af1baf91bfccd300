"""Exports of grammars are read as we mean them by the programs that they are for.

llguidance is a Python package, vscode-textmate and vscode-oniguruma are
packages of Node, found through NODE_PATH; one that is not installed is skipped.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput
from support import corpus
from support.golden_texts import examples
from support.grammar_files import STRUCTURE, structure

from sgf_lark import typed_grammar
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import GrammarSource
from sgf_lark.core.places import LineIndex
from sgf_lark.core.read.detect_format import detect_format
from sgf_lark.workbench.export import export
from sgf_lark.workbench.samples import broken, sentences
from sgf_lark.workbench.source_text import experiment

pytestmark = pytest.mark.night


def matcher_of(file: Path | GrammarSource, target: str) -> Callable[[], Any]:
    """Return what makes a matcher of bytes by a grammar; one of GBNF is translated first."""
    llguidance = pytest.importorskip("llguidance", reason="llguidance is not installed")
    gbnf = pytest.importorskip("llguidance.gbnf_to_lark")

    class Bytes:
        eos_token_id, bos_token_id = 256, None
        special_token_ids = (256,)
        tokens = (*(bytes([code]) for code in range(256)), b"<end>")

        def __call__(self, text: str) -> list[int]:
            return list(text.encode())

    tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Bytes()))
    text = llguidance.LLMatcher.grammar_from_lark(gbnf.any_to_lark(export(file, target)))
    assert llguidance.LLMatcher.validate_grammar(text, tokenizer) == ""
    return lambda: llguidance.LLMatcher(tokenizer, text)


#: Typed Go on 9 by 9.
GO = GrammarSource(Path("go.lark"), typed_grammar("ff4", "go", 9, fixed=True))

both_targets = pytest.mark.parametrize("target", ["llguidance", "gbnf"])


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


@both_targets
def test_llguidance_allows_each_byte_of_real_games_that_we_read(target: str) -> None:
    ours = Lark(GO.text, parser="lalr", start="collection")
    matcher, right, named = matcher_of(GO, target), 0, 0
    for text in records():
        data = text.encode()
        one = matcher()
        allowed = one.try_consume_tokens(list(data)) == len(data) and one.is_accepting()
        try:
            ours.parse(text)
        except UnexpectedInput as error:
            if allowed:  # a fault of a kind that the head names
                (wanted,) = error.expected  # type: ignore[attr-defined]
                assert f"#   {wanted}: what its lookaheads exclude\n" in export(GO, target)
                named += 1
        else:
            right += 1
            assert allowed, text
    assert right >= 50
    assert named <= (target == "gbnf")


@both_targets
def test_planted_faults_stop_llguidance_at_their_byte(target: str) -> None:
    matcher = matcher_of(GO, target)
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


#: No game records: texts in rules, what is ignored, an empty rule, characters of all kinds.
SUM = GrammarSource(
    Path("sum.lark"),
    r"""
    start: sum none | root
    sum: sum "+" product | product
    product: NUMBER | product ("*" | "ab"+) NUMBER | "(" sum ")"
    none:
    root: ROOT+ "]\\\"^-/#"
    ROOT: /[\u5e74\xe9^\-\]#]|(?s:x.)/
    NUMBER: /[0-9]+/
    %ignore / +/
    %ignore "\n"
    """,
)


@both_targets
@pytest.mark.parametrize("grammar", ["ff1", "ff3", "ff4", "ggf", "sum"])
def test_llguidance_takes_sentences_and_stops_at_the_fault_of_broken_ones(
    grammar: str, target: str
) -> None:
    file = SUM if grammar == "sum" else grammars.path(grammar)
    matcher = matcher_of(file, target)
    for text in islice(sentences(file, seed=1), 200):
        one, data = matcher(), text.encode()
        assert one.try_consume_tokens(list(data)) == len(data), text
        assert one.is_accepting(), text
    for wrong in islice(broken(file, seed=1), 200):
        one, data = matcher(), wrong.text.encode()
        before = wrong.text[: LineIndex(wrong.text).offset(wrong.line, wrong.column)]
        assert one.try_consume_tokens(list(data)) == len(before.encode()), wrong
        assert before != wrong.text or not one.is_accepting(), wrong


# ---- TextMate ----

#: Reads grammars by their names, and texts; writes the tokens of each, with the last two scopes.
TEXTMATE = r"""
const fs = require('fs')
const textmate = require('vscode-textmate'), oniguruma = require('vscode-oniguruma')
const wasm = require.resolve('vscode-oniguruma').replace(/main\.js$/, 'onig.wasm')
const {grammars, texts} = JSON.parse(fs.readFileSync(0, 'utf8'))
oniguruma.loadWASM(fs.readFileSync(wasm).buffer).then(async () => {
    const registry = new textmate.Registry({
        onigLib: Promise.resolve({
            createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
            createOnigString: text => new oniguruma.OnigString(text)
        }),
        loadGrammar: async name => textmate.parseRawGrammar(grammars[name], name + '.json')
    })
    const found = []
    for (const [name, text] of texts) {
        const grammar = await registry.loadGrammar(name), tokens = []
        let state = textmate.INITIAL
        for (const line of text.split('\n')) {
            const ended = grammar.tokenizeLine(line, state)
            for (const {startIndex, endIndex, scopes} of ended.tokens)
                tokens.push([line.slice(startIndex, endIndex), scopes.slice(-2).join(' ')])
            tokens.push(['\n', ''])
            state = ended.ruleStack
        }
        found.push(tokens.slice(0, -1))
    }
    console.log(JSON.stringify(found))
})
"""


def colored(texts: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """The tokens of texts of formats, with their scopes, as an editor has them."""
    node = shutil.which("node") or pytest.skip("node is not installed")
    files = {name: grammars.path(name) for name in STRUCTURE} | {"lark": NOTATION}
    made = {f"source.{name}": export(file, "textmate") for name, file in files.items()}
    ended = subprocess.run(  # noqa: S603  # a program on this machine
        [node, "-e", TEXTMATE],
        input=json.dumps(
            {"grammars": made, "texts": [(f"source.{name}", text) for name, text in texts]}
        ),
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    if "Cannot find module" in ended.stderr:
        pytest.skip("node has no vscode-textmate: npm install vscode-textmate vscode-oniguruma")
    assert ended.returncode == 0, ended.stderr
    return [[(text, scopes) for text, scopes in tokens] for tokens in json.loads(ended.stdout)]


NOTATION = grammars.path("notations/lark")

#: The letters that stand for characters of names, of values and of escapes.
LETTERS = {"PROP_IDENT": "n", "PROP_VALUE": "v", "COUNT": "c"}


def in_colors(tokens: list[tuple[str, str]]) -> str:
    """The text, each character as the letter of its token; others stay."""
    letters = {}
    for scopes in {scopes for _, scopes in tokens}:
        assert "invalid" not in scopes
        names = [name for name in LETTERS if name.lower().replace("_", "-") in scopes]
        letters[scopes] = "".join(LETTERS[name] for name in names)
    return "".join(letters[scopes] * len(text) or text for text, scopes in tokens)


def in_lark(text: str, name: str) -> str | None:
    """The same by Lark's tokens; None if it rejects the text."""
    start = STRUCTURE[name][0]
    try:
        tokens = [*structure(name).parse(text, start=start).scan_values(lambda _: True)]
    except UnexpectedInput:
        return None
    made: list[str] = []
    end = 0
    for token in tokens:
        made += [text[end : token.start_pos], re.sub(".", LETTERS[token.type], token)]
        end = token.end_pos or 0
    return "".join([*made, text[end:]])


def test_an_editor_colors_the_examples_of_the_catalogue_as_lark_reads_them() -> None:
    texts = []
    for example in examples():
        text = example.data.decode("utf-8", "replace")
        texts.append(
            (example.format.lower() if example.format else detect_format(text).grammar, text)
        )
    right: Counter[str] = Counter()
    for (name, text), tokens in zip(texts, colored(texts), strict=True):
        assert "".join(part for part, _ in tokens) == text
        wanted = in_lark(text, name)
        if wanted is not None:
            right[name] += 1
            assert in_colors(tokens) == wanted, text
    assert {*right} == {*STRUCTURE}
    assert right.total() > 200


def test_an_editor_colors_a_large_record_as_lark_reads_it() -> None:
    text = corpus.record("large/glift__Kogo_s_Joseki_Dictionary.sgf").read_text("utf-8-sig")
    (tokens,) = colored([("ff4", text)])
    assert "".join(part for part, _ in tokens) == text
    assert in_colors(tokens) == in_lark(text, "ff4")
    escapes = [part for part, scopes in tokens if "escape" in scopes]
    assert len(escapes) == len(re.findall(r"(?s)\\.", text))


def test_an_editor_colors_the_names_of_all_grammars_as_lark_reads_them() -> None:
    files = [file.read_text(encoding="utf-8") for file in grammars.folder().rglob("*.lark")]
    for text, tokens in zip(files, colored([("lark", text) for text in files]), strict=True):
        read = experiment(NOTATION, "grammar").lex(text)
        names = [token for token in read if token.type in {"RULE", "TERMINAL"}]
        assert [part for part, scopes in tokens if "variable.other" in scopes] == names
        assert [part for part, scopes in tokens if "invalid" in scopes] == []
