"""The command ``sgf-lark convert`` as it is typed."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.lanes import amount
from support.places import RECORDS

import sgf_lark
from sgf_lark import Collection
from sgf_lark.cli.main import app


def run(*arguments: str, data: bytes = b"") -> tuple[int, bytes, str]:
    """Exit code, standard output, and standard error."""
    done = CliRunner().invoke(app, [*arguments], input=data)
    if not isinstance(done.exception, SystemExit | None):
        raise done.exception
    return done.exit_code, done.stdout_bytes, done.stderr


def test_a_record_is_converted_to_standard_output_and_losses_to_standard_error() -> None:
    text = "(;FF[1]GM[1]SZ[9]PB[青木]TM[30];B[tt])".encode()

    code, out, err = run("convert", "-", "--to", "ff4", data=text)

    assert code == 0
    assert out.decode() == "(;FF[4]CA[UTF-8]GM[1]SZ[9]\nPB[青木]\nTM[30]\n;B[]\n)\n"
    assert "<stdin>:1:24: warning: TM[30] is kept, and now means seconds" in err
    assert "C711" not in err


def test_every_change_is_told_on_request(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text("(;FF[3]GM[1]SZ[9];AB[dd]B[tt])")

    code, _, err = run("convert", str(file), "--to", "ff4", "--level", "info")

    assert code == 0
    assert f"{file.name}:1:25: info: B[tt] is now B[], a pass" in err


def test_a_file_is_written_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "out.sgf"

    code, out, err = run(
        "convert", str(RECORDS / "othello.ggf"), "--to", "ff4", "-o", str(file), "--level", "error"
    )

    assert (code, out) == (0, b"")
    assert "V301" in err
    assert [game.format for game in sgf_lark.load(file, strict=False)] == ["FF4", "FF4"]
    assert [one.name for one in tmp_path.iterdir()] == ["out.sgf"]


def test_a_refused_record_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "out.ggf"

    code, out, err = run(
        "convert", "-", "--to", "ggf", "-o", str(file), data=b"(;FF[4]GM[1]SZ[9];B[dd])"
    )

    assert (code, out) == (1, b"")
    assert (
        "conversion to GGF supports Othello and Amazons only; this is Go [C740 game-refused]" in err
    )
    assert not file.exists()


def test_what_is_lost_can_be_dropped_or_refused() -> None:
    data = b"(;FF[4]GM[1]SZ[9]AP[x:1];B[dd])"

    assert b"AP[x:1]" in run("convert", "-", "--to", "ff3", data=data)[1]
    assert b"AP" not in run("convert", "-", "--to", "ff3", "--lossy", "drop", data=data)[1]
    assert run("convert", "-", "--to", "ff3", "--lossy", "refuse", data=data)[:2] == (1, b"")


def test_minutes_and_the_time_left_are_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"(;FF[1]GM[1]SZ[9]TM[30];B[dd])"
    ggf = (
        b"(;GM[Othello]TI[05:00]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O---"
        b" -------- -------- -------- *]B[d3//10];)"
    )

    settings = tmp_path / "sgf-lark.toml"
    settings.write_text("[convert]\nminutes = true\ntime-left = true\n")
    monkeypatch.chdir(tmp_path)

    assert b"TM[1800]" in run("convert", "-", "--to", "ff4", data=data)[1]
    assert b"BL[290]" in run("convert", "-", "--to", "sgf", data=ggf)[1]


def test_a_file_that_is_not_there_and_a_wrong_word_are_misuse(tmp_path: Path) -> None:
    missing = tmp_path / "missing.sgf"

    assert run("convert", str(missing), "--to", "ff4")[0] == 2
    assert run("convert", "-", "--to", "pdf")[0] == 2
    assert run("convert", "-", "--to", "ff4", "--as", "ff9", data=b"(;)")[0] == 2
    assert run("convert", "-", "--to", "ff4", "--encoding", "klingon", data=b"(;)")[0] == 2
    code, _, err = run("convert", "-", "--to", "ff4", "-o", str(tmp_path / "no" / "x"), data=b"(;)")
    assert (code, "cannot be written" in err) == (2, True)


def test_what_is_no_record_is_told_and_not_written() -> None:
    code, out, err = run("convert", "-", "--to", "ff4", data=b"a letter")

    assert (code, out) == (1, b"")
    assert "this is not a game record" in err


# ---- JSON ----


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{(;FF[4]GM[1])", 0),
        (b"[(;FF[4]GM[1])", 0),
        (b"{notes}(;FF[4]GM[1])", 0),
        (b'{"games": 3}', 1),
        (b"{", 1),
        (b" [\n]", 1),
    ],
)
def test_json_is_what_begins_as_json(data: bytes, code: int) -> None:
    result = run("convert", "-", "--to", "sgf", data=data)

    assert result[0] == code
    assert ("invalid JSON of a record" in result[2]) == (code == 1)


@pytest.mark.parametrize("record", sorted(RECORDS.iterdir()), ids=lambda one: str(one.name))
def test_a_record_comes_back_from_json(record: Path, tmp_path: Path) -> None:
    source = sgf_lark.load(record, strict=False)
    file = tmp_path / "record.json"

    assert run("convert", str(record), "--to", "json", "-o", str(file))[0] == 0
    code, out, _ = run("convert", str(file), "--to", "sgf" if record.suffix != ".ggf" else "ggf")

    assert Collection.model_validate_json(file.read_bytes()) == source
    assert code == 0
    again = sgf_lark.loads(out, strict=False)
    assert [facts(game) for game in again] == [facts(game) for game in source]


def facts(game: sgf_lark.GameTree) -> list[object]:
    """Each node with its parent's number and its properties in any order."""
    return [
        (above, sorted((one.ident, one.raw) for one in content))
        for above, content in zip(game.nodes.parents, game.nodes.contents, strict=True)
    ]


def test_json_is_flat_and_follows_the_schema() -> None:
    code, out, _ = run("convert", str(RECORDS / "ff1.mgt"), "--to", "json")
    schema = json.loads(run("convert", "--schema")[1])

    made = json.loads(out)
    game = made["games"][0]
    assert code == 0
    assert [one["parent"] for one in game["nodes"]] == [None, 0, 1, 0]
    assert game["nodes"][1]["properties"][0]["ident"] == "B"
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert set(made) <= set(schema["properties"])
    assert set(game) <= set(schema["$defs"]["GameTree"]["properties"])
    assert set(game["nodes"][0]) <= set(schema["$defs"]["NodeRecord"]["properties"])


@pytest.mark.night
@pytest.mark.both_lanes
def test_deeply_nested_variations_come_back_from_json() -> None:
    depth = amount(4_000, 20_000)
    text = ("(;FF[4]GM[1]" + "(;B[dd]" * depth + ")" * depth + ")").encode()

    _, out, _ = run("convert", "-", "--to", "json", data=text)
    code, back, _ = run("convert", "-", "--to", "sgf", data=out)

    assert code == 0
    assert len(sgf_lark.loads(back)[0]) == depth + 1


def test_half_a_character_is_told_and_not_written() -> None:
    code, out, err = run("convert", "-", "--to", "json", data=b"(;FF[4]CA[UTF-7]C[+2AA-])")

    assert (code, out) == (2, b"")
    assert "a value has half of a surrogate pair" in err


def test_a_crash_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise IndexError("array index out of range")

    file = tmp_path / "a.sgf"
    file.write_text("(;FF[3]GM[1]SZ[9])")
    homes = {"load": "core", "convert": "convert.convert", "dump": "core"}
    for name, home in homes.items():
        with monkeypatch.context() as patch:
            patch.setattr(import_module(f"sgf_lark.{home}"), name, fails)
            code, out, err = run("convert", str(file), "--to", "ff4", "-o", str(file))

        assert (code, out) == (2, b"")
        assert err.endswith(
            f"error: {file}: this file could not be converted, because the program failed:"
            " IndexError: array index out of range; this is a fault of the program, not of"
            " the file: please report it\n"
        )
        assert file.read_text() == "(;FF[3]GM[1]SZ[9])"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--encoding", "nonsense"], "no text encoding is called 'nonsense'"),
        (["--as", "ff9"], "invalid value 'ff9' for --as: expected ff1, ff3"),
    ],
)
def test_an_unknown_name_is_refused_before_the_file_is_read(options: list[str], said: str) -> None:
    code, _, err = run("convert", "no.sgf", "--to", "ff4", *options)

    assert code == 2
    assert said in err
    assert "cannot read" not in err


def test_a_letter_that_the_encoding_lacks_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    file = tmp_path / "out.sgf"
    record = sgf_lark.loads(b"(;FF[4]CA[latin-1]C[\xe4])").model_dump_json().replace("ä", "中")

    code, _, err = run("convert", "-", "--to", "sgf", "-o", str(file), data=record.encode())

    assert code == 2
    assert "which lacks '中'; add --to-encoding utf-8" in err
    assert "fault of the program" not in err
    assert not file.exists()


def test_a_record_is_converted_to_an_encoding_and_declares_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes("(;FF[4]GM[1]CA[ISO-8859-1]PB[Müller])".encode("latin-1"))
    kept = run("convert", str(path), "--to", "ff4", "--in-place")
    new = run("convert", str(path), "--to", "ff4", "--in-place", "--to-encoding", "utf-8")
    again = run("convert", str(path), "--to", "ff4", "--in-place", "--to-encoding", "utf-8")

    assert [done[2] for done in (kept, new, again)] == [
        "1 file: 1 unchanged; 1 of 1 is FF[4]\n",
        "1 file: 1 converted; 1 of 1 is FF[4] in UTF-8\n",
        "1 file: 1 unchanged; 1 of 1 is FF[4] in UTF-8\n",
    ]
    assert path.read_bytes().decode() == "(;FF[4]GM[1]CA[UTF-8]PB[Müller])"


@pytest.mark.parametrize(
    ("to", "name", "why"),
    [
        ("ff4", "klingon", "no text encoding is called 'klingon'"),
        ("json", "utf-8", "JSON is always UTF-8"),
    ],
)
def test_an_encoding_that_cannot_be_written_is_a_mistake(to: str, name: str, why: str) -> None:
    code, _, err = run("convert", "-", "--to", to, "--to-encoding", name, data=b"(;FF[4])")

    assert code == 2
    assert why in err


def test_games_of_several_encodings_are_converted_to_one_file_in_utf8() -> None:
    first = b"(;FF[4]CA[UTF-16LE]C[hallo])"
    code, out, _ = run(
        "convert", "-", "--to", "ff3", data=first + b"(;FF[4]CA[ISO-8859-1]C[\xe9t\xe9])"
    )
    games = sgf_lark.loads(out)

    assert code == 0
    assert [(game.root["C"], game.root.raw["CA"]) for game in games] == [
        ("hallo", ("UTF-8",)),
        ("été", ("UTF-8",)),
    ]


def test_bytes_that_would_be_read_otherwise_are_not_written() -> None:
    data = b"\xef\xbb\xbf(;FF[4]C[hall\xff])"
    code, out, err = run("convert", "-", "--to", "ff3", data=data)

    assert (code, out) == (2, b"")
    assert "the bytes FF are no character, and would be read otherwise in UTF-8" in err
    assert "encoding=" not in err
