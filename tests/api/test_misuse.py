"""A record in the place of a path, or the other way round: the error names what was meant."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest

import sgf_lark

#: The functions that read a path or a file.
READERS = [sgf_lark.load, sgf_lark.check, sgf_lark.iter_games]


def read(reader: Any, source: object) -> None:
    games = reader(source)
    if reader is sgf_lark.iter_games:
        next(games)


@pytest.mark.parametrize("reader", [sgf_lark.load, sgf_lark.iter_games])
def test_bytes_are_for_loads(reader: Any) -> None:
    with pytest.raises(TypeError, match=r"not bytes; loads\(\) reads bytes$"):
        reader(b"(;FF[4])")


@pytest.mark.parametrize("kind", [bytes, bytearray])
def test_check_takes_bytes_as_fix_record_and_format_record_do(kind: type[bytes]) -> None:
    data = "(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[青木]KM[6,5])".encode()
    report = sgf_lark.check(kind(data))

    assert report.diagnostics == sgf_lark.check(io.BytesIO(data)).diagnostics
    assert [str(finding) for finding in report] == [
        str(sgf_lark.loads(data, strict=False).diagnostics[0])
    ]
    assert report.name == "<string>"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("source", [None, 3, [Path("a.sgf")]])
def test_what_cannot_be_read_is_named(reader: Any, source: object) -> None:
    with pytest.raises(TypeError, match="expected a path or a file that is open for reading, not "):
        reader(source)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", ["(;FF[4])", "\n( ;FF[4]", "(;C[\0])", "(;C[" + "a" * 5000 + "])"])
def test_a_record_is_for_loads(reader: Any, text: str) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"the text of a record: loads\(\) reads it, check\(\) its bytes"
    ) as e:
        read(reader, text)
    assert len(str(e.value)) < 150


@pytest.mark.parametrize("reader", READERS)
def test_a_folder_is_for_load_many(reader: Any, tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match=r"a folder; load_many\(\) reads"):
        read(reader, tmp_path)


@pytest.mark.parametrize("reader", READERS)
def test_a_missing_file_is_reported_as_always(reader: Any, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: '.*none\.sgf'"):
        read(reader, tmp_path / "none.sgf")


@pytest.mark.parametrize("path", ["game.sgf", " games/a b.mgt\n", "C:\\games\\x.ggf"])
def test_a_path_is_for_load(path: str) -> None:
    with pytest.raises(sgf_lark.SgfSyntaxError) as caught:
        sgf_lark.loads(path)

    assert caught.value.msg == "this is not a game record but looks like a path, which load() reads"
    assert caught.value.first.code == "S101"
    assert "looks like a path, which load() reads" in str(caught.value)


@pytest.mark.parametrize("text", ["", "no record", "a.b[c", "A sentence. Another one.", "x" * 2000])
def test_another_text_is_reported_as_always(text: str) -> None:
    with pytest.raises(sgf_lark.SgfSyntaxError) as caught:
        sgf_lark.loads(text)

    assert "load()" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, "not None"),
        (3, "not int"),
        (Path("a.sgf"), r"not \w*PosixPath; load\(\) reads paths and files"),
        (io.StringIO("(;)"), r"not StringIO; load\(\) reads paths and files"),
    ],
)
def test_loads_names_what_it_reads(source: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"expected the text or the bytes of a record, {message}$"):
        sgf_lark.loads(source)


@pytest.mark.parametrize("reader", [sgf_lark.load_many, sgf_lark.check_many])
@pytest.mark.parametrize("paths", ["games", Path("games"), 3, None])
def test_one_path_is_not_many(reader: Any, paths: object) -> None:
    with pytest.raises(TypeError, match=r"expected paths such as Path\('games'\).*, not one \w+$"):
        reader(paths)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_path_of_bytes_stops_no_other(tmp_path: Path, jobs: int) -> None:
    (file := tmp_path / "a.sgf").write_text("(;FF[4])")
    paths: list[Any] = [os.fsencode(file), file]
    wrong, right = sgf_lark.load_many(paths, jobs=jobs)
    assert isinstance(wrong.error, TypeError)
    assert right.result is not None


def test_an_engine_that_is_not_there_is_named() -> None:
    name: Any = "fast"
    with pytest.raises(ValueError, match=r"^no engine 'fast': there are auto, generated, lark$"):
        sgf_lark.loads("(;FF[4])", engine=name)


@pytest.mark.parametrize("data", ["(;FF[4])", Path("a.sgf"), None])
def test_fixes_are_made_in_bytes(data: Any) -> None:
    with pytest.raises(TypeError, match=r"expected the bytes of a file, not \w+: path.read_bytes"):
        sgf_lark.fix_record(data)


@pytest.mark.parametrize("games", ["(;FF[4])", [], None])
def test_what_is_written_or_converted_has_been_read(games: Any) -> None:
    message = r"expected a Collection or a GameTree, not \w+: load\(\) and loads\(\) read one"
    with pytest.raises(TypeError, match=message):
        sgf_lark.dumps(games)
    with pytest.raises(TypeError, match=message):
        sgf_lark.dump(games, io.BytesIO())
    with pytest.raises(TypeError, match=message):
        sgf_lark.convert(games, "ff4")
