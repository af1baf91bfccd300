"""Valid games of SGF: how their first node is read, and whose fixes findings have."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.core.schema.formats import EngineName


def test_names_of_the_first_node_are_read_as_a_given_format_spells_them() -> None:
    text = "(;FileFormat[3]GaMe[2]SiZe[8];Black[d3])"
    given = sgf_lark.loads(text, strict=False, format="FF3")
    found = sgf_lark.loads(text, strict=False)

    assert (given[0].game, found[0].game) == (2, 2)


@pytest.mark.parametrize("engine", ["auto", "lark"])
def test_a_finding_that_had_to_wait_has_no_fix_in_a_later_game(engine: EngineName) -> None:
    text = "(;ST[2])(;)(;FF[4]GM[1]SZ[19])"
    found = sgf_lark.loads(text, strict=False, engine=engine).diagnostics

    assert all(
        one.offset <= edit.offset <= len("(;ST[2])(;)")
        for one in found
        if one.game == 1 and one.fix is not None
        for edit in one.fix.edits
    )
