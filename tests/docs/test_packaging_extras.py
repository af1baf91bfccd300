"""The extras: lowest versions, what is tried of each, packages and licences in the README."""

import re
from importlib.metadata import distributions

from support.extras import EXTRAS, OF_TESTS, TABLE, USES, lowest
from support.places import ROOT
from support.readmes import GUIDES


def test_a_package_has_one_lowest_version() -> None:
    assert len({*lowest()}) == len(dict(lowest()))


def test_each_extra_of_users_has_a_use_that_is_tried() -> None:
    assert {*USES} == {*EXTRAS} - OF_TESTS


#: The packages of the library, and of each extra, with their licences: the table of the README.
LICENCES = {
    extra.strip("`"): dict(re.findall(r"([\w-]+)\]?(?:\([^)]+\))? \(([^)]+)\)", packages))
    for extra, _, packages in re.findall(
        r"^\| (none|`\w+`) \| (.*) \| (.*) \|$",
        (ROOT / GUIDES / "install.md").read_text("utf-8"),
        re.MULTILINE,
    )
}


def test_the_table_of_extras_names_their_packages() -> None:
    assert {*LICENCES["none"]} == {
        re.split("[<>]", line)[0] for line in TABLE["project"]["dependencies"]
    }
    for extra in {*EXTRAS} - OF_TESTS:
        lines = [line for line in EXTRAS[extra] if not line.startswith("sgf_lark[")]
        assert {*LICENCES[extra]} == {re.split("[<>]", line)[0] for line in lines}, extra


def test_the_licence_of_a_package_is_the_one_that_it_declares() -> None:
    shown = {name: licence for packages in LICENCES.values() for name, licence in packages.items()}
    declared = {
        one.name: one.metadata.get_all("License-Expression", [])
        for one in distributions()
        if one.name in shown
    }

    assert {"lark", "pydantic", "pathspec"} <= {*declared}
    for name, expressions in declared.items():
        assert all(shown[name] in one for one in expressions), name
