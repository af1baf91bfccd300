"""Findings: their rules, catalogue, selection and settings."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diagnostic import Diagnostic as Diagnostic, Edit as Edit, Fix as Fix
    from .errors import (
        SettingsError as SettingsError,
        SgfConversionError as SgfConversionError,
        SgfError as SgfError,
        SgfGrammarError as SgfGrammarError,
        SgfSyntaxError as SgfSyntaxError,
        SgfValidationError as SgfValidationError,
    )
    from .report import Report as Report
    from .rules import RULES as RULES, Rule as Rule, Severity as Severity


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is used: the command's options do without."""
    if name[0].isupper():
        return getattr(import_module(f"{__name__}.diagnostic"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
