"""GIB: the records of the server Tygem and its branches."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from lark import Discard, Token

from sgf_lark.core import Span, correct_result

from .rules import ASSUMED, CUT_RECORD, UNREAD_HEADER, UNREAD_LINE
from .transformer import RecordTransformer, check_moves, rank_of

#: The side of a board whose record does not say it, and those that one may say.
USUAL_SIDE, SIDES = 19, range(5, 27)

#: The codes of results; the margin of the first two is another header, and 255 has none.
RESULTS = {
    0: "B+", 1: "W+", 2: "0", 3: "B+R", 4: "W+R", 5: "B+F", 6: "W+F", 7: "B+T", 8: "W+T", 255: "",
}  # fmt: skip

#: The encodings of the branches, by the two headers that name the branch.
CODECS = {
    b"GIBOKIND=Korea": "cp949",
    b"GIBOKIND=China": "gb18030",
    b"GIBOKIND=Taiwan": "big5",
    b"GIBOKIND=Japan": "cp932",
    b"GIBOKIND=Global": "utf-8",
    b"GBKIND:0,": "cp949",
    b"GBKIND:2,": "gb18030",
    b"GBKIND:3,": "utf-8",
    b"GBKIND:4,": "big5",
    b"GBKIND:5,": "gb18030",
}

#: What a game of FF[4] has nothing of, by the beginnings of headers and messages.
LOST = {
    "GAMEWAVATA": "avatars, pictures and countries",
    "WAID": "avatars, pictures and countries",
    "AUSZ": "AUSZ and other headers whose meaning is not known",
    "REM": "the count of the end",
    "DSC": "the count of the end",
    "SUR": "the message that a player resigned",
    "IDX": "a message whose meaning is not known",
}

_MESSAGE = "a message such as 'STO 0 2 1 15 3'"


class _Move(NamedTuple):
    """A message that moves.

    Attributes:
        color: "" of a pass, which does not say whose it is.
    """

    color: str
    point: str
    place: Token


class Gib(RecordTransformer):
    """From the tree of gib.lark to a game."""

    name = "GIB"
    grammar = "gib"
    suffixes = (".gib",)

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._moves: list[_Move] = []
        self._variations: list[tuple[int, Sequence[_Move]]] = []
        self._is_ended = False
        self._last: Token | None = None
        self._told: set[str] = set()

    @classmethod
    def choose_codec(cls, data: bytes) -> str:
        codec = super().choose_codec(data)
        if codec == "utf-8":
            return codec
        header = cls.header_of(data)
        return next((own for sign, own in CODECS.items() if sign in header), codec)

    @classmethod
    def header_of(cls, data: bytes) -> bytes:
        return data.partition(b"\\GS")[0]

    # ---- parts ----

    def record(self, _: list[None]) -> None:
        check_moves(self, "TCNT")
        if not self._is_ended:
            end = Span(len(self.text), len(self.text))
            help_ = "load the record again, if moves are missing"
            self.report(CUT_RECORD, r"no '\GE' ends the moves", end, help_)
        for parent, moves in sorted(self._variations, key=lambda one: -one[0]):  # as a text has it
            for color, point, place in moves:
                self.play(color, point, place, parent)
                parent = len(self.nodes)
        self.put("SZ", str(self._side()), self.header_token("LINE"))
        self.set_handicap(self._handicap(), "INI" if self.headed("INI") else "R", self._side())
        for header, what in LOST.items():
            self._lose_once(what, self.header_token(header))

    def property(self, children: list[Token]) -> object:
        name, *value = children
        self.say(name[2:-1], self._closed(name, value))
        return Discard

    def items(self, children: list[Token]) -> object:
        self._closed(self._last, children)
        return Discard

    def item(self, children: list[Token]) -> object:
        key, *value = children
        self._last = children[-1]
        self.say(key.strip(",:\t "), value[0] if value else None)
        return Discard

    def game(self, moves: list[_Move]) -> None:
        self._moves = [*self._colored(moves)]
        for move in self._moves:
            self.play(*move)

    def end(self, _: list[None]) -> None:
        self._is_ended = True

    def other(self, children: list[Token]) -> object:
        self.unread(children[0], _MESSAGE)
        return Discard

    def stray(self, children: list[Token]) -> object:
        self.unread(children[0], "a remark, or nothing")
        return Discard

    rest = stray

    # ---- messages ----

    def initial(self, children: list[Token]) -> object:
        handicap, chat = children
        self.say("INI", handicap)
        if chat[2:].strip():
            self.lose("the text behind INI", chat)
        return Discard

    def stone(self, children: list[Token]) -> object:
        *_, player, x, y = children[0].split()
        if max(int(x), int(y)) >= self._side():
            return self.other(children)
        point = "".join(chr(ord("a") + int(one)) for one in (x, y))
        return _Move("BW"[int(player) - 1], point, children[0])

    def skip(self, children: list[Token]) -> _Move:
        return _Move("", "", children[0])

    def undo(self, children: list[Token]) -> object:
        help_ = "remove it, if the next one shows that"
        self.report(ASSUMED, "a move that was perhaps taken back is kept", children[0], help_)
        return Discard

    def lost(self, children: list[Token]) -> object:
        self._lose_once(LOST[children[0][:3]], children[0])
        return Discard

    # ---- remarks ----

    def note(self, children: list[Token]) -> tuple[Token, Token | None]:
        name, *value = children
        return name, self._closed(name, value)

    def variation(self, moves: list[_Move]) -> list[_Move]:
        return [*self._colored(moves)]

    def explained(self, parts: list[list[_Move] | tuple[Token, Token | None]]) -> None:
        last = at = len(self._moves)
        for part in parts:
            if isinstance(part, list):
                same = self._count_same(part)
                self._variations.append((min(at, same), part[min(at, same) :]))
                continue
            name, value = part
            if value is None:
                continue
            if name == r"\[REFEXPLAIN=":
                self.remark(value.strip(), value, at)
            elif name == r"\[REFSUSUN=" and value.strip().isdecimal():
                at = min(int(value), last)
            else:
                self.unread(value, "a number of moves, a text or a variation")

    def _count_same(self, moves: list[_Move]) -> int:
        pairs = enumerate(zip(moves, self._moves, strict=False))
        shorter = min(len(moves), len(self._moves))
        return next((at for at, (one, other) in pairs if one[:2] != other[:2]), shorter)

    # ---- values ----

    def player_name(self, children: list[Token]) -> str:
        return str(children[0]).strip()

    def rank(self, children: list[Token]) -> str | None:
        return rank_of(children[1]) if len(children) > 1 else None

    def level(self, children: list[Token]) -> str:
        if children[0].type != "NUMBER":
            return rank_of(children[0])
        code = int(children[0])
        if code > 35:
            self.reject("no level")
        return f"{18 - code}k" if code < 18 else f"{code - 17}d" if code < 27 else f"{code - 26}p"

    def nothing(self, children: list[Token]) -> None:
        """Return nothing: it is said elsewhere, or not at all."""

    def nick(self, children: list[Token]) -> str:
        text = children[0].strip()
        is_odd = text.isascii() or text[-1].isascii()
        wide = text[: len(text) - is_odd].encode("utf-16-le", "replace").decode("latin-1")
        is_global = self.headed("GIBOKIND") == "Global" or self.headed("GBKIND") == "3"
        if text.isascii() or not (is_global and wide.isascii() and wide.isprintable()):
            return text
        name = wide + text[-1] * is_odd
        message = f"{name!r} is the name, if {text!r} is ASCII that was read as UTF-16"
        self.report(ASSUMED, message, self._place_of(text))
        return name

    def misread(self, children: list[Token]) -> None:
        text = children[0].strip()
        if text not in self._told:
            self._told.add(text)
            message = f"{text!r} is left out: an earlier copy has spoilt it"
            self.report(UNREAD_HEADER, message, self._place_of(text))

    def clean(self, children: list[Token]) -> str:
        return str(children[0]).strip()

    def number(self, children: list[Token]) -> str:
        return str(int(children[0]))

    def komi(self, children: list[Token]) -> str:
        return f"{int(children[0]) / 10:g}"

    def reverse(self, children: list[Token]) -> str | None:
        points = int(children[0])
        return f"-{points}" if points else None

    def result(self, children: list[Token]) -> str | None:
        code = int(children[0])
        if code not in RESULTS:
            self.reject("no code of a result")
        if code > 1:
            return RESULTS[code]
        margin = (self.headed("ZIPSU") or self.headed("Z")).strip()
        if margin.isdecimal() and int(margin):
            return f"{RESULTS[code]}{int(margin) / 10:g}"
        message = f"{RESULTS[code]!r} is said without a margin"
        self.report(ASSUMED, message, self.header_token("GRLT"), "add it, if it is known")
        return RESULTS[code]

    def result_in_words(self, children: list[Token]) -> str | None:
        winner, how = children
        said = "F" if how.type == "DISCONNECTION" else str(how)
        return None if self._has_code() else f"{winner[0].upper()}+{said}"

    def result_as_elsewhere(self, children: list[Token]) -> str | None:
        if self._has_code():
            return None
        return correct_result(children[0].strip()) or self.reject("no result")

    def main_time(self, children: list[Token]) -> str:
        return str(int(children[0]))

    def overtime(self, children: list[Token]) -> str | None:
        return _periods(*children[1:])

    def tagged_main_time(self, children: list[Token]) -> str | None:
        return None if self.headed("GTIME") else str(int(children[2]))

    def tagged_overtime(self, children: list[Token]) -> str | None:
        return None if self.headed("GTIME") else _periods(*children[:2])

    def main_time_in_words(self, children: list[Token]) -> str | None:
        said = _numbers(children)
        return str(60 * said["MINUTES"]) if "MINUTES" in said else None

    def overtime_in_words(self, children: list[Token]) -> str | None:
        said = _numbers(children)
        return _periods(said.get("SECONDS", 0), said.get("PERIODS", 0))

    def date(self, children: list[Token]) -> str | None:
        year, month, day = (int(one) for one in children[:3])
        if len(children) > 3:
            place = next(self.header_token(one) for one in ("GDATE", "GAMEDATE", "C") if self.headed(one))
            self._lose_once("the time of day", place)
        try:
            return datetime.date(year, month, day).isoformat()
        except ValueError:
            self.reject("no date")

    # ---- what these call ----

    def _side(self) -> int:
        side = self.headed("LINE").strip()
        return int(side) if side.isdecimal() and int(side) in SIDES else USUAL_SIDE

    def _handicap(self) -> int:
        stones = (self.headed("INI") or self.headed("R")).strip()
        return int(stones) if stones.isdecimal() else 0

    def _colored(self, moves: list[_Move]) -> Iterator[_Move]:
        """Yield the moves; a pass is one of the player who did not move last."""
        color = "B" if self._handicap() > 1 else "W"
        for move in moves:
            color = move.color or ("W" if color == "B" else "B")
            yield move._replace(color=color)

    def _has_code(self) -> bool:
        return bool(self.headed("GRLT").strip() or self.headed("W").strip())

    def _closed(self, name: Token | None, value: Sequence[Token | None]) -> Token | None:
        """Return a value before its end; report that this is missing."""
        last = value[-1] if value else name
        if last is not None and last.type == "CLOSE":
            return value[-2] if len(value) > 1 else None
        help_ = "it is taken up to the next part of the record"
        self.report(UNREAD_LINE, r"no '\]' ends a value", last, help_)
        return last if value else None

    def _lose_once(self, what: str, place: Token | None) -> None:
        if place is not None and place.strip() and what not in self._told:
            self._told.add(what)
            self.lose(what, place)

    def _place_of(self, text: str) -> Token | None:
        return next((one for one in self._headers.values() if one.strip() == text), None)


def _numbers(children: Sequence[Token]) -> dict[str, int]:
    """Return the number that each kind of token begins with."""
    return {one.type: int("".join(takewhile(str.isdecimal, one))) for one in children}


def _periods(seconds: str | int, periods: str | int) -> str | None:
    return f"{int(periods)}x{int(seconds)} byo-yomi" if int(periods) and int(seconds) else None
