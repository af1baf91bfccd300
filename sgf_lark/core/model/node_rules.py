"""Rules about the properties of one node: which exclude each other, which need another.

Each finder is a small function of the content of a node; it does not know the node, which
:func:`sgf_lark.core.check.findings.place_finding` adds.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import chain
from typing import NamedTuple

from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import POINT_END, Finding, Rule, Severity, register
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.properties import COLORS, Category, Count, Group
from sgf_lark.core.schema.values import Invalid

from .constraints import Area, are_different, choose_severity, fraction, get_point
from .finders import TREES, On, OnlyIf, finds
from .property import category
from .readings import Content, Reading
from .ruleset import RuleSet


def _places(content: Content, idents: frozenset[str]) -> list[int]:
    seen: dict[str, int] = {}
    for place, prop in enumerate(content):
        if prop.ident in idents and prop.rule is not None:
            seen.setdefault(prop.ident, place)
    return list(seen.values())


# ---- what must not stand together ----


DUPLICATE_PROPERTY = register("T207 duplicate-property error: the same property twice in a node")


@finds(DUPLICATE_PROPERTY, on=On.NODE, only_if=OnlyIf(repeated=True), formats=TREES)
def _duplicates(content: Content, rules: RuleSet) -> Iterator[Finding]:
    """FF[3] and FF[4]: one of each property in a node; FF[1] does not say."""
    severity = None if rules.format in {Format.FF3, Format.FF4} else Severity.WARNING
    moves = _places(content, frozenset(COLORS))
    end = moves[1] if len(moves) > 1 else len(content)  # what follows is another node's
    by_ident: dict[str, list[int]] = {}
    for place, prop in enumerate(content[: end + 1]):
        by_ident.setdefault(prop.ident, []).append(place)
    for ident, places in by_ident.items():
        if len(places) > 1 and not ident.islower():  # else it names no property
            times = "twice" if len(places) == 2 else f"{len(places)} times"  # noqa: PLR2004
            message = f"{ident} occurs {times} in this node"
            if ident == "CA":
                message += "; only the first one counts for reading the file"
            help_ = _help_for_duplicate(content[places[1]])
            yield repeated(message, help_, severity)._replace(property_index=places[1])


def repeated(message: str, help_: str, severity: Severity | None = None) -> Finding:
    return DUPLICATE_PROPERTY.found(message, help=help_, severity=severity)


def _help_for_duplicate(prop: Reading) -> str:
    if prop.ident in COLORS:
        return "put ';' before the second, or keep the one that is meant"
    if prop.rule is None or prop.rule.count is not Count.ONE:
        return f"merge them into one {prop.ident}"
    if prop.rule.type == "text":
        return f"join the texts into one {prop.ident}"
    return "keep the one that is meant"


TWO_MOVES = register("T210 two-moves error: moves of both colors in one node")


@finds(TWO_MOVES, on=On.NODE, only_if=OnlyIf(frozenset(COLORS), 2), formats=TREES)
def _two_moves(content: Content, rules: RuleSet) -> Iterator[Finding]:
    """A node has a move of one color."""
    places = _places(content, frozenset(COLORS))
    if len(places) > 1:
        severity = None if rules.format is Format.FF4 else Severity.WARNING
        message = "moves of both colors in one node"
        help_ = "put ';' before the second: each move has its own node"
        yield TWO_MOVES.found(message, help=help_, severity=severity, property_index=places[1])


SETUP_WITH_MOVE = register("T206 setup-with-move error: setup and move properties in one node")


@finds(
    SETUP_WITH_MOVE,
    on=On.NODE,
    only_if=OnlyIf(categories=frozenset({Category.SETUP, Category.MOVE})),
    formats=TREES,
)
def _setup_with_move(content: Content, rules: RuleSet) -> Iterator[Finding]:
    """FF[4]: setup and move do not mix; FF[1] and FF[3] allow it."""
    if rules.format is not Format.FF4:
        return
    setup = [place for place, prop in enumerate(content) if category(prop) is Category.SETUP]
    moves = [place for place, prop in enumerate(content) if category(prop) is Category.MOVE]
    if setup and moves:
        idents = content[setup[0]].ident, content[moves[0]].ident
        message = f"setup ({idents[0]}) and move ({idents[1]}) in one node"
        help_ = "move the setup into its own node before the move"
        place = max(setup[0], moves[0])
        facts = {"setup": idents[0]}
        yield SETUP_WITH_MOVE.found(message, help=help_, property_index=place, facts=facts)


#: Annotations of which a node has one.
ANNOTATIONS = (Group.POSITION_ANNOTATION, Group.MOVE_ANNOTATION)


CONTRADICTING_ANNOTATIONS = register(
    "T216 contradicting-annotations error: annotations that exclude each other"
)


@finds(
    CONTRADICTING_ANNOTATIONS,
    on=On.NODE,
    only_if=tuple(OnlyIf(group, 2) for group in ANNOTATIONS),
    formats=TREES,
)
def _contradictions(content: Content, rules: RuleSet) -> Iterator[Finding]:
    """A node has one opinion of the position, and one of the move.

    TE with BM was the way to write DO and IT before FF[4].
    """
    for group in ANNOTATIONS:
        places = _places(content, rules.table.group(group))
        if len(places) < 2 or (rules.format is not Format.FF4 and group is Group.MOVE_ANNOTATION):  # noqa: PLR2004  # opinions
            continue
        idents = [content[place].ident for place in places]
        message = f"{' and '.join(idents)} contradict each other in one node"
        severity = choose_severity(rules.format)
        help_ = "keep the one that is meant"
        yield CONTRADICTING_ANNOTATIONS.found(
            message,
            help=help_,
            severity=severity,
            property_index=places[1],
        )


ANNOTATION_WITHOUT_MOVE = register(
    "T215 annotation-without-move error: an annotation of a move, without one"
)


@finds(
    ANNOTATION_WITHOUT_MOVE,
    on=On.NODE,
    only_if=OnlyIf(Group.NEEDS_MOVE, without=frozenset(COLORS)),
    formats=TREES,
)
def _annotation_without_move(content: Content, rules: RuleSet) -> Iterator[Finding]:
    """An annotation of a move is in the node of a move."""
    if any(prop.ident in COLORS for prop in content):
        return
    for place in _places(content, rules.table.group(Group.NEEDS_MOVE)):
        prop = content[place]
        if prop.values and isinstance(prop.values[0], Invalid):
            continue  # then it is something else, or nobody knows what
        message = f"{prop.ident} is about a move, but this node has none"
        help_ = "put it into the node of the move, or remove it"
        severity = choose_severity(rules.format)
        yield ANNOTATION_WITHOUT_MOVE.found(
            message, help=help_, severity=severity, property_index=place
        )


class Rivals(NamedTuple):
    """Lists of points of which a point may be in one; ``old`` is the severity before FF[4]."""

    group: Group
    rule: Rule
    help: str
    old: Severity


SETUP_CONFLICT = register("T217 setup-conflict error: a point set up twice in a node")
MARKUP_CONFLICT = register("T218 markup-conflict error: a point with two marks in a node")
TERRITORY_CONFLICT = register("T219 territory-conflict error: a point that is territory of both")

RIVALS = (
    Rivals(
        Group.SETUP_POINTS,
        SETUP_CONFLICT,
        "leave it in the list that is meant",
        Severity.WARNING,
    ),
    Rivals(
        Group.MARKS,
        MARKUP_CONFLICT,
        "keep one of the marks",
        Severity.INFO,
    ),
    Rivals(
        Group.TERRITORY,
        TERRITORY_CONFLICT,
        "leave it in the list that is meant",
        Severity.WARNING,
    ),
)


@finds(
    SETUP_CONFLICT,
    MARKUP_CONFLICT,
    TERRITORY_CONFLICT,
    on=On.NODE,
    only_if=tuple(OnlyIf(rivals.group, 2, alike=True) for rivals in RIVALS),
    formats=TREES,
)
def _rivals(content: Content, rules: RuleSet) -> Iterator[Finding]:
    """A point is set up once, has one mark, and is the territory of one side."""
    if rules.game.several_on_a_point:
        return
    for rivals in RIVALS:
        idents = rules.table.group(rivals.group)
        places = [
            place
            for place, prop in enumerate(content)
            if prop.ident in idents and prop.rule is not None
        ]
        lists = [list(map(get_point, content[place].values)) for place in places]
        if len(places) < 2 or are_different(list(chain(*lists))):  # noqa: PLR2004  # lists
            continue
        areas: dict[str, Area] = {}  # one for each name, however many properties have it
        for place, values in zip(places, lists, strict=True):
            prop = content[place]
            both = [
                (index, ident)
                for index, value in enumerate(values)
                if not isinstance(value, Invalid)
                for ident, area in areas.items()
                if ident != prop.ident and area.meets(value)
            ]
            if both:
                index, other = both[0]
                more = f" (and {len(both) - 1} more)" if both[1:] else ""
                point = shorten(prop.raw[index])
                severity = choose_severity(rules.format, rivals.old)
                yield rivals.rule.found(
                    f"{point} is in {other} and in {prop.ident}{more}",
                    help=rivals.help,
                    severity=severity,
                    property_index=place,
                    value_index=index,
                    facts={POINT_END: len(point), "beside": other},
                )
            area = areas.setdefault(prop.ident, Area())
            for value in values:
                area.add(value)


#: The bar and the tray of backgammon, where checkers of both sides may be.
SHARED = frozenset({"y", "z"})


@finds(SETUP_CONFLICT, on=On.NODE, only_if=OnlyIf(Group.ADDS, 2, alike=True), formats=TREES)
def _both_sides(content: Content, rules: RuleSet) -> Iterator[Finding]:
    """On a point of backgammon are checkers of one side, of these as many as there are."""
    if rules.game.number != GameNumber.BACKGAMMON:
        return
    places = _places(content, rules.table.group(Group.ADDS))
    if len(places) < 2:  # noqa: PLR2004  # both
        return
    first = {*content[places[0]].raw} - SHARED
    prop = content[places[1]]
    for index, raw in enumerate(prop.raw):
        if raw in first:
            other = content[places[0]].ident
            message = f"{raw} is in {other} and in {prop.ident}"
            help_ = "a point holds checkers of one side: leave it in the list that is meant"
            severity = Severity.WARNING  # of a rule of the game
            yield SETUP_CONFLICT.found(
                message,
                help=help_,
                severity=severity,
                property_index=places[1],
                value_index=index,
            )
            return


# ---- what only people mind ----


#: What is compared for its fractions.
COMPARED = frozenset({"RE", "KM"})


DOUBTFUL_RESULT = register("V323 doubtful-result info: a score that komi contradicts")


@finds(DOUBTFUL_RESULT, on=On.NODE, only_if=OnlyIf(COMPARED, 2), is_lint=True)
def _score_and_komi(content: Content, rules: RuleSet) -> Iterator[Finding]:
    """The fraction of a counted score of Go is that of komi."""
    if rules.game.number != GameNumber.GO:
        return
    places = {prop.ident: place for place, prop in enumerate(content) if prop.ident in COMPARED}
    if len(places) < 2:  # noqa: PLR2004  # both
        return
    result, komi = content[places["RE"]].value, content[places["KM"]].value
    margin = getattr(result, "margin", None)
    if margin is None or not isinstance(komi, Decimal) or not komi.is_finite():
        return
    behind, other = fraction(margin), fraction(komi)
    if (2 * behind) % 1 == 0 and (2 * other) % 1 == 0 and (behind - other) % 1:
        message = f"a score of {shorten(str(margin))} cannot be with a komi of {shorten(str(komi))}"
        yield DOUBTFUL_RESULT.found(
            message,
            help="correct the score or komi",
            property_index=places["RE"],
            value_index=0,
        )
