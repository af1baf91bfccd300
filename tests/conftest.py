"""What tests of several files share."""

# ruff: noqa: E402  # the assertions of helpers are rewritten from their first import on

import gc
import os
import signal
from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("support", "corpus")

# The collection of ten thousand tests makes objects that stay: see pytest_collection_finish.
gc.disable()

# No report is kept but where a test says so.
os.environ["SGF_LARK_CACHE"] = ""

from support import archives, lanes
from support.lanes import every_other
from support.quick_lexers import compare_terminals_if_strict

from sgf_lark.core.api import load as api
from sgf_lark.core.fix import registry as fixes
from sgf_lark.core.grammar import derived, grammars
from sgf_lark.core.schema.formats import Engine


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lanes")
    group.addoption("--lot", type=float, metavar="SECONDS", help="draw tests for CPU seconds")
    group.addoption("--seed", type=int, metavar="N", help="repeat the night, or lot, of this seed")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Share tests among the cores, unless somebody asks for a few of them by name."""
    lanes.draw_seed(config)
    is_worker = hasattr(config, "workerinput")
    if is_worker or not config.pluginmanager.has_plugin("xdist"):
        return
    by_name = config.args_source is not pytest.Config.ArgsSource.TESTPATHS or config.option.keyword
    if config.option.numprocesses is None and not by_name:
        config.option.numprocesses = "auto"
    if config.option.numprocesses and config.option.dist == "no":
        config.option.dist = (
            "worksteal"  # neighbours on one core: what a module shares is made once
        )


def pytest_configure(config: pytest.Config) -> None:
    lanes.choose(config)
    if config.option.lot:
        config.pluginmanager.register(lanes.Lot(config), "lot")
    compare_terminals_if_strict()
    # What is derived from the grammars is derived by the code under test, which tests may change;
    # the processes that they start share what lies beside the package.
    derived.use(grammars.folder(), derived.DerivedData(None, lambda: None, keeps=False))


def pytest_report_header(config: pytest.Config) -> str | None:
    return f"repeat with: --seed {config.option.seed}" if config.option.seed is not None else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    config = terminalreporter.config
    if terminalreporter.stats.get("failed") and config.option.seed is not None:
        terminalreporter.write_line(f"repeat with: --seed {config.option.seed}")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(obj: object) -> list[pytest.Item] | None:
    """By day the tests of the night are not even made."""
    marks = getattr(obj, "pytestmark", ())
    return [] if lanes.is_without_night() and any(one.name == "night" for one in marks) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Some tests are in both lanes, with more to do by night."""
    if lot := config.pluginmanager.get_plugin("lot"):
        lot.shuffle(items)
    if lanes.is_night():
        for item in items:
            of_hypothesis = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
            if of_hypothesis or item.get_closest_marker("both_lanes"):
                item.add_marker("night")
            item.add_marker(pytest.mark.timeout(lanes.NIGHT_SECONDS))


def pytest_collection_finish() -> None:
    """Ten thousand tests are objects that stay: the garbage collector need not visit them."""
    gc.collect()
    gc.freeze()
    gc.enable()


def _read_by(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api, "Engine", lambda _: Engine(request.param))
        yield


@pytest.fixture(scope="module", params=every_other(["generated", "lark"]))
def both_engines(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test of the module runs twice: by day all texts are read by one engine, by night by
    the other.
    """
    yield from _read_by(request)


@pytest.fixture(autouse=True, scope="session")
def _ctrl_c_interrupts() -> Iterator[None]:
    """Ctrl-C interrupts tests and their commands, also where the tests run in the background.

    A shell lets such a job ignore SIGINT, and so does every process that the job starts.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True, scope="session")
def _fixers_that_fail_are_seen() -> None:
    """A fixer that fails offers no fix; tests want to know of it."""
    fixes.GUARDED = False


@pytest.fixture(scope="module")
def one_database() -> Iterator[None]:
    """Queries of the module share one DuckDB."""
    with pytest.MonkeyPatch.context() as patch:
        archives.OneDatabase.use(patch)
        yield
