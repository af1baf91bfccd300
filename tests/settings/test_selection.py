"""Which findings are reported, and how grave they count."""

import io
import pickle

import pytest
from hypothesis import given, settings, strategies as st
from pydantic import ValidationError

from sgf_lark import RULES, CheckOptions, check
from sgf_lark.core.check.selection import selected
from sgf_lark.core.findings.diagnostic import Diagnostic
from sgf_lark.core.findings.finding import GROUPS
from sgf_lark.core.places import LineIndex, Span

#: An info, an error, an info and an error.
FOUND = tuple(
    Diagnostic.of(RULES[name].found("something", Span(0, 1)), LineIndex("text"))
    for name in ("missing-format", "wrong-value", "unknown-property", "wrong-value")
)


def chosen(**options: object) -> list[tuple[str, str]]:
    """Code and severity of what is reported of the findings above."""
    found = CheckOptions.model_validate(options).choose(FOUND, "a.sgf")
    return [(one.code, one.severity.value) for one in found]


def codes(**options: object) -> list[str]:
    """The codes of what is reported of the findings above."""
    return [code for code, _ in chosen(**options)]


def test_the_api_takes_options() -> None:
    text = "(;FF[4];B[zz9]X[1])"
    some = check(io.StringIO(text), options=CheckOptions(select=("V301", "D501"), warn=("V",)))

    assert [(one.code, one.severity.value) for one in some] == [
        ("V301", "warning"),
        ("D501", "info"),
    ]
    assert {one.code for one in some} <= {one.code for one in check(io.StringIO(text))}


def test_all_is_reported_if_nothing_is_chosen() -> None:
    assert CheckOptions().choose(FOUND) == FOUND


@pytest.mark.parametrize(
    "name", ["V301", "v301", "wrong-value", "V", "V3", "V30", "value", "Values"]
)
def test_a_rule_goes_by_code_name_beginning_and_group(name: str) -> None:
    assert codes(select=[name]) == ["V301", "V301"]
    assert codes(ignore=[name]) == ["T201", "D501"]


def test_the_closer_name_decides() -> None:
    assert codes(ignore=["V"], extend_select=["V301"]) == ["T201", "V301", "D501", "V301"]
    assert codes(select=["V301"], ignore=["V"]) == ["V301", "V301"]
    assert codes(select=["V"], ignore=["V301"]) == []
    assert codes(select=["T2"], ignore=["T"]) == ["T201"]
    assert codes(ignore=["ALL"]) == []
    assert codes(ignore=["V301"], extend_select=["wrong-value"]) == ["T201", "D501"]


def test_a_group_is_all_rules_of_one_letter() -> None:
    assert {rule.code[0] for rule in selected("structure")} == {"T"}
    assert selected("structure") == selected("T")
    assert {rule.group for rule in RULES.values()} == {*GROUPS.values()}


def test_a_severity_is_chosen_for_rules() -> None:
    assert chosen(warn=["V"], info=["V302"], error=["missing-format"]) == [
        ("T201", "error"),
        ("V301", "warning"),
        ("D501", "info"),
        ("V301", "warning"),
    ]


def test_of_equally_close_choices_the_gravest_holds() -> None:
    assert ("V301", "warning") in chosen(info=["V301"], warn=["wrong-value"])


def test_strict_raises_infos_unless_they_are_named() -> None:
    assert chosen(strict=True, info=["D501"])[:3] == [
        ("T201", "warning"),
        ("V301", "error"),
        ("D501", "info"),
    ]


def test_strict_rules_wait_until_they_are_asked_for() -> None:
    strict = {name for name, rule in RULES.items() if rule.strict}

    assert strict
    assert CheckOptions().asked == CheckOptions(select=["G", "G6"]).asked == frozenset()
    assert CheckOptions(strict=True).asked == strict
    assert CheckOptions(strict=True, ignore=["G609"]).asked == strict - {"same-color-twice"}
    assert CheckOptions(extend_select=["G609"]).asked == {"same-color-twice"}


# ---- one file and another ----


def off(pattern: str, file: str) -> bool:
    """A pattern makes a rule be off in a file."""
    options = CheckOptions(per_file_ignores={pattern: ["V301"]}, folder="/games")
    return len(options.choose(FOUND, file)) == len(FOUND) - 2


@pytest.mark.parametrize(
    ("pattern", "file"),
    [
        ("a.sgf", "/games/a.sgf"),
        ("a.sgf", "/games/deep/down/a.sgf"),
        ("*.sgf", "/elsewhere/a.sgf"),
        ("old", "/games/x/old/y/a.sgf"),
        ("old/", "/games/x/old/y/a.sgf"),
        ("old/*.sgf", "/games/old/a.sgf"),
        ("./old/a.sgf", "/games/old/a.sgf"),
        ("old/**", "/games/old/x/y/a.sgf"),
        ("old/**/a.sgf", "/games/old/a.sgf"),
        ("**/old/*.sgf", "/games/x/y/old/a.sgf"),
        ("**/x/**/y/*", "/games/x/x/y/z/y/a.sgf"),
        ("[ab]?.sgf", "/games/b1.sgf"),
        ("[!ab]?.sgf", "/games/c1.sgf"),
        ("/old", "/games/old/x/a.sgf"),
        ("/a.sgf", "/games/a.sgf"),
        ("old/*/a.sgf", "/games/old/x/a.sgf"),
        ("**", "/elsewhere/a.sgf"),
        (r"\!a.sgf", "/games/!a.sgf"),
        (r"\#a.sgf", "/games/#a.sgf"),
    ],
)
def test_a_pattern_means_files_and_all_below_folders(pattern: str, file: str) -> None:
    assert off(pattern, file)


@pytest.mark.parametrize(
    ("pattern", "file"),
    [
        ("a.sgf", "/games/b.sgf"),
        ("old/*.sgf", "/games/x/old/a.sgf"),
        ("old/*.sgf", "/games/old.sgf"),
        ("*.sgf", "/games/a.ggf"),
        ("old/*", "/games/older/a.sgf"),
        ("**/x/y", "/games/x/z/y"),
        ("old/", "/games/x/old"),
        ("/old", "/games/x/old/a.sgf"),
        ("/a.sgf", "/games/x/a.sgf"),
        ("./a.sgf", "/games/x/a.sgf"),
        ("old/*/a.sgf", "/games/old/a.sgf"),
        ("old/*/a.sgf", "/games/old/x/y/a.sgf"),
        ("A.sgf", "/games/a.sgf"),
        ("#a.sgf", "/games/#a.sgf"),
        ("!a.sgf", "/games/a.sgf"),
        ("elsewhere/*.sgf", "/elsewhere/a.sgf"),
        (".*", "/elsewhere/a.sgf"),
    ],
)
def test_a_pattern_means_nothing_else(pattern: str, file: str) -> None:
    assert not off(pattern, file)


@pytest.mark.parametrize(
    ("patterns", "file", "values"),
    [
        ({"old/*": ["V"], "!old/a.sgf": ["V"]}, "old/b.sgf", 0),
        ({"old/*": ["V"], "!old/a.sgf": ["V"]}, "old/a.sgf", 2),
        ({"!old/a.sgf": ["V"], "old/*": ["V"]}, "old/a.sgf", 0),
        ({"*": ["V"], "!old": ["V"], "old/a.sgf": ["V"]}, "old/a.sgf", 0),
        ({"*": ["V"], "!old/": ["V"]}, "old/b.sgf", 0),  # the file itself matches
        ({"*": ["V"], "!old/**": ["V301"]}, "old/b.sgf", 2),
        ({"*": ["V301"], "!old/": ["D"]}, "old/b.sgf", 0),
    ],
)
def test_of_the_patterns_for_a_rule_the_last_one_that_matches_decides(
    patterns: dict[str, list[str]], file: str, values: int
) -> None:
    options = CheckOptions(per_file_ignores=patterns)

    assert [one.code for one in options.choose(FOUND, file)].count("V301") == values


@pytest.mark.parametrize("pattern", ["a\\", "!"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(ValidationError) as caught:
        CheckOptions(per_file_ignores={pattern: ["V"]})

    message = f"invalid pattern '{pattern}': expected one as in .gitignore"
    assert message in str(caught.value)


def test_many_stars_take_no_time() -> None:
    assert not off("**/" * 300 + "z", "/games/" + "x/" * 300 + "a.sgf")


# ---- one choice over another ----


def test_what_is_selected_above_replaces_what_was_below() -> None:
    below = CheckOptions(select=["V"], ignore=["T"], error=["D501"], strict=True)
    above = CheckOptions(select=["T201", "D"], warn=["D501"])
    both = above.over(below)

    assert [
        one
        for one in ("missing-format", "wrong-value", "unknown-property")
        if both.is_on(RULES[one])
    ] == [
        "missing-format",
        "unknown-property",
    ]
    assert chosen(**both.model_dump()) == [("T201", "warning"), ("D501", "warning")]


def test_other_lists_change_what_was_below_rule_by_rule() -> None:
    below = CheckOptions(select=["V301", "D501"])

    assert codes() != codes(**CheckOptions(ignore=["V"]).over(below).model_dump())
    assert codes(**CheckOptions(ignore=["V"]).over(below).model_dump()) == ["D501"]
    assert codes(**CheckOptions(extend_select=["T"]).over(below).model_dump()) == codes()
    assert codes(**CheckOptions().over(below).model_dump()) == ["V301", "D501", "V301"]


def test_strict_can_be_taken_back() -> None:
    below = CheckOptions(strict=True)

    assert not CheckOptions(strict=False).over(below).asked
    assert CheckOptions(ignore=["V"]).over(below).asked == below.asked
    assert CheckOptions(ignore=["T222"]).over(below).asked == below.asked - {"doubtful-players"}
    assert CheckOptions(extend_select=["G"]).over(CheckOptions()).asked == frozenset()
    assert CheckOptions(extend_select=["G609"]).over(CheckOptions()).asked == {"same-color-twice"}


# ---- what is no choice ----


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ("V999", "no rule is called 'V999'"),
        ("wrong-valu", "no rule is called 'wrong-valu'; did you mean 'wrong-value'?"),
        ("", "no rule is called ''"),
        ("301", "no rule is called '301'"),
    ],
)
def test_an_unknown_rule_is_refused(selector: str, message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        CheckOptions(select=[selector])

    assert message in str(caught.value)


def test_options_go_to_other_processes() -> None:
    options = CheckOptions(ignore=["V"], per_file_ignores={"x": ["D"]})

    assert pickle.loads(pickle.dumps(options)) == options
    assert options.asked == pickle.loads(pickle.dumps(options)).asked


LISTS = st.lists(st.sampled_from(["ALL", "V", "V3", "V301", "value", "T2", "D501", "G", "G609"]))


@given(
    st.fixed_dictionaries(
        {"select": LISTS, "ignore": LISTS, "warn": LISTS, "strict": st.booleans()}
    )
)
@settings(deadline=None)
def test_nothing_over_something_is_the_same(said: dict[str, object]) -> None:
    below = CheckOptions.model_validate(said)
    both = CheckOptions().over(below)

    assert [both.is_on(rule) for rule in RULES.values()] == [
        below.is_on(rule) for rule in RULES.values()
    ]
    assert both.choose(FOUND) == below.choose(FOUND)
    assert both.asked == below.asked


@given(st.fixed_dictionaries({"select": LISTS, "ignore": LISTS, "strict": st.booleans()}))
@settings(deadline=None)
def test_all_that_is_said_above_hides_what_is_below(said: dict[str, object]) -> None:
    above = CheckOptions.model_validate(said)
    both = above.over(CheckOptions(ignore=("V",), extend_select=("G609",), strict=True))

    assert [both.is_on(rule) for rule in RULES.values()] == [
        above.is_on(rule) for rule in RULES.values()
    ]
