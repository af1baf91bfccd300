"""The words of each finding are those that somebody read and accepted."""

from __future__ import annotations

from support.messages import describe, sections

from sgf_lark.findings.catalogue import catalogue

ACCEPT = "python -m tests.support.accept  records these words, if they are right"


def test_each_finding_says_what_is_kept_with_its_entry() -> None:
    kept = sections()
    other = []
    for code, entry in catalogue().items():
        before = kept.get(code, "")
        now = describe(entry, before)
        if now != before:
            other.append(f"{now}and was\n{before}")

    assert not other, "\n".join([*other, ACCEPT])


def test_no_words_are_kept_of_a_finding_that_is_gone() -> None:
    assert sections().keys() == catalogue().keys()
