"""GIB: the records of the server Tygem and its branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from lark import Token

from sgf_lark.core import Span, correct_dates, correct_result

from .rules import ASSUMED, CUT_RECORD, UNREAD_HEADER, UNREAD_LINE
from .transformer import RecordTransformer, check_moves, rank_of

#: The side of a board whose record does not say it, and those that one may say.
USUAL_SIDE, SIDES = 19, range(5, 27)

#: The first codes of the ranks of dan and of professionals, and the last one.
FIRST_DAN, FIRST_PROFESSIONAL, LAST_RANK = 18, 27, 35

#: The codes of results.  The margin of the first two is another header.
RESULTS = {
    0: "B+", 1: "W+", 2: "0", 3: "B+R", 4: "W+R", 5: "B+F", 6: "W+F", 7: "B+T", 8: "W+T",
}  # fmt: skip

#: The encodings of the branches, by the two headers that name the branch.
CODECS = {
    b"GIBOKIND=Korea": "cp949", b"GIBOKIND=China": "gb18030", b"GIBOKIND=Global": "utf-8",
    b"GIBOKIND=Taiwan": "big5", b"GIBOKIND=Japan": "cp932", b"GBKIND:0,": "cp949",
    b"GBKIND:2,": "gb18030", b"GBKIND:3,": "utf-8", b"GBKIND:4,": "big5", b"GBKIND:5,": "gb18030",
}  # fmt: skip

#: What a game of FF[4] has nothing of, by headers and messages.
LOST = {
    **dict.fromkeys(("GAMEWAVATA", "WAID"), "avatars, pictures and countries"),
    **dict.fromkeys(("REM", "DSC"), "the count at the end"),
    **dict.fromkeys(("AUSZ", "IDX"), "what nobody has described, such as AUSZ"),
    "SUR": "the message that a player resigned",
}

_MESSAGE = "a header, or a message such as 'STO 0 2 1 15 3'"


class _Move(NamedTuple):
    color: str  # "" of a pass, which does not say whose it is
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
        self._at = 0  # the node to which a remark belongs
        self._spoilt: set[str] = set()

    @classmethod
    def choose_codec(cls, data: bytes) -> str:
        codec, header = super().choose_codec(data), cls.header_of(data)
        if codec == "utf-8":
            return codec
        return next((own for sign, own in CODECS.items() if sign in header), codec)

    @classmethod
    def header_of(cls, data: bytes) -> bytes:
        return data.partition(b"\\GS")[0]

    # ---- parts ----

    def record(self, children: list[bool | None]) -> None:
        check_moves(self, "TCNT", len(self._moves))
        if not any(children):  # of an end
            end = Span(len(self.text), len(self.text))
            help_ = "load the record again, if moves are missing"
            self.report(CUT_RECORD, r"no '\GE' ends the moves", end, help_)
        self.put("SZ", str(self._side()), self.header_token("LINE"))
        self.set_handicap(self._handicap(), "INI" if self.headed("INI") else "R", self._side())
        for header, what in LOST.items():
            if self.headed(header):
                self.lose(what, self.header_token(header))

    def property(self, children: list[Token]) -> None:
        self.say(children[0][2:-1], self._closed(children))

    def items(self, children: list[Token | None]) -> None:
        self._closed([*filter(None, children)])

    def item(self, children: list[Token]) -> None:
        key, *value = children
        self.say(key.strip(",:\t "), value[0] if value else None)

    def game(self, children: list[_Move | None]) -> None:
        self._moves = [*self._colored(children)]
        for move in self._moves:
            self.play(*move)

    def end(self, _: list[Token]) -> bool:
        return True

    def other(self, children: list[Token]) -> None:
        self.unread(children[0], _MESSAGE)

    def stray(self, children: list[Token]) -> None:
        self.unread(children[0], "a remark, or nothing")

    rest = stray

    # ---- messages ----

    def initial(self, children: list[Token]) -> None:
        handicap, chat = children
        self.say("INI", handicap)
        if chat[2:].strip():
            self.lose("the text after INI", chat)

    def stone(self, children: list[Token]) -> _Move | None:
        *_, player, x, y = children[0].split()
        if max(int(x), int(y)) >= self._side():
            self.other(children)
            return None
        point = "".join(chr(ord("a") + int(one)) for one in (x, y))
        return _Move("BW"[int(player) - 1], point, children[0])

    def skip(self, children: list[Token]) -> _Move:
        return _Move("", "", children[0])

    def undo(self, children: list[Token]) -> None:
        help_ = "remove it, if the next moves show that"
        self.report(ASSUMED, "a move that was perhaps taken back is kept", children[0], help_)

    def lost(self, children: list[Token]) -> None:
        self.lose(LOST[children[0][:3]], children[0])

    # ---- remarks ----

    def begin(self, _: list[Token]) -> None:
        self._at = len(self._moves)

    def note(self, children: list[Token]) -> None:
        name, value = children[0][2:-1], self._closed(children)
        if value is not None and name == "REFEXPLAIN":
            self.remark(value.strip(), value, self._at)
        elif value is not None and name == "REFSUSUN" and value.strip().isdecimal():
            self._at = min(int(value), len(self._moves))
        else:
            self.unread(value, "a number of moves, a text or a variation")

    def variation(self, children: list[_Move | None]) -> None:
        moves = [*self._colored(children)]
        both = zip(moves, self._moves, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0][:2] == pair[1][:2], both))
        at = min(same, self._at)
        for number, move in enumerate(moves[at:]):
            self.play(*move, None if number else at)

    # ---- values ----

    def clean(self, children: list[Token]) -> str:
        return str(children[0]).strip()

    player_name = clean

    def nick(self, children: list[Token]) -> str:
        text = children[0].strip()
        tail = text[-1] if text[-1].isascii() else ""
        name = text.removesuffix(tail).encode("utf-16-le", "replace").decode("latin-1") + tail
        is_global = self.headed("GIBOKIND") == "Global" or self.headed("GBKIND") == "3"
        if text.isascii() or not (is_global and name.isascii() and name.isprintable()):
            return text
        message = f"{name!r} is the name, if {text!r} is ASCII that was read as UTF-16"
        self.report(ASSUMED, message, self.reading)
        return name

    def misread(self, children: list[Token]) -> None:
        text = children[0].strip()
        if text not in self._spoilt:  # two headers may have it
            self._spoilt.add(text)
            message = f"{text!r} is left out: an earlier copy has spoilt it"
            self.report(UNREAD_HEADER, message, self.reading)

    def nothing(self, children: list[Token]) -> None:
        """Return nothing: another header says it, or none."""

    def rank(self, children: list[Token]) -> str | None:
        return next((rank_of(one) for one in children if one.type == "RANK"), None)

    def level(self, children: list[Token]) -> str:
        if children[0].type != "NUMBER":
            return rank_of(children[0])
        code = int(children[0])
        if code > LAST_RANK:
            self.reject("no rank has this code")
        if code >= FIRST_PROFESSIONAL:
            return f"{code - FIRST_PROFESSIONAL + 1}p"
        return f"{FIRST_DAN - code}k" if code < FIRST_DAN else f"{code - FIRST_DAN + 1}d"

    def komi(self, children: list[Token]) -> str:
        return f"{int(children[0]) / 10:g}"

    def reverse(self, children: list[Token]) -> str | None:
        return f"-{int(children[0])}" if int(children[0]) else None

    def result(self, children: list[Token]) -> str:
        result = RESULTS.get(int(children[0])) or self.reject("no result has this code")
        if not result.endswith("+"):
            return result
        margin = self.counted("ZIPSU") or self.counted("Z")
        if margin:
            return f"{result}{margin / 10:g}"
        message = f"the result {result!r} by points has no margin"
        self.report(ASSUMED, message, self.reading)
        return result

    def result_in_words(self, children: list[Token]) -> str | None:
        if self.headed("GRLT").strip() or self.headed("W").strip():
            return None
        return correct_result(children[0].strip()) or self.reject("no result")

    def main_time(self, children: list[Token]) -> str | None:
        said = _numbers(children)
        hours, minutes = said.get("IN_HOURS", 0), said.get("IN_MINUTES", 0)
        return str(said.get("MAIN", 3600 * hours + 60 * minutes)) if said else None

    def overtime(self, children: list[Token]) -> str | None:
        said = _numbers(children)
        seconds = said.get("SECONDS", said.get("IN_SECONDS"))
        periods = said.get("PERIODS", said.get("IN_PERIODS"))
        return f"{periods}x{seconds} byo-yomi" if seconds and periods else None

    def main_time_elsewhere(self, children: list[Token]) -> str | None:
        return None if self.headed("GTIME") else self.main_time(children)

    def overtime_elsewhere(self, children: list[Token]) -> str | None:
        return None if self.headed("GTIME") else self.overtime(children)

    def date(self, children: list[Token]) -> str:
        year, month, day, *time = children
        if time:
            self.lose("the time of day", self.reading)
        return correct_dates(f"{int(year):04}-{int(month):02}-{int(day):02}") or self.reject("none")

    # ---- what these call ----

    def _side(self) -> int:
        side = self.counted("LINE") or USUAL_SIDE
        return side if side in SIDES else USUAL_SIDE

    def _handicap(self) -> int:
        return self.counted("INI" if self.headed("INI") else "R") or 0

    def _colored(self, moves: Sequence[_Move | None]) -> Iterator[_Move]:
        """Yield the moves; a pass is one of the player who did not move last."""
        color = "B" if self._handicap() > 1 else "W"
        for move in filter(None, moves):
            color = move.color or ("W" if color == "B" else "B")
            yield move._replace(color=color)

    def _closed(self, children: Sequence[Token]) -> Token | None:
        """Return the value between a name and its end; report that the end is missing."""
        if children[-1].type != "CLOSE":
            help_ = "it is taken up to the next part of the record"
            self.report(UNREAD_LINE, r"no '\]' ends a value", children[0], help_)
        return next((one for one in children[1:] if one.type != "CLOSE"), None)


def _numbers(children: Sequence[Token]) -> dict[str, int]:
    """Return the number that each kind of token begins with."""
    return {one.type: int("".join(takewhile(str.isdecimal, one))) for one in children}
