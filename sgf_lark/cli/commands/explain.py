"""The command ``sgf-lark explain``."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from shutil import get_terminal_size
from typing import Annotated

import typer

from sgf_lark.cli import options as arguments
from sgf_lark.cli.interface import candidates
from sgf_lark.cli.interface.help import Section
from sgf_lark.diagnostics.terminal import has_unicode


class PageFormat(StrEnum):
    """The forms of an explanation."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def explain(
    *,
    word: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE|PROPERTY",
            autocompletion=candidates.topics,
            help="A code (V301), a name (wrong-value), the beginning of codes (V3) or a group"
            " (value); or a property (KM, Komi), of the standards or of a known program (LZ).",
            show_default=False,
        ),
    ] = None,
    all_: Annotated[
        bool,
        typer.Option(
            "--all", help="List all codes; the same as no argument.", rich_help_panel=Section.OUTPUT
        ),
    ] = False,
    form: Annotated[
        PageFormat,
        typer.Option(
            "--format",
            help="The form: for people, or for programs.",
            rich_help_panel=Section.OUTPUT,
        ),
    ] = PageFormat.TEXT,
    config: arguments.Config = None,
    isolated: arguments.Isolated = False,
) -> None:
    """Explain a finding, or a property of game records.

    Properties and games of settings are known, too.

    Exit code: 2 if there is no such code or property.

    Examples:
        sgf-lark explain V301
        sgf-lark explain KM
    """
    from sgf_lark.report import explain as pages

    if word and all_:
        raise typer.BadParameter(f"--all lists all codes: remove it, or '{word}'")
    with arguments.reported_settings():
        by_file = arguments.file_options(config=config, isolated=isolated)
        arguments.verify_settings(by_file)
    try:
        page = pages.explain(word, by_file.settings.table) if word else pages.ListPage()
    except pages.UnknownError as error:
        raise typer.BadParameter(str(error), param_hint="CODE|PROPERTY") from None
    if form is PageFormat.TEXT:
        width = get_terminal_size().columns if sys.stdout.isatty() else pages.MAX_WIDTH
        text = pages.as_text(page, width)
    elif form is PageFormat.MARKDOWN:
        text = pages.as_markdown(page)
    else:
        text = json.dumps(page.data(), indent=2, ensure_ascii=not has_unicode(sys.stdout.encoding))
    print(text)  # noqa: T201  # what was asked for
