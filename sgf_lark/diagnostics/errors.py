"""The exceptions, each with its report."""

from __future__ import annotations

from .diagnostic import Diagnostic
from .report import Report, excerpt


class SgfError(ValueError):
    """Base of every error this package raises about what a text says.

    Attributes:
        report: Everything found, in the order of the text; its errors are never empty.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report)  # the same argument again, so that it pickles
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
    """The text parses, but what it says breaks the standard."""


class SettingsError(SgfError):
    """A settings file is not understood; the report is about that file."""


class SgfGrammarError(SgfError):
    """A grammar of one's own is not well made; the report is about its file."""


class SgfConversionError(SgfError):
    """The other format has no place for what the record says."""


for _one in tuple(globals().values()):
    if isinstance(_one, type) and issubclass(_one, Exception):
        _one.__module__ = "sgf_lark.diagnostics"  # as tracebacks show them
