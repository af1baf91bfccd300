"""The modules of the core that register rules."""

from types import ModuleType

from .check import (
    across_games,
    check_game,
    handicap,
    outside_games,
    producers,
    value_lints,
    wrong_game,
)
from .findings import report
from .grammar import grammars, mismatch
from .model import constraints, node_rules, tree_rules
from .read import repair
from .text import charset_names, choice, encoding
from .values import reader, values_file


def rule_modules_of_core() -> tuple[ModuleType, ...]:
    return (
        *(across_games, outside_games, check_game, handicap, producers, value_lints),
        *(wrong_game, report, grammars, mismatch, constraints, node_rules, tree_rules, repair),
        *(charset_names, choice, encoding, reader, values_file),
    )
