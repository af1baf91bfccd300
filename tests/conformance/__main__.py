"""``python -m tests.conformance``: run the cases against a program, count them, compare."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from . import scoreboard
from .cases import CHAPTERS, VERSION, Case, all_cases
from .compare import FAIL, NOT_CLAIMED, PASS, Outcome
from .coverage import missing, targets
from .programs import SECONDS, run


def text(outcomes: Sequence[Outcome]) -> str:
    """Return a table of the chapters, then what differs in each failed case."""
    lines = [f"{'chapter':<18}{'cases':>7}{PASS:>7}{FAIL:>7}{NOT_CLAIMED:>13}"]
    chapters = [outcome.case.chapter for outcome in outcomes]
    for name in [*dict.fromkeys(chapters), "all"]:
        some = [one for one in outcomes if name in {"all", one.case.chapter}]
        counts = Counter(one.verdict for one in some)
        lines.append(
            f"{name:<18}{len(some):>7}{counts[PASS]:>7}{counts[FAIL]:>7}{counts[NOT_CLAIMED]:>13}"
        )
    for outcome in outcomes:
        if outcome.verdict == FAIL:
            case = outcome.case
            lines += ["", f"{case.id}: {case.title} [{case.clause}]", f"    {case.line}"]
            lines += [
                f"    {one.part}: expected {one.expected}; found {one.found}"
                for one in outcome.differences
            ]
    return "\n".join(lines)


def as_json(outcomes: Sequence[Outcome]) -> str:
    """Return the verdict on each case, with the differences."""
    cases = {
        one.case.id: {"verdict": one.verdict, "differences": [d._asdict() for d in one.differences]}
        for one in outcomes
    }
    return json.dumps({"version": VERSION, "cases": cases}, ensure_ascii=False, indent=1)


def junit(outcomes: Sequence[Outcome]) -> str:
    """Return the verdicts as JUnit has them, a test suite for each chapter."""
    suites = ET.Element("testsuites", name=f"conformance {VERSION}")
    for outcome in outcomes:
        case = outcome.case
        suite = suites.find(f"testsuite[@name='{case.chapter}']")
        if suite is None:
            suite = ET.SubElement(suites, "testsuite", name=case.chapter)
        made = ET.SubElement(suite, "testcase", classname=case.id, name=case.title)
        if outcome.verdict == NOT_CLAIMED:
            ET.SubElement(made, "skipped", message=NOT_CLAIMED)
        for one in outcome.differences:
            words = f"{one.part}: expected {one.expected}; found {one.found}"
            ET.SubElement(made, "failure", message=words)
    return ET.tostring(suites, encoding="unicode")


FORMATS = {"text": text, "json": as_json, "junit": junit}


def choose(cases: Sequence[Case], chapters: Sequence[str], ids: Sequence[str]) -> list[Case]:
    """Return the cases of some chapters and with some identifiers; all, if none are named."""
    return [
        case
        for case in cases
        if not (chapters or ids) or case.chapter in chapters or case.id in ids
    ]


def count() -> tuple[str, bool]:
    """Return the number of cases by chapter, and what no case covers; whether that is nothing."""
    cases = all_cases()
    chapters = Counter(case.chapter for case in cases)
    lines = [f"{number:>5} {name}" for name, number in chapters.items()]
    lines += [f"{len(cases):>5} cases, {sum(bool(case.is_open) for case in cases)} of them open"]
    lines += [f"{len({*targets()}):>5} productions, rows, types and clauses"]
    without = missing(cases)
    lines += [f"{len(without):>5} of these without a case", *without]
    return "\n".join(lines), not without


def main() -> int:
    """Run what the command line asks for, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    running = actions.add_parser("run", help="run the cases against a program")
    running.add_argument("--format", choices=FORMATS, default="text", help="of the report")
    running.add_argument("--chapter", action="append", default=[], choices=CHAPTERS)
    running.add_argument("--case", action="append", default=[], metavar="ID")
    running.add_argument("--batch", action="store_true", help="the program takes many files")
    running.add_argument("--seconds", type=float, default=SECONDS, help="it has for a file")
    running.add_argument("command", nargs="+", help="the program, after --; files are added")
    actions.add_parser("coverage", help="count the cases, and what they cover")
    comparing = actions.add_parser("scoreboard", help="compare the programs that have adapters")
    comparing.add_argument("-o", "--output", type=Path, required=True, help="a page in Markdown")
    comparing.add_argument(
        "--python", action="append", default=[], metavar="NAME=PATH", help="the Python of a program"
    )
    asked = parser.parse_args()
    if asked.action == "coverage":
        page, is_complete = count()
        sys.stdout.write(f"{page}\n")
        return not is_complete
    if asked.action == "scoreboard":
        pythons = dict(pair.split("=", 1) for pair in asked.python)
        asked.output.write_text(scoreboard.page(pythons), encoding="utf-8")
        return 0
    cases = choose(all_cases(), asked.chapter, asked.case)
    outcomes = [*run(cases, asked.command, batch=asked.batch, seconds=asked.seconds)]
    sys.stdout.write(f"{FORMATS[asked.format](outcomes)}\n")
    return any(one.verdict == FAIL for one in outcomes)


if __name__ == "__main__":
    sys.exit(main())
