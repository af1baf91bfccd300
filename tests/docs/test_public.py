"""The public names: what is promised is there, and nothing is loaded before it is used."""

import ast
import doctest
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sgf_lark
from sgf_lark.names import read_homes

SOURCE = Path(sgf_lark.__file__).with_suffix(".pyi").read_text(encoding="utf-8")

#: The lazy names by the module that has them.
HOMES = read_homes("sgf_lark")


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


@pytest.mark.parametrize(("old", "new"), [("fixed", "fix_record"), ("formatted", "format_record")])
def test_an_old_name_works_and_names_the_new_one(old: str, new: str) -> None:
    data = b"(;FF[4]GM[1]SZ[19]KM[6,5])"
    with pytest.warns(DeprecationWarning, match=rf"{old}\(\) is now {new}\(\)"):
        result = getattr(sgf_lark, old)(data)

    assert result == getattr(sgf_lark, new)(data)


def test_the_old_name_of_a_class_works_and_names_the_new_one() -> None:
    with pytest.warns(DeprecationWarning, match="Rules is now RuleSet"):
        assert sgf_lark.Rules is sgf_lark.RuleSet
