"""Findings as HTML, for reports and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sgf_lark.findings.diagnostic import Diagnostic, describe_place
from sgf_lark.findings.report import Report, source_line
from sgf_lark.findings.terminal import plural, visible
from sgf_lark.pictures.pages.markup import Html, tag
from sgf_lark.pictures.pages.notebook import image

#: Most findings that a notebook shows of a report.
MAX_NOTEBOOK_FINDINGS = 50

#: The style of findings; without it they are text in a sensible order.
STYLE = Html(
    """
.finding { margin: 0 0 1.5rem; padding: .9rem 1.1rem; background: var(--card);
  border: 1px solid var(--line); border-inline-start: .3rem solid var(--grave);
  border-radius: .4rem; }
.finding h3 { font-weight: 600; }
.finding h3 b { color: var(--grave); }
.finding p { margin: 0 0 .5rem; }
.finding.error { --grave: var(--error); } .finding.warning { --grave: var(--warning); }
.finding.info { --grave: var(--info); }
.finding .help b { color: var(--help); }
.finding { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
.finding > div { flex: 1 1 24rem; min-width: 0; }
.finding .picture { flex: 0 1 18rem; margin: 0; }
@media (max-width: 46rem) { .finding > div { flex-basis: 100%; } .finding .picture { flex: 1; } }
section > h2:first-child { margin-top: 2rem; }
.columns { columns: 22rem; column-gap: 2rem; padding-inline-start: 1.2rem; }
.columns li { break-inside: avoid; overflow-wrap: anywhere; }
.rule { margin: 0 0 1.75rem; }
.rule h4 { margin: .7rem 0 .2rem; font-size: .9rem; color: var(--soft); }
.rule p { margin: 0 0 .4rem; max-width: 48rem; }
.rule:target { outline: .15rem solid var(--link); outline-offset: .5rem; border-radius: .2rem; }
.source { margin: 0 0 .6rem; padding: .45rem .7rem; background: var(--page);
  border: 1px solid var(--line); border-radius: .3rem; white-space: pre-wrap; font-size: .9rem;
  display: flex; }
.source i { color: var(--soft); font-style: normal; user-select: none; white-space: pre; }
.source code { min-width: 0; }
mark { background: var(--hit); color: inherit; border-radius: .15rem; padding: 0 .05em; }
mark:empty { padding: 0 .25em; }
"""
)


def draw_finding(
    finding: Diagnostic,
    source: tuple[str, str, str],
    place: str,
    *pictures: Html,
    is_linked: bool = False,
) -> Html:
    """Return a finding: message, place, source line, help, and pictures of its board.

    Args:
        finding: The finding.
        source: Its source line, cut before and after the characters to mark.
        place: Its place in the game; "" for none.
        pictures: What is shown below.
        is_linked: The page explains the code, in an element that has it as ``id``.
    """
    code = f"{finding.code} {finding.name}"
    before, hit, after = source
    where = [f"line {finding.line}, column {finding.column}"] if any(source) else []
    known = tag("a", code, href=f"#{finding.code}") if is_linked else tag("span", code)
    about = "".join(f"{words} \N{MIDDLE DOT} " for words in (*where, place) if words)
    parts = [
        tag("h3", tag("b", finding.severity.value), ": ", tag("bdi", visible(finding.message))),
        tag("p", about, known, class_="soft"),
    ]
    if any(source):
        line = tag("code", before, tag("mark", hit), after)
        parts.append(tag("pre", tag("i", f"{finding.line} | "), line, class_="source", dir="ltr"))
    if finding.help:
        parts.append(tag("p", tag("b", "help"), ": ", visible(finding.help), class_="help"))
    words = tag("div", *parts)
    return tag("article", words, *pictures, class_=f"finding {finding.severity.value}")


def draw_findings(
    report: Report,
    shown: Iterable[Diagnostic],
    pictures: Mapping[Diagnostic, Html],
    *,
    is_linked: bool = False,
) -> Iterator[Html]:
    """Yield findings of a report as HTML.

    Args:
        report: The report.
        shown: Some of its findings.
        pictures: The picture below a finding, if it has one.
        is_linked: As for :func:`draw_finding`.
    """
    lines = report.lines
    several = any(finding.game for finding in report)
    for finding in shown:
        line = source_line(report.text, lines, finding).parts if report.text else ("", "", "")
        place = describe_place(finding, several=several)
        picture = [pictures[finding]] if finding in pictures else []
        yield draw_finding(finding, line, place, *picture, is_linked=is_linked)


def draw_report(report: Report) -> Html:
    """Return the first findings of a report with their boards, for a notebook."""
    shown = report.diagnostics[:MAX_NOTEBOOK_FINDINGS]
    left = len(report.diagnostics) - len(shown)
    head = tag("p", tag("b", visible(report.name)), ": ", report.summary)
    more = [tag("p", plural(left, "more finding"))] if left else []
    boards = {at: image(board, "20em") for at, board in report.boards().items()}
    return tag("div", head, *draw_findings(report, shown, boards), *more)
