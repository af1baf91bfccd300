"""What is built: wheel and sdist hold everything that the program reads when it runs."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import NamedTuple

import pytest
from support import wheel
from support.hooks import PROJECT
from support.places import ROOT
from support.readmes import GUIDES, QUESTIONS

from sgf_lark import __version__
from sgf_lark.site.build import OUTSIDE

GRAMMARS = sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("grammars/**/*.lark"))
CATALOGUE = sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("sgf_lark/**/*.toml"))
assert "sgf_lark/core/findings/catalogue/file.toml" in CATALOGUE
MODULES = sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("sgf_lark/**/*.py"))
MODULES += [file.relative_to(ROOT).as_posix() for file in ROOT.glob("sgf_lark/**/*.pyi")]
PAGE = sorted(
    file.relative_to(ROOT).as_posix()
    for file in ROOT.glob("sgf_lark/workbench/**/*.*")
    if file.suffix in {".html", ".css", ".js", ".json", ".txt"}
)
assert {"sgf_lark/workbench/playground.html", "sgf_lark/workbench/editor/codemirror.js"} <= {*PAGE}
READMES = [
    "README.md",
    *sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("[gst]*/**/*.md")),
]
assert {"grammars/README.md", QUESTIONS, "tests/benchmarks/README.md"} <= {*READMES}
assert {"grammars/ff4.lark", "grammars/games/go.lark"} <= {*GRAMMARS}

#: The most bytes of a wheel: a file that does not belong there is large, a feature is not.
MOST_BYTES = 2_000_000

#: Files of tests/conformance to which its pages link.
LINKED = ("cases.py", "cases/clauses.tsv", "cases/chapters.txt")

#: Both packages are built, which takes seconds.
pytestmark = [pytest.mark.night, pytest.mark.must]


class Built(NamedTuple):
    """The files in each package, and the folder where the wheel is unpacked."""

    wheel: set[str]
    sdist: set[str]
    unpacked: Path
    packages: wheel.Built


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both packages, built once."""
    folder = tmp_path_factory.mktemp("dist")
    packages = wheel.build(folder)
    with zipfile.ZipFile(packages.wheel) as archive:
        inside = {*archive.namelist()}
        archive.extractall(folder / "unpacked")  # noqa: S202  # of this project
    with tarfile.open(packages.sdist) as sdist:
        files = {one.name.partition("/")[2] for one in sdist}
        return Built(inside, files, folder / "unpacked", packages)


def test_both_packages_hold_every_grammar(built: Built) -> None:
    inside = {f"sgf_lark/core/grammar/files/{one.removeprefix('grammars/')}" for one in GRAMMARS}

    assert inside - built.wheel == set()
    assert {*GRAMMARS} - built.sdist == set()


def test_both_packages_hold_every_module_and_table(built: Built) -> None:
    files = {
        *MODULES,
        *CATALOGUE,
        "sgf_lark/core/schema/properties.tsv",
        "sgf_lark/core/findings/catalogue/README.md",
        *(name for name in READMES if name.startswith(GUIDES)),
        "sgf_lark/report/private.tsv",
        "sgf_lark/py.typed",
        "sgf_lark/__init__.pyi",
        *PAGE,
    }

    assert files - built.wheel == set()
    assert files - built.sdist == set()


#: Reads, judges and checks games where nothing can be derived.
READ = """
import sys, lark
from sgf_lark.core.engine import generator
from sgf_lark.workbench.typed import TypedProperties
def fail(*arguments, **options):
    raise AssertionError(arguments)
lark.Lark.__init__ = generator.generate = TypedProperties._derived = fail
import sgf_lark
from sgf_lark.core.api.load import check_contents
assert sgf_lark.__file__.startswith(sys.argv[1]), sgf_lark.__file__
for text in sys.argv[2:]:
    games = sgf_lark.loads(text, strict=False)
    values = [prop.values for game in games for node in game for prop in node.properties]
    print(games[0].game_name, len(values), *(one.code for one in games.diagnostics))
    check_contents(text, "a.sgf")
"""

#: Games of all formats on usual boards, and what is printed of them.
GAMES = {
    "(;FF[4]GM[1]SZ[19]DT[2020-01-02]RE[B+3.5]KM[6.5];B[pd]BL[9.5];W[dp];AB[aa:bb])": "Go 10",
    "(;FF[4]GM[1]SZ[9]PB[A]PW[B];B[ee];W[aa]C[hello]LB[aa:x];AW[bb])": "Go 10",
    "(;FF[3]GM[1]SZ[13]PB[A]PW[B];B[ee];W[tt])": "Go 7",
    "(;FF[4]GM[11]PB[A]PW[B];B[a1])": "Hex 5",
    "(;FF[4]GM[6]PB[A]PW[B];B[52lqac])": "Backgammon 5",
    f"(;GM[Othello]TY[8]BO[8 {'-' * 27}O*------*O{'-' * 27} *]B[D3//1.5]W[C5];)": "Othello 5",
}


def test_a_process_of_the_wheel_derives_nothing(built: Built) -> None:
    folder = str(built.unpacked)
    assert "sgf_lark/core/grammar/derived.data" in built.wheel
    done = subprocess.run(  # noqa: S603  # this Python
        [sys.executable, "-c", READ, folder, *GAMES],
        env={**os.environ, "PYTHONPATH": folder},
        cwd=built.unpacked,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )

    assert done.stderr == ""
    assert done.stdout.splitlines() == [*GAMES.values()]


def test_the_wheel_has_the_files_of_the_package_the_grammars_and_what_is_derived(
    built: Built,
) -> None:
    folders = {"sgf_lark": "sgf_lark", "grammars": "sgf_lark/core/grammar/files"}
    files = {
        f"{place}/{file.relative_to(ROOT / folder).as_posix()}"
        for folder, place in folders.items()
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
        if not file.name.startswith("derived.data")
    }

    inside = {name for name in built.wheel if ".dist-info/" not in name}
    linked = (f"tests/conformance/{name}" for name in LINKED)
    of_site = {f"sgf_lark/site/checkout/{name}" for name in (*OUTSIDE, "LICENSE", *linked)}
    assert inside == files | of_site | {"sgf_lark/core/grammar/derived.data"}


def test_the_wheel_is_small(built: Built) -> None:
    assert built.packages.wheel.stat().st_size < MOST_BYTES


def test_the_metadata_has_licences_bill_of_materials_and_readme(built: Built) -> None:
    folder = built.unpacked / f"sgf_lark-{__version__}.dist-info"
    editor = ROOT / "sgf_lark" / "workbench" / "editor"
    about = message_from_bytes((folder / "METADATA").read_bytes())

    for file in ("LICENSE", "sgf_lark/workbench/editor/LICENSES.txt"):
        assert (folder / "licenses" / file).read_bytes() == (ROOT / file).read_bytes()
    bill = (folder / "sboms" / "editor.cdx.json").read_bytes()
    assert bill == (editor / "editor.cdx.json").read_bytes()
    assert about["License-Expression"] == "MIT"
    assert about["Author"] in (folder / "licenses" / "LICENSE").read_text(encoding="utf-8")
    assert about.get_payload(decode=True) == readme_of_an_index_page().encode()


@pytest.mark.parametrize("checker", ["twine check --strict", "check_wheel_contents"])
def test_programs_that_check_packages_find_nothing(built: Built, checker: str) -> None:
    files = [*built.packages] if checker.startswith("twine") else [built.packages.wheel]
    done = subprocess.run(  # noqa: S603  # of the test environment
        [sys.executable, "-m", *checker.split(), *map(str, files)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )

    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_the_sdist_holds_the_tests_and_what_they_read(built: Built) -> None:
    tests = {"tests/records/go.sgf", "tests/docs/test_readme.py"}

    assert {*tests, *READMES, "CHANGELOG.md", "LICENSE"} - built.sdist == set()


def test_the_sdist_holds_no_file_of_a_tool(built: Built) -> None:
    hidden = {name for name in built.sdist if re.search(r"(^|/)\.|__pycache__", name)}

    assert hidden == {".pre-commit-hooks.yaml"}  # tests read it


# ---- names and addresses ----


def readme_of_an_index_page() -> str:
    """The README as the metadata have it."""
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    from sgf_lark.workbench.build_hook import LinkingHook

    metadata = {"urls": PROJECT["urls"]}
    LinkingHook(str(ROOT), {}).update(metadata)
    return str(metadata["readme"]["text"])


def test_links_of_an_index_page_lead_to_the_files_of_the_repository() -> None:
    text, address = readme_of_an_index_page(), PROJECT["urls"]["Repository"]
    links = re.findall(r"\]\(([^;)]+)\)", text)
    inside = [link.removeprefix(f"{address}/") for link in links if link.startswith(address)]

    assert len(inside) > 20
    assert all(link.startswith("https://") for link in links)
    for link in inside:
        kind, path = re.fullmatch(r"(blob|raw)/HEAD/([^#]+)(?:#.*)?", link).groups()  # type: ignore[union-attr]
        assert (kind == "raw") == path.endswith(".svg"), link
        assert (ROOT / path).is_file(), link
    assert text.replace(f"{address}/blob/HEAD/", "").replace(f"{address}/raw/HEAD/", "") == (
        ROOT / "README.md"
    ).read_text(encoding="utf-8")


def test_the_repository_has_one_address_everywhere() -> None:
    address = PROJECT["urls"]["Repository"]
    pages = [ROOT / "pyproject.toml", *(ROOT / name for name in READMES)]
    named = {
        (page.name, found)
        for page in pages
        for found in re.findall(r"https://[\w.-]+/[\w-]+/sgf_lark\b", page.read_text("utf-8"))
    }

    assert len(named) > 1
    assert [(page, found) for page, found in named if found != address] == []
    assert all(url.startswith(address) for url in PROJECT["urls"].values())


def packages_of(extra: str) -> set[str]:
    """The packages of an extra, with those of the extras that it names."""
    names = set[str]()
    for line in PROJECT["optional-dependencies"][extra]:
        name, _, inside = line.partition("[")
        names |= packages_of(inside.rstrip("]")) if inside else {re.split(r"[<>=]", name)[0]}
    return names


def test_a_message_on_missing_packages_names_their_extra_and_how_to_install_it() -> None:
    texts = [(ROOT / module).read_text(encoding="utf-8") for module in MODULES]
    messages = [
        found
        for text in texts
        for found in re.findall(r'\(extra (\w+)\):(?:"\s+")?  pip install ([^"\n]+)', text)
    ]

    assert len(messages) >= 12
    assert len(messages) == sum(text.count("  pip install ") for text in texts)
    for extra, words in messages:
        assert words == f"'sgf_lark[{extra}]'"
        assert packages_of(extra)
