"""Data flows one way: the page of the rooms has them by floors, and the imports obey."""

from __future__ import annotations

import re
from functools import cache
from graphlib import TopologicalSorter

from support.house import PACKAGE, Import, imports, modules, room
from support.places import ROOT
from support.readmes import GUIDES

from sgf_lark.core.lazy import read_homes

PAGE = (PACKAGE / "README.md").read_text(encoding="utf-8")
NAMES = (ROOT / GUIDES / "names.md").read_text(encoding="utf-8")

#: The rows of the table of rooms, from the top floor to the ground.
ROWS = [
    re.findall(r"`(\w+)`", line.split("|")[1])
    for line in PAGE.partition("\n## Rooms\n")[2].partition("\n## ")[0].splitlines()
    if re.match(r"\| \[?`", line)
]
FLOORS = {name: -floor for floor, row in enumerate(ROWS) for name in row}

TEXTS = modules()


@cache
def all_imports() -> list[Import]:
    return [*imports(TEXTS)]


def test_the_page_has_every_room_and_every_module_beside_them_on_one_floor() -> None:
    assert sorted(name for row in ROWS for name in row) == sorted({*map(room, TEXTS)})


def test_a_room_imports_only_rooms_of_lower_floors() -> None:
    assert {
        f"{one.importer} imports {one.imported}"
        for one in all_imports()
        if room(one.importer) != room(one.imported)
        and FLOORS[room(one.importer)] <= FLOORS[room(one.imported)]
    } == set()


def test_other_rooms_import_the_names_of_the_face_of_the_core_only() -> None:
    importers = [name for name in TEXTS if room(name) not in {"core", "__init__"}]
    inside = re.compile(r"^ *(?:from|import) (?:sgf_lark)?\.core\.\S*", re.MULTILINE)

    assert [(name, found) for name in importers for found in inside.findall(TEXTS[name])] == []


def test_every_name_of_the_face_is_used_by_another_room_or_public() -> None:
    face = read_homes("sgf_lark.core")
    used = re.compile(r"^ *from (?:sgf_lark)?\.core import (\([^)]*\)|.*)", re.MULTILINE)
    stub = (PACKAGE / "__init__.pyi").read_text(encoding="utf-8")
    texts = [stub, *(text for name, text in TEXTS.items() if room(name) != "core")]
    names = {
        name.strip().partition(" ")[0]
        for text in texts
        for found in used.findall(text)
        for name in re.sub(r"#.*", "", found).strip("()\n").split(",")
    }

    names |= {
        *re.findall(
            r"`(\w+)`", NAMES.partition("names of `sgf_lark.core` |")[2].partition("\n\n")[0]
        )
    }

    assert {*face} - names == set()
    assert names - {*face} <= {"", "late", "iter_games", "load_many"}


def test_modules_import_each_other_in_no_circle() -> None:
    below: dict[str, set[str]] = {}
    for one in all_imports():
        below.setdefault(one.importer, set()).add(one.imported)

    TopologicalSorter(below).prepare()  # names the circle, if there is one


def test_only_the_playground_opens_connections() -> None:
    network = re.compile(
        r"^ *(?:import|from) (?:socket|ssl|http|ftplib|smtplib|requests|urllib3|urllib\.request)\b"
        r"|^ *from urllib import .*\brequest\b",
        re.MULTILINE,
    )

    assert [name for name, text in TEXTS.items() if network.search(text)] == [
        "workbench.playground"
    ]
