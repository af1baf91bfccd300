"""Parts of games that a ')' too early has cut off: causes and consequences among their findings."""

from __future__ import annotations

from collections.abc import Iterable

from sgf_lark.diagnostics.finding import Finding
from sgf_lark.diagnostics.limits import AddPlace
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import category
from sgf_lark.places import Span
from sgf_lark.schema.properties import Category

from .consequences import HIDING, is_of_game

#: What is said of a part of a game that a ')' has cut off.  Text that is in no game is no
#: consequence: nobody else says that it is not read.
CONSEQUENCES = frozenset(
    {
        "identifier-form",
        "missing-format",
        "missing-root-property",
        "missing-semicolon",
        "move-in-root",
        "newer-form",
        "other-format",
    }
)


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
        self._early: int | None = None  # the ')' after which fragments follow
        self._doubtful: list[Finding] = []  # what is only true if the fragments are games

    @property
    def is_settled(self) -> bool:
        """Nothing said so far matters to the next game, if that is no fragment."""
        return not self._hidden and not self._doubtful and self._early is None

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
        place: AddPlace = lambda finding: finding,
    ) -> list[Finding]:
        """The findings, but for those that follow from others.

        Args:
            findings: About a game and the text before it, or about the text after the last.
            game: The game.
            end: Where it ends in the text.
            more: The text continues after its end, so that nothing can wait.
            place: Adds places to findings.
        """
        fragment = self._begun and game is not None and is_fragment(game)
        if game is not None and not fragment:
            self._hidden, self._early = 0, None
        elif fragment and self._early is None and self._end is not None:
            self._early = self._end - 1
        kept = [
            self._moved(place(finding) if fragment or finding.name in HIDING else finding)
            for finding in findings
            if not self._follows(finding, fragment=fragment)
        ]
        if fragment and not more:
            self._doubtful += [finding for finding in kept if _is_consequence(finding)]
            kept = [finding for finding in kept if not _is_consequence(finding)]
        else:
            kept = self._doubtful + kept
            self._doubtful = []
        for finding in kept:
            if finding.name in HIDING and not (
                fragment and finding.name == "property-outside-games"
            ):
                text = self.text[slice(*finding.span)]
                swallowed = text.count("(") - text.count(")")
                self._hidden += swallowed if finding.name == "swallowed-properties" else 1
        if game is not None and not fragment:
            self._begun = True
            self._end = None if more else end
        return kept

    def concern(self, game: GameTree) -> bool:
        """Return whether a valid game is such a part, or findings wait for the next game."""
        return bool(self._doubtful) or (self._begun and is_fragment(game))

    def pass_whole(self, end: int, *, more: bool) -> list[Finding]:
        """Go on after a game without findings that is no fragment, as :meth:`remaining` does."""
        self._hidden, self._early, self._begun = 0, None, True
        self._end = None if more else end
        waiting, self._doubtful = self._doubtful, []
        return waiting

    def _follows(self, finding: Finding, *, fragment: bool) -> bool:
        if self._hidden > 0:
            if finding.name == "extra-close":
                self._hidden -= self.text[slice(*finding.span)].count(")")
                return True
            if _is_consequence(finding):
                return True
        return fragment and finding.name in {"move-in-root", "missing-root-property"}

    def _moved(self, finding: Finding) -> Finding:
        """A ')' too many is the one that ended the game, if parts of the game follow it."""
        if finding.name != "extra-close" or self._early is None:
            return finding
        span, self._early, self._end = Span(self._early, self._early + 1), None, None
        self._doubtful = []
        message = "this ')' closes the game too early: variations follow it"
        return finding._replace(span=span, message=message)


def _is_consequence(finding: Finding) -> bool:
    """It is said of a part of a game because it was read as a game."""
    return finding.name in CONSEQUENCES or is_of_game(finding)


def is_fragment(game: GameTree) -> bool:
    """A game whose first node has nothing that the first node of a game has."""
    return not any(
        category(prop) in {Category.ROOT, Category.GAME_INFO} for prop in game.nodes.contents[0]
    )
