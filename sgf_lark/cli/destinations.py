"""Places for converted records: names with other suffixes, in a folder of their own."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from glob import has_magic
from typing import TYPE_CHECKING

import click

from sgf_lark.files.archives import split_member
from sgf_lark.files.members import ARCHIVES, COMPRESSED
from sgf_lark.files.paths import MAX_SHOWN, STDIN, SUFFIXES, Unreadable, find_files
from sgf_lark.settings.forms import TargetFormat

if TYPE_CHECKING:
    from sgf_lark.settings.settings import FileOptions

    from .files import Files


#: Suffixes that records of a format keep, and the one that others get.
_SGF = (".sgf", ".sgfs", ".tsgf")
KEPT: dict[TargetFormat, tuple[str, ...]] = {
    "ff4": _SGF,
    "ff3": _SGF,
    "ff1": (*_SGF, ".mgt"),
    "sgf": (*_SGF, ".mgt"),
    "ggf": (".ggf",),
    "json": (".json",),
}
_KNOWN = (*SUFFIXES, ".json")


def converted_name(name: str, to: TargetFormat) -> str:
    """Return the name of a record in another format: ``a.ggf`` is ``a.sgf`` in FF[4]."""
    kept = KEPT[to]
    if name.lower().endswith(COMPRESSED):
        name = name[: name.rindex(".")]
    if name.lower().endswith(kept):
        return name
    stem = name[: name.rindex(".")] if name.lower().endswith(_KNOWN) else name
    return stem + kept[0]


def fits_suffix(name: str, to: TargetFormat) -> bool:
    """Return whether the suffix of a file allows a format: ``.ggf`` and ``.json`` only theirs."""
    other: dict[str, TargetFormat] = {".ggf": "ggf", ".json": "json"}
    suffix = os.path.splitext(name)[1].lower()  # noqa: PTH122  # any path
    return other.get(suffix, to) is to and (to not in other.values() or suffix in other)


def is_folder(path: str) -> bool:
    """Return whether a path is that of a folder, or ends as one."""
    return path.endswith(("/", os.sep)) or os.path.isdir(path)  # noqa: PTH112  # any path


def is_one_file(paths: list[str]) -> bool:
    """Return whether paths name one file, or standard input."""
    if len(paths) != 1 or paths[0].lower().endswith(ARCHIVES):
        return False
    path = paths[0]
    return not is_folder(path) and (os.path.lexists(path) or not has_magic(path))


def require_output(
    paths: list[str], output: str | None, to: TargetFormat, *, in_place: bool
) -> None:
    """Require one place for the results of several files: a folder, or their own."""
    if in_place:
        if output is not None:
            raise click.UsageError("--in-place and -o exclude each other: remove one of them")
        if STDIN in paths:
            raise click.UsageError("--in-place: standard input cannot be replaced")
        if to == "json":
            message = "JSON would replace the records: write it below a folder with -o"
            raise click.UsageError(f"--in-place: {message}")
    elif output is None:
        message = (
            f"{' '.join(paths[:MAX_SHOWN])}: more than one file needs a place: a folder with -o,"
            " or --in-place"
        )
        raise click.UsageError(f"PATHS: {message}")
    elif (os.path.lexists(output) and not is_folder(output)) or output.lower().endswith(_KNOWN):
        message = f"{output}: more than one file needs a folder, not a file"
        raise click.UsageError(f"-o: {message}")


def find_destinations(
    paths: list[str],
    folder: str,
    to: TargetFormat,
    stdin_name: str | None,
    options: FileOptions,
) -> tuple[Files, dict[str, str]]:
    """Find the records that paths name, and their places in a folder for the results.

    The tree of an input folder, and that below the first pattern of a path, is kept.  What is in
    the folder for the results is no input of a folder around it.

    Args:
        stdin_name: The name of standard input; None for ``stdin``.

    Returns:
        The files, and the place of each that can be read.

    Raises:
        click.UsageError: An input folder is the one for the results, or two records have one
            place, or the place of a record is an input.
    """
    top = os.path.realpath(folder)
    files: Files = []
    names: dict[str, str] = {}
    inputs: set[str] = set()
    for path in paths:
        is_file, base = is_one_file([path]), _base(path)
        around = os.path.realpath(base)
        if around == top and not is_file:
            message = f"{folder}: this folder is an input: choose another, or use --in-place"
            raise click.UsageError(f"-o: {message}")
        is_output_below = not is_file and top.startswith(os.path.join(around, ""))  # noqa: PTH118
        for file in find_files([path], options):
            if isinstance(file, Unreadable):
                files.append(file)
                continue
            real = file if file == STDIN else os.path.realpath(file)
            if real in inputs or (is_output_below and real.startswith(top + os.sep)):
                continue
            inputs.add(real)
            files.append(file)
            is_stdin = file == STDIN
            name = os.path.basename(stdin_name or "stdin") if is_stdin else _name_below(file, base)  # noqa: PTH119
            names[file] = name
    taken = Counter(converted_name(name, to) for name in names.values())
    outputs = {}
    for file, name in names.items():
        new = converted_name(name, to)
        if taken[new] > 1 and new != name:  # a.ggf beside a.sgf becomes a.ggf.sgf
            new = name + KEPT[to][0]
        outputs[file] = os.path.join(folder, new)  # noqa: PTH118  # any path
    _test(outputs, inputs)
    return files, outputs


def _base(path: str) -> str:
    if os.path.isdir(path):  # noqa: PTH112  # any path
        return path
    if os.path.lexists(path) or not has_magic(path):
        return os.path.dirname(path)  # noqa: PTH120  # any path
    parts = path.split("/")
    fixed = next(number for number, part in enumerate(parts) if has_magic(part))
    return "/".join(parts[:fixed]) + "/" * (fixed > 0)


def _name_below(file: str, base: str) -> str:
    """Return the name of a file below a folder, that of an archive in it without its suffix."""
    archive, member = split_member(file) or (file, "")
    below = os.path.relpath(archive, base or os.curdir)
    if not member:
        return below
    suffix = next(suffix for suffix in ARCHIVES if archive.lower().endswith(suffix))
    return os.path.join(below[: -len(suffix)], member)  # noqa: PTH118


def _test(outputs: dict[str, str], inputs: set[str]) -> None:
    """Test that each record has a place of its own."""
    real_folder = cache(os.path.realpath)
    taken: dict[str, str] = {}
    for file, output in outputs.items():
        folder, name = os.path.split(output)
        place = os.path.join(real_folder(folder), name)  # noqa: PTH118
        place = os.path.realpath(place) if os.path.islink(place) else place  # noqa: PTH114
        why = ""
        if place in inputs:
            why = "this file is an input: choose another folder, or use --in-place"
        elif place in taken:
            why = f"both {taken[place]} and {file} would be written to it"
        if why:
            raise click.UsageError(f"-o: {output}: {why}")
        taken[place] = file
