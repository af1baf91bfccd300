"""What is true of every real game record, broken ones too, and which of them break a rule."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING

import pytest
from support.corpus import alike, long, long_or_like_others, plain, record, true_of_records
from support.invariants import check_info_only, check_moves, check_unjudged
from support.lookup import strangers
from support.overtime import EXAMPLES, meaning

import sgf_lark
from sgf_lark import RULES, Collection, Severity, SgfError
from sgf_lark.core import read_overtime
from sgf_lark.core.places import LineIndex

if TYPE_CHECKING:
    from sgf_lark import Diagnostic, Node

#: Every record outside ``broken`` that a strict reader refuses, and the code of its first
#: error.  What it is stands above.
REFUSED = {
    # A node behind a variation: the grammars have the variations last.
    "ff1/gogui__verbose-property-names.sgf": "S111",
    # FF[5].
    "ff4-go/sgf-navigator__test_ff5.sgf": "T202",
    # AB in one node with BL, which is a move property.
    "large/fuego__Tsai-FuegoGB.sgf": "T206",
    "large/fuego__Yen-FuegoGB.sgf": "T206",
    # PL in one node with a move, as Sabaki and KGS write it.
    "encodings/SabakiHQ-sgf__utf16le.sgf": "T206",
    "encodings/SabakiHQ-sgf__utf8bom.sgf": "T206",
    # The first move in the node of the setup, as Edax writes it.
    "ff4-othello/edax-generated__game-open.sgf": "T206",
    "ff4-othello/edax-generated__game2.sgf": "T206",
    "ff4-othello/edax-generated__wthor-1977.sgf": "T206",
    "ff4-othello/edax-generated__wthor-1990-first200.sgf": "T206",
    "large/edax-generated__wthor-2023.sgf": "T206",
    # The owner of the cube as CP, as GNU Backgammon writes it.
    "ff4-backgammon/gnubg-generated__pos-setup.sgf": "T205",
    # AP twice, as Fox writes it.
    "ff4-go/SabakiHQ-sgf__fox_go_server.sgf": "T207",
    "ff4-go/SabakiHQ-sgf__fox_go_server_handicap.sgf": "T207",
    "ff4-go/SabakiHQ-sgf__fox_go_server_komi.sgf": "T207",
    "ff4-go/SabakiHQ-sgf__fox_go_server_nokomi.sgf": "T207",
    "ff4-go/SabakiHQ-sgf__fox_go_server_nokomi~2.sgf": "T207",
    "large/SabakiHQ-sgf__fox_go_server_japanese.sgf": "T207",
    # AB once for each stone, as goproblems and gobandroid write it.
    "ff4-go/gobandroid__first_move_capture_and_white.sgf": "T207",
    # Moves in small letters, as Little Golem writes them.
    "ff4-other-games/twixtbot-ui__game2206555.tsgf": "S112",
    "ff4-other-games/twixtbot-ui__game2209801.tsgf": "S112",
    "ff4-other-games/twixtbot-ui__game2220939.tsgf": "S112",
    "ff4-other-games/twixtbot-ui__game2232217.tsgf": "S112",
    # A square board with two numbers.
    "ff4-go/maxiGos__pass-en.sgf": "V311",
    "ff4-other-games/pyhex__test.sgf": "V311",
    "ff4-other-games/pyhex__test~2.sgf": "V311",
    # FG[1] or FG[0]: neither nothing nor flags, a colon and a name.
    "encodings/maxiGos__p3-en.sgf": "V301",
    "encodings/maxiGos__p3-fr.sgf": "V301",
    "ff4-go/maxiGos__captureNoLib1.sgf": "V301",
    "ff4-go/maxiGos__captureNoLib2.sgf": "V301",
    "ff4-go/maxiGos__count1.sgf": "V301",
    "ff4-go/maxiGos__count2.sgf": "V301",
    "ff4-go/maxiGos__countB.sgf": "V301",
    "ff4-go/maxiGos__countG.sgf": "V301",
    "ff4-go/maxiGos__countQuick1.sgf": "V301",
    "ff4-go/maxiGos__death.sgf": "V301",
    "ff4-go/maxiGos__handicap.sgf": "V301",
    "ff4-go/maxiGos__j1-ja.sgf": "V301",
    "ff4-go/maxiGos__j1.sgf": "V301",
    "ff4-go/maxiGos__j2.sgf": "V301",
    "ff4-go/maxiGos__p3-ja.sgf": "V301",
    "ff4-go/maxiGos__p1-en.sgf": "V301",
    "ff4-go/maxiGos__suicide.sgf": "V301",
    "ff4-go/maxiGos__zz.sgf": "V301",
    # TE, which is 1 or 2, for the name of an event.
    "ff4-go/analyze-sgf__t-sabaki-2.sgf": "V301",
    # TM[2hrs].
    "ff4-go/gcao-sgf_parser__example.sgf": "V301",
    # B[R16].
    "ff4-go/gogui__human-readable.sgf": "T223",
    # Names with digits: P0, P1.
    "ff4-other-games/boardspace__bad-init.sgf": "S113",
    "ff4-other-games/boardspace__slither-illegal.sgf": "S113",
    # A point off a board of 13 by 13.
    "encodings/maxiGos__mori-p13x13-fr.sgf": "G603",
    # RE[draw] for RE[Draw].
    "ff4-go/KataGo__foxlike.sgf": "V304",
    # DT[1996/11/13], as MultiGo writes it.
    "encodings/icehong-go__test.sgf": "V304",
    # DT[29.11.2012], DT[29th September 2012], and a date with the time of day.
    "ff4-go/glift__173-timmins.sgf": "V304",
    "ff4-other-games/Dots-Game-AI__FullSgfWithStop.sgf": "V304",
    "large/glift__Kogo_s_Joseki_Dictionary.sgf": "V304",
}


def first_error(collection: Collection) -> Diagnostic | None:
    """The first thing that a strict reader raises for; None if there is none."""
    errors = (one for one in collection.diagnostics if one.severity is Severity.ERROR)
    return next(errors, None)


#: Characters of records that are read only once.
LONG = 50_000


# ---- strict and not strict ----


@true_of_records()
def a_real_file_has_games_unless_a_finding_says_why_not(_: str, collection: Collection) -> None:
    assert collection.games or first_error(collection) is not None
    assert all(len(game) >= 1 for game in collection)


@true_of_records()
def a_file_breaks_a_rule_only_where_the_table_says(which: str, collection: Collection) -> None:
    first = first_error(collection)

    assert which.startswith("broken/") or (first and first.code) == REFUSED.get(which)


@true_of_records()
def a_strict_reader_refuses_a_file_by_its_first_error(which: str, collection: Collection) -> None:
    expected = first_error(collection)
    if len(collection.text) > LONG:
        return
    if expected is None:
        assert sgf_lark.load(record(which)) == collection
        return

    with pytest.raises(SgfError) as caught:
        sgf_lark.load(record(which))

    assert caught.value.first == expected
    assert caught.value.report.diagnostics == collection.diagnostics


@true_of_records(night=long)
def what_is_read_without_being_judged_is_the_same(which: str, collection: Collection) -> None:
    check_unjudged(collection, sgf_lark.load(record(which), strict=False, validate=False))


@true_of_records(night=long)
def what_is_read_for_its_info_has_the_info(which: str, collection: Collection) -> None:
    check_info_only(collection, sgf_lark.load(record(which), strict=False, info_only=True))


@true_of_records(but=lambda which: long(which) or alike(which), night=plain)
def both_engines_read_the_same_without_judging(which: str, collection: Collection) -> None:
    by_lark = sgf_lark.load(record(which), strict=False, validate=False, engine="lark")
    infos = sgf_lark.load(record(which), strict=False, info_only=True, engine="lark")

    check_unjudged(collection, by_lark)
    assert infos.games == sgf_lark.load(record(which), strict=False, info_only=True).games


@true_of_records()
def moves_are_what_each_node_gives(_: str, collection: Collection) -> None:
    check_moves(collection)


# ---- there and back ----


@true_of_records(night=long_or_like_others)
def json_and_back_gives_an_equal_collection(_: str, collection: Collection) -> None:
    back = Collection.model_validate_json(collection.model_dump_json())

    assert back == collection
    assert hash(back) == hash(collection)
    assert places(back) == places(collection)


@true_of_records(but=alike, night=long_or_like_others)
def plain_data_and_back_gives_an_equal_collection(_: str, collection: Collection) -> None:
    assert Collection.model_validate(collection.model_dump()) == collection


@true_of_records(but=alike, night=long)
def copies_are_equal(_: str, collection: Collection) -> None:
    assert copy.copy(collection) == collection
    assert copy.deepcopy(collection) == collection


@true_of_records(night=long_or_like_others)
def a_pickle_gives_an_equal_collection(_: str, collection: Collection) -> None:
    back = pickle.loads(pickle.dumps(collection))

    assert back == collection
    assert back.text == collection.text
    assert places(back) == places(collection)


def places(collection: Collection) -> list[tuple[int, int] | None]:
    """Where all nodes and properties stand."""
    found: list[tuple[int, int] | None] = []
    for game in collection:
        for node in game.walk():
            found.append(node.span)
            found += [one.span for one in node.properties]
    return found


# ---- places ----


@true_of_records(night=long)
def spans_show_what_the_text_has_there(_: str, collection: Collection) -> None:
    for game in collection:
        for node in game.walk():
            check_spans(node, collection.text)


def check_spans(node: Node, text: str) -> None:
    """The span of a node and of its properties; properties stand in it one behind the other."""
    assert node.span is not None
    done, end = node.span
    assert 0 <= done < end <= len(text)
    for one in node.properties:
        assert one.span is not None
        shown = text[slice(*one.span)]
        assert shown.startswith(one.name)
        assert shown.endswith("]") or one.span.end == len(text)
        at = len(one.name)
        for raw in one.raw:
            at = shown.index("[" + raw, at) + 1 + len(raw)
        assert one.span.start >= done
        done = one.span.end
    assert done <= end


@true_of_records(night=long)
def a_path_leads_back_to_its_node(_: str, collection: Collection) -> None:
    for game in collection:
        paths = [node.path for node in game.walk()]

        assert [game.at(path).index for path in paths] == list(range(len(game)))


@true_of_records()
def every_finding_has_a_place(_: str, collection: Collection) -> None:
    lines = LineIndex(collection.text)
    for one in collection.diagnostics:
        assert 0 <= one.offset <= one.end_offset <= len(collection.text)
        assert (one.line, one.column) == lines.locate(one.offset)
        assert (one.end_line, one.end_column) == lines.locate(one.end_offset)
        assert RULES[one.name].code == one.code
        assert one.message
        if one.node_path is None:
            continue
        assert one.game is not None
        node = collection[one.game].at(one.node_path)
        assert node.move_number == one.move_number
        if one.property is not None:
            assert one.property in node
        if one.value_index is not None:
            assert one.value_index < len(node.raw[str(one.property)])


@true_of_records()
def findings_stand_in_the_order_of_the_text(_: str, collection: Collection) -> None:
    offsets = [one.offset for one in collection.diagnostics]

    assert offsets == sorted(offsets)


@true_of_records(but=alike, night=long)
def both_engines_give_the_same(which: str, collection: Collection) -> None:
    reference = sgf_lark.load(record(which), strict=False, engine="lark")

    assert sgf_lark.load(record(which), strict=False, engine="generated") == reference
    assert reference == collection
    assert places(reference) == places(collection)


@true_of_records(but=alike, night=lambda _: True)
def values_are_of_the_types_that_type_checkers_know(_: str, collection: Collection) -> None:
    assert [one for game in collection for one in strangers(game)] == []


@true_of_records()
def an_overtime_is_read_only_as_somebody_has_judged_it(_: str, collection: Collection) -> None:
    judged = {text: found for _, text, found in EXAMPLES}
    for game in collection:
        text = game.info.overtime
        if text is not None:
            assert meaning(read_overtime(text)) == judged.get(text.strip(), "-"), text
