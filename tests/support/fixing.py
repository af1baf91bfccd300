"""What holds for every file that is fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

import sgf_lark
from sgf_lark.core.api.fix import Fixing, Version, fix_record
from sgf_lark.core.findings.diagnostic import MAX_QUOTED, shorten
from sgf_lark.core.fix.safeguard import keeps_meaning, losses, removed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sgf_lark import Diagnostic, Fix


class Round(NamedTuple):
    """The file before and after a round of fixes, and the findings whose fixes were made."""

    before: Version
    after: Version
    chosen: list[Diagnostic]


def grows(before: sgf_lark.Report, after: sgf_lark.Report) -> bool:
    """Return whether there are more errors, more errors and warnings, or more findings at all."""
    return any(
        sum(one.severity in levels for one in after) > sum(one.severity in levels for one in before)
        for levels in (("error",), ("error", "warning"), ("error", "warning", "info"))
    )


def unnamed(text: str, before: Sequence[sgf_lark.GameTree], fix: Fix) -> str:
    """Return what a fix removes from the games of a text without a word."""
    if not fix.removes:
        return ""
    if "remove" not in fix.message:
        return "it removes something and does not say so"
    cuts = [edit for edit in fix.edits if not edit.replacement]
    if "NUL" in fix.message:  # it names what goes, and no value goes with it
        cuts = [edit for edit in cuts if text[edit.offset : edit.end_offset].strip("\0")]
    for _, one in removed(before, cuts):
        values = [f"[{shorten(raw, MAX_QUOTED)}]" for raw in one.raw]
        named = one.name in fix.message or one.ident in fix.message
        if not named or not all(value in fix.message for value in values):
            return f"it removes {one} and does not say so"
    return ""


def check_fixed(data: bytes) -> dict[bool, list[Round]]:
    """Fix a file, safely and otherwise: no round does harm, and none makes it worse.

    Nor do all of them together; and what is fixed stays as it is.

    Returns:
        The rounds of the safe fixes (False) and of all (True).
    """
    every = {unsafe: rounds(data, unsafe=unsafe) for unsafe in (False, True)}
    for unsafe, made in every.items():
        if made:
            first, last = made[0][0], made[-1][1]
            fixes = [one.fix for *_, chosen in made for one in chosen if one.fix is not None]
            assert not grows(first.report, last.report), data
            but = frozenset({"CA", "FF"} if any(one.encoding for one in fixes) else ())
            assert unsafe or keeps_meaning(first.games, last.games, but=but), data
            assert fix_record(last.data, unsafe=unsafe).data == last.data, data
        for now, new, chosen in made:
            fixes = [one.fix for one in chosen if one.fix is not None]
            assert not grows(now.report, new.report)
            if any(one.removes for one in fixes):
                assert unsafe
                text = now.report.text
                assert (
                    losses(now.games, new.games, [edit for one in fixes for edit in one.edits])
                    == []
                )
                assert [said for one in fixes if (said := unnamed(text, now.games, one))] == []
            elif all(one.safe or one.encoding for one in fixes):
                but = frozenset({"CA", "FF"} if any(one.encoding for one in fixes) else ())
                assert keeps_meaning(now.games, new.games, but=but)
            else:
                assert unsafe
                assert losses(now.games, new.games) == []
    return every


def rounds(data: bytes, *, unsafe: bool) -> list[Round]:
    """Fix a file, and return what each round starts from, makes and takes."""
    found: list[Round] = []
    make = Fixing.make

    def noted(
        self: Fixing, now: Version, chosen: list[Diagnostic], seen: set[bytes]
    ) -> tuple[Version | None, list[Diagnostic]]:
        new, good = make(self, now, chosen, seen)
        if new is not None:
            found.append(Round(now, new, good))
        return new, good

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Fixing, "make", noted)
        fix_record(data, unsafe=unsafe)
    return found
