"""What was read from a file is written back to it: nothing else in the file is lost."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from sgf_lark import dump, dumps, iter_games, load, loads

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "(;FF[4]GM[1]SZ[9]KM[5];B[aa])", "(;FF[4]GM[1]SZ[9]KM[7];B[bb])"
BOTH = f"My games\n{FIRST}\nand another one\n{SECOND}\nthe end\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.sgf"
    path.write_bytes(BOTH.encode())
    return path


def test_one_game_of_several_is_edited_and_all_else_in_the_file_stays(path: Path) -> None:
    collection = load(path, strict=False)
    draft = collection.edit(1)
    draft.set(draft.root, "KM", 6.5)
    dump(draft.done(), path)

    assert path.read_text() == BOTH.replace("KM[7]", "KM[6.5]")


def test_drafts_of_several_games_follow_each_other(path: Path) -> None:
    collection = load(path, strict=False)
    for number in (0, -1):
        draft = collection.edit(number)
        draft.set(draft.root, "PB", f"Aoki {number}")
        collection = draft.done()
        dump(collection, path)

    assert [game.root["PB"] for game in load(path, strict=False)] == ["Aoki 0", "Aoki -1"]
    assert path.read_text().startswith("My games\n(;FF[4]")
    with pytest.raises(IndexError):
        collection.edit(2)


def test_one_game_does_not_replace_a_file_of_several(path: Path) -> None:
    draft = load(path, strict=False)[0].edit()
    draft.set(draft.root, "KM", 6.5)
    changed = draft.done()

    with pytest.raises(ValueError, match=r"games\.sgf has 2 games, and this is one of them: load"):
        dump(changed, path)
    assert path.read_text() == BOTH
    for game in iter_games(path, strict=False):
        with pytest.raises(ValueError, match="has 2 games"):
            dump(game, os.path.relpath(path))

    dump(changed, path, overwrite=True)
    assert path.read_text() == FIRST.replace("KM[5]", "KM[6.5]")


def test_one_game_is_written_to_another_file_or_to_its_own_if_it_is_the_only_one(
    path: Path, tmp_path: Path
) -> None:
    first, second = load(path, strict=False)
    alone, other = tmp_path / "alone.sgf", tmp_path / "other.sgf"
    alone.write_text(f"A game:\n{FIRST}\n\n")
    other.write_text(BOTH)

    dump(first, tmp_path / "new.sgf")
    dump(second, other)
    draft = load(alone, strict=False)[0].edit()
    draft.set(draft.root, "KM", 6.5)
    dump(draft.done(), alone)

    assert load(tmp_path / "new.sgf")[0].info.komi == 5
    assert len(load(other)) == 1
    assert alone.read_text() == f"A game:\n{FIRST}\n\n".replace("KM[5]", "KM[6.5]")


def test_a_file_that_somebody_else_changed_is_not_overwritten(path: Path) -> None:
    collection = load(path, strict=False)
    path.write_text(BOTH + "(;FF[4]GM[1])")

    with pytest.raises(OSError, match="it was changed after it was read: begin again"):
        dump(collection, path)
    assert path.read_text() == BOTH + "(;FF[4]GM[1])"

    dump(collection, path, overwrite=True)
    assert path.read_bytes() == BOTH.encode()
    dump(collection, path)


def test_a_file_that_is_gone_is_written_again_and_texts_have_no_file(path: Path) -> None:
    collection = load(path, strict=False)
    path.unlink()
    dump(collection, path)
    assert path.read_bytes() == BOTH.encode()

    dump(loads(FIRST)[0], path)
    assert path.read_text() == dumps(loads(FIRST)[0])


def test_a_change_that_was_saved_is_not_lost_by_a_draft_that_does_not_know_it(path: Path) -> None:
    collection = load(path, strict=False)
    for number in range(len(collection)):
        draft = collection.edit(number)
        draft.set(draft.root, "EV", "Cup")
        if number == 0:
            dump(draft.done(), path)
            continue
        with pytest.raises(ValueError, match=r"has a change that was saved since .* draft\.done"):
            dump(draft.done(), path)
    assert path.read_text().count("EV[Cup]") == 1

    collection = load(path, strict=False)
    for number in range(len(collection)):
        draft = collection.edit(number)
        draft.set(draft.root, "PC", "Kyoto")
        collection = draft.done()
        dump(collection, path)
    assert path.read_text().count("PC[Kyoto]") == 2


def test_two_drafts_of_one_game_do_not_overwrite_each_other_and_one_is_saved_twice(
    tmp_path: Path,
) -> None:
    path = tmp_path / "one.sgf"
    path.write_text(FIRST)
    game = load(path)[0]
    one, other = game.edit(), game.edit()
    one.set(one.root, "PW", "a")
    other.set(other.root, "PB", "b")

    dump(one.done(), path)
    with pytest.raises(ValueError, match="has a change that was saved since"):
        dump(other.done(), path)
    one.set(one.root, "PB", "c")
    dump(one.done(), path)
    dump(load(path)[0], path)
    assert "PW[a]PB[c]" in path.read_text()


def test_replacements_of_one_collection_know_nothing_of_each_other(path: Path) -> None:
    collection = load(path, strict=False)
    dump(collection.replace(0), path)

    with pytest.raises(ValueError, match="has a change that was saved since"):
        dump(collection.replace(1), path)
    dump(collection, path, overwrite=True)
    assert path.read_text() == BOTH


@pytest.mark.parametrize(
    ("games", "meant"),
    [
        (loads(FIRST)[0].edit(), r"not Draft: draft\.done\(\) makes one"),
        ("a.sgf", r"not str: .* read one; games come before the file: dump\(games, path\)"),
        (3, r"not int: load\(\) and loads\(\) read one"),
    ],
)
def test_what_is_no_game_is_answered_by_what_is_meant(games: Any, meant: str) -> None:
    with pytest.raises(TypeError, match=meant):
        dump(games, "b.sgf")


def test_a_comment_is_added_to_the_one_that_is_there() -> None:
    draft = loads("(;FF[4]GM[1]C[One.];B[aa])")[0].edit()
    draft.add_comment(0, "Two.")
    draft.add_comment("1", "Three.")

    assert dumps(draft.done()) == "(;FF[4]GM[1]C[One.\n\nTwo.];B[aa]C[Three.])"
