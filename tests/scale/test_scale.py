"""Long and deep records: nothing recurses, and twice the text takes about twice the time."""

from __future__ import annotations

import copy
import io
import pickle
import tracemalloc
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import pytest
from benchmarks.families import (
    DENSE,
    DENSE_SIZE,
    FAULTY,
    FAULTY_SIZE,
    FLAT,
    FLAT_SIZE,
    SEVERAL,
    SEVERAL_SIZE,
    lettered,
)
from benchmarks.growth import of_length
from support import timing
from support.lanes import is_night, one_in
from support.timing import LIMIT, PART, growth, growth_of_calls, growth_of_time

import sgf_lark
from sgf_lark import Collection, Report
from sgf_lark.core.text import stream

if TYPE_CHECKING:
    from collections.abc import Callable

#: What measures lines would be measured with them.
pytestmark = [pytest.mark.no_cover, pytest.mark.timing]


# ---- what is measured ----


@pytest.mark.parametrize(
    "measure", [growth_of_calls, pytest.param(growth_of_time, marks=pytest.mark.night)]
)
def test_what_grows_with_the_square_is_seen(
    measure: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timing, "PATIENCE", 1)

    def work(count: int) -> Callable[[], object]:
        return lambda: [len(str(one + other)) for one in range(count) for other in range(count)]

    assert measure(work, 200) > 3 > LIMIT


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


#: How large a record is read whole.
FULL: dict[Callable[[int], str], int] = {
    nested: 50_000,
    branching: 5_000,
    siblings: 10_000,
    comment: 2_000_000,
    line: 50_000,
    games: 5_000,
    ggf_games: 2_000,
}

#: Sizes at which time is taken; the double of it, too.  All are deeper than Python may recurse.
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


@pytest.mark.both_lanes
@pytest.mark.parametrize("shape", one_in(7, FULL), ids=lambda shape: shape.__name__)
def test_nothing_is_too_long_or_too_deep(shape: Callable[[int], str]) -> None:
    collection = loaded(shape, FULL[shape] if is_night() else TIMED[shape] // 2)

    for operation in OPERATIONS:
        assert operation(collection), operation.__name__
    loaded.cache_clear()


@pytest.mark.both_lanes
@pytest.mark.parametrize("shape", one_in(3, TIMED), ids=lambda shape: shape.__name__)
def test_reading_takes_twice_as_long_for_twice_the_text(shape: Callable[[int], str]) -> None:
    def work(count: int) -> Callable[[], object]:
        text = shape(count)
        return lambda: sgf_lark.loads(text)

    assert growth(work, TIMED[shape]) <= LIMIT


#: A third of the pairs, with each operation and each shape several times.
PAIRS = [*product(OPERATIONS, TIMED)][::3]


@pytest.mark.both_lanes
@pytest.mark.parametrize(("operation", "shape"), one_in(10, PAIRS), ids=lambda one: one.__name__)
def test_a_collection_of_twice_the_size_takes_twice_the_time(
    operation: Callable[[Collection], bool], shape: Callable[[int], str]
) -> None:
    def work(count: int) -> Callable[[], object]:
        collection = loaded(shape, count)
        return lambda: operation(collection)

    assert growth(work, TIMED[shape]) <= LIMIT


# ---- several games, as files have them ----


def read_one_by_one(text: str) -> object:
    return [*sgf_lark.iter_games(io.StringIO(text), strict=False)]


def checked(text: str) -> object:
    return str(sgf_lark.check(io.StringIO(text)))


@pytest.mark.night
@pytest.mark.both_lanes
@pytest.mark.parametrize(
    ("name", "way"), one_in(11, [*product(SEVERAL, [checked, read_one_by_one])][::3])
)
def test_twice_as_many_games_take_twice_as_long(name: str, way: Callable[[str], object]) -> None:
    def work(count: int) -> Callable[[], object]:
        text = SEVERAL[name](count)
        return lambda: way(text)

    assert growth(work, SEVERAL_SIZE) <= LIMIT


@pytest.mark.both_lanes
def test_findings_outside_games_take_twice_as_long_for_twice_the_text() -> None:
    def work(count: int) -> Callable[[], object]:
        text = "();" * count
        return lambda: read_one_by_one(text)

    assert growth(work, 2 * SEVERAL_SIZE) <= LIMIT


# ---- what nobody would write on purpose ----


ODD = [
    pytest.param(text, size, id=name)
    for family, size in ((FLAT, FLAT_SIZE), (DENSE, DENSE_SIZE), (FAULTY, FAULTY_SIZE))
    for name, text in family.items()
]


@pytest.mark.parametrize(("text", "size"), one_in(45, ODD))
def test_no_text_takes_more_than_twice_the_calls_when_doubled(
    text: Callable[[int], str], size: int
) -> None:
    assert growth(work_of(text), size, by_time=False) <= LIMIT


@pytest.mark.night
@pytest.mark.parametrize(("text", "size"), ODD[::3])
def test_no_text_takes_more_than_twice_as_long_when_doubled(
    text: Callable[[int], str], size: int
) -> None:
    assert growth(work_of(text), size, by_time=True) <= LIMIT


def work_of(text: Callable[[int], str]) -> Callable[[int], Callable[[], object]]:
    """Return what checks a text of a family and uses all of it."""

    def work(count: int) -> Callable[[], object]:
        record = text(count)

        def check_and_use() -> None:
            report = sgf_lark.check(io.StringIO(record))
            assert str(report) or not report
            for game in sgf_lark.loads(record, strict=False):
                for node in game.walk():
                    assert node.raw.keys() == {ident for ident in node if node[ident] is not None}
                    assert all(one.span for one in node.properties)

        return check_and_use

    return work


#: Characters of a text that is read in three blocks, its double in five.  Seconds are taken of
#: more: times of a text that just leaves the cache of a processor grow faster than it.
STREAMED = 560_000 if is_night() else 140_000


@pytest.mark.both_lanes
@pytest.mark.parametrize("name", one_in(8, [*FLAT][::3]))
def test_a_game_of_twice_the_blocks_takes_twice_as_long(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_night():
        monkeypatch.setattr(stream, "BLOCK", stream.BLOCK // PART)

    def work(characters: int) -> Callable[[], object]:
        record = of_length(FLAT[name], characters)
        return lambda: list(sgf_lark.iter_games(io.StringIO(record), strict=False))

    assert growth(work, STREAMED) <= LIMIT


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
    "each value of a damaged node": (
        lambda n: "(;" + lettered("X%s[a]", n) + ")",
        lambda collection: dict(collection[0].root),
    ),
    "a report": (
        lambda n: "(;FF[4]" + ";B[zzz]\n" * n + ")",
        lambda collection: str(Report(text=collection.text, diagnostics=collection.diagnostics)),
    ),
}


@pytest.mark.both_lanes
@pytest.mark.parametrize(
    ("text", "question"), one_in(4, [pytest.param(*ASKED[one], id=one) for one in ASKED])
)
def test_an_answer_of_twice_the_length_takes_twice_the_time(
    text: Callable[[int], str], question: Callable[[Collection], object]
) -> None:
    def work(count: int) -> Callable[[], object]:
        collection = sgf_lark.loads(text(count), strict=False)
        return lambda: question(collection)

    assert growth(work, ASKED_SIZE) <= LIMIT


# ---- what memory a character may cost ----


def test_a_value_of_many_escapes_is_read_without_memory_for_each() -> None:
    text = of_length(FLAT["escaped colons"], 200_000)
    sgf_lark.loads(text[:100] + "])", strict=False)  # so that grammars are built

    tracemalloc.start()
    sgf_lark.loads(text, strict=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 20 * len(text)  # one round of a regular expression that goes back takes 100
