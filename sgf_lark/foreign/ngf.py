"""NGF: the records of the servers Cyber Oro and wBaduk."""

from __future__ import annotations

from lark import Token

from sgf_lark.core import correct_dates

from .rules import ASSUMED, UNREAD_HEADER
from .transformer import RecordTransformer, check_moves, rank_of

#: The lines before the moves of the usual form.
HEADERS = 12

_MOVE = "a move such as 'PMABBREER'"


class Ngf(RecordTransformer):
    """From the tree of ngf.lark to a game."""

    name = "NGF"
    grammar = "ngf"
    suffixes = (".ngf",)

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._lines = self._tags = 0

    @classmethod
    def header_of(cls, data: bytes) -> bytes:
        return data.partition(b"\nPM")[0]

    # ---- lines ----

    def record(self, _: list[None]) -> None:
        is_tagged = self._tags > self._lines
        key = "GI8" if is_tagged else "6"
        self.set_handicap(self.counted(key) or 0, key)
        if is_tagged:
            self.report(ASSUMED, "the first player is taken for White", self.header_token("GI2"))
        elif self._lines != HEADERS:
            message = f"{self._lines} lines before the moves: expected {HEADERS}"
            self.report(UNREAD_HEADER, message, None, "some may be missing, and others misread")
        check_moves(self, "GI11" if is_tagged else "12", len(self.nodes))
        if "[" in self.headed("9"):
            self.lose("the time of day", self.header_token("9"))
        if ">>" in self.headed("11"):
            self.lose("the count of both sides", self.header_token("11"))

    def header(self, children: list[Token]) -> None:
        self._lines += 1
        self.say(str(self._lines), children[0] if children else None)

    def tagged(self, children: list[Token]) -> None:
        tag, *line = children
        self._tags += tag == "GI"
        self.say(f"GI{self._tags}" if tag == "GI" else str(tag), line[0] if line else None)

    def move(self, children: list[Token]) -> None:
        move, *more = children
        column, row = move[5], move[6]
        if move[7:] != row + column or (column == "A") != (row == "A"):  # said twice, mirrored
            self.unread(move, _MOVE)
            return
        point = "" if column == "A" else "".join(chr(ord(one) - 1) for one in (column, row)).lower()
        self.play(move[4], point, move)
        self.unread(more[0] if more else None, "nothing after the move")

    def other(self, children: list[Token]) -> None:
        self.unread(children[0] if children else None, _MOVE)

    # ---- values ----

    def player_name(self, children: list[Token]) -> str | None:
        return next((str(one).strip() for one in children if one.type == "NAME"), None)

    def rank(self, children: list[Token]) -> str | None:
        return next((rank_of(one) for one in children if one.type == "RANK"), None)

    def kind(self, children: list[Token]) -> str:
        return str(children[0]).strip()

    def event(self, children: list[Token]) -> str:
        return str(children[0]).strip()

    def nothing(self, children: list[Token]) -> None:
        """Return nothing: the line says something else."""

    def number(self, children: list[Token]) -> str:
        return str(int(children[0]))

    def komi(self, children: list[Token]) -> str:
        stones = self.headed("6") or self.headed("GI8")
        return f"{int(children[0])}{'' if stones.strip().strip('0') else '.5'}"

    def minutes(self, children: list[Token]) -> str:
        self.report(ASSUMED, "the number is taken for minutes", self.header_token("10"))
        return str(60 * int(children[0]))

    def date(self, children: list[Token]) -> str | None:
        return correct_dates(str(children[0]))

    def result(self, children: list[Token]) -> str | None:
        said = {one.type: str(one) for one in reversed(children)}
        if "UNFINISHED" in said:
            return None
        if ("BLACK" in said) is ("WHITE" in said):
            self.reject("both or none has won")
        winner = "B" if ("BLACK" in said) is not ("LOSES" in said) else "W"
        if "RESIGNATION" in said or "TIME_OUT" in said:
            return f"{winner}+{'R' if 'RESIGNATION' in said else 'T'}"
        points = said.get("POINTS", "")
        number = points.rstrip("半반 집目子")
        return f"{winner}+{number}{'.5' * points.endswith(('半', '반'))}"

    def ending(self, children: list[str | None]) -> str | None:
        return children[0]
