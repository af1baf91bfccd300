"""The figures of the house do not get worse; what counts them counts right."""

import ast
from pathlib import Path

import pytest
from support.house import House, house, numbers

HOUSE = house()

#: What each figure is at most.  A change that makes one smaller lowers it here; one that makes
#: one larger says in its commit what that is for.
MOST = {
    "code lines": 48_880,
    "names defined in several modules": 0,
    "circles of modules": 0,
    "functions of one or two lines used once": 59,
    "places that ask which form a game has": 1,  # where data become nodes
    "lines of imports and signatures": 11_795,
    "docstring lines": 13_749,
    "functions": 4_542,
    "classes": 675,
}

#: The same of the walks: modules entered and changes of module.
MOST_IN_WALKS = {
    "valid load": (25, 163),
    "one wrong value": (39, 438),
    "a bracket missing": (36, 430),
    "a value": (6, 12),
    "board to SVG": (15, 122),
    "check": (50, 472),
}


def test_no_more_names_are_defined_in_several_modules() -> None:
    assert len(HOUSE.doubles()) <= MOST["names defined in several modules"], HOUSE.doubles()


def test_no_more_modules_import_each_other_in_a_circle() -> None:
    assert len(HOUSE.circles()) <= MOST["circles of modules"], HOUSE.circles()


def test_no_walk_enters_more_modules_or_changes_module_more_often() -> None:
    walks = HOUSE.walks()

    assert walks is not None
    assert walks.keys() == MOST_IN_WALKS.keys()
    worse = {
        what: counts
        for what, counts in walks.items()
        if any(map(int.__gt__, counts, MOST_IN_WALKS[what]))
    }
    assert worse == {}


def test_no_more_places_ask_which_form_a_game_has() -> None:
    asked = HOUSE.asked_forms()

    assert len(asked) <= MOST["places that ask which form a game has"], asked


@pytest.mark.night
def test_no_figure_of_the_house_is_larger() -> None:
    found = numbers(HOUSE)

    assert {what: found[what] for what in MOST if found[what] > MOST[what]} == {}


# ---- the counting ----


def built(folder: Path, **modules: str) -> House:
    """A package ``tiny`` of some modules."""
    package = folder / "tiny"
    package.mkdir()
    for name, text in {"__init__": "", **modules}.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    return House(package)


def test_code_lines_are_those_without_docstrings_comments_and_blanks(tmp_path: Path) -> None:
    tiny = built(
        tmp_path,
        a='"""Some\n\nlines."""\n\n# A comment.\nX = (\n    1,  # one\n\n    # none\n    2,\n)\n',
        b='def f():\n    """A line."""\n    return """two\nlines"""\n\n\nclass C:\n    """C."""\n',
    )

    assert tiny.code_lines() == 4 + 3 + 1
    assert tiny.docstring_lines() == 3 + 1 + 1


def test_imports_and_signatures_are_the_frame_of_the_code(tmp_path: Path) -> None:
    tiny = built(
        tmp_path,
        a=(
            "import re\nfrom x import (\n    # none\n    y,\n)\n\n\n"
            "@cache\ndef f(\n    one: int,\n) -> int:\n    '''Docs.'''\n    return one\n\n\n"
            "class C: ...\n\n\nclass D:\n    x = 1\n"
        ),
    )

    assert tiny.lines_of_frame() == 1 + 3 + 3 + 1 + 1
    assert (tiny.defined(ast.ClassDef), tiny.defined(ast.FunctionDef)) == (2, 1)


def test_a_place_that_asks_for_the_form_of_a_game_is_seen(tmp_path: Path) -> None:
    tiny = built(
        tmp_path,
        a="x = isinstance(game, Tape)\ny = isinstance(game, (str, model.Nodes))\n",
        b="class C:\n    def __eq__(self, other):\n        return isinstance(other, Nodes)\n",
        c="x = isinstance(game, str)\ny: Tape\n",
    )

    assert tiny.asked_forms() == [
        "a:1 isinstance(game, Tape)",
        "a:2 isinstance(game, (str, model.Nodes))",
    ]


def test_names_are_those_of_classes_and_aliases_of_several_modules(tmp_path: Path) -> None:
    tiny = built(
        tmp_path,
        a="class Part: ...\nclass _Kept: ...\nclass Alone: ...\nPlace: TypeAlias = int\nX = 1\n",
        b="class _Kept: ...\nPart: TypeAlias = str\nif TYPE_CHECKING:\n    class Alone: ...\n",
        c="Place: typing.TypeAlias = str\nX = 2\nY: int = 1\nclass Part: ...\nclass Part: ...\n",
        d="from a import Alone\ndef Place(): ...\nY: int = 2\n",
    )

    assert tiny.doubles() == {"Part": ["a", "b", "c"], "Place": ["a", "c"], "_Kept": ["a", "b"]}


@pytest.mark.parametrize(
    "late",
    [
        "from .a import x",
        "import tiny.a",
        "def f():\n    from . import a\n",
        "if TYPE_CHECKING:\n    from tiny.a import x\n",
        "def f():\n    return import_module('.a', __package__).x\n",
        "def f():\n    return importlib.import_module('tiny.a')\n",
    ],
)
def test_a_circle_is_closed_by_each_kind_of_import(tmp_path: Path, late: str) -> None:
    assert built(tmp_path, a="from . import b\n", b="from .c import x\n", c=late).circles() == [
        ["a", "b", "c"]
    ]


@pytest.mark.parametrize("text", ["", "from .b import x", "import_module(name)", "x = '.a'"])
def test_no_circle_is_seen_where_there_is_none(tmp_path: Path, text: str) -> None:
    assert built(tmp_path, a="from . import c\n", b="", c=text).circles() == []


def test_functions_used_once_are_those_of_two_lines_at_most(tmp_path: Path) -> None:
    tiny = built(
        tmp_path,
        a=(
            "def one():\n    '''Docs.'''\n    return 1\n\n"
            "def two():\n    x = 1\n    return x\n\n"
            "def three():\n    x = 1\n    y = 2\n    return x + y\n\n"
            "def often():\n    return one()\n\n"
            "@cache\ndef kept():\n    return 2\n\n"
            "def unused():\n    return kept()\n\n"
            "class C:\n    def method(self):\n        return often()\n\n"
            "    def __len__(self):\n        return 1\n"
        ),
        b=(
            "from .a import two\n\nX = [two, three, often()]\n"
            "Y = C().method()\nZ = y.__len__\n"
            "def public():\n    return 1\n\nP = public()\n"
        ),
    )
    (tiny.folder / "__init__.pyi").write_text("from .b import public as public\n", encoding="utf-8")

    assert tiny.one_use() == ["a:1 one", "a:5 two", "a:25 method"]


#: A package whose reader goes through another module, the standard library and back.
TINY = {
    "__init__": (
        "from .read import Game, loads\n"
        "class Games(list):\n    diagnostics = ()\n"
        "def check(file):\n    return loads(file.read_text())\n"
    ),
    "read": (
        "from . import values\n"
        "class Game:\n"
        "    root = {'KM': 1}\n"
        "    def board(self, node):\n        return values.Board()\n"
        "def loads(text, strict=True):\n"
        "    from . import Games\n"
        "    return Games(sorted([Game()], key=values.number))\n"
    ),
    "values": (
        "class Board:\n    def svg(self):\n        return ''\n"
        "def number(game):\n    return twice(0)\n"
        "def twice(number):\n    return 2 * number\n"
    ),
}


def test_walks_count_modules_entered_and_changes_of_module(tmp_path: Path) -> None:
    assert built(tmp_path, **TINY).walks() == {
        "valid load": (2, 3),
        "one wrong value": (2, 3),
        "a bracket missing": (2, 3),
        "a value": (0, 0),
        "board to SVG": (2, 2),
        "check": (3, 5),
    }


def test_a_package_that_cannot_be_imported_has_no_walks(tmp_path: Path) -> None:
    assert built(tmp_path, a="").walks() is None
