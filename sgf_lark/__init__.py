"""Reads and checks game records: SGF FF[1], FF[3], FF[4] and GGF.

>>> import sgf_lark
>>> collection = sgf_lark.loads("(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dp])")
>>> collection[0].root["KM"]
Decimal('6.5')

The names below are loaded when they are used, so that ``import sgf_lark`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import check, iter_games, load, loads
    from .build import GgfTransformer, SgfTransformer
    from .diagnostics import (
        RULES,
        Diagnostic,
        Edit,
        Fix,
        Report,
        Rule,
        Severity,
        SgfError,
        SgfSyntaxError,
        SgfValidationError,
    )
    from .games import GAMES, Game
    from .grammars import Format
    from .info import Info, Player
    from .model import Collection, GameTree
    from .node import Move, Node
    from .positions import LineIndex, Span
    from .properties import Category, Count, PropertyRule, PropertyTable
    from .property import Property, Rules
    from .reading import Reader, reader
    from .syntax import parse_tree
    from .transformers import GgfValues, SgfValues, ValueTransformer
    from .values import (
        PASS,
        Action,
        AmazonsMove,
        Application,
        BackgammonMove,
        Board,
        BoardSize,
        Clock,
        Color,
        Composed,
        Double,
        Ending,
        Figure,
        Invalid,
        PartialDate,
        Pass,
        Played,
        Point,
        PointList,
        Rectangle,
        Result,
        Stamp,
        Value,
    )

#: Every public name, by the module that has it.
_HOMES = {
    "api": ("check", "iter_games", "load", "loads"),
    "build": ("GgfTransformer", "SgfTransformer"),
    "diagnostics": (
        "RULES",
        "Diagnostic",
        "Edit",
        "Fix",
        "Report",
        "Rule",
        "Severity",
        "SgfError",
        "SgfSyntaxError",
        "SgfValidationError",
    ),
    "games": ("GAMES", "Game"),
    "grammars": ("Format",),
    "info": ("Info", "Player"),
    "model": ("Collection", "GameTree"),
    "node": ("Move", "Node"),
    "positions": ("LineIndex", "Span"),
    "properties": ("Category", "Count", "PropertyRule", "PropertyTable"),
    "property": ("Property", "Rules"),
    "reading": ("Reader", "reader"),
    "syntax": ("parse_tree",),
    "transformers": ("GgfValues", "SgfValues", "ValueTransformer"),
    "values": (
        "PASS",
        "Action",
        "AmazonsMove",
        "Application",
        "BackgammonMove",
        "Board",
        "BoardSize",
        "Clock",
        "Color",
        "Composed",
        "Double",
        "Ending",
        "Figure",
        "Invalid",
        "PartialDate",
        "Pass",
        "Played",
        "Point",
        "PointList",
        "Rectangle",
        "Result",
        "Stamp",
        "Value",
    ),
}

__version__ = _version("sgf_lark")

__all__ = ["__version__", *sorted(name for names in _HOMES.values() for name in names)]  # noqa: PLE0604  # made of strings


def __getattr__(name: str) -> Any:  # noqa: ANN401  # any public name
    for home, names in _HOMES.items():
        if name in names:
            found = getattr(import_module(f"{__name__}.{home}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
