"""What a typed reader accepts is right: it drops no finding of any check."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import corpus
from support.lanes import amount, one_in

from sgf_lark.check.typed_reader import typed_reader
from sgf_lark.model.ruleset import RuleSets
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import PropertyTable

if TYPE_CHECKING:
    from collections.abc import Iterable

TESTS = Path(__file__).parents[1]

#: Checks a text in both engines, and prints code and property of the findings.
PRINT = """
import io, sys
for engine in ("auto", "lark"):
    report = sgf_lark.check(io.BytesIO(sys.argv[1].encode()), engine=engine)
    print(*(f"{one.code}:{one.property}" for one in report))
"""

#: One check more of each kind, registered as a contributor would.
MORE = {
    "a check of nodes": """
import sgf_lark
from sgf_lark.findings.rules import register
from sgf_lark.model.finders import On, finds

RULE = register("V399 made-up error: made up")

@finds(RULE, on=On.NODE)
def look(content, rules):
    for place, prop in enumerate(content):
        if prop.ident == "C":
            yield RULE.found("found", property_index=place)
""",
    "a check of lists of points": """
import sgf_lark
from sgf_lark.findings.rules import register
from sgf_lark.model.finders import On, OnlyIf, Properties, finds

RULE = register("V399 made-up error: made up")

@finds(RULE, on=On.VALUES, only_if=OnlyIf(Properties.POINT_LISTS))
def look(prop, rules):
    yield RULE.found("found")
""",
    "a check of taste of every property": """
import sgf_lark
from sgf_lark.findings.rules import register
from sgf_lark.model.finders import On, finds

RULE = register("V399 made-up error: made up")

@finds(RULE, on=On.VALUES, is_lint=True)
def look(prop, rules):
    yield RULE.found("found")
""",
}

#: What they find in the text of the test.
FOUND = {
    "a check of nodes": "C",
    "a check of lists of points": "TR",
    "a check of taste of every property": "FF GM SZ B C W TR",
}

#: Checks the records whose names come in, or records made by chance, and prints all findings.
RECORDS = """
import io, random, sys
from pathlib import Path
import sgf_lark
from support.damage import PIECES

def texts():
    yield from (Path(name).read_bytes() for name in sys.stdin.read().splitlines())
    dice = random.Random(7)
    for _ in range(int(sys.argv[2])):
        head = dice.choice(("", "FF[4]", "FF[4]GM[1]SZ[9]", "FF[3]GM[2]", "FF[1]", "GM[6]FF[4]"))
        nodes = ["".join(dice.choices(PIECES, k=dice.randint(0, 4))) for _ in range(6)]
        yield f"(;{head};{';'.join(nodes)})".encode()

if sys.argv[1] == "without":
    from sgf_lark.check import typed_reader
    from sgf_lark.model.finders import FINDERS
    typed_reader.TypedReader.suspects = lambda _, tape, **__: dict.fromkeys(range(len(tape)))
    FINDERS.needed = lambda *_, **__: None
for data in texts():
    print(sgf_lark.check(io.BytesIO(data)).model_dump_json(exclude={"text", "name"}))
"""


def run(code: str, *arguments: str, lines: Iterable[str] = ()) -> str:
    command = [sys.executable, "-c", code, *arguments]
    path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    return subprocess.run(  # noqa: S603
        command,
        input="\n".join(lines),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        timeout=100,
    ).stdout


@pytest.mark.parametrize("kind", one_in(3, MORE))
def test_a_finder_that_is_registered_fires_in_both_engines(kind: str) -> None:
    text = "(;FF[4]GM[1]SZ[19];B[pd]C[hello];W[dp]TR[aa][bb])"
    by_auto, by_lark = run(MORE[kind] + PRINT, text).splitlines()

    assert [one for one in by_auto.split() if one.startswith("V399")] == [
        f"V399:{ident}" for ident in FOUND[kind].split()
    ]
    assert by_lark == by_auto


@pytest.mark.both_lanes
def test_records_made_by_chance_have_the_same_findings_without_the_typed_reader() -> None:
    count = str(amount(5, 3000))

    assert run(RECORDS, "with", count) == run(RECORDS, "without", count)


@pytest.mark.night
def test_real_records_have_the_same_findings_without_the_typed_reader() -> None:
    corpus.required()
    names = [str(corpus.record(which)) for which in corpus.names() if "large/" not in which]

    assert run(RECORDS, "with", "0", lines=names) == run(RECORDS, "without", "0", lines=names)


def test_a_value_whose_last_bracket_is_escaped_is_looked_at() -> None:
    rules = RuleSets(PropertyTable.standard()).declared(Format.FF4, {})
    typed = typed_reader(rules, None, lints=False)

    assert typed.accepts("C", ("a\\\\",))
    assert not typed.accepts("C", ("a\\",))
