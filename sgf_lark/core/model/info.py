"""The game info of a record, typed: players, result, date, komi ..."""

import datetime as dt
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform

from pydantic import Field

from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.frozen import EDIT_GAME, Frozen, made
from sgf_lark.core.schema.points import color_of
from sgf_lark.core.schema.values import Clock, Color, PartialDate, Result, Stamp
from sgf_lark.core.values.overtime import read_clock

if TYPE_CHECKING:
    from sgf_lark.core.schema.ranks import Rank

M = TypeVar("M", bound=Frozen)


@dataclass_transform(kw_only_default=True, frozen_default=True)
class _FromRecord(Frozen):
    """Base of what is read from a record: type checkers, too, know that nothing can be set."""

    _how_to_change: ClassVar[str] = EDIT_GAME


class Player(_FromRecord):
    """One side of a game; ``str()`` is name and rank: ``Aoki 5d``.

    Attributes:
        name, rank, team: The texts; None if there are none.
        rating: The number that GGF has instead of a rank.
        clock: Thinking time, where a GGF game gives the two players different ones.
    """

    name: str | None = None
    rank: str | None = None
    team: str | None = None
    rating: Decimal | None = None
    clock: Clock | None = None

    def __str__(self) -> str:
        rank = self.rank or (f"({self.rating})" if self.rating else None)
        return " ".join(filter(None, (self.name or "?", rank)))

    @property
    def rank_value(self) -> "Rank | None":
        """The rank as a number, ``rank_value.strength``; None if the text names none."""
        from sgf_lark.core.schema.ranks import Rank

        return None if self.rank is None else Rank.read(self.rank)


#: A player of whom nothing is known; made so, it waits for no model.
_NOBODY = Player.model_construct()


class Info(_FromRecord):
    """The game info of a record: the values of its game-info properties.

    A missing or invalid value is None; ``raw`` has the text of an invalid one.  ``str()`` is a
    line of players, result and dates: ``Aoki 5d (B) - Boggs 7k (W), B+R, 2024-03-02``.

    Attributes:
        black, white: The players.
        result: The winner and the margin, or how else the game ended.
        dates: All days that DT names; full dates, or years and months.
        komi: In points, also where the Fox server has written it in hundredths, as KM[375] for
            7.5; in GGF, as the first color sees it.
        handicap: Number of stones.
        rules, event, round, place, name, comment, source, user, annotator, copyright,
            opening, overtime: Texts.
        time_limit: In seconds (FF[4]); before FF[4] in a unit that the file does not name.
        clock: Of both players: in GGF TI; in SGF main time and overtime, where the text of OT is
            clear, or what servers write in place of it.
        moment: Date and time, in GGF.
        raw: The texts between the brackets, by identifier.
    """

    black: Player = _NOBODY
    white: Player = _NOBODY
    result: Result | None = None
    dates: tuple[dt.date | PartialDate, ...] = ()
    komi: Decimal | None = None
    handicap: int | None = None
    rules: str | None = None
    event: str | None = None
    round: str | None = None
    place: str | None = None
    name: str | None = None
    comment: str | None = None
    source: str | None = None
    user: str | None = None
    annotator: str | None = None
    copyright: str | None = None
    opening: str | None = None
    overtime: str | None = None
    time_limit: Decimal | None = None
    clock: Clock | None = None
    moment: Stamp | None = None
    raw: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    @property
    def date(self) -> dt.date | PartialDate | None:
        """The first day that DT names."""
        return self.dates[0] if self.dates else None

    def __str__(self) -> str:
        players = f"{self.black} (B) - {self.white} (W)"
        return ", ".join(map(str, filter(None, (players, self.result, *self.dates))))

    def player(self, color: Color | str) -> Player:
        """Return one side: ``B`` or ``W``.

        Raises:
            ValueError: It is none of the two.
        """
        return self.black if color_of(color) is Color.BLACK else self.white


#: Identifiers of the texts, by the name they have in :class:`Info`.
TEXTS = {
    "rules": "RU",
    "event": "EV",
    "round": "RO",
    "place": "PC",
    "name": "GN",
    "comment": "GC",
    "source": "SO",
    "user": "US",
    "annotator": "AN",
    "copyright": "CP",
    "opening": "ON",
    "overtime": "OT",
}


#: Of each other property of the game info: the side that it is about, its name there or in
#: :class:`Info`, and its type.
_FIELDS: dict[str, tuple[str, str, type]] = {
    "RE": ("", "result", Result),
    "KM": ("", "komi", Decimal),
    "HA": ("", "handicap", int),
    "TM": ("", "time_limit", Decimal),
    "TI": ("", "clock", Clock),
    "DT": ("", "dates", tuple),
    **{ident: ("", name, str) for name, ident in TEXTS.items()},
    **{
        ident: (side, name, kind)
        for side, color in (("black", "B"), ("white", "W"))
        for ident, name, kind in (
            ("P" + color, "name", str),
            (color + "R", "rank", str),
            (color + "T", "team", str),
            ("R" + color, "rating", Decimal),
            ("T" + color, "clock", Clock),
        )
    },
}


def read_info(
    value: Callable[[str], object], raw: Mapping[str, tuple[str, ...]], format: Format
) -> Info:
    """Return the :class:`Info` of a game."""
    fields: dict[str, dict[str, Any]] = {"": {"raw": dict(raw)}}
    for ident in raw.keys() & _FIELDS.keys():
        side, name, kind = _FIELDS[ident]
        typed = value(ident)
        if isinstance(typed, kind):
            fields.setdefault(side, {})[name] = typed
        elif isinstance(typed, Stamp):
            fields[side] |= {"dates": (typed.moment.date(),), "moment": typed}
        elif ident == "RU":
            fields[side][name] = raw[ident][0]
    of_game = fields.pop("")
    if format is not Format.GGF:
        seconds = of_game.get("time_limit") if format is Format.FF4 else None
        clock = read_clock(raw, seconds)
        of_game |= {} if clock is None else {"clock": clock}
    players = {side: _made(Player, known) for side, known in fields.items()}
    return _made(Info, {**of_game, **players})


def _made(model: type[M], given: dict[str, Any]) -> M:
    """Return a model of values that are of their types; see :func:`.made`."""
    return made(model, {**_DEFAULTS[model], **given}, set(given))


_DEFAULTS: dict[type[Frozen], dict[str, Any]] = {
    model: {name: field.get_default() for name, field in model.model_fields.items()}
    for model in (Player, Info)
}
