"""The command ``sgf-lark fmt``."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from sgf_lark.cli.files import Change, FileWriter
from sgf_lark.cli.grammars import check_for_records
from sgf_lark.cli.interface import Bundle, NumberFrom, command, flag, option, switch
from sgf_lark.cli.options import (
    PATHS,
    FolderOptions,
    RecordOptions,
    SettingsOptions,
    WorkOptions,
    reported_settings,
    verify_settings,
)
from sgf_lark.core import plural
from sgf_lark.files.paths import find_files, find_unread
from sgf_lark.report.terminal import say

if TYPE_CHECKING:
    from sgf_lark.core import Layout


class LayoutOptions(Bundle, section="Layout"):
    """The layout, where it is not that of the settings."""

    nodes: int | None = option("Nodes on a line.  [default: 1]", type=NumberFrom(1))
    indent: int | None = option(
        "Spaces before a variation, for each level.  [default: 0]", type=NumberFrom(0)
    )
    width: int | None = option(
        "Break lines longer than N characters, where this keeps the content.", type=NumberFrom(1)
    )
    compress: bool | None = switch("Write point lists as rectangles; FF[4] only.")


class PreviewOptions(Bundle, section="Output"):
    """The files are not written."""

    check: bool = flag("Write nothing; exit with 1 if a file would change.")
    diff: bool = flag("Write nothing; show what would change.")


@command(PATHS, is_brief=True)
def fmt(
    paths: tuple[str, ...],
    preview: PreviewOptions,
    layout: LayoutOptions,
    folders: FolderOptions,
    reading: RecordOptions,
    settings: SettingsOptions,
    work: WorkOptions,
) -> None:
    """Write game records in one layout, a node on each line.

    A file is replaced only if the new text reads as the same games. Files with syntax errors
    are skipped: check reports the errors. Standard input is formatted to standard output.

    Exit code: 0 if all files are formatted, 1 if a file would change (--check, --diff) or has
    syntax errors, 2 if a file could not be read or written.

    Examples:
        sgf-lark fmt games --check
        sgf-lark fmt game.sgf --nodes 10
    """
    given, is_preview = layout.given(), preview.check or preview.diff
    with reported_settings():
        by_file = settings.find(choice=folders.choice(), reading=reading.over_settings)
        check_for_records(reading)
        files = list(find_files(folders.inputs(paths), by_file))
        verify_settings(by_file)

    def own(name: str) -> dict[str, Any]:
        return {"layout": by_file.settings_of(name).fmt.given() | given} | by_file.reading(name)

    run = work.over(files, "formatting", folders, find_unread(folders.inputs(paths), by_file))
    writer = FileWriter(run, writes=not is_preview, is_listing=True)
    act = partial(format_file, reading=reading.loading(), diff=preview.diff)
    with run.counted():
        writer.run(act, own, partial(Change.of_error, done="formatted"))
    if not work.quiet:
        shown = (f"{plural(count, 'file')} {what}" for count, what in writer.summary)
        say(", ".join(shown) or "no files", err=True)
    sys.exit(writer.exit_code(is_wrong=is_preview and writer.word in writer.counts))


def format_file(
    path: str,
    data: bytes,
    *,
    reading: dict[str, Any],
    diff: bool,
    layout: Layout,
    **own: Any,
) -> Change:
    """Return the change of a file to a layout.

    Args:
        path, data: The name and the bytes of the file.
        reading, own: Options of :func:`sgf_lark.load` for all files, and for this one.
        diff: Make the difference.
    """
    from sgf_lark.core import ChangedError, SgfSyntaxError, format_record
    from sgf_lark.files.time_limit import limited

    options = reading | own
    try:
        with limited(options["grammar"], len(data)):
            after = format_record(data, name=path, **options, **layout)
    except SgfSyntaxError as error:
        what, why = "skipped (syntax errors)", str(error.first)
    except ChangedError as error:
        what, why = "skipped (changed content)", str(error)
    else:
        return Change.of(path, data, after, diff=diff)
    return Change(what=what, message=f"{path}: {what}: {why}")
