"""The scoreboard: chapters and programs, and each disagreement with both readings."""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from .cases import CHAPTERS, VERSION, Case, all_cases
from .compare import FAIL, PASS, Outcome, judge
from .programs import AbsentError, answers

#: Programs that have adapters: how they are run, and what they say of themselves.
PROGRAMS = {
    "sgf_lark": "this project; its second engine, Lark itself, gives the same outcomes",
    "sgfmill": "a library for FF[4] and Go: skips what is not a game, reads lower case in names",
    "sgf": "a library for trees of FF[4]; values are texts",
    "pysgf": "a library for a game of Go",
    "sabaki": "`@sabaki/sgf`, a library for trees; values are texts",
    "sente": "a library that replays games of Go on boards of 9, 13 and 19; it shows no trees",
    "gnubg": "GNU Backgammon; only what it rejects is compared",
    "sgfc": "the checker of the author of FF[4]",
}

#: Lists of at most this number of names are written out.
MAX_NAMES = 15


#: Signs that mean something in Markdown.
SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "([*_`|\\"}


def command(name: str, pythons: Mapping[str, str]) -> list[str]:
    """Return the command of an adapter.

    Args:
        name: One of :data:`PROGRAMS`.
        pythons: The Pythons of programs that are not in this one.
    """
    if name == "sabaki":
        return [shutil.which("node") or "node", str(Path(__file__).parent / "adapters/sabaki.js")]
    module = "ours" if name == "sgf_lark" else name
    return [pythons.get(name, sys.executable), "-m", f"tests.conformance.adapters.{module}"]


def page(pythons: Mapping[str, str]) -> str:
    """Return the scoreboard of the programs that are installed, as a page in Markdown."""
    cases = all_cases()
    names: dict[str, str] = {}
    claims: dict[str, str] = {}
    outcomes: dict[str, list[Outcome]] = {}
    for name in PROGRAMS:
        try:
            given = [*answers(cases, command(name, pythons), batch=True)]
        except AbsentError as error:
            claims[name] = f"not tried: {error}"
            continue
        one = next(one for one in given if "program" in one)
        names[name], claims[name] = one["program"], _named(one["claims"])
        outcomes[name] = [*map(judge, cases, given)]
    return "\n".join(_lines(cases, names, claims, outcomes)) + "\n"


def _named(claims: Mapping[str, Sequence[str]]) -> str:
    """Return the claims of a program in a line."""
    parts = (
        f"{name}: {', '.join(some) if len(some) <= MAX_NAMES else f'{len(some)} names'}"
        for name, some in claims.items()
    )
    return "; ".join(parts)


def _lines(
    cases: Sequence[Case],
    names: Mapping[str, str],
    claims: Mapping[str, str],
    outcomes: Mapping[str, Sequence[Outcome]],
) -> Iterator[str]:
    yield "# Conformance: the scoreboard\n"
    yield (
        f"Cases {VERSION}, {len(cases)} of them, {sum(bool(case.is_open) for case in cases)} with"
        f" several allowed readings; run on {datetime.now(UTC):%Y-%m-%d}. Made by"
        " `python -m tests.conformance scoreboard`; [the cases and the protocol](README.md).\n"
    )
    yield (
        "A cell has the cases that agree and, after a slash, those that were compared: a program is"
        " compared in what its adapter claims, which its authors may correct. A program that claims"
        " less has fewer cases, not fewer faults, so that columns are read on their own.\n"
    )
    yield _row(["program", "is", "claims"])
    yield _row(["---"] * 3)
    for name, claimed in claims.items():
        yield _row([names.get(name, name), PROGRAMS[name], claimed])
    yield ""
    yield _row(["chapter", "cases", *names.values()])
    yield _row(["---"] * (2 + len(names)))
    for chapter in (*CHAPTERS, "all"):
        number = sum(chapter in {"all", case.chapter} for case in cases)
        cells = (_cell(chapter, some) for some in outcomes.values())
        yield _row([chapter, str(number), *cells])
    yield "\n## Disagreements\n"
    yield "By case: the clause, the text, the reading of the standard, and that of the program."
    for index, case in enumerate(cases):
        failed = {name: some[index] for name, some in outcomes.items() if some[index].differences}
        if failed:
            yield f"\n**{case.id}** {case.title} {case.clause}. {_literal(case.line)}\n"
            for name, outcome in failed.items():
                one = outcome.differences[0]
                pair = f"{_literal(one.expected)}; it has {_literal(one.found)}"
                yield f"* {names[name]}: {one.part}: {pair}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(chapter: str, outcomes: Sequence[Outcome]) -> str:
    counts = Counter(one.verdict for one in outcomes if chapter in {"all", one.case.chapter})
    compared = counts[PASS] + counts[FAIL]
    return f"{counts[PASS]}/{compared}" if compared else "—"


def _literal(text: str) -> str:
    """Return a text as code."""
    if text and not re.search(r"\]\(|[`|]", text):
        return f"`{text}`"
    return f"<code>{escape(text).translate(SIGNS)}</code>"
