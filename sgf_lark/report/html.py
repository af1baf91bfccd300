"""Reports as one HTML page: a summary, findings with their lines, boards, explanations of codes.

The findings wait in a temporary file for the summary, which is above them, so that no archive is
too large.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING

from sgf_lark.findings.diagnostic import Diagnostic
from sgf_lark.findings.finding import SEVERITIES, Severity
from sgf_lark.findings.report import Report, count_findings
from sgf_lark.findings.rules import RULES
from sgf_lark.findings.terminal import plural, visible

from .base import Fixes, ReportConsole, Reporter

if TYPE_CHECKING:
    from sgf_lark.pictures.pages.markup import Html

    from .explain import Block

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

    def __init__(self, console: ReportConsole, level: Severity, fixes: Fixes | None = None) -> None:
        super().__init__(console, level, fixes)
        self._rules: Counter[str] = Counter()
        self._shown: list[tuple[str, str]] = []
        self._boards = 0

    def begin(self) -> None:
        self._findings = SpooledTemporaryFile(  # noqa: SIM115  # the end closes it
            MAX_WAITING_BYTES, "w+", encoding="utf-8", errors="xmlcharrefreplace", newline=""
        )

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        from sgf_lark.pictures.pages.markup import Html, tag
        from sgf_lark.pictures.pages.page import picture

        from .finding_html import draw_findings

        if not shown:
            return
        boards = report.boards(self.levels[-1]) if self._boards < MAX_BOARDS_OF_PAGE else {}
        self._boards += len(boards)
        self._rules.update(finding.name for finding in shown)
        counts = [sum(finding.severity is level for finding in shown) for level in SEVERITIES]
        words = count_findings(dict(zip(SEVERITIES, counts, strict=True)), SEVERITIES)
        name = tag("bdi", visible(report.name))
        self._shown.append((visible(report.name), words))
        self._wait(Html(f'<section id="file-{len(self._shown)}">\n'))
        self._wait(tag("h2", name, " ", tag("span", words, class_="soft")), Html("\n"))
        pictures = {finding: picture(board) for finding, board in boards.items()}
        for finding in draw_findings(report, shown, pictures, is_linked=True):
            self._wait(finding, Html("\n"))
        self._wait(Html("</section>\n"))

    def end(self) -> None:
        from sgf_lark.pictures.pages.markup import Html, tag
        from sgf_lark.pictures.pages.page import end_page, start_page

        from .finding_html import STYLE

        title = "Report of sgf-lark check"
        codes = sorted((RULES[name].code, name) for name in self._rules)
        self._write(start_page(title, style=STYLE), tag("header", tag("h1", title)))
        self._write(Html("\n<main>\n"), *self._summary(codes))
        with self._findings as waiting:
            waiting.seek(0)
            while part := waiting.read(MAX_PART):
                self._write(part)
        if codes:
            self._write(tag("h2", "Explanations"), *(_explain(code) for code, _ in codes))
        self._write(Html("\n</main>\n"), end_page())

    def _summary(self, codes: list[tuple[str, str]]) -> Iterator[Html]:
        """The counts, with links to the explanations and to the files."""
        from sgf_lark.pictures.pages.markup import Html, tag

        files = [plural(self.files, "file"), f"{len(self._shown)} with findings"]
        if self.unreadable:
            files.append(f"{self.unreadable} could not be read")
        total = count_findings(self.counts, self.levels) or "nothing wrong"
        yield Html('<section id="summary">\n')
        yield tag("h2", "Summary")
        yield tag("p", f"{', '.join(files)}: {total}")
        kinds = [
            tag("li", tag("a", f"{code} {name}", href=f"#{code}"), f": {self._rules[name]:,}")
            for code, name in codes
        ]
        rows = [
            tag("li", tag("a", tag("bdi", name), href=f"#file-{number}"), f": {words}")
            for number, (name, words) in enumerate(self._shown[:MAX_LISTED], 1)
        ]
        if left := len(self._shown) - len(rows):
            rows.append(tag("li", f"and {left:,} more files with findings"))
        yield from (tag("ul", *items, class_="columns") for items in (kinds, rows) if items)
        yield Html("</section>\n")

    def _wait(self, *parts: Html) -> None:
        """Keep pieces of HTML until the summary is written."""
        self._findings.writelines(parts)

    def _write(self, *parts: str) -> None:
        """Write pieces of HTML in the encoding of the console."""
        encoding = self.console.encoding
        for part in parts:
            self.console.write(part.encode(encoding, "xmlcharrefreplace").decode(encoding))


def _explain(code: str) -> Html:
    """Return the page that explains a rule, as a section."""
    from sgf_lark.pictures.pages.markup import tag

    from .explain import explain

    title, *blocks = explain(code).blocks()
    parts = [tag("h3", title.text), *_draw_blocks(blocks)]
    return tag("section", *parts, id=code, class_="rule")


def _draw_blocks(blocks: Iterable[Block]) -> Iterator[Html]:
    from sgf_lark.pictures.pages.markup import tag

    for block in blocks:
        if block.kind == "section":
            yield tag("h4", block.text)
        elif block.kind == "record":
            yield tag("pre", tag("code", block.text), class_="source", dir="ltr")
        else:
            yield tag("p", block.text)
