"""Habits of known programs: findings about what a program writes in its own way.

The programs and their habits are data, ``findings/catalogue/producers.toml``, which is read
when the first finding is looked up.  A habit explains: an error stays an error, and its help
says whose habit it is, unless the habit pardons it.  Any other finding is reported by the
program's own rule, as an info, in place of what anybody else would get.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from sgf_lark.core.findings.diagnostic import Edit, Fix, make_fix, shorten, substitution
from sgf_lark.core.findings.finding import ONCE, Finding, Severity, register
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.constraints import HUNDRED, HUNDREDTHS
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.property import category
from sgf_lark.core.model.readings import Content, Reading
from sgf_lark.core.schema.games import GO
from sgf_lark.core.schema.properties import SETUP, Category
from sgf_lark.core.schema.values import Point

#: Rules about programs and servers, by their names.
OF_PRODUCERS = {
    rule.name: rule
    for rule in (
        register("D510 fox-habit info: nonstandard output of the Fox server"),
        register("D511 kgs-habit info: nonstandard output of the server KGS"),
        register("D512 ogs-habit info: nonstandard output of the server OGS"),
        register("D513 gnubg-habit info: nonstandard output of GNU Backgammon"),
        register("D514 edax-habit info: nonstandard output of Edax"),
        register("D515 multigo-habit info: nonstandard output of MultiGo"),
        register("D516 goproblems-habit info: nonstandard output of goproblems"),
        register("D517 analysis-habit info: data of an analysis in a record"),
        register("D518 many-faces-habit info: nonstandard output of Many Faces"),
        register("D519 jago-habit info: nonstandard output of Jago"),
        register("D521 cgoban-habit info: nonstandard output of CGoban"),
        register("D522 katrain-habit info: nonstandard output of KaTrain"),
        register("D523 gnugo-habit info: nonstandard output of GNU Go"),
        register("D524 cgos-habit info: nonstandard output of the server CGOS"),
        register("D525 oro-habit info: nonstandard output of Cyber Oro and the Nihon Ki-in"),
        register("D526 gogod-habit info: nonstandard output of the GoGoD collection"),
        register("D527 little-golem-habit info: nonstandard output of Little Golem"),
        register("D528 igs-habit info: nonstandard output of the servers IGS and NNGS"),
        register("D529 yike-habit info: nonstandard output of the server Yike"),
        register("D530 smartgo-habit info: nonstandard output of SmartGo"),
    )
}


#: Rules about properties that the table does not have.
PRIVATE = ("unknown-property", "long-identifier", "other-format", "identifier-form")


class Habit(NamedTuple):
    """Something that a program writes in its own way.

    Attributes:
        properties: Identifiers of the properties concerned.
        text: What the program does; ``{property}`` is the property, ``{format}`` that of the game.
        rules: Names of the rules whose findings it explains.
        facts: Regular expressions for facts of these findings.
        alone: The property by itself shows who wrote it.
        once: It is reported once in a file, unless it is an error.
        severity: Of the finding by the program's own rule.
        pardons: Even an error is reported by that rule.
        kind: The kind of its private properties, as :func:`sgf_lark.drop` has it; "" for no other.
    """

    properties: Sequence[str]
    text: str
    rules: Sequence[str] = PRIVATE
    facts: Mapping[str, str] = MappingProxyType({})
    alone: bool = False
    once: bool = False
    severity: Severity | None = None
    pardons: bool = False
    kind: str = ""

    def explains(self, finding: Finding) -> bool:
        return all(
            re.fullmatch(pattern, str(finding.facts.get(name, ""))) is not None
            for name, pattern in self.facts.items()
        )


class Producer(NamedTuple):
    """A program or server, and its habits.

    Attributes:
        habits: What it writes in its own way.
        rule: The name of the rule that reports its habits; None if they only explain findings.
        signs: Properties of the first node, and words of their values; no words for any value.
        comments: What it writes into comments: regular expressions by kind.
    """

    habits: Sequence[Habit]
    rule: str | None = None
    signs: Mapping[str, Sequence[str]] = MappingProxyType({})
    comments: Mapping[str, str] = MappingProxyType({})

    def wrote(self, root: Content) -> bool:
        """Return whether the first node of a game shows it: by a word, or by a property whose name
        alone is a sign, or several where AP names another known program.
        """
        if self.is_named(root):
            return True
        if not any(self.signs.get(prop.ident) == [] for prop in root):
            return False
        private = (habit for habit in self.habits if habit.rules == PRIVATE)
        own = {ident for habit in private for ident in habit.properties}
        return sum(prop.ident in own for prop in root) >= _SEVERAL or not any(
            other.is_named(root, "AP") for other in known_producers().by_name.values()
        )

    def is_named(self, root: Content, ident: str | None = None) -> bool:
        return any(
            has_word(raw, word)
            for prop in root
            if prop.ident in self.signs and ident in {None, prop.ident}
            for raw in prop.raw
            for word in self.signs[prop.ident]
        )


#: At least this many properties of a program show it in a record that names another one.
_SEVERAL = 3


def has_word(text: str, word: str) -> bool:
    """Return whether a text has a word in any case, and not only as a part of another."""
    if word.lower() not in text.lower():
        return False
    # No Latin character is next to its characters, and no digit after its digits.
    before = "(?<![a-z])" if word[:1].isascii() else ""
    after = "(?![0-9])" if word[-1:].isdigit() else "(?![a-z])" if word[-1:].isalpha() else ""
    pattern = f"{before}{re.escape(word)}{after}"
    return re.search(pattern, text, re.ASCII | re.IGNORECASE) is not None


class Producers(NamedTuple):
    """Known programs, in the order in which they are asked, and the habits by rule and property."""

    by_name: dict[str, Producer]
    habits: dict[tuple[str, str], list[tuple[str, Habit]]]


@cache
def known_producers() -> Producers:
    """Return the programs of ``producers.toml``, whose tables a test checks."""
    import tomllib

    file = Path(__file__).parents[1] / "findings" / "catalogue" / "producers.toml"
    by_name: dict[str, Producer] = {}
    habits: dict[tuple[str, str], list[tuple[str, Habit]]] = {}
    for name, table in tomllib.loads(file.read_text(encoding="utf-8")).items():
        own = [
            Habit(**one | {"severity": Severity(one["severity"]) if "severity" in one else None})
            for one in table.get("habits", ())
        ]
        signs, comments = table.get("signs", {}), table.get("comments", {})
        by_name[name] = Producer(own, table.get("rule"), signs, comments)
        for habit in own:
            for pair in product(habit.rules, habit.properties):
                habits.setdefault(pair, []).append((name, habit))
    return Producers(by_name, habits)


def explained(game: GameTree, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of a game; those that are a known program's habit say so."""
    root = game.nodes.contents[0]
    wrote: dict[str, bool] = {}
    for finding in findings:
        if finding.property is None:
            yield finding
            continue
        known = known_producers()
        for name, habit in known.habits.get((finding.name, finding.property), ()):
            producer = known.by_name[name]
            if name not in wrote:
                wrote[name] = producer.wrote(root)
            if (habit.alone or wrote[name]) and habit.explains(finding):
                text = habit.text.format(property=finding.property, format=game.format.shown)
                is_error = finding.severity is Severity.ERROR and not habit.pardons
                if is_error or producer.rule is None:
                    yield finding._replace(note=text)
                else:
                    help_ = finding.help if finding.replacement is not None else ""  # of its fix
                    own = finding.as_one_of(OF_PRODUCERS[producer.rule], habit.severity)
                    if habit.once:
                        own = own._replace(facts={ONCE: producer.habits.index(habit)})
                    yield own._replace(message=text, help=help_)
                break
        else:
            yield finding


def points_of_fox(root: Content, komi: Reading) -> Decimal | None:
    """Return a komi in points that Fox has written in hundredths, of points or of stones."""
    value: object = komi.value
    if (
        not isinstance(value, Decimal)
        or -HUNDRED < value < HUNDRED
        or not -MILLION < value < MILLION
        or not known_producers().by_name["fox"].wrote(root)
    ):
        return None
    if (meant := HUNDREDTHS.get(komi.raw[0])) is not None:
        return Decimal(meant)
    points = value / HUNDRED
    return points * 2 if (points * 2) % 1 else points  # of a stone, if they are no half points


def fox_komi(nodes: Nodes) -> Iterator[Finding]:
    """Fox writes komi in hundredths."""
    root = nodes.contents[0]
    for place, prop in enumerate(root):
        points = points_of_fox(root, prop) if prop.ident == "KM" else None
        if points is None:
            continue
        raw = shorten(prop.raw[0])
        meant = f"{points.normalize():f} points"
        message = f"KM[{raw}] is komi as Fox writes it, in hundredths: {meant}"
        yield OF_PRODUCERS["fox-habit"].in_root(message, "write komi in points", place)


#: At most this many values of a list are in a message.
MOST_SHOWN = 8


def in_turns(nodes: Nodes, node: int) -> list[int]:
    """Return the places of the stones that a node sets up one by one, as if they were played."""
    content = nodes.contents[node]
    places = [at for at, prop in enumerate(content) if prop.ident in SETUP]
    if len(places) < FEWEST_TURNS or nodes.rules.game is not GO:
        return []
    idents = [content[at].ident for at in places]
    if (
        "AE" in idents
        or any(first == second for first, second in pairwise(idents))
        or not all(len(content[at].raw) == 1 for at in places)
        or not all(isinstance(content[at].values[0], Point) for at in places)
        or any(category(prop) is Category.MOVE or prop.ident == "PL" for prop in content)
        or not nodes.move_number(node)
    ):
        return []
    return places


#: Two stones, one of each color, are setup.
FEWEST_TURNS = 3


def turns(nodes: Nodes, node: int) -> Fix | None:
    """The fix for stones that are set up as if they were played; None where they are not."""
    places = in_turns(nodes, node)
    edits: list[Edit] = []
    moves = ""
    for at in places:
        prop = nodes.contents[node][at]
        move = ("" if at == places[0] else ";") + prop.ident[1]
        edits.append(substitution(nodes.places.name(node, at, len(prop.name)), move))
        if at in places[:MOST_SHOWN]:
            moves += f";{prop.ident[1]}[{shorten(prop.raw[0])}]"
    moves += "..." if places[MOST_SHOWN:] else ""
    return make_fix(f"write {moves}, a move in each node", *edits, safe=False) if edits else None


def stones_in_turns(nodes: Nodes, findings: Iterable[Finding]) -> Iterator[Finding]:
    """OGS writes the moves of an analysis as setup: AB and AW by turns, all in one node."""
    reported: set[int] = set()
    for finding in findings:
        node = finding.node or 0
        if finding.name != "duplicate-property" or node in reported:
            continue
        reported.add(node)
        fix = turns(nodes, node)
        if fix is not None:
            message = "AB and AW by turns after a move: OGS writes the moves of an analysis so"
            place = in_turns(nodes, node)[0]
            yield OF_PRODUCERS["ogs-habit"].found(
                message, help=fix.message, node=node, property_index=place, fix=fix
            )


#: Ignore a komi above this: it is no score, and dividing a huge Decimal is slow.
MILLION = 10**6
