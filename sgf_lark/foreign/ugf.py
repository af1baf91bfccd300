"""UGF and UGI: the records of the server Pandanet."""

from __future__ import annotations

import re

from lark import Token

from sgf_lark.core import Span, correct_dates

from .transformer import RecordTransformer, rank_of

Fields = list[Token | None]

_ENTRY = "a move such as 'QP,B1,1,0'"


class Ugf(RecordTransformer):
    """From the tree of ugf.lark to a game."""

    name = "UGF"
    grammar = "ugf"
    suffixes = (".ugf", ".ugi")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._stones: list[tuple[str, Token]] = []
        self._at = 0  # the node at which a review stands
        self._above: list[int] = []  # where variations began
        self._main = 0  # the moves of the main line
        self._of_id: dict[int, int] = {}
        self._texts: list[Token] = []
        self._noted: int | None = None  # the move of the text that is open
        self._labels: dict[int, list[tuple[str, Token]]] = {}
        self._in_figure = False

    @classmethod
    def choose_codec(cls, data: bytes) -> str:
        named = re.search(rb"(?mi)^Lang=(\w+)", data[:_HEAD])
        wanted = "utf-8" if named and named[1].upper().startswith(b"UTF") else "cp932"
        for codec in (wanted, "utf-8"):
            try:
                data[:_HEAD].rpartition(b"\n")[0].decode(codec)
            except UnicodeDecodeError:
                continue
            return codec
        return wanted

    # ---- the header ----

    def pair(self, children: list[Token]) -> None:
        key, *value = children
        self.say(str(key).title(), value[0] if value else None)
        if str(key) == "Crypt" and value and "PLAIN" not in value[0]:
            message = "the moves of this record are ciphered, and are not read"
            self.refuse(message, value[0], _DECIPHER)

    @property
    def _side(self) -> int:
        side = self.headed("Size").strip()
        return int(side) if side.isdecimal() and 0 < int(side) <= _LARGEST else 19

    def _point(self, column: int, row: int, *, from_bottom: bool) -> str | None:
        """Return a point, by numbers from 1; "" for a pass, None for what is off the board."""
        side = self._side
        if column > side or row > side:
            return "" if column > min(side, 19) else None
        row = side - row if from_bottom else row - 1
        return chr(ord("a") + column - 1) + chr(ord("a") + row)

    # ---- the moves ----

    def entry(self, children: list[Token]) -> None:
        point, player, number, *seconds = children
        column, row = (ord(one) - ord("A") + 1 for one in point)
        from_bottom = self.headed("Coordinatetype").strip().upper() == "IGS"
        where = "" if point[0] in "YZ" else self._point(column, row, from_bottom=from_bottom)
        if where is None or self._in_figure:
            self.unread(point, _ENTRY)
        elif player == "MK" or player[0] not in "BW":
            if where == "":
                self.play("W" if len(self.nodes) % 2 else "B", "", point)
            else:
                self.unread(point, _ENTRY)
        elif int(number) == 0 and where:
            self._stones.append((where, point))
        else:
            self.play(str(player[0]), where, point)
        if seconds and seconds[0].strip(" 0'") not in {"", ":00:00"}:
            self.lose("the time of a move", seconds[0])

    def other(self, children: list[Token]) -> None:
        line = children[0] if children else None
        if line is not None and not line.lstrip().startswith(("#", ".")):
            self.unread(line, f"a header or {_ENTRY}")

    def data(self, _: Fields) -> None:
        if self._stones:
            self.put("AB", [point for point, _ in self._stones], self._stones[0][1])

    # ---- reviews: lines that leave the moves ----

    def review(self, _: Fields) -> None:
        """Do nothing: the lines were read."""

    def node(self, children: list[Token]) -> None:
        number, color, column, row = (int(one) for one in children[:4])
        if not self._of_id:
            self._main = len(self.nodes)
        if not self._above and number - 1 <= self._main:
            self._at = self._of_id[number] = number - 1
            return
        if not color:
            return
        point = self._point(column, row, from_bottom=True)
        if point is None:
            self.unread(children[1], "a point of the board")
            return
        self.play("BW"[color == _WHITE], point, children[0], parent=self._at)
        self._at = self._of_id[number] = len(self.nodes)

    def begin(self, _: Fields) -> None:
        self._above.append(self._at)

    def end(self, children: list[Token]) -> None:
        if self._above:
            self._at = self._above.pop()
        else:
            self.unread(children[0], "a variation before its end")

    def comment(self, children: Fields) -> None:
        number, *lines = children
        node = self._of_id.get(int(str(number)), int(str(number)) - 1)
        self._comment(min(max(node, 0), len(self.nodes)), [one for one in lines if one is not None])

    def text_line(self, children: list[Token]) -> Token | None:
        return children[0] if children else None

    def _comment(self, node: int, lines: list[Token]) -> None:
        text = "\n".join(map(str, lines)).strip()
        if text:
            self.remark(text, Span(lines[0].start_pos or 0, lines[-1].end_pos or 0), node)

    # ---- figures: texts and labels of moves ----

    def note(self, children: list[Token]) -> None:
        self._noted, self._texts = (None if self._in_figure else int(children[0])), []

    def line(self, children: list[Token]) -> None:
        if self._noted is not None:
            self._texts += children

    def mark(self, children: list[Token]) -> None:
        column, row, *label = children
        from_bottom = self.headed("Coordinatetype").strip().upper() == "IGS"
        point = self._point(int(column), int(row), from_bottom=from_bottom)
        if self._noted is not None and point and label:
            self._labels.setdefault(self._noted, []).append((f"{point}:{label[0].strip()}", column))

    def note_end(self, _: Fields) -> None:
        if self._noted is not None and self._noted <= len(self.nodes):
            self._comment(self._noted, self._texts)
        self._noted = None

    def figure(self, children: list[Token]) -> None:
        self._in_figure = True
        self.lose("a figure", children[0])

    def figure_end(self, _: Fields) -> None:
        self._in_figure, self._noted = False, None

    def unknown(self, children: Fields) -> None:
        self.lose("a section of no moves", children[0])

    def header(self, _: Fields) -> None:
        """Do nothing: the lines were read."""

    comments = figures = header

    def record(self, _: Fields) -> None:
        for node, labels in self._labels.items():
            if node <= len(self.nodes):
                self.add(node, "LB", [label for label, _ in labels], labels[0][1])
        stones = self.headed("Hdcp").partition(",")[0].strip()
        if stones.isdecimal() and int(stones) > 1:
            self.put("HA", str(int(stones)), self.header_token("Hdcp"))
        for key in ("Playerb", "Playerw", "Playerb2", "Playerw2"):
            if self.headed(key).count(",") > 1:
                self.lose("the team or the address of a player", self.header_token(key))
        for key in ("Writer", "Code", "Moves"):
            if self.headed(key).strip(" 0"):
                self.lose("a header of the program", self.header_token(key))

    # ---- values ----

    def player_name(self, fields: Fields) -> str | None:
        return self._of_both(fields, 0)

    def rank(self, fields: Fields) -> str | None:
        return self._of_both(fields, 1)

    def _of_both(self, fields: Fields, at: int) -> str:
        """Return a field of a player, in pair go with that of the partner."""
        own = next(key for key in ("Playerb", "Playerw") if self._is_of(key, fields))
        partner = self.headed(f"{own}2").split(",")
        both = [text_of(fields, at), partner[at].strip() if at < len(partner) else ""]
        shown = (rank_of(one.replace("-dan", "d")) if at else one for one in both if one)
        return " & ".join(shown)

    def _is_of(self, key: str, fields: Fields) -> bool:
        whole = ",".join("" if field is None else str(field) for field in fields)
        return self.headed(key) == whole

    def event(self, fields: Fields) -> str:
        parts = [text_of(fields, at) for at in (0, 1)]
        return " ".join(part for part in parts if part and part != "(NoName)")

    def round(self, fields: Fields) -> str:
        return text_of(fields, 2)

    def date(self, fields: Fields) -> str | None:
        first, last = (correct_dates(text_of(fields, at)) or "" for at in (0, 2))
        if not first or not last or first == last:
            return first or last or None
        same = next((end for end in (8, 5) if first[:end] == last[:end]), 0)
        return f"{first},{last[same:]}"

    def rules(self, fields: Fields) -> str:
        rule = text_of(fields, 0)
        return {"JPN": "Japanese", "CHN": "Chinese", "CH": "Chinese"}.get(rule, rule)

    def number(self, children: list[Token]) -> str:
        return str(int(children[0]))

    def komi(self, fields: Fields) -> str | None:
        text = ".".join(part for at in (1, 2) if (part := text_of(fields, at)))
        return self.real(text) if text else None

    def main_time(self, fields: Fields) -> str | None:
        parts = text_of(fields, 0).split(";")
        minutes = parts[1] if len(parts) > 1 else ""
        if any(part.strip(" 0") for part in parts[2:]):
            self.lose("the overtime", self.header_token("Ptime"))
        return str(60 * int(minutes)) if minutes.isdecimal() and int(minutes) else None

    def winner(self, fields: Fields) -> str | None:
        winner, how = (text_of(fields, at).upper() for at in (0, 1))
        if winner[:1] in _OPEN:
            return None
        if winner[:1] in _NO_WINNER:
            return _NO_WINNER[winner[:1]]
        if winner not in {"B", "W"}:
            self.reject(winner)
        way = "R" if how[:1] in _RESIGNED else how[:1] if how[:1] in {"T", "F"} else ""
        return f"{winner}+{way or (self.real(how) if how else '')}"


def text_of(fields: Fields, at: int) -> str:
    """Return a field; "" without it."""
    field = fields[at] if at < len(fields) else None
    return "" if field is None else str(field).strip()


#: Bytes of a file in which its header is; the largest board; the number of White in a review.
_HEAD, _LARGEST, _WHITE = 1 << 14, 24, 2

#: The first letters of Winner: nobody has won yet; nobody has won.
_OPEN, _NO_WINNER = ("A", "P", "E"), {"D": "0", "N": "Void", "O": "Void"}
_RESIGNED = ("C", "G", "E")

_DECIPHER = "save it without a cipher in the program that it comes from"
