"""Findings that follow from others, and are left out."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.diagnostics.rules import RULES
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import category
from sgf_lark.positions import Span
from sgf_lark.schema.properties import Category

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
