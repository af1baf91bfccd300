"""Reading of what is written of a damaged game: it has to say what the game says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_core import PydanticSerializationError

from sgf_lark.core.grammar.tokens import tokenize
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.tape import Pair
from sgf_lark.core.read.mended import mend_game
from sgf_lark.core.read.split import split_games
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.values.writer import close_value

if TYPE_CHECKING:
    from pydantic import BaseModel


class UnwritableError(ValueError):
    """A game cannot be written so that it is read back; ``in_utf8``: UTF-8 may hold it."""

    def __init__(self, problem: str, *, in_utf8: bool = False) -> None:
        help_ = "; write the file with encoding='utf-8'" if in_utf8 else ""
        super().__init__(problem + help_)
        self.problem = problem
        self.in_utf8 = in_utf8


def why_no_json(model: BaseModel) -> UnwritableError:
    try:
        data = model.model_dump(mode="json")
    except PydanticSerializationError as error:
        return UnwritableError(str(error.__cause__ or error))
    waiting: list[tuple[str, object]] = [("", data)]
    while waiting:
        place, one = waiting.pop()
        if isinstance(one, dict | list):
            parts = one.items() if isinstance(one, dict) else enumerate(one)
            waiting += [(f"{place}.{key}", each) for key, each in parts][::-1]
        elif isinstance(one, str) and (half := _HALF.search(one)) is not None:
            where = place.removeprefix(".")
            return UnwritableError(f"a value has half of a surrogate pair, {half[0]!r}: {where}")
    return UnwritableError("no JSON holds it")


_HALF = re.compile("[\ud800-\udfff]")


def is_misread(text: str, game: GameTree) -> bool:
    """Return whether a game is read otherwise in its text, or does not end in it."""
    nodes, format_ = game.nodes, game.nodes.rules.format
    ggf = format_ is Format.GGF
    parsed = [
        one
        for span in split_games(text, ggf=ggf, more=True)
        if span.is_game
        for cut in [list(tokenize(text, span.start, span.end, ggf=ggf))]
        for one in mend_game(text, cut, format_)[0]
    ]
    mine, *theirs = (
        [*zip(tape.parents, map(_spell, tape.each()), strict=True)]
        for tape in (nodes.tape, *parsed)
    )
    return theirs != [mine]


def _spell(pairs: list[Pair]) -> list[tuple[str, list[str]]]:
    return [(name, [close_value(raw) for raw in raws]) for name, raws in pairs]
