"""Reads and checks game records: SGF FF[1], FF[3], FF[4] and GGF.

>>> import sgf_lark
>>> collection = sgf_lark.loads("(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dp])")
>>> collection[0].root["KM"]
Decimal('6.5')

The names below are loaded when they are used, so that ``import sgf_lark`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import (
        Games as Games,
    )
    from .api import (
        check as check,
    )
    from .api import (
        iter_games as iter_games,
    )
    from .api import (
        load as load,
    )
    from .api import (
        loads as loads,
    )
    from .build import (
        GgfTransformer as GgfTransformer,
    )
    from .build import (
        SgfTransformer as SgfTransformer,
    )
    from .config import (
        find_settings as find_settings,
    )
    from .converting import (
        convert as convert,
    )
    from .diagnostics import (
        RULES as RULES,
    )
    from .diagnostics import (
        Diagnostic as Diagnostic,
    )
    from .diagnostics import (
        Edit as Edit,
    )
    from .diagnostics import (
        Fix as Fix,
    )
    from .diagnostics import (
        Report as Report,
    )
    from .diagnostics import (
        Rule as Rule,
    )
    from .diagnostics import (
        SettingsError as SettingsError,
    )
    from .diagnostics import (
        Severity as Severity,
    )
    from .diagnostics import (
        SgfConversionError as SgfConversionError,
    )
    from .diagnostics import (
        SgfError as SgfError,
    )
    from .diagnostics import (
        SgfGrammarError as SgfGrammarError,
    )
    from .diagnostics import (
        SgfSyntaxError as SgfSyntaxError,
    )
    from .diagnostics import (
        SgfValidationError as SgfValidationError,
    )
    from .draft import (
        Branch as Branch,
    )
    from .draft import (
        Draft as Draft,
    )
    from .fixing import (
        Fixed as Fixed,
    )
    from .fixing import (
        fixed as fixed,
    )
    from .formatter import (
        formatted as formatted,
    )
    from .games import (
        GAMES as GAMES,
    )
    from .games import (
        GO as GO,
    )
    from .games import (
        Game as Game,
    )
    from .grammars import (
        Format as Format,
    )
    from .info import (
        Info as Info,
    )
    from .info import (
        Player as Player,
    )
    from .kinds import (
        Rules as Rules,
    )
    from .many import (
        CrashError as CrashError,
    )
    from .many import (
        Outcome as Outcome,
    )
    from .many import (
        check_many as check_many,
    )
    from .many import (
        load_many as load_many,
    )
    from .merging import (
        merge as merge,
    )
    from .model import (
        Collection as Collection,
    )
    from .model import (
        GameTree as GameTree,
    )
    from .node import (
        Move as Move,
    )
    from .node import (
        Node as Node,
    )
    from .options import (
        CheckOptions as CheckOptions,
    )
    from .positions import (
        LineIndex as LineIndex,
    )
    from .positions import (
        Span as Span,
    )
    from .properties import (
        Category as Category,
    )
    from .properties import (
        Count as Count,
    )
    from .properties import (
        PropertyRule as PropertyRule,
    )
    from .properties import (
        PropertyTable as PropertyTable,
    )
    from .property import (
        Property as Property,
    )
    from .reading import (
        Reader as Reader,
    )
    from .reading import (
        reader as reader,
    )
    from .syntax import (
        parse_tree as parse_tree,
    )
    from .transformers import (
        GgfValues as GgfValues,
    )
    from .transformers import (
        SgfValues as SgfValues,
    )
    from .transformers import (
        ValueTransformer as ValueTransformer,
    )
    from .values import (
        PASS as PASS,
    )
    from .values import (
        Action as Action,
    )
    from .values import (
        AmazonsMove as AmazonsMove,
    )
    from .values import (
        Application as Application,
    )
    from .values import (
        BackgammonMove as BackgammonMove,
    )
    from .values import (
        Board as Board,
    )
    from .values import (
        BoardSize as BoardSize,
    )
    from .values import (
        Clock as Clock,
    )
    from .values import (
        Color as Color,
    )
    from .values import (
        Composed as Composed,
    )
    from .values import (
        Double as Double,
    )
    from .values import (
        Ending as Ending,
    )
    from .values import (
        Figure as Figure,
    )
    from .values import (
        Invalid as Invalid,
    )
    from .values import (
        PartialDate as PartialDate,
    )
    from .values import (
        Pass as Pass,
    )
    from .values import (
        Played as Played,
    )
    from .values import (
        Point as Point,
    )
    from .values import (
        PointList as PointList,
    )
    from .values import (
        Rectangle as Rectangle,
    )
    from .values import (
        Result as Result,
    )
    from .values import (
        Stamp as Stamp,
    )
    from .values import (
        Value as Value,
    )
    from .writer import (
        dump as dump,
    )
    from .writer import (
        dumps as dumps,
    )
    from .writing import (
        written as written,
    )

#: Every public name, by the module that has it.
_HOMES = {
    "api": ("Games", "check", "iter_games", "load", "loads"),
    "build": ("GgfTransformer", "SgfTransformer"),
    "config": ("find_settings",),
    "converting": ("convert",),
    "diagnostics": (
        "RULES",
        "Diagnostic",
        "Edit",
        "Fix",
        "Report",
        "Rule",
        "SettingsError",
        "Severity",
        "SgfConversionError",
        "SgfError",
        "SgfGrammarError",
        "SgfSyntaxError",
        "SgfValidationError",
    ),
    "draft": ("Branch", "Draft"),
    "fixing": ("Fixed", "fixed"),
    "formatter": ("formatted",),
    "games": ("GAMES", "GO", "Game"),
    "grammars": ("Format",),
    "info": ("Info", "Player"),
    "kinds": ("Rules",),
    "many": ("CrashError", "Outcome", "check_many", "load_many"),
    "merging": ("merge",),
    "model": ("Collection", "GameTree"),
    "node": ("Move", "Node"),
    "options": ("CheckOptions",),
    "positions": ("LineIndex", "Span"),
    "properties": ("Category", "Count", "PropertyRule", "PropertyTable"),
    "property": ("Property",),
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
    "writer": ("dump", "dumps"),
    "writing": ("written",),
}

__version__ = "0.1.0"

__all__ = ["__version__", *sorted(name for names in _HOMES.values() for name in names)]  # noqa: PLE0604  # made of strings


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            found = getattr(import_module(f"{__name__}.{home}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
