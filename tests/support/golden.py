"""The golden record: what the package says of very many texts, to see what a change changes.

It holds what is public: findings, written and fixed files, conversions, JSON, moves, keys of
positions, pictures, rows of tables, and what the commands of the READMEs print.  The texts are
every record of the corpus, every example of the catalogue, the sample records, and 20,000 short
ones that are cut from the corpus and damaged, the same ones on each machine::

    export SGF_LARK_CORPUS=...                                  # a folder of real records
    python -m tests.support.golden compare                      # with the last judged commit
    python -m tests.support.golden compare --texts 2000         # a tenth of it, while you work
    python -m tests.support.golden write /tmp/before            # keep a record ...
    python -m tests.support.golden compare /tmp/before          # ... for many comparisons
    python -m tests.support.golden write /tmp/old --at 1ff4ce9  # that of another commit

``compare`` lists the differences by kind, those of findings by code, too, and shows the first
of each kind in full; ``--show 5 --kind "safe fixes"`` shows more of one.  When all differences
are judged, ``tests/support/golden_base.txt`` names the new commit.  The record of the samples and
the catalogue, which a test compares, is written by ``python -m tests.support.accept``.

================ ============================================================================
module           contents
================ ============================================================================
golden_texts     the texts; they do not depend on the package, save those of its catalogue
golden_kinds     what is recorded of a text: a small function a kind, of public names alone
golden_consoles  what the commands of the READMEs print
golden_record    writing a record, in two processes; that of another commit
golden_compare   what differs between two records
golden_small     the record in the repository
================ ============================================================================

A record is a folder: ``hashes.jsonl`` has a line a text with a hash a kind, ``outputs`` has all
of it in full, packed, and ``about.json`` what it is made of.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from .golden_compare import Record, compare
from .golden_record import Wanted, write, write_at
from .golden_texts import DRAWN
from .places import ROOT

#: Names the last commit whose differences were all judged.
BASE = ROOT / "tests" / "support" / "golden_base.txt"


def main() -> int:
    """Run a command; 1 if records differ."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.golden",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="write a record")
    writing.add_argument("folder", type=Path)
    writing.add_argument("--at", metavar="COMMIT", help="the record of that commit")
    comparing = commands.add_parser("compare", help="compare this checkout with a record")
    comparing.add_argument("folder", type=Path, nargs="?", help="the record; else a new one")
    comparing.add_argument("other", type=Path, nargs="?", help="instead of this checkout's")
    comparing.add_argument("--at", metavar="COMMIT", help="of this one [default: golden_base.txt]")
    comparing.add_argument("--kind", action="append", default=[], help="only this kind")
    comparing.add_argument("--show", type=int, default=1, help="differences shown of each kind")
    for one in (writing, comparing):
        one.add_argument("--texts", type=int, default=DRAWN, help="texts that are drawn")
        one.add_argument(
            "--only", action="append", default=[], metavar="NAME",
            help="only texts whose names begin so: catalogue/V301, records, corpus/ff3, console",
        )  # fmt: skip
    asked = parser.parse_args()
    match asked.command:
        case "write" if asked.at:
            write_at(asked.at, asked.folder, Wanted(asked.texts, asked.only))
        case "write":
            write(asked.folder, Wanted(asked.texts, asked.only))
        case _:
            return _compare(asked)
    return 0


def _compare(asked: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        old, new = asked.folder or Path(folder) / "before", asked.other or Path(folder) / "after"
        if asked.folder is None:
            wanted = Wanted(asked.texts, asked.only)
            write_at(asked.at or BASE.read_text().split()[0], old, wanted)
        before = Record(old)
        if asked.other is None:
            write(new, Wanted(before.about["drawn"], asked.only or before.about["only"]))
        lines = [*compare(before, Record(new), kinds=asked.kind, show=asked.show)]
    sys.stdout.write("\n".join(lines) + "\n")
    return int("no differences" not in lines)


if __name__ == "__main__":
    sys.exit(main())
