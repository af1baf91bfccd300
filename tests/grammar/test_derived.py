"""What is derived of the shipped grammars is kept beside them, and never used when stale."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pathspec
import pytest
from lark.exceptions import GrammarError
from support.lanes import one_in
from support.places import RECORDS, ROOT

from sgf_lark.core.engine.plan import Plan
from sgf_lark.core.grammar import derived, grammars
from sgf_lark.core.grammar.derived import DerivedData

pytestmark = pytest.mark.elsewhere


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the process began long after all files were written."""
    monkeypatch.setattr(derived, "STARTED", time.time() + 1_000_000)


class Maker:
    """Derives data of a folder of grammars, and counts how often."""

    def __init__(self, folder: Path) -> None:
        self.grammars = folder / "grammars"
        self.file = folder / "derived.data"
        self.is_wheel = False
        self.times = 0

    def __call__(self) -> list[str]:
        self.times += 1
        return [file.read_text() for file in sorted(self.grammars.glob("*.lark"))]

    def data(self) -> DerivedData:
        """Return the data as a new process finds them."""
        find_key = partial(derived.key, self.grammars, with_code=not self.is_wheel)
        return DerivedData(self.file, find_key, keeps=not self.is_wheel)

    def get(self) -> Any:
        return self.data().get("all", self)


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    maker = Maker(tmp_path)
    maker.grammars.mkdir()
    (maker.grammars / "a.lark").write_text('start: "a"\n')
    return maker


def ship(maker: Maker) -> None:
    """Make the file of a wheel."""
    data = DerivedData(None, partial(derived.key, maker.grammars, with_code=False), keeps=True)
    data.get("all", maker)
    data.write(maker.file)
    maker.is_wheel = True


# ---- when kept data are used ----


def test_what_is_kept_is_not_derived_again(maker: Maker) -> None:
    assert [maker.get() for _ in range(3)] == [['start: "a"\n']] * 3
    assert maker.times == 1


def test_data_that_are_alike_are_written_once(maker: Maker) -> None:
    for name in ("a", "b"):
        maker.data().get(name, lambda: ["equal"])

    assert maker.file.read_text().count("equal") == 1
    assert maker.data().get("a", list) == maker.data().get("b", list) == ["equal"]


@pytest.mark.parametrize("is_wheel", [False, True])
def test_a_changed_grammar_makes_another_key(maker: Maker, *, is_wheel: bool) -> None:
    if is_wheel:
        ship(maker)
    maker.get()
    (maker.grammars / "a.lark").write_text('start: "b"\n')

    assert maker.get() == ['start: "b"\n']


def test_a_new_grammar_may_change_an_import_and_so_everything(maker: Maker) -> None:
    maker.get()
    (maker.grammars / "b.lark").write_text("start: \n")

    assert maker.get() == ['start: "a"\n', "start: \n"]


def test_a_table_belongs_to_the_key(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {file.name for file in derived._files(".tsv")}  # noqa: SLF001
    before = derived.key(maker.grammars, with_code=False)
    monkeypatch.setattr(derived, "_files", lambda _: [])

    assert "properties.tsv" in names
    assert derived.key(maker.grammars, with_code=False) != before


def test_other_code_derives_its_own(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    own = derived.PACKAGE / "more.py"
    status = derived.FILE.parent.stat()
    times = iter([1.0, 1.0, 2.0, 2.0])

    class Code:
        name = own.name

        def stat(self) -> Any:
            class Status:
                st_mtime = time_ns = next(times)
                st_mtime_ns = time_ns * 10**9
                st_size = status.st_size

            return Status

    monkeypatch.setattr(derived, "_files", lambda suffix: [Code()] if suffix == ".py" else [])
    maker.get()
    maker.get()

    assert maker.times == 2


def test_all_code_that_derives_belongs_to_the_key_of_a_checkout() -> None:
    names = {"/".join(Path(file).parts[-2:]) for file in derived._files(".py")}  # noqa: SLF001

    assert names >= {"engine/generator.py", "engine/analysis.py", "engine/regex.py"}
    assert names >= {
        "grammar/grammars.py",
        "values/reader.py",
    }


def test_another_lark_derives_its_own_in_a_checkout_only(
    maker: Maker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lark = tmp_path / "lark.py"
    monkeypatch.setattr(derived, "_lark", lambda: lark)
    ship(maker)
    lark.write_text("another")
    maker.get()
    assert maker.times == 1
    maker.is_wheel = False
    maker.get()
    lark.write_text("a third")
    maker.get()
    assert maker.times == 3


def test_code_that_changed_after_the_start_of_the_process_keeps_nothing(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(derived, "STARTED", 0.0)

    assert [maker.get(), maker.get()] == [['start: "a"\n']] * 2
    assert not maker.file.exists()


def test_what_changes_while_data_are_derived_is_not_kept(maker: Maker) -> None:
    def change() -> str:
        (maker.grammars / "a.lark").write_text('start: "b"\n')
        return "of which text?"

    assert maker.data().get("all", change) == "of which text?"
    assert not maker.file.exists()
    assert maker.get() == ['start: "b"\n']


def test_a_wheel_keeps_nothing(maker: Maker) -> None:
    ship(maker)
    content = maker.file.read_bytes()
    data = maker.data()

    assert data.get("other", lambda: 1) == 1
    assert data.get("other", lambda: 2) == 2
    assert maker.file.read_bytes() == content


# ---- files that are not as they should be ----


@pytest.mark.parametrize("size", [0, 1, 31, 33, 40, -3])
def test_a_truncated_file_is_made_again(maker: Maker, size: int) -> None:
    maker.get()
    content = maker.file.read_bytes()
    maker.file.write_bytes(content[:size])

    assert maker.get() == ['start: "a"\n']
    assert maker.file.read_bytes() == content


@pytest.mark.parametrize("content", [b"\0" * 1000, b"\n\n", b"{}", b"\xff\xfe", b"cos\nsystem\n"])
def test_a_foreign_file_is_made_again(maker: Maker, content: bytes) -> None:
    maker.file.write_bytes(content)

    assert maker.get() == ['start: "a"\n']
    assert [maker.get(), maker.times] == [['start: "a"\n'], 1]


def test_a_file_that_cannot_be_written_does_not_matter(maker: Maker) -> None:
    maker.file.mkdir()

    assert [maker.get(), maker.get()] == [['start: "a"\n']] * 2
    assert {file.name for file in maker.file.parent.iterdir()} == {"derived.data", "grammars"}


WRITER = """
import sys
from pathlib import Path
from sgf_lark.core.grammar.derived import DerivedData
for number in range(40):
    data = DerivedData(Path(sys.argv[1]), lambda: "key", keeps=True)
    data.get(f"{sys.argv[2]}:{number}", lambda: [number] * 20_000)
"""


def test_a_file_is_replaced_when_the_new_one_is_whole(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker.get()
    before, seen = maker.file.read_text(), list[tuple[str, str]]()
    replace = Path.replace

    def note(new: Path, file: Path) -> Path:
        seen.append((file.read_text(), new.read_text()))
        return replace(new, file)

    monkeypatch.setattr(Path, "replace", note)
    maker.data().get("more", lambda: ["more"])

    assert seen == [(before, maker.file.read_text())]
    assert "more" in seen[0][1]


@pytest.mark.night
def test_processes_at_once_see_whole_files(tmp_path: Path) -> None:
    file = tmp_path / "derived.data"
    file.write_text("key\n")
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(file), name], cwd=ROOT)  # noqa: S603
        for name in "ab"
    ]
    seen: set[int] = set()
    while any(process.poll() is None for process in processes):
        content = file.read_text()
        assert content.startswith("key\n")
        assert content.endswith("\n")
        lines = content.splitlines()[1:]
        assert all(line.endswith("]") for line in lines)
        seen.add(len(lines))

    assert [process.wait(timeout=100) for process in processes] == [0, 0]
    assert len(seen) > 2
    assert [one.name for one in tmp_path.iterdir()] == ["derived.data"]


# ---- a checkout ----

LOADED = """
import lark, sys
made = []
build = lark.Lark.__init__
def counted(*arguments, **options):
    made.append(arguments)
    build(*arguments, **options)
lark.Lark.__init__ = counted
import sgf_lark
from sgf_lark.core.grammar import derived
assert sgf_lark.__file__.startswith(sys.argv[1]), sgf_lark.__file__
games = sgf_lark.loads("(;FF[4]GM[1]SZ[19];B[pd];W[dp])", strict=False)
assert len(games.diagnostics) == 0
assert len([prop.values for node in games[0] for prop in node.properties]) == 5
print(len(made), derived.FILE.is_file())
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh checkout."""
    folder = tmp_path_factory.mktemp("checkout")
    ignored = shutil.ignore_patterns("__pycache__", "derived.data*")
    for name in ("sgf_lark", "grammars"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    return folder


def load_in(checkout: Path) -> tuple[int, bool]:
    """Return the parsers of Lark that a new process builds for a game, and if there are data."""
    command = [sys.executable, "-c", LOADED, str(checkout)]
    done = subprocess.run(  # noqa: S603  # this Python
        command, cwd=checkout, capture_output=True, text=True, check=True, timeout=100
    )
    count, is_there = done.stdout.split()
    return int(count), is_there == "True"


@pytest.mark.night
@pytest.mark.skipif(
    not (ROOT / "sgf_lark" / "__init__.py").exists(), reason="the package is not in this checkout"
)
def test_a_checkout_derives_once_and_keeps_it_beside_the_package(checkout: Path) -> None:
    first, second = load_in(checkout), load_in(checkout)

    assert first[0] > 0
    assert (first[1], second) == (True, (0, True))
    assert [*checkout.glob("**/derived.data*")] == [checkout / derived.FILE.relative_to(ROOT)]


def test_what_is_derived_is_ignored_by_git() -> None:
    file = ROOT / ".gitignore"
    if not file.exists():
        pytest.skip("this is no checkout: no .gitignore")
    lines = file.read_text(encoding="utf-8").splitlines()
    ignored = pathspec.GitIgnoreSpec.from_lines(lines)

    assert ignored.match_file(derived.FILE.relative_to(ROOT))
    assert ignored.match_file(f"{derived.FILE.relative_to(ROOT)}.1.2")


@pytest.mark.night
def test_a_checkout_that_cannot_be_written_works(checkout: Path) -> None:
    file = checkout / derived.FILE.relative_to(ROOT)
    file.unlink(missing_ok=True)
    file.mkdir()
    try:
        (first, there), second = load_in(checkout), load_in(checkout)
    finally:
        file.rmdir()

    assert not there
    assert second[0] == first > 0


def test_a_custom_grammar_is_never_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "derived.data"
    data = DerivedData(kept, lambda: "key", keeps=True)
    monkeypatch.setitem(derived._by_folder, grammars.folder(), data)  # noqa: SLF001
    file = tmp_path / "own.lark"
    file.write_text('start: "a"\n')
    grammars.forget()
    assert grammars.generated(grammars.source(file), "start") is not None
    assert grammars.generated(file, "start") is not None

    assert not kept.exists()


# ---- plans ----


def facts(plan: Plan) -> Any:
    """Return all that a plan tells."""
    return {
        "expressions": {name: plan.expression(name) for name in plan.shapes},
        "others": [{**plan.shapes}, {**plan.groups}, plan.patterns, plan.skip],
        "alternatives": {name: vars(own) for name, own in plan.alternatives.items()},
    }


@pytest.mark.parametrize("name", one_in(9, grammars.names()))
def test_a_kept_plan_is_the_same_as_a_new_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "derived.data"

    def plans() -> dict[tuple[str, bool], Any]:
        data = DerivedData(kept, lambda: "key", keeps=True)
        monkeypatch.setitem(derived._by_folder, grammars.folder(), data)  # noqa: SLF001
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
    content = kept.read_text()

    assert content.startswith("key\n")
    assert plans() == new
    assert kept.read_text() == content


BOTH_ENGINES = """
import sys, sgf_lark
from sgf_lark.core.grammar import grammars
for name in sys.argv[1:]:
    one, other = (
        sgf_lark.load(name, strict=False, engine=engine) for engine in ("generated", "lark")
    )
    assert one.model_dump() == other.model_dump()
    assert one.diagnostics == other.diagnostics
print(grammars.generated.cache_info().currsize > 10)
"""


@pytest.mark.night
def test_both_engines_are_equal_by_kept_plans() -> None:
    command = [
        sys.executable,
        "-X",
        "utf8",
        "-c",
        BOTH_ENGINES,
        *map(str, sorted(RECORDS.iterdir())),
    ]
    for _ in range(2):
        done = subprocess.run(  # noqa: S603  # this Python
            command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=100
        )
        assert done.stdout == "True\n"
