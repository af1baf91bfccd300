"""The public names: what is promised is there, and nothing is loaded before it is used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sgf_lark

SOURCE = Path(sgf_lark.__file__).read_text(encoding="utf-8")

#: The lazy names by the module that has them.
HOMES: dict[str, tuple[str, ...]] = vars(sgf_lark)["_HOMES"]


def test_all_lists_the_lazy_names() -> None:
    lazy = [name for names in HOMES.values() for name in names]

    assert sorted(sgf_lark.__all__) == sorted(["__version__", *lazy])
    assert len({*lazy}) == len(lazy)
    assert dir(sgf_lark) == sorted(sgf_lark.__all__)


def test_type_checkers_see_the_same_names_from_the_same_modules() -> None:
    seen = {
        (node.module, name.asname or name.name)
        for block in ast.parse(SOURCE).body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }

    assert seen == {(home, name) for home, names in HOMES.items() for name in names}


@pytest.mark.parametrize("name", sgf_lark.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(sgf_lark, name) is not None


def test_no_module_takes_the_place_of_a_public_name() -> None:
    """Importing a module sets it as an attribute of its package."""
    modules = {file.stem for file in Path(sgf_lark.__file__).parent.glob("*.py")}

    assert not modules & {*sgf_lark.__all__}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'sgf_lark' has no attribute 'parse'"):
        sgf_lark.parse  # noqa: B018  # asking is what is tested


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = "import sys, sgf_lark; print({'lark', 'pydantic'} & {*sys.modules})"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)  # noqa: S603

    assert result.stdout.strip() == b"set()"
