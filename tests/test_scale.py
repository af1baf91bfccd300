"""Long and deep records: nothing recurses, and twice the text takes about twice the time."""

from __future__ import annotations

import copy
import gc
import io
import pickle
import time
from functools import cache
from typing import TYPE_CHECKING

import pytest

import sgf_lark
from sgf_lark import Collection, Report

if TYPE_CHECKING:
    from collections.abc import Callable

#: What measures lines would be measured with them.
pytestmark = pytest.mark.no_cover

#: Twice as much may take at most so many times as long: 2, and what a busy machine adds.
LIMIT = 2.6

#: So often the two times are taken, if they are not good before; the best ones count.
ROUNDS = 10


def ratio(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """Time for twice the size, measured against the time for the size.

    Args:
        work: Gives what is timed, for a size.
        size: The smaller one.
    """
    once, twice = work(size), work(2 * size)
    times = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for which, one in enumerate((once, twice)):
            gc.collect()
            gc.disable()  # as timeit does: it comes in leaps
            start = time.process_time()
            one()
            times[which] = min(times[which], time.process_time() - start)
            gc.enable()
        if times[1] <= LIMIT * times[0]:
            break
    return times[1] / times[0]


# ---- what a good record can be ----


def nested(count: int) -> str:
    """Each node in a variation of its own, all in one another."""
    return "(;FF[4]GM[1]" + "(;B[aa]" * count + ")" * (count + 1)


def branching(count: int) -> str:
    """Each node a second variation of the node before."""
    return "(;FF[4]GM[1]" + "(;B[aa])(;W[bb]" * count + ")" * (count + 1)


def siblings(count: int) -> str:
    """All nodes variations of the root."""
    return "(;FF[4]GM[1]" + "(;B[aa])" * count + ")"


def line(count: int) -> str:
    """All nodes in one sequence."""
    return "(;FF[4]GM[1]" + ";B[aa];W[bb]" * (count // 2) + ")"


def games(count: int) -> str:
    """Many games in one text."""
    return "(;FF[4]GM[1];B[aa])\n" * count


def ggf_games(count: int) -> str:
    """Many games of GGF."""
    return "1 (;GM[Othello]PC[x]B[d3]W[c5];)\n" * count


def comment(count: int) -> str:
    """A long comment, escapes and line breaks in it."""
    return "(;FF[4]GM[1]C[" + "a long (story;) \\] \\\\ of [ and :\r\n" * (count // 32) + "])"


#: How large a record is read whole.  Ten times as much was tried by hand for a line of nodes,
#: for many games, siblings and a long comment: it takes minutes, and passes.
FULL: dict[Callable[[int], str], int] = {
    nested: 100_000,
    branching: 10_000,
    siblings: 10_000,
    comment: 5_000_000,
    line: 100_000,
    games: 10_000,
    ggf_games: 2_000,
}

#: Sizes at which time is taken; the double of it, too.
TIMED: dict[Callable[[int], str], int] = {
    nested: 3_000,
    branching: 1_500,
    siblings: 3_000,
    comment: 500_000,
    line: 5_000,
    games: 1_000,
    ggf_games: 1_000,
}


@cache
def loaded(shape: Callable[[int], str], count: int) -> Collection:
    return sgf_lark.loads(shape(count))


def json_and_back(collection: Collection) -> bool:
    return Collection.model_validate_json(collection.model_dump_json()) == collection


def data_and_back(collection: Collection) -> bool:
    return Collection.model_validate(collection.model_dump()) == collection


def pickle_and_back(collection: Collection) -> bool:
    return bool(pickle.loads(pickle.dumps(collection)) == collection)


def copied(collection: Collection) -> bool:
    return copy.copy(collection) == copy.deepcopy(collection) == collection


def compared(collection: Collection) -> bool:
    """Equal to one that shares nothing with it, and found by it in a set."""
    other = sgf_lark.loads(collection.text)
    return other == collection and hash(other) == hash(collection) and {*other} == {*collection}


def shown(collection: Collection) -> bool:
    """As text: the collection, its games and all nodes."""
    texts = [repr(collection), str(collection)]
    for game in collection:
        texts += [repr(game), str(game)]
        texts += [repr(node) + str(node) for node in game.walk()]
    return all(texts)


def walked(collection: Collection) -> bool:
    """Every node with its parent, children, move, values and places."""
    for game in collection:
        assert game.info is not None
        for node in game.walk():
            assert all(child.parent == node for child in node.children)
            assert all(one.span for one in node.properties)
            assert all(node[ident] is not None for ident in node)
            assert node.raw.keys() == {*node}
            assert (node.move is not None) == ("B" in node or "W" in node)
        assert all(node.move_number >= 0 for node in game.main_line())
    return True


def described(collection: Collection) -> bool:
    """The path of every node."""
    return all(node.path for game in collection for node in game.walk())


OPERATIONS = [
    walked,
    described,
    shown,
    copied,
    compared,
    pickle_and_back,
    data_and_back,
    json_and_back,
]


@pytest.mark.parametrize("shape", FULL, ids=lambda shape: shape.__name__)
def test_nothing_is_too_long_or_too_deep(shape: Callable[[int], str]) -> None:
    collection = loaded(shape, FULL[shape])

    for operation in OPERATIONS:
        assert operation(collection), operation.__name__
    loaded.cache_clear()


@pytest.mark.parametrize("shape", TIMED, ids=lambda shape: shape.__name__)
def test_reading_takes_twice_as_long_for_twice_the_text(shape: Callable[[int], str]) -> None:
    def work(count: int) -> Callable[[], object]:
        text = shape(count)
        return lambda: sgf_lark.loads(text)

    assert ratio(work, TIMED[shape]) <= LIMIT


@pytest.mark.parametrize("shape", TIMED, ids=lambda shape: shape.__name__)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.__name__)
def test_a_collection_of_twice_the_size_takes_twice_the_time(
    operation: Callable[[Collection], bool], shape: Callable[[int], str]
) -> None:
    def work(count: int) -> Callable[[], object]:
        collection = loaded(shape, count)
        return lambda: operation(collection)

    assert ratio(work, TIMED[shape]) <= LIMIT


# ---- what nobody would write on purpose ----


def numbered(pattern: str, count: int) -> str:
    """A pattern with a different number each time."""
    return "".join([pattern % number for number in range(count)])


def lettered(pattern: str, count: int) -> str:
    """A pattern with a different name each time: capital letters for digits."""
    names = str.maketrans("0123456789", "ABCDEFGHIJ")
    return "".join([pattern % str(number).translate(names) for number in range(count)])


#: Texts that cost little for each character: made of so many pieces.
FLAT_SIZE = 40_000
FLAT: dict[str, Callable[[int], str]] = {
    "closing brackets": lambda n: ")" * n,
    "semicolons": lambda n: ";" * n,
    "brackets that open values": lambda n: "[" * n,
    "brackets that close values": lambda n: "]" * n,
    "capital letters": lambda n: "A" * n,
    "small letters": lambda n: "a" * n,
    "white space": lambda n: " " * n,
    "NUL characters": lambda n: "\0" * n,
    "Chinese letters": lambda n: "中" * n,
    "properties outside": lambda n: "A[]" * n,
    "a long name": lambda n: "(;" + "A" * n,
    "a long name in small letters": lambda n: "(;" + "a" * n + "B",
    "small letters behind a bracket": lambda n: "(" + "a" * n,
    "names behind brackets": lambda n: "(a" * n,
    "capital names behind brackets": lambda n: "(A" * n,
    "white space behind a bracket": lambda n: "(" + " " * n,
    "white space behind brackets": lambda n: ("(" + " " * 99) * (n // 100),
    "white space behind a name": lambda n: ("(A" + " " * 98) * (n // 100),
    "white space everywhere": lambda n: "(;" + " " * n + "FF" + " " * n + "[4]" + " " * n + ")",
    "line breaks of all kinds": lambda n: "\r\n\r\n\n\r" * n + "(;FF[4])",
    "values that never end": lambda n: "(;FF[4]" + ";B[aa" * n,
    "backslashes": lambda n: "(;FF[4]C[" + "\\" * n,
    "escaped backslashes": lambda n: "(;FF[4]C[" + "\\\\" * n + "])",
    "a backslash in each value": lambda n: "(;FF[4]" + ";C[\\" * n,
    "soft line breaks": lambda n: "(;FF[4]C[" + "\\\n" * n + "])",
    "hard line breaks": lambda n: "(;FF[4]C[" + "\r\n\r" * n + "])",
    "colons": lambda n: "(;FF[4]LB[" + ":" * n + "])",
    "colons in AP": lambda n: "(;FF[4]AP[" + ":" * n + "])",
    "escaped colons": lambda n: "(;FF[4]LB[" + "\\:" * n + "])",
    "a long number": lambda n: "(;FF[4]KM[" + "9" * n + "])",
    "a long whole number": lambda n: "(;FF[4]HA[" + "9" * n + "]SZ[" + "9" * n + ":1])",
    "a long FF": lambda n: "(;FF[" + "9" * n + "]GM[" + "9" * n + "])",
    "many days": lambda n: "(;FF[4]DT[1996-05-06" + ",07" * (n // 8) + "])",
    "a long GGF count": lambda n: "1" * n + " (;GM[Othello];)",
    "many GGF counts": lambda n: "1 " * n + "(;GM[Othello];)",
    "a GGF value that never ends": lambda n: "(;GM[Othello]" + "B[a" * n,
    "a long GGF board": lambda n: "(;GM[Othello]BO[8 " + "-" * n + " *];)",
    "a large GGF board": lambda n: "(;GM[Othello]BO[" + "9" * (n // 10) + " -- *];)",
    "slashes": lambda n: "(;GM[Othello]TI[" + "/" * n + "]B[" + "/" * n + "];)",
    "a long GGF number": lambda n: "(;GM[Othello]RE[" + "9" * n + "]TI[" + "9" * n + "];)",
    "backgammon": lambda n: "(;FF[4]GM[6];B[11" + "a" * n + "])",
    "prongs": lambda n: "(;FF[4]GM[19];B[a1" + "+A" * n + "])",
}

#: Texts of so many pieces, each of which is something to read or to complain about.
DENSE_SIZE = 600
DENSE: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "(" * n,
    "empty trees": lambda n: "()" * n,
    "nodes never closed": lambda n: "(;" * n,
    "games never closed": lambda n: "(;FF[4]" * n,
    "games with a value that never ends": lambda n: "(;FF[4]B[aa" * n,
    "games inside games": lambda n: "(;FF[4]B[aa]" * n + ")" * n,
    "variations never closed": lambda n: "(;FF[4]" + "(;B[aa]" * n,
    "brackets too many": lambda n: "(;FF[4]" + "((;B[aa])" * n + ")" * n + ")",
    "closing brackets between": lambda n: "(;FF[4]))" * n,
    "text between games": lambda n: "(;FF[4]) x " * n,
    "nodes behind variations": lambda n: "(;FF[4]" + "(;B[aa]);W[aa]" * n + ")",
    "variations without semicolons": lambda n: "(;FF[4]" + "(B[aa])" * n + ")",
    "junk between": lambda n: "(;FF[4]" + ";B[aa]x é" * n + ")",
    "names without values": lambda n: "(;FF[4]" + "B ;" * n + ")",
    "values without names": lambda n: "(;FF[4]" + "C[]x[x]" * n + ")",
    "NUL in values": lambda n: "(;FF[4]" + "C[\0]" * n + ")",
    "lines and columns": lambda n: "(;FF[4]" + "\r\n\r;B[zzz]\n\r" * n + ")",
    "one property many times": lambda n: "(;FF[4]" + "AB[aa]" * n + ")",
    "different properties of one name": lambda n: "(;FF[4]" + numbered("C[%d]", n) + ")",
    "unknown properties": lambda n: "(;FF[4]" + lettered("X%s[a]", n) + ")",
    "unknown properties without FF": lambda n: "(;" + lettered("X%s[a]", n) + ")",
    "properties of other formats": lambda n: "(;FF[4]" + numbered(";L[%d]", n) + ")",
    "properties of newer formats": lambda n: "(" + numbered(";CR[%d]", n) + ")",
    "wrong values": lambda n: "(;FF[4]" + numbered(";B[%d]", n) + ")",
    "wrong values without FF": lambda n: "(" + numbered(";B[%d]", n) + ")",
    "values of one property": lambda n: "(;FF[4]AB" + "[aa:ZZ]" * n + "TR" + "[a]" * n + ")",
    "empty values": lambda n: "(;FF[4]VW" + "[]" * n + ")",
    "rectangles": lambda n: "(;FF[4]" + "(;AB[aa:ZZ])" * n + ")",
    "wrong siblings": lambda n: "(;FF[4]" + "(;B[zzz])" * n + ")",
    "wrong second children": lambda n: "(;FF[4]" + "(;B[aa])(;B[zzz]" * n + ")" * n + ")",
    "a long wrong line": lambda n: "(;FF[4]" + ";B[zzz]" * n + ")",
    "turns and steps": lambda n: "(;FF[4]" + "(;B[aa])(;B[zzz];W[zzz]" * n + ")" * n + ")",
    "game-info in every node": lambda n: "(;FF[4]KM[1]" + ";KM[1]SZ[9]" * n + ")",
    "moves and setup": lambda n: "(;FF[4]" + ";AB[aa]B[aa]W[bb]" * n + ")",
    "GGF games never closed": lambda n: "(;GM[Othello]" * (n // 4),
    "GGF games": lambda n: "(;GM[Othello];)" * n,
    "GGF junk": lambda n: "(;GM[Othello]" + "x B[d3] 7" * n + ";)",
    "GGF semicolons": lambda n: "(;GM[Othello]" + ";" * n + ";)",
    "GGF times": lambda n: "(;GM[Othello]" + numbered("B[a1//1.%d]", n) + ";)",
}


@pytest.mark.parametrize(
    ("text", "size"),
    [pytest.param(text, FLAT_SIZE, id=name) for name, text in FLAT.items()]
    + [pytest.param(text, DENSE_SIZE, id=name) for name, text in DENSE.items()],
)
def test_no_text_takes_more_than_twice_as_long_when_doubled(
    text: Callable[[int], str], size: int
) -> None:
    def work(count: int) -> Callable[[], object]:
        record = text(count)

        def check_and_use() -> None:
            report = sgf_lark.check(io.StringIO(record))
            assert str(report) or not report
            for game in sgf_lark.iter_games(io.StringIO(record), strict=False):
                for node in game.walk():
                    assert node.raw.keys() == {ident for ident in node if node[ident] is not None}
                    assert all(one.span for one in node.properties)

        return check_and_use

    assert ratio(work, size) <= LIMIT


#: Of so many pieces, so that what grows with their square shows.
ASKED_SIZE = 4_000

#: What is quick to read once, and slow to ask if each answer begins with the first character.
ASKED: dict[str, tuple[Callable[[int], str], Callable[[Collection], object]]] = {
    "all values of a node": (
        lambda n: "(;FF[4]" + "AB[aa]" * n + ")",
        lambda collection: collection[0].root.raw,
    ),
    "one value of a node": (
        lambda n: "(;FF[4]" + "AB[aa]" * n + ")",
        lambda collection: collection[0].root["AB"],
    ),
    "a report": (
        lambda n: "(;FF[4]" + ";B[zzz]\n" * n + ")",
        lambda collection: str(Report(text=collection.text, diagnostics=collection.diagnostics)),
    ),
}


@pytest.mark.parametrize(("text", "question"), ASKED.values(), ids=ASKED)
def test_an_answer_of_twice_the_length_takes_twice_the_time(
    text: Callable[[int], str], question: Callable[[Collection], object]
) -> None:
    def work(count: int) -> Callable[[], object]:
        collection = sgf_lark.loads(text(count), strict=False)
        return lambda: question(collection)

    assert ratio(work, ASKED_SIZE) <= LIMIT
