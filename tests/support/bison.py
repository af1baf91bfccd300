"""Bison's opinion on grammars of Lark."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import File
from sgf_lark.workbench.conflicts import Automaton, Counterexample, Derivations

#: The program; None if it is not installed.
BISON = shutil.which("bison")

#: Limit of the search for a text that shows a conflict, in seconds; those that there are take a
#: few hundredths.
LIMIT = "2"


class Opinion(NamedTuple):
    """Bison's opinion on a grammar: its conflicts, and those that one text shows."""

    conflicts: int
    unifying: int


@cache
def ours(file: File) -> list[Counterexample]:
    """Return our own: a counterexample of each conflict below the first rule of a grammar."""
    start = grammars.first_rule(file)
    _, rules, _ = grammars.grammar(file).compile([start], ())
    automaton = Automaton(Derivations(rules), [start])
    return [automaton.counterexample(conflict) for conflict in automaton.conflicts()]


def as_bison(file: File) -> str:
    """Return the rules below the first one in bison's notation."""
    start = grammars.first_rule(file)
    _, rules, _ = grammars.grammar(file).compile([start], ())
    names: dict[object, str] = {}
    lines = []
    for rule in rules:
        for symbol in (rule.origin, *rule.expansion):
            names.setdefault(symbol, f"{'T' if symbol.is_term else 'r'}{len(names)}")
        expansion = " ".join(names[symbol] for symbol in rule.expansion) or "%empty"
        lines.append(f"{names[rule.origin]}: {expansion};\n")
    terminals = " ".join(name for name in names.values() if name[0] == "T")
    first = next(name for symbol, name in names.items() if getattr(symbol, "name", "") == start)
    return f"%token {terminals}\n%start {first}\n%%\n{''.join(lines)}"


def asked(file: File, tables: str = "lalr") -> Opinion:
    """Return bison's opinion on the rules below the first one of a grammar.

    Args:
        file: The grammar.
        tables: The kind of tables, as bison calls it; texts are searched for ``lalr`` only.
    """
    assert BISON is not None
    with tempfile.TemporaryDirectory() as folder:
        grammar = Path(folder, "grammar.y")
        grammar.write_text(f"%define lr.type {tables}\n{as_bison(file)}", encoding="utf-8")
        warnings = ["-Wno-other", *(["-Wcounterexamples"] if tables == "lalr" else [])]
        result = subprocess.run(  # noqa: S603  # bison of this machine
            [BISON, *warnings, str(grammar), "-o", str(grammar) + ".c"],
            env={**os.environ, "TIME_LIMIT": LIMIT},
            capture_output=True,
            text=True,
            check=True,
            timeout=100,
        )
    counts = re.findall(r"warning: (\d+) (?:shift|reduce)/reduce conflict", result.stderr)
    unifying = re.findall(r"^ +Example:", result.stderr, re.MULTILINE)
    return Opinion(sum(map(int, counts)), len(unifying))
