"""The words of all findings, as people read them: ``tests/findings/messages.txt``.

The file has a section for each entry of the catalogue, with texts and what is said of them::

    V301 wrong-value
    = check | '(;FF[4]GM[1]SZ[19];B[zz9])'
        error: invalid value 'zz9' for B: expected a point such as 'pd', or nothing for a pass

``=`` is an example of the catalogue, ``+`` a further text, kept in this file alone: one for each
way to say it that no example has.  Before ``|`` stands what is done with the text: ``check``, or
that as a format or of so many findings at ``most``, ``convert`` to a format with some options,
``merge`` its first two games.

To add a text, write its line; :func:`write` adds what is said.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sgf_lark import (
    CheckOptions,
    Diagnostic,
    Format,
    SgfConversionError,
    check,
    convert,
    loads,
    merge,
)
from sgf_lark.convert.lossy import Lossy
from sgf_lark.core.findings.catalogue import Entry, catalogue

from .examples import wrong_examples
from .places import ROOT

FILE = ROOT / "tests" / "findings" / "messages.txt"


class Case(NamedTuple):
    """A text, and what is done with it, such as ``check FF1`` or ``convert ff1 drop``."""

    action: str
    text: str | bytes

    def __str__(self) -> str:
        return f"{self.action} | {self.text!r}"


def list_messages(page: str) -> str:
    """Write what is said now of the examples of all entries and of the further texts of a page."""
    kept = sections(page)
    return "".join(describe(entry, kept.get(code, "")) for code, entry in catalogue().items())


def sections(page: str) -> dict[str, str]:
    """Return the sections of a page by their codes."""
    texts = page.split("\n\n")
    return {text.split()[0]: f"{text.rstrip()}\n\n" for text in texts if text.strip()}


def describe(entry: Entry, kept: str) -> str:
    """Return the section of an entry as it should be, with the further texts of a kept one."""
    lines = [f"{entry.code} {entry.rule.name}"]
    for sign, cases in (("=", _examples(entry)), ("+", _further(kept))):
        for case in cases:
            lines.append(f"{sign} {case}")
            lines += [f"    {line}" for line in _words(_find(entry, case))]
    return "\n".join([*lines, "", ""])


def _examples(entry: Entry) -> Iterator[Case]:
    action = "convert" if entry.rule.group == "conversion" else "check"
    for text in wrong_examples(entry):
        yield Case(f"{action} {entry.format}".strip(), text)


def _further(section: str) -> Iterator[Case]:
    for line in section.splitlines():
        if line.startswith("+"):
            action, _, text = line[1:].partition("|")
            yield Case(action.strip(), ast.literal_eval(text.strip()))


def _find(entry: Entry, case: Case) -> list[Diagnostic]:
    """Return the findings of an entry in a text."""
    match case.action.split():
        case ["check", "most", number]:
            found: Iterable[Diagnostic] = check(_source(case.text), max_diagnostics=int(number))
        case ["check", *formats]:
            options = CheckOptions(extend_select=[entry.code]) if entry.rule.strict else None
            format_ = Format.named(formats[0]) if formats else None
            found = check(_source(case.text), format=format_, options=options)
        case ["convert", to, *options]:
            found = _convert(case.text, to, options)
        case ["merge"]:
            found = merge(*loads(case.text, strict=False)).diagnostics
        case _:
            raise ValueError(f"{FILE.name}: nothing is called {case.action!r}")
    return [finding for finding in found if finding.code == entry.code]


def _source(text: str | bytes) -> io.StringIO | io.BytesIO:
    return io.StringIO(text) if isinstance(text, str) else io.BytesIO(text)


def _convert(text: str | bytes, to: str, options: list[str]) -> Iterable[Diagnostic]:
    lossy = Lossy(next((word for word in options if word in {"drop", "refuse"}), "keep"))
    flags = {word: word in options for word in ("minutes", "time_left")}
    try:
        return convert(
            loads(text, strict=False), Format.named(to), lossy=lossy, **flags
        ).diagnostics
    except SgfConversionError as error:
        return error.report


def _words(findings: Iterable[Diagnostic]) -> Iterator[str]:
    for finding in findings:
        yield f"{finding.severity}: {finding.message}"
        if finding.help:
            yield f"help: {finding.help}"
        if finding.fix is not None and finding.fix.message != finding.help:
            yield f"fix: {finding.fix.message}"
