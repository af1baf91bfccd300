"""Findings that follow from others: what is left out, said once, or said in other words.

The checks of a game say all they see.  :data:`PASSES` lists, in their order, what then happens
to their findings; each pass takes and returns a list of findings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from sgf_lark.diagnostics.finding import Finding, Severity
from sgf_lark.diagnostics.limits import AddPlace, FindingLimit
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import category
from sgf_lark.model.tree_rules import GAME_WITHIN_GAME
from sgf_lark.places import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GameNumber
from sgf_lark.schema.properties import Category

from .findings import name_property, place_finding
from .handicap import with_handicap
from .producers import explained, fox_komi, known_producers, stones_in_turns
from .value_lints import SWALLOWED_PROPERTIES
from .wrong_game import OTHER_GAME, is_misfit


class Context(NamedTuple):
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
    mended: Sequence[Finding] = ()
    end: int = 0
    fragments: Fragments | None = None
    limit: FindingLimit = FindingLimit(None)
    more: bool = False

    def named(self, findings: Iterable[Finding]) -> list[Finding]:
        """Name the properties of the findings that a pass has made, which have no game."""
        return [
            finding
            if finding.node is None or finding.game is not None
            else name_property(finding, self.game.nodes, self.number)
            for finding in findings
        ]

    def place(self, finding: Finding) -> Finding:
        """Add its place to a finding of a node that does not have it."""
        if finding.is_placed:
            return finding
        return place_finding(finding, self.game.nodes, self.number)


Pass: TypeAlias = Callable[[list[Finding], Context], list[Finding]]


def settle_findings(findings: list[Finding], context: Context) -> list[Finding]:
    """Return the findings of a game after all passes over them."""
    for run_pass in PASSES:
        if findings or run_pass in OF_NONE:
            findings = run_pass(findings, context)
    return list(map(context.place, findings))


# ---- moves and stones ----


def drop_misfits(findings: list[Finding], context: Context) -> list[Finding]:
    """Drop the findings of single moves where all moves are of another game."""
    if not _has(findings, OTHER_GAME.name):
        return findings
    rules = context.game.nodes.rules
    return [finding for finding in findings if not is_misfit(finding, rules)]


def drop_misplaced(findings: list[Finding], _: Context) -> list[Finding]:
    """Drop findings about properties in the wrong node where a value swallowed others."""
    damaged = {
        finding.node
        for finding in findings
        if finding.rule is SWALLOWED_PROPERTIES and finding.node is not None
    }
    if not damaged:
        return findings
    return [
        finding
        for finding in findings
        if not (finding.node in damaged and finding.name in MISPLACED)
        and not (0 in damaged and finding.name == "missing-format")
    ]


#: Findings about properties that are in a node, or missing, because a value swallowed
#: another.
MISPLACED = frozenset({"root-outside-root", "second-game-info", "missing-root-property"})


def drop_after_lost_moves(findings: list[Finding], context: Context) -> list[Finding]:
    """Drop board findings that follow from an earlier unreadable move."""
    lost = LOST
    if context.game.game == GameNumber.OTHELLO:
        lost |= {"player-mismatch"}  # a move of the wrong color turns other discs
    first = min(
        (finding.node for finding in findings if finding.name in lost and finding.node is not None),
        default=None,
    )
    if first is None:
        return findings
    ggf = context.game.format is Format.GGF
    return [
        finding
        for finding in findings
        if finding.node is None or finding.node < first or not _is_of_rules(finding, ggf=ggf)
    ]


#: After these the board does not know what was played.
LOST = frozenset({SWALLOWED_PROPERTIES.name, GAME_WITHIN_GAME.name})

OFF_BOARD = "point-off-board"


def _is_of_rules(finding: Finding, *, ggf: bool) -> bool:
    """Return whether the rules of the game made it; in GGF also about clocks."""
    return _is_of_game(finding) or (ggf and finding.name == "doubtful-number")


def _is_of_game(finding: Finding) -> bool:
    """Return whether it is about the play, and not about one point."""
    return finding.rule.group == "game" and finding.name != OFF_BOARD


# ---- programs and their habits ----


def replace_komi(findings: list[Finding], context: Context) -> list[Finding]:
    """Replace doubtful komi by the habit of Fox, which writes hundredths."""
    if not _is_judged(findings, context):
        return findings
    komi = context.named(fox_komi(context.game.nodes))
    if not komi:
        return findings
    return [finding for finding in findings if finding.name != "doubtful-komi"] + komi


def replace_handicap(findings: list[Finding], context: Context) -> list[Finding]:
    """Report once that handicap stones are written as moves."""
    if not _is_judged(findings, context) or any(
        finding.name in LOST and finding.node is not None for finding in findings
    ):
        return findings
    return context.named(with_handicap(context.game.nodes, findings))


def add_stones_in_turns(findings: list[Finding], context: Context) -> list[Finding]:
    """Report stones that are set up in turns, with the program that writes moves so."""
    if not _is_judged(findings, context):
        return findings
    return findings + context.named(stones_in_turns(context.game.nodes, findings))


def lower_old_ways(findings: list[Finding], context: Context) -> list[Finding]:
    """Lower errors to warnings where FF[4] is a guess and FF[1] allows it."""
    if not context.guessed or context.game.format is not Format.FF4:
        return findings
    return [
        finding._replace(severity=Severity.WARNING)
        if finding.name in OLD_WAYS and finding.severity is Severity.ERROR
        else finding
        for finding in findings
    ]


#: What only FF[4] forbids in a node; without FF the standard means FF[1].
OLD_WAYS = frozenset({"setup-with-move", "duplicate-property", "two-moves"})


def explain_habits(findings: list[Finding], context: Context) -> list[Finding]:
    """Explain findings that are the habit of a known program."""
    return list(explained(context.game, findings))


def drop_strict(findings: list[Finding], context: Context) -> list[Finding]:
    """Drop findings of strict rules that are not asked for."""
    strict = context.asked or frozenset()
    return [finding for finding in findings if finding.name in strict or not finding.rule.strict]


# ---- repairs and parts of games ----


def drop_after_repairs(findings: list[Finding], context: Context) -> list[Finding]:
    """Drop findings that only follow from the repairs of a game.

    A finding without a node is about the text, or about the game beside others.
    """
    mended = context.mended
    if not mended:
        return findings
    cut_off = {finding.span.end for finding in mended if finding.name == UNCLOSED}
    starts = [finding.span.start for finding in mended if finding.name not in NESTING | NAMES]
    if any(finding.name in NESTING for finding in mended) and any(
        above != node for node, above in enumerate(context.game.nodes.parents, -1)
    ):
        starts.append(0)
    lost = min(starts, default=sys.maxsize)
    if not cut_off and lost == sys.maxsize:
        return findings  # which need no places
    findings = list(map(context.place, findings))
    return [
        finding
        for finding in findings
        if finding.node is None
        or (
            finding.span.start not in cut_off
            and (finding.span.start < lost or not _is_of_game(finding))
        )
    ]


UNCLOSED = "unclosed-value"


def cuts_off(mended: Iterable[Finding]) -> bool:
    """Return whether a repair closes a value, whose own findings follow from that."""
    return _has(mended, UNCLOSED)


#: Repairs after which the parent of a variation is not certain.
NESTING = frozenset({"unclosed-tree", "extra-close", "node-after-variation", "empty-tree"})

#: Repairs of names, which leave nothing out.
NAMES = frozenset({"identifier-form"})


def drop_of_fragments(findings: list[Finding], context: Context) -> list[Finding]:
    """Drop findings that exist only because a ')' has cut off a part of a game."""
    if context.fragments is None:
        return findings
    return context.fragments.remaining(
        findings, context.game, context.end, more=context.more, place=context.place
    )


def limit_alike(findings: list[Finding], context: Context) -> list[Finding]:
    """Leave out findings of one kind beyond a limit."""
    return context.limit.kept(findings, context.place)


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

#: Passes that are run without findings, too: they can add one, or note the end of the game.
OF_NONE: frozenset[Pass] = frozenset({replace_komi, replace_handicap, drop_of_fragments})


def told_apart(finding: Finding) -> bool:
    """Return whether a pass may drop or change it, and not others of its rule and property."""
    habits = known_producers().habits.get((finding.name, finding.property or ""), ())
    return (
        finding.name in TOLD_APART
        or _is_of_game(finding)
        or any(habit.explains(finding) for _, habit in habits)
    )


def _has(findings: Iterable[Finding], name: str) -> bool:
    return any(finding.name == name for finding in findings)


def _is_judged(findings: Iterable[Finding], context: Context) -> bool:
    """Somebody checks the game, and its moves are those of the game that it names."""
    return context.asked is not None and not _has(findings, OTHER_GAME.name)


# ---- parts of games ----


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


#: Faults that leave a '(' out of account, so that a later ')' closes too much.
HIDING = frozenset({"swallowed-properties", "node-after-variation", "property-outside-games"})

#: Findings of which passes ask more than rule and property.
TOLD_APART = HIDING | LOST | MISPLACED | {"duplicate-property", "doubtful-number"}


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
    return finding.name in CONSEQUENCES or _is_of_game(finding)


def is_fragment(game: GameTree) -> bool:
    """A game whose first node has nothing that the first node of a game has."""
    return not any(
        category(prop) in {Category.ROOT, Category.GAME_INFO} for prop in game.nodes.contents[0]
    )
