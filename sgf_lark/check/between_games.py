"""What stands outside the games of a text, and parts of games that lie there by mistake."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.diagnostics.rules import RULES, Severity
from sgf_lark.grammar.tokens import Stretch, scraps
from sgf_lark.model.collection import GameTree
from sgf_lark.positions import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import Category, PropertyTable

from .findings import category


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
        message = f"text {where} is skipped"
        severity = Severity.INFO if first and before is Format.FF1 else None
        if not content.strip(END_OF_DOS):
            message, severity = "Ctrl-Z, with which DOS ended texts, is skipped", Severity.INFO
        found.append(Finding("text-outside-games", message, span, "", severity))
    return found


#: What old programs put behind a text: Ctrl-Z, and zeros up to the end of a sector.
END_OF_DOS = "\x1a\0"


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


#: Repairs after which nobody knows what is a variation of what.
NESTING = frozenset({"unclosed-tree", "extra-close", "node-after-variation", "empty-tree"})


def beside(mended: list[Finding], checked: list[Finding], game: GameTree) -> list[Finding]:
    """What is said about a game, but for what only follows from its repairs.

    Args:
        mended: What had to be repaired.
        checked: What was found in the repaired game.
        game: The game.
    """
    if not mended:
        return checked
    cut_off = {one.span.end for one in mended if one.name == "unclosed-value"}
    starts = [one.span.start for one in mended if one.name not in NESTING]
    if len(starts) < len(mended) and any(
        above != node for node, above in enumerate(game.nodes.parents, -1)
    ):
        starts.append(0)
    lost = min(starts, default=sys.maxsize)
    return [
        one
        for one in checked
        if one.span.start not in cut_off
        and (one.span.start < lost or RULES[one.name].group != "game" or one.name == OFF_BOARD)
    ]


OFF_BOARD = "point-off-board"

#: What is said of a part of a game that a ')' has cut off.
CONSEQUENCES = frozenset(
    {
        "identifier-form",
        "missing-format",
        "missing-root-property",
        "missing-semicolon",
        "move-in-root",
        "newer-form",
        "other-format",
        "property-outside-games",
        "text-outside-games",
    }
)

#: Faults that leave a '(' out of account, so that a later ')' closes too much.
HIDING = frozenset({"swallowed-properties", "node-after-variation", "property-outside-games"})


class Fragments:
    """Tells causes from consequences where a game ends before its end.

    Attributes:
        text: In which the findings are; another one for each part of a file.
    """

    def __init__(self) -> None:
        self.text = ""
        self._hidden = 0  # '(' that were not seen
        self._begun = False  # a game has been read that is no fragment
        self._end: int | None = None  # where the last such game ended
        self._early: int | None = None  # the ')' behind which fragments follow
        self._doubtful: list[Finding] = []  # what is only true if the fragments are games

    def read(self, text: str) -> None:
        """Go on with this part of the file."""
        self.text = text
        self._end = self._early = None

    def remaining(
        self,
        findings: Iterable[Finding],
        game: GameTree | None = None,
        end: int = 0,
        *,
        more: bool = False,
    ) -> list[Finding]:
        """The findings, but for those that follow from others.

        Args:
            findings: About a game and what stands before it, or what stands behind the last.
            game: The game.
            end: Where it ends in the text.
            more: The text goes on behind its end, so that nothing can be put off.
        """
        fragment = self._begun and game is not None and is_fragment(game)
        if game is not None and not fragment:
            self._hidden, self._early = 0, None
        elif fragment and self._early is None and self._end is not None:
            self._early = self._end - 1
        kept = [self._moved(one) for one in findings if not self._follows(one, fragment=fragment)]
        if fragment and not more:
            self._doubtful += [one for one in kept if _is_consequence(one)]
            kept = [one for one in kept if not _is_consequence(one)]
        else:
            kept = self._doubtful + kept
            self._doubtful = []
        for one in kept:
            if one.name in HIDING:
                shown = self.text[slice(*one.span)]
                swallowed = shown.count("(") - shown.count(")")
                self._hidden += swallowed if one.name == "swallowed-properties" else 1
        if game is not None and not fragment:
            self._begun = True
            self._end = None if more else end
        return kept

    def _follows(self, one: Finding, *, fragment: bool) -> bool:
        if self._hidden > 0:
            if one.name == "extra-close":
                self._hidden -= self.text[slice(*one.span)].count(")")
                return True
            if _is_consequence(one):
                return True
        return fragment and one.name in {"move-in-root", "missing-root-property"}

    def _moved(self, one: Finding) -> Finding:
        """A ')' too many is the one that ended the game, if parts of the game follow it."""
        if one.name != "extra-close" or self._early is None:
            return one
        span, self._early, self._end = Span(self._early, self._early + 1), None, None
        self._doubtful = []
        message = "this ')' closes the game too early: variations follow it"
        return one._replace(span=span, message=message)


def _is_consequence(one: Finding) -> bool:
    """It is said of a part of a game because it was read as a game."""
    return one.name in CONSEQUENCES or (RULES[one.name].group == "game" and one.name != OFF_BOARD)


def is_fragment(game: GameTree) -> bool:
    """A game whose first node has nothing that the first node of a game has."""
    return not any(
        category(one) in {Category.ROOT, Category.GAME_INFO} for one in game.nodes.contents[0]
    )
