"""Everything that is derived from the shipped grammars and tables, for the wheel."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path

from lark.exceptions import GrammarError

from sgf_lark.core import Format, PropertyTable, derived, grammars, reader

#: The grammars by which most records are read: their expressions are derived, too.
KEPT_FILES = frozenset({"ff1", "ff3", "ff4", "ggf", "games/go", "games/othello"})

#: The rules of which readers use the terminals, beside those of the lexical grammar.
TOKENISED = frozenset({"property", "played", "sign"})


def derive_all(target: Path) -> None:
    """Derive all data anew, and write them to a file for the wheel.

    This process has to have read no game yet: it would remember what it has derived for it.
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
                grammars.terminals(file, rule, ignored=rule != "sign")
    for start in ("overtime", "time_and_overtime"):  # texts in which white space is free
        grammars.generated(grammars.path("words/overtime"), start)
    table = PropertyTable.standard()
    for format_, number, over_19 in product(Format, table.numbered, (False, True)):
        game = table.game(format_, number, table.numbered[number].name)
        by = reader(format_, game, over_19=over_19)
        for row in table:
            if row.format is format_ and row.game in {None, number}:
                by.property_reader(row)
    data.write(target)
