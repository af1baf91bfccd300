"""Findings that follow from others: what is left out, said once, or said in other words.

The checks of a game say all they see.  :data:`PASSES` lists, in their order, what then happens
to their findings; each pass takes and returns a list of findings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from sgf_lark.diagnostics.diagnostic import Finding, severity_of
from sgf_lark.diagnostics.limits import FindingLimit
from sgf_lark.diagnostics.rules import ANOTHER_GAME, RULES, Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import category
from sgf_lark.positions import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GameNumber
from sgf_lark.schema.properties import Category

from .findings import complete_finding
from .handicap import with_handicap
from .producers import explained, fox_komi, stones_in_turns
from .value_lints import SWALLOWED
from .wrong_game import OTHER_GAME, is_misfit


@dataclass(frozen=True)
class Context:
    """The game of some findings, and all that the passes over them know.

    Attributes:
        game: They are about it, or about the text before it.
        number: Which one of the file, from 0.
        guessed: Its format was found without FF, and nobody has named one.
        asked: Names of the strict rules to check; None for a reader, who checks nothing.
        mended: What had to be repaired in it, which is among the findings of its first part.
        end: Where it ends in the text.
        fragments: The parts of games that the file has had before it; None if a grammar of
            one's own cuts the file.
        limit: Counts the findings of the file.
        more: The text continues after its end.
    """

    game: GameTree
    number: int
    guessed: bool = False
    asked: frozenset[str] | None = None
    mended: list[Finding] = field(default_factory=list)
    end: int = 0
    fragments: Fragments | None = None
    limit: FindingLimit = field(default_factory=FindingLimit)
    more: bool = False

    def complete(self, found: Iterable[Finding]) -> list[Finding]:
        """Complete the findings that a pass has made, which have a node and no path to it."""
        return [
            one
            if one.node is None or one.node_path is not None
            else complete_finding(one, self.game.nodes, self.number)
            for one in found
        ]


Pass: TypeAlias = Callable[[list[Finding], Context], list[Finding]]


def settle_findings(found: list[Finding], context: Context) -> list[Finding]:
    """Return the findings of a game after all passes over them."""
    for one in PASSES:
        found = one(found, context)
    return found


# ---- moves and stones ----


def drop_misfits(found: list[Finding], context: Context) -> list[Finding]:
    """Drop the findings of single moves where all moves are of another game."""
    if not _has(found, OTHER_GAME):
        return found
    rules = context.game.nodes.rules
    return [one for one in found if not is_misfit(one, rules)]


def drop_misplaced(found: list[Finding], _: Context) -> list[Finding]:
    """Drop findings about properties in the wrong node where a value swallowed others."""
    damaged = {one.node for one in found if one.name == SWALLOWED and one.node is not None}
    if not damaged:
        return found
    return [
        one
        for one in found
        if not (one.node in damaged and one.name in MISPLACED)
        and not (0 in damaged and one.name == "missing-format")
    ]


#: Findings about properties that are in a node, or missing, because a value swallowed
#: another.
MISPLACED = frozenset({"root-outside-root", "second-game-info", "missing-root-property"})


def drop_after_lost_moves(found: list[Finding], context: Context) -> list[Finding]:
    """Drop board findings that follow from an earlier unreadable move."""
    lost = LOST
    if context.game.game == GameNumber.OTHELLO:
        lost |= {"player-mismatch"}  # a move of the wrong color turns other discs
    first = min(
        (one.node for one in found if one.name in lost and one.node is not None), default=None
    )
    if first is None:
        return found
    ggf = context.game.format is Format.GGF
    return [
        one
        for one in found
        if one.node is None or one.node < first or not _is_of_rules(one, ggf=ggf)
    ]


#: After these the board does not know what was played.
LOST = frozenset({SWALLOWED, ANOTHER_GAME[0]})

OFF_BOARD = "point-off-board"


def _is_of_rules(one: Finding, *, ggf: bool) -> bool:
    """Return whether the rules of the game made it; in GGF also about clocks."""
    return _is_of_game(one) or (ggf and one.name == "doubtful-number")


def _is_of_game(one: Finding) -> bool:
    """Return whether it is about the play, and not about one point."""
    return RULES[one.name].group == "game" and one.name != OFF_BOARD


# ---- programs and their habits ----


def replace_komi(found: list[Finding], context: Context) -> list[Finding]:
    """Replace doubtful komi by the habit of Fox, which writes hundredths."""
    if not _is_judged(found, context):
        return found
    komi = context.complete(fox_komi(context.game.nodes))
    return [one for one in found if one.name != "doubtful-komi"] + komi if komi else found


def replace_handicap(found: list[Finding], context: Context) -> list[Finding]:
    """Report once that handicap stones are written as moves."""
    if not _is_judged(found, context) or any(
        one.name in LOST and one.node is not None for one in found
    ):
        return found
    return context.complete(with_handicap(context.game.nodes, found))


def add_stones_in_turns(found: list[Finding], context: Context) -> list[Finding]:
    """Report stones that are set up in turns, with the program that writes moves so."""
    if not _is_judged(found, context):
        return found
    return found + context.complete(stones_in_turns(context.game.nodes, found))


def lower_old_ways(found: list[Finding], context: Context) -> list[Finding]:
    """Lower errors to warnings where FF[4] is a guess and FF[1] allows it."""
    if not context.guessed or context.game.format is not Format.FF4:
        return found
    return [
        one._replace(severity=Severity.WARNING)
        if one.name in OLD_WAYS and severity_of(one) is Severity.ERROR
        else one
        for one in found
    ]


#: What only FF[4] forbids in a node; without FF the standard means FF[1].
OLD_WAYS = frozenset({"setup-with-move", "duplicate-property", "two-moves"})


def explain_habits(found: list[Finding], context: Context) -> list[Finding]:
    """Explain findings that are the habit of a known program."""
    return list(explained(context.game, found))


def drop_strict(found: list[Finding], context: Context) -> list[Finding]:
    """Drop findings of strict rules that are not asked for."""
    strict = context.asked or frozenset()
    return [one for one in found if one.name in strict or not RULES[one.name].strict]


# ---- repairs and parts of games ----


def drop_after_repairs(found: list[Finding], context: Context) -> list[Finding]:
    """Drop findings that only follow from the repairs of a game.

    A finding without a node is about the text, or about the game beside others.
    """
    mended = context.mended
    if not mended:
        return found
    cut_off = {one.span.end for one in mended if one.name == "unclosed-value"}
    starts = [one.span.start for one in mended if one.name not in NESTING]
    if len(starts) < len(mended) and any(
        above != node for node, above in enumerate(context.game.nodes.parents, -1)
    ):
        starts.append(0)
    lost = min(starts, default=sys.maxsize)
    return [
        one
        for one in found
        if one.node is None
        or (one.span.start not in cut_off and (one.span.start < lost or not _is_of_game(one)))
    ]


#: Repairs after which the parent of a variation is not certain.
NESTING = frozenset({"unclosed-tree", "extra-close", "node-after-variation", "empty-tree"})


def drop_of_fragments(found: list[Finding], context: Context) -> list[Finding]:
    """Drop findings that exist only because a ')' has cut off a part of a game."""
    if context.fragments is None:
        return found
    return context.fragments.remaining(found, context.game, context.end, more=context.more)


def limit_alike(found: list[Finding], context: Context) -> list[Finding]:
    """Leave out findings of one kind beyond a limit."""
    return context.limit.kept(found)


#: All passes.  A finding that a pass adds or renames is seen by those below it.
PASSES: tuple[Pass, ...] = (
    drop_misfits,
    drop_misplaced,
    drop_after_lost_moves,
    replace_komi,
    replace_handicap,
    add_stones_in_turns,
    lower_old_ways,
    explain_habits,
    drop_strict,
    drop_after_repairs,
    drop_of_fragments,
    limit_alike,
)


def _has(found: Iterable[Finding], name: str) -> bool:
    return any(one.name == name for one in found)


def _is_judged(found: Iterable[Finding], context: Context) -> bool:
    """Somebody checks the game, and its moves are those of the game that it names."""
    return context.asked is not None and not _has(found, OTHER_GAME)


# ---- parts of games ----


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
        self._early: int | None = None  # the ')' after which fragments follow
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
            findings: About a game and the text before it, or about the text after the last.
            game: The game.
            end: Where it ends in the text.
            more: The text continues after its end, so that nothing can wait.
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
    return one.name in CONSEQUENCES or _is_of_game(one)


def is_fragment(game: GameTree) -> bool:
    """A game whose first node has nothing that the first node of a game has."""
    return not any(
        category(one) in {Category.ROOT, Category.GAME_INFO} for one in game.nodes.contents[0]
    )
