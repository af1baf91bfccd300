"""Everything that is derived from the shipped grammars and tables, for the wheel."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path

from lark.exceptions import GrammarError

from sgf_lark.check.typed_reader import typed_reader
from sgf_lark.grammar import derived, loader as grammars
from sgf_lark.model.ruleset import RuleSet, RuleSets
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GO, GameNumber
from sgf_lark.schema.properties import PropertyTable
from sgf_lark.schema.values import BoardSize
from sgf_lark.values.reader import reader
from sgf_lark.values.typed import TypedProperties

#: The boards that most records of any game have, beside the game's own: of another one, only the
#: rows with points are derived when a record needs them.
BOARDS = tuple(BoardSize(side, side) for side in (9, 13, 19))

#: The games whose compiled expressions are kept, those that most records are of, and the grammars
#: by which they are read.
KEPT_GAMES = (GameNumber.GO, GameNumber.OTHELLO)
KEPT_FILES = frozenset({"ff1", "ff3", "ff4", "ggf", "games/go", "games/othello"})

#: The rules of which readers use the terminals, beside those of the lexical grammar.
TOKENISED = frozenset({"property", "played"})


def derive_all(target: Path) -> None:
    """Derive all data anew, and write them to a file for the wheel.

    This process has to have read no game yet: it would remember what it has derived for it.

    Raises:
        OSError: The file cannot be written.
    """
    find_key = partial(derived.key, grammars.folder(), with_code=False)
    data = derived.DerivedData(None, find_key, keeps=True)
    derived.use(grammars.folder(), data)
    for name in grammars.names():
        file = grammars.path(name)
        structure = grammars.in_structure(file)
        for rule in grammars.rules(file):
            if rule not in structure:
                with suppress(GrammarError):  # a quotation, which nothing is read by
                    parser = grammars.generated(file, rule, of_value=True)
                    if parser is not None and name in KEPT_FILES:
                        plan = parser.plan
                        _ = [*plan.regular.values()], [*plan.groups.values()]
            if rule in TOKENISED or file.stem == "lexical":
                grammars.terminals(file, rule)
    table = PropertyTable.standard()
    for format_, number, over_19 in product(Format, table.numbered, (False, True)):
        game = table.game(format_, number, table.numbered[number].name)
        one = reader(format_, game, over_19=over_19)
        boards = () if over_19 or not game.has_board else (*BOARDS, game.size, game.usual_size)
        for size in dict.fromkeys((None, *boards)):
            [*TypedProperties(one, table, size).values()]
    for format_, number in product(Format, KEPT_GAMES):
        game = table.game(format_, number, table.numbered[number].name)
        _keep_codes(RuleSets(table).rules(format_, game))
    data.write(target)


def _keep_codes(rules: RuleSet) -> None:
    """Compile the tests of all properties in games of a rule set."""
    for row in rules.table:
        rule = rules.rule(row.ident)
        if rule is not None and row.format is rules.format:
            boards = (BOARDS if rules.game is GO else ()) + (rules.game.usual_size,)
            for lints, size in product((False, True), boards):
                typed_reader(rules, size, lints=lints).accepts(rule.ident, ("",))
