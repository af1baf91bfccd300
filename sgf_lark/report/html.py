"""Reports as one HTML page: findings with their lines, boards, and the explanations of codes.

A file is written as soon as it was checked, so that no archive is too large: the counts are at
the end, and a link at the top leads to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sgf_lark.diagnostics.diagnostic import Diagnostic
from sgf_lark.diagnostics.report import Report, count_findings, draw_findings
from sgf_lark.diagnostics.rules import RULES, SEVERITIES, Severity
from sgf_lark.diagnostics.terminal import plural, visible

from .base import Fixes, ReportConsole, Reporter

if TYPE_CHECKING:
    from sgf_lark.pictures.pages.markup import Html

    from .explain import Block

#: Most boards of a page: after them, files have findings only.
MAX_BOARDS_OF_PAGE = 400

#: Most files that the list at the end names.
MAX_LISTED = 1000


class HtmlReporter(Reporter):
    """Reports an HTML page that needs no other file and no script."""

    def __init__(self, console: ReportConsole, level: Severity, fixes: Fixes | None = None) -> None:
        super().__init__(console, level, fixes)
        self._rules: set[str] = set()
        self._shown: list[tuple[str, str]] = []
        self._boards = 0

    def begin(self) -> None:
        from sgf_lark.diagnostics.html import STYLE
        from sgf_lark.pictures.pages.markup import Html, tag
        from sgf_lark.pictures.pages.page import start_page

        title = "Report of sgf-lark check"
        link = tag("p", tag("a", "Summary and explanations", href="#summary"))
        self._write(start_page(title, style=STYLE), tag("header", tag("h1", title), link))
        self._write(Html("\n<main>\n"))

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        from sgf_lark.pictures.pages.markup import Html, tag
        from sgf_lark.pictures.pages.page import picture

        if not shown:
            return
        boards = report.boards(self.levels[-1]) if self._boards < MAX_BOARDS_OF_PAGE else {}
        self._boards += len(boards)
        self._rules.update(finding.name for finding in shown)
        counts = [sum(finding.severity is level for finding in shown) for level in SEVERITIES]
        words = count_findings(dict(zip(SEVERITIES, counts, strict=True)), SEVERITIES)
        name = tag("bdi", visible(report.name))
        self._shown.append((visible(report.name), words))
        self._write(Html(f'<section id="file-{len(self._shown)}">\n'))
        self._write(tag("h2", name, " ", tag("span", words, class_="soft")), Html("\n"))
        pictures = {finding: picture(board) for finding, board in boards.items()}
        for finding in draw_findings(report, shown, pictures, is_linked=True):
            self._write(finding, Html("\n"))
        self._write(Html("</section>\n"))

    def end(self) -> None:
        from sgf_lark.pictures.pages.markup import Html, tag
        from sgf_lark.pictures.pages.page import end_page

        files = [plural(self.files, "file"), f"{len(self._shown)} with findings"]
        if self.unreadable:
            files.append(f"{self.unreadable} could not be read")
        total = count_findings(self.counts, self.levels) or "nothing wrong"
        rows = [
            tag("li", tag("a", tag("bdi", name), href=f"#file-{number}"), f": {words}")
            for number, (name, words) in enumerate(self._shown[:MAX_LISTED], 1)
        ]
        left = len(self._shown) - len(rows)
        more = [tag("p", f"and {left} more files with findings")] if left else []
        self._write(
            Html('<section id="summary">\n'),
            tag("h2", "Summary"),
            tag("p", f"{', '.join(files)}: {total}"),
            *([tag("ul", *rows)] if rows else []),
            *more,
            Html("</section>\n"),
        )
        if self._rules:
            codes = sorted((RULES[name].code, name) for name in self._rules)
            self._write(tag("h2", "Explanations"), *(_explain(code) for code, _ in codes))
        self._write(Html("\n</main>\n"), end_page())

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
