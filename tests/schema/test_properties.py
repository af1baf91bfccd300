"""The property tables: complete, consistent, and readable by the grammars they name."""

import io
import pickle
import re
from collections import Counter
from pathlib import Path

import pytest
from support.together import together

import sgf_lark
from sgf_lark import GAMES, Format, PropertyRule, PropertyTable, reader
from sgf_lark.schema import properties
from sgf_lark.schema.properties import COLORS, SETUP, Category, Count, Group
from sgf_lark.schema.values import Color

TABLE = PropertyTable.standard()


def test_all_properties_of_the_standards_are_there() -> None:
    counts = Counter(rule.format.value for rule in TABLE)

    assert counts == {"FF1": 52, "FF3": 75, "FF4": 122, "GGF": 28}
    assert len(TABLE) == 277


def test_categories_are_those_of_the_standard() -> None:
    counts = Counter(rule.category.value for rule in TABLE)

    assert counts == {"game-info": 89, "none": 78, "move": 56, "root": 32, "setup": 22}


@pytest.mark.parametrize(
    ("format_", "game", "ident", "type_", "count", "category"),
    [
        ("FF4", 1, "KM", "real", "one", "game-info"),
        ("FF4", 1, "AB", "stone", "list", "setup"),
        ("FF4", 1, "TB", "point", "elist", "none"),
        ("FF4", 6, "CO", "simpletext", "one", "setup"),
        ("FF4", 9, "AS", "simpletext", "one", "none"),
        ("FF4", 19, "AS", "stone:point", "list", "none"),
        ("FF3", 1, "SE", "point", "list", "none"),
        ("FF4", 9, "SE", "point", "one", "none"),
        ("FF1", 1, "V", "number", "one", "none"),
        ("FF3", 1, "V", "real", "one", "none"),
        ("FF1", 1, "VW", "point", "elist", "root"),
        ("FF4", 1, "VW", "point", "elist", "none"),
        ("FF3", 1, "RU", "text", "one", "root"),
        ("FF4", 1, "RU", "simpletext", "one", "game-info"),
        ("GGF", 2, "TB", "clock", "one", "game-info"),
    ],
)
def test_a_property_is_what_its_format_and_game_say(
    format_: str, game: int, ident: str, type_: str, count: str, category: str
) -> None:
    rule = TABLE.find(Format(format_), game, ident)

    assert rule is not None
    assert (rule.type, rule.count.value, rule.category.value) == (type_, count, category)


def test_a_property_of_one_game_is_unknown_in_another() -> None:
    assert TABLE.find(Format.FF4, 1, "KM") is not None
    assert TABLE.find(Format.FF4, 2, "KM") is None


def test_only_three_properties_are_inherited() -> None:
    inherited = {rule.ident for rule in TABLE if rule.inherit and rule.format is Format.FF4}

    assert inherited == {"DD", "PM", "VW"}


def test_groups_hold_what_the_standard_puts_together() -> None:
    groups = {group: " ".join(sorted(TABLE.group(group))) for group in Group}

    assert groups[Group.SETUP_POINTS] == "AA AB AE AW"
    assert groups[Group.MARKS] == "CR MA SL SQ TR"
    assert groups[Group.MOVE_ANNOTATION] == "BM DO IT TE"
    assert groups[Group.NEEDS_MOVE] == "BM DO IT KO TE"
    assert groups[Group.POSITION_ANNOTATION] == "DM GB GW UC"
    assert groups[Group.DECLARES] == "CA FF GM SZ"
    assert COLORS == {"B": Color.BLACK, "W": Color.WHITE}
    assert SETUP == {"AB": Color.BLACK, "AW": Color.WHITE, "AE": None}


def test_a_property_belongs_to_the_same_groups_wherever_it_has_the_same_name() -> None:
    groups: dict[tuple[str, str], set[tuple[Group, ...]]] = {}
    for rule in TABLE:
        groups.setdefault((rule.ident, rule.name.lower()), set()).add(rule.groups)

    assert [key for key, found in groups.items() if len(found) > 1] == []


def test_what_is_about_one_side_has_its_like_on_the_other() -> None:
    sides = [
        {
            (rule.format, rule.game, rule.category, rule.type)
            for rule in TABLE
            if side in rule.groups
        }
        for side in (Group.BLACK, Group.WHITE)
    ]

    assert sides[0] == sides[1]


def test_a_property_of_ones_own_joins_the_groups_that_it_names() -> None:
    own = PropertyRule(format=Format.FF4, ident="XX", type="point", groups=(Group.MARKS,))

    assert TABLE.extend(own).group(Group.MARKS) == TABLE.group(Group.MARKS) | {"XX"}
    assert "XX" not in TABLE.group(Group.MARKS)


def test_every_type_and_form_has_a_grammar() -> None:
    with together() as each:
        for rule in TABLE:
            with each(f"{rule.format} {rule.game} {rule.ident}"):
                by = reader(rule.format, GAMES[rule.game or 1])

                reading = by.read_property(rule, ("\x01",))  # no type takes this, but most texts do

                assert len(reading.values) == 1
                assert by.words(rule)


def test_a_table_grows_without_changing_the_old_one() -> None:
    own = PropertyRule(format=Format.FF4, ident="TT", name="Time used", type="real")

    grown = TABLE.extend(own)

    assert grown.find(Format.FF4, 1, "TT") == own
    assert TABLE.find(Format.FF4, 1, "TT") is None
    assert len(grown) == len(TABLE) + 1


def test_a_table_takes_a_rule_that_replaces_one() -> None:
    own = PropertyRule(
        format=Format.FF4, ident="C", type="number", category=Category.MOVE, count=Count.LIST
    )

    assert TABLE.extend(own).find(Format.FF4, 1, "C") == own
    assert len(TABLE.extend(own)) == len(TABLE)


def test_a_rule_with_a_type_that_is_no_type_is_refused() -> None:
    with pytest.raises(ValueError, match="types are names"):
        PropertyRule(format=Format.FF4, ident="TT", type="list of what?")


def test_a_pickle_of_the_standard_table_is_the_table_itself() -> None:
    own = PropertyTable.standard().extend(
        PropertyRule(format=Format.FF4, ident="TT", name="Time used", type="real")
    )

    assert pickle.loads(pickle.dumps(PropertyTable.standard())) is PropertyTable.standard()
    assert pickle.loads(pickle.dumps(own)) == own != PropertyTable.standard()


def test_a_mark_of_ones_own_is_a_rival_of_the_marks_of_the_standard() -> None:
    own = PropertyRule(
        format=Format.FF4, ident="XX", type="point", count=Count.LIST, groups=(Group.MARKS,)
    )
    text = "(;FF[4]GM[1]SZ[19];B[pd]TR[dd]XX[dd])"

    findings = sgf_lark.check(io.StringIO(text), table=TABLE.extend(own)).diagnostics

    assert [(one.name, one.property) for one in findings] == [("markup-conflict", "XX")]


def test_the_rows_of_the_standards_are_those_that_a_model_accepts() -> None:
    file = Path(properties.__file__).with_name("properties.tsv")
    checked = PropertyTable.of_lines(file.read_text(encoding="utf-8").splitlines())

    assert list(checked) == list(TABLE)
    assert [rule.model_dump() for rule in checked] == [rule.model_dump() for rule in TABLE]
    assert [rule.model_fields_set for rule in checked] == [rule.model_fields_set for rule in TABLE]


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("FF4\t1\tXT\tTime\tmove\treal\tone\t-\t-\t-\t-\tproperties", "'1'"),
        (
            "FF9\t-\tXT\tTime\tmove\treal\tone\t-\t-\t-\t-\tproperties",
            "'FF9' is not a valid",
        ),
        ("FF4\t-\tXT\tTime\tmove\treal\tone\t-\t-\tproperties", "not enough values"),
    ],
)
def test_a_row_that_is_not_understood_is_named_by_its_line(row: str, wrong: str) -> None:
    lines = ["format\tgame\tident", row]

    with pytest.raises(ValueError, match=rf"properties\.tsv, line 2: .*{re.escape(wrong)}"):
        PropertyTable.of_lines(lines)
