"""The command ``sgf-lark site``."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from sgf_lark.cli.interface import Bundle, LazyCommand, command, option
from sgf_lark.cli.output import WRONG, fail, reported_failure
from sgf_lark.report.terminal import say


class SiteOptions(Bundle, section="Site"):
    """The folder of the site, and the playground that it links to."""

    output: Path = option("The folder of the site.", "-o", "--output", metavar="DIR", required=True)
    playground: str = option(
        "Link examples to a playground that 'sgf-lark play --export' wrote, at this address; a"
        " relative one counts from the top of the site.",
        metavar="ADDRESS",
        default="",
    )


@command()
def site(made: SiteOptions) -> None:
    """Build the site: guides, findings, properties, names, and a search.

    It works from the folder, and below any address. The guides of the root (README and changes)
    are files of a checkout: without one, the site lacks them.

    Exit code: 1 if a link or a name leads nowhere, 2 if the site could not be built.

    Examples:
        sgf-lark site -o site
        sgf-lark site -o site --playground play/
    """
    if None in map(find_spec, ("sphinx", "furo", "myst_parser", "railroad")):
        fail("the site needs more packages (extra site):  pip install 'sgf_lark[site]'")
    from sgf_lark.settings.settings import known_settings
    from sgf_lark.site.build import build_site

    from .explain import find_setting

    settings = filter(None, map(find_setting, known_settings()))
    with reported_failure(f"cannot write {made.output}"):
        is_right = build_site(made.output, _commands(), settings, made.playground)
    say(str(made.output / "index.html"))
    sys.exit(0 if is_right else WRONG)


def _commands() -> dict[str, click.Command]:
    from sgf_lark.cli.main import app

    found, waiting = {}, [*app.commands.items()]
    while waiting:
        name, each = waiting.pop(0)
        found[name] = each = each.load() if isinstance(each, LazyCommand) else each
        if isinstance(each, click.Group):
            waiting += ((f"{name} {word}", inner) for word, inner in each.commands.items())
    return found
