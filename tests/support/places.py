"""Folders of the project that tests read, and files that they write."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "tests" / "records"
GRAMMARS = ROOT / "grammars"


def write(name: str, text: str) -> str:
    """Make a file, and its folders, in the folder of a test; return its name."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return name
