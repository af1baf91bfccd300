"""Answers of the playground: all that its page shows of a grammar and a text.

Nothing here needs a server, a process or a thread.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sgf_lark.api.pipeline import ReadState, read_games
from sgf_lark.findings.diagnostic import Diagnostic
from sgf_lark.findings.errors import SgfGrammarError
from sgf_lark.findings.finding import Severity
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.lint import for_records, grammar_report
from sgf_lark.grammar.loader import GrammarSource
from sgf_lark.grammar.source_text import grammar_text
from sgf_lark.places import LineIndex
from sgf_lark.schema.properties import PropertyTable
from sgf_lark.values.dialect import Dialect

from . import trees
from .diagrams import diagram_of
from .parse_state import ParserState, parse

#: Limits of the shown findings, and of the shown tree in characters.
_MAX_FINDINGS, _MAX_TREE = 50, 200_000


def answer(grammar: str, text: str, start: str = "", cursor: int = 0) -> dict[str, Any]:
    """Return everything that the page shows.

    Args:
        grammar: Of a file in Lark's notation.
        text: To parse by it.
        start: The rule to begin with; "" for the first one.
        cursor: The place of the cursor in the grammar: the definition there is drawn.
    """
    try:
        return _answer(grammar, text, start, cursor)
    except RecursionError:
        return no_answer("the grammar cannot be tried: its rules nest too deep inside each other")


def no_answer(status: str) -> dict[str, Any]:
    """Return an answer that is only the reason why there is none."""
    return {"status": status, "kind": "error", "findings": []}


def _answer(grammar: str, text: str, start: str, cursor: int) -> dict[str, Any]:
    file = GrammarSource(Path("playground.lark"), grammar)
    report = grammar_report(file)
    findings = [_finding("grammar", diagnostic) for diagnostic in report]
    if report.errors:
        return {
            "status": "the grammar cannot be used",
            "kind": "error",
            "findings": findings[:_MAX_FINDINGS],
        }
    rules = [rule for rule in grammars.rules(file) if not rule.startswith("_")]
    start = start if start in rules else rules[0]
    if start != rules[0]:
        report = grammar_report(file, frozenset([start]))
        findings = [_finding("grammar", diagnostic) for diagnostic in report]
    common = {"rules": rules, "start": start, **_draw(file, cursor)}
    if report.errors:
        status = f"{start} cannot be begun with"
        return common | {"status": status, "kind": "error", "findings": findings[:_MAX_FINDINGS]}
    state = parse(text, file, start)
    findings += [_finding("text", diagnostic) for diagnostic in _list_faults(text, file, state)]
    partial = state.partial
    tree = "" if partial is None else "".join(trees.as_text(partial, text))
    if len(tree) > _MAX_TREE:
        tree = tree[:_MAX_TREE] + "\n\N{HORIZONTAL ELLIPSIS}"
    rejected = state.finding is not None
    return common | {
        "status": "the grammar rejects the text" if rejected else "the grammar accepts the text",
        "kind": "error" if rejected else "good",
        "findings": findings[:_MAX_FINDINGS],
        "tree": tree,
    }


def _list_faults(text: str, file: GrammarSource, state: ParserState) -> list[Diagnostic]:
    """Return the mismatch of a text; for a record also its other findings."""
    lines = LineIndex(text)
    if state.finding is not None:
        return [Diagnostic.of(state.finding, lines)]
    table = PropertyTable.standard()
    try:
        for_records(file, table.kinds)
    except SgfGrammarError:
        return []
    findings = [
        finding
        for _, more in read_games(text, None, ReadState(table, dialect=Dialect(file)))
        for finding in more
    ]
    located = [
        Diagnostic.of(finding, lines)
        for finding in sorted(findings, key=lambda finding: finding.span)
    ]
    return [diagnostic for diagnostic in located if diagnostic.severity is not Severity.INFO]


def _finding(where: str, diagnostic: Diagnostic) -> dict[str, Any]:
    fields = diagnostic.model_dump(include={"line", "column", "offset", "end_offset", "help"})
    return fields | {
        "where": where,
        "severity": diagnostic.severity.value,
        "message": f"{diagnostic.message} [{diagnostic.code}]",
    }


def _draw(file: GrammarSource, cursor: int) -> dict[str, Any]:
    """Return the diagram of the definition at the cursor."""
    source = grammar_text(file)
    own = list(source.by_name.values())
    before = [definition for definition in own if definition.span.start <= cursor]
    definition = (before or own)[-1 if before else 0]
    try:
        return {"drawn": definition.name, "diagram": diagram_of(source, definition)}
    except RecursionError:
        return {"drawn": definition.name, "diagram": "nested too deep to be drawn"}


# ---- examples ----


def examples() -> list[dict[str, str]]:
    """Return the examples to begin with."""
    shipped = {
        name: grammars.text_of(grammars.path(name))
        for name in ("ff4", "games/go", "games/hex", "games/backgammon")
    }
    root = "(;FF[4]GM[1]SZ[19]PB[Aoki]PW[Berg]KM[6,5]"
    record = f"{root}\n;B[pd];W[dp]\n(;B[pq]C[calm])\n(;B[dd];W[pp]))\n"
    braces = (
        'collection: game_tree+\ngame_tree: "(" sequence game_tree* ")"\nsequence: node+\n'
        'node: ";" property*\nproperty: PROP_IDENT PROP_VALUE+\nPROP_IDENT: /[A-Z]+/\n'
        "PROP_VALUE: /\\{[^}]*\\}/\n%ignore /\\s+/\n"
    )
    rows = [
        ("A game of SGF FF[4]", shipped["ff4"], record, "collection"),
        ("Moves of Go", shipped["games/go"], "pd", "move"),
        ("Moves of Hex", shipped["games/hex"], "swap-pieces", "move"),
        ("A roll of backgammon", shipped["games/backgammon"], "31hefe", "move"),
        ("Records with braces", braces, "(;FF{4}KM{0.5};B{pd};W{dp})", ""),
        ("A grammar with a mistake", braces.replace("sequence g", "sequense g"), "(;)", ""),
    ]
    return [
        {"name": name, "grammar": grammar, "text": text, "start": start}
        for name, grammar, text, start in rows
    ]
