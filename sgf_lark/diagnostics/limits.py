"""Limit of findings of one kind, so that no text costs more than reading it.

A finding is cheap; its fix, its line and column and its :class:`Diagnostic` are not.  So the
findings of a game pass a limit before they get those: the first :data:`MAX_ALIKE` of each kind
stay, and one more, where the last of them is, says how many others there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias

from sgf_lark.places import LineIndex, Span

from .diagnostic import Finding
from .rules import RULES, Severity

#: Findings of one rule and severity that are listed of a game, and of the text outside games.
MAX_ALIKE = 1_000

_Kind: TypeAlias = tuple[int | None, str, Severity]


class FindingLimit:
    """Counts findings by game, rule and severity, and drops those beyond a limit.

    A rule need not know the limit: it yields all findings, without fixes (a fixer adds them
    later).  Its time for a finding must not exceed that of reading the text of the finding.

    Severity is a part of the kind, so that no number of infos hides an error.  Each game of a
    file has its own limit.

    Args:
        most: Findings of a kind that stay; None for all.
        outside: Those outside games have a limit, too.
    """

    def __init__(self, most: int | None = MAX_ALIKE, *, outside: bool = True) -> None:
        self._most = most
        self._outside = outside
        self._counts: defaultdict[_Kind, int] = defaultdict(int)
        self._dropped: dict[_Kind, Finding] = {}  # the last one of each kind

    def kept(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the findings that stay, in the order of the text if any is dropped."""
        all_findings = list(findings)
        if self._most is None or not all_findings:
            return all_findings
        counted = all_findings
        if not self._outside:
            counted = [finding for finding in all_findings if finding.game is not None]
        for finding in counted:
            self._counts[_kind(finding)] += 1
        if max(self._counts.values(), default=0) <= self._most:
            return all_findings
        for finding in counted:
            self._counts[_kind(finding)] -= 1
        kept: list[Finding] = []
        for finding in sorted(all_findings, key=lambda finding: finding.span):
            kind = _kind(finding)
            if not (self._outside or finding.game is not None):
                kept.append(finding)
                continue
            self._counts[kind] += 1
            if self._counts[kind] <= self._most:
                kept.append(finding)
            else:
                self._dropped[kind] = finding
        return kept

    def rest(self, *, outside: bool = False) -> list[Finding]:
        """Return one finding for each kind that lost some, in games that are complete.

        Args:
            outside: The text outside games is complete, too.
        """
        rest: list[Finding] = []
        complete = [kind for kind in self._counts if outside or kind[0] is not None]
        for kind in complete:
            count = self._counts.pop(kind) - (self._most or 0)
            last = self._dropped.pop(kind, None)
            if last is not None:
                message, help_ = words_of_rest(last.name, count, self._most or 0)
                rest.append(last._replace(message=message, help=help_, fix=None))
        return rest

    def go_on(self, done: int, lines: LineIndex) -> None:
        """Go on to the next part of the text, which begins at ``done`` in this one."""
        for kind, finding in self._dropped.items():
            start, end = finding.span
            at = finding.at or lines.places(Span(start + lines.start, end + lines.start))
            self._dropped[kind] = finding._replace(span=Span(start - done, end - done), at=at)


def words_of_rest(name: str, count: int, most: int) -> tuple[str, str]:
    """Return message and help of the finding that counts those of a rule beyond a limit."""
    message = f"{RULES[name].summary}: {count} more, the last one here"
    help_ = (
        f"at most {most} of a kind are listed; --max-diagnostics 0 (max_diagnostics=0) lists all"
    )
    return message, help_


def _kind(finding: Finding) -> _Kind:
    severity = finding.severity or RULES[finding.name].severity
    return finding.game, finding.name, severity
