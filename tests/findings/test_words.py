"""Words that are like a wrong one: what is proposed is what somebody can have meant."""

from __future__ import annotations

import pytest

from sgf_lark.core.findings.words import nearest


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("--lang", ["--range", "--language"], "--language"),  # begins with it
        ("selection", ["select", "strict"], "select"),  # is begun by it
        ("chek", ["check", "fmt"], "check"),
        ("wran", ["warn", "rank"], "warn"),  # two letters exchanged are one mistake
        ("V3011", ["V301", "V302"], "V301"),
        ("WI", ["wi"], "wi"),
        ("canonicla-layout", ["canonical-layout"], "canonical-layout"),
    ],
)
def test_a_word_is_answered_by_the_one_that_is_meant(
    word: str, known: list[str], meant: str
) -> None:
    assert nearest(word, known) == [meant]


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("--from", ["--as", "--frame-rate-of-all"]),
        ("--title", ["--animate"]),
        ("split", ["site"]),
        ("count", ["convert"]),
        ("--lang", ["--range", "--warn"]),
        ("sz", ["gm", "ff"]),
        ("", ["anything"]),
    ],
)
def test_nothing_is_proposed_that_is_far_away(word: str, known: list[str]) -> None:
    assert nearest(word, known) == []


def test_as_many_are_proposed_as_are_asked_for_the_likeliest_first() -> None:
    known = ["wrong-values", "wrong-value", "wrong-valve", "other"]

    assert nearest("wrong-val", known, 9) == ["wrong-value", "wrong-valve", "wrong-values"]
    assert nearest("wrong-valu", known) == ["wrong-value"]
