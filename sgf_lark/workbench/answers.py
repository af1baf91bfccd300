"""Answers of the playground: all that its page shows of a grammar and a text.

Nothing here needs a server, a process or a thread.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from bisect import bisect_right
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from sgf_lark.core import (
    Diagnostic,
    Dialect,
    GameTree,
    GrammarSource,
    LineIndex,
    Options,
    PropertyTable,
    Report,
    Severity,
    SgfGrammarError,
    SgfSyntaxError,
    decode,
    encode,
    examine,
    grammars,
    label,
)
from sgf_lark.workbench.source_text import experiment, grammar_text

from .cases import read_cases
from .diagrams import diagram_of
from .lint import for_records, grammar_report
from .parse_state import HINT_SECONDS, Syntax, parse, parse_all, tree_lines
from .samples import sentences
from .steps import Tracer, write_steps

#: The tab of the page that is open, whose content is made for it alone; or what else is wanted.
View: TypeAlias = Literal[
    "findings", "tree", "diagram", "board", "cases", "steps", "sample", "open", "save"
]

#: Limits of the shown findings of a text, of the rules and tokens of the shown tree, and of the
#: samples until one is not empty.
_MAX_FINDINGS, _MAX_TREE, _MAX_SAMPLES = 200, 5_000, 10


def answer(
    grammar: str,
    text: str,
    start: str = "",
    cursor: int = 0,
    place: int = 0,
    view: View = "diagram",
    cases: str = "",
    encoding: str = "",
) -> dict[str, Any]:
    """Return everything that the page shows.

    Args:
        start: The rule to begin with; "" for the first one.
        view: The open tab; or ``sample`` for a random text, of which ``place`` is the seed;
            ``open`` to decode a file, whose bytes ``text`` has in Base64, or ``save`` to encode
            the text.

    Raises:
        RecursionError: The rules of the grammar nest too deep.
        UnicodeEncodeError: The encoding lacks a character of the text.
    """
    if view in {"open", "save"}:
        return _recode(view, text, encoding)
    file = GrammarSource(Path("playground.lark"), grammar)
    report = grammar_report(file)
    findings = _findings("grammar", report)
    unusable = no_answer("the grammar cannot be used") | {"findings": findings}
    if any(finding.name != "two-readings" for finding in report.errors):
        return unusable
    known = [*grammars.rules(file)]
    rules = [rule for rule in known if not rule.startswith("_")] or known
    start = start if start in rules else rules[0]
    common: dict[str, Any] = {"rules": rules, "start": start}
    if report.errors:  # conflicts, which Earley's parser does not have
        return unusable | common | _read_by_earley(text, file, start)
    if start != rules[0]:
        report = grammar_report(file, frozenset([start]))
        findings = _findings("grammar", report)
    if view == "diagram":
        common |= _draw(file, cursor)
    if report.errors:
        return no_answer(f"{start} cannot be begun with") | common | {"findings": findings}
    if view == "sample":
        texts = islice(sentences(file, start, seed=place, readable=True), _MAX_SAMPLES)
        return {"text": next(filter(None, texts), None)}
    return common | _read(text, file, start, place, view, cases, findings)


def _rows(tree: Syntax | None) -> list[tuple[Any, ...]]:
    lines = [] if tree is None else islice(tree_lines(tree), _MAX_TREE)
    return [(line.depth, line.name, line.text, *(line.span or ())) for line in lines]


def _read_by_earley(text: str, file: GrammarSource, start: str) -> dict[str, Any]:
    """Return the status and the trees of a text that only Earley's parser reads; {} if none."""
    every = parse_all(text, file, start, HINT_SECONDS)
    if every is None or not every.number:
        return {}
    status = "the grammar means this text, LALR cannot see it"
    shown = "the tree is Earley's" if every.tree else "it has too many trees"
    tree = {"tree": _rows(every.tree)} if every.tree else {}
    return {"status": f"{status}: {shown}", "kind": "warning"} | tree


_ANSWER: TypeAdapter[dict[str, Any]] = TypeAdapter(answer)  # type: ignore[arg-type]  # it calls


def reply(question: str | bytes) -> str:
    """Return the answer to a question, both in JSON, whatever comes."""
    try:
        found = _ANSWER.validate_json(question)
    except ValidationError:
        found = no_answer("this is no question")
    except RecursionError:
        found = no_answer("the grammar cannot be tried: its rules nest too deep inside each other")
    except UnicodeEncodeError as error:
        found = no_answer(f"{error.encoding} has no {error.object[error.start]!r}")
    except Exception as error:  # noqa: BLE001  # whatever it is, the next question comes
        found = no_answer(f"the program failed: {type(error).__name__}: {error}")
    return json.dumps(found)


def no_answer(status: str) -> dict[str, Any]:
    return {"status": status, "kind": "error", "findings": []}


def _read(
    text: str,
    file: GrammarSource,
    start: str,
    place: int,
    view: View,
    cases: str,
    findings: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return what a grammar gives for a text; the findings are added to those of the grammar."""
    found: dict[str, Any] = {}
    games: list[GameTree] = []
    tracer = Tracer(experiment(file, start), text) if view == "steps" else None
    state = parse(text, file, start, observer=tracer)
    checked = _check(text, file, games) if start == grammars.first_rule(file) else None
    if checked is not None:
        worst = next((level for level in Severity if checked.counts[level]), "good")
        found |= {"checked": checked.summary, "worst": worst}
        findings += _findings("text", checked.capped(_MAX_FINDINGS))
    if (about := state.finding or state.lost) and (checked is None or not checked.errors):
        mismatch = Diagnostic.of(about, LineIndex(text))
        findings += _findings("text", Report(text=text, diagnostics=(mismatch,)))
    if tracer is not None:
        found["steps"] = write_steps(tracer, file, start)
    elif view == "board" and games:
        found |= _draw_board(games, place)
    elif view == "cases":
        found |= _test_cases(cases, file, start)
    rejected = state.finding is not None
    answered = found | {
        "status": "the grammar rejects the text" if rejected else "the grammar accepts the text",
        "kind": "error" if rejected else "good",
        "findings": findings,
        "tree": _rows(state.partial),
    }
    return answered | ({} if state.finding is None else _read_by_earley(text, file, start))


def _recode(view: View, text: str, encoding: str) -> dict[str, Any]:
    """Return the text of a file, or the bytes of a text; both with the name of the encoding."""
    if view == "open":
        text, encoding, _ = decode(b64decode(text))
        return {"text": text, "encoding": encoding, "label": label(encoding)}
    return {"data": b64encode(encode(text, encoding)).decode(), "label": label(encoding)}


def _check(text: str, file: GrammarSource, games: list[GameTree]) -> Report | None:
    table = PropertyTable.standard()
    try:
        dialect = Dialect(for_records(file, table.kinds))
    except SgfGrammarError:
        return None
    how = Options(None, None, table, dialect=dialect, asked=frozenset())
    return examine(text, "", how, None, add=games.append)


def _findings(where: str, report: Report) -> list[dict[str, Any]]:
    fields = {"code", "severity", "message", "line", "column", "offset", "end_offset", "help"}
    return [
        finding.model_dump(mode="json", include={*fields, "fix"}) | {"where": where}
        for finding in report.diagnostics
    ]


def _test_cases(text: str, file: GrammarSource, start: str) -> dict[str, Any]:
    """Return the name of each case, its place, whether it is skipped; and what fails."""
    try:
        cases = read_cases(text)
    except SgfSyntaxError as error:
        return {"cases": [], "failed": _findings("cases", error.report)}
    found = [None if case.is_skipped else case.test(file, start) for case in cases]
    return {
        "cases": [(case.name, *case.name_span, case.is_skipped) for case in cases],
        "failed": _findings("cases", Report.of("", text, [one for one in found if one])),
    }


def _draw_board(games: list[GameTree], place: int) -> dict[str, str]:
    nodes = [node for game in games for node in game.nodes if node.span is not None]
    at = bisect_right(nodes, place, key=lambda node: node.span.start if node.span else 0)
    try:
        return {"board": nodes[max(at - 1, 0)].diagram().svg()}
    except ValueError as error:
        return {"shown": str(error)}


def _draw(file: GrammarSource, cursor: int) -> dict[str, Any]:
    source = grammar_text(file)
    own = list(source.by_name.values())
    before = [definition for definition in own if definition.span.start <= cursor]
    definition = (before or own)[-1 if before else 0]
    try:
        return {"drawn": definition.name, "diagram": diagram_of(source, definition)}
    except RecursionError:
        return {"drawn": definition.name, "diagram": "nested too deep to be drawn"}


def list_examples() -> list[dict[str, str]]:
    """Return the examples to begin with; each may name a shipped grammar instead of one."""
    text = Path(__file__).with_name("examples.json").read_text(encoding="utf-8")
    rows: list[dict[str, str]] = json.loads(text)
    for row in rows:
        if ":" not in row["grammar"]:
            row["grammar_name"] = Path(row["grammar"]).name + ".lark"
            row["grammar"] = grammars.text_of(grammars.path(row["grammar"]))
    return rows
