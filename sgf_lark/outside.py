"""What stands outside the games of a text, and what follows from brackets that a value hides."""

from __future__ import annotations

from collections.abc import Iterable

from .diagnostics import Finding, Severity
from .grammars import Format
from .positions import Span
from .properties import PropertyTable
from .syntax import Stretch, scraps


def outside(
    text: str, stretch: Stretch, table: PropertyTable, *, first: bool, before: Format | None
) -> list[Finding]:
    """What to say about text that belongs to no game.

    Args:
        text: The whole text.
        stretch: Which part of it.
        table: The properties to know.
        first: No game stands before it.
        before: The format of the game behind it; None if there is none.
    """
    shown = text[stretch.start : stretch.end]
    content = shown.strip()
    start = stretch.start + len(shown) - len(shown.lstrip())
    end = stretch.start + len(shown.rstrip())
    found: list[Finding] = []
    closing = content[: len(content) - len(content.lstrip(") \t\r\n\x0b\x0c"))].rstrip()
    content = content[len(closing) :].lstrip()
    span = Span(end - len(content), end)
    if content and before is not Format.GGF and _has_property(text, span, table):
        message = "these properties stand in no game, and are not read"
        help_ = "put them into the game: a ')' before them may stand too early"
        if first:
            help_ = "put '(;' before them, if they belong to the game"
        return [Finding("property-outside-games", message, span, help_)]
    if closing:
        close = Span(start, start + len(closing))
        found.append(Finding("extra-close", "a ')' that closes nothing", close, "remove it"))
    if content:
        where = (
            "before the first game"
            if first
            else "between the games"
            if before
            else "behind the last game"
        )
        severity = Severity.INFO if first and before is Format.FF1 else None
        found.append(Finding("text-outside-games", f"text {where} is skipped", span, "", severity))
    return found


def nothing(text: str, table: PropertyTable) -> Finding:
    """What to say about a text without a game."""
    start = len(text) - len(text.lstrip())
    span = Span(start, min(start + 1, len(text)))
    if _has_property(text, Span(start, len(text)), table):
        message = "no '(' begins a game, though there are properties"
        return Finding("no-game-record", message, span, "put '(;' before them and ')' behind them")
    return Finding("no-game-record", "this is no game record", span, "one begins with '(;'")


def _has_property(text: str, span: Span, table: PropertyTable) -> bool:
    """The text has a property of SGF: its name, not behind other words, and right behind it
    a value.
    """
    name, behind, before = "", -1, ""
    for kind, start, end in scraps(text, span.start, span.end):
        if kind == "PROP_VALUE" and start == behind and table.knows(name):
            return True
        name = text[start:end] if kind == "IDENT" and before not in {"IDENT", "STRAY"} else ""
        behind, before = end, kind
    return False


#: What is said of a text that a ')' has cut out of its game.
CONSEQUENCES = frozenset(
    {
        "missing-format",
        "missing-root-property",
        "missing-semicolon",
        "move-in-root",
        "property-outside-games",
        "text-outside-games",
    }
)


class HiddenBrackets:
    """Brackets that values have swallowed: later ones then close too much.

    Attributes:
        text: In which the findings are; another one for each part of a file.
    """

    def __init__(self) -> None:
        self.text = ""
        self._open = 0

    def remaining(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings, but for those that follow from brackets that were hidden before."""
        kept: list[Finding] = []
        for one in findings:
            shown = self.text[slice(*one.span)]
            if self._open > 0 and one.name == "extra-close":
                self._open -= shown.count(")")
            elif self._open <= 0 or one.name not in CONSEQUENCES:
                kept.append(one)
        for one in kept:
            if one.name == "swallowed-properties":
                shown = self.text[slice(*one.span)]
                self._open += max(0, shown.count("(") - shown.count(")"))
        return kept
