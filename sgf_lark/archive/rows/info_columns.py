"""The columns of ``games`` that the game info has, each typed value with its text beside it."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from sgf_lark.model.info import Info, Player
from sgf_lark.model.property import Content
from sgf_lark.schema.formats import Format
from sgf_lark.schema.ranks import MAX_TEXT, Rank
from sgf_lark.schema.results import Result
from sgf_lark.schema.values import Application, PartialDate

#: The ends of numbers of 32 bits.
LEAST, MOST = -(1 << 31), (1 << 31) - 1

#: The property of each column with a text, by format: the first of these that a game has.
RAW = {
    "raw_date": ("DT",),
    "raw_result": ("RE",),
    "raw_komi": ("KM",),
    "raw_handicap": ("HA",),
    "raw_rules": ("RU",),
    "raw_time": ("TM", "TI"),
}


def info_columns(info: Info, root: Content, format: Format) -> dict[str, Any]:
    """Return the columns of a game that its game info and its first node have.

    Args:
        info: The game info.
        root: The properties of the first node.
        format: In which the game is read; before FF[4] the unit of TM is not known.
    """
    application, version = _program(root)
    days = date_span(info.dates)
    return {
        "application": application,
        "version": version,
        **_player("black", info.black),
        **_player("white", info.white),
        "event": info.event,
        "place": info.place,
        "round": info.round,
        "name": info.name,
        "rules": info.rules,
        "komi": real(info.komi),
        "handicap": whole(info.handicap),
        "time_limit": _time_limit(info, format),
        "overtime": info.overtime,
        "date_first": days and days[0],
        "date_last": days and days[1],
        **result_columns(info.result),
        **{column: _raw(info.raw, idents) for column, idents in RAW.items()},
        "raw_size": next(("][".join(prop.raw) for prop in root if prop.ident == "SZ"), None),
    }


def _strength(rank: str) -> float | None:
    """Return the number of a rank; None if the text names none."""
    found = Rank.read(rank)
    return None if found is None else found.strength


def _player(side: str, player: Player) -> dict[str, Any]:
    return {
        side: player.name,
        f"{side}_rank": player.rank,
        f"{side}_strength": None if player.rank is None else _strength(player.rank[:MAX_TEXT]),
        f"{side}_rating": real(player.rating),
        f"{side}_team": player.team,
    }


def _program(root: Content) -> tuple[str | None, str | None]:
    """Return the name and the version of the program that wrote a game."""
    value = next((prop.value for prop in root if prop.ident == "AP"), None)
    if isinstance(value, Application):
        return value.name, value.version
    return (value if isinstance(value, str) else None), None


def _time_limit(info: Info, format: Format) -> float | None:
    """Return the seconds of each player, where the format gives their unit."""
    if format is Format.GGF:
        clocks = (info.clock, info.black.clock, info.white.clock)
        seconds = [clock.initial.seconds for clock in clocks if clock is not None]
        return float(seconds[0]) if len(set(seconds)) == 1 else None
    return real(info.time_limit) if format is Format.FF4 else None


def result_columns(result: Result | None) -> dict[str, Any]:
    """Return winner, margin and ending of a result; see the table ``games``."""
    if result is None:
        return {"winner": None, "margin": None, "ending": None}
    score = result.score
    ending: str | None = None
    if result.ending is not None:
        ending = str(result.ending)
    else:
        ending = "score" if result.margin is not None else "unknown"
    return {
        "winner": "draw" if result.code == "draw" else result.winner and str(result.winner),
        "margin": None if score is None else real(abs(score)),
        "ending": ending,
    }


def date_span(dates: Iterable[dt.date | PartialDate]) -> tuple[dt.date, dt.date] | None:
    """Return the first and the last day that some dates name.

    A month or a year without a day has all its days.  Years are 1 to 9999.

    Returns:
        None without a date.
    """
    spans = [span for span in map(_days, dates) if span is not None]
    if not spans:
        return None
    return min(first for first, _ in spans), max(last for _, last in spans)


def _days(date: dt.date | PartialDate) -> tuple[dt.date, dt.date] | None:
    if not isinstance(date, PartialDate):
        return date, date
    if not dt.MINYEAR <= date.year <= dt.MAXYEAR:
        return None
    if date.month is None:
        return dt.date(date.year, 1, 1), dt.date(date.year, 12, 31)
    last = monthrange(date.year, date.month)[1]
    return dt.date(date.year, date.month, 1), dt.date(date.year, date.month, last)


def _raw(raw: Mapping[str, tuple[str, ...]], idents: Iterable[str]) -> str | None:
    """Return the text of a property, several values with their brackets between them."""
    return next(("][".join(raw[ident]) for ident in idents if ident in raw), None)


def real(value: Any) -> float | None:
    """Return a number as 64 bits can have it; None for what is no number, and for larger ones."""
    if not isinstance(value, int | Decimal) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) != float("inf") else None


def whole(value: Any) -> int | None:
    """Return a number of 32 bits; None for what is no number, and for larger ones."""
    if not isinstance(value, int) or isinstance(value, bool) or not LEAST <= value <= MOST:
        return None
    return value
