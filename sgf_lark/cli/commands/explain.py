"""The command ``sgf-lark explain``."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from shutil import get_terminal_size

import click

from sgf_lark.cli import completion
from sgf_lark.cli.interface import Bundle, OneOf, command, flag, option
from sgf_lark.cli.options import SettingsOptions, reported_settings, verify_settings
from sgf_lark.diagnostics.terminal import has_unicode


class PageFormat(StrEnum):
    """The forms of an explanation."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class PageOptions(Bundle, section="Output"):
    """The form of an explanation."""

    is_list: bool = flag("--all", help="List all codes; the same as no argument.")
    form: PageFormat = option(
        "--format",
        type=OneOf(PageFormat),
        default="text",
        help="The form: for people, or for programs.",
    )


@command(
    click.Argument(
        ["word"],
        required=False,
        metavar="[CODE|PROPERTY]",
        shell_complete=completion.topics,
        help="A code (V301), a name (wrong-value), the beginning of codes (V3) or a group"
        " (value); or a property (KM, Komi), of the standards or of a known program (LZ).",
    ),
    page=PageOptions,
    settings=SettingsOptions,
)
def explain(word: str | None, page: PageOptions, settings: SettingsOptions) -> None:
    """Explain a finding, or a property of game records.

    Properties and games of settings are known, too.

    Exit code: 2 if there is no such code or property.

    Examples:
        sgf-lark explain V301
        sgf-lark explain KM
    """
    from sgf_lark.report import explain as pages

    if word and page.is_list:
        raise click.UsageError(f"--all lists all codes: remove it, or '{word}'")
    with reported_settings():
        by_file = settings.find()
        verify_settings(by_file)
    try:
        found = pages.explain(word, by_file.settings.table) if word else pages.ListPage()
    except pages.UnknownError as error:
        raise click.UsageError(f"CODE|PROPERTY: {error}") from None
    if page.form is PageFormat.TEXT:
        width = get_terminal_size().columns if sys.stdout.isatty() else pages.MAX_WIDTH
        text = pages.as_text(found, width)
    elif page.form is PageFormat.MARKDOWN:
        text = pages.as_markdown(found)
    else:
        text = json.dumps(found.data(), indent=2, ensure_ascii=not has_unicode(sys.stdout.encoding))
    print(text)  # noqa: T201  # what was asked for
