"""Healthy records of known servers and programs have no warning that a player would call wrong.

A record is healthy if sgfmill reads all of it and ``check`` finds no error.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from sgfmill import sgf, sgf_grammar
from support import corpus
from support.together import together

import sgf_lark
from sgf_lark import Severity


class Row(NamedTuple):
    """A record as a server or program writes it.

    Attributes:
        who: The server or program.
        infos: Codes of the infos: its own ways, which break nothing.
        warning: The code of the warning, and why a player agrees; "" for none.
        record: A record in its style.
    """

    who: str
    infos: str
    warning: str
    record: str


def table() -> list[Row]:
    """Return the rows of ``healthy.tsv``: what each server or program writes, and its judgement."""
    text = (Path(__file__).parent / "healthy.tsv").read_text(encoding="utf-8")
    return [
        Row(who, infos.strip("-"), warning.strip("-"), record.replace("\\n", "\n"))
        for who, infos, warning, record in (line.split("\t") for line in text.splitlines()[1:])
    ]


#: What real records of the corpus have, by the program or server that wrote them.
JUDGED = {
    ("CGoban", "G607"): "the stones of HA[3] are nowhere",
    ("CGoban", "G613"): "free placement at KGS: the stones are moves, HA counts them",
    ("GoGui", "G604"): "made to show suicide",
    ("GoGui", "G613"): "free placement by GTP: the stones are moves, HA counts them",
    ("Primiview", "G604"): "the example of FF[4] shows suicide",
    ("", "G601"): "made to show an illegal move",
    ("", "G607"): "made to show HA without stones",
    ("", "G613"): "HA counts the moves of Black with which the game begins",
    ("", "G620"): "the piece does not move along a line",
    ("", "T205"): "game info in several nodes, which most programs read from one",
    ("", "T221"): "PL names the side that does not move",
    ("", "V307"): "an FF[3] program does not know an empty pass",
}


def is_read(data: bytes) -> bool:
    """Return whether sgfmill reads every value of all games; other games than Go, the syntax."""
    try:
        for tree in sgf_grammar.parse_sgf_collection(data):
            if tree.sequence[0].get("GM", [b"1"])[0] != b"1":
                continue
            waiting = [sgf.Sgf_game.from_coarse_game_tree(tree).get_root()]
            while waiting:
                node = waiting.pop()
                waiting += node
                for ident in node.properties():
                    node.get(ident)
    except (ValueError, TypeError):  # it raises a TypeError for a figure without flags
        return False
    return True


def writer(game: sgf_lark.GameTree) -> str:
    """Return the program or server of a record: the words of AP, PC, SO or US before a number."""
    for ident in ("AP", "PC", "SO", "US"):
        for raw in game.root.raw.get(ident, ()):
            if match := re.match(r"[^\d:\\]*[^\W\d_]", raw):
                return match[0].strip()
    return ""


def test_a_record_as_a_program_writes_it_has_the_judged_findings_only() -> None:
    with together() as each:
        for row in table():
            data = row.record.encode()
            told = {severity: set[str]() for severity in Severity}
            for finding in sgf_lark.check(data):
                told[finding.severity].add(finding.code)
            with each(row.who):
                assert is_read(data)
                assert told == {
                    Severity.ERROR: set(),
                    Severity.WARNING: set(row.warning.split()[:1]),
                    Severity.INFO: set(row.infos.split()),
                }


@pytest.mark.night
def test_every_warning_of_a_healthy_record_of_the_corpus_is_judged() -> None:
    corpus.required()
    names = [which for which in corpus.names() if not which.startswith("ggf/")]
    told: dict[tuple[str, str], list[str]] = {}
    healthy = 0
    for which in names:
        path: Path = corpus.record(which)
        if path.stat().st_size > MAX_BYTES or not is_read(path.read_bytes()):
            continue
        report = sgf_lark.check(path)
        if report.errors:
            continue
        healthy += 1
        warnings = [one for one in report if one.severity is Severity.WARNING]
        games = sgf_lark.load(path) if warnings else ()
        for one in warnings:
            who = writer(games[one.game or 0])
            told.setdefault((who, one.code), []).append(f"{which}:{one.line} {one.message}")

    assert healthy >= 300
    assert {key: places for key, places in told.items() if key not in JUDGED} == {}
    assert set(told) == set(JUDGED)


#: Longer records take most of the time, and are like others.
MAX_BYTES = 400_000
