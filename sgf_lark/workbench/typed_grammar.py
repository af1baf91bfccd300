"""The typed grammar as a Lark grammar: the grammar of a format, a game and a property table.

``property`` is replaced by one alternative for each row of the table, each value by a
terminal of its type, and ``node`` by what may be together in a node.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sgf_lark.core import (
    LARGEST_WITH_TT,
    PLAIN_TEXTS,
    BoardSize,
    Dialect,
    Format,
    FormatName,
    Game,
    GameNumber,
    GrammarSource,
    PropertyRule,
    PropertyTable,
    grammars,
    reader,
)

from . import typed_text
from .lint import for_records
from .typed import END, TypedProperties, TypedProperty

#: Findings about records that no typed grammar expresses, and the reason.
BEYOND = {
    "duplicate-property": "a property occurs once in a node",
    "two-moves": "a node has a move of one color",
    "contradicting-annotations": "annotations of a group exclude each other",
    "annotation-without-move": "an annotation of a move needs a move",
    "second-game-info": "a path has one node with game-info",
    "setup-conflict, markup-conflict, territory-conflict": "a point is in one list of a node",
    "repeated-point, repeated-line": "a list names a point or line once",
    "one-point-rectangle, swapped-corners, one-point-line": "two points of a value differ",
    "out-of-range, doubtful-number": "numbers have a range",
    "unknown-game, other-game": "GM and SZ agree with the grammar's game and size",
    "empty-text, application-without-version": "such values are rejected, though only doubtful",
    "too long": "numbers of more than 512 characters are rejected, too",
    "private properties": "a name that the table lacks is rejected; extend the table",
    "illegal-move and others of the groups G and E": "they need a board, or the bytes",
}


def typed_grammar(
    format: Format | FormatName = Format.FF4,
    game: Game | str | int | None = None,
    size: BoardSize | tuple[int, int] | int | None = None,
    table: PropertyTable | None = None,
    grammar: str | os.PathLike[str] | GrammarSource | None = None,
    *,
    fixed: bool = False,
) -> str:
    """Return the typed grammar of a format and game, in Lark's notation.

    Lark parses records by it (``parser="lalr"``); the trees have the shape of those by the
    grammar of the format, and their tokens are named after properties and types.

    Args:
        format: The format, such as ``ff4``.
        game: The game, its number or its name; Go if None, in GGF Othello.
        size: The board: one side of a square, or columns and rows.  None: any points.
        table: The property table; the standard one if None.
        grammar: A custom grammar of that format.
        fixed: GM and SZ have no other values than a game and size that are given.

    Raises:
        ValueError: There is no such format or game, or it cannot name the game or size.
        SgfGrammarError: The custom grammar has errors.
    """
    rows = typed_rows(format, game, size, table, grammar)
    values = {}
    if fixed and game is not None:
        one = rows.reader.game
        values["GM"] = one.name if rows.reader.format is Format.GGF else str(one.number)
    if fixed and rows.size is not None:
        sides = rows.size[:1] if rows.size.is_square else rows.size
        values["SZ"] = ":".join(map(str, sides))
    return "\n".join(_lines(rows, _words(rows, size), values)) + "\n"


def grammar_limits(
    format: Format | FormatName = Format.FF4,
    game: Game | str | int | None = None,
    size: BoardSize | tuple[int, int] | int | None = None,
    table: PropertyTable | None = None,
    grammar: str | os.PathLike[str] | GrammarSource | None = None,
) -> tuple[str, ...]:
    """Return what the typed grammar does not express; arguments as for :func:`typed_grammar`.

    Each text is a property or the name of a finding, a colon, and the reason.
    """
    return tuple(_limits(typed_rows(format, game, size, table, grammar)))


def typed_rows(
    format: Format | FormatName,
    game: Game | str | int | None,
    size: BoardSize | tuple[int, int] | int | None,
    table: PropertyTable | None,
    grammar: str | os.PathLike[str] | GrammarSource | None,
) -> TypedProperties:
    """Return the properties of a typed grammar; arguments as for :func:`typed_grammar`."""
    table = PropertyTable.standard() if table is None else table
    dialect = None
    if grammar is not None:
        file = grammar if isinstance(grammar, GrammarSource) else grammars.source(Path(grammar))
        dialect = Dialect(for_records(file, table.kinds))
    board = None if size is None else _board(size)
    format = format if isinstance(format, Format) else Format.named(format)
    over_19 = board is not None and max(board) > LARGEST_WITH_TT
    one = reader(format, find_game(format, game, table), over_19=over_19, dialect=dialect)
    return TypedProperties(one, table, board)


def _board(size: BoardSize | tuple[int, int] | int) -> BoardSize:
    columns, rows = (size, size) if isinstance(size, int) else size
    if min(columns, rows) < 1:
        raise ValueError(f"invalid size {columns}:{rows}: expected numbers from 1")
    return BoardSize(columns, rows)


def find_game(
    format: Format, game: Game | str | int | None, table: PropertyTable | None = None
) -> Game:
    """Return a game by its number or its name in any case; Go if None, in GGF Othello."""
    if isinstance(game, Game):
        return game
    table = PropertyTable.standard() if table is None else table
    if game is None:
        game = GameNumber.OTHELLO if format is Format.GGF else GameNumber.GO
    if isinstance(game, str) and format is Format.GGF and not game.isdecimal():
        return table.game(format, None, game)
    known = table.find_game(game)
    if known is None:
        names = ", ".join(f"{number} {game.name}" for number, game in table.numbered.items())
        raise ValueError(f"no game {game!r}: there are {names}")
    return table.game(format, known.number, known.name)


def _words(rows: TypedProperties, size: object) -> str:
    words = f"{rows.reader.format.shown}, {rows.reader.game.name}"
    if rows.size is None or size is None:
        return words
    return f"{words}, board of {rows.size.columns} by {rows.size.rows}"


def _lines(rows: TypedProperties, words: str, fixed: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the grammar."""
    yield f"// Typed grammar: {words}."
    yield "//"
    yield "// Derived from a grammar and the property table by sgf_lark: change those, not this."
    yield "// Not expressed in it:"
    yield from (f"//   {limit}" for limit in _limits(rows))
    yield ""
    values: dict[str, str] = {}
    typed = [
        _typed_row(row, rows.reader.game, values, fixed.get(ident))
        for ident, row in rows.items()
        if row.name is not None
    ]
    if not typed:
        raise ValueError(f"the table has no properties of {words}")
    mixes = rows.reader.format is not Format.FF4
    yield from typed_text.write_grammar(rows.reader.file, typed, values, mixes=mixes)


def _limits(rows: TypedProperties) -> Iterator[str]:
    for row in rows.values():
        if row.name is None:
            yield f"{row.rule.ident}: the format has no such name"
        elif row.value is None:
            yield f"{row.rule.ident}: any value, because {row.why}"
    if not typed_text.tells_nodes(rows.reader.file) and rows.reader.format is not Format.GGF:
        yield "root-outside-root, setup-with-move: nodes are not told apart"
    yield from (f"{names}: {why}" for names, why in BEYOND.items())


def _typed_row(
    row: TypedProperty, game: Game, values: dict[str, str], fixed: str | None
) -> typed_text.TypedRow:
    """Return a property for the grammar; add the terminal of its values."""
    name = row.name or ""
    name = typed_text.regular_expression(f"{name}(?![A-Za-z0-9])") if "[" in name else f'"{name}"'
    if fixed is not None:
        if row.value is None or re.fullmatch(row.value, fixed) is None:
            raise ValueError(f"{row.rule.format.shown} has no {row.rule.ident}[{fixed}]")
        return typed_text.TypedRow(row.rule, name, f'"[{fixed}]"')
    if row.value is None:
        return typed_text.TypedRow(row.rule, name, typed_text.ANY_VALUE)
    value = f"(?>{row.value}{END}|{newer})" if (newer := _newer_form(row, game)) else row.value
    expression = typed_text.regular_expression(rf"\[{value}\]")
    terminal = base = _terminal(row.rule)
    number = 1
    while values.setdefault(terminal, expression) != expression:
        number += 1
        terminal = f"{base}_{number}"
    return typed_text.TypedRow(row.rule, name, terminal)


def _newer_form(row: TypedProperty, game: Game) -> str | None:
    """Return the expression of FF[4] for a form of text that older formats only recommend."""
    rule = row.rule
    if rule.format not in {Format.FF1, Format.FF3} or not rule.form:
        return None
    table = PropertyTable.standard()
    known = table.find(Format.FF4, game.number, rule.ident) or rule.as_of(Format.FF4)
    newer = TypedProperties(reader(Format.FF4, game, over_19=True), table.extend(known))
    return newer[rule.ident].value if rule.types in PLAIN_TEXTS else None


def _terminal(rule: PropertyRule) -> str:
    if rule.is_points:
        return f"{rule.types[0][0]}s_value".upper()
    kinds: Sequence[str] = (rule.form,) if rule.form else [*map("_".join, rule.types)]
    return f"{'_or_'.join(kinds)}_value".upper()
