"""Findings carry data: a rule makes them, and no code reads what they say to people."""

import ast

import pytest
from support.house import house

from sgf_lark import RULES
from sgf_lark.all_rules import rule_modules
from sgf_lark.findings.finding import GROUPS
from sgf_lark.findings.rules import register

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


# ---- the registry ----


def registers(node: ast.AST) -> bool:
    """A call registers a rule."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "register" and bool(node.args)


def registered(module: ast.Module) -> set[str]:
    """The names of a module for rules that it registers, alone or in a table."""
    return {
        target.id
        for node in module.body
        if isinstance(node, ast.Assign) and any(map(registers, ast.walk(node.value)))
        for target in node.targets
        if isinstance(target, ast.Name)
    }


#: A field of another class of that name.
FIELD = "self.found"


def is_finding(node: ast.AST | None) -> bool:
    """An expression is the class itself, by its name or its module's."""
    return isinstance(node, ast.Name | ast.Attribute) and names(node)[-1] == "Finding"


def names(node: ast.AST) -> list[str]:
    """The names of an expression such as ``finding.Finding``."""
    return ast.unparse(node).split(".")


def annotations(module: ast.Module) -> set[int]:
    """The parts of types, by their numbers; an alias of a type is one, but not another name."""
    types = [
        part
        for node in ast.walk(module)
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None))
    ] + [
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"
        if not is_finding(node.value)
    ]
    return {id(part) for one in types if one is not None for part in ast.walk(one)}


def rules_given(call: ast.Call) -> list[ast.expr]:
    """The rules that a call gives to a finding that there is."""
    match call.func:
        case ast.Attribute(attr="_replace"):
            return [one.value for one in call.keywords if one.arg == "rule"]
        case ast.Attribute(attr="as_one_of"):
            return [*call.args[:1], *(one.value for one in call.keywords if one.arg == "rule")]
    return []


def foreign(module: ast.Module) -> list[str]:
    """Parts that make findings of rules that the module does not register, or without a rule."""
    own, types = registered(module), annotations(module)

    def is_foreign(rule: ast.expr) -> bool:
        """A rule of another module; of any module, if this one registers none."""
        name = rule.value if isinstance(rule, ast.Subscript) else rule
        is_constant = isinstance(name, ast.Name) and name.id.lstrip("_").isupper()
        return not own or (is_constant and ast.unparse(name) not in own)

    found: list[ast.AST] = []
    for node in ast.walk(module):
        match node:
            case ast.alias(name="Finding", asname=str()):
                found.append(node)
            case ast.Name() | ast.Attribute() if is_finding(node) and id(node) not in types:
                found.append(node)
            case ast.Attribute(attr="found") if ast.unparse(node) != FIELD:
                found += [node] * is_foreign(node.value)
            case ast.Attribute(attr="_make", value=ast.Name(id=name)) if name != "self":
                found += [node] * name.islower()
            case ast.Call():
                found += [node for rule in rules_given(node) if is_foreign(rule)]
    return [*map(ast.unparse, found)]


def test_a_finding_is_made_by_its_rule_in_the_module_that_registers_it() -> None:
    made = {name: foreign(module) for name, module in HOUSE.modules.items()}

    assert {name: calls for name, calls in made.items() if calls} == {
        "findings.finding": made["findings.finding"]
    }


@pytest.mark.parametrize(
    "line",
    [
        "one = Finding(rule, 'text')",
        "make = Finding",
        "Make: TypeAlias = Finding",
        "from sgf_lark.findings.finding import Finding as Make",
        "make = finding.Finding._make",
        "one = Finding._make(parts)",
        "one = finding._make(parts)",
        "one = Finding.of(rule)",
        "make = partial(tuple.__new__, Finding)",
        "class Mine(Finding): ...",
        "found = RULES['a-rule'].found('text')",
        "make = OTHER_RULE.found",
        "finding = finding._replace(rule=RULE)",
        "finding = finding._replace(help='', rule=OTHERS['a'])",
        "finding = finding.as_one_of(OTHER_RULE)",
        "finding = finding.as_one_of(rule=OTHER_RULE)",
    ],
)
@pytest.mark.parametrize("own", ["", "A_RULE = register('V999 a-rule error: a')\n"])
def test_a_finding_that_is_made_elsewhere_is_seen(line: str, own: str) -> None:
    assert foreign(ast.parse(own + line))


@pytest.mark.parametrize(
    "line",
    [
        "def f() -> Finding: return A_RULE.found('a')",
        "found = OF_GAMES['a'].found('a')",
        "finding = finding._replace(rule=A_RULE)",
        "finding = finding.as_one_of(OF_GAMES['a'])",
        "finding = finding._replace(help='')",
        "Look: TypeAlias = Callable[..., Iterator[Finding]]",
        "from sgf_lark.findings.finding import Finding",
    ],
)
def test_a_finding_of_a_rule_of_the_module_is_right(line: str) -> None:
    own = (
        "A_RULE = register('V999 a-rule error: a')\nOF_GAMES = {'a': register('V998 b error: b')}\n"
    )

    assert not foreign(ast.parse(own + line))


def test_every_module_that_registers_rules_is_imported_with_all_of_them() -> None:
    registering = {
        name
        for name, module in HOUSE.modules.items()
        if any(map(registers, ast.walk(module))) and name != "findings.rules"
    }

    assert {one.__name__.removeprefix("sgf_lark.") for one in rule_modules()} == registering


def test_all_rules_are_in_the_order_of_groups_and_codes() -> None:
    codes = [rule.code for rule in RULES.values()]

    assert codes == sorted(codes, key=lambda code: ([*GROUPS].index(code[0]), code))
    assert len(codes) == len(set(codes)) > 190


@pytest.mark.parametrize("line", ["V301 another error: x", "V398 wrong-value error: x"])
def test_a_code_and_a_name_are_of_one_rule(line: str) -> None:
    assert RULES
    with pytest.raises(ValueError, match="another rule is registered"):
        register(line)
