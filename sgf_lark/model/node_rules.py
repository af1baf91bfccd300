"""Rules about the properties of one node: which exclude each other, which need another.

Each check is a small function of the content of a node; it does not know the node, which
:func:`sgf_lark.check.findings.place_finding` adds.  A row of :data:`NODE_CHECKS` ties it to
the names of its rules, and says what a node must have so that it may find something: the
typed reader is derived from these rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain
from typing import NamedTuple, TypeAlias

from sgf_lark.diagnostics.diagnostic import shorten
from sgf_lark.diagnostics.finding import Finding, Rule, Severity
from sgf_lark.diagnostics.rules import register
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GameNumber
from sgf_lark.schema.properties import COLORS, Category, Count, Group, PropertyTable
from sgf_lark.schema.values import Invalid

from .constraints import Area, are_different, choose_severity, fraction, get_point
from .property import Content, Property, category
from .ruleset import RuleSet

#: What is wrong with a node of a game that is read by such rules.
NodeRule: TypeAlias = Callable[[Content, RuleSet], Iterator[Finding]]


def _places(content: Content, idents: frozenset[str]) -> list[int]:
    """Return the places of the first property of each of some identifiers."""
    seen: dict[str, int] = {}
    for place, prop in enumerate(content):
        if prop.ident in idents and prop.rule is not None:
            seen.setdefault(prop.ident, place)
    return list(seen.values())


# ---- what must not stand together ----


DUPLICATE_PROPERTY = register("T207 duplicate-property error: the same property twice in a node")


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
    """Return the finding about a property that occurs twice."""
    return DUPLICATE_PROPERTY.found(message, help=help_, severity=severity)


def _help_for_duplicate(prop: Property) -> str:
    """Return the help for a property that occurs twice in a node."""
    if prop.ident in COLORS:
        return "put ';' before the second, or keep the one that is meant"
    if prop.rule is None or prop.rule.count is not Count.ONE:
        return f"merge them into one {prop.ident}"
    if prop.rule.type == "text":
        return f"join the texts into one {prop.ident}"
    return "keep the one that is meant"


TWO_MOVES = register("T210 two-moves error: moves of both colors in one node")


def _two_moves(content: Content, rules: RuleSet) -> Iterator[Finding]:
    """A node has a move of one color."""
    places = _places(content, frozenset(COLORS))
    if len(places) > 1:
        severity = None if rules.format is Format.FF4 else Severity.WARNING
        message = "moves of both colors in one node"
        help_ = "put ';' before the second: each move has its own node"
        yield TWO_MOVES.found(message, help=help_, severity=severity, property_index=places[1])


SETUP_WITH_MOVE = register("T206 setup-with-move error: setup and move properties in one node")


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
    """Lists of points of which a point may be in one.

    Attributes:
        group: The lists.
        rule: The rule.
        help: What to do.
        old: How grave it is before FF[4], which was the first to forbid it.
    """

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
                message = f"{shorten(prop.raw[index])} is in {other} and in {prop.ident}{more}"
                severity = choose_severity(rules.format, rivals.old)
                yield rivals.rule.found(
                    message,
                    help=rivals.help,
                    severity=severity,
                    property_index=place,
                    value_index=index,
                )
            area = areas.setdefault(prop.ident, Area())
            for value in values:
                area.add(value)


#: The bar and the tray of backgammon, where checkers of both sides may be.
SHARED = frozenset({"y", "z"})


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


# ---- which check looks at what ----


class Needs(NamedTuple):
    """The least that a node must have so that a check may find something: all that is given.

    Attributes:
        idents: Identifiers, or a group; the node has at least ``several`` different ones of them.
        several: Their number.
        alike: Two values of these properties are alike up to a colon, or one is a rectangle.
        without: Identifiers of which it has none.
        repeated: It has any identifier twice.
        categories: Categories of which it has a property each.
        beside: It has an identifier that is none of these.
    """

    idents: frozenset[str] | Group = frozenset()
    several: int = 1
    alike: bool = False
    without: frozenset[str] = frozenset()
    repeated: bool = False
    categories: frozenset[Category] = frozenset()
    beside: frozenset[str] = frozenset()

    def wanted(self, table: PropertyTable) -> frozenset[str]:
        """Return the identifiers."""
        return table.group(self.idents) if isinstance(self.idents, Group) else self.idents

    def hold(
        self, idents: set[str], categories: set[Category], table: PropertyTable, *, repeated: bool
    ) -> bool:
        """Return whether a node with these different properties has what is needed.

        Their values, which ``alike`` is about, are not known yet.
        """
        if (self.repeated and not repeated) or (self.idents and len(idents) < self.several):
            return False
        return (
            (not self.idents or len(self.wanted(table) & idents) >= self.several)
            and not self.without & idents
            and self.categories <= categories
            and (not self.beside or not idents <= self.beside)
        )


class NodeCheck(NamedTuple):
    """A check of the properties of one node.

    Attributes:
        rules: Names of the rules whose findings it makes.
        look: The check.
        needs: What a node must have, any of them.  By default the check sees every node.
    """

    rules: tuple[str, ...]
    look: NodeRule
    needs: tuple[Needs, ...] | None = None


#: Checks of every node of SGF, in their order.
NODE_CHECKS: tuple[NodeCheck, ...] = (
    NodeCheck(("duplicate-property",), _duplicates, (Needs(repeated=True),)),
    NodeCheck(("two-moves",), _two_moves, (Needs(frozenset(COLORS), 2),)),
    NodeCheck(
        ("setup-with-move",),
        _setup_with_move,
        (Needs(categories=frozenset({Category.SETUP, Category.MOVE})),),
    ),
    NodeCheck(
        ("contradicting-annotations",),
        _contradictions,
        tuple(Needs(group, 2) for group in ANNOTATIONS),
    ),
    NodeCheck(
        ("annotation-without-move",),
        _annotation_without_move,
        (Needs(Group.NEEDS_MOVE, without=frozenset(COLORS)),),
    ),
    NodeCheck(
        ("setup-conflict", "markup-conflict", "territory-conflict"),
        _rivals,
        tuple(Needs(rivals.group, 2, alike=True) for rivals in RIVALS),
    ),
    NodeCheck(("setup-conflict",), _both_sides, (Needs(Group.ADDS, 2, alike=True),)),
)

#: Checks of taste, for those who check and not for those who load; of GGF, too.
NODE_LINTS: tuple[NodeCheck, ...] = (
    NodeCheck(("doubtful-result",), _score_and_komi, (Needs(COMPARED, 2),)),
)


def find_needs(
    idents: Sequence[str], categories: set[Category], table: PropertyTable, *, lints: bool
) -> list[Needs] | None:
    """Return what a node with such properties has of what the checks of this module need.

    Args:
        idents: Of all properties of the node.
        categories: Of those that the table knows.
        table: The properties to know.
        lints: Checks of taste count, too.

    Returns:
        Nothing if no check may find something; None if a check sees every node.
    """
    checks = NODE_CHECKS + NODE_LINTS if lints else NODE_CHECKS
    if any(check.needs is None for check in checks):
        return None
    needs = [need for check in checks for need in check.needs or ()]
    return are_needed(needs, idents, categories, table)


def may_fire(
    idents: Sequence[str], categories: set[Category], table: PropertyTable, *, lints: bool
) -> bool:
    """Return whether a check of this module may find something; arguments as in find_needs."""
    return find_needs(idents, categories, table, lints=lints) != []


def are_needed(
    needs: Iterable[Needs], idents: Sequence[str], categories: set[Category], table: PropertyTable
) -> list[Needs]:
    """Return those of some needs that a node with such properties has."""
    different = set(idents)
    repeated = len(different) < len(idents)
    return [need for need in needs if need.hold(different, categories, table, repeated=repeated)]
