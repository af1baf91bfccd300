"""``python -m tests.support.lint`` finds what it looks for, and leaves the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import lint

WRONG = {
    "a word": ('"""Return what is behind it."""\n', "say 'after'"),
    "a question": ('def f():\n    """Whether it is."""\n', "asks nothing"),
    "a class": ("class Scribe:\n    pass\n", "a name of the field"),
    "a comparison": ("if finding.message == text:\n    pass\n", "decides by the words"),
    "a search": ("re.search(text, finding.help)\n", "decides by the words"),
    "an order": ("sorted(all, key=lambda one: one.message)\n", "decides by the words"),
    "a private name": ("from sgf_lark.core.text import _Part\n", "private name"),
}

RIGHT = {
    "a name": '"""Return `behind` or "one-behind"."""\n',
    "a message that is shown": "print(finding.message, key=finding.code)\n",
    "a name for all": "from sgf_lark.core.text import Part\nfrom re import _parser\n",
}


def found(folder: Path, text: str) -> str:
    file = folder / "module.py"
    file.write_text(text, encoding="utf-8")
    return "\n".join(words for _, words in lint.problems(file))


@pytest.mark.parametrize("which", WRONG)
def test_what_is_wrong_is_found(which: str, tmp_path: Path) -> None:
    text, words = WRONG[which]

    assert words in found(tmp_path, text)


@pytest.mark.parametrize("which", RIGHT)
def test_what_is_right_is_not(which: str, tmp_path: Path) -> None:
    assert found(tmp_path, RIGHT[which]) == ""


@pytest.mark.parametrize(
    "text",
    ["process.wait()", "thread.join()", "subprocess.run(words)", "urllib.request.urlopen(there)"],
)
def test_a_wait_without_a_limit_is_found_in_tests(text: str) -> None:
    assert [*lint.nodes(lint.waits_for_ever, text, "waits")] == [(1, f"waits: {text}")]
    assert [
        *lint.nodes(lint.waits_for_ever, f"{text[:-1]}, timeout=3)".replace("(, ", "("), "")
    ] == []
