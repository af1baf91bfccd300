"""The positions of a game so far: a set that never changes."""

from __future__ import annotations

from hypothesis import given, strategies as st

from sgf_lark.games.go import WIDTH, Past


@given(st.lists(st.integers(-5, 5) | st.integers(), max_size=60))
def test_it_has_what_was_added_and_each_earlier_one_stays_as_it_was(elements: list[int]) -> None:
    sets = [Past()]
    for element in elements:
        sets.append(sets[-1].added(element))

    for count, known in enumerate(sets):
        assert sorted(known) == sorted({*elements[:count]})
        assert all((one in known) == (one in elements[:count]) for one in elements)


def test_elements_with_one_place_are_told_apart() -> None:
    known = Past().added(1).added(1 + WIDTH**2)

    assert 1 in known
    assert 1 + WIDTH**2 in known
    assert 1 + 2 * WIDTH**2 not in known
