"""The command ``sgf-lark explain``."""

from __future__ import annotations

import json
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Literal

import click

from sgf_lark.cli import completion
from sgf_lark.cli.interface import Bundle, argument, command, option
from sgf_lark.cli.options import SettingsOptions, to_toml, verify_settings
from sgf_lark.cli.output import show_report
from sgf_lark.core import SettingsError, Severity, SgfGrammarError
from sgf_lark.report.terminal import has_unicode

if TYPE_CHECKING:
    from sgf_lark.report.explain import SettingPage


class PageOptions(Bundle, section="Output"):
    """The form of an explanation."""

    form: Literal["text", "json", "markdown"] = option(
        "The form: for people, or for programs.", "--format", default="text"
    )


@command(
    argument(
        "word",
        "[CODE|PROPERTY|SETTING]",
        "A code (V301), a name (wrong-value), the beginning of codes (V3) or a group"
        " (value); a property (KM, Komi), of the standards or of a known program (LZ); or a setting"
        " (extend-select, fmt.nodes).",
        str,
        shell_complete=completion.topics,
    ),
)
def explain(word: str | None, page: PageOptions, settings: SettingsOptions) -> None:
    """Explain a finding, a property of game records, or a setting.

    Without an argument it lists all codes. Properties and games of settings are known, too.

    Exit code: 2 if there is no such code, property or setting.

    Examples:
        sgf-lark explain V301
        sgf-lark explain KM
        sgf-lark explain extend-select
    """
    from sgf_lark.report import explain as pages

    table = None
    try:
        by_file = settings.find()
        verify_settings(by_file, values=False)
        table = by_file.settings.table
    except (SettingsError, SgfGrammarError) as invalid:  # the rest can be explained without them
        show_report(invalid.report, Severity.ERROR)
    try:
        found: pages.Page
        found = pages.explain(word, table) if word else pages.GroupPage()
    except pages.UnknownError as error:
        setting = find_setting(word or "")
        if setting is None:
            raise click.UsageError(f"CODE|PROPERTY|SETTING: {error}") from None
        found = setting
    if page.form == "text":
        width = get_terminal_size().columns if sys.stdout.isatty() else pages.MAX_WIDTH
        text = pages.page_as_text(found, width)
    elif page.form == "markdown":
        text = pages.page_as_markdown(found)
    else:
        text = json.dumps(found.data(), indent=2, ensure_ascii=not has_unicode(sys.stdout.encoding))
    print(text)  # noqa: T201  # what was asked for


#: Settings that no option overrides.
MEANINGS = {
    "per-file-ignores": "Rules that are not reported in some files, by patterns as in .gitignore,"
    " from the folder of the settings file.",
    "site": "The address of a site that 'sgf-lark site' made: SARIF, editors, and codes on a"
    " terminal link to its pages.",
    "properties": "Private properties that are known then, with their types.",
    "games": "Games that no standard has, with their numbers and grammars.",
    "fmt": "The layout that 'sgf-lark fmt' writes.",
    "convert.minutes": "In FF[1], a time limit without a unit is in minutes, not in seconds.",
    "convert.time-left": "From GGF, the time left of each side is calculated, where the clock and"
    " the times of the moves allow it.",
    "convert": "The format that 'sgf-lark convert' converts to, and its choices.",
}


def find_setting(word: str) -> SettingPage | None:
    """Return the page on a setting: ``cache``, ``fmt.nodes``, ``nodes`` or ``[fmt]``."""
    from sgf_lark.report.explain import SettingPage
    from sgf_lark.settings.settings import accepted_values, described_entry, known_settings

    from .check import check
    from .convert import convert
    from .fmt import fmt

    known = known_settings()
    word = word.strip("[]").replace("_", "-").lower()
    place = word.split(".")
    if len(place) > 1 and (about := described_entry(place[0], place[-1])) is not None:
        return SettingPage(f"{place[0]}.*.{place[-1]}", *about, "")
    name = next((name for name in known if word in {name, name.partition(".")[2]}), None)
    if name is None:
        return None
    value, (table, _, own) = known[name], name.rpartition(".")
    owner, given = {"fmt": fmt, "convert": convert}.get(table, check), f"--{own}"
    overriding = next((each for each in owner.params if given in each.opts), None)
    return SettingPage(
        name,
        ((overriding and overriding.help) or MEANINGS[name]).partition("  [default")[0],
        accepted_values(*name.split(".")),
        "" if value in (None, {}) else to_toml(value),
        f"{given} of sgf-lark {owner.name}" if overriding else "",
    )
