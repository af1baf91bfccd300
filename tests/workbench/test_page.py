"""The playground as a folder without a server of ours: what is in it, and that it answers."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pydantic
import pydantic_core
import pytest
from click.testing import CliRunner
from support.browser import CHROMIUM, Browser, opened
from support.firefox import FIREFOX, opened as firefox_opened
from support.golden_small import read_small, short, small_texts
from support.places import ROOT
from support.play_page import answered, choose, open_tab, status, visit
from support.said import unsaid

from sgf_lark.cli.main import app
from sgf_lark.workbench import page
from sgf_lark.workbench.answers import answer, list_examples

#: Names a folder with node_modules/pyodide and the wheels: the tests by night need it.
VARIABLE = "SGF_LARK_PYODIDE"

CORE = f"pydantic_core-{pydantic_core.__version__}-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


# ---- what is written, and what is refused ----


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder with all that is needed, but empty."""
    runtime = tmp_path / "node_modules" / "pyodide"
    runtime.mkdir(parents=True)
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (runtime / name).touch()
    for name in ("pyodide-lock.json", "README.md"):
        (runtime / name).touch()
    (runtime / "package.json").write_text('{"version": "314.0.7"}', encoding="utf-8")
    for name in ("annotated_types", "interegular", "lark", "pathspec", "railroad_diagrams"):
        (tmp_path / f"{name}-1-py3-none-any.whl").touch()
    for name in ("typing_extensions", "typing_inspection"):
        (tmp_path / f"{name}-1-py3-none-any.whl").touch()
    (tmp_path / f"pydantic-{pydantic.VERSION}-py3-none-any.whl").touch()
    (tmp_path / CORE).touch()
    return tmp_path


def test_the_folder_holds_page_runtime_wheels_and_this_package(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "derive_all", lambda file: file.write_text("derived"))
    target = tmp_path / "site"
    page.export_page(target, source, {"grammar": "g", "text": "</script>", "start": ""})

    text = (target / "index.html").read_text(encoding="utf-8")
    assert "script-src 'self' 'wasm-unsafe-eval'; " in text
    assert r'"text": "\u003c/script>"' in text
    sizes = json.loads((target / "files.json").read_text(encoding="utf-8"))
    assert sizes["packages/sgf_lark.zip"] == (target / "packages" / "sgf_lark.zip").stat().st_size
    assert {f"packages/{CORE}", "pyodide/pyodide.asm.wasm"} < sizes.keys()
    with ZipFile(target / "packages" / "sgf_lark.zip") as archive:
        names = archive.namelist()
        assert archive.read("sgf_lark/core/grammar/derived.data") == b"derived"
    assert {"sgf_lark/__init__.py", "sgf_lark/core/grammar/files/games/go.lark"} < {*names}
    assert len(names) == len({*names})
    assert not [name for name in names if "__pycache__" in name]
    for ours in ("index.html", "playground.js", "playground.css", "worker.mjs", "python.mjs"):
        content = (target / ours).read_text(encoding="utf-8")
        assert not re.findall(r"(?:src|href|from|fetch)[=(\s]+[\"'](?:https?:)?//", content)


@pytest.mark.parametrize(
    ("break_", "message"),
    [
        (lambda one: (one / CORE).rename(one / CORE.replace("2026_0", "2027_0")), f"lacks {CORE}:"),
        (
            lambda one: (one / "node_modules/pyodide/package.json").write_text('{"version": "1"}'),
            "has Pyodide 1, needed is 314.0.7:  npm install --prefix",
        ),
        (lambda one: shutil.rmtree(one / "node_modules"), "has Pyodide none, needed is"),
        (
            lambda one: (one / f"pydantic-{pydantic.VERSION}-py3-none-any.whl").unlink(),
            f"lacks pydantic-{pydantic.VERSION}-.*:  pip download --dest",
        ),
        (lambda one: (one / "site/mine").mkdir(parents=True), "site is not empty"),
    ],
    ids=["interface", "version", "no runtime", "pydantic", "target"],
)
def test_what_does_not_fit_is_refused(source: Path, break_: Any, message: str) -> None:
    break_(source)

    with pytest.raises(ValueError, match=message):
        page.export_page(source / "site", source)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--export", "a"], "--export and --pyodide need each other"),
        (["--pyodide", "a"], "--export and --pyodide need each other"),
        (["--export", "a", "--pyodide", "b", "--port", "1"], "--port is for the server: "),
        (["--export", "a", "--pyodide", "b"], "b lacks annotated_types-*.whl, "),
    ],
)
def test_the_command_says_what_is_missing(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["play", *arguments])

    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {message}")
    assert [*tmp_path.iterdir()] == []


# ---- Python in Node and in a browser ----


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command writes."""
    if VARIABLE not in os.environ:
        pytest.skip(f"{VARIABLE} names no folder with node_modules/pyodide and the wheels")
    target = tmp_path_factory.mktemp("play") / "site"
    command = [sys.executable, "-m", "sgf_lark", "play", "--export", str(target)]
    subprocess.run([*command, "--pyodide", os.environ[VARIABLE]], check=True, timeout=100)  # noqa: S603
    return target


#: Python in Node is that of the page, from files.
LOAD = """
import { readFileSync } from "node:fs";
const [folder, questions, tests] = process.argv.slice(1);
const { begin, load } = await import("file://" + folder + "/python.mjs");
const bytes = async name => new Uint8Array(readFileSync(folder + "/" + name));
"""

ANSWER = """
const answer = await begin(bytes);
const answers = JSON.parse(readFileSync(questions)).map(one => answer(JSON.stringify(one)));
console.log(JSON.stringify(answers));
"""

#: What the golden record has of a text: findings, fixes, conversions, JSON, boards, pictures.
SAY = """
const python = await load(bytes);
python.FS.mkdir("/tests");
python.mountNodeFS("/tests", tests);
console.log(python.runPython(`
import json, sys, types
sys.path.insert(0, "/tests")
sys.modules["support.corpus"] = types.ModuleType("corpus")  # it imports pytest
from support.golden_kinds import say
from support.golden_texts import Text
def tell(questions):
    texts = [Text(name, bytes.fromhex(data), of) for name, data, of in json.loads(questions)]
    said = {text.name: {each.kind: each.output for each in say(text)} for text in texts}
    return json.dumps([sys.version_info[:2], said])
tell`)(readFileSync(questions, "utf8")));
"""


def run_in_node(program: str, site: Path, folder: Path, questions: object) -> Any:
    """Return what a program prints as JSON."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node: apt-get install nodejs")
    file = folder / "questions.json"
    file.write_text(json.dumps(questions), encoding="utf-8")
    command = [node, "--input-type=module", "-e", LOAD + program, site, file, ROOT / "tests"]
    done = subprocess.run([*map(str, command)], capture_output=True, check=True, timeout=300)  # noqa: S603
    return json.loads(done.stdout)


GB = "(;FF[4]CA[GB18030]PB[\u672c\u56e0\u574a])".encode("gb18030")

VIEWS = ("findings", "diagram", "board", "cases", "steps", "sample")


@pytest.mark.night
def test_answers_in_node_are_those_of_this_python(site: Path, tmp_path: Path) -> None:
    questions: list[dict[str, Any]] = [
        {key: one[key] for key in ("grammar", "text", "start", "cases")}
        | {"view": view, "place": 60}
        for one in list_examples()
        for view in VIEWS
    ]
    questions += [{"grammar": "", "text": b64encode(GB).decode(), "view": "open"}]
    questions += [{"grammar": "", "text": "\u672c", "view": "save", "encoding": "gb18030"}]
    questions += [{"grammar": "start:", "text": ""}, {"grammar": 'start: "a"', "text": "(" * 3000}]
    answers = run_in_node(ANSWER, site, tmp_path, questions)

    here = [json.loads(json.dumps(answer(**question))) for question in questions]
    assert [json.loads(one) for one in answers] == here


@pytest.mark.night
def test_python_3_14_says_of_the_samples_and_the_catalogue_what_is_recorded(
    site: Path, tmp_path: Path
) -> None:
    texts = [(one.name, one.data.hex(), one.format) for one in small_texts()]
    version, said = run_in_node(SAY, site, tmp_path, texts)
    known = read_small()

    assert version == [3, 14]
    assert [*said] == [name for name, *_ in texts]
    assert [
        (name, kind, output)
        for name, kinds in said.items()
        for kind, output in kinds.items()
        if short(output) != known[name][kind]
    ] == []


class Quiet(SimpleHTTPRequestHandler):
    """It says nothing of what it serves."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of the folder, served by a server that knows nothing of it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    with served(site) as url, opened(tmp_path_factory.mktemp("profile"), url) as one:
        one.wait_for("document.body && document.body.dataset.answered")
        yield one


@pytest.mark.night
def test_the_folder_answers_in_a_browser(browser: Browser) -> None:
    choose(browser, "A game of SGF FF[4]")

    assert status(browser) == "the grammar accepts the text"
    assert unsaid(open_tab(browser, "findings"), "error V301: ", "'6,5'", "KM") == []
    assert open_tab(browser, "board") == "Go 19x19 after move 4"
    assert open_tab(browser, "diagram").startswith("collection")
    asked = [url for url in browser.requests if not url.startswith("data:")]
    assert len({url.split("/")[2] for url in asked}) == 1
    assert {"worker.mjs", "pyodide.asm.wasm", CORE} <= {url.split("/")[-1] for url in asked}
    assert browser.complaints == []


@pytest.mark.night
def test_an_endless_pattern_ends_with_its_worker_and_a_spare_one_takes_over(
    browser: Browser,
) -> None:
    choose(browser, "A roll of backgammon")
    workers = "performance.getEntriesByType('resource').filter(one => /worker/.test(one.name))"
    browser.wait_for(f"{workers}.length === 2")
    # the lookahead hides from lint that both ways read "aa"
    slow = {"grammar": "start: /(?:(?=a)a|aa)+b|a+/\n", "text": "a" * 60}
    packed = zlib.compress(json.dumps(slow).encode(), wbits=-zlib.MAX_WBITS)
    link = urlsafe_b64encode(packed).decode().rstrip("=")
    answered(browser, f"location.hash = '{link}'")
    assert status(browser).startswith("the grammar takes more than 1")

    choose(browser, "Moves of Go")
    assert status(browser) == "the grammar accepts the text"


@pytest.mark.night
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
@pytest.mark.parametrize("program", ["chromium", "firefox-esr"])
def test_a_visit_of_the_folder_works(
    program: str, width: int, height: int, site: Path, tmp_path: Path
) -> None:
    if (CHROMIUM if program == "chromium" else FIREFOX) is None:
        pytest.skip(f"there is no {program}: apt-get install {program}")
    begin = opened if program == "chromium" else firefox_opened
    with served(site) as url, begin(tmp_path, url) as one:
        one.resize(width, height)
        one.wait_for("document.body && document.body.dataset.answered")
        visit(one, tmp_path)
        names = {asked.split("/")[-1] for asked in one.requests}
        assert {"worker.mjs", "pyodide.asm.wasm", CORE} <= names


def seconds_of_processes() -> float:
    """The CPU seconds of this process and of those that it has started, and so on."""
    parents: dict[str, list[str]] = {}
    used: dict[str, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            fields = file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            parents.setdefault(fields[1], []).append(file.parent.name)
            used[file.parent.name] = sum(map(int, fields[11:15]))
    ours = [str(os.getpid())]
    for one in ours:  # grows
        ours += parents.get(one, [])
    return sum(used.get(one, 0) for one in ours) / os.sysconf("SC_CLK_TCK")


@pytest.mark.night
def test_the_folder_is_small_and_soon_ready(site: Path, tmp_path: Path) -> None:
    if CHROMIUM is None or not Path("/proc/self/stat").exists():
        pytest.skip("there is no Chromium, or no /proc: apt-get install chromium")
    files = (file.read_bytes() for file in site.rglob("*") if file.is_file())
    megabytes = sum(len(gzip.compress(file)) for file in files) / 1e6
    before = seconds_of_processes()
    with served(site) as url, opened(tmp_path, url) as one:
        one.wait_for("document.body && document.body.dataset.answered")
        ready = seconds_of_processes() - before
        answers = []
        for name in ("A roll of backgammon", "Moves of Go", "Moves of Hex", "Records with braces"):
            before = seconds_of_processes()
            choose(one, name)
            answers.append(seconds_of_processes() - before)
    later = statistics.median(answers)
    print(f"{megabytes:.1f} MB, CPU seconds: {ready:.1f} to the first answer, then {later:.2f}")  # noqa: T201  # pytest -s

    assert megabytes <= 11
    assert ready <= 12
    assert later <= 0.3
