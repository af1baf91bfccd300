"""Findings that follow from others: what is left out, said once, or said in other words.

The checks of a game say all they see.  :data:`PASSES` lists, in their order, what then happens
to their findings; each pass takes and returns a list of findings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from sgf_lark.core.findings.finding import Finding, Severity
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.constraints import HUNDRED
from sgf_lark.core.model.tree_rules import GAME_WITHIN_GAME
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.values import Point

from .findings import name_property, place_finding
from .handicap import with_handicap
from .value_lints import SWALLOWED_PROPERTIES
from .wrong_game import OTHER_GAME, is_misfit


class Context(NamedTuple):
    """The game of some findings, and all that the passes over them know.

    Attributes:
        guessed: Its format was found without FF, and nobody has named one.
        asked: Names of the strict rules to check; None for a reader, who checks nothing.
        mended: What had to be repaired in it, which is among the findings of its first part.
    """

    game: GameTree
    number: int
    guessed: bool = False
    asked: frozenset[str] | None = None
    mended: Sequence[Finding] = ()

    def named(self, findings: Iterable[Finding]) -> list[Finding]:
        return [
            finding
            if finding.game is not None
            else name_property(finding, self.game.nodes, self.number)
            for finding in findings
        ]

    def place(self, finding: Finding) -> Finding:
        if finding.is_placed:
            return finding
        return place_finding(finding, self.game.nodes, self.number)


FindingPass: TypeAlias = Callable[[list[Finding], Context], list[Finding]]


def settle_findings(findings: list[Finding], context: Context) -> list[Finding]:
    """Return the findings of a game after all passes over them; some have no place yet."""
    for run_pass in PASSES:
        if findings or run_pass in OF_NONE:
            findings = run_pass(findings, context)
    return findings


# ---- moves and stones ----


def drop_misfits(findings: list[Finding], context: Context) -> list[Finding]:
    """Drop the findings of single moves where all moves are of another game."""
    if not _has(findings, OTHER_GAME.name):
        return findings
    rules = context.game.nodes.rules
    return [finding for finding in findings if not is_misfit(finding, rules)]


def drop_misplaced(findings: list[Finding], _: Context) -> list[Finding]:
    """Drop findings about properties in the wrong node where a value swallowed others.

    If one of them is an error, so is that.
    """
    damaged = {finding.node for finding in findings if finding.rule is SWALLOWED_PROPERTIES}

    def is_dropped(finding: Finding) -> bool:
        return (finding.node in damaged and finding.name in MISPLACED) or (
            0 in damaged and finding.name == "missing-format"
        )

    errors = (one for one in findings if one.severity is Severity.ERROR)
    broken = {finding.node for finding in errors if is_dropped(finding)}
    return [
        finding._replace(severity=Severity.ERROR)
        if finding.rule is SWALLOWED_PROPERTIES and finding.node in broken
        else finding
        for finding in findings
        if not is_dropped(finding)
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
        if finding.node is None
        or finding.node < first
        or not (is_about_play(finding) or (ggf and finding.name == "doubtful-number"))  # on clocks
    ]


#: After these the board does not know what was played.
LOST = frozenset({SWALLOWED_PROPERTIES.name, GAME_WITHIN_GAME.name})


def drop_newer_off_board(findings: list[Finding], context: Context) -> list[Finding]:
    """Drop that a point needs FF[4], which has more names of points, if it is on no board here."""
    contents = context.game.nodes.contents
    off = {
        (finding.node, finding.property, index)
        for finding in findings
        if finding.name == OFF_BOARD
        for index in finding.gone or (finding.value_index or 0,)
        if isinstance(contents[finding.node or 0][finding.property_index or 0].values[index], Point)
    }
    return [
        finding
        for finding in findings
        if finding.name != NEWER_FORM
        or (finding.node, finding.property, finding.value_index) not in off
    ]


OFF_BOARD, NEWER_FORM = "point-off-board", "newer-form"


def is_about_play(finding: Finding) -> bool:
    """Return whether it is about the play, and not about one point."""
    return finding.rule.group == "game" and finding.name != OFF_BOARD


# ---- programs and their habits ----


def replace_komi(findings: list[Finding], context: Context) -> list[Finding]:
    """Replace doubtful komi, and scores that contradict it, by the habit of Fox: hundredths."""
    if not _is_judged(findings, context):
        return findings
    values = [prop.value for prop in context.game.nodes.contents[0] if prop.ident == "KM"]
    if not any(isinstance(value, Decimal) and not -HUNDRED < value < HUNDRED for value in values):
        return findings
    from .producers import fox_komi

    komi = context.named(fox_komi(context.game.nodes))
    if not komi:
        return findings
    doubts = {"doubtful-komi", "doubtful-result"}
    return [finding for finding in findings if finding.name not in doubts] + komi


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
    from .producers import stones_in_turns

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
    from .producers import explained

    return list(explained(context.game, findings))


def drop_strict(findings: list[Finding], context: Context) -> list[Finding]:
    """Drop findings of strict rules that are not asked for."""
    strict = context.asked or frozenset()
    return [finding for finding in findings if finding.name in strict or not finding.rule.strict]


# ---- repairs ----


def drop_after_repairs(findings: list[Finding], context: Context) -> list[Finding]:
    """Drop findings that only follow from the repairs of a game."""
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
            and (finding.span.start < lost or not is_about_play(finding))
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


#: All passes.  A finding that a pass adds or renames is seen by those below it.
PASSES: tuple[FindingPass, ...] = (
    drop_misfits,
    drop_misplaced,
    drop_after_lost_moves,
    drop_newer_off_board,
    replace_komi,
    replace_handicap,
    add_stones_in_turns,
    lower_old_ways,
    explain_habits,
    drop_strict,
    drop_after_repairs,
)

#: Passes that are run without findings, too: they can add one.
OF_NONE: frozenset[FindingPass] = frozenset({replace_komi, replace_handicap})


#: Faults that leave a '(' out of account, so that a later ')' closes too much.
HIDING = frozenset({"swallowed-properties", "node-after-variation", "property-outside-games"})

#: Findings of which passes ask more than rule and property.
TOLD_APART = HIDING | LOST | MISPLACED | {"duplicate-property", "doubtful-number", NEWER_FORM}


def told_apart(finding: Finding) -> bool:
    """Return whether a pass may drop or change it, and not others of its rule and property."""
    from .producers import known_producers

    habits = known_producers().habits.get((finding.name, finding.property or ""), ())
    return (
        finding.name in TOLD_APART
        or is_about_play(finding)
        or any(habit.explains(finding) for _, habit in habits)
    )


def _has(findings: Iterable[Finding], name: str) -> bool:
    return any(finding.name == name for finding in findings)


def _is_judged(findings: Iterable[Finding], context: Context) -> bool:
    return context.asked is not None and not _has(findings, OTHER_GAME.name)
