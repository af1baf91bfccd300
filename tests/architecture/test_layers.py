"""Data flows one way: a package imports only packages below it."""

import ast
import re

from support.house import house

from sgf_lark import late
from sgf_lark.boards.board import STATES
from sgf_lark.names import read_homes

#: The packages by floors, from the foundation to the doors.  Those of one floor do not import
#: each other, but for a package and its own subfolder.
LAYERS = (
    {"schema", "engine"},
    {"pictures", "pictures.pages", "pictures.shapes"},
    {"findings"},
    {"settings"},
    {"boards", "boards.games", "text", "grammar"},
    {"values"},
    {"model", "model.positions", "report"},
    {"read"},
    {"check", "check.games", "write"},
    {"fix", "convert"},
    {"api"},
    {"archive", "archive.queries", "archive.records", "archive.rows"},
    {"workbench"},
    {"server"},
    {"site"},
    {"cli", "cli.commands", "cli.commands.archive"},
)
#: Modules at the top that everybody may import; the others at the top import everybody.
LEAVES = {"_version", "late", "memo", "names", "places", "reach"}

#: Packages whose methods call functions of higher modules; the registry of rules asks for all.
CALL_LATE = {"boards", "findings", "model", "pictures", "pictures.pages"}

#: Modules that know Lark's own classes of grammars and failures.
KNOW_LARK = {
    *("grammar.loader", "grammar.lint", "grammar.lint_text", "grammar.source_text"),
    *(
        "grammar.conflicts",
        "grammar.mismatch",
        "grammar.parse_tree",
        "grammar.tokens",
        "read.parse",
        "read.split",
    ),
    *("workbench.parse_state", "workbench.samples", "workbench.coverage", "workbench.compare"),
    "server.grammars",
    *("workbench.error_states", "workbench.translation", "workbench.ebnf", "workbench.derive_all"),
}

HOUSE = house()


def floor_of(module: str) -> int:
    if module in LEAVES:
        return -1
    package = HOUSE.package(module)
    return next((at for at, floor in enumerate(LAYERS) if package in floor), len(LAYERS))


def test_every_package_has_its_floor() -> None:
    packages = {HOUSE.package(module) for module in HOUSE.modules} - {""}

    assert packages == {package for floor in LAYERS for package in floor}


def test_a_package_imports_only_from_below() -> None:
    wrong = []
    for one in HOUSE.imports:
        here, there = HOUSE.package(one.importer), HOUSE.package(one.imported)
        up = floor_of(one.importer) <= floor_of(one.imported)
        same_room = here == there or here.partition(".")[0] == there.partition(".")[0]
        if up and not same_room and one.imported != "__init__":
            wrong.append(str(one))

    assert wrong == []


def test_links_of_nodes_import_nothing_of_ours() -> None:
    assert [one for one in HOUSE.imports if one.importer == "model.tree"] == []


def test_only_the_doors_import_the_face() -> None:
    importers = {one.importer for one in HOUSE.imports if one.imported == "__init__"}

    assert {HOUSE.package(one) for one in importers} <= {"", "site"}  # which documents it


def test_only_methods_of_models_boards_and_pictures_call_from_below() -> None:
    importers = {one.importer for one in HOUSE.imports if one.imported == "late"}

    assert {HOUSE.package(one) for one in importers} <= CALL_LATE


def test_every_name_for_calls_from_below_is_that_of_its_module_and_used() -> None:
    homes = read_homes("sgf_lark.late")
    uses = {use for text in HOUSE.texts.values() for use in re.findall(r"\blate\.([\w]+)", text)}

    assert homes.keys() == uses - {"pyi"} | set(STATES.values())
    for name, home in homes.items():
        assert getattr(late, name).__module__ == f"sgf_lark{home}"


def test_the_init_of_a_package_only_hands_on_names() -> None:
    defined = [
        f"{name} {node.name}"
        for name in HOUSE.modules
        if HOUSE.is_package(name) and name != "__init__"
        for node in HOUSE.nodes[name]
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    ]

    assert defined == []


def test_modules_use_no_private_names_of_each_other() -> None:
    wrong = [
        f"{name}:{node.lineno} {alias.name}"
        for name in HOUSE.modules
        for node in HOUSE.import_statements(name)
        for alias in node.names
        if alias.name.startswith("_") and alias.name != "__version__"
    ]

    assert wrong == []


def test_only_few_modules_know_how_lark_parses() -> None:
    for name, text in HOUSE.texts.items():
        if name not in KNOW_LARK:
            assert "lark.load_grammar" not in text, name
            assert name == "values.reader" or "lark.exceptions" not in text, name


def test_only_one_module_uses_pythons_private_parser_of_patterns() -> None:
    private = re.compile(r"\bre\._|\bfrom re import \(?\s*_|\bsre_")
    users = [name for name, text in HOUSE.texts.items() if private.search(text)]

    assert users == ["engine.regex"]
