"""MAT: matches of backgammon, a game for each of the match."""

from __future__ import annotations

import re
from itertools import pairwise

from lark import Token

from sgf_lark.core import correct_dates, grammars

from .transformer import RecordTransformer

#: The names of the players, left and right, and the points that they have.
_PLAYERS = re.compile(r" *(.+?) : ([0-9]+) +(.+) : ([0-9]+) *")

#: From this column on, what stands alone on a line is of the right player.
_RIGHT = 20


class Mat(RecordTransformer):
    """From the tree of mat.lark to games: the left player is White, as GNU Backgammon has it."""

    name = "MAT"
    grammar = "mat"
    suffixes = (".mat",)
    game_number = "6"

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._file = grammars.source(self.grammar)
        self._number = 0

    # ---- lines ----

    def record(self, _: list[None]) -> None:
        """Do nothing: the lines were read."""

    def tag(self, children: list[Token]) -> None:
        name, text = children
        start = (text.start_pos or 0) + len(' "')
        value = str(text)[len(' "') :].partition('"]')[0]
        self.say(str(name), Token("TEXT", value, start, end_pos=start + len(value)))

    def length(self, children: list[Token]) -> None:
        self.say("length", children[0])

    def begin(self, children: list[Token]) -> None:
        if self._number:
            self.end_game(self._file)
        self._number = int(children[0].split()[1])

    def players(self, children: list[Token]) -> None:
        found = _PLAYERS.fullmatch(children[0])
        if found is None or self.nodes:
            self.other(children)
            return
        self.put("PW", self.escaped(found[1]), children[0])
        self.put("PB", self.escaped(found[3]), children[0])
        length = self.headed("length").split()[:1] or ["0"]
        game = max(self._number - 1, 0)
        scores = (f"length:{length[0]}", f"game:{game}", f"ws:{found[2]}", f"bs:{found[4]}")
        self.put("MI", scores, children[0])

    def line(self, children: list[Token]) -> None:
        (line,) = children
        for color, text in self.value(self._file, "turn", str(line)):
            self.play(color, text, line)

    def wins(self, children: list[Token]) -> None:
        (line,) = children
        winner = "B" if len(line) - len(line.lstrip()) >= _RIGHT else "W"
        self.put("RE", f"{winner}+{line.split()[1]}", line)

    def other(self, children: list[Token]) -> None:
        line = children[0] if children else None
        if line is not None and not line.lstrip().startswith(";"):
            self.unread(line, "a line such as '1) 31: 8/5 6/5   52: 13/8 24/22'")

    # ---- values ----

    def turn(self, children: list[Token | list[Token]]) -> list[tuple[str, str]]:
        moves: list[tuple[str, str]] = []
        column = 0
        for child in children:
            if isinstance(child, list):
                color = "B" if moves or column >= _RIGHT else "W"
                moves.append((color, move_of(color, child)))
            else:
                column += len(child)
        return moves

    def action(self, children: list[Token]) -> list[Token]:
        return children

    def date(self, children: list[Token]) -> str | None:
        return correct_dates(str(children[0]))


def move_of(color: str, action: list[Token]) -> str:
    """Return a move as SGF has it: dice, and pairs of points in the letters of both players."""
    first, *steps = action
    if first.type == "CUBE":
        word = first.split()[0].lower()
        return {"doubles": "double", "takes": "take", "drops": "drop"}[word]
    pairs = []
    for step in " ".join(steps).lower().replace("cannot move", "").replace("*", "").split():
        path, _, times = step.partition("(")
        points = [letter_of(color, point) for point in path.split("/")]
        pairs += [a + b for a, b in pairwise(points)] * int(times[:1] or 1)
    return first[:2] + "".join(pairs)


def letter_of(color: str, point: str) -> str:
    """Return the letter of a point: White's first one is "a", Black's is "x"; bar and tray."""
    number = {"bar": 25, "off": 0}.get(point) if not point.isdecimal() else int(point)
    if number is None or number > 24:  # noqa: PLR2004  # the points of a board
        return "y"
    if number == 0:
        return "z"
    return chr(ord("a") + number - 1) if color == "W" else chr(ord("x") - number + 1)
