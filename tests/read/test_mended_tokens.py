"""Mended tokens against the grammar: Lark accepts them, and makes the same game of them."""

from random import Random

import pytest
from lark import Token
from support.lanes import one_in

from sgf_lark import Format, SgfTransformer
from sgf_lark.core.findings.limits import MAX_ALIKE
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.tokens import name_pattern, tokenize
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.ruleset import RuleSets
from sgf_lark.core.read.build import GgfTransformer, build_game
from sgf_lark.core.read.mended import mended_tape
from sgf_lark.core.read.repair import mend_ggf, mend_sgf
from sgf_lark.core.read.split import split_games
from sgf_lark.core.schema.games import GO
from sgf_lark.core.schema.properties import PropertyTable

PIECES = [*"()();;[]\\ x:", "B[aa]", "C[a]", "FF[4]", "GM[1]", "AB[aa][bb]", "aB[]", "(;", "[x]"]


def texts(ends: str) -> list[str]:
    """Random texts that begin like a game; some of them are one."""
    random = Random(23)  # noqa: S311  # a fixed seed
    games = ["".join(random.choices(PIECES, k=random.randint(1, 25))) for _ in range(300)]
    return ["(;" + game + ends * (number % 3) for number, game in enumerate(games)]


@pytest.mark.parametrize("format_", one_in(4, Format))
def test_a_grammar_accepts_mended_tokens_and_lark_reads_the_same_game(format_: Format) -> None:
    ggf = format_ is Format.GGF
    rules = RuleSets(PropertyTable.standard()).rules(format_, GO)
    transformer = GgfTransformer(rules) if ggf else SgfTransformer(rules)
    file = grammars.path(format_.grammar)
    parser = grammars.structure(file, "game" if ggf else "game_tree")
    mend = mend_ggf if ggf else mend_sgf
    read = 0
    ends = ";)" if ggf else ")"
    spans = [(text, span) for text in texts(ends) for span in split_games(text, ggf=ggf)]
    for text, span in spans:
        if not span.is_game:
            continue
        tokens = tokenize(text, span.start, span.end, ggf=ggf)
        for game in mend(text, tokens, name_pattern(file), format_, MAX_ALIKE).games:
            machine = parser.parse_interactive()
            for kind, start, end in game:
                closing = "]" if kind == "UNCLOSED" else ""
                name = "PROP_VALUE" if closing else kind
                machine.feed_token(Token(name, text[start:end] + closing))
            tree = machine.feed_eof()  # type: ignore[no-untyped-call]
            branch = transformer.transform(tree)
            assert Nodes(mended_tape(text, game, ggf=ggf), rules) == build_game(branch, rules).nodes
            read += 1
    assert read > 100


@pytest.mark.parametrize("format_", Format)
def test_nothing_is_mended_in_a_game_that_its_grammar_accepts(format_: Format) -> None:
    ggf = format_ is Format.GGF
    file = grammars.path(format_.grammar)
    parser = grammars.structure(file, "game" if ggf else "game_tree")
    games = ["(;B[a]C[b\\]];W[])", "(;FF[1]  aB[a][b] (;C[[];B[()])(;;(;)(;C[;])) )", "(;)"]
    if ggf:
        games = ["(;GM[Othello]PB[a(;]B[d3//1] W[];)", "(; ;)"]
    elif format_ is Format.FF4:
        games = [game.replace("a", "") for game in games]
    for text in games:
        tokens = [*tokenize(text, 0, len(text), ggf=ggf)]
        mended = (mend_ggf if ggf else mend_sgf)(text, tokens, name_pattern(file), format_)

        assert parser.parse(text).data
        assert not mended.findings
        assert [token[1:] for token in mended.games[0]] == [token[1:] for token in tokens]
