from . import archive as archive
from ._version import __version__ as __version__
from .api.fix import Fixed as Fixed, fix_record as fix_record
from .api.format import format_record as format_record
from .api.load import check as check, iter_games as iter_games, load as load, loads as loads
from .api.many import check_many as check_many, load_many as load_many
from .api.paths import records as records
from .api.workers import CrashError as CrashError
from .boards.board import Board as Board, IllegalMoveError as IllegalMoveError
from .boards.state import Verdict as Verdict
from .boards.symmetry import Symmetry as Symmetry
from .convert.convert import convert as convert
from .findings.diagnostic import Diagnostic as Diagnostic, Fix as Fix
from .findings.errors import (
    SettingsError as SettingsError,
    SgfConversionError as SgfConversionError,
    SgfError as SgfError,
    SgfGrammarError as SgfGrammarError,
    SgfSyntaxError as SgfSyntaxError,
    SgfValidationError as SgfValidationError,
)
from .findings.finding import Rule as Rule, Severity as Severity
from .findings.report import Report as Report
from .findings.rules import RULES as RULES
from .grammar.parse_tree import parse_tree as parse_tree
from .model.collection import Collection as Collection, GameTree as GameTree
from .model.content import Move as Move, MoveArrays as MoveArrays, PlayedMove as PlayedMove
from .model.draft import Draft as Draft
from .model.info import Info as Info, Player as Player
from .model.nodes import Node as Node
from .model.positions.position import Position as Position
from .model.property import Property as Property
from .pictures.animation import animate as animate
from .pictures.diagram import Diagram as Diagram, GameFigure as GameFigure
from .pictures.pages.page import GamePage as GamePage
from .pictures.png import draw_png as draw_png
from .read.build import SgfTransformer as SgfTransformer
from .schema.formats import Format as Format
from .schema.games import GAMES as GAMES, Game as Game
from .schema.properties import PropertyRule as PropertyRule, PropertyTable as PropertyTable
from .schema.values import (
    PASS as PASS,
    BoardSize as BoardSize,
    Color as Color,
    Composed as Composed,
    Invalid as Invalid,
    PartialDate as PartialDate,
    Point as Point,
    PointList as PointList,
    Rectangle as Rectangle,
    Result as Result,
)
from .settings.selection import CheckOptions as CheckOptions
from .settings.settings import find_settings as find_settings
from .values.transformers import SgfValues as SgfValues
from .values.typed_grammar import grammar_limits as grammar_limits, typed_grammar as typed_grammar
from .write.dump import dump as dump, dumps as dumps
from .write.merge import merge as merge

__all__: list[str]  # noqa: PYI035  # computed
