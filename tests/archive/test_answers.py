"""The answers of an earlier version, whose `dupes` and `openings` had algorithms of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.archive_answers import CORPUS, MADE_UP, answers, recorded
from support.corpus import VARIABLE, required

from sgf_lark.archive.rows import game_facts

pytest.importorskip("pyarrow")


@pytest.mark.night
@pytest.mark.parametrize("games", [CORPUS, MADE_UP])
def test_duplicates_and_openings_are_those_of_commit_1ff4ce9(
    games: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if games == CORPUS:
        required()
    monkeypatch.chdir(tmp_path)  # and back
    monkeypatch.setattr(game_facts, "possible_days", lambda _: ())  # it read dates of FF[4] alone
    found, (texts, *expected) = answers(games, tmp_path), recorded(games)

    is_same = next(found) == texts
    if games == CORPUS and not is_same:
        pytest.skip(f"the games of {VARIABLE} are others than those of the record")
    assert is_same
    assert [*found] == expected
