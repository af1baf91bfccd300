"""A file that ends in .tsgf has games of Twixt where its records name no game."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner

import sgf_lark
from sgf_lark import Collection
from sgf_lark.archive.records.reading import find_game_places, read_bytes, read_placed_game
from sgf_lark.cli.main import app
from sgf_lark.core.api.fix import fix_record
from sgf_lark.files import many, pieces

RECORD = "(;FF[4]SZ[24];B[d5];W[e8])"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.tsgf"
    path.write_text(RECORD)
    return path


@pytest.mark.parametrize(
    ("name", "text", "game"),
    [
        ("a.tsgf", RECORD, "Twixt"),
        ("A.TSGF", RECORD, "Twixt"),
        ("a.tsgf.gz", RECORD, "Twixt"),
        ("a.tsgf.sgf", RECORD, "Go"),
        ("tsgf", RECORD, "Go"),
        ("a.tsgf", "(;FF[4]GM[1]SZ[19];B[dd])", "Go"),
        ("a.tsgf", "(;FF[4]GM[]SZ[24];B[d5])", "Twixt"),
        ("a.tsgf", "(;FF[4]EV[hex.ch.1.1.1];B[d5])", "Hex"),
    ],
)
def test_the_name_of_a_file_tells_twixt_where_gm_and_ev_do_not(
    tmp_path: Path, name: str, text: str, game: str
) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())

    (loaded,) = sgf_lark.load(path, strict=False)
    (one,) = sgf_lark.iter_games(path, strict=False)
    with path.open("rb") as opened:
        (open_one,) = sgf_lark.load(opened, strict=False) if path.suffix != ".gz" else [loaded]

    assert loaded.game_name == one.game_name == open_one.game_name == game


def test_the_game_stays_through_edits_pickles_and_json(file: Path) -> None:
    collection = sgf_lark.load(file)
    draft = collection[0].edit()
    draft.set(draft.root, "PB", "Alex")

    assert draft.done().game_name == "Twixt"
    assert pickle.loads(pickle.dumps(collection[0])).game_name == "Twixt"
    assert Collection.model_validate_json(collection.model_dump_json()) == collection

    draft.set(draft.root, "GM", 1)
    assert draft.done(strict=False).game_name == "Go"


def test_checks_say_why_it_is_twixt(file: Path) -> None:
    (found,) = sgf_lark.check(file)

    assert found.message == (
        "missing GM, which by the standard means Go; read as Twixt, because of the name of the file"
    )
    assert fix_record(RECORD.encode(), name="a.tsgf", level="info").remaining == (found,)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--level", "info", "--format", "concise"],
        ["show"],
        ["convert", "--to", "json", "-o", "a.json"],
    ],
)
@pytest.mark.usefixtures("file")
def test_commands_read_it_so(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [*arguments, "a.tsgf"])
    written = "".join(path.read_text() for path in Path().glob("*.json"))

    assert "Twixt" in done.output + written


def test_an_archive_reads_it_so_and_opens_it_so(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    sgf_lark.archive.build([file], tmp_path / "tables")
    archive = sgf_lark.archive.read(tmp_path / "tables")
    places = find_game_places(archive, archive.games.to_table()["game_id"].to_pylist())

    assert archive.games.to_table(["kind"]).to_pylist() == [{"kind": "Twixt"}]
    assert [
        read_placed_game(place, read).game_name
        for place, read in read_bytes(places)
        if isinstance(read, bytes)
    ] == ["Twixt"]


def test_pieces_of_a_file_are_read_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.tsgf"
    path.write_text("\n".join([RECORD] * 40))
    whole = sgf_lark.check(path)
    monkeypatch.setattr(many, "MIN_BYTES_FOR_PROCESSES", 500)
    monkeypatch.setattr(pieces, "MIN_PIECE", 150)

    assert next(sgf_lark.check_many([path], jobs=2)).diagnostics == whole.diagnostics


def test_what_an_editor_of_windows_adds_to_a_name_hides_no_record(tmp_path: Path) -> None:
    for name in ("a.sgf.txt", "b.SGF.TXT", "notes.txt"):
        (tmp_path / name).write_text("(;FF[4]GM[1])", encoding="utf-8")

    assert [Path(one).name for one in sgf_lark.records(tmp_path)] == ["a.sgf.txt", "b.SGF.TXT"]
