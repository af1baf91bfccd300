"""Types of value, one row each: grammar rule, words for messages, examples.

The rule names the rest: a text is read by the transformer's method of the same name, or of the
name after ``->``, and what that returns is written by its class
(:class:`~sgf_lark.core.values.writer.Writer`).  Tests compare the rows with all of them.
"""

from __future__ import annotations

from typing import NamedTuple


class ValueType(NamedTuple):
    """A type of value.

    Attributes:
        grammars: The grammars that define it, such as ``ff3 ff4``, or a game's.
        rules: Its rules there; several if they differ in nothing else.
        words: For messages, after "expected".
        examples: Texts of it: one for each class of its values, if not more.
    """

    grammars: str
    rules: str
    words: str
    examples: tuple[str, ...]


_SGF = "ff1 ff3 ff4"

VALUE_TYPES = (
    # Of formats.
    ValueType(_SGF, "none", "nothing between the brackets", ("",)),
    ValueType(f"{_SGF} ggf", "number", "a whole number such as 12", ("12",)),
    ValueType(f"{_SGF} ggf", "real", "a number such as 6.5", ("6.5",)),
    ValueType("ff4", "double", "1, or 2 for emphasis", ("1",)),
    ValueType("ff1 ff3", "triple", "1, or 2 for emphasis", ("1",)),
    ValueType(_SGF, "color", "B or W", ("B",)),
    ValueType("ff3", "player", "B or W", ("B",)),
    ValueType(f"{_SGF} ggf", "text", "a text", ("Hello",)),
    ValueType("ff4 ggf", "simpletext", "a text", ("Hello",)),
    ValueType(_SGF, "point", "a point", ("aa",)),
    ValueType("ff4", "stone", "a stone", ("aa",)),
    ValueType(f"{_SGF} ggf", "move", "a move", ("aa",)),
    ValueType("ff3 ff4", "compose", "two parts with ':' between", ("aa:bb",)),
    ValueType(
        "ff4", "figure", "nothing, or flags and a name such as '257:Figure 1'", ("257:Figure 1", "")
    ),
    ValueType(
        "ff4", "size", "a size such as '19', or columns and rows such as '19:13'", ("19", "19:13")
    ),
    ValueType("ff4", "application", "a program and its version such as 'CGoban:3'", ("CGoban:3",)),
    ValueType(_SGF, "result", "a result such as 'B+3.5', 'W+R' or '0'", ("B+3.5", "0")),
    ValueType(_SGF, "dates", "a date such as '1996-05-27'", ("1996-05-27",)),
    ValueType("ff4", "time_limit", "a number of seconds such as 1800", ("1800",)),
    ValueType("ff1", "time_limit", "a number of minutes such as 30", ("30",)),
    ValueType(f"{_SGF} ggf", "komi", "a komi such as 6.5", ("6.5",)),
    ValueType("ff4", "rank", "a rank such as '5d', '12 kyu' or '3k?'", ("12 kyu",)),
    ValueType("ff4", "round", "a round and its type such as '03 (final)'", ("03 (final)",)),
    ValueType(
        "ggf",
        "result",
        "a score for the first color such as '+12', '-3.00' or '+64:r'",
        ("+12", "-3.00", "+64:r"),
    ),
    ValueType(
        "ggf", "date", "a date such as '2004.09.18_05:54:38.MDT'", ("2004.09.18_05:54:38.MDT",)
    ),
    ValueType("ggf", "clock", "a clock such as '15:00//02:00'", ("15:00//02:00",)),
    ValueType(
        "ggf",
        "board",
        "the size, the rows ('*' black, 'O' white, '-' empty) and the color to move",
        ("2 *O -- *",),
    ),
    ValueType("ggf", "game_type", "a text", ("8",)),
    ValueType("ggf", "played", "a move, and after '/' its evaluation and time", ("aa/1.50/2",)),
    # Of games.
    ValueType("go", "point stone point_before_ff4", "a point such as 'pd'", ("pd",)),
    ValueType("go", "move move_over_19", "a point such as 'pd', or nothing for a pass", ("pd", "")),
    ValueType("go", "move_before_ff4", "a point such as 'pd', or 'tt' for a pass", ("pd", "tt")),
    ValueType("othello", "point stone", "a square such as 'd3'", ("d3",)),
    ValueType(
        "othello", "move move_ggf", "a square such as 'd3', or 'PA' for a pass", ("d3", "PA")
    ),
    ValueType(
        "othello",
        "game_type_ggf",
        "a board size and options, such as '8' or 's8r18'",
        ("8", "s8r18"),
    ),
    ValueType(
        "othello",
        "point_go_style stone_go_style move_go_style",
        "a square in two letters such as 'dc'",
        ("dc",),
    ),
    ValueType("backgammon", "point stone", "a point, one letter from a to z", ("a",)),
    ValueType(
        "backgammon",
        "move",
        "a roll and its moves such as '31hefe', or 'double', 'take' or 'drop'",
        ("31hefe", "double"),
    ),
    ValueType("backgammon", "dice", "two dice such as '31'", ("31",)),
    ValueType(
        "backgammon", "cube_owner", "'b' (Black), 'w' (White), 'c' (centred) or 'n' (none)", ("b",)
    ),
    ValueType(
        "backgammon",
        "rules",
        "'Crawford', 'Crawford:CrawfordGame' or 'Jacoby'",
        ("Crawford:CrawfordGame", "Jacoby"),
    ),
    ValueType(
        "backgammon", "result", "a result such as 'B+6R', 'W+4' or '0'", ("B+6R", "W+4", "0")
    ),
    ValueType(
        "backgammon", "match_information", "a tag and its value such as 'length:7'", ("length:7",)
    ),
    ValueType("lines_of_action", "point stone", "a point such as 'c8'", ("c8",)),
    ValueType(
        "lines_of_action",
        "move",
        "two points such as 'e1-e3' or 'c2:c5', or 'pass', 'resign', 'forfeit' or 'escape'",
        ("e1-e3", "c2:c5", "pass", "resign"),
    ),
    ValueType("lines_of_action", "adds_stones", "'Black', 'White' or 'None'", ("black",)),
    ValueType("lines_of_action", "initial_position", "'End'", ("end",)),
    ValueType("lines_of_action", "invert_y_axis", "'true' or 'false'", ("true", "false")),
    ValueType(
        "lines_of_action",
        "setup_type",
        "'Standard', 'Scrambled-eggs', 'Parachute', 'Gemma' or 'Custom'",
        ("gemma",),
    ),
    ValueType("hex", "point stone", "a cell such as 'e4'", ("e4",)),
    ValueType(
        "hex",
        "move",
        "a cell such as 'e4', or 'swap-pieces', 'swap-sides', 'resign', 'forfeit' or 'pass'",
        ("e4", "pass", "resign"),
    ),
    ValueType("hex", "viewer_setting", "a setting such as 'tried:on' or 'lock:off'", ("tried:on",)),
    ValueType(
        "hex",
        "point_go_style stone_go_style move_go_style",
        "a cell in two letters such as 'ed'",
        ("ed",),
    ),
    ValueType("octi", "point", "a point from '11' to '99'", ("11",)),
    ValueType("octi", "stone", "a pod such as '46' or '46CD'", ("46CD",)),
    ValueType(
        "octi",
        "move",
        "a move such as '73', '33+B', '33+A-B' or '84-86-68x'",
        ("73", "33+B", "33+A-B", "84-86-68x"),
    ),
    ValueType("twixt", "point stone", "a hole such as 'd11'", ("d11",)),
    ValueType("twixt", "move", "a hole such as 'd11'", ("d11", "c2*")),
    ValueType("twixt", "link_center", "the center of a link such as 'c2*'", ("c2*",)),
    ValueType(
        "twixt",
        "point_go_style stone_go_style move_go_style",
        "a hole in two letters such as 'dk'",
        ("dk",),
    ),
    ValueType("amazons", "point stone", "a point such as 'dj'", ("dj",)),
    ValueType("amazons", "move", "three points such as 'djddgd': from, to, arrow", ("djddgd",)),
    ValueType(
        "amazons", "move_ggf", "three points such as 'D1-D7-G7': from, to, arrow", ("D1-D7-G7",)
    ),
    ValueType("gess", "point stone", "a point such as 'cc'", ("cc",)),
    ValueType("gess", "move", "two points such as 'cc:cf'", ("cc:cf",)),
    ValueType("gomoku", "point stone", "a point such as 'hh'", ("hh",)),
    ValueType("gomoku", "move", "a point such as 'hh', or nothing for a pass", ("hh", "")),
    ValueType("chess", "result_ggf", "a score for White such as '+1' or '-1:r'", ("+1", "-1:r")),
)


def _words_by_grammar() -> dict[str, dict[str, str]]:
    words: dict[str, dict[str, str]] = {}
    for row in VALUE_TYPES:
        for grammar in row.grammars.split():
            words.setdefault(grammar, {}).update(dict.fromkeys(row.rules.split(), row.words))
    return words


#: Words for messages, after "expected", by grammar and rule.
EXPECTED = _words_by_grammar()
