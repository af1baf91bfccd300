"""Code as people write it, for type checkers: what no annotation of one function says.

mypy and pyright prove each ``assert_type``, and need each comment that ignores a mistake;
``tests/docs/test_types.py`` runs the functions, but that of mistakes.
"""

import io
from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, assert_type

import sgf_lark
from sgf_lark.core.api.load import Games
from sgf_lark.core.findings.diagnostic import Edit
from sgf_lark.core.places import Span
from sgf_lark.core.schema.properties import Category, Count
from sgf_lark.core.schema.values import (
    Action,
    AmazonsMove,
    Application,
    BackgammonMove,
    Clock,
    Double,
    Figure,
    InitialBoard,
    MoveValue,
    NodeValue,
    Played,
    Stamp,
    Value,
)
from sgf_lark.files.workers import Outcome

TEXT = (
    "(;FF[4]GM[1]CA[UTF-8]AP[GNU Go:3.8]SZ[9]KM[6.5]PB[a]PW[b]BR[3d]RE[B+3.5]DT[2024-05-06]"
    "AB[gc]TB[aa:bb]FG[257:one];B[cc]BL[9.5]C[x];W[gg](;B[cg])(;B[tt]))"
)
MARKED = "(;FF[4]GM[1]SZ[9];B[cc]TR[aa:bb]LB[cc:A])"
EMPTY = "-------- -------- --------"
GGF = f"(;GM[Othello]PC[GGS]PB[a]PW[b]BO[8 {EMPTY} ---O*--- ---*O--- {EMPTY} *]B[d3/1/2];)"


def read(file: Path) -> None:
    """From files and texts to games."""
    file.write_text(TEXT, encoding="utf-8")
    collection = sgf_lark.load(file, strict=False, format="ff4", engine="generated")
    assert_type(collection, sgf_lark.Collection)
    assert_type(collection[0], sgf_lark.GameTree)
    assert_type(collection[:1], tuple[sgf_lark.GameTree, ...])
    games = sgf_lark.iter_games(io.BytesIO(TEXT.encode()), format=sgf_lark.Format.FF4)
    assert_type(games, Games)
    assert_type(next(games), sgf_lark.GameTree)
    games.close()
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
    assert_type(root.span, Span | None)
    (prop, *_) = root.properties
    assert_type(prop.value, NodeValue)
    assert_type(prop.values, tuple[Value, ...])
    assert_type(prop.rule, sgf_lark.PropertyRule | None)


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


def look_at_info(game: sgf_lark.GameTree) -> None:
    """Players, result and dates."""
    assert_type(game.info.date, date | sgf_lark.PartialDate | None)
    assert_type(game.info.komi, Decimal | None)
    if game.info.result is not None:
        assert_type(game.info.result.score, Decimal | None)
        assert_type(game.info.result.outcome, Literal[1, 0, -1] | None)
        assert_type(game.info.result.code, Literal["win", "draw", "void", "unknown"])


def look_at_moves(game: sgf_lark.GameTree) -> None:
    """Moves of Go, of backgammon and of GGF, and their positions."""
    for played in game.moves:
        assert_type(played, sgf_lark.PlayedMove)
        value = played.value
        assert_type(value, MoveValue)
        if isinstance(value, BackgammonMove):
            assert_type(value.numbers(played.color), tuple[tuple[int, int], ...])
        elif isinstance(value, AmazonsMove):
            assert_type(value.arrow, sgf_lark.Point)
        elif isinstance(value, Action):
            assert_type(value.word, str)
    for position in game.positions():
        assert_type(position.board, sgf_lark.Board)
        assert_type(position.verdict, sgf_lark.Verdict | None)
        assert_type(position.board.stone((0, 0)), sgf_lark.Color | None)
    other = sgf_lark.loads(GGF)[0]
    noted, first = other.nodes[1]["B"], other.root["BO"]
    if isinstance(noted, Played):
        assert_type(noted.seconds, Decimal | None)
    if isinstance(first, InitialBoard):
        assert_type(first.rows, tuple[str, ...])


def walk(game: sgf_lark.GameTree) -> None:
    """Nodes are sequences of the game, and mappings of their properties."""
    for node in game:
        assert_type(node, sgf_lark.Node)
        assert node in game
        assert_type(node.next, sgf_lark.Node | None)
        assert_type(list(node.keys()), list[str])
        assert_type(list(node), list[str])
        assert len(node) == len(node.items()) == len(node.values())


def check() -> None:
    """Findings and fixes."""
    options = sgf_lark.CheckOptions(select=["V"])
    report = sgf_lark.check(io.StringIO("(;FF[4]GM[1]KM[6,5])"), options=options)
    assert_type(report.counts, Counter[sgf_lark.Severity])
    for finding in report:
        assert_type(finding, sgf_lark.Diagnostic)
        if finding.fix is not None:
            assert_type(finding.fix.edits, tuple[Edit, ...])
    assert_type(sgf_lark.RULES["wrong-value"], sgf_lark.Rule)
    assert_type(sgf_lark.GAMES[1], sgf_lark.Game)
    try:
        sgf_lark.loads("(;FF[4]")
    except sgf_lark.SgfSyntaxError as error:
        assert_type(error.first, sgf_lark.Diagnostic)


def tabulate(file: Path) -> None:
    """From records to tables."""
    file.write_text(TEXT, encoding="utf-8")
    report = sgf_lark.archive.build([file], file.with_suffix(".archive"), jobs=1)
    assert_type(report.rows["games"], int)
    with sgf_lark.archive.read(file.with_suffix(".archive")) as archive:
        assert_type(archive, sgf_lark.archive.Archive)
        assert_type(archive.games, sgf_lark.archive.ArchiveTable)
        assert archive.games.to_table(["black"]).num_rows == 1  # pyright: ignore[reportUnknownMemberType]  # pyarrow has no types
    sources = sgf_lark.archive.find_sources([str(file)])
    assert_type(sources, Iterator[sgf_lark.archive.Source])
    for partition in sgf_lark.archive.partitions(sources, cuts=False):
        assert_type(partition, sgf_lark.archive.Partition)


def write(game: sgf_lark.GameTree) -> None:
    """Edits and conversions: games stay games, and collections collections."""
    draft = game.edit()
    assert_type(draft, sgf_lark.Draft[sgf_lark.GameTree])
    draft.set(0, "KM", 7)
    assert_type(draft.done(), sgf_lark.GameTree)
    assert_type(sgf_lark.convert(game, "FF[3]", lossy="drop"), sgf_lark.GameTree)
    assert_type(sgf_lark.convert(sgf_lark.loads(TEXT), "sgf"), sgf_lark.Collection)


def extend() -> None:
    """A value of a custom property has any type."""
    rule = sgf_lark.PropertyRule(
        format=sgf_lark.Format.FF4,
        ident="TT",
        type="real",
        category=Category.MOVE,
        count=Count.ONE,
    )
    table = sgf_lark.PropertyTable.standard().extend(rule)
    assert_type(sgf_lark.loads("(;FF[4]GM[1];B[cc]TT[1.5])", table=table)[0].nodes[1]["TT"], Any)


def mistakes(game: sgf_lark.GameTree) -> Iterator[object]:
    """Yield nothing; nobody runs it."""
    yield sgf_lark.dumps(game, style="pretty")  # type: ignore[arg-type]
    yield sgf_lark.dump(game, "game.sgf", style="pretty")  # type: ignore[arg-type, func-returns-value]
    yield sgf_lark.convert(game, "xyz")  # type: ignore[arg-type]
    yield sgf_lark.convert(game, "ff4", lossy="perhaps")  # type: ignore[arg-type]
    yield sgf_lark.load("game.sgf", format="ff9")  # type: ignore[arg-type]
    yield sgf_lark.load("game.sgf", engine="fast")  # type: ignore[arg-type]
    yield sgf_lark.load("game.sgf", encoding=8)  # type: ignore[arg-type]
    yield sgf_lark.load_many(["game.sgf"], then=3)  # type: ignore[call-overload]
    yield sgf_lark.load_many(["game.sgf"], stict=True)  # type: ignore[call-overload]
    yield sgf_lark.check_many(["game.sgf"], strict=True)  # type: ignore[call-arg]
    yield sgf_lark.fix_record(b"", level="grave")  # type: ignore[arg-type]
    yield game.root["KM"] + 1  # type: ignore[operator]
    yield game.root["C"] + 1  # type: ignore[operator]
    yield game.root["PL"].opponent  # type: ignore[union-attr]
    yield game.root.get("C").upper()  # type: ignore[union-attr]
    yield game.moves[0].value.column  # type: ignore[union-attr]
    yield game.root.properties[0].value + 1  # type: ignore[operator]
    yield game.info.result.score  # type: ignore[union-attr]
    yield game.info.black.rank_value.strength  # type: ignore[union-attr]
    game.info.komi = Decimal(3)  # type: ignore[misc]
    game.info.black.name = "Aoki"  # type: ignore[misc]


def use_everything(file: Path) -> None:
    """Run all of it."""
    read(file)
    tabulate(file)
    game = sgf_lark.loads(TEXT)[0]
    for part in (look, look_at_info, look_at_moves, walk, write):
        part(game)
    for apart in (look_at_marks, check, extend):
        apart()
