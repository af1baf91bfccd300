"""Data flows one way: the page of the library has the packages by floors, and the imports obey."""

from __future__ import annotations

import re
from functools import cache
from graphlib import TopologicalSorter

from support.house import PACKAGE, Import, imports, modules, room

PAGE = (PACKAGE / "README.md").read_text(encoding="utf-8")

#: The rows of the table of packages, from the top floor to the ground.
ROWS = [
    re.findall(r"`(\w+)`", line.split("|")[1])
    for line in PAGE.partition("\n## Packages\n")[2].partition("\n## ")[0].splitlines()
    if line.startswith("| `")
]
FLOORS = {name: -floor for floor, row in enumerate(ROWS) for name in row}

TEXTS = modules()


@cache
def all_imports() -> list[Import]:
    return [*imports(TEXTS)]


def test_the_page_has_every_package_and_every_module_beside_them_on_one_floor() -> None:
    assert sorted(name for row in ROWS for name in row) == sorted({*map(room, TEXTS)})


def test_a_package_imports_only_packages_of_lower_floors() -> None:
    assert {
        f"{one.importer} imports {one.imported}"
        for one in all_imports()
        if room(one.importer) != room(one.imported)
        and FLOORS[room(one.importer)] <= FLOORS[room(one.imported)]
    } == set()


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
