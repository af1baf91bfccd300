"""The forms of a report for programs, and how a terminal's width and colors are kept."""

import io
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings, strategies as st
from pydantic import BaseModel, ConfigDict, Field
from rich.cells import cell_len
from support.lanes import amount
from support.places import ROOT, write
from support.readmes import GUIDES
from support.said import message_of

from sgf_lark import RULES, CheckOptions, Fix, Report, Severity, __version__, check as check_text
from sgf_lark.cli.main import app
from sgf_lark.core.findings.diagnostic import Edit
from sgf_lark.report import data
from sgf_lark.report.base import ReportConsole, reporter_of
from sgf_lark.report.data import SCHEMA, uri
from sgf_lark.report.terminal import Row, align, crop
from sgf_lark.report.text import FullReporter
from sgf_lark.settings.forms import Output

pytestmark = pytest.mark.elsewhere

BROKEN = "(;FF[4]GM[1]SZ[19]\n;B[pd];W[zz9];X[1])"
#: The rules that these tests know; there will be others.
RULES_HERE = ["S103", "V301", "D501", "T206", "T210"]
WRONG = message_of("V301", BROKEN)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test works in a folder of its own, and no setting of the caller reaches it."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "TTY_COMPATIBLE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def check(output: str, *arguments: str) -> Result:
    command = ["check", "--format", output, "--select", ",".join(RULES_HERE), *arguments]
    return CliRunner().invoke(app, command, catch_exceptions=False)


def report(text: str, **changes: Any) -> Report:
    options = CheckOptions.model_validate({"select": RULES_HERE})
    return check_text(io.StringIO(text), options=options).model_copy(
        update={"name": "a.sgf", **changes}
    )


def shown(output: str, *reports: Report, level: Severity = Severity.INFO) -> str:
    """What a form makes of some reports, where nobody sees a line end."""
    file = io.StringIO()
    reporter = reporter_of(Output[output.upper()])(ReportConsole(file, color_system=None), level)
    reporter.begin()
    for one in reports:
        reporter.add(one)
    reporter.end()
    return file.getvalue()


def test_every_form_has_its_reporter() -> None:
    assert [reporter_of(form).__name__.lower() for form in Output] == [
        f"{form}reporter" for form in Output
    ]


@pytest.mark.parametrize("output", Output)
def test_every_form_can_show_nothing_and_something(output: str) -> None:
    name = write("a.sgf", BROKEN)

    assert check(output, write("b.sgf", "(;FF[4])")).exit_code == 0
    assert check(output, name).exit_code == 1
    assert check(output, name, "no.sgf").exit_code == 2


@pytest.mark.parametrize("output", Output)
def test_a_file_that_is_not_there_is_in_every_report(output: str) -> None:
    assert "F002" in check(output, "no.sgf").stdout


# ---- for people ----


def test_grouped_is_a_table_for_each_file() -> None:
    result = check("grouped", write("a.sgf", f"Hello {BROKEN}"), write("b.sgf", "(;FF[4])"), "no")

    assert result.stdout == (
        "a.sgf:\n"
        "  1:1   warning  S103  text before the first game is skipped\n"
        f"  2:10  error    V301  {WRONG}\n"
        "\n"
        "no:\n"
        "  -  error  F002  no such file or directory\n"
        "\n"
        "2 files: 1 error, 1 warning; 1 info not shown (--level info); 1 file could not be read\n"
    )


def test_statistics_count_rules_and_files() -> None:
    write("a.sgf", BROKEN)
    write("b.sgf", "(;FF[4]B[1]W[2])")

    assert check("statistics", "a.sgf", "b.sgf").stdout == (
        "3  error  in 2 files  V301  a value that is not of its type [wrong-value]\n"
        "1  error  in 1 file   T210  moves of both colors in one node [two-moves]\n"
        "1  info   in 1 file   D501  a property that no standard defines [unknown-property]\n"
        "\n"
        "worst files:\n"
        "  3 errors         b.sgf\n"
        "  1 error, 1 info  a.sgf\n"
        "\n"
        "2 files: 4 errors, 1 info\n"
        "1 fixable with --fix --unsafe-fixes\n"
    )


def test_statistics_name_the_ten_worst_files_the_worst_first() -> None:
    counts = {"c": (2, 0), "b": (1, 1), "a": (1, 0), "d": (1, 1)}
    counts |= {f"e{number}": (1, 0) for number in range(10)}
    files = [
        report("(;FF[4]" + ";BL[zz9]" * errors + ";X[1]" * infos + ")", name=f"{name}.sgf")
        for name, (errors, infos) in counts.items()
    ]
    lines = shown("statistics", *files).splitlines()
    at = lines.index("worst files:")

    assert lines[at + 1 : at + 6] == [
        "  2 errors         c.sgf",
        "  1 error, 1 info  b.sgf",
        "  1 error, 1 info  d.sgf",
        "  1 error          a.sgf",
        "  1 error          e0.sgf",
    ]
    assert lines[at + 10 : at + 12] == ["  1 error          e5.sgf", "  4 more files with findings"]
    assert shown("statistics", *reversed(files)).splitlines() == lines
    assert "worst" not in shown("statistics", files[0])


def test_statistics_leave_nothing_out() -> None:
    write("a.sgf", "(;FF[4]" + ";BL[zz9]" * 1100 + ")")

    assert check("statistics", "a.sgf").stdout.startswith("1100  error  in 1 file  V301")


# ---- the terminal ----


def on_terminal(output: str, width: int, *reports: Report) -> list[str]:
    """The lines that somebody sees on a terminal of some width."""
    file = io.StringIO()
    file.isatty = lambda: True  # type: ignore[method-assign]
    console = ReportConsole(file, width=width, color_system=None, force_terminal=True)
    reporter = reporter_of(Output[output.upper()])(console, Severity.INFO)
    reporter.begin()
    for one in reports:
        reporter.add(one)
    reporter.end()
    return file.getvalue().splitlines()


@pytest.mark.parametrize("site", [None, "https://example.org/sgf/"])
def test_a_code_on_a_terminal_links_to_its_page_on_the_site(site: str | None) -> None:
    file = io.StringIO()
    file.isatty = lambda: True  # type: ignore[method-assign]
    console = ReportConsole(file, color_system="standard", force_terminal=True)
    reporter = FullReporter(console, Severity.INFO)
    reporter.site = site
    reporter.add(report("(;FF[4]KM[big])"))

    address = "https://example.org/sgf/rules/V301.html"
    assert (f";{address}\x1b\\" in file.getvalue()) == (site is not None)
    assert "V301 wrong-value" in file.getvalue()


LONG = "(;FF[4]PB[" + "棋譜" * 50 + "]SZ[大小]C[" + "棋" * 90 + "];W[zz9]AB[cc])"


@pytest.mark.parametrize("output", ["full", "grouped", "statistics"])
@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(output: str, width: int) -> None:
    lines = on_terminal(output, width, report(LONG))

    assert lines
    assert max(map(cell_len, lines)) <= width


def test_a_long_message_goes_on_indented_on_the_next_line() -> None:
    made = report(BROKEN)
    wrong, *_ = made
    long = "a message that says in very many words what stands there, or what should be there"
    told = wrong.model_copy(update={"message": long})
    lines = on_terminal("full", 60, made.model_copy(update={"diagnostics": (told,)}))

    assert lines[:4] == [
        "a.sgf:2:10: error: a message that says in very many words",
        "    what stands there, or what should be there",
        "    [V301 wrong-value]",
        "    2 | ;B[pd];W[zz9];X[1])",
    ]


@pytest.mark.parametrize("width", [40, 60, 200])
def test_the_underline_stands_below_the_fault_at_every_width(width: int) -> None:
    lines = on_terminal("full", width, report(LONG))
    at = next(number for number, line in enumerate(lines) if "^" in line)
    left = lines[at].index("^")
    text = lines[at - 1]
    before = next(end for end in range(len(text)) if cell_len(text[:end]) == left)

    assert text[before:].startswith("大小")
    assert lines[at].count("^") == cell_len("大小")


def test_a_person_is_told_once_where_codes_are_explained() -> None:
    assert on_terminal("full", 80, report(BROKEN))[-1] == (
        "To explain a code: sgf-lark explain V301"
    )
    assert "explain" not in shown("full", report(BROKEN))
    assert on_terminal("full", 80, report("(;FF[4])"))[-1] == "1 file: nothing wrong"


# ---- whatever a record says ----

#: Pieces that break records, and what breaks lines, XML, JSON and terminals.
PIECES = [
    *("(", ";", ")", "[", "]", "\\", ":", "FF[4]", "B", "SZ", "[x]", "\n", "\r", "\t", " "),
    *("\0", "\x1b[31m", "&<>\"'", "]]>", "%0A::", "棋", "😀", "e\u0301", "\u202e", "\u2028"),
    *("\ud800", "\ufffe", "\x85", "x" * 200),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.sampled_from(PIECES))
@settings(max_examples=amount(12, 100))
def test_every_form_stays_what_it_is_whatever_a_record_says(text: str, name: str) -> None:
    made = check_text(io.StringIO(text)).model_copy(update={"name": f"{name}.sgf"})
    count = len(made)

    assert shown("concise", made).count("\n") == count + 1
    assert shown("github", made).count("\n") - ("only in the log" in shown("github", made)) == count
    assert shown("azure", made).count("\n") == count
    assert len(of_reviewdog(shown("rdjson", made)).diagnostics) == count
    assert len(json.loads(shown("json", made))) == len(json.loads(shown("gitlab", made))) == count
    assert len(shown("jsonl", made).encode().splitlines()) == count
    assert len(ET.fromstring(shown("junit", made))[0]) == max(count, 1)  # noqa: S314  # our own
    run = sarif(shown("sarif", made))
    assert len(run.results) == count
    for result in run.results:
        region = result.locations[0].physicalLocation.region
        assert region is None or (region.startLine, region.startColumn) <= (
            region.endLine,
            region.endColumn,
        )
    for output in ("full", "grouped", "statistics"):
        lines = on_terminal(output, 60, made)
        assert max(map(cell_len, lines)) <= 60
        assert not any("\x1b" in line for line in lines)


# ---- GitHub ----


def test_github_gets_one_command_a_finding() -> None:
    result = check("github", write("a.sgf", f"Hello {BROKEN}"), "no.sgf", "--level", "info")

    assert result.stdout == (
        "::warning title=sgf-lark (S103),file=a.sgf,line=1,endLine=1,col=1,endColumn=6"
        "::a.sgf:1:1: S103 text before the first game is skipped\n"
        "::error title=sgf-lark (V301),file=a.sgf,line=2,endLine=2,col=10,endColumn=13"
        f"::a.sgf:2:10: V301 {WRONG}\n"
        "::notice title=sgf-lark (D501),file=a.sgf,line=2,endLine=2,col=15,endColumn=16"
        "::a.sgf:2:15: D501 X is not a property of FF[4]; it is kept unchanged\n"
        "::error title=sgf-lark (F002),file=no.sgf::no.sgf: F002 no such file or directory\n"
    )


def test_github_cannot_be_given_a_command_by_a_record() -> None:
    text = shown("github", report("(;FF[4]SZ[\n::error::100%\r\n])", name="a,b:c\n.sgf"))

    assert text.count("\n") == 1
    assert "file=a%2Cb%3Ac%0A.sgf," in text
    assert "100%25" in text


def test_github_gets_as_many_commands_as_it_shows_and_the_number_of_the_others() -> None:
    unknown = "".join(f";X{letter}[1]" for letter in "ABCDEFGHIJK")
    text = f"(;FF[4]{';BL[zz9]' * 12}{unknown})"
    made = report(text, name="::error::##[error]a\n.sgf")
    lines = shown("github", made).splitlines()
    kinds = Counter(line.partition(" ")[0] for line in lines)

    assert kinds == {"::error": 10, "::notice": 10, "error:": 2, "info:": 2}
    assert lines[-1] == (
        "::notice title=sgf-lark::2 more errors, 2 more infos only in the log:"
        " GitHub shows 10 of a kind in a step"
    )
    (first, _) = (line for line in lines if line.startswith("error:"))
    assert first.startswith("error: ::error::## [error]a\\n.sgf:1:")
    assert "more" not in shown("github", report("(;FF[4]" + ";BL[zz9]" * 10 + ")"))


# ---- GitLab ----


def test_gitlab_gets_what_its_page_asks_for() -> None:
    first, second = json.loads(check("gitlab", write("a.sgf", BROKEN), "no.sgf").stdout)
    mark = first.pop("fingerprint")

    assert re.fullmatch("[0-9a-f]{32}", mark)
    assert first == {
        "check_name": "wrong-value",
        "description": f"V301: {WRONG}",
        "severity": "major",
        "location": {
            "path": "a.sgf",
            "positions": {"begin": {"line": 2, "column": 10}, "end": {"line": 2, "column": 13}},
        },
    }
    assert second["location"]["path"] == "no.sgf"
    assert check("gitlab", write("b.sgf", "(;FF[4])")).stdout == "[]\n"


def marks(text: str) -> list[str]:
    return [one["fingerprint"] for one in json.loads(shown("gitlab", report(text)))]


def test_fingerprints_stay_when_lines_move_and_never_come_twice() -> None:
    text = "(;FF[4]\n;BL[zz9]\n;BL[zz9]\n;WL[q])"

    assert len({*marks(text)}) == 3
    assert marks(text) == marks(text.replace("\n", "\n\n"))
    assert marks(text)[2:] == marks("(;FF[4]\n;WL[q])")


# ---- Azure ----

#: What the agent makes of an escaped text, the percent sign at last.
UNESCAPES = {"%3B": ";", "%0D": "\r", "%0A": "\n", "%5D": "]", "%AZP25": "%"}


def of_azure(line: str) -> tuple[dict[str, str], str]:
    """The properties and the message of a logging command, as the agent reads them."""

    def unescaped(text: str) -> str:
        for escaped, char in UNESCAPES.items():
            text = text.replace(escaped, char)
        return text

    head, _, message = line.removeprefix("##vso[").partition("]")
    command, _, properties = head.partition(" ")
    assert (line[:6], command) == ("##vso[", "task.logissue")
    pairs = (pair.partition("=") for pair in properties.split(";") if pair)
    return {key: unescaped(value) for key, _, value in pairs}, unescaped(message)


def test_azure_gets_one_command_a_finding() -> None:
    result = check("azure", write("a.sgf", f"Hello {BROKEN}"), "no.sgf", "--level", "info")

    assert result.stdout == (
        "##vso[task.logissue type=warning;sourcepath=a.sgf;linenumber=1;columnnumber=1;code=S103;]"
        "a.sgf:1:1: S103 text before the first game is skipped\n"
        "##vso[task.logissue type=error;sourcepath=a.sgf;linenumber=2;columnnumber=10;code=V301;]"
        f"a.sgf:2:10: V301 {WRONG}\n"
        "##vso[task.logissue type=warning;sourcepath=a.sgf;linenumber=2;columnnumber=15;code=D501;]"
        "a.sgf:2:15: D501 X is not a property of FF[4]; it is kept unchanged\n"
        "##vso[task.logissue type=error;sourcepath=no.sgf;code=F002;]"
        "no.sgf: F002 no such file or directory\n"
    )


def test_azure_reads_back_whatever_a_record_or_a_name_says() -> None:
    name = "a;b]c%3B\n##vso[task.complete].sgf"
    (line,) = shown("azure", report("(;FF[4]SZ[50%0A;x])", name=name)).splitlines()
    place, message = of_azure(line)

    assert place["sourcepath"] == name
    assert "'50%0A;x'" in message
    assert message.startswith(name)


# ---- reviewdog ----
#
# What its schema, ``proto/rdf/jsonschema/DiagnosticResult.json``, knows; reviewdog itself
# rejects fields that it does not know.


class Where(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    line: Annotated[int, Field(ge=1)]
    column: Annotated[int, Field(ge=1)]


class Range(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    start: Where
    end: Where


class Place(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    path: str
    range: Range | None = None


class Suggestion(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    range: Range
    text: str


class RdDiagnostic(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    message: Annotated[str, Field(min_length=1)]
    location: Place
    severity: Literal["ERROR", "WARNING", "INFO"]
    code: dict[Literal["value", "url"], str]
    suggestions: list[Suggestion] = []


class RdResult(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    source: dict[Literal["name", "url"], str]
    diagnostics: list[RdDiagnostic]


def of_reviewdog(text: str) -> RdResult:
    return RdResult.model_validate_json(text)


def test_reviewdog_gets_what_its_schema_knows() -> None:
    write("a.sgf", BROKEN)
    result = of_reviewdog(check("rdjson", "a.sgf", "no.sgf", "--level", "info").stdout)
    wrong, unknown, missing = result.diagnostics

    assert result.source == {"name": "sgf-lark"}
    assert (wrong.message, wrong.severity, wrong.code) == (WRONG, "ERROR", {"value": "V301"})
    assert wrong.location == Place(
        path="a.sgf",
        range=Range(start=Where(line=2, column=10), end=Where(line=2, column=13)),
    )
    assert (unknown.severity, missing.location) == ("INFO", Place(path="no.sgf"))
    assert of_reviewdog(check("rdjson", write("b.sgf", "(;FF[4])")).stdout).diagnostics == []


def test_reviewdog_counts_columns_in_bytes_of_utf_8() -> None:
    text = "(;FF[4]C[" + "a" * 2000 + "é棋😀]SZ[big])"
    (found,) = of_reviewdog(shown("rdjson", report(text))).diagnostics

    assert found.location.range is not None
    assert found.location.range.start.column == 1 + len(text.partition("big")[0].encode())


def test_each_suggestion_alone_makes_all_edits_of_a_fix() -> None:
    texts = [
        "(;FF[4]GM[1]SZ[19]PB[棋]\n;B[pd];W[dd]AB[cc]PL[W]C[x])",
        "(;FF[3]GM[1]SZ[19];B[pd]",
    ]
    for text in texts:
        made = check_text(io.StringIO(text))
        (found,) = (one for one in made if one.fix)
        (told,) = (
            one for one in of_reviewdog(shown("rdjson", made)).diagnostics if one.suggestions
        )
        (suggestion,) = told.suggestions
        lines = [line.encode() for line in text.split("\n")]
        start, end = suggestion.range.start, suggestion.range.end
        before = b"\n".join([*lines[: start.line - 1], lines[start.line - 1][: start.column - 1]])
        after = b"\n".join([lines[end.line - 1][end.column - 1 :], *lines[end.line :]])
        expected = text
        assert found.fix is not None
        for edit in sorted(found.fix.edits, key=lambda edit: -edit.offset):
            expected = expected[: edit.offset] + edit.replacement + expected[edit.end_offset :]

        assert (before + suggestion.text.encode() + after).decode() == expected != text


def test_a_fix_of_distant_places_is_no_suggestion() -> None:
    edits = tuple(Edit(offset=at, end_offset=at, replacement="") for at in (0, 2000))
    made = report("(;FF[4]SZ[big]C[" + "x" * 3000 + "])")
    changed = made.diagnostics[0].model_copy(
        update={"fix": Fix(message="far", safe=True, edits=edits)}
    )
    told = shown("rdjson", made.model_copy(update={"diagnostics": (changed,)}))

    assert of_reviewdog(told).diagnostics[0].suggestions == []


# ---- JUnit ----


def test_junit_has_a_suite_for_each_file() -> None:
    files = [write("a.sgf", BROKEN), write("b.sgf", "(;FF[4])"), "no.sgf"]
    root = ET.fromstring(check("junit", *files, "--level", "info").stdout)  # noqa: S314  # our own
    suites = {one.attrib["name"]: one for one in root}

    assert root.tag == "testsuites"
    assert [*suites] == files
    counts = [{name: one.attrib[name] for name in ("tests", "failures", "errors")} for one in root]
    assert [[*one.values()] for one in counts] == [
        ["2", "1", "0"],
        ["1", "0", "0"],
        ["1", "0", "1"],
    ]
    wrong, strange = suites["a.sgf"]
    assert wrong.attrib == {"name": "V301 wrong-value (2:10)", "classname": "a.sgf"}
    assert [(one.tag, one.attrib) for one in wrong] == [
        ("failure", {"type": "error", "message": WRONG})
    ]
    assert [one.tag for one in strange] == ["system-out"]
    assert [[one.tag for one in case] for case in suites["b.sgf"]] == [[]]
    assert [[one.tag for one in case] for case in suites["no.sgf"]] == [["error"]]


def test_junit_is_xml_whatever_the_record_says() -> None:
    text = "(;FF[4]SZ[\x01<&>\"']]>\ufffe\x0b])"
    root = ET.fromstring(shown("junit", report(text, name='\x02<&">.sgf')))  # noqa: S314  # our own

    assert root[0].attrib["name"] == '\\x02<&">.sgf'


# ---- SARIF ----
#
# The published JSON Schema of SARIF 2.1.0 is no part of any maintained Python package, and its
# own licence is not stated with it.  So here stands what it demands of the objects that are
# written, and nothing else is allowed in them.


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


Positive = Annotated[int, Field(ge=1)]
Level = Literal["none", "note", "warning", "error"]


class Message(Strict):
    text: Annotated[str, Field(min_length=1)]


class Configuration(Strict):
    level: Level
    enabled: bool


class Tags(Strict):
    tags: list[str]


class Descriptor(Strict):
    id: str
    name: str
    shortDescription: Message  # noqa: N815  # SARIF's names
    fullDescription: Message | None = None  # noqa: N815
    help: Message | None = None
    helpUri: Annotated[str, Field(pattern=r"^https://")] | None = None  # noqa: N815  # absolute
    defaultConfiguration: Configuration  # noqa: N815
    properties: Tags


class Driver(Strict):
    name: str
    version: str
    semanticVersion: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+")]  # noqa: N815
    rules: list[Descriptor]


class Tool(Strict):
    driver: Driver


class Artifact(Strict):
    uri: Annotated[str, Field(pattern=r"^[A-Za-z0-9._~%/+:-]+$")]


class Region(Strict):
    startLine: Positive  # noqa: N815
    startColumn: Positive  # noqa: N815
    endLine: Positive  # noqa: N815
    endColumn: Positive  # noqa: N815


class Physical(Strict):
    artifactLocation: Artifact  # noqa: N815
    region: Region | None = None


class Logical(Strict):
    name: str | None = None
    fullyQualifiedName: str  # noqa: N815
    kind: str


class Location(Strict):
    physicalLocation: Physical  # noqa: N815
    logicalLocations: list[Logical] | None = None  # noqa: N815


class Replacement(Strict):
    deletedRegion: Region  # noqa: N815
    insertedContent: dict[Literal["text"], str]  # noqa: N815


class Change(Strict):
    artifactLocation: Artifact  # noqa: N815
    replacements: Annotated[list[Replacement], Field(min_length=1)]


class Repair(Strict):
    description: Message
    artifactChanges: Annotated[list[Change], Field(min_length=1)]  # noqa: N815


class Finding(Strict):
    ruleId: str  # noqa: N815
    ruleIndex: Annotated[int, Field(ge=0)]  # noqa: N815
    level: Level
    message: Message
    locations: list[Location]
    partialFingerprints: dict[str, str]  # noqa: N815
    fixes: list[Repair] | None = None


class Invocation(Strict):
    executionSuccessful: bool  # noqa: N815
    exitCode: int  # noqa: N815
    properties: dict[str, int]


class Run(Strict):
    tool: Tool
    columnKind: Literal["utf16CodeUnits", "unicodeCodePoints"]  # noqa: N815
    newlineSequences: Annotated[list[str], Field(min_length=1)]  # noqa: N815
    results: list[Finding]
    invocations: list[Invocation]


class Log(Strict):
    schema_: str = Field(alias="$schema")
    version: Literal["2.1.0"]
    runs: list[Run]


def sarif(text: str) -> Run:
    (run,) = Log.model_validate_json(text).runs
    return run


def test_sarif_is_as_its_schema_demands() -> None:
    write("a.sgf", f"Hello {BROKEN}")
    log = Log.model_validate_json(check("sarif", "a.sgf", "no.sgf").stdout)
    (run,) = log.runs

    assert (log.schema_, log.version) == (SCHEMA, "2.1.0")
    assert run.tool.driver.version == __version__
    assert [(one.ruleId, one.level) for one in run.results] == [
        ("S103", "warning"),
        ("V301", "error"),
        ("D501", "note"),
        ("F002", "error"),
    ]
    counts = {"fixed": 0, "remaining": 3, "fixable": 0, "fixableUnsafely": 0}
    assert run.invocations == [Invocation(executionSuccessful=False, exitCode=2, properties=counts)]
    assert sarif(check("sarif", write("b.sgf", "(;FF[4])")).stdout).results == []


def test_sarif_lists_every_rule_once() -> None:
    run = sarif(check("sarif", write("a.sgf", BROKEN)).stdout)
    rules = run.tool.driver.rules

    assert [one.id for one in rules] == [one.code for one in RULES.values()]
    assert all(rules[one.ruleIndex].id == one.ruleId for one in run.results)
    assert {one.id for one in rules if not one.defaultConfiguration.enabled} == {
        one.code for one in RULES.values() if one.strict
    }


def test_sarif_without_a_site_names_no_file_of_this_machine_and_explains_each_rule() -> None:
    rules = sarif(check("sarif", write("a.sgf", BROKEN)).stdout).tool.driver.rules

    assert {one.helpUri for one in rules} == {None}
    assert all(one.help is not None for one in rules)


@pytest.mark.parametrize("site", ["https://example.org/sgf/", "https://example.org/sgf"])
def test_sarif_leads_to_the_pages_of_the_site_that_the_settings_name(site: str) -> None:
    write("sgf-lark.toml", f"site = '{site}'")
    rules = sarif(check("sarif", write("a.sgf", BROKEN)).stdout).tool.driver.rules

    for one in rules:
        assert one.helpUri == f"https://example.org/sgf/rules/{one.id}.html"


def test_sarif_counts_columns_in_utf_16() -> None:
    run = sarif(shown("sarif", report("(;FF[4]C[😀棋😀]SZ[big]C[x])", name="a.sgf")))
    place = run.results[0].locations[0].physicalLocation

    assert run.columnKind == "utf16CodeUnits"
    assert place.region == Region(startLine=1, startColumn=19, endLine=1, endColumn=22)
    (found,) = (one for one in report("(;FF[4]C[😀棋😀]SZ[big]C[x])").errors if one.code == "V301")
    assert (found.column, found.end_column) == (17, 20)


def test_a_file_that_was_not_read_has_no_region_in_sarif() -> None:
    (result,) = sarif(check("sarif", "no.sgf").stdout).results

    assert result.locations == [
        Location(physicalLocation=Physical(artifactLocation=Artifact(uri="no.sgf")))
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("games/a b.sgf", "games/a%20b.sgf"),
        ("./棋.sgf", "%E6%A3%8B.sgf"),
        ("/tmp/a#1.sgf", "file:///tmp/a%231.sgf"),  # noqa: S108  # only its name
        ("a:b.sgf", "a%3Ab.sgf"),
        ("caf\udce9.sgf", "caf%E9.sgf"),
    ],
)
def test_names_become_uris(name: str, expected: str) -> None:
    assert uri(name) == expected


def test_fixes_are_replacements_in_sarif() -> None:
    made = report(BROKEN)
    fix = Fix(
        message="write D", safe=True, edits=(Edit(offset=26, end_offset=26, replacement="D"),)
    )
    changed = made.diagnostics[0].model_copy(update={"fix": fix})
    run = sarif(shown("sarif", made.model_copy(update={"diagnostics": (changed,)})))

    assert run.results[0].fixes == [
        Repair(
            description=Message(text="write D"),
            artifactChanges=[
                Change(
                    artifactLocation=Artifact(uri="a.sgf"),
                    replacements=[
                        Replacement(
                            deletedRegion=Region(
                                startLine=2, startColumn=8, endLine=2, endColumn=8
                            ),
                            insertedContent={"text": "D"},
                        )
                    ],
                )
            ],
        )
    ]


# ---- where it goes ----


def test_a_report_can_be_written_into_a_file(folder: Path) -> None:
    result = check("concise", write("a.sgf", "(;FF[4]SZ[大])"), "--output", "report.txt")

    assert (result.stdout, result.exit_code) == ("", 1)
    text = (folder / "report.txt").read_text(encoding="utf-8")
    assert text.startswith(f"a.sgf:1:11: V301 {message_of('V301', '(;FF[4]SZ[大])')}\n")
    assert "\n1 file: 1 error" in text


def test_a_file_that_cannot_be_written_is_refused() -> None:
    result = check("concise", write("a.sgf", BROKEN), "--output", "no/such/file")

    assert result.exit_code == 2
    assert "error: --output: no/such/file: no such file" in result.stderr


@pytest.mark.parametrize("output", Output)
def test_names_that_are_no_unicode_stop_no_report(output: str, folder: Path) -> None:
    try:
        (folder / "caf\udce9.sgf").write_text(BROKEN)
    except OSError:
        pytest.skip("such names cannot be made here")
    result = check(output, ".", "--output", "report")
    text = Path("report").read_bytes().decode("utf-8")

    assert result.exit_code == 1
    assert "V301" in text


def test_nothing_is_said_of_a_place_in_an_empty_text() -> None:
    empty = check_text(io.StringIO(""))

    assert shown("full", empty).startswith("<stream>: error: ")


# ---- columns ----


def test_columns_are_as_wide_as_their_characters_on_a_terminal() -> None:
    rows = [Row(["青木", "1"], ["first"]), Row(["Boggs!", "12"], ["second"])]
    lines = [
        "".join(piece[0] if isinstance(piece, tuple) else piece for piece in line)
        for _, line in align(rows, right={1})
    ]

    assert lines == ["青木     1  first", "Boggs!  12  second"]
    assert [*map(cell_len, lines)] == [17, 18]


@pytest.mark.parametrize(
    ("width", "start", "end"),
    [(9, "青木 一郎", "青木 一郎"), (5, "青木…", "…一郎"), (1, "…", "…"), (0, "", "")],
)
def test_a_text_is_cut_between_its_characters(width: int, start: str, end: str) -> None:
    assert crop("青木 一郎", width) == start
    assert crop("青木 一郎", width, keeps_end=True) == end


# ---- from Python ----


def test_a_report_is_a_sequence_of_its_findings_by_severity() -> None:
    found = check_text(b"(;FF[4]KM[x]SZ[9];B[aa];W[aa])", name="games/a.sgf")

    assert found.name == "games/a.sgf"
    assert sorted({one.severity for one in found}) == ["error", "info", "warning"]
    assert found[0] == [*found][0]  # noqa: RUF015
    assert found[-1] == found.diagnostics[-1]
    assert found[1:] == found.diagnostics[1:]
    assert {*found.errors, *found.warnings, *found.infos} == {*found}
    assert [one.severity for one in found.infos] == ["info"] * len(found.infos) != []
    assert found
    assert not found.ok


def test_a_report_with_warnings_only_is_ok_and_one_with_errors_left_out_is_not() -> None:
    warned = check_text(b"(;FF[4]GM[1]SZ[9];W[aa];W[bb])")
    many = check_text(b"(;FF[4]GM[1]SZ[9]KM[x]HA[y])").model_copy(update={"diagnostics": ()})

    assert warned.ok
    assert not warned.errors
    assert many.ok
    assert not many.model_copy(update={"left_out": {Severity.ERROR: 1}}).ok


@pytest.mark.parametrize("form", [*Output])
def test_a_report_is_written_from_python_as_the_command_writes_it(form: Output) -> None:
    path = write("a.sgf", BROKEN)
    level = form.level.value

    options = CheckOptions.model_validate({"select": RULES_HERE})
    assert check_text(path, options=options).to(form.value, level=level) == (
        check(form.value, path).stdout
    )


def test_a_form_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(ValueError, match="no form 'xml' of a report: there are full, concise"):
        check_text(b"").to("xml")
    with pytest.raises(ValueError, match="bad"):
        check_text(b"").to("json", level="bad")


def test_every_form_is_named_where_forms_are_explained() -> None:
    page = (ROOT / GUIDES / "hooks.md").read_text(encoding="utf-8")
    table = "".join(line for line in page.splitlines() if line.startswith("| `--format "))
    explained = f"{Report.to.__doc__}"

    for form in Output:
        assert re.search(rf"`(--format )?{form}`", table), form
        assert f"``{form}``" in explained, form
        if form.module == "data":
            assert re.search(rf"^ *{form}  ", f"{data.__doc__}", re.MULTILINE), form
