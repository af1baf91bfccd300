"""Answers of the playground: all that its page shows of a grammar and a text.

Nothing here needs a server, a process or a thread.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

from sgf_lark.api.load import ReadSetup, examine
from sgf_lark.findings.diagnostic import Diagnostic
from sgf_lark.findings.errors import SgfGrammarError
from sgf_lark.findings.finding import Severity
from sgf_lark.findings.report import Report
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.lint import for_records, grammar_report
from sgf_lark.grammar.loader import GrammarSource
from sgf_lark.grammar.source_text import grammar_text
from sgf_lark.model.collection import GameTree
from sgf_lark.places import LineIndex
from sgf_lark.schema.formats import Engine
from sgf_lark.schema.properties import PropertyTable
from sgf_lark.values.dialect import Dialect
from sgf_lark.values.typed_grammar import typed_grammar

from . import trees
from .diagrams import diagram_of
from .parse_state import parse
from .translation import translate_grammar

#: The tab of the page that is open, whose content is made for it alone.
View: TypeAlias = Literal["findings", "tree", "diagram", "board", "typed", "compile"]

#: Limits of the shown findings of a text, and of the rules and tokens of the shown tree.
_MAX_FINDINGS, _MAX_TREE = 200, 5_000


def answer(
    grammar: str,
    text: str,
    start: str = "",
    cursor: int = 0,
    place: int = 0,
    view: View = "diagram",
) -> dict[str, Any]:
    """Return everything that the page shows.

    Args:
        grammar: Of a file in Lark's notation.
        text: To parse by it.
        start: The rule to begin with; "" for the first one.
        cursor: The place of the cursor in the grammar: the definition there is drawn.
        place: The place of the cursor in the text: the board of the node there is drawn.
        view: The open tab.
    """
    try:
        return _answer(grammar, text, start, cursor, place, view)
    except RecursionError:
        return no_answer("the grammar cannot be tried: its rules nest too deep inside each other")


def no_answer(status: str) -> dict[str, Any]:
    """Return an answer that is only the reason why there is none."""
    return {"status": status, "kind": "error", "findings": []}


def _answer(
    grammar: str, text: str, start: str, cursor: int, place: int, view: View
) -> dict[str, Any]:
    file = GrammarSource(Path("playground.lark"), grammar)
    report = grammar_report(file)
    if report.errors:
        return no_answer("the grammar cannot be used") | {"findings": _findings("grammar", report)}
    rules = [rule for rule in grammars.rules(file) if not rule.startswith("_")]
    start = start if start in rules else rules[0]
    if start != rules[0]:
        report = grammar_report(file, frozenset([start]))
    common: dict[str, Any] = {"rules": rules, "start": start}
    findings = _findings("grammar", report)
    if view == "diagram":
        common |= _draw(file, cursor)
    if report.errors:
        status = f"{start} cannot be begun with"
        return no_answer(status) | common | {"findings": findings}
    state = parse(text, file, start)
    games: list[GameTree] = []
    checked = _check(text, file, games) if start == rules[0] else None
    if checked is not None:
        worst = next((level for level in Severity if checked.counts[level]), "good")
        common |= {"checked": checked.summary, "worst": worst}
        findings += _findings("text", checked.capped(_MAX_FINDINGS))
    if state.finding is not None and (checked is None or not checked.errors):
        mismatch = Diagnostic.of(state.finding, LineIndex(text))
        findings += _findings("text", Report(text=text, diagnostics=(mismatch,)))
    if view == "compile":
        rows = list(translate_grammar(file, start))
        width = max(len(row.rule) for row in rows)
        common["shown"] = "".join(f"{row.rule:{width}}  {row.how}\n" for row in rows)
    elif games:
        common |= _of_record(file, games, place, view)
    rejected = state.finding is not None
    lines = [] if state.partial is None else islice(trees.lines(state.partial), _MAX_TREE)
    return common | {
        "status": "the grammar rejects the text" if rejected else "the grammar accepts the text",
        "kind": "error" if rejected else "good",
        "findings": findings,
        "tree": [(line.depth, line.name, line.text, *(line.span or ())) for line in lines],
    }


def _check(text: str, file: GrammarSource, games: list[GameTree]) -> Report | None:
    """Return what a check finds in a record, and add its games; None if there is no record."""
    table = PropertyTable.standard()
    try:
        dialect = Dialect(for_records(file, table.kinds))
    except SgfGrammarError:
        return None
    return examine(text, "", ReadSetup(None, None, table, Engine.AUTO, dialect), None, games=games)


def _findings(where: str, report: Report) -> list[dict[str, Any]]:
    fields = {"code", "severity", "message", "line", "column", "offset", "end_offset", "help"}
    return [
        finding.model_dump(mode="json", include={*fields, "fix"}) | {"where": where}
        for finding in report.diagnostics
    ]


def _of_record(
    file: GrammarSource, games: list[GameTree], place: int, view: View
) -> dict[str, str]:
    """Return the typed grammar of the first game, or the board after the node at a place."""
    first = games[0]
    if view == "typed":
        return {"shown": typed_grammar(first.format, first.game, first.size, grammar=file)}
    if view != "board":
        return {}
    nodes = [node for game in games for node in game.nodes if node.span is not None]
    at = bisect_right(nodes, place, key=lambda node: node.span.start if node.span else 0)
    try:
        return {"board": nodes[max(at - 1, 0)].diagram().svg()}
    except ValueError as error:
        return {"shown": str(error)}


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
