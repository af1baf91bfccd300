"""The options of the command line that several commands have: rules, settings, encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from .paths import reason

if TYPE_CHECKING:
    from sgf_lark.diagnostics.selection import CheckOptions
    from sgf_lark.diagnostics.settings import Chooser


def _rules(help: str) -> Any:
    """An option that takes names of rules."""
    return typer.Option(metavar="RULES", help=help, show_default=False)


Select: TypeAlias = Annotated[
    list[str] | None,
    _rules(
        "Look for these only: codes (V301), names (wrong-value), beginnings of codes (V3) or"
        " groups (value), with commas between them; or ALL."
    ),
]
ExtendSelect: TypeAlias = Annotated[list[str] | None, _rules("Look for these, too.")]
Ignore: TypeAlias = Annotated[list[str] | None, _rules("Say nothing of these.")]
Error: TypeAlias = Annotated[list[str] | None, _rules("Count these as errors.")]
Warn: TypeAlias = Annotated[list[str] | None, _rules("Count these as warnings.")]
Info: TypeAlias = Annotated[list[str] | None, _rules("Count these as merely worth knowing.")]

Strict: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--strict/--no-strict",
        help="Look also for what is allowed but doubtful, and count what is merely worth knowing"
        " as a warning.",
        show_default=False,
    ),
]
Config: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Take the settings for all records from this file. Else they are those of the"
        " nearest sgf-lark.toml, or pyproject.toml with [tool.sgf-lark], in the folder of the"
        " record or above it.",
        show_default=False,
    ),
]
Isolated: TypeAlias = Annotated[
    bool,
    typer.Option("--isolated", help="Take no settings from files."),
]

Encoding: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="How the letters are stored, such as utf-8, gb18030 or shift_jis, if that is not"
        " found out rightly by itself.",
        show_default=False,
    ),
]


def test_encoding(name: str | None) -> None:
    """Refuse an unknown encoding before any file is opened.

    Raises:
        typer.BadParameter: There is no such encoding.
    """
    from sgf_lark.text.encoding import decode

    try:
        decode(b"", name)
    except LookupError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--encoding") from None


def chooser(
    lists: dict[str, list[str] | None],
    *,
    strict: bool | None,
    config: str | None,
    isolated: bool,
) -> Chooser:
    """What the command line and the settings files say about each file.

    Raises:
        SettingsError: A settings file is not understood.
        typer.BadParameter: The command line is not.
    """
    from sgf_lark.diagnostics.settings import Chooser

    if config and isolated:
        raise typer.BadParameter("--config and --isolated contradict each other")
    try:
        return Chooser(_options(lists, strict=strict), config, isolated=isolated)
    except OSError as error:
        raise typer.BadParameter(f"{config}: {reason(error)}", param_hint="--config") from None


def _options(lists: dict[str, list[str] | None], *, strict: bool | None) -> CheckOptions:
    """What the command line says about rules."""
    from pydantic import ValidationError

    from sgf_lark.diagnostics.selection import CheckOptions

    given: dict[str, object] = {
        name: [one for text in texts for one in text.replace(",", " ").split()]
        for name, texts in lists.items()
        if texts
    }
    if strict is not None:
        given["strict"] = strict
    try:
        return CheckOptions.model_validate(given)
    except ValidationError as error:
        fault = error.errors()[0]
        hint = "--" + str(fault["loc"][0]).replace("_", "-")
        raise typer.BadParameter(str(fault["ctx"]["error"]), param_hint=hint) from None
