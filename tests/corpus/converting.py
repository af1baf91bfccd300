"""What is true of every real game record that is converted."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import ANY

from support.conversions import facts, values
from support.corpus import alike, long_or_like_others, names, true_of_records

import sgf_lark
from sgf_lark import SgfConversionError, convert
from sgf_lark.core.write.dump import dumps

if TYPE_CHECKING:
    from sgf_lark import Collection, Diagnostic


@true_of_records(but=lambda which: not which.startswith("ggf/"))
def a_record_of_the_server_comes_back_from_sgf(_: str, collection: Collection) -> None:
    there = convert(collection, "ff4")
    back = convert(sgf_lark.loads(dumps(there), strict=False), "ggf")

    # What has no TY gets the size that its BO says.
    expected = [{"TY": ANY, **one} if "GM" in one else one for one in values(collection)]
    assert expected == values(back)


def at_fault(collection: Collection, one: Diagnostic) -> str:
    """The text that a finding is about."""
    return collection.text[one.offset : one.end_offset]


@true_of_records(but=lambda which: not which.startswith(("ff1/", "ff3/")))
def a_converted_record_has_no_error_that_was_not_in_the_source(
    _: str, collection: Collection
) -> None:
    made = convert(collection, "ff4")
    # FF[4] prescribes the form of DT that FF[1] and FF[3] recommend: other words, and graver.
    known = {(one.property, at_fault(collection, one)) for one in collection.diagnostics}
    # What has another meaning in FF[4], such as KO[eq], is kept, and the conversion says so.
    known |= {
        (one.property, at_fault(collection, one).removeprefix(f"{one.property}[").removesuffix("]"))
        for one in made.diagnostics
        if one.code == "C719"
    }

    found = sgf_lark.loads(dumps(made), strict=False)

    assert [game.format for game in found] == ["FF4"] * len(collection)
    errors = {
        (one.property, at_fault(found, one)) for one in found.diagnostics if one.severity == "error"
    }
    assert errors <= known


#: Every record but those of Go and backgammon, and of Go every twentieth.
IN_OLD_FORMATS = {
    *(one for one in names() if not one.startswith(("ff4-go/", "ff4-backgammon/"))),
    *[one for one in names() if one.startswith("ff4-go/")][::20],
}


@true_of_records(
    but=lambda which: which not in IN_OLD_FORMATS or alike(which), night=long_or_like_others
)
def it_is_read_in_the_old_formats(_: str, collection: Collection) -> None:
    for format_ in ("ff3", "ff1"):
        try:
            made = convert(collection, format_, lossy="drop")
        except SgfConversionError:
            continue
        again = sgf_lark.loads(dumps(made), strict=False)

        assert [facts(game, frozenset()) for game in again] == [
            facts(game, frozenset()) for game in made
        ]
