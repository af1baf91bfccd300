"""Exceptions that carry a report.

::

    SgfError (ValueError)
    ├── SgfSyntaxError        the text does not follow the grammar of its format
    ├── SgfValidationError    the text parses, but its content breaks the standard
    ├── SgfConversionError    the new format cannot express the record
    ├── SettingsError         a settings file is invalid
    └── SgfGrammarError       a custom grammar has errors
"""

from __future__ import annotations

from .diagnostic import Diagnostic
from .report import Report, excerpt


class SgfError(ValueError):
    """Base of the exceptions about the content of a text.

    Attributes:
        report: All findings, in the order of the text, with at least one error.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report)  # pickle calls the class with these arguments
        self.report = report

    @property
    def first(self) -> Diagnostic:
        """The first finding of severity error."""
        return self.report.errors[0]

    def __str__(self) -> str:
        text = excerpt(self.report, self.first)
        more = len(self.report.errors) - 1
        return f"{text}\n(and {more} more)" if more else text


class SgfSyntaxError(SgfError):
    """The text does not follow the grammar of its format.

    Attributes as in :class:`json.JSONDecodeError`:
        msg: The message without its place.
        doc: The text; of a file that is read game by game, the part with the fault.
        pos: Offset of the fault in ``doc``, from 0.
        lineno, colno: The same as line and column, from 1.
    """

    @property
    def msg(self) -> str:
        return self.first.message

    @property
    def doc(self) -> str:
        return self.report.text

    @property
    def pos(self) -> int:
        return self.first.offset - self.report.lines.start

    @property
    def lineno(self) -> int:
        return self.first.line

    @property
    def colno(self) -> int:
        return self.first.column


class SgfValidationError(SgfError):
    """The text parses, but its content breaks the standard."""


class SettingsError(SgfError):
    """A settings file is invalid; the report is about that file."""


class SgfGrammarError(SgfError):
    """A custom grammar or a class of values has errors; the report is about its file."""


class SgfConversionError(SgfError):
    """The target format cannot express the content of the record."""


for _one in tuple(globals().values()):
    if isinstance(_one, type) and issubclass(_one, Exception):
        _one.__module__ = "sgf_lark"  # as tracebacks show them
