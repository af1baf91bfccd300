"""Limit of findings of one kind, so that no text costs more than reading it.

A finding is cheap; its place, its fix, its line and column and its :class:`Diagnostic` are not.
So the findings of a game pass a limit before they get those: the first :data:`MAX_ALIKE` of each
kind stay, and one more, where the last of them is, says how many others there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from sgf_lark.core.places import LineIndex, Span

from .finding import ONCE, RULES, Finding, Severity

#: Findings of one rule and severity that are listed: by ``check`` of a file, by ``load`` and
#: ``iter_games`` of a game, and of the text outside games.
MAX_ALIKE = 1_000

#: Game, name and severity; no game for a finding outside games, or if all games share a limit.
_Kind: TypeAlias = tuple[int | None, str, Severity]

#: Adds its place to a finding that has only numbers.
AddPlace: TypeAlias = Callable[[Finding], Finding]


class FindingLimit:
    """Counts findings by game, rule and severity, and drops those beyond a limit.

    A rule need not know the limit: it yields all findings, without fixes (a fixer adds them
    later).  Its time for a finding must not exceed that of reading the text of the finding.

    Severity is a part of the kind, so that no number of infos hides an error.

    Args:
        most: Findings of a kind that stay; None for all.
        outside: Those outside games have a limit, too.
        by_game: Each game of the file has its own limit.
    """

    def __init__(
        self, most: int | None = MAX_ALIKE, *, outside: bool = True, by_game: bool = True
    ) -> None:
        self.most = most
        self._outside = outside
        self._by_game = by_game
        self._counts = Counter[_Kind]()
        self._dropped: dict[_Kind, tuple[Finding, AddPlace]] = {}  # the last one of each kind
        self._once: set[tuple[str, str | int]] = set()  # rules and facts

    def kept(
        self, findings: Iterable[Finding], place: AddPlace = lambda finding: finding
    ) -> list[Finding]:
        """Return the findings that stay, in the order of the text if any is dropped; either all of
        a game have their places, or those with a node have none.
        """
        all_findings = self._without_repeated([*findings])
        if self.most is None or not all_findings:
            return all_findings
        new = Counter[_Kind]()
        for finding in all_findings:
            if self._outside or finding.game is not None:
                new[self._kind(finding)] += number_of(finding)
        counts, most = self._counts, self.most
        if all(counts[kind] + count <= most for kind, count in new.items()):
            counts.update(new)
            return all_findings
        kept: list[Finding] = []
        for finding in sorted(all_findings, key=_order):
            kind = self._kind(finding)
            if kind not in new:
                kept.append(finding)
                continue
            counts[kind] += number_of(finding)
            if counts[kind] <= most:
                kept.append(finding)
            else:
                self._dropped[kind] = finding, place
        return kept

    def _without_repeated(self, findings: list[Finding]) -> list[Finding]:
        if not any(ONCE in finding.facts for finding in findings):
            return findings
        kept: list[Finding] = []
        for finding in sorted(findings, key=_order):
            key = finding.name, finding.facts.get(ONCE, "")
            if ONCE not in finding.facts or key not in self._once:
                kept.append(finding)
            if ONCE in finding.facts:
                self._once.add(key)
        return kept

    def _kind(self, finding: Finding) -> _Kind:
        return finding.game if self._by_game else None, finding.name, finding.severity

    def rest(self, *, outside: bool = False) -> list[Finding]:
        """Return one finding for each kind that lost some, in games and outside if that is
        complete.
        """
        rest: list[Finding] = []
        for kind in [kind for kind in self._counts if outside or kind[0] is not None]:
            count = self._counts.pop(kind) - (self.most or 0)
            dropped = self._dropped.pop(kind, None)
            if dropped is not None:
                last, place = dropped
                message, help_ = words_of_rest(last.name, count, self.most or 0)
                facts = {COUNT: count}
                counting = place(last)._replace(message=message, help=help_, facts=facts)
                rest.append(counting._replace(fix=None, replacement=None))
        return rest

    def go_on(self, done: int, lines: LineIndex) -> None:
        """Go on to the next part of the text, which begins at ``done`` in this one."""
        for kind, (dropped, place) in self._dropped.items():
            finding = place(dropped).completed()
            start, end = finding.span
            at = finding.at or lines.places(Span(start + lines.start, end + lines.start))
            moved = finding._replace(span=Span(start - done, end - done), at=at)
            self._dropped[kind] = moved, lambda finding: finding


class Alike:
    """Findings of a game as they are made: of those alike in rule, severity and property, ``most``
    stay, and the last one counts the rest.  ``told_apart`` returns whether one may be left out and
    others like it stay.
    """

    def __init__(self, most: int | None, told_apart: Callable[[Finding], bool]) -> None:
        self._most = most
        self._told_apart = told_apart
        self._counts = Counter[tuple[str, Severity | None, str | None]]()
        self._kept: list[Finding] = []
        self._last: dict[tuple[str, Severity | None, str | None], Finding] = {}

    def add(self, finding: Finding) -> None:
        kind = finding.name, finding.severity, finding.property
        count = self._counts[kind] = self._counts[kind] + 1
        if self._most is None or count <= self._most or self._told_apart(finding):
            self._kept.append(finding)
        else:
            self._last[kind] = finding

    def __iter__(self) -> Iterator[Finding]:
        yield from self._kept
        for kind, last in self._last.items():
            yield last._replace(facts={COUNT: self._counts[kind] - (self._most or 0)})


def words_of_rest(name: str, count: int, most: int) -> tuple[str, str]:
    """Return message and help of the finding that counts those of a rule beyond a limit."""
    message = f"{RULES[name].summary}: {count} more, the last one here"
    help_ = (
        f"at most {most} of a kind are listed; --max-diagnostics 0 (max_diagnostics=0) lists all"
    )
    return message, help_


#: The fact of a finding that counts others: their number, itself included.
COUNT = "count"


def number_of(finding: Finding) -> int:
    """Return how many findings a finding counts; 1 for most."""
    return int(finding.facts.get(COUNT, 1))


def _order(finding: Finding) -> tuple[int, ...]:
    """Return the order of findings in a text; those without a place come by their numbers."""
    if finding.is_placed:
        return (-1, *finding.span, 0)
    numbers = (finding.node, finding.property_index, finding.value_index)
    start = finding.within.start if finding.within is not None else -1
    return (*(-1 if number is None else number for number in numbers), start)
