"""The modules that register rules."""

from types import ModuleType

from .check import (
    across_games,
    between_games,
    check_game,
    handicap,
    producers,
    value_lints,
    wrong_game,
)
from .check.games import backgammon, ggf, go, moves, off_board, othello
from .convert import notes, undecodable
from .findings import report
from .grammar import lint, lint_text, loader, mismatch
from .model import constraints, node_rules, tree_rules
from .read import repair
from .settings import settings
from .text import charset_names, choice, encoding
from .values import reader
from .workbench import cases
from .write import merge


def rule_modules() -> tuple[ModuleType, ...]:
    """Return the modules that register rules, all of which are imported."""
    return (
        across_games,
        between_games,
        check_game,
        handicap,
        producers,
        value_lints,
        wrong_game,
        backgammon,
        ggf,
        go,
        moves,
        off_board,
        othello,
        notes,
        undecodable,
        report,
        settings,
        lint,
        lint_text,
        loader,
        mismatch,
        constraints,
        node_rules,
        tree_rules,
        repair,
        charset_names,
        choice,
        encoding,
        reader,
        cases,
        merge,
    )
