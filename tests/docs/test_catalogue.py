"""The catalogue: every rule has an entry, and every example in it is true."""

import io
import re

import pytest
from support.examples import right_examples, wrong_examples
from support.tables import table
from support.together import together

from sgf_lark import (
    RULES,
    CheckOptions,
    Format,
    Report,
    Rule,
    Severity,
    SgfConversionError,
    SgfError,
    check,
    convert,
    dumps,
    iter_games,
    loads,
)
from sgf_lark.core.findings.catalogue import Entry, catalogue

pytestmark = pytest.mark.usefixtures("both_engines")

ENTRIES = catalogue()


def shows_record(rule: Rule) -> bool:
    """A record shows what the rule finds; some need a file that is not there, or a grammar."""
    return rule.group not in {"file", "laboratory"} and rule.name != "grammar-mismatch"


def format_of(entry: Entry) -> Format | None:
    """The format of the examples; None if they declare it."""
    return Format.named(entry.format) if entry.format else None


def report(entry: Entry, example: str | bytes, *, select: bool = True) -> Report:
    """Everything that is found in an example, if the rule is selected or as usual."""
    source = io.StringIO(example) if isinstance(example, str) else io.BytesIO(example)
    options = CheckOptions(extend_select=[entry.code]) if entry.rule.strict and select else None
    return check(source, format=format_of(entry), options=options)


#: The rules whose examples are checked; those of a conversion are converted.
CHECKED = [
    pytest.param(rule, id=rule.code)
    for rule in RULES.values()
    if shows_record(rule) and rule.group != "conversion"
]


def test_every_rule_has_an_entry() -> None:
    assert [*ENTRIES] == [rule.code for rule in RULES.values()]


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
    for rule in RULES.values():
        entry = ENTRIES[rule.code]
        assert bool(wrong_examples(entry)) == bool(right_examples(entry)) == shows_record(rule), (
            rule
        )


@pytest.mark.parametrize("rule", CHECKED)
def test_what_an_entry_says_of_its_examples_is_true(rule: Rule) -> None:
    entry = ENTRIES[rule.code]
    fixes = []
    with together() as each:
        for example in wrong_examples(entry):
            found = report(entry, example)
            fixes += [one.fix for one in found]
            usual = report(entry, example, select=False) if rule.strict else found
            with each(f"{entry.code} {example!r}"):
                assert [one.code for one in found] == [entry.code]
            with each(f"{entry.code} {example!r}"):
                strict_loading_raises_for_every_error_that_check_reports(entry, example, usual)
            with each(f"{entry.code} {example!r}"):
                loading_with_check_finds_what_check_does(entry, example, usual)
        for example in right_examples(entry):
            with each(f"{entry.code} {example!r}"):
                assert [one.code for one in report(entry, example)] == []
        with each(f"{entry.code} has a fix or a reason why a person makes the change"):
            is_harmless = entry.fix.startswith(("Nothing to do", "Do nothing"))
            assert bool(entry.by_hand) == (not any(fixes) and not is_harmless)


#: UTF-8 under another name: no text of the other examples can have it.
FALSE_NAME = "(;FF[4]GM[1]SZ[19]CA[GBK]PB[青木一郎]PW[田中花子]GC[東京の対局])".encode()


def test_each_rule_with_a_safe_fix_says_why_nothing_else_can_be_meant_and_no_other() -> None:
    safe = {one.code for one in check(io.BytesIO(FALSE_NAME)) if one.fix and one.fix.safe}
    for rows in table("fix/fixes.jsonl").values():
        for wrong, *_ in rows:
            safe |= {one.code for one in check(io.StringIO(wrong)) if one.fix and one.fix.safe}
    for entry in ENTRIES.values():
        for example in wrong_examples(entry):
            safe |= {one.code for one in report(entry, example) if one.fix and one.fix.safe}

    assert safe == {code for code, entry in ENTRIES.items() if entry.safe}


def strict_loading_raises_for_every_error_that_check_reports(
    entry: Entry, example: str | bytes, report: Report
) -> None:
    """Without replaying a game; nothing that takes that is an error."""
    expected = report.errors

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


def loading_with_check_finds_what_check_does(
    entry: Entry, example: str | bytes, report: Report
) -> None:
    collection = loads(example, strict=False, check=True, format=format_of(entry))

    assert collection.diagnostics == report.diagnostics


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


def test_every_summary_is_words_without_a_full_stop() -> None:
    for rule in RULES.values():
        assert re.fullmatch(r"[a-zA-Z'].*[^.]", rule.summary), rule.name
