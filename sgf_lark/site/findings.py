"""The pages of the findings: the catalogue, and what the library makes of its examples."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator

from sgf_lark.core import (
    CheckOptions,
    Entry,
    Format,
    Report,
    catalogue,
    check,
    detect_format,
    grammars,
    loads,
)
from sgf_lark.report.explain import RulePage, escape, sections_of

from .markdown import subpage, table_of

#: Most characters of a picture; a board of 52 columns has more.
MAX_PICTURE = 100_000


def write_findings(playground: str) -> Iterator[tuple[str, str]]:
    """Yield the page of each rule, and its pictures.

    Args:
        playground: The address of a playground, from the top of the site if it is relative; "".
    """
    for code, entry in catalogue().items():
        reports = [*_reports(entry)]
        head, why, *examples, fix, sources = sections_of(RulePage(entry.rule).blocks())
        if examples and playground:
            examples[0] += "\n\n" + " · ".join(_links(entry, playground))
        if boards := _draw_boards(entry, reports):
            examples.append(table_of(boards, [[f"![{one}]({code}-{one}.svg)" for one in boards]]))
            yield from ((f"rules/{code}-{one}.svg", board) for one, board in boards.items())
        found = (finding.fix for report in reports for finding in report if finding.code == code)
        for made in dict.fromkeys(filter(None, found)):
            option = "a safe fix, `--fix`" if made.safe else "an unsafe fix, `--unsafe-fixes`"
            fix += f"\n\n* {escape(made.message)} ({option})"
        parts = [head, why, *examples, fix, sources]
        yield f"rules/{code}.md", subpage("[All findings](index.md)", *parts)


def _reports(entry: Entry) -> Iterator[Report]:
    """Yield what is found in each wrong example."""
    options = CheckOptions(extend_select=[entry.code])
    for data in (*map(str.encode, entry.wrong), *map(bytes.fromhex, entry.wrong_hex)):
        yield check(data, format=format_of(entry), options=options)


def format_of(entry: Entry) -> Format | None:
    """Return the format of the examples of an entry; None if they declare it."""
    return Format.named(entry.format) if entry.format else None


def _draw_boards(entry: Entry, reports: list[Report]) -> dict[str, str]:
    """Return the boards at the first finding and at the end of the first right example, if any."""
    boards = [board for report in reports for board in report.boards().values()]
    if not boards or not entry.right:
        return {}
    boards.append(loads(entry.right[0], strict=False)[0].main_line()[-1].diagram())
    pictures = [str(board.svg()) for board in (boards[0], boards[-1])]
    is_small = max(map(len, pictures)) < MAX_PICTURE
    return dict(zip(("wrong", "right"), pictures, strict=True)) if is_small else {}


def _links(entry: Entry, playground: str) -> Iterator[str]:
    """Yield links to the playground, each with a wrong example and the grammar of its format."""
    address = playground if "://" in playground else f"../{playground}"
    for number, text in enumerate(entry.wrong, 1):
        format_ = format_of(entry) or detect_format(text)
        grammar = grammars.text_of(grammars.path(format_.grammar))
        state = json.dumps({"grammar": grammar, "text": text, "start": ""}).encode()
        packed = zlib.compress(state, level=9, wbits=-zlib.MAX_WBITS)  # as the page reads it
        fragment = urlsafe_b64encode(packed).decode().rstrip("=")
        yield f'<a href="{address}#{fragment}">Open example {number} in the playground</a>'
