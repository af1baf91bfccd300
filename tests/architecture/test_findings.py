"""The registry of rules: complete, in order, each code and name once."""

import re

import pytest
from support.house import modules

from sgf_lark import RULES
from sgf_lark.all_rules import rule_modules
from sgf_lark.core.findings.finding import GROUPS, register


def test_every_module_that_registers_rules_is_imported_with_all_of_them() -> None:
    call = re.compile(r"""\bregister\(\s*["'][A-Z]\d{3} """)
    registering = {name for name, text in modules().items() if call.search(text)}
    known = {one.__name__.removeprefix("sgf_lark.") for one in rule_modules()}

    assert registering == known | {"core.findings.finding"}  # whose docstring shows one


def test_all_rules_are_in_the_order_of_groups_and_codes() -> None:
    codes = [rule.code for rule in RULES.values()]

    assert codes == sorted(codes, key=lambda code: ([*GROUPS].index(code[0]), code))
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("line", ["V301 another error: x", "V398 wrong-value error: x"])
def test_a_code_and_a_name_are_of_one_rule(line: str) -> None:
    assert RULES
    with pytest.raises(ValueError, match="another rule is registered"):
        register(line)
