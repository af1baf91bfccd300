"""Fixes of findings, made when somebody looks at them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.model.collection import GameTree

if TYPE_CHECKING:
    from .place import SharedState


def with_fixes(
    text: str, game: GameTree | None, findings: list[Finding], number: int = 0
) -> list[Finding]:
    mine = [finding for finding in findings if finding.game in {None, number}]
    if len(mine) < len(findings) and game is not None:  # the others had to wait
        earlier = [finding for finding in findings if finding.game not in {None, number}]
        return with_fixes(text, None, earlier) + with_fixes(text, game, mine, number)

    @cache
    def shared() -> SharedState:
        from .place import SharedState

        return SharedState(text, game, findings)

    def add(finding: Finding) -> Finding:
        from .registry import add_fix

        return add_fix(finding, shared())

    return [finding._replace(later=(*finding.later, add)) for finding in findings]
