"""Findings: their rules, catalogue, selection and settings."""

from importlib import import_module
from typing import Any

#: The classes that tracebacks and pickles name after this package, and their modules.
_HOMES = {
    "Severity": "rules",
    "Rule": "rules",
    "RULES": "rules",
    "Diagnostic": "diagnostic",
    "Edit": "diagnostic",
    "Fix": "diagnostic",
    "Report": "report",
    "SettingsError": "errors",
    "SgfConversionError": "errors",
    "SgfError": "errors",
    "SgfGrammarError": "errors",
    "SgfSyntaxError": "errors",
    "SgfValidationError": "errors",
}


def __getattr__(name: str) -> Any:
    """Load a name when it is used: most commands need only a few."""
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
