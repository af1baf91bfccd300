"""The modules that register rules."""

from types import ModuleType

from .convert import builder, convert, lossy, merge
from .core import rule_modules_of_core
from .foreign import rules as foreign
from .games import backgammon, ggf, go_checks, moves, othello
from .settings import settings
from .workbench import cases, lint, lint_terminals, lint_text


def rule_modules() -> tuple[ModuleType, ...]:
    """Return the modules that register rules, all of which are imported."""
    return (
        *rule_modules_of_core(),
        *(backgammon, ggf, go_checks, moves, othello, convert, merge, builder, lossy),
        *(settings, lint, lint_terminals, lint_text, cases, foreign),
    )
