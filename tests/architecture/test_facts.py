"""Facts of the standards stand in ``schema`` alone; elsewhere a list of them has a reason."""

import ast
import re
from collections.abc import Iterable, Iterator

import pytest
from support.house import house

from sgf_lark import PropertyTable

IDENTS = frozenset(rule.ident for rule in PropertyTable.standard())

HOUSE = house()

#: Reasons that several places share.
RULES = "properties of which a check looks at the values"
WAYS = "a property of one format, and what it becomes in another"
SIDES = "what is compared, or taken turn about: one side, the other side"
ORDER = "an order that a writer keeps"
VALUES = "a value for each"
COLUMNS = "the columns of a table"
CODES = "letters of codes, not properties"

#: Where properties are listed outside ``schema``: the module and the properties, and why.
ALLOWED = {
    ("api.fix", "CA FF"): "what a file that is saved as UTF-8 declares",
    ("check.games.backgammon", "CO CP CV PL"): "the cube, CP as GNU Backgammon wrote CO",
    ("boards.games.backgammon", "CO CP"): "the cube, CP as GNU Backgammon wrote CO",
    ("check.games.ggf", "KB KW"): SIDES,
    ("check.across_games", "PB PW TY"): SIDES,
    ("check.games.ggf", "TB TW"): SIDES,
    ("check.games.go", "HA PL"): "what may give White the first move",
    ("check.handicap", "HA KM"): SIDES,
    ("model.node_rules", "KM RE"): SIDES,
    ("model.tree_rules", "BR BT PB"): SIDES,
    ("model.tree_rules", "BT PW"): SIDES,
    ("model.tree_rules", "BT WT"): SIDES,
    ("model.tree_rules", "PB PW"): SIDES,
    ("model.tree_rules", "PB WT"): SIDES,
    ("model.tree_rules", "PW WR WT"): SIDES,
    ("check.check_game", "FF GM"): RULES,
    ("check.value_lints", "BR WR"): RULES,
    ("convert.from_ggf", "KB KM KW"): WAYS,
    ("convert.from_ggf", "KB KW"): WAYS,
    ("convert.ggf_vocabulary", "AB AW"): WAYS,
    ("convert.ggf_vocabulary", "B W"): WAYS,
    ("convert.ggf_vocabulary", "PB PC PW RB RW"): WAYS,
    ("convert.ggf_vocabulary", "BO CO DT GM KB KM KW PB PC PW RB RE RW TB TI TW TY"): ORDER,
    ("convert.ggf_vocabulary", "TB TW"): VALUES,
    ("convert.markup_steps", "BM TE"): WAYS,
    ("convert.markup_steps", "DO IT"): WAYS,
    ("convert.markup_steps", "MA TR"): WAYS,
    ("convert.to_ggf", "C OT RU"): WAYS,
    ("convert.to_ggf", "PL SZ"): WAYS,
    ("convert.to_ggf", "PL V"): WAYS,
    ("findings.finding", "C L V"): CODES,
    ("fix.nodes", "BM TE"): WAYS,
    ("fix.place", "FF GM"): VALUES,
    ("model.info", "DT HA KM RE TI TM"): VALUES,
    ("model.positions.start", "AP CA"): VALUES,
    ("model.positions.start", "FF GM"): VALUES,
    ("model.constraints", "AP FG LB MI"): RULES,
    ("model.constraints", "AR AS LN"): RULES,
    ("model.draft", "FF GM"): VALUES,
    ("model.positions.numbering", "DD FG MN PM VW"): RULES,
    ("model.positions.problem", "HA PB PW RE"): VALUES,
    ("model.positions.markup", "BM DM DO GB GW HO IT TE UC"): VALUES,
    ("model.positions.markup", "AR L LB LN M"): RULES,
    ("model.positions.markup", "AR LB LN"): VALUES,
    ("model.positions.markup", "CR MA SL SQ TR"): VALUES,
    ("model.positions.markup", "TB TW"): VALUES,
    ("model.positions.transform", "AS KM MI RE V"): "texts that name a side by a word or a sign",
    ("model.positions.transform", "GB GW"): SIDES,
    ("archive.rows.scan", "B W"): COLUMNS,
    ("archive.rows.scan", "BL OB"): COLUMNS,
    ("archive.rows.scan", "BM DM DO GB GW HO IT TE UC"): COLUMNS,
    ("archive.rows.scan", "OW WL"): COLUMNS,
    ("read.split", "AP CA ST SZ VW"): "what shows that a damaged record is no GGF",
    ("read.whole_games", "EV FF GM SZ"): "what names the game, EV on one server",
    ("report.explain", "C L V"): CODES,
    ("server.views", "C N"): "the words of a node in an outline",
    ("values.corrections", "HA PL"): VALUES,
    ("write.styles", "AN BR BT CP DT EV GC GN HA KM ON OT PB PC PW RE RO RU SO TM US WR WT"): ORDER,
    ("write.styles", "AP CA FF GM ST SZ"): ORDER,
    ("write.styles", "B BO DT GM KB KM KW PB PC PW RB RE RW TB TI TW TY W"): ORDER,
    ("write.styles", "C N"): ORDER,
}


#: What lists texts, or is one.
LITERALS = (ast.Set, ast.List, ast.Tuple, ast.Dict, ast.Constant)


def texts(node: ast.AST) -> Iterator[str]:
    """The texts that a literal lists; a text of names in capitals lists these."""
    match node:
        case ast.Set() | ast.List() | ast.Tuple():
            entries: list[ast.expr | None] = [*node.elts]
        case ast.Dict():
            entries = [*node.keys]
        case ast.Constant(value=str() as value) if re.fullmatch(r"(\s*[A-Z]+)+\s*", value):
            yield from value.split()
            return
        case _:
            return
    for entry in entries:
        if isinstance(entry, ast.Constant) and isinstance(entry.value, str):
            yield entry.value


def lists(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """The literals of two or more properties: the line, and the properties in order."""
    for node in nodes:
        if not isinstance(node, LITERALS):
            continue
        found = IDENTS.intersection(texts(node))
        if len(found) > 1:
            yield getattr(node, "lineno", 0), " ".join(sorted(found))


def test_properties_are_listed_outside_the_schema_for_a_reason_only() -> None:
    used = set()
    wrong = []
    for name, nodes in HOUSE.nodes.items():
        if HOUSE.package(name) == "schema":
            continue
        for line, idents in lists(nodes):
            used.add((name, idents))
            if (name, idents) not in ALLOWED:
                wrong.append(f"{name}:{line} lists {idents}: take a Group of schema.properties")

    assert wrong == []
    assert sorted(ALLOWED.keys() - used) == []


@pytest.mark.parametrize(
    "text",
    [
        'x = {"AB", "AW", "AE"}',
        'x = frozenset(["TE", other, "BM"])',
        'x = ("CR", "MA")',
        'x = {"B": 1, "W": 2, **more}',
        'x = " FF GM SZ "',
    ],
)
def test_each_form_of_a_list_is_found(text: str) -> None:
    assert len(list(lists(ast.walk(ast.parse(text))))) == 1


@pytest.mark.parametrize("text", ['x = {"AB"}', 'x = {"a": "AB", "b": "AW"}', 'x = "KO is KO"'])
def test_a_single_property_is_no_list(text: str) -> None:
    assert list(lists(ast.walk(ast.parse(text)))) == []


def bare_numbers(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Lines that compare the number of a game with a literal number."""
    for node in nodes:
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        games = [one for one in sides if isinstance(one, ast.Attribute)]
        if any(one.attr == "game" or ast.unparse(one).endswith("game.number") for one in games):
            numbers = [one for side in sides for one in ast.walk(side)]
            if any(isinstance(one, ast.Constant) and type(one.value) is int for one in numbers):
                yield node.lineno


def test_games_are_called_by_their_names() -> None:
    wrong = [
        f"{name}:{line}: take a GameNumber, or a field of Game"
        for name, nodes in HOUSE.nodes.items()
        for line in bare_numbers(nodes)
    ]

    assert wrong == []


@pytest.mark.parametrize(
    "text", ["rules.game.number == 1", "place.game.game != 2", "game.game in {6, 19}"]
)
def test_each_form_of_a_bare_number_is_found(text: str) -> None:
    assert list(bare_numbers(ast.walk(ast.parse(text)))) == [1]
