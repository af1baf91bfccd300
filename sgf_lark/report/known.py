"""Known findings: those of a baseline, which a report leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

from sgf_lark.core import Diagnostic, Report

#: Characters at the place of a finding that count.
MAX_PLACE = 1000

#: Rules whose findings give the reason why a file was not read.
UNREADABLE = {"unreadable-file", "missing-file", "no-records"}

#: Those, and the rule about a failure of the program: the file was not checked.
NOT_CHECKED = UNREADABLE | {"failed-check"}

#: Rules whose findings are never known.
ALWAYS_NEW = NOT_CHECKED | {"left-out"}


def mark(finding: Diagnostic, text: str) -> str:
    """Return code and digest of a finding: the same wherever it is in its file."""
    place = text[finding.offset : min(finding.end_offset, finding.offset + MAX_PLACE)]
    facts = f"{finding.message}\0{place}".encode("utf-8", "surrogatepass")
    return f"{finding.code} {blake2b(facts, digest_size=8).hexdigest()}"


def marks(report: Report, findings: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, str]]:
    """Yield those findings of a report that can be known, with their marks."""
    for finding in findings:
        if finding.name not in ALWAYS_NEW:
            yield finding, mark(finding, report.text)


def without_known(report: Report, known: Mapping[str, int]) -> tuple[Report, Counter[str]]:
    """Return a report without its known findings, and the marks of these.

    Of several equal findings the first ones are the known ones.
    """
    if not known:
        return report, Counter()
    seen: Counter[str] = Counter()
    dropped = set()
    for finding, name in marks(report, report):
        if seen[name] < known.get(name, 0):
            seen[name] += 1
            dropped.add(id(finding))
    if not dropped:
        return report, seen
    new = tuple(finding for finding in report if id(finding) not in dropped)
    return report.model_copy(update={"diagnostics": new}), seen
