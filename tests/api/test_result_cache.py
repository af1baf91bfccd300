"""Reports are kept for unchanged files, and never used when anything has changed."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support import corpus
from support.lanes import amount, every_other

from sgf_lark import CheckOptions, Game, PropertyRule, PropertyTable, Report
from sgf_lark.cli.main import app
from sgf_lark.core.api import load
from sgf_lark.core.grammar import derived, grammars
from sgf_lark.files import many, result_cache
from sgf_lark.files.result_cache import ResultCache
from sgf_lark.settings.forms import Output
from sgf_lark.settings.settings import find_settings

pytestmark = pytest.mark.elsewhere

BROKEN = "(;FF[4]GM[1]SZ[19]\n;B[pd]PB[青木];W[zz9];KM[6,5]X[1])"


code_digest = result_cache.code_digest


@cache
def digest_once(_: float) -> bytes | None:
    """The digest of the code, which few tests change, by the time at which the process started."""
    return code_digest()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with some records; reports are kept beside it."""
    monkeypatch.setenv("SGF_LARK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(derived, "STARTED", derived.STARTED + 1_000_000)
    monkeypatch.setattr(result_cache, "code_digest", lambda: digest_once(derived.STARTED))
    folder = tmp_path / "records"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    Path("a.sgf").write_text(BROKEN, encoding="utf-8")
    Path("b.sgf").write_text("(;FF[4]GM[1]SZ[19];B[pd])")
    Path("c.sgf").write_bytes("(;FF[4]GM[1]SZ[19]PB[青木]SZ[x])".encode("gb18030"))
    return folder


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were checked, and not taken from the cache."""
    names: list[str] = []
    check = load.check_contents

    def counted(data: bytes, name: str, **options: Any) -> Report:
        names.append(name)
        return check(data, name, **options)

    monkeypatch.setattr(result_cache, "check_contents", counted)
    return names


def reports(*names: str, jobs: int = 1, **options: Any) -> list[Report]:
    """The reports on files, with those that a process before has kept."""
    items: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in names]
    return list(many.reports(items, jobs, options, ResultCache.find()))


def database() -> Path:
    (file,) = Path(os.environ["SGF_LARK_CACHE"]).glob("*.checks")
    return file


# ---- what is used again ----


def test_a_file_that_has_not_changed_is_not_checked_again(checked: list[str]) -> None:
    names = ("a.sgf", "b.sgf", "c.sgf")
    first = reports(*names)
    assert checked == [*names]

    assert reports(*names) == first == list(many.reports([(one, {}) for one in names], 1, {}))
    assert checked == [*names]
    assert [report.boards() for report in reports(*names)] == [{}, {}, {}]


def test_a_file_of_another_name_with_the_same_bytes_is_not_checked_again(
    checked: list[str],
) -> None:
    (first,) = reports("a.sgf")
    Path("a.sgf").rename("new.sgf")
    (again,) = reports("new.sgf")

    assert again == first.model_copy(update={"name": "new.sgf"})
    assert checked == ["a.sgf"]


def test_a_changed_file_is_checked_even_with_its_old_size_and_time(checked: list[str]) -> None:
    (first,) = reports("a.sgf")
    before = Path("a.sgf").stat()
    Path("a.sgf").write_text(BROKEN.replace("zz9", "zz8"), encoding="utf-8")
    os.utime("a.sgf", ns=(before.st_atime_ns, before.st_mtime_ns))

    assert reports("a.sgf") != [first]
    assert checked == ["a.sgf"] * 2


TABLE = PropertyTable.standard()
OWN = PropertyRule(format="FF4", ident="X", name="Own", type="number")


@pytest.mark.parametrize(
    "options",
    [
        {"options": CheckOptions(ignore=["V301"])},
        {"options": CheckOptions(warn=["V301"])},
        {"options": CheckOptions(strict=True)},
        {"options": CheckOptions(per_file_ignores={"*.sgf": ["V"]})},
        {"format": "ff1"},
        {"encoding": "latin-1"},
        {"max_diagnostics": 1},
        {"engine": "lark"},
        {"table": TABLE.extend(OWN)},
        {"grammar": "ff3"},
    ],
    ids=lambda one: next(iter(one)),
)
def test_other_options_are_another_check(checked: list[str], options: dict[str, Any]) -> None:
    reports("a.sgf")
    other = reports("a.sgf", **options)

    assert reports("a.sgf", **options) == other == list(many.reports([("a.sgf", {})], 1, options))
    assert checked == ["a.sgf", "a.sgf"]


def test_rules_that_are_off_in_some_files_are_off_there_alone(checked: list[str]) -> None:
    Path("d.sgf").write_text(BROKEN, encoding="utf-8")
    options = CheckOptions(per_file_ignores={"d.sgf": ["V"]})
    for _ in range(2):
        first, other = reports("a.sgf", "d.sgf", options=options)
        assert "V301" in {finding.code for finding in first}
        assert "V301" not in {finding.code for finding in other}

    assert checked == ["a.sgf", "d.sgf"]


@pytest.mark.night
def test_a_grammar_and_what_it_imports_belong_to_the_check(checked: list[str]) -> None:
    for name in ("ff4", "lexical"):
        shipped = grammars.folder() / f"{name}.lark"
        Path(f"{name}.lark").write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    for changed in ("ff4.lark", "lexical.lark", "b.sgf"):
        for _ in range(2):
            grammars.forget()  # as a new process
            reports("a.sgf", grammar="./ff4.lark")
        with Path(changed).open("a") as file:
            file.write("\n// changed\n")

    assert checked == ["a.sgf"] * 3


def test_a_custom_game_and_its_grammar_belong_to_the_check(checked: list[str]) -> None:
    Path("k.sgf").write_text("(;FF[4]GM[50];B[a1];W[zz9])")
    grammar = Path("k.lark")
    for text in ("move: point\npoint: /[a-i][1-9]/\n", "move: point\npoint: /[a-z]+[1-9]/\n"):
        grammar.write_text(text)
        for _ in range(2):
            (report,) = reports("k.sgf", table=TABLE.extend(Game(50, "Kono", grammar)))
        assert ("V301" in {finding.code for finding in report}) == ("a-i" in text)

    assert checked == ["k.sgf"] * 2


def test_the_settings_of_a_file_belong_to_its_check(checked: list[str]) -> None:
    for text in ("", '[properties]\nX = "number"\n', '[properties]\nX = "text"\n'):
        Path("sgf-lark.toml").write_text(text)
        for _ in range(2):
            reports("a.sgf", options=find_settings("a.sgf"))

    assert checked == ["a.sgf"] * 3


def test_what_a_key_cannot_name_is_not_kept(checked: list[str]) -> None:
    cache = ResultCache.find()
    assert cache is not None
    assert cache.key(b"", "a.sgf", {"values": object()}) is None
    assert cache.key(b"", "a.sgf", {"new": 1}) is None
    assert cache.key(b"", "a.sgf", {"new": None}) is not None
    assert checked == []


# ---- other code ----


def test_other_code_uses_no_old_report(
    checked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "more.py"
    own.write_text("0")
    digest = result_cache._digest_of  # noqa: SLF001
    monkeypatch.setattr(result_cache, "_digest_of", lambda files: digest([*files, own]))
    monkeypatch.setattr(result_cache, "code_digest", code_digest)
    for content in "0112":
        own.write_text(content)
        reports("a.sgf")

    assert checked == ["a.sgf"] * 3


def test_the_code_and_the_grammars_of_the_package_belong_to_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Path] = []
    monkeypatch.setattr(result_cache, "_digest_of", seen.extend)
    code_digest()
    names = {f"{file.parent.name}/{file.name}" for file in seen}

    assert {"check/check_game.py", "games/go.py", "schema/properties.tsv"} <= names
    assert {"findings/finding.py", "catalogue/value.toml", "engine/regex.py"} <= names
    assert {"grammars/ff4.lark", "games/go.lark"} <= names | {
        f"grammars/{file.name}" for file in seen if file.parent.name == "files"
    }


def test_what_changes_while_files_are_checked_is_not_kept(
    checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = many.reports([("a.sgf", {})], 1, {}, ResultCache.find())
    with monkeypatch.context() as patched:
        patched.setattr(derived, "STARTED", 0.0)  # as if all code were newer than this process
        list(made)
        assert ResultCache.find() is None
    reports("a.sgf")

    assert checked == ["a.sgf"] * 2


# ---- files that are not as they should be ----


def test_a_truncated_or_damaged_file_does_no_harm_and_is_made_again(checked: list[str]) -> None:
    expected = reports("a.sgf", "c.sgf")
    content = database().read_bytes()
    for damaged in (b"", content[:1000], content[:-100], b"\0" * 5000, b"SQLite format 3\0" * 99):
        database().write_bytes(damaged)
        assert reports("a.sgf", "c.sgf") == expected
        reports("a.sgf", "c.sgf")
        checked.clear()
        assert reports("a.sgf", "c.sgf") == expected
        assert checked == []


@pytest.mark.both_lanes
def test_a_damaged_byte_is_never_a_wrong_report(monkeypatch: pytest.MonkeyPatch) -> None:
    (expected,) = reports("a.sgf")
    content = database().read_bytes()
    monkeypatch.setattr(ResultCache, "put", lambda *_: None)
    for at in range(0, len(content), amount(991, 331)):
        damaged = bytearray(content)
        damaged[at] ^= 1
        database().write_bytes(damaged)
        assert reports("a.sgf") == [expected]


def test_a_report_under_another_key_is_not_used(checked: list[str]) -> None:
    first, second = reports("a.sgf", "c.sgf")
    connection = sqlite3.connect(database())
    rows = connection.execute("select key, digest, report from reports").fetchall()
    for (key, *_), (_, digest, report) in zip(rows, reversed(rows), strict=True):
        connection.execute(
            "update reports set digest = ?, report = ? where key = ?", (digest, report, key)
        )
    connection.commit()
    connection.close()

    assert reports("a.sgf", "c.sgf") == [first, second]
    assert len(checked) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="there the folder of a user is private")
@pytest.mark.parametrize("of_folder", [False, True])
def test_what_others_may_write_is_not_used(checked: list[str], *, of_folder: bool) -> None:
    reports("a.sgf")
    (database().parent if of_folder else database()).chmod(0o722 if of_folder else 0o622)
    reports("a.sgf")

    assert len(checked) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there the folder of a user is private")
def test_what_another_user_owns_is_not_used(
    checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reports("a.sgf")
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    reports("a.sgf")

    assert len(checked) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there the folder of a user is private")
def test_the_file_is_for_its_user_alone() -> None:
    before = os.umask(0)
    try:
        reports("a.sgf")
    finally:
        os.umask(before)

    assert database().stat().st_mode & 0o777 == 0o600
    assert database().parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_place_of_the_file_is_not_waited_for() -> None:
    expected = reports("a.sgf")
    file = database()
    file.unlink()
    os.mkfifo(file, 0o600)

    assert reports("a.sgf") == expected


def test_where_nothing_can_be_kept_everything_is_checked(
    checked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SGF_LARK_CACHE", "")
    assert ResultCache.find() is None
    (tmp_path / "file").touch()
    monkeypatch.setenv("SGF_LARK_CACHE", str(tmp_path / "file" / "cache"))
    assert reports("a.sgf") == reports("a.sgf")

    assert len(checked) == 2


def test_a_file_that_somebody_writes_is_not_waited_for_long(
    checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_cache, "WAIT_SECONDS", 0.01)
    (expected,) = reports("a.sgf")
    other = sqlite3.connect(database(), isolation_level=None)
    other.execute("begin exclusive")
    assert reports("a.sgf", "c.sgf")[0] == expected
    other.execute("rollback")
    other.close()
    checked.clear()

    assert reports("a.sgf") == [expected]
    assert checked == []


# ---- limits ----


def test_the_older_half_goes_when_the_file_is_too_large(
    checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{number}.sgf" for number in range(20)]
    for number, name in enumerate(names):
        Path(name).write_text(BROKEN.replace("zz9", f"zz{number}"), encoding="utf-8")
    reports(*names[:10])
    monkeypatch.setattr(result_cache, "MAX_SIZE", database().stat().st_size - 1)
    reports(*names[10:])
    checked.clear()
    reports(*names[10:])
    assert checked == []
    reports(*names[:10])

    assert 0 < len(checked) < 11


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="the rules of XDG")
@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"HOME": "/home/a"}, "/home/a/.cache/sgf_lark"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/b"}, "/b/sgf_lark"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "relative"}, "/home/a/.cache/sgf_lark"),
        ({"HOME": "/home/a", "SGF_LARK_CACHE": "/c"}, "/c"),
        ({"HOME": "/home/a", "SGF_LARK_CACHE": ""}, None),
    ],
)
def test_the_environment_says_where(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], folder: str | None
) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "SGF_LARK_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, text in variables.items():
        monkeypatch.setenv(name, text)

    assert result_cache.cache_folder() == (None if folder is None else Path(folder))


def test_no_home_means_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError

    monkeypatch.delenv("SGF_LARK_CACHE")
    monkeypatch.setattr(Path, "home", fail)

    assert result_cache.cache_folder() is None


def test_reports_are_kept_where_the_system_knows_no_users(
    checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is on WebAssembly and Windows."""
    monkeypatch.delattr(os, "geteuid")
    reports("a.sgf")
    reports("a.sgf")

    assert checked == ["a.sgf"]


def test_files_of_old_versions_are_removed() -> None:
    folder = Path(os.environ["SGF_LARK_CACHE"])
    folder.mkdir(mode=0o700)
    for number in range(5):
        (folder / f"{number}.checks").touch()
        os.utime(folder / f"{number}.checks", (number, number))
    reports("a.sgf")

    assert len([*folder.glob("*.checks")]) == result_cache.MAX_FILES
    assert (folder / "4.checks").exists()


def test_a_report_that_is_no_unicode_is_not_kept(checked: list[str]) -> None:
    cache = ResultCache.find()
    assert cache is not None
    (report,) = reports("a.sgf")
    strange = report.diagnostics[0].model_copy(update={"message": "\ud800"})
    cache.put(bytes(32), report.model_copy(update={"diagnostics": (strange,)}))
    cache.close()

    assert not cache.has(bytes(32))
    assert checked == ["a.sgf"]
    cache.close()


# ---- the command, and several processes ----


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["check", *arguments], catch_exceptions=False)
    return done.exit_code, done.stdout


@pytest.mark.parametrize("output", every_other(Output))
def test_every_form_is_the_same_from_the_cache(output: str, checked: list[str]) -> None:
    Path("g.sgf").write_text("(;FF[4]GM[1]SZ[9];B[aa];W[aa];B[zz])")
    plain = run(".", "--format", output)
    first = run(".", "--format", output, "--cache")
    before = len(checked)

    assert run(".", "--format", output, "--cache") == first == plain
    assert len(checked) == before == 4


def test_the_cache_is_for_those_who_ask_for_it(checked: list[str]) -> None:
    run(".")
    assert not Path(os.environ["SGF_LARK_CACHE"]).exists() or not [
        *Path(os.environ["SGF_LARK_CACHE"]).glob("*.checks")
    ]
    Path("sgf-lark.toml").write_text("cache = true\n")
    run(".")
    run(".")
    assert checked == ["./a.sgf", "./b.sgf", "./c.sgf"]
    run(".", "--no-cache")
    assert len(checked) == 3


@pytest.mark.night
def test_processes_use_one_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    game = "(;FF[4]GM[1]SZ[19]" + ";B[pd];W[zz9]" * 40 + ")"
    Path("huge.sgf").write_text(game * 8, encoding="utf-8")
    monkeypatch.setattr(many, "MIN_BYTES_FOR_PROCESSES", 1 << 11)
    names = ("a.sgf", "huge.sgf", "b.sgf")
    expected = list(many.reports([(one, {}) for one in names], 1, {}))
    assert reports(*names, jobs=2) == expected
    with closing(sqlite3.connect(database())) as connection:
        assert connection.execute("select count(*) from reports").fetchone() == (3,)
    monkeypatch.setattr(result_cache, "check_contents", None)  # nobody checks anything
    assert reports(*names, jobs=2) == expected
    assert reports(*names, jobs=1) == expected


@pytest.mark.night
@pytest.mark.skipif(not corpus.names(), reason="no SGF_LARK_CORPUS")
def test_real_files_have_the_same_reports_from_the_cache() -> None:
    names = [str(corpus.record(name)) for name in corpus.names()[:: amount(60, 20)]]
    first = reports(*names, max_diagnostics=1000)

    assert reports(*names, max_diagnostics=1000) == first
