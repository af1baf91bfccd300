"""Many files at once: each has its outcome, in order, whatever happens to the others."""

from __future__ import annotations

import gc
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support import commands
from support.lanes import by_night, every_other, one_in

from sgf_lark import Collection, CrashError, SgfError, check, check_many, load_many
from sgf_lark.files import many, workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.elsewhere

#: Processes are forked here, so that what a test changes is changed in them, too.
forked = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="processes are not forked here"
)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Twelve records, one of them wrong; the third one has its place taken by tests."""
    made = []
    for number in range(12):
        file = tmp_path / f"{number:02}.sgf"
        komi = "x" if number == 5 else "6.5"
        file.write_text(f"(;FF[4]GM[1]SZ[19]N[{number}]KM[{komi}];B[aa])", encoding="utf-8")
        made.append(file)
    return made


def break_on(monkeypatch: pytest.MonkeyPatch, which: str, fault: Callable[[], object]) -> None:
    """Let the program fail on one file."""
    for name in ("load", "check"):
        usual = getattr(many, f"{name}_file")

        def unusual(source: object, usual: Callable[..., Any] = usual, **options: Any) -> Any:
            if str(source).endswith(which):
                fault()
            return usual(source, **options)

        monkeypatch.setattr(many, f"{name}_file", unusual)


@pytest.fixture
def no_process() -> Callable[[], bool]:
    """Nothing that the test started is left, in a moment; other tests may have left something."""
    before = {*multiprocessing.active_children()}

    def look() -> bool:
        end = time.monotonic() + 10
        while {*multiprocessing.active_children()} - before:
            if time.monotonic() > end:
                return False
            time.sleep(0.01)
        return True

    return look


def name_of(collection: Collection) -> str:
    return str(collection[0].root["N"])


class Threaded:
    """An object of another package that may end in its own process alone; in a circle."""

    def __init__(self, told: Path) -> None:
        self.circle, self.told, self.process = self, told, os.getpid()

    def __del__(self) -> None:
        if os.getpid() != self.process:
            self.told.touch()


def collect(_: Collection) -> int:
    return gc.collect()


@forked
def test_garbage_of_the_parent_ends_in_no_other_process(files: list[Path]) -> None:
    told = files[0].with_name("told")
    gc.disable()
    try:
        Threaded(told)
        outcomes = list(load_many(files[:2], jobs=2, strict=False, then=collect))
        assert not gc.isenabled()
    finally:
        gc.enable()

    assert [one.error for one in outcomes] == [None, None]
    assert not told.exists()


# ---- what comes out ----


@pytest.mark.parametrize("jobs", [1, 2, by_night(20)])
def test_reports_are_those_of_check_in_the_order_of_the_paths(files: list[Path], jobs: int) -> None:
    assert list(check_many(files, jobs=jobs)) == [check(file) for file in files]


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_file_has_its_collection_or_its_error(files: list[Path], jobs: int) -> None:
    files[2].unlink()
    found = list(load_many(files, jobs=jobs))

    assert [one.path for one in found] == files
    assert [type(one.error) for one in found if one.result is None] == [
        FileNotFoundError,
        found[5].error.__class__,
    ]
    assert isinstance(found[5].error, SgfError)
    assert [name_of(one.result) for one in found if one.result] == [
        str(number) for number in range(12) if number not in {2, 5}
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_of_each_file_before_its_outcome(files: list[Path], jobs: int) -> None:
    files[2].unlink()
    told: list[tuple[object, int]] = []
    sizes = [file.stat().st_size if file.exists() else 0 for file in files]

    for number, one in enumerate(
        load_many(files, jobs=jobs, progress=lambda *now: told.append(now))
    ):
        assert told[number:] == [(one.path, sizes[number])]


def test_options_are_those_of_load(files: list[Path]) -> None:
    found = [one.result for one in load_many(files, jobs=2, strict=False)]

    assert [len(one.diagnostics) for one in found if one] == [*[0] * 5, 1, *[0] * 6]


def test_what_is_not_asked_for_is_not_sent(files: list[Path]) -> None:
    found = list(load_many(files, jobs=2, strict=False, then=name_of))

    assert [one.result for one in found] == [str(number) for number in range(12)]


def test_a_result_that_cannot_be_sent_is_an_error_of_its_file(files: list[Path]) -> None:
    found = list(load_many(files[:2], jobs=2, then=_function_inside))

    assert all("pickle" in str(one.error) for one in found)


def test_a_result_that_cannot_be_read_is_an_error_of_its_file(files: list[Path]) -> None:
    found = list(load_many(files[:4], jobs=2, then=_unreadable_if_second))

    assert [one.result for one in found] == ["0", None, "2", "3"]
    assert str(found[1].error) == "this cannot be read"


def _unreadable_if_second(collection: Collection) -> object:
    name = name_of(collection)
    return Unlike("read") if name == "1" else name


def _function_inside(collection: Collection) -> object:
    return lambda: collection


class Unlike:
    """An option that cannot be sent, or that its receiver cannot read."""

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def __reduce__(self) -> tuple[Any, ...]:
        if self.fault == "send":
            raise TypeError("this cannot be sent")
        return _no_such_thing, ()


def _no_such_thing() -> None:
    raise LookupError("this cannot be read")


@pytest.mark.parametrize("fault", ["send", "read"])
def test_a_task_that_cannot_be_sent_is_an_error_of_its_file(files: list[Path], fault: str) -> None:
    tasks = [
        workers.Task(file, (file, Unlike(fault) if at == 1 else None))
        for at, file in enumerate(files)
    ]

    found = list(workers.run(_size_of, iter(tasks), 2))

    assert [str(one.error) for one in found if one.error] == [
        f"this cannot be {fault.replace('send', 'sent')}"
    ]
    assert [one.path for one in found] == files
    assert [one.result for one in found] == [
        None if at == 1 else file.stat().st_size for at, file in enumerate(files)
    ]


def _size_of(payload: tuple[Path, object]) -> int:
    return payload[0].stat().st_size


@pytest.mark.parametrize("options", [{"encoding": "klingon"}, {"format": "ff9"}, {"jobs": 0}])
def test_a_wrong_option_is_an_error_at_once(options: dict[str, Any]) -> None:
    with pytest.raises((LookupError, ValueError)):
        check_many([], **options)
    with pytest.raises((LookupError, ValueError)):
        load_many([], **options)


# ---- what goes wrong ----


def end_it() -> None:
    os._exit(3)


def fault() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fill_it() -> None:
    raise MemoryError("too large")


@forked
@pytest.mark.parametrize(
    ("what", "said"),
    [
        (end_it, "the process that read it exited with 3"),
        (fault, "the process that read it was killed by SIGKILL"),
        (fill_it, "MemoryError: too large"),
    ],
)
def test_a_crash_is_a_diagnostic_of_its_file_and_of_no_other(
    files: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    what: Callable[[], object],
    said: str,
) -> None:
    break_on(monkeypatch, "02.sgf", what)
    reports = list(check_many(files, jobs=2))

    assert [report.name for report in reports] == [str(file) for file in files]
    assert [one.code for report in reports for one in report] == ["F005", "V301"]
    assert said in reports[2].diagnostics[0].message


@forked
def test_a_process_that_is_killed_while_it_starts_costs_one_file(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die_once() -> None:
        with suppress(FileExistsError):
            (tmp_path / "died").touch(exist_ok=False)
            fault()

    monkeypatch.setattr(workers, "end_with_parent", die_once)
    found = list(load_many(files, jobs=2, strict=False, then=name_of))

    (crash,) = (one.error for one in found if one.error)
    assert str(crash) == "the process that read it was killed by SIGKILL"
    assert [one.path for one in found] == files


@forked
def test_every_file_may_crash(
    files: list[Path], monkeypatch: pytest.MonkeyPatch, no_process: Callable[[], bool]
) -> None:
    break_on(monkeypatch, ".sgf", end_it)

    assert {type(one.error) for one in load_many(files[:5], jobs=3)} == {CrashError}
    assert no_process()


def test_what_is_no_file_is_a_diagnostic(files: list[Path], tmp_path: Path) -> None:
    reports = list(check_many([tmp_path, tmp_path / "none", files[0]], jobs=2))

    assert [[one.code for one in report] for report in reports] == [["F001"], ["F002"], []]


# ---- processes ----


def test_paths_are_drawn_as_results_are_taken(
    files: list[Path], no_process: Callable[[], bool]
) -> None:
    drawn = 0

    def paths() -> Iterator[Path]:
        nonlocal drawn
        while True:
            drawn += 1
            yield files[drawn % 5]

    found = load_many(paths(), jobs=2)

    assert len(list(islice(found, 50))) == 50
    assert drawn <= 50 + 2 * workers.MAX_TASKS_AHEAD
    found.close()
    assert no_process()


@forked
def test_other_processes_go_on_while_one_reads_a_long_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / f"{number}.sgf" for number in range(40)]
    for number, path in enumerate(paths):
        path.write_text(f"(;FF[4]N[{number}])", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    last = {one.result for one in load_many(paths, jobs=2, then=_wait_for_the_last)}

    assert last == {True}


def _wait_for_the_last(collection: Collection) -> bool:
    """Let the first file end only after a much later one."""
    number, end = name_of(collection), time.monotonic() + 20
    Path(number).touch()
    while number == "0" and not Path("35").exists():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


@forked
def test_a_crash_beside_small_files_that_wait_is_its_own(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for which in ("00.sgf", "03.sgf", "10.sgf"):
        break_on(monkeypatch, which, end_it)
    found = list(load_many(files, jobs=2, strict=False, then=name_of))

    assert [one.result for one in found if not one.error] == [*"12", *"456789", "11"]
    assert [one.path.name for one in found if one.error] == ["00.sgf", "03.sgf", "10.sgf"]  # type: ignore[union-attr]  # a Path


@forked
def test_a_process_that_is_killed_while_it_waits_costs_nothing(
    monkeypatch: pytest.MonkeyPatch, no_process: Callable[[], bool]
) -> None:
    for name in ("MIN_TASKS_AHEAD", "MAX_TASKS_AHEAD"):
        monkeypatch.setattr(workers, name, 1)
    tasks = (workers.Task(str(number), number) for number in range(3))
    found = workers.in_processes(_process_of, tasks, 1)
    first = next(found).result
    assert first
    os.kill(first, signal.SIGKILL)
    assert no_process()

    second, third = found
    assert second.result == third.result != first
    assert second.error is None


def _process_of(_: object) -> int:
    return os.getpid()


@forked
def test_results_that_wait_for_an_earlier_one_have_few_bytes() -> None:
    drawn: list[int] = []

    def tasks() -> Iterator[workers.Task]:
        for number in range(40):
            drawn.append(number)
            yield workers.Task(str(number), number, workers.MAX_BYTES_AHEAD // 8)

    with closing(workers.run(_process_of, tasks(), 2)) as found:
        for taken, _ in enumerate(found):
            assert len(drawn) <= taken + 1 + 8


def test_work_that_has_failed_before_is_an_outcome_and_calls_nothing() -> None:
    tasks = [workers.Task("a", OSError("no disk")), workers.Task("b", "b")]
    for jobs in (1, 2):
        failed, done = workers.run(len, iter(tasks), jobs)
        assert str(failed.error) == "no disk"
        assert done == workers.Outcome("b", 1, None)


def test_forgetting_the_iterator_stops_the_processes(
    files: list[Path], no_process: Callable[[], bool]
) -> None:
    reports = check_many(files, jobs=2)
    next(reports)
    assert multiprocessing.active_children()
    del reports

    assert no_process()


def test_a_little_work_is_done_without_processes(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_Worker", None)
    monkeypatch.setattr(many, "cores", lambda: 8)

    assert len(list(check_many(files))) == 12
    files[7].write_text("(;FF[4]C[" + "x" * many.MIN_BYTES_FOR_PROCESSES + "])", encoding="utf-8")
    with pytest.raises(TypeError):
        list(check_many(files))


SCRIPT = """
import multiprocessing, sys
import sgf_lark

if __name__ == "__main__":
    multiprocessing.set_start_method("{method}")
{main}
"""
MAIN = """
print([(one.path, len(one.result)) for one in sgf_lark.load_many(sys.argv[1:], jobs=2)])
"""


@pytest.mark.night
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_it_works_however_processes_start(files: list[Path], tmp_path: Path, method: str) -> None:
    script = tmp_path / "script.py"
    main = "".join(f"    {line}\n" for line in MAIN.splitlines())
    script.write_text(SCRIPT.format(method=method, main=main), encoding="utf-8")
    names = [str(file) for file in files[:3]]
    result = subprocess.run(  # noqa: S603  # our own script
        [sys.executable, str(script), *names], capture_output=True, check=False, timeout=60
    )

    assert result.stderr == b""
    assert result.stdout.decode().strip() == str([(name, 1) for name in names])


def beat(path: Path) -> None:
    """Work forever, and show that this process is alive."""
    while True:
        with path.open("ab") as file:
            file.write(b"x")
        time.sleep(0.002)


def beat_in_processes(files: list[Path], method: str) -> None:
    multiprocessing.set_start_method(method, force=True)
    list(workers.run(beat, (workers.Task(file, file) for file in files), 2))


@pytest.mark.parametrize(
    "method",
    [pytest.param("fork", marks=forked), pytest.param("spawn", marks=pytest.mark.night)],
)
def test_processes_end_with_the_one_that_started_them_even_if_that_is_killed(
    tmp_path: Path, method: str
) -> None:
    files = [tmp_path / "1", tmp_path / "2"]
    parent = multiprocessing.Process(target=beat_in_processes, args=(files, method))
    parent.start()
    while not all(file.exists() for file in files):
        time.sleep(0.01)

    parent.kill()
    parent.join(timeout=100)

    sizes, until = None, time.monotonic() + 20
    while sizes != (sizes := [file.stat().st_size for file in files]):
        assert time.monotonic() < until, "they work on"
        time.sleep(0.2)


@pytest.mark.night
def test_a_script_that_cannot_be_spawned_is_told_so(files: list[Path], tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(method="spawn", main=MAIN), encoding="utf-8")
    result = subprocess.run(  # noqa: S603  # our own script
        [sys.executable, str(script), *map(str, files)],
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert b"pass jobs=1, or call this function below if __name__ == '__main__':" in result.stderr


# ---- the command ----


def command(*arguments: str, folder: Path, code: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own; ``code`` is what is changed in it before."""
    program = f"{code}\nimport sys\nfrom sgf_lark.__main__ import main\nmain()"
    return subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-c", program, "check", *arguments],
        capture_output=True,
        check=False,
        cwd=folder,
        timeout=60,
    )


@pytest.mark.parametrize("form", every_other(["json", "full"]))
def test_the_output_is_the_same_for_any_number_of_processes(
    files: list[Path], tmp_path: Path, form: str
) -> None:
    files[3].write_bytes(b"(;FF[4]PB[\xe9]\nKM[x]")
    files[8].unlink()
    arguments = [*(file.name for file in files), "--format", form, "--level", "info"]
    results = [
        commands.run("check", *arguments, "--jobs", jobs, folder=tmp_path) for jobs in ("1", "3")
    ]

    assert results[0].returncode == 2
    assert results[1].returncode == 2
    assert results[1].stdout == results[0].stdout
    assert results[1].stderr == results[0].stderr


CRASH = """
import os
from sgf_lark.core.api import load as api
usual = api.check
def check(source, **options):
    if "07" in str(source):
        os._exit(3)
    return usual(source, **options)
api.check = check
"""


@pytest.mark.night
def test_files_are_checked_alike_where_ctrl_c_is_ignored(files: list[Path], tmp_path: Path) -> None:
    names = [file.name for file in files]
    usual = commands.run("check", "--jobs", "2", *names, folder=tmp_path)
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    result = command("--jobs", "2", *names, folder=tmp_path, code=ignore)

    assert (result.returncode, result.stdout) == (usual.returncode, usual.stdout)
    assert b"V301" in result.stdout


@pytest.mark.night
@forked
def test_a_crash_is_reported_and_the_other_files_are_checked(
    files: list[Path], tmp_path: Path
) -> None:
    result = command(".", "--jobs", "2", "--format", "concise", folder=tmp_path, code=CRASH)
    wrong, crashed, *_, last = result.stdout.splitlines()

    assert re.match(rb"\./05\.sgf:1:\d+: V301 ", wrong)
    assert crashed.startswith(
        b"./07.sgf:1:1: F005 this file could not be checked, because the program"
    )
    assert last == f"{len(files)} files: 2 errors".encode()
    assert (result.returncode, result.stderr) == (2, b"")


def _group_is_gone(group: int) -> bool:
    """No process of a group is left, in a moment."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


SLOW = """
import os, time
from sgf_lark.core.api import load as api
usual = api.check
def check(source, **options):
    if isinstance(source, str):
        os.write(1, b"begun\\n")  # at once, so that two processes do not mix theirs
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass
    return usual(source, **options)
api.check = check
"""


@forked
@pytest.mark.parametrize("stop", every_other([signal.SIGINT, signal.SIGKILL]))
def test_ctrl_c_during_the_work_ends_all_processes_quietly(
    files: list[Path], tmp_path: Path, stop: signal.Signals
) -> None:
    slow = SLOW if stop is signal.SIGINT else SLOW.replace("60", "0.3")
    program = f"{slow}\nfrom sgf_lark.__main__ import main\nmain()"
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, "-c", program, "check", *(file.name for file in files), "--jobs", "2"],
        stdout=pipe,
        stderr=pipe,
        cwd=tmp_path,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        if stop is signal.SIGINT:  # a terminal sends it to all of them
            os.killpg(process.pid, stop)
        else:
            process.send_signal(stop)
        _, stderr = process.communicate(timeout=30)

    said = b"interrupted: 0 of %d files checked\n" % len(files)
    assert stderr == (said if stop is signal.SIGINT else b"")
    assert process.returncode == (130 if stop is signal.SIGINT else -stop)
    assert _group_is_gone(process.pid)


# ---- no more findings than wanted ----


def test_the_worst_findings_are_kept_and_the_rest_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "bad.sgf"
    file.write_text(
        "(;FF[4]GM[1]SZ[19]X[1]Y[2]\n;BL[zz9];WL[zz9];BL[zz9];WL[zz9])", encoding="utf-8"
    )
    whole, some = check(file), check(file, max_diagnostics=3)

    assert [one.code for one in whole] == ["D501"] * 2 + ["V301"] * 4
    assert [one.code for one in some] == ["V301"] * 3 + ["F006"]
    assert some.diagnostics[:3] == whole.diagnostics[2:5]
    notice = some.diagnostics[3]
    assert notice.message == "more findings than shown: 1 error, 2 infos left out"
    assert (notice.severity, notice.line, notice.column) == ("error", 2, 34)
    assert some.left_out == {"error": 1, "info": 2}
    assert some.counts == whole.counts
    for most in (None, 0, 6, 1000):
        assert check(file, max_diagnostics=most) == whole
    assert check(file, max_diagnostics=5).diagnostics[-1].severity == "info"


@pytest.mark.parametrize("form", one_in(4, ["full", "concise", "json", "jsonl"]))
def test_every_report_says_how_much_is_left_out(tmp_path: Path, form: str) -> None:
    (tmp_path / "bad.sgf").write_text(
        2 * ("(;FF[4]GM[1]SZ[19]" + ";KO[zz9]" * 650 + ")"), encoding="utf-8"
    )
    said = b"more findings than shown: %d errors left out"
    usual, few, all_ = (
        commands.run("check", "bad.sgf", "--format", form, *more, folder=tmp_path).stdout
        for more in ([], ["--max-diagnostics", "7"], ["--max-diagnostics", "0"])
    )

    assert said % 300 in usual
    assert said % 1293 in few
    assert (usual.count(b"V301"), few.count(b"V301"), all_.count(b"V301")) == (1000, 7, 1300)
    assert b"F006" not in all_
    if form in {"full", "concise"}:
        for one, fixable in ((usual, 1000), (few, 1000), (all_, 1300)):  # those listed have one
            assert one.endswith(
                b"\n1 file: 1300 errors\n%d fixable with --fix --unsafe-fixes\n" % fixable
            )
