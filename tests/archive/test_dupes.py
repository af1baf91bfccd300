"""Duplicates: which games are equal, which one is kept, which files are not needed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from support.archives import write_archive

from sgf_lark.archive import Archive, read
from sgf_lark.archive.queries.dupes import dupes
from sgf_lark.archive.queries.keeping import Duplicates, format_delete_list
from sgf_lark.archive.queries.reasons import Reason

pytestmark = pytest.mark.usefixtures("one_database")

#: Two games of Go of 60 moves.
LINE, OTHER = (random.Random(seed).sample(range(361), 60) for seed in (1, 2))  # noqa: S311  # chance, not secrets


def turned(line: Iterable[int]) -> list[int]:
    """A line of Go after a quarter turn."""
    return [-1 if point < 0 else point % 19 * 19 + 18 - point // 19 for point in line]


def row(source: str, line: list[int] | None = None, **values: Any) -> dict[str, Any]:
    """A game that is not like any other one, but for its line."""
    name = f"{source} {values.get('member', '')} {values.get('game', 0)}"
    unlike = random.Random(name).getrandbits(62)  # noqa: S311  # chance, not secrets
    made = {
        "game_id": unlike,
        "source": source,
        "member": "",
        "bytes_hash": unlike.to_bytes(16, "big"),
        "text_hash": unlike.to_bytes(16, "little"),
        "gm": 1,
        "columns": 19,
        "rows": 19,
        "setup_black": 0,
        "setup_white": 0,
        "line": line,
        "moves": 0 if line is None else len(line),
        "line_hash": unlike,
        "line_hash_symmetric": unlike,
        "key_final_symmetric": unlike,
        "dyer_symmetric": name,
    }
    return made | values


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of its own."""
    monkeypatch.chdir(tmp_path)


def archive_of(folder: Path, rows: list[dict[str, Any]], kind: str = "file") -> Archive:
    """An archive of games, whose files are empty."""
    sources = []
    for name in dict.fromkeys(made["source"] for made in rows):
        if not Path(name).exists():
            Path(name).touch()
        games = sum(made["source"] == name for made in rows)
        modified = Path(name).stat().st_mtime_ns
        sources.append({"source": name, "kind": kind, "games": games, "modified": modified})
    return read(write_archive(folder / "archive", games=rows, sources=sources))


def reasons(found: Duplicates) -> list[tuple[int, str, str]]:
    """Group, reason and file of each duplicate that is not kept."""
    columns = (found.table[name].to_pylist() for name in ("group", "reason", "source", "keep"))
    return [row[:3] for row in zip(*columns, strict=True) if not row[3]]


def kept(found: Duplicates) -> list[str]:
    """The files of the kept games."""
    return [row["source"] for row in found.table.to_pylist() if row["keep"]]


#: By each reason, what two equal games share; and the line of the second one, given the first.
EQUAL: dict[Reason, tuple[dict[str, Any], Callable[[list[int]], list[int]]]] = {
    Reason.BYTES: ({"bytes_hash": bytes(16)}, list),
    Reason.TEXT: ({"text_hash": bytes(16)}, list),
    Reason.LINE: ({"line_hash": 7}, list),
    Reason.SYMMETRIC: ({"line_hash_symmetric": 7}, turned),
    Reason.DYER: ({"dyer_symmetric": "a"}, lambda line: [*line[:-5], *reversed(line[-5:])]),
    Reason.PREFIX: ({}, lambda line: turned(line[:40])),
    Reason.FINAL: ({"key_final_symmetric": 7}, turned),
}


def test_equal_games_are_found_by_their_reason_and_unlike_ones_are_not(tmp_path: Path) -> None:
    rows = []
    for reason in Reason:
        line = random.Random(reason).sample(range(361), 60)  # noqa: S311  # chance, not secrets
        shared, second = EQUAL[reason]
        other = line[::-1] if reason is Reason.PREFIX else line
        rows += [
            row(f"{reason} a", line, **shared),
            row(f"{reason} b", other),
            row(f"{reason} c", second(line), **shared),
        ]
    archive = archive_of(tmp_path, rows)

    for reason in Reason:
        found = reasons(dupes(archive, [reason]))
        if reason is Reason.PREFIX:  # equal lines are beginnings of each other, too
            found = [one for one in found if one[2].startswith(reason)]
        assert [one[1:] for one in found] == [(reason, f"{reason} c")]
    for _, reason_, name in reasons(dupes(archive)):
        assert reason_ == "prefix" or name.startswith(reason_)


def test_the_strongest_reason_is_named(tmp_path: Path) -> None:
    equal = {"bytes_hash": bytes(16), "line_hash": 5, "line_hash_symmetric": 5}
    rows = [
        row("a", LINE, **equal),
        row("b", LINE, line_hash=5, line_hash_symmetric=5),
        row("c", turned(LINE), line_hash_symmetric=5),
        row("d", LINE, **equal),
        row("e", LINE[:30]),
    ]

    found = dupes(archive_of(tmp_path, rows))

    assert reasons(found) == [
        (1, "line", "b"),
        (1, "symmetric", "c"),
        (1, "bytes", "d"),
        (1, "prefix", "e"),
    ]
    assert found.groups == 1
    assert found.table["reason"][0].as_py() == "bytes"


@pytest.mark.night
def test_a_common_opening_makes_no_duplicates(tmp_path: Path) -> None:
    rows = [
        row("a", [*LINE[:30], *OTHER[:9]]),
        row("b", LINE[:30]),
        row("c", [*LINE[:30], *OTHER[20:30]]),
        row("d", LINE[:10]),
        row("e", LINE[:25]),
    ]
    archive = archive_of(tmp_path, rows)

    assert reasons(dupes(archive)) == []
    assert reasons(dupes(archive_of(tmp_path / "two", rows[:2]))) == [(1, "prefix", "b")]


def test_a_beginning_of_several_copies_of_one_game_belongs_to_them(tmp_path: Path) -> None:
    rows = [
        row("a", LINE, line_hash=1),
        row("b", LINE[:40]),
        row("c", turned(LINE)),
        row("d", [*LINE, -1, -1], line_hash=1),
        row("e", LINE[:50]),
    ]

    found = dupes(archive_of(tmp_path, rows))

    assert found.groups == 1
    assert kept(found) == ["a"]


def test_other_stones_at_the_start_make_another_game(tmp_path: Path) -> None:
    rows = [row("a", LINE), row("b", LINE[:40], setup_black=2), row("c", LINE, gm=4)]

    assert reasons(dupes(archive_of(tmp_path, rows))) == []


def test_a_signature_alone_makes_no_duplicates(tmp_path: Path) -> None:
    alike = [LINE[at] if at in (19, 30, 39, 50, 59) else OTHER[at] for at in range(60)]
    rows = [row("a", LINE, dyer_symmetric="x"), row("b", alike, dyer_symmetric="x")]

    assert reasons(dupes(archive_of(tmp_path, rows))) == []


@pytest.mark.night
def test_versions_of_one_game_that_differ_at_the_end_are_found_by_the_signature(
    tmp_path: Path,
) -> None:
    rows = [
        row("a", LINE, dyer_symmetric="x"),
        row("b", [*LINE[:57], 5, 6, 7, 8], dyer_symmetric="x"),
        row("c", LINE[:58], dyer_symmetric="x"),
    ]

    assert reasons(dupes(archive_of(tmp_path, rows))) == [(1, "dyer", "a"), (1, "prefix", "c")]
    assert reasons(dupes(archive_of(tmp_path / "2", rows[::2]), ["dyer"])) == []


@pytest.mark.night
def test_a_full_board_of_one_color_makes_no_duplicates(tmp_path: Path) -> None:
    rows = [row("a", LINE, key_final_symmetric=3), row("b", LINE[::-1], key_final_symmetric=3)]

    assert reasons(dupes(archive_of(tmp_path, rows))) == []


def test_short_games_are_equal_only_by_their_text(tmp_path: Path) -> None:
    short: dict[str, Any] = {"line_hash": 1, "line_hash_symmetric": 1, "key_final_symmetric": 0}
    rows = [row(name, LINE[:3], **short) for name in "abc"]
    rows += [row(name, **(short | {"line_hash": None})) for name in "def"]
    rows += [row(name, LINE[:5], **(short | {"line_hash": 3, "setup_white": 20})) for name in "gh"]
    rows[1]["text_hash"] = rows[0]["text_hash"]
    archive = archive_of(tmp_path, rows)

    assert reasons(dupes(archive)) == [(1, "text", "b"), (2, "line", "h")]
    assert reasons(dupes(archive, ["line"], min_moves=3))[0] == (1, "line", "b")


def test_the_longest_then_the_richest_record_is_kept(tmp_path: Path) -> None:
    info = {"black": "Aoki", "white": "Baba", "event": "Cup"}
    rows = [
        row("a", LINE, line_hash=1, black="Aoki", errors=1),
        row("b", [*LINE, -1, -1], line_hash=1),
        row("c", LINE, line_hash=1, black="Aoki", variations=2),
        row("d", LINE, line_hash=1, black="Aoki", variations=2),
        row("e", LINE[:50], **info),
    ]
    found = dupes(archive_of(tmp_path, rows))

    assert kept(found) == ["c"]
    assert found.counts() == {"certain": 3, "likely": 1, "contradicting": 0}
    assert [group["header"] for group in found.table.to_pylist()] == [1, 1, 0, 1, 3]


def test_headers_that_contradict_the_kept_game_are_named(tmp_path: Path) -> None:
    day, month = date(1996, 5, 2), (date(1996, 5, 1), date(1996, 5, 31))
    full = {"black": "Aoki Ken", "white": "Baba", "winner": "B", "date_first": day}
    more: list[dict[str, Any]] = [
        full | {"date_last": day, "event": "Cup"},
        full | {"date_first": month[0], "date_last": month[1], "black": "AOKI, Ken"},
        full | {"date_last": day, "black": "Chiba"},
        {"black": "Baba", "white": "Aoki  Ken", "winner": "W"},
        {"winner": "W", "date_first": date(1995, 1, 1), "date_last": date(1995, 12, 31)},
        {"black": "Aoki Ken", "winner": "W"},
    ]
    rows = [row(name, LINE, line_hash=1, **one) for name, one in zip("abcdef", more, strict=True)]

    found = dupes(archive_of(tmp_path, rows))

    assert found.table["differs"].to_pylist() == ["", "", "players", "", "date", "result"]
    assert found.counts() == {"certain": 2, "likely": 0, "contradicting": 3}
    assert found.delete_list() == ["b", "d"]
    assert found.delete_list(contradicting=True) == ["b", "c", "d", "e", "f"]


@pytest.mark.night
def test_a_file_is_needed_for_its_kept_game_or_for_one_without_duplicates(tmp_path: Path) -> None:
    rows = [
        row("kept", LINE, line_hash=1),
        row("with another", LINE, line_hash=1),
        row("with another", OTHER, game=1),
        row("needless", LINE, line_hash=1),
        row("needless", turned(LINE), game=1, line_hash=1),
    ]
    archive = archive_of(tmp_path, rows)

    assert dupes(archive).delete_list() == ["needless"]
    assert dupes(archive_of(tmp_path / "zip", rows, kind="archive")).delete_list() == []


def test_no_file_is_needless_if_the_kept_one_is_gone_or_changed_or_the_same(tmp_path: Path) -> None:
    equal = [row(name, LINE, line_hash=1) for name in ("kept", str(tmp_path / "kept"), "other")]
    found = dupes(archive_of(tmp_path, equal))
    assert (found.delete_list(), found.changed()) == (["other"], [])

    Path("kept").write_text("(;FF[4])", encoding="utf-8")
    assert found.delete_list() == []
    assert found.changed() == ["kept", str(tmp_path / "kept")]

    Path("kept").unlink()
    assert found.delete_list() == []


def test_a_file_that_has_changed_since_is_not_needless(tmp_path: Path) -> None:
    found = dupes(archive_of(tmp_path, [row(name, LINE, line_hash=1) for name in ("a", "b", "c")]))
    Path("b").write_text("(;FF[4])", encoding="utf-8")

    assert found.delete_list() == ["c"]


def test_no_name_of_a_delete_list_is_an_option(tmp_path: Path) -> None:
    Path("b").mkdir()
    rows = [row(name, LINE, line_hash=1) for name in ("-a", "-r", "b/-c")]

    assert dupes(archive_of(tmp_path, rows)).delete_list() == ["./-r", "b/-c"]


def test_a_delete_list_can_be_read_by_xargs() -> None:
    assert format_delete_list(["a b", "c"]) == b"a b\nc\n"
    assert format_delete_list(["a\nb", "c"], null=True) == b"a\nb\0c\0"
    with pytest.raises(ValueError, match="separate the paths by NUL"):
        format_delete_list(["a\nb"])


@pytest.mark.night
def test_an_archive_without_games_has_no_duplicates(tmp_path: Path) -> None:
    found = dupes(archive_of(tmp_path, []))

    assert found.groups == 0
    assert found.delete_list() == []


def test_wrong_arguments_raise(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, [])
    for by, least, message in (
        ([], 20, "no reason"),
        (["moves"], 20, "'moves' is not a valid"),
        (["line"], -1, "number"),
    ):
        with pytest.raises(ValueError, match=message):
            dupes(archive, by, min_moves=least)
