"""What known programs write in their own way: findings that are a writer's habit.

A habit explains, and pardons nothing: an error stays an error, and its help says whose habit
it is.  Any other finding is told by the habit's own rule, as an info, in place of what anybody
else would get.  Who wrote a record is seen by AP, by other properties that name a program or
server, or by a property that nobody else has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from sgf_lark.diagnostics.diagnostic import Finding, severity_of, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.constraints import HUNDREDTHS
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import Content

from .findings import in_turns, turns

#: Rules about properties that the table does not have.
PRIVATE = ("unknown-property", "long-identifier", "other-format", "identifier-form")


class Habit(NamedTuple):
    """Something that a program writes in its own way.

    Attributes:
        rules: Names of the rules whose findings it explains.
        idents: Of the properties concerned.
        text: What it is; ``{ident}`` is the property.
        alone: The property by itself shows who wrote it.
        values: What the property says then; empty for anything.
        words: A regular expression; something in the message of the finding is so.
        once: It is told once in a game, where it shows first, unless it is an error.
        severity: How much it matters; None for an info.
    """

    rules: tuple[str, ...]
    idents: tuple[str, ...]
    text: str
    alone: bool = False
    values: frozenset[str] = frozenset()
    words: str = ""
    once: bool = False
    severity: Severity | None = None

    def explains(self, found: Finding, nodes: Nodes) -> bool:
        """It is behind a finding of one of its rules about one of its properties."""
        if re.search(self.words, found.message) is None:
            return False
        if not self.values or found.node is None:
            return not self.values
        content = nodes.contents[found.node]
        return any(one.ident == found.property and {*one.raw} <= self.values for one in content)


class Writer(NamedTuple):
    """A program or server, and its habits.

    Attributes:
        rule: The name of the rule that tells its habits; empty if they only explain findings.
        signs: Properties of the first node, and words of their values in lower case; empty
            for any value.
        habits: What it writes in its own way.
    """

    rule: str
    signs: tuple[tuple[str, str], ...]
    habits: tuple[Habit, ...]

    def wrote(self, root: Content) -> bool:
        """The first node of a game shows it."""
        return any(
            one.ident == ident and any(has_word(raw, word) for raw in one.raw)
            for one in root
            for ident, word in self.signs
        )


def has_word(text: str, word: str) -> bool:
    """A text has some words in any case, and not only as a part of other words."""
    return _word(word).search(text) is not None


@cache
def _word(word: str) -> re.Pattern[str]:
    """No Latin letter stands beside its letters, and no digit behind its digits."""
    before = "(?<![a-z])" if word[:1].isascii() else ""
    after = "(?![0-9])" if word[-1:].isdigit() else "(?![a-z])" if word[-1:].isalpha() else ""
    return re.compile(f"{before}{re.escape(word)}{after}", re.ASCII | re.IGNORECASE)


FOX = Writer(
    "fox-habit",
    (("AP", "foxwq"), ("TT", "")),
    (
        Habit(("duplicate-property",), ("AP",), "Fox writes AP twice: the second names Fox"),
        Habit(
            PRIVATE,
            ("TT", "RL", "RN", "TC"),
            "{ident} is Fox's own, about time and rules; it is kept as it is",
        ),
        Habit(("doubtful-result",), ("RE",), "Fox writes komi in hundredths of a point"),
        Habit(
            ("out-of-range",),
            ("SZ",),
            "Fox has written SZ[0] for the usual board of 19 by 19",
            values=frozenset("0"),
        ),
        Habit(
            ("handicap-as-moves",),
            ("B",),
            "Fox writes handicap stones as moves of Black, which other programs play as moves",
            severity=Severity.WARNING,
        ),
    ),
)

KGS = Writer(
    "kgs-habit",
    (("PC", "kgs"), ("PC", "gokgs"), ("AP", "cgoban:2"), ("AP", "cgoban:3")),
    (
        Habit(
            ("setup-with-move",),
            ("PL", "B", "W", "BL", "WL"),
            "KGS writes PL beside a move, to say who plays next",
            words=r"setup \(PL\)",
        ),
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
        Habit(
            ("unusual-form", "wrong-form"),
            ("DT",),
            "MultiGo writes dates with '/', or with the time of day",
            words=r"[0-9](/| .*:)",
        ),
        Habit(
            ("wrong-value", "unusual-form", "wrong-form"),
            ("RE", "TM"),
            "MultiGo takes any words for {ident}",
        ),
    ),
)

GOPROBLEMS = Writer(
    "goproblems-habit",
    (("AP", "goproblems"), ("AP", "gobandroid"), ("AP", "hibiscus"), ("DP", "")),
    (
        Habit(
            PRIVATE,
            ("DI", "DP", "CO"),
            "{ident} is goproblems' own, about the problem; it is kept as it is",
        ),
        Habit(
            ("duplicate-property",),
            ("AB", "AW", "AE", "MA", "TR", "SQ", "CR", "LB"),
            "goproblems, Hibiscus and gobandroid write {ident} once for each point;"
            " all of them are read",
        ),
    ),
)

ANALYSIS = Writer(
    "analysis-habit",
    (("AP", "lizzie"),),
    (
        Habit(
            PRIVATE,
            ("SBKV", "SBKS"),
            "{ident} is Sabaki's own, about its analysis; it is kept as it is",
            alone=True,
        ),
        Habit(PRIVATE, ("DZ",), "{ident} is Lizzie's own, about its engines; it is kept as it is"),
        Habit(
            PRIVATE,
            ("LZ", "LZ2", "LZOP", "LZOP2"),
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
    "",
    (("AP", "maxigos"),),
    (
        Habit(
            ("wrong-value",), ("FG",), "maxiGos writes flags into FG without the name of the figure"
        ),
    ),
)

CGOBAN = Writer(
    "cgoban-habit",
    (("AP", "cgoban"), ("SY", "cgoban")),
    (
        Habit(PRIVATE, ("SY",), "CGoban 1 writes its name and version as SY; now it is AP"),
        Habit(
            ("wrong-value",),
            ("TM",),
            "CGoban 1 writes times with ':', overtime behind them, and '-' for no limit",
            words=r"'(-|[0-9:]+(\([0-9x:/]+\))?)'",
        ),
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

GNU_GO = Writer(
    "gnugo-habit",
    (("AP", "gnu go"), ("GN", "gnu go"), ("PB", "gnu go"), ("PW", "gnu go")),
    (
        Habit(
            ("duplicate-property",),
            ("AB", "AW"),
            "old versions of GNU Go write {ident} once for each stone; all of them are read",
        ),
        Habit(
            PRIVATE,
            ("IL",),
            "{ident} is GNU Go's own, points where no stone may be played; it is kept as it is",
        ),
    ),
)

CGOS = Writer(
    "cgos-habit",
    (("PC", "cgos"), ("PC", "computer go server")),
    (
        Habit(
            ("wrong-form",),
            ("RE",),
            "CGOS writes 'Illegal' where the loser played an illegal move",
            words=r"'[BW]\+Illegal'",
        ),
        Habit(("unusual-form",), ("BR", "WR"), "CGOS writes ratings for ranks", words=r"'[0-9.]+"),
    ),
)

ORO = Writer(
    "oro-habit",
    (("RD", ""), ("LC", "")),
    (
        Habit(
            PRIVATE,
            ("RD", "LT", "LC", "HD", "GK"),
            "{ident} is a property of Cyber Oro and the Nihon Ki-in; it is kept as it is",
        ),
        Habit(
            ("wrong-value",),
            ("TE",),
            "Cyber Oro and the Nihon Ki-in write the event as TE, which is EV",
        ),
        Habit(
            ("wrong-value", "other-format"),
            ("KO",),
            "Cyber Oro and the Nihon Ki-in write komi as KO, which is KM",
        ),
        Habit(
            ("wrong-value", "unusual-form"),
            ("TM",),
            "Cyber Oro and the Nihon Ki-in write times in words",
        ),
        Habit(
            ("wrong-form", "unusual-form"),
            ("RE",),
            "Cyber Oro and the Nihon Ki-in write results in words",
        ),
    ),
)

GOGOD = Writer(
    "gogod-habit",
    (("US", "gogod"), ("SO", "gogod")),
    (
        Habit(
            PRIVATE,
            ("OH",),
            "{ident} is GoGoD's own, the handicap of a series of games; it is kept as it is",
        ),
        Habit(
            ("wrong-form", "unusual-form"),
            ("DT",),
            "GoGoD writes the days from one to another with '~'",
            words="~",
        ),
    ),
)

LITTLE_GOLEM = Writer(
    "little-golem-habit",
    (("SO", "littlegolem"), ("EV", "hex."), ("EV", "twixt."), ("EV", "havannah.")),
    (
        Habit(
            ("lowercase-identifier",),
            ("B", "R", "W"),
            "Little Golem writes the moves of Twixt in small letters, those of Red as r",
            once=True,
        ),
        Habit(PRIVATE, ("R",), "{ident} is a move of Red, as Little Golem writes it"),
        Habit(
            ("wrong-value",),
            ("B", "W"),
            "Little Golem writes words, such as swap and resign, for moves",
            words=r"'(swap|resign|[a-z]*\|?draw)'",
        ),
        Habit(
            ("wrong-form",),
            ("RE",),
            "Little Golem writes the winner without '+'",
            words="'[BW]'",
        ),
        Habit(
            ("duplicate-property",),
            ("AB",),
            "Little Golem writes {ident} once for each stone; all of them are read",
        ),
        Habit(
            ("go-style-point",),
            ("B", "W", "AB", "AW"),
            "Little Golem writes the points of all games in the letters of Go",
            once=True,
        ),
    ),
)

IGS = Writer(
    "igs-habit",
    (
        ("PC", "igs"),
        ("PC", "pandanet"),
        ("PC", "nngs"),
        ("US", "pandanet"),
        ("US", "no name go server"),
        ("AP", "gopanda"),
    ),
    (
        Habit(
            PRIVATE,
            ("NB", "NW"),
            "{ident} is the rating of a player at IGS or NNGS; it is kept as it is",
        ),
        Habit(PRIVATE, ("RR",), "{ident} is IGS's own, the kind of game; it is kept as it is"),
        Habit(
            ("doubtful-number",),
            ("OB", "OW"),
            "IGS and NNGS write -1 where no stones are counted",
            values=frozenset({"-1"}),
            once=True,
        ),
        Habit(
            ("application-without-version",),
            ("AP",),
            "GoPanda writes its version behind its name, without ':'",
            words="AP",
        ),
        Habit(
            ("unusual-form",),
            ("BR", "WR"),
            "IGS writes '+' behind a rank that nears the next one",
            words=r"[0-9][kdp]\+'",
        ),
        Habit(
            ("unusual-form",),
            ("DT",),
            "NNGS writes dates with '/' and the time of day",
            words=r"'[0-9]{4}/[0-9]{2}/[0-9]{2} ",
        ),
        Habit(("unusual-form",), ("RE",), "NNGS writes results in words", words="resigns|W .* B "),
    ),
)

SABAKI = Writer(
    "",
    (("AP", "sabaki"),),
    (
        Habit(
            ("setup-with-move",),
            ("PL", "B", "W", "BL", "WL"),
            "Sabaki writes PL beside a move, to say who plays next",
            words=r"setup \(PL\)",
        ),
    ),
)

YIKE = Writer(
    "yike-habit",
    (("SO", "弈客"), ("PC", "弈客"), ("SO", "yike")),
    (
        Habit(
            ("wrong-form",),
            ("RE",),
            "Yike writes results in Chinese words",
            words="'[^ -~]+",
        ),
        Habit(("unusual-form",), ("BR", "WR"), "Yike writes ratings for ranks"),
        Habit(
            ("duplicate-property",),
            ("BL", "WL", "SZ"),
            "Yike writes {ident} more than once",
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
    GNU_GO,
    CGOS,
    ORO,
    GOGOD,
    LITTLE_GOLEM,
    IGS,
    YIKE,
    SABAKI,
)

#: For each rule and property the habits that may be behind a finding, and whose they are.
HABITS: dict[tuple[str, str], list[tuple[Writer, Habit]]] = {}
for _writer in WRITERS:
    for _habit in _writer.habits:
        for _rule in _habit.rules:
            for _ident in _habit.idents:
                HABITS.setdefault((_rule, _ident), []).append((_writer, _habit))


def explained(game: GameTree, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of a game; those that are a known writer's habit say so.

    Args:
        game: It knows its text.
        found: Findings about it.
    """
    root = game.nodes.contents[0]
    wrote: dict[tuple[tuple[str, str], ...], bool] = {}
    told: set[str] = set()
    for one in found:
        for writer, habit in HABITS.get((one.name, one.property or ""), ()):
            if writer.signs not in wrote:
                wrote[writer.signs] = writer.wrote(root)
            if (habit.alone or wrote[writer.signs]) and habit.explains(one, game.nodes):
                text = habit.text.format(ident=one.property)
                if severity_of(one) is Severity.ERROR or not writer.rule:
                    yield one._replace(note=text)
                elif not habit.once or text not in told:
                    yield one._replace(
                        name=writer.rule, message=text, help="", severity=habit.severity
                    )
                told.add(text)
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
        meant = HUNDREDTHS.get(one.raw[0]) or _hundredths(komi)
        message = (
            f"KM[{shorten(one.raw[0])}] is komi as Fox writes it, in hundredths: {meant} points"
        )
        help_ = "write komi in points"
        yield Finding(FOX.rule, message, help=help_, node=0, property_index=place, value_index=0)


def stones_in_turns(nodes: Nodes, found: Iterable[Finding]) -> Iterator[Finding]:
    """OGS writes the moves of an analysis as setup: AB and AW by turns, all in one node.

    Args:
        found: Where a property occurs twice, such a node is looked for.
    """
    told: set[int] = set()
    for one in found:
        node = one.node or 0
        if one.name != "duplicate-property" or node in told:
            continue
        told.add(node)
        fix = turns(nodes, node)
        if fix is not None:
            message = "AB and AW by turns after a move: OGS writes the moves of an analysis so"
            place = in_turns(nodes, node)[0]
            made = Finding(OGS.rule, message, help=fix.message, node=node, property_index=place)
            yield made._replace(fix=fix)


def _hundredths(komi: Decimal) -> str:
    """Return the points of komi in hundredths; of a stone, if they are no half points."""
    points = komi / HUNDRED
    return f"{(points * 2 if (points * 2) % 1 else points).normalize():f}"


HUNDRED = 100

#: Ignore a komi above this: it is no score, and dividing a huge Decimal is slow.
MILLION = 10**6
