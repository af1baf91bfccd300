"""What a typed reader accepts is right: it drops no finding of any check."""

from __future__ import annotations

import pytest
from support import corpus
from support.lanes import amount
from support.made_up import findings, findings_without_typed_reader
from support.together import together

from sgf_lark.check.typed_reader import typed_reader
from sgf_lark.model.ruleset import RuleSets
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import PropertyTable
from sgf_lark.text.encoding import decode


@pytest.mark.both_lanes
def test_real_records_have_the_same_findings_without_the_typed_reader() -> None:
    corpus.required()
    table = PropertyTable.standard()
    wanted = [which for which in corpus.names() if not corpus.long(which)]
    with together() as each:
        for which in wanted[:: amount(60, 6)]:
            text = decode(corpus.record(which).read_bytes())[0]
            with each(which):
                assert findings(text, table) == findings_without_typed_reader(text, table)


def test_a_value_whose_last_bracket_is_escaped_is_looked_at() -> None:
    rules = RuleSets(PropertyTable.standard()).declared(Format.FF4, {})
    typed = typed_reader(rules, None, lints=False)

    assert typed.accepts("C", ("a\\\\",))
    assert not typed.accepts("C", ("a\\",))
