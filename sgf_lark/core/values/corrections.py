"""Corrections of values that miss their form, where the meaning is clear."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from sgf_lark.core.engine.parser import Rejected
from sgf_lark.core.grammar import grammars
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import number_of_game
from sgf_lark.core.schema.properties import PropertyRule
from sgf_lark.core.schema.values import PartialDate

from .methods import Children, SgfMethods, ValueMethods, always

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<word>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAYS = r"(?P<days>\d{1,2}(?:(?: ?[-,/&] ?| and )\d{1,2})*)"
_DATES = (
    re.compile(rf"{_MONTH} {_DAYS},? (?P<year>\d{{4}})", re.IGNORECASE),
    re.compile(rf"{_DAYS} {_MONTH},? (?P<year>\d{{4}})", re.IGNORECASE),
    re.compile(
        rf"(?P<year>\d{{4}})[-/., ] ?{_MONTH}(?:[-/, ] ?(?P<days>\d{{1,2}}(?:[,/&] ?\d{{1,2}})*))?",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<year>\d{4})(?P<by>[-/.])(?P<month>\d{1,2})(?P=by)"
        r"(?P<days>\d{1,2}(?:[,/&~]\d{1,2})*)\.?"
    ),
    re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<days>\d{1,2})\.?"),
    re.compile(r"(?P<year>\d{4})(?P<month>\d{2})(?P<days>\d{2})"),
    re.compile(
        rf"(?P<days>\d{{1,2}})(?:st|nd|rd|th)?\.?[ -]{_MONTH},?[ -](?P<year>\d{{4}})", re.IGNORECASE
    ),
    re.compile(rf"{_MONTH} (?P<days>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})", re.IGNORECASE),
    # A number beyond 12 is the day, before the month or after it.
    re.compile(r"(?P<days>1[3-9]|2\d|3[01])(?P<by>[-/.])(?P<month>\d{1,2})(?P=by)(?P<year>\d{4})"),
    re.compile(r"(?P<month>\d{1,2})(?P<by>[-/.])(?P<days>1[3-9]|2\d|3[01])(?P=by)(?P<year>\d{4})"),
    re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})-?"),
    re.compile(rf"{_MONTH},? (?P<year>\d{{4}})", re.IGNORECASE),
    re.compile(r"(?P<year>\d{4})-"),
)

_UNKNOWN = re.compile(r"\b(\d{4}(?:-(?!00)\d\d)?)(?:-00)+(?![-\d])")

#: A day of the week, and a time of day with its zone: they do not change the day.
_TIME_OF_DAY = re.compile(
    r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? "
    r"|[ T,_]+\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?"
    r"(?:[ .]?(?:[A-Z]{2,5}|[+-]\d\d:?\d\d)| ?Z)?(?![\w:])",
    re.IGNORECASE,
)
#: What stands between the ends of a range, and between two days of one month.
_RANGE = re.compile(r" (?:-|to|until|through) | ?(?:~|\.\.+) ?")
_DAYS_OF_MONTH = re.compile(r"(?<![-/.\d])(\d\d?) ?(?:-|to|~) ?(?=\d\d?(?![-/.\d]))")
_UNKNOWN_END = re.compile(r"(?<=\d)(?:[-/. ](?:\?+|x+))+$", re.IGNORECASE)
_DECADE = re.compile(r"(\d{3})(?:0'?s|[?x])|(\d\d)[?x]{2}", re.IGNORECASE)
_TWO_WAYS = re.compile(r"(\d\d?)([-/.])(\d\d?)\2(\d{4})")

_COLOR = r"(?P<color>b|w|black|white|schwarz|wei(?:ß|ss)|noirs?|negr[ao]s?|blanc[ao]?s?)"
_SCORE = (
    r"(?P<score>\d+(?:\.\d*|,\d{0,2}(?!\d))?|(?=[½1]))(?P<half> ?(?:½|1/2))?"
    r"(?: ?(?:points?|pts?|moku|目|집|puntos?|punkten?))?"
)
_WHY = (
    r"(?P<why>r(?:es(?:ign(?:s|ed|ation)?)?)?|aufgabe|abandono?"
    r"|t(?:ime(?:-?out)?)?|zeit|temps|tiempo|f(?:orf(?:eit)?)?|default"
    r"|disconnection)"
)
_BY = r"(?: (?:by|on|durch|mit|par|au|de|por))?"
#: A verb says who wins or loses; a noun after a color alone, as in "Black forfeit", does not.
_RESULTS = (
    re.compile(rf"{_COLOR} ?\+ ?(?:{_SCORE}|{_WHY})?", re.IGNORECASE),
    re.compile(
        rf"{_COLOR} (?:wins?|won|gewinnt|gewann|gagne(?:nt)?|ganan?|ganó)"
        rf"(?:{_BY} (?:{_SCORE}|{_WHY}))?",
        re.IGNORECASE,
    ),
    re.compile(rf"{_COLOR} by (?:{_SCORE}|{_WHY})", re.IGNORECASE),
    re.compile(rf"{_COLOR} {_SCORE} wins?", re.IGNORECASE),
    re.compile(r"(?P<even>draw|jigo|tie|remis|nulle|empate)", re.IGNORECASE),
    re.compile(r"(?P<void>void|no result)", re.IGNORECASE),
)
_COLOR_AND_SCORE = re.compile(rf"{_COLOR} {_SCORE}", re.IGNORECASE)
_COLOR_AND_NOUN = re.compile(rf"{_COLOR} {_WHY}(?: win)?", re.IGNORECASE)
_LOSSES = (
    re.compile(
        rf"{_COLOR} (?:loses?|lost|verliert|verlor|perd(?:ent)?|pierden?|perdió)"
        rf"(?:{_BY} (?:{_SCORE}|{_WHY}))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_COLOR} (?:(?P<resigns>resign(?:s|ed)?|g[ia]ve?s? up|gibt auf|gab auf|aufgegeben"
        r"|abandonne(?:nt)?|abandonan?|abandonó)"
        r"|(?P<overtime>tim(?:es|ed) out|r[ua]ns? out of time|forfeit(?:s|ed) (?:by|on) time"
        r"|exceed(?:s|ed) the time limit)"
        r"|(?P<forfeits>forfeit(?:s|ed)))(?: the game)?",
        re.IGNORECASE,
    ),
)
_TIME = re.compile(
    r"(?:(?P<hours>\d+(?:\.\d+)?) ?(?:h|hr|hrs|hour|hours))?\.? ?(?:and )?"
    r"(?:(?P<minutes>\d+(?:\.\d+)?) ?(?:m|min|mins|minute|minutes))?\.? ?"
    r"(?:(?P<seconds>\d+(?:\.\d+)?) ?(?:s|sec|secs|second|seconds))?\.?"
    r"(?: each)?",
    re.IGNORECASE,
)
#: Three digits after a comma may be thousands.
_REAL = re.compile(
    r"([+-]?) ?(\d*)(?:,(?!\d{3}\b)|\.)?(\d*)( ?½| 1/2)?(?: ?(?:points?|pts?|moku))?\.?",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
#: Typewriter characters for those of word processors, and for fullwidth forms.
_TYPED = {
    **dict.fromkeys(map(ord, "\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}"), "-"),
    **dict.fromkeys(map(ord, "\N{EM DASH}\N{HORIZONTAL BAR}\N{MINUS SIGN}"), "-"),
    **{ord(char) + 0xFEE0: char for char in "()+,-./0123456789:~"},
    ord("\N{WAVE DASH}"): "~",
}
_QUOTES = (
    "'\"`\N{ACUTE ACCENT}\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
    "\N{SINGLE LOW-9 QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}"
    "\N{RIGHT DOUBLE QUOTATION MARK}\N{DOUBLE LOW-9 QUOTATION MARK}"
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}"
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK} "
)


class Ended(NamedTuple):
    """Why a game has ended, as FF[4] writes it, and whether the color before it wins."""

    letter: str
    wins: bool


_OPPONENT = {"B": "W", "W": "B"}


class WordValues(ValueMethods):
    """Values of words/go.lark, as FF[4] writes them."""

    BLACK = BLACK_SIGN = BLACK_LETTER = always("B")
    WHITE = WHITE_SIGN = WHITE_LETTER = always("W")
    RESIGNATION = always(Ended("R", wins=True))
    GIVES_UP = always(Ended("R", wins=False))
    TIMEOUT = always(Ended("T", wins=False))
    WON = always(True)  # noqa: FBT003  # its value
    LOST = always(False)  # noqa: FBT003  # its value
    draw = always("0")
    void = always("Void")
    even = always("")
    first = always("1")

    def SCORE(self, text: str) -> str:
        """A number, which may have half a point after it; or half a point alone."""
        number = text.rstrip("目집半반 ")
        half = ".5" if text[-1] in "半반" else ""
        return f"{number}{half}" if number else "0.5"

    def STONE_COUNT(self, text: str) -> str:
        """A number of stones as points, of which each is two."""
        *whole, last = text.rstrip("子 ").replace("又", " ").split()
        above, _, below = last.partition("/")
        number = Decimal(above) / Decimal(below or 1) + sum(map(Decimal, whole))
        return format_real(2 * number)

    def stone_result(self, children: Children) -> str:
        color, *rest = children
        return f"{color}+{next(one for one in rest if one is not True)}"

    def how(self, children: Children) -> Children:
        return children

    def decided(self, children: Children) -> str:
        """Color, and what follows: a reason, a side that wins or loses, a score."""
        color, how = children
        wins, ending = True, ""
        for part in how:
            if isinstance(part, bool):
                wins = part
            elif isinstance(part, Ended):
                wins, ending = part.wins, part.letter
            else:
                ending = part
        return f"{color if wins else _OPPONENT[color]}+{ending}"

    def counted_result(self, children: Children) -> tuple[str, str]:
        count, result = children
        return count, result

    def komi(self, children: Children) -> str:
        score: str = children[0]
        return score

    color = sign = komi

    def date(self, children: Children) -> dict[str, str]:
        return dict(zip(("year", "month", "days"), children, strict=False))

    MEIJI, TAISHO, SHOWA = always((1867, 45)), always((1911, 15)), always((1925, 64))
    HEISEI, REIWA, REPUBLIC = always((1988, 31)), always((2018, 99)), always((1911, 199))
    era = komi

    def date_of_era(self, children: Children) -> dict[str, str]:
        """The date by the year before an era and the number of its years; year 0 for others."""
        (before, most), year, *rest = children
        number = 1 if year == "元" else int(year)
        is_known = 1 <= number <= most and not (before + number < FIRST_SOLAR_YEAR and rest)
        return self.date([str((before + number) * is_known), *rest])

    def stones(self, children: Children) -> str:
        word: str = children[0]
        return word if word.isdigit() else str(_COUNTED[word])


#: Before this year the months of Japan are those of the moon.
FIRST_SOLAR_YEAR = 1873

_COUNTED = {"两": 2, "兩": 2} | {word: at for at, word in enumerate("二三四五六七八九", 2)}


_WORDS = WordValues()


#: Rules of words/go.lark with words of ASCII, too.
_WITH_ASCII = {"sign", "handicap", "stone_result"}


def read_words(kind: str, text: str) -> Any:
    """Return the value of words of Go by a rule of words/go.lark; None if there are none."""
    if text.isascii() and kind not in _WITH_ASCII:
        return None
    parser = grammars.generated(grammars.path("words/go"), kind, of_value=True)
    try:
        return None if parser is None else parser.parse(text, _WORDS)
    except Rejected:
        return None


def correct_value(rule: PropertyRule, raw: str) -> str:
    """Return a value in the form of FF[4], or the unchanged text."""
    text = " ".join(raw.translate(_TYPED).split()).strip(_QUOTES)
    if rule.ident == "FG":
        return f"0:{raw.replace(':', chr(92) + ':')}"
    result: str | None = None
    if rule.form == "time_limit":
        result = None if rule.format is Format.FF1 else correct_time(text)
        result = result or correct_real(text)
    elif rule.form in _BY_FORM:
        result = _BY_FORM[rule.form](text)
    elif rule.ident == "GM" and rule.format is not Format.GGF:
        result = correct_game(text)
    elif len(rule.types) == 1 and rule.types[0] in _BY_TYPE:
        result = _BY_TYPE[rule.types[0]](text)
    return raw if result is None else result


class Guess(NamedTuple):
    """A value that somebody may have meant; ``removed`` of the text, and what that ``assumes``."""

    raw: str
    removed: str = ""
    assumes: str = ""


def guess_value(rule: PropertyRule, raw: str) -> Guess | None:
    text = " ".join(raw.translate(_TYPED).split()).strip(_QUOTES)
    if rule.form == "time_limit":
        return _guess_time(text, minutes=rule.format is Format.FF1)
    guess = _GUESSES.get(rule.form) or _GUESSES.get(rule.ident)
    return (
        _guess_real(text) if guess is None and rule.types == (("real",),) else guess and guess(text)
    )


def what_to_decide(rule: PropertyRule, raw: str) -> str:
    """Return the decision between two meanings of a value as a help; empty for other values."""
    text = " ".join(raw.translate(_TYPED).split()).strip(_QUOTES)
    if rule.form == "result" and (match := _COLOR_AND_NOUN.fullmatch(text)):
        black, white = (
            _write_result({**match.groupdict(), "color": color}, wins=True) for color in "bw"
        )
        return f"decide who has won: write {black} for Black, {white} for White"
    if rule.form == "dates" and (match := _TWO_WAYS.fullmatch(text)):
        first, second, year = (int(match[part]) for part in (1, 3, 4))
        days = [
            f"{year:04}-{month:02}-{day:02}"
            for month, day in ((first, second), (second, first))
            if 1 <= month <= len(_MONTHS) and 1 <= day <= 31  # noqa: PLR2004  # days of a month
        ]
        if len({*days}) > 1:
            return f"decide which number is the month: write {days[0]} or {days[1]}"
    return ""


def _guess_real(text: str) -> Guess | None:
    """Return a number with three digits after a comma, which may group the digits, too."""
    if _REAL.fullmatch(text.replace(",", ".")) is None or "," not in text:
        return None
    return Guess(text.replace(",", "."), assumes="the comma is a decimal point")


def _guess_time(text: str, *, minutes: bool) -> Guess | None:
    """Return a time that FF[1] counts in minutes, or one as on a clock, in minutes or seconds."""
    if minutes:
        time = correct_time(text, minutes=True)
        return None if time is None else Guess(time, assumes="programs read it in minutes")
    if clock := re.fullmatch(r"(\d{2,3}):(\d\d:\d\d)", text):
        both = int(clock[1]) * 3600 + int(_in_seconds(clock[2]) or 0)
        return Guess(str(both), assumes=f"{text} is hours, minutes and seconds")
    if _THOUSANDS.fullmatch(text):
        return Guess(text.replace(",", ""), assumes="the comma groups the digits")
    seconds = _in_seconds(text)
    return None if seconds is None else Guess(seconds, assumes=f"{text} is minutes and seconds")


def _guess_size(text: str) -> Guess | None:
    """Return two sides of a board, of which the first may be that of the columns."""
    if (sides := _SIDES.fullmatch(text)) is None:
        return None
    assumes = f"the board has {sides[1]} columns and {sides[2]} rows"
    return Guess(f"{sides[1]}:{sides[2]}", assumes=assumes)


def _guess_result(text: str) -> Guess | None:
    """Return a result in stones, with a remark or a number of moves, or without a verb."""
    if counted := read_words("counted_result", text):
        return Guess(counted[1], counted[0])
    if in_stones := read_words("stone_result", text):
        return Guess(in_stones, assumes="it is in stones that count two points each")
    color = correct_color(text)
    match = _COLOR_AND_SCORE.fullmatch(text)
    if color is None and match is None:
        return _without_remark(text, correct_result)
    result = f"{color}+" if match is None else _write_result(match.groupdict(), wins=True)
    return Guess(result, assumes=f"{text if match is None else match['color']} has won")


def _guess_dates(text: str) -> Guess | None:
    """Return dates without a remark, a day of the week or a time of day."""
    gone = " ".join(match[0].strip() for match in _TIME_OF_DAY.finditer(text))
    dates = correct_dates(_TIME_OF_DAY.sub("", text)) if gone else None
    return _without_remark(text, correct_dates) if dates is None else Guess(dates, gone)


def _without_remark(text: str, correct: Callable[[str], str | None]) -> Guess | None:
    """Return a value without a part in brackets, or words after a comma."""
    for remark in _REMARKS:
        match = remark.search(text)
        value = None if match is None else correct(text[: match.start()] + text[match.end() :])
        if match is not None and value is not None:
            return Guess(value, match[0].strip())
    return None


_REMARKS = (re.compile(r" ?\([^()]*\) ?"), re.compile(r" ?[,;:] ?[^\d\s].*$"))


def _guess_player(text: str) -> Guess | None:
    if text in {"1", "2"}:
        return Guess("BW"[text == "2"], assumes="1 is Black and 2 is White")
    color: str | None = read_words("sign", text)
    return None if color is None else Guess(color)


def _guess_handicap(text: str) -> Guess | None:
    stones: str | None = read_words("handicap", text)
    if stones is None:
        return None
    is_first = stones == "1"
    assumes = "Black only has the first move" if is_first else "the game is even" * (not stones)
    return Guess("" if is_first else stones, assumes=assumes)


_GUESSES: dict[str, Callable[[str], Guess | None]] = {
    "size": _guess_size,
    "result": _guess_result,
    "dates": _guess_dates,
    "PL": _guess_player,
    "HA": _guess_handicap,
}


def correct_dates(text: str) -> str | None:
    """Return a day, month or list of days as FF[4] writes it; None if ambiguous.

    Numbers of two digits are never turned into a year, and 3/4/1999 stays: it is the third
    of April for some and the fourth of March for others; 13/4/1999 is a day of April for all.
    An unknown month or day, 00, is left out.  So is a range of days: the days of play in it
    are unknown.
    """
    squeezed = re.sub(r"\b\d\b", r"0\g<0>", text.replace(" ", ""))
    squeezed = _UNKNOWN.sub(r"\1", squeezed)
    if re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?(,\d{4}(-\d\d(-\d\d)?)?|,\d\d(-\d\d)?)*", squeezed):
        return squeezed if _ascend(squeezed) else None
    words: dict[str, str] | None = read_words("date", text)
    for form in _DATES:
        match = form.fullmatch(text)
        if match is None and words is None:
            continue
        parts = words or (match.groupdict() if match else {})
        year, days = int(parts["year"]), [*map(int, re.findall(r"\d+", parts.get("days") or ""))]
        month = int(parts.get("month") or 0)
        if parts.get("word"):
            month = _MONTHS.index(parts["word"].lower()) + 1
        try:
            for day in days or [1]:
                date(year, month or 1, day)
        except ValueError:
            return None
        is_range = {"-", "~"} & {*(parts.get("days") or "")} and days[-1] - days[0] >= len(days)
        if is_range or days != sorted(set(days)) or (days and not month):  # of another or no month
            return None
        numbers = [f"{year:04}", *([f"{month:02}"] if month else [])]
        return "-".join(numbers + ([",".join(f"{day:02}" for day in days)] if days else []))
    return None


def _ascend(dates: str) -> bool:
    """Return whether dates follow each other; 1996-05-27,8 may mean the 27th and the 28th."""
    try:
        days = SgfMethods().dates(dates.split(","))
    except ValueError:
        return True  # others say that there is no such date
    numbers = [(day.year, day.month or 0, getattr(day, "day", 0)) for day in days]
    return numbers == sorted(numbers)


def possible_days(raw: str) -> tuple[date | PartialDate, ...]:
    """Return the days, months or years between which the day of a text is: the ends of a range or
    decade, March and April of 3/4/1999; empty if none are clear.
    """
    text = " ".join(raw.translate(_TYPED).split()).strip(_QUOTES)
    text = _UNKNOWN_END.sub("", _TIME_OF_DAY.sub("", text))
    if decade := _DECADE.fullmatch(text):
        known = decade[1] or decade[2]
        text = f"{known:0<4},{known:9<4}"
    elif both := _TWO_WAYS.fullmatch(correct_dates(text) or text):
        first, _, second, year = both.groups()
        text = f"{year}-{first}-{second},{year}-{second}-{first}"
    found = correct_dates(text) or correct_dates(_DAYS_OF_MONTH.sub(r"\1,", text))
    try:
        if found is not None:
            return SgfMethods().dates(found.split(","))
    except ValueError:
        return ()
    ends = _RANGE.split(text)
    if len(ends) != 2:  # noqa: PLR2004  # the ends of a range
        return ()
    first, last = map(possible_days, ends)
    return (*first, *last) if first and last else possible_days(",".join(ends))


def correct_result(text: str) -> str | None:
    """Return a result as FF[4] writes it; None if it leaves open who has won."""
    text = text.rstrip(".! ")
    words: str | None = read_words("result", text)
    if words is not None:
        return words
    for forms, wins in ((_RESULTS, True), (_LOSSES, False)):
        for form in forms:
            if match := form.fullmatch(text):
                return _write_result(match.groupdict(), wins=wins)
    return None


def _write_result(parts: dict[str, str | None], *, wins: bool) -> str:
    if parts.get("even"):
        return "0"
    if parts.get("void"):
        return "Void"
    color = (parts["color"] or "").lower()
    is_black = color in {"b", "black"} or color[0] in "sn"
    why = (parts.get("why") or "")[:1].upper()
    for name, letter in (("resigns", "R"), ("overtime", "T"), ("forfeits", "F")):
        why = letter if parts.get(name) else why
    score = (parts.get("score") or "").replace(",", ".").rstrip(".")
    if parts.get("half"):
        score = f"{score or 0}.5"
    return f"{'B' if is_black == wins else 'W'}+{score}{_LETTERS.get(why, why)}"


#: Reasons by the first letters of their words in other languages.
_LETTERS = {"A": "R", "Z": "T", "D": "F"}


def correct_time(text: str, *, minutes: bool = False) -> str | None:
    """Return a time with units, or hours, minutes and seconds, in seconds or minutes.

    None for others: ``1:30`` is a minute and a half for some, an hour and a half for others, and
    ``10:00:00`` may end with hundredths.

    Source: SGFC; FF[1], TM, which counts minutes.
    """
    unit = 60 if minutes else 1
    match = _TIME.fullmatch(text)
    if match is not None and any(match.groupdict().values()):
        units = {"hours": 3600, "minutes": 60, "seconds": 1}
        parts = [Decimal(match[unit]) * units[unit] for unit in units if match[unit]]
        return format_real(sum(parts, Decimal()) / unit)
    if re.fullmatch(r"\d:\d\d:\d\d", text):
        hours, rest = text.split(":", 1)
        seconds = int(hours) * 3600 + int(_in_seconds(rest) or 0)
        return format_real(Decimal(seconds) / unit)
    return None


def _in_seconds(text: str) -> str | None:
    match = re.fullmatch(r"(\d{1,3}):(\d\d)", text)
    return str(int(match[1]) * 60 + int(match[2])) if match else None


def time_and_overtime(text: str) -> tuple[str, str] | None:
    """Split ``30:00(5x1:00)`` and ``1 hour + 30 s`` into the seconds of TM and the text of OT."""
    match = re.fullmatch(r"([^(+]+?) ?(?:\((.+)\)|\+ ?(.+))", text)
    main = correct_time(match[1]) or _in_seconds(match[1]) if match else None
    return None if match is None or main is None else (main, match[2] or match[3])


def correct_real(text: str) -> str | None:
    """Return ``5.``, ``.5``, ``5,5``, ``5½`` and ``5.5 points`` as FF[4] writes them."""
    words: str | None = read_words("komi", text)
    if words is not None:
        return words
    match = _REAL.fullmatch(text)
    if match is None or not (match[2] or match[3]) or (match[3] and match[4]):
        return None
    sign, whole, part, half = match.groups()
    part = "5" if half else part
    return f"{sign}{whole or '0'}" + (f".{part}" if part else "")


def correct_number(text: str) -> str | None:
    """Return ``5.``, ``5.0`` and ``5 stones`` as a whole number."""
    match = re.fullmatch(r"([+-]?\d+)(?:\.0*)?(?: ?stones?)?", text, re.IGNORECASE)
    return match[1] if match else None


def correct_size(text: str) -> str | None:
    """Return ``19x19`` and ``19:19`` as ``19``; None for other sides, whose order is unclear."""
    match = _SIDES.fullmatch(text)
    return match[1] if match is not None and match[1] == match[2] else None


_SIDES = re.compile(r"(\d+) ?(?:[xX*:\N{MULTIPLICATION SIGN}]|by) ?(\d+)")


def correct_color(text: str) -> str | None:
    """Return ``B`` for ``black`` and other words for Black; ``W`` for those for White."""
    words: str | None = read_words("color", text)
    return _COLORS.get(text.lower(), words)


_COLORS = {"b": "B", "black": "B", "w": "W", "white": "W"}


def correct_game(text: str) -> str | None:
    number = number_of_game(text)
    return correct_number(text) if number is None else str(number)


def format_real(value: Decimal | int, *, shift: int = 0) -> str:
    """Format a number without exponent, plus sign, trailing zeros; ``shift`` its point left."""
    number = Decimal(value).scaleb(-shift)
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


_BY_FORM: dict[str, Callable[[str], str | None]] = {
    "dates": correct_dates,
    "result": correct_result,
    "size": correct_size,
}

_BY_TYPE: dict[tuple[str, ...], Callable[[str], str | None]] = {
    ("real",): correct_real,
    ("none",): lambda _: "",
    ("color",): correct_color,
    ("number",): correct_number,
}
