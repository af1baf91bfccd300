"""What known programs write in their own way: findings that are a writer's habit.

A habit is told by its own rule, as an info, in place of the finding that anybody else would
get.  Who wrote a record is seen by AP, by other properties that name a program or server,
or by a property that nobody else has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from .diagnostics import Finding
from .model import GameTree
from .node import Nodes
from .property import Content
from .reading import shorten
from .tree_rules import finding

#: Rules about properties that the table does not have.
PRIVATE = ("unknown-property", "long-identifier", "other-format")


class Habit(NamedTuple):
    """Something that a program writes in its own way.

    Attributes:
        rules: Names of the rules whose findings it explains.
        idents: Of the properties concerned.
        text: What it is; ``{ident}`` is the property.
        alone: The property by itself shows who wrote it.
        values: What the property says then; empty for anything.
        words: A regular expression; something in the message of the finding is so.
    """

    rules: tuple[str, ...]
    idents: tuple[str, ...]
    text: str
    alone: bool = False
    values: frozenset[str] = frozenset()
    words: str = ""

    def explains(self, found: Finding, nodes: Nodes) -> bool:
        """It is behind a finding of one of its rules about one of its properties."""
        if re.search(self.words, found.message) is None:
            return False
        if not self.values or found.node_path is None:
            return not self.values
        content = nodes.contents[int(found.node_path)]
        return any(one.ident == found.property and {*one.raw} <= self.values for one in content)


class Writer(NamedTuple):
    """A program or server, and its habits.

    Attributes:
        rule: The name of the rule that tells its habits.
        signs: Properties of the first node, and what their values hold in lower case.
        habits: What it writes in its own way.
    """

    rule: str
    signs: tuple[tuple[str, str], ...]
    habits: tuple[Habit, ...]

    def wrote(self, root: Content) -> bool:
        """The first node of a game shows it."""
        return any(
            one.ident == ident and any(word in raw.lower() for raw in one.raw)
            for one in root
            for ident, word in self.signs
        )


FOX = Writer(
    "fox-habit",
    (("AP", "foxwq"),),
    (
        Habit(("duplicate-property",), ("AP",), "Fox writes AP twice: the second names Fox"),
        Habit(
            PRIVATE,
            ("TT", "RL", "RN", "TC"),
            "{ident} is Fox's own, about time and rules; it is kept as it is",
        ),
        Habit(("doubtful-result",), ("RE",), "Fox writes komi in hundredths of a point"),
    ),
)

KGS = Writer(
    "kgs-habit",
    (("PC", "kgs"), ("PC", "gokgs")),
    (
        Habit(
            PRIVATE,
            ("KGSDE", "KGSSB", "KGSSW"),
            "{ident} is KGS's own, about dead stones and the score; it is kept as it is",
            alone=True,
        ),
    ),
)

OGS = Writer(
    "ogs-habit",
    (("PC", "ogs"), ("PC", "online-go"), ("CP", "online-go")),
    (Habit(("unusual-form",), ("RU",), "OGS writes the names of rules in small letters"),),
)

GNUBG = Writer(
    "gnubg-habit",
    (("AP", "gnu backgammon"),),
    (
        Habit(
            ("second-game-info", "empty-text"),
            ("CP",),
            "GNU Backgammon writes the owner of the cube as CP, its name before 2001; now it is CO",
            values=frozenset("bwcn"),
        ),
        Habit(
            PRIVATE,
            ("A", "DA", "MR", "LU", "GS", "BC", "DC"),
            "{ident} is GNU Backgammon's own, about its analysis; it is kept as it is",
        ),
        Habit(
            ("empty-value", "mixed-empty-value"), ("CR",), "GNU Backgammon has its own use of CR[]"
        ),
    ),
)

EDAX = Writer(
    "edax-habit",
    (("AP", "edax"), ("PC", "edax")),
    (
        Habit(
            ("setup-with-move", "move-in-root"),
            ("B", "W"),
            "Edax writes ';' behind each move, so that the first one stands with the setup",
        ),
        Habit(
            ("score-mismatch",),
            ("RE",),
            "Edax gives the score with the wrong sign where squares stay empty",
            words="other sign",
        ),
    ),
)

MULTIGO = Writer(
    "multigo-habit",
    (("AP", "multigo"),),
    (
        Habit(
            PRIVATE,
            ("MULTIGOGM", "MULTIGOBM"),
            "{ident} is MultiGo's own; it is kept as it is",
            alone=True,
        ),
        Habit(("unusual-form",), ("DT",), "MultiGo writes dates with '/'"),
    ),
)

GOPROBLEMS = Writer(
    "goproblems-habit",
    (("AP", "goproblems"), ("AP", "gobandroid")),
    (
        Habit(
            ("duplicate-property",),
            ("AB", "AW", "AE", "MA", "TR", "SQ", "CR", "LB"),
            "goproblems and gobandroid write {ident} once for each point; all of them are read",
        ),
    ),
)

ANALYSIS = Writer(
    "analysis-habit",
    (),
    (
        Habit(
            PRIVATE,
            ("SBKV",),
            "{ident} is Sabaki's own, a rate of winning; it is kept as it is",
            alone=True,
        ),
        Habit(
            PRIVATE,
            ("LZ", "LZOP"),
            "{ident} is Lizzie's own, about its analysis; it is kept as it is",
            alone=True,
        ),
        Habit(
            PRIVATE,
            ("KT",),
            "{ident} is KaTrain's own, about its analysis; it is kept as it is",
            alone=True,
        ),
    ),
)

MANY_FACES = Writer(
    "many-faces-habit",
    (("AP", "many faces of go"),),
    (
        Habit(
            ("application-without-version",),
            ("AP",),
            "Many Faces of Go writes its version behind its name, without ':'",
        ),
    ),
)

JAGO = Writer(
    "jago-habit",
    (("AP", "jago"),),
    (
        Habit(("other-format",), ("AP",), "Jago writes AP in records of FF[1]"),
        Habit(("unusual-form",), ("DT",), "Jago writes dates with '.'"),
    ),
)

MAXIGOS = Writer(
    "maxigos-habit",
    (("AP", "maxigos"),),
    (
        Habit(
            ("wrong-value",), ("FG",), "maxiGos writes flags into FG without the name of the figure"
        ),
    ),
)

CGOBAN = Writer(
    "cgoban-habit",
    (("AP", "cgoban"),),
    (
        Habit(
            ("other-format",),
            ("AP", "CA", "ST"),
            "CGoban writes {ident} of FF[4] into records of FF[3]",
        ),
    ),
)

KATRAIN = Writer(
    "katrain-habit",
    (("AP", "katrain"),),
    (
        Habit(
            ("unescaped-colon",),
            ("AP",),
            "KaTrain writes its address into AP, without '\\' before the ':'",
        ),
        Habit(
            ("wrong-form",),
            ("DT",),
            "KaTrain writes the time of day behind the date",
            words=r"'[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2} [0-9]{2} [0-9]{2}'",
        ),
        Habit(
            PRIVATE, ("KTV",), "{ident} is KaTrain's own, about its analysis; it is kept as it is"
        ),
    ),
)

#: All of them; the first that explains a finding does.
WRITERS = (
    FOX,
    KGS,
    OGS,
    GNUBG,
    EDAX,
    MULTIGO,
    GOPROBLEMS,
    ANALYSIS,
    MANY_FACES,
    JAGO,
    MAXIGOS,
    CGOBAN,
    KATRAIN,
)

#: For each rule and property the habits that may be behind a finding, and whose they are.
HABITS: dict[tuple[str, str], list[tuple[Writer, Habit]]] = {}
for _writer in WRITERS:
    for _habit in _writer.habits:
        for _rule in _habit.rules:
            for _ident in _habit.idents:
                HABITS.setdefault((_rule, _ident), []).append((_writer, _habit))


def explained(game: GameTree, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of a game; those that are a known writer's habit say so instead.

    Args:
        game: It knows its text.
        found: Findings whose path is still the number of their node.
    """
    root = game.nodes.contents[0]
    wrote: dict[str, bool] = {}
    for one in found:
        for writer, habit in HABITS.get((one.name, one.property or ""), ()):
            if writer.rule not in wrote:
                wrote[writer.rule] = writer.wrote(root)
            if (habit.alone or wrote[writer.rule]) and habit.explains(one, game.nodes):
                message = habit.text.format(ident=one.property)
                yield one._replace(name=writer.rule, message=message, help="", severity=None)
                break
        else:
            yield one


def fox_komi(nodes: Nodes) -> Iterator[Finding]:
    """Fox writes komi in hundredths; counted in stones, as in China, it is half of the points."""
    root = nodes.contents[0]
    if not FOX.wrote(root):
        return
    for place, one in enumerate(root):
        komi: object = one.value if one.ident == "KM" else None
        if (
            not isinstance(komi, Decimal)
            or -HUNDRED < komi < HUNDRED
            or not -MILLION < komi < MILLION
        ):
            continue
        points = komi / HUNDRED
        meant = f"{points.normalize():f}"
        if (points * 2) % 1:
            meant += f" stones, {(points * 2).normalize():f} points"
        message = f"KM[{shorten(one.raw[0])}] is komi in hundredths, as Fox writes it: {meant}"
        help_ = "divide it by 100 before you use it"
        yield finding(nodes, 0, place, FOX.rule, message, help_, index=0)


HUNDRED = 100

#: Of so many hundredths nobody thinks; a number of a million digits cannot be divided.
MILLION = 10**6
