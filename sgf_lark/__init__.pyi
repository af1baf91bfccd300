from sgf_lark.convert.merge import merge as merge, merge_all as merge_all

from . import archive as archive, foreign as foreign
from ._version import __version__ as __version__
from .convert.convert import convert as convert
from .core import (
    GAMES as GAMES,
    PASS as PASS,
    RULES as RULES,
    BoardSize as BoardSize,
    CheckOptions as CheckOptions,
    Collection as Collection,
    Color as Color,
    Composed as Composed,
    Diagnostic as Diagnostic,
    Draft as Draft,
    Dropped as Dropped,
    Fix as Fix,
    Fixed as Fixed,
    Format as Format,
    Game as Game,
    GameTree as GameTree,
    Info as Info,
    Invalid as Invalid,
    Move as Move,
    MoveArrays as MoveArrays,
    Node as Node,
    PartialDate as PartialDate,
    PlayedMove as PlayedMove,
    Player as Player,
    Point as Point,
    PointList as PointList,
    Property as Property,
    PropertyRule as PropertyRule,
    PropertyTable as PropertyTable,
    Rectangle as Rectangle,
    Report as Report,
    Result as Result,
    Rule as Rule,
    SettingsError as SettingsError,
    Severity as Severity,
    SgfConversionError as SgfConversionError,
    SgfError as SgfError,
    SgfGrammarError as SgfGrammarError,
    SgfSyntaxError as SgfSyntaxError,
    SgfTransformer as SgfTransformer,
    SgfValidationError as SgfValidationError,
    SgfValues as SgfValues,
    check as check,
    drop as drop,
    dump as dump,
    dumps as dumps,
    fix_record as fix_record,
    format_record as format_record,
    iter_games as iter_games,
    load as load,
    loads as loads,
)
from .files.many import check_many as check_many, load_many as load_many
from .files.paths import records as records
from .files.workers import CrashError as CrashError
from .pictures.animation import animate as animate
from .pictures.diagram import Diagram as Diagram, GameFigure as GameFigure
from .pictures.pages.page import GamePage as GamePage
from .pictures.svg import draw_png as draw_png
from .positions.board import Board as Board, IllegalMoveError as IllegalMoveError
from .positions.position import Position as Position
from .positions.state import Verdict as Verdict
from .positions.symmetry import Symmetry as Symmetry
from .settings.settings import find_settings as find_settings
from .workbench.parse_state import parse_tree as parse_tree
from .workbench.typed_grammar import (
    grammar_limits as grammar_limits,
    typed_grammar as typed_grammar,
)

__all__: list[str]  # noqa: PYI035  # computed
