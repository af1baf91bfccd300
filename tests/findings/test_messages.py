"""The words of each finding are those that somebody read and accepted."""

from __future__ import annotations

import pytest
from support.accept import ACCEPT
from support.few_alike import LISTED, list_few
from support.messages import FILE, describe, sections

import sgf_lark
from sgf_lark.core.findings.catalogue import catalogue

KEPT = sections(FILE.read_text(encoding="utf-8"))


def test_each_finding_says_what_is_kept_with_its_entry() -> None:
    other = []
    for code, entry in catalogue().items():
        before = KEPT.get(code, "")
        now = describe(entry, before)
        if now != before:
            other.append(f"{now}and was\n{before}")

    assert not other, "\n".join([*other, ACCEPT])


def test_the_finding_that_counts_others_of_its_kind_says_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    list_few(monkeypatch)

    *_, last = sgf_lark.check(b"(;FF[4]GM[1]SZ[19])" + b"()" * (LISTED + 20))

    assert (last.code, last.message, last.help) == (
        "S110",
        "brackets with no node in them: 20 more, the last one here",
        f"at most {LISTED} of a kind are listed; --max-diagnostics 0 (max_diagnostics=0) lists all",
    )


def test_no_words_are_kept_of_a_finding_that_is_gone() -> None:
    assert KEPT.keys() == catalogue().keys()
