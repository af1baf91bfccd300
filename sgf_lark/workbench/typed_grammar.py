"""The typed grammar as a Lark grammar: the grammar of a format, a game and a property table.

``property`` is replaced by one alternative for each row of the table, each value by a
terminal of its type, and ``node`` by what may be together in a node.  The rules above the
properties are those of the format's grammar, copied; only the first node of a game is told apart,
because some properties belong there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

from lark import Token, Tree
from lark.grammar import NonTerminal, Symbol, Terminal

from sgf_lark.core import (
    LARGEST_WITH_TT,
    PLAIN_TEXTS,
    BoardSize,
    Category,
    Count,
    Dialect,
    File,
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
    one = reader(format, choose_game(format, game, table), over_19=over_19, dialect=dialect)
    return TypedProperties(one, table, board)


def _board(size: BoardSize | tuple[int, int] | int) -> BoardSize:
    columns, rows = (size, size) if isinstance(size, int) else size
    if min(columns, rows) < 1:
        raise ValueError(f"invalid size {columns}:{rows}: expected numbers from 1")
    return BoardSize(columns, rows)


def choose_game(
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
    yield from write_grammar(rows.reader.file, typed, values, mixes=mixes)


def _limits(rows: TypedProperties) -> Iterator[str]:
    for row in rows.values():
        if row.name is None:
            yield f"{row.rule.ident}: the format has no such name"
        elif row.value is None:
            yield f"{row.rule.ident}: any value, because {row.why}"
    if not tells_nodes(rows.reader.file) and rows.reader.format is not Format.GGF:
        yield "root-outside-root, setup-with-move: nodes are not told apart"
    yield from (f"{names}: {why}" for names, why in BEYOND.items())


def _typed_row(
    row: TypedProperty, game: Game, values: dict[str, str], fixed: str | None
) -> TypedRow:
    """Return a property for the grammar; add the terminal of its values."""
    name = row.name or ""
    name = regular_expression(f"{name}(?![A-Za-z0-9])") if "[" in name else f'"{name}"'
    if fixed is not None:
        if row.value is None or re.fullmatch(row.value, fixed) is None:
            raise ValueError(f"{row.rule.format.shown} has no {row.rule.ident}[{fixed}]")
        return TypedRow(row.rule, name, f'"[{fixed}]"')
    if row.value is None:
        return TypedRow(row.rule, name, ANY_VALUE)
    value = f"(?>{row.value}{END}|{newer})" if (newer := _newer_form(row, game)) else row.value
    expression = regular_expression(rf"\[{value}\]")
    terminal = base = _terminal(row.rule)
    number = 1
    while values.setdefault(terminal, expression) != expression:
        number += 1
        terminal = f"{base}_{number}"
    return TypedRow(row.rule, name, terminal)


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


# ---- the text of a typed grammar ----

#: A part of a rule, as Lark loads it.
RulePart: TypeAlias = Tree[Token] | Token | Symbol | None

#: The terminal of any value.
ANY_VALUE = "PROP_VALUE"

#: The terminal of an empty list.
EMPTY_VALUE = "EMPTY_VALUE"

#: The rules of properties by their category; trees name all of them ``property``.
RULES = {
    Category.NONE: "property",
    Category.GAME_INFO: "info_property",
    Category.ROOT: "root_property",
    Category.MOVE: "move_property",
    Category.SETUP: "setup_property",
}


class TypedRow(NamedTuple):
    """A property of a typed grammar."""

    rule: PropertyRule
    name: str  # the expression of its name, with its slashes; or a string in quotation marks
    value: str


class RuleText(NamedTuple):
    """A rule of a grammar: the marks before its name, its name, its alternatives."""

    marks: str
    name: str
    tree: Tree[Token]


def write_grammar(
    file: File, rows: Iterable[TypedRow], values: Mapping[str, str], *, mixes: bool
) -> Iterator[str]:
    rows = list(rows)
    structure = _structure(file)
    yield from _contents(structure, {row.rule.category for row in rows}, mixes=mixes)
    yield ""
    yield from _properties(rows, is_split=tells_nodes(file))
    yield ""
    for row in rows:
        yield f"{name_of(row.rule)}: {row.name}"
    yield ""
    for name, expression in sorted(values.items()):
        yield f"{name}: {expression}"
    if any(row.rule.count is Count.ELIST for row in rows):
        yield f'{EMPTY_VALUE}: "[]"'
    yield ""
    others = [ANY_VALUE] if any(row.value == ANY_VALUE for row in rows) else []
    yield from _terminals(file, structure, others)


def tells_nodes(file: File) -> bool:
    """Return whether a typed grammar of a format tells the first node of a game from others."""
    return _path(_structure(file)) is not None


def name_of(rule: PropertyRule) -> str:
    return f"{rule.ident}_NAME"


# ---- structure ----


def _structure(file: File) -> dict[str, RuleText]:
    below = grammars.in_structure(file)
    definitions = {}
    for name, params, tree, options in grammars.grammar(file).rule_defs:
        if str(name) in below and not params and str(name) != "property":
            marks = "!" * bool(options.keep_all_tokens) + "?" * bool(options.expand1)
            definitions[str(name)] = RuleText(marks, str(name), tree)
    return definitions


def _path(structure: Mapping[str, RuleText]) -> list[str] | None:
    """Return the rules from the first one to ``node``, each with the next one in it.

    None if copies of them do not set the first node apart from the others.
    """
    path = [next(iter(structure), "")]
    while path[-1] != "node":
        if path[-1] not in structure:
            return None
        below = [name for name in _symbols_in(structure[path[-1]].tree) if name not in path]
        if not below or (path[1:] and structure[path[-1]].marks):
            return None
        path.append(below[0])
    if "node" not in structure or structure["node"].marks:
        return None
    node = structure["node"].tree
    stars = [part for part in node.find_data("expr") if _repeated(part) == ("property", "*")]
    return path if len(stars) == 1 and _symbols_in(node).count("property") == 1 else None


def _symbols_in(part: RulePart, kind: type[Symbol] = NonTerminal) -> list[str]:
    if isinstance(part, kind):
        return [str(part.name)]
    if not isinstance(part, Tree):
        return []
    return [name for child in part.children for name in _symbols_in(child, kind)]


def _repeated(expr: Tree[Token]) -> tuple[str, str]:
    """Return the rule that a repetition repeats, and its sign; "" for anything else."""
    value, sign, *_ = expr.children
    names = _symbols_in(value) if isinstance(value, Tree) and value.data == "value" else []
    return (names[0] if names else ""), str(sign)


def _contents(
    structure: Mapping[str, RuleText], categories: set[Category], *, mixes: bool
) -> Iterator[str]:
    """Yield the rules above the properties, those of the first node of a game by themselves."""
    path = _path(structure)
    if path is None:
        for definition in structure.values():
            yield _definition(definition.marks, definition.name, _text(definition.tree))
        return
    texts = {
        name: _text(definition.tree) for name, definition in structure.items() if name != "node"
    }
    top, *below = path
    first = {name: f"_root{name}" if name.startswith("_") else f"root_{name}" for name in below}
    texts[top] = _text(structure[top].tree, {name: first[name] for name in below[:1]})
    for name in path:
        if name != "node":
            yield _definition(structure[name].marks, name, texts.pop(name))
    yield from (_definition(structure[name].marks, name, text) for name, text in texts.items())
    node = structure["node"].tree
    anywhere = [Category.NONE, Category.GAME_INFO]
    yield _definition("", "node", _node(node, anywhere, categories, mixes=mixes))
    for name, next_name in pairwise(below):
        tree = structure[name].tree
        options = [_replace_first(part, next_name, first[next_name])[0] for part in tree.children]
        copied: Tree[Token] = Tree(tree.data, options)  # type: ignore[arg-type]  # symbols, too
        yield _definition("", first[name], _aliased(name, copied))
    root = _node(node, [*anywhere, Category.ROOT], categories, mixes=mixes)
    yield _definition("", first["node"], f"{root} -> node")


def _aliased(name: str, tree: Tree[Token]) -> str:
    if name.startswith("_"):
        return _text(tree)
    return " | ".join(
        text if " -> " in text else f"{text} -> {name}" for text in map(_text, tree.children)
    )


def _replace_first(part: RulePart, rule: str, first: str) -> tuple[RulePart, bool]:
    """Return a part with another rule for the first use of a rule, and whether it has one."""
    if isinstance(part, NonTerminal):
        is_it = part.name == rule
        return (NonTerminal(first) if is_it else part), is_it
    if not isinstance(part, Tree):
        return part, False
    if part.data == "expr" and rule in _symbols_in(part):
        inside, sign, *_ = part.children
        head, _ = _replace_first(inside, rule, first)
        if str(sign) in {"+", "*"}:
            rest = Tree("expr", [inside, Token("OP", "*")])
            both = Tree("expansions", [Tree("expansion", [head, rest])])
            return (both if str(sign) == "+" else Tree("maybe", [both])), True
    children: list[RulePart] = []
    done = False
    for child in part.children:
        new, has_it = (child, False) if done else _replace_first(child, rule, first)
        done = done or has_it
        children.append(new)
    return Tree(part.data, children), done  # type: ignore[arg-type]  # Lark mixes symbols in


def _node(tree: Tree[Token], anywhere: list[Category], used: set[Category], *, mixes: bool) -> str:
    """Return the alternatives of a node: what may be in any, then a move or setup."""
    free = [RULES[category] for category in anywhere if category in used]
    own = [RULES[one] for one in (Category.MOVE, Category.SETUP) if one in used]
    if mixes:
        free, own = [*free, *own], []
    content = f"({' | '.join(free)})*" if free else ""
    options = [f"{rule} ({' | '.join([*free, rule])})*" for rule in own]
    content += f" ({' | '.join(options)})?" if options else ""
    return _text(tree).replace("property*", content)


def _definition(marks: str, name: str, text: str) -> str:
    return f"{marks}{name}: {text}"


# ---- properties ----


def _properties(rows: list[TypedRow], *, is_split: bool) -> Iterator[str]:
    by_rule: dict[str, list[str]] = {"property": []} if not is_split else {}
    for row in rows:
        name = RULES[row.rule.category] if is_split else "property"
        alias = "" if name == "property" else " -> property"
        by_rule.setdefault(name, []).append(f"{name_of(row.rule)} {_list(row)}{alias}")
    for name, options in by_rule.items():
        yield f"{name}: " + f"\n{'| ':>{len(name) + 2}}".join(options)


def _list(row: TypedRow) -> str:
    if row.rule.count is Count.ONE:
        return row.value
    if row.rule.count is Count.LIST:
        return f"{row.value}+"
    return f"({EMPTY_VALUE} | {row.value}+)"


# ---- terminals ----


def _terminals(file: File, structure: Mapping[str, RuleText], others: list[str]) -> Iterator[str]:
    loaded = grammars.grammar(file)
    known = {str(name): definition for name, definition in loaded.term_defs}
    ignored = [str(name) for name in loaded.ignore]
    waiting = [*ignored, *others]
    for definition in structure.values():
        waiting += _symbols_in(definition.tree, Terminal)
    written: dict[str, None] = {}
    while waiting:
        name = waiting.pop(0)
        if name in known and name not in written:
            written[name] = None
            waiting += _symbols_in(known[name][0], Terminal)
    nameless = {name for name in ignored if name.startswith("__")}
    for name in written:
        tree, priority = known[name]
        if name not in nameless:
            yield f"{name}{f'.{priority}' if priority else ''}: {_text(tree)}"
    for name in ignored:
        yield f"%ignore {_text(known[name][0]) if name in nameless else name}"


# ---- Lark's notation ----


def _text(part: RulePart, renamed: Mapping[str, str] | None = None) -> str:
    if isinstance(part, Symbol):
        return (renamed or {}).get(str(part.name), str(part.name))
    if not isinstance(part, Tree):
        return str(part)
    texts = [
        f"({_text(child, renamed)})" if _needs_brackets(part, child) else _text(child, renamed)
        for child in part.children
        if child is not None  # type: ignore[redundant-expr]  # an alias without a name
    ]
    if part.data == "expr":
        inside, sign, *counts = texts
        return inside + sign + "..".join(counts)
    if part.data == "template_usage":
        return f"{texts[0]}{{{', '.join(texts[1:])}}}"
    joined = _BETWEEN.get(part.data, "").join(texts)
    return f"[{joined}]" if part.data == "maybe" else joined


#: What separates the parts of a rule.
_BETWEEN = {"expansions": " | ", "expansion": " ", "alias": " -> ", "range": ".."}


def _needs_brackets(part: Tree[Token], child: RulePart) -> bool:
    if not isinstance(child, Tree):
        return False
    inner = {"expansions", "expansion"} if part.data == "expr" else {"expansions"}
    return child.data in inner and part.data in {"expr", "expansion", "value"}


def regular_expression(pattern: str) -> str:
    """Return a regular expression in Lark's notation, between slashes and on one line."""
    pieces = []
    escaped = False
    for char in pattern:
        if char == "/" and not escaped:
            pieces.append("\\/")
        elif char in _ESCAPES:
            # An escaped line break is a line break, too.
            pieces.append(_ESCAPES[char][escaped:])
        else:
            pieces.append(char)
        escaped = char == "\\" and not escaped
    return f"/{''.join(pieces)}/"


#: Characters of patterns that would break a line of the file.
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\x0b": "\\x0b", "\x0c": "\\x0c"}
