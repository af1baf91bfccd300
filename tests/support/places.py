"""Folders of the project that tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "tests" / "records"
GRAMMARS = ROOT / "grammars"
