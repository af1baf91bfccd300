"""Lints of single values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import Finding, Severity, register
from sgf_lark.core.model.constraints import DOUBTFUL_NUMBER, doubtful_number, fraction
from sgf_lark.core.model.finders import FINDERS, On, OnlyIf, Properties, finds
from sgf_lark.core.model.readings import Reading
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.properties import Count
from sgf_lark.core.schema.values import Invalid
from sgf_lark.core.values.kinds import NotOfType
from sgf_lark.core.values.reader import UNUSUAL_FORM, unusual_form

#: The end of a value that runs into the next property, because its own ']' is missing: what
#: follows the last '[' is the other's value.
_SWALLOWED = (
    r"(?:(?P<node>(?:\)\s*)*[;(]\s*(?:;\s*)?)|(?P<space>\s|(?<=[a-z0-9.,!?)\x80-\U0010ffff])))"
    r"(?P<name>[A-Z]{1,2})\s?\[(?P<value>[^\[\]]*)$"
)

#: The same where a value ends in capitals, as a result does.
_SWALLOWED_NAMES = tuple(
    rf"(?P<node>)(?P<name>[A-Z]{{{length}}})\s?\[(?P<value>[^\[\]]*)$" for length in (2, 1)
)


SWALLOWED_PROPERTIES = register(
    "S118 swallowed-properties warning: a value that swallows the next ones"
)


def find_swallowed(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """The values that hold what looks like nodes and properties of the game.

    Certain enough are a name after a ';' or '(', and, after a space, a name of two
    capitals; of one, if the value is not of its type anyway, or C after a text of one
    line.  The next value of a list needs no name.
    """
    for index, raw in enumerate(prop.raw):
        bracket = raw.rfind("[")
        if bracket < 0:
            continue
        invalid = isinstance(prop.values[index], Invalid)
        match = re.compile(_SWALLOWED).search(raw, max(0, bracket - _BEFORE))
        if invalid and match is None:
            match = _run_on(prop, raw, rules)
        rule = rules.rule(match["name"]) if match else None
        if match and rule:
            short = not match["node"] and len(match["name"]) == 1
            is_line = prop.rule is not None and prop.rule.types == (("simpletext",),)
            if short and not invalid and (match["name"] != "C" or not is_line):
                continue
            start = match.start("node") if match["node"] else match.start("name")
            value, next_ = match["value"], f"{match['name']}[{shorten(match['value'])}]"
        elif prop.rule and prop.rule.count is not Count.ONE and (invalid or prop.rule.types[0][1:]):
            rule, start, value, next_ = prop.rule, bracket, raw[bracket + 1 :], "the next one"
        else:
            continue
        if not rules.reader.fits(rule, value):
            continue
        why = "its ']' is missing"
        help_ = "write ']' where the value ends"
        if rules.format is not Format.GGF:
            help_ += ", or '\\]' if this is its text"
            if raw[:start].endswith("\\]"):
                why = "'\\]' does not end it"
                help_ = "write '\\\\]' if the value ends with a '\\', or ']'"
        message = f"this value of {prop.ident} runs on into {next_}: {why}"
        severity = Severity.ERROR if invalid else None
        yield SWALLOWED_PROPERTIES.found(
            message,
            help=help_,
            severity=severity,
            value_index=index,
            within=Span(start, len(raw)),
        )


def _run_on(prop: Reading, raw: str, rules: RuleSet) -> re.Match[str] | None:
    """Return the name of the next property, directly after a value of this one."""
    for pattern in map(re.compile, _SWALLOWED_NAMES):
        match = pattern.search(raw, max(0, raw.rfind("[") - 3))
        if (
            match
            and prop.rule
            and rules.rule(match["name"])
            and match.start()
            and rules.reader.fits(prop.rule, raw[: match.start()])
        ):
            return match
    return None


#: How far before the last '[' the name may begin, with white space.
_BEFORE = 40


@finds(UNUSUAL_FORM, on=On.VALUES, only_if=OnlyIf(frozenset({"BR", "WR"})), is_lint=True)
def _ranks(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """Ranks of Go players have the form that FF[4] recommends."""
    if rules.game.number == GameNumber.GO:
        yield from _recommended(prop, rules, "rank")


@finds(UNUSUAL_FORM, on=On.VALUES, only_if=OnlyIf(frozenset({"RO"})), is_lint=True)
def _rounds(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """Rounds have the form that FF[4] recommends."""
    return _recommended(prop, rules, "round")


def _recommended(prop: Reading, rules: RuleSet, form: str) -> Iterator[Finding]:
    """A text has the form that FF[4] recommends: a start symbol of its grammar."""
    if rules.format is not Format.FF4:
        return
    for index, value in enumerate(prop.values):
        if not isinstance(value, str) or not value:
            continue
        try:
            rules.reader.read(form, value)
        except NotOfType:
            expected = rules.reader.kind(form).expected
            shown = shorten(value)
            message = f"{prop.ident}[{shown}] is unusual; the standard recommends {expected}"
            yield unusual_form(message)._replace(value_index=index, facts={"value": shown})


#: What people write for the rules of Go that have a name of their own in FF[4].
RULE_NAMES = {
    "japan": "Japanese",
    "japanese": "Japanese",
    "japanese rules": "Japanese",
    "jp": "Japanese",
    "ing": "GOE",
    "ing rules": "GOE",
    "goe": "GOE",
    "new zealand": "NZ",
    "nz": "NZ",
    "aga": "AGA",
    "aga rules": "AGA",
}


@finds(UNUSUAL_FORM, on=On.VALUES, only_if=OnlyIf(frozenset({"RU"})), is_lint=True)
def _rule_names(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """Rules of Go with a name in FF[4] are called so."""
    if rules.game.number != GameNumber.GO:
        return
    for index, value in enumerate(prop.values):
        name = RULE_NAMES.get(value.strip().lower()) if isinstance(value, str) else None
        if name not in {None, value} and rules.format is Format.FF4:
            message = f"RU[{shorten(prop.raw[index])}] is called {name} in FF[4]"
            found = unusual_form(message, f"write RU[{name}]")
            yield found._replace(value_index=index, replacement=name)


DOUBTFUL_KOMI = register("V322 doubtful-komi info: an unusual komi")


@finds(DOUBTFUL_KOMI, on=On.VALUES, only_if=OnlyIf(frozenset({"KM"})), is_lint=True)
def _komi(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """Komi is a multiple of a quarter point, and less than a hundred points."""
    if rules.game.number != GameNumber.GO:
        return
    for index, value in enumerate(prop.values):
        if not isinstance(value, Decimal) or not value.is_finite():
            continue
        raw = shorten(prop.raw[index])
        if not -LARGE_KOMI < value < LARGE_KOMI:
            message = f"KM[{raw}] is more than any komi"
            help_ = "a point may be missing in it: KM[650] for KM[6.50]"
            yield DOUBTFUL_KOMI.found(message, help=help_, value_index=index)
        elif fraction(value) % QUARTER:
            message = f"KM[{raw}] is not a multiple of a quarter point"
            yield DOUBTFUL_KOMI.found(message, help="correct it", value_index=index)


QUARTER = Decimal("0.25")


LARGE_KOMI = 100


@finds(DOUBTFUL_NUMBER, on=On.VALUES, only_if=OnlyIf(frozenset({"TM"})), is_lint=True)
def _long_minutes(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """FF[1] counts the time of a game in minutes; who writes many of them means seconds."""
    if rules.format is not Format.FF1:
        return
    for index, value in enumerate(prop.values):
        if isinstance(value, Decimal | int) and value >= LONG_GAME:
            message = f"TM[{shorten(prop.raw[index])}] is in minutes, as FF[1] has it"
            help_ = "if seconds are meant, declare FF[4]"
            yield doubtful_number(message, help_, Severity.INFO)._replace(value_index=index)


#: Hardly any game takes this many minutes.
LONG_GAME = 1200


_ESCAPE = r"(?s)\\(.)"


#: Characters that need a '\\' somewhere, or that it joins to one line.
_ESCAPED = "]\\:\r\n"


NEEDLESS_ESCAPE = register("V321 needless-escape info: a needless '\\'")


@finds(NEEDLESS_ESCAPE, on=On.VALUES, only_if=OnlyIf(contains="\\"), is_lint=True)
def _needless_escapes(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """A text has a '\\' only where it is needed."""
    if prop.rule is None or not prop.rule.is_text or rules.format is Format.GGF:
        return
    for index, raw in enumerate(prop.raw):
        if "\\" not in raw or (prop.rule.types == (("undefined",),)):
            continue
        needless = [match for match in re.finditer(_ESCAPE, raw) if match[1] not in _ESCAPED]
        if needless:
            places = f" in {len(needless)} places" if needless[1:] else ""
            message = f"a '\\' that no character needs{places}: it vanishes on reading"
            plain = re.sub(
                _ESCAPE, lambda match: match[0] if match[1] in _ESCAPED else match[1], raw
            )
            # As in C:\games and \_/, somebody may have meant a backslash; programs escape brackets.
            is_meant = any(match[1] not in "[();" for match in needless)
            help_ = "remove it, or write '\\\\' for a backslash" if is_meant else "remove it"
            yield NEEDLESS_ESCAPE.found(
                message,
                help=help_,
                value_index=index,
                within=Span(*needless[0].span()),
                replacement=None if is_meant else plain,
            )


_HARD_BREAK = r"(?s)(?:[^\\\r\n]|\\(?:\r\n|\n\r|.))*+[\r\n]"


LINE_BREAK_IN_LINE = register("V324 line-break-in-line info: a line break in a one-line text")


@finds(
    LINE_BREAK_IN_LINE,
    on=On.VALUES,
    only_if=OnlyIf(Properties.LINES, contains="\r\n"),
    is_lint=True,
)
def _line_breaks(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """A text of one line has one line, alone or composed with another value."""
    if rules.format is not Format.FF4:
        return
    for index, raw in enumerate(prop.raw):
        if ("\n" not in raw and "\r" not in raw) or isinstance(prop.values[index], Invalid):
            continue
        if match := re.match(_HARD_BREAK, raw):
            message = f"line break in {prop.ident}, which has one line: it is read as a space"
            at = Span(match.end() - 1, match.end())
            yield LINE_BREAK_IN_LINE.found(
                message, help="write a space", value_index=index, within=at
            )


LOST_TEXT = register("E406 lost-text warning: a text whose characters were lost before")

#: What programs write for what they cannot decode: U+FFFD.
_LOST = "\N{REPLACEMENT CHARACTER}"


@finds(LOST_TEXT, on=On.VALUES, only_if=OnlyIf(contains=_LOST))
def _lost_texts(prop: Reading, _: RuleSet) -> Iterator[Finding]:
    """At least half of the characters of a value stand for others, which nobody can know."""
    for index, raw in enumerate(prop.raw):
        many = raw.count(_LOST)
        if many and 2 * many >= len("".join(raw.split())):
            message = f"the text of {prop.ident} was lost before this file was written"
            way = "look for an older copy, or type the text anew"
            yield LOST_TEXT.found(message, help=way, value_index=index)


NUL_CHARACTER = register("S114 nul-character warning: a NUL character")


def faults_of(prop: Reading, rules: RuleSet, *, lints: bool) -> Sequence[Finding]:
    """Return the findings about the values of a property; they are looked for once."""
    faults: Sequence[Finding] | None = prop.faults.get(lints)
    if faults is None:
        faults = prop.faults[lints] = [*check_property(prop, rules, lints=lints)]
    return faults


def check_property(prop: Reading, rules: RuleSet, *, lints: bool) -> Iterator[Finding]:
    findings = list(prop.problems)
    if prop.rule is not None:
        for look in FINDERS.looks[lints](prop.rule):
            findings += look(prop, rules)
    if any("[" in raw for raw in prop.raw):
        swallows = {problem.value_index: problem for problem in find_swallowed(prop, rules)}
        if swallows:  # what follows belongs to another property
            first = min(index or 0 for index in swallows)
            findings = [finding for finding in findings if (finding.value_index or 0) < first]
            findings += swallows.values()
    yield from findings
    for index, raw in enumerate(prop.raw):
        if "\0" in raw:
            message = f"a NUL character in a value of {prop.ident}"
            yield NUL_CHARACTER.found(message, help="remove it", value_index=index)
