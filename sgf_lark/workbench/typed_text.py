"""The text of a typed grammar: a grammar of records whose properties have typed values.

The rules above the properties are those of the format's grammar, copied; only the first node
of a game is told apart, because some properties belong there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from lark import Token, Tree
from lark.grammar import NonTerminal, Symbol, Terminal

from sgf_lark.core import Category, Count, File, PropertyRule, grammars

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
    """Yield the lines of a typed grammar."""
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
    """Return a part of a rule in Lark's notation."""
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
