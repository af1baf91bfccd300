"""What is made of the shipped grammars is kept between processes, and never used when stale."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from lark.exceptions import GrammarError
from support.lanes import one_in
from support.places import GRAMMARS, RECORDS, ROOT

from sgf_lark.engine.plan import Plan
from sgf_lark.grammar import loader as grammars, ready

#: Long before these tests began.
LONG_AGO = time.time() - 1_000_000


class Maker:
    """Makes data of a folder of grammars, and counts how often."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.times = 0

    def __call__(self) -> list[Any]:
        self.times += 1
        return [file.read_text() for file in sorted(self.folder.glob("*.lark"))]

    def kept(self) -> Any:
        """Return the data as a new process gets them."""
        ready.forget()
        return ready.kept(self.folder, "all", self)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("SGF_LARK_CACHE", str(folder))
    monkeypatch.setattr(ready, "_STARTED", time.time() + 1_000_000)
    return folder


@pytest.fixture
def maker(tmp_path: Path, cache: Path) -> Maker:  # noqa: ARG001  # is set first
    folder = tmp_path / "grammars"
    folder.mkdir()
    (folder / "a.lark").write_text('start: "a"\n')
    return Maker(folder)


def only_file(cache: Path) -> Path:
    (file,) = cache.iterdir()
    return file


# ---- when kept data are used ----


def test_what_is_kept_is_not_made_again(maker: Maker) -> None:
    assert [maker.kept() for _ in range(3)] == [['start: "a"\n']] * 3
    assert maker.times == 1


def test_a_changed_grammar_is_read_anew(maker: Maker) -> None:
    maker.kept()
    (maker.folder / "a.lark").write_text('start: "b"\n')

    assert maker.kept() == ['start: "b"\n']


def test_a_new_grammar_may_change_an_import_and_so_everything(maker: Maker) -> None:
    maker.kept()
    (maker.folder / "b.lark").write_text("start: \n")

    assert maker.kept() == ['start: "a"\n', "start: \n"]


def test_a_grammar_as_before_finds_what_was_kept_of_it(maker: Maker) -> None:
    maker.kept()
    (maker.folder / "a.lark").write_text('start: "b"\n')
    maker.kept()
    (maker.folder / "a.lark").write_text('start: "a"\n')

    assert maker.kept() == ['start: "a"\n']
    assert maker.times == 2


@pytest.mark.parametrize("name", ["lark.__version__", "sys.version", "sys.implementation.name"])
def test_another_version_makes_its_own(
    maker: Maker, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    maker.kept()
    where, _, attribute = name.rpartition(".")
    monkeypatch.setattr(f"{ready.__name__}.{where}.{attribute}", "another")
    maker.kept()

    assert maker.times == 2


def test_the_code_that_makes_the_data_belongs_to_the_fingerprint() -> None:
    names = {f"{file.parent.name}/{file.name}" for file in ready._files(GRAMMARS)}  # noqa: SLF001

    assert {
        "engine/generator.py",
        "engine/analysis.py",
        "engine/plan.py",
        "engine/regex.py",
    } <= names
    assert {"grammar/loader.py", "grammar/ready.py", "grammars/ff4.lark", "games/go.lark"} <= names


def test_other_code_makes_its_own(
    maker: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker.kept()
    own = tmp_path / "more.py"
    own.write_text("1")
    files = ready._files  # noqa: SLF001
    monkeypatch.setattr(ready, "_files", lambda folder: [*files(folder), own])
    maker.kept()
    own.write_text("2")
    maker.kept()

    assert maker.times == 3


def test_what_changed_after_the_start_of_the_process_is_not_kept(
    maker: Maker, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "_STARTED", LONG_AGO)

    assert [maker.kept(), maker.kept()] == [['start: "a"\n']] * 2
    assert not cache.exists()


def test_what_changes_while_data_are_made_is_not_kept(maker: Maker, cache: Path) -> None:
    def make() -> list[str]:
        (maker.folder / "a.lark").write_text('start: "b"\n')
        return ["of which text?"]

    ready.forget()
    ready.kept(maker.folder, "all", make)

    assert not cache.exists()
    assert maker.kept() == ['start: "b"\n']


# ---- files that are not as they should be ----


@pytest.mark.parametrize("size", [0, 1, 31, 33, 40, -1])
def test_a_truncated_file_is_made_again(maker: Maker, cache: Path, size: int) -> None:
    maker.kept()
    file = only_file(cache)
    content = file.read_bytes()
    file.write_bytes(content[:size])

    assert maker.kept() == ['start: "a"\n']
    assert maker.times == 2
    assert only_file(cache).read_bytes() == content


def test_a_damaged_file_is_made_again_wherever_it_is_damaged(maker: Maker, cache: Path) -> None:
    maker.kept()
    file = only_file(cache)
    content = file.read_bytes()
    for at in range(len(content)):
        file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert maker.kept() == ['start: "a"\n']

    assert maker.times == 1 + len(content)


@pytest.mark.parametrize("content", [b"\0" * 1000, b"\n\n", b"{}", b"\xff\xfe", b"cos\nsystem\n"])
def test_a_foreign_file_is_made_again(maker: Maker, cache: Path, content: bytes) -> None:
    maker.kept()
    only_file(cache).write_bytes(content)

    assert maker.kept() == ['start: "a"\n']


def test_a_file_of_another_version_is_not_used_under_this_name(maker: Maker, cache: Path) -> None:
    maker.kept()
    old = only_file(cache)
    (maker.folder / "a.lark").write_text('start: "b"\n')
    maker.kept()
    (new,) = {*cache.iterdir()} - {old}
    new.write_bytes(old.read_bytes())

    assert maker.kept() == ['start: "b"\n']


def test_a_file_too_large_is_not_read(
    maker: Maker, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker.kept()
    monkeypatch.setattr(ready, "MAX_SIZE", only_file(cache).stat().st_size - 1)
    maker.kept()

    assert maker.times == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there the folder of a user is private")
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
@pytest.mark.parametrize("of_folder", [False, True])
def test_what_others_may_write_is_not_used(
    maker: Maker, cache: Path, mode: int, *, of_folder: bool
) -> None:
    maker.kept()
    (cache if of_folder else only_file(cache)).chmod(mode | (0o100 if of_folder else 0))
    maker.kept()

    assert maker.times == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there the folder of a user is private")
def test_what_another_user_owns_is_not_used(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    maker.kept()
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    maker.kept()

    assert maker.times == 2


def test_data_are_kept_where_the_system_knows_no_users(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is on WebAssembly and Windows."""
    monkeypatch.delattr(os, "geteuid")

    assert [maker.kept() for _ in range(2)] == [['start: "a"\n']] * 2
    assert maker.times == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_place_of_the_file_is_not_waited_for(maker: Maker, cache: Path) -> None:
    maker.kept()
    file = only_file(cache)
    file.unlink()
    os.mkfifo(file, 0o600)

    assert maker.kept() == ['start: "a"\n']


# ---- where files are kept ----


def test_a_folder_that_cannot_be_made_does_not_matter(
    maker: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SGF_LARK_CACHE", str(tmp_path / "file" / "cache"))

    assert [maker.kept(), maker.kept()] == [['start: "a"\n']] * 2


def test_a_file_that_cannot_be_written_does_not_matter(
    maker: Maker, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "replace", fail)

    assert [maker.kept(), maker.kept()] == [['start: "a"\n']] * 2
    assert [*cache.iterdir()] == []


def test_the_variable_can_forbid_keeping(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SGF_LARK_CACHE", "")
    maker.kept()
    maker.kept()

    assert maker.times == 2


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

    assert ready.cache_folder() == (None if folder is None else Path(folder))


def test_no_home_means_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError

    monkeypatch.delenv("SGF_LARK_CACHE")
    monkeypatch.setattr(Path, "home", fail)

    assert ready.cache_folder() is None


def test_files_of_old_versions_are_removed(maker: Maker, cache: Path) -> None:
    cache.mkdir(mode=0o700)
    for number in range(20):
        file = cache / f"{number:02}.ready"
        file.touch()
        os.utime(file, (LONG_AGO + number, LONG_AGO + number))
    maker.kept()

    assert len([*cache.iterdir()]) == ready.MAX_FILES
    assert (cache / "19.ready").exists()


def test_a_custom_grammar_is_never_kept(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.lark"
    file.write_text('start: "a"\n')
    ready.forget()
    grammars.forget()
    assert grammars.generated(grammars.source(file), "start") is not None
    assert grammars.generated(file, "start") is not None

    assert not cache.exists()


# ---- plans ----


def facts(plan: Plan) -> Any:
    """Return all that a plan tells."""
    return {
        "expressions": {name: plan.expression(name) for name in plan.shapes},
        "others": [{**plan.shapes}, {**plan.groups}, plan.patterns, plan.skip],
        "alternatives": {name: vars(own) for name, own in plan.alternatives.items()},
    }


@pytest.mark.parametrize("name", one_in(5, grammars.names()))
def test_a_kept_plan_is_the_same_as_a_new_one(cache: Path, name: str) -> None:
    def plans() -> dict[tuple[str, bool], Any]:
        ready.forget()
        grammars.forget()
        made: dict[tuple[str, bool], Any] = {}
        for start in grammars.rules(file):
            for of_value in {True, start not in grammars.in_structure(file)}:
                try:
                    parser = grammars.generated(file, start, of_value=of_value)
                except GrammarError:  # a quotation
                    continue
                made[start, of_value] = None if parser is None else facts(parser.plan)
        names = grammars.rules(file), grammars.in_structure(file)
        return {("", False): names, **made}

    file = grammars.path(name)
    new = plans()
    size = only_file(cache).stat().st_size
    kept = plans()

    assert only_file(cache).stat().st_size == size
    assert kept == new


#: Where processes of this run keep what they make of the grammars.
KEPT = Path(os.environ["SGF_LARK_CACHE"])


def run(code: str, cache: Path, *arguments: str) -> str:
    environment = {**os.environ, "SGF_LARK_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-X", "utf8", "-c", code, *arguments]
    done = subprocess.run(  # noqa: S603  # this Python
        command, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


BOTH_ENGINES = """
import sys, sgf_lark
from sgf_lark.grammar import loader
for name in sys.argv[1:]:
    one, other = (
        sgf_lark.load(name, strict=False, engine=engine) for engine in ("generated", "lark")
    )
    assert one.model_dump() == other.model_dump()
    assert one.diagnostics == other.diagnostics
print(loader.generated.cache_info().currsize > 10)
"""


@pytest.mark.night
def test_both_engines_are_equal_by_kept_plans(tmp_path: Path) -> None:
    records = [str(file) for file in sorted(RECORDS.iterdir())]
    for _ in range(2):
        assert run(BOTH_ENGINES, tmp_path, *records) == "True\n"


COUNT = """
import lark, sys
made = []
lark.Lark.__init__ = lambda *arguments, **options: made.append(arguments) or 1 / 0
sys.argv[:1] = ["sgf-lark"]
from sgf_lark.__main__ import main
try:
    main()
finally:
    print(len(made))
"""


@pytest.mark.night
def test_a_second_check_builds_no_parser_of_lark(tmp_path: Path) -> None:
    file = tmp_path / "one.sgf"
    file.write_text(
        "(;FF[4]GM[1]SZ[19]CA[UTF-8]AP[x:1]PB[A]PW[B]KM[6.5]RE[B+R]TM[1800]OT[byo]RO[1 (final)]"
        "BR[5k]DT[2020-01-02,03];B[pd]BL[12.5];W[dp]C[hello]LB[aa:x]TR[aa:bb]N[n];AB[cc]PL[B]V[1])"
    )
    cache = tmp_path / "cache"
    run("import sys, sgf_lark; sgf_lark.check(sys.argv[1])", cache, str(file))

    assert run(COUNT, cache, "check", str(file)).endswith("\n0\n")


@pytest.mark.night
def test_processes_at_once_keep_whole_files(tmp_path: Path) -> None:
    code = "import sys, sgf_lark; sgf_lark.load(sys.argv[1], strict=False)"
    environment = {**os.environ, "SGF_LARK_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    records = sorted(RECORDS.iterdir())[:6]
    processes = [
        subprocess.Popen([sys.executable, "-c", code, str(file)], env=environment)  # noqa: S603
        for file in records
    ]
    assert [process.wait() for process in processes] == [0] * len(records)

    lines = [line.split(" ", 2) for line in only_file(tmp_path).read_text().split("\n")]
    assert {len(digest) for digest, *_ in lines} == {32}
    kept = {name: json.loads(text) for _, name, text in lines}
    assert "ff4.lark:game_tree:structure" in kept


IMPORTED = """
import sys
from sgf_lark.__main__ import main
try:
    main()
except SystemExit:
    print(sorted({"pydantic", "lark", "rich.console", "xml", "urllib.request"} & {*sys.modules}))
"""


def test_help_waits_for_no_model_and_no_grammar(tmp_path: Path) -> None:
    assert run(IMPORTED, tmp_path, "--help").endswith("\n[]\n")


def test_a_check_imports_what_it_uses() -> None:
    record = str(RECORDS / "go.sgf")

    assert run(IMPORTED, KEPT, "check", record).endswith("\n['lark', 'pydantic']\n")


CLEAN = "(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[A]PW[B];B[pd];W[dp])"

#: Of this package, what a file without findings and with usual options does not need.
UNUSED = """
import sys
from sgf_lark.__main__ import main
try:
    main()
except SystemExit:
    mine = {name.partition(".")[2] for name in sys.modules if name.startswith("sgf_lark.")}
    others = {"rich", "multiprocessing", "tomllib"}
    unused = ("fix", "write", "convert.", "cli.commands")
    print(sorted(name for name in mine if name.startswith(unused)))
    print(sorted(name for name in mine if name.startswith("check.games.")))
    slow = {"values.corrections", "diagnostics.catalogue", "engine.generator", "grammar.lint"}
    print(sorted(slow & mine))
    print(sorted(others & {*sys.modules}))
"""


def test_a_file_without_findings_imports_no_fix_no_writer_and_no_other_command(
    tmp_path: Path,
) -> None:
    file = tmp_path / "one.sgf"
    file.write_text(CLEAN)

    run(UNUSED, KEPT, "check", str(file), "--isolated")

    assert run(UNUSED, KEPT, "check", str(file), "--isolated").splitlines()[-4:] == [
        "['cli.commands', 'cli.commands.check']",
        "['check.games.go', 'check.games.off_board', 'check.games.registry']",
        "[]",
        "[]",
    ]


BUILT = """
import sys
import typer.main
made = []
build = typer.main.get_command_from_info
def counted(info, **options):
    made.append(info.callback.__name__)
    return build(info, **options)
typer.main.get_command_from_info = counted
from sgf_lark.__main__ import main
try:
    main()
except SystemExit:
    print(made)
"""


def test_a_command_is_built_when_it_is_named() -> None:
    record = str(RECORDS / "go.sgf")

    assert run(BUILT, KEPT, "check", record).endswith("\n['check']\n")
    assert run(BUILT, KEPT, "grammar", "list").endswith("\n['list_']\n")


def test_the_list_of_commands_builds_none(tmp_path: Path) -> None:
    assert run(BUILT, tmp_path, "--help").endswith("\n[]\n")
