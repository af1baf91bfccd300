from .all_rules import rule_modules as rule_modules
from .api.boards import draw_boards as draw_boards
from .archive.rows.game_rows import tabulate as tabulate
from .archive.rows.table_rows import tabulate_report as tabulate_report
from .boards.arrays import array as array, planes as planes
from .boards.games.amazons import AmazonsState as AmazonsState
from .boards.games.backgammon import BackgammonState as BackgammonState
from .boards.games.gess import GessState as GessState
from .boards.games.go import GoState as GoState
from .boards.games.gomoku import GomokuState as GomokuState
from .boards.games.hex import HexState as HexState
from .boards.games.lines_of_action import LoaState as LoaState
from .boards.games.octi import OctiState as OctiState
from .boards.games.othello import OthelloState as OthelloState
from .boards.games.twixt import TwixtState as TwixtState
from .boards.keys import key as key, symmetric_keys as symmetric_keys
from .boards.notation import (
    line_of as line_of,
    read_line as read_line,
    read_picture as read_picture,
)
from .boards.other_state import OtherState as OtherState
from .boards.rolls import settings as settings
from .boards.symmetry import (
    Symmetry as Symmetry,
    recoloring as recoloring,
    transformation as transformation,
)
from .check.producers import points_of_fox as points_of_fox
from .fix.later import with_fixes as with_fixes
from .model.draft import Draft as Draft
from .model.info import read_info as read_info
from .model.positions.checkpoints import Boards as Boards
from .model.positions.diagram import Diagrams as Diagrams
from .model.positions.examples import make_examples as make_examples
from .model.positions.figures import Figures as Figures
from .model.positions.numbering import Numbering as Numbering
from .model.positions.page import (
    draw_for_notebook as draw_for_notebook,
    draw_games as draw_games,
    make_page as make_page,
)
from .model.positions.playing import Playing as Playing, namer as namer, read_names as read_names
from .model.positions.position import walk as walk
from .model.positions.start import first_properties as first_properties
from .model.positions.transform import (
    recoloring_of as recoloring_of,
    transform as transform,
    transformation_of as transformation_of,
)
from .model.positions.viewing import Viewer as Viewer, view_games as view_games
from .pictures.diagram import FigureTuple as FigureTuple
from .pictures.pages.notebook import (
    draw_figures as draw_figures,
    draw_game as draw_game,
    image_of as image_of,
)
from .pictures.pages.pdf import draw_pdf as draw_pdf
from .pictures.svg import draw_svg as draw_svg
from .pictures.text import draw_text as draw_text
from .report.html import draw_report as draw_report
from .schema.values import points_of as points_of
from .write.read_back import why_no_json as why_no_json
