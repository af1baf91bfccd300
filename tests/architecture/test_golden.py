"""The golden record: the same texts each time, and what differs is named."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from support import golden_kinds, golden_record
from support.golden_compare import Record, compare
from support.golden_kinds import KINDS, TABLES, Reading, record, say, say_rows
from support.golden_record import Wanted, finish, write_portion
from support.golden_texts import MAX_BYTES, Text, draw

import sgf_lark

FILES = {
    "a/go.sgf": b"(;FF[4]GM[1]SZ[9]PB[Aoki];B[cc];W[gg]C[a (b\\]; c](;B[cg])(;B[ee];W[]))\n" * 3,
    "b/long.sgf": b"(;GM[1]SZ[19]" + b";B[aa]C[some words];W[bb]" * 300 + b")",
    "c/othello.ggf": b"(;GM[Othello]PB[a]PW[b]BO[8 ---]B[d3/1/2]W[c5//1];)(;GM[Othello]B[e6];)",
    "d/nothing.sgf": b"no record",
}
WRONG = Text("catalogue/V301/wrong/1", b"(;FF[4]GM[1]SZ[19]KM[6,5];B[zz9])")
TEXTS = (WRONG, Text("records/right.sgf", b"(;FF[4]GM[1]SZ[9];B[cc];W[gg])"))


def write(folder: Path) -> Record:
    """Write a record of two texts."""
    outputs = folder / "outputs"
    outputs.mkdir(parents=True)
    finish(folder, [write_portion(TEXTS, outputs / "0000.jsonl.gz")], Wanted(0))
    return Record(folder)


@pytest.fixture(autouse=True)
def _no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden_record, "commit", lambda: "0123456789abcdef")


@pytest.fixture
def before(tmp_path: Path) -> Record:
    """A record of what is."""
    return write(tmp_path / "before")


def test_the_same_texts_are_drawn_on_every_machine() -> None:
    texts = [*draw(FILES, 200)]
    drawn = hashlib.sha256(b"\0".join(one.data for one in texts)).hexdigest()

    assert drawn[:16] == "15b22e9864d71e15"
    assert [one.name for one in texts[:2]] == ["drawn/00000", "drawn/00001"]
    assert texts[:100] == [*draw(dict(reversed(FILES.items())), 100)]


def test_drawn_texts_are_short_and_different() -> None:
    texts = [one.data for one in draw(FILES, 200)]

    assert max(map(len, texts)) <= MAX_BYTES
    assert len({*texts}) == 200
    assert any(one in FILES["a/go.sgf"] for one in texts)  # not all are damaged


def test_every_kind_of_every_text_is_recorded(before: Record) -> None:
    tables = {f"rows of {table}" for table in TABLES}

    assert {*before.lines} == {one.name for one in TEXTS}
    assert all({*line.kinds} == {*KINDS} | tables for line in before.lines.values())
    assert '"code":"V301"' in before.full(WRONG.name).kinds["findings"]
    assert '"kind": "Go"' in before.full(WRONG.name).kinds["rows of games"]


def test_a_record_twice_is_the_same(before: Record, tmp_path: Path) -> None:
    lines = [*compare(before, write(tmp_path / "after"))]

    assert lines[-1] == "no differences"


def test_a_rule_that_is_off_is_named(
    before: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = sgf_lark.check
    off = sgf_lark.CheckOptions(ignore=["V301"])
    monkeypatch.setattr(sgf_lark, "check", lambda source, **_: check(source, options=off))
    said = "\n".join(compare(before, write(tmp_path / "after")))

    assert "\nfindings: 1 texts (catalogue/V301/wrong/1)\n  V301 2 gone, in 1 texts\n" in said
    assert "---- findings: catalogue/V301/wrong/1\n(;FF[4]GM[1]SZ[19]KM[6,5];B[zz9])\n" in said
    assert '\n-{"code":"V301"' in said
    assert "dump:" not in said


def test_a_message_that_differs_is_named_by_its_field(
    before: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = sgf_lark.check

    def otherwise(source: Any, **options: Any) -> list[sgf_lark.Diagnostic]:
        found = check(source, **options)
        return [one.model_copy(update={"message": "other words"}) for one in found]

    monkeypatch.setattr(sgf_lark, "check", otherwise)
    said = "\n".join(compare(before, write(tmp_path / "after"), kinds=["findings"]))

    assert "  V301 2 changed (message 2), in 1 texts\n" in said


def test_a_crash_is_recorded_and_told(
    before: Record,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def crash(*_: object, **__: object) -> bytes:
        raise RuntimeError("broken by hand")

    monkeypatch.setattr(sgf_lark, "format_record", crash)
    said = "\n".join(compare(before, write(tmp_path / "after")))

    assert "\nfmt: 2 texts (catalogue/V301/wrong/1, records/right.sgf)\n" in said
    assert "\n+RuntimeError: broken by hand\n" in said
    assert (
        "crashes: 2\n  catalogue/V301/wrong/1 fmt: RuntimeError: broken" in capsys.readouterr().out
    )


def test_what_never_ends_is_stopped() -> None:
    def endless() -> list[str]:
        while True:
            pass

    assert record("endless", endless, 0.05).crash == "TooLongError: more than 0.05 seconds"


def test_some_kinds_are_recorded_of_few_drawn_texts() -> None:
    data = b"(;FF[4]GM[1])"
    kinds = [{one.kind for one in say(Text(f"drawn/0000{number}", data))} for number in (0, 1)]

    assert kinds[0] - kinds[1] == golden_kinds.FEW


def test_a_text_is_read_as_its_format() -> None:
    (said,) = say(Text("catalogue/x/wrong/1", b"(;B[aa])", "ff1"), ["moves"])

    assert said.output.startswith("Go: FF1 ")
    assert Reading(Text("x", b"(;B[aa])")).options == {}


def test_a_text_of_which_no_rows_can_be_made_spoils_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build = sgf_lark.archive.build

    def refuse(files: list[str], *rest: Any, **options: Any) -> object:
        if any("wrong" in file for file in files):
            raise ValueError("no rows")
        return build(files, *rest, **options)

    monkeypatch.setattr(sgf_lark.archive, "build", refuse)
    said = say_rows([*TEXTS, Text("drawn/00001", b"")])

    assert [one.crash for one in said[WRONG.name]] == ["ValueError: no rows"]
    assert len(said["records/right.sgf"]) == len(TABLES)
    assert [one.output for one in said["drawn/00001"]][:2] == ["", ""]
