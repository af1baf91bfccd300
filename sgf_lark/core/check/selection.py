"""Options of a check: the findings that are reported, and their severities.

A rule is named by its code (``V301``), its name (``wrong-value``), the beginning of its code
(``V``, ``V3``), its group (``value``), or by ``ALL``.  Where two of these name the same rule,
the closer one decides: a code or name before a beginning, a longer beginning before a shorter.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import AfterValidator, StrictBool

from sgf_lark.core.findings.diagnostic import Diagnostic
from sgf_lark.core.findings.finding import GROUPS, RULES, Rule, Severity
from sgf_lark.core.findings.words import nearest
from sgf_lark.core.memo import Memo
from sgf_lark.core.schema.frozen import Frozen

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


#: The selector that names every rule.
ALL = "ALL"

#: Specificity of a code or name; that of a beginning is its length.
_EXACT = 9


def closeness(selector: str, rule: Rule) -> int:
    """Rate how closely a selector names a rule: 0 for ``ALL``, -1 if it does not."""
    wanted = selector.upper()
    if wanted in {rule.code, rule.name.upper()}:
        return _EXACT
    if wanted.rstrip("S") == rule.group.upper().rstrip("S"):
        return 1
    if wanted == ALL:
        return 0
    return len(wanted) if rule.code.startswith(wanted) else -1


def selected(selector: str) -> tuple[Rule, ...]:
    """The rules that a selector names, in the order of their codes."""
    return tuple(rule for rule in RULES.values() if closeness(selector, rule) >= 0)


def similar(word: str, words: Iterable[str]) -> str:
    """``; did you mean 'V301'?``, or nothing if no word is like it."""
    near = nearest(word, words)
    return f"; did you mean '{near[0]}'?" if near else ""


def _known(selector: str) -> str:
    selector = selector.strip()
    if not selector or not selected(selector):
        words = [*(rule.name for rule in RULES.values()), *GROUPS.values(), ALL]
        words += [rule.code for rule in RULES.values()]
        raise ValueError(f"no rule is called '{selector}'{similar(selector, words)}")
    return selector


Selectors = tuple[Annotated[str, AfterValidator(_known)], ...]


def _pattern(pattern: str) -> str:
    try:
        _patterns((pattern,))
    except ValueError:
        raise ValueError(f"invalid pattern '{pattern}': expected one as in .gitignore") from None
    return pattern


Pattern = Annotated[str, AfterValidator(_pattern)]


class _Choice(NamedTuple):
    on: bool
    severity: Severity | None = None


class CheckOptions(Frozen):
    """Options of :func:`sgf_lark.check`: the findings to report, and their severities.

    >>> options = CheckOptions(ignore=["D", "missing-format"], warn=["V305"])

    Some rules are strict (:attr:`Rule.strict`): they are off unless ``strict`` is set or
    ``select`` or ``extend_select`` has their own code or name.

    Attributes:
        select: The rules that are on.
        extend_select: More of them.
        ignore: Rules that are off; of two equally close names of a rule, this decides.
        error, warn, info: Rules whose findings count as that.
        strict: Strict rules are on, and what would be an info counts as a warning, unless
            ``info`` names its rule.
        per_file_ignores: Rules that are off in some files, by patterns of their names as in
            ``.gitignore``, counted from ``folder``.  Of the patterns for a rule the last one
            that matches decides, so that ``!`` takes files out again.
        folder: What patterns count from; "" for the current one.
    """

    select: Selectors = (ALL,)
    extend_select: Selectors = ()
    ignore: Selectors = ()
    error: Selectors = ()
    warn: Selectors = ()
    info: Selectors = ()
    strict: StrictBool = False
    per_file_ignores: dict[Pattern, Selectors] = {}  # noqa: RUF012  # pydantic copies it
    folder: str = ""

    if TYPE_CHECKING:  # a list will do, and a name that no option has is noticed

        def __init__(
            self,
            *,
            select: Iterable[str] = ...,
            extend_select: Iterable[str] = ...,
            ignore: Iterable[str] = ...,
            error: Iterable[str] = ...,
            warn: Iterable[str] = ...,
            info: Iterable[str] = ...,
            strict: bool = ...,
            per_file_ignores: Mapping[str, Iterable[str]] = ...,
            folder: str = ...,
        ) -> None: ...

    @property
    def reading(self) -> dict[str, Any]:
        """The options of :func:`sgf_lark.load` that settings may have."""
        return {}

    @property
    def _choices(self) -> Memo[str, _Choice]:
        return _choices_of(self.strict, *(getattr(self, name) for name in _LISTS))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The names of the strict rules that are on."""
        if not self.strict and {*self.select, *self.extend_select} <= {ALL}:
            return frozenset()
        choices = self._choices
        return frozenset(name for name, rule in RULES.items() if rule.strict and choices[name].on)

    def is_on(self, rule: Rule) -> bool:
        """Return whether the findings of a rule are reported."""
        return self._wants((*self.select, *self.extend_select), rule) > _closest(self.ignore, rule)

    def _wants(self, selectors: Iterable[str], rule: Rule) -> int:
        wanted = _closest(selectors, rule)
        return -1 if rule.strict and not self.strict and wanted < _EXACT else wanted

    def _as(self, rule: Rule) -> Severity | None:
        lists = ((self.error, Severity.ERROR), (self.warn, Severity.WARNING))
        ranked = [
            (_closest(names, rule), severity)
            for names, severity in (*lists, (self.info, Severity.INFO))
        ]
        best = max(ranked, key=lambda entry: entry[0])  # the gravest of equally close ones
        return best[1] if best[0] >= 0 else None

    def choose(self, diagnostics: Iterable[Diagnostic], file: str = "") -> tuple[Diagnostic, ...]:
        """Those that are to be reported of a file, as grave as was chosen, in the same order."""
        off, choices = self.off_in(file) if file else (), self._choices
        chosen = []
        for diagnostic in diagnostics:
            choice = choices[diagnostic.name]
            if not choice.on or diagnostic.name in off:
                continue
            severity = choice.severity or diagnostic.severity
            if self.strict and choice.severity is None and severity is Severity.INFO:
                severity = Severity.WARNING
            changed = severity is not diagnostic.severity
            chosen.append(
                diagnostic.model_copy(update={"severity": severity}) if changed else diagnostic
            )
        return tuple(chosen)

    def off_in(self, file: str) -> set[str]:
        """Return the names of the rules that are off in one file."""
        if not self.per_file_ignores:
            return set()
        path = _path(file, self.folder)
        return {
            name
            for patterns, names in self._ignored.items()
            if _patterns(patterns).match_file(path)
            for name in names
        }

    @cached_property
    def _ignored(self) -> Mapping[tuple[str, ...], list[str]]:
        ignored: dict[tuple[str, ...], list[str]] = {}
        for rule in RULES.values():
            patterns = tuple(
                pattern
                for pattern, selectors in self.per_file_ignores.items()
                if _closest(selectors, rule) >= 0
            )
            if patterns:
                ignored.setdefault(patterns, []).append(rule.name)
        return ignored

    def _with(self, strict: bool) -> CheckOptions:  # noqa: FBT001  # a field
        fields = {name: getattr(self, name) for name in CheckOptions.model_fields}
        return CheckOptions.model_construct(**fields | {"strict": strict})

    def over(self, base: CheckOptions) -> CheckOptions:
        """These options with those of a file below them: what is said here comes first.

        ``select`` here replaces what is on there; the other lists change it rule by rule.
        """
        if not self.model_fields_set:
            return base._with(base.strict)  # the same class
        strict = self.strict if "strict" in self.model_fields_set else base.strict
        above, below = self._with(strict), base._with(strict)  # the same class
        fresh, choices, others = "select" in self.model_fields_set, self._choices, base._choices
        on, severities = [], dict[Severity, list[str]]({level: [] for level in Severity})
        for name, rule in RULES.items():
            more = above._wants(self.extend_select, rule)  # noqa: SLF001
            less = _closest(self.ignore, rule)
            is_on = below.is_on(rule)
            if fresh:
                is_on = above.is_on(rule)
            elif max(more, less) >= 0:
                is_on = more > less
            if is_on:
                on.append(rule.code)
            severity = choices[name].severity or others[name].severity
            if severity is not None:
                severities[severity].append(rule.code)
        return CheckOptions.model_validate(
            {
                "select": on,
                "error": severities[Severity.ERROR],
                "warn": severities[Severity.WARNING],
                "info": severities[Severity.INFO],
                "strict": strict,
                "per_file_ignores": {**base.per_file_ignores, **self.per_file_ignores},
                "folder": self.folder or base.folder,
            }
        )


#: The lists of selectors.
_LISTS = ("select", "extend_select", "ignore", "error", "warn", "info")


@lru_cache(maxsize=1 << 6)  # the options of each file of a folder come from another process
def _choices_of(strict: bool, *lists: tuple[str, ...]) -> Memo[str, _Choice]:  # noqa: FBT001
    given: dict[str, Any] = {"strict": strict} | dict(zip(_LISTS, lists, strict=True))
    options = CheckOptions.model_construct(**given)
    return Memo(lambda name: _Choice(options.is_on(RULES[name]), options._as(RULES[name])))  # noqa: SLF001


def _closest(selectors: Iterable[str], rule: Rule) -> int:
    return max((closeness(selector, rule) for selector in selectors), default=-1)


# ---- patterns of file names ----

#: Begins the path of a file outside the folder of the patterns: no anchored pattern matches it.
OUTSIDE = "\0"


def prefix(base: str, folder: str) -> str:
    """Return the path from one absolute folder to another, with a final ``/`` unless empty."""
    if folder == base:
        return ""
    above = base if base.endswith(os.sep) else base + os.sep
    if folder.startswith(above):
        return f"{folder[len(above) :]}/".replace(os.sep, "/")
    path = os.path.splitdrive(folder)[1].replace(os.sep, "/").strip("/")
    return f"{OUTSIDE}/{path}/" if path else f"{OUTSIDE}/"


def _path(file: str, folder: str) -> str:
    here, name = os.path.split(os.path.abspath(file))  # noqa: PTH100  # links stay
    return prefix(os.path.abspath(folder), here) + name  # noqa: PTH100


@lru_cache(maxsize=1 << 8)
def _patterns(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Compile patterns of file names as git does, whose time grows fast with the stars in one."""
    from pathspec import GitIgnoreSpec

    lines = [pattern[1:] if pattern.startswith("./") else pattern for pattern in patterns]
    return GitIgnoreSpec.from_lines(lines, backend="simple")  # whatever else is installed
