"""The catalogue: every rule has an entry, and every example in it is true."""

import io
import re

import pytest
from support.together import together

from sgf_lark import (
    RULES,
    CheckOptions,
    Format,
    Severity,
    SgfConversionError,
    SgfError,
    check,
    convert,
    dumps,
    iter_games,
    loads,
)
from sgf_lark.diagnostics.catalogue import Entry, catalogue

pytestmark = pytest.mark.usefixtures("both_engines_by_day")

ENTRIES = catalogue()

#: Rules that are still without an entry.
MISSING: set[str] = set()

#: No record shows what these find: a file that is not there, a fault of the program,
#: a limit that somebody sets, a grammar that is not shipped.
WITHOUT_RECORD = {
    *("F001", "F002", "F003", "F004", "F005", "F006", "F007", "S199"),
    *(f"L7{number:02}" for number in range(1, 12)),
}


def format_of(entry: Entry) -> Format | None:
    """The format of the examples; None if they declare it."""
    return Format.named(entry.format) if entry.format else None


def found(entry: Entry, example: str | bytes) -> list[str]:
    """The codes of everything that is found in an example."""
    source = io.StringIO(example) if isinstance(example, str) else io.BytesIO(example)
    options = CheckOptions(extend_select=[entry.code]) if entry.rule.strict else None
    return [one.code for one in check(source, format=format_of(entry), options=options)]


def entries(kind: str) -> list[object]:
    """Entries with examples of records, by their codes."""
    return [
        pytest.param(entry, id=code)
        for code, entry in ENTRIES.items()
        if entry.rule.group != "conversion" and getattr(entry, f"{kind}_examples")
    ]


def test_every_rule_has_an_entry() -> None:
    assert {rule.code for rule in RULES.values()} - {*ENTRIES} <= MISSING


def test_every_entry_belongs_to_a_rule_and_has_sources() -> None:
    for code, entry in ENTRIES.items():
        assert entry.rule.code == code
        assert entry.sources


def test_sources_are_documents_that_everybody_can_find() -> None:
    """No notes of our own, such as numbers of rules and of errata that stand nowhere here."""
    for entry in ENTRIES.values():
        for source in entry.sources:
            assert re.search(r"\bR\d\d\b|errat", source) is None, source


def test_every_entry_shows_a_wrong_and_a_right_record() -> None:
    bare = {code for code, one in ENTRIES.items() if not one.wrong_examples}

    assert bare <= WITHOUT_RECORD
    assert all(one.right_examples for code, one in ENTRIES.items() if code not in bare)


@pytest.mark.parametrize("entry", entries("wrong"))
def test_what_is_said_of_wrong_examples_is_true(entry: Entry) -> None:
    with together() as each:
        for example in entry.wrong_examples:
            with each(f"{entry.code} {example!r}"):
                a_wrong_example_gives_its_diagnostic_and_no_other(entry, example)
            with each(f"{entry.code} {example!r}"):
                strict_loading_raises_for_every_error_that_check_reports(entry, example)
            with each(f"{entry.code} {example!r}"):
                loading_with_check_finds_what_check_does(entry, example)


def a_wrong_example_gives_its_diagnostic_and_no_other(entry: Entry, example: str | bytes) -> None:
    assert found(entry, example) == [entry.code]


def strict_loading_raises_for_every_error_that_check_reports(
    entry: Entry, example: str | bytes
) -> None:
    """Without replaying a game; nothing that takes that is an error."""
    source = io.StringIO(example) if isinstance(example, str) else io.BytesIO(example)
    expected = check(source, format=format_of(entry)).errors

    assert all(one.code[0] != "G" or one.name == "point-off-board" for one in expected)
    collection = loads(example, strict=False, format=format_of(entry))
    assert tuple(one for one in collection.diagnostics if one.severity == "error") == expected
    if expected:
        with pytest.raises(SgfError) as caught:
            loads(example, format=format_of(entry))
        assert caught.value.report.errors == expected
        with pytest.raises(SgfError) as caught:
            list(iter_games(io.BytesIO(encoded(example)), format=format_of(entry)))
    else:
        loads(example, format=format_of(entry))


def encoded(example: str | bytes) -> bytes:
    return example if isinstance(example, bytes) else example.encode()


def loading_with_check_finds_what_check_does(entry: Entry, example: str | bytes) -> None:
    source = io.StringIO(example) if isinstance(example, str) else io.BytesIO(example)
    expected = check(source, format=format_of(entry)).diagnostics
    collection = loads(example, strict=False, check=True, format=format_of(entry))

    assert collection.diagnostics == expected


@pytest.mark.parametrize("entry", entries("right"))
def test_right_examples_give_no_diagnostic(entry: Entry) -> None:
    assert [(one, said) for one in entry.right_examples if (said := found(entry, one))] == []


CONVERSIONS = [
    pytest.param(entry, wrong, right, id=f"{entry.code}-{number}")
    for entry in ENTRIES.values()
    if entry.rule.group == "conversion"
    for number, (wrong, right) in enumerate(zip(entry.wrong, entry.right, strict=True))
]


@pytest.mark.parametrize(("entry", "wrong", "right"), CONVERSIONS)
def test_a_conversion_makes_the_right_example_of_the_wrong_one(
    entry: Entry, wrong: str, right: str
) -> None:
    source = loads(wrong, strict=False)
    if entry.rule.severity is Severity.ERROR:
        with pytest.raises(SgfConversionError) as refused:
            convert(source, Format.named(entry.format))
        assert [one.code for one in refused.value.report.errors] == [entry.code]
        convert(loads(right), Format.named(entry.format))
    else:
        made = convert(source, Format.named(entry.format))
        assert entry.code in {one.code for one in made.diagnostics}
        assert dumps(made, style="compact").strip() == right


def test_codes_names_and_entries_are_in_one_order() -> None:
    codes = [rule.code for rule in RULES.values()]

    assert len(set(codes)) == len(codes) == len(RULES)
    assert list(ENTRIES) == [code for code in codes if code in ENTRIES]


def test_every_summary_is_words_without_a_full_stop() -> None:
    for rule in RULES.values():
        assert re.fullmatch(r"[a-zA-Z'].*[^.]", rule.summary), rule.name
