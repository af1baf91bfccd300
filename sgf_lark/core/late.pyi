from sgf_lark.all_rules import rule_modules as rule_modules
from sgf_lark.archive.rows.game_rows import tabulate as tabulate
from sgf_lark.archive.rows.table_rows import tabulate_report as tabulate_report
from sgf_lark.files.archives import open_record as open_record, read_record as read_record
from sgf_lark.files.members import archive_ends as archive_ends
from sgf_lark.files.writing import digest_of as digest_of, write_file as write_file
from sgf_lark.foreign.registry import (
    choose_codec as choose_codec,
    find_format as find_format,
    read_foreign as read_foreign,
)
from sgf_lark.games.backgammon import Checkers as Checkers
from sgf_lark.games.go_checks import check_go as check_go
from sgf_lark.games.moves import check_moves as check_moves
from sgf_lark.games.octi import HeldPod as HeldPod
from sgf_lark.games.registry import check_game_rules as check_game_rules, find_state as find_state
from sgf_lark.pictures.diagram import (
    Diagram as Diagram,
    FigureTuple as FigureTuple,
    GameFigure as GameFigure,
)
from sgf_lark.pictures.pages.page import (
    GamePage as GamePage,
    draw_figures as draw_figures,
    draw_game as draw_game,
    image_of as image_of,
)
from sgf_lark.pictures.pages.pdf import draw_pdf as draw_pdf
from sgf_lark.pictures.parts import PageTheme as PageTheme
from sgf_lark.pictures.svg import draw_svg as draw_svg
from sgf_lark.pictures.text import draw_text as draw_text
from sgf_lark.positions.arrays import (
    Examples as Examples,
    array as array,
    make_examples as make_examples,
    planes as planes,
)
from sgf_lark.positions.board import Board as Board
from sgf_lark.positions.cell_state import OtherState as OtherState
from sgf_lark.positions.diagram import Diagrams as Diagrams, draw_boards as draw_boards
from sgf_lark.positions.figures import Figures as Figures
from sgf_lark.positions.keys import key as key, symmetric_keys as symmetric_keys
from sgf_lark.positions.notation import (
    line_of as line_of,
    read_line as read_line,
    read_picture as read_picture,
    read_rows as read_rows,
)
from sgf_lark.positions.numbering import Numbering as Numbering
from sgf_lark.positions.page import (
    Viewer as Viewer,
    draw_for_notebook as draw_for_notebook,
    draw_games as draw_games,
    make_page as make_page,
    view_games as view_games,
)
from sgf_lark.positions.playing import Playing as Playing, namer as namer, read_names as read_names
from sgf_lark.positions.position import Boards as Boards, Position as Position, walk as walk
from sgf_lark.positions.start import first_properties as first_properties
from sgf_lark.positions.state import State as State
from sgf_lark.positions.symmetry import (
    Symmetry as Symmetry,
    recoloring as recoloring,
    transformation as transformation,
)
from sgf_lark.positions.transform import (
    recoloring_of as recoloring_of,
    transform as transform,
    transformation_of as transformation_of,
)
from sgf_lark.report.base import report_as as report_as, without_known as without_known
from sgf_lark.report.html import draw_report as draw_report
from sgf_lark.workbench.lint import check_grammar as check_grammar, for_records as for_records
from sgf_lark.workbench.source_text import grammar_text as grammar_text

from .check.producers import points_of_fox as points_of_fox
from .fix.place import SharedState as SharedState
from .fix.registry import add_fix as add_fix
from .model.draft import Draft as Draft
from .model.info import read_info as read_info
from .model.times import times_used as times_used
from .read.build import structure_of as structure_of
from .values.analysis import (
    ANALYSIS_PROGRAMS as ANALYSIS_PROGRAMS,
    Analysis as Analysis,
    find_analysis as find_analysis,
    why_damaged as why_damaged,
)
from .values.overtime import read_overtime as read_overtime
from .write.read_back import why_no_json as why_no_json
