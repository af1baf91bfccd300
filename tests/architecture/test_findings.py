"""Findings carry data: a rule makes them, and no code reads what they say to people."""

import ast

import pytest
from support.house import house

from sgf_lark import RULES

HOUSE = house()

#: Attributes that hold a sentence for people.
SENTENCES = {"message", "help"}

#: Functions of regular expressions, of modules and of patterns.
SEARCHES = {"search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}


def holds_sentence(node: ast.AST) -> bool:
    """An expression is a sentence of a finding, or a part of it or of its letters."""
    if isinstance(node, ast.Subscript):
        return holds_sentence(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return holds_sentence(node.func.value)  # in other letters, or in parts
    return isinstance(node, ast.Attribute) and node.attr in SENTENCES


def reads(node: ast.AST) -> bool:
    """A part of a program decides by a sentence, or takes it apart."""
    if isinstance(node, ast.Compare):
        return any(map(holds_sentence, (node.left, *node.comparators)))
    if isinstance(node, ast.Match):
        return holds_sentence(node.subject)
    if isinstance(node, ast.keyword):
        return node.arg == "key" and any(map(holds_sentence, ast.walk(node.value)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        given = (*node.args, *(one.value for one in node.keywords))
        return holds_sentence(node.func.value) or (
            node.func.attr in SEARCHES and any(map(holds_sentence, given))
        )
    return False


def test_no_code_decides_by_the_words_of_a_finding() -> None:
    assert [
        f"{name}: {ast.unparse(node)}"
        for name, nodes in HOUSE.nodes.items()
        for node in nodes
        if reads(node)
    ] == []


@pytest.mark.parametrize(
    "line",
    [
        "'properties' in one.message",
        "one.message == 'a'",
        "'a' != found.fix.message",
        "one.message.startswith('a')",
        "one.help.lower().endswith('a')",
        "one.message[:3] == 'the'",
        "re.search('a', one.message)",
        "WORD.fullmatch(string=one.help)",
        "sorted(found, key=lambda one: (one.span, one.message))",
        "match one.message:\n  case 'a': pass",
    ],
)
def test_a_look_at_the_words_of_a_finding_is_seen(line: str) -> None:
    assert any(map(reads, ast.walk(ast.parse(line))))


@pytest.mark.parametrize(
    "line",
    ["say(one.message)", "f'{one.code}: {one.message}'", "one.help or ''", "message == 'a'"],
)
def test_to_show_the_words_of_a_finding_is_no_look_at_them(line: str) -> None:
    assert not any(map(reads, ast.walk(ast.parse(line))))


def test_only_a_rule_makes_findings() -> None:
    assert {
        name
        for name, nodes in HOUSE.nodes.items()
        for node in nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"Finding", "finding.Finding"}
    } == {"diagnostics.finding"}


def test_every_finding_is_of_a_known_rule() -> None:
    named = {
        node.slice.value: name
        for name, nodes in HOUSE.nodes.items()
        for node in nodes
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == "RULES"
        and isinstance(node.slice, ast.Constant)
    }
    assert {name: of for name, of in named.items() if name not in RULES} == {}
    assert len(named) > len(RULES) // 3
