"""The public names: what is promised is there, and nothing is loaded before it is used."""

import ast
import doctest
import os
import pydoc
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from support.readmes import GUIDES, PAGES

import sgf_lark
from sgf_lark.core.lazy import read_homes

SOURCE = Path(sgf_lark.__file__).with_suffix(".pyi").read_text(encoding="utf-8")

#: The lazy names by the module that has them.
HOMES = read_homes("sgf_lark")

#: The most names that the library may have: more than that nobody looks through.
MOST_NAMES = 75

#: The page that lists the names, and its first two tables.
LIST = f"{GUIDES}/names.md"
FRONT, OF_CORE = (
    [row.strip("| ").split(" | ") for row in table.splitlines() if row.startswith("| `")]
    for table in PAGES[LIST].text.split("\n\n| ")[1:3]
)


def names_in(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


def test_all_lists_the_lazy_names() -> None:
    assert sorted(sgf_lark.__all__) == sorted(HOMES)
    assert "__version__" in HOMES
    assert dir(sgf_lark) == sorted(sgf_lark.__all__)


def test_type_checkers_see_every_name_once_and_as_it_is() -> None:
    seen = [
        (name.name, name.asname)
        for node in ast.parse(SOURCE).body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    ]

    assert sorted(seen) == [(name, name) for name in sorted(HOMES)]


def test_every_public_name_is_there() -> None:
    assert [name for name in sgf_lark.__all__ if getattr(sgf_lark, name, None) is None] == []


def test_tracebacks_name_public_errors_by_their_public_names() -> None:
    public = [getattr(sgf_lark, name) for name in sgf_lark.__all__]
    errors = [one for one in public if isinstance(one, type) and issubclass(one, Exception)]

    assert sgf_lark.CrashError in errors
    assert {one.__module__ for one in errors} == {"sgf_lark"}


def test_no_module_takes_the_place_of_a_public_name() -> None:
    """Importing a module sets it as an attribute of its package."""
    modules = {file.stem for file in Path(sgf_lark.__file__).parent.glob("*.py")}

    assert not modules & {*sgf_lark.__all__}


def test_help_begins_with_what_it_does_and_how() -> None:
    head = pydoc.plain(pydoc.render_doc(sgf_lark))[:300]
    described = sgf_lark.__doc__ or ""
    tasks = described[described.index("Read and write") : described.index("All names")]
    done = doctest.testmod(sgf_lark)

    assert "Read, check, fix, edit, convert and show game records" in head
    assert (done.failed, done.attempted) == (0, 8)
    for name in re.findall(r"[a-z]+_[a-z_]+|\b[A-Z]\w+[A-Z]\w+\b", tasks):
        assert hasattr(sgf_lark, name), name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'sgf_lark' has no attribute 'parse'"):
        sgf_lark.parse  # type: ignore[attr-defined]  # noqa: B018  # asking is what is tested


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = "import sys, sgf_lark; print({'lark', 'pydantic', 'pathspec'} & {*sys.modules})"
    result = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, check=True, timeout=100
    )

    assert result.stdout.strip() == b"set()"


def test_the_names_are_few() -> None:
    assert len(HOMES) <= MOST_NAMES


def test_every_name_is_in_the_list_once() -> None:
    listed = Counter(name for names, *_ in FRONT for name in names_in(names))

    assert HOMES.keys() - listed.keys() == set(), "these are missing"
    assert listed.keys() - HOMES.keys() == set(), "these are no names"
    assert [name for name, count in listed.items() if count > 1] == []


def test_every_name_is_in_the_page_that_the_list_leads_to() -> None:
    missing = []
    for names, _, *link in FRONT:
        for path in re.findall(r"\]\(([^)#]+)", "".join(link)):
            page = os.path.normpath(Path(LIST).parent / path)
            text = PAGES[page].text
            missing += [
                (page, name)
                for name in names_in(names)
                if not re.search(rf"`{name}\b|sgf_lark\.{name}\b", text)
            ]

    assert missing == []


def test_every_name_but_the_version_leads_to_a_page() -> None:
    assert [names for names, _, *link in FRONT if not link] == ["`__version__`"]


def test_the_names_that_only_the_core_has_are_there() -> None:
    for names, _ in OF_CORE:
        for name in names_in(names):
            assert hasattr(sgf_lark.core, name), name
            assert name not in HOMES, name
