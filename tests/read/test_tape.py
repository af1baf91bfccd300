"""Tapes: the same from any source, however the text was cut."""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Callable
from io import StringIO

import pytest
from lark.exceptions import UnexpectedInput
from support.corpus import names, record, required
from support.lanes import amount

import sgf_lark
from sgf_lark import GameTree
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.tokens import tokenize
from sgf_lark.core.model import tape as tapes
from sgf_lark.core.model.tape import LONGEST_HEAD, MAX_RECENT, Tape, splitter
from sgf_lark.core.read import tape_reader as reading
from sgf_lark.core.read.parse import tape_of_tree
from sgf_lark.core.read.tape_reader import TapeReader

RECORD = "(;FF[4]GM[1]SZ[9]C[a\\] b] ;B[aa]\n(;W[bb];B[cc]LB[dd:1] [ee:2]) (;W[cc] ) )"


def contents(tape: Tape) -> tuple[object, ...]:
    """All that a tape tells of its nodes, but for places."""
    return tape.parents.tolist(), list(tape.each())


def by_json(text: str) -> GameTree:
    dumped = sgf_lark.loads(text, strict=False).model_dump_json()
    return sgf_lark.Collection.model_validate_json(dumped)[0]


def by_draft(text: str) -> GameTree:
    draft = sgf_lark.loads(text, strict=False)[0].edit()
    draft.remove(draft.add(draft.root))
    return draft.done()


SOURCES: dict[str, Callable[[str], GameTree]] = {
    "a text": lambda text: sgf_lark.loads(text)[0],
    "Lark's tree": lambda text: sgf_lark.loads(text, engine="lark")[0],
    "mended tokens": lambda text: sgf_lark.loads(text[:-1], strict=False)[0],
    "JSON": by_json,
    "a draft": by_draft,
    "a pickle": lambda text: pickle.loads(pickle.dumps(sgf_lark.loads(text)))[0],
    "a stream": lambda text: next(sgf_lark.iter_games(StringIO(text))),
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_game_is_a_tape_wherever_it_comes_from(source: str) -> None:
    game, expected = SOURCES[source](RECORD), sgf_lark.loads(RECORD)[0]

    assert type(game.nodes) is type(expected.nodes)
    assert type(game.nodes.tape) is Tape
    assert type(game.nodes.contents) is type(expected.nodes.contents)
    assert game == expected
    assert contents(game.nodes.tape) == contents(expected.nodes.tape)
    assert sgf_lark.dumps(game, style="canonical") == sgf_lark.dumps(expected, style="canonical")


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 40])
def test_a_text_may_be_cut_into_pieces_anywhere(
    monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    texts = [RECORD * 3, f"(;C[{'long ' * 99}];)", "(;B[aa]", "x(;)y(;;)", "(;C[\\]];)"]
    expected = [games(text) for text in texts]
    monkeypatch.setattr(reading, "FIRST_PIECE", piece)
    monkeypatch.setattr(reading, "LARGEST_PIECE", piece)

    assert [games(text) for text in texts] == expected


def games(text: str) -> list[object]:
    """The tapes at each ``(`` of a text, or None, with their places."""
    reader = TapeReader(text, ggf=False)
    found = [reader.read(at) for at, char in enumerate(text) if char == "("]
    return [
        None if one is None else (contents(one), spans(one), one.span, one.marks) for one in found
    ]


def texts() -> list[str]:
    """The real records, read as Latin-1."""
    required()
    return [record(which).read_text("latin-1") for which in names()]


def closed(text: str) -> str:
    """The beginning of the first game of a record, with the brackets that it lacks."""
    start = max(0, text.find("(;"))
    part = text[start : text.rfind("]", start, start + 400) + 1]
    kinds = [kind for kind, *_ in tokenize(part, 0, len(part))]
    return part + ")" * (kinds.count("OPEN") - kinds.count("CLOSE"))


def mutated(text: str, dice: random.Random) -> str:
    """The text with at most two characters exchanged, left out or added."""
    chars = list(text)
    for _ in range(dice.randint(0, 2)):
        at = dice.randrange(1, len(chars))
        chars[at : at + dice.randint(0, 1)] = dice.choice(["", *"()[];\\:xB \n"])
    return "".join(chars)


@pytest.mark.both_lanes
def test_a_text_has_a_tape_where_lark_makes_a_tree_and_it_is_the_same() -> None:
    dice = random.Random(24)  # noqa: S311  # a test
    real = [text for text in map(closed, texts()) if len(text) > 20]
    formats = [(grammars.path(name), name) for name in ("ff1", "ff3", "ff4")]
    accepted = 0
    for number in range(amount(60, 5_000)):
        text = mutated(dice.choice(real), dice)
        file, name = formats[number % 3]
        tape = TapeReader(text, ggf=False).read(0)
        try:
            tree = grammars.structure(file, "game_tree").parse(text)
        except UnexpectedInput:
            if tape is not None and tape.stop == len(text):
                assert not reading.allows(file, tape.names()), (name, text)
            continue
        accepted += 1
        by_lark = tape_of_tree(text, tree, ggf=False)
        assert tape is not None, (name, text)
        assert contents(tape) == contents(by_lark), (name, text)
        assert spans(tape) == spans(by_lark), (name, text)
    assert accepted > amount(10, 1_000)


def spans(tape: Tape) -> list[object]:
    """The places of nodes and properties."""
    return [
        (tape.node(node, len(pairs)), [tape.property(node, place) for place in range(len(pairs))])
        for node, pairs in enumerate(tape.each())
    ]


def test_more_games_than_are_kept_say_by_turns_what_each_says_alone() -> None:
    count = 3 * MAX_RECENT
    text = "".join(f"(;FF[4]GM[1]SZ[19]C[{one}];B[aa]N[{one}];W[bb] [cc])" for one in range(count))
    games = sgf_lark.loads(text, strict=False)
    pairs = [[*game.nodes.tape.each()] for game in games]
    places = [spans(game.nodes.tape) for game in games]

    for node in range(3):
        for tape, own, at in zip([game.nodes.tape for game in games], pairs, places, strict=True):
            assert tape.pairs(node) == own[node]
            assert spans(tape)[node] == at[node]


def test_a_head_that_occurs_once_is_not_kept_if_it_is_long() -> None:
    by = splitter("tokens")
    long = " " * 2 * LONGEST_HEAD

    assert sgf_lark.loads(f"(;FF[4]{long};B[aa])", strict=False)[0].nodes.tape.marks == "(;n[;n[)"
    assert f"{long};B" not in by.heads
    assert ";B" in by.heads


def test_a_head_says_where_it_breaks_the_grammar() -> None:
    heads = {";B": ";n", ")(;W": ")(;n", "": "", "B C": "xn", "x": "n", "(B": "(xn", ") ;B": ")x;n"}

    assert {head: splitter("tokens").heads[head].marks for head in heads} == heads


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("start", ["tokens", "ggf_tokens"])
def test_a_text_that_is_cut_piece_by_piece_has_the_heads_and_values_of_one_split(
    size: int, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tapes, "LONGEST_PIECE", size)
    by = splitter(start)
    for text in (
        "(;FF[4]C[a [b\\] c\\\\](;B[aa]AB[bb]\n[cc] ;;W[])x[)",
        *("(;C[\\\\\\]]", "", "[[]]", "(;C[a\\"),
    ):
        assert by.cut(text, 0, len(text)) == by.split(text)
        assert by.cut(f"x{text}y", 1, len(text) + 1) == by.split(text)


@pytest.mark.timeout(30)  # it took minutes when each bracket looked for its end
@pytest.mark.parametrize(
    ("start", "value"),
    [
        *(("(;FF[4]", value) for value in ("B[a", "B[\\]", ";C[\\", "[")),
        *(("(;GM[Othello]", value) for value in ("B[a", "[")),
    ],
)
def test_of_brackets_that_nothing_closes_the_first_one_alone_is_looked_at(
    start: str, value: str
) -> None:
    text = start + value * 200_000

    assert sgf_lark.loads(text, strict=False).diagnostics
    assert len([*sgf_lark.iter_games(StringIO(text), strict=False)]) <= 1


@pytest.mark.parametrize("text", ["C[a]B[", "C[a]B[\\]", "C[a]B[b]", "[", "[\\]", "C[a\\]", "[]]["])
def test_what_is_never_closed_is_no_value(text: str) -> None:
    assert splitter("tokens").split(text) == re.split(r"(\[(?:[^]\\]|\\.)*\])", text)
    assert splitter("ggf_tokens").split(text) == re.split(r"(\[[^]]*\])", text)
