# The classes that tracebacks and pickles name after this package, and their modules.
from .diagnostic import Diagnostic as Diagnostic, Edit as Edit, Fix as Fix
from .errors import (
    SettingsError as SettingsError,
    SgfConversionError as SgfConversionError,
    SgfError as SgfError,
    SgfGrammarError as SgfGrammarError,
    SgfSyntaxError as SgfSyntaxError,
    SgfValidationError as SgfValidationError,
)
from .finding import Rule as Rule, Severity as Severity
from .report import Report as Report
from .rules import RULES as RULES
