"""Regular expressions derived from the shipped grammars, whose compiled codes are kept.

To compile the expressions that a folder of records needs takes as long as to read some hundred
small records.  A code is for one version of Python.  Any other version, and one whose ``re`` is
not as expected here, compiles.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from hashlib import blake2b
from importlib import import_module
from typing import Any

from .derived import DerivedData

_parser: Any
_compiler: Any
_sre: Any
try:  # a private interface
    _parser, _compiler, _sre = map(import_module, ("re._parser", "re._compiler", "_sre"))
    #: The Python that understands the codes.
    VERSION = f"{sys.implementation.cache_tag}-{_sre.MAGIC}"
except (ImportError, AttributeError):
    VERSION = ""


def compile_kept(pattern: str, data: DerivedData) -> re.Pattern[str]:
    """Compile an expression, by its code among derived data if that is there."""
    name = f"code:{VERSION}:{blake2b(pattern.encode(), digest_size=16).hexdigest()}"
    if not VERSION or not data.keeps(name):
        return re.compile(pattern)
    try:
        flags, groups, names, code = data.get(name, partial(_code_of, pattern), at_once=False)
        by_number: list[str | None] = [None] * (groups + 1)
        for group, number in names.items():
            by_number[number] = group
        made: re.Pattern[str] = _sre.compile(pattern, flags, code, groups, names, tuple(by_number))
    except (TypeError, ValueError, LookupError, AttributeError, RuntimeError, OverflowError):
        return re.compile(pattern)
    return made


def _code_of(pattern: str) -> tuple[int, int, dict[str, int], list[int]]:
    """Return what ``re.compile`` makes of an expression: flags, groups, their names, the code."""
    parsed = _parser.parse(pattern, 0)
    state = parsed.state
    return state.flags, state.groups - 1, state.groupdict, _compiler._code(parsed, 0)  # noqa: SLF001
