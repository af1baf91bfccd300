"""The settings that hold for paths, as TOML, with their origins: ``check --show-settings``."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sgf_lark.files.paths import STDIN
from sgf_lark.report.terminal import say

from .output import console

if TYPE_CHECKING:
    from sgf_lark.settings.settings import Settings

    from .options import SettingsOptions

#: Limit of the width of the settings, before their origins.
SETTING_WIDTH = 40

#: Settings that options of the command line replace; the others change rule by rule.
REPLACED = {
    *("format", "level", "baseline", "cache", "strict", "select"),
    *("exclude", "include", "respect-gitignore"),
}

#: Settings that ``--select`` replaces, too.
SELECTING = {"extend-select", "ignore"}


def print_settings(
    paths: Iterable[str], options: SettingsOptions, given: Mapping[str, Any]
) -> None:
    """Print the settings that hold for paths."""
    from sgf_lark.report.alignment import Row

    by_file = options.find()
    for number, path in enumerate(paths):
        file = "" if path == STDIN else os.path.join(path, "") if os.path.isdir(path) else path  # noqa: PTH112, PTH118
        settings = by_file.settings_of(file)
        origin = by_file.file_of(settings)
        if number:
            say("")
        say(f"# {path}")
        rows = []
        for name, value, place in _rows(settings, given, origin):
            text = f"# {name} is not set" if value is None else f"{name} = {to_toml(value)}"
            rows.append(Row([text], [f"# {place}"]))
        console(sys.stdout).write_table(rows, most=SETTING_WIDTH)


def _rows(
    settings: Settings, given: Mapping[str, Any], origin: str
) -> Iterator[tuple[str, Any, str]]:
    of_file = settings.model_dump(
        mode="json", by_alias=True, exclude_unset=True, exclude={"folder"}
    )
    of_default = type(settings)().model_dump(mode="json", by_alias=True, exclude={"folder"})
    replaced, origins = REPLACED, {name: f"--{name}" for name in given}
    if "select" in given:
        given = {**dict.fromkeys(SELECTING, ()), **given}
        replaced = REPLACED | SELECTING
    for name, usual in of_default.items():
        if name in given:
            value = given[name]
            if isinstance(value, tuple):
                value = [part for text in value for part in text.split(",")]
            yield name, value, origins.get(name, "--select")
            if name in replaced or name not in of_file:
                continue
        if not isinstance(usual, dict):
            yield name, of_file.get(name, usual), origin if name in of_file else "default"
            continue
        for key, value in {**usual, **of_file.get(name, {})}.items():
            is_set = key in of_file.get(name, {})
            yield f"{name}.{_key(key)}", value, origin if is_set else "default"


def _key(name: str) -> str:
    if re.fullmatch(r"[\w-]+", name, re.ASCII):
        return name
    import json

    return json.dumps(name)


def to_toml(value: Any) -> str:
    if isinstance(value, dict):
        items = (
            f"{_key(key)} = {to_toml(item)}" for key, item in value.items() if item is not None
        )
        return f"{{ {', '.join(items)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(to_toml, value))}]"
    import json

    return json.dumps(value, ensure_ascii=False)
