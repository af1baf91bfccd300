"""Builds the site by Sphinx, from pages that are written into a temporary folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from sphinx.cmd.build import build_main

from sgf_lark.report.explain import SettingPage

from . import reference
from .findings import write_findings
from .guides import write_guides
from .markdown import fenced

#: The navigation, in which a pattern stands for all other pages that it fits.
NAVIGATION = {
    "Guides": ("guides/library", "guides/cli", "guides/boards", "guides/pictures", "guides/*"),
    "Reference": ("rules/index", "properties/index", "*/index", "*"),
}


def build_site(
    target: Path,
    commands: Mapping[str, click.Command],
    settings: Iterable[SettingPage],
    playground: str,
) -> bool:
    """Build the site, and return whether Sphinx had nothing to warn of.

    Args:
        target: The folder of the site.
        commands: The commands by their words.
        settings: The pages on the settings.
        playground: The address of a playground, from the top of the site if it is relative; "".

    Raises:
        OSError: The folder cannot be written.
    """
    target.mkdir(parents=True, exist_ok=True)
    pages = chain(
        write_guides(),
        write_findings(playground),
        reference.write_properties(),
        reference.write_grammars(),
        reference.write_commands(commands),
        reference.write_settings(settings),
        reference.write_names(),
        reference.write_tables(),
    )
    with TemporaryDirectory() as folder:
        source = Path(folder, "source")
        for name, content in pages:
            file = source / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        with (source / "index.md").open("a", encoding="utf-8") as index:
            for caption, names in NAVIGATION.items():
                lines = "\n".join((":hidden:", ":glob:", f":caption: {caption}", "", *names))
                index.write(f"\n\n{fenced(lines, '{toctree}')}")
        options = ["-q", "-n", "-W", "--keep-going", "-c", str(Path(__file__).parent)]
        return not build_main([*options, "-d", f"{folder}/trees", str(source), str(target)])
