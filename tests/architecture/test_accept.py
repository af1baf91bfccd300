"""What is generated and kept in the repository is as ``tests/support/accept.py`` writes it."""

import pytest
from support.accept import ACCEPT, QUICK, Writer, differences
from support.places import ROOT


@pytest.mark.parametrize(("name", "write"), QUICK, ids=lambda one: str(one) * isinstance(one, str))
def test_a_file_is_as_accept_writes_it(name: str, write: Writer) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")

    assert write(text) == text, ACCEPT


@pytest.mark.night
def test_accept_has_nothing_to_write() -> None:
    assert [file for file, *_ in differences(["."])] == [], ACCEPT
