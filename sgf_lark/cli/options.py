"""Options that several commands share; and those of check for rules, fixes and known findings."""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from sgf_lark.diagnostics.terminal import reason

from .interface import candidates
from .interface.help import Section
from .paths import STDIN, SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgf_lark.diagnostics.selection import CheckOptions
    from sgf_lark.diagnostics.settings import FileChoice, FileOptions


Paths: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PATHS]...",
        help="Files; archives such as games.zip; folders, for the archives in them and the files"
        f" that end in {', '.join(SUFFIXES)}; patterns"
        " such as 'games/*.sgf'; or - for standard input.  [default: .]",
        show_default=False,
    ),
]
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Work on N files at the same time.  [default: one on each core, if there is much"
        " to do]",
        show_default=False,
        rich_help_panel=Section.RUN,
    ),
]
Quiet: TypeAlias = Annotated[
    bool,
    typer.Option(
        "-q",
        "--quiet",
        help="Print only errors and findings: no bar, no counts.",
        rich_help_panel=Section.REPORT,
    ),
]
StdinFilename: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--stdin-filename",
        metavar="FILE",
        help="Read standard input as if it were this file: for its settings, and in reports.",
        show_default=False,
        rich_help_panel=Section.FILES,
    ),
]


class ReadAs(StrEnum):
    """The formats of records."""

    FF1 = "ff1"
    FF2 = "ff2"  # read as FF[1]
    FF3 = "ff3"
    FF4 = "ff4"
    GGF = "ggf"


As: TypeAlias = Annotated[
    ReadAs | None,
    typer.Option(
        "--as",
        case_sensitive=False,
        help="Read the records as this format, whatever they declare; ff2 means ff1.",
        show_default=False,
        rich_help_panel=Section.READING,
    ),
]


def inputs(paths: list[str] | None, stdin_name: str | None = None) -> list[str]:
    """Return the paths of a command line: the current folder if it names none.

    Raises:
        typer.BadParameter: A path is empty; or standard input has a name, and is not read.
    """
    if paths and "" in paths:
        raise typer.BadParameter("a path is empty", param_hint="PATHS")
    if stdin_name is None:
        return paths or ["."]
    if paths and STDIN not in paths:
        hint = "--stdin-filename"
        raise typer.BadParameter(
            f"it names standard input: add {STDIN} to the paths", param_hint=hint
        )
    return paths or [STDIN]


def _rules(help: str) -> Any:
    """Return an option whose values are selectors of rules."""
    return typer.Option(
        metavar="RULES",
        help=help,
        show_default=False,
        rich_help_panel=Section.RULES,
        autocompletion=candidates.rules,
    )


Select: TypeAlias = Annotated[
    list[str] | None,
    _rules(
        "Check only these rules: codes (V301), names (wrong-value), beginnings of codes (V3) or"
        " groups (value), separated by commas; or ALL."
    ),
]
ExtendSelect: TypeAlias = Annotated[list[str] | None, _rules("Check these rules, too.")]
Ignore: TypeAlias = Annotated[list[str] | None, _rules("Do not report these rules.")]
Error: TypeAlias = Annotated[list[str] | None, _rules("Report these rules as errors.")]
Warn: TypeAlias = Annotated[list[str] | None, _rules("Report these rules as warnings.")]
Info: TypeAlias = Annotated[list[str] | None, _rules("Report these rules as infos.")]

Strict: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--strict/--no-strict",
        help="Check the strict rules, too: they find what is allowed but doubtful. Report infos"
        " as warnings.",
        show_default=False,
        rich_help_panel=Section.RULES,
    ),
]
Config: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Read the settings for all records from this file.  [default: for each record the"
        " nearest sgf-lark.toml, or pyproject.toml with [tool.sgf-lark], in its folder or above]",
        show_default=False,
        rich_help_panel=Section.SETTINGS,
    ),
]
Isolated: TypeAlias = Annotated[
    bool,
    typer.Option("--isolated", help="Ignore all settings files.", rich_help_panel=Section.SETTINGS),
]


def _patterns(help: str) -> Any:
    """Return an option whose values are patterns of files."""
    return typer.Option(
        metavar="PATTERNS", help=help, show_default=False, rich_help_panel=Section.FILES
    )


Exclude: TypeAlias = Annotated[
    list[str] | None,
    _patterns(
        "Skip these files and folders of folders, by patterns as in .gitignore, separated by"
        " commas.  [default: folders of tools, such as .git, .venv and node_modules]"
    ),
]
ExtendExclude: TypeAlias = Annotated[list[str] | None, _patterns("Skip these, too.")]
Include: TypeAlias = Annotated[
    list[str] | None,
    _patterns("The records of folders are the files that match.  [default: those by suffix]"),
]
RespectGitignore: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--respect-gitignore/--no-respect-gitignore",
        help="Skip what git ignores in a repository.  [default: skip it]",
        show_default=False,
        rich_help_panel=Section.FILES,
    ),
]
ForceExclude: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--force-exclude",
        help="Skip excluded files even if they are named.",
        rich_help_panel=Section.FILES,
    ),
]

Encoding: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=candidates.encodings,
        help="The character encoding, such as utf-8, gb18030 or shift_jis.  [default: detected]",
        show_default=False,
        rich_help_panel=Section.READING,
    ),
]

Fix: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--fix",
        help="Make the safe fixes of the findings shown, write the files, then check them.",
        rich_help_panel=Section.FIXES,
    ),
]
UnsafeFixes: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--unsafe-fixes",
        help="Count, and with --fix or --diff make, also fixes that guess, move or remove"
        " something. Alone it writes nothing.",
        rich_help_panel=Section.FIXES,
    ),
]
Diff: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--diff",
        help="Write nothing; show what the fixes would change.",
        rich_help_panel=Section.FIXES,
    ),
]
ShowFixes: TypeAlias = Annotated[
    bool,
    typer.Option("--show-fixes", help="List each fix that is made.", rich_help_panel=Section.FIXES),
]
BaselineFile: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="Show, count and fix only findings that this file does not list.",
        show_default=False,
        rich_help_panel=Section.REPORT,
    ),
]
WriteBaseline: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the findings into this file instead of showing them.",
        show_default=False,
        rich_help_panel=Section.REPORT,
    ),
]
Cache: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--cache/--no-cache",
        help="Keep the reports, and check only files that have changed.  [default: no-cache]",
        show_default=False,
        rich_help_panel=Section.RUN,
    ),
]
Watch: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--watch",
        help="Check again whenever a file changes, until Ctrl-C.",
        rich_help_panel=Section.RUN,
    ),
]


def test_encoding(name: str | None, option: str = "--encoding") -> None:  # noqa: PT028  # no test
    """Test the name of an encoding that an option has, before any file is opened.

    Raises:
        typer.BadParameter: There is no such encoding.
    """
    from sgf_lark.text.encoding import decode

    try:
        decode(b"", name)
    except LookupError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint=option) from None


def file_choice(
    exclude: list[str] | None,
    extend_exclude: list[str] | None,
    include: list[str] | None,
    respect_gitignore: bool | None,  # noqa: FBT001  # as the command line has it
    force_exclude: bool,  # noqa: FBT001
) -> FileChoice:
    """Return the options that choose the files of folders.

    Raises:
        typer.BadParameter: One of them is no pattern.
    """
    from sgf_lark.diagnostics.files.patterns import of_settings
    from sgf_lark.diagnostics.settings import FileChoice

    lists = {"exclude": exclude, "extend-exclude": extend_exclude, "include": include}
    given = {
        name: None if texts is None else tuple(",".join(texts).split(","))
        for name, texts in lists.items()
    }
    for name, patterns in given.items():
        for pattern in patterns or ():
            try:
                of_settings((pattern,))
            except ValueError:
                message = f"invalid pattern '{pattern}': expected one as in .gitignore"
                raise typer.BadParameter(message, param_hint=f"--{name}") from None
    more = given["extend-exclude"] or ()
    return FileChoice(given["exclude"], more, given["include"], respect_gitignore, force_exclude)


@contextmanager
def reported_settings() -> Iterator[None]:
    """Show the errors of settings and of grammars, and exit before any record is read."""
    from sgf_lark.diagnostics.errors import SettingsError, SgfGrammarError

    from .output import exit_with_report

    try:
        yield
    except (SettingsError, SgfGrammarError) as invalid:
        exit_with_report(invalid.report)


def verify_settings(options: FileOptions, grammar: str | None = None) -> None:
    """Test the grammars of the games in settings, and the types of their properties.

    Args:
        options: The options of files; the files were asked about.
        grammar: The custom grammar of the records.

    Raises:
        SgfGrammarError: The grammar of a game has errors.
        typer.BadParameter: No grammar has a type.
    """
    tables = {settings.folder: settings.table for settings in options.used if settings.table}
    if not tables:
        return
    from sgf_lark.diagnostics.errors import SgfError
    from sgf_lark.grammar import loader
    from sgf_lark.values.dialect import check_table

    own = None if grammar is None else loader.source(grammar)
    for folder, table in tables.items():
        try:
            check_table(table, own)
        except SgfError:
            raise
        except ValueError as error:
            raise typer.BadParameter(f"settings of {folder}: {error}") from None


def file_options(
    lists: dict[str, list[str] | None] | None = None,
    *,
    strict: bool | None = None,
    config: str | None,
    isolated: bool,
    choice: FileChoice | None = None,
) -> FileOptions:
    """Return the options of each file, from the command line and the settings files.

    Raises:
        SettingsError: A settings file is invalid.
        typer.BadParameter: The command line is invalid.
    """
    from sgf_lark.diagnostics.settings import FileChoice, FileOptions

    if config and isolated:
        raise typer.BadParameter("--isolated ignores all settings files: remove it, or --config")
    try:
        given = _options(lists or {}, strict=strict)
        return FileOptions(given, config, isolated=isolated, choice=choice or FileChoice())
    except OSError as error:
        raise typer.BadParameter(f"{config}: {reason(error)}", param_hint="--config") from None


def _options(lists: dict[str, list[str] | None], *, strict: bool | None) -> CheckOptions:
    """Return the options of the command line that select rules."""
    from pydantic import ValidationError

    from sgf_lark.diagnostics.selection import CheckOptions

    given: dict[str, object] = {
        name: [selector for text in texts for selector in text.replace(",", " ").split()]
        for name, texts in lists.items()
        if texts
    }
    if strict is not None:
        given["strict"] = strict
    if not given:
        return CheckOptions.model_construct()  # which waits for no model
    try:
        return CheckOptions.model_validate(given)
    except ValidationError as error:
        fault = error.errors()[0]
        hint = "--" + str(fault["loc"][0]).replace("_", "-")
        raise typer.BadParameter(str(fault["ctx"]["error"]), param_hint=hint) from None
