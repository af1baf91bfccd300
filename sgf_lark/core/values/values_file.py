"""A class for the values of records in a Python file, named as ``mine.py:Values``.

The file is code: it is run only where the user asks for it, by an option or in settings that they
name themselves.
"""

from __future__ import annotations

import copyreg
import os
import re
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import late
from sgf_lark.core.findings.errors import SgfError, SgfGrammarError
from sgf_lark.core.findings.finding import register
from sgf_lark.core.findings.report import Report
from sgf_lark.core.findings.words import nearest
from sgf_lark.core.grammar.grammars import File
from sgf_lark.core.places import Span

from .dialect import UnknownMethodError, check_methods
from .methods import ValueMethods

if TYPE_CHECKING:
    from .transformers import Postfix

UNUSABLE_VALUES = register(
    "L715 unusable-values error: a file of values that cannot be used as it is"
)

#: Classes of files that are kept.
MAX_KEPT_FILES = 1 << 4

_NAMED = re.compile(r"(.+\.py):([^\W\d]\w*)", re.DOTALL)


class ValuesFile(NamedTuple):
    """A class in a Python file; ``rejection`` is why the file must not be run."""

    path: str
    name: str
    rejection: SgfError | None = None

    @classmethod
    def named(cls, text: str, folder: str = "") -> ValuesFile:
        """Return the class that ``mine.py:Values`` names, from a folder; ValueError for no such
        text.
        """
        found = _NAMED.fullmatch(text)
        if found is None:
            raise ValueError(
                f"expected a file and a class such as 'mine.py:Values', found {text!r}"
            )
        return cls(str(Path(folder, found[1])), found[2])

    def load(self, grammar: File | None = None) -> ValueMethods | type[Postfix]:
        """Run the file once as it is, and return what the class is for; SgfGrammarError if it
        cannot be used, SgfError if it must not be run.
        """
        if self.rejection is not None:
            raise self.rejection
        values = _load(self.path, self.name)
        try:
            check_methods(values if isinstance(values, type) else type(values), grammar)
        except UnknownMethodError as error:
            raise _unusable(self.path, str(error), error.name) from None
        return values


def _load(path: str, name: str) -> ValueMethods | type[Postfix]:
    """Return an object of a class of values, or a class of the structure, kept until it changes."""
    try:
        state = os.stat(path)  # noqa: PTH116  # for each record
        return _run(path, name, state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise _unusable(path, f"cannot read this file: {error.strerror or error}") from None


@lru_cache(maxsize=MAX_KEPT_FILES)
def _run(path: str, name: str, *_state: int) -> ValueMethods | type[Postfix]:
    from hashlib import sha256
    from traceback import extract_tb

    place = os.path.realpath(path)
    module = ModuleType(f"values_{sha256(os.fsencode(place)).hexdigest()}")
    module.__file__ = place
    code = Path(place).read_bytes()
    sys.modules[module.__name__] = module  # where dataclasses and pickle look for it
    try:
        exec(compile(code, place, "exec"), vars(module))  # noqa: S102  # the user asks for it
        kind = vars(module).get(name)
        if isinstance(kind, type) and late.structure_of(kind):
            return kind
        values = kind() if isinstance(kind, type) and issubclass(kind, ValueMethods) else None
    except SyntaxError as error:
        raise _unusable(path, f"invalid Python: {error.msg}", line=error.lineno or 1) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001  # code of a user
        places = extract_tb(error.__traceback__)
        lines = [one.lineno or 1 for one in places if one.filename == place]
        message = f"this file failed: {type(error).__name__}: {error}"
        raise _unusable(path, message, line=lines[-1] if lines else 1) from None
    if kind is None:
        own = vars(module).items()
        known = [key for key, one in own if getattr(one, "__module__", "") == module.__name__]
        meant = nearest(name, known)
        hint = f": did you mean {meant[0]}?" if meant else ""
        raise _unusable(path, f"there is no class {name} in this file{hint}")
    if values is None:
        message = (
            f"{name} does not extend SgfValues, GgfValues, the values of a game or SgfTransformer"
        )
        raise _unusable(path, message, name)
    # Other processes have no module of the file: they run it, too.
    reload: Any = _load
    copyreg.pickle(type(values), lambda _: (reload, (place, name)))
    return values


def _unusable(path: str, message: str, name: str = "", line: int = 1) -> SgfGrammarError:
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    found = re.search(rf"\b{name}\b", text) if name else None
    start = sum(map(len, text.splitlines(keepends=True)[: line - 1]))
    end = start + len(text[start:].partition("\n")[0])
    span = Span(start, end) if found is None else Span(*found.span())
    return SgfGrammarError(Report.of(path, text, [UNUSABLE_VALUES.found(message, span)]))
