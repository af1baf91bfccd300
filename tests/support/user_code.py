"""Code as people write it, with every public name, for type checkers.

mypy and pyright prove each ``assert_type``; ``tests/docs/test_types.py`` runs the functions, which
shows that the types are true, and that no public name is missing here.
"""

import io
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, assert_type

import sgf_lark
from sgf_lark.api.load import Games
from sgf_lark.api.workers import Outcome
from sgf_lark.boards.board import LegalMoves
from sgf_lark.boards.games.backgammon import Checkers
from sgf_lark.findings.diagnostic import Edit
from sgf_lark.model.draft import Branch
from sgf_lark.model.ruleset import RuleSet
from sgf_lark.places import LineIndex, Span
from sgf_lark.read.build import GgfTransformer
from sgf_lark.schema.games import GO
from sgf_lark.schema.properties import Category, Count
from sgf_lark.schema.ranks import Rank, RankKind
from sgf_lark.schema.values import (
    Action,
    AmazonsMove,
    Application,
    BackgammonMove,
    Clock,
    Double,
    Ending,
    Figure,
    FigureFlag,
    InitialBoard,
    MoveValue,
    NodeValue,
    Pass,
    Played,
    Stamp,
    Value,
)
from sgf_lark.values.reader import Reader, reader
from sgf_lark.values.transformers import GgfValues, ValueTransformer
from sgf_lark.values.writer import write_value

TEXT = (
    "(;FF[4]GM[1]CA[UTF-8]AP[GNU Go:3.8]SZ[9]KM[6.5]PB[a]PW[b]BR[3d]RE[B+3.5]DT[2024-05-06]"
    "AB[gc]TB[aa:bb]FG[257:one];B[cc]BL[9.5]C[x];W[gg](;B[cg])(;B[tt]))"
)
MARKED = "(;FF[4]GM[1]SZ[9];B[cc]TR[aa:bb]LB[cc:A])"
EMPTY = "-------- -------- --------"
GGF = (
    "(;GM[Othello]PC[GGS]PB[a]RB[1500]PW[b]TI[15:00//02:00]DT[2004.09.18_05:54:38.MDT]TY[8]"
    f"RE[+4.000]BO[8 {EMPTY} ---O*--- ---*O--- {EMPTY} *]B[d3/1/2];)"
)


def read(file: Path) -> None:
    """From files and texts to games."""
    file.write_text(TEXT, encoding="utf-8")
    collection = sgf_lark.load(file, strict=False, format="ff4", engine="generated")
    assert_type(collection, sgf_lark.Collection)
    assert_type(sgf_lark.loads(TEXT.encode(), encoding="utf-8"), sgf_lark.Collection)
    assert_type(collection[0], sgf_lark.GameTree)
    assert_type(collection[:1], tuple[sgf_lark.GameTree, ...])
    games = sgf_lark.iter_games(io.BytesIO(TEXT.encode()), format=sgf_lark.Format.FF4)
    assert_type(games, Games)
    assert_type(next(games), sgf_lark.GameTree)
    games.close()
    tree = sgf_lark.parse_tree(TEXT, "ff4")
    assert_type(str(tree.data), str)
    assert_type(sgf_lark.__version__, str)
    assert_type(sgf_lark.__all__, list[str])


def read_many(file: Path) -> None:
    """From many files to outcomes."""
    file.write_text(TEXT, encoding="utf-8")
    assert_type([*sgf_lark.records(file.parent)], list[str])
    for outcome in sgf_lark.load_many([file], jobs=1, then=len):
        assert_type(outcome, Outcome[int])
        assert_type(outcome.result, int | None)
        assert not isinstance(outcome.error, sgf_lark.CrashError)
    for loaded in sgf_lark.load_many([file], jobs=1, strict=False):
        assert_type(loaded, Outcome[sgf_lark.Collection])
    for report in sgf_lark.check_many([file], jobs=1, engine="auto"):
        assert_type(report, sgf_lark.Report)


def look(game: sgf_lark.GameTree) -> None:
    """Nodes, properties and their values."""
    root = game.root
    assert_type(root, sgf_lark.Node)
    assert_type(root["KM"], Decimal | str | tuple[str, ...] | sgf_lark.Invalid)
    assert_type(root["C" if "C" in root else "PB"], str)
    assert_type(root.get("C"), str | None)
    assert_type(root.get("C", 0), str | int)
    assert_type(root["FF"], int | sgf_lark.Invalid)
    assert_type(root["SZ"], int | sgf_lark.BoardSize | sgf_lark.Invalid)
    assert_type(root["RE"], str | sgf_lark.Result | sgf_lark.Invalid)
    assert_type(root["FG"], bool | Figure | sgf_lark.Invalid)
    assert_type(root.get("PL"), sgf_lark.Color | sgf_lark.Invalid | None)
    assert_type(root.get("TE"), Double | sgf_lark.Invalid | None)
    assert_type(
        root["DT"],
        str | tuple[date | sgf_lark.PartialDate, ...] | Stamp | sgf_lark.Invalid,
    )
    assert_type(root["AP"], str | Application | tuple[str, ...] | sgf_lark.Invalid)
    assert_type(root["TB"], str | Clock | sgf_lark.PointList | tuple[str, ...] | sgf_lark.Invalid)
    assert_type(game.nodes[1]["BL"], Decimal | sgf_lark.Invalid)
    assert_type(game.nodes[1]["B"], MoveValue | Played)
    assert_type(dict(root), dict[str, NodeValue])
    assert_type(list(root.items()), list[tuple[str, NodeValue]])
    assert_type(root.raw, dict[str, tuple[str, ...]])
    assert_type(root.children, tuple[sgf_lark.Node, ...])
    assert_type(root.span, Span | None)
    (prop, *_) = root.properties
    assert_type(prop, sgf_lark.Property)
    assert_type(prop.value, NodeValue)
    assert_type(prop.values, tuple[Value, ...])
    assert_type(prop.rule, sgf_lark.PropertyRule | None)
    assert_type(prop.reader, Reader | None)


def look_at_marks() -> None:
    """Lists of points, and of other values."""
    node = sgf_lark.loads(MARKED)[0].nodes[1]
    marks, labels = node["TR"], node["LB"]
    assert_type(
        marks,
        str | sgf_lark.PointList | tuple[str | sgf_lark.Rectangle | sgf_lark.Invalid, ...],
    )
    assert_type(labels, str | tuple[str | sgf_lark.Composed | sgf_lark.Invalid, ...])
    if isinstance(marks, sgf_lark.PointList):
        assert_type(list(marks), list[sgf_lark.Point])
        assert_type(marks.entries, tuple[sgf_lark.Point | sgf_lark.Rectangle, ...])
    assert_type(sgf_lark.Point(3, 4).gtp(9), str)
    assert sgf_lark.Point.from_gtp("D5", 9) == (3, 4)


def look_at_info(game: sgf_lark.GameTree) -> None:
    """Players, result and dates."""
    info = game.info
    assert_type(info, sgf_lark.Info)
    assert_type(info.black, sgf_lark.Player)
    assert_type(info.black.rank_value, Rank | None)
    assert_type(Rank(RankKind.DAN, 3).strength, float)
    assert_type(info.date, date | sgf_lark.PartialDate | None)
    assert_type(info.komi, Decimal | None)
    if info.result is not None:
        assert_type(info.result, sgf_lark.Result)
        assert_type(info.result.ending, Ending | None)
        assert_type(info.result.score, Decimal | None)
        assert_type(info.result.outcome, Literal[1, 0, -1] | None)
        assert_type(info.result.code, Literal["win", "draw", "void", "unknown"])
    assert FigureFlag.NO_HOSHI & 512


def look_at_moves(game: sgf_lark.GameTree) -> None:
    """Moves of Go, of backgammon and of GGF."""
    move = game.nodes[1].move
    assert_type(move, sgf_lark.Move | None)
    if move is not None:
        assert_type(move.value, MoveValue)
        assert_type(move.point, sgf_lark.Point | None)
        assert_type(move.color, sgf_lark.Color)
    for played in game.moves:
        assert_type(played, sgf_lark.PlayedMove)
        value = played.value
        if isinstance(value, BackgammonMove):
            assert_type(value.numbers(played.color), tuple[tuple[int, int], ...])
        elif isinstance(value, AmazonsMove):
            assert_type(value.arrow, sgf_lark.Point)
        elif isinstance(value, Action):
            assert_type(value.word, str)
        elif isinstance(value, Pass):
            assert_type(value, Pass)
    arrays = game.move_arrays()
    assert_type(arrays, sgf_lark.MoveArrays)
    assert_type(arrays.column[0], int)
    other = sgf_lark.loads(GGF)[0]
    noted, first = other.nodes[1]["B"], other.root["BO"]
    if isinstance(noted, Played):
        assert_type(noted.seconds, Decimal | None)
    if isinstance(first, InitialBoard):
        assert_type(first.rows, tuple[str, ...])


def walk(game: sgf_lark.GameTree) -> None:
    """Lines and positions."""
    assert_type(game.main_line(), tuple[sgf_lark.Node, ...])
    for node in game:
        assert_type(node, sgf_lark.Node)
        assert node in game
        assert_type(node.next, sgf_lark.Node | None)
        assert_type(node.variations, tuple[sgf_lark.Node, ...])
        assert_type(node.is_leaf, bool)
        assert_type(list(node.keys()), list[str])
        assert_type(list(node), list[str])
        assert len(node) == len(node.items()) == len(node.values())
    assert_type(game.leaves(), tuple[sgf_lark.Node, ...])
    assert_type(game.mainline_from("0"), tuple[sgf_lark.Node, ...])
    assert str(game.root.move) == "None"
    assert_type(game.at("1"), sgf_lark.Node)
    for position in game.positions():
        assert_type(position, sgf_lark.Position)
        assert_type(position.board, sgf_lark.Board)
        assert_type(position.verdict, sgf_lark.Verdict | None)
    turned = game.transformed(sgf_lark.Symmetry.ROTATE_90)
    assert_type(turned, sgf_lark.GameTree)
    assert_type(sgf_lark.merge(game, game), sgf_lark.GameTree)


def play() -> None:
    """Boards."""
    board = sgf_lark.Board("Go", 9).play("D4").play(sgf_lark.PASS)
    assert_type(board, sgf_lark.Board)
    assert_type(board.legal_moves(), LegalMoves)
    assert_type(board.legal("D4"), sgf_lark.Verdict)
    assert_type(board.captured, dict[sgf_lark.Color, int])
    assert_type(board.stones(), tuple[sgf_lark.Point, ...])
    try:
        board.play("D4")
    except sgf_lark.IllegalMoveError as error:
        assert_type(error.verdict, sgf_lark.Verdict)
    held = sgf_lark.Board("Backgammon")["6"]
    if isinstance(held, Checkers):
        assert_type(held.amount, int)


def draw(game: sgf_lark.GameTree) -> None:
    """Pictures."""
    diagram = game.nodes[1].diagram(numbers="all")
    assert_type(diagram, sgf_lark.Diagram)
    picture = diagram.svg(theme="dark", size=200)
    assert isinstance(picture, str)
    assert isinstance(sgf_lark.animate([diagram, game.nodes[2].diagram()]), str)
    page = game.page()
    assert_type(page, sgf_lark.GamePage)
    assert_type(page.figures[0], sgf_lark.GameFigure)
    assert_type(sgf_lark.draw_png(picture), bytes)


def check() -> None:
    """Findings, fixes and layouts."""
    options = sgf_lark.CheckOptions(select=["V"])
    report = sgf_lark.check(io.StringIO("(;FF[4]GM[1]KM[6,5])"), options=options)
    assert_type(report.counts, Counter[sgf_lark.Severity])
    for finding in report:
        assert_type(finding, sgf_lark.Diagnostic)
        if finding.fix is not None:
            assert_type(finding.fix, sgf_lark.Fix)
            assert_type(finding.fix.edits, tuple[Edit, ...])
    assert report.to_arrow().num_rows == len(report)  # pyright: ignore[reportUnknownMemberType]  # pyarrow has no types
    (game,) = sgf_lark.loads("(;FF[4]GM[1];B[aa])")
    assert game.to_arrow().num_rows == 1  # pyright: ignore[reportUnknownMemberType]  # pyarrow has no types
    fixed = sgf_lark.fix_record(b"(;FF[4]GM[1]KM[6,5])", level="error")
    assert_type(fixed, sgf_lark.Fixed)
    assert_type(sgf_lark.format_record(fixed.data, indent=2), bytes)
    assert_type(sgf_lark.RULES["wrong-value"], sgf_lark.Rule)
    assert_type(LineIndex("a\nb").offset(2, 1), int)


def tabulate(file: Path) -> None:
    """From records to tables, and answers from them."""
    file.write_text(TEXT, encoding="utf-8")
    output = file.with_suffix(".archive")
    report = sgf_lark.archive.build([file], output, jobs=1, positions=True)
    assert_type(report, sgf_lark.archive.BuildReport)
    assert_type(report.rows["games"], int)
    with sgf_lark.archive.read(output) as archive:
        assert_type(archive, sgf_lark.archive.Archive)
        assert_type(archive.games, sgf_lark.archive.ArchiveTable)
        assert_type(len(archive.table("moves")), int)
        assert_type(archive.positions.column_names, list[str])
        assert archive.games.to_table(["black"]).num_rows == 1  # pyright: ignore[reportUnknownMemberType]  # pyarrow has no types
        assert_type(sgf_lark.archive.stats(archive), sgf_lark.archive.Stats)
        assert_type(sgf_lark.archive.dupes(archive), sgf_lark.archive.Duplicates)
        opening = sgf_lark.archive.openings(archive, moves=2, handicap=1)
        assert_type(opening, sgf_lark.archive.Openings)
        selection = sgf_lark.archive.select(archive, "errors = 0")
        assert_type(selection, sgf_lark.archive.Selection)
    sources = sgf_lark.archive.find_sources([str(file)])
    assert_type(sources, Iterator[sgf_lark.archive.Source])
    for partition in sgf_lark.archive.partitions(sources, cuts=False):
        assert_type(partition, sgf_lark.archive.Partition)
        rows = sgf_lark.archive.read_partition(partition, ["games"])
        assert_type(rows, sgf_lark.archive.PartitionRows)
        made = list(sgf_lark.archive.batches(partition, "games"))  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType, reportUnknownArgumentType]  # pyarrow has no types
        assert len(made) == 1  # pyright: ignore[reportUnknownArgumentType]  # pyarrow has no types


def write(game: sgf_lark.GameTree) -> None:
    """Edits, conversions and texts."""
    draft = game.edit()
    assert_type(draft, sgf_lark.Draft[sgf_lark.GameTree])
    draft.set(0, "KM", 7)
    branch = draft.copy(game.at("3"))
    assert_type(branch, Branch)
    assert_type(draft.paste(game.at("1"), branch), int)
    assert_type(draft.done(), sgf_lark.GameTree)
    assert_type(sgf_lark.dumps(game, style="canonical"), str)
    sgf_lark.dump(game, io.BytesIO(), style="compact", encoding="utf-8")
    assert_type(sgf_lark.convert(game, "FF[3]", lossy="drop"), sgf_lark.GameTree)
    assert_type(sgf_lark.convert(sgf_lark.loads(TEXT), "sgf"), sgf_lark.Collection)
    assert_type(sgf_lark.GameTree.new("Go", 9, format="ff4"), sgf_lark.GameTree)


def fail() -> None:
    """Errors."""
    try:
        sgf_lark.loads("(;FF[4]")
    except sgf_lark.SgfSyntaxError as error:
        assert_type(error.first, sgf_lark.Diagnostic)
    try:
        sgf_lark.loads("(;FF[4]GM[1]KM[6,5])")
    except sgf_lark.SgfValidationError as error:
        assert_type(error.report, sgf_lark.Report)
    with suppress(sgf_lark.SgfGrammarError, OSError):
        sgf_lark.loads("(;)", grammar="no-such-grammar.lark")
    try:
        sgf_lark.convert(sgf_lark.loads("(;FF[4]GM[4]SZ[8])", strict=False), "ggf")
    except sgf_lark.SgfConversionError as error:
        error_of_all: sgf_lark.SgfError = error
        assert_type(error_of_all.report, sgf_lark.Report)
    with suppress(sgf_lark.SettingsError):
        assert sgf_lark.find_settings(Path(__file__).parent) is not None


def extend() -> None:
    """Tables, grammars and readers."""
    rule = sgf_lark.PropertyRule(
        format=sgf_lark.Format.FF4,
        ident="TT",
        type="real",
        category=Category.MOVE,
        count=Count.ONE,
    )
    table = sgf_lark.PropertyTable.standard().extend(rule)
    assert_type(table, sgf_lark.PropertyTable)
    assert_type(sgf_lark.loads("(;FF[4]GM[1];B[cc]TT[1.5])", table=table)[0].nodes[1]["TT"], Any)
    by = reader(sgf_lark.Format.FF4, GO)
    assert_type(by, Reader)
    assert_type(by.read_property(rule, ("1.5",)).values, tuple[Value, ...])
    assert_type(write_value(rule, Decimal("1.5"), by), str)
    assert_type(sgf_lark.GAMES[1], sgf_lark.Game)
    assert_type(sgf_lark.typed_grammar("ff4", game="Go"), str)
    assert_type(sgf_lark.grammar_limits("ff4"), tuple[str, ...])
    rules = RuleSet(sgf_lark.Format.FF4, GO, table)
    assert_type(rules.rule("TT"), sgf_lark.PropertyRule | None)
    values: list[ValueTransformer] = [sgf_lark.SgfValues(), GgfValues()]
    assert values
    assert issubclass(sgf_lark.SgfTransformer, object)
    assert issubclass(GgfTransformer, object)


def use_everything(file: Path) -> None:
    """Run all of it."""
    read(file)
    read_many(file)
    tabulate(file)
    game = sgf_lark.loads(TEXT)[0]
    for part in (look, look_at_info, look_at_moves, walk, write):
        part(game)
    for apart in (look_at_marks, play, check, fail, extend):
        apart()
    draw(game)
