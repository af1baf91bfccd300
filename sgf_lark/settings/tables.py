"""The tables ``[properties]`` and ``[games]``: what a program or a club adds to the standards."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    field_validator,
)

from sgf_lark.core import (
    GAMES,
    LONGEST_SIDE,
    BoardSize,
    Category,
    Color,
    Count,
    Format,
    Game,
    GrammarSource,
    PropertyRule,
    PropertyTable,
    check_ident,
    check_type,
    number_of_game,
    reason,
    similar,
)

from .forms import TargetFormat


class SettingsTable(BaseModel):
    """Base of the tables; what is not set is left to the command."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        alias_generator=lambda name: name.replace("_", "-"),
    )

    def given(self) -> dict[str, Any]:
        """Return what the file sets, by the names of the options in Python."""
        return {name: getattr(self, name) for name in sorted(self.model_fields_set)}


class FmtSettings(SettingsTable):
    """The layout of ``fmt``; see :func:`sgf_lark.dumps`."""

    nodes: Annotated[StrictInt, Field(ge=1)] = 1
    indent: Annotated[StrictInt, Field(ge=0)] = 0
    width: Annotated[StrictInt, Field(ge=1)] | None = None
    compress: StrictBool = False


class ConvertSettings(SettingsTable):
    """The options of ``convert``; see :func:`sgf_lark.convert`.

    Attributes:
        to: The format to convert to; None if not set.
        lossy: What becomes of a fact that the new format cannot express.
        minutes: In FF[1] a time limit without a unit is in minutes.
        time_left: From GGF: compute the time left of each side.
    """

    to: TargetFormat | None = None
    lossy: Literal["keep", "drop", "refuse"] = "keep"
    minutes: StrictBool = False
    time_left: StrictBool = False


#: The place of a setting: the keys from the top of the file.
Place = tuple[int | str, ...]


def _size(value: Any) -> tuple[int, int]:
    sides = value if isinstance(value, list) else [value, value]
    if len(sides) != 2 or not all(  # noqa: PLR2004  # columns and rows
        type(side) is int and 1 <= side <= LONGEST_SIDE for side in sides
    ):
        expected = f"one side from 1 to {LONGEST_SIDE}, or columns and rows such as [9, 7]"
        raise ValueError(f"invalid size: expected {expected}")
    columns, rows = sides
    return columns, rows


def _game_name(value: Any) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError("expected the number or the name of a game")  # noqa: TRY004  # for pydantic
    return value


class PropertySettings(SettingsTable):
    """A private property, ``[properties.WI]``; ``WI = "real"`` is short for its type.

    Attributes:
        type: The type of one value; see :attr:`PropertyRule.type`.
        name: In words.
        category, count, inherit, domain: As those of :class:`PropertyRule`.
        games: The numbers or names of the games that have it; all if empty.
    """

    type: str = "text"
    name: str = ""
    category: Category = Category.NONE
    count: Count = Count.ONE
    inherit: StrictBool = False
    domain: str = ""
    formats: tuple[Literal["ff1", "ff3", "ff4", "ggf"], ...] = ("ff1", "ff3", "ff4")
    games: tuple[Annotated[Any, BeforeValidator(_game_name)], ...] = ()

    @field_validator("type")
    @classmethod
    def _known(cls, value: str) -> str:
        return check_type(value)


class GameSettings(SettingsTable):
    """A game, ``[games.Kono]``; ``Kono = 50`` is short for its number.

    Attributes:
        number: The value of GM in SGF; None for a game of GGF alone, which names its games.
        grammar: The file of the grammar of its points and moves, from the folder of the
            settings file; or a shipped one, such as ``go``.
        size: The board where SZ is missing: one side of a square, or columns and rows.
        expected: What a start symbol of the grammar is, in words for messages.
        first: The side that moves first.
    """

    number: Annotated[StrictInt, Field(ge=1)] | None = None
    grammar: str | None = None
    size: Annotated[tuple[int, int], BeforeValidator(_size)] | None = None
    expected: dict[str, str] = Field(default_factory=dict)
    first: Literal["black", "white"] = "black"


def _short(key: str) -> BeforeValidator:

    def read(value: Any) -> Any:
        return value if isinstance(value, dict | SettingsTable) else {key: value}

    return BeforeValidator(read)


Properties = dict[
    Annotated[str, BeforeValidator(check_ident)], Annotated[PropertySettings, _short("type")]
]
Games = dict[str, Annotated[GameSettings, _short("number")]]


class Additions(NamedTuple):
    """The table of the standards with the additions of settings, and their faults."""

    table: PropertyTable
    faults: list[tuple[Place, str]]


def extend_table(properties: Properties, games: Games, folder: str) -> Additions:
    """Return the table of the standards with the properties and games of settings."""
    faults: list[tuple[Place, str]] = []
    added: dict[str, Game] = {}
    numbers: dict[int, str] = {}
    for name, settings in games.items():
        game = _game(name, settings, folder, faults)
        known = numbers.setdefault(settings.number, name) if settings.number else name
        if known != name:
            message = f"{known} has the number {settings.number}, too"
            faults.append((("games", name, "number"), message))
        if game is not None:
            added[name] = game
    rules = [
        rule
        for ident, settings in properties.items()
        for rule in _rules(ident, settings, added, faults)
    ]
    if faults or not (rules or added):
        return Additions(PropertyTable.standard(), faults)
    return Additions(PropertyTable.standard().extend(*rules, *added.values()), faults)


def _game(
    name: str, settings: GameSettings, folder: str, faults: list[tuple[Place, str]]
) -> Game | None:
    place = ("games", name)
    standard = GAMES.get(settings.number or 0)
    if standard is not None and standard.grammar is not None:
        message = (
            f"GM[{settings.number}] is {standard.name}, which has its own grammar: choose"
            " another number"
        )
        faults.append(((*place, "number"), message))
        return None
    grammar: str | GrammarSource | None = None
    expected: dict[str, str] = {}
    if settings.grammar is not None:
        shipped = {game.grammar: game for game in GAMES.values() if game.grammar is not None}
        file = Path(folder, settings.grammar)
        wanted = settings.grammar.removeprefix("games/")
        if wanted in shipped and not file.is_file():
            grammar, expected = wanted, dict(shipped[wanted].expected)
        else:
            try:
                grammar = GrammarSource.of(file)
            except (OSError, ValueError) as error:
                why = reason(error) if isinstance(error, OSError) else "expected a file in UTF-8"
                faults.append(((*place, "grammar"), f"cannot read this grammar: {why}"))
                return None
    return Game(
        settings.number,
        name,
        grammar,
        size=None if settings.size is None else BoardSize(*settings.size),
        expected=expected | settings.expected,
        first_color=Color.BLACK if settings.first == "black" else Color.WHITE,
        is_first_known="first" in settings.model_fields_set,
    )


#: The parts of a row that settings have.
_OF_ROW = {"name", "category", "type", "count", "inherit", "domain"}


def _rules(
    ident: str,
    settings: PropertySettings,
    games: dict[str, Game],
    faults: list[tuple[Place, str]],
) -> Iterator[PropertyRule]:
    """Yield the rows of a property: one for each format and game."""
    numbers: list[int | None] = [] if settings.games else [None]
    for index, wanted in enumerate(settings.games):
        number = wanted if isinstance(wanted, int) else _number(wanted, games)
        if number is None:
            names = [*games, *(game.name for game in GAMES.values())]
            message = f"no game is called '{wanted}'{similar(str(wanted), names)}"
            faults.append((("properties", ident, "games", index), message))
        else:
            numbers.append(number)
    taken: list[Format] = []
    is_added = False
    for index, name in enumerate(settings.formats):
        format_ = Format.named(name)
        if _NAMES[format_].fullmatch(ident) is None:
            if "formats" in settings.model_fields_set:
                message = f"{format_.shown} allows no property {ident}: {_ALLOWED[format_]}"
                faults.append((("properties", ident, "formats", index), message))
            continue
        if any(_is_standard(format_, number, ident) for number in numbers):
            taken.append(format_)
            continue
        is_added = True
        for number in numbers:
            own = settings.model_dump(include=_OF_ROW)
            yield PropertyRule(format=format_, game=number, ident=ident, source="settings", **own)
    if taken and (settings.model_fields_set & {"formats", "games"} or not is_added):
        shown = ", ".join(format_.shown for format_ in taken)
        message = (
            f"{ident} is a property of {shown}: only private properties can be added, and"
            " properties of a game to other games"
        )
        faults.append((("properties", ident), message))


def _is_standard(format_: Format, number: int | None, ident: str) -> bool:
    """Return whether a standard has a property, for the game of a number or for any game."""
    return any(
        rule.format is format_ and (number is None or rule.game in {None, number})
        for rule in PropertyTable.standard().elsewhere(format_, ident)
    )


#: Names of properties in each format (FF[1] and FF[3], PropIdent; FF[4]; the GGF page).
_NAMES = {
    Format.FF1: re.compile("[A-Z][A-Z0-9]?"),
    Format.FF3: re.compile("[A-Z][A-Z0-9]?"),
    Format.FF4: re.compile("[A-Z]+"),
    Format.GGF: re.compile("[A-Z]{1,2}"),
}
_ALLOWED = dict.fromkeys(Format, "names have one or two characters") | {
    Format.FF4: "names have only capitals",
    Format.GGF: "names have one or two capitals",
}


def _number(name: str, games: dict[str, Game]) -> int | None:
    own = {game.name.casefold(): game.number for game in games.values()}
    return own.get(name.strip().casefold()) or number_of_game(name)
