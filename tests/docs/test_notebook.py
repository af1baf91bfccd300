"""A notebook that shows what users show: a board, a node, a game, a collection and a report."""

from __future__ import annotations

import os
from base64 import b64decode
from types import SimpleNamespace
from typing import Any

import pytest
from support.pages import harmless
from support.places import RECORDS, ROOT

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")
IPython = pytest.importorskip("IPython", reason="IPython is not installed")

CELLS = {
    "board": "import sgf_lark\nsgf_lark.Board('Go', 9).play('E5')",
    "node": (
        "games = sgf_lark.loads('(;FF[4]GM[1]SZ[9]PB[Aoki];B[ee];W[cc]C[Calm.](;B[gc])(;B[cg]))')\n"
        "games[0].at('2')"
    ),
    "diagram": "games[0].at('3').diagram(numbers='all')",
    "game": "games[0]",
    "page": "games[0].page()",
    "collection": f"sgf_lark.load({str(RECORDS / 'othello.ggf')!r}, strict=False)",
    "figures": "games[0].figures()",
    "figure": "games[0].figures()[0]",
    "position": "[*games[0].positions()][-1]",
    "markup": "games[0].page().html()",
    "picture": "games[0].board().svg()",
    "long node": "sgf_lark.loads(f'(;FF[4]GM[1]C[{\"long \" * 1000}])')[0].root",
    "archive": (
        "import tempfile\nfrom sgf_lark import archive\nfolder = tempfile.mkdtemp()\n"
        f"archive.build([{str(RECORDS)!r}], folder + '/a', jobs=1)\n"
        "built = archive.read(folder + '/a')\nbuilt"
    ),
    "table": "built.games",
    "statistics": "archive.stats(built)",
    "openings": "archive.openings(built, game='Go', size=19)",
    "answer": "built.sql('select * from games')",
    "report": "import io\nsgf_lark.check(io.StringIO('(;FF[4]GM[1]SZ[9];B[ee];W[ee])'))",
    "no board": "sgf_lark.loads('(;FF[4]GM[13]PB[A])')[0]",
    "no board in a collection": "sgf_lark.loads('(;FF[4]GM[13]PB[A])')",
    "no finding": "sgf_lark.check(io.StringIO('(;FF[4]GM[1]SZ[9])'))",
    "node without a board": "sgf_lark.loads('(;FF[4]GM[13]PB[A])')[0].root",
}


@pytest.fixture(scope="module")
def outputs() -> dict[str, dict[str, Any]]:
    """What each cell shows, by the kinds of content, as a kernel forms it."""
    shell = SimpleNamespace(display_formatter=IPython.core.formatters.DisplayFormatter())
    names: dict[str, Any] = {}
    shown = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IPython, "get_ipython", lambda: shell)
        for name, code in CELLS.items():
            *lines, last = code.splitlines()
            exec("\n".join(lines), names)  # noqa: S102  # our own
            value = eval(last, names)  # noqa: S307  # our own
            shown[name] = shell.display_formatter.format(value)[0]
    return shown


@pytest.mark.night
def test_a_kernel_shows_the_same(outputs: dict[str, Any]) -> None:
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(code) for code in CELLS.values()]
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    client = nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3")
    client.execute(env=environment)
    for name, cell in zip(CELLS, notebook.cells, strict=True):
        assert [one.output_type for one in cell.outputs] == ["execute_result"], (name, cell.outputs)
        assert cell.outputs[0].data.keys() == outputs[name].keys(), name
        for kind in ("image/svg+xml", "text/html"):
            if name not in {"archive", "table"}:  # which show the folder
                assert cell.outputs[0].data.get(kind) == outputs[name].get(kind), name


@pytest.mark.parametrize("name", ["board", "node", "diagram", "position", "long node"])
def test_a_notebook_shows_boards_as_pictures(outputs: dict[str, Any], name: str) -> None:
    page = harmless(outputs[name]["text/html"])  # which a notebook prefers to all other kinds
    (shown,) = page.named("img")

    assert outputs[name]["image/svg+xml"].startswith("<svg")
    assert page.named("svg") == []
    source = (shown.attributes["src"] or "").partition(",")[2]
    assert b64decode(source).decode() == outputs[name]["image/svg+xml"]


@pytest.mark.parametrize("name", ["game", "collection", "report"])
def test_what_has_several_boards_has_a_picture_of_one(outputs: dict[str, Any], name: str) -> None:
    assert outputs[name]["image/svg+xml"].startswith("<svg")


def test_what_has_no_board_has_no_picture(outputs: dict[str, Any]) -> None:
    for name in ("no board", "no board in a collection", "no finding"):
        assert {*outputs[name]} == {"text/html", "text/plain"}


@pytest.mark.parametrize(
    ("name", "text", "pictures"),
    [
        ("game", "Aoki vs. ?", 1),
        ("page", "Aoki vs. ?", 1),
        ("collection", "Othello", 2),
        ("report", "W[ee] (E5) is played on a black stone", 1),
        ("no board", "no board of Neutron: its points are not defined", 0),
        ("figures", "Figure 1 (1-3)", 1),
        ("figure", "Figure 1 (1-3)", 1),
        ("archive", "findings", 0),
        ("table", "game_id", 0),
        ("statistics", "Lengths by kind of game", 0),
        ("openings", "black_wins", 4),
        ("answer", "game_id", 0),
    ],
)
def test_a_notebook_shows_games_reports_and_archives_as_html(
    outputs: dict[str, Any], name: str, text: str, pictures: int
) -> None:
    page = harmless(outputs[name]["text/html"])

    assert text in page.text
    assert len(page.named("img")) == pictures


def test_no_text_beside_a_picture_is_long(outputs: dict[str, Any]) -> None:
    assert {name for name, shown in outputs.items() if len(shown["text/plain"]) > 2000} == set()


def test_a_notebook_shows_a_node_without_a_board_as_text(outputs: dict[str, Any]) -> None:
    assert {*outputs["node without a board"]} == {"text/plain"}
