"""Grammars made up by chance, and transformers for them: both engines give the same."""

from __future__ import annotations

import random
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from lark import Discard, Lark, Transformer, Tree, v_args
from lark.exceptions import LarkError
from support.engines import Lists, by_lark, by_parser, parser_of
from support.lanes import amount
from support.sentences import mutated, sentences

import sgf_lark
from sgf_lark.core.engine.plan import UntranslatableError
from sgf_lark.core.schema.formats import EngineName

if TYPE_CHECKING:
    from collections.abc import Callable

#: So many grammars.
COUNT = amount(15, 100, "SGF_LARK_GRAMMARS")

#: So many texts of each, and as many that are nearly so.
TEXTS = 30

TERMINALS = [
    *('"a"', '"b"', '"("', '")"', '","', '":"', '";"', '"ab"', '"abc"', '"if"i', '"IF"', '"é"'),
    *("/[a-z]+/", "/[0-9]+/", "/[a-c]/", "/[^,;]/", "/x+y?/", '/"[^"]*"/', "/[A-Z][a-z]*/"),
    *("/0|[1-9][0-9]*/", r"/\d+/", r"/\w/", "/a|b/", "/./", "/./s", "/[+-]/", "/(?i:q+)/"),
    *("/a{1,2}b/", '"a".."c"', r"/\s/", r'/"(\\.|[^\\"])*"/', r"/--[^\n]*/", '"[["', '"["'),
    *('"]"', r'"\n"', "/(ab|cd)*e/"),
]
#: They begin alike, one or two characters long: of them, Lark takes the first by its order.
ALIKE = [
    *("/,a/", "/,ab/", "/,[ab]/", "/,b?c/", "/,a+/", "/,[ab]-/", "/,[0-9]/", "/,[0-9][0-9]/"),
    *("/,[0-9]-/", "/,(a|b)c?/", "/[^a _]/", "/,-?[a-c]/", "/,+/", '",b"', '",-"i', "/[,;]a?/"),
]
PIECES = (*'abcxyzABC019,;:()[]<>/.!"-+ \n#éqQ', "if", "IF", "ab", "abc")
GAPS = ("", " ")
WORDS = ("abab", '"ab"', "aab", "10")


def expression(dice: random.Random, symbols: list[str], depth: int = 0) -> str:
    """The right side of a rule, or a part of it."""
    kind = dice.random()
    if depth > 2 or kind < 0.45:
        return dice.choice(symbols)
    inside = partial(expression, dice, symbols, depth + 1)
    if kind < 0.62:
        return " ".join(inside() for _ in range(dice.randint(2, 3)))
    if kind < 0.74:
        return f"({' | '.join(inside() for _ in range(dice.randint(2, 3)))})"
    how = dice.choice(["({})*", "({})+", "({})?", "[{}]", "({})~2", "({})~1..3", "({})~0..2"])
    return how.format(inside())


def grammar(dice: random.Random) -> str:
    """A grammar that does not refer to itself."""
    terminals, defined = [], []
    for letter, pattern in zip("ABCDEFG", dice.sample(TERMINALS, dice.randint(3, 7)), strict=False):
        name = dice.choice([letter, f"_{letter}", None, None])
        if name is not None:
            order = f".{dice.randint(-1, 3)}" if dice.random() < 0.25 else ""
            defined.append(f"{name}{order}: {pattern}")
        terminals.append(name or pattern)
    rules: list[str] = []
    for number in range(dice.randint(2, 5)):
        mark, name = dice.choice(["", "?", "!", "_", "?!", "!_"]), f"r{number}"
        named = f"_{name}" if "_" in mark else name
        choices = [expression(dice, 3 * terminals + 2 * rules) for _ in range(dice.randint(1, 3))]
        if "_" not in mark and dice.random() < 0.3:
            choices[-1] += f" -> other{dice.randint(0, 2)}"
        defined.append(f"{mark.replace('_', '')}{named}: {' | '.join(choices)}")
        rules.append(named)
    start = expression(dice, terminals + 3 * rules[-2:])
    defined.append(f"{dice.choice(['', '?', '!'])}start: {start}")
    ignored = [None, None, None, '" "', r"/[ \n]+/", r"/#[^\n]*/"]
    defined += [f"%ignore {one}" for one in [dice.choice(ignored)] if one]
    return "\n".join(defined)


def loops(dice: random.Random) -> str:
    """A grammar of loops and options that begin like what follows them."""
    patterns = dice.sample(ALIKE, 7)
    defined = [
        f"{name}.{dice.randint(0, 3)}: {one}" for name, one in zip("ABCDEFG", patterns, strict=True)
    ]
    waiting, rules = list("ABCDEFG"), 0

    def part(depth: int = 0) -> str:
        nonlocal rules
        if not waiting:
            return '";"'
        kind = dice.choice(["{}", "{}", "({})*", "({})+", "[{}]", "({})?", "({} | {})*", "rule"])
        if depth > 2 or kind == "{}":
            return waiting.pop()
        if kind != "rule":
            return kind.format(*(several(depth + 1) for _ in range(kind.count("{}"))))
        rules += 1
        name = f"{dice.choice(['', '_'])}r{rules}"
        defined.append(f"{name}: {several(depth + 1)}")
        return dice.choice([name, name, f'{name} ";" {name}', f'{name} ":" {part(3)}'])

    def several(depth: int) -> str:
        return " ".join(part(depth) for _ in range(dice.choice([1, 1, 2, 3])))

    start = " ".join(part() for _ in range(4))
    ignored = dice.choice(["", "", '\n%ignore " "', "\n%ignore /_+/"])
    return "\n".join([*defined, f"start: {start}"]) + ignored


def transformer(dice: random.Random, lark: Lark) -> Transformer[Any, Any]:
    """Methods of all kinds that Lark knows, for some of the rules and terminals."""

    def put(name: str) -> Callable[..., Any]:
        return lambda _, *children: [name, *children]

    def drop(_: object, children: list[Any]) -> Any:
        return Discard if len(children) % 2 else tuple(children)

    def leave(_: object, tree: Any) -> Any:
        return Tree(tree.data, tree.children[::-1])

    methods: dict[str, Any] = {}
    for name in sorted({rule.alias or rule.origin.name for rule in lark.rules}):
        kinds = [
            None,
            None,
            drop,
            v_args(tree=True)(leave),
            v_args(inline=True)(put(name)),
        ]
        methods[name] = dice.choice(kinds)
    for terminal in lark.terminals:
        methods[terminal.name] = dice.choice(
            [None, None, None, drop, lambda _, token: (token.type, token.upper())]
        )
    methods["__default__"] = dice.choice([None, lambda _, name, inside, __: {str(name): inside}])
    methods["__default_token__"] = dice.choice([None, lambda _, token: token.type])
    made = type("Made", (Transformer,), {name: one for name, one in methods.items() if one})
    answer: Transformer[Any, Any] = made(visit_tokens=dice.random() < 0.8)
    return answer


@pytest.mark.both_lanes
@pytest.mark.parametrize(("make", "count"), [(grammar, COUNT), (loops, 2 * COUNT)])
def test_grammars_by_chance_are_read_alike_by_both_engines(
    make: Callable[[random.Random], str], count: int
) -> None:
    translated = 0
    for seed in range(count):
        dice = random.Random(seed)  # noqa: S311  # the same grammars each time
        source = make(dice)
        try:
            lark = Lark(source, parser="lalr", maybe_placeholders=dice.random() < 0.7)
            parser = parser_of(lark, "start")
            texts = list(islice(sentences(lark, "start", dice, PIECES, GAPS, WORDS), TEXTS))
        except (LarkError, UntranslatableError, IndexError):  # ambiguous, or of no short token
            continue
        translated += 1
        for methods in (Lists(), transformer(dice, lark)):
            for text in texts:
                for one in (text, mutated(text, dice, PIECES)):
                    told = f"{seed}\n{source}\n{one!r}"
                    assert by_parser(parser, one, methods) == by_lark(lark, one, methods), told

    assert translated > count / 8


# ---- what users write ----

GRAMMAR = """
start: item*
item: "(" NAME [number] (twice | word)* ")" -> brackets | "<" NAME ">"
word: "<" NAME ">"
number: /[0-9]+/
twice: "#" number number
NAME: /[a-z]+/
%ignore " "
"""


class Discarding(Transformer[Any, Any]):
    def number(self, children: list[Any]) -> Any:
        return Discard if children == ["0"] else int(children[0])

    def NAME(self, token: Any) -> Any:
        return Discard if len(token) > 1 else token.upper()


@v_args(inline=True)
class Inline(Transformer[Any, Any]):
    def brackets(self, name: str, number: int | None, *rest: Any) -> Any:
        return str(name), number, rest

    def number(self, token: str) -> int:
        return int(token)


class OfTrees(Transformer[Any, Any]):
    @v_args(tree=True)
    def brackets(self, tree: Any) -> Any:
        return Tree("turned", tree.children[::-1])

    @v_args(meta=True)
    def twice(self, meta: Any, children: list[Any]) -> Any:
        return meta.empty, children


@pytest.mark.parametrize("methods", [Discarding(), Inline(), OfTrees()])
@pytest.mark.parametrize(
    "text", ["", "(xx)<xx>", "(a 1 #0 2 <b> #5 6 #7 0) <xx> (c 0) <y>", "(a 1"]
)
def test_what_lark_offers_to_methods_is_offered_by_both_engines(
    methods: Transformer[Any, Any], text: str
) -> None:
    lark = Lark(GRAMMAR, parser="lalr")

    assert by_parser(parser_of(lark, "start"), text, methods) == by_lark(lark, text, methods)


@v_args(inline=True)
class Shares(sgf_lark.SgfValues):
    """What one's own type of value may mean."""

    def share(self, *parts: Any) -> Any:
        return list(parts)

    def part(self, name: Any, count: Any) -> Any:
        return Discard if count == 0 else [name, count]

    def __default_token__(self, token: Any) -> Any:
        return int(token) if token.type == "NUMBER" else f"{token.type} {token}"


@pytest.mark.parametrize("engine", ["auto", "lark"])
def test_values_of_a_dialect_are_made_alike_by_both_engines(
    engine: EngineName, tmp_path: Any
) -> None:
    own = tmp_path / "shares.lark"
    own.write_text(
        "%import .ff4 (collection, game_tree, sequence, node, property, PROP_IDENT, PROP_VALUE,"
        " _OPEN, _CLOSE, _SEMICOLON, NUMBER, WS)\n"
        'share: part ("," part)*\npart: WORD NUMBER\nWORD: /[a-z]+/\n%ignore WS\n'
    )
    table = sgf_lark.PropertyTable.standard().extend(
        sgf_lark.PropertyRule(
            format="FF4", ident="XS", category="none", type="share", domain="shares"
        )
    )
    game = sgf_lark.loads(
        "(;FF[4]XS[a1,b0,c22])", grammar=own, values=Shares(), table=table, engine=engine
    )[0]

    assert game.root["XS"] == [["WORD a", 1], ["WORD c", 22]]
