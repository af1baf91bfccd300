"""Reports as one HTML page: a summary, findings with their lines, boards, explanations of codes.

The findings wait in a temporary file for the summary, which is above them, so that no archive is
too large.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING
from urllib.parse import quote

from sgf_lark.core import (
    RULES,
    SEVERITIES,
    Diagnostic,
    Report,
    count_findings,
    describe_place,
    plural,
    source_line,
    visible,
)
from sgf_lark.files.writing import write_file
from sgf_lark.pictures.pages.markup import Html, tag
from sgf_lark.pictures.pages.page import end_page, image, picture, start_page

from .base import Reporter, Results

if TYPE_CHECKING:
    from .explain import Block

#: Most findings that a notebook shows of a report.
MAX_NOTEBOOK_FINDINGS = 50

#: Most characters of the name of a record in that of its page.
MAX_STEM = 50

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


def draw_findings(
    report: Report,
    shown: Iterable[Diagnostic],
    pictures: Mapping[Diagnostic, Html],
    *,
    is_linked: bool = False,
    viewer: str = "",
) -> Iterator[Html]:
    """Yield findings as HTML: message, place, source line, help, and a picture of the board.

    Args:
        is_linked: The page explains the codes, in elements that have them as ``id``.
        viewer: The address of the page to look through the games; "" for none.
    """
    lines = report.lines
    several = any(finding.game for finding in report)
    for finding in shown:
        source = source_line(report.text, lines, finding).parts if report.text else ("", "", "")
        before, hit, after = source
        where = [f"line {finding.line}, column {finding.column}"] if any(source) else []
        where.append(describe_place(finding, several=several))
        code = f"{finding.code} {finding.name}"
        known = tag("a", code, href=f"#{finding.code}") if is_linked else tag("span", code)
        about = "".join(f"{words} \N{MIDDLE DOT} " for words in where if words)
        parts = [
            tag("h3", tag("b", finding.severity.value), ": ", tag("bdi", visible(finding.message))),
            tag("p", about, known, class_="soft"),
        ]
        if any(source):
            line = tag("i", f"{finding.line} | "), tag("code", before, tag("mark", hit), after)
            parts.append(tag("pre", *line, class_="source", dir="ltr"))
        if finding.help:
            parts.append(tag("p", tag("b", "help"), ": ", visible(finding.help), class_="help"))
        if viewer and finding.node_path is not None:
            node = f"{viewer}#{(finding.game or 0) + 1}@{finding.node_path}"
            parts.append(tag("p", tag("a", "show it in the game", href=node)))
        picture = [pictures[finding]] if finding in pictures else []
        class_ = f"finding {finding.severity.value}"
        yield tag("article", tag("div", *parts), *picture, class_=class_)


def draw_report(report: Report) -> Html:
    """Return the first findings of a report with their boards, for a notebook."""
    shown = report.diagnostics[:MAX_NOTEBOOK_FINDINGS]
    left = len(report.diagnostics) - len(shown)
    head = tag("p", tag("b", visible(report.name)), ": ", report.summary)
    more = [tag("p", plural(left, "more finding"))] if left else []
    boards = {at: image(board, "20em") for at, board in report.boards().items()}
    return tag("div", head, *draw_findings(report, shown, boards), *more)


#: Most boards of a page: after them, files have findings only.
MAX_BOARDS_OF_PAGE = 400

#: Most files that the summary names.
MAX_LISTED = 1000

#: Characters that are copied at a time.
MAX_PART = 1 << 20

#: Most bytes of findings that wait in memory.
MAX_WAITING_BYTES = 1 << 24


class HtmlReporter(Reporter):
    """Reports an HTML page that needs no other file and no script."""

    def begin(self) -> None:
        self._rules: Counter[str] = Counter()
        self._shown: list[tuple[str, str]] = []
        self._boards = 0
        self._findings = SpooledTemporaryFile(  # noqa: SIM115  # the end closes it
            MAX_WAITING_BYTES, "w+", encoding="utf-8", errors="xmlcharrefreplace", newline=""
        )

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        counts = [sum(finding.severity is level for finding in shown) for level in SEVERITIES]
        words = count_findings(dict(zip(SEVERITIES, counts, strict=True)), SEVERITIES)
        self._add_section(report, shown, words)

    def _add_section(self, report: Report, shown: list[Diagnostic], words: str) -> None:
        """Add findings of a file; those that fixes have left come below those that were fixed."""
        if not shown:
            return
        boards = report.boards(self.levels[-1]) if self._boards < MAX_BOARDS_OF_PAGE else {}
        self._boards += len(boards)
        self._rules.update(finding.name for finding in shown)
        name = visible(report.name)
        if self._shown and self._shown[-1][0] == name:
            _, fixed = self._shown.pop()
            self._shown.append((name, f"{fixed}, {words} left"))
            self._wait(Html("<section>\n"), tag("h2", "Left: ", words), Html("\n"))
        else:
            self._shown.append((name, words))
            head = tag("h2", tag("bdi", name), " ", tag("span", words, class_="soft"))
            self._wait(Html(f'<section id="file-{len(self._shown)}">\n'), head, Html("\n"))
        pictures = {finding: picture(board) for finding, board in boards.items()}
        viewer = self._write_viewer(report)
        for finding in draw_findings(report, shown, pictures, is_linked=True, viewer=viewer):
            self._wait(finding, Html("\n"))
        self._wait(Html("</section>\n"))

    def _write_viewer(self, report: Report) -> str:
        if not self.viewers or not (page := report.viewer()):
            return ""
        folder, address = self.viewers
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{len(self._shown)}-{PurePath(report.name).stem[:MAX_STEM]}.html"
        write_file(folder / name, page.encode("utf-8", "replace"))
        return quote(os.fsencode(f"{address}/{name}"))

    def add_fixed(self, report: Report) -> None:
        super().add_fixed(report)
        words = f"{plural(len(report.diagnostics), 'finding')} fixed"
        self._add_section(report, [*report], words)

    def end(self) -> None:
        write = self.console.write_markup
        title = "Report of sgf-lark"
        codes = sorted((RULES[name].code, name) for name in self._rules)
        write(start_page(title, style=STYLE), tag("header", tag("h1", title)))
        write(Html("\n<main>\n"), *self._summary(codes))
        with self._findings as waiting:
            waiting.seek(0)
            while part := waiting.read(MAX_PART):
                write(part)
        if codes:
            write(tag("h2", "Explanations"), *(_explain(code) for code, _ in codes))
        write(Html("\n</main>\n"), end_page())

    def _summary(self, codes: list[tuple[str, str]]) -> Iterator[Html]:
        files = [plural(self.files, "file"), f"{len(self._shown)} with findings"]
        if self.unreadable:
            files.append(f"{self.unreadable} could not be read")
        total = count_findings(self.counts, self.levels) or "nothing wrong"
        total += f"; {self.fixes.summary()}" * bool(self.fixes.made)
        yield Html('<section id="summary">\n')
        yield tag("h2", "Summary")
        if self.results is not None:
            yield from _draw_results(self.results)
        yield tag("p", f"{', '.join(files)}: {total}")
        ordered = sorted(codes, key=lambda code: -self._rules[code[1]])
        kinds = [self._count(code, name) for code, name in ordered if code[0] != "C"]
        losses = [self._count(code, name) for code, name in ordered if code[0] == "C"]
        rows = [
            tag("li", tag("a", tag("bdi", name), href=f"#file-{number}"), f": {words}")
            for number, (name, words) in enumerate(self._shown[:MAX_LISTED], 1)
        ]
        if left := len(self._shown) - len(rows):
            rows.append(tag("li", f"and {left:,} more files with findings"))
        if losses:
            yield tag("h3", "Left out, guessed and changed by the conversion")
            yield tag("ul", *losses)
        if kinds:
            yield tag("h3", "Findings")
            yield tag("ul", *kinds)
        if rows:
            yield tag("h3", "Files")
            yield tag("ul", *rows, class_="columns")
        yield Html("</section>\n")

    def _count(self, code: str, name: str) -> Html:
        link = tag("a", f"{code} {name}", href=f"#{code}")
        return tag("li", link, f": {self._rules[name]:,}, {RULES[name].summary}")

    def _wait(self, *parts: Html) -> None:
        self._findings.writelines(parts)


def _draw_results(results: Results) -> Iterator[Html]:
    """Yield what was made of the files, and a list of those that are not what was asked for."""
    yield tag("p", tag("b", visible(results.line)))
    if not results.missing:
        return
    yield tag("h3", "Not what was asked for")
    rows = [
        tag("li", tag("bdi", visible(one.file)), ": ", visible(": ".join(filter(None, one[1:]))))
        for one in results.missing[:MAX_LISTED]
    ]
    if left := len(results.missing) - len(rows):
        rows.append(tag("li", plural(left, "more file")))
    yield tag("ul", *rows)


def _explain(code: str) -> Html:
    from .explain import explain

    title, *blocks = explain(code).blocks()
    parts = [tag("h3", title.text), *_draw_blocks(blocks)]
    return tag("section", *parts, id=code, class_="rule")


def _draw_blocks(blocks: Iterable[Block]) -> Iterator[Html]:
    for block in blocks:
        if block.kind == "section":
            yield tag("h4", block.text)
        elif block.kind == "record":
            yield tag("pre", tag("code", block.text), class_="source", dir="ltr")
        else:
            yield tag("p", block.text)
