"""Regular expressions derived from the shipped grammars, whose compiled codes are kept.

Without them, strict `load` of 454 real files that are read once takes 8 % more CPU time.  There are
as many as the shipped grammars, tables and boards have expressions.  A code is for one version of
Python; any other version compiles.
"""

from __future__ import annotations

import re
from functools import partial
from hashlib import blake2b

from sgf_lark.engine.regex import CODE_VERSION, Code, code_of, of_code

from .derived import DerivedData


def compile_kept(pattern: str, data: DerivedData) -> re.Pattern[str]:
    """Compile an expression, by its code among derived data if that is there."""
    name = f"code:{CODE_VERSION}:{blake2b(pattern.encode(), digest_size=16).hexdigest()}"
    if not CODE_VERSION or not data.keeps(name):
        return re.compile(pattern)
    try:
        return of_code(pattern, Code(*data.get(name, partial(code_of, pattern), at_once=False)))
    except (TypeError, ValueError):  # no code
        return re.compile(pattern)
