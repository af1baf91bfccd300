"""Records as editors show them: hover, completion, symbols, folding, hints, colors, labels."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice, product, starmap
from pathlib import Path
from typing import Any

from lark import Token
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from sgf_lark.core import (
    COLORS,
    HUNDREDTHS,
    RULE_NAMES,
    Category,
    File,
    GameTree,
    Node,
    Nodes,
    Point,
    PropertyRule,
    Reading,
    Span,
    Writer,
    escape_text,
    load,
    shorten,
)
from sgf_lark.report.explain import PropertyPage, page_as_markdown, private_properties
from sgf_lark.workbench.lint_text import find_definition
from sgf_lark.workbench.parse_state import parse
from sgf_lark.workbench.source_text import walk_parts

from .grammars import locate_definition
from .records import LEGEND, CursorPlace, Document, Record, extent_of, place_of

#: Limits: levels of variations, properties with hints, symbols, files whose games are kept.
MAX_DEPTH, MAX_HINTED, MAX_SYMBOLS, MAX_FILES = 30, 2_500, 3_000, 1 << 12


def _lines_of(nodes: Nodes) -> dict[int, Span]:
    ends, waiting = dict[int, int](), list[int]()
    for start in nodes.tree.starts:
        while waiting and nodes.parents[start] < waiting[-1]:
            ends[waiting.pop()] = start
        waiting.append(start)
    ends |= dict.fromkeys(waiting, len(nodes))
    return {
        at: Span(place_of(nodes, at).start, place_of(nodes, stop - 1).end)
        for at, stop in ends.items()
    }


# ---- symbols ----


@Record.answering(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def list_symbols(record: Record, _: Any) -> list[lsp.DocumentSymbol]:
    """Return the games, their variations, and named, commented and branching nodes."""
    symbols = []
    for game in islice(record.collection, MAX_SYMBOLS):
        place, kind = record.document.range(extent_of(game)), lsp.SymbolKind.Class
        symbols.append(lsp.DocumentSymbol(str(game.info), kind, place, place))
        symbols[-1].children = _symbols_of(record, game)
    return symbols


def _symbols_of(record: Record, game: GameTree) -> list[lsp.DocumentSymbol]:
    nodes, lines = game.nodes, _lines_of(game.nodes)
    forks = {nodes.parents[start] for start in lines if start}
    levels = [(len(record.text), list[lsp.DocumentSymbol]())]
    for number in sorted({*nodes.having(("N", "C")), *forks, *lines} - {0})[:MAX_SYMBOLS]:
        node, span = nodes[number], place_of(nodes, number)
        while levels[-1][0] <= span.start:
            levels.pop()
        move = f"move {node.move_number} {node.move}" if node.move else f"node {number}"
        words = shorten(str(node.get("N") or node.get("C") or ""), 60)
        kind = lsp.SymbolKind.Namespace if number in lines else lsp.SymbolKind.Event
        place, own = map(record.document.range, (lines.get(number, span), span))
        symbol = lsp.DocumentSymbol(" · ".join(filter(None, (move, words))), kind, place, own)
        levels[-1][1].append(symbol)
        if number in lines and len(levels) < MAX_DEPTH:
            symbol.children = children = list[lsp.DocumentSymbol]()
            levels.append((lines[number].end, children))
    return levels[0][1]


@lru_cache(maxsize=MAX_FILES)  # asked at each letter: 500 real files take 1.6 s without
def games_of(path: Path, _: int, codec: PositionCodec) -> list[lsp.SymbolInformation]:
    """Return the games of a file, named by players, result, dates and event."""
    collection, kind = load(path, strict=False, info_only=True), lsp.SymbolKind.Class
    document = Document(path.as_uri(), collection.text, position_codec=codec)
    names = [", ".join(filter(None, (str(one.info), one.info.event))) for one in collection]
    ranges = map(document.range, map(extent_of, collection))
    places = (lsp.Location(document.uri, range) for range in ranges)
    return [lsp.SymbolInformation(*one, kind) for one in zip(places, names, strict=True)]


# ---- folding and selection ----


@Record.answering(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
def fold(record: Record, _: Any) -> list[lsp.FoldingRange]:
    """Return games, variations and values of several lines."""
    spans = [*map(extent_of, record.collection)]
    for game in record.collection:
        tape = game.nodes.tape
        spans += _lines_of(game.nodes).values()
        spans += [value for value in tape.every_value() if "\n" in record.text[slice(*value)]]
    lines = sorted({tuple(map(record.document.line_of, span)) for span in spans})
    return [lsp.FoldingRange(first, last) for first, last in lines if first < last]


@Record.answering(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
def select(record: Record, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
    """Return what is around places: value, property, node, variations, game, document."""
    return [_around(record, position) for position in params.positions]


def _around(record: Record, position: lsp.Position) -> lsp.SelectionRange:
    result = lsp.SelectionRange(record.document.range((0, len(record.text))))
    place, offset = record.place(position), record.document.offset(position)
    if place is not None:
        lines = _lines_of(place.game.nodes).values()
        spans = sorted(line for line in lines if line.start <= offset <= line.end)[-MAX_DEPTH:]
        inner = place.node.span, place.prop.span if place.prop else None, place.span
        for span in (extent_of(place.game), *spans, *filter(None, inner)):
            if span.start <= place.span.start and place.span.end <= span.end:  # none if between
                result = lsp.SelectionRange(record.document.range(span), result)
    return result


# ---- hints and colors ----


def _properties_in(record: Record, span: Span) -> Iterator[tuple[Nodes, int, int, Reading]]:
    """Yield the properties of the nodes in a span, each with its node and its place there."""
    for game in record.games_in(span):
        first, last = (game.nodes.tape.locate(offset)[0] for offset in span)
        for number in range(first, last + 1):
            for at, prop in enumerate(game.nodes.contents[number]):
                yield game.nodes, number, at, prop


@Record.answering(lsp.TEXT_DOCUMENT_INLAY_HINT)
def hint(record: Record, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """Return the number and the name of each move, and the komi in points."""
    hints, span = [], record.document.span(params.range)
    for nodes, number, at, prop in islice(_properties_in(record, span), MAX_HINTED):
        label = HUNDREDTHS.get(prop.raw[0], "") if prop.ident == "KM" else ""
        if prop.ident in COLORS and (move := nodes[number].move):
            label = f"{nodes.move_number(number)} {nodes.name_move(move.value) or ''}".strip()
        if label:
            place = record.document.position(nodes.places.property(number, at).end)
            hints.append(lsp.InlayHint(place, label, padding_left=True))
    return hints


_OF_NAMES = dict(zip((*Category, None), range(6), strict=True))
_STRING, _NUMBER, _POINT, _WORD, _ESCAPE = range(6, 11)

#: A character with its escape, or others up to the end of the line.
_PIECES = re.compile(r"\\[^\r\n]|[^\\\r\n]+")


def _color_of(prop: Reading) -> int:
    """Return the type of the values of a property by the grammar of the first type it has."""
    rule, reader = prop.rule, prop.reader
    if rule is None or reader is None or (rule.is_text and not rule.form):
        return _STRING
    expression = reader.kind(rule.form or rule.types[0][0]).expression or ""
    return _POINT if rule.has_points else _NUMBER if re.fullmatch(expression, "12") else _WORD


@Record.answering(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
@Record.answering(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)
def color(record: Record, params: Any) -> lsp.SemanticTokens:
    """Return the tokens in a range; of a document those of its beginning."""
    return record.colored(_tokens(record, record.to_color(params)))


def _tokens(record: Record, span: Span) -> Iterator[tuple[int, int, int]]:
    colors: dict[str, int] = {}
    for nodes, number, at, prop in _properties_in(record, span):
        name = nodes.tape.name(number, at, len(prop.name))
        yield *name, _OF_NAMES[prop.rule.category if prop.rule else None]
        if prop.ident not in colors:
            colors[prop.ident] = _color_of(prop)
        for index in range(len(prop.raw)):
            for piece in _PIECES.finditer(record.text, *nodes.tape.value(number, at, index)):
                is_escape = piece[0][0] == "\\" and colors[prop.ident] == _STRING
                yield *piece.span(), _ESCAPE if is_escape else colors[prop.ident]


# ---- hover and pictures ----


@Record.answering("sgf-lark/diagram")
async def draw(record: Record, params: Any) -> dict[str, str] | None:
    """Return the board after the node at a place, as SVG; None where there is none.

    The request has ``textDocument`` and ``position``, the result ``svg`` and ``path``.
    """
    if (place := record.place(params.position)) is None:
        return None
    diagram = await asyncio.to_thread(place.node.diagram)
    return {"svg": str(diagram.svg()), "path": place.node.path}


@Record.answering(lsp.TEXT_DOCUMENT_HOVER)
def hover(record: Record, params: lsp.HoverParams) -> lsp.Hover | None:
    """Return the meaning of a property, its typed value, and the board after a move or setup."""
    if (place := record.place(params.position)) is None or place.prop is None:
        return None
    prop, nodes = place.prop, place.game.nodes
    private = [row for row in private_properties() if row.ident == prop.ident]
    rows = [] if prop.rule is None else [prop.rule]
    parts = [page_as_markdown(PropertyPage(prop.ident, rows, private, nodes.rules.table))]
    if rows and place.number is not None and place.number < len(prop.values):
        value = prop.values[place.number]
        parts.append(f"* **value**: {type(value).__name__} `{nodes.name_move(value) or value}`")
    if rows and rows[0].category in {Category.MOVE, Category.SETUP}:
        parts += _describe_board(place.node)
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n".join(parts))
    return lsp.Hover(content, record.document.range(place.span))


def _describe_board(node: Node) -> Iterator[str]:
    move, above = node.move, node.parent
    with suppress(ValueError, TypeError):  # no board is known, or the value is no move
        if move is not None and above is not None:
            verdict = above.board.legal(move.value, move.color)
            words = "legal" if verdict else f"{verdict.code}, {verdict.reason}"
            yield f"**Move {node.move_number}, {move}**: {words}"
        yield f"```text\n{node.board.text()}\n```"


# ---- completion ----


@Record.answering(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(["[", ";", "%"]))
def complete(record: Record, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """Return the properties that may be at a place, or the values; both with their meaning."""
    if (place := record.place(params.position)) is None:
        return []
    words, kind = place.game.nodes.rules.reader.words, lsp.CompletionItemKind.Value
    before = record.text[place.span.start : record.document.offset(params.position)]
    items = _values_for(place, before)
    if place.number is None:
        kind = lsp.CompletionItemKind.Property
        items = ((row.ident, f"{row.name}: {words(row)}") for row in _rows_for(place))
    return [lsp.CompletionItem(label, kind=kind, detail=detail) for label, detail in items]


def _rows_for(place: CursorPlace) -> Iterator[PropertyRule]:
    node, rules = place.node, place.game.nodes.rules
    others = {Category.MOVE: Category.SETUP, Category.SETUP: Category.MOVE}
    excluded = {others.get(prop.rule.category) for prop in node.properties if prop.rule}
    excluded.add(None if node.is_root else Category.ROOT)
    for ident in dict.fromkeys(row.ident for row in rules.table if row.format is rules.format):
        row = rules.rule(ident)
        if row is not None and row.category not in excluded and ident not in node:
            yield row


def _values_for(place: CursorPlace, before: str) -> Iterator[tuple[str, str]]:
    """Yield values of a property, or ends of what is before the cursor, with their meaning."""
    prop, node, rules = place.prop, place.node, place.game.nodes.rules
    if prop is None or prop.rule is None:
        return
    if prop.ident == "GM":
        yield from ((str(number), game.name) for number, game in rules.table.numbered.items())
    elif prop.ident == "RU":
        yield from ((name, "rules with a name in FF[4]") for name in {*RULE_NAMES.values()})
    elif prop.rule.has_points:
        with suppress(ValueError):  # no board is known
            board, write = (node.parent or node).board, Writer(rules.reader).write
            columns, rows = map(range, board.size)
            points: Iterable[Any] = starmap(Point, product(columns, rows))
            if prop.ident in COLORS:
                points = board.legal_moves(COLORS[prop.ident])
            yield from ((write(prop.rule, point), board.name(point)) for point in points)
    elif prop.rule.form or not prop.rule.is_text:
        for kind in [prop.rule.form] if prop.rule.form else [kinds[0] for kinds in prop.rule.types]:
            file, rule, _ = rules.reader.kind(kind).place
            names = sorted(parse(before, file, rule, upto=len(before)).follows)
            yield from ((text, "") for name in names for text in _texts_of(file, name))


def _texts_of(file: File, name: str) -> list[str]:
    """Return the texts of a terminal that is a choice of texts; none of other terminals."""
    found = find_definition(file, name)
    parts = (part for one in (found[1].alternatives if found else ()) for part in walk_parts(one))
    tokens = [part for part in parts if isinstance(part, Token)]
    return [token[1:-1] for token in tokens if all(one.type == "STRING" for one in tokens)]


# ---- definition and labels ----


@Record.answering(lsp.TEXT_DOCUMENT_DEFINITION)
def define(record: Record, params: lsp.DefinitionParams) -> lsp.Location | None:
    """Return the production of a value, from its quotation on, in the file of its grammar."""
    place = record.place(params.position)
    if place is None or place.prop is None or (rule := place.prop.rule) is None:
        return None
    kind = rule.form or rule.types[0][0].replace("undefined", "text")
    file, name, _ = place.game.nodes.rules.reader.kind(kind).place
    return locate_definition(record, file, name)


@Record.answering(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(record: Record, params: Any) -> lsp.Range | None:
    """Return the place of a label; None where there is none."""
    place = record.place(params.position)
    if place is None or place.number is None or place.prop is None or place.prop.ident != "LB":
        return None
    return record.document.range(_label_in(place.span, place.prop.raw[place.number]))


@Record.answering(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
def rename(record: Record, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """Return the edits that rename a label in all nodes of its figure (FG)."""
    found, place = prepare_rename(record, params), record.place(params.position)
    if found is None or place is None:
        return None
    nodes, old = place.game.nodes, record.text[slice(*record.document.span(found))]
    starts, figures = {0, *nodes.having(("FG",))}, list[int]()
    for number, above in enumerate(nodes.parents):
        figures.append(number if number in starts else figures[above])
    new = escape_text(params.new_name, nodes.rules.format, composed=True)
    edits = []
    for number in dict.fromkeys(nodes.having(("LB",))):
        for at, prop in enumerate(nodes.contents[number]):
            for index, raw in enumerate(prop.raw if prop.ident == "LB" else ()):
                span = _label_in(nodes.tape.value(number, at, index), raw)
                is_same = record.text[slice(*span)] == old
                if is_same and figures[number] == figures[place.node.index]:
                    edits.append(lsp.TextEdit(record.document.range(span), new))
    return lsp.WorkspaceEdit({record.document.uri: edits})


def _label_in(span: Span, raw: str) -> Span:
    return Span(span.start + raw.find(":") + 1, span.end)
