"""Rules: code, name, severity and summary of every finding."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple, TypeAlias


class Severity(StrEnum):
    """The severity of a finding.

    ``error``: the standard forbids it.  ``warning``: doubtful, or repaired without
    breaking a rule.  ``info``: usual in real files, or an assumption.
    """

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


#: The values of :class:`Severity`, as texts.
SeverityName: TypeAlias = Literal["error", "warning", "info"]


def at_least(level: Severity) -> tuple[Severity, ...]:
    """Return a severity and the higher ones."""
    return SEVERITIES[: SEVERITIES.index(level) + 1]


class Rule(NamedTuple):
    """One kind of finding: a row of :data:`RULES`.

    Attributes:
        code, name: Stable identifiers.
        severity: The default severity.
        summary: The finding in a few words.
        strict: It is checked only on request.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    strict: bool = False

    @property
    def group(self) -> str:
        """Name of its group, by the first letter of its code."""
        return GROUPS[self.code[0]]


#: The groups of rules, by the first letter of their codes.
GROUPS = {
    "F": "file",
    "S": "syntax",
    "T": "structure",
    "V": "value",
    "E": "encoding",
    "G": "game",
    "C": "conversion",
    "D": "dialect",
    "L": "laboratory",
}


#: The severities, the highest first.
SEVERITIES = _ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


#: All rules by name.  F: files, S: syntax, T: structure of the tree, V: values, E: encoding,
#: G: rules of the games, C: conversions, D: nonstandard output of programs, usual in real files,
#: L: custom grammars.  Codes and names are never reused.
RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("F001", "unreadable-file", _ERROR, "a file that cannot be read"),
        Rule("F002", "missing-file", _ERROR, "a name or pattern that matches no file"),
        Rule("F003", "no-records", _ERROR, "a folder or an archive without game records"),
        Rule("F004", "wrong-setting", _ERROR, "an invalid setting"),
        Rule("F005", "failed-check", _ERROR, "a file on which the program itself fails"),
        Rule("F006", "left-out", _INFO, "more findings than are shown"),
        Rule("F007", "other-files", _INFO, "an archive with files that are no game records"),
        Rule("S101", "no-game-record", _ERROR, "the text holds no game record"),
        Rule("S102", "stray-text", _ERROR, "text that belongs to no property"),
        Rule("S103", "text-outside-games", _WARNING, "text before, between or after the games"),
        Rule("S104", "missing-semicolon", _ERROR, "a node without its ';'"),
        Rule("S105", "unclosed-tree", _ERROR, "a game tree without its ')'"),
        Rule("S106", "extra-close", _ERROR, "a ')' that closes nothing"),
        Rule("S107", "unclosed-value", _ERROR, "a value without its ']'"),
        Rule("S108", "missing-value", _ERROR, "a property without a value"),
        Rule("S109", "missing-identifier", _ERROR, "a value without a property"),
        Rule("S110", "empty-tree", _ERROR, "a game tree without a node"),
        Rule("S111", "node-after-variation", _ERROR, "a node after a closed variation"),
        Rule("S112", "lowercase-identifier", _ERROR, "lower case in an FF[4] identifier"),
        Rule("S113", "identifier-form", _ERROR, "an identifier of a form its format lacks"),
        Rule("S114", "nul-character", _WARNING, "a NUL character"),
        Rule("S115", "wrong-count", _WARNING, "a GGF count that does not match the games"),
        Rule("S116", "property-outside-games", _ERROR, "properties outside every game"),
        Rule("S117", "long-identifier", _INFO, "a private name of more than two letters"),
        Rule("S118", "swallowed-properties", _WARNING, "a value that swallows the next ones"),
        Rule("S119", "unescaped-bracket", _ERROR, "a ']' in a text that ended its value"),
        Rule("S199", "grammar-mismatch", _ERROR, "text that a custom grammar rejects"),
        Rule("T201", "missing-format", _INFO, "a game without FF"),
        Rule("T202", "unknown-format", _ERROR, "an FF that no standard defines"),
        Rule("T203", "unknown-game", _WARNING, "a GM that no standard defines"),
        Rule("T204", "root-outside-root", _ERROR, "a root property outside the root"),
        Rule("T205", "second-game-info", _ERROR, "game-info twice on one path"),
        Rule("T206", "setup-with-move", _ERROR, "setup and move properties in one node"),
        Rule("T207", "duplicate-property", _ERROR, "the same property twice in a node"),
        Rule("T208", "too-many-values", _ERROR, "several values where one is allowed"),
        Rule("T209", "other-format", _INFO, "a property that its format does not define"),
        Rule("T210", "two-moves", _ERROR, "moves of both colors in one node"),
        Rule("T211", "missing-root-property", _INFO, "a game without GM or SZ"),
        Rule("T212", "different-formats", _INFO, "games of one file in several formats"),
        Rule("T213", "different-games", _INFO, "records of several games in one file"),
        Rule("T214", "move-in-root", _WARNING, "a move in the first node"),
        Rule("T215", "annotation-without-move", _ERROR, "an annotation of a move, without one"),
        Rule("T216", "contradicting-annotations", _ERROR, "annotations that exclude each other"),
        Rule("T217", "setup-conflict", _ERROR, "a point set up twice in a node"),
        Rule("T218", "markup-conflict", _ERROR, "a point with two marks in a node"),
        Rule("T219", "territory-conflict", _ERROR, "a point that is territory of both"),
        Rule("T220", "game-within-game", _ERROR, "a game that begins inside another"),
        Rule("T221", "player-mismatch", _WARNING, "a PL that the next move contradicts"),
        Rule(
            "T222", "doubtful-players", _WARNING, "players who contradict each other", strict=True
        ),
        Rule("T223", "other-game", _ERROR, "moves that are not of the game in GM"),
        Rule("V301", "wrong-value", _ERROR, "a value that is not of its type"),
        Rule("V302", "white-space-in-value", _ERROR, "white space in a value that is not text"),
        Rule("V303", "empty-value", _ERROR, "an empty value where one is needed"),
        Rule("V304", "wrong-form", _ERROR, "a text whose form the standard prescribes"),
        Rule("V305", "unusual-form", _INFO, "a text whose form the standard recommends"),
        Rule("V306", "mixed-empty-value", _ERROR, "an empty value beside others"),
        Rule("V307", "newer-form", _ERROR, "a value in a form that came with FF[4]"),
        Rule("V308", "repeated-point", _ERROR, "a point twice in a list"),
        Rule("V309", "one-point-rectangle", _ERROR, "a rectangle of one point"),
        Rule("V310", "swapped-corners", _WARNING, "a rectangle by other corners"),
        Rule("V311", "square-size", _ERROR, "a square board with two numbers"),
        Rule("V312", "out-of-range", _ERROR, "a number outside its range"),
        Rule("V313", "doubtful-number", _WARNING, "a number that makes no sense"),
        Rule("V314", "one-point-line", _ERROR, "an arrow or line to its own point"),
        Rule("V315", "repeated-line", _ERROR, "an arrow or line twice in a node"),
        Rule("V316", "long-label", _INFO, "a label that FF[3] does not hold"),
        Rule("V317", "no-such-date", _ERROR, "a date that does not exist"),
        Rule("V318", "unescaped-colon", _WARNING, "a ':' without '\\' in a composed value"),
        Rule("V319", "view-corners", _WARNING, "an old VW without two corners"),
        Rule("V320", "figure-flags", _INFO, "undefined flags of FG"),
        Rule("V321", "needless-escape", _INFO, "a needless '\\'"),
        Rule("V322", "doubtful-komi", _INFO, "an unusual komi"),
        Rule("V323", "doubtful-result", _INFO, "a score that komi contradicts"),
        Rule("V324", "line-break-in-line", _INFO, "a line break in a text of one line"),
        Rule("E401", "assumed-encoding", _INFO, "an encoding that is not declared"),
        Rule("E402", "false-encoding", _WARNING, "a CA that the bytes contradict"),
        Rule("E403", "unknown-encoding", _WARNING, "a CA that names no known encoding"),
        Rule("E404", "undecodable-bytes", _ERROR, "bytes that are no character"),
        Rule("E405", "several-encodings", _INFO, "games of one file in several encodings"),
        Rule("G600", "several-games", _WARNING, "more than one game in a file", strict=True),
        Rule("G601", "occupied-point", _WARNING, "a stone played on an occupied point"),
        Rule("G602", "useless-setup", _INFO, "setup that changes nothing on the board"),
        Rule("G603", "point-off-board", _ERROR, "a point that the board does not have"),
        Rule("G604", "suicide", _WARNING, "a Go move that takes only its own stones"),
        Rule("G605", "ko-capture", _WARNING, "a Go move that takes a ko back at once"),
        Rule("G606", "repeated-position", _WARNING, "a repeated Go position", strict=True),
        Rule("G607", "handicap-stones", _WARNING, "HA that differs from AB"),
        Rule("G608", "setup-after-root", _WARNING, "stones set up during the game", strict=True),
        Rule("G609", "same-color-twice", _WARNING, "consecutive moves of one side", strict=True),
        Rule("G610", "variation-level", _WARNING, "a variation one move too late", strict=True),
        Rule("G611", "play-after-passes", _WARNING, "a move after both have passed", strict=True),
        Rule("G612", "first-player", _WARNING, "the first move of the wrong side", strict=True),
        Rule("G613", "handicap-as-moves", _WARNING, "handicap stones written as moves"),
        Rule("G614", "handicap-komi", _INFO, "a handicap with komi", strict=True),
        Rule("G615", "not-judged", _INFO, "moves not checked by the rules of the game"),
        Rule("G620", "illegal-move", _WARNING, "a move that the rules of its game forbid"),
        Rule("G621", "needless-pass", _WARNING, "a pass of a side that has to move"),
        Rule("G622", "missing-pass", _WARNING, "a missing pass"),
        Rule("G623", "out-of-turn", _WARNING, "a move out of turn"),
        Rule("G624", "score-mismatch", _WARNING, "a result that the moves do not give"),
        Rule("G625", "forbidden-hole", _WARNING, "a Twixt hole that is not for this side"),
        Rule("G626", "edge-center", _WARNING, "a Gess piece with its center on the edge"),
        Rule("G630", "dice-moves", _WARNING, "checkers moved as the dice do not allow"),
        Rule("G631", "cube-order", _WARNING, "double, take and drop in a wrong order"),
        Rule("G632", "crawford-double", _WARNING, "a double in the Crawford game"),
        Rule("G633", "cube-value", _WARNING, "a value that no doubling cube has"),
        Rule("G634", "match-information", _WARNING, "an invalid part of MI"),
        Rule("G635", "checker-count", _WARNING, "more than fifteen checkers of a side"),
        Rule("G636", "unplayed-dice", _WARNING, "dice left over though a checker could move"),
        Rule("G640", "missing-board", _WARNING, "a GGF game without its first board"),
        Rule("G641", "board-mismatch", _WARNING, "a GGF board that TY contradicts"),
        Rule("G642", "type-conflict", _WARNING, "parts of TY that contradict each other"),
        Rule("G643", "clock-conflict", _WARNING, "GGF clocks that contradict each other"),
        Rule("G644", "komi-evaluation", _INFO, "a GGF komi move without its evaluation"),
        Rule("G645", "komi-mismatch", _WARNING, "a GGF komi that is not the average"),
        Rule("G646", "komi-parts", _WARNING, "a GGF komi game that lacks a part"),
        Rule("C701", "declared", _INFO, "FF, GM and CA declare the new format"),
        Rule("C702", "long-name", _INFO, "lower case is removed from a name"),
        Rule("C703", "nameless-property", _WARNING, "a property with a forbidden name is removed"),
        Rule("C704", "spaces-removed", _INFO, "white space is removed from a value"),
        Rule("C705", "merged-property", _INFO, "two of the same property are merged"),
        Rule("C706", "second-dropped", _WARNING, "the second of the same property is removed"),
        Rule("C707", "tesuji-and-bad", _INFO, "TE with BM is IT or DO, and back"),
        Rule("C708", "marks", _INFO, "M is MA or TR, and back"),
        Rule("C709", "letters", _INFO, "L is LB, and back"),
        Rule("C710", "old-view", _INFO, "the corners of VW are a rectangle"),
        Rule("C711", "pass-form", _INFO, "a pass is written as the format writes it"),
        Rule("C712", "node-split", _INFO, "a node is split"),
        Rule("C713", "misplaced-dropped", _WARNING, "a property in the wrong node is removed"),
        Rule("C714", "text-escaped", _INFO, "a text is escaped as the format wants it"),
        Rule("C715", "lines-joined", _WARNING, "the lines of a text are joined"),
        Rule("C716", "empty-dropped", _INFO, "an empty value is removed"),
        Rule("C717", "annotation-dropped", _WARNING, "an annotation FF[4] forbids is removed"),
        Rule("C718", "value-corrected", _INFO, "a value gets the form of the format"),
        Rule("C719", "value-kept", _WARNING, "a value stays though its form is wrong"),
        Rule("C720", "further-values", _WARNING, "only the first of several values is kept"),
        Rule("C721", "point-dropped", _WARNING, "a point that is named twice is removed"),
        Rule("C722", "time-unit", _WARNING, "a time limit in minutes, or in seconds"),
        Rule("C723", "doubled-komi", _INFO, "KI, twice the komi, is KM"),
        Rule("C724", "overtime-text", _INFO, "OM and OP are copied to OT"),
        Rule("C725", "rules-name", _INFO, "the rules have another name"),
        Rule("C726", "second-meaning", _WARNING, "a name with another meaning is removed"),
        Rule("C727", "kept-as-private", _INFO, "a property the format lacks stays as it is"),
        Rule("C730", "unsayable", _WARNING, "what the format cannot express is removed"),
        Rule("C731", "list-written-out", _INFO, "a rectangle is written as its points"),
        Rule("C732", "label-cut", _WARNING, "a label is cut to four characters"),
        Rule("C733", "figure-plain", _WARNING, "flags and title of a figure are removed"),
        Rule("C734", "number-rounded", _WARNING, "a real number is rounded"),
        Rule("C735", "board-refused", _ERROR, "a board that the format does not have"),
        Rule("C736", "list-refused", _ERROR, "more points than a conversion writes out"),
        Rule("C740", "game-refused", _ERROR, "a game that the format does not have"),
        Rule("C741", "setup-refused", _ERROR, "stones set up where the format has no place"),
        Rule("C742", "text-refused", _ERROR, "a text that the format cannot hold"),
        Rule("C743", "other-coordinates", _INFO, "points are written as the format counts them"),
        Rule("C744", "start-position", _INFO, "BO is SZ, AB, AW and PL, and back"),
        Rule("C745", "renamed", _INFO, "the same thing has another name"),
        Rule("C746", "result-view", _INFO, "a score for one side is a winner, and back"),
        Rule("C747", "date-form", _INFO, "a date is written as the format writes it"),
        Rule("C748", "into-comment", _INFO, "a value without a property goes into GC"),
        Rule("C749", "private-copy", _INFO, "original values are kept in GF and TU"),
        Rule("C750", "stale-copy", _WARNING, "GF contradicts the record"),
        Rule("C751", "variations-left-out", _WARNING, "only the main line is kept"),
        Rule("C752", "text-left-out", _WARNING, "text outside games is removed"),
        Rule("G647", "pair-mismatch", _WARNING, "two GGF games that are no synchro match"),
        Rule("D501", "unknown-property", _INFO, "a property that no standard defines"),
        Rule("D502", "application-without-version", _INFO, "AP without a version"),
        Rule("D503", "empty-text", _INFO, "a text property without text"),
        Rule("D504", "go-style-point", _INFO, "a point in Go notation in another game"),
        Rule("D510", "fox-habit", _INFO, "nonstandard output of the Fox server"),
        Rule("D511", "kgs-habit", _INFO, "nonstandard output of the server KGS"),
        Rule("D512", "ogs-habit", _INFO, "nonstandard output of the server OGS"),
        Rule("D513", "gnubg-habit", _INFO, "nonstandard output of GNU Backgammon"),
        Rule("D514", "edax-habit", _INFO, "nonstandard output of Edax"),
        Rule("D515", "multigo-habit", _INFO, "nonstandard output of MultiGo"),
        Rule("D516", "goproblems-habit", _INFO, "nonstandard output of goproblems"),
        Rule("D517", "analysis-habit", _INFO, "data of an analysis in a record"),
        Rule("D518", "many-faces-habit", _INFO, "nonstandard output of Many Faces"),
        Rule("D519", "jago-habit", _INFO, "nonstandard output of Jago"),
        Rule("D521", "cgoban-habit", _INFO, "nonstandard output of CGoban"),
        Rule("D522", "katrain-habit", _INFO, "nonstandard output of KaTrain"),
        Rule("D523", "gnugo-habit", _INFO, "nonstandard output of GNU Go"),
        Rule("D524", "cgos-habit", _INFO, "nonstandard output of the server CGOS"),
        Rule("D525", "oro-habit", _INFO, "nonstandard output of Cyber Oro and the Nihon Ki-in"),
        Rule("D526", "gogod-habit", _INFO, "nonstandard output of the GoGoD collection"),
        Rule("D527", "little-golem-habit", _INFO, "nonstandard output of Little Golem"),
        Rule("D528", "igs-habit", _INFO, "nonstandard output of the servers IGS and NNGS"),
        Rule("D529", "yike-habit", _INFO, "nonstandard output of the server Yike"),
        Rule("L701", "grammar-notation", _ERROR, "a line of a grammar that Lark cannot read"),
        Rule("L702", "undefined-symbol", _ERROR, "a name in a grammar that nothing defines"),
        Rule("L703", "defined-twice", _ERROR, "two definitions of one name in a grammar"),
        Rule("L704", "rule-in-terminal", _ERROR, "a terminal of a grammar that uses a rule"),
        Rule("L705", "two-readings", _ERROR, "a conflict between rules of a grammar"),
        Rule("L706", "left-recursion", _ERROR, "a left-recursive rule of a grammar"),
        Rule(
            *("L707", "ambiguous-terminals", _WARNING),
            "terminals of a grammar that match the same text",
        ),
        Rule("L708", "empty-terminal", _ERROR, "a terminal of a grammar that may be empty"),
        Rule("L709", "exponential-pattern", _ERROR, "a pattern that takes exponential time"),
        Rule("L710", "broken-pattern", _ERROR, "an invalid regular expression"),
        Rule("L711", "unusable-grammar", _ERROR, "a grammar that cannot be used as it is"),
    )
}


#: Rule and message for the first node of another game inside a game.
ANOTHER_GAME = ("game-within-game", "another game begins inside this one")


ANOTHER_GAME_HELP = "write ')' and '(' before this node"
