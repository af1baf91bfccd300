from .all_rules import rule_modules_of_core as rule_modules_of_core
from .api.drop import (
    Dropped as Dropped,
    describe_dropped as describe_dropped,
    drop as drop,
    require_kinds as require_kinds,
)
from .api.fix import Fixed as Fixed, edited as edited, fix_record as fix_record
from .api.format import (
    ChangedError as ChangedError,
    Layout as Layout,
    format_record as format_record,
)
from .api.load import (
    Games as Games,
    check as check,
    check_contents as check_contents,
    examine as examine,
    iter_games as iter_games,
    load as load,
    loads as loads,
    make_report as make_report,
    read_source as read_source,
    with_boards as with_boards,
)
from .api.misuse import require_archive as require_archive, require_paths as require_paths
from .api.options import LoadOptions as LoadOptions, Options as Options, ReadOptions as ReadOptions
from .check.across_games import (
    FileFold as FileFold,
    Summary as Summary,
    check_match_length as check_match_length,
)
from .check.findings import name_beside as name_beside
from .check.judge import FileJudge as FileJudge
from .check.outside_games import no_game as no_game
from .check.selection import (
    OUTSIDE as OUTSIDE,
    CheckOptions as CheckOptions,
    Pattern as Pattern,
    prefix as prefix,
    selected as selected,
    similar as similar,
)
from .check.value_lints import RULE_NAMES as RULE_NAMES
from .engine import regex as regex
from .engine.analysis import rank as rank
from .engine.parser import Parser as Parser, Rejected as Rejected
from .engine.plan import Plan as Plan, UntranslatableError as UntranslatableError
from .engine.regex import (
    CharSet as CharSet,
    character_sets as character_sets,
)
from .findings.catalogue import (
    Entry as Entry,
    catalogue as catalogue,
    rule_page as rule_page,
    table as table,
)
from .findings.diagnostic import (
    MAX_QUOTED as MAX_QUOTED,
    Diagnostic as Diagnostic,
    Edit as Edit,
    Fix as Fix,
    cut as cut,
    describe_place as describe_place,
    new_edit as new_edit,
    new_fix as new_fix,
    shorten as shorten,
)
from .findings.errors import (
    SettingsError as SettingsError,
    SgfConversionError as SgfConversionError,
    SgfError as SgfError,
    SgfGrammarError as SgfGrammarError,
    SgfSyntaxError as SgfSyntaxError,
    SgfValidationError as SgfValidationError,
)
from .findings.finding import (
    GROUPS as GROUPS,
    NO_FACTS as NO_FACTS,
    NOWHERE as NOWHERE,
    RULES as RULES,
    SEVERITIES as SEVERITIES,
    Finding as Finding,
    Rule as Rule,
    Severity as Severity,
    at_least as at_least,
    register as register,
)
from .findings.limits import (
    MAX_ALIKE as MAX_ALIKE,
    FindingLimit as FindingLimit,
    words_of_rest as words_of_rest,
)
from .findings.report import (
    Report as Report,
    about_file as about_file,
    count_findings as count_findings,
    excerpt as excerpt,
    source_line as source_line,
)
from .findings.words import (
    name_in_words as name_in_words,
    nearest as nearest,
    plural as plural,
    reason as reason,
    visible as visible,
)
from .fix.syntax import MAX_TOKENS as MAX_TOKENS
from .grammar import derived as derived, grammars as grammars
from .grammar.grammars import (
    File as File,
    by_grammar as by_grammar,
    knows_points as knows_points,
    terminals as terminals,
    unusable as unusable,
)
from .grammar.mismatch import (
    first_match as first_match,
    lexed as lexed,
    mismatch as mismatch,
    overtaken as overtaken,
    overtaking as overtaking,
    spelled as spelled,
    unexpected as unexpected,
)
from .grammar.tokens import name_pattern as name_pattern, tokenize as tokenize
from .lazy import (
    load_extra as load_extra,
    load_module as load_module,
    load_names_lazily as load_names_lazily,
    read_homes as read_homes,
)
from .memo import Memo as Memo
from .model.collection import (
    Collection as Collection,
    GameTree as GameTree,
    Judgement as Judgement,
    as_collection as as_collection,
)
from .model.constraints import (
    HUNDREDTHS as HUNDREDTHS,
    doubtful_number as doubtful_number,
    find_repeated as find_repeated,
)
from .model.content import (
    Move as Move,
    MoveArrays as MoveArrays,
    PlayedMove as PlayedMove,
    move_of as move_of,
)
from .model.draft import Branch as Branch, Draft as Draft
from .model.info import TEXTS as TEXTS, Info as Info, Player as Player
from .model.nodes import Node as Node, Nodes as Nodes
from .model.property import Property as Property, category as category
from .model.readings import Content as Content, Reading as Reading
from .model.ruleset import (
    RuleSet as RuleSet,
    RuleSets as RuleSets,
    find_board_size as find_board_size,
    find_first_values as find_first_values,
    name_of_file as name_of_file,
    parse_number as parse_number,
    size_of_board as size_of_board,
)
from .model.tape import (
    VALUE as VALUE,
    Foreign as Foreign,
    GameColumns as GameColumns,
    Places as Places,
    Said as Said,
    Tape as Tape,
    Values as Values,
    raws_of as raws_of,
)
from .model.tree import NONE as NONE, LinkList as LinkList, Links as Links
from .places import LineColumn as LineColumn, LineIndex as LineIndex, Span as Span
from .reach import reach as reach
from .read.build import GgfTransformer as GgfTransformer, SgfTransformer as SgfTransformer
from .read.detect_format import detect_format as detect_format, detect_grammar as detect_grammar
from .read.games import reads_as_ggf as reads_as_ggf
from .read.split import find_root_values as find_root_values, split_games as split_games
from .read.tape_reader import TapeReader as TapeReader
from .schema.backgammon import (
    BAR as BAR,
    BAR_NUMBER as BAR_NUMBER,
    TRAY as TRAY,
    number_of_place as number_of_place,
)
from .schema.formats import (
    ADDED as ADDED,
    FOREIGN as FOREIGN,
    Engine as Engine,
    Format as Format,
    FormatName as FormatName,
    GrammarSource as GrammarSource,
)
from .schema.frozen import read_docstring as read_docstring
from .schema.games import (
    GAMES as GAMES,
    GO as GO,
    IN_LETTERS as IN_LETTERS,
    LARGEST_WITH_TT as LARGEST_WITH_TT,
    LETTERED_SIDE as LETTERED_SIDE,
    LONGEST_SIDE as LONGEST_SIDE,
    OLD_SIDE as OLD_SIDE,
    RED as RED,
    SHARED_WITH_GGF as SHARED_WITH_GGF,
    Game as Game,
    GameNumber as GameNumber,
    game_and_size as game_and_size,
    game_of as game_of,
    number_of_game as number_of_game,
    undeclared_game as undeclared_game,
)
from .schema.other_libraries import no_attribute as no_attribute
from .schema.points import (
    BOTH_CASES as BOTH_CASES,
    GO_LETTERS as GO_LETTERS,
    LETTERS as LETTERS,
    color_of as color_of,
    column_name as column_name,
    column_number as column_number,
    side_and_move as side_and_move,
)
from .schema.properties import (
    COLORS as COLORS,
    HAVE_POINTS as HAVE_POINTS,
    LONGEST_LABEL as LONGEST_LABEL,
    SETUP as SETUP,
    SETUP_OF as SETUP_OF,
    TEXT_TYPES as TEXT_TYPES,
    TIMES as TIMES,
    VIEW_CORNERS as VIEW_CORNERS,
    Category as Category,
    Count as Count,
    Group as Group,
    PropertyRule as PropertyRule,
    PropertyTable as PropertyTable,
    capitals as capitals,
    check_ident as check_ident,
    check_type as check_type,
    ident_of as ident_of,
    rows_of as rows_of,
)
from .schema.ranks import (
    HIGHEST_AMATEUR as HIGHEST_AMATEUR,
    PROFESSIONAL_STEP as PROFESSIONAL_STEP,
    Rank as Rank,
    RankKind as RankKind,
    fold_name as fold_name,
)
from .schema.values import (
    PASS as PASS,
    Action as Action,
    AmazonsMove as AmazonsMove,
    Application as Application,
    BackgammonMove as BackgammonMove,
    BoardSize as BoardSize,
    Clock as Clock,
    Color as Color,
    Composed as Composed,
    CubeOwner as CubeOwner,
    Dice as Dice,
    Double as Double,
    Ending as Ending,
    Figure as Figure,
    FigureFlag as FigureFlag,
    InitialBoard as InitialBoard,
    Invalid as Invalid,
    LinkCenter as LinkCenter,
    Model as Model,
    MoveValue as MoveValue,
    NodeValue as NodeValue,
    OctiMove as OctiMove,
    OctiStep as OctiStep,
    OthelloType as OthelloType,
    PartialDate as PartialDate,
    Pass as Pass,
    Period as Period,
    Played as Played,
    Pod as Pod,
    Point as Point,
    PointList as PointList,
    ProngMove as ProngMove,
    Rectangle as Rectangle,
    Result as Result,
    Stamp as Stamp,
    Step as Step,
    Value as Value,
    points_of as points_of,
)
from .text.charset_names import (
    codec_of as codec_of,
    fits as fits,
    label as label,
    require_codec as require_codec,
)
from .text.choice import SHIFTING as SHIFTING
from .text.detection import (
    KEPT as KEPT,
    KEPT_FROM as KEPT_FROM,
    KEPT_UTF8 as KEPT_UTF8,
    Evidence as Evidence,
    guess as guess,
    kept as kept,
    replace_undecodable as replace_undecodable,
)
from .text.encoding import (
    Decoded as Decoded,
    Section as Section,
    decode as decode,
    decode_sections as decode_sections,
    encode as encode,
)
from .text.source import TextSource as TextSource
from .values.analysis import (
    ANALYSIS_PROGRAMS as ANALYSIS_PROGRAMS,
    Analysis as Analysis,
    Candidate as Candidate,
    find_analyses as find_analyses,
)
from .values.corrections import (
    correct_dates as correct_dates,
    correct_result as correct_result,
    correct_value as correct_value,
    format_real as format_real,
    possible_days as possible_days,
    time_and_overtime as time_and_overtime,
)
from .values.dialect import (
    OF_GAME as OF_GAME,
    Dialect as Dialect,
    Shape as Shape,
    UnknownTypeError as UnknownTypeError,
    check_table as check_table,
    without_own_types as without_own_types,
)
from .values.game_transformers import (
    AmazonsValues as AmazonsValues,
    BackgammonValues as BackgammonValues,
    ChessValues as ChessValues,
    GessValues as GessValues,
    GomokuValues as GomokuValues,
    GoValues as GoValues,
    HexValues as HexValues,
    LinesOfActionValues as LinesOfActionValues,
    OctiValues as OctiValues,
    OthelloValues as OthelloValues,
    PlainValues as PlainValues,
    TwixtValues as TwixtValues,
)
from .values.kinds import (
    ESCAPED_TEXTS as ESCAPED_TEXTS,
    PLAIN_TEXTS as PLAIN_TEXTS,
    RAW_FORMS as RAW_FORMS,
    MethodError as MethodError,
    NotOfType as NotOfType,
)
from .values.methods import ValueMethods as ValueMethods
from .values.overtime import (
    read_clock as read_clock,
    read_overtime as read_overtime,
    write_overtime as write_overtime,
)
from .values.reader import Reader as Reader, invalid as invalid, reader as reader
from .values.transformers import (
    GgfValues as GgfValues,
    Postfix as Postfix,
    SgfValues as SgfValues,
    ValueTransformer as ValueTransformer,
    parse_value as parse_value,
)
from .values.values_file import ValuesFile as ValuesFile
from .values.writer import (
    Writer as Writer,
    close_value as close_value,
    escape_text as escape_text,
    plain as plain,
    point_notation as point_notation,
    write_value as write_value,
)
from .write.bounds import (
    Bounds as Bounds,
    find_bounds as find_bounds,
    find_strays as find_strays,
    find_text as find_text,
    may_have_strays as may_have_strays,
)
from .write.dump import dump as dump, dumps as dumps
from .write.encode import FIRST_BEYOND as FIRST_BEYOND
from .write.read_back import UnwritableError as UnwritableError
from .write.styles import meaning as meaning

__all__: list[str]  # noqa: PYI035  # computed
