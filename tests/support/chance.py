"""Records made by chance: most of their nodes are right, and some are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import Category, Count

from .damage import PIECES

if TYPE_CHECKING:
    import random

    from sgf_lark.core.schema.properties import PropertyRule, PropertyTable

#: GM number and its board, points of it, and moves that are no points.
GAMES: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "1": (("19", "9", "13:9", "21"), ("aa", "bb", "cb", "ii", "AA", "tt"), ("", "tt")),
    "2": (("", "8"), ("d3", "D3", "c4", "h8", "i9"), ("", "pass")),
    "3": (("",), ("a1", "e4"), ("e2e4", "0-0")),
    "4": (("15", ""), ("aa", "bb"), ("",)),
    "6": (("",), ("a", "b", "z", "y"), ("31ab", "double")),
    "9": (("", "10"), ("a1", "A1", "b1", "B1"), ("a1-b1", "A1-b1")),
    "11": (("11", ""), ("a1", "A1", "b2"), ("swap-pieces", "resign")),
    "18": (("",), ("aa", "bb", "ab"), ("aabbcc", "aa")),
    "19": (("",), ("1n2", "A1"), ("1n2",)),
    "20": (("",), ("aa", "bb"), ("aa-bb", "cc-dd")),
    "40": (("",), ("aa", "bb"), ("aabb",)),
    "99": (("",), ("aa", "x"), ("what",)),
}

#: Texts, and ends of texts that some check may mind.
TEXTS = (
    "a",
    "b",
    "hello",
    "Black",
    "é",
    "者",
    "1",
    "6.5",
    "B+R",
    "B+0.5",
    "1996-05-06",
    "5d",
    "Japanese",
)
ODD = (
    "",
    "",
    " ",
    "\n",
    "\\]",
    "\\\\",
    "\\:",
    ":",
    "[",
    " C[",
    ";B[",
    "\0",
    "\\x",
    "\t",
    "[x ",
    "'",
)

_NUMBERS = ("1", "1", "2", "0", "3", "+4", "-1", "257", "19")

#: Values of types that are no texts.
VALUES = {
    "none": ("",),
    "number": _NUMBERS,
    "triple": _NUMBERS,
    "double": _NUMBERS,
    "real": ("1", "6.5", "-3", "0.25", "650", ".5"),
    "color": ("B", "W", "black", "1"),
}

#: Properties that most games have.
USUAL = {"B", "W", "C", "N", "BL", "OW", "MN"}

#: The names that properties had, before lower case in a name was forbidden.
LONG_NAMES = {"B": "Black", "W": "White", "C": "Comment", "AB": "AddBlack", "N": "Name"}


def record(table: PropertyTable, dice: random.Random) -> str:
    """Return a record: one game, or some, of a format and game; perhaps with a damage."""
    games = [_game(table, dice) for _ in range(dice.choice((1, 1, 1, 2, 3)))]
    text = dice.choice(("", "", "\n", "text\n")).join(games)
    if dice.random() < 0.15:
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice(PIECES) + text[at + dice.randrange(3) :]
    return text


def _game(table: PropertyTable, dice: random.Random) -> str:
    format_ = dice.choice((Format.FF1, Format.FF3, Format.FF4, Format.FF4, Format.FF4))
    number = dice.choice([*GAMES, "1", "1", "1", "1"])
    rows = [
        rule
        for rule in table
        if rule.format is format_ and rule.game in {None, int(number) if number != "99" else None}
    ]
    sizes, points, moves = GAMES[number]
    odd = dice.choice((0.0, 0.0, 0.03, 0.03, 0.1))
    size = dice.choice(sizes)
    root = [f"GM[{number}]", f"SZ[{size}]" if size else "", f"FF[{format_.digit}]"]
    root = [declared for declared in root if declared and dice.random() < 0.9]
    if dice.random() < 2 * odd:
        root = [dice.choice(("GaMe[1]", "SiZe[9]", "FiFo[3]", "FF[5]", "GM[x]", "SZ[9][9]"))]
    dice.shuffle(root)
    some = dice.sample(rows, min(len(rows), dice.randint(3, 12)))  # so that they meet again
    some += [rule for rule in rows if rule.ident in USUAL]
    info = [rule for rule in some if rule.category in {Category.GAME_INFO, Category.NONE}]
    for _ in range(dice.choice((0, 0, 1, 3))):
        root.insert(
            dice.randint(0, len(root)),
            _property(dice.choice(info or some), points, moves, dice, odd),
        )
    nodes = ["".join(root)]
    inner = (
        some
        if dice.random() < 0.2
        else [rule for rule in some if rule.category not in {Category.GAME_INFO, Category.ROOT}]
    )
    for _ in range(dice.choice((0, 1, 3, 8, 20))):
        chosen = dice.choices(inner, k=dice.choice((0, 1, 1, 1, 2, 2, 3, 5)))
        if dice.random() < 0.9:
            chosen = list(dict.fromkeys(chosen))
        nodes.append("".join([_property(rule, points, moves, dice, odd) for rule in chosen]))
    opened, text = 0, ""
    for number_, node in enumerate(nodes):
        if number_ and dice.random() < 0.15:
            text += "("
            opened += 1
        text += dice.choice((";", ";", ";", ";", "\n;")) + node
        if opened and dice.random() < 0.15:
            text += ")("[: 1 + (number_ + 1 < len(nodes))]
            opened -= text[-1] == ")"
    return f"({text}{')' * opened})"


def _property(
    rule: PropertyRule,
    points: tuple[str, ...],
    moves: tuple[str, ...],
    dice: random.Random,
    odd: float,
) -> str:
    name = rule.ident
    if rule.format is not Format.FF4 and dice.random() < 0.2:
        name = LONG_NAMES.get(name, name)
    if dice.random() < odd:
        name = dice.choice((name.lower(), name + "x", "Z" + name, name + " ", name + name[0], "ZZ"))
    count = 1 if rule.count is Count.ONE else dice.choice((0, 1, 1, 2, 3))
    values = [_value(rule, points, moves, dice, odd) for _ in range(count)]
    if dice.random() < odd:
        values.append(dice.choice(TEXTS))
    space = dice.choice((" ", "\n")) if dice.random() < odd else ""
    return name + space.join(["", *[f"[{value}]" for value in values or ("",)]])


def _value(
    rule: PropertyRule,
    points: tuple[str, ...],
    moves: tuple[str, ...],
    dice: random.Random,
    odd: float,
) -> str:
    kinds = dice.choice(rule.types)
    text = ":".join(_of_type(kind, points, moves, dice) for kind in kinds)
    return dice.choice(ODD) + text if dice.random() < odd else text


def _of_type(
    kind: str, points: tuple[str, ...], moves: tuple[str, ...], dice: random.Random
) -> str:
    if kind in {"point", "stone"}:
        return dice.choice(points)
    if kind == "move":
        return dice.choice(points if dice.random() < 0.7 else moves)
    if kind in VALUES:
        return dice.choice(VALUES[kind])
    text = dice.choice(TEXTS)
    return text + dice.choice(ODD) + dice.choice(TEXTS) if dice.random() < 0.2 else text
