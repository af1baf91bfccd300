"""How the tests read what the standards print but do not say in EBNF.

Each entry is one defect of the print, or one rule that stands only in the prose.  They
are applied in order; test_standards.py holds that each is still needed and still found.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from lark import Lark

from support.ebnf import Notation, productions, rule_name, translate


class Reading(NamedTuple):
    """Part of a production, read as something else.

    Attributes:
        production: The production as printed, by its name.
        printed: Found exactly once in its line, as read so far.
        read: What it is read as.
        because: Why.
        witness: A symbol and a text about which the print and the reading disagree; None
            if the print cannot be translated at all without the reading.
    """

    production: str
    printed: str
    read: str
    because: str
    witness: tuple[str, str] | None = None


class Missing(NamedTuple):
    """A symbol that the print uses and does not define, and the definition it needs."""

    name: str
    production: str
    because: str


class Standard(NamedTuple):
    """What it takes to read the productions of one standard.

    Attributes:
        notation: Whether productions end in a full stop.
        structure: Symbols around which white space may stand.
        readings: In the order in which they are applied.
        missing: Symbols that are used and not defined.
        helpers: Further productions that the readings use.
    """

    notation: Notation
    structure: tuple[str, ...]
    readings: tuple[Reading, ...]
    missing: tuple[Missing, ...]
    helpers: tuple[str, ...]


# ---- reasons ----

SKIPS_SPACE = "prose: white space is ignored before this token"
SKIPS_SPACE_AT_END = "prose: white space is ignored, also after the last token"
SPACE_BEFORE_VALUE = "FF[3], prose: anywhere outside brackets; FF[4] prints it in an example"
NO_STOP = "the final full stop is missing"
TEXT_NOT_EBNF = "the escapes are not EBNF, and the text is anything up to the closing bracket"
OTHER_ESCAPES = (
    "a backslash before other characters is undefined; FF[4] says that it escapes any character"
)
DOTS = "the dots stand for types that games add; Text covers them"
SKIPS_LOWER_CASE = (
    "FF[3], prose: only upper case letters of a name count; FF[4] says so of FF[1] as well"
)
GAME_SPECIFIC = "game-specific: of a game that nobody described, any text will do"
GAME_SPECIFIC_POINT = "as for moves, but there is one, and a colon would part two points"
HANDLING = "the prose: a backslash escapes any character, a closing bracket needs one"
A_KIND_OF_LIST = "two words in quotes and a colon, not a production; named as Lark can name it"
EMPTY_LIST = 'the sentence below it: an elist is a list or "[]"'
NOT_PRINTED = "the print does not define it"

# ---- helpers: ordinary and escaped characters of a value, white space ----

ESCAPED = r'Escaped = "\" ?/(?s:.)/?'
ORDINARY = r"Ordinary = ?/[^\\\]]/?"
NO_COLON = r"NoColon = ?/[^:\\\]]/?"
OPAQUE = "Opaque = (Ordinary | Escaped) { Ordinary | Escaped }"
BLANK = r"Blank = { ?/[ \t\r\n\x0b\x0c]/? }"
LOWER_CASE = 'Skipped = { "a".."z" }'
MOVE = "Move = [Opaque]"
POINT = "Point = (NoColon | Escaped) { NoColon | Escaped }"

SPACE_IN_A_TREE = (
    Reading("GameTree", '"("', 'Blank "("', SKIPS_SPACE, ("Collection", " (;)")),
    Reading("GameTree", '")"', 'Blank ")"', SKIPS_SPACE, ("Collection", "(;\n)")),
    Reading("Node", '";"', 'Blank ";"', SKIPS_SPACE, ("Collection", "(\t;)")),
    Reading("Property", "PropIdent", "Blank PropIdent", SKIPS_SPACE, ("Collection", "(; B[])")),
    Reading(
        "Property",
        "PropIdent PropValue",
        "PropIdent Blank PropValue",
        SPACE_BEFORE_VALUE,
        ("Collection", "(;B [])"),
    ),
)

BEFORE_FF4 = (
    *SPACE_IN_A_TREE,
    Reading(
        "Property", "{PropValue}", "{Blank PropValue}", SKIPS_SPACE, ("Collection", "(;B[]\r[])")
    ),
    Reading(
        "Collection", "{GameTree}", "{GameTree} Blank", SKIPS_SPACE_AT_END, ("Collection", " ")
    ),
    Reading(
        "PropIdent",
        "UpperCase [UpperCase | Digit]",
        "Skipped UpperCase Skipped [(UpperCase | Digit) Skipped]",
        SKIPS_LOWER_CASE,
        ("PropIdent", "Black"),
    ),
    Reading(
        "Text",
        r'{ any character; "\]" = "]", "\\" = "\"}',
        r'{ Ordinary | "\]" | "\\" }',
        TEXT_NOT_EBNF,
    ),
    Reading("Text", r'"\]" | "\\"', "Escaped", OTHER_ESCAPES, ("Text", r"\a")),
)

BEFORE_FF4_MISSING = (
    Missing("UpperCase", 'UpperCase = "A".."Z"', NOT_PRINTED),
    Missing("Digit", 'Digit = "0".."9"', NOT_PRINTED),
    Missing("Move", MOVE, GAME_SPECIFIC),
    Missing("Point", POINT, GAME_SPECIFIC_POINT),
)

BEFORE_FF4_HELPERS = (ORDINARY, NO_COLON, ESCAPED, OPAQUE, BLANK, LOWER_CASE)

FF1 = Standard(
    "stopped",
    ("Collection", "GameTree", "Sequence", "Node", "Property"),
    (
        Reading("Node", "{Property}", "{Property}.", NO_STOP),
        Reading("PropValue", ' ] "]"', ' ] "]".', NO_STOP),
        Reading("PropValue", " | ... ]", " ]", DOTS),
        Reading("Real", "{ Number", "Number", "the brace is never closed; FF[3] has none"),
        *BEFORE_FF4,
    ),
    BEFORE_FF4_MISSING,
    BEFORE_FF4_HELPERS,
)

FF3 = Standard(
    "stopped",
    FF1.structure,
    (Reading("PropValue", " | ...]", "]", DOTS), *BEFORE_FF4),
    BEFORE_FF4_MISSING,
    BEFORE_FF4_HELPERS,
)

FF4 = Standard(
    "plain",
    FF1.structure,
    (
        *SPACE_IN_A_TREE,
        Reading(
            "Property",
            "{ PropValue }",
            "{ Blank PropValue }",
            SKIPS_SPACE,
            ("Collection", "(;B[]\r[])"),
        ),
        Reading(
            "Collection",
            "{ GameTree }",
            "{ GameTree } Blank",
            SKIPS_SPACE_AT_END,
            ("Collection", "(;) "),
        ),
        Reading("list of", "'list of':   ", "ListOf =", A_KIND_OF_LIST),
        Reading("elist of", "'elist of':  ", "ElistOf =", A_KIND_OF_LIST),
        Reading("elist of", "| None", '| "[" None "]"', EMPTY_LIST, ("ElistOf", "")),
        Reading("List of point", "List of point:", "ListOfPoint =", A_KIND_OF_LIST),
        Reading(
            "List of point",
            'list of (point | composition of point ":" point)',
            '"[" (Point | Point ":" Point) "]" { "[" (Point | Point ":" Point) "]" }',
            "prose inside a production",
        ),
        Reading(
            "SimpleText",
            "any character (handling see below)",
            "Ordinary | Escaped",
            HANDLING,
        ),
        Reading("Text", "any character (handling see below)", "Ordinary | Escaped", HANDLING),
        Reading("Point", "game-specific", POINT.removeprefix("Point = "), GAME_SPECIFIC_POINT),
        Reading("Move", "game-specific", MOVE.removeprefix("Move = "), GAME_SPECIFIC),
        Reading("Stone", "game-specific", "Point", GAME_SPECIFIC_POINT),
    ),
    (),
    (ORDINARY, NO_COLON, ESCAPED, OPAQUE, BLANK),
)

GGF = Standard(
    "plain",
    ("File", "Match", "Game", "Property"),
    (
        Reading("File", "{ Match }", "{ Match } Blank", SKIPS_SPACE_AT_END, ("File", "\n")),
        Reading("Match", "[ Count ]", "[ Blank Count ]", SKIPS_SPACE, ("File", " 1(;;)")),
        Reading("Game", '"(;"', 'Blank "(;"', SKIPS_SPACE, ("File", "1 (;;)")),
        Reading("Game", '";)"', 'Blank ";)"', SKIPS_SPACE, ("File", "(; ;)")),
        Reading("Property", "Ident", "Blank Ident", SKIPS_SPACE, ("File", "(; B[];)")),
        Reading("Property", '"["', 'Blank "["', "as in FF[4]'s example", ("File", "(;B [];)")),
        Reading("Value", 'any character except "]"', r"?/[^\]]/?", "prose inside a production"),
    ),
    (Missing("UpperCase", 'UpperCase = "A".."Z"', NOT_PRINTED),),
    (BLANK,),
)

STANDARDS: dict[str, Standard] = {"ff1": FF1, "ff3": FF3, "ff4": FF4, "ggf": GGF}


def as_read(standard: str, without: Reading | Missing | None = None) -> list[str]:
    """The productions of a standard after all its readings but one."""
    reader = STANDARDS[standard]
    lines = {production.name: production.line for production in productions(standard)}
    for reading in reader.readings:
        if reading is not without:
            line = lines[reading.production]
            if line.count(reading.printed) != 1 and without is None:
                raise AssertionError(f"{reading.printed!r} is not, or not once, in {line!r}")
            lines[reading.production] = line.replace(reading.printed, reading.read)
    added = [missing.production for missing in reader.missing if missing is not without]
    stop = "." if reader.notation == "stopped" else ""
    return [*lines.values(), *(line + stop for line in (*added, *reader.helpers))]


@cache
def translation(
    standard: str,
    without: Reading | Missing | None = None,
    ambiguity: Literal["forest", "explicit"] = "forest",
) -> Lark:
    """A standard as a Lark grammar of its own, every symbol a start symbol.

    Every structure symbol ``x`` has a twin ``x_alone``, with white space behind it.
    """
    notation, structure = STANDARDS[standard].notation, STANDARDS[standard].structure
    rules = [translate(line, notation) for line in as_read(standard, without)]
    rules += [f"{rule_name(name)}_alone: {rule_name(name)} blank" for name in structure]
    starts = [rule.split(":")[0].lstrip("!") for rule in rules]
    return Lark("\n".join(rules), parser="earley", ambiguity=ambiguity, start=starts)
